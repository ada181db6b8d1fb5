"""From candidates to the text of a patch, and from the text to what can be said of it."""

from __future__ import annotations

import ast
import time

from everycase.complete.check import examine
from everycase.complete.patch import Branch, Change, apply, reread
from everycase.complete.places import Place
from everycase.complete.program import Program
from everycase.complete.repaired import Repair
from everycase.complete.synthesis import Candidate
from everycase.complete.task import Task
from everycase.complete.terms import Term
from everycase.complete.verdict import Verdict, shown_case


def changes_for(
    task: Task,
    places: list[Place],
    chosen: list[Candidate],
    fills: dict[ast.stmt, Candidate],
    whole: bool = True,
) -> list[Change]:
    """Give every place its branches; holes that see the same environments share the work.

    Unless the patch is ``whole``, holes that nothing was found for stay holes.
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
            changes.append(Change(place, tuple(_branch(task, c) for c in picked[node])))
        elif place.ending == "hole" and whole:
            fill = fills.get(node)
            branch = _branch(task, fill) if fill is not None else Branch((), None, False)
            changes.append(Change(place, (branch,)))
    return changes


def _branch(task: Task, c: Candidate) -> Branch:
    used = tuple((name, term) for name, term in c.prelude if _mentions(c.term, name))
    return Branch(used, c.term, c.term.recursive(task.model))


def _mentions(term: Term, name: str) -> bool:
    own = term.component.kind == "local" and term.component.name == name
    return own or any(_mentions(a, name) for a in term.args)


def finish(task: Task, changes: list[Change], text: str) -> Repair:
    """Write the patch, read it back as Python, and examine what was read."""
    new = apply(text, changes, task.model, task.names)
    program = Program()
    patched = program.replace(task.model.native, reread(task.model.source, new))
    left = max(2.0, task.deadline - time.monotonic())
    verdict = examine(patched, left, True, task.smt_out, ())
    task.queries += verdict.queries
    status = {"proved": "repaired", "missing": "not repaired"}.get(verdict.status, "repaired within bounds")
    if verdict.suspected is not None:
        status = "not repaired"
    made = Repair(task.model.name, status, task.file, text, new, verdict)
    made.holes = len(changes)
    made.size = sum(b.term.size for c in changes for b in c.branches if b.term is not None)
    made.size += sum(1 + t.size for c in changes for b in c.branches for _, t in b.prelude)
    _explain(task, made, verdict)
    return made


def give_up(task: Task, text: str) -> Repair:
    """Nothing fits within the bounds: say so, and what is missing."""
    verdict = examine(task.model, 5.0, True, None, ())
    made = Repair(task.model.name, "not repaired", task.file, text, text, verdict)
    _explain(task, made, verdict)
    return made


def _explain(task: Task, made: Repair, verdict: Verdict) -> None:
    """What is known of the patched generator; if a bound ended the search, which, and what could not be shown."""
    if made.status == "repaired":
        made.notes.append(verdict.headline)
    else:
        made.bound = task.hit
        patch = "the patch is the best so far" if made.new != made.old else "no patch was found"
        made.notes.append(f"the search ended at the bound {task.hit}; {patch}" if task.hit else patch)
        made.notes += _not_shown(verdict)
    if verdict.unsound is not None:
        made.notes.append(f"makes a value that the predicate refuses: {verdict.unsound[1]!r}")


def _not_shown(verdict: Verdict) -> list[str]:
    if verdict.status == "missing":
        case = shown_case(verdict.arguments, verdict.value)
        found = [
            f"still missing: {case}, and {verdict.missing - 1} more of {verdict.valid} valid cases within bounds"
        ]
        return found + ([f"{verdict.which}: {verdict.description}"] if verdict.description else [])
    found = [verdict.headline] if verdict.checked else []
    if verdict.suspected is not None:
        return [*found, f"could not be shown: that {shown_case(*verdict.suspected)} can be made"]
    return [*found, "could not be shown: that nothing is missing beyond these bounds"]
