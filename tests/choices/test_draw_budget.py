"""Functions that never stop drawing are abandoned, and slow values are not made again and again."""

from __future__ import annotations

import time
from typing import Any

import pytest

from everycase import HealthCheck, assume, check, gen
from everycase.choices import draw_budget, enact, sample
from everycase.choices.draw_budget import MOST_DRAWS
from everycase.choices.shrink.shrinker import shrink
from everycase.errors import GeneratorError


@gen.composite
def forever(draw: gen.Draw) -> int:
    none = gen.none()
    while True:
        draw(none)


@gen.composite
def until_true(draw: gen.Draw) -> int:
    turns = 0
    while not draw(gen.booleans()):
        turns += 1
    return turns


@pytest.fixture
def small_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tenth of the usual limit: a function that never ends does not end within more draws either."""
    for module in (draw_budget, enact, sample):
        monkeypatch.setattr(module, "MOST_DRAWS", MOST_DRAWS // 10)


@pytest.mark.parametrize("way", ["sample", "record"])
def test_a_composite_that_never_stops_drawing_is_an_error(way: str, small_budget: None) -> None:
    with pytest.raises(GeneratorError, match="never stops drawing"):
        forever().sample(1, seed=0) if way == "sample" else forever().record(seed=0)


def test_a_run_gives_up_on_it() -> None:
    report = check(lambda n: True, forever(), database=None)
    assert report.status == "gave_up" and "did not stop drawing" in str(report.problem)


def test_a_loop_that_the_simplest_choices_never_end_is_shrunk_all_the_same() -> None:
    start = next(t for t in map(until_true().record, range(100)) if t.value > 3)
    assert shrink(start, lambda trace: trace.value >= 2).trace.value == 2


def test_as_many_draws_as_allowed_are_made() -> None:
    @gen.composite
    def many(draw: gen.Draw) -> int:
        none = gen.none()
        return sum(draw(none) is None for _ in range(MOST_DRAWS))

    assert many().sample(1, seed=0) == [MOST_DRAWS]


@gen.composite
def wide(draw: gen.Draw, depth: int) -> object:
    return [draw(wide(depth - 1)) for _ in range(10)] if depth else draw(gen.booleans())


def hidden(n: int) -> gen.Gen[list[object]]:
    """An endless recursion that is not visible in any description."""
    return gen.lists(gen.integers(0, 3).flatmap(hidden), min_size=1, max_size=2)


@pytest.mark.parametrize("way", ["sample", "record"])
def test_the_composites_of_one_input_share_one_budget(way: str, small_budget: None) -> None:
    """No single call draws more than ten times, but together they would draw 10**12 times."""
    with pytest.raises(GeneratorError, match="never stops drawing"):
        wide(12).sample(1, seed=0) if way == "sample" else wide(12).record(seed=0)


def test_each_input_has_a_budget_of_its_own(small_budget: None) -> None:
    assert len(wide(3).sample(20, seed=0)) == 20  # 1,111 draws each, of 10,000


def test_draws_of_tests_do_not_add_up_over_a_run(small_budget: None) -> None:
    """A test that draws by itself draws outside all composites."""
    tests, draws = 110, MOST_DRAWS // 1000
    none = gen.none()

    def test(data: Any) -> None:
        for _ in range(draws):
            data.draw(none)

    report = check(
        test, gen.data(), max_examples=tests, database=None, suppress_health_check=list(HealthCheck)
    )
    assert report.status == "passed" and (report.examples, report.discarded) == (tests, 0)


def test_a_test_that_never_stops_drawing_is_given_up(small_budget: None) -> None:
    none = gen.none()

    def test(data: Any) -> None:
        while True:
            data.draw(none)

    report = check(test, gen.data(), max_examples=1, database=None, suppress_health_check=list(HealthCheck))
    assert report.examples == 0 and report.discarded > 0


@pytest.mark.parametrize("way", ["sample", pytest.param("record", marks=pytest.mark.slow)])
def test_a_recursion_hidden_in_flatmap_ends(way: str, small_budget: None) -> None:
    with pytest.raises(GeneratorError):
        hidden(0).sample(1, seed=0) if way == "sample" else hidden(0).record(seed=0)


def test_slow_generators_are_not_run_again_and_again() -> None:
    calls = 0

    @gen.composite
    def slow(draw: gen.Draw) -> int:
        nonlocal calls
        calls += 1
        until = time.process_time() + 0.003
        while time.process_time() < until:
            pass
        return draw(gen.integers())

    check(lambda n: True, slow(), max_examples=64, database=None)
    # One for each test; a related input takes two more, one for what is copied and one for the copy.
    assert calls < 2 * 64


# --- assumptions of composites ----------------------------------------------------------------------------------


@gen.composite
def even(draw):
    n = draw(gen.integers(0, 99))
    assume(n % 2 == 0)
    return n


@gen.composite
def ascending(draw):
    numbers = [draw(even()) for _ in range(5)]
    assume(numbers[0] < 90)
    return numbers


def test_what_a_composite_assumes_costs_its_part_and_not_the_whole_input():
    report = check(
        lambda xs: all(n % 2 == 0 for n in xs), ascending(), seed=0, max_examples=300, database=None
    )
    assert report.status == "passed"
    assert report.discarded < report.examples / 10  # 31 of 32 if each assumption discarded everything


def test_an_assumption_that_cannot_hold_is_tried_by_one_composite_only():
    calls = 0

    @gen.composite
    def never(draw):
        nonlocal calls
        calls += 1
        draw(gen.integers())
        assume(False)

    nested = never()
    for _ in range(6):
        nested = wrapping(nested)
    report = check(lambda x: None, nested, seed=0, max_examples=10, database=None)
    assert report.status == "gave_up"
    assert calls <= 20 * (report.discarded + 1)


@gen.composite
def wrapping(draw, inner):
    return draw(gen.lists(inner, min_size=1, max_size=1))
