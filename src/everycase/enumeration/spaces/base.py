"""A generator once it is counted: a **space**, a number of values, each with an index.

A space is one node of an immutable expression graph without cycles (a recursive generator is unrolled size by size).
It is used in several ways, and each class has all of them as methods:

==============  ===============================================================================
``at``          the value with an index, fast and recursive
``split``       which parts, with which indices, that value is made of (with ``value`` and ``record``
                the same decoding without recursion, to a value or to a trace: see ``decode``)
``rank``        the index of a trace
``values``      all values in order from an index on, fast: the loops run inside :mod:`itertools`
``recipes``     the same as functions that make a new value on each call
``components``  the spaces that its values are made of
``is_shared``   whether one value may be a part of many
==============  ===============================================================================

Parts are made once and used in many values if that is harmless: the parts of frozen dataclasses, tuples,
enums, numbers and text, and of classes built with ``share=True``. The test could change everything else, so
it is made new for every value, from a *recipe*: a function without arguments.

Memory is bounded. A product iterates over its largest part in blocks; only parts of up to 2**16 values are
kept as lists, and all lists of one iteration together hold at most 2**19 values; the oldest are dropped
(:class:`Bulk`).

The order of every class is frozen: indices end up in bug reports.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Generator, Iterable, Sequence
from functools import partial
from itertools import chain, repeat
from itertools import count as counting
from threading import Lock
from typing import Any, Protocol

from everycase.choices.time_limit import look, watched
from everycase.choices.trace import Trace

#: A product iterates over its largest part in blocks of this many values. Frozen: indices depend on it.
BLOCK = 1024
#: Parts of up to this many values are kept as lists.
LIST_LIMIT = 2**16
#: Maximum number of values in all lists of one iteration.
LISTS_LIMIT = 2**19

Part = tuple["Space", int]
#: A rank computation: asks for the index of a trace in another space, and is sent it.
Ranking = Generator[tuple["Space", Trace[Any]], int, int]
SizeOf = Callable[[Trace[Any]], int]
Recipe = Callable[[], Any]


class Ended(IndexError):
    """There are no more values, as trying has shown: distinguished from an IndexError in user code."""


def stopped() -> Exception:
    """If user code raises StopIteration, itertools assumes that there are no more values."""
    return RuntimeError("a function that makes values raised StopIteration")


class Space:
    """A number of values, each with an index from 0 on. ``count`` is ``math.inf`` if it is endless.

    ``at`` is a function, made when the space is built (``decode`` does the same without recursion).
    """

    __slots__ = ("_shared", "at", "count")

    at: Callable[[int], Any]
    count: Any
    _shared: bool

    # --- one value -------------------------------------------------------------------------------------

    def split(self, i: int) -> Sequence[Part]:
        """The parts that value ``i`` is made of."""
        return ()

    def value(self, i: int, parts: list[Any]) -> Any:
        """Value ``i`` from the values of its parts."""
        raise NotImplementedError

    def record(self, i: int, parts: list[Trace[Any]]) -> Trace[Any]:
        """The trace of value ``i`` from the traces of its parts."""
        raise NotImplementedError

    def rank(self, trace: Trace[Any], size: SizeOf) -> Ranking:
        """The index of the value of a complete trace; ``size`` maps each of its nodes to its size."""
        raise NotImplementedError

    # --- all values ------------------------------------------------------------------------------------

    def values(self, bulk: Bulk, start: int = 0) -> Iterable[Any]:
        """All values in order, from an index below ``count`` on (``Bulk.after`` takes any index).

        Anything in them that a test could change occurs in no other value.
        """
        return map(self.at, self.indices(start))

    def rows(self, bulk: Bulk, start: int) -> Iterable[tuple[Any, ...]] | None:
        """The same as tuples, if the values are lists whose elements may be shared."""
        return None

    def recipes(self, bulk: Bulk) -> Iterable[Any]:
        """For each value a function that makes a new one."""
        return map(partial, repeat(self.at), self.indices())

    def in_pieces(self, start: int) -> tuple[Iterable[Space], int] | None:
        """Spaces whose values, one after the other, are those of this one, and the index to start from in the
        first; None if it has only one piece."""
        return None

    def indices(self, start: int = 0) -> Iterable[int]:
        return counting(start) if self.count == math.inf else range(start, self.count)

    # --- what the values are made of -------------------------------------------------------------------

    @property
    def underlying(self) -> Space:
        """The space that has the same values in the same order; itself, unless it only renames another one."""
        return self

    def components(self) -> list[Space]:
        """The spaces of the parts of the values, as far as it matters for keeping them."""
        return []

    @property
    def is_shared(self) -> bool:
        """Whether a value may be a part of many. This depends only on the space, so it is computed once."""
        try:
            return self._shared
        except AttributeError:  # not computed yet
            shared = self._shared = self._is_shared()
            return shared

    def _is_shared(self) -> bool:
        return False

    def may_share(self, bulk: Bulk) -> bool:
        """The same, but the results of user code are checked when they are made."""
        return self.is_shared


class Listable(Protocol):
    """What an iteration can keep as a list: a space, or the ways in which rows continue."""

    count: Any

    def values(self, bulk: Bulk) -> Iterable[Any]:
        """Everything, in order."""

    def recipes(self, bulk: Bulk) -> Iterable[Any]:
        """For each a function that makes a new one, or a tuple of them."""


class Bulk:
    """One iteration, or several of a small space, with the lists it keeps."""

    def __init__(self, whole: Space, limit: int = LISTS_LIMIT) -> None:
        # The values of parts, and recipes for them.
        self._lists: dict[Listable, list[Any]] = {}
        self._recipes: dict[Listable, list[Any]] = {}
        self._held = 0
        self._limit = limit
        self._lock = Lock()
        #: the cache of rows of sized parts (see ``spaces.rows``)
        self.tails: dict[tuple[Any, int, int], Any] = {}
        self.passing = passing_parts(whole)
        self.is_new = True

    def items(self, space: Space, unshared: bool, start: int = 0) -> Iterable[Any]:
        """The values of a part, or recipes for them, from an index on."""
        if space.count <= LIST_LIMIT and space not in self.passing:
            known = self.listed(space, unshared)
            return known[start:] if start else known
        if not unshared:
            return self.after(space, start)
        return map(partial, repeat(space.at), space.indices(start)) if start else space.recipes(self)

    def stream(self, space: Space) -> Iterable[Any]:
        """The values of a space, from a list if there is one already."""
        known = self._lists.get(space)
        return known if known is not None and space.is_shared else space.values(self)

    def after(self, space: Space, start: int) -> Iterable[Any]:
        """The values from an index on, as cheap as all of them; none if the index is out of range."""
        return space.values(self, start) if start < space.count else ()

    def in_turn(self, part: Callable[[int], Space], ends: list[int], start: int) -> Iterable[Any]:
        """The values of parts one after the other, which end at these indices, from an index on."""
        k = bisect_right(ends, start)
        first = self.after(part(k), start - (ends[k - 1] if k else 0))
        # Parts without values end where the one before does.
        rest = (part(j) for j in range(k + 1, len(ends)) if ends[j] > ends[j - 1])
        return chain(first, chain.from_iterable(map(self.stream, rest)))

    def may_stay(self, space: Space) -> bool:
        """Whether the values of a space are small enough to keep all of them, judging by the last one."""
        return space in self._lists or space.count * _weight([space.at(space.count - 1)]) <= self._limit

    def known(self, space: Space) -> list[Any]:
        """The values of a small part that may be shared, as a list."""
        return self._lists.get(space) or self.listed(space, False)

    def listed(self, space: Listable, unshared: bool) -> list[Any]:
        """The values of a small part, or recipes for them, as a list that is kept for the next time."""
        lists = self._recipes if unshared else self._lists
        known = lists.get(space)
        if known is None:
            look()
            known = list(watched(space.recipes(self) if unshared else space.values(self)))
            if len(known) != space.count:
                raise stopped()
            with self._lock:
                if space in lists:  # another thread was faster
                    return lists[space]
                self._held += _weight(known)
                while self._held > self._limit and (oldest := self._lists or self._recipes):
                    self._held -= _weight(oldest.pop(next(iter(oldest))))
                lists[space] = known
        return known


def _weight(kept: list[Any]) -> int:
    """The weight of a list in values. A long row takes as much memory as several, and so does a long text."""
    first: Any = kept[0] if kept else None
    if type(first) is tuple:
        return len(kept) * (1 + len(first) // 8)
    return len(kept) * (1 + len(first) // 64) if type(first) in (str, bytes) else len(kept)


def passing_parts(whole: Space) -> set[Space]:
    """The parts that make up much of the whole and occur in few places: they are made again in each.

    Making a value and dropping it is several times cheaper than keeping it, because the garbage collector
    visits kept objects again and again.
    """
    least = max(BLOCK, whole.count // 32) if whole.count < math.inf else LIST_LIMIT
    places: dict[Space, int] = {}
    pending = [whole]
    while pending:
        for part in pending.pop().components():
            if least < part.count:
                seen = places[part] = places.get(part, 0) + 1
                if seen == 1:
                    pending.append(part)
    return {part for part, count in places.items() if count <= 3}
