"""Describes the missing values in one line: a short "or of ands" over conditions that people would think
of."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from everycase.complete.frontend.program import Generator
from everycase.complete.language import expressions as x
from everycase.complete.language.evaluate import Evaluator
from everycase.complete.language.expressions import BOOL, FALSE, INT, TRUE, Expr
from everycase.complete.language.types import DataType, Value
from everycase.errors import InvalidArgument

CLAUSES, LITERALS, SAMPLE = 4, 3, 2000


def atoms_of(generator: Generator, given: Iterable[Callable[..., Any]] = ()) -> list[Expr]:
    """Conditions to describe values with: the user's, the source's, and the obvious ones."""
    v, params = generator.value, generator.params
    found: list[Expr] = [generator._clause(a, "atom", (v,)) for a in given]
    for path in generator.paths:
        for condition in path.conditions:
            for part in x.conjuncts(condition):
                plain = part.args[0] if part.op == "not" else part
                if set(x.variables(plain)) <= set(params):
                    found.append(plain)
    ints = [p for p in params if p.type is INT]
    found += [p for p in params if p.type is BOOL]
    found += [x.eq(p, x.integer(0)) for p in ints]
    if isinstance(generator.result, DataType):
        for c in generator.result.constructors:
            found.append(x.is_con(c, v))
    targets = [v] if generator.result is INT else []
    targets += [e for e in x.subterms(generator.covers) if e.op == "call" and e.type is INT and v in e.args]
    for t in targets:
        found += [x.eq(t, x.integer(0)), x.eq(t, x.integer(1))]
        found += [x.eq(t, p) for p in ints] + [x.lt(t, p) for p in ints]
    if generator.result is INT:
        found += [x.lt(v, x.integer(0)), x.eq(x.mod(v, x.integer(2)), x.integer(0))]
    if isinstance(generator.result, DataType) and len(generator.result.constructors) <= 2:
        found += _field_atoms(generator, ints)
    found += [x.eq(p, q) for p, q in itertools.combinations(ints, 2)]
    # `not (a)` and `a` are one atom: literals have signs
    unique: list[Expr] = []
    for atom in found:
        if atom not in (TRUE, FALSE) and atom not in unique and x.not_(atom) not in unique:
            unique.append(atom)
    return unique


def _field_atoms(generator: Generator, ints: list[Expr]) -> list[Expr]:
    found: list[Expr] = []
    v = generator.value
    assert isinstance(generator.result, DataType)
    for c in generator.result.constructors:
        for i, (_, kind) in enumerate(c.fields):
            part = x.field(c, i, v)
            guard = x.is_con(c, v)
            if kind is BOOL:
                found.append(x.and_(guard, part))
            elif kind is INT:
                tests = [x.eq(part, x.integer(0)), x.lt(part, x.integer(0)), *(x.eq(part, p) for p in ints)]
                found += [x.and_(guard, t) for t in tests]
            elif isinstance(kind, DataType):
                found += [x.and_(guard, x.is_con(d, part)) for d in kind.constructors if not d.fields]
    return found


def describe(
    generator: Generator,
    missing: Sequence[tuple[Value, ...]],
    present: Sequence[tuple[Value, ...]],
    given: Iterable[Callable[..., Any]] = (),
) -> str | None:
    """A condition that holds for all missing cases and for no case that can be made; None if there is no
    short one. A case is the arguments followed by the value."""
    missing, present = missing[:SAMPLE], present[:SAMPLE]
    given = list(given)
    literals = _literals(generator, atoms_of(generator, given), missing, present, len(given))
    everything, forbidden = (1 << len(missing)) - 1, (1 << len(present)) - 1
    if not forbidden:
        return "every valid value"
    clauses: list[tuple[str, ...]] = []
    left = everything
    while left:
        best: tuple[int, tuple[str, ...], int] | None = None
        for size in range(1, LITERALS + 1):
            for chosen in itertools.combinations(literals, size):
                hits, wrong = left, forbidden
                for _, yes, no in chosen:
                    hits &= yes
                    wrong &= no
                if hits and not wrong and (best is None or hits.bit_count() > best[0]):
                    best = (hits.bit_count(), tuple(text for text, _, _ in chosen), hits)
            if best is not None and best[0] == left.bit_count():
                break
        if best is None or len(clauses) == CLAUSES:
            return None
        clauses.append(best[1])
        left &= ~best[2]
    texts = [" and ".join(c) for c in clauses]
    return texts[0] if len(texts) == 1 else " or ".join(f"({t})" for t in texts)


def _literals(
    generator: Generator, atoms: list[Expr], missing: Sequence[Any], present: Sequence[Any], given: int
) -> list[tuple[str, int, int]]:
    """Each atom and its negation, with the missing and present cases where it holds as bit sets."""
    evaluator = Evaluator()
    found: list[tuple[str, int, int]] = []
    seen: set[tuple[int, int]] = set()
    everywhere = ((1 << len(missing)) - 1, (1 << len(present)) - 1)
    for number, atom in enumerate(atoms):
        test = evaluator.compile((*generator.params, generator.value), atom)
        try:
            yes = sum(1 << i for i, case in enumerate(missing) if test(*case))
            no = sum(1 << i for i, case in enumerate(present) if test(*case))
        except (IndexError, TypeError, RecursionError) as error:
            if number >= given:  # not one that the user gave
                continue
            raise InvalidArgument(
                f"the atom {x.show(atom)} raises {type(error).__name__} for a valid value of {generator.name}; an atom must "
                "answer True or False for every value, so write `len(v) > 0 and v[0] == n`"
            ) from None
        for text, a, b in (
            (text_of(atom), yes, no),
            (_negated(atom), everywhere[0] & ~yes, everywhere[1] & ~no),
        ):
            if a and (a, b) not in seen and (a, b) != everywhere:
                seen.add((a, b))
                found.append((text, a, b))
    return found[:60]


def text_of(e: Expr) -> str:
    """Constructor tests read like patterns: ``v is Leaf()``."""
    if e.op == "is" and e.data.kind == "class":
        shape = f"{e.data.name}({', '.join('_' for _ in e.data.fields)})"
        return f"{x.show(e.args[0])} is {shape}"
    if e.op == "and":
        return " and ".join(text_of(a) for a in e.args)
    return x.show(e)


def _negated(e: Expr) -> str:
    if e.op in ("is", "and", "or", "call"):
        return f"not ({text_of(e)})"
    return x.show(x.not_(e)) if e.op in ("le", "lt") else f"not ({x.show(e)})"
