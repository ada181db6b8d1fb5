"""The preconditions of a property are found wherever they are, used if that is sound, and shown in the report."""

from __future__ import annotations

import itertools
import re

import outside_state
import pytest

from everycase import assume, check, gen, given, note, reject
from everycase.explore import Narrow
from everycase.run.condition_reader import conditions_in
from everycase.run.conditions import Conditions
from everycase.run.property import Property
from sample_types import climbs

LISTS = gen.lists(gen.integers(0, 9))
RUN = {"seed": 0, "max_examples": 200, "database": None}
LEAST = 4
seen: list[list[int]] = []


def is_rare(xs):
    return len(xs) >= LEAST and climbs(xs)


def require_rare(xs):
    assume(len(xs) >= LEAST)
    assume(climbs(xs))


def first_of(xs):
    if not climbs(xs):
        reject()
    return xs[0] if xs else 0


def with_assume(xs):
    """A docstring is no statement."""
    n = len(xs)
    note(n)
    assume(n >= LEAST)
    assume(climbs(xs))
    assert is_rare(xs)


def with_guards(xs):
    if len(xs) < LEAST:
        return
    if not climbs(xs):
        return None
    tested.append(list(xs))


def with_a_helper(xs):
    require_rare(xs)
    assert is_rare(xs)


def with_a_value_of_a_helper(xs):
    first = first_of(xs)
    assume(len(xs) >= LEAST)
    assert first == min(xs)


def with_a_loop(xs):
    for a, b in itertools.pairwise(xs):
        assume(a < b)
    assume(len(xs) >= LEAST)
    assert is_rare(xs)


tested: list[list[int]] = []


@pytest.mark.parametrize(
    ("test", "kinds"),
    [
        (with_assume, ["assume", "assume"]),
        (with_a_helper, ["helper"]),
        (with_a_value_of_a_helper, ["helper", "assume"]),
        (with_a_loop, ["assume", "assume"]),
    ],
)
def test_conditions_at_the_beginning_of_a_test_are_searched_for(test, kinds):
    report = check(test, LISTS, **RUN)
    assert report.status == "passed" and report.examples == 200
    assert [one.kind for one in report.conditions] == kinds
    for one in report.conditions:
        assert one.used == "searched for by pruning"
        assert one.evaluations > 0 and one.found_at.startswith("test_conditions.py:")
    assert report.conditions[0].share is not None and 0 <= report.conditions[0].share < 1


def test_guards_that_return_are_conditions_too():
    tested.clear()
    report = check(with_guards, LISTS, **RUN)
    assert [one.kind for one in report.conditions] == ["guard", "guard"]
    assert report.conditions[1].text == "climbs(xs)"
    assert len(tested) > 150 and all(is_rare(xs) for xs in tested)


def test_where_and_filters_are_shown_beside_them():
    @given(LISTS.filter(climbs)).where(lambda xs: len(xs) > 1)
    def test(xs):
        assume(xs[0] == 0)

    kinds = [(one.kind, one.text) for one in check(test, **RUN).conditions]
    assert kinds == [("where", "len(xs) > 1"), ("filter", "climbs"), ("assume", "xs[0] == 0")]


def test_conditions_of_adopted_tests_are_searched_for():
    hypothesis = pytest.importorskip("hypothesis")
    from everycase.bridges.hypothesis.adopting import adopt

    def require(xs):
        hypothesis.assume(climbs(xs))

    @hypothesis.given(hypothesis.strategies.lists(hypothesis.strategies.integers(0, 50)))
    def direct(xs):
        hypothesis.assume(len(xs) > 3)
        hypothesis.assume(climbs(xs))

    @hypothesis.given(hypothesis.strategies.lists(hypothesis.strategies.integers(0, 50), max_size=2))
    def by_a_helper(xs):
        require(xs)

    report = check(adopt(direct), **RUN)
    assert report.examples == 200
    assert [one.used for one in report.conditions] == ["searched for by pruning"] * 2
    [left] = check(adopt(by_a_helper), **RUN).conditions
    assert left.used.startswith("left to the test: assume of Hypothesis")


def test_the_assume_of_hypothesis_is_known():
    hypothesis = pytest.importorskip("hypothesis")

    def test(xs):
        hypothesis.assume(is_rare(xs))

    assert [one.kind for one in conditions_of(test)] == ["assume"]
    assert not any(one.used for one in conditions_of(test))


def conditions_of(test):
    """The conditions found in a test that is not run."""
    prop = Property(test, {"xs": LISTS})
    return Conditions(prop, conditions_in(prop, {})).shown


# --- conditions that stay in the test -----------------------------------------------------------------------


def after_a_side_effect(xs):
    seen.append(xs)
    assume(is_rare(xs))


def by_what_the_test_changes(xs):
    assume(xs not in seen)
    seen.append(xs)


def by_taking_from_the_input(xs):
    last = xs.pop() if xs else 0
    assume(last > 3)


def by_a_change_in_a_helper(xs):
    assume(remembered(xs))


def remembered(xs):
    seen.append(xs)
    return is_rare(xs)


def by_printing(xs):
    assume(print(xs) is None)


calls = itertools.count()


def by_counting(xs):
    assume(next(calls) % 2 == 0)


@pytest.mark.parametrize(
    "test",
    [
        after_a_side_effect,
        by_what_the_test_changes,
        by_taking_from_the_input,
        by_a_change_in_a_helper,
        by_printing,
        by_counting,
    ],
)
def test_what_does_something_stays_in_the_test(test):
    seen.clear()
    report = check(test, LISTS, **RUN)
    assert all(one.used != "searched for by pruning" for one in report.conditions)
    assert all(one.used.startswith("left to the test: ") for one in report.conditions)
    assert report.conditions or test is after_a_side_effect


@pytest.mark.parametrize(
    "condition",
    [
        *("compared == xs", "len(xs) < ordered", "len(xs) in holding", "len(sized) < len(xs)"),
        *("all(one in xs for one in iterated)", "len([*iterated, *xs]) > 2", "indexed[0] < len(xs)"),
        *("len(xs) + added > 2", "truth and len(xs) > 2", "str(shown) < str(xs)", "f'{shown}' < str(xs)"),
        *("len({hashed, *xs}) > 2", "computed.size < len(xs)", "lazy.size < len(xs)", "max([ordered, xs])"),
        *("all(a for a, _ in zip(turns, xs))", "all(a for a, _ in zip(kept['turns'][0], xs))"),
        *("not groups[len(xs)]", "xs in [compared]"),
    ],
)
def test_an_object_that_notices_being_looked_at_is_not_looked_at_more_often(condition, tmp_path):
    [found] = conditions_of(made_of(f"assume({condition})", tmp_path))
    assert found.used.startswith("left to the test: ")
    assert not any(
        thing.times for thing in vars(outside_state).values() if isinstance(thing, outside_state.Looked)
    )


@pytest.mark.parametrize(
    "change",
    [
        *("outside_state.limit = 1", "outside_state.limit += 1", "outside_state.raise_limit()"),
        *("setattr(outside_state, 'limit', 1)", "allowed[0] = 1", "allow_more()", "del allowed[0]"),
        *("monkeypatch.setattr(outside_state, 'limit', 1)", "monkeypatch.setattr('outside_state.limit', 1)"),
    ],
)
def test_what_the_test_changes_in_another_module_is_not_read_ahead(change, tmp_path):
    test = made_of(f"assume(is_within(xs) and are_allowed(xs)); {change}", tmp_path)
    [found] = conditions_of(test)
    assert "changes" in found.used


@pytest.mark.parametrize("condition", ["len(xs) in harmless", "len(harmless) < len(xs) + harmless.least"])
def test_objects_that_can_be_looked_at_are(condition, tmp_path):
    [found] = conditions_of(made_of(f"assume({condition})", tmp_path))
    assert not found.used


def made_of(body, folder):
    """A test with this body, read from a file."""
    file = folder / "made.py"
    file.write_text(f"def test(xs):\n    {body}\n")
    names = {**vars(outside_state), "outside_state": outside_state, "assume": assume}
    exec(compile(file.read_text(), file, "exec"), names)
    return names["test"]


def test_a_test_that_counts_its_calls_sees_what_the_report_says():
    calls = []

    def test(xs):
        assume(is_rare(xs))
        calls.append(xs)

    report = check(test, LISTS, **RUN)
    assert len(calls) == report.examples == 200


def test_what_a_condition_raises_is_shown_as_a_failure_of_the_test_with_its_input():
    def test(xs):
        assume(xs[3] > 0)  # an IndexError for short lists

    report = check(test, LISTS, **RUN)
    assert report.status == "failed" and isinstance(report.error, IndexError)
    assert report.counterexample == ([],)


def test_all_valid_inputs_of_an_assumption_are_not_called_exhaustive():
    def test(pair):
        assume(pair[0] + 1995 == pair[1])

    report = check(test, gen.tuples(gen.integers(0, 2000), gen.integers(0, 2000)), seed=0, database=None)
    assert report.status == "passed" and not report.exhaustive
    assert report.stopped.startswith("pruning found no other inputs")


def test_a_test_without_conditions_has_none():
    def test(xs):
        ys = sorted(xs)
        assert sorted(ys) == ys

    assert check(test, LISTS, **RUN).conditions == []


def test_the_default_tests_no_input_twice_and_forgets_none_of_its_first_ones():
    """Some tests run before conditions are looked for; those that change their input too."""

    def test(xs):
        assume(xs == sorted(xs) and len(xs) > 1)
        tested.append(tuple(xs))
        xs.append(0)

    for seed in range(5):
        tested: list[tuple[int, ...]] = []
        check(test, gen.lists(gen.integers(0, 3), max_size=3), seed=seed, database=None)
        assert len(tested) == len(set(tested)) == 30


@pytest.mark.parametrize("explore", [Narrow(), Narrow(max_size=7)])
def test_evaluations_on_whole_values_count(explore):
    """A regular expression needs all of a text."""

    def test(text):
        match = re.fullmatch(r"([01]+)[.]([01]+)", text)
        assume(match is not None)
        assume(match.group(1) == match.group(2))

    report = check(test, gen.text("01.", max_size=6), seed=0, database=None, explore=explore)
    first, second = report.conditions
    assert first.evaluations >= second.evaluations >= report.examples == 6
