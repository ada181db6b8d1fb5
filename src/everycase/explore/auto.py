"""The default: look at the generator and choose."""

from __future__ import annotations

from collections.abc import Generator

from everycase.enumeration import fits
from everycase.explore.base import Case, Explorer, Outcome, Space
from everycase.explore.exhaustive import Exhaustive
from everycase.explore.random import Random


class Auto(Explorer):
    """Exhaustive when every value fits into the budget, else random."""

    def explore(self, space: Space) -> Generator[Case, Outcome, None]:
        yield from self.choose(space).explore(space)

    def choose(self, space: Space) -> Explorer:
        return Exhaustive() if fits(space.gen, space.budget) else Random()
