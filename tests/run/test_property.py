"""``given`` and the decorators around it."""

from __future__ import annotations

import functools
import inspect

import pytest

from everycase import check, errors, example, gen, given, reproduce, settings
from everycase.explore import Exhaustive, Random

QUICK = settings(max_examples=20, database=None, explore=Random(), seed=0)
INT = gen.integers(0, 9)


def seen_by(decorated, *args, **kwargs):
    decorated(*args, **kwargs)


def test_positional_generators_fill_the_rightmost_parameters():
    seen = []

    @QUICK
    @given(INT, gen.booleans())
    def test(fixture, n, flag):
        seen.append((fixture, type(n), type(flag)))

    assert list(inspect.signature(test).parameters) == ["fixture"]
    test("here")
    assert set(seen) == {("here", int, bool)}


def test_named_generators_fill_the_parameters_of_that_name():
    seen = []

    @QUICK
    @given(b=gen.booleans(), a=INT)
    def test(a, fixture, b, *, other=5):
        seen.append((type(a), fixture, type(b), other))

    assert list(inspect.signature(test).parameters) == ["fixture", "other"]
    test(fixture="f", other=7)
    assert set(seen) == {(int, "f", bool, 7)}


def test_keyword_only_parameters_can_be_generated():
    seen = []

    @QUICK
    @given(a=INT)
    def test(*, a):
        seen.append(a)

    test()
    assert len(seen) == 20


def test_a_test_that_takes_any_name_gets_all_that_are_given():
    seen = []

    @QUICK
    @given(b=gen.booleans(), a=INT)
    def test(a, **others):
        seen.append((type(a), {name: type(value) for name, value in others.items()}))

    test()
    assert seen == [(int, {"b": bool})] * 20


def test_methods_get_self():
    class Tests:
        @QUICK
        @given(INT)
        def test(self, n):
            assert isinstance(self, Tests) and 0 <= n <= 9

    Tests().test()


def test_the_wrapper_keeps_name_and_documentation():
    @given(INT)
    def test_name(n):
        """What it is about."""

    assert (test_name.__name__, test_name.__doc__) == ("test_name", "What it is about.")


def test_where_discards_and_reads_the_arguments_that_it_names():
    seen = []

    @QUICK
    @given(a=INT, b=INT).where(lambda b, a: a < b).where(lambda a: a % 2 == 0)
    def test(a, b):
        seen.append((a, b))

    test()
    assert len(seen) == 20 and all(a < b and a % 2 == 0 for a, b in seen)


def inputs(predicate):
    """The inputs with a and b from 0 to 4 that satisfy a precondition."""
    seen = []

    @settings(explore=Exhaustive(), database=None)
    @given(a=gen.integers(0, 4), b=gen.integers(0, 4)).where(predicate)
    def test(a, b):
        seen.append((a, b))

    test()
    return seen


def test_where_leaves_defaults_alone():
    def within(b, low=1, high=2):
        return low <= b <= high

    assert {b for _, b in inputs(within)} == {1, 2}
    assert {b for _, b in inputs(functools.partial(within, high=3))} == {1, 2, 3}
    # It has as many parameters as there are arguments, but the last one has a default and is none of them.
    assert {a for a, _ in inputs(lambda a, most=2: a < most)} == {0, 1}
    assert inputs(lambda a, b=9: a + b == 8) == [(4, 4)]


def test_where_takes_all_arguments_in_order_under_other_names():
    assert inputs(lambda x, y: x > y + 3) == [(4, 0)]
    assert inputs(lambda x, y, more=3: x > y + more) == [(4, 0)]
    assert inputs(lambda *both: both == (1, 2)) == [(1, 2)]
    assert inputs(lambda a, *others: (a, *others) == (1, 2)) == [(1, 2)]
    assert inputs(lambda x, *others: (x, *others) == (1, 2)) == [(1, 2)]
    seen = []

    @settings(explore=Exhaustive(), database=None)
    @given(gen.integers(0, 4)).where(lambda anything, least=3: anything >= least)
    def test(n):
        seen.append(n)

    test()
    assert seen == [3, 4]


@pytest.mark.parametrize(
    ("predicate", "parameters"),
    [
        (lambda x: x > 0, "x"),
        (lambda b, x: b < x, "b, x"),
        (lambda x, a: a < x, "x, a"),
        (lambda a, b, c: True, "a, b, c"),
        (lambda a, k=3, b=1: a < b, "a, k=3, b=1"),
        (lambda b, *others: True, r"b, \*others"),
        (lambda x, k=3, *others: True, r"x, k=3, \*others"),
        (lambda *, a: a > 0, r"\*, a"),
        (lambda: True, ""),
    ],
)
def test_where_must_name_generated_arguments(predicate, parameters):
    words = rf"takes \({parameters}\), .* names of generated arguments \(a, b\)"
    with pytest.raises(errors.InvalidArgument, match=words):

        @given(a=INT, b=INT).where(predicate)
        def test(a, b):
            pass


def test_decorators_may_stand_in_any_order():
    seen = []

    @example(100)
    @QUICK
    @given(INT)
    @example(200)
    @settings(max_examples=3)
    def test(n):
        seen.append(n)

    test()
    assert seen[:2] == [100, 200]
    # QUICK stands above settings(max_examples=3) and wins.
    assert len(seen) == 22 - 2


def test_explicit_examples_count_as_tests_and_stop_the_run_when_they_fail():
    @QUICK
    @given(INT, INT)
    @example(1, b=2)
    def test(a, b):
        assert (a, b) != (1, 2)

    report = check(test)
    assert report.counterexample == (1, 2) and report.failed_at == 1
    assert "explicit" in report.stopped


def test_explicit_examples_must_give_all_generated_arguments():
    @QUICK
    @given(INT, INT)
    @example(1)
    def test(a, b):
        pass

    with pytest.raises(errors.InvalidArgument, match="a, b"):
        test()


def test_reproduce_runs_only_the_recorded_input():
    @QUICK
    @given(gen.lists(INT))
    def test(xs):
        seen.append(list(xs))
        assert sum(xs) < 10

    seen: list[list[int]] = []
    blob = check(test).blob
    seen.clear()
    again = reproduce(blob)(test)
    report = check(again)
    assert report.status == "failed" and report.failed_at == 1
    assert seen[0] == report.counterexample[0]
    assert report.blob == blob


def test_a_blob_whose_input_passes_now_is_said_to_do_nothing():
    blob = check(lambda n: n < 5, INT, seed=0, database=None).blob

    @reproduce(blob)
    @QUICK
    @given(INT)
    def test(n):
        pass

    with pytest.raises(errors.CannotReproduce, match="no longer fails"):
        test()


def test_a_blob_that_does_not_fit_any_more_is_refused_with_a_clear_word():
    blob = check(lambda xs: sum(xs) < 10, gen.lists(INT), seed=0, database=None).blob

    @reproduce(blob)
    @QUICK
    @given(gen.text(min_size=30))
    def test(s):
        pass

    with pytest.raises(errors.CannotReproduce, match="no longer fits"):
        test()


@pytest.mark.parametrize(
    ("blob", "message"),
    [
        ("nonsense", "not a blob"),
        ("ec0-abc", "version 0"),
        ("ec1-abc", "damaged"),
        ("ec1-", "damaged"),
    ],
)
def test_a_bad_blob_is_refused_with_a_clear_word(blob, message):
    @reproduce(blob)
    @QUICK
    @given(INT)
    def test(n):
        pass

    with pytest.raises(errors.CannotReproduce, match=message):
        test()


def test_the_failure_is_raised_with_what_a_person_needs_as_notes():
    @QUICK
    @given(gen.lists(INT), INT)
    def test_total(xs, n):
        assert sum(xs) < 10 + n

    with pytest.raises(AssertionError) as caught:
        test_total()
    notes = "\n".join(caught.value.__notes__)
    assert "test_total(" in notes and "xs=" in notes and "n=0" in notes
    assert "@reproduce(" in notes and "seed=0" in notes


def test_several_failures_are_raised_as_a_group():
    @QUICK
    @settings(max_examples=1000)
    @given(gen.integers())
    def test(n):
        if n > 1000:
            raise ValueError("large")
        assert n > -50

    with pytest.raises(ExceptionGroup) as caught:
        test()
    assert {type(error) for error in caught.value.exceptions} == {ValueError, AssertionError}
    assert all("Falsifying input" in "\n".join(error.__notes__) for error in caught.value.exceptions)


def test_types_come_from_annotations_when_asked():
    seen = []

    @QUICK
    @given(...)
    def test(n: int, flags: list[bool]):
        seen.append((type(n), type(flags)))

    test()
    assert set(seen) == {(int, list)}


def bad_uses():
    def takes_two(a, b):
        pass

    def takes_default(a, b=1):
        pass

    yield "needs a generator", lambda: given()
    yield "must be a generator", lambda: given(5)
    yield "gen.from_type", lambda: given(int)
    yield "must be a generator", lambda: given(a=[1, 2])
    yield "3 generators for the 2", lambda: given(INT, INT, INT)(takes_two)
    yield "no parameter 'c'", lambda: given(c=INT)(takes_two)
    yield "has a default", lambda: given(INT)(takes_default)
    yield "applied twice", lambda: given(a=INT)(given(b=INT)(takes_two))
    yield "no type annotation", lambda: given(...)(takes_two)
    yield "decorates a test function", lambda: given(INT)(int)
    yield "must be a function", lambda: given(INT).where(5)
    yield "values, not generators", lambda: example(INT)
    yield "needs the values", lambda: example()
    yield "no generated arguments", lambda: given(...)(lambda: None)
    yield "cannot be read; write where", lambda: given(a=INT, b=INT).where(min)(takes_two)
    yield (
        "must be names of generated",
        lambda: given(a=INT, b=INT).where(lambda x, y, z, *rest: True)(takes_two),
    )
    yield "a string", lambda: reproduce(5)
    yield "must be a function", lambda: check(5, INT)
    yield "must be a generator", lambda: check(takes_two, INT, 5)
    yield "needs a generator for a", lambda: check(takes_two, INT)
    yield "already", lambda: check(given(INT, INT)(lambda a, b: None), INT)


@pytest.mark.parametrize(("message", "use"), list(bad_uses()))
def test_wrong_uses_are_explained(message, use):
    with pytest.raises(errors.InvalidArgument, match=message):
        use()
