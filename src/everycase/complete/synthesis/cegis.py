"""``repair``: find the places, search for patches, choose, write, prove; learn from counterexamples."""

from __future__ import annotations

import ast
import contextlib
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from everycase.complete.check import check_positive, examine, read_generator
from everycase.complete.clock import Clock, TimeIsUp
from everycase.complete.examination import Examination
from everycase.complete.frontend.program import Generator
from everycase.complete.frontend.source import FunctionSource, source_of
from everycase.complete.language.types import DataType
from everycase.complete.proof.smt import Queries
from everycase.complete.search.describe import describe
from everycase.complete.search.inference import Inference
from everycase.complete.search.promise import Case, size_of_case
from everycase.complete.search.survey import EVALUATIONS, survey
from everycase.complete.search.worlds import Level, level_of_big_arguments, levels
from everycase.complete.specification import Unsupported
from everycase.complete.synthesis.assemble import changes_for, examined, finish, give_up, simple_strategy
from everycase.complete.synthesis.candidates import candidates, needs
from everycase.complete.synthesis.components import Kit, Price
from everycase.complete.synthesis.derivation import derived, is_bare
from everycase.complete.synthesis.edits import by_edit
from everycase.complete.synthesis.likelihood import likelihoods
from everycase.complete.synthesis.patch import Change, apply, reread, with_body
from everycase.complete.synthesis.places import PatchPlace, Promised, places_of
from everycase.complete.synthesis.problem import RepairProblem
from everycase.complete.synthesis.result import Repair
from everycase.complete.verdict import Verdict
from everycase.errors import InvalidArgument, MissingExtra

ROUNDS = 20  # counterexamples that are learnt from
EDITS = 5  # promising edits that are examined in full
FAR_EDITS = 30  # the same, where small worlds do not show which ones are promising
FAR = (1009, -1013)  # numbers that no small world knows
FINISH_SHARE = 0.2  # of the time, for examining the patch that was chosen
PATCH_SHARE = 0.5  # of the time, for patches of a generator without holes

STRATEGIES = ("balanced", "complete", "safe")


def repair(
    generator: Callable[..., Any],
    *,
    components: Iterable[Any] = (),
    atoms: Iterable[Callable[..., Any]] = (),
    cost: Price | None = None,
    max_cost: int = 40,
    max_seconds: float = 60.0,
    strategy: str = "balanced",
    smt_out: str | Path | None = None,
) -> Repair:
    """Write the missing branches of a generator, and prove that nothing is missing afterwards.

    Holes (``...``) are filled first; then alternatives are added where valid values are lost. Patches are
    made from what is in scope: parameters, locals, draws, constructors, recursive calls, covered helpers, and
    the ``components`` given here (dataclasses, pure functions, covered generators, numbers). ``cost(name)``
    may return the cost of a component (smaller is tried earlier) or None. ``strategy="complete"`` puts the
    default generator of the type into every hole, ``"safe"`` the smallest term that makes only valid values.
    """
    if strategy not in STRATEGIES:
        raise InvalidArgument(f"repair: strategy must be one of {', '.join(STRATEGIES)}, not {strategy!r}")
    check_positive("repair", max_cost=max_cost, max_seconds=max_seconds)
    if cost is not None and not callable(cost):
        raise InvalidArgument(
            f"repair: cost must be a function of a name, not {cost!r}; write `lambda name: ...`"
        )
    if not isinstance(components, Iterable) or isinstance(components, str):
        raise InvalidArgument(f"repair: components must be a list, not {components!r}")
    out = Queries(smt_out, "repair") if smt_out else None
    started, clock = time.process_time(), Clock(max_seconds)
    inference = Inference(clock)
    try:
        model = read_generator(generator, None, clock, inference)
        exam = Examination(model, max_seconds, True, out)
        places = places_of(model)
        kit = Kit(model, components, cost)
        result = _repair(exam, places, kit, tuple(atoms), max_cost, strategy, inference)
    except TimeIsUp:
        result = _too_late(source_of(generator), max_seconds)
    except (RecursionError, IndexError, TypeError) as error:
        # user code that fails while it is only being examined
        source = source_of(generator)
        what = f"the generator {_name(source)}: looking at it raised {type(error).__name__}: {error}"
        raise Unsupported(source.file, source.node.lineno, what) from error
    result.seconds = time.process_time() - started
    result.synthesis_seconds = result.seconds - result.abduction_seconds
    return result


def _repair(
    exam: Examination,
    places: list[PatchPlace],
    kit: Kit,
    atoms: tuple[Callable[..., Any], ...],
    max_cost: int,
    strategy: str,
    inference: Inference,
) -> Repair:
    model, started = exam.generator, time.process_time()
    gap, _ = exam.gap()
    holes = [p for p in places if p.ending == "hole"]
    assert exam.last is not None
    text = model.source.text
    until = model.program.clock.without(exam.seconds * FINISH_SHARE)
    problem = RepairProblem(model, kit, kit.names, max_cost, exam.seconds, until, exam.out, infer=inference)
    if gap is None and not holes:
        found = _nothing(exam, model, text)
        # a gap that only the proof found: too far away for the search in small worlds, but an edit may close
        # it
        edited = _edited(problem, text, FAR_EDITS) if found.verdict.status == "missing" else None
        return edited or found
    lost = set(exam.last.unreached)
    reached = [c for c in exam.last.valid if c not in lost]
    description = describe(model, exam.last.unreached, reached, atoms) if exam.last.unreached else None
    abduction = time.process_time() - started
    problem.strict = strategy != "complete"
    if strategy != "balanced":
        result = finish(problem, simple_strategy(problem, places, strategy, problem.level(2)), text)
    else:
        result = _balanced(problem, exam, places, text)
    if result.new != result.old:
        with contextlib.suppress(TimeIsUp):
            result.likelihoods = likelihoods(model, result.new, exam.last)
    result.description = description
    result.holes = max(len(holes), result.holes)
    result.terms = problem.statistics.terms
    result.queries = problem.queries
    result.abduction_seconds = abduction
    return result


def _balanced(problem: RepairProblem, exam: Examination, places: list[PatchPlace], text: str) -> Repair:
    """The smallest proved change: an edit, a patch where values are lost, and finally a new body from the
    promise."""
    bare = is_bare(problem.model)
    holes = any(p.ending == "hole" for p in places)
    best = _derived(problem, exam, text) if bare else _edited(problem, text) if not holes else None
    if best is not None and best.proved:
        return best
    whole = problem.clock
    if not holes:  # a new body is found soon or not at all, but there should be time for it
        problem.clock = whole.part(PATCH_SHARE)
    result = _search(problem, places, text)
    if result.new == result.old and result.verdict.unsound is not None and not problem.late():
        # the patch was valid in a small world only: let terms show what they make far away
        result = _search(problem, places, text, FAR)
    problem.clock = whole
    if not result.proved and not holes:
        written = _derived(problem, exam, text)
        if written is not None and written.proved:
            written.notes.append("the whole body is new, because no smaller change was found")
            problem.hit = None
            return written
    return best if best is not None and result.status == "not repaired" else result


def _edited(problem: RepairProblem, text: str, most: int = EDITS) -> Repair | None:
    """The first edit that is proved, else the first that leaves no gap in small worlds, else None."""
    best: Repair | None = None
    for count, new in enumerate(by_edit(problem, text)):
        made = examined(problem, text, new)
        if made.proved:
            return made
        if made.status == "repaired within bounds":
            best = best or made
        if count == most:
            break
    return best


def _derived(problem: RepairProblem, exam: Examination, text: str) -> Repair | None:
    """The whole body from the promise alone; None if that fails."""
    model = problem.model
    if exam.last is None or not exam.have_prover(exam.last.level.world):
        return None
    assert exam.prover is not None and isinstance(model.source.node, ast.FunctionDef)
    best: Repair | None = None
    with contextlib.suppress(
        InvalidArgument, MissingExtra
    ):  # a name that the file does not import; no solver
        for body in derived(model, problem.names, exam.prover):
            made = examined(problem, text, with_body(text, model.source.node, body))
            if made.proved:
                made.holes = 1
                return made
            if made.status == "repaired within bounds":
                best = best or made
    return best


def _name(source: FunctionSource) -> str:
    return getattr(source.node, "name", "generator")


def _too_late(source: FunctionSource, max_seconds: float) -> Repair:
    verdict = Verdict(_name(source), "no gap found", checked=False)
    made = Repair(verdict.name, "not repaired", Path(source.file).name, source.text, source.text, verdict)
    made.bound = f"--max-seconds {max_seconds:g}"
    made.notes.append(f"the search ended at the bound {made.bound}; no patch was found")
    return made


def _nothing(exam: Examination, model: Generator, text: str) -> Repair:
    verdict = examine(model, exam.seconds, True, exam.out, ())
    status = "nothing to repair" if verdict.status == "proved" else "not repaired"
    made = Repair(model.name, status, Path(model.source.file).name, text, text, verdict)
    made.notes += [verdict.headline, *verdict.notes]
    return made


def _search(problem: RepairProblem, places: list[PatchPlace], text: str, far: tuple[int, ...] = ()) -> Repair:
    """Synthesise, verify, learn from errors, repeat."""
    model = problem.model
    level = _first_level_with_gaps(model)
    promised = Promised(level.world, level.number)
    promised.far = far
    learnt: list[Case] = []  # missing cases that a previous patch did not make
    careful: list[Case] = []  # arguments for which a previous patch was not safe
    last: list[Change] | None = None  # the best patch so far
    fallback: list[Change] = []  # better than nothing
    for _ in range(ROUNDS):
        need, arguments = needs(problem, level, promised, learnt, careful)
        try:
            found = candidates(problem, places, promised, need, arguments)
        except TimeIsUp:
            problem.late()
            break
        if not found.whole:
            fallback = fallback or changes_for(problem, places, found.chosen, {}, whole=False)
            break
        changes = changes_for(problem, places, found.chosen, found.fills)
        attempt = PatchTrial.of(problem, changes, text)
        try:
            missing, unsafe = attempt.lessons(promised)
        except TimeIsUp:
            problem.late()
            break
        problem.refuted += 1
        problem.unsafe += bool(unsafe)
        if attempt.proved and not unsafe:
            if found.fills and not attempt.sound():
                # a hole that nothing needed was filled with a guess: reject there
                changes = changes_for(problem, places, found.chosen, {})
            return finish(problem, changes, text)
        missing = [c for c in missing if c not in learnt]
        unsafe = [a for a in unsafe if a not in careful]
        if attempt.proved or (not attempt.still_missing and last is None):
            last = changes
        if not unsafe:
            fallback = changes_for(problem, places, found.chosen, {}, whole=False)
        if not missing and not unsafe:
            last = last or changes
            break
        for case in missing:
            promised.add(model.result, case[-1])
        learnt += missing
        careful += unsafe
        if problem.late():
            break
    else:
        problem.hit = f"of {ROUNDS} counterexamples"
    best = last or fallback
    return finish(problem, best, text) if best else give_up(problem, text)


def _first_level_with_gaps(model: Generator) -> Level:
    """The smallest world, from the second on, that shows what is missing."""
    exam = Examination(model, 1.0, False)
    level = None
    for level in levels(model, exam.evaluator):
        if level.number >= 2 and survey(model, level, exam.evaluator).unreached:
            break
    assert level is not None
    return level


@dataclass
class PatchTrial:
    """A patch under examination: read back from its text, surveyed, and if that shows nothing, proved."""

    problem: RepairProblem
    patched: Generator
    exam: Examination
    proved: bool = False
    still_missing: bool = False

    @staticmethod
    def of(problem: RepairProblem, changes: list[Change], text: str) -> PatchTrial:
        new = apply(text, changes, problem.model, problem.names)
        clock = problem.clock.part(1.0)
        program = problem.model.program.twin(clock)
        patched = program.replace(problem.model.native, reread(problem.model.source, new))
        return PatchTrial(problem, patched, Examination(patched, clock.seconds, True, problem.smt_out))

    def lessons(self, promised: Promised) -> tuple[list[Case], list[Case]]:
        """What the next attempt must do better: cases that are still missing, arguments that were not safe."""
        missing = self._missing()
        self.still_missing = bool(missing)
        unsafe = [] if missing else self._unsafe(promised)
        self.problem.queries += self.exam.solver.queries if self.exam.solver else 0
        return missing, unsafe

    def sound(self) -> bool:
        """Is it proved that only valid values are made?"""
        assert self.exam.prover is not None
        members = self.patched.family()
        if not all(self.exam.prover.calls_allowed(g) for g in members):
            return False
        return self.exam.prover.facts(members)[self.patched] == self.patched.covers

    def _missing(self) -> list[Case]:
        for level in levels(self.patched, self.exam.evaluator):
            self.exam.last = self.exam.survey(level)
            if self.exam.last.unreached:
                return self._telling(self.exam.last.unreached)
            if level.number == 3:
                break
        proof = self.exam.proof()
        self.proved = proof.verdict == "proved"
        if proof.verdict == "unknown":
            last = level_of_big_arguments(self.patched, self.exam.evaluator)
            if last is not None:
                return self._telling(self.exam.survey(last, 2 * EVALUATIONS).unreached)
        return [proof.case] if proof.verdict == "refuted" else []

    def _telling(self, cases: list[Case]) -> list[Case]:
        """A few small cases; one per argument list is more informative than many with the same."""
        found = sorted(cases, key=lambda c: size_of_case(self.patched, c))
        different = {c[:-1]: c for c in reversed(found)}
        return list(dict.fromkeys([*found[:2], *list(reversed(different.values()))[:3]]))

    def _unsafe(self, promised: Promised) -> list[Case]:
        """Arguments for which a new path makes something invalid; the values drawn join the universe."""
        assert self.exam.prover is not None
        found: list[Case] = []
        old = {ast.unparse(p.node) for p in self.problem.model.paths}
        for path in self.patched.paths:
            if path.result is not None and ast.unparse(path.node) not in old:
                bad = self.exam.prover.unsound_case(self.patched, path)
                if bad is not None:
                    found.append(bad[0])
                    # the patch was read again and has its own types; the search continues with those of the
                    # model
                    own = {kind.name: kind for kind in self.problem.kit.types()}
                    for kind, value in bad[1]:
                        if isinstance(kind, DataType) and kind.name in own:
                            promised.add(own[kind.name], value)
        if not found:
            case = self.exam.unsound()
            if case is not None and not self._was_unsound():
                found.append(case[:-1])
                promised.add(self.problem.model.result, case[-1])
        return found

    def _was_unsound(self) -> bool:
        """Did the generator make invalid values before? Then this is not the patch's fault."""
        before = Examination(self.problem.model, 5.0, False)
        before.last = self.exam.last
        return before.unsound() is not None or self.problem.flawed_line is not None
