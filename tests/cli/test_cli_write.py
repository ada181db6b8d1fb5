"""everycase write: the written tests run without changes."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

pytest.importorskip("hypothesis.extra.ghostwriter", reason="needs black")
from everycase import check
from everycase.cli.root import root


def write(*arguments):
    return CliRunner().invoke(root, ["write", *arguments])


@pytest.mark.parametrize(
    "arguments, name",
    [
        (["sorted", "--idempotent"], "test_idempotent_sorted"),
        (
            ["ast.literal_eval", "--fuzz", "--except", "ValueError", "--except", "SyntaxError"],
            "test_fuzz_literal_eval",
        ),
        (
            ["operator.add", "operator.concat", "--equivalent", "--except", "TypeError"],
            "test_equivalent_add_concat",
        ),
    ],
)
def test_what_is_written_is_a_property(arguments, name):
    result = write(*arguments)
    assert result.exit_code == 0, result.output
    assert "hypothesis" not in result.output and "from everycase import gen, given" in result.output
    space = {}
    exec(compile(result.output, "test_written.py", "exec"), space)
    assert name in space


def test_what_is_written_runs():
    space = {}
    exec(compile(write("sorted", "--idempotent").output, "test_written.py", "exec"), space)
    assert check(space["test_idempotent_sorted"], max_examples=50, database=None).status == "passed"


def test_json_holds_the_source():
    answer = json.loads(write("sorted", "--idempotent", "--json").output)
    assert answer["how"] == "idempotent" and "def test_idempotent_sorted" in answer["source"]


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["no_such_module"], "no module 'no_such_module'"),
        (["json.no_such_name"], "has no 'no_such_name'"),
        (["json", "--fuzz"], "name them"),
        (["json.dumps", "json.loads", "--idempotent"], "one function"),
        (["sorted", "--except", "json"], "takes exceptions"),
        (["a b"], "MODULE.NAME"),
    ],
)
def test_misuse_is_one_line_and_exit_code_2(arguments, words):
    result = write(*arguments)
    assert result.exit_code == 2 and words in result.output
    assert "Traceback" not in result.output
