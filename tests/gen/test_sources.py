"""The tree of a function is found wherever it stands in its file."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from everycase.gen.sources import tree_of

TABLE = "table = [\n" + "".join(f"    lambda n: n + {k},\n" for k in range(150)) + "]\n"


def run(path: Any, text: str, code: str) -> dict[str, Any]:
    path.write_text(text)
    scope: dict[str, Any] = {}
    exec(compile(code, str(path), "exec"), scope)
    return scope


def shown(function: Any) -> str | None:
    tree = tree_of(function)
    return None if tree is None else ast.unparse(tree)


def test_a_lambda_in_the_middle_of_a_long_table_is_read(tmp_path: Any) -> None:
    scope = run(tmp_path / "table.py", TABLE, TABLE)
    assert [shown(one) for one in scope["table"]] == [f"lambda n: n + {k}" for k in range(150)]


def test_several_lambdas_in_a_line_are_told_apart(tmp_path: Any) -> None:
    text = "a, b, c = lambda n: n > 1, lambda n: n > 2, (lambda m:\n    m > 2)\n"
    scope = run(tmp_path / "line.py", text, text)
    assert [shown(scope[name]) for name in "abc"] == ["lambda n: n > 1", "lambda n: n > 2", "lambda m: m > 2"]


def test_a_file_that_has_changed_is_not_believed(tmp_path: Any) -> None:
    scope = run(tmp_path / "changed.py", "f = lambda n: n > 2\n", "f = lambda n: n > 1\n")
    assert shown(scope["f"]) is None


@pytest.mark.parametrize("before", ["Some words:\n\n", "    if 1:\n"])
def test_code_in_a_text_is_read(tmp_path: Any, before: str) -> None:
    code = "f = sorted(\n    'ab',\n    key=lambda n: n > 'a',\n), (lambda n: n > 1)\n"
    scope = run(tmp_path / "page.md", before + code + "More words.\n", "\n" * before.count("\n") + code)
    assert shown(scope["f"][1]) == "lambda n: n > 1"


def test_a_warning_about_the_file_is_given_once_by_python_alone(
    tmp_path: Any, recwarn: pytest.WarningsRecorder
) -> None:
    text = "f = lambda n: n > 1\n"
    scope = run(tmp_path / "escape.py", text + "g = '\\d'\n", text)
    assert shown(scope["f"]) == "lambda n: n > 1"
    assert not recwarn.list
