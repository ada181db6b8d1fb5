"""The tables of the targeted-search benchmarks: what they count, and that they finish."""

from __future__ import annotations

import time

import pytest
from targeted_rows import FIRST_SEED, Limits, Row, measured, ours, poisson_interval

from everycase import gen, maximize
from everycase.explore import Climb


def test_runs_at_the_cap_count_with_the_cap() -> None:
    needed = {FIRST_SEED: 10, FIRST_SEED + 1: None, FIRST_SEED + 2: 20}
    (line,) = measured([Row("name", needed.__getitem__, 100, "paper")], Limits(3, 60))
    name, found, mean, spread, median, most, *_, paper = line
    assert (name, found, median, most, paper) == ("name", "2/3", 20, 100, "paper")
    assert mean == pytest.approx(130 / 3)
    assert spread == pytest.approx(1.96 * 49.33 / 3**0.5, rel=0.01)


def test_a_row_whose_time_is_over_says_how_many_runs_it_had() -> None:
    def slow(seed: int) -> int:
        end = time.process_time() + 0.02
        while time.process_time() < end:
            pass
        return 1

    lines = measured([Row("slow", slow, 100), Row("quick", lambda seed: 1, 100)], Limits(50, 0.1))
    assert [line[1].endswith(" of 50") for line in lines] == [True, False]
    assert lines[1][1] == "50/50"


def test_the_first_failure_is_what_counts() -> None:
    tests: list[int] = []

    def far(n: int) -> None:
        tests.append(n)
        maximize(n)
        assert n < 900_000

    (line,) = measured([ours("", far, gen.integers(0, 10**6), Climb(), 1000)], Limits(1, 10))
    assert line[2] == len(tests) and tests[-1] >= 900_000 > max(tests[:-1], default=0)


@pytest.mark.parametrize(
    ("events", "low", "high"), [(0, 0, 3.689), (1, 0.025, 5.572), (10, 4.795, 18.39), (100, 81.4, 121.6)]
)
def test_intervals_of_counts(events: int, low: float, high: float) -> None:
    found = poisson_interval(events)
    assert found[0] == pytest.approx(low, rel=0.02, abs=0.03)
    assert found[1] == pytest.approx(high, rel=0.02)


def test_only_the_rows_with_a_word() -> None:
    rows = [Row(name, lambda seed: 1, 100) for name in ("ADD: random", "ADD: targeted", "random")]
    assert [line[0] for line in measured(rows, Limits(2, 10, "random"))] == ["ADD: random", "random"]
