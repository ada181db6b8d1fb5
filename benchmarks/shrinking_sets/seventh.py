"""A seventh set of problems for the shrinking benchmark. The moves that shift several numbers by the same amount, and
the moves for dates with gaps, were made after it was run.
"""

from __future__ import annotations

import datetime
import itertools
import re
from collections import Counter
from fractions import Fraction
from typing import Any

from shrinking_sets.problems import Problem


def _longest_rise(numbers: list[int]) -> int:
    best: list[int] = []
    for k, n in enumerate(numbers):
        best.append(1 + max((best[j] for j in range(k) if numbers[j] < n), default=0))
    return max(best, default=0)


def _has_cycle(edges: set[tuple[int, int]]) -> bool:
    left = set(edges)
    while True:
        inner = {(a, b) for a, b in left if any(c == b for c, _ in left)}
        if inner == left:
            return bool(left)
        left = inner


def _overlap(bookings: list[tuple[str, int, int]]) -> bool:
    return any(
        a[0] == b[0] and a[1] < b[1] + b[2] and b[1] < a[1] + a[2]
        for a, b in itertools.combinations(bookings, 2)
        if a[2] and b[2]
    )


def _overdrawn(steps: list[tuple[str, int]]) -> bool:
    money = 0
    for kind, amount in steps:
        money += amount if kind == "put" else -amount
    return money < 0 and any(kind == "put" and amount > 5 for kind, amount in steps)


def _balance(tree: Any) -> int:
    """The depth of a pair of pairs, or -1 if it is lopsided."""
    if tree is None:
        return 0
    left, right = _balance(tree[0]), _balance(tree[1])
    return -1 if min(left, right) < 0 or abs(left - right) > 1 else 1 + max(left, right)


SEVENTH = (
    Problem(
        "rising run",
        lambda g: g.lists(g.integers()),
        lambda numbers: _longest_rise(numbers) >= 4,
        ([0, 1, 2, 3],),
    ),
    Problem(
        "cycle in a graph",
        lambda g: g.sets(g.tuples(g.integers(0, 6), g.integers(0, 6)), max_size=12),
        lambda edges: _has_cycle({(a, b) for a, b in edges if a != b}),
        ({(0, 1), (1, 0)},),
    ),
    Problem(
        "double booking",
        lambda g: g.lists(
            g.tuples(g.sampled_from(["red", "blue"]), g.integers(0, 23), g.integers(0, 5)), max_size=8
        ),
        _overlap,
        ([("red", 0, 1), ("red", 0, 1)],),
    ),
    Problem(
        "overdrawn",
        lambda g: g.lists(g.tuples(g.sampled_from(["put", "take"]), g.integers(0, 1000)), max_size=12),
        _overdrawn,
        ([("put", 6), ("take", 7)],),
    ),
    Problem(
        "version compare",
        lambda g: g.tuples(*[g.tuples(g.integers(0, 50), g.integers(0, 50), g.integers(0, 50))] * 2),
        lambda p: p[0] < p[1] and ".".join(map(str, p[0])) > ".".join(map(str, p[1])),
        (((0, 0, 2), (0, 0, 10)),),
    ),
    Problem(
        "e-mail of two words",
        lambda g: g.text("ab.@ ", max_size=15),
        lambda word: bool(re.fullmatch(r"[a-z]+(\.[a-z]+)+@[a-z]+", word)),
        ("a.a@a",),
    ),
    Problem(
        "same weekday",
        lambda g: g.tuples(g.dates(), g.dates()),
        lambda p: p[0] < p[1] and p[0].weekday() == p[1].weekday(),
        ((datetime.date(2000, 1, 1), datetime.date(2000, 1, 8)),),
    ),
    Problem(
        "lost cents",
        lambda g: g.tuples(g.integers(1, 100_000), g.integers(1, 12)),
        lambda p: p[0] // p[1] * p[1] != p[0] and p[0] > 100,
        ((101, 2),),
    ),
    Problem(
        "majority",
        lambda g: g.lists(g.sampled_from("abc"), max_size=20),
        lambda votes: len(votes) >= 5 and 2 * Counter(votes).most_common(1)[0][1] <= len(votes),
        (["a", "a", "b", "b", "c"],),
    ),
    Problem(
        "median is not mean",
        lambda g: g.lists(g.integers(0, 1000), min_size=3, max_size=9),
        lambda xs: len(xs) % 2 == 1 and abs(sorted(xs)[len(xs) // 2] - Fraction(sum(xs), len(xs))) > 10,
        ([0, 0, 31],),
    ),
    Problem(
        "window sum",
        lambda g: g.tuples(g.lists(g.integers(0, 20), max_size=20), g.integers(1, 5)),
        lambda p: any(sum(p[0][i : i + p[1]]) > 30 for i in range(len(p[0]) - p[1] + 1)),
        (([11, 20], 2),),
    ),
    Problem(
        "balanced tree",
        lambda g: g.recursive(g.none(), lambda inner: g.tuples(inner, inner), max_leaves=16),
        lambda tree: _balance(tree) >= 3,
        (((None, None), (None, (None, None))),),
    ),
    Problem(
        "anagrams",
        lambda g: g.tuples(g.text("abc", max_size=8), g.text("abc", max_size=8)),
        lambda p: len(p[0]) >= 3 and p[0] != p[1] and sorted(p[0]) == sorted(p[1]),
        (("aab", "aba"),),
    ),
    Problem(
        "nearly equal floats",
        lambda g: g.tuples(g.floats(0, 1e6), g.floats(0, 1e6)),
        lambda p: p[0] != p[1] and abs(p[0] - p[1]) <= 1 and p[0] > 7,
        ((8.0, 7.0),),
    ),
)
