"""The process that runs tests: ``python -m everycase.campaign.child``.

It reads requests from its standard input and answers on its standard output, a JSON line each; what tests print goes
nowhere. It ends when its input does, which is when the process that started it ends, however that happens.
"""

from __future__ import annotations

import faulthandler
import io
import json
import os
import queue
import socket
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

#: A process that nobody asks for anything ends after this many seconds.
IDLE = 10.0
#: So many seconds it has for tearing down what tests have set up.
PARTING = 5.0


class Line:
    """The two ends of the pipe to whoever started this process."""

    def __init__(self) -> None:
        self._out = os.fdopen(os.dup(1), "w", encoding="utf-8")
        nowhere = os.open(os.devnull, os.O_RDWR)
        os.dup2(nowhere, 1)
        self._in = os.fdopen(os.dup(0), "r", encoding="utf-8")
        os.dup2(nowhere, 0)
        sys.stdout = io.TextIOWrapper(io.FileIO(os.dup(nowhere), "w"), write_through=True)
        self._requests: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._busy = True
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for text in self._in:
            self._requests.put(json.loads(text))
        # Whoever started this is gone, and with it anybody who would take an answer. One that is waiting tears its fixtures down.
        if not self._busy:
            self._requests.put(None)
            time.sleep(PARTING)
        os._exit(0)

    def next(self) -> Any:
        """The next request; None if none came for long, or none will come any more."""
        self._busy = False
        try:
            return self._requests.get(timeout=IDLE)
        except queue.Empty:
            return None
        finally:
            self._busy = True

    def answer(self, data: dict[str, Any]) -> None:
        self._out.write(json.dumps(data) + "\n")
        self._out.flush()


def main() -> None:
    line = Line()
    setup = line.next()
    if setup is None:
        return
    sys.path[:] = list(dict.fromkeys([*setup["path"], *sys.path]))
    _limit_memory(setup.get("max_memory"))
    from everycase.campaign.serving import Server
    from everycase.errors import EverycaseError

    try:
        Server(line, setup).serve()
    except EverycaseError as problem:
        line.answer({"error": str(problem)})
    finally:
        with suppress(OSError):  # whoever would read it may be gone
            line._out.flush()
        os._exit(0)  # threads that tests have left behind must not keep it


def _limit_memory(megabytes: int | None) -> None:
    """Bound the memory of this process, where the system can."""
    if megabytes is None:
        return
    try:
        import resource
    except ImportError:  # Windows
        return
    resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))


def worker_name() -> str:
    """This process, as a log names it."""
    return f"{socket.gethostname().split('.')[0]}:{os.getpid()}"


def timed(work: Callable[[], dict[str, Any]], limit: float | None) -> dict[str, Any]:
    """The result of some work, with what it took. A process that cannot be reached (it is in a loop of a C function, say, and
    its starter is gone) ends some time after the limit."""
    if limit is not None:
        faulthandler.dump_traceback_later(limit + 30, exit=True, file=2)
    cpu, clock = time.process_time(), time.perf_counter()
    try:
        result = work()
    finally:
        faulthandler.cancel_dump_traceback_later()
    return {
        **result,
        "cpu": round(time.process_time() - cpu, 4),
        "seconds": round(time.perf_counter() - clock, 4),
        "worker": worker_name(),
    }


if __name__ == "__main__":
    main()
