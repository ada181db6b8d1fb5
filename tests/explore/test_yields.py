"""The default explorer shifts its work to the technique that yields more, and the seed determines everything."""

from __future__ import annotations

from itertools import pairwise

import pytest
from precondition_sets.structures import STRUCTURES

from everycase import assume, check, gen, given, reject, settings
from everycase.explore.protocol import Space
from everycase.explore.valid import DIE_WORK, SAMPLES_PER_TEST, RandomValid, parts_of
from everycase.narrow.seen import Repeats
from everycase.run.loop import Loop
from everycase.run.property import Property
from everycase.run.runner import Runner, run
from sample_types import climbs

RUN = {"database": None, "max_examples": 300}


def run_of(inputs, predicate, seed):
    tested = []

    def test(value):
        assume(predicate(value))
        tested.append(repr(value))

    return check(test, inputs, seed=seed, **RUN), tested


def test_a_seed_decides_everything():
    inputs = gen.lists(gen.integers(0, 99), min_size=3)
    assert run_of(inputs, climbs, 5)[1] == run_of(inputs, climbs, 5)[1]
    assert run_of(inputs, climbs, 5)[1] != run_of(inputs, climbs, 6)[1]


def test_showing_the_progress_of_slow_tests_does_not_change_the_inputs(monkeypatch):
    inputs = gen.lists(gen.integers(0, 99), min_size=3)
    wanted = run_of(inputs, climbs, 5)[1]
    tested, shown = [], []

    def test(value):
        assume(climbs(value))
        tested.append(repr(value))

    monkeypatch.setattr(Loop, "_slow", lambda self: True)  # as if the machine were busy
    chosen = settings(seed=5, **RUN)
    run(Property(test, {"value": inputs}), test, chosen, lambda report: shown.append(report.examples))
    assert tested == wanted
    assert shown == sorted(shown) and set(shown) == set(range(301))


def test_how_often_a_condition_was_evaluated_does_not_depend_on_the_time_for_checks(monkeypatch):
    def counted(seconds):
        monkeypatch.setattr(Runner, "_time_to_doubt", lambda self: seconds)
        report = check(given(gen.lists(gen.integers(0, 9))).where(climbs)(lambda xs: None), seed=0, **RUN)
        return [vars(one) for one in report.conditions], report.caveat

    assert counted(0.0) == counted(0.1)


def test_plenty_of_valid_inputs_are_sampled_and_nothing_else():
    report, _ = run_of(gen.lists(gen.integers(0, 10**6), min_size=2), lambda xs: xs[0] != 7, 0)
    assert report.covered == "" and report.examples == 300


@pytest.mark.parametrize("structure", STRUCTURES, ids=lambda structure: structure.name)
def test_structures_by_type_are_different_ones(structure):
    report, tested = run_of(structure.inputs, structure.is_valid, 1)
    assert report.examples == 300
    assert len(set(tested)) > 250


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_trees_with_keys_of_any_size_come_in_all_sizes(seed):
    trees = gen.deferred(lambda: gen.none() | gen.tuples(trees, gen.integers(), trees))

    def keys(tree):
        return [] if tree is None else [*keys(tree[0]), tree[1], *keys(tree[2])]

    sizes = []

    def test(tree):
        found = keys(tree)
        assume(all(one < other for one, other in pairwise(found)))
        sizes.append(len(found))

    check(test, trees, seed=seed, database=None, max_examples=1000)
    assert set(range(10)) <= set(sizes) and sum(size >= 7 for size in sizes) > 100


def test_random_inputs_are_among_the_pruned_ones():
    inputs = given(gen.lists(gen.integers(0, 999))).where(climbs)
    tested = []
    report = check(inputs(lambda xs: tested.append(xs)), seed=0, **RUN)
    assert "of them by sampling)" in report.covered
    assert any(max(xs, default=0) > 500 for xs in tested)


def test_sampling_ends_where_it_finds_the_same_few_again(monkeypatch):
    sampled = []
    one_case = RandomValid.case
    monkeypatch.setattr(RandomValid, "case", lambda self: sampled.append(self) or one_case(self))

    @gen.composite
    def few(draw):
        return [draw(gen.booleans()) for _ in range(draw(gen.integers(0, 2)))]

    seen = set()
    test = given(few() | gen.booleans()).where(lambda value: value != [True])(
        lambda value: seen.add(repr(value))
    )
    report = check(test, seed=0, database=None, max_examples=50)
    assert len(seen) == 8
    # The remaining tests repeat known inputs.
    assert len(sampled) <= SAMPLES_PER_TEST * 50 + report.examples + report.discarded


def test_sampling_pays_for_what_its_filters_reject():
    def sampled(inputs):
        space = Space(gen.tuples(inputs), 0, 100)
        random = RandomValid(space, Repeats(space.gen.parts))
        for _ in range(50):
            random.cases()
        return random.spent / random.sampled

    lists = gen.lists(gen.integers(0, 99), min_size=50)
    plain, filtered = sampled(lists), sampled(lists.filter(lambda xs: xs[0] % 10 == 0))
    # About ten lists of fifty choices each, for one that passes.
    assert plain > 50 * DIE_WORK
    assert filtered > 4 * plain


def test_parts_are_counted():
    assert parts_of(({"a": [1, 2]}, None)) == 6 - 0
    assert parts_of([0] * 10**6) == 256


# --- few inputs: each is asked once -----------------------------------------------------------------------------


def test_where_on_few_inputs_tests_all_valid_ones_and_says_so():
    tested = []
    rare = given(gen.integers(1, 3000)).where(lambda n: n % 97 == 3)
    report = check(rare(lambda n: tested.append(n)), seed=0, max_examples=1000, database=None)
    assert sorted(tested) == [n for n in range(1, 3001) if n % 97 == 3]
    assert report.exhaustive
    assert report.status == "passed"


def test_assume_on_few_inputs_tests_all_valid_ones_but_proves_nothing():
    tested = []

    def test(n):
        assume(n % 97 == 3)
        tested.append(n)

    report = check(test, gen.integers(1, 3000), seed=0, max_examples=1000, database=None)
    assert set(tested) == {n for n in range(1, 3001) if n % 97 == 3}
    assert not report.exhaustive


def test_few_inputs_of_which_none_is_valid():
    never = given(gen.integers(1, 3000)).where(lambda n: n < 0)
    report = check(never(lambda n: None), seed=0, max_examples=1000, database=None)
    assert report.examples == 0
    assert report.status != "passed"


@pytest.mark.parametrize("seed", range(3))
def test_the_number_of_values_is_the_number_of_tests_also_in_batches(seed):
    """Sampled inputs are tested in batches, and the run may end in the middle of the last batch."""
    tested = []

    def differ(xs):
        return len(set(xs)) == len(xs)

    inputs = given(gen.lists(gen.integers(0, 9))).where(differ)
    report = check(inputs(lambda xs: tested.append(tuple(xs))), seed=seed, max_examples=777, database=None)
    assert report.examples == len(tested) == 777
    assert report.covered.startswith(f"{len(set(tested)):,} values that satisfy differ")


def test_what_the_test_itself_discards_is_no_value_that_was_tested():
    tested = []

    def differ(xs):
        return len(set(xs)) == len(xs)

    def test(xs):
        if sum(xs) % 3 == 1:
            reject()
        tested.append(tuple(xs))

    report = check(
        given(gen.lists(gen.integers(0, 9))).where(differ)(test), seed=1, max_examples=500, database=None
    )
    assert report.examples == len(tested) == 500
    assert report.covered.startswith(f"{len(set(tested)):,} values that satisfy differ")


def test_batches_of_valid_inputs_fail_at_the_input_that_is_shown():
    def differ(xs):
        return len(set(xs)) == len(xs)

    def test(xs):
        assert len(xs) < 6

    report = check(
        given(gen.lists(gen.integers(0, 9))).where(differ)(test), seed=2, max_examples=2000, database=None
    )
    assert report.status == "failed"
    (xs,) = report.counterexample
    assert differ(xs) and len(xs) == 6


# --- assertions behind a precondition ---------------------------------------------------------------------


def ends(xs):
    assume(sorted(xs) == xs)
    assume(len(xs) > 4)
    assert xs[0] + xs[-1] != 100


def heap(xs):
    assume(all(xs[(i - 1) // 2] <= xs[i] for i in range(1, len(xs))))
    assert sum(xs[len(xs) // 2 :]) - sum(xs[: len(xs) // 2]) < 400


def far_apart(pair):
    assert abs(pair[0] - pair[1]) < 990


BEHIND = {
    ends: gen.lists(gen.integers()),
    heap: gen.lists(gen.integers(0, 100)),
    far_apart: gen.tuples(gen.integers(0, 1000), gen.integers(0, 1000)).filter(
        lambda t: t[0] % 3 == t[1] % 3
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("test", BEHIND)
def test_numeric_assertions_are_searched_behind_a_precondition(test):
    found = {
        goals: sum(
            check(test, BEHIND[test], seed=seed, max_examples=1000, goals=goals, database=None).status
            == "failed"
            for seed in range(5)
        )
        for goals in (True, False)
    }
    assert found[True] > found[False]
    assert found[True] >= 4


def test_a_search_beside_conditions_is_decided_by_its_seed():
    reports = [check(ends, BEHIND[ends], seed=3, max_examples=400, database=None) for _ in range(2)]
    assert str(reports[0]) == str(reports[1])


@pytest.mark.slow
@pytest.mark.parametrize(("most", "every", "valid"), [(5000, 10, 500), (10**6, 10**5, 10)])
def test_all_valid_inputs_are_counted_once(most, every, valid):
    @given(gen.integers(0, most)).where(lambda n: n % every == every - 3)
    def small(n):
        assert n * n < 10**20

    report = check(small, seed=1, database=None)
    if report.exhaustive:
        assert f"exhaustive: {valid} of {valid} valid inputs" in str(report)
    else:
        assert "exhaustive" not in str(report)
        assert report.examples <= 3 * valid
