"""Long work between two tests checks the clock."""

from __future__ import annotations

import math
import time
from random import Random

import pytest

from everycase import check, gen
from everycase.arrays import Model
from everycase.choices.dice import repeated
from everycase.choices.draw_budget import BUDGET
from everycase.choices.enact import enact
from everycase.choices.sample import sampler
from everycase.choices.time_limit import LIMIT, OutOfTime, look, until, within_run
from everycase.enumeration.walk import walk_choices
from everycase.errors import GeneratorError, NotCountable
from everycase.explore import Exhaustive, Explorer, Narrow
from everycase.explore.covering.columns import columns_of
from everycase.explore.protocol import Case


@gen.composite
def _draws(draw, count):
    return [draw(gen.booleans()) for _ in range(count)]


def _nested(depth, low):
    made = gen.integers()
    for _ in range(depth):
        made = gen.lists(made, min_size=low)
    return made


def _wide(depth):
    made = gen.integers()
    for _ in range(depth):
        made = gen.tuples(made, made, made)
    return made


LONG = {
    "tuples of tuples": _wide(6),
    "arguments": gen.tuples(*[gen.lists(gen.integers().map(str), min_size=20)] * 12),
    "integers": gen.lists(gen.integers(), min_size=200_000),
    "texts": gen.text(min_size=5000),
    "pairs": gen.lists(gen.tuples(gen.integers(), gen.booleans()), min_size=5000),
    "repeated": gen.lists(gen.booleans(), min_size=5000, max_size=5000),
    "distinct": gen.sets(gen.integers(0, 10**6), min_size=5000),
    "trees": gen.lists(gen.recursive(gen.integers(), lambda below: gen.tuples(below, below)), min_size=2000),
    "nested": _nested(4, 10),
    "draws": _draws(5000),
    "calls": gen.lists(_draws(2), min_size=500),
}


@pytest.mark.parametrize("made", LONG.values(), ids=LONG)
@pytest.mark.parametrize("way", ["sample", "record"])
def test_the_making_of_a_large_input_is_broken_off(made, way):
    random = Random(0).random
    with until(time.perf_counter() - 1), pytest.raises(OutOfTime):
        sampler(made)(random, 20) if way == "sample" else enact(made, None, random, 20)
    assert BUDGET.depth == 0  # otherwise the next inputs would count as parts of this one


def test_a_walk_is_broken_off_that_comes_to_no_value():
    """One attempt after the other costs too much."""
    with until(-math.inf), pytest.raises(OutOfTime):
        next(walk_choices(gen.permutations(range(2000))))


def test_a_model_of_many_parameters_is_broken_off():
    with until(-math.inf), pytest.raises(OutOfTime):
        Model({f"choice {number}": range(3) for number in range(1000)})


def test_columns_are_read_within_the_time_limit():
    with until(-math.inf), pytest.raises(OutOfTime):
        list(columns_of(gen.tuples(gen.booleans(), gen.booleans())))


def test_a_long_list_of_few_elements_is_broken_off():
    with until(-math.inf), pytest.raises(OutOfTime):
        repeated(1000, Random(0).random)


def test_limits_nest():
    with until(time.perf_counter() + 60):
        outer = LIMIT.end
        with until(time.perf_counter() + 120):
            assert LIMIT.end == outer
        with until(0.0), pytest.raises(OutOfTime):
            look()
        assert LIMIT.end == outer
    look()


def test_a_test_has_no_limit_and_what_is_made_for_it_has_that_of_the_run():
    seen = []

    def test(n):
        seen.append((LIMIT.end, within_run(lambda: LIMIT.end)()))

    check(test, gen.integers(), max_seconds=60, max_examples=1, seed=0, database=None)
    ((inside, made),) = seen
    assert inside == math.inf
    assert made < time.perf_counter() + 60


def test_a_test_runs_to_its_end_also_when_the_time_is_over(monkeypatch):
    ended = []
    now = [0.0]
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])

    def test(n):
        now[0] += 0.05
        gen.lists(gen.integers(), min_size=1000).sample(1, seed=0)
        ended.append(n)

    report = check(test, gen.integers(), max_seconds=0.01, seed=0, database=None)
    assert (report.status, report.examples) == ("passed", len(ended))


@pytest.mark.parametrize("explorer", [None, Exhaustive(), Narrow()])
def test_a_run_whose_first_input_is_not_made_in_time_gives_up_and_says_why(explorer):
    report = check(
        lambda xs: None,
        gen.text(min_size=1_000_000),
        max_seconds=0.01,
        seed=0,
        database=None,
        **({} if explorer is None else {"explore": explorer}),
    )
    assert report.status == "gave_up" and not report.exhaustive
    assert "max_seconds" in str(report)


def test_a_failure_that_there_is_no_time_to_run_again_is_reported_as_it_was_seen(monkeypatch):
    made = []
    now = [0.0]
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])

    @gen.composite
    def slow_the_second_time(draw):
        first = draw(gen.integers())
        now[0] += 2 if made else 0
        made.append(first)
        return [first, *[draw(gen.integers()) for _ in range(100)]]

    def test(numbers):
        raise ValueError("always")

    report = check(test, slow_the_second_time(), max_seconds=0.5, seed=0, database=None)
    assert report.status == "failed" and isinstance(report.error, ValueError)
    assert report.failures[0].shrink_reason == "no_time"


def test_a_description_of_values_that_fit_into_no_memory_is_refused():
    with pytest.raises(GeneratorError, match=r"at least 1,111,111,111,111 parts.*Lower a min_size"):
        _nested(12, 10).sample(1)


def test_a_description_without_an_end_is_read_within_the_time_limit():
    def onwards(n):
        return gen.deferred(lambda: gen.integers(0, n) | gen.tuples(onwards(n + 1), onwards(n + 2)))

    with pytest.raises(GeneratorError, match=r"max_seconds=0.05.*may have no end"):
        check(lambda value: None, onwards(0), max_seconds=0.05, database=None)


def test_counting_a_product_takes_no_quadratic_arithmetic():
    many = gen.lists(gen.integers(0, 2**2000), min_size=400, max_size=400)
    few = gen.lists(gen.integers(0, 2**100), min_size=3, max_size=3)
    assert gen.tuples(gen.booleans(), few, few).cardinality == 2 * (2**100 + 1) ** 6
    with pytest.raises(NotCountable, match="too many values to be worth counting"):
        gen.tuples(*[many] * 6).cardinality  # noqa: B018


class TooLateToRecord(Explorer):
    """Proposes a case whose trace takes longer than the remaining time."""

    def explore(self, space):
        def trace():
            raise OutOfTime

        yield Case((1,), trace)


@pytest.mark.parametrize("fails", [False, True])
def test_an_input_that_is_not_recorded_in_time_is_booked(fails):
    def test(n):
        assert not fails

    report = check(test, gen.integers(), explore=TooLateToRecord(), statistics=True, seed=0, database=None)
    assert (report.status, report.examples) == ("failed" if fails else "passed", 1)


def _looks(monkeypatch, made, seconds, limit):
    """How often the clock is read for 200 values, and what was made of them when the time was over."""
    now, looks, made_so_far = [1.0], [0], [0]

    def read():
        looks[0] += 1
        return now[0]

    def user(n):
        now[0] += seconds
        made_so_far[0] += 1
        return n

    roll = sampler(made(user))
    monkeypatch.setattr(time, "perf_counter", read)
    random = Random(0).random
    try:
        with until(limit):
            for _ in range(200):
                roll(random, 20)
    except OutOfTime:
        pass
    return looks[0], made_so_far[0]


CALLING = {
    "lists": lambda user: gen.lists(gen.integers().map(user), min_size=5),
    "tuples": lambda user: gen.tuples(*[gen.integers().map(user)] * 5),
    "distinct": lambda user: gen.lists(gen.integers(), unique_by=user, min_size=5),
    "draws": lambda user: gen.composite(lambda draw: [user(draw(gen.integers())) for _ in range(5)])(),
}


@pytest.mark.parametrize("made", CALLING.values(), ids=CALLING)
def test_the_clock_is_read_rarely_if_user_functions_are_quick_and_each_time_if_not(monkeypatch, made):
    looks, calls = _looks(monkeypatch, made, 0.0, math.inf)
    assert (looks, calls >= 1000) == (0, True)
    looks, calls = _looks(monkeypatch, made, 0.0, 100.0)
    assert looks < calls / 3
    looks, calls = _looks(monkeypatch, made, 0.1, 3.0)
    assert calls < 24


@pytest.mark.parametrize("made", CALLING.values(), ids=CALLING)
def test_functions_that_were_quick_and_are_slow_now_are_noticed_after_a_few_calls(monkeypatch, made):
    now, calls = [1.0], [0]

    def user(n):
        calls[0] += 1
        now[0] += 0.05 if calls[0] > 1000 else 0.0
        return n

    roll = sampler(made(user))
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])
    random = Random(0).random
    with until(2.0), pytest.raises(OutOfTime):
        for _ in range(1000):
            roll(random, 20)
    assert now[0] <= 2.5


def test_lists_without_user_functions_cost_no_look(monkeypatch):
    looks, _ = _looks(monkeypatch, lambda user: gen.lists(gen.text(max_size=5)), 0.0, 100.0)
    assert looks == 0
