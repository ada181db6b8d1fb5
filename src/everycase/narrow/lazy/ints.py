"""Integers that are looked at through comparisons: an interval that becomes narrower.

A comparison with a known number splits the interval in two (or three, for equality), and only the part that the
comparison is about is decided. Two undecided numbers are compared by their intervals if these do not overlap, or else one
of the two is decided. Sums, differences and multiples by a known number stay undecided (see
:mod:`everycase.narrow.lazy.linear`). Everything else (indexing, other arithmetic, hashing, printing) decides the number.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from numbers import Number
from typing import Any

from everycase.gen.kinds import Int
from everycase.narrow.lazy.linear import make_linear_type
from everycase.narrow.trail import Alternative, Decisions, Many, Place, by_price
from everycase.sizes.numbers import IntOrder, is_small

#: So many ways to cut the intervals of one place are kept, and all numbers of an interval if they are not more than these.
MOST_CUTS = 4096
MOST_AT_ONCE = 8
#: Numbers that cost nothing are drawn from so far around where their order starts, or the nearest that is allowed.
WIDE = 2**64
#: A number that was compared with so many others in a row is taken to be looked for in a range.
IN_A_ROW = 64


class Range:
    """The integers of one generator at one place."""

    __slots__ = ("cuts", "hi", "is_small", "lo", "place", "small", "start")

    def __init__(self, node: Int, place: Place) -> None:
        self.lo: Any = -math.inf if node.lo is None else node.lo
        self.hi: Any = math.inf if node.hi is None else node.hi
        #: where the order starts: what is near to it costs little
        self.start = IntOrder(node).start
        #: its numbers cost nothing; those of a wide range do, unless :meth:`widen` says otherwise
        self.small = self.is_small = is_small(node)
        self.place = place
        #: the ways in which intervals were cut: a predicate makes the same few comparisons again and again
        self.cuts: dict[tuple[Any, ...], Sequence[Alternative]] = {}

    def widen(self, wide: bool) -> None:
        """Whether large numbers cost nothing either, so that they are as likely as small ones in random orders."""
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
        """An interval in up to three parts: ``first..last``, what is below and what is above, as far as the slack allows.
        Cheapest first."""
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
        every = Values(self, lo, hi, slack)
        return self._keep((lo, hi, slack), tuple(every)) if every.total <= MOST_AT_ONCE else every

    def _keep(self, key: tuple[Any, ...], parts: tuple[Alternative, ...]) -> Sequence[Alternative]:
        if len(self.cuts) >= MOST_CUTS:
            self.cuts.clear()
        self.cuts[key] = parts
        return parts


class Cell:
    """One undecided integer: what it may still be, and where its value goes when it is decided.

    The names are such that no predicate asks for them.
    """

    __slots__ = ("_container", "_hi", "_key", "_lo", "_of", "_serial")

    _lo: Any
    _hi: Any
    _of: Range
    _container: Any
    _key: Any
    #: older ones have smaller numbers
    _serial: int


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
        return self.lo if self.ends else f"{self.lo}..{self.hi}"

    def place(self, target: Cell) -> None:
        target._lo = lo = self.lo
        target._hi = self.hi
        target._container[target._key] = lo if self.ends else target

    def release(self, target: Cell) -> None:
        target._lo = self.old_lo
        target._hi = self.old_hi
        target._container[target._key] = target


class Values(Many):
    """Every number of an interval as an alternative, nearest to where the order starts first."""

    def __init__(self, of: Range, lo: Any, hi: Any, slack: int) -> None:
        self.of = of
        self.before = lo, hi
        if not of.small:
            # Without what costs too much.
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


def make_number_types(
    state: Decisions,
) -> tuple[tuple[type, ...], Callable[[Range, Any, Any], Any], Callable[[Any], int]]:
    """The classes of undecided integers in one search, the function that makes one, and that which decides one."""

    push, trail = state.push, state.trail

    def decide(cell: Cell, first: int, last: int) -> None:
        """Decide whether the number is in a part of its interval."""
        lo, hi, of, slack = cell._lo, cell._hi, cell._of, state.slack
        parts = of.cuts.get((lo, hi, first, last, slack)) or of.cut(lo, hi, first, last, slack)
        push(cell, parts, of.place)

    def is_below(number: Any, cut: int) -> bool:
        shift = number._shift
        if shift:
            number = number._base
            cut -= shift
        if number._hi < cut:
            return True
        lo = number._lo
        if lo >= cut:
            return False
        decide(number, lo, cut - 1)
        return bool(number._hi < cut)

    def is_same(number: Any, value: int) -> bool:
        shift = number._shift
        if shift:
            number = number._base
            value -= shift
        lo, hi = number._lo, number._hi
        if not lo <= value <= hi:
            return False
        if lo != hi:
            if len(trail) >= IN_A_ROW and trail[-IN_A_ROW][0] is number is trail[-1][0] and lo == value:
                decide_many(number)
            else:
                decide(number, value, value)
        return bool(number._lo == value == number._hi)

    def decide_many(cell: Cell) -> None:
        """``x in range(a, b)`` compares an undecided ``x`` with one number after another, each time from the beginning,
        and a decided one with none of them. So the next numbers are decided together, twice as many each time."""
        lo = cell._lo
        before = max((part.hi - part.lo + 1 for part in trail[-1][1] if part.hi == lo - 1), default=1)
        last = min(cell._hi, lo + 2 * before - 1)
        decide(cell, lo, last)
        if cell._lo == lo and cell._hi == last:
            force(cell)

    def force(number: Any) -> int:
        """The number, decided."""
        shift, cell = number._shift, cell_of(number)
        lo, hi = cell._lo, cell._hi
        if lo != hi:
            of, slack = cell._of, state.slack
            push(cell, of.cuts.get((lo, hi, slack)) or of.values(lo, hi, slack), of.place)
        return cell._lo + shift  # type: ignore[no-any-return]

    def cell_of(number: Any) -> Cell:
        return number._base if number._shift else number  # type: ignore[no-any-return]

    def shifted(number: Any, by: int) -> Any:
        """The number with something added to it."""
        shift, cell = number._shift + by, cell_of(number)
        if not shift:
            return cell
        view = ShiftedInt()
        view._base, view._shift = cell, shift
        return view

    class Undecided:
        """An integer that is not decided yet. No subclass of int: C code would read a number that is not there."""

        __slots__ = ()
        __class__ = int  # type: ignore[assignment]

        def __index__(self) -> int:
            return force(self)

        __int__ = __trunc__ = __floor__ = __ceil__ = __copy__ = __index__

        def __getattr__(self, name: str) -> Any:
            return getattr(force(self), name)

        def __hash__(self) -> int:
            return hash(force(self))

        def __bool__(self) -> bool:
            return not is_same(self, 0)

        def __repr__(self) -> str:
            return repr(force(self))

        def __format__(self, spec: str) -> str:
            return format(force(self), spec)

        def __float__(self) -> float:
            return float(force(self))

        def __reduce_ex__(self, protocol: Any) -> Any:
            return int, (force(self),)

        def __deepcopy__(self, memo: Any) -> int:
            return force(self)

        def __lt__(self, other: Any) -> Any:
            if type(other) is int:  # the usual case, without a detour
                return is_below(self, other)
            return below(self, other, 0)

        def __le__(self, other: Any) -> Any:
            return below(self, other, 1)

        def __gt__(self, other: Any) -> Any:
            return above(self, other, 1)

        def __ge__(self, other: Any) -> Any:
            return above(self, other, 0)

        def __eq__(self, other: Any) -> Any:
            if type(other) is not int:
                if type(other) is linear:
                    return NotImplemented  # it knows better
                if type(other) in types:
                    if surely_below(self, other, 0) or surely_below(self, other, 1) is False:
                        return False
                    if cell_of(self) is cell_of(other):
                        return True
                    if is_first(self, other):
                        return is_same(other, force(self))
                    other = force(other)
                elif isinstance(other, bool):
                    other = int(other)
                else:
                    # What is no number is not equal, whatever this one is.
                    return bool(force(self) == other) if is_number(other) else NotImplemented
            return is_same(self, other)

        def __ne__(self, other: Any) -> Any:
            equal = self.__eq__(other)
            return equal if equal is NotImplemented else not equal

        def __add__(self, other: Any) -> Any:
            if type(other) is int:
                return shifted(self, other)
            return combined(self, other, 1, operator.add)

        def __radd__(self, other: Any) -> Any:
            if type(other) is int:
                return shifted(self, other)
            return other + force(self)

        def __sub__(self, other: Any) -> Any:
            if type(other) is int:
                return shifted(self, -other)
            return combined(self, other, -1, operator.sub)

        def __rsub__(self, other: Any) -> Any:
            if type(other) is int:
                return make_linear([(-1, cell_of(self))], other - self._shift)
            return other - force(self)

        def __mul__(self, other: Any) -> Any:
            if type(other) is int:
                return make_linear([(other, cell_of(self))], other * self._shift)
            return force(self) * other

        def __rmul__(self, other: Any) -> Any:
            return self * other if type(other) is int else other * force(self)

        def __neg__(self) -> Any:
            return self * -1

        def __pos__(self) -> Any:
            return self

        def __abs__(self) -> Any:
            return -self if is_below(self, 0) else self

    def combined(one: Any, other: Any, sign: int, symbol: Callable[[Any, Any], Any]) -> Any:
        """The sum or difference of two undecided numbers; of anything else, what it is."""
        theirs = terms_of(other)
        if theirs is None:
            return NotImplemented if type(other) is linear else symbol(force(one), other)
        ((factor, cell),), constant = theirs
        return make_linear([(1, cell_of(one)), (sign * factor, cell)], one._shift + sign * constant)

    def terms_of(number: Any) -> tuple[tuple[tuple[int, Any], ...], int] | None:
        return (((1, cell_of(number)),), number._shift) if type(number) in types else None

    def is_within(cell: Cell, first: Any, last: Any) -> bool:
        """Whether a number lies in a part of its interval."""
        if first > last:
            return False
        if first > cell._lo or last < cell._hi:
            decide(cell, first, last)
        return bool(first <= cell._lo and cell._hi <= last)

    linear, make_linear = make_linear_type(force, is_below, is_same, is_within, terms_of)

    def below(number: Undecided, other: Any, more: int) -> Any:
        if type(other) is not int:
            if type(other) is linear:
                return NotImplemented
            if type(other) in types:
                answer = surely_below(number, other, more)
                if answer is not None:
                    return answer
                if is_first(number, other):
                    return not is_below(other, force(number) + 1 - more)
                other = force(other)
            elif isinstance(other, bool):
                other = int(other)
            else:
                value = force(number)
                return value <= other if more else value < other
        return is_below(number, other + more)

    def above(number: Undecided, other: Any, more: int) -> Any:
        if type(other) is int:
            return not is_below(number, other + more)
        if type(other) is linear:
            return NotImplemented
        if type(other) in types or isinstance(other, bool):
            return not below(number, other, more)
        value = force(number)  # a NaN is neither below nor above
        return value > other if more else value >= other

    def surely_below(number: Any, other: Any, more: int) -> bool | None:
        """Whether a number is less than another one (and ``more``), if that is so whatever they become."""
        mine, theirs = cell_of(number), cell_of(other)
        more += other._shift - number._shift
        if mine is theirs:
            return more > 0
        # Nothing is added to what has no bound: that would be a float, which large numbers do not become.
        if theirs._lo > -math.inf and mine._hi < theirs._lo + more:
            return True
        if theirs._hi < math.inf and mine._lo >= theirs._hi + more:
            return False
        return None

    def is_first(number: Undecided, other: Any) -> bool:
        """Whether of two undecided numbers the first is to be decided, and not the other: the older, which is the one that
        more comparisons are about, unless one of them is decided."""
        own, theirs = cell_of(number), cell_of(other)
        return theirs._lo != theirs._hi and (own._serial < theirs._serial or own._lo == own._hi)

    for name in _OPERATORS:
        _add_operator(Undecided, name, force)

    class LazyInt(Undecided, Cell):
        __slots__ = ()
        _shift = 0

    class ShiftedInt(Undecided):
        """An undecided integer with something added to it, never 0. (No kind of LazyInt, or else it would be the one to
        be asked when the two are compared.)"""

        __slots__ = ("_base", "_shift")

        _base: Cell
        _shift: int

    types = LazyInt, ShiftedInt
    made = 0

    def make(of: Range, container: Any, key: Any) -> Any:
        nonlocal made
        lo, hi = of.lo, of.hi
        if lo == hi:
            return lo
        made += 1
        # Spelled out, since a search makes very many: a call of __init__ would take as long as the rest.
        number = LazyInt()
        number._lo, number._hi, number._of = lo, hi, of
        number._container, number._key, number._serial = container, key, made
        return number

    return types, make, force


def is_number(other: Any) -> bool:
    return isinstance(other, Number)


_OPERATORS = (
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
)


def _add_operator(cls: Any, name: str, force: Callable[[Any], int]) -> None:
    """Operators that decide the number first."""
    symbol: Callable[[Any, Any], Any]
    symbol = divmod if name == "divmod" else getattr(operator, name + "_" * (name in ("and", "or")))

    def forward(self: Any, other: Any, *modulus: Any) -> Any:
        if modulus:
            return pow(force(self), other, *modulus)
        return symbol(force(self), other)

    def backward(self: Any, other: Any) -> Any:
        return symbol(other, force(self))

    setattr(cls, f"__{name}__", forward)
    setattr(cls, f"__r{name}__", backward)
    if name == "mod":  # once is enough for those with one operand
        cls.__invert__ = lambda self: ~force(self)
        cls.__round__ = lambda self, digits=None: round(force(self), digits)
