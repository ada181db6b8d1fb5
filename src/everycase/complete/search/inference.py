"""The types of a generator without annotations, inferred from its values; a verdict that uses them says
so."""

from __future__ import annotations

import ast
import builtins
import contextlib
import inspect
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypedDict, cast

from everycase.complete.clock import Clock
from everycase.complete.frontend.source import innermost, is_generator, source_of
from everycase.complete.language.annotations import (
    KnownFields,
    NotKnownHere,
    evaluated,
    has_open_fields,
    made_by,
    says_too_little,
    shown_annotation,
)
from everycase.complete.language.classes import parts_of_class
from everycase.complete.language.types import UnknownType
from everycase.complete.search.running import explore
from everycase.complete.search.small_choices import Pools
from everycase.errors import EverycaseError
from everycase.gen.base import Gen

RUNS = 80
MANY_RUNS = 2_000  # if that made nothing
SAMPLES = 40
ARGUMENTS = 6
SECONDS = 0.5


@dataclass
class Inferred:
    """Inferred annotations: parameters by name, and ``return``."""

    hints: dict[str, Any] = field(default_factory=dict)
    vague: str | None = None
    """Why the annotation of the result is not used, if there is one."""

    def notes(self) -> list[str]:
        """What was inferred, in words."""
        found = []
        for name, kind in self.hints.items():
            what, how = f"the type of {name} has no annotation", "is called with"
            if name == "return":
                what, how = "the return type has no annotation", "makes"
                if self.vague is not None:
                    what = f"the return type {self.vague}"
            found.append(f"{what}; inferred as {shown_annotation(kind)}, from the values it {how}")
        return found


class Inference:
    """The annotations that were inferred for one question."""

    def __init__(
        self, clock: Clock, asked: Callable[..., Any] | None = None, calls: Sequence[Mapping[str, Any]] = ()
    ) -> None:
        """``calls`` are the arguments with which the generator that is ``asked`` about is called."""
        self.clock, self.asked, self.calls = clock, asked, calls
        self._known: dict[Any, Inferred] = {}

    def __call__(self, generator: Callable[..., Any]) -> dict[str, Any]:
        if generator not in self._known:
            self._known[generator] = infer(
                generator, self.clock, self.calls if generator is self.asked else ()
            )
        return self._known[generator].hints

    def shown(self, generator: Callable[..., Any]) -> dict[str, str]:
        """The inferred types of one generator."""
        found = self._known.get(generator, Inferred())
        return {name: shown_annotation(kind) for name, kind in found.hints.items()}

    def notes(self) -> list[str]:
        """What was inferred, in words."""
        return [note for found in self._known.values() for note in found.notes()]


def infer(generator: Callable[..., Any], clock: Clock, calls: Sequence[Mapping[str, Any]] = ()) -> Inferred:
    """Run the generator to infer its types; UnknownType if that fails."""
    plain = innermost(generator)
    found = Inferred()
    parameters = list(inspect.signature(plain).parameters.values())[1:]
    for p in parameters:
        if p.name not in plain.__annotations__ and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
            with contextlib.suppress(UnknownType):
                if is_generator(p.default):
                    continue
                passed = [call[p.name] for call in calls if p.name in call]
                if passed:
                    given = _annotation(_joined(*map(_shape_of, passed)))
                else:
                    given = int if p.default is p.empty else _annotation(_shape_of(p.default))
                if given is not None:
                    found.hints[p.name] = given
    if "return" in plain.__annotations__:
        found.vague = _vague(plain)
        if found.vague is None:
            return found
    made = []
    for arguments in [dict(call) for call in calls] or _small_arguments(parameters):
        with contextlib.suppress(Exception):
            made.append(generator(**arguments))
    shape = _joined(*(_seen(described, RUNS, clock) for described in made))
    if not shape:  # most small choices are rejected
        shape = _joined(*(_at_random(described, clock) for described in made[:1]))
    if not shape:
        raise UnknownType("the return annotation is missing, and nothing was made to infer it from")
    if _says_none(generator):
        shape = _joined(shape, _shape_of(None))
    try:
        found.hints["return"] = _annotation(shape)
    except UnknownType:  # only empty collections
        found.hints["return"] = _annotation(_joined(shape, *(_at_random(d, clock) for d in made[:1])))
    return found


def _says_none(generator: Callable[..., Any]) -> bool:
    """Is there a ``return None`` in its source, however rarely it is reached?"""
    try:
        node = source_of(generator).node
    except EverycaseError:
        return False
    returned = [s.value for s in _own_statements(node) if isinstance(s, ast.Return)]
    for value in returned:
        match value:
            case None | ast.Constant(value=None):
                return True
            case ast.IfExp(body=yes, orelse=no):
                returned += [yes, no]
    return False


def _own_statements(node: ast.AST) -> Iterator[ast.stmt]:
    """All statements, without those of functions inside."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt):
            yield child
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            yield from _own_statements(child)


def _seen(described: Any, most: int, clock: Clock) -> _Shape:
    """What the values of so many small choices have in common."""
    runs = explore(described, _shape_of, Pools(), most=most, clock=clock.part(0.2, SECONDS))
    return _joined(*(cast(_Shape, seen) for seen in runs.values))


def _at_random(described: Any, clock: Clock) -> _Shape:
    """What a few ordinary random values have in common; of a strategy of Hypothesis, those of many small choices."""
    if not isinstance(described, Gen):
        return _seen(described, MANY_RUNS, clock)
    try:
        return _joined(*map(_shape_of, described.sample(SAMPLES, seed=0)))
    except Exception:  # it rejects nearly everything, or the user's code raises
        return _NOTHING


def _vague(plain: Callable[..., Any]) -> str | None:
    """What is wrong with the annotation of the result, if it does not say enough about the values."""
    written = plain.__annotations__["return"]
    scope = {**vars(builtins), **plain.__globals__, **inspect.getclosurevars(plain).nonlocals}
    shown = written if isinstance(written, str) else shown_annotation(written)
    try:
        meant = made_by(evaluated(written, scope))
    except NotKnownHere:
        return f"{shown} cannot be looked up"
    return f"{shown} says too little about the values" if says_too_little(meant, scope) else None


def result_of(generator: Callable[..., Any], clock: Clock) -> Any:
    """The annotation that the return type should have."""
    return infer(generator, clock).hints["return"]


def _small_arguments(parameters: list[inspect.Parameter]) -> list[dict[str, Any]]:
    pools = [
        [p.default] if p.default is not p.empty else [1, 2, 3] for p in parameters
    ]  # other types fail, and are skipped
    made = itertools.islice(itertools.product(*pools), ARGUMENTS)
    return [dict(zip((p.name for p in parameters), values)) for values in made]


# --- shapes: what a value looks like, and what several have in common -----------------------------------

#: Alternatives: a class, or a container (a dictionary by its keys, if they are strings) with the shapes of what is inside.
_Shape: TypeAlias = frozenset[tuple[Any, ...]]

_NOTHING: _Shape = frozenset()


@dataclass(frozen=True)
class _Open:
    """A class that leaves open what its fields hold."""

    cls: type
    names: tuple[str, ...]


def _shape_of(value: Any) -> _Shape:
    if type(value) in (list, set, frozenset):
        return frozenset([(type(value), _joined(*map(_shape_of, value)))])
    if type(value) is dict and value and all(type(key) is str for key in value):
        names = sorted(value)
        return frozenset([(tuple(names), *(_shape_of(value[name]) for name in names))])
    if type(value) is dict:
        keys, values = (_joined(*map(_shape_of, part)) for part in (value, value.values()))
        return frozenset([(dict, keys, values)])
    if type(value) is tuple:
        return frozenset([(tuple, *map(_shape_of, value))])
    if has_open_fields(type(value)):
        fields = tuple(part.name for part in parts_of_class(type(value)))
        return frozenset([(_Open(type(value), fields), *(_shape_of(getattr(value, n)) for n in fields))])
    return frozenset([(type(value),)])


def _joined(*shapes: _Shape) -> _Shape:
    """One shape for all: containers of the same kind (and tuples of the same length) become one container."""
    found: dict[Any, list[_Shape]] = {}
    for shape in shapes:
        for kind, *inside in shape:
            before = found.get((kind, len(inside)), [_NOTHING] * len(inside))
            found[kind, len(inside)] = [_joined(a, b) if a != b else a for a, b in zip(before, inside)]
    return frozenset((kind, *inside) for (kind, _), inside in found.items())


def _as_one_dictionary(shape: _Shape) -> _Shape:
    """Dictionaries with the same keys every time are records; with several sets of keys they are plain dictionaries."""
    keyed = [a for a in shape if isinstance(a[0], tuple)]
    plain = [a for a in shape if a[0] is dict]
    if len(keyed) + len(plain) < 2 or not keyed:
        return shape
    keys = _joined(*(a[1] for a in plain), frozenset([(str,)]))
    values = _joined(*(a[2] for a in plain), *(part for _, *parts in keyed for part in parts))
    return frozenset([*(a for a in shape if a not in keyed and a not in plain), (dict, keys, values)])


def _annotation(shape: _Shape) -> Any:
    shape = _as_one_dictionary(shape)
    made = [_one(*alternative) for alternative in shape]
    if not made:
        raise UnknownType("the return annotation is missing, and only empty collections were made")
    tuples = [a for a in shape if a[0] is tuple]
    if len(tuples) > 1:  # of several lengths
        inside = _joined(*(part for _, *parts in tuples for part in parts))
        made = [_one(*a) for a in shape if a[0] is not tuple] + [tuple[_annotation(inside), ...]]  # type: ignore[misc]
    made.sort(key=lambda kind: (kind is None, str(kind)))
    result = made[0]
    for other in made[1:]:
        result = result | other
    return result


def _one(kind: Any, *inside: _Shape) -> Any:
    if isinstance(kind, _Open):
        return KnownFields(kind.cls, tuple(zip(kind.names, map(_annotation, inside))))
    if kind is type(None):
        return None
    if kind is tuple and not inside:
        return tuple[()]
    if isinstance(kind, tuple):
        return TypedDict("dict", dict(zip(kind, map(_annotation, inside))))  # type: ignore[operator]
    return kind[tuple(map(_annotation, inside))] if inside else kind
