"""Pruning: busy days without overlapping bookings, found from the check alone."""

from __future__ import annotations

from dataclasses import dataclass

from everycase import Phase, check, gen
from everycase.cli.demos import Scene, source
from everycase.explore import Narrow
from everycase.run.render import verdict
from everycase.run.source_text.printer import call

OPEN, CLOSE = 8, 18


@dataclass(frozen=True)
class Booking:
    start: int
    end: int


def consistent(day: list[Booking]) -> bool:
    """Whether every booking ends after it starts, and none starts before the last one has ended."""
    free_from = OPEN
    for booking in day:
        if booking.start < free_from or booking.end <= booking.start:
            return False
        free_from = booking.end
    return True


def free_slots(day: list[Booking]) -> list[tuple[int, int]]:
    """The time between bookings. The bug: a third booking in a row shortens the block it is joined to."""
    blocks: list[tuple[int, int]] = []
    for previous, booking in zip([None, *day], day):
        if previous is not None and previous.end == booking.start:
            blocks[-1] = (previous.start, booking.end)
        else:
            blocks.append((booking.start, booking.end))
    ends = [OPEN, *[end for _, end in blocks]]
    starts = [*[start for start, _ in blocks], CLOSE]
    return [gap for gap in zip(ends, starts) if gap[0] < gap[1]]


def hours_in(slots: list[tuple[int, int]]) -> set[int]:
    return {hour for start, end in slots for hour in range(start, end)}


def offers_no_booked_time(day: list[Booking]) -> None:
    booked = hours_in([(booking.start, booking.end) for booking in day])
    assert not booked & hours_in(free_slots(day))


def demo() -> Scene:
    hours = gen.integers(OPEN, CLOSE)
    days = gen.lists(gen.builds(Booking, hours, hours), min_size=4, max_size=6)
    drawn = 20_000
    valid = sum(map(consistent, days.sample(drawn, seed=0)))
    busy = days.filter(consistent)
    report = check(offers_no_booked_time, busy, explore=Narrow(), seed=0, database=None)
    steady = check(
        consistent, busy, explore=Narrow(), max_examples=1000, seed=0, database=None, phases=[Phase.explore]
    )
    failure = report.failures[0]
    per_value = steady.figures["per_value"]
    return Scene(
        technique="Pruning: inputs that satisfy a precondition",
        story="A calendar offers the time between bookings. Only days without overlaps make sense, and hardly any random "
        "list of four bookings is one. The check runs on half-decided days: parts are chosen only when it "
        "looks at them, "
        "and once it rejects, all days with these parts are skipped.",
        code=source(consistent, free_slots, offers_no_booked_time),
        outcome=f"{verdict(report)}\n" + call("free_slots", failure.arguments),
        facts=[
            (f"consistent among {drawn:,} random days", f"{valid:,}"),
            ("calls of the check for each day found by pruning", f"{per_value:.1f}"),
            ("failing test", f"{report.failed_at:,}"),
        ],
        works=report.status == "failed" and steady.examples == 1000,
    )
