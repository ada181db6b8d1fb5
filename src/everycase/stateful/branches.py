"""Steps in branches: some before, some in each of several threads or tasks, and some after.

A step of a branch is recorded as a step of the machine with another number: first the numbers of all rules
for the steps before, then those of the rules for each branch, and then those for the steps after.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from everycase.choices.dice import Random
from everycase.choices.trace import Trace
from everycase.gen.kinds import Union
from everycase.stateful.by_number import Driven, Pick
from everycase.stateful.choosers import Following
from everycase.stateful.machine_plan import MachinePlan, PlannedRule, Step
from everycase.stateful.profile import Profile
from everycase.stateful.runs import Run

#: Maximum number of steps before, and after.
BEFORE, AFTER = 4, 3


class BranchPlan(MachinePlan):
    """A plan with branches."""

    def __init__(self, plan: MachinePlan, branches: int) -> None:
        self.__dict__.update(plan.__dict__)
        self.branches = branches
        #: maximum number of steps in one branch: the number of orders grows fast
        self.inside = 3 if branches == 2 else 2 if branches == 3 else 1
        inside = tuple(rule.args for rule in self.rules)
        self.step = Union(tuple(rule.args for rule in self.options) + inside * (branches + 1))

    def number(self, branch: int, rule: PlannedRule) -> int:
        """The number of a step: branch 0 is before, the last one after."""
        if branch == 0:
            return rule.number
        return len(self.options) + (branch - 1) * len(self.rules) + rule.number

    def branch_and_rule(self, number: Any) -> tuple[int, PlannedRule] | None:
        """The branch and the rule of a step."""
        if type(number) is not int or number < 0:
            return None
        if number < len(self.options):
            return 0, self.options[number]
        branch, rule = divmod(number - len(self.options), len(self.rules))
        return (branch + 1, self.rules[rule]) if branch <= self.branches else None


class Branches(Following):
    """Decides the steps of all branches: those before while they are taken, the others when these are
    over."""

    def __init__(
        self,
        plan: BranchPlan,
        given: Sequence[Trace[Any] | None] | None,
        random: Random,
        size: int,
        profile: Profile,
    ) -> None:
        before: list[Trace[Any] | None] | None = None
        self._others: list[tuple[int, PlannedRule, Trace[Any]]] = []
        if given is not None:
            before = []
            for step in given:
                found = None if step is None else plan.branch_and_rule(step.choice)
                if found is None or step is None:
                    continue
                if found[0] == 0:
                    before.append(step)
                else:
                    self._others.append((*found, step))
        super().__init__(plan, before, random, size, profile)
        self._branches = plan
        self._branch = 0
        if given is None:
            self.left = int(random() * (BEFORE + 1))

    def record(self, run: Run, rule: PlannedRule, kids: list[Trace[Any]]) -> dict[str, Any]:
        arguments = super().record(run, rule, kids)
        self.drawn[-1].choice = self._branches.number(self._branch, rule)
        return arguments

    def rest(self, run: Run) -> list[list[Step]]:
        """The steps of each branch, and last those after, with arguments; each of them can be taken now."""
        plan = self._branches
        steps: list[list[Step]] = [[] for _ in range(plan.branches + 1)]
        for branch, rule, recorded in self._others:
            if not run.can(rule):
                continue
            self._branch = branch
            recorded = run.redirected(recorded)
            below = recorded.children[0] if recorded.children else None
            arguments = self.arguments(run, rule, () if below is None else below.children)
            run.put_back()  # an object that one branch takes out of a bundle is still there for the others
            if arguments is not None:
                steps[branch - 1].append((rule, arguments))
        if self.followed is not None:
            return steps
        for branch in range(1, plan.branches + 2):
            self._branch = branch
            is_after = branch > plan.branches
            count = 1 + int(self.random() * (AFTER if is_after else plan.inside))
            for _ in range(count):
                step = self._any_step(run)
                run.put_back()
                if step is not None:
                    steps[branch - 1].append(step)
        return steps


class BranchesByNumber(Driven):
    """Takes ``depth`` steps, each in a branch; ``pick(count)`` picks each among the possible ones."""

    def __init__(self, plan: BranchPlan, pick: Pick, depth: int, values: dict[int, list[Trace[Any]]]) -> None:
        super().__init__(plan, self._pick_and_count, depth, values)
        self._pick_any = pick
        self._branches = plan
        self._branch = 0
        #: how many numbers decided the steps; later decisions are the schedule
        self.decisions = 0

    def _pick_and_count(self, count: int, offered: object = None) -> int:
        self.decisions += 1
        return self._pick_any(count, offered)

    def next(self, run: Run) -> Step | None:
        if run.pending:
            return super().next(run)
        if self.length < self.depth:
            self._branch = self.pick(self._branches.branches + 2)
        return super().next(run) if self.length < self.depth and not self._branch else None

    def rest(self, run: Run) -> list[list[Step]]:
        """The steps of each branch, and last those after, with arguments; each of them can be taken now."""
        steps: list[list[Step]] = [[] for _ in range(self._branches.branches + 1)]
        able = [rule for rule in self.plan.rules if run.can(rule)] if self._branch else []
        while able and self.length < self.depth:
            rule = able[self.pick(len(able), tuple(each.number for each in able))]
            arguments = self.chosen(run, rule)
            run.put_back()
            if arguments is None:
                break
            steps[self._branch - 1].append((rule, arguments))
            self.length += 1
            if self.length < self.depth:  # branches are filled one after the other
                self._branch += self.pick(self._branches.branches + 2 - self._branch)
        return steps

    def record(self, run: Run, rule: PlannedRule, kids: list[Trace[Any]]) -> dict[str, Any]:
        arguments = super().record(run, rule, kids)
        self.drawn[-1].choice = self._branches.number(self._branch, rule)
        return arguments
