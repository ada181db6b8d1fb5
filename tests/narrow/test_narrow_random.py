"""Random orders: the lengths of lists, and that no value is tested twice."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, make_dataclass
from enum import Enum
from itertools import pairwise
from typing import Any

import pytest

from everycase import assume, check, gen
from everycase.explore import Narrow, Patterns
from everycase.narrow import Narrowing
from everycase.narrow import seen as repeats
from everycase.narrow.seen import Repeats
from sample_types import Leaf


def is_sorted(xs: Any) -> bool:
    return all(a <= b for a, b in pairwise(xs))


def lengths(inputs: Any, **options: Any) -> Counter[int]:
    seen: Counter[int] = Counter()

    def test(value: Any) -> None:
        seen[len(value)] += 1

    check(test, inputs, explore=Narrow(order="random", **options), max_examples=1000, seed=0, database=None)
    return seen


def test_random_lists_are_as_often_long_as_short() -> None:
    seen = lengths(gen.lists(gen.integers(0, 99)).filter(is_sorted), from_size=12, max_size=12)
    # Coin tosses for each element would make one in a thousand as long as 10.
    assert sum(count for length, count in seen.items() if length >= 8) > 150
    assert sum(count for length, count in seen.items() if length <= 4) > 30
    assert set(seen) == set(range(13))


@pytest.mark.parametrize(
    "inputs",
    [
        gen.lists(gen.integers(0, 99), unique=True).filter(lambda xs: 7 not in xs),
        gen.text(alphabet="abc").filter(lambda s: not s.startswith("ab")),
    ],
    ids=["unique lists", "text"],
)
def test_what_is_made_whole_becomes_longer_than_by_coin_tosses(inputs: Any) -> None:
    seen = lengths(inputs, from_size=12, max_size=12)
    assert sum(count for length, count in seen.items() if length >= 6) > 150


def test_lengths_keep_within_their_bounds() -> None:
    seen = lengths(gen.lists(gen.integers(0, 99), min_size=2, max_size=5).filter(is_sorted), max_size=30)
    assert set(seen) == {2, 3, 4, 5}
    assert min(seen.values()) > 30


@dataclass(frozen=True)
class Tree:
    children: list[Tree]


def test_lists_of_recursive_values_end() -> None:
    trees: Any = gen.deferred(lambda: gen.builds(Tree, gen.lists(trees)))
    widths: Counter[int] = Counter()

    def test(tree: Tree) -> None:
        widths[len(tree.children)] += 1

    check(
        test,
        trees.filter(lambda tree: len(tree.children) != 1),
        explore=Narrow(order="random", max_size=20),
        max_examples=500,
        seed=0,
        database=None,
    )
    assert widths[1] == 0
    assert len(widths) > 5


# --- each value once ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Fork:
    left: Any
    right: Any


@dataclass
class AllAlike:
    number: int

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AllAlike)

    __hash__ = None  # type: ignore[assignment]


def test_a_value_of_several_patterns_is_tested_once() -> None:
    trees: Any = gen.deferred(lambda: gen.builds(Leaf) | gen.builds(Fork, trees, trees))
    seen: list[Any] = []
    report = check(
        seen.append,
        trees,
        explore=Patterns(fineness=3, strength=2, max_size=9),
        max_examples=1000,
        database=None,
    )
    assert len(seen) == len(set(seen)) == report.examples
    in_patterns = sum(row["values"] for row in report.figures["patterns"])
    assert in_patterns > len(seen)


@pytest.mark.parametrize(
    "one, other",
    [
        (0, False),
        (1, 1.0),
        (-1, -2),
        (0, 2**61 - 1),
        (2**59, 2**59 + 1),
        (0.0, -0.0),
        ("1", 1),
        ("a", b"a"),
        (None, "None"),
        ((1, 2), [1, 2]),
        (([1], 2), ([1, 2],)),
        ([], [[]]),
        (Leaf(), Fork(Leaf(), Leaf())),
        (Fork(Fork(Leaf(), Leaf()), Leaf()), Fork(Leaf(), Fork(Leaf(), Leaf()))),
        (AllAlike(1), AllAlike(2)),
    ],
)
def test_different_values_are_told_apart(one: Any, other: Any) -> None:
    made = gen.builds(Leaf) | gen.builds(Fork, gen.none(), gen.none()) | gen.builds(AllAlike, gen.integers())
    seen = Repeats([made])
    assert seen.is_new((one,)) and seen.is_new((other,))
    assert not seen.is_new((one,)) and not seen.is_new((other,))
    assert seen.complete


def with_the_same_names() -> tuple[type, type[Enum]]:
    @dataclass(frozen=True)
    class Number:
        n: int

    class Light(Enum):
        RED = 1
        GREEN = 2

    return Number, Light


def test_classes_of_the_same_name_are_told_apart() -> None:
    (number, light), (other_number, other_light) = with_the_same_names(), with_the_same_names()
    inputs = gen.one_of(
        gen.builds(number, gen.integers(0, 2)),
        gen.builds(other_number, gen.integers(0, 2)),
        gen.sampled_from(light),
        gen.sampled_from(other_light),
    )
    seen: list[Any] = []
    check(
        seen.append, inputs.filter(lambda _: True), explore=Narrow(max_size=3, order="random"), database=None
    )
    assert len(seen) == len(set(seen)) == 3 + 3 + 2 + 2


def test_finding_values_again_is_not_blamed_on_the_predicate() -> None:
    classes = [make_dataclass(name, [("n", int)]) for name in "ABCD"]
    inputs = gen.one_of(*[gen.builds(cls, gen.integers(0, 2)) for cls in classes]).filter(lambda x: x.n >= 0)
    report = check(
        lambda x: None, inputs, explore=Narrow(max_size=3, order="scattered"), seed=0, database=None
    )
    assert report.figures["accepted"] == 12
    assert "reject early" not in report.covered


@pytest.mark.slow
def test_many_values_have_different_numbers() -> None:
    trees: Any = gen.deferred(lambda: gen.integers(-40, 40) | gen.builds(Fork, trees, trees))
    seen = Repeats([trees])
    assert all(seen.is_new((tree,)) for tree in trees.up_to_size(2))


def test_the_numbers_of_parts_are_kept_only_where_parts_cannot_change(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(repeats, "MOST_HASHED", 3)
    trees: Any = gen.deferred(lambda: gen.builds(Leaf) | gen.builds(Fork, trees, trees))
    seen = Repeats([trees])
    values = list(trees.up_to_size(7))
    assert all(seen.is_new((tree,)) for tree in values)
    assert not any(seen.is_new((tree,)) for tree in values)
    boxed = make_dataclass("Box", [("content", Any)])
    seen = Repeats([gen.builds(boxed, gen.integers())])
    box = boxed(1)
    assert seen.is_new((box,))
    box.content = 2
    assert seen.is_new((box,))
    box.content = 1
    assert not seen.is_new((box,))


def test_others_have_a_turn_where_every_evaluation_comes_to_a_dead_end() -> None:
    @gen.composite
    def never(draw):  # type: ignore[no-untyped-def]
        assume(False)

    pairs = gen.tuples(gen.integers(0, 10_000), never())
    search = Narrowing([pairs], [(lambda pair: int(pair[0]) >= 0 and pair[1], (0,))])
    steps = search.steps(20, beat=64)
    for turn in range(1, 4):
        assert next(steps) is None
        assert search.statistics.evaluations == 64 * turn


@pytest.mark.parametrize("beat", [1, 7, 64])
def test_others_have_a_turn_after_so_many_evaluations(beat: int) -> None:
    search = Narrowing(
        [gen.lists(gen.integers(0, 9)).filter(lambda xs: len(xs) >= 4 and sum(map(int, xs)) > 99)]
    )
    before = 0
    for found in search.steps(5, beat=beat):
        assert found is None
        assert search.statistics.evaluations - before == beat
        before = search.statistics.evaluations
        if before > 2000:
            return
    raise AssertionError("the search ended too soon")


def test_not_a_number_is_one_value() -> None:
    seen = Repeats([])
    assert seen.is_new((float("nan"),)) and not seen.is_new((float("nan"),))
