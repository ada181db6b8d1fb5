"""settings(backend="everycase"): Hypothesis' own conformance test, determinism, and guidance by target."""

from __future__ import annotations

import hypothesis
import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, Phase, assume, given, seed, settings, target
from hypothesis.internal.conjecture.providers import AVAILABLE_PROVIDERS

from everycase.bridges.hypothesis import entry
from everycase.bridges.hypothesis.backend import Provider

QUIET = {
    "database": None,
    "deadline": None,
    "backend": "everycase",
    "suppress_health_check": list(HealthCheck),
}


@pytest.fixture(autouse=True)
def registered():
    entry.register()  # as the entry point does where everycase is installed
    assert AVAILABLE_PROVIDERS["everycase"] == "everycase.bridges.hypothesis.backend.Provider"


def test_conformance():
    # Importing it builds tables of all characters, which takes seconds: not while tests are collected.
    from hypothesis.internal.conjecture.provider_conformance import run_conformance_test

    run_conformance_test(Provider, settings=settings(max_examples=5, deadline=None, database=None))


def tried(seed):
    seen = []

    @settings(max_examples=60, phases=[Phase.generate], **QUIET)
    @hypothesis.seed(seed)
    @given(st.lists(st.integers(0, 99)), st.text("ab"))
    def test(xs, s):
        seen.append((xs, s))
        target(float(sum(xs)))

    test()
    return seen


def test_the_seed_decides_everything():
    assert tried(1) == tried(1) != tried(2)


def test_target_guides_it():
    most = [max(sum(xs) for xs, _ in tried(seed)) for seed in range(3)]
    assert min(most) > 500  # fresh choices alone reach about 400


def test_failures_are_found_and_made_small_by_hypothesis():
    @settings(max_examples=1000, **QUIET)
    @given(st.integers(0, 10**7))
    def test(n):
        target(-float(abs(n - 2**17 - 3)))
        assert n < 2**17 + 3 or n > 2**17 + 9

    with pytest.raises(AssertionError):
        test()


def test_a_test_without_target_runs_as_ever():
    seen = set()

    @settings(max_examples=50, phases=[Phase.generate], **QUIET)
    @given(st.integers(), st.floats(), st.binary(), st.text())
    def test(a, b, c, d):
        seen.add(repr((a, b, c, d)))

    test()
    assert len(seen) > 20


def test_a_test_that_discards_most_of_its_inputs_still_gets_valid_ones():
    valid = []

    @settings(backend="everycase", max_examples=100, database=None)
    @seed(0)
    @given(st.lists(st.text("abcdefgh", min_size=1), min_size=2))
    def test(words):
        assume(all(letter in "abcdef" for word in words for letter in word))
        valid.append(words)

    test()  # no health check complains
    assert len(valid) >= 100 and len(set(map(str, valid))) > 50
