"""When a condition states about a part what the promise of a generator states about its value, and for which
arguments."""

from __future__ import annotations

from everycase.complete.frontend.program import Generator
from everycase.complete.language import expressions as x
from everycase.complete.language.expressions import INT, Expr
from everycase.complete.language.linear import Linear


def matches(pattern: Expr, e: Expr, model: Generator, part: Expr, binding: dict[Expr, Expr]) -> bool:
    """Does the condition state about the part what the promise states about the value, for some arguments?"""
    found = dict(binding)
    if not _unified(pattern, e, model, part, found):
        return False
    binding.update(found)
    return True


def _unified(p: Expr, e: Expr, model: Generator, part: Expr, binding: dict[Expr, Expr]) -> bool:
    if p in model.params:
        return binding.setdefault(p, e) == e
    if p == model.value:
        return e == part
    if (p.op == e.op and p.op in ("le", "lt", "eq") and p.args[0].type is INT) or {p.op, e.op} == {
        "le",
        "lt",
    }:
        return _linear_unified(p, e, model, part, binding)
    if p.op != e.op or p.data != e.data or len(p.args) != len(e.args) or p.type is not e.type:
        return False
    return all(_unified(a, b, model, part, binding) for a, b in zip(p.args, e.args))


def _linear_unified(p: Expr, e: Expr, model: Generator, part: Expr, binding: dict[Expr, Expr]) -> bool:
    """``len(v) <= n`` against ``len(rest) + 1 <= n``: with ``n - 1`` for ``n`` they are the same."""
    one, other = difference(p), difference(e)
    for sign in (1, -1) if p.op == "eq" else (1,):
        if _same_but_one(one, other.scaled(sign), model, part, binding):
            return True
    return False


def difference(e: Expr) -> Linear:
    form = Linear.of(x.sub(e.args[1], e.args[0]))
    return Linear(form.terms, form.constant - (e.op == "lt"))


def _same_but_one(p: Linear, e: Linear, model: Generator, part: Expr, binding: dict[Expr, Expr]) -> bool:
    difference: dict[Expr, int] = dict(e.terms)
    waiting: list[tuple[Expr, int]] = []
    for term, factor in p.terms.items():
        if term in model.params:
            waiting.append((term, factor))
            continue
        target = next((t for t in difference if _unified(term, t, model, part, binding)), None)
        if target is None:
            return False
        difference[target] -= factor
    left = Linear(difference, e.constant - p.constant)
    unbound = []
    for term, factor in waiting:
        if term in binding:
            left = Linear.of(x.sub(left.expression(), x.mul(x.integer(factor), binding[term])))
        else:
            unbound.append((term, factor))
    if not unbound:
        return not left.terms and left.constant == 0
    if len(unbound) > 1 or abs(unbound[0][1]) != 1:
        return False
    term, factor = unbound[0]
    if any(x.occurs(part, t) for t in left.terms):
        return False
    binding[term] = left.scaled(factor).expression()
    return True


def same_condition(a: Expr, b: Expr) -> bool:
    """The same condition, perhaps written in another way."""
    if a == b:
        return True
    if {a.op, b.op} <= {"le", "lt"} or (a.op == b.op == "eq" and a.args[0].type is INT):
        one, other = difference(a), difference(b)
        signs = (1, -1) if a.op == "eq" else (1,)
        return any((one.terms, one.constant) == (o.terms, o.constant) for o in map(other.scaled, signs))
    return False
