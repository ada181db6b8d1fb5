"""Long runs show their progress on a terminal, and nowhere else."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = """
import time
import everycase.bridges.pytest_plugin as plugin
from everycase import gen, given, settings

plugin.PROGRESS_AFTER = 0.05

def test_before():
    pass

@settings(max_examples=40, database=None)
@given(gen.integers())
def test_slow(n):
    time.sleep(0.01)

def test_after():
    pass

@settings(max_examples=40, database=None)
@given(gen.lists(gen.integers()))
def test_fails(xs):
    time.sleep(0.005)
    assert len(xs) < 3
"""


#: Only the plugin of everycase: loading the others takes most of the time.
PYTEST = [
    sys.executable,
    "-m",
    "pytest",
    "-p",
    "everycase.bridges.pytest_plugin",
    "-p",
    "no:cacheprovider",
    "--tb=no",
]
ALONE = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}


def on_a_terminal(options: list[str], folder: Path) -> str:
    """All output of pytest on a terminal of 100 columns."""
    ours, theirs = pty.openpty()
    environment = {**ALONE, "TERM": "xterm", "COLUMNS": "100", "CI": ""}
    process = subprocess.Popen(
        [*PYTEST, *options, "test_it.py"],
        cwd=folder,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=environment,
    )
    os.close(theirs)
    written = b""
    while select.select([ours], [], [], 60)[0]:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # it has ended
            break
        if not piece:
            break
        written += piece
    process.wait()
    os.close(ours)
    return written.decode(errors="replace")


def screen(written: str) -> list[str]:
    """The final contents of a terminal: text, new lines, and the escapes that move the cursor or erase."""
    lines, row, column = [""], 0, 0
    for piece in re.findall(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b.|[\r\n]|[^\x1b\r\n]+", written):
        if piece == "\n":
            row += 1
            lines += [""] * (row + 1 - len(lines))
        elif piece == "\r":
            column = 0
        elif piece.startswith("\x1b["):
            count = int(piece[2:-1]) if piece[2:-1].isdigit() else 1
            if piece[-1] == "A":
                row = max(0, row - count)
            elif piece[-1] == "G":
                column = count - 1
            elif piece[-1] == "K":
                lines[row] = "" if piece == "\x1b[2K" else lines[row][:column]
        elif not piece.startswith("\x1b"):
            lines[row] = lines[row].ljust(column)[:column] + piece + lines[row][column + len(piece) :]
            column += len(piece)
    return [line.rstrip() for line in lines]


@pytest.mark.slow
@pytest.mark.parametrize("options", [[], ["-v"], ["-q"]])
def test_a_long_run_shows_how_it_goes_and_leaves_nothing_behind(options: list[str], tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(TESTS)
    written = on_a_terminal(options, tmp_path)
    assert re.search(r"test_slow.*of 40 tests", written)
    assert "shrinking a failure" in written
    shown = screen(written)
    assert not any("of 40 tests" in line for line in shown)
    results = "\n".join(shown)
    if "-v" in options:
        for name, word in (
            ("before", "PASSED"),
            ("slow", "PASSED"),
            ("after", "PASSED"),
            ("fails", "FAILED"),
        ):
            assert re.search(rf"^test_it.py::test_{name} {word}", results, re.MULTILINE)
    else:
        assert re.search(r"^(test_it.py )?\.\.\.F", results, re.MULTILINE)


@pytest.mark.slow
@pytest.mark.parametrize("options", [["-s"], ["-o", "log_cli=true", "--log-cli-level=INFO"]])
def test_nothing_is_drawn_where_a_test_may_write(options: list[str], tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(TESTS)
    assert "of 40 tests" not in on_a_terminal(options, tmp_path)


@pytest.mark.slow
def test_nothing_is_drawn_without_a_terminal(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(TESTS)
    done = subprocess.run([*PYTEST, "test_it.py"], cwd=tmp_path, capture_output=True, text=True, env=ALONE)
    assert (
        "1 failed" in done.stdout
        and "of 40 tests" not in done.stdout + done.stderr
        and "\x1b[" not in done.stdout + done.stderr
    )
