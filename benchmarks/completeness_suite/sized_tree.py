"""Trees of depth at most s."""

from __future__ import annotations

from completeness_suite.trees import Leaf, Node, Tree, depth
from everycase import covers, gen


@covers(lambda v, s: depth(v) <= s, requires=lambda s: s >= 0)
@gen.composite
def sized_tree(draw, s: int) -> Tree:
    if s == 0:
        return Leaf()  # A
    elif draw(gen.booleans()):
        return Leaf()  # B
    else:
        return Node(draw(gen.integers()), draw(sized_tree(s - 1)), draw(sized_tree(s - 1)))  # C
