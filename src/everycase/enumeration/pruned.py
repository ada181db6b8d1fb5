"""The indices of the values that pass a filter, found by pruning, so that enumeration can count and index
them."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from itertools import count
from threading import RLock
from typing import Any

from everycase.choices.time_limit import look
from everycase.choices.trace import Trace
from everycase.enumeration.rank import rank
from everycase.enumeration.spaces.base import Ended, Space
from everycase.enumeration.spaces.sieve import LazySequence
from everycase.errors import EverycaseWarning, NotCountable, Untrusted
from everycase.gen.kinds import Filter
from everycase.narrow.arguments import names_of
from everycase.narrow.search import Narrowing

#: Maximum number of evaluations of the predicate.
MOST_EVALUATIONS = 2_000_000
#: Maximum number of values of one size that are indexed.
MOST_INDICES = 2**16
#: The cost of an evaluation on a half-decided value, and of a value that passes (its index is computed), in
#: values that are tried one by one. If pruning has cost as much as trying all of them, it is given up, and
#: they are tried.
EVALUATION, FOUND = 3, 40
#: How often this is checked, in evaluations.
BEAT = 256


class TooManyEvaluations(NotCountable):
    """The values that pass a filter are too many, or too far apart, to be counted."""


class FoundByPruning(LazySequence):
    """The values of a filter up to a size, smaller sizes first, in the order of the search: no count is
    needed.

    The values found so far are kept, because all iterations share one search.
    """

    def __init__(self, gen: Filter[Any], size: int) -> None:
        self.gen = gen
        self._found: list[Any] = []
        self._search = self._stream(size)
        self._lock = RLock()

    def _stream(self, most: int) -> Iterator[Any]:
        for size in range(most + 1):
            search = Narrowing([self.gen])
            for found in search.search(size, exactly=True):
                yield found.args[0]
            if search.incomplete:
                raise NotCountable(
                    f"{self.gen!r} has values of size {size} that are nested too deeply to be found by pruning"
                )

    def at(self, i: int) -> Any:
        while i >= len(self._found):
            with self._lock:
                if i >= len(self._found):
                    following = next(self._search, self)
                    if following is self:
                        raise Ended("there are no more values")
                    self._found.append(following)
        return self._found[i]

    def values(self) -> Iterator[Any]:
        for i in count():
            try:
                value = self.at(i)
            except Ended:
                return
            yield value

    def number(self, trace: Trace[Any]) -> int:
        raise NotCountable(f"the values of {self.gen!r} up to this size cannot be indexed")


def passing_indices(gen: Filter[Any], source: Space, size: int, scannable: int) -> list[int] | None:
    """The indices of the values of one size (``source``) that pass, in order; None if they should be tried
    one by one.

    ``scannable`` is the maximum number of values that can be tried one by one.
    """
    search = Narrowing([gen])
    if not search.prunes:
        return None
    indices: list[int] = []
    worth = source.count if source.count <= scannable else math.inf
    try:
        for found in search.steps(size, exactly=True, beat=BEAT):
            look()
            tries = search.statistics.tries
            if EVALUATION * tries + FOUND * len(indices) > worth:
                return None
            if found is None:
                if tries <= MOST_EVALUATIONS:
                    continue
                raise TooManyEvaluations(
                    f"{gen!r} cannot be counted: more than {MOST_EVALUATIONS:,} evaluations of its predicate were not "
                    f"enough for size {size}. Let the predicate reject early, or search with explore=Narrow(max_size=...)"
                )
            if len(indices) >= MOST_INDICES:
                raise TooManyEvaluations(
                    f"{gen!r} cannot be counted: more than {MOST_INDICES:,} values of size {size} pass. Iterate over it, or "
                    "search with explore=Narrow(max_size=...)"
                )
            (choices,) = search.arguments.choices(layers=False).children
            assert choices is not None
            indices.append(rank(source, choices))
    except Untrusted as problem:
        if source.count <= scannable:
            return None
        warnings.warn(
            f"{names_of(search.conditions)} cannot be used for pruning: {problem}",
            EverycaseWarning,
            stacklevel=2,
        )
        return None
    return None if search.incomplete else sorted(indices)
