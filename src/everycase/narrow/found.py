"""The results of a search."""

from __future__ import annotations

from typing import Any

from everycase.choices.enact import replay
from everycase.choices.invert import trace_of
from everycase.choices.trace import Trace
from everycase.narrow.arguments import Arguments


class Found:
    """A value that satisfies the predicate. ``args`` are real objects; the trace is made on demand."""

    __slots__ = ("_arguments", "_trace", "args", "size")

    def __init__(self, args: tuple[Any, ...], size: int, arguments: Arguments) -> None:
        self.args = args
        self.size = size
        self._arguments: Arguments | None = arguments
        self._trace: Trace[Any] | None = None

    @property
    def value(self) -> Any:
        """The value, of a search with one argument."""
        return self.args[0]

    def trace(self) -> Trace[tuple[Any, ...]]:
        """The choices of all arguments. Cheap before the search continues; later they are found by inverting
        the value."""
        if self._trace is None:
            arguments = self._arguments
            assert arguments is not None
            if arguments.current is self:
                self._trace = replay(arguments.whole, arguments.choices())
            else:
                self._trace = trace_of(arguments.whole, self.args)
            self._arguments = None
        return self._trace

    def __repr__(self) -> str:
        return f"<Found {self.args!r} of size {self.size}>"
