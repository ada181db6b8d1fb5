"""Hill climbing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from everycase.explore.targeted.search import Search


class Climb(Search):
    """Hill climbing: move to a neighbour that is at least as good."""

    def accept(self, state: Any, before: float, now: float, random: Callable[[], float]) -> bool:
        return now >= before if self.ties else now > before
