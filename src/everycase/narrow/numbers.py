"""Integers that are looked at through comparisons: an interval that becomes narrower.

A comparison with a known number splits the interval in two (or three, for equality), and only the part that the
comparison is about is decided. Adding a known number keeps it undecided. Everything else (indexing, other arithmetic,
hashing, printing) decides the number.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from numbers import Number
from typing import Any

from everycase.enumeration.leaves import IntOrder, is_small
from everycase.gen.kinds import Int
from everycase.narrow.decisions import Alternative, Decisions, Many, Place, by_price

#: So many ways to cut the intervals of one place are kept.
MOST_CUTS = 4096


class Range:
    """The integers of one generator at one place."""

    __slots__ = ("cuts", "hi", "lo", "place", "small", "start")

    def __init__(self, node: Int, place: Place) -> None:
        self.lo: Any = -math.inf if node.lo is None else node.lo
        self.hi: Any = math.inf if node.hi is None else node.hi
        #: where the order starts: what is near to it costs little
        self.start = IntOrder(node).start
        self.small = is_small(node)
        self.place = place
        #: the ways in which intervals were cut: a predicate makes the same few comparisons again and again
        self.cuts: dict[tuple[Any, Any, int, int], tuple[Interval, ...]] = {}

    def price(self, lo: Any, hi: Any) -> int:
        """The least size of a number in an interval."""
        if self.small:
            return 0
        start = self.start
        if hi < start:
            return int(start - 1 - hi).bit_length()
        return 0 if lo <= start else int(lo - start).bit_length()

    def cut(self, lo: Any, hi: Any, first: int, last: int, slack: int) -> Sequence[Interval]:
        """An interval in up to three parts: ``first..last``, what is below and what is above. Cheapest first."""
        key = (lo, hi, first, last)
        parts = self.cuts.get(key)
        if parts is None:
            bounds = [(first, last)]
            if lo < first:
                bounds.append((lo, first - 1))
            if last < hi:
                bounds.append((last + 1, hi))
            made = [Interval(self, a, b, lo, hi) for a, b in bounds]
            made.sort(key=by_price)
            if len(self.cuts) >= MOST_CUTS:
                self.cuts.clear()
            parts = self.cuts[key] = tuple(made)
        return parts if parts[-1].extra <= slack else [part for part in parts if part.extra <= slack]


class Cell:
    """One undecided integer: what it may still be, and where its value goes when it is decided."""

    __slots__ = ("container", "hi", "key", "lo", "of", "serial", "view")

    lo: Any
    hi: Any
    of: Range
    container: Any
    key: Any
    #: older ones have smaller numbers
    serial: int
    view: Any

    def affordable(self, slack: int) -> tuple[int, int]:
        """The interval without what costs too much."""
        of = self.of
        if of.small:
            return self.lo, self.hi
        reach = 1 << of.price(self.lo, self.hi) + slack
        return max(self.lo, of.start - reach), min(self.hi, of.start + reach - 1)


class Interval(Alternative):
    """The number lies between ``lo`` and ``hi``; it lay between ``old_lo`` and ``old_hi`` before."""

    __slots__ = ("ends", "hi", "lo", "old_hi", "old_lo")

    def __init__(self, of: Range, lo: Any, hi: Any, old_lo: Any, old_hi: Any) -> None:
        self.lo = lo
        self.hi = hi
        self.ends = lo == hi
        self.old_lo = old_lo
        self.old_hi = old_hi
        self.extra = of.price(lo, hi) - of.price(old_lo, old_hi)

    @property
    def label(self) -> Any:
        return self.lo if self.lo == self.hi else f"{self.lo}..{self.hi}"

    def place(self, target: Cell) -> None:
        target.lo = lo = self.lo
        target.hi = hi = self.hi
        target.container[target.key] = lo if lo == hi else target.view

    def release(self, target: Cell) -> None:
        target.lo = self.old_lo
        target.hi = self.old_hi
        target.container[target.key] = target.view


class Values(Many):
    """Every number of an interval as an alternative, nearest to where the order starts first."""

    def __init__(self, cell: Cell, slack: int) -> None:
        lo, hi = cell.affordable(slack)
        super().__init__(hi - lo + 1)
        self.of = cell.of
        self.before = cell.lo, cell.hi
        self.order = order = object.__new__(IntOrder)
        start = min(max(self.of.start, lo), hi + 1)
        order.start, order.up, order.down = start, hi - start + 1, start - lo
        order.both = min(order.up, order.down)

    def at(self, number: int) -> Interval:
        value = self.order.value(number)
        return Interval(self.of, value, value, *self.before)


def make_number_type(state: Decisions) -> tuple[type, Callable[[Range, Any, Any], Any]]:
    """The class of undecided integers in one search, and the function that makes one."""

    push = state.push

    def split(cell: Cell, cut: int) -> bool:
        """Whether the number is below ``cut``."""
        lo, hi = cell.lo, cell.hi
        if hi < cut:
            return True
        if lo >= cut:
            return False
        of = cell.of
        push(cell, of.cut(lo, hi, lo, cut - 1, state.slack), of.place)
        return bool(cell.hi < cut)

    def same(cell: Cell, value: int) -> bool:
        lo, hi = cell.lo, cell.hi
        if not lo <= value <= hi:
            return False
        if lo != hi:
            of = cell.of
            push(cell, of.cut(lo, hi, value, value, state.slack), of.place)
        return bool(cell.lo == value == cell.hi)

    def force(cell: Cell) -> int:
        if cell.lo != cell.hi:
            push(cell, Values(cell, state.slack), cell.of.place)
        return cell.lo  # type: ignore[no-any-return]

    class LazyInt:
        """An integer that is not decided yet. No subclass of int: C code would read a number that is not there."""

        __slots__ = ("cell", "shift")
        __class__ = int  # type: ignore[assignment]

        def __init__(self, cell: Cell, shift: int) -> None:
            self.cell = cell
            self.shift = shift

        def __index__(self) -> int:
            return force(self.cell) + self.shift

        __int__ = __trunc__ = __floor__ = __ceil__ = __index__

        def __getattr__(self, name: str) -> Any:
            return getattr(force(self.cell) + self.shift, name)

        def __hash__(self) -> int:
            return hash(force(self.cell) + self.shift)

        def __bool__(self) -> bool:
            return not same(self.cell, -self.shift)

        def __repr__(self) -> str:
            return repr(force(self.cell) + self.shift)

        def __format__(self, spec: str) -> str:
            return format(force(self.cell) + self.shift, spec)

        def __float__(self) -> float:
            return float(force(self.cell) + self.shift)

        def __reduce_ex__(self, protocol: Any) -> Any:
            return int, (force(self.cell) + self.shift,)

        def __copy__(self) -> int:
            return force(self.cell) + self.shift

        def __deepcopy__(self, memo: Any) -> int:
            return force(self.cell) + self.shift

        def __lt__(self, other: Any) -> Any:
            if type(other) is int:  # the usual case, without a detour
                return split(self.cell, other - self.shift)
            return below(self, other, 0)

        def __le__(self, other: Any) -> Any:
            return below(self, other, 1)

        def __gt__(self, other: Any) -> Any:
            return above(self, other, 1)

        def __ge__(self, other: Any) -> Any:
            return above(self, other, 0)

        def __eq__(self, other: Any) -> Any:
            if type(other) is not int:
                other = known(self, other)
                if type(other) is not int:
                    # What is no number is not equal, whatever this one is.
                    return (
                        bool(force(self.cell) + self.shift == other) if is_number(other) else NotImplemented
                    )
            return same(self.cell, other - self.shift)

        def __ne__(self, other: Any) -> Any:
            equal = self.__eq__(other)
            return equal if equal is NotImplemented else not equal

        def __add__(self, other: Any) -> Any:
            if type(other) is int:
                return LazyInt(self.cell, self.shift + other)
            return force(self.cell) + self.shift + other

        def __radd__(self, other: Any) -> Any:
            if type(other) is int:
                return LazyInt(self.cell, self.shift + other)
            return other + (force(self.cell) + self.shift)

        def __sub__(self, other: Any) -> Any:
            if type(other) is int:
                return LazyInt(self.cell, self.shift - other)
            return force(self.cell) + self.shift - other

    def below(number: LazyInt, other: Any, more: int) -> Any:
        if type(other) is not int:
            other = known(number, other)
            if type(other) is not int:
                value = force(number.cell) + number.shift
                return value <= other if more else value < other
        return split(number.cell, other - number.shift + more)

    def above(number: LazyInt, other: Any, more: int) -> Any:
        if type(other) is not int:
            other = known(number, other)
            if type(other) is not int:
                value = force(number.cell) + number.shift
                return value > other if more else value >= other
        return not split(number.cell, other - number.shift + more)

    def known(number: LazyInt, other: Any) -> Any:
        """The other side of a comparison as an int, if it is one. Of two undecided numbers the older is decided:
        it is the one that more comparisons are about."""
        if type(other) is LazyInt:
            theirs, own = other.cell, number.cell
            if theirs is not own and own.serial < theirs.serial:
                force(own)
            return force(theirs) + other.shift
        return int(other) if isinstance(other, bool) else other

    for name in _OPERATORS:
        _add_operator(LazyInt, name, force)

    made = 0
    new_cell, new_view = Cell.__new__, LazyInt.__new__

    def make(of: Range, container: Any, key: Any) -> Any:
        nonlocal made
        lo, hi = of.lo, of.hi
        if lo == hi:
            return lo
        made += 1
        # Spelled out, since a search makes very many: a call of __init__ would take as long as the rest.
        cell = new_cell(Cell)
        cell.lo, cell.hi, cell.of = lo, hi, of
        cell.container, cell.key, cell.serial = container, key, made
        view = cell.view = new_view(LazyInt)
        view.cell, view.shift = cell, 0
        return view

    make.force = force  # type: ignore[attr-defined]
    return LazyInt, make


def is_number(other: Any) -> bool:
    return isinstance(other, Number)


_OPERATORS = (
    "mul",
    "truediv",
    "floordiv",
    "mod",
    "divmod",
    "pow",
    "lshift",
    "rshift",
    "and",
    "xor",
    "or",
    "sub",
)


def _add_operator(cls: Any, name: str, force: Callable[[Cell], int]) -> None:
    """Operators that decide the number first."""
    symbol: Callable[[Any, Any], Any]
    symbol = divmod if name == "divmod" else getattr(operator, name + "_" * (name in ("and", "or")))

    def forward(self: Any, other: Any, *modulus: Any) -> Any:
        if modulus:
            return pow(force(self.cell) + self.shift, other, *modulus)
        return symbol(force(self.cell) + self.shift, other)

    def backward(self: Any, other: Any) -> Any:
        return symbol(other, force(self.cell) + self.shift)

    if name != "sub":
        setattr(cls, f"__{name}__", forward)
    setattr(cls, f"__r{name}__", backward)
    if name == "mul":  # once is enough for those with one operand
        for unary in ("neg", "pos", "abs", "invert"):
            setattr(cls, f"__{unary}__", _unary(getattr(operator, unary), force))
        cls.__round__ = lambda self, digits=None: round(force(self.cell) + self.shift, digits)


def _unary(symbol: Callable[[Any], Any], force: Callable[[Cell], int]) -> Callable[[Any], Any]:
    return lambda self: symbol(force(self.cell) + self.shift)
