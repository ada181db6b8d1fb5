"""Plain binary trees and their measures, shared by three families."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Leaf:
    pass


@dataclass(frozen=True)
class Node:
    value: int
    left: Tree
    right: Tree


Tree = Leaf | Node


def depth(t: Tree) -> int:
    match t:
        case Leaf():
            return 0
        case Node(_, left, right):
            return 1 + max(depth(left), depth(right))
