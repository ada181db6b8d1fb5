"""Interleavings of asyncio tasks: as :mod:`everycase.stateful.concurrent`, on one event loop with virtual time.

Which task goes on is decided at every point where more than one could, and is part of the test.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Any

from everycase.choices.trace import Trace
from everycase.errors import InvalidArgument
from everycase.gen.base import Gen
from everycase.gen.drawing import data
from everycase.gen.kinds import Int
from everycase.gen.scalars import integers
from everycase.gen.validate import require_int
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

#: With faults switched on, one call in this many is cancelled or times out.
RARE = 4
#: After how many turns of the loop a call is cancelled at most, and after how many seconds it runs out of time.
TURNS = 7
SECONDS = 15


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

        async def work(branch: int) -> None:
            for place, step in enumerate(branches[branch]):
                fault = self._fault(schedule)
                result = await _attempt(run, step, fault)
                results[branch].append(result)
                finished.append(branch)
                told.returned(branch, place, result)

        async def all_of_them() -> None:
            await asyncio.gather(*[work(branch) for branch in range(len(branches))])

        def choose(count: int) -> int:
            chosen: int = schedule.draw(integers(0, count - 1))
            return chosen

        loop.choose = choose
        try:
            loop.run(all_of_them())
        finally:
            loop.choose = None
        return results, finished

    def schedule_by_number(self, schedule: Gen[Any], pick: Pick) -> Trace[Any]:
        drawn: list[Trace[Any]] = []

        def draw(source: Int, label: str | None = None) -> int:
            assert source.lo is not None and source.hi is not None
            chosen = source.lo + pick(source.hi - source.lo + 1)
            drawn.append(Trace(chosen, (), source, chosen))
            return chosen

        return Trace(None, drawn, schedule, schedule.make(draw))  # type: ignore[attr-defined]

    def _fault(self, schedule: Any) -> tuple[str, int] | None:
        """What happens to a call, and when; mostly nothing."""
        if not self.faults or schedule.draw(integers(0, RARE - 1)) != RARE - 1:
            return None
        kind = self.faults[schedule.draw(integers(0, len(self.faults) - 1))]
        return kind, schedule.draw(integers(0, TURNS if kind == "cancel" else SECONDS))


async def _attempt(run: Run, step: Step, fault: tuple[str, int] | None) -> CallResult:
    """A call in a task of its own, so that it can be cancelled."""
    rule, arguments = step

    async def call() -> Any:
        result = rule.function(run.machine, **arguments)
        return await result if rule.awaits else result

    try:
        if fault is None:
            return CallResult(await call())
        kind, when = fault
        task = asyncio.ensure_future(call())
        if kind == "timeout":
            return CallResult(await asyncio.wait_for(task, when))
        for _ in range(when):
            if task.done():
                break
            await asyncio.sleep(0)
        task.cancel()
        return CallResult(await task)
    except (asyncio.CancelledError, TimeoutError) as error:
        # Whether it has done anything before is left open.
        return CallResult(error, raised=True, is_open=fault is not None)
    except Exception as error:
        return CallResult(error, raised=True)


class InterleavedProperty(ConcurrentProperty):
    """The property that tasks can use a machine at the same time."""

    suffix = "interleaved"
    program = TaskProgram
    ways = "every interleaving"

    def schedule(self) -> Gen[Any]:
        return data()


class InterleavedMachine(Runnable):
    """What :func:`interleaved` makes: a property for ``check``, with a ``TestCase`` for pytest and unittest."""

    faults: tuple[str, ...] = ()

    def make(self, factory: Callable[[], Any], spec: Spec) -> Property:
        faults = self.faults

        class FaultyProgram(TaskProgram):
            pass

        FaultyProgram.faults = faults

        class FaultyProperty(InterleavedProperty):
            program = FaultyProgram

        return FaultyProperty(self.machine, factory, spec, branches=self.branches)


def interleaved(machine: Any, *, tasks: int = 2, faults: Iterable[str] = ()) -> InterleavedMachine:
    """The property that a machine with asynchronous rules can be used by several tasks at once.

    What the rules return must be explained by some order of the calls, one after the other. Time is virtual. With
    ``faults=("cancel", "timeout")`` some calls are cancelled or run out of time; they may have had their effect or not.

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
    given = (faults,) if isinstance(faults, str) else tuple(faults)
    for fault in given:
        if fault not in FAULTS:
            raise InvalidArgument(f"there is no fault {fault!r}; there are {', '.join(map(repr, FAULTS))}")
    found, factory = machine_of(machine)
    made = InterleavedMachine(found, factory, tasks, "interleaved", spec_for(found))
    made.faults = given
    return made
