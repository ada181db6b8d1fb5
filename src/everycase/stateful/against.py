"""One machine, several implementations: the same steps are taken with each of them, and the results are
compared."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from functools import wraps
from typing import Any

from everycase.errors import InvalidArgument, InvalidDefinition
from everycase.stateful.bundles import MultipleResults, multiple
from everycase.stateful.definition import INVARIANT, RULE, Definition, Invariant, RuleDefinition
from everycase.stateful.linearizability import CallResult, result_of, same


class Both:
    """The results of all implementations, as one thing in a bundle."""

    __slots__ = ("values",)

    def __init__(self, values: tuple[Any, ...]) -> None:
        self.values = values

    def __repr__(self) -> str:
        return " / ".join(map(repr, self.values))


def against(machine: type, systems: tuple[Any, ...]) -> type:
    """The machine that takes each step with all systems."""
    if len(systems) < 2:
        raise InvalidArgument(
            f"{machine.__name__}.against takes at least two implementations, such as {machine.__name__}.against(A, B)"
        )
    for system in systems:
        if not callable(system):
            raise InvalidArgument(
                f"an implementation must be a class, or a function that makes one, not {system!r}"
            )
    definition = Definition(machine)
    names = [getattr(system, "__name__", repr(system)) for system in systems]

    def begin(self: Any) -> None:
        self._machines = [_with_system(machine, system) for system in systems]

    def end(self: Any) -> None:
        for each in self._machines:
            each.teardown()

    def elsewhere(self: Any, name: str) -> Any:
        if name == "_machines":
            raise AttributeError(name)
        return getattr(self._machines[0], name)

    base = next(cls for cls in machine.__mro__ if "_is_machine_base" in vars(cls))
    members: dict[str, Any] = {"__init__": begin, "teardown": end, "__getattr__": elsewhere}
    for rule in [*definition.rules, *definition.initializers]:
        members[rule.name] = _compared(rule, names)
    for invariant in definition.invariants:
        members[invariant.name] = _each(invariant)
    name = f"{machine.__name__}.against({', '.join(names)})"
    made = type(machine.__name__, (base,), members)
    made.__name__ = name
    made.__qualname__ = f"{machine.__qualname__}.against({', '.join(names)})"
    made.__module__ = machine.__module__
    made._written_with = (machine, *systems)  # type: ignore[attr-defined]
    return made


def _with_system(machine: type, system: Callable[..., Any]) -> Any:
    """A machine for one implementation: it is passed to ``__init__`` if that takes one argument, else set as
    ``self.system``."""
    if len(inspect.signature(machine).parameters) == 1:
        return machine(system)
    made = machine()
    if not hasattr(machine, "system"):
        raise InvalidDefinition(
            f"{machine.__name__}.against does not know where to put the implementation: write __init__(self, "
            "make), or a class "
            "attribute system = None, which is then set to a new one for each run"
        )
    made.system = system()
    return made


def _compared(rule: RuleDefinition, names: list[str]) -> Callable[..., Any]:
    function = rule.function
    if inspect.iscoroutinefunction(function):
        raise InvalidDefinition(f"the rule {rule.name} is asynchronous, which against does not compare")

    @wraps(function)
    def step(self: Any, **arguments: Any) -> Any:
        __tracebackhide__ = True
        results: list[CallResult] = []
        for i, each in enumerate(self._machines):
            given = {name: _for_one(value, i) for name, value in arguments.items()}
            results.append(result_of(lambda each=each, given=given: function(each, **given)))  # type: ignore[misc]
        for name, other in zip(names[1:], results[1:]):
            if not same(results[0], other):
                raise AssertionError(
                    f"{rule.name} returned {results[0]} with {names[0]}, and {other} with {name}".replace(
                        "returned raises", "raised"
                    )
                )
        if results[0].raised:
            raise results[0].value
        if not rule.targets:
            return None
        if isinstance(results[0].value, MultipleResults):
            return multiple(*[Both(each) for each in zip(*[tuple(result.value) for result in results])])
        return Both(tuple(result.value for result in results))

    conditions = tuple(_on_first(condition) for condition in rule.preconditions)
    setattr(step, RULE, replace(rule, function=step, preconditions=conditions))
    return step


def _each(invariant: Invariant) -> Callable[..., Any]:
    function = invariant.function

    @wraps(function)
    def holds(self: Any) -> None:
        for each in self._machines:
            function(each)

    conditions = tuple(_on_first(condition) for condition in invariant.preconditions)
    setattr(holds, INVARIANT, replace(invariant, function=holds, preconditions=conditions))
    return holds


def _on_first(condition: Callable[[Any], object]) -> Callable[[Any], object]:
    return lambda self: condition(self._machines[0])


def _for_one(value: Any, i: int) -> Any:
    """An argument for one implementation: its own things, and its own copy of everything else."""
    if isinstance(value, Both):
        return value.values[i]
    kind = type(value)
    if kind in (list, tuple):
        return kind([_for_one(each, i) for each in value])
    if kind is dict:
        return {key: _for_one(each, i) for key, each in value.items()}
    if i == 0:
        return value
    try:
        return deepcopy(value)
    except Exception:
        return value
