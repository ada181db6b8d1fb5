"""The reader of pure expressions, as its parts see it.

A comparison contains expressions, an expression contains calls, a call contains expressions again: the files for
comparisons, calls and quantifiers see the whole through the protocol below.
"""

from __future__ import annotations

import ast
from typing import Protocol

from everycase.complete.frontend.containers import Containers
from everycase.complete.frontend.conversions import Conversions
from everycase.complete.frontend.library import Library
from everycase.complete.frontend.scope import Scope
from everycase.complete.frontend.source import FunctionSource
from everycase.complete.language.expressions import Env, Expr
from everycase.complete.language.types import Type


class ExpressionReader(Protocol):
    """Translates the expressions of one function."""

    library: Library
    source: FunctionSource
    scope: Scope
    values: Conversions
    containers: Containers

    def of_range(self, node: ast.expr, env: Env) -> Expr | None:
        """The numbers of ``range(...)``, as a list; None for any other expression."""

    def expr(self, node: ast.expr, env: Env, expected: Type | None = None) -> Expr:
        """Any pure expression, as a value of the expected type."""

    def uncoerced(self, node: ast.expr, env: Env, expected: Type | None) -> Expr:
        """Any pure expression; the expected type is only a hint."""

    def number(self, node: ast.expr, env: Env) -> Expr:
        """An expression that is a number."""

    def truth(self, node: ast.expr, env: Env) -> Expr:
        """An expression used as a condition."""

    def truth_of(self, e: Expr, node: ast.AST) -> Expr:
        """The truth value of a value."""

    def bind(self, target: ast.expr, value: Expr, env: Env) -> dict[str, Expr]:
        """``x = value`` or ``x, y = value``."""
