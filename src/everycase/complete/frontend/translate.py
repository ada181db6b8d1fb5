"""Translate pure Python, the language of predicates, to expressions.

Supported are integers, booleans, comparisons, constructors, fields, ``match``, ``if``, single
assignment, calls of other pure functions, and ``len``/``sum``/``all``/``any``/``in`` over lists, which become
small recursive functions. Anything else raises :class:`Unsupported` with its line.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import TypeAlias

from everycase.complete.frontend.library import Library
from everycase.complete.frontend.patterns import PatternReader, exhaustive
from everycase.complete.frontend.pure import Expressions
from everycase.complete.frontend.quantifiers import Rows
from everycase.complete.frontend.scope import short
from everycase.complete.frontend.source import FunctionSource
from everycase.complete.language import expressions as x
from everycase.complete.language.expressions import Env, Expr, Function
from everycase.complete.language.list_functions import listed
from everycase.complete.language.types import BOOL, INT, Type


def translated(library: Library, source: FunctionSource, env: Env, result: Type | None) -> Expr:
    """What a function returns."""
    assert isinstance(source.node, ast.FunctionDef)
    return Statements(library, source).block(source.node.body, env, result)


UNROLLED = 3  # maximum number of values that the body of a loop is read for one by one


class Statements:
    """Translates the statements of one pure function."""

    def __init__(self, library: Library, source: FunctionSource) -> None:
        self.library, self.source = library, source
        self.expressions = Expressions(library, source)
        self.patterns = PatternReader(self.expressions)
        self.scope = self.expressions.scope
        self._inside: list[Loop] = []

    def block(self, statements: list[ast.stmt], env: Env, expected: Type | None) -> Expr:
        """A list of statements that returns on every way through it."""
        if not statements:
            self.scope.fail(self.source.node, "a function that can end without return")
        first, rest = statements[0], statements[1:]
        match first:
            case ast.Return(value=ast.expr() as value):
                return self.expressions.expr(value, env, expected)
            case ast.Expr(value=ast.Constant(value=str())) | ast.Pass():
                return self.block(rest, env, expected)
            case ast.If():
                yes = self.block(first.body + ([] if _ends(first.body) else rest), env, expected)
                no = self.block(
                    first.orelse + ([] if _ends(first.orelse) else rest), env, expected or yes.type
                )
                return self.expressions.choose(self.expressions.truth(first.test, env), yes, no, first)
            case ast.Assign(targets=[target], value=value):
                return self.block(
                    rest, self.expressions.bind(target, self.expressions.expr(value, env), env), expected
                )
            case ast.AnnAssign(target=ast.Name() as name, value=ast.expr() as value, annotation=annotation):
                kind = self.library.annotation(annotation, self.source)
                return self.block(rest, {**env, name.id: self.expressions.expr(value, env, kind)}, expected)
            case ast.AugAssign(target=ast.Name(id=spot)):
                made = self.expressions.expr(self.updated(first, env), env, INT)
                return self.block(rest, {**env, spot: made}, expected)
            case ast.Match():
                return self._match(first, rest, env, expected)
            case ast.For():
                return self._loop(first, rest, env, expected)
            case Onward():
                return first.how(env)
            case ast.Continue() | ast.Break() if self._inside:
                again, after, _ = self._inside[-1]
                return (again if isinstance(first, ast.Continue) else after).how(env)
            case _:
                self.scope.fail(first)

    def updated(self, node: ast.AugAssign, env: Env) -> ast.expr:
        """``n += 1`` as the expression ``n + 1``; lists change in place, also under their other names."""
        assert isinstance(node.target, ast.Name)
        old = env.get(node.target.id)
        if old is None or old.type is not INT:
            kind = "an unknown name" if old is None else str(old.type)
            self.scope.fail(
                node, f"{short(node)}: {kind} may be changed in place; only numbers are counted up"
            )
        before = ast.copy_location(ast.Name(node.target.id, ast.Load()), node)
        return ast.copy_location(ast.BinOp(before, node.op, node.value), node)

    def _match(self, node: ast.Match, rest: list[ast.stmt], env: Env, expected: Type | None) -> Expr:
        subject = self.expressions.expr(node.subject, env)
        arms: list[tuple[Expr, Expr]] = []
        for case in node.cases:
            test, inner = self.patterns.pattern(case.pattern, subject, env)
            fits = test
            if case.guard is not None:
                test = x.and_(test, self.expressions.truth(case.guard, inner))
            body = self.block(case.body + ([] if _ends(case.body) else rest), inner, expected)
            if case.guard is not None:
                env = rebound(env, inner, fits)
            expected = expected or body.type
            arms.append((test, body))
        if exhaustive([test for test, _ in arms], subject):
            result = arms.pop()[1]
        else:
            result = self.block(rest, env, expected)
        for test, body in reversed(arms):
            result = self.expressions.choose(test, body, result, node)
        return result

    def _loop(self, node: ast.For, rest: list[ast.stmt], env: Env, expected: Type | None) -> Expr:
        """``for x in xs: if c: return False`` followed by ``return True`` (or the reverse), or any other loop."""
        match node.body, rest:
            case (
                [ast.If(test=test, body=[ast.Return(value=ast.Constant(value=bool() as early))], orelse=[])],
                [ast.Return(value=ast.Constant(value=bool() as late)), *_],
            ) if early != late and not node.orelse:
                found = self.expressions.quantifiers.quantifier(
                    "any", node.target, node.iter, [], test, env, node
                )
                return found if early else x.not_(found)
        if node.orelse:
            self.scope.fail(node, "else of a loop in a function that does not draw")
        parts = self.expressions.quantifiers.written_out(node.iter, env)
        if parts is not None and len(parts) <= UNROLLED:
            return self._each(node, parts, rest, env, expected)
        rows = self._as_rows(parts) if parts is not None else None
        return self._recursive(
            node, rows or self.expressions.quantifiers.rows(node.iter, env, node), rest, env, expected
        )

    def _as_rows(self, parts: list[Expr]) -> Rows | None:
        """Values that are known one by one, as a list; None if they have several types."""
        if len({id(e.type) for e in parts}) != 1:
            return None
        whole = listed(parts, self.library.types.list_of(parts[0].type))
        return [whole], None, lambda place, heads: heads[0]

    def _each(
        self, node: ast.For, parts: list[Expr], rest: list[ast.stmt], env: Env, expected: Type | None
    ) -> Expr:
        """A loop over values that are known one by one: its body for each of them."""

        def after(inner: Env) -> Expr:
            return self._within(around, rest, inner, expected)

        def begin(place: int, inner: Env) -> Expr:
            if place == len(parts):
                return after(inner)
            again = Onward(lambda later: begin(place + 1, later))
            bound = self.expressions.bind(node.target, parts[place], inner)
            return self._within([*around, (again, Onward(after), ())], [*node.body, again], bound, expected)

        around = list(self._inside)
        return begin(0, env)

    def _recursive(
        self, node: ast.For, rows: Rows, rest: list[ast.stmt], env: Env, expected: Type | None
    ) -> Expr:
        """A loop over a list as a recursive function of the list and of the names that the rounds change."""
        columns, start, element = rows
        self.library.loops += 1
        depth, around = self.library.loops, list(self._inside)
        lists = [x.var(f"items{i}'{depth}", e.type) for i, e in enumerate(columns)]
        heads, tails = ([x.field(e.type.constructors[1], i, e) for e in lists] for i in (0, 1))  # type: ignore[attr-defined]
        counted = [x.var(f"place'{depth}", INT)] if start is not None else []
        stored, bound = _names(node.body, ast.Store), _names([node.target], ast.Store)
        state = [name for name in env if name in stored and name not in bound]
        spots = [x.var(f"{name}'{depth}", env[name].type) for name in state]
        read = set(env) if around else _names([*node.body, *rest], ast.Load)
        outer = {k: v for k, v in env.items() if k in read - stored - bound}
        own = [*lists, *counted, *spots]
        needed = [*x.variables(*outer.values()), *(p for _, _, params in around for p in params)]
        kept = [v for v in dict.fromkeys(needed) if v not in own]
        function = Function(f"loop_{short(node.iter)}", (*own, *kept), BOOL)
        function.recursive = True

        def after(inner: Env) -> Expr:
            known = {**outer, **{name: inner[name] for name in state}}
            return self._within(around, rest, known, expected)

        def again(inner: Env) -> Expr:
            values = [self.expressions.values.coerce(inner[n], env[n].type, node) for n in state]
            return x.call(function, *tails, *(x.add(e, x.integer(1)) for e in counted), *values, *kept)

        begins = {**outer, **dict(zip(state, spots))}
        done = after(begins)
        function.result = done.type
        here = Onward(again)
        inside = self.expressions.bind(
            node.target, element(counted[0] if counted else x.integer(0), heads), begins
        )
        step = self._within(
            [*around, (here, Onward(after), function.params)], [*node.body, here], inside, done.type
        )
        self.library.loops -= 1
        empty = x.or_(*(x.is_con(e.type.constructors[0], e) for e in lists))  # type: ignore[attr-defined]
        function.body = self.expressions.choose(empty, done, step, node)
        first = [start] if start is not None else []
        return x.call(function, *columns, *first, *(env[n] for n in state), *kept)

    def _within(self, loops: list[Loop], statements: list[ast.stmt], env: Env, expected: Type | None) -> Expr:
        """The statements, inside of these loops."""
        before, self._inside = self._inside, loops
        try:
            return self.block(statements, env, expected)
        finally:
            self._inside = before


class Onward(ast.stmt):
    """A step that no source has: what happens after a round of a loop."""

    def __init__(self, how: Callable[[Env], Expr]) -> None:
        super().__init__()
        self.how = how


#: What ``continue`` and ``break`` do in a loop, and the parameters of the function that it has become.
Loop: TypeAlias = tuple[Onward, Onward, tuple[Expr, ...]]


def _names(nodes: Sequence[ast.AST], how: type[ast.expr_context]) -> set[str]:
    """The names that are read, or that get a value."""
    inside = [n for node in nodes for n in ast.walk(node)]
    found = {n.id for n in inside if isinstance(n, ast.Name) and isinstance(n.ctx, how)}
    if how is ast.Load:
        return found | {
            n.target.id for n in inside if isinstance(n, ast.AugAssign) and isinstance(n.target, ast.Name)
        }
    captured = [n.name for n in inside if isinstance(n, ast.MatchAs | ast.MatchStar)]
    return found | {name for name in captured if name is not None}


def rebound(before: Env, captured: Env, fits: Expr) -> dict[str, Expr]:
    """The meaning of names after a case whose guard failed: Python has still bound the captured names.

    A name that had no value before, or one of another type, has no single meaning then and is dropped, so
    that its use is reported as unsupported.
    """
    after = dict(before)
    for name, value in captured.items():
        old = before.get(name)
        if old is value:
            continue
        if old is not None and old.type is value.type:
            after[name] = x.ite(fits, value, old)
        else:
            after.pop(name, None)
    return after


def _ends(statements: list[ast.stmt]) -> bool:
    """Does this block always return?"""
    if not statements:
        return False
    last = statements[-1]
    if isinstance(last, ast.If):
        return _ends(last.body) and _ends(last.orelse)
    if isinstance(last, ast.Match):
        return all(_ends(c.body) for c in last.cases)
    return isinstance(last, ast.Return | ast.Raise | ast.Continue | ast.Break | Onward)
