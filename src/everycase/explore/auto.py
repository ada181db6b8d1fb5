"""The default: look at the generator and choose."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from everycase.enumeration import fits
from everycase.explore.base import SEARCHING, Case, Explorer, Outcome, Space
from everycase.explore.exhaustive import Exhaustive
from everycase.explore.search import Climb
from everycase.gen.kinds import Filter

#: After so many cases Auto looks whether too few of them are valid: fewer than one in :data:`FEW`.
TRIAL = 20
FEW = 10
#: What pruning may cost when nobody asked for it.
EVALUATIONS_PER_TEST = 300


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
                if tried == TRIAL and (valid * FEW < TRIAL or _filters(space)):
                    from everycase.explore.narrow import Narrow

                    if Narrow.can_prune(space) and (valid * FEW < TRIAL or Narrow.few_pass(space)):
                        yield SEARCHING  # what it took to decide this is not the time that making inputs takes
                        limit = EVALUATIONS_PER_TEST * space.budget
                        for case in Narrow(max_evaluations=limit).explore(space):
                            outcome = yield case
                            # Pruning finds small values; the few large ones that pass a filter are worth a test.
                            if valid * FEW >= TRIAL and case is not SEARCHING and not outcome.utilities:
                                case = sample()
                                outcome = yield case
                            if case is not SEARCHING and outcome.utilities:
                                break
                        else:
                            return
                        break
        yield from Climb().continue_from(space, case, outcome)

    def choose(self, space: Space) -> Explorer:
        """Exhaustive() if every value can be tested, else this one."""
        return Exhaustive() if fits(space.gen, space.budget) else self


def _filters(space: Space) -> bool:
    """Whether an argument is filtered. Filters draw again what does not pass, so that discards do not show it."""
    gens: Any = space.gen
    return any(isinstance(gen, Filter) for gen in gens.parts)
