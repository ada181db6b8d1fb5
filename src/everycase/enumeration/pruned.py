"""The numbers of the values that pass a filter, found by pruning: what enumeration needs to count and index them."""

from __future__ import annotations

import math
import warnings
from typing import Any

from everycase.choices.time_limit import look
from everycase.enumeration.rank import rank
from everycase.enumeration.spaces.finite import Space
from everycase.errors import EverycaseWarning, NotCountable, Untrusted
from everycase.gen.kinds import Filter
from everycase.narrow.arguments import names_of
from everycase.narrow.search import Narrowing

#: The most evaluations of the predicate that are made.
MOST_EVALUATIONS = 2_000_000
#: The most values of one size that are numbered.
MOST_NUMBERED = 2**16
#: What an evaluation on a half-decided value costs, and a value that passes (its number is worked out), in values that are
#: tried one by one. Pruning that has cost as much as trying all of them is given up, and they are tried.
EVALUATION, FOUND = 3, 40
#: How often that is looked at, in evaluations.
BEAT = 256


def passing_numbers(gen: Filter[Any], source: Space, size: int, scannable: int) -> list[int] | None:
    """The numbers of the values of one size (``source``) that pass, in order; None if they are to be tried one by one.

    ``scannable`` is how many values can be tried one by one at most.
    """
    search = Narrowing([gen])
    if not search.prunes:
        return None
    numbers: list[int] = []
    worth = source.count if source.count <= scannable else math.inf
    try:
        for found in search.steps(size, exactly=True, beat=BEAT):
            look()
            tries = search.statistics.tries
            if EVALUATION * tries + FOUND * len(numbers) > worth:
                return None
            if found is None:
                if tries <= MOST_EVALUATIONS:
                    continue
                raise NotCountable(
                    f"{gen!r} cannot be counted: more than {MOST_EVALUATIONS:,} evaluations of its predicate were not "
                    f"enough for size {size}. Let the predicate reject early, or search with explore=Narrow(max_size=...)"
                )
            if len(numbers) >= MOST_NUMBERED:
                raise NotCountable(
                    f"{gen!r} cannot be counted: more than {MOST_NUMBERED:,} values of size {size} pass. Iterate over it, or "
                    "search with explore=Narrow(max_size=...)"
                )
            (choices,) = search.arguments.choices(layers=False).children
            assert choices is not None
            numbers.append(rank(source, choices))
    except Untrusted as problem:
        if source.count <= scannable:
            return None
        warnings.warn(
            f"{names_of(search.conditions)} cannot be used for pruning: {problem}",
            EverycaseWarning,
            stacklevel=2,
        )
        return None
    return sorted(numbers)
