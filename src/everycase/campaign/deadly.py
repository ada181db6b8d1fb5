"""Shrinks inputs that kill their process: each candidate is tested in a separate process, a fork of this
one."""

from __future__ import annotations

import os
import select
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

from everycase.choices.enact import replay
from everycase.choices.shrink.shrinker import shrink
from everycase.choices.trace import Trace
from everycase.gen.base import Gen
from everycase.gen.kinds import Live

#: The budget of one input: the number of processes, and seconds.
MOST_CALLS = 500
SECONDS = 30.0


#: The last message of a process, unless it dies.
SURVIVED = "\1"


class Death(NamedTuple):
    """How a process died, as in subprocess, and its last message; a code of None if it did not die in
    time."""

    code: int | None
    said: str


def forked(work: Callable[[Callable[[str], None]], object], limit: float) -> Death:
    """Run something in a fork of this process; it gets a function to send a message."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(reading)
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_REAL, limit + 1)  # it must not outlive this process for long
            work(lambda text: _say(writing, text))
            _say(writing, SURVIVED)
        finally:
            os._exit(0)
    os.close(writing)
    try:
        said = _read(reading, time.monotonic() + limit)
        if said is None:
            os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
    finally:
        os.close(reading)
    if said is None or said == SURVIVED:
        return Death(None, "")
    return Death(os.waitstatus_to_exitcode(status), said)


def _say(pipe: int, text: str) -> None:
    os.write(pipe, text.encode("utf-8", "replace") + b"\0")


def _read(pipe: int, end: float) -> str | None:
    """The last text that comes out of a pipe until it is closed; None if that takes too long."""
    data = b""
    while True:
        if not select.select([pipe], [], [], max(0.0, end - time.monotonic()))[0]:
            return None
        part = os.read(pipe, 1 << 16)
        if not part:
            return data.rstrip(b"\0").rpartition(b"\0")[2].decode("utf-8", "replace")
        data += part


class Reduced(NamedTuple):
    """A deadly input after shrinking, and the last message of its process."""

    trace: Trace[Any]
    said: str


def reduce(
    gen: Gen[Any],
    recorded: Trace[Any],
    code: int,
    run: Callable[[Any, Callable[[str], None]], object],
    limit: float,
) -> Reduced | None:
    """The simplest input found whose process ends with the same code; None if this one's does not. ``run`` runs the test."""
    trace = replay(gen, recorded)
    said = ""

    def dies(candidate: Trace[Any]) -> bool:
        nonlocal said
        death = forked(lambda say: run(candidate.value, say), limit)
        if death.code == code:
            said = death.said
        return death.code == code

    if not dies(trace):
        return None
    drawing = [path for path, node in trace.walk() if isinstance(node.gen, Live)]
    if drawing:
        # Only the process that dies knows what such a test draws.
        found = _without_parts(gen, recorded, drawing, dies, time.monotonic() + SECONDS)
    else:
        found = shrink(trace, dies, max_calls=MOST_CALLS, max_seconds=SECONDS).trace
    return Reduced(found, said)


def _without_parts(
    gen: Gen[Any],
    best: Trace[Any],
    drawing: list[tuple[int, ...]],
    dies: Callable[[Trace[Any]], bool],
    end: float,
) -> Trace[Any]:
    """Remove things that are drawn while the test runs (steps, draws): half of them, a quarter, and so on."""
    for path in drawing:
        node = best.at(path)
        children = [] if node is None else list(node.children)
        size = len(children)
        while size:
            place = 0
            while place < len(children) and time.monotonic() < end:
                fewer = children[:place] + children[place + size :]
                assert node is not None
                edited = best.replace(path, node.with_children(fewer))
                with suppress(Exception):
                    if dies(replay(gen, edited)):
                        best, children = edited, fewer
                        continue
                place += size
            size //= 2
    return best


def can_fork() -> bool:
    """Whether this system supports it."""
    return hasattr(os, "fork") and hasattr(select, "select") and hasattr(signal, "setitimer")
