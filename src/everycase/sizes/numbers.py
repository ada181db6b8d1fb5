"""The order of numbers: the index of each integer (or float), and its cost.

Integers are indexed by their distance from the start of their order: 0, -1, 1, -2, 2, ... without bounds,
upwards from a lower bound, downwards from an upper one. With both bounds and at most 2**16 values they count
up from the lower bound and cost nothing; a wider range is indexed from its simplest value.
"""

from __future__ import annotations

import math
from typing import Any

from everycase.gen.kinds import Float, Int
from everycase.sizes.floats import float_order

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
        """How many values are nearer to the start than this one."""
        both: int = min(distance, self.up) + min(distance, self.down)
        return both

    def index(self, value: int) -> int:
        distance = self.distance(value)
        return self.nearer(distance) + bool(value < self.start and distance < self.up)


def is_small(node: Int) -> bool:
    """Whether the values of an integer node cost nothing."""
    return node.lo is not None and node.hi is not None and node.hi - node.lo < SMALL_RANGE


def size_of_leaf(node: Int | Float, choice: Any) -> int:
    """The cost of a number."""
    if isinstance(node, Int):
        return 0 if is_small(node) else IntOrder(node).distance(choice).bit_length()
    order = float_order(node)
    return 0 if order.count <= SMALL_RANGE else order.index(choice).bit_length()
