"""Time limits for work that may take long between two tests.

One input can have a million choices, a filter may have to be evaluated a million times before its values are
counted, and a run with ``max_seconds`` should still end. Code that has to end by some time says so with
:func:`until`, and loops that may take long call :func:`look` now and then.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

T = TypeVar("T")

#: At most how many elements are made between two checks of the clock, if they take less than ``QUICK`` seconds.
#: Each may take a call of user code.
CHUNK = 64
QUICK = 0.001
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
            look()
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
    end = LIMIT.end
    if end < math.inf and time.perf_counter() > end:
        raise OutOfTime


def limited() -> bool:
    """Whether the work of this thread has to end by some time."""
    return LIMIT.end < math.inf


def looking(function: Callable[..., T]) -> Callable[..., T]:
    """The same function, looking at the clock before each call if there is a limit now."""
    if LIMIT.end == math.inf:
        return function

    def call(*args: Any) -> T:
        look()
        return function(*args)

    return call


def watched(items: Iterable[T]) -> Iterable[T]:
    """The same items, checking the clock between them if there is a limit: the more often, the longer they take.

    >>> sum(watched(range(1000)))
    499500
    """
    return items if LIMIT.end == math.inf else _watched(items)


def _watched(items: Iterable[T]) -> Iterator[T]:
    # Items that are quick come in chunks that grow, so that looking at the clock takes less time than they do.
    chunk = left = 1
    before = time.perf_counter()
    for item in items:
        if not left:
            now = time.perf_counter()
            if now > LIMIT.end:
                raise OutOfTime
            chunk = min(2 * chunk, CHUNK) if now - before < QUICK else max(1, chunk // 8)
            left, before = chunk, now
        left -= 1
        yield item
