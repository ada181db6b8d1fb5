"""The explorer that runs tests on valid inputs only."""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pytest

from everycase import check, find, gen, given, settings
from everycase.errors import InvalidArgument, NoSuchExample
from everycase.explore import Auto, Narrow
from everycase.narrow import Narrowing, Order, Shuffled
from everycase.run.render import statistics


def is_sorted(xs):
    return all(a <= b for a, b in zip(xs, xs[1:]))  # noqa: RUF007


@dataclass(frozen=True)
class Leaf:
    pass


@dataclass(frozen=True)
class Node:
    left: Any
    key: int
    right: Any


@dataclass(frozen=True)
class Typed:
    """A class for from_type, with nothing but annotations."""

    flag: bool
    numbers: list[int]
    rest: Typed | None


trees = gen.deferred(lambda: gen.builds(Leaf) | gen.builds(Node, trees, gen.integers(0, 9), trees))


def is_search_tree(tree, lo=-1, hi=10):
    if isinstance(tree, Leaf):
        return True
    return (
        lo < tree.key < hi
        and is_search_tree(tree.left, lo, tree.key)
        and is_search_tree(tree.right, tree.key, hi)
    )


def collected(made, explorer, **options):
    seen = []
    report = check(seen.append, made, explore=explorer, database=None, **options)
    return seen, report


# --- what is tested -------------------------------------------------------------------------------------


def test_exactly_the_values_that_filtering_finds_smallest_first():
    seen, report = collected(gen.lists(gen.integers(0, 4)).filter(is_sorted), Narrow(max_size=4))
    assert seen == sorted(seen, key=len)
    assert sorted(seen) == sorted(xs for xs in gen.lists(gen.integers(0, 4)).up_to_size(4) if is_sorted(xs))
    assert report.status == "passed" and report.discarded == 0
    assert report.covered == "all 126 values up to size 4 that satisfy is_sorted"
    assert report.stopped == "there was nothing left to test"


@pytest.mark.parametrize("order", ["smallest", "depth", "random", "mixed"])
def test_every_order_is_valid_and_a_seed_repeats_it(order):
    made = trees.filter(is_search_tree)
    runs = [collected(made, Narrow(max_size=9, order=order), max_examples=300, seed=5)[0] for _ in range(2)]
    assert runs[0] == runs[1]
    assert len(runs[0]) == 300 and all(map(is_search_tree, runs[0]))
    if order in ("random", "mixed"):
        assert collected(made, Narrow(max_size=9, order=order), max_examples=300, seed=6)[0] != runs[0]
        assert len(set(runs[0])) > 100


def test_depth_first_and_smallest_find_the_same():
    made = trees.filter(is_search_tree)
    assert set(collected(made, Narrow(max_size=5, order="depth"))[0]) == set(
        collected(made, Narrow(max_size=5))[0]
    )


def test_several_arguments_and_where():
    seen = []

    @settings(explore=Narrow(max_size=0), max_examples=5000, database=None)
    @(
        given(a=gen.integers(0, 40), b=gen.integers(0, 40), c=gen.integers(0, 40)).where(
            lambda a, b, c: a + b == c + 70
        )
    )
    def test(a, b, c):
        seen.append((a, b, c))

    report = check(test)
    assert set(seen) == {t for t in itertools.product(range(41), repeat=3) if t[0] + t[1] == t[2] + 70}
    assert len(seen) == len(set(seen)) and report.discarded == 0
    assert report.exhaustive


def test_where_names_the_arguments_it_reads():
    seen = []

    @(
        given(gen.booleans(), gen.lists(gen.integers(0, 2)), gen.lists(gen.integers(0, 2)))
        .where(lambda ys: is_sorted(ys))
        .where(lambda xs, ys: len(xs) == len(ys))
    )
    def test(flag, xs, ys):
        seen.append((flag, tuple(xs), tuple(ys)))

    check(test, explore=Narrow(max_size=4), database=None)
    small = [tuple(xs) for n in range(3) for xs in itertools.product(range(3), repeat=n)]
    assert set(seen) == {
        (flag, xs, ys)
        for flag in (False, True)
        for xs in small
        for ys in small
        if len(xs) == len(ys) and is_sorted(ys)
    }
    assert len(seen) == len(set(seen))


def test_classes_read_from_their_types():
    def tidy(value):
        return (
            value.flag
            and value.rest is not None
            and not value.rest.flag
            and value.numbers == [value.rest.numbers[0]]
        )

    seen, report = collected(
        gen.from_type(Typed).filter(lambda v: v.rest is None or not v.rest.numbers or tidy(v)),
        Narrow(max_size=5),
    )
    assert seen and report.figures["evaluations"] < report.figures["values_up_to_size"]


def test_functions_of_filtered_values():
    seen, report = collected(gen.lists(gen.integers(0, 3)).filter(is_sorted).map(tuple), Narrow(max_size=3))
    assert sorted(seen) == sorted(
        tuple(xs) for xs in gen.lists(gen.integers(0, 3)).up_to_size(3) if is_sorted(xs)
    )
    assert report.figures["evaluations"] < report.figures["values_up_to_size"]


def test_without_a_precondition_everything_is_tested():
    seen, report = collected(gen.lists(gen.booleans()), Narrow(max_size=2))
    assert len(seen) == 7 and report.covered == "all 7 values up to size 2 (there is no precondition)"


# --- failures -------------------------------------------------------------------------------------------


def test_a_failure_is_found_shrunk_and_can_be_replayed():
    def shallow(tree):
        return isinstance(tree, Leaf) or 1 + max(map(shallow_depth, (tree.left, tree.right))) < 3

    def shallow_depth(tree):
        return 0 if isinstance(tree, Leaf) else 1 + max(shallow_depth(tree.left), shallow_depth(tree.right))

    made = trees.filter(is_search_tree)
    report = check(shallow, made, explore=Narrow(max_size=9, order="random"), seed=3, database=None)
    assert report.status == "failed"
    (tree,) = report.counterexample
    assert is_search_tree(tree) and shallow_depth(tree) == 3
    assert report.trace is not None and report.blob is not None
    assert report.first.shrink_reason == "minimal"


def test_find():
    assert find(
        trees, lambda t: isinstance(t, Node) and t.key == 7 and is_search_tree(t), explore=Narrow(max_size=5)
    ) == (Node(Leaf(), 7, Leaf()))
    with pytest.raises(NoSuchExample, match=r"none found in .* evaluations, which tried all up to size 5"):
        find(trees, lambda t: isinstance(t, Node) and t.key > 9, explore=Narrow(max_size=5))
    with pytest.raises(NoSuchExample, match="none exists"):
        find(gen.integers(0, 10**6), lambda n: n > 10**6, explore=Narrow())


def test_find_needs_few_evaluations_in_a_wide_range():
    wanted = (123_456, 123_457)
    pairs = gen.tuples(gen.integers(0, 65_000 * 2), gen.integers(0, 65_000 * 2))
    assert (
        find(pairs, lambda p: p[0] == wanted[0] and p[1] == p[0] + 1, explore=Narrow(max_size=40)) == wanted
    )


# --- what is said ---------------------------------------------------------------------------------------


def test_figures():
    _, report = collected(trees.filter(is_search_tree), Narrow(max_size=7), max_examples=10_000)
    figures = report.figures
    assert figures["accepted"] == report.examples
    assert figures["values_up_to_size"] == len(trees.up_to_size(7))
    assert 0 < figures["evaluations"] < figures["values_up_to_size"]
    assert figures["pruned"] == 1 - figures["evaluations"] / figures["values_up_to_size"]
    assert figures["per_value"] == figures["evaluations"] / figures["accepted"]
    assert {place for place, _ in figures["looked_at"]} <= {"value", "Node.left", "Node.key", "Node.right"}
    assert sum(share for _, share in figures["looked_at"]) == pytest.approx(1)
    assert figures["audited"] > 0 and not figures["by_filtering"]
    assert report.to_json()["figures"]["evaluations"] == figures["evaluations"]


def test_figures_in_words():
    _, report = collected(trees.filter(is_search_tree), Narrow(max_size=7), max_examples=10_000)
    text = statistics(report)
    assert f"evaluations of the precondition: {report.figures['evaluations']:,}" in text
    assert "of 5,211 values were never made" in text
    assert "it looked most at Node.key (" in text


def test_the_hint_to_reject_early():
    def late(xs):
        return sum(xs) == 8 and len(xs) == 4 and is_sorted(xs)

    _, report = collected(gen.lists(gen.integers(0, 4)).filter(late), Narrow(max_size=5))
    assert "reject early" in report.covered


def test_the_search_ends():
    _, report = collected(
        gen.lists(gen.integers()).filter(lambda xs: len(xs) == 3 and sum(xs) == 10**9),
        Narrow(max_evaluations=5000),
    )
    assert report.status == "gave_up"
    _, report = collected(
        gen.lists(gen.integers()).filter(lambda xs: sum(xs) == 10**9), Narrow(), max_seconds=0.2
    )
    assert "max_seconds" in report.stopped


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


def test_weights_make_classes_more_frequent():
    made = trees.filter(is_search_tree)

    def nodes(weights):
        seen, _ = collected(
            made, Narrow(max_size=13, order="random", weights=weights, restart=1), max_examples=100, seed=1
        )
        return sum(str(tree).count("Node") for tree in seen)

    assert nodes({Node: 9}) > nodes({Node: 0.2})

    def nodes_in_firsts(weights):
        """What comes first, which may be the same again and again."""
        order, search = Shuffled(random.Random(1).random, weights), Narrowing([made])
        firsts = [next(search.search(13, arrange=order.arrange)).value for _ in range(100)]
        return sum(str(tree).count("Node") for tree in firsts)

    assert nodes_in_firsts({Node: 9}) > 1.5 * nodes_in_firsts({Node: 0.2})


# --- Auto -----------------------------------------------------------------------------------------------


def test_auto_prunes_when_most_inputs_are_discarded():
    made = given(xs=gen.lists(gen.integers(0, 99), min_size=8)).where(is_sorted)
    seen = []
    report = check(made(lambda xs: seen.append(xs)), explore=Auto(), seed=0, database=None)
    assert report.status == "passed" and report.examples == 1000
    assert report.figures["accepted"] > 900 and "that satisfy is_sorted" in report.covered
    assert all(map(is_sorted, seen))
    assert report.discarded < 250


def test_auto_prunes_filters_too():
    made = gen.lists(gen.integers(0, 99), min_size=8).filter(is_sorted)
    report = check(lambda xs: max(xs) < 90 or xs[0] > 5, made, explore=Auto(), seed=0, database=None)
    assert report.status == "failed" and is_sorted(report.counterexample[0])


def test_auto_does_not_prune_what_is_mostly_valid_or_cannot_be_pruned():
    report = check(
        lambda xs: True, gen.lists(gen.integers()).filter(lambda xs: len(xs) != 3), seed=0, database=None
    )
    assert report.examples == 1000 and not report.figures
    rare = gen.integers().map(lambda n: n).filter(lambda n: n % 4099 == 17)
    assert not check(lambda n: True, rare, seed=0, database=None).figures


# --- mistakes -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"max_size": -1}, "max_size=-1 must not be negative"),
        ({"max_size": 2.5}, "max_size must be an int"),
        ({"order": "breadth"}, "order must be one of smallest, depth, random, selected, scattered, mixed"),
        ({"order": "depth"}, "needs a max_size"),
        ({"max_size": 3, "from_size": 5, "order": "random"}, "from_size=5 is greater than max_size=3"),
        ({"max_size": 3, "order": "smallest", "weights": {Node: 2}}, "weights have no effect"),
        ({"max_size": 3, "order": "depth", "from_size": 2}, "from_size has no effect"),
        ({"max_size": 3, "restart": 2}, "restart has no effect on order='smallest'"),
        ({"order": "scattered", "weights": {Node: 2}}, "weights have no effect on order='scattered'"),
        ({"order": Order(), "weights": {Node: 2}}, "weights have no effect on an order of your own"),
        ({"order": "random", "weights": {Node: 0}}, "positive number"),
        ({"order": "random", "weights": [Node]}, "weights must say how much each class counts"),
        ({"restart": 0}, "restart=0 must be at least 1"),
        ({"max_evaluations": "many"}, "max_evaluations must be an int"),
    ],
)
def test_wrong_options(options, words):
    with pytest.raises(InvalidArgument, match=words):
        Narrow(**options)


def test_repr():
    assert repr(Narrow(max_size=7)) == "Narrow(max_size=7)"
    assert repr(Narrow()) == "Narrow()"
    assert (
        repr(Narrow(max_size=7, order="random", restart=9)) == "Narrow(max_size=7, order='random', restart=9)"
    )


def is_increasing(xs):
    return all(a < b for a, b in zip(xs, xs[1:]))  # noqa: RUF007


def test_small_values_leave_tests_for_others():
    """One evaluation accepts many of the smallest lists at once, which must not take all of the tests."""
    lists = gen.lists(gen.integers(0, 50)).filter(is_increasing)
    seen = [xs for seed in range(5) for xs in collected(lists, Narrow(), seed=seed, max_examples=300)[0]]
    assert len(seen) == 1500
    assert sum(len(xs) > 2 for xs in seen) >= 30


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


def test_a_random_order_ends_when_it_finds_nothing_new():
    numbers = gen.integers(0, 10**9).filter(lambda n: n in (5, 77))
    seen, report = collected(numbers, Narrow(max_size=12, order="random", restart=1), max_examples=50)
    assert sorted(seen) == [5, 77]
    assert report.status == "passed"


class Opaque:
    """Made by a function, so nobody knows how to tell its instances apart."""

    def __init__(self, number):
        self.number = number


def test_values_that_cannot_be_told_apart_may_come_again_and_the_report_says_so():
    things = gen.integers(0, 3).filter(lambda n: n > 1).map(Opaque)
    seen, report = collected(things, Narrow(max_size=3, order="random", restart=1), max_examples=50)
    assert {one.number for one in seen} == {2, 3}
    assert "some perhaps repeated" in report.covered or len(seen) == 2


def test_only_what_was_tested_is_counted():
    lists = gen.lists(gen.integers(0, 50)).filter(is_increasing)
    report = check(lambda xs: None, lists, explore=Narrow(max_size=5), max_examples=70, database=None)
    assert report.examples == report.figures["accepted"] == 70
    assert report.covered.startswith("70 values")


def test_what_was_found_before_the_fall_back_is_counted_once():
    known = {}

    def remembers(tree):
        if tree not in known:
            known[tree] = is_search_tree(tree)
        return known[tree]

    report = check(lambda tree: None, trees.filter(remembers), explore=Narrow(max_size=5), database=None)
    valid = sum(map(is_search_tree, trees.up_to_size(5)))
    assert report.figures["by_filtering"]
    assert report.covered == f"all {valid} values up to size 5 that satisfy remembers; by filtering"


def test_auto_does_not_prune_beside_what_is_drawn_in_the_test():
    def draws(xs, data):
        assert is_sorted(xs) and data.draw(gen.integers(0, 3)) < 4

    lists = gen.lists(gen.integers(0, 50), min_size=7, max_size=9).filter(is_sorted)
    report = check(draws, lists, gen.data(), max_examples=250, seed=1, database=None)
    assert report.status == "passed" and report.examples == 250


def test_a_predicate_that_rejects_late_is_told_so_also_when_nothing_was_found():
    def late(pairs):
        return all(a < b for a, b in pairs) and all(x[1] <= y[0] for x, y in pairwise(pairs))

    days = gen.integers(0, 30)
    some = gen.lists(gen.tuples(days, days), min_size=6).filter(late)
    report = check(lambda pairs: None, some, explore=Narrow(max_evaluations=5000), seed=0)
    assert (report.status, report.examples) == ("gave_up", 0)
    assert "evaluations: reject early" in report.covered


@pytest.mark.parametrize("order", ["smallest", "random", "selected", "mixed"])
def test_a_condition_that_is_never_true_ends_the_search(order):
    lists = gen.lists(gen.integers()).filter(lambda xs: False)
    report = check(lambda xs: None, lists, explore=Narrow(order=order), database=None)
    assert report.status == "gave_up" and report.examples == 0
    assert report.figures["evaluations"] < 1000


def test_auto_goes_on_sampling_a_filter_that_looks_at_everything():
    lists = gen.lists(gen.integers(0, 9)).filter(lambda xs: xs == sorted(xs) and len(xs) > 6)
    report = check(lambda xs: None, lists, max_examples=200, database=None, seed=0)
    assert report.status == "passed" and report.examples == 200


def test_what_was_pruned_is_counted_up_to_the_size_that_is_complete():
    lists = gen.lists(gen.integers(0, 9)).filter(is_increasing)
    _, report = collected(lists, Narrow(max_size=6), max_examples=300)
    done = report.figures["complete_to_size"]
    assert done is not None and done < 6
    alone = collected(lists, Narrow(max_size=done), max_examples=300)[1].figures
    assert report.figures["pruned"] == alone["pruned"] > 0


def test_endless_sizes_without_a_value_are_given_up() -> None:
    """Every further bit is a size of its own, and takes three evaluations to be rejected."""
    only_five = gen.integers().filter(lambda n: n == 5)
    report = check(lambda n: None, only_five, explore=Narrow(), seed=1, database=None)
    assert (report.status, report.examples) == ("passed", 1)
    assert "no value in 10,000 sizes in a row, up to 10,003" in str(report)
    assert find(gen.integers(), lambda n: n == 123456789123, explore=Narrow()) == 123456789123
    report = check(lambda n: None, only_five, explore=Narrow(max_size=20_000), seed=1, database=None)
    assert "all 1 values up to size 20000" in str(report)  # what was asked for is done


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


@pytest.mark.parametrize("order", ["smallest", "depth", "random", "selected", "scattered", "mixed"])
def test_what_is_rejected_without_a_look_ends_every_order(order):
    explore = Narrow(max_size=6, order=order)
    report = check(lambda t: None, kinds.filter(lambda t: False), explore=explore, database=None)
    assert (report.status, report.exhaustive) == ("gave_up", True)
    assert report.figures["evaluations"] <= 10


def test_an_order_that_leaves_something_out_has_not_found_all():
    class NoNodes(Order):
        def arrange(self, place, alternatives):
            return [one for one in alternatives if one.label is not Node] or alternatives

    inputs = gen.tuples(kinds, gen.booleans()).filter(lambda pair: pair[1])
    seen, report = collected(inputs, Narrow(max_size=5, from_size=5, order=NoNodes()))
    assert seen and not any("Node" in repr(value) for value in seen)
    assert report.covered.startswith(f"{len(seen)} values") and not report.exhaustive
    assert report.figures["complete_to_size"] is None
    assert report.stopped == "the order left out all other values"


@pytest.mark.parametrize("answer", [[], None, 7], ids=repr)
def test_an_order_that_cannot_be_followed_is_named(answer):
    class Wrong(Order):
        def arrange(self, place, alternatives):
            return answer

    with pytest.raises(InvalidArgument, match=r"Wrong\.arrange must return a list of at least one"):
        collected(kinds.filter(lambda t: t != Leaf()), Narrow(max_size=4, order=Wrong()))


def test_values_are_not_counted_up_to_thousands_of_sizes():
    def is_impossible(tree):
        return isinstance(tree, Node) and tree.key > 99

    # Thousands of sizes are searched in no time, since hardly anything is left of each.
    report = check(lambda t: None, trees.filter(is_impossible), explore=Narrow(), database=None)
    assert report.figures["complete_to_size"] > 100
    assert report.figures["values_up_to_size"] is None and report.figures["pruned"] is None
    assert report.seconds < 5


def test_who_filters_is_not_told_to_reject_early():
    by_type = trees.filter(lambda t: type(t) is Leaf)
    _, report = collected(by_type, Narrow(max_size=5))
    assert report.figures["per_value"] > 20
    assert report.covered == "all 1 values up to size 5 that satisfy the precondition; by filtering"
