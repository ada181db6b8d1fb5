"""``all``, ``any``, ``sum`` and comprehensions over lists, tuples, pairs of neighbours and the like, as recursive functions."""

from __future__ import annotations

import ast
import copy
import itertools
from collections.abc import Callable
from typing import TypeAlias

from everycase.complete.frontend.expression_reader import ExpressionReader
from everycase.complete.frontend.scope import short
from everycase.complete.language import expressions as x
from everycase.complete.language.expressions import Env, Expr, Function
from everycase.complete.language.list_functions import append, for_all, listed
from everycase.complete.language.types import BOOL, INT, TEXT, DataType, Type
from everycase.complete.language.wrapped import LISTS, items_of

FIRST = 3  # the last place that a loop over places may begin with
WRITTEN_OUT = 16  # maximum number of constants that are gone through one by one

#: The lists that are gone through side by side, the first number if rounds are counted, and the loop variable.
Rows: TypeAlias = tuple[list[Expr], Expr | None, Callable[[Expr, list[Expr]], Expr]]


class Quantifiers:
    """Translates the loops of one function that ask a question."""

    def __init__(self, pure: ExpressionReader) -> None:
        self.pure, self.library = pure, pure.library
        self.scope, self.containers = pure.scope, pure.containers

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
        direct = self._by_element(target, over, [*conditions, body], env)
        if direct is not None:
            target, over, (*conditions, body) = direct
        pairs = self._neighbours(over, env)
        parts = self.written_out(over, env) if pairs is None else None
        if parts is not None:
            return self._of_each(which, target, parts, conditions, body, env)
        if pairs is None and self._side_by_side(over, env) is not None:
            return self.fold(which, [ast.comprehension(target, over, conditions, 0)], body, env, node)
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
            inner = self.pure.bind(target.elts[0], head, env)
            inner = self.pure.bind(target.elts[1], x.field(cons, 0, tail), inner)
        else:
            inner = self.pure.bind(target, of(head), env)
        test = self.pure.truth(body, inner)
        guard = x.and_(*(self.pure.truth(c, inner) for c in conditions))
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

    # --- sums and lists ---------------------------------------------------------------------------------

    def fold(self, how: str, loops: list[ast.comprehension], body: ast.expr, env: Env, node: ast.AST) -> Expr:
        """``all``, ``any``, ``sum`` or the list of the bodies of a comprehension."""
        loop, rest = loops[0], loops[1:]
        if loop.is_async:
            self.scope.fail(node)

        def inside(inner: Env) -> tuple[Expr, Expr]:
            guard = x.and_(*(self.pure.truth(c, inner) for c in loop.ifs))
            if rest:
                return guard, self.fold(how, rest, body, inner, node)
            if how in ("all", "any"):
                return guard, self.pure.truth(body, inner)
            value = self.pure.expr(body, inner, INT if how == "sum" else None)
            if how == "sum":
                return guard, value
            kind = self.library.types.list_of(value.type)
            return guard, listed([value], kind)

        parts = None if self._neighbours(loop.iter, env) else self.written_out(loop.iter, env)
        if parts is not None:
            found = [inside(self.pure.bind(loop.target, part, env)) for part in parts]
            return self._together(how, found, node)
        columns, start, element = self.rows(loop.iter, env, node)
        self.library.loops += 1
        depth = self.library.loops
        lists = [x.var(f"items{i}'{depth}", e.type) for i, e in enumerate(columns)]
        heads = [x.field(e.type.constructors[1], 0, e) for e in lists]  # type: ignore[attr-defined]
        tails = [x.field(e.type.constructors[1], 1, e) for e in lists]  # type: ignore[attr-defined]
        place = x.var(f"place'{depth}", INT)
        guard, value = inside(self.pure.bind(loop.target, element(place, heads), env))
        self.library.loops -= 1
        counted = [place] if start is not None else []
        own = [*lists, *counted]
        captured = [v for v in (*x.variables(guard), *x.variables(value)) if v not in own]
        captured = list(dict.fromkeys(captured))
        params = (*own, *(x.var(f"c{i}", v.type) for i, v in enumerate(captured)))
        by = dict(zip(captured, params[len(own) :]))
        guard, value = x.substitute(guard, by), x.substitute(value, by)
        key = ("fold", how, tuple(e.type for e in columns), bool(counted), guard, value)
        function = self.library.functions.get(key)
        if function is None:
            function = Function(f"{how}_{short(body)}", params, value.type)
            function.recursive = True
            next_place = [x.add(place, x.integer(1))] if counted else []
            more = x.call(function, *tails, *next_place, *params[len(own) :])
            function.body = x.ite(
                x.or_(*(x.is_con(e.type.constructors[0], e) for e in lists)),  # type: ignore[attr-defined]
                self._nothing(how, value.type),
                self._one_more(how, guard, value, more),
            )
            self.library.functions[key] = function
        return x.call(function, *columns, *([start] if start is not None else []), *captured)

    def _nothing(self, how: str, kind: Type) -> Expr:
        if how in ("all", "any"):
            return x.const(how == "all", BOOL)
        return x.integer(0) if how == "sum" else x.con(kind.constructors[0])  # type: ignore[attr-defined]

    def _one_more(self, how: str, guard: Expr, value: Expr, more: Expr) -> Expr:
        match how:
            case "all":
                return x.and_(x.or_(x.not_(guard), value), more)
            case "any":
                return x.or_(x.and_(guard, value), more)
            case "sum":
                return x.add(x.ite(guard, value, x.integer(0)), more)
        return x.ite(guard, append(self.library.functions, value, more), more)

    def _together(self, how: str, found: list[tuple[Expr, Expr]], node: ast.AST) -> Expr:
        """The same for values that are known one by one."""
        if how == "list" and not found:
            self.scope.fail(node, "an empty list whose element type is not known here")
        made = self._nothing(how, found[-1][1].type if found else INT)
        for guard, value in reversed(found):
            made = self._one_more(how, guard, value, made)
        return made

    def rows(self, over: ast.expr, env: Env, node: ast.AST) -> Rows:
        """The lists that are gone through side by side, the first number if rounds are counted, and the loop variable."""
        found = self._side_by_side(over, env)
        if found is not None:
            return found
        values, of = self._iterated(over, env, node)
        return [values], None, lambda place, heads: of(heads[0])

    def _side_by_side(self, over: ast.expr, env: Env) -> Rows | None:
        """``zip(xs, ys)``, ``enumerate(xs)`` and ``range(len(xs))``; None for anything else."""
        types = self.library.types

        def row(parts: list[Expr]) -> Expr:
            return x.con(types.tuple_of(tuple(p.type for p in parts)).constructors[0], *parts)

        match over:
            case ast.Call(func=called, args=[*args], keywords=[]) if args and self.scope.is_builtin(
                called, zip, env
            ):
                inside = [self._iterated(a, env, over) for a in args]
                return (
                    [e for e, _ in inside],
                    None,
                    lambda _, heads: row([of(h) for (_, of), h in zip(inside, heads)]),
                )
            case ast.Call(func=called, args=[only, *first], keywords=[*named]) if (
                self.scope.is_builtin(called, enumerate, env)
                and len(first) + len(named) <= 1
                and all(k.arg == "start" for k in named)
            ):
                values, of = self._iterated(only, env, over)
                starts = [*first, *(k.value for k in named)]
                start = self.pure.number(starts[0], env) if starts else x.integer(0)
                return [values], start, lambda place, heads: row([place, of(heads[0])])
            case ast.Call(
                func=called, args=[ast.Call(func=inner, args=[only], keywords=[])], keywords=[]
            ) if self.scope.is_builtin(called, range, env) and self.scope.is_builtin(inner, len, env):
                values, _ = self._iterated(only, env, over)
                return [values], x.integer(0), lambda place, heads: place
            case ast.Call(
                func=called,
                args=[ast.Constant(value=int() as first), ast.Call(func=inner, args=[only], keywords=[])],
                keywords=[],
            ) if (
                0 <= first <= FIRST
                and self.scope.is_builtin(called, range, env)
                and self.scope.is_builtin(inner, len, env)
            ):
                values, _ = self._iterated(only, env, over)
                for _ in range(first):
                    nil, cons = values.type.constructors  # type: ignore[attr-defined]
                    values = x.ite(x.is_con(cons, values), x.field(cons, 1, values), x.con(nil))
                return [values], x.integer(first), lambda place, heads: place
        return None

    def written_out(self, over: ast.expr, env: Env) -> list[Expr] | None:
        """The values that are gone through, if they are known one by one: the parts of a tuple, or constants."""
        fixed = self.scope.fixed(over, env)
        if isinstance(fixed, list | tuple | range | str) and len(fixed) <= WRITTEN_OUT:
            made = [self.containers.constant(v, over) for v in fixed]
            if all(e is not None for e in made):
                return made  # type: ignore[return-value]
        return self._parts_of_tuple(over, env)

    def _parts_of_tuple(self, over: ast.expr, env: Env) -> list[Expr] | None:
        """The parts of a tuple of known length; None for anything else."""
        if not isinstance(over, ast.Name | ast.Attribute | ast.Subscript):
            return None
        whole = self.pure.expr(over, env)
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
            inner = self.pure.bind(target, part, env)
            guard = x.and_(*(self.pure.truth(c, inner) for c in conditions))
            test = self.pure.truth(body, inner)
            found.append(x.or_(x.not_(guard), test) if which == "all" else x.and_(guard, test))
        return x.and_(*found) if which == "all" else x.or_(*found)

    def _iterated(self, over: ast.expr, env: Env, node: ast.AST) -> tuple[Expr, Callable[[Expr], Expr]]:
        """The list behind an iterable, and the function applied to each of its elements."""
        match over:
            case ast.Call(
                func=ast.Attribute(value=inside, attr=("items" | "keys" | "values") as which), args=[]
            ):
                e = self.pure.expr(inside, env)
                if self.containers.of_kind(e, "dict"):
                    place = {"keys": 0, "values": 1}.get(which)
                    return items_of(e), lambda p: p if place is None else self.containers.of_pair(p, place)
        found = self.containers.elements(one_with_elements(self.pure.expr(over, env), looking_inside=True))
        return found if found is not None else self.scope.fail(node, f"a loop over {short(over)}")

    def _by_element(
        self, target: ast.expr, over: ast.expr, asked: list[ast.expr], env: Env
    ) -> tuple[ast.expr, ast.expr, list[ast.expr]] | None:
        """``xs[i]`` for ``i in range(len(xs))`` as the elements of ``xs``, and ``xs[i] < xs[i + 1]`` for ``i in
        range(len(xs) - 1)`` as neighbours; None if the place is needed for something else."""
        found = self._places(over, env)
        if found is None or not isinstance(target, ast.Name):
            return None
        values, offsets = found
        if any(isinstance(n, ast.Name) and n.id == target.id for n in ast.walk(values)):
            return None
        inside = _Elements(target.id, values, offsets)
        asked = [inside.visit(copy.deepcopy(a)) for a in asked]
        if any(isinstance(n, ast.Name) and n.id == target.id for a in asked for n in ast.walk(a)):
            return None
        names: list[ast.expr] = [ast.Name(inside.name(o), ast.Store()) for o in offsets]
        if len(offsets) == 1:
            return names[0], values, asked
        rest = ast.Subscript(values, ast.Slice(ast.Constant(1), None, None), ast.Load())
        neighbours = ast.Call(ast.Name("zip", ast.Load()), [values, rest], [])
        for made in (whole := ast.Tuple(names, ast.Store()), neighbours):
            ast.fix_missing_locations(ast.copy_location(made, over))
        return whole, neighbours, asked

    def _places(self, over: ast.expr, env: Env) -> tuple[ast.expr, tuple[int, ...]] | None:
        """What ``range(len(xs))``, ``range(len(xs) - 1)`` or ``range(1, len(xs))`` are places in, and which
        elements are next to each other there."""
        match over:
            case ast.Call(func=called, args=[*bounds], keywords=[]) if self.scope.is_builtin(
                called, range, env
            ):
                match bounds:
                    case [ast.Call(func=size, args=[values], keywords=[])]:
                        offsets: tuple[int, ...] = (0,)
                    case [
                        ast.BinOp(
                            left=ast.Call(func=size, args=[values], keywords=[]),
                            op=ast.Sub(),
                            right=ast.Constant(value=1),
                        )
                    ]:
                        offsets = (0, 1)
                    case [ast.Constant(value=1), ast.Call(func=size, args=[values], keywords=[])]:
                        offsets = (-1, 0)
                    case _:
                        return None
                plain = isinstance(values, ast.Name | ast.Attribute) and self.scope.is_builtin(size, len, env)
                return (
                    (values, offsets)
                    if plain and self.scope.is_builtin(ast.Name("zip", ast.Load()), zip, env)
                    else None
                )
        return None

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


class _Elements(ast.NodeTransformer):
    """Puts names in the place of ``xs[i]``, ``xs[i + 1]`` and ``xs[i - 1]``."""

    def __init__(self, place: str, values: ast.expr, offsets: tuple[int, ...]) -> None:
        self.place, self.values, self.offsets = place, ast.dump(values), offsets

    def name(self, offset: int) -> str:
        return f"{self.place}'{offset}"

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        offset = self._offset(node.slice) if ast.dump(node.value) == self.values else None
        if offset in self.offsets:
            return ast.copy_location(ast.Name(self.name(offset), ast.Load()), node)
        self.generic_visit(node)
        return node

    def _offset(self, index: ast.expr) -> int | None:
        match index:
            case ast.Name(id=name) if name == self.place:
                return 0
            case ast.BinOp(
                left=ast.Name(id=name), op=ast.Add() | ast.Sub() as op, right=ast.Constant(value=1)
            ) if name == self.place:
                return 1 if isinstance(op, ast.Add) else -1
        return None


def one_with_elements(e: Expr, looking_inside: bool = False) -> Expr:
    """``str | None`` or ``list[int] | bool`` where only the string or the list has a length and elements."""
    if not isinstance(e.type, DataType) or e.type.is_list:
        return e
    inside = [c for c in e.type.constructors if c.kind == "wrap" and _has_elements(c.fields[0][1])]
    if looking_inside:  # of an opaque string nothing but the length is known
        inside = [c for c in inside if c.fields[0][1] is not TEXT]
    return x.field(inside[0], 0, e) if len(inside) == 1 else e


def _has_elements(kind: Type) -> bool:
    return kind is TEXT or (
        isinstance(kind, DataType) and (kind.is_list or kind.constructors[-1].kind in LISTS)
    )
