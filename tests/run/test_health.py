"""Health checks by time: a slow or busy machine is no reason to give up, and hides no other reason."""

from __future__ import annotations

import pytest

from everycase import gen, settings
from everycase.errors import HealthCheckFailed
from everycase.explore.protocol import Case, Space
from everycase.gen.collections import tuples
from everycase.run import health
from everycase.run.health import Health

CASE = Case((1,), None)


@pytest.fixture
def watched(monkeypatch):
    monkeypatch.setattr(health, "slowness", lambda: 1.0)
    return Health(settings().resolve(), Space(tuples(gen.integers()), 0, 100))


def test_slow_inputs_are_complained_of_with_how_many_were_made_and_tested(watched):
    with pytest.raises(HealthCheckFailed, match=r"very slow: 6 took 3\.0 s .* has run on 2 of them"):
        for _ in range(7):
            watched.watch(CASE, 0.5, 2)


def test_one_input_that_took_long_is_no_reason(watched):
    for seconds in (0.001, 4000.0, *[0.001] * 60):
        watched.watch(CASE, seconds, 0)


def test_but_a_second_one_is(watched):
    watched.watch(CASE, 30.0, 0)
    with pytest.raises(HealthCheckFailed, match="very slow"):
        watched.watch(CASE, 30.0, 0)


def test_a_machine_that_is_slow_itself_is_no_reason(watched, monkeypatch):
    monkeypatch.setattr(health, "slowness", lambda: 3.0)
    for _ in range(12):
        watched.watch(CASE, 0.5, 0)
    with pytest.raises(HealthCheckFailed):
        for _ in range(4):
            watched.watch(CASE, 0.5, 0)


@pytest.mark.parametrize("reason", ["too_deep", "endless"])
def test_inputs_that_cannot_be_made_are_not_called_slow(watched, reason, monkeypatch):
    monkeypatch.setattr(type(watched.space), reason, 10)
    for _ in range(10):
        watched.watch(CASE, 5.0, 0)


def test_what_this_machine_takes_is_measured():
    assert 1.0 <= health.slowness() < 10.0**6
