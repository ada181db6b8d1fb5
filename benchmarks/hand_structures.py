"""The best plain loops we know for the paper's structures: memoised lists and comprehensions.

Each function makes all values of a size, does not keep the last level, and returns the number of values.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any

from everycase.enumeration.structures.graphs import choices
from everycase.enumeration.structures.heaps import halves


class Node:
    """A user-defined class with slots and an ordinary constructor."""

    __slots__ = ("key", "left", "right")

    def __init__(self, left: Any, key: int, right: Any) -> None:
        self.left = left
        self.key = key
        self.right = right


def exhaust(values: Iterable[Any]) -> int:
    """The number of values; none of them is kept."""
    counter = 0
    for _ in values:
        counter += 1
    return counter


def search_trees(n: int) -> int:
    memo: dict[tuple[int, int], list[Any]] = {}

    def trees(low: int, high: int) -> list[Any]:
        known = memo.get((low, high))
        if known is None:
            known = (
                [None]
                if low > high
                else [
                    Node(left, key, right)
                    for key in range(low, high + 1)
                    for left in trees(low, key - 1)
                    for right in trees(key + 1, high)
                ]
            )
            memo[low, high] = known
        return known

    counter = 0
    for key in range(1, n + 1):
        rights = trees(key + 1, n)
        for left in trees(1, key - 1):
            for right in rights:
                Node(left, key, right)
                counter += 1
    return counter


def red_black(n: int) -> int:
    memo: dict[tuple[int, int, int, bool], list[Any]] = {}

    def trees(low: int, high: int, height: int, red_allowed: bool) -> list[Any]:
        key = (low, high, height, red_allowed)
        known = memo.get(key)
        if known is not None:
            return known
        known = []
        if low > high:
            known = [None] if height == 0 else []
        elif high - low + 1 < 4 ** (height + 1):
            for root in range(low, high + 1):
                if height:
                    known += [
                        ("black", left, root, right)
                        for left in trees(low, root - 1, height - 1, True)
                        for right in trees(root + 1, high, height - 1, True)
                    ]
                if red_allowed:
                    known += [
                        ("red", left, root, right)
                        for left in trees(low, root - 1, height, False)
                        for right in trees(root + 1, high, height, False)
                    ]
        memo[key] = known
        return known

    return sum(len(trees(1, n, height, True)) for height in range(n.bit_length() + 1))


def sorted_lists(n: int) -> int:
    memo: dict[tuple[int, int], list[Any]] = {}

    def lists(length: int, most: int) -> list[Any]:
        known = memo.get((length, most))
        if known is None:
            known = (
                [()]
                if length == 0
                else [
                    (first,) + rest
                    for first in range(max(1, length - 1), most + 1)
                    for rest in lists(length - 1, first)
                ]
            )
            memo[length, most] = known
        return known

    def top(length: int, most: int) -> Iterable[Any]:
        """The last levels are not kept, because they are too large."""
        if length <= max(0, n - 3):
            return lists(length, most)
        return (
            (first,) + rest
            for first in range(max(1, length - 1), most + 1)
            for rest in top(length - 1, first)
        )

    return exhaust(top(n, n))


def heaps(n: int) -> int:
    memo: dict[tuple[int, int], list[Any]] = {}

    def heaps(nodes: int, most: int) -> list[Any]:
        known = memo.get((nodes, most))
        if known is None:
            if nodes == 0:
                known = [None]
            else:
                left, right = halves(nodes)
                known = [
                    (key, a, b)
                    for key in range(most + 1)
                    for a in heaps(left, key)
                    for b in heaps(right, key)
                ]
            memo[nodes, most] = known
        return known

    left, right = halves(n)
    counter = 0
    for key in range(n + 1):
        rights = heaps(right, key)
        for a in heaps(left, key):
            for b in rights:
                heap = (key, a, b)  # noqa: F841
                counter += 1
    return counter


def dags(n: int) -> int:
    subsets = [
        [tuple(i for i in range(node) if mask >> i & 1) for mask in range(2**node)] for node in range(n)
    ]
    return exhaust(product(*subsets))


def classes(n: int) -> int:
    """The best hand-written loop here is the recursion itself, on tuples."""

    def go(left: int, before: tuple[Any, ...]) -> Iterable[Any]:
        if left == 0:
            yield ()
            return
        for one, closed, is_class in options(before):
            for rest in go(left - 1, (*before, (is_class, closed))):
                yield (one, *rest)

    def options(before: tuple[Any, ...]) -> list[Any]:
        found = memo.get(before)
        if found is None:
            found = memo[before] = []
            interfaces = [i for i, (is_class, _) in enumerate(before) if not is_class]
            classes = [i for i, (is_class, _) in enumerate(before) if is_class]
            for is_class in (False, True):
                for extends in [None, *classes] if is_class else [None]:
                    for implements in choices(interfaces):
                        parents = implements if extends is None else (extends, *implements)
                        sealed = {m for parent in parents for m in before[parent][1]}
                        for overrides in choices([m for m in range(2) if m not in sealed]):
                            for seals in choices(overrides):
                                one = (is_class, extends, implements, overrides, seals)
                                found.append((one, tuple(sorted({*sealed, *seals})), is_class))
        return found

    memo: dict[Any, list[Any]] = {}
    return exhaust(go(n, ()))
