"""Sums of integer multiples of terms, for solving equations and reading inequalities."""

from __future__ import annotations

from everycase.complete.language import expressions as x
from everycase.complete.language.expressions import INT, Expr

FLOORS = 8  # divisions in one inequality that are undone


class Linear:
    """A sum of integer multiples of terms, plus a constant."""

    def __init__(self, terms: dict[Expr, int], constant: int) -> None:
        self.terms, self.constant = {t: k for t, k in terms.items() if k}, constant

    @staticmethod
    def of(e: Expr) -> Linear:
        if e.op == "const":
            return Linear({}, e.data)
        if e.op in ("add", "sub"):
            a, b = Linear.of(e.args[0]), Linear.of(e.args[1]).scaled(1 if e.op == "add" else -1)
            terms = dict(a.terms)
            for t, k in b.terms.items():
                terms[t] = terms.get(t, 0) + k
            return Linear(terms, a.constant + b.constant)
        if e.op == "mul" and e.args[0].op == "const":
            return Linear.of(e.args[1]).scaled(e.args[0].data)
        return Linear({e: 1}, 0)

    def scaled(self, factor: int) -> Linear:
        return Linear({t: k * factor for t, k in self.terms.items()}, self.constant * factor)

    def without(self, term: Expr) -> Linear:
        return Linear({t: k for t, k in self.terms.items() if t != term}, self.constant)

    def only_outside(self, unknown: Expr) -> bool:
        """The unknown occurs alone, not inside another term such as f(unknown)."""
        return all(t == unknown or not x.occurs(unknown, t) for t in self.terms)

    def expression(self) -> Expr:
        parts = sorted(self.terms.items(), key=lambda item: item[1] < 0)  # positive terms first
        result: Expr | None = None
        for term, factor in parts:
            if result is None:
                result = x.mul(x.integer(factor), term)
            elif factor < 0:
                result = x.sub(result, x.mul(x.integer(-factor), term))
            else:
                result = x.add(result, x.mul(x.integer(factor), term))
        return x.integer(self.constant) if result is None else x.add(result, x.integer(self.constant))


def not_negative(e: Expr, exact: bool = True) -> Linear | None:
    """The sum that is at least zero according to an inequality, with the dividend in place of floors.

    For a multiple of a floor this gives only something weaker; that is done unless it must be ``exact``.
    """
    if e.op not in ("le", "lt"):
        return None
    form = Linear.of(x.sub(e.args[1], e.args[0]))
    if e.op == "lt":
        form = Linear(form.terms, form.constant - 1)
    for _ in range(FLOORS):
        floor = next((t for t, k in form.terms.items() if t.op == "div" and (abs(k) == 1 or not exact)), None)
        if floor is None:
            break
        divisor, factor = floor.args[1].data, form.terms[floor]
        inside = Linear.of(floor.args[0]).scaled(1 if divisor > 0 else -1)
        divisor = abs(divisor)
        # n // d is n / d at most, and at least (n - d + 1) / d
        most = inside if factor > 0 else Linear(inside.terms, inside.constant - divisor + 1)
        rest = form.without(floor).scaled(divisor)
        form = Linear.of(x.add(most.scaled(factor).expression(), rest.expression()))
    return form


def inequalities(e: Expr, exact: bool = True) -> list[Linear]:
    """Sums that are at least zero if the condition holds; an equation gives two."""
    if e.op == "eq" and e.args[0].type is INT:
        return [*inequalities(x.le(*e.args), exact), *inequalities(x.le(e.args[1], e.args[0]), exact)]
    form = not_negative(e, exact)
    return [] if form is None else [form]


def without_floors(e: Expr) -> Expr:
    """The same condition with ``n // 3 >= 1`` written as ``n >= 3``."""
    if e.op in ("le", "lt", "eq") and any(s.op == "div" for s in x.subterms(e)):
        forms = inequalities(e)
        if forms and not any(s.op == "div" for form in forms for t in form.terms for s in x.subterms(t)):
            return x.and_(*(x.le(x.integer(0), form.expression()) for form in forms))
    return x.rebuild(e, tuple(without_floors(a) for a in e.args))
