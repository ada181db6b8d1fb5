"""How likely are the values that were missing? A repair makes values possible; this says how often they come
up."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from everycase.complete.frontend.program import Generator
from everycase.complete.language.types import DataType, Type, Value
from everycase.complete.language.values import from_python, to_python
from everycase.complete.search.concrete import Reality
from everycase.complete.search.promise import Case
from everycase.complete.search.survey import Survey
from everycase.complete.synthesis.patch import reread

SAMPLES = 400
ARGUMENTS = 2  # argument lists that are sampled


@dataclass(frozen=True)
class Likelihood:
    """The result of sampling the repaired generator for one argument list.

    ``new`` of the ``samples`` are values that could not be made before. ``rarest`` is the shape (numbers and
    strings left out) of missing values that came up least often, and ``seen`` how often values came up that have
    this shape and could not be made before.
    """

    arguments: dict[str, Any]
    samples: int
    new: int
    shapes: int
    rarest: str
    seen: int

    def __str__(self) -> str:
        given = ", ".join(f"{k}={v!r}" for k, v in self.arguments.items())
        return (
            f"likelihood{' with ' + given if given else ''}: {self.new} of {self.samples} random values could not be made "
            f"before; {self._shapes} came up {self.seen} times"
        )

    @property
    def _shapes(self) -> str:
        return (
            f"the rarest of {self.shapes} missing shapes, {self.rarest}," if self.shapes > 1 else self.rarest
        )

    def to_json(self) -> dict[str, Any]:
        """Plain data; arguments are shown with repr."""
        shown = {k: repr(v) for k, v in self.arguments.items()}
        return {**vars(self), "arguments": shown}


def likelihoods(model: Generator, text: str, before: Survey) -> list[Likelihood]:
    """Sample the patched generator for the smallest and the largest arguments for which something was
    missing."""
    missing: dict[Case, list[Value]] = {}
    for case in before.unreached:
        missing.setdefault(case[:-1], []).append(case[-1])
    if not missing:
        return []
    patched = model.program.twin().replace(model.native, reread(model.source, text))
    if any(c.native is not model.native and c.reaches(patched) for c in patched.callees()):
        return []  # the others call the version without the patch
    alive = patched.alive
    chosen = dict.fromkeys([next(iter(missing)), max(missing, key=lambda a: len(missing[a]))])
    found = []
    for args in list(chosen)[:ARGUMENTS]:
        values = _sample(alive, model, args)
        measured = (
            _measure(model, args, values, missing[args], Reality(before.level.world)) if values else None
        )
        if measured is not None:
            found.append(measured)
    return found


def _measure(
    model: Generator, args: Case, values: list[Value], missing: list[Value], reality: Reality
) -> Likelihood | None:
    """None if it is in doubt what could be made before."""
    new, seen = 0, Counter[str]()
    for value, count in Counter(values).items():
        if reality.certainly_not(model, *args, value):
            new += count
            seen[_shape(model.result, value)] += count
        elif reality.doubt:
            return None
    shapes = list(dict.fromkeys(_shape(model.result, v) for v in missing))
    rarest = min(shapes, key=lambda s: seen[s])
    shown = {p.data: to_python(p.type, a) for p, a in zip(model.params, args)}
    return Likelihood(shown, len(values), new, len(shapes), rarest, seen[rarest])


def _sample(alive: Any, model: Generator, args: Case) -> list[Value]:
    """Values in the representation of this package; none if the generator cannot be sampled or gives up too
    often."""
    from everycase.gen import Gen

    try:
        described = alive(*(to_python(p.type, a) for p, a in zip(model.params, args)))
        if not isinstance(described, Gen):
            return []
        return [from_python(model.result, v) for v in described.sample(SAMPLES, seed=0)]
    except Exception:  # user code raised: then nothing is reported
        return []


def _shape(kind: Type, value: Value) -> str:
    if not isinstance(kind, DataType):
        return str(value) if isinstance(value, bool) else "_"
    c = kind.constructors[value[0]]
    if kind.is_list:
        items = []
        while value[0] == 1:
            items.append(_shape(kind.element, value[1]))
            value = value[2]
        return f"[{', '.join(items)}]"
    parts = [_shape(t, part) for (_, t), part in zip(c.fields, value[1:])]
    match c.kind:
        case "class":
            return f"{c.name}({', '.join(parts)})"
        case "tuple":
            return f"({', '.join(parts)})"
        case "wrap":
            return str(parts[0])
        case _:
            return str(c.name)
