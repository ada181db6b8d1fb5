"""``gaps``: look for a missing value in growing worlds, confirm it, otherwise try to prove that there is
none."""

from __future__ import annotations

import ast
import datetime
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from everycase.complete.clock import Clock, TimeIsUp
from everycase.complete.examination import COUNTED, Examination
from everycase.complete.frontend.program import Generator
from everycase.complete.frontend.reader import new_program
from everycase.complete.frontend.strategies import RECURSIVE
from everycase.complete.language import expressions as x
from everycase.complete.language.expressions import functions_in
from everycase.complete.language.types import DataType
from everycase.complete.proof.smt import Queries
from everycase.complete.search.choice_tree import explore_gaps
from everycase.complete.search.concrete import Reality
from everycase.complete.search.describe import describe
from everycase.complete.search.inference import Inference
from everycase.complete.search.promise import Case, native_case
from everycase.complete.search.worlds import formulas_of
from everycase.complete.soundness import Soundness
from everycase.complete.specification import PredicateFailed, Specification, Unsupported
from everycase.complete.verdict import Verdict, shown_case
from everycase.errors import EverycaseError, InvalidArgument, MissingExtra

SECONDS = 10.0
NOT_PROVED = "the proof did not succeed; this does not mean that something is missing"
#: The share of the time for finding a gap in a called generator.
HELPER_SECONDS = 2.0


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
    description of the missing values may use; ``specification`` is used instead of ``@covers``. See
    :class:`Verdict`.
    """
    check_positive("gaps", max_seconds=max_seconds)
    if smt_out is not None and not isinstance(smt_out, str | Path):
        raise InvalidArgument(f"gaps: smt_out must be the path of a directory, not {smt_out!r}")
    out = Queries(smt_out, "gaps") if smt_out else None
    started = time.process_time()
    clock = Clock(max_seconds)
    inference = Inference(clock, generator, specification.calls if specification is not None else ())
    try:
        try:
            model = read_generator(generator, specification, clock, inference)
            verdict = examine(model, max_seconds, prove, out, tuple(atoms))
            if NOT_PROVED in verdict.notes and out is None:
                verdict = _case_by_case(generator, specification, model, verdict, max_seconds)
        except PredicateFailed:  # for some values: does it have an answer for those that are made?
            model = read_generator(generator, specification, clock, inference, lenient=True)
            verdict = examine(model, max_seconds, prove, out, tuple(atoms))
            verdict.notes += model.program.unanswered[:1]
    except TimeIsUp:
        verdict = Verdict(getattr(generator, "__name__", "generator"), "no gap found", checked=False)
        verdict.notes.append(f"the time limit of {max_seconds:.3g} s was reached before anything was checked")
    except Unsupported as error:
        verdict = explore_gaps(generator, str(error), clock, specification)
    except (RecursionError, IndexError, TypeError, SyntaxError) as error:
        # user code that fails while it is only being examined, or more draws on one path than Python allows nested loops
        what = f"unsupported: looking at it raised {type(error).__name__}: {error}"
        verdict = explore_gaps(generator, what, clock, specification)
    verdict.notes += [n for n in inference.notes() if n not in verdict.notes]
    verdict.inferred = inference.shown(generator)
    verdict.seconds = time.process_time() - started
    return verdict


def _case_by_case(
    generator: Callable[..., Any],
    specification: Specification | None,
    model: Generator,
    before: Verdict,
    seconds: float,
) -> Verdict:
    """Once more, with expressions that are decided case by case; the verdict before if this proves nothing."""
    program = model.program
    again = new_program(
        program.clock, program.infer, program.library.types.open_text, program.lenient, case_by_case=True
    )
    try:
        other = again.generator(generator, specification)
        if [len(g.paths) for g in other.family()] == [len(g.paths) for g in model.family()]:
            return before  # there was nothing to decide
        verdict = examine(other, seconds, True, None, ())
    except (TimeIsUp, EverycaseError, RecursionError, SyntaxError):
        return before
    return verdict if verdict.status == "proved" else before


def read_generator(
    generator: Callable[..., Any],
    specification: Specification | None,
    clock: Clock,
    inference: Inference,
    lenient: bool = False,
) -> Generator:
    """The generator with all sources, so that unsupported parts are reported at once.

    Only the length of strings is known, unless something looks inside one. ``lenient`` means that values for
    which the predicate raises an error are not valid.
    """
    try:
        model = new_program(clock, inference, lenient=lenient).generator(generator, specification)
        model.family()
        return model
    except Unsupported as first:
        try:
            opened = new_program(clock, inference, True, lenient).generator(generator, specification)
            opened.family()
        except Unsupported as second:
            if str(second) != str(first) and second.line >= first.line:
                raise  # strings were the smaller problem
        except InvalidArgument:
            pass
        else:
            text = opened.program.library.types.text
            kinds = {e.type for e in x.subterms(*formulas_of(opened))}
            if any(kind is text or (isinstance(kind, DataType) and text in kind.parts) for kind in kinds):
                return opened
        raise first


def check_positive(asker: str, **bounds: Any) -> None:
    """Raise an error for bounds that are not positive numbers."""
    for name, value in bounds.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or not value > 0:
            raise InvalidArgument(f"{asker}: {name} must be a positive number, not {value!r}")


def examine(
    model: Generator, seconds: float, prove: bool, out: Queries | None, atoms: tuple[Callable[..., Any], ...]
) -> Verdict:
    """Everything that is found out about a generator within the time of its program's clock.

    Raises :class:`Unsupported` if the generator behaves differently from its translation.
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
    except TimeIsUp:
        exam.late = True
        if verdict.status != "missing":
            verdict.status = "no gap found"
        verdict.sound = False
    if exam.late:
        verdict.notes.append(
            f"the time limit of {seconds:.3g} s was reached, so larger values were not checked"
        )
    verdict.notes += [
        f"{name} is left at its default {ast.unparse(node)}"
        for name, node in model.fixed.items()
        if not model.default_generates(name)
    ]
    if verdict.status == "proved":
        verdict.notes += _counted_as_one(model)
    made = [f for f in functions_in(formulas_of(model)) if f.name == RECURSIVE]
    if made and made[0].within is None:
        verdict.notes.append(
            "random values of recursive(...) have at most max_leaves leaves; all larger ones count too"
        )
    elif made and verdict.status == "no gap found":
        verdict.notes.append("recursive(...) makes no values beyond a depth that follows from max_leaves")
    if not shown.valid and verdict.status != "missing":
        verdict.notes.append("no value within the bounds is valid; is the predicate what you mean?")
    verdict.queries = exam.solver.queries if exam.solver else 0
    return verdict


def _counted_as_one(model: Generator) -> list[str]:
    """What a proof does not tell apart, or does not ask for, among the values of the type."""
    parts = model.result.parts if isinstance(model.result, DataType) else []
    inside = {(c.kind, c.native) for kind in parts for c in kind.constructors}
    notes = []
    if ("float", float) in inside:
        notes.append("0.0 and -0.0 count as one value")
    if ("stamp", datetime.datetime) in inside or ("stamp", datetime.time) in inside:
        notes.append("only times without a time zone (tzinfo) and without fold count")
    return notes


def _look_further(
    exam: Examination,
    verdict: Verdict,
    gap: Case | None,
    suspect: Case | None,
    atoms: tuple[Callable[..., Any], ...],
) -> None:
    """The proof, the comparison that must come before any verdict, and the verdict on invalid values."""
    assert exam.last is not None
    model = exam.generator
    soundness = Soundness(exam, verdict)
    soundness.look()
    if gap is None and exam.prove and exam.last.level.arguments:
        gap, suspect = _try_proof(exam, verdict, suspect)
    elif not exam.last.level.arguments:
        verdict.notes.append("no arguments within the bounds satisfy requires")
        verdict.checked = False
    elif gap is None:
        verdict.notes.append("no proof was tried")
    if exam.last.level.arguments:
        exam.compare(*([gap] if gap is not None else []))
    if gap is not None:
        _report_gap(exam, verdict, gap, atoms)
    elif suspect is not None and verdict.status != "proved":
        verdict.suspected = native_case(model, suspect)
    if exam.last.level.arguments:
        soundness.decide()


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
            why = f"the time limit of {exam.seconds:.3g} s was reached before the proof ended; raise max_seconds"
        beyond = exam.gap_beyond()
        if beyond is not None:
            return beyond, None
        verdict.notes.append(why or NOT_PROVED)
        return None, suspect
    helpers = exam.generator.family()[1:]
    unproved = [helper for helper in helpers if exam.prover.complete(helper).verdict != "proved"]
    if unproved:
        lost = exam.lost_inside()
        if lost is not None:
            return lost, None
        names = ", ".join(helper.name for helper in unproved)
        verdict.notes.append(
            next(filter(None, map(_gap_of_helper, unproved)), None)
            or f"complete if {names} is complete, which was not proved; run gaps on it"
        )
        return None, suspect
    verdict.status = "proved"
    return None, None


def _gap_of_helper(helper: Generator) -> str | None:
    """What a called generator can never make."""
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
    undecided: set[Case] = set()
    if gap in cases and gap not in missing:  # only the solver could tell, and so it is with similar cases
        more = [c for c in cases if c != gap and c in set(exam.last.unreached)]
        proved = exam.proved_missing(more)
        missing += [gap, *proved]
        undecided = {*more} - {*proved}
    lost = gap in cases and gap not in exam.last.unreached  # in a call, and then so are all of them
    if gap not in missing:
        missing, cases = [gap, *missing], [gap, *cases]
        verdict.bounds += ", and the one above"
    verdict.missing, verdict.valid = len(missing), len(cases)
    # describe what is new at this step, not the consequences of smaller gaps
    unreached = {gap, *exam.last.unreached}
    fresh = missing if lost else [c for c in missing if c in unreached]
    known = set(fresh)
    reached = [c for c in cases if c not in known and c not in undecided]
    verdict.described = len(fresh)
    verdict.description = describe(model, fresh, reached, atoms)
    if undecided:
        verdict.notes.append(f"{len(undecided)} more may be missing; this could not be decided")
    if len(exam.last.valid) > COUNTED:
        verdict.notes.append(f"only the first {COUNTED} valid cases were counted")
