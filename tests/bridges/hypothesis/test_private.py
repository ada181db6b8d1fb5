"""The assumptions of everycase about Hypothesis' private parts hold in this version of Hypothesis."""

from __future__ import annotations

import hypothesis
import hypothesis.strategies as st
from hypothesis import example, given
from strategies_table import intervals

from everycase.bridges.hypothesis import private
from everycase.bridges.hypothesis.reading import _CLASSES

#: A strategy of each class that is read by its class, and the attributes that are read.
CLASSES = {
    "BooleansStrategy": (st.booleans(), ()),
    "BuildsStrategy": (st.builds(complex, st.integers()), ("target", "args", "kwargs")),
    "BytesStrategy": (st.binary(), ("min_size", "max_size")),
    "CompositeStrategy": (intervals(3), ("definition", "args", "kwargs")),
    "FilteredStrategy": (
        st.tuples(st.integers()).filter(lambda n: n != 3),
        ("filtered_strategy", "flat_conditions"),
    ),
    "FixedDictStrategy": (st.fixed_dictionaries({"a": st.none()}), ("mapping", "optional")),
    "FlatMapStrategy": (st.integers().flatmap(st.just), ("base", "expand")),
    "FloatStrategy": (
        st.floats(),
        ("min_value", "max_value", "allow_nan", "smallest_nonzero_magnitude"),
    ),
    "IntegersStrategy": (st.integers(), ("start", "end")),
    "JustStrategy": (st.just(1), ("value", "_transformations")),
    "ListStrategy": (st.lists(st.none()), ("element_strategy", "min_size", "max_size")),
    "MappedStrategy": (st.lists(st.none()).map(len), ("mapped_strategy", "pack")),
    "Nothing": (st.nothing(), ()),
    "OneCharStringStrategy": (st.characters(), ("intervals",)),
    "OneOfStrategy": (st.none() | st.booleans(), ("original_strategies",)),
    "PermutationStrategy": (st.permutations("ab"), ("values",)),
    "RecursiveStrategy": (st.recursive(st.none(), st.lists), ("base", "extend", "max_leaves")),
    "RunnerStrategy": (st.runner(), ("default",)),
    "SampledFromStrategy": (st.sampled_from("abc"), ("elements", "_transformations")),
    "SharedStrategy": (st.shared(st.none()), ("base", "key")),
    "TextStrategy": (st.text(), ("element_strategy", "min_size", "max_size")),
    "TupleStrategy": (st.tuples(st.none()), ("element_strategies",)),
    "UniqueListStrategy": (st.lists(st.integers(), unique=True), ("element_strategy", "keys")),
    "DataStrategy": (st.data(), ()),
}
ELSEWHERE = {"LimitedStrategy", "UniqueSampledListStrategy"}  # made only inside others


def unwrapped(strategy):
    while private.call_of(strategy) is not None:
        strategy = strategy.wrapped_strategy
    return strategy


def test_every_class_that_is_read_is_there_with_its_attributes():
    assert set(CLASSES) | ELSEWHERE == set(_CLASSES)
    for name, (strategy, attributes) in CLASSES.items():
        inner = unwrapped(strategy)
        assert type(inner).__name__ == name
        assert all(hasattr(inner, attribute) for attribute in attributes), name


def test_strategies_remember_their_call():
    call = private.call_of(st.lists(st.integers(), max_size=3).map(len).filter(bool))
    assert call.name == "lists" and call.kwargs["max_size"] == 3
    assert [method for method, _ in call.transformations] == ["map", "filter"]
    assert private.call_of(intervals(3)).name == ""  # a user-defined function


def test_a_given_test_shows_its_parts():
    @hypothesis.settings(max_examples=7)
    @hypothesis.seed(3)
    @example(x=1, y=2)
    @given(x=st.integers(), y=st.none())
    def test(x, y):
        pass

    parts = private.given_test(test)
    assert set(parts.strategies) == {"x", "y"} and parts.inner.__name__ == "test"
    assert parts.settings.max_examples == 7 and parts.seed == 3 and not parts.reproduces
    assert (parts.examples[0].args, parts.examples[0].kwargs) == ((), {"x": 1, "y": 2})
    assert parts.examples[0].raises is None


def test_what_a_test_says_is_heard():
    said = private.Said()
    with said.listening():
        hypothesis.note("words")
        hypothesis.event("seen", 3)
        hypothesis.target(2.5, label="size")
    assert said.notes == ["words"] and said.targets == {"size": 2.5} and "seen" in said.events
