"""``g.filter(p).up_to_size(n)``: counted, indexed and sampled by pruning, in the same order as by trying all values."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from math import comb
from typing import Any

import pytest

from everycase import gen
from everycase.errors import EverycaseWarning, NotCountable
from everycase.gen.base import Gen
from sample_types import Leaf, Node


def is_sorted(xs: Any) -> bool:
    return all(a <= b for a, b in zip(xs, xs[1:]))  # noqa: RUF007


trees: Gen[Any] = gen.deferred(lambda: gen.builds(Leaf) | gen.builds(Node, trees, gen.integers(0, 9), trees))


def is_search_tree(tree: Any, low: int = 0, high: int = 9) -> bool:
    if isinstance(tree, Leaf):
        return True
    return (
        low <= tree.key <= high
        and is_search_tree(tree.left, low, tree.key - 1)
        and is_search_tree(tree.right, tree.key + 1, high)
    )


def test_the_order_of_trying_all() -> None:
    found = trees.filter(is_search_tree).up_to_size(7)
    wanted = [tree for tree in trees.up_to_size(7) if is_search_tree(tree)]
    assert list(found) == wanted
    assert [found[i] for i in range(0, len(found), 37)] == wanted[::37]
    assert all(found.index(tree) == i for i, tree in enumerate(wanted) if i % 29 == 0)
    assert wanted[5] in found and Node(Node(Leaf(), 5, Leaf()), 3, Leaf()) not in found


@pytest.mark.parametrize("keys", range(5))
def test_search_trees_are_counted(keys: int) -> None:
    # A search tree is a set of keys and a shape.
    shapes = comb(2 * keys, keys) // (keys + 1)
    assert len(trees.filter(is_search_tree).of_size(2 * keys + 1)) == comb(10, keys) * shapes


def test_far_more_values_than_can_be_tried() -> None:
    made = gen.lists(gen.integers(0, 9), min_size=6, max_size=6)
    assert made.up_to_size(6).cardinality == 10**6
    assert len(made.filter(is_sorted).up_to_size(6)) == comb(15, 6)


def test_each_equally_likely() -> None:
    found = gen.lists(gen.integers(0, 9), min_size=3, max_size=3).filter(is_sorted).up_to_size(3)
    counts = Counter(map(tuple, found.sample(22_000, seed=1)))
    assert len(counts) == len(found) == comb(12, 3)
    # 100 each on average, with a standard deviation of 10.
    assert min(counts.values()) > 50 and max(counts.values()) < 150


def test_a_predicate_that_cannot_be_pruned_is_tried() -> None:
    found = trees.filter(lambda tree: type(tree) is Node and tree.key == 4).up_to_size(5)
    assert list(found) == [tree for tree in trees.up_to_size(5) if isinstance(tree, Node) and tree.key == 4]
    with pytest.warns(EverycaseWarning, match="isinstance"):
        large = trees.filter(lambda tree: type(tree) is Leaf).up_to_size(11)
    assert next(iter(large)) == Leaf()
    with pytest.raises(NotCountable):
        len(large)


def test_a_seed_decides_everything_in_every_process() -> None:
    program = """
from dataclasses import dataclass
from everycase import check, gen
from everycase.explore import Narrow
@dataclass
class A:
    x: object
    y: object
@dataclass
class B:
    s: str
made = gen.deferred(lambda: gen.builds(A, made, made) | gen.builds(B, gen.sampled_from("pqr")))
def same(v):
    return isinstance(v, B) or (v.x != v.y and same(v.x) and same(v.y))
seen = []
report = check(seen.append, made.filter(same), explore=Narrow(max_size=9, order="mixed"), seed=4, max_examples=200)
print(seen, report.figures)
"""
    outputs = [
        subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
        ).stdout
        for seed in ("1", "2")
    ]
    assert outputs[0] == outputs[1] and len(outputs[0]) > 1000
