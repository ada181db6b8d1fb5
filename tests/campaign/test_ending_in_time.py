"""A campaign with ``max_seconds`` ends in time, and what it has tested until then is neither lost nor counted twice.
The clock is a fake that the tests move; they run in this process."""

from __future__ import annotations

import itertools
import time
from concurrent.futures import Executor, Future

import pytest

from everycase import gen, given, maximize, settings
from everycase.campaign import starter as starting
from everycase.campaign.child import PlanningClock
from everycase.campaign.executors import Workers
from everycase.campaign.report import report_of
from everycase.campaign.starter import Starter
from everycase.campaign.state import read_state
from everycase.campaign.targets import run_by_name
from everycase.campaign.techniques import Work, plan_for
from everycase.choices.time_limit import OutOfTime
from everycase.explore import Climb, Covering, Exhaustive, Random
from everycase.run.report import Report, ReportStatus
from everycase.run.runner import Runner
from everycase.stateful import RuleBasedStateMachine, rule

CLOCK = [0.0]
CALLS: list[object] = []
FAST = settings(database=None)


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    CLOCK[0] = 1e9
    for name in ("time", "monotonic", "perf_counter"):
        monkeypatch.setattr(time, name, lambda: CLOCK.__setitem__(0, CLOCK[0] + 1e-5) or CLOCK[0])


def slow(value):
    CLOCK[0] += 0.05
    CALLS.append(value)
    return value


@FAST
@given(gen.integers(0, 299))
def counted(n):
    slow(n)


@settings(FAST, explore=Random())
@given(gen.lists(gen.integers()))
def random(xs):
    slow(tuple(xs))


@settings(FAST, explore=Climb())
@given(gen.integers(0, 10**6))
def climbs(n):
    maximize(slow(n))


@settings(FAST, explore=Covering())
@given(gen.integers(0, 9), gen.integers(0, 9), gen.integers(0, 4))
def covers(a, b, c):
    slow((a, b, c))


@gen.composite
def two(draw):
    return draw(gen.integers(0, 14)), draw(gen.integers(0, 9))


@settings(FAST, explore=Exhaustive())
@given(two())
def walks(pair):
    slow(pair)


@settings(FAST, explore=Random())
@given(gen.lists(gen.integers()))
def fails(xs):
    slow(tuple(xs))
    assert len(xs) < 10


@settings(FAST, explore=Exhaustive(max_size=3))
class Steps(RuleBasedStateMachine):
    @rule(n=gen.integers(0, 2))
    def step(self, n):
        slow(n)


def key(n):
    CLOCK[0] += 0.05
    return n


def with_keys(most, **options):
    made = gen.lists(gen.integers(0, most), unique_by=key, max_size=2)
    return settings(FAST, **options)(given(made)(lambda xs: None))


# What was once counted is known, also of equal generators, so all of them differ.
keyed, keyed_first, keyed_second = with_keys(997), with_keys(998), with_keys(999)
keyed_exhaustive = with_keys(1000, explore=Exhaustive())


@settings(FAST, explore=Exhaustive())
@given(gen.lists(gen.integers(0, 1).map(slow), min_size=100, max_size=100))
def made_slowly(xs):
    pass


def conducted(name):
    found = []

    def conduct(*arguments):
        found.append(arguments)
        return Report(name, ReportStatus.passed, 0, "")

    run_by_name(__name__, name, conduct)
    return found[0]


class Here(Executor):
    """Tests leases at once, in this process."""

    def __init__(self):
        self.work = Work()

    def submit(self, function, setup, request):
        future = Future()
        try:
            result = self.work.test(request, conducted(request["way"]["name"]))
            future.set_result({**result, "seconds": 1.0, "cpu": 1.0, "worker": "here"})
        except BaseException as problem:
            future.set_exception(problem)
        return future


RUNS = itertools.count()


def run(folder, name, seconds, max_examples=300):
    """One run of a campaign; how many tests it made, how long it took, and the report."""
    prop, call, options, prepare, arguments = conducted(name)
    runner = Runner(prop, call, options, None, prepare, arguments)
    plan = {"name": name, "way": {"name": name}, **plan_for(runner, 1)}
    # Short blocks, so that several of them are finished before the time is up.
    planned = {"properties": [{**plan, "block": 20}], "problems": []}
    settings = {"islands": 2, "max_seconds": seconds, "max_examples": max_examples}
    state = read_state(folder)
    setup = {"run": f"r{next(RUNS)}"}
    starter = Starter(folder, {}, state, setup, planned, settings, limit=None)
    began, before = CLOCK[0], len(CALLS)
    starter.run(Workers(Here(), lambda: 1, lambda: None), seconds)
    return len(CALLS) - before, CLOCK[0] - began, report_of(read_state(folder), {}, folder)


def essence(report):
    (each,) = report.properties
    found = [(failure.input, failure.blob) for failure in each.failures]
    return each.verdict, each.tests, each.best, each.coverage, each.exhaustive, found


NAMES = ["counted", "random", "climbs", "covers", "walks", "Steps", "fails"]


@pytest.mark.parametrize("name", NAMES)
def test_a_run_ends_in_time_and_counts_what_it_has_tested(tmp_path, name):
    for seconds in (0.02, 1.03, 2.0):
        calls, took, report = run(tmp_path / str(seconds), name, seconds)
        longest = 0.05 * (3 if name == "Steps" else 1)  # a test has three steps
        assert took < seconds + longest + 0.1
        (each,) = report.properties
        assert each.verdict.endswith(("unfinished", "(unfinished)"))
        tests = calls / (1 if name != "Steps" else max(1, calls / each.tests))
        # A failing test is run once more to confirm it.
        assert tests - 4 * len(each.failures) <= each.tests <= tests and each.tests > 0
        assert sum(worker.tests for worker in report.workers) == each.tests


def test_making_an_input_ends_in_time_too(tmp_path):
    _, took, report = run(tmp_path, "made_slowly", 2.0)
    assert took < 1.5 * 2.0 and report.tests == 0


@pytest.mark.parametrize("name", NAMES)
def test_continued_runs_come_to_the_result_of_one(tmp_path, name):
    _, _, undisturbed = run(tmp_path / "whole", name, None)
    tests = 0
    for seconds in (0.7, 0.3, 1.3, 2.1):
        _, _, report = run(tmp_path / "parts", name, seconds)
        assert report.tests >= tests - 20, "a place that was begun is tested again from its beginning"
        tests = report.tests
    _, _, report = run(tmp_path / "parts", name, None)
    assert essence(report) == essence(undisturbed)


def test_every_value_is_tested_once_by_continued_runs(tmp_path):
    CALLS.clear()
    for seconds in (0.7, 0.3, 1.3, None):
        run(tmp_path, "counted", seconds)
    assert sorted(CALLS) == list(range(300))


def test_a_worker_whose_clock_is_ahead_is_given_no_end(tmp_path, monkeypatch):
    class Ahead(Here):
        def submit(self, function, setup, request):
            end = request["end"]
            return super().submit(function, setup, {**request, "end": None if end is None else end - 1000})

    monkeypatch.setitem(globals(), "Here", Ahead)
    calls, _, report = run(tmp_path, "counted", 60.0)
    assert calls == 300 and report.finished


def test_a_plan_that_would_take_long_is_not_made_and_not_changed_later(tmp_path):
    prop, call, options, prepare, arguments = conducted("keyed")

    def plan(soon, known=()):
        runner = Runner(prop, call, options, None, prepare, arguments)
        runner.space.counting.soon = runner.space.counting.last = soon
        return plan_for(runner, 1, known)

    before = CLOCK[0]
    short = plan(0.5)
    assert CLOCK[0] < before + 0.7
    assert (short["technique"], short["uncounted"], short["total"]) == ("seeds", True, None)
    assert plan(500.0, [short["fingerprint"]])["technique"] == "seeds"
    assert plan(500.0)["technique"] == "numbers"


def test_planning_all_properties_takes_a_share_of_the_time():
    clock = PlanningClock(2.0, 3)
    before = CLOCK[0]
    for name in ("keyed_first", "keyed_second", "keyed_exhaustive", "counted"):
        prop, call, options, prepare, arguments = conducted(name)
        runner = Runner(prop, call, options, None, prepare, arguments)
        with clock.limiting(runner):
            if name == "keyed_exhaustive":
                with pytest.raises(OutOfTime):
                    plan_for(runner, 1)
            else:
                assert plan_for(runner, 1)["technique"] == ("numbers" if name == "counted" else "seeds")
    assert clock.used < 1.3 and CLOCK[0] - before < 1.3


def test_the_constants_are_those_of_the_page():
    assert (starting.SHORT_GRACE, starting.GRACE) == (0.5, 4.0)
