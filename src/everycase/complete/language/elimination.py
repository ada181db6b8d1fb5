"""Eliminate unknowns: which conditions on the rest say that some values of them exist?

``v == Node(x, l, r)`` gives ``x`` as ``v.value``, equation by equation. Unknowns that cannot be solved for
(``x * x == n``) remain, to be searched within bounds or given to the solver.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

from everycase.complete.clock import Clock
from everycase.complete.language import expressions as x
from everycase.complete.language.expressions import FALSE, TRUE, Expr
from everycase.complete.language.linear import Linear
from everycase.complete.language.types import BOOL, INT, DataType

BRANCHES = 200


def solve(
    unknowns: list[Expr], conditions: list[Expr], clock: Clock | None = None
) -> list[tuple[list[Expr], Expr]]:
    """Eliminate unknowns; the result is a disjunction of (remaining unknowns, condition)."""
    solver = _Solver()
    done: list[tuple[list[Expr], Expr]] = []
    waiting = [_Problem(list(unknowns), [], conditions)]
    while waiting:
        problem = waiting.pop(0)
        if clock is not None:
            clock.check()
        if len(done) + len(waiting) > BRANCHES:
            done.append((problem.unknowns, problem.formula()))
            continue
        result = solver.simplify(problem)
        if result is None:
            continue
        branches = solver.split(result)
        if branches is None:
            done.append((result.unknowns, result.formula()))
        else:
            waiting = branches + waiting
    return done


@dataclass
class _Problem:
    unknowns: list[Expr]
    guards: list[Expr]  # constructor tests; evaluated first because the rest looks into the fields
    conditions: list[Expr]

    def formula(self) -> Expr:
        # Constructor tests come before everything that looks into the fields, outer ones before inner ones.
        everything = x.conjuncts(x.and_(*self.guards, *self.conditions))
        tests = [c for c in everything if c.op == "is"]
        tests.sort(key=lambda g: sum(1 for _ in x.subterms(g)))
        if x.and_(*self.guards, *self.conditions) == FALSE:
            return FALSE
        return x.and_(*tests, *(c for c in everything if c.op != "is"))

    def set(self, unknown: Expr, value: Expr) -> _Problem:
        by = {unknown: value}
        return _Problem(
            [u for u in self.unknowns if u != unknown],
            [x.substitute(g, by) for g in self.guards],
            [x.substitute(c, by) for c in self.conditions],
        )

    def mentions(self, e: Expr) -> bool:
        return any(s in self.unknowns for s in x.subterms(e) if s.op == "var")


class _Solver:
    def __init__(self) -> None:
        self._fresh = itertools.count(1)

    def simplify(self, problem: _Problem) -> _Problem | None:
        """Apply everything certain until nothing changes; None if the problem is contradictory."""
        for _ in range(300):
            flat = x.and_(*problem.conditions)
            if flat == FALSE or any(g == FALSE for g in problem.guards):
                return None
            problem.conditions = list(x.conjuncts(flat))
            if any(_has_no_value(c) for c in problem.conditions):
                return None
            for i, condition in enumerate(problem.conditions):
                after = self.step(problem, i, condition) if problem.mentions(condition) else None
                if after is not None:
                    problem = after
                    break
            else:
                used = {e for e in x.subterms(*problem.guards, *problem.conditions) if e.op == "var"}
                problem.unknowns = [u for u in problem.unknowns if u in used]
                after = next(
                    (a for u in problem.unknowns if (a := bounds_meet(problem, u)) is not None), None
                )
                if after is None:
                    return problem
                problem = after
        return problem

    def step(self, problem: _Problem, i: int, c: Expr) -> _Problem | None:
        rest = problem.conditions[:i] + problem.conditions[i + 1 :]
        base = _Problem(problem.unknowns, problem.guards, rest)
        if c in problem.unknowns:
            return base.set(c, TRUE)
        if c.op == "not" and c.args[0] in problem.unknowns:
            return base.set(c.args[0], FALSE)
        if c.op == "is":
            return self._is(problem, base, c)
        if c.op == "eq":
            a, b = c.args
            for one, other in ((a, b), (b, a)):
                if one in problem.unknowns and not x.occurs(one, other):
                    return base.set(one, other)
            for one, other in ((a, b), (b, a)):
                if one.op == "con":
                    base.guards = [*base.guards, x.is_con(one.data, other)]
                    parts = [x.eq(x.field(one.data, k, other), arg) for k, arg in enumerate(one.args)]
                    base.conditions = [*parts, *base.conditions]
                    return base
            for one, other in ((a, b), (b, a)):
                undone = _ends_with(one, other)
                if undone is not None:
                    base.guards = [*base.guards, *undone[0]]
                    base.conditions = [*undone[1], *base.conditions]
                    return base
            if a.type is INT:
                return self._linear(problem, base, a, b)
        unfolded = unfold_constructors(c, problem)
        return None if unfolded == c else _Problem(problem.unknowns, problem.guards, [*rest, unfolded])

    def _is(self, problem: _Problem, base: _Problem, c: Expr) -> _Problem:
        subject = c.args[0]
        if subject in problem.unknowns:
            parts = [x.var(f"{subject.data}.{next(self._fresh)}", t) for _, t in c.data.fields]
            after = base.set(subject, x.con(c.data, *parts))
            after.unknowns += parts
            return after
        base.guards = [*base.guards, c]
        return base

    def _linear(self, problem: _Problem, base: _Problem, a: Expr, b: Expr) -> _Problem | None:
        form = Linear.of(x.sub(a, b))
        ready = [(u, form.terms[u]) for u in problem.unknowns if u in form.terms and form.only_outside(u)]
        ready.sort(key=lambda item: abs(item[1]))
        if not ready:
            return None
        unknown, factor = ready[0]
        rest = form.without(unknown).scaled(-1 if factor > 0 else 1).expression()
        if abs(factor) == 1:
            return base.set(unknown, rest)
        divisor = x.integer(abs(factor))
        base.conditions = [x.eq(x.mod(rest, divisor), x.integer(0)), *base.conditions]
        return base.set(unknown, x.div(rest, divisor))

    def split(self, problem: _Problem) -> list[_Problem] | None:
        """Case distinctions, if a case is needed to continue."""
        if not problem.unknowns:
            return None
        for i, c in enumerate(problem.conditions):
            if not problem.mentions(c):
                continue
            rest = problem.conditions[:i] + problem.conditions[i + 1 :]
            cases = _cases(c, problem)
            if cases is not None:
                return [_Problem(list(problem.unknowns), list(problem.guards), [k, *rest]) for k in cases]
        for unknown in problem.unknowns:
            kind = unknown.type
            if kind is BOOL:
                return [problem.set(unknown, TRUE), problem.set(unknown, FALSE)]
            if isinstance(kind, DataType) and kind.is_enumeration:
                return [problem.set(unknown, x.con(c)) for c in kind.constructors]
        return None


def _has_no_value(e: Expr) -> bool:
    """Does computing this certainly look into a constructor that is another one? Python raises an error there."""
    if e.op == "field" and e.args[0].op == "con" and e.args[0].data is not e.data[0]:
        return True
    return any(_has_no_value(a) for a in (e.args[:1] if e.op in ("ite", "and", "or") else e.args))


def _ends_with(e: Expr, value: Expr) -> tuple[list[Expr], list[Expr]] | None:
    """``rest + [x, y] == value`` undone from the end: tests, and what the parts must be."""
    if e.op != "call" or e.data.ends is None:
        return None
    items: list[Expr] = []
    tail = e.args[1]
    while tail.op == "con" and tail.args:
        items.append(tail.args[0])
        tail = tail.args[1]
    if tail.op != "con" or not items:
        return None
    before, last = e.data.ends
    tests, parts = [], []
    for item in reversed(items):
        tests.append(x.is_con(tail.data.owner.constructors[1], value))
        parts.append(x.eq(item, x.call(last, value)))
        value = x.call(before, value)
    return tests, [*parts, x.eq(e.args[0], value)]


def _cases(c: Expr, problem: _Problem) -> list[Expr] | None:
    """The alternatives of a condition, when knowing which one holds may solve an unknown."""
    if c.op == "or":
        return [x.and_(*(x.not_(d) for d in c.args[:i]), part) for i, part in enumerate(c.args)]
    if c.op == "not" and c.args[0].op == "and":
        return _cases(x.or_(*(x.not_(a) for a in c.args[0].args)), problem)
    if c.op == "not" and c.args[0].op == "eq" and c.args[0].args[0].type is INT:
        a, b = c.args[0].args
        return [x.lt(a, b), x.lt(b, a)]
    if c.op == "not" and c.args[0].op == "is" and c.args[0].args[0] in problem.unknowns:
        subject = c.args[0].args[0]
        others = [k for k in c.args[0].data.owner.constructors if k is not c.args[0].data]
        return [Expr("is", (subject,), BOOL, k) for k in others]
    for e in x.subterms(c):
        if e.op == "ite":
            test, yes, no = e.args
            return [x.and_(test, x.substitute(c, {e: yes})), x.and_(x.not_(test), x.substitute(c, {e: no}))]
    if c.op == "eq" and c.args[0].type is BOOL:
        a, b = c.args
        return [x.and_(a, b), x.and_(x.not_(a), x.not_(b))]
    return None


def unfold_constructors(c: Expr, problem: _Problem) -> Expr:
    """Replace ``f(Node(...))`` by the body of ``f`` when unknowns are hidden inside the constructor."""
    for e in x.subterms(c):
        if e.op == "call" and e.data.body is not None:
            opened = [i for i, a in enumerate(e.args) if a.op == "con" and a.args and problem.mentions(a)]
            if not opened:
                continue
            body = x.substitute(e.data.body, dict(zip(e.data.params, e.args)))
            inner = [s for s in x.subterms(body) if s.op == "call" and _leads_to(s.data, e.data, [])]
            # ``append(xs, [x])`` only leads to ``append(xs[1:], [x])``: that would never end
            if any(all(_gets_smaller(e, s, i) for s in inner) for i in opened):
                return x.substitute(c, {e: body})
    return c


def _gets_smaller(outer: Expr, inner: Expr, i: int) -> bool:
    if inner.data is outer.data:
        return _size(inner.args[i]) < _size(outer.args[i])
    return not any(x.occurs(outer.args[i], a) for a in inner.args)


def _leads_to(function: Any, target: Any, seen: list[Any]) -> bool:
    if function is target:
        return True
    if function in seen or function.body is None:
        return False
    seen.append(function)
    return any(s.op == "call" and _leads_to(s.data, target, seen) for s in x.subterms(function.body))


def _size(e: Expr) -> int:
    return sum(1 for _ in x.subterms(e))


def bounds_meet(problem: _Problem, unknown: Expr) -> _Problem | None:
    """Some integer lies between all lower and all upper bounds: compare the bounds instead."""
    if unknown.type is not INT:
        return None
    lows: list[Expr] = []
    highs: list[Expr] = []
    rest: list[Expr] = []
    for g in problem.guards:
        if x.occurs(unknown, g):
            return None
    for c in problem.conditions:
        if not x.occurs(unknown, c):
            rest.append(c)
            continue
        if c.op not in ("le", "lt"):
            return None
        form = Linear.of(x.sub(c.args[1], c.args[0]))  # 0 <= form, or 0 < form
        if abs(form.terms.get(unknown, 0)) != 1 or not form.only_outside(unknown):
            return None
        shift = 0 if c.op == "le" else 1
        if form.terms[unknown] > 0:
            lows.append(x.add(form.without(unknown).scaled(-1).expression(), x.integer(shift)))
        else:
            highs.append(x.sub(form.without(unknown).expression(), x.integer(shift)))
    meet = [x.le(low, high) for low in lows for high in highs]
    left = [u for u in problem.unknowns if u != unknown]
    return _Problem(left, problem.guards, rest + meet)
