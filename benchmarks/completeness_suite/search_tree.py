"""Binary search trees of depth at most d with keys strictly between lo and hi."""

from __future__ import annotations

from completeness_suite.trees import Leaf, Node, Tree, depth
from everycase import covers, gen


def is_bst(t: Tree, lo: int, hi: int) -> bool:
    match t:
        case Leaf():
            return True
        case Node(x, left, right):
            return lo < x < hi and is_bst(left, lo, x) and is_bst(right, x, hi)


@covers(
    lambda v, d, lo, hi: depth(v) <= d and is_bst(v, lo, hi),
    requires=lambda d, lo, hi: d >= 0 and lo < hi,
    decreases="d",
)
@gen.composite
def search_tree(draw, d: int, lo: int, hi: int) -> Tree:
    if d == 0:
        return Leaf()  # A
    elif lo + 1 < hi:
        x = draw(gen.integers(lo + 1, hi - 1))
        if draw(gen.booleans()):
            return Node(x, draw(search_tree(d - 1, lo, x)), draw(search_tree(d - 1, x, hi)))  # D
        else:
            return Leaf()  # B
    else:
        return Leaf()  # C
