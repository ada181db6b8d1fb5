"""Mutants of a Python module: its source with one small syntactic change inside a function, drawn by a seed."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from mutants_subjects import Subject

#: The possible replacements of each operator.
COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}


@dataclass(frozen=True)
class Mutation:
    """One change: the position of the node in a walk over the tree, the kind of change, and the line."""

    node: int
    change: str
    line: int


def source_of(subject: Subject) -> tuple[str, str]:
    """The file of a module and its text."""
    file = importlib.import_module(subject.module).__file__  # also for modules frozen into the interpreter
    assert file is not None
    return file, Path(file).read_text(encoding="utf-8")


def changes(node: ast.AST) -> Iterator[str]:
    """The names of the changes that are possible at one node."""
    match node:
        case ast.Compare(ops=[op]) if type(op) in COMPARISONS:
            yield "comparison"
        case ast.BinOp(op=op) | ast.AugAssign(op=op) if type(op) in OPERATORS:
            if not _is_formatting(node):
                yield "operator"
        case ast.BoolOp():
            yield "and/or"
        case ast.If() | ast.IfExp():
            yield "negated condition"
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            yield "dropped sign or not"
        case ast.Constant(value=bool()):
            yield "other truth value"
        case ast.Constant(value=int()):
            yield "one more"
            yield "one less"
        case ast.Break():
            yield "continue instead of break"
        case ast.Continue():
            yield "break instead of continue"
        case ast.Slice(lower=ast.expr()):
            yield "dropped lower bound"
        case ast.Slice(upper=ast.expr()):
            yield "dropped upper bound"
    if isinstance(node, ast.AugAssign) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)):
        yield "dropped statement"


def _is_formatting(node: Any) -> bool:
    return isinstance(getattr(node, "left", None), ast.Constant) and isinstance(node.left.value, str)


def mutations(text: str, lines: set[int]) -> list[Mutation]:
    """All changes inside functions on the given lines."""
    tree = ast.parse(text)
    inside: set[int] = set()
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            inside.update(id(node) for statement in function.body for node in ast.walk(statement))
    found = []
    for number, node in enumerate(ast.walk(tree)):
        line = getattr(node, "lineno", 0)
        if id(node) in inside and line in lines:
            found += [Mutation(number, change, line) for change in changes(node)]
    return found


def draw(subject: Subject, lines: set[int], count: int, seed: int) -> list[Mutation]:
    """Some mutations of a subject; the same seed and source give the same mutations."""
    every = mutations(source_of(subject)[1], lines)
    random.Random(f"{seed} {subject.module}").shuffle(every)
    return every[:count]


def mutated(tree: ast.Module, mutation: Mutation) -> ast.Module:
    """The tree with one change, made in place."""
    for number, node in enumerate(ast.walk(tree)):
        if number == mutation.node:
            replacement = _changed(node, mutation.change)
            if replacement is not node:
                for parent in ast.walk(tree):
                    _replace(parent, node, replacement)
            return ast.fix_missing_locations(tree)
    raise LookupError(f"the source has no place {mutation.node}")


def _replace(parent: ast.AST, old: ast.AST, new: ast.AST) -> None:
    for name, value in ast.iter_fields(parent):
        if value is old:
            setattr(parent, name, new)
        elif isinstance(value, list) and any(item is old for item in value):
            setattr(parent, name, [new if item is old else item for item in value])


def _changed(node: Any, change: str) -> ast.AST:
    """The changed node, or its replacement."""
    match change:
        case "comparison":
            node.ops = [COMPARISONS[type(node.ops[0])]()]
        case "operator":
            node.op = OPERATORS[type(node.op)]()
        case "and/or":
            node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        case "negated condition":
            node.test = ast.copy_location(ast.UnaryOp(ast.Not(), node.test), node.test)
        case "dropped sign or not":
            return node.operand  # type: ignore[no-any-return]
        case "other truth value":
            node.value = not node.value
        case "one more":
            node.value += 1
        case "one less":
            node.value -= 1
        case "continue instead of break":
            return ast.copy_location(ast.Continue(), node)
        case "break instead of continue":
            return ast.copy_location(ast.Break(), node)
        case "dropped lower bound":
            node.lower = None
        case "dropped upper bound":
            node.upper = None
        case "dropped statement":
            return ast.copy_location(ast.Pass(), node)
    return node  # type: ignore[no-any-return]


def load(subject: Subject, mutation: Mutation | None = None) -> ModuleType:
    """Execute the module of a subject afresh, with one change if one is given. It replaces the original."""
    for name in subject.hidden:
        sys.modules[name] = None  # type: ignore[assignment]
    file, text = source_of(subject)
    tree = ast.parse(text)
    if mutation is not None:
        tree = mutated(tree, mutation)
    spec = importlib.util.spec_from_file_location(subject.module, file)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[subject.module] = module
    exec(compile(tree, file, "exec"), module.__dict__)
    return module


def shown(subject: Subject, mutation: Mutation) -> str:
    """A short description of a mutation, with the line that it changes."""
    line = source_of(subject)[1].splitlines()[mutation.line - 1].strip()
    return f"{subject.module}:{mutation.line} {mutation.change}: {line[:70]}"
