"""What type checkers report to users: mypy and pyright."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import everycase

HERE = Path(__file__).parent
SOURCE = Path(everycase.__file__).parents[1]


def mypy(file: str, cache: Path) -> list[str]:
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--config-file=",
        "--follow-imports=silent",  # users see what is wrong in their own files, not in the library
        f"--cache-dir={cache}",
        str(HERE / file),
    ]
    done = subprocess.run(command, env={"MYPYPATH": str(SOURCE), "PATH": ""}, capture_output=True, text=True)
    return [line for line in done.stdout.splitlines() if ": error:" in line]


@pytest.mark.slow
def test_mypy_agrees_with_the_types_and_sees_the_mistakes(tmp_path: Path) -> None:
    assert mypy("program.py", tmp_path) == []
    seen = {int(line.split(":")[1]) for line in mypy("wrong.py", tmp_path)}
    assert seen >= mistakes()


@pytest.mark.slow
def test_pyright_agrees_with_the_types_and_sees_the_mistakes() -> None:
    files = [str(HERE / "program.py"), str(HERE / "wrong.py")]
    # The distribution of pyright that brings its own Node.
    command = [sys.executable, "-m", "basedpyright", "--outputjson", "--pythonpath", sys.executable, *files]
    done = subprocess.run(command, capture_output=True, text=True)
    found = json.loads(done.stdout)["generalDiagnostics"]
    errors = [
        (Path(each["file"]).name, each["range"]["start"]["line"] + 1, each["message"])
        for each in found
        if each["severity"] == "error"
    ]
    assert [each for each in errors if each[0] == "program.py"] == []
    assert {line for file, line, _ in errors if file == "wrong.py"} >= mistakes()


def mistakes() -> set[int]:
    lines = (HERE / "wrong.py").read_text().splitlines()
    return {number for number, line in enumerate(lines, 1) if re.match(r"(st|gen|settings)\b.*\(", line)}
