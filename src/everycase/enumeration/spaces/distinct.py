"""Lists of distinct elements as spaces; sets and dictionaries are such lists in no particular order.

A list of k distinct elements is a **selection** of k of them and an **arrangement** of the selection. A set is the
selection alone, and a dictionary is a selection of keys with a value for each, so neither is counted once for every
order in which it could be written.

The order is frozen: shorter ones first; selections in lexicographic order of the numbers of their elements; for each the
values of a dictionary, the last changing fastest; then the arrangements, beginning with the order of the numbers.
Where elements have sizes, see :mod:`everycase.enumeration.spaces.sized_distinct`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count, pairwise
from math import comb
from typing import Any

from everycase.choices.trace import Trace
from everycase.enumeration.combinatorics import arranged, arrangement_number, combination_number, selected
from everycase.enumeration.spaces.finite import Part, Ranking, SizeOf, Space
from everycase.gen.collections import first
from everycase.gen.kinds import Build, List


class Pool:
    """What distinct elements are selected from: so many places, each of which holds ``width`` elements that exclude
    one another (one, unless they share a key)."""

    def __init__(self, element: Space) -> None:
        self.element = element
        self.places: int = element.count
        self.width: Any = 1

    def parts(self, place: int, digit: int) -> list[Part]:
        """What an element is made of."""
        return [(self.element, place)]

    def find(self, trace: Trace[Any]) -> Ranking:
        """The place of an element and which one it is there, as one number."""
        return (yield self.element, trace)

    def ways(self, k: int) -> int:
        """How many selections of k there are."""
        ways: int = comb(self.places, k) * self.width**k
        return ways

    def all_ways(self) -> Iterator[int]:
        """The same for k = 0, 1, 2, ..., each from the one before."""
        ways, power = 1, 1
        for k in count():
            yield ways * power
            ways = ways * (self.places - k) // (k + 1)
            power *= self.width

    def select(self, k: int, number: int) -> list[tuple[int, int]]:
        """A selection by its number: the places, upwards, with the digit at each."""
        width = self.width
        digits = [0] * k
        if width > 1:
            for i in range(k - 1, -1, -1):
                number, digits[i] = divmod(number, width)
        return list(zip(selected(self.places, k, number), digits))

    def number(self, chosen: Sequence[tuple[int, int]]) -> int:
        """The inverse of ``select``."""
        number = combination_number(self.places, [place for place, _ in chosen])
        for _, digit in chosen:
            number = number * int(self.width) + digit
        return number


class Items(Pool):
    """The items of a dictionary: places are keys, and at each there are all values."""

    def __init__(self, keys: Space, values: Space) -> None:
        self.keys = keys
        self.values = values
        self.places = keys.count
        self.width = values.count

    def parts(self, place: int, digit: int) -> list[Part]:
        return [(self.keys, place), (self.values, digit)]

    def find(self, trace: Trace[Any]) -> Ranking:
        key, value = trace.children
        assert key is not None and value is not None
        place = yield self.keys, key
        return place * int(self.width) + (yield self.values, value)


class Groups(Pool):
    """Elements of which several may have the same key: the numbers of those with each key."""

    def __init__(self, element: Space, groups: list[list[int]], longest: int) -> None:
        super().__init__(element)
        self.groups = groups
        self.places = len(groups)
        self.width = max(map(len, groups))
        self._found: dict[int, int] = {
            number: place * self.width + digit
            for place, group in enumerate(groups)
            for digit, number in enumerate(group)
        }
        # How many ways there are to take j from the groups from a place on.
        row = [1] + [0] * longest
        self._table: list[list[int]] = [row]
        for group in reversed(groups):
            row = [1, *(more + len(group) * less for less, more in pairwise(row))]
            self._table.append(row)
        self._table.reverse()

    def parts(self, place: int, digit: int) -> list[Part]:
        return [(self.element, self.groups[place][digit])]

    def find(self, trace: Trace[Any]) -> Ranking:
        number: Any = yield self.element, trace
        return self._found[number]

    def ways(self, k: int) -> int:
        return int(self._table[0][k])

    def all_ways(self) -> Iterator[int]:
        return iter(self._table[0])

    def select(self, k: int, number: int) -> list[tuple[int, int]]:
        chosen = []
        place = 0
        while k:
            rest = self._table[place + 1][k - 1]
            here = len(self.groups[place]) * rest
            if number < here:
                digit, number = divmod(number, rest)
                chosen.append((place, digit))
                k -= 1
            else:
                number -= here
            place += 1
        return chosen

    def number(self, chosen: Sequence[tuple[int, int]]) -> int:
        number = start = 0
        for left, (place, digit) in zip(range(len(chosen) - 1, -1, -1), chosen):
            for skipped in range(start, place):
                number += len(self.groups[skipped]) * self._table[skipped + 1][left]
            number += digit * self._table[place + 1][left]
            start = place + 1
        return number


class Distinct(Space):
    """Lists of ``length`` distinct elements of a pool."""

    __slots__ = ("item", "length", "node", "orders", "pool")

    def __init__(self, node: List[Any], pool: Pool, length: int, selections: int, orders: int) -> None:
        self.node = node
        self.item = item_of(node) if isinstance(pool, Items) else None
        self.pool = pool
        self.length = length
        self.orders = orders
        self.count = selections * orders
        self.at = lambda i: elements_of(self.item, [part.at(number) for part, number in self.split(i)])

    def split(self, i: int) -> Sequence[Part]:
        number, order = divmod(i, self.orders)
        chosen = self.pool.select(self.length, number)
        if order:
            chosen = arranged(chosen, order)
        return [part for place, digit in chosen for part in self.pool.parts(place, digit)]

    def value(self, i: int, parts: list[Any]) -> Any:
        return elements_of(self.item, parts)

    def record(self, i: int, parts: list[Trace[Any]]) -> Trace[Any]:
        return record_of(self.node, self.item, parts)

    def rank(self, trace: Trace[Any], size: SizeOf) -> Ranking:
        found = []
        for child in trace.children:
            assert child is not None
            found.append((yield from self.pool.find(child)))
        number = self.pool.number([divmod(place, self.pool.width) for place in sorted(found)])
        return number if self.orders == 1 else number * self.orders + arrangement_number(found)


def by_length(node: List[Any], pool: Pool, longest: int) -> Iterator[Distinct]:
    """The lists of each length."""
    orders = 1
    for length, ways in zip(range(longest + 1), pool.all_ways()):
        if length >= node.min_size:
            yield Distinct(node, pool, length, ways, orders)
        if not node.unordered:
            orders *= length + 1


def item_of(node: List[Any]) -> Build[Any] | None:
    """The pairs that a list of distinct keys with values is made of; None if it is not such a list."""
    item = node.element
    if (
        node.unique_by is first
        and isinstance(item, Build)
        and item.constructs is tuple
        and len(item.parts) == 2
    ):
        return item
    return None


def elements_of(item: Build[Any] | None, parts: list[Any]) -> list[Any]:
    """The elements of a list from what they are made of, a key and a value if they are items."""
    if item is None:
        return parts
    return [item.construct([key, value]) for key, value in zip(parts[::2], parts[1::2])]


def record_of(node: List[Any], item: Build[Any] | None, parts: list[Trace[Any]]) -> Trace[Any]:
    """The trace of a list from the traces of what its elements are made of."""
    if item is not None:
        parts = [
            Trace(None, (key, value), item, item.construct([key.value, value.value]))
            for key, value in zip(parts[::2], parts[1::2])
        ]
    return Trace(None, parts, node, [part.value for part in parts])
