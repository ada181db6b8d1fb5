"""Do the user's functions always end? A definition is a fact for the solver only if they do.

``def f(n): return 1 + f(n)`` would mean ``f(n) == 1 + f(n)``, from which everything follows. So each
recursive call must get a part of the function's argument, or a smaller number that is not below zero.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from everycase.complete.language import expressions as x
from everycase.complete.language.definedness import needed
from everycase.complete.language.expressions import TRUE, Expr, Function
from everycase.complete.language.types import INT, DataType
from everycase.complete.proof.smt import Solver

CHOICES = 200  # ways to choose the decreasing argument, in functions that call each other


@dataclass(frozen=True)
class RecursiveCall:
    """A call of ``callee`` in the body of ``caller``, made only if the conditions hold."""

    caller: Function
    callee: Function
    args: tuple[Expr, ...]
    conditions: tuple[Expr, ...]


def endless(roots: Iterable[Expr], solver: Solver) -> str | None:
    """The name of a function that is called and may never return; None if all are known to end."""
    functions = [f for f in x.functions_in(roots) if f.body is not None]
    calls = {f: list(_calls(f)) for f in functions}
    for group in _groups(functions, calls):
        inside = [c for f in group for c in calls[f] if c.callee in group]
        if inside and not _ends(group, inside, solver):
            return group[0].name
    return None


def partial(roots: Iterable[Expr], solver: Solver) -> str | None:
    """The name of a function that may raise an error instead of returning."""
    for f in x.functions_in(roots):
        for condition in needed(f.body) if f.body is not None and not f.guarded else ():
            if solver.ask([x.not_(condition)], label="defined").verdict != "unsat":
                return f.name
    return None


def _calls(f: Function) -> Iterator[RecursiveCall]:
    assert f.body is not None

    def walk(e: Expr, known: tuple[Expr, ...]) -> Iterator[RecursiveCall]:
        if not any(s.op == "call" for s in x.subterms(e)):
            return
        if e.op == "ite":
            test, yes, no = e.args
            yield from walk(test, known)
            yield from walk(yes, (*known, *x.conjuncts(test)))
            yield from walk(no, (*known, *x.conjuncts(x.not_(test))))
            return
        for part in e.args:
            yield from walk(part, known)
            if e.op in ("and", "or"):
                known = (*known, *x.conjuncts(part if e.op == "and" else x.not_(part)))
        if e.op == "call":
            yield RecursiveCall(f, e.data, e.args, known)

    yield from walk(f.body, ())


def _groups(functions: list[Function], calls: dict[Function, list[RecursiveCall]]) -> list[list[Function]]:
    """Functions that call each other."""
    reach: dict[Function, list[Function]] = {}
    for f in functions:
        found: list[Function] = []
        waiting = [f]
        while waiting:
            for c in calls[waiting.pop()]:
                if c.callee in calls and c.callee not in found:
                    found.append(c.callee)
                    waiting.append(c.callee)
        reach[f] = found
    groups: list[list[Function]] = []
    for f in functions:
        if not any(f in g for g in groups):
            groups.append([g for g in functions if g is f or (g in reach[f] and f in reach[g])])
    return groups


def _ends(group: list[Function], calls: list[RecursiveCall], solver: Solver) -> bool:
    positions = [[i for i, p in enumerate(f.params) if isinstance(p.type, DataType)] for f in group]
    for chosen in itertools.islice(itertools.product(*positions), CHOICES):
        if _structural(dict(zip(group, chosen)), calls, solver):
            return True
    if len(group) > 1:
        return False
    numbers = [p for p in group[0].params if p.type is INT]
    measures = [*numbers, *(x.sub(p, q) for p, q in itertools.permutations(numbers, 2))]
    return any(all(_counts_down(m, c, solver) for c in calls) for m in measures)


def _structural(position: dict[Function, int], calls: list[RecursiveCall], solver: Solver) -> bool:
    """Every call gets a part; where a call gets the whole argument, there must be no cycle of such calls."""
    equal: dict[Function, list[Function]] = {}
    for c in calls:
        whole = c.caller.params[position[c.caller]]
        given = c.args[position[c.callee]]
        if given == whole:
            equal.setdefault(c.caller, []).append(c.callee)
        elif not _part_of(given, whole, c.conditions, solver):
            return False
    return not any(f in _following(f, equal) for f in equal)


def _following(f: Function, edges: dict[Function, list[Function]]) -> list[Function]:
    found: list[Function] = []
    waiting = [f]
    while waiting:
        for g in edges.get(waiting.pop(), ()):
            if g not in found:
                found.append(g)
                waiting.append(g)
    return found


def _part_of(e: Expr, whole: Expr, known: tuple[Expr, ...], solver: Solver) -> bool:
    """Is the value a proper part of the other one?"""
    if e.op == "ite":
        test, yes, no = e.args
        for condition, branch in ((test, yes), (x.not_(test), no)):
            more = (*known, *x.conjuncts(condition))
            if not _impossible(more, solver) and not _part_of(branch, whole, more, solver):
                return False
        return True
    if e.op == "con" and e.args and all(a.op == "field" and a.args == e.args[0].args for a in e.args):
        e = e.args[0].args[0]  # the same value at a wider type
        return e != whole and _part_of(e, whole, known, solver)
    if e.op != "field":
        return False
    inside = e.args[0]
    if inside != whole and not _part_of(inside, whole, known, solver):
        return False
    shape = x.is_con(e.data[0], inside)
    return shape == TRUE or shape in known or _impossible((*known, x.not_(shape)), solver)


def _counts_down(measure: Expr, c: RecursiveCall, solver: Solver) -> bool:
    after = x.substitute(measure, dict(zip(c.caller.params, c.args)))
    fine = x.and_(x.le(x.integer(0), measure), x.lt(after, measure))
    return _impossible((*c.conditions, x.not_(fine)), solver)


def _impossible(conditions: tuple[Expr, ...], solver: Solver) -> bool:
    if any(x.not_(c) in conditions for c in conditions):
        return True
    conditions = _with_short_lists(conditions)
    return x.FALSE in conditions or solver.ask(conditions, label="ends").verdict == "unsat"


def _with_short_lists(conditions: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """The conditions, with the lengths of lists that one of them says to be empty computed: ``len(xs) != 0`` is
    false where ``xs`` is ``[]``. Only lengths, which always end: the functions asked about may not."""
    for c in conditions:
        if (
            c.op == "is"
            and isinstance(c.args[0].type, DataType)
            and c.args[0].type.is_list
            and not c.data.fields
        ):
            sizes = [e for part in conditions for e in x.subterms(part) if _is_length(e)]
            by = {
                e: size
                for e in sizes
                if (size := _length_down_to(e.args[0], c.args[0], conditions)) is not None
            }
            conditions = tuple(x.substitute(part, by) for part in conditions)
    return conditions


def _is_length(e: Expr) -> bool:
    return e.op == "call" and e.data.symmetric == "size" and isinstance(e.args[0].type, DataType)


def _length_down_to(values: Expr, end: Expr, known: tuple[Expr, ...]) -> Expr | None:
    """How many elements a list has if ``end``, what is left of it after some elements, is empty."""
    count = 0
    while end != values:
        if end.op != "field" or end.data[1] != 1 or x.is_con(end.data[0], end.args[0]) not in known:
            return None
        end, count = end.args[0], count + 1
    return x.integer(count)
