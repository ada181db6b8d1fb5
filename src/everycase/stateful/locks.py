"""Locks that let another thread continue instead of waiting, for threads whose order is decided.

While a machine is tested, ``threading.Lock`` and ``threading.RLock`` create these locks, and so do
conditions, events, semaphores and queues, which are made of locks. In all other threads, and when no schedule
runs, they behave like the originals.
"""

from __future__ import annotations

import _thread
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from everycase.stateful.schedule import current_schedule

_REAL_LOCK = threading.Lock
_REAL_RLOCK = threading.RLock
_ALLOCATE = _thread.allocate_lock  # what conditions wait for


class CooperativeLock:
    """A lock; a thread of a schedule that cannot get it lets others continue until it can."""

    def __init__(self) -> None:
        self._real = _REAL_LOCK()

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        found = current_schedule()
        if found is None or not blocking:
            return self._real.acquire(blocking, timeout)
        schedule, number = found
        while not self._real.acquire(False):
            if not schedule.block(number, give_up=timeout >= 0):
                return False
        return True

    def release(self) -> None:
        self._real.release()
        found = current_schedule()
        if found is not None:
            found[0].unblock()

    def locked(self) -> bool:
        return self._real.locked()

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(self, *error: Any) -> None:
        self.release()


class CooperativeRLock(CooperativeLock):
    """A lock that its owner can acquire again."""

    def __init__(self) -> None:
        super().__init__()
        self._owner: int | None = None
        self._count = 0

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        me = threading.get_ident()
        if self._owner == me:
            self._count += 1
            return True
        if not super().acquire(blocking, timeout):
            return False
        self._owner, self._count = me, 1
        return True

    def release(self) -> None:
        if self._owner != threading.get_ident():
            raise RuntimeError("cannot release un-acquired lock")
        self._count -= 1
        if not self._count:
            self._owner = None
            super().release()

    # What threading.Condition needs from a lock that can be acquired again.

    def _is_owned(self) -> bool:
        return self._owner == threading.get_ident()

    def _release_save(self) -> int:
        count, self._count = self._count, 1
        self.release()
        return count

    def _acquire_restore(self, count: int) -> None:
        self.acquire()
        self._count = count


@contextmanager
def cooperative_locks(machine: type) -> Iterator[None]:
    """Code inside creates cooperative locks: by ``threading.Lock``, or a name that the module of the machine
    has for it."""
    places: list[tuple[dict[str, Any], str, Any]] = []
    spaces = [vars(threading)] + [
        vars(sys.modules[cls.__module__])
        for cls in machine.__mro__
        if cls.__module__ in sys.modules and not cls.__module__.startswith("everycase.")
    ]
    for space in spaces:
        for name, value in list(space.items()):
            if name.startswith("_") and space is not vars(threading):
                continue
            if value is _REAL_LOCK or value is _ALLOCATE:
                places.append((space, name, value))
                space[name] = CooperativeLock
            elif value is _REAL_RLOCK and not name.startswith("_"):
                places.append((space, name, value))
                space[name] = CooperativeRLock
    try:
        yield
    finally:
        for space, name, value in places:
            space[name] = value
