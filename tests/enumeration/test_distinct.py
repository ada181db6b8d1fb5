"""Lists of distinct elements, sets and dictionaries have counts and indices: checked by brute force and closed forms."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from itertools import combinations, islice, permutations, product
from math import comb, perm

import pytest

from everycase import check, errors, gen
from everycase.choices.dice import no_dice
from everycase.choices.enact import enact
from everycase.choices.trace import Trace
from everycase.enumeration import trace_at
from everycase.enumeration.combinatorics import (
    combination,
    combination_number,
    permutation,
    permutation_number,
)
from everycase.explore import Narrow

few = gen.integers(0, 3)
hereditary = gen.deferred(lambda: gen.frozensets(hereditary))


@dataclass(frozen=True)
class Named:
    name: str
    number: int


SOURCES = {
    "lists": gen.lists(few, unique=True),
    "lists of some lengths": gen.lists(few, min_size=1, max_size=2, unique=True),
    "of equal keys": gen.lists(gen.integers(0, 6), unique_by=lambda n: n % 3),
    "of several keys": gen.lists(gen.integers(0, 3), unique_by=(lambda n: -n, lambda n: n * 2)),
    "of repeated elements": gen.lists(gen.sampled_from("abca"), unique=True),
    "sets": gen.sets(few),
    "sets of a length": gen.sets(gen.booleans() * few, min_size=3, max_size=3),
    "sets of repeated elements": gen.frozensets(gen.sampled_from("abab")),
    "sets of sets": gen.frozensets(gen.frozensets(gen.booleans())),
    "dictionaries": gen.dictionaries(few, gen.booleans()),
    "dictionaries of lists": gen.dictionaries(gen.booleans(), gen.lists(gen.booleans(), max_size=2)),
    "dictionaries of repeated keys": gen.dictionaries(gen.sampled_from([1, 2, 1]), gen.booleans()),
    "tuples of sets": gen.tuples(gen.sets(gen.booleans()), gen.dictionaries(gen.booleans(), few)),
}
ENDLESS = {
    "lists of integers": gen.lists(gen.integers(), unique=True),
    "lists of at least two": gen.lists(gen.integers(), unique=True, min_size=2, max_size=3),
    "sets of integers": gen.sets(gen.integers()),
    "sets of text": gen.frozensets(gen.text("ab")),
    "sets of dataclasses": gen.sets(gen.builds(Named, gen.text("ab"), gen.integers(0))),
    "dictionaries of integers": gen.dictionaries(gen.integers(), gen.integers()),
    "few keys, many values": gen.dictionaries(few, gen.lists(gen.booleans())),
    "many keys, few values": gen.dictionaries(gen.text("ab"), gen.booleans(), min_size=1),
    "hereditary": hereditary,
    "sets of pairs": gen.sets(gen.tuples(gen.sampled_from("xy"), gen.integers())),
    "sets of a union": gen.sets(gen.none() | gen.integers() | gen.tuples(gen.integers())),
}


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES.keys())
def test_numbers_values_and_traces_agree(source):
    values = list(source)
    assert len(values) == source.cardinality > 0
    for i, value in enumerate(values):
        assert source[i] == value
        assert value in source
        assert source[source.index(value)] == value
        trace = trace_at(source, i)
        assert trace.value == value
        assert enact(source, Trace.from_json(trace.to_json()), no_dice).value == value


@pytest.mark.slow
@pytest.mark.parametrize("source", ENDLESS.values(), ids=ENDLESS.keys())
def test_the_same_without_end(source):
    assert source.cardinality == math.inf
    values = list(islice(source, 400))
    assert len({repr(sorted(map(repr, v)) if isinstance(v, set | frozenset) else v) for v in values}) == 400
    for i, value in enumerate(values):
        assert source[i] == value
        assert source.index(value) == i
        trace = trace_at(source, i)
        assert enact(source, trace, no_dice).value == value
    for number in (10**9, 10**30 + 7):
        assert source.index(source[number]) == number


def test_lists_are_all_permutations_of_all_selections():
    values = [tuple(value) for value in SOURCES["lists"]]
    assert set(values) == {p for k in range(5) for p in permutations(range(4), k)}
    assert len(values) == sum(perm(4, k) for k in range(5)) == len(set(values))
    assert gen.lists(gen.integers(0, 19), unique=True, max_size=20).cardinality == sum(
        perm(20, k) for k in range(21)
    )


def test_sets_are_counted_once():
    assert list(gen.sets(few)) == [set(c) for k in range(5) for c in combinations(range(4), k)]
    assert gen.sets(gen.integers(0, 99)).cardinality == 2**100
    assert gen.sets(gen.integers(0, 10**12), min_size=3, max_size=3).cardinality == comb(10**12 + 1, 3)
    assert gen.sets(few, min_size=5).cardinality == 0
    assert gen.sets(gen.nothing()).cardinality == 1
    assert gen.sets(few, max_size=0).cardinality == 1


def test_dictionaries_are_sets_of_keys_with_values():
    values = list(gen.dictionaries(few, gen.booleans()))
    assert len(values) == 3**4
    expected = [
        dict(zip(keys, bits))
        for k in range(5)
        for keys in combinations(range(4), k)
        for bits in product([False, True], repeat=k)
    ]
    assert values == expected
    assert list(gen.dictionaries(gen.integers(), gen.nothing())) == [{}]
    assert gen.dictionaries(gen.integers(), gen.nothing(), min_size=1).cardinality == 0
    assert list(gen.dictionaries(gen.nothing(), gen.integers())) == [{}]
    assert list(gen.dictionaries(gen.booleans(), gen.integers(1, 1).filter(lambda n: False))) == [{}]
    assert gen.dictionaries(gen.sampled_from("abcdefgh"), gen.integers(0, 9)).cardinality == 11**8


def test_elements_that_share_a_key_exclude_each_other():
    source = gen.lists(gen.integers(0, 6), unique_by=lambda n: n % 3, max_size=3)
    expected = {p for k in range(4) for p in permutations(range(7), k) if len({n % 3 for n in p}) == k}
    assert {tuple(value) for value in source} == expected
    assert len(source) == len(expected)


def test_equal_elements_of_different_types_are_one():
    assert gen.sets(gen.sampled_from([1, True, 2])).cardinality == 6, "either 1 or True, with or without 2"


@pytest.mark.parametrize("name", [*SOURCES, *ENDLESS])
def test_sizes_partition_the_values(name):
    source = SOURCES[name] if name in SOURCES else ENDLESS[name]
    tiers = [source.of_size(n) for n in range(12 if name in SOURCES else 7)]
    for tier in tiers:
        for i, value in enumerate(islice(tier, 100)):
            assert tier[i] == value
            assert tier[tier.index(value)] == value
    if name in SOURCES:
        assert sum(tier.cardinality for tier in tiers) == source.cardinality
        assert sorted(repr(value) for tier in tiers for value in tier) == sorted(map(repr, source))
    else:
        total = sum(tier.cardinality for tier in tiers)
        assert source.index(source[total]) == total
        values = [value for tier in tiers[:5] for value in tier]
        assert values == list(islice(source, len(values)))


def test_integers_by_size():
    # Distinct integers whose bits and places add up to n: a product over all integers of 1 + x**(1 + bits).
    wanted = Counter({0: 1})
    for bits, how_many in [(0, 2), (1, 2), (2, 4), (3, 8), (4, 16)]:
        for _ in range(how_many):
            step = Counter()
            for total, ways in wanted.items():
                step[total] += ways
                if total + 1 + bits <= 5:
                    step[total + 1 + bits] += ways
            wanted = step
    assert [gen.sets(gen.integers()).of_size(n).cardinality for n in range(6)] == [
        wanted[n] for n in range(6)
    ]


def test_hereditary_sets_are_trees_without_symmetry():
    # Rooted trees with n edges in which no two branches at a node are alike (OEIS A004111).
    assert [hereditary.of_size(n).cardinality for n in range(13)] == [
        1, 1, 1, 2, 3, 6, 12, 25, 52, 113, 247, 548, 1226,
    ]  # fmt: skip
    assert len(set(hereditary.up_to_size(8))) == hereditary.up_to_size(8).cardinality


def test_what_may_repeat_without_end_does_not_count():
    for source in (
        gen.sets(gen.integers().map(abs)),
        gen.sets(gen.floats()),
        gen.lists(gen.integers(), unique_by=lambda n: n % 10),
        gen.lists(gen.integers(0, 9), unique_by=(lambda n: n % 3, lambda n: n)),
    ):
        with pytest.raises(errors.NotCountable):
            source.cardinality  # noqa: B018
    with pytest.raises(errors.NotCountable, match="differ in size"):
        gen.lists(gen.lists(gen.booleans(), max_size=2), unique_by=len).of_size(3)
    assert gen.sets(gen.floats(1, 2), min_size=2, max_size=2).cardinality == comb(2**52 + 1, 2)


def test_elements_that_cannot_be_hashed_are_explained():
    with pytest.raises(errors.EverycaseError, match="hashable"):
        len(gen.sets(gen.lists(gen.booleans(), max_size=1)))
    with pytest.raises(errors.EverycaseError, match="hashable"):
        len(gen.sets(gen.sets(gen.booleans())))
    with pytest.raises(errors.EverycaseError, match="hashable"):
        gen.sets(gen.lists(gen.integers())).cardinality  # noqa: B018
    with pytest.raises(errors.EverycaseError, match="hashable"):
        gen.sets(gen.sets(gen.booleans())).sample(9, seed=0)


def test_distinct_elements_of_a_recursion_that_has_no_value_of_size_0():
    # The first element is made of such a list again, or of a number that comes at a later size.
    values = gen.deferred(
        lambda: (
            gen.tuples(gen.lists(values, min_size=1, unique_by=repr)) | gen.lists(gen.booleans(), min_size=3)
        )
    )
    with pytest.raises(errors.NotCountable, match="distinct"):
        next(iter(values))


def test_distinct_elements_of_a_recursion_through_a_flatmap_are_not_counted():
    words = gen.text(min_size=3).map(str.upper)
    pairs = gen.integers(0, 1).flatmap(lambda n: gen.tuples(gen.just(n), trees))
    trees = gen.deferred(lambda: gen.tuples(gen.lists(pairs, min_size=1, unique_by=repr)) | words)
    for counted in (lambda: trees[3], lambda: trees.of_size(3), lambda: list(trees.up_to_size(4))):
        with pytest.raises(errors.NotCountable, match=r"^lists\(integers\(0, 1\).flatmap"):
            counted()
    assert check(lambda tree: True, trees, explore=Narrow(), max_examples=10, seed=0).status == "passed"


def test_a_small_set_is_tested_exhaustively():
    seen = []
    report = check(lambda s: seen.append(frozenset(s)), gen.sets(gen.integers(0, 4)), database=None)
    assert report.exhaustive and report.examples == 32
    assert len(set(seen)) == 32


def test_what_is_selected_and_arranged_has_a_number():
    for n in range(6):
        for k in range(n + 1):
            chosen = list(combinations(range(n), k))
            assert [tuple(combination(n, k, i)) for i in range(len(chosen))] == chosen
            assert [combination_number(n, c) for c in chosen] == list(range(len(chosen)))
        for k in (1, 2):
            chosen = list(combinations(range(40 * n), k))[:: 7 * n + 1]
            numbers = [combination_number(40 * n, c) for c in chosen]
            assert [tuple(combination(40 * n, k, i)) for i in numbers] == chosen
        orders = list(permutations(range(n)))
        assert [tuple(permutation(range(n), i)) for i in range(len(orders))] == orders
        assert [permutation_number(order) for order in orders] == list(range(len(orders)))


def test_large_selections_are_quickly_decoded():
    source = gen.sets(gen.integers(0, 4999))
    number = source.cardinality // 2
    assert source.index(source[number]) == number


def test_floats_that_are_equal_or_differ_from_themselves_are_explained():
    for source in (gen.sets(gen.floats()), gen.dictionaries(gen.floats(-1, 1), gen.booleans(), max_size=2)):
        with pytest.raises(
            errors.NotCountable, match=r"0\.0 and -0\.0 are equal, and nan is not equal to itself"
        ):
            source.cardinality  # noqa: B018
    pairs = gen.sets(gen.floats(min_value=0, allow_nan=False), min_size=2, max_size=2)
    floats = gen.floats(min_value=0, allow_nan=False).cardinality
    assert pairs.cardinality == floats * (floats - 1) // 2
    assert pairs[pairs.index({0.5, 3.0})] == {0.5, 3.0}
