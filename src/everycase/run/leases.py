"""A part of a run: some of the cases that an explorer would propose, tested wherever there is room for them.

The cases of a run form a sequence, and a part takes those from one position to another. Exhaustive runs jump
to a position by its index. Others are followed from the beginning, as if the tests before that position had
passed: making inputs takes a small part of the time of testing them. A part depends only on the property, the
explorer, the seed and the two positions, so testing it twice, or elsewhere, gives the same result.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Generator, Sequence
from typing import Any

from everycase.choices.time_limit import LIMIT, OutOfTime, in_force, until
from everycase.explore.exhaustive import EnumerationPlan, Exhaustive
from everycase.explore.protocol import DISCARDED, PASSED, SEARCHING, Batch, Case, Explorer, Outcome, Space
from everycase.explore.random import Random
from everycase.run.health import WATCHED
from everycase.run.loop import BATCH

#: The maximum number of leases that are out for each worker.
IN_FLIGHT = 3
#: The longest and the shortest time that a lease should take, in seconds; after a loss, leases become
#: shorter.
LONGEST, SHORTEST = 2.0, 0.05
#: If some tests in a row take longer than this (seconds), the next ones are taken one by one where the clock counts.
QUICK = 0.05
#: The number of positions of the first lease, and how much larger a lease may be than the last one that was
#: measured.
FIRST, GROWTH = 64, 8


class CaseStream:
    """The cases of an explorer as a sequence, requested as a run requests them.

    ``begun`` are the outcomes of the first cases; those after them, up to ``start``, passed. ``bulk`` says that the run takes
    batches, ``left`` how many tests it has left at most, ``plan`` where the explorer's plan is known already.
    """

    def __init__(
        self,
        explorer: Explorer,
        space: Space,
        start: int = 0,
        *,
        begun: Sequence[Outcome] = (),
        bulk: bool = True,
        left: Callable[[], int] = lambda: BATCH,
        plan: EnumerationPlan | None = None,
    ) -> None:
        self.space = space
        #: how many cases were taken
        self.place = 0
        self.ended = False
        #: whether the time was up in the middle of making a case: the next one cannot be taken
        self.broken = False
        self._begun = begun
        self._bulk = bulk
        self._left = left
        self._batch: Batch | None = None
        self._next = 0
        self._outcome: Any = None
        #: the numbers of the cases, if they have some
        self.plan = plan = plan or plan_of(explorer, space)
        if plan is None:
            self._cases = explorer.explore(space)
            self.skip(start)
        elif start < plan.count:
            self._cases = plan.cases(space, start)
            self.place = start
        else:
            self.ended = True

    def skip(self, start: int) -> None:
        """Advance to a position, as if the tests before it had passed."""
        while self.place < start:
            case = self.take(start - self.place)
            if case is None:
                return
            if case is not SEARCHING and self.place <= len(self._begun):
                self.learn(self._begun[self.place - 1])
            else:
                last = case.values[-1] if isinstance(case, Batch) else case.args
                self.learn(DISCARDED if last is None and case is not SEARCHING else PASSED)

    def take(self, most: int) -> Case | None:
        """The next case, or a batch of at most ``most``; :data:`SEARCHING` if there is none yet, None if there is none left."""
        if self.ended:
            return None
        if self._batch is None:
            # A run handles its first cases one by one.
            self.space.batches = min(BATCH, self._left()) if self._bulk and self.place > WATCHED else 0
            try:
                case = self._cases.send(self._outcome)
            except StopIteration:
                self.ended = True
                return None
            except BaseException:
                self.broken = True
                raise
            if not isinstance(case, Batch):
                self.place += case is not SEARCHING
                return case
            self._batch, self._next = case, 0
        batch, first = self._batch, self._next
        self._next = min(len(batch.values), first + most)
        self.place += self._next - first
        return Batch(batch.values[first : self._next], lambda number: batch.case(first + number))

    def learn(self, outcome: Outcome, last: Case | None = None) -> None:
        """Report the outcome of the case that was taken, or of the last one of the batch."""
        batch = self._batch
        if batch is not None:
            if last is not None:
                batch.last = last
            if outcome.utilities:
                self._bulk = False  # as a run in one process does: such tests report something each time
            elif self._next < len(batch.values):
                return
            self._batch = None
        self._outcome = outcome


class PartOfSearch(Explorer):
    """The cases of another explorer from one position to another.

    ``until`` tells an outcome after which the part ends. ``stream`` makes the row of cases, from the first place on.
    """

    stops_at_failure = False

    def __init__(
        self,
        explorer: Explorer,
        start: int,
        stop: int,
        *,
        until: Callable[[Outcome], bool] | None = None,
        stream: Callable[[Space], CaseStream] | None = None,
        end: float | None = None,
    ) -> None:
        self.explorer = explorer
        self.start = start
        self.stop = stop
        self.until = until
        self._make_stream = stream
        #: when to end at the latest
        self.end = end
        self.stream: CaseStream | None = None
        #: the last position that was reached, and whether there are none after it
        self.place = start
        self.ended = False
        #: how many cases there are in all, if the part reached the end of all values
        self.total: int | None = None
        #: the position of the outcome that ended the part
        self.troubled: int | None = None

    def explore(self, space: Space) -> Generator[Case, Outcome, None]:
        make = self._make_stream
        now = time.perf_counter()
        end = math.inf if self.end is None else now + self.end - time.time()
        outer = LIMIT.end
        try:
            with until(end):
                stream = CaseStream(self.explorer, space, self.start) if make is None else make(space)
        except OutOfTime:
            if end < outer:
                return
            raise
        self.stream = stream
        self.place = stream.place
        # A batch is not interrupted, so it may not take long if the clock counts.
        timed = self.end is not None
        most = 1 if timed else self.stop
        with in_force(end):
            while stream.place < self.stop and now <= end:
                limit = LIMIT.end
                LIMIT.end = min(limit, end)  # as ``until`` does, which takes longer than some tests
                try:
                    case = stream.take(min(most, self.stop - stream.place))
                except OutOfTime:
                    if end < limit:
                        break
                    raise
                finally:
                    LIMIT.end = limit
                if case is None:
                    break
                outcome = yield case
                stream.learn(PASSED if outcome is None else outcome, getattr(case, "last", None))
                self.place = stream.place
                if timed:
                    before, now = now, time.perf_counter()
                    most = min(BATCH, 2 * most) if now - before < QUICK else 1
                if (
                    outcome is not None
                    and outcome is not PASSED
                    and self.until is not None
                    and self.until(outcome)
                ):
                    self.troubled = stream.place - 1
                    return
        self.ended = stream.ended
        if stream.plan is not None and stream.plan.is_whole and self.place == stream.plan.count:
            self.total = int(stream.plan.count)


def part_of(explorer: Explorer) -> PartOfSearch | None:
    """The part of a run that an explorer takes, perhaps inside another one that watches it."""
    inner = explorer if isinstance(explorer, PartOfSearch) else getattr(explorer, "explorer", None)
    return inner if isinstance(inner, PartOfSearch) else None


def plan_of(explorer: Explorer, space: Space) -> EnumerationPlan | None:
    """The indices of the cases, if they have any: then nothing has to be made to reach a position. To be
    called once per space, whose dice may decide the order."""
    return explorer.plan(space) if isinstance(explorer, Exhaustive) and space.steps is None else None


def is_deaf(explorer: Explorer) -> bool:
    """Whether the explorer proposes the same cases whatever their outcomes are."""
    return type(explorer) in (Random, Exhaustive)


class LeaseSize:
    """Decides how many positions a lease has, from measurements."""

    def __init__(self) -> None:
        self.seconds_per_place: float | None = None
        self.target = LONGEST
        self.last = FIRST / GROWTH

    def places(self, workers: int, left: int | None) -> int:
        """The number of positions of the next lease, from how many are left and how many workers there
        are."""
        if self.seconds_per_place is None:
            size = float(FIRST)
        else:
            size = min(self.target / max(self.seconds_per_place, 1e-9), GROWTH * self.last)
        if left is not None:
            # Towards the end leases become smaller, so that all workers finish at the same time.
            least = self.target / 20 / max(self.seconds_per_place or 0.01, 1e-9)
            size = min(size, max(least, left / (2 * workers)))
        return max(1, int(size))

    def measured(self, places: int, seconds: float) -> None:
        """A lease was tested."""
        each = max(seconds, 1e-6) / places
        known = self.seconds_per_place
        self.seconds_per_place = each if known is None else 0.5 * known + 0.5 * each
        self.last = max(self.last if known is not None else 0, places)
        self.target = min(LONGEST, self.target * 1.02)

    def lost(self) -> None:
        """A lease was lost: shorter ones lose less."""
        self.target = max(SHORTEST, self.target / 2)
