"""Rows of parts that share a size between them, in bulk: constructors with three sized parts or more, and lists.

They are ordered by the size of the first part, then its index, then likewise for the rest. So all rows with
the same beginning continue in the same ways, their *tail*. Small tails are kept as lists of tuples, and
appended to each beginning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any

from everycase.enumeration.spaces.finite import Space
from everycase.enumeration.spaces.sized import Rows
from everycase.enumeration.spaces.sized_lists import ListTable, ListTier

if TYPE_CHECKING:
    from everycase.enumeration.bulk.values import Bulk

#: Maximum number of rows of a tail that is kept as a list. Rows may be long, so these lists are shorter than
#: others.
TAIL_LIMIT = 2**12


class Tail(Space):
    """All ways in which rows continue: a first part, and the tail after it. It is a space only as far as bulk
    needs it."""

    __slots__ = ("_find", "_options")

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


Options = list[tuple[Space, Tail]]

END = Tail(1, list)


class Tails:
    """The tails of one iteration."""

    def __init__(self) -> None:
        self._known: dict[tuple[Any, int, int], Tail] = {}

    def of(self, space: Rows | ListTier) -> Tail:
        if isinstance(space, Rows):
            return self._of_parts(space, 0, space.room)
        return self._of_list(space.table, 0, space.room)

    def _of_parts(self, rows: Rows, place: int, room: int) -> Tail:
        """For the parts from a position on."""
        left = len(rows.tiers) - place
        if not left:
            return END

        def find() -> Options:
            tiers = rows.tiers[place]
            sizes = range(room + 1) if left > 1 else range(room, room + 1)
            return [
                (tiers.spaces[size], self._of_parts(rows, place + 1, room - size))
                for size in sizes
                if tiers.counts[size] and rows.ways(left - 1, room - size)
            ]

        return self._once((rows.ways, left, room), rows.ways(left, room), find)

    def _of_list(self, table: ListTable, length: int, room: int) -> Tail:
        """For lists that already have this length."""
        if not room:
            return END
        if table.node.max_size is None:
            length = min(length, table.node.min_size)  # beyond the minimum, the length does not matter

        def find() -> Options:
            element = table.element
            return [
                (element.spaces[size], self._of_list(table, length + 1, room - 1 - size))
                for size in range(room)
                if element.counts[size] and table.ways(length + 1, room - 1 - size)
            ]

        return self._once((table, length, room), table.ways(length, room), find)

    def _once(self, key: tuple[Any, int, int], count: int, find: Callable[[], Options]) -> Tail:
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = Tail(count, find)
        return known


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


def small_tail(bulk: Bulk, tail: Tail, unshared: bool) -> Iterable[tuple[Any, ...]]:
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
