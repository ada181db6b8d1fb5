"""The default: look at the generator and choose."""

from __future__ import annotations

from collections.abc import Generator

from everycase.enumeration import fits
from everycase.explore.base import Case, Explorer, Outcome, Space
from everycase.explore.exhaustive import Exhaustive
from everycase.explore.search import Climb


class Auto(Explorer):
    """Exhaustive when every value fits into the budget, else random, and targeted once a test reports a utility."""

    def explore(self, space: Space) -> Generator[Case, Outcome, None]:
        chosen = self.choose(space)
        if chosen is not self:
            yield from chosen.explore(space)
            return
        sample = space.sample
        while True:
            case = sample()
            outcome = yield case
            if outcome.utilities:
                break
        yield from Climb().continue_from(space, case, outcome)

    def choose(self, space: Space) -> Explorer:
        """Exhaustive() if every value can be tested, else this one."""
        return Exhaustive() if fits(space.gen, space.budget) else self
