"""Parts of a generator's values as generators: of one size, up to a size, and each value equally likely."""

from __future__ import annotations

import math
from typing import Any, TypeVar

from everycase.choices.invert import trace_of, ways_of
from everycase.choices.trace import Trace, sizes
from everycase.enumeration.counting import space_of, tier_of
from everycase.enumeration.pruned import FoundByPruning, TooManyEvaluations
from everycase.enumeration.rank import rank
from everycase.enumeration.spaces.base import SizeOf, Space
from everycase.enumeration.spaces.decoded import ValueByNumber
from everycase.enumeration.spaces.finite import EMPTY, Sum
from everycase.errors import InvalidArgument, NoSuchValue, NotCountable
from everycase.gen.base import Gen
from everycase.gen.collections import itself
from everycase.gen.facts import facts
from everycase.gen.kinds import Filter, Int, Map
from everycase.gen.scalars import nothing
from everycase.gen.show import described
from everycase.gen.validate import require_count
from everycase.sizes.least import greatest

T = TypeVar("T")

#: Maximum size of values to be counted: each size takes a step.
MOST_SIZE = 10**9


def of_size(gen: Gen[T], n: int) -> Gen[T]:
    """The values of exactly this size."""
    _require_size(gen, n)
    if n > greatest(gen):
        return described(_by_number(gen, EMPTY, n, n), ".of_size", gen, n)
    return described(_by_number(gen, tier_of(gen, n), n, n), ".of_size", gen, n)


def up_to_size(gen: Gen[T], n: int) -> Gen[T]:
    """The values of at most this size, smallest first."""
    _require_size(gen, n)
    try:
        space = Sum([tier_of(gen, size) for size in range(int(min(n, greatest(gen))) + 1)], which=_size)
    except NotCountable as problem:
        if not isinstance(gen, Filter):
            raise
        # Too many to count, but not to iterate over: they come as they are found, by pruning or by trying.
        lazily = Filter(up_to_size(gen.source, n), gen.predicate)
        if isinstance(problem, TooManyEvaluations):
            lazily._lazy_sequence = FoundByPruning(gen, n)
        return described(lazily, ".up_to_size", gen, n)
    return described(_by_number(gen, space, 0, n), ".up_to_size", gen, n)


def _require_size(gen: Gen[Any], n: int) -> None:
    require_count("n", n)
    if n > MOST_SIZE and greatest(gen) == math.inf:
        raise InvalidArgument(f"n={n} must be at most {MOST_SIZE:,}; larger values cannot be counted")


def _size(trace: Trace[Any], size: SizeOf) -> int:
    return size(trace)


def uniform(gen: Gen[T]) -> Gen[T]:
    """Each value equally likely. Values that a filter rejects are redrawn, which keeps the rest equally
    likely."""
    try:
        space = space_of(gen)
    except NotCountable:
        if isinstance(gen, Filter):
            return Filter(uniform(gen.source), gen.predicate)
        if isinstance(gen, Map):
            return Map(uniform(gen.source), gen.f, gen.inverse, share=gen.share)
        raise
    if space.count == math.inf:
        raise InvalidArgument(
            f"{gen!r} has infinitely many values, so they cannot be equally likely; write .up_to_size(n).uniform()"
        )
    return described(_by_number(gen, space, 0, math.inf), ".uniform", gen)


def _by_number(gen: Gen[T], space: Space, least: float, most: float) -> Gen[T]:
    """The values of a space that belongs to a generator, each made by choosing its index."""
    if not space.count:
        return Map(nothing(), itself, itself)  # a separate node, which can be described

    def number(value: Any) -> int:
        trace = trace_of(gen, value)
        if not least <= sizes(trace)[id(trace)] <= most:
            # There may be another way to make the same value.
            suiting = [way for size, way in ways_of(gen, value).items() if least <= size <= most]
            if not suiting:
                raise NoSuchValue
            trace = suiting[0]
        return rank(space, trace)

    share = facts(gen).shareable
    return Map(Int(0, space.count - 1, 0), ValueByNumber(space), number, share=share)
