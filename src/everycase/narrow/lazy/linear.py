"""Sums, differences and multiples of undecided integers, which stay undecided until they are compared.

``a - b == 12`` says something about two numbers at once. It is answered by their bounds if those tell; else the oldest
number is decided, until one is left, which need not be: only the side of the comparison that it is on. So
``sum(xs) == 10`` rejects as soon as the first few elements are too much.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable
from typing import Any

#: A number with its coefficient.
Term = tuple[int, Any]


def make_linear_type(
    force: Callable[[Any], int],
    is_below: Callable[[Any, int], bool],
    is_same: Callable[[Any, int], bool],
    is_within: Callable[[Any, Any, Any], bool],
    terms_of: Callable[[Any], tuple[tuple[Term, ...], int] | None],
) -> tuple[type, Callable[[Iterable[Term], int], Any]]:
    """The class of such sums in one search, and the function that makes one.

    ``terms_of`` reads a plain undecided number (a cell, or one with something added) as a sum.
    """

    def bounds(terms: tuple[Term, ...], constant: int) -> tuple[Any, Any]:
        low: Any = constant
        high: Any = constant
        for factor, cell in terms:
            one, other = cell._lo, cell._hi
            if factor < 0:
                one, other = other, one
            # Nothing is added to what has no bound: that would be a float, which large numbers do not become.
            low = -math.inf if math.inf in (one, -one, -low) else low + factor * one
            high = math.inf if math.inf in (other, -other, high) else high + factor * other
        return low, high

    def open_terms(terms: tuple[Term, ...], constant: int) -> tuple[tuple[Term, ...], int]:
        """Without those that are decided."""
        left = []
        for factor, cell in terms:
            if cell._lo == cell._hi:
                constant += factor * cell._lo
            else:
                left.append((factor, cell))
        return tuple(left), constant

    def lies_below(number: Any, cut: int) -> bool:
        """Whether the sum is less than a number."""
        terms, constant = number._terms, number._constant
        while True:
            low, high = bounds(terms, constant)
            if high < cut:
                return True
            if low >= cut:
                return False
            terms, constant = open_terms(terms, constant)
            if len(terms) == 1:
                ((factor, cell),) = terms
                if factor > 0:
                    return is_below(cell, -((constant - cut) // factor))
                return not is_below(cell, (constant - cut) // -factor + 1)
            force(min(terms, key=_age)[1])

    def is_equal(number: Any, value: int) -> bool:
        terms, constant = number._terms, number._constant
        while True:
            low, high = bounds(terms, constant)
            if not low <= value <= high:
                return False
            terms, constant = open_terms(terms, constant)
            if not terms:
                return bool(constant == value)
            if len(terms) == 1:
                ((factor, cell),) = terms
                quotient, rest = divmod(value - constant, factor)
                return False if rest else is_same(cell, quotient)
            oldest = min(terms, key=_age)
            factor, cell = oldest
            # What the others can be at all says what this one can be.
            low, high = bounds(tuple(term for term in terms if term is not oldest), constant)
            first, last = value - high, value - low
            if factor < 0:
                first, last = -last, -first
            first = first if first == -math.inf else -(-first // abs(factor))
            last = last if last == math.inf else last // abs(factor)
            if first > last or not is_within(cell, max(first, cell._lo), min(last, cell._hi)):
                return False
            force(cell)

    def decided(number: Any) -> int:
        total: int = number._constant
        for factor, cell in number._terms:
            total += factor * force(cell)
        return total

    def read(thing: Any) -> tuple[tuple[Term, ...], int] | None:
        """What can be added without deciding it; None if it is none of that."""
        if type(thing) is int:
            return (), thing
        if type(thing) is LinearInt:
            return thing._terms, thing._constant
        return terms_of(thing)

    def make(terms: Iterable[Term], constant: int) -> Any:
        merged: dict[int, Term] = {}
        for factor, cell in terms:
            known = merged.get(id(cell))
            merged[id(cell)] = (factor if known is None else factor + known[0], cell)
        left = tuple(term for term in merged.values() if term[0])
        if not left:
            return constant
        number = LinearInt()
        number._terms, number._constant = left, constant
        return number

    def combined(one: Any, other: Any, sign: int) -> Any:
        first, second = read(one), read(other)
        if first is None or second is None:
            return NotImplemented
        return make(
            (*first[0], *[(sign * factor, cell) for factor, cell in second[0]]), first[1] + sign * second[1]
        )

    def compared(number: Any, other: Any, ask: Callable[[Any, int], bool], name: str, more: int = 0) -> Any:
        """Ask about the difference if the other one is undecided as well, else about the number."""
        if type(other) is int:
            return ask(number, other + more)
        if isinstance(other, bool):
            return ask(number, int(other) + more)
        difference = combined(number, other, -1)
        if difference is NotImplemented:
            return getattr(operator, name)(decided(number), other)
        if type(difference) is int:
            return getattr(operator, name)(difference, 0)
        return ask(difference, more)

    class LinearInt:
        """A sum of undecided integers with coefficients. No subclass of int: C code would read what is not there."""

        __slots__ = ("_constant", "_terms")
        __class__ = int  # type: ignore[assignment]

        _terms: tuple[Term, ...]
        _constant: int

        def __index__(self) -> int:
            return decided(self)

        __int__ = __trunc__ = __floor__ = __ceil__ = __copy__ = __index__

        def __getattr__(self, name: str) -> Any:
            return getattr(decided(self), name)

        def __hash__(self) -> int:
            return hash(decided(self))

        def __bool__(self) -> bool:
            return not is_equal(self, 0)

        def __repr__(self) -> str:
            return repr(decided(self))

        def __format__(self, spec: str) -> str:
            return format(decided(self), spec)

        def __float__(self) -> float:
            return float(decided(self))

        def __reduce_ex__(self, protocol: Any) -> Any:
            return int, (decided(self),)

        def __deepcopy__(self, memo: Any) -> int:
            return decided(self)

        def __lt__(self, other: Any) -> Any:
            return compared(self, other, lies_below, "lt")

        def __le__(self, other: Any) -> Any:
            return compared(self, other, lies_below, "le", 1)

        def __gt__(self, other: Any) -> Any:
            return compared(self, other, lambda number, cut: not lies_below(number, cut), "gt", 1)

        def __ge__(self, other: Any) -> Any:
            return compared(self, other, lambda number, cut: not lies_below(number, cut), "ge")

        def __eq__(self, other: Any) -> Any:
            return compared(self, other, is_equal, "eq")

        def __ne__(self, other: Any) -> Any:
            return compared(self, other, lambda number, value: not is_equal(number, value), "ne")

        def __add__(self, other: Any) -> Any:
            found = combined(self, other, 1)
            return decided(self) + other if found is NotImplemented else found

        __radd__ = __add__

        def __sub__(self, other: Any) -> Any:
            found = combined(self, other, -1)
            return decided(self) - other if found is NotImplemented else found

        def __rsub__(self, other: Any) -> Any:
            found = combined(other, self, -1)
            return other - decided(self) if found is NotImplemented else found

        def __mul__(self, other: Any) -> Any:
            if type(other) is not int:
                return decided(self) * other
            return make([(factor * other, cell) for factor, cell in self._terms], self._constant * other)

        __rmul__ = __mul__

        def __neg__(self) -> Any:
            return self * -1

        def __pos__(self) -> Any:
            return self

        def __invert__(self) -> Any:
            return -self - 1

        def __round__(self, digits: Any = None) -> Any:
            return round(decided(self), digits)

        def __abs__(self) -> Any:
            return -self if lies_below(self, 0) else self

    for name in ("truediv", "floordiv", "mod", "divmod", "pow", "lshift", "rshift", "and", "xor", "or"):
        _add_operator(LinearInt, name, decided)
    return LinearInt, make


def _age(term: Term) -> int:
    age: int = term[1]._serial
    return age


def _add_operator(cls: Any, name: str, decided: Callable[[Any], int]) -> None:
    """Operators that decide the numbers first."""
    symbol: Callable[[Any, Any], Any]
    symbol = divmod if name == "divmod" else getattr(operator, name + "_" * (name in ("and", "or")))
    setattr(
        cls,
        f"__{name}__",
        lambda self, other, *more: pow(decided(self), other, *more) if more else symbol(decided(self), other),
    )
    setattr(cls, f"__r{name}__", lambda self, other: symbol(other, decided(self)))
