"""Labels that never came up: is there an input that has one?

The condition of a label is read from the source of the test, and pruning searches for an input that satisfies
it. This is good enough for a search but proves nothing: the test is run on the input to see whether it has
the label.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import FunctionType
from typing import Any

from everycase.explore.narrow.explorer import Narrow
from everycase.explore.protocol import SEARCHING, Case, Space
from everycase.gen.sources import make_function, tree_of
from everycase.run.labels import classify
from everycase.run.property import Property

#: Maximum number of evaluations of a condition.
EVALUATIONS = 20_000
#: Maximum number of inputs to try for a label.
TRIES = 3


def candidates(prop: Property, label: str, seed: int) -> Iterator[Case]:
    """Inputs that should have a label, a few at most; none if its condition cannot be read or no input is found."""
    try:
        read = _condition(prop, label)
    except Exception:
        return  # the source of the test is unusual
    if read is None:
        return
    space = Space(prop.gen, seed, TRIES, preconditions=[*prop.checks(), read])
    found = 0
    try:
        for case in Narrow(max_evaluations=EVALUATIONS).explore(space):
            if case is not SEARCHING and case.args is not None:
                yield case
                found += 1
            if found == TRIES:
                return
    except Exception:
        return  # the condition raises where the test would not have evaluated it


def _condition(prop: Property, label: str) -> tuple[FunctionType, tuple[int, ...]] | None:
    """The condition of the one call of ``classify`` with this label, as a function of generated arguments."""
    function: Any = prop.function
    tree = tree_of(function)
    if tree is None:
        return None
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and _labels(node, label, function)]
    if len(calls) != 1:
        return None
    call = calls[0]
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    condition = call.args[1] if len(call.args) > 1 else given.get("condition")
    if condition is None:
        return None
    read = {node.id for node in ast.walk(condition) if isinstance(node, ast.Name)}
    names = [name for name in prop.gens if name in read]
    local = set(function.__code__.co_varnames) | set(function.__code__.co_cellvars)
    if not names or (read & local) - set(names):
        return None  # it uses something that the test has computed
    copied = ast.parse(ast.unparse(condition), mode="eval").body
    taken = ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, [])
    made = make_function("condition", taken, [ast.Return(copied)], function)
    if made is None:
        return None
    return made, tuple(list(prop.gens).index(name) for name in names)


def _labels(call: ast.Call, label: str, function: FunctionType) -> bool:
    """Whether this is a call of ``classify`` for the label."""
    first = call.args[0] if call.args else None
    if not (isinstance(first, ast.Constant) and first.value == label):
        return False
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    return name == "classify" or function.__globals__.get(name) is classify
