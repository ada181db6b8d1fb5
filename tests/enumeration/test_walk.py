"""Walking all choices: every value once, simplest first, without hanging."""

from __future__ import annotations

from itertools import islice, product

import pytest

from everycase import errors, gen
from everycase.choices.dice import no_dice
from everycase.choices.enact import enact
from everycase.enumeration import walk


def values(source, limit=None):
    return [trace.value for trace in islice(walk(source), limit)]


@gen.composite
def intervals(draw, limit):
    low = draw(gen.integers(0, limit))
    return low, draw(gen.integers(low, limit))


@gen.composite
def trees(draw):
    return (draw(trees()), draw(trees())) if draw(gen.booleans()) else "L"


@gen.composite
def many_draws(draw, count, radix):
    return tuple(draw(gen.integers(0, radix - 1)) for _ in range(count))


def size(tree):
    return 0 if tree == "L" else 1 + size(tree[0]) + size(tree[1])


def test_a_composite_in_the_order_of_its_draws():
    assert values(intervals(3)) == [(low, high) for low in range(4) for high in range(low, 4)]


@pytest.mark.slow
@pytest.mark.parametrize(
    "source",
    [
        intervals(3),
        intervals(3).map(str),
        intervals(3).filter(lambda pair: pair[0] != 1),
        intervals(2) | intervals(3),
        intervals(1) * gen.booleans(),
        gen.lists(intervals(1), max_size=2),
        gen.lists(intervals(1), max_size=3, unique=True),
        intervals(2).flatmap(lambda pair: gen.integers(*pair)),
        gen.integers(0, 70_000).filter(lambda n: n % 20_000 == 1),
        gen.integers(0, 10),
    ],
    ids=repr,
)
def test_traces_are_whole_and_different(source):
    traces = list(walk(source))
    assert len({repr(trace.to_json()) for trace in traces}) == len(traces) > 0
    for trace in traces:
        assert enact(source, trace, no_dice).value == trace.value


@pytest.mark.slow
def test_filters_keep_what_passes():
    assert values(intervals(3).filter(lambda pair: sum(pair) == 3)) == [(0, 3), (1, 2)]
    assert values(gen.integers(0, 70_000).filter(lambda n: n % 20_000 == 1)) == [1, 20_001, 40_001, 60_001]


def test_unique_lists_are_permutations():
    found = values(gen.lists(gen.integers(0, 2).filter(lambda n: True), unique=True))
    assert sorted(found, key=lambda xs: (len(xs), xs)) == [
        list(xs) for length in range(4) for xs in product(range(3), repeat=length) if len(set(xs)) == length
    ]


def test_infinite_choices_are_all_reached_and_none_twice():
    @gen.composite
    def pairs(draw):
        return draw(gen.integers(0)), draw(gen.integers(0))

    found = values(pairs(), 3000)
    assert len(set(found)) == len(found)
    assert set(product(range(8), repeat=2)) <= set(found)


def test_unbounded_recursion_is_walked_small_values_first():
    found = values(trees(), 120)
    assert len(set(found)) == len(found)
    assert found[:2] == ["L", ("L", "L")]
    for limit in range(4):
        assert sum(size(tree) == limit for tree in found) == [1, 1, 2, 5][limit]


@pytest.mark.parametrize(("count", "radix"), [(5, 1000), (40, 2), (3, 100)])
def test_many_draws_do_not_hold_up_the_first_value(count, radix):
    found = values(many_draws(count, radix), 50)
    assert found == [tuple(value) for value in islice(product(range(radix), repeat=count), 50)]


def test_a_short_way_out_does_not_hide_long_ones():
    @gen.composite
    def sometimes_long(draw):
        return 0 if draw(gen.booleans()) is False else draw(many_draws(6, 100))

    found = values(sometimes_long(), 300)
    assert len(set(found)) == 300
    assert found[0] == 0


def test_all_combinations_of_a_long_finite_composite():
    assert sorted(values(many_draws(12, 2))) == sorted(product(range(2), repeat=12))


@pytest.mark.slow
def test_a_filter_that_never_passes_ends_with_an_error():
    with pytest.raises(errors.GeneratorError, match="hardly ever pass"):
        values(gen.integers().filter(lambda n: False))


def test_what_the_test_draws_cannot_be_walked():
    with pytest.raises(errors.NotCountable):
        values(gen.data())
