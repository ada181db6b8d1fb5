"""Targeted search as a whole: the front of several goals, annealing by tests used, islands, several numbers at once, and
the best inputs in a report.
"""

from __future__ import annotations

import math
import random
from itertools import pairwise
from typing import Any

import pytest

from everycase import check, errors, gen, maximize, minimize, reset_search
from everycase.explore import Anneal, Auto, Climb, Explorer
from everycase.explore.targeted.anneal import SCHEDULES
from everycase.explore.targeted.front import Front
from everycase.explore.targeted.numbers import Covariance

letters = gen.lists(gen.integers(0, 25), min_size=8, max_size=8)


def right_letters(word: list[int]) -> int:
    return sum(letter == place for place, letter in enumerate(word))


# --- several goals --------------------------------------------------------------------------------------


def test_the_front_is_what_nothing_dominates() -> None:
    dice = random.Random(3)
    points = [(dice.randrange(12), dice.randrange(12), dice.randrange(3)) for _ in range(300)]
    front: Front[int] = Front()
    for place, point in enumerate(points):
        front.add(place, dict(zip("abc", point)))

    def beaten(p: tuple[int, ...]) -> bool:
        return any(q != p and all(a >= b for a, b in zip(q, p)) for q in points)

    assert {points[member.item] for member in front} == {p for p in points if not beaten(p)}


def test_a_full_front_keeps_its_ends_and_is_spread_out() -> None:
    front: Front[None] = Front(most=10)
    for n in [*range(50), *range(51, 101), 50]:
        front.add(None, {"up": n, "down": -n})
    ends = sorted(member.utilities["up"] for member in front)
    assert ends[0] == 0 and ends[-1] == 100 and len(ends) == 10
    assert max(b - a for a, b in pairwise(ends)) < 45


def test_labels_that_conflict_are_searched_between_their_ends() -> None:
    items = [(7 + 13 * i % 29, 5 + 11 * i % 31) for i in range(20)]

    def test(taken: list[bool]) -> None:
        value = sum(v for (v, _), t in zip(items, taken) if t)
        weight = sum(w for (_, w), t in zip(items, taken) if t)
        maximize(value, "value")
        minimize(weight, "weight")
        assert not (value >= 0.97 * best and weight <= 120)

    most = [0] * 121
    for value, weight in items:
        for room in range(120, weight - 1, -1):
            most[room] = max(most[room], most[room - weight] + value)
    best = most[120]
    inputs = gen.lists(gen.booleans(), min_size=20, max_size=20)
    for seed in range(3):
        assert check(test, inputs, seed=seed, max_examples=15_000, database=None).status == "failed"


# --- annealing ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_the_scale_of_the_utility_does_not_matter(schedule: str) -> None:
    def tested(scale: float) -> list[Any]:
        seen: list[Any] = []

        def test(word: list[int]) -> None:
            seen.append(tuple(word))
            maximize(scale * right_letters(word))

        check(test, letters, explore=Anneal(schedule), seed=2, max_examples=300, database=None)
        return seen

    assert tested(1.0) == tested(2.0**-10) == tested(2.0**20)


def test_a_schedule_is_told_of_all_tests_those_of_line_searches_too() -> None:
    calls, used = 0, []

    def test(pair: tuple[int, int]) -> None:
        nonlocal calls
        calls += 1
        minimize(abs(pair[0] - 123_456) + abs(pair[1] - 777_777))

    def schedule(cooling: Any, accepted: bool) -> None:
        used.append((cooling.used, calls))

    inputs = gen.tuples(gen.integers(0, 10**6), gen.integers(0, 10**6))
    check(test, inputs, explore=Anneal(schedule), seed=1, max_examples=500, database=None)
    assert used and all(a == b for a, b in used)
    assert len(used) < 400  # the other tests were steps of line searches


def test_linear_cooling_is_cold_at_the_end_of_the_budget() -> None:
    class Watched(Anneal):
        def temperature(self, state: Any) -> float:
            temperatures.append(state.temperature)
            return super().temperature(state)

    temperatures: list[float] = []
    inputs = gen.tuples(gen.integers(0, 10**6), gen.integers(0, 10**6))
    check(
        lambda p: maximize(-abs(p[0] - p[1])),
        inputs,
        explore=Watched("linear"),
        max_examples=1000,
        seed=0,
        database=None,
    )
    assert temperatures[0] == 1.0 and temperatures[-1] < 0.05


def test_reset_search_resets_the_temperature() -> None:
    temperatures = []
    calls = 0

    def test(word: list[int]) -> None:
        nonlocal calls
        calls += 1
        maximize(right_letters(word))
        if calls == 200:
            reset_search()

    class Watched(Anneal):
        def temperature(self, state: Any) -> float:
            temperatures.append((calls, state.temperature))
            return super().temperature(state)

    check(test, letters, explore=Watched("linear"), max_examples=300, seed=0, database=None)
    before = [t for n, t in temperatures if 150 < n < 200]
    after = [t for n, t in temperatures if 200 < n < 220]
    assert max(before) < 0.6 and after and min(after) > 0.85


# --- numbers, permutations ------------------------------------------------------------------------------


def test_several_numbers_move_together_in_a_valley_that_lies_askew() -> None:
    def rosenbrock(point: tuple[float, float]) -> None:
        x, y = point
        height = (1.3 - x) ** 2 + 100 * (y - x * x) ** 2
        minimize(height)
        assert height > 1e-3

    inputs = gen.tuples(gen.floats(-5, 5), gen.floats(-5, 5))
    for seed in range(3):
        assert check(rosenbrock, inputs, seed=seed, max_examples=15_000, database=None).status == "failed"


@pytest.mark.parametrize("width", [16, 32])
def test_floats_of_fewer_bits_are_moved_to_floats_of_these_bits(width: Any) -> None:
    def sloping(x: float, y: float) -> None:
        height = abs(x - 123.5) + abs(y + 77.25) + abs(x + y - 46.25)
        minimize(height)
        assert height > 0.5

    numbers = gen.floats(-1000, 1000, width=width)
    for seed in range(2):
        report = check(sloping, numbers, numbers, seed=seed, max_examples=3000, database=None)
        assert report.status == "failed"


def test_floats_of_all_magnitudes_are_reached() -> None:
    def off(x: float) -> None:
        apart = abs(math.log(x + 1e-300) - math.log(3.3e-50))
        minimize(apart)
        assert apart > 0.5

    numbers = gen.floats(min_value=0, allow_infinity=False)
    assert check(off, numbers, seed=0, max_examples=5000, database=None).status == "failed"


def test_the_covariance_learns_a_direction() -> None:
    dice = random.Random(1)
    steps = Covariance(2)
    x, y = 0.0, 0.0

    def height(a: float, b: float) -> float:
        return -((a - b) ** 2) * 1000 + (a + b)  # a ridge along the diagonal

    for _ in range(400):
        direction = steps.draw(dice.gauss)
        a, b = x + steps.length * direction[0], y + steps.length * direction[1]
        better = height(a, b) > height(x, y)
        steps.learn(direction, better)
        if better:
            x, y = a, b
    drawn = [steps.draw(dice.gauss) for _ in range(200)]
    along = sum((a + b) ** 2 for a, b in drawn)
    across = sum((a - b) ** 2 for a, b in drawn)
    assert along > 20 * across


def test_a_round_trip_of_twelve_cities() -> None:
    numbers = list(range(12))
    random.Random(3).shuffle(numbers)
    at = [(math.cos(math.pi * n / 6), math.sin(math.pi * n / 6)) for n in numbers]

    def shortest(order: list[int]) -> None:
        length = sum(math.dist(at[a], at[b]) for a, b in pairwise([*order, order[0]]))
        minimize(length)
        assert length > 24 * math.sin(math.pi / 12) + 1e-6

    for seed in range(3):
        report = check(shortest, gen.permutations(range(12)), seed=seed, max_examples=5_000, database=None)
        assert report.status == "failed"


# --- the report -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("explorer", [Auto(), Climb(), Anneal()], ids=repr)
def test_the_best_inputs_reach_the_best_utilities_again(explorer: Explorer) -> None:
    def test(xs: list[int]) -> None:
        maximize(sum(xs), "sum")
        minimize(len(xs), "length")
        xs.append(1)  # the report shows the values that the test was given

    inputs = gen.lists(gen.integers(0, 9), max_size=6)
    report = check(test, inputs, explore=explorer, seed=1, max_examples=400, database=None, observe=True)
    assert sum(report.best_input["sum"][0]) == report.best["sum"]
    assert len(report.best_input["length"][0]) == report.best["length"]
    for utilities, (xs,) in report.front:
        assert utilities == {"sum": sum(xs), "length": len(xs)}
    said = [u for _, u in report.utilities]
    assert len(said) == report.examples == 400
    assert [n for n, _ in report.utilities] == list(range(1, 401))

    def beaten(u: dict[str, float]) -> bool:
        return any(v != u and v["sum"] >= u["sum"] and v["length"] <= u["length"] for v in said)

    front = [u for u, _ in report.front]
    assert {(u["sum"], u["length"]) for u in front} == {
        (u["sum"], u["length"]) for u in said if not beaten(u)
    }


def test_without_observe_the_utilities_are_not_kept() -> None:
    report = check(lambda n: maximize(n), gen.integers(0, 10**6), seed=0, max_examples=50, database=None)
    assert report.utilities == []
    assert report.front == [({"": report.best[""]}, report.best_input[""])]


# --- wrong uses -----------------------------------------------------------------------------------------


def broken(cooling: Any, accepted: bool) -> None:
    raise ZeroDivisionError("oh")


def returning(cooling: Any, accepted: bool) -> Any:
    return 0.5


class BrokenAccept(Climb):
    def accept(self, state: Any, before: float, now: float, random: Any) -> bool:
        raise KeyError("missing")


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: Anneal(broken), "the schedule broken raised ZeroDivisionError: oh"),
        (lambda: Anneal(returning), "must set cooling.temperature"),
        (BrokenAccept, "accept of BrokenAccept raised KeyError"),
        (lambda: Anneal(temperature=5), "Anneal has no option 'temperature'"),
        (lambda: Climb(restarts=5), "Climb has no option 'restarts'"),
        (lambda: Anneal("cold"), "schedule must be one of adaptive"),
    ],
)
def test_wrong_uses_are_errors_and_not_failures_of_the_test(make: Any, message: str) -> None:
    with pytest.raises(errors.InvalidArgument, match=message):
        check(lambda w: maximize(right_letters(w)), letters, explore=make(), seed=0, database=None)


@pytest.mark.parametrize("explorer", [Climb(), Anneal()], ids=repr)
def test_a_search_without_a_utility_says_so(explorer: Explorer) -> None:
    report = check(lambda w: None, letters, explore=explorer, seed=0, max_examples=100, database=None)
    assert any("no test reported anything" in warning for warning in report.warnings)
    assert not check(lambda w: None, letters, seed=0, max_examples=100, database=None).warnings


def test_a_test_that_fails_before_it_reports_is_no_reason_for_that() -> None:
    report = check(lambda w: maximize(float("nan")), letters, explore=Climb(), seed=0, database=None)
    assert report.status == "failed" and not report.warnings


@pytest.mark.parametrize("explorer", [Climb(), Anneal(), Auto()], ids=repr)
def test_a_number_that_is_rounded_is_found_along_a_line(explorer: Explorer) -> None:
    """A step of one changes nothing, so a line search has to take longer steps."""
    needed = []
    for seed in range(5):
        report = check(
            _rounded, gen.integers(0, 10**7), explore=explorer, seed=seed, max_examples=2000, database=None
        )
        needed.append(report.failed_at or 2000)
    assert sum(needed) < 1500


def _rounded(n: int) -> None:
    off = abs(n // 10 - 123_456)
    minimize(off)
    assert off


def test_a_constant_utility_is_mentioned() -> None:
    report = check(lambda w: maximize(7), letters, seed=0, max_examples=200, database=None)
    assert any("the same utility" in warning for warning in report.warnings)
