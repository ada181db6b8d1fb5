"""From candidates to the text of a patch, and from the text to its verdict."""

from __future__ import annotations

import ast
import itertools
from typing import Any

from everycase.complete.check import examine
from everycase.complete.clock import Clock, TimeIsUp
from everycase.complete.examination import Examination
from everycase.complete.frontend.program import Generator
from everycase.complete.language.evaluate import Evaluator
from everycase.complete.language.values import from_python, to_python
from everycase.complete.search.promise import natively_valid
from everycase.complete.search.worlds import Level, levels
from everycase.complete.specification import PredicateFailed, Unsupported
from everycase.complete.synthesis.bottom_up import Candidate, Need
from everycase.complete.synthesis.candidates import ARGUMENTS, spread, workshops
from everycase.complete.synthesis.patch import Branch, Change, apply, reread
from everycase.complete.synthesis.places import PatchPlace, Promised, fill_environments
from everycase.complete.synthesis.problem import RepairProblem
from everycase.complete.synthesis.result import Repair
from everycase.complete.synthesis.terms import Component, Term
from everycase.complete.verdict import Verdict, shown_case
from everycase.gen.base import Gen

SAMPLED = 6  # argument lists for which a patched generator is sampled
SAMPLES = 60  # values for each


def changes_for(
    problem: RepairProblem,
    places: list[PatchPlace],
    chosen: list[Candidate],
    fills: dict[ast.stmt, Candidate],
    whole: bool = True,
) -> list[Change]:
    """Give every place its branches; holes with the same environments share the work.

    Unless the patch is ``whole``, holes for which nothing was found stay holes.
    """
    by_node = {p.node: p for p in places}
    picked: dict[ast.stmt, list[Candidate]] = {}
    for c in chosen:
        picked.setdefault(c.place.node, []).append(c)
    holes = [p for p in places if p.ending == "hole"]
    for place in holes:
        twins = [p for p in holes if p.key == place.key]
        if twins[0] is place and len(twins) > 1:
            together = [c for p in twins for c in picked.pop(p.node, [])]
            for i, c in enumerate(together):
                picked.setdefault(twins[i % len(twins)].node, []).append(c)
            for p in twins[len(together) :]:
                picked[p.node] = together[:1]
    changes = []
    for node, place in by_node.items():
        if picked.get(node):
            changes.append(Change(place, tuple(_branch(problem, c) for c in picked[node])))
        elif place.ending == "hole" and whole:
            fill = fills.get(node)
            branch = _branch(problem, fill) if fill is not None else Branch((), None, False)
            changes.append(Change(place, (branch,)))
    return changes


def _branch(problem: RepairProblem, c: Candidate) -> Branch:
    used = tuple((name, term) for name, term in c.prelude if _mentions(c.term, name))
    return Branch(used, c.term, c.term.recursive(problem.model))


def _mentions(term: Term, name: str) -> bool:
    own = term.component.kind == "local" and term.component.name == name
    return own or any(_mentions(a, name) for a in term.args)


def finish(problem: RepairProblem, changes: list[Change], text: str) -> Repair:
    """Write the patch, read it back as Python, and examine the result."""
    made = examined(problem, text, apply(text, changes, problem.model, problem.names))
    made.holes = len(changes)
    made.size = sum(b.term.size for c in changes for b in c.branches if b.term is not None)
    made.size += sum(1 + t.size for c in changes for b in c.branches for _, t in b.prelude)
    return made


def examined(problem: RepairProblem, text: str, new: str) -> Repair:
    """The verdict on a patched text; one that makes invalid values is not a patch."""
    left = max(problem.max_seconds / 4, problem.clock.left())
    program = problem.model.program.twin(Clock(left, problem.clock))
    bad = None
    try:
        patched = program.replace(problem.model.native, reread(problem.model.source, new))
        verdict = examine(patched, left, True, problem.smt_out, ())
        bad = None if verdict.sound else verdict.unsound or sampled_invalid(patched)
    except (Unsupported, TimeIsUp) as error:
        verdict = Verdict(problem.model.name, "no gap found", unsupported=str(error) or None, checked=False)
    problem.queries += verdict.queries
    status = {"proved": "repaired", "missing": "not repaired"}.get(verdict.status, "repaired within bounds")
    if verdict.suspected is not None or not verdict.checked:
        status = "not repaired"
    if bad is not None and problem.strict and not _was_unsound(problem):
        verdict.unsound, status, new = bad, "not repaired", text
    made = Repair(problem.model.name, status, problem.file, text, new, verdict)
    _explain(problem, made, verdict)
    return made


def sampled_invalid(patched: Generator) -> tuple[dict[str, Any], Any] | None:
    """Arguments and a value that the running generator makes although it is not valid."""
    level = next((lv for lv in itertools.islice(levels(patched, Evaluator()), 3) if lv.arguments), None)
    for args in level.arguments[:SAMPLED] if level is not None else ():
        given = {p.data: to_python(p.type, a) for p, a in zip(patched.params, args)}
        try:
            described = patched.alive(**given)
            values = described.sample(SAMPLES, seed=0) if isinstance(described, Gen) else []
        except Exception:  # user code raised: then nothing is known
            continue
        for value in values:
            try:
                if not natively_valid(patched, (*args, from_python(patched.result, value))):
                    return given, value
            except (ValueError, PredicateFailed):
                continue
    return None


def _was_unsound(problem: RepairProblem) -> bool:
    """Did the generator make invalid values before? Then this is not the patch's fault."""
    exam = Examination(problem.model, 1.0, False)
    try:
        exam.last = exam.survey(problem.level(1))
        if exam.unsound() is not None or sampled_invalid(problem.model) is not None:
            return True
        return problem.flawed_line is not None
    except (TimeIsUp, PredicateFailed):
        return False


def give_up(problem: RepairProblem, text: str) -> Repair:
    """Nothing fits within the bounds: report that, and what is missing."""
    try:
        verdict = examine(problem.model, problem.max_seconds, True, None, ())
    except (Unsupported, TimeIsUp) as error:
        verdict = Verdict(problem.model.name, "no gap found", unsupported=str(error) or None, checked=False)
    made = Repair(problem.model.name, "not repaired", problem.file, text, text, verdict)
    _explain(problem, made, verdict)
    return made


def _explain(problem: RepairProblem, made: Repair, verdict: Verdict) -> None:
    """What is known of the patched generator; if a bound ended the search, which one, and what is not
    shown."""
    if made.status == "repaired":
        made.notes.append(verdict.headline)
    else:
        made.bound = problem.hit
        patch = "the patch is the best so far" if made.new != made.old else "no patch was found"
        made.notes.append(f"the search ended at the bound {problem.hit}; {patch}" if problem.hit else patch)
        made.notes += _not_shown(verdict)
    if verdict.unsound is not None:
        made.notes.append(f"makes a value that the predicate rejects: {verdict.unsound[1]!r}")
        if made.new != made.old and problem.flawed_line is not None:
            made.notes.append(
                f"line {problem.flawed_line} makes invalid values even if all of its draws are valid; fix that line too"
            )


def _not_shown(verdict: Verdict) -> list[str]:
    if verdict.status == "missing":
        case = shown_case(verdict.arguments, verdict.value)
        found = [
            f"still missing: {case}, and {verdict.missing - 1} more of {verdict.valid} valid cases within bounds"
        ]
        return found + ([f"{verdict.which}: {verdict.description}"] if verdict.description else [])
    found = [verdict.headline] if verdict.checked else []
    if verdict.suspected is not None:
        return [*found, f"not shown: that {shown_case(*verdict.suspected)} can be made"]
    return [*found, "not shown: that nothing is missing beyond these bounds"]


def simple_strategy(
    problem: RepairProblem, places: list[PatchPlace], strategy: str, level: Level
) -> list[Change]:
    """``complete``: any value of the type in every hole; ``safe``: the smallest term that makes only valid ones."""
    model = problem.model
    spots = [p for p in places if p.ending == "hole"] or [
        p for p in places if p.ending in ("return", "reject")
    ]
    any_value = Component("any", "any value", model.result, (), 1)
    if strategy == "complete":
        return [Change(p, (Branch((), Term(any_value, (), 1), False),)) for p in spots]
    promised = Promised(level.world, 2)
    # larger arguments too: a patch that is safe for the smallest ones may not be safe for the next
    arguments = list(
        dict.fromkeys([*level.arguments[:ARGUMENTS], *spread(problem.level(4).arguments, ARGUMENTS)])
    )
    changes = []
    for place in spots:
        fill_environments(model, place, arguments, promised, [])
        term: Term | None = None
        if place.environments:
            shop = workshops(problem, [place], promised, Need([]))[0]
            for cost in range(1, problem.max_cost + 1):
                if not shop.grow(cost) or shop.candidates:
                    break
            term = shop.candidates[0].term if shop.candidates else None
        changes.append(Change(place, (Branch((), term, term is not None and term.recursive(model)),)))
    return changes
