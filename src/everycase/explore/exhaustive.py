"""Testing every value."""

from __future__ import annotations

from collections.abc import Generator

from everycase.explore.base import Case, Explorer, Outcome, Space


class Exhaustive(Explorer):
    """Every value, simplest first, until there is none left or the budget ends."""

    def explore(self, space: Space) -> Generator[Case, Outcome, None]:
        from everycase.enumeration.walk import walk  # type: ignore[import-not-found, unused-ignore]

        for trace in walk(space.gen):
            yield Case(trace.value, trace)
        space.exhausted = True
