"""The tests of a search that have nothing to do with it: inputs that the run would test without a search.

A search sees few kinds of inputs: those near its best ones. Bugs that ordinary inputs show (no elements, not a number, the same
thing twice) may be far from there, and a run that is given a goal must not become blind to them.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from everycase.explore.case import Batch, Case, Outcome, last_of
from everycase.explore.protocol import SEARCHING

#: One test in this many is a usual one.
SHARE = 10
#: At the beginning more of them come in advance: one in ``EARLY_SHARE`` of the first ``EARLY`` tests. Most bugs that random inputs
#: show at all are shown by the first ones.
EARLY, EARLY_SHARE = 60, 3
#: Looking for the next one behind a rare condition, once, counts as this many of them: it takes about a hundred evaluations of the
#: condition.
LOOK = 10

#: A case and its outcome.
Tested = tuple[Case, Outcome]


class UsualTests:
    """Takes the cases of ``source``, whose last one had the outcome ``sent``, for some of the tests."""

    def __init__(self, source: Generator[Case, Outcome, Any], sent: Outcome | None = None) -> None:
        self._source: Generator[Case, Outcome, Any] | None = source
        self._sent = sent
        #: how many there were, with what was spent on looking for them
        self._spent = 0
        #: how many tests there were, usual ones and others
        self.tests = 0
        #: the usual case that is being tested
        self.case: Case | None = None

    def are_due(self) -> bool:
        """Whether the next test is a usual one."""
        if self._source is None:
            return False
        return self._spent < max(self.tests // SHARE, min(self.tests, EARLY) // EARLY_SHARE)

    def next(self) -> Generator[Case, Outcome, Tested | None]:
        """Test the next one, or look for it once more; returns it, or None if there is none, or none yet."""
        try:
            case = self._source.send(self._sent)  # type: ignore
        except StopIteration:
            self._source = None
            return None
        self.case = case
        outcome = yield case
        self.case = None
        if case is SEARCHING:
            self._spent, self._sent = self._spent + LOOK, None
            return None
        self._spent += max(1, case.done) if isinstance(case, Batch) else 1
        self._sent = without_utilities(outcome)
        return last_of(case), outcome


def without_utilities(outcome: Outcome) -> Outcome:
    """The outcome for a source of cases that ends when a test reports a utility."""
    return Outcome(outcome.status, outcome.error, {}, outcome.events, outcome.notes, outcome.reset_requested)
