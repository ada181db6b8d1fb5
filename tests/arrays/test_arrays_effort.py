"""Longer searches: arrays from groups, tabu search, and the meaning of effort."""

from __future__ import annotations

import numpy as np
import pytest
from arrays_checker import check

from everycase.arrays import Model, covering_array, forbid
from everycase.arrays.algebra.groups import SymmetryGroup, from_groups, groups
from everycase.arrays.algebra.starters import TABLE
from everycase.arrays.effort import Effort
from everycase.arrays.feasibility import Feasibility
from everycase.arrays.problem import Problem
from everycase.arrays.tabu import fewer_rows


def uniform(levels, columns):
    return {f"p{i}": list(range(levels)) for i in range(columns)}


@pytest.mark.parametrize(
    ("levels", "columns", "strength", "best"),
    [(3, 5, 2, 11), (4, 6, 2, 19), (2, 11, 3, 12), (3, 6, 3, 33), (2, 6, 4, 21), (2, 12, 4, 24)],
)
def test_known_optima_are_reached(levels, columns, strength, best):
    parameters = uniform(levels, columns)
    rows = covering_array(parameters, strength, effort=2)
    check(rows, parameters, strength)
    assert len(rows) <= best


@pytest.mark.slow
def test_twice_eleven_columns_of_strength_three_by_doubling():
    parameters = uniform(2, 20)
    rows = covering_array(parameters, 3, effort=0.1)
    assert "doubling" in rows.how
    check(rows, parameters, 3)
    assert len(rows) <= 18


def test_the_same_seed_gives_the_same_rows():
    parameters = uniform(3, 7)
    once, again = (covering_array(parameters, 2, seed=3, effort=0.3).tuples() for _ in range(2))
    assert once == again


@pytest.mark.slow
def test_constraints_hold_and_given_rows_stay_in_a_longer_search():
    parameters = uniform(3, 8)
    forbidden = [{"p0": 0, "p1": 1}, {"p2": 2, "p3": 2, "p4": 0}, {"p1": 2, "p5": 1}]
    model = Model(parameters, [forbid(**one) for one in forbidden])
    given = [dict.fromkeys(parameters, 1), dict.fromkeys(parameters, 0) | {"p1": 0}]
    rules = [
        (tuple(one), lambda *values, one=one: any(v != one[n] for n, v in zip(one, values)))
        for one in forbidden
    ]
    quick = covering_array(model, 2, extend=given)
    longer = covering_array(model, 2, extend=given, effort=0.1)
    assert list(longer[:2]) == given
    check(longer, parameters, 2, rules)
    assert len(longer) <= len(quick)


def test_mixed_levels_and_strengths_in_a_longer_search():
    parameters = {"a": [0, 1, 2, 3], "b": [0, 1, 2], "c": [0, 1], "d": [0, 1], "e": [0, 1, 2]}
    model = Model(parameters, strengths={("a", "b", "c"): 3})
    check(covering_array(model, 2, effort=0.3), parameters, 2, (), {("a", "b", "c"): 3})


@pytest.mark.parametrize("levels", [2, 3, 4, 5])
def test_groups_are_groups(levels):
    in_step = SymmetryGroup.cyclic((4, 2), (levels,), ())
    for group in [*groups(levels, 6), in_step]:
        assert len(set(group.elements)) == group.order

        def after(one, other):
            return tuple(tuple(first[place] for place in second) for first, second in zip(one, other))

        assert {after(one, other) for one in group.elements for other in group.elements} == set(
            group.elements
        )


@pytest.mark.parametrize(("levels", "columns", "strength"), [(2, 5, 2), (3, 4, 2), (3, 5, 3), (4, 3, 2)])
def test_classes_are_orbits(levels, columns, strength):
    problem = Problem.of((levels,) * columns, [(range(columns), strength)])
    random = np.random.RandomState(levels)
    in_step = SymmetryGroup.cyclic((columns - 1, 1), (levels,), ())
    for group in [*groups(levels, columns), in_step]:
        classes = group.classes(problem, strength)
        starters = random.randint(0, levels, (3, columns)).astype(np.int32)
        # What the developed array covers is exactly the classes that the starters touch, and the constants.
        touched = set(classes.of[:-1][problem.covered(starters)].tolist())
        by_starters = np.isin(classes.of[:-1], list(touched))
        constant = np.array([[s] * columns for s in group.constants], dtype=np.int32).reshape(-1, columns)
        expected = by_starters | problem.covered(constant)
        assert (problem.covered(group.develop(starters)) == expected).all()
        assert (~classes.wanted[classes.of[:-1]] <= problem.covered(constant)).all()


@pytest.mark.slow
def test_what_groups_find_is_complete():
    found = from_groups(3, 6, 3, 46, np.random.RandomState(0), 0.1)
    assert found is not None
    rows, how = found
    assert "group of order" in how
    assert Problem.of((3,) * 6, [(range(6), 3)]).covered(rows).all()


def test_a_group_without_moves_develops_nothing():
    alone = SymmetryGroup("", ((tuple(range(3)), (0, 1)),), ())
    rows = np.array([[0, 1, 1]], dtype=np.int32)
    assert (alone.develop(rows) == rows).all()


def test_fewer_rows_never_loses_coverage():
    random = np.random.RandomState(5)
    for _ in range(5):
        levels = tuple(random.randint(2, 4, 5).tolist())
        problem = Problem.of(levels, [(range(5), 2)])
        rows = np.stack([random.randint(0, n, 60) for n in levels], axis=1).astype(np.int32)
        if not problem.covered(rows).all():
            continue
        fewer = fewer_rows(problem, Feasibility(levels, ()), rows, random, 0.05)
        assert problem.covered(fewer).all()
        assert problem.lower_bound <= len(fewer) < 60


@pytest.mark.parametrize("given", ["slow", -1, float("nan"), None, True, [1]])
def test_an_effort_that_is_none(given):
    with pytest.raises(ValueError, match="effort is"):
        Effort.of(given)


@pytest.mark.parametrize("entry", TABLE, ids=lambda entry: f"{entry.levels}^{entry.width}-{entry.strength}")
def test_shipped_starters_are_complete_and_used(entry):
    names = [f"p{i}" for i in range(entry.width)]
    parameters = {name: range(entry.levels) for name in names}
    rows = [dict(zip(names, row)) for row in entry.array().tolist()]
    assert len(rows) == entry.size
    assert check(rows, parameters, entry.strength) == 0
    array = covering_array(parameters, entry.strength)
    assert len(array) <= entry.size
    assert check(array, parameters, entry.strength) == 0


def test_starters_serve_fewer_columns_and_levels():
    assert len(covering_array({f"p{i}": range(3) for i in range(17)}, 2)) == 15
    mixed = {f"p{i}": range(5 if i < 8 else 4) for i in range(10)}
    rows = covering_array(mixed, 2)
    assert len(rows) <= 36
    check(rows, mixed, 2)
