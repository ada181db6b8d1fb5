"""Translate pure Python, the language of predicates, to expressions.

What is understood: integers, booleans, comparisons, constructors, fields, ``match``, ``if``, single
assignment, calls of other pure functions, and ``len``/``sum``/``all``/``any``/``in`` over lists, which become
small recursive functions. Anything else raises :class:`Unsupported` with its line.
"""

from __future__ import annotations

import ast
import enum
from collections.abc import Callable, Mapping
from typing import Any

from everycase.complete import expressions as x
from everycase.complete.expressions import FALSE, TRUE, Expr, Function
from everycase.complete.listfunctions import append, length, member, total
from everycase.complete.source import Source, source_of
from everycase.complete.types import BOOL, INT, TEXT, Constructor, DataType, Type, Types, UnknownType

Env = Mapping[str, Expr]


class Library:
    """The functions translated so far: one per Python function and argument types."""

    def __init__(self) -> None:
        self.types = Types()
        self.functions: dict[Any, Function] = {}
        self._open: list[Function] = []

    def function(
        self, native: Callable[..., Any], args: tuple[Type, ...], site: Source, node: ast.AST
    ) -> Function:
        """The translation of a Python function for these argument types."""
        key = (native, args)
        if key in self.functions:
            known = self.functions[key]
            if known in self._open:
                for caller in self._open[self._open.index(known) :]:
                    caller.recursive = True
            return known
        source = source_of(native)
        if isinstance(source.node, ast.Lambda):
            site.unsupported(node, "a lambda that is not given to covers")
        names = source.parameters
        if len(names) != len(args):
            site.unsupported(
                node, f"a call of {native.__name__} with {len(args)} instead of {len(names)} arguments"
            )
        result = source.node.returns
        kinds = []
        for spot, kind in zip(source.node.args.posonlyargs + source.node.args.args, args):
            kinds.append(self.annotation(spot.annotation, source) if spot.annotation is not None else kind)
        params = tuple(x.var(n, k) for n, k in zip(names, kinds))
        function = Function(native.__name__, params, self.annotation(result, source) if result else BOOL)
        function.native = native
        self.functions[key] = function
        self._open.append(function)
        body = Translator(self, source).block(
            source.node.body, dict(zip(names, params)), function.result if result else None
        )
        self._open.pop()
        if result is None:
            if function.recursive and body.type is not BOOL:
                source.unsupported(
                    source.node, f"the recursive function {function.name} without a return annotation"
                )
            function.result = body.type
        function.body = body
        return function

    def annotation(self, node: ast.expr | None, source: Source) -> Type:
        """The type written at a place of the source."""
        if node is None:
            source.unsupported(source.node, "a missing annotation")
        try:
            return self.types.resolve(ast.unparse(node), source.scope)
        except UnknownType as error:
            source.unsupported(node, str(error))


class Translator:
    """Translates the expressions and statements of one function."""

    def __init__(self, library: Library, source: Source) -> None:
        self.library, self.source = library, source

    def fail(self, node: ast.AST, construct: str | None = None) -> Any:
        self.source.unsupported(node, construct or f"{type(node).__name__}: {_short(node)}")

    # --- statements -------------------------------------------------------------------------------------

    def block(self, statements: list[ast.stmt], env: Env, expected: Type | None) -> Expr:
        """A list of statements that returns on every way through it."""
        if not statements:
            self.fail(self.source.node, "a function that can end without return")
        first, rest = statements[0], statements[1:]
        match first:
            case ast.Return(value=ast.expr() as value):
                return self.expr(value, env, expected)
            case ast.Expr(value=ast.Constant(value=str())) | ast.Pass():
                return self.block(rest, env, expected)
            case ast.If():
                yes = self.block(first.body + ([] if _ends(first.body) else rest), env, expected)
                no = self.block(
                    first.orelse + ([] if _ends(first.orelse) else rest), env, expected or yes.type
                )
                return self.choose(self.truth(first.test, env), yes, no, first)
            case ast.Assign(targets=[target], value=value):
                return self.block(rest, self.bind(target, self.expr(value, env), env), expected)
            case ast.AnnAssign(target=ast.Name() as name, value=ast.expr() as value, annotation=annotation):
                kind = self.library.annotation(annotation, self.source)
                return self.block(rest, {**env, name.id: self.expr(value, env, kind)}, expected)
            case ast.Match():
                return self._match(first, rest, env, expected)
            case ast.For():
                return self.loop(first, rest, env)
            case _:
                return self.fail(first)  # type: ignore[no-any-return]

    def _match(self, node: ast.Match, rest: list[ast.stmt], env: Env, expected: Type | None) -> Expr:
        subject = self.expr(node.subject, env)
        arms: list[tuple[Expr, Expr]] = []
        for case in node.cases:
            test, inner = self.pattern(case.pattern, subject, env)
            if case.guard is not None:
                test = x.and_(test, self.truth(case.guard, inner))
            body = self.block(case.body + ([] if _ends(case.body) else rest), inner, expected)
            expected = expected or body.type
            arms.append((test, body))
        if exhaustive([test for test, _ in arms], subject):
            result = arms.pop()[1]
        else:
            result = self.block(rest, env, expected)
        for test, body in reversed(arms):
            result = self.choose(test, body, result, node)
        return result

    def choose(self, test: Expr, yes: Expr, no: Expr, node: ast.AST) -> Expr:
        return x.ite(test, yes, self.coerce(no, yes.type, node))

    def loop(self, node: ast.For, rest: list[ast.stmt], env: Env) -> Expr:
        """``for x in xs: if c: return False`` followed by ``return True`` (or the reverse)."""
        match node.body, rest:
            case (
                [ast.If(test=test, body=[ast.Return(value=ast.Constant(value=bool() as early))], orelse=[])],
                [ast.Return(value=ast.Constant(value=bool() as late)), *_],
            ) if early != late and not node.orelse:
                found = self.quantifier("any", node.target, node.iter, [], test, env, node)
                return found if early else x.not_(found)
        return self.fail(node, "a loop other than `for x in xs: if ...: return False`")  # type: ignore[no-any-return]

    def bind(self, target: ast.expr, value: Expr, env: Env) -> dict[str, Expr]:
        """``x = value`` or ``x, y = value``; a name may be bound once."""
        if isinstance(target, ast.Name):
            return {**env, target.id: value}
        if isinstance(target, ast.Tuple) and isinstance(value.type, DataType):
            made = value.type.of_kind("tuple")
            if made is not None and len(made.fields) == len(target.elts):
                bound = dict(env)
                for i, part in enumerate(target.elts):
                    bound = self.bind(part, x.field(made, i, value), bound)
                return bound
        return self.fail(target, f"assignment to {_short(target)}")  # type: ignore[no-any-return]

    # --- patterns ---------------------------------------------------------------------------------------

    def pattern(self, node: ast.pattern, subject: Expr, env: Env) -> tuple[Expr, dict[str, Expr]]:
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
                return x.eq(subject, self.expr(value, env, subject.type)), bound
            case ast.MatchSingleton(value=value):
                return self._is_singleton(subject, value, node), bound
            case ast.MatchOr(patterns=patterns):
                return x.or_(*(self.pattern(p, subject, env)[0] for p in patterns)), bound
            case ast.MatchSequence(patterns=patterns):
                return self._sequence(patterns, subject, bound, node)
            case ast.MatchClass():
                return self._class_pattern(node, subject, bound)
        return self.fail(node)  # type: ignore[no-any-return]

    def _sequence(
        self, patterns: list[ast.pattern], subject: Expr, bound: dict[str, Expr], node: ast.AST
    ) -> tuple[Expr, dict[str, Expr]]:
        kind, tests = subject.type, []
        if (
            isinstance(kind, DataType)
            and (made := kind.of_kind("tuple"))
            and len(made.fields) == len(patterns)
        ):
            for i, part in enumerate(patterns):
                test, bound = self.pattern(part, x.field(made, i, subject), bound)
                tests.append(test)
            return x.and_(*tests), bound
        if not isinstance(kind, DataType) or not kind.is_list:
            self.fail(node, f"a sequence pattern for {kind}")
        nil, cons = kind.constructors  # type: ignore[attr-defined]
        for part in patterns:
            if isinstance(part, ast.MatchStar):
                if part is not patterns[-1]:
                    self.fail(node, "a starred pattern that is not the last one")
                return x.and_(*tests), {**bound, part.name: subject} if part.name else bound
            tests.append(x.is_con(cons, subject))
            test, bound = self.pattern(part, x.field(cons, 0, subject), bound)
            tests.append(test)
            subject = x.field(cons, 1, subject)
        return x.and_(*tests, x.is_con(nil, subject)), bound

    def _class_pattern(
        self, node: ast.MatchClass, subject: Expr, bound: dict[str, Expr]
    ) -> tuple[Expr, dict[str, Expr]]:
        test, made = self._isinstance(subject, self.constant(node.cls), node)
        tests = [test]
        named = list(zip(node.kwd_attrs, node.kwd_patterns))
        if node.patterns and made is not None:
            if made.kind == "wrap":
                inner, bound = self.pattern(node.patterns[0], x.field(made, 0, subject), bound)
                return x.and_(test, inner), bound
            named = [(name, p) for (name, _), p in zip(made.fields, node.patterns)] + named
        for name, part in named:
            if made is None:
                self.fail(node, f"fields in a pattern for {_short(node.cls)}")
            place = [n for n, _ in made.fields].index(name)  # type: ignore[union-attr]
            inner, bound = self.pattern(part, x.field(made, place, subject), bound)  # type: ignore[arg-type]
            tests.append(inner)
        return x.and_(*tests), bound

    # --- expressions ------------------------------------------------------------------------------------

    def truth(self, node: ast.expr, env: Env) -> Expr:
        """An expression used as a condition."""
        return self.truth_of(self.expr(node, env), node)

    def truth_of(self, value: Expr, node: ast.AST) -> Expr:
        if value.type is BOOL:
            return value
        if value.type is INT:
            return x.not_(x.eq(value, x.integer(0)))
        if isinstance(value.type, DataType):
            if value.type.is_list:
                return x.is_con(value.type.constructors[1], value)
            none = value.type.of_kind("none")
            if none is not None and all(c.kind in ("none", "class") for c in value.type.constructors):
                return x.not_(x.is_con(none, value))
        return self.fail(node, f"a value of type {value.type} used as a condition")  # type: ignore[no-any-return]

    def expr(self, node: ast.expr, env: Env, expected: Type | None = None) -> Expr:
        """Any pure expression; ``expected`` decides the type of ``[]`` and of constructors of unions."""
        made = self._expr(node, env, expected)
        return made if expected is None else self.coerce(made, expected, node)

    def _expr(self, node: ast.expr, env: Env, expected: Type | None) -> Expr:
        match node:
            case ast.Constant(value=bool() as value):
                return x.const(value, BOOL)
            case ast.Constant(value=int() as value):
                return x.integer(value)
            case ast.Constant(value=str() as value):
                return x.const(value, TEXT)
            case ast.Constant(value=None) if isinstance(expected, DataType) and expected.of_kind("none"):
                return x.con(expected.of_kind("none"))  # type: ignore[arg-type]
            case ast.Constant(value=None):
                return x.con(self.library.types.resolve(None, {}).constructors[0])  # type: ignore[attr-defined]
            case ast.Name(id=name) if name in env:
                return env[name]
            case ast.Name() | ast.Attribute() if self._is_constant(node, env):
                return self.embed(self.constant(node), expected, node)
            case ast.Attribute(value=value, attr=attr):
                return self._attribute(self.expr(value, env), attr, node)
            case ast.List(elts=parts):
                return self._list(parts, env, expected, node)
            case ast.Tuple(elts=parts):
                return self._tuple(parts, env, expected)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return x.not_(self.truth(operand, env))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return x.neg(self.expr(operand, env, INT))
            case ast.BinOp():
                return self._arithmetic(node, env, expected)
            case ast.BoolOp(op=op, values=values):
                parts = [self.truth(v, env) for v in values]  # type: ignore[misc]
                return (x.and_ if isinstance(op, ast.And) else x.or_)(*parts)  # type: ignore[arg-type]
            case ast.IfExp(test=test, body=body, orelse=orelse):
                yes = self.expr(body, env, expected)
                return self.choose(self.truth(test, env), yes, self.expr(orelse, env, expected), node)
            case ast.Compare(left=left, ops=ops, comparators=rights):
                return self._comparison(left, ops, rights, env)
            case ast.Subscript(value=value, slice=index):
                return self._subscript(self.expr(value, env), index, env, node)
            case ast.Call():
                return self._call(node, env, expected)
        return self.fail(node)  # type: ignore[no-any-return]

    def coerce(self, e: Expr, kind: Type, node: ast.AST) -> Expr:
        """The same value at a wider type: a ``Node`` where a ``Leaf | Node`` is wanted."""
        if e.type is kind:
            return e
        if isinstance(kind, DataType):
            if e.op == "ite":
                return x.ite(
                    e.args[0], self.coerce(e.args[1], kind, node), self.coerce(e.args[2], kind, node)
                )
            if isinstance(e.type, DataType) and e.type.constructors[0].kind in ("class", "enum", "none"):
                matches = [(c, _same(kind, c)) for c in e.type.constructors]
                # `Tree | None` where `Tree` is wanted is fine: Python code does that after a test for None.
                matches = [(c, d) for c, d in matches if d is not None or c.kind != "none"]
                if matches and all(d is not None for _, d in matches):
                    result: Expr | None = None
                    for c, d in reversed(matches):
                        parts = [self.coerce(x.field(c, i, e), t, node) for i, (_, t) in enumerate(d.fields)]  # type: ignore[union-attr]
                        made = x.con(d, *parts)  # type: ignore[arg-type]
                        result = made if result is None else x.ite(x.is_con(c, e), made, result)
                    return result  # type: ignore[return-value]
            for c in kind.constructors:
                if c.kind == "wrap" and c.fields[0][1] is e.type:
                    return x.con(c, e)
        if isinstance(e.type, DataType):
            for c in e.type.constructors:
                if c.kind == "wrap" and c.fields[0][1] is kind:  # `int | None` where `int` is wanted
                    return x.field(c, 0, e)
        return self.fail(node, f"a value of type {e.type} where {kind} is wanted")  # type: ignore[no-any-return]

    def _is_constant(self, node: ast.expr, env: Env) -> bool:
        if isinstance(node, ast.Name):
            return node.id not in env and node.id in self.source.scope
        return isinstance(node, ast.Attribute) and self._is_constant(node.value, env)

    def constant(self, node: ast.expr) -> Any:
        """The Python object that a dotted name stands for."""
        if isinstance(node, ast.Name) and node.id in self.source.scope:
            return self.source.scope[node.id]
        if isinstance(node, ast.Attribute):
            return getattr(self.constant(node.value), node.attr)
        return self.fail(node)

    def embed(self, value: Any, expected: Type | None, node: ast.AST) -> Expr:
        """A global constant."""
        if isinstance(value, enum.Enum):
            kind = self.library.types.resolve(type(value), {})
            made = kind.by_class(value) if isinstance(kind, DataType) else None
            return x.con(made) if made else self.fail(node)
        for scalar, kind in ((bool, BOOL), (int, INT), (str, TEXT)):
            if type(value) is scalar:
                return x.const(value, kind)
        return self.fail(node, f"the global {_short(node)} of type {type(value).__name__}")  # type: ignore[no-any-return]

    def _attribute(self, e: Expr, name: str, node: ast.AST) -> Expr:
        if isinstance(e.type, DataType):
            owners = [(c, i) for c in e.type.constructors for i, (n, _) in enumerate(c.fields) if n == name]
            if owners and owners[0][0].kind == "class":
                result = x.field(owners[-1][0], owners[-1][1], e)
                for c, i in reversed(owners[:-1]):
                    result = self.choose(x.is_con(c, e), x.field(c, i, e), result, node)
                return result
        return self.fail(node, f"the attribute {name} of a value of type {e.type}")  # type: ignore[no-any-return]

    def _list(self, parts: list[ast.expr], env: Env, expected: Type | None, node: ast.AST) -> Expr:
        kind = expected if isinstance(expected, DataType) and expected.is_list else None
        if kind is None and isinstance(expected, DataType):
            lists = [c.fields[0][1] for c in expected.constructors if c.kind == "wrap"]
            kind = next((k for k in lists if isinstance(k, DataType) and k.is_list), None)
        made: list[tuple[bool, Expr]] = []
        for part in parts:
            if isinstance(part, ast.Starred):
                made.append((True, self.expr(part.value, env, kind)))
                kind = kind or made[-1][1].type  # type: ignore[assignment]
            else:
                made.append((False, self.expr(part, env, kind.element if kind else None)))
                kind = kind or self.library.types.list_of(made[-1][1].type)
        if kind is None:
            self.fail(node, "an empty list whose element type is not known here")
        nil, cons = kind.constructors  # type: ignore[union-attr]
        result: Expr | None = None
        for starred, e in reversed(made):
            if not starred:
                result = x.con(cons, self.coerce(e, kind.element, node), result or x.con(nil))  # type: ignore[union-attr]
            elif result is None:
                result = e
            else:
                self.fail(node, "a starred item that is not the last one")
        return result or x.con(nil)

    def _tuple(self, parts: list[ast.expr], env: Env, expected: Type | None) -> Expr:
        made = expected.of_kind("tuple") if isinstance(expected, DataType) else None
        kinds: list[Type | None] = [t for _, t in made.fields] if made else [None] * len(parts)
        values = [self.expr(p, env, k) for p, k in zip(parts, kinds)]
        made = made or self.library.types.tuple_of(tuple(v.type for v in values)).constructors[0]
        return x.con(made, *values)

    def _arithmetic(self, node: ast.BinOp, env: Env, expected: Type | None) -> Expr:
        left = self.expr(node.left, env)
        if isinstance(left.type, DataType) and left.type.is_list and isinstance(node.op, ast.Add):
            right = self.expr(node.right, env, left.type)
            return append(self.library, left, right)
        left, right = self.coerce(left, INT, node.left), self.expr(node.right, env, INT)
        match node.op:
            case ast.Add():
                return x.add(left, right)
            case ast.Sub():
                return x.sub(left, right)
            case ast.Mult():
                return x.mul(left, right)
            case ast.FloorDiv() | ast.Mod():
                if right.op != "const" or right.data == 0:
                    self.fail(node, "// or % by something other than a constant that is not zero")
                return (x.div if isinstance(node.op, ast.FloorDiv) else x.mod)(left, right)
        return self.fail(node)  # type: ignore[no-any-return]

    def _comparison(self, left: ast.expr, ops: list[ast.cmpop], rights: list[ast.expr], env: Env) -> Expr:
        tests = []
        for op, right in zip(ops, rights):
            if isinstance(op, ast.In | ast.NotIn):
                inside = self._member(left, right, env)
                tests.append(x.not_(inside) if isinstance(op, ast.NotIn) else inside)
            elif isinstance(op, ast.Eq | ast.NotEq | ast.Is | ast.IsNot):
                same = self._equal(left, right, env)
                tests.append(x.not_(same) if isinstance(op, ast.NotEq | ast.IsNot) else same)
            else:
                a, b = self.expr(left, env, INT), self.expr(right, env, INT)
                if isinstance(op, ast.Gt | ast.GtE):
                    a, b = b, a
                tests.append((x.lt if isinstance(op, ast.Lt | ast.Gt) else x.le)(a, b))
            left = right
        return x.and_(*tests)

    def _equal(self, left: ast.expr, right: ast.expr, env: Env) -> Expr:
        vague = (ast.List, ast.Call, ast.Constant, ast.Tuple)
        if isinstance(left, vague) and not isinstance(right, vague):
            left, right = right, left
        a = self.expr(left, env)
        if isinstance(right, ast.Constant) and right.value is None:
            return self._is_singleton(a, None, right)
        b = self._expr(right, env, a.type)
        if b.type is not a.type and isinstance(b.type, DataType) and isinstance(a.type, DataType):
            wide = a.type if len(a.type.constructors) >= len(b.type.constructors) else b.type
            return x.eq(self.coerce(a, wide, left), self.coerce(b, wide, right))
        return x.eq(a, self.coerce(b, a.type, right))

    def _is_singleton(self, e: Expr, value: Any, node: ast.AST) -> Expr:
        if value is None and isinstance(e.type, DataType):
            none = e.type.of_kind("none")
            return x.is_con(none, e) if none else FALSE
        return x.eq(e, x.const(value, BOOL)) if e.type is BOOL else self.fail(node)

    def _subscript(self, e: Expr, index: ast.expr, env: Env, node: ast.AST) -> Expr:
        if isinstance(e.type, DataType) and e.type.is_list:
            cons = e.type.constructors[1]
            match index:
                case ast.Constant(value=int() as place) if not isinstance(place, bool) and place >= 0:
                    for _ in range(place):
                        e = x.field(cons, 1, e)
                    return x.field(cons, 0, e)
                case ast.Slice(lower=ast.Constant(value=1), upper=None, step=None):
                    # Python's [][1:] is [], unlike the tail of a linked list.
                    return x.ite(x.is_con(cons, e), x.field(cons, 1, e), e)
        if isinstance(e.type, DataType) and (made := e.type.of_kind("tuple")) is not None:
            match index:
                case ast.Constant(value=int() as place) if 0 <= place < len(made.fields):
                    return x.field(made, place, e)
        return self.fail(node, f"the subscript {_short(node)}")  # type: ignore[no-any-return]

    def _member(self, item: ast.expr, of: ast.expr, env: Env) -> Expr:
        e = self.expr(item, env)
        if isinstance(of, ast.Tuple | ast.List | ast.Set):
            return x.or_(*(x.eq(e, self.expr(part, env, e.type)) for part in of.elts))
        if (
            isinstance(of, ast.Call)
            and isinstance(of.func, ast.Name)
            and of.func.id == "range"
            and len(of.args) <= 2
        ):
            bounds = [self.expr(a, env, INT) for a in of.args]
            return x.and_(x.le(bounds[0] if len(bounds) == 2 else x.integer(0), e), x.lt(e, bounds[-1]))
        values = self.expr(of, env)
        if isinstance(values.type, DataType) and values.type.is_list:
            return member(self.library, values, self.coerce(e, values.type.element, item))
        return self.fail(of, f"membership in {_short(of)}")  # type: ignore[no-any-return]

    # --- calls ------------------------------------------------------------------------------------------

    def _call(self, node: ast.Call, env: Env, expected: Type | None) -> Expr:
        if not isinstance(node.func, ast.Name | ast.Attribute):
            self.fail(node)
        if isinstance(node.func, ast.Name) and node.func.id in env:
            self.fail(node, f"a call of the local {node.func.id}")
        target = self.constant(node.func)
        if isinstance(target, type) and target not in (int, bool, str, list, tuple):
            return self.construct(target, node, env, expected)
        if target is isinstance and len(node.args) == 2:
            subject = self.expr(node.args[0], env)
            classes = node.args[1].elts if isinstance(node.args[1], ast.Tuple) else [node.args[1]]
            return x.or_(*(self._isinstance(subject, self.constant(c), node)[0] for c in classes))
        if node.keywords:
            self.fail(node, f"keyword arguments in {_short(node)}")
        if target in (all, any) and len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp):
            inner = node.args[0]
            if len(inner.generators) != 1:
                self.fail(node, "nested for in a comprehension")
            loop = inner.generators[0]
            return self.quantifier(target.__name__, loop.target, loop.iter, loop.ifs, inner.elt, env, node)
        args = [self.expr(a, env) for a in node.args]
        if (
            target in (len, sum)
            and len(args) == 1
            and isinstance(args[0].type, DataType)
            and args[0].type.is_list
        ):
            return (length if target is len else total)(self.library, args[0])
        if target in (max, min) and len(args) == 2:
            a, b = args if target is max else (args[1], args[0])
            return x.ite(x.le(a, b), args[1], args[0])
        if target is abs and len(args) == 1:
            return x.ite(x.le(x.integer(0), args[0]), args[0], x.neg(args[0]))
        if target is bool and len(args) == 1:
            return self.truth_of(args[0], node)
        if not hasattr(target, "__code__"):
            self.fail(node, f"a call of {_short(node.func)}")
        return self.apply(target, args, node)

    def apply(self, native: Callable[..., Any], args: list[Expr], node: ast.AST) -> Expr:
        """Call a pure function; a function that does not call itself is written out in place."""
        function = self.library.function(native, tuple(a.type for a in args), self.source, node)
        args = [self.coerce(a, p.type, node) for a, p in zip(args, function.params)]
        if function.recursive or function.body is None:
            return x.call(function, *args)
        return x.substitute(function.body, dict(zip(function.params, args)))

    def construct(self, cls: type, node: ast.Call, env: Env, expected: Type | None) -> Expr:
        """A call of a dataclass."""
        made = expected.by_class(cls) if isinstance(expected, DataType) else None
        if made is None:
            try:
                kind = self.library.types.resolve(cls, self.source.scope)
            except UnknownType as error:
                self.fail(node, str(error))
            made = kind.by_class(cls) if isinstance(kind, DataType) else None
        if made is None:
            self.fail(node, f"a call of the class {cls.__name__}")
        assert made is not None
        given: dict[str, ast.expr] = dict(zip([n for n, _ in made.fields], node.args))
        given.update({k.arg: k.value for k in node.keywords if k.arg})
        if len(given) != len(made.fields) or any(isinstance(a, ast.Starred) for a in node.args):
            self.fail(node, f"{cls.__name__} without a value for every field")
        return x.con(made, *(self.expr(given[name], env, t) for name, t in made.fields))

    def _isinstance(self, subject: Expr, cls: Any, node: ast.AST) -> tuple[Expr, Constructor | None]:
        if not isinstance(subject.type, DataType):
            scalar = {int: INT, bool: BOOL, str: TEXT}.get(cls)
            return (TRUE, None) if scalar is subject.type else self.fail(node)
        found = [c for c in subject.type.constructors if _belongs(c, cls)]
        if not found:
            return FALSE, None
        return x.or_(*(x.is_con(c, subject) for c in found)), found[0] if len(found) == 1 else None

    def quantifier(
        self,
        which: str,
        target: ast.expr,
        over: ast.expr,
        conditions: list[ast.expr],
        body: ast.expr,
        env: Env,
        node: ast.AST,
    ) -> Expr:
        """``all(body for target in over if conditions)`` as a recursive function of the list."""
        pairs = _neighbours(over)
        values = self.expr(pairs or over, env)
        if not isinstance(values.type, DataType) or not values.type.is_list:
            self.fail(node, f"a loop over {_short(over)}")
        kind: DataType = values.type  # type: ignore[assignment]
        nil, cons = kind.constructors
        items = x.var("items", kind)
        head, tail = x.field(cons, 0, items), x.field(cons, 1, items)
        if pairs is not None:
            if not isinstance(target, ast.Tuple) or len(target.elts) != 2:
                self.fail(node, "zip of neighbours without two names")
            inner = self.bind(target.elts[0], head, env)  # type: ignore[attr-defined]
            inner = self.bind(target.elts[1], x.field(cons, 0, tail), inner)  # type: ignore[attr-defined]
        else:
            inner = self.bind(target, head, env)
        test = self.truth(body, inner)
        guard = x.and_(*(self.truth(c, inner) for c in conditions))
        test = x.or_(x.not_(guard), test) if which == "all" else x.and_(guard, test)
        captured = [v for v in x.variables(test) if v != items]
        params = (items, *(x.var(f"c{i}", v.type) for i, v in enumerate(captured)))
        test = x.substitute(test, dict(zip(captured, params[1:])))
        key = (which, kind, pairs is not None, test)
        function = self.library.functions.get(key)
        if function is None:
            function = Function(f"{which}_{_short(body)}", params, BOOL)
            function.recursive = True
            more = x.call(function, tail, *params[1:])
            step = x.and_(test, more) if which == "all" else x.or_(test, more)
            stop = x.const(which == "all", BOOL)
            if pairs is not None:
                step = x.ite(x.is_con(nil, tail), stop, step)
            function.body = x.ite(x.is_con(nil, items), stop, step)
            self.library.functions[key] = function
        return x.call(function, values, *captured)


# --- small helpers -----------------------------------------------------------------------------------------


def _same(kind: DataType, c: Constructor) -> Constructor | None:
    return next((d for d in kind.constructors if d.kind == c.kind and d.native is c.native), None)


def _belongs(c: Constructor, cls: Any) -> bool:
    if c.kind == "wrap":
        inside = c.fields[0][1]
        if isinstance(inside, DataType):
            return (cls is list and inside.is_list) or (cls is tuple and inside.of_kind("tuple") is not None)
        return {int: (INT, BOOL), bool: (BOOL,), str: (TEXT,)}.get(cls, ()).__contains__(inside)
    if c.kind == "class":
        return isinstance(cls, type) and issubclass(c.native, cls)
    return c.kind == "enum" and isinstance(cls, type) and isinstance(c.native, cls)


def _neighbours(node: ast.expr) -> ast.expr | None:
    """``xs`` if the node is ``zip(xs, xs[1:])`` or ``pairwise(xs)``."""
    match node:
        case ast.Call(func=ast.Name(id="pairwise") | ast.Attribute(attr="pairwise"), args=[only]):
            return only
        case ast.Call(
            func=ast.Name(id="zip"), args=[first, ast.Subscript(value=again, slice=ast.Slice() as cut)]
        ):
            plain = (
                isinstance(cut.lower, ast.Constant)
                and cut.lower.value == 1
                and not cut.upper
                and not cut.step
            )
            if plain and ast.dump(first) == ast.dump(again):
                return first
    return None


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


def _short(node: ast.AST) -> str:
    text = ast.unparse(node).split("\n")[0]
    return text if len(text) <= 40 else text[:37] + "..."
