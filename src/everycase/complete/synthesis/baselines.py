"""The two simple repair strategies that the literature compares with."""

from __future__ import annotations

from everycase.complete.search.worlds import Level
from everycase.complete.synthesis.bottom_up import Need
from everycase.complete.synthesis.candidates import ARGUMENTS, spread, workshops
from everycase.complete.synthesis.patch import Branch, Change
from everycase.complete.synthesis.places import PatchPlace, Promised, fill_environments
from everycase.complete.synthesis.problem import Task
from everycase.complete.synthesis.terms import Component, Term


def simple_strategy(task: Task, places: list[PatchPlace], strategy: str, level: Level) -> list[Change]:
    """``complete``: any value of the type in every hole; ``safe``: the smallest term that makes only valid ones."""
    model = task.model
    spots = [p for p in places if p.ending == "hole"] or [
        p for p in places if p.ending in ("return", "reject")
    ]
    any_value = Component("any", "any value", model.result, (), 1)
    if strategy == "complete":
        return [Change(p, (Branch((), Term(any_value, (), 1), False),)) for p in spots]
    promised = Promised(level.world, 2)
    # larger arguments too: a patch that is safe for the smallest ones may not be safe for the next
    arguments = list(
        dict.fromkeys([*level.arguments[:ARGUMENTS], *spread(task.level(4).arguments, ARGUMENTS)])
    )
    changes = []
    for place in spots:
        fill_environments(model, place, arguments, promised, [])
        term: Term | None = None
        if place.environments:
            shop = workshops(task, [place], promised, Need([]))[0]
            for cost in range(1, task.max_cost + 1):
                if not shop.grow(cost) or shop.candidates:
                    break
            term = shop.candidates[0].term if shop.candidates else None
        changes.append(Change(place, (Branch((), term, term is not None and term.recursive(model)),)))
    return changes
