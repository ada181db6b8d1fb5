"""Descriptions of the neighbourhood of a generator, for :meth:`Gen.explain_neighbor`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from everycase.choices.neighbor.rules import (
    SMALL_RANGE,
    WIDE_RANGE,
    growing,
    is_fraction,
    is_permutation,
    is_time,
    whole_places,
)
from everycase.gen.annotate import FRESH
from everycase.gen.base import Gen
from everycase.gen.facts import facts
from everycase.gen.graph import resolved
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
from everycase.gen.reading import total


def explain(gen: Gen[Any]) -> str:
    """One line per part, indented like the parts; a recursion is followed once."""
    lines: list[str] = []
    seen: set[int] = set()

    def visit(node: Gen[Any], depth: int) -> None:
        node = resolved(node)
        again = id(node) in seen and node.has_defer
        lines.append(f"{'  ' * depth}{node!r}: {'as above' if again else rule_of(node)}")
        if again or node.remark is not None or whole_places(node):
            return
        seen.add(id(node))
        for child in dict.fromkeys(node.children):
            visit(child, depth + 1)

    visit(gen, 0)
    return "\n".join(lines)


def rule_of(node: Gen[Any]) -> str:
    """What an edit of a node of this generator may do."""
    if node.remark == FRESH:
        return "redrawn in every test"
    if node.remark is not None:
        name = getattr(node.remark.function, "__name__", "a function")
        return f"by hand, {name}(value, temperature)"
    return WORDS[type(node)](node)


def _int(node: Int) -> str:
    if node.lo is not None and node.lo == node.hi:
        return "stays"
    if node.lo is not None and node.hi is not None and node.hi - node.lo < SMALL_RANGE:
        return "another value"
    steps = "a fresh number, a small step, a step of any magnitude"
    if node.lo is not None and node.hi is not None and node.hi - node.lo <= WIDE_RANGE:
        return steps
    return f"{steps}, a line search, or a step together with other numbers"


def _union(node: Union[Any]) -> str:
    if node.has_defer and facts(node).loop is not None:
        grow = ", or grow around it" if growing(node) else ""
        return f"redraw, replace it by one of its parts, copy a part from elsewhere{grow}"
    return "another option"


def _list(node: List[Any]) -> str:
    unique = node.unique_by is not None
    if node.min_size == node.max_size:
        return "swap, move or reverse elements" + ("" if unique else ", repeat one")
    return f"insert, delete, {'' if unique else 'duplicate, '}swap, move or reverse elements"


def _map(node: Map[Any]) -> str:
    if is_permutation(node):
        return "swap two values, reverse or move a slice"
    return _TIME if is_time(node) else "like its source"


_TIME = "another hour, minute, second or microsecond; if it is cold, a nearby moment"
_FRACTION = "a fresh fraction, a step of any magnitude, or a line search of its numerator or denominator"
_FLOAT = "a fresh number, a step of any magnitude, a multiple of any magnitude, a line search, or a step together with other numbers"
_BIND = (
    "mostly the dependent part; one edit in twenty the part it depends on, or both where one counts the other"
)
_DRAWS = (
    "one of its draws; or one more or one less turn of a loop, together with the number that counts the turns"
)

#: Descriptions of what the rules of :mod:`everycase.choices.neighbor.rules` do to each kind.
WORDS: dict[type[Any], Callable[[Any], str]] = total(
    "neighbours in words",
    {
        **dict.fromkeys((Const, Defer), lambda node: "stays"),
        Int: _int,
        Float: lambda node: _FLOAT,
        Union: _union,
        List: _list,
        Build: lambda node: "edit its parts",
        Map: _map,
        Filter: lambda node: (
            "like its source; a value that no longer passes is redrawn in part, then completely; if it is cold, other edits are tried first"
        ),
        Bind: lambda node: _FRACTION if is_fraction(node) else _BIND,
        **dict.fromkeys((Composite, Live), lambda node: _DRAWS),
    },
)
