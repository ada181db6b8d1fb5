"""From indices to values and traces, without recursion: values may be nested deeper than Python's recursion
limit.

The same decoding (``split``) makes a value or the trace that ``enact`` would have recorded for it.
"""

from __future__ import annotations

from typing import Any

from everycase.choices.time_limit import look
from everycase.choices.trace import Trace
from everycase.enumeration.spaces.base import Space


def value_at(space: Space, i: int) -> Any:
    """The value with index ``i``: fast, unless it is very deep."""
    try:
        return space.at(i)
    except RecursionError:
        return decode(space, i, False)


def record_at(space: Space, i: int) -> Trace[Any]:
    """The trace of the value with index ``i``."""
    result: Trace[Any] = decode(space, i, True)
    return result


def decode(space: Space, i: int, recording: bool) -> Any:
    """The value, or the trace, with index ``i``: parts first, with an explicit stack."""
    done: list[Any] = []
    pending: list[tuple[Space, int, int]] = [(space, i, -1)]
    while pending:
        space, i, waiting = pending.pop()
        if waiting < 0:
            parts = space.split(i)
            if parts:
                pending.append((space, i, len(parts)))
                pending.extend((part, number, -1) for part, number in reversed(parts))
                continue
            waiting = 0
        first = len(done) - waiting
        below = done[first:]
        del done[first:]
        if recording:
            look()  # user code may make each part
        done.append(space.record(i, below) if recording else space.value(i, below))
    return done[0]
