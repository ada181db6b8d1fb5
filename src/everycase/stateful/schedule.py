"""Threads that run one at a time, in an order that is decided in advance.

A **yield point** is a place where another thread may continue: before each bytecode instruction of the user's
code (by ``sys.settrace``), and wherever :func:`yield_point` is called. A schedule says after how many yield
points the running thread is stopped, and which one continues. When a thread ends, or waits for a lock that
another one holds (see :mod:`everycase.stateful.locks`), the next one that can run continues. So the same
schedule gives the same interleaving.
"""

from __future__ import annotations

import contextvars
import sys
import threading
from _thread import RLock, allocate_lock  # those of threading may be replaced while a schedule runs
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from everycase.errors import NotLinearizable
from everycase.stateful.yield_points import yield_points

#: A thread that reaches no yield point for this many seconds is assumed to be waiting.
SILENCE = 0.25
#: So many such periods in a row may pass in which every thread waits. They are counted when this process gets to look, so
#: that a machine that stands still is not taken for threads that do.
PATIENCE = 40

#: The scheduler of the thread that runs here, and the number of the thread.
_current: contextvars.ContextVar[tuple[Schedule | Alone, int] | None] = contextvars.ContextVar(
    "everycase_schedule", default=None
)


class Aborted(BaseException):
    """Ends a thread that waits forever. A BaseException, so that no code catches it by accident."""


def current_schedule() -> tuple[Schedule | Alone, int] | None:
    """The schedule that this thread belongs to, and its number there."""
    return _current.get()


def yield_point() -> None:
    """A place where ``parallel`` may switch to another thread; does nothing elsewhere.

    Only needed for code without yield points of its own, such as libraries and C code.
    """
    found = _current.get()
    if found is not None:
        schedule, number = found
        schedule.reached(number)


class Alone:
    """The schedule of a thread that runs alone, while calls are made one after the other."""

    def reached(self, number: int) -> None:
        """No other thread could continue."""

    def block(self, number: int, *, give_up: bool) -> bool:
        if give_up:
            return False
        raise NotLinearizable("a call waits forever when nothing else runs (a deadlock)")

    def unblock(self) -> None:
        """No thread waits."""


@contextmanager
def alone() -> Iterator[None]:
    """Code inside is not waited for if it cannot continue by itself."""
    token = _current.set((Alone(), 0))
    try:
        yield
    finally:
        _current.reset(token)


#: Number of calls to skip, yield points to skip in the call after them, thread to continue with.
Switch = tuple[int, int, int]


class Switches:
    """Switches that were decided in advance. An added or removed call before does not change where inside a
    call one comes."""

    def __init__(self, switches: Sequence[Switch]) -> None:
        self._switches = list(reversed(switches))
        self._calls = self._left = -1
        self._next()

    def _next(self) -> None:
        if self._switches:
            self._calls, self._left, _ = self._switches[-1]
        else:
            self._calls = self._left = -1

    def call_begins(self) -> None:
        """The running thread begins a call that is not its first."""
        if self._calls > 0:
            self._calls -= 1

    def passes(self) -> bool:
        """Whether the running thread continues at this yield point, whatever the others do."""
        if self._left < 0 or self._calls > 0:
            return True
        if self._left > 0:
            self._left -= 1
            return True
        return False

    def target(self, able: list[int]) -> int | None:
        """The thread that continues instead, among those that can; None for the running one."""
        _, _, target = self._switches.pop()
        self._next()
        if not able:
            return None
        return target if target in able else able[target % len(able)]


class SwitchesByNumber:
    """Switches that are decided at every yield point, by ``pick(number of possibilities)``; at most ``most``
    of them, and one more to begin with another thread. ``happened`` gets each, as one of :class:`Switches` at
    the same place.
    """

    def __init__(
        self,
        pick: Callable[[int], int],
        most: int,
        latest: int,
        happened: Callable[[Switch], None],
        some: dict[str, str],
    ) -> None:
        self._pick = pick
        self._left = most
        self._latest = latest
        self._happened = happened
        self._some = some
        self._since = 0
        self._begins = True

    def call_begins(self) -> None:
        """It does not matter which call a switch comes in."""

    def passes(self) -> bool:
        if self._since > self._latest:
            self._some["late"] = f"no switch later than {self._latest + 1:,} yield points after the last"
            return True
        return not self._left and not self._begins

    def target(self, able: list[int]) -> int | None:
        begins, self._begins = self._begins, False
        chosen = self._pick(1 + len(able)) if able else 0
        if not chosen:
            self._since += 1
            return None
        self._left -= not begins
        target = able[chosen - 1]
        self._happened((0, self._since, target))
        self._since = 0
        return target


class Schedule:
    """Runs some functions in threads, one at a time."""

    def __init__(self, switches: Switches | SwitchesByNumber) -> None:
        self._switches = switches
        self._fresh: list[bool] = []
        self._gates: list[Any] = []
        self._states: list[str] = []
        self._ids: list[int] = []
        self._running = 0
        self._guard = RLock()
        self._done = allocate_lock()  # held until all threads have ended
        self._done.acquire()
        self._passed = 0
        #: whether there is a deadlock, which ends the threads; whether they stopped for a reason that is not known
        self._aborted = self._stuck = False
        #: the numbers of the threads in the order in which they ran
        self.turns: list[int] = []

    def run(self, works: Sequence[Callable[[], None]]) -> None:
        """Run all of them to their end."""
        token = _current.set(None)  # here threads are waited for
        try:
            self._run(works)
        finally:
            _current.reset(token)

    def _run(self, works: Sequence[Callable[[], None]]) -> None:
        self._gates = [allocate_lock() for _ in works]
        self._states = ["waiting" for _ in works]
        self._ids = [0 for _ in works]
        self._fresh = [True for _ in works]
        for gate in self._gates:
            gate.acquire()
        threads = []
        for number, work in enumerate(works):
            context = contextvars.copy_context()
            thread = threading.Thread(
                target=context.run,
                args=(self._work, number, work),
                name=f"everycase thread {number + 1}",
                daemon=True,
            )
            threads.append(thread)
            thread.start()
        with self._guard:
            self._start(0)
        self._watch()
        for thread in threads if not self._stuck else ():
            thread.join()
        if self._aborted:
            raise NotLinearizable("the threads wait for each other forever (a deadlock)")
        if self._stuck:
            raise NotLinearizable(
                f"no thread went on for {PATIENCE * SILENCE:g} s: they wait for each other (a deadlock), or for "
                "something outside of the test"
            )

    # --- in the threads ---------------------------------------------------------------------------------

    def _work(self, number: int, work: Callable[[], None]) -> None:
        self._ids[number] = threading.get_native_id()
        self._gates[number].acquire()
        _current.set((self, number))
        try:
            with yield_points(lambda: self.reached(number)):
                work()
        except Aborted:
            pass
        finally:
            with self._guard:
                self._states[number] = "ended"
                if self._running == number or self._aborted:
                    self._go_on()

    def call_begins(self, number: int) -> None:
        """Called by a thread before each of its calls."""
        if self._running == number:
            if not self._fresh[number]:
                self._switches.call_begins()
            self._fresh[number] = False

    def reached(self, number: int) -> None:
        """A thread has reached a yield point: it continues, or waits for its next turn."""
        if self._guard._is_owned():  # type: ignore[attr-defined]
            return  # user code that Python runs in between, such as ``__del__``, while this schedule decides
        if self._stuck:
            raise Aborted
        self._passed += 1
        if self._running == number and self._switches.passes():
            return
        with self._guard:
            if self._running == number:
                able = [i for i, state in enumerate(self._states) if state == "waiting"]
                target = self._switches.target(able)
                if target is None:
                    return
                self._states[number] = "waiting"
                self._start(target)
            else:
                self._states[number] = "waiting"  # it was silent, and another one ran meanwhile
                if self._states[self._running] in ("ended", "blocked", "silent"):
                    self._start(number)
        self._gates[number].acquire()

    # --- who continues ------------------------------------------------------------------------------------

    def _start(self, number: int) -> None:
        self._states[number] = "running"
        self._running = number
        self.turns.append(number)
        self._gates[number].release()

    def _go_on(self) -> None:
        """Let the next thread run that can."""
        if self._aborted:
            if all(state == "ended" for state in self._states):
                self._end()
            return
        for number, state in enumerate(self._states):
            if state == "waiting":
                self._start(number)
                return
        if all(state == "ended" for state in self._states):
            self._end()

    def _end(self) -> None:
        if self._done.locked():
            self._done.release()

    def _watch(self) -> None:
        """Wait for the end. A thread that is silent for long waits for something other than a lock of this
        schedule, which another thread may hold: that one continues meanwhile."""
        passed, silent = -1, 0
        while not self._done.acquire(timeout=SILENCE):
            if passed != self._passed or any(map(_is_computing, self._ids)):
                passed, silent = self._passed, 0
                continue
            silent += 1
            with self._guard:
                if "waiting" in self._states:
                    self._states[self._running] = "silent"
                    self._go_on()
                elif all(state == "ended" for state in self._states):
                    return
                elif silent > PATIENCE:
                    self._stuck = True  # the threads end as soon as they go on
                    for number, state in enumerate(self._states):
                        if state == "blocked":
                            self._gates[number].release()
                    return

    # --- locks ------------------------------------------------------------------------------------------

    def block(self, number: int, *, give_up: bool) -> bool:
        """A thread cannot get a lock: let others continue. False if none can, and it prefers to give up."""
        with self._guard:
            self._passed += 1
            if self._aborted:
                raise Aborted
            if "waiting" not in self._states and "silent" not in self._states:
                if give_up:
                    return False
                self._aborted = True
                for other, state in enumerate(self._states):
                    if state == "blocked":
                        self._gates[other].release()
                raise Aborted
            self._states[number] = "blocked"
            self._go_on()
        self._gates[number].acquire()
        if self._aborted or self._stuck:
            raise Aborted
        return True

    def unblock(self) -> None:
        """A lock was released: threads that wait for one may try again."""
        with self._guard:
            if self._aborted:
                return
            self._states = ["waiting" if state == "blocked" else state for state in self._states]


def _is_computing(thread: int) -> bool:
    """Whether a thread has something to do, or would if a processor were free. Only Linux says so; elsewhere False."""
    if sys.platform != "linux":
        return False
    try:
        line = Path(f"/proc/self/task/{thread}/stat").read_bytes()
    except OSError:  # it has ended, or there is no /proc
        return False
    return line.rpartition(b")")[2].split()[0] == b"R"
