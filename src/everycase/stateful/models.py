"""The declared model of a machine: its state, as far as tests are concerned."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any

from everycase.stateful.runs import Run

_ATOMS = (int, float, complex, str, bytes, bool, type(None), Enum, type, range)


def state_of(run: Run) -> Any:
    """The state of the model of a machine, as something hashable; None if the machine declares no model.

    A machine declares one by a method ``__model__()`` or an attribute ``model``. The contents of bundles are
    part of it.
    """
    machine = run.machine
    if hasattr(machine, "__model__"):
        model = machine.__model__()
    elif "model" in getattr(machine, "__dict__", {}):
        model = machine.model
    else:
        return None
    things = tuple(
        (name, tuple(frozen(thing.value) for thing in things)) for name, things in sorted(run.bundles.items())
    )
    return frozen(model), things


def looks(run: Run) -> Any:
    """The state of a machine judged by its attributes: different states may look the same, if they are stored
    elsewhere."""
    things = [(name, [thing.value for thing in things]) for name, things in sorted(run.bundles.items())]
    return frozen((vars(run.machine), things))


def frozen(value: Any, depth: int = 50) -> Any:
    """A value as something that can be compared and hashed: equal for equal states, whichever objects hold
    them.

    >>> frozen({"a": [1, 2]}) == frozen({"a": [1, 2]}), frozen([1]) == frozen((1,))
    (True, False)
    """
    kind = type(value)
    if isinstance(value, _ATOMS):
        return kind, value
    if depth == 0:
        return kind, repr(value)
    if isinstance(value, list | tuple):
        return kind, tuple([frozen(each, depth - 1) for each in value])
    if isinstance(value, set | frozenset):
        return kind, frozenset(frozen(each, depth - 1) for each in value)
    if isinstance(value, Mapping):
        items = [(frozen(key, depth - 1), frozen(each, depth - 1)) for key, each in value.items()]
        return kind, frozenset(items)
    if hasattr(value, "__iter__") and kind.__name__ == "deque":
        return kind, tuple([frozen(each, depth - 1) for each in value])
    attributes = getattr(value, "__dict__", None)
    by_identity: Any = kind.__hash__
    if attributes is not None and by_identity is object.__hash__:
        return kind, frozen(attributes, depth - 1)
    try:
        hash(value)
    except TypeError:
        return kind, repr(value)
    return kind, value
