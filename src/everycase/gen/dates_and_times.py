"""Dates, times, datetimes, durations and time zones. The modules datetime and zoneinfo are imported by the first call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from everycase.errors import InvalidArgument
from everycase.gen.base import Gen
from everycase.gen.collections import tuples
from everycase.gen.intern import interned
from everycase.gen.kinds import Bind, Int, Map
from everycase.gen.scalars import sampled_from
from everycase.gen.show import described
from everycase.gen.validate import as_gen, require_bool, require_instance, require_ordered

if TYPE_CHECKING:
    from datetime import date, datetime, time, timedelta, tzinfo
    from zoneinfo import ZoneInfo

_DAY = 86_400_000_000  # in microseconds
_SECOND = 1_000_000


def dates(min_value: date | None = None, max_value: date | None = None) -> Gen[date]:
    """Dates between two days, both included; 2000-01-01 is the simplest.

    Random dates include the ends of the range and of months, leap days, and the ends of centuries more often
    than by pure chance.

    >>> from datetime import date
    >>> all(day.year == 2024 for day in dates(date(2024, 1, 1), date(2024, 12, 31)).sample(50, seed=0))
    True
    """
    return _dates(min_value, max_value)


@interned
def _dates(min_value: date | None, max_value: date | None) -> Gen[date]:
    from datetime import date, datetime

    for name, value in (("min_value", min_value), ("max_value", max_value)):
        if value is not None:
            require_instance(name, value, date, "a datetime.date")
            if isinstance(value, datetime):
                raise InvalidArgument(
                    f"{name} must be a datetime.date, not a datetime; write {name}=value.date()"
                )
    require_ordered("min_value", min_value, "max_value", max_value)
    node = _calendar(min_value or date.min, max_value or date.max)
    return described(node, "dates", **_shown(min_value, max_value))


def _calendar(first: date, last: date, special: tuple[date, ...] = ()) -> Gen[date]:
    """The days from first to last, with the special ones drawn in one of eight cases more."""
    from datetime import date

    notable = [(2000, 2, 29), (1970, 1, 1), (1999, 12, 31), (2024, 2, 29), (1900, 3, 1), (2038, 1, 19)]
    notable += [(2100, 2, 28), (1, 1, 1), (9999, 12, 31), (1582, 10, 15), (2000, 12, 31)]
    notable += [(2024, 3, 10), (2024, 3, 31), (2024, 10, 27), (2024, 11, 3)]  # when clocks change
    simplest = date(2000, 1, 1).toordinal()
    # The ends of months: a test that fails on them rarely fails on the days next to them, so a shrinker could
    # not get there step by step.
    ends = [date(2000, month, 1).toordinal() - 1 for month in range(2, 13)]
    landmarks = [*(date(*parts).toordinal() for parts in notable), *ends]
    days = _notable_int(first.toordinal(), last.toordinal(), simplest, landmarks)
    chosen = [day.toordinal() for day in special if first <= day <= last]
    if chosen:
        edges = (*days.edges, *chosen * max(1, len(days.edges) // len(chosen)))
        days = Int(days.lo, days.hi, days.towards, edges, 2 * days.share, days.landmarks)
    return Map(days, date.fromordinal, date.toordinal, share=True)


def times(
    min_value: time | None = None,
    max_value: time | None = None,
    *,
    timezones: Gen[tzinfo | None] | None = None,
) -> Gen[time]:
    """Times of day between two times, both included; midnight is the simplest. ``timezones`` gives them a
    time zone.

    >>> from datetime import time
    >>> all(moment.hour >= 12 for moment in times(time(12)).sample(50, seed=0))
    True
    """
    from datetime import time

    for name, value in (("min_value", min_value), ("max_value", max_value)):
        if value is not None:
            require_instance(name, value, time, "a datetime.time")
    _require_naive(min_value, max_value)
    require_ordered("min_value", min_value, "max_value", max_value)
    low = _microseconds(min_value) if min_value is not None else 0
    high = _microseconds(max_value) if max_value is not None else _DAY - 1
    node = _times_of_day(low, high)
    if timezones is not None:
        node = Map(
            tuples(node, as_gen("timezones", timezones)),
            lambda parts: _attach(*parts),
            lambda moment: (moment.replace(tzinfo=None), moment.tzinfo),
            share=True,
        )
    return described(node, "times", **_shown(min_value, max_value), timezones=timezones)


@interned
def _times_of_day(low: int, high: int, hours: tuple[int, ...] = ()) -> Gen[time]:
    """``hours`` are drawn more often than others."""
    from datetime import time

    if (low, high) == (0, _DAY - 1):
        # Four independent numbers, each of which is simple by itself: 13:00 is simpler than 12:59:59.999999.
        # Most times that people write are whole minutes or hours, and midnight is special; so are the hours
        # at which clocks change.
        hour = Int(0, 23, 0, (0, 0, 0, 0, 23, 12, 1, 2, *hours * 4), share=0.375)
        minutes = Int(0, 59, 0, (0, 0, 0, 0, 59, 30), share=0.6)
        seconds = Int(0, 59, 0, (0, 0, 0, 0, 59), share=0.6)
        micros = Int(0, 999_999, 0, (0, 0, 0, 0, 0, 1, 999_999, 1000), share=0.8)
        parts = tuples(hour, minutes, seconds, micros)
        node: Gen[time] = Map(
            parts,
            lambda parts: time(*parts),
            lambda t: (t.hour, t.minute, t.second, t.microsecond),
            share=True,
        )
        return described(node, "times")

    def make(n: int) -> time:
        seconds, micro = divmod(n, _SECOND)
        return time(seconds // 3600, seconds // 60 % 60, seconds % 60, micro)

    notable = [hour * 3600 * _SECOND for hour in (*range(24), *hours * 4)] + [
        n * _SECOND for n in (1, 60, 3599, 43_199)
    ]
    return Map(_notable_int(low, high, 0, notable), make, _microseconds, share=True)


def datetimes(
    min_value: datetime | None = None,
    max_value: datetime | None = None,
    *,
    timezones: Gen[tzinfo | None] | None = None,
) -> Gen[datetime]:
    """Datetimes between two bounds, both included, which have no time zone; ``timezones`` adds one.

    Midnight of 2000-01-01 is the simplest. In a time zone whose clocks change, the hours that are skipped or
    shown twice come more often than by pure chance, and the second of two equal hours has ``fold=1``.

    >>> from datetime import datetime, timezone
    >>> from everycase.gen import just
    >>> datetimes(datetime(2024, 1, 1), datetime(2024, 1, 1), timezones=just(timezone.utc)).example()
    datetime.datetime(2024, 1, 1, 0, 0, tzinfo=datetime.timezone.utc)
    """
    from datetime import datetime

    for name, value in (("min_value", min_value), ("max_value", max_value)):
        if value is not None:
            require_instance(name, value, datetime, "a datetime.datetime")
    _require_naive(min_value, max_value)
    require_ordered("min_value", min_value, "max_value", max_value)
    low, high = min_value or datetime.min, max_value or datetime.max
    if timezones is None:
        node = _naive_datetimes(low, high)
    else:
        zones = as_gen("timezones", timezones)
        node = Bind(zones, lambda zone: _in_zone(low, high, zone), lambda moment: moment.tzinfo)
    return described(node, "datetimes", **_shown(min_value, max_value), timezones=timezones)


@interned
def _naive_datetimes(low: datetime, high: datetime, changes: tuple[datetime, ...] = ()) -> Gen[datetime]:
    """``changes`` are moments at which clocks change: their days and hours are drawn more often."""
    from datetime import datetime

    days = _calendar(low.date(), high.date(), tuple(change.date() for change in changes))
    hours = tuple(sorted({change.hour for change in changes}))
    first, last = _microseconds(low), _microseconds(high)
    if (first, last) == (0, _DAY - 1):
        node: Gen[datetime] = Map(
            tuples(days, _times_of_day(0, _DAY - 1, hours)),
            lambda parts: datetime.combine(*parts),
            lambda moment: (moment.date(), moment.time()),
            share=True,
        )
        return node

    def on_day(day: date) -> Gen[datetime]:
        start, end = first if day == low.date() else 0, last if day == high.date() else _DAY - 1
        moments = _times_of_day(start, end, hours)
        return Map(moments, lambda moment: datetime.combine(day, moment), datetime.time, share=True)

    return Bind(days, on_day, datetime.date)


@interned
def _in_zone(low: datetime, high: datetime, zone: tzinfo | None) -> Gen[datetime]:
    """Datetimes in one time zone."""
    changes = _clock_changes(zone) if zone is not None else ()
    if not changes:
        return Map(
            _naive_datetimes(low, high),
            lambda moment: _attach(moment, zone),
            lambda moment: moment.replace(tzinfo=None),
            share=True,
        )
    return Map(
        tuples(_naive_datetimes(low, high, changes), Int(0, 1, 0)),
        lambda parts: parts[0].replace(tzinfo=zone, fold=parts[1]),
        lambda moment: (moment.replace(tzinfo=None, fold=0), moment.fold),
        share=True,
    )


def _clock_changes(zone: tzinfo) -> tuple[datetime, ...]:
    """The first hours that are skipped or shown twice in 2000, whose datetimes are simple, and in 2024."""
    from datetime import datetime, timedelta

    changes = []
    try:
        for year in (2000, 2024):
            for month in range(1, 13):
                low, high = datetime(year, month, 1), datetime(year + month // 12, month % 12 + 1, 1)
                before, after = zone.utcoffset(low), zone.utcoffset(high)
                if before is None or after is None or before == after:
                    continue
                while high - low > timedelta(minutes=30):
                    middle = low + (high - low) / 2
                    if zone.utcoffset(middle) == before:
                        low = middle
                    else:
                        high = middle
                # Without fold=1 the old offset holds until the hour is over that is skipped or shown twice.
                begin = high - abs(after - before)
                changes.append(begin.replace(minute=0, second=0, microsecond=0))
    except Exception:
        return ()  # not a time zone, or one that knows no other years: nothing is known of its clocks
    return tuple(changes)


def timedeltas(min_value: timedelta | None = None, max_value: timedelta | None = None) -> Gen[timedelta]:
    """Durations between two bounds, both included; zero is the simplest.

    >>> from datetime import timedelta
    >>> all(-1 <= t.days <= 1 for t in timedeltas(timedelta(-1), timedelta(1)).sample(50, seed=0))
    True
    """
    return _timedeltas(min_value, max_value)


@interned
def _timedeltas(min_value: timedelta | None, max_value: timedelta | None) -> Gen[timedelta]:
    from datetime import timedelta

    for name, value in (("min_value", min_value), ("max_value", max_value)):
        if value is not None:
            require_instance(name, value, timedelta, "a datetime.timedelta")
    require_ordered("min_value", min_value, "max_value", max_value)
    unit = timedelta(microseconds=1)
    low, high = (min_value or timedelta.min) // unit, (max_value or timedelta.max) // unit
    if min_value is not None:
        low = min_value // unit
    if max_value is not None:
        high = max_value // unit
    lengths = [1, 1000, _SECOND, 60 * _SECOND, 3600 * _SECOND, _DAY - 1, _DAY, _DAY + 1, 7 * _DAY, 365 * _DAY]
    notable = [sign * n for n in lengths for sign in (1, -1)]
    node = Map(
        _notable_int(low, high, 0, notable),
        lambda n: timedelta(microseconds=n),
        lambda t: t // unit,
        share=True,
    )
    return described(node, "timedeltas", **_shown(min_value, max_value))


def _notable_int(low: int, high: int, towards: int, notable: list[int]) -> Int:
    """An integer of a range, with the notable ones drawn more often."""
    towards = min(max(towards, low), high)
    landmarks = sorted({n for n in notable if low <= n <= high}, key=lambda n: (abs(n - towards), n))
    edges = [n for n in (low, high, low, high, low + 1, high - 1) if low <= n <= high]
    return Int(low, high, towards, (towards, *edges, *landmarks), landmarks=tuple(landmarks))


def _attach(moment: Any, zone: Any) -> Any:
    try:
        return moment.replace(tzinfo=zone)
    except TypeError:
        raise InvalidArgument(
            f"timezones must make tzinfo objects or None, but it made {zone!r}; "
            "for example timezones=gen.just(datetime.timezone.utc)"
        ) from None


def _microseconds(moment: Any) -> int:
    """Microseconds since midnight."""
    seconds = (moment.hour * 60 + moment.minute) * 60 + moment.second
    return int(seconds * _SECOND + moment.microsecond)


def _require_naive(*bounds: Any) -> None:
    for name, value in zip(("min_value", "max_value"), bounds):
        if value is not None and value.tzinfo is not None:
            raise InvalidArgument(
                f"{name}={value!r} must not have a time zone; write {name}=value.replace(tzinfo=None) and "
                "timezones=gen.just(zone)"
            )


def _shown(min_value: object, max_value: object) -> dict[str, object]:
    return {"min_value": min_value, "max_value": max_value}


def timezone_keys(*, allow_prefix: bool = True) -> Gen[str]:
    """Names of time zones that this machine knows, such as ``"Europe/Rome"``; ``"UTC"`` is the simplest.

    ``allow_prefix`` adds those that begin with ``posix/`` and ``right/`` if the machine has them.

    >>> timezone_keys()[0]
    'UTC'
    """
    require_bool("allow_prefix", allow_prefix)
    return _timezone_keys(allow_prefix)


@interned
def _timezone_keys(allow_prefix: bool) -> Gen[str]:
    from zoneinfo import available_timezones

    known = sorted(available_timezones() - {"UTC"})
    if not known:
        raise InvalidArgument(
            "this machine has no time zones; install the package tzdata, or give gen.just(datetime.timezone.utc)"
        )
    if allow_prefix:
        known += [
            f"{prefix}/{name}"
            for prefix in ("posix", "right")
            for name in known
            if _exists(f"{prefix}/{name}")
        ]
    return described(
        sampled_from(["UTC", *known]), "timezone_keys", allow_prefix=None if allow_prefix else False
    )


def _exists(key: str) -> bool:
    from zoneinfo import ZoneInfo

    try:
        ZoneInfo(key)
    except (OSError, ValueError, LookupError):
        return False
    return True


def timezones(*, no_cache: bool = False) -> Gen[ZoneInfo]:
    """Time zones of this machine as ``zoneinfo.ZoneInfo``; UTC is the simplest.

    ``no_cache`` makes a new object each time, which differs from others of the same name.

    >>> timezones()[0]
    zoneinfo.ZoneInfo(key='UTC')
    """
    from zoneinfo import ZoneInfo

    require_bool("no_cache", no_cache)
    make: Any = ZoneInfo.no_cache if no_cache else ZoneInfo
    node: Gen[ZoneInfo] = Map(
        timezone_keys(allow_prefix=False), make, lambda zone: zone.key, share=not no_cache
    )
    return described(node, "timezones", no_cache=no_cache or None)


def is_imaginary(moment: Any) -> bool:
    """Whether no clock in its time zone ever shows this datetime, because it is skipped when the clocks go
    forward."""
    if moment.tzinfo is None:
        return False
    from datetime import UTC

    try:
        there_and_back = moment.astimezone(UTC).astimezone(moment.tzinfo)
    except OverflowError:
        return False
    return bool(moment.replace(tzinfo=None) != there_and_back.replace(tzinfo=None))
