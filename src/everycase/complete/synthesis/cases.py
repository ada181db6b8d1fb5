"""From a promise to its cases: the conditions on the parts of a value, constructor by constructor.

``in_order([Slot(start, end), *tail], opens) and len([...]) <= n`` becomes ``opens <= start``, ``start < end``,
``in_order(tail, end)`` and ``len(tail) + 1 <= n``: definitions are unfolded once, and alternatives become cases.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace

from everycase.complete.frontend.program import Generator
from everycase.complete.language import expressions as x
from everycase.complete.language.expressions import BOOL, FALSE, INT, TRUE, Expr
from everycase.complete.language.linear import Linear
from everycase.complete.language.types import DataType

MOST = 24  # cases of one promise
UNFOLDINGS = 40


@dataclass(frozen=True)
class ValueCase:
    """A shape with parts that are still to be drawn, and their conditions."""

    shape: Expr
    parts: tuple[Expr, ...]
    literals: tuple[Expr, ...]

    def set(self, part: Expr, value: Expr, more: tuple[Expr, ...] = ()) -> ValueCase:
        by = {part: value}
        return ValueCase(
            x.substitute(self.shape, by),
            tuple(p for q in self.parts for p in (more if q == part else (q,))),
            tuple(x.substitute(e, by) for e in self.literals),
        )


def cases_of(generator: Generator) -> list[ValueCase] | None:
    """The cases of the promise, for every constructor of the result; None if there are too many."""
    taken = {p.data for p in generator.params} | set(generator.source.scope)
    whole = x.var("made" if "made" not in taken else "made_", generator.result)
    promise = x.substitute(generator.covers, {generator.value: whole})
    waiting = [ValueCase(whole, (whole,), (promise,))]
    splitter = _Splitter(taken)
    waiting = [c for case in waiting for c in splitter.constructors(case, whole)]
    done: list[ValueCase] = []
    while waiting:
        generator.program.clock.check()
        flat = splitter.flattened(waiting.pop(0))
        if flat is None:
            continue
        cases = splitter.split(flat)
        if cases is None:
            done.append(flat)
        else:
            waiting = cases + waiting
        if len(done) + len(waiting) > MOST:
            return None
    return done


class _Splitter:
    def __init__(self, taken: set[str]) -> None:
        self.taken = set(taken)

    def _fresh(self, name: str, case: ValueCase, instead: Expr) -> str:
        used = {p.data for p in (*case.parts, *x.variables(case.shape)) if p != instead}
        plain = {"head": "first", "tail": "rest"}.get(name, name)
        if plain.startswith("item") and plain[4:].isdigit():
            plain = "abcdefgh"[int(plain[4:]) % 8]
        choices = itertools.chain([plain], (f"{plain}_{i}" for i in itertools.count(2)))
        return next(c for c in choices if c not in self.taken and c not in used)

    def constructors(self, case: ValueCase, part: Expr) -> Iterator[ValueCase]:
        """One case for each constructor of a part."""
        if not isinstance(part.type, DataType):
            yield case
            return
        for c in part.type.constructors:
            inside = replace(case, parts=tuple(p for p in case.parts if p != part))
            made: list[Expr] = []
            for name, kind in c.fields:
                label = name if c.kind != "wrap" else part.data
                made.append(
                    x.var(self._fresh(label, replace(inside, parts=(*inside.parts, *made)), part), kind)
                )
            yield case.set(part, x.con(c, *made), tuple(made))

    def flattened(self, case: ValueCase) -> ValueCase | None:
        """Unfold the conditions on constructors, and split conjunctions; None if it cannot hold."""
        whole = x.and_(*case.literals)
        for _ in range(UNFOLDINGS):
            call = next(
                (
                    e
                    for e in x.subterms(whole)
                    if e.op == "call" and e.data.body is not None and any(a.op == "con" for a in e.args)
                ),
                None,
            )
            if call is None:
                break
            body = x.substitute(call.data.body, dict(zip(call.data.params, call.args)))
            whole = x.substitute(whole, {call: body})
        whole = x.and_(*(_without_max(e) for e in x.conjuncts(whole)))
        if whole == FALSE:
            return None
        return replace(case, literals=x.conjuncts(whole))

    def split(self, case: ValueCase) -> list[ValueCase] | None:
        """Alternatives that must be distinguished before the parts can be drawn."""
        for part in case.parts:  # records are taken apart, and small finite parts tried one by one
            kind = part.type
            asked = any(x.occurs(part, e) for e in case.literals)
            if isinstance(kind, DataType) and len(kind.constructors) == 1:
                return list(self.constructors(case, part))
            if isinstance(kind, DataType) and kind.is_enumeration and asked:
                return list(self.constructors(case, part))
            if kind is BOOL and asked:
                return [case.set(part, value) for value in (TRUE, FALSE)]
            if isinstance(kind, DataType) and kind.is_list:
                left = next((n for e in case.literals if (n := _length_left(e, part)) is not None), None)
                if left is not None:
                    return list(self.constructors(case, part)) if left >= 0 else []
        for i, e in enumerate(case.literals):
            rest = case.literals[:i] + case.literals[i + 1 :]
            options = self._options(e, case)
            if options is not None:
                return [replace(case, literals=(*rest, option)) for option in options]
            if e.op == "is" and e.args[0] in case.parts and not e.data.fields:
                return [case.set(e.args[0], x.con(e.data))]
        return None

    def _options(self, e: Expr, case: ValueCase) -> list[Expr] | None:
        if listed(e, case.parts) is not None:
            return None
        if e.op == "or":
            return [x.and_(*(x.not_(d) for d in e.args[:i]), part) for i, part in enumerate(e.args)]
        if e.op == "not" and e.args[0].op == "and":
            return self._options(x.or_(*(x.not_(a) for a in e.args[0].args)), case)
        if e.op == "not" and e.args[0].op == "eq" and e.args[0].args[0].type is INT:
            a, b = e.args[0].args
            return [x.lt(a, b), x.lt(b, a)]
        for s in x.subterms(e):
            # a choice that depends on a structured value cannot be part of a bound
            if s.op == "ite" and any(isinstance(v.type, DataType) for v in x.variables(s.args[0])):
                test, yes, no = s.args
                return [
                    x.and_(test, x.substitute(e, {s: yes})),
                    x.and_(x.not_(test), x.substitute(e, {s: no})),
                ]
        if e.op == "ite":
            return [x.and_(e.args[0], e.args[1]), x.and_(x.not_(e.args[0]), e.args[2])]
        return None


def _length_left(e: Expr, part: Expr) -> int | None:
    """The length that ``len(part) + 1 == 3`` requires; None if the condition has another form."""
    if e.op != "eq" or e.args[0].type is not INT:
        return None
    form = Linear.of(x.sub(*e.args))
    match list(form.terms.items()):
        case [(term, factor)] if term.op == "call" and term.data.symmetric == "size" and term.args == (part,):
            return -form.constant * factor if abs(factor) == 1 else None
    return None


def listed(e: Expr, parts: tuple[Expr, ...] | list[Expr]) -> tuple[Expr, list[Expr]] | None:
    """A part and the constants that it may be, if that is exactly the condition."""
    if e.op != "or" or any(a.op != "eq" for a in e.args):
        return None
    part = next((s for s in e.args[0].args if s in parts), None)
    values = [next((s for s in a.args if s.op == "const"), None) for a in e.args]
    if part is None or None in values or any(part not in a.args for a in e.args):
        return None
    return part, [v for v in values if v is not None]


def _without_max(e: Expr) -> Expr:
    """``1 + max(a, b) <= n`` as ``1 + a <= n and 1 + b <= n``."""
    if e.op not in ("le", "lt"):
        return e
    for side, larger in ((0, True), (1, False)):
        for s in x.subterms(e.args[side]):
            if s.op != "ite" or s.args[0].op not in ("lt", "le") or s.type is not INT:
                continue
            low, high = s.args[0].args
            is_max = s.args[1:] == (high, low)
            is_min = s.args[1:] == (low, high)
            if ((is_max and larger) or (is_min and not larger)) and _grows_with(e.args[side], s):
                both = [x.substitute(e, {s: branch}) for branch in (low, high)]
                return x.and_(*(_without_max(b) for b in both))
    return e


def _grows_with(e: Expr, part: Expr) -> bool:
    """Is the part only added to other things?"""
    if e == part:
        return True
    return e.op == "add" and any(_grows_with(a, part) for a in e.args)
