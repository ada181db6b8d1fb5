"""One question about one generator: growing worlds, confirmation by running, and the proof."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NoReturn

from everycase.complete.clock import Clock, TimeIsUp
from everycase.complete.frontend.program import Generator
from everycase.complete.language.evaluate import Evaluator
from everycase.complete.language.expressions import Expr
from everycase.complete.language.types import Value
from everycase.complete.language.values import valid_parts
from everycase.complete.proof.prove import Proof, Prover
from everycase.complete.proof.smt import Queries, Solver
from everycase.complete.search.concrete import CoverSearch, Reality, RealSets
from everycase.complete.search.coverage import PathCover, covering
from everycase.complete.search.differential import Differential
from everycase.complete.search.promise import Case, Specified, native_case, natively_valid, size_of_case
from everycase.complete.search.survey import EVALUATIONS, Survey, survey
from everycase.complete.search.worlds import Level, World, levels, neighbours
from everycase.complete.specification import Unsupported
from everycase.complete.verdict import shown_case

COUNTED = 20_000  # valid pairs that are checked by running once a gap is known
WIDER = 40_000  # pairs in the world that a gap is described in
PROVED_MISSING = 3  # cases that the solver is asked about, one by one, to find a gap
ASKED = 20  # the same, to count them once there is one
#: The share of the time for finding values in small worlds; a proof gets the rest.
SEARCH_SHARE = 0.6
#: Of the time that is left when a proof did not succeed, for larger worlds and values next to what is made.
BEYOND_SHARE = 0.5
BEYOND = 20  # cases there that may be confirmed
LARGER = 50_000  # pairs of arguments and a value in one larger world
#: The share of the time for comparing the translation with the generator itself.
COMPARE_SHARE = 0.5


@dataclass
class Examination:
    """One question about one generator, with everything that answering it has built."""

    generator: Generator
    seconds: float
    prove: bool
    out: Queries | None = None
    solver: Solver | None = None
    prover: Prover | None = None
    last: Survey | None = None
    richest: Survey | None = None
    """The world with the most valid cases among those examined."""
    suspect: Case | None = None
    """A case that looks missing but could not be confirmed."""
    late: bool = False
    """Did the clock, rather than the counted work, end the search for gaps?"""
    evaluator: Evaluator = field(default_factory=Evaluator)

    def gap(self) -> tuple[Case | None, Case | None]:
        """The smallest case that is certainly missing, and one that is only suspected."""
        self.suspect = None
        try:
            with self.generator.program.limited(SEARCH_SHARE):
                return self._gap(), self.suspect
        except TimeIsUp:
            if self.last is None:
                raise
            self.late = True
            return None, self.suspect

    @cached_property
    def coverings(self) -> list[PathCover]:
        """When each path makes a value; the same in every world."""
        return [c for p in self.generator.paths for c in covering(self.generator, p)]

    def survey(self, level: Level, most: int = EVALUATIONS) -> Survey:
        """The result of examining the generator in a world."""
        return survey(self.generator, level, self.evaluator, most, self.coverings)

    def _gap(self) -> Case | None:
        for level in levels(self.generator, self.evaluator):
            self.last = self.survey(level)
            if self.richest is None or len(self.last.valid) >= len(self.richest.valid):
                self.richest = self.last
            self.check_translation(self.last)
            unreached = sorted(self.last.unreached, key=lambda c: size_of_case(self.generator, c))
            confirmed = self.confirm(unreached[:50], level.world)
            if confirmed is not None:
                self.suspect = None
                with contextlib.suppress(TimeIsUp):
                    self.widen(level)
                return confirmed
            self.suspect = self.suspect or (unreached[0] if unreached else None)
            if not self.last.complete or level.number >= (3 if self.suspect is None else 2):
                break
        return None

    def gap_beyond(self) -> Case | None:
        """A case in a larger world, or next to what the real generator makes; for when a proof did not succeed."""
        with contextlib.suppress(TimeIsUp), self.generator.program.limited(BEYOND_SHARE) as clock:
            return self._in_larger_worlds() or self._nearby(clock)
        return None

    def _in_larger_worlds(self) -> Case | None:
        assert self.last is not None
        for level in levels(self.generator, self.evaluator):
            if level.number > self.last.level.number and not self.last.unreached:
                found = self.survey(level, LARGER)
                unreached = sorted(found.unreached, key=lambda c: size_of_case(self.generator, c))
                confirmed = self.confirm(unreached[:BEYOND], level.world)
                if confirmed is not None:
                    self.last = found
                    return confirmed
        return None

    def _nearby(self, clock: Clock) -> Case | None:
        assert self.last is not None
        level, result = self.last.level, self.generator.result
        specified = Specified(self.generator, self.evaluator)
        search = CoverSearch(self.generator, self.coverings, self.evaluator, level.world)
        made: dict[Case, list[Value]] = {}
        for case in Differential(self.generator, level, clock).seen():
            made.setdefault(case[:-1], []).append(case[-1])
        for args, values in made.items():
            near = [(*args, v) for v in neighbours(result, values, level.world) if valid_parts(result, v)]
            unreached = [case for case in near if specified.covers(*case) and not search(*case)]
            clock.check()
            confirmed = self.confirm(unreached[:BEYOND], level.world)
            if confirmed is not None:
                return confirmed
        return None

    def widen(self, found: Level) -> None:
        """Count and describe in the next larger world, if it is small: the first gap is found in a tiny
        one."""
        for level in levels(self.generator, self.evaluator):
            if level.number in (found.number + 1, 2) and len(level.arguments) * len(level.values) <= WIDER:
                wider = self.survey(level)
                if wider.unreached:  # a wider world need not be as deep
                    self.last = wider
            if level.number > found.number:
                break

    def check_translation(self, found: Survey) -> None:
        """The translated predicate must agree with the user's on a sample of this world."""
        specified = Specified(self.generator, self.evaluator)
        sample = itertools.islice(itertools.product(found.level.arguments[:12], found.level.values[:25]), 300)
        for args, value in sample:
            case = (*args, value)
            if natively_valid(self.generator, case) != bool(specified.covers(*case)):
                arguments, shown = native_case(self.generator, case)
                where = self.generator.specification.predicate
                raise Unsupported(
                    *_place_of(where, self.generator),
                    f"the predicate, for which Python and its translation give different answers: "
                    f"{shown_case(arguments, shown)}",
                )

    def confirm(self, cases: list[Case], world: World) -> Case | None:
        """The first case that can really not be made."""
        if not cases:
            return None
        reality = Reality(world)
        for case in cases:
            if reality.certainly_not(self.generator, *case) and natively_valid(self.generator, case):
                return case
        if not self.have_prover(world):
            return None
        facts = self.facts()
        reality = Reality(world, facts)
        for case in cases:
            if reality.certainly_not(self.generator, *case) and natively_valid(self.generator, case):
                return case
        # draws that can only be searched within bounds: the solver may know more
        return next(iter(self.proved_missing(cases[:PROVED_MISSING])), None)

    def proved_missing(self, cases: list[Case]) -> list[Case]:
        """The cases for which the solver knows that they are never made; it is asked about the first few."""
        if self.prover is None:
            return []
        facts = self.facts()
        return [
            case
            for case in cases[:ASKED]
            if natively_valid(self.generator, case) and self.prover.never(self.generator, case, facts)
        ]

    def lost_inside(self) -> Case | None:
        """A small case that is missing because a called generator does not keep its promise."""
        for found in (self.richest, self.last):
            assert found is not None
            cases = sorted(found.valid[:COUNTED], key=lambda c: size_of_case(self.generator, c))
            reality = Reality(found.level.world, self.facts())
            for case in cases:
                if reality.certainly_not(self.generator, *case) and natively_valid(self.generator, case):
                    self.last = found
                    return case
        return None

    def have_prover(self, world: World) -> bool:
        if not self.prove:
            return False
        if self.prover is None:
            self.solver = Solver(self.out, clock=self.generator.program.clock)
            self.prover = Prover(self.solver, world)
        return True

    def compare(self, *cases: Case) -> None:
        """Run the real generators against their translations; Unsupported if they differ anywhere.

        None of the ``cases`` may be one that the real generator makes.
        """
        program = self.generator.program
        members = self.generator.family()
        with program.limited(COMPARE_SHARE, at_least=min(1.0, self.seconds / 4)) as clock:
            for member in members:
                level = self._small_level(member)
                if level is None:
                    continue
                found = Differential(member, level, clock).disagreement()
                if found is not None:
                    self._differs(member, found)
            for case in cases:
                assert self.last is not None
                if Differential(self.generator, self.last.level, clock).makes(case[:-1], case[-1]):
                    shown = shown_case(*native_case(self.generator, case))
                    self._differs(self.generator, f"it makes {shown}, which its translation does not")

    def _small_level(self, member: Generator) -> Level | None:
        """The first world with allowed arguments."""
        worlds = itertools.islice(levels(member, self.evaluator), 2)
        return next((level for level in worlds if level.arguments), None)

    def _differs(self, member: Generator, what: str) -> NoReturn:
        raise Unsupported(
            member.source.file, member.source.node.lineno, f"the generator {member.name}: {what}"
        )

    def facts(self) -> dict[Generator, Expr]:
        assert self.prover is not None
        if not all(self.prover.calls_allowed(g) for g in self.generator.family()):
            return {}
        return self.prover.facts(self.generator.family())

    def proof(self) -> Proof:
        """Completeness of the generator for all arguments, given that those it calls are complete."""
        assert self.last is not None
        self.have_prover(self.last.level.world)
        assert self.prover is not None
        return self.prover.complete(self.generator, self.coverings)

    def unsound(self) -> Case | None:
        """A small value that is really made although it is not valid."""
        assert self.last is not None
        wide = next(level for level in levels(self.generator, self.evaluator) if level.number == 2)
        specified = Specified(self.generator, self.evaluator)
        for level in dict.fromkeys([wide.number, self.last.level.number]):
            shown = wide if level == wide.number else self.last.level
            real = RealSets(shown.world, self.generator.program.clock)
            for args in shown.arguments[:40]:
                for value in real.values(self.generator, *args):
                    case = (*args, value)
                    if not specified.covers(*case) and not natively_valid(self.generator, case, made=True):
                        return case
        return None


def _place_of(function: Callable[..., Any], generator: Generator) -> tuple[str, int]:
    code = getattr(function, "__code__", None)
    if code is None:
        return generator.source.file, generator.source.node.lineno
    return code.co_filename, code.co_firstlineno
