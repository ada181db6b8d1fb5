"""What the names in a function stand for, and which names a piece of code reads and sets."""

from __future__ import annotations

import ast
from types import FunctionType
from typing import Any


def closure_of(function: FunctionType) -> dict[str, Any]:
    """The variables of functions around it that a function uses, as far as they have values yet.

    >>> def outer(n):
    ...     return lambda: n + later
    ...     later = 1
    >>> closure_of(outer(3))
    {'n': 3}
    """
    found = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        try:
            found[name] = cell.cell_contents
        except ValueError:  # not filled yet
            continue
    return found


def names_read(node: ast.AST) -> set[str]:
    """The variables that a piece of code reads.

    >>> names_read(ast.parse("x = y.z + 1"))
    {'y'}
    """
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)}


def names_set(node: ast.AST) -> set[str]:
    """The variables that a piece of code sets.

    >>> names_set(ast.parse("x = y.z + 1"))
    {'x'}
    """
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
