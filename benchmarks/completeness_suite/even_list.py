"""Lists of even numbers, one to s + 1 elements."""

from __future__ import annotations

from everycase import covers, gen


def all_even(items: list[int]) -> bool:
    return not items or (items[0] % 2 == 0 and all_even(items[1:]))


@covers(lambda v, s: 0 < len(v) <= s + 1 and all_even(v), requires=lambda s: s >= 0)
@gen.composite
def even_list(draw, s: int) -> list[int]:
    if s == 0:
        return [2 * draw(gen.integers())]  # A
    elif draw(gen.booleans()):
        return [2 * draw(gen.integers())]  # B
    else:
        return [2 * draw(gen.integers()), *draw(even_list(s - 1))]  # C
