"""The neighbourhood of a generator in words, for :meth:`Gen.explain_neighbor`."""

from __future__ import annotations

from typing import Any

from everycase.choices.neighbor.rules import SMALL_RANGE, WIDE_RANGE, growing, is_permutation
from everycase.gen.annotate import FRESH
from everycase.gen.base import Gen
from everycase.gen.facts import facts
from everycase.gen.graph import resolved
from everycase.gen.kinds import (
    Bind,
    Build,
    Composite,
    Const,
    Filter,
    Float,
    Int,
    List,
    Live,
    Map,
    Union,
)


def explain(gen: Gen[Any]) -> str:
    """One line per part, indented like the parts; a recursion is followed once."""
    lines: list[str] = []
    seen: set[int] = set()

    def visit(node: Gen[Any], depth: int) -> None:
        node = resolved(node)
        again = id(node) in seen and node.has_defer
        lines.append(f"{'  ' * depth}{node!r}: {'as above' if again else rule_of(node)}")
        if again or node.remark is not None or is_permutation(node):
            return
        seen.add(id(node))
        for child in dict.fromkeys(node.children):
            visit(child, depth + 1)

    visit(gen, 0)
    return "\n".join(lines)


def rule_of(node: Gen[Any]) -> str:
    """What an edit of a node of this generator may do."""
    if node.remark == FRESH:
        return "drawn afresh in every test"
    if node.remark is not None:
        name = getattr(node.remark.function, "__name__", "a function")
        return f"by hand, {name}(value, temperature)"
    match node:
        case Const():
            return "stays"
        case Int():
            if node.lo is not None and node.lo == node.hi:
                return "stays"
            if node.lo is not None and node.hi is not None and node.hi - node.lo < SMALL_RANGE:
                return "another value"
            steps = "a fresh number, a small step, a step of any magnitude"
            if node.lo is not None and node.hi is not None and node.hi - node.lo <= WIDE_RANGE:
                return steps
            return f"{steps}, a line search, or a step together with other numbers"
        case Float():
            return "a fresh number, a step of any magnitude, a line search, or a step together with other numbers"
        case Union():
            if node.has_defer and facts(node).loop is not None:
                grow = ", or grow around it" if growing(node) else ""
                return f"draw afresh, put a part in its place, copy a part from elsewhere{grow}"
            return "another option"
        case List() if node.min_size == node.max_size:
            return "swap, move or reverse elements" + ("" if node.unique_by is not None else ", repeat one")
        case List():
            return "insert, delete, duplicate, swap, move or reverse elements"
        case Build():
            return "edit its parts"
        case Map() if is_permutation(node):
            return "swap two values, reverse or move a slice"
        case Map():
            return "as its source"
        case Filter():
            return "as its source; what no longer passes is redrawn in part, then whole"
        case Bind():
            return "mostly what depends, one edit in twenty what it depends on, or both where one counts the other"
        case Composite() | Live():
            return "one of its draws, or one turn of a loop more or less together with the number that counts them"
        case _:
            return "stays"
