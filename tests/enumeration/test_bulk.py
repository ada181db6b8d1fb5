"""Bulk iteration gives the same values as indexing, shares only what may be shared, and keeps little."""

from __future__ import annotations

import random
import sys
import tracemalloc
from dataclasses import dataclass
from datetime import date
from itertools import islice
from threading import Thread
from typing import Any, NamedTuple

import pytest

from everycase import gen
from everycase.enumeration import bulk, combinatorics, structures
from everycase.enumeration.counting import space_of
from everycase.enumeration.spaces import endless, rows
from everycase.enumeration.spaces.base import Bulk


@dataclass(frozen=True)
class Frozen:
    left: Any
    right: Any


class Named(NamedTuple):
    left: Any
    right: Any


class Plain:
    def __init__(self, left, right):
        self.left = left
        self.right = right

    def __eq__(self, other):
        return isinstance(other, Plain) and (self.left, self.right) == (other.left, other.right)

    __hash__ = None


def trees_of(build, **options):
    trees = gen.deferred(lambda: gen.none() | gen.builds(build, trees, trees, **options))
    return trees


@dataclass(frozen=True)
class Three:
    a: Any
    b: Any
    c: Any


def threes_of(build):
    trees = gen.deferred(lambda: gen.none() | gen.builds(build, trees, trees, trees))
    return trees


wide = gen.deferred(lambda: gen.none() | gen.tuples(wide, wide, wide))
roses = gen.deferred(lambda: gen.builds(Frozen, gen.booleans(), gen.lists(roses)))

SOURCES = {
    "tuples": gen.tuples(gen.integers(0, 3), gen.booleans(), gen.integers(0, 2)),
    "blocks": gen.tuples(gen.booleans(), gen.integers(0, 2999), gen.sampled_from("xyz")),
    "blocks first": gen.tuples(gen.integers(0, 2999), gen.booleans()),
    "keywords": gen.builds(Frozen, left=gen.integers(0, 3), right=gen.booleans()),
    "frozen": trees_of(Frozen).up_to_size(5),
    "named": trees_of(Named).up_to_size(5),
    "plain": trees_of(Plain).up_to_size(5),
    "plain, shared": trees_of(Plain, share=True).up_to_size(5),
    "three parts": wide.up_to_size(4),
    "three parts of a class": threes_of(Three).up_to_size(5),
    "three parts made new each time": threes_of(lambda a, b, c: [a, b, c]).up_to_size(4),
    "three parts by keyword": gen.deferred(
        lambda: gen.none() | gen.builds(Three, a=wide, b=gen.booleans(), c=wide)
    ).up_to_size(4),
    "lists by size": gen.lists(gen.integers()).up_to_size(6),
    "lists by size within bounds": gen.lists(gen.integers(), min_size=2, max_size=3).up_to_size(7),
    "lists of lists by size": gen.lists(gen.lists(gen.booleans())).up_to_size(5),
    "constructors of lists": roses.up_to_size(7),
    "classes of lists": gen.deferred(lambda: gen.builds(Plain, gen.integers(), gen.lists(roses))).up_to_size(
        5
    ),
    "text by size": gen.text("ab").up_to_size(6),
    "permutations by size": structures.permutations(range(9)).up_to_size(7),
    "combinations by size": structures.combinations(range(30), 5).of_size(8),
    "text": gen.text("abc", max_size=3),
    "binary": gen.binary(max_size=1),
    "tuples of lists of a length": gen.lists(gen.integers(0, 2), min_size=2, max_size=2).map(tuple),
    "text of pieces": gen.lists(gen.integers(0, 2).map(str), max_size=3).map("".join),
    "lists": gen.lists(gen.integers(0, 3), max_size=3),
    "lists of lists": gen.lists(gen.lists(gen.booleans(), max_size=2), max_size=2),
    "tuples of lists": gen.tuples(gen.lists(gen.booleans(), max_size=2), gen.integers(0, 1)),
    "maps": gen.tuples(gen.integers(0, 3).map(str), gen.integers(0, 2).map(lambda n: [n])),
    "unions": gen.integers(0, 3) | gen.booleans() | gen.tuples(gen.booleans()),
    "dependent": gen.integers(0, 4).flatmap(lambda n: gen.tuples(gen.just(n), gen.integers(0, n))),
    "chain": gen.integers(0, 4).chain(lambda n: gen.lists(gen.booleans(), min_size=n, max_size=n)),
    "chain of pairs": gen.integers(0, 4).chain(
        lambda n: gen.integers(0, n) * gen.lists(gen.booleans(), max_size=1)
    ),
    "maps of pairs in a class": gen.builds(
        Plain, gen.tuples(gen.booleans(), gen.integers(0, 2)).map(list), gen.booleans()
    ),
    "maps that share": gen.builds(Frozen, gen.integers(0, 2).map(lambda n: [n], share=True), gen.booleans()),
    "fixed dictionaries": gen.fixed_dictionaries({"a": gen.booleans(), 0: gen.integers(0, 2)}),
    "fixed dictionaries without keys": gen.fixed_dictionaries({}),
    "fixed dictionaries with optional keys": gen.fixed_dictionaries(
        {"a": gen.booleans()}, optional={"b": gen.integers(0, 2)}
    ),
    "filtered": gen.integers(0, 50).filter(lambda n: n % 7 == 1) * gen.booleans(),
    "wide range": gen.integers(-70_000, 5),
    "wide range around its simplest value": gen.integers(-5, 70_000),
    "days": gen.dates(date(1995, 1, 1), date(2025, 1, 1)),
    "sets": gen.sets(gen.integers(0, 4)),
    "unique lists": gen.lists(gen.sampled_from("abc"), unique=True),
    "unique lists of mutable values": gen.lists(
        gen.lists(gen.booleans(), max_size=1), unique_by=tuple, max_size=2
    ),
    "unique items": gen.lists(gen.tuples(gen.integers(0, 2), gen.booleans()), unique_by=lambda item: item[0]),
    "dictionaries": gen.dictionaries(gen.integers(0, 2), gen.integers(0, 2)),
    "dictionaries of lists": gen.dictionaries(gen.booleans(), gen.lists(gen.booleans(), max_size=1)),
    "uniform": (gen.integers(0, 9) * gen.booleans()).uniform(),
}


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES.keys())
def test_bulk_gives_what_indexing_gives(source):
    space = space_of(source)
    assert list(space.values(Bulk(space))) == [source[i] for i in range(space.count)]
    assert list(source) == [source[i] for i in range(space.count)]


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES.keys())
def test_bulk_from_any_number_on(source):
    space = space_of(source)
    count = space.count
    expected = [source[i] for i in range(count)]
    starts = range(count + 1) if count < 100 else [1, 2, 63, 1023, 1024, 1025, count // 2, count - 1, count]
    for start in starts:
        assert list(bulk.values(space, start)) == expected[start:]
        assert list(bulk._values(space, start)) == expected[start:]
        assert list(Bulk(space).after(space, start)) == expected[start:]


LARGE = {
    "blocks of one large part": gen.tuples(gen.booleans(), gen.integers(0, 10**5), gen.integers(0, 9)),
    "large parts beside the largest": gen.tuples(
        gen.integers(0, 10**5),
        gen.booleans(),
        gen.integers(0, 10**6),
        gen.integers(0, 2),
        gen.integers(0, 10**5),
    ),
    "large parts made new each time": gen.tuples(
        gen.integers(0, 10**6).map(lambda n: [n]), gen.integers(0, 10**5).map(lambda n: [n]), gen.booleans()
    ),
    "lists": gen.lists(gen.integers(0, 999), min_size=1, max_size=9),
    "trees": trees_of(Frozen).of_size(14),
    "plain trees": trees_of(Plain).of_size(12),
    "search trees": structures.search_trees(14),
    "dependent": gen.integers(0, 999).chain(lambda n: gen.lists(gen.integers(0, n), max_size=3)),
    "distinct": gen.sets(gen.integers(0, 40), max_size=7),
    "three parts": threes_of(Three).of_size(13),
    "three parts made new each time": threes_of(lambda a, b, c: [a, b, c]).of_size(11),
    "lists by size": gen.lists(gen.integers()).of_size(25),
    "long lists by size": gen.lists(gen.booleans()).of_size(90),
    "lists of lists by size": gen.lists(gen.lists(gen.booleans())).of_size(30),
    "text by size": gen.text("abcd").of_size(40),
}


@pytest.mark.slow
@pytest.mark.parametrize("source", LARGE.values(), ids=LARGE.keys())
def test_large_spaces_from_any_number_on(source):
    space = space_of(source)
    rng = random.Random(5)
    starts = [rng.randrange(space.count) for _ in range(5)] + [space.count - 3]
    for start in starts:
        expected = [source[i] for i in range(start, min(start + 300, space.count))]
        assert list(islice(bulk._values(space, start), 300)) == expected
        assert list(islice(bulk.values(space, start), 300)) == expected


ENDLESS = {
    "integers": gen.integers(),
    "upwards": gen.integers(5),
    "downwards": gen.integers(max_value=5),
    "pairs": gen.integers() * gen.integers(),
    "triples": gen.tuples(gen.integers(), gen.integers(), gen.integers()),
    "pairs beside finite parts": gen.tuples(
        gen.booleans(), gen.integers(), gen.sampled_from("abc"), gen.integers()
    ),
    "one endless part": gen.builds(Frozen, left=gen.booleans(), right=gen.integers()),
    "one endless part, alone": gen.builds(Frozen, gen.just("x"), gen.integers()),
    "beside a large part": gen.tuples(gen.integers(), gen.integers(0, 10**6)),
    "made new each time": gen.tuples(gen.lists(gen.integers()), gen.integers()),
    "lists": gen.lists(gen.integers()),
    "union": gen.integers() | gen.booleans() | gen.lists(gen.booleans()),
    "trees": trees_of(Frozen),
    "dependent": gen.integers().flatmap(lambda n: gen.tuples(gen.just(n), gen.booleans())),
    "stream": gen.from_iterable(iter(range(10**9))),
}


@pytest.mark.parametrize("source", ENDLESS.values(), ids=ENDLESS.keys())
def test_endless_sequences_give_what_indexing_gives(source):
    assert list(islice(source, 600)) == [source[i] for i in range(600)]
    for start in (1, 2, 3, 7, 8, 9, 26, 27, 64, 300, 511, 512):
        assert list(islice(bulk.values(space_of(source), start), 50)) == [
            source[i] for i in range(start, start + 50)
        ]


@pytest.mark.parametrize(
    "source",
    [
        SOURCES["plain"],
        SOURCES["lists of lists"],
        SOURCES["lists of lists by size"],
        SOURCES["three parts made new each time"],
        SOURCES["tuples of lists"],
        SOURCES["unique lists of mutable values"],
        SOURCES["dictionaries of lists"],
        SOURCES["chain of pairs"],
        SOURCES["maps of pairs in a class"],
        SOURCES["fixed dictionaries"],
    ],
)
def test_a_test_that_changes_its_input_does_not_disturb_the_next(source):
    expected = [repr_of(source[i]) for i in range(len(source))]
    seen = []
    for value in source:
        seen.append(repr_of(value))
        spoil(value)
    assert seen == expected


def repr_of(value):
    return (
        f"Plain({repr_of(value.left)}, {repr_of(value.right)})" if isinstance(value, Plain) else repr(value)
    )


def spoil(value):
    if isinstance(value, Plain):
        spoil(value.left)
        spoil(value.right)
        value.left = "spoiled"
    elif isinstance(value, list):
        for part in value:
            spoil(part)
        value.append("spoiled")
    elif isinstance(value, dict):
        for part in value.values():
            spoil(part)
        value["spoiled"] = True
    elif isinstance(value, tuple):
        for part in value:
            spoil(part)


def test_share_says_that_parts_may_be_the_same_object():
    values = list(SOURCES["plain, shared"])
    lefts = [value.left for value in values if value is not None and value.left is not None]
    assert len({id(left) for left in lefts}) < len(lefts)
    fresh = list(SOURCES["plain"])
    lefts = [value.left for value in fresh if value is not None and value.left is not None]
    assert len({id(left) for left in lefts}) == len(lefts)


def test_share_says_that_the_results_of_a_map_may_be_the_same_object():
    shared = [value.left for value in SOURCES["maps that share"]]
    assert len(shared) == 6 and len({id(left) for left in shared}) == 3
    lefts = [
        value.left for value in gen.builds(Frozen, gen.integers(0, 2).map(lambda n: [n]), gen.booleans())
    ]
    assert len({id(left) for left in lefts}) == 6


def test_a_mock_is_a_function_of_the_whole_value():
    """It has every attribute, including those that identify our own functions."""
    from unittest.mock import Mock

    function = Mock(side_effect=sum)
    assert list(gen.tuples(gen.booleans(), gen.integers(0, 1)).map(function)) == [0, 1, 1, 2]


def test_a_large_iteration_keeps_little():
    source = gen.tuples(gen.integers(0, 10**6), gen.integers(0, 10**6), gen.booleans())
    tracemalloc.start()
    for _ in islice(source, 100_000):
        pass
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20 * 2**20


def test_a_large_product_of_large_parts_starts_at_once():
    source = gen.tuples(gen.integers(0, 10**12), gen.booleans(), gen.integers(0, 10**12))
    assert list(islice(source, 5)) == [source[i] for i in range(5)]


def test_values_too_deep_for_nested_iterators():
    chains = gen.deferred(lambda: gen.none() | gen.tuples(chains))
    (value,) = list(chains.of_size(3000))
    for _ in range(3000):
        (value,) = value
    assert value is None


def test_a_function_that_raises_raises():
    def careful(n):
        if n == 5:
            raise ValueError("five")
        return n

    stream = iter(gen.integers(0, 9).map(careful))
    assert [next(stream) for _ in range(5)] == [0, 1, 2, 3, 4]
    with pytest.raises(ValueError, match="five"):
        next(stream)


def test_frozen_constructors_with_three_recursive_parts_can_be_walked():
    @dataclass(frozen=True)
    class Leaf:
        pass

    threes = gen.deferred(lambda: gen.builds(Leaf) | gen.builds(Three, threes, threes, threes))
    whole = threes.up_to_size(10)
    assert list(whole) == [whole[i] for i in range(len(whole))]
    assert len(whole) == 1 + 1 + 3 + 12


def test_a_part_made_anew_that_has_more_values_than_memory_streams():
    many = gen.lists(gen.integers(0, 2000), max_size=30)
    source = gen.lists(gen.integers(0, 3).flatmap(lambda n: gen.tuples(gen.just(n), many)), max_size=1)
    first = list(islice(source, 4))
    assert first == [source[i] for i in range(4)]


def counted_trees(**options):
    """Trees of a class that counts its instances, and the count."""
    made = []

    class Counted:
        def __init__(self, left, right):
            made.append(1)
            self.parts = left, right

    return trees_of(Counted, **options), made


def test_a_space_that_is_walked_again_is_not_made_of_new_parts():
    trees, made = counted_trees(share=True)
    source = trees.of_size(9)
    for _ in range(3):
        list(source)
    made.clear()
    list(source)
    assert len(made) == len(source) == 4862 > bulk.WHOLE_LIMIT


def test_a_small_space_that_is_walked_again_is_not_made_anew():
    trees, made = counted_trees(share=True)
    small = trees.of_size(7)
    first = [tree.parts for tree in small]
    list(small)
    made.clear()
    assert [tree.parts for tree in small] == first
    assert not made


@pytest.mark.parametrize(
    "source",
    [
        structures.combinations(range(1000), 999),
        gen.builds(lambda n: bytes(10_000 + n), gen.integers(0, 999), share=True),
    ],
)
def test_a_small_space_of_large_values_does_not_stay(source):
    for _ in range(3):
        assert sum(1 for _ in source) == 1000
    space = space_of(source)
    assert space not in bulk._kept(space)._lists


def test_values_that_may_change_are_made_anew_in_every_walk():
    trees, _ = counted_trees()
    small = trees.of_size(4)
    walks = [list(small) for _ in range(3)]
    assert len({id(tree) for walk in walks for tree in walk}) == 3 * len(small)


def test_a_small_space_with_a_value_that_cannot_be_made_gives_those_before_it_every_time():
    source = gen.builds(fails_at(5, ValueError("five")), gen.integers(0, 9), share=True)
    for _ in range(3):
        walk = iter(source)
        assert list(islice(walk, 5)) == [0, 1, 2, 3, 4]
        with pytest.raises(ValueError, match="five"):
            next(walk)


def test_the_lists_that_stay_are_bounded(monkeypatch):
    monkeypatch.setattr(bulk, "KEPT_LIMIT", 200)
    bulk._kept.cache_clear()
    trees = trees_of(Frozen)
    for size in range(8):
        small = trees.of_size(size)
        for _ in range(3):
            assert list(small) == [small[i] for i in range(len(small))]
        space = space_of(small).space
        if space.count <= 200:
            assert sum(map(len, bulk._kept(space)._lists.values())) <= 200
    assert bulk._kept.cache_info().currsize <= bulk.MOST_KEPT
    bulk._kept.cache_clear()


def test_two_threads_walk_the_same_small_space():
    small = trees_of(Frozen).of_size(8)
    expected = [small[i] for i in range(len(small))]
    results = []
    threads = [Thread(target=lambda: results.append(list(small))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected] * 8


def test_lists_longer_than_recursion_goes_deep():
    source = gen.lists(gen.booleans()).of_size(1200)
    for start in (0, 4090, 2**600, 2**1200 - 60):
        stop = min(start + 100, 2**1200)
        values = islice(bulk._values(space_of(source), start), 100)
        assert list(values) == [source[i] for i in range(start, stop)]


BULKY = {
    "lists longer than recursion goes deep": gen.lists(gen.booleans()).of_size(1200),
    "three parts": threes_of(Three).of_size(12),
    "lists by size": gen.lists(gen.integers()).of_size(9),
    "text by size": gen.text("ab").of_size(12),
    "constructors of lists": roses.of_size(9),
    "triples": gen.tuples(gen.integers(), gen.integers(), gen.integers()),
    "permutations": structures.permutations(range(7)),
    "combinations": structures.combinations(range(12), 4),
    "set partitions": structures.set_partitions(range(9)),
}


@pytest.mark.slow
@pytest.mark.parametrize("source", BULKY.values(), ids=BULKY.keys())
def test_what_goes_in_bulk_is_not_made_by_number(source, monkeypatch):
    """In a space whose values are decoded one by one, a value costs as much in bulk as by index."""
    space = space_of(source)
    decoded = []
    for kind in (rows.Rows, rows.ListTier, endless.Paired):
        plain = kind.split
        monkeypatch.setattr(kind, "split", lambda self, i, plain=plain: decoded.append(1) or plain(self, i))
    for name in ("permutation", "combination"):
        plain = getattr(combinatorics, name)
        monkeypatch.setattr(combinatorics, name, lambda *a, plain=plain: decoded.append(1) or plain(*a))
    blocks_of = combinatorics.Partitions.__call__
    monkeypatch.setattr(
        combinatorics.Partitions, "__call__", lambda self, word: decoded.append(1) or blocks_of(self, word)
    )
    assert len(list(islice(space.values(Bulk(space)), 2000))) > 100
    assert len(decoded) < 10


def test_a_product_of_endless_parts_goes_on_from_far_away():
    pairs = gen.integers() * gen.integers()
    for start in (10**12, 10**30):
        assert list(pairs[start : start + 600]) == [pairs[i] for i in range(start, start + 600)]


def fails_at(number, error):
    def function(n):
        if n == number:
            raise error
        return n

    return function


def test_what_comes_before_a_value_that_cannot_be_made_comes_first():
    tens = gen.integers(0, 9).map(fails_at(5, ValueError("five")))
    for source, before in [
        (gen.tuples(gen.booleans(), tens), 5),
        (gen.lists(tens), 6),
        (gen.lists(tens, max_size=3), 6),
        (gen.tuples(gen.integers(0), tens), 5),
    ]:
        walk = iter(source)
        assert list(islice(walk, before)) == [source[i] for i in range(before)]
        with pytest.raises(ValueError, match="five"):
            next(walk)


def test_a_function_that_raises_stop_iteration_does_not_end_the_walk_quietly():
    """For example ``next(...)`` of an empty iterator in user code: the rest would never be tested."""
    stopping = fails_at(5, StopIteration())
    for source in [
        gen.integers(0, 9).map(stopping),
        gen.integers(0, 5).map(stopping),
        gen.integers(0).map(stopping),
        gen.booleans() | gen.integers(0, 9).map(stopping),
        gen.tuples(gen.integers(0, 9).map(stopping), gen.booleans()),
        gen.tuples(gen.integers(0, 5000).map(stopping), gen.booleans()),
        gen.lists(gen.integers(0, 9).map(stopping)),
        gen.builds(stopping, gen.integers(0, 9)),
        gen.builds(stopping, gen.integers(0, 9), share=True),
        gen.builds(stopping, gen.integers(0, 9), share=True) | gen.integers(0, 9),
    ]:
        for start in (0, 1):
            with pytest.raises(RuntimeError, match="StopIteration"):
                for _ in source[start:]:
                    pass


@pytest.mark.slow
def test_lists_of_long_rows_count_for_more_than_lists_of_numbers():
    space = space_of(gen.lists(gen.just("") | gen.text("a", min_size=150, max_size=150)).of_size(450))
    walk = Bulk(space, bulk.KEPT_LIMIT)
    assert sum(1 for _ in space.values(walk)) == space.count
    held = sum(sys.getsizeof(row) for rows in walk._lists.values() for row in rows)
    assert held < 10 * 2**20
