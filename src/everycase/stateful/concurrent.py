"""Linearizability: the results of threads or tasks that use one machine must be explained by some sequential
order.

A test takes a few steps one after the other, then some in each of several branches (threads or tasks), then
some more. The results (or exceptions) of the rules are compared with those of the same calls on a fresh
machine in a single thread: some order of the calls that keeps the order of each branch has to give the same
results. So no model is needed.
"""

from __future__ import annotations

import random as stdlib_random
from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from everycase.choices.dice import no_dice, simplest
from everycase.choices.sample import NeedsRecord
from everycase.choices.trace import Trace
from everycase.errors import InvalidArgument, InvalidDefinition, NotLinearizable
from everycase.gen.base import Gen
from everycase.gen.kinds import Live
from everycase.run.property import Property, Spec
from everycase.run.settings import Resolved
from everycase.stateful.branches import Branches, BranchesByNumber, BranchPlan
from everycase.stateful.bundles import running
from everycase.stateful.by_number import ALL, Pick
from everycase.stateful.linearizability import CallResult, explained, result_of, same
from everycase.stateful.machine_plan import Argument, MachinePlan, Step
from everycase.stateful.models import state_of
from everycase.stateful.profile import Profile
from everycase.stateful.program import MachineProgram
from everycase.stateful.program_text import BranchText, ProgramText
from everycase.stateful.runs import Run
from everycase.stateful.testing import MachineProperty, MachineTest


class ConcurrentProgram(MachineProgram):
    """A program with branches."""

    word = ""

    def __init__(
        self, plan: BranchPlan, branches: Branches | BranchesByNumber, *, narrates: bool = False
    ) -> None:
        super().__init__(plan, lambda: branches, narrates=narrates)
        self._branch_plan = plan
        self._branches = branches
        self._is_new = True

    def run(self, schedule: Any = ()) -> None:
        """Take the steps, those of the branches according to the schedule, and look for an order that
        explains the results."""
        __tracebackhide__ = True
        plan, branches = self._branch_plan, self._branches
        if not self._is_new:
            branches = self._again()
        self._is_new = False
        plan.runs += 1
        narration = ProgramText(plan.definition.machine) if self._narrates else None
        run = self.new_run(narration=narration)
        told = BranchText(self.word, narration)
        token = running.set(run)
        try:
            with self.machine_context():
                try:
                    self._before(run, branches)
                    steps = branches.rest(run)
                    told.begin(steps)
                    try:
                        results, finished = self.at_once(run, steps[:-1], schedule, told)
                    except NotLinearizable:
                        told.stopped()
                        raise
                    run.check_invariants()
                    after = [result_of(calling(run, step)) for step in steps[-1]]
                    told.after(after)
                finally:
                    run.end()
        finally:
            running.reset(token)
            if run.asked is not None:
                branches.record_question(run.asked)
            if narration is not None:
                self.text, self.lanes = told.text(), told
                self.imports = sorted(narration.imports)
                self.steps = told.steps
        for branch in steps:
            for rule, _ in branch:
                plan.ran[rule.number] += 1
        if not explained(results, after, finished, self._in_order):
            self._check_repeatable(finished)
            raise NotLinearizable(told.complaint(results, after))

    def at_once(
        self, run: Run, branches: list[list[Step]], schedule: Any, told: BranchText
    ) -> tuple[list[list[CallResult]], list[int]]:
        """Take the steps of all branches at the same time: their results, and the branches in the order in
        which the calls returned."""
        raise NotImplementedError

    def schedule_by_number(self, schedule: Gen[Any], pick: Pick) -> Trace[Any]:
        """The trace of a schedule in which ``pick`` makes every decision, while the branches run."""
        raise NotImplementedError

    def new_run(self, **options: Any) -> Run:
        return Run(self._branch_plan, records=True, **options)

    def _before(self, run: Run, branches: Branches | BranchesByNumber) -> None:
        run.begin()
        run.check_invariants()
        while (step := branches.next(run)) is not None:
            run.take(*step)
            run.check_invariants()

    def machine_context(self) -> AbstractContextManager[None]:
        """The context in which everything a machine does runs."""
        return nullcontext()

    def _again(self) -> Branches:
        known = self._branches
        return Branches(self._branch_plan, list(known.drawn), no_dice, known.size, known.profile)

    def _in_order(self, order: Sequence[int]) -> Generator[tuple[CallResult, Any], None, None]:
        """The same calls on a fresh machine, one after the other, each with the state of the model after it."""
        branches = self._again()
        run = self.new_run()
        token = running.set(run)
        try:
            with self.machine_context():
                try:
                    self._before(run, branches)
                    steps = branches.rest(run)
                    for branch in order:
                        if branch < 0:
                            steps[~branch].pop(0)  # a call that was cut short and has had no effect
                        else:
                            result = result_of(calling(run, steps[branch].pop(0)))
                            yield result, state_of(run)
                    try:
                        run.check_invariants()
                    except Exception:
                        return
                    for step in steps[-1]:
                        yield result_of(calling(run, step)), None
                finally:
                    run.end()
        finally:
            running.reset(token)

    def _check_repeatable(self, order: Sequence[int]) -> None:
        """Results can be compared only if the same calls in the same order always give the same results."""
        once = [result for result, _ in self._in_order(order)]
        again = [result for result, _ in self._in_order(order)]
        if len(once) != len(again) or not all(map(same, once, again)):
            raise InvalidDefinition(
                f"the rules of {self._plan.name} return different results when the same calls are made one "
                "after the other, so "
                "concurrent results cannot be judged; let them return values that depend only on the calls"
            )

    def draw_again(self, used: MachineProgram, sources: Any) -> None:
        super().draw_again(used, sources)
        self._is_new = False
        if isinstance(used, ConcurrentProgram):
            self._branches = used._branches

    # The attributes that Exhaustive needs if the steps were decided by number.

    @property
    def length(self) -> int:
        return self._by_number.length

    @property
    def state(self) -> Any:
        return None

    @property
    def some(self) -> dict[str, str]:
        return self._by_number.some

    @property
    def taken(self) -> tuple[object, ...]:
        """What is known of the arguments since the last decision."""
        return tuple(self._by_number.taken)

    @property
    def unfit(self) -> bool:
        """Whether an argument could not be made again from its own choices."""
        return self._by_number.unfit

    @property
    def decisions(self) -> int | None:
        return self._by_number.decisions

    @property
    def _by_number(self) -> BranchesByNumber:
        assert isinstance(self._branches, BranchesByNumber)
        return self._branches


def calling(run: Run, step: Step) -> Callable[[], Any]:
    rule, arguments = step
    function, machine = rule.function, run.machine

    def call() -> Any:
        result = function(machine, **arguments)
        return run.wait(result) if rule.awaits else result

    return call


class ConcurrentSteps:
    """How the steps of a machine with branches are taken. ``ways`` describes the ways."""

    def __init__(self, plan: BranchPlan, program: type[ConcurrentProgram], ways: str) -> None:
        self.plan = plan
        self.program = program
        self.ways = ways
        self.limit = plan.limit
        self.rule_names = [rule.name for rule in plan.rules]
        self.gen: Live[Any] = Live(self._make, steps=self)
        self._plain = Profile((1.0,) * len(plan.rules), 0.0, 0.3)
        self._values: dict[int, list[Trace[Any]]] = {}

    def values_of(self, part: Argument) -> int | None:
        """How many values of an argument were tried, if they do not depend on the running machine and all were."""
        known = self._values.get(id(part))
        return None if known is None or len(known) > ALL else len(known)

    def _make(self, draw: Callable[..., Any]) -> MachineProgram:
        raise NotImplementedError

    def sample(self, random: Callable[[], float], size: int) -> MachineProgram:
        raise NeedsRecord

    def recorded(self, gen: Any, sampled: Any) -> Any:
        raise NotImplementedError  # all of them are recorded when they run

    def driven(self, parts: Sequence[Any], pick: Pick, depth: int) -> tuple[Trace[Any], ...]:
        for rule in self.plan.rules:
            for argument in rule.parts:
                if type(argument.gen) is Live:
                    raise InvalidArgument(
                        f"the rule {rule.name} of {self.plan.name} draws {argument.name} while it runs; to go through all "
                        "interleavings, take the argument from a generator"
                    )
        live, schedule = parts
        branches = BranchesByNumber(self.plan, pick, depth, self._values)
        program = self.program(self.plan, branches)
        return Trace(None, branches.drawn, live, program), program.schedule_by_number(schedule, pick)

    def guided(self, gen: Any, choose: Callable[[list[int]], int | None], random: Callable[[], float]) -> Any:
        raise NotImplementedError

    def enact(
        self, gen: Live[Any], partial: Trace[Any] | None, random: Callable[[], float], size: int
    ) -> Trace[Any]:
        given = None if partial is None else list(partial.children)
        profile = self._plain
        if random is simplest or random is no_dice:
            given = given or []
        elif given is None:
            random = stdlib_random.Random(int(random() * 2**53)).random
            profile = self.plan.learning.basis.profile(random)
        branches = Branches(self.plan, given, random, min(size, 20), profile)
        program = self.program(self.plan, branches, narrates=random is no_dice)
        return Trace(None, branches.drawn, gen, program)


class ConcurrentTest(MachineTest):
    """The test function of a machine with branches."""

    def __call__(self, steps: ConcurrentProgram, schedule: Any) -> None:  # type: ignore[override]
        __tracebackhide__ = True
        steps.run(schedule)


class ConcurrentProperty(MachineProperty):
    """A property of a machine with branches."""

    suffix = ""
    program: type[ConcurrentProgram] = ConcurrentProgram
    #: the ways in which Exhaustive takes the same steps
    ways = ""

    def __init__(
        self,
        machine: type,
        factory: Callable[[], Any] | None = None,
        spec: Spec | None = None,
        plan: MachinePlan | None = None,
        branches: int = 2,
    ) -> None:
        self.branches = branches
        super().__init__(machine, factory, spec, plan)
        self.gens["schedule"] = self.schedule()

    def test(self) -> Callable[..., Any]:
        return ConcurrentTest(self.machine, f".{self.suffix}")

    def planned(self, limit: int) -> MachinePlan:
        plan = BranchPlan(super().planned(limit), self.branches)
        self.check_plan(plan)
        return plan

    def check_plan(self, plan: MachinePlan) -> None:
        """Raise an error for a machine whose rules cannot run this way."""

    def source(self) -> Gen[Any]:
        assert isinstance(self.plan, BranchPlan)
        return ConcurrentSteps(self.plan, self.program, self.ways).gen

    def schedule(self) -> Gen[Any]:
        """The generator of the schedule: which branch continues."""
        raise NotImplementedError

    def begin(self, options: Resolved) -> Property:
        plan = self.planned(options.stateful_step_count)
        return type(self)(self.machine, self.factory, self.spec, plan, self.branches)
