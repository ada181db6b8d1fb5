"""covering_array: strengths, mixed strengths, given rows, invalid values, weights, seeds."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from arrays_checker import check

from everycase.arrays import Model, constraint, covering_array, generate
from everycase.arrays.generate import fill
from everycase.errors import EverycaseError

SMALL = {"a": [0, 1, 2], "b": ["x", "y"], "c": [None, 1.5, "z", ()], "d": [True, False], "e": [10, 20, 30]}


@pytest.mark.parametrize("strength", [1, 2, 3, 4, 5])
def test_every_strength_up_to_the_number_of_parameters(strength):
    rows = covering_array(SMALL, strength)
    check(rows, SMALL, strength)
    if strength in (1, 5):
        assert len(rows) == {1: 4, 5: 144}[strength]


@pytest.mark.parametrize("case", range(40))
def test_random_models_of_random_strength(case):
    dice = random.Random(case)
    count = dice.randint(1, 9)
    parameters = {f"p{i}": list(range(dice.choice([1, 2, 2, 3, 4, 5, 7]))) for i in range(count)}
    strength = dice.randint(1, min(4, count))
    groups = {}
    for _ in range(dice.randint(0, 2)):
        names = tuple(dice.sample(sorted(parameters), dice.randint(1, count)))
        groups[names] = dice.randint(1, 4)
    rows = covering_array(Model(parameters, strengths=groups), strength, seed=case)
    check(rows, parameters, strength, groups=groups)


def test_overlapping_groups_of_higher_strength():
    parameters = {f"p{i}": [0, 1, 2] for i in range(8)}
    groups = {("p0", "p1", "p2", "p3"): 3, ("p2", "p3", "p4", "p5"): 4, ("p7", "p0"): 3}
    rows = covering_array(Model(parameters, strengths=groups), 2)
    check(rows, parameters, 2, groups=groups)
    assert len(rows) >= 81


def test_a_group_may_name_fewer_parameters_than_its_strength():
    rows = covering_array(Model({"os": [1, 2], "n": [1, 2, 3], "z": [0]}, strengths={("os", "n"): 3}), 1)
    assert len(rows) == 6


def test_rows_are_dicts_and_tuples_of_the_original_values():
    rows = covering_array(SMALL, 2)
    assert [tuple(row.values()) for row in rows] == rows.tuples()
    assert rows[0] == next(iter(rows))
    assert rows[1:3] == [rows[1], rows[2]]
    assert all(row["c"] in SMALL["c"] for row in rows)


def test_the_same_seed_gives_the_same_rows_and_others_differ():
    parameters = {f"p{i}": list(range(4)) for i in range(7)}
    assert covering_array(parameters, 3, seed=5).tuples() == covering_array(parameters, 3, seed=5).tuples()
    constrained = Model(parameters, [lambda p0, p1: p0 != p1])
    assert covering_array(constrained, 2, seed=1).tuples() == covering_array(constrained, 2, seed=1).tuples()
    assert covering_array(constrained, 2, seed=1).tuples() != covering_array(constrained, 2, seed=2).tuples()


@pytest.mark.slow
def test_rows_do_not_depend_on_the_hash_seed():
    program = (
        "from everycase.arrays import Model, covering_array\n"
        "m = Model({f'p{i}': ['red', 'green', 'blue'][:2 + i % 2] for i in range(9)},"
        " [lambda p1, p3: p1 != p3, lambda p3, p5, p7: not (p3 == p5 == p7)],"
        " strengths={('p0', 'p2', 'p4'): 3})\n"
        "print(covering_array(m, 2, seed=3).tuples())"
    )
    outputs = set()
    for hash_seed in ("0", "1", "77"):
        environment = dict(os.environ, PYTHONHASHSEED=hash_seed, PYTHONPATH=os.pathsep.join(sys.path))
        result = subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True
        )
        assert result.returncode == 0, result.stderr
        outputs.add(result.stdout)
    assert len(outputs) == 1


def test_rows_that_must_be_included_are_there_and_completed():
    wanted = [{"a": 2, "b": "y"}, {"a": 0, "b": "x", "c": None, "d": True, "e": 10}]
    rows = covering_array(SMALL, 2, must_include=wanted)
    check(rows, SMALL, 2)
    for want in wanted:
        assert any(want.items() <= row.items() for row in rows)
    assert rows.kept == 2


def test_extending_keeps_the_given_rows_first_and_adds_only_what_is_missing():
    first = covering_array(SMALL, 2, seed=1)
    half = first[:5]
    rows = covering_array(SMALL, 2, extend=half)
    assert rows[:5] == half
    assert len(rows.added) == len(rows) - 5
    check(rows, SMALL, 2)
    assert covering_array(SMALL, 2, extend=first).added == []
    stronger = covering_array(SMALL, 3, extend=first.tuples())
    assert stronger[: len(first)] == list(first)
    check(stronger, SMALL, 3)


def test_repeated_rows_of_a_suite_are_kept():
    given = [{"a": 0, "b": "x", "c": None, "d": True, "e": 10}] * 3
    assert covering_array(SMALL, 1, extend=given)[:3] == given


def test_at_most_one_invalid_value_in_a_row_each_with_every_valid_combination():
    valid = {"age": [0, 30, 120], "name": ["Ann", "Bo"], "size": [1, 2, 3]}
    invalid = {"age": [-1, 999], "name": [""]}
    rows = covering_array(Model(valid, invalid=invalid), 2)
    bad = [[name for name in invalid if row[name] in invalid[name]] for row in rows]
    assert max(map(len, bad)) == 1
    assert [rows.invalid_in(i) for i in range(len(rows))] == [names[0] if names else None for names in bad]
    check([row for row, names in zip(rows, bad) if not names], valid, 2)
    for one, other in combinations(valid, 2):
        seen = {(row[one], row[other]) for row in rows}
        for left in valid[one]:
            assert all((left, right) in seen for right in invalid.get(other, []))
        for left in invalid.get(one, []):
            assert all((left, right) in seen for right in valid[other])
    assert rows.infeasible == []


def test_a_given_row_that_only_an_invalid_value_can_complete():
    model = Model(
        {"a": [1, 2], "b": [1, 2]},
        [lambda a, b: a != 1 or b != 1, lambda a, b: a != 1 or b != 2],
        invalid={"b": [-1]},
    )
    rows = covering_array(model, 2, must_include=[{"a": 1}, {"b": -1, "a": 2}])
    assert rows[:2] == [{"a": 1, "b": -1}, {"a": 2, "b": -1}]
    assert sorted(rows.tuples()) == [(1, -1), (2, -1), (2, 1), (2, 2)]


def test_constraints_do_not_judge_invalid_values():
    model = Model({"n": [1, 2], "m": [1, 2]}, [lambda n, m: n.bit_length() <= m], invalid={"n": ["one"]})
    rows = covering_array(model, 2)
    assert {row["m"] for row in rows if row["n"] == "one"} == {1, 2}


def test_weights_decide_where_any_value_will_do():
    parameters = {"big": list(range(30)), "other": list(range(10)), "level": ["low", "high"]}
    for favourite, rare in (("low", "high"), ("high", "low")):
        model = Model(parameters, weights={"level": {favourite: 50, rare: 1}})
        count = Counter(row["level"] for row in covering_array(model, 1))
        assert count[favourite] > 2 * count[rare] > 0
    zero = covering_array(Model(parameters, weights={"level": [0, 1]}), 1)
    assert Counter(row["level"] for row in zero)["low"] == 1


def test_a_value_can_be_anything_also_unhashable():
    lists = [[1], [2], [3]]
    rows = covering_array({"x": lists, "flag": bool}, 2, must_include=[{"x": [2]}])
    assert len(rows) == 6
    assert rows[0]["x"] == [2]


def test_objects_that_count_and_index_serve_as_parameters():
    class Squares:
        cardinality = 5

        def __getitem__(self, index):
            return index * index

    rows = covering_array({"square": Squares(), "flag": bool}, 2)
    check(rows, {"square": [0, 1, 4, 9, 16], "flag": [False, True]}, 2)


def test_the_report_says_exactly_what_is_covered():
    rows = covering_array({f"p{i}": [0, 1] for i in range(4)}, 2)
    assert rows.describe() == f"all 2-way combinations of 4 parameters: {len(rows)} rows"
    assert rows.combinations == 24


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda rows: rows[1:], "misses a combination"),
        (lambda rows: np.where(rows == 2, -1, rows), "is incomplete"),
        (lambda rows: np.concatenate([rows, [[0, 0, 0]]]), "breaks a differs from b"),
    ],
)
def test_no_array_leaves_unverified(spoil, message, monkeypatch):
    differ = constraint("a differs from b")(lambda a, b: a != b)
    model = Model({name: range(3) for name in "abc"}, [differ])
    assert len(covering_array(model, 3)) == 18
    monkeypatch.setattr(generate, "fill", lambda *arguments: spoil(fill(*arguments)))
    with pytest.raises(EverycaseError, match=f"internal error.*{message}"):
        covering_array(model, 3)


def test_more_effort_and_none():
    parameters = {f"p{i}": list(range(3)) for i in range(8)}
    for effort in (0, "quick", 0.1):
        check(covering_array(parameters, 3, effort=effort), parameters, 3)


def test_progress_is_reported():
    calls = []
    covering_array({f"p{i}": list(range(5)) for i in range(9)}, 2, progress=lambda *step: calls.append(step))
    assert calls
    assert all(done <= total for _, done, total in calls)
