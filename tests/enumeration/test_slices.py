"""Slices of generators: what they refuse, and what they must not hide."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any

import pytest

from everycase import check, errors, gen
from everycase.explore import Exhaustive


def of_three(n: int) -> str:
    return "abc"[n]


SWALLOWED: dict[str, Callable[[], Any]] = {
    "by number": lambda: list(gen.integers(0, 99).map(of_three)[::20]),
    "backwards": lambda: list(gen.integers(0, 99).map(of_three)[::-1]),
    "a slice of a filter": lambda: list(gen.integers().filter(of_three)[:9]),
    "an index of a filter": lambda: gen.integers(0).filter(of_three)[9],
    "a filter as a part": lambda: gen.tuples(gen.integers(0).filter(of_three))[9],
    "a flatmap": lambda: list(islice(gen.integers(0).flatmap(lambda n: gen.just(of_three(n))), 9)),
}


@pytest.mark.parametrize("way", SWALLOWED.values(), ids=SWALLOWED.keys())
def test_an_index_error_of_a_users_function_is_not_taken_for_the_end(way: Callable[[], Any]) -> None:
    with pytest.raises(IndexError, match="string index out of range"):
        way()


def test_a_value_is_not_said_to_be_missing_from_a_slice_too_long_to_look_through() -> None:
    doubled = gen.integers(0, 10**6).map(lambda n: 2 * n)
    assert doubled[20_000:20_010].index(40_004) == 2
    assert 1 not in doubled[20_000:20_010]
    with pytest.raises(errors.NotInvertible):
        doubled[:20_000].index(30_000)
    with pytest.raises(errors.NotInvertible):
        30_000 in doubled[:20_000]  # noqa: B015


def test_what_is_no_number_is_a_type_error_whether_there_is_an_end_or_not() -> None:
    for source in (gen.integers(0, 9), gen.integers(), gen.integers()[3:]):
        with pytest.raises(TypeError, match="the start of a slice must be an int"):
            source["a":]


def test_an_index_outside_of_a_slice_is_refused_in_words() -> None:
    few = gen.integers(0, 10**5).filter(lambda n: n < 5)
    with pytest.raises(IndexError, match=r"index 6 is out of range: integers\(0, 9\)\[2:8\] has 6 values"):
        gen.integers(0, 9)[2:8][6]
    with pytest.raises(IndexError, match=r"index 4 is out of range: .* has fewer values"):
        few[3:9][4]
    with pytest.raises(IndexError, match=r"index 9 is out of range: .* has fewer values"):
        few[3:9][9]


def test_an_empty_slice_is_not_shown_as_a_full_one() -> None:
    assert repr(gen.integers(0, 9)[-20::-1]) == "integers(0, 9)[0:0]"
    assert repr(gen.integers(0, 9)[::-1]) == "integers(0, 9)[9::-1]"


def test_a_walk_starts_and_strides_as_far_as_one_likes() -> None:
    @gen.composite
    def pairs(draw: gen.Draw) -> tuple[int, int]:
        high = draw(gen.integers(0, 3))
        return high, draw(gen.integers(0, high))

    assert check(lambda pair: True, pairs(), explore=Exhaustive(start=10**30)).status == "gave_up"
    assert check(lambda pair: True, pairs(), explore=Exhaustive(stride=10**30)).status == "passed"


def test_membership_in_a_short_slice_of_a_filter_compares_its_values():
    odd = gen.integers(0).filter(lambda n: n % 2 == 1)
    assert 10**12 + 1 not in odd[0:3]
    assert 5 in odd[0:3]
    assert odd[0:3].index(5) == 2
