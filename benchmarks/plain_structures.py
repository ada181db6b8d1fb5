"""The structures as plain types with a predicate that says which values are valid: what the enumerators replace."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, pairwise
from typing import Any

from everycase import gen


def _trees(keys: gen.Gen[Any], n: int) -> gen.Gen[Any]:
    """All binary trees of n nodes with any keys."""
    trees: gen.Gen[Any] = gen.deferred(lambda: gen.none() | gen.tuples(trees, keys, trees))
    return trees.of_size(n)


def _coloured(n: int) -> gen.Gen[Any]:
    colours, keys = gen.sampled_from(["black", "red"]), gen.integers(1, n)
    trees: gen.Gen[Any] = gen.deferred(lambda: gen.none() | gen.tuples(colours, trees, keys, trees))
    return trees.of_size(n)


def in_order(tree: Any) -> list[int]:
    return [] if tree is None else [*in_order(tree[-3]), tree[-2], *in_order(tree[-1])]


def is_search_tree(n: int) -> Callable[[Any], bool]:
    return lambda tree: in_order(tree) == list(range(1, n + 1))


def is_avl_tree(n: int) -> Callable[[Any], bool]:
    def height(tree: Any) -> int:
        if tree is None:
            return 0
        left, right = height(tree[0]), height(tree[2])
        return -1 if min(left, right) < 0 or abs(left - right) > 1 else 1 + max(left, right)

    return lambda tree: height(tree) >= 0 and in_order(tree) == list(range(1, n + 1))


def is_red_black(n: int) -> Callable[[Any], bool]:
    def coloured_in_order(tree: Any) -> list[int]:
        if tree is None:
            return []
        return [*coloured_in_order(tree[1]), tree[2], *coloured_in_order(tree[3])]

    def blacks(tree: Any) -> int:
        """Black nodes on every path down; -1 if they differ or a red node has a red child."""
        if tree is None:
            return 0
        colour, left, _, right = tree
        if colour == "red" and any(child is not None and child[0] == "red" for child in (left, right)):
            return -1
        below = blacks(left)
        return -1 if below < 0 or below != blacks(right) else below + (colour == "black")

    return lambda tree: blacks(tree) >= 0 and coloured_in_order(tree) == list(range(1, n + 1))


def is_heap_array(n: int) -> Callable[[Any], bool]:
    return lambda keys: all(keys[i] <= keys[(i - 1) // 2] for i in range(1, n))


def is_sorted(n: int) -> Callable[[Any], bool]:
    return lambda values: all(a >= b for a, b in pairwise(values))


def is_sorted_and_pruned(n: int) -> Callable[[Any], bool]:
    return lambda values: (
        is_sorted(n)(values) and all(value >= max(1, len(values) - 1 - i) for i, value in enumerate(values))
    )


def is_acyclic_in_order(n: int) -> Callable[[Any], bool]:
    return lambda edges: all(source < target for target in range(n) for source in edges[target])


def _graphs(n: int) -> gen.Gen[Any]:
    nodes = [chosen for size in range(n + 1) for chosen in combinations(range(n), size)]
    return gen.tuples(*[gen.sampled_from(nodes)] * n)


#: name: plain values of size n, the predicate for size n, the sizes to try
PLAIN: dict[str, tuple[Callable[[int], Any], Callable[[int], Callable[[Any], bool]], list[int]]] = {
    "search trees": (lambda n: _trees(gen.integers(1, n), n), is_search_tree, [4, 5, 6]),
    "red-black trees": (_coloured, is_red_black, [3, 4]),
    "heaps": (lambda n: gen.tuples(*[gen.integers(0, n)] * n), is_heap_array, [5, 6]),
    "sorted lists": (lambda n: gen.tuples(*[gen.integers(1, n)] * n), is_sorted_and_pruned, [5, 6]),
    "DAGs": (_graphs, is_acyclic_in_order, [3, 4]),
}
