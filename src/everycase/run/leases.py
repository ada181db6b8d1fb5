"""A part of a run: some of the cases that an explorer would propose, tested wherever there is room for them.

The cases of a run stand in a row, and a part takes those from one place to another. Exhaustive runs jump to a place by its
number. Others are followed from the beginning, as if the tests before that place had passed: making inputs takes a
small part of the time that testing them takes. A part is decided by the property, the explorer, the seed and the two places
alone, so that testing it twice, or elsewhere, comes to the same.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

from everycase.explore.auto import Auto
from everycase.explore.exhaustive import Exhaustive
from everycase.explore.protocol import PASSED, SEARCHING, Batch, Case, Explorer, Outcome, Space
from everycase.explore.random import Random
from everycase.run.health import WATCHED
from everycase.run.loop import BATCH


class Stream:
    """The cases of an explorer in a row, asked for as a run asks whose tests all pass."""

    def __init__(self, explorer: Explorer, space: Space, start: int = 0, target: int | None = None) -> None:
        self.space = space
        #: how many cases were taken
        self.place = 0
        self.ended = False
        #: after so many tests the run ends, so that its last batch is a short one
        self._target = target
        self._batch: Batch | None = None
        self._next = 0
        self._outcome: Any = None
        plan = explorer.plan(space) if isinstance(explorer, Exhaustive) and space.steps is None else None
        if plan is None:
            self._cases = explorer.explore(space)
            self._skip(start)
        elif start < plan.count:
            self._cases = plan.cases(space, start)
            self.place = start
        else:
            self.ended = True

    def _skip(self, start: int) -> None:
        while self.place < start and self.take(start - self.place) is not None:
            self.learn(PASSED)

    def take(self, most: int) -> Case | None:
        """The next case, or a batch of at most so many; :data:`SEARCHING` if there is none yet, None if there is none left."""
        if self.ended:
            return None
        if self._batch is None:
            asked = self.place if self._target is None else min(self._target - BATCH, self.place)
            self.space.batches = BATCH if asked >= WATCHED else 0
            try:
                case = self._cases.send(self._outcome)
            except StopIteration:
                self.ended = True
                return None
            if not isinstance(case, Batch):
                self.place += case is not SEARCHING
                return case
            self._batch, self._next = case, 0
        batch, first = self._batch, self._next
        self._next = min(len(batch.values), first + most)
        self.place += self._next - first
        return Batch(batch.values[first : self._next], lambda number: batch.case(first + number))

    def learn(self, outcome: Outcome, last: Case | None = None) -> None:
        """What became of the case that was taken, or of the last one of the batch."""
        batch = self._batch
        if batch is not None:
            if last is not None:
                batch.last = last
            if self._next < len(batch.values) and not outcome.utilities:
                return
            self._batch = None
        self._outcome = outcome


class Part(Explorer):
    """The cases of another explorer from one place to another.

    ``until`` tells an outcome after which the part ends. ``before`` is told the place of each case before it is tested,
    and the case; cases then come one by one.
    """

    stops_at_failure = False

    def __init__(
        self,
        explorer: Explorer,
        start: int,
        stop: int,
        *,
        until: Callable[[Outcome], bool] | None = None,
        before: Callable[[int, Case], None] | None = None,
        stream: Callable[[Space], Stream] | None = None,
    ) -> None:
        self.explorer = explorer
        self.start = start
        self.stop = stop
        self.until = until
        self.before = before
        self._stream = stream
        #: the last place that was come to, and whether there are none after it
        self.place = start
        self.ended = False
        #: the place of the outcome that ended the part
        self.troubled: int | None = None

    def explore(self, space: Space) -> Generator[Case, Outcome, None]:
        stream = self._stream(space) if self._stream else Stream(self.explorer, space, self.start)
        self.place = stream.place
        while stream.place < self.stop:
            case = stream.take(self.stop - stream.place)
            if case is None:
                break
            if self.before is not None and case is not SEARCHING:
                self.before(stream.place - 1, case)
            outcome = yield case
            stream.learn(PASSED if outcome is None else outcome, getattr(case, "last", None))
            self.place = stream.place
            if (
                outcome is not None
                and outcome is not PASSED
                and self.until is not None
                and self.until(outcome)
            ):
                self.troubled = stream.place - 1
                return
        self.ended = stream.ended


def can_jump(explorer: Explorer, space: Space) -> bool:
    """Whether the cases have numbers, so that nothing is made to come to a place."""
    return isinstance(explorer, Exhaustive) and space.steps is None and explorer.plan(space) is not None


def is_deaf(explorer: Explorer) -> bool:
    """Whether the explorer proposes the same whatever becomes of its cases."""
    return type(explorer) in (Random, Exhaustive)


def chosen_by(explorer: Explorer | None, space: Space) -> Explorer:
    """What is explored with: the default chooses by the generator."""
    explorer = explorer or Auto()
    return explorer.choose(space) if isinstance(explorer, Auto) else explorer
