"""The time limit of one question: every long loop of this package checks it.

What counts is the time for which this thread works, sleeps or waits, but not the time for which it only waits for a
processor, so that a busy machine changes no verdict. Where the system does not tell these apart (Linux does), what counts
is its work, and the time for which the user's generator waits.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

#: However little work is done, a limit ends after this many times its length.
PATIENCE = 4.0
#: Where Linux says how long this thread ran, and for how long it could have run but did not, in nanoseconds.
SCHEDULING = Path("/proc/thread-self/schedstat")
#: Seconds for which a reading of the work is good enough: on some systems it takes a slow call.
FRESH = 0.002


class TimeIsUp(Exception):
    """Raised inside this package when the time is up; the caller reports what is known so far."""


def waited_for_processor() -> float | None:
    """Seconds for which this thread could have run, but others did; None if the system does not say."""
    try:
        return int(SCHEDULING.read_bytes().split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return None


class _Work:
    """The time of this thread that counts. Between two readings all of it does."""

    def __init__(self) -> None:
        self.read()

    def read(self) -> float:
        waited, self.at = waited_for_processor(), time.monotonic()
        self.seconds = time.thread_time() if waited is None else self.at - waited
        return self.seconds

    def until(self, now: float) -> float:
        """The seconds of work until now."""
        return self.seconds + (now - self.at) if now - self.at < FRESH else self.read()


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
        self._work: _Work = within._work if within is not None else _Work()
        self._began, self._waited = time.monotonic(), 0.0
        self._worked = self._work.until(self._began)

    def left(self) -> float:
        """Seconds left, negative once it is too late."""
        now = time.monotonic()
        work = self._work.until(now) - self._worked + self._waited
        return self.seconds - max(work, (now - self._began) / PATIENCE)

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
        left, now = self.left(), time.monotonic()
        work, passed = self._work.until(now) - self._worked, now - self._began - self._waited
        busy = max(1.0, passed / work) if work > 0.01 else 1.0
        return left * min(busy, PATIENCE)

    @contextmanager
    def running(self) -> Iterator[None]:
        """While the user's code runs: the time for which it sleeps or waits counts too, on every system."""
        began = time.monotonic()
        try:
            yield
        finally:
            passed = time.monotonic() - began
            if passed > FRESH:  # the work since the last reading was at least that of the user's code
                before = self._work.seconds
                waited = passed - (self._work.read() - before)
                clock: Clock | None = self
                while clock is not None and waited > 0:
                    clock._waited += waited
                    clock = clock._within
