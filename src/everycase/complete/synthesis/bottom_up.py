"""Search for patches bottom-up: cheap terms first, judged by what they make in every environment of a place.

A term whose value sets equal those of a cheaper one is dropped, and so is a term that somewhere calls a
generator with arguments that are not allowed or not smaller. A term that makes only valid values is a
candidate.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from everycase.complete.clock import Clock
from everycase.complete.frontend.program import Generator
from everycase.complete.language import expressions as x
from everycase.complete.language.evaluate import Evaluator
from everycase.complete.language.types import INT, Type, Value
from everycase.complete.search.coverage import decreasing
from everycase.complete.specification import PredicateFailed
from everycase.complete.synthesis.places import Case, PatchPlace, Promised, parts_of
from everycase.complete.synthesis.terms import Component, Term

SET_LIMIT = 6_000  # maximum number of values of one term in one environment

ARGUMENT_COST = 8  # maximum cost of a term that can only be an argument; nobody writes a longer one

INVALID: Any = object()

Sets = tuple[tuple[Value, ...], ...]


@dataclass
class Candidate:
    """A patch for a place that makes only valid values; ``covers`` are the needed cases that it makes."""

    place: PatchPlace
    term: Term
    covers: int  # bit set over the needed cases
    makes: int  # how many values of the universe it makes, in all environments together
    recursive: bool
    prelude: tuple[tuple[str, Term], ...] = ()

    @property
    def cost(self) -> int:
        return self.term.cost + sum(t.cost for _, t in self.prelude)

    @property
    def size(self) -> int:
        return self.term.size + sum(1 + t.size for _, t in self.prelude)


class Need:
    """The cases that a repair must add, numbered."""

    def __init__(self, cases: list[Case]) -> None:
        self.cases = list(dict.fromkeys(cases))
        self.number = {case: i for i, case in enumerate(self.cases)}
        self.everything = (1 << len(self.cases)) - 1


@dataclass
class TermCount:
    terms: int = 0


@dataclass
class Workshop:
    """The pools of one place. ``prelude`` are named draws, made before the term and usable in it."""

    generator: Generator
    place: PatchPlace
    components: list[Component]
    promised: Promised
    need: Need
    statistics: TermCount
    clock: Clock
    prelude: tuple[tuple[str, Term], ...] = ()
    pools: dict[Type, dict[int, list[tuple[Term, Sets]]]] = field(default_factory=dict)
    candidates: list[Candidate] = field(default_factory=list)
    _seen: set[Any] = field(default_factory=set)
    _seen_candidates: dict[Any, Candidate] = field(default_factory=dict)
    _compiled: dict[Any, Callable[..., Any]] = field(default_factory=dict)
    _valid: dict[Case, bool] = field(default_factory=dict)
    _grown: int = 0
    _allowed: dict[Any, bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.evaluator = Evaluator()
        self.arguments = [args for args, _ in self.place.environments]
        self._suspicious = list(range(len(self.arguments)))
        self._doubtful = list(range(len(self.arguments)))
        self.local_values = [dict(zip(self.place.locals, values)) for _, values in self.place.environments]
        by_args: dict[Case, dict[Value, int]] = {}
        for case, i in self.need.number.items():
            by_args.setdefault(case[:-1], {})[case[-1]] = i
        self.needed = [by_args.get(args, {}) for args in self.arguments]
        self._wanted = [(i, value) for i, needed in enumerate(self.needed) for value in needed]
        self._pairs = (1 << len(self._wanted)) - 1
        inside = (part for case in self.need.cases for part in parts_of(case[-1]) if type(part) is int)
        self._numbers = list(dict.fromkeys([*self.promised.world.integers, *inside]))

    # --- meaning ----------------------------------------------------------------------------------------

    def leaf(self, c: Component) -> Sets | None:
        match c.kind:
            case "local":
                return tuple((env[c.name],) for env in self.local_values)
            case "constant":
                assert c.expression is not None
                return ((x.value_of(c.expression),),) * len(self.arguments)
            case "constructor":
                assert c.constructor is not None
                return (((c.constructor.index,),),) * len(self.arguments)
            case "any":
                if c.result is INT:
                    return ((*self.promised.world.integers[:40], *self.promised.far),) * len(self.arguments)
                return (tuple(self.promised.universe(c.result))[:40],) * len(self.arguments)
            case _:
                return self.apply(c, ())

    def apply(self, c: Component, sets: tuple[Sets, ...]) -> Sets | None:
        """The value sets of a component applied to argument sets; None if it is not safe or too big."""
        if c.kind == "call":
            return self._call(c, sets)
        made: list[tuple[Value, ...]] = []
        for i in range(len(self.arguments)):
            parts = [s[i] for s in sets]
            if math.prod(map(len, parts)) > SET_LIMIT:
                return None
            values = self._apply_at(c, i, parts)
            if values is None:
                return None
            made.append(values)
        return tuple(made)

    def _apply_at(self, c: Component, i: int, parts: list[tuple[Value, ...]]) -> tuple[Value, ...] | None:
        match c.kind:
            case "constructor":
                assert c.constructor is not None
                index = c.constructor.index
                return tuple((index, *p) for p in itertools.product(*parts))
            case "operation":
                run = self._operation(c)
                try:
                    return tuple(dict.fromkeys(run(*p) for p in itertools.product(*parts)))
                except (IndexError, TypeError, RecursionError):
                    return None
            case "range":
                found: dict[Value, None] = {}
                if len(parts) == 1:
                    for low in parts[0]:
                        near = [low, low + 1, *(n for n in self._numbers if n >= low)]
                        found.update(dict.fromkeys([*near, *(low + abs(n) for n in self.promised.far)]))
                    return tuple(found)
                for low, high in itertools.product(*parts):
                    if low > high or high - low > 40:
                        return None
                    found.update(dict.fromkeys(range(low, high + 1)))
                return tuple(found)
        raise AssertionError(c.kind)

    def _call(self, c: Component, sets: tuple[Sets, ...]) -> Sets | None:
        """Arguments of calls are never random, so there is one argument list per environment."""
        try:
            return self._promised(c, sets)
        except PredicateFailed:  # a helper whose own specification is broken is useless
            return None

    def _promised(self, c: Component, sets: tuple[Sets, ...]) -> Sets | None:
        callee = c.generator
        assert callee is not None
        allowed, smaller = self._call_checks(callee)
        for position, i in enumerate(self._suspicious):
            args = tuple([s[i][0] for s in sets])
            key = (callee, self.arguments[i], args)
            fine = self._allowed.get(key)
            if fine is None:
                fine = self._allowed[key] = bool(allowed(*args) and smaller(*self.arguments[i], *args))
            if not fine:  # check this first next time: what one call violates, the next one does too
                self._suspicious.insert(0, self._suspicious.pop(position))
                return None
        rows = (tuple([s[i][0] for s in sets]) for i in range(len(self.arguments)))
        return tuple(self.promised.values(callee, *args) for args in rows)

    def _call_checks(self, callee: Generator) -> tuple[Callable[..., bool], Callable[..., bool]]:
        key = ("call", callee)
        if key not in self._compiled:
            before, after = self.generator.params, tuple(x.var(f"{p.data}''", p.type) for p in callee.params)
            recursive = callee.native is self.generator.native or callee.reaches(self.generator)
            test = decreasing(self.generator, callee, after) if recursive else x.TRUE
            self._compiled[key] = self.evaluator.compile((*before, *after), test)
        return self.promised.specified(callee).requires, self._compiled[key]

    def _operation(self, c: Component) -> Callable[..., Any]:
        if c not in self._compiled:
            assert c.build is not None
            params = [x.var(f"a{i}", t) for i, t in enumerate(c.params)]
            self._compiled[c] = self.evaluator.compile(params, c.build(*params))
        return self._compiled[c]

    # --- enumeration ------------------------------------------------------------------------------------

    def reach(self, cost: int) -> bool:
        """Add all terms up to a cost that includes the named draws; False if the time is up."""
        top = cost - sum(1 + term.cost for _, term in self.prelude)
        while self._grown < top:
            self._grown += 1
            if not self.grow(self._grown):
                return False
        return True

    def grow(self, cost: int) -> bool:
        """Add all terms of exactly this cost; False if the time is up."""
        for c in self.components:
            budget = cost - c.price
            if budget < 0 or (not c.params and budget):
                continue
            if cost > ARGUMENT_COST and c.result is not self.generator.result:
                continue
            if not c.params:
                self._add(Term(c, (), cost), self.leaf(c))
                continue
            final = c.kind == "constructor" and c.result is self.generator.result
            wanted = self._pairs if final and self._wanted else None
            for args in self._arguments(c, budget, len(c.params), wanted):
                if not _worthwhile(c, [t for t, _ in args]):
                    continue
                self.statistics.terms += 1
                if self.statistics.terms % 16 == 0 and self.clock.left() < 0:
                    return False
                term = Term(c, tuple(t for t, _ in args), cost)
                if final:
                    self._consider(term, self._lazily(c, tuple(s for _, s in args)))
                else:
                    self._add(term, self.apply(c, tuple(s for _, s in args)))
        return True

    def _arguments(
        self, c: Component, budget: int, count: int, wanted: int | None = None
    ) -> Iterator[list[tuple[Term, Sets]]]:
        """The ways to give the last ``count`` arguments for this cost; if some values are wanted (a bit set),
        only ways to make at least one of them."""
        place = len(c.params) - count
        pools = self.pools.get(c.params[place], {})
        for cost in range(1, budget - count + 2) if count > 1 else (budget,):
            rest = None
            for first in pools.get(cost, ()):
                if not self._fits(c, place, first):
                    continue
                still = None if wanted is None else wanted & self._parts(c, place, first)
                if still == 0:
                    continue
                if count == 1:
                    yield [first]
                elif still is not None:
                    for more in self._arguments(c, budget - cost, count - 1, still):
                        yield [first, *more]
                else:
                    if rest is None:
                        rest = list(self._arguments(c, budget - cost, count - 1))
                    for more in rest:
                        yield [first, *more]

    def _parts(self, c: Component, place: int, arg: tuple[Term, Sets]) -> int:
        """The wanted values (a bit set) that have something made by this term as their part at the place."""
        key = ("parts", c, place, arg[0])
        if key not in self._compiled:
            assert c.constructor is not None
            found = 0
            for number, (i, value) in enumerate(self._wanted):
                if value[0] == c.constructor.index and value[place + 1] in arg[1][i]:
                    found |= 1 << number
            self._compiled[key] = found  # type: ignore[assignment]
        return self._compiled[key]  # type: ignore[return-value]

    def _fits(self, c: Component, place: int, arg: tuple[Term, Sets]) -> bool:
        """Can this argument of a call be allowed at all? Decided from it alone, once per term."""
        if c.kind != "call":
            return True
        key = (c, place, arg[0])
        if key not in self._compiled:
            self._compiled[key] = self._fits_alone(c, place, arg)  # type: ignore[assignment]
        return bool(self._compiled[key])

    def _fits_alone(self, c: Component, place: int, arg: tuple[Term, Sets]) -> bool:
        term, sets = arg
        callee = c.generator
        assert callee is not None
        if term.draws:
            return False
        test = self._alone(callee, place)
        return all(test(*args, value) for args, values in zip(self.arguments, sets) for value in values)

    def _alone(self, callee: Generator, place: int) -> Callable[..., bool]:
        """The part of "allowed and smaller" that speaks of one argument only."""
        key = ("alone", callee, place)
        if key not in self._compiled:
            own = x.var(f"{callee.params[place].data}''", callee.params[place].type)
            by = {callee.params[place]: own}
            parts = [
                x.substitute(e, by)
                for e in x.conjuncts(callee.requires)
                if x.variables(e) == [callee.params[place]]
            ]
            recursive = callee.native is self.generator.native or callee.reaches(self.generator)
            before, after = self.generator.measure, callee.measure
            if recursive and len(before) == len(after):
                for i, (old, new) in enumerate(zip(before, after)):
                    if x.variables(new) != [callee.params[place]]:
                        continue
                    mine = x.substitute(new, by)
                    parts.append(x.le(x.integer(0), mine))
                    if i == 0:
                        parts.append(x.lt(mine, old) if len(before) == 1 else x.le(mine, old))
            self._compiled[key] = self.evaluator.compile((*self.generator.params, own), x.and_(*parts))
        return self._compiled[key]

    def _add(self, term: Term, sets: Sets | None) -> None:
        if sets is None or not any(sets):
            return
        key = (term.type, tuple(frozenset(s) for s in sets))
        if key in self._seen:
            return
        self._seen.add(key)
        self.pools.setdefault(term.type, {}).setdefault(term.cost, []).append((term, sets))
        if term.type is self.generator.result:
            self._consider(term, sets.__getitem__)

    def _lazily(self, c: Component, sets: tuple[Sets, ...]) -> Callable[[int], Iterable[Value] | None]:
        """The results of a constructor, value by value: the first one often shows that the term is
        useless."""
        assert c.constructor is not None
        index = c.constructor.index

        def at(i: int) -> Iterable[Value] | None:
            parts = [s[i] for s in sets]
            if math.prod(map(len, parts)) > SET_LIMIT:
                return None
            return ((index, *chosen) for chosen in itertools.product(*parts))

        return at

    def _consider(self, term: Term, at: Callable[[int], Iterable[Value] | None]) -> None:
        """Keep the term as a candidate if everything that it makes is valid."""
        covers = makes = total = 0
        universe = self.promised.universe(self.generator.result)
        for position, i in enumerate(self._doubtful):
            needed = self.needed[i]
            for value in self._valid_ones(i, at(i)):
                if value is INVALID:
                    self._doubtful.insert(0, self._doubtful.pop(position))
                    return
                number = needed.get(value)
                if number is not None:
                    covers |= 1 << number
                makes += value in universe
                total += 1
        if not total:
            return
        recursive = term.recursive(self.generator)
        key = (covers, makes, recursive)
        if key not in self._seen_candidates:
            found = Candidate(self.place, term, covers, makes, recursive, self.prelude)
            self._seen_candidates[key] = found
            self.candidates.append(found)

    def _valid_ones(self, i: int, values: Iterable[Value] | None) -> Iterator[Value]:
        """The values that are made in an environment; INVALID once there is a wrong one, or too many."""
        args = self.arguments[i]
        for value in values if values is not None else (INVALID,):
            if value is INVALID or not self.is_valid(args, value):
                yield INVALID
                return
            yield value

    def is_valid(self, args: Case, value: Value) -> bool:
        case = (*args, value)
        known = self._valid.get(case)
        if known is None:
            known = self._valid[case] = self.promised.specified(self.generator).covers(*case)
        return known


def _worthwhile(c: Component, args: list[Term]) -> bool:
    """Heuristics that only skip terms for which a cheaper or clearer term does the same."""
    if c.kind == "operation":
        if any(a.uses(c) for a in args) and not c.name.startswith("subtract 1"):
            return False
        if c.name in ("add 1", "subtract 1"):
            other = "subtract 1" if c.name == "add 1" else "add 1"
            return (
                not args[0].draws and args[0].component.kind != "constant" and args[0].component.name != other
            )
        if c.name == "subtract":
            return all(a.component.kind == "local" for a in args)
        return not c.name.startswith("times") or args[0].component.kind != "constant"
    if c.kind == "range":
        return not any(a.draws or a.cost > 3 for a in args)
    if c.kind == "call":
        return not any(a.draws for a in args)  # a draw that decides a call gets a name (a prelude) instead
    return not any(a.component is c and c.params for a in args)
