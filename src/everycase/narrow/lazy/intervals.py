"""The interval in which an undecided integer lies, and the ways to cut it.

A comparison with a known number cuts the interval in two (or three, for equality), and only the side of the
comparison is decided. See :mod:`everycase.narrow.lazy.ints` for the stand-in that a predicate sees.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from everycase.gen.kinds import Int
from everycase.narrow.trail import Alternative, Decisions, Many, Place, by_price
from everycase.sizes.numbers import IntOrder, is_small

# : Maximum number of cached ways to cut the intervals of one place, and all numbers of an interval that has
# no more than : :data:`MOST_AT_ONCE`.
MOST_CUTS = 4096
MOST_AT_ONCE = 8
#: Numbers that cost nothing are drawn from this distance around the start of their order, or the nearest
#: allowed.
WIDE = 2**64
#: A number that was compared with this many others in a row is assumed to be looked up in a range.
IN_A_ROW = 64


class IntRange:
    """The integers of one generator at one place."""

    __slots__ = ("cuts", "hi", "is_small", "lo", "place", "small", "start", "state")

    def __init__(self, node: Int, place: Place, state: Decisions) -> None:
        self.lo: Any = -math.inf if node.lo is None else node.lo
        self.hi: Any = math.inf if node.hi is None else node.hi
        #: where the order starts: numbers near to it cost little
        self.start = IntOrder(node).start
        #: its numbers cost nothing; those of a wide range do, unless :meth:`widen` changes that
        self.small = self.is_small = is_small(node)
        self.place = place
        self.state = state
        #: the ways in which intervals were cut: a predicate makes the same few comparisons again and again
        self.cuts: dict[tuple[Any, ...], Sequence[Alternative]] = {}

    def widen(self, wide: bool) -> None:
        """Whether large numbers also cost nothing, which makes them as likely as small ones in random
        orders."""
        if self.small != (wide or self.is_small):
            self.small = wide or self.is_small
            self.cuts.clear()

    def price(self, lo: Any, hi: Any) -> int:
        """The least size of a number in an interval."""
        if self.small:
            return 0
        start = self.start
        if hi < start:
            return int(start - 1 - hi).bit_length()
        return 0 if lo <= start else int(lo - start).bit_length()

    def cut(self, lo: Any, hi: Any, first: int, last: int, slack: int) -> Sequence[Alternative]:
        """An interval in up to three parts (``first..last``, the numbers below, the numbers above) as far as the slack
        allows. Cheapest first."""
        bounds = [(first, last)]
        if lo < first:
            bounds.append((lo, first - 1))
        if last < hi:
            bounds.append((last + 1, hi))
        made = [Interval(self, a, b, lo, hi) for a, b in bounds]
        made.sort(key=by_price)
        return self._keep((lo, hi, first, last, slack), tuple(part for part in made if part.extra <= slack))

    def values(self, lo: Any, hi: Any, slack: int) -> Sequence[Alternative]:
        """Every number of an interval, as far as the slack allows. Cheapest first."""
        every = EveryInt(self, lo, hi, slack)
        return self._keep((lo, hi, slack), tuple(every)) if every.total <= MOST_AT_ONCE else every

    def _keep(self, key: tuple[Any, ...], parts: tuple[Alternative, ...]) -> Sequence[Alternative]:
        if len(self.cuts) >= MOST_CUTS:
            self.cuts.clear()
        self.cuts[key] = parts
        return parts


class Cell:
    """One undecided integer: its interval, and where its value goes when it is decided.

    The names are chosen so that no predicate uses them.
    """

    __slots__ = ("_container", "_hi", "_key", "_lo", "_of", "_serial")

    _lo: Any
    _hi: Any
    _of: IntRange
    _container: Any
    _key: Any
    #: older ones have smaller numbers
    _serial: int


def decided(cell: Cell) -> int:
    """The number; decides it if necessary."""
    lo, hi = cell._lo, cell._hi
    if lo == hi:
        return lo  # type: ignore[no-any-return]
    of = cell._of
    state = of.state
    slack = state.slack
    state.push(cell, of.cuts.get((lo, hi, slack)) or of.values(lo, hi, slack), of.place)
    return cell._lo  # type: ignore[no-any-return]


def cut_out(cell: Cell, first: int, last: int) -> None:
    """Decide whether the number lies in a part of its interval."""
    lo, hi, of = cell._lo, cell._hi, cell._of
    state = of.state
    slack = state.slack
    parts = of.cuts.get((lo, hi, first, last, slack)) or of.cut(lo, hi, first, last, slack)
    state.push(cell, parts, of.place)


def is_below(cell: Cell, cut: int) -> bool:
    """Whether the number is less than a known one."""
    if cell._hi < cut:
        return True
    lo = cell._lo
    if lo >= cut:
        return False
    cut_out(cell, lo, cut - 1)
    return bool(cell._hi < cut)


def is_within(cell: Cell, first: Any, last: Any) -> bool:
    """Whether the number lies in a part of its interval."""
    if first > last:
        return False
    if first > cell._lo or last < cell._hi:
        cut_out(cell, first, last)
    return bool(first <= cell._lo and cell._hi <= last)


def is_same(cell: Cell, value: int) -> bool:
    """Whether the number is a known one."""
    lo, hi = cell._lo, cell._hi
    if not lo <= value <= hi:
        return False
    if lo != hi:
        trail = cell._of.state.trail
        if lo == value and len(trail) >= IN_A_ROW and trail[-IN_A_ROW][0] is cell is trail[-1][0]:
            _cut_many(cell, trail)
        else:
            cut_out(cell, value, value)
    return bool(cell._lo == value == cell._hi)


def _cut_many(cell: Cell, trail: list[list[Any]]) -> None:
    """``x in range(a, b)`` compares an undecided ``x`` with one number after another, each time from the
    beginning, and a decided one with none of them. So the next numbers are decided together, twice as many
    each time."""
    lo = cell._lo
    before = max((part.hi - part.lo + 1 for part in trail[-1][1] if part.hi == lo - 1), default=1)
    last = min(cell._hi, lo + 2 * before - 1)
    cut_out(cell, lo, last)
    if cell._lo == lo and cell._hi == last:
        decided(cell)


class Interval(Alternative):
    """The number lies between ``lo`` and ``hi``; it lay between ``old_lo`` and ``old_hi`` before."""

    __slots__ = ("ends", "hi", "lo", "old_hi", "old_lo")

    def __init__(self, of: IntRange, lo: Any, hi: Any, old_lo: Any, old_hi: Any) -> None:
        self.lo = lo
        self.hi = hi
        self.ends = lo == hi
        self.old_lo = old_lo
        self.old_hi = old_hi
        self.extra = of.price(lo, hi) - of.price(old_lo, old_hi)

    @property
    def label(self) -> Any:
        return self.lo if self.ends else f"{self.lo}..{self.hi}"

    def place(self, target: Cell) -> None:
        target._lo = lo = self.lo
        target._hi = self.hi
        target._container[target._key] = lo if self.ends else target

    def release(self, target: Cell) -> None:
        target._lo = self.old_lo
        target._hi = self.old_hi
        target._container[target._key] = target


class EveryInt(Many):
    """Every number of an interval as an alternative, the nearest to the start of the order first."""

    def __init__(self, of: IntRange, lo: Any, hi: Any, slack: int) -> None:
        self.of = of
        self.before = lo, hi
        if not of.small:
            # Without those that cost too much.
            reach = 1 << of.price(lo, hi) + slack
            lo, hi = max(lo, of.start - reach), min(hi, of.start + reach - 1)
        elif not of.is_small:
            lo, hi = max(lo, min(of.start, hi) - WIDE), min(hi, max(of.start, lo) + WIDE)
        super().__init__(hi - lo + 1)
        self.order = order = object.__new__(IntOrder)
        start = min(max(of.start, lo), hi + 1)
        order.start, order.up, order.down = start, hi - start + 1, start - lo
        order.both = min(order.up, order.down)

    def at(self, number: int) -> Interval:
        value = self.order.value(number)
        return Interval(self.of, value, value, *self.before)
