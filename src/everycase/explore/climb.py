"""Hill climbing on what the property reports with ``maximize`` and ``minimize``."""

from __future__ import annotations

from collections.abc import Generator

from everycase.explore.base import Case, Explorer, Outcome, Space


#: The size budget of the first value of a search: large enough to have something to change, small enough to change it.
START_SIZE = 64


class Climb(Explorer):
    def __init__(self, restart: int = 1000) -> None:
        self.restart = restart

    def explore(self, space: Space) -> Generator[Case, Outcome, None]:
        base = None
        best = None
        stalled = 0
        while True:
            case = space.enact(None, size=START_SIZE) if base is None else space.neighbor(base, 1.0)
            outcome = yield case
            if not outcome.utilities:
                continue
            utility = next(iter(outcome.utilities.values()))
            if best is None or utility >= best:
                stalled = stalled + 1 if utility == best else 0
                base, best = case.trace, utility
            else:
                stalled += 1
            if stalled > self.restart:
                base = best = None
                stalled = 0
