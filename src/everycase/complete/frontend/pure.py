"""Pure expressions: arithmetic, comparisons, constructors, calls, and loops over lists that ask a question."""

from __future__ import annotations

import ast
import dataclasses
import datetime
import enum
import inspect
import itertools
import math
import sys
import types
from collections.abc import Callable
from typing import Any

from everycase.complete.frontend.containers import OF_CHARACTERS, Containers, Elements
from everycase.complete.frontend.conversions import Conversions
from everycase.complete.frontend.library import Library
from everycase.complete.frontend.scope import Scope, short
from everycase.complete.frontend.source import FunctionSource, is_installed, source_of, undecorated
from everycase.complete.language import expressions as x
from everycase.complete.language.classes import parts_of_class
from everycase.complete.language.expressions import Env, Expr, Function
from everycase.complete.language.list_functions import (
    append,
    at_place,
    backwards,
    before_last,
    distinct,
    elements_of,
    extreme,
    for_all,
    last,
    length,
    repeated,
    sorted_list,
    text_length,
    total,
)
from everycase.complete.language.types import BOOL, INT, TEXT, Constructor, DataType, Type, UnknownType
from everycase.complete.language.values import from_python
from everycase.complete.language.wrapped import LISTS, items_of
from everycase.complete.specification import Unsupported
from everycase.gen.records import NO_DEFAULT

LISTED = 64  # maximum number of constants that a value is compared with
SLICED = 8  # maximum number in a slice
POWERS = 1_000  # maximum exponent that is written out
#: Methods of strings that give another string, and the same one for the same arguments.
COMPUTED = (
    "upper", "lower", "title", "capitalize", "casefold", "swapcase", "strip", "lstrip", "rstrip", "zfill",
    "center", "ljust", "rjust", "replace", "removeprefix", "removesuffix",
)  # fmt: skip


class Expressions:
    """Translates the expressions of one function."""

    def __init__(self, library: Library, source: FunctionSource) -> None:
        self.library, self.source = library, source
        self.scope = Scope(source)
        self.values = Conversions(library.types, self.scope)
        self.containers = Containers(library, self.values)

    def truth(self, node: ast.expr, env: Env) -> Expr:
        """An expression used as a condition."""
        if isinstance(node, ast.BoolOp):
            parts = [self.truth(v, env) for v in node.values]
            return (x.and_ if isinstance(node.op, ast.And) else x.or_)(*parts)
        return self.truth_of(self.expr(node, env), node)

    def truth_of(self, e: Expr, node: ast.AST) -> Expr:
        """The truth value of a value."""
        return self.containers.truth(e) or self.values.truth_of(e, node)

    def expr(self, node: ast.expr, env: Env, expected: Type | None = None) -> Expr:
        """Any pure expression; ``expected`` decides the type of ``[]`` and of constructors of unions."""
        made = self._expr(node, env, expected)
        return made if expected is None else self.values.coerce(made, expected, node)

    def number(self, node: ast.expr, env: Env) -> Expr:
        return self.expr(node, env, INT)

    def _expr(self, node: ast.expr, env: Env, expected: Type | None) -> Expr:
        match node:
            case ast.Constant(value=bool() as value):
                return x.const(value, BOOL)
            case ast.Constant(value=int() as value):
                return x.integer(value)
            case ast.Constant(value=float() as value):
                return self.containers.constant(value, node) or self.scope.fail(node)
            case ast.Dict(keys=keys, values=parts) if None not in keys:
                wanted = _value_type(expected)
                made_keys = [self._key(k, env) for k in keys if k is not None]
                made_parts = [self.expr(p, env, wanted) for p in parts]
                return self.containers.dictionary(made_keys, made_parts, expected, node)
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
                return self.subscript(self.expr(value, env), index, node, env)
            case ast.Call():
                return self._call(node, env, expected)
            case ast.JoinedStr(values=parts):
                return self._formatted(parts, env, node)
        self.scope.fail(node)

    def _key(self, node: ast.expr, env: Env) -> Expr:
        """A key of a dictionary that is written out; the characters of a constant do not matter."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return x.const(node.value, TEXT)
        return self.expr(node, env)

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
        parts = [self._expr(v, env, expected) for v in node.values]
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
        kinds: list[Type | None] = [t for _, t in made.fields] if made else [None] * len(parts)
        values = [self.expr(p, env, k) for p, k in zip(parts, kinds)]
        made = made or self.library.types.tuple_of(tuple(v.type for v in values)).constructors[0]
        return x.con(made, *values)

    def _arithmetic(self, node: ast.BinOp, env: Env) -> Expr:
        left = self.expr(node.left, env)
        if self.containers.of_kind(left, "text") and isinstance(node.op, ast.Add):
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
        stamps = self.containers.arithmetic(node.op, left, right, node)
        if stamps is not None:
            return stamps
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
            case ast.Pow() if left.op == right.op == "const" and 0 <= right.data <= POWERS:
                return x.integer(left.data**right.data)
        self.scope.fail(node)

    def _copies(self, e: Expr, times: Expr) -> Expr | None:
        """``[0] * n`` and ``"ab" * n``; None for anything else."""
        if e.type is TEXT and e.op == times.op == "const" and len(e.data) * times.data <= POWERS:
            return x.const(e.data * times.data, TEXT)
        if isinstance(e.type, DataType) and e.type.is_list:
            return repeated(self.library.functions, e, times)
        if self.containers.of_kind(e, "text"):
            return x.con(e.type.constructors[0], repeated(self.library.functions, items_of(e), times))  # type: ignore[attr-defined]
        return None

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
                one, other = (right, left) if isinstance(op, ast.Gt | ast.GtE) else (left, right)
                tests.append(self._less(one, other, isinstance(op, ast.Lt | ast.Gt), env))
            left = right
        return x.and_(*tests)

    def _less(self, one: ast.expr, other: ast.expr, strict: bool, env: Env) -> Expr:
        """``one < other``, or ``one <= other``; of sets, inclusion."""
        sets = self._set_elements(one, env), self._set_elements(other, env)
        if sets[0] is not None and sets[1] is not None:
            inside = self.containers.included(sets[0], sets[1], one)
            return (
                x.and_(inside, x.not_(self.containers.included(sets[1], sets[0], one))) if strict else inside
            )
        a, b = self.expr(one, env), self.expr(other, env)
        found = self.containers.ordered(a, b, strict, one) or self.containers.years(a, b, strict)
        if found is not None:
            return found
        a, b = self.values.coerce(a, INT, one), self.values.coerce(b, INT, other)
        return (x.lt if strict else x.le)(a, b)

    def _set_elements(self, node: ast.expr, env: Env) -> Elements | None:
        """The elements of ``{a, b}``, ``set(xs)``, ``d.keys()`` or of a value that is a set; None for anything else."""
        match node:
            case ast.Set(elts=parts):
                return [self.expr(part, env) for part in parts]
            case ast.Call(func=ast.Name() as called, args=[], keywords=[]) if self.scope.is_builtin(
                called, set, env
            ):
                return []
            case ast.Call(func=ast.Name() as called, args=[only], keywords=[]) if any(
                self.scope.is_builtin(called, kind, env) for kind in (set, frozenset)
            ):
                return self._set_elements(only, env) or self._keys_or_all(self.expr(only, env))
            case ast.Call(func=ast.Attribute(value=inside, attr="keys"), args=[], keywords=[]):
                return self._keys_or_all(self.expr(inside, env))
            case ast.Name() | ast.Attribute() | ast.Subscript():
                e = self.expr(node, env)
                return e if self.containers.of_kind(e, "set") else None
        return None

    def _keys_or_all(self, e: Expr) -> Elements:
        """The keys of a dictionary whose keys are known, else the elements of a list."""
        if not self.containers.of_kind(e, "keys"):
            return e
        names = [name for name, _ in e.type.constructors[0].fields]  # type: ignore[attr-defined]
        return (
            [self.containers.constant(n, ast.Constant(n)) or x.const(n, TEXT) for n in names]
            if (self.library.types.open_text)
            else [x.const(n, TEXT) for n in names]
        )

    def _identical(self, left: ast.expr, right: ast.expr, env: Env) -> Expr:
        """``is`` means equality only for objects that exist once: None, True, False and the members of
        enums."""
        if isinstance(right, ast.Constant) and (right.value is None or isinstance(right.value, bool)):
            return self.values.singleton(self.expr(left, env), right.value, right)
        a = self.expr(left, env)
        once = isinstance(a.type, DataType) and all(c.kind in ("enum", "none") for c in a.type.constructors)
        if a.type is BOOL or once:
            return self._equal(left, right, env)
        self.scope.fail(right, f"`is` between values of type {a.type}")

    def _equal(self, left: ast.expr, right: ast.expr, env: Env) -> Expr:
        vague = (ast.List, ast.Call, ast.Constant, ast.Tuple)
        first, second = self._set_elements(left, env), self._set_elements(right, env)
        if first is not None and second is not None:
            return x.and_(
                self.containers.included(first, second, left), self.containers.included(second, first, left)
            )
        whole = self._set_of(left, env), self._set_of(right, env)
        if None not in whole or any(whole):
            return self._all_different(left, right, env)
        if isinstance(left, vague) and not isinstance(right, vague):
            left, right = right, left
        a = self.expr(left, env)
        if isinstance(right, ast.Constant) and right.value is None:
            return self.values.singleton(a, None, right)
        b = self._expr(right, env, a.type)
        floats = self.containers.equal(a, b, right)
        if floats is not None:
            return floats
        since, until = self.containers.years(b, a, False), self.containers.years(a, b, False)
        if since is not None and until is not None:
            return x.and_(since, until)
        if b.type is not a.type and isinstance(b.type, DataType) and isinstance(a.type, DataType):
            wide = a.type if len(a.type.constructors) >= len(b.type.constructors) else b.type
            return self.values.same(
                self.values.coerce(a, wide, left), self.values.coerce(b, wide, right), right
            )
        return self.values.same(a, self.values.coerce(b, a.type, right), right)

    def _set_of(self, node: ast.expr, env: Env) -> ast.expr | None:
        """``xs`` if the node is ``len(set(xs))``."""
        match node:
            case ast.Call(func=outer, args=[ast.Call(func=inner, args=[only], keywords=[])], keywords=[]):
                if self.scope.is_builtin(outer, len, env) and self.scope.is_builtin(inner, set, env):
                    return only
        return None

    def _all_different(self, left: ast.expr, right: ast.expr, env: Env) -> Expr:
        """``len(set(xs)) == len(xs)``, either way round."""
        for one, other in ((left, right), (right, left)):
            items = self._set_of(one, env)
            match other:
                case ast.Call(func=called, args=[again], keywords=[]) if items is not None:
                    if self.scope.is_builtin(called, len, env) and ast.dump(again) == ast.dump(items):
                        values = self.expr(items, env)
                        if isinstance(values.type, DataType) and values.type.is_list:
                            self.values.same(values, values, one)
                            return distinct(self.library.functions, values)
        self.scope.fail(left, "len(set(...)) other than len(set(xs)) == len(xs)")

    def _member(self, item: ast.expr, of: ast.expr, env: Env) -> Expr:
        e = self.expr(item, env)
        if isinstance(of, ast.Tuple | ast.List | ast.Set):
            return x.or_(*(self.values.same(e, self.expr(part, env, e.type), of) for part in of.elts))
        plain_range = isinstance(of, ast.Call) and self.scope.is_builtin(of.func, range, env)
        if isinstance(of, ast.Call) and plain_range and 1 <= len(of.args) <= 2:
            if of.keywords or any(isinstance(a, ast.Starred) for a in of.args):
                self.scope.fail(of)
            bounds, e = [self.number(a, env) for a in of.args], self.values.coerce(e, INT, item)
            return x.and_(x.le(bounds[0] if len(bounds) == 2 else x.integer(0), e), x.lt(e, bounds[-1]))
        if self.containers.of_kind(e, "text") and isinstance(of, ast.Constant) and isinstance(of.value, str):
            code = self.containers.code_of(e, of)
            return x.or_(*(x.eq(code, x.integer(ord(c))) for c in of.value))
        fixed = self.scope.evaluated(of, env)
        if fixed is not None and 0 < len(fixed) <= LISTED and all(type(v) in (int, str) for v in fixed):
            parts = [self.expr(ast.copy_location(ast.Constant(v), of), env) for v in fixed]
            return self.containers.is_in(e, parts, of)
        match of:
            case ast.Call(func=ast.Attribute(value=inside, attr="keys"), args=[], keywords=[]):
                of = inside
        whole = self.expr(of, env)
        if self.containers.of_kind(whole, "keys"):
            return self.containers.is_in(e, self._keys_or_all(whole), of)
        found = self.containers.contains(whole, e, item)
        return found if found is not None else self.scope.fail(of, f"membership in {short(of)}")

    # --- looking into a value -------------------------------------------------------------------------

    def own_function(self, e: Expr, name: str, node: ast.AST) -> Any:
        """The plain method of this name that all values of the type have."""
        kinds = e.type.constructors if isinstance(e.type, DataType) else []
        found = {id(f): f for c in kinds if (f := _plain_method(c, name)) is not None}
        if len(found) != 1 or not all(_plain_method(c, name) is not None for c in kinds):
            self.scope.fail(node, f"the method {name} of a value of type {e.type}")
        return next(iter(found.values()))

    def attribute(self, e: Expr, name: str, node: ast.AST) -> Expr:
        """``e.name`` of a dataclass: a field, or a property."""
        stamp = self.containers.attribute(e, name, node)
        if stamp is not None:
            return stamp
        computed = self._property(e, name)
        if computed is not None:
            return self.apply(computed, [e], node)
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

    def _property(self, e: Expr, name: str) -> Any:
        """The function behind a property that all values of the type share; None if there is none."""
        kinds = e.type.constructors if isinstance(e.type, DataType) else []
        found = [inspect.getattr_static(c.native, name, None) if c.kind == "class" else None for c in kinds]
        if found and all(isinstance(f, property) and f is found[0] for f in found):
            return found[0].fget  # type: ignore[union-attr]
        return None

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
        if self.containers.of_kind(e, "sequence"):
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

    # --- calls ------------------------------------------------------------------------------------------

    def _call(self, node: ast.Call, env: Env, expected: Type | None) -> Expr:
        if not isinstance(node.func, ast.Name | ast.Attribute):
            self.scope.fail(node)
        if isinstance(node.func, ast.Name) and node.func.id in env:
            self.scope.fail(node, f"a call of the local {node.func.id}")
        if isinstance(node.func, ast.Attribute) and not self.scope.is_constant(node.func, env):
            return self._method(node.func, node, env)
        target = self.scope.constant(node.func)
        made = self._of_container(target, node, env, expected)
        if made is not None:
            return made
        if target in (dataclasses.replace, attrs_evolve()) and len(node.args) == 1:
            return self._replaced(self.expr(node.args[0], env), node, env)
        if isinstance(target, type) and target not in (int, bool, str, list, tuple, set, frozenset, dict):
            return self.construct(target, node, env, expected)
        if hasattr(target, "__code__") or hasattr(target, "__wrapped__"):
            names = tuple(source_of(target).parameters)
            given = self.with_defaults(target, names, self.arguments(node, names, node.args), node)
            return self.apply(target, [self.expr(given[n], env) for n in names], node)
        if node.keywords:
            self.scope.fail(node, f"keyword arguments in {short(node)}")
        if target is isinstance and len(node.args) == 2:
            subject = self.expr(node.args[0], env)
            classes = node.args[1].elts if isinstance(node.args[1], ast.Tuple) else [node.args[1]]
            return x.or_(
                *(self.values.is_instance(subject, self.scope.constant(c), node)[0] for c in classes)
            )
        if target in (all, any) and len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp):
            inner = node.args[0]
            if len(inner.generators) != 1:
                self.scope.fail(node, "nested for in a comprehension")
            loop = inner.generators[0]
            return self.quantifier(target.__name__, loop.target, loop.iter, loop.ifs, inner.elt, env, node)
        args = [self.expr(a, env) for a in node.args]
        if target in (len, sum) and len(args) == 1:
            args = [self._one_with_elements(args[0])]
        if target is len and len(args) == 1 and args[0].type is TEXT:
            return text_length(self.library.functions, args[0])
        if target in (len, sum) and len(args) == 1:
            args = [self.containers.items(args[0]) or args[0]]
        if target is len and len(args) == 1 and isinstance(args[0].type, DataType):
            fixed = args[0].type.as_tuple
            if fixed is not None and len(args[0].type.constructors) == 1:
                return x.integer(len(fixed.fields))
        if (
            target in (len, sum)
            and len(args) == 1
            and isinstance(args[0].type, DataType)
            and args[0].type.is_list
            and (target is len or args[0].type.element is INT)
        ):
            return (length if target is len else total)(self.library.functions, args[0])
        if target in (max, min) and len(args) == 2:
            first, second = (self.values.coerce(a, INT, node) for a in args)
            swap = x.le(first, second) if target is max else x.lt(second, first)
            return x.ite(swap, second, first)
        if target is ord and len(args) == 1 and self.containers.of_kind(args[0], "text"):
            return self.containers.code_of(args[0], node)
        if target in (max, min) and len(args) == 1 and (items := self.containers.items(args[0])) is not None:
            return self._extreme(target is max, items, node)
        if target is sorted and len(args) == 1:
            return self._in_order(args[0], node)
        if target is abs and len(args) == 1:
            only = self.values.coerce(args[0], INT, node)
            return x.ite(x.le(x.integer(0), only), only, x.neg(only))
        if target is bool and len(args) == 1:
            return self.truth_of(args[0], node)
        self.scope.fail(node, f"a call of {short(node.func)}")

    def _empty(self, target: type, expected: Type | None) -> Expr | None:
        """``list()``, ``dict()`` and ``set()``, if the type is known."""
        if not isinstance(expected, DataType):
            return None
        if target is list and expected.is_list:
            return x.con(expected.constructors[0])
        made = expected.constructors[0]
        if made.kind in ("set", "dict") and made.native is target:
            return self.containers.listed(target, [], made.fields[0][1].element)  # type: ignore[attr-defined]
        return None

    def _extreme(self, greatest: bool, items: Expr, node: ast.AST) -> Expr:
        """``max(xs)`` or ``min(xs)`` of numbers; of an empty list there is none."""
        if items.type.element is not INT:  # type: ignore[attr-defined]
            self.scope.fail(node, f"{short(node)} of a value of type {items.type}")
        cons = items.type.constructors[1]  # type: ignore[attr-defined]
        found = extreme(self.library.functions, items, greatest)
        return x.ite(x.is_con(cons, items), found, x.field(cons, 0, items))

    def _in_order(self, e: Expr, node: ast.AST) -> Expr:
        """``sorted(e)`` of numbers."""
        if self.containers.of_kind(e, "set"):
            return items_of(e)  # which is kept in order
        items = self.containers.items(e)
        if items is None or items.type.element is not INT or self.containers.of_kind(e, "text"):  # type: ignore[attr-defined]
            self.scope.fail(node, f"sorted of a value of type {e.type}")
        return sorted_list(self.library.functions, items)

    def _of_container(self, target: Any, node: ast.Call, env: Env, expected: Type | None) -> Expr | None:
        """Dates and durations that are written out, ``tuple(xs)``, ``list(xs)``, ``math.isnan(f)``; None for others."""
        if target in (datetime.date, datetime.datetime, datetime.time) or target is float:
            try:
                given = [ast.literal_eval(a) for a in node.args]
                named = {k.arg: ast.literal_eval(k.value) for k in node.keywords if k.arg}
                return self.containers.constant(target(*given, **named), node)
            except (ValueError, TypeError):
                self.scope.fail(node, f"{short(node)}, which is not written out")
        if target is datetime.timedelta:
            places = ("days", "seconds", "microseconds", "milliseconds", "minutes", "hours", "weeks")
            named_parts = self.arguments(node, places, node.args)
            return self.containers.duration({n: self.number(e, env) for n, e in named_parts.items()})
        if target in (list, dict, set) and not node.args and not node.keywords:
            return self._empty(target, expected)
        if len(node.args) != 1 or node.keywords or isinstance(node.args[0], ast.GeneratorExp | ast.Starred):
            return None
        if target in (math.isnan, math.isinf, math.isfinite, abs):
            return self.containers.about_float(target, self.expr(node.args[0], env))
        if target not in (tuple, list):
            return None
        e = self.expr(node.args[0], env)
        items = self.containers.items(e)
        if items is None or any(self.containers.of_kind(e, kind) for kind in ("dict", "set", "text")):
            return None
        assert isinstance(items.type, DataType)
        if target is list:
            return items
        known = elements_of(items)
        wanted = expected.of_kind("tuple") if isinstance(expected, DataType) else None
        if wanted is not None and known is not None and len(known) == len(wanted.fields):
            return x.con(wanted, *(self.values.coerce(k, t, node) for k, (_, t) in zip(known, wanted.fields)))
        return x.con(self.library.types.wrapped_list(tuple, items.type.element).constructors[0], items)

    def _method(self, called: ast.Attribute, node: ast.Call, env: Env) -> Expr:
        """``e.method(...)`` of a dataclass or a named tuple."""
        owner = self.expr(called.value, env)
        if self.containers.of_kind(owner, "text"):
            match called.attr, node.args:
                case "startswith", [ast.Constant(value=str() as prefix)] if not node.keywords:
                    return self.containers.begins(owner, prefix, node)
                case name, [] if name in OF_CHARACTERS and not node.keywords:
                    return self.containers.about_character(owner, name, node)
        if owner.type is TEXT and called.attr in COMPUTED and not node.keywords:
            parts = [owner, *(self.expr(a, env) for a in node.args)]
            if all(e.type in (TEXT, INT) for e in parts):
                return self.library.computed(called.attr, getattr(str, called.attr), parts)
        if called.attr == "join" and len(node.args) == 1 and not node.keywords:
            return self._joined(owner, self.expr(node.args[0], env), node)
        if called.attr == "_replace" and not node.args:
            return self._replaced(owner, node, env)
        native = self.own_function(owner, called.attr, node)
        names = tuple(source_of(native).parameters)[1:]
        given = self.with_defaults(native, names, self.arguments(node, names, node.args), node)
        return self.apply(native, [owner, *(self.expr(given[n], env) for n in names)], node)

    def _joined(self, between: Expr, parts: Expr, node: ast.Call) -> Expr:
        """``between.join(parts)`` of strings that are known one by one."""
        known = elements_of(parts)
        if known is None or (between.type is not TEXT and not self.containers.of_kind(between, "text")):
            self.scope.fail(node, f"{short(node)} of strings that are not known one by one")
        if not known:
            return self.library.computed(
                "join", _join, [x.literal(from_python(between.type, ""), between.type)]
            )
        if between.type is TEXT:
            return self.library.computed("join", _join, [between, *known])
        made = items_of(known[-1])
        for part in reversed(known[:-1]):
            more = append(self.library.functions, items_of(between), made)
            made = append(self.library.functions, items_of(part), more)
        return x.con(between.type.constructors[0], made)  # type: ignore[attr-defined]

    def _replaced(self, e: Expr, node: ast.Call, env: Env) -> Expr:
        """``dataclasses.replace(e, field=...)``, ``attrs.evolve`` and ``e._replace(field=...)``."""
        made = e.type.constructors[0] if isinstance(e.type, DataType) else None
        given = {k.arg: k.value for k in node.keywords}
        if made is None or made.kind != "class" or len(e.type.constructors) != 1:  # type: ignore[attr-defined]
            self.scope.fail(node, f"{short(node)} of a value of type {e.type}")
        if not set(given) <= {name for name, _ in made.fields}:
            self.scope.fail(node, f"the arguments of this call of {short(node.func)}")
        parts = [
            self.expr(given[name], env, t) if name in given else x.field(made, i, e)
            for i, (name, t) in enumerate(made.fields)
        ]
        return x.con(made, *parts)

    def apply(self, native: Callable[..., Any], args: list[Expr], node: ast.AST) -> Expr:
        """Call a pure function; a function that does not call itself is inlined."""
        try:
            function = self.library.function(native, tuple(a.type for a in args), self.source, node)
        except Unsupported:
            if is_installed(native):  # the reported line should be the user's
                self.scope.fail(node, f"a call of {short(node)}")
            raise
        args = [self.values.coerce(a, p.type, node) for a, p in zip(args, function.params)]
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
                self.scope.fail(node, str(error))
            made = kind.by_class(cls) if isinstance(kind, DataType) else None
        if made is None:
            self.scope.fail(node, f"a call of the class {cls.__name__}")
        given = self.arguments(node, made.positional, node.args)
        defaults = {p.name: p.default for p in parts_of_class(cls)}
        for name, _ in made.fields:
            if name not in given and defaults[name] is not NO_DEFAULT:
                new_list = ast.copy_location(ast.List([], ast.Load()), node)
                default = defaults[name]
                given[name] = new_list if default == [] else self._written_out(default, name, node)
        if set(given) != {name for name, _ in made.fields}:
            self.scope.fail(node, f"{cls.__name__} without a value for every field")
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
            self.scope.fail(node, f"the arguments of this call of {short(node.func)}")
        return given

    def _written_out(self, value: Any, name: str, node: ast.AST) -> ast.expr:
        """A default as if it were written in the call."""
        if value is not None and type(value) not in (int, bool, str):
            self.scope.fail(node, f"the default of {name}, which is not a number, a string, a truth or None")
        return ast.copy_location(ast.Constant(value), node)

    def arguments(
        self, node: ast.Call, positional: tuple[str, ...], given: list[ast.expr]
    ) -> dict[str, ast.expr]:
        """The arguments of a call by name; calls that Python would reject, or ``*`` and ``**``, are
        unsupported."""
        if len(given) > len(positional) or any(isinstance(a, ast.Starred) for a in given):
            self.scope.fail(node, f"the arguments of this call of {short(node.func)}")
        found = dict(zip(positional, given))
        for keyword in node.keywords:
            if keyword.arg is None or keyword.arg in found:
                self.scope.fail(node, f"the arguments of this call of {short(node.func)}")
            found[keyword.arg] = keyword.value
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
        parts = self._parts_of_tuple(over, env) if pairs is None else None
        if parts is not None:
            return self._of_each(which, target, parts, conditions, body, env)
        values, of = self._iterated(pairs or over, env, node)
        assert isinstance(values.type, DataType)
        kind: DataType = values.type
        nil, cons = kind.constructors
        # a loop inside a loop needs its own name, and so does one in a function with a parameter `items`
        self.library.loops += 1
        items = x.var(f"items'{self.library.loops}", kind)
        head, tail = x.field(cons, 0, items), x.field(cons, 1, items)
        if pairs is not None:
            if not isinstance(target, ast.Tuple) or len(target.elts) != 2:
                self.scope.fail(node, "zip of neighbours without two names")
            inner = self.bind(target.elts[0], head, env)
            inner = self.bind(target.elts[1], x.field(cons, 0, tail), inner)
        else:
            inner = self.bind(target, of(head), env)
        test = self.truth(body, inner)
        guard = x.and_(*(self.truth(c, inner) for c in conditions))
        self.library.loops -= 1
        if which == "all" and pairs is None and guard == x.TRUE and test.op == "and":
            element = x.var(f"element'{self.library.loops}", kind.element)
            asked = x.substitute(test, {head: element})
            if not x.occurs(items, asked):
                return for_all(self.library.functions, values, element, asked, f"all_{short(body)}")
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

    def _one_with_elements(self, e: Expr, looking_inside: bool = False) -> Expr:
        """``str | None`` or ``list[int] | bool`` where only the string or the list has a length and elements."""
        if not isinstance(e.type, DataType) or e.type.is_list:
            return e
        inside = [c for c in e.type.constructors if c.kind == "wrap" and _has_elements(c.fields[0][1])]
        if looking_inside:  # of an opaque string nothing but the length is known
            inside = [c for c in inside if c.fields[0][1] is not TEXT]
        return x.field(inside[0], 0, e) if len(inside) == 1 else e

    def _parts_of_tuple(self, over: ast.expr, env: Env) -> list[Expr] | None:
        """The parts of a tuple of known length; None for anything else."""
        if not isinstance(over, ast.Name | ast.Attribute | ast.Subscript):
            return None
        whole = self.expr(over, env)
        kind = whole.type
        if not isinstance(kind, DataType) or len(kind.constructors) != 1 or not kind.constructors[0].is_tuple:
            return None
        return [x.field(kind.constructors[0], i, whole) for i in range(len(kind.constructors[0].fields))]

    def _of_each(
        self,
        which: str,
        target: ast.expr,
        parts: list[Expr],
        conditions: list[ast.expr],
        body: ast.expr,
        env: Env,
    ) -> Expr:
        """``all`` or ``any`` of the parts of a tuple, one after the other."""
        found = []
        for part in parts:
            inner = self.bind(target, part, env)
            guard = x.and_(*(self.truth(c, inner) for c in conditions))
            test = self.truth(body, inner)
            found.append(x.or_(x.not_(guard), test) if which == "all" else x.and_(guard, test))
        return x.and_(*found) if which == "all" else x.or_(*found)

    def _iterated(self, over: ast.expr, env: Env, node: ast.AST) -> tuple[Expr, Callable[[Expr], Expr]]:
        """The list behind an iterable, and the function applied to each of its elements."""
        match over:
            case ast.Call(
                func=ast.Attribute(value=inside, attr=("items" | "keys" | "values") as which), args=[]
            ):
                e = self.expr(inside, env)
                if self.containers.of_kind(e, "dict"):
                    place = {"keys": 0, "values": 1}.get(which)
                    return items_of(e), lambda p: p if place is None else self.containers.of_pair(p, place)
        found = self.containers.elements(self._one_with_elements(self.expr(over, env), looking_inside=True))
        return found if found is not None else self.scope.fail(node, f"a loop over {short(over)}")

    def _neighbours(self, node: ast.expr, env: Env) -> ast.expr | None:
        """``xs`` if the node is ``zip(xs, xs[1:])`` or ``pairwise(xs)``."""
        match node:
            case ast.Call(func=ast.Name() | ast.Attribute() as called, args=[only], keywords=[]):
                return only if self.scope.is_builtin(called, itertools.pairwise, env) else None
            case ast.Call(
                func=called,
                args=[first, ast.Subscript(value=again, slice=ast.Slice(lower=lower, upper=None, step=None))],
                keywords=[],
            ) if self.scope.is_builtin(called, zip, env):
                one = isinstance(lower, ast.Constant) and lower.value == 1
                return first if one and ast.dump(first) == ast.dump(again) else None
        return None


def _has_elements(kind: Type) -> bool:
    return kind is TEXT or (
        isinstance(kind, DataType) and (kind.is_list or kind.constructors[-1].kind in LISTS)
    )


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


def _join(between: str, *parts: str) -> str:
    return between.join(parts)


def attrs_evolve() -> Any:
    """``attrs.evolve``, if attrs is in use."""
    return getattr(sys.modules.get("attr"), "evolve", None)


def _plain_method(c: Constructor, name: str) -> Any:
    found = inspect.getattr_static(c.native, name, None) if c.kind == "class" else None
    return found if isinstance(found, types.FunctionType) else None
