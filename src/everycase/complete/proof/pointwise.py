"""What holds for all elements of a list because stronger conditions do: ``all(0 < n < 9 ...)`` implies ``all(n != 0 ...)``.

No induction over the two functions is needed. If no single element can satisfy what is known of every element, and
violate the rest, then the rest holds for every element.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from everycase.complete.language import expressions as x
from everycase.complete.language.expressions import BOOL, Expr, Function
from everycase.complete.language.types import DataType

DEEP = 3  # lists inside lists

#: Is it proved that these cannot all hold?
Impossible = Callable[[list[Expr]], bool]


def implied(
    known: Iterable[Expr], asked: Iterable[Expr], impossible: Impossible, deep: int = DEEP
) -> list[Expr]:
    """The calls in ``asked`` that follow, element by element, from the formulas that are ``known``."""
    facts = list(dict.fromkeys(c for e in known for c in x.conjuncts(e)))
    given = [(call, tests) for call in facts if (tests := _each(call)) is not None]
    found: list[Expr] = []
    if not deep or not given:
        return found
    about = {call.args[0] for call, _ in given}
    calls = [
        e for e in x.subterms(*asked) if e.op == "call" and e not in facts and e.args and e.args[0] in about
    ]
    for call in dict.fromkeys(calls):
        wanted = _each(call)
        if wanted is None or not wanted[1]:
            continue
        element, held = _element(call, deep), []
        for other, tests in given:
            if other.args[0] == call.args[0]:
                held += [x.substitute(t, {_head_of(other): element}) for t in tests[0]]
        goal = x.and_(*(x.substitute(t, {_head_of(call): element}) for t in wanted[0]))
        context = [*facts, *held]
        inner = implied(context, [goal], impossible, deep - 1)
        if impossible([*context, *inner, x.not_(goal)]):
            found.append(call)
    return found


def _each(call: Expr) -> tuple[list[Expr], bool] | None:
    """What a call states about the first element of its list, and whether that, of every element, is all that it
    states; None for any other call."""
    if call.op != "call" or call.type is not BOOL or not call.args:
        return None
    found = _stated(call.data)
    if found is None:
        return None
    tests, whole = found
    head = _head(call.data)
    # keep the first element as it is while the other parameters get their values
    spot = x.var("element'", head.type)
    by = dict(zip(call.data.params[1:], call.args[1:]))
    kept = [
        x.substitute(x.substitute(x.substitute(t, {head: spot}), by), {spot: _head_of(call)}) for t in tests
    ]
    return kept, whole


def about_elements(f: Function) -> bool:
    """Does a function only state something about each element of a list?"""
    found = _stated(f)
    return found is not None and found[1]


def _stated(f: Function) -> tuple[list[Expr], bool] | None:
    kind = f.params[0].type if f.params else None
    if f.body is None or not isinstance(kind, DataType) or not kind.is_list:
        return None
    items, empty = f.params[0], x.is_con(kind.constructors[0], f.params[0])
    match f.body:
        case Expr(op="or", args=args) if empty in args:
            rest = x.or_(*(a for a in args if a != empty))
        case Expr(op="ite", args=(test, yes, no)) if test == empty and yes == x.TRUE:
            rest = no
        case _:
            return None
    tail = x.field(kind.constructors[1], 1, items)
    again = x.call(f, tail, *f.params[1:])
    parts = x.conjuncts(rest)
    if again not in parts:
        return None
    tests, whole = [], True
    for part in parts:
        if part == again:
            continue
        alone = x.substitute(part, {_head(f): x.var("element'", _head(f).type)})
        if x.occurs(items, alone):  # it also speaks of the other elements
            whole = False
        else:
            tests.append(part)
    return tests, whole


def _head(f: Function) -> Expr:
    kind = f.params[0].type
    assert isinstance(kind, DataType)
    return x.field(kind.constructors[1], 0, f.params[0])


def _head_of(call: Expr) -> Expr:
    """The first element, in what is stated about a call."""
    return x.var("first'", _head(call.data).type)


def _element(call: Expr, deep: int) -> Expr:
    """Any element of the list."""
    return x.var(f"any'{deep}", _head(call.data).type)
