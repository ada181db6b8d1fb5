"""Exactly s copies of x."""

from __future__ import annotations

from everycase import covers, gen


def all_equal(items: list[int], x: int) -> bool:
    return not items or (items[0] == x and all_equal(items[1:], x))


@covers(lambda v, s, x: len(v) == s and all_equal(v, x), requires=lambda s: s >= 0)
@gen.composite
def duplicate_list(draw, s: int, x: int) -> list[int]:
    if s == 0:
        return []  # A
    else:
        return [x, *draw(duplicate_list(s - 1, x))]  # B
