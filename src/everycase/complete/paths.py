"""The ways through a generator's body, as draws and conditions that end in a value.

A path is a list of steps (draw a value, assume a condition) and what it ends in: a returned expression, a hole
``...``, or a rejection. Choices between generators (``one_of``, ``sampled_from``) become several paths.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from everycase.complete import expressions as x
from everycase.complete.conversions import Env
from everycase.complete.expressions import FALSE, Expr

if TYPE_CHECKING:
    from everycase.complete.program import Generator


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

    def compute(self, value: Expr) -> State:
        return replace(self, computed=(*self.computed, value))

    def bind(self, name: str, value: Expr) -> State:
        return replace(self, env={**self.env, name: value})
