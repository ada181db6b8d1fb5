"""Constraints written as text in a model file: a small, safe part of Python's expressions."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from everycase.arrays.constraints import Constraint
from everycase.errors import InvalidArgument

_ALLOWED = (
    ast.Expression,
    ast.BoolOp,
    ast.And,
    ast.Or,
    ast.UnaryOp,
    ast.Not,
    ast.USub,
    ast.BinOp,
    ast.Add,
    ast.Sub,
    ast.Mult,
    ast.Div,
    ast.FloorDiv,
    ast.Mod,
    ast.Compare,
    ast.Eq,
    ast.NotEq,
    ast.Lt,
    ast.LtE,
    ast.Gt,
    ast.GtE,
    ast.In,
    ast.NotIn,
    ast.IfExp,
    ast.Tuple,
    ast.List,
    ast.Constant,
    ast.Name,
    ast.Load,
)


def expression_constraint(text: str, names: Sequence[str]) -> Constraint:
    """A constraint from an expression over parameter names: comparisons, arithmetic, and/or/not, in.

    Nothing else is accepted (no calls, no attributes), so a model file cannot run code.

    >>> expression_constraint("browser != 'safari' or os == 'mac'", ["os", "browser"]).reads
    ('browser', 'os')
    """
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError) as error:
        raise InvalidArgument(f"constraint {text!r} is not an expression: {error}") from None
    reads: dict[str, None] = {}
    for node in ast.walk(tree):
        if not isinstance(node, _ALLOWED):
            raise InvalidArgument(
                f"constraint {text!r} uses {type(node).__name__}; only comparisons, arithmetic, and/or/not, "
                "'in' and constants are allowed in a model file (write a .py model for more)"
            )
        if isinstance(node, ast.Name):
            if node.id not in names:
                raise InvalidArgument(
                    f"constraint {text!r} reads {node.id!r}, which is no parameter; they are {', '.join(names)}"
                )
            reads[node.id] = None
    if not reads:
        raise InvalidArgument(f"constraint {text!r} reads no parameter")
    code = compile(tree, "<constraint>", "eval")

    def holds(**row: Any) -> Any:
        return eval(code, {"__builtins__": {}}, row)

    return Constraint(holds, list(reads), text)
