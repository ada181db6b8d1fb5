"""The structures as plain types with a predicate for the valid values: the approach that the enumerators replace."""

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
        """The number of black nodes on every path down; -1 if it varies or a red node has a red child."""
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


def _hierarchies(n: int) -> gen.Gen[Any]:
    """n types that extend, implement, override and seal anything."""
    types = [chosen for size in range(n + 1) for chosen in combinations(range(n), size)]
    methods = gen.sampled_from([(), (0,), (1,), (0, 1)])
    one = gen.tuples(
        gen.sampled_from(["interface", "class"]),
        gen.sampled_from([None, *range(n)]),
        gen.sampled_from(types),
        methods,
        methods,
    )
    return gen.tuples(*[one] * n)


def is_hierarchy(n: int) -> Callable[[Any], bool]:
    def accept(types: Any) -> bool:
        sealed: list[set[int]] = []  # methods that no descendant may override
        for place, (kind, extends, implements, overrides, seals) in enumerate(types):
            if extends is not None and (
                kind == "interface" or extends >= place or types[extends][0] != "class"
            ):
                return False
            if any(parent >= place or types[parent][0] != "interface" for parent in implements):
                return False
            parents = [*implements] if extends is None else [extends, *implements]
            closed = {method for parent in parents for method in sealed[parent]}
            if closed & set(overrides) or not set(seals) <= set(overrides):
                return False
            sealed.append(closed | set(seals))
        return True

    return accept


def _nodes(n: int) -> gen.Gen[Any]:
    """Nodes ``(keys, children)`` with n keys in total, of any value, one to three per node, and any children."""

    @gen.dependent
    def nodes(keys: int) -> gen.Gen[Any]:
        return gen.one_of(
            [
                gen.tuples(gen.tuples(*[gen.integers(1, n)] * own), forest(keys - own))
                for own in range(1, min(3, keys) + 1)
            ]
        )

    @gen.dependent
    def forest(keys: int) -> gen.Gen[Any]:
        if keys == 0:
            return gen.just(())
        return gen.one_of(
            [
                gen.tuples(nodes(first), forest(keys - first)).map(lambda pair: (pair[0], *pair[1]))
                for first in range(1, keys + 1)
            ]
        )

    return nodes(n)


def is_b_tree(n: int, degree: int = 2) -> Callable[[Any], bool]:
    def accept(tree: Any) -> bool:
        in_order: list[int] = []
        depths = set()

        def visit(node: Any, depth: int) -> bool:
            keys, children = node
            if not (degree - 1 if depth else 1) <= len(keys) <= 2 * degree - 1:
                return False
            if not children:
                depths.add(depth)
                in_order.extend(keys)
                return True
            if len(children) != len(keys) + 1:
                return False
            for i, child in enumerate(children):
                if not visit(child, depth + 1):
                    return False
                in_order.extend(keys[i : i + 1])
            return True

        return visit(tree, 0) and len(depths) == 1 and in_order == list(range(1, n + 1))

    return accept


#: name: plain values of size n, and the predicate for size n
PLAIN: dict[str, tuple[Callable[[int], Any], Callable[[int], Callable[[Any], bool]]]] = {
    "search trees": (lambda n: _trees(gen.integers(1, n), n), is_search_tree),
    "red-black trees": (_coloured, is_red_black),
    "heaps": (lambda n: gen.tuples(*[gen.integers(0, n)] * n), is_heap_array),
    "sorted lists": (lambda n: gen.tuples(*[gen.integers(1, n)] * n), is_sorted_and_pruned),
    "DAGs": (_graphs, is_acyclic_in_order),
    "class hierarchies": (_hierarchies, is_hierarchy),
    "B-trees": (_nodes, is_b_tree),
}
