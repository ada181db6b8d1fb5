"""What decides the steps of a run: dice, or a recorded trace with dice at its holes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from everycase.choices.dice import Random, draw_size, no_dice, simplest
from everycase.choices.enact import enact
from everycase.choices.trace import Trace
from everycase.errors import Discarded
from everycase.stateful.machine_plan import MachinePlan, PlannedRule, Step
from everycase.stateful.profile import Profile
from everycase.stateful.runs import Run, StepMemory

#: How often a rule is picked at random before all rules are checked for whether they can run.
TRIES = 3

#: Maximum number of steps rejected by ``assume`` that are skipped before a run ends.
REJECTED = 12

#: The steps of a run that are drawn but not taken, by number. After the last of :data:`REJECTED` nothing is
#: drawn.
LeftOut = tuple[int, ...]


class Dice:
    """Decides everything at random, without a record."""

    records = False

    def __init__(
        self, plan: MachinePlan, random: Random, size: int, profile: Profile, left_out: LeftOut = ()
    ) -> None:
        self.plan = plan
        self.random = random
        self.size = size
        self.profile = profile
        self.left = plan.limit
        self.left_out = left_out
        #: how many steps were drawn, not counting initializers
        self.rolled = 0
        self.numbers: list[int] = []
        #: the arguments so far, by group
        self.given: list[list[Any]] = [[] for _ in range(plan.groups)]

    def next(self, run: Run) -> Step | None:
        """The next step; None at the end."""
        if run.pending:
            return self._initialize(run)
        while self.left > 0:
            if len(self.left_out) > REJECTED and self.rolled + 1 == self.left_out[-1]:
                return None
            step = self._any_step(run)
            self.rolled += 1
            if self.rolled not in self.left_out:
                self.left -= 1
                return step
            if step is None:
                return None
            self.put_back(run)
        return None

    def put_back(self, run: Run) -> None:
        """Undo the last step, which was drawn but not taken."""
        run.put_back()
        self.numbers.pop()

    def without_last(self) -> LeftOut | None:
        """The steps to skip so that the last step is not taken; None if that is impossible."""
        if not self.rolled or len(self.left_out) > REJECTED or not any(self.plan.ran):
            return None
        left_out = (*self.left_out, self.rolled)
        is_empty = len(left_out) > REJECTED and self.rolled == len(left_out)
        return None if is_empty else left_out

    def _initialize(self, run: Run) -> Step | None:
        pending = run.pending
        rule = pending.pop(int(self.random() * len(pending)))
        arguments = self.arguments(run, rule, ())
        if arguments is None:
            raise Discarded(f"no arguments for {rule.name}")
        return rule, arguments

    def _any_step(self, run: Run) -> Step | None:
        """A rule that can run, with arguments."""
        failed: set[int] = set()
        while True:
            rule = self._pick(run, failed)
            if rule is None:
                if not failed:
                    run.plan.stuck += 1
                return None
            arguments = self.arguments(run, rule, ())
            if arguments is not None:
                self.numbers.append(rule.number)
                return rule, arguments
            failed.add(rule.number)

    def _pick(self, run: Run, failed: set[int]) -> PlannedRule | None:
        rules, profile, random = self.plan.rules, self.profile, self.random
        if profile.repeat and self.numbers and random() < profile.repeat:
            rule = rules[self.numbers[-1]]
            if rule.number not in failed and run.can(rule):
                return rule
        for _ in range(TRIES):
            rule = rules[profile.pick(random)]
            if rule.number not in failed and run.can(rule):
                return rule
        able = [rule.number for rule in rules if rule.number not in failed and run.can(rule)]
        return rules[profile.among(able, random)] if able else None

    def arguments(
        self, run: Run, rule: PlannedRule, partial: Sequence[Trace[Any] | None]
    ) -> dict[str, Any] | None:
        """Values for the arguments of a rule; None if there are none, for example in a bundle."""
        run.begin_step()
        random, size, reuse = self.random, self.size, self.profile.reuse
        arguments: dict[str, Any] = {}
        try:
            for part in rule.parts:
                group = part.group
                if group < 0:
                    arguments[part.name] = self._thing(run, part, part.roll)
                    continue
                given = self.given[group]
                if given and random() < reuse:
                    arguments[part.name] = given[int(random() * len(given))]
                else:
                    arguments[part.name] = value = part.roll(random, size)
                    given.append(value)
        except Discarded:
            self.plan.barren[rule.number] += 1
            run.put_back()
            return None
        return arguments

    def _thing(self, run: Run, part: Any, roll: Callable[[Random, int], Any]) -> Any:
        before = len(run.taken)
        value = roll(self.random, self.size)
        if part.bundle is not None and len(run.taken) - before > 1:
            run.put_back(before, -1)  # values that a filter rejected
        return value


class Following(Dice):
    """Follows a recorded trace where it fits, and records the steps that are taken.

    A step that cannot be taken is skipped. With ``given=None`` all steps are decided by dice; otherwise the
    run ends where the recorded one does.
    """

    records = True

    def __init__(
        self,
        plan: MachinePlan,
        given: Sequence[Trace[Any] | None] | None,
        random: Random,
        size: int,
        profile: Profile,
        left_out: LeftOut = (),
    ) -> None:
        super().__init__(plan, random, size, profile, left_out)
        self.followed = given
        #: the same dice from the beginning, if they decide everything
        self.reroll: Callable[[], Random] | None = None
        self.at = 0
        self.drawn: list[Trace[Any]] = []
        #: the identity of the step that is followed, if that is known
        self.identity: object = None
        if given is not None:
            self.left = len(given)

    def begin_again(self, left_out: LeftOut) -> None:
        """Roll the same dice from the beginning, and skip some steps."""
        assert self.reroll is not None
        self.random = self.reroll()
        self.left_out, self.left, self.rolled = left_out, self.plan.limit, 0
        self.drawn.clear()
        self.numbers.clear()
        for given in self.given:
            given.clear()

    def put_back(self, run: Run) -> None:
        super().put_back(run)
        self.drawn.pop()

    def next(self, run: Run) -> Step | None:
        if self.followed is None:
            return super().next(run)
        options = self.plan.options
        while self.at < len(self.followed):
            partial = self.followed[self.at]
            number = None if partial is None else partial.choice
            if type(number) is not int or not 0 <= number < len(options):
                self.at += 1
                if self.random is no_dice:
                    no_dice()
                return self._initialize(run) if run.pending else self._any_step(run)
            rule = options[number]
            if run.pending:
                if rule not in run.pending:
                    if rule.number < len(self.plan.rules):
                        break  # all initializers come first, whatever was removed
                    self.at += 1
                    continue
                run.pending.remove(rule)
            elif rule.number >= len(self.plan.rules) or not run.can(rule):
                self.at += 1
                continue
            self.at += 1
            assert partial is not None
            partial = run.redirected(partial)
            memory = partial.memory
            self.identity = memory.identity if type(memory) is StepMemory else None
            below = partial.children[0] if partial.children else None
            arguments = self.arguments(run, rule, () if below is None else below.children)
            self.identity = None
            if arguments is None:
                if rule.number >= len(self.plan.rules):
                    raise Discarded(f"no arguments for {rule.name}")
                continue
            self.numbers.append(rule.number)
            return rule, arguments
        return self._initialize(run) if run.pending else None

    def _initialize(self, run: Run) -> Step | None:
        if self.random is no_dice:  # a machine that has got a new initializer since
            rule = run.pending.pop(0)
            arguments = self.arguments(run, rule, ())
            return None if arguments is None else (rule, arguments)
        return super()._initialize(run)

    def arguments(
        self, run: Run, rule: PlannedRule, partial: Sequence[Trace[Any] | None]
    ) -> dict[str, Any] | None:
        run.begin_step()
        random, size, reuse = self.random, self.size, self.profile.reuse
        free = random is not no_dice and random is not simplest
        kids: list[Trace[Any]] = []
        try:
            for place, part in enumerate(rule.parts):
                known = partial[place] if place < len(partial) else None
                group = part.group
                if group >= 0:
                    given = self.given[group]
                    if known is None and given and free and random() < reuse:
                        kids.append(given[int(random() * len(given))])
                        continue
                before = len(run.taken)
                kid = enact(part.gen, known, random, size)
                if part.bundle is not None and len(run.taken) - before > 1:
                    run.put_back(before, -1)
                kids.append(kid)
                if group >= 0:
                    given.append(kid)
        except Discarded:
            self.plan.barren[rule.number] += 1
            run.put_back()
            return None
        return self.record(run, rule, kids)

    def record_question(self, rule: PlannedRule) -> None:
        """Record that the precondition of a rule raised here, so that it is evaluated here again."""
        args: Trace[Any] = Trace(None, (None,) * len(rule.parts), rule.args)
        self.drawn.append(Trace(rule.number, (args,), self.plan.step, None, memory=StepMemory(object(), {})))

    def record(self, run: Run, rule: PlannedRule, kids: list[Trace[Any]]) -> dict[str, Any]:
        """The arguments of a step, which is recorded."""
        arguments = {part.name: kid.value for part, kid in zip(rule.parts, kids)}
        args = Trace(None, kids, rule.args, arguments)
        run.step = self.identity or object()
        memory = StepMemory(run.step, run.references_in(args))
        self.drawn.append(Trace(rule.number, (args,), self.plan.step, None, memory=memory))
        return arguments


class Guided(Following):
    """Takes the rules that the caller chooses among those that can run; arguments are random."""

    def __init__(
        self, plan: MachinePlan, choose: Callable[[list[int]], int | None], random: Random, profile: Profile
    ) -> None:
        super().__init__(plan, None, random, draw_size(random), profile)
        self.choose = choose

    def next(self, run: Run) -> Step | None:
        if run.pending:
            return self._initialize(run)
        if self.left <= 0:
            return None
        able = [rule.number for rule in self.plan.rules if run.can(rule)]
        while able:
            number = self.choose(able)
            if number is None:
                return None
            rule = self.plan.rules[number]
            arguments = self.arguments(run, rule, ())
            if arguments is not None:
                self.left -= 1
                self.numbers.append(number)
                return rule, arguments
            able.remove(number)
        return None
