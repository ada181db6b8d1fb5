"""``gaps``: look for a missing value in growing worlds, confirm it, else try to prove that there is none."""

from __future__ import annotations

import contextlib
import inspect
import itertools
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn

from everycase.complete.clock import Clock, OutOfTime
from everycase.complete.frontend.program import Generator, Program
from everycase.complete.language.evaluate import Evaluator
from everycase.complete.language.expressions import Expr
from everycase.complete.language.types import Value
from everycase.complete.language.values import size_of, to_python
from everycase.complete.proof.prove import Proof, Prover
from everycase.complete.proof.smt import Queries, Solver
from everycase.complete.search.concrete import Reality, RealSets, Search
from everycase.complete.search.coverage import Covering, covering
from everycase.complete.search.describe import describe
from everycase.complete.search.differential import Differential
from everycase.complete.search.inference import Inference
from everycase.complete.search.promise import Specified
from everycase.complete.search.worlds import Level, World, levels
from everycase.complete.specification import PredicateFailed, Specification, Unsupported
from everycase.complete.verdict import Verdict, shown_case
from everycase.errors import InvalidArgument, MissingExtra

EVALUATIONS = 300_000  # (arguments, value) pairs looked at in one world
COUNTED = 20_000  # valid pairs whose reality is counted once a gap is known
WIDER = 40_000  # pairs in the world that a gap is described in
SPENT = 2_000_000  # values tried for draws that cannot be read off the value, in one world
SECONDS = 10.0
#: Of the time, for finding values in small worlds; a proof gets the rest.
SEARCH_SHARE = 0.6
#: Of what is left then, for values that are made although they are not valid.
UNSOUND_SHARE = 0.3
#: Of the time, for comparing the translation with the generator itself.
COMPARE_SHARE = 0.5
#: To find a gap in a generator that is called.
HELPER_SECONDS = 2.0

Case = tuple[Value, ...]


@dataclass
class Survey:
    """What one world shows: the valid cases, and those that the next step does not reach."""

    level: Level
    valid: list[Case]
    unreached: list[Case]
    complete: bool = True  # False if the world was too big to be looked at whole


def survey(
    generator: Generator,
    level: Level,
    evaluator: Evaluator,
    most: int = EVALUATIONS,
    coverings: list[Covering] | None = None,
) -> Survey:
    """Modular check: recursive calls are taken to keep their promise."""
    specified = Specified(generator, evaluator)
    if coverings is None:
        coverings = [c for p in generator.paths for c in covering(generator, p)]
    search = Search(generator, coverings, evaluator, level.world)
    found = Survey(level, [], [])
    pairs = itertools.product(level.arguments, level.values)
    covers = specified.covers
    clock = generator.program.clock
    for count, (args, value) in enumerate(pairs):
        clock.check()
        if count >= most:
            found.complete = False
            break
        if covers(*args, value):
            case = (*args, value)
            found.valid.append(case)
            if not search(*case):
                found.unreached.append(case)
            if search.spent > SPENT:
                found.complete = False
                break
    return found


def family(generator: Generator) -> list[Generator]:
    """The generator and all covered generators that it can lead to."""
    found = [generator]
    for g in found:
        found += [c for c in g.callees() if all(c.native is not f.native for f in found)]
    return found


def size_of_case(generator: Generator, case: Case) -> int:
    """Smaller is easier to read: the value counts, and so do the arguments."""
    kinds = [*(p.type for p in generator.params), generator.result]
    return sum(size_of(k, v) for k, v in zip(kinds, case))


def native_case(generator: Generator, case: Case) -> tuple[dict[str, Any], Any]:
    """Arguments and value as the user's Python objects."""
    arguments = {p.data: to_python(p.type, v) for p, v in zip(generator.params, case)}
    return arguments, to_python(generator.result, case[-1])


def natively_valid(generator: Generator, case: Case) -> bool:
    """Ask the user's own functions, not their translation."""
    arguments, value = native_case(generator, case)
    given = generator.specification
    try:
        if given.requires is not None and not ask(given.requires, (), arguments):
            return False
        return bool(ask(given.predicate, (value,), arguments))
    except Exception as error:
        raise PredicateFailed(
            f"the specification of {generator.name} raises {type(error).__name__}: {error} "
            f"for the value {value!r} and the arguments {arguments!r}"
        ) from error


def ask(function: Callable[..., Any], first: tuple[Any, ...], arguments: dict[str, Any]) -> Any:
    names = list(inspect.signature(function).parameters)[len(first) :]
    if all(n in arguments for n in names):
        return function(*first, *(arguments[n] for n in names))
    return function(*first, *arguments.values())


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
    """The world with the most valid cases among those that were looked at."""
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
        except OutOfTime:
            if self.last is None:
                raise
            self.late = True
            return None, self.suspect

    @cached_property
    def coverings(self) -> list[Covering]:
        """When each path makes a value; the same in every world."""
        return [c for p in self.generator.paths for c in covering(self.generator, p)]

    def survey(self, level: Level, most: int = EVALUATIONS) -> Survey:
        """What a world shows of the generator."""
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
                with contextlib.suppress(OutOfTime):
                    self.widen(level)
                return confirmed
            self.suspect = self.suspect or (unreached[0] if unreached else None)
            if not self.last.complete or level.number >= (3 if self.suspect is None else 2):
                break
        return None

    def widen(self, found: Level) -> None:
        """Count and describe in the next larger world, if it is small: the first gap shows up in a tiny one."""
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
                    f"the predicate, which Python and its translation answer differently for "
                    f"{shown_case(arguments, shown)}",
                )

    def confirm(self, cases: list[Case], world: World) -> Case | None:
        """The first case that really cannot be made."""
        if not cases:
            return None
        reality = Reality(world)
        for case in cases:
            if reality.certainly_not(self.generator, *case) and natively_valid(self.generator, case):
                return case
        if not self.have_prover(world):
            return None
        reality = Reality(world, self.facts())
        for case in cases:
            if reality.certainly_not(self.generator, *case) and natively_valid(self.generator, case):
                return case
        return None

    def lost_inside(self) -> Case | None:
        """A small case that is missing because a generator that is called does not keep its promise."""
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
            self.solver = Solver(self.out, until=self.generator.program.clock.until)
            self.prover = Prover(self.solver, world)
        return True

    def compare(self, *cases: Case) -> None:
        """Run the real generators against their translations; Unsupported if they differ anywhere.

        None of the ``cases`` may be one that the real generator makes.
        """
        program = self.generator.program
        members = family(self.generator)
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
        if not all(self.prover.calls_allowed(g) for g in family(self.generator)):
            return {}
        return self.prover.facts(family(self.generator))

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
                    if not specified.covers(*args, value) and not natively_valid(
                        self.generator, (*args, value)
                    ):
                        return (*args, value)
        return None


def gaps(
    generator: Callable[..., Any],
    *,
    max_seconds: float = SECONDS,
    prove: bool = True,
    smt_out: str | Path | None = None,
    atoms: Iterable[Callable[..., Any]] = (),
    specification: Specification | None = None,
) -> Verdict:
    """Which valid values can this generator never make?

    ``generator`` is a ``@gen.composite`` function with ``@covers``. ``prove=False`` leaves the solver out;
    ``smt_out`` names a directory for its queries; ``atoms`` are extra conditions ``lambda v, n: ...`` that the
    description of the missing values may use; ``specification`` stands in for ``@covers``. See :class:`Verdict`.
    """
    from everycase.complete.search.choice_tree import explore_gaps

    check_positive("gaps", max_seconds=max_seconds)
    out = Queries(smt_out, "gaps") if smt_out else None
    started = time.process_time()
    clock = Clock(max_seconds)
    inference = Inference(clock)
    try:
        model = Program(clock, inference).generator(generator, specification)
        family(model)  # reads all sources now, so that what is unsupported is said at once
        verdict = examine(model, max_seconds, prove, out, tuple(atoms))
    except OutOfTime:
        verdict = Verdict(getattr(generator, "__name__", "generator"), "no gap found", checked=False)
        verdict.notes.append(
            f"the time limit of {max_seconds:.3g} s was reached before anything was looked at"
        )
    except Unsupported as error:
        verdict = explore_gaps(generator, str(error), clock, specification)
    except (RecursionError, IndexError, TypeError) as error:
        # a function of the user's that fails where it is only looked at
        what = f"unsupported: looking at it raised {type(error).__name__}: {error}"
        verdict = explore_gaps(generator, what, clock, specification)
    verdict.notes += [n for n in inference.notes() if n not in verdict.notes]
    verdict.seconds = time.process_time() - started
    return verdict


def _place_of(function: Callable[..., Any], generator: Generator) -> tuple[str, int]:
    code = getattr(function, "__code__", None)
    if code is None:
        return generator.source.file, generator.source.node.lineno
    return code.co_filename, code.co_firstlineno


def check_positive(asker: str, **bounds: Any) -> None:
    """Refuse bounds that are not positive numbers."""
    for name, value in bounds.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or not value > 0:
            raise InvalidArgument(f"{asker}: {name} must be a positive number, not {value!r}")


def examine(
    model: Generator, seconds: float, prove: bool, out: Queries | None, atoms: tuple[Callable[..., Any], ...]
) -> Verdict:
    """Everything that is known of a generator within the time of its program's clock.

    Raises :class:`Unsupported` where the generator does something else than its translation.
    """
    exam = Examination(model, seconds, prove, out)
    verdict = Verdict(model.name, "no gap found")
    try:
        gap, suspect = exam.gap()
    except MissingExtra:
        exam.prove = False
        gap, suspect = exam.gap()
    assert exam.last is not None
    shown = exam.last if gap is not None else exam.richest or exam.last
    verdict.bounds, verdict.valid = shown.level.bounds, len(shown.valid)
    try:
        _look_further(exam, verdict, gap, suspect, atoms)
    except OutOfTime:
        exam.late = True
        if verdict.status != "missing":
            verdict.status, verdict.sound = "no gap found", False
    if exam.late:
        verdict.notes.append(
            f"the time limit of {seconds:.3g} s was reached, so larger worlds were not looked at"
        )
    if not shown.valid and verdict.status != "missing":
        verdict.notes.append("no value within the bounds is valid; is the predicate what you mean?")
    verdict.queries = exam.solver.queries if exam.solver else 0
    return verdict


def _look_further(
    exam: Examination,
    verdict: Verdict,
    gap: Case | None,
    suspect: Case | None,
    atoms: tuple[Callable[..., Any], ...],
) -> None:
    """Unsound values, the proof, and the comparison that must come before any verdict."""
    assert exam.last is not None
    model = exam.generator
    with contextlib.suppress(OutOfTime), model.program.limited(UNSOUND_SHARE):
        bad = exam.unsound()
        verdict.unsound = native_case(model, bad) if bad is not None else None
    if gap is None and exam.prove and exam.last.level.arguments:
        gap, suspect = _try_proof(exam, verdict, suspect)
    elif not exam.last.level.arguments:
        verdict.notes.append("no arguments within the bounds satisfy requires")
        verdict.checked = False
    elif gap is None:
        verdict.notes.append("no proof was tried")
    if gap is not None or verdict.status == "proved" or verdict.unsound is not None:
        exam.compare(*([gap] if gap is not None else []))
    if gap is not None:
        _report_gap(exam, verdict, gap, atoms)
    elif suspect is not None and verdict.status != "proved":
        verdict.suspected = native_case(model, suspect)


def _try_proof(exam: Examination, verdict: Verdict, suspect: Case | None) -> tuple[Case | None, Case | None]:
    assert exam.last is not None
    try:
        proof = exam.proof()
    except MissingExtra as error:
        verdict.notes.append(f"not proved: {error}")
        return None, suspect
    assert exam.prover is not None
    if proof.verdict == "refuted":
        exam.last = exam.richest or exam.last  # to count and describe in
        case = exam.confirm([proof.case], exam.last.level.world)
        return case, suspect or proof.case
    if proof.verdict == "unknown":
        why = exam.prover.doubt(exam.generator)
        if why is None and exam.solver is not None and exam.solver.late:
            why = f"the time limit of {exam.seconds:.3g} s was reached before the proof ended; max_seconds gives more"
        verdict.notes.append(why or "the proof did not succeed; that says nothing about completeness")
        return None, suspect
    helpers = family(exam.generator)[1:]
    unproved = [helper for helper in helpers if exam.prover.complete(helper).verdict != "proved"]
    if unproved:
        lost = exam.lost_inside()
        if lost is not None:
            return lost, None
        names = ", ".join(helper.name for helper in unproved)
        verdict.notes.append(
            next(filter(None, map(_gap_of_helper, unproved)), None)
            or f"complete if {names} is complete, which was not proved; ask for its gaps"
        )
        return None, suspect
    verdict.status = "proved"
    if verdict.unsound is None:
        verdict.sound = exam.facts().get(exam.generator) == exam.generator.covers
    return None, None


def _gap_of_helper(helper: Generator) -> str | None:
    """What a generator that is called can never make."""
    with helper.program.limited(0.5):
        found = examine(helper, min(HELPER_SECONDS, helper.program.clock.seconds), False, None, ())
    if found.status != "missing":
        return None
    case = shown_case(found.arguments, found.value)
    return f"complete if {helper.name} is, which can never make {case}: repair {helper.name}"


def _report_gap(
    exam: Examination, verdict: Verdict, gap: Case, atoms: tuple[Callable[..., Any], ...]
) -> None:
    assert exam.last is not None
    model, world = exam.generator, exam.last.level.world
    verdict.status = "missing"
    verdict.arguments, verdict.value = native_case(model, gap)
    reality = Reality(world, exam.facts() if exam.prover is not None else {})
    cases = exam.last.valid[:COUNTED]
    missing = [c for c in cases if reality.certainly_not(model, *c)]
    lost = gap in cases and gap not in exam.last.unreached  # in a call, and then so are all of them
    if gap not in missing:
        missing, cases = [gap, *missing], [gap, *cases]
        verdict.bounds += ", and the one above"
    verdict.missing, verdict.valid = len(missing), len(cases)
    # describe what is new at this step, not what smaller gaps drag along
    unreached = {gap, *exam.last.unreached}
    fresh = missing if lost else [c for c in missing if c in unreached]
    known = set(fresh)
    reached = [c for c in cases if c not in known]
    verdict.described = len(fresh)
    verdict.description = describe(model, fresh, reached, atoms)
    if len(exam.last.valid) > COUNTED:
        verdict.notes.append(f"only the first {COUNTED} valid cases were counted")
