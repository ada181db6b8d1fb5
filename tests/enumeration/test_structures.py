"""The ready-made structures: counts from the literature, and the same values as a predicate on the plain type accepts."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations, permutations
from math import comb, factorial

import plain_structures as plain
import pytest

from everycase import errors, gen
from everycase.enumeration import structures as ready
from everycase.enumeration.combinatorics import NumberedPartitions
from everycase.enumeration.structures import sequences
from everycase.enumeration.structures.search import MOST_KEYED, by_shape
from sample_types import catalan

COUNTS = {
    "search trees": (ready.search_trees, [catalan(n) for n in range(1, 16)]),
    "red-black": (
        ready.red_black_trees,
        [2, 2, 3, 8, 14, 20, 35, 64, 122, 260, 586, 1296, 2708, 5400, 10468],
    ),
    "red-black, black root": (
        lambda n: ready.red_black_trees(n, red_root=False),
        [1, 2, 2, 4, 8, 16, 33, 56, 90, 164, 330, 688, 1440, 3008, 6291],
    ),
    "heaps": (ready.heaps, [2, 6, 30, 140, 994, 7056, 73644, 581097, 6749886, 72073573]),
    "sorted lists": (ready.sorted_lists, [comb(2 * s - 1, s) for s in range(1, 16)]),
    "sorted lists, pruned": (
        lambda n: ready.sorted_lists(n, pruned=True),
        [3 * comb(2 * n, n - 1) // (n + 2) for n in range(1, 16)],
    ),
    "DAGs": (ready.dags, [2 ** (s * (s - 1) // 2) for s in range(1, 9)]),
    "class hierarchies": (ready.class_hierarchies, [18, 471, 18306, 1095702]),
    "B-trees": (ready.b_trees, [1, 1, 2, 2, 4, 5, 9, 15, 28, 45, 73, 116, 199, 345, 601]),
    "AVL trees": (ready.avl_trees, [1, 2, 1, 4, 6, 4, 17, 32, 44, 60, 70, 184, 476, 872, 1553]),
    "parentheses": (ready.balanced_parentheses, [catalan(n) for n in range(1, 13)]),
    "set partitions": (lambda n: ready.set_partitions(range(n)), [1, 2, 5, 15, 52, 203, 877, 4140]),
    "permutations": (lambda n: ready.permutations(range(n)), [factorial(n) for n in range(1, 10)]),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", COUNTS)
def test_counts(name):
    make, expected = COUNTS[name]
    assert [make(n).cardinality for n in range(1, len(expected) + 1)] == expected


TREES = {
    "search trees": (
        ready.search_trees,
        lambda n: plain._trees(gen.integers(1, n), n),
        plain.is_search_tree,
        5,
    ),
    "AVL trees": (ready.avl_trees, lambda n: plain._trees(gen.integers(1, n), n), plain.is_avl_tree, 5),
    "red-black": (ready.red_black_trees, plain._coloured, plain.is_red_black, 4),
    "heap arrays": (
        ready.heap_arrays,
        lambda n: gen.tuples(*[gen.integers(0, n)] * n),
        plain.is_heap_array,
        5,
    ),
    "sorted lists": (ready.sorted_lists, lambda n: gen.tuples(*[gen.integers(1, n)] * n), plain.is_sorted, 5),
    "sorted lists, pruned": (
        lambda n: ready.sorted_lists(n, pruned=True),
        lambda n: gen.tuples(*[gen.integers(1, n)] * n),
        plain.is_sorted_and_pruned,
        5,
    ),
    "DAGs": (ready.dags, plain._graphs, plain.is_acyclic_in_order, 3),
    "class hierarchies": (ready.class_hierarchies, plain._hierarchies, plain.is_hierarchy, 2),
    "B-trees": (ready.b_trees, plain._nodes, plain.is_b_tree, 5),
}


@pytest.mark.parametrize("name", TREES)
def test_the_same_values_as_a_filter_on_the_plain_type(name):
    make, everything, predicate, largest = TREES[name]
    for n in range(1, largest + 1):
        accept = predicate(n)
        expected = [value for value in everything(n) if accept(value)]
        found = list(make(n))
        assert len(found) == len(expected)
        assert set(found) == set(expected)


def test_b_trees_are_b_trees():
    for n in range(1, 12):
        trees = list(ready.b_trees(n))
        assert all(map(plain.is_b_tree(n), trees))
        assert len(set(trees)) == len(trees)
    for n in range(1, 10):
        assert all(map(plain.is_b_tree(n, degree=3), ready.b_trees(n, degree=3)))


def test_words_partitions_selections_by_brute_force():
    words = {
        "".join("()"[bit] for bit in bits)
        for bits in set(permutations([0] * 4 + [1] * 4))
        if all(bits[:i].count(0) >= bits[:i].count(1) for i in range(9))
    }
    assert set(ready.balanced_parentheses(4)) == words
    assert list(ready.permutations("abcd")) == list(permutations("abcd"))
    assert list(ready.combinations("abcdef", 3)) == list(combinations("abcdef", 3))
    assert ready.combinations("ab", 3).cardinality == 0
    parts = list(ready.set_partitions("abc"))
    assert sorted(len(blocks) for blocks in parts) == [1, 2, 2, 2, 3]
    for source in (ready.permutations(range(30)), ready.combinations(range(60), 20)):
        number = source.cardinality * 2 // 3
        assert source.index(source[number]) == number


NUMBERED = {
    **{name: make for name, (make, _) in COUNTS.items()},
    "heap arrays": ready.heap_arrays,
    "combinations": lambda n: ready.combinations("abcdefgh"[:n], n // 2),
    "set partitions of words": lambda n: ready.set_partitions(["x", "yy", "z", "w", "vv"][:n]),
    "B-trees of degree 3": lambda n: ready.b_trees(n + 4, degree=3),
    "search trees by shape": by_shape,
}


@pytest.mark.parametrize("name", NUMBERED)
def test_every_value_knows_its_number(name):
    for n in range(5 if name != "class hierarchies" else 3):
        source = NUMBERED[name](n)
        step = max(1, source.cardinality // 200)
        for i in range(0, source.cardinality, step):
            assert source.index(source[i]) == i
    for wrong in ((), None, "(", (1, 2, 3, 4, 5, 6), "())(", (0, None, None), ("x",)):
        if wrong not in source:
            with pytest.raises(errors.NoSuchValue):
                source.index(wrong)


def test_search_trees_are_numbered_alike_in_both_ways():
    for n in range(9):
        assert list(ready.search_trees(n)) == list(by_shape(n))
    for n in (15, MOST_KEYED):
        keyed, shaped = ready.search_trees(n), by_shape(n)
        for i in range(0, keyed.cardinality, keyed.cardinality // 100):
            assert keyed[i] == shaped[i]


@pytest.mark.slow
def test_large_values_know_their_number():
    for source in (
        ready.sorted_lists(30),
        ready.heaps(20),
        ready.b_trees(30),
        ready.balanced_parentheses(20),
        ready.set_partitions(range(25)),
        ready.class_hierarchies(4),
        ready.dags(20),
    ):
        number = source.cardinality * 2 // 3
        assert source.index(source[number]) == number


def test_wrong_parameters_are_explained():
    for call in (
        lambda: ready.b_trees(5, degree=1),
        lambda: ready.b_trees(-1),
        lambda: ready.heaps(3, most=-1),
        lambda: ready.sorted_lists(3, most="x"),
        lambda: ready.class_hierarchies(2, methods=-1),
        lambda: ready.permutations({"a", "b"}),
        lambda: ready.set_partitions({"a", "b"}),
        lambda: ready.combinations("abc", -1),
        lambda: ready.search_trees(2.5),
    ):
        with pytest.raises(errors.InvalidArgument):
            call()


@pytest.mark.slow
def test_large_trees_by_number():
    for source in (ready.search_trees(100), ready.red_black_trees(300), ready.avl_trees(200)):
        number = source.cardinality // 3
        assert source.index(source[number]) == number


@dataclass(frozen=True)
class Flag:
    flag: bool


@dataclass(frozen=True)
class Branch:
    left: Flag | Branch
    right: Flag | Branch


def test_recursive_dataclasses_count_by_size():
    trees = gen.from_type(Branch) | gen.from_type(Flag)
    # n leaves (two kinds each) and n - 1 branches: a size of 2n - 1.
    assert [trees.of_size(2 * n - 1).cardinality for n in range(1, 7)] == [
        2**n * catalan(n - 1) for n in range(1, 7)
    ]
    assert all(trees.of_size(2 * n).cardinality == 0 for n in range(5))
    value = trees[10**40]
    assert trees.index(value) == 10**40


def test_set_partitions_are_numbered_alike_in_both_ways():
    for n in range(8):
        by_word = ready.set_partitions(range(n))
        by_number = NumberedPartitions(tuple(range(n)))
        assert [by_number(i) for i in range(by_number.count)] == list(by_word)
        assert [by_number.argument(blocks) for blocks in by_word] == list(range(len(by_word)))


def megabytes(work: Callable[[], None]) -> float:
    """Peak memory during a call, which grows with the size of a description."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1] / 2**20
    finally:
        tracemalloc.stop()


def test_set_partitions_of_many_items_are_described_by_little():
    def walk() -> None:
        many = ready.set_partitions(range(100))
        assert [next(iter(many)), many.index(many[10**100])] == [(tuple(range(100)),), 10**100]
        assert many.index(many[-1]) == many.cardinality - 1

    assert megabytes(walk) < 10  # all words of 100 letters are described by 300 and more


@pytest.mark.parametrize("pruned", [False, True])
def test_sorted_lists_are_numbered_alike_in_both_ways(pruned, monkeypatch):
    shapes = [(length, most) for length in range(6) for most in (0, 1, 3, 6)]
    by_first = [list(ready.sorted_lists(*shape, pruned=pruned)) for shape in shapes]
    monkeypatch.setattr(sequences, "MOST_FIRST", -1)
    for shape, values in zip(shapes, by_first):
        source = ready.sorted_lists(*shape, pruned=pruned)
        assert list(source) == values
        assert [source.index(value) for value in values] == list(range(len(values)))


@pytest.mark.slow
def test_long_sorted_lists_are_described_by_little():
    def walk() -> None:
        for source in (
            ready.sorted_lists(60),
            ready.sorted_lists(60, pruned=True),
            ready.sorted_lists(2, 1000),
        ):
            number = source.cardinality * 2 // 3
            assert source.index(source[number]) == number

    assert megabytes(walk) < 100  # those with all their first values take 900


def test_items_that_are_equal_have_a_number():
    for source in (ready.permutations("abab"), ready.combinations("abcab", 3), ready.permutations([1, True])):
        for value in source:
            assert repr(source[source.index(value)]) == repr(value)
    with pytest.raises(errors.NotInvertible, match="equal"):
        ready.set_partitions("aba").index((("a", "b", "a"),))


@pytest.mark.parametrize(
    ("source", "wrong"),
    [
        (ready.heap_arrays(2), (2, True)),
        (ready.heap_arrays(1), (1.0,)),
        (ready.sorted_lists(2), (2.0, 1)),
        (ready.b_trees(1), ((True,), ())),
        (ready.permutations([0, 1]), (False, True)),
        (ready.set_partitions([0, 1]), ((0, True),)),
        (gen.just(((1, 2),)), ((1, 2.0),)),
    ],
)
def test_numbers_of_another_type_are_other_values(source, wrong):
    assert wrong not in source


@pytest.mark.parametrize("trees", [ready.search_trees, ready.avl_trees, ready.b_trees])
def test_large_trees_of_floats_are_not_trees_of_integers(trees):
    def in_floats(value):
        if isinstance(value, tuple):
            return tuple(map(in_floats, value))
        return float(value) if isinstance(value, int) else value

    source = trees(MOST_KEYED + 1)
    tree = source[0]
    assert tree in source
    assert in_floats(tree) not in source


@pytest.mark.parametrize("n", [3, 25])
def test_ready_structures_print_as_they_are_called(n):
    for name in ("search_trees", "red_black_trees", "avl_trees", "b_trees", "heaps", "heap_arrays", "dags"):
        assert repr(getattr(ready, name)(n)) == f"{name}({n})"
    assert repr(ready.sorted_lists(n, 2, pruned=True)) == f"sorted_lists({n}, most=2, pruned=True)"
    assert repr(ready.red_black_trees(n, red_root=False)) == f"red_black_trees({n}, red_root=False)"
    assert repr(ready.b_trees(n, degree=3)) == f"b_trees({n}, degree=3)"
    assert repr(ready.class_hierarchies(1, methods=n)) == f"class_hierarchies(1, methods={n})"
    assert repr(ready.permutations("ab").of_size(2)) == "permutations(('a', 'b')).of_size(2)"
    assert repr(ready.combinations([1, 2], 1)) == "combinations((1, 2), 1)"
    assert repr(ready.set_partitions("ab")) == "set_partitions(('a', 'b'))"
    assert repr(gen.tuples()) == "tuples()"
