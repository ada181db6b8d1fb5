"""Expressions that Python computes case by case, and statements that are read as simpler ones: never a wrong verdict."""

from __future__ import annotations

import pytest
from samples import module

from everycase.complete import gaps

HEADER = """
import collections
import functools
import itertools
import math
import random

STATE = []

def counted(n):
    STATE.append(n)
    return n + len(STATE) % 2

"""

#: the body, all that it makes, and one value that it never makes
COMPUTED = {
    "modulo of a negative number": ("n = draw(gen.integers(-3, 3))\nreturn n % -2, n // 2", "v in ((-1, -2), (0, -1), (-1, -1), (0, 0), (-1, 0), (0, 1), (-1, 1))", "v[0] in (0, -1) and v[1] in (-2, -1, 0, 1)"),
    "round to even": ("return round(draw(gen.integers(0, 5)) / 2)", "v in (0, 1, 2)", "0 <= v <= 3"),
    "a truth is a number": ("b = draw(gen.booleans())\nreturn [4, 5][b] + True", "v in (5, 6)", "4 <= v <= 6"),
    "the first of several least": ("n, m = draw(gen.integers(-1, 1)), draw(gen.integers(-1, 1))\nreturn min([n, m], key=abs)", "-1 <= v <= 1", "-2 <= v <= 1"),
    "a stable order": ("n = draw(gen.integers(-1, 1))\nreturn sorted([n, 1, -1], key=abs)", "v in ([-1, 1, -1], [0, 1, -1], [1, 1, -1])", "v in ([-1, 1, -1], [0, 1, -1], [1, 1, -1], [1, -1, 1])"),
    "places from the right": ("n = draw(gen.integers(1, 3))\nreturn [10, 20, 30][-n]", "v in (10, 20, 30)", "v in (10, 20, 30, 40)"),
    "an error makes no value": ("n = draw(gen.integers(0, 3))\nreturn 6 // n + math.isqrt(n - 1)", "v in (6, 4, 3)", "v in (6, 4, 3, 7)"),
    "an error that is handled": ("n = draw(gen.integers(0, 2))\ntry:\n    made = 6 // n\nexcept ZeroDivisionError:\n    made = -1\nreturn made", "v in (-1, 6, 3)", "v in (-1, 6, 3, 0)"),
    "another error than the handled one": ("n = draw(gen.integers(0, 2))\ntry:\n    made = [5][n] // n\nexcept IndexError:\n    made = -1\nreturn made", "v == -1", "v in (-1, 5)"),
    "an early return in try": ("n = draw(gen.integers(0, 2))\ntry:\n    return [5, 6][n]\nexcept LookupError:\n    n = 9\nreturn n", "v in (5, 6, 9)", "v in (5, 6, 9, 2)"),
    "else of try": ("n = draw(gen.integers(0, 1))\ntry:\n    m = 4 // n\nexcept ArithmeticError:\n    m = 0\nelse:\n    m += 1\nreturn m", "v in (0, 5)", "v in (0, 1, 5)"),
    "one place of two that are exchanged": ("n, m = draw(gen.integers(0, 1)), draw(gen.integers(2, 3))\nxs = [n, m]\nxs[0], xs[1] = xs[1], xs[0]\nreturn xs", "len(v) == 2 and 2 <= v[0] <= 3 and 0 <= v[1] <= 1", "len(v) == 2 and 0 <= v[0] <= 3 and 0 <= v[1] <= 1"),
    "a part that is cut out": ("n = draw(gen.integers(0, 3))\nxs = [n, 1, 2, n]\ndel xs[1:3]\nreturn xs", "len(v) == 2 and v[0] == v[1] and 0 <= v[0] <= 3", "len(v) == 2 and 0 <= v[0] <= 3 and 0 <= v[1] <= 3"),
    "a part that is replaced by a longer one": ("n = draw(gen.integers(0, 3))\nxs = [0, n, 0]\nxs[1:2] = [n, n]\nreturn xs", "v in ([0, 0, 0, 0], [0, 1, 1, 0], [0, 2, 2, 0], [0, 3, 3, 0])", "v in ([0, 0, 0, 0], [0, 1, 1, 0], [0, 2, 2, 0], [0, 3, 3, 0], [0, 1, 0])"),
    "a place past the end": ("n = draw(gen.integers(0, 3))\nxs = [n]\ndel xs[2:5]\nreturn xs", "len(v) == 1 and 0 <= v[0] <= 3", "len(v) <= 1 and all(0 <= x <= 3 for x in v)"),
    "a default that is left out": ("def pick(low, high=2):\n    return draw(gen.integers(low, high))\nreturn pick(1)", "1 <= v <= 2", "0 <= v <= 2"),
    "a default that is given": ("def pick(low, *, high=2):\n    return draw(gen.integers(low, high))\nreturn pick(1, high=3)", "1 <= v <= 3", "1 <= v <= 4"),
    "a star in the middle": ("xs = draw(gen.lists(gen.integers(0, 1), min_size=2, max_size=3))\na, *_, z = xs\nreturn a, z", "v in ((0, 0), (0, 1), (1, 0), (1, 1))", "0 <= v[0] <= 1 and 0 <= v[1] <= 2"),
    "every second element": ("xs = sorted(draw(gen.lists(gen.integers(), min_size=2, max_size=4)))\nreturn xs[::2]", "1 <= len(v) <= 2 and all(a <= b for a, b in zip(v, v[1:]))", "len(v) <= 2 and all(a <= b for a, b in zip(v, v[1:]))"),
    "characters in a loop": ("made = []\nfor c in draw(gen.sampled_from(['ab', ''])):\n    made.append(c)\nreturn made", "v in (['a', 'b'], [])", "v in (['a', 'b'], [], ['b'])"),
    "a key of a drawn dictionary": ("d = draw(gen.dictionaries(gen.sampled_from(('a', 'b')), gen.integers(0, 1)))\nd['a'] = 1\nreturn d", "set(v) <= {'a', 'b'} and v['a'] == 1 and all(0 <= x <= 1 for x in v.values())", "set(v) <= {'a', 'b'} and 'a' in v and all(0 <= x <= 1 for x in v.values())"),
    "None among numbers": ("few = draw(gen.lists(gen.none() | gen.integers(0, 1), max_size=1))\nreturn [0, *few]", "1 <= len(v) <= 2 and v[0] == 0 and all(x is None or 0 <= x <= 1 for x in v)", "1 <= len(v) <= 2 and all(x is None or 0 <= x <= 1 for x in v)"),
    "a set that counts up": ("n = draw(gen.integers(0, 2))\ns = {0}\ns |= {n}\nreturn s", "v in ({0}, {0, 1}, {0, 2})", "v in ({0}, {0, 1}, {0, 2}, {1})"),
}  # fmt: skip


def asked(promise, body):
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return gaps(module(f"{HEADER}@covers(lambda v: {promise})\n@gen.composite\ndef f(draw):\n{lines}")["f"])


@pytest.mark.slow
@pytest.mark.parametrize("name", COMPUTED)
def test_what_python_makes_is_known(name):
    body, whole, more = COMPUTED[name]
    assert asked(whole, body).status == "proved"
    assert asked(more, body).status == "missing"


#: Bodies for which the promise must never be called proved: the last value that it allows is never made.
NEVER_PROVED = {
    "a result that is another list": ("one, two = [draw(gen.integers(0, 1))], [5, 6]\nmade = max([one, two], key=len)\nmade.append(1)\nreturn two", "v in ([5, 6, 1], [5, 6])"),
    "a list in a list": ("n = draw(gen.integers(0, 1))\nrow = [n]\nrows = [row, row]\nrows[0] += [1]\nreturn row", "v in ([0], [1], [0, 1], [1, 1])"),
    "a list under two names": ("n = draw(gen.integers(0, 1))\none = two = [n]\none += [2]\nreturn two", "v in ([0], [1], [0, 2], [1, 2])"),
    "a set under two names": ("n = draw(gen.integers(0, 1))\ns = {n}\nt = s\ns |= {5}\nreturn t", "v in ({0}, {1}, {0, 5}, {1, 5})"),
    "a function with a state": ("return counted(draw(gen.integers(0, 1)))", "0 <= v <= 3"),
    "a function with a state, in a map": ("return sum(map(counted, [draw(gen.integers(0, 1))]))", "0 <= v <= 3"),
    "chance": ("n = draw(gen.integers(0, 1))\nreturn max(n, random.choice([0, 5]))", "v in (0, 1, 5, 6)"),
    "the identity of an object": ("n = draw(gen.integers(0, 1))\nreturn id(n) % 2 + n", "0 <= v <= 3"),
    "a lambda that sees the last round": ("fs = [lambda: i for i in range(2)]\nreturn [fs[0]() + draw(gen.integers(0, 1))]", "v in ([0], [1], [2])"),
    "a number that is not a character": ("made = 0\nfor c in draw(gen.text('ab', max_size=1)):\n    if c == 97:\n        made = 1\nreturn made", "v in (0, 1)"),
    "a default that grows": ("def keep(x, seen=[]):\n    seen.append(x)\n    return len(seen)\nreturn keep(draw(gen.integers(0, 1))) + keep(0)", "0 <= v <= 4"),
    "a name of its own": ("abs = lambda n: n + 7\nreturn abs(draw(gen.integers(-1, 1)))", "v in (0, 1)"),
    "an argument that is changed by what is called": ("xs = [1, draw(gen.integers(0, 1))]\nm = functools.reduce(lambda a, b: a.append(b) or a, [2], xs)\nreturn xs", "v in ([1, 0], [1, 1])"),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", NEVER_PROVED)
def test_what_is_more_than_computing_is_never_proved(name):
    body, promise = NEVER_PROVED[name]
    assert asked(promise, body).status != "proved"


ORDERS = {
    "a list of a set": "return list({'a', 'b', draw(gen.sampled_from('cd'))})",
    "the first of a set": "return next(iter({'a', 'b', draw(gen.sampled_from('cd'))}))",
    "the text of a set": "return str({'a', 'b', draw(gen.sampled_from('cd'))})",
    "joined": "return ''.join({'a', 'b', draw(gen.sampled_from('cd'))})",
    "a comprehension": "return [c for c in {'a', 'b', draw(gen.sampled_from('cd'))}]",
    "ties": "return min({'a', 'b', draw(gen.sampled_from('cd'))}, key=len)",
    "the keys of a drawn dictionary": "d = draw(gen.dictionaries(gen.sampled_from('ab'), gen.just(1)))\nreturn list(d)",
    "the values of a drawn dictionary": "d = draw(gen.dictionaries(gen.sampled_from('ab'), gen.integers(0, 1)))\nreturn list(d.values())",
    "swapped items": "d = draw(gen.dictionaries(gen.sampled_from('ab'), gen.just(1)))\nreturn {x: k for k, x in d.items()}",
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", ORDERS)
def test_the_order_of_a_set_or_a_drawn_dictionary_is_not_computed(name):
    assert asked("True", ORDERS[name]).unsupported is not None
