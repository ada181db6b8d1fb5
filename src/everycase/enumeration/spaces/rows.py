"""Rows of parts that share a size between them: constructors with three sized parts or more, and lists.

They are ordered by the size of the first part, then its index, then likewise for the rest. So all rows with
the same beginning continue in the same ways, their *tail*. In bulk, small tails are kept as lists of tuples,
and appended to each beginning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, repeat, starmap
from typing import Any

from everycase.choices.time_limit import look, watched
from everycase.choices.trace import Trace
from everycase.enumeration.spaces.base import Bulk, Part, Ranking, SizeOf, Space
from everycase.enumeration.spaces.products import as_list, maker
from everycase.enumeration.spaces.sized import Tiers
from everycase.gen.kinds import Build, List

#: Maximum number of rows of a tail that is kept as a list. Rows may be long, so these lists are shorter than
#: others.
TAIL_LIMIT = 2**12


class Tail:
    """All ways in which rows continue: a first part, and the tail after it. It is no space, because its rows are not values, but an
    iteration keeps small ones as lists in the same way."""

    __slots__ = ("_find", "_options", "count")

    def __init__(self, count: int, find: Callable[[], Options]) -> None:
        self.count = count
        self._find = find
        self._options: Options | None = None

    @property
    def options(self) -> Options:
        # Found on demand: rows may be longer than Python's recursion limit.
        if self._options is None:
            self._options = self._find()
        return self._options

    def values(self, bulk: Bulk) -> Iterable[tuple[Any, ...]]:
        return _small_tail(bulk, self, False)

    def recipes(self, bulk: Bulk) -> Iterable[tuple[Any, ...]]:
        return _small_tail(bulk, self, True)


Options = list[tuple[Space, Tail]]

END = Tail(1, list)


def rows(bulk: Bulk, tail: Tail, unshared: bool, start: int = 0) -> Iterable[tuple[Any, ...]]:
    """All rows of a tail from an index on: tuples of values, or of recipes."""
    return chain.from_iterable(_pieces(bulk, tail, unshared, start))


def _pieces(bulk: Bulk, tail: Tail, unshared: bool, start: int) -> Iterator[Iterable[tuple[Any, ...]]]:
    # A stack instead of nested iterators, which cost time for every value and may be too many.
    begun = [iter([((), tail, start)])]
    while begun:
        following = next(begun[-1], None)
        if following is None:
            begun.pop()
            continue
        beginning, rest, start = following
        if rest.count > TAIL_LIMIT:
            begun.append(_beginnings(bulk, beginning, rest, unshared, start))
        else:
            known = bulk.listed(rest, unshared)
            yield map(beginning.__add__, known[start:] if start else known)


def _beginnings(
    bulk: Bulk, beginning: tuple[Any, ...], tail: Tail, unshared: bool, start: int
) -> Iterator[tuple[Any, Tail, int]]:
    """Each beginning that is longer by one, the tail after it, and the index to start from."""
    for first, rest in tail.options:
        if start >= first.count * rest.count:
            start -= first.count * rest.count
            continue
        digit, start = divmod(start, rest.count)
        for value in bulk.items(first, unshared, digit):
            yield (*beginning, value), rest, start
            start = 0


def _small_tail(bulk: Bulk, tail: Tail, unshared: bool) -> Iterable[tuple[Any, ...]]:
    """The rows of a tail of which all smaller ones are kept."""
    if tail is END:
        return ((),)
    return chain.from_iterable(
        zip(bulk.items(first, unshared))
        if rest is END
        else chain.from_iterable(
            map((value,).__add__, bulk.listed(rest, unshared)) for value in bulk.items(first, unshared)
        )
        for first, rest in tail.options
    )


def _once(bulk: Bulk, key: tuple[Any, int, int], count: int, find: Callable[[], Options]) -> Tail:
    known: Tail | None = bulk.tails.get(key)
    if known is None:
        known = bulk.tails[key] = Tail(count, find)
    return known


class RowSpace(Space):
    """Values that are made from rows."""

    __slots__ = ()

    def tail(self, bulk: Bulk) -> Tail:
        """All of its rows."""
        raise NotImplementedError

    @property
    def make(self) -> Callable[..., Any]:
        """A function that makes a value of its parts."""
        raise NotImplementedError

    def put_together(self, found: Iterable[tuple[Any, ...]]) -> Iterable[Any]:
        """The values of rows whose parts may be shared."""
        raise NotImplementedError

    def _rows_of_recipes(self, bulk: Bulk, start: int = 0) -> tuple[Callable[[Any], Any], Iterable[Any]]:
        """Rows of recipes, and the function that makes a value of one."""
        make = self.make
        return lambda row: make(*[recipe() for recipe in row]), rows(bulk, self.tail(bulk), True, start)

    def shares_parts(self, bulk: Bulk) -> bool:
        return all(part.may_share(bulk) for part in self.components())

    def values(self, bulk: Bulk, start: int = 0) -> Iterable[Any]:
        if not self.shares_parts(bulk):
            return map(*self._rows_of_recipes(bulk, start))
        return self.put_together(rows(bulk, self.tail(bulk), False, start))

    def recipes(self, bulk: Bulk) -> Iterable[Any]:
        if not self.shares_parts(bulk):
            make, found = self._rows_of_recipes(bulk)
            return map(partial, repeat(make), found)
        return starmap(partial, map((self.make,).__add__, rows(bulk, self.tail(bulk), False)))


class Rows(RowSpace):
    """A constructor with three or more sized parts, which share a size in every possible way.

    Ordered by the size of the first, then its index, then likewise for the rest. ``ways(k, room)`` is the
    number of ways in which the sizes of the last ``k`` parts add up to ``room``.
    """

    __slots__ = ("node", "room", "tiers", "ways")

    def __init__(
        self,
        node: Build[Any],
        tiers: Sequence[Tiers],
        ways: Callable[[int, int], int],
        room: int,
    ) -> None:
        self.node = node
        self.tiers = tiers
        self.ways = ways
        self.room = room
        self.count = ways(len(tiers), room)
        self.at = self._at

    def split(self, i: int) -> Sequence[Part]:
        parts = []
        room = self.room
        for rest, tiers in zip(range(len(self.tiers) - 1, -1, -1), self.tiers):
            for size, count in enumerate(tiers.counts[: room + 1]):
                if count:
                    ways = self.ways(rest, room - size)
                    if i < count * ways:
                        break
                    i -= count * ways
            digit, i = divmod(i, ways)
            parts.append((tiers.spaces[size], digit))
            room -= size
        return parts

    def _at(self, i: int) -> Any:
        return self.value(i, [part.at(digit) for part, digit in watched(self.split(i))])

    def value(self, i: int, parts: list[Any]) -> Any:
        return self.node.construct(parts)

    def record(self, i: int, parts: list[Trace[Any]]) -> Trace[Any]:
        return Trace(None, parts, self.node, self.value(i, [part.value for part in parts]))

    def rank(self, trace: Trace[Any], size: SizeOf) -> Ranking:
        room = self.room
        number = 0
        for rest, tiers, child in zip(range(len(self.tiers) - 1, -1, -1), self.tiers, trace.children):
            assert child is not None
            own = size(child)
            for smaller, count in enumerate(tiers.counts[:own]):
                if count:
                    number += count * self.ways(rest, room - smaller)
            number += (yield tiers.spaces[own], child) * self.ways(rest, room - own)
            room -= own
        return number

    @property
    def make(self) -> Callable[..., Any]:
        return maker(self.node)

    def put_together(self, found: Iterable[tuple[Any, ...]]) -> Iterable[Any]:
        return found if self.node.constructs is tuple else starmap(self.make, found)

    def components(self) -> list[Space]:
        return [part for tiers in self.tiers for part in tiers.spaces[: self.room + 1] if part.count]

    def _is_shared(self) -> bool:
        return self.node.share and all(part.is_shared for part in self.components())

    def tail(self, bulk: Bulk) -> Tail:
        return self._tail(bulk, 0, self.room)

    def _tail(self, bulk: Bulk, place: int, room: int) -> Tail:
        """For the parts from a position on."""
        left = len(self.tiers) - place
        if not left:
            return END

        def find() -> Options:
            tiers = self.tiers[place]
            sizes = range(room + 1) if left > 1 else range(room, room + 1)
            return [
                (tiers.spaces[size], self._tail(bulk, place + 1, room - size))
                for size in sizes
                if tiers.counts[size] and self.ways(left - 1, room - size)
            ]

        return _once(bulk, (self.ways, left, room), self.ways(left, room), find)


def ways_table(tiers: Sequence[Tiers]) -> Callable[[int, int], int]:
    """``ways(k, room)``: the number of ways in which the last ``k`` of some parts add up to ``room``; cached.

    The sizes must be known up to every room that is asked for.
    """
    known: dict[tuple[int, int], int] = {}

    def ways(k: int, room: int) -> int:
        if k == 0:
            return 1 if room == 0 else 0
        if k == 1:
            return tiers[-1].counts[room]
        found = known.get((k, room))
        if found is None:
            counts = tiers[-k].counts
            found = sum(counts[s] * ways(k - 1, room - s) for s in range(room + 1) if counts[s])
            known[k, room] = found
        return found

    return ways


class ListTable:
    """The number of ways to finish a list: ``ways(length so far, size left)``; cached.

    Every element costs at least its position, so a list ends exactly when no size is left.
    """

    __slots__ = ("_known", "element", "node")

    def __init__(self, node: List[Any], element: Tiers) -> None:
        self.node = node
        self.element = element
        self._known: dict[tuple[int, int], int] = {}

    def ways(self, length: int, room: int) -> int:
        shortest, longest = self.node.min_size, self.node.max_size
        if room == 0:
            return 1 if length >= shortest else 0
        if longest is None:
            length = min(length, shortest)  # beyond the minimum, the length does not matter
        found = self._known.get((length, room))
        if found is None:
            self._fill(length, room)
            found = self._known[length, room]
        return found

    def know(self, room: int, ways: int) -> None:
        """The number of whole lists, which is also that of the rests of longer ones."""
        self._known[0, room] = ways

    def _fill(self, length: int, room: int) -> None:
        """Smaller rooms first, because the larger ones need them."""
        shortest, longest = self.node.min_size, self.node.max_size
        known, ways = self._known, self.ways
        sizes = [(size, count) for size, count in enumerate(self.element.counts[:room]) if count]
        for left in range(1, room + 1):
            look()
            # Lengths from which this one can be asked: an element takes at least one from the room.
            furthest = length + room - left
            furthest = min(furthest, shortest if longest is None else longest)
            for so_far in range(length, furthest + 1):
                if (so_far, left) not in known:
                    total = 0
                    if longest is None or so_far < longest:
                        for size, count in sizes:
                            if size >= left:
                                break
                            total += count * ways(so_far + 1, left - 1 - size)
                    known[so_far, left] = total

    def tail(self, bulk: Bulk, length: int, room: int) -> Tail:
        """For lists that already have this length."""
        if not room:
            return END
        if self.node.max_size is None:
            length = min(length, self.node.min_size)  # beyond the minimum all lengths are alike

        def find() -> Options:
            element = self.element
            return [
                (element.spaces[size], self.tail(bulk, length + 1, room - 1 - size))
                for size in range(room)
                if element.counts[size] and self.ways(length + 1, room - 1 - size)
            ]

        return _once(bulk, (self, length, room), self.ways(length, room), find)


class ListTier(RowSpace):
    """The lists of one size, ordered by the size of the first element, then its index, then the rest."""

    __slots__ = ("node", "room", "table")

    def __init__(self, table: ListTable, room: int, count: int | None = None) -> None:
        if count is not None:
            table.know(room, count)
        self.node = table.node
        self.table = table
        self.room = room
        self.count = table.ways(0, room)
        self.at = self._at

    def split(self, i: int) -> Sequence[Part]:
        parts: list[Part] = []
        room, table = self.room, self.table
        spaces, counts = table.element.spaces, table.element.counts
        while room:
            for size in range(room):
                count = counts[size]
                if count:
                    ways = table.ways(len(parts) + 1, room - 1 - size)
                    if i < count * ways:
                        break
                    i -= count * ways
            digit, i = divmod(i, ways)
            parts.append((spaces[size], digit))
            room -= 1 + size
        return parts

    def _at(self, i: int) -> Any:
        return [part.at(digit) for part, digit in watched(self.split(i))]

    def value(self, i: int, parts: list[Any]) -> Any:
        return parts

    def record(self, i: int, parts: list[Trace[Any]]) -> Trace[Any]:
        return Trace(None, parts, self.table.node, [part.value for part in parts])

    def rank(self, trace: Trace[Any], size: SizeOf) -> Ranking:
        room, table = self.room, self.table
        number = 0
        for length, child in enumerate(trace.children, 1):
            assert child is not None
            own = size(child)
            for smaller, count in enumerate(table.element.counts[:own]):
                if count:
                    number += count * table.ways(length, room - 1 - smaller)
            digit = yield table.element.spaces[own], child
            room -= 1 + own
            number += digit * table.ways(length, room)
        return number

    @property
    def make(self) -> Callable[..., Any]:
        return as_list

    def put_together(self, found: Iterable[tuple[Any, ...]]) -> Iterable[Any]:
        return map(list, found)

    def rows(self, bulk: Bulk, start: int) -> Iterable[tuple[Any, ...]] | None:
        return rows(bulk, self.tail(bulk), False, start) if self.shares_parts(bulk) else None

    def components(self) -> list[Space]:
        return [part for part in self.table.element.spaces[: self.room] if part.count]

    def tail(self, bulk: Bulk) -> Tail:
        return self.table.tail(bulk, 0, self.room)
