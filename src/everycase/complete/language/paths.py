"""The ways through a generator's body, as draws and conditions that end in a value.

A path is a list of steps (draw a value, assume a condition) and what it ends in: a returned expression, a hole
``...``, or a rejection. Choices between generators (``one_of``, ``sampled_from``) become several paths.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from everycase.complete.frontend.conversions import Env
from everycase.complete.language import expressions as x
from everycase.complete.language.expressions import FALSE, Expr

if TYPE_CHECKING:
    from everycase.complete.frontend.program import Generator


@dataclass(frozen=True)
class Draw:
    """``variable`` gets any integer within bounds, any value of a type, or anything a generator makes."""

    variable: Expr
    low: Expr | None = None
    high: Expr | None = None
    generator: Generator | None = None
    args: tuple[Expr, ...] = ()


@dataclass(frozen=True)
class Assume:
    """The path goes on only if this holds."""

    condition: Expr


Step = Draw | Assume


@dataclass(frozen=True)
class Path:
    """One way through a generator. ``result`` is None for holes and rejections."""

    steps: tuple[Step, ...]
    result: Expr | None
    ending: str  # "return", "hole" or "reject"
    node: ast.stmt
    locals: Env
    computed: tuple[Expr, ...] = ()
    """Calls of the user's functions, also those whose result is not used: they might not return."""
    drawn: tuple[Expr, ...] = ()
    """What each ``draw(...)`` of the body returns, in the order in which Python comes to them."""
    spread: frozenset[Expr] = frozenset()
    """Those of ``drawn`` that are lists of what one draw after the other returns."""
    scripted: bool = True
    """Can the draws be repeated one by one? Not if only what was made of them is known."""

    @property
    def draws(self) -> list[Draw]:
        return [s for s in self.steps if isinstance(s, Draw)]

    @property
    def conditions(self) -> list[Expr]:
        return [s.condition for s in self.steps if isinstance(s, Assume)]

    @property
    def expressions(self) -> list[Expr]:
        """Everything that is computed on the way."""
        found: list[Expr] = [*self.computed, *([self.result] if self.result is not None else [])]
        for step in self.steps:
            if isinstance(step, Assume):
                found.append(step.condition)
            else:
                found += [e for e in (step.low, step.high) if e is not None]
                found += step.args
        return found


@dataclass(frozen=True)
class State:
    """Where a reader stands: what the names mean, and the steps so far."""

    env: Env
    steps: tuple[Step, ...]
    computed: tuple[Expr, ...] = ()
    drawn: tuple[Expr, ...] = ()
    spread: frozenset[Expr] = frozenset()
    scripted: bool = True
    hidden: tuple[Expr, ...] = ()
    """Lists that were taken apart, so that nobody may use them as they were."""
    strategies: Mapping[str, Any] = field(default_factory=dict)
    """Names of generators, which are no values."""

    @property
    def conditions(self) -> tuple[Expr, ...]:
        return tuple(s.condition for s in self.steps if isinstance(s, Assume))

    def assume(self, condition: Expr) -> Iterator[State]:
        """Go on under a condition; nowhere if it cannot hold."""
        if condition != FALSE:
            more = tuple(Assume(c) for c in x.conjuncts(condition))
            yield replace(self, steps=self.steps + more)

    def draw(self, step: Draw) -> State:
        return replace(self, steps=(*self.steps, step))

    def returned(self, value: Expr, each: bool = False) -> State:
        """Note what a ``draw(...)`` returned; with ``each``, what one draw after the other returned."""
        spread = self.spread | {value} if each else self.spread
        return replace(self, drawn=(*self.drawn, value), spread=spread)

    def compute(self, value: Expr) -> State:
        return replace(self, computed=(*self.computed, value))

    def bind(self, name: str, value: Expr) -> State:
        return replace(self, env={**self.env, name: value}).without((name,))

    def without(self, names: Iterable[str]) -> State:
        """These names are no generators (any more)."""
        left = {k: v for k, v in self.strategies.items() if k not in names}
        return self if len(left) == len(self.strategies) else replace(self, strategies=left)
