"""Lazy pieces of a generator's sequence: ``gen[i:j]``."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Iterator
from copy import copy
from functools import partial
from itertools import count, islice
from typing import Any

from everycase.enumeration.big_numbers import as_literal, in_words
from everycase.enumeration.bulk import values
from everycase.enumeration.counting import space_of
from everycase.enumeration.decode import value_at
from everycase.enumeration.sequence import index
from everycase.enumeration.spaces.base import Ended, Space
from everycase.enumeration.spaces.sieve import lazy_sequence_of
from everycase.errors import GeneratorError, InvalidArgument, NoSuchValue, NotCountable
from everycase.gen.base import Gen
from everycase.gen.kinds import Int, Map
from everycase.gen.scalars import nothing
from everycase.gen.show import described

#: A value whose index lies outside of a slice is compared with this many values of the slice.
MOST_COMPARED = 10_000
#: If one in this many values is needed, making all of them in bulk is cheaper than making these by index.
BULK_STEP = 20


class Slice:
    """A lazy piece of a generator's sequence: ``gen[i:j]``.

    It is a sequence like the generator itself, with ``len``, ``cardinality``, indexing, slices, iteration in
    bulk, ``in``, ``index``, and ``uniform()``, which makes a generator of it.

    >>> from everycase import gen
    >>> piece = gen.integers()[10**30:10**30 + 5]
    >>> piece.cardinality, list(piece) == [gen.integers()[10**30 + i] for i in range(5)]
    (5, True)
    >>> gen.integers(0, 99)[40:60:10].uniform()
    integers(0, 99)[40:60:10].uniform()
    """

    def __init__(self, gen: Gen[Any], piece: slice) -> None:
        self.gen = gen
        #: the space it is a piece of; None for a filter, whose number of values is known only by trying
        self._space: Space | None = None
        total: float = math.inf
        try:
            self._space = space_of(gen)
        except NotCountable:
            self._at = lazy_sequence_of(gen).at  # which knows where it ends
        else:
            total = self._space.count
            self._at = partial(value_at, self._space)
        #: the indices of the values; endless if None
        self._indices: range | None = None
        self._start, self._step = 0, 1
        if total == math.inf:
            self._cut(piece)
        else:
            self._indices = _piece_of(range(int(total)), piece)

    def _cut(self, piece: slice) -> None:
        """Narrow a slice that is endless, or whose end is not known."""
        self._refuse_the_end(piece)
        start = 0 if piece.start is None else piece.start.__index__()
        stop = None if piece.stop is None else piece.stop.__index__()
        step = 1 if piece.step is None else piece.step.__index__()
        if stop is not None:
            self._indices = range(
                self._start + start * self._step, self._start + stop * self._step, step * self._step
            )
        self._start += start * self._step
        self._step *= step

    def _refuse_the_end(self, piece: slice) -> None:
        """If the end is not known, nothing can be counted from it."""
        _piece_of(range(0), piece)  # rejects what is not a slice
        if any(part is not None and part.__index__() < 0 for part in (piece.start, piece.stop, piece.step)):
            raise IndexError(f"the slice counts from the end, but the end of {self.gen!r} is not known")

    @property
    def cardinality(self) -> float:
        """How many values there are: an exact int, or ``math.inf``."""
        if self._space is None:
            raise NotCountable(
                "the only way to know how many values this slice of a filter has is to try them; use list()"
            )
        return math.inf if self._indices is None else _length_of(self._indices)

    def __len__(self) -> int:
        if self._indices is None:
            raise OverflowError("this slice has no end; give it one, gen[i:j]")
        total = int(self.cardinality)
        if total > sys.maxsize:
            raise OverflowError("this slice has more values than len() can return; use .cardinality")
        return total

    def __bool__(self) -> bool:
        return self._indices is None or bool(self._indices)

    def __getitem__(self, i: Any) -> Any:
        if isinstance(i, slice):
            piece = copy(self)
            if self._indices is None:
                piece._cut(i)
            else:
                if self._space is None:
                    self._refuse_the_end(i)  # a filter may have fewer values than the slice asks for
                piece._indices = _piece_of(self._indices, i)
            return piece
        if isinstance(i, bool) or not hasattr(type(i), "__index__"):
            raise TypeError(f"the index of a slice must be an int or a slice, not {i!r}")
        i = i.__index__()
        if i < 0 and (self._indices is None or self._space is None):
            raise IndexError(f"index {i} counts from the end, but the end of this slice is not known")
        try:
            number = self._start + i * self._step if self._indices is None else self._indices[i]
        except IndexError:
            raise self._out_of_range(i) from None
        try:
            return self._at(number)
        except Ended:
            raise self._out_of_range(i) from None

    def _out_of_range(self, i: int) -> IndexError:
        total = "fewer" if self._space is None else in_words(int(self.cardinality))
        return IndexError(f"index {in_words(i)} is out of range: {self!r} has {total} values")

    def __iter__(self) -> Iterator[Any]:
        indices = self._indices
        step = self._step if indices is None else indices.step
        if self._space is not None and 0 < step < BULK_STEP:
            if indices is None:
                return islice(values(self._space, self._start), 0, None, step)
            if not indices:
                return iter(())
            # islice cannot count further than this.
            length = min(indices.stop - indices.start, sys.maxsize)
            return islice(values(self._space, indices.start), 0, length, step)
        return self._one_by_one(count(self._start, self._step) if indices is None else indices)

    def _one_by_one(self, indices: Iterable[int]) -> Iterator[Any]:
        for i in indices:
            try:
                value = self._at(i)
            except Ended:
                return  # a filter had fewer values
            yield value

    def index(self, value: Any) -> int:
        """The position of a value in this slice; ``NoSuchValue`` if it is not there.

        >>> from everycase import gen
        >>> gen.integers(0, 10**30)[100:].index(10**20)
        99999999999999999900
        """
        try:
            number = index(self.gen, value)
        except NoSuchValue:
            raise
        except GeneratorError:  # unknown, or only by trying very many
            if self._indices is None:
                raise
            if _length_of(self._indices) > MOST_COMPARED:
                raise  # too many to check the values themselves
            number = -1
        place, rest = divmod(number - self._start, self._step)
        if self._indices is not None and number in self._indices:
            return self._indices.index(number)
        if self._indices is None and place >= 0 and not rest:
            return place
        # Equal values may have several indices, and another one of them may be in this slice.
        for place, other in enumerate(islice(self, MOST_COMPARED)):
            if other == value:
                return place
        raise NoSuchValue(f"{value!r} is not in {self!r}")

    def __contains__(self, value: object) -> bool:
        try:
            self.index(value)
        except NoSuchValue:
            return False
        return True

    def uniform(self) -> Gen[Any]:
        """A generator of the values of this slice, each equally likely.

        >>> from everycase import gen
        >>> set(gen.integers()[5:8].uniform().sample(100, seed=1)) == {-3, 3, -4}
        True
        """
        total = self.cardinality
        if total == math.inf:
            raise InvalidArgument(
                f"{self!r} has no end, so its values cannot be equally likely; write [i:j].uniform()"
            )
        # Values are found by index and made new each time.
        source: Gen[int] = Int(0, int(total) - 1, 0) if total else nothing()
        return described(Map(source, self.__getitem__, self.index), ".uniform", self)

    def __repr__(self) -> str:
        indices = self._indices
        if indices is None:
            start, stop, step = self._start, "", self._step
        elif not indices and indices.start < 0:
            start, stop, step = 0, "0", 1  # a slice that begins before the first value and goes down is empty
        else:
            start, step = indices.start, indices.step
            stop = as_literal(indices.stop) if indices.stop >= 0 else ""  # down to the first
        shown = f":{as_literal(step)}" if step != 1 else ""
        return f"{self.gen!r}[{as_literal(start)}:{stop}{shown}]"


def _piece_of(indices: range, piece: slice) -> range:
    for name in ("start", "stop", "step"):
        part = getattr(piece, name)
        if part is not None and not hasattr(type(part), "__index__"):
            raise TypeError(f"the {name} of a slice must be an int, not {part!r}")
    if piece.step is not None and piece.step.__index__() == 0:
        raise InvalidArgument("the step of a slice must not be 0")
    return indices[piece]


def _length_of(indices: range) -> int:
    """``len`` without its limit."""
    return max(0, -((indices.start - indices.stop) // indices.step))
