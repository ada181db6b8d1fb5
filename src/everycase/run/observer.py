"""Whoever wants to know of every single test of a run: an observer. A run without one pays nothing.

The observer itself writes lines for other tools and counts what a page shows, so it lives in the room ``report``, above this
one; :func:`observer_of` is the one door to it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from everycase.explore.protocol import Case, Outcome
from everycase.run.host import current_host
from everycase.run.property import Property
from everycase.run.report import Report
from everycase.run.settings import Resolved


class Observer:
    """Sees every test. This one does not look."""

    #: whether anybody looks
    active = False

    def around(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """The test, seen each time it is called."""
        return call

    def proposed(self, case: Case, seconds: float) -> None:
        """This case, or batch of cases, is what is tested next; it took so long to make."""

    def enter(self, phase: str | None, how: str = "", blob: str | None = None) -> None:
        """What follows belongs to another part of the run; ``how`` says where its inputs come from, ``blob`` how to run
        the only one again."""

    def judged(self, outcome: Outcome) -> None:
        """What became of the test that was called last. One that is called next without this in between has passed."""

    def not_made(self) -> None:
        """A case was discarded before there was an input."""

    def finish(self, report: Report) -> None:
        """The run is over, and this is its report."""

    def close(self) -> None:
        """Nothing follows, whether the run came to its end or not."""


UNOBSERVED = Observer()


def observer_of(prop: Property, options: Resolved, signs: dict[str, int], root: Path | None) -> Observer:
    """The observer that the settings ask for. ``signs`` will say by label whether larger utilities are better."""
    if not (options.observe or options.statistics or current_host().counts_tests):
        return UNOBSERVED
    from everycase.report.observing import Watching

    return Watching(prop, options, signs, root)
