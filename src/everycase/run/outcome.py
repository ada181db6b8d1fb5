"""Judging one test: which exceptions and results mean that it failed."""

from __future__ import annotations

import sys
import time

from everycase.errors import DeadlineExceeded, InvalidArgument, PropertyFalse
from everycase.run.property import Property


def is_failure(problem: BaseException) -> bool:
    """Whether an exception means that the test failed, rather than that somebody wants to stop."""
    kind = type(problem)  # isinstance would ask the exception, whose class may raise anything
    if issubclass(kind, Exception | SystemExit | GeneratorExit):
        unittest = sys.modules.get("unittest.case")
        return unittest is None or not issubclass(kind, unittest.SkipTest)
    asyncio = sys.modules.get("asyncio.exceptions")
    if asyncio is not None and issubclass(kind, asyncio.CancelledError):
        return True  # somebody who wants to stop an asynchronous run does not do it through its test
    # pytest.fail() raises something that is no Exception; skip, xfail and exit are for pytest to handle.
    outcomes = sys.modules.get("_pytest.outcomes")
    return (
        outcomes is not None and issubclass(kind, outcomes.Failed) and not issubclass(kind, outcomes.XFailed)
    )


def is_discard(problem: BaseException) -> bool:
    """Whether an exception is what ``assume`` of Hypothesis raises: a test that still imports it from there means ours."""
    theirs = sys.modules.get("hypothesis.errors")
    return theirs is not None and isinstance(problem, theirs.UnsatisfiedAssumption)


def check_deadline(started: float, deadline: float) -> None:
    taken = (time.perf_counter() - started) * 1000
    if taken > deadline:
        raise DeadlineExceeded(
            f"the test took {taken:.1f} ms, more than the deadline of {deadline:g} ms; make it faster, raise the "
            "deadline, or switch it off with settings(deadline=None)"
        )


def check_result(result: object, prop: Property) -> None:
    if result is False:
        raise PropertyFalse("the property returned False")
    if hasattr(result, "__await__"):
        if hasattr(result, "close"):
            result.close()
        raise InvalidArgument(
            f"{prop.name} returned a coroutine that nobody awaits; define it with async def"
        )
    raise InvalidArgument(
        f"{prop.name} returned {result!r}; a property returns nothing, or True or False. Did you mean to assert it?"
    )
