"""Collections: sizes, uniqueness, and reading the choices back from a value."""

from __future__ import annotations

import math
from collections import Counter
from itertools import permutations

import pytest

from everycase import gen
from everycase.gen.kinds import Int, Map


def test_sizes_reach_both_ends_and_nothing_else() -> None:
    makers = [
        gen.lists(gen.integers(), min_size=2, max_size=5),
        gen.sets(gen.integers(), min_size=2, max_size=5),
        gen.frozensets(gen.integers(), min_size=2, max_size=5),
        gen.dictionaries(gen.integers(), gen.none(), min_size=2, max_size=5),
        gen.text(min_size=2, max_size=5),
        gen.binary(min_size=2, max_size=5),
        gen.lists(gen.integers(), min_size=2, max_size=5, unique=True),
    ]
    for node in makers:
        assert {len(value) for value in node.sample(300, seed=0)} == {2, 3, 4, 5}, node


def test_unique_lists_use_up_all_there_is() -> None:
    assert {
        tuple(sorted(xs)) for xs in gen.lists(gen.integers(0, 4), min_size=5, unique=True).sample(20)
    } == {(0, 1, 2, 3, 4)}


def test_unique_by_several_keys_means_each_of_them() -> None:
    pairs = gen.tuples(gen.integers(0, 9), gen.integers(0, 9))
    found = gen.lists(pairs, min_size=3, unique_by=(lambda p: p[0], lambda p: p[1])).sample(100, seed=0)
    assert all(len({p[0] for p in xs}) == len({p[1] for p in xs}) == len(xs) for xs in found)
    # Being different as a pair is not enough.
    loose = gen.lists(pairs, min_size=3, unique=True).sample(100, seed=0)
    assert any(len({p[0] for p in xs}) < len(xs) for xs in loose)


def test_the_first_of_two_equal_keys_is_not_overwritten() -> None:
    """True == 1 == 1.0 as keys: such items repeat a key and are left out."""
    keys = gen.sampled_from([1, True, 1.0, 2])
    found = gen.dictionaries(keys, gen.integers(0, 9), min_size=2).sample(50, seed=0)
    assert all(len(d) == 2 and set(d) == {1, 2} for d in found)


def test_permutations_are_all_there_is_and_nearly_equally_likely() -> None:
    node = gen.permutations([0, 1, 2, 3])
    counts = Counter(map(tuple, node.sample(24_000, seed=0)))
    assert set(counts) == set(permutations(range(4)))
    # Chi-square with 23 degrees of freedom exceeds 60 with probability 4e-5.
    assert sum((n - 1000) ** 2 / 1000 for n in counts.values()) < 60


def test_permutations_are_counted_in_order_and_go_back() -> None:
    node = gen.permutations("abcd")
    assert node.cardinality == math.factorial(4)
    assert node[0] == list("abcd")
    assert sorted("".join(p) for p in node) == sorted("".join(p) for p in permutations("abcd"))
    for arranged in permutations("abcd"):
        assert node[node.index(list(arranged))] == list(arranged)


def test_permutations_of_few_and_of_equal_values() -> None:
    assert gen.permutations([]).sample(2) == [[], []]
    assert gen.permutations([5]).sample(2) == [[5], [5]]
    assert gen.permutations([1, 1, 1]).sample(1) == [[1, 1, 1]]


def test_optional_keys_are_there_or_not() -> None:
    node = gen.fixed_dictionaries({"a": gen.booleans()}, optional={"b": gen.booleans(), "c": gen.just(0)})
    found = {tuple(d.items()) for d in node.sample(300, seed=0)}
    assert len(found) == 2 * 3 * 2
    assert node.cardinality == 12


def test_keys_keep_the_order_given() -> None:
    node = gen.fixed_dictionaries({"z": gen.none(), "a": gen.none()}, optional={"m": gen.none()})
    assert {tuple(d) for d in node.sample(50, seed=0)} == {("z", "a"), ("z", "a", "m")}


@pytest.mark.parametrize(
    "node",
    [
        gen.text(max_size=20),
        gen.text("abc", max_size=4),
        gen.binary(max_size=9),
        gen.characters(),
        gen.characters(categories=["Nd"]),
        gen.sampled_from(["x", 1, True, 1.0]),
        gen.booleans(),
        gen.sets(gen.integers(0, 50)),
        gen.frozensets(gen.text("ab", max_size=3)),
        gen.dictionaries(gen.text(), gen.integers()),
        gen.fixed_dictionaries({"a": gen.integers()}, optional={"b": gen.text()}),
        gen.permutations("abcdef"),
        gen.dates(),
        gen.times(),
        gen.timedeltas(),
        gen.datetimes(),
        gen.uuids(),
        gen.uuids(version=4),
        gen.decimals("-5", "5", places=3),
    ],
    ids=repr,
)
def test_the_inverse_takes_a_value_back_to_a_source_that_makes_it(node: Map[object]) -> None:
    assert isinstance(node, Map)
    assert node.inverse is not None
    for value in node.sample(100, seed=0):
        source = node.inverse(value)
        again = node.f(source)
        assert again == value and type(again) is type(value)


def test_calls_with_the_same_arguments_give_the_same_node() -> None:
    assert gen.integers(0, 5) is gen.integers(0, 5)
    assert gen.lists(gen.integers(0, 5)) is gen.lists(gen.integers(0, 5))
    assert gen.tuples(gen.booleans(), gen.text()) is gen.tuples(gen.booleans(), gen.text())
    assert gen.sampled_from([1, 2]) is gen.sampled_from([1, 2])
    assert gen.floats(0, 1) is gen.floats(0, 1)
    assert gen.text("ab") is gen.text("ab")
    assert (gen.none() | gen.booleans()) is gen.one_of(gen.none(), gen.booleans())


def test_what_only_compares_equal_gives_different_nodes() -> None:
    assert gen.sampled_from([1, 2]) is not gen.sampled_from([True, 2])
    assert {type(x) for x in gen.sampled_from([True, 2]).sample(20, seed=0)} == {bool, int}
    assert gen.floats(0.0, 1.0) is not gen.floats(-0.0, 1.0)


def test_a_small_integer_range_is_one_node_of_the_kind() -> None:
    node = gen.integers(3, 9)
    assert isinstance(node, Int) and (node.lo, node.hi, node.towards) == (3, 9, 3)
