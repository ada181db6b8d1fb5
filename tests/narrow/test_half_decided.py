"""Dictionaries, text, plain classes and sums can be half decided: the same values as filtering, with less work."""

from __future__ import annotations

import dataclasses
import re

import pytest

from everycase import gen
from everycase.enumeration import fits
from everycase.narrow import Narrowing
from everycase.narrow.lazy.layout import layout_of

small = gen.integers(-3, 3)
pairs = gen.tuples(small, small, gen.integers(0, 4))

LINEAR = [
    lambda t: t[0] - t[1] == 2,
    lambda t: 2 * t[0] + 3 * t[1] == t[2],
    lambda t: abs(t[0] - t[1]) > 4,
    lambda t: -t[0] < t[1] - 4,
    lambda t: t[0] + t[1] + t[2] >= 8,
    lambda t: 5 - t[0] <= 3 + t[1],
    lambda t: t[0] - t[1] != t[1] - t[0] and t[0] - t[0] == 0,
    lambda t: sum(t) == 9,
    lambda t: (t[0] + t[1]) * 2 == 4,
    lambda t: (t[0] - t[1]) // 2 == 1 and (t[0] + t[1]) % 2 == 0,
    lambda t: ~t[0] == t[1] + 1 and +t[2] > 3,
    lambda t: t[0] - t[1] in (5, 6) and bool(t[0] + t[1]),
    lambda t: [10, 20, 30][t[2] - t[0] - 4] == 20 if 0 <= t[2] - t[0] - 4 < 3 else False,
    lambda t: t[0] + t[1] > t[2] + 4.5,
    lambda t: (t[0] - t[1]) / 2 == 1.5,
    lambda t: f"{t[0] + t[1]}" == "4" and {t[0] + t[1]: 1}.get(4) == 1,
    lambda t: True + t[0] - False == t[1] + 3,
]


@pytest.mark.parametrize("number", range(len(LINEAR)))
def test_sums_and_differences_of_numbers(number):
    predicate = LINEAR[number]
    search = Narrowing([pairs.filter(predicate)])
    assert sorted(one.value for one in search.search(1)) == sorted(filter(predicate, pairs))


def test_differences_need_few_evaluations_whatever_the_range():
    assert not fits(pairs, 10)
    wide = gen.tuples(*[gen.integers(0, 10**6)] * 2).filter(lambda t: t[0] - t[1] == 999_990)
    search = Narrowing([wide])
    search.arguments.planner.widen(True)
    found = search.search(1)
    assert len([next(found) for _ in range(5)]) == 5
    assert search.statistics.evaluations < 100


letters = gen.text("ab-", max_size=4)

TEXT = [
    lambda s: s == "ab",
    lambda s: s.startswith("a-") and not s.endswith("b"),
    lambda s: s.count("a") == 2 and "-" not in s,
    lambda s: s.isalpha() and len(s) == 3,
    lambda s: s.isidentifier(),
    lambda s: s[::-1] == s and s[1:] > "a",
    lambda s: re.fullmatch("a+-b", s) is not None,
    lambda s: s.upper() + "x" == "AB-x",
    lambda s: s in {"ab", "b-"} or f"{s}" == "-",
    lambda s: list(s)[:2] == ["b", "b"] and s.split("-")[0] == "bb",
    lambda s: "ab" in s and s != "ab" and hash(s) == hash(str(s)),
    lambda s: s[-1:] == "b" and s[0] == "a",
    lambda s: isinstance(s, str) and s.isascii() and s < "a" and "x" + s != "x",
]


@pytest.mark.parametrize("number", range(len(TEXT)))
def test_text(number):
    predicate = TEXT[number]

    def careful(s):
        return bool(s) and predicate(s)

    search = Narrowing([letters.filter(careful)])
    assert sorted(one.value for one in search.search(9)) == sorted(s for s in letters if s and predicate(s))


records = gen.fixed_dictionaries({"a": small, "b": gen.booleans()}, optional={"c": small})

DICTS = [
    lambda d: d["a"] > 1 and d["b"],
    lambda d: "c" in d and d["c"] == d["a"],
    lambda d: d.get("c", 0) + d["a"] == 3,
    lambda d: len(d) == 2 and list(d) == ["a", "b"],
    lambda d: d == {"a": 1, "b": True},
    lambda d: dict(d) == {**d} and sum(d.values()) == 4,
    lambda d: sorted(d.items())[0] == ("a", 2) and {"z": 1} | d != {},
    lambda d: isinstance(d, dict) and "x" not in d and d.keys() >= {"c"},
    lambda d: re.match("{'a': -3", repr(d)) is not None,
]


def by_match(d):
    match d:
        case {"a": 1, "c": c}:
            return c == -1
    return False


@pytest.mark.parametrize("predicate", [*DICTS, by_match])
def test_fixed_dictionaries(predicate):
    search = Narrowing([records.filter(predicate)])
    found = [one.value for one in search.search(4)]
    assert all(type(one) is dict for one in found)
    assert sorted(map(repr, found)) == sorted(repr(d) for d in records if predicate(d))


def test_a_predicate_that_changes_a_dictionary_is_refused():
    def changes(d):
        d.pop("a")
        return True

    from everycase.errors import Untrusted

    with pytest.raises(Untrusted, match="pop on a dictionary"):
        list(Narrowing([records.filter(changes)]).search(3))


class Keeps:
    """A docstring is no statement."""

    kind = "plain"

    def __init__(self, low: int, high: int = 3, *, name: str = "x") -> None:
        self.low = low
        self.high: int = high
        self._name = name
        self.open = True

    def width(self) -> int:
        return self.high - self.low


class Works:
    def __init__(self, low: int, high: int) -> None:
        self.low = min(low, high)
        self.high = high


class Counts:
    made = 0

    def __init__(self, low: int, high: int) -> None:
        self.low = low
        self.high = high
        Counts.made += 1


@dataclasses.dataclass
class Checked:
    low: int
    high: int

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise ValueError("low is above high")


@dataclasses.dataclass
class Completed:
    low: int
    high: int
    width: int = 0

    def __post_init__(self) -> None:
        self.width = self.high - self.low


@pytest.mark.parametrize(
    ("cls", "stands"), [(Keeps, True), (Works, False), (Counts, False), (Checked, True), (Completed, True)]
)
def test_which_classes_stand_half_decided(cls, stands):
    build = gen.builds(cls, gen.integers(0, 3), gen.integers(3, 6))
    assert (layout_of(build) is not None) is stands
    search = Narrowing([build.filter(lambda one: one.low == 2 and one.high > 4)])
    found = [(one.value.low, one.value.high) for one in search.search(2)]
    assert sorted(found) == [(2, 5), (2, 6)]
    assert all(type(one.value) is cls for one in Narrowing([build]).search(1))


def test_what_a_plain_class_sets_by_itself_is_there():
    build = gen.builds(Keeps, gen.integers(0, 5))
    search = Narrowing([build.filter(lambda one: one.open and one._name == "x" and one.width() == 1)])
    assert [vars(one.value) for one in search.search(2)] == [
        {"low": 2, "high": 3, "_name": "x", "open": True}
    ]


class Rectangle:
    def __init__(self, width, height, name="r"):
        self.width = width
        self.height = height
        self.name = name
        self.area = width * height
        self.is_square = self.width == height


@dataclasses.dataclass
class Span:
    low: int
    high: int
    length: int = dataclasses.field(init=False)

    def __post_init__(self):
        if self.low < 0:
            raise ValueError("below zero")
        length = self.high - self.low
        self.length = length
        self.is_proper = self.length >= 0


@dataclasses.dataclass
class Sorted:
    low: int
    high: int

    def __post_init__(self):
        self.low = min(self.low, self.high)


@dataclasses.dataclass
class Remembering:
    low: int
    high: int

    def __post_init__(self):
        self.seen = []


class WithSetter:
    def __init__(self, low, high):
        self.low = low
        self.high = high
        self.twice = low + high

    @property
    def twice(self):
        return self._twice

    @twice.setter
    def twice(self, value):
        self._twice = 2 * value


def remembers(one):
    one.seen.append(one.low)
    return one.low > 7 and len(one.seen) == 1


COMPUTED = [
    (Rectangle, lambda one: one.area == 12 and not one.is_square, True),
    (Span, lambda one: one.length == 7 and one.is_proper, True),
    (Span, lambda one: one.low > 7 and "length=1" in repr(one) and vars(one)["length"] == 1, True),
    (Span, lambda one: one == Span(3, 9), True),
    (Sorted, lambda one: one.low > 7, False),
    (Remembering, remembers, False),
    (WithSetter, lambda one: one.twice == 20, False),
]


@pytest.mark.parametrize("number", range(len(COMPUTED)))
def test_attributes_that_a_constructor_works_out(number):
    cls, predicate, stands = COMPUTED[number]
    inputs = gen.builds(cls, gen.integers(0, 9), gen.integers(0, 9))
    assert (layout_of(inputs) is not None) == stands
    wanted = [vars(value) for value in inputs if predicate(value)]
    if cls is Remembering:  # the predicate has changed them
        wanted = [vars(Remembering(value["low"], value["high"])) for value in wanted]
    search = Narrowing([inputs.filter(predicate)])
    found = [vars(one.value) for one in search.search(3)]
    if cls is Remembering:
        found = [vars(Remembering(value["low"], value["high"])) for value in found]
    assert sorted(map(repr, found)) == sorted(map(repr, wanted))
    assert not stands or search.statistics.evaluations < 100


def test_validators_of_attrs_do_not_keep_objects_from_standing_half_decided():
    attrs = pytest.importorskip("attrs")

    @attrs.define
    class Point:
        x: int = attrs.field(validator=[attrs.validators.instance_of(int), attrs.validators.ge(0)])
        y: int = attrs.field()

        @y.validator
        def _check(self, attribute, value):
            if value < 0:
                raise ValueError(attribute.name)

    inputs = gen.builds(Point, gen.integers(0, 19), gen.integers(0, 19))
    search = Narrowing([inputs.filter(lambda point: point.x - point.y == 15)])
    found = sorted((one.value.x, one.value.y) for one in search.search(3))
    assert found == [(n + 15, n) for n in range(5)]
    assert search.statistics.evaluations < 100
