"""Testing every value."""

from __future__ import annotations

from collections.abc import Generator

from everycase.enumeration import cardinality, iterate, trace_at
from everycase.errors import NotCountable
from everycase.explore.base import Case, Explorer, Outcome, Space


class Exhaustive(Explorer):
    """Every value, simplest first, until there is none left or the budget ends.

    Generators that count are walked by index; the choices of others (composites, filters) are walked one by one.
    """

    def explore(self, space: Space) -> Generator[Case, Outcome, None]:
        try:
            total = cardinality(space.gen)
        except NotCountable:
            yield from self._walk(space)
            return
        done = 0
        space.covered = lambda: f"{done:,} of {total:,}"
        for args in iterate(space.gen):
            yield Case(args, lambda i=done: trace_at(space.gen, i))  # type: ignore[misc]
            done += 1
        space.exhausted = True

    def _walk(self, space: Space) -> Generator[Case, Outcome, None]:
        from everycase.enumeration.walk import walk  # type: ignore[import-not-found, unused-ignore]

        for trace in walk(space.gen):
            yield Case(trace.value, trace)
        space.exhausted = True
