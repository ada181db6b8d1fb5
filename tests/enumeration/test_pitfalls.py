"""Pitfalls of enumeration in other libraries, one test for each."""

from __future__ import annotations

import math
import pickle
import sys
import threading
from itertools import pairwise

import pytest

from everycase import Phase, check, errors, gen
from everycase.choices.trace import Trace
from everycase.enumeration import first_duplicate
from everycase.enumeration.counting import space_of
from everycase.enumeration.sequence import fits
from everycase.enumeration.spaces import sieve
from everycase.explore import Exhaustive


def test_a_filter_has_no_count_but_numbers():
    odd = gen.integers().filter(lambda n: n % 2)
    with pytest.raises(errors.NotCountable):
        odd.cardinality  # noqa: B018
    assert odd[3] == -3 or odd[3] == 3
    assert [odd[i] for i in range(4)] == list(odd[0:4])
    with pytest.raises(errors.NotCountable):
        odd[-1]
    small = gen.integers(0, 9).filter(lambda n: n > 6)
    with pytest.raises(errors.NotCountable):
        small.cardinality  # noqa: B018
    assert list(small) == [7, 8, 9]
    large = gen.integers(0, 100_000).filter(lambda n: n > 99_998)
    assert list(large) == [99_999, 100_000]
    with pytest.raises(IndexError):
        large[2]


def test_the_number_of_a_value_that_passed_is_found_by_trying():
    odd = gen.integers().filter(lambda n: n % 2)
    assert all(odd.index(odd[i]) == i for i in range(50))
    assert gen.integers(0).filter(lambda n: n % 3 == 0).index(3000) == 1000
    doubled = gen.integers(0).filter(lambda n: n % 3 == 0).map(lambda n: 2 * n, inverse=lambda n: n // 2)
    assert doubled.index(60) == 10
    with pytest.raises(errors.NoSuchValue):
        odd.index(2)
    with pytest.raises(errors.GeneratorError, match="in a row"):
        gen.integers(0).filter(lambda n: n > 10**6).index(10**6 + 1)


def test_places_that_passed_are_remembered():
    tried = []

    def passes(n):
        tried.append(n)
        return n % 1000 == 0

    source = gen.integers(0).filter(passes)
    assert source[5] == 5000
    before = len(tried)
    assert source[5] == 5000 and source[2] == 2000
    assert len(tried) == before


def test_a_filter_that_never_passes_ends_with_a_word():
    never = gen.integers().filter(lambda n: False)
    with pytest.raises(errors.GeneratorError, match="in a row"):
        never[0]
    with pytest.raises(errors.GeneratorError, match="in a row"):
        next(iter(never))


def test_overlapping_unions_and_maps_count_choices():
    twice = gen.integers(0, 2) | gen.integers(1, 3)
    assert twice.cardinality == 6
    assert list(twice) == [0, 1, 2, 1, 2, 3]
    assert twice.index(2) == 2, "the first of its numbers"
    assert gen.integers(-2, 2).map(abs).cardinality == 5
    assert first_duplicate(twice) == (1, 3)
    assert first_duplicate(gen.integers(-2, 2).map(abs)) == (1, 3)
    assert first_duplicate(gen.lists(gen.integers(0, 3), max_size=3)) is None


def test_len_beyond_the_machine_raises_and_bool_does_not():
    large = gen.lists(gen.booleans(), min_size=100, max_size=100)
    with pytest.raises(OverflowError, match="cardinality"):
        len(large)
    assert large and large.cardinality == 2**100


def test_counts_too_long_to_print():
    large = gen.lists(gen.booleans(), min_size=50_000, max_size=50_000)
    assert large.cardinality == 2**50_000
    with pytest.raises(IndexError, match=r"2\*\*50000"):
        large[2**50_000]
    assert len(large[2**50_000 - 1]) == 50_000


def test_runs_over_counts_too_long_to_print():
    large = gen.integers(0, 2**20_000 - 1).map(lambda n: n % 2)
    for explorer, said in (
        (Exhaustive(), "the first 2 of about 2**20000 values"),
        (Exhaustive(start=2**19_000), "2 of about 2**20000 values, from number about 2**19000 on"),
        (Exhaustive(stride=2**18_000), "one in about 2**18000, from number 0 on"),
        (Exhaustive(shuffled=True), "chosen at random"),
    ):
        report = check(lambda bit: True, large, explore=explorer, max_examples=2, database=None)
        assert said in report.covered
        assert eval(repr(explorer), {"Exhaustive": Exhaustive}).start == explorer.start
    report = check(
        lambda bit: False, large, explore=Exhaustive(start=2**19_000), max_examples=1, database=None
    )
    assert report.failures[0].index == 2**19_000
    assert f"Exhaustive(start={hex(2**19_000)})" in str(report)


@pytest.mark.slow
def test_values_deeper_than_the_recursion_limit():
    chains = gen.deferred(lambda: gen.none() | gen.tuples(chains))
    limit = sys.getrecursionlimit()
    value = chains[6_000]
    assert chains.index(value) == 6_000
    assert value in chains
    assert sys.getrecursionlimit() == limit
    assert (value, value) not in chains
    with pytest.raises(errors.NoSuchValue, match="very deep tuple"):
        gen.integers(0, 3).index(value)
    assert "very deep" in repr(gen.just(value))
    with pytest.raises(errors.GeneratorError, match="too deep"):
        first_duplicate(chains.of_size(6_000) | chains.of_size(6_000))


@pytest.mark.slow
def test_a_failure_deeper_than_the_recursion_limit_is_reported():
    deep = gen.deferred(lambda: gen.none() | gen.tuples(deep))

    def ends_soon(value):
        for _ in range(1400):
            value = value and value[0]
        assert value is None

    report = check(ends_soon, deep, explore=Exhaustive(start=1500), phases=[Phase.explore], database=None)
    assert (report.status, report.failures[0].index) == ("failed", 1500)
    if report.blob is not None:  # from Python 3.13 on, json writes values that are as deep as this
        assert gen.tuples(deep).replay(Trace.from_blob(report.blob)).value == report.counterexample
    shallow = check(lambda value: False, deep, explore=Exhaustive(start=1500), database=None)
    assert shallow.counterexample == (None,)
    assert shallow.blob is not None


def test_equal_parameters_of_different_types_are_different():
    assert 1 in gen.just(1) and True not in gen.just(1) and 1.0 not in gen.just(1)
    assert gen.sampled_from([1, True, 1.0]).index(True) == 1
    assert -0.0 not in gen.just(0.0)


def test_ill_founded_recursion_is_explained():
    through_map = gen.deferred(lambda: gen.just(0) | through_map.map(lambda n: n + 1))
    with pytest.raises(errors.GeneratorError, match="constructor"):
        through_map.cardinality  # noqa: B018
    through_flatmap = gen.deferred(lambda: gen.just(0) | gen.booleans().flatmap(lambda _: through_flatmap))
    with pytest.raises(errors.GeneratorError, match="constructor"):
        through_flatmap.cardinality  # noqa: B018


def test_whoever_is_asked_first_the_order_is_the_same():
    def definition():
        trees = gen.deferred(lambda: whole)
        nodes = gen.tuples(trees, trees)
        whole = gen.none() | nodes
        return trees, nodes, whole

    first, second = definition(), definition()
    one = [[g[i] for i in range(40)] for g in first]
    other = [[g[i] for i in range(40)] for g in reversed(second)][::-1]
    assert one == other


def test_threads_share_a_generator():
    @gen.dependent
    def family(n):
        return (
            gen.none() if n == 0 else gen.one_of([gen.tuples(family(k), family(n - 1 - k)) for k in range(n)])
        )

    trees = gen.deferred(lambda: gen.none() | gen.tuples(trees, trees))
    results: list[list[object]] = []

    def work():
        results.append([trees[10**20 + i] for i in range(20)] + [family(12)[i] for i in range(50)])

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 8
    assert all(result == results[0] for result in results)


def test_slices_and_values_survive_pickling():
    trees = gen.deferred(lambda: gen.none() | gen.tuples(trees, trees))
    values = list(trees[100:110])
    assert pickle.loads(pickle.dumps(values)) == values


def test_infinity_times_nothing_is_nothing():
    assert (gen.integers() * gen.nothing()).cardinality == 0
    assert list(gen.integers() * gen.nothing()) == []
    assert gen.lists(gen.nothing(), min_size=1).cardinality == 0
    assert gen.lists(gen.nothing()).cardinality == 1
    assert (gen.nothing() | gen.integers()).cardinality == math.inf


def test_a_number_of_a_filter_that_is_too_far_away_is_refused(monkeypatch):
    odd = gen.integers().filter(lambda n: n % 2)
    for attempt in (
        lambda: odd[10**12],
        lambda: list(odd[10**12 : 10**12 + 3]),
        lambda: (odd | gen.booleans())[10**12],
    ):
        with pytest.raises(errors.GeneratorError, match="Use a smaller index, or iterate"):
            attempt()
    monkeypatch.setattr(sieve, "MOST_TRIED", 1000)
    rare = gen.integers(0).filter(lambda n: n % 100 == 0)
    with pytest.raises(errors.GeneratorError, match="1,001 were tried, 11 of which passed"):
        rare[100]
    assert rare[15] == 1500, "what was tried is remembered, so that asking again goes on"


def test_filters_of_filters_by_size():
    pairs = gen.tuples(gen.integers(0, 99), gen.integers(0, 99))
    source = pairs.filter(lambda pair: pair[0] > pair[1]).filter(lambda pair: sum(pair) % 7 == 3)
    thrice = source.filter(lambda pair: pair[1] > 5)
    for g in (source, thrice, gen.deferred(lambda: source).filter(lambda pair: pair[0] != 50)):
        tier = g.of_size(1)
        assert list(tier) == list(g) == [tier[i] for i in range(len(tier))]
        assert all(tier.index(pair) == i for i, pair in enumerate(tier))


def test_whether_long_lists_fit_a_budget_is_found_out_without_counting_them() -> None:
    for element in (gen.booleans(), gen.integers(0, 10**9)):
        source = gen.lists(element, max_size=2000)
        with pytest.raises(errors.NotCountable):
            space_of(source, effort=5000)
        assert not fits(source, 1000)
    assert fits(gen.lists(gen.just(1), max_size=200), 1000)
    assert fits(gen.lists(gen.booleans(), max_size=8), 1000)


def test_lists_of_very_many_lengths_are_refused_before_they_take_all_memory() -> None:
    for element in (gen.just(1), gen.booleans()):
        with pytest.raises(errors.NotCountable, match="lower max_size"):
            gen.lists(element, max_size=16_000).cardinality  # noqa: B018
    assert gen.lists(gen.just(1), min_size=20_000, max_size=20_000).cardinality == 1


def test_filters_with_too_many_evaluations_go_on_lazily(monkeypatch):
    from everycase.enumeration import pruned

    lists = gen.lists(gen.integers(0, 9), max_size=6)

    def rising(values):
        return all(a < b for a, b in pairwise(values))

    counted = {tuple(value) for value in lists.filter(rising).up_to_size(5)}
    assert len(counted) == sum(math.comb(10, k) for k in range(6))
    monkeypatch.setattr(pruned, "MOST_EVALUATIONS", 50)
    lazily = lists.filter(rising).up_to_size(5)
    found = list(lazily)
    assert len(found) == len(counted)
    assert {tuple(value) for value in found} == counted
    assert [len(value) for value in found] == sorted(len(value) for value in found)
    assert lazily[100] == found[100]
    assert list(lazily[3:6]) == found[3:6]
    assert all(rising(value) for value in lazily.sample(5, seed=1))
    with pytest.raises(errors.NotCountable):
        len(lazily)


def test_filters_over_too_many_values_go_on_by_trying(monkeypatch):
    monkeypatch.setattr("everycase.enumeration.pruned.MOST_EVALUATIONS", 5000)
    lists = gen.lists(gen.integers(0, 9), max_size=6).map(tuple, inverse=list)
    lazily = lists.filter(lambda values: sum(values) % 7 == 0).up_to_size(6)
    with pytest.raises(errors.NotCountable, match="cannot be counted"):
        lazily.cardinality  # noqa: B018 (reading it counts)
    first = [value for _, value in zip(range(50), lazily)]
    assert first[0] == ()
    assert all(sum(value) % 7 == 0 for value in first)
    assert [len(value) for value in first] == sorted(len(value) for value in first)


@pytest.mark.parametrize("size", [7, 8, 31, 32])
def test_two_parts_of_one_kind_are_counted_by_half(size):
    trees = gen.deferred(lambda: gen.none() | gen.tuples(trees, trees))
    pairs = gen.deferred(lambda: gen.none() | gen.tuples(pairs, gen.none() | gen.tuples(pairs, pairs)))
    # Catalan numbers: the number of trees with that many pairs.
    assert trees.of_size(size).cardinality == math.comb(2 * size, size) // (size + 1)
    assert pairs.of_size(3).cardinality == len({repr(value) for value in pairs.of_size(3)})


def test_a_recursion_that_ends_is_not_walked_for_ever():
    short = gen.deferred(lambda: gen.just(0) | gen.tuples(short.filter(lambda v: v in (0, (0,)))))
    values = iter(short)
    assert [next(values) for _ in range(3)] == [0, (0,), ((0,),)]
    with pytest.raises(errors.GeneratorError, match="no value of any of the 1000 sizes after 2"):
        next(values)
