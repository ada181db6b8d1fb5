"""How long a run continues. Clocks are fakes: nothing here depends on the machine."""

from __future__ import annotations

from typing import Any

import pytest

from everycase import check, gen, settings
from everycase.choices import time_limit
from everycase.explore import Exhaustive, Random
from everycase.run import budget, loop, timetable


class Clock:
    """A fake clock that advances each time it is read."""

    def __init__(self, step: float) -> None:
        self.now = 0.0
        self.step = step

    def perf_counter(self) -> float:
        self.now += self.step
        return self.now

    def thread_time(self) -> float:
        return 0.0


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """With this clock every test seems to take about four milliseconds."""
    clock = Clock(0.004)
    monkeypatch.setattr(budget, "time", clock)
    monkeypatch.setattr(loop, "time", clock)
    monkeypatch.setattr(timetable, "time", clock)
    monkeypatch.setattr(time_limit, "time", clock)
    monkeypatch.delenv("CI", raising=False)
    return clock


def run(**options: Any) -> Any:
    return check(lambda n: None, gen.integers(), database=None, **options)


def test_a_run_that_nobody_limits_takes_about_a_second(slow: Clock) -> None:
    report = run()
    assert 100 <= report.examples < 500
    assert "about a second" in report.stopped


def test_but_at_least_a_hundred_tests(slow: Clock) -> None:
    slow.step = 0.5
    assert run().examples == 100


def test_tests_that_become_slow_end_the_run_soon(slow: Clock) -> None:
    slow.step = 0.0  # a clock that only the test moves
    calls = 0

    def test(n: int) -> None:
        nonlocal calls
        calls += 1
        if calls > 300:
            slow.now += 0.3

    report = check(test, gen.integers(), database=None)
    assert report.examples <= 300 + 2 * loop.CLOCK_EVERY


def test_a_thousand_tests_where_they_fit() -> None:
    report = run(seed=1)
    assert (report.examples, report.stopped) == (1000, "the budget of 1,000 tests was used up")


@pytest.mark.parametrize("chosen", [{"seed": 1}, {"derandomize": True}], ids=str)
def test_a_run_that_is_to_come_out_the_same_looks_at_no_clock(slow: Clock, chosen: dict[str, Any]) -> None:
    assert run(**chosen).examples == 1000


def test_max_examples_rules_alone(slow: Clock) -> None:
    assert run(max_examples=700).examples == 700
    assert run(max_examples=3).examples == 3


def test_max_seconds_rules_alone(slow: Clock) -> None:
    slow.step = 0.0005
    report = run(max_seconds=3)
    assert report.examples > 1000
    assert report.stopped == "max_seconds=3 was reached"
    assert run(max_seconds=0.001).examples < 100, "also below the usual least"


def test_of_both_the_first_that_is_reached_ends_the_run(slow: Clock) -> None:
    assert run(max_seconds=1000, max_examples=50).examples == 50
    assert run(max_seconds=0.1, max_examples=5000).examples < 5000


def test_an_explorer_with_a_plan_is_not_hurried(slow: Clock) -> None:
    report = check(lambda n: None, gen.integers(0, 900), database=None, explore=Exhaustive())
    assert report.exhaustive and report.examples == 901
    assert check(lambda n: None, gen.integers(), database=None, explore=Random()).examples < 1000


def test_the_clock_decides_how_many_inputs_are_tested_never_which(slow: Clock) -> None:
    few: list[int] = []
    report = check(few.append, gen.integers(), database=None)
    many: list[int] = []
    check(many.append, gen.integers(), database=None, seed=report.seed)
    assert len(few) < len(many) == 1000
    assert many[: len(few)] == few


def test_settings_tell_what_is_in_force() -> None:
    assert settings().resolve().planned == 1000
    assert settings(max_examples=5, max_seconds=9).resolve().planned == 5
    assert settings(max_seconds=60).resolve().planned > 1000
