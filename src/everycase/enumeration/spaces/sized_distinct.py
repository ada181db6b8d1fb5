"""Lists of distinct elements, sets and dictionaries by size.

The order is frozen: within one size the shorter lists come first; of the same length those whose elements (or
keys) are smaller in total; a selection takes as many of the smallest elements as it can, and those of one
size in lexicographic order.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from math import comb, factorial
from typing import Any

from everycase.choices.trace import Trace
from everycase.enumeration.combinatorics import arranged, arrangement_number, combination_number, selected
from everycase.enumeration.spaces.distinct import elements_of, item_of, record_of
from everycase.enumeration.spaces.finite import Part, Ranking, SizeOf, Space
from everycase.enumeration.spaces.sized import Rows, Tiers
from everycase.gen.kinds import List


class SelectionTable:
    """The number of ways to take ``need`` distinct elements of at least some size, with ``room`` in total."""

    def __init__(self, tiers: Tiers) -> None:
        self.tiers = tiers
        self._known: dict[tuple[int, int, int], int] = {}

    def _steps(self, size: int, need: int, room: int) -> list[tuple[int, int, tuple[int, int, int]]]:
        """Take j of this size: j, in how many ways, and what is left to do; as many as possible first."""
        count = self.tiers.counts[size]
        most = min(need, count, room // size if size else need)
        return [(j, comb(count, j), (size + 1, need - j, room - j * size)) for j in range(most, -1, -1)]

    def _at_once(self, size: int, need: int, room: int) -> int | None:
        if need == 0:
            return 1 if room == 0 else 0
        return 0 if size * need > room else self._known.get((size, need, room))

    def ways(self, size: int, need: int, room: int) -> int:
        answer = self._at_once(size, need, room)
        if answer is not None:
            return answer
        # With its own stack: as deep as there are sizes.
        pending = [(size, need, room)]
        while pending:
            state = pending[-1]
            total = 0
            missing = []
            for _, ways, rest in self._steps(*state):
                below = self._at_once(*rest)
                if below is None:
                    missing.append(rest)
                else:
                    total += ways * below
            if missing:
                pending.extend(missing)
            else:
                self._known[state] = total
                pending.pop()
        return self._known[size, need, room]

    def select(self, need: int, room: int, number: int) -> list[tuple[int, int]]:
        """A selection by its index: sizes, upwards, and the indices of the elements among those of their
        size."""
        chosen: list[tuple[int, int]] = []
        size = 0
        while need:
            for j, ways, rest in self._steps(size, need, room):
                below = self.ways(*rest)
                if number < ways * below:
                    which, number = divmod(number, below)
                    chosen += [(size, place) for place in selected(self.tiers.counts[size], j, which)]
                    break
                number -= ways * below
            size, need, room = rest
        return chosen

    def number(self, chosen: Sequence[tuple[int, int]], room: int) -> int:
        """The inverse of ``select``."""
        number = size = 0
        need = len(chosen)
        while need:
            here = [place for own, place in chosen if own == size]
            for j, ways, rest in self._steps(size, need, room):
                below = self.ways(*rest)
                if j == len(here):
                    break
                number += ways * below
            number += combination_number(self.tiers.counts[size], here) * below
            size, need, room = rest
        return number


class DistinctTable:
    """What the sizes of one list have in common: selections of elements (or keys), and the values of dictionaries."""

    def __init__(self, node: List[Any], elements: Tiers, values: Tiers | None) -> None:
        self.node = node
        self.selections = SelectionTable(elements)
        self.values = values
        self.item = None if values is None else item_of(node)
        self._known: dict[tuple[int, int], int] = {}

    def value_ways(self, k: int, room: int) -> int:
        """The number of ways in which k values add up to ``room``."""
        assert self.values is not None
        if k == 0:
            return 1 if room == 0 else 0
        found = self._known.get((k, room))
        if found is None:
            counts = self.values.counts[: room + 1]
            found = sum(n * self.value_ways(k - 1, room - size) for size, n in enumerate(counts) if n)
            self._known[k, room] = found
        return found


class DistinctTier(Space):
    """The lists of one size, in pieces: one for every length and total size of the elements (or keys)."""

    __slots__ = ("ends", "pieces", "table")

    def __init__(self, table: DistinctTable, room: int) -> None:
        self.table = table
        node, values = table.node, table.values
        #: for each piece: the number of elements, their total size, the values of dictionaries, the orders
        self.pieces: list[tuple[int, int, Rows | None, int]] = []
        counts = []
        cost = 1 if values is None else 2  # a position in the list, and an item is a tuple
        longest = room // cost if node.max_size is None else min(node.max_size, room // cost)
        for length in range(node.min_size, longest + 1):
            left = room - cost * length
            orders = 1 if node.unordered else factorial(length)
            for own in [left] if values is None else range(left + 1):
                count = table.selections.ways(0, length, own) * orders
                rows = None
                if count and values is not None:
                    assert table.item is not None
                    rows = Rows(table.item, [values] * length, table.value_ways, left - own)
                    count *= rows.count
                if count:
                    self.pieces.append((length, own, rows, orders))
                    counts.append(count)
        self.ends = list(accumulate(counts))
        self.count = self.ends[-1] if counts else 0
        self.at = lambda i: elements_of(table.item, [part.at(number) for part, number in self.split(i)])

    def split(self, i: int) -> Sequence[Part]:
        k = bisect_right(self.ends, i)
        length, own, rows, orders = self.pieces[k]
        number, order = divmod(i - self.ends[k - 1] if k else i, orders)
        which, value = divmod(number, rows.count) if rows is not None else (number, 0)
        selections = self.table.selections
        spaces = selections.tiers.spaces
        elements = [[(spaces[size], place)] for size, place in selections.select(length, own, which)]
        if rows is not None:
            for element, part in zip(elements, rows.split(value)):
                element.append(part)
        return [part for element in (arranged(elements, order) if order else elements) for part in element]

    def value(self, i: int, parts: list[Any]) -> Any:
        return elements_of(self.table.item, parts)

    def record(self, i: int, parts: list[Trace[Any]]) -> Trace[Any]:
        return record_of(self.table.node, self.table.item, parts)

    def rank(self, trace: Trace[Any], size: SizeOf) -> Ranking:
        selections = self.table.selections
        found: list[tuple[int, int]] = []
        values = {}
        for child in trace.children:
            assert child is not None
            key = child if self.table.item is None else child.children[0]
            assert key is not None
            place = yield selections.tiers.spaces[size(key)], key
            found.append((size(key), place))
            if self.table.item is not None:
                values[found[-1]] = child.children[1]
        chosen = sorted(found)
        own = sum(size for size, _ in found)
        k = next(k for k, piece in enumerate(self.pieces) if piece[:2] == (len(found), own))
        _, _, rows, orders = self.pieces[k]
        number = selections.number(chosen, own)
        if rows is not None:
            number = number * rows.count + (yield rows, Trace(None, [values[place] for place in chosen]))
        if orders > 1:
            number = number * orders + arrangement_number(found)
        return (self.ends[k - 1] if k else 0) + number
