"""Sorted lists of exactly s elements, none below x."""

from __future__ import annotations

from completeness_suite.rejecting import assume
from everycase import covers, gen


def sorted_from(items: list[int], x: int) -> bool:
    return not items or (x <= items[0] and sorted_from(items[1:], items[0]))


@covers(lambda v, s, x: len(v) == s and sorted_from(v, x), requires=lambda s: s >= 0)
@gen.composite
def sorted_list(draw, s: int, x: int) -> list[int]:
    if s == 0:
        return []  # A
    y = draw(gen.integers())
    if x <= y:
        return [y, *draw(sorted_list(s - 1, y))]  # B
    else:
        assume(False)  # C
