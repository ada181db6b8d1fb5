"""Lists with at most s elements."""

from __future__ import annotations

from everycase import covers, gen


@covers(lambda v, s: len(v) <= s, requires=lambda s: s >= 0)
@gen.composite
def sized_list(draw, s: int) -> list[int]:
    if s == 0:
        return []  # A
    elif draw(gen.booleans()):
        return []  # B
    else:
        return [draw(gen.integers()), *draw(sized_list(s - 1))]  # C
