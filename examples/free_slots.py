"""A calendar that offers free time: consistent days are rare among random ones, and easy to find by pruning.

A busy day is a list of four bookings or more. It is consistent if every booking ends after it starts and none
starts before the previous one has ended. Hardly any random list is consistent. ``Narrow`` runs the check on
days that are decided only as far as it looks, so if the first two bookings are wrong, no other bookings are
added to them.

The function under test joins bookings that touch, and offers the time between. It has a bug that shows when
three bookings follow each other without a break.

Run it with ``python examples/free_slots.py``, or its tests with ``pytest examples/free_slots.py``.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from typing import Any

from everycase import HealthCheck, check, gen, given, settings
from everycase.explore import Narrow, Random

OPEN, CLOSE = 8, 18


@dataclass(frozen=True)
class Booking:
    start: int
    end: int


Day = list[Booking]
hours = gen.integers(OPEN, CLOSE)
days: gen.Gen[Day] = gen.lists(gen.builds(Booking, hours, hours), min_size=4, max_size=6)


def consistent(day: Day) -> bool:
    free_from = OPEN
    for booking in day:
        if booking.start < free_from or booking.end <= booking.start:
            return False
        free_from = booking.end
    return True


def free_slots(day: Day) -> list[tuple[int, int]]:
    """The times between bookings. The bug: a third booking in a row shortens the block it is joined to."""
    blocks: list[tuple[int, int]] = []
    for previous, booking in zip([None, *day], day):
        if previous is not None and previous.end == booking.start:
            blocks[-1] = (previous.start, booking.end)  # should be blocks[-1][0]
        else:
            blocks.append((booking.start, booking.end))
    ends = [OPEN, *[end for _, end in blocks]]
    starts = [*[start for start, _ in blocks], CLOSE]
    return [(end, start) for end, start in zip(ends, starts) if end < start]


def offers_no_booked_time(day: Day) -> None:
    booked = {hour for booking in day for hour in range(booking.start, booking.end)}
    offered = {hour for start, end in free_slots(day) for hour in range(start, end)}
    assert not booked & offered


def offers_all_free_time(day: Day) -> None:
    booked = {hour for booking in day for hour in range(booking.start, booking.end)}
    offered = {hour for start, end in free_slots(day) for hour in range(start, end)}
    assert offered | booked == set(range(OPEN, CLOSE))


@given(days.filter(consistent))
@settings(explore=Narrow(), database=None)
def test_offers_all_free_time(day: Day) -> None:
    offers_all_free_time(day)


def main(seconds: float = 2) -> None:
    drawn = days.sample(50_000, seed=1)
    print(f"50,000 random days: {sum(map(consistent, drawn))} consistent")

    options: dict[str, Any] = {"seed": 1, "database": None, "suppress_health_check": list(HealthCheck)}
    for explorer in (Random(), Narrow()):
        started = time.process_time()
        report = check(
            offers_all_free_time, days.filter(consistent), explore=explorer, max_seconds=seconds, **options
        )
        seconds = time.process_time() - started
        print(f"{explorer!r}: {report.examples:,} consistent days in {seconds:.2f} s")

    report = check(offers_no_booked_time, days.filter(consistent), explore=Narrow(), **options)
    assert report.counterexample is not None
    (day,) = report.counterexample
    booked = ", ".join(f"{booking.start}-{booking.end}" for booking in day)
    free = ", ".join(f"{start}-{end}" for start, end in free_slots(day))
    print(f"the bug, at test {report.failed_at}: booked {booked}; offered {free}")


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
