"""Reading and writing ACTS and CTWedge models; rows for JUnit; the purpose of each row."""

from __future__ import annotations

from itertools import product

import pytest
from arrays_checker import check

from everycase.arrays import Constraint, Model, constraint, covering_array, why_infeasible
from everycase.arrays.formats.acts import read_acts, write_acts
from everycase.arrays.formats.ctwedge import read_ctwedge, write_ctwedge
from everycase.arrays.formats.logic import logic_constraint
from everycase.arrays.formats.tables import as_junit, read_csv
from everycase.errors import InvalidArgument

ACTS = """
[System]
-- a comment
Name: shop

[Parameter]
os (enum): linux, mac, windows
n (int): 1..3
ratio (number): 0.5, 2
debug (boolean): true, false   -- another

[Relation]
R1: (os, n, ratio, debug, 2)
R2: (os, n, debug, 3)

[Constraint]
C1: os = "mac" => n > 1
(debug != true) || !(os == "linux" && n == 3)
n + 1 <= 4 && n * 2 - 1 >= 1

[Test Set]
os,n,ratio,debug
linux,1,0.5,true
mac,*,2,false
"""


def valid_rows(model):
    """All rows that the constraints allow, found by calling them."""
    found = set()
    for values in product(*[[d.at(i) for i in range(d.valid)] for d in model.domains]):
        row = dict(zip(model.names, values))
        if all(rule.predicate(**{n: row[n] for n in rule.used(model.names)}) for rule in model.constraints):
            found.add(values)
    return found


def test_acts_sections_mean_what_acts_says():
    file = read_acts(ACTS)
    assert [d.at(i) for d in file.model.domains for i in range(d.size)] == [
        *("linux", "mac", "windows"),
        *(1, 2, 3),
        *(0.5, 2),
        *(True, False),
    ]
    assert file.strength == 2
    assert file.model.groups == (((0, 1, 3), 3),)
    assert file.include == [
        {"os": "linux", "n": 1, "ratio": 0.5, "debug": True},
        {"os": "mac", "ratio": 2, "debug": False},
    ]
    expected = {
        (os, n, ratio, debug)
        for os, n, ratio, debug in product(["linux", "mac", "windows"], [1, 2, 3], [0.5, 2], [True, False])
        if (os != "mac" or n > 1) and not (debug and os == "linux" and n == 3)
    }
    assert valid_rows(file.model) == expected
    rows = covering_array(file.model, file.strength, must_include=file.include)
    assert rows[0] == file.include[0]
    assert rows[1].items() >= file.include[1].items()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[Parameter]\nos linux", "line 2: write NAME"),
        ("[Parameter]\na: 1\na: 2", "line 3: parameter 'a' is defined twice"),
        ("[Parameter]\na: 1,,2", "line 2: a value between the commas"),
        ("[Parameters]\na: 1\n[Nonsense]", r"line 3: \[Nonsense\] is not a section"),
        ("[Parameter]\na: 1\nb: 2\n[Relation]\nR: (a, c, 2)", "line 5: 'c' is not a parameter"),
        ("[Parameter]\na: 1\nb: 2\n[Relation]\nR: a, b", "line 5: write a relation"),
        ("[Parameter]\na: 1\n[Constraint]\na = x", "line 4: .*'x' is neither"),
        ("[Parameter]\na: 1\n[Constraint]\n(a = 1", "line 4: .*bracket is not closed"),
        ("[Parameter]\na: 1\n[Constraint]\na = ", "line 4: .*ends too early"),
        ("[Parameter]\na: 1\n[Constraint]\na = 1 )", "line 4: .*cannot read"),
        ("[Parameter]\na: 1\n[Constraint]\n1 = 1", "line 4: .*reads no parameter"),
        ("[Parameter]\na: 1\n[Test Set]\na\n1,2", "line 5: the row has 2 cells"),
        ("[System]\nName: x", "no .Parameter. section"),
    ],
)
def test_wrong_acts_files_are_refused_with_their_line(text, message):
    with pytest.raises(InvalidArgument, match=message):
        read_acts(text)


def test_ctwedge_models():
    model = read_ctwedge("""Model Phone
// one line
Parameters:
  email: Boolean;
  lines: [25 .. 35] step 5
  display: { color "b w" };
/* several
   lines */
Constraints:
  # email => lines >= 30 #
  # NOT (display = "b w" AND lines == 35) OR email #
""").model
    expected = {
        (email, lines, display)
        for email, lines, display in product([True, False], [25, 30, 35], ["color", "b w"])
        if (not email or lines >= 30) and (not (display == "b w" and lines == 35) or email)
    }
    assert valid_rows(model) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Parameters:\n a: Boolean", "begins with Model"),
        ("Model x\nParameters:\n a: Boolean\n nonsense", "line 4: cannot read 'nonsense'"),
        ("Model x\nParameters:\n a: Boolean a: Boolean", "line 3: parameter 'a' is defined twice"),
        ("Model x\nParameters:\n a: Boolean\nConstraints:\n # a = b #", "line 5: .*'b' is neither"),
        ("Model x\nParameters:\n a: Boolean\nConstraints:\n a", "line 5: write every constraint between"),
    ],
)
def test_wrong_ctwedge_files_are_refused_with_their_line(text, message):
    with pytest.raises(InvalidArgument, match=message):
        read_ctwedge(text)


@pytest.mark.parametrize("seed", range(6))
def test_models_survive_being_written_and_read(seed):
    import random

    dice = random.Random(seed)
    parameters = {
        "os": ["linux", "mac", "win"],
        "n": [1, 2, 3],
        "on": [True, False],
        "mode": ["a b", "c"],
    }
    rows = list(product(*parameters.values()))
    banned = set(dice.sample([(os, n) for os in parameters["os"] for n in parameters["n"]], 3))
    odd = {(n, on, mode) for _, n, on, mode in dice.sample(rows, 4)}
    rules = [lambda os, n: (os, n) not in banned, lambda n, on, mode: (n, on, mode) not in odd]
    model = Model(parameters, rules, {("os", "n", "on"): 3})
    again = read_acts(write_acts(model, 2)).model
    assert valid_rows(again) == valid_rows(model)
    assert again.groups == model.groups
    plain = Model(parameters, rules)
    assert valid_rows(read_ctwedge(write_ctwedge(plain)).model) == valid_rows(plain)


def test_names_with_spaces_and_marks_survive_acts():
    parameters = {
        "File system": ["FAT", "NTFS"],
        "File": ["a", "b"],
        "x-y": [-1, 1],
        "x": [1, 2],
        "y": [1, 2],
    }
    rules = [
        Constraint(lambda **row: tuple(row.values()) != ("FAT", "b"), ("File system", "File")),
        Constraint(lambda **row: row["x-y"] < row["x"], ("x-y", "x")),
        lambda x, y: x <= y,
    ]
    model = Model(parameters, rules)
    assert valid_rows(read_acts(write_acts(model)).model) == valid_rows(model)


def test_text_that_looks_like_a_number_survives_ctwedge():
    """A constraint on it would always hold if the value came back as a number."""
    model = Model(
        {"version": ["3.10", "true", "x"], "ratio": [0.5, -2.5, 1e-7], "n": [-1, 2]},
        [
            lambda version, n: (version, n) != ("3.10", 2),
            lambda version, ratio: version != "x" or ratio != -2.5,
        ],
    )
    again = read_ctwedge(write_ctwedge(model)).model
    assert {tuple(map(str, row)) for row in valid_rows(again)} == {
        tuple(map(str, row)) for row in valid_rows(model)
    }
    assert [type(again.domains[0].at(level)) for level in range(3)] == [str, str, str]


def test_rows_go_out_as_a_test_set_of_acts_and_come_back():
    model = Model({"a": ["x", "y"], "b": [1, 2], "c": [True, False]})
    rows = covering_array(model, 2)
    file = read_acts(write_acts(model, 2, rows=rows.tuples()))
    assert file.include == list(rows)


def test_what_cannot_be_written_is_refused():
    with pytest.raises(InvalidArgument, match="cannot be written"):
        write_acts(Model({"a": ["x,y", "z"]}))
    with pytest.raises(InvalidArgument, match="CTWedge supports neither"):
        write_ctwedge(Model({"a": [1, 2], "b": [1, 2], "c": [1, 2]}, strengths={("a", "b"): 2}))
    with pytest.raises(InvalidArgument, match="rename it"):
        write_ctwedge(Model({"a b": [1, 2]}))
    with pytest.raises(InvalidArgument, match="rename it"):
        write_ctwedge(Model({"AND": [1, 2]}))
    with pytest.raises(InvalidArgument, match="rename it"):
        write_acts(Model({"a, b": [1, 2]}))


@pytest.mark.parametrize(
    "text", ["a => b = 2", "a -> b = 2", "!a || b == 2", "NOT a OR (b = 2)", "a <=> b = 2"]
)
def test_operators(text):
    rule = logic_constraint(text, {"a": [True, False], "b": [1, 2]}, "here")
    for a, b in product([True, False], [1, 2]):
        expected = (a == (b == 2)) if "<=>" in text else (not a or b == 2)
        assert rule.predicate(a=a, b=b) == expected


def test_junit_quotes_and_types():
    text = as_junit(["s", "n", "x", "big"], [("it's", 1, 0.5, 2**40), (None, 2, 1, 3)])
    assert "void combination(String s, int n, double x, long big) {}" in text
    assert "\"'it''s', 1, 0.5, 1099511627776\"," in text
    text = as_junit(["a b", "class", "huge", "limit"], [(1, "x", 2**63, float("inf")), (2, "y", 1, 0)])
    assert "void combination(int a_b, String class_, java.math.BigInteger huge, double limit) {}" in text
    assert "\"1, 'x', 9223372036854775808, Infinity\"," in text


def test_comments_before_the_header_of_a_csv():
    assert read_csv("# ACTS Test Suite\n# 2 rows\n\na,b\n1,*\n") == [{"a": "1", "b": "*"}]


def test_rows_explain_themselves():
    parameters = {"a": [0, 1, 2], "b": [0, 1], "c": [0, 1], "d": [0, 1]}
    rows = covering_array(parameters, 2, seed=1)
    check(rows, parameters, 2)

    def holding(combination):
        return [i for i, row in enumerate(rows) if combination.items() <= row.items()]

    everything = [one for number in range(len(rows)) for one in rows.first_in(number)]
    assert len(everything) == rows.combinations == len({tuple(sorted(one.items())) for one in everything})
    for number in range(len(rows)):
        for one in rows.first_in(number):
            assert holding(one)[0] == number == rows.rows_with(one)[0]
        for one in rows.only_in(number):
            assert holding(one) == [number]
    alone = sum(len(holding(one)) == 1 for one in everything)
    assert alone == sum(len(rows.only_in(number)) for number in range(len(rows)))


def test_invalid_values_count_for_themselves_in_explanations():
    model = Model({"a": [1, 2], "b": [1, 2]}, invalid={"a": [-1]})
    rows = covering_array(model, 2)
    everything = [one for number in range(len(rows)) for one in rows.first_in(number)]
    assert len(everything) == rows.combinations


def test_reasons_are_minimal_and_true():
    chain = [
        constraint("a below b")(lambda a, b: a < b),
        constraint("b below c")(lambda b, c: b < c),
        constraint("d is even")(lambda d: d % 2 == 0),
    ]
    model = Model({name: range(4) for name in "abcd"}, chain)
    assert why_infeasible(model, {"a": 0, "c": 1}) == ["a below b", "b below c"]
    assert why_infeasible(model, {"d": 1}) == ["d is even"]
    assert why_infeasible(model, {"a": 0, "b": 1}) == []
    rows = covering_array(model, 2)
    assert rows.infeasible
    for one in rows.infeasible:
        names = rows.why_infeasible(one)
        kept = [rule for rule in chain if rule.name in names]
        left = [
            values
            for values in product(range(4), repeat=4)
            if one.items() <= dict(zip("abcd", values)).items()
            and all(rule.predicate(**{n: dict(zip("abcd", values))[n] for n in rule.reads}) for rule in kept)
        ]
        assert names and not left


def test_reasons_where_an_invalid_value_would_make_a_combination_possible():
    # The constraint does not judge invalid values, so "mac" and "edge" could meet beside one, which does not count.
    model = Model(
        {"os": ["mac", "win"], "browser": ["edge", "firefox"], "memory": [4, 8]},
        [
            constraint("edge needs memory")(
                lambda os, browser, memory: browser != "edge" or (os, memory) == ("win", 8)
            )
        ],
        invalid={"memory": [-1]},
    )
    rows = covering_array(model, 2)
    assert {"os": "mac", "browser": "edge"} in rows.infeasible
    assert all(rows.why_infeasible(one) == ["edge needs memory"] for one in rows.infeasible)
    assert all(rows.first_in(number) for number in range(len(rows)))


@pytest.mark.slow
def test_combinations_of_digits_and_of_configurations_are_explained():
    sensors = Model(
        {"height": range(301), "speed": range(301), "on": bool},
        [constraint("not both high")(lambda height, speed: height + speed < 450)],
    )
    rows = covering_array(sensors, 2, radix="auto")
    assert rows.infeasible
    assert all("not both high" in rows.why_infeasible(one) for one in rows.infeasible)
    for number in (0, 7):
        assert all(number in rows.rows_with(one) for one in rows.first_in(number))
    lab = Model(
        {"cpu": ["x86", "arm"], "ram": [4, 64], "os": ["a", "b"]},
        [constraint("no a on arm")(lambda cpu, os: (cpu, os) != ("arm", "a"))],
        submodels={("cpu", "ram"): 2, ("ram",): 1},
    )
    machines = covering_array(lab, 2)
    for number in range(len(machines)):
        assert all(number in machines.rows_with(one) for one in machines.first_in(number))
    assert all(machines.why_infeasible(one) for one in machines.infeasible)
    assert machines.why_infeasible({"cpu": "arm", "os": "a"}) == ["no a on arm"]
    assert machines.rows_with({"cpu": "arm", "os": "a"}) == []
