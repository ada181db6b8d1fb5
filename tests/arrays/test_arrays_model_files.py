"""PICT and TOML model files, and the output formats."""

from __future__ import annotations

import csv
import io
import json
from itertools import combinations, product

import pytest
from arrays_checker import check, conditions

from everycase.arrays import covering_array
from everycase.arrays.formats.pict import read_pict, read_pict_file
from everycase.arrays.formats.tables import as_csv, as_github, as_json, as_table, read_csv
from everycase.arrays.formats.toml import expression_constraint, read_toml
from everycase.errors import ContradictoryConstraints, InvalidArgument

PICT = """
# volumes
Type:          Primary, Logical, Single (10), Span, Stripe, Mirror, RAID-5
Size:          10, 100, 500, 1000, 5000, 10000, 40000
Format method: quick|fast, slow
File system:   FAT, FAT32, NTFS
Cluster size:  512, 1024, 2048, 4096, 8192, 16384, 32768, 65536
Compression:   on, off

IF [File system] = "FAT" THEN [Size] <= 4096;
IF [File system] = "fat32" THEN [Size] <= 32000;
IF [File system] <> "NTFS" OR ( [File system] = "NTFS" AND [Cluster size] > 4096 )
THEN [Compression] = "off";
IF NOT ( [Type] IN {"Span", "Stripe"} ) THEN [Size] < 40000 ELSE [Size] > 10;
[Format method] LIKE "q*" OR NOT [Cluster size] = 512;
"""


def test_a_pict_model_with_everything():
    model = read_pict(PICT)
    assert model.names == ("Type", "Size", "Format method", "File system", "Cluster size", "Compression")
    rows = covering_array(model, 2)
    parameters = {domain.name: list(domain.values()) for domain in model.domains}
    assert parameters["Size"][0] == 10
    assert parameters["Format method"] == ["quick", "slow"]
    rules = [
        (("File system", "Size"), lambda fs, size: fs != "FAT" or size <= 4096),
        (("File system", "Size"), lambda fs, size: fs != "FAT32" or size <= 32000),
        (
            ("File system", "Cluster size", "Compression"),
            lambda fs, cluster, on: (fs == "NTFS" and cluster <= 4096) or on == "off",
        ),
        (("Type", "Size"), lambda kind, size: size > 10 if kind in ("Span", "Stripe") else size < 40000),
        (("Format method", "Cluster size"), lambda how, cluster: how == "quick" or cluster != 512),
    ]
    assert check(rows, parameters, 2, rules) > 0


def test_pict_parameters_may_have_a_comma_after_their_name_and_blank_values():
    model = read_pict("A, 1, 2\nB: x,,y\nIf mode: a, b\n")
    assert {d.name: list(d.values()) for d in model.domains} == {
        "A": [1, 2],
        "B": ["x", "", "y"],
        "If mode": ["a", "b"],
    }


HARDWARE = """
cpu: x86, arm, mips
ram: 1, 4, 64
disk: none, ssd
os: a, b, c
app: p, q, r, s
{ cpu, ram, disk } @ 2
IF [cpu] = "mips" THEN [os] <> "a";
IF [ram] = 64 THEN [disk] = "ssd";
"""


@pytest.mark.parametrize("strength", [2, 3])
def test_a_pict_sub_model_makes_configurations_and_combines_them_whole(strength):
    rows = covering_array(read_pict(HARDWARE), strength)
    assert all(row["cpu"] != "mips" or row["os"] != "a" for row in rows)
    assert all(row["ram"] != 64 or row["disk"] == "ssd" for row in rows)
    machines = {(row["cpu"], row["ram"], row["disk"]) for row in rows}
    for first, second in combinations(range(3), 2):
        pairs = {(m[first], m[second]) for m in machines}
        sizes = [3, 3, 2]
        assert len(pairs) == sizes[first] * sizes[second] - ((first, second) == (1, 2))  # 64 without a disk
    assert len(machines) < 12  # of 15 that there could be
    columns = [lambda r: (r["cpu"], r["ram"], r["disk"]), lambda r: r["os"], lambda r: r["app"]]
    values = [sorted(machines), "abc", "pqrs"]
    for chosen in combinations(range(3), strength):
        seen = {tuple(columns[c](row) for c in chosen) for row in rows}
        wanted = {
            combination
            for combination in product(*(values[c] for c in chosen))
            if not (
                {0, 1} <= set(chosen)
                and combination[chosen.index(0)][0] == "mips"
                and combination[chosen.index(1)] == "a"
            )
        }
        assert seen == wanted
    assert f"{len(machines)} configurations with all 2-way combinations of cpu, ram, disk" in rows.describe()


def test_a_sub_model_without_an_order_has_that_of_the_model_and_may_share_parameters():
    model = read_pict("A: 1, 2\nB: 1, 2, 3\nC: 1, 2\nD: ~0, 1\n{ A, B }\n{ B, C } @ 1\n")
    rows = covering_array(model, 2)
    assert {(r["A"], r["B"]) for r in rows} == {(a, b) for a in (1, 2) for b in (1, 2, 3)}
    assert {r["C"] for r in rows} == {1, 2}
    assert {(r["A"], r["B"], r["D"]) for r in rows} == {
        (a, b, d) for a in (1, 2) for b in (1, 2, 3) for d in (0, 1)
    }
    seeded = covering_array(model, 2, must_include=[{"A": 2, "B": 3, "D": 1}])
    assert {"A": 2, "B": 3, "D": 1}.items() <= seeded[0].items()


def test_the_names_of_a_value_take_turns_and_invalid_values_are_marked():
    file = read_pict_file("A: 1|one|uno, 2\nB: a, b, c, ~d | e\n")
    array = covering_array(file.model)
    cells = file.shown(array)
    first = [a for a, _ in cells if a != 2]
    assert first == [["1", "one", "uno"][n % 3] for n in range(len(first))]
    assert {b for _, b in cells} == {"a", "b", "c", "~d", "~e"}
    assert {row["B"] for row in array} == {"a", "b", "c", "d"}


def test_pict_invalid_values_and_inherited_values():
    model = read_pict("A: 1, 2 (7), ~-1\nB: ~x, a, b\nC: <A>, 3\n")
    assert [list(d.values()) for d in model.domains] == [[1, 2, -1], ["a", "b", "x"], [1, 2, 3, -1]]
    assert model.preferences == ((1, 7, 1), None, (1, 7, 1, 1))
    rows = covering_array(model, 2)
    assert not any(row["A"] == -1 and row["B"] == "x" for row in rows)


def test_pict_constraints_judge_invalid_values_too():
    rows = covering_array(read_pict("A: ~-1, 0, 1\nB: 0, 1, 2\nIF [A] = -1 THEN [B] = 2;")).tuples()
    assert [b for a, b in rows if a == -1] == [2]
    assert len(rows) == 7
    negative = covering_array(read_pict("A: ~x, y\nB: 0, 1\nC: ~z, w\nIF IsNegative([A]) THEN [B] = 1;"))
    assert {row["B"] for row in negative if row["A"] == "x"} == {1}
    assert {row["B"] for row in negative if row["C"] == "z"} == {0, 1}
    anywhere = covering_array(read_pict("A: ~x, y\nB: 0, 1\nC: ~z, w\nIsPositive() OR [B] = 1;"))
    assert {row["B"] for row in anywhere if "x" in row.values() or "z" in row.values()} == {1}
    assert {row["B"] for row in anywhere} == {0, 1}


def test_pict_files_as_windows_writes_them():
    rows = covering_array(
        read_pict("\ufeffA: 1, 2, 2\r\nB: <a>, 3\r\nself: 1, 2\r\n[A] <> [b] AND [self] = [A];\r\n")
    )
    assert sorted(rows.tuples()) == [(1, 2, 1), (1, 3, 1), (2, 1, 2), (2, 3, 2)]


def test_a_contradiction_in_a_pict_model_shows_the_constraints():
    with pytest.raises(ContradictoryConstraints) as caught:
        covering_array(read_pict("A: 1, 2\nB: 1, 2\n[A] > [B];\n[B] > 1; [A] < 3;"))
    assert caught.value.conflict == ("[A] > [B] (line 3)", "[B] > 1 (line 4)")


def test_pict_parameters_compared_with_each_other():
    model = read_pict("A: 1, 2, 3\nB: 1, 2, 3\n[A] <= [B];")
    rows = covering_array(model, 2)
    check(rows, {"A": [1, 2, 3], "B": [1, 2, 3]}, 2, conditions(lambda A, B: A <= B))  # noqa: N803


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no parameters"),
        ("A: 1, 2\nnonsense", "line 2"),
        ("A: 1\nA: 2", "line 2.*twice"),
        ("A: 1, 2\n{ A } @ 2", "line 2: the order of a sub-model is a number from 1 to 1"),
        ("A: 1, 2\n{ A }\nB: 1", "line 3: parameter 'B' comes after the sub-models"),
        ("A @ 3: 1, 2", "line 1: an order of a single parameter"),
        ("$A: 1, 2", "line 1: '\\$A' would be a result parameter"),
        ("A: 1, 2\nIF [B] = 1 THEN [A] = 1;", "'B' is not a parameter"),
        ("A: 1, 2\nIF [A] = 1 THEN [A] = 1", "line 2: expected ';'"),
        ("A: 1, 2\nIF [A] = 1 [A] = 1;", "expected 'THEN'"),
        ("A: 1, 2\n\nIF [A] ~ 1 THEN [A] = 1;", "line 3: cannot read"),
        ("A: 1, 2\n{ A, Q } @ 2", "names 'Q'"),
        ("A: 1, 2\na: 3", "line 2.*twice"),
        ("A: 1, 2\nIsNegative();", "line 2: no parameter has an invalid value"),
        ("A: 1, ~2\nIF IsOdd([A]) THEN [A] = 1;", "expected a parameter in brackets, found 'IsOdd'"),
    ],
)
def test_mistakes_in_pict_models_are_located(text, message):
    with pytest.raises(InvalidArgument, match=message):
        read_pict(text)


TOML = """
strength = 3
radix = "auto"
include = [{ os = "mac", browser = "safari" }]
[parameters]
os = ["linux", "mac", "windows"]
browser = ["firefox", "safari"]
memory = { from = 0, to = 1000, step = 10 }
dark = [true, false]
[invalid]
dark = ["maybe"]
[weights]
os = { linux = 10 }
[[strengths]]
parameters = ["os", "browser", "dark"]
strength = 3
[[constraints]]
if = { browser = "safari" }
then = { os = "mac" }
[[constraints]]
expression = "memory > 0 or os == 'linux'"
[[constraints]]
forbid = { os = "windows", dark = true }
"""


def test_a_toml_model_with_everything():
    file = read_toml(TOML)
    assert (file.strength, file.radix, file.include) == (3, "auto", [{"os": "mac", "browser": "safari"}])
    rows = covering_array(file.model, 2, radix=file.radix, must_include=file.include)
    assert rows[0]["os"] == "mac"
    for row in rows:
        assert row["browser"] != "safari" or row["os"] == "mac"
        assert row["dark"] == "maybe" or not (row["os"] == "windows" and row["dark"] is True)
        assert row["memory"] > 0 or row["os"] == "linux"
    assert {row["memory"] for row in rows} == set(range(0, 1001, 10))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[parameters", "not TOML"),
        ("strength = 2", r"needs a \[parameters\] table"),
        ("[parameters]\na = 3", "'a' is 3"),
        ("[parameters]\na = { from = 'x', to = 'z' }", "'a' is .* with whole numbers"),
        ("[parameters]\na = { from = 0, to = 3, step = 0 }", "a step from 1"),
        ("[parameters]\na = { from = 0.5, to = 3 }", "with whole numbers"),
        ("constraints = 'x'\n[parameters]\na = [1]", r"write \[\[constraints\]\]"),
        ("[parameters]\na = [1]\n[strengths]\nparameters = ['a']", r"write \[\[strengths\]\]"),
        ("[parameters]\na = [1]\n[[strengths]]\nparameters = 'a'\nstrength = 1", "parameters = "),
        ("include = 3\n[parameters]\na = [1]", r"write \[\[include\]\]"),
        ("[parameters]\na = [1]\n[[constraints]]\nforbid = {}", "not a combination to forbid"),
        ("[parameters]\na = [1]\n[[constraints]]\nforbid = 'a'", "not a combination to forbid"),
        ("[parameters]\na = [1]\n[[constraints]]\nexpression = 3", r"constraints\[0\] is"),
        ("[parameters]\na = [1]\n[[constraints]]\nif = 3\nthen = 'a > 1'", r"constraints\[0\] is"),
        ('[parameters]\na = [1]\n[[constraints]]\nexpression = "a > \\u0000"', "is not an expression"),
        ("[parameters]\na = [1]\n[invalid]\na = 'xyz'", "one str, 'xyz'"),
        ("invalid = [1]\n[parameters]\na = [1]", "invalid is"),
        ("colour = 1\n[parameters]\na = [1]", "'colour'"),
        ("[parameters]\na = [1]\n[[constraints]]\nwhen = 1", r"constraints\[0\]"),
        ("[parameters]\na = [1]\n[[constraints]]\nexpression = 'b > 1'", "'b', which is not a parameter"),
    ],
)
def test_mistakes_in_toml_models_are_named(text, message):
    with pytest.raises(InvalidArgument, match=message):
        read_toml(text)


@pytest.mark.parametrize(
    "text", ["__import__('os')", "a.real", "[x for x in a]", "lambda: a", "a[0]", "f'{a}'"]
)
def test_expressions_cannot_run_code(text):
    with pytest.raises(InvalidArgument, match="only comparisons"):
        expression_constraint(text, ["a", "x"])


ROWS = [("linux", 1, True), ('say "hi", mac', 2, None)]
NAMES = ["os", "n", "flag"]


def test_csv_can_be_read_back():
    assert list(csv.reader(io.StringIO(as_csv(NAMES, ROWS))))[2] == ['say "hi", mac', "2", "None"]
    assert read_csv(as_csv(NAMES, ROWS))[0] == {"os": "linux", "n": "1", "flag": "True"}


def test_files_of_rows_from_other_tools():
    assert read_csv("os\tn\nlinux\t1\n\nmac\t\n") == [{"os": "linux", "n": "1"}, {"os": "mac", "n": ""}]
    assert read_csv("os; n\nlinux; 1\n") == [{"os": "linux", "n": "1"}]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("a,a\n1,2", "names a parameter twice: a, a"),
        ("a,b\n1,2\n1,2,3", "row 2 of the file has 3 cells, but its first line has 2"),
        ("a,b\n1", "row 1 of the file has 1 cells"),
    ],
)
def test_mistakes_in_files_of_rows_are_located(text, message):
    with pytest.raises(InvalidArgument, match=message):
        read_csv(text)


def test_values_that_json_does_not_know_are_text():
    odd = [(float("nan"), {(1, 2): 3}, complex(1, 2))]
    expected = {"os": "nan", "n": {"(1, 2)": 3}, "flag": "(1+2j)"}
    assert json.loads(as_json(NAMES, odd)) == [expected]
    assert json.loads(as_github(NAMES, odd)) == {"include": [expected]}


def test_json_and_github():
    assert json.loads(as_json(NAMES, ROWS))[1] == {"os": 'say "hi", mac', "n": 2, "flag": None}
    assert json.loads(as_json(NAMES, [])) == []
    assert json.loads(as_github(NAMES, ROWS))["include"][0] == {"os": "linux", "n": 1, "flag": True}
    assert "\n" not in as_github(NAMES, ROWS)


def test_tables_are_aligned():
    lines = as_table(NAMES, ROWS).splitlines()
    assert lines[0].index("flag") == lines[1].index("True") == lines[2].index("None")
