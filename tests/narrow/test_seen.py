"""Which values count as seen before: nothing is tested twice, and nothing is left out because it looks like another value."""

from __future__ import annotations

import datetime
from dataclasses import InitVar, dataclass

import pytest
from pydantic import BaseModel, field_validator

from everycase import assume, check, gen
from everycase.explore import Narrow
from everycase.narrow.seen import Repeats

DIGITS = gen.integers(0, 4)
RUN = {"seed": 0, "database": None, "max_examples": 500}


@dataclass
class Ordered:
    low: int
    high: int

    def __post_init__(self):
        self.low, self.high = sorted([self.low, self.high])


@dataclass
class Added:
    low: int
    more: InitVar[int]
    high: int = 0

    def __post_init__(self, more):
        self.high = self.low + more


class Model(BaseModel):
    low: int
    high: int

    @field_validator("high")
    @classmethod
    def is_one_more(cls, high):
        return high + 1


class Point:
    def __init__(self, low):
        self.low = low


class Pair(Point):
    def __init__(self, low, high):
        super().__init__(low)
        self.high = high


class Slots:
    __slots__ = ("_low", "high")

    def __init__(self, low, high):
        self._low = low + 1
        self.high = high

    @property
    def low(self):
        return self._low - 1


class Token:
    pass


@pytest.mark.parametrize("cls", [Ordered, Added, Model, Pair, Slots])
@pytest.mark.parametrize("options", [{"explore": Narrow()}, {"max_examples": 20}], ids=["Narrow", "default"])
def test_objects_of_any_class_come_once(cls, options):
    tested = []

    def test(value):
        assume(value.high - value.low == 2)
        tested.append((value.low, value.high))

    report = check(test, builds(cls), **RUN | options)
    assert sorted(tested) == sorted(set(tested)) and len(tested) >= 3
    assert report.status == "passed" and not report.doubt


def builds(cls):
    return gen.builds(cls, low=DIGITS, **{"more" if cls is Added else "high": DIGITS})


ONE, OTHER = Point(1), Point(1)


@pytest.mark.parametrize(
    "inputs",
    [
        gen.sampled_from([ONE, OTHER]),
        gen.just(ONE) | gen.just(OTHER),
        gen.integers(0, 1).map(lambda place: TOKENS[place]),
    ],
)
def test_objects_that_only_look_alike_are_all_tested(inputs):
    tested = set()
    check(lambda value: tested.add(id(value)), inputs.filter(lambda value: True), explore=Narrow(), **RUN)
    assert len(tested) == 2


TOKENS = [Token(), Token()]


def test_objects_with_state_in_c_count_as_new():
    seen = Repeats([])
    values = [iter([1]), iter([1]), datetime.date(2024, 1, 1), datetime.date(2024, 1, 1), Token(), Token()]
    assert [seen.is_new((value,)) for value in values] == [True, True, True, False, True, True]
    assert not seen.complete


def test_all_that_satisfy_a_condition_of_the_test_is_not_doubted():
    def test(day):
        assume(day.month == 2 and day.year % 4 == 0)

    days = gen.tuples(gen.integers(2000, 2005), gen.integers(1, 12)).map(lambda t: datetime.date(*t, 1))
    report = check(test, days, explore=Narrow(), **RUN)
    assert report.examples == 2 and not report.doubt
    assert "among them all up to size" in report.covered
