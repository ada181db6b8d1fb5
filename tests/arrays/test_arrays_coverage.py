"""coverage: measuring the tests that a user already has."""

from __future__ import annotations

from itertools import combinations, product
from random import Random

import pytest

from everycase.arrays import Model, coverage, covering_array

PARAMETERS = {"a": [1, 2, 3], "b": ["x", "y"], "c": [None, False], "d": [0, 1, 2]}


@pytest.mark.parametrize("strength", [1, 2, 3])
@pytest.mark.parametrize("count", [0, 1, 4, 12])
def test_counts_agree_with_counting_by_hand(strength, count):
    dice = Random(count)
    rows = [{name: dice.choice(values) for name, values in PARAMETERS.items()} for _ in range(count)]
    measured = coverage(rows, PARAMETERS, strength)
    covered, missing = 0, []
    for names in combinations(PARAMETERS, strength):
        for values in product(*(PARAMETERS[name] for name in names)):
            if any(all(row[n] == v for n, v in zip(names, values)) for row in rows):
                covered += 1
            else:
                missing.append(dict(zip(names, values)))
    assert measured.covered == covered
    assert list(measured.missing()) == missing
    assert measured.feasible == covered + len(missing)
    assert measured.rows == count
    assert not measured.complete or not missing


def test_partial_rows_cover_what_they_decide():
    measured = coverage([{"a": 1, "b": "x"}, {"a": 2}], PARAMETERS, 2)
    assert measured.covered == 1


def test_the_worst_covered_groups_come_first():
    rows = [{"a": a, "b": b, "c": None, "d": 0} for a in PARAMETERS["a"] for b in PARAMETERS["b"]]
    groups = coverage(rows, PARAMETERS, 2).by_group()
    assert list(groups)[-1] == ("a", "b")
    assert groups["a", "b"] == 1.0
    assert groups["c", "d"] == pytest.approx(1 / 6)
    assert list(groups.values()) == sorted(groups.values())


def test_an_array_is_complete_and_one_row_less_is_not():
    rows = list(covering_array(PARAMETERS, 3))
    assert coverage(rows, PARAMETERS, 3).fraction == 1.0
    assert coverage(rows[: len(rows) // 2], PARAMETERS, 3).fraction < 1.0


def test_rows_read_as_text():
    measured = coverage([{"a": "1", "b": "x", "c": "None", "d": "2"}], PARAMETERS, 2, text=True)
    assert measured.covered == 6
    assert str(measured) == "<1 row covers 6 of 37 2-way combinations (16.2 %)>"


def test_rows_with_an_invalid_value_count_only_for_it():
    model = Model({"a": [1, 2], "b": [1, 2], "c": [1, 2]}, invalid={"a": [-1]})
    hidden = coverage([(-1, 1, 1)], model, 2)
    assert hidden.covered == 2
    shown = coverage([(1, 1, 1)], model, 2)
    assert shown.covered == 3
