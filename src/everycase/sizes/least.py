"""The least size that any value of a generator has, worked out once for each node.

Sizes are those of :mod:`everycase.enumeration.spaces.sized`. What is known only by running something (the inner part of a
flatmap, the draws of a composite) counts as nothing here, and is charged when it is known.
"""

from __future__ import annotations

import math
from typing import Any

from everycase.gen.base import Gen
from everycase.gen.facts import facts
from everycase.gen.graph import fixpoint, nodes
from everycase.gen.kinds import Bind, Build, Const, Defer, Filter, Int, List, Map, Union
from everycase.sizes.numbers import size_of_leaf

#: The size up to which a search goes that nobody has given one, where values are not that large already.
USUAL_SIZE = 16


def usual_size(fewest: float) -> int:
    """How far to search values of which the smallest has this size."""
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


def _own(node: Gen[Any], below: list[float]) -> float:
    match node:
        case Union():
            return min(below, default=math.inf)
        case Build():
            return 1 + sum(below)
        case List():
            return node.min_size * (1 + below[0]) if node.min_size else 0
        case Map() | Filter() | Bind() | Defer():
            return below[0]
        case _:
            return 0


def greatest(gen: Gen[Any]) -> float:
    """The size that no value of a generator exceeds; ``math.inf`` if there is none that can be told.

    >>> from everycase import gen
    >>> greatest(gen.lists(gen.booleans(), max_size=4)), greatest(gen.integers())
    (4, inf)
    """
    return math.inf if facts(gen).recursive else _greatest(gen)


def _greatest(gen: Gen[Any]) -> float:
    below = [_greatest(child) for child in gen.children]
    match gen:
        case Union():
            return max(below, default=0)
        case Build():
            return 1 + sum(below)
        case List():
            return math.inf if gen.max_size is None else gen.max_size * (1 + below[0]) if gen.max_size else 0
        case Map() | Filter() | Defer():
            return below[0]
        case Const():
            return 0
        case Int() if gen.lo is not None and gen.hi is not None:
            return max(size_of_leaf(gen, gen.lo), size_of_leaf(gen, gen.hi))
        case _:
            return math.inf
