"""Where a patch can go: holes that the user left, and the ends of the paths that miss something."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field

from everycase.complete.concrete import Forward
from everycase.complete.evaluate import Evaluator
from everycase.complete.expressions import Expr
from everycase.complete.paths import Path
from everycase.complete.program import Generator
from everycase.complete.specified import Specified
from everycase.complete.types import DataType, Type, Value
from everycase.complete.universe import World

ENVIRONMENTS = 60  # per place
PER_ARGUMENTS = 6  # environments with the same arguments, besides those that are needed
ENUMERATED = 3_000

Case = tuple[Value, ...]


@dataclass
class Place:
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
    """What calls are taken to make while a patch is searched: all valid values of a small universe."""

    def __init__(self, world: World, size: int, cap: int = 120) -> None:
        self.world, self.size, self.cap = world, size, cap
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


def places_of(generator: Generator) -> list[Place]:
    """Every statement at which a path ends, in the order of the source."""
    found: dict[ast.stmt, Place] = {}
    for path in generator.paths:
        visible = {name: e for name, e in path.locals.items() if "'" not in name}
        place = found.setdefault(path.node, Place(path.node, path.ending, [], visible))
        place.paths.append(path)
        place.locals = {n: e for n, e in place.locals.items() if n in visible and visible[n].type is e.type}
    return list(found.values())


def fill_environments(
    generator: Generator, place: Place, arguments: list[Case], promised: Promised, needed: list[Case]
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
        outputs = tuple(path.locals[name] for name in place.locals)
        run = forward.compile(generator.params, path, (*outputs, *outputs[:1]))
        for args in arguments:
            every = [v[: len(outputs)] for v in itertools.islice(run(*args), ENUMERATED)]
            kept = [env for value in wanted.get(args, []) for env in _building(every, drawn, value)]
            step = max(1, len(every) // PER_ARGUMENTS)
            for env in [*kept, *every[::step]]:
                found[args, env] = None
    place.environments = list(found)


def _building(environments: list[Case], drawn: list[int], value: Value) -> list[Case]:
    """Environments whose drawn locals are all parts of the value."""
    if not drawn:
        return environments[:1]
    parts = set(parts_of(value))
    return list(itertools.islice((e for e in environments if all(e[i] in parts for i in drawn)), 1))


def parts_of(value: Value) -> Iterator[Value]:
    """The value and everything inside it."""
    yield value
    if isinstance(value, tuple):
        for part in value[1:]:
            yield from parts_of(part)
