"""A third set of problems for the shrinking benchmark, written before any move was changed for the second set, and run
once after that.
"""

from __future__ import annotations

import datetime
from fractions import Fraction
from typing import Any

from shrinking_sets.problems import Problem


def _graphs(g: Any) -> Any:
    return g.integers(2, 8).flatmap(
        lambda n: g.lists(g.tuples(g.integers(0, n - 1), g.integers(0, n - 1)), max_size=15)
    )


def _has_cycle(edges: list[tuple[int, int]]) -> bool:
    """Whether a path along the edges returns to its start, ignoring edges from a node to itself."""
    reached = {(a, b) for a, b in edges if a != b}
    while True:
        more = {(a, d) for a, b in reached for c, d in reached if b == c} - reached
        if not more:
            return any(a == b for a, b in reached)
        reached |= more


def _expressions(g: Any) -> Any:
    return g.recursive(
        g.integers(0, 20),
        lambda inner: g.tuples(g.sampled_from(["+", "-", "*"]), inner, inner),
        max_leaves=12,
    )


def _value(expression: Any) -> int:
    if isinstance(expression, int):
        return expression
    operator, left, right = expression
    a, b = _value(left), _value(right)
    return a + b if operator == "+" else a - b if operator == "-" else a * b


def _orders(g: Any) -> Any:
    item = g.fixed_dictionaries(
        {"name": g.text("abc", min_size=1), "count": g.integers(1, 99), "price": g.integers(0, 500)}
    )
    return g.lists(item)


def _windows(g: Any) -> Any:
    def made(draw: Any) -> tuple[list[int], int]:
        xs = draw(g.lists(g.integers(-50, 50), min_size=1))
        return xs, draw(g.integers(1, len(xs)))

    return g.composite(made)()


THIRD = (
    Problem("cycle of two", _graphs, _has_cycle, ([(0, 1), (1, 0)],)),
    Problem("negative expression", _expressions, lambda e: _value(e) < 0, (("-", 0, 1),)),
    Problem(
        "dear order",
        _orders,
        lambda order: sum(i["count"] * i["price"] for i in order) > 1000,
        ([{"name": "a", "count": 3, "price": 334}], [{"name": "a", "count": 99, "price": 11}]),
    ),
    Problem(
        "window of seven",
        _windows,
        lambda pair: pair[1] >= 2 and sum(pair[0][: pair[1]]) >= 7,
        (([0, 7], 2),),
    ),
    Problem(
        "longest word",
        lambda g: g.lists(g.text("ab ", max_size=30)),
        lambda lines: max((len(word) for line in lines for word in line.split()), default=0) > 4,
        (["aaaaa"],),
    ),
    Problem(
        "interval contains",
        lambda g: g.tuples(g.integers(), g.integers(), g.integers()),
        lambda t: t[0] < t[1] < t[2],
        ((0, 1, 2),),
    ),
    Problem(
        "unlike signs",
        lambda g: g.lists(g.floats(-100, 100), min_size=2),
        lambda xs: min(xs) < 0 < max(xs),
        ([1.0, -1.0], [-1.0, 1.0]),
    ),
    Problem(
        "fraction above a half",
        lambda g: g.fractions(0, 1, max_denominator=50),
        lambda f: Fraction(1, 2) < f < 1,
        (Fraction(2, 3),),
    ),
    Problem(
        "later the same day",
        lambda g: g.tuples(g.datetimes(), g.datetimes()),
        lambda t: t[0].date() != t[1].date() and t[0].time() > t[1].time(),
        (
            (datetime.datetime(2000, 1, 1, 0, 0, 0, 1), datetime.datetime(2000, 1, 2)),
            (datetime.datetime(2000, 1, 1, 0, 0, 1), datetime.datetime(2000, 1, 2)),
            (datetime.datetime(2000, 1, 1, 1), datetime.datetime(2000, 1, 2)),
            (datetime.datetime(2000, 1, 2, 1), datetime.datetime(2000, 1, 1)),
            (datetime.datetime(2000, 1, 2, 0, 0, 1), datetime.datetime(2000, 1, 1)),
            (datetime.datetime(2000, 1, 2, 0, 0, 0, 1), datetime.datetime(2000, 1, 1)),
        ),
    ),
    Problem(
        "three of a kind",
        lambda g: g.lists(g.integers(0, 100)),
        lambda xs: any(xs.count(x) > 2 for x in xs),
        ([0, 0, 0],),
    ),
    Problem(
        "subset",
        lambda g: g.tuples(g.sets(g.integers(0, 30)), g.sets(g.integers(0, 30))),
        lambda t: bool(t[0]) and t[0] < t[1],
        (({0}, {0, 1}),),
    ),
    Problem(
        "value in two places",
        lambda g: g.dictionaries(g.integers(0, 20), g.lists(g.integers(0, 50), max_size=4)),
        lambda d: sum(7 in xs for xs in d.values()) > 1,
        ({0: [7], 1: [7]},),
    ),
    Problem(
        "wide tree",
        lambda g: g.recursive(g.booleans(), lambda inner: g.lists(inner, max_size=5), max_leaves=20),
        lambda tree: isinstance(tree, list) and len(tree) > 2 and any(isinstance(x, list) for x in tree),
        ([False, False, []],),
    ),
    Problem(
        "odd bytes",
        lambda g: g.binary(max_size=40),
        lambda b: sum(x % 2 for x in b) > 3,
        (b"\x01\x01\x01\x01",),
    ),
)
