"""Repair by edit: widen a range, relax a condition, add an option; existing code is changed before anything
is added.

An edit replaces one small piece of the generator's text. Each is tried in small worlds first (it must make
what was missing and nothing invalid), and edits that pass are examined like any other patch.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from everycase.complete.clock import Clock, TimeIsUp
from everycase.complete.examination import Examination
from everycase.complete.frontend.program import Generator
from everycase.complete.frontend.source import source_of
from everycase.complete.language.expressions import INT, TEXT, functions_in, subterms
from everycase.complete.search.concrete import RealSets
from everycase.complete.search.promise import natively_valid
from everycase.complete.search.worlds import formulas_of, levels
from everycase.complete.specification import PredicateFailed, Unsupported
from everycase.complete.synthesis.patch import reread
from everycase.complete.synthesis.problem import RepairProblem
from everycase.errors import InvalidArgument

MOST = 120  # edits that are tried
ARGUMENTS = 25  # argument lists for which nothing invalid may be made
SHARE = 0.5  # of the time


@dataclass(frozen=True)
class Edit:
    """Replace the text of a node; they are ordered by ``cost``, the smallest change first."""

    node: ast.expr | ast.stmt
    new: str
    cost: int

    def applied(self, text: str) -> str:
        lines = text.splitlines(keepends=True)
        starts = list(itertools.accumulate((len(line) for line in lines), initial=0))
        node = self.node
        assert node.end_lineno is not None and node.end_col_offset is not None
        start = starts[node.lineno - 1] + _column(lines[node.lineno - 1], node.col_offset)
        end = starts[node.end_lineno - 1] + _column(lines[node.end_lineno - 1], node.end_col_offset)
        return text[:start] + self.new + text[end:]


def _column(line: str, offset: int) -> int:
    """The syntax tree counts bytes."""
    return len(line.encode()[:offset].decode())


def by_edit(problem: RepairProblem, text: str) -> Iterator[str]:
    """Patched texts, cheapest first, that make everything valid and nothing else in small worlds."""
    model = problem.model
    edits = sorted(edits_of(model), key=lambda e: e.cost)
    seen = {text}
    clock = model.program.clock.part(SHARE)
    for edit in edits[:MOST]:
        if clock.left() <= 0:
            return
        new = edit.applied(text)
        if new not in seen and _promising(model, new, clock):
            yield new
        seen.add(new)


def _promising(model: Generator, text: str, clock: Clock) -> bool:
    try:
        patched = model.program.twin(clock).replace(model.native, reread(model.source, text))
        exam = Examination(patched, clock.left(), False)
        for level in itertools.islice(levels(patched, exam.evaluator), 2):
            if exam.survey(level).unreached:
                return False
            real = RealSets(level.world, clock)
            for args in level.arguments[:ARGUMENTS]:
                if any(not natively_valid(patched, (*args, v)) for v in real.values(patched, *args)):
                    return False
    except (Unsupported, PredicateFailed, TimeIsUp, SyntaxError, RecursionError, AssertionError):
        return False
    return True


def edits_of(model: Generator) -> Iterator[Edit]:
    """Every edit of one place; numbers and strings come from the promise and from the generator itself."""
    source = model.source
    roots = [model.requires, model.covers, *formulas_of(model)]
    bodies = [f.body for f in functions_in(roots) if f.body is not None]
    constants = [e for e in subterms(*roots, *bodies) if e.op == "const"]
    numbers = sorted({e.data for e in constants if e.type is INT}, key=lambda n: (abs(n), n))
    texts = sorted({e.data for e in constants if e.type is TEXT})
    for node in ast.walk(source.node):
        if isinstance(node, ast.Call):
            yield from _of_call(node, numbers, texts)
            if _name(node) in _BOUNDED:
                yield from _of_typed_bounds(node, model)
        elif isinstance(node, ast.Compare) and len(node.ops) == 1:
            yield from _of_comparison(node)
        elif isinstance(node, ast.Expr) and _name(node.value) == "assume":
            yield Edit(node, "pass", 6)
            for part in ast.walk(node.value):
                if isinstance(part, ast.BoolOp) and isinstance(part.op, ast.And):
                    yield from (Edit(part, ast.unparse(v), 5) for v in part.values)


def _name(node: ast.expr) -> str:
    if not isinstance(node, ast.Call):
        return ""
    return node.func.attr if isinstance(node.func, ast.Attribute) else ast.unparse(node.func)


#: Draws between two bounds that are not whole numbers.
_BOUNDED = ("floats", "dates", "datetimes", "times", "timedeltas")


def _of_typed_bounds(node: ast.Call, model: Generator) -> Iterator[Edit]:
    """Values that the promise compares with, in place of a bound of dates, floats and the like."""
    try:
        promise = source_of(model.specification.predicate)
    except InvalidArgument:
        return
    same_names = promise.scope.get("datetime") is model.source.scope.get("datetime")
    sides = [
        s for n in ast.walk(promise.node) if isinstance(n, ast.Compare) for s in (n.left, *n.comparators)
    ]
    known = list(dict.fromkeys(ast.unparse(s) for s in sides if _written_out(s, same_names)))
    for bound in [*node.args, *(k.value for k in node.keywords if k.arg in ("min_value", "max_value"))]:
        yield from (Edit(bound, text, 2) for text in known if text != ast.unparse(bound))


def _written_out(node: ast.expr, same_names: bool) -> bool:
    """Is this a number, or a date and the like with all its parts?"""
    match node:
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float())):
            return True
        case ast.Constant(value=value):
            return isinstance(value, int | float) and not isinstance(value, bool)
        case ast.Call(func=ast.Attribute(value=ast.Name(id="datetime"))):
            given = [*node.args, *(k.value for k in node.keywords)]
            return same_names and all(_written_out(a, same_names) for a in given)
    return False


def _of_call(node: ast.Call, numbers: list[int], texts: list[str]) -> Iterator[Edit]:
    match _name(node):
        case "integers":
            for place, bound in enumerate(node.args):
                yield from _of_bound(bound, -1 if place == 0 else 1, numbers)
            for keyword in node.keywords:
                yield from _of_bound(keyword.value, -1 if keyword.arg == "min_value" else 1, numbers)
                yield Edit(node, _without(node, keyword), 4)
            if len(node.args) == 2:
                first = ast.unparse(node.args[0])
                yield Edit(node, f"{ast.unparse(node.func)}(min_value={first})", 4)
        case "lists" | "text" | "sets" | "frozensets" | "dictionaries":
            for keyword in node.keywords:
                if keyword.arg in ("min_size", "max_size"):
                    yield from _of_bound(keyword.value, -1 if keyword.arg == "min_size" else 1, numbers)
                    yield Edit(node, _without(node, keyword), 2)
        case "sampled_from":
            yield from _of_options(node, numbers, texts)
        case "just":
            library = ast.unparse(node.func).removesuffix("just")
            for value in [*map(repr, numbers), *map(repr, texts)]:
                if node.args and ast.unparse(node.args[0]) != value:
                    both = f"{library}sampled_from([{ast.unparse(node.args[0])}, {value}])"
                    yield Edit(node, both, 5)


def _without(node: ast.Call, keyword: ast.keyword) -> str:
    """The call without one of its keywords."""
    rest = [*map(ast.unparse, node.args)]
    rest += [f"{k.arg}={ast.unparse(k.value)}" for k in node.keywords if k is not keyword]
    return f"{ast.unparse(node.func)}({', '.join(rest)})"


def _of_bound(node: ast.expr, outwards: int, numbers: list[int]) -> Iterator[Edit]:
    """Other bounds in place of one: a step outwards, a number of the promise, or a term without its
    constant."""
    value = _constant(node)
    if value is not None:
        yield Edit(node, str(value + outwards), 1)
        wider = [n + d for n in numbers for d in (0, 1, -1) if (n + d - value) * outwards > 0]
        yield from (Edit(node, str(n), 2) for n in dict.fromkeys(wider))
    match node:
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
            step = _constant(right)
            if step is not None:
                signed = step if isinstance(op, ast.Add) else -step
                if signed * outwards < 0:
                    yield Edit(node, ast.unparse(left), 1)
                yield Edit(node, _shifted(ast.unparse(left), signed + outwards), 2)
        case ast.Name() | ast.Attribute() | ast.Subscript():
            yield Edit(node, _shifted(ast.unparse(node), outwards), 3)


def _shifted(text: str, by: int) -> str:
    return text if by == 0 else f"{text} {'+' if by > 0 else '-'} {abs(by)}"


def _of_options(node: ast.Call, numbers: list[int], texts: list[str]) -> Iterator[Edit]:
    if len(node.args) == 1 and isinstance(node.args[0], ast.Subscript):
        yield Edit(node.args[0], ast.unparse(node.args[0].value), 2)  # all of it rather than a slice
    if len(node.args) != 1 or not isinstance(node.args[0], ast.List | ast.Tuple):
        return
    known = [ast.unparse(e) for e in node.args[0].elts]
    similar = texts if any(k[:1] in "'\"" for k in known) else numbers
    missing = [repr(v) for v in similar if repr(v) not in known]
    for added in [[m] for m in missing] + ([missing] if 1 < len(missing) <= 4 else []):
        yield Edit(node.args[0], f"[{', '.join([*known, *added])}]", 2 + len(added))


_RELAXED = {ast.Lt: "<=", ast.Gt: ">=", ast.LtE: "<", ast.GtE: ">"}


def _of_comparison(node: ast.Compare) -> Iterator[Edit]:
    """``<`` for ``<=`` and the reverse, and a number next to the one it compares with."""
    left, right = ast.unparse(node.left), ast.unparse(node.comparators[0])
    sign = _RELAXED.get(type(node.ops[0]))
    if sign is not None:
        yield Edit(node, f"{left} {sign} {right}", 3)
    for side in (node.left, node.comparators[0]):
        value = _constant(side)
        if value is not None:
            yield from (Edit(side, str(value + d), 3) for d in (-1, 1))


def _constant(node: ast.expr) -> int | None:
    match node:
        case ast.Constant(value=int() as value) if not isinstance(value, bool):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as value)):
            return -value
    return None
