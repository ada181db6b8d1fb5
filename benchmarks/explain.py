"""Whether the parts of a counterexample that the report calls irrelevant are irrelevant, and whether it names all of them.

    python benchmarks/explain.py [--seeds 10]

Every argument here has so few values that all of them can be tried. A part is named *wrongly* if the test passes with
another value in its place, or with other values in the places of all named parts together. A part is *missed* if it is
not named although the test fails with every combination of values for it and the named parts.
"""

from __future__ import annotations

import argparse
import itertools
import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from everycase import check, gen

#: With more combinations than this, combinations are drawn at random.
MOST_TOGETHER = 20_000


@dataclass(frozen=True)
class Item:
    name: str
    count: int


@dataclass(frozen=True)
class Problem:
    """``values`` holds the values of every part, by its expression with ``[]`` for any index."""

    name: str
    gens: dict[str, gen.Gen[Any]]
    passes: Callable[..., object]
    values: dict[str, Sequence[Any]]


def steps_of(part: str) -> list[Any]:
    """The steps from the arguments to a part.

    >>> steps_of("xs[1].name")
    ['xs', 1, '.name']
    """
    found = re.findall(r"^\w+|\[\d+\]|\.\w+", part)
    assert "".join(found) == part, part
    return [int(step[1:-1]) if step[0] == "[" else step for step in found]


def with_part(value: Any, steps: list[Any], new: Any) -> Any:
    """The value with another one in the place of a part."""
    if not steps:
        return new
    step, rest = steps[0], steps[1:]
    if isinstance(step, str) and step[0] == ".":
        return replace(value, **{step[1:]: with_part(getattr(value, step[1:]), rest, new)})
    if isinstance(value, dict):
        return {**value, step: with_part(value[step], rest, new)}
    changed = [with_part(each, rest, new) if i == step else each for i, each in enumerate(value)]
    return type(value)(changed)


def values_of(problem: Problem, part: str) -> Sequence[Any] | None:
    """The values that a part can have; None if they are not given."""
    return problem.values.get(part, problem.values.get(re.sub(r"\d+", "", part)))


def parts_of(problem: Problem, arguments: dict[str, Any]) -> list[str]:
    """The parts of the input, large ones first."""

    def below(part: str, value: Any) -> Iterator[str]:
        if values_of(problem, part) is not None:
            yield part
        if isinstance(value, list | tuple):
            for i, each in enumerate(value):
                yield from below(f"{part}[{i}]", each)
        elif isinstance(value, Item):
            yield from below(f"{part}.name", value.name)
            yield from below(f"{part}.count", value.count)

    return [part for name, value in arguments.items() for part in below(name, value)]


def always_fails(problem: Problem, arguments: dict[str, Any], parts: Sequence[str]) -> bool:
    """Whether the test fails with all combinations of values in the places of these parts."""
    choices = [values_of(problem, part) or () for part in parts]
    total = 1
    for each in choices:
        total *= len(each)
    dice = random.Random(0)
    combinations: Iterator[tuple[Any, ...]] = (
        iter(itertools.product(*choices))
        if total <= MOST_TOGETHER
        else (tuple(dice.choice(each) for each in choices) for _ in range(MOST_TOGETHER))
    )
    for values in combinations:
        changed: Any = arguments
        for part, value in zip(parts, values, strict=True):
            changed = with_part(changed, steps_of(part), value)
        if problem.passes(**changed):
            return False
    return True


def judged(problem: Problem, seed: int) -> tuple[list[str], list[str], list[str]]:
    """The parts that were named, the ones among them that are wrong, and the parts that were missed."""

    def test(**arguments: Any) -> None:
        assert problem.passes(**arguments)

    report = check(test, **problem.gens, seed=seed, database=None)
    assert report.first is not None, problem.name
    arguments = report.first.arguments
    named = [idle.part for idle in report.first.idle]
    wrong = [part for part in named if not always_fails(problem, arguments, [part])]
    if not wrong and not always_fails(problem, arguments, named):
        wrong = [named[-1]]
    missed = [
        part
        for part in parts_of(problem, arguments)
        if not any(part.startswith(each) or each.startswith(part) for each in named)
        and always_fails(problem, arguments, [*named, part])
    ]
    return named, wrong, missed


def lists_of(values: Sequence[Any], most: int) -> list[list[Any]]:
    return [list(each) for size in range(most + 1) for each in itertools.product(values, repeat=size)]


SMALL, DIGITS = range(201), range(10)
WORDS = ["".join(each) for size in range(4) for each in itertools.product("abc", repeat=size)]
ITEMS = [Item(name, count) for name in WORDS for count in DIGITS]


def _numbers(*names: str) -> dict[str, gen.Gen[Any]]:
    return dict.fromkeys(names, gen.integers(0, 200))


def _values(*names: str) -> dict[str, Sequence[Any]]:
    return dict.fromkeys(names, SMALL)


LISTS = gen.lists(gen.integers(0, 9), max_size=3)
LIST_VALUES: dict[str, Sequence[Any]] = {"xs": lists_of(DIGITS, 3), "xs[]": DIGITS}
ITEM_GEN = gen.builds(Item, gen.text("abc", max_size=3), gen.integers(0, 9))
ITEM_VALUES: dict[str, Sequence[Any]] = {"item": ITEMS, "item.name": WORDS, "item.count": DIGITS}
PAIR = gen.tuples(gen.integers(0, 200), gen.booleans())
PAIR_VALUES: dict[str, Sequence[Any]] = {
    "pair": [(a, b) for a in SMALL for b in (False, True)],
    "pair[0]": SMALL,
    "pair[1]": (False, True),
}

PROBLEMS = (
    Problem("one of two", _numbers("a", "b"), lambda a, b: a < 150, _values("a", "b")),
    Problem("one of four", _numbers(*"abcd"), lambda a, b, c, d: c < 120, _values(*"abcd")),
    Problem("all but one value", _numbers("a", "b"), lambda a, b: a < 100 or b == 77, _values("a", "b")),
    Problem("all but the last", _numbers("a", "b"), lambda a, b: a < 100 or b == 200, _values("a", "b")),
    Problem("all but evens", _numbers("a", "b"), lambda a, b: a < 100 or b % 2 == 1, _values("a", "b")),
    Problem("far apart", _numbers("a", "b"), lambda a, b: abs(a - b) < 60, _values("a", "b")),
    Problem("either", _numbers(*"abc"), lambda a, b, c: a < 100 and b < 100, _values(*"abc")),
    Problem("two of three", _numbers(*"abc"), lambda a, b, c: (a > 90) + (b > 90) + (c > 90) < 2, _values(*"abc")),
    Problem("bits", _numbers("a", "b"), lambda a, b: not a & 4 or a & b == 128, _values("a", "b")),
    Problem("list length", {"xs": LISTS, **_numbers("n")}, lambda xs, n: len(xs) < 2, LIST_VALUES | _values("n")),
    Problem("first of list", {"xs": LISTS}, lambda xs: len(xs) < 3 or xs[0] < 5, LIST_VALUES),
    Problem("last of list", {"xs": LISTS, **_numbers("n")}, lambda xs, n: not xs or xs[-1] < 3 or n < 5, LIST_VALUES | _values("n")),
    Problem("equal ends", {"xs": LISTS}, lambda xs: len(xs) < 3 or xs[0] != xs[-1], LIST_VALUES),
    Problem("number in list", {"xs": LISTS, "n": gen.integers(0, 9)}, lambda xs, n: n not in xs, LIST_VALUES | {"n": DIGITS}),
    Problem("field", {"item": ITEM_GEN, **_numbers("n")}, lambda item, n: item.count < 4, ITEM_VALUES | _values("n")),
    Problem("other field", {"item": ITEM_GEN}, lambda item: len(item.name) < 2 or item.count == 9, ITEM_VALUES),
    Problem("letter", {"item": ITEM_GEN}, lambda item: "b" not in item.name, ITEM_VALUES),
    Problem("flag", {"flag": gen.booleans(), **_numbers("a", "b")}, lambda flag, a, b: not flag or a < 30, {"flag": [False, True]} | _values("a", "b")),
    Problem("flag chooses", {"flag": gen.booleans(), **_numbers("a", "b")}, lambda flag, a, b: (a if flag else b) < 40, {"flag": [False, True]} | _values("a", "b")),
    Problem("pair", {"pair": PAIR, **_numbers("n")}, lambda pair, n: pair[0] < 9 or n < pair[0], PAIR_VALUES | _values("n")),
    Problem("text", {"word": gen.text("abc", max_size=3), **_numbers("n")}, lambda word, n: n < 9 or word == "cab", {"word": WORDS, "n": SMALL}),
    Problem("choice", {"kind": gen.sampled_from("wxyz"), **_numbers("n")}, lambda kind, n: n < 60 or kind == "z", {"kind": "wxyz", "n": SMALL}),
    Problem("options", {"n": gen.one_of(gen.none(), gen.integers(0, 200)), **_numbers("m")}, lambda n, m: n is None or m < 50, {"n": [None, *SMALL], "m": SMALL}),
    Problem("sums", {"xs": LISTS}, lambda xs: sum(xs) < 12, LIST_VALUES),
)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description="Explained counterexamples, against all values.")
    parser.add_argument("--seeds", type=int, default=10, help="number of seeds (default 10)")
    options = parser.parse_args()
    totals = [0, 0, 0]
    print(f"{'problem':20} {'named':>6} {'wrong':>6} {'missed':>7}")
    for problem in PROBLEMS:
        found = [judged(problem, seed) for seed in range(options.seeds)]
        row = [sum(len(each[i]) for each in found) for i in range(3)]
        totals = [a + b for a, b in zip(totals, row, strict=True)]
        details = "; ".join(sorted({str(each[1:]) for each in found if each[1] or each[2]})[:3])
        print(f"{problem.name:20} {row[0]:>6} {row[1]:>6} {row[2]:>7}  {details}")
    print(f"{'all':20} {totals[0]:>6} {totals[1]:>6} {totals[2]:>7}")


if __name__ == "__main__":
    main()
