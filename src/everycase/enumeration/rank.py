"""From traces to their indices: the inverse of decoding."""

from __future__ import annotations

from typing import Any

from everycase.choices.trace import Trace, sizes
from everycase.enumeration.spaces.base import Ranking, Space


def rank(space: Space, trace: Trace[Any]) -> int:
    """The index of a trace in a space."""
    by_id = sizes(trace)

    def size(node: Trace[Any]) -> int:
        return by_id[id(node)]

    stack: list[Ranking] = [space.rank(trace, size)]
    answer: Any = None
    while stack:
        try:
            below, node = stack[-1].send(answer)
        except StopIteration as finished:
            stack.pop()
            answer = finished.value
            continue
        stack.append(below.rank(node, size))
        answer = None
    result: int = answer
    return result
