"""Many processes on one store: every failure is remembered."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

CHILD = """
import sys, warnings
from everycase import check, gen
worker, count = int(sys.argv[1]), int(sys.argv[2])
sys.stdin.readline()
for i in range(count):
    def test(n):
        assert n < 10
    test.__qualname__ = f"test_{worker}_{i}"
    check(test, gen.integers(0, 1000), seed=i)
"""

COUNT = """
import sys
from everycase import check, gen
from everycase.run.settings import Phase
lost = 0
for worker in range(int(sys.argv[1])):
    for i in range(int(sys.argv[2])):
        seen = []
        def test(n):
            seen.append(n)
        test.__qualname__ = f"test_{worker}_{i}"
        check(test, gen.integers(0, 1000), phases=[Phase.reuse])
        lost += not seen
print(lost)
"""

WORKERS = 8


def trial(count: int, seed: int) -> list[str]:
    """The failures that were lost."""
    each = -(-count // WORKERS)
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "EVERYCASE_DATABASE": str(Path(folder) / "store")}
        workers = [
            subprocess.Popen(
                [sys.executable, "-W", "ignore", "-c", CHILD, str(worker), str(each)],
                env=environment,
                stdin=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
            for worker in range(WORKERS)
        ]
        for worker in workers:
            assert worker.stdin is not None
            worker.stdin.write(b"go\n")
            worker.stdin.flush()
        errors = [worker.communicate()[1].decode() for worker in workers]
        counted = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", COUNT, str(WORKERS), str(each)],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
    return [f"lost {counted.stdout.strip()}"] * int(counted.stdout) + [error for error in errors if error]
