"""Comparisons: ``<``, ``==``, ``is`` and ``in``, of numbers, sets, lists and records."""

from __future__ import annotations

import ast

from everycase.complete.frontend.containers import Elements
from everycase.complete.frontend.expression_reader import ExpressionReader
from everycase.complete.frontend.scope import reversed_order, short
from everycase.complete.language import expressions as x
from everycase.complete.language.classes import compares_as_number
from everycase.complete.language.expressions import Env, Expr
from everycase.complete.language.list_functions import ascending, distinct, elements_of
from everycase.complete.language.types import BOOL, INT, TEXT, DataType
from everycase.complete.language.wrapped import is_among, items_of

LISTED = 64  # maximum number of constants that a value is compared with
LETTERS = 26  # maximum length of a string whose parts are


class Comparisons:
    """Translates the comparisons of one function."""

    def __init__(self, pure: ExpressionReader) -> None:
        self.pure, self.library = pure, pure.library
        self.scope, self.values, self.containers = pure.scope, pure.values, pure.containers

    def comparison(self, left: ast.expr, ops: list[ast.cmpop], rights: list[ast.expr], env: Env) -> Expr:
        """``left < right``, or a chain such as ``low <= n < high``."""
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
        a, b = self.containers.alike(self.pure.expr(one, env), self.pure.expr(other, env))
        found = self.containers.ordered(a, b, strict, one) or self.containers.years(a, b, strict)
        if found is not None:
            return found
        a, b = (self.values.coerce(self._of_members(e), INT, n) for e, n in ((a, one), (b, other)))
        return (x.lt if strict else x.le)(a, b)

    def _of_members(self, e: Expr) -> Expr:
        """The number that a member of an ``IntEnum`` is; any other value as it is."""
        members = e.type.constructors if isinstance(e.type, DataType) else []
        whole = all(c.kind == "enum" and isinstance(c.native, int) for c in members)
        if not members or not whole or not compares_as_number(type(members[0].native)):
            return e
        result = x.integer(int(members[-1].native))
        for c in members[-2::-1]:
            result = x.ite(x.is_con(c, e), x.integer(int(c.native)), result)
        return result

    def _set_elements(self, node: ast.expr, env: Env) -> Elements | None:
        """The elements of ``{a, b}``, ``set(xs)``, ``d.keys()`` or of a value that is a set; None for anything else."""
        match node:
            case ast.Set(elts=parts):
                return [self.pure.expr(part, env) for part in parts]
            case ast.Call(func=ast.Name() as called, args=[], keywords=[]) if self.scope.is_builtin(
                called, set, env
            ):
                return []
            case ast.Call(func=ast.Name() as called, args=[only], keywords=[]) if any(
                self.scope.is_builtin(called, kind, env) for kind in (set, frozenset)
            ):
                if (written := self._constants(only, env)) is not None:
                    return written
                found = self._set_elements(only, env) or self.pure.of_range(only, env)
                return found or self._keys_or_all(self.pure.expr(only, env))
            case ast.SetComp(elt=elt, generators=loops):
                listed = ast.copy_location(ast.ListComp(elt, loops), node)
                return self.pure.expr(listed, env)
            case ast.Call(func=ast.Attribute(value=inside, attr="keys"), args=[], keywords=[]):
                return self._keys_or_all(self.pure.expr(inside, env))
            case ast.Name() | ast.Attribute() | ast.Subscript():
                e = self.pure.expr(node, env)
                return e if self.containers.of_kind(e, "set") else None
        return None

    def _constants(self, node: ast.expr, env: Env) -> Elements | None:
        """What a constant contains: ``"ab"``, ``NAMES``; None for anything else."""
        found = self.scope.fixed(node, env)
        if not isinstance(found, list | tuple | set | frozenset | str | dict | range) or len(found) > LISTED:
            return None
        made = [self.containers.constant(v, node) for v in found]
        return None if any(e is None for e in made) else [e for e in made if e is not None]

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
            return self.values.singleton(self.pure.expr(left, env), right.value, right)
        a = self.pure.expr(left, env)
        once = isinstance(a.type, DataType) and all(c.kind in ("enum", "none") for c in a.type.constructors)
        if a.type is BOOL or once:
            return self._equal(left, right, env)
        self.scope.fail(right, f"`is` between values of type {a.type}")

    def _equal(self, left: ast.expr, right: ast.expr, env: Env) -> Expr:
        vague = (ast.List, ast.Call, ast.Constant, ast.Tuple)
        for one, other in ((left, right), (right, left)):
            if (
                isinstance(one, ast.IfExp) and self._set_elements(other, env) is not None
            ):  # `s == ({1} if b else set())`
                test = self.pure.truth(one.test, env)
                return x.ite(test, self._equal(other, one.body, env), self._equal(other, one.orelse, env))
        first, second = self._set_elements(left, env), self._set_elements(right, env)
        if first is not None and second is not None:
            return x.and_(
                self.containers.included(first, second, left), self.containers.included(second, first, left)
            )
        ordered = self._is_in_order(left, right, env)
        if ordered is not None:
            return ordered
        whole = self._set_of(left, env), self._set_of(right, env)
        if None not in whole or any(whole):
            return self._all_different(left, right, env)
        if isinstance(left, vague) and not isinstance(right, vague):
            left, right = right, left
        a = self.pure.expr(left, env)
        if isinstance(right, ast.Constant) and right.value is None:
            return self.values.singleton(a, None, right)
        b = self.pure.uncoerced(right, env, a.type)
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

    def _is_in_order(self, left: ast.expr, right: ast.expr, env: Env) -> Expr | None:
        """``xs == sorted(xs)`` of numbers, either way round; None for anything else."""
        for one, other in ((left, right), (right, left)):
            match other:
                case ast.Call(func=called, args=[only]) if ast.dump(only) == ast.dump(one):
                    down = reversed_order(other.keywords)
                    if down is None or not self.scope.is_builtin(called, sorted, env):
                        continue
                    e = self.pure.expr(one, env)
                    if isinstance(e.type, DataType) and e.type.is_list and e.type.element in (INT, TEXT):
                        return ascending(self.library.functions, e, down)
        return None

    def _set_of(self, node: ast.expr, env: Env) -> ast.expr | None:
        """``xs`` if the node is ``len(set(xs))``."""
        match node:
            case ast.Call(func=outer, args=[ast.Call(func=inner, args=[only], keywords=[])], keywords=[]):
                if self.scope.is_builtin(outer, len, env) and self.scope.is_builtin(inner, set, env):
                    return only
            case ast.Call(func=outer, args=[ast.SetComp() as only], keywords=[]):
                return only if self.scope.is_builtin(outer, len, env) else None
        return None

    def _all_different(self, left: ast.expr, right: ast.expr, env: Env) -> Expr:
        """``len(set(xs)) == len(xs)``, either way round."""
        for one, other in ((left, right), (right, left)):
            keys, items = None, self._set_of(one, env)
            match items:
                case (
                    ast.ListComp(elt=elt, generators=[loop])
                    | ast.GeneratorExp(elt=elt, generators=[loop])
                    | (ast.SetComp(elt=elt, generators=[loop]))
                ) if not loop.ifs and not loop.is_async:
                    keys, items = ast.copy_location(ast.ListComp(elt, [loop]), one), loop.iter
            match other:
                case ast.Call(func=called, args=[again], keywords=[]) if items is not None:
                    if self.scope.is_builtin(called, len, env) and ast.dump(again) == ast.dump(items):
                        values = self.pure.expr(keys or items, env)
                        if isinstance(values.type, DataType) and values.type.is_list:
                            self.values.same(values, values, one)
                            return distinct(self.library.functions, values)
        self.scope.fail(left, "len(set(...)) other than len(set(xs)) == len(xs)")

    def _part_of(self, e: Expr, letters: str, node: ast.expr) -> Expr:
        """``e in "abc"``: a character of it, or any other part such as ``"ab"`` and ``""``."""
        known = elements_of(items_of(e)) if self.containers.of_kind(e, "text") else None
        if known is not None and len(known) == 1:
            return is_among(known[0], letters)
        size = len(letters)
        parts = {letters[i:j] for i in range(size + 1) for j in range(i, size + 1)} if size <= LETTERS else {}
        if not parts:
            self.scope.fail(
                node, f"a part of a string of {size} letters; if one character is meant, write v in list(...)"
            )
        made = [self.pure.expr(ast.copy_location(ast.Constant(s), node), {}) for s in sorted(parts)]
        return self.containers.is_in(e, made, node)

    def _member(self, item: ast.expr, of: ast.expr, env: Env) -> Expr:
        e = self.pure.expr(item, env)
        if isinstance(of, ast.Tuple | ast.List | ast.Set):
            return x.or_(*(self.values.same(e, self.pure.expr(part, env, e.type), of) for part in of.elts))
        plain_range = isinstance(of, ast.Call) and self.scope.is_builtin(of.func, range, env)
        if isinstance(of, ast.Call) and plain_range and 1 <= len(of.args) <= 2:
            if of.keywords or any(isinstance(a, ast.Starred) for a in of.args):
                self.scope.fail(of)
            bounds, e = [self.pure.number(a, env) for a in of.args], self.values.coerce(e, INT, item)
            return x.and_(x.le(bounds[0] if len(bounds) == 2 else x.integer(0), e), x.lt(e, bounds[-1]))
        letters = self.scope.fixed(of, env)
        if isinstance(letters, str) and (e.type is TEXT or self.containers.of_kind(e, "text")):
            return self._part_of(e, letters, of)
        fixed = list(letters) if isinstance(letters, list | tuple | range | str | dict) else None
        if fixed is not None and 0 < len(fixed) <= LISTED and all(type(v) in (int, str) for v in fixed):
            parts = [self.pure.expr(ast.copy_location(ast.Constant(v), of), env) for v in fixed]
            return self.containers.is_in(e, parts, of)
        match of:
            case ast.Call(func=ast.Attribute(value=inside, attr="keys"), args=[], keywords=[]):
                of = inside
        whole = self.pure.expr(of, env)
        if self.containers.of_kind(whole, "text") and isinstance(wanted := self.scope.fixed(item, env), str):
            return self.containers.occurs(whole, wanted)
        if self.containers.of_kind(whole, "keys"):
            return self.containers.is_in(e, self._keys_or_all(whole), of)
        found = self.containers.contains(whole, e, item)
        return found if found is not None else self.scope.fail(of, f"membership in {short(of)}")
