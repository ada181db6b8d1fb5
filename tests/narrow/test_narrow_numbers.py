"""Undecided integers behave like integers, including shifted ones."""

from __future__ import annotations

import copy
import math
import operator
import random
import sys
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from types import FrameType
from typing import Any

import pytest

from everycase import check, gen, given
from everycase.narrow import Narrowing, Shuffled

OPERATIONS: dict[str, Callable[[int, int], object]] = {
    "negative": lambda a, b: -a == b,
    "positive": lambda a, b: +a == b,
    "absolute": lambda a, b: abs(a) == b,
    "inverted": lambda a, b: ~a == b,
    "rounded": lambda a, b: round(a) == b and round(a, -1) == 0,
    "rounding functions": lambda a, b: math.floor(a) == math.ceil(a) == math.trunc(a) == b,
    "power": lambda a, b: pow(a, 2, 5) == b and a**2 < 5,
    "quotient and rest": lambda a, b: divmod(a, 2) == (b, 1),
    "from the left": lambda a, b: 2 * a == b and 3 - a > 0,
    "bits": lambda a, b: (a & 1) == b or (1 << abs(a)) == b,
    "text": lambda a, b: f"{a:>2}" == f"{b:2d}" and repr(a) == str(b),
    "float": lambda a, b: float(a) == b / 2,
    "hash": lambda a, b: hash(a) in {b},
    "truth": lambda a, b: bool(a) != bool(b),
    "methods": lambda a, b: a.bit_length() == b and a.real == a,
    "copies": lambda a, b: copy.copy(a) == copy.deepcopy(b),
    "no other attributes": lambda a, b: (
        not any(hasattr(a, name) for name in ("cell", "shift", "lo", "hi", "key")) and a < b
    ),
    "two of them": lambda a, b: a < b + 1 and b - 1 <= a and not a + 2 > b + 3,
    "the same one": lambda a, b: a + 1 > a and a <= a and a - 1 != a and b == b + 0,
}


@pytest.mark.parametrize("moved", [0, 1, -2])
@pytest.mark.parametrize("name", OPERATIONS)
def test_operations_as_on_decided_integers(name: str, moved: int) -> None:
    operation = OPERATIONS[name]

    def holds(a: int, b: int) -> object:
        return operation(a + moved, moved + b)

    small = gen.integers(-4, 4)
    search = Narrowing([small, small], [(holds, (0, 1))])
    found = {one.args for one in search.search(0)}
    assert found == {(a, b) for a in range(-4, 5) for b in range(-4, 5) if holds(a, b)}
    assert search.statistics.raised == 0


def comparisons(search: Iterator[Any]) -> int:
    """How often a search compared undecided integers for equality."""
    count = 0

    def look(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event == "call" and frame.f_code.co_name == "__eq__"

    sys.setprofile(look)
    try:
        deque(search, maxlen=0)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("moved", [0, 5])
def test_ranges_are_not_gone_through_for_every_number(moved: int) -> None:
    numbers = range(100, 1600)

    def holds(n: int) -> bool:
        return n + moved in numbers and n % 10 == 3

    search = Narrowing([gen.integers(0, 2000)], [(holds, (0,))])
    wanted = [n for n in range(2001) if holds(n)]
    assert sorted(found.value for found in search.search(0)) == wanted
    assert comparisons(search.search(0)) < len(numbers) ** 2 / 8


def test_beyond_a_range_numbers_are_not_tried_one_by_one() -> None:
    wanted = set(range(200))
    for numbers in (range(200), [*range(100), 10**6, 10**6 + 1, *range(100, 200), 10**9, 10**9 + 1]):
        search = Narrowing([gen.integers(0, 10**12)], [(lambda n, numbers=numbers: n in numbers, (0,))])
        assert {found.value for found in search.search(50)} == wanted | set(numbers)
        assert search.statistics.evaluations < 1000


def test_moved_there_and_back_is_the_same() -> None:
    def holds(n: int) -> bool:
        return n + 3 - 3 < 50 and n >= 50

    search = Narrowing([gen.integers(0, 99)], [(holds, (0,))])
    assert [*search.search(0)] == []
    assert search.statistics.evaluations == 2


@pytest.mark.parametrize(
    "holds",
    [
        lambda a, b: a < 10**9 and b >= 10**9 and not a < b,
        lambda a, b: a < 10**9 and b >= 10**9 and b <= a,
        lambda a, b: a < 10**9 and b >= 10**9 and a > b,
        lambda a, b: a < 10**9 and b >= 10**9 and a == b,
        lambda a, b: a < 10**9 and b >= 10**9 and not operator.ne(a, b),
        lambda a, b: a >= 10**9 and b < 10**9 and a + 5 <= b + 5,
        lambda a, b: a + 1 <= a or b != b or b - 1 == b,
        lambda a, b: a < -(10**400) and b + 10**400 > 0 and a + 10**400 >= b + 10**400,
    ],
)
def test_two_undecided_integers_are_compared_by_interval(holds: Callable[[int, int], object]) -> None:
    search = Narrowing([gen.integers(), gen.integers()], [(holds, (0, 1))])
    assert [*search.search(3000)] == []
    assert search.statistics.evaluations <= 5


INTERVALS = [gen.integers(-4, 2), gen.integers(0, 5), gen.integers(-9, -3), gen.integers(2, 2)]


@pytest.mark.parametrize("right", INTERVALS, ids=repr)
@pytest.mark.parametrize("left", INTERVALS, ids=repr)
def test_two_undecided_integers_in_every_position(left: Any, right: Any) -> None:
    for symbol in (operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne):
        for cut in (-3, 0, 2):
            for moved in (-2, 0, 3):

                def holds(a: int, b: int, symbol: Any = symbol, cut: int = cut, moved: int = moved) -> bool:
                    return (a < cut or b < cut) and symbol(a + moved, b) and not symbol(b, a)

                search = Narrowing([left, right], [(holds, (0, 1))])
                found = Counter(one.args for one in search.search(9))
                assert found == Counter((a, b) for a in left for b in right if holds(a, b))


def test_random_orders_of_wide_ranges_come_to_all_kinds_of_numbers() -> None:
    for wide in (2**62, 10**30):
        order = Shuffled(random.Random(1).random)
        search = Narrowing([gen.integers(0, wide)], [(lambda n: n > 5, (0,))])
        firsts = [next(search.search(200, arrange=order.arrange)).value for _ in range(200)]
        # Each bit is set in about half of them, and the numbers are spread over the range.
        assert 60 < sum(n % 2 for n in firsts) < 140
        assert 60 < sum(n > wide // 2 for n in firsts) < 140


COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "less": lambda a, b: a < b,
    "less or equal": lambda a, b: a <= b,
    "greater": lambda a, b: a > b,
    "greater or equal": lambda a, b: a >= b,
    "moved": lambda a, b: a + 3 < b - 1,
    "after the older is known": lambda a, b: a % 2 == 0 and a < b,
    "after the younger is known": lambda a, b: b % 2 == 0 and a < b,
}


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("name", COMPARISONS)
def test_of_two_that_are_compared_one_stays_an_interval(name: str, turned: bool) -> None:
    comparison, some = COMPARISONS[name], gen.integers(0, 30)

    def holds(a: int, b: int) -> bool:
        return comparison(b, a) if turned else comparison(a, b)

    search = Narrowing([some, some], [(holds, (0, 1))])
    assert {one.args for one in search.search(0)} == {
        (a, b) for a in range(31) for b in range(31) if holds(a, b)
    }
    # For each value of the number that is decided, two parts of the other's range.
    assert search.statistics.evaluations <= 2 * 31


def test_two_that_are_equal_leave_three_parts_at_most() -> None:
    search = Narrowing([gen.integers(0, 30)] * 2, [(lambda a, b: a == b, (0, 1))])
    assert len([*search.search(0)]) == 31 and search.statistics.evaluations <= 3 * 31


def test_an_order_that_changes_what_it_gets_does_no_harm() -> None:
    def turned(place: Any, alternatives: Sequence[Any]) -> Sequence[Any]:
        if isinstance(alternatives, list):
            alternatives.reverse()
        return alternatives

    def few(numbers: list[int]) -> bool:
        return all(n < 3 or n > 37 for n in numbers) and sum(numbers) % 5 == 0

    lists = gen.lists(gen.integers(0, 40), min_size=3, max_size=3)
    search = Narrowing([lists], [(few, (0,))])
    wanted = Counter(repr(found.value) for found in search.search(6))
    assert Counter(repr(found.value) for found in search.search(6, arrange=turned)) == wanted
    assert wanted.total() == 44


# --- two numbers without bounds ------------------------------------------------------------------------------

UNBOUNDED = {
    "bounds after a difference": lambda a, b: a - b > 10**6 and 0 <= b < 100 and a < 10**6 + 50,
    "a bound on each side": lambda a, b: a - b == 5 and a > 10**9 and b < 10**9 + 20,
    "a large bound": lambda a, b: a == 2 * b + 1 and b >= 10**9,
    "a quotient": lambda a, b: a // 1000 == b and b > 10**6,
    "a distance": lambda a, b: abs(a - b) == 777 and a > 10**5,
    "a multiple": lambda a, b: 3 * a == 2 * b and a > 1000,
    "an opposite": lambda a, b: -a == b and b > 5000,
}


@pytest.mark.parametrize("name", UNBOUNDED)
def test_bounds_that_come_late(name: str) -> None:
    predicate = UNBOUNDED[name]
    seen = set()
    test = given(gen.integers(), gen.integers()).where(predicate)(lambda a, b: seen.add((a, b)))
    report = check(test, seed=0, database=None, max_examples=10)
    assert report.status == "passed" and len(seen) == 10
    assert all(predicate(a, b) for a, b in seen)


QUOTIENTS = {
    "the same": lambda t: t[0] // 3 == t[1],
    "another": lambda t: t[0] // 3 != t[1] and t[0] > 15,
    "less": lambda t: t[0] // 3 < t[1] - 5,
    "at most": lambda t: t[0] // 3 <= t[1] and t[1] < -2,
    "more": lambda t: t[1] + 4 < t[0] // 5,
    "at least": lambda t: (t[0] + t[1]) // 4 >= t[1] + 7,
    "of two": lambda t: (2 * t[0] - t[1]) // 7 == t[1] + 1,
    "negative divisor": lambda t: t[0] // -3 == t[1],
}


@pytest.mark.parametrize("name", QUOTIENTS)
def test_quotients_are_compared_with_numbers(name: str) -> None:
    predicate = QUOTIENTS[name]
    pairs = gen.tuples(gen.integers(-20, 20), gen.integers(-20, 20))
    search = Narrowing([pairs.filter(predicate)])
    found = [one.value for one in search.search(1)]
    assert sorted(found) == sorted(filter(predicate, pairs.up_to_size(1)))
    assert len(found) == len(set(found))


def test_bounds_are_asked_first_and_mean_the_same() -> None:
    def related(t: Any) -> bool:
        return t is not None and t[0] - t[1] == 3 and t[1] > 5 and t[0] < 12

    pairs = gen.none() | gen.tuples(gen.integers(0, 50), gen.integers(0, 50))
    search = Narrowing([pairs.filter(related)])
    assert sorted(one.value for one in search.search(1)) == [(9, 6), (10, 7), (11, 8)]
    assert search.statistics.evaluations < 20
