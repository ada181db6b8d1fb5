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
U = TypeVar("U")

#: Sequences of at most this many elements are made without checking the clock, if they take no calls of user code.
CHUNK = 64
#: At most how many calls of user code there are between two checks of the clock, if they took less than ``QUICK`` seconds.
#: (More would cost less, but code that was quick a thousand times may be slow the next time, and all of these times.)
MOST_CALLS = 8
QUICK = 0.001
#: Values of at least this many parts are never made without checking the clock.
LARGE = 200
#: User code is slow if a call takes longer than this (seconds) on average, with the work around it. (Quick functions take a
#: twentieth of it, so that a busy machine makes no difference.)
SLOW = 0.0002


class OutOfTime(BaseException):
    """The time is up. Not an ``Exception``, so that no handler on the way, for example in user code, takes it
    for a failure. The code that set the limit handles it."""


class TimeLimit(threading.local):
    """When the work of this thread has to end, by :func:`time.perf_counter`."""

    end = math.inf
    #: the same for a run whose test is running; the test itself has no limit
    outside = math.inf
    #: the work that ends at ``end`` only if user code is slow
    planning: Planning | None = None


class Planning:
    """Work that a run can do without, such as counting the values. Its end comes early if user code is slow, so that there
    is time left for tests. Otherwise it depends on the number of calls alone, because what a run plans must not depend on
    how busy the machine is."""

    def __init__(self, soon: float, last: float) -> None:
        self.began = time.perf_counter()
        self.soon, self.last = soon, last
        #: how many calls of user code there may have been
        self.calls = 0

    def end(self) -> float:
        """When it has to end, as far as is known now."""
        return min(self.last, max(self.soon, self.began + SLOW * self.calls))


LIMIT = TimeLimit()

#: The limits that are in force in any thread. There are none in most runs, and loops that are hot ask for that first:
#: it costs a fifth of a call.
LIMITS: list[float] = []


@contextmanager
def until(end: float) -> Iterator[None]:
    """The work inside raises :class:`OutOfTime` when it takes longer, or longer than an outer limit
    allows."""
    before, planning = LIMIT.end, LIMIT.planning
    if end < before:
        LIMIT.end, LIMIT.planning = end, None
    with in_force(LIMIT.end):
        try:
            yield
        finally:
            LIMIT.end, LIMIT.planning = before, planning


@contextmanager
def in_force(end: float) -> Iterator[None]:
    """Such a limit exists, whoever sets it."""
    if end == math.inf:
        yield
        return
    LIMITS.append(end)
    try:
        yield
    finally:
        LIMITS.pop()  # any of them: what counts is how many there are


@contextmanager
def planning(soon: float, last: float) -> Iterator[None]:
    """The work inside raises :class:`OutOfTime` after ``soon`` if user code is slow, and after ``last`` in any case."""
    before, outer = LIMIT.end, LIMIT.planning
    inner = Planning(soon, min(last, before))
    if inner.end() < before:
        LIMIT.end, LIMIT.planning = inner.end(), inner
    with in_force(LIMIT.end):
        try:
            yield
        finally:
            LIMIT.end, LIMIT.planning = before, outer


def _check(now: float, calls: int) -> None:
    """Raise :class:`OutOfTime` if the time is over, after so many calls of user code."""
    planned = LIMIT.planning
    if planned is not None:
        planned.calls += calls
        if now > LIMIT.end:
            LIMIT.end = planned.end()
    if now > LIMIT.end:
        raise OutOfTime


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
    if LIMITS and LIMIT.end < math.inf:
        _check(time.perf_counter(), 1)


def limited() -> bool:
    """Whether the work of this thread has to end by some time."""
    return bool(LIMITS) and LIMIT.end < math.inf


def looking(function: Callable[[T], U]) -> Callable[[T], U]:
    """The same function, looking at the clock between calls if there is a limit now: the more often, the longer they
    take."""
    if not limited():
        return function
    pace = Pace()
    left = 0

    def call(value: T) -> U:
        nonlocal left
        if not left:
            left = pace.next()
        left -= 1
        return function(value)

    return call


def watched(items: Iterable[T]) -> Iterable[T]:
    """The same items, checking the clock between them if there is a limit: the more often, the longer they take.

    >>> sum(watched(range(1000)))
    499500
    """
    return _watched(items) if LIMITS and LIMIT.end < math.inf else items


def quick(items: Sequence[T]) -> Iterable[T]:
    """The same items, which take little time unless there are many of them."""
    return items if len(items) <= CHUNK else watched(items)


def _watched(items: Iterable[T]) -> Iterator[T]:
    # Items that are quick come in chunks that grow, so that looking at the clock takes less time than they do.
    chunk = left = 1
    before = time.perf_counter()
    for item in items:
        if not left:
            now = time.perf_counter()
            _check(now, chunk)
            chunk = min(2 * chunk, MOST_CALLS) if now - before < QUICK else max(1, chunk // 8)
            left, before = chunk, now
        left -= 1
        yield item


class Pace:
    """When to look at the clock again, for code that is called often. It has its own measure: what took little time
    the last few times is done up to ``MOST_CALLS`` times more before the next look, what took long is not done without one.

    >>> pace = Pace()
    >>> with until(time.perf_counter() + 60):
    ...     [sum(pace.times(10)) for _ in range(3)]
    [45, 45, 45]
    """

    __slots__ = ("before", "chunk", "end", "left")

    def __init__(self) -> None:
        self.end = math.inf
        self.left = 0
        self.chunk = 1
        self.before = 0.0

    def times(self, n: int) -> Iterable[int]:
        """``range(n)``, for a loop that calls the code n times."""
        end = LIMIT.end
        if end == math.inf:
            return range(n)
        if end != self.end or n > self.left:
            self._look(end)
        if n <= self.left:
            self.left -= n
            return range(n)
        return self._each(n, end)

    def once(self) -> None:
        """The code is called once."""
        end = LIMIT.end
        if end == self.end and self.left:
            self.left -= 1
        elif end < math.inf:
            self._look(end)
            self.left -= 1

    def begin(self) -> int:
        """How often the code may be called now, for one that counts by itself (and sets ``left`` in the end)."""
        end = LIMIT.end
        if end == math.inf:
            return CHUNK
        if end != self.end or not self.left:
            self._look(end)
        return self.left

    def next(self) -> int:
        """The same after that many calls."""
        self._look(LIMIT.end)
        return self.left

    def _each(self, n: int, end: float) -> Iterator[int]:
        for number in range(n):
            if self.left <= 0 or self.end != end:
                self._look(end)
            self.left -= 1
            yield number

    def _look(self, end: float) -> None:
        if end == math.inf:
            self.left = CHUNK
            return
        now = time.perf_counter()
        _check(now, self.chunk - self.left if end == self.end else 1)
        if end != self.end:  # another run, in which the code may take another time
            self.end, self.chunk = end, 1
        else:
            self.chunk = (
                min(2 * self.chunk, MOST_CALLS) if now - self.before < QUICK else max(1, self.chunk // 8)
            )
        self.left, self.before = self.chunk, now
