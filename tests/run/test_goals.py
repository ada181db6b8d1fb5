"""Goals read from the assertions of a test: what is a goal, what is not, and that nothing else changes."""

from __future__ import annotations

import asyncio
import functools
import math
import unittest
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

from everycase import check, errors, gen, given, maximize, settings
from everycase.run import goals
from everycase.run.context import Scope, resumed
from everycase.run.goal_reader import copied, may_have_goals
from everycase.run.goals import Hook, with_goals

NUMBERS = gen.lists(gen.integers(0, 1000), max_size=30)


def rare(xs: list[int], bound: int = 900) -> int:
    return len({x for x in xs if x > bound})


def less(xs: list[int]) -> None:
    assert rare(xs) < 15


def at_most(xs: list[int]) -> None:
    count = rare(xs)
    assert count <= 14, f"{count} are rare"


def more(xs: list[int]) -> None:
    assert rare(xs) < 15


def in_a_range(xs: list[int]) -> None:
    assert rare(xs) in range(15)


def within_a_loop(xs: list[int]) -> None:
    for bound in (900, 800):
        if xs:
            assert rare(xs, bound) < (15 if bound == 900 else 1000)


def chained(xs: list[int]) -> None:
    assert 0 <= rare(xs) < 15 <= 15


def negated(xs: list[int]) -> None:
    assert not (rare(xs) >= 15 or rare(xs) < 0)


def both(xs: list[int]) -> None:
    assert len(xs) < 10**6 and rare(xs) < 15


def unequal(xs: list[int]) -> None:
    assert rare(xs) != 15


def outside(xs: list[int]) -> None:
    assert rare(xs) not in range(15, 20)


def not_inside(xs: list[int]) -> None:
    assert not (rare(xs) in range(15, 20))  # noqa: E713


class Holder:
    bound = 15

    def holds(self, xs: list[int]) -> None:
        assert rare(xs) < self.bound

    def by_another(self, xs: list[int]) -> None:
        self.holds(xs)

    @classmethod
    def of_the_class(cls, xs: list[int]) -> None:
        assert rare(xs) < cls.bound


def decorator(function: Any) -> Any:
    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return wrapper


@decorator
def decorated(xs: list[int]) -> None:
    assert rare(xs) < 15


def by_a_function_around_it() -> Any:
    def holds(xs: list[int]) -> None:
        assert rare(xs) < 15

    def within(xs: list[int]) -> None:
        holds(xs)

    return within


def by_a_function(xs: list[int]) -> None:
    less(xs)


def by_a_function_of_a_function(xs: list[int]) -> None:
    by_a_function(xs)
    assert xs is not None


@pytest.mark.parametrize(
    "test",
    [
        less,
        at_most,
        more,
        in_a_range,
        within_a_loop,
        chained,
        negated,
        both,
        unequal,
        outside,
        not_inside,
        Holder().holds,
        Holder().by_another,
        Holder.of_the_class,
        decorated,
        by_a_function_around_it(),
        by_a_function,
        by_a_function_of_a_function,
    ],
)
def test_an_assertion_that_compares_numbers_is_a_goal(test: Any) -> None:
    for seed in range(3):
        found = check(test, NUMBERS, seed=seed, max_examples=5000, database=None)
        assert found.status == "failed" and found.best == {} and found.first is not None
        assert found.first.utilities == {}
    assert check(test, NUMBERS, seed=0, max_examples=2000, database=None, goals=False).status == "passed"


def test_what_an_assertion_compares_is_evaluated_once() -> None:
    calls: list[Any] = []

    def cost(n: int) -> int:
        calls.append(n)
        return n

    def test(n: int) -> None:
        assert cost(n) < 10**9

    report = check(test, gen.integers(0, 10**6), seed=0, max_examples=200, database=None)
    assert len(calls) == report.examples == 200


def test_the_message_and_the_place_of_a_failure_are_those_of_the_test() -> None:
    report = check(at_most, NUMBERS, seed=1, max_examples=5000, database=None)
    assert str(report.error).startswith("15 are rare")
    assert report.failures[0].origin[1:] == (__file__, at_most.__code__.co_firstlineno + 2)


def test_goals_of_the_tests_own_come_first() -> None:
    def test(xs: list[int]) -> None:
        maximize(len(xs), "length")
        assert sum(xs) < 10**9

    assert not may_have_goals(test)
    assert list(check(test, NUMBERS, seed=0, max_examples=100, database=None).best) == ["length"]


def test_at_least_half_of_the_tests_stay_random() -> None:
    seen: list[int] = []

    def test(n: int) -> None:
        seen.append(n)
        assert n < 10**15

    check(test, gen.integers(0, 10**12), seed=0, max_examples=1000, database=None)
    assert sum(n < 9 * 10**11 for n in seen) > 400


def nothing_to_compare(xs: list[int]) -> None:
    assert xs is not None
    assert sorted(xs) == sorted(xs, key=int)


@pytest.mark.parametrize("test", [lambda xs: None, len, nothing_to_compare])
def test_others_are_run_as_they_are(test: Any) -> None:
    assert may_have_goals(test) == (test is nothing_to_compare)
    assert test is not nothing_to_compare or distances(test, [1, 2]) == {}


def test_closures_defaults_and_methods() -> None:
    bound = 15

    class Holder:
        @settings(max_examples=5000, seed=1, database=None)
        @given(NUMBERS)
        def test(self, xs: list[int]) -> None:
            assert rare(xs) < bound

    with pytest.raises(AssertionError):
        Holder().test()

    @settings(max_examples=5000, seed=1, database=None)
    @given(xs=NUMBERS)
    def with_default(xs: list[int], *, limit: int = bound) -> None:
        assert rare(xs) < limit

    with pytest.raises(AssertionError):
        with_default()


def test_what_a_decorator_adds_is_run() -> None:
    """Also a test whose inner function has its name and parameters."""
    calls: list[int] = []

    def counted(function: Any) -> Any:
        @functools.wraps(function)
        def test(n: int) -> None:
            calls.append(n)
            function(n)

        return test

    @counted
    def test(n: int) -> None:
        assert n < 10**7

    report = check(test, gen.integers(0, 10**6), seed=0, max_examples=200, database=None)
    assert len(calls) == report.examples


def test_a_wrong_value_of_the_setting_is_an_error() -> None:
    with pytest.raises(errors.InvalidArgument, match="goals"):
        settings(goals="yes")  # type: ignore[arg-type]


def test_a_method_with_arguments_of_its_own() -> None:
    class Holder:
        @settings(max_examples=50, seed=1, database=None)
        @given(n=gen.integers(0, 10**6))
        def test(self, limit: int, n: int, more: int = 0) -> None:
            assert n < limit + more

    Holder().test(10**7)
    with pytest.raises(AssertionError):
        Holder().test(10, more=1)


def test_a_method_that_asserts_for_the_test() -> None:
    class Holder:
        def holds(self, xs: list[int]) -> None:
            assert rare(xs) < 15

        @settings(max_examples=5000, seed=1, database=None)
        @given(NUMBERS)
        def test(self, xs: list[int]) -> None:
            self.holds(xs)

    with pytest.raises(AssertionError):
        Holder().test()


def test_every_part_of_an_assertion_is_evaluated_once_and_only_if_the_test_would() -> None:
    calls: list[str] = []

    def said(name: str, value: int) -> int:
        calls.append(name)
        return value

    def chain(n: int) -> None:
        assert said("a", 0) <= said("b", n) < said("c", 10**9)
        assert not (said("d", n) > 10**9 or said("e", n) < 0)
        assert said("f", n) == n and said("g", n) >= 0 and said("h", n) != -1

    report = check(chain, gen.integers(0, 10**6), seed=0, max_examples=200, database=None)
    assert calls == list("abcdefgh") * report.examples

    calls.clear()
    copy = copied(chain, Hook())
    assert copy is not None
    with pytest.raises(AssertionError):
        copy(-1)
    assert calls == ["a", "b"]


# --- every form of assertion: a nearer input has a larger goal -------------------------------------------


def either(n: int) -> None:
    assert n < 15 or n % 2 == 1 or n > 99


def neither(n: int) -> None:
    assert not (n >= 15 and n != 17)


def not_between(n: int) -> None:
    assert not 15 <= n <= 99


def raised(n: int) -> None:
    if n >= 15:
        raise AssertionError("too large")


def raised_both(n: int) -> None:
    if n > 2 and n >= 15:
        raise ValueError(n)


def raised_otherwise(n: int) -> None:
    if n < 15:
        pass
    else:
        raise AssertionError


def raised_after(n: int) -> None:
    if n < 15:
        return
    raise AssertionError


def failed(n: int) -> None:
    if n >= 15:
        pytest.fail("too large")


def roughly(n: int) -> None:
    assert abs(n - 1) <= 13.5


def close(n: int) -> None:
    assert math.isclose(n, 0, abs_tol=14.5)


def never_close(n: int) -> None:
    assert not math.isclose(n, 15)


def approximate(n: int) -> None:
    assert n == pytest.approx(0, abs=14)


def never_approximate(n: int) -> None:
    assert pytest.approx(15) != n


def fraction(n: int) -> None:
    assert Fraction(n, 3) < 5


def decimal(n: int) -> None:
    assert Decimal(n) / 3 < Decimal(5)


def duration(n: int) -> None:
    assert timedelta(minutes=n) < timedelta(minutes=15)


def for_all(n: int) -> None:
    assert all(x < 15 for x in [n])


def for_none(n: int) -> None:
    assert not any(14 < x <= 99 for x in [n])


def conditional(n: int) -> None:
    assert n < 15 if n > 2 else n < 20


def named(n: int) -> None:
    assert (m := n + 1) <= 15, m


def noted_before(n: int) -> None:
    fits = n < 15
    assert fits


def noted_before_negated(n: int) -> None:
    large = n >= 15 and n > 0
    assert not large, n


def is_true(n: int) -> None:
    assert (n < 15) is True


def is_not_true(n: int) -> None:
    assert (n >= 15) is not True


def equals_false(n: int) -> None:
    assert (n >= 15) == False  # noqa: E712


def both_bits(n: int) -> None:
    assert (n < 15) & (n >= 0)


def by_a_local_predicate(n: int) -> None:
    def fits(m: int) -> bool:
        return m < 15

    assert fits(n)


def by_a_lambda(n: int) -> None:
    fits = lambda m: m < 15  # noqa: E731
    assert fits(n)


def unequal_tuples(n: int) -> None:
    assert (n, "a", (n, True)) != (15, "a", (15, True))


def unequal_lists(n: int) -> None:
    assert [*range(9), n] != [*range(9), 15]


def unequal_words(n: int) -> None:
    assert "ab" * n != "ab" * 15


def unequal_bytes(n: int) -> None:
    assert not b"ab" + bytes(n) == b"ab" + bytes(15)  # noqa: SIM201


def unequal_sets(n: int) -> None:
    assert set(range(n)) != set(range(15))


def unequal_dictionaries(n: int) -> None:
    assert {"a": n, "b": 1} != {"a": 15, "b": 1}


def not_among(n: int) -> None:
    assert n not in (15, 99)


def without(n: int) -> None:
    assert 15 not in [n, 99]


def without_a_word(n: int) -> None:
    assert "b" + "a" * 15 not in "cb" + "a" * n


def not_all_of(n: int) -> None:
    assert not set(range(15)) <= set(range(n))


def with_a_function(n: int) -> None:
    def holds(m: int) -> None:
        assert m < 15

    holds(n)


def is_small(n: int) -> bool:
    return n < 15


def is_large(n: int) -> bool:
    if n < 15:  # noqa: SIM103 - this form is what is tested
        return False
    return True


def is_never_large(n: int) -> bool:
    for m in (n, n):  # noqa: SIM110 - this form is what is tested
        if m >= 15:
            return False
    return True


def by_a_predicate(n: int) -> None:
    assert is_small(n)


def by_another_predicate(n: int) -> None:
    assert not is_large(n)


def by_a_loop(n: int) -> None:
    assert is_never_large(n)


async def coroutine(n: int) -> None:
    await asyncio.sleep(0)
    assert n < 15


class Case(unittest.TestCase):
    def runTest(self) -> None: ...  # noqa: N802 - the name of unittest

    def less(self, n: int) -> None:
        self.assertLess(n, 15)

    def at_most(self, n: int) -> None:
        self.assertLessEqual(n, 14, "too large")

    def greater(self, n: int) -> None:
        self.assertGreater(15, n)

    def unequal(self, n: int) -> None:
        self.assertNotEqual(n, 15)

    def almost(self, n: int) -> None:
        self.assertNotAlmostEqual(n, 15)

    def true(self, n: int) -> None:
        self.assertTrue(n < 15)

    def false(self, n: int) -> None:
        self.assertFalse(n >= 15 or n < 0)

    def within(self, n: int) -> None:
        self.assertIn(n, range(15))

    def failing(self, n: int) -> None:
        if n >= 15:
            self.fail()


class Private:
    def __init__(self) -> None:
        self.__bound = 15

    def private(self, n: int) -> None:
        assert n < self.__bound


def distances(test: Any, *args: Any) -> dict[str, float]:
    """The goals that one call of the test reports."""
    scope = Scope()
    scope.wants_goals = True
    with resumed(scope):
        found = with_goals(test)(*args)
        if asyncio.iscoroutine(found):
            asyncio.run(found)
    return scope.guessed


@pytest.mark.parametrize(
    "test",
    [
        *(either, neither, not_between, raised, raised_both, raised_otherwise, raised_after, failed),
        *(roughly, close, never_close, approximate, never_approximate, fraction, decimal, duration),
        *(for_all, for_none, conditional, named, with_a_function),
        *(noted_before, noted_before_negated, is_true, is_not_true, equals_false, both_bits),
        *(by_a_local_predicate, by_a_lambda, unequal_tuples, unequal_lists, unequal_words, unequal_bytes),
        *(unequal_sets, unequal_dictionaries, not_among, without, without_a_word, not_all_of),
        *(by_a_predicate, by_another_predicate, by_a_loop, coroutine, Private().private),
        *(Case().less, Case().at_most, Case().greater, Case().unequal, Case().almost, Case().true),
        *(Case().false, Case().within, Case().failing),
    ],
    ids=lambda test: test.__name__,
)
def test_the_nearer_an_input_the_larger_a_goal(test: Callable[[int], Any]) -> None:
    seen = [distances(test, n) for n in (4, 8, 12, 14)]
    assert any(
        all(label in goals for goals in seen) and all(a[label] < b[label] for a, b in pairwise(seen))
        for label in seen[0]
    )


def compares_words(n: int) -> None:
    assert str(n) == str(n) and [n] == [n] and None is not n and {n} <= {n} and n in [n] and "a" in "ab"
    assert [object()] != [n] and object() not in (n,) and "a" * 1000 != "b" * 999


def compares_odd_numbers(n: int) -> None:
    assert not math.nan < n and -math.inf < n < math.inf and n + 0j != 1j
    assert n in range(10**400) and n - 0.5 < 10**400


def catches(n: int) -> None:
    with pytest.raises(ValueError):
        if n >= 0:
            raise ValueError(n)
    try:
        if n >= 0:
            raise KeyError
    except KeyError:
        pass


@pytest.mark.parametrize("test", [compares_words, catches])
def test_no_goal_where_no_number_is_compared_or_the_failure_is_expected(test: Callable[[int], Any]) -> None:
    assert distances(test, 3) == {}


def test_odd_numbers_change_nothing() -> None:
    goals = distances(compares_odd_numbers, 3)
    assert all(math.isfinite(distance) for distance in goals.values())


def test_conditions_that_must_all_fail_come_one_after_the_other() -> None:
    """The second goal is evaluated only once the first has failed, and is nearer to the failure than any first goal."""
    seen = [distances(either, n) for n in (0, 14, 15, 17)]
    assert all(list(goals) == ["assert n < 15 or n % 2 == 1 or n > 99"] for goals in seen)
    first, near, second, _ = (goals["assert n < 15 or n % 2 == 1 or n > 99"] for goals in seen)
    assert 0 <= first < near <= 1 / 3 < second <= 2 / 3


def test_of_very_many_comparisons_only_some_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    measured = 0

    def counted(left: Any, right: Any) -> float:
        nonlocal measured
        measured += 1
        return float(left - right)

    def many(n: int) -> None:
        for i in range(3000):
            assert i < 4000 + n

    monkeypatch.setattr(goals, "_difference", counted)
    assert check(many, gen.integers(0, 10**6), seed=0, max_examples=60, database=None).status == "passed"
    assert 3000 <= measured <= 500 * 70 + 3000


def test_a_source_that_was_changed_after_its_import_is_not_read(tmp_path: Any) -> None:
    path = tmp_path / "changed.py"
    path.write_text("def test(n):\n    assert n < 15\n")
    names: dict[str, Any] = {}
    exec(compile(path.read_text(), str(path), "exec"), names)
    path.write_text("def test(n):\n    assert n < 16\n")
    assert copied(names["test"], Hook()) is None
