"""Turn "some draws lead to this value" into a condition on the value alone.

A path makes ``v`` if *there are* draws with ``v == Node(x, l, r)`` and so on. Because results are constructor
terms of the draws, the draws can be read off the value (``x`` is ``v.value``), equation by equation. Unknowns
that cannot be solved for (``x * x == n``) remain, to be searched within bounds or given to the solver.
"""

from __future__ import annotations

from dataclasses import dataclass

from everycase.complete.frontend.program import AssumeStep, Generator, Path
from everycase.complete.language import expressions as x
from everycase.complete.language.elimination import solve
from everycase.complete.language.expressions import FALSE, TRUE, Expr
from everycase.complete.language.types import BOOL


@dataclass(frozen=True)
class PathCover:
    """``v`` is made if the condition holds for some values of the unknowns (usually there are none)."""

    unknowns: tuple[Expr, ...]
    condition: Expr
    path: Path


def decreasing(caller: Generator, callee: Generator, args: tuple[Expr, ...]) -> Expr:
    """The callee's measure is smaller than the caller's, and not below zero; lexicographic."""
    before = caller.measure
    after = [x.substitute(m, dict(zip(callee.params, args))) for m in callee.measure]
    if not before or len(before) != len(after):
        return FALSE
    smaller = FALSE
    for old, new in reversed(list(zip(before, after))):
        smaller = x.or_(x.lt(new, old), x.and_(x.eq(new, old), smaller))
    return x.and_(*(x.le(x.integer(0), m) for m in after), smaller)


def promise(caller: Generator, callee: Generator, args: tuple[Expr, ...], value: Expr) -> Expr:
    """What the induction hypothesis says about a draw: allowed, smaller if recursive, and valid."""
    by = {**dict(zip(callee.params, args)), callee.value: value}
    smaller = decreasing(caller, callee, args) if callee.reaches(caller) else TRUE
    return x.and_(x.substitute(callee.requires, by), smaller, x.substitute(callee.covers, by))


def constraints(generator: Generator, path: Path, real: bool, facts: dict[Generator, Expr]) -> list[Expr]:
    """Everything that the draws of a path must satisfy.

    With ``real`` a draw from a generator is a value that the generator really makes (``facts`` are proved
    properties of all its values); otherwise it is a value that the generator promises.
    """
    found: list[Expr] = []
    for step in path.steps:
        if isinstance(step, AssumeStep):
            found.append(step.condition)
            continue
        if step.low is not None:
            found.append(x.le(step.low, step.variable))
        if step.high is not None:
            found.append(x.le(step.variable, step.high))
        callee = step.generator
        if callee is None:
            continue
        if not real:
            found.append(promise(generator, callee, step.args, step.variable))
        else:
            by = {**dict(zip(callee.params, step.args)), callee.value: step.variable}
            found.append(x.substitute(facts.get(callee, TRUE), by))
            found.append(Expr("makes", (*step.args, step.variable), BOOL, callee))
    return found


def covering(
    generator: Generator, path: Path, real: bool = False, facts: dict[Generator, Expr] | None = None
) -> list[PathCover]:
    """When this path makes the value."""
    if path.result is None:
        return []
    found = [x.eq(generator.value, path.result), *constraints(generator, path, real, facts or {})]
    unknowns = [d.variable for d in path.draws]
    clock = generator.program.clock
    return [PathCover(tuple(left), condition, path) for left, condition in solve(unknowns, found, clock)]
