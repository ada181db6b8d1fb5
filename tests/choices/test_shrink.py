"""Shrinking: the minimum each test is named for, and the laws that hold for every shrink."""

from __future__ import annotations

import math
import random
from datetime import date
from itertools import pairwise
from typing import Any

import pytest

from everycase import check, gen
from everycase.choices.dice import draw_size
from everycase.choices.enact import enact, replay
from everycase.choices.invert import trace_of
from everycase.choices.shrink.shrinker import Shrinker, Shrunk, order, shrink
from everycase.choices.time_limit import OutOfTime, until
from everycase.choices.trace import Trace
from everycase.errors import Discarded, InvalidArgument

SEEDS = range(8)


def failing(inputs: gen.Gen[Any], fails: Any, seed: int) -> Trace[Any]:
    dice = random.Random(seed).random
    while True:
        try:
            trace = enact(inputs, None, dice, draw_size(dice))
        except Discarded:
            continue
        if fails(trace.value):
            return trace


def shrunk(inputs: gen.Gen[Any], fails: Any, seed: int) -> Any:
    result = shrink(failing(inputs, fails, seed), lambda trace: bool(fails(trace.value)))
    assert result.reason == "minimal"
    return result.trace.value


@pytest.mark.parametrize("seed", SEEDS)
class TestMinimum:
    def test_a_sparse_filter_is_searched_for_its_next_value(self, seed: int) -> None:
        squares = gen.integers(0, 10**6).filter(lambda n: math.isqrt(n) ** 2 == n)
        assert shrunk(squares, lambda n: n >= 500, seed) == 529

    def test_the_last_day_of_a_long_month_is_that_of_january_2000(self, seed: int) -> None:
        assert shrunk(gen.dates(), lambda day: day.day == 31 and day.year >= 2000, seed) == date(2000, 1, 31)

    def test_a_leap_day_in_a_record_is_that_of_2000(self, seed: int) -> None:
        records = gen.tuples(gen.text(), gen.dates())
        assert shrunk(records, lambda r: (r[1].month, r[1].day) == (2, 29), seed) == ("", date(2000, 2, 29))

    def test_a_number_above_a_bound_is_the_bound(self, seed: int) -> None:
        assert shrunk(gen.integers(), lambda n: n >= 123456789, seed) == 123456789

    def test_a_number_below_a_bound_is_the_bound(self, seed: int) -> None:
        assert shrunk(gen.integers(), lambda n: n <= -1000, seed) == -1000

    def test_either_sign_gives_the_positive_number(self, seed: int) -> None:
        assert shrunk(gen.integers(), lambda n: abs(n) >= 77, seed) == 77

    def test_an_even_number_above_a_bound_is_the_next_even_one(self, seed: int) -> None:
        assert shrunk(gen.integers(0, 10**6), lambda n: n > 100 and n % 2 == 0, seed) == 102

    def test_a_long_list_is_as_long_as_it_must_be_and_of_zeros(self, seed: int) -> None:
        assert shrunk(gen.lists(gen.integers()), lambda xs: len(xs) >= 5, seed) == [0] * 5

    def test_an_unsorted_list_is_two_numbers(self, seed: int) -> None:
        assert shrunk(gen.lists(gen.integers()), lambda xs: xs != sorted(xs), seed) in ([0, -1], [1, 0])

    def test_a_deep_tree_is_one_path(self, seed: int) -> None:
        tree: gen.Gen[Any] = gen.deferred(lambda: gen.integers(0, 9) | gen.tuples(tree, tree))

        def depth(t: Any) -> int:
            return 1 + max(map(depth, t)) if isinstance(t, tuple) else 0

        assert shrunk(tree, lambda t: depth(t) >= 3, seed) == (0, (0, (0, 0)))

    def test_a_loop_of_a_composite_loses_whole_turns(self, seed: int) -> None:
        @gen.composite
        def pairs(draw: Any) -> list[tuple[int, bool]]:
            return [
                (draw(gen.integers(0, 50)), draw(gen.booleans())) for _ in range(draw(gen.integers(0, 9)))
            ]

        assert shrunk(pairs(), lambda ps: any(n > 30 and flag for n, flag in ps), seed) == [(31, True)]

    def test_a_multiple_of_seven_and_three_is_three(self, seed: int) -> None:
        assert shrunk(gen.integers(0, 10**9), lambda n: n % 7 == 3, seed) == 3

    def test_a_sum_is_in_the_last_number(self, seed: int) -> None:
        pairs = gen.tuples(gen.integers(0, 1000), gen.integers(0, 1000))
        assert shrunk(pairs, lambda p: sum(p) >= 900, seed) == (0, 900)

    def test_three_equal_numbers_are_lowered_together(self, seed: int) -> None:
        n = gen.integers(0, 30)
        assert shrunk(gen.tuples(n, n, n), lambda t: t[0] == t[1] == t[2] > 4, seed) == (5, 5, 5)

    def test_text_is_shrunk_to_simple_characters(self, seed: int) -> None:
        assert shrunk(gen.text(), lambda s: len(s) > 2, seed) == "000"

    def test_a_fraction_is_one_half(self, seed: int) -> None:
        assert shrunk(gen.floats(-1000, 1000), lambda x: x != int(x), seed) == 0.5

    def test_a_float_above_a_bound_is_the_next_whole_number(self, seed: int) -> None:
        assert shrunk(gen.floats(), lambda x: x > 1234.5, seed) == 1235.0

    def test_a_huge_float_is_the_least_that_is_huge(self, seed: int) -> None:
        assert shrunk(gen.floats(), lambda x: x >= 1e200, seed) == 1e200

    def test_an_expression_is_hoisted_out_of_those_around_it(self, seed: int) -> None:
        e = expressions()
        assert shrunk(e, lambda v: "'-'" in str(v), seed) == ("-", 0, 0)

    def test_the_later_option_of_a_union_is_left_for_an_earlier_one(self, seed: int) -> None:
        either = gen.integers(0, 99) | gen.integers(0, 99).map(lambda n: -n)
        assert shrunk(either, lambda n: abs(n) > 9, seed) == 10

    def test_values_of_a_dictionary_are_put_under_one_key(self, seed: int) -> None:
        tables = gen.dictionaries(gen.integers(0, 9), gen.lists(gen.booleans()))
        assert shrunk(tables, lambda d: sum(map(len, d.values())) > 5, seed) == {0: [False] * 6}


def test_draws_of_the_test_are_shrunk() -> None:
    def fails(trace: Trace[Any]) -> bool:
        data = trace.value
        return sum(data.draw(gen.integers(0, 100)) for _ in range(data.draw(gen.integers(0, 10)))) > 50

    found = 0
    for seed in range(20):
        trace = enact(gen.data(), None, random.Random(seed).random, 10)
        if fails(trace):
            found += 1
            result = shrink(trace, fails)
            assert [child.value for child in result.trace.children] == [1, 51]
            assert result.reason == "minimal"
    assert found > 5


def test_what_a_constructor_refuses_is_not_a_candidate() -> None:
    def even(n: int) -> int:
        if n % 2:
            raise ValueError("odd")
        return n

    numbers = (
        gen.integers(0, 500).map(lambda n: 2 * n).flatmap(lambda n: gen.integers(0, n)).map(lambda n: 2 * n)
    )
    inputs = gen.lists(numbers.map(even))
    for seed in SEEDS:
        assert shrunk(inputs, lambda xs: sum(xs) > 100, seed) == [102]


def test_only_an_enacted_trace_can_be_shrunk() -> None:
    with pytest.raises(InvalidArgument, match="replay"):
        shrink(Trace(3), lambda trace: True)


def test_the_order_is_shorter_then_simpler() -> None:
    lists = gen.lists(gen.integers())
    ladder = [[], [0], [1], [-1], [2], [1000], [0, 0], [0, 1], [0, -1], [1, 0], [5, 0], [0, 0, 0]]
    traces = [replay(lists, Trace(None, [Trace(n) for n in numbers])) for numbers in ladder]
    assert [trace.value for trace in sorted(reversed(traces), key=order)] == ladder  # noqa: C414


def test_an_interrupt_keeps_the_best_so_far() -> None:
    numbers = gen.lists(gen.integers(0, 1000))
    start = failing(numbers, lambda xs: sum(xs) > 1000, 0)
    accepted = [start]

    def still_fails(trace: Trace[Any]) -> bool:
        if len(accepted) == 4:
            raise KeyboardInterrupt
        if sum(trace.value) > 1000:
            accepted.append(trace)
            return True
        return False

    result = shrink(start, still_fails)
    assert result.reason == "interrupted"
    assert result.trace is accepted[-1]


def test_the_budget_of_calls_is_kept() -> None:
    numbers = gen.lists(gen.integers(0, 1000))
    start = failing(numbers, lambda xs: sum(xs) > 1000, 0)
    for budget in range(5):
        calls = 0

        def still_fails(trace: Trace[Any]) -> bool:
            nonlocal calls
            calls += 1
            return sum(trace.value) > 1000

        result = shrink(start, still_fails, max_calls=budget)
        assert (result.reason, result.calls, calls) == ("calls", budget, budget)


def test_the_budget_of_time_is_kept() -> None:
    now = 0.0

    def clock() -> float:
        return now

    def still_fails(trace: Trace[Any]) -> bool:
        nonlocal now
        now += 1.0
        return sum(trace.value) > 1000

    start = failing(gen.lists(gen.integers(0, 1000)), lambda xs: sum(xs) > 1000, 0)
    result = shrink(start, still_fails, max_seconds=4.5, clock=clock)
    assert (result.reason, result.calls) == ("time", 5)


@gen.composite
def intervals(draw: Any) -> tuple[int, int]:
    low = draw(gen.integers(0, 1000))
    return low, draw(gen.integers(low, 1000))


def expressions() -> gen.Gen[Any]:
    e: gen.Gen[Any] = gen.deferred(lambda: gen.integers() | gen.tuples(gen.sampled_from("+-"), e, e))
    return e


LAWFUL: list[tuple[gen.Gen[Any], Any]] = [
    (gen.integers(), lambda n: n % 7 == 3),
    (gen.floats(-1000, 1000), lambda x: x > 2.5),
    (gen.lists(gen.integers(0, 99), unique=True), lambda xs: len(xs) > 2),
    (gen.lists(gen.lists(gen.booleans())), lambda xss: sum(map(sum, xss)) > 3),
    (gen.integers(0, 99).filter(lambda n: n % 3), lambda n: n > 10),
    (gen.integers(0, 9).flatmap(lambda n: gen.lists(gen.just(n), min_size=n)), lambda xs: sum(xs) > 8),
    (gen.lists(intervals()), lambda ivs: sum(b - a for a, b in ivs) > 500),
    (expressions(), lambda e: str(e).count("-") > 1),
    (gen.integers() | gen.lists(gen.integers()).map(tuple), lambda v: str(v).count("1") > 1),
]


@pytest.mark.parametrize("case", range(len(LAWFUL)))
@pytest.mark.parametrize("seed", range(4))
def test_laws(case: int, seed: int) -> None:
    inputs, fails = LAWFUL[case]
    start = failing(inputs, fails, seed)

    def run(trace: Trace[Any]) -> tuple[Shrunk, list[Any]]:
        best = order(trace)
        tested = []

        def still_fails(candidate: Trace[Any]) -> bool:
            nonlocal best
            rank = order(candidate)
            assert rank < best, "a candidate that is not simpler"
            assert rank not in tested, "a candidate twice"
            tested.append(rank)
            if fails(candidate.value):
                best = rank
                return True
            return False

        result = shrink(trace, still_fails, max_seconds=None)
        assert order(result.trace) == best
        return result, tested

    result, tested = run(start)
    assert result.reason == "minimal"
    assert fails(result.trace.value)
    assert result.calls == len(tested)
    assert order(result.trace) <= order(start)
    assert replay(inputs, Trace.from_json(result.trace.to_json())).value == result.trace.value
    assert run(start)[1] == tested, "not deterministic"
    assert run(result.trace)[0].trace is result.trace, "a second shrink improves it"


def test_siblings_of_one_family_that_drew_floats_and_integers() -> None:
    @gen.composite
    def number(draw: gen.Draw, whole: bool) -> float:
        return draw(gen.integers(0, 9)) if whole else draw(gen.floats(0, 1))

    def both_large(pair: tuple[float, float]) -> None:
        assert pair[0] < 0.5 or pair[1] < 4

    report = check(both_large, gen.tuples(number(False), number(True)), seed=0, database=None)
    assert report.counterexample == ((1.0, 4),)


@pytest.mark.parametrize(
    "element",
    [gen.integers(0, 9), gen.integers(), gen.text(max_size=3), gen.tuples(gen.integers(), gen.text())],
)
def test_a_list_that_must_stay_long_takes_few_attempts(
    element: gen.Gen[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each attempt looks at the whole list, so one attempt per element would take quadratic time."""
    attempts = 0
    try_edit = Shrinker.try_edit

    def counted(shrinker: Shrinker, edited: Trace[Any]) -> bool:
        nonlocal attempts
        attempts += 1
        return try_edit(shrinker, edited)

    monkeypatch.setattr(Shrinker, "try_edit", counted)
    long = enact(gen.lists(element, min_size=300, max_size=310), None, random.Random(0).random)
    found = shrink(long, lambda trace: len(trace.value) >= 300)
    assert found.reason == "minimal" and len(found.trace.value) == 300
    assert attempts < 60


@pytest.mark.parametrize("seed", range(5))
def test_a_large_number_loses_the_binary_digits_that_do_not_matter(seed):
    report = check(
        lambda n: not (n > 2**40 and n >> 20 & 1 and n & 1), gen.integers(0, 2**80), seed=seed, database=None
    )
    assert report.counterexample == (2**40 + 2**20 + 1,)
    report = check(lambda n: float(n) >= n, gen.integers(0), seed=seed, database=None, max_examples=2000)
    assert report.counterexample == (2**53 + 1,)


@pytest.mark.parametrize("seed", SEEDS)
class TestGaps:
    """The failing numbers are not simply all numbers beyond a bound."""

    def test_digits_that_sum_to_ten_are_those_of_19(self, seed: int) -> None:
        assert shrunk(gen.integers(0, 10**6), lambda n: sum(map(int, str(n))) >= 10, seed) == 19

    def test_the_least_number_above_50_that_ends_in_7(self, seed: int) -> None:
        assert shrunk(gen.integers(), lambda n: n > 50 and n % 10 == 7, seed) == 57

    def test_five_bits_are_those_of_31(self, seed: int) -> None:
        assert shrunk(gen.integers(0, 10**9), lambda n: n.bit_count() > 4, seed) == 31

    def test_squares_that_sum_to_50_are_those_of_1_and_7(self, seed: int) -> None:
        squares = gen.lists(gen.integers(0, 30), min_size=2, max_size=2)
        assert shrunk(squares, lambda xs: sum(x * x for x in xs) == 50, seed) == [1, 7]

    def test_one_number_in_ten_passes(self, seed: int) -> None:
        assert shrunk(gen.integers(0, 10**6), lambda n: n > 2000 and n % 10 != 0, seed) == 2001

    def test_the_same_weekday_is_a_week_later(self, seed: int) -> None:
        days = gen.tuples(gen.dates(), gen.dates())
        assert shrunk(days, lambda p: p[0] < p[1] and p[0].weekday() == p[1].weekday(), seed) == (
            date(2000, 1, 1),
            date(2000, 1, 8),
        )


@pytest.mark.parametrize("seed", SEEDS)
class TestTogether:
    """Numbers that can only move together."""

    def test_floats_that_are_near_each_other(self, seed: int) -> None:
        floats = gen.tuples(gen.floats(0, 1e6), gen.floats(0, 1e6))
        near = shrunk(floats, lambda p: p[0] != p[1] and abs(p[0] - p[1]) <= 1 and p[0] > 7, seed)
        assert near == (8.0, 7.0)

    def test_equal_floats(self, seed: int) -> None:
        floats = gen.lists(gen.floats(-1e9, 1e9), max_size=6)
        assert shrunk(floats, lambda xs: any(a == b and abs(a) > 5 for a, b in pairwise(xs)), seed) == [
            6.0,
            6.0,
        ]

    def test_equal_integers(self, seed: int) -> None:
        lists = gen.lists(gen.integers(), max_size=6)
        assert shrunk(lists, lambda xs: any(a == b and abs(a) > 5 for a, b in pairwise(xs)), seed) == [6, 6]

    def test_opposite_numbers_begin_with_the_positive_one(self, seed: int) -> None:
        pairs = gen.tuples(gen.integers(-50, 50), gen.integers(-50, 50))
        assert shrunk(pairs, lambda p: p[0] * p[1] < 0 and abs(p[0] + p[1]) > 9, seed) == (1, -11)

    def test_numbers_in_a_row_begin_with_zero(self, seed: int) -> None:
        rows = gen.lists(gen.integers(-50, 50))
        assert shrunk(
            rows, lambda xs: any(c - b == b - a == 1 for a, b, c in zip(xs, xs[1:], xs[2:])), seed
        ) == [0, 1, 2]


@pytest.mark.parametrize("seed", SEEDS)
def test_of_two_factors_the_first_is_small(seed: int) -> None:
    factors = gen.tuples(gen.integers(0, 1000), gen.integers(0, 1000))
    assert shrunk(factors, lambda pair: pair[0] * pair[1] >= 100, seed) == (1, 100)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_values_of_a_dictionary_are_in_order(seed: int) -> None:
    values = gen.dictionaries(gen.sampled_from("abcd"), gen.integers(0, 20), max_size=4)
    assert shrunk(values, lambda d: len(set(d.values())) > 2 and max(d.values()) > 12, seed) == {
        "a": 0,
        "b": 1,
        "c": 13,
    }


def test_a_test_with_a_bound_costs_no_calls_for_gaps() -> None:
    trace = failing(gen.integers(0, 10**6), lambda n: n > 1234, 0)
    assert shrink(trace, lambda candidate: bool(candidate.value > 1234)).calls < 40


@pytest.mark.parametrize("word", ["(([]))", "((([])))", "([]())", "[](([]))"])
def test_two_elements_that_belong_together_are_deleted(word: str) -> None:
    def nests(text: str) -> bool:
        """Whether brackets match, with a square bracket inside a round one."""
        still: list[str] = []
        inside = False
        for letter in text:
            if letter in "([":
                inside = inside or (letter == "[" and "(" in still)
                still.append(letter)
            elif not still or still.pop() + letter not in ("()", "[]"):
                return False
        return inside and not still

    texts = gen.text("([])", max_size=10)
    shrunk = shrink(trace_of(texts, word), lambda trace: nests(trace.value))
    assert shrunk.trace.value == "([])"


@pytest.mark.parametrize(
    "is_valid, least",
    [
        (lambda n: n % 100 in (1, 99), 300_001),
        (lambda n: sum(map(int, str(n))) == 17, 300_059),
        (lambda n: str(n) == str(n)[::-1], 300_003),
    ],
)
def test_invalid_numbers_cost_no_calls_if_validity_is_known_without_the_test(is_valid, least):
    numbers = gen.integers(0, 10**6)
    for start in filter(is_valid, range(700_000, 990_000, 7)):
        trace = trace_of(numbers, start)
        result = shrink(trace, lambda t: t.value >= 300_000, is_valid=lambda t: is_valid(t.value))
        assert result.trace.value == least and result.calls < 60
        break


def test_making_an_input_again_with_flatmaps_looks_at_the_clock():
    pairs = gen.integers(0, 9).flatmap(lambda n: gen.tuples(gen.just(n), gen.integers(0, n)))
    trees = gen.deferred(lambda: pairs | gen.tuples(trees, trees))
    with until(0.0), pytest.raises(OutOfTime):
        enact(trees, None, lambda: 0.0)
