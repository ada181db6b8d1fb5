"""Families of generators: the paper's examples, memoisation, recursion, parameters, conversions."""

from __future__ import annotations

import math
from datetime import date
from enum import Enum
from itertools import count, cycle, islice
from math import comb

import pytest

from everycase import errors, gen
from everycase.enumeration.spaces import endless
from everycase.gen import validate
from sample_types import catalan


@gen.dependent
def bst(size, keys):
    """The paper's figure 3, in the same number of lines."""
    if size == 0:
        return gen.just("Leaf")
    left = bst.inmap(lambda ls, m: (ls, range(keys.start, m)))
    right = bst.inmap(lambda ls, m: (size - ls - 1, range(m + 1, keys.stop)))
    roots = gen.from_iterable(range(size)) * gen.from_iterable(keys)
    return roots.chain(left * right).map(lambda node: (node[1][0], node[0][1], node[1][1]))


def keys_of(tree):
    return [] if tree == "Leaf" else [*keys_of(tree[0]), tree[1], *keys_of(tree[2])]


def test_the_papers_search_trees():
    for n in range(8):
        trees = bst(n, range(1, n + 1))
        assert trees.cardinality == catalan(n)
        assert all(keys_of(tree) == list(range(1, n + 1)) for tree in trees)
        assert len(set(trees)) == len(trees)
    # Fewer nodes than keys: any of the keys.
    assert bst(3, range(1, 6)).cardinality == catalan(3) * comb(5, 3)


@pytest.mark.slow
def test_the_papers_search_trees_at_its_largest_size():
    trees = bst(15, range(1, 16))
    assert trees.cardinality == catalan(15)
    for number in (0, 1, 4_711_000, catalan(15) - 1):
        tree = trees[number]
        assert keys_of(tree) == list(range(1, 16))
    assert len({trees[i] for i in range(0, catalan(15), 9999)}) == len(range(0, catalan(15), 9999))
    nine = bst(9, range(1, 10))
    assert list(nine) == [nine[i] for i in range(catalan(9))]


def is_valid(triple):
    try:
        as_date(triple)
    except ValueError:
        return False
    return True


def as_date(triple):
    (day, month), year = triple
    return date(year, month, day)


def test_the_papers_dates():
    # The paper's figure 1, in the same number of lines.
    triples = gen.integers(1, 31) * gen.integers(1, 12) * gen.from_iterable(count(2014))
    dates = triples.filter(is_valid).map(as_date)
    first = list(islice(dates, 365))
    assert set(first) == {date.fromordinal(date(2014, 1, 1).toordinal() + i) for i in range(365)}
    assert dates[209] == first[209]
    assert dates[365 * 2 + 366].year == 2017
    assert all(day.year >= 2014 for day in dates.sample(20, seed=1))


def test_members_are_made_once():
    calls = []

    @gen.dependent
    def family(n):
        calls.append(n)
        return gen.just(n) if n == 0 else gen.tuples(family(n - 1), family(n - 1))

    assert family(5) is family(5)
    assert family(20).cardinality == 1
    assert sorted(calls) == list(range(21))


def test_parameters_are_told_apart_by_type():
    @gen.dependent
    def family(param):
        return gen.just(repr(param))

    for param in (1, 1.0, True, 0.0, -0.0, (1,), (True,), range(0), range(5, 5), frozenset([1])):
        assert family(param)[0] == repr(param)


def test_unhashable_parameters_need_a_key():
    @gen.dependent
    def unkeyed(items):
        return gen.sampled_from(items)

    with pytest.raises(errors.InvalidArgument, match="key="):
        unkeyed([1, 2])

    @gen.dependent(key=lambda items: tuple(items))
    def keyed(items):
        return gen.sampled_from(items)

    assert list(keyed([1, 2])) == [1, 2]
    assert keyed([1, 2]) is keyed([1, 2])


def test_mutual_recursion():
    @gen.dependent
    def even(n):
        return gen.just("e") if n == 0 else gen.tuples(odd(n - 1))

    @gen.dependent
    def odd(n):
        return gen.nothing() if n == 0 else gen.tuples(even(n - 1))

    assert even(10).cardinality == 1
    assert even(9).cardinality == 0
    assert list(even(9)) == []


def test_families_deeper_than_the_recursion_limit():
    @gen.dependent
    def family(n):
        return gen.booleans() if n == 0 else family(n - 1).map(lambda x: not x)

    assert family(5000).cardinality == 2
    assert list(family(3)) == [True, False]


def test_union_and_product_parameter_by_parameter():
    small = gen.dependent(lambda n: gen.integers(0, n))
    letters = gen.dependent(lambda n: gen.sampled_from("abc"[:n]))
    assert list((small | letters)(2)) == [0, 1, 2, "a", "b"]
    assert list((small * letters)(1)) == [(0, "a"), (1, "a")]
    assert list(small.inmap(len)("xy")) == [0, 1, 2]
    assert list((small | (lambda n: gen.just(-n)))(1)) == [0, 1, -1], "any function of the parameters will do"
    spans = gen.dependent(lambda span: gen.integers(*span))
    assert list((spans * spans)((1, 2)))[1] == (1, 2), "one parameter that happens to be a tuple"
    with pytest.raises(errors.InvalidArgument, match="family"):
        small | gen.integers()


def test_chain_keeps_the_parameter_and_flatmap_drops_it():
    small = gen.dependent(lambda n: gen.integers(0, n))
    assert list(gen.integers(1, 2).chain(small)) == [(1, 0), (1, 1), (2, 0), (2, 1), (2, 2)]
    assert list(gen.integers(1, 2).flatmap(small)) == [0, 1, 0, 1, 2]
    pairs = gen.integers(1, 50).chain(small)
    assert all(pairs.index(pairs[i]) == i for i in range(len(pairs)))
    assert (3, 9) not in pairs


def test_chain_over_infinitely_many_parameters():
    small = gen.dependent(lambda n: gen.integers(0, n))
    pairs = gen.integers(0).chain(small)
    assert pairs.cardinality == math.inf
    assert list(islice(pairs, 6)) == [(0, 0), (1, 0), (1, 1), (2, 0), (2, 1), (2, 2)]
    assert pairs.index((100, 7)) == 100 * 101 // 2 + 7
    endless = gen.integers(0).chain(lambda n: gen.integers(0))
    assert set(islice(endless, 55)) == {(a, b) for a in range(10) for b in range(10 - a)}


@pytest.mark.parametrize("outers", [2, 5, None])
@pytest.mark.parametrize("period", [1, 2, 3])
def test_chain_over_infinitely_many_values_of_each_parameter_takes_turns(outers, period):
    """In every round one parameter joins, with all its values or the first of infinitely many; the others continue."""

    def is_endless(n):
        return n % period == 0

    family = gen.dependent(lambda n: gen.integers(0) if is_endless(n) else gen.integers(0, n))
    pairs = gen.integers(0, None if outers is None else outers - 1).chain(family)
    expected = []
    for turn in range(60):
        joins = outers is None or turn < outers
        if joins:
            expected += [(turn, k) for k in range(1 if is_endless(turn) else turn + 1)]
        before = range(turn if outers is None else min(turn, outers))
        expected += [(n, turn - n) for n in before if is_endless(n)]
    assert list(pairs[: len(expected)]) == list(islice(pairs, len(expected))) == expected
    assert [pairs.index(value) for value in expected] == list(range(len(expected)))


def test_finitely_many_parameters_of_infinitely_many_values_have_any_number():
    pairs = gen.integers(0, 3).chain(gen.dependent(lambda n: gen.integers(0) if n else gen.booleans()))
    for number in (10**6, 10**39, 10**300):
        assert pairs.index(pairs[number]) == number


def test_a_tuple_is_spread_over_several_parameters():
    @gen.dependent
    def between(low, high):
        return gen.integers(low, high)

    assert list((gen.just(1) * gen.just(3)).flatmap(between)) == [1, 2, 3]
    assert list(between(low=1, high=3)) == [1, 2, 3]


@pytest.mark.slow
def test_mistakes_are_explained():
    @gen.dependent
    def forgetful(n):
        return [n]

    with pytest.raises(errors.InvalidArgument, match="must be a generator"):
        forgetful(1).cardinality  # noqa: B018
    with pytest.raises(errors.InvalidArgument):
        gen.dependent(3)

    @gen.dependent
    def endless(n):
        return gen.just(n) | endless(n + 1)

    with pytest.raises(errors.GeneratorError, match="never ends"):
        endless(0).cardinality  # noqa: B018


def test_collections_become_generators():
    class Color(Enum):
        RED = 1
        GREEN = 2

    assert list(gen.from_iterable([3, 1, 2])) == [3, 1, 2]
    assert list(gen.from_iterable(range(9, 0, -4))) == [9, 5, 1]
    assert list(gen.from_iterable({"b", "c", "a"})) == ["a", "b", "c"]
    assert list(gen.from_iterable(Color)) == [Color.RED, Color.GREEN]
    assert list(gen.from_iterable({"x": 1})) == ["x"]
    assert gen.from_iterable(range(0)).cardinality == 0
    assert gen.from_iterable([]).cardinality == 0
    assert gen.from_iterable(gen.booleans()) is gen.booleans()
    large = gen.from_iterable(range(0, 10**30, 7))
    assert large[10**25] == 7 * 10**25
    assert large.index(7 * 10**20) == 10**20
    assert 8 not in large
    with pytest.raises(errors.InvalidArgument, match="order"):
        gen.from_iterable({1, "a"})
    with pytest.raises(errors.InvalidArgument):
        gen.from_iterable(3)


def test_iterators_without_end():
    squares = gen.from_iterable(n * n for n in count())
    assert squares.cardinality == math.inf
    assert squares[10] == 100
    assert squares[3] == 9, "what was given before is remembered"
    assert list(islice(squares * gen.booleans(), 3)) == [(0, False), (0, True), (1, False)]
    assert all(math.isqrt(n) ** 2 == n for n in squares.sample(50, seed=1))
    ended = gen.from_iterable(iter([1, 2]))
    with pytest.raises(errors.InvalidArgument, match="ended after 2"):
        ended[5]


def test_sizes_and_uniform_sampling():
    trees = gen.deferred(lambda: gen.none() | gen.tuples(trees, trees))
    three = trees.of_size(3)
    assert len(three) == 5
    assert trees.up_to_size(3).cardinality == 1 + 1 + 2 + 5
    assert list(trees.up_to_size(3)) == list(islice(trees, 9))
    assert three.index(three[4]) == 4
    assert trees[0] not in three
    assert trees.of_size(3).uniform()[2] == three[2]
    counts = dict.fromkeys(three, 0)
    for tree in three.sample(5000, seed=7):
        counts[tree] += 1
    assert all(850 < n < 1150 for n in counts.values())
    assert gen.integers(0, 9).of_size(1).cardinality == 0
    assert [gen.integers().of_size(n).cardinality for n in range(5)] == [2, 2, 4, 8, 16]
    with pytest.raises(errors.InvalidArgument, match="up_to_size"):
        trees.uniform()


def test_uniform_sampling_of_a_huge_space_has_no_favourites():
    huge = gen.lists(gen.booleans(), min_size=200, max_size=200).uniform()
    ones = sum(sum(bits) for bits in huge.sample(300, seed=3))
    assert abs(ones - 30_000) < 5 * math.sqrt(60_000) / 2


def test_uniform_samples_filters_by_rejection():
    odd = gen.integers(0, 10**6).filter(lambda n: n % 2).uniform()
    assert all(n % 2 for n in odd.sample(100, seed=0))


@pytest.mark.parametrize("inner", [lambda n: gen.integers(), lambda n: gen.integers(0, 9)])
def test_a_number_that_cannot_be_reached_is_refused_soon(inner):
    asked = []

    def family(n):
        asked.append(n)
        return inner(n)

    pairs = gen.integers(0).chain(family)
    with pytest.raises(errors.GeneratorError, match=r"more than 262,144 outer values.*Use a smaller index"):
        pairs[10**40]
    assert len(asked) < 10_000
    with pytest.raises(errors.GeneratorError, match=r"outer values"):
        pairs.index((10**12, 3))
    assert len(asked) < 10_000


def test_fast_growth_reaches_any_number():
    words = gen.integers(0).chain(lambda n: gen.lists(gen.booleans(), min_size=n, max_size=n))
    assert words.index(words[10**300]) == 10**300


def test_inner_values_that_were_forgotten_are_made_again(monkeypatch):
    monkeypatch.setattr(endless, "MOST_INNERS", 100)
    pairs = gen.integers(0).chain(lambda n: gen.integers(0, n % 2))
    expected = [(n, k) for n in range(1000) for k in range(n % 2 + 1)]
    assert list(islice(pairs, len(expected))) == expected
    assert [pairs[i] for i in range(0, 1500, 7)] == expected[::7]
    assert [pairs.index(value) for value in expected[::7]] == list(range(0, 1500, 7))


def test_values_of_an_iterator_are_looked_for():
    years = gen.from_iterable(count(2014))
    assert years.index(2024) == 10 and 2024 in years
    assert (years * gen.booleans())[(years * gen.booleans()).index((2020, True))] == (2020, True)
    with pytest.raises(errors.NotInvertible, match="not among the first 10,000"):
        1999 in years  # noqa: B015
    with pytest.raises(errors.NotCountable):
        gen.sets(gen.from_iterable(cycle("ab"))).cardinality  # noqa: B018


def test_members_that_refer_to_each_other_and_to_nothing_else(monkeypatch):
    made = []

    @gen.dependent
    def down(n):
        made.append(n)
        return gen.just("end") if n == 0 else down(n - 1)

    assert list(down(3000)) == ["end"] and down(3000)[0] == "end"
    assert len(made) < 10_000, "each is made once, or not many times"
    monkeypatch.setattr(validate, "MOST_DEFERRED", 1000)
    onwards = gen.dependent(lambda n: onwards(n + 1))
    with pytest.raises(errors.GeneratorError, match="seems to have no end"):
        onwards(0).cardinality  # noqa: B018
