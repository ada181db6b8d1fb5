"""Every program in examples/ runs as a program, and its tests pass under pytest."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PROGRAMS = sorted((ROOT / "examples").glob("*.py"))

#: what each program must print; it must also end without an error
PRINTS = {
    "free_slots.py": "booked 8-9, 9-10, 10-11, 11-12; offered 8-10, 12-18",
    "interval_merge.py": "keeps_the_points_without_max(some=[(0, 2), (1, 1)])",
    "json_roundtrip.py": "keys_stay_what_they_are(value={0: None})",
    "leap_years.py": "passed, exhaustive: 4,000 of 4,000",
    "tcas.py": "0..1000, radix           2     1,001",
}


#: Fewer tests, fewer random baselines or less time than the programs make by default: every line of their tables is still computed.
FEWER = {
    "free_slots.py": ["0.2"],
    "noninterference.py": ["1", "30"],
    "spells.py": ["1", "100"],
    "mac_duty_cycle.py": ["1", "50"],
    "tcas.py": ["--seeds", "1"],
}


def run(*command: str, cwd: Path) -> str:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "EVERYCASE_DATABASE": "none"}
    done = subprocess.run(
        [sys.executable, *command], cwd=cwd, env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_it_runs_as_a_program(program: Path, tmp_path: Path) -> None:
    assert PRINTS.get(program.name, "") in run(str(program), *FEWER.get(program.name, []), cwd=tmp_path)


def test_their_tests_pass(tmp_path: Path) -> None:
    # One process for all: starting pytest with its plugins takes longer than the tests.
    programs = [str(p) for p in PROGRAMS if "def test_" in p.read_text(encoding="utf-8")]
    assert programs
    without = [
        word for name in ("cacheprovider", "hypothesispytest", "anyio") for word in ("-p", f"no:{name}")
    ]
    run("-m", "pytest", "-q", *without, "--rootdir", str(tmp_path), *programs, cwd=tmp_path)
