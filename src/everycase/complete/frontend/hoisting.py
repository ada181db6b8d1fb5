"""Draws inside an expression: they are hoisted out of it, in the order in which Python evaluates them, so that the rest of the
expression can be translated as a pure one."""

from __future__ import annotations

import ast
import types
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from everycase.complete.frontend.comprehensions import Comprehensions
from everycase.complete.frontend.draws import Drawing
from everycase.complete.frontend.local_functions import LocalFunctions
from everycase.complete.frontend.mutation import Mutation
from everycase.complete.frontend.reading import Reading, ReadState
from everycase.complete.frontend.source import is_composite
from everycase.complete.language import expressions as x
from everycase.complete.language.types import Type

_HOISTED = (ast.ListComp, ast.DictComp, ast.SetComp, ast.NamedExpr)
#: Functions that go through all values of what they are given.
_CONSUMING = (list, tuple, set, frozenset, sorted, sum, min, max)


class Hoisting:
    """Hoists the draws out of the expressions of one generator: every way to draw, and the expression that is left."""

    def __init__(
        self,
        reader: Reading,
        draw: str,
        drawer: Drawing,
        comprehensions: Comprehensions,
        local_functions: LocalFunctions,
        mutation: Mutation,
    ) -> None:
        self.reader, self.draw, self.drawer = reader, draw, drawer
        self.program, self.source, self.counter = reader.program, reader.source, reader.counter
        self.pure, self.scope = reader.pure, reader.scope
        self.comprehensions, self.local_functions, self.mutation = comprehensions, local_functions, mutation

    def hoist(
        self, node: ast.expr, state: ReadState, expected: Type | None, name: str | None = None
    ) -> Iterator[tuple[ReadState, ast.expr]]:
        """Every way to evaluate an expression as far as it draws, and the rest of it. ``name`` is the variable that it is for."""
        if isinstance(node, ast.ListComp):
            yield from self.comprehensions.comprehension(node, state, expected)
        elif isinstance(node, ast.DictComp):
            yield from self.comprehensions.dictionary(node, state, expected)
        elif (rows := self.comprehensions.as_comprehension(node, state)) is not None:
            yield from self.comprehensions.comprehension(rows, state, expected)
        elif isinstance(node, ast.SetComp):
            yield from self.comprehensions.as_set(node, state, expected)
        elif self._consumes(node, state) and any(self._is_hoisted(n, state) for n in ast.walk(node)):
            assert isinstance(node, ast.Call) and isinstance(node.args[0], ast.GeneratorExp)
            inner = ast.ListComp(node.args[0].elt, node.args[0].generators)
            call = ast.Call(node.func, [ast.copy_location(inner, node)], node.keywords)
            yield from self.hoist(ast.copy_location(call, node), state, expected)
        elif self.local_functions.called(node, state) is not None:
            yield from self.local_functions.call(node, state)  # type: ignore[arg-type]
        elif self.is_pop(node, state):
            yield from self._popped(node, state)  # type: ignore[arg-type]
        elif (given := self._is_given_draw(node)) is not None:
            yield from self._with_draw(given, node, state, expected)  # type: ignore[arg-type]
        elif not any(self._is_hoisted(n, state) for n in ast.walk(node)):
            if isinstance(node, ast.IfExp):
                yield from self._conditional(node, state, expected)
            else:
                yield state, node
        elif self.reader.is_draw(node):
            assert isinstance(node, ast.Call)
            if len(node.args) != 1 or any(k.arg != "label" for k in node.keywords):
                self.scope.fail(node)
            for after, value in self.drawer.sample(node.args[0], state, expected, name):
                spot = f"{name or 'drawn'}'{next(self.counter)}"
                after = after.bind(spot, value).returned(value)
                yield after, ast.copy_location(ast.Name(spot, ast.Load()), node)
        elif isinstance(node, ast.IfExp):
            yield from self._conditional(node, state, expected)
        elif isinstance(node, ast.BoolOp):
            yield from self._short_circuit(node, state)
        elif isinstance(node, ast.Compare) and any(
            self.reader.is_draw(n) for later in node.comparators[1:] for n in ast.walk(later)
        ):
            yield from self.hoist(_unchained(node), state, expected)
        elif isinstance(node, ast.NamedExpr):
            for after, made in self.reader.expression(node.value, state, expected, node.target):
                yield (
                    after.bind(node.target.id, made),
                    ast.copy_location(ast.Name(node.target.id, ast.Load()), node),
                )
        elif isinstance(node, ast.Lambda | ast.ListComp | ast.GeneratorExp):
            self.scope.fail(node, f"a draw inside {type(node).__name__}")
        else:
            yield from self.children(node, state)

    def draws(self, node: ast.expr, state: ReadState) -> bool:
        """Does the expression do more than to compute: draw, name something, or change a list?"""
        return any(
            self.reader.is_draw(n)
            or isinstance(n, ast.NamedExpr)
            or self.is_pop(n, state)
            or (isinstance(n, ast.expr) and self._is_given_draw(n) is not None)
            or self.local_functions.called(n, state) is not None
            for n in ast.walk(node)
        )

    def _is_hoisted(self, node: ast.AST, state: ReadState) -> bool:
        """Whether this part of an expression is read before the rest."""
        if self.reader.is_draw(node) or isinstance(node, _HOISTED) or self.is_pop(node, state):
            return True
        return isinstance(node, ast.Call) and (
            self._is_given_draw(node) is not None
            or self.local_functions.called(node, state) is not None
            or self.comprehensions.as_comprehension(node, state) is not None
        )

    def _is_given_draw(self, node: ast.expr) -> Any:
        """The plain function of the user that is called with ``draw`` itself; None for any other expression."""
        if not isinstance(node, ast.Call) or not any(self._is_draw_itself(a) for a in node.args):
            return None
        target = self.scope.constant(node.func) if self.scope.is_constant(node.func, {}) else None
        return target if isinstance(target, types.FunctionType) and not is_composite(target) else None

    def is_pop(self, node: ast.AST, state: ReadState) -> bool:
        """``name.pop(...)`` of a list or a dictionary."""
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="pop"), args=args, keywords=[]):
                return name in state.env and len(args) <= 1
        return False

    def _popped(self, node: ast.Call, state: ReadState) -> Iterator[tuple[ReadState, ast.expr]]:
        assert isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name)
        last = ast.copy_location(ast.UnaryOp(ast.USub(), ast.Constant(1)), node)
        place = node.args[0] if node.args else ast.fix_missing_locations(last)
        for after, value in self.mutation.taken(node.func.value.id, place, node, state):
            spot = f"taken'{next(self.counter)}"
            yield after.bind(spot, value), ast.copy_location(ast.Name(spot, ast.Load()), node)

    def _consumes(self, node: ast.AST, state: ReadState) -> bool:
        """Is this a call of a function that goes through everything that it is given?"""
        match node:
            case ast.Call(func=ast.Name() as called, args=[ast.GeneratorExp()]):
                return any(self.scope.is_builtin(called, one, state.env) for one in _CONSUMING)
            case ast.Call(func=ast.Attribute(attr="join"), args=[ast.GeneratorExp()], keywords=[]):
                return True
        return False

    def _is_draw_itself(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and node.id == self.draw

    def _with_draw(
        self, target: Any, node: ast.Call, state: ReadState, expected: Type | None
    ) -> Iterator[tuple[ReadState, ast.expr]]:
        """What a function makes that draws with the ``draw`` it is given."""
        source = self.scope.source_of(target, node)
        names = tuple(source.parameters)
        given = self.pure.calls.with_defaults(
            target, names, self.pure.calls.arguments(node, names, node.args), node
        )
        spots = [n for n in names if self._is_draw_itself(given[n])]
        held = {}
        for n in names:
            if n not in spots and self.drawer.is_strategy(given[n], state):
                if any(self.reader.is_draw(inside) for inside in ast.walk(given[n])):
                    self.scope.fail(node, "a generator that depends on a draw; give it a name first")
                for after, generator in self.drawer.strategies.hold(given[n], state):
                    state, held[n] = after, generator
        values = [n for n in names if n not in spots and n not in held]
        if len(spots) != 1 or not isinstance(source.node, ast.FunctionDef):
            self.scope.fail(node)
        result = (
            self.program.library.annotation(source.node.returns, source) if source.node.returns else expected
        )
        inner = self.reader.helper(source, result, spots[0])
        call = ast.copy_location(ast.Tuple([given[n] for n in values], ast.Load()), node)
        for after, filled in self.hoist(call, state, None):
            made = [self.pure.expr(e, after.env) for e in filled.elts]  # type: ignore[attr-defined]
            with self.program.inlining(target, self.source, node):
                paths = inner.paths(dict(zip(values, made)), held)
            for path in paths:
                if path.ending == "hole":
                    self.scope.fail(node, "a call of a function with holes")
                if path.result is None:
                    continue
                done = replace(
                    after, steps=after.steps + path.steps, computed=after.computed + path.computed,
                    drawn=after.drawn + path.drawn, spread=after.spread | path.spread,
                    scripted=after.scripted and path.scripted,
                )  # fmt: skip
                spot = f"given'{next(self.counter)}"
                yield done.bind(spot, path.result), ast.copy_location(ast.Name(spot, ast.Load()), node)

    def _conditional(
        self, node: ast.IfExp, state: ReadState, expected: Type | None
    ) -> Iterator[tuple[ReadState, ast.expr]]:
        for after, condition in self.reader.condition(node.test, state):
            for yes in after.assume(condition):
                yield from self.hoist(node.body, yes, expected)
            for no in after.assume(x.not_(condition)):
                yield from self.hoist(node.orelse, no, expected)

    def _short_circuit(self, node: ast.BoolOp, state: ReadState) -> Iterator[tuple[ReadState, ast.expr]]:
        """``a and draw(b)`` draws only if ``a`` holds."""
        stop = isinstance(node.op, ast.Or)
        rest = (
            node.values[1]
            if len(node.values) == 2
            else ast.copy_location(ast.BoolOp(node.op, node.values[1:]), node)
        )
        for after, test in self.reader.expression(node.values[0], state, None):
            condition = self.pure.truth_of(test, node)
            for ends in after.assume(condition if stop else x.not_(condition)):
                spot = f"stopped'{next(self.counter)}"  # the value itself, which need not be True or False
                yield ends.bind(spot, test), ast.copy_location(ast.Name(spot, ast.Load()), node)
            for goes_on in after.assume(x.not_(condition) if stop else condition):
                yield from self.hoist(rest, goes_on, None)

    def children(self, node: ast.expr, state: ReadState) -> Iterator[tuple[ReadState, ast.expr]]:
        """Take the draws out of the parts of an expression, from left to right."""
        places: list[tuple[str, int | None, ast.expr]] = []
        for name, old in ast.iter_fields(node):
            called = name == "func" and isinstance(node, ast.Call)
            if isinstance(old, ast.expr) and not (called and not isinstance(old, ast.Attribute)):
                places.append((name, None, old))  # of `draw(g).strip()`, what is before the dot
            elif isinstance(old, list):
                for i, item in enumerate(old):
                    if isinstance(item, ast.keyword):
                        places.append((name, i, item.value))
                    elif isinstance(item, ast.expr):
                        places.append((name, i, item))

        def fill(i: int, current: ReadState, made: ast.expr) -> Iterator[tuple[ReadState, ast.expr]]:
            if i == len(places):
                yield current, made
                return
            name, index, old = places[i]
            for after, new in self.hoist(old, current, None):
                copy = type(made)(**dict(ast.iter_fields(made)))
                if index is None:
                    setattr(copy, name, new)
                else:
                    items = list(getattr(copy, name))
                    was = items[index]
                    items[index] = ast.keyword(was.arg, new) if isinstance(was, ast.keyword) else new
                    setattr(copy, name, items)
                yield from fill(i + 1, after, ast.copy_location(copy, node))

        yield from fill(0, state, node)


def _unchained(node: ast.Compare) -> ast.expr:
    """``a < b < draw(c)`` as ``a < b and b < draw(c)``, which draws only if ``a < b``; ``b`` must not draw."""
    first = ast.Compare(node.left, node.ops[:1], node.comparators[:1])
    rest = ast.Compare(node.comparators[0], node.ops[1:], node.comparators[1:])
    return ast.fix_missing_locations(ast.copy_location(ast.BoolOp(ast.And(), [first, rest]), node))
