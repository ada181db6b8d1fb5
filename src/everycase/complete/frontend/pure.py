"""Pure expressions: arithmetic, comparisons, constructors, calls, and loops over lists that ask a question."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable
from typing import Any

from everycase.complete.frontend.conversions import Conversions, Env, short
from everycase.complete.frontend.source import source_of, undecorated
from everycase.complete.language import expressions as x
from everycase.complete.language.classes import NO_DEFAULT, parts_of_class
from everycase.complete.language.expressions import Expr, Function
from everycase.complete.language.list_functions import (
    append,
    distinct,
    for_all,
    length,
    member,
    text_length,
    total,
)
from everycase.complete.language.types import BOOL, INT, TEXT, DataType, Type, UnknownType

POWERS = 1_000  # the largest exponent that is written out


class Pure(Conversions):
    """Translates the expressions of one function."""

    def truth(self, node: ast.expr, env: Env) -> Expr:
        """An expression used as a condition."""
        if isinstance(node, ast.BoolOp):
            parts = [self.truth(v, env) for v in node.values]
            return (x.and_ if isinstance(node.op, ast.And) else x.or_)(*parts)
        return self.truth_of(self.expr(node, env), node)

    def expr(self, node: ast.expr, env: Env, expected: Type | None = None) -> Expr:
        """Any pure expression; ``expected`` decides the type of ``[]`` and of constructors of unions."""
        made = self._expr(node, env, expected)
        return made if expected is None else self.coerce(made, expected, node)

    def number(self, node: ast.expr, env: Env) -> Expr:
        return self.expr(node, env, INT)

    def _expr(self, node: ast.expr, env: Env, expected: Type | None) -> Expr:
        match node:
            case ast.Constant(value=bool() as value):
                return x.const(value, BOOL)
            case ast.Constant(value=int() as value):
                return x.integer(value)
            case ast.Constant(value=str() as value):
                self.check_text(value, node)
                return x.const(value, TEXT)
            case ast.Constant(value=None) if isinstance(expected, DataType) and expected.of_kind("none"):
                return x.con(expected.of_kind("none"))  # type: ignore[arg-type]
            case ast.Constant(value=None):
                return x.con(self.library.types.resolve(None, {}).constructors[0])  # type: ignore[attr-defined]
            case ast.Name(id=name) if name in env:
                return env[name]
            case ast.Name() | ast.Attribute() if self.is_constant(node, env):
                return self.embed(self.constant(node), expected, node)
            case ast.Attribute(value=value, attr=attr):
                return self.attribute(self.expr(value, env), attr, node)
            case ast.List(elts=parts):
                return self._list(parts, env, expected, node)
            case ast.Tuple(elts=parts):
                return self._tuple(parts, env, expected)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return x.not_(self.truth(operand, env))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return x.neg(self.number(operand, env))
            case ast.BinOp():
                return self._arithmetic(node, env)
            case ast.BoolOp():
                return self._and_or(node, env, expected)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                yes = self.expr(body, env, expected)
                return self.choose(self.truth(test, env), yes, self.expr(orelse, env, expected), node)
            case ast.Compare(left=left, ops=ops, comparators=rights):
                return self._comparison(left, ops, rights, env)
            case ast.Subscript(value=value, slice=index):
                return self.subscript(self.expr(value, env), index, node)
            case ast.Call():
                return self._call(node, env, expected)
        return self.fail(node)  # type: ignore[no-any-return]

    def _and_or(self, node: ast.BoolOp, env: Env, expected: Type | None) -> Expr:
        """``a and b`` is one of its parts: ``b`` if ``a`` is true as a condition, else ``a`` itself."""
        parts = [self._expr(v, env, expected) for v in node.values]
        stop = isinstance(node.op, ast.Or)
        if all(p.type is BOOL for p in parts):
            return (x.or_ if stop else x.and_)(*parts)
        made = parts[-1]
        for part, spot in zip(reversed(parts[:-1]), reversed(node.values[:-1])):
            test = self.truth_of(part, spot)
            kind = expected if isinstance(expected, DataType) else made.type
            part, made = self.coerce(part, kind, spot), self.coerce(made, kind, spot)
            made = x.ite(test, part, made) if stop else x.ite(test, made, part)
        return made

    def choose(self, test: Expr, yes: Expr, no: Expr, node: ast.AST) -> Expr:
        return x.ite(test, yes, self.coerce(no, yes.type, node))

    def bind(self, target: ast.expr, value: Expr, env: Env) -> dict[str, Expr]:
        """``x = value`` or ``x, y = value``."""
        if isinstance(target, ast.Name):
            return {**env, target.id: value}
        if isinstance(target, ast.Tuple) and isinstance(value.type, DataType):
            made = value.type.as_tuple
            if made is not None and len(made.fields) == len(target.elts):
                bound = dict(env)
                for i, part in enumerate(target.elts):
                    bound = self.bind(part, x.field(made, i, value), bound)
                return bound
        return self.fail(target, f"assignment to {short(target)}")  # type: ignore[no-any-return]

    # --- lists, tuples, numbers -------------------------------------------------------------------------

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
            self.fail(
                node, "an empty list whose element type is not known here; write `name: list[int] = []`"
            )
        if not isinstance(kind, DataType) or not kind.is_list:
            self.fail(node, f"a starred value of type {kind}")
        nil, cons = kind.constructors  # type: ignore[union-attr]
        result: Expr | None = None
        for starred, e in reversed(made):
            if not starred:
                result = x.con(cons, self.coerce(e, kind.element, node), result or x.con(nil))  # type: ignore[union-attr]
            elif result is None:
                result = self.coerce(e, kind, node)  # type: ignore[arg-type]
            else:
                result = append(self.library, self.coerce(e, kind, node), result)  # type: ignore[arg-type]
        return result or x.con(nil)

    def _tuple(self, parts: list[ast.expr], env: Env, expected: Type | None) -> Expr:
        made = expected.of_kind("tuple") if isinstance(expected, DataType) else None
        if made is not None and len(made.fields) != len(parts):
            made = None
        kinds: list[Type | None] = [t for _, t in made.fields] if made else [None] * len(parts)
        values = [self.expr(p, env, k) for p, k in zip(parts, kinds)]
        made = made or self.library.types.tuple_of(tuple(v.type for v in values)).constructors[0]
        return x.con(made, *values)

    def _arithmetic(self, node: ast.BinOp, env: Env) -> Expr:
        left = self.expr(node.left, env)
        if isinstance(left.type, DataType) and left.type.is_list and isinstance(node.op, ast.Add):
            return append(self.library, left, self.expr(node.right, env, left.type))
        left, right = self.coerce(left, INT, node.left), self.number(node.right, env)
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
            case ast.Pow() if left.op == right.op == "const" and 0 <= right.data <= POWERS:
                return x.integer(left.data**right.data)
        return self.fail(node)  # type: ignore[no-any-return]

    # --- comparisons ------------------------------------------------------------------------------------

    def _comparison(self, left: ast.expr, ops: list[ast.cmpop], rights: list[ast.expr], env: Env) -> Expr:
        tests = []
        for op, right in zip(ops, rights):
            if isinstance(op, ast.In | ast.NotIn):
                inside = self._member(left, right, env)
                tests.append(x.not_(inside) if isinstance(op, ast.NotIn) else inside)
            elif isinstance(op, ast.Is | ast.IsNot):
                same = self._identical(left, right, env)
                tests.append(x.not_(same) if isinstance(op, ast.IsNot) else same)
            elif isinstance(op, ast.Eq | ast.NotEq):
                same = self._equal(left, right, env)
                tests.append(x.not_(same) if isinstance(op, ast.NotEq) else same)
            else:
                a, b = self.number(left, env), self.number(right, env)
                if isinstance(op, ast.Gt | ast.GtE):
                    a, b = b, a
                tests.append((x.lt if isinstance(op, ast.Lt | ast.Gt) else x.le)(a, b))
            left = right
        return x.and_(*tests)

    def _identical(self, left: ast.expr, right: ast.expr, env: Env) -> Expr:
        """``is`` means equality only for what exists once: None, True, False and the members of enums."""
        if isinstance(right, ast.Constant) and (right.value is None or isinstance(right.value, bool)):
            return self.singleton(self.expr(left, env), right.value, right)
        a = self.expr(left, env)
        once = isinstance(a.type, DataType) and all(c.kind in ("enum", "none") for c in a.type.constructors)
        if a.type is BOOL or once:
            return self._equal(left, right, env)
        return self.fail(right, f"`is` between values of type {a.type}")  # type: ignore[no-any-return]

    def _equal(self, left: ast.expr, right: ast.expr, env: Env) -> Expr:
        vague = (ast.List, ast.Call, ast.Constant, ast.Tuple)
        whole = self._set_of(left, env), self._set_of(right, env)
        if None not in whole or any(whole):
            return self._all_different(left, right, env)
        if isinstance(left, vague) and not isinstance(right, vague):
            left, right = right, left
        a = self.expr(left, env)
        if isinstance(right, ast.Constant) and right.value is None:
            return self.singleton(a, None, right)
        b = self._expr(right, env, a.type)
        if b.type is not a.type and isinstance(b.type, DataType) and isinstance(a.type, DataType):
            wide = a.type if len(a.type.constructors) >= len(b.type.constructors) else b.type
            return self.same(self.coerce(a, wide, left), self.coerce(b, wide, right), right)
        return self.same(a, self.coerce(b, a.type, right), right)

    def _set_of(self, node: ast.expr, env: Env) -> ast.expr | None:
        """``xs`` if the node is ``len(set(xs))``."""
        match node:
            case ast.Call(func=outer, args=[ast.Call(func=inner, args=[only], keywords=[])], keywords=[]):
                if self.is_builtin(outer, len, env) and self.is_builtin(inner, set, env):
                    return only
        return None

    def _all_different(self, left: ast.expr, right: ast.expr, env: Env) -> Expr:
        """``len(set(xs)) == len(xs)``, either way round."""
        for one, other in ((left, right), (right, left)):
            items = self._set_of(one, env)
            match other:
                case ast.Call(func=called, args=[again], keywords=[]) if items is not None:
                    if self.is_builtin(called, len, env) and ast.dump(again) == ast.dump(items):
                        values = self.expr(items, env)
                        if isinstance(values.type, DataType) and values.type.is_list:
                            self.same(values, values, one)
                            return distinct(self.library, values)
        return self.fail(left, "len(set(...)) other than len(set(xs)) == len(xs)")  # type: ignore[no-any-return]

    def _member(self, item: ast.expr, of: ast.expr, env: Env) -> Expr:
        e = self.expr(item, env)
        if isinstance(of, ast.Tuple | ast.List | ast.Set):
            return x.or_(*(self.same(e, self.expr(part, env, e.type), of) for part in of.elts))
        if isinstance(of, ast.Call) and self.is_builtin(of.func, range, env) and 1 <= len(of.args) <= 2:
            if of.keywords or any(isinstance(a, ast.Starred) for a in of.args):
                self.fail(of)
            bounds, e = [self.number(a, env) for a in of.args], self.coerce(e, INT, item)
            return x.and_(x.le(bounds[0] if len(bounds) == 2 else x.integer(0), e), x.lt(e, bounds[-1]))
        values = self.expr(of, env)
        if isinstance(values.type, DataType) and values.type.is_list:
            wanted = self.coerce(e, values.type.element, item)
            self.same(wanted, wanted, of)  # membership compares
            return member(self.library, values, wanted)
        return self.fail(of, f"membership in {short(of)}")  # type: ignore[no-any-return]

    # --- calls ------------------------------------------------------------------------------------------

    def is_builtin(self, node: ast.expr, wanted: object, env: Env) -> bool:
        """Does the name mean this very object of Python, not something of the user's?"""
        return self.is_constant(node, env) and self.constant(node) is wanted

    def _call(self, node: ast.Call, env: Env, expected: Type | None) -> Expr:
        if not isinstance(node.func, ast.Name | ast.Attribute):
            self.fail(node)
        if isinstance(node.func, ast.Name) and node.func.id in env:
            self.fail(node, f"a call of the local {node.func.id}")
        if isinstance(node.func, ast.Attribute) and not self.is_constant(node.func, env):
            return self._method(node.func, node, env)
        target = self.constant(node.func)
        if isinstance(target, type) and target not in (int, bool, str, list, tuple):
            return self.construct(target, node, env, expected)
        if hasattr(target, "__code__") or hasattr(target, "__wrapped__"):
            names = tuple(source_of(target).parameters)
            given = self.with_defaults(target, names, self.arguments(node, names, node.args), node)
            return self.apply(target, [self.expr(given[n], env) for n in names], node)
        if node.keywords:
            self.fail(node, f"keyword arguments in {short(node)}")
        if target is isinstance and len(node.args) == 2:
            subject = self.expr(node.args[0], env)
            classes = node.args[1].elts if isinstance(node.args[1], ast.Tuple) else [node.args[1]]
            return x.or_(*(self.is_instance(subject, self.constant(c), node)[0] for c in classes))
        if target in (all, any) and len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp):
            inner = node.args[0]
            if len(inner.generators) != 1:
                self.fail(node, "nested for in a comprehension")
            loop = inner.generators[0]
            return self.quantifier(target.__name__, loop.target, loop.iter, loop.ifs, inner.elt, env, node)
        args = [self.expr(a, env) for a in node.args]
        if target is len and len(args) == 1 and args[0].type is TEXT:
            return text_length(self.library, args[0])
        if (
            target in (len, sum)
            and len(args) == 1
            and isinstance(args[0].type, DataType)
            and args[0].type.is_list
            and (target is len or args[0].type.element is INT)
        ):
            return (length if target is len else total)(self.library, args[0])
        if target in (max, min) and len(args) == 2:
            first, second = (self.coerce(a, INT, node) for a in args)
            swap = x.le(first, second) if target is max else x.lt(second, first)
            return x.ite(swap, second, first)
        if target is abs and len(args) == 1:
            only = self.coerce(args[0], INT, node)
            return x.ite(x.le(x.integer(0), only), only, x.neg(only))
        if target is bool and len(args) == 1:
            return self.truth_of(args[0], node)
        return self.fail(node, f"a call of {short(node.func)}")  # type: ignore[no-any-return]

    def _method(self, called: ast.Attribute, node: ast.Call, env: Env) -> Expr:
        """``e.method(...)`` of a dataclass or a named tuple."""
        owner = self.expr(called.value, env)
        native = self.own_function(owner, called.attr, node)
        names = tuple(source_of(native).parameters)[1:]
        given = self.with_defaults(native, names, self.arguments(node, names, node.args), node)
        return self.apply(native, [owner, *(self.expr(given[n], env) for n in names)], node)

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
        given = self.arguments(node, made.positional, node.args)
        defaults = {p.name: p.default for p in parts_of_class(cls)}
        for name, _ in made.fields:
            if name not in given and defaults[name] is not NO_DEFAULT:
                new_list = ast.copy_location(ast.List([], ast.Load()), node)
                default = defaults[name]
                given[name] = new_list if default == [] else self._written_out(default, name, node)
        if set(given) != {name for name, _ in made.fields}:
            self.fail(node, f"{cls.__name__} without a value for every field")
        return x.con(made, *(self.expr(given[name], env, t) for name, t in made.fields))

    def with_defaults(
        self, native: Callable[..., Any], names: tuple[str, ...], given: dict[str, ast.expr], node: ast.Call
    ) -> dict[str, ast.expr]:
        """The arguments of a call and the defaults of those that are left out, for exactly these parameters."""
        defaults = undecorated(native).__defaults__ or ()
        for name, value in zip(reversed(names), reversed(defaults)):
            if name not in given:
                given = {**given, name: self._written_out(value, name, node)}
        if set(given) != set(names):
            self.fail(node, f"the arguments of this call of {short(node.func)}")
        return given

    def _written_out(self, value: Any, name: str, node: ast.AST) -> ast.expr:
        """A default as if it stood in the call."""
        if value is not None and type(value) not in (int, bool, str):
            self.fail(node, f"the default of {name}, which is not a number, a string, a truth or None")
        return ast.copy_location(ast.Constant(value), node)

    def arguments(
        self, node: ast.Call, positional: tuple[str, ...], given: list[ast.expr]
    ) -> dict[str, ast.expr]:
        """The arguments of a call by name; what Python would refuse, or ``*`` and ``**``, is unsupported."""
        if len(given) > len(positional) or any(isinstance(a, ast.Starred) for a in given):
            self.fail(node, f"the arguments of this call of {short(node.func)}")
        found = dict(zip(positional, given))
        for keyword in node.keywords:
            if keyword.arg is None or keyword.arg in found:
                self.fail(node, f"the arguments of this call of {short(node.func)}")
            found[keyword.arg] = keyword.value  # type: ignore[index]
        return found

    # --- questions about lists --------------------------------------------------------------------------

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
        pairs = self._neighbours(over, env)
        values = self.expr(pairs or over, env)
        if not isinstance(values.type, DataType) or not values.type.is_list:
            self.fail(node, f"a loop over {short(over)}")
        kind: DataType = values.type  # type: ignore[assignment]
        nil, cons = kind.constructors
        # a loop inside a loop needs a name of its own, and so does one in a function of a parameter `items`
        self.library.loops += 1
        items = x.var(f"items'{self.library.loops}", kind)
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
        self.library.loops -= 1
        if which == "all" and pairs is None and guard == x.TRUE and test.op == "and":
            element = x.var(f"element'{self.library.loops}", kind.element)
            asked = x.substitute(test, {head: element})
            if not x.occurs(items, asked):
                return for_all(self.library, values, element, asked, f"all_{short(body)}")
        test = x.or_(x.not_(guard), test) if which == "all" else x.and_(guard, test)
        captured = [v for v in x.variables(test) if v != items]
        params = (items, *(x.var(f"c{i}", v.type) for i, v in enumerate(captured)))
        test = x.substitute(test, dict(zip(captured, params[1:])))
        key = (which, kind, pairs is not None, test)
        function = self.library.functions.get(key)
        if function is None:
            function = Function(f"{which}_{short(body)}", params, BOOL)
            function.recursive = True
            more = x.call(function, tail, *params[1:])
            step = x.and_(test, more) if which == "all" else x.or_(test, more)
            stop = x.const(which == "all", BOOL)
            if pairs is not None:
                step = x.ite(x.is_con(nil, tail), stop, step)
            function.body = x.ite(x.is_con(nil, items), stop, step)
            self.library.functions[key] = function
        return x.call(function, values, *captured)

    def _neighbours(self, node: ast.expr, env: Env) -> ast.expr | None:
        """``xs`` if the node is ``zip(xs, xs[1:])`` or ``pairwise(xs)``."""
        match node:
            case ast.Call(func=ast.Name() | ast.Attribute() as called, args=[only], keywords=[]):
                return only if self.is_builtin(called, itertools.pairwise, env) else None
            case ast.Call(
                func=called,
                args=[first, ast.Subscript(value=again, slice=ast.Slice(lower=lower, upper=None, step=None))],
                keywords=[],
            ) if self.is_builtin(called, zip, env):
                one = isinstance(lower, ast.Constant) and lower.value == 1
                return first if one and ast.dump(first) == ast.dump(again) else None
        return None
