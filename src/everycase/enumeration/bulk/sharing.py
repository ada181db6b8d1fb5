"""Which values bulk iteration may use as parts of many values, and which it only streams.

Immutable parts (frozen dataclasses, tuples, enums, numbers, text, classes built with ``share=True``) are made
once. This depends only on the space, so it is computed once and stored there.
"""

from __future__ import annotations

import math
from typing import Any

from everycase.enumeration.spaces.decoded import SpaceByNumber
from everycase.enumeration.spaces.dependent import Chosen, Dependent, Mapped
from everycase.enumeration.spaces.endless import Paired
from everycase.enumeration.spaces.finite import BLOCK, Leaves, One, Product, Space, Sum
from everycase.enumeration.spaces.sized import Rows, Splits
from everycase.enumeration.spaces.sized_lists import ListTier
from everycase.gen.kinds import Build

#: Parts of up to this many values are kept as lists.
LIST_LIMIT = 2**16


def is_shared(space: Space) -> bool:
    """Whether a value of this space may be a part of many."""
    try:
        return space.shared
    except AttributeError:  # not computed yet
        shared = space.shared = _is_shared(space)
        return shared


def _is_shared(space: Space) -> bool:
    match space:
        case One() | Leaves():
            return True
        case Product() | Rows() | Paired():
            return isinstance(space.node, Build) and space.node.share and all(map(is_shared, parts_of(space)))
        case Splits():
            return space.node.share and all(map(is_shared, space.alternatives()))
        case Mapped() | SpaceByNumber():
            return space.node.share
        case Sum() | Dependent() | Chosen():
            return all(map(is_shared, parts_of(space)))
        case _:
            return False


def parts_of(space: Any) -> list[Space]:
    """The spaces of the parts of the values of a space."""
    match space:
        case Sum() | Product() | Paired():
            return list(space.parts)
        case Mapped() | Chosen():
            return [space.source]
        case SpaceByNumber():
            return [space.space]
        case Splits():
            return list(space.alternatives())
        case Dependent():
            return list(space.spaces())
        case ListTier():
            return [part for part in space.table.element.spaces[: space.room] if part.count]
        case Rows():
            return [part for tiers in space.tiers for part in tiers.spaces[: space.room + 1] if part.count]
        case _:
            return []


def passing_parts(whole: Space) -> set[Space]:
    """The parts that make up much of the whole and occur in few places: they are made again in each.

    Making a value and dropping it is several times cheaper than keeping it, because the garbage collector
    visits kept objects again and again.
    """
    least = max(BLOCK, whole.count // 32) if whole.count < math.inf else LIST_LIMIT
    places: dict[Space, int] = {}
    pending = [whole]
    while pending:
        for part in parts_of(pending.pop()):
            if least < part.count:
                seen = places[part] = places.get(part, 0) + 1
                if seen == 1:
                    pending.append(part)
    return {part for part, count in places.items() if count <= 3}
