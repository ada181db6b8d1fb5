"""Integers that are looked at through comparisons: an interval that becomes narrower.

A comparison with a known number splits the interval in two (or three, for equality), and only the part that the
comparison is about is decided. Adding a known number keeps it undecided. Everything else (indexing, other arithmetic,
hashing, printing) decides the number.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from numbers import Number
from typing import Any

from everycase.enumeration.leaves import IntOrder, is_small
from everycase.gen.kinds import Int
from everycase.narrow.decisions import Alternative, Decisions, Many, Place, by_price


class Range:
    """The integers of one generator at one place."""

    __slots__ = ("hi", "lo", "place", "small", "start")

    def __init__(self, node: Int, place: Place) -> None:
        self.lo: Any = -math.inf if node.lo is None else node.lo
        self.hi: Any = math.inf if node.hi is None else node.hi
        #: where the order starts: what is near to it costs little
        self.start = IntOrder(node).start
        self.small = is_small(node)
        self.place = place


class Cell:
    """One undecided integer: what it may still be, and where its value goes when it is decided."""

    __slots__ = ("container", "hi", "key", "lo", "place", "serial", "small", "start", "view")

    def __init__(self, of: Range, container: Any, key: Any, serial: int) -> None:
        self.lo = of.lo
        self.hi = of.hi
        self.start = of.start
        self.small = of.small
        self.place = of.place
        self.container = container
        self.key = key
        self.serial = serial
        self.view: Any = None

    def price(self, lo: Any, hi: Any) -> int:
        """The least size of a number in an interval."""
        if self.small:
            return 0
        start = self.start
        if hi < start:
            return int(start - 1 - hi).bit_length()
        return 0 if lo <= start else int(lo - start).bit_length()

    def affordable(self, slack: int) -> tuple[int, int]:
        """The interval without what costs too much."""
        if self.small:
            return self.lo, self.hi
        reach = 1 << self.price(self.lo, self.hi) + slack
        return max(self.lo, self.start - reach), min(self.hi, self.start + reach - 1)


class Interval(Alternative):
    """The number lies between ``lo`` and ``hi``; it lay between ``old`` before."""

    __slots__ = ("hi", "lo", "old")

    def __init__(self, cell: Cell, lo: Any, hi: Any) -> None:
        self.lo = lo
        self.hi = hi
        self.old = cell.lo, cell.hi
        self.extra = cell.price(lo, hi) - cell.price(cell.lo, cell.hi)

    @property
    def label(self) -> Any:
        return self.lo if self.lo == self.hi else f"{self.lo}..{self.hi}"

    def place(self, target: Cell) -> None:
        lo = self.lo
        target.lo, target.hi = lo, self.hi
        target.container[target.key] = lo if lo == self.hi else target.view

    def release(self, target: Cell) -> None:
        target.lo, target.hi = self.old
        target.container[target.key] = target.view


class Values(Many):
    """Every number of an interval as an alternative, nearest to where the order starts first."""

    def __init__(self, cell: Cell, slack: int) -> None:
        lo, hi = cell.affordable(slack)
        super().__init__(hi - lo + 1)
        self.cell = cell
        self.before = cell.lo, cell.hi
        self.order = order = object.__new__(IntOrder)
        start = min(max(cell.start, lo), hi + 1)
        order.start, order.up, order.down = start, hi - start + 1, start - lo
        order.both = min(order.up, order.down)

    def at(self, number: int) -> Interval:
        value = self.order.value(number)
        cell = self.cell
        made = object.__new__(Interval)
        made.lo = made.hi = value
        made.old = self.before
        made.extra = cell.price(value, value) - cell.price(*self.before)
        return made


def make_number_type(state: Decisions) -> tuple[type, Callable[[Range, Any, Any], Any]]:
    """The class of undecided integers in one search, and the function that makes one."""

    def split(cell: Cell, cut: int) -> bool:
        """Whether the number is below ``cut``."""
        if cell.hi < cut:
            return True
        if cell.lo >= cut:
            return False
        parts = [Interval(cell, cell.lo, cut - 1), Interval(cell, cut, cell.hi)]
        _decide(cell, parts)
        return bool(cell.hi < cut)

    def same(cell: Cell, value: int) -> bool:
        lo, hi = cell.lo, cell.hi
        if lo == hi:
            return bool(lo == value)
        if not lo <= value <= hi:
            return False
        parts = [Interval(cell, value, value)]
        if lo < value:
            parts.append(Interval(cell, lo, value - 1))
        if value < hi:
            parts.append(Interval(cell, value + 1, hi))
        _decide(cell, parts)
        return bool(cell.lo == cell.hi == value)

    def _decide(cell: Cell, parts: list[Interval]) -> None:
        slack = state.slack
        parts = [part for part in parts if part.extra <= slack]
        parts.sort(key=by_price)
        state.push(cell, parts, cell.place)

    def force(cell: Cell) -> int:
        if cell.lo != cell.hi:
            state.push(cell, Values(cell, state.slack), cell.place)
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

    def make(of: Range, container: Any, key: Any) -> Any:
        nonlocal made
        made += 1
        cell = Cell(of, container, key, made)
        if cell.lo == cell.hi:
            return cell.lo
        cell.view = LazyInt(cell, 0)
        return cell.view

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
