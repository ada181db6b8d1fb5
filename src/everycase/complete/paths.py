"""Read a generator: every way through its body, as draws and conditions that end in a value.

A path is a list of steps (draw a value, assume a condition) and what it ends in: a returned expression, a hole
``...``, or a rejection. Choices between generators (``one_of``, ``sampled_from``) become several paths.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from everycase.complete import expressions as x
from everycase.complete.expressions import FALSE, Expr
from everycase.complete.listfunctions import member
from everycase.complete.source import Source, source_of
from everycase.complete.translate import Env, Translator, exhaustive
from everycase.complete.types import BOOL, INT, TEXT, DataType, Type

if TYPE_CHECKING:
    from everycase.complete.program import Generator, Program

LIMIT = 400  # paths; more than a person writes by hand


@dataclass(frozen=True)
class Draw:
    """``variable`` gets any integer within bounds, any value of a type, or anything a generator makes."""

    variable: Expr
    low: Expr | None = None
    high: Expr | None = None
    generator: Generator | None = None
    args: tuple[Expr, ...] = ()


@dataclass(frozen=True)
class Assume:
    """The path goes on only if this holds."""

    condition: Expr


Step = Draw | Assume


@dataclass(frozen=True)
class Path:
    """One way through a generator. ``result`` is None for holes and rejections."""

    steps: tuple[Step, ...]
    result: Expr | None
    ending: str  # "return", "hole" or "reject"
    node: ast.stmt
    locals: Env

    @property
    def draws(self) -> list[Draw]:
        return [s for s in self.steps if isinstance(s, Draw)]

    @property
    def conditions(self) -> list[Expr]:
        return [s.condition for s in self.steps if isinstance(s, Assume)]


@dataclass(frozen=True)
class _State:
    env: Env
    steps: tuple[Step, ...]

    def assume(self, condition: Expr) -> Iterator[_State]:
        if condition != FALSE:
            more = tuple(Assume(c) for c in x.conjuncts(condition))
            yield replace(self, steps=self.steps + more)

    def bind(self, name: str, value: Expr) -> _State:
        return replace(self, env={**self.env, name: value})


class Reader:
    """Walks one generator's body. Draws inside expressions are taken out, left to right, before the rest of
    the expression is translated as a pure one."""

    def __init__(self, program: Program, source: Source, result: Type, counter: Iterator[int]) -> None:
        assert isinstance(source.node, ast.FunctionDef)
        self.program, self.source, self.result = program, source, result
        self.pure = Translator(program.library, source)
        self.draw = source.parameters[0]
        self.counter = counter

    def paths(self, env: Env) -> list[Path]:
        """All paths, in the order of the source."""
        found = []
        assert isinstance(self.source.node, ast.FunctionDef)
        for state, path in self.block(self.source.node.body, _State(env, ())):
            if path is None:
                self.pure.fail(self.source.node, "a generator that can end without return")
            else:
                found.append(replace(path, steps=state.steps, locals=state.env))
            if len(found) > LIMIT:
                self.pure.fail(self.source.node, f"a generator with more than {LIMIT} paths")
        return found

    # --- statements -------------------------------------------------------------------------------------

    def block(self, statements: list[ast.stmt], state: _State) -> Iterator[tuple[_State, Path | None]]:
        if not statements:
            yield state, None
            return
        for after, path in self.statement(statements[0], state):
            if path is None:
                yield from self.block(statements[1:], after)
            else:
                yield after, path

    def statement(self, node: ast.stmt, state: _State) -> Iterator[tuple[_State, Path | None]]:
        match node:
            case ast.Return(value=ast.Constant(value=v)) | ast.Expr(value=ast.Constant(value=v)) if (
                v is Ellipsis
            ):
                yield state, Path((), None, "hole", node, {})
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                yield state, None
            case ast.Expr(value=ast.Call(func=function, args=args)) if self._named(
                function, "reject", "assume"
            ):
                if not args:
                    yield state, Path((), None, "reject", node, {})
                    return
                for after, test in self.expression(args[0], state, None):
                    condition = self.pure.truth_of(test, node)
                    if condition == FALSE:
                        yield after, Path((), None, "reject", node, {})
                    for kept in after.assume(condition):
                        yield kept, None
            case ast.Return(value=ast.expr() as value):
                for after, made in self.expression(value, state, self.result):
                    yield after, Path((), made, "return", node, {})
            case ast.Assign(targets=[target], value=value):
                for after, made in self.expression(value, state, None, target):
                    yield replace(after, env=self.pure.bind(target, made, after.env)), None
            case ast.AnnAssign(target=ast.Name(id=name) as target, value=ast.expr() as value):
                kind = self.program.library.annotation(node.annotation, self.source)
                for after, made in self.expression(value, state, kind, target):
                    yield after.bind(name, made), None
            case ast.If():
                for after, test in self.expression(node.test, state, None):
                    condition = self.pure.truth_of(test, node.test)
                    for yes in after.assume(condition):
                        yield from self.block(node.body, yes)
                    for no in after.assume(x.not_(condition)):
                        yield from self.block(node.orelse, no)
            case ast.Match():
                for after, subject in self.expression(node.subject, state, None):
                    yield from self._match(node, subject, after)
            case _:
                self.pure.fail(node)

    def _match(self, node: ast.Match, subject: Expr, state: _State) -> Iterator[tuple[_State, Path | None]]:
        tests: list[Expr] = []
        for case in node.cases:
            test, env = self.pure.pattern(case.pattern, subject, state.env)
            if case.guard is not None:
                test = x.and_(test, self.pure.truth(case.guard, env))
            earlier = [x.not_(t) for t in tests]
            useful = [t for t in earlier if x.and_(test, t) != FALSE and not _disjoint(test, t)]
            tests.append(test)
            for inside in replace(state, env=env).assume(x.and_(test, *useful)):
                yield from self.block(case.body, inside)
        if not exhaustive(tests, subject):
            for left in state.assume(x.and_(*(x.not_(t) for t in tests))):
                yield left, None

    # --- expressions ------------------------------------------------------------------------------------

    def expression(
        self, node: ast.expr, state: _State, expected: Type | None, target: ast.expr | None = None
    ) -> Iterator[tuple[_State, Expr]]:
        """Take the draws out, then translate what is left; a choice gives several results."""
        name = target.id if isinstance(target, ast.Name) else None
        for after, rest in self._take_out(node, state, expected, name):
            yield after, self.pure.expr(rest, after.env, expected)

    def _take_out(
        self, node: ast.expr, state: _State, expected: Type | None, name: str | None = None
    ) -> Iterator[tuple[_State, ast.expr]]:
        if not any(self._is_draw(n) for n in ast.walk(node)):
            if isinstance(node, ast.IfExp):
                yield from self._conditional(node, state, expected)
            else:
                yield state, node
        elif self._is_draw(node):
            assert isinstance(node, ast.Call)
            if len(node.args) != 1 or node.keywords:
                self.pure.fail(node)
            for after, value in self.sample(node.args[0], state, expected, name):
                spot = f"{name or 'drawn'}'{next(self.counter)}"
                yield after.bind(spot, value), ast.copy_location(ast.Name(spot, ast.Load()), node)
        elif isinstance(node, ast.IfExp):
            yield from self._conditional(node, state, expected)
        elif isinstance(node, ast.BoolOp):
            yield from self._short_circuit(node, state)
        elif isinstance(node, ast.Lambda | ast.ListComp | ast.GeneratorExp | ast.NamedExpr):
            self.pure.fail(node, f"a draw inside {type(node).__name__}")
        else:
            yield from self._children(node, state)

    def _conditional(
        self, node: ast.IfExp, state: _State, expected: Type | None
    ) -> Iterator[tuple[_State, ast.expr]]:
        for after, test in self.expression(node.test, state, None):
            condition = self.pure.truth_of(test, node.test)
            for yes in after.assume(condition):
                yield from self._take_out(node.body, yes, expected)
            for no in after.assume(x.not_(condition)):
                yield from self._take_out(node.orelse, no, expected)

    def _short_circuit(self, node: ast.BoolOp, state: _State) -> Iterator[tuple[_State, ast.expr]]:
        """``a and draw(b)`` draws only if ``a`` holds."""
        stop = isinstance(node.op, ast.Or)
        rest = (
            node.values[1]
            if len(node.values) == 2
            else ast.copy_location(ast.BoolOp(node.op, node.values[1:]), node)
        )
        for after, test in self.expression(node.values[0], state, None):
            condition = self.pure.truth_of(test, node)
            for ends in after.assume(condition if stop else x.not_(condition)):
                yield ends, ast.copy_location(ast.Constant(stop), node)
            for goes_on in after.assume(x.not_(condition) if stop else condition):
                yield from self._take_out(rest, goes_on, None)

    def _children(self, node: ast.expr, state: _State) -> Iterator[tuple[_State, ast.expr]]:
        places: list[tuple[str, int | None, ast.expr]] = []
        for name, old in ast.iter_fields(node):
            if isinstance(old, ast.expr) and not (name == "func" and isinstance(node, ast.Call)):
                places.append((name, None, old))
            elif isinstance(old, list):
                for i, item in enumerate(old):
                    if isinstance(item, ast.keyword):
                        places.append((name, i, item.value))
                    elif isinstance(item, ast.expr):
                        places.append((name, i, item))

        def fill(i: int, current: _State, made: ast.expr) -> Iterator[tuple[_State, ast.expr]]:
            if i == len(places):
                yield current, made
                return
            name, index, old = places[i]
            for after, new in self._take_out(old, current, None):
                copy = type(made)(**dict(ast.iter_fields(made)))
                if index is None:
                    setattr(copy, name, new)
                else:
                    items = list(getattr(copy, name))
                    was = items[index]
                    items[index] = ast.keyword(was.arg, new) if isinstance(was, ast.keyword) else new
                    setattr(copy, name, items)
                yield from fill(i + 1, after, ast.copy_location(copy, node))

        yield from fill(0, state, node)

    # --- generators that are drawn from -----------------------------------------------------------------

    def sample(
        self, node: ast.expr, state: _State, expected: Type | None, name: str | None
    ) -> Iterator[tuple[_State, Expr]]:
        """Every way to draw from a generator expression."""
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            yield from self.sample(node.left, state, expected, name)
            yield from self.sample(node.right, state, expected, name)
            return
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name | ast.Attribute):
            self.pure.fail(node, f"a draw from {ast.unparse(node)}")
        assert isinstance(node, ast.Call)
        if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Call):
            self.pure.fail(node, f"a draw from {ast.unparse(node)}")
        target = self.pure.constant(node.func)
        builtin = getattr(target, "__module__", "") or ""
        if builtin.split(".")[0] in ("everycase", "hypothesis") and hasattr(self, f"_draw_{target.__name__}"):
            yield from getattr(self, f"_draw_{target.__name__}")(node, state, expected, name)
            return
        yield from self._draw_from(target, node, state, name)

    def _fresh(self, name: str | None, kind: Type) -> Expr:
        return x.var(f"{name or 'drawn'}'{next(self.counter)}", kind)

    def _arguments(self, node: ast.Call, names: tuple[str, ...]) -> dict[str, ast.expr]:
        given = dict(zip(names, node.args))
        given.update({k.arg: k.value for k in node.keywords if k.arg})
        if set(given) - set(names) or len(node.args) > len(names):
            self.pure.fail(node)
        return given

    def _draw_integers(
        self, node: ast.Call, state: _State, _: Any, name: str | None
    ) -> Iterator[tuple[_State, Expr]]:
        given = self._arguments(node, ("min_value", "max_value"))
        bounds: list[list[tuple[_State, Expr | None]]] = []
        for key in ("min_value", "max_value"):
            bound = given.get(key)
            absent = bound is None or (isinstance(bound, ast.Constant) and bound.value is None)
            if not absent and any(self._is_draw(n) for n in ast.walk(bound)):  # type: ignore[arg-type]
                self.pure.fail(node, "a draw inside the bounds of integers; give it a name first")
            bounds.append([(state, None if absent else self.pure.expr(bound, state.env, INT))])  # type: ignore[arg-type]
        made = self._fresh(name, INT)
        step = Draw(made, bounds[0][0][1], bounds[1][0][1])
        yield replace(state, steps=(*state.steps, step)), made

    def _any(self, kind: Type, state: _State, name: str | None) -> Iterator[tuple[_State, Expr]]:
        made = self._fresh(name, kind)
        yield replace(state, steps=(*state.steps, Draw(made))), made

    def _draw_booleans(
        self, node: ast.Call, state: _State, _: Any, name: str | None
    ) -> Iterator[tuple[_State, Expr]]:
        yield from self._any(BOOL, state, name)

    def _draw_text(
        self, node: ast.Call, state: _State, _: Any, name: str | None
    ) -> Iterator[tuple[_State, Expr]]:
        if node.args or node.keywords:
            self.pure.fail(node, "text with arguments")
        yield from self._any(TEXT, state, name)

    def _draw_from_type(
        self, node: ast.Call, state: _State, _: Any, name: str | None
    ) -> Iterator[tuple[_State, Expr]]:
        yield from self._any(self.program.library.annotation(node.args[0], self.source), state, name)

    def _draw_just(
        self, node: ast.Call, state: _State, expected: Any, _: str | None
    ) -> Iterator[tuple[_State, Expr]]:
        yield from self.expression(node.args[0], state, expected)

    def _draw_none(
        self, node: ast.Call, state: _State, expected: Any, _: str | None
    ) -> Iterator[tuple[_State, Expr]]:
        yield state, self.pure.expr(ast.copy_location(ast.Constant(None), node), state.env, expected)

    def _draw_nothing(self, *_: Any) -> Iterator[tuple[_State, Expr]]:
        return iter(())

    def _draw_one_of(
        self, node: ast.Call, state: _State, expected: Any, name: str | None
    ) -> Iterator[tuple[_State, Expr]]:
        parts = (
            node.args[0].elts
            if len(node.args) == 1 and isinstance(node.args[0], ast.List | ast.Tuple)
            else node.args
        )
        for part in parts:
            yield from self.sample(part, state, expected, name)

    def _draw_sampled_from(
        self, node: ast.Call, state: _State, expected: Any, name: str | None
    ) -> Iterator[tuple[_State, Expr]]:
        match node.args:
            case [ast.List(elts=parts) | ast.Tuple(elts=parts)]:
                for part in parts:
                    yield state, self.pure.expr(part, state.env, expected)
            case [ast.Call(func=ast.Name(id="range"), args=[*bounds])] if 1 <= len(bounds) <= 2:
                ends = [self.pure.expr(b, state.env, INT) for b in bounds]
                made = self._fresh(name, INT)
                low = ends[0] if len(ends) == 2 else x.integer(0)
                step = Draw(made, low, x.sub(ends[-1], x.integer(1)))
                yield replace(state, steps=(*state.steps, step)), made
            case [ast.Name() | ast.Attribute() as spot] if isinstance(self.pure.constant(spot), type):
                yield from self._any(self.program.library.annotation(spot, self.source), state, name)
            case [ast.Name() as spot] if spot.id in state.env and _is_list(state.env[spot.id].type):
                made = self._fresh(name, state.env[spot.id].type.element)  # type: ignore[attr-defined]
                inside = Assume(member(self.program.library, state.env[spot.id], made))
                yield replace(state, steps=(*state.steps, Draw(made), inside)), made
            case [ast.Name() | ast.Attribute() as spot]:
                for value in self.pure.constant(spot):
                    yield state, self.pure.embed(value, expected, node)
            case _:
                self.pure.fail(node)

    def _draw_tuples(
        self, node: ast.Call, state: _State, expected: Any, _: str | None
    ) -> Iterator[tuple[_State, Expr]]:
        for after, parts in self._each(list(node.args), [None] * len(node.args), state):
            kind = self.program.library.types.tuple_of(tuple(p.type for p in parts))
            yield after, x.con(kind.constructors[0], *parts)

    def _draw_builds(
        self, node: ast.Call, state: _State, expected: Any, _: str | None
    ) -> Iterator[tuple[_State, Expr]]:
        cls = self.pure.constant(node.args[0])
        kind: Type | None = expected if isinstance(expected, DataType) and expected.by_class(cls) else None
        kind = kind or self.program.library.types.resolve(cls, self.source.scope)
        made = kind.by_class(cls) if isinstance(kind, DataType) else None
        if made is None:
            self.pure.fail(node, f"builds of {ast.unparse(node.args[0])}")
        assert made is not None
        given: dict[str, ast.expr] = dict(zip([n for n, _ in made.fields], node.args[1:]))
        given.update({k.arg: k.value for k in node.keywords if k.arg})
        if len(given) != len(made.fields):
            self.pure.fail(node, f"builds of {cls.__name__} without a generator for every field")
        nodes = [given[n] for n, _ in made.fields]
        for after, parts in self._each(nodes, [t for _, t in made.fields], state):
            yield after, x.con(made, *parts)

    def _each(
        self, nodes: list[ast.expr], kinds: list[Any], state: _State
    ) -> Iterator[tuple[_State, list[Expr]]]:
        if not nodes:
            yield state, []
            return
        for after, first in self.sample(nodes[0], state, kinds[0], None):
            made = self.pure.coerce(first, kinds[0], nodes[0]) if kinds[0] else first
            for last, more in self._each(nodes[1:], kinds[1:], after):
                yield last, [made, *more]

    def _draw_from(
        self, target: Any, node: ast.Call, state: _State, name: str | None
    ) -> Iterator[tuple[_State, Expr]]:
        """A call of another generator: by its promise if it has one, else by its body."""
        for after, call in self._children(node, state):
            assert isinstance(call, ast.Call)
            generator = self.program.called(target, self.source, node)
            if generator is not None:
                args = self._bound(
                    call, [p.data for p in generator.params], [p.type for p in generator.params], after
                )
                made = self._fresh(name, generator.result)
                step = Draw(made, generator=generator, args=tuple(args))
                yield replace(after, steps=(*after.steps, step)), made
                continue
            source = source_of(target)
            kinds = self.program.parameter_types(source)
            args = self._bound(call, source.parameters[1:], kinds, after)
            assert isinstance(source.node, ast.FunctionDef)
            result = self.program.library.annotation(source.node.returns, source)
            with self.program.inlining(target, self.source, node):
                inner = Reader(self.program, source, result, self.counter)
                for path in inner.paths(dict(zip(source.parameters[1:], args))):
                    if path.ending == "hole":
                        self.pure.fail(node, "a call of a generator with holes and without covers")
                    if path.result is not None:
                        yield replace(after, steps=after.steps + path.steps), path.result

    def _bound(self, call: ast.Call, names: list[str], kinds: list[Type], state: _State) -> list[Expr]:
        given = self._arguments(call, tuple(names))
        if len(given) != len(names):
            self.pure.fail(call, f"a call with {len(given)} of {len(names)} arguments")
        return [self.pure.expr(given[n], state.env, k) for n, k in zip(names, kinds)]

    # --- recognising names ------------------------------------------------------------------------------

    def _is_draw(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == self.draw

    def _named(self, node: ast.expr, *names: str) -> bool:
        try:
            return getattr(self.pure.constant(node), "__name__", None) in names
        except Exception:
            return False


def _is_list(kind: Type) -> bool:
    return isinstance(kind, DataType) and kind.is_list


def _disjoint(test: Expr, negated: Expr) -> bool:
    """Is ``negated`` implied because the two tests ask for different constructors of the same term?"""
    other = x.not_(negated)
    ours = {e.args[0]: e.data for e in x.conjuncts(test) if e.op == "is"}
    return any(e.op == "is" and ours.get(e.args[0], e.data) is not e.data for e in x.conjuncts(other))
