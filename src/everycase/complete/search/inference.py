"""The types of a generator without annotations, as seen in what it makes; a verdict that uses them says so."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any

from everycase.complete.clock import Clock
from everycase.complete.frontend.source import innermost
from everycase.complete.language.types import UnknownType
from everycase.complete.search.running import explore
from everycase.complete.search.small_choices import Pools

RUNS = 80
ARGUMENTS = 6
SECONDS = 0.5


@dataclass
class Inferred:
    """Annotations for what has none: parameters by name, and ``return``."""

    hints: dict[str, Any] = field(default_factory=dict)

    def notes(self) -> list[str]:
        """What was inferred, in words."""
        return [
            f"{'the return type' if name == 'return' else 'the type of ' + name} has no annotation; taken to be "
            f"{_shown(kind)}, as seen in what it {'makes' if name == 'return' else 'is called with'}"
            for name, kind in self.hints.items()
        ]


class Inference:
    """The annotations that were inferred for one question."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self._known: dict[Any, Inferred] = {}

    def __call__(self, generator: Callable[..., Any]) -> dict[str, Any]:
        if generator not in self._known:
            self._known[generator] = infer(generator, self.clock)
        return self._known[generator].hints

    def notes(self) -> list[str]:
        """What was inferred, in words."""
        return [note for found in self._known.values() for note in found.notes()]


def infer(generator: Callable[..., Any], clock: Clock) -> Inferred:
    """Run the generator to see what it is about; UnknownType if that does not show."""
    plain = innermost(generator)
    found = Inferred()
    parameters = list(inspect.signature(plain).parameters.values())[1:]
    for p in parameters:
        if p.name not in plain.__annotations__:
            default = type(p.default) if p.default is not p.empty else int
            if default not in (int, bool, str):
                raise UnknownType(f"the parameter {p.name} has no annotation")
            found.hints[p.name] = default
    if "return" in plain.__annotations__:
        return found
    shape: Hashable = None
    for arguments in _small_arguments(parameters):
        try:
            described = generator(**arguments)
        except Exception:
            continue
        runs = explore(described, _shape_of, Pools(), most=RUNS, clock=clock.part(0.2, SECONDS))
        for seen in runs.values:
            shape = seen if shape is None else _joined(shape, seen)
    if shape is None:
        raise UnknownType("the return annotation is missing, and nothing was made to infer it from")
    found.hints["return"] = _annotation(shape)
    return found


def _small_arguments(parameters: list[inspect.Parameter]) -> list[dict[str, Any]]:
    pools = [
        [p.default] if p.default is not p.empty else [1, 2, 3] for p in parameters
    ]  # other types fail, and are skipped
    made = itertools.islice(itertools.product(*pools), ARGUMENTS)
    return [dict(zip((p.name for p in parameters), values)) for values in made]


# --- shapes: what a value looks like, and what several have in common -----------------------------------


def _shape_of(value: Any) -> Hashable:
    if isinstance(value, list):
        element: Hashable = "?"
        for item in value:
            element = _joined(element, _shape_of(item))
        return ("list", element)
    if type(value) is tuple:
        return ("tuple", *map(_shape_of, value))
    if value is None:
        return ("one of", frozenset([type(None)]))
    return ("one of", frozenset([type(value)]))


def _joined(a: Hashable, b: Hashable) -> Hashable:
    if a == b or b == "?":
        return a
    if a == "?":
        return b
    assert isinstance(a, tuple) and isinstance(b, tuple)
    if a[0] == b[0] == "one of":
        return ("one of", a[1] | b[1])
    if a[0] == b[0] and len(a) == len(b):
        return (a[0], *(_joined(x, y) for x, y in zip(a[1:], b[1:])))
    raise UnknownType("the return annotation is missing, and the values made are of several kinds")


def _annotation(shape: Any) -> Any:
    match shape:
        case ("list", element):
            return list[_annotation(element)]  # type: ignore[misc]
        case ("tuple", *parts):
            return tuple[tuple(_annotation(p) for p in parts)]  # type: ignore[misc]
        case ("one of", kinds):
            ordered = sorted(kinds, key=lambda k: (k is type(None), k.__name__))
            made = ordered[0]
            for other in ordered[1:]:
                made = made | other
            return None if made is type(None) else made
    raise UnknownType("the return annotation is missing, and only empty lists were made")


def _shown(kind: Any) -> str:
    return kind.__name__ if isinstance(kind, type) and not hasattr(kind, "__args__") else str(kind)
