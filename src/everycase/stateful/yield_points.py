"""Yield points: before each bytecode instruction of the user's code, another thread may continue.

On Python 3.12 and later they are events of ``sys.monitoring``, before that of ``sys.settrace``, which is
slower and leaves no room for a debugger.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType
from typing import Any

from everycase.gen.sources import OURS
from everycase.run.frames import is_users

Reached = Callable[[], None]


def _has_yield_points(code: CodeType) -> bool:
    file = code.co_filename
    return not file.startswith(OURS) and is_users(file)


@contextmanager
def yield_points(reached: Reached) -> Iterator[None]:
    """In this thread ``reached`` is called at every yield point of the code inside."""
    with _MONITORED.of_this_thread(reached) if _MONITORED is not None else _traced(reached):
        yield


@contextmanager
def _traced(reached: Reached) -> Iterator[None]:
    def on_instruction(frame: Any, event: str, arg: Any) -> Any:
        if event == "opcode":
            reached()
        return on_instruction

    def on_call(frame: Any, event: str, arg: Any) -> Any:
        if not _has_yield_points(frame.f_code):
            return None
        frame.f_trace_opcodes = True
        frame.f_trace_lines = False
        return on_instruction

    before = sys.gettrace()
    sys.settrace(on_call)
    try:
        yield
    finally:
        sys.settrace(before)


class Monitored:
    """Yield points by ``sys.monitoring``, whose events come from all threads of the process."""

    def __init__(self, monitoring: Any) -> None:
        self._monitoring = monitoring
        self._guard = threading.Lock()
        self._here = threading.local()
        #: how many threads have yield points, and the number of our tool while there are any
        self._threads = 0
        self._tool: int | None = None
        self._codes: dict[CodeType, bool] = {}

    @contextmanager
    def of_this_thread(self, reached: Reached) -> Iterator[None]:
        with self._guard:
            self._threads += 1
            if self._threads == 1:
                self._tool = self._begin()
        try:
            if self._tool is None:  # all tool ids are taken
                with _traced(reached):
                    yield
                return
            self._here.reached = reached
            try:
                yield
            finally:
                self._here.reached = None
        finally:
            with self._guard:
                self._threads -= 1
                if not self._threads and self._tool is not None:
                    self._end(self._tool)
                    self._tool = None

    def _begin(self) -> int | None:
        monitoring = self._monitoring
        # The ids with a meaning (debugger, coverage, profiler, optimizer) come last.
        for tool in (3, 4, 2, 0, 1, 5):
            if monitoring.get_tool(tool) is None:
                monitoring.use_tool_id(tool, "everycase")
                events = monitoring.events
                monitoring.register_callback(tool, events.PY_START, self._on_start)
                monitoring.register_callback(tool, events.INSTRUCTION, self._on_instruction)
                monitoring.set_events(tool, events.PY_START)
                return tool
        return None

    def _end(self, tool: int) -> None:
        monitoring = self._monitoring
        monitoring.set_events(tool, 0)
        for code, is_watched in self._codes.items():
            if is_watched:
                monitoring.set_local_events(tool, code, 0)
        self._codes.clear()
        monitoring.free_tool_id(tool)

    def _on_start(self, code: CodeType, offset: int) -> None:
        if code not in self._codes:
            self._codes[code] = watched = _has_yield_points(code)
            if watched:
                self._monitoring.set_local_events(self._tool, code, self._monitoring.events.INSTRUCTION)

    def _on_instruction(self, code: CodeType, offset: int) -> None:
        reached = getattr(self._here, "reached", None)
        if reached is not None:
            reached()


_MONITORED = Monitored(sys.monitoring) if hasattr(sys, "monitoring") else None
