"""Inputs with preconditions, for the tests of the explorer that prunes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from everycase import check, gen
from sample_types import Leaf, Node


def is_sorted(xs):
    return all(a <= b for a, b in zip(xs, xs[1:]))  # noqa: RUF007


def is_increasing(xs):
    return all(a < b for a, b in zip(xs, xs[1:]))  # noqa: RUF007


trees = gen.deferred(lambda: gen.builds(Leaf) | gen.builds(Node, trees, gen.integers(0, 9), trees))


def is_search_tree(tree, lo=-1, hi=10):
    if isinstance(tree, Leaf):
        return True
    return (
        lo < tree.key < hi
        and is_search_tree(tree.left, lo, tree.key)
        and is_search_tree(tree.right, tree.key, hi)
    )


@dataclass(frozen=True)
class OtherLeaf:
    pass


@dataclass(frozen=True)
class Twig:
    below: Any


kinds = gen.deferred(
    lambda: (
        gen.builds(Leaf)
        | gen.builds(OtherLeaf)
        | gen.builds(Twig, kinds)
        | gen.builds(Node, kinds, gen.integers(0, 9), kinds)
    )
)


def collected(made, explorer, **options):
    seen = []
    report = check(seen.append, made, explore=explorer, database=None, **options)
    return seen, report
