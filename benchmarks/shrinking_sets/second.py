"""A second set of problems for the shrinking benchmark, written after the moves of the shrinker. Later, the order in
which pairs of numbers are tried was changed with it in view.
"""

from __future__ import annotations

import datetime
from collections import defaultdict
from typing import Any

from shrinking_sets.problems import Problem


def _two_values(pairs: list[tuple[int, str]]) -> bool:
    values: dict[int, set[str]] = defaultdict(set)
    for key, value in pairs:
        values[key].add(value)
    return any(len(found) > 1 for found in values.values())


def _matrices(g: Any) -> Any:
    return g.integers(1, 4).flatmap(
        lambda n: g.lists(g.lists(g.integers(0, 9), min_size=n, max_size=n), min_size=n, max_size=n)
    )


def _nested(g: Any) -> Any:
    nested: Any = g.deferred(lambda: g.lists(nested, max_size=3))
    return nested


def _depth(value: list[Any]) -> int:
    return 1 + max(map(_depth, value), default=0)


def _ranges(g: Any) -> Any:
    def made(draw: Any) -> tuple[int, int]:
        low = draw(g.integers(0, 1000))
        return low, draw(g.integers(low, 1000))

    return g.composite(made)()


SECOND = (
    Problem("no palindrome", lambda g: g.text("ab"), lambda t: t != t[::-1], ("ab",)),
    Problem(
        "key with two values",
        lambda g: g.lists(g.tuples(g.integers(0, 50), g.text("xy"))),
        _two_values,
        ([(0, ""), (0, "x")],),
    ),
    Problem(
        "not symmetric",
        _matrices,
        lambda m: any(m[i][j] != m[j][i] for i in range(len(m)) for j in range(i)),
        ([[0, 0], [1, 0]],),
    ),
    Problem(
        "two large numbers",
        lambda g: g.lists(g.integers(0, 1000)),
        lambda xs: sum(x > 100 for x in xs) > 1,
        ([101, 101],),
    ),
    Problem(
        "values of a dictionary",
        lambda g: g.dictionaries(g.text("ab", min_size=1), g.integers(0, 100)),
        lambda d: sum(d.values()) > 150,
        ({"a": 51, "b": 100}, {"a": 100, "b": 51}),
    ),
    Problem(
        "large float",
        lambda g: g.floats(allow_nan=False, allow_infinity=False),
        lambda x: x > 1000.5,
        (1001.0,),
    ),
    Problem("nested four deep", _nested, lambda value: _depth(value) > 3, ([[[[]]]],)),
    Problem(
        "unsorted triple",
        lambda g: g.lists(g.integers(), min_size=3, max_size=3),
        lambda xs: xs != sorted(xs),
        ([0, 0, -1], [0, 1, 0], [1, 0, 0]),
    ),
    Problem(
        "capital and digit",
        lambda g: g.text("aA0"),
        lambda t: any(c.isupper() for c in t) and any(c.isdigit() for c in t),
        ("A0", "0A"),
    ),
    Problem("high first byte", lambda g: g.binary(), lambda b: len(b) > 3 and b[0] > 127, (b"\x80\0\0\0",)),
    Problem(
        "leap day",
        lambda g: g.dates(),
        lambda d: (d.month, d.day) == (2, 29),
        (datetime.date(2000, 2, 29),),
    ),
    Problem("wide range", _ranges, lambda pair: pair[1] - pair[0] > 9, ((0, 10),)),
    Problem(
        "all three letters",
        lambda g: g.lists(g.sampled_from("abc")),
        lambda xs: len(set(xs)) == 3,
        (["a", "b", "c"],),
    ),
    Problem(
        "mostly true",
        lambda g: g.lists(g.booleans(), min_size=5),
        lambda xs: sum(xs) > 3,
        ([False, True, True, True, True],),
    ),
    Problem(
        "both given",
        lambda g: g.tuples(g.one_of(g.none(), g.integers()), g.one_of(g.none(), g.text())),
        lambda pair: None not in pair,
        ((0, ""),),
    ),
)
