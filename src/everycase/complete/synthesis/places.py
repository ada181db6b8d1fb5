"""Where a patch can go: holes that the user left, and the ends of the paths that miss something."""

from __future__ import annotations

import ast
import contextlib
import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field

from everycase.complete.frontend.program import Generator, Path
from everycase.complete.frontend.pure import Expressions
from everycase.complete.language import expressions as x
from everycase.complete.language.evaluate import Evaluator
from everycase.complete.language.expressions import Expr
from everycase.complete.language.types import BOOL, DataType, Type, Value
from everycase.complete.search.concrete import Forward
from everycase.complete.search.promise import Specified
from everycase.complete.search.worlds import World
from everycase.complete.specification import Unsupported

ENVIRONMENTS = 60  # per place
PER_ARGUMENTS = 6  # environments with the same arguments, besides those that are needed
ENUMERATED = 3_000
SWAPPED = 4  # environments for one needed value

Case = tuple[Value, ...]


@dataclass
class PatchPlace:
    """A statement that a patch replaces (hole, rejection) or gets an alternative to (return)."""

    node: ast.stmt
    ending: str
    paths: list[Path]
    locals: dict[str, Expr]
    environments: list[tuple[Case, Case]] = field(default_factory=list)
    """(arguments of the generator, values of the locals)"""

    @property
    def line(self) -> int:
        return self.node.lineno

    @property
    def key(self) -> tuple[object, ...]:
        """Places that differ only in a coin toss see the same environments."""
        return (tuple(self.locals), tuple(self.environments))


class Promised:
    """The assumed results of calls while a patch is searched: all valid values of a small universe."""

    def __init__(self, world: World, size: int, cap: int = 120) -> None:
        self.world, self.size, self.cap = world, size, cap
        self.far: tuple[int, ...] = ()  # numbers that unbounded draws are also assumed to give
        self.evaluator = Evaluator()
        self._universe: dict[Type, dict[Value, None]] = {}
        self._specified: dict[Generator, Specified] = {}
        self._known: dict[tuple[Generator, Case], tuple[Value, ...]] = {}

    def universe(self, kind: Type) -> dict[Value, None]:
        if kind not in self._universe:
            self._universe[kind] = dict.fromkeys(self.world.values(kind, self.size, cap=self.cap))
        return self._universe[kind]

    def add(self, kind: Type, value: Value) -> None:
        """Make sure that a value and its parts are in the universe (for counterexamples from the solver)."""
        if value in self.universe(kind):
            return
        self.universe(kind)[value] = None
        self._known.clear()
        if isinstance(kind, DataType):
            for (_, part_kind), part in zip(kind.constructors[value[0]].fields, value[1:]):
                if isinstance(part_kind, DataType):
                    self.add(part_kind, part)

    def specified(self, generator: Generator) -> Specified:
        if generator not in self._specified:
            self._specified[generator] = Specified(generator, self.evaluator)
        return self._specified[generator]

    def values(self, generator: Generator, *args: Value) -> tuple[Value, ...]:
        """The valid values for these arguments (none if they are not allowed)."""
        key = (generator, args)
        if key not in self._known:
            specified = self.specified(generator)
            found: tuple[Value, ...] = ()
            if specified.requires(*args):
                found = tuple(v for v in self.universe(generator.result) if specified.covers(*args, v))
            self._known[key] = found
        return self._known[key]


def places_of(generator: Generator) -> list[PatchPlace]:
    """Every statement at which a path ends, in the order of the source."""
    found: dict[ast.stmt, PatchPlace] = {}
    for path in generator.paths:
        place = found.setdefault(path.node, PatchPlace(path.node, path.ending, [], {}))
        place.paths.append(path)
    for place in found.values():
        visible = [{n: e for n, e in p.locals.items() if "'" not in n} for p in place.paths]
        for name, first in visible[0].items():
            values = [v[name] for v in visible if name in v]
            kind = _common(generator, values, place.node) if len(values) == len(visible) else None
            if kind is not None:
                place.locals[name] = first if first.type is kind else x.var(name, kind)
    return list(found.values())


def _common(generator: Generator, values: list[Expr], node: ast.stmt) -> Type | None:
    """A type for a local that has one on every path: ``int | None`` if it is a number on one path and None on
    another."""
    if all(v.type is values[0].type for v in values):
        return values[0].type
    wider = [generator.result, *(p.type for p in generator.params)]
    for kind in [part for k in wider if isinstance(k, DataType) for part in k.parts]:
        with contextlib.suppress(Unsupported):
            for value in values:
                _at(generator, value, kind, node)
            return kind
    return None


def _at(generator: Generator, value: Expr, kind: Type, node: ast.stmt) -> Expr:
    return Expressions(generator.program.library, generator.source).values.coerce(value, kind, node)


def fill_environments(
    generator: Generator, place: PatchPlace, arguments: list[Case], promised: Promised, needed: list[Case]
) -> None:
    """Which values the locals have when control reaches the place, for these arguments.

    Only some are kept: those from which a needed value could be built, and a few others spread over all.
    """
    forward = Forward(promised.evaluator, promised.world, promised.values)
    wanted: dict[Case, list[Value]] = {}
    for case in needed:
        wanted.setdefault(case[:-1], []).append(case[-1])
    drawn = [i for i, name in enumerate(place.locals) if name not in {p.data for p in generator.params}]
    found: dict[tuple[Case, Case], None] = {}
    for path in place.paths:
        outputs = tuple(
            _at(generator, path.locals[name], e.type, place.node) for name, e in place.locals.items()
        )
        # one output twice, so that there is always a tuple
        run = forward.compile(generator.params, path, (*outputs, *outputs[:1]))
        bound = [d.variable for d in path.draws if d.variable.type is not BOOL]
        only = tuple(v for v in bound if any(e == v for e in outputs))
        aimed = forward.compile(generator.params, path, (*outputs, *outputs[:1]), only) if only else None
        for args in arguments:
            every = [v[: len(outputs)] for v in itertools.islice(run(*args), ENUMERATED)]
            kept = []
            for value in wanted.get(args, []):
                near = every
                if aimed is not None:
                    parts = dict.fromkeys(parts_of(value))
                    near = [v[: len(outputs)] for v in itertools.islice(aimed(*args, parts), ENUMERATED)]
                kept += _building(near, drawn, value)
            step = max(1, len(every) // PER_ARGUMENTS)
            for env in [*kept, *every[::step]]:
                found[args, env] = None
    place.environments = list(found)


def _building(environments: list[Case], drawn: list[int], value: Value) -> list[Case]:
    """The environments from which the value is built most directly: their locals are parts of the value, and
    as many of the outermost parts as possible are among them."""
    if not drawn:
        return environments[:1]
    parts = set(parts_of(value))
    outer = list(value[1:]) if isinstance(value, tuple) else [value]
    best: list[Case] = []
    most = 0
    for env in environments:
        locals_ = [env[i] for i in drawn]
        if all(part in parts for part in locals_):
            direct = sum(part in locals_ for part in outer)
            if direct > most or not best:
                best, most = [env], direct
            elif direct == most and direct > 1:  # the same parts under other names
                best.append(env)
    return best[:SWAPPED]


def parts_of(value: Value) -> Iterator[Value]:
    """The value and everything inside it."""
    yield value
    if isinstance(value, tuple):
        for part in value[1:]:
            yield from parts_of(part)
