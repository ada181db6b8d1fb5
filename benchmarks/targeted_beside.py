"""Bugs that have nothing to do with the goal of the test: how many seeds of a default run find them, with and without it.

Each test reports (or asserts) a number, and has a bug that ordinary random inputs show and the number does not lead to. A
search must not make the run blind to it. The first set was used while that was worked on, the second was run once.

    python benchmarks/targeted_beside.py            # the first set: without a goal, with maximize, with an assertion
    python benchmarks/targeted_beside.py --second
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from datetime import date, datetime
from typing import Any

from everycase import HealthCheck, check, gen, maximize, minimize

TESTS = 1000


class Bug(Exception):
    """The bug of the example."""


#: name, generators, the number that the test reports (larger is better), and whether the input shows the bug
Example = tuple[str, tuple[Any, ...], Callable[..., float], Callable[..., bool]]

FIRST: list[Example] = [
    (
        "NaN among floats",
        (gen.lists(gen.floats(), max_size=20),),
        lambda xs: len(xs),
        lambda xs: any(math.isnan(x) for x in xs),
    ),
    (
        "infinity as a limit",
        (gen.floats(), gen.integers(0, 10**6)),
        lambda x, n: n,
        lambda x, n: math.isinf(x) and x < 0,
    ),
    (
        "empty name",
        (gen.text(max_size=20), gen.text(max_size=20)),
        lambda a, b: len(a) + len(b),
        lambda a, b: not b,
    ),
    (
        "leap day",
        (gen.dates(date(1900, 1, 1), date(2100, 1, 1)), gen.integers(0, 1000)),
        lambda day, n: day.toordinal() + n,
        lambda day, n: day.month == 2 and day.day == 29,
    ),
    (
        "first element twice",
        (gen.lists(gen.integers(), min_size=1, max_size=20),),
        lambda xs: max(xs) if abs(max(xs)) < 10**300 else 0,
        lambda xs: xs[0] in xs[1:],
    ),
    (
        "zero divisor",
        (gen.integers(-(10**6), 10**6), gen.integers(-(10**6), 10**6)),
        lambda a, b: a + b,
        lambda a, b: b == 0,
    ),
    (
        "two negatives",
        (gen.integers(-1000, 1000), gen.integers(-1000, 1000), gen.integers(-1000, 1000)),
        lambda a, b, c: a + b + c,
        lambda a, b, c: a < -500 and b < -500 and c < -500,
    ),
    (
        "None in the middle",
        (gen.lists(gen.one_of(gen.none(), gen.integers(0, 100)), max_size=12),),
        lambda xs: sum(x or 0 for x in xs),
        lambda xs: len(xs) > 2 and xs[len(xs) // 2] is None and xs[0] is None,
    ),
    (
        "keys that differ by case",
        (gen.dictionaries(gen.text("abAB", min_size=1, max_size=3), gen.integers(0, 9), max_size=5),),
        lambda d: sum(d.values()),
        lambda d: len({k.lower() for k in d}) < len(d) and "a" in {k.lower() for k in d},
    ),
    (
        "letter that grows in upper case",
        (gen.text(max_size=30),),
        lambda s: s.count("a") - s.count("b"),
        lambda s: len(s.upper()) != len(s),
    ),
    (
        "long list",
        (gen.lists(gen.booleans()),),
        lambda xs: -abs(sum(xs) - 3) - len(xs) / 100,
        lambda xs: len(xs) > 40,
    ),
    (
        "the same thing twice",
        (gen.text("abcdefgh", max_size=12), gen.text("abcdefgh", max_size=12)),
        lambda a, b: len(a) - len(b),
        lambda a, b: len(a) > 2 and a == b,
    ),
]

SECOND: list[Example] = [
    (
        "minus zero",
        (gen.floats(), gen.lists(gen.integers(0, 9), max_size=10)),
        lambda x, xs: sum(xs),
        lambda x, xs: x == 0 and math.copysign(1, x) < 0,
    ),
    (
        "midnight",
        (gen.datetimes(datetime(2000, 1, 1), datetime(2030, 1, 1)), gen.integers(1, 500)),
        lambda when, n: when.year * n,
        lambda when, n: when.hour == when.minute == when.second == 0,
    ),
    (
        "huge integer",
        (gen.integers(), gen.integers(0, 100)),
        lambda n, k: -abs(k - 50) - min(abs(n), 1000),
        lambda n, k: abs(n) >= 2**63,
    ),
    (
        "empty inner list",
        (gen.lists(gen.lists(gen.integers(0, 50), max_size=6), max_size=6),),
        lambda xss: sum(map(sum, xss)),
        lambda xss: len(xss) >= 2 and not xss[-1] and not xss[0],
    ),
    (
        "only spaces",
        (gen.text(" ab", max_size=6), gen.integers(0, 100)),
        lambda s, n: n + s.count("a"),
        lambda s, n: len(s) >= 2 and s.isspace() and n < 50,
    ),
    (
        "element is its own index",
        (gen.lists(gen.integers(0, 100), max_size=30),),
        lambda xs: sum(xs),
        lambda xs: len(xs) > 3 and xs[3] == 3,
    ),
    (
        "smallest flag with an empty set",
        (gen.sets(gen.integers(0, 20)), gen.sampled_from(["red", "green", "blue", "none"])),
        lambda s, flag: len(s),
        lambda s, flag: not s and flag == "none",
    ),
    (
        "not of the first plane",
        (gen.text(max_size=20), gen.text(max_size=20)),
        lambda a, b: len(set(a) & set("xyz")),
        lambda a, b: bool(b) and ord(b[0]) > 0xFFFF,
    ),
]


def finds(example: Example, seed: int, goal: str) -> bool:
    _, gens, number, shows = example

    def test(*values: Any) -> None:
        worth = number(*values)
        if goal == "maximize":
            maximize(worth)
        elif goal == "minimize":
            minimize(-worth)
        if shows(*values):
            raise Bug

    def asserting(*values: Any) -> None:
        worth = number(*values)
        assert worth < 1e15, "not in this example"
        if shows(*values):
            raise Bug

    report = check(
        asserting if goal == "assert" else test,
        *gens,
        max_examples=TESTS,
        seed=seed,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    return any(isinstance(failure.error, Bug) for failure in report.failures)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--second", action="store_true")
    parser.add_argument("--seeds", type=int, default=10)
    arguments = parser.parse_args()
    goals = ["", "maximize", "assert"]
    print(f"{'bug':34}{'no goal':>10}{'maximize':>10}{'assert':>10}   (of {arguments.seeds} seeds)")
    total = [0, 0, 0]
    for example in SECOND if arguments.second else FIRST:
        found = [sum(finds(example, seed, goal) for seed in range(arguments.seeds)) for goal in goals]
        total = [a + b for a, b in zip(total, found)]
        print(f"{example[0]:34}" + "".join(f"{n:>10}" for n in found), flush=True)
    print(f"{'all':34}" + "".join(f"{n:>10}" for n in total))


if __name__ == "__main__":
    main()
