"""Draws of floats, dates, times, sets and dictionaries: a number or a list, with a condition."""

from __future__ import annotations

import ast
import datetime
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from everycase.complete.frontend.program import AssumeStep, DrawStep
from everycase.complete.frontend.reading import Drawer, Drawn, Reading, ReadState
from everycase.complete.language import expressions as x
from everycase.complete.language.expressions import Expr
from everycase.complete.language.list_functions import for_all, length, strictly_ascending
from everycase.complete.language.types import INT, TEXT, DataType, Type
from everycase.complete.language.wrapped import CODE, LARGEST, RANGES, is_byte, number_of

_STAMPS = {
    "dates": datetime.date,
    "datetimes": datetime.datetime,
    "times": datetime.time,
    "timedeltas": datetime.timedelta,
}


class TypedDraws:
    """Reads the generators of types that are a number or a list with a condition."""

    def __init__(self, reader: Reading, drawer: Drawer) -> None:
        self.reader, self.drawer = reader, drawer
        self.pure, self.scope, self.containers = reader.pure, reader.scope, reader.pure.containers
        self.types = reader.program.library.types

    # --- numbers ----------------------------------------------------------------------------------------

    def stamps(self, node: ast.Call, state: ReadState, _: Any, name: str | None) -> Drawn:
        """``dates(min_value, max_value)`` and the like."""
        cls = _STAMPS[self.drawer.library_name(node)]
        given = self.pure.calls.arguments(node, ("min_value", "max_value"), node.args)
        if set(given) - {"min_value", "max_value"}:
            self.scope.fail(node, f"the arguments of {ast.unparse(node)}")
        least, most = RANGES[cls]
        kind = self.types.stamp(cls)
        for after, low in self._bound(given.get("min_value"), state, kind):
            for last, high in self._bound(given.get("max_value"), after, kind):
                lowest = number_of(low) if low is not None else x.integer(least)
                highest = number_of(high) if high is not None else x.integer(most)
                made = self.drawer.fresh(name, INT)
                yield last.draw(DrawStep(made, lowest, highest)), self.containers.stamped(cls, made)

    def floats(self, node: ast.Call, state: ReadState, _: Any, name: str | None) -> Drawn:
        """``floats(min_value, max_value, allow_nan=, allow_infinity=, exclude_min=, exclude_max=)``."""
        given = self.pure.calls.arguments(node, ("min_value", "max_value"), node.args)
        flags = {
            n: self._flag(given, n) for n in ("allow_nan", "allow_infinity", "exclude_min", "exclude_max")
        }
        if set(given) - {"min_value", "max_value", *flags}:
            self.scope.fail(node, f"the arguments of {ast.unparse(node)}")
        kind = self.types.float
        nan, number = kind.constructors
        for after, low in self._bound(given.get("min_value"), state, kind):
            for last, high in self._bound(given.get("max_value"), after, kind):
                bounds = [b for b in (low, high) if b is not None]
                if flags["allow_nan"] is True or (flags["allow_nan"] is None and not bounds):
                    if bounds:
                        self.scope.fail(node, "allow_nan with bounds")
                    yield last, x.con(nan)
                inf = LARGEST if flags["allow_infinity"] is not False else LARGEST - 1
                lowest = x.integer(-inf) if low is None else number_of(low)
                highest = x.integer(inf) if high is None else number_of(high)
                if flags["exclude_min"]:
                    lowest = x.add(lowest, x.integer(1))
                if flags["exclude_max"]:
                    highest = x.sub(highest, x.integer(1))
                made = self.drawer.fresh(name, INT)
                sure = x.and_(*(x.is_con(number, b) for b in bounds))
                for possible in last.assume(sure):
                    possible = possible.draw(DrawStep(made, lowest, highest))
                    if flags["allow_infinity"] is False and bounds:
                        limits = x.and_(x.le(x.integer(-inf), made), x.le(made, x.integer(inf)))
                        for finite in possible.assume(limits):
                            yield finite, x.con(number, made)
                    else:
                        yield possible, x.con(number, made)

    def _flag(self, given: dict[str, ast.expr], name: str) -> bool | None:
        node = given.get(name)
        if node is None:
            return None
        if not isinstance(node, ast.Constant) or node.value not in (True, False, None):
            self.scope.fail(node, f"{name}= that is not True or False")
        return node.value  # type: ignore[return-value]

    def _bound(
        self, node: ast.expr | None, state: ReadState, kind: DataType
    ) -> Iterator[tuple[ReadState, Expr | None]]:
        if node is None or (isinstance(node, ast.Constant) and node.value is None):
            yield state, None
            return
        for after, value in self.reader.expression(node, state, None):
            if kind is self.types.float:
                value = self.containers.as_float(value, node)
            yield after, self.reader.values.coerce(value, kind, node)

    def binary(self, node: ast.Call, state: ReadState, _: Any, name: str | None) -> Drawn:
        """``binary(min_size=, max_size=)``: a list of small numbers."""
        given = self.pure.calls.arguments(node, (), node.args)
        if set(given) - {"min_size", "max_size"}:
            self.scope.fail(node, f"the arguments of {ast.unparse(node)}")
        functions = self.reader.program.library.functions
        for after, low in self.drawer.bound(given.get("min_size"), state):
            for last, high in self.drawer.bound(given.get("max_size"), after):
                made = self.drawer.fresh(name, self.types.list_of(INT))
                size = length(functions, made)
                sizes = x.and_(
                    x.le(low or x.integer(0), size), x.le(size, high) if high is not None else x.TRUE
                )
                inside = for_all(functions, made, CODE, is_byte(CODE), "bytes")
                for possible in last.draw(DrawStep(made)).assume(x.and_(sizes, inside)):
                    yield possible, x.con(self.types.bytes.constructors[0], made)

    # --- lists ------------------------------------------------------------------------------------------

    def sets(self, node: ast.Call, state: ReadState, expected: Type | None, name: str | None) -> Drawn:
        """``sets(elements, min_size=, max_size=)`` and ``frozensets``."""
        native = set if self.drawer.library_name(node) == "sets" else frozenset
        given = self.pure.calls.arguments(node, ("elements",), node.args)
        if set(given) - {"elements", "min_size", "max_size"} or "elements" not in given:
            self.scope.fail(node, f"the arguments of {ast.unparse(node)}")
        inside = _items_type(expected)
        for after, low in self.drawer.bound(given.get("min_size"), state):
            for last, high in self.drawer.bound(given.get("max_size"), after):
                least = low or x.integer(0)
                most = high or self._number_of_options(given["elements"], last)
                done, items = self.drawer.drawn_list(given["elements"], least, most, last, inside, name)
                yield self.in_order(done, items, native, node)

    def _number_of_options(self, node: ast.expr, state: ReadState) -> Expr | None:
        """A set has no more elements than there are values to sample from; None if their number is not known."""
        if isinstance(node, ast.Name) and node.id in state.strategies:
            held = state.strategies[node.id]
            return self._number_of_options(
                held.node, replace(state, env=held.env, strategies=held.strategies)
            )
        match node:
            case ast.Call(args=[options]) if self.drawer.library_name(node) == "sampled_from":
                if isinstance(options, ast.List | ast.Tuple):
                    return x.integer(len(options.elts))
                known = self.scope.fixed(options, state.env)
                return x.integer(len(known)) if isinstance(known, list | tuple | str | range) else None
            case ast.Call(func=ast.Attribute(value=inside, attr="filter")):
                return self._number_of_options(inside, state)
        return None

    def dictionaries(
        self, node: ast.Call, state: ReadState, expected: Type | None, name: str | None
    ) -> Drawn:
        """``dictionaries(keys, values, min_size=, max_size=)``."""
        given = self.pure.calls.arguments(node, ("keys", "values"), node.args)
        if set(given) - {"keys", "values", "min_size", "max_size"} or not {"keys", "values"} <= set(given):
            self.scope.fail(node, f"the arguments of {ast.unparse(node)}")
        inside = _items_type(expected)
        for after, low in self.drawer.bound(given.get("min_size"), state):
            for last, high in self.drawer.bound(given.get("max_size"), after):
                least = low or x.integer(0)
                pair = (given["keys"], given["values"])
                most = high or self._number_of_options(given["keys"], last)
                done, items = self.drawer.drawn_list(pair, least, most, last, inside, name)
                yield self.in_order(done, items, dict, node)

    def in_order(self, state: ReadState, items: Expr, native: type, node: ast.AST) -> tuple[ReadState, Expr]:
        """A drawn list as a set or a dictionary."""
        kind = items.type
        assert isinstance(kind, DataType)
        key = kind.element
        if native is dict:
            key = key.constructors[0].fields[0][1]  # type: ignore[attr-defined]
        if key not in (INT, TEXT):
            self.scope.fail(node, f"a {native.__name__} of {key}")
        condition = strictly_ascending(self.reader.program.library.functions, items)
        made = self.types.wrapped_list(native, kind.element)
        after = replace(state, steps=(*state.steps, AssumeStep(condition)))
        return after, x.con(made.constructors[0], items)

    def fixed_dictionaries(
        self, node: ast.Call, state: ReadState, expected: Type | None, _: str | None
    ) -> Drawn:
        """``fixed_dictionaries({"x": generator})``."""
        match node:
            case ast.Call(args=[ast.Dict(keys=keys, values=parts)], keywords=[]) if None not in keys:
                pass
            case _:
                self.scope.fail(node, f"the arguments of {ast.unparse(node)}")
        names = [self.pure.expr(k, state.env) for k in keys if k is not None]
        for after, made in self._each(parts, state):
            yield after, self.containers.dictionary(names, made, expected, node)

    def _each(self, parts: list[ast.expr], state: ReadState) -> Iterator[tuple[ReadState, list[Expr]]]:
        if not parts:
            yield state, []
            return
        for after, first in self.drawer.sample(parts[0], state, None, None):
            for last, more in self._each(parts[1:], after):
                yield last, [first, *more]


def _items_type(expected: Type | None) -> Type | None:
    """The type of the list behind an expected container."""
    if isinstance(expected, DataType) and expected.constructors[0].kind in ("set", "dict"):
        return expected.constructors[0].fields[0][1]
    return None
