"""``executor=``: every explorer on many workers, with the same result as in one process."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import pytest

from everycase import assume, check, classify, event, gen, given, maximize, settings, tabulate
from everycase.explore import Anneal, Auto, Climb, Covering, Exhaustive, Narrow, Random
from everycase.stateful import RuleBasedStateMachine, rule

QUIET = settings(database=None, max_examples=800, seed=3)


@QUIET
@given(gen.lists(gen.integers()))
def passes(xs):
    event(f"{min(len(xs), 2)} elements")


@QUIET
@given(gen.lists(gen.integers()))
def fails_late(xs):
    assert sum(xs) % 997 != 5


@QUIET
@given(gen.lists(gen.integers()), gen.integers(0, 50))
def discards(xs, n):
    assume(n != 7)
    assert len(xs) < 45 or n != 31


@QUIET
@given(gen.lists(gen.integers(0, 9)))
def labels(xs):
    assume(len(xs) != 2)
    classify("short", len(xs) < 3)
    classify("never", len(xs) < 0)
    tabulate("length", len(xs))


@QUIET
@given(gen.lists(gen.integers(0, 9)))
def demands(xs):
    classify("long", len(xs) > 5, at_least=0.05)


@QUIET
@given(gen.integers(), gen.data())
def draws(n, data):
    if n % 2:
        event(f"remainder {data.draw(gen.integers(0, 1000)) % 3}")


@QUIET
@given(gen.text(), gen.floats())
def default_passes(text, x):
    assert text == text[:]


@QUIET
@given(gen.integers(0, 10**6), gen.integers(0, 10**6))
def near_misses(a, b):
    assert a * 3 - b != 1_234_567


@QUIET
@given(gen.lists(gen.integers(0, 10**5), max_size=5))
def climbs(xs):
    maximize(sum(xs))


@QUIET
@given(*[gen.integers(0, 3) for _ in range(5)])
def combines(a, b, c, d, e):
    assert (a, b, c) != (3, 2, 3) or d < e


@settings(QUIET, max_examples=250)
@given(gen.lists(gen.integers(0, 9)).filter(lambda xs: xs == sorted(xs)))
def sorted_lists(xs):
    assert xs == sorted(xs)


@gen.composite
def pairs(draw):
    n = draw(gen.integers(0, 60))
    return [n] * draw(gen.integers(0, n % 7))


@QUIET
@given(pairs())
def walked(xs):
    assert len(xs) < 6 or xs[0] < 50


class Machine(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        self.n = 0

    @rule(k=gen.integers(0, 5))
    def add(self, k):
        self.n += k
        assert self.n < 40


QUIET(Machine)

RUNS = [
    (passes, Random()),
    (passes, None),
    (fails_late, Random()),
    (fails_late, None),
    (discards, Random()),
    (discards, Auto()),
    (default_passes, None),
    (near_misses, None),
    (labels, Random()),
    (labels, None),
    (demands, None),
    (draws, None),
    (near_misses, Random()),
    (climbs, Climb()),
    (climbs, Anneal()),
    (climbs, None),
    (combines, Covering(strength=3)),
    (combines, Exhaustive()),
    (sorted_lists, Narrow(max_size=4)),
    (sorted_lists, Narrow()),
    (sorted_lists, None),
    (walked, Exhaustive()),
]


def essence(report):
    names = "status examples discarded exhaustive covered failed_at counterexample blob events best stop caveat labels tables"
    return {name: getattr(report, name) for name in names.split()}


@pytest.fixture(scope="module")
def executors():
    processes = ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("fork"))
    with ThreadPoolExecutor(3) as threads, processes:
        yield threads, processes


@pytest.mark.slow
@pytest.mark.parametrize(
    ("test", "explorer"), RUNS, ids=lambda value: getattr(value, "__name__", repr(value))
)
def test_every_explorer_has_the_result_of_one_process(test, explorer, executors):
    alone = check(test, explore=explorer)
    for executor in executors if test is not climbs else executors[:1]:
        together = check(test, explore=explorer, executor=executor)
        assert essence(together) == essence(alone)


KEPT: dict[int, int] = {}


def second_sight(n):
    KEPT[n] = KEPT.get(n, 0) + 1
    return n + 1000 * (KEPT[n] > 1)


@QUIET
@given(gen.integers(0, 999).map(second_sight))
def remembers(n):
    pass


def test_doubts_of_workers_are_doubts_of_the_run(executors):
    for executor in executors:
        KEPT.clear()
        report = check(remembers, explore=Exhaustive(), executor=executor)
        assert report.status == "passed" and not report.exhaustive and "KEPT" in report.doubt


@pytest.mark.slow
def test_a_machine_goes_on_alone():
    with ThreadPoolExecutor(2) as pool:
        together, alone = check(Machine, executor=pool), check(Machine)
    assert (together.status, together.examples, together.blob) == (alone.status, alone.examples, alone.blob)


def test_the_workers_test_most_of_a_random_run():
    class Counting(ThreadPoolExecutor):
        places = 0

        def submit(self, test, job, start, stop):
            self.places += stop - start
            return super().submit(test, job, start, stop)

    with Counting(2) as pool:
        check(passes, explore=Random(), executor=pool, max_examples=3000)
    assert pool.places > 2500


def test_only_the_whole_run_looks_for_labels_that_never_came_up(monkeypatch):
    looked_for = []
    monkeypatch.setattr("everycase.run.runner.candidates", lambda *some: looked_for.append(some[1]) or [])
    with ThreadPoolExecutor(2) as pool:
        check(labels, explore=Random(), executor=pool)
    assert looked_for == ["never"]


def test_a_test_whose_seed_nobody_chose_passes_too():
    with ThreadPoolExecutor(2) as pool:
        report = check(lambda n: n == n, gen.integers(), executor=pool, database=None)
    assert report.status == "passed" and report.examples >= 100


@pytest.mark.parametrize("explore", [Auto(), Exhaustive(), Random()], ids=repr)
def test_an_executor_that_fails_is_not_taken_for_the_generator(explore):
    class LosesItsCluster(ThreadPoolExecutor):
        def submit(self, *arguments, **options):
            future = super().submit(*arguments, **options)
            future.exception = future.result = lose
            return future

    def lose(timeout=None):
        raise OSError("the cluster is gone")

    with LosesItsCluster(1) as executor:
        report = check(passes, explore=explore, executor=executor)
    assert report.status == "gave_up" and not report.exhaustive
    assert "the executor failed (OSError: the cluster is gone) after" in str(report)
    assert "generator" not in str(report)
