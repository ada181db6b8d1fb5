"""The neighbourhood of a generator in words, for :meth:`Gen.explain_neighbor`."""

from __future__ import annotations

from typing import Any

from everycase.choices.rules import SMALL_RANGE, growing
from everycase.gen.annotate import FRESH
from everycase.gen.base import Gen
from everycase.gen.facts import children, facts
from everycase.gen.kinds import (
    Bind,
    Build,
    Composite,
    Const,
    Defer,
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
        while isinstance(node, Defer):
            node = node.target
        again = id(node) in seen and node.has_defer
        lines.append(f"{'  ' * depth}{node!r}: {'as above' if again else rule_of(node)}")
        if again or node.remark is not None:
            return
        seen.add(id(node))
        for child in dict.fromkeys(children(node)):
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
            return "a fresh number, a small step, a step of any magnitude, or a line search"
        case Float():
            return "a fresh number, a step of any magnitude, or a line search"
        case Union():
            if node.has_defer and facts(node).loop is not None:
                grow = ", or grow around it" if growing(node) else ""
                return f"draw afresh, put a part in its place, copy a part from elsewhere{grow}"
            return "another option"
        case List() if node.min_size == node.max_size:
            return "swap or move elements"
        case List():
            return "insert, delete, duplicate, swap or move elements"
        case Build():
            return "edit its parts"
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
