"""Loops, comprehensions, ``append`` and ``sorted`` in generators.

A loop over a known number of rounds is unrolled. Two idioms are read as one draw of a whole list: ``for _ in
range(n): xs.append(draw(g))`` and ``[draw(g) for _ in range(n)]``. The result of ``sorted`` or of a filtering
comprehension on a drawn list is that list with one more condition, as long as the list itself is not used.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from everycase.complete.frontend.program import AssumeStep, DrawStep
from everycase.complete.frontend.reading import Reading, ReadState, Ways
from everycase.complete.language import expressions as x
from everycase.complete.language.expressions import Expr
from everycase.complete.language.list_functions import (
    append,
    ascending,
    backwards,
    elements_of,
    for_all,
    length,
    listed,
    with_element,
    without_element,
)
from everycase.complete.language.types import INT, DataType, Type
from everycase.complete.language.wrapped import items_of

#: Methods that change a list or a set in place, and how many arguments they take.
CHANGES = {"extend": 1, "insert": 2, "sort": 0, "clear": 0, "reverse": 0, "add": 1, "discard": 1}
SORTED = 4  # maximum number of written-out numbers that are sorted
ROUNDS = 12  # maximum number of unrolled rounds of one loop


class Loops:
    """Reads the loops of one generator."""

    def __init__(self, reader: Reading) -> None:
        self.reader, self.pure = reader, reader.pure
        self.scope, self.values = reader.scope, reader.values

    # --- statements -------------------------------------------------------------------------------------

    def for_loop(self, node: ast.For, state: ReadState) -> Ways:
        if node.orelse:
            self.scope.fail(node, "a loop with else")
        rounds = self._rounds(node.iter, state)
        if rounds is not None:
            yield from self._unrolled(node, rounds, state)
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
            ) if self.scope.is_builtin(called, range, state.env) and self.reader.is_draw(item):
                before = state.env.get(name)
                if before is None or before.op != "con" or before.args or _mentions(source, (index, name)):
                    self.scope.fail(node)
                self._check_owner(name, node)
                for after, made in self._repeated(source, count, state, before.type):
                    yield after.bind(name, made), None
            case _:
                for after, values in self.cases(node.iter, state, node):
                    yield from self._with_values(node, values, after)

    def _rounds(self, node: ast.expr, state: ReadState) -> list[ast.expr] | None:
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

    def _with_values(self, node: ast.For, values: list[Expr], state: ReadState) -> Ways:
        if not values:
            yield state, None
            return
        inside = replace(state, env=self.pure.bind(node.target, values[0], state.env))
        for after, path in self.reader.block(node.body, inside):
            if path is None or path.ending == "continue":
                yield from self._with_values(node, values[1:], after)
            elif path.ending == "break":
                yield after, None
            else:
                yield after, path

    def _unrolled(self, node: ast.For, rounds: list[ast.expr], state: ReadState) -> Ways:
        if not rounds:
            yield state, None
            return
        value = self.pure.expr(rounds[0], state.env)
        inside = replace(state, env=self.pure.bind(node.target, value, state.env))
        for after, path in self.reader.block(node.body, inside):
            if path is None or path.ending == "continue":
                yield from self._unrolled(node, rounds[1:], after)
            elif path.ending == "break":
                yield after, None
            else:
                yield after, path

    def while_loop(self, node: ast.While, state: ReadState, left: int = ROUNDS) -> Ways:
        if node.orelse:
            self.scope.fail(node, "a loop with else")
        for after, condition in self.reader.condition(node.test, state):
            for done in after.assume(x.not_(condition)):
                yield done, None
            for inside in after.assume(condition):
                if _impossible(condition, after):
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

    def append(self, name: str, item: ast.expr, node: ast.AST, state: ReadState) -> Ways:
        """``name.append(item)``: the list has no other name, so it is equivalent to a new one."""
        before = state.env.get(name)
        if before is None or not isinstance(before.type, DataType) or not before.type.is_list:
            self.scope.fail(node)
        self._check_owner(name, node)
        nil, cons = before.type.constructors
        for after, value in self.reader.expression(item, state, before.type.element):
            more = x.con(cons, value, x.con(nil))
            yield after.bind(name, append(self.reader.program.library.functions, before, more)), None

    def change(self, name: str, how: str, args: list[ast.expr], node: ast.AST, state: ReadState) -> Ways:
        """``extend``, ``insert``, ``sort``, ``reverse`` and ``clear`` of a list that has no other name."""
        before = state.env[name]
        kind = before.type
        if not isinstance(kind, DataType) or not kind.is_list:
            self.scope.fail(node)
        self._check_owner(name, node)
        nil, cons = kind.constructors
        functions = self.reader.program.library.functions
        if how in ("extend", "insert"):
            for after, value in self.reader.expression(
                args[-1], state, kind if how == "extend" else kind.element
            ):
                if how == "extend":
                    yield after.bind(name, append(functions, before, value)), None
                elif isinstance(args[0], ast.Constant) and args[0].value == 0:
                    yield after.bind(name, x.con(cons, value, before)), None
                else:
                    self.scope.fail(node, "insert at another place than 0")
        elif how == "clear":
            yield state.bind(name, x.con(nil)), None
        else:
            spot = ast.copy_location(ast.Name(name, ast.Load()), node)
            called = ast.copy_location(ast.Name("sorted", ast.Load()), node)
            if how == "reverse":
                yield state.bind(name, backwards(functions, before)), None
                return
            if how != "sort":
                self.scope.fail(node)
            for after, value in self.reader.expression(
                ast.copy_location(ast.Call(called, [spot], []), node), state, kind
            ):
                yield after.bind(name, value), None

    def put(self, name: str, place: int, item: ast.expr, node: ast.AST, state: ReadState) -> Ways:
        """``name[place] = item``."""
        before = state.env.get(name)
        kind = before.type if before is not None else None
        if before is None or not isinstance(kind, DataType) or not kind.is_list or not 0 <= place <= ROUNDS:
            self.scope.fail(node)
        self._check_owner(name, node)
        cons = kind.constructors[1]
        for after, value in self.reader.expression(item, state, kind.element):
            tests, heads, rest = [], [], before
            for _ in range(place + 1):
                tests.append(x.is_con(cons, rest))
                heads.append(x.field(cons, 0, rest))
                rest = x.field(cons, 1, rest)
            made = x.con(cons, value, rest)
            for head in reversed(heads[:-1]):
                made = x.con(cons, head, made)
            for there in after.assume(x.and_(*tests)):
                yield there.bind(name, made), None

    def change_set(self, name: str, how: str, args: list[ast.expr], node: ast.AST, state: ReadState) -> Ways:
        """``add`` and ``discard`` of a set that has no other name."""
        before = state.env[name]
        self._check_owner(name, node)
        items = items_of(before)
        functions = self.reader.program.library.functions
        if how not in ("add", "discard"):
            self.scope.fail(node)
        for after, item in self.reader.expression(args[0], state, items.type.element):  # type: ignore[attr-defined]
            changed = (with_element if how == "add" else without_element)(functions, items, item)
            yield after.bind(name, x.con(before.type.constructors[0], changed)), None  # type: ignore[attr-defined]

    def set_key(self, name: str, key: ast.expr, value: ast.expr, node: ast.AST, state: ReadState) -> Ways:
        """``name[key] = value`` of a dictionary whose items are known one by one: at each place where the key may belong."""
        before = state.env[name]
        self._check_owner(name, node)
        items = items_of(before)
        known = elements_of(items)
        pair = items.type.element.constructors[0]  # type: ignore[attr-defined]
        if known is None or len(known) > ROUNDS:
            self.scope.fail(node, "a key that is set in a dictionary whose keys are not known one by one")
        for computed, part in self.reader.expression(value, state, pair.fields[1][1]):
            for after, wanted in self.reader.expression(key, computed, pair.fields[0][1]):
                new, keys = x.con(pair, wanted, part), [x.field(pair, 0, item) for item in known]
                for i in range(len(known) + 1):
                    below = x.lt(keys[i - 1], wanted) if i else x.TRUE
                    above = x.lt(wanted, keys[i]) if i < len(known) else x.TRUE
                    same = x.eq(wanted, keys[i]) if i < len(known) else x.FALSE
                    for test, rest in ((x.and_(below, above), known[i:]), (same, known[i + 1 :])):
                        for there in after.assume(test):
                            whole = listed([*known[:i], new, *rest], items.type)  # type: ignore[arg-type]
                            yield there.bind(name, x.con(before.type.constructors[0], whole)), None  # type: ignore[attr-defined]

    def set_field(self, name: str, field: str, value: ast.expr, node: ast.AST, state: ReadState) -> Ways:
        """``name.field = value`` of a record that has no other name."""
        before = state.env[name]
        made = before.type.constructors[0] if isinstance(before.type, DataType) else None
        plain = made is not None and made.kind == "class" and made.native.__setattr__ is object.__setattr__
        if made is None or not plain or len(made.owner.constructors) != 1:
            self.scope.fail(node)
        self._check_owner(name, node)
        names = [n for n, _ in made.fields]
        if field not in names:
            self.scope.fail(node)
        for after, new in self.reader.expression(value, state, dict(made.fields)[field]):
            parts = [new if n == field else x.field(made, i, before) for i, n in enumerate(names)]
            yield after.bind(name, x.con(made, *parts)), None

    def _check_owner(self, name: str, node: ast.AST) -> None:
        """What is changed in place must not have a second name."""
        plain = {"len", "sum", "min", "max", "sorted", "all", "any"}
        # not the decorators: a predicate there may use the same name
        statements: list[ast.stmt] = getattr(self.reader.source.node, "body", [])
        inside_body = [n for statement in statements for n in ast.walk(statement)]
        fine: set[ast.AST] = set()
        for n in inside_body:
            match n:
                case ast.Attribute(value=inside) | ast.Subscript(value=inside):
                    fine.add(inside)
                case ast.Return(value=ast.expr() as value):
                    fine.update(ast.walk(value))
                case ast.Call(func=ast.Name(id=called), args=args) if called in plain:
                    fine.update(args)
                case ast.Compare(left=left, comparators=others):
                    fine.update([left, *others])
                case ast.If(test=test) | ast.While(test=test) | ast.UnaryOp(operand=test):
                    fine.add(test)
        for n in inside_body:
            match n:
                case ast.Assign(
                    targets=[ast.Name(id=same)], value=ast.Name() | ast.Attribute() | ast.Subscript()
                ):
                    if same == name:
                        self.scope.fail(node, f"{name}, which is changed in place and may have another name")
            if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Load) and n not in fine:
                self.scope.fail(node, f"{name}, which is changed in place and may have another name")

    # --- comprehensions ---------------------------------------------------------------------------------

    def comprehension(
        self, node: ast.ListComp, state: ReadState, expected: Type | None
    ) -> Iterator[tuple[ReadState, ast.expr]]:
        """A list comprehension as an expression that can be read."""
        if len(node.generators) != 1 or node.generators[0].is_async:
            self.scope.fail(node, "nested for in a comprehension")
        loop = node.generators[0]
        rounds = self._rounds(loop.iter, state) if not loop.ifs else None
        if rounds is not None and isinstance(loop.target, ast.Name):
            items = [_replaced(node.elt, loop.target.id, value) for value in rounds]
            made = ast.copy_location(ast.List(items, ast.Load()), node)
            if not items:
                yield state, made
            else:
                yield from self.reader.children(made, state)
            return
        match node:
            case ast.ListComp(
                elt=ast.Call(args=[source]) as item,
                generators=[
                    ast.comprehension(
                        target=ast.Name(id=index),
                        iter=ast.Call(func=called, args=[count], keywords=[]),
                        ifs=[],
                    )
                ],
            ) if self.reader.is_draw(item) and self.scope.is_builtin(called, range, state.env):
                if _mentions(source, (index,)):
                    self.scope.fail(node, "a draw that depends on the round of the comprehension")
                for after, value in self._repeated(source, count, state, expected):
                    yield self._named(after, value, node)
            case ast.ListComp(elt=ast.Name(id=same)) if (
                isinstance(loop.target, ast.Name) and loop.target.id == same and loop.ifs
            ):
                yield from self._filtered(node, loop, state)
            case _:
                yield from self._mapped(node, loop, state, expected)

    def as_comprehension(self, node: ast.expr, state: ReadState) -> ast.ListComp | None:
        """``list(zip(a, b))`` as ``[row for row in zip(a, b)]``; None for anything else."""
        match node:
            case ast.Call(
                func=ast.Name() as called, args=[ast.Call(func=ast.Name() as inner) as rows], keywords=[]
            ) if self.scope.is_builtin(called, list, state.env) and any(
                self.scope.is_builtin(inner, kind, state.env) for kind in (zip, enumerate, reversed, range)
            ):
                if self.scope.fixed(rows, state.env) is not None:
                    return None
                target = ast.Name("row'", ast.Store())
                loop = ast.comprehension(target, rows, [], 0)
                made = ast.ListComp(ast.Name("row'", ast.Load()), [loop])
                return ast.fix_missing_locations(ast.copy_location(made, node))
        return None

    def _repeated(
        self, source: ast.expr, count: ast.expr, state: ReadState, expected: Type | None
    ) -> Iterator[tuple[ReadState, Expr]]:
        """As many draws from one generator as ``range(count)`` has numbers."""
        for after, number in self.reader.expression(count, state, INT):
            many = x.ite(x.le(x.integer(0), number), number, x.integer(0))
            last, made = self.reader.drawer.drawn_list(source, many, many, after, expected, None)
            yield last.returned(made, each=True), made

    def _named(self, state: ReadState, value: Expr, node: ast.expr) -> tuple[ReadState, ast.expr]:
        spot = f"listed'{next(self.reader.counter)}"
        return state.bind(spot, value), ast.copy_location(ast.Name(spot, ast.Load()), node)

    def _filtered(
        self, node: ast.ListComp, loop: ast.comprehension, state: ReadState
    ) -> Iterator[tuple[ReadState, ast.expr]]:
        """``[x for x in xs if test]``: all lists of elements that pass, if ``xs`` could be any shorter list too."""
        assert isinstance(loop.target, ast.Name)
        for after, values in self.reader.expression(loop.iter, state, None):
            kind = values.type
            if not isinstance(kind, DataType) or not kind.is_list:
                self.scope.fail(node)
            alone = self._alone(values, after, node, shorter=True)
            element = x.var(f"element'{next(self.reader.counter)}", kind.element)
            inner = {**alone[0].env, loop.target.id: element}
            test = x.and_(*(self.pure.truth(c, inner) for c in loop.ifs))
            kept = for_all(self.reader.program.library.functions, alone[1], element, test)
            yield self._named(_assuming(alone[0], kept), alone[1], node)

    def _mapped(
        self, node: ast.ListComp, loop: ast.comprehension, state: ReadState, expected: Type | None
    ) -> Iterator[tuple[ReadState, ast.expr]]:
        """``[f(x) for x in draw(lists(g))]`` as ``draw(lists(g.map(f)))``."""
        match loop:
            case ast.comprehension(
                target=ast.Name(id=name), iter=ast.Call(args=[ast.Call() as lists]) as drawn, ifs=[]
            ) if self.reader.is_draw(drawn) and self.reader.drawer.library_name(lists) == "lists":
                spots = ast.arguments([], [ast.arg(name)], None, [], [], None, [])
                given = [k for k in lists.keywords if k.arg == "elements"]
                inside = lists.args[0] if lists.args else given[0].value
                mapped: ast.expr = ast.Call(
                    ast.Attribute(inside, "map", ast.Load()), [ast.Lambda(spots, node.elt)], []
                )
                rest = [k for k in lists.keywords if k.arg != "elements"]
                whole = ast.copy_location(ast.Call(lists.func, [mapped, *lists.args[1:]], rest), node)
                ast.fix_missing_locations(whole)
                for after, value in self.reader.drawer.sample(whole, state, expected, None):
                    yield self._named(replace(after, scripted=False), value, node)
            case _:
                wanted = expected.element if isinstance(expected, DataType) and expected.is_list else None
                for after, values in self.cases(loop.iter, state, node):
                    for last, made in self._each(node.elt, loop, values, after, wanted):
                        kind = expected if isinstance(expected, DataType) and expected.is_list else None
                        if kind is None and made:
                            kind = self.reader.program.library.types.list_of(made[0].type)
                        if kind is None:
                            self.scope.fail(node, "an empty list whose element type is not known here")
                        items = [self.values.coerce(value, kind.element, node) for value in made]
                        yield self._named(replace(last, env=state.env), listed(items, kind), node)

    def _each(
        self,
        item: ast.expr,
        loop: ast.comprehension,
        values: list[Expr],
        state: ReadState,
        wanted: Type | None,
    ) -> Iterator[tuple[ReadState, list[Expr]]]:
        """The result of a comprehension on these values, one after the other."""
        if not values:
            yield state, []
            return
        inside = replace(state, env=self.pure.bind(loop.target, values[0], state.env))
        test = x.and_(*(self.pure.truth(c, inside.env) for c in loop.ifs))
        for skipped in inside.assume(x.not_(test)):
            yield from self._each(item, loop, values[1:], skipped, wanted)
        for kept in inside.assume(test):
            for after, made in self.reader.expression(item, kept, wanted):
                for last, more in self._each(item, loop, values[1:], after, wanted):
                    yield last, [made, *more]

    def dictionary(
        self, node: ast.DictComp, state: ReadState, expected: Type | None
    ) -> Iterator[tuple[ReadState, ast.expr]]:
        """``{key: value for ...}`` with keys that are known."""
        if len(node.generators) != 1 or node.generators[0].is_async:
            self.scope.fail(node, "nested for in a comprehension")
        loop = node.generators[0]
        pair = ast.copy_location(ast.Tuple([node.key, node.value], ast.Load()), node)
        for after, values in self.cases(loop.iter, state, node):
            for last, made in self._each(pair, loop, values, after, None):
                keys, parts = ([e.args[i] for e in made] for i in (0, 1))
                whole = self.pure.containers.dictionary(keys, parts, expected, node)
                yield self._named(replace(last, env=state.env), whole, node)

    # --- places in a list -------------------------------------------------------------------------------

    def pick(self, node: ast.expr, state: ReadState) -> Iterator[tuple[ReadState, ast.expr]]:
        """``xs[i]`` of a list with a greatest length, for each length that it can have."""
        for spot in ast.walk(node):
            match spot:
                case ast.Subscript(
                    value=ast.Name(id=name) as of, slice=ast.Name() | ast.BinOp() | ast.Call()
                ) if name in state.env:
                    value = state.env[name]
                    if not isinstance(value.type, DataType) or not value.type.is_list or elements_of(value):
                        continue
                    most = limits(length(self.reader.program.library.functions, value), state)[1]
                    if most is None or most > ROUNDS:
                        continue
                    for after, items in self.shapes(value, state, spot):
                        whole = listed(items, value.type)
                        after, known = self._named(after, whole, of)
                        yield from self.pick(_swapped(node, of, known), after)
                    return
                case ast.BinOp(left=left, op=ast.Mult(), right=right):
                    for times, many in ((left, right), (right, left)):
                        if isinstance(times, ast.Name) and self._is_count(times.id, many, state):
                            for after, number in self._counted(times.id, state, spot):
                                yield from self.pick(_swapped(node, times, number), after)
                            return
        yield state, node

    def _is_count(self, name: str, many: ast.expr, state: ReadState) -> bool:
        """Is this a number with bounds, and the other side something that can be repeated?"""
        count = state.env.get(name)
        if count is None or count.type is not INT or count.op == "const":
            return False
        shown = isinstance(many, ast.List) or (isinstance(many, ast.Constant) and isinstance(many.value, str))
        least, most = limits(count, state)
        return shown and most is not None and most <= ROUNDS and least is not None

    def _counted(self, name: str, state: ReadState, node: ast.expr) -> Iterator[tuple[ReadState, ast.expr]]:
        least, most = limits(state.env[name], state)
        assert least is not None and most is not None
        for k in range(max(least, 0), most + 1):
            test = x.eq(state.env[name], x.integer(k)) if k else x.le(state.env[name], x.integer(0))
            for after in state.assume(test):
                yield after, ast.copy_location(ast.Constant(k), node)

    # --- sorted -----------------------------------------------------------------------------------------

    def sort(self, node: ast.expr, state: ReadState) -> tuple[ReadState, ast.expr]:
        """Take ``sorted(xs)`` out of an expression: the drawn list, which can be drawn sorted."""
        for call in ast.walk(node):
            match call:
                case ast.Call(func=ast.Name() as called, args=[only], keywords=options) if (
                    self.scope.is_builtin(called, sorted, state.env)
                    and self.scope.evaluated(call, state.env) is None
                ):
                    values = self.pure.expr(only, state.env)
                    if self.pure.containers.of_kind(values, "set") and not options:  # which is kept in order
                        after, name = self._named(state, items_of(values), call)
                        return self.sort(_swapped(node, call, name), after)
                    kind = values.type
                    known = elements_of(values) if isinstance(kind, DataType) and kind.is_list else None
                    down = _is_reversed(options)
                    if down is None:
                        self.scope.fail(call, f"the options of {ast.unparse(call)}")
                    if known is not None and len(known) <= SORTED and all(e.type is INT for e in known):
                        after, name = self._named(state, self._in_order(known, kind, down), call)
                        return self.sort(_swapped(node, call, name), after)
                    if not isinstance(kind, DataType) or not kind.is_list or kind.element is not INT:
                        self.scope.fail(call, f"sorted of {kind}")
                    after, alone = self._alone(values, state, call)
                    after = _assuming(
                        after, ascending(self.reader.program.library.functions, alone, bool(down))
                    )
                    after, name = self._named(after, alone, call)
                    return self.sort(_swapped(node, call, name), after)
        return state, node

    def _in_order(self, items: list[Expr], kind: Type, down: bool) -> Expr:
        """A list of numbers that are written out, sorted."""
        assert isinstance(kind, DataType)
        ordered = _sorted_items(items)
        return listed(ordered[::-1] if down else ordered, kind)

    def _alone(
        self, values: Expr, state: ReadState, node: ast.AST, shorter: bool = False
    ) -> tuple[ReadState, Expr]:
        """A drawn list under a new name: uses of the old name are found at the end of the path."""
        drawn = [s for s in state.steps if isinstance(s, DrawStep) and s.variable == values]
        about = [
            s.condition for s in state.steps if isinstance(s, AssumeStep) and x.occurs(values, s.condition)
        ]
        if values.op != "var" or not drawn or drawn[0].generator is not None:
            self.scope.fail(node, "a list that was not just drawn")
        if not all(_whatever_the_order(c, values) for c in about) or state.scripted is False:
            self.scope.fail(node, "a list that was looked at before")
        if shorter and any(_asks_for_length(c, values) for c in about):
            self.scope.fail(node, "elements taken from a list that has a least length")
        other = x.var(f"{values.data}~", values.type)
        by = {values: other}
        steps = tuple(
            replace(s, variable=other) if isinstance(s, DrawStep) and s.variable == values
            else AssumeStep(x.substitute(s.condition, by)) if isinstance(s, AssumeStep) else s
            for s in state.steps
        )  # fmt: skip
        said = tuple(x.substitute(d, by) for d in state.drawn)
        return replace(state, steps=steps, drawn=said, hidden=(*state.hidden, values)), other


def _is_reversed(options: list[ast.keyword]) -> bool | None:
    """Does ``sorted`` begin with the greatest? None if the options say something else."""
    match options:
        case []:
            return False
        case [ast.keyword(arg="reverse", value=ast.Constant(value=bool() as down))]:
            return down
    return None


def _sorted_items(items: list[Expr]) -> list[Expr]:
    """Numbers in order, by comparing neighbours."""
    items = list(items)
    for end in range(len(items) - 1, 0, -1):
        for i in range(end):
            a, b = items[i], items[i + 1]
            items[i], items[i + 1] = x.ite(x.le(a, b), a, b), x.ite(x.le(a, b), b, a)
    return items


def limits(e: Expr, state: ReadState, deep: int = 3) -> tuple[int | None, int | None]:
    """Constants that bound a number, as far as the draws and conditions show."""
    if e.op == "const":
        return e.data, e.data
    if not deep:
        return None, None
    low: int | None = None
    high: int | None = None
    if e.op in ("add", "sub"):
        (a, b), (c, d) = (limits(part, state, deep) for part in e.args)
        if e.op == "sub":
            c, d = (None if d is None else -d), (None if c is None else -c)
        low = None if a is None or c is None else a + c
        high = None if b is None or d is None else b + d
    elif e.op == "ite":
        (a, b), (c, d) = (limits(part, state, deep) for part in e.args[1:])
        low = None if a is None or c is None else min(a, c)
        high = None if b is None or d is None else max(b, d)
    for step in state.steps:
        if isinstance(step, DrawStep) and step.variable == e and step.generator is None:
            low = limits(step.low, state, deep)[0] if step.low is not None else low
            high = limits(step.high, state, deep)[1] if step.high is not None else high
    for condition in state.conditions:
        if condition.op in ("le", "lt"):
            less = condition.op == "lt"
            one, other = condition.args
            if one == e and (most := limits(other, state, deep - 1)[1]) is not None:
                high = min(n for n in (high, most - less) if n is not None)
            if other == e and (least := limits(one, state, deep - 1)[0]) is not None:
                low = max(n for n in (low, least + less) if n is not None)
        elif condition.op == "eq" and e in condition.args:
            fixed = [part.data for part in condition.args if part.op == "const"]
            low, high = (fixed[0], fixed[0]) if fixed else (low, high)
    return low, high


def _impossible(condition: Expr, state: ReadState) -> bool:
    """Do the limits of the numbers show that a comparison cannot hold?"""
    for part in x.conjuncts(condition):
        if part.op in ("le", "lt"):
            _, most = limits(x.sub(part.args[1], part.args[0]), state)
            if most is not None and most < (part.op == "lt"):
                return True
    return False


def _assuming(state: ReadState, condition: Expr) -> ReadState:
    more = tuple(AssumeStep(c) for c in x.conjuncts(condition))
    return replace(state, steps=(*state.steps, *more))


def _whatever_the_order(condition: Expr, values: Expr) -> bool:
    """Does the condition use the list only through functions that do not depend on its order?"""
    calls = [e for e in x.subterms(condition) if e.op == "call" and values in e.args]
    if any(not e.data.symmetric for e in calls):
        return False
    hidden = {e: x.var(f"hidden{i}", e.type) for i, e in enumerate(calls)}
    return not x.occurs(values, x.substitute(condition, hidden))


def _asks_for_length(condition: Expr, values: Expr) -> bool:
    """Might a list that is too short fail the condition? (``len(xs) <= n`` and ``all(...)`` do not.)"""
    upper = (
        condition.op == "le"
        and x.occurs(values, condition.args[0])
        and not x.occurs(values, condition.args[1])
    )
    every = condition.op == "call" and condition.data.symmetric == "all"
    nothing = condition.op == "le" and condition.args[0] == x.integer(0)
    return not (upper or every or nothing)


def _mentions(node: ast.AST, names: tuple[str, ...]) -> bool:
    return any(isinstance(n, ast.Name) and n.id in names for n in ast.walk(node))


def _replaced(node: ast.expr, name: str, value: ast.expr) -> ast.expr:
    """The expression with a name replaced by a value, except where the name means something else inside of it."""

    class ReplaceName(ast.NodeTransformer):
        def visit_Name(self, spot: ast.Name) -> ast.expr:
            return ast.copy_location(value, spot) if spot.id == name else spot

        def visit_Lambda(self, spot: ast.Lambda) -> ast.AST:
            return (
                spot
                if any(a.arg == name for a in ast.walk(spot.args) if isinstance(a, ast.arg))
                else self.generic_visit(spot)
            )

        def generic_visit(self, spot: Any) -> ast.AST:
            if not hasattr(spot, "generators"):
                return super().generic_visit(spot)
            stored = [n.id for g in spot.generators for n in ast.walk(g.target) if isinstance(n, ast.Name)]
            if name not in stored:
                return super().generic_visit(spot)
            spot.generators[0].iter = self.visit(spot.generators[0].iter)  # which is computed outside
            return spot  # type: ignore[no-any-return]

    return ReplaceName().visit(copy.deepcopy(node))  # type: ignore[no-any-return]


def _swapped(node: ast.expr, old: ast.expr, new: ast.expr) -> ast.expr:
    """The expression with one part replaced."""

    class ReplacePart(ast.NodeTransformer):
        def visit(self, spot: ast.AST) -> ast.AST:
            return new if spot is old else self.generic_visit(spot)

    if node is old:
        return new
    twin = copy.deepcopy(node)
    places = dict(zip(ast.walk(node), ast.walk(twin)))
    old = places[old]  # type: ignore[assignment]
    return ReplacePart().visit(twin)  # type: ignore[return-value]
