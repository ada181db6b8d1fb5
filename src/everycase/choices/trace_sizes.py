"""The size of a value, from the trace that made it.

A constructor application costs 1, a list its length and its elements, an integer or float without a small range the
bits of its distance from where its order starts, everything else nothing.
"""

from __future__ import annotations

from typing import Any

from everycase.choices.trace import Trace
from everycase.gen.kinds import Build, Float, Int, List
from everycase.sizes.numbers import size_of_leaf


def sizes(trace: Trace[Any]) -> dict[int, int]:
    """The size of the value at every node of a trace, by the node's ``id``."""
    found: dict[int, int] = {}
    pending: list[tuple[Trace[Any], bool]] = [(trace, False)]
    while pending:
        node, done = pending.pop()
        if not done:
            pending.append((node, True))
            pending.extend((child, False) for child in node.children if child is not None)
            continue
        size = sum(found[id(child)] for child in node.children if child is not None)
        if isinstance(node.gen, Build):
            size += 1
        elif isinstance(node.gen, List):
            size += len(node.children)
        elif isinstance(node.gen, Int | Float):
            size += size_of_leaf(node.gen, node.choice)
        found[id(node)] = size
    return found
