"""``check``, ``find``, ``exists`` and ``not_exists``."""

from __future__ import annotations

import json
import warnings
from contextlib import suppress

import pytest

from everycase import check, errors, exists, find, gen, not_exists
from everycase.explore import Exhaustive, Narrow, Random


def test_check_takes_generators_by_name():
    report = check(lambda a, b: a <= b, b=gen.integers(0, 9), a=gen.integers(0, 9), seed=0, database=None)
    assert report.counterexample == (1, 0)


def test_check_takes_types_from_annotations():
    def test(n: int, s: str):
        assert isinstance(n, int) and isinstance(s, str)

    assert check(test, database=None).status == "passed"


def test_check_takes_builtins():
    assert check(abs, gen.integers(), max_examples=5, database=None).error is not None
    assert check(print, gen.just("x"), max_examples=1, database=None).status == "passed"


def test_check_takes_variadic_functions():
    seen = []
    check(lambda *args: seen.append(args), gen.just(1), gen.just(2), database=None)
    assert set(seen) == {(1, 2)}


def test_find_returns_a_smallest_value():
    assert find(gen.integers(), lambda n: n > 1234, seed=0) == 1235
    assert find(gen.lists(gen.booleans()), any, seed=0) == [True]


def test_find_says_when_there_is_none_and_how_far_it_looked():
    with pytest.raises(errors.NoSuchExample, match="none exists"):
        find(gen.integers(0, 9), lambda n: n > 9)
    with pytest.raises(
        errors.NoSuchExample, match=r"none found in .* evaluations, which tried all up to size"
    ):
        find(gen.integers(), lambda n: n == 0.5, max_examples=50)


@pytest.mark.parametrize("explore", [None, Exhaustive(), Narrow(max_size=9)], ids=repr)
def test_find_does_not_say_that_none_exists_if_the_predicate_accepts_later_what_it_rejected(explore):
    asked = set()

    def at_second_sight(n):
        known = n in asked
        asked.add(n)
        return known

    try:
        find(gen.integers(0, 9), at_second_sight, explore=explore)
    except errors.EverycaseError as problem:
        assert "none exists" not in str(problem)


@pytest.mark.parametrize("search", [find, exists, not_exists])
def test_a_search_that_cannot_prune_says_so_where_it_is_called(search):
    def wanted(xs):
        return type(xs) is list and sum(xs) == 99

    words = "^wanted cannot be used .* went on by filtering.*write isinstance"
    with pytest.warns(errors.EverycaseWarning, match=words) as said, suppress(errors.NoSuchExample):
        search(gen.lists(gen.integers(0, 9)), wanted, explore=Narrow(max_size=2))
    assert said[0].filename == __file__


def test_what_a_search_says_again_and_again_is_said_once():
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("default")
        for _ in range(3):
            find(gen.booleans(), lambda b: type(b) is bool, explore=Narrow(max_size=0))
        find(gen.booleans(), lambda b: type(b) is bool, explore=Narrow(max_size=0))
    assert [one.category for one in said] == [errors.EverycaseWarning] * 2


def test_a_search_says_nothing_of_what_it_tried_unasked():
    def wanted(xs):
        return type(xs) is list and len(xs) == 9 and sum(xs) == 1

    with warnings.catch_warnings(), suppress(errors.NoSuchExample):
        warnings.simplefilter("error")
        find(gen.lists(gen.integers(0, 9)), wanted, max_examples=100, seed=0)


def test_find_passes_on_an_error_of_the_predicate():
    with pytest.raises(ZeroDivisionError):
        find(gen.integers(1, 5), lambda n: n / 0)


def test_exists_nests_inside_a_property():
    def has_an_inverse(n):
        exists(gen.integers(0, 10), lambda m: n * m % 11 == 1)

    report = check(has_an_inverse, gen.integers(0, 10), database=None)
    assert report.counterexample == (0,)
    assert isinstance(report.error, errors.NoSuchExample)


def test_not_exists_shows_the_witness():
    not_exists(gen.integers(0, 9), lambda n: n > 9)
    with pytest.raises(errors.WitnessFound, match="7"):
        not_exists(gen.integers(0, 9), lambda n: n > 6)


@pytest.mark.parametrize("call", [find, exists, not_exists])
def test_wrong_arguments_are_explained(call):
    with pytest.raises(errors.InvalidArgument, match="must be a generator"):
        call([1, 2], bool)
    with pytest.raises(errors.InvalidArgument, match="predicate must be a function"):
        call(gen.integers(), 5)


def test_a_report_prints_and_turns_into_json():
    report = check(lambda n: n < 7, gen.integers(0, 10**6), seed=0, database=None, explore=Random())
    text = str(report)
    assert "n=7" in text and "seed=0" in text
    data = json.loads(json.dumps(report.to_json()))
    assert data["status"] == "failed" and data["failures"][0]["call"].endswith("(n=7)")


def test_every_verdict_has_its_own_words():
    def words(test, source, **options):
        return str(check(test, source, seed=0, database=None, **options)).splitlines()[0]

    assert "passed, exhaustive: 10 of 10" in words(lambda n: None, gen.integers(0, 9))
    assert "passed 1,000 tests" in words(lambda n: None, gen.integers())
    assert "failed at test" in words(lambda n: n < 5, gen.integers())
