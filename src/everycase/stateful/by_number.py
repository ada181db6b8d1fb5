"""Runs in which every decision is made by number, so that all of them can be enumerated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any, TypeGuard

from everycase.choices.dice import FULL_SIZE, no_dice
from everycase.choices.enact import enact
from everycase.choices.trace import Trace
from everycase.enumeration.walk import walk
from everycase.errors import Discarded, DoesNotFit, GeneratorError, InvalidArgument, NotCountable
from everycase.gen.base import Gen
from everycase.gen.graph import nodes
from everycase.gen.kinds import Bind, Composite, Live
from everycase.run.repeatability import fingerprint
from everycase.stateful.bundles import with_contents
from everycase.stateful.choosers import Following
from everycase.stateful.machine_plan import Argument, MachinePlan, PlannedRule, Step
from everycase.stateful.models import state_of
from everycase.stateful.profile import Profile
from everycase.stateful.runs import Run

#: Arguments with at most this many values get all of them; others only the simplest few.
ALL = 32
FEW = 8

#: How much of each argument is compared with what it was before.
MOST = 64

NOT_AGAIN = "an argument could not be made again from its own choices"

#: Gets the number of possibilities, and perhaps what tells them from others.
Pick = Callable[..., int]


class Driven(Following):
    """Takes ``depth`` steps; ``pick(count)`` picks each among the possible ones."""

    def __init__(
        self, plan: MachinePlan, pick: Pick, depth: int, values: dict[int, list[Trace[Any]]]
    ) -> None:
        super().__init__(plan, [], no_dice, FULL_SIZE, Profile((1.0,) * len(plan.rules)))
        self.depth = depth
        self.values = values
        #: how many steps were taken, not counting initializers
        self.length = 0
        #: the state of the model at the end, if there is one
        self.state: Any = None
        #: the arguments of which only some values are tried, in words
        self.some: dict[str, str] = {}
        #: what is known of the arguments since the last decision
        self.taken: list[object] = []
        #: whether an argument could not be made again from its own choices
        self.unfit = False
        self._number = pick

    def pick(self, count: int, offered: object = None) -> int:
        """Decide among ``count`` possibilities, of which ``offered`` is known, after what was taken so far."""
        known, self.taken = tuple(self.taken), []
        return self._number(count, (known, offered))

    def next(self, run: Run) -> Step | None:
        if run.pending:
            rule = run.pending.pop(self.pick(len(run.pending), tuple(each.number for each in run.pending)))
            arguments = self.chosen(run, rule)
            if arguments is None:
                raise Discarded(f"no arguments for {rule.name}")
            return rule, arguments
        if self.length >= self.depth:
            self.state = state_of(run)
            return None
        able = [rule for rule in self.plan.rules if run.can(rule)]
        if not able:
            return None
        rule = able[self.pick(len(able), tuple(each.number for each in able))]
        arguments = self.chosen(run, rule)
        if arguments is None:
            return None
        self.length += 1
        self.numbers.append(rule.number)
        return rule, arguments

    def chosen(self, run: Run, rule: PlannedRule) -> dict[str, Any] | None:
        """Arguments by number; None if there are none."""
        run.begin_step()
        partial: list[Trace[Any] | None] = []
        for part in rule.parts:
            if _draws(part.gen):
                partial.append(None)
                continue
            traces = self._values_of(run, rule, part)
            if not traces:
                run.put_back()
                return None
            is_constant = id(part) in self.values
            trace = traces[self.pick(len(traces), None if is_constant else _offered(traces))]
            partial.append(trace)
            if not is_constant:
                try:
                    enact(part.gen, trace, no_dice, self.size)  # removed values are gone
                except (DoesNotFit, Discarded):  # the same thing twice
                    run.put_back()
                    return None
        run.put_back()
        if any(_draws(part.gen) for part in rule.parts):
            return self._with_draws(run, rule, partial)
        return self.arguments(run, rule, partial)

    def _values_of(self, run: Run, rule: PlannedRule, part: Argument) -> list[Trace[Any]]:
        known = self.values.get(id(part))
        if known is None:
            run.looks = True
            try:
                known = self._walked(run, part.gen, rule, part)
            finally:
                run.looks = False
            if not depends_on_state(part.gen):
                self.values[id(part)] = known
        if len(known) > ALL:
            known = known[:FEW]
            self.some[f"{rule.name}.{part.name}"] = (
                f"only the {FEW} simplest values of {part.name} of {rule.name} ({part.gen!r})"
            )
        return known

    def _walked(self, run: Run, source: Gen[Any], rule: PlannedRule, part: Argument) -> list[Trace[Any]]:
        """The simplest values of a generator, one more than the maximum."""
        found: list[Trace[Any]] = []
        try:
            for trace in islice(walk(with_contents(source, run.things)), ALL + 1):
                found.append(trace)
        except NotCountable as problem:
            raise InvalidArgument(
                f"the values of {part.name} of the rule {rule.name} cannot be enumerated: {problem}"
            ) from None
        except GeneratorError:  # hardly any pass a filter, and it is not known whether there are more
            self.some[f"{rule.name}.{part.name}"] = (
                f"only the {len(found)} values of {part.name} of {rule.name} that were found ({source!r})"
            )
        return found

    def _with_draws(
        self, run: Run, rule: PlannedRule, partial: list[Trace[Any] | None]
    ) -> dict[str, Any] | None:
        """Arguments some of which draw while the rule runs: their draws are also picked."""
        run.begin_step()
        kids: list[Trace[Any]] = []
        for part, known in zip(rule.parts, partial):
            if _draws(part.gen):
                drawn: list[Trace[Any]] = []
                kids.append(Trace(None, drawn, part.gen, part.gen.make(self._drawer(run, rule, part, drawn))))
            else:
                kids.append(self._made_again(part.gen, known))
        return self.record(run, rule, kids)

    def arguments(
        self, run: Run, rule: PlannedRule, partial: Sequence[Trace[Any] | None]
    ) -> dict[str, Any] | None:
        try:
            return super().arguments(run, rule, partial)
        except DoesNotFit:
            self.unfit = True
            raise Discarded(NOT_AGAIN) from None

    def record(self, run: Run, rule: PlannedRule, kids: list[Trace[Any]]) -> dict[str, Any]:
        for part, kid in zip(rule.parts, kids):
            # What the machine put into a bundle is its behaviour: the steps are the same.
            if part.bundle is None and not _draws(part.gen):
                self.taken.append(fingerprint(kid.value, MOST))
        return super().record(run, rule, kids)

    def _made_again(self, gen: Gen[Any], known: Trace[Any] | None) -> Trace[Any]:
        try:
            return enact(gen, known, no_dice, self.size)
        except DoesNotFit:
            self.unfit = True
            raise Discarded(NOT_AGAIN) from None

    def _drawer(
        self, run: Run, rule: PlannedRule, part: Argument, drawn: list[Trace[Any]]
    ) -> Callable[..., Any]:
        def draw(source: Gen[Any], label: str | None = None) -> Any:
            traces = self._walked(run, source, rule, part)
            if not traces:
                raise Discarded(f"{source!r} has no values")
            if len(traces) > ALL:
                traces = traces[:FEW]
                self.some[f"{rule.name}.{part.name}"] = (
                    f"only the {FEW} simplest values of what {rule.name} draws ({source!r})"
                )
            trace = self._made_again(source, traces[self.pick(len(traces), _offered(traces))])
            self.taken.append(fingerprint(trace.value, MOST))
            drawn.append(trace)
            return trace.value

        return draw


def _draws(gen: Gen[Any]) -> TypeGuard[Live[Any]]:
    """Whether an argument draws while the rule runs."""
    return type(gen) is Live


def _offered(traces: list[Trace[Any]]) -> tuple[object, ...]:
    return tuple(fingerprint(trace.value, MOST) for trace in traces)


def depends_on_state(gen: Gen[Any]) -> bool:
    """Whether the values of a generator may depend on the running machine."""
    return any(isinstance(node, Composite | Bind) for node in nodes(gen))
