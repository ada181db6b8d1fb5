"""Goals read from the assertions of a test: what is a goal, what is not, and that nothing else changes."""

from __future__ import annotations

import functools
from typing import Any

import pytest

from everycase import check, errors, gen, given, maximize, settings
from everycase.run.goals import Goals, Hook, copied, with_goals

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

    assert with_goals(test) is test
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
    found = with_goals(test)
    assert found is test or (isinstance(found, Goals) and test is nothing_to_compare)


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
    """Also one whose inner function has the name and the parameters of the test."""
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
