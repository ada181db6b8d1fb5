"""Ready-made enumerators of classic structures with invariants: every value is valid, counted, and found by
its index.

Trees are nested tuples with None for an empty one, so they are hashable, comparable and shared in bulk. If
the keys of a tree of n nodes are always 1 to n in order, the shapes are enumerated and the keys are filled in
afterwards: a shape has one parameter less than a tree with a range of keys, which makes trees of a hundred
nodes cheap.

>>> from everycase.enumeration.structures import red_black_trees, search_trees
>>> search_trees(15).cardinality
9694845
>>> search_trees(3)[2]
((None, 1, None), 2, (None, 3, None))
>>> red_black_trees(10).index(red_black_trees(10)[259])
259
"""

from __future__ import annotations

from everycase.enumeration.structures.balanced import avl_trees, b_trees, red_black_trees
from everycase.enumeration.structures.graphs import class_hierarchies, dags
from everycase.enumeration.structures.heaps import heap_arrays, heaps
from everycase.enumeration.structures.search import search_trees
from everycase.enumeration.structures.sequences import (
    balanced_parentheses,
    combinations,
    permutations,
    set_partitions,
    sorted_lists,
)

__all__ = [
    "avl_trees",
    "b_trees",
    "balanced_parentheses",
    "class_hierarchies",
    "combinations",
    "dags",
    "heap_arrays",
    "heaps",
    "permutations",
    "red_black_trees",
    "search_trees",
    "set_partitions",
    "sorted_lists",
]
