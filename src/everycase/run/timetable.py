"""The one clock of a run with ``max_seconds``: when each of its parts has to end.

A part may overrun its end by a single call of user code, and nobody can prevent that. So the ends leave room for
it: the whole run stays within one and a half times its limit if such a call takes a tenth of it.
"""

from __future__ import annotations

import math
import time

#: Shares of ``max_seconds``: what finding out how to test may take if user code is slow, and in any case (or of the
#: usual second);
PLANNED, PLANNED_AT_MOST = 0.1, 0.5

#: Shares of ``max_seconds``, from the beginning of the run: when to end making tests (sooner for tests that earlier runs
#: remembered, and when one has failed);
REMEMBERED, EXPLORED, LOOKED_FURTHER = 0.5, 1.0, 0.6
#: checking what will be claimed, and making the best inputs again;
CHECKED = 1.1
#: confirming and shrinking failures (which gets a share of its own if there is time);
SHRUNK, SHRINKING = 1.25, 0.4
#: and running them once more, to show them.
SHOWN = 1.35

#: Time limit for confirming and shrinking all failures of a run without ``max_seconds``.
SHRINKING_SECONDS = 60.0


class Timetable:
    """Times by :func:`time.perf_counter`, infinite without a limit.

    >>> Timetable(None).end(EXPLORED)
    inf
    """

    def __init__(self, limit: float | None) -> None:
        self.limit = limit
        self.started = time.perf_counter()

    def end(self, share: float) -> float:
        """When a part ends."""
        return math.inf if self.limit is None else self.started + share * self.limit

    def left(self, share: float) -> float:
        """Seconds until then; 0 if it is over."""
        return max(0.0, self.end(share) - time.perf_counter())

    def over(self, share: float) -> bool:
        """Whether it is over."""
        return time.perf_counter() > self.end(share)

    @classmethod
    def of_part(cls, limit: float) -> Timetable:
        """That of a part of a larger run: whatever happens in it, all of it ends at the same time."""
        return _OfPart(limit)

    def end_of_shrinking(self) -> float:
        """When to end shrinking that begins now: there is the time that exploring has left, or a share of the limit."""
        now = time.perf_counter()
        if self.limit is None:
            return now + SHRINKING_SECONDS
        return min(self.end(SHRUNK), max(self.end(EXPLORED), now + SHRINKING * self.limit))


class _OfPart(Timetable):
    def end(self, share: float) -> float:
        return super().end(1.0)
