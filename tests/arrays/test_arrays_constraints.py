"""Constraints: valid rows, complete rows, infeasible combinations, contradictions."""

from __future__ import annotations

import random
from itertools import combinations, product

import pytest
from arrays_checker import check, conditions, not_together

from everycase.arrays import (
    Constraint,
    Model,
    constraint,
    coverage,
    covering_array,
    forbid,
    implies,
    infeasible,
)
from everycase.errors import ContradictoryConstraints, EverycaseError

BROWSERS = {
    "os": ["linux", "mac", "windows"],
    "browser": ["firefox", "safari", "edge"],
    "ram": [4, 8, 16],
    "hd": [0, 1],
}


def brute_force_infeasible(parameters, rules, strength):
    """By listing every valid row; only for small models."""
    names = list(parameters)
    valid = [
        row
        for values in product(*parameters.values())
        for row in [dict(zip(names, values))]
        if all(holds(*(row[n] for n in reads)) for reads, holds in rules)
    ]
    found = []
    for chosen in combinations(names, strength):
        seen = {tuple(row[n] for n in chosen) for row in valid}
        for values in product(*(parameters[n] for n in chosen)):
            if values not in seen:
                found.append(dict(zip(chosen, values)))
    return found


def test_predicates_read_the_columns_that_their_parameters_name():
    rules = [
        lambda os, browser: browser != "safari" or os == "mac",
        lambda browser, ram: browser != "edge" or ram >= 8,
        lambda ram, hd: ram * (hd + 1) <= 16,
    ]
    rows = covering_array(Model(BROWSERS, rules), 2)
    count = check(rows, BROWSERS, 2, conditions(*rules))
    assert count == len(rows.infeasible) == 2 + 1 + 1 + 0
    assert {"os": "linux", "browser": "safari"} in rows.infeasible


def test_forbid_implies_and_mappings():
    model = Model(
        BROWSERS,
        [
            forbid(os="linux", browser="edge"),
            implies({"browser": "safari"}, {"os": "mac"}),
            {"ram": 4, "hd": 1},
        ],
    )
    rows = covering_array(model, 3)
    rules = [
        not_together({"os": "linux", "browser": "edge"}),
        not_together({"ram": 4, "hd": 1}),
        *conditions(lambda os, browser: browser != "safari" or os == "mac"),
    ]
    check(rows, BROWSERS, 3, rules)


def test_infeasible_lists_implied_combinations_too():
    parameters = {"a": [0, 1], "b": [0, 1], "c": [0, 1]}
    model = Model(parameters, [lambda a, b: a == b, lambda b, c: b == c])
    expected = [
        {"a": 0, "b": 1},
        {"a": 1, "b": 0},
        {"a": 0, "c": 1},
        {"a": 1, "c": 0},
        {"b": 0, "c": 1},
        {"b": 1, "c": 0},
    ]
    assert infeasible(model, 2) == expected
    assert covering_array(model, 2).infeasible == expected
    assert len(covering_array(model, 2)) == 2


@pytest.mark.parametrize("limit", [0, 200_000], ids=["solver", "closed tables"])
@pytest.mark.parametrize("case", range(25))
def test_random_constraints_against_listing_all_rows(case, limit, monkeypatch):
    """The SAT solver and the closed tables give the same answers on the same random models."""
    monkeypatch.setattr("everycase.arrays.feasibility.CLOSED_TABLE_LIMIT", limit)
    dice = random.Random(case)
    parameters = {f"p{i}": list(range(dice.randint(2, 4))) for i in range(dice.randint(3, 6))}
    forbidden = []
    for _ in range(dice.randint(1, 9)):
        names = dice.sample(sorted(parameters), dice.randint(1, 3))
        forbidden.append({name: dice.choice(parameters[name]) for name in names})
    rules = [not_together(combination) for combination in forbidden]
    strength = dice.randint(1, 3)
    model = Model(parameters, forbidden)
    try:
        rows = covering_array(model, strength, seed=case)
    except ContradictoryConstraints:
        assert not any(
            all(holds(*(dict(zip(parameters, values))[n] for n in reads)) for reads, holds in rules)
            for values in product(*parameters.values())
        )
        return
    check(rows, parameters, strength, rules)
    expected = brute_force_infeasible(parameters, rules, strength)
    assert infeasible(model, strength) == expected
    assert rows.infeasible == expected


def test_a_contradiction_names_a_minimal_set_of_constraints():
    @constraint("a is small")
    def small(a):
        return a < 2

    @constraint("a is at least b")
    def at_least(a, b):
        return a >= b

    @constraint("b is large")
    def large(b):
        return b > 2

    @constraint("c is even")
    def even(c):
        return c % 2 == 0

    parameters = {"a": range(5), "b": range(5), "c": range(5), "d": [0, 1]}
    with pytest.raises(ContradictoryConstraints) as caught:
        covering_array(Model(parameters, [even, small, at_least, large]), 2)
    assert sorted(caught.value.conflict) == ["a is at least b", "a is small", "b is large"]
    assert "c is even" not in str(caught.value)
    assert isinstance(caught.value, EverycaseError)


def test_a_contradiction_in_a_large_model_goes_through_the_solver():
    parameters = {f"p{i}": list(range(5)) for i in range(15)}
    chain = []
    for i in range(14):
        chain.append(constraint(f"p{i} below p{i + 1}")(eval(f"lambda p{i}, p{i + 1}: p{i} < p{i + 1}")))
    with pytest.raises(ContradictoryConstraints) as caught:
        covering_array(Model(parameters, chain), 2)
    assert len(caught.value.conflict) == 5


def test_constraints_with_the_same_name_are_told_apart():
    with pytest.raises(ContradictoryConstraints) as caught:
        covering_array(Model({"a": [1, 2], "b": [1, 2]}, [lambda a, b: a < b, lambda a, b: b < a]))
    first, second = caught.value.conflict
    assert first.startswith("constraints[0], lambda a, b (")
    assert second.startswith("constraints[1], lambda a, b (")


@pytest.mark.parametrize("case", range(30))
def test_conflicts_are_contradictory_and_nothing_in_them_can_be_spared(case):
    dice = random.Random(case)
    names = [f"p{i}" for i in range(6)]
    parameters = {name: range(3) for name in names}
    rules = []
    for i in range(14):
        reads = dice.sample(names, 2)
        allowed = frozenset((a, b) for a in range(3) for b in range(3) if dice.random() < 0.5)
        rules.append((f"rule {i}", reads, allowed))

    def possible(chosen):
        rows = (dict(zip(names, row)) for row in product(range(3), repeat=6))
        return any(all((row[a], row[b]) in allowed for _, (a, b), allowed in chosen) for row in rows)

    def as_constraint(name, reads, allowed):
        return Constraint(lambda **row: tuple(row[n] for n in reads) in allowed, reads, name)

    model = Model(parameters, [as_constraint(*rule) for rule in rules])
    if possible(rules):
        assert covering_array(model, 1)
        return
    with pytest.raises(ContradictoryConstraints) as caught:
        covering_array(model, 1)
    core = [rule for rule in rules if rule[0] in caught.value.conflict]
    assert not possible(core)
    for spared in core:
        assert possible([rule for rule in core if rule is not spared])


def test_a_rule_that_allows_nothing_inside_a_large_group():
    parameters = {f"p{i}": list(range(5)) for i in range(15)}
    chain = [eval(f"lambda p{i}, p{i + 1}: p{i} <= p{i + 1}") for i in range(14)]
    with pytest.raises(ContradictoryConstraints) as caught:
        covering_array(Model(parameters, [*chain, constraint("never")(lambda p3, p4: False)]), 2)
    assert caught.value.conflict == ("never",)


@pytest.mark.slow
def test_constraints_over_a_chain_of_many_columns():
    parameters = {f"p{i}": list(range(6)) for i in range(12)}
    rules = [eval(f"lambda p{i}, p{i + 1}: p{i} <= p{i + 1}") for i in range(11)]
    rows = covering_array(Model(parameters, rules), 2)
    assert check(rows, parameters, 2, conditions(*rules)) == 66 * 15


def test_given_rows_must_be_valid_and_partial_ones_are_completed_validly():
    model = Model(BROWSERS, [lambda os, browser: browser != "safari" or os == "mac"])
    rows = covering_array(model, 2, must_include=[{"browser": "safari"}])
    assert rows[0]["os"] == "mac"
    with pytest.raises(EverycaseError, match="not allowed by the constraints"):
        covering_array(model, 2, extend=[("linux", "safari", 4, 0)])


def test_mixed_strength_with_constraints():
    parameters = {f"p{i}": [0, 1, 2] for i in range(7)}
    rules = conditions(lambda p0, p1: p0 + p1 != 4, lambda p1, p2, p5: p1 + p2 + p5 < 6)
    model = Model(parameters, [holds for _, holds in rules], strengths={("p0", "p1", "p2", "p5"): 4})
    check(covering_array(model, 2), parameters, 2, rules, {("p0", "p1", "p2", "p5"): 4})


def test_coverage_counts_only_what_is_feasible_and_names_invalid_rows():
    model = Model(
        BROWSERS, [constraint("safari runs on a mac")(lambda os, browser: browser != "safari" or os == "mac")]
    )
    rows = covering_array(model, 2)
    assert coverage(rows, model, 2).complete
    measured = coverage([*rows[:3], {"os": "linux", "browser": "safari", "ram": 4, "hd": 0}], model, 2)
    assert measured.invalid == [(3, ["safari runs on a mac"])]
    assert measured.infeasible == 2
    assert 0 < measured.fraction < 1
    assert measured.missing_count == len(list(measured.missing())) == measured.feasible - measured.covered


def test_the_coverage_of_a_group_counts_only_what_is_feasible():
    model = Model({"a": [0, 1], "b": [0, 1], "c": [0, 1]}, [lambda a, b: a + b < 2, lambda a, c: a == c])
    groups = coverage([(0, 0, 0)], model, 2).by_group()
    assert groups == {("a", "b"): 1 / 3, ("b", "c"): 1 / 3, ("a", "c"): 1 / 2}
    assert list(groups.values()) == sorted(groups.values())


def test_implications_of_functions_mappings_and_defaults():
    parameters = {"a": [0, 1, 2], "b": [0, 1, 2], "c": [0, 1]}
    rules = conditions(lambda a, b, c: a != b or c == 1, lambda a, b: a != 0 or b == 2)
    model = Model(parameters, [implies(lambda a, b=9: a == b, {"c": 1}), implies({"a": 0}, lambda b: b == 2)])
    assert check(covering_array(model), parameters, 2, rules) == len(infeasible(model))
    nested = Model(
        parameters, [implies({"a": 0}, implies({"b": 0}, {"c": 1})), implies(forbid(a=1), {"b": 1})]
    )
    rules = conditions(lambda a, b, c: a != 0 or b != 0 or c == 1, lambda a, b: a == 1 or b == 1)
    check(covering_array(nested, 3), parameters, 3, rules)


def test_constraints_on_a_defaulted_argument_read_it_only_if_it_is_a_parameter():
    rules = [lambda ram, most=8: ram <= most]
    assert {row["ram"] for row in covering_array(Model(BROWSERS, rules), 2)} == {4, 8}
