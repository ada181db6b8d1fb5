"""The default: look at the generator and choose."""

from __future__ import annotations

from collections.abc import Generator

from everycase.errors import NotCountable
from everycase.explore.base import Case, Explorer, Outcome, Space
from everycase.explore.exhaustive import Exhaustive
from everycase.explore.random import Random


class Auto(Explorer):
    """Exhaustive when every value fits into the budget, else random."""

    def explore(self, space: Space) -> Generator[Case, Outcome, None]:
        yield from self.choose(space).explore(space)

    def choose(self, space: Space) -> Explorer:
        try:
            count = space.gen.cardinality
        except NotCountable:
            return Random()
        return Exhaustive() if count <= space.budget else Random()
