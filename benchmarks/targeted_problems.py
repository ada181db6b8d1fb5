"""Our own problems for targeted search: three that mislead a search, and one that is smooth."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from everycase import gen, maximize


def two_peaks(point: tuple[int, int]) -> None:
    """A wide hill of height 50, and far away from it a steep one of height 100."""
    x, y = point
    height = max(50 - math.hypot(x - 800, y - 800) / 20, 100 - math.hypot(x - 150, y - 150))
    maximize(height)
    assert height < 97


def plateau(bits: list[bool]) -> None:
    """The royal road of Mitchell, Forrest and Holland: eight blocks of eight bits; only whole blocks are rewarded.

    Hill climbing that accepts ties and flips one bit per test is known to need 6,549 tests on average.
    """
    whole = sum(all(bits[i : i + 8]) for i in range(0, 64, 8))
    maximize(whole)
    assert whole < 8


WALLS = {(6, y) for y in range(-4, 5)} | {(x, 4) for x in range(2, 7)} | {(x, -4) for x in range(2, 7)}


def maze(moves: list[int]) -> None:
    """The goal is to the east, and the direct path towards it ends in a pocket."""
    x = y = 0
    for move in moves:
        dx, dy = ((1, 0), (0, 1), (-1, 0), (0, -1))[move]
        if (x + dx, y + dy) not in WALLS and abs(x + dx) <= 12 and abs(y + dy) <= 12:
            x, y = x + dx, y + dy
    maximize(-abs(x - 10) - abs(y))
    assert (x, y) != (10, 0)


Problem = tuple[Callable[[Any], None], gen.Gen[Any]]

DECEPTIVE: dict[str, Problem] = {
    "two peaks": (two_peaks, gen.tuples(gen.integers(0, 1000), gen.integers(0, 1000))),
    "plateau": (plateau, gen.lists(gen.booleans(), min_size=64, max_size=64)),
    "maze": (maze, gen.lists(gen.integers(0, 3), max_size=60)),
}

HIDDEN, LIMIT = (123_456, -654_321, 314_159), 10**6
THREE_INTEGERS = gen.tuples(*[gen.integers(-LIMIT, LIMIT)] * 3)


def off(values: tuple[int, ...]) -> int:
    return sum((value - goal) ** 2 for value, goal in zip(values, HIDDEN))


def near_constants(values: tuple[int, int, int]) -> None:
    """Three integers near hidden constants; the utility is the sum of their squared distances."""
    maximize(-off(values))
    assert off(values) > 100
