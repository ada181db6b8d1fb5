"""Where a failure comes from: tracebacks without our own frames, and what distinguishes two failures."""

from __future__ import annotations

import os
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any, TypeVar

from everycase.errors import EverycaseError
from everycase.gen.sources import OURS

E = TypeVar("E", bound=BaseException)

STANDARD_LIBRARY = str(Path(os.__file__).parent) + os.sep
#: Packages that run tests: users do not look for their own bugs there.
RUNNERS = frozenset({"_pytest", "pytest", "pluggy"})
#: The signals of alarms, where the system has them.
_ALARMS = [getattr(signal, name) for name in ("SIGALRM", "SIGVTALRM", "SIGPROF") if hasattr(signal, name)]
#: Maximum depth of nested exception groups to distinguish failures by.
DEEPEST_GROUP = 10
#: Files that are not files, made by code that writes code (dataclasses, attrs, the import system).
GENERATED = ("<string>", "<frozen ", "<attrs generated", "<__array_function__")


def trim(exception: E) -> E:
    """Remove the frames from a traceback that do not concern the user's code, and return the exception.

    Removed are the frames of everycase and of the test runner, wherever they are, and everything before the
    first frame of the user's code (an event loop, for example). Frames of libraries that the user's code
    calls stay. The exceptions it was raised from and those it groups are trimmed as well.

    >>> from everycase import gen
    >>> try:
    ...     gen.integers(5, 1)
    ... except ValueError as error:
    ...     trim(error).__traceback__.tb_next is None  # only this line, and not those inside everycase
    True
    """
    todo: list[BaseException] = [exception]
    seen: set[int] = set()
    while todo:
        error = todo.pop()
        if id(error) in seen:
            continue
        seen.add(id(error))
        BaseException.with_traceback(error, _trimmed(error))
        todo += [linked for linked in (_cause(error), _context(error)) if linked is not None]
        todo += _grouped(error)
    return exception


def is_raised_by(exception: BaseException, owner: object) -> bool:
    """Whether a method of this object raised it, or code of the user that it called, not something that we have called since."""
    own, frame = False, _traceback(exception)
    while frame is not None:
        if frame.tb_frame.f_code.co_filename.startswith(OURS):
            own = False
        elif frame.tb_frame.f_locals.get("self") is owner:
            own = True
        frame = frame.tb_next
    return own


def origin(exception: BaseException) -> tuple[str, str, int]:
    """What distinguishes failures: the type of the exception, and file and line of the innermost frame of the
    user's code.

    It is the same in every run, so it can be compared between runs. Without any frame of the user's code it
    is that of the library that raised, else an empty file and line 0.

    >>> try:
    ...     int("x")
    ... except ValueError as error:
    ...     origin(error)[0], origin(error)[2]
    ('ValueError', 2)
    """
    steps = [step for step in _steps(_traceback(exception)) if not _is_machinery(step.tb_frame)]
    users = [step for step in steps if is_users(step.tb_frame.f_code.co_filename)] or steps
    if not users:
        return _type_name(exception), "", 0
    step = users[-1]
    if issubclass(type(exception), RecursionError):
        # Where the stack ends depends on how deep it was to begin with; where it starts to repeat does not.
        calls = Counter(id(each.tb_frame.f_code) for each in users)
        step = next((each for each in users if calls[id(each.tb_frame.f_code)] > 1), step)
    return _type_name(exception), step.tb_frame.f_code.co_filename, step.tb_lineno or 0


def from_alarm(exception: BaseException) -> bool:
    """Whether an exception was raised by the handler of an alarm, such as a time limit for tests. The
    interrupted code might run forever."""
    handlers = [signal.getsignal(number) for number in _ALARMS]
    codes = {getattr(handler, "__code__", None) for handler in handlers} - {None}
    return bool(codes) and any(step.tb_frame.f_code in codes for step in _steps(_traceback(exception)))


def callers_line() -> tuple[str, int, dict[str, Any]]:
    """The file and line of the user's code that called everycase, and its globals, for warnings."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and _is_machinery(frame):
        frame = frame.f_back
    if frame is None:
        return "everycase", 0, {}
    return frame.f_code.co_filename, frame.f_lineno or 0, frame.f_globals


# A user's exception class may define these attributes itself, and raise. They are read directly.
_traceback: Any = BaseException.__dict__["__traceback__"].__get__
_cause: Any = BaseException.__dict__["__cause__"].__get__
_context: Any = BaseException.__dict__["__context__"].__get__


def _grouped(error: BaseException) -> tuple[BaseException, ...]:
    """The exceptions in a group; none if it is not one."""
    if not issubclass(type(error), BaseExceptionGroup):
        return ()
    found: tuple[BaseException, ...] = BaseExceptionGroup.__dict__["exceptions"].__get__(error)
    return found


def _type_name(exception: BaseException, depth: int = 0) -> str:
    """The qualified name; for a group with the types in it, since all groups may be raised at one line."""
    cls = type(exception)
    # Whatever its metaclass does.
    module, name = (type.__getattribute__(cls, each) for each in ("__module__", "__qualname__"))
    name = name if module == "builtins" else f"{module}.{name}"
    parts = _grouped(exception)
    if not parts:
        return name
    inside = {"..."} if depth == DEEPEST_GROUP else {_type_name(part, depth + 1) for part in parts}
    return f"{name}[{', '.join(sorted(inside))}]"


def _trimmed(error: BaseException) -> TracebackType | None:
    steps = list(_steps(_traceback(error)))
    kept = [step for step in steps if not _is_machinery(step.tb_frame)]
    files = [step.tb_frame.f_code.co_filename for step in kept]
    first = next((i for i, file in enumerate(files) if is_users(file)), 0)
    if not kept and not issubclass(type(error), EverycaseError):
        return steps[0] if steps else None  # something is wrong in everycase itself: do not hide where
    shown: TracebackType | None = None
    for step in reversed(kept[first:]):
        shown = TracebackType(shown, step.tb_frame, step.tb_lasti, step.tb_lineno)
    return shown


def _steps(traceback: TracebackType | None) -> Iterator[TracebackType]:
    while traceback is not None:
        yield traceback
        traceback = traceback.tb_next


def _is_machinery(frame: FrameType) -> bool:
    """Whether a frame is everycase's or a test runner's. (unittest marks its own modules with ``__unittest``.)"""
    if frame.f_code.co_filename.startswith(OURS):
        return True
    module = frame.f_globals.get("__name__")
    package = module.partition(".")[0] if isinstance(module, str) else ""
    return package in RUNNERS or "__unittest" in frame.f_globals


@lru_cache(maxsize=1024)
def is_users(file: str) -> bool:
    """Whether a file is the user's: neither installed, nor of the standard library, nor generated."""
    parts = file.replace("\\", "/").split("/")
    installed = "site-packages" in parts or "dist-packages" in parts
    return not (installed or file.startswith((*GENERATED, STANDARD_LIBRARY)))


#: How many more frames a simpler input has to fill, if the failure is that there are too many.
SPARE_FRAMES = 200


@contextmanager
def deeper(error: BaseException | None) -> Iterator[None]:
    """Inputs that recurse too deeply are shrunk with a higher limit: one that just fails would pass where the stack is
    not as deep as within the shrinker."""
    if not issubclass(type(error), RecursionError):  # an exception may refuse to be looked at
        yield
        return
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(limit + SPARE_FRAMES)
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
