"""Numbers as spaces: all integers or floats of a node, and those of one size."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from itertools import chain, islice
from itertools import count as counting
from typing import Any

from everycase.choices.trace import Trace
from everycase.enumeration.spaces.base import Bulk, Ranking, SizeOf, Space
from everycase.enumeration.spaces.finite import EMPTY
from everycase.gen.base import Gen
from everycase.gen.kinds import Float, Int
from everycase.sizes.floats import float_order
from everycase.sizes.numbers import SMALL_RANGE, IntOrder, is_small


class Leaves(Space):
    """A window of the values of a float or an integer, which are numbered by arithmetic alone."""

    __slots__ = ("node", "number", "position", "start")

    def __init__(
        self,
        node: Gen[Any],
        count: Any,
        number: Callable[[int], Any],
        position: Callable[[Any], int],
        start: int = 0,
    ) -> None:
        self.count = count
        self.node = node
        self.number = number
        self.position = position
        self.start = start
        self.at = (lambda i: number(start + i)) if start else number

    def value(self, i: int, parts: list[Any]) -> Any:
        return self.number(self.start + i)

    def record(self, i: int, parts: list[Trace[Any]]) -> Trace[Any]:
        value = self.number(self.start + i)
        return Trace(value, (), self.node, value)

    def rank(self, trace: Trace[Any], size: SizeOf) -> Ranking:
        return self.position(trace.choice) - self.start
        yield

    def values(self, bulk: Bulk, start: int = 0) -> Iterable[Any]:
        first = self.start + start
        numbers = counting(first) if self.count == math.inf else range(first, self.start + self.count)
        return map(self.number, numbers)

    def _is_shared(self) -> bool:
        return True


class Integers(Leaves):
    """A window of the values of an integer."""

    __slots__ = ("order",)

    def __init__(self, node: Int, order: IntOrder, count: Any, start: int = 0) -> None:
        super().__init__(node, count, _value_of(order), order.index, start)
        self.order = order

    def values(self, bulk: Bulk, start: int = 0) -> Iterable[Any]:
        # Without arithmetic for each value where that is possible.
        order = self.order
        begin, number = self.start + start, self.count - start
        low, high = order.start + begin, order.start - 1 - begin
        if not order.down:
            return range(low, low + number) if number < math.inf else counting(low)
        if not order.up:
            return range(high, high - number, -1) if number < math.inf else counting(high, -1)
        if begin % 2 == 0 and begin + number <= 2 * order.both:
            half = begin // 2
            turns = chain.from_iterable(
                zip(counting(order.start + half), counting(order.start - 1 - half, -1))
            )
            return turns if number == math.inf else islice(turns, number)
        if not begin:  # in turns, then on to the one side that is left
            turns = chain.from_iterable(zip(range(low, low + order.both), range(high, high - order.both, -1)))
            rest = number - 2 * order.both
            if order.up > order.down:
                return chain(turns, range(low + order.both, low + order.both + rest))
            return chain(turns, range(high - order.both, high - order.both - rest, -1))
        return super().values(bulk, start)


def int_space(node: Int) -> Space:
    """All values of an integer node."""
    order = IntOrder(node)
    return Integers(node, order, order.up + order.down)


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
    return Integers(node, order, count, start) if count else EMPTY


def float_space(node: Float) -> Space:
    """All values of a float node."""
    order = float_order(node)
    return Leaves(node, order.count, order.value, order.index)


def float_tier(node: Float, size: int) -> Space:
    """The values of a float node whose indices have exactly ``size`` bits; a small range of floats costs
    nothing."""
    order = float_order(node)
    if order.count <= SMALL_RANGE:
        return float_space(node) if size == 0 else EMPTY
    start, stop = 1 << size >> 1, min(1 << size, order.count)
    return Leaves(node, stop - start, order.value, order.index, start) if start < stop else EMPTY
