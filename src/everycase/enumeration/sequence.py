"""The sequence protocol of generators: ``cardinality``, ``len``, ``g[i]``, slices, iteration, ``in``, ``index``."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from itertools import islice
from typing import Any, TypeVar

from everycase.choices.invert import trace_of
from everycase.choices.trace import Trace
from everycase.enumeration.big_numbers import in_words
from everycase.enumeration.bulk import values
from everycase.enumeration.counting import space_of
from everycase.enumeration.decode import record_at, value_at
from everycase.enumeration.rank import rank
from everycase.enumeration.spaces.base import Ended
from everycase.enumeration.spaces.sieve import lazy_sequence_of
from everycase.errors import GeneratorError, NoSuchValue, NotCountable
from everycase.gen.base import Gen
from everycase.gen.graph import has_kind
from everycase.gen.kinds import Filter

T = TypeVar("T")


def cardinality(gen: Gen[Any]) -> float:
    """How many values a generator has, counted as choices: an exact int, or ``math.inf``."""
    total: float = space_of(gen).count
    if gen._filtering is None:
        gen._filtering = has_filters(gen)
    if gen._filtering:
        raise NotCountable(
            f"{gen!r} cannot be counted: the only way to know which values pass a filter is to try them. "
            "Iterating over it tries them one by one."
        )
    return total


def fits(gen: Gen[Any], budget: int) -> bool:
    """Whether a generator has at most this many values, found out with no more work than testing them.

    This includes filters over few values, all of which are tried.

    >>> from everycase import gen
    >>> fits(gen.integers(0, 99), 100), fits(gen.integers(0, 100), 100)
    (True, False)
    >>> fits(gen.integers(0, 999).filter(lambda n: n % 10 == 0), 100)
    True
    """
    try:
        count = space_of(gen, effort=1000 + 4 * budget).count
    except GeneratorError:  # not countable, or a recursion of which only single values can be made
        return False
    # A filter that lets nothing pass is reported by the random explorer.
    return 0 < count <= budget or (count == 0 and not has_filters(gen))


def has_filters(gen: Gen[Any]) -> bool:
    """Whether a filter is visible anywhere in a description."""
    return has_kind(gen, Filter)


def length(gen: Gen[Any]) -> int:
    """``len(gen)``. Raises OverflowError if it is infinite or too large, so that ``list(gen)`` fails at
    once."""
    total = cardinality(gen)
    if total == math.inf:
        raise OverflowError(f"{gen!r} has infinitely many values; use .cardinality, slices or .up_to_size(n)")
    if total > sys.maxsize:
        raise OverflowError(f"{gen!r} has more values than len() can return; use .cardinality or slices")
    return int(total)


def item(gen: Gen[Any], index: Any) -> Any:
    """``gen[i]`` and ``gen[i:j]``."""
    if isinstance(index, slice):
        from everycase.enumeration.slices import Slice

        return Slice(gen, index)
    if isinstance(index, bool) or not hasattr(type(index), "__index__"):
        raise TypeError(f"the index of a generator must be an int or a slice, not {index!r}")
    i = index.__index__()
    try:
        space = space_of(gen)
    except NotCountable as problem:
        return _by_trying(gen, i, problem)
    if i < 0:
        if space.count == math.inf:
            raise OutOfRange(f"index {i} counts from the end, but {gen!r} has infinitely many values")
        i += space.count
    if not 0 <= i < space.count:
        raise OutOfRange(
            f"index {in_words(index)} is out of range: {gen!r} has {in_words(space.count)} values"
        )
    return value_at(space, i)


class OutOfRange(IndexError):
    """There is no value with this index: distinguished from an IndexError in user code."""


def _by_trying(gen: Gen[Any], i: int, problem: NotCountable) -> Any:
    """A value of a filter, found by trying."""
    tried = lazy_sequence_of(gen)
    if i < 0:
        raise problem
    try:
        return tried.at(i)
    except Ended:
        raise OutOfRange(f"index {i} is out of range: {gen!r} has fewer values") from None


def trace_at(gen: Gen[T], i: int) -> Trace[T]:
    """The trace of ``gen[i]``: the choices that ``enact`` would have recorded for it."""
    space = space_of(gen)
    if not 0 <= i < space.count:
        raise IndexError(f"index {in_words(i)} is out of range: {gen!r} has {in_words(space.count)} values")
    return record_at(space, i)


def index(gen: Gen[Any], value: Any) -> int:
    """The index of a value, such that ``gen[index(gen, value)] == value``."""
    trace = trace_of(gen, value)
    try:
        space = space_of(gen)
    except NotCountable:
        return lazy_sequence_of(gen).number(trace)
    return rank(space, trace)


def contains(gen: Gen[Any], value: object) -> bool:
    """``value in gen``: whether the generator can make it."""
    try:
        trace_of(gen, value)
    except NoSuchValue:
        return False
    return True


def iterate(gen: Gen[T]) -> Iterator[T]:
    """All values in order."""
    try:
        space = space_of(gen)
    except NotCountable:
        return lazy_sequence_of(gen).values()
    return values(space)


def first_duplicate(gen: Gen[Any], limit: int = 100_000) -> tuple[int, int] | None:
    """The indices of the first two equal values among the first ``limit``, or None if all of them are
    different.

    Choices are counted, not values, so overlapping unions and functions that are not one-to-one repeat
    values.

    >>> from everycase import gen
    >>> first_duplicate(gen.integers(0, 2) | gen.integers(2, 4))
    (2, 3)
    """
    seen: dict[Any, int] = {}
    for i, value in enumerate(islice(iterate(gen), limit)):
        try:
            try:
                key = (type(value), value)
                earlier = seen.setdefault(key, i)
            except TypeError:  # not hashable: compared by repr
                earlier = seen.setdefault(repr(value), i)
        except RecursionError:
            raise GeneratorError(
                f"value {i} of {gen!r} is nested too deeply for Python to compare it"
            ) from None
        if earlier != i:
            return earlier, i
    return None
