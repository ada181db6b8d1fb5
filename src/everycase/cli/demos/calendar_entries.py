"""A generator written as a function: bookings of a room that never overlap."""

from __future__ import annotations

from datetime import date, timedelta

from everycase import check, gen
from everycase.cli.demos import Scene, source
from everycase.run.render import verdict
from everycase.run.source_text.printer import call

Booking = tuple[date, date]


@gen.composite
def calendars(draw: gen.Draw) -> list[Booking]:
    """Bookings (arrival, departure) in order; each begins on the day the last one ended, or later."""
    day = date(2024, 1, 1)
    bookings = []
    for _ in range(draw(gen.integers(0, 8))):
        arrival = day + timedelta(days=draw(gen.integers(0, 60)))
        day = arrival + timedelta(days=draw(gen.integers(1, 30)))
        bookings.append((arrival, day))
    return bookings


def nights_in(bookings: list[Booking], month: int) -> int:
    """Nights spent in a month. The bug: a stay that continues into the next month counts only in the month it
    began."""
    begun = [b for b in bookings if b[0].month == month]
    return sum((last - first).days for first, last in begun)


def no_month_has_more_nights_than_days(bookings: list[Booking]) -> None:
    this_year = [b for b in bookings if b[1].year == 2024]
    assert nights_in(this_year, month=2) <= 29


def demo() -> Scene:
    report = check(
        no_month_has_more_nights_than_days, calendars(), seed=0, max_examples=20_000, database=None
    )
    failure = report.failures[0]
    return Scene(
        technique="A generator written as a function",
        story="Bookings of a room must not overlap, so each depends on the one before. A generator written "
        "as a function "
        "expresses this directly. The report counts the nights of a stay in the month it began, and February gets 30.",
        code=source(calendars, nights_in, no_month_has_more_nights_than_days),
        outcome=f"{verdict(report)}\n" + call("nights_in", failure.arguments),
        facts=[
            ("failing test", f"{report.failed_at:,}"),
            ("bookings after shrinking", f"{len(failure.arguments['bookings'])}"),
            ("calls while shrinking", f"{failure.shrink_calls:,}"),
        ],
        works=report.status == "failed",
    )
