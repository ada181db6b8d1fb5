"""When does an expression have a value? ``xs[0]`` has none if the list is empty: Python raises an error."""

from __future__ import annotations

from everycase.complete.language import expressions as x
from everycase.complete.language.expressions import TRUE, Expr


def needed(e: Expr, known: tuple[Expr, ...] = ()) -> list[Expr]:
    """Conditions under which the expression can be computed, besides those that are known to hold."""
    if not any(s.op == "field" for s in x.subterms(e)):
        return []
    match e.op:
        case "field":
            return _and_is(e, needed(e.args[0], known), known)
        case "ite":
            test, yes, no = e.args
            found = needed(test, known)
            for condition, branch in ((test, yes), (x.not_(test), no)):
                found += _if(condition, needed(branch, (*known, *x.conjuncts(condition))))
            return _unique(found)
        case "and" | "or":
            found, before = [], TRUE  # later parts are only evaluated if the earlier ones (do not) hold
            for part in e.args:
                found += _if(before, needed(part, (*known, *x.conjuncts(before))))
                before = x.and_(before, part if e.op == "and" else x.not_(part))
            return _unique(found)
    return _unique([c for a in e.args for c in needed(a, known)])


def _and_is(e: Expr, found: list[Expr], known: tuple[Expr, ...]) -> list[Expr]:
    shape = x.is_con(e.data[0], e.args[0])
    return found if shape == TRUE or shape in known or shape in found else [*found, shape]


def _if(condition: Expr, found: list[Expr]) -> list[Expr]:
    return [x.or_(x.not_(condition), c) for c in found]


def _unique(found: list[Expr]) -> list[Expr]:
    return [c for c in dict.fromkeys(found) if c != TRUE]
