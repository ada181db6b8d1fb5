"""An eighth set of problems for the shrinking benchmark. After it was run, its problems with numbers of which one in
ten passes, and with numbers on both sides of zero, were looked at.
"""

from __future__ import annotations

import datetime
import itertools
from decimal import Decimal
from typing import Any

from shrinking_sets.problems import Problem


def _is_late(jobs: list[tuple[int, int]]) -> bool:
    """Whether jobs of these lengths, done in order, miss a deadline by more than five."""
    clock = 0
    for length, deadline in jobs:
        clock += length
        if clock > deadline + 5:
            return True
    return False


def _leaks(steps: list[str]) -> bool:
    opened = 0
    for step in steps:
        if step == "open":
            opened += 1
        elif step == "close":
            opened = max(0, opened - 1)
    return opened >= 2 and "close" in steps


def _words(g: Any) -> Any:
    return g.lists(g.text("abc", min_size=1, max_size=5), max_size=8)


def _collide(words: list[str]) -> bool:
    """Whether two different words have the same sum of letters."""
    sums: dict[int, str] = {}
    return any(sums.setdefault(sum(map(ord, word)), word) != word for word in words)


def _trees(g: Any) -> Any:
    return g.recursive(g.integers(0, 9), lambda inner: g.lists(inner, min_size=1, max_size=3), max_leaves=12)


def _sum_at_depth_two(tree: Any, depth: int = 0) -> int:
    if isinstance(tree, int):
        return tree if depth >= 2 else 0
    return sum(_sum_at_depth_two(branch, depth + 1) for branch in tree)


EIGHTH = (
    Problem(
        "late job",
        lambda g: g.lists(g.tuples(g.integers(1, 20), g.integers(0, 50)), max_size=8),
        _is_late,
        ([(6, 0)],),
    ),
    Problem(
        "leak",
        lambda g: g.lists(g.sampled_from(["read", "open", "close"]), max_size=15),
        _leaks,
        (["close", "open", "open"],),
    ),
    Problem("colliding words", _words, _collide, (["b", "aa"], ["ab", "ba"], ["ac", "bb"])),
    Problem("deep sum", _trees, lambda tree: _sum_at_depth_two(tree) > 9, ([[1, 9]],)),
    Problem(
        "days until",
        lambda g: g.tuples(g.dates(), g.integers(0, 100)),
        lambda p: p[0] < datetime.date(9000, 1, 1) and (p[0] + datetime.timedelta(p[1])).month != p[0].month,
        ((datetime.date(2000, 1, 1), 31),),
    ),
    Problem(
        "range of a slice",
        lambda g: g.tuples(g.text("xyz", max_size=12), g.integers(-15, 15), g.integers(-15, 15)),
        lambda p: p[1] < 0 < p[2] and len(p[0][p[1] : p[2]]) >= 2,
        (("xx", -2, 2),),
    ),
    Problem(
        "unequal shares",
        lambda g: g.lists(g.integers(0, 100), min_size=2, max_size=6),
        lambda parts: sum(parts) % len(parts) != 0 and max(parts) - min(parts) > 12,
        ([0, 13],),
    ),
    Problem(
        "third decimal",
        lambda g: g.decimals(Decimal(0), Decimal(100), places=3),
        lambda d: d > 2 and (d * 1000) % 10 != 0,
        (Decimal("2.001"),),
    ),
    Problem(
        "opposite vectors",
        lambda g: g.tuples(*[g.tuples(g.integers(-50, 50), g.integers(-50, 50))] * 2),
        lambda p: p[0][0] * p[1][0] + p[0][1] * p[1][1] < -20,
        (((0, 1), (0, -21)), ((0, 21), (0, -1)), ((0, 3), (0, -7))),
    ),
    Problem(
        "keys that differ by case",
        lambda g: g.dictionaries(g.text("aAbB", max_size=3), g.booleans(), max_size=6),
        lambda d: len({key.lower() for key in d}) < len(d),
        ({"a": False, "A": False},),
    ),
    Problem(
        "three in a window",
        lambda g: g.lists(g.integers(0, 1000), max_size=15),
        lambda times: any(
            max(three) - min(three) <= 10
            for three in itertools.combinations(sorted(times), 3)
            if min(three) > 100
        ),
        ([101, 101, 101],),
    ),
    Problem(
        "long and short",
        lambda g: g.tuples(g.binary(max_size=30), g.binary(max_size=30)),
        lambda p: len(p[0]) > 2 * len(p[1]) and bool(p[1]) and p[0][0] == p[1][0] != 0,
        ((b"\x01\x00\x00", b"\x01"),),
    ),
)
