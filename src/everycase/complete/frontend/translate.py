"""Translate pure Python, the language of predicates, to expressions.

Supported are integers, booleans, comparisons, constructors, fields, ``match``, ``if``, single
assignment, calls of other pure functions, and ``len``/``sum``/``all``/``any``/``in`` over lists, which become
small recursive functions. Anything else raises :class:`Unsupported` with its line.
"""

from __future__ import annotations

import ast

from everycase.complete.frontend.library import Library
from everycase.complete.frontend.patterns import PatternReader, exhaustive
from everycase.complete.frontend.pure import Expressions
from everycase.complete.frontend.scope import short
from everycase.complete.frontend.source import FunctionSource
from everycase.complete.language import expressions as x
from everycase.complete.language.expressions import Env, Expr
from everycase.complete.language.types import INT, Type


def translated(library: Library, source: FunctionSource, env: Env, result: Type | None) -> Expr:
    """What a function returns."""
    assert isinstance(source.node, ast.FunctionDef)
    return Statements(library, source).block(source.node.body, env, result)


class Statements:
    """Translates the statements of one pure function."""

    def __init__(self, library: Library, source: FunctionSource) -> None:
        self.library, self.source = library, source
        self.expressions = Expressions(library, source)
        self.patterns = PatternReader(self.expressions)
        self.scope = self.expressions.scope

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
                return self._loop(first, rest, env)
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

    def _loop(self, node: ast.For, rest: list[ast.stmt], env: Env) -> Expr:
        """``for x in xs: if c: return False`` followed by ``return True`` (or the reverse)."""
        match node.body, rest:
            case (
                [ast.If(test=test, body=[ast.Return(value=ast.Constant(value=bool() as early))], orelse=[])],
                [ast.Return(value=ast.Constant(value=bool() as late)), *_],
            ) if early != late and not node.orelse:
                found = self.expressions.quantifiers.quantifier(
                    "any", node.target, node.iter, [], test, env, node
                )
                return found if early else x.not_(found)
        self.scope.fail(node, "a loop other than `for x in xs: if ...: return False`")


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
    return isinstance(last, ast.Return | ast.Raise)
