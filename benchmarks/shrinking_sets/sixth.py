"""A sixth set of problems for the shrinking benchmark. Nothing was tuned on it."""

from __future__ import annotations

import datetime
import itertools
from typing import Any

from shrinking_sets.problems import Problem


def _roman(n: int) -> str:
    signs = {1000: "M", 900: "CM", 500: "D", 400: "CD", 100: "C", 90: "XC", 50: "L", 40: "XL"}
    told = ""
    for value, sign in (signs | {10: "X", 9: "IX", 5: "V", 4: "IV", 1: "I"}).items():
        told += sign * (n // value)
        n %= value
    return told


def _is_nested(word: str) -> bool:
    """Whether brackets match, with a square bracket inside a round one."""
    still, inside = [], False
    for letter in word:
        if letter in "([":
            inside = inside or (letter == "[" and "(" in still)
            still.append(letter)
        elif not still or still.pop() + letter not in ("()", "[]"):
            return False
    return inside and not still


def _meetings(g: Any) -> Any:
    return g.lists(g.tuples(g.integers(0, 48), g.integers(0, 12)), max_size=10)


def _needs_three_rooms(meetings: list[tuple[int, int]]) -> bool:
    return any(
        sum(start <= moment < start + length for start, length in meetings) >= 3 for moment in range(61)
    )


def _documents(g: Any) -> Any:
    scalars = g.one_of(g.none(), g.booleans(), g.integers(0, 9))
    return g.recursive(
        scalars,
        lambda inner: g.one_of(
            g.lists(inner, max_size=3), g.dictionaries(g.sampled_from("kv"), inner, max_size=2)
        ),
        max_leaves=8,
    )


def _hides_true(document: Any, depth: int = 0) -> bool:
    if isinstance(document, list):
        return any(_hides_true(each, depth + 1) for each in document)
    if isinstance(document, dict):
        return any(_hides_true(each, depth + 1) for each in document.values())
    return document is True and depth >= 2


def _has_run_and_both(word: str) -> bool:
    longest = max((len(list(run)) for _, run in itertools.groupby(word)), default=0)
    return longest >= 4 and len(set(word)) == 2


def _sells_twice(steps: list[str]) -> bool:
    credit = sold = 0
    for step in steps:
        if step != "buy":
            credit += int(step)
        elif credit >= 3:
            credit -= 3
            sold += 1
    return sold >= 2


def _tables(g: Any) -> Any:
    def made(draw: Any) -> list[list[str]]:
        width = draw(g.integers(1, 4))
        row = g.lists(g.text("ab", max_size=3), min_size=width, max_size=width)
        return draw(g.lists(row, max_size=6))

    return g.composite(made)()


def _has_equal_rows(table: list[list[str]]) -> bool:
    return any(any(row) and row == other for row, other in itertools.combinations(table, 2))


def _is_scalene(sides: tuple[int, int, int]) -> bool:
    return len(set(sides)) == 3 and 2 * max(sides) < sum(sides) and sum(sides) > 20


def _inversions(order: list[int]) -> int:
    return sum(a > b for a, b in itertools.combinations(order, 2))


SIXTH = (
    Problem("long roman number", lambda g: g.integers(1, 3999), lambda n: len(_roman(n)) >= 6, (28,)),
    Problem(
        "scalene triangle",
        lambda g: g.tuples(g.integers(1, 100), g.integers(1, 100), g.integers(1, 100)),
        _is_scalene,
        ((2, 9, 10),),
    ),
    Problem("nested brackets", lambda g: g.text("([])", max_size=8), _is_nested, ("([])",)),
    Problem(
        "two sum",
        lambda g: g.tuples(g.lists(g.integers(0, 50), max_size=10), g.integers(0, 100)),
        lambda p: p[1] > 10 and any(a + b == p[1] for a, b in itertools.combinations(p[0], 2)),
        (([0, 11], 11),),
    ),
    Problem("three rooms", _meetings, _needs_three_rooms, ([(0, 1), (0, 1), (0, 1)],)),
    Problem(
        "inversions",
        lambda g: g.permutations(range(6)),
        lambda order: _inversions(list(order)) >= 3,
        ([0, 1, 2, 5, 4, 3],),
    ),
    Problem(
        "broken number",
        lambda g: g.floats(0, 1000),
        lambda x: x > 10 and x != int(x),
        (10.5,),
    ),
    Problem(
        "sets that differ",
        lambda g: g.tuples(g.sets(g.integers(0, 30), max_size=8), g.sets(g.integers(0, 30), max_size=8)),
        lambda p: len(p[0] ^ p[1]) >= 3 and bool(p[0] & p[1]),
        (({0}, {0, 1, 2, 3}),),
    ),
    Problem("hidden truth", _documents, _hides_true, ([[True]],)),
    Problem("run of letters", lambda g: g.text("ab", max_size=30), _has_run_and_both, ("aaaab",)),
    Problem(
        "more than a year",
        lambda g: g.tuples(g.dates(), g.dates()),
        lambda p: (p[1] - p[0]).days > 365,
        ((datetime.date(2000, 1, 1), datetime.date(2001, 1, 1)),),
    ),
    Problem(
        "vending machine",
        lambda g: g.lists(g.sampled_from(["1", "2", "5", "buy"]), max_size=20),
        _sells_twice,
        (["1", "5", "buy", "buy"],),
    ),
    Problem(
        "three bits apart",
        lambda g: g.tuples(g.integers(0, 1023), g.integers(0, 1023)),
        lambda p: p[0] < p[1] and (p[0] ^ p[1]).bit_count() == 3,
        ((0, 7),),
    ),
    Problem("equal rows", _tables, _has_equal_rows, ([["a"], ["a"]],)),
)
