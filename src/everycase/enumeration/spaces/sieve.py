"""Filters over more values than can be tried in advance: they have indices, too, but no count.

Everything that contains such a filter has indices as well (as a :class:`Sieve`, taken to be endless). The
values are tried one by one, on demand, and the positions of those that passed are kept. A long row of values
that do not pass ends with an error, not silently.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from threading import RLock
from typing import Any

from everycase.choices.time_limit import LIMITS, look, watched
from everycase.choices.trace import Trace
from everycase.enumeration.big_numbers import in_words
from everycase.enumeration.bulk import values
from everycase.enumeration.counting import space_of, uncounted_space_of
from everycase.enumeration.decode import value_at
from everycase.enumeration.rank import rank
from everycase.enumeration.spaces.base import Bulk, Ended, Part, Ranking, SizeOf, Space
from everycase.errors import GeneratorError, NotCountable
from everycase.gen.base import Gen
from everycase.gen.kinds import Defer, Filter, Map
from everycase.gen.predicate_errors import naming

#: After this many values in a row that do not pass it is assumed that none will.
MOST_MISSES = 100_000

#: Maximum number of values to try to find the index of one that passes, or to reach an index.
MOST_TRIED = 10_000_000


class LazySequence:
    """A sequence that is known by trying: ``at`` raises Ended at its end."""

    def at(self, i: int) -> Any:
        raise NotImplementedError

    def values(self) -> Iterator[Any]:
        raise NotImplementedError

    def number(self, trace: Trace[Any]) -> int:
        """The index of the value of a trace."""
        raise NotImplementedError


class Whole(LazySequence):
    """A space whose values all exist."""

    def __init__(self, space: Space) -> None:
        self.space = space

    def at(self, i: int) -> Any:
        if i >= self.space.count:
            raise Ended("there are no more values")
        return value_at(self.space, i)

    def values(self) -> Iterator[Any]:
        return values(self.space)

    def number(self, trace: Trace[Any]) -> int:
        return rank(self.space, trace)


class Passing(LazySequence):
    """The values that pass a filter, with the positions where they were found."""

    def __init__(self, node: Filter[Any], source: LazySequence) -> None:
        self.node = node
        self.source = source
        self._found: list[int] = []
        self._tried = 0
        self._lock = RLock()

    def at(self, i: int) -> Any:
        return self.source.at(self.place(i))

    def place(self, i: int) -> int:
        """The position of value ``i`` in the source; Ended if there are fewer."""
        if i >= len(self._found):
            with self._lock:
                if i - len(self._found) > MOST_TRIED:
                    raise self._too_far(i)
                self._search(i)
        return self._found[i]

    def _too_far(self, i: float) -> GeneratorError:
        return GeneratorError(
            f"value {in_words(int(i))} of {self.node!r} is known only after trying all values before it; "
            f"{self._tried:,} "
            f"were tried, {len(self._found):,} of which passed. Use a smaller index, or iterate."
        )

    def _search(self, i: float, place: float = math.inf) -> None:
        """Try values until index ``i`` is found, or this position is reached."""
        source = self.source
        misses, last = 0, self._tried + MOST_TRIED
        while len(self._found) <= i and self._tried <= place:
            if self._tried > last:
                raise self._too_far(i)
            if LIMITS:
                look()
            value = source.at(self._tried)
            self._tried += 1
            if self._passes(value):
                self._found.append(self._tried - 1)
                misses = 0
            else:
                misses = self._missed(misses)

    def number(self, trace: Trace[Any]) -> int:
        below = trace.children[0]
        assert below is not None
        return self.number_of(self.source.number(below))

    def number_of(self, place: int) -> int:
        """The index of the value at a position of the source, which passes."""
        if place - self._tried > MOST_TRIED:
            raise GeneratorError(
                "the index of this value among those that pass is known only after trying the "
                f"{in_words(place)} values "
                f"before it in {self.node.source!r}, which is too many"
            )
        with self._lock:
            self._search(math.inf, place)
        return bisect_left(self._found, place)

    def _passes(self, value: Any) -> Any:
        try:
            return self.node.predicate(value)
        except Exception as problem:
            raise naming(problem, self.node.predicate, value)  # noqa: B904 (it is the same one)

    def _missed(self, misses: int) -> int:
        if misses >= MOST_MISSES:
            raise GeneratorError(
                f"{self.node!r} rejected {misses:,} values in a row; perhaps none passes. Build valid "
                "values instead of filtering, or search with explore=Narrow()."
            )
        return misses + 1

    def values(self) -> Iterator[Any]:
        misses = 0
        for value in watched(self.source.values()):
            if self._passes(value):
                misses = 0
                yield value
            else:
                misses = self._missed(misses)


class Applied(LazySequence):
    """A function of such values."""

    def __init__(self, f: Callable[[Any], Any], source: LazySequence) -> None:
        self.f = f
        self.source = source

    def at(self, i: int) -> Any:
        return self.f(self.source.at(i))

    def values(self) -> Iterator[Any]:
        return map(self.f, self.source.values())

    def number(self, trace: Trace[Any]) -> int:
        below = trace.children[0]
        assert below is not None
        return self.source.number(below)


class Sieve(Space):
    """The values of a filter over many, as a part of something else: found by trying, on demand."""

    __slots__ = ("node", "passing", "source")

    def __init__(self, node: Filter[Any], source: Space) -> None:
        self.node = node
        self.source = source
        self.passing = Passing(node, Whole(source))
        self.count = math.inf
        self.at = lambda i: source.at(self.place(i))

    def place(self, i: int) -> int:
        """The index of value ``i`` before filtering."""
        try:
            return self.passing.place(i)
        except Ended:
            raise self.ended() from None

    def ended(self) -> GeneratorError:
        return GeneratorError(
            f"{self.node!r} has no more values. This was not known until all were tried, but it is part of a generator "
            "that needs to know. Make a list of its values: gen.sampled_from([...])."
        )

    def values(self, bulk: Bulk, start: int = 0) -> Iterable[Any]:
        return super().values(bulk, start) if start else self._tried()

    def _tried(self) -> Iterator[Any]:
        yield from self.passing.values()
        raise self.ended()

    def split(self, i: int) -> Sequence[Part]:
        return ((self.source, self.place(i)),)

    def value(self, i: int, parts: list[Any]) -> Any:
        return parts[0]

    def record(self, i: int, parts: list[Trace[Any]]) -> Trace[Any]:
        return Trace(None, (parts[0],), self.node, parts[0].value)

    def rank(self, trace: Trace[Any], size: SizeOf) -> Ranking:
        below = trace.children[0]
        assert below is not None
        return self.passing.number_of((yield self.source, below))


def lazy_sequence_of(gen: Gen[Any]) -> LazySequence:
    """The values of a generator, whether they can be counted or not. Raises :class:`NotCountable` for
    composites."""
    known: LazySequence | None = gen._lazy_sequence
    if known is None:
        try:
            known = Whole(space_of(gen))
        except NotCountable:
            match gen:
                case Filter():
                    known = Passing(gen, lazy_sequence_of(gen.source))
                case Map():
                    known = Applied(gen.f, lazy_sequence_of(gen.source))
                case Defer():
                    known = lazy_sequence_of(gen.target)
                case _:
                    known = Whole(uncounted_space_of(gen))
        gen._lazy_sequence = known
    return known
