"""The observer of every single test of a run. A run without one pays nothing.

The observer that writes lines for other tools and counts the figures of a page is in the package ``report``,
above this one; :func:`observer_of` is the only access to it.
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

#: How an input was made, as observers are told and as their lines say it: an input that the user gave, the shrunk one.
EXPLICIT = "explicit example"
MINIMAL = "minimal failing test case"


class Observer:
    """Sees every test. This one ignores them."""

    #: whether it observes anything
    active = False

    def around(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """The test, seen each time it is called."""
        return call

    def proposed(self, case: Case, seconds: float) -> None:
        """This case, or batch of cases, is tested next; making it took this long."""

    def enter(self, phase: str | None, how: str = "", blob: str | None = None) -> None:
        """A new part of the run begins; ``how`` says where its inputs come from, ``blob`` how to run the only
        one again."""

    def ended(self, outcome: Outcome) -> None:
        """The outcome of the test that was called last. If the next test is called without this in between,
        it passed."""

    def not_made(self) -> None:
        """A case was discarded before there was an input."""

    def finish(self, report: Report) -> None:
        """The run is over, and this is its report."""

    def close(self) -> None:
        """Nothing follows, whether or not the run was completed."""


UNOBSERVED = Observer()


def observer_of(prop: Property, options: Resolved, signs: dict[str, int], root: Path | None) -> Observer:
    """The observer that the settings ask for. ``signs`` will say by label whether larger utilities are better."""
    if not (options.observe or options.statistics or current_host().counts_tests):
        return UNOBSERVED
    from everycase.run.observing.watching import Watching

    return Watching(prop, options, signs, root)
