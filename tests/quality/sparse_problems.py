"""Shrinking under preconditions: problems with their minimum, all written before the moves were tuned on ``FIRST``.

``python tests/quality/sparse_problems.py`` prints for each problem in how many of 20 seeds the minimum is reached, and
the median number of calls, next to the calls for the same problem without the precondition.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import Any, NamedTuple

from everycase import gen
from everycase.choices.shrink.shrinker import shrink
from everycase.choices.trace import Trace


@dataclass
class Interval:
    low: int
    high: int


class Problem(NamedTuple):
    """Inputs, their precondition, when the test fails, and the simplest input that is valid and fails."""

    inputs: gen.Gen[Any]
    valid: Callable[[Any], bool]
    fails: Callable[[Any], bool]
    minimum: Any


def _prime(n: int) -> bool:
    return n > 1 and all(n % d for d in range(2, int(n**0.5) + 1))


MILLION = gen.integers(0, 10**6)
SMALL = gen.integers(0, 10**4)
PAIRS = gen.tuples(SMALL, SMALL)
LISTS = gen.lists(gen.integers(0, 100), max_size=20)

FIRST = {
    "n % 10 == 7": Problem(MILLION, lambda n: n % 10 == 7, lambda n: n >= 500_000, 500_007),
    "n % 7 == 3": Problem(MILLION, lambda n: n % 7 == 3, lambda n: n >= 1000, 1004),
    "n % 2": Problem(MILLION, lambda n: n % 2 == 0, lambda n: n >= 1001, 1002),
    "n % 100 == 1": Problem(MILLION, lambda n: n % 100 == 1, lambda n: n >= 12_345, 12_401),
    "n % 3 == 1, no bounds": Problem(gen.integers(), lambda n: n % 3 == 1, lambda n: n >= 500, 502),
    "(x + y) % 5": Problem(PAIRS, lambda p: sum(p) % 5 == 0, lambda p: sum(p) >= 1000, (0, 1000)),
    "(x + y) % 12 == 5": Problem(PAIRS, lambda p: sum(p) % 12 == 5, lambda p: p[1] >= 100, (0, 101)),
    "two remainders": Problem(
        PAIRS, lambda p: p[0] % 4 == 1 and p[1] % 6 == 2, lambda p: sum(p) >= 300, (1, 302)
    ),
    "same remainder": Problem(PAIRS, lambda p: p[0] % 9 == p[1] % 9, lambda p: p[0] >= 100, (100, 1)),
    "product": Problem(PAIRS, lambda p: p[0] * p[1] % 6 == 0, lambda p: min(p) >= 10, (10, 12)),
    "prime": Problem(MILLION, _prime, lambda n: n >= 1000, 1009),
    "sorted": Problem(
        LISTS, lambda xs: xs == sorted(xs), lambda xs: len(xs) >= 3 and xs[-1] > 50, [0, 0, 51]
    ),
    "length % 3": Problem(LISTS, lambda xs: len(xs) % 3 == 0, lambda xs: len(xs) >= 4, [0] * 6),
    "sum % 10": Problem(LISTS, lambda xs: sum(xs) % 10 == 0, lambda xs: sum(xs) >= 50, [50]),
    "interval": Problem(
        gen.builds(Interval, SMALL, SMALL),
        lambda i: i.low < i.high,
        lambda i: i.high >= 100,
        Interval(0, 100),
    ),
    "dependent fields": Problem(
        gen.builds(Interval, gen.integers(0, 200), gen.integers(0, 200)),
        lambda i: (i.high - i.low) % 8 == 3,
        lambda i: i.low >= 37,
        Interval(37, 0),
    ),
}

#: Run once, when the moves were finished.
HELD_OUT = {
    "n % 13 == 5": Problem(gen.integers(0, 10**5), lambda n: n % 13 == 5, lambda n: n >= 20_000, 20_012),
    "n % 60 == 59": Problem(MILLION, lambda n: n % 60 == 59, lambda n: n >= 70_000, 70_019),
    "n % 17 == 0": Problem(MILLION, lambda n: n % 17 == 0, lambda n: n >= 4000, 4012),
    "digits": Problem(MILLION, lambda n: sum(map(int, str(n))) % 9 == 4, lambda n: n >= 2000, 2002),
    "x - 2 * y": Problem(PAIRS, lambda p: (p[0] - 2 * p[1]) % 7 == 1, lambda p: sum(p) >= 500, (0, 500)),
    "three": Problem(
        gen.tuples(SMALL, SMALL, SMALL), lambda t: sum(t) % 11 == 0, lambda t: t[2] >= 50, (0, 0, 55)
    ),
    "even length": Problem(
        gen.text("ab", max_size=30), lambda t: len(t) % 2 == 0, lambda t: len(t) >= 5, "a" * 6
    ),
    "ascending pairs": Problem(PAIRS, lambda p: p[0] < p[1] and p[1] % 4 == 0, lambda p: p[1] >= 90, (0, 92)),
}


def shrunk(problem: Problem, seed: int, assuming: bool) -> tuple[Any, int]:
    """The result of shrinking, and the number of calls."""
    number = seed * 1000
    while True:
        start = problem.inputs.record(number)
        if problem.fails(start.value) and problem.valid(start.value):
            break
        number += 1

    def still_fails(trace: Trace[Any]) -> bool | None:
        if assuming and not problem.valid(trace.value):
            return None
        return problem.fails(trace.value)

    result = shrink(start, still_fails)
    return result.trace.value, result.calls


def main() -> None:
    for name, problem in {**FIRST, **(HELD_OUT if "--held-out" in sys.argv else {})}.items():
        results = [shrunk(problem, seed, True) for seed in range(20)]
        hit = sum(value == problem.minimum for value, _ in results)
        calls = median(calls for _, calls in results)
        free = median(shrunk(problem, seed, False)[1] for seed in range(20))
        other = (
            "" if hit == 20 else next(f"  e.g. {value}" for value, _ in results if value != problem.minimum)
        )
        print(
            f"{name:24} {hit:2}/20  {calls:6.0f} calls, without {free:4.0f}, ratio {calls / free:.1f}{other}"
        )


if __name__ == "__main__":
    main()
