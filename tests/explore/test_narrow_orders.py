"""The orders in which Narrow visits valid inputs: each input once, repeatable, and to the end."""

from __future__ import annotations

import random

import pytest
from narrow_inputs import (
    Leaf,
    Node,
    Twig,
    collected,
    is_increasing,
    is_search_tree,
    kinds,
    trees,
)

from everycase import check, find, gen
from everycase.errors import InvalidArgument
from everycase.explore import Narrow
from everycase.explore.narrow import turns
from everycase.narrow import Narrowing, Order, Shuffled


@pytest.mark.parametrize("order", ["smallest", "depth", "random", "mixed"])
def test_every_order_is_valid_and_a_seed_repeats_it(order):
    made = trees.filter(is_search_tree)
    runs = [collected(made, Narrow(max_size=9, order=order), max_examples=300, seed=5)[0] for _ in range(2)]
    assert runs[0] == runs[1]
    assert len(runs[0]) == 300 and all(map(is_search_tree, runs[0]))
    if order in ("random", "mixed"):
        assert collected(made, Narrow(max_size=9, order=order), max_examples=300, seed=6)[0] != runs[0]
        assert len(set(runs[0])) > 100


@pytest.mark.slow
def test_small_values_leave_tests_for_others():
    """One evaluation accepts many of the smallest lists at once, which must not use up all tests."""
    lists = gen.lists(gen.integers(0, 50)).filter(is_increasing)
    seen = [xs for seed in range(5) for xs in collected(lists, Narrow(), seed=seed, max_examples=300)[0]]
    assert len(seen) == 1500
    assert sum(len(xs) > 2 for xs in seen) >= 30


def test_weights_make_classes_more_frequent():
    made = trees.filter(is_search_tree)

    def nodes(weights):
        seen, _ = collected(
            made, Narrow(max_size=13, order="random", weights=weights, restart=1), max_examples=100, seed=1
        )
        return sum(str(tree).count("Node") for tree in seen)

    assert nodes({Node: 9}) > nodes({Node: 0.2})

    def nodes_in_firsts(weights):
        """The first inputs, repetitions included."""
        order, search = Shuffled(random.Random(1).random, weights), Narrowing([made])
        firsts = [next(search.search(13, arrange=order.arrange)).value for _ in range(100)]
        return sum(str(tree).count("Node") for tree in firsts)

    assert nodes_in_firsts({Node: 9}) > 1.5 * nodes_in_firsts({Node: 0.2})


@pytest.mark.slow
@pytest.mark.parametrize("order", ["random", "selected", "scattered", "mixed"])
@pytest.mark.parametrize("inputs", [kinds, trees], ids=["kinds", "trees"])
def test_without_a_greatest_size_there_is_room_above_the_least_one(order, inputs):
    """Also if it is beyond the usual size, and if the user asks for large values."""
    many = gen.lists(inputs, min_size=10).filter(lambda xs: isinstance(xs[0], Node))
    large = inputs.filter(lambda x: isinstance(x, Node))
    for made, from_size, seed in ((many, None, 0), *[(large, 20, seed) for seed in range(3)]):
        explorer = Narrow(order=order, from_size=from_size, max_evaluations=20_000)
        seen, report = collected(made, explorer, max_examples=300, seed=seed)
        assert report.examples == 300, (order, report.covered)
        assert max(str(one).count("(") for one in seen) > 10


@pytest.mark.parametrize("order", ["random", None])
def test_weights_of_what_does_not_occur_are_named(order):
    made = trees.filter(is_search_tree)
    for label, name in ((Twig, "Twig"), ("Node", "'Node'"), (None, "None")):
        with pytest.raises(InvalidArgument, match=f"weights name {name}, .* they contain Leaf, Node"):
            collected(made, Narrow(order=order, max_size=9, weights={Node: 2, label: 3}))
    # Values have weights, too, where there are few of them.
    flags = gen.tuples(gen.booleans(), gen.integers(0, 3), gen.none() | gen.integers(7, 7)).filter(bool)
    collected(flags, Narrow(order=order, weights={True: 2, 3: 4, None: 5, 7: 2}))


# --- each value once ------------------------------------------------------------------------------------


@pytest.mark.parametrize("restart", [3, 1000])
@pytest.mark.parametrize("order", ["random", "mixed", "selected", "scattered"])
def test_values_that_come_again_are_tested_once(order, restart):
    lists = gen.lists(gen.integers(0, 3), max_size=3).filter(is_increasing)
    explorer = Narrow(max_size=9, order=order, restart=restart)
    seen, report = collected(lists, explorer, max_examples=200)
    valid = sorted(filter(is_increasing, lists.up_to_size(9)))
    assert sorted(seen) == valid
    assert report.figures["accepted"] == len(valid) == 15
    assert "repeated" not in report.covered


class Opaque:
    """Made by a function, so its instances cannot be told apart."""

    def __init__(self, number):
        self.number = number


def test_values_that_cannot_be_told_apart_may_come_again_and_the_report_says_so():
    things = gen.integers(0, 3).filter(lambda n: n > 1).map(Opaque)
    seen, report = collected(things, Narrow(max_size=3, order="random", restart=1), max_examples=50)
    assert {one.number for one in seen} == {2, 3}
    assert "some perhaps repeated" in report.covered or len(seen) == 2


# --- the end --------------------------------------------------------------------------------------------


def test_a_random_order_ends_when_it_finds_nothing_new():
    numbers = gen.integers(0, 10**9).filter(lambda n: n in (5, 77))
    seen, report = collected(numbers, Narrow(max_size=12, order="random", restart=1), max_examples=50)
    assert sorted(seen) == [5, 77]
    assert report.status == "passed"


@pytest.mark.parametrize("order", ["smallest", "random", "selected", "mixed"])
def test_a_condition_that_is_never_true_ends_the_search(order):
    lists = gen.lists(gen.integers()).filter(lambda xs: False)
    report = check(lambda xs: None, lists, explore=Narrow(order=order), database=None)
    assert report.status == "gave_up" and report.examples == 0
    assert report.figures["evaluations"] < 1000


@pytest.mark.parametrize("order", ["smallest", "depth", "random", "selected", "scattered", "mixed"])
def test_what_is_rejected_without_a_look_ends_every_order(order):
    explore = Narrow(max_size=6, order=order)
    report = check(lambda t: None, kinds.filter(lambda t: False), explore=explore, database=None)
    assert (report.status, report.exhaustive, report.empty) == ("gave_up", False, True)
    assert report.figures["evaluations"] <= 10


@pytest.mark.slow
def test_endless_sizes_without_a_value_are_given_up() -> None:
    """Every additional bit is a size of its own, and takes three evaluations to be rejected."""
    only_five = gen.integers().filter(lambda n: n == 5)
    report = check(lambda n: None, only_five, explore=Narrow(), seed=1, database=None)
    assert (report.status, report.examples) == ("passed", 1)
    assert "no value in 10,000 sizes in a row, up to 10,003" in str(report)
    assert find(gen.integers(), lambda n: n == 123456789123, explore=Narrow()) == 123456789123
    report = check(lambda n: None, only_five, explore=Narrow(max_size=20_000), seed=1, database=None)
    assert "the only value up to size 20000 that satisfies" in str(
        report
    )  # nothing that was asked for is left


# --- user-defined orders --------------------------------------------------------------------------------


def test_an_order_of_ones_own():
    class LargestFirst(Order):
        def __init__(self):
            self.learned = 0

        def arrange(self, place, alternatives):
            return alternatives[::-1]

        def learn(self, found):
            self.learned += 1

    order = LargestFirst()
    seen, _ = collected(
        trees.filter(is_search_tree), Narrow(max_size=7, from_size=7, order=order), max_examples=50
    )
    assert isinstance(seen[0], Node) and order.learned == 50


def test_an_order_that_leaves_something_out_has_not_found_all():
    class NoNodes(Order):
        def arrange(self, place, alternatives):
            return [one for one in alternatives if one.label is not Node] or alternatives

    inputs = gen.tuples(kinds, gen.booleans()).filter(lambda pair: pair[1])
    seen, report = collected(inputs, Narrow(max_size=5, from_size=5, order=NoNodes()))
    assert seen and not any("Node" in repr(value) for value in seen)
    assert report.covered.startswith(f"{len(seen)} values") and not report.exhaustive
    assert report.figures["complete_to_size"] is None
    assert report.stopped == "the order leaves out all other values"


@pytest.mark.parametrize("answer", [[], None, 7], ids=repr)
def test_an_order_that_cannot_be_followed_is_named(answer):
    class Wrong(Order):
        def arrange(self, place, alternatives):
            return answer

    with pytest.raises(InvalidArgument, match=r"Wrong\.arrange must return a list of at least one"):
        collected(kinds.filter(lambda t: t != Leaf()), Narrow(max_size=4, order=Wrong()))


def test_a_few_values_that_are_made_whole_do_not_keep_the_search_busy(monkeypatch):
    """Each size goes through all smaller values again, so ten thousand sizes would take minutes."""
    monkeypatch.setattr(turns, "MOST_IN_VAIN", 1000)
    few = gen.booleans().flatmap(lambda b: gen.sampled_from(["ab", "cd", "ef"] if b else ["g", "h"]))
    report = check(lambda s: None, few.filter(lambda s: s != "h"), explore=Narrow(), seed=1, database=None)
    assert (report.status, report.examples) == ("passed", 4)
    assert report.figures["evaluations"] < 10_000
    assert "no value in" in str(report) and "10,000" not in str(report)
