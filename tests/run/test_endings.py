"""Every run ends: unlimited failures, inputs that hang, interrupts, time limits, and workers that die."""

from __future__ import annotations

import concurrent.futures
import os
import signal
import time
from contextlib import contextmanager

import pytest

from everycase import assume, check, gen, given, maximize, settings
from everycase.choices.time_limit import OutOfTime, look
from everycase.errors import DeadlineExceeded, Flaky, GaveUp, GeneratorError, InvalidArgument
from everycase.explore import Climb, Covering, Exhaustive, Narrow, Random, numbered
from everycase.run.failures import MOST_CONFIRMED
from everycase.run.loop import MOST_TOO_DEEP
from everycase.run.store import MemoryStore
from everycase.stateful import RuleBasedStateMachine, rule


def numbered_failures(count):
    """A test that fails in this many ways, each on its own line."""
    lines = [f"    if n % {count} == {i}: raise ValueError({i})" for i in range(count)]
    scope: dict = {}
    exec("def test(n):\n" + "\n".join(lines), scope)
    return scope["test"]


def test_distinct_failures_are_settled_up_to_a_number():
    report = check(numbered_failures(200), gen.integers(0, 10**9), database=None, seed=0)
    assert report.status == "failed"
    assert len(report.failures) == MOST_CONFIRMED
    assert "more distinct failures were seen" in str(report)


def test_settling_takes_no_longer_than_max_seconds_leaves(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])

    def slow(xs):
        now[0] += 0.01
        assert sum(xs) % 7 < 3 or len(xs) < 4

    report = check(slow, gen.lists(gen.integers(0, 10**6)), database=None, seed=0, max_seconds=1.0)
    assert report.status == "failed" and now[0] < 1.6


def test_a_time_limit_reached_while_values_are_counted_ends_the_run(monkeypatch):
    def count(*args):
        raise OutOfTime

    monkeypatch.setattr(numbered, "fits", count)
    report = check(lambda n: True, gen.integers().map(lambda n: n), max_examples=50, database=None, seed=0)
    assert report.status == "passed" and report.examples == 50


@pytest.mark.parametrize("late", [0.0, 0.9])
def test_a_best_input_is_recorded_and_made_again_only_while_there_is_time(monkeypatch, late):
    now = [0.0]
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])

    def slow(n):
        now[0] += 0.002
        return n

    def test(xs):
        now[0] += late
        maximize(len(xs))

    many = gen.lists(gen.integers().map(slow), min_size=300, max_size=300)
    report = check(test, many, max_seconds=1.0, database=None, seed=0)
    assert report.status == "passed" and report.best and now[0] < 1.5 + late


# --- interrupts and alarms ---------------------------------------------------------------------------------


def test_an_interrupt_while_looking_further_still_reports_the_failure():
    calls = []

    def test(n):
        calls.append(n)
        if len(calls) == 5:
            raise KeyboardInterrupt
        assert len(calls) < 3

    report = check(test, gen.integers(), database=None, seed=0)
    assert report.status == "failed" and "interrupted" in report.stopped


def test_an_interrupt_while_a_failure_is_confirmed_still_reports_it():
    store = MemoryStore()
    calls = []

    def test(n):
        calls.append(n)
        if len(calls) > 11:
            raise KeyboardInterrupt
        raise ValueError

    report = check(test, gen.integers(), database=store, seed=0)
    assert report.status == "failed" and isinstance(report.error, ValueError)
    assert list(store._entries)


@contextmanager
def alarms_raise(error):
    def handler(number, frame):
        raise error

    before = signal.signal(signal.SIGALRM, handler)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def hang_until_the_alarm():
    signal.setitimer(signal.ITIMER_REAL, 0.01)
    while True:
        time.sleep(60)


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="this system has no alarms")
def test_an_input_that_hangs_until_an_alarm_is_not_run_again():
    hung = []

    def hangs(n):
        if n > 5:
            hung.append(n)
            if len(hung) > 1:
                raise SystemError("run again")
            hang_until_the_alarm()

    with alarms_raise(TimeoutError("too slow")):
        report = check(hangs, gen.integers(0, 10**6), database=None, seed=0)
    assert report.status == "failed" and isinstance(report.error, TimeoutError)
    assert len(hung) == 1 and "alarm" in str(report)


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="this system has no alarms")
def test_an_alarm_while_shrinking_ends_it_with_the_best_so_far():
    def slower(n):
        if n < 10**4:
            hang_until_the_alarm()
        raise ValueError

    with alarms_raise(TimeoutError("too slow")):
        report = check(slower, gen.integers(10**5, 10**6).map(lambda n: n - 99_999), database=None, seed=3)
    assert report.status == "failed"


# --- limits of time ----------------------------------------------------------------------------------------


def test_slow_generators_are_not_run_again_to_see_how_large_their_values_are(monkeypatch):
    calls = []
    now = [0.0]
    monkeypatch.setattr(time, "thread_time", lambda: now[0])

    @gen.composite
    def slow(draw):
        calls.append(1)
        now[0] += 0.003
        return draw(gen.integers())

    report = check(lambda n: True, slow(), max_examples=64, seed=0, database=None)
    assert report.examples == 64 and len(calls) <= 3 * 64


def test_recursion_without_a_base_case_is_given_up_soon():
    made = []

    @gen.composite
    def endless(draw):
        made.append(1)
        return draw(endless())

    report = check(lambda n: True, endless(), seed=0, database=None)
    assert report.status == "gave_up" and "nested too deeply" in str(report.error)
    assert report.discarded <= 2 * MOST_TOO_DEEP


# --- executors -----------------------------------------------------------------------------------------------

SMALL = settings(explore=Exhaustive(), max_examples=20_000, database=None, seed=0)


@settings(SMALL, deadline=0.0001)
@given(gen.integers(0, 4999))
def misses_its_deadline(n):
    sum(range(200))


@SMALL
@given(gen.integers(0, 4999))
def fails_elsewhere(n):
    assert n != 4321 or os.getpid() == MAIN


@SMALL
@given(gen.integers(0, 4999))
def dies(n):
    if n == 3000 and os.getpid() != MAIN:
        os.kill(os.getpid(), signal.SIGKILL)


@SMALL
@given(gen.integers(0, 9999))
def waits(n):
    time.sleep(0.002)


MAIN = int(os.environ.setdefault("EVERYCASE_TEST_MAIN", str(os.getpid())))


@pytest.fixture
def processes(monkeypatch):
    monkeypatch.setenv("EVERYCASE_TEST_MAIN", str(os.getpid()))
    monkeypatch.setitem(globals(), "MAIN", os.getpid())
    with concurrent.futures.ProcessPoolExecutor(2) as executor:
        yield executor


def test_workers_keep_the_deadline(processes):
    report = check(misses_its_deadline, executor=processes)
    assert report.status in ("failed", "flaky")
    assert isinstance(report.error, DeadlineExceeded | Flaky)


def test_a_failure_that_only_a_worker_sees_is_flaky(processes):
    report = check(fails_elsewhere, executor=processes)
    assert report.status == "flaky" and not report.exhaustive
    assert "4,321" in str(report.error) and "AssertionError" in str(report.error)
    assert "exhaustive:" not in str(report)


def test_a_worker_that_is_killed_is_a_clear_error_and_keeps_what_was_done(processes):
    report = check(dies, executor=processes)
    assert report.status == "gave_up" and isinstance(report.error, GaveUp)
    assert "Exhaustive(start=" in str(report.error) and not report.exhaustive
    assert report.examples <= 3000


def test_max_seconds_holds_for_workers_too(processes):
    report = check(waits, executor=processes, max_seconds=0.3)
    assert report.stopped == "max_seconds=0.3 was reached" and not report.exhaustive


def test_an_executor_that_is_shut_down_is_refused():
    executor = concurrent.futures.ThreadPoolExecutor(1)
    executor.shutdown()
    with pytest.raises(InvalidArgument, match="shut down"):
        check(fails_elsewhere, executor=executor)


# --- every long loop looks at the clock -----------------------------------------------------------------------


@gen.composite
def hardly_ever(draw):
    digits = [draw(gen.integers(0, 9)) for _ in range(12)]
    assume(sum(digits) == 12 * 9)
    return digits


@pytest.mark.parametrize(
    ("explorer", "gens"),
    [(Covering(strength=4), [gen.integers(0, 5)] * 24), (Exhaustive(), [hardly_ever()])],
)
def test_an_explorer_that_works_long_between_two_cases_looks_at_the_clock(explorer, gens):
    report = check(lambda *args: None, *gens, explore=explorer, max_seconds=0.01, database=None, seed=0)
    assert report.stop is not None and report.stop.reason == "max_seconds"
    assert report.status == "gave_up" and not report.exhaustive


# --- generators that raise after a failure ------------------------------------------------------------------


@gen.composite
def raising(draw, problem):
    number = draw(gen.integers(0, 10**5))
    if 0 < number < 450:
        raise problem
    return number


PROBLEMS = [
    ValueError("of a generator"),
    SystemExit(3),
    GeneratorExit(),
    StopIteration(),
    InvalidArgument("wrong"),
]


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: type(problem).__name__)
@pytest.mark.parametrize("explorer", [Random(), Climb(), Narrow()], ids=repr)
def test_a_generator_that_raises_while_a_failure_is_shrunk_and_explained_hides_nothing(explorer, problem):
    report = check(lambda n: n < 450, raising(problem), explore=explorer, seed=3, database=None)
    assert report.status == "failed" and report.counterexample == (450,)


@pytest.mark.parametrize("problem", PROBLEMS[:-1], ids=lambda problem: type(problem).__name__)
@pytest.mark.parametrize("explorer", [Random(), Exhaustive(start=1), Narrow()], ids=repr)
def test_what_a_generator_raises_is_a_failure(explorer, problem):
    report = check(lambda n: True, raising(problem), explore=explorer, seed=0, database=None)
    assert report.status == "failed" and report.failures[0].source == "generator"


# --- draws during the test ------------------------------------------------------------------------------------


def rejecting(levels):
    made = gen.integers(0, 10**6)
    for _ in range(levels):
        made = gen.tuples(made, made).filter(lambda pair: False)
    return made


def test_drawing_inside_a_test_ends_with_the_time_of_the_run():
    report = check(lambda data: data.draw(rejecting(9)), gen.data(), max_seconds=0.05, database=None, seed=0)
    assert report.status == "gave_up" and report.stop is not None and report.stop.reason == "max_seconds"


def test_steps_of_a_machine_are_made_within_the_time_of_the_run():
    class Machine(RuleBasedStateMachine):
        @rule(value=rejecting(9))
        def use(self, value):
            pass

    report = check(Machine, max_seconds=0.05, database=None, seed=0)
    assert report.status == "gave_up" and report.stop is not None and report.stop.reason == "max_seconds"


def test_drawing_from_a_recursion_without_a_base_case_is_an_error():
    endless = gen.deferred(lambda: gen.tuples(endless, endless))
    report = check(lambda data: data.draw(endless), gen.data(), database=None, seed=0)
    assert report.status == "failed" and isinstance(report.error, GeneratorError)


def test_explaining_a_failure_ends_with_the_time_of_the_run(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])

    def endless(*args):
        while True:
            now[0] += 0.01
            look()

    monkeypatch.setattr("everycase.run.failures.idle_parts", endless)
    report = check(lambda n: False, gen.integers(0, 9), max_seconds=0.2, database=None, seed=0)
    assert report.status == "failed" and report.counterexample == (0,)


def test_a_users_own_note_on_an_exception_is_not_taken_for_ours():
    def positive(n):
        error = ValueError("no answer")
        error.add_note("raised by hand")
        raise error

    (failure,) = check(lambda n: True, gen.integers(0, 9).filter(positive), database=None).failures
    assert failure.error.__notes__ == ["raised by hand"]
    assert any("raised by the predicate positive for 0" in note for note in failure.notes)
