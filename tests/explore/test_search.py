"""Targeted search: the promises of every search, whatever the problem."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from everycase import (
    Phase,
    assume,
    check,
    errors,
    exists,
    find,
    gen,
    maximize,
    minimize,
    not_exists,
    reject,
    reset_search,
)
from everycase.choices.neighbor.rules import Manner
from everycase.choices.trace import Trace
from everycase.explore import Anneal, Auto, Climb, Explorer
from everycase.explore.protocol import Space
from everycase.explore.targeted.anneal import Cooling

SEARCHES: list[Explorer] = [
    Climb(),
    Anneal(),
    Anneal(schedule="linear"),
    Anneal(schedule="fast"),
    Anneal(schedule="very_fast"),
    Anneal(schedule="reheat"),
    Auto(),
]
every_search = pytest.mark.parametrize("search", SEARCHES, ids=repr)

letters = gen.lists(gen.sampled_from("abcdefghijklmnop"), min_size=10, max_size=10)
GOAL = list("paddlefish"[:10].replace("s", "o"))


def right_letters(word: list[str]) -> int:
    return sum(a == b for a, b in zip(word, GOAL))


def inputs_of(test: Callable[[Any], float], inputs: gen.Gen[Any], **options: Any) -> list[Any]:
    """Every input that a run tests, in order."""
    seen: list[Any] = []

    def watched(value: Any) -> None:
        seen.append(repr(value))
        test(value)

    check(watched, inputs, database=None, phases=[Phase.explore], **options)
    return seen


@pytest.mark.slow
@every_search
def test_it_finds_what_random_testing_cannot(search: Explorer) -> None:
    def misses(word: list[str]) -> None:
        right = right_letters(word)
        maximize(right)
        assert right < 9  # chance: about 151 in 16 ** 10

    for seed in range(3):
        report = check(misses, letters, explore=search, max_examples=20_000, seed=seed, database=None)
        assert report.status == "failed"
        assert report.failed_at is not None and report.best[""] >= 9


@every_search
def test_the_seed_decides_every_test(search: Explorer) -> None:
    first = inputs_of(
        lambda word: maximize(right_letters(word)), letters, explore=search, seed=3, max_examples=200
    )
    again = inputs_of(
        lambda word: maximize(right_letters(word)), letters, explore=search, seed=3, max_examples=200
    )
    other = inputs_of(
        lambda word: maximize(right_letters(word)), letters, explore=search, seed=4, max_examples=200
    )
    assert first == again != other


@pytest.mark.parametrize("search", [Climb(), Anneal(), Auto()], ids=repr)
@pytest.mark.parametrize("factor", [0.001, 1000])
def test_the_scale_of_the_utility_does_not_matter(search: Explorer, factor: float) -> None:
    inputs = gen.lists(gen.integers(0, 10**6))
    runs = [
        inputs_of(
            lambda xs, by=by: maximize(by * len({x % 50 for x in xs})),
            inputs,
            explore=search,
            seed=1,
            max_examples=400,
        )
        for by in (1, factor)
    ]
    assert runs[0] == runs[1]


def test_minimizing_is_maximizing_the_opposite() -> None:
    down = inputs_of(
        lambda word: minimize(-right_letters(word)), letters, explore=Climb(), seed=0, max_examples=300
    )
    up = inputs_of(
        lambda word: maximize(right_letters(word)), letters, explore=Climb(), seed=0, max_examples=300
    )
    assert down == up


def test_best_and_trajectory_are_as_the_test_gave_them() -> None:
    report = check(
        lambda n: minimize(abs(n - 1234), "distance"), gen.integers(), explore=Climb(), seed=0, database=None
    )
    assert report.best == {"distance": 0}
    numbers = [number for number, _, _ in report.trajectory]
    values = [value for _, _, value in report.trajectory]
    assert numbers == sorted(set(numbers)) and numbers[0] == 1
    assert values == sorted(set(values), reverse=True) and values[-1] == 0
    assert f"best distance: 0 at test {numbers[-1]:,}" in str(report)


def test_the_first_value_is_tested_and_search_begins_with_it() -> None:
    for search in (Climb(), Anneal()):
        report = check(
            lambda word: maximize(right_letters(word)), letters, explore=search, seed=0, database=None
        )
        assert report.trajectory[0][0] == 1


def test_a_discarded_test_still_teaches() -> None:
    def only_complete_words(word: list[str]) -> None:
        right = right_letters(word)
        maximize(right)
        assume(right == 10)
        raise AssertionError

    report = check(only_complete_words, letters, explore=Climb(), seed=0, max_examples=3000, database=None)
    assert report.status == "failed"
    assert report.counterexample == (GOAL,)


def test_what_a_crash_reports_before_it_is_used() -> None:
    def gets_far(word: list[str]) -> None:
        for step, (letter, wanted) in enumerate(zip(word, GOAL)):
            maximize(step)
            if letter != wanted:
                reject()
        raise AssertionError

    report = check(gets_far, letters, explore=Climb(), seed=0, max_examples=3000, database=None)
    assert report.status == "failed"


@pytest.mark.slow
def test_several_labels_are_several_goals() -> None:
    def conflict(pair: tuple[int, int]) -> None:
        maximize(pair[0] - pair[1], "left")
        maximize(pair[1] - pair[0], "right")

    pairs = gen.tuples(gen.integers(0, 10**4), gen.integers(0, 10**4))
    report = check(conflict, pairs, explore=Climb(), seed=0, max_examples=2000, database=None)
    assert report.best["left"] > 9900 and report.best["right"] > 9900


def test_the_best_of_each_label_is_what_neighbours_are_compared_with() -> None:
    """Some of them are neighbours of other inputs that are kept; the best input is not replaced by a worse one."""
    compared: dict[bool, list[float]] = {True: [], False: []}

    class Watched(Climb):
        def accept(self, state: Any, before: float, now: float, random: Callable[[], float]) -> bool:
            compared[before > 0].append(before)
            return super().accept(state, before, now, random)

    def test(n: int) -> None:
        maximize(n, label="large")
        maximize(-n, label="small")

    search = Watched(restart=10**6, line_search=False, fresh=False)
    check(test, gen.integers(1, 10**6), explore=search, max_examples=300, database=None)
    for befores in compared.values():
        assert len(befores) > 50
        assert befores == sorted(befores)


def test_a_label_said_twice_counts_once() -> None:
    def twice(n: int) -> None:
        maximize(n)
        maximize(-n)

    report = check(twice, gen.integers(-100, 10**4), explore=Climb(), seed=0, database=None)
    assert report.best[""] == 10**4


def test_reset_begins_again() -> None:
    lengths: list[int] = []

    def grows(xs: list[bool]) -> None:
        lengths.append(len(xs))
        maximize(len(xs))
        if len(xs) > 100:
            reset_search()

    check(grows, gen.lists(gen.booleans()), explore=Climb(), seed=0, max_examples=3000, database=None)
    resets = [i for i, n in enumerate(lengths[:-1]) if n > 100]
    assert len(resets) > 1
    assert all(lengths[i + 1] <= 64 for i in resets)


def test_auto_searches_from_the_first_utility_on() -> None:
    def misses(word: list[str]) -> None:
        maximize(right_letters(word))
        assert right_letters(word) < 9

    assert check(misses, letters, seed=0, max_examples=3000, database=None).status == "failed"


def test_auto_without_utilities_is_random_testing() -> None:
    from everycase.explore import Random

    runs = [
        inputs_of(lambda xs: None, gen.lists(gen.integers()), explore=search, seed=2, max_examples=100)
        for search in (Auto(), Random())
    ]
    assert runs[0] == runs[1]


def test_a_search_without_utilities_goes_on_at_random() -> None:
    assert len(set(inputs_of(lambda xs: None, letters, explore=Climb(), seed=0, max_examples=50))) == 50


def test_among_equals_a_valid_test_is_not_left_for_a_discarded_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("everycase.explore.targeted.search.KNOWN_IN_A_ROW", 0)  # every step is a test
    valid: list[bool] = []
    bases: list[bool] = []

    class Watched(Climb):
        def accept(self, state: Any, before: float, now: float, random: Callable[[], float]) -> bool:
            if valid[-1] or not bases or not bases[-1]:
                bases.append(valid[-1])
                return True
            raise AssertionError("asked to leave a valid value")

    def test(n: int) -> None:
        maximize(7)
        valid.append(n % 2 == 0)
        assume(valid[-1])

    # a single search: a second one would have its own base
    explorer = Watched(line_search=False, restart=10**9)
    check(test, gen.integers(0, 10**6), explore=explorer, seed=0, database=None)
    assert valid.count(False) > 100 and bases.count(True) > 100


def test_lists_grow_as_often_as_they_are_told_to() -> None:
    inputs = gen.tuples(gen.lists(gen.integers(0, 9), min_size=0, max_size=100))
    space = Space(inputs, 0, 1000)
    trace = inputs.replay(Trace.from_json([[n % 10 for n in range(50)]]))

    def change(growth: float) -> float:
        cases = [space.neighbor(trace, 1.0, Manner(growth)) for _ in range(300)]
        return sum(len(case.args[0]) - 50 for case in cases if case.args is not None) / 300

    assert change(0.9) > 0.2 > abs(change(0.5)) and change(0.1) < -0.2


def test_a_search_that_took_long_is_given_more_time() -> None:
    """Bits for which only whole blocks are rewarded: each block takes longer than the initial patience of a search."""

    def whole_blocks(bits: list[bool]) -> None:
        whole = sum(all(bits[i : i + 6]) for i in range(0, 24, 6))
        maximize(whole)
        assert whole < 4

    inputs = gen.lists(gen.booleans(), min_size=24, max_size=24)
    for seed in range(3):
        report = check(
            whole_blocks, inputs, explore=Climb(restart=50), seed=seed, max_examples=20_000, database=None
        )
        assert report.status == "failed"


# --- user-defined schedules and strategies --------------------------------------------------------------


def test_a_schedule_of_ones_own() -> None:
    asked: list[bool] = []

    def half(cooling: Cooling, accepted: bool) -> None:
        asked.append(accepted)
        cooling.temperature = 0.5

    check(
        lambda word: maximize(right_letters(word)),
        letters,
        explore=Anneal(schedule=half),
        seed=0,
        max_examples=100,
        database=None,
    )
    assert True in asked and False in asked


def test_a_strategy_of_ones_own() -> None:
    asked: list[tuple[float, float]] = []

    class Downhill(Climb):
        """Moves to any input that is at most one letter worse."""

        def accept(self, state: Any, before: float, now: float, random: Callable[[], float]) -> bool:
            asked.append((before, now))
            return now > before - 1.5

    check(
        lambda word: maximize(right_letters(word)),
        letters,
        explore=Downhill(restart=10**6, fresh=False),
        seed=0,
        database=None,
    )
    assert any(now == before - 1 for before, now in asked)
    for (before, now), (then, _) in pairwise(asked):
        assert then == (now if now > before - 1.5 else before)


def test_the_papers_temperatures() -> None:
    from everycase.explore.targeted.anneal import fast, linear, reheat, very_fast

    cooling = Cooling(100)
    linear(cooling, True)
    assert cooling.temperature == pytest.approx(0.99)
    cooling = Cooling(100)
    for _ in range(25):
        very_fast(cooling, True)
    assert cooling.temperature == pytest.approx(0.5)
    for schedule, jump in ((fast, 7), (reheat, 25)):
        cooling = Cooling(10**6)
        for _ in range(40):
            schedule(cooling, True)
        assert cooling.clock == 40 and cooling.temperature == pytest.approx(0.1)
        cooling.rejected = 6
        schedule(cooling, False)
        assert cooling.clock == 40 - jump


# --- exists, find ---------------------------------------------------------------------------------------


def near_goal(word: list[str]) -> bool:
    maximize(right_letters(word))
    return right_letters(word) >= 9


def test_find_and_exists_search() -> None:
    assert right_letters(find(letters, near_goal, seed=0, max_examples=5000)) >= 9
    assert right_letters(exists(letters, near_goal, seed=0, max_examples=5000, explore=Anneal())) >= 9
    with pytest.raises(errors.WitnessFound):
        not_exists(letters, near_goal, seed=0, max_examples=5000)


def test_searches_nest() -> None:
    def inner_sum_is_reached(n: int) -> None:
        maximize(n)
        found = exists(
            gen.tuples(gen.integers(0, 10**5), gen.integers(0, 10**5)),
            lambda pair: (minimize(abs(sum(pair) - n)), sum(pair) == n)[1],
            max_examples=3000,
        )
        assert sum(found) == n

    report = check(
        inner_sum_is_reached, gen.integers(0, 10**5), explore=Climb(), seed=0, max_examples=20, database=None
    )
    assert report.status == "passed" and set(report.best) == {""}


# --- shrinking ------------------------------------------------------------------------------------------


def long_enough(xs: list[int]) -> None:
    maximize(len(xs), "length")
    assert len(xs) < 5


def test_shrinking_can_keep_the_utility() -> None:
    inputs = gen.lists(gen.integers(0, 9), min_size=20)
    options: dict[str, Any] = {"explore": Climb(), "seed": 0, "database": None}
    plain = check(long_enough, gen.lists(gen.integers(0, 9)), **options)
    assert plain.counterexample == ([0] * 5,)
    bounded = check(long_enough, gen.lists(gen.integers(0, 9)), keep_utility=9, **options)
    assert bounded.first is not None
    assert bounded.counterexample in ([([0] * n,) for n in range(5, 10)])
    kept = check(long_enough, inputs, keep_utility=True, **options)
    assert kept.first is not None and kept.counterexample is not None
    assert len(kept.counterexample[0]) == kept.first.utilities["length"] >= 20
    assert set(kept.counterexample[0]) == {0}


def test_keeping_a_minimum() -> None:
    def far(n: int) -> None:
        minimize(n, "n")
        assert n > -100

    report = check(
        far, gen.integers(-(10**6), 10**6), explore=Climb(), seed=0, database=None, keep_utility=-200
    )
    assert report.counterexample is not None and report.counterexample[0] <= -100
    assert report.first is not None and report.first.utilities["n"] == report.counterexample[0]


def test_opaque_inputs_are_said_not_to_be_shrunk() -> None:
    hidden = gen.lists(gen.integers(0, 9)).map(sorted).with_neighbor(lambda xs, temperature: [*xs, 9, 9])
    report = check(
        lambda xs: (maximize(sum(xs)), sum(xs) < 2000)[1], hidden, explore=Climb(), seed=0, database=None
    )
    assert report.status == "failed" and report.blob is None
    assert "not shrunk, because a hand-written neighbourhood made it" in str(report)


@pytest.mark.parametrize(
    "first",
    [
        gen.integers(0, 9).map(str) | gen.booleans().map(str),
        gen.recursive(gen.floats(0, 1).map(str), lambda part: gen.tuples(part, part).map(str)),
        gen.just("") | gen.text("ab", max_size=3),
    ],
    ids=["union", "recursion", "text"],
)
def test_opaque_parts_are_left_alone_by_the_shrinker_and_the_rest_is_shrunk(first: gen.Gen[str]) -> None:
    grows = gen.targeted(first=first, next=lambda text, temperature: text + "x")
    inputs = gen.tuples(
        gen.recursive(grows, lambda part: gen.tuples(part, part).map(str)), gen.integers(0, 99)
    )

    def test(pair: tuple[str, int]) -> None:
        maximize(pair[0].count("x"))
        assert pair[0].count("x") < 12

    report = check(test, inputs, explore=Climb(), seed=0, database=None)
    assert report.status == "failed" and report.counterexample is not None
    assert report.counterexample[0][1] == 0


def test_an_opaque_number_is_left_alone_by_the_shrinker() -> None:
    grows = gen.targeted(first=gen.integers(0, 9), next=lambda n, temperature: n + 1)

    def test(pair: tuple[int, list[int]]) -> None:
        maximize(pair[0])
        assert pair[0] < 30

    inputs = gen.tuples(grows, gen.lists(gen.integers(0, 9)))
    report = check(test, inputs, explore=Climb(), seed=0, database=None)
    assert report.status == "failed" and report.counterexample == ((30, []),)


# --- misuse ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("utility", "says"),
    [(float("nan"), "finite"), (float("inf"), "finite"), ("3", "number"), (True, "number"), (None, "number")],
)
def test_utilities_must_be_finite_numbers(utility: Any, says: str) -> None:
    report = check(lambda n: maximize(utility), gen.integers(), explore=Climb(), database=None, seed=0)
    assert isinstance(report.error, errors.InvalidArgument) and says in str(report.error)


def test_a_label_is_either_maximized_or_minimized() -> None:
    def both(n: int) -> None:
        maximize(n, "n")
        minimize(n, "n")

    report = check(both, gen.integers(), explore=Climb(), database=None, seed=0)
    assert "both maximized and minimized" in str(report.error)


def test_outside_of_a_run() -> None:
    with pytest.raises(errors.OutsideRun, match="maximize was called while no property was running"):
        maximize(1)


@pytest.mark.parametrize(
    ("misuse", "says"),
    [
        (lambda: Anneal(schedule="slow"), "adaptive"),
        (lambda: Anneal(schedule=3), "schedule"),
        (lambda: Climb(restart=0), "restart"),
        (lambda: Climb(ties="yes"), "ties"),
        (lambda: Climb(line_search=1), "line_search"),
        (lambda: Climb(fresh=1), "fresh"),
    ],
)
def test_misuse_of_the_explorers(misuse: Any, says: str) -> None:
    with pytest.raises(errors.InvalidArgument, match=says):
        misuse()
