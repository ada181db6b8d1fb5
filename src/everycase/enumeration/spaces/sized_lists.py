"""Lists by size: all lists whose length and elements add up to an exact size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from everycase.choices.time_limit import look
from everycase.choices.trace import Trace
from everycase.enumeration.spaces.finite import Part, Ranking, SizeOf, Space
from everycase.enumeration.spaces.sized import Tiers
from everycase.gen.kinds import List


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


class ListTier(Space):
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
        return [part.at(digit) for part, digit in self.split(i)]

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
