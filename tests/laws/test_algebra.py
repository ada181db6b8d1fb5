"""The laws of the generator algebra: unions add, products multiply, map composes, nothing() is neutral."""

from __future__ import annotations

from itertools import product

import pytest

from everycase import gen

SMALL = [
    gen.booleans(),
    gen.integers(3, 5),
    gen.just("x"),
    gen.sampled_from("ab"),
    gen.nothing(),
    gen.tuples(),
]


@pytest.mark.parametrize("a", SMALL, ids=repr)
@pytest.mark.parametrize("b", SMALL, ids=repr)
def test_unions_add_and_products_multiply(a: gen.Gen[object], b: gen.Gen[object]) -> None:
    assert (a | b).cardinality == a.cardinality + b.cardinality
    assert (a * b).cardinality == a.cardinality * b.cardinality
    assert sorted(map(repr, a | b)) == sorted([*map(repr, a), *map(repr, b)])
    assert sorted(map(repr, a * b)) == sorted(map(repr, product(a, b)))


def test_a_union_is_the_same_however_it_is_nested() -> None:
    a, b, c = gen.booleans(), gen.integers(), gen.text()
    assert repr((a | b) | c) == repr(a | (b | c)) == repr(gen.one_of(a, b, c)) == repr(gen.one_of([a, b, c]))
    values = [node.sample(50, seed=0) for node in ((a | b) | c, a | (b | c))]
    assert values[0] == values[1]


def test_nothing_is_neutral() -> None:
    a = gen.integers(0, 9)
    assert (a | gen.nothing()) is a
    assert (gen.nothing() | a) is a
    assert gen.one_of() is gen.one_of(gen.nothing(), gen.nothing())
    assert gen.lists(gen.nothing()).sample(3) == [[], [], []]


def test_maps_compose() -> None:
    a = gen.integers(0, 100)
    twice = a.map(lambda n: n + 1).map(str)
    once = a.map(lambda n: str(n + 1))
    assert twice.sample(50, seed=0) == once.sample(50, seed=0)
    assert a.map(lambda n: n).sample(50, seed=0) == a.sample(50, seed=0)


def test_a_product_is_strictly_binary() -> None:
    a = gen.just(1)
    assert ((a * a) * a).sample(1) == [((1, 1), 1)]
    assert (a * (a * a)).sample(1) == [(1, (1, 1))]


def test_flatmap_to_a_constant_is_map() -> None:
    a = gen.integers(0, 50)
    assert a.flatmap(lambda n: gen.just(n * n)).sample(50, seed=0) == a.map(lambda n: n * n).sample(
        50, seed=0
    )


def test_a_filter_that_always_passes_changes_nothing() -> None:
    a = gen.lists(gen.integers())
    assert a.filter(lambda xs: True).sample(50, seed=0) == a.sample(50, seed=0)
