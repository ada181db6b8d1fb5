"""The commands gaps and repair, end to end on a file."""

from __future__ import annotations

import json

import pytest

click_testing = pytest.importorskip("click.testing")

TEXT = """from __future__ import annotations
from everycase import covers, gen


@covers(lambda v, n: len(v) <= n, requires=lambda n: n >= 0)
@gen.composite
def short_lists(draw, n: int) -> list[int]:
    if n == 0:
        return []
    return [draw(gen.integers()), *draw(short_lists(n - 1))]
"""


def run(*arguments: str):
    from everycase.cli.root import root

    return click_testing.CliRunner().invoke(root, list(arguments))


def test_gaps_then_repair_then_gaps(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "commands_sample.py").write_text(TEXT)
    target = "commands_sample.py::short_lists"
    found = run("gaps", target, "--json")
    assert found.exit_code == 1
    assert json.loads(found.output)["value"] == "[]"
    written = run("repair", target, "--write")
    assert written.exit_code == 0, written.output
    assert "checked again: proved" in written.output
    assert "+    if draw(gen.integers(0, n)) == 0:" in written.output
    again = run("gaps", target)
    assert again.exit_code == 0 and "proved" in again.output


def test_misuse_is_one_line_and_exit_code_2(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plain_sample.py").write_text("def f(draw): ...\n")
    result = run("gaps", "plain_sample.py::f")
    assert result.exit_code == 2 and "no specification" in result.output


@pytest.mark.slow
def test_what_could_not_be_looked_at_is_not_called_fine(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bare_sample.py").write_text(
        "import random\nfrom everycase import covers, gen\n\n@covers(lambda v: True)\n@gen.composite\ndef f(draw) -> int:\n"
        "    return random.randint(0, 9)\n"
    )
    result = run("gaps", "bare_sample.py::f")
    assert result.exit_code == 2 and "nothing was checked" in result.output
    assert "line 7" in result.output
