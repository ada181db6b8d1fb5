"""Recursive functions of a list that is written out, computed as far as its elements allow.

A list that is known to be short can be written out once for every length: then everything about it is computed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from everycase.complete.language import expressions as x
from everycase.complete.language.expressions import FALSE, TRUE, Expr
from everycase.complete.language.linear import Linear
from everycase.complete.language.list_functions import listed
from everycase.complete.language.types import DataType

LONGEST = 6  # maximum length of a list that is written out
IN_ORDER = "in_order"  # the name of the function that says that elements ascend
STEPS = 2_000  # maximum number of calls that are unfolded in one expression

#: Operations that need not look at all of their parts, and the part after which the others do not matter.
_LAZY = {"and": FALSE, "or": TRUE, "ite": None}


def unfolded(e: Expr, steps: int = STEPS) -> Expr:
    """The expression with every call of a recursive function on ``[a, b, *rest]`` replaced by its body, as long as
    there are ``steps`` left."""
    memo: dict[Expr, Expr] = {}
    left = steps

    def walk(term: Expr) -> Expr:
        nonlocal left
        if not term.args:
            return term
        done = memo.get(term)
        if done is not None:
            return done
        made = in_turn(term) if term.op in _LAZY else x.rebuild(term, tuple(walk(a) for a in term.args))
        if made.op == "call" and left and _on_written_out(made):
            left -= 1
            made = walk(x.substitute(made.data.body, dict(zip(made.data.params, made.args))))
        memo[term] = made
        return made

    def in_turn(term: Expr) -> Expr:
        """The first part may show that another one, in which the function calls itself again, does not count."""
        first = walk(term.args[0])
        if term.op != "ite":
            parts = [first]
            for a in term.args[1:]:
                if parts[-1] == _LAZY[term.op]:
                    return parts[-1]
                parts.append(walk(a))
            return x.rebuild(term, tuple(parts))
        if first in (TRUE, FALSE):
            return walk(term.args[1 if first == TRUE else 2])
        return x.rebuild(term, (first, walk(term.args[1]), walk(term.args[2])))

    try:
        return walk(e)
    except RecursionError:  # a call with a large number: it stays as it is
        return e


def _on_written_out(e: Expr) -> bool:
    """Is this a call of a recursive function of known numbers, or of lists, the first of which begins with a
    known element, or ends?"""
    function = e.data
    if function.body is None or not function.recursive:
        return False
    lists = [a for a in e.args if isinstance(a.type, DataType) and a.type.is_list]
    if not lists:  # of a number, it counts down to zero
        return all(a.op == "const" and type(a.data) is int and abs(a.data) <= STEPS for a in e.args)
    return lists[0].op == "con"


#: Unknowns, and a condition that no values of them satisfy.
Unless = tuple[tuple[Expr, ...], Expr]


def by_length(
    goal: Sequence[Expr], never: Sequence[Unless], values: Expr, most: int
) -> Iterator[tuple[list[Expr], list[Unless]]]:
    """The same question for each length of a list."""
    kind = values.type
    assert isinstance(kind, DataType)
    nil, cons = kind.constructors
    rest = values
    known: list[Expr] = []
    cells: list[Expr] = []
    for _ in range(most + 1):
        by = {values: listed(cells, kind)}
        told = [unfolded(x.substitute(e, by)) for e in goal]
        asked = [(unknowns, unfolded(x.substitute(e, by))) for unknowns, e in never]
        ends = x.is_con(nil, rest)
        yield (
            [*known, ends, *(part for e in told for part in x.conjuncts(e))],
            [(unknowns, e) for unknowns, e in asked if e != FALSE],
        )
        known.append(x.is_con(cons, rest))
        cells.append(x.field(cons, 0, rest))
        rest = x.field(cons, 1, rest)


def short_list(goal: Sequence[Expr]) -> tuple[Expr, int] | None:
    """A list that the goal says to be short, and its greatest length."""
    parts = [part for e in goal for part in x.conjuncts(e)]
    found: dict[Expr, int] = {}
    for part in parts:
        for values, most in (_limited(part), _of_few(part, parts)):
            if (
                values is not None
                and 0 <= most <= LONGEST
                and not any(e.op == "call" for e in x.subterms(values))
            ):
                found[values] = min(most, found.get(values, most))
    return min(found.items(), key=lambda item: item[1], default=None)


def _limited(part: Expr) -> tuple[Expr | None, int]:
    """``len(xs) <= 4`` and the like."""
    if part.op not in ("le", "lt", "eq") or part.args[0].type is not x.INT:
        return None, 0
    form = Linear.of(x.sub(*part.args))
    if len(form.terms) != 1:
        return None, 0
    ((term, factor),) = form.terms.items()
    size = term.op == "call" and term.data.symmetric == "size" and isinstance(term.args[0].type, DataType)
    if not size or (part.op != "eq" and factor < 0):
        return None, 0
    most = -form.constant if factor > 0 else form.constant
    return term.args[0], most // abs(factor) - (part.op == "lt" and most % abs(factor) == 0)


def _of_few(part: Expr, parts: Sequence[Expr]) -> tuple[Expr | None, int]:
    """All elements are among a few constants, and each is less than the next one."""
    if part.op != "call" or part.data.symmetric != "all" or part.data.body is None:
        return None, 0
    values, kind = part.args[0], part.args[0].type
    assert isinstance(kind, DataType)
    if not any(e.op == "call" and e.data.name == IN_ORDER and e.args == (values,) for e in parts):
        return None, 0
    items = part.data.params[0]
    head = x.field(kind.constructors[1], 0, items)
    tests = [
        e
        for e in x.subterms(x.substitute(part.data.body, dict(zip(part.data.params[1:], part.args[1:]))))
        if e.op == "or"
    ]
    options = tests[-1].args if tests else ()
    few = {
        o.args[1 if o.args[0] == head else 0]
        for o in options
        if o.op == "eq" and head in o.args and all(a == head or a.op == "const" for a in o.args)
    }
    return (values, len(few)) if few and len(few) == len(options) else (None, 0)
