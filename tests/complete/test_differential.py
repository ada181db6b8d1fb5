"""Random small generators and their mutants: the verdict is compared with actually trying all choices."""

from __future__ import annotations

import itertools
import random
import re

import pytest
from samples import module

from everycase.complete import gaps
from everycase.enumeration.walk import walk
from everycase.errors import EverycaseError
from everycase.gen.kinds import Composite

TEMPLATE = """
@covers(lambda v, n: len(v) <= n and all(0 <= x <= 2 for x in v), requires=lambda n: 0 <= n)
@gen.composite
def f(draw, n: int) -> list[int]:
    if n {test} {limit}:
        return {base}
    {coin}
    x = draw(gen.integers({low}, {high}))
    {guard}
    return [{item}, *draw(f({smaller}))]
"""

CHOICES = {
    "test": ["<="],
    "limit": ["0", "0", "1"],
    "base": ["[]", "[]", "[draw(gen.integers(0, 2))] if n > 0 else []"],
    "coin": [
        "if draw(gen.booleans()):\n        return []",
        "if draw(gen.booleans()):\n        return []",
        "if n > 1 and draw(gen.booleans()):\n        return []",
        "if draw(gen.integers(0, n)) == 1:\n        return draw(f(n - 1))",
        "pass",
    ],
    "low": ["0", "0", "1"],
    "high": ["2", "2", "1", "n"],
    "guard": ["pass", "pass", "assume(x != 1)", "assume(x <= n)", "y = draw(gen.integers(0, 2))"],
    "item": ["x", "x", "2 - x", "x // 2 * 2", "x % 3"],
    "smaller": ["n - 1", "n - 1", "n - 1", "n - 2 if n > 1 else 0", "0"],
}


def made_by(generator, n):
    return {tuple(trace.value) for trace in walk(generator(n))}


def valid_for(n):
    values, last = {()}, {()}
    for _ in range(n):
        last = {(*v, x) for v in last for x in range(3)}
        values |= last
    return values


@pytest.mark.parametrize("seed", range(25))
def test_verdicts_agree_with_trying_everything(seed):
    rng = random.Random(seed)
    text = TEMPLATE.format(**{name: rng.choice(options) for name, options in CHOICES.items()})
    generator = module(text)["f"]
    verdict = gaps(generator, max_seconds=5)
    made = {n: made_by(generator, n) for n in range(3)}
    if verdict.status == "proved":
        assert all(valid_for(n) <= made[n] for n in made), text
    elif verdict.status == "missing":
        n = verdict.arguments["n"]
        value = tuple(verdict.value)
        assert value in valid_for(n) and value not in (made[n] if n in made else made_by(generator, n)), text
    else:
        assert verdict.suspected is not None or all(valid_for(n) <= made[n] for n in made), text
    if verdict.unsound is not None:
        arguments, value = verdict.unsound
        n = arguments["n"]
        assert tuple(value) not in valid_for(n), text
    if verdict.sound:
        assert all(made[n] <= valid_for(n) for n in made), text


# --- generators of several shapes, complete before a random place in their text is changed ----------------------

TYPES = """
@dataclass(frozen=True)
class L: pass

@dataclass(frozen=True)
class N:
    v: int
    l: T
    r: T

T = L | N

def size(t: T) -> int:
    match t:
        case L():
            return 0
        case N(_, a, b):
            return 1 + size(a) + size(b)

def depth(t: T) -> int:
    match t:
        case L():
            return 0
        case N(_, a, b):
            return 1 + max(depth(a), depth(b))

def bits(t: T) -> bool:
    match t:
        case L():
            return True
        case N(v, a, b):
            return 0 <= v <= 1 and bits(a) and bits(b)
"""

SHAPES = [
    ("T", "depth(v) <= n and bits(v)", """
    if n == 0 or draw(gen.booleans()):
        return L()
    x = draw(gen.sampled_from([0, 1]))
    a = draw(f(n - 1))
    return N(x, a, draw(f(n - 1)))
"""),
    ("T", "size(v) == n and bits(v)", """
    if n == 0:
        return L()
    k = draw(gen.integers(0, n - 1))
    return N(draw(gen.integers(0, 1)), draw(f(k)), draw(f(n - 1 - k)))
"""),
    ("int", "-2 * n <= v <= 2 * n and v % 2 == 0", """
    x = draw(gen.integers(0, n))
    y = 2 * x
    if draw(gen.booleans()):
        return y
    return 0 - y
"""),
    ("int", "0 <= v <= n", """
    if n == 0:
        return 0
    if draw(gen.booleans()):
        return draw(f(n - 1))
    return n
"""),
    ("tuple[int, bool]", "0 <= v[0] <= n and (v[1] or v[0] == 0)", """
    b = draw(gen.booleans())
    if b:
        return (draw(gen.integers(0, n)), b)
    return (0, False)
"""),
    ("int | None", "v is None or 0 <= v <= n", """
    if draw(gen.booleans()):
        return None
    x = draw(gen.integers(0, n + 1))
    if x == n + 1:
        return 0
    return x
"""),
    ("list[int]", "len(v) <= n and all(a != b for a, b in zip(v, v[1:])) and all(0 <= x <= 1 for x in v)", """
    if n <= 0 or draw(gen.booleans()):
        return []
    rest = draw(f(n - 1))
    x = draw(gen.integers(0, 1))
    match rest:
        case [y, *more]:
            return [1 - y, *rest]
        case _:
            return [x]
"""),
]  # fmt: skip

CHANGES = [
    (r"\b0\b", ["1", "-1"]),
    (r"\b1\b", ["0", "2"]),
    (r"n - 1\b", ["n - 2", "n // 2", "max(n - 1, 0)"]),
    (r"==", ["<=", "!=", ">"]),
    (r"draw\(gen\.booleans\(\)\)", [
        "True", "False", "n > 1 and draw(gen.booleans())", "draw(gen.booleans()) or draw(gen.booleans())",
        "draw(gen.integers(0, n)) == 0", "draw(gen.integers(0, 3)) > 1",
    ]),
    (r"gen\.integers\(0, n\)", [
        "gen.integers(0, n) | gen.just(n)", "gen.integers(1, n)", "gen.sampled_from(range(n))",
        "gen.sampled_from(range(n + 1))", "gen.one_of(gen.just(0), gen.integers(1, n))",
    ]),
    (r"\bx\b(?! = )", ["abs(x)", "(x % 2)", "(2 - x)", "-x", "min(x, n)", "(x // 2 * 2)"]),
]  # fmt: skip


def changed(rng, body):
    for _ in range(rng.choice([0, 1, 1, 2])):
        pattern, options = rng.choice(CHANGES)
        spots = list(re.finditer(pattern, body))
        if spots:
            spot = rng.choice(spots)
            body = body[: spot.start()] + rng.choice(options) + body[spot.end() :]
    return body


def universe(names, kind):
    ints = range(-5, 6)
    if kind == "T":
        leaf, node = names["L"](), names["N"]
        small = [leaf, *(node(v, leaf, leaf) for v in range(2))]
        return [
            *small,
            *(node(v, a, b) for v in range(2) for a in small for b in small if (a, b) != (leaf, leaf)),
        ]
    lists = [list(t) for k in range(4) for t in itertools.product(range(-1, 3), repeat=k)]
    pairs = [(i, b) for i in ints for b in (False, True)]
    return {"int": [*ints], "int | None": [None, *ints], "tuple[int, bool]": pairs, "list[int]": lists}[kind]


class TooDeep(Exception):
    pass


def tried(generator, n):
    """The values of some choices, and whether these were all choices (also False if some of them fail)."""
    found, everything, script = [], True, []
    for _ in range(1_500):
        options, depth = [], [0]  # how many options each draw of this run had

        def draw(source, options=options, depth=depth):
            if isinstance(source, Composite):
                depth[0] += 1
                if depth[0] > 5:
                    raise TooDeep
                value = source.function(draw, *source.args, **source.kwargs)
                depth[0] -= 1
                return value
            values = list(source)
            options.append(len(values))
            if len(options) > len(script):
                script.append(0)
            return values[script[len(options) - 1]]

        try:
            found.append(draw(generator(n)))
        except (EverycaseError, TooDeep):
            everything = False
        del script[len(options) :]
        while script and script[-1] + 1 >= options[len(script) - 1]:
            script.pop()
        if not script:
            return found, everything
        script[-1] += 1
    return found, False


@pytest.mark.parametrize("seed", range(60))
def test_changed_generators_agree_with_trying_everything(seed):
    rng = random.Random(seed)
    kind, spec, body = rng.choice(SHAPES)
    head = f"@covers(lambda v, n: {spec}, requires=lambda n: n >= 0)\n@gen.composite\ndef f(draw, n: int) -> {kind}:"
    text = TYPES + head + changed(rng, body)
    names = module(text)
    verdict = gaps(names["f"], max_seconds=5)
    valid = eval(f"lambda v, n: {spec}", names)
    for n in range(3):
        found, everything = tried(names["f"], n)
        lost = [v for v in universe(names, kind) if valid(v, n) and v not in found]
        if everything and verdict.status != "missing":
            assert not lost or (verdict.status == "no gap found" and verdict.suspected), (text, n, lost)
        assert not verdict.sound or all(valid(v, n) for v in found), (text, n)
        if verdict.status == "missing" and verdict.arguments["n"] == n:
            assert valid(verdict.value, n) and verdict.value not in found, text
