"""Selections and arrangements by number: which k of n, and in which order.

Everything here is arithmetic on numbers, so n may be as large as it likes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from math import comb, factorial
from typing import Any, TypeVar

T = TypeVar("T")

#: Where at least one in so many is selected it is quicker to go from place to place than to search for the next.
DENSE = 32


def selected(n: int, k: int, number: int) -> list[int]:
    """The ``number``-th selection of k of the numbers below n, in lexicographic order.

    >>> [selected(4, 2, number) for number in range(6)]
    [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]
    """
    if n < DENSE * k:
        return _selected_densely(n, k, number)
    # Counted from the end, selections are sums of binomial coefficients, the greatest first.
    rest = comb(n, k) - 1 - number
    found = []
    above = n
    for left in range(k, 0, -1):
        above = _highest(above, left, rest)
        rest -= comb(above, left)
        found.append(n - 1 - above)
    return found


def _selected_densely(n: int, k: int, number: int) -> list[int]:
    """The same place by place: each number of ways follows from the one before it."""
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
    """The highest number below ``above`` of which at most so many selections of k can be made."""
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


def selection_number(n: int, chosen: Sequence[int]) -> int:
    """The inverse of :func:`selected`; ``chosen`` goes upwards.

    >>> selection_number(4, [1, 3])
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


def arranged(items: Sequence[T], number: int) -> list[T]:
    """The ``number``-th order of some items, in lexicographic order of their places.

    >>> [arranged("abc", number) for number in (0, 1, 5)]
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


def arrangement_number(places: Sequence[Any]) -> int:
    """The number of the order in which places stand; the inverse of :func:`arranged`.

    >>> arrangement_number([2, 1, 0])
    5
    """
    rest = sorted(places)
    number = 0
    for place in places:
        at = rest.index(place)
        number = number * len(rest) + at
        del rest[at]
    return number


class Arrangements:
    """All orders of some items: one by its number, or all in turn, which is much cheaper than each by its number."""

    def __init__(self, items: Sequence[Any]) -> None:
        self.items = items
        self.count = factorial(len(items))

    def __call__(self, number: int) -> tuple[Any, ...]:
        return tuple(arranged(self.items, number))

    def number(self, order: Sequence[Any]) -> int:
        return arrangement_number([self.items.index(item) for item in order])

    def values(self) -> Iterator[tuple[Any, ...]]:
        return permutations(self.items)


class Selections:
    """All selections of ``size`` items in their order; likewise."""

    def __init__(self, items: Sequence[Any], size: int) -> None:
        self.items = items
        self.size = size
        self.count = comb(len(items), size)

    def __call__(self, number: int) -> tuple[Any, ...]:
        return tuple([self.items[place] for place in selected(len(self.items), self.size, number)])

    def number(self, selection: Sequence[Any]) -> int:
        return selection_number(len(self.items), [self.items.index(item) for item in selection])

    def values(self) -> Iterator[tuple[Any, ...]]:
        return combinations(self.items, self.size)
