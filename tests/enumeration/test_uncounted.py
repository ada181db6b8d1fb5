"""Filters over too many values to try can be parts of anything: the values have an order, but no count."""

from __future__ import annotations

from itertools import islice, pairwise

import pytest

from everycase import check, errors, gen
from everycase.explore import Exhaustive


def is_odd(n: int) -> bool:
    return n % 2 == 1


odd = gen.integers().filter(is_odd)
many = gen.integers(0, 10**7).filter(lambda n: n % 1000 == 6)
trees = gen.deferred(lambda: gen.none() | gen.tuples(odd, trees, trees))
mirrored = gen.deferred(lambda: gen.none() | gen.tuples(mirrored, mirrored, odd))

SOURCES = {
    "a union with a finite part": odd | gen.booleans(),
    "a union of two": odd | many,
    "a union with something endless": gen.integers() | odd.map(str, inverse=int),
    "a product": odd * many,
    "a product with a finite part": gen.tuples(gen.booleans(), odd, gen.sampled_from("xy")),
    "lists": gen.lists(odd),
    "short lists": gen.lists(gen.integers(0, 10**5).filter(is_odd), max_size=2),
    "recursion": trees,
    "recursion that comes first": mirrored,
    "dependent": gen.integers(0, 3).chain(lambda n: gen.integers(n).filter(is_odd)),
    "dependent on a filter": odd.chain(lambda n: gen.booleans()),
    "a filter of pairs of filters": (odd * many).filter(lambda pair: pair[0] > 0),
    "a function of a union": (odd | many).map(lambda n: -n, inverse=lambda n: -n),
    "more sets than anybody counts": gen.sets(gen.integers(0, 10**9)),
    "more lists than anybody counts": gen.lists(gen.integers(0, 9), max_size=10**7),
    "sets of floats": gen.sets(gen.floats(0, 1)),
    "pairs with them": gen.tuples(gen.booleans(), gen.sets(gen.integers(0, 10**9))),
    "dependent on more outer values than are counted": gen.integers(0, 2**20).chain(
        lambda n: gen.integers(0, n % 3)
    ),
}


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES.keys())
def test_numbers_values_and_iteration_agree(source):
    values = list(islice(source, 300))
    assert values == [source[i] for i in range(300)]
    assert values == list(source[:300]) and values[100:200:7] == list(source[100:200:7])
    assert len(set(map(repr, values))) == 300, "none is repeated"
    for i in range(0, 300, 13):
        assert source.index(values[i]) == i and values[i] in source
    with pytest.raises(errors.NotCountable):
        source.cardinality  # noqa: B018


def test_unions_take_turns_and_products_are_fair():
    assert list(islice(odd | gen.booleans(), 6)) == [False, True, -1, 1, -3, 3]
    assert list(islice(odd | many, 6)) == [-1, 6, 1, 1006, -3, 2006]
    firsts, seconds = zip(*islice(odd * many, 400))
    assert len(set(firsts)) == len(set(seconds)) == 20


def test_flatmaps_over_many_outer_values_count():
    pairs = gen.integers(0, 199_999).flatmap(lambda n: gen.integers(0, n % 3))
    assert pairs.cardinality == sum(n % 3 + 1 for n in range(200_000))
    assert (
        pairs[-1] == 199_999 % 3
        and pairs[300_000] == [k for n in range(200_000) for k in range(n % 3 + 1)][300_000]
    )


@pytest.mark.slow
def test_flatmaps_over_more_say_that_they_have_no_count():
    source = gen.integers(0, 2**20).flatmap(lambda n: gen.integers(0, 1))
    with pytest.raises(errors.NotCountable, match=r"262,144 outer values.*Its values have an order"):
        len(source)
    assert source[200_001] == 1


def test_a_part_that_ends_says_so():
    few = gen.integers(0, 100_000).filter(lambda n: n < 3)
    union = few | gen.integers()
    assert list(islice(union, 6)) == [0, 0, 1, -1, 2, 1]
    for attempt in (lambda: list(islice(union, 8)), lambda: union[6]):
        with pytest.raises(errors.GeneratorError, match=r"rejected 100,000 values|no more values"):
            attempt()
    with pytest.raises(errors.GeneratorError, match=r"no more values.*sampled_from"):
        (gen.integers(0, 70_000).filter(lambda n: n > 69_998) | gen.integers())[8]


def test_composites_have_no_numbers_still():
    @gen.composite
    def one(draw):
        return draw(gen.booleans())

    for source in (one() | odd, one() * odd, gen.lists(one()), odd.flatmap(lambda n: one())):
        with pytest.raises(errors.NotCountable, match="composite"):
            source[0]


def test_exhaustive_runs_over_such_filters_go_on_as_before():
    seen = []
    report = check(lambda n: seen.append(n), odd, explore=Exhaustive(), max_examples=50)
    assert report.status == "passed" and not report.exhaustive
    assert len(set(seen)) == len(seen) == 50 and all(map(is_odd, seen))
    assert all(abs(a) <= abs(b) for a, b in pairwise(seen))
