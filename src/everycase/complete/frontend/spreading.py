"""A drawn list with few elements as separate draws, one for each element, so that everything about it is arithmetic."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from everycase.complete.frontend.limits import limits
from everycase.complete.frontend.program import AssumeStep, DrawStep, Step
from everycase.complete.frontend.reading import ROUNDS, Reading, ReadState
from everycase.complete.language import expressions as x
from everycase.complete.language.expressions import Expr
from everycase.complete.language.list_functions import elements_of, length, listed
from everycase.complete.language.types import BOOL, DataType
from everycase.complete.language.unfolding import unfolded

CHOICES = 6  # conditions in a row that decide about the shape of a result
FEW = 4  # maximum length of a list that is taken apart because a result is computed from it


class Spreading:
    """Takes drawn lists apart."""

    def __init__(self, reader: Reading) -> None:
        self.reader, self.scope = reader, reader.scope

    def elements(
        self, values: Expr, state: ReadState, node: ast.AST
    ) -> Iterator[tuple[ReadState, list[Expr]]]:
        """The elements of a list, for every length that it can have."""
        known = elements_of(values)
        if known is not None:
            yield state, known
            return
        least, most = self._sizes(values, state)
        if most is None or most > ROUNDS or not _is_drawn(values, state):
            self.scope.fail(node, f"a list that may have more than {ROUNDS} elements")
        for k in range(least, most + 1):
            yield from self._with_elements(values, k, state)

    def is_short(self, values: Expr, state: ReadState) -> bool:
        """Is this a drawn list of few elements?"""
        most = self._sizes(values, state)[1]
        return _is_drawn(values, state) and most is not None and most <= FEW

    def number(self, node: ast.expr | None, state: ReadState) -> Iterator[tuple[ReadState, int | None]]:
        """The value of a number with few values, for each of them."""
        if node is None:
            yield state, None
            return
        e = self.reader.pure.number(node, state.env)
        least, most = limits(e, state)
        if least is None or most is None or most - least > ROUNDS:
            self.scope.fail(node, f"{ast.unparse(node)}, which may be one of more than {ROUNDS} numbers")
        for k in range(least, most + 1):
            for after in state.assume(x.eq(e, x.integer(k))):
                yield after, k

    def settled(self, made: Expr, state: ReadState) -> Iterator[tuple[ReadState, Expr]]:
        """A result that is computed from a drawn list, which is not a part of it: for each length of the list."""
        for values in _computed_from(made):
            if self.is_short(values, state):
                for after, items in self.elements(values, state, self.reader.source.node):
                    whole = listed(items, values.type)  # type: ignore[arg-type]
                    for last, shape in decided(unfolded(x.substitute(made, {values: whole})), after):
                        yield from self.settled(shape, last)
                return
        yield state, made

    def _swapped(self, held: Any, swapped: Callable[[Expr], Expr]) -> Any:
        """A generator with a name, which may use the list."""
        env = {name: swapped(e) for name, e in held.env.items()}
        inside = {name: self._swapped(other, swapped) for name, other in held.strategies.items()}
        return replace(held, env=env, strategies=inside)

    def _sizes(self, values: Expr, state: ReadState) -> tuple[int, int | None]:
        least, most = limits(length(self.reader.program.library.functions, values), state)
        return max(0, least or 0), most

    def _with_elements(
        self, values: Expr, count: int, state: ReadState
    ) -> Iterator[tuple[ReadState, list[Expr]]]:
        """The state in which the list has this many elements, each of them a draw of its own."""
        kind = values.type
        assert isinstance(kind, DataType)
        items = [self.reader.drawer.fresh(f"{values.data}", kind.element) for _ in range(count)]
        by = {values: listed(items, kind)}

        def swapped(e: Expr) -> Expr:
            return unfolded(x.substitute(e, by)) if x.occurs(values, e) else e

        steps: list[Step] = []
        for step in state.steps:
            if isinstance(step, AssumeStep):
                condition = swapped(step.condition)
                if condition == x.FALSE:
                    return
                steps += [AssumeStep(c) for c in x.conjuncts(condition)]
            elif step.variable == values:
                steps += [DrawStep(item) for item in items]
            else:
                low, high = (None if e is None else swapped(e) for e in (step.low, step.high))
                steps.append(replace(step, low=low, high=high, args=tuple(map(swapped, step.args))))
        yield (
            replace(
                state,
                env={name: swapped(e) for name, e in state.env.items()},
                strategies={name: self._swapped(held, swapped) for name, held in state.strategies.items()},
                steps=tuple(steps),
                computed=tuple(map(swapped, state.computed)),
                drawn=tuple(map(swapped, state.drawn)),
                spread=frozenset(map(swapped, state.spread)),
                hidden=(*map(swapped, state.hidden), values),  # nothing may use the list as a whole any more
            ),
            items,
        )


def _computed_from(made: Expr) -> list[Expr]:
    """Lists that functions are applied to, and that are not a part of the result themselves."""
    found: list[Expr] = []
    whole: list[Expr] = [made]
    for e in x.subterms(made):
        lists = [a for a in e.args if a.op == "var" and isinstance(a.type, DataType) and a.type.is_list]
        if e.op == "call" and e.data.recursive and e.data.ends is None:
            found += lists
        elif e.op in ("con", "ite", "call", "eq"):
            whole += lists
    return [e for e in dict.fromkeys(found) if e not in whole]


def decided(made: Expr, state: ReadState, left: int = CHOICES) -> Iterator[tuple[ReadState, Expr]]:
    """A result whose shape depends on conditions, for each outcome of them."""
    test = next((e.args[0] for e in x.subterms(made) if e.op == "ite" and isinstance(e.type, DataType)), None)
    if test is None or not left:
        yield state, made
        return
    for holds in (test, x.not_(test)):
        outcome = x.const(holds is test, BOOL)
        for after in state.assume(holds):
            known = {test: outcome, x.not_(test): x.not_(outcome)}
            yield from decided(x.substitute(made, known), after, left - 1)


def _is_drawn(values: Expr, state: ReadState) -> bool:
    """Is the list the result of one draw, and not of another generator?"""
    return any(isinstance(s, DrawStep) and s.variable == values and s.generator is None for s in state.steps)
