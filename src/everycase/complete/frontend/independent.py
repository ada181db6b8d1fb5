"""Rounds of a loop or a comprehension that do not depend on each other.

Each round gives one element, and none reads what another one did. So the result is any list of such elements, and
all rounds are read as one draw of a whole list, however many there are.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import replace

from everycase.complete.frontend.limits import limits
from everycase.complete.frontend.mutation import check_owner
from everycase.complete.frontend.reading import ROUNDS, Drawn, Reading, ReadState, Ways
from everycase.complete.language import expressions as x
from everycase.complete.language.expressions import Expr
from everycase.complete.language.list_functions import elements_of
from everycase.complete.language.types import INT, DataType, Type
from everycase.complete.specification import Unsupported

MANY = 100  # ways through all rounds, above which they are read as one draw


class IndependentRounds:
    """Reads such loops of one generator."""

    def __init__(self, reader: Reading) -> None:
        self.reader, self.scope = reader, reader.scope

    def loop(self, node: ast.For, state: ReadState) -> Ways | None:
        """``for _ in range(n): xs.append(...)``; None if it is better read round by round."""
        name = _appended_to(node.body)
        before = state.env.get(name) if name is not None else None
        if name is None or before is None or before.op != "con" or before.args:
            return None
        kind = before.type
        if not isinstance(kind, DataType) or not kind.is_list or not self._is_alone(node, name):
            return None
        inside = _round(state)
        outer = {k: v for k, v in state.env.items() if k != name}
        found: list[tuple[ReadState, Expr]] = []
        try:
            for after, path in self.reader.block(node.body, inside):
                if path is not None and path.ending == "reject":
                    continue
                if path is not None and path.ending != "continue":
                    return None
                made = elements_of(after.env[name])
                changed = any(after.env.get(k) is not v for k, v in outer.items())
                if made is None or len(made) != 1 or changed or after.hidden != state.hidden:
                    return None
                found.append((after, made[0]))
            counts = list(self._counts(node.iter, state))
        except Unsupported:
            return None
        if not self._is_better(len(found), counts):
            return None
        check_owner(self.reader, name, node)

        def ways() -> Ways:
            for after, count in counts:
                for last, made in self.drawn(lambda: found, count, after, kind.element, node):
                    yield last.bind(name, made).without(_stored(node)), None

        try:
            return iter(list(ways()))
        except Unsupported:
            return None

    def comprehension(self, node: ast.ListComp, state: ReadState, expected: Type | None) -> Drawn | None:
        """``[... for _ in range(n)]``; None if it is better read round by round."""
        loop = node.generators[0]
        if loop.ifs or _loads(node.elt) & _stored(loop.target):
            return None
        wanted = expected.element if isinstance(expected, DataType) and expected.is_list else None
        try:
            found = list(self.reader.expression(node.elt, _round(state), wanted))
            if any(after.hidden != state.hidden for after, _ in found):
                return None
            counts = list(self._counts(loop.iter, state))
            if not self._is_better(len(found), counts):
                return None
            return iter(
                [
                    one
                    for after, count in counts
                    for one in self.drawn(lambda: found, count, after, wanted, node)
                ]
            )
        except Unsupported:
            return None

    def drawn(
        self,
        found: Callable[[], list[tuple[ReadState, Expr]]],
        count: Expr,
        state: ReadState,
        element: Type | None,
        node: ast.AST,
    ) -> Drawn:
        """A list of as many elements, each made in one of these ways."""
        many = x.ite(x.le(x.integer(0), count), count, x.integer(0))
        for after, made in self.reader.drawer.list_of_ways(found(), many, state, element, node):
            yield replace(after, scripted=False), made

    def _is_better(self, ways: int, counts: list[tuple[ReadState, Expr]]) -> bool:
        """Are there too many rounds, or too many ways through them, to follow each?"""
        if not ways:
            return False
        tops = [limits(count, after)[1] for after, count in counts]
        return any(top is None or top > ROUNDS or ways**top > MANY for top in tops)

    def _counts(self, over: ast.expr, state: ReadState) -> Iterator[tuple[ReadState, Expr]]:
        """The number of rounds, for each way to draw it."""
        match over:
            case ast.Call(func=ast.Name() as called, args=[*args], keywords=[]) if 1 <= len(
                args
            ) <= 2 and self.scope.is_builtin(called, range, state.env):
                low = args[0] if len(args) == 2 else ast.copy_location(ast.Constant(0), over)
                for after, start in self.reader.expression(low, state, INT):
                    for last, stop in self.reader.expression(args[-1], after, INT):
                        yield last, x.sub(stop, start)
            case _:
                self.scope.fail(over, "a loop over something else than numbers")

    def _is_alone(self, node: ast.For, name: str) -> bool:
        """Does a round only use names of its own, and does nothing else use them?"""
        stored, body = _stored(node), set().union(*map(_loads, node.body))
        if body & _stored(node.target):
            return False
        inside = {id(n) for n in ast.walk(node)}
        body_of = getattr(self.reader.source.node, "body", [])
        others = [n for s in body_of for n in ast.walk(s) if id(n) not in inside]
        if any(isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load) and n.id in stored for n in others):
            return False
        uses = [n for s in node.body for n in ast.walk(s) if isinstance(n, ast.Name) and n.id == name]
        appends = [n for s in node.body for n in ast.walk(s) if _append(n) == name]
        return len(uses) == len(appends)


def _round(state: ReadState) -> ReadState:
    """A state in which only one round is read."""
    return replace(state, steps=(), drawn=(), computed=(), spread=frozenset())


def _appended_to(body: list[ast.stmt]) -> str | None:
    """The one list that the statements append to."""
    names = {name for s in body for n in ast.walk(s) if (name := _append(n)) is not None}
    return names.pop() if len(names) == 1 else None


def _append(node: ast.AST) -> str | None:
    match node:
        case ast.Expr(
            value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append"), args=[_], keywords=[])
        ):
            return name
    return None


def _loads(node: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}


def _stored(node: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
