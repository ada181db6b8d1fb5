"""A run on many workers, with the result of one process.

The first cases are tested in this process, as always. Then the workers of a ``concurrent.futures.Executor``
test leases (the cases from one position of the run to another) in any order, and their results are recorded
in the order of the positions. From the first lease in which a test did more than pass (a failure, a utility),
the run continues in this process, so that it finds, counts and shrinks exactly what it would have found
alone.

A search by utilities decides each step from the one before, and a state machine decides its steps while it
runs, so those continue in this process. (A campaign has islands for them.)
"""

from __future__ import annotations

import os
import threading
import time
import uuid
from collections import deque
from collections.abc import Generator
from concurrent.futures import BrokenExecutor, CancelledError, Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import dataclass, replace
from importlib import import_module
from pickle import PicklingError
from typing import Any, NamedTuple

from everycase.errors import EverycaseError, GaveUp, InvalidArgument
from everycase.explore.auto import Auto
from everycase.explore.exhaustive import Exhaustive
from everycase.explore.protocol import Batch, Case, Explorer, Outcome, Space, Status, Stopped
from everycase.explore.targeted.search import TargetedSearch
from everycase.run.budget import RunBudget
from everycase.run.failures import Failures
from everycase.run.health import WATCHED
from everycase.run.labels import LabelCounts, Labels
from everycase.run.leases import IN_FLIGHT, CaseStream, LeaseSize, PartOfSearch, is_deaf
from everycase.run.loop import BATCH
from everycase.run.property import PROPERTY, Property
from everycase.run.render import error_text
from everycase.run.settings import HealthCheck, Phase, Resolved

#: A worker keeps the sequence of cases of its last lease, because the next one often continues from there.
_kept = threading.local()


@dataclass(frozen=True)
class Job:
    """What a worker must know of a run, in a form that can be sent to it."""

    id: str
    #: the property, or the module and name under which another process finds it
    test: Any
    explorer: Explorer
    options: Resolved
    seed: int
    #: whether the run takes its cases in batches, and the outcomes of the first cases
    bulk: bool
    begun: tuple[Outcome, ...]
    #: when the run ends, by the clock that all processes share
    end: float | None
    #: whether counting the values took too long
    given_up: bool = False


class Tested(NamedTuple):
    """The result of one lease."""

    examples: int
    discarded: int
    events: dict[str, int]
    #: how many positions were visited
    visited: int
    #: whether there was only something to count
    clean: bool
    seconds: float
    #: what tests said with ``classify`` and ``tabulate``
    labels: LabelCounts
    #: the position of a failure, and the failure in words
    failed: tuple[int, str] | None = None
    #: why the values may depend on something besides their choices, in words
    doubt: str = ""


class Spread(Explorer):
    """An explorer whose cases are tested elsewhere, as long as they simply pass."""

    def __init__(
        self,
        explorer: Explorer,
        prop: Property,
        options: Resolved,
        failures: Failures,
        labels: Labels,
        budget: RunBudget,
    ) -> None:
        self.explorer = explorer
        self.prop = prop
        self.options = options
        self.failures = failures
        self.labels = labels
        self.budget = budget
        self.wants_all = explorer.wants_all
        self.open_ended = explorer.open_ended

    def explore(self, space: Space) -> Generator[Case, Outcome, None]:
        explorer = self.explorer
        if isinstance(explorer, Auto):
            explorer = explorer.choose(space)
        if space.steps is not None or isinstance(explorer, TargetedSearch):
            yield from explorer.explore(space)
            return
        sent = _sent(self.prop, self.options)
        report, budget = self.failures.report, self.budget
        options = self.options
        bulk = options.deadline is None and not options.statistics and options.verbosity.value < 2
        stream = CaseStream(explorer, space, bulk=bulk, left=lambda: budget.target - report.examples)
        begun: list[Outcome] = []
        while stream.place <= WATCHED:
            case = stream.take(1)
            if case is None:
                return
            outcome = yield case
            if outcome is not None:
                begun.append(outcome)
            stream.learn(outcome, None)
        # What a test draws while it runs is only known by running it, so that no worker can come to a later place.
        if not space.record and not any(
            _speaks(outcome, explorer) and not outcome.guessed for outcome in begun
        ):
            job = Job(
                uuid.uuid4().hex,
                sent,
                explorer,
                _for_workers(options),
                report.seed,
                bulk,
                tuple(_plain(outcome) for outcome in begun),
                None if budget.end is None else time.time() + budget.end - time.perf_counter(),
                space.counting.given_up,
            )
            handing = _Handing(self, job, space, stream)
            if not handing.test():
                return
            if handing.done > stream.place:
                if stream.plan is None:
                    stream.skip(handing.done)
                else:
                    stream = CaseStream(explorer, space, handing.done, plan=stream.plan)
        while (case := stream.take(BATCH)) is not None:
            outcome = yield case
            stream.learn(outcome, case.last if isinstance(case, Batch) else None)


def _speaks(outcome: Outcome, explorer: Explorer) -> bool:
    """Whether an outcome means more than that the test passed, as far as the explorer cares."""
    if outcome.status is Status.failed or outcome.utilities:
        return True
    return outcome.status is Status.discarded and not is_deaf(explorer)


def _plain(outcome: Outcome) -> Outcome:
    """An outcome as it can be sent to another process."""
    return Outcome(outcome.status, None, outcome.utilities, guessed=outcome.guessed)


def _for_workers(options: Resolved) -> Resolved:
    return replace(
        options,
        executor=None,
        database=None,
        explore=None,
        max_seconds=None,
        observe=False,
        statistics=False,
        suppress_health_check=tuple(HealthCheck),
        phases=tuple(phase for phase in options.phases if phase in (Phase.explore, Phase.target)),
    )


class _Handing:
    """The leases of one run: handed out, and recorded in the order of their positions."""

    def __init__(self, spread: Spread, job: Job, space: Space, stream: CaseStream) -> None:
        self.job = job
        self.options = spread.options
        self.failures = spread.failures
        self.labels = spread.labels
        self.budget = spread.budget
        self.report = spread.failures.report
        self.findings = space.findings
        self.explorer = job.explorer
        #: all positions before this one are recorded
        self.done = self.next = stream.place
        plan = stream.plan
        self.total = None if plan is None else plan.count
        # The last tests are run here: a run asks for fewer cases at its end, and notices that there are no
        # more.
        self.margin = 2 * BATCH if plan is None else 1
        self.waiting: deque[tuple[int, int, Future[Tested]]] = deque()
        self.lease_size = LeaseSize()
        self.workers = getattr(self.options.executor, "_max_workers", None) or os.cpu_count() or 1

    def test(self) -> bool:
        """Let the executor test leases as long as they pass; returns whether the run continues here."""
        try:
            while True:
                while len(self.waiting) < IN_FLIGHT * self.workers and self._submit():
                    pass
                if not self.waiting:
                    return True
                start, stop, future = self.waiting.popleft()
                if not self._book(start, stop, future.result(self._left())):
                    return True
        except (TimeoutError, FutureTimeout):
            return True  # the run checks the clock, too
        except (PicklingError, AttributeError, TypeError) as problem:
            raise InvalidArgument(
                f"the run cannot be sent to the workers of the executor ({error_text(problem)}); explorers "
                "and settings may only use "
                "functions defined at the top of a module"
            ) from None
        except (BrokenExecutor, CancelledError, ConnectionError, EOFError) as problem:
            self._ended(f"a worker of the executor died ({type(problem).__name__})")
            return False
        except EverycaseError:
            raise
        except Exception as problem:
            # A worker reports what user code raises, so this comes from the executor itself.
            self._ended(f"the executor failed ({error_text(problem)})")
            return False
        finally:
            for _, _, future in self.waiting:
                future.cancel()

    def _left(self) -> float | None:
        end = self.budget.end if self.budget.end is not None else self.budget.soon
        return None if end is None else max(0.0, end - time.perf_counter())

    def _submit(self) -> bool:
        """Hand out one more lease, if there are tests left."""
        room: float = self.budget.target - self.report.examples - (self.next - self.done) - self.margin
        if self.total is not None:
            room = min(room, self.total - self.margin - self.next)
        if room < 1 or self.budget.over(time.perf_counter(), self.report.examples) is not None:
            return False
        stop = self.next + min(int(room), self.lease_size.places(self.workers, int(room)))
        executor = self.options.executor
        assert executor is not None
        try:
            future = executor.submit(test_lease, self.job, self.next, stop)
        except BrokenExecutor:
            raise
        except RuntimeError as problem:
            raise InvalidArgument(
                f"the executor accepts no work ({problem}); pass one that is not shut down"
            ) from None
        self.waiting.append((self.next, stop, future))
        self.next = stop
        return True

    def _book(self, start: int, stop: int, tested: Tested) -> bool:
        """Record a lease; False if the run continues here, from its first position on."""
        self.failures.elsewhere = tested.failed
        if not tested.clean:
            return False
        if tested.visited != stop - start:
            if self.total is not None:
                self.findings.doubts.append(
                    f"a worker reached {tested.visited:,} of {stop - start:,} values, so the generator makes "
                    "other values there"
                )
            return False
        if tested.doubt:
            self.findings.doubts.append(tested.doubt)
        self.report.examples += tested.examples
        self.report.discarded += tested.discarded
        self.report.events.update(tested.events)
        self.labels.add(tested.labels)
        self.lease_size.measured(tested.visited, tested.seconds)
        self.done = stop
        return True

    def _ended(self, how: str) -> None:
        """The executor cannot continue."""
        by_number = isinstance(self.explorer, Exhaustive) and self.total is not None
        go_on = f" To continue from there, write explore=Exhaustive(start={self.done})." if by_number else ""
        self.report.problem = GaveUp(
            f"{how} after {self.report.examples:,} tests had passed.{go_on} "
            "A campaign (everycase campaign run) survives this, and reports the input if one caused it"
        )
        self.findings.stopped(Stopped.worker_died)


def _sent(prop: Property, options: Resolved) -> Any:
    """The test as a worker gets it: in this process the property itself, in another one its module and
    name."""
    if isinstance(options.executor, ThreadPoolExecutor):
        return prop
    function = prop.function
    name = (getattr(function, "__module__", ""), getattr(function, "__qualname__", ""))
    try:
        found = _find(*name)
    except (ImportError, AttributeError):
        found = None
    if found is not prop:
        raise InvalidArgument(
            f"{prop.name} cannot be found by other processes; with executor= a test must be a function under "
            "@given at the top of a module"
        )
    return name


def _find(module: str, name: str) -> Property | None:
    """The property of the decorated test that has this name."""
    value: Any = import_module(module)
    for part in name.split("."):
        value = getattr(value, part)
    return getattr(value, PROPERTY, None)


def test_lease(job: Job, start: int, stop: int) -> Tested:
    """Test the cases from one position to another. Anything that needs more than counting is left to the
    process that asked."""
    from everycase.run.runner import Runner, run_resolved

    began = time.perf_counter()
    prop = job.test if isinstance(job.test, Property) else _find(*job.test)
    assert prop is not None
    part = PartOfSearch(
        job.explorer,
        start,
        stop,
        until=lambda outcome: _speaks(outcome, job.explorer),
        stream=lambda space: _stream(job, space, start),
        end=job.end,
    )
    # The explorer belongs to the settings, so the space is the same as in the process that asked.
    runner = Runner(prop, prop.caller({}), replace(job.options, explore=part, seed=job.seed))
    runner.space.counting.given_up = job.given_up
    report = run_resolved(runner)
    failed = None
    if report.failures:
        first = report.failures[0]
        place = first.index if part.troubled is None else part.troubled
        failed = (
            start + first.failed_at - 1 if place is None else place,
            error_text(first.error.__cause__ or first.error),
        )
    clean = not report.failures and not report.best and part.troubled is None and report.problem is None
    clean = clean and not runner.labels.demanded  # the run ends when they are decided
    clean = clean and not runner.space.record  # as in Spread
    _kept.stream = (job.id, part.stream) if clean else None
    return Tested(
        report.examples,
        report.discarded,
        dict(report.events),
        part.place - start,
        clean,
        time.perf_counter() - began,
        runner.labels.counts,
        failed,
        report.doubt,
    )


test_lease.__test__ = False  # type: ignore[attr-defined]  # its name begins like that of a test


def _stream(job: Job, space: Space, start: int) -> CaseStream:
    """The sequence of cases from a position on: the one of the last lease, if it is at this position."""
    id_, stream = getattr(_kept, "stream", None) or (None, None)
    if id_ == job.id and stream is not None and stream.place == start and not stream.ended:
        known: CaseStream = stream
        return known
    return CaseStream(job.explorer, space, start, begun=job.begun, bulk=job.bulk)
