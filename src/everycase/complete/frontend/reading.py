"""The state of a reader of generators, and the interfaces of its parts.

Statements contain expressions, expressions contain draws, draws contain expressions again: the files for
statements, draws and loops see each other through the protocols below.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeAlias

from everycase.complete.frontend.conversions import Conversions
from everycase.complete.frontend.program import AssumeStep, DrawStep, Path, Program, Step
from everycase.complete.frontend.pure import Expressions
from everycase.complete.frontend.scope import Scope
from everycase.complete.frontend.source import FunctionSource
from everycase.complete.language import expressions as x
from everycase.complete.language.expressions import FALSE, Env, Expr
from everycase.complete.language.types import Type

ROUNDS = 12  # maximum number of unrolled rounds of one loop


@dataclass(frozen=True)
class ReadState:
    """The state of a reader: the meaning of the names, and the steps so far."""

    env: Env
    steps: tuple[Step, ...]
    computed: tuple[Expr, ...] = ()
    drawn: tuple[Expr, ...] = ()
    spread: frozenset[Expr] = frozenset()
    scripted: bool = True
    hidden: tuple[Expr, ...] = ()
    """Lists that were taken apart, so they must not be used as they were."""
    strategies: Mapping[str, Any] = field(default_factory=dict)
    """Names of generators, which are not values."""
    functions: Mapping[str, ast.FunctionDef] = field(default_factory=dict)
    """Functions that the generator has defined so far."""

    @property
    def conditions(self) -> tuple[Expr, ...]:
        return tuple(s.condition for s in self.steps if isinstance(s, AssumeStep))

    def assume(self, condition: Expr) -> Iterator[ReadState]:
        """Continue under a condition; nowhere if it cannot hold."""
        if condition != FALSE:
            more = tuple(AssumeStep(c) for c in x.conjuncts(condition))
            yield replace(self, steps=self.steps + more)

    def draw(self, step: DrawStep) -> ReadState:
        return replace(self, steps=(*self.steps, step))

    def returned(self, value: Expr, each: bool = False) -> ReadState:
        """Record the result of a ``draw(...)``; with ``each``, the results of one draw after the other."""
        spread = self.spread | {value} if each else self.spread
        return replace(self, drawn=(*self.drawn, value), spread=spread)

    def compute(self, value: Expr) -> ReadState:
        return replace(self, computed=(*self.computed, value))

    def bind(self, name: str, value: Expr) -> ReadState:
        return replace(self, env={**self.env, name: value}).without((name,))

    def define(self, name: str, function: ast.FunctionDef) -> ReadState:
        """``def name``: from here on the name means the function."""
        env = {k: v for k, v in self.env.items() if k != name}
        return replace(self.without((name,)), env=env, functions={**self.functions, name: function})

    def without(self, names: Iterable[str]) -> ReadState:
        """These names are not generators or functions (any more)."""
        if not any(n in self.strategies or n in self.functions for n in names):
            return self
        left = {k: v for k, v in self.strategies.items() if k not in names}
        functions = {k: v for k, v in self.functions.items() if k not in names}
        return replace(self, strategies=left, functions=functions)


#: Every way to continue, and how a path ended if it did.
Ways: TypeAlias = Iterator[tuple[ReadState, Path | None]]
#: Every way to draw, with the value that it gives.
Drawn: TypeAlias = Iterator[tuple[ReadState, Expr]]


class Drawer(Protocol):
    """Reads what ``draw(...)`` can return."""

    def sample(self, node: ast.expr, state: ReadState, expected: Type | None, name: str | None) -> Drawn:
        """Every way to draw from a generator expression."""

    def bound(self, node: ast.expr | None, state: ReadState) -> Iterator[tuple[ReadState, Expr | None]]:
        """A number that may be omitted."""

    def makes_sense(self, node: ast.expr, state: ReadState) -> list[Expr]:
        """When Python can make this generator."""

    def library_name(self, node: ast.Call) -> str:
        """The name of the library function that is called, or nothing."""

    def fresh(self, name: str | None, kind: Type) -> Expr:
        """A variable for the result of a draw."""

    def is_strategy(self, node: ast.expr, state: ReadState) -> bool:
        """Does the expression stand for a generator?"""

    def drawn_list(
        self,
        elements: ast.expr | tuple[ast.expr, ast.expr],
        low: Expr,
        high: Expr | None,
        state: ReadState,
        expected: Type | None,
        name: str | None,
    ) -> tuple[ReadState, Expr]:
        """One unknown list, with what holds for it."""

    def list_of_ways(
        self,
        ways: list[tuple[ReadState, Expr]],
        count: Expr,
        state: ReadState,
        expected: Type | None,
        node: ast.AST,
    ) -> Drawn:
        """A list of so many elements, each of which is made in one of these ways."""


class Spreader(Protocol):
    """Takes drawn lists apart."""

    def is_short(self, values: Expr, state: ReadState) -> bool:
        """Is this a drawn list of few elements?"""

    def elements(
        self, values: Expr, state: ReadState, node: ast.AST
    ) -> Iterator[tuple[ReadState, list[Expr]]]:
        """The elements of a list, for every length that it can have."""


class Reading(Protocol):
    """The reader of one generator, as its parts see it."""

    program: Program
    source: FunctionSource
    pure: Expressions
    scope: Scope
    values: Conversions
    counter: Iterator[int]
    eager: bool

    @property
    def drawer(self) -> Drawer:
        """Reads the draws."""

    @property
    def spreading(self) -> Spreader:
        """Takes drawn lists apart."""

    def block(self, statements: list[ast.stmt], state: ReadState) -> Ways:
        """Follow statements."""

    def expression(
        self, node: ast.expr, state: ReadState, expected: Type | None, target: ast.expr | None = None
    ) -> Drawn:
        """Take the draws out, then translate the rest."""

    def condition(self, node: ast.expr, state: ReadState) -> Drawn:
        """An expression of which only the truth counts."""

    def cases(
        self, over: ast.expr, state: ReadState, node: ast.AST
    ) -> Iterator[tuple[ReadState, list[Expr]]]:
        """The elements of what is iterated over, for every number of them that there can be."""

    def written_out(self, node: ast.ListComp | ast.GeneratorExp, state: ReadState) -> list[ast.expr] | None:
        """The elements of a comprehension, if its rounds are known."""

    def value(self, node: ast.expr, state: ReadState, expected: Type | None) -> Drawn:
        """A pure expression; the path continues only where Python can compute it."""

    def children(self, node: ast.expr, state: ReadState) -> Iterator[tuple[ReadState, ast.expr]]:
        """Take the draws out of the parts of an expression."""

    def is_draw(self, node: ast.AST) -> bool:
        """Is this a call of ``draw``?"""

    def helper(self, source: FunctionSource, result: Type | None = None, draw: str = ...) -> Reading:
        """A reader of a plain function that returns a generator, or that gets ``draw``."""

    def paths(self, env: Env, generators: Mapping[str, Any] | None = None) -> list[Path]:
        """All paths, in the order of the source."""

    def inside(
        self, source: FunctionSource, result: Type | None, env: Env, generators: Mapping[str, Any]
    ) -> list[Path]:
        """The paths of another generator that is read as a part of this one, and may get generators as
        arguments."""
