"""In which random cases parts are copied over others, and how often, where only some cases are valid."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from everycase.explore.case import Case

#: For one in this many valid cases, parts are copied in another valid one: many conditions still hold then.
VALID_BASE = 16

#: If fewer than one in this many cases with copied parts is valid, they become rarer in proportion: making one costs
#: several times as much as an ordinary one.
WORTHWHILE = 4

#: If cases with copied parts are less often valid than others, they become rarer in proportion: at most by this factor.
MOST_SKIPPED = 64

#: Maximum number of cases with copied parts that are remembered until somebody says whether they are valid.
MOST_PENDING = 64


class Copying:
    """What is known about the cases with copied parts: they cost several times as much as others.

    Without conditions nobody judges cases, and nothing is left out.
    """

    def __init__(self) -> None:
        self._one_in = 1.0
        self._skipped = 0
        #: how many cases were judged and how many of them were valid, all together and those with copied parts
        self._judged = self._valid = self._judged_copies = self._valid_copies = 0
        self._next_base = VALID_BASE
        self._last_valid: Callable[[], Case] | None = None
        #: by identity, the arguments of those that were not judged yet
        self._pending: dict[int, tuple[Any, ...]] = {}

    def is_due(self) -> bool:
        """Whether the next case with copied parts is to be made."""
        self._skipped += 1
        if self._skipped < self._one_in:
            return False
        self._skipped = 0
        return True

    def base(self) -> Case | None:
        """A valid case in which parts are to be copied, now and then."""
        if self._last_valid is None or self._valid < self._next_base:
            return None
        self._next_base = self._valid + VALID_BASE
        return self._last_valid()

    def made(self, case: Case) -> None:
        """Record a case with copied parts."""
        if len(self._pending) >= MOST_PENDING:
            self._pending.clear()
        if case.args is not None:
            self._pending[id(case.args)] = case.args

    @property
    def tries(self) -> float:
        """About how many cases there are for each valid one."""
        return (self._judged + 1) / (self._valid + 1)

    def judged(self, args: tuple[Any, ...], valid: bool, case_of: Callable[[], Case] | None) -> None:
        """Record whether a case is valid, and what makes it again if that is cheap."""
        self._judged += 1
        self._valid += valid
        if case_of is not None:
            self._last_valid = case_of
        if self._pending and self._pending.pop(id(args), None) is not None:
            self._judged_copies += 1
            self._valid_copies += valid
            of_copies = (self._judged_copies + 1) / (self._valid_copies + 1)
            self._one_in = min(max(of_copies / self.tries, of_copies / WORTHWHILE), MOST_SKIPPED)
