"""Generators with their promises: everything that the checks need, read from the source once.

A generator is a list of paths. A path is a list of steps (draw a value, assume a condition) and an ending: a
returned expression, a hole ``...``, or a rejection. Choices between generators (``one_of``, ``sampled_from``)
become several paths.
"""

from __future__ import annotations

import ast
import contextlib
import copy
import inspect
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, TypeAlias

from everycase.complete.clock import Clock
from everycase.complete.frontend.construction import read_making
from everycase.complete.frontend.library import Library
from everycase.complete.frontend.pure import Expressions
from everycase.complete.frontend.source import (
    FunctionSource,
    innermost,
    is_composite,
    is_generator,
    source_of,
)
from everycase.complete.frontend.translate import translated
from everycase.complete.language import expressions as x
from everycase.complete.language.annotations import NotKnownHere, evaluated, made_by, says_too_little
from everycase.complete.language.definedness import needed
from everycase.complete.language.expressions import TRUE, Env, Expr
from everycase.complete.language.types import INT, DataType, Type, UnknownType
from everycase.complete.language.wrapped import invariant
from everycase.complete.specification import Specification, specification_of
from everycase.errors import Discarded, InvalidArgument


@dataclass(frozen=True)
class DrawStep:
    """``variable`` gets any integer within bounds, any value of a type, or anything a generator makes."""

    variable: Expr
    low: Expr | None = None
    high: Expr | None = None
    generator: Generator | None = None
    args: tuple[Expr, ...] = ()


@dataclass(frozen=True)
class AssumeStep:
    """The path continues only if this holds."""

    condition: Expr


Step: TypeAlias = DrawStep | AssumeStep


@dataclass(frozen=True)
class Path:
    """One way through a generator. ``result`` is None for holes and rejections."""

    steps: tuple[Step, ...]
    result: Expr | None
    ending: str  # "return", "hole" or "reject"
    node: ast.stmt
    locals: Env
    computed: tuple[Expr, ...] = ()
    """Calls of user code, also those whose result is not used: they might not return."""
    drawn: tuple[Expr, ...] = ()
    """The result of each ``draw(...)`` of the body, in the order in which Python reaches them."""
    spread: frozenset[Expr] = frozenset()
    """Those of ``drawn`` that are lists of the results of one draw after the other."""
    scripted: bool = True
    """Can the draws be repeated one by one? Not if only their combined result is known."""

    @property
    def draws(self) -> list[DrawStep]:
        return [s for s in self.steps if isinstance(s, DrawStep)]

    @property
    def conditions(self) -> list[Expr]:
        return [s.condition for s in self.steps if isinstance(s, AssumeStep)]

    @property
    def expressions(self) -> list[Expr]:
        """Everything that is computed on the path."""
        found: list[Expr] = [*self.computed, *([self.result] if self.result is not None else [])]
        for step in self.steps:
            if isinstance(step, AssumeStep):
                found.append(step.condition)
            else:
                found += [e for e in (step.low, step.high) if e is not None]
                found += step.args
        return found


_FUTURE = ast.fix_missing_locations(ast.parse("from __future__ import annotations")).body[0]

_HOLE = "__everycase_hole__"


def _at_a_hole() -> None:
    """Python continues after ``...``, but nothing is made there."""
    raise Discarded("a hole")


class _Holes(ast.NodeTransformer):
    """Puts a call in the place of each hole."""

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        if isinstance(node.value, ast.Constant) and node.value.value is ...:
            return ast.copy_location(ast.Expr(ast.Call(ast.Name(_HOLE, ast.Load()), [], [])), node)
        return node


def found_keys(predicate: Expr) -> list[Expr]:
    """The lookups that a predicate needs: a dictionary without the key is not valid."""
    found = []
    for condition in needed(predicate):
        tests = [e for e in x.subterms(condition) if e.op == "is"]
        if tests and all(e.args[0].op == "call" and e.args[0].data.name == "lookup" for e in tests):
            found.append(condition)
    return found


class Generator:
    """A covered generator: parameters, promise, measure, and (read when needed) its paths."""

    def __init__(
        self,
        program: Program,
        native: Callable[..., Any],
        specification: Specification,
        source: FunctionSource | None = None,
    ) -> None:
        self.program, self.native, self.specification = program, native, specification
        self.source = source or source_of(native)
        self._patched = source is not None
        if not isinstance(self.source.node, ast.FunctionDef):
            self.source.unsupported(self.source.node, "a generator that is not defined with def")
        self.name = self.source.node.name
        self.fixed = program.fixed_parameters(self.source, native, specification)
        kinds = program.parameter_types(self.source, native, self.fixed)
        names = [s.arg for s in self.source.spots[1:] if s.arg not in self.fixed]
        self.params = tuple(x.var(n, k) for n, k in zip(names, kinds))
        self.result = program.result_type(self.source, native)
        self.value = x.var(self._value_name(), self.result)
        for kind in (self.result, *kinds):
            if isinstance(kind, DataType) and kind.endless is not None:
                raise InvalidArgument(
                    f"{self.name}: the type {kind.endless.name} has no values, since each would contain another one; "
                    "give it an alternative that ends"
                )
        self.requires = (
            self._clause(specification.requires, "requires", ()) if specification.requires else TRUE
        )
        self.covers = self._clause(specification.predicate, "predicate", (self.value,))
        functions = program.library.functions
        self.requires = x.and_(*(invariant(functions, p) for p in self.params), self.requires)
        answered = needed(self.covers) if program.lenient else found_keys(self.covers)
        self.covers = x.and_(invariant(functions, self.value), *answered, self.covers)
        _ = self.measure  # a wrong name is reported now, also if nothing recurses
        self._paths: list[Path] | None = None

    def _value_name(self) -> str:
        """The name of the value in the predicate, unless a parameter of the generator has that name."""
        taken = [p.data for p in self.params]
        try:
            wanted = source_of(self.specification.predicate).parameters[0]
        except (InvalidArgument, IndexError):
            wanted = "v"
        return next(name for name in (wanted, "v", "value", "made'") if name not in taken)

    def __repr__(self) -> str:
        return self.name

    @cached_property
    def alive(self) -> Callable[..., Any]:
        """The generator as it runs: the user's own function, or the one that a patched text or one with holes
        defines."""
        holes = any(path.ending == "hole" for path in self.paths)
        if not self._patched and not holes:
            return self.native
        assert isinstance(self.source.node, ast.FunctionDef)
        node = _Holes().visit(copy.deepcopy(self.source.node)) if holes else self.source.node
        scope = {**self.source.scope, _HOLE: _at_a_hole}
        exec(compile(ast.fix_missing_locations(ast.Module([_FUTURE, node], [])), "<patched>", "exec"), scope)
        return scope[self.source.node.name]  # type: ignore[no-any-return]

    @property
    def paths(self) -> list[Path]:
        """Every way through the body."""
        if self._paths is None:
            self._paths = self.program.read(self)
        return self._paths

    @property
    def measure(self) -> tuple[Expr, ...]:
        """What decreases in recursive calls; by default the first integer parameter."""
        given = self.specification.decreases
        if given is None:
            return tuple(p for p in self.params if p.type is INT)[:1]
        if callable(given):
            made = self._clause(given, "decreases", ())
            if made.op == "con" and made.data.kind == "tuple":
                return made.args
            return (made,)
        names = (given,) if isinstance(given, str) else tuple(given)
        known = {p.data: p for p in self.params}
        for name in names:
            if name not in known or known[name].type is not INT:
                raise InvalidArgument(
                    f"covers of {self.name}: decreases names {name!r}, which is not an int parameter; "
                    f"the parameters are {', '.join(known) or 'none'}"
                )
        return tuple(known[n] for n in names)

    def _clause(self, function: Callable[..., Any], what: str, first: tuple[Expr, ...]) -> Expr:
        """Translate a function of the specification, matching its parameters by name."""
        source = source_of(function)
        names = source.parameters
        known = {p.data: p for p in self.params}
        rest = names[len(first) :]
        if all(n in known for n in rest):
            args = [*first, *(known[n] for n in rest)]
        elif len(rest) == len(self.params) and all(
            n == p.data or n not in known for n, p in zip(rest, self.params)
        ):
            args = [*first, *self.params]
        else:
            raise InvalidArgument(
                f"covers of {self.name}: the {what} takes {', '.join(rest) or 'nothing'}, but the generator's "
                f"parameters are {', '.join(known) or 'none'}; use the same names"
            )
        pure = Expressions(self.program.library, source)
        if isinstance(source.node, ast.Lambda):
            env = dict(zip(names, args))
            body = source.node.body
            return pure.expr(body, env) if what == "decreases" else pure.truth(body, env)
        return pure.calls.apply(function, args, source.node)

    def default_generates(self, name: str) -> bool:
        """Is the default of this parameter a generator?"""
        return is_generator(inspect.signature(innermost(self.native)).parameters[name].default)

    def callees(self) -> list[Generator]:
        """Covered generators that the body draws from, including itself."""
        found: list[Generator] = []
        for path in self.paths:
            for draw in path.draws:
                if draw.generator is not None and all(draw.generator.native is not g.native for g in found):
                    found.append(draw.generator)
        return found

    def family(self) -> list[Generator]:
        """This generator and all covered generators that it can reach."""
        found = [self]
        for g in found:
            found += [c for c in g.callees() if all(c.native is not f.native for f in found)]
        return found

    def reaches(self, other: Generator) -> bool:
        """Can a draw from this generator lead to a draw from the other?"""
        seen: list[Generator] = []
        waiting = [self]
        while waiting:
            for callee in waiting.pop().callees():
                if callee.native is other.native:
                    return True
                if all(callee.native is not s.native for s in seen):
                    seen.append(callee)
                    waiting.append(callee)
        return False


#: Follows the body of a generator.
Read: TypeAlias = Callable[[Generator], list[Path]]
#: Gives annotations where there are none.
Infer: TypeAlias = Callable[[Any], Mapping[str, Any]]


class Program:
    """All generators that one question is about."""

    def __init__(
        self,
        read: Read,
        clock: Clock | None = None,
        infer: Infer | None = None,
        open_text: bool = False,
        lenient: bool = False,
        case_by_case: bool = False,
    ) -> None:
        self.read = read
        self.clock = clock or Clock()
        self.case_by_case = case_by_case
        """Are expressions computed by Python first, for each of the few values that their parts can have?"""
        self.lenient = lenient
        """Do values for which a predicate raises an error count as invalid?"""
        self.unanswered: list[str] = []
        self.infer = infer
        self.library = Library(translated, open_text)
        self.library.types.reads_making = partial(read_making, self.library)
        self._generators: dict[Any, Generator] = {}
        self._inlined: list[Any] = []

    def twin(self, clock: Clock | None = None) -> Program:
        """An empty program that infers in the same way."""
        return Program(
            self.read, clock or self.clock, self.infer, self.library.types.open_text, self.lenient,
            self.case_by_case,
        )  # fmt: skip

    @contextlib.contextmanager
    def limited(self, share: float, at_least: float = 0.0) -> Iterator[Clock]:
        """A share of the remaining time, for a part of the work."""
        whole = self.clock
        self.clock = whole.part(share, at_least)
        try:
            yield self.clock
        finally:
            self.clock = whole

    def generator(self, native: Callable[..., Any], promise: Specification | None = None) -> Generator:
        """The model of a covered generator, or of one for which a promise is given here."""
        if native not in self._generators:
            specification = promise or specification_of(native)
            if specification is None:
                name = getattr(native, "__name__", native)
                raise InvalidArgument(f"{name} has no specification; put @covers(...) above @gen.composite")
            self._generators[native] = Generator(self, native, specification)
        return self._generators[native]

    def replace(self, native: Callable[..., Any], source: FunctionSource) -> Generator:
        """Read a generator from another text (a patched one); calls of it mean the new version."""
        specification = specification_of(native)
        assert specification is not None
        self._generators[native] = Generator(self, native, specification, source)
        return self._generators[native]

    def called(self, target: Any, source: FunctionSource, node: ast.AST) -> Generator | None:
        """The covered generator that a call refers to; None if it has no promise and must be read."""
        if specification_of(target) is not None:
            return self.generator(target)
        if not is_composite(target):
            source.unsupported(node, f"a draw from {ast.unparse(node)}")
        return None

    def inferred(self, name: str, node: ast.AST, source: FunctionSource, native: Any) -> Type:
        """The type of a parameter, or of the result, if there is no annotation."""
        if self.infer is None:
            source.unsupported(node, f"{name} without an annotation")
        try:
            return self.library.types.resolve(self.infer(native)[name], source.scope)
        except (UnknownType, KeyError) as error:
            written = getattr(source.node, "returns", None) is not None
            what = (
                ("the return type" if written else "a missing annotation")
                if name == "return"
                else f"the parameter {name} without an annotation"
            )
            source.unsupported(node, f"{what} ({error})")

    def result_type(self, source: FunctionSource, native: Any) -> Type:
        """What a generator makes."""
        assert isinstance(source.node, ast.FunctionDef)
        written = source.node.returns
        if written is None:
            return self.inferred("return", source.node, source, native)
        try:
            meant = made_by(evaluated(ast.unparse(written), source.scope))
            vague = says_too_little(meant, source.scope)
        except NotKnownHere:
            meant, vague = ast.unparse(written), True
        if self.infer is not None and vague:
            return self.inferred("return", written, source, native)
        try:
            return self.library.types.resolve(meant, source.scope)
        except UnknownType as error:
            source.unsupported(written, str(error))

    def fixed_parameters(
        self, source: FunctionSource, native: Any, promise: Specification
    ) -> dict[str, ast.expr]:
        """Parameters that are left at their defaults: a generator, or, where no annotation says what else, what
        is not a number, a truth or a string.

        What the promise speaks of is not among them.
        """
        spoken = [f for f in (promise.predicate, promise.requires) if f is not None]
        named = {n for f in spoken for n in source_of(f).parameters}
        given = {n: p.default for n, p in inspect.signature(innermost(native)).parameters.items()}
        written = {s.arg: s.annotation for s in source.spots}
        return {
            name: node
            for name, node in source.defaults.items()
            if name not in named
            and (
                is_generator(given.get(name))
                or (written[name] is None and type(given.get(name, 0)) not in (int, bool, str))
            )
        }

    def parameter_types(self, source: FunctionSource, native: Any, fixed: Container[str] = ()) -> list[Type]:
        """The types of a generator's parameters, without ``draw`` and those that are left at their defaults."""
        spots = source.spots
        if not spots:
            source.unsupported(source.node, "a generator without the parameter draw")
        kinds = []
        for spot in spots[1:]:
            if spot.arg in fixed:
                continue
            if spot.annotation is None:
                kinds.append(self.inferred(spot.arg, spot, source, native))
            else:
                kinds.append(self.library.annotation(spot.annotation, source))
        return kinds

    @contextlib.contextmanager
    def inlining(self, target: Any, source: FunctionSource, node: ast.AST) -> Iterator[None]:
        """Guards against generators that call themselves and have no promise."""
        if target in self._inlined:
            source.unsupported(node, f"{target.__name__}, which is recursive and has no covers")
        self._inlined.append(target)
        try:
            yield
        finally:
            self._inlined.pop()
