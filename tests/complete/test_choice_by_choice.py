"""Generators that cannot be read are run choice by choice: values of any type, numbers in the program, opaque results."""

from __future__ import annotations

import datetime
import itertools
from decimal import Decimal

import attrs
import pytest
from hypothesis import strategies as st

from everycase import covers, gen
from everycase.complete import gaps


class Handle:
    """A class of which it is not known what an instance is made of."""

    def __init__(self, *numbers):
        self.number = numbers[0]


@covers(lambda v: isinstance(v, Handle))
@st.composite
def handles(draw):
    return Handle(draw(st.integers(0, 3)))


def test_a_result_of_an_unknown_class_is_looked_at_all_the_same():
    verdict = gaps(handles)
    assert verdict.checked and verdict.soundness == "no violation found"
    assert verdict.bounds == "the 4 values that it made"
    assert any("are not known, so only those that it makes were checked" in note for note in verdict.notes)


@covers(lambda v: v.number != 2)
@st.composite
def wrong_handles(draw):
    return Handle(draw(st.integers(0, 3)))


def test_an_invalid_value_of_an_unknown_class_is_found():
    verdict = gaps(wrong_handles)
    assert verdict.soundness == "refuted" and verdict.unsound[1].number == 2


@pytest.mark.parametrize(
    ("annotation", "whole", "without_one", "missing"),
    [
        (bytes, [b"", b"\0"], [b""], b"\0"),
        (Decimal, [Decimal(0), Decimal(1)], [Decimal(0)], Decimal(1)),
        (datetime.timedelta, [datetime.timedelta(0)], [datetime.timedelta(5)], datetime.timedelta(0)),
    ],
)
def test_types_outside_of_proofs_have_small_values(annotation, whole, without_one, missing):
    def asked(options):
        @covers(lambda v: v in whole)
        @gen.composite
        def made(draw) -> annotation:
            return bytes.fromhex("00") and draw(gen.sampled_from(list(options)))

        made.__wrapped__.__annotations__["return"] = annotation
        return gaps(made)

    assert asked(whole).status == "no gap found"
    found = asked(without_one)
    assert (found.status, found.value) == ("missing", missing)


@covers(lambda v: 0 <= v <= 40)
@gen.composite
def up_to_forty(draw) -> int:
    return int(str(draw(gen.sampled_from(range(40)))))


def test_the_numbers_of_the_program_are_asked_for():
    verdict = gaps(up_to_forty)
    assert (verdict.status, verdict.value) == ("missing", 40)


@covers(lambda v: v["home"] >= 0)
@gen.composite
def scores(draw) -> dict[str, int]:
    return {"home": next(itertools.count(draw(gen.integers(0, 3))))}


def test_a_predicate_without_an_answer_is_noted_and_counts_as_no():
    verdict = gaps(scores)
    assert verdict.checked
    assert any(note.startswith("the predicate raises KeyError for {}") for note in verdict.notes)


@covers(lambda v: 0 <= v <= 3)
@gen.composite
def raising(draw) -> int:
    n = draw(gen.integers(0, 3))
    return next(itertools.count(n)) if n < 3 else {}[n]


def test_a_generator_that_raises_is_suspected_and_not_judged():
    verdict = gaps(raising)
    assert verdict.status == "no gap found" and verdict.suspected == ({}, 3)
    assert any("it raised KeyError: 3" in note for note in verdict.notes)


@covers(lambda v: True)
@gen.composite
def of_several_shapes(draw):
    return draw(gen.sampled_from([None, {1: "a"}, {2}, (1,), (1, 2)]))


def test_the_types_of_dictionaries_sets_and_long_tuples_are_inferred():
    notes = " ".join(gaps(of_several_shapes).notes)
    assert "dict[int, str] | set[int] | tuple[int, ...] | None" in notes


@attrs.define
class Point:
    x: int


@covers(lambda p: 0 <= p.x <= 3)
@gen.composite
def points(draw) -> Point:
    return Point(draw(gen.integers(0, 2)))


def test_attrs_classes_are_known():
    verdict = gaps(points)
    assert (verdict.status, verdict.value) == ("missing", Point(3))


COUNT = iter(range(10**9))


class Numbered:
    """Each object is a different one, no matter what was drawn."""

    def __init__(self):
        self.number = next(COUNT)


@covers(lambda v: isinstance(v, Numbered))
@st.composite
def numbered(draw):
    draw(st.integers(0, 3))
    return Numbered()


def test_objects_that_differ_from_run_to_run_are_told_apart_by_their_class_only():
    verdict = gaps(numbered)
    assert verdict.checked and verdict.soundness == "no violation found"


@covers(lambda grid: len(grid) == 2 and all(len(row) == 2 and all(n in (0, 1) for n in row) for row in grid))
@gen.composite
def grids(draw) -> list[list[int]]:
    rows = draw(gen.permutations([[0, 0], [0, 1], [1, 0]]))
    return [list(row) for _, row in zip(itertools.count(), rows[:2])]


def test_a_gap_beyond_the_smallest_values_is_found_next_to_what_is_made():
    """Lists of two lists of two are larger than all small values, but one step away from a value that is made."""
    verdict = gaps(grids)
    assert verdict.unsupported is not None and verdict.status == "missing"
    assert len(verdict.value) == 2 and not any(verdict.value == g for g in grids().sample(200, seed=1))


shapes = st.one_of(st.just("."), st.lists(st.sampled_from("ab"), max_size=2))


@covers(lambda v: True)
@st.composite
def from_hypothesis_alone(draw):
    return Handle(draw(st.lists(shapes, max_size=1)))


def test_hypothesis_itself_is_not_taken_for_code_that_throws_dice():
    verdict = gaps(from_hypothesis_alone)
    assert verdict.checked and verdict.soundness == "no violation found", verdict.notes
