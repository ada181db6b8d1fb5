"""Predicates taken apart where they say ``and``.

``return is_ordered(tree) and black_height(tree) is not None`` is two conditions. Asked one by one, the second can tell
that it is what rejects, and from how little it knows that (see :mod:`everycase.narrow.parallel`). Statements that return
False, such as ``if not xs: return False`` or a loop with a ``return False`` in it, are conditions by themselves; so are
those of a function that a condition calls with the same arguments.

A predicate is taken apart only if its source is what runs, and does nothing but work something out. The real values are
always asked by the predicate as it was written.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import FunctionType
from typing import Any

from everycase.gen.sources import TREE, Tree, code_of, is_same_code, make_function, tree_of
from everycase.narrow.eased import eased
from everycase.narrow.effects import CHANGING, Doubt, Effects

#: Functions that call each other are followed so far.
DEPTH = 4
#: A predicate with more parts is left as it is after so many.
MOST_PARTS = 16

#: A condition, and which of the arguments of the whole predicate it takes.
Conjunct = tuple[Callable[..., object], tuple[int, ...]]


def taken_apart(
    predicate: Callable[..., object], arity: int, classes: Iterable[type]
) -> tuple[list[Conjunct], bool]:
    """The conditions that a predicate of so many arguments is made of, and whether they may be asked in another order.

    >>> def proper(a, b):
    ...     return a > 0 and b > a
    >>> parts, _ = taken_apart(proper, 2, [])
    >>> [part(1, 2) for part, _ in parts]
    [True, True]
    """
    whole: list[Conjunct] = [(predicate, tuple(range(arity)))]
    function = getattr(predicate, "function", predicate)
    if not isinstance(function, FunctionType):
        return whole, False
    effects = Effects(classes)
    try:
        effects.of_function(function)
    except (Doubt, RecursionError):
        return whole, False
    parts = _apart(function, tuple(range(arity)), DEPTH)
    if not parts or len(parts) > MOST_PARTS:
        return whole, not effects.may_not_end
    return parts, not effects.may_not_end


def _apart(function: FunctionType, places: tuple[int, ...], depth: int) -> list[Conjunct]:
    whole: list[Conjunct] = [(function, places)]
    tree = tree_of(function)
    code = function.__code__
    plain = code.co_argcount >= len(places) and not code.co_kwonlyargcount and not code.co_flags & 12
    if tree is None or depth == 0 or not plain or isinstance(tree, ast.AsyncFunctionDef):
        return whole
    if not hasattr(function, TREE):
        body = [ast.Return(tree.body)] if isinstance(tree, ast.Lambda) else tree.body
        if not is_same_code(code_of(tree.args, body, function), code):
            return whole
    pieces = _pieces(tree)
    if pieces is None:
        return whole
    outside = _outside(function)
    for name in _parameters(tree) | {node.id for node in _stores(tree)}:
        outside.pop(name, None)
    pieces = [
        (before, statement, part) if part is None else (before, *_answer_of(part, statement, outside))
        for before, statement, part in pieces
    ]
    made: list[Conjunct] = []
    for before, statement, part in pieces:
        inner = None if before or part is None else _called(function, tree, part, places, depth)
        if inner is not None:
            made += inner
            continue
        if len(pieces) == 1 and part is _only_answer(tree):
            return whole  # as it is written, which takes one call less
        one = make_function(_name(statement), _taken(tree), [*before, *_answer(statement)], function)
        if one is None:
            return whole
        one.__defaults__ = function.__defaults__
        made.append((one, places))
    return made


#: What stands before a condition and is needed for it, the statement, and the expression if it is one.
Piece = tuple[list[ast.stmt], ast.stmt, ast.expr | None]


def _pieces(tree: Tree) -> list[Piece] | None:
    """The conditions in the body of a function; None if it cannot be taken apart."""
    if isinstance(tree, ast.Lambda):
        return [([], _returning(part), part) for part in _conjoined(tree.body)]
    assert isinstance(tree, ast.FunctionDef)
    before: list[ast.stmt] = []
    pieces: list[Piece] = []
    for number, statement in enumerate(tree.body):
        match statement:
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                continue
            case ast.Assign() | ast.AnnAssign() | ast.FunctionDef():
                before.append(statement)
            case ast.If() | ast.For():
                returned = _returned(statement)
                if returned is None:
                    return None
                if returned == {False} and not _binds(statement):
                    pieces.append((_needed(before, statement), statement, None))
                else:
                    before.append(statement)
            case ast.Return(value=ast.expr() as value) if number == len(tree.body) - 1:
                if not (isinstance(value, ast.Constant) and value.value is True):
                    pieces += [(_needed(before, part), _returning(part), part) for part in _conjoined(value)]
                return pieces
            case _:
                return None
    return None


def _conjoined(node: ast.expr) -> list[ast.expr]:
    match node:
        case ast.BoolOp(op=ast.And(), values=values):
            return [part for value in values for part in _conjoined(value)]
        case ast.UnaryOp(op=ast.Not(), operand=ast.BoolOp(op=ast.Or(), values=values)):
            return [
                part
                for value in values
                for part in _conjoined(ast.copy_location(ast.UnaryOp(ast.Not(), value), value))
            ]
        case ast.Call(func=ast.Name(id="bool"), args=[inner], keywords=[]):
            return _conjoined(inner)
    return [node]


def _only_answer(tree: Tree) -> ast.expr | None:
    """What a function returns at its end."""
    if isinstance(tree, ast.Lambda):
        return tree.body
    last = tree.body[-1]
    return last.value if isinstance(last, ast.Return) else None


def _answer_of(part: ast.expr, statement: ast.stmt, outside: Mapping[str, Any]) -> tuple[ast.stmt, ast.expr]:
    """A condition in a form that says no as soon as it can."""
    soon = eased(part, outside)
    return (statement, part) if soon is part else (_returning(soon), soon)


def _parameters(tree: Tree) -> set[str]:
    return {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}


def _returned(statement: ast.stmt) -> set[object] | None:
    """The constants that a statement returns; None if it returns something else, or does something else."""
    found: set[object] = set()
    for node in ast.walk(statement):
        match node:
            case ast.Return(value=ast.Constant(value=bool(value))):
                found.add(value)
            case ast.Return():
                return None
            case ast.Try() | ast.With() | ast.While() | ast.FunctionDef() | ast.Match():
                return None
    return found


def _binds(statement: ast.stmt) -> bool:
    """Whether something is set or changed in the branches, which later statements may read."""
    for node in ast.walk(statement):
        match node:
            case ast.Assign() | ast.AugAssign() | ast.AnnAssign() | ast.NamedExpr() | ast.Delete():
                return True
            case ast.Call(func=ast.Attribute(attr=name)) if name in CHANGING:
                return True
    return False


def _stores(statement: ast.AST) -> list[ast.Name]:
    return [
        node for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    ]


def _needed(before: Sequence[ast.stmt], part: ast.AST) -> list[ast.stmt]:
    """The statements before a condition that it depends on: those that bind what it reads, and those that return."""
    wanted = _reads(part)
    kept: list[ast.stmt] = []
    for statement in reversed(before):
        bound = {node.id for node in _stores(statement)}
        if isinstance(statement, ast.FunctionDef):
            bound = {statement.name}
        if bound & wanted or (isinstance(statement, ast.If | ast.For)):
            kept.insert(0, statement)
            wanted |= _reads(statement)
    return kept


def _reads(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)}


def _called(
    function: FunctionType, tree: Tree, part: ast.expr, places: tuple[int, ...], depth: int
) -> list[Conjunct] | None:
    """The conditions of a function that is called with arguments of this one; None if it is not such a call."""
    match part:
        case ast.Call(func=ast.Name(id=name), args=given, keywords=[]):
            pass
        case _:
            return None
    parameters = [arg.arg for arg in (*tree.args.posonlyargs, *tree.args.args)]
    called = _outside(function).get(name)
    if name in parameters or not isinstance(called, FunctionType) or called is function:
        return None
    chosen = [one.id for one in given if isinstance(one, ast.Name)]
    if len(chosen) < len(given) or not set(chosen) <= set(parameters[: len(places)]):
        return None
    if isinstance(tree, ast.FunctionDef) and any(
        node.id in parameters for statement in tree.body for node in _stores(statement)
    ):
        return None
    return _apart(called, tuple(places[parameters.index(one)] for one in chosen), depth - 1)


def _outside(function: FunctionType) -> dict[str, Any]:
    found: dict[str, Any] = {**vars(builtins), **function.__globals__}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        try:
            found[name] = cell.cell_contents
        except ValueError:
            continue
    return found


def _taken(tree: Tree) -> ast.arguments:
    names = [*tree.args.posonlyargs, *tree.args.args]
    return ast.arguments([], [ast.arg(one.arg) for one in names], None, [], [], None, [])


def _returning(part: ast.expr) -> ast.stmt:
    return ast.copy_location(ast.Return(part), part)


def _answer(statement: ast.stmt) -> list[ast.stmt]:
    if isinstance(statement, ast.Return):
        return [statement]
    return [statement, ast.copy_location(ast.Return(ast.Constant(True)), statement)]


def _name(statement: ast.stmt) -> str:
    """A name for a condition, for whoever looks into a traceback."""
    return f"condition_in_line_{getattr(statement, 'lineno', 0)}"
