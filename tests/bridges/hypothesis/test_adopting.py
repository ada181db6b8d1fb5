"""pytest --everycase-adopt: unchanged tests, run by our explorers."""

from __future__ import annotations

import asyncio

import hypothesis
import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, Phase, assume, event, example, given, seed, target

from everycase import check
from everycase.bridges.hypothesis.adopting import NotAdopted, adopt
from everycase.run.property import PROPERTY

SUITE = """
import unittest
import pytest
from hypothesis import assume, event, example, given, note, settings, target, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

@example(3, None).xfail(raises=AttributeError)
@given(st.integers(), st.data())
def test_words(n, data):
    assume(n is not None)
    note("here")
    event("seen")
    assert data.draw(st.integers(0, 9)) < 10

def noted(n):
    note(f"made {n}")
    event("made")
    return n

@given(st.integers().map(noted), st.integers(0, 3).flatmap(lambda n: st.just(noted(n))), st.integers().filter(lambda n: noted(n) or True))
def test_words_while_an_input_is_made(a, b, c):
    assert b < 4

@given(st.lists(st.integers()))
def test_fails(xs):
    note("a note of the test")
    assert sum(xs) < 100

@given(st.integers())
def helper(n):
    raise ValueError

def test_helper():
    assert helper.is_hypothesis_test and helper.hypothesis.inner_test

class TestMethods:
    @pytest.mark.parametrize("p", [1, 2])
    @given(x=st.integers(0, 3), me=st.runner())
    def test_method(self, x, p, tmp_path, me):
        assert x < 4 and not list(tmp_path.iterdir()) and me is self
        (tmp_path / "mine").touch()

class TestUnit(unittest.TestCase):
    def setUp(self):
        self.fresh = True

    @given(st.text())
    def test_unit(self, s):
        assert self.fresh
        self.fresh = False

class TestExecutor:
    def execute_example(self, f):
        return f()

    @given(st.integers())
    def test_left(self, n):
        pass

class Machine(RuleBasedStateMachine):
    @rule()
    def step(self):
        pass

TestMachine = Machine.TestCase
"""


@pytest.mark.slow
def test_a_suite_is_adopted_as_it_is(pytester):
    pytester.makepyfile(SUITE)
    result = pytester.runpytest_subprocess("--everycase-adopt", "-p", "no:cacheprovider", "-p", "no:xdist")
    result.assert_outcomes(passed=8, failed=1)
    result.stdout.fnmatch_lines(
        [
            "*test_fails(xs=[[]100])*",
            "*note: a note of the test*",
            "*To repeat the whole search: pytest --everycase-adopt --everycase-seed=*",
            "*6 tests under hypothesis.given were run by everycase, * by Hypothesis as before*",
            "*test_left: its class defines how test cases are run*",
        ]
    )


def test_settings_examples_and_seed_are_carried_over():
    @hypothesis.settings(
        max_examples=7,
        deadline=300,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
    )
    @seed("words")
    @example(n=5)
    @given(n=st.integers())
    def test(n):
        pass

    ours = getattr(adopt(test), PROPERTY)
    resolved = ours.spec.settings.resolve()
    assert resolved.max_examples == 7 and resolved.deadline == 300 and resolved.database is None
    assert [phase.name for phase in resolved.phases] == ["explicit", "explore"]
    assert {each.name for each in resolved.suppress_health_check} == {"too_much_discarded", "too_slow"}
    assert resolved.seed is not None and ours.spec.examples[0].kwargs == {"n": 5}
    assert check(adopt(test)).examples == 7


def test_what_a_test_says_reaches_the_run():
    @given(st.integers(0, 1000))
    def test(n):
        assume(n % 2 == 0)
        event("even")
        target(float(n), label="n")

    report = check(adopt(test), database=None, seed=0, max_examples=200)
    assert report.events["even"] == report.examples and report.discarded > 0
    assert report.best["n"] == 1000


def test_annotations_are_read_by_hypothesis():
    @given(...)
    def test(n: int, s: str):
        assert type(n) is int and type(s) is str

    assert check(adopt(test), database=None).status == "passed"


def test_coroutines():
    @given(st.integers())
    def inner(n):
        pass

    async def body(n):
        await asyncio.sleep(0)
        assume(n > 0)
        assert n < 10**6

    inner.hypothesis.inner_test = body
    report = check(adopt(inner), database=None, seed=0, max_examples=300)
    assert report.status == "failed" and report.counterexample == (10**6,)


def test_reproduce_failure_is_left_to_hypothesis():
    @hypothesis.reproduce_failure("6.0", b"AA")
    @given(st.integers())
    def test(n):
        pass

    with pytest.raises(NotAdopted, match="reproduce_failure"):
        adopt(test)
