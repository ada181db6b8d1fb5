"""Searches that take turns: when a search is slow, which one continues, and that a dead end does not cost the run."""

from __future__ import annotations

import pytest

from everycase import check, gen, maximize, reset_search
from everycase.explore import Anneal, Climb
from everycase.explore.protocol import Case, Outcome, Space
from everycase.explore.targeted.climb import Portfolio
from everycase.explore.targeted.restarts import LOOK, SearchHistory
from everycase.explore.targeted.search import TargetedSearch


def history_of(rises: dict[int, float], age: int, patience: int = 100) -> SearchHistory:
    """A search that reached these utilities after these numbers of tests."""
    history = SearchHistory({"": rises.get(0, 0.0)}, patience)
    for now in range(1, age + 1):
        if now in rises:
            history.reached("", rises[now])
        history.count_test()
    return history


AGE = 64 * LOOK


@pytest.mark.parametrize("scale", [1.0, 0.001, 1000.0])
@pytest.mark.parametrize(
    ("rises", "slow"),
    [
        ({}, True),
        ({10: 5.0}, True),  # long ago
        ({10: 5.0, AGE - 10: 10.0}, False),  # half of it just now
        ({10: 9.0, AGE - 10: 10.0}, True),  # a tenth just now: creeps
        ({now: float(now) for now in range(1, AGE, 7)}, False),
    ],
)
def test_slow_is_a_question_of_proportions(rises: dict[int, float], slow: bool, scale: float) -> None:
    history = history_of({now: worth * scale for now, worth in rises.items()}, AGE)
    assert history.slow is slow


def test_nobody_is_slow_before_its_patience_is_over() -> None:
    assert not history_of({}, AGE, patience=AGE).slow
    assert history_of({}, AGE + LOOK, patience=AGE).slow


def test_a_label_that_is_new_is_a_rise() -> None:
    history = history_of({}, AGE - LOOK)
    assert history.slow
    history.reached("other", 1.0)
    for _ in range(LOOK):
        history.count_test()
    assert not history.slow


@pytest.mark.parametrize("scale", [0.001, 1000.0, 0.1, 1 / 3])
def test_slow_does_not_depend_on_the_scale(scale: float) -> None:
    """Also if a search improved by exactly a fifth, which rounding turns into slightly more or less."""

    def is_slow(whole: int, recent: int, scale: float) -> bool:
        history = SearchHistory({"a": 0.0}, 10)
        history.reached("a", scale * (whole - recent))
        while history.tests < 10 * LOOK:
            history.count_test()
            if history.tests == 9 * LOOK:
                history.reached("a", scale * whole)
        return history.slow

    for whole in range(5, 200, 5):
        for recent in (whole // 5 - 1, whole // 5, whole // 5 + 1):
            assert is_slow(whole, recent, scale) == is_slow(whole, recent, 1.0) == (recent <= whole // 5)


def test_ahead_is_who_is_better_in_more_labels() -> None:
    one, other = SearchHistory({"a": 1.0, "b": 5.0}, 10), SearchHistory({"a": 2.0, "b": 5.0}, 10)
    assert other.is_ahead_of(one) and not one.is_ahead_of(other)
    third = SearchHistory({"a": 3.0, "b": 4.0}, 10)
    assert not third.is_ahead_of(other) and not other.is_ahead_of(third)
    assert SearchHistory({"a": 1.0, "b": 5.0, "c": -9.0}, 10).is_ahead_of(one)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_a_dead_end_does_not_hold_up_the_run(seed: int) -> None:
    """Seven in eight searches start where the only way up leads to a dead end."""

    def test(drawn: tuple[int, list[bool]]) -> None:
        door, bits = drawn
        height = sum(bits)
        # the door can be changed, but every other door is worth less than what was climbed behind this one
        maximize(height if door else 2 * height)
        assert door or height < 20

    inputs = gen.tuples(
        gen.integers(0, 7).with_neighbor(lambda door, t: door),
        gen.lists(gen.booleans(), min_size=20, max_size=20),
    )

    def status(restart: int, seed: int, tests: int) -> str:
        # without fresh values, which would find the door by themselves
        explorer = Climb(restart=restart, fresh=False)
        return check(test, inputs, explore=explorer, seed=seed, max_examples=tests, database=None).status

    assert status(50, seed, 60_000) == "failed"
    stuck = [status(10**9, other, 3_000) for other in range(8)]
    assert "passed" in stuck  # so that there is something to hold it up


@pytest.mark.parametrize("restart", [20, 10**9])
def test_the_best_is_never_given_up(restart: int) -> None:
    """No matter how often others start, the leading search continues from where it was."""
    behind: list[int] = []
    best = 0

    def test(bits: list[bool]) -> None:
        nonlocal best
        ones = sum(bits)
        best = max(best, ones)
        behind.append(best - ones)
        maximize(ones)

    check(
        test,
        gen.lists(gen.booleans(), min_size=200, max_size=200),
        explore=Climb(restart=restart),
        seed=1,
        max_examples=6000,
        database=None,
    )
    assert best == 200
    near = sum(distance <= 20 for distance in behind[-1000:])
    # a neighbour of the best is near it; when it is slow every other test is one
    assert near > (300 if restart == 20 else 900)


def test_resets_while_several_searches_run_do_no_harm() -> None:
    def test(n: int) -> None:
        maximize(n)
        if n > 900:
            reset_search()

    report = check(
        test, gen.integers(0, 1000), explore=Climb(restart=20), seed=3, max_examples=3000, database=None
    )
    assert report.status == "passed" and report.examples == 3000


@pytest.mark.usefixtures("every_step_is_a_test")
@pytest.mark.parametrize("at", range(60, 70))
def test_after_a_reset_neither_the_search_that_asked_for_it_nor_the_other_goes_on(at: int) -> None:
    seen: list[int] = []

    def test(n: int) -> None:
        seen.append(n)
        maximize(0)
        if len(seen) == at:
            reset_search()

    # A search tests only its first value, so that it can be recognised; it is slow, so there are two searches.
    numbers = gen.integers(0, 10**15).with_neighbor(lambda n, _: n)
    check(test, numbers, explore=Climb(restart=20, fresh=False), seed=at, max_examples=120, database=None)
    assert len(set(seen[:at])) == 2
    assert not set(seen[:at]) & set(seen[at:])


@pytest.mark.usefixtures("every_step_is_a_test")
def test_a_reset_by_the_first_test_of_the_younger_search_ends_the_elder_one() -> None:
    seen: list[int] = []

    def test(n: int) -> None:
        maximize(0)
        if seen and n != seen[-1] and len(set(seen)) == 1:
            reset_search()
        seen.append(n)

    numbers = gen.integers(0, 10**15).with_neighbor(lambda n, _: n)
    check(test, numbers, explore=Climb(restart=20, fresh=False), seed=0, max_examples=60, database=None)
    assert seen.count(seen[0]) == seen.index(seen[-1]) - 1 and len(set(seen)) == 3


@pytest.fixture
def every_step_is_a_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """Inputs are tested again although their outcomes are known."""
    monkeypatch.setattr("everycase.explore.targeted.search.KNOWN_IN_A_ROW", 0)


def outcome_of(case: Case, *, reset: bool = False) -> Outcome:
    (numbers,) = case.args or ((),)
    utilities = {"": float(sum(numbers) - 100 * len(numbers)), "short": -float(len(numbers))}
    return Outcome("passed", None, utilities, reset_requested=reset)


@pytest.mark.parametrize("search", [Climb(restart=20), Anneal(), Anneal("fast"), Portfolio()], ids=repr)
def test_the_course_after_a_reset_is_that_of_a_fresh_search(search: TargetedSearch) -> None:
    """Temperature, islands, whose turn it is, front, step sizes and moves: nothing is left of what went before."""
    gens = gen.tuples(gen.lists(gen.integers(0, 1000), max_size=20))

    def course(tests_before: int) -> list[object]:
        space = Space(gens, 1, 1000)
        space.random.seed(7)
        steps = search.explore(space)
        case = next(steps)
        if tests_before:
            for _ in range(tests_before):
                case = steps.send(outcome_of(case))
            space.random.seed(7)
            space._sampling = Space(gens, 1, 1000)._sampling
            case = steps.send(outcome_of(case, reset=True))
        tested = []
        for _ in range(150):
            tested.append(case.args)
            case = steps.send(outcome_of(case))
        return tested

    assert course(250) == course(0)
