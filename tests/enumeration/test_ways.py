"""A value that can be made in several ways has an index for each of them, and every size finds its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from everycase import errors, gen
from everycase.choices import invert as ranking
from everycase.choices.enact import replay
from everycase.choices.invert import ways_of
from everycase.choices.trace import sizes


@dataclass(frozen=True)
class Pair:
    left: Any
    right: Any


terms = gen.deferred(lambda: gen.just(0) | gen.integers(0) | gen.tuples(terms, terms) | gen.tuples(terms))
boxes = gen.deferred(lambda: gen.none() | gen.tuples(boxes) | gen.tuples(boxes | gen.none()))
pairs = gen.deferred(
    lambda: gen.booleans() | gen.builds(Pair, pairs, gen.integers() | gen.sampled_from([1, 2]))
)

SOURCES = {
    "a constant and numbers": gen.just(7) | gen.integers(),
    "numbers of two prices": gen.integers(0, 9) | gen.integers(0) | gen.integers(),
    "inside of lists": gen.lists(gen.sampled_from([1, 2]) | gen.integers(0)),
    "inside of tuples": gen.tuples(gen.booleans() | gen.just(True), gen.just(5) | gen.integers()),
    "recursion": terms,
    "the same recursion twice": boxes,
    "classes": pairs,
    "dependent": gen.integers(0, 3).flatmap(lambda n: gen.integers(n) | gen.just(9)),
    "chain": (gen.just(3) | gen.integers(0)).chain(lambda n: gen.just(n) | gen.integers(0)),
    "a function": (gen.just(3) | gen.integers(0)).map(lambda n: -n, inverse=lambda n: -n),
    "a filter": (gen.sampled_from([4, 6]) | gen.integers(0)).filter(lambda n: n % 2 == 0),
    "sets": gen.sets(gen.integers(0, 3)) | gen.sets(gen.integers(0)),
}


@pytest.mark.slow
@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES.keys())
def test_every_size_knows_its_own_values(source):
    by_size = [list(source.of_size(n)) for n in range(5)]
    for n, values in enumerate(by_size):
        tier = source.of_size(n)
        # Up to 200 values of each size, evenly spread; those of the largest size are the most by far.
        for value in [value for other in by_size for value in other[:: 1 + len(other) // 200]]:
            if value in values:
                assert value in tier and tier[tier.index(value)] == value
            else:
                assert value not in tier
                with pytest.raises(errors.NoSuchValue):
                    tier.index(value)
        upto = source.up_to_size(n)
        for value in values[:: 1 + len(values) // 200]:
            assert upto[upto.index(value)] == value


def test_all_ways_that_differ_in_size_are_found():
    ways = ways_of(terms, ((0,), 3))
    # The pair and the box cost 1 each; 0 costs nothing, and 3 two bits.
    assert sorted(ways) == [4]
    found = ways_of(gen.lists(gen.just(5) | gen.integers()), [5, 5, 5])
    assert sorted(found) == [3, 6, 9, 12]
    for size, trace in found.items():
        assert trace.value == [5, 5, 5] and sizes(trace)[id(trace)] == size
        assert replay(trace.gen, trace).value == [5, 5, 5]


def test_many_overlapping_ways_take_no_time():
    value = None
    for _ in range(300):
        value = (value,)
    assert sorted(ways_of(boxes, value)) == [300]
    tier = boxes.of_size(300)
    assert tier[tier.index(value)] == value


def test_a_recursion_that_leads_to_itself_does_not_go_on_for_ever():
    endless = gen.deferred(lambda: gen.just(1) | endless)
    assert 1 in endless and 2 not in endless
    assert 2 not in gen.deferred(lambda: gen.just(1) | endless | endless)


def test_a_recursion_without_a_constructor_is_explained(monkeypatch):
    monkeypatch.setattr(ranking, "MOST_NESTED", 10_000)
    counting = gen.deferred(lambda: gen.just(0) | counting.map(lambda n: n + 1, inverse=lambda n: n - 1))
    assert 5 in counting
    with pytest.raises(errors.GeneratorError, match="constructor"):
        -1 in counting  # noqa: B015
