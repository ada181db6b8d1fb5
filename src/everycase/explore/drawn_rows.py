"""Draws during the test, in rows: which were made before, and which lead to nothing new."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from everycase.choices.trace import Trace
from everycase.errors import Discarded
from everycase.explore.numbered import Counting
from everycase.gen.base import Gen
from everycase.gen.drawing import Data, DrawnFunction

#: How often a draw is made again that leads to nothing new.
REDRAWS = 16

#: A row leads to nothing new if its last draw has at most this many values and each of them was drawn.
FEW_DRAWS = 16

#: Maximum number of rows to remember.
MOST_ROWS = 20_000

#: Makes another value of a generator.
Again = Callable[[Gen[Any]], Trace[Any]]


class DrawnRows:
    """The rows of draws that tests have ended with, and those that are not worth going on from.

    What a test draws is known only while it runs (``data()``). When it has ended, the row of its draws is kept: a later test
    that draws the same row would be the same test, so its last draw is made again, larger or smaller. A row after which
    nothing new came in several tries is avoided in the same way, and so are, step by step, the draws that lead to it.
    """

    def __init__(self, counting: Counting) -> None:
        self._counting = counting
        self._ended: set[int] = set()
        #: by row: how many rows that are one draw longer have ended
        self._below: dict[int, int] = {}
        #: the row of the test that runs; the row before its last draw, and what that was drawn from
        self._row: int | None = None
        self._step: tuple[int, Gen[Any]] | None = None

    def watch(self, trace: Trace[Any], again: Again) -> None:
        """Look at the draws of an input that is about to be tested, and make those again that lead to nothing new."""
        self._conclude()
        live = [
            node
            for node in trace.children
            if node is not None and isinstance(node.value, Data | DrawnFunction)
        ]
        if len(live) != 1:
            return  # nothing is drawn, or it is not known in which order
        self._row = _choices_of(trace)
        source = live[0].value
        source._draw = self._watched(source._draw, live[0].children, again)

    def _conclude(self) -> None:
        """The test has ended: with its row, and perhaps with the last row that had other draws left."""
        if self._row is not None and self._row not in self._ended:
            self._end(self._row)
            if self._step is not None:
                before, gen = self._step
                below = self._below[before] = self._below.get(before, 0) + 1
                if 1 < below <= FEW_DRAWS and self._counting.fits(gen, below):
                    self._end(before)
        self._row = self._step = None

    def is_worn(self, trace: Trace[Any]) -> bool:
        """Whether the arguments that are not drawn during the test lead to nothing new."""
        return len(trace.children) > 1 and bool(self._ended) and _choices_of(trace) in self._ended

    def _watched(self, draw: Callable[..., Any], drawn: Any, again: Again) -> Callable[..., Any]:
        def watched(source: Any, label: str | None = None) -> Any:
            before, place = self._row, len(drawn)
            value = draw(source, label)
            if before is None or len(drawn) != place + 1:
                self._row = self._step = None  # draws inside of draws
                return value
            row = hash((before, _choices_of(drawn[place])))
            if row in self._ended:
                row = self._made_again(before, drawn, again) or row
            self._row, self._step = row, (before, drawn[place].gen)
            return drawn[place].value

        return watched

    def _made_again(self, before: int, drawn: Any, again: Again) -> int | None:
        """Replace the last draw by one that leads to something new: the row that it leads to. None if none was found."""
        for _ in range(REDRAWS):
            with suppress(Discarded, RecursionError):
                other = again(drawn[-1].gen)
                row = hash((before, _choices_of(other)))
                if row not in self._ended:
                    drawn[-1] = other
                    return row
        self._end(before)
        return None

    def _end(self, row: int) -> None:
        if len(self._ended) < MOST_ROWS:
            self._ended.add(row)


def _choices_of(trace: Trace[Any]) -> int:
    """What only the same choices have, but for an unlikely accident."""
    found: list[Any] = []
    pending: list[Trace[Any] | None] = [trace]
    while pending:
        node = pending.pop()
        if node is not None:
            choice = node.choice
            # Floats that are equal may be different: 0.0 and -0.0.
            found += (repr(choice) if type(choice) is float else choice, len(node.children))
            pending += node.children
    return hash(tuple(found))
