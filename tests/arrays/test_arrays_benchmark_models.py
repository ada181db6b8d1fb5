"""Every array of the benchmark, checked by the independent checker, with the row counts it must reach."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from arrays_checker import check, not_together
from test_arrays_radix import check_digits

from everycase.arrays import Model, covering_array, forbid

TCAS = (10, 10, 4, 3, 3, 2, 2, 2, 2, 2, 2, 2)


def uniform(*levels):
    return {f"p{i}": list(range(n)) for i, n in enumerate(levels)}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("levels", "strength", "most"),
    [
        (TCAS, 2, 100),
        (TCAS, 3, 400),
        (TCAS, 4, 1330),
        (TCAS, 5, 4230),
        (TCAS[2:], 6, 560),
        ((10,) * 10, 2, 120),
        ((2,) * 100, 2, 10),
        ((3,) * 50, 2, 27),
        ((4,) * 20, 3, 205),
        ((5,) * 10, 4, 1710),
    ],
    ids=[
        "tcas2",
        "tcas3",
        "tcas4",
        "tcas5",
        "tcas6 without its large parameters",
        "10^10",
        "2^100",
        "3^50",
        "4^20",
        "5^10",
    ],
)
def test_unconstrained_models(levels, strength, most):
    parameters = uniform(*levels)
    rows = covering_array(parameters, strength)
    assert len(rows) <= most
    check(rows, parameters, strength)


def test_mixed_strength():
    parameters = uniform(*(3,) * 15)
    groups = {tuple(f"p{i}" for i in range(6)): 3}
    rows = covering_array(Model(parameters, strengths=groups), 2)
    assert len(rows) <= 48
    check(rows, parameters, 2, groups=groups)


@pytest.mark.slow
@pytest.mark.parametrize(("strength", "most"), [(2, 35), (3, 185)])
def test_the_constraint_model(strength, most):
    data = json.loads((Path(__file__).parent / "constraint-model.json").read_text())
    parameters = uniform(*data["levels"])
    forbidden = [{f"p{item['parameter']}": item["value"] for item in line} for line in data["forbidden"]]
    rows = covering_array(Model(parameters, [forbid(**combination) for combination in forbidden]), strength)
    assert len(rows) <= most
    check(rows, parameters, strength, [not_together(combination) for combination in forbidden])


@pytest.mark.slow
def test_thirty_parameters_and_fifty_constraints():
    dice = Random(2023)
    parameters = uniform(*(dice.randint(2, 6) for _ in range(30)))
    forbidden = []
    for _ in range(50):
        names = dice.sample(sorted(parameters), dice.randint(2, 4))
        forbidden.append({name: dice.choice(parameters[name]) for name in names})
    rows = covering_array(Model(parameters, forbidden), 2)
    check(rows, parameters, 2, [not_together(combination) for combination in forbidden])


@pytest.mark.slow
@pytest.mark.parametrize("strength", [2, 3])
def test_six_large_ranges_by_radix(strength):
    sizes = {f"n{i}": 1001 for i in range(6)}
    small = {f"b{i}": [False, True] for i in range(3)} | {
        "layer": [0, 1, 2, 3],
        "rac": [0, 1, 2],
        "cap": [0, 1, 2],
    }
    rows = covering_array({name: range(n) for name, n in sizes.items()} | small, strength, radix="auto")
    assert len(rows) <= 1010
    for name in sizes:
        assert len({row[name] for row in rows}) == 1001
    check_digits(rows, sizes, small, strength)
