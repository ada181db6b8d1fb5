"""Copying parts over similar parts."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import pytest

from everycase import check, gen
from everycase.choices.enact import enact, replay
from everycase.choices.related import Likeness, alike, has_like_parts, related
from everycase.choices.trace import Trace
from everycase.explore import Random


@dataclass
class Span:
    low: int
    high: int


@gen.composite
def two_names(draw: gen.Draw) -> tuple[str, str]:
    return draw(gen.text()), draw(gen.text())


def pairs_of(node: gen.Gen[Any], count: int = 60) -> list[Any]:
    """Values with copies."""
    dice = random.Random(0).random
    found = []
    for seed in range(count):
        partial = related(node.record(seed=seed), dice)
        assert (
            partial is not None
            or not has_like_parts(node)
            or not any(len(g) > 1 for g in alike(node.record(seed=seed)))
        )
        if partial is not None:
            found.append(enact(node, partial, dice, 20))
    return found


RELATED = [
    ("arguments", gen.tuples(gen.text(), gen.text()), lambda a, b: len(a) > 2 and a == b),
    ("ranges", gen.tuples(gen.integers(), gen.integers(0, 10**6)), lambda a, b: a > 100 and a == b),
    (
        "an element",
        gen.tuples(gen.integers(), gen.lists(gen.integers())),
        lambda x, xs: abs(x) > 100 and x in xs,
    ),
    (
        "fields",
        gen.tuples(gen.builds(Span, gen.integers(), gen.integers()), gen.none()),
        lambda s, _: s.low == s.high > 100,
    ),
    ("composites", gen.tuples(two_names(), gen.none()), lambda names, _: names[0] == names[1] != ""),
    ("floats", gen.tuples(gen.floats(), gen.floats()), lambda a, b: abs(a) > 100 and a == b),
    (
        "dictionaries",
        gen.tuples(*[gen.dictionaries(gen.text(), gen.integers())] * 2),
        lambda a, b: len(a) > 1 and a == b,
    ),
]


@pytest.mark.parametrize(("node", "shows"), [case[1:] for case in RELATED], ids=[case[0] for case in RELATED])
def test_parts_become_equal_that_never_are_by_chance(node: gen.Gen[Any], shows: Any) -> None:
    assert has_like_parts(node)
    assert any(shows(*trace.value) for trace in pairs_of(node))
    assert not any(shows(*node.record(seed=seed).value) for seed in range(60))


@pytest.mark.parametrize("node", [case[1] for case in RELATED], ids=[case[0] for case in RELATED])
def test_a_copy_is_a_trace_like_any_other(node: gen.Gen[Any]) -> None:
    for trace in pairs_of(node, 20):
        again = replay(node, Trace.from_blob(trace.to_blob()))
        assert repr(again.value) == repr(trace.value)


def test_what_a_value_is_made_of_has_no_meaning_by_itself() -> None:
    """The letters of a text are copied neither over the letters of another text nor over numbers."""
    trace = gen.tuples(gen.text(min_size=3), gen.integers(), gen.dates()).record(seed=1)
    assert all(len(group) == 1 for group in alike(trace))


def test_only_parts_that_make_sense_for_each_other_are_alike() -> None:
    likeness = Likeness()
    assert likeness(gen.lists(gen.integers())) == likeness(gen.lists(gen.integers(0, 5)))
    assert likeness(gen.lists(gen.integers())) != likeness(gen.lists(gen.floats()))
    assert likeness(gen.builds(Span, gen.integers(), gen.integers())) != likeness(
        gen.tuples(gen.integers(), gen.integers())
    )


@pytest.mark.parametrize(
    "node", [gen.integers(), gen.lists(gen.integers()), gen.tuples(gen.integers(), gen.text())], ids=repr
)
def test_generators_without_like_parts_are_known(node: gen.Gen[Any]) -> None:
    assert not has_like_parts(gen.tuples(node))


def test_runs_find_equal_arguments_and_shrink_them() -> None:
    for seed in range(3):
        report = check(
            lambda a, b: a != b or len(a) < 3,
            gen.text(),
            gen.text(),
            seed=seed,
            database=None,
            explore=Random(),
        )
        assert report.counterexample == ("000", "000")


def test_draws_during_the_test_are_related_too() -> None:
    def test(data: gen.Data) -> None:
        first, second = data.draw(gen.integers()), data.draw(gen.integers())
        assert first != second or abs(first) < 50

    for seed in range(3):
        report = check(test, gen.data(), seed=seed, database=None)
        assert report.status == "failed"
        assert report.failures[0].trace is not None
