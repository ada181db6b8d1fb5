"""How many examples a Hypothesis test with ``target`` needs to fail: with Hypothesis' own search, and with ours.

The constants that the tests look for are computed, so no search can read them from the source. Each cell is the median
over several seeds. A seed that finds nothing counts with the whole budget. ::

    python benchmarks/backend.py [SEEDS]
"""

from __future__ import annotations

import contextlib
import itertools
import random
import statistics
import sys
from collections.abc import Callable
from typing import Any

import hypothesis
import hypothesis.strategies as st
from hypothesis import HealthCheck, Phase, given, settings, target

from everycase.bridges.hypothesis import entry

BUDGET = 1500
_DICE = random.Random(12)
FAR, NEAR = _DICE.randrange(10**5, 10**6), _DICE.randrange(10**3, 10**4)
POINT = _DICE.random() * 1000
WORD = "".join(_DICE.choice("abcdefgh") for _ in range(8))


def number(n: int) -> None:
    target(-float(abs(n - FAR)))
    assert n != FAR


def two_numbers(pair: tuple[int, int]) -> None:
    distance = abs(pair[0] - FAR) + abs(pair[1] - NEAR)
    target(-float(distance))
    assert distance > 5


def large_sum(xs: list[int]) -> None:
    target(float(sum(xs)))
    assert sum(xs) < 10**5


def letters(s: str) -> None:
    same = sum(a == b for a, b in zip(s, WORD))
    target(float(same))
    assert same < 6


def long_list(xs: list[bool]) -> None:
    target(float(len(xs)))
    assert len(xs) < 60


def real_number(x: float) -> None:
    target(-abs(x - POINT))
    assert abs(x - POINT) > 0.01


def flags(xs: list[bool]) -> None:
    target(float(sum(xs)))
    assert sum(xs) < 38


def depth(tree: Any) -> int:
    return 1 + max(map(depth, tree)) if isinstance(tree, tuple) else 0


def deep_tree(tree: Any) -> None:
    target(float(depth(tree)))
    assert depth(tree) < 12


def ascents(xs: list[int]) -> None:
    found = sum(a < b for a, b in itertools.pairwise(xs))
    target(float(found))
    assert found < 14


def dictionary(d: dict[int, int]) -> None:
    value = sum(d.values()) - sum(d)
    target(float(value))
    assert value < 5 * 10**4


PROBLEMS: list[tuple[Callable[[Any], None], Any]] = [
    (number, st.integers(0, 10**7)),
    (two_numbers, st.tuples(st.integers(0, 10**7), st.integers(0, 10**5))),
    (large_sum, st.lists(st.integers(0, 10**4))),
    (letters, st.text("abcdefgh", max_size=12)),
    (long_list, st.lists(st.booleans())),
    (real_number, st.floats(0, 10**6)),
    (flags, st.lists(st.booleans(), min_size=40, max_size=40)),
    (deep_tree, st.recursive(st.none(), lambda s: st.tuples(s, s), max_leaves=60)),
    (ascents, st.lists(st.integers(0, 1000), max_size=25)),
    (dictionary, st.dictionaries(st.integers(0, 1000), st.integers(0, 10**4))),
]


def needed(problem: Callable[[Any], None], strategy: Any, backend: str, seed: int) -> int:
    """The number of the first example that fails."""
    count = failed = 0

    def body(value: Any) -> None:
        nonlocal count, failed
        count += 1
        try:
            problem(value)
        except AssertionError:
            failed = failed or count
            raise

    options = settings(
        max_examples=BUDGET,
        database=None,
        deadline=None,
        backend=backend,
        phases=[Phase.generate, Phase.target],
        suppress_health_check=list(HealthCheck),
    )
    with contextlib.suppress(AssertionError):
        options(hypothesis.seed(seed)(given(strategy)(body)))()
    return failed or BUDGET


def main() -> None:
    entry.register()
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    won = 0
    print(
        f"{'problem':14} {'hypothesis':>10} {'everycase':>10}   (median of {seeds} seeds, at most {BUDGET:,})"
    )
    for problem, strategy in PROBLEMS:
        theirs, ours = (
            statistics.median(needed(problem, strategy, backend, seed) for seed in range(seeds))
            for backend in ("hypothesis", "everycase")
        )
        won += ours < theirs
        print(f"{problem.__name__:14} {theirs:10.0f} {ours:10.0f}", flush=True)
    print(f"fewer examples in {won} of {len(PROBLEMS)}")


if __name__ == "__main__":
    main()
