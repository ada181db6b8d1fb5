"""Running the test once: what it is called with, and which exceptions and results mean that it failed."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from typing import Any

from everycase.choices.time_limit import LIMIT
from everycase.errors import (
    DeadlineExceeded,
    Discarded,
    FailedPrecondition,
    InvalidArgument,
    PropertyFalse,
)
from everycase.explore.protocol import DISCARDED, PASSED, Outcome, Status
from everycase.run.context import Scope
from everycase.run.observing.observer import UNOBSERVED, Observer
from everycase.run.property import Property

#: The warning for a utility that does not belong to any test.
TOO_EARLY = (
    "maximize or minimize was called outside a test (in a generator, in a filter, or in a thread that "
    "outlived its test), "
    "where it has no effect; call it in the test"
)


class TestCall:
    """The test of a run: calls it on one input, and returns the outcome.

    ``call`` takes the generated arguments; ``prepare`` comes before each call, outside of its deadline, and an exception
    that it raises ends the run. Warnings are added to ``warnings``.
    """

    def __init__(
        self,
        prop: Property,
        call: Callable[..., Any],
        warnings: list[str],
        *,
        deadline: float | None = None,
        prepare: Callable[[], None] | None = None,
        observer: Observer = UNOBSERVED,
    ) -> None:
        self.prop = prop
        self.observer = observer
        self.call = observer.around(call)
        self.warnings = warnings
        self.deadline = deadline
        self.prepare = prepare
        #: collects the reports of ``maximize``, ``note`` and the like
        self.scope = Scope()
        #: how many inputs a precondition of ``where`` rejected
        self.rejected = 0

    def execute(self, args: tuple[Any, ...]) -> Outcome:
        """Run the test once."""
        if self.scope.touched:
            self.drop_early_reports()
        if self.prepare is not None:
            self.prepare()
        deadline = self.deadline
        started = time.perf_counter() if deadline is not None else 0.0
        limit, outside = LIMIT.end, LIMIT.outside
        # A test runs to its end; only what it draws is limited, see within_run.
        LIMIT.end, LIMIT.outside = math.inf, limit
        try:
            result = self.call(*args)
            if deadline is not None:
                check_deadline(started, deadline)
            if result is not None and result is not True:
                check_result(result, self.prop)
        except Discarded as problem:
            self.rejected += type(problem) is FailedPrecondition
            return self.outcome(Status.discarded)
        except BaseException as problem:
            if not is_failure(problem):
                raise
            if is_discard(problem):
                return self.outcome(Status.discarded)
            return self.outcome(Status.failed, problem)
        finally:
            LIMIT.end, LIMIT.outside = limit, outside
        return self.outcome(Status.passed) if self.scope.touched else PASSED

    def outcome(self, status: Status, error: BaseException | None = None) -> Outcome:
        """The outcome of a test, with everything that it reported."""
        scope = self.scope
        if not scope.touched:
            if status is Status.passed:
                return PASSED
            if status is Status.discarded:
                self.observer.ended(DISCARDED)
                return DISCARDED
        guessed = bool(scope.guessed) and not scope.utilities
        outcome = Outcome(
            status,
            error,
            scope.guessed if guessed else scope.utilities,  # the scope takes new ones for the next test
            tuple(scope.events) if scope.events else (),
            tuple(scope.notes) if scope.notes else (),
            scope.reset_requested,
            guessed,
        )
        if scope.labelled:
            outcome.labels, outcome.rows = scope.labels, scope.rows
        scope.clear()
        if self.observer.active:
            self.observer.ended(outcome)
        return outcome

    def drop_early_reports(self) -> None:
        """Drop reports made between two tests, which belong to neither; warn if there was a utility. (A
        predicate that only says where to search is part of the test, so its utilities count.)"""
        if self.scope.utilities and self.prop.guarded and TOO_EARLY not in self.warnings:
            self.warnings.append(TOO_EARLY)
        self.scope.clear()


def is_failure(problem: BaseException) -> bool:
    """Whether an exception means that the test failed, rather than a request to stop."""
    kind = type(problem)  # isinstance would call the exception's class, which may raise anything
    if issubclass(kind, Exception | SystemExit | GeneratorExit):
        unittest = sys.modules.get("unittest.case")
        return unittest is None or not issubclass(kind, unittest.SkipTest)
    asyncio = sys.modules.get("asyncio.exceptions")
    if asyncio is not None and issubclass(kind, asyncio.CancelledError):
        return True  # nobody stops an asynchronous run through its test
    # pytest.fail() raises a BaseException; skip, xfail and exit are handled by pytest.
    outcomes = sys.modules.get("_pytest.outcomes")
    return (
        outcomes is not None and issubclass(kind, outcomes.Failed) and not issubclass(kind, outcomes.XFailed)
    )


def is_discard(problem: BaseException) -> bool:
    """Whether an exception was raised by ``assume``, ours or Hypothesis': a test that still imports it from there means ours."""
    theirs = sys.modules.get("hypothesis.errors")
    kinds = Discarded if theirs is None else (Discarded, theirs.UnsatisfiedAssumption)
    return issubclass(type(problem), kinds)


def check_deadline(started: float, deadline: float) -> None:
    taken = (time.perf_counter() - started) * 1000
    if taken > deadline:
        raise DeadlineExceeded(
            f"the test took {taken:.1f} ms, which is more than the deadline of {deadline:g} ms; make it "
            "faster, raise the "
            "deadline, or switch it off with settings(deadline=None)"
        )


def check_result(result: object, prop: Property) -> None:
    if result is False:
        raise PropertyFalse("the property returned False")
    if hasattr(result, "__await__"):
        if hasattr(result, "close"):
            result.close()
        raise InvalidArgument(
            f"{prop.name} returned a coroutine that is never awaited; define the test with async def"
        )
    raise InvalidArgument(
        f"{prop.name} returned {result!r}; a property returns None, True or False. Did you mean to assert it?"
    )
