"""Counts of large sizes come from recurrences if there are any, and equal the sums."""

from __future__ import annotations

from collections.abc import Callable
from math import comb
from random import Random
from typing import Any

import pytest

from everycase import gen
from everycase.enumeration import size_rules
from everycase.enumeration.counting import tiers_of
from everycase.enumeration.size_rules import series_of
from everycase.gen.base import Gen

FAR = size_rules.RECURRENCE_FROM + 12


def binary() -> Gen[Any]:
    trees: Gen[Any] = gen.deferred(lambda: gen.none() | gen.tuples(trees, trees))
    return trees


def expressions() -> Gen[Any]:
    terms: Gen[Any] = gen.deferred(
        lambda: (
            gen.integers()
            | gen.tuples(gen.just("-"), terms)
            | gen.tuples(gen.just("+"), terms, terms)
            | gen.tuples(gen.just("*"), terms, terms)
        )
    )
    return terms


def rose() -> Gen[Any]:
    trees: Gen[Any] = gen.deferred(lambda: gen.tuples(gen.booleans(), gen.lists(trees)))
    return trees


def leaves_of_many_sizes() -> Gen[Any]:
    values: Gen[Any] = gen.deferred(
        lambda: (
            gen.sampled_from("xyz")
            | gen.tuples(gen.text("ab"), values)
            | gen.tuples(values, values, gen.integers(0, 10**9))
            | gen.tuples(gen.integers(5), values)
        )
    )
    return values


def in_two_steps() -> Gen[Any]:
    evens: Gen[Any] = gen.deferred(lambda: gen.none() | gen.tuples(odds, odds))
    odds: Gen[Any] = gen.deferred(lambda: gen.booleans() | gen.tuples(evens))
    return evens


def mapped() -> Gen[Any]:
    nested: Gen[Any] = gen.deferred(lambda: gen.floats() | gen.tuples(nested, nested).map(list))
    return nested


def words() -> Gen[Any]:
    chains: Gen[Any] = gen.deferred(lambda: gen.none() | gen.tuples(gen.lists(gen.booleans()), chains))
    return chains


def ternary() -> Gen[Any]:
    trees: Gen[Any] = gen.deferred(lambda: gen.none() | gen.tuples(trees, trees, trees))
    return trees


def two_recursions() -> Gen[Any]:
    programs: Gen[Any] = gen.deferred(
        lambda: gen.tuples(gen.just("do"), terms) | gen.tuples(programs, programs)
    )
    terms = binary()
    return programs


def short_lists() -> Gen[Any]:
    trees: Gen[Any] = gen.deferred(lambda: gen.booleans() | gen.lists(trees, min_size=1, max_size=3))
    return trees


SOLVED = [binary, expressions, rose, leaves_of_many_sizes, in_two_steps, mapped, words]
UNSOLVED = [ternary, two_recursions, short_lists]


@pytest.mark.parametrize("make", [*SOLVED, *UNSOLVED], ids=lambda make: make.__name__)
def test_recurrences_count_what_sums_count(
    make: Callable[[], Gen[Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    by_recurrence = list(tiers_of(make(), FAR).counts)
    monkeypatch.setattr(size_rules, "RECURRENCE_FROM", FAR + 1)
    assert by_recurrence == tiers_of(make(), FAR).counts


@pytest.mark.parametrize("make", SOLVED, ids=lambda make: make.__name__)
def test_quadratic_recursions_are_solved(make: Callable[[], Gen[Any]]) -> None:
    generator = make()
    counts = tiers_of(generator, 20).counts
    series = series_of(generator, counts[:6])
    assert series is not None
    assert [series[size] for size in range(21)] == counts


@pytest.mark.parametrize("make", UNSOLVED, ids=lambda make: make.__name__)
def test_other_recursions_have_no_series(make: Callable[[], Gen[Any]]) -> None:
    generator = make()
    assert series_of(generator, tiers_of(generator, 6).counts) is None


def test_a_series_that_disagrees_with_what_was_counted_is_not_used() -> None:
    generator = binary()
    tiers_of(generator, 4)
    assert series_of(generator, [1, 1, 3]) is None


def test_catalan_numbers() -> None:
    assert tiers_of(binary(), 500).counts[500] == comb(1000, 500) // 501


@pytest.mark.parametrize("make", [*SOLVED, *UNSOLVED], ids=lambda make: make.__name__)
def test_far_values_have_the_numbers_they_are_found_by(make: Callable[[], Gen[Any]]) -> None:
    generator = make()
    if make in (mapped,):  # a function without an inverse
        assert generator[10**60] is not None
        return
    dice = Random(8)
    for _ in range(5):
        number = dice.randrange(10**90)
        assert generator.index(generator[number]) == number


def test_values_of_a_large_size_come_in_the_order_of_their_numbers() -> None:
    """An index is searched from both ends; both find the same value, in whatever order they are asked."""
    large = binary().of_size(100)
    count = large.cardinality
    places = [0, 1, 2, count // 3, count // 2, count - 2, count - 1]
    forwards = [large[place] for place in places]
    other = binary().of_size(100)
    assert [other[place] for place in reversed(places)] == forwards[::-1]
    assert [large.index(value) for value in forwards] == places
