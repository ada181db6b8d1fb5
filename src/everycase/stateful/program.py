"""The input of a state machine test: a program, whose steps are decided while they are taken."""

from __future__ import annotations

import random as stdlib_random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from typing import Any

from everycase.choices.dice import Random, no_dice, simplest
from everycase.choices.time_limit import within_run
from everycase.choices.trace import Trace
from everycase.enumeration.walk import walk
from everycase.errors import Discarded, GeneratorError, NotCountable
from everycase.gen.base import Gen
from everycase.gen.graph import has_kind
from everycase.gen.kinds import Live
from everycase.run.context import Scope, resumed
from everycase.run.outcome import is_failure
from everycase.stateful.bundles import running
from everycase.stateful.by_number import ALL, Driven, Pick, depends_on_state
from everycase.stateful.choosers import Dice, Following, Guided, LeftOut
from everycase.stateful.machine_plan import Argument, MachinePlan
from everycase.stateful.models import looks
from everycase.stateful.profile import Basis, Profile
from everycase.stateful.program_text import ProgramText
from everycase.stateful.runs import Run

#: A rule with at most this many different arguments is tried with all of them when a shorter sequence is searched for.
MOST_ARGUMENTS = 8


class MachineProgram:
    """The steps of one test of a machine.

    Printed, it is the program that takes the steps, ending with the call that failed. :meth:`run` takes them.
    """

    def __init__(self, plan: MachinePlan, decide: Callable[[], Dice], *, narrates: bool = False) -> None:
        self._plan = plan
        self._decide = decide
        self._narrates = narrates
        self._tell: Callable[[str], None] | None = None
        self.text: str = (
            f"state = {plan.name}()\n# its steps were not written down: they were taken only once"
        )
        self.imports: list[str] = []
        #: what happened at the same time, if there are several branches and it was recorded
        self.lanes: Any = None
        #: the steps that were drawn, as far as they are recorded
        self.drawn: list[Trace[Any]] = []
        #: the rules that were called, each with its arguments as code
        self.steps: list[tuple[str, dict[str, str]]] = []

    def run(self) -> None:
        """Make a new machine and take the steps."""
        __tracebackhide__ = True
        self._plan.runs += 1
        while True:
            chooser = self._decide()
            try:
                return self._take_steps(chooser)
            except Discarded:
                if not self._leave_out(chooser):
                    raise

    def _leave_out(self, chooser: Dice) -> bool:
        """``assume`` has rejected the last step: whether to take the others again without it."""
        return False

    def _take_steps(self, chooser: Dice) -> None:
        __tracebackhide__ = True
        plan = self._plan
        narration = ProgramText(plan.definition.machine, self._tell) if self._narrates else None
        run = Run(plan, records=chooser.records, narration=narration)
        token = running.set(run)
        try:
            try:
                run.begin()
                run.check_invariants()
                next_step, take, check = within_run(chooser.next), run.take, run.check_invariants
                if plan.invariants:
                    while (step := next_step(run)) is not None:
                        take(*step)
                        check()
                else:
                    while (step := next_step(run)) is not None:
                        take(*step)
                if plan.watched is not None:
                    plan.watched.look(run)
            finally:
                run.end()
        finally:
            running.reset(token)
            if run.asked is not None and isinstance(chooser, Following):
                chooser.record_question(run.asked)
            if narration is not None:
                self.text = narration.text()
                self.imports = sorted(narration.imports)
                self.steps = narration.steps
            self.ended(run, chooser)

    def narrate(self, tell: Callable[[str], None] | None = None) -> None:
        """Write the steps down while they are taken, so that they can be shown even if none fails. ``tell``
        gets the program before each of its calls."""
        self._narrates = True
        self._tell = tell

    def ended(self, run: Run, chooser: Dice) -> None:
        """Called when all steps were taken, or one of them has failed."""

    def draw_again(self, used: MachineProgram, sources: Any) -> None:
        """Copy the text of another program that took the same steps."""
        self.text, self.imports, self.steps, self.lanes = used.text, used.imports, used.steps, used.lanes

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.text

    def __len__(self) -> int:
        return len(self.steps)


class Sampled(MachineProgram):
    """A program decided by dice alone. It keeps their initial state, so that they can be rolled again."""

    def __init__(self, plan: MachinePlan, seed: int, size: int) -> None:
        super().__init__(plan, self._roll)
        self.seed = seed
        self.size = size
        self.basis: Basis = plan.learning.basis
        self.left_out: LeftOut = ()

    def _roll(self) -> Dice:
        random = stdlib_random.Random(self.seed).random
        profile = self.basis.profile(random)
        if self._tell is None:
            return Dice(self._plan, random, self.size, profile, self.left_out)
        following = Following(self._plan, None, random, self.size, profile, self.left_out)
        self.drawn = following.drawn
        return following

    def _leave_out(self, chooser: Dice) -> bool:
        known = chooser.without_last()
        if known is not None:
            self.left_out = known
        return known is not None

    def ended(self, run: Run, chooser: Dice) -> None:
        self._plan.learning.learn(chooser.profile, chooser.numbers)

    def recorded(self) -> Following:
        """Take the same steps again, recording them."""
        random = stdlib_random.Random(self.seed).random
        profile = self.basis.profile(random)
        following = Following(self._plan, None, random, self.size, profile, self.left_out)
        # Its notes and utilities were reported before.
        with resumed(Scope()):
            try:
                MachineProgram(self._plan, lambda: following).run()
            except BaseException as problem:
                if not is_failure(problem):
                    raise
        return following


class Recorded(MachineProgram):
    """A program that follows a recorded trace and records the steps that it takes."""

    def __init__(self, plan: MachinePlan, following: Following, *, narrates: bool = False) -> None:
        super().__init__(plan, self._follow, narrates=narrates)
        self._following = following
        self._is_new = True

    @property
    def numbers(self) -> list[int]:
        """The rules that were run, by number."""
        return self._following.numbers

    def _follow(self) -> Dice:
        known = self._following
        if self._is_new:
            self._is_new = False
            return known
        return Following(self._plan, list(known.drawn), no_dice, known.size, known.profile)

    def _leave_out(self, chooser: Dice) -> bool:
        known = None if chooser is not self._following else chooser.without_last()
        if known is None or self._following.reroll is None:
            return False
        self._following.begin_again(known)
        self._is_new = True
        return True


class ByNumber(Recorded):
    """A program whose steps are all decided by number."""

    #: how many numbers decide the steps: all of them
    decisions = None
    _following: Driven

    @property
    def length(self) -> int:
        """How many steps were taken, initializers not counted."""
        return self._following.length

    @property
    def state(self) -> Any:
        """The state of the model at the end; None if there is none."""
        return self._following.state

    @property
    def some(self) -> dict[str, str]:
        """Arguments of which only some values are tried, in words."""
        return self._following.some

    @property
    def taken(self) -> tuple[object, ...]:
        """What is known of the arguments since the last decision."""
        return tuple(self._following.taken)

    @property
    def unfit(self) -> bool:
        """Whether an argument could not be made again from its own choices."""
        return self._following.unfit


class WatchedState:
    """The state of a machine at the end of a run, judged by its attributes; None if they do not tell."""

    state: Any = None

    def look(self, run: Run) -> None:
        with suppress(Exception):
            self.state = looks(run)


def _draws_or_depends(gen: Gen[Any]) -> bool:
    return has_kind(gen, Live) or depends_on_state(gen)


class MachineSteps:
    """How the steps of a machine are taken. One object for each run of a property."""

    #: the same steps are always taken in the same way
    ways = ""

    def __init__(self, plan: MachinePlan) -> None:
        self.plan = plan
        self.limit = plan.limit
        self.rule_names = [rule.name for rule in plan.rules]
        self.gen: Live[MachineProgram] = Live(self._make, steps=self)
        self._plain = Profile((1.0,) * len(plan.rules), 0.0, 0.2)
        #: the values of arguments that do not depend on the running machine
        self._values: dict[int, list[Trace[Any]]] = {}

    def values_of(self, part: Argument) -> int | None:
        """How many values of an argument were tried, if they do not depend on the running machine and all were."""
        known = self._values.get(id(part))
        return None if known is None or len(known) > ALL else len(known)

    def _make(self, draw: Callable[..., Any]) -> MachineProgram:
        raise NotImplementedError  # its steps are taken by the methods below

    def sample(self, random: Callable[[], float], size: int) -> MachineProgram:
        if self.plan.draws:
            from everycase.choices.sample import NeedsRecord

            raise NeedsRecord
        return Sampled(self.plan, int(random() * 2**53), size)

    def driven(self, parts: Sequence[Any], pick: Pick, depth: int) -> tuple[Trace[Any], ...]:
        following = Driven(self.plan, pick, depth, self._values)
        return (Trace(None, following.drawn, parts[0], ByNumber(self.plan, following)),)

    def guided(
        self,
        gen: Live[Any],
        choose: Callable[[list[int]], int | None],
        random: Callable[[], float],
    ) -> Trace[Any]:
        following = Guided(self.plan, choose, random, self._plain)
        return Trace(None, following.drawn, gen, Recorded(self.plan, following))

    def first_step(self, steps: Sequence[Trace[Any] | None]) -> int:
        """The position of the first step that is not an initializer."""
        ranks = range(len(self.plan.rules))
        return next(
            (place for place, step in enumerate(steps) if step is not None and step.choice in ranks),
            len(steps),
        )

    def few_steps(self, steps: Sequence[Trace[Any] | None]) -> list[Trace[Any]]:
        """The steps of a sequence, and every rule with its simplest arguments, or all of them if there are
        few."""
        found = [step for step in steps if step is not None]
        for rule in self.plan.rules:
            args: list[Trace[Any]] = [Trace(None, (), rule.args)]
            if rule.parts and not rule.needs and not _draws_or_depends(rule.args):
                with suppress(NotCountable, GeneratorError):
                    some = list(islice(walk(rule.args), MOST_ARGUMENTS + 1))
                    args = some if len(some) <= MOST_ARGUMENTS else args
            found += [Trace(rule.number, (each,), self.plan.step) for each in args]
        return list({repr(step.to_json()): step for step in reversed(found)}.values())[::-1]

    @contextmanager
    def watched(self) -> Iterator[WatchedState]:
        """The state after the run inside."""
        self.plan.watched = watched = WatchedState()
        try:
            yield watched
        finally:
            self.plan.watched = None

    def recorded(self, gen: Live[Any], sampled: Sampled) -> Trace[Any]:
        return Trace(None, sampled.recorded().drawn, gen, sampled)

    def enact(
        self, gen: Live[Any], partial: Trace[Any] | None, random: Callable[[], float], size: int
    ) -> Trace[Any]:
        profile = self._plain
        given = None if partial is None else list(partial.children)
        if random is simplest or random is no_dice:
            given = given or []
        elif given is None:
            seed = int(random() * 2**53)
            random = stdlib_random.Random(seed).random
            profile = self.plan.learning.basis.profile(random)
        following = Following(self.plan, given, random, size, profile)
        if given is None:
            basis = self.plan.learning.basis

            def reroll() -> Random:
                again = stdlib_random.Random(seed).random
                basis.profile(again)
                return again

            following.reroll = reroll
        program = Recorded(self.plan, following, narrates=random is no_dice)
        return Trace(None, following.drawn, gen, program)
