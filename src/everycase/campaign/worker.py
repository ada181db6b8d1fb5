"""The worker's side of a campaign: a function that any executor can run, and the process in which the tests
run.

Tests never run in the worker's own process. So an input that kills its process kills nothing else, on threads
of the starter as on the workers of a cluster; the death is an ordinary result; and a lease that takes too
long can be ended.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from everycase.campaign.marks import Mark

#: The message of a process when it begins to test.
BEGUN = '{"begun": true}\n'

#: Time limit for processes to end, in seconds.
PARTING = 3.0

#: Processes that wait for work, by campaign. They end by themselves when this process does.
_idle: dict[str, list[Child]] = {}
_all: dict[str, set[Child]] = {}
#: Campaigns that have ended here: a late lease of theirs does not start a process.
_over: set[str] = set()
_lock = threading.Lock()


class Lost(Exception):
    """The process is gone: ``why`` in words, ``code`` as in subprocess."""

    def __init__(self, why: str, code: int | None, *, limit: bool = False, begun: bool = True) -> None:
        super().__init__(why)
        self.why, self.code, self.limit, self.begun = why, code, limit, begun


class Child:
    """A process that runs tests."""

    def __init__(self, setup: dict[str, Any]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "everycase.campaign.child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=setup.get("cwd") if Path(setup.get("cwd") or ".").is_dir() else None,
            text=True,
            encoding="utf-8",
            start_new_session=True,  # ctrl-C is for the starter, which ends in its own way
            env={**os.environ, "PYTHONPATH": os.pathsep.join(_path_for(setup))},
        )
        self.used = False
        self._killed_for: str | None = None
        with suppress(OSError):  # noticed at the next request
            self._send(setup)

    def ask(self, request: dict[str, Any], limit: float | None) -> dict[str, Any]:
        """The answer to a request; :class:`Lost` if there is none. The limit starts when the test begins,
        after importing it."""
        begun = False
        try:
            self._send(request)
            assert self._process.stdout is not None
            text = self._process.stdout.readline()
            if text == BEGUN:
                begun = True
                timer = None if limit is None else threading.Timer(limit, self._end_for_time, (limit,))
                if timer is not None:
                    timer.daemon = True
                    timer.start()
                text = self._process.stdout.readline()
                if timer is not None:
                    timer.cancel()
        except OSError:
            text = ""
        self.used = True
        if not text.endswith("\n"):
            code = self._ended()
            if self._killed_for is not None:
                raise Lost(self._killed_for, code, limit=True)
            raise Lost(in_words(code), code, begun=begun)
        answer: dict[str, Any] = json.loads(text)
        return answer

    def _send(self, data: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(data) + "\n")
        self._process.stdin.flush()

    def _end_for_time(self, limit: float) -> None:
        self._killed_for = f"it took longer than {limit:g} s"
        self._process.kill()

    def _ended(self) -> int:
        try:
            return self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()

    @property
    def pid(self) -> int:
        return self._process.pid

    def dismiss(self) -> None:
        """Let it end: at once if it is testing, else as soon as it has torn down its fixtures."""
        with suppress(OSError):
            if self._process.stdin is not None:
                self._process.stdin.close()

    def kill(self, after: float = 0) -> None:
        """End it, after some seconds if it has not ended by then."""
        if after > 0:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(after)
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                if pipe is not None:
                    pipe.close()


def _path_for(setup: dict[str, Any]) -> list[str]:
    """Where the process finds everycase itself; the rest of the path comes with the setup."""
    here = str(Path(__file__).parent.parent.parent)
    known = [place for place in os.environ.get("PYTHONPATH", "").split(os.pathsep) if place]
    return [here, *known]


def in_words(code: int | None) -> str:
    """How a process ended.

    >>> in_words(-11), in_words(3)
    ('signal 11 (SIGSEGV)', 'exit code 3')
    """
    if code is None:
        return "an unknown cause"
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"signal {-code} ({signal.Signals(-code).name})"
    except ValueError:
        return f"signal {-code}"


def perform(setup: dict[str, Any], request: dict[str, Any]) -> dict[str, Any]:
    """Let a process test a lease: its result, or ``{"lost": why, ...}`` if the process died."""
    careful = request.get("careful")
    marks = tempfile.mkdtemp(prefix="everycase-") if careful else None
    if marks is not None:
        request = {**request, "mark": str(Path(marks) / "mark")}
    try:
        answer = _ask(setup, request)
    except Lost as lost:
        answer = {"lost": lost.why, "code": lost.code, "limit": lost.limit, "begun": lost.begun}
        if marks is not None:
            at, what = Mark.read(Path(marks) / "mark")
            answer |= {"at": None if at is None else [str(at[0]), at[1]], "input": what}
    finally:
        if marks is not None:
            shutil.rmtree(marks, ignore_errors=True)
    return answer


def _ask(setup: dict[str, Any], request: dict[str, Any]) -> dict[str, Any]:
    child = _take(setup, fresh=bool(request.get("careful")))
    waited = child.used
    try:
        answer = child.ask(request, request.get("limit"))
    except Lost as lost:
        _forget(setup, child)
        if waited and not lost.begun and lost.code == 0:  # it had waited for long, and was just ending
            return _ask(setup, request)
        raise
    with _lock:
        _idle.setdefault(setup["run"], []).append(child)
    return answer


def _take(setup: dict[str, Any], *, fresh: bool) -> Child:
    """A process that waits for work, or a new one: ``fresh`` if no test may have run in it before."""
    run = setup["run"]
    with _lock:
        waiting = _idle.setdefault(run, [])
        child = waiting.pop() if waiting else None
    if child is not None and (child._process.poll() is not None or (fresh and child.used)):
        _forget(setup, child)
        child = None
    if child is None:
        child = Child(setup)
        with _lock:
            over = run in _over
            if not over:
                _all.setdefault(run, set()).add(child)
        if over:
            child.kill()
            raise Lost("the campaign has ended", None, begun=False)
    return child


def _forget(setup: dict[str, Any], child: Child) -> None:
    with _lock:
        _all.get(setup["run"], set()).discard(child)
    child.kill()


def end_all(run: str) -> None:
    """End the processes of a campaign in this process."""
    with _lock:
        _over.add(run)
        children = _all.pop(run, set())
        _idle.pop(run, None)
    for child in children:
        child.dismiss()
    end = time.monotonic() + PARTING
    for child in children:
        child.kill(end - time.monotonic())


def leave(run: str) -> None:
    """End the processes of a campaign in whichever process of an executor runs this; then wait, so that the
    others get a turn."""
    end_all(run)
    time.sleep(0.05)
