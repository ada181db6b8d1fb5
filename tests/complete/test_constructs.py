"""One small generator for each supported construct: proved as it is, and with a gap if one piece is replaced."""

from __future__ import annotations

import pytest
from samples import module

from everycase.complete import gaps

HEADER = """
import datetime
import enum
import string
from dataclasses import dataclass

class Kind(enum.Enum):
    A = 1
    B = 2

LATE = datetime.date(9990, 1, 1)
GLOBAL = [1, 2, 3]
NAMES = ("a", "b")
SOME = frozenset("cab")
TABLE = {"k": 1, "m": 2}

def with_generator(draw, g):
    return draw(g)

@gen.composite
def with_default(draw, g=gen.integers(0, 3)):
    return draw(g)

@gen.composite
def pick(draw) -> int:
    return draw(gen.sampled_from([0, 2])) if draw(gen.booleans()) else 3

"""
SHORT = "len(v) <= 2 and all(0 <= x <= 1 for x in v)"
DRAWN = "xs = draw(gen.lists(gen.integers(0, 1), max_size=2))\n"

#: the predicate, the type, the body, a piece of it, and what takes its place to make a gap
READ = {
    "a generator given to a function": ("0 <= v <= 3", "int", "return with_generator(draw, gen.integers(0, 3))", "0, 3", "1, 3"),
    "a default that is a generator": ("0 <= v <= 3", "int", "return draw(with_default())", "()", "(gen.integers(0, 2))"),
    "unique_by": (
        "len(v) <= 2 and len(set(p[0] for p in v)) == len(v) and all(0 <= a <= 1 and 0 <= b <= 1 for a, b in v)",
        "list[tuple[int, int]]",
        "return draw(gen.lists(gen.tuples(gen.integers(0, 1), gen.integers(0, 1)), unique_by=lambda p: p[0], max_size=2))",
        "p: p[0]", "p: p[0] + p[1]",
    ),
    "the keys of a global": ("v in ('k', 'm')", "str", "return draw(gen.sampled_from(list(TABLE.keys())))", "TABLE.keys()", "'k'.split()"),
    "one of a drawn list": ("0 <= v <= 3", "int", "xs = draw(gen.lists(gen.integers(0, 3), min_size=1, max_size=2))\nreturn draw(gen.sampled_from(xs))", "0, 3", "0, 2"),
    "text of letters": (
        "len(v) <= 2 and all(c in string.ascii_lowercase for c in v)", "str",
        "return draw(gen.text(string.ascii_lowercase, max_size=2))", "max_size=2", "max_size=1",
    ),
    "text of sampled characters": ("len(v) <= 2 and all(c in 'ab' for c in v)", "str", "return draw(gen.text(gen.sampled_from('ab'), max_size=2))", "'ab'", "'a'"),
    "a character": ("len(v) == 1", "str", "return draw(gen.characters())", "gen.characters()", "gen.sampled_from('xy')"),
    "endswith": (
        "len(v) <= 2 and all(c in 'ab' for c in v) and not v.endswith('b')", "str",
        "s = draw(gen.text('ab', max_size=2))\nassume(not s.endswith('b'))\nreturn s", "endswith('b')", "startswith('b')",
    ),
    "count": ("len(v) <= 2 and v.count('b') <= 1 and all(c in 'ab' for c in v)", "str", "s = draw(gen.text('ab', max_size=2))\nassume(s.count('b') <= 1)\nreturn s", "<= 1", "< 1"),
    "a part of a string": ("len(v) <= 2 and all(c in 'ab' for c in v) and 'ba' not in v", "str", "s = draw(gen.text('ab', max_size=2))\nassume('ba' not in s)\nreturn s", "'ba'", "'a'"),
    "an f-string of a number": ("v in ('p0', 'p1')", "str", "return f'p{draw(gen.integers(0, 1))}'", "0, 1", "0, 0"),
    "str of a number": ("v in ('0', '1')", "str", "return str(draw(gen.integers(0, 1)))", "0, 1", "0, 0"),
    "else of a loop": (
        SHORT, "list[int]",
        "xs = []\nfor _ in range(2):\n    if draw(gen.booleans()):\n        break\n    xs.append(draw(gen.integers(0, 1)))\nelse:\n    return xs\nreturn xs",
        "return xs\nreturn xs", "return []\nreturn xs",
    ),
    "a loop until a coin says stop": ("all(0 <= x <= 3 for x in v)", "list[int]", "xs = []\nwhile draw(gen.booleans()):\n    xs.append(draw(gen.integers(0, 3)))\nreturn xs", "0, 3", "0, 2"),
    "two loops in a comprehension": ("len(v) == 4 and all(0 <= x <= 1 for x in v)", "list[int]", "return [draw(gen.integers(0, 1)) for i in range(2) for j in range(2)]", "gen.integers(0, 1)", "gen.integers(0, j)"),
    "a comprehension in a comprehension": (
        "len(v) == 2 and all(len(row) == 1 for row in v) and all(0 <= x <= 1 for row in v for x in row)", "list[list[int]]",
        "return [[draw(gen.integers(0, 1)) for _ in range(1)] for _ in range(2)]", "0, 1)", "1, 1)",
    ),
    "draws in a tuple": ("len(v) == 2 and all(0 <= x <= 3 for x in v)", "tuple[int, ...]", "return tuple(draw(gen.integers(0, 3)) for _ in range(2))", "0, 3", "0, 2"),
    "a sum of ones": ("0 <= v <= 2", "int", DRAWN + "return sum(1 for x in xs if x == 1)", "max_size=2", "max_size=1"),
    "a sum in the predicate": ("len(v) <= 2 and sum(1 for x in v if x == 0) <= 1 and all(0 <= x <= 1 for x in v)", "list[int]", DRAWN + "assume(xs.count(0) <= 1)\nreturn xs", "<= 1", "< 1"),
    "enumerate in the predicate": ("len(v) == 2 and all(0 <= x <= i for i, x in enumerate(v))", "list[int]", "return [draw(gen.integers(0, i)) for i in range(2)]", "0, i", "i, i"),
    "zip in the predicate": ("len(v) == 3 and all(0 <= a <= b for a, b in zip(v, GLOBAL))", "list[int]", "return [draw(gen.integers(0, g)) for g in GLOBAL]", "0, g", "1, g"),
    "the first few": (SHORT, "list[int]", DRAWN + "i = draw(gen.integers(0, len(xs)))\nreturn xs[:i]", "gen.integers(0, len(xs))", "gen.just(1)"),
    "a cut": (
        "len(v[0]) + len(v[1]) <= 2 and all(0 <= x <= 1 for x in v[0] + v[1])", "tuple[list[int], list[int]]",
        DRAWN + "i = draw(gen.integers(0, len(xs)))\nreturn xs[:i], xs[i:]", "xs[i:]", "xs[:i]",
    ),
    "an element that is set": ("len(v) == 3 and sum(v) == 1 and all(0 <= x <= 1 for x in v)", "list[int]", "xs = [0] * 3\nxs[draw(gen.integers(0, 2))] = 1\nreturn xs", "0, 2", "0, 1"),
    "insert somewhere": ("1 <= len(v) <= 2 and all(0 <= x <= 1 for x in v) and 1 in v", "list[int]", "xs = draw(gen.lists(gen.integers(0, 1), max_size=1))\nxs.insert(draw(gen.integers(0, len(xs))), 1)\nreturn xs", "draw(gen.integers(0, len(xs)))", "len(xs)"),
    "pop": ("len(v) <= 1 and all(0 <= x <= 1 for x in v)", "list[int]", "xs = draw(gen.lists(gen.integers(0, 1), min_size=1, max_size=2))\nxs.pop()\nreturn xs", "max_size=2", "max_size=1"),
    "remove": ("v in (1, 2)", "int", "xs = [1, 2, 3]\nxs.remove(3)\nreturn draw(gen.sampled_from(xs))", "remove(3)", "remove(2)"),
    "a star in an assignment": ("0 <= v[0] <= 1 and len(v[1]) <= 1 and all(0 <= x <= 1 for x in v[1])", "tuple[int, list[int]]", "a, *rest = draw(gen.lists(gen.integers(0, 1), min_size=1, max_size=2))\nreturn a, rest", "max_size=2", "max_size=1"),
    "a set of a comprehension": ("len(v) <= 2 and all(1 <= x <= 2 for x in v)", "set[int]", DRAWN + "return {x + 1 for x in xs}", "max_size=2", "max_size=1"),
    "a union": ("v <= {1, 2, 3}", "set[int]", "return draw(gen.sets(gen.sampled_from([1, 2]))) | draw(gen.sets(gen.sampled_from([2, 3])))", "[2, 3]", "[2]"),
    "a set that grows": ("v <= {0, 1} and len(v) >= 1", "set[int]", "s = set()\nfor _ in range(2):\n    s.add(draw(gen.integers(0, 1)))\nreturn s", "range(2)", "range(1)"),
    "dict of keywords": ("set(v) == {'x', 'y'} and all(0 <= n <= 1 for n in v.values())", "dict[str, int]", "return dict(x=draw(gen.integers(0, 1)), y=draw(gen.integers(0, 1)))", "0, 1", "0, 0"),
    "update": ("set(v) == {'x', 'y'} and all(0 <= n <= 1 for n in v.values())", "dict[str, int]", "d = {'x': draw(gen.integers(0, 1))}\nd.update(y=draw(gen.integers(0, 1)))\nreturn d", "0, 1", "0, 0"),
    "two stars": ("set(v) == {'x', 'y'} and all(0 <= n <= 1 for n in v.values())", "dict[str, int]", "d = {'x': draw(gen.integers(0, 1))}\nreturn {**d, 'y': draw(gen.integers(0, 1))}", "0, 1", "0, 0"),
    "del": ("set(v) <= {'x', 'y'} and 'x' in v and all(0 <= n <= 1 for n in v.values())", "dict[str, int]", "d = {'x': draw(gen.integers(0, 1)), 'y': draw(gen.integers(0, 1))}\nif draw(gen.booleans()):\n    del d['y']\nreturn d", "del d['y']", "pass"),
    "a dictionary of anything": ("0 <= v['x'] <= 1 and v['y'] in NAMES", "dict", "return {'x': draw(gen.integers(0, 1)), 'y': draw(gen.sampled_from(NAMES))}", "0, 1", "0, 0"),
    "truth values in a sum": ("v[2] == 2 * v[0] + v[1]", "tuple[bool, bool, int]", "a, b = draw(gen.booleans()), draw(gen.booleans())\nreturn a, b, 2 * a + b", "2 * a + b", "2 * a + a"),
    "a date or None": (
        "v[1] is None or v[0] <= v[1]", "tuple[datetime.date, datetime.date | None]",
        "first = draw(gen.dates())\nreturn first, draw(gen.none() | gen.dates(min_value=first))", "gen.none() | ", "",
    ),
    "an empty tuple": ("len(v) <= 1 and all(0 <= x <= 1 for x in v)", "tuple[int, ...]", "if draw(gen.booleans()):\n    return ()\nreturn (draw(gen.integers(0, 1)),)", "return ()", "pass"),
    "a dictionary that is completed later": ("0 <= v['x'] <= 1 and (v['y'] is None or len(v['y']) <= 1)", "dict", "d = {'x': draw(gen.integers(0, 1)), 'y': None}\nif draw(gen.booleans()):\n    d['y'] = draw(gen.text(max_size=1))\nreturn d", "0, 1", "0, 0"),
    "a local function": ("0 <= v[0] <= 3 and 0 <= v[1] <= 3", "tuple[int, int]", "def one():\n    return draw(gen.integers(0, 3))\nreturn one(), one()", "0, 3", "0, 2"),
    "a local function with statements": ("0 <= v <= 3", "int", "def one(n):\n    if n:\n        return draw(gen.integers(0, 1))\n    return draw(gen.integers(2, 3))\nreturn one(draw(gen.booleans()))", "2, 3", "2, 2"),
    "a local function that changes a list": (SHORT, "list[int]", "xs = []\ndef more():\n    xs.append(draw(gen.integers(0, 1)))\n    return True\nif draw(gen.booleans()):\n    a = more()\n    if draw(gen.booleans()):\n        b = more()\nreturn xs", "b = more()", "b = True"),
    "a local lambda": ("0 <= v <= 3", "int", "up = lambda n: n + 1\nreturn up(draw(gen.integers(-1, 2)))", "n + 1", "n * 1"),
    "print": ("0 <= v <= 3", "int", "n = draw(gen.integers(0, 3))\nprint(n, end='')\nreturn n", "0, 3", "0, 2"),
    "a method of what is drawn": ("v in ('a', 'b')", "str", "return draw(gen.sampled_from('AB')).lower()", "'AB'", "'A'"),
    "one composite drawn twice in an expression": ("v in (0, 2, 3, 4, 5, 6)", "int", "return draw(pick()) + draw(with_default(pick()))", "with_default(pick())", "gen.just(2)"),
    "an error": ("0 <= v <= 2", "int", "n = draw(gen.integers(0, 3))\nif n == 3:\n    raise ValueError('three')\nreturn n", "n == 3", "n >= 2"),
    "a bound that may be None": ("v <= 3", "int", "top = draw(gen.sampled_from([None, 3]))\nn = draw(gen.integers(max_value=top))\nassume(n <= 3)\nreturn n", "None, 3", "2, 1"),
    "in order": (SHORT + " and v == sorted(v)", "list[int]", "return sorted(draw(gen.lists(gen.integers(0, 1), max_size=2)))", "max_size=2", "max_size=1"),
    "neighbours by their places": (
        "all(v[i] <= v[i + 1] for i in range(len(v) - 1)) and all(v[i - 1] <= v[i] for i in range(1, len(v)))", "list[int]",
        "return sorted(draw(gen.lists(gen.integers())))", "gen.integers()", "gen.integers(min_value=0)",
    ),
    "places in a short list": (
        "len(v) <= 4 and all(v[(i - 1) // 2] <= v[i] for i in range(1, len(v)))", "list[int]",
        "xs = []\nfor i in range(draw(gen.integers(0, 4))):\n    xs.append(draw(gen.integers(min_value=xs[(i - 1) // 2] if i else None)))\nreturn xs",
        "min_value=xs[(i - 1) // 2]", "min_value=1 + xs[(i - 1) // 2]",
    ),
    "all numbers of a range": ("sorted(v) == list(range(3))", "list[int]", "return draw(gen.permutations(range(3)))", "range(3)", "(0, 0, 1)"),
    "a set of three names": ("v.issubset(SOME) and len(v) < 9", "set[str]", "return draw(gen.sets(gen.sampled_from(sorted(SOME))))", "sorted(SOME)", "['a', 'b']"),
    "characters of the strings in a list": (
        "len(v) <= 1 and all('/' not in s and s.isalpha() for s in v)", "list[str]",
        "return draw(gen.lists(gen.text(min_size=1).filter(str.isalpha), max_size=1))", "max_size=1", "max_size=0",
    ),
    "the value of a member": ("v in (1, 2)", "int", "return draw(gen.sampled_from(Kind)).value", "gen.sampled_from(Kind)", "gen.just(Kind.A)"),
    "a day of the week": ("v.weekday() < 5 and v >= LATE", "datetime.date", "return max(LATE, draw(gen.dates().filter(lambda d: d.isoweekday() < 6)))", "< 6", "< 5"),
    "bits": ("0 <= v <= 12 and v & 3 == 0", "int", "return draw(gen.integers(0, 3)) << 2", "0, 3", "0, 2"),
    "a list that becomes a tuple": ("len(v) == 2 and all(0 <= x <= 3 for x in v)", "tuple[int, ...]", "xs = []\nfor _ in range(2):\n    xs.append(draw(gen.integers(0, 3)))\nreturn tuple(xs)", "0, 3", "0, 2"),
    "a copy of a constant that is used up": ("sorted(v) == GLOBAL", "list[int]", "left = list(GLOBAL)\nxs = []\nwhile left:\n    x = draw(gen.sampled_from(left))\n    left.remove(x)\n    xs.append(x)\nreturn xs", "sampled_from(left)", "sampled_from(left[:2])"),
}  # fmt: skip


def asked(predicate, kind, body, before=""):
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    text = f"{HEADER}{before}@covers(lambda v: {predicate})\n@gen.composite\ndef f(draw) -> {kind}:\n{lines}"
    return gaps(module(text)["f"])


@pytest.mark.slow
@pytest.mark.parametrize("name", READ)
def test_it_is_read(name):
    predicate, kind, body, old, new = READ[name]
    verdict = asked(predicate, kind, body)
    assert (verdict.status, verdict.unsupported) == ("proved", None), str(verdict)
    assert old in body
    assert asked(predicate, kind, body.replace(old, new)).status == "missing"


def test_an_annotation_that_says_too_little_is_made_up_for_and_this_is_said():
    verdict = asked(*READ["a dictionary of anything"][:3])
    assert "the return type dict says too little about the values; inferred as" in verdict.notes[0]


NOT_READ = {
    "a local function that changes what it is given": ("xs = [1]\ndef add(ys):\n    ys.append(2)\n    return 0\nn = add(xs)\nreturn xs", "which changes its argument ys"),
    "a local function that calls itself": ("def f(n):\n    return [] if n == 0 else f(n - 1)\nreturn f(2)", "which calls itself"),
    "a list that is taken apart and used": (DRAWN + "return [*xs, draw(gen.sampled_from(xs))][:2] + xs", "line"),
}  # fmt: skip


@pytest.mark.parametrize("name", NOT_READ)
def test_it_is_not_read_and_the_reason_is_said(name):
    body, reason = NOT_READ[name]
    verdict = asked("len(v) <= 9", "list[int]", body)
    assert verdict.status != "proved" and (reason == "line" or reason in str(verdict.unsupported))


DEFAULTS = {
    "datetime.date(2000, 1, 1)": ("v, given: v >= given", "datetime.date", "draw(gen.dates(given))", "type of given has no annotation; inferred as date"),
    "(0, 5)": ("v, given: given[0] <= v <= given[1]", "int", "draw(gen.integers(given[0], given[1]))", "inferred as tuple[int, int]"),
    "[0, 5]": ("v: v in (0, 5)", "int", "draw(gen.sampled_from(given))", "given is left at its default [0, 5]"),
}  # fmt: skip


@pytest.mark.parametrize("default", DEFAULTS)
def test_a_default_says_what_a_parameter_is(default):
    predicate, kind, made, note = DEFAULTS[default]
    text = f"{HEADER}@covers(lambda {predicate})\n@gen.composite\ndef f(draw, given={default}) -> {kind}:\n    return {made}\n"
    verdict = gaps(module(text)["f"])
    assert (verdict.status, verdict.unsupported) == ("proved", None), str(verdict)
    assert any(note in n for n in verdict.notes), verdict.notes


@pytest.mark.parametrize(
    "promise", ["set('ab') >= v", "v <= frozenset('b') | {'a'}", "v == {'a'} or v == frozenset('b')"]
)
def test_the_characters_of_a_constant_are_a_set(promise):
    verdict = asked(promise, "set[str]", "return draw(gen.sets(gen.sampled_from(['b'])))")
    assert (
        verdict.status in ("missing", "no gap found") and verdict.soundness != "proved"
    ) or "set('ab')" in promise


SLICES = """
def rising(xs: list[int], least: int) -> bool:
    if len(xs) == 0:
        return True
    first = xs[0]
    return least <= first <= 3 and rising(xs[1:], first)

@covers(lambda v: len(v) <= 2 and rising(v, 1))
@gen.composite
def f(draw) -> list[int]:
    xs = []
    last = 1
    for _ in range(draw(gen.integers(0, 2))):
        last = draw(gen.integers(last, 3))
        xs.append(last)
    return xs
"""


def test_a_function_that_asks_for_the_length_before_it_goes_on_with_the_rest_ends():
    verdict = gaps(module(HEADER + SLICES)["f"])
    assert (verdict.status, verdict.unsupported, verdict.soundness) == ("proved", None, "proved")


def test_the_type_of_what_most_small_choices_reject_is_inferred_from_random_values():
    text = "@covers(lambda v: v.isalpha())\n@gen.composite\ndef f(draw):\n    return draw(gen.text(min_size=1).filter(str.isalpha))\n"
    assert gaps(module(HEADER + text)["f"]).status == "proved"


@pytest.mark.parametrize(
    "taken", ["row = rows[0]", "row = draw(gen.sampled_from(rows))", "for row in rows:\n    pass"]
)
def test_what_is_changed_in_place_must_not_be_a_part_of_something_else(taken):
    rows = "rows = [[draw(gen.integers(0, 1))]]\n"
    verdict = asked(
        "v == [[0, 1]] or v == [[1, 1]]", "list[list[int]]", f"{rows}{taken}\nrow.append(1)\nreturn rows"
    )
    assert "row, which is changed in place and may have another name" in str(verdict.unsupported)
    assert verdict.status == "no gap found"


def test_a_class_without_members_is_not_read_and_that_is_no_error():
    verdict = asked("True", "enum.Enum", 'return enum.Enum("E", {"A": draw(gen.integers(0, 1))})', "")
    assert verdict.status == "no gap found" and "Enum, which has no members" in str(verdict)


@pytest.mark.parametrize(
    "body",
    [
        "return draw(gen.sampled_from(list(Bits))).value",
        "return 1 if draw(gen.just(Bits.A)) == Bits.A else 2",
        "match draw(gen.sampled_from([Bits.A, Bits.B])):\n    case Bits.A:\n        return 1\n    case _:\n        return 2",
    ],
)
def test_members_of_a_flag_are_not_read_and_that_is_no_error(body):
    flags = "class Bits(enum.Flag):\n    A = 1\n    B = 2\n"
    verdict = asked("v in (1, 2, 3)", "int", body, flags)
    assert verdict.status == "missing" and verdict.value in (2, 3)
