"""Lists, sets, dictionaries and records that a generator changes in place: each change is a new value of the same name."""

from __future__ import annotations

import ast

from everycase.complete.frontend.reading import ROUNDS, Reading, ReadState, Ways
from everycase.complete.language import expressions as x
from everycase.complete.language.list_functions import (
    append,
    backwards,
    elements_of,
    listed,
    with_element,
    without_element,
)
from everycase.complete.language.types import DataType
from everycase.complete.language.wrapped import items_of

#: Methods that change a list or a set in place, and how many arguments they take.
CHANGES = {"extend": 1, "insert": 2, "sort": 0, "clear": 0, "reverse": 0, "add": 1, "discard": 1}


class Mutation:
    """Reads the changes in place of one generator."""

    def __init__(self, reader: Reading) -> None:
        self.reader, self.scope = reader, reader.scope

    def append(self, name: str, item: ast.expr, node: ast.AST, state: ReadState) -> Ways:
        """``name.append(item)``: the list has no other name, so it is equivalent to a new one."""
        before = state.env.get(name)
        if before is None or not isinstance(before.type, DataType) or not before.type.is_list:
            self.scope.fail(node)
        check_owner(self.reader, name, node)
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
        check_owner(self.reader, name, node)
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
        check_owner(self.reader, name, node)
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
        check_owner(self.reader, name, node)
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
        check_owner(self.reader, name, node)
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
        check_owner(self.reader, name, node)
        names = [n for n, _ in made.fields]
        if field not in names:
            self.scope.fail(node)
        for after, new in self.reader.expression(value, state, dict(made.fields)[field]):
            parts = [new if n == field else x.field(made, i, before) for i, n in enumerate(names)]
            yield after.bind(name, x.con(made, *parts)), None


def check_owner(reader: Reading, name: str, node: ast.AST) -> None:
    """What is changed in place must not have a second name."""
    plain = {"len", "sum", "min", "max", "sorted", "all", "any"}
    # not the decorators: a predicate there may use the same name
    statements: list[ast.stmt] = getattr(reader.source.node, "body", [])
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
                    reader.scope.fail(node, f"{name}, which is changed in place and may have another name")
        if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Load) and n not in fine:
            reader.scope.fail(node, f"{name}, which is changed in place and may have another name")
