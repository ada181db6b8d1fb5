"""Sums of integer multiples of terms: what equations are solved with, and inequalities read as."""

from __future__ import annotations

from everycase.complete import expressions as x
from everycase.complete.expressions import Expr


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
        """The unknown stands alone, not inside another term such as f(unknown)."""
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


def not_negative(e: Expr) -> Linear | None:
    """The sum that an inequality says is at least zero. A floor is compared by what is divided."""
    if e.op not in ("le", "lt"):
        return None
    form = Linear.of(x.sub(e.args[1], e.args[0]))
    if e.op == "lt":
        form = Linear(form.terms, form.constant - 1)
    for _ in range(len(form.terms)):
        floor = next((t for t, k in form.terms.items() if t.op == "div" and abs(k) == 1), None)
        if floor is None or floor.args[1].data < 0:
            break
        divisor, factor = floor.args[1].data, form.terms[floor]
        rest = form.without(floor).scaled(divisor)
        # n // d >= -r means n >= -r * d, and n // d <= r means n <= r * d + d - 1
        inside = Linear.of(floor.args[0]).scaled(factor)
        more = divisor - 1 if factor < 0 else 0
        form = Linear.of(x.add(inside.expression(), x.add(rest.expression(), x.integer(more))))
    return form


def without_floors(e: Expr) -> Expr:
    """The same condition with ``n // 3 >= 1`` written as ``n >= 3``."""
    if e.op in ("le", "lt"):
        form = not_negative(e)
        if form is not None and any(s.op == "div" for s in x.subterms(e)):
            return x.le(x.integer(0), form.expression())
    return x.rebuild(e, tuple(without_floors(a) for a in e.args))
