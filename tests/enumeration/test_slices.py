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


def test_a_flatmap_that_raises_is_not_a_test_that_passed() -> None:
    letters = gen.integers(0).flatmap(lambda n: gen.just(of_three(n)))
    report = check(lambda letter: True, letters, explore=Exhaustive())
    assert report.status == "failed"
    assert not report.exhaustive


def test_a_value_is_not_said_to_be_missing_from_a_slice_too_long_to_look_through() -> None:
    doubled = gen.integers(0, 10**6).map(lambda n: 2 * n)
    assert doubled[20_000:20_010].index(40_004) == 2
    assert 1 not in doubled[20_000:20_010]
    with pytest.raises(errors.NotInvertible):
        doubled[:20_000].index(30_000)
    with pytest.raises(errors.NotInvertible):
        30_000 in doubled[:20_000]  # noqa: B015
