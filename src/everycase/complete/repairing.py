"""``repair``: find the places, search for patches, choose, write, prove; learn from counterexamples."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from everycase.complete.attempt import Attempt
from everycase.complete.candidates import candidates, needs
from everycase.complete.check import Case, Examination, check_positive, examine, survey
from everycase.complete.components import Kit, Price
from everycase.complete.describe import describe
from everycase.complete.finishing import changes_for, finish, give_up
from everycase.complete.likelihood import likelihoods
from everycase.complete.patch import Change
from everycase.complete.places import Place, Promised, places_of
from everycase.complete.program import Generator, Program
from everycase.complete.repaired import Repair
from everycase.complete.smt import Queries
from everycase.complete.strategies import simple_strategy
from everycase.complete.task import Task
from everycase.complete.universe import Level, levels
from everycase.errors import InvalidArgument

ROUNDS = 20  # counterexamples that are learnt from

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
    """Write the branches that a generator is missing, and prove that nothing is missing then.

    Holes (``...``) are filled first; then alternatives are added where valid values are lost. Patches are made
    of what is in scope: parameters, locals, draws, constructors, recursive calls, covered helpers, and the
    ``components`` given here (dataclasses, pure functions, covered generators, numbers). ``cost(name)`` may
    return the price of a component (smaller is tried earlier) or None. ``strategy="complete"`` puts the default
    generator of the type into every hole, ``"safe"`` the smallest term that makes only valid values.
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
    started, clock = time.process_time(), time.monotonic()
    model = Program().generator(generator)
    places = places_of(model)
    exam = Examination(model, max_seconds, True, out)
    gap, _ = exam.gap()
    holes = [p for p in places if p.ending == "hole"]
    assert exam.last is not None
    text = model.source.text
    if gap is None and not holes:
        return _nothing(exam, model, text, started)
    reached = [c for c in exam.last.valid if c not in set(exam.last.unreached)]
    description = describe(model, exam.last.unreached, reached, atoms) if exam.last.unreached else None
    abduction = time.process_time() - started
    kit = Kit(model, components, cost)
    task = Task(model, kit, kit.names, max_cost, max_seconds, clock + max_seconds, out)
    if strategy != "balanced":
        result = finish(task, simple_strategy(task, places, strategy, task.level(2)), text)
    else:
        result = _search(task, places, text)
    if result.new != result.old:
        result.likelihoods = likelihoods(model, result.new, exam.last)
    result.description = description
    result.holes = max(len(holes), result.holes)
    result.terms = task.statistics.terms
    result.queries = task.queries
    result.abduction_seconds = abduction
    result.seconds = time.process_time() - started
    result.synthesis_seconds = result.seconds - abduction
    return result


def _nothing(exam: Examination, model: Generator, text: str, started: float) -> Repair:
    verdict = examine(model, exam.seconds, True, exam.out, ())
    status = "nothing to repair" if verdict.status == "proved" else "not repaired"
    made = Repair(
        model.name,
        status,
        Path(model.source.file).name,
        text,
        text,
        verdict,
        seconds=time.process_time() - started,
    )
    made.notes += [verdict.headline, *verdict.notes]
    return made


def _search(task: Task, places: list[Place], text: str) -> Repair:
    """Synthesise, verify, learn from what was wrong, again."""
    model = task.model
    level = _first_level_with_gaps(model)
    promised = Promised(level.world, level.number)
    learnt: list[Case] = []  # missing cases that a previous patch did not make
    careful: list[Case] = []  # arguments for which a previous patch was not safe
    last: list[Change] | None = None  # the best patch so far
    fallback: list[Change] = []  # better than nothing
    for _ in range(ROUNDS):
        need, arguments = needs(task, level, promised, learnt, careful)
        found = candidates(task, places, promised, need, arguments)
        if not found.whole:
            fallback = fallback or changes_for(task, places, found.chosen, {}, whole=False)
            break
        changes = changes_for(task, places, found.chosen, found.fills)
        attempt = Attempt.of(task, changes, text)
        missing, unsafe = attempt.lessons(promised)
        task.refuted += 1
        task.unsafe += bool(unsafe)
        if attempt.proved and not unsafe:
            if found.fills and not attempt.sound():
                # a hole that nothing needed was filled with a guess: reject there
                changes = changes_for(task, places, found.chosen, {})
            return finish(task, changes, text)
        missing = [c for c in missing if c not in learnt]
        unsafe = [a for a in unsafe if a not in careful]
        if attempt.proved or (not attempt.still_missing and last is None):
            last = changes
        if not unsafe:
            fallback = changes_for(task, places, found.chosen, {}, whole=False)
        if not missing and not unsafe:
            last = last or changes
            break
        for case in missing:
            promised.add(model.result, case[-1])
        learnt += missing
        careful += unsafe
        if task.late():
            break
    else:
        task.hit = f"of {ROUNDS} counterexamples"
    best = last or fallback
    return finish(task, best, text) if best else give_up(task, text)


def _first_level_with_gaps(model: Generator) -> Level:
    """The smallest world, from the second on, that shows what is missing."""
    exam = Examination(model, 1.0, False)
    level = None
    for level in levels(model, exam.evaluator):
        if level.number >= 2 and survey(model, level, exam.evaluator).unreached:
            break
    assert level is not None
    return level
