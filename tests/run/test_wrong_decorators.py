"""An error in a test's decorators is reported at this test; the other tests of its module are collected and run."""

from __future__ import annotations

import inspect

import pytest

from everycase import Verbosity, errors, example, gen, given, reproduce, settings
from everycase.run.host import Host, hosted_by


class Collecting(Host):
    collecting = True


def plain(n):
    """Takes one argument."""


WRONG = {
    "given without a call": lambda: given(gen.integers)(plain),  # type: ignore[arg-type]
    "settings, a wrong value": lambda: settings(max_examples=-1)(given(gen.integers())(plain)),
    "settings, an unknown name": lambda: settings(max_exampels=10)(given(gen.integers())(plain)),  # type: ignore[arg-type]
    "settings below given": lambda: given(gen.integers())(settings(deadline="soon")(plain)),  # type: ignore[arg-type]
    "settings alone": lambda: settings(seed="x")(plain),  # type: ignore[arg-type]
    "a wrong parent": lambda: settings(settings(seed="x"))(plain),  # type: ignore[arg-type]
    "an example that is a generator": lambda: given(gen.integers())(example(gen.integers())(plain)),
    "an empty example": lambda: example()(given(gen.integers())(plain)),
    "an example from nowhere": lambda: example(1).via(2)(given(gen.integers())(plain)),  # type: ignore[arg-type]
    "an expected failure of no kind": lambda: example(1).xfail(raises=3)(given(gen.integers())(plain)),  # type: ignore[arg-type]
    "a blob that is none": lambda: reproduce(5)(given(gen.integers())(plain)),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("decorate", WRONG.values(), ids=WRONG)
def test_a_wrong_decorator_fails_its_own_test_only(decorate):
    with pytest.raises(errors.InvalidArgument):
        decorate()  # outside of a collection at once
    _fresh()
    with hosted_by(Collecting()):
        test = decorate()
    _fresh()
    assert not inspect.signature(test).parameters or "kwargs" in inspect.signature(test).parameters
    with pytest.raises(errors.InvalidArgument):
        test()


def _fresh():
    vars(plain).clear()


def test_settings_that_are_wrong_are_never_used():
    with hosted_by(Collecting()):
        wrong = settings(verbosity="loud")  # type: ignore[arg-type]
    for use in (
        wrong.resolve,
        lambda: settings.combine(settings(), wrong),
        lambda: settings.register_profile("wrong", wrong),
        lambda: settings(wrong, verbosity=Verbosity.quiet),
    ):
        with pytest.raises(errors.InvalidArgument, match="verbosity"):
            use()
