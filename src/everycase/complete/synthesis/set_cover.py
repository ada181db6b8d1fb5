"""Choose candidates: together they must make every needed case, and there should be few of them."""

from __future__ import annotations

from everycase.complete.synthesis.bottom_up import Candidate


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
