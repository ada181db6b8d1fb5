"""Pure expressions: constants, names, arithmetic, lists and tuples, and the parts of a value."""

from __future__ import annotations

import ast
import enum
from typing import Any

from everycase.complete.frontend.calls import Calls, by_class, static_of
from everycase.complete.frontend.comparisons import Comparisons
from everycase.complete.frontend.containers import Containers
from everycase.complete.frontend.conversions import Conversions
from everycase.complete.frontend.library import Library
from everycase.complete.frontend.quantifiers import Quantifiers
from everycase.complete.frontend.scope import Scope, short
from everycase.complete.frontend.source import FunctionSource
from everycase.complete.language import expressions as x
from everycase.complete.language.expressions import Env, Expr
from everycase.complete.language.list_functions import (
    append,
    at_place,
    backwards,
    before_last,
    elements_of,
    last,
    length,
    numbers,
    repeated,
)
from everycase.complete.language.types import BOOL, INT, TEXT, Constructor, DataType, Type
from everycase.complete.language.unfolding import unfolded
from everycase.complete.language.wrapped import items_of

SLICED = 8  # maximum number in a slice
BITS = 64  # maximum number of places in a shift
POWERS = 1_000  # maximum exponent that is written out


class Expressions:
    """Translates the expressions of one function."""

    def __init__(self, library: Library, source: FunctionSource) -> None:
        self.library, self.source = library, source
        self.scope = Scope(source)
        self.values = Conversions(library.types, self.scope)
        self.containers = Containers(library, self.values)
        self.comparisons, self.quantifiers = Comparisons(self), Quantifiers(self)
        self.calls = Calls(self, self.quantifiers)

    def truth(self, node: ast.expr, env: Env) -> Expr:
        """An expression used as a condition."""
        if isinstance(node, ast.BoolOp):
            parts = [self.truth(v, env) for v in node.values]
            return (x.and_ if isinstance(node.op, ast.And) else x.or_)(*parts)
        return self.truth_of(self.expr(node, env), node)

    def truth_of(self, e: Expr, node: ast.AST) -> Expr:
        """The truth value of a value."""
        return self.values.truth_of(e, node)

    def expr(self, node: ast.expr, env: Env, expected: Type | None = None) -> Expr:
        """Any pure expression; ``expected`` decides the type of ``[]`` and of constructors of unions."""
        made = self.uncoerced(node, env, expected)
        return made if expected is None else self.values.coerce(made, expected, node)

    def number(self, node: ast.expr, env: Env) -> Expr:
        return self.expr(node, env, INT)

    def uncoerced(self, node: ast.expr, env: Env, expected: Type | None) -> Expr:
        match node:
            case ast.Constant(value=enum.Enum() as value):  # the default of a parameter
                return self.values.embed(value, expected, node)
            case ast.Constant(value=bool() as value):
                return x.const(value, BOOL)
            case ast.Constant(value=int() as value):
                return x.integer(value)
            case ast.Constant(value=float() | bytes() as value):
                return self.containers.constant(value, node) or self.scope.fail(node)
            case ast.Dict(keys=keys, values=parts) if None not in keys:
                wanted = _value_type(expected)
                made_keys = [self._key(k, env) for k in keys if k is not None]
                made_parts = [self.expr(p, env, wanted) for p in parts]
                return self.containers.dictionary(made_keys, made_parts, expected, node)
            case ast.Dict(keys=keys, values=parts):
                return self._merged(keys, parts, env, expected, node)
            case ast.Constant(value=str() as value):
                self.values.check_text(value, node)
                if self.library.types.open_text and not _has_literals(expected):
                    return self.containers.constant(value, node) or self.scope.fail(node)
                return x.const(value, TEXT)
            case ast.Constant(value=None) if isinstance(expected, DataType) and expected.of_kind("none"):
                return x.con(expected.of_kind("none"))  # type: ignore[arg-type]
            case ast.Constant(value=None):
                return x.con(self.library.types.resolve(None, {}).constructors[0])  # type: ignore[attr-defined]
            case ast.Name(id=name) if name in env:
                return env[name]
            case ast.Name() | ast.Attribute() if self.scope.is_constant(node, env):
                return self._global(node, expected)
            case ast.Attribute(value=value, attr=attr):
                return self.attribute(self.expr(value, env), attr, node)
            case ast.List(elts=parts):
                return self._list(parts, env, expected, node)
            case ast.Set(elts=parts):
                whole = self._list(parts, env, None, node)
                return unfolded(self.containers.as_set(set, whole, node))
            case ast.Tuple(elts=parts):
                return self._tuple(parts, env, expected)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return x.not_(self.truth(operand, env))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                whole = self.expr(operand, env)
                return self.containers.negative(whole) or x.neg(self.values.coerce(whole, INT, operand))
            case ast.BinOp():
                return self._arithmetic(node, env)
            case ast.BoolOp():
                return self._and_or(node, env, expected)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                yes = self.expr(body, env, expected)
                return self.choose(self.truth(test, env), yes, self.expr(orelse, env, expected), node)
            case ast.Compare(left=left, ops=ops, comparators=rights):
                return self.comparisons.comparison(left, ops, rights, env)
            case ast.Subscript(value=value, slice=index):
                return self.subscript(self.expr(value, env), index, node, env)
            case ast.Call():
                return self.calls.call(node, env, expected)
            case ast.ListComp(elt=elt, generators=loops) | ast.GeneratorExp(elt=elt, generators=loops):
                return self.quantifiers.fold("list", loops, elt, env, node)
            case ast.JoinedStr(values=parts):
                return self._formatted(parts, env, node)
        self.scope.fail(node)

    def _key(self, node: ast.expr, env: Env) -> Expr:
        """A key of a dictionary that is written out; the characters of a constant do not matter."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return x.const(node.value, TEXT)
        return self.expr(node, env)

    def _merged(
        self,
        keys: list[ast.expr | None],
        parts: list[ast.expr],
        env: Env,
        expected: Type | None,
        node: ast.AST,
    ) -> Expr:
        """``{**one, "key": value}``, where the keys of ``one`` are known."""
        found: dict[Any, tuple[Expr, Expr]] = {}
        for key, part in zip(keys, parts):
            if key is not None:
                name, value = self._key(key, env), self.expr(part, env, _value_type(expected))
                found[name.data if name.op == "const" else name] = name, value
                continue
            whole = self.expr(part, env)
            if self.containers.of_kind(whole, "keys"):
                made = whole.type.constructors[0]  # type: ignore[attr-defined]
                inside = [(x.const(n, TEXT), x.field(made, i, whole)) for i, (n, _) in enumerate(made.fields)]
            elif (
                self.containers.of_kind(whole, "dict") and (pairs := elements_of(items_of(whole))) is not None
            ):
                inside = [(self.containers.of_pair(p, 0), self.containers.of_pair(p, 1)) for p in pairs]
            else:
                self.scope.fail(node, "a dictionary that takes over keys that are not known one by one")
            for name, value in inside:
                found[name.data if name.op == "const" else name] = name, value
        return self.containers.dictionary(
            [k for k, _ in found.values()], [v for _, v in found.values()], expected, node
        )

    def _formatted(self, parts: list[ast.expr], env: Env, node: ast.JoinedStr) -> Expr:
        """An f-string: computed where its parts are known, and else a string of which nothing is known."""
        inside = [p for p in parts if isinstance(p, ast.FormattedValue)]
        given = [self.expr(p.value, env) for p in inside]
        if any(e.type not in (INT, TEXT, BOOL) and not self.containers.of_kind(e, "text") for e in given):
            self.scope.fail(node)
        names = [f"part{i}" for i in range(len(inside))]
        shown = [
            ast.FormattedValue(ast.Name(names[inside.index(p)], ast.Load()), p.conversion, p.format_spec)
            if isinstance(p, ast.FormattedValue) else p
            for p in parts
        ]  # fmt: skip
        if any(isinstance(n, ast.Name) and n.id not in names for p in shown for n in ast.walk(p)):
            self.scope.fail(node)  # a format that is computed
        spots = ast.arguments([], [ast.arg(n) for n in names], None, [], [], None, [])
        function = ast.Expression(ast.Lambda(spots, ast.JoinedStr(shown)))
        code = compile(ast.fix_missing_locations(ast.copy_location(function, node)), "<f-string>", "eval")
        return self.library.computed(ast.unparse(function), eval(code, {}), given)

    def _global(self, node: ast.expr, expected: Type | None) -> Expr:
        value = self.scope.constant(node)
        plain = isinstance(value, enum.Enum) or type(value) in (int, bool, str)
        if type(value) is str and self.library.types.open_text:
            plain = _has_literals(expected)
        made = None if plain else self.containers.constant(value, node)
        return made or self.values.embed(value, expected, node)

    def _and_or(self, node: ast.BoolOp, env: Env, expected: Type | None) -> Expr:
        """``a and b`` is one of its parts: ``b`` if ``a`` is true as a condition, else ``a`` itself."""
        parts = [self.uncoerced(v, env, expected) for v in node.values]
        stop = isinstance(node.op, ast.Or)
        if all(p.type is BOOL for p in parts):
            return (x.or_ if stop else x.and_)(*parts)
        made = parts[-1]
        for part, spot in zip(reversed(parts[:-1]), reversed(node.values[:-1])):
            test = self.truth_of(part, spot)
            kind = expected if isinstance(expected, DataType) else made.type
            part, made = self.values.coerce(part, kind, spot), self.values.coerce(made, kind, spot)
            made = x.ite(test, part, made) if stop else x.ite(test, made, part)
        return made

    def choose(self, test: Expr, yes: Expr, no: Expr, node: ast.AST) -> Expr:
        return x.ite(test, yes, self.values.coerce(no, yes.type, node))

    def bind(self, target: ast.expr, value: Expr, env: Env) -> dict[str, Expr]:
        """``x = value`` or ``x, y = value``."""
        if isinstance(target, ast.Starred):
            target = target.value
        if isinstance(target, ast.Name):
            return {**env, target.id: value}
        if isinstance(target, ast.Tuple) and isinstance(value.type, DataType):
            made = value.type.as_tuple
            if made is not None and len(made.fields) == len(target.elts):
                bound = dict(env)
                for i, part in enumerate(target.elts):
                    bound = self.bind(part, x.field(made, i, value), bound)
                return bound
        self.scope.fail(target, f"assignment to {short(target)}")

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
            self.scope.fail(
                node, "an empty list whose element type is not known here; write `name: list[int] = []`"
            )
        if not isinstance(kind, DataType) or not kind.is_list:
            self.scope.fail(node, f"a starred value of type {kind}")
        nil, cons = kind.constructors
        result: Expr | None = None
        for starred, e in reversed(made):
            if not starred:
                result = x.con(cons, self.values.coerce(e, kind.element, node), result or x.con(nil))
            elif result is None:
                result = self.values.coerce(e, kind, node)
            else:
                result = append(self.library.functions, self.values.coerce(e, kind, node), result)
        return result or x.con(nil)

    def _tuple(self, parts: list[ast.expr], env: Env, expected: Type | None) -> Expr:
        made = expected.of_kind("tuple") if isinstance(expected, DataType) else None
        if made is not None and len(made.fields) != len(parts):
            made = None
        if isinstance(expected, DataType) and (row := expected.of_kind("sequence")) is not None:
            whole = ast.copy_location(ast.List(parts, ast.Load()), parts[0]) if parts else None
            inside = row.fields[0][1]
            assert isinstance(inside, DataType)
            return x.con(row, self.expr(whole, env, inside) if whole else x.con(inside.constructors[0]))
        kinds: list[Type | None] = [t for _, t in made.fields] if made else [None] * len(parts)
        values = [self.expr(p, env, k) for p, k in zip(parts, kinds)]
        made = made or self.library.types.tuple_of(tuple(v.type for v in values)).constructors[0]
        return x.con(made, *values)

    def _arithmetic(self, node: ast.BinOp, env: Env) -> Expr:
        left = self.expr(node.left, env)
        if isinstance(node.op, ast.Add) and any(self.containers.of_kind(left, k) for k in ("text", "bytes")):
            whole = append(
                self.library.functions, items_of(left), items_of(self.expr(node.right, env, left.type))
            )
            return x.con(left.type.constructors[0], whole)  # type: ignore[attr-defined]
        if isinstance(left.type, DataType) and left.type.is_list and isinstance(node.op, ast.Add):
            return append(self.library.functions, left, self.expr(node.right, env, left.type))
        right = self.expr(node.right, env)
        if left.type is right.type is TEXT and isinstance(node.op, ast.Add):
            return self.library.computed("+", str.__add__, [left, right])
        if isinstance(node.op, ast.Mult):
            for many, times in ((left, right), (right, left)):
                if times.type is INT and (copies := self._copies(many, times)) is not None:
                    return copies
        sets = self.containers.of_sets(node.op, left, right)
        if sets is not None:
            return sets
        stamps = self.containers.arithmetic(node.op, left, right, node)
        if stamps is not None:
            return stamps
        left, right = (_as_number(e) for e in (left, right))
        left, right = self.values.coerce(left, INT, node.left), self.values.coerce(right, INT, node.right)
        match node.op:
            case ast.Add():
                return x.add(left, right)
            case ast.Sub():
                return x.sub(left, right)
            case ast.Mult():
                return x.mul(left, right)
            case ast.FloorDiv() | ast.Mod():
                if right.op != "const" or right.data == 0:
                    self.scope.fail(node, "// or % by something other than a constant that is not zero")
                return (x.div if isinstance(node.op, ast.FloorDiv) else x.mod)(left, right)
            case ast.LShift() if right.op == "const" and 0 <= right.data <= BITS:
                return x.mul(left, x.integer(1 << right.data))
            case ast.RShift() if right.op == "const" and 0 <= right.data <= BITS:
                return x.div(left, x.integer(1 << right.data))
            case ast.BitAnd() if (
                right.op == "const" and right.data >= 0 and not right.data & (right.data + 1)
            ):
                return x.mod(left, x.integer(right.data + 1))  # the last bits
            case ast.Pow() if left.op == right.op == "const" and 0 <= right.data <= POWERS:
                return x.integer(left.data**right.data)
            case ast.Pow() if right == x.integer(2):
                return x.mul(left, left)
        self.scope.fail(node)

    def _copies(self, e: Expr, times: Expr) -> Expr | None:
        """``[0] * n`` and ``"ab" * n``; None for anything else."""
        if e.type is TEXT and e.op == times.op == "const" and len(e.data) * times.data <= POWERS:
            return x.const(e.data * times.data, TEXT)
        if isinstance(e.type, DataType) and e.type.is_list:
            return repeated(self.library.functions, e, times)
        if self.containers.of_kind(e, "text") or self.containers.of_kind(e, "bytes"):
            return x.con(e.type.constructors[0], repeated(self.library.functions, items_of(e), times))  # type: ignore[attr-defined]
        return None

    # --- looking into a value -------------------------------------------------------------------------

    def attribute(self, e: Expr, name: str, node: ast.AST) -> Expr:
        """``e.name`` of a dataclass: a field, or a property."""
        stamp = self.containers.attribute(e, name, node)
        if stamp is not None:
            return stamp
        if name in ("value", "name") and (member := self._of_member(e, name, node)) is not None:
            return member
        computed = self._properties(e, name, node)
        if computed is not None:
            return computed
        if isinstance(e.type, DataType):
            owners = [(c, i) for c in e.type.constructors for i, (n, _) in enumerate(c.fields) if n == name]
            holders = [c for c, _ in owners]
            for c in e.type.constructors:
                # a property or a ClassVar: Python finds it there too, but it is not a field
                if c not in holders and c.native is not None and hasattr(c.native, name):
                    self.scope.fail(
                        node, f"the attribute {name}, which {c.name} has without it being a field"
                    )
            if owners and owners[0][0].kind == "class":
                result = x.field(owners[-1][0], owners[-1][1], e)
                for c, i in reversed(owners[:-1]):
                    part = x.field(c, i, e)
                    result = x.ite(x.is_con(c, e), part, self.values.coerce(result, part.type, node))
                return result
        self.scope.fail(node, f"the attribute {name} of a value of type {e.type}")

    def _of_member(self, e: Expr, name: str, node: ast.AST) -> Expr | None:
        """``e.value`` and ``e.name`` of a member of an enum; None for anything else."""
        kinds = e.type.constructors if isinstance(e.type, DataType) else []
        if not kinds or any(c.kind != "enum" for c in kinds):
            return None
        if any(name in vars(cls) for cls in type(kinds[0].native).__mro__ if cls.__module__ != "enum"):
            return None  # a field or a property of the user's
        made = [self.containers.constant(getattr(c.native, name), node) for c in kinds]
        if any(m is None or m.type is not made[0].type for m in made):  # type: ignore[union-attr]
            return None
        result = made[-1]
        for c, value in zip(reversed(kinds[:-1]), reversed(made[:-1])):
            result = x.ite(x.is_con(c, e), value, result)  # type: ignore[arg-type]
        return result

    def of_range(self, node: ast.expr, env: Env) -> Expr | None:
        """The numbers of ``range(...)``, as a list; None for any other expression."""
        if (
            not isinstance(node, ast.Call)
            or node.keywords
            or not self.scope.is_builtin(node.func, range, env)
        ):
            return None
        bounds = [self.number(a, env) for a in node.args]
        if not 1 <= len(bounds) <= 2:
            self.scope.fail(node, f"a call of {short(node)}")
        kind = self.library.types.list_of(INT)
        low = bounds[0] if bounds[1:] else x.integer(0)
        return unfolded(numbers(self.library.functions, low, bounds[-1], kind))

    def _properties(self, e: Expr, name: str, node: ast.AST) -> Expr | None:
        """``e.name``, if it is a property of some of the values, or an attribute of members of an enum; None if it is
        neither."""
        kinds = e.type.constructors if isinstance(e.type, DataType) else []
        found = [(c, static_of(c, name)) for c in kinds]
        if not any(isinstance(f, property) for _, f in found) and not any(
            _set_on_member(c, name) for c in kinds
        ):
            return None
        ways: dict[Any, tuple[list[Constructor], Expr]] = {}
        for c, what in found:
            place = next((i for i, (n, _) in enumerate(c.fields) if n == name), None)
            if isinstance(what, property) and what.fget is not None and place is None:
                if id(what) not in ways:
                    ways[id(what)] = ([], self.calls.apply(what.fget, [e], node))
                ways[id(what)][0].append(c)
            elif c.kind == "class" and place is not None:
                ways[c.index, name] = ([c], x.field(c, place, e))
            elif _set_on_member(c, name) and (made := self.containers.constant(vars(c.native)[name], node)):
                ways[c.index, name] = ([c], made)
            else:
                return None
        return by_class(list(ways.values()), e, self.values, node)

    def subscript(self, e: Expr, index: ast.expr, node: ast.AST, env: Env) -> Expr:
        """``e[0]``, ``e[-1]``, ``e[1:]`` and ``e[:2]`` of lists, ``e[2]`` of tuples, ``e[key]`` of dictionaries."""
        if self.containers.of_kind(e, "dict"):
            return self.containers.at_key(e, self.expr(index, env), node)
        if self.containers.of_kind(e, "keys") and isinstance(index, ast.Constant):
            made = e.type.constructors[0]  # type: ignore[attr-defined]
            for i, (name, _) in enumerate(made.fields):
                if name == index.value:
                    return x.field(made, i, e)
        if self.containers.of_kind(e, "text"):
            part = self.subscript(items_of(e), index, node, env)
            if not isinstance(index, ast.Slice):
                return self.containers.character(part)
            return x.con(e.type.constructors[0], part)  # type: ignore[attr-defined]
        if self.containers.of_kind(e, "sequence") or self.containers.of_kind(e, "bytes"):
            part = self.subscript(items_of(e), index, node, env)
            return x.con(e.type.constructors[0], part) if isinstance(index, ast.Slice) else part  # type: ignore[attr-defined]
        if isinstance(e.type, DataType) and e.type.of_kind("none") and len(e.type.constructors) == 2:
            wrapped = e.type.of_kind("wrap")  # `tuple[int, int] | None`, after a test for None
            if wrapped is not None and isinstance(wrapped.fields[0][1], DataType):
                e = x.field(wrapped, 0, e)
        if isinstance(e.type, DataType) and e.type.is_list:
            cons = e.type.constructors[1]
            match index:
                case ast.Constant(value=int() as place) if not isinstance(place, bool) and place >= 0:
                    for _ in range(place):
                        e = x.field(cons, 1, e)
                    return x.field(cons, 0, e)
                case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=1)):
                    return x.ite(x.is_con(cons, e), last(self.library.functions, e), x.field(cons, 0, e))
                case ast.Slice(lower=None | ast.Constant(), upper=None | ast.Constant(), step=None):
                    low, high = ((side.value if side else None) for side in (index.lower, index.upper))  # type: ignore[attr-defined]
                    if all(n is None or (type(n) is int and 0 <= n <= SLICED) for n in (low, high)):
                        return _sliced(e, low or 0, high)
                case ast.Slice(
                    lower=None, upper=ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=1)), step=None
                ):
                    return before_last(self.library.functions, e)
                case _ if not isinstance(index, ast.Slice) and (known := elements_of(e)):
                    return self._at(known, self.number(index, env), e)
                case ast.Slice(
                    lower=None, upper=None, step=ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=1))
                ):
                    return backwards(self.library.functions, e)
                case _ if not isinstance(index, ast.Slice):
                    return self._somewhere(e, self.number(index, env))
        if isinstance(e.type, DataType) and (made := e.type.as_tuple) is not None:
            match index:
                case ast.Constant(value=int() as place) if 0 <= place < len(made.fields):
                    return x.field(made, place, e)
        self.scope.fail(node, f"the subscript {short(node)}")

    def _at(self, known: list[Expr], place: Expr, e: Expr) -> Expr:
        """One of the elements of a list that is written out; if there is none, a part that does not exist."""
        result = x.field(e.type.constructors[1], 0, x.con(e.type.constructors[0]))  # type: ignore[attr-defined]
        for i in reversed(range(len(known))):
            here = x.or_(x.eq(place, x.integer(i)), x.eq(place, x.integer(i - len(known))))
            result = x.ite(here, known[i], result)
        return result

    def _somewhere(self, e: Expr, place: Expr) -> Expr:
        """``e[place]`` of any list: from the left, or from the right if the place is below zero."""
        nil, cons = e.type.constructors  # type: ignore[attr-defined]
        functions = self.library.functions
        size = length(functions, e)
        from_left = x.and_(x.le(x.integer(0), place), x.lt(place, size))
        from_right = x.and_(x.lt(place, x.integer(0)), x.le(x.neg(size), place))
        nowhere = x.field(cons, 0, x.con(nil))
        right = x.ite(from_right, at_place(functions, e, x.add(size, place)), nowhere)
        return x.ite(from_left, at_place(functions, e, place), right)


def _set_on_member(c: Constructor, name: str) -> bool:
    """Has the ``__init__`` of an enum given this attribute to its member?"""
    return c.kind == "enum" and name in vars(c.native) and not name.startswith("_")


def _as_number(e: Expr) -> Expr:
    """A truth value in a sum or a product is 1 or 0."""
    return x.ite(e, x.integer(1), x.integer(0)) if e.type is BOOL else e


def _has_literals(expected: Type | None) -> bool:
    return isinstance(expected, DataType) and any(c.kind == "literal" for c in expected.constructors)


def _value_type(expected: Type | None) -> Type | None:
    """The type of the values of a dictionary."""
    if isinstance(expected, DataType) and expected.constructors[0].kind == "dict":
        pair = expected.constructors[0].fields[0][1].element  # type: ignore[attr-defined]
        return pair.constructors[0].fields[1][1]  # type: ignore[no-any-return]
    return None


def _sliced(e: Expr, low: int, high: int | None) -> Expr:
    """``e[low:high]`` of a list."""
    nil, cons = e.type.constructors  # type: ignore[attr-defined]
    if high is not None and high <= low:
        return x.con(nil)
    if e.op == "con" and e.data is nil:
        return e
    head, tail = x.field(cons, 0, e), x.field(cons, 1, e)
    if low:
        rest = _sliced(tail, low - 1, high - 1 if high is not None else None)
        return x.ite(x.is_con(cons, e), rest, x.con(nil))  # Python's [][1:] is []
    if high is None:
        return e
    return x.ite(x.is_con(cons, e), x.con(cons, head, _sliced(tail, 0, high - 1)), x.con(nil))
