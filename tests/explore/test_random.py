"""Random runs: what comes first, what is repeated, and that the seed determines everything."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from everycase import assume, check, gen, maximize, settings
from everycase.errors import InvalidArgument
from everycase.explore import Climb, Random
from everycase.explore.protocol import Batch, Space

OPTIONS: dict[str, Any] = {"database": None, "seed": 5}


@dataclass
class Point:
    x: int
    y: bool


class Plain:
    """Only attributes, without a way to compare."""

    def __init__(self, x: int, y: bool) -> None:
        self.x, self.y = x, y

    def __repr__(self) -> str:
        return f"Plain({self.x}, {self.y})"


class Slotted(Plain):
    __slots__ = ("hidden",)


@gen.composite
def few(draw: Any) -> list[int]:
    return [draw(gen.integers(0, 50)) for _ in range(draw(gen.integers(0, 3)))]


def inputs_of(*gens: gen.Gen[Any], **options: Any) -> list[str]:
    seen: list[str] = []
    check(lambda *args: seen.append(repr(args)), *gens, **{**OPTIONS, "explore": Random(), **options})
    return seen


@pytest.mark.parametrize(
    "node",
    [
        gen.lists(gen.integers()),
        gen.lists(gen.booleans()),
        gen.text(),
        gen.integers(),
        gen.floats(),
        gen.dates(),
        gen.builds(Point, gen.integers(), gen.booleans()),
        gen.builds(Plain, gen.integers(0, 700), gen.booleans()),
        gen.lists(gen.builds(Plain, gen.integers(), gen.booleans())),
        gen.text(max_size=3),
        gen.text("ab"),
        gen.characters(),
        gen.lists(gen.sampled_from("abc")),
        gen.dictionaries(gen.booleans(), gen.integers(0, 60)),
        gen.dictionaries(gen.text("ab"), gen.booleans()),
        gen.sets(gen.integers(0, 20)),
        gen.integers(0, 1001),
        gen.tuples(gen.integers(0, 9), gen.integers(0, 9), gen.integers(0, 9), gen.booleans()),
        gen.none() | gen.integers(0, 1500),
        few(),
    ],
    ids=repr,
)
def test_hardly_any_input_comes_twice(node: gen.Gen[Any]) -> None:
    seen = inputs_of(node, max_examples=1000)
    assert len(set(seen)) >= 970


def test_no_input_of_a_small_space_comes_twice_while_there_are_others() -> None:
    node = gen.lists(gen.booleans(), max_size=9)
    total = len(node)
    seen = inputs_of(node, max_examples=total)
    assert len(set(seen)) == len(seen) == total
    more = inputs_of(node, max_examples=total + 10)
    assert len(more) == total + 10, "and then they come again"


def test_objects_with_hidden_parts_are_not_taken_for_the_same() -> None:
    seen: list[int] = []

    def make(n: int) -> Slotted:
        made = Slotted(0, True)
        made.hidden = n  # type: ignore[attr-defined]
        return made

    node = gen.integers(0, 10**6).map(make)
    check(lambda x: seen.append(x.hidden), node, explore=Random(), max_examples=500, **OPTIONS)
    assert len(set(seen)) > 400


def test_the_default_is_exhaustive_where_everything_fits() -> None:
    assert check(lambda xs: None, gen.lists(gen.booleans(), max_size=8), **OPTIONS).exhaustive


def test_negative_zero_is_not_zero_and_one_is_not_true() -> None:
    seen = inputs_of(gen.sampled_from([0.0, -0.0, 0, False, 1, True, 1.0, None]), max_examples=8)
    assert len(set(seen)) == 8


def test_the_simplest_input_comes_first() -> None:
    assert inputs_of(gen.integers(), gen.lists(gen.text()), max_examples=3)[0] == "(0, [])"
    assert inputs_of(gen.integers(7, 90000), max_examples=3, explore=None)[0] == "(7,)"
    # If the simplest one is not valid, another input comes first.
    assert inputs_of(gen.integers(0, 10**6).filter(lambda n: n > 3), max_examples=3)


@pytest.mark.parametrize("node", [gen.lists(gen.integers()), gen.tuples(gen.text(), gen.text())], ids=repr)
def test_a_seed_decides_all_inputs_whatever_the_budget(node: gen.Gen[Any]) -> None:
    long = inputs_of(node, max_examples=700)
    assert inputs_of(node, max_examples=700) == long
    assert inputs_of(node, max_examples=150)[:128] == long[:128]


def test_batches_know_the_choices_of_each_case() -> None:
    space = Space(gen.tuples(gen.lists(gen.integers()), gen.integers()), 1, 1000)
    space.batches = 64
    for _ in range(20):
        batch = space.samples()
        assert isinstance(batch, Batch)
        for number, args in enumerate(batch.values):
            trace = batch.case(number).trace
            assert trace is not None and trace.value == args


def test_failures_within_a_batch_are_what_they_are_alone() -> None:
    def test(n: int, m: int) -> None:
        assert n < 999_000

    found = check(test, gen.integers(0, 10**6), gen.integers(0, 10**6), **OPTIONS, max_examples=5000)
    assert found.failed_at is not None and found.failed_at > 1
    assert found.counterexample == (999_000, 0)
    slowly = check(
        test, gen.integers(0, 10**6), gen.integers(0, 10**6), **OPTIONS, max_examples=5000, deadline=10_000
    )
    assert slowly.counterexample == found.counterexample


def test_what_a_test_says_in_a_batch_is_heard() -> None:
    calls = 0

    def test(n: int) -> None:
        nonlocal calls
        calls += 1
        assume(n % 3)
        if calls > 300:
            maximize(n)

    report = check(test, gen.integers(0, 10**6), **OPTIONS, max_examples=1000)
    assert report.examples == 1000 and calls == report.examples + report.discarded
    assert report.discarded > 200
    assert report.best[""] > 900_000, "the search went on from the first utility"


def test_an_exception_of_a_generator_comes_in_its_turn() -> None:
    made = 0

    def explode(n: int) -> int:
        nonlocal made
        made += 1
        if made == 200:
            raise ZeroDivisionError("in the generator")
        return n

    tested: list[int] = []
    report = check(tested.append, gen.integers(0, 10**6).map(explode), **OPTIONS)
    assert report.status == "failed" and isinstance(report.error, ZeroDivisionError)
    assert len(tested) > 150


def test_a_search_sees_single_cases() -> None:
    assert check(lambda n: maximize(n), gen.integers(0, 10**6), explore=Climb(), **OPTIONS).best[""] > 990_000


links: gen.Gen[Any] = gen.deferred(lambda: gen.none() | gen.tuples(links))


def nested(link: Any) -> int:
    depth = 0
    while link is not None:
        link, depth = link[0], depth + 1
    return depth


@pytest.mark.parametrize(
    ("node", "length", "tests"),
    [(gen.lists(gen.integers()), len, 1000), (gen.text(), len, 1000), (links, nested, 200)],
    ids=["lists", "text", "links"],
)
def test_inputs_are_as_large_as_the_setting_says(node: gen.Gen[Any], length: Any, tests: int) -> None:
    def lengths(size: int) -> list[int]:
        found: list[int] = []
        check(
            lambda x: found.append(length(x)),
            node,
            **{**OPTIONS, "size": size, "max_examples": tests, "explore": Random()},
        )
        assert max(found) <= size and 0 in found
        return found

    small, usual, large = lengths(5), lengths(150), lengths(2000)
    assert max(large) > 200 and sum(small) < sum(usual) < sum(large)
    assert inputs_of(node, max_examples=200, size=150) == inputs_of(node, max_examples=200), "the default"


def test_bounds_of_a_generator_hold_whatever_the_size() -> None:
    assert all(
        len(eval(text)[0]) <= 20
        for text in inputs_of(gen.lists(gen.integers(0, 9), max_size=20), size=10_000, max_examples=200)
    )


def test_a_large_input_fails_and_shrinks() -> None:
    found = check(
        lambda xs: len(xs) < 400, gen.lists(gen.integers()), size=5000, max_examples=1000, **OPTIONS
    )
    assert found.counterexample == ([0] * 400,)
    deep = check(lambda link: nested(link) < 60, links, size=1000, max_examples=300, **OPTIONS)
    assert deep.counterexample is not None and nested(deep.counterexample[0]) == 60


@pytest.mark.parametrize("size", [0, -1, 10**6, 1.5, "large", True, None])
def test_a_wrong_size_is_an_error(size: Any) -> None:
    with pytest.raises(InvalidArgument, match="size"):
        settings(size=size)
