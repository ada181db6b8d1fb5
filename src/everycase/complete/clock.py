"""The time limit of one question: every long loop of this package checks it."""

from __future__ import annotations

import time


class TimeIsUp(Exception):
    """Raised inside this package when the time is up; the caller reports what is known so far."""


class Clock:
    """Counts from when it is made.

    >>> Clock(60).left() > 0
    True
    >>> Clock(0.0).check()
    Traceback (most recent call last):
    ...
    everycase.complete.clock.TimeIsUp
    """

    def __init__(self, seconds: float = float("inf")) -> None:
        self.seconds = seconds
        self.until = time.monotonic() + seconds

    def left(self) -> float:
        """Seconds left, negative once it is too late."""
        return self.until - time.monotonic()

    def check(self) -> None:
        """Raise :class:`TimeIsUp` if it is too late."""
        if time.monotonic() >= self.until:
            raise TimeIsUp

    def part(self, share: float, at_least: float = 0.0) -> Clock:
        """A clock for a part of the work: a share of the remaining time."""
        return Clock(min(max(self.left() * share, at_least), max(0.0, self.left())))
