"""``max_seconds`` is kept while user functions of all kinds take time. The clock is a fake that they move."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from everycase import check, example, find, gen, given, maximize, settings
from everycase.errors import EverycaseError
from everycase.explore import Anneal, Climb, Covering, Exhaustive, Narrow, Random
from everycase.run.store import MemoryStore
from everycase.run.timetable import SHOWN
from everycase.stateful import RuleBasedStateMachine, rule

LIMIT = 1.0


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [0.0]

    def read() -> float:
        now[0] += 0.00005  # so that what calls no user function ends, too
        return now[0]

    monkeypatch.setattr(time, "perf_counter", read)
    monkeypatch.delenv("CI", raising=False)  # there the seed decides everything, and no clock
    return now


class Made:
    def __init__(self, number: int, slow: Callable[[Any], Any]) -> None:
        self.number = slow(number)


class Hashed:
    def __init__(self, number: int, slow: Callable[[Any], Any]) -> None:
        self.number, self.slow = number, slow

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hashed) and self.number == other.number

    def __hash__(self) -> int:
        return hash(self.slow(self.number))


class Shown:
    def __init__(self, number: int, slow: Callable[[Any], Any]) -> None:
        self.number, self.slow = number, slow

    def __repr__(self) -> str:
        return str(self.slow(self.number))


def generators(slow: Callable[[Any], Any]) -> dict[str, gen.Gen[Any]]:
    digits, numbers = gen.integers(0, 9), gen.integers(0, 999)

    @gen.composite
    def drawing(draw: gen.Draw) -> list[int]:
        return [slow(draw(digits)) for _ in range(draw(gen.integers(30, 60)))]

    return {
        "maps": gen.lists(numbers.map(slow), min_size=50, max_size=60),
        "a wide tuple": gen.tuples(*[digits.map(slow)] * 60),
        "filters": gen.lists(numbers.filter(lambda n: slow(n) % 3 == 0), min_size=40),
        "keys": gen.lists(numbers, unique_by=slow, min_size=50),
        "two keys": gen.lists(numbers, unique_by=(slow, lambda n: n), min_size=50),
        "hashes": gen.sets(numbers.map(lambda n: Hashed(n, slow)), min_size=50),
        "flatmaps": gen.lists(digits.flatmap(lambda n: slow(gen.integers(0, n))), min_size=50),
        "constructors": gen.lists(gen.builds(Made, digits, slow=gen.just(slow)), min_size=50),
        "draws": drawing(),
        "reprs": gen.lists(digits.map(lambda n: Shown(n, slow)), min_size=50),
        "an inverse": gen.lists(digits.map(slow, inverse=slow), min_size=50),
    }


KINDS = list(generators(lambda value: value))


def fails_late(value: Any) -> None:
    maximize(len(value))
    assert len(value) < 55


def always_fails(value: Any) -> None:
    raise ValueError


RUNS: dict[str, dict[str, Any]] = {
    "random": {"explore": Random()},
    "failing": {"test": always_fails},
    "exhaustive": {"explore": Exhaustive()},
    "covering": {"explore": Covering()},
    "narrow": {"explore": Narrow(max_size=60)},
    "climb": {"explore": Climb()},
    "anneal": {"explore": Anneal()},
}


#: A composite has nothing to combine.
CELLS = [(kind, how) for kind in KINDS for how in RUNS if (kind, how) != ("draws", "covering")]


@pytest.mark.parametrize(("kind", "how"), CELLS)
def test_a_run_ends_in_time_although_user_functions_are_slow(clock: list[float], kind: str, how: str) -> None:
    def slow(value: Any) -> Any:
        clock[0] += 0.03
        return value

    made, test = generators(slow)[kind], RUNS[how].get("test", fails_late)
    options = {name: value for name, value in RUNS[how].items() if name != "test"}
    report = check(test, made, max_seconds=LIMIT, database=None, seed=1, **options)
    assert clock[0] < 1.5 * LIMIT
    if clock[0] >= LIMIT:
        assert not report.exhaustive


@pytest.mark.parametrize("kind", KINDS)
def test_a_search_for_one_value_ends_in_time(clock: list[float], kind: str) -> None:
    def slow(value: Any) -> Any:
        clock[0] += 0.03
        return value

    with pytest.raises(EverycaseError):
        find(generators(slow)[kind], lambda value: False, max_seconds=LIMIT)
    assert clock[0] < 1.5 * LIMIT


def test_all_parts_of_a_run_share_its_time(clock: list[float]) -> None:
    store = MemoryStore()

    def test(xs: list[int]) -> None:
        clock[0] += 0.05
        raise [ValueError, KeyError, TypeError][len(xs) % 3]

    lists = gen.lists(gen.integers())
    check(test, lists, database=store, seed=0, max_examples=30)
    for seed in range(3):
        clock[0] = 0.0
        report = check(test, lists, database=store, seed=seed, max_seconds=LIMIT)
        assert report.status == "failed" and report.failures[0].blob
        assert clock[0] < SHOWN * LIMIT + 0.1


def test_explicit_examples_end_in_time_and_the_report_says_how_many_were_run(clock: list[float]) -> None:
    def slow(n: int) -> None:
        clock[0] += 0.1

    whole = settings(database=None, max_seconds=LIMIT)(given(gen.integers())(slow))
    for number in range(100):
        whole = example(number)(whole)
    report = check(whole)
    assert clock[0] < 1.5 * LIMIT
    assert (report.status, report.examples) == ("passed", 10)
    assert "only 10 of 100 explicit examples were run" in str(report)


def test_a_failure_ends_exploring_early_so_that_there_is_time_to_shrink(clock: list[float]) -> None:
    def test(xs: list[int]) -> None:
        clock[0] += 0.01
        assert sum(xs) < 100

    report = check(test, gen.lists(gen.integers(0, 99)), max_seconds=LIMIT, database=None, seed=0)
    assert report.counterexample is not None and sum(report.counterexample[0]) == 100
    assert "max_seconds" not in report.stopped


def test_shrinking_that_is_cut_short_says_so_and_shows_the_error_of_what_is_shown(clock: list[float]) -> None:
    def test(xs: list[int]) -> None:
        clock[0] += 0.13
        assert sum(xs) < 100, f"the sum is {sum(xs)}"

    report = check(test, gen.lists(gen.integers(0, 99)), max_seconds=LIMIT, database=None, seed=0)
    (failure,) = report.failures
    assert "ran out of time" in str(report)
    assert not failure.idle
    assert str(failure.error).startswith(f"the sum is {sum(failure.arguments['xs'])}")
    assert clock[0] < 1.5 * LIMIT


def test_a_machine_is_interrupted_between_two_steps(clock: list[float]) -> None:
    class Machine(RuleBasedStateMachine):
        seen = 0

        @rule(n=gen.integers())
        def step(self, n: int) -> None:
            clock[0] += 0.1
            self.seen += 1
            assert self.seen < 12

    report = check(Machine, max_seconds=LIMIT, database=None, seed=0)
    assert clock[0] < 1.5 * LIMIT
    assert report.status in ("passed", "failed", "gave_up")


@pytest.mark.parametrize("options", [{"statistics": True}, {"observe": True}], ids=str)
def test_inputs_that_are_slow_to_print_for_lines_or_statistics(
    clock: list[float], tmp_path: Path, options: dict[str, Any]
) -> None:
    def slow(value: Any) -> Any:
        clock[0] += 0.03
        return value

    if "observe" in options:
        options = {"observe": tmp_path}
    made = gen.lists(gen.integers(0, 9).map(lambda n: Shown(n, slow)), min_size=50)
    for seed in range(3):
        clock[0] = 0.0
        check(always_fails, made, max_seconds=LIMIT, database=None, seed=seed, **options)
        assert clock[0] < 1.5 * LIMIT


def test_inputs_of_a_batch_that_are_slow_to_print_for_lines(clock: list[float], tmp_path: Path) -> None:
    shown: list[Any] = []
    tests: list[Any] = []

    def slow_later(value: Any) -> Any:
        shown.append(value)
        clock[0] += 0.03 * (len(shown) > 15_000)  # when tests are run in batches
        return value

    made = gen.lists(gen.integers(0, 9).map(lambda n: Shown(n, slow_later)), min_size=50)
    report = check(
        tests.append, made, explore=Random(), max_seconds=LIMIT, database=None, seed=1, observe=tmp_path
    )
    assert len(shown) > 15_000 and clock[0] < 1.5 * LIMIT
    assert report.examples == len(tests) and report.status == "passed"


@pytest.mark.parametrize(
    "made",
    [
        lambda slow: gen.integers(0, 999).map(slow),
        lambda slow: gen.tuples(gen.integers(0, 10**6).filter(lambda n: slow(n) >= 0), gen.booleans()),
        lambda slow: gen.integers(0, 10**6).filter(lambda n: slow(n) >= 0),
        lambda slow: gen.integers(0, 10**6).map(slow).filter(lambda n: n >= 0),
    ],
    ids=["map", "filter inside", "filter", "map and filter"],
)
@pytest.mark.parametrize("explore", [None, Random()], ids=str)
def test_a_batch_of_slow_inputs_ends_in_time(
    clock: list[float], made: Callable[..., gen.Gen[Any]], explore: Random | None
) -> None:
    def slow(value: Any) -> Any:
        clock[0] += 0.05
        return value

    check(lambda value: None, made(slow), max_seconds=5 * LIMIT, database=None, seed=1, explore=explore)
    assert clock[0] < 5.5 * LIMIT


def slow_to_count(slow: Callable[[Any], Any]) -> dict[str, gen.Gen[Any]]:
    """Generators whose values can be counted if user functions are called often."""
    return {
        "flatmaps": gen.integers(0, 999).flatmap(lambda n: slow(gen.integers(0, n))),
        "flatmaps to constants": gen.integers(0, 999).flatmap(lambda n: slow(gen.just(n))),
        "keys": gen.lists(gen.integers(0, 999), unique_by=slow, max_size=2),
        "filters": gen.integers(0, 999).filter(lambda n: slow(n) >= 0),
        "filtered maps": gen.integers(0, 999).map(slow).filter(lambda n: n >= 0),
        "conditions on parts": gen.tuples(
            gen.integers(0, 299).filter(lambda n: slow(n) >= 0), gen.booleans()
        ),
    }


@pytest.mark.parametrize("kind", slow_to_count(lambda value: value))
@pytest.mark.parametrize("options", [{"max_seconds": 5 * LIMIT, "seed": 1}, {}], ids=["limited", "usual"])
def test_finding_out_whether_all_values_can_be_tested_leaves_time_for_tests(
    clock: list[float], kind: str, options: dict[str, Any]
) -> None:
    def slow(value: Any) -> Any:
        clock[0] += 0.05
        return value

    before: list[float] = []

    def test(value: Any) -> None:
        before.append(clock[0])

    report = check(test, slow_to_count(slow)[kind], database=None, **options)
    share = options.get("max_seconds", LIMIT) / 10
    assert before[0] < 2 * share + 0.3  # counting, and seeing how often filters reject
    assert report.examples >= 10
    assert not report.exhaustive and "exhaustive" not in str(report)


@pytest.mark.parametrize("kind", slow_to_count(lambda value: value))
def test_planning_a_covering_array_leaves_time_for_tests(clock: list[float], kind: str) -> None:
    def slow(value: Any) -> Any:
        clock[0] += 0.05
        return value

    before: list[float] = []

    def test(*values: Any) -> None:
        before.append(clock[0])

    made = slow_to_count(slow)[kind]
    other = slow_to_count(slow)["filters"]
    report = check(test, made, other, explore=Covering(), max_seconds=5 * LIMIT, database=None, seed=1)
    assert before[0] < 2 * LIMIT
    assert not report.exhaustive and report.examples >= 5


@pytest.mark.parametrize("kind", slow_to_count(lambda value: value))
@pytest.mark.parametrize("options", [{"max_seconds": 5 * LIMIT}, {}], ids=["limited", "default"])
def test_a_busy_machine_does_not_change_what_is_tested_if_user_functions_are_quick(
    clock: list[float], monkeypatch: pytest.MonkeyPatch, kind: str, options: dict[str, Any]
) -> None:
    def covered() -> str:
        made = slow_to_count(lambda value: value)[kind]
        return check(lambda value: None, made, database=None, **options).covered

    quiet = covered()

    def read() -> float:
        clock[0] += 0.0001  # everything takes long
        return clock[0]

    monkeypatch.setattr(time, "perf_counter", read)
    assert covered() == quiet


def test_a_run_with_a_seed_tests_all_values_however_long_it_takes_to_count_them(clock: list[float]) -> None:
    def slow(value: Any) -> Any:
        clock[0] += 0.05
        return value

    assert check(lambda n: None, slow_to_count(slow)["filters"], database=None, seed=1).exhaustive
