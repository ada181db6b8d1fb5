"""Selections of k of n, arrangements, and partitions into groups.

Combinations and arrangements are computed arithmetically, so n may be arbitrarily large.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate, chain, combinations, permutations
from math import comb, factorial
from typing import Any, TypeVar

from everycase.errors import NotInvertible

T = TypeVar("T")

#: If at least one in this many is selected, going from position to position is faster than searching for the
#: next.
DENSE = 32


def combination(n: int, k: int, number: int) -> list[int]:
    """The ``number``-th selection of k of the numbers below n, in lexicographic order.

    >>> [combination(4, 2, number) for number in range(6)]
    [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]
    """
    if n < DENSE * k:
        return _dense_combination(n, k, number)
    # Counted from the end, selections are sums of binomial coefficients, the greatest first.
    rest = comb(n, k) - 1 - number
    found = []
    above = n
    for left in range(k, 0, -1):
        above = _highest(above, left, rest)
        rest -= comb(above, left)
        found.append(n - 1 - above)
    return found


def _dense_combination(n: int, k: int, number: int) -> list[int]:
    """The same position by position: each number of ways follows from the one before it."""
    found = []
    ways = comb(n - 1, k - 1)
    place = 0
    while k:
        left = n - 1 - place
        if number < ways:
            found.append(place)
            k -= 1
            ways = ways * k // left if left else 0
        else:
            number -= ways
            ways = ways * (left - k + 1) // left
        place += 1
    return found


def _highest(above: int, k: int, most: int) -> int:
    """The highest number below ``above`` from which at most this many selections of k can be made."""
    if k == 1:
        return most
    low, high = 0, above
    while high - low > 1:
        middle = (low + high) // 2
        if comb(middle, k) <= most:
            low = middle
        else:
            high = middle
    return low


def combination_number(n: int, chosen: Sequence[int]) -> int:
    """The inverse of :func:`selected`; ``chosen`` goes upwards.

    >>> combination_number(4, [1, 3])
    4
    """
    k = len(chosen)
    if n < DENSE * k:
        return _dense_number(n, chosen)
    return comb(n, k) - 1 - sum(comb(n - 1 - place, k - i) for i, place in enumerate(chosen))


def _dense_number(n: int, chosen: Sequence[int]) -> int:
    number, k = 0, len(chosen)
    ways = comb(n - 1, k - 1)
    members = set(chosen)
    for place in range(chosen[-1] + 1):
        left = n - 1 - place
        if place in members:
            k -= 1
            ways = ways * k // left if left else 0
        else:
            number += ways
            ways = ways * (left - k + 1) // left
    return number


def permutation(items: Sequence[T], number: int) -> list[T]:
    """The ``number``-th order of some items, in lexicographic order of their positions.

    >>> [permutation("abc", number) for number in (0, 1, 5)]
    [['a', 'b', 'c'], ['a', 'c', 'b'], ['c', 'b', 'a']]
    """
    rest = list(items)
    ways = factorial(len(rest))
    found = []
    while rest:
        ways //= len(rest)
        place, number = divmod(number, ways)
        found.append(rest.pop(place))
    return found


def permutation_number(order: Sequence[Any], items: Sequence[Any] | None = None) -> int:
    """The number of an order of items (by default of numbers, upwards); the inverse of :func:`arranged`.

    >>> permutation_number([2, 1, 0]), permutation_number("abb", "bab")
    (5, 2)
    """
    rest = sorted(order) if items is None else list(items)
    number = 0
    for item in order:
        at = _place(rest, item)
        number = number * len(rest) + at
        del rest[at]
    return number


def _place(items: Sequence[Any], item: Any, start: int = 0) -> int:
    """The first position of an item, from a position on. (1 is not True.)"""
    place = items.index(item, start)
    while type(items[place]) is not type(item):
        place = items.index(item, place + 1)
    return place


class CombinatorialFamily(ABC):
    """A function whose values can also be made all in turn, which is much cheaper than each separately."""

    #: how many arguments, and so values, there are
    count: int

    @abstractmethod
    def __call__(self, argument: Any) -> Any: ...

    @abstractmethod
    def argument(self, value: Any) -> Any:
        """The inverse."""

    @abstractmethod
    def values(self) -> Iterable[Any]:
        """The values of all arguments in order."""


class Arrangements(CombinatorialFamily):
    """All orders of some items by index."""

    def __init__(self, items: Sequence[Any]) -> None:
        self.items = items
        self.count = factorial(len(items))

    def __call__(self, number: int) -> tuple[Any, ...]:
        return tuple(permutation(self.items, number))

    def argument(self, order: Sequence[Any]) -> int:
        return permutation_number(order, self.items)

    def values(self) -> Iterator[tuple[Any, ...]]:
        return permutations(self.items)


class Combinations(CombinatorialFamily):
    """All selections of ``size`` items in their order, by index."""

    def __init__(self, items: Sequence[Any], size: int) -> None:
        self.items = items
        self.size = size
        self.count = comb(len(items), size)

    def __call__(self, number: int) -> tuple[Any, ...]:
        return tuple([self.items[place] for place in combination(len(self.items), self.size, number)])

    def argument(self, selection: Sequence[Any]) -> int:
        chosen: list[int] = []
        for item in selection:
            chosen.append(_place(self.items, item, chosen[-1] + 1 if chosen else 0))
        return combination_number(len(self.items), chosen)

    def values(self) -> Iterator[tuple[Any, ...]]:
        return combinations(self.items, self.size)


class Partitions(CombinatorialFamily):
    """All ways to put items into blocks, by words that give the block of each item (restricted growth
    strings)."""

    def __init__(self, items: Sequence[Any]) -> None:
        self.items = items

    @cached_property
    def count(self) -> int:  # type: ignore[override]
        row = [1]
        for _ in self.items:
            row = list(accumulate(row, initial=row[-1]))
        return row[0]

    def __call__(self, word: Sequence[int]) -> tuple[tuple[Any, ...], ...]:
        blocks: list[list[Any]] = [[] for _ in range(max(word, default=-1) + 1)]
        for item, block in zip(self.items, word):
            blocks[block].append(item)
        return tuple(map(tuple, blocks))

    @cached_property
    def _repeats(self) -> bool:
        return any(_place(self.items, item) != place for place, item in enumerate(self.items))

    def argument(self, blocks: Sequence[Sequence[Any]]) -> tuple[int, ...]:
        if self._repeats:
            raise NotInvertible(
                f"some of the items {self.items!r} are equal, and their partitions do not tell which is where"
            )
        places = {}
        for number, block in enumerate(blocks):
            for item in block:
                places[_place(self.items, item)] = number
        return tuple(places[place] for place in range(len(self.items)))

    def values(self) -> Iterable[tuple[tuple[Any, ...], ...]]:
        return chain.from_iterable(self._by_last_item()) if self.items else [()]

    def _by_last_item(self) -> Iterator[list[tuple[tuple[Any, ...], ...]]]:
        """For each way to place all items but the last, the ways to place that one."""
        pending: list[tuple[int, tuple[Any, ...]]] = [(0, ())]
        last = len(self.items) - 1
        while pending:
            place, blocks = pending.pop()
            own = (self.items[place],)
            grown, row = [], list(blocks)
            for k, block in enumerate(blocks):
                row[k] = block + own
                grown.append(tuple(row))
                row[k] = block
            grown.append((*blocks, own))
            if place == last:
                yield grown
            else:
                pending += [(place + 1, blocks) for blocks in reversed(grown)]


class NumberedPartitions(Partitions):
    """The same by the indices of their words, which only takes a table of n * n / 2 counts for n items."""

    @cached_property
    def _ways(self) -> list[list[int]]:
        """The number of ways to place this many remaining items, for each number of blocks so far."""
        n = len(self.items)
        rows = [[1] * (n + 1)]
        for left in range(1, n + 1):
            before = rows[-1]
            rows.append([k * before[k] + before[k + 1] for k in range(n + 1 - left)])
        return rows

    def __call__(self, number: int) -> tuple[tuple[Any, ...], ...]:  # type: ignore[override]
        word, blocks = [], 0
        for left in reversed(range(len(self.items))):
            block, rest = divmod(number, self._ways[left][blocks])
            if block >= blocks:  # a new one, for which there are other ways
                block, rest = blocks, number - blocks * self._ways[left][blocks]
                blocks += 1
            word.append(block)
            number = rest
        return super().__call__(word)

    def argument(self, blocks: Sequence[Sequence[Any]]) -> int:  # type: ignore[override]
        number, known = 0, 0
        word = super().argument(blocks)
        for left, block in zip(reversed(range(len(word))), word):
            number += block * self._ways[left][known]
            known = max(known, block + 1)
        return number
