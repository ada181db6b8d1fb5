"""Exceptions that a predicate catches by itself.

Code written in C may refuse what stands for an undecided number or list. An exception that leaves the predicate shows
that, and more of the value is decided; one that the predicate catches looks like an answer about the value. But it runs
through the same lines for every completion of the value: what is raised there only by a partial one is no answer.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from everycase.narrow.trail import Again, Dead
from everycase.narrow.trust.lint import is_library

#: What ends loops and searches, and what depends on how deep the stack was to begin with.
_NO_SIGN = (StopIteration, StopAsyncIteration, GeneratorExit, RecursionError, MemoryError, Dead, Again)


class Raised:
    """Which exceptions were raised in the user's code, and where, whoever has caught them."""

    def __init__(self) -> None:
        #: type, file, function and line, those raised first before others
        self.seen: dict[tuple[str, str, str, int], None] = {}

    @contextmanager
    def noted(self) -> Iterator[None]:
        """Note what is raised in here. (Slow: every call is looked at.)"""
        before = sys.gettrace()
        sys.settrace(self._trace)
        try:
            yield
        finally:
            sys.settrace(before)

    def _trace(self, frame: FrameType, event: str, arg: Any) -> Any:
        code = frame.f_code
        if event == "call":
            if is_library(code.co_filename, frame.f_globals.get("__name__")):
                return None
            frame.f_trace_lines = False
        elif event == "exception" and not issubclass(arg[0], _NO_SIGN):
            self.seen[arg[0].__name__, code.co_filename, code.co_name, frame.f_lineno or 0] = None
        return self._trace

    def beyond(self, other: Raised) -> str | None:
        """What was raised here and not there, in words."""
        for name, file, function, line in self.seen:
            if (name, file, function, line) not in other.seen:
                return f"{name} in {function} (line {line})"
        return None
