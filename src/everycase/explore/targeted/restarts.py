"""Several searches in turn: one that has slowed down continues beside a new one, and the better one is kept.

A search may stall because it is in a dead end, or because the next step is rare. These cannot be
distinguished, so it is not given up, but it does not get all the tests either: one in three is for a new
search, the challenger. A search is slow if at most 20 % of its improvement came in the last 80 % of its tests. Those are
proportions, so the scale of the utilities does not matter.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Generator
from typing import Any

from everycase.explore.protocol import Case, Outcome
from everycase.explore.targeted.usual import UsualTests

#: Beside a search that has slowed down, a challenger gets one test in this many.
CHALLENGER_TURN = 3

#: A search is slow if at most the share ``ENOUGH`` of its improvement came in the last share ``RECENT`` of its tests.
RECENT = 0.8
ENOUGH = 0.2

#: Whether it is slow is checked once in this many tests.
LOOK = 16

Steps = Generator[Case, Outcome, Any]


class SearchHistory:
    """One search from one first value: what it reached, and when."""

    def __init__(self, utilities: dict[str, float], patience: int) -> None:
        self.patience = patience
        self.tests = 0
        self.slow = False
        #: by label, the best so far and, for each time it rose, the number of tests and the utility
        self.best: dict[str, float] = {}
        self._times: dict[str, list[int]] = {}
        self._rises: dict[str, list[float]] = {}
        for label, utility in utilities.items():
            self.reached(label, utility)

    def reached(self, label: str, utility: float) -> bool:
        """Record a utility that may be the best so far; returns whether it is."""
        best = self.best.get(label)
        if best is not None and utility <= best:
            return False
        self.best[label] = utility
        self._times.setdefault(label, []).append(self.tests)
        self._rises.setdefault(label, []).append(utility)
        return True

    def count_test(self) -> None:
        """Another test has been made."""
        self.tests += 1
        if self.tests % LOOK == 0 and self.tests > self.patience:
            since = self.tests - max(self.patience, int(RECENT * self.tests))
            self.slow = not any(self._rose(label, since) for label in self.best)

    def _rose(self, label: str, since: int) -> bool:
        rises = self._rises[label]
        then = bisect_right(self._times[label], since)
        # A new label counts as an improvement.
        if not then:
            return True
        # Tolerates rounding errors, whatever the scale of the utilities is.
        return rises[-1] - rises[then - 1] > ENOUGH * (rises[-1] - rises[0]) * (1 + 1e-9)

    def is_ahead_of(self, other: SearchHistory) -> bool:
        """Whether this one is better in more labels than it is worse in."""
        balance = 0
        for label in self.best.keys() | other.best.keys():
            mine, theirs = self.best.get(label, -math.inf), other.best.get(label, -math.inf)
            balance += (mine > theirs) - (mine < theirs)
        return balance > 0


class Running:
    """A search that is going on: its history, and its next steps.

    ``alone`` means that a test asked for a restart while it was starting, so that no other search may
    continue.
    """

    def __init__(
        self,
        history: SearchHistory,
        steps: Steps,
        *,
        alone: bool,
        best: Callable[[], Any] = lambda: None,
        see: Callable[[Case, Outcome], None] = lambda case, outcome: None,
    ) -> None:
        self.history = history
        self.alone = alone
        #: where another search may start
        self.best = best
        #: tells it of a test that it did not propose
        self.see = see
        self._steps = steps
        self.case = next(steps)
        #: a test asked for a restart
        self.over = False

    def learn(self, outcome: Outcome) -> None:
        try:
            self.case = self._steps.send(outcome)
        except StopIteration:
            self.over = True


def in_turn(
    begin: Callable[[bool, Running | None], Generator[Case, Outcome, Running]],
    usual: UsualTests | None = None,
) -> Steps:
    """Search from one value after another; the best search continues until a test resets it.

    Each is started by ``begin``, which is told whether a test asked for that (then no earlier search may
    continue), and beside which other search. Some tests are ``usual`` ones.
    """
    incumbent = yield from begin(False, None)
    challenger: Running | None = None
    turn = 0
    while True:
        if usual is not None and usual.are_due():
            tested = yield from usual.next()
            if tested is not None and tested[1].reset_requested:
                incumbent, challenger, turn = (yield from begin(True, None)), None, 0
            elif tested is not None:
                incumbent.see(*tested)
            continue
        turn += 1
        running = incumbent
        if incumbent.history.slow and turn % CHALLENGER_TURN == 0:
            if challenger is None:
                challenger = yield from begin(False, incumbent)
            running = challenger
            if challenger.alone:
                incumbent, challenger, turn = challenger, None, 1
        running.learn((yield running.case))
        if running.over:
            incumbent, challenger, turn = (yield from begin(True, None)), None, 0
        elif challenger is not None:
            if challenger.history.is_ahead_of(incumbent.history):
                incumbent, challenger = challenger, None
            elif challenger.history.slow:
                challenger = None
