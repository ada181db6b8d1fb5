"""The default: look at the generator and choose."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Sequence
from typing import Any

from everycase.explore.case import last_of
from everycase.explore.exhaustive import Exhaustive
from everycase.explore.protocol import DISCARDED, Case, Explorer, Outcome, Space
from everycase.explore.random import first_case, until_a_utility
from everycase.explore.targeted.climb import Portfolio
from everycase.explore.targeted.usual import UsualTests, without_utilities
from everycase.gen.graph import beneath
from everycase.gen.kinds import Filter, Map

#: The number of tests in which the assertions must report how far an input is from failing. The first
#: ``PLAIN`` of them run before the test's source is read: reading takes longer than running them, and many
#: bugs show at once.
TRIAL, PLAIN = 30, 10
#: After ``PATIENCE`` tests without a rise, a search that the user did not ask for gets only one test in ``2 * SELDOM``.
PATIENCE = 300
SELDOM = 4
#: A search that has risen this often gets as many more tests as it took to rise that far.
OFTEN = 3
#: Maximum number of assertions of one test that are searched.
MOST_ASSERTIONS = 8
#: The most inputs in a row that such a search passes over because they do not satisfy the conditions.
PASSED_OVER = 64

#: A case that reported a utility, with its outcome; and where cases come from until there is one.
Promising = tuple[Case, Outcome] | None
#: The same, and the tests that a run would make without a search.
Found = tuple[Case, Outcome, UsualTests] | None
Source = Generator[Case, Outcome, Promising]


class Auto(Explorer):
    """Exhaustive when every value fits into the budget, else random, and targeted once a test reports a utility.

    If inputs must satisfy conditions (``where``, ``filter``, ``assume`` or a guard at the beginning of the
    test), it searches for valid ones by sampling and by pruning, and does more of whatever yields more
    different and larger inputs: see :mod:`everycase.explore.yields` for the rule.
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

    def _until_a_utility(self, space: Space) -> Generator[Case, Outcome, Found]:
        """Random testing, or a search for valid inputs; ends with the first case that reports a utility, and returns
        how it would have continued."""
        if space.preconditions or _filters(space):
            return (yield from self._search_for_valid(space))
        cases = []
        for number in range(PLAIN):
            case = (None if number else first_case(space)) or space.sample()
            outcome = yield case
            cases.append(case)
            if outcome.utilities:
                return case, outcome, UsualTests(_without_goals(space, cases))
        if space.leading:
            return (yield from self._search_for_valid(space, cases))
        return (yield from self._with_goals(space, until_a_utility(space), PLAIN))

    def _search_for_valid(self, space: Space, tested: Sequence[Case] = ()) -> Generator[Case, Outcome, Found]:
        from everycase.explore.valid import SAMPLES_PER_TEST
        from everycase.explore.yields import valid_cases

        source = valid_cases(space, tested)
        if space.fits(SAMPLES_PER_TEST * space.budget):
            # So few that every one of them is asked: a search for goals could only repeat some.
            return (yield from _up_to_a_utility(source))
        return (yield from self._with_goals(space, source, len(tested)))

    def _with_goals(self, space: Space, source: Source, tested: int = 0) -> Generator[Case, Outcome, Found]:
        """The cases of ``source``, and between them a search for what brings the test's own assertions nearer to failing, if
        they turn out to compare numbers. ``tested`` cases came before.

        The user did not ask for this search, so it never gets more than half of the tests, and few while it
        does not improve.
        """
        searches: list[_Nearing] = []
        is_valid = _validity(space) if space.preconditions or space.leading else None
        near, turn, sent = None, 0, None
        space.use_goals(tested >= PLAIN)
        while True:
            rising = [search for search in searches if search.rises]
            turn += bool(searches)
            if not searches or turn % (2 if rising else 2 * SELDOM):
                try:
                    case = source.send(sent)  # type: ignore[arg-type]
                except StopIteration:
                    return None
                outcome = sent = yield case
                if outcome is None:  # it is still looking for its next case
                    turn -= bool(searches)
                    continue
                case = last_of(case)
            else:
                among = rising or searches
                search = among[turn // 2 % len(among)]
                if is_valid is not None:
                    search.pass_over(is_valid)
                case = search.proposed
                outcome = yield case
                if not outcome.utilities or outcome.guessed:
                    search.learn(outcome)
            if outcome.utilities and not outcome.guessed:
                return case, outcome, UsualTests(source, without_utilities(sent) if sent else None)
            if outcome.guessed and outcome is sent:
                sent = without_utilities(outcome)
            if not searches and tested < TRIAL and outcome.status == "passed":
                tested += 1
                space.use_goals(PLAIN <= tested < TRIAL)
            if outcome.status != "passed":
                continue
            if searches or (near is not None and outcome.utilities and outcome.utilities != near):
                for label in outcome.utilities:
                    if len(searches) < MOST_ASSERTIONS and all(label != search.label for search in searches):
                        searches.append(_Nearing(space, label, case, outcome))
            near = outcome.utilities or near

    def choose(self, space: Space) -> Explorer:
        """Exhaustive() if every value can be tested, else this one."""
        return Exhaustive() if space.fits(space.budget) else self


class _Nearing:
    """A search for inputs that bring one assertion nearer to failing. Two assertions may pull in opposite
    directions, so each is searched separately."""

    def __init__(self, space: Space, label: str, case: Case, outcome: Outcome) -> None:
        self.label = label
        self.best = outcome.utilities[label]
        #: its tests, how many of them it had when it last rose, and how often it rose
        self.tests = self.rose_at = self.risen = 0
        self._search = Portfolio().continue_from(space, case, self._seen(outcome))
        self.proposed = next(self._search)

    @property
    def rises(self) -> bool:
        """Whether it makes progress: the more often it rose, the longer that may take."""
        return self.tests - self.rose_at < PATIENCE + (self.rose_at if self.risen >= OFTEN else 0)

    def learn(self, outcome: Outcome) -> None:
        distance = outcome.utilities.get(self.label, -math.inf)
        self.tests += 1
        if distance > self.best:
            self.best, self.rose_at = distance, self.tests
            self.risen += 1
        self.proposed = self._search.send(self._seen(outcome))

    def pass_over(self, is_valid: Callable[[tuple[Any, ...]], bool]) -> None:
        """Advance to an input that satisfies the conditions, if one of the next few does."""
        for _ in range(PASSED_OVER):
            args = self.proposed.args
            if args is not None and is_valid(args):
                return
            self.proposed = self._search.send(DISCARDED)

    def _seen(self, outcome: Outcome) -> Outcome:
        """The outcome as far as this assertion is concerned."""
        distance = outcome.utilities.get(self.label)
        utilities = {} if distance is None else {self.label: distance}
        return Outcome(outcome.status, outcome.error, utilities, reset_requested=outcome.reset_requested)


def _validity(space: Space) -> Callable[[tuple[Any, ...]], bool]:
    from everycase.explore.valid import Guards

    return Guards(space).hold


def _up_to_a_utility(source: Source) -> Generator[Case, Outcome, Found]:
    """The cases of a source that can be continued."""
    sent: Any = None
    while True:
        try:
            case = source.send(sent)
        except StopIteration:
            return None
        outcome = sent = yield case
        if outcome is not None and outcome.utilities:
            return last_of(case), outcome, UsualTests(source, without_utilities(outcome))


def _without_goals(space: Space, cases: Sequence[Case]) -> Generator[Case, Outcome, None]:
    """What a run tests after these first cases if no test reports a utility."""
    for _ in range(PLAIN - len(cases)):
        case = space.sample()
        yield case
        cases = [*cases, case]
    if space.leading:
        from everycase.explore.yields import valid_cases

        yield from valid_cases(space, cases)
        return
    while True:
        yield space.sample()


def _filters(space: Space) -> bool:
    """Whether an argument is filtered. Filters redraw values that do not pass, so discards do not show it."""
    gens: Any = space.gen
    return any(_is_filtered(gen) for gen in gens.parts)


def _is_filtered(gen: Any) -> bool:
    return isinstance(beneath(gen, Map), Filter)
