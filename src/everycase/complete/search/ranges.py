"""Where to look for an unknown: between its bounds, in one period, among the roots of an equation, else near zero.

``3a + 4b == 5`` with a and b not below zero is decided by trying: b is at most 5 // 4. Without bounds only
the remainder of b matters, so three values are enough. Only if there is no such reason is a "no" in doubt.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from everycase.complete.language import expressions as x
from everycase.complete.language.expressions import Expr, occurs, subterms, variables
from everycase.complete.language.linear import Linear, inequalities, not_negative
from everycase.complete.language.types import BOOL, INT


@dataclass(frozen=True)
class SearchRange:
    """An unknown with lower and upper bounds, both inclusive; without both it must be found in another
    way."""

    unknown: Expr
    lows: tuple[Expr, ...] = ()
    highs: tuple[Expr, ...] = ()

    @property
    def exact(self) -> bool:
        """Are all values that can matter tried?"""
        return self.unknown.type is BOOL or bool(self.lows and self.highs)


def next_range(unknowns: list[Expr], waiting: list[Expr], known: set[Expr]) -> SearchRange:
    """The unknown to try next, if possible one that need not be guessed."""
    numbers = [u for u in unknowns if u.type is INT]
    direct = {u: _bounds(u, waiting, known, {}) for u in numbers}
    best: SearchRange | None = None
    for unknown in unknowns:
        found = SearchRange(unknown)
        if unknown.type is INT:
            found = _of_number(unknown, waiting, known, direct)
        if found.exact:
            return found
        best = best or found
    assert best is not None
    return best


def _of_number(
    unknown: Expr, waiting: list[Expr], known: set[Expr], direct: dict[Expr, SearchRange]
) -> SearchRange:
    found = direct[unknown]
    if not found.exact:
        found = _bounds(unknown, waiting, known, direct)
    if not found.exact:
        found = _roots(unknown, waiting, known) or _period(unknown, waiting, known, found) or found
    return found


def _bounds(
    unknown: Expr, waiting: list[Expr], known: set[Expr], others: dict[Expr, SearchRange]
) -> SearchRange:
    """The bounds from the inequalities; other unknowns in them are at their own bounds."""
    lows: list[Expr] = []
    highs: list[Expr] = []
    for form in (f for e in waiting for f in inequalities(e, exact=False)):
        factor = form.terms.get(unknown, 0)
        if not factor or not form.only_outside(unknown):
            continue
        rest = _largest(form.without(unknown), known, others)
        if rest is None or occurs(unknown, rest):
            continue
        part = x.div(rest, x.integer(abs(factor)))
        (lows if factor > 0 else highs).append(x.neg(part) if factor > 0 else part)
    return SearchRange(unknown, tuple(lows), tuple(highs))


def _largest(form: Linear, known: set[Expr], others: dict[Expr, SearchRange]) -> Expr | None:
    """A known expression that the sum cannot exceed; None if there is none."""
    for term, factor in list(form.terms.items()):
        if set(variables(term)) <= known:
            continue
        limits = others.get(term)
        bounds = () if limits is None else limits.highs if factor > 0 else limits.lows
        if not bounds:
            return None
        form = Linear.of(x.add(form.without(term).expression(), x.mul(x.integer(factor), bounds[0])))
    rest = form.expression()
    return rest if set(variables(rest)) <= known else None


def _period(unknown: Expr, waiting: list[Expr], known: set[Expr], bounds: SearchRange) -> SearchRange | None:
    """If, apart from bounds on one side, only remainders of the unknown matter, one period is enough."""
    period = 1
    for e in waiting:
        if not occurs(unknown, e):
            continue
        form = not_negative(e)
        if (
            form is not None
            and form.terms.get(unknown)
            and set(variables(form.without(unknown).expression())) <= known
        ):
            continue  # one of the bounds
        for divisor in _divisors(unknown, e):
            if divisor is None:
                return None
            period = math.lcm(period, divisor)
    if bounds.lows:
        top = [x.add(_greatest(bounds.lows), x.integer(period - 1))]
        return SearchRange(unknown, bounds.lows, tuple(top))
    if bounds.highs:
        bottom = x.sub(x.neg(_greatest(tuple(x.neg(h) for h in bounds.highs))), x.integer(period - 1))
        return SearchRange(unknown, (bottom,), bounds.highs)
    return SearchRange(unknown, (x.integer(0),), (x.integer(period - 1),))


def _divisors(unknown: Expr, e: Expr) -> Iterator[int | None]:
    """The divisors of all remainders in which the unknown occurs; None if it occurs elsewhere."""
    if e == unknown:
        yield None
    elif e.op == "mod" and Linear.of(e.args[0]).only_outside(unknown):
        yield abs(e.args[1].data)
    else:
        for part in e.args:
            if occurs(unknown, part):
                yield from _divisors(unknown, part)


def _greatest(parts: tuple[Expr, ...]) -> Expr:
    greatest = parts[0]
    for part in parts[1:]:
        greatest = x.ite(x.le(greatest, part), part, greatest)
    return greatest


def _roots(unknown: Expr, waiting: list[Expr], known: set[Expr]) -> SearchRange | None:
    """An equation such as ``n * n == 7`` bounds what n can be: Cauchy's bound on the roots of a polynomial."""
    for e in waiting:
        if e.op != "eq" or e.args[0].type is not INT:
            continue
        powers = _polynomial(x.sub(*e.args), unknown)
        if powers is None or not set(variables(*powers.values())) <= known:
            continue
        powers = {n: c for n, c in powers.items() if c != x.integer(0)}
        degree = max(powers, default=0)
        if degree == 0 or powers[degree].op != "const":
            continue
        bound = x.integer(1)
        for n, c in powers.items():
            if n != degree:
                bound = x.add(bound, x.ite(x.le(x.integer(0), c), c, x.neg(c)))
        return SearchRange(unknown, (x.neg(bound),), (bound,))
    return None


def _polynomial(e: Expr, unknown: Expr) -> dict[int, Expr] | None:
    """Coefficients by power; None if the unknown occurs inside something else."""
    if e == unknown:
        return {1: x.integer(1)}
    if not any(s == unknown for s in subterms(e)):
        return {0: e}
    if e.op not in ("add", "sub", "mul"):
        return None
    left, right = (_polynomial(a, unknown) for a in e.args)
    if left is None or right is None:
        return None
    found: dict[int, Expr] = {}
    if e.op == "mul":
        for n, a in left.items():
            for m, b in right.items():
                found[n + m] = x.add(found.get(n + m, x.integer(0)), x.mul(a, b))
        return found
    combine = x.add if e.op == "add" else x.sub
    for n in {*left, *right}:
        found[n] = combine(left.get(n, x.integer(0)), right.get(n, x.integer(0)))
    return found
