"""Lists of distinct elements as spaces; sets and dictionaries are such lists in no particular order.

A list of k distinct elements is a **selection** of k of them and an **arrangement** of the selection. A set
is only the selection, and a dictionary is a selection of keys with a value for each, so neither is counted
once for every order in which it could be written.

The order is frozen: shorter ones first; combinations in lexicographic order of the numbers of their elements; for each the
values of a dictionary, the last changing fastest; then the arrangements, beginning with the order of the numbers.
Where elements have sizes: within one size the shorter lists come first; of the same length those whose elements (or
keys) are smaller in all; a selection takes as many of the smallest elements as it can, and those of one size in
lexicographic order.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain, combinations, count, pairwise, permutations, product, repeat
from math import comb, factorial
from typing import Any

from everycase.choices.time_limit import watched
from everycase.choices.trace import Trace
from everycase.enumeration.combinatorics import (
    combination,
    combination_number,
    permutation,
    permutation_number,
)
from everycase.enumeration.spaces.base import LIST_LIMIT, Bulk, Part, Ranking, SizeOf, Space
from everycase.enumeration.spaces.rows import Rows
from everycase.enumeration.spaces.sized import Tiers
from everycase.gen.collections import first
from everycase.gen.kinds import Build, List


class Pool:
    """The pool from which distinct elements are selected: a number of places, each with ``width`` elements
    that exclude each other (one, unless they share a key)."""

    def __init__(self, element: Space) -> None:
        self.element = element
        self.places: int = element.count
        self.width: Any = 1

    def parts(self, place: int, digit: int) -> list[Part]:
        """The space of the parts of an element."""
        return [(self.element, place)]

    def find(self, trace: Trace[Any]) -> Ranking:
        """The place of an element and its number there, as one number."""
        return (yield self.element, trace)

    def ways(self, k: int) -> int:
        """How many combinations of k there are."""
        ways: int = comb(self.places, k) * self.width**k
        return ways

    def all_ways(self) -> Iterator[int]:
        """The same for k = 0, 1, 2, ..., each from the one before."""
        ways, power = 1, 1
        for k in count():
            yield ways * power
            ways = ways * (self.places - k) // (k + 1)
            power *= self.width

    def unrank(self, k: int, number: int) -> list[tuple[int, int]]:
        """A selection by its index: the places, upwards, with the digit at each."""
        width = self.width
        digits = [0] * k
        if width > 1:
            for i in range(k - 1, -1, -1):
                number, digits[i] = divmod(number, width)
        return list(zip(combination(self.places, k, number), digits))

    def number(self, chosen: Sequence[tuple[int, int]]) -> int:
        """The inverse of ``unrank``."""
        number = combination_number(self.places, [place for place, _ in chosen])
        for _, digit in chosen:
            number = number * int(self.width) + digit
        return number

    def all_combinations(self, bulk: Bulk, k: int) -> Iterable[Iterable[Any]] | None:
        """All combinations of k elements in order; None if they are better made by number."""
        return combinations(bulk.listed(self.element, False), k) if _may_stay(bulk, self.element) else None


def _may_stay(bulk: Bulk, part: Space) -> bool:
    return part.count <= LIST_LIMIT and part.may_share(bulk)


class Items(Pool):
    """The items of a dictionary: places are keys, with all values at each."""

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

    def all_combinations(self, bulk: Bulk, k: int) -> Iterable[Iterable[Any]] | None:
        if not (_may_stay(bulk, self.keys) and _may_stay(bulk, self.values)):
            return None
        values = bulk.listed(self.values, False)
        # A pair of a key and a value for every combination of values.
        return chain.from_iterable(
            map(zip, repeat(keys), product(values, repeat=k))
            for keys in combinations(bulk.listed(self.keys, False), k)
        )


class Groups(Pool):
    """Elements of which several may have the same key: the indices of those with each key."""

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
        # The number of ways to take j from the groups from a place on.
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

    def unrank(self, k: int, number: int) -> list[tuple[int, int]]:
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

    def all_combinations(self, bulk: Bulk, k: int) -> Iterable[Iterable[Any]] | None:
        return None


class Distinct(Space):
    """Lists of ``length`` distinct elements of a pool."""

    __slots__ = ("item", "length", "node", "orders", "pool")

    def __init__(self, node: List[Any], pool: Pool, length: int, ways: int, orders: int) -> None:
        self.node = node
        self.item = item_of(node) if isinstance(pool, Items) else None
        self.pool = pool
        self.length = length
        self.orders = orders
        self.count = ways * orders
        self.at = lambda i: elements_of(
            self.item, [part.at(number) for part, number in watched(self.split(i))]
        )

    def split(self, i: int) -> Sequence[Part]:
        number, order = divmod(i, self.orders)
        chosen = self.pool.unrank(self.length, number)
        if order:
            chosen = permutation(chosen, order)
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
        return number if self.orders == 1 else number * self.orders + permutation_number(found)

    def values(self, bulk: Bulk, start: int = 0) -> Iterable[Any]:
        chosen = None if start else self.pool.all_combinations(bulk, self.length)
        if chosen is None:
            return super().values(bulk, start)
        if self.orders > 1:
            chosen = chain.from_iterable(map(permutations, chosen))
        return map(list, chosen)


def by_length(node: List[Any], pool: Pool, longest: int) -> Iterator[Distinct]:
    """The lists of each length."""
    orders = 1
    for length, ways in zip(range(longest + 1), pool.all_ways()):
        if length >= node.min_size:
            yield Distinct(node, pool, length, ways, orders)
        if not node.unordered:
            orders *= length + 1


def item_of(node: List[Any]) -> Build[Any] | None:
    """The pairs that a list of distinct keys with values consists of; None if it is not such a list."""
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
    """The elements of a list from their parts, a key and a value if they are items."""
    if item is None:
        return parts
    return [item.construct([key, value]) for key, value in zip(parts[::2], parts[1::2])]


def record_of(node: List[Any], item: Build[Any] | None, parts: list[Trace[Any]]) -> Trace[Any]:
    """The trace of a list from the traces of the parts of its elements."""
    if item is not None:
        parts = [
            Trace(None, (key, value), item, item.construct([key.value, value.value]))
            for key, value in zip(parts[::2], parts[1::2])
        ]
    return Trace(None, parts, node, [part.value for part in parts])


# --- by size ---


class CombinationTable:
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

    def unrank(self, need: int, room: int, number: int) -> list[tuple[int, int]]:
        """A selection by its index: sizes, upwards, and the indices of the elements among those of their
        size."""
        chosen: list[tuple[int, int]] = []
        size = 0
        while need:
            for j, ways, rest in self._steps(size, need, room):
                below = self.ways(*rest)
                if number < ways * below:
                    which, number = divmod(number, below)
                    chosen += [(size, place) for place in combination(self.tiers.counts[size], j, which)]
                    break
                number -= ways * below
            size, need, room = rest
        return chosen

    def number(self, chosen: Sequence[tuple[int, int]], room: int) -> int:
        """The inverse of ``unrank``."""
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
    """What the sizes of one list have in common: combinations of elements (or keys), and the values of dictionaries."""

    def __init__(self, node: List[Any], elements: Tiers, values: Tiers | None) -> None:
        self.node = node
        self.combinations = CombinationTable(elements)
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
                count = table.combinations.ways(0, length, own) * orders
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
        self.at = lambda i: elements_of(
            table.item, [part.at(number) for part, number in watched(self.split(i))]
        )

    def split(self, i: int) -> Sequence[Part]:
        k = bisect_right(self.ends, i)
        length, own, rows, orders = self.pieces[k]
        number, order = divmod(i - self.ends[k - 1] if k else i, orders)
        which, value = divmod(number, rows.count) if rows is not None else (number, 0)
        table = self.table.combinations
        spaces = table.tiers.spaces
        elements = [[(spaces[size], place)] for size, place in table.unrank(length, own, which)]
        if rows is not None:
            for element, part in zip(elements, rows.split(value)):
                element.append(part)
        return [part for element in (permutation(elements, order) if order else elements) for part in element]

    def value(self, i: int, parts: list[Any]) -> Any:
        return elements_of(self.table.item, parts)

    def record(self, i: int, parts: list[Trace[Any]]) -> Trace[Any]:
        return record_of(self.table.node, self.table.item, parts)

    def rank(self, trace: Trace[Any], size: SizeOf) -> Ranking:
        table = self.table.combinations
        found: list[tuple[int, int]] = []
        values = {}
        for child in trace.children:
            assert child is not None
            key = child if self.table.item is None else child.children[0]
            assert key is not None
            place = yield table.tiers.spaces[size(key)], key
            found.append((size(key), place))
            if self.table.item is not None:
                values[found[-1]] = child.children[1]
        chosen = sorted(found)
        own = sum(size for size, _ in found)
        k = next(k for k, piece in enumerate(self.pieces) if piece[:2] == (len(found), own))
        _, _, rows, orders = self.pieces[k]
        number = table.number(chosen, own)
        if rows is not None:
            number = number * rows.count + (yield rows, Trace(None, [values[place] for place in chosen]))
        if orders > 1:
            number = number * orders + permutation_number(found)
        return (self.ends[k - 1] if k else 0) + number
