"""``match``: the test of a pattern, and the names that it binds."""

from __future__ import annotations

import ast

from everycase.complete.frontend.pure import Expressions
from everycase.complete.frontend.scope import short
from everycase.complete.language import expressions as x
from everycase.complete.language.expressions import FALSE, TRUE, Env, Expr
from everycase.complete.language.types import BOOL, DataType

Matched = tuple[Expr, dict[str, Expr]]


class PatternReader:
    """Translates the patterns of one function."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions, self.scope, self.values = expressions, expressions.scope, expressions.values

    def pattern(self, node: ast.pattern, subject: Expr, env: Env) -> Matched:
        """The test that a value fits, and the environment with the captured names."""
        bound = dict(env)
        match node:
            case ast.MatchAs(pattern=None, name=name):
                if name:
                    bound[name] = subject
                return TRUE, bound
            case ast.MatchAs(pattern=ast.pattern() as inner, name=str() as name):
                test, bound = self.pattern(inner, subject, env)
                return test, {**bound, name: subject}
            case ast.MatchValue(value=value):
                return self.values.same(subject, self.expressions.expr(value, env, subject.type), node), bound
            case ast.MatchSingleton(value=value):
                return self.values.singleton(subject, value, node), bound
            case ast.MatchOr(patterns=patterns):
                if any(_captures(p) for p in patterns):
                    self.scope.fail(node, "names inside alternatives of a pattern")
                return x.or_(*(self.pattern(p, subject, env)[0] for p in patterns)), bound
            case ast.MatchSequence(patterns=patterns):
                return self._sequence(patterns, subject, bound, node)
            case ast.MatchClass():
                return self._class_pattern(node, subject, bound)
        self.scope.fail(node)

    def _sequence(
        self, patterns: list[ast.pattern], subject: Expr, bound: dict[str, Expr], node: ast.AST
    ) -> Matched:
        kind, tests = subject.type, []
        if (
            isinstance(kind, DataType)
            and (made := kind.as_tuple)
            and len(made.fields) == len(patterns)
            and not any(isinstance(p, ast.MatchStar) for p in patterns)
        ):
            tests.append(x.is_con(made, subject))
            for i, part in enumerate(patterns):
                test, bound = self.pattern(part, x.field(made, i, subject), bound)
                tests.append(test)
            return x.and_(*tests), bound
        if not isinstance(kind, DataType) or not kind.is_list:
            self.scope.fail(node, f"a sequence pattern for {kind}")
        nil, cons = kind.constructors
        for part in patterns:
            if isinstance(part, ast.MatchStar):
                if part is not patterns[-1]:
                    self.scope.fail(node, "a starred pattern that is not the last one")
                return x.and_(*tests), {**bound, part.name: subject} if part.name else bound
            tests.append(x.is_con(cons, subject))
            test, bound = self.pattern(part, x.field(cons, 0, subject), bound)
            tests.append(test)
            subject = x.field(cons, 1, subject)
        return x.and_(*tests, x.is_con(nil, subject)), bound

    def _class_pattern(self, node: ast.MatchClass, subject: Expr, bound: dict[str, Expr]) -> Matched:
        test, found = self.values.is_instance(subject, self.scope.constant(node.cls), node)
        named = list(zip(node.kwd_attrs, node.kwd_patterns))
        if not node.patterns and not named:
            return test, bound
        if not isinstance(subject.type, DataType) or (len(found) == 1 and found[0].kind == "wrap"):
            if named or len(node.patterns) != 1:
                self.scope.fail(node)
            inside = x.field(found[0], 0, subject) if found else subject
            inner, bound = self.pattern(node.patterns[0], inside, bound)
            return x.and_(test, inner), bound
        if test == FALSE:
            return FALSE, self._nowhere(node, bound)
        if len(found) != 1:
            self.scope.fail(
                node, f"fields in a pattern for {short(node.cls)}, which stands for several classes"
            )
        made = found[0]
        order = getattr(made.native, "__match_args__", ())
        if len(node.patterns) > len(order):
            self.scope.fail(node, f"a pattern for {short(node.cls)} with more parts than it has")
        named = [*zip(order, node.patterns), *named]
        places = {name: i for i, (name, _) in enumerate(made.fields)}
        tests = [test]
        for name, part in named:
            if name not in places:
                self.scope.fail(node, f"the attribute {name} in a pattern for {short(node.cls)}")
            inner, bound = self.pattern(part, x.field(made, places[name], subject), bound)
            tests.append(inner)
        return x.and_(*tests), bound

    def _nowhere(self, node: ast.MatchClass, bound: dict[str, Expr]) -> dict[str, Expr]:
        """A pattern that never matches; its captured names have no value, so its body cannot be read."""
        if _captures(node):
            self.scope.fail(node, f"a pattern for {short(node.cls)}, which the value never is")
        return bound


def _captures(node: ast.pattern) -> bool:
    """Does the pattern give a name to anything?"""
    return any(isinstance(n, ast.MatchAs | ast.MatchStar) and n.name for n in ast.walk(node))


def exhaustive(tests: list[Expr], subject: Expr, depth: int = 3) -> bool:
    """Does one of the tests hold for every value of the subject? (False when in doubt.)"""
    if any(t == TRUE for t in tests):
        return True
    if not isinstance(subject.type, DataType) or depth == 0:
        return subject.type is BOOL and all(
            any(x.substitute(t, {subject: b}) == TRUE for t in tests) for b in (TRUE, FALSE)
        )
    for c in subject.type.constructors:
        parts = [x.var(f"{depth}.{i}", t) for i, (_, t) in enumerate(c.fields)]
        narrowed = [x.substitute(t, {subject: x.con(c, *parts)}) for t in tests]
        used = [p for p in parts if any(x.occurs(p, t) for t in narrowed)]
        if not any(t == TRUE for t in narrowed) and not any(exhaustive(narrowed, p, depth - 1) for p in used):
            return False
    return True
