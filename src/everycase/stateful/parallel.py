"""Threads: the results of threads that use one machine must be explained by some sequential order (see
``concurrent``)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from everycase.choices.invert import trace_of
from everycase.choices.trace import Trace
from everycase.errors import InvalidArgument, InvalidDefinition
from everycase.gen.base import Gen
from everycase.gen.collections import lists, tuples
from everycase.gen.composition import one_of
from everycase.gen.scalars import integers
from everycase.gen.validate import require_int
from everycase.run.property import Property, Spec
from everycase.stateful.branches import BranchPlan
from everycase.stateful.by_number import Pick
from everycase.stateful.concurrent import ConcurrentProgram, ConcurrentProperty, calling
from everycase.stateful.linearizability import CallResult, result_of
from everycase.stateful.locks import cooperative_locks
from everycase.stateful.machine_plan import MachinePlan, Step
from everycase.stateful.program_text import BranchText
from everycase.stateful.runs import Run
from everycase.stateful.schedule import Schedule, Switch, Switches, SwitchesByNumber, alone
from everycase.stateful.testing import Runnable, machine_of, spec_for

#: Maximum number of switches in a schedule, and in an exhaustive one.
SWITCHES = 5
FEW_SWITCHES = 2

#: After how many yield points a switch comes: usually soon, but a long rule has thousands.
LATEST = 1023
GAPS = one_of(integers(0, 7), integers(0, 15), integers(0, 63), integers(0, LATEST))


class ThreadProgram(ConcurrentProgram):
    """A program whose branches are threads."""

    word = "thread"

    def at_once(
        self, run: Run, branches: list[list[Step]], schedule: Any, told: BranchText
    ) -> tuple[list[list[CallResult]], list[int]]:
        results: list[list[CallResult]] = [[] for _ in branches]
        finished: list[int] = []

        def work(branch: int) -> None:
            for place, step in enumerate(branches[branch]):
                plan.call_begins(busy.index(branch))
                result = result_of(calling(run, step))
                results[branch].append(result)
                finished.append(branch)
                told.returned(branch, place, result)

        busy = [branch for branch, steps in enumerate(branches) if steps]
        plan = Schedule(schedule if isinstance(schedule, SwitchesByNumber) else Switches(schedule))
        if busy:
            plan.run([lambda branch=branch: work(branch) for branch in busy])  # type: ignore[misc]
            told.turns = [busy[turn] for turn in plan.turns]
        return results, finished

    def schedule_by_number(self, schedule: Gen[Any], pick: Pick) -> Trace[Any]:
        switches: list[Trace[Any]] = []
        switch_gen: Gen[Any] = schedule.element  # type: ignore[attr-defined]

        def happened(switch: Switch) -> None:
            switches.append(trace_of(switch_gen, switch))

        some = self._by_number.some
        return Trace(None, switches, schedule, SwitchesByNumber(pick, FEW_SWITCHES, LATEST, happened, some))

    @contextmanager
    def machine_context(self) -> Iterator[None]:
        with cooperative_locks(self._plan.definition.machine), alone():
            yield


class ParallelProperty(ConcurrentProperty):
    """The property that threads can use a machine at the same time."""

    suffix = "parallel"
    program = ThreadProgram
    ways = f"every interleaving with at most {FEW_SWITCHES} preemptions"

    def check_plan(self, plan: MachinePlan) -> None:
        for rule in plan.options:
            if rule.awaits:
                raise InvalidDefinition(
                    f"the rule {rule.name} of {plan.name} is asynchronous; test it with interleaved, which is for asyncio"
                )

    def schedule(self) -> Gen[Any]:
        """Where the running thread is stopped, and which one continues."""
        assert isinstance(self.plan, BranchPlan)
        calls = one_of(integers(0, 0), integers(0, self.plan.inside - 1))  # mostly in the first call
        return lists(tuples(calls, GAPS, integers(0, self.branches - 1)), max_size=SWITCHES)


class ParallelMachine(Runnable):
    """The result of :func:`parallel`: a property for ``check``, with a ``TestCase`` for pytest and
    unittest."""

    def make(self, factory: Any, spec: Spec) -> Property:
        return ParallelProperty(self.machine, factory, spec, branches=self.branches)


def parallel(machine: Any, *, threads: int = 2) -> ParallelMachine:
    """The property that a machine can be used by several threads at once.

    The results of its rules must be explained by some order of the calls. everycase decides which thread runs
    when, and this is part of the test: a failure is reproduced by the same seed or blob, and shrinks like any
    other.

    >>> from everycase import check
    >>> from everycase.stateful import RuleBasedStateMachine, rule
    >>> class Counter(RuleBasedStateMachine):
    ...     n = 0
    ...     @rule()
    ...     def increment(self):
    ...         before = self.n
    ...         self.n = before + 1
    ...         return before
    >>> check(parallel(Counter), seed=0, database=None).status
    'failed'
    """
    require_int("threads", threads)
    if not 2 <= threads <= 4:
        raise InvalidArgument(f"threads={threads} must be 2, 3 or 4")
    found, factory = machine_of(machine)
    return ParallelMachine(found, factory, threads, "parallel", spec_for(found))
