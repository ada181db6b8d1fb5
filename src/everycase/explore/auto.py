"""The default: look at the generator and choose."""

from __future__ import annotations

import math
from collections.abc import Generator
from typing import Any

from everycase.enumeration import fits
from everycase.explore.exhaustive import Exhaustive
from everycase.explore.protocol import Case, Explorer, Outcome, Space
from everycase.explore.random import first_case, until_a_utility
from everycase.explore.targeted.climb import Portfolio
from everycase.gen.kinds import Defer, Filter, Map

#: The number of tests in which the assertions must tell how far an input is from failing. Of these, the first ``PLAIN``
#: run before the test's source is read: reading takes longer than running them, and many bugs show at once.
TRIAL, PLAIN = 30, 10
#: After ``PATIENCE`` tests without a rise, a search that the user did not ask for gets only one test in ``2 * SELDOM``.
PATIENCE = 300
SELDOM = 4
#: The most assertions of one test that are searched.
MOST_ASSERTIONS = 8


class Auto(Explorer):
    """Exhaustive when every value fits into the budget, else random, and targeted once a test reports a utility.

    Where inputs must satisfy conditions (``where``, ``filter``, ``assume`` or a guard at the beginning of the test) it
    searches for those that do by sampling and by pruning, and does more of what yields more different and larger ones:
    see :mod:`everycase.explore.yields` for the rule.
    """

    open_ended = True
    goes_on = True

    def explore(self, space: Space) -> Generator[Case, Outcome, None]:
        chosen = self.choose(space)
        if chosen is not self:
            yield from chosen.explore(space)
            return
        found = yield from self._until_a_utility(space)
        if found is not None:
            yield from Portfolio().continue_from(space, *found)

    def _until_a_utility(self, space: Space) -> Generator[Case, Outcome, tuple[Case, Outcome] | None]:
        """Random testing, or a search for valid inputs; ends with the first case that reports a utility."""
        if space.preconditions or _filters(space):
            return (yield from self._by_yield(space))
        near = None
        for number in range(TRIAL):
            if number == PLAIN:
                if space.leading:
                    return (yield from self._by_yield(space))
                space.use_goals(True)
            case = first_case(space) if not number else None
            case = case or space.sample()
            outcome = yield case
            if outcome.utilities and not outcome.guessed:
                return case, outcome
            if outcome.utilities and outcome.status == "passed":
                if near is not None and outcome.utilities != near:
                    return (yield from self._by_assertions(space, case, outcome))
                near = outcome.utilities
        space.use_goals(False)
        return (yield from until_a_utility(space))

    def _by_yield(self, space: Space) -> Generator[Case, Outcome, tuple[Case, Outcome] | None]:
        from everycase.explore.yields import valid_cases

        return (yield from valid_cases(space))

    def _by_assertions(
        self, space: Space, case: Case, outcome: Outcome
    ) -> Generator[Case, Outcome, tuple[Case, Outcome] | None]:
        """Random tests, and between them a search for what brings the test's own assertions nearer to failing.

        The user did not ask for that search, so it never gets more than half of the tests, and few while it does not rise.
        """
        searches: list[_Nearing] = []
        turn = 0
        while True:
            turn += 1
            for label in outcome.utilities:
                if len(searches) < MOST_ASSERTIONS and all(label != search.label for search in searches):
                    searches.append(_Nearing(space, label, case, outcome))
            rising = [search for search in searches if search.waited < PATIENCE]
            if turn % (2 if rising else 2 * SELDOM):
                case = space.sample()
                outcome = yield case
            else:
                among = rising or searches
                search = among[turn // 2 % len(among)]
                case = search.proposed
                outcome = yield case
                if not outcome.utilities or outcome.guessed:
                    search.learn(outcome)
            if outcome.utilities and not outcome.guessed:
                return case, outcome

    def choose(self, space: Space) -> Explorer:
        """Exhaustive() if every value can be tested, else this one."""
        return Exhaustive() if fits(space.gen, space.budget) else self


class _Nearing:
    """A search for what brings one assertion nearer to failing. Two of them may pull in opposite directions, so that each
    is searched by itself."""

    def __init__(self, space: Space, label: str, case: Case, outcome: Outcome) -> None:
        self.label = label
        self.best = outcome.utilities[label]
        #: how many tests ago it last rose
        self.waited = 0
        self._search = Portfolio().continue_from(space, case, self._seen(outcome))
        self.proposed = next(self._search)

    def learn(self, outcome: Outcome) -> None:
        distance = outcome.utilities.get(self.label, -math.inf)
        self.waited += 1
        if distance > self.best:
            self.best, self.waited = distance, 0
        self.proposed = self._search.send(self._seen(outcome))

    def _seen(self, outcome: Outcome) -> Outcome:
        """The outcome as far as this assertion is concerned."""
        distance = outcome.utilities.get(self.label)
        utilities = {} if distance is None else {self.label: distance}
        return Outcome(outcome.status, outcome.error, utilities, reset_requested=outcome.reset_requested)


def _filters(space: Space) -> bool:
    """Whether an argument is filtered. Filters draw again what does not pass, so that discards do not show it."""
    gens: Any = space.gen
    return any(_is_filtered(gen) for gen in gens.parts)


def _is_filtered(gen: Any) -> bool:
    while isinstance(gen, Map | Defer):
        gen = gen.source if isinstance(gen, Map) else gen.target
    return isinstance(gen, Filter)
