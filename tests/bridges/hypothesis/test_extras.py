"""everycase.extra: the strategies of hypothesis.extra as generators."""

from __future__ import annotations

import pytest

from everycase import check, extra, gen, given, settings
from everycase.errors import MissingExtra

numpy = pytest.importorskip("numpy")
from everycase.extra import numpy as hnp  # noqa: E402 (only where numpy is)


@settings(max_examples=30)
@given(hnp.arrays(int, (2, 3), elements=gen.integers(0, 9)))
def test_arrays_of_our_elements(array):
    assert array.shape == (2, 3) and 0 <= array.min() <= array.max() <= 9


def test_arrays_shrink():
    def test(array):
        assert array.sum() < 50

    report = check(test, hnp.arrays(int, 3, elements=gen.integers(0, 99)), seed=0, database=None)
    assert report.status == "failed" and report.counterexample[0].sum() in (50, 51)


def test_names_are_those_of_hypothesis():
    assert "arrays" in dir(hnp)
    with pytest.raises(AttributeError):
        hnp.no_such_name  # noqa: B018
    with pytest.raises(AttributeError, match="numpy"):
        extra.no_such_module  # noqa: B018


def test_a_library_that_is_not_installed_is_named():
    try:
        import redis  # noqa: F401
    except ImportError:
        from everycase.extra import redis as ours

        with pytest.raises(MissingExtra, match="redis"):
            ours.RedisExampleDatabase  # noqa: B018
