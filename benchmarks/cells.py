"""One cell of a table, measured in a process of its own: nothing that was made before is in its way, and it ends in time.

A cell that uses more CPU seconds than it may is stopped, so a table always comes to its end.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any


def in_a_child(work: Callable[[], Any], limit: int) -> Any:
    """What ``work`` returns (plain data), made in a copy of this process; None if that took more than ``limit`` seconds.

    Whatever else goes wrong there is an error here.
    """
    sys.stdout.flush()
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        status = 1
        try:
            result = json.dumps(work())
            with os.fdopen(writing, "w") as pipe:
                pipe.write(result)
            status = 0
        finally:
            os._exit(status)
    os.close(writing)
    # From outside: a limit that the operating system watches makes the clock of the child too coarse to measure with.
    while not select.select([reading], [], [], 0.2)[0]:
        if _used(child) > limit:
            os.kill(child, signal.SIGKILL)
            break
    with os.fdopen(reading) as pipe:
        text = pipe.read()
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
        return None
    if status:
        raise RuntimeError("a cell of the table failed; run what it does by itself to see why")
    return json.loads(text)


def _used(child: int) -> float:
    """CPU seconds that a process has used."""
    fields = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def timed(work: Callable[[], int], limit: int) -> tuple[float, int] | None:
    """CPU seconds, and what came out; None if it did not end in time."""

    def run() -> tuple[float, int]:
        started = time.process_time()
        result = work()
        return time.process_time() - started, result

    found = in_a_child(run, limit)
    return None if found is None else (found[0], found[1])
