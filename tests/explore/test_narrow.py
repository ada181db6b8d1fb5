"""The explorer that tests only valid inputs: which inputs it tests, and when Auto chooses it."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import pytest
from narrow_inputs import (
    Leaf,
    Node,
    collected,
    is_search_tree,
    is_sorted,
    trees,
)

from everycase import check, find, gen, given, settings
from everycase.errors import InvalidArgument, NoSuchExample
from everycase.explore import Auto, Narrow, Patterns
from everycase.narrow import Order


def test_exactly_the_values_that_filtering_finds_smallest_first():
    seen, report = collected(gen.lists(gen.integers(0, 4)).filter(is_sorted), Narrow(max_size=4))
    assert seen == sorted(seen, key=len)
    assert sorted(seen) == sorted(xs for xs in gen.lists(gen.integers(0, 4)).up_to_size(4) if is_sorted(xs))
    assert report.status == "passed" and report.discarded == 0
    assert report.covered == "all 126 values up to size 4 that satisfy is_sorted"
    assert report.stopped == "there was nothing left to test"


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


@dataclass(frozen=True)
class Typed:
    """A class for from_type, with nothing but annotations."""

    flag: bool
    numbers: list[int]
    rest: Typed | None


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


# --- Auto -----------------------------------------------------------------------------------------------


def test_auto_prunes_when_most_inputs_are_discarded():
    made = given(xs=gen.lists(gen.integers(0, 99), min_size=8)).where(is_sorted)
    seen = []
    report = check(made(lambda xs: seen.append(xs)), explore=Auto(), seed=0, database=None)
    assert report.status == "passed" and report.examples == 1000
    assert report.figures["accepted"] > 500 and "that satisfy is_sorted" in report.covered
    assert all(map(is_sorted, seen))
    assert report.discarded < 250


def test_auto_prunes_filters_too():
    made = gen.lists(gen.integers(0, 99), min_size=8).filter(is_sorted)
    report = check(lambda xs: max(xs) < 90 or xs[0] > 5, made, explore=Auto(), seed=0, database=None)
    assert report.status == "failed" and is_sorted(report.counterexample[0])


@gen.composite
def made_whole(draw):
    return draw(gen.integers())


@pytest.mark.slow
def test_auto_does_not_prune_what_is_mostly_valid_or_cannot_be_pruned():
    report = check(
        lambda xs: True, gen.lists(gen.integers()).filter(lambda xs: len(xs) != 3), seed=0, database=None
    )
    assert report.examples == 1000 and not report.figures
    rare = made_whole().filter(lambda n: n % 4099 == 17)
    assert not check(lambda n: True, rare, seed=0, database=None).figures


def test_auto_does_not_prune_beside_what_is_drawn_in_the_test():
    def draws(xs, data):
        assert is_sorted(xs) and data.draw(gen.integers(0, 3)) < 4

    lists = gen.lists(gen.integers(0, 50), min_size=7, max_size=9).filter(is_sorted)
    report = check(draws, lists, gen.data(), max_examples=250, seed=1, database=None)
    assert report.status == "passed" and report.examples == 250


def test_auto_goes_on_sampling_a_filter_that_looks_at_everything():
    lists = gen.lists(gen.integers(0, 9)).filter(lambda xs: xs == sorted(xs) and len(xs) > 6)
    report = check(lambda xs: None, lists, max_examples=200, database=None, seed=0)
    assert report.status == "passed" and report.examples == 200


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
        ({"order": "random", "weights": [Node]}, "weights must map classes to numbers"),
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


@pytest.mark.parametrize("explorer", [Narrow(), Patterns()])
def test_shared_values_are_refused_with_their_name(explorer):
    """They were drawn once for each argument, and the generator was blamed."""
    width = gen.shared(gen.integers(0, 9), key="width")
    report = check(lambda a, b: a == b, width, width.filter(lambda n: n % 2), database=None, seed=0)
    assert report.status == "passed"
    with pytest.raises(InvalidArgument, match=r"cannot be used with gen\.shared"):
        check(lambda a, b: a == b, width, width.filter(lambda n: n % 2), explore=explorer, database=None)
