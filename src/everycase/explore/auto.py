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
#: What pruning may cost when nobody asked for it, for each test that is wanted; or for each value found, if that is more.
EVALUATIONS_PER_TEST = 300
EVALUATIONS_PER_VALUE = 2000


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
        found = yield from self._until_a_utility(space)
        if found is not None:
            yield from Climb().continue_from(space, *found)

    def _until_a_utility(self, space: Space) -> Generator[Case, Outcome, tuple[Case, Outcome] | None]:
        """Random testing, and pruning where that promises more; ends with the first case that reports a utility."""
        sample = space.sample
        valid = 0
        for _ in range(TRIAL):
            case = sample()
            outcome = yield case
            if outcome.utilities:
                return case, outcome
            valid += outcome.status != "discarded"
        few = valid * FEW < TRIAL
        if few or _filters(space):
            from everycase.explore.narrow import Narrow

            if Narrow.can_prune(space) and (few or Narrow.few_pass(space)):
                yield SEARCHING  # what it took to decide this is not the time that making inputs takes
                hunt = Narrow(max_evaluations=EVALUATIONS_PER_TEST * space.budget).begin(space)
                covered = hunt.covered

                def both() -> str:
                    """What was found by pruning, apart from what was sampled."""
                    more = f"; {valid:,} more by sampling" if valid else ""
                    return f"by pruning {covered()}{more}" if valid or not hunt.accepted else covered()

                space.covered = both
                for case in hunt.cases():
                    # Pruning finds small values; the few large ones that pass a filter are worth a test. (Also while it
                    # finds none: a filter that looks at everything is better sampled from.) They come first, so that
                    # the search goes on, and counts its value, as soon as that is tested.
                    if not few:
                        sampled = sample()
                        outcome = yield sampled
                        if outcome.utilities:
                            return sampled, outcome
                        valid += outcome.status != "discarded"
                    outcome = yield case
                    if case is not SEARCHING:
                        hunt.limit = max(hunt.limit, EVALUATIONS_PER_VALUE * (hunt.accepted + 1))
                        if outcome.utilities:
                            return case, outcome
                if space.exhausted or (few and hunt.accepted):
                    return None
                space.stopped = None
        while True:
            case = sample()
            outcome = yield case
            if outcome.utilities:
                return case, outcome
            valid += outcome.status != "discarded"

    def choose(self, space: Space) -> Explorer:
        """Exhaustive() if every value can be tested, else this one."""
        return Exhaustive() if fits(space.gen, space.budget) else self


def _filters(space: Space) -> bool:
    """Whether an argument is filtered. Filters draw again what does not pass, so that discards do not show it."""
    gens: Any = space.gen
    return any(isinstance(gen, Filter) for gen in gens.parts)
