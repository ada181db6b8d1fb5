"""Numbers as spaces: all integers or floats of a node, and those of one size."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import chain, count, islice
from typing import Any

from everycase.enumeration.spaces.finite import EMPTY, Leaves, Space
from everycase.gen.kinds import Float, Int
from everycase.sizes.floats import float_order
from everycase.sizes.numbers import SMALL_RANGE, IntOrder, is_small


def int_space(node: Int) -> Space:
    """All values of an integer node."""
    order = IntOrder(node)
    return Leaves(node, order.up + order.down, _value_of(order), order.index)


def _value_of(order: IntOrder) -> Any:
    start = order.start
    if not order.down:
        return start.__add__ if start else int
    return order.value


def int_tier(node: Int, size: int) -> Space:
    """The values of an integer node that cost exactly ``size``."""
    if is_small(node):
        return int_space(node) if size == 0 else EMPTY
    order = IntOrder(node)
    start = order.nearer(1 << size >> 1)
    count = order.nearer(1 << size) - start
    return Leaves(node, count, _value_of(order), order.index, start) if count else EMPTY


def float_space(node: Float) -> Space:
    """All values of a float node."""
    order = float_order(node)
    return Leaves(node, order.count, order.value, order.index)


def float_tier(node: Float, size: int) -> Space:
    """The values of a float node whose numbers have exactly ``size`` bits; few floats cost nothing."""
    order = float_order(node)
    if order.count <= SMALL_RANGE:
        return float_space(node) if size == 0 else EMPTY
    start, stop = 1 << size >> 1, min(1 << size, order.count)
    return Leaves(node, stop - start, order.value, order.index, start) if start < stop else EMPTY


def leaf_values(space: Leaves) -> Iterable[Any]:
    """All values of a window in order, without arithmetic for each where that is possible."""
    node = space.node
    if isinstance(node, Int):
        order = IntOrder(node)
        low, high = order.start + space.start, order.start - 1 - space.start
        if not order.down:
            return range(low, low + space.count) if space.count < math.inf else count(low)
        if not order.up:
            return range(high, high - space.count, -1) if space.count < math.inf else count(high, -1)
        if space.start % 2 == 0 and space.start + space.count <= 2 * order.both:
            half = space.start // 2
            turns = chain.from_iterable(zip(count(order.start + half), count(order.start - 1 - half, -1)))
            return turns if space.count == math.inf else islice(turns, space.count)
        if not space.start:  # in turns, then on to the one side that is left
            turns = chain.from_iterable(zip(range(low, low + order.both), range(high, high - order.both, -1)))
            rest = space.count - 2 * order.both
            if order.up > order.down:
                return chain(turns, range(low + order.both, low + order.both + rest))
            return chain(turns, range(high - order.both, high - order.both - rest, -1))
    numbers = count(space.start) if space.count == math.inf else range(space.start, space.start + space.count)
    return map(space.number, numbers)
