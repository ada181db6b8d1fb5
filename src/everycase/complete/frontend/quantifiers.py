"""``all`` and ``any`` over a list, a tuple or the pairs of neighbours, as recursive functions."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable

from everycase.complete.frontend.expression_reader import ExpressionReader
from everycase.complete.frontend.scope import short
from everycase.complete.language import expressions as x
from everycase.complete.language.expressions import Env, Expr, Function
from everycase.complete.language.list_functions import for_all
from everycase.complete.language.types import BOOL, TEXT, DataType, Type
from everycase.complete.language.wrapped import LISTS, items_of


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
