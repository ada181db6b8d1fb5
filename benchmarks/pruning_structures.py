"""Structures with a plain predicate: sorted lists, search trees, red-black trees."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from everycase import gen


@dataclass(frozen=True)
class Tree:
    left: Any
    key: int
    right: Any


@dataclass(frozen=True)
class RedBlack:
    red: bool
    left: Any
    key: int
    right: Any


def is_sorted(xs: list[int]) -> bool:
    return all(a <= b for a, b in pairwise(xs))


def is_search_tree(tree: Any, low: int = -1, high: int = 1 << 30) -> bool:
    if tree is None:
        return True
    return (
        low < tree.key < high
        and is_search_tree(tree.left, low, tree.key)
        and is_search_tree(tree.right, tree.key, high)
    )


def black_height(tree: Any, below_red: bool, low: int, high: int) -> int | None:
    """The number of black nodes on every path down; None if the tree breaks a rule."""
    if tree is None:
        return 1
    if (below_red and tree.red) or not low < tree.key < high:
        return None
    left = black_height(tree.left, tree.red, low, tree.key)
    if left is None or black_height(tree.right, tree.red, tree.key, high) != left:
        return None
    return left if tree.red else left + 1


def is_red_black(tree: Any) -> bool:
    # The root is black.
    return black_height(tree, True, -1, 1 << 30) is not None


def sorted_lists(size: int) -> Any:
    return gen.lists(gen.integers(0, 9), max_size=size)


def search_trees(keys: int) -> Any:
    trees: Any = gen.deferred(lambda: gen.none() | gen.builds(Tree, trees, gen.integers(1, keys), trees))
    return trees


def red_black_trees(keys: int) -> Any:
    trees: Any = gen.deferred(
        lambda: gen.none() | gen.builds(RedBlack, gen.booleans(), trees, gen.integers(1, keys), trees)
    )
    return trees


#: name, generator for a size, predicate, sizes to try (the last one only by pruning, if filtering does not reach it)
STRUCTURES: list[tuple[str, Callable[[int], Any], Callable[[Any], bool], list[int]]] = [
    ("sorted lists of 0..9", sorted_lists, is_sorted, [5, 6, 7, 8]),
    ("search trees", search_trees, is_search_tree, [4, 5, 6, 7]),
    ("red-black trees", red_black_trees, is_red_black, [3, 4, 5, 6, 7]),
]
