"""Complete trees of depth exactly s."""

from __future__ import annotations

from completeness_suite.trees import Leaf, Node, Tree, depth
from everycase import covers, gen


def is_complete(t: Tree) -> bool:
    match t:
        case Leaf():
            return True
        case Node(_, left, right):
            return depth(left) == depth(right) and is_complete(left) and is_complete(right)


@covers(lambda v, s: depth(v) == s and is_complete(v), requires=lambda s: s >= 0)
@gen.composite
def complete_tree(draw, s: int) -> Tree:
    if s == 0:
        return Leaf()  # A
    else:
        return Node(draw(gen.integers()), draw(complete_tree(s - 1)), draw(complete_tree(s - 1)))  # B
