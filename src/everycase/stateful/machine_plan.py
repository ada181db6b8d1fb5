"""A machine prepared for one run: its rules by number, with everything that every step needs computed
once."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable
from typing import Any

from everycase.choices.sample import sampler
from everycase.errors import InvalidDefinition
from everycase.gen.base import Gen
from everycase.gen.facts import check_grounded, facts
from everycase.gen.graph import has_kind, recipe
from everycase.gen.kinds import Build, Live, Union
from everycase.stateful.bundles import name_of, single
from everycase.stateful.definition import Definition, Invariant, RuleDefinition
from everycase.stateful.profile import Learning


class Argument:
    """One argument of a rule."""

    __slots__ = ("bundle", "gen", "group", "is_thing", "name", "roll")

    def __init__(self, name: str, gen: Gen[Any], group: int) -> None:
        self.name = name
        self.gen = gen
        if gen.has_defer:
            check_grounded(gen)  # a recursion without a base case would go on for ever
        self.roll = sampler(gen)
        #: arguments of one group are made in the same way, and may get the same value; -1 if that could be
        #: harmful
        self.group = group
        found = single(gen)
        #: the bundle that it is taken from
        self.bundle = None if found is None else name_of(found)[0]
        #: whether it is taken as it is
        self.is_thing = found is not None and not _changes(gen)


def _changes(gen: Gen[Any]) -> bool:
    from everycase.gen.kinds import Filter

    while isinstance(gen, Filter):
        gen = gen.source
    return single(gen) is not gen


class PlannedRule:
    """A rule with its number."""

    __slots__ = ("args", "awaits", "function", "name", "needs", "number", "parts", "preconditions", "targets")

    def __init__(self, number: int, rule: RuleDefinition, groups: dict[Hashable, int]) -> None:
        self.number = number
        self.name = rule.name
        self.function = rule.function
        self.awaits = inspect.iscoroutinefunction(rule.function)
        self.targets = rule.targets
        self.preconditions = rule.preconditions
        self.parts = tuple(
            Argument(name, source, _group(source, groups)) for name, source in rule.arguments.items()
        )
        #: the bundles that must not be empty
        self.needs = tuple({part.bundle: None for part in self.parts if part.bundle is not None})
        self.args: Gen[Any] = Build(dict, tuple(part.gen for part in self.parts), tuple(rule.arguments))

    def __repr__(self) -> str:
        return f"<rule {self.name}>"


def _group(source: Gen[Any], groups: dict[Hashable, int]) -> int:
    """Arguments that are made in the same way may get the same value, unless a test might change it in place."""
    if single(source) is not None or not facts(source).shareable:
        return -1
    return groups.setdefault(recipe(source), len(groups))


#: A rule and its arguments.
Step = tuple[PlannedRule, dict[str, Any]]


class MachinePlan:
    """Everything that is known about a machine before it runs, or is learned about it in one run of a
    property."""

    def __init__(self, factory: Callable[[], Any], definition: Definition, limit: int) -> None:
        self.factory = factory
        self.definition = definition
        self.limit = limit
        groups: dict[Hashable, int] = {}
        every = [*definition.rules, *definition.initializers]
        planned = [PlannedRule(number, rule, groups) for number, rule in enumerate(every)]
        #: rules and initializers by number
        self.options = planned
        self.rules = planned[: len(definition.rules)]
        self.initializers = planned[len(definition.rules) :]
        self.groups = len(groups)
        self.invariants: list[Invariant] = definition.invariants
        #: the generator of one step, for its trace
        self.step: Gen[Any] = Union(tuple(rule.args for rule in planned))
        #: whether a rule draws while it runs, so that every run must be recorded
        self.draws = any(_has_live(part.gen) for rule in planned for part in rule.parts)
        self.learning = Learning(len(self.rules))
        #: how often each rule ran, and how often a precondition or an empty bundle prevented it
        self.ran = [0] * len(planned)
        self.refused = [0] * len(planned)
        self.empty = [0] * len(planned)
        #: how often there were no arguments for it
        self.barren = [0] * len(planned)
        #: how often ``assume`` rejected it while it ran
        self.rejected = [0] * len(planned)
        #: the results of invariants, by name
        self.returned: dict[str, str] = {}
        #: runs that ended because no rule could run
        self.stuck = 0
        self.runs = 0
        self._checked = False
        #: gets the state at the end of a run, if that is requested
        self.watched: Any = None

    @property
    def name(self) -> str:
        return self.definition.machine.__name__

    def make(self) -> Any:
        """A new machine."""
        machine = self.factory()
        if not self._checked:
            if not isinstance(machine, self.definition.machine):
                raise InvalidDefinition(
                    f"the factory of {self.name} must return one, but it returned {machine!r}"
                )
            for rule in self.options:
                if rule.name in getattr(machine, "__dict__", {}):
                    raise InvalidDefinition(
                        f"the rule {rule.name} of {self.name} clashes with the attribute self.{rule.name}; give one of "
                        "them another name"
                    )
            self._checked = True
        return machine


def _has_live(gen: Gen[Any]) -> bool:
    return has_kind(gen, Live)
