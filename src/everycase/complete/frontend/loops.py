"""Loops in generators.

A loop over a known number of rounds is unrolled; ``for _ in range(n): xs.append(draw(g))`` is read as one draw of a
whole list.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Sequence
from dataclasses import replace

from everycase.complete.frontend.independent import IndependentRounds
from everycase.complete.frontend.limits import impossible, limits
from everycase.complete.frontend.mutation import check_owner
from everycase.complete.frontend.reading import ROUNDS, Reading, ReadState, Ways
from everycase.complete.language import expressions as x
from everycase.complete.language.expressions import Expr
from everycase.complete.language.list_functions import (
    elements_of,
    length,
)
from everycase.complete.language.types import INT, TEXT, DataType, Type
from everycase.complete.language.wrapped import items_of


class Loops:
    """Reads the loops of one generator."""

    def __init__(self, reader: Reading) -> None:
        self.reader, self.pure = reader, reader.pure
        self.scope, self.values = reader.scope, reader.values
        self.independent = IndependentRounds(reader)

    # --- statements -------------------------------------------------------------------------------------

    def for_loop(self, node: ast.For, state: ReadState) -> Ways:
        if node.orelse:
            yield from self._with_else(node, state)
            return
        at_once = self.independent.loop(node, state)
        if at_once is not None:
            yield from at_once
            return
        rounds = self.rounds(node.iter, state)
        if rounds is not None:
            yield from self._round_by_round(node, rounds, state)
            return
        match node:
            case ast.For(
                target=ast.Name(id=index),
                iter=ast.Call(func=called, args=[count], keywords=[]),
                body=[
                    ast.Expr(
                        value=ast.Call(
                            func=ast.Attribute(value=ast.Name(id=name), attr="append"),
                            args=[ast.Call(args=[source]) as item],
                            keywords=[],
                        )
                    )
                ],
            ) if (
                self.scope.is_builtin(called, range, state.env)
                and self.reader.is_draw(item)
                and (before := state.env.get(name)) is not None
                and before.op == "con"
                and not before.args
                and not mentions(source, (index, name))
            ):
                check_owner(self.reader, name, node)
                for after, made in self.repeated(source, count, state, before.type):
                    yield after.bind(name, made), None
            case _:
                for after, values in self.cases(node.iter, state, node):
                    yield from self._round_by_round(node, values, after)

    def rounds(self, node: ast.expr, state: ReadState) -> list[ast.expr] | None:
        """The loop variable in each round, if that is known."""
        match node:
            case ast.List(elts=items) | ast.Tuple(elts=items) if not any(
                isinstance(i, ast.Starred) or any(self.reader.is_draw(n) for n in ast.walk(i)) for i in items
            ):
                return list(items)
            case ast.Call(func=called, args=[*bounds], keywords=[]) if self.scope.is_builtin(
                called, range, state.env
            ):
                if any(self.reader.is_draw(n) for b in bounds for n in ast.walk(b)):
                    return None
                ends = [self.pure.number(b, state.env) for b in bounds]
                if all(e.op == "const" for e in ends):
                    numbers = range(*(e.data for e in ends))
                    if len(numbers) > ROUNDS:
                        return None
                    return [ast.copy_location(ast.Constant(n), node) for n in numbers]
        return None

    # --- a number of rounds that has a bound ------------------------------------------------------------

    def cases(
        self, over: ast.expr, state: ReadState, node: ast.AST
    ) -> Iterator[tuple[ReadState, list[Expr]]]:
        """The loop variable in each round, for every possible number of rounds."""
        match over:
            case ast.Call(func=ast.Name() as called, args=[*args], keywords=[]) if self.scope.is_constant(
                called, state.env
            ) and (target := self.scope.constant(called)) in (range, enumerate, zip, reversed):
                if target is range and 1 <= len(args) <= 2:
                    yield from self._ranges(args, state, node)
                elif target is not range:
                    for after, columns in self._columns(args, state, node):
                        yield after, self._rows(target, columns)
                else:
                    self.scope.fail(node, f"a loop over {ast.unparse(over)}")
            case _:
                for after, value in self.reader.expression(over, state, None):
                    yield from self.shapes(value, after, node)

    def _ranges(
        self, args: list[ast.expr], state: ReadState, node: ast.AST
    ) -> Iterator[tuple[ReadState, list[Expr]]]:
        low = args[0] if len(args) == 2 else ast.copy_location(ast.Constant(0), args[0])
        for after, start in self.reader.expression(low, state, INT):
            for last, stop in self.reader.expression(args[-1], after, INT):
                count = x.sub(stop, start)
                least, most = limits(count, last)
                if most is None or most > ROUNDS:
                    self.scope.fail(node, f"a loop that may go round more than {ROUNDS} times")
                for k in range(max(0, least or 0), most + 1):
                    test = x.eq(count, x.integer(k)) if k else x.le(count, x.integer(0))
                    for split in last.assume(test):
                        yield split, [x.add(start, x.integer(i)) for i in range(k)]

    def _columns(
        self, parts: list[ast.expr], state: ReadState, node: ast.AST
    ) -> Iterator[tuple[ReadState, list[list[Expr]]]]:
        if not parts:
            yield state, []
            return
        for after, first in self.cases(parts[0], state, node):
            for last, more in self._columns(parts[1:], after, node):
                yield last, [first, *more]

    def _rows(self, target: object, columns: list[list[Expr]]) -> list[Expr]:
        if target is reversed:
            return columns[0][::-1]
        if target is enumerate:
            columns = [[x.integer(i) for i in range(len(columns[0]))], columns[0]]
        rows = []
        for parts in zip(*columns):
            kind = self.reader.program.library.types.tuple_of(tuple(p.type for p in parts))
            rows.append(x.con(kind.constructors[0], *parts))
        return rows

    def shapes(self, value: Expr, state: ReadState, node: ast.AST) -> Iterator[tuple[ReadState, list[Expr]]]:
        """The elements of a list, for every possible length."""
        containers = self.pure.containers
        if value.type is TEXT and value.op == "const":
            yield state, [x.const(letter, TEXT) for letter in value.data]
            return
        if containers.of_kind(value, "text"):  # a list of numbers stands for it
            for after, codes in self.shapes(items_of(value), state, node):
                yield after, [containers.character(code) for code in codes]
            return
        items = containers.items(value)
        fixed = value.type.as_tuple if isinstance(value.type, DataType) else None
        if items is None and fixed is not None:
            yield state, [x.field(fixed, i, value) for i in range(len(fixed.fields))]
            return
        if items is None or containers.of_kind(value, "set") or containers.of_kind(value, "dict"):
            self.scope.fail(node, f"a loop over a value of type {value.type}")
        known = elements_of(items)
        if known is not None:
            yield state, known
            return
        least, most = limits(length(self.reader.program.library.functions, items), state)
        if most is None or most > ROUNDS:
            self.scope.fail(node, f"a loop that may go round more than {ROUNDS} times")
        nil, cons = items.type.constructors  # type: ignore[attr-defined]
        for k in range(max(0, least or 0), most + 1):
            tests, found, rest = [], [], items
            for _ in range(k):
                tests.append(x.is_con(cons, rest))
                found.append(x.field(cons, 0, rest))
                rest = x.field(cons, 1, rest)
            for split in state.assume(x.and_(*tests, x.is_con(nil, rest))):
                yield split, found

    def _round_by_round(self, node: ast.For, rounds: Sequence[Expr | ast.expr], state: ReadState) -> Ways:
        """The body for each value of the loop variable. An expression is evaluated when its turn comes."""
        if not rounds:
            yield state, None
            return
        value = rounds[0] if isinstance(rounds[0], Expr) else self.pure.expr(rounds[0], state.env)
        inside = replace(state, env=self.pure.bind(node.target, value, state.env))
        for after, path in self.reader.block(node.body, inside):
            if path is None or path.ending == "continue":
                yield from self._round_by_round(node, rounds[1:], after)
            elif path.ending == "break":
                yield after, None
            else:
                yield after, path

    def while_loop(self, node: ast.While, state: ReadState, left: int = ROUNDS) -> Ways:
        if node.orelse:
            yield from self._with_else(node, state)
            return
        item = self._kept_drawing(node, state)
        if item is not None:
            yield from self._any_number(*item, node, state)
            return
        for after, condition in self.reader.condition(node.test, state):
            for done in after.assume(x.not_(condition)):
                yield done, None
            for inside in after.assume(condition):
                if impossible(condition, after):
                    continue
                if not left:
                    self.scope.fail(node, f"a loop that may go round more than {ROUNDS} times")
                for last, path in self.reader.block(node.body, inside):
                    if path is None or path.ending == "continue":
                        yield from self.while_loop(node, last, left - 1)
                    elif path.ending == "break":
                        yield last, None
                    else:
                        yield last, path

    def _with_else(self, node: ast.For | ast.While, state: ReadState) -> Ways:
        """``for ...: ... else: ...``: the last part is left out after a ``break``."""
        spot = f"broken'{next(self.reader.counter)}"
        store, load = ast.Name(spot, ast.Store()), ast.Name(spot, ast.Load())
        plain = copy.copy(node)
        plain.orelse = []
        plain.body = [_BreakMarked(spot).visit(copy.deepcopy(s)) for s in node.body]
        begins = ast.Assign([store], ast.Constant(False))
        after = ast.If(load, [ast.Pass()], node.orelse)
        for made in (begins, after):
            ast.fix_missing_locations(ast.copy_location(made, node))
        ast.fix_missing_locations(plain)
        yield from self.reader.block([begins, plain, after], state)

    def _kept_drawing(self, node: ast.While, state: ReadState) -> tuple[str, ast.expr] | None:
        """``while draw(booleans()): xs.append(draw(g))``: the name and the generator; None for other loops."""
        match node:
            case ast.While(
                test=ast.Call(args=[ast.Call() as coin]) as test,
                body=[
                    ast.Expr(
                        value=ast.Call(
                            func=ast.Attribute(value=ast.Name(id=name), attr="append"),
                            args=[ast.Call(args=[source]) as item],
                            keywords=[],
                        )
                    )
                ],
            ) if self.reader.is_draw(test) and self.reader.is_draw(item):
                before = state.env.get(name)
                empty = before is not None and before.op == "con" and not before.args
                if (
                    empty
                    and self.reader.drawer.library_name(coin) == "booleans"
                    and not mentions(source, (name,))
                ):
                    return name, source
        return None

    def _any_number(self, name: str, source: ast.expr, node: ast.While, state: ReadState) -> Ways:
        """Draws from one generator until a coin says stop: a list of any length."""
        check_owner(self.reader, name, node)
        after, made = self.reader.drawer.drawn_list(
            source, x.integer(0), None, state, state.env[name].type, name
        )
        yield replace(after.bind(name, made), scripted=False), None

    def repeated(
        self, source: ast.expr, count: ast.expr, state: ReadState, expected: Type | None
    ) -> Iterator[tuple[ReadState, Expr]]:
        """As many draws from one generator as ``range(count)`` has numbers."""
        for after, number in self.reader.expression(count, state, INT):
            many = x.ite(x.le(x.integer(0), number), number, x.integer(0))
            last, made = self.reader.drawer.drawn_list(source, many, many, after, expected, None)
            yield last.returned(made, each=True), made


class _BreakMarked(ast.NodeTransformer):
    """Notes that a loop ends by ``break``; the loops inside of it have their own."""

    def __init__(self, spot: str) -> None:
        self.spot = spot

    def visit_Break(self, node: ast.Break) -> list[ast.stmt]:
        noted = ast.Assign([ast.Name(self.spot, ast.Store())], ast.Constant(True))
        return [ast.fix_missing_locations(ast.copy_location(noted, node)), node]

    def visit_For(self, node: ast.For) -> ast.For:
        return node

    def visit_While(self, node: ast.While) -> ast.While:
        return node


def mentions(node: ast.AST, names: tuple[str, ...]) -> bool:
    return any(isinstance(n, ast.Name) and n.id in names for n in ast.walk(node))
