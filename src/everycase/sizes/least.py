"""The least size of a value of a generator, computed once for each node.

Sizes are those of :mod:`everycase.enumeration.spaces.sized`. Parts that are known only by running something
(the inner part of a flatmap, the draws of a composite) count as zero here, and are counted when they are
known.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from everycase.gen.base import Gen
from everycase.gen.facts import facts
from everycase.gen.graph import fixpoint, nodes
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
from everycase.sizes.numbers import size_of_leaf

#: Default maximum size of a search, unless the smallest values are larger.
USUAL_SIZE = 16


def usual_size(fewest: float) -> int:
    """The maximum size for a search of values whose smallest has this size."""
    return USUAL_SIZE if fewest == math.inf else max(USUAL_SIZE, 2 * int(fewest))


def least(gen: Gen[Any]) -> float:
    """The size of a smallest value; ``math.inf`` if there is no value.

    >>> from everycase import gen
    >>> least(gen.tuples(gen.integers(), gen.lists(gen.booleans(), min_size=2)))
    3
    """
    known: float | None = gen._least
    return known if known is not None else _analyse(gen)


def _analyse(root: Gen[Any]) -> float:
    members = [node for node in nodes(root, lambda node: node._least is None) if node._least is None]
    sizes = fixpoint(members, math.inf, _own, lambda node: node._least)
    for node in members:
        node._least = sizes[id(node)]
    return sizes[id(root)]


#: From a node and the least sizes of its children: the size of its smallest value.
LEAST: dict[type[Any], Callable[[Any, list[float]], float]] = total(
    "least sizes",
    {
        **dict.fromkeys((Const, Int, Float, Composite, Live), lambda node, below: 0),
        **dict.fromkeys((Map, Filter, Bind, Defer), lambda node, below: below[0]),
        Union: lambda node, below: min(below, default=math.inf),
        Build: lambda node, below: 1 + sum(below),
        List: lambda node, below: node.min_size * (1 + below[0]) if node.min_size else 0,
    },
)


def _own(node: Gen[Any], below: list[float]) -> float:
    return LEAST[type(node)](node, below)


def greatest(gen: Gen[Any]) -> float:
    """A size that no value of a generator exceeds; ``math.inf`` if none is known.

    >>> from everycase import gen
    >>> greatest(gen.lists(gen.booleans(), max_size=4)), greatest(gen.integers())
    (4, inf)
    """
    if facts(gen).recursive:
        return math.inf
    known: dict[int, float] = {}  # a part may occur many times, and the parts may be nested deeply
    pending = [gen]
    while pending:
        node = pending[-1]
        unknown = [child for child in node.children if id(child) not in known]
        if unknown:
            pending += unknown
        else:
            known[id(pending.pop())] = GREATEST[type(node)](
                node, [known[id(child)] for child in node.children]
            )
    return known[id(gen)]


def _greatest_int(node: Int, below: list[float]) -> float:
    if node.lo is None or node.hi is None:
        return math.inf
    return max(size_of_leaf(node, node.lo), size_of_leaf(node, node.hi))


def _greatest_list(node: List[Any], below: list[float]) -> float:
    if node.max_size is None:
        return math.inf
    return node.max_size * (1 + below[0]) if node.max_size else 0


#: From a node and the greatest sizes of its children: a size that no value exceeds.
GREATEST: dict[type[Any], Callable[[Any, list[float]], float]] = total(
    "greatest sizes",
    {
        Const: lambda node, below: 0,
        Int: _greatest_int,
        **dict.fromkeys((Float, Bind, Composite, Live), lambda node, below: math.inf),
        **dict.fromkeys((Map, Filter, Defer), lambda node, below: below[0]),
        Union: lambda node, below: max(below, default=0),
        Build: lambda node, below: 1 + sum(below),
        List: _greatest_list,
    },
)
