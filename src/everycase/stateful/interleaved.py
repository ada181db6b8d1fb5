"""Interleavings of asyncio tasks: like :mod:`everycase.stateful.concurrent`, on one event loop with virtual
time.

Whenever more than one task could continue, the choice among them is part of the test.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Generator, Iterable
from itertools import count
from typing import Any

from everycase.choices.trace import Trace
from everycase.errors import InvalidArgument
from everycase.gen.base import Gen
from everycase.gen.drawing import data
from everycase.gen.kinds import Int
from everycase.gen.scalars import integers
from everycase.gen.validate import as_sequence, require_int
from everycase.run.property import Property, Spec
from everycase.stateful.by_number import Pick
from everycase.stateful.concurrent import ConcurrentProgram, ConcurrentProperty
from everycase.stateful.linearizability import CallResult
from everycase.stateful.machine_plan import Step
from everycase.stateful.program_text import BranchText
from everycase.stateful.runs import Run
from everycase.stateful.testing import Runnable, machine_of, spec_for
from everycase.stateful.virtual_loop import VirtualLoop

FAULTS = ("cancel", "timeout")

#: With faults switched on, at most this many calls of a test are cancelled or time out.
MOST_FAULTS = 2
#: A call is cancelled when it waits for the first time, or later, up to this number; timeouts are up to this
#: many seconds.
LATEST = 5
SECONDS = 15
#: The timeouts, in seconds, that Exhaustive tries.
FEW_SECONDS = (0, 1, SECONDS)

#: The draws before the tasks begin: the number of faults, and for each the call, the kind, and the time.
#: Calls are counted modulo their number: if a call is removed, its fault goes to another one.
NUMBER = integers(0, MOST_FAULTS)
CALL = integers(0, 11)
WHEN = {"cancel": integers(0, LATEST), "timeout": integers(0, SECONDS)}


class Fault:
    """The fault of one call, decided before it begins: it is cancelled when it waits for the n-th time, or
    times out."""

    def __init__(self, kind: str, when: int) -> None:
        self.kind = kind
        self.when = when
        self.happened = kind == "timeout"

    def at_wait(self, number: int, limit: asyncio.Timeout) -> None:
        """The call waits: apply the fault if it is time."""
        if self.kind == "timeout":
            if not number:
                limit.reschedule(asyncio.get_running_loop().time() + self.when)
        elif number == self.when:
            self.happened = True
            _this_task().cancel()


class FaultByNumber:
    """The same, decided by number each time the call waits. A call that never waits has no faults."""

    def __init__(
        self, schedule: ScheduleByNumber, call: int, pick: Pick, kinds: tuple[str, ...], some: dict[str, str]
    ) -> None:
        self._schedule = schedule
        self._call = call
        self._pick = pick
        self._kinds = kinds
        #: the faults of which only some are tried, in words
        self._some = some
        self.happened = False

    def at_wait(self, number: int, limit: asyncio.Timeout) -> None:
        if self.happened:
            return
        options: list[tuple[str, int]] = []
        if "cancel" in self._kinds:
            if number <= LATEST:
                options.append(("cancel", number))
            else:
                self._some["cancel"] = f"no call cancelled after it has waited {LATEST + 1} times"
        if "timeout" in self._kinds and not number:
            options += [("timeout", seconds) for seconds in FEW_SECONDS]
            self._some["timeout"] = f"timeouts of {', '.join(map(str, FEW_SECONDS))} seconds only"
        left = options and self._schedule.faults < MOST_FAULTS
        chosen = self._pick(1 + len(options)) if left else 0
        if chosen:
            kind, when = options[chosen - 1]
            self._schedule.record(self._call, kind, when)
            Fault(kind, when).at_wait(number, limit)
            self.happened = True


class Faulty:
    """A call whose fault is informed each time it waits. (Nothing is added during which other tasks could
    run.)"""

    def __init__(
        self, call: Coroutine[Any, Any, Any], fault: Fault | FaultByNumber, limit: asyncio.Timeout
    ) -> None:
        self._call = call
        self._fault = fault
        self._limit = limit

    def __await__(self) -> Generator[Any, Any, Any]:
        error: BaseException | None = None
        for number in count():
            try:
                waited = self._call.send(None) if error is None else self._call.throw(error)
            except StopIteration as end:
                return end.value
            self._fault.at_wait(number, self._limit)
            error = None
            try:
                yield waited
            except BaseException as problem:
                error = problem


class TaskProgram(ConcurrentProgram):
    """A program whose branches are tasks."""

    word = "task"
    faults: tuple[str, ...] = ()

    def new_run(self, **options: Any) -> Run:
        run = super().new_run(**options)
        run._loop = VirtualLoop()
        return run

    def at_once(
        self, run: Run, branches: list[list[Step]], schedule: Any, told: BranchText
    ) -> tuple[list[list[CallResult]], list[int]]:
        loop: VirtualLoop = run._loop
        results: list[list[CallResult]] = [[] for _ in branches]
        finished: list[int] = []

        faults = self._faults(schedule, [len(steps) for steps in branches])

        async def work(branch: int) -> None:
            for place, step in enumerate(branches[branch]):
                result = await _result_of(run, step, faults.get((branch, place)))
                results[branch].append(result)
                finished.append(branch)
                told.returned(branch, place, result)

        async def all_of_them() -> None:
            await asyncio.gather(*[work(branch) for branch, steps in enumerate(branches) if steps])

        def choose(ready: int) -> int:
            chosen: int = schedule.draw(integers(0, ready - 1))
            return chosen

        loop.choose = choose
        try:
            loop.run(all_of_them())
        finally:
            loop.choose = None
        return results, finished

    def schedule_by_number(self, schedule: Gen[Any], pick: Pick) -> Trace[Any]:
        drawn: list[Trace[Any]] = []
        by_number = ScheduleByNumber(pick, self.faults, drawn, self._by_number.some)
        return Trace(None, drawn, schedule, by_number)

    def _faults(self, schedule: Any, lengths: list[int]) -> dict[tuple[int, int], Fault | FaultByNumber]:
        """Which fault happens to which call of which branch, and when."""
        calls = [(branch, place) for branch, length in enumerate(lengths) for place in range(length)]
        if not self.faults or not calls:
            return {}
        if isinstance(schedule, ScheduleByNumber):
            return {call: schedule.fault(number) for number, call in enumerate(calls)}
        found: dict[tuple[int, int], Fault | FaultByNumber] = {}
        for _ in range(schedule.draw(NUMBER)):
            call = calls[schedule.draw(CALL) % len(calls)]
            kind = self.faults[schedule.draw(integers(0, len(self.faults) - 1))]
            found.setdefault(call, Fault(kind, schedule.draw(WHEN[kind])))
        return found


class ScheduleByNumber:
    """A schedule in which all decisions are made by number, and recorded as if they were drawn."""

    def __init__(
        self, pick: Pick, kinds: tuple[str, ...], drawn: list[Trace[Any]], some: dict[str, str]
    ) -> None:
        self._pick = pick
        self._kinds = kinds
        self._drawn = drawn
        self._some = some
        #: how many faults there were
        self.faults = 0

    def draw(self, source: Int) -> int:
        assert source.lo is not None and source.hi is not None
        chosen = source.lo + self._pick(source.hi - source.lo + 1)
        self._drawn.append(_drawn(source, chosen))
        return chosen

    def fault(self, call: int) -> FaultByNumber:
        """The fault of a call, which is decided when it waits."""
        if not self._drawn:
            self._drawn.append(_drawn(NUMBER, 0))
        return FaultByNumber(self, call, self._pick, self._kinds, self._some)

    def record(self, call: int, kind: str, when: int) -> None:
        """Record a fault before all other decisions, where it would be drawn."""
        kinds = integers(0, len(self._kinds) - 1)
        fault = [_drawn(CALL, call), _drawn(kinds, self._kinds.index(kind)), _drawn(WHEN[kind], when)]
        self.faults += 1
        self._drawn[:1] = [_drawn(NUMBER, self.faults), *fault]


def _drawn(source: Gen[int], chosen: int) -> Trace[Any]:
    return Trace(chosen, (), source, chosen)


async def _result_of(run: Run, step: Step, fault: Fault | FaultByNumber | None) -> CallResult:
    """Make a call in this task. If it is cancelled or times out, it is left open whether it has had an
    effect."""
    result = await _called(run, step, fault)
    task = _this_task()
    while task.cancelling():  # the cancellation of the call, not of what comes after it
        task.uncancel()
    return result


async def _called(run: Run, step: Step, fault: Fault | FaultByNumber | None) -> CallResult:
    rule, arguments = step
    try:
        result = rule.function(run.machine, **arguments)
        if not rule.awaits:
            return CallResult(result)
        if fault is None:
            return CallResult(await result)
        async with asyncio.timeout(None) as limit:
            return CallResult(await Faulty(result, fault, limit))
    except (asyncio.CancelledError, TimeoutError) as error:
        return CallResult(error, raised=True, is_open=fault is not None and fault.happened)
    except Exception as error:
        return CallResult(error, raised=True)


def _this_task() -> asyncio.Task[Any]:
    task = asyncio.current_task()
    assert task is not None
    return task


class InterleavedProperty(ConcurrentProperty):
    """The property that tasks can use a machine at the same time."""

    suffix = "interleaved"
    program = TaskProgram
    ways = "every interleaving"

    def schedule(self) -> Gen[Any]:
        return data()


class InterleavedMachine(Runnable):
    """The result of :func:`interleaved`: a property for ``check``, with a ``TestCase`` for pytest and
    unittest."""

    faults: tuple[str, ...] = ()

    def make(self, factory: Callable[[], Any], spec: Spec) -> Property:
        faults = self.faults

        class FaultyProgram(TaskProgram):
            pass

        FaultyProgram.faults = faults

        class FaultyProperty(InterleavedProperty):
            program = FaultyProgram
            ways = (
                f"every interleaving with at most {MOST_FAULTS} faults"
                if faults
                else InterleavedProperty.ways
            )

        return FaultyProperty(self.machine, factory, spec, branches=self.branches)


def interleaved(machine: Any, *, tasks: int = 2, faults: Iterable[str] = ()) -> InterleavedMachine:
    """The property that a machine with asynchronous rules can be used by several tasks at once.

    The results of the rules must be explained by some sequential order of the calls. Time is virtual. With
    ``faults=("cancel", "timeout")`` some calls are cancelled or time out; they may or may not have had their
    effect.

    >>> import asyncio
    >>> from everycase import check
    >>> from everycase.stateful import RuleBasedStateMachine, rule
    >>> class Counter(RuleBasedStateMachine):
    ...     n = 0
    ...     @rule()
    ...     async def increment(self):
    ...         before = self.n
    ...         await asyncio.sleep(60)
    ...         self.n = before + 1
    ...         return before
    >>> check(interleaved(Counter), seed=0, database=None).status
    'failed'
    """
    require_int("tasks", tasks)
    if not 2 <= tasks <= 4:
        raise InvalidArgument(f"tasks={tasks} must be 2, 3 or 4")
    given = (faults,) if isinstance(faults, str) else as_sequence("faults", faults)
    for fault in given:
        if not isinstance(fault, str) or fault not in FAULTS:
            raise InvalidArgument(f"there is no fault {fault!r}; there are {', '.join(map(repr, FAULTS))}")
    found, factory = machine_of(machine)
    made = InterleavedMachine(found, factory, tasks, "interleaved", spec_for(found))
    made.faults = given
    return made
