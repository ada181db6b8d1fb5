"""What a repair must make, the search for candidates that make it, at all places together, and the choice among them."""

from __future__ import annotations

import ast
import itertools
from dataclasses import dataclass
from typing import Any

from everycase.complete.examination import Examination
from everycase.complete.language import expressions as x
from everycase.complete.language.types import INT, DataType
from everycase.complete.search.promise import Case, size_of_case
from everycase.complete.search.survey import survey
from everycase.complete.search.worlds import Level
from everycase.complete.synthesis.bottom_up import Candidate, Need, Sets, Workshop
from everycase.complete.synthesis.places import ENVIRONMENTS, PatchPlace, Promised, fill_environments
from everycase.complete.synthesis.problem import RepairProblem
from everycase.complete.synthesis.terms import Component, Term

PATIENCE = 4
ARGUMENTS = 24  # argument lists that patches are judged on
NEEDS = 120  # missing cases that a patch must make
AFTERWARDS = 2  # how many further costs to try once a patch is found: a slightly more expensive one may fit more tightly
PRELUDE_COST = 9  # from this cost on, draws may get names


@dataclass
class ChosenPatch:
    """Candidates that together make what is needed, or (unless ``whole``) as much of it as was found."""

    chosen: list[Candidate]
    fills: dict[ast.stmt, Candidate]
    """What to write at holes that nothing was needed for."""
    whole: bool


def needs(
    problem: RepairProblem, level: Level, promised: Promised, learnt: list[Case], careful: list[Case]
) -> tuple[Need, list[Case]]:
    """The missing cases of a small world and the learnt ones, and the arguments to judge patches on."""
    model = problem.model
    exam = Examination(model, 1.0, False)
    found = survey(model, level, exam.evaluator)
    missing = sorted(found.unreached, key=lambda c: size_of_case(model, c))
    by_args: dict[Case, list[Case]] = {}
    for case in missing:
        by_args.setdefault(case[:-1], []).append(case)
    wanted = list(by_args)[:ARGUMENTS]
    # arguments where nothing is missing, and larger ones: a patch must be safe there too
    larger = [a for a in problem.level(4).arguments if a not in by_args]
    others = [a for a in level.arguments if a not in by_args][: ARGUMENTS // 3] + spread(
        larger, ARGUMENTS // 2
    )
    arguments = list(dict.fromkeys([*(c[:-1] for c in learnt), *careful, *wanted, *others]))
    cases = [c for a in wanted for c in by_args[a][: max(4, NEEDS // max(1, len(wanted)))]]
    for case in cases:
        promised.add(model.result, case[-1])
    return Need([*learnt, *cases]), arguments


def spread(items: list[Case], count: int) -> list[Case]:
    """Some of the items, from the first to the last."""
    if len(items) <= count:
        return items
    return [items[i * len(items) // count] for i in range(count)]


def candidates(
    problem: RepairProblem, places: list[PatchPlace], promised: Promised, need: Need, arguments: list[Case]
) -> ChosenPatch:
    """Grow all places together by cost until some selection makes everything that is needed."""
    for place in places:
        fill_environments(problem.model, place, arguments, promised, need.cases)
    holes = [p for p in places if p.ending == "hole"]
    reachable = {args for p in holes for args, _ in p.environments}
    enough = holes and all(c[:-1] in reachable for c in need.cases)
    needy = {c[:-1] for c in need.cases}
    active = (
        holes if enough else [p for p in places if p in holes or any(a in needy for a, _ in p.environments)]
    )
    shops = workshops(problem, active, promised, need)
    named: list[Workshop] = []
    stop = problem.max_cost
    fewest: int | None = None
    for cost in range(1, problem.max_cost + 1):
        if cost == PRELUDE_COST and stop == problem.max_cost:
            named = [w for shop in shops for w in _with_preludes(problem, shop)]
        for shop in [*shops, *named]:
            if not shop.reach(cost):
                problem.late()
                return ChosenPatch(
                    most([c for s in [*shops, *named] for c in s.candidates], need.everything), {}, False
                )
        found = [c for shop in [*shops, *named] for c in shop.candidates]
        chosen = choose(found, need.everything)
        if chosen is not None and (fewest is None or len(chosen) < fewest):
            # sixteen special terms may add up before one general term is reached: wait while there are fewer
            fewest = len(chosen)
            # patches that were refuted several times are too special: search longer for a single general one
            single = len(chosen) <= len({c.place.node for c in chosen})
            stop = min(problem.max_cost, cost + (AFTERWARDS if problem.refuted < PATIENCE or single else 14))
        if chosen is not None and cost >= stop:
            fills = {
                shop.place.node: min(shop.candidates, key=lambda c: (c.cost, -c.makes))
                for shop in shops
                if shop.candidates and shop.place.ending == "hole" and problem.unsafe < 2
            }
            return ChosenPatch(chosen, fills, True)
    problem.hit = f"--max-cost {problem.max_cost}"
    return ChosenPatch(most([c for s in [*shops, *named] for c in s.candidates], need.everything), {}, False)


def workshops(
    problem: RepairProblem, places: list[PatchPlace], promised: Promised, need: Need
) -> list[Workshop]:
    shops = []
    for place in places:
        if place.environments:
            parts = [*problem.kit.locals(place.locals), *problem.kit.fixed]
            shops.append(
                Workshop(problem.model, place, parts, promised, need, problem.statistics, problem.clock)
            )
    return shops


def _with_preludes(problem: RepairProblem, shop: Workshop) -> list[Workshop]:
    """The same place after naming one or two draws: a value of a parameter's type, a number below a parameter."""
    options: list[tuple[str, Term, Any]] = []
    taken = {*shop.place.locals, *problem.model.source.scope}
    for kind in dict.fromkeys(p.type for p in problem.model.params):
        if isinstance(kind, DataType) and not kind.is_list:
            any_ = next((c for c in shop.components if c.kind == "any" and c.result is kind), None)
            if any_ is not None:
                sets = tuple(tuple(promised)[:3] for promised in (shop.leaf(any_) or ()))
                options.append((_name(kind.name, taken), Term(any_, (), any_.price), sets))
    for measure in problem.model.measure:
        if measure.op == "var":
            low = Term(_constant(0), (), 1)
            local = next(c for c in shop.components if c.kind == "local" and c.name == measure.data)
            minus = next(c for c in shop.components if c.name == "subtract 1")
            high = Term(minus, (Term(local, (), 1),), 2)
            between = next(c for c in shop.components if c.kind == "range")
            sets_ = shop.apply(between, (_sets(shop, low), _sets(shop, high)))
            if sets_ is not None:
                options.append((_name("n", taken), Term(between, (low, high), 4), sets_))
    made = []
    for count in (1, 2):
        for draws in itertools.combinations(options, count):
            place = extended(shop.place, list(draws))
            place.environments = place.environments[: ENVIRONMENTS * 6]
            parts = [
                *problem.kit.locals(place.locals),
                *problem.kit.fixed,
            ]
            prelude = tuple((name, term) for name, term, _ in draws)
            made.append(
                Workshop(
                    problem.model,
                    place,
                    parts,
                    shop.promised,
                    shop.need,
                    problem.statistics,
                    problem.clock,
                    prelude,
                )
            )
    return made


def extended(place: PatchPlace, draws: list[tuple[str, Term, Sets]]) -> PatchPlace:
    """The place after some named draws: their values become locals."""
    made = PatchPlace(place.node, place.ending, place.paths, dict(place.locals))
    for name, term, _ in draws:
        made.locals[name] = x.var(name, term.type)
    for i, (args, values) in enumerate(place.environments):
        for more in itertools.product(*(sets[i] for _, _, sets in draws)):
            made.environments.append((args, (*values, *more)))
    return made


def _sets(shop: Workshop, term: Term) -> Any:
    if not term.args:
        return shop.leaf(term.component)
    return shop.apply(term.component, tuple(_sets(shop, a) for a in term.args))


def _constant(value: int) -> Component:
    return Component("constant", str(value), INT, (), 1, expression=x.integer(value))


def _name(stem: str, taken: set[str]) -> str:
    """A fresh, readable name for a drawn value."""
    base = stem.split(" ")[0].lower() if stem.isidentifier() else stem[:1].lower()
    base = base if base.isidentifier() else "value"
    name = next(
        n for n in itertools.chain([base], (f"{base}{i}" for i in itertools.count(2))) if n not in taken
    )
    taken.add(name)
    return name


def choose(candidates: list[Candidate], everything: int) -> list[Candidate] | None:
    """A small, cheap selection that covers everything; None if there is none."""
    union = 0
    for c in candidates:
        union |= c.covers
    if union & everything != everything:
        return None
    picked: list[Candidate] = []
    left = everything
    useful = [c for c in candidates if c.covers]
    while left:
        best = max(useful, key=lambda c: ((c.covers & left).bit_count(), -c.cost, -c.makes))
        picked.append(best)
        left &= ~best.covers
    return tighten(drop_redundant(picked, everything), useful, everything)


def most(candidates: list[Candidate], everything: int) -> list[Candidate]:
    """A selection that covers as much as these candidates can, when they cannot cover everything."""
    reach = 0
    for c in candidates:
        reach |= c.covers
    return choose(candidates, reach & everything) or []


def drop_redundant(picked: list[Candidate], everything: int) -> list[Candidate]:
    """Leave out candidates that the others cover anyway, the most expensive first."""
    for c in sorted(picked, key=lambda c: -c.cost):
        others = 0
        for d in picked:
            if d is not c:
                others |= d.covers
        if others & everything == everything:
            picked = [d for d in picked if d is not c]
    return picked


def tighten(picked: list[Candidate], candidates: list[Candidate], everything: int) -> list[Candidate]:
    """Swap each pick for the candidate that makes least and still completes the cover: `[2 * x]` rather than
    `even_list(s - 1)` if only single elements were missing."""
    for i, c in enumerate(picked):
        others = 0
        for j, d in enumerate(picked):
            if j != i:
                others |= d.covers
        rest = everything & ~others
        fitting = [d for d in candidates if d.covers & rest == rest]
        best = min(fitting, key=lambda d: (d.makes, d.recursive, d.cost, d.size), default=c)
        picked[i] = best
    return picked
