"""``everycase gaps`` on files and folders, and the cases that ``repair --write`` refuses."""

from __future__ import annotations

import json
import sys

import pytest
from click.testing import CliRunner

from everycase.cli.gaps import ask_all
from everycase.cli.root import root

TESTS = """
from everycase import assume, covers, gen, given


@covers(lambda v: 0 <= v <= 3)
@gen.composite
def three(draw) -> int:
    return draw(gen.integers(0, 2))


@gen.composite
def evens(draw) -> int:
    return 2 * draw(gen.integers())


@given(evens())
def test_even(n):
    assume(n % 2 == 0)
    assert n % 2 == 0


@gen.composite
def sized(draw, n):
    return draw(gen.integers(0, n))
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "suite").mkdir()
    (tmp_path / "suite" / "gaps_suite_sample.py").write_text(TESTS)
    (tmp_path / "suite" / "gaps_suite_broken.py").write_text("import no_such_module  # composite\n")
    return tmp_path


def run(*arguments):
    return CliRunner().invoke(root, list(arguments))


def rows_of(result):
    return {row["name"]: row for row in json.loads(result.output)}


def test_a_folder_gives_a_row_for_each_generator(folder):
    result = run("gaps", "suite", "--json")
    rows = rows_of(result)
    assert result.exit_code == 1
    assert rows["three"]["status"] == "missing" and rows["three"]["value"] == "3"
    assert rows["three"]["file"].endswith("gaps_suite_sample.py") and rows["three"]["line"] == 5
    assert rows["evens"]["status"] == "proved"
    assert rows["evens"]["promise"] == "its return type, where (value % 2 == 0)"
    assert rows["sized"]["status"] == "not checked"
    assert rows[None]["status"] == "error" and "no_such_module" in rows[None]["notes"][0]


def test_calls_in_the_file_show_what_a_generator_may_be_called_with(folder):
    more = TESTS + "\n@given(sized(3), sized(n=5))\ndef test_sized(a, b):\n    pass\n"
    (folder / "suite" / "gaps_suite_sample.py").write_text(more)
    row = rows_of(run("gaps", "suite", "--json"))["sized"]
    assert row["promise"] == "its return type, for the arguments of 2 calls in this file"
    assert row["status"] == "missing" and row["arguments"] in ({"n": "3"}, {"n": "5"})


def test_a_default_that_no_call_changes_is_the_only_argument(folder):
    """Arguments that no call passes are not checked: with n=4 the generator would seem to make invalid values."""
    more = """
@gen.composite
def up_to(draw, n=3):
    return draw(gen.integers(0, n))

@given(up_to())
def test_up_to(v):
    assume(0 <= v <= 3)
"""
    (folder / "suite" / "gaps_suite_sample.py").write_text(TESTS + more)
    row = rows_of(run("gaps", "suite", "--json"))["up_to"]
    assert (row["status"], row["soundness"]) == ("proved", "proved")


def test_one_composite_without_a_promise_is_asked_for_its_type(folder):
    result = run("gaps", "suite/gaps_suite_sample.py::evens")
    assert result.exit_code == 0 and "1 generator: 1 proved" in result.output


def test_answers_are_remembered_until_the_source_changes(folder):
    assert not rows_of(run("gaps", "suite", "--json"))["three"]["cached"]
    assert rows_of(run("gaps", "suite", "--json"))["three"]["cached"]
    assert not rows_of(run("gaps", "suite", "--json", "--no-cache"))["three"]["cached"]
    (folder / "suite" / "gaps_suite_sample.py").write_text(TESTS + "\n# another line\n")
    assert not rows_of(run("gaps", "suite", "--json"))["three"]["cached"]


def test_sarif_points_at_the_generator(folder):
    result = json.loads(run("gaps", "suite", "--sarif").output)
    found = {r["ruleId"]: r for r in result["runs"][0]["results"]}
    assert result["version"] == "2.1.0"
    assert found["missing"]["message"]["text"] == "three can never make 3"
    place = found["missing"]["locations"][0]["physicalLocation"]
    assert place["region"]["startLine"] == 5


def test_people_get_a_table(folder):
    result = run("gaps", "suite")
    assert "never made: 3" in result.output
    assert "4 generators: 1 error, 1 missing, 1 not checked, 1 proved" in result.output


def test_a_path_that_is_not_there_or_has_no_generators(folder):
    assert run("gaps", "nowhere").exit_code == 2
    (folder / "plain.py").write_text("x = 1\n")
    result = run("gaps", "plain.py")
    assert result.exit_code == 2 and "no generators were found" in result.output


UNPROVED = """
from everycase import covers, gen


@covers(lambda v: 0 <= v and v * v * v <= 1000)
@gen.composite
def cubes(draw) -> int:
    return 2 * draw(gen.integers(0, 5))
"""


def test_only_what_is_proved_is_written(folder):
    file = folder / "unproved_sample.py"
    file.write_text(UNPROVED)
    result = run("repair", "unproved_sample.py::cubes", "--write", "--max-seconds", "4")
    if "repaired\n" not in result.output:
        assert file.read_text() == UNPROVED
    assert run("repair", "unproved_sample.py::cubes", "--force").exit_code == 2


ODD_FILES = {
    "syntax.py": b"def broken(:\n    pass\n",  # without mentioning generators
    "leaves.py": b"# composite\nraise SystemExit(3)\n",
    "encoded.py": b"x = '\xe9'\n",
}


@pytest.mark.parametrize("name", ODD_FILES)
def test_a_file_that_cannot_be_read_is_never_skipped_silently(name, tmp_path):
    (tmp_path / name).write_bytes(ODD_FILES[name])
    (row,) = ask_all([tmp_path], 2.0, True, False)
    assert row["status"] == "error" and f"{name} cannot be imported" in row["notes"][0]


ALIASED = """
from everycase import gen
from gaps_suite_alias import composed


@composed
def always(draw) -> bool:
    return draw(gen.just(True))
"""


def test_a_composite_under_another_name_is_found(tmp_path):
    (tmp_path / "gaps_suite_alias.py").write_text("from everycase import gen\ncomposed = gen.composite\n")
    (tmp_path / "gaps_suite_aliased.py").write_text(ALIASED)
    (row,) = ask_all([tmp_path], 2.0, True, False)
    assert row["name"] == "always" and row["status"] == "missing" and row["value"] == "False"


def test_a_script_without_generators_is_not_imported(tmp_path):
    text = "def apply(make, n):\n    return make(n)\n\n\nraise SystemExit(apply(int, 3))\n"
    (tmp_path / "gaps_suite_script.py").write_text(text)
    assert list(ask_all([tmp_path], 2.0, True, False)) == []


@pytest.mark.parametrize("where", ["# caf\xe9\n{}", "{}\nx = 'caf\xe9'\n"], ids=["comment", "string"])
def test_a_file_that_is_not_utf_8_says_what_to_do(where, tmp_path):
    name = f"gaps_suite_latin_{len(where)}.py"
    (tmp_path / name).write_bytes(where.format(TESTS).encode("latin-1"))
    rows = list(ask_all([tmp_path], 2.0, True, False))
    assert rows and {row["status"] for row in rows} <= {"error", "not checked"}
    assert f"{name} is not UTF-8; save it as UTF-8 or declare its encoding" in rows[0]["notes"][0]


REPORTING = """
import {library}
from everycase import covers
{imports}


@covers(lambda v: 0 <= v <= 3)
@gen.composite
def reporting(draw) -> int:
    n = draw(gen.integers(0, 4))
    {library}.note(n)
    {library}.event("drawn")
    {library}.target(n)
    {library}.assume(n < 3)
    return {result}
"""


@pytest.mark.parametrize("result", ["n", "int(str(n))"], ids=["read", "run"])
@pytest.mark.parametrize("library", ["everycase", "hypothesis"])
def test_a_composite_may_report_while_it_is_checked(library, result, tmp_path):
    """No test is running, so nothing is recorded; the values are made as usual."""
    imports = {
        "everycase": "from everycase import gen",
        "hypothesis": "from hypothesis import strategies as gen",
    }
    text = REPORTING.format(library=library, imports=imports[library], result=result)
    (tmp_path / f"gaps_suite_reporting_{library}_{len(result)}.py").write_text(text)
    (row,) = ask_all([tmp_path], 5.0, True, False)
    assert (row["status"], row["value"], row["unsound"]) == ("missing", "3", None), row


@pytest.mark.parametrize("form", ["--json", "--sarif"])
def test_odd_files_do_not_spoil_the_output(form, tmp_path):
    for name, content in ODD_FILES.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "gaps_suite_empty.py").write_text("")
    (tmp_path / "gaps_suite_prints.py").write_text("print('hello')\n" + TESTS)
    (tmp_path / "gaps_suite_skips.py").write_text(
        "import pytest  # composite\npytest.skip('no', allow_module_level=True)\n"
    )
    (tmp_path / "gaps_suite_folder.py").mkdir()
    (tmp_path / "gaps_suite_dangling.py").symlink_to(tmp_path / "nowhere.py")
    result = run("gaps", str(tmp_path), form, "--no-cache")
    assert result.exit_code == 1, result.output
    found = json.loads(result.stdout)
    if form == "--json":
        failed = {row["file"].rpartition("/")[2] for row in found if row["status"] == "error"}
        assert failed == {*ODD_FILES, "gaps_suite_skips.py", "gaps_suite_dangling.py"}
    else:
        assert {r["ruleId"] for r in found["runs"][0]["results"]} == {"missing", "not-checked"}


def test_the_exit_code_says_that_something_was_not_checked(tmp_path):
    text = "from everycase import gen\n\n\n@gen.composite\ndef flags(draw) -> bool:\n    return draw(gen.booleans())\n"
    (tmp_path / "gaps_suite_flags.py").write_text(text)
    assert run("gaps", str(tmp_path), "--no-cache").exit_code == 0
    more = "\n\n@gen.composite\ndef sized(draw, n):\n    return draw(gen.integers(0, n))\n"
    (tmp_path / "gaps_suite_more.py").write_text(text + more)
    assert run("gaps", str(tmp_path), "--no-cache").exit_code == 2


LIMITS = """
from everycase import gen, given

@gen.composite
def limited(draw, least=0, most=None):
    return draw(gen.lists(gen.booleans(), min_size=least, max_size=2 if most is None else most))

@given(limited(), limited(most=1), limited(1, None), limited(least=1, most=3))
def test_limited(a, b, c, d):
    pass
"""


def test_a_parameter_that_only_some_calls_give(folder):
    (folder / "suite" / "gaps_suite_sample.py").write_text(LIMITS)
    row = rows_of(run("gaps", "suite", "--json"))["limited"]
    assert row["unsupported"] is None and row["status"] == "missing" and row["soundness"] == "proved"
    assert row["inferred"] == {"least": "int", "most": "int | None", "return": "list[bool]"}
    assert row["promise"] == "its return type, for the arguments of 4 calls in this file"
    assert row["arguments"] in (
        {"least": "0", "most": "None"},
        {"least": "0", "most": "1"},
        {"least": "1", "most": "None"},
    )


# --- what is promised where nothing is written ----------------------------------------------------------------

PROMISES = """
from hypothesis import strategies as st
from hypothesis import given


class Handle:
    def __init__(self, *numbers):
        self.number = numbers[0]


@st.composite
def handles(draw):
    return Handle(draw(st.integers(0, 3)))


@st.composite
def digits(draw):
    return draw(st.integers(0, 9))


@st.composite
def truths(draw):
    return draw(st.booleans())


@st.composite
def written(draw) -> st.SearchStrategy[bool]:
    return not draw(st.booleans())


@st.composite
def pairs(draw, elements, extra=None):
    return draw(elements), draw(elements)


@st.composite
def lonely(draw, size):
    return draw(st.integers(0, size))


@given(pairs(st.booleans()), pairs(elements=st.just(1), extra=[]))
def test_pairs(a, b):
    assert pairs(a)  # not known outside of the test
"""
ELSEWHERE = """
import gaps_promises_sample as made
from hypothesis import given

TOP = 1


@given(made.lonely(TOP + 1))
def test_lonely(n):
    pass
"""


@pytest.fixture
def promises(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "gaps_promises_sample", raising=False)  # of another test
    (tmp_path / "gaps_promises_sample.py").write_text(PROMISES)
    return tmp_path


def test_an_inferred_promise_is_called_that_everywhere(promises):
    rows = rows_of(run("gaps", "gaps_promises_sample.py", "--json"))
    assert rows["digits"]["status"] == "missing" and rows["digits"]["inferred"] == {"return": "int"}
    assert (
        "promised: every value of its return type (int, inferred from what it makes)"
        in rows["digits"]["text"]
    )
    assert rows["truths"]["status"] == "proved" and rows["truths"]["inferred"] == {"return": "bool"}
    sarif = json.loads(run("gaps", "gaps_promises_sample.py", "--sarif").output)["runs"][0]["results"]
    digits = next(r for r in sarif if "digits" in r["message"]["text"])
    assert digits["level"] == "warning" and digits["message"]["text"].endswith("of the inferred type int")
    assert "of the inferred type bool" in run("gaps", "gaps_promises_sample.py").output


def test_an_annotation_that_names_a_strategy_means_what_it_makes(promises):
    row = rows_of(run("gaps", "gaps_promises_sample.py", "--json"))["written"]
    assert (row["status"], row["inferred"]) == ("proved", {})


def test_a_generator_of_objects_that_are_not_known_is_only_run(promises):
    row = rows_of(run("gaps", "gaps_promises_sample.py", "--json"))["handles"]
    assert (row["status"], row["soundness"]) == ("only run", "not checked")
    assert row["text"].startswith("handles: only run: 4 values that it made; nothing is promised")
    assert run("gaps", "gaps_promises_sample.py::handles").exit_code == 0


def test_calls_show_generators_and_other_objects_as_arguments(promises):
    row = rows_of(run("gaps", "gaps_promises_sample.py", "--json"))["pairs"]
    assert row["promise"].endswith("2 calls: pairs(st.booleans()), pairs(elements=st.just(1), extra=[])")
    assert row["status"] == "missing" and row["call"] == "pairs(elements=st.just(1), extra=[])"
    assert "called as: pairs(elements=st.just(1), extra=[])" in row["text"]


def test_calls_in_other_files_count_too(promises):
    assert rows_of(run("gaps", ".", "--json"))["lonely"]["status"] == "not checked"
    (promises / "gaps_elsewhere_sample.py").write_text(ELSEWHERE)
    row = rows_of(run("gaps", ".", "--json"))["lonely"]
    assert row["status"] == "missing" and row["call"] == "made.lonely(TOP + 1)"
