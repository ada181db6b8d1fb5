"""An exhaustive run on many workers, with the same result as on one.

The numbers of the values are cut into pieces that the workers of a ``concurrent.futures.Executor`` test, in any order;
what they report is booked in the order of the numbers. From the first piece in which something fails the run goes on
in this process, so that it finds, counts and shrinks exactly what it would have found alone.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Generator
from concurrent.futures import BrokenExecutor, CancelledError, Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeout
from importlib import import_module
from typing import Any, NamedTuple

from everycase.errors import GaveUp, InvalidArgument
from everycase.explore.auto import Auto
from everycase.explore.exhaustive import Exhaustive, Plan
from everycase.explore.protocol import (
    DISCARDED,
    Case,
    Explorer,
    Findings,
    Outcome,
    Space,
    Status,
    Stop,
    Stopped,
)
from everycase.run.context import enter, leave
from everycase.run.failures import Failures
from everycase.run.outcome import TestCall
from everycase.run.property import PROPERTY, Property
from everycase.run.render import error_text
from everycase.run.settings import Resolved, settings

#: How many values one worker tests at a time: enough that handing them out costs nothing.
PIECE = 2000


class Rest(Explorer):
    """The part of a plan that is left after the workers."""

    def __init__(self, plan: Plan, place: int) -> None:
        self._plan = plan
        self._place = place

    def explore(self, space: Any) -> Generator[Case, Outcome, None]:
        yield from self._plan.cases(space, self._place)


def explore_in_pieces(
    explorer: Explorer, space: Space, prop: Property, options: Resolved, failures: Failures
) -> tuple[Explorer, Stop | None]:
    """Let the executor test all pieces that pass. The explorer for what is left, or why the run ends here.

    Only exhaustive runs can be cut into pieces by number; any other goes on alone.
    """
    if isinstance(explorer, Auto):
        explorer = explorer.choose(space)
    if not isinstance(explorer, Exhaustive):
        return explorer, None
    plan = explorer.plan(space)
    if plan is None:
        return explorer, None
    pieces = _Pieces(plan, _job(prop, options, explorer), options, failures, space.findings)
    return Rest(plan, pieces.test()), pieces.stop


class _Pieces:
    """The pieces of one run: handed out, and booked in the order of the numbers."""

    def __init__(
        self, plan: Plan, job: Any, options: Resolved, failures: Failures, findings: Findings
    ) -> None:
        self.job = job
        self.options = options
        self.failures = failures
        self.report = failures.report
        self.findings = findings
        total = int(min(plan.count, 20 * options.max_examples))
        self.left = ((place, min(place + PIECE, total)) for place in range(0, total, PIECE))
        self.waiting: deque[tuple[int, int, Future[Any]]] = deque()
        self.end: float | None = None
        #: why the run must not go on after the workers
        self.stop: Stop | None = None

    def test(self) -> int:
        """Let the executor test pieces as long as they pass; the place from which on the run goes on alone."""
        report, options = self.report, self.options
        executor, limit = options.executor, options.max_seconds
        end = self.end = None if limit is None else time.perf_counter() + limit
        done = 0
        try:
            for _ in range(2 * (getattr(executor, "_max_workers", None) or 2)):
                self._submit()
            while self.waiting:
                place, stop, future = self.waiting.popleft()
                left = None if end is None else max(0.0, end - time.perf_counter())
                piece: Piece = future.result(left)
                if piece.failed is not None:
                    self.failures.elsewhere = (place + piece.failed[0], piece.failed[1])
                if not piece.clean or report.examples + piece.examples > options.max_examples:
                    break
                if piece.visited != stop - place:
                    self.findings.doubts.append(
                        f"a worker came to {piece.visited:,} of {stop - place:,} values, so that the generator makes others there"
                    )
                    break
                report.examples += piece.examples
                report.discarded += piece.discarded
                report.events.update(piece.events)
                done = stop
                self._submit()
        except (TimeoutError, FutureTimeout):
            self.stop = Stop(Stopped.max_seconds, {"limit": limit})
        except (BrokenExecutor, CancelledError, ConnectionError, EOFError) as problem:
            report.problem = GaveUp(
                f"a worker of the executor died ({type(problem).__name__}) after {report.examples:,} tests had passed, all "
                f"below number {done:,}. To go on from there, write explore=Exhaustive(start={done}); to see whether an input "
                "kills the process, run without executor="
            )
            self.stop = Stop(Stopped.worker_died)
        finally:
            for _, _, future in self.waiting:
                future.cancel()
        return done

    def _submit(self) -> None:
        piece = next(self.left, None)
        if piece is None:
            return
        options = self.options
        executor = options.executor
        assert executor is not None
        left = None if self.end is None else max(0.0, self.end - time.perf_counter())
        limits = (options.max_examples, options.deadline, left)
        try:
            future = executor.submit(_test_piece, self.job, self.report.seed, limits, *piece)
        except BrokenExecutor:
            raise
        except RuntimeError as problem:
            raise InvalidArgument(
                f"the executor takes no work ({problem}); give settings one that is not shut down"
            ) from None
        self.waiting.append((*piece, future))


class Piece(NamedTuple):
    """What became of one piece."""

    examples: int
    discarded: int
    events: dict[str, int]
    #: how many places were visited
    visited: int
    #: whether there was nothing but to count
    clean: bool
    #: the place (in the piece) of a failure, and the failure in words
    failed: tuple[int, str] | None = None


def _job(prop: Property, options: Resolved, explorer: Exhaustive) -> Any:
    """What a worker needs: in this process the property itself, in another one something that can be sent there."""
    if isinstance(options.executor, ThreadPoolExecutor):
        return (prop, explorer)
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
    return (name, explorer)


def _find(module: str, name: str) -> Property | None:
    """The property of the decorated test that has this name."""
    value: Any = import_module(module)
    for part in name.split("."):
        value = getattr(value, part)
    return getattr(value, PROPERTY, None)


def _test_piece(
    job: Any, seed: int, limits: tuple[int, float | None, float | None], place: int, end: int
) -> Piece:
    """Test the values of a piece. Whatever needs more than counting (a failure, a utility) is left to the process that
    asked, which is told of it."""
    target, explorer = job
    budget, deadline, seconds = limits
    last = None if seconds is None else time.perf_counter() + seconds
    prop = target if isinstance(target, Property) else _find(*target)
    assert prop is not None
    prop = prop.begin(settings(seed=seed, database=None, deadline=deadline).resolve())
    test = TestCall(prop, prop.caller({}), [], deadline=deadline)
    space = Space(prop.gen, seed, budget)
    plan = explorer.plan(space)
    assert plan is not None
    token = enter(test.scope)
    counts: Counter[Status] = Counter()
    events: Counter[str] = Counter()
    visited = 0
    try:
        for _, case in zip(range(end - place), plan.cases(space, place)):
            outcome = DISCARDED if case.args is None else test.execute(case.args)
            if outcome.status is Status.failed or outcome.utilities:
                failed = None if outcome.error is None else (visited, error_text(outcome.error))
                return Piece(0, 0, {}, visited, False, failed)
            visited += 1
            counts[outcome.status] += 1
            if outcome.status is not Status.discarded:
                events.update(outcome.events)
            if last is not None and time.perf_counter() > last:
                return Piece(0, 0, {}, visited, False)
    finally:
        leave(token)
    return Piece(counts[Status.passed], counts[Status.discarded], dict(events), visited, True)
