"""from_strategy: all values are allowed by the strategy, and a strategy read by its structure supports everything."""

from __future__ import annotations

import hypothesis
import hypothesis.strategies as st
import pytest
from strategies_table import ALL, OPAQUE, STRUCTURAL, Even

from everycase import HealthCheck, Phase, Verbosity, check, find, gen, given, settings
from everycase.bridges.hypothesis import explain, from_strategy
from everycase.errors import InvalidArgument

SEEDED = {"seed": 0, "database": None}


@pytest.mark.parametrize("name", ALL)
def test_values_are_ones_that_the_strategy_allows(name):
    strategy, allows = ALL[name]
    for value in from_strategy(strategy).sample(200, seed=1):
        assert allows(value), value


@pytest.mark.parametrize("name", STRUCTURAL)
def test_common_strategies_are_read_by_their_structure(name):
    assert explain(STRUCTURAL[name][0]).opaque == ()


@pytest.mark.parametrize("name", OPAQUE)
def test_others_are_driven_and_said_to_be(name):
    explanation = explain(OPAQUE[name][0])
    assert not explanation.structural and "choice by choice" in str(explanation)


@pytest.mark.parametrize("name", ALL)
def test_a_trace_replays(name):
    source = from_strategy(ALL[name][0])
    trace = source.record(seed=3)
    if name in ("iterables", "randoms"):
        return  # their values do not compare
    assert repr(source.replay(type(trace).from_blob(trace.to_blob())).value) == repr(trace.value)


def test_what_is_structural_counts_and_is_exhausted():
    pairs = from_strategy(st.tuples(st.booleans(), st.sampled_from("abc"), st.integers(1, 5).map(str)))
    assert len(pairs) == 30 and pairs[29] == (True, "c", "5")
    report = check(lambda pair: True, pairs, max_examples=100)
    assert report.exhaustive and report.examples == 30


def test_the_same_strategy_is_the_same_generator():
    strategy = st.lists(st.integers())
    assert from_strategy(strategy) is from_strategy(strategy)


def test_recursion_comes_back_to_itself():
    tree = st.deferred(lambda: st.just(0) | st.tuples(tree, tree))
    trees = from_strategy(tree)
    assert [len(trees.of_size(n)) for n in range(6)] == [1, 1, 2, 5, 14, 42]


def test_every_place_that_takes_a_generator_takes_a_strategy():
    numbers = st.integers(0, 9)
    made = [
        gen.lists(numbers, max_size=2),
        gen.tuples(numbers, gen.booleans()),
        gen.one_of(numbers, st.text()),
        gen.one_of([numbers, gen.none()]),
        gen.none() | numbers,
        gen.frequency((1, numbers), (2, gen.none())),
        gen.builds(complex, numbers, imag=numbers),
        gen.dictionaries(numbers, numbers),
        gen.fixed_dictionaries({"a": numbers}, optional={"b": numbers}),
        gen.sets(numbers),
        gen.booleans().flatmap(lambda b: numbers),
        gen.deferred(lambda: numbers),
        gen.recursive(numbers, lambda inner: st.just(1)),
        gen.shared(numbers),
        gen.datetimes(timezones=st.none()),
        gen.functions(returns=numbers),
        gen.text(st.sampled_from("ab")),
    ]
    for source in made:
        source.record(seed=0)
    assert find(numbers, lambda n: n > 4, **SEEDED) == 5
    assert check(lambda n: n < 10, numbers).exhaustive
    assert check(lambda n: n < 10, n=numbers).status == "passed"


@given(st.integers(0, 3), b=gen.booleans())
@settings(max_examples=20)
def test_given_takes_both(a, b):
    assert a in range(4) and b in (True, False)


@given(gen.data())
@settings(max_examples=20)
def test_draw_takes_a_strategy(data):
    assert data.draw(st.integers(0, 3), label="n") in range(4)


SMALLEST = [
    (st.lists(st.integers()), lambda xs: sum(xs) >= 100, [100]),
    (st.text(), lambda s: len(s) >= 3, "000"),
    (st.integers(0, 10**6), lambda n: n > 12345, 12346),
    (st.floats(), lambda x: x > 2.5, 3.0),
    (st.tuples(st.integers(), st.integers()), lambda p: p[0] + p[1] > 9, None),
    (st.lists(st.integers(0, 99), unique=True), lambda xs: len(xs) >= 3, [0, 1, 2]),
    (st.dictionaries(st.integers(0, 9), st.booleans()), lambda d: len(d) >= 2, {0: False, 1: False}),
    (
        st.integers(0, 99).flatmap(lambda n: st.lists(st.integers(0, n))),
        lambda xs: max(xs, default=0) > 41,
        [42],
    ),
    (st.recursive(st.booleans(), lambda s: st.lists(s)), lambda v: "[[[" in str(v), [[[]]]),
    (Even(), lambda n: n > 51, 52),
    (st.lists(Even()), lambda xs: sum(xs) > 99, [100]),
]


@pytest.mark.parametrize("strategy, wanted, smallest", SMALLEST, ids=range(len(SMALLEST)))
def test_shrinking_through_the_bridge_ends_at_the_native_minimum(strategy, wanted, smallest):
    found = find(strategy, wanted, max_examples=2000, **SEEDED)
    if smallest is None:
        assert wanted(found) and sum(found) == 10
    else:
        assert found == smallest


def test_shared_strategies_are_shared():
    n = st.shared(st.integers(0, 1000), key="n")
    report = check(lambda a, b: a == b[0], n, st.tuples(n, st.booleans()), max_examples=100, **SEEDED)
    assert report.status == "passed"


def test_the_error_for_no_strategy():
    with pytest.raises(InvalidArgument, match=r"from_strategy must be a generator, not 5 \(int\)"):
        from_strategy(5)


def test_words_of_hypothesis_in_a_test_of_ours():
    def test(n):
        with pytest.warns(hypothesis.errors.HypothesisDeprecationWarning):
            hypothesis.assume(n > 3)

    report = check(test, gen.integers(0, 9), **SEEDED)
    assert report.status == "passed" and report.discarded == 4


def test_members_of_hypothesis_enums_mean_ours_of_the_same_name():
    options = settings(
        suppress_health_check=list(hypothesis.HealthCheck),
        phases=[hypothesis.Phase.generate],
        verbosity=hypothesis.Verbosity.quiet,
    )
    assert HealthCheck.too_slow in options.suppress_health_check
    assert options.phases == (Phase.explore,) and options.verbosity is Verbosity.quiet
