"""The stand-ins for integers that are not decided yet.

A comparison narrows the interval of a number (see :mod:`everycase.narrow.lazy.intervals`). Sums, differences,
multiples and quotients by a known number stay undecided, and so do sums of several undecided numbers: ``a - b
== 12`` is answered from their bounds if possible; otherwise the oldest number is decided, until one is left,
of which only the side of the comparison is decided. So ``sum(xs) == 10`` rejects as soon as the first few
elements are too much. Everything else (indexing, other arithmetic, hashing, printing) decides the number.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable
from numbers import Number
from typing import Any

from everycase.narrow.lazy.intervals import Cell, IntRange, decided, is_below, is_same, is_within

#: A number with its coefficient.
Term = tuple[int, Any]


class UndecidedInt:
    """An integer that is not decided yet. Not a subclass of int: C code would read a number that is not
    there."""

    __slots__ = ()
    __class__ = int  # type: ignore[assignment]

    def _decided(self) -> int:
        """The number, decided."""
        raise NotImplementedError

    def __index__(self) -> int:
        return self._decided()

    __int__ = __trunc__ = __floor__ = __ceil__ = __copy__ = __index__

    def __getattr__(self, name: str) -> Any:
        return getattr(self._decided(), name)

    def __hash__(self) -> int:
        return hash(self._decided())

    def __repr__(self) -> str:
        return repr(self._decided())

    def __format__(self, spec: str) -> str:
        return format(self._decided(), spec)

    def __float__(self) -> float:
        return float(self._decided())

    def __round__(self, digits: Any = None) -> Any:
        return round(self._decided(), digits)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return int, (self._decided(),)

    def __deepcopy__(self, memo: Any) -> int:
        return self._decided()

    def __neg__(self) -> Any:
        return self * -1

    def __pos__(self) -> Any:
        return self

    def __invert__(self) -> Any:
        return -self - 1

    def __mul__(self, other: Any) -> Any:
        raise NotImplementedError


def _add_operator(name: str) -> None:
    """An operator that decides the number first."""
    symbol: Callable[[Any, Any], Any]
    symbol = divmod if name == "divmod" else getattr(operator, name + "_" * (name in ("and", "or")))

    def forward(self: UndecidedInt, other: Any, *modulus: Any) -> Any:
        return pow(self._decided(), other, *modulus) if modulus else symbol(self._decided(), other)

    def backward(self: UndecidedInt, other: Any) -> Any:
        return symbol(other, self._decided())

    setattr(UndecidedInt, f"__{name}__", forward)
    setattr(UndecidedInt, f"__r{name}__", backward)


for _name in ("truediv", "floordiv", "mod", "divmod", "pow", "lshift", "rshift", "and", "xor", "or"):
    _add_operator(_name)


# --- one number ---------------------------------------------------------------------------------------------


class LazyInt(UndecidedInt, Cell):
    """One undecided integer."""

    __slots__ = ()

    def _decided(self) -> int:
        return decided(self)

    def __bool__(self) -> bool:
        return not is_same(self, 0)

    def __lt__(self, other: Any) -> Any:
        if type(other) is int:  # the usual case, without a detour
            return is_below(self, other)
        return _below(self, other, 0)

    def __le__(self, other: Any) -> Any:
        if type(other) is int:
            return is_below(self, other + 1)
        return _below(self, other, 1)

    def __gt__(self, other: Any) -> Any:
        if type(other) is int:
            return not is_below(self, other + 1)
        return _above(self, other, 1)

    def __ge__(self, other: Any) -> Any:
        if type(other) is int:
            return not is_below(self, other)
        return _above(self, other, 0)

    def __eq__(self, other: Any) -> Any:
        if type(other) is int:
            return is_same(self, other)
        if type(other) is LinearInt:
            return NotImplemented  # the other object decides
        if type(other) is LazyInt:
            if self is other:
                return True
            if _surely_below(self, other, 0) or _surely_below(self, other, 1) is False:
                return False
            return is_same(other, decided(self)) if _is_first(self, other) else is_same(self, decided(other))
        known = _integer(other)
        if known is not None:
            return is_same(self, known)
        # Anything that is not a number is not equal, whatever this one is.
        return decided(self) == other if isinstance(other, Number) else NotImplemented  # type: ignore[comparison-overlap]

    __hash__ = UndecidedInt.__hash__

    def __ne__(self, other: Any) -> Any:
        equal = self.__eq__(other)
        return equal if equal is NotImplemented else not equal

    def __add__(self, other: Any) -> Any:
        if type(other) is int:
            return linear([(1, self)], other)
        if type(other) is LazyInt:
            return linear([(1, self), (1, other)], 0)
        return NotImplemented if type(other) is LinearInt else decided(self) + other

    def __radd__(self, other: Any) -> Any:
        return linear([(1, self)], other) if type(other) is int else other + decided(self)

    def __sub__(self, other: Any) -> Any:
        if type(other) is int:
            return linear([(1, self)], -other)
        if type(other) is LazyInt:
            return linear([(1, self), (-1, other)], 0)
        return NotImplemented if type(other) is LinearInt else decided(self) - other

    def __rsub__(self, other: Any) -> Any:
        return linear([(-1, self)], other) if type(other) is int else other - decided(self)

    def __mul__(self, other: Any) -> Any:
        return linear([(other, self)], 0) if type(other) is int else decided(self) * other

    def __rmul__(self, other: Any) -> Any:
        return linear([(other, self)], 0) if type(other) is int else other * decided(self)

    def __floordiv__(self, other: Any) -> Any:
        if type(other) is int and other > 0:
            return linear([(1, self)], 0, other)
        return decided(self) // other

    def __abs__(self) -> Any:
        return -self if is_below(self, 0) else self


def make_int(of: IntRange, container: Any, key: Any) -> Any:
    """An undecided integer at its place; the number itself if only one is possible."""
    lo, hi = of.lo, of.hi
    if lo == hi:
        return lo
    state = of.state
    state.numbers += 1
    # Inlined, because a search makes very many: a call of __init__ would take as long as the rest.
    number = LazyInt()
    number._lo, number._hi, number._of = lo, hi, of
    number._container, number._key, number._serial = container, key, state.numbers
    return number


def _below(number: LazyInt, other: Any, more: int) -> Any:
    """Whether a number is less than another one and ``more``."""
    if type(other) is LinearInt:
        return NotImplemented
    if type(other) is LazyInt:
        answer = _surely_below(number, other, more)
        if answer is not None:
            return answer
        if _is_first(number, other):
            return not is_below(other, decided(number) + 1 - more)
        return is_below(number, decided(other) + more)
    cut = _cut(other, more)
    if cut is not None:
        return is_below(number, cut)
    value = decided(number)
    return value <= other if more else value < other


def _above(number: LazyInt, other: Any, more: int) -> Any:
    """Whether a number is not less than another one plus ``more``."""
    if type(other) is LinearInt:
        return NotImplemented
    if type(other) is LazyInt:
        return not _below(number, other, more)
    cut = _cut(other, more)
    if cut is not None:
        return not is_below(number, cut)
    value = decided(number)  # a NaN is neither below nor above
    return value > other if more else value >= other


def _surely_below(number: Cell, other: Cell, more: int) -> bool | None:
    """Whether a number is less than another one plus ``more``, if the answer does not depend on what they
    become."""
    if number is other:
        return more > 0
    # Nothing is added to an infinite bound: that would be a float, to which large numbers cannot be
    # converted.
    if other._lo > -math.inf and number._hi < other._lo + more:
        return True
    if other._hi < math.inf and number._lo >= other._hi + more:
        return False
    return None


def _is_first(number: Cell, other: Cell) -> bool:
    """Whether the first of two undecided numbers should be decided: the older, which occurs in more
    comparisons, unless one of them is decided."""
    return other._lo != other._hi and (number._serial < other._serial or number._lo == number._hi)


def _integer(other: Any) -> int | None:
    """The integer that equals a known number of another type; None if there is none, or it is not a
    number."""
    if isinstance(other, bool):
        return int(other)
    return int(other) if type(other) is float and other.is_integer() else None


def _cut(other: Any, more: int) -> int | None:
    """The integer that a number must be less than, to be less than a known one of another type (or, with
    ``more``, not greater than it); None for everything else."""
    if isinstance(other, bool):
        return int(other) + more
    if type(other) is float and math.isfinite(other):
        return math.floor(other) + 1 if more else math.ceil(other)
    return None


# --- sums ---------------------------------------------------------------------------------------------------


class LinearInt(UndecidedInt):
    """A sum of undecided integers with coefficients and a constant, divided by a known number (and rounded down)."""

    __slots__ = ("_constant", "_divisor", "_terms")

    _terms: tuple[Term, ...]
    _constant: int
    _divisor: int

    def _decided(self) -> int:
        total: int = self._constant
        for factor, cell in self._terms:
            total += factor * decided(cell)
        return total // self._divisor

    def __bool__(self) -> bool:
        return not _is_equal(self, 0)

    def __lt__(self, other: Any) -> Any:
        return _compared(self, other, _lies_below, "lt")

    def __le__(self, other: Any) -> Any:
        return _compared(self, other, _lies_below, "le", 1)

    def __gt__(self, other: Any) -> Any:
        return _compared(self, other, _lies_above, "gt", 1)

    def __ge__(self, other: Any) -> Any:
        return _compared(self, other, _lies_above, "ge")

    def __eq__(self, other: Any) -> Any:
        return _compared(self, other, _is_equal, "eq")

    __hash__ = UndecidedInt.__hash__

    def __ne__(self, other: Any) -> Any:
        return _compared(self, other, _is_unequal, "ne")

    def __add__(self, other: Any) -> Any:
        found = _combined(self, other, 1)
        return self._decided() + other if found is NotImplemented else found

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        found = _combined(self, other, -1)
        return self._decided() - other if found is NotImplemented else found

    def __rsub__(self, other: Any) -> Any:
        found = _combined(other, self, -1)
        return other - self._decided() if found is NotImplemented else found

    def __mul__(self, other: Any) -> Any:
        if type(other) is not int or self._divisor != 1:
            return self._decided() * other
        return linear([(factor * other, cell) for factor, cell in self._terms], self._constant * other)

    __rmul__ = __mul__

    def __floordiv__(self, other: Any) -> Any:
        if type(other) is int and other > 0:
            return linear(self._terms, self._constant, self._divisor * other)
        return self._decided() // other

    def __abs__(self) -> Any:
        return -self if _lies_below(self, 0) else self


def linear(terms: Iterable[Term], constant: int, divisor: int = 1) -> Any:
    """Such a sum, or its value if that is known."""
    merged: dict[int, Term] = {}
    for factor, cell in terms:
        known = merged.get(id(cell))
        merged[id(cell)] = (factor if known is None else factor + known[0], cell)
    left = tuple([term for term in merged.values() if term[0]])
    if not left:
        return constant // divisor
    if constant == 0 and divisor == 1 and len(left) == 1 and left[0][0] == 1:
        return left[0][1]
    number = LinearInt()
    number._terms, number._constant, number._divisor = left, constant, divisor
    return number


def _terms_of(thing: Any) -> tuple[tuple[Term, ...], int, int] | None:
    """Terms, constant and divisor of something that can be added without deciding it; None for anything
    else."""
    if type(thing) is int:
        return (), thing, 1
    if type(thing) is LinearInt:
        return thing._terms, thing._constant, thing._divisor
    return (((1, thing),), 0, 1) if type(thing) is LazyInt else None


def _combined(one: Any, other: Any, sign: int) -> Any:
    """The sum (or the difference) of two numbers; NotImplemented if they would have to be decided."""
    first, second = _terms_of(one), _terms_of(other)
    if first is None or second is None:
        return NotImplemented
    if second[2] != 1 or (first[2] != 1 and second[0]):
        return NotImplemented  # rounded numbers have no common divisor, and -(a // b) is not -a // b
    added = [(sign * first[2] * factor, cell) for factor, cell in second[0]]
    return linear((*first[0], *added), first[1] + sign * first[2] * second[1], first[2])


def _compared(
    number: LinearInt, other: Any, ask: Callable[[Any, int], bool], name: str, more: int = 0
) -> Any:
    """Compare the difference if the other one is also undecided, else the number."""
    if type(other) is int:
        return ask(number, other + more)
    if name in ("eq", "ne"):
        if not isinstance(other, Number):
            return NotImplemented  # not equal, whatever the number is
        known = _integer(other)
    else:
        known = _cut(other, more)
    if known is not None:
        return ask(number, known)
    difference = _combined(number, other, -1)
    compare = getattr(operator, name)
    if difference is NotImplemented:
        second = _terms_of(other)
        if second is not None and second[2] == 1:
            return _compared_rounded(number, second, ask, name, more)
        if isinstance(other, UndecidedInt):
            other = operator.index(other)
        return compare(number._decided(), other)
    if type(difference) is int:
        return compare(difference, 0)
    return ask(difference, more)


def _compared_rounded(
    number: LinearInt,
    other: tuple[tuple[Term, ...], int, int],
    ask: Callable[[Any, int], bool],
    name: str,
    more: int,
) -> Any:
    """Compare ``x // d`` with ``y``: it is less if ``x - d * y`` is negative, and the same if that is a remainder."""
    divisor = number._divisor
    scaled = [(-divisor * factor, cell) for factor, cell in other[0]]
    rest = linear((*number._terms, *scaled), number._constant - divisor * other[1])
    if name in ("eq", "ne"):
        same = (not rest < 0) and rest < divisor
        return bool(same) if name == "eq" else not same
    if type(rest) is int:
        return getattr(operator, name)(rest // divisor, 0)
    return ask(rest, more * divisor)


def _bounds(terms: Iterable[Term], constant: int) -> tuple[Any, Any]:
    low: Any = constant
    high: Any = constant
    for factor, cell in terms:
        one, other = cell._lo, cell._hi
        if factor < 0:
            one, other = other, one
        # Nothing is added to an infinite bound: that would be a float, to which large numbers cannot be
        # converted.
        low = -math.inf if math.inf in (one, -one, -low) else low + factor * one
        high = math.inf if math.inf in (other, -other, high) else high + factor * other
    return low, high


def _open_terms(terms: tuple[Term, ...], constant: int) -> tuple[tuple[Term, ...], int]:
    """Without those that are decided."""
    left = []
    for factor, cell in terms:
        if cell._lo == cell._hi:
            constant += factor * cell._lo
        else:
            left.append((factor, cell))
    return tuple(left), constant


def _lies_below(number: Any, cut: int) -> bool:
    """Whether the sum is less than a known number."""
    if type(number) is LazyInt:
        return is_below(number, cut)
    terms, constant = number._terms, number._constant
    cut *= number._divisor
    while True:
        if len(terms) == 1:
            ((factor, cell),) = terms
            if factor > 0:
                return is_below(cell, -((constant - cut) // factor))
            return not is_below(cell, (constant - cut) // -factor + 1)
        low, high = _bounds(terms, constant)
        if high < cut:
            return True
        if low >= cut:
            return False
        terms, constant = _open_terms(terms, constant)
        if len(terms) > 1:
            decided(_to_decide(terms)[1])


def _lies_above(number: Any, cut: int) -> bool:
    """Whether the sum is not less than a known number."""
    return not _lies_below(number, cut)


def _is_equal(number: Any, value: int) -> bool:
    """Whether the sum is a known number."""
    if type(number) is LazyInt:
        return is_same(number, value)
    terms, constant = number._terms, number._constant
    divisor = number._divisor
    if divisor != 1:
        quotient = linear(terms, constant)
        return not _lies_below(quotient, value * divisor) and _lies_below(quotient, (value + 1) * divisor)
    while True:
        low, high = _bounds(terms, constant)
        if not low <= value <= high:
            return False
        terms, constant = _open_terms(terms, constant)
        if not terms:
            return bool(constant == value)
        if len(terms) == 1:
            ((factor, cell),) = terms
            quotient, rest = divmod(value - constant, factor)
            return False if rest else is_same(cell, quotient)
        chosen = _to_decide(terms)
        factor, cell = chosen
        # The possible values of the others limit this one.
        low, high = _bounds([term for term in terms if term is not chosen], constant)
        first, last = value - high, value - low
        if factor < 0:
            first, last = -last, -first
        first = first if first == -math.inf else -(-first // abs(factor))
        last = last if last == math.inf else last // abs(factor)
        if first > last or not is_within(cell, max(first, cell._lo), min(last, cell._hi)):
            return False
        decided(cell)


def _is_unequal(number: Any, value: int) -> bool:
    return not _is_equal(number, value)


def _to_decide(terms: tuple[Term, ...]) -> Term:
    """The number to decide: the oldest, unless there are infinitely many that it can be, and another has more bounds."""

    def width(term: Term) -> tuple[int, float, int]:
        lo, hi = term[1]._lo, term[1]._hi
        return (lo == -math.inf) + (hi == math.inf), hi - lo, _age(term)

    oldest = min(terms, key=_age)
    return min(terms, key=width) if width(oldest)[0] else oldest


def _age(term: Term) -> int:
    age: int = term[1]._serial
    return age
