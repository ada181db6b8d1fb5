"""Radix coverage: every value occurs, digits interact, bounds hold."""

from __future__ import annotations

import pytest
from arrays_checker import check

from everycase.arrays import Model, Radix, covering_array
from everycase.arrays.layout import Split
from everycase.arrays.radix import digits_needed, smallest_base


def digits_of(value, base, count):
    found = []
    for _ in range(count):
        value, digit = divmod(value, base)
        found.append(digit)
    return found[::-1]


def check_digits(rows, sizes, small, strength, index=lambda name, value: value):
    """Check a radix array on its digits, with the upper bounds as rules."""
    parameters, rules = {}, []
    widths = {}
    for name, size in sizes.items():
        base, count = smallest_base(size)
        widths[name] = (base, count)
        names = tuple(f"{name}_{i}" for i in range(count))
        parameters |= {n: list(range(base)) for n in names}

        def below(*digits, base=base, size=size):
            number = 0
            for digit in digits:
                number = number * base + digit
            return number < size

        rules.append((names, below))
    parameters |= small
    split = []
    for row in rows:
        line = {}
        for name, (base, count) in widths.items():
            for i, digit in enumerate(digits_of(index(name, row[name]), base, count)):
                line[f"{name}_{i}"] = digit
        split.append(line | {name: row[name] for name in small})
    check(split, parameters, strength, rules)


def test_the_smallest_base_with_at_most_six_digits():
    assert smallest_base(1001) == (4, 5)
    assert smallest_base(1024) == (4, 5)
    assert smallest_base(1025) == (4, 6)
    assert smallest_base(64) == (2, 6)
    assert smallest_base(65) == (3, 4)
    assert digits_needed(1000, 10) == 3


@pytest.mark.parametrize("method", ["permutations", "digits"])
@pytest.mark.parametrize("strength", [2, 3])
def test_every_value_occurs_and_digits_interact(method, strength):
    sizes = {"x": 51, "y": 28, "z": 33}
    small = {"flag": [False, True], "kind": ["a", "b", "c"]}
    parameters = {name: range(n) for name, n in sizes.items()} | small
    rows = covering_array(parameters, strength, radix=Radix(method=method))
    for name, size in sizes.items():
        assert {row[name] for row in rows} == set(range(size))
    check_digits(rows, sizes, small, strength)
    assert len(rows) < 90


def test_digits_index_into_whatever_the_values_are():
    class Words:
        cardinality = 200

        def __getitem__(self, index):
            return f"word{index}"

    rows = covering_array({"word": Words(), "flag": bool}, 2, radix="auto")
    assert {row["word"] for row in rows} == {f"word{i}" for i in range(200)}
    assert len(rows) == 200


def test_only_large_parameters_are_split_unless_told():
    rows = covering_array({"n": range(8), "m": range(7)}, 2, radix="auto")
    assert len(rows) == 56
    rows = covering_array({"n": range(8), "m": range(7)}, 2, radix=Radix(above=4))
    assert len(rows) == 8
    rows = covering_array({"n": range(8), "m": range(7)}, 2, radix={"n": 2})
    assert len(rows) < 56
    assert {row["n"] for row in rows} == set(range(8))


def test_constraints_reach_through_the_digits():
    model = Model(
        {"low": range(50), "high": range(50), "strict": [False, True]},
        [lambda low, high: low <= high, lambda low, high, strict: not strict or low != high],
    )
    for method in ("permutations", "digits"):
        rows = covering_array(model, 2, radix=Radix(method=method))
        assert all(row["low"] <= row["high"] for row in rows)
        assert all(row["low"] < row["high"] for row in rows if row["strict"])
        assert {row["low"] for row in rows} == {row["high"] for row in rows} == set(range(50))


def test_boundaries_are_combined_on_request():
    parameters = {"x": range(1001), "y": range(1001), "flag": [False, True]}
    rows = covering_array(parameters, 2, radix=Radix(boundaries=True))
    edges = [0, 1, 500, 999, 1000]
    seen = {(row["x"], row["y"]) for row in rows}
    assert all((x, y) in seen for x in edges for y in edges)
    named = covering_array(parameters, 2, radix=Radix(boundaries={"x": [300, 301], "y": [600]}))
    seen = {(row["x"], row["y"]) for row in named}
    assert {(300, 600), (301, 600)} <= seen


@pytest.mark.slow
def test_boundaries_of_some_parameters_leave_the_other_large_ones_open():
    parameters = {"x": range(401), "y": range(401), "flag": [False, True]}
    named = Radix(boundaries={"x": [300, 301]})
    rows = covering_array(parameters, 2, radix=named)
    assert {(x, flag) for x in (300, 301) for flag in (False, True)} <= {(r["x"], r["flag"]) for r in rows}
    assert len(rows) <= 405
    late = Model(parameters, [lambda y: y > 200, lambda x, flag: flag or x != 300])
    seen = {(row["x"], row["flag"]) for row in covering_array(late, 2, radix=named)}
    assert {(300, True), (301, False), (301, True)} <= seen
    # The two rules together leave no value of y for x = 300; neither of them does so alone.
    tight = Model(parameters, [lambda x, y: x < y, lambda y: y <= 301])
    seen = {(row["x"], row["flag"]) for row in covering_array(tight, 2, radix=named)}
    assert {(300, True), (300, False)} <= seen and not {(301, True), (301, False)} & seen


def test_boundaries_beside_several_open_parameters_with_rules():
    parameters = {name: range(50) for name in "xyz"}
    model = Model(
        parameters,
        [lambda x, y: x != 7 or y < 3, lambda y, z: y >= 3 or z > 40, lambda x, z: x != 7 or z < 20],
    )
    for edges in ([7, 8], [7]):
        rows = covering_array(model, 2, radix=Radix(boundaries={"x": edges}))
        assert {row["x"] for row in rows} == set(range(50)) - {7}


def test_boundaries_that_no_row_may_hold():
    model = Model({"x": range(100), "y": range(100)}, [lambda x: 10 < x < 60])
    rows = covering_array(model, 2, radix=Radix(boundaries={"x": [5, 7]}))
    assert {row["x"] for row in rows} == set(range(11, 60))


def test_astronomical_ranges_are_covered_by_digits_of_the_range():
    huge = 10**20
    rows = covering_array({"n": range(huge), "flag": bool}, 2, radix="auto")
    assert len(rows) < 300
    assert all(0 <= row["n"] < huge for row in rows)
    assert min(row["n"] for row in rows) < huge // 10
    assert max(row["n"] for row in rows) >= huge - huge // 10


def test_a_scaled_split_finds_its_digits_again():
    split = Split(10**30 + 7, 10, 31, every_value=False)
    for level in (0, 1, 12345, 10**29, 10**30 + 6):
        assert split.decode(split.encode(level)) == level


def test_given_rows_are_split_too():
    given = [{"x": 512, "y": 3, "flag": True}]
    parameters = {"x": range(1001), "y": range(101), "flag": [False, True]}
    rows = covering_array(parameters, 2, radix="auto", extend=given)
    assert rows[0] == given[0]


def test_the_report_names_what_was_split():
    rows = covering_array({"n": range(100), "flag": bool}, 2, radix="auto")
    assert (
        rows.describe()
        == "all 2-way combinations of 2 parameters; n by digits, every value of each: 100 rows"
    )
    assert rows.infeasible == []
