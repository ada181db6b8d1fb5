"""The best inputs of a run: returned as they were made, and remembered for the next run."""

from __future__ import annotations

from typing import Any

import pytest

from everycase import Phase, assume, check, gen, maximize, minimize
from everycase.errors import DoesNotFit
from everycase.explore import Climb, Random
from everycase.run.store import MemoryStore

LISTS = gen.lists(gen.integers(0, 1000), max_size=30)


def total(xs: list[int]) -> None:
    maximize(sum(xs), "sum")
    minimize(len(xs), "length")


def run(store: MemoryStore, test: Any = total, **options: Any) -> Any:
    # Not derandomized as on a build server, where nothing is remembered.
    return check(test, LISTS, **{"database": store, "max_examples": 200, "derandomize": False, **options})


def test_a_run_begins_with_the_best_inputs_of_the_last() -> None:
    store = MemoryStore()
    first = run(store)
    second = run(store, max_examples=20)
    assert second.best["sum"] >= first.best["sum"] and second.best["length"] <= first.best["length"]
    assert second.status == "passed" and second.examples == 20


def test_what_is_remembered_does_not_grow() -> None:
    store = MemoryStore()
    for _ in range(6):
        run(store, max_examples=50)
    assert 1 <= len(store._entries) <= 16


@pytest.mark.parametrize(
    "options", [{"seed": 3}, {"derandomize": True}, {"phases": [Phase.explore]}, {"explore": Random()}]
)
def test_a_run_that_is_to_be_repeatable_or_does_not_search_leaves_them_alone(options: dict[str, Any]) -> None:
    store = MemoryStore()
    run(store, **options)
    assert not store._entries
    run(store)
    before = dict(store._entries)
    run(store, max_examples=1, **options)
    assert store._entries == before


def test_a_search_goes_on_from_them() -> None:
    """With few tests in each run, several runs together still climb as far as one long run."""
    store = MemoryStore()
    best = [run(store, explore=Climb(), max_examples=60).best["sum"] for _ in range(12)]
    assert best == sorted(best) and best[-1] > best[0]


def test_inputs_that_fit_no_longer_are_passed_over() -> None:
    store = MemoryStore()
    run(store)
    report = check(total, gen.lists(gen.integers(5, 7), max_size=2), database=store, max_examples=50)
    assert report.status == "passed" and report.best["sum"] <= 14


def test_a_remembered_input_that_fails_now_is_a_failure() -> None:
    store = MemoryStore()
    limit = 10**9

    def test(xs: list[int]) -> None:
        maximize(sum(xs))
        assert sum(xs) < limit

    reached = run(store, test).best[""]
    limit = reached
    report = run(store, test)
    assert report.status == "failed" and report.failed_at <= 16


def test_the_best_input_of_discarded_and_of_changed_inputs_reaches_the_best_again() -> None:
    seen: list[float] = []

    def test(xs: list[int]) -> None:
        seen.append(sum(xs))
        maximize(sum(xs))
        total = sum(xs)
        xs.clear()
        assume(total % 3 != 0)

    report = check(test, LISTS, explore=Climb(), seed=1, max_examples=300, database=None)
    (xs,) = report.best_input[""]
    assert sum(xs) == report.best[""] == max(seen)
    assert any(total % 3 == 0 for total in seen)


def test_the_best_input_of_a_flaky_test_reaches_the_best_again() -> None:
    calls = 0

    def test(xs: list[int]) -> None:
        nonlocal calls
        calls += 1
        maximize(sum(xs))
        assert calls != 150

    report = check(test, LISTS, explore=Climb(), seed=1, max_examples=300, database=None)
    assert report.status == "flaky"
    (xs,) = report.best_input[""]
    assert sum(xs) == report.best[""]


def test_the_utilities_of_every_test() -> None:
    said: list[tuple[int, dict[str, float]]] = []

    def test(xs: list[int]) -> None:
        said.append((len(said) + 1, {"sum": float(sum(xs))}))
        maximize(sum(xs), "sum")
        assume(xs)

    report = check(test, LISTS, explore=Climb(), seed=1, max_examples=100, database=None, observe=True)
    assert report.utilities == said


def test_every_best_input_and_every_input_of_the_front_can_be_used_once() -> None:
    # The same input is the best for both labels and on the front.
    def total_and_first(data: gen.Data) -> dict[str, float]:
        drawn = [data.draw(gen.integers(0, 9)) for _ in range(2)]
        return {"total": sum(drawn), "first": drawn[0]}

    def reports(data: gen.Data) -> None:
        for label, utility in total_and_first(data).items():
            maximize(utility, label)

    report = check(reports, gen.data(), explore=Climb(), seed=0, max_examples=500, database=None)
    assert report.best == {"total": 18, "first": 9}
    for label, best in report.best.items():
        assert total_and_first(*report.best_input[label])[label] == best
    for utilities, args in report.front:
        assert total_and_first(*args) == utilities


def test_using_up_a_best_input_leaves_the_front_as_it_is() -> None:
    def test(numbers: list[int]) -> None:
        maximize(sum(numbers))

    report = check(test, gen.lists(gen.integers(0, 9), max_size=3), seed=0, database=None)
    report.best_input[""][0].clear()
    assert report.front == [({"": 27.0}, ([9, 9, 9],))]


def test_recorded_draws_are_made_once_and_a_second_use_says_so() -> None:
    def test(data: gen.Data) -> float:
        return data.draw(gen.integers(0, 9)) + data.draw(gen.integers(0, 9))

    def reports(data: gen.Data) -> None:
        maximize(test(data))

    report = check(reports, gen.data(), seed=0, max_examples=50, database=None)
    test(*report.best_input[""])
    with pytest.raises(DoesNotFit, match=r"has made 2 draws so far, and recorded draws are made only once"):
        test(*report.best_input[""])
