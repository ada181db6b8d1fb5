"""The default explorer chooses a technique, and choosing costs little."""

from __future__ import annotations

from itertools import pairwise

import pytest

from everycase import assume, check, gen, given
from everycase.explore import Auto, Exhaustive, Space
from everycase.explore.yields import EVALUATIONS_PER_TEST


def chosen(source, budget):
    return type(Auto().choose(Space(gen.tuples(source), 0, budget)))


def test_it_is_exhaustive_exactly_when_every_value_fits():
    assert chosen(gen.integers(1, 50), 50) is Exhaustive
    assert chosen(gen.integers(1, 51), 50) is not Exhaustive
    dependent = gen.integers(1, 3).flatmap(lambda n: gen.integers(1, n))
    assert chosen(dependent, 6) is Exhaustive
    assert chosen(dependent, 5) is not Exhaustive


def test_a_filter_over_few_values_is_exhaustive():
    even = gen.integers(0, 20).filter(lambda n: n % 2 == 0)
    report = check(lambda n: n % 2 == 0, even, database=None)
    assert report.exhaustive and report.examples == 11
    assert report.covered == "all 11 values"
    report = check(lambda n: n != 14, even, database=None)
    assert report.counterexample == (14,)
    assert report.failures[0].index == 7 and even[7] == 14
    assert chosen(gen.integers(0, 10**6).filter(lambda n: n < 5), 50) is not Exhaustive
    assert chosen(even.filter(lambda n: False), 50) is not Exhaustive


def test_an_assumption_in_a_predicate_is_a_filter():
    report = check(lambda n: n > 0, gen.integers(0, 20).filter(assume), database=None)
    assert report.status == "passed" and report.examples == 20


@pytest.mark.slow
def test_counting_that_would_take_for_ever_is_given_up():
    def sums(n):
        return (
            gen.just(0)
            if n == 0
            else gen.booleans().flatmap(lambda b: sums(n - 1).map(lambda rest: rest + b))
        )

    report = check(lambda total: total < 3, sums(60), seed=1, database=None)
    assert report.counterexample == (3,), str(report)


@pytest.mark.slow
def test_it_goes_on_sampling_when_pruning_finds_nothing():
    def is_large_and_odd(numbers):
        return len(numbers) > 20 and sum(numbers) % 17 == 3 and sum(numbers) > 10**6

    tested = []

    def test(numbers):
        tested.append(numbers)

    large = given(gen.lists(gen.integers(0, 10**6), min_size=1)).where(is_large_and_odd)
    report = check(large(test), seed=0, max_examples=50, database=None)
    assert report.examples == len(tested) > 0
    assert report.figures["accepted"] == 0
    assert report.covered.startswith(
        f"{len(tested)} values that satisfy is_large_and_odd, all of them by sampling"
    )


def climbing(divisor):
    """Eight numbers that increase by one or seven and have a divisible sum: sampling finds none of them."""

    def climbs(xs):
        return len(xs) == 8 and all(b - a in (1, 7) for a, b in pairwise(xs)) and sum(xs) % divisor == 0

    return given(gen.lists(gen.integers(0, 60))).where(climbs)(lambda xs: None)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_search_that_ends_too_early_says_so(seed):
    report = check(climbing(97), seed=seed, max_examples=200, database=None)
    assert 0 < report.examples < 200
    spent = report.figures["evaluations"]
    assert report.stopped == f"the search ended after {spent:,} evaluations of climbs"


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_pruning_goes_on_as_long_as_values_are_worth_it(seed):
    report = check(climbing(61), seed=seed, max_examples=50, database=None)
    assert report.examples == 50
    assert report.figures["evaluations"] > EVALUATIONS_PER_TEST * 50


@pytest.mark.parametrize("tests", [300, 301, 302, 303])
def test_what_was_sampled_beside_pruning_is_counted_as_well(tests):
    def is_sorted(xs):
        return all(a < b for a, b in pairwise(xs))

    inputs = gen.lists(gen.integers(0, 1000), min_size=4).filter(is_sorted)
    report = check(lambda xs: None, inputs, seed=1, max_examples=tests, database=None)
    assert report.covered.startswith(f"{tests} values that satisfy is_sorted (")
    sampled = int(report.covered.partition("(")[2].split()[0])
    assert "of them by sampling)" in report.covered
    assert report.figures["accepted"] + sampled == report.examples == tests
