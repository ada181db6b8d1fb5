"""Model files in TOML: what to combine, how strongly, and what not, as data."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from everycase.arrays.constraints import Constraint, Forbidden, implies
from everycase.arrays.formats.model_file import ModelFile
from everycase.arrays.model import Model
from everycase.errors import InvalidArgument

_KEYS = ("parameters", "strength", "strengths", "constraints", "invalid", "weights", "radix", "include")


def read_toml(text: str) -> ModelFile:
    """A model from TOML.

    >>> read_toml('''
    ... strength = 2
    ... [parameters]
    ... os = ["linux", "mac", "windows"]
    ... browser = ["firefox", "safari"]
    ... memory = { from = 0, to = 64, step = 16 }
    ... [[constraints]]
    ... if = { browser = "safari" }
    ... then = { os = "mac" }
    ... [[constraints]]
    ... expression = "memory > 0 or os == 'linux'"
    ... ''').model
    Model(os: 3, browser: 2, memory: 5; 2 constraints)
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidArgument(f"the model file is not TOML: {error}") from None
    for key in data:
        if key not in _KEYS:
            raise InvalidArgument(f"the model file has {key!r}; it may have {', '.join(_KEYS)}")
    if not isinstance(data.get("parameters"), Mapping):
        raise InvalidArgument("the model file needs a [parameters] table, for example: os = ['linux', 'mac']")
    parameters = {name: _values(name, given) for name, given in data["parameters"].items()}
    names = list(parameters)
    for key in ("constraints", "strengths", "include"):
        if not isinstance(data.get(key, []), list):
            raise InvalidArgument(f"{key} is {data[key]!r}; write [[{key}]] for each of them")
    model = Model(
        parameters,
        [_constraint(i, given, names) for i, given in enumerate(data.get("constraints", []))],
        dict(_group(given) for given in data.get("strengths", [])),
        data.get("invalid"),
        data.get("weights"),
    )
    return ModelFile(model, data.get("strength", 2), data.get("radix"), data.get("include", []))


def _values(name: str, given: Any) -> Any:
    if isinstance(given, list):
        return given
    if isinstance(given, Mapping) and {"from", "to"} <= set(given) <= {"from", "to", "step"}:
        whole = all(type(number) is int for number in given.values())
        if whole and given.get("step", 1) > 0:
            return range(given["from"], given["to"] + 1, given.get("step", 1))
    raise InvalidArgument(
        f"parameter {name!r} is {given!r}; write a list of values, or {{ from = 0, to = 1000, step = 10 }} with whole "
        "numbers and a step from 1"
    )


def _constraint(number: int, given: Any, names: list[str]) -> Constraint:
    keys = set(given) if isinstance(given, Mapping) else set()
    if keys == {"forbid"}:
        return Forbidden(given["forbid"])
    if keys == {"if", "then"} and all(isinstance(part, str | Mapping) for part in given.values()):
        return implies(_condition(given["if"], names), _condition(given["then"], names))
    if keys == {"expression"} and isinstance(given["expression"], str):
        return expression_constraint(given["expression"], names)
    raise InvalidArgument(
        f"constraints[{number}] is {given!r}; give it forbid = {{...}}, or if = ... and then = ..., "
        "or expression = '...'"
    )


def _condition(given: Any, names: list[str]) -> Any:
    return expression_constraint(given, names) if isinstance(given, str) else given


def _group(given: Any) -> tuple[tuple[str, ...], int]:
    is_group = isinstance(given, Mapping) and set(given) == {"parameters", "strength"}
    if not is_group or not isinstance(given["parameters"], list):
        raise InvalidArgument(f"strengths has {given!r}; write [[strengths]] parameters = [...] strength = 3")
    return tuple(given["parameters"]), given["strength"]


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
    except (SyntaxError, ValueError):
        raise InvalidArgument(
            f"constraint {text!r} is not an expression; write one such as \"os != 'mac' or memory >= 8\" (equality is ==)"
        ) from None
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
                    f"constraint {text!r} reads {node.id!r}, which is not a parameter; the parameters are "
                    f"{', '.join(names)}"
                )
            reads[node.id] = None
    if not reads:
        raise InvalidArgument(f"constraint {text!r} reads no parameter")
    code = compile(tree, "<constraint>", "eval")

    def holds(**row: Any) -> Any:
        return eval(code, {"__builtins__": {}}, row)

    return Constraint(holds, list(reads), text)
