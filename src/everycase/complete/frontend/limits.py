"""Constants that bound a number, as far as the draws and conditions of a path show."""

from __future__ import annotations

from everycase.complete.frontend.program import DrawStep
from everycase.complete.frontend.reading import ReadState
from everycase.complete.language import expressions as x
from everycase.complete.language.expressions import Expr


def limits(e: Expr, state: ReadState, deep: int = 3) -> tuple[int | None, int | None]:
    """Constants that bound a number, as far as the draws and conditions show."""
    if e.op == "const":
        return e.data, e.data
    if not deep:
        return None, None
    low: int | None = None
    high: int | None = None
    if e.op in ("add", "sub"):
        (a, b), (c, d) = (limits(part, state, deep) for part in e.args)
        if e.op == "sub":
            c, d = (None if d is None else -d), (None if c is None else -c)
        low = None if a is None or c is None else a + c
        high = None if b is None or d is None else b + d
    elif e.op == "mod" and e.args[1].data > 0:
        low, high = 0, e.args[1].data - 1
    elif e.op == "mul" and e.args[0].op == "const":
        ends = [None if n is None else e.args[0].data * n for n in limits(e.args[1], state, deep)]
        low, high = ends if e.args[0].data > 0 else ends[::-1]
    elif e.op == "ite":
        (a, b), (c, d) = (limits(part, state, deep) for part in e.args[1:])
        low = None if a is None or c is None else min(a, c)
        high = None if b is None or d is None else max(b, d)
    for step in state.steps:
        if isinstance(step, DrawStep) and step.variable == e and step.generator is None:
            low = limits(step.low, state, deep)[0] if step.low is not None else low
            high = limits(step.high, state, deep)[1] if step.high is not None else high
    for condition in state.conditions:
        if condition.op in ("le", "lt"):
            less = condition.op == "lt"
            one, other = condition.args
            if one == e and (most := limits(other, state, deep - 1)[1]) is not None:
                high = min(n for n in (high, most - less) if n is not None)
            if other == e and (least := limits(one, state, deep - 1)[0]) is not None:
                low = max(n for n in (low, least + less) if n is not None)
        elif condition.op == "eq" and e in condition.args:
            fixed = [part.data for part in condition.args if part.op == "const"]
            low, high = (fixed[0], fixed[0]) if fixed else (low, high)
    return low, high


def impossible(condition: Expr, state: ReadState) -> bool:
    """Do the limits of the numbers show that a comparison cannot hold?"""
    for part in x.conjuncts(condition):
        if part.op in ("le", "lt"):
            _, most = limits(x.sub(part.args[1], part.args[0]), state)
            if most is not None and most < (part.op == "lt"):
                return True
    return False
