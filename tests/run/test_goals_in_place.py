"""The copies of tests that goals are read from fail in the same lines as the tests themselves: these lines tell failures apart."""

from __future__ import annotations

import importlib.util
import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from everycase import check, gen
from everycase.explore import Exhaustive
from everycase.run.goal_reader import copied
from everycase.run.goals import Hook

# fmt: off


def below(n: Any) -> None:
    assert (
        n
        < 5
    ), "large"


def below_and_not(n: Any) -> None:
    assert (
        n < 7
        and n
        != 3
    )


def other_types(n: Any) -> None:
    assert (
        n != 2
        and n
        < (5 if n < 4 else "five")
    )


def not_or(n: Any) -> None:
    assert not (
        n > 3
        and n > 5
    ) or (
        n
        < 7
    )


def between(n: Any) -> None:
    assert (
        0
        < n
        < 6
        < 8
    ), (
        n
    )


def every(n: Any) -> None:
    assert all(
        x
        < 5
        for x in (
            1, n
        )
    )


def finally_below(n: Any) -> None:
    try:
        int("1")
    finally:
        assert (
            n
            < 5
        )


def caught(n: Any) -> None:
    try:
        assert (
            n
            < 5
        )
    except AssertionError as error:
        assert error.__traceback__ is not None
        raise KeyError(error.__traceback__.tb_lineno) from None


def two_in_a_line(n: Any) -> None:
    assert (n
            < 7); assert (n  # noqa: E702
                          != 3
    )


def is_small(n: Any) -> bool:
    return (
        n
        < 5
    )


def predicate(n: Any) -> None:
    assert is_small(
        n
    )


def sees_its_variables(n: Any) -> None:
    assert set(locals()) == {"n"}
    assert n < 5


class Whole:
    def check(self, n: Any) -> None:
        assert (
            n
            < 5
        )

    def method(self, n: Any) -> None:
        assert n >= 0
        (self
            .check(n))

    def wrong_call(self, n: Any) -> None:
        assert n >= 0
        (self
            .check(n,
                   4))  # type: ignore[call-arg]


# fmt: on

FORMS = [
    *(below, below_and_not, other_types, not_or, between, every, finally_below, caught, two_in_a_line),
    *(predicate, sees_its_variables, Whole.method, Whole.wrong_call),
]


def outcome(test: Callable[..., Any], args: tuple[Any, ...]) -> tuple[Any, ...]:
    try:
        test(*args)
    except Exception as error:
        steps, traceback = [], error.__traceback__
        while traceback is not None:
            code = traceback.tb_frame.f_code
            if code.co_filename == test.__code__.co_filename and code.co_name != "outcome":
                steps.append((code.co_name, code.co_firstlineno, traceback.tb_lineno))
            traceback = traceback.tb_next
        return type(error), *steps
    return ()


def without_rewriting(tmp_path: Path) -> Any:
    path = tmp_path / "plain_forms.py"
    path.write_text(Path(__file__).read_text())
    spec = importlib.util.spec_from_file_location("plain_forms", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("rewritten", [True, False])
def test_failures_are_in_the_lines_of_the_test(rewritten: bool, tmp_path: Path) -> None:
    module = sys.modules[__name__] if rewritten else without_rewriting(tmp_path)

    def same(form: Any, n: int) -> None:
        test = inspect.getattr_static(module.Whole, form.__name__, None) or getattr(module, form.__name__)
        args = (module.Whole(), n) if form.__qualname__.startswith("Whole") else (n,)
        copy = copied(test, Hook())
        assert (copy is None) == (form is sees_its_variables)
        assert copy is None or outcome(copy, args) == outcome(test, args)

    report = check(
        same, gen.sampled_from(FORMS), gen.integers(0, 9), explore=Exhaustive(), goals=False, database=None
    )
    assert report.status == "passed" and report.exhaustive, report


def test_an_assertion_of_several_lines_is_one_failure() -> None:
    report = check(below, gen.integers(0, 10**6), seed=0, database=None)
    assert report.status == "failed" and len(report.failures) == 1 and not report.failures[0].flaky
