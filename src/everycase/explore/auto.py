"""The default: look at the generator and choose."""

from __future__ import annotations

from collections.abc import Generator

from everycase.enumeration import fits
from everycase.explore.base import Case, Explorer, Outcome, Space
from everycase.explore.exhaustive import Exhaustive
from everycase.explore.search import Climb

#: After so many cases Auto looks whether too few of them are valid: fewer than one in :data:`FEW`.
TRIAL = 200
FEW = 10


class Auto(Explorer):
    """Exhaustive when every value fits into the budget, else random, and targeted once a test reports a utility.

    When most inputs do not satisfy the precondition (``where``, ``filter``) and pruning can find those that do, it goes
    on with :class:`~everycase.explore.Narrow`.
    """

    def explore(self, space: Space) -> Generator[Case, Outcome, None]:
        chosen = self.choose(space)
        if chosen is not self:
            yield from chosen.explore(space)
            return
        sample = space.sample
        tried = valid = 0
        while True:
            case = sample()
            outcome = yield case
            if outcome.utilities:
                break
            if tried < TRIAL:
                tried += 1
                valid += outcome.status != "discarded"
                if tried == TRIAL and valid * FEW < TRIAL:
                    from everycase.explore.narrow import Narrow

                    if Narrow.can_prune(space):
                        yield from Narrow(order="mixed").explore(space)
                        return
        yield from Climb().continue_from(space, case, outcome)

    def choose(self, space: Space) -> Explorer:
        """Exhaustive() if every value can be tested, else this one."""
        return Exhaustive() if fits(space.gen, space.budget) else self
