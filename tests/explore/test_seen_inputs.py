"""A search does not test an input again whose outcome it knows."""

from __future__ import annotations

from datetime import date
from enum import Enum

import pytest

from everycase import assume, check, gen, maximize
from everycase.choices.invert import trace_of
from everycase.explore import Anneal, Climb
from everycase.explore.protocol import Case, Outcome, Status
from everycase.explore.targeted.search import KNOWN_IN_A_ROW, SeenInputs

RUN = {"seed": 3, "database": None}


@pytest.mark.parametrize("explore", [Climb(), Anneal()], ids=repr)
def test_no_input_is_tested_twice(explore):
    tested = []

    def climbs(xs):
        tested.append(tuple(xs))
        maximize(sum(xs))

    check(climbs, gen.lists(gen.integers(0, 9), max_size=30), explore=explore, max_examples=500, **RUN)
    assert len(tested) == len(set(tested)) == 500


def test_a_search_for_goals_behind_a_rare_condition_tests_new_inputs():
    tested = []

    def rises(xs):
        assume(xs == sorted(xs))
        tested.append(tuple(xs))
        assert sum(xs) != 10**12 + 7

    report = check(rises, gen.lists(gen.integers()), max_examples=400, **RUN)
    assert report.status == "passed"
    assert len(set(tested)) >= 0.97 * len(tested)


def test_where_everything_is_known_it_goes_on_testing():
    report = check(
        lambda a, b: maximize(a + b), *[gen.booleans()] * 2, explore=Climb(), max_examples=20, **RUN
    )
    assert (report.status, report.examples) == ("passed", 20)


def test_a_restart_forgets_what_was_tested():
    seen, case = SeenInputs(), Case(1, gen.integers().record(seed=0))
    assert seen.outcome(case) is None
    seen.learn(Outcome(Status.passed))
    other = Case(2, trace_of(gen.integers(), 77))
    assert seen.outcome(case) is not None and seen.outcome(other) is None
    seen.learn(Outcome(Status.passed, reset_requested=True))
    assert seen.outcome(case) is None and seen.outcome(other) is None


def test_inputs_are_told_apart_by_their_choices():
    for gens, one, other in [
        (gen.integers(), -1, -2),
        (gen.integers(), 0, 2**61 - 1),
        (gen.floats(), 0.0, -0.0),
        (gen.one_of(gen.integers(), gen.floats()), 1, 1.0),
        (gen.lists(gen.lists(gen.booleans())), [[], [True]], [[True], []]),
    ]:
        seen = SeenInputs()
        case, another = (Case(value, trace_of(gens, value)) for value in (one, other))
        assert seen.outcome(case) is None
        seen.learn(Outcome(Status.passed, None, {"": 1.0}))
        assert seen.outcome(another) is None
        again = seen.outcome(case)
        assert again is not None and again.utilities == {"": 1.0}


def test_after_many_known_outcomes_in_a_row_one_is_tested():
    case, seen = Case(1, gen.integers().record(seed=0)), SeenInputs()
    assert seen.outcome(case) is None
    seen.learn(Outcome(Status.passed))
    assert [seen.outcome(case) is None for _ in range(KNOWN_IN_A_ROW + 1)] == [False] * KNOWN_IN_A_ROW + [
        True
    ]


class Suit(Enum):
    CLUBS = 1
    HEARTS = 2


@pytest.mark.parametrize(
    "values",
    [
        gen.lists(gen.sampled_from(Suit)),
        gen.lists(gen.sampled_from([int, len])),
        gen.lists(gen.dates(date(2000, 1, 1), date(2000, 1, 3))),
        gen.lists(gen.frozensets(gen.sampled_from(Suit))),
        gen.slices(5),
        gen.decimals(),
    ],
    ids=repr,
)
def test_random_inputs_of_objects_hardly_repeat(values):
    tested = []
    check(lambda value: tested.append(repr(value)), values, max_examples=500, **RUN)
    assert len(set(tested)) >= 0.97 * len(tested)
