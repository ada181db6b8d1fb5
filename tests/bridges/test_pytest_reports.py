"""How a property ends under pytest: failures, skips, and the options that select tests."""

from __future__ import annotations

import re

import pytest

FAILS = """
def helper(n):
    return n + n

@given(gen.integers())
def test_fails(n):
    doubled = helper(n)
    note(f"doubled is {doubled}")
    print("printed", n)
    assert doubled < 20
"""


def test_a_failure_shows_the_users_frames_and_the_input(run):
    text = run(FAILS).stdout.str()
    for expected in (
        ">       assert doubled < 20",
        "E       assert 20 < 20",
        "E       Falsifying input:",
        "E           test_fails(n=10)",
        "E       note: doubled is 20",
        "E       To run only this input again: @reproduce(",
        "--everycase-seed=",
        "test_inner.py:15: AssertionError",
        "FAILED test_inner.py::test_fails - assert 20 < 20",
    ):
        assert expected in text
    assert "everycase/" not in text and "run_or_raise" not in text
    # Only what the reported input printed.
    assert [line for line in text.splitlines() if line.startswith("printed")] == ["printed 10"]


def test_the_location_of_a_test_is_where_it_is_written(run, pytester):
    result = run(FAILS, "--collect-only", "-q")
    result.stdout.fnmatch_lines(["test_inner.py::test_fails"])
    run(None, "--junitxml=out.xml", "-o", "junit_family=xunit1")
    assert re.search(r'file="test_inner.py" line="\d+"', (pytester.path / "out.xml").read_text())


def test_an_error_below_the_test_shows_the_frames_in_between(run):
    text = run("""
def inner(n):
    if n >= 10:
        raise KeyError(n)

@given(gen.integers())
def test_it(n):
    inner(n)
""").stdout.str()
    assert ">       inner(n)" in text and ">           raise KeyError(n)" in text
    assert "E           KeyError: 10" in text and "test_it(n=10)" in text
    assert "everycase/" not in text


DISTINCT = """
@given(gen.sampled_from([0, 1001, -1000]))
def test_it(n):
    if n > 1000:
        raise ValueError("big")
    assert n > -1000
"""


def shows_distinct_failures(text):
    assert ">       assert n > -1000" in text and "E       assert -1000 > -1000" in text
    assert "E           ValueError: big" in text
    assert "test_it(n=-1000)" in text and "test_it(n=1001)" in text
    assert "this was number 1." in text and "this was number 2." in text
    assert re.search(r"FAILED test_inner.py::test_it - 2 distinct failures, ", text)
    assert "everycase/" not in text


def test_each_distinct_failure_is_shown_like_a_single_one(run):
    result = run(DISTINCT)
    result.assert_outcomes(failed=1)
    shows_distinct_failures(result.stdout.str())


FLAKY_AMONG_OTHERS = """
seen = []

@settings(seed=3, database=None)
@given(gen.integers(0, 10**6))
def test_it(n):
    seen.append(n)
    if len(seen) == 1:
        raise KeyError(n)
    assert n < 1000
"""


def test_a_flaky_failure_among_others(run):
    result = run(FLAKY_AMONG_OTHERS)
    result.assert_outcomes(failed=1)
    text = result.stdout.str()
    assert "E       assert 1000 < 1000" in text and "Flaky: the test failed with KeyError" in text
    assert "this was number 1." in text and "this was number 2." in text and "everycase/" not in text


OUTCOMES = """
import warnings

@given(gen.integers())
def test_skip(n):
    if n > 10:
        pytest.skip("not for large numbers")

@given(gen.integers())
def test_xfail(n):
    pytest.xfail("known")

@pytest.mark.xfail(raises=AssertionError)
@given(gen.integers())
def test_marked_xfail(n):
    assert n < 10

@pytest.mark.skip
@given(gen.integers())
def test_marked_skip(n):
    assert n < 10

@given(gen.integers())
def test_pytest_fail(n):
    if n >= 10:
        pytest.fail("too large")

@given(gen.integers(1, 9))
def test_raises(n):
    with pytest.raises(ZeroDivisionError):
        n / 0
    with pytest.warns(UserWarning, match="careful"):
        warnings.warn("careful", stacklevel=1)

@given(gen.integers())
def test_does_not_raise(n):
    with pytest.raises(ValueError):
        if n < 10:
            raise ValueError

@given(gen.integers())
def test_importorskip(n):
    pytest.importorskip("no_such_module_at_all")

@given(gen.integers(0, 9))
def test_warns(n):
    warnings.warn("once is enough", UserWarning, stacklevel=1)
"""


def test_outcomes(run):
    result = run(OUTCOMES)
    result.assert_outcomes(passed=2, failed=2, skipped=3, xfailed=2, warnings=1)
    text = result.stdout.str()
    assert "test_pytest_fail(n=10)" in text and "Failed: too large" in text
    assert "test_does_not_raise(n=10)" in text and "DID NOT RAISE" in text
    assert "everycase/" not in text


@pytest.mark.slow
def test_exit_stops_the_session(run):
    result = run("@given(gen.integers())\ndef test_it(n): pytest.exit('enough')\ndef test_other(): pass")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    assert "enough" in result.stdout.str()


def test_an_interrupt_stops_the_session(run):
    with pytest.raises(KeyboardInterrupt):
        run("@given(gen.integers())\ndef test_it(n): raise KeyboardInterrupt\ndef test_other(): pass")


SELECTED = """
@given(gen.integers())
def test_first(n):
    assert n < 10

@given(gen.integers())
def test_second(n):
    assert n < 10

@given(gen.integers())
def test_third(n):
    pass
"""


def test_options_that_select_tests(run):
    run(SELECTED, "-x").assert_outcomes(failed=1)
    run(None, "-k", "third").assert_outcomes(passed=1, deselected=2)
    run(None, "-p", "cacheprovider").assert_outcomes(failed=2, passed=1)
    last = run(None, "-p", "cacheprovider", "--lf")
    last.assert_outcomes(failed=2)
    assert "Remembered from an earlier run" in last.stdout.str()


@pytest.mark.slow
def test_xdist(run):
    """The workers send back failures, exception groups and statistics."""
    events = """
@given(gen.integers(0, 9))
@example(0)
@example(1)
@settings(phases=[Phase.explicit])
def test_events(n):
    event("even" if n % 2 == 0 else "odd")
"""
    without = ["-p", "no:anyio", "-p", "no:asyncio"]  # which take longer to load than everything else
    result = run(SELECTED + DISTINCT + events, "-n", "2", "--everycase-statistics", *without, process=True)
    result.assert_outcomes(failed=3, passed=2)
    text = result.stdout.str()
    assert text.count("(n=10)") == 2
    shows_distinct_failures(text)
    assert "test_inner.py::test_events: passed 2 tests" in text and " 50.0%  even" in text
    assert "test_inner.py::test_first: failed at test" in text


def test_beside_hypothesis(run):
    import hypothesis  # noqa: F401 (once; pytester forgets what was imported by a run)

    source = """
from hypothesis import given as hypothesis_given, strategies as st

@given(gen.integers())
def test_ours(n):
    assert n < 10

@hypothesis_given(st.integers())
def test_theirs(n):
    pass
"""
    run(source, hypothesis=True).assert_outcomes(failed=1, passed=1)
    run(source).assert_outcomes(failed=1, passed=1)


def test_without_the_plugin_a_property_is_still_a_test(pytester, run):
    run(FAILS, "-p", "no:everycase", "-p", "no:everycase.bridges.pytest_plugin").assert_outcomes(failed=1)


NOT_PRUNED = """
from everycase.explore import Narrow

@settings(explore=Narrow(max_size=2), database=None)
@given(gen.lists(gen.integers(0, 9))).where(lambda xs: type(xs) is list and len(xs) == 2)
def test_pairs(xs):
    assert len(xs) == {length}
"""


def test_a_passing_test_says_that_its_precondition_was_not_pruned(run):
    result = run(NOT_PRUNED.format(length=2))
    result.assert_outcomes(passed=1, warnings=1)
    result.stdout.fnmatch_lines(["*test_inner.py:*EverycaseWarning: *went on by filtering*write isinstance*"])


def test_a_failing_test_says_that_its_precondition_was_not_pruned(run):
    result = run(NOT_PRUNED.format(length=3), "-W", "error::everycase.errors.EverycaseWarning")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E *test_pairs(xs=[[]0, 0])*", "E *warning: *went on by filtering*"])


def test_a_test_without_an_input_says_that_its_precondition_was_not_pruned(run):
    without = NOT_PRUNED.format(length=2).replace("len(xs) == 2", "len(xs) == 3")
    result = run(without, "-W", "error::everycase.errors.EverycaseWarning")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E *GaveUp: there was no input at all*", "*warning: *went on by filtering*"])


def test_a_run_that_cannot_begin_shows_nothing_of_the_machinery(run):
    result = run("@given(gen.nothing())\ndef test_nothing(n): pass")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E *GeneratorError: tuples(nothing()) has no value*"])
    result.stdout.no_fnmatch_line("*runner.py*")


def test_a_search_without_any_value_says_how_far_it_went(run):
    result = run(
        """
from everycase.explore import Narrow

@settings(explore=Narrow(max_size=3), database=None)
@given(gen.lists(gen.integers(0, 9))).where(lambda xs: sum(xs) > 99)
def test_large(xs):
    pass
"""
    )
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E *GaveUp: *no input at all*all 0 values up to size 3*"])
