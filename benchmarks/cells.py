"""Measure one cell of a table in its own process, so that earlier work cannot affect it.

A cell that exceeds its CPU limit is stopped, so every table finishes.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

IMPORT_SECONDS = 1
"""Roughly how long a new interpreter takes for its imports."""


def in_a_child(work: Callable[[], Any], limit: int) -> Any:
    """The result of ``work`` (plain data), computed in a fork of this process; None if it takes more than ``limit`` seconds.

    Any other failure in the fork raises an error here.
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
    # From outside: a limit enforced by the operating system makes the child's clock too coarse for measuring.
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
        raise RuntimeError("a cell of the table failed; run its work on its own to see why")
    return json.loads(text)


def in_a_new_interpreter(module: str, call: str, limit: int) -> Any:
    """Evaluate an expression over the names of a module (to plain data) in a new interpreter; None beyond ``limit``.

    Unlike a fork, it does not carry along anything that this process has made or imported.
    """
    code = (
        f"import sys, json; sys.path[:0] = {sys.path!r}; sys.argv = {sys.argv!r}\n"
        f"import {module}\nprint(json.dumps(eval({call!r}, vars({module}))))"
    )
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    while not select.select([child.stdout], [], [], 0.2)[0]:
        if _used(child.pid) > limit + IMPORT_SECONDS:
            child.kill()
            break
    text = child.stdout.read()
    status = child.wait()
    if status == -signal.SIGKILL:
        return None
    if status:
        raise RuntimeError(f"a cell of the table failed: {call}")
    return json.loads(text)


def _used(child: int) -> float:
    """CPU seconds that a process has used."""
    fields = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
