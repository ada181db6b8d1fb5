"""One cell of a table, measured in a process of its own: nothing that was made before is in its way, and it ends in time.

A cell that uses more CPU seconds than it may is stopped, so a table always comes to its end.
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
"""About what a new interpreter takes to import what it needs."""


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


def in_a_new_interpreter(module: str, call: str, limit: int) -> Any:
    """What an expression over the names of a module gives (plain data), in an interpreter of its own; None beyond ``limit``.

    Nothing that this process has made or imported is in its way, which a copy of this process would carry along.
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
