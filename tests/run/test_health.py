"""Health checks: what a run complains about before it wastes anybody's time."""

from __future__ import annotations

import time
from types import SimpleNamespace

import pytest

from everycase import check, gen
from everycase.run import runner


def status(monkeypatch: pytest.MonkeyPatch, wall: float, cpu: float) -> str:
    """How a run ends if each look at a clock finds that so many seconds have passed."""
    clocks = {"perf_counter": wall, "process_time": cpu}
    now = dict.fromkeys(clocks, 0.0)

    def ticking(name: str) -> float:
        now[name] += clocks[name]
        return now[name]

    fakes = {name: lambda name=name: ticking(name) for name in clocks}
    monkeypatch.setattr(runner, "time", SimpleNamespace(**{**vars(time), **fakes}))
    return check(lambda n: None, gen.integers(0, 10**9), seed=1, max_examples=100, database=None).status


def test_slow_inputs_are_complained_about(monkeypatch: pytest.MonkeyPatch) -> None:
    assert status(monkeypatch, wall=0, cpu=1) == "gave_up"


def test_a_machine_that_is_busy_with_something_else_is_not_the_fault_of_the_inputs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert status(monkeypatch, wall=5, cpu=0.001) == "passed"
