"""The time limit of one question: every long loop of this package checks it.

What counts is the work of this thread, so that a busy machine changes no verdict, and the time for which the
user's generator waits.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

#: However little work is done, a limit ends after this many times its length.
PATIENCE = 4.0


class TimeIsUp(Exception):
    """Raised inside this package when the time is up; the caller reports what is known so far."""


class Clock:
    """Counts from when it is made. ``within`` is the clock of the whole, if this is one for a part.

    >>> Clock(60).left() > 0
    True
    >>> Clock(0.0).check()
    Traceback (most recent call last):
    ...
    everycase.complete.clock.TimeIsUp
    """

    def __init__(self, seconds: float = float("inf"), within: Clock | None = None) -> None:
        self.seconds, self._within = seconds, within
        self._worked, self._began, self._waited = time.thread_time(), time.monotonic(), 0.0

    def left(self) -> float:
        """Seconds left, negative once it is too late."""
        work = time.thread_time() - self._worked + self._waited
        return self.seconds - max(work, (time.monotonic() - self._began) / PATIENCE)

    def check(self) -> None:
        """Raise :class:`TimeIsUp` if it is too late."""
        if self.left() <= 0:
            raise TimeIsUp

    def part(self, share: float, at_least: float = 0.0) -> Clock:
        """A clock for a part of the work: a share of the remaining time."""
        left = self.left()
        return Clock(min(max(left * share, at_least), max(0.0, left)), self)

    def without(self, seconds: float) -> Clock:
        """A clock that leaves these seconds of the remaining time for something else."""
        return Clock(max(0.0, self.left() - seconds), self)

    def by_the_wall(self) -> float:
        """Seconds left for something that only knows the time of day, if the machine stays as busy as it was."""
        left = self.left()
        work = time.thread_time() - self._worked
        passed = time.monotonic() - self._began - self._waited
        busy = max(1.0, passed / work) if work > 0.01 else 1.0
        return left * min(busy, PATIENCE)

    @contextmanager
    def running(self) -> Iterator[None]:
        """While the user's code runs: the time for which it sleeps or waits counts too."""
        worked, began = time.thread_time(), time.monotonic()
        try:
            yield
        finally:
            waited = time.monotonic() - began - (time.thread_time() - worked)
            clock: Clock | None = self
            while clock is not None and waited > 0:
                clock._waited += waited
                clock = clock._within
