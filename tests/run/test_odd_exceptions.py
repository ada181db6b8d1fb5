"""Whatever a test or a predicate raises, and however long an input is: it is reported, and nothing internal breaks."""

from __future__ import annotations

import sys

import hypothesis.errors  # noqa: F401 (whose exceptions are recognised only where it is imported)
import pytest

from everycase import HealthCheck, assume, check, covers, errors, find, gen, given, settings
from everycase.enumeration.walk import walk
from everycase.explore import Narrow

ONCE = {"database": None, "seed": 0, "max_examples": 50}


class OddTraceback(Exception):
    def with_traceback(self, traceback):
        raise RuntimeError


class OddCause(Exception):
    @property
    def __cause__(self):
        raise RuntimeError


class OddText(Exception):
    def __repr__(self):
        raise RuntimeError

    __str__ = __repr__


class OddNotes(Exception):
    def add_note(self, note):
        raise RuntimeError


class OddAttributes(Exception):
    def __getattribute__(self, name):
        raise RuntimeError(name)


class Nameless(type):
    def __getattribute__(cls, name):
        if name == "__name__":
            raise KeyError(name)
        return super().__getattribute__(name)


class OddClass(Exception, metaclass=Nameless):
    pass


class OddGroup(ExceptionGroup):
    @property
    def exceptions(self):
        raise RuntimeError


def deep_group(depth=3000):
    error: Exception = ValueError()
    for _ in range(depth):
        error = ExceptionGroup("group", [error])
    return error


MAKERS = [
    *(
        lambda kind=kind: kind("odd")
        for kind in (OddTraceback, OddCause, OddText, OddNotes, OddAttributes, OddClass)
    ),
    lambda: OddGroup("odd", [ValueError()]),
    deep_group,
]


@pytest.mark.slow
@pytest.mark.parametrize("make", MAKERS)
def test_an_odd_exception_is_a_failure_like_any_other(make):
    def test(n):
        raise make()

    report = check(test, gen.integers(), **ONCE)
    assert report.status == "failed" and report.counterexample == (0,)
    assert "Falsifying input" in str(report)
    report.to_json()
    # pytest would crash at those whose attributes raise.
    shown = errors.BrokenException if type(make()) in (OddCause, OddAttributes) else type(make())
    with pytest.raises(shown):
        settings(**ONCE)(given(gen.integers())(test))()


@pytest.mark.parametrize("make", MAKERS[:-1])
@pytest.mark.parametrize("way", ["map", "filter"])
def test_so_is_one_that_a_generator_raises(make, way):
    def raising(n):
        raise make()

    report = check(lambda n: True, getattr(gen.integers(), way)(raising), **ONCE)
    assert report.status == "failed" and type(report.error) is type(make())
    assert "odd" in str(report) or "printing it raises" in str(report)


def test_generators_nested_too_deeply_are_an_error_of_the_generator():
    deep = gen.integers(0, 5)
    for _ in range(1000):
        deep = gen.tuples(deep)
    with pytest.raises(errors.GeneratorError, match="nested too deeply"):
        check(lambda value: True, deep, **ONCE)


def test_what_is_no_function_or_generator_is_refused():
    with pytest.raises(errors.InvalidArgument, match="covers decorates"):
        covers(lambda v: True)(5)  # type: ignore[type-var]
    with pytest.raises(errors.InvalidArgument, match="must be a generator"):
        walk(5)  # type: ignore[arg-type]


class Proxy:
    """An object like a request outside of its context: whoever looks at it gets an exception."""

    def __getattribute__(self, name):
        raise RuntimeError(f"there is no request, so no {name}")

    def __call__(self, n):
        return True


request = Proxy()


def calls_a_proxy(n):
    if not request(n):
        return
    assert n < 500


def compares_a_proxy(n):
    assume(n % 10 == 7 and request is not None)
    assert n < 500


@pytest.mark.parametrize("test", [calls_a_proxy, compares_a_proxy])
@pytest.mark.parametrize("explore", [None, Narrow()], ids=repr)
def test_a_test_may_use_objects_that_refuse_to_be_looked_at(test, explore):
    report = check(test, gen.integers(0, 10**6), explore=explore, **{**ONCE, "max_examples": 200})
    assert isinstance(report.error, AssertionError)


def test_so_may_a_precondition():
    report = check(given(gen.integers(0, 9)).where(lambda n: request(n))(lambda n: None), **ONCE)
    assert report.status == "passed"


# --- predicates ---------------------------------------------------------------------------------------------


def picky(n):
    if n == 4:
        raise KeyError("boom")
    return n > 4


NUMBERS = gen.integers(0, 9).filter(picky)

READINGS = {
    "sample": lambda: NUMBERS.sample(50, seed=0),
    "record": lambda: [NUMBERS.record(seed=seed) for seed in range(50)],
    "iterate": lambda: list(NUMBERS),
    "iterate many": lambda: list(zip(range(10), gen.integers().filter(picky))),
    "walk": lambda: list(walk(gen.booleans().flatmap(lambda b: NUMBERS))),
    "up_to_size": lambda: list(NUMBERS.up_to_size(9)),
    "find": lambda: find(
        gen.lists(gen.integers(0, 9)).filter(lambda xs: all(map(picky, xs))), lambda xs: False
    ),
}


@pytest.mark.parametrize("reading", READINGS)
def test_an_error_of_a_predicate_names_the_value(reading):
    with pytest.raises(KeyError) as caught:
        READINGS[reading]()
    notes = " ".join(getattr(caught.value, "__notes__", []))
    assert "4" in notes and "predicate" in notes


@pytest.mark.parametrize("explore", [None, Narrow()])
def test_a_report_names_the_value_that_a_predicate_raised_for(explore):
    report = check(lambda n: True, NUMBERS, explore=explore, **ONCE)
    assert report.status == "failed" and "note: raised by" in str(report)
    (note,) = report.failures[0].notes
    assert "picky" in note and note.endswith(" 4")


# --- long inputs --------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    "long",
    [
        gen.lists(gen.integers(0, 9), min_size=20_000, max_size=20_000),
        gen.lists(gen.text(min_size=1, max_size=3), min_size=2000, max_size=2000),
        gen.text(min_size=9000, max_size=9000),
        gen.tuples(gen.lists(gen.tuples(gen.booleans()), min_size=3000, max_size=3000), gen.just(1)),
    ],
)
def test_a_long_input_is_shown_on_a_screen(long):
    report = check(
        lambda value: False,
        long,
        database=None,
        seed=0,
        max_examples=1,
        suppress_health_check=list(HealthCheck),
        phases=[phase for phase in settings().resolve().phases if phase.value != "shrink"],
    )
    text = str(report)
    assert text.count("\n") < 90 and len(text) < 15_000


# --- objects that refuse to be looked at --------------------------------------------------------------------


def refuses(self, *args):
    raise ZeroDivisionError


METHODS = [
    "__repr__",
    "__getattribute__",
    "__getattr__",
    "__len__",
    "__iter__",
    "__eq__",
    "__hash__",
    "__bool__",
]


@pytest.mark.parametrize("base", [object, list, dict, str, int, frozenset])
@pytest.mark.parametrize("method", METHODS)
def test_an_input_that_refuses_to_be_looked_at_is_an_input_like_any_other(base, method):
    stubborn = type("Stubborn", (base,), {method: refuses})
    for values in (
        gen.just(stubborn()),
        gen.tuples(gen.integers(0, 3), gen.builds(stubborn)),
        gen.lists(gen.builds(stubborn), min_size=1, max_size=2),
        gen.integers(0, 3).map(lambda n: stubborn()),
    ):
        passing = check(given(values).where(lambda value: True)(lambda value: True), seed=0, database=None)
        assert passing.status == "passed"
        failing = check(lambda value: False, values, seed=0, database=None, max_examples=5)
        assert failing.status == "failed" and "failed" in str(failing)


@pytest.mark.parametrize("most", [2_000, 5_000, 100_000])
def test_a_recursion_that_is_too_deep_is_not_called_flaky(most):
    """What just fails within the shrinker, where the stack is deeper, passed when it was run again."""

    def depth(n):
        if n:
            depth(n - 1)

    limit = sys.getrecursionlimit()
    report = check(depth, gen.integers(0, most), **ONCE)
    assert report.status == "failed" and isinstance(report.error, RecursionError)
    assert report.counterexample[0] < min(most, limit + 500)
    assert sys.getrecursionlimit() == limit
