"""Exactly s different elements."""

from __future__ import annotations

from completeness_suite.rejecting import assume
from everycase import covers, gen


def unique(items: list[int]) -> bool:
    return not items or (items[0] not in items[1:] and unique(items[1:]))


@covers(lambda v, s: len(v) == s and unique(v), requires=lambda s: s >= 0)
@gen.composite
def unique_list(draw, s: int) -> list[int]:
    if s == 0:
        return []  # A
    rest = draw(unique_list(s - 1))
    x = draw(gen.integers())
    if x in rest:
        assume(False)  # C
    else:
        return [x, *rest]  # B
