"""Spaces by size: all values with an exact number of constructors (Feat's idea), and the infinite sequence of
them.

The size of a value is defined once, in :func:`size_of_leaf` and :func:`sizes`: a constructor application
costs 1, a list its length and its elements, an integer or float without a small range the bits of its
distance from the start of its order, everything else nothing. As long as a recursion passes through a
constructor or a list, each size has finitely many values.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, chain
from itertools import count as counting
from operator import mul
from threading import RLock
from typing import Any

from everycase.choices.trace import Trace
from everycase.enumeration.series import Series
from everycase.enumeration.spaces.base import Bulk, Part, Ranking, SizeOf, Space
from everycase.enumeration.spaces.products import Product
from everycase.errors import GeneratorError, NoSuchValue
from everycase.gen.base import Gen
from everycase.gen.kinds import Build

#: After this many empty sizes in a row it is assumed that there are no more values.
EMPTY_TIERS = 1000
#: Up to this size all running totals are made at once; more are made on demand.
ALL_TOTALS = 200


class Tiers:
    """The spaces of one generator by size, as far as they were needed; ``counts`` beside them for arithmetic.

    ``table`` is for what a rule wants to remember from one size to the next, ``series`` for the numbers of values if
    there is a recurrence for them.
    """

    __slots__ = ("counts", "series", "spaces", "table")

    def __init__(self) -> None:
        self.spaces: list[Space] = []
        self.counts: list[int] = []
        self.table: Any = None
        self.series: Series | None = None

    def add(self, space: Space) -> None:
        self.spaces.append(space)
        self.counts.append(space.count)


class _BothEnds:
    """The running totals of many counts, from both ends inwards, as far as they were needed.

    Of the ways to share a large size between two parts, those in which one part is small have most of the values. A
    number is found after a few steps from the nearer end.
    """

    __slots__ = ("_lock", "back", "count", "front", "last", "total")

    def __init__(self, count: Callable[[int], int], places: int, total: int) -> None:
        self.count = count
        self.last = places - 1
        self.total = total
        #: where the first ones end, and where the last ones start, the very last one first (negative, to be ascending)
        self.front: list[int] = []
        self.back: list[int] = []
        self._lock = RLock()

    def find(self, i: int) -> tuple[int, int]:
        """The place of a number, and where that place starts."""
        front, back = self.front, self.back
        while True:
            if front and i < front[-1]:
                place = bisect_right(front, i)
                return place, front[place - 1] if place else 0
            if back and i >= -back[-1]:
                place = bisect_left(back, -i)
                return self.last - place, -back[place]
            self._grow_front()
            self._grow_back()

    def start(self, place: int) -> int:
        if place == 0:
            return 0
        if place <= self.last // 2:
            while len(self.front) < place:
                self._grow_front()
            return self.front[place - 1]
        while len(self.back) <= self.last - place:
            self._grow_back()
        return -self.back[self.last - place]

    def _grow_front(self) -> None:
        with self._lock:
            front = self.front
            if len(front) <= self.last:
                front.append((front[-1] if front else 0) + self.count(len(front)))

    def _grow_back(self) -> None:
        with self._lock:
            back = self.back
            if len(back) <= self.last:
                back.append((back[-1] if back else -self.total) + self.count(self.last - len(back)))


class Splits(Space):
    """A constructor of which two parts have sizes: one product for every way to share a size between them.

    Only the count is worked out at once, unless it is known. The running totals and the products are made when a value
    is asked for, so that counting trees of a thousand nodes does not keep a million of them.
    """

    __slots__ = ("_products", "_times", "_totals", "fixed", "node", "places", "room", "tiers")

    def __init__(
        self,
        node: Build[Any],
        fixed: Sequence[Space | None],
        places: tuple[int, int],
        tiers: tuple[Tiers, Tiers],
        room: int,
        count: int | None = None,
    ) -> None:
        self.node = node
        self.fixed = fixed
        self.places = places
        self.tiers = tiers
        self.room = room
        self._products: dict[int, Product] = {}
        self._times: int = math.prod(space.count for space in fixed if space is not None)
        self.count = self._total() if count is None else count
        self._totals: _BothEnds | None = None
        self.at = self._lazily()

    def _total(self) -> int:
        """The sum of the counts. Two parts of one kind make it symmetric, and half of it is enough."""
        left, right = self.tiers
        if left is not right:
            return sum(self._counts())
        counts, room = left.counts, self.room
        half = (room + 1) // 2
        total: int = 2 * sum(map(mul, counts[:half], counts[room : room - half : -1]))
        if room % 2 == 0:
            total += counts[half] * counts[half]
        return total * self._times

    def _counts(self) -> list[int]:
        left, right = self.tiers
        room = self.room
        counts = map(mul, left.counts[: room + 1], right.counts[room::-1])
        return list(counts) if self._times == 1 else [self._times * count for count in counts]

    def _count_at(self, left: int) -> int:
        """The number of values in which the first sized part has size ``left``."""
        count: int = self.tiers[0].counts[left] * self.tiers[1].counts[self.room - left] * self._times
        return count

    def ends(self) -> list[int]:
        return list(accumulate(self._counts()))

    def _running(self) -> _BothEnds:
        totals = self._totals
        if totals is None:
            totals = self._totals = _BothEnds(self._count_at, self.room + 1, self.count)
        return totals

    def product(self, left: int) -> Product:
        """The product in which the first sized part has size ``left``."""
        known = self._products.get(left)
        if known is None:
            parts = list(self.fixed)
            parts[self.places[0]] = self.tiers[0].spaces[left]
            parts[self.places[1]] = self.tiers[1].spaces[self.room - left]
            known = self._products[left] = Product(self.node, parts)  # type: ignore[arg-type]
        return known

    def alternatives(self) -> list[Product]:
        return [self.product(left) for left, count in enumerate(self._counts()) if count]

    def find(self, i: int) -> tuple[Product, int]:
        left, start = self._running().find(i)
        return self._products.get(left) or self.product(left), i - start

    def _lazily(self) -> Callable[[int], Any]:
        return self._from_a_table() if self.room <= ALL_TOTALS else self._from_both_ends()

    def _from_a_table(self) -> Callable[[int], Any]:
        table: tuple[list[int], list[int], list[Callable[[int], Any] | None]] | None = None

        def at(i: int) -> Any:
            nonlocal table
            if table is None:
                ends = self.ends()
                table = ends, [0, *ends[:-1]], [None] * len(ends)
            ends, starts, ats = table
            left = bisect_right(ends, i)
            found = ats[left]
            if found is None:
                found = ats[left] = self.product(left).at
            return found(i - starts[left])

        return at

    def _from_both_ends(self) -> Callable[[int], Any]:
        def at(i: int) -> Any:
            product, i = self.find(i)
            return product.at(i)

        return at

    def split(self, i: int) -> Sequence[Part]:
        return (self.find(i),)

    def value(self, i: int, parts: list[Any]) -> Any:
        return parts[0]

    def record(self, i: int, parts: list[Trace[Any]]) -> Trace[Any]:
        return parts[0]

    def rank(self, trace: Trace[Any], size: SizeOf) -> Ranking:
        first = trace.children[self.places[0]]
        assert first is not None
        left = size(first)
        return self._running().start(left) + (yield self.product(left), trace)

    def values(self, bulk: Bulk, start: int = 0) -> Iterable[Any]:
        if start:
            return bulk.in_turn(self.product, self.ends(), start)
        return chain.from_iterable(part.values(bulk) for part in self.alternatives())

    def recipes(self, bulk: Bulk) -> Iterable[Any]:
        return chain.from_iterable(part.recipes(bulk) for part in self.alternatives())

    def components(self) -> list[Space]:
        return list(self.alternatives())

    def _is_shared(self) -> bool:
        return self.node.share and all(part.is_shared for part in self.alternatives())


class Tiered(Space):
    """The infinite sequence of all values by size, smallest first; within a size in the order of that space."""

    __slots__ = ("_ends", "_lock", "node", "tier")

    def __init__(self, node: Gen[Any], tier: Callable[[Gen[Any], int], Space]) -> None:
        self.node = node
        self.tier = tier
        self.count = math.inf
        self.at = self._at
        self._ends: list[int] = []
        self._lock = RLock()

    def end(self, size: int) -> int:
        """How many values there are up to a size."""
        ends = self._ends
        if len(ends) <= size:
            with self._lock:
                while len(ends) <= size:
                    ends.append((ends[-1] if ends else 0) + self.tier(self.node, len(ends)).count)
        return ends[size]

    def place(self, i: int) -> tuple[int, int]:
        """The size of a value, and its index among those of this size."""
        size = len(self._ends)
        if not size or self._ends[-1] <= i:
            barren = 0
            while (end := self.end(size)) <= i:
                barren = barren + 1 if size and end == self._ends[size - 1] else 0
                self._check_goes_on(size, barren)
                size += 1
        else:
            size = bisect_right(self._ends, i)
        return size, i - (self._ends[size - 1] if size else 0)

    def tiers(self, size: int) -> Iterator[Space]:
        """The values of each size, from one on."""
        barren = 0
        for each in counting(size):
            space = self.tier(self.node, each)
            barren = 0 if space.count else barren + 1
            self._check_goes_on(each, barren)
            yield space

    def _check_goes_on(self, size: int, barren: int) -> None:
        """Refuse to look on after many sizes in a row without values."""
        if barren > EMPTY_TIERS:
            raise GeneratorError(
                f"{self.node!r} has no value of any of the {EMPTY_TIERS} sizes after {size - barren}: "
                "its recursion seems to end, so it cannot be counted as infinite"
            )

    def find(self, i: int) -> tuple[Space, int]:
        size, i = self.place(i)
        return self.tier(self.node, size), i

    def _at(self, i: int) -> Any:
        space, i = self.find(i)
        return space.at(i)

    def split(self, i: int) -> Sequence[Part]:
        return (self.find(i),)

    def value(self, i: int, parts: list[Any]) -> Any:
        return parts[0]

    def record(self, i: int, parts: list[Trace[Any]]) -> Trace[Any]:
        return parts[0]

    def rank(self, trace: Trace[Any], size: SizeOf) -> Ranking:
        own = size(trace)
        space = self.tier(self.node, own)
        if not space.count:
            raise NoSuchValue(f"there is no value of size {own}")
        return (self.end(own - 1) if own else 0) + (yield space, trace)

    def values(self, bulk: Bulk, start: int = 0) -> Iterable[Any]:
        if not start:
            return chain.from_iterable(tier.values(bulk) for tier in self.tiers(0))
        size, start = self.place(start)
        first = bulk.after(self.tier(self.node, size), start)
        return chain(first, chain.from_iterable(tier.values(bulk) for tier in self.tiers(size + 1)))

    def in_pieces(self, start: int) -> tuple[Iterable[Space], int]:
        size, start = self.place(start)
        return self.tiers(size), start
