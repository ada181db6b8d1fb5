"""Tests per second, compared with Hypothesis in the same process."""

from __future__ import annotations

import time

from everycase import check, gen
from everycase.cli.demos import Scene, source
from everycase.explore import Random


def reversing_twice_changes_nothing(xs: list[int]) -> None:
    assert xs[::-1][::-1] == xs


def demo() -> Scene:
    ours = _tests_per_second()
    theirs = _hypothesis_tests_per_second()
    bars = [("everycase", ours)]
    outcome = f"everycase: {ours:,.0f} tests a second"
    if theirs is None:
        outcome += "\nHypothesis is not installed, so there is nothing to compare with"
    else:
        bars.append(("Hypothesis", theirs))
        outcome += f"\nHypothesis: {theirs:,.0f} tests a second\nratio: {ours / theirs:,.0f}"
    return Scene(
        technique="Speed",
        story="The same small property on lists of up to 20 integers, measured now, on this machine, in this process. "
        "A test that does more work itself gains less.",
        code=source(reversing_twice_changes_nothing),
        outcome=outcome,
        bars=bars,
        unit="tests a second",
    )


def _tests_per_second() -> float:
    lists = gen.lists(gen.integers(), max_size=20)
    check(reversing_twice_changes_nothing, lists, explore=Random(), seed=0, max_examples=1000, database=None)
    started = time.process_time()
    report = check(
        reversing_twice_changes_nothing, lists, explore=Random(), seed=1, max_examples=50_000, database=None
    )
    return report.examples / (time.process_time() - started)


def _hypothesis_tests_per_second() -> float | None:
    try:
        from hypothesis import HealthCheck, given, settings
        from hypothesis import strategies as st
    except ImportError:
        return None
    ran = 0

    @settings(max_examples=1000, database=None, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.lists(st.integers(), max_size=20))
    def test(xs: list[int]) -> None:
        nonlocal ran
        ran += 1
        reversing_twice_changes_nothing(xs)

    started = time.process_time()
    test()
    return ran / (time.process_time() - started)
