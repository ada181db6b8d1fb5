"""The search that runs by default: climbing, and annealing beside it as soon as climbing slows down.

No strategy is the best on every problem, and nobody knows beforehand which one a problem wants. So the search that rises
has all the tests. When it slows down, one test in three goes to another island: a climb from a fresh value, an annealing
search from the best one found, and so on in turn. Whichever gets ahead has the tests from then on.
"""

from __future__ import annotations

from everycase.explore.targeted.anneal import Anneal
from everycase.explore.targeted.climb import Climb
from everycase.explore.targeted.search import Search


class Portfolio(Climb):
    """Climbing and annealing islands that share their tests."""

    def islands(self) -> list[Search]:
        return [self, Anneal("fast", restart=self.restart), self, Anneal(restart=self.restart)]
