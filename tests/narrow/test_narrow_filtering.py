"""The oracle: narrowing finds exactly the values that filtering finds, with the same multiplicity."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import attrs
import pytest

from everycase import check, gen
from everycase.errors import InvalidArgument
from everycase.explore import Narrow
from everycase.gen.base import Gen
from everycase.narrow import Narrowing
from sample_types import Color, Leaf, Node


@dataclass(slots=True)
class SlottedLeaf:
    v: int


@dataclass(slots=True)
class SlottedNode:
    a: Any
    b: Any


class Point(NamedTuple):
    x: int
    y: Any


@attrs.define
class Flagged:
    x: int
    y: bool


trees: Gen[Any] = gen.deferred(lambda: gen.builds(Leaf) | gen.builds(Node, trees, gen.integers(0, 3), trees))
optional_trees: Gen[Any] = gen.deferred(
    lambda: gen.none() | gen.builds(Node, optional_trees, gen.integers(0, 3), optional_trees)
)
slotted: Gen[Any] = gen.deferred(
    lambda: gen.builds(SlottedLeaf, gen.integers()) | gen.builds(SlottedNode, slotted, slotted)
)


def is_search_tree(tree: Any, lo: int = -1, hi: int = 99) -> bool:
    match tree:
        case Node(left, key, right):
            return lo < key < hi and is_search_tree(left, lo, key) and is_search_tree(right, key, hi)
    return True


def total(tree: Any) -> int:
    return tree.v if isinstance(tree, SlottedLeaf) else total(tree.a) + total(tree.b)


def is_sorted(xs: list[Any]) -> bool:
    return all(a <= b for a, b in zip(xs, xs[1:]))  # noqa: RUF007 (a slice is what people write)


def mixed(x: Any) -> bool:
    match x:
        case None:
            return False
        case bool():
            return x
        case int():
            return x > 1
        case SlottedLeaf(v):
            return v == 1
        case [a, b]:
            return a != b
    return False


CASES: dict[str, tuple[Gen[Any], Callable[[Any], object], int]] = {
    "dataclasses": (trees, is_search_tree, 6),
    "optional fields": (optional_trees, is_search_tree, 4),
    "slots": (slotted, lambda t: total(t) == 2, 5),
    "sorted lists": (gen.lists(gen.integers(0, 4)), is_sorted, 4),
    "sorted()": (gen.lists(gen.integers(0, 4)), lambda xs: xs == sorted(xs), 4),
    "sum": (gen.lists(gen.integers()), lambda xs: sum(xs) == 3, 5),
    "tuples": (
        gen.tuples(gen.integers(0, 9), gen.booleans(), gen.sampled_from("abc")),
        lambda t: t[0] > 6 and (t[1] or t[2] == "c"),
        3,
    ),
    "named tuples": (gen.builds(Point, gen.integers(0, 5), gen.booleans()), lambda p: p.x == 3 or p.y, 3),
    "attrs": (gen.builds(Flagged, gen.integers(0, 5), gen.booleans()), lambda p: p.x == 3 or p.y, 3),
    "lists of named tuples": (
        gen.lists(gen.builds(Point, gen.integers(0, 2), gen.enums(Color))),
        lambda ps: len(ps) > 1 and all(p.y is Color.BLUE for p in ps),
        5,
    ),
    "map inside": (gen.lists(gen.integers(0, 3).map(lambda n: n * n)), lambda xs: 4 in xs, 3),
    "filter inside": (gen.lists(gen.integers(0, 3).filter(lambda n: n % 2)), lambda xs: len(xs) == 2, 3),
    "flatmap": (
        gen.integers(0, 3).flatmap(lambda n: gen.lists(gen.booleans(), min_size=n, max_size=n)),
        lambda xs: sum(xs) >= 2,
        3,
    ),
    "text": (gen.text("ab", max_size=3), lambda s: s[:1] == "a", 3),
    "floats": (gen.floats(), lambda x: x > 1, 4),
    "mixed union": (
        gen.one_of(
            gen.none(),
            gen.integers(),
            gen.booleans(),
            gen.builds(SlottedLeaf, gen.integers(0, 2)),
            gen.lists(gen.booleans()),
        ),
        mixed,
        4,
    ),
    "lists of trees": (
        gen.lists(trees, min_size=1, max_size=2),
        lambda ts: all(map(is_search_tree, ts)) and isinstance(ts[-1], Node),
        6,
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_same_values_as_filtering(name: str) -> None:
    generator, predicate, size = CASES[name]
    wanted = Counter(repr(value) for value in generator.up_to_size(size) if predicate(value))
    found = list(Narrowing([generator]).search(size, predicate))
    assert Counter(repr(one.value) for one in found) == wanted
    by_size = [
        one.value
        for n in range(size + 1)
        for one in Narrowing([generator.filter(predicate)]).search(n, exactly=True)
    ]
    assert Counter(map(repr, by_size)) == wanted


@pytest.mark.parametrize("name", CASES)
def test_traces_make_the_values_again(name: str) -> None:
    generator, predicate, size = CASES[name]
    for found in Narrowing([generator]).search(size, predicate):
        assert repr(found.trace().value) == repr(found.args)


@pytest.mark.parametrize("order", ["depth", "random"])
def test_more_alternatives_than_python_can_count(order: str) -> None:
    numbers = gen.integers().filter(lambda n: n % 3 == 1)
    report = check(lambda n: n % 3 == 1, numbers, explore=Narrow(max_size=192, order=order), max_examples=20)
    assert (report.status, report.examples) == ("passed", 20)


@pytest.mark.parametrize("size", [-1, 2.5, "3", None, True, math.inf])
def test_a_size_is_a_number_of_constructors(size: Any) -> None:
    with pytest.raises(InvalidArgument, match="max_size"):
        Narrowing([gen.booleans()]).search(size)
