"""Every exception that everycase raises on purpose, under one base class.

Catch :class:`EverycaseError` to catch them all. Each class stands for one kind of mistake or one kind of
verdict, so that tests and tools can tell them apart without reading the message.
"""

from __future__ import annotations

from collections.abc import Sequence


class EverycaseError(Exception):
    """Base of all exceptions raised by everycase."""


class InvalidArgument(EverycaseError, ValueError):
    """A call got an argument that makes no sense; the message names it and says what to write instead."""


class ContradictoryConstraints(InvalidArgument):
    """Constraints that no row can meet together; ``conflict`` names a minimal set of them."""

    def __init__(self, conflict: Sequence[str]) -> None:
        self.conflict = tuple(conflict)
        super().__init__(
            "no row meets all constraints; these cannot hold together: "
            + "; ".join(self.conflict)
            + ". Drop or weaken one of them"
        )


class MissingExtra(EverycaseError, ImportError):
    """A feature needs an optional dependency that is not installed; the message names the extra."""


def missing_extra(extra: str, what: str) -> MissingExtra:
    """The one line to show when an optional dependency is absent.

    >>> print(missing_extra("cli", "the command line"))
    the command line needs an optional dependency: pip install 'everycase[cli]'
    """
    return MissingExtra(f"{what} needs an optional dependency: pip install 'everycase[{extra}]'")
