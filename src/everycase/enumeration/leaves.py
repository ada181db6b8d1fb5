"""The order of numbers: which integer (or float) has which number, and what each costs.

Integers are numbered by their distance from where their order starts: 0, -1, 1, -2, 2, ... without bounds, upwards
from a lower bound, downwards from an upper one. With both bounds and at most 2**16 values they count up from the
lower bound and cost nothing; a wider range is numbered from its simplest value.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import chain, count, islice
from typing import Any

from everycase.enumeration.float_leaves import float_order
from everycase.enumeration.spaces import EMPTY, Leaves, Space
from everycase.gen.kinds import Float, Int

#: A bounded range of up to this many values costs nothing and counts upwards.
SMALL_RANGE = 2**16


class IntOrder:
    """``up`` values from ``start`` upwards and ``down`` values from ``start - 1`` downwards, taken in turns."""

    __slots__ = ("both", "down", "start", "up")

    def __init__(self, node: Int) -> None:
        lo, hi, towards = node.lo, node.hi, node.towards
        up: Any = math.inf
        down: Any = math.inf
        if lo is not None and hi is not None:
            if hi - lo < SMALL_RANGE:
                towards = lo
            elif towards == hi:
                towards = hi + 1
            up, down = hi - towards + 1, towards - lo
        elif lo is not None:
            towards, down = lo, 0
        elif hi is not None:
            towards, up = hi + 1, 0
        self.start: int = towards
        self.up = up
        self.down = down
        self.both = min(up, down)

    def value(self, i: int) -> int:
        if i < 2 * self.both:
            return self.start - 1 - (i >> 1) if i & 1 else self.start + (i >> 1)
        distance: int = i - self.both
        return self.start + distance if self.up > self.down else self.start - 1 - distance

    def distance(self, value: int) -> int:
        return value - self.start if value >= self.start else self.start - 1 - value

    def nearer(self, distance: int) -> int:
        """How many values are nearer to the start than this."""
        both: int = min(distance, self.up) + min(distance, self.down)
        return both

    def index(self, value: int) -> int:
        distance = self.distance(value)
        return self.nearer(distance) + bool(value < self.start and distance < self.up)


def is_small(node: Int) -> bool:
    """Whether the values of an integer node cost nothing."""
    return node.lo is not None and node.hi is not None and node.hi - node.lo < SMALL_RANGE


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


def size_of_leaf(node: Int | Float, choice: Any) -> int:
    """What one number costs."""
    if isinstance(node, Int):
        return 0 if is_small(node) else IntOrder(node).distance(choice).bit_length()
    order = float_order(node)
    return 0 if order.count <= SMALL_RANGE else order.index(choice).bit_length()


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
