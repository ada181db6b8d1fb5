"""The command ``everycase cover``."""

from __future__ import annotations

import csv
import io
import json
import math
from decimal import Decimal

import pytest
from click.testing import CliRunner

from everycase.cli.cover import FORMATS, as_pytest
from everycase.cli.root import root
from everycase.errors import InvalidArgument

TOML = """
strength = 2
[parameters]
os = ["linux", "mac", "windows"]
browser = ["firefox", "safari"]
debug = [true, false]
[[constraints]]
expression = "browser != 'safari' or os == 'mac'"
"""


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "browsers.toml"
    path.write_text(TOML)
    return str(path)


def cover(*arguments):
    return CliRunner().invoke(root, ["cover", *arguments])


def test_rows_on_standard_output_and_a_word_on_standard_error(model):
    result = cover(model)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0].split() == ["os", "browser", "debug"]
    assert result.stderr.startswith("all 2-way combinations of 3 parameters; 2 combinations are infeasible: ")
    assert f"{len(lines) - 1} rows" in result.stderr


def test_strength_and_every_format(model):
    rows = list(csv.DictReader(io.StringIO(cover(model, "-t", "3", "--format", "csv").stdout)))
    assert len(rows) == 8
    data = json.loads(cover(model, "-t", "3", "--format", "json").stdout)
    assert [{n: str(v) for n, v in row.items()} for row in data] == rows
    assert json.loads(cover(model, "-t", "3", "--json").stdout) == data
    assert json.loads(cover(model, "-t", "3", "--format", "github").stdout) == {"include": data}
    compile(cover(model, "--format", "pytest").stdout, "generated", "exec")


def test_measuring_and_extending_rows(model, tmp_path):
    rows = tmp_path / "rows.csv"
    rows.write_text(cover(model, "--format", "csv").stdout)
    complete = cover(model, "--measure", str(rows))
    assert complete.exit_code == 0
    assert "(100.0 %)" in complete.stdout
    lines = rows.read_text().splitlines()
    rows.write_text("\n".join(lines[:3]) + "\nlinux,safari,True\n")
    partial = cover(model, "--measure", str(rows))
    assert partial.exit_code == 1
    assert "missing: " in partial.stdout
    assert "row 3 does not count: it breaks browser != 'safari' or os == 'mac'" in partial.stdout
    data = json.loads(cover(model, "--measure", str(rows), "--json").stdout)
    assert data["covered"] + len(data["missing"]) == data["feasible"]
    rows.write_text("\n".join(lines[:3]))
    extended = cover(model, "--extend", str(rows), "--format", "csv").stdout
    assert extended.splitlines()[:3] == lines[:3]


def test_infeasible_combinations_are_listed(model):
    result = cover(model, "--infeasible")
    assert result.stdout.splitlines() == [
        "os='linux', browser='safari': browser != 'safari' or os == 'mac'",
        "os='windows', browser='safari': browser != 'safari' or os == 'mac'",
    ]
    assert json.loads(cover(model, "--infeasible", "--json").stdout)[0] == {
        "os": "linux",
        "browser": "safari",
    }


def test_pict_and_python_models(tmp_path):
    pict = tmp_path / "volume.txt"
    pict.write_text('A: 1, 2\nB: x, y\nIF [A] = 1 THEN [B] = "x";')
    assert len(cover(str(pict), "--format", "csv").stdout.splitlines()) == 4
    program = tmp_path / "ci_models.py"
    program.write_text(
        "from everycase.arrays import Model\nmodel = Model({'n': range(1001), 'b': [0, 1]})\nplain = {'a': [1, 2]}\n"
    )
    result = cover(f"{program}::model", "--radix", "auto", "--format", "csv")
    assert len(result.stdout.splitlines()) == 1002
    assert cover(f"{program}::plain", "-t", "1").exit_code == 0
    assert "say which model" in cover(str(program)).stderr


def test_rows_can_be_measured_by_the_values_that_occur_in_them(tmp_path):
    rows = tmp_path / "rows.csv"
    rows.write_text("os,browser,dark\nlinux,firefox,yes\nmac,safari,no\nlinux,safari,\n")
    result = cover("--measure", str(rows))
    assert result.exit_code == 1
    assert result.stdout.startswith("3 rows cover 7 of 12 2-way combinations")
    assert cover("--measure", str(rows), "-t", "1").exit_code == 0


def test_files_from_spreadsheets_and_of_empty_values(tmp_path):
    text = "[parameters]\ncountry = ['', 'de']\nage = [1, 2]\n"
    path = tmp_path / "form.toml"
    path.write_text(text, encoding="utf-8-sig")
    rows = tmp_path / "rows.csv"
    rows.write_text("country;age\n;1\n;2\nde;1\nde;2\n", encoding="utf-8-sig")
    assert cover(str(path), "--measure", str(rows)).exit_code == 0
    rows.write_text("country;age\n;1\n;2\nde;1\nde;\n")
    assert cover(str(path), "--measure", str(rows)).exit_code == 1
    rows.write_text("country,age\nxx,1\n")
    result = cover(str(path), "--measure", str(rows))
    assert result.exit_code == 2
    assert "row 1 of" in result.stderr and "parameter 'country' has no value 'xx'" in result.stderr


def test_what_a_table_cannot_show_is_said(tmp_path):
    path = tmp_path / "form.toml"
    path.write_text("[parameters]\na = [1, 2]\nb = [1, 2]\n[invalid]\na = [9]\n")
    assert cover(str(path)).stderr == (
        "all 2-way combinations of 2 parameters: 6 rows, 2 of them with one invalid value\n"
    )
    path.write_text("[parameters]\na = { from = 1, to = 257 }\n")
    assert "at most 256 jobs" in cover(str(path), "-t", "1", "--format", "github").stderr


def test_pytest_output_is_a_test_module(tmp_path):
    names, rows = ["os", "n", "flag"], [("linux", math.inf, True), ('say "hi", mac', Decimal("0.1"), None)]
    namespace = {}
    exec(compile(as_pytest(names, rows), "generated", "exec"), namespace)
    assert namespace["test_combination"].pytestmark[0].args == (tuple(names), rows)
    program = tmp_path / "enum_models.py"
    program.write_text(
        "import enum\nclass Color(enum.Enum):\n    RED = 1\nmodel = {'a': Color, 'b': [1, 2]}\n"
    )
    source = cover(f"{program}::model", "--format", "pytest").stdout
    assert "from enum_models import Color" in source and "(Color.RED, 2)," in source


@pytest.mark.parametrize(
    ("name", "argument"), [("File system", "File_system"), ("class", "class_"), ("request", "request_")]
)
def test_names_that_cannot_be_arguments_of_a_test_are_changed(name, argument):
    namespace: dict[str, object] = {}
    exec(compile(as_pytest([name], [(1,)]), "generated", "exec"), namespace)
    assert namespace["test_combination"].pytestmark[0].args == ((argument,), [(1,)])


def test_values_that_cannot_be_written_as_source():
    with pytest.raises(InvalidArgument, match="a value of 'b', cannot be written as Python source"):
        as_pytest(["a", "b"], [(1, iter([]))])


def test_all_formats_are_offered():
    assert sorted(FORMATS) == ["csv", "github", "json", "junit", "pytest", "table"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "name a MODEL"),
        (["MODEL", "--seed", "-1"], "seed is -1"),
        (["MODEL", "--effort", "-1"], "effort is -1"),
        (["missing.toml"], "missing.toml cannot be read: No such file"),
        (["MODEL", "-t", "9"], "write a number from 1 to 3"),
        (["MODEL", "--radix", "ten"], "write auto or a base"),
        (["MODEL", "--measure", "nowhere.csv"], "nowhere.csv cannot be read"),
        (["json:dumps"], "a model must be a Model"),
    ],
)
def test_misuse_is_one_line_and_exit_code_2(model, arguments, message):
    result = cover(*(model if argument == "MODEL" else argument for argument in arguments))
    assert result.exit_code == 2
    assert message in result.stderr


def test_help_has_examples():
    assert "everycase cover browsers.toml -t 2" in cover("--help").stdout


def test_rows_of_an_earlier_output_and_combinations_to_leave_out(tmp_path):
    model, seeds, out = tmp_path / "m.txt", tmp_path / "seeds.txt", tmp_path / "out.csv"
    model.write_text(
        'ver: 7, 10\nsku: Pro|Max, Home\nlang: EN, FR, ~XX\nIF [ver] = 10 THEN [lang] <> "FR";\n'
    )
    seeds.write_text(
        "ver\tsku\tlang\tarch\n7\tMax\tFR\tx86\n7\t\tDE\tx86\n10\tHome\tFR\tx64\n10\tHome\t~XX\tx64\n"
    )
    out.write_text("ver,sku,lang\n7,Home,\n")
    result = cover(str(model), "--seed-rows", str(seeds), "--exclude", str(out), "--format", "csv")
    assert result.exit_code == 0, result.stderr
    rows = list(csv.reader(io.StringIO(result.stdout)))
    assert rows[0] == ["ver", "sku", "lang"]
    assert rows[1] == ["7", "Pro", "FR"] and ["10", "Home", "~XX"] in rows[1:4]
    assert not any(row[:2] == ["7", "Home"] for row in rows)
    for said in ("column 'arch'", "row 2: 'DE' is not a value of 'lang'", "row 3 breaks a constraint"):
        assert said in result.stderr


def test_a_model_with_one_parameter_has_a_row_for_each_value(tmp_path):
    (tmp_path / "m.txt").write_text("os: linux, mac\n")
    assert set(cover(str(tmp_path / "m.txt"), "--format", "csv").stdout.split()) == {"os", "linux", "mac"}


def test_what_each_row_is_for(model):
    text = cover(model, "--explain").stdout
    assert "row 1: os=" in text
    assert "only here: " in text
    assert "infeasible: os='linux', browser='safari', because of browser != 'safari' or os == 'mac'" in text
    found = json.loads(cover(model, "--explain", "--json").stdout)
    assert found["infeasible"][0] == {
        "combination": {"os": "linux", "browser": "safari"},
        "because": ["browser != 'safari' or os == 'mac'"],
    }
    assert sum(len(row["first"]) for row in found["rows"]) == len(
        {json.dumps(one) for row in found["rows"] for one in row["first"]}
    )


def test_models_of_acts_and_ctwedge_are_recognised(tmp_path, model):
    acts = cover(model, "--format", "acts").stdout
    (tmp_path / "model.txt").write_text(acts)
    again = cover(str(tmp_path / "model.txt"), "--format", "csv")
    assert again.exit_code == 0
    assert again.stdout == cover(model, "--format", "csv").stdout
    (tmp_path / "model.ctw").write_text(cover(model, "--format", "ctwedge").stdout)
    assert cover(str(tmp_path / "model.ctw"), "--infeasible").stdout.count("safari") == 4


def test_effort_by_name_and_in_seconds(model):
    for effort in ("quick", "0", "0.1"):
        assert cover(model, "--effort", effort).exit_code == 0
    result = cover(model, "--effort", "much")
    assert result.exit_code == 2
    assert "--effort much: write quick, good, best" in result.stderr
