"""``classify`` and ``tabulate``: counting, demands, and their wording."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import pytest

from everycase import HealthCheck, assume, check, classify, errors, find, gen, given, settings, tabulate
from everycase.explore import Covering, Exhaustive, Random
from everycase.run.labels import GROWTH
from everycase.run.shares import ShareTest


def run(test: Any, *gens: Any, **options: Any) -> Any:
    return check(test, *gens, **{"seed": 1, "database": None, **options})


# --- counting -----------------------------------------------------------------------------------------------


def test_a_label_counts_once_a_test_and_not_in_discarded_ones() -> None:
    def test(n: int) -> None:
        classify("small", n < 3)
        classify("small", n < 2)
        classify("never", False)
        assume(n != 0)

    report = run(test, gen.integers(0, 9))
    assert (report.labels["small"].hits, report.labels["small"].tests) == (2, 9)
    assert report.labels["never"].verdict == "impossible"
    assert report.labels["small"].exact


def test_tables_count_every_call() -> None:
    def test(xs: list[bool]) -> None:
        for x in xs:
            tabulate("element", x)
        tabulate("length", f"{len(xs)} long")

    report = run(test, gen.lists(gen.booleans(), max_size=2))
    assert report.tables == {
        "element": {"True": 5, "False": 5},
        "length": {"0 long": 1, "1 long": 2, "2 long": 4},
    }


@pytest.mark.parametrize("options", [{}, {"statistics": True}, {"deadline": 10_000}, {"explore": Random()}])
def test_batches_count_as_single_tests_do(options: dict[str, Any]) -> None:
    def test(xs: list[int]) -> None:
        seen.append(len(xs) < 3)
        classify("short", len(xs) < 3)

    seen: list[bool] = []
    report = run(test, gen.lists(gen.integers()), max_examples=700, **options)
    assert len(seen) == report.labels["short"].tests == 700
    assert sum(seen) == report.labels["short"].hits


def test_labels_of_failing_runs_are_counted_while_it_explored() -> None:
    def test(n: int) -> None:
        classify("even", n % 2 == 0)
        assert n < 1000

    report = run(test, gen.integers(0, 10**6))
    assert report.status == "failed"
    assert report.labels["even"].tests == report.examples


# --- demands ------------------------------------------------------------------------------------------------


def test_a_demand_that_is_met() -> None:
    report = run(lambda xs: classify("short", len(xs) < 3, at_least=0.1), gen.lists(gen.integers()))
    assert (report.status, report.labels["short"].verdict) == ("passed", "met")


def test_a_demand_that_is_not_met_fails_the_test() -> None:
    @settings(database=None, seed=1)
    @given(gen.lists(gen.integers()))
    def test(xs: list[int]) -> None:
        helper = len(xs)
        classify("long", helper > 50, at_least=0.5)

    with pytest.raises(errors.LabelTooRare, match=r"'long': .* at least 50 % required: not met"):
        test()


def test_an_open_demand_grows_the_budget_up_to_twenty_times() -> None:
    coin = random.Random(3)  # half of the tests, whatever they are given

    def test(n: int) -> None:
        classify("heads", coin.random() < 0.5, at_least=0.5)

    report = run(test, gen.integers(), max_examples=100, suppress_health_check=list(HealthCheck))
    assert report.status == "passed"
    assert report.examples == 100 * GROWTH
    assert report.labels["heads"].verdict == "undecided"
    assert "undecided after 2,000" in str(report)


def test_a_decided_demand_does_not_grow_the_budget() -> None:
    report = run(lambda n: classify("any", True, at_least=0.5), gen.integers(), max_examples=200)
    assert report.examples == 200


def test_few_values_are_counted_exactly() -> None:
    report = run(lambda n: classify("odd", n % 2, at_least=0.49), gen.integers(0, 3000))
    odd = report.labels["odd"]
    assert (odd.hits, odd.tests, odd.exact, odd.verdict) == (1500, 3001, True, "met")
    assert report.exhaustive and report.examples == 3001


def test_exact_shares_decide_at_the_boundary() -> None:
    for demanded, verdict in ((0.5, "met"), (0.5001, "not met")):
        report = run(lambda n, d: classify("odd", n % 2, at_least=d), gen.integers(0, 99), gen.just(demanded))
        assert report.labels["odd"].verdict == verdict


def test_a_label_that_never_came_up_is_possible_if_pruning_finds_one() -> None:
    def test(xs: list[int]) -> None:
        classify("five ascending", len(xs) == 5 and all(a < b for a, b in pairwise(xs)), at_least=0.2)

    report = run(test, gen.lists(gen.integers(0, 50)))
    label = report.labels["five ascending"]
    assert report.status == "failed"
    if not label.hits:
        assert label.verdict == "possible"
        assert "possible, but rare; for example test(xs=[" in label.words


def test_what_pruning_finds_is_tested_too() -> None:
    def test(xs: list[int]) -> None:
        classify("wanted", len(xs) > 4 and xs[0] == 77 and xs[1] == 78 and xs[2] == 79)
        assert xs[:3] != [77, 78, 79] or len(xs) < 5

    report = run(test, gen.lists(gen.integers(0, 1000)), goals=False)
    assert report.status == "failed"


@pytest.mark.parametrize("explorer", [Exhaustive(), Covering(strength=2)])
def test_inputs_of_a_search_decide_nothing(explorer: Any) -> None:
    def test(a: int, b: int) -> None:
        large = a > 500
        classify("large", large, at_least=0.9)

    report = run(test, gen.integers(0, 1000), gen.integers(0, 1000), explore=explorer, max_examples=50)
    assert report.labels["large"].verdict == "undecided"


def test_exhaustive_runs_say_impossible() -> None:
    report = run(lambda n: classify("big", n > 10, at_least=0.1), gen.integers(0, 10), explore=Exhaustive())
    assert report.labels["big"].verdict == "impossible"
    assert report.status == "failed"
    assert "impossible" in str(report)


@pytest.mark.parametrize("share", [0, -1, 1.5, True, "5 %", float("nan")])
def test_a_share_is_between_nothing_and_all(share: Any) -> None:
    with pytest.raises(errors.InvalidArgument, match="at_least must be a share"):
        find(gen.booleans(), lambda b: classify("x", b, at_least=share))
    with pytest.raises(errors.InvalidArgument, match="at_least must be a share"):
        raise run(lambda b: classify("x", b, at_least=share), gen.booleans()).error


def test_mistakes_are_named() -> None:
    with pytest.raises(errors.OutsideRun, match="classify was called while no property was running"):
        classify("x")
    with pytest.raises(errors.OutsideRun, match="tabulate was called"):
        tabulate("x", 1)
    with pytest.raises(errors.InvalidArgument, match="must be a string, not 3"):
        raise run(lambda b: classify(3), gen.booleans()).error  # type: ignore[arg-type]
    with pytest.raises(errors.InvalidArgument, match="give each demand its own label"):
        raise run(lambda b: classify("x", b, at_least=0.1 if b else 0.2), gen.booleans()).error


# --- the sequential test ------------------------------------------------------------------------------------


def test_false_alarms_are_as_rare_as_promised() -> None:
    """At the boundary, checking after every test, with odds of one in twenty so that alarms are visible."""
    dice = random.Random(0)
    for share in (0.05, 0.3):
        wrong = 0
        for _ in range(400):
            test, hits = ShareTest(share, odds=20), 0
            for tests in range(1, 300):
                hits += dice.random() < share
                if test.verdict(tests, hits) is False:
                    wrong += 1
                    break
        assert wrong <= 400 / 20 + 3 * (400 / 20) ** 0.5


def test_half_a_fifth_and_a_tenth_are_found_out_soon() -> None:
    """On average, QuickCheck's rule needs twice as many tests as ours (simulated; see benchmarks/)."""
    quickcheck = {0.5: 1940, 0.2: 782, 0.1: 629}
    for part, tests in quickcheck.items():
        assert ShareTest(0.1).verdict(tests, round(0.1 * part * tests)) is False


@given(gen.integers(0, 5000))
def labelled(n: int) -> None:
    classify("odd", n % 2, at_least=0.4)


def test_a_demand_is_judged_as_in_one_process() -> None:
    from concurrent.futures import ThreadPoolExecutor

    options: dict[str, Any] = {"explore": Exhaustive(), "max_examples": 10_000, "database": None, "seed": 1}
    with ThreadPoolExecutor(2) as executor:
        together, alone = check(labelled, executor=executor, **options), check(labelled, **options)
    assert together.labels == alone.labels and together.examples == alone.examples
    assert together.labels["odd"].verdict == "met" and together.labels["odd"].exact


def test_a_share_of_one_and_the_shares_next_to_it_can_be_demanded() -> None:
    def all_even(n: int) -> None:
        classify("even", n % 2 == 0, at_least=1.0)

    assert check(all_even, gen.sampled_from([0, 2, 4]), database=None).labels["even"].verdict == "met"
    assert check(all_even, gen.integers(), database=None).labels["even"].verdict == "not met"
    for share in (5e-324, 1 - 1e-16):
        assert ShareTest(share).verdict(1000, 500) is (share < 0.5)
