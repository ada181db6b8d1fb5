"""Which arguments the parameters of a function stand for in a call."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from types import FunctionType
from typing import Any


def arguments_of(function: FunctionType) -> ast.arguments:
    code = function.__code__
    count = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 4) + bool(code.co_flags & 8)
    return ast.arguments([], [ast.arg(name) for name in code.co_varnames[:count]], None, [], [], None, [])


def besides(name: str, values: Iterable[ast.expr | None]) -> list[ast.expr | None]:
    """What a parameter is bound to besides its argument; another name is not known to be new."""
    others = [value for value in values if not (isinstance(value, ast.Name) and value.id == name)]
    return [None if isinstance(value, ast.Name) else value for value in others]


def parameters_of(function: FunctionType) -> tuple[str, ...]:
    """The parameters of a function, except ``*args`` and ``**kwargs``."""
    code = function.__code__
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]


def given_to(
    function: FunctionType, call: ast.Call, owner: ast.expr | None
) -> dict[str, ast.expr | None] | None:
    """What the parameters of a function stand for in a call: an expression, or None if that is not known."""
    names = list(parameters_of(function)[: function.__code__.co_argcount])
    positional = [*([] if owner is None else [owner]), *call.args]
    if any(isinstance(one, ast.Starred) for one in positional) or any(not one.arg for one in call.keywords):
        return None
    found: dict[str, ast.expr | None] = {
        name: ast.Constant(value)
        for name, value in _defaults_of(function).items()
        if value is None or isinstance(value, int | float | str | bytes)
    }
    found.update(zip(names, positional))
    found.update({str(one.arg): one.value for one in call.keywords})
    return found


def _defaults_of(function: FunctionType) -> dict[str, Any]:
    names = parameters_of(function)[: function.__code__.co_argcount]
    values = function.__defaults__ or ()
    return {**dict(zip(names[len(names) - len(values) :], values)), **(function.__kwdefaults__ or {})}


def given_to_local(taken: ast.arguments, call: ast.Call) -> dict[str, ast.expr | None] | None:
    """The same for a local function."""
    if taken.vararg or taken.kwarg or any(isinstance(one, ast.Starred) for one in call.args):
        return None
    if any(not one.arg for one in call.keywords):
        return None
    names = [one.arg for one in (*taken.posonlyargs, *taken.args)]
    found: dict[str, ast.expr | None] = dict(zip(names[len(names) - len(taken.defaults) :], taken.defaults))
    found.update({one.arg: value for one, value in zip(taken.kwonlyargs, taken.kw_defaults) if value})
    found.update(zip(names, call.args))
    found.update({str(one.arg): one.value for one in call.keywords})
    return found
