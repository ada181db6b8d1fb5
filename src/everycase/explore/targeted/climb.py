"""Hill climbing, alone and as the first of the searches that run by default.

No strategy is the best on every problem, and it is not known in advance which one suits a problem. So in the
portfolio the search that improves gets all tests. When it slows down, one test in three goes to another
island in turn: an annealing search from the best value found, or a climb from a fresh one. Whichever gets
ahead gets the tests from then on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from everycase.explore.targeted.anneal import Anneal
from everycase.explore.targeted.search import TargetedSearch


class Climb(TargetedSearch):
    """Hill climbing: move to a neighbour that is at least as good."""

    def accept(self, state: Any, before: float, now: float, random: Callable[[], float]) -> bool:
        return now >= before if self.ties else now > before


class Portfolio(Climb):
    """Climbing and annealing islands that share their tests."""

    def islands(self) -> list[TargetedSearch]:
        return [self, Anneal("fast", restart=self.restart), self, Anneal(restart=self.restart)]
