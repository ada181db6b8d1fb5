"""How many values of each size a recursion has, by a short recurrence instead of a sum over all ways to share a size.

The numbers of values by size, read as a power series in x, follow the definition: a union is a sum, a constructor is x
times the product of its parts, an unbounded list of E is 1 / (1 - x E). Cut at one generator T, a recursion becomes an
equation between polynomials in x and T. If it is of degree two in T (binary trees, expressions with operators of one
or two operands, trees with lists of branches), T is a quotient made of polynomials and S, the square root of a
polynomial D; and so is every other generator of the recursion. From 2 D S' = D' S follows a recurrence for the terms
of S with as many terms as D has, and from it the numbers of all the others. Everything is exact.

Here is the algebra. The equations are read off generators in :mod:`everycase.enumeration.size_rules`.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import RLock

#: Longer polynomials in x, and higher powers of T on the way, are not worth the trouble.
LONGEST = 400
HIGHEST = 6

#: A polynomial in x: its coefficients, the constant one first. No zeros at the end.
Poly = list[int]
#: A polynomial in T, whose coefficients are polynomials in x.
InT = list[Poly]


class NoEquation(Exception):
    """The recursion is not one that can be solved here."""


def _add(a: Poly, b: Poly, times: int = 1) -> Poly:
    total = [*a, *[0] * (len(b) - len(a))]
    for k, value in enumerate(b):
        total[k] += times * value
    while total and not total[-1]:
        total.pop()
    return total


def _times(a: Poly, b: Poly) -> Poly:
    if not a or not b:
        return []
    if len(a) + len(b) > LONGEST:
        raise NoEquation
    total = [0] * (len(a) + len(b) - 1)
    for i, left in enumerate(a):
        if left:
            for j, right in enumerate(b):
                total[i + j] += left * right
    return total


def _add_in_t(a: InT, b: InT) -> InT:
    longer = max(len(a), len(b))
    return [_add(a[k] if k < len(a) else [], b[k] if k < len(b) else []) for k in range(longer)]


def _times_in_t(a: InT, b: InT) -> InT:
    if len(a) + len(b) > HIGHEST + 2:
        raise NoEquation
    total: InT = [[] for _ in range(len(a) + len(b) - 1)]
    for i, left in enumerate(a):
        for j, right in enumerate(b):
            total[i + j] = _add(total[i + j], _times(left, right))
    return total


class Quotient:
    """A quotient of polynomials in x and T."""

    __slots__ = ("above", "below")

    def __init__(self, above: InT, below: InT | None = None) -> None:
        self.above = above
        self.below: InT = [[1]] if below is None else below

    def __add__(self, other: Quotient) -> Quotient:
        if self.below == other.below:
            return Quotient(_add_in_t(self.above, other.above), self.below)
        above = _add_in_t(_times_in_t(self.above, other.below), _times_in_t(other.above, self.below))
        return Quotient(above, _times_in_t(self.below, other.below))

    def __mul__(self, other: Quotient) -> Quotient:
        return Quotient(_times_in_t(self.above, other.above), _times_in_t(self.below, other.below))

    def repeated(self) -> Quotient:
        """1 / (1 - self), the sum of all powers."""
        return Quotient(self.below, _add_in_t(self.below, [_times([-1], part) for part in self.above]))


X = Quotient([[0, 1]])


class Surd:
    """(p + q S) / d with polynomials p, q, d, where S is the square root of one."""

    __slots__ = ("d", "p", "q")

    def __init__(self, p: Poly, q: Poly, d: Poly) -> None:
        self.p = p
        self.q = q
        self.d = d

    def times(self, other: Surd, square: Poly) -> Surd:
        p = _add(_times(self.p, other.p), _times(_times(self.q, other.q), square))
        return Surd(p, _add(_times(self.p, other.q), _times(self.q, other.p)), _times(self.d, other.d))

    def plus(self, number: Poly) -> Surd:
        return Surd(_add(self.p, _times(number, self.d)), self.q, self.d)

    def over(self, other: Surd, square: Poly) -> Surd:
        """Divided by another: by its conjugate, the denominator becomes free of S."""
        top = self.times(Surd(other.p, _times([-1], other.q), [1]), square)
        norm = _add(_times(other.p, other.p), _times(_times(other.q, other.q), square), -1)
        return Surd(_times(top.p, other.d), _times(top.q, other.d), _times(top.d, norm))


class Series:
    """The numbers of values of a generator by size: the terms of (p + q S) / d, S being the root of ``square``."""

    __slots__ = ("_lock", "d", "p", "q", "roots", "shift", "square", "terms")

    def __init__(self, surd: Surd, square: Poly, first_root: int) -> None:
        shift = next(k for k, value in enumerate(surd.d) if value)
        self.shift = shift
        self.p, self.q, self.d = surd.p, surd.q, surd.d[shift:]
        self.square = square
        self.roots = [first_root]
        self.terms: list[int] = []
        self._lock = RLock()

    def __getitem__(self, size: int) -> int:
        if len(self.terms) <= size:
            with self._lock:
                self._grow(size)
        return self.terms[size]

    def _grow(self, size: int) -> None:
        terms, p, q, d = self.terms, self.p, self.q, self.d
        while len(terms) <= size:
            n = len(terms) + self.shift
            self._grow_roots(n)
            total = p[n] if n < len(p) else 0
            total += _at(q, self.roots, n)
            total -= _at(d, terms, len(terms), first=1)
            terms.append(_exactly(total, d[0]))

    def _grow_roots(self, last: int) -> None:
        roots, square = self.roots, self.square
        while len(roots) <= last:
            n = len(roots)
            total = 0
            for k in range(1, min(n, len(square) - 1) + 1):
                if square[k]:
                    total += (3 * k - 2 * n) * square[k] * roots[n - k]
            roots.append(_exactly(total, 2 * n * square[0]))


def _at(factors: Poly, terms: Sequence[int], n: int, first: int = 0) -> int:
    """The n-th term of a product of a polynomial and a series."""
    total = 0
    for k in range(first, min(n, len(factors) - 1) + 1):
        if factors[k]:
            total += factors[k] * terms[n - k]
    return total


def _exactly(number: int, divisor: int) -> int:
    quotient, rest = divmod(number, divisor)
    if rest:
        raise NoEquation
    return quotient


def solve(right: Quotient, first: int, asked: Quotient) -> Series:
    """The terms of ``asked`` where T = ``right``; ``first`` is the first term of T."""
    equation = _add_in_t(right.above, _times_in_t([[], [-1]], right.below))
    while not equation[-1]:
        equation.pop()
    if len(equation) == 2:
        solution, square, root = Surd(_times([-1], equation[0]), [], equation[1]), [1], 1
    elif len(equation) == 3:
        c, b, a = equation
        square = _add(_times(b, b), _times(a, c), -4)
        solution = Surd(_times([-1], b), [1], _times([2], a))
        root = 2 * _constant(a) * first + _constant(b)
    else:
        raise NoEquation
    if not root or _constant(square) != root * root:
        raise NoEquation
    above, below = (_put_in(solution, part, square) for part in (asked.above, asked.below))
    return Series(above.over(below, square), square, root)


def _constant(poly: Poly) -> int:
    return poly[0] if poly else 0


def _put_in(solution: Surd, polynomial: InT, square: Poly) -> Surd:
    """A polynomial in T at the solution (Horner's rule)."""
    total = Surd([], [], [1])
    for coefficient in reversed(polynomial):
        total = total.times(solution, square).plus(coefficient)
    return total
