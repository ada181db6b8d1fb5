"""The report of a Narrow run: figures, wording, hints."""

from __future__ import annotations

from itertools import pairwise

import pytest
from narrow_inputs import (
    Leaf,
    Node,
    collected,
    is_increasing,
    is_search_tree,
    is_sorted,
    kinds,
    trees,
)

from everycase import check, gen
from everycase.explore import Narrow
from everycase.run.render import statistics


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


def test_all_searches_of_a_run_count_for_where_it_looked():
    def size_of(tree):
        parts = [getattr(tree, name) for name in ("left", "right", "below") if hasattr(tree, name)]
        return 1 + sum(map(size_of, parts))

    # The search goes smallest first and never reaches trees that large, so it never looks at the flag.
    pairs = gen.tuples(kinds, gen.booleans()).filter(lambda pair: size_of(pair[0]) < 8 or pair[1])
    _, report = collected(pairs, Narrow(from_size=14), max_examples=100)
    assert report.figures["complete_to_size"] < 8
    assert "[1]" in dict(report.figures["looked_at"])


def test_figures_in_words():
    _, report = collected(trees.filter(is_search_tree), Narrow(max_size=7), max_examples=10_000)
    text = statistics(report)
    assert f"evaluations of the precondition: {report.figures['evaluations']:,}" in text
    assert "of 5,211 values were never made" in text
    assert "it looked most often at Node.key (" in text


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

    report = check(
        lambda tree: None, trees.filter(remembers), explore=Narrow(max_size=5), seed=0, database=None
    )
    valid = sum(map(is_search_tree, trees.up_to_size(5)))
    assert report.figures["by_filtering"]
    assert report.figures["accepted"] == valid
    # Half-decided values were stored in ``known`` and then decided, so the report claims nothing about all values.
    assert report.covered == "" and "remembers reads known, which changed during the run" in str(report)


def test_what_was_pruned_is_counted_up_to_the_size_that_is_complete():
    lists = gen.lists(gen.integers(0, 9)).filter(is_increasing)
    _, report = collected(lists, Narrow(max_size=6), max_examples=300)
    done = report.figures["complete_to_size"]
    assert done is not None and done < 6
    alone = collected(lists, Narrow(max_size=done), max_examples=300)[1].figures
    assert report.figures["pruned"] == alone["pruned"] > 0


@pytest.mark.slow
def test_values_are_not_counted_up_to_thousands_of_sizes():
    def is_impossible(tree):
        return isinstance(tree, Node) and tree.key > 99

    # Thousands of sizes are searched in no time, since hardly anything is left of each.
    report = check(lambda t: None, trees.filter(is_impossible), explore=Narrow(), database=None)
    assert report.figures["complete_to_size"] > 100
    assert report.figures["values_up_to_size"] is None and report.figures["pruned"] is None


def test_the_search_ends():
    _, report = collected(
        # The search understands sums and multiples, but not powers; and there is no such number.
        gen.lists(gen.integers()).filter(lambda xs: len(xs) == 1 and xs[0] ** 3 == 10**18 + 9),
        Narrow(max_evaluations=5000),
    )
    assert report.status == "gave_up"
    _, report = collected(
        gen.lists(gen.integers()).filter(lambda xs: sum(xs) == 10**9), Narrow(), max_seconds=0.2
    )
    assert "max_seconds" in report.stopped


# --- hints ----------------------------------------------------------------------------------------------


def test_the_hint_to_reject_early():
    def late(xs):
        return sum(xs) == 8 and len(xs) == 4 and is_sorted(xs)

    _, report = collected(gen.lists(gen.integers(0, 4)).filter(late), Narrow(max_size=5))
    assert "reject early" in report.covered


def test_a_predicate_that_rejects_late_is_told_so_also_when_nothing_was_found():
    def late(pairs):
        return all(a < b for a, b in pairs) and all(x[1] <= y[0] for x, y in pairwise(pairs))

    days = gen.integers(0, 30)
    some = gen.lists(gen.tuples(days, days), min_size=6).filter(late)
    report = check(lambda pairs: None, some, explore=Narrow(max_evaluations=5000), seed=0)
    assert (report.status, report.examples) == ("gave_up", 0)
    assert "evaluations: reject early" in report.covered


def test_who_filters_is_not_told_to_reject_early():
    by_type = trees.filter(lambda t: type(t) is Leaf)
    _, report = collected(by_type, Narrow(max_size=5))
    assert report.figures["per_value"] > 20
    assert report.covered == "the only value up to size 5 that satisfies the precondition; by filtering"


@pytest.mark.slow
def test_where_nothing_can_be_pruned_the_report_says_so():
    for made in (
        gen.lists(gen.integers(0, 9)).up_to_size(3),  # drawn by number
        gen.integers(0, 2000).flatmap(lambda n: gen.just([n])),
    ):
        _, report = collected(made.filter(lambda xs: xs == [7]), Narrow(max_size=9))
        assert report.examples == 1
        assert report.covered.endswith("; these inputs are made whole, so nothing was pruned")
