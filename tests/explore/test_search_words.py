"""The user interface of a search: utilities, user-defined rules and schedules, reports."""

from __future__ import annotations

import contextvars
import math
import warnings
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

from everycase import Phase, assume, check, errors, exists, find, gen, given, maximize, minimize, reset_search
from everycase.explore import Anneal, Auto, Climb, Explorer, Narrow, Random
from everycase.explore.targeted.anneal import Cooling
from everycase.stateful import RuleBasedStateMachine, rule

OPTIONS: dict[str, Any] = {"seed": 0, "database": None, "max_examples": 300}


# --- numbers --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [int, float, Decimal, Fraction])
def test_every_kind_of_number_is_a_utility(kind: Any) -> None:
    report = check(lambda n: maximize(kind(n)), gen.integers(0, 10**6), explore=Climb(), **OPTIONS)
    assert report.best == {"": 10**6}


@pytest.mark.parametrize(
    ("utility", "says"),
    [
        (10**400, "too large"),
        (-(10**400), "too large"),
        (Fraction(10**400), "too large"),
        (Decimal("1e999"), "finite"),
        (Decimal("NaN"), "finite"),
        (Decimal("sNaN"), "finite"),
        (3j, "number"),
        ([1], "number"),
    ],
    ids=repr,
)
@pytest.mark.parametrize("say", [maximize, minimize])
def test_what_no_search_can_compare(say: Any, utility: Any, says: str) -> None:
    report = check(lambda n: say(utility), gen.integers(), explore=Climb(), **OPTIONS)
    assert isinstance(report.error, errors.InvalidArgument)
    assert says in str(report.error) and say.__name__ in str(report.error)
    assert len(str(report.error)) < 300


def test_a_thread_says_what_to_do_and_it_works() -> None:
    def in_a_pool(n: int) -> None:
        with ThreadPoolExecutor(1) as pool:
            pool.submit(maximize, n).result()

    def in_the_context(n: int) -> None:
        with ThreadPoolExecutor(1) as pool:
            pool.submit(contextvars.copy_context().run, maximize, n).result()

    numbers = gen.integers(0, 10**6)
    options = OPTIONS | {"max_examples": 60}
    refused = check(in_a_pool, numbers, **options)
    assert isinstance(refused.error, errors.OutsideRun)
    assert "contextvars.copy_context().run" in str(refused.error)
    assert check(in_the_context, numbers, **options).best == {"": 10**6}


def test_a_generator_that_reports_a_utility_is_warned_of() -> None:
    said_in_a_map = gen.integers(0, 10**6).map(lambda n: (maximize(n), n)[1])
    report = check(lambda n: None, said_in_a_map, **OPTIONS)
    assert report.best == {}
    assert len(report.warnings) == 1
    assert "maximize" in report.warnings[0] and "in the test" in report.warnings[0]
    assert check(lambda n: maximize(n), gen.integers(0, 10**6), **OPTIONS).warnings == []


# --- the report -----------------------------------------------------------------------------------------


def test_the_report_shows_whole_numbers_whole() -> None:
    report = check(
        lambda n: (maximize(n), n < 999_999)[1], gen.integers(0, 10**6), explore=Climb(), **OPTIONS
    )
    assert "utility: 999,999\n" in str(report)
    assert "best utility: 1,000,000 at test" in str(report)
    halves = check(lambda n: maximize(n / 2 + 0.25), gen.integers(0, 3), **OPTIONS)
    assert "best utility: 1.75 at test" in str(halves)


def test_the_report_knows_when_the_best_was_reached() -> None:
    reached: list[int] = []

    def test(n: int) -> None:
        reached.append(n)
        maximize(n, "up")
        minimize(n % 1000, "down")

    report = check(test, gen.integers(0, 10**6), explore=Climb(), **OPTIONS)
    assert report.best_at == {
        "up": 1 + reached.index(max(reached)),
        "down": 1 + [n % 1000 for n in reached].index(0),
    }
    assert report.to_json()["best_at"] == report.best_at


def test_discarded_inputs_are_counted_in_words_of_their_own() -> None:
    def test(n: int) -> None:
        maximize(n)
        assume(n > 500_000)

    report = check(test, gen.integers(0, 10**6), explore=Climb(), **OPTIONS)
    assert report.discarded
    assert f"at input {report.best_at['']:,} of {report.examples + report.discarded:,}" in str(report)


# --- shrinking with the utility -------------------------------------------------------------------------


def too_many(xs: list[int]) -> None:
    maximize(len(xs), "length")
    maximize(sum(xs), "sum")
    assert sum(xs) < 30


def test_a_bound_for_one_label_of_several() -> None:
    inputs = gen.lists(gen.integers(0, 9))
    for seed in range(20):
        options = {**OPTIONS, "seed": seed}
        report = check(too_many, inputs, explore=Climb(), keep_utility={"sum": 40}, **options)
        assert report.first is not None
        if report.first.utilities["sum"] >= 40:  # otherwise the first failure was not beyond the bound
            assert report.first.utilities == {"length": 5, "sum": 40}
            return
    raise AssertionError("no seed found a sum beyond the bound")


@pytest.mark.parametrize(
    ("bound", "says"),
    [
        (math.nan, "finite"),
        ({"sum": math.inf}, "finite"),
        ({3: 4}, "label"),
        ({"sum": "x"}, "number"),
        ("x", "number"),
    ],
)
def test_bounds_that_make_no_sense(bound: Any, says: str) -> None:
    with pytest.raises(errors.InvalidArgument, match=says):
        check(too_many, gen.lists(gen.integers(0, 9)), keep_utility=bound, **OPTIONS)


def test_a_bound_for_a_label_that_nobody_reports_is_warned_of() -> None:
    report = check(too_many, gen.lists(gen.integers(0, 9)), keep_utility={"sums": 40}, **OPTIONS)
    assert any("sums" in warning and "length, sum" in warning for warning in report.warnings)


# --- user-defined schedules and rules -------------------------------------------------------------------


def test_a_schedule_sees_what_the_papers_give_it() -> None:
    seen: list[tuple[float, float, bool, float, int, int]] = []

    def watched(cooling: Cooling, accepted: bool) -> None:
        cooling.clock += 1
        seen.append(
            (cooling.before, cooling.now, accepted, cooling.temperature, cooling.clock, cooling.budget)
        )
        cooling.temperature = 0.5

    check(
        lambda xs: maximize(sum(xs)),
        gen.lists(gen.integers(0, 9)),
        explore=Anneal(schedule=watched),
        **OPTIONS,
    )
    assert {budget for *_, budget in seen} == {300}
    assert [clock for *_, clock, _ in seen] == list(range(1, len(seen) + 1))
    assert all(accepted for before, now, accepted, *_ in seen if now >= before)
    assert any(not accepted for _, _, accepted, *_ in seen)
    assert {temperature for _, _, _, temperature, _, _ in seen} == {1.0, 0.5}


@pytest.mark.parametrize("temperature", ["hot", math.nan, 7, -0.1, None, True], ids=repr)
def test_a_temperature_must_be_between_0_and_1(temperature: Any) -> None:
    def wrong(cooling: Cooling, accepted: bool) -> None:
        cooling.temperature = temperature

    with pytest.raises(errors.InvalidArgument, match=r"schedule.*wrong.*between 0 and 1"):
        check(
            lambda xs: maximize(sum(xs)),
            gen.lists(gen.integers(0, 9)),
            explore=Anneal(schedule=wrong),
            **OPTIONS,
        )


def test_functions_that_take_other_arguments_are_refused_at_once() -> None:
    with pytest.raises(errors.InvalidArgument, match="cooling, accepted"):
        Anneal(schedule=lambda cooling: None)  # type: ignore[arg-type]
    with pytest.raises(errors.InvalidArgument, match="value, temperature"):
        gen.integers().with_neighbor(lambda value: value)  # type: ignore[arg-type]
    with pytest.raises(errors.InvalidArgument, match="value, temperature"):
        gen.targeted(first=gen.integers(), next=lambda: 3)  # type: ignore[arg-type]
    gen.integers().with_neighbor(max)  # builtins do not tell which arguments they take


@gen.composite
def up_to_two_more(draw: gen.Draw, value: int, temperature: float) -> int:
    return value + draw(gen.integers(0, 2))


def test_a_composite_is_a_neighbourhood() -> None:
    numbers = gen.integers(0, 10**9).with_neighbor(up_to_two_more)
    assert {numbers.neighbor(5, 1.0, seed=seed) for seed in range(20)} == {5, 6, 7}


def test_a_wide_number_with_a_rule_of_its_own_moves_only_by_that_rule() -> None:
    """Line search must not move values whose moves the user has described."""
    seen: list[int] = []

    def test(n: int) -> None:
        seen.append(n)
        maximize(n)

    by_one = gen.integers(0, 10**6).with_neighbor(lambda n, temperature: min(10**6, n + 1))
    check(test, by_one, explore=Climb(restart=10**6, fresh=False), **OPTIONS)
    assert [b - a for a, b in pairwise(seen)] == [1] * 299


def test_a_fresh_part_is_drawn_for_every_test_of_a_line_search() -> None:
    numbers = gen.lists(gen.integers(0, 10**12), min_size=5, max_size=5)
    pairs = gen.tuples(gen.integers(0, 10**6), numbers.fresh())
    seen: list[list[int]] = []

    def test(pair: tuple[int, list[int]]) -> None:
        seen.append(pair[1])
        maximize(-abs(pair[0] - 123_456))

    report = check(test, pairs, explore=Climb(), **OPTIONS)
    assert report.best[""] == 0
    assert len({tuple(fresh) for fresh in seen}) == 300


def test_reset_ends_a_line_search() -> None:
    seen: list[int] = []

    def test(n: int) -> None:
        seen.append(n)
        maximize(n)
        if n > 10**8:
            reset_search()

    check(test, gen.integers(0, 10**9), explore=Climb(), seed=0, database=None, max_examples=500)
    resets = [(a, b) for a, b in pairwise(seen) if a > 10**8]
    assert len(resets) > 50
    # About half of the numbers that a line search tries are near its base; hardly any fresh number is.
    assert sum(0 < abs(a - b) < 1000 for a, b in resets) < len(resets) / 20


# --- Auto -----------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_auto_searches_also_after_it_began_to_prune() -> None:
    """The first valid inputs come from pruning; the search climbs from there."""
    best: list[int] = []

    @given(gen.lists(gen.integers(0, 100), min_size=6, max_size=6)).where(lambda xs: xs == sorted(xs))
    def test(xs: list[int]) -> None:
        maximize(xs[0])

    for seed in range(3):
        report = check(test, seed=seed, database=None, max_examples=500)
        best.append(int(report.best[""]))
    assert min(best) > 50


# --- witnesses ------------------------------------------------------------------------------------------


def test_a_witness_by_any_explorer() -> None:
    def is_far(n: int) -> bool:
        maximize(n)
        return n > 999_000

    for search in (Climb(), Anneal(), Random(), None):
        options = {} if search is None else {"explore": search}
        assert find(gen.integers(0, 10**6), is_far, seed=0, max_examples=20_000, **options) == 999_001
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        longest = find(
            gen.lists(gen.integers(0, 9)),
            lambda xs: (maximize(len(xs)), len(xs) > 3)[1],
            explore=Narrow(),
            seed=0,
        )
    assert longest == [0, 0, 0, 0]


def test_a_search_inside_a_search_keeps_its_utilities_to_itself() -> None:
    def test(n: int) -> None:
        maximize(n, "outer")

        def hits(value: int) -> bool:
            minimize(abs(value - n), "inner")
            return value == n

        assert exists(gen.integers(0, 10**6), hits) == n
        maximize(n + 1, "after")

    report = check(
        test, gen.integers(0, 10**6), seed=0, database=None, max_examples=20, phases=[Phase.explore]
    )
    assert report.status == "passed"
    assert set(report.best) == {"outer", "after"}


# --- strategies that go wrong ---------------------------------------------------------------------------


class Undecided(Climb):
    def accept(self, state: Any, before: float, now: float, random: Any) -> Any:
        return None


class Wordy(Climb):
    def accept(self, state: Any, before: float, now: float, random: Any) -> Any:
        return "no"


class Discards(Climb):
    def accept(self, state: Any, before: float, now: float, random: Any) -> Any:
        assume(False)


class TooHot(Climb):
    def temperature(self, state: Any) -> float:
        return 5


class NoBeginning(Climb):
    def begin(self, space: Any) -> Any:
        raise KeyError("where")


class Broken(Explorer):
    def explore(self, space: Any) -> Any:
        yield space.sample()
        self.give_up()

    def give_up(self) -> None:
        int("twelve")


class Nowhere(Explorer):
    def explore(self, space: Any) -> Any:
        yield space.neighbor(None, 1.0)


@pytest.mark.parametrize(
    ("search", "says"),
    [
        (Broken(), r"the explorer Broken\(\) raised ValueError: invalid literal"),
        (Nowhere(), r"space.neighbor needs a trace, such as case.trace, not None"),
        (Undecided(), "accept of Undecided returned None; it must return True or False"),
        (Wordy(), "accept of Wordy returned 'no'; it must return True or False"),
        (Discards(), "accept of Discards raised FailedAssumption"),
        (TooHot(), "temperature of TooHot returned 5; it must be a number between 0 and 1"),
        (NoBeginning(), "begin of NoBeginning raised KeyError: 'where'"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_strategy_that_goes_wrong_is_no_failure_of_the_test(search: Explorer, says: str) -> None:
    with pytest.raises(errors.InvalidArgument, match=says):
        check(lambda n: maximize(n), gen.integers(0, 10**6), explore=search, **OPTIONS)


def test_a_generator_that_raises_is_not_the_fault_of_the_explorer() -> None:
    class Plain(Explorer):
        def explore(self, space: Any) -> Any:
            while True:
                yield space.sample()

    report = check(lambda n: None, gen.integers(0, 9).map(lambda n: 1 // n), explore=Plain(), **OPTIONS)
    assert report.status == "failed" and isinstance(report.error, ZeroDivisionError)


@pytest.mark.parametrize("strategy", [Climb, Anneal])
def test_a_strategy_may_leave_out_the_options(strategy: type[Any]) -> None:
    class Bare(strategy):  # type: ignore[misc]
        def __init__(self) -> None:
            self.of_its_own = 1

    report = check(lambda n: maximize(n), gen.integers(0, 10**6), explore=Bare(), **OPTIONS)
    assert report.status == "passed" and report.best[""] == 10**6


def test_options_have_names() -> None:
    with pytest.raises(
        errors.InvalidArgument, match=r"Climb takes its options by name, as in Climb\(restart=100\)"
    ):
        Climb(100)
    with pytest.raises(
        errors.InvalidArgument, match="no option 'temperature'; its options are schedule, restart"
    ):
        Anneal(temperature=5)


# --- machines -------------------------------------------------------------------------------------------


class Account(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.balance = 0

    @rule(amount=gen.integers(1, 9))
    def deposit(self, amount: int) -> None:
        self.balance += amount
        maximize(self.balance, "balance")

    @rule()
    def fee(self) -> None:
        self.balance -= 1
        minimize(self.balance, "debt")


@pytest.mark.parametrize(
    "search", [Auto(), Climb(), Anneal(), Random()], ids=lambda search: type(search).__name__
)
def test_the_best_input_of_a_machine_is_a_program_that_gets_there(search: Any) -> None:
    report = check(Account, explore=search, **OPTIONS)
    assert set(report.best_input) == {"balance", "debt"}
    for label, (program,) in report.best_input.items():
        balance, reached = 0, []
        for name, given_to in program.steps:
            balance += int(given_to["amount"]) if name == "deposit" else -1
            if (name == "deposit") == (label == "balance"):
                reached.append(balance)
        assert (max if label == "balance" else min)(reached) == report.best[label]
        assert str(program).count("state.") == len(program.steps)


@pytest.mark.parametrize(
    "search", [Auto(), Climb(), Anneal(), Narrow(), Random()], ids=lambda search: type(search).__name__
)
def test_the_best_input_is_as_it_was_before_the_test_changed_it(search: Any) -> None:
    def empties(xs: list[int]) -> None:
        maximize(sum(xs), "sum")
        minimize(len(xs), "length")
        xs.clear()

    ascending = gen.lists(gen.integers(0, 9), max_size=8).filter(lambda xs: xs == sorted(xs))
    report = check(empties, ascending, explore=search, **OPTIONS)
    assert sum(report.best_input["sum"][0]) == report.best["sum"] > 0
    assert len(report.best_input["length"][0]) == report.best["length"]
    for utilities, (xs,) in report.front:
        assert utilities == {"sum": sum(xs), "length": len(xs)}


def test_labels_that_differ_from_test_to_test_are_not_called_the_same() -> None:
    def test(n: int) -> None:
        maximize(n % 5, f"remainder {n % 5}")

    report = check(test, gen.integers(0, 10**6), explore=Climb(), max_examples=200, seed=0, database=None)
    assert len(report.best) == 5
    assert not any("same utility" in warning for warning in report.warnings)


def test_an_error_in_a_hand_written_neighbourhood_is_no_failure_of_the_test() -> None:
    def test(n: int) -> None:
        maximize(n)

    numbers = gen.integers(0, 10**6).with_neighbor(lambda n, temperature: n // 0)
    with pytest.raises(errors.InvalidArgument, match=r"with_neighbor\(.*raised ZeroDivisionError"):
        check(test, numbers, explore=Climb(), max_examples=200, seed=0, database=None)
