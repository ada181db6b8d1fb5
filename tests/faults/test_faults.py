"""Injected faults: a few of each kind here, many with ``python tests/faults/run.py TRIAL COUNT``."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import everycase

COUNTS = {
    "kill": 10,
    "concurrent_stores": 40,
    "damaged_stores": 5,
    "blobs": 300,
    "settings_at_random": 40,
    "interrupts": 8,
    "impure": 20,
    "impure_campaigns": 12,
}


@pytest.mark.slow
@pytest.mark.parametrize("trial", COUNTS)
def test_no_fault_does_harm(trial: str) -> None:
    environment = {**os.environ, "PYTHONPATH": str(Path(everycase.__file__).parents[1])}
    environment.pop("EVERYCASE_DATABASE", None)
    script = Path(__file__).parent / "run.py"
    done = subprocess.run(
        [sys.executable, str(script), trial, str(COUNTS[trial])],
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
