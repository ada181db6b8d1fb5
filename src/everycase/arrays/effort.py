"""How long to search for fewer rows."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

from everycase.errors import InvalidArgument

SECONDS = {"quick": 0.0, "good": 5.0, "best": 60.0}


@dataclass(frozen=True)
class Effort:
    """``attempts`` is 0 to take the first array found; ``seconds`` is the budget of the long searches.

    The seconds are those of an ordinary machine and counted in work done, so that the same seed gives the
    same rows on fast and slow machines.
    """

    attempts: int
    seconds: float

    @classmethod
    def of(cls, given: Any) -> Effort:
        """The effort from the user's argument.

        >>> Effort.of("good"), Effort.of(0)
        (Effort(attempts=1, seconds=5.0), Effort(attempts=0, seconds=0.0))
        """
        if isinstance(given, str) and given in SECONDS:
            return cls(1, SECONDS[given])
        is_number = isinstance(given, int | float) and not isinstance(given, bool)
        if not is_number or not 0 <= given < 1e6 or math.isnan(given):
            raise InvalidArgument(
                f'effort is {given!r}; write "quick", "good", "best", or a number of seconds from 0'
            )
        return cls(int(given > 0), float(given))

    def share(self, part: float) -> Effort:
        """A part of the budget, for one of several searches."""
        return replace(self, seconds=self.seconds * part)


QUICK = Effort(1, 0.0)
