"""The time that is left, for work that may take long between two tests.

One input can have a million choices, a filter may have to be asked a million times before its values are counted, and
a run with ``max_seconds`` should end all the same. Whoever has to end by some time says so with :func:`until`, and
loops that may take long call :func:`look` now and then.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")

#: How many elements are made between two looks at the clock. Each may take a call of a user's function.
CHUNK = 64


class OutOfTime(BaseException):
    """The time is over. Not an ``Exception``: no handler on the way, also of a user's function, should take it for a
    failure. Whoever set the limit handles it."""


class TimeLimit(threading.local):
    """When the work of this thread has to end, by :func:`time.perf_counter`."""

    end = math.inf


LIMIT = TimeLimit()


@contextmanager
def until(end: float) -> Iterator[None]:
    """The work inside raises :class:`OutOfTime` when it goes on for longer, or for longer than the limit outside allows."""
    before = LIMIT.end
    LIMIT.end = min(before, end)
    try:
        yield
    finally:
        LIMIT.end = before


@contextmanager
def unlimited() -> Iterator[None]:
    """The work inside is never broken off: a test runs to its end, and so does a run inside of it."""
    before = LIMIT.end
    LIMIT.end = math.inf
    try:
        yield
    finally:
        LIMIT.end = before


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
    """The same items, with a look at the clock now and then if there are many.

    >>> sum(watched(range(1000)))
    499500
    """
    return items if len(items) <= CHUNK else _watched(items)


def _watched(items: Sequence[T]) -> Iterator[T]:
    for start in range(0, len(items), CHUNK):
        look()
        yield from items[start : start + CHUNK]
