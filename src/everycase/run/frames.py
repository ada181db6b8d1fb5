"""Where a failure comes from."""

from __future__ import annotations

from typing import TypeVar

E = TypeVar("E", bound=BaseException)


def trim(error: E) -> E:
    return error


def origin(error: BaseException) -> tuple[str, str, int]:
    frame = error.__traceback__
    while frame is not None and frame.tb_next is not None:
        frame = frame.tb_next
    where = (frame.tb_frame.f_code.co_filename, frame.tb_lineno) if frame is not None else ("", 0)
    return (type(error).__qualname__, *where)
