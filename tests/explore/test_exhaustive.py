"""Exhaustive runs: their coverage, resuming, sharing the work, and running on many workers."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import pytest

from everycase import assume, check, errors, event, gen, given
from everycase.explore import Exhaustive
from everycase.explore.exhaustive import permutation

trees = gen.deferred(lambda: gen.none() | gen.tuples(trees, trees))


def collect(source, explorer, **settings):
    seen = []
    report = check(lambda value: seen.append(value), source, explore=explorer, **settings)
    return seen, report


def test_everything_smallest_first():
    seen, report = collect(gen.integers(0, 9), Exhaustive())
    assert seen == list(range(10))
    assert report.exhaustive
    assert report.covered == "all 10 values"


def test_up_to_a_size():
    seen, report = collect(trees, Exhaustive(max_size=4))
    assert seen == list(trees.up_to_size(4))
    assert report.covered == "all 23 values up to size 4"
    assert not report.exhaustive, "there are larger ones"
    assert collect(gen.integers(0, 9), Exhaustive(max_size=4))[1].exhaustive


def test_what_did_not_fit_is_said():
    _, report = collect(gen.integers(0, 9_694_844), Exhaustive(), max_examples=100)
    assert report.covered == "the first 100 of 9,694,845 values"
    _, report = collect(gen.integers(), Exhaustive(), max_examples=100)
    assert report.covered == "the first 100 of infinitely many values"


def test_resuming_and_sharing():
    assert collect(gen.integers(0, 99), Exhaustive(start=90))[0] == list(range(90, 100))
    shards = [collect(gen.integers(0, 99), Exhaustive(start=k, stride=3))[0] for k in range(3)]
    assert sorted(value for shard in shards for value in shard) == list(range(100))
    assert not collect(gen.integers(0, 99), Exhaustive(start=1, stride=3))[1].exhaustive
    large, _ = collect(gen.integers(0, 10**30), Exhaustive(start=10**20), max_examples=2)
    assert large == [10**20, 10**20 + 1]


def test_shuffled_without_repetition():
    seen, report = collect(gen.integers(0, 9999), Exhaustive(shuffled=True), max_examples=500, seed=3)
    assert len(set(seen)) == 500
    assert max(seen) > 9000 and min(seen) < 1000
    assert "without repetition" in report.covered
    assert seen == collect(gen.integers(0, 9999), Exhaustive(shuffled=True), max_examples=500, seed=3)[0]


@pytest.mark.parametrize("total", [1, 2, 3, 10, 1000, 1025])
def test_permutations_are_permutations(total):
    assert sorted(map(permutation(total, 99), range(total))) == list(range(total))


def test_what_is_infinite_is_not_said_to_be_shuffled():
    seen, report = collect(gen.integers(0), Exhaustive(shuffled=True), max_examples=50, seed=3)
    assert seen == list(range(50)) and report.covered == "the first 50 of infinitely many values"


def test_a_stride_is_said_in_words():
    seen, report = collect(gen.integers(0, 9), Exhaustive(start=1, stride=3))
    assert seen == [1, 4, 7] and report.covered == "3 of 10 values: one in 3, from number 1 on"
    with pytest.raises(errors.InvalidArgument, match="stride=0 must be at least 1"):
        Exhaustive(stride=0)


def test_a_failure_has_the_number_of_its_value():
    report = check(lambda n: n != 57, gen.integers(0, 99), explore=Exhaustive())
    assert report.failures[0].index == 57
    assert "number 57" in str(report)
    again = check(lambda n: n != 57, gen.integers(0, 99), explore=Exhaustive(start=57), max_examples=1)
    assert again.status == "failed"


def test_composites_are_walked():
    @gen.composite
    def pairs(draw):
        low = draw(gen.integers(0, 2))
        return low, draw(gen.integers(low, 2))

    seen, report = collect(pairs(), Exhaustive())
    assert seen == [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)]
    assert report.exhaustive


def test_filters_up_to_a_size_go_by_number():
    odd = gen.integers().filter(lambda n: n % 2)
    report = check(lambda n: n != 5, odd, explore=Exhaustive(max_size=4))
    assert report.covered == "all 16 values up to size 4" and report.counterexample == (5,)
    assert odd.up_to_size(4)[report.failures[0].index] == 5
    assert not report.exhaustive


def test_composites_up_to_a_size():
    @gen.composite
    def pairs(draw):
        return draw(gen.integers(0)), draw(gen.integers(0, 3))

    seen = []
    report = check(lambda pair: seen.append(pair), pairs(), explore=Exhaustive(max_size=2))
    assert sorted(seen) == [(a, b) for a in range(4) for b in range(4)], "0 to 3 have up to two bits"
    assert report.covered == "16 combinations of choices up to size 2" and not report.exhaustive
    report = check(lambda pair: None, pairs(), explore=Exhaustive(max_size=2, start=3, stride=2))
    assert report.examples == 7

    @gen.composite
    def few(draw):
        return draw(gen.booleans())

    assert check(lambda value: None, few(), explore=Exhaustive(max_size=2)).exhaustive


def test_bad_options():
    for options in ({"start": -1}, {"stride": 0}, {"max_size": -1}, {"start": 1.5}):
        with pytest.raises(errors.InvalidArgument):
            Exhaustive(**options)


# --- many workers ---------------------------------------------------------------------------------------


@given(gen.integers(0, 9999))
def all_pass(n):
    assume(n % 10)
    event("odd" if n % 2 else "even")


@given(gen.integers(0, 9999))
def one_fails(n):
    assert n != 7531


@given(gen.sets(gen.sampled_from(["x", "yy", "z", "w"]), max_size=3), trees.up_to_size(6))
def many_fail(letters, tree):
    """Sets of strings, whose iteration order differs between processes."""
    event(str(len(letters)))
    assert not ("yy" in letters and len(letters) == 3 and tree is not None)


def test_the_workers_do_the_work():
    class Counting(ThreadPoolExecutor):
        submitted = 0

        def submit(self, *args, **kwargs):
            self.submitted += 1
            return super().submit(*args, **kwargs)

    with Counting(2) as pool:
        report = check(all_pass, explore=Exhaustive(), executor=pool, max_examples=20_000, database=None)
    assert report.examples == 9000
    assert pool.submitted > 1


def not_a_multiple(n):
    assume(n % 5)
    return n


@given(gen.integers(0, 8999).map(not_a_multiple))
def assuming(n):
    assert n % 5


@given(gen.integers(0, 8999).filter(lambda n: n % 3))
def filtered(n):
    assert n % 3


def summary(report):
    keys = (
        "status",
        "examples",
        "discarded",
        "exhaustive",
        "covered",
        "failed_at",
        "counterexample",
        "events",
    )
    return {key: getattr(report, key) for key in keys}


@pytest.fixture(params=["threads", "fork", "spawn"], scope="module")
def executor(request):
    """Workers of every kind; spawned workers import the test from its module."""
    if request.param == "threads":
        pool = ThreadPoolExecutor(2)
    else:
        pool = ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(request.param))
    with pool:
        yield pool


TESTS = [all_pass, one_fails, many_fail, filtered, assuming]


@pytest.mark.slow
@pytest.mark.parametrize("test", TESTS, ids=["all pass", "one fails", "many fail", "filtered", "assuming"])
@pytest.mark.parametrize(
    "explorer",
    [Exhaustive(), Exhaustive(start=100, stride=3), Exhaustive(shuffled=True)],
    ids=["all", "some", "shuffled"],
)
def test_many_workers_give_the_result_of_one(test, explorer, executor):
    options = {"explore": explorer, "max_examples": 20_000, "seed": 1, "database": None}
    alone = check(test, **options)
    together = check(test, executor=executor, **options)
    assert summary(together) == summary(alone)
    assert together.status == "failed" or together.examples > 1900


def test_a_budget_that_ends_early_ends_where_it_would_alone(executor):
    options = {"explore": Exhaustive(), "max_examples": 4500, "seed": 1, "database": None}
    assert summary(check(all_pass, executor=executor, **options)) == summary(check(all_pass, **options))


def test_what_cannot_be_sent_is_explained():
    with (
        ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("fork")) as pool,
        pytest.raises(errors.InvalidArgument, match="top of a module"),
    ):
        check(lambda n: True, gen.integers(0, 99), explore=Exhaustive(), executor=pool)


def test_a_function_that_raises_stop_iteration_is_no_proof_of_having_tested_everything():
    from dataclasses import dataclass

    @dataclass(frozen=True)
    class Shared:
        n: int

        def __post_init__(self):
            if self.n == 5:
                next(iter(()))

    for source in (
        gen.builds(Shared, gen.integers(0, 9)),
        gen.integers(0, 9).map(lambda n: next(iter([n] if n != 5 else []))),
    ):
        report = check(lambda value: None, source, explore=Exhaustive())
        assert report.status == "failed"
        assert not report.exhaustive
        assert report.examples == 5
        assert "StopIteration" in str(report.error)


@pytest.mark.parametrize("explorer", [None, Exhaustive(), Exhaustive(shuffled=True)])
def test_assumptions_of_functions_that_make_values_discard_them(explorer):
    options = {} if explorer is None else {"explore": explorer}
    for source, discarded in [
        (gen.integers(0, 19).map(not_a_multiple), 4),
        (gen.builds(not_a_multiple, gen.integers(0, 19)), 4),
        (gen.tuples(gen.booleans(), gen.integers(0, 19).map(not_a_multiple)), 8),
    ]:
        seen = []
        report = check(seen.append, source, **options)
        assert (report.status, report.exhaustive, report.discarded) == ("passed", True, discarded)
        assert len(seen) == 4 * discarded
