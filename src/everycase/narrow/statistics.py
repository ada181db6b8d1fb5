"""The figures of a search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from everycase.narrow.trail import Place

#: If there are more evaluations than this for each value found, the report has a hint.
MANY_PER_VALUE = 20


class SearchStatistics:
    """Counts over all searches of one :class:`~everycase.narrow.search.Narrowing`."""

    def __init__(self, places: Iterable[Place]) -> None:
        #: how often the predicate was run to search
        self.evaluations = 0
        #: how many of them were on whole values
        self.on_whole = 0
        #: how often a filter inside the generator, or the like, left nothing to run the predicate on
        self.dead_ends = 0
        #: how often a completed value was smaller than the searched size
        self.too_small = 0
        #: decisions that were undone because a rejection did not depend on them
        self.jumped = 0
        #: classes of values of which some were left out
        self.left_out = 0
        #: values found
        self.accepted = 0
        #: completions of rejected partial values that were checked
        self.audited = 0
        #: how often the predicate raised an exception on a partial value
        self.raised = 0
        self.places = places

    @property
    def tries(self) -> int:
        """The total effort of the search."""
        return self.evaluations + self.dead_ends + self.too_small

    @property
    def per_value(self) -> float:
        """Evaluations for each value found."""
        return self.evaluations / max(1, self.accepted)

    def look(self, trail: list[list[Any]]) -> None:
        """Count the places of one evaluation; a sample of them is enough."""
        for entry in trail:
            entry[4].looks += 1


def looked_at(searches: Iterable[SearchStatistics], most: int = 5) -> list[tuple[str, float]]:
    """Where the predicate looked most: places and their shares of all (sampled) looks."""
    looks: Counter[str] = Counter()
    for search in searches:
        for place in search.places:
            looks[str(place)] += place.looks
    total = sum(looks.values())
    ranked = sorted((+looks).items(), key=lambda item: (-item[1], item[0]))
    return [(place, count / total) for place, count in ranked[:most]]
