"""How long a function takes in a process of its own, without the time for which it waits for a processor."""

from __future__ import annotations

import os
import select
import signal
import time
import warnings
from collections.abc import Callable
from pathlib import Path

from everycase import errors

#: A process is killed after this many times its limit.
MOST = 12


def waited_for_processor(process: int | str = "self") -> float:
    """Seconds for which the main thread of a process could have run but did not."""
    return int(Path(f"/proc/{process}/schedstat").read_text().split()[1]) / 1e9


def measured(
    cell: Callable[[], object], limit: float, begins: list[Callable[[], None]]
) -> tuple[float, str | None]:
    """The seconds that a function took, and any error that is not an everycase error.

    What it appends to ``begins`` is called when the part that counts begins, if that is not its beginning.
    """
    reader, writer = os.pipe()
    process = os.fork()
    if not process:
        _in_child(cell, writer, begins)
    os.close(writer)
    said = b""
    end = time.monotonic() + MOST * limit + 10
    with os.fdopen(reader, "rb", buffering=0) as pipe:
        while time.monotonic() < end and select.select([pipe], [], [], end - time.monotonic())[0]:
            part = pipe.read(4096)
            if not part:
                break
            said += part
        else:
            os.kill(process, signal.SIGKILL)
    _, status = os.waitpid(process, 0)
    seconds, _, raised = said.decode(errors="replace").partition(" ")
    if not seconds:
        code = os.waitstatus_to_exitcode(status)
        return MOST * limit, None if code == -signal.SIGKILL else f"ended with {code}"
    return float(seconds), raised or None


def _in_child(cell: Callable[[], object], writer: int, begins: list[Callable[[], None]]) -> None:
    raised = ""
    began = [0.0]

    def now() -> float:
        return time.monotonic() - waited_for_processor()

    def begin() -> None:
        began[0] = now()

    begins.append(begin)
    try:
        warnings.simplefilter("ignore")
        begin()
        cell()
    except (errors.EverycaseError, AssertionError):
        pass
    except BaseException as problem:
        if not isinstance(problem, Exception) or not getattr(problem, "__notes__", None):
            raised = f"{type(problem).__name__}: {str(problem)[:200]}"
    finally:
        os.write(writer, f"{now() - began[0]:.3f} {raised}".encode())
        os._exit(0)
