"""Dates, times, durations, decimals, fractions and UUIDs: values stay in range, and both ends are reached."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from everycase import gen
from everycase.choices.invert import trace_of
from everycase.errors import NoSuchValue
from everycase.gen.dates_and_times import is_imaginary

EAST = timezone(timedelta(hours=9))


@pytest.mark.parametrize(
    ("node", "low", "high"),
    [
        (gen.dates(date(2020, 2, 27), date(2020, 3, 2)), date(2020, 2, 27), date(2020, 3, 2)),
        (gen.dates(), date.min, date.max),
        (gen.times(time(3, 4, 5, 6), time(3, 4, 5, 9)), time(3, 4, 5, 6), time(3, 4, 5, 9)),
        (
            gen.datetimes(datetime(2020, 1, 1, 23, 59), datetime(2020, 1, 2)),
            datetime(2020, 1, 1, 23, 59),
            datetime(2020, 1, 2),
        ),
        (gen.timedeltas(timedelta(-1), timedelta(0, 5)), timedelta(-1), timedelta(0, 5)),
        (gen.timedeltas(timedelta(0), timedelta(0, 0, 3)), timedelta(0), timedelta(0, 0, 3)),
        (gen.timedeltas(), timedelta.min, timedelta.max),
        (gen.decimals("-0.5", "0.25", places=3), Decimal("-0.500"), Decimal("0.250")),
        (gen.decimals("1.234", "1.235"), Decimal("1.234"), Decimal("1.235")),
        (gen.fractions("1/3", "1/2"), Fraction(1, 3), Fraction(1, 2)),
        (gen.fractions("1/3", "1/2", max_denominator=5), Fraction(1, 3), Fraction(1, 2)),
        (gen.fractions(0, 4, max_denominator=3), Fraction(0), Fraction(4)),
    ],
    ids=repr,
)
def test_ranges_are_kept_and_their_ends_are_seen(node: gen.Gen[Any], low: Any, high: Any) -> None:
    found = node.sample(3000, seed=0)
    assert min(found) == low
    assert max(found) == high


def test_zones_are_attached_to_what_lies_in_the_range() -> None:
    found = gen.datetimes(
        datetime(2020, 1, 1), datetime(2020, 1, 9), timezones=gen.sampled_from([UTC, EAST])
    ).sample(100, seed=0)
    assert {moment.tzinfo for moment in found} == {UTC, EAST}
    assert all(
        datetime(2020, 1, 1) <= moment.replace(tzinfo=None) <= datetime(2020, 1, 9) for moment in found
    )
    assert {moment.tzinfo for moment in gen.times(timezones=gen.just(UTC)).sample(20, seed=0)} == {UTC}


@pytest.mark.parametrize("key", ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe"])
def test_hours_that_are_skipped_or_shown_twice_are_seen(key: str) -> None:
    found = gen.datetimes(timezones=gen.just(ZoneInfo(key))).sample(3000, seed=0)
    twice = [m for m in found if m.replace(fold=0).utcoffset() != m.replace(fold=1).utcoffset()]
    assert sum(map(is_imaginary, found)) >= 5
    assert {m.fold for m in twice if not is_imaginary(m)} == {0, 1}


@pytest.mark.parametrize(
    "node",
    [
        gen.datetimes(datetime(2020, 1, 1, 5), datetime(2025, 1, 1, 4)),
        gen.datetimes(timezones=gen.sampled_from([None, UTC, ZoneInfo("Europe/Berlin")])),
        gen.datetimes(datetime(2024, 3, 31, 1), datetime(2024, 11, 1), timezones=gen.timezones()),
    ],
    ids=repr,
)
def test_datetimes_are_traced_back_to_their_choices(node: gen.Gen[Any]) -> None:
    for moment in node.sample(100, seed=0):
        again = trace_of(node, moment).value
        assert (again, again.fold, again.tzinfo) == (moment, moment.fold, moment.tzinfo)
    with pytest.raises(NoSuchValue):
        trace_of(node, datetime(1999, 1, 1, tzinfo=EAST))


def test_a_time_zone_that_raises_is_left_to_the_test() -> None:
    class Odd(tzinfo):
        def utcoffset(self, moment: object) -> timedelta:
            raise ZeroDivisionError

    assert len(gen.datetimes(timezones=gen.just(Odd())).sample(10, seed=0)) == 10


def test_leap_days_and_ends_of_years_are_seen() -> None:
    found = gen.dates().sample(3000, seed=0)
    assert any((day.month, day.day) == (2, 29) for day in found)
    assert date(1970, 1, 1) in found and date(9999, 12, 31) in found and date(1, 1, 1) in found


def test_decimals_have_the_places_asked_for() -> None:
    for value in gen.decimals(-10, 10, places=2).sample(200, seed=0):
        assert value.as_tuple().exponent == -2


def test_decimals_do_not_depend_on_the_precision_of_the_context() -> None:
    node = gen.decimals(places=9)
    plain = node.sample(50, seed=0)
    with localcontext() as context:
        context.prec = 3
        assert node.sample(50, seed=0) == plain


def test_special_decimals_by_the_rules_of_floats() -> None:
    def specials(node: gen.Gen[Decimal]) -> set[str]:
        return {str(value) for value in node.sample(2000, seed=0) if not value.is_finite()}

    assert specials(gen.decimals()) == {"NaN", "Infinity", "-Infinity"}
    assert specials(gen.decimals(0)) == {"Infinity"}
    assert specials(gen.decimals(max_value=0)) == {"-Infinity"}
    assert specials(gen.decimals(0, 1)) == set()
    assert specials(gen.decimals(allow_nan=False, allow_infinity=False)) == set()


def test_denominators_are_limited_and_all_used() -> None:
    found = gen.fractions(0, 1, max_denominator=6).sample(2000, seed=0)
    farey = {Fraction(n, d) for d in range(1, 7) for n in range(d + 1)}
    assert set(found) == farey
    narrow = gen.fractions("1/3", "2/5", max_denominator=12).sample(2000, seed=0)
    assert {
        Fraction(n, d)
        for d in range(1, 13)
        for n in range(13)
        if Fraction(1, 3) <= Fraction(n, d) <= Fraction(2, 5)
    } >= set(narrow)


@pytest.mark.parametrize("version", [1, 2, 3, 4, 5])
def test_uuids_have_the_version_asked_for(version: int) -> None:
    found = gen.uuids(version=version).sample(50, seed=0)
    assert {u.version for u in found} == {version}
    assert {u.variant for u in found} == {"specified in RFC 4122"}
    assert len(set(found)) == 50


def test_the_nil_uuid_only_on_request() -> None:
    assert gen.uuids(allow_nil=True)[0].int == 0
    assert gen.uuids()[0].int == 1
