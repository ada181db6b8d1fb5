"""The arguments of a search: a row of partial values, and the layers around each of them.

``g.filter(p)`` as an argument is a value of ``g`` and a condition. In ``g.filter(p).map(f)`` the condition is about the
partial value, and filters and preconditions further out see what ``f`` returns. If ``f`` only works something out, it is
applied to the partial value, of which it decides no more than it looks at; else to the real one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from types import FunctionType
from typing import Any

from everycase.choices.enact import replay
from everycase.choices.trace import Trace
from everycase.errors import Discarded
from everycase.gen.base import Gen
from everycase.gen.collections import tuples
from everycase.gen.kinds import Defer, Filter, Map
from everycase.gen.predicate_errors import naming_by
from everycase.narrow.effects.reader import Doubt, Effects
from everycase.narrow.lazy.lists import Pending
from everycase.narrow.plan import Plan, WholePlan
from everycase.narrow.planner import Planner, classes_in, decided_by, has_own_plan
from everycase.narrow.trail import Decisions
from everycase.narrow.trust.lint import is_library, lint_finding
from everycase.sizes.least import least

#: A predicate, and which of the arguments it takes.
Guard = tuple[Callable[..., object], tuple[int, ...]]
#: A predicate, and what it reads: arguments, each with the number of layers around it that apply.
Condition = tuple[Callable[..., object], tuple[tuple[int, int], ...]]


def unwrapped(gen: Gen[Any]) -> tuple[Gen[Any], list[Filter[Any] | Map[Any]]]:
    """The generator inside the filters and maps around it, and those, the innermost first. A map that is not around a
    filter is one of them only if its function can be applied to partial values."""
    layers: list[Filter[Any] | Map[Any]] = []
    while True:
        while isinstance(gen, Defer) and _is_layer(gen.target):
            gen = gen.target
        if not _is_layer(gen):
            return gen, layers[::-1]
        assert isinstance(gen, Filter | Map)
        layers.append(gen)
        gen = gen.source


def _is_layer(gen: Gen[Any]) -> bool:
    """A filter, a function of filtered values, or one that can be applied to partial values."""
    inner = gen
    while isinstance(inner, Map | Defer):
        if isinstance(inner, Map):
            if inner is gen and not has_own_plan(inner) and makes_of_partial(inner) is not None:
                return True
            inner = inner.source
        else:
            inner = inner.target
        if isinstance(inner, Defer) and inner.has_defer and not isinstance(inner.target, Map | Filter):
            return False
    return isinstance(inner, Filter)


def makes_of_partial(layer: Map[Any]) -> tuple[type, ...] | None:
    """The classes that a function makes instances of, if it can be applied to partial values; None if it cannot."""
    try:
        return _made_by(layer.f, tuple(classes_in([layer.source])))
    except TypeError:  # it cannot be hashed
        return None


@lru_cache(maxsize=256)
def _made_by(function: Any, classes: tuple[type, ...]) -> tuple[type, ...] | None:
    if function in (tuple, list):
        return ()
    if not isinstance(function, FunctionType) or is_library(
        function.__code__.co_filename, function.__module__
    ):
        return None
    effects = Effects(classes)
    try:
        effects.of_function(function)
    except (Doubt, RecursionError):
        return None
    # A method of what it makes may be called by a predicate, which would be trusted without this function.
    methods = [getattr(one, "fget", one) for cls in effects.made for one in vars(cls).values()]
    called = [function, *[one for one in methods if isinstance(one, FunctionType)]]
    return None if lint_finding(called, [*classes, *effects.made]) else tuple(effects.made)


class Arguments:
    """The partial values of one search."""

    def __init__(self, gens: Sequence[Gen[Any]], state: Decisions) -> None:
        #: makes the tuples of arguments, layers included
        self.whole: Gen[tuple[Any, ...]] = tuples(*gens)
        self.planner = Planner(state)
        self.trail = state.trail
        self.layers: list[list[Filter[Any] | Map[Any]]] = []
        #: the generators inside the layers
        self.cores: list[Gen[Any]] = []
        #: by the id of a condition: how often it was evaluated on whole values
        self.asked_whole: Counter[int] = Counter()
        #: the conditions that the layers state
        self.conditions: list[Condition] = []
        #: the classes of the values and of their parts, as far as they are known
        self.classes: list[type] = []
        #: for each argument, how many of its layers can be applied to the partial value
        self._open: list[int] = []
        for i, gen in enumerate(gens):
            core, layers = unwrapped(gen)
            self.cores.append(core)
            self.classes += classes_in([core])
            self.layers.append(layers)
            self._open.append(len(layers))
            for level, layer in enumerate(layers):
                if isinstance(layer, Filter):
                    self.conditions.append((layer.predicate, ((i, level),)))
                elif (made := makes_of_partial(layer)) is None:
                    self._open[i] = min(level, self._open[i])
                else:
                    self.classes += made
        names = ["value"] if len(gens) == 1 else [f"argument {i + 1}" for i in range(len(gens))]
        self.plans: list[Plan] = [
            self.planner.plan(core, self.planner.place("", name)) for core, name in zip(self.cores, names)
        ]
        self.least = sum(least(core) for core in self.cores)
        #: the value at which the search has stopped: its choices still exist
        self.current: object = None
        #: the stand-in for each argument
        self.held: list[Any] = []
        self.has_maps = any(isinstance(layer, Map) for layers in self.layers for layer in layers)

    def condition(self, guard: Guard) -> Condition:
        """A predicate on whole arguments."""
        check, places = guard
        return check, tuple((place, len(self.layers[place])) for place in places)

    def can_prune(self, conditions: Sequence[Condition]) -> bool:
        """Whether some condition is about a value that can be half decided."""
        return any(
            not isinstance(self.plans[i], WholePlan) and (level <= self._open[i] or not self._maps(i, level))
            for _, reads in conditions
            for i, level in reads
        )

    def begin(self) -> None:
        """Reset: nothing is decided."""
        self.held[:] = [None] * len(self.plans)
        for i, plan in enumerate(self.plans):
            self.held[i] = plan.fresh(self.held, i)

    # --- reading ----------------------------------------------------------------------------------------

    def partial(self, i: int, level: int = 0) -> Any:
        """An argument as a condition sees it: partial, unless a function has to be applied to it."""
        value = self.held[i]
        if type(value) is Pending:
            value = value.plan.decide(self.held, i, value)
        if not self.has_maps:
            return value
        maps = self._maps(i, level)
        if not maps:
            return value
        return self._applied(
            maps, value if level <= self._open[i] else self.planner.real(value, self.plans[i])
        )

    def _maps(self, i: int, level: int) -> list[Map[Any]]:
        return [layer for layer in self.layers[i][:level] if isinstance(layer, Map)]

    @staticmethod
    def _applied(maps: list[Map[Any]], value: Any) -> Any:
        for layer in maps:
            value = layer.f(value)
        return value

    def decide_all(self) -> tuple[Any, ...]:
        """Decide everything undecided; returns the real values, before any function is applied to them.

        Raises Dead if there are none, and Discarded if a generator does not make the same value again.
        """
        real, length = self.planner.real, len(self.trail)
        try:
            values = tuple([real(self.partial(i), plan) for i, plan in enumerate(self.plans)])
        except RecursionError:
            self.planner.state.undo(length)  # it may have come in the middle of a decision
            self.planner.decide(self.partial(i) for i in range(len(self.plans)))
        else:
            if not self.planner.holds_mutable:
                return values
            # Values that were made whole are part of the partial value, and must not be given away.
        try:
            return replay(tuples(*self.cores), self.choices(layers=False)).value
        except Discarded:
            # It was made from these choices before, so they do not decide everything.
            self.planner.state.contradicted = True
            raise

    def decide_only(self) -> tuple[Any, ...]:
        """The same as :meth:`decide_all`, for the usual case described in :meth:`only_check`."""
        if self.planner.holds_mutable:
            return self.decide_all()
        value, plan = self.held[0], self.plans[0]
        constructor = plan.constructors.get(type(value))
        length = len(self.trail)
        try:
            return (
                self.planner.real(value, plan) if constructor is None else constructor.rebuild_whole(value),
            )
        except RecursionError:
            self.planner.state.undo(length)
            return self.decide_all()

    def finished(self, real: tuple[Any, ...]) -> tuple[Any, ...]:
        """The arguments for a test, made from some real values if there are functions around them."""
        return tuple(
            [self._applied(self._maps(i, len(self.layers[i])), value) for i, value in enumerate(real)]
        )

    def only_check(self, conditions: Sequence[Condition]) -> Callable[[Any], object] | None:
        """All conditions as one predicate on the only argument, if there is only one and it can be
        undecided."""
        if len(self.plans) > 1 or self.has_maps or type(self.held[0]) is Pending:
            return None
        checks = [check for check, _ in conditions]
        if len(checks) == 1:
            return checks[0]
        if len(checks) == 2:
            first, second = checks
            return lambda value: first(value) and second(value)
        return lambda value: all(check(value) for check in checks)

    def satisfy(self, conditions: Sequence[Condition], real: tuple[Any, ...] | None = None) -> bool:
        """Whether all conditions hold for the partial arguments, or for real ones."""
        for check, reads in conditions:
            if real is None:
                values = [self.partial(i, level) for i, level in reads]
            elif not self.has_maps:
                values = [real[i] for i, _ in reads]
            else:
                values = [self._applied(self._maps(i, level), real[i]) for i, level in reads]
            if real is not None:
                self.asked_whole[id(check)] += 1
                try:
                    # An exception on a whole value may be one that the test should show.
                    if not getattr(check, "on_real", check)(*values):
                        return False
                except Exception as problem:
                    if hasattr(check, "on_real"):
                        return True  # it was read from a test, which will raise this as well
                    naming_by(problem, names_of([(check, reads)]), *values)
                    raise
            elif not check(*values):
                return False
        return True

    def choices(self, *, layers: bool = True) -> Trace[Any]:
        """The choices behind the value that was completed last, as a trace to replay; it contains no
        values."""
        decided = decided_by(self.planner.state.trail)
        children = []
        for i, plan in enumerate(self.plans):
            child = plan.choices(self.held, i, decided)
            for _ in self.layers[i] if layers else ():
                child = Trace(None, (child,))
            children.append(child)
        decided.finish()
        return Trace(None, children)


def names_of(conditions: Sequence[Condition]) -> str:
    """The predicates in words."""
    names = [getattr(check, "__name__", type(check).__name__) for check, _ in conditions]
    return " and ".join(dict.fromkeys("the precondition" if name == "<lambda>" else name for name in names))
