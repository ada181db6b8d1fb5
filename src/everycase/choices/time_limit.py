"""Time limits for work that may take long between two tests.

One input can have a million choices, a filter may have to be evaluated a million times before its values are
counted, and a run with ``max_seconds`` should still end. Code that has to end by some time says so with
:func:`until`, and loops that may take long call :func:`look` now and then.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

T = TypeVar("T")

#: How many elements are made between two checks of the clock. Each may take a call of user code.
CHUNK = 64
#: Values of at least this many parts are never made without checking the clock.
LARGE = 200


class OutOfTime(BaseException):
    """The time is up. Not an ``Exception``, so that no handler on the way, for example in user code, takes it
    for a failure. The code that set the limit handles it."""


class TimeLimit(threading.local):
    """When the work of this thread has to end, by :func:`time.perf_counter`."""

    end = math.inf
    #: the same for a run whose test is running; the test itself has no limit
    outside = math.inf


LIMIT = TimeLimit()


@contextmanager
def until(end: float) -> Iterator[None]:
    """The work inside raises :class:`OutOfTime` when it takes longer, or longer than an outer limit
    allows."""
    before = LIMIT.end
    LIMIT.end = min(before, end)
    try:
        yield
    finally:
        LIMIT.end = before


def within_run(function: Callable[..., T]) -> Callable[..., T]:
    """The same function for use inside a test. A test is never interrupted, but what this function makes for
    it is part of making the input, so the limit of the run applies."""
    if LIMIT.outside == math.inf:
        return function

    def limited(*args: Any) -> T:
        before = LIMIT.end
        LIMIT.end = LIMIT.outside
        try:
            return function(*args)
        finally:
            LIMIT.end = before

    return limited


def look() -> None:
    """Raise :class:`OutOfTime` if the time is over.

    >>> with until(0.0):
    ...     look()
    Traceback (most recent call last):
    ...
    everycase.choices.time_limit.OutOfTime
    """
    if time.perf_counter() > LIMIT.end:
        raise OutOfTime


def watched(items: Sequence[T]) -> Iterable[T]:
    """The same items, checking the clock now and then if there are many.

    >>> sum(watched(range(1000)))
    499500
    """
    return items if len(items) <= CHUNK else _watched(items)


def _watched(items: Sequence[T]) -> Iterator[T]:
    for start in range(0, len(items), CHUNK):
        look()
        yield from items[start : start + CHUNK]
