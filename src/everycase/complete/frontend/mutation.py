"""Lists, sets, dictionaries and records that a generator changes in place: each change is a new value of the same name."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from everycase.complete.frontend.reading import ROUNDS, Drawn, Reading, ReadState, Ways
from everycase.complete.frontend.spreading import Spreading, decided
from everycase.complete.language import expressions as x
from everycase.complete.language.expressions import Expr
from everycase.complete.language.list_functions import (
    append,
    backwards,
    elements_of,
    listed,
    with_element,
    without_element,
)
from everycase.complete.language.types import INT, DataType
from everycase.complete.language.unfolding import unfolded
from everycase.complete.language.wrapped import items_of

#: Methods that change a list or a set in place, and how many arguments they take.
CHANGES = {
    "extend": 1, "insert": 2, "sort": 0, "clear": 0, "reverse": 0, "remove": 1, "add": 1, "discard": 1,
}  # fmt: skip


class Mutation:
    """Reads the changes in place of one generator."""

    def __init__(self, reader: Reading, spreading: Spreading) -> None:
        self.reader, self.scope, self.spreading = reader, reader.scope, spreading

    def append(self, name: str, item: ast.expr, node: ast.AST, state: ReadState) -> Ways:
        """``name.append(item)``: the list has no other name, so it is equivalent to a new one."""
        before = state.env.get(name)
        if before is None or not isinstance(before.type, DataType) or not before.type.is_list:
            self.scope.fail(node)
        check_owner(self.reader, name, node)
        nil, cons = before.type.constructors
        for after, value in self.reader.expression(item, state, before.type.element):
            more = x.con(cons, value, x.con(nil))
            yield after.bind(name, append(self.reader.program.library.functions, after.env[name], more)), None

    def change(self, name: str, how: str, args: list[ast.expr], node: ast.AST, state: ReadState) -> Ways:
        """``extend``, ``insert``, ``sort``, ``reverse`` and ``clear`` of a list that has no other name."""
        before = state.env[name]
        kind = before.type
        if not isinstance(kind, DataType) or not kind.is_list:
            self.scope.fail(node)
        check_owner(self.reader, name, node)
        nil, cons = kind.constructors
        functions = self.reader.program.library.functions
        if how == "extend":
            for after, value in self.reader.expression(args[0], state, kind):
                yield after.bind(name, append(functions, after.env[name], value)), None
        elif how == "insert" and isinstance(args[0], ast.Constant) and args[0].value == 0:
            for after, value in self.reader.expression(args[1], state, kind.element):
                yield after.bind(name, x.con(cons, value, after.env[name])), None
        elif how == "insert":
            for there, items, place, value in self._with_item(name, args[0], args[1], node, state):
                items.insert(place, value)
                yield there.bind(name, listed(items, kind)), None
        elif how == "remove":
            removed = f"removed'{next(self.reader.counter)}"
            for after, value in self.reader.expression(args[0], state, kind.element):
                for known, items in self.spreading.elements(
                    after.env[name], after.bind(removed, value), node
                ):
                    for i, item in enumerate(items):
                        wanted = known.env[removed]
                        before_it = [x.not_(x.eq(wanted, other)) for other in items[:i]]
                        for there in known.assume(x.and_(*before_it, x.eq(wanted, item))):
                            yield there.bind(name, listed([*items[:i], *items[i + 1 :]], kind)), None
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

    def _places(
        self, name: str, place: ast.expr, state: ReadState, node: ast.AST
    ) -> Iterator[tuple[ReadState, list[Expr], int]]:
        """The elements of a list and a place in it, for each number of elements and each place."""
        for known, items in self.spreading.elements(state.env[name], state, node):
            for there, number in self.spreading.number(place, known):
                assert number is not None
                yield there, list(items), number

    def put_somewhere(
        self, name: str, place: ast.expr, item: ast.expr, node: ast.AST, state: ReadState
    ) -> Ways:
        """``name[place] = item`` of a list whose elements are known one by one."""
        kind = state.env[name].type
        if not isinstance(kind, DataType) or not kind.is_list:
            self.scope.fail(node)
        check_owner(self.reader, name, node)
        for there, items, number, value in self._with_item(name, place, item, node, state):
            if -len(items) <= number < len(items):
                items[number] = value
                yield there.bind(name, listed(items, kind)), None

    def _with_item(
        self, name: str, place: ast.expr, item: ast.expr, node: ast.AST, state: ReadState
    ) -> Iterator[tuple[ReadState, list[Expr], int, Expr]]:
        """The elements of a list, a place in it, and an item that belongs there."""
        where, what = f"place'{next(self.reader.counter)}", f"item'{next(self.reader.counter)}"
        index = ast.copy_location(ast.Name(where, ast.Load()), node)
        wanted = state.env[name].type.element  # type: ignore[attr-defined]
        # an assignment computes the item first, a call the place; draws in both would have to be told apart
        if any(self.reader.is_draw(n) for n in ast.walk(place)) and any(
            self.reader.is_draw(n) for n in ast.walk(item)
        ):
            self.scope.fail(node, "a draw for the place and another one for the item; give them names first")
        for after, number in self.reader.expression(place, state, INT):
            for last, value in self.reader.expression(item, after.bind(where, number), wanted):
                for there, items, k in self._places(name, index, last.bind(what, value), node):
                    yield there, items, k, there.env[what]

    def taken(self, name: str, place: ast.expr, node: ast.AST, state: ReadState) -> Drawn:
        """``name.pop(place)`` and ``del name[place]``: the element that is taken out, and what is left."""
        before = state.env[name]
        kind = before.type
        check_owner(self.reader, name, node)
        if self.is_dictionary(before):
            yield from self._without_key(name, place, node, state)
            return
        if not isinstance(kind, DataType) or not kind.is_list:
            self.scope.fail(node)
        for after, where in self.reader.expression(place, state, INT):
            spot = f"place'{next(self.reader.counter)}"
            index = ast.copy_location(ast.Name(spot, ast.Load()), node)
            for there, items, number in self._places(name, index, after.bind(spot, where), node):
                if -len(items) <= number < len(items):
                    value = items.pop(number)
                    yield there.bind(name, listed(items, kind)), value

    def _without_key(self, name: str, key: ast.expr, node: ast.AST, state: ReadState) -> Drawn:
        """``del name[key]`` of a dictionary whose items are known one by one."""
        before = state.env[name]
        known = elements_of(items_of(before)) if self.reader.pure.containers.of_kind(before, "dict") else None
        if known is None:
            self.scope.fail(
                node, "a key that is removed from a dictionary whose keys are not known one by one"
            )
        kind = items_of(before).type
        assert isinstance(kind, DataType)
        pair = kind.element.constructors[0]  # type: ignore[attr-defined]
        for after, wanted in self.reader.expression(key, state, pair.fields[0][1]):
            for i, item in enumerate(known):
                for there in after.assume(x.eq(wanted, x.field(pair, 0, item))):
                    rest = listed([*known[:i], *known[i + 1 :]], kind)
                    made = x.con(before.type.constructors[0], rest)  # type: ignore[attr-defined]
                    yield there.bind(name, made), x.field(pair, 1, item)

    def is_dictionary(self, e: Expr) -> bool:
        """A dictionary, with any keys or with those that are known."""
        containers = self.reader.pure.containers
        return containers.of_kind(e, "dict") or containers.of_kind(e, "keys")

    def updates(self, name: str, call: ast.Call, node: ast.stmt) -> list[ast.stmt]:
        """``name.update({key: value}, other=value)`` as one assignment for each key."""
        pairs: list[tuple[ast.expr, ast.expr]] = []
        for given in call.args:
            if not isinstance(given, ast.Dict) or None in given.keys:
                self.scope.fail(node, "update with something other than a dictionary that is written out")
            pairs += [(k, v) for k, v in zip(given.keys, given.values) if k is not None]
        for keyword in call.keywords:
            if keyword.arg is None:
                self.scope.fail(node, "update with something other than a dictionary that is written out")
            pairs.append((ast.Constant(keyword.arg), keyword.value))
        spot = ast.Name(name, ast.Load())
        made = [ast.Assign([ast.Subscript(spot, k, ast.Store())], v) for k, v in pairs]
        return [ast.fix_missing_locations(ast.copy_location(m, node)) for m in made]

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
            changed = (with_element if how == "add" else without_element)(
                functions, items_of(after.env[name]), item
            )
            for there, shape in decided(unfolded(changed), after):
                yield there.bind(name, x.con(before.type.constructors[0], shape)), None  # type: ignore[attr-defined]

    def set_key(self, name: str, key: ast.expr, value: ast.expr, node: ast.AST, state: ReadState) -> Ways:
        """``name[key] = value`` of a dictionary whose items are known one by one: at each place where the key may belong."""
        before = state.env[name]
        check_owner(self.reader, name, node)
        if self.reader.pure.containers.of_kind(before, "keys"):
            yield from self._set_known_key(name, key, value, node, state)
            return
        items = items_of(before)
        pair = items.type.element.constructors[0]  # type: ignore[attr-defined]
        known = elements_of(items)
        if known is None and items.op == "var":
            for after, _ in self.spreading.elements(items, state, node):
                yield from self.set_key(name, key, value, node, after)
            return
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

    def _set_known_key(
        self, name: str, key: ast.expr, value: ast.expr, node: ast.AST, state: ReadState
    ) -> Ways:
        """``name["key"] = value`` of a dictionary that has this key already."""
        before = state.env[name]
        made = before.type.constructors[0]  # type: ignore[attr-defined]
        wanted = self.scope.fixed(key, state.env)
        names = [n for n, _ in made.fields]
        if wanted not in names:
            self.scope.fail(node, f"a key that {before.type} does not have")
        for after, new in self.reader.expression(value, state, dict(made.fields)[wanted]):
            parts = [new if n == wanted else x.field(made, i, after.env[name]) for i, n in enumerate(names)]
            yield after.bind(name, x.con(made, *parts)), None

    def set_field(self, name: str, field: str, value: ast.expr, node: ast.AST, state: ReadState) -> Ways:
        """``name.field = value`` of a record that has no other name."""
        before = state.env[name]
        made = before.type.constructors[0] if isinstance(before.type, DataType) else None
        plain = made is not None and made.kind == "class" and made.native.__setattr__ is object.__setattr__
        plain = plain and made.making is None  # type: ignore[union-attr]
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
    name = name.split("'")[0]  # as it is written, also in a function that the generator defines
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
            case ast.Call(args=[ast.Call(func=called, args=[ast.Name() as options]) as choice]) if (
                reader.is_draw(n)
                and reader.scope.is_constant(called, {})
                and reader.drawer.library_name(choice) == "sampled_from"
            ):
                fine.add(options)  # one of its elements is drawn, the list itself is not
    for n in inside_body:
        shared = isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Load) and n not in fine
        if shared or _is_taken_out(n, name):
            reader.scope.fail(node, f"{name}, which is changed in place and may have another name")


def _is_taken_out(node: ast.AST, name: str) -> bool:
    """Does the name get an object that something else may hold as well: ``row = rows[0]``, ``for row in rows``,
    ``row = draw(sampled_from(rows))``?"""
    match node:
        case ast.For(target=target):
            return any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(target))
        case ast.Assign(targets=[ast.Name(id=same)], value=value) if same == name:
            given = [
                a for n in _outside_of_new(value) if isinstance(n, ast.Call) and _offers(n) for a in n.args
            ]
            held = any(isinstance(n, ast.Name) for a in given for n in ast.walk(a))
            return held or isinstance(value, ast.Name | ast.Attribute | ast.Subscript)
    return False


def _outside_of_new(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of an expression, apart from the elements of what is made anew: of ``lists(sampled_from(rows))``, the list is new."""
    yield node
    called = ast.unparse(node.func).split(".")[-1] if isinstance(node, ast.Call) else ""
    if called not in ("lists", "sets", "dictionaries"):
        for part in ast.iter_child_nodes(node):
            yield from _outside_of_new(part)


def _offers(call: ast.Call) -> bool:
    """A generator of what it is given: ``sampled_from(rows)``, ``just(row)``."""
    return isinstance(call.func, ast.Name | ast.Attribute) and ast.unparse(call.func).split(".")[-1] in (
        "sampled_from",
        "just",
    )
