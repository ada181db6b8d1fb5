"""Comprehensions, ``sorted`` and places in a list, which are taken out of an expression before the rest is translated.

``[draw(g) for _ in range(n)]`` is read as one draw of a whole list. The result of ``sorted`` or of a filtering
comprehension on a drawn list is that list with one more condition, as long as the list itself is not used.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from everycase.complete.frontend.independent import IndependentRounds
from everycase.complete.frontend.limits import limits
from everycase.complete.frontend.loops import Loops, mentions
from everycase.complete.frontend.program import AssumeStep, DrawStep
from everycase.complete.frontend.reading import ROUNDS, Reading, ReadState
from everycase.complete.frontend.scope import reversed_order
from everycase.complete.frontend.spreading import Spreading, decided
from everycase.complete.language import expressions as x
from everycase.complete.language.expressions import Expr
from everycase.complete.language.list_functions import append, ascending, elements_of, for_all, length, listed
from everycase.complete.language.types import INT, DataType, Type
from everycase.complete.language.unfolding import unfolded
from everycase.complete.language.wrapped import items_of

SORTED = 4  # maximum number of written-out numbers that are sorted


class Comprehensions:
    """Reads the comprehensions of one generator."""

    def __init__(self, reader: Reading, loops: Loops, spreading: Spreading) -> None:
        self.reader, self.loops, self.pure, self.spreading = reader, loops, reader.pure, spreading
        self.scope, self.values = reader.scope, reader.values
        self.independent = IndependentRounds(reader)

    def comprehension(
        self, node: ast.ListComp, state: ReadState, expected: Type | None
    ) -> Iterator[tuple[ReadState, ast.expr]]:
        """A list comprehension as an expression that can be read."""
        if node.generators[0].is_async:
            self.scope.fail(node)
        if len(node.generators) > 1:
            yield from self._nested(node, state, expected)
            return
        loop = node.generators[0]
        rounds = self.loops.rounds(loop.iter, state) if not loop.ifs else None
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
                if mentions(source, (index,)):
                    self.scope.fail(node, "a draw that depends on the round of the comprehension")
                for after, value in self.loops.repeated(source, count, state, expected):
                    yield self._named(after, value, node)
            case _ if (at_once := self.independent.comprehension(node, state, expected)) is not None:
                for after, value in at_once:
                    yield self._named(replace(after, env=state.env), value, node)
            case ast.ListComp(elt=ast.Name(id=same)) if (
                isinstance(loop.target, ast.Name) and loop.target.id == same and loop.ifs
            ):
                yield from self._filtered(node, loop, state)
            case _:
                yield from self._mapped(node, loop, state, expected)

    def written_out(self, node: ast.ListComp | ast.GeneratorExp, state: ReadState) -> list[ast.expr] | None:
        """The elements of a comprehension, if its rounds are known; None for any other."""
        match node.generators:
            case [ast.comprehension(target=ast.Name(id=name), ifs=[], is_async=0) as loop]:
                rounds = self.loops.rounds(loop.iter, state)
                return None if rounds is None else [_replaced(node.elt, name, value) for value in rounds]
        return None

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

    def _nested(
        self, node: ast.ListComp, state: ReadState, expected: Type | None
    ) -> Iterator[tuple[ReadState, ast.expr]]:
        """``[e for a in xs for b in ys]``: the lists for each ``a``, one after the other."""
        loop, rest = node.generators[0], node.generators[1:]
        inner = ast.copy_location(ast.ListComp(node.elt, rest), node)
        for after, values in self.loops.cases(loop.iter, state, node):
            for last, rows in self._each(inner, loop, values, after, expected):
                if not rows:
                    self.scope.fail(node, "an empty list whose element type is not known here")
                whole = rows[-1]
                for row in reversed(rows[:-1]):
                    whole = append(self.reader.program.library.functions, row, whole)
                yield self._named(replace(last, env=state.env), whole, node)

    def as_set(
        self, node: ast.SetComp, state: ReadState, expected: Type | None
    ) -> Iterator[tuple[ReadState, ast.expr]]:
        """``{e for x in xs}`` as the set of a list."""
        inner = ast.copy_location(ast.ListComp(node.elt, node.generators), node)
        is_set = isinstance(expected, DataType) and expected.constructors[0].kind == "set"
        inside = expected.constructors[0].fields[0][1] if is_set else None  # type: ignore[union-attr]
        for after, spot in self.comprehension(inner, state, inside):
            made = self.pure.containers.as_set(set, self.pure.expr(spot, after.env), node)
            for last, shape in decided(unfolded(made), after):
                yield self._named(last, shape, node)

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
                found = [
                    (last, made)
                    for after, values in self.loops.cases(loop.iter, state, node)
                    for last, made in self._each(node.elt, loop, values, after, wanted)
                ]
                kind = expected if isinstance(expected, DataType) and expected.is_list else None
                if kind is None:  # of an empty list, the other cases know
                    first = next((made[0] for _, made in found if made), None)
                    if first is None and found:
                        self.scope.fail(node, "an empty list whose element type is not known here")
                    kind = (
                        self.reader.program.library.types.list_of(first.type) if first is not None else None
                    )
                for last, made in found:
                    assert kind is not None
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
        for after, values in self.loops.cases(loop.iter, state, node):
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
                    for after, items in self.loops.shapes(value, state, spot):
                        whole = listed(items, value.type)
                        after, known = self._named(after, whole, of)
                        yield from self.pick(_swapped(node, of, known), after)
                    return
                case ast.Subscript(value=ast.Name(id=name), slice=ast.Slice() as cut) if (
                    name in state.env and not self._is_fixed(cut, state)
                ):
                    yield from self._slice(node, spot, state.env[name], cut, state)
                    return
                case ast.JoinedStr() | ast.Call(func=ast.Name() | ast.Attribute(attr="format")) if (
                    shown := self._shown_number(spot, state)
                ) is not None:
                    for after, k in self.spreading.number(shown, state):
                        written = ast.copy_location(ast.Constant(k), spot)
                        yield from self.pick(_swapped(node, shown, written), after)
                    return
                case ast.BinOp(left=left, op=ast.Mult(), right=right):
                    for times, many in ((left, right), (right, left)):
                        if isinstance(times, ast.Name) and self._is_count(times.id, many, state):
                            for after, number in self._counted(times.id, state, spot):
                                yield from self.pick(_swapped(node, times, number), after)
                            return
        yield state, node

    def _shown_number(self, spot: ast.expr, state: ReadState) -> ast.Name | None:
        """A number with few values that a string is made of: ``f"{n}"``, ``str(n)`` or ``"{}".format(n)``."""
        match spot:
            case ast.JoinedStr(values=parts):
                inside = [p.value for p in parts if isinstance(p, ast.FormattedValue)]
            case ast.Call(func=called, args=[*inside]) if isinstance(
                called, ast.Attribute
            ) or self.scope.is_builtin(called, str, state.env):
                pass
            case _:
                return None
        for part in inside:
            if isinstance(part, ast.Name) and (value := state.env.get(part.id)) is not None:
                if value.type is not INT or value.op == "const" or self._is_used_elsewhere(part.id):
                    continue
                least, most = limits(value, state)
                if least is not None and most is not None and most - least <= ROUNDS:
                    return part
        return None

    def _is_used_elsewhere(self, name: str) -> bool:
        """A number that is also a part of the result is better left as it is."""
        body = getattr(self.reader.source.node, "body", [])
        uses = [n for s in body for n in ast.walk(s) if isinstance(n, ast.Name) and n.id == name]
        return sum(isinstance(n.ctx, ast.Load) for n in uses) > 1

    def _is_fixed(self, cut: ast.Slice, state: ReadState) -> bool:
        """Is this ``[1:]``, ``[:-1]``, ``[::-1]`` or the like, which can be read of any list?"""
        if cut.step is not None:
            return cut.lower is None and cut.upper is None and self.scope.fixed(cut.step, state.env) == -1
        return all(
            side is None or self.scope.fixed(side, state.env) is not None for side in (cut.lower, cut.upper)
        )

    def _slice(
        self, node: ast.expr, spot: ast.Subscript, value: Expr, cut: ast.Slice, state: ReadState
    ) -> Iterator[tuple[ReadState, ast.expr]]:
        """``xs[low:high]``, for each number of elements and each place."""
        kind = value.type
        step = self.scope.fixed(cut.step, state.env) if cut.step is not None else 1
        if not isinstance(kind, DataType) or not kind.is_list or type(step) is not int or step == 0:
            yield state, node
            return
        for known, items in self.spreading.elements(value, state, spot):
            for after, low in self.spreading.number(cut.lower, known):
                for last, high in self.spreading.number(cut.upper, after):
                    part, name = self._named(last, listed(items[low:high:step], kind), spot)
                    yield from self.pick(_swapped(node, spot, name), part)

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
                    down = reversed_order(options)
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


def _sorted_items(items: list[Expr]) -> list[Expr]:
    """Numbers in order, by comparing neighbours."""
    items = list(items)
    for end in range(len(items) - 1, 0, -1):
        for i in range(end):
            a, b = items[i], items[i + 1]
            items[i], items[i + 1] = x.ite(x.le(a, b), a, b), x.ite(x.le(a, b), b, a)
    return items


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
