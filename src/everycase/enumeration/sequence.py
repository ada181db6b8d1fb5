"""The sequence protocol of generators: ``cardinality``, ``len``, ``g[i]``, slices, iteration, ``in``, ``index``."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from copy import copy
from functools import partial
from itertools import count as count_from
from itertools import islice
from typing import Any, TypeVar

from everycase.choices.trace import Trace
from everycase.enumeration.bulk import values
from everycase.enumeration.count import space_of
from everycase.enumeration.decode import record_at, value_at
from everycase.enumeration.ranking import rank, trace_of
from everycase.enumeration.scan import scan_of
from everycase.enumeration.wording import in_words
from everycase.errors import GeneratorError, InvalidArgument, NoSuchValue, NotCountable, NotInvertible
from everycase.gen.base import Gen
from everycase.gen.facts import children
from everycase.gen.kinds import Filter

T = TypeVar("T")


def cardinality(gen: Gen[Any]) -> float:
    """How many values a generator has, counted as choices: an exact int, or ``math.inf``."""
    total: float = space_of(gen).count
    if gen._scans is None:
        gen._scans = _filters(gen)
    if gen._scans:
        raise NotCountable(
            f"{gen!r} cannot be counted: which values pass a filter is known only by trying them. "
            "Iterating over it tries them one by one."
        )
    return total


def fits(gen: Gen[Any], budget: int) -> bool:
    """Whether a generator has at most so many values, found out with no more work than testing them would be.

    That includes filters over few values, of which all are tried.

    >>> from everycase import gen
    >>> fits(gen.integers(0, 99), 100), fits(gen.integers(0, 100), 100)
    (True, False)
    >>> fits(gen.integers(0, 999).filter(lambda n: n % 10 == 0), 100)
    True
    """
    try:
        count = space_of(gen, effort=1000 + 4 * budget).count
    except NotCountable:
        return False
    # A filter that lets nothing pass is for the random explorer to complain about.
    return 0 < count <= budget or (count == 0 and not _filters(gen))


def _filters(gen: Gen[Any]) -> bool:
    """Whether a filter is visible anywhere in a description."""
    seen: set[int] = set()
    pending = [gen]
    while pending:
        node = pending.pop()
        if id(node) not in seen:
            seen.add(id(node))
            if isinstance(node, Filter):
                return True
            pending.extend(children(node))
    return False


def length(gen: Gen[Any]) -> int:
    """``len(gen)``. What is infinite or too large overflows, so that ``list(gen)`` fails at once."""
    total = cardinality(gen)
    if total == math.inf:
        raise OverflowError(f"{gen!r} has infinitely many values; use .cardinality, slices or .up_to_size(n)")
    if total > sys.maxsize:
        raise OverflowError(f"{gen!r} has more values than len() can say; use .cardinality or slices")
    return int(total)


def item(gen: Gen[Any], index: Any) -> Any:
    """``gen[i]`` and ``gen[i:j]``."""
    if isinstance(index, slice):
        return Slice(gen, index)
    if isinstance(index, bool) or not hasattr(index, "__index__"):
        raise TypeError(f"a generator's index is an int or a slice, not {index!r}")
    i = index.__index__()
    try:
        space = space_of(gen)
    except NotCountable as problem:
        return _scanned(gen, i, problem)
    if i < 0:
        if space.count == math.inf:
            raise IndexError(f"index {i} counts from the end, and {gen!r} has infinitely many values")
        i += space.count
    if not 0 <= i < space.count:
        raise IndexError(
            f"index {in_words(index)} is out of range: {gen!r} has {in_words(space.count)} values"
        )
    return value_at(space, i)


def _scanned(gen: Gen[Any], i: int, problem: NotCountable) -> Any:
    """A value of a filter, found by trying."""
    scan = scan_of(gen)
    if i < 0:
        raise problem
    try:
        return scan.at(i)
    except IndexError:
        raise IndexError(f"index {i} is out of range: {gen!r} has fewer values") from None


def trace_at(gen: Gen[T], i: int) -> Trace[T]:
    """The trace of ``gen[i]``: the choices that ``enact`` would have recorded for it."""
    space = space_of(gen)
    if not 0 <= i < space.count:
        raise IndexError(f"index {in_words(i)} is out of range: {gen!r} has {in_words(space.count)} values")
    return record_at(space, i)


def index(gen: Gen[Any], value: Any) -> int:
    """The number of a value, such that ``gen[index(gen, value)] == value``."""
    trace = trace_of(gen, value)
    try:
        space = space_of(gen)
    except NotCountable:
        return scan_of(gen).number(trace)
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
        return scan_of(gen).values()
    return values(space)


def first_duplicate(gen: Gen[Any], limit: int = 100_000) -> tuple[int, int] | None:
    """The numbers of the first two equal values among the first ``limit``, or None if all of them are different.

    What is counted are choices, so overlapping unions and functions that are not one-to-one repeat values.

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
            except TypeError:  # not hashable: as it is written
                earlier = seen.setdefault(repr(value), i)
        except RecursionError:
            raise GeneratorError(
                f"value {i} of {gen!r} is nested too deep for Python to compare it"
            ) from None
        if earlier != i:
            return earlier, i
    return None


#: A value whose number lies outside of a slice is compared with so many values of the slice.
MOST_COMPARED = 10_000


class Slice:
    """A lazy piece of a generator's sequence: ``gen[i:j]``. Has ``len``, indexing, slices of its own, and iteration."""

    def __init__(self, gen: Gen[Any], piece: slice) -> None:
        self.gen = gen
        self._counted = True
        total: float = math.inf
        try:
            space = space_of(gen)
        except NotCountable:
            self._counted = False
            self._at = scan_of(gen).at  # which says where it ends
        else:
            total = space.count
            self._at = partial(value_at, space)
        #: the numbers of the values; without an end where that is None
        self._numbers: range | None = None
        self._start, self._step = 0, 1
        if total == math.inf:
            self._cut(piece)
        else:
            self._numbers = _piece_of(range(int(total)), piece)

    def _cut(self, piece: slice) -> None:
        """Narrow what has no end, or has one that is not known."""
        start = 0 if piece.start is None else piece.start.__index__()
        stop = None if piece.stop is None else piece.stop.__index__()
        step = 1 if piece.step is None else piece.step.__index__()
        self._refuse_the_end(piece)
        if stop is not None:
            self._numbers = range(
                self._start + start * self._step, self._start + stop * self._step, step * self._step
            )
        self._start += start * self._step
        self._step *= step

    def _refuse_the_end(self, piece: slice) -> None:
        """Where the end is not known, nothing can be counted from it."""
        if piece.step is not None and piece.step.__index__() == 0:
            raise InvalidArgument("the step of a slice must not be 0")
        if any(part is not None and part.__index__() < 0 for part in (piece.start, piece.stop, piece.step)):
            raise IndexError(f"a slice that counts from the end, and the end of {self.gen!r} is not known")

    def __len__(self) -> int:
        if self._numbers is None:
            raise OverflowError("this slice has no end; give it one, gen[i:j]")
        if not self._counted:
            raise NotCountable(
                "how many values of a filter a slice has is known only by trying them; use list()"
            )
        count = _length_of(self._numbers)
        if count > sys.maxsize:
            raise OverflowError("this slice has more values than len() can say")
        return count

    def __bool__(self) -> bool:
        return self._numbers is None or bool(self._numbers)

    def __getitem__(self, i: Any) -> Any:
        if isinstance(i, slice):
            piece = copy(self)
            if self._numbers is None:
                piece._cut(i)
            else:
                if not self._counted:
                    self._refuse_the_end(i)  # a filter may have fewer values than the slice asks for
                piece._numbers = _piece_of(self._numbers, i)
            return piece
        if i.__index__() < 0 and (self._numbers is None or not self._counted):
            raise IndexError(f"index {i} counts from the end, and the end of this slice is not known")
        if self._numbers is not None:
            return self._at(self._numbers[i])
        return self._at(self._start + i * self._step)

    def __iter__(self) -> Iterator[Any]:
        for i in count_from(self._start, self._step) if self._numbers is None else self._numbers:
            try:
                value = self._at(i)
            except IndexError:
                return  # a filter had fewer values
            yield value

    def index(self, value: Any) -> int:
        """The place of a value in this slice; ``NoSuchValue`` if it is not there.

        >>> from everycase import gen
        >>> gen.integers(0, 10**30)[100:].index(10**20)
        99999999999999999900
        """
        try:
            number = index(self.gen, value)
        except NotInvertible:
            if self._numbers is None:
                raise
            number = -1  # look at the values themselves
        place, rest = divmod(number - self._start, self._step)
        if self._numbers is not None and number in self._numbers:
            return self._numbers.index(number)
        if self._numbers is None and place >= 0 and not rest:
            return place
        # Equal values may have several numbers, and another one of them may be in this slice.
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

    def __repr__(self) -> str:
        return f"<slice of {self.gen!r}>"


def _piece_of(numbers: range, piece: slice) -> range:
    if piece.step is not None and piece.step.__index__() == 0:
        raise InvalidArgument("the step of a slice must not be 0")
    return numbers[piece]


def _length_of(numbers: range) -> int:
    """``len`` without its limit."""
    return max(0, -((numbers.start - numbers.stop) // numbers.step))
