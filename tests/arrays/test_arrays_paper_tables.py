"""The small tables of the radix-coverage paper."""

from __future__ import annotations

from arrays_checker import check

from everycase.arrays import Model, Radix, coverage, covering_array


def test_five_optimisation_toggles_need_six_rows():
    parameters = {name: [True, False] for name in ("ll", "sf", "cse", "sp", "inl")}
    rows = covering_array(parameters, 2)
    assert len(rows) <= 6
    check(rows, parameters, 2)


def test_four_constructors_in_four_places_need_sixteen_rows():
    parameters = {f"place{i}": ["Abs", "App", "Var", "Const"] for i in range(4)}
    rows = covering_array(parameters, 2)
    assert len(rows) == 16
    check(rows, parameters, 2)


def test_the_table_printed_in_the_paper_covers_what_it_says():
    printed = ["TTFFF", "TFTTT", "FTTFT", "FFFTF", "FTFTT", "FFTFF"]
    parameters = {name: [True, False] for name in ("ll", "sf", "cse", "sp", "inl")}
    measured = coverage([[letter == "T" for letter in line] for line in printed], parameters, 2)
    assert measured.complete
    assert measured.feasible == 40


def test_a_thousand_numbers_and_a_boolean_in_full():
    parameters = {"n": range(1000), "b": [False, True]}
    rows = covering_array(parameters, 2)
    assert len(rows) == 2000
    check(rows, parameters, 2)


def test_a_thousand_numbers_and_a_boolean_by_radix():
    for radix in ("auto", 10, Radix(10, method="digits"), Radix(method="digits")):
        rows = covering_array({"n": range(1000), "b": [False, True]}, 2, radix=radix)
        assert len(rows) == 1000
        assert sorted(row["n"] for row in rows) == list(range(1000))


def test_a_thousand_numbers_and_a_boolean_by_digits_only():
    rows = covering_array({"n": range(1000), "b": [False, True]}, 2, radix=Radix(10, every_value=False))
    assert len(rows) == 100
    digits = [{"d2": r["n"] // 100, "d1": r["n"] // 10 % 10, "d0": r["n"] % 10, "b": r["b"]} for r in rows]
    ten = list(range(10))
    check(digits, {"d2": ten, "d1": ten, "d0": ten, "b": [False, True]}, 2)


def test_the_constraint_of_the_paper_specialisation_excludes_inlining():
    parameters = {name: [True, False] for name in ("ll", "sf", "cse", "sp", "inl")}
    rows = covering_array(Model(parameters, [lambda sp, inl: not (sp and inl)]), 2)
    assert check(rows, parameters, 2, [(("sp", "inl"), lambda sp, inl: not (sp and inl))]) == 1
    assert rows.infeasible == [{"sp": True, "inl": True}]
