"""How long a run continues.

If ``max_examples`` or ``max_seconds`` is given, only that counts. By default a run makes at least
:data:`ENOUGH` tests, and then up to 1,000 while they fit into about a second, so that a suite of slow tests
does not become ten times slower.

The clock matters only in runs whose seed was not chosen, and with ``max_seconds``. It decides how many of the inputs of a
seed are tested, never which, with one exception: if user code is so slow that counting the values would take much of the
time, they are not counted, and so not all of them are tested. A run that should be the same every time (``seed``, ``derandomize``, as on build servers)
makes all of its tests, however long they take.
"""

from __future__ import annotations

import math
import sys
import time

from everycase.explore.protocol import Explorer, Stop, Stopped
from everycase.run.labels import GROWTH
from everycase.run.settings import ENOUGH, Resolved
from everycase.run.timetable import EXPLORED, LOOKED_FURTHER, PLANNED, PLANNED_AT_MOST, Timetable

#: Approximate number of seconds that a run takes for its tests by default.
USUAL_SECONDS = 1.0


class RunBudget:
    """What a run may use: a number of tests, and time.

    ``target`` is the number of tests after which it ends.
    """

    def __init__(
        self, options: Resolved, explorer: Explorer, timetable: Timetable, *, repeatable: bool
    ) -> None:
        self.options = options
        now = time.perf_counter()
        self.timetable = timetable
        self.end = None if timetable.limit is None else timetable.end(EXPLORED)
        self.counted = options.limited or self.end is None
        self.target = options.max_examples
        self.soon: float | None = None
        #: the target before it grew
        self.first_target: int | None = None
        self.took_longer = self.failed = False
        if not options.limited and self.end is None and explorer.open_ended and not repeatable:
            self.soon = now + USUAL_SECONDS

    @property
    def planning(self) -> tuple[float, float]:
        """How many seconds finding out how to test may take if user code is slow, and in any case."""
        limit = self.options.max_seconds
        if limit is not None:
            return PLANNED * limit, PLANNED_AT_MOST * limit
        return (math.inf if self.soon is None else PLANNED * USUAL_SECONDS), math.inf

    def plan(self, tests: int) -> None:
        """An explorer that plans ahead needs a number of tests, and the time that they take."""
        if tests != self.options.planned:
            self.target, self.soon = tests, None
        elif self.counted:
            self.target = tests

    def used_up(self) -> Stop:
        """The reason why a run that has made all of its tests ends."""
        return Stop(Stopped.budget, {"tests": self.target})

    def grow(self, tests: int) -> bool:
        """Allow more tests than planned, up to :data:`GROWTH` times as many; False if that is used up."""
        if self.first_target is None:
            self.first_target = self.target
        most = GROWTH * self.first_target
        if tests >= most or self.first_target >= sys.maxsize:
            return False
        self.target = min(most, tests + max(1, tests // 8))
        return True

    def take_longer(self) -> bool:
        """The same for the default time of a run."""
        if self.soon is None or self.took_longer:
            return False
        self.soon += (GROWTH - 1) * USUAL_SECONDS
        self.took_longer = True
        return True

    def look_no_further(self) -> float:
        """A test has failed, so leave time to shrink it; returns when the run ends now."""
        if self.end is None:
            return math.inf
        self.failed = True
        self.end = min(self.end, max(time.perf_counter(), self.timetable.end(LOOKED_FURTHER)))
        return self.end

    def out_of_time(self) -> Stop:
        """The reason why a run that has used up ``max_seconds`` ends, or its share for tests after the first failure."""
        if self.failed and not self.timetable.over(EXPLORED):
            return Stop(Stopped.failure)
        return Stop(Stopped.max_seconds, {"limit": self.timetable.limit})

    @property
    def timed(self) -> bool:
        """Whether the clock has to be checked."""
        return self.end is not None or self.soon is not None

    def over(self, now: float, tests: int) -> Stop | None:
        """The reason why the run ends now; None if it continues."""
        if self.end is not None and now > self.end:
            return self.out_of_time()
        if self.soon is not None and now > self.soon and tests >= ENOUGH:
            return Stop(Stopped.usual_seconds)
        return None
