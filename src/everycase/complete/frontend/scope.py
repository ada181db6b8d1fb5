"""What the names in one function stand for, outside of it."""

from __future__ import annotations

import ast
from typing import Any, NoReturn

from everycase.complete.frontend.source import FunctionSource
from everycase.complete.language.expressions import Env


class Scope:
    """The names of one function, and the error that says which construct in it is not understood."""

    def __init__(self, source: FunctionSource) -> None:
        self.source = source

    def fail(self, node: ast.AST, construct: str | None = None) -> NoReturn:
        """Raise the error that names the line and the construct."""
        self.source.unsupported(node, construct or f"{type(node).__name__}: {short(node)}")

    def is_constant(self, node: ast.expr, env: Env) -> bool:
        """Does a dotted name lead out of the function?"""
        if isinstance(node, ast.Name):
            return (
                node.id not in env and node.id in self.source.scope and node.id not in self.source.own_names
            )
        return isinstance(node, ast.Attribute) and self.is_constant(node.value, env)

    def constant(self, node: ast.expr) -> Any:
        """The Python object that a dotted name stands for."""
        if isinstance(node, ast.Name) and node.id in self.source.own_names:
            # Python would not look further than the function either: `if c: x = 1` and then `return x` fails
            self.fail(node, f"the local name {node.id} here")
        if isinstance(node, ast.Name) and node.id in self.source.scope:
            return self.source.scope[node.id]
        if isinstance(node, ast.Attribute):
            holder = self.constant(node.value)
            if hasattr(holder, node.attr):
                return getattr(holder, node.attr)
        self.fail(node)

    def evaluated(self, node: ast.expr, env: Env) -> list[Any] | None:
        """The items of a global list or tuple, or of a slice of one; None for anything else."""
        inside = node
        while isinstance(inside, ast.Subscript) and _is_fixed(inside.slice):
            inside = inside.value
        if inside is node or not self.is_constant(inside, env):
            return None
        found = eval(compile(ast.Expression(node), "<constant>", "eval"), dict(self.source.scope))
        return list(found) if isinstance(found, list | tuple | range) else None

    def is_builtin(self, node: ast.expr, wanted: object, env: Env) -> bool:
        """Does the name mean this very object of Python, not something of the user's?"""
        return self.is_constant(node, env) and self.constant(node) is wanted


def _is_fixed(node: ast.expr) -> bool:
    """Made of numbers only, such as the ``1:3`` of a slice."""
    allowed = (ast.Constant, ast.Slice, ast.UnaryOp, ast.USub, ast.Load)
    return all(isinstance(n, allowed) for n in ast.walk(node))


def short(node: ast.AST) -> str:
    """A piece of source, cut off where it gets long."""
    text = ast.unparse(node).split("\n")[0]
    return text if len(text) <= 40 else text[:37] + "..."
