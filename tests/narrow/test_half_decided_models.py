"""Pydantic models can be half decided if they only check their input."""

from __future__ import annotations

import itertools

import pytest

pydantic = pytest.importorskip("pydantic")

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator  # noqa: E402

from everycase import check, gen, given  # noqa: E402
from everycase.narrow import Narrowing  # noqa: E402
from everycase.narrow.lazy.layout import layout_of  # noqa: E402

small = gen.integers(0, 9)


class Span(BaseModel):
    first: int
    last: int = Field(ge=0)
    note: str = "none"


class Trip(BaseModel):
    model_config = ConfigDict(frozen=True)
    name: str
    spans: list[Span]


class Doubling(BaseModel):
    n: int

    @field_validator("n")
    @classmethod
    def doubled(cls, n: int) -> int:
        return 2 * n


class Checked(BaseModel):
    n: int
    m: int

    @model_validator(mode="after")
    def agree(self):
        self.m = self.n
        return self


class Stripping(BaseModel):
    model_config = ConfigDict(str_strip_whitespace=True)
    text: str


class Converting(BaseModel):
    n: float


class Renamed(BaseModel):
    n: int = Field(alias="number")


spans = gen.builds(Span, first=small, last=small)
trips = gen.builds(Trip, name=gen.sampled_from(["a", "b"]), spans=gen.lists(spans))


def is_proper(span):
    return span.first + 3 < span.last and span.note == "none"


def is_in_order(trip):
    ends = [(span.first, span.last) for span in trip.spans]
    return (
        trip.name == "b"
        and all(a < b for a, b in ends)
        and all(x[1] < y[0] for x, y in itertools.pairwise(ends))
    )


#: Few enough to make all of them.
short_trips = gen.builds(
    Trip,
    name=gen.sampled_from(["a", "b"]),
    spans=gen.lists(gen.builds(Span, first=gen.integers(0, 3), last=gen.integers(0, 3))),
)


@pytest.mark.parametrize(
    ("inputs", "predicate", "size"), [(spans, is_proper, 3), (short_trips, is_in_order, 7)]
)
def test_the_same_models_as_by_filtering_for_less(inputs, predicate, size):
    every = list(inputs.up_to_size(size))
    wanted = [value for value in every if predicate(value)]
    search = Narrowing([inputs.filter(predicate)])
    found = [one.value for one in search.search(size)]
    assert all(type(value) is type(every[0]) for value in found)
    assert sorted(map(repr, found)) == sorted(map(repr, wanted))
    assert wanted and search.statistics.evaluations < len(every) / 2


@pytest.mark.parametrize(
    "inputs",
    [
        gen.builds(Doubling, n=small),
        gen.builds(Checked, n=small, m=small),
        gen.builds(Stripping, text=gen.text(" a", max_size=2)),
        gen.builds(Converting, n=small),
        gen.builds(Renamed, number=small),
    ],
    ids=lambda inputs: inputs.make.__name__,
)
def test_models_that_keep_something_else_are_made_whole(inputs):
    assert layout_of(inputs) is None
    found = [one.value for one in Narrowing([inputs.filter(lambda model: True)]).search(4)]
    assert sorted(map(repr, found)) == sorted(map(repr, inputs.up_to_size(4)))


@pytest.mark.filterwarnings("error")
def test_a_predicate_that_needs_a_real_model_gets_one():
    inputs = spans.filter(
        lambda span: span.model_dump()["first"] == 7 and span == Span(first=7, last=span.last)
    )
    assert len([one.value for one in Narrowing([inputs]).search(3)]) == 10


@pytest.mark.slow
def test_models_in_a_run():
    tested = []
    report = check(given(trips).where(is_in_order)(lambda trip: tested.append(trip)), seed=1, database=None)
    assert report.status == "passed" and all(map(is_in_order, tested)) and len(tested) >= 100
