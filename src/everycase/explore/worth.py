"""What inputs are worth, and what a way to find them has yielded for its work."""

from __future__ import annotations

from collections import Counter
from typing import Any

#: Worth and work of the past count half after so much more work.
HALF_LIFE = 2000
#: Parts of larger values than this are not counted.
MOST_PARTS = 256


class Arm:
    """One way to find inputs: what it has yielded, for how much work."""

    def __init__(self) -> None:
        self.worth = 0.0
        self.recent = 0.0
        #: all work
        self.spent = 0.0
        #: how many valid inputs were tested
        self.valid = 0

    def pay(self, work: float, worth: float = 0.0) -> None:
        fade = 0.5 ** (work / HALF_LIFE)
        self.worth = self.worth * fade + worth
        self.recent = self.recent * fade + work
        self.spent += work

    @property
    def rate(self) -> float:
        """What it has yielded lately for its work."""
        return self.worth / self.recent if self.recent else 0.0


class Worths:
    """What new inputs are worth: one, and one more for every time that the number of parts doubles. Where more than
    a fair share of all inputs have the same number of parts, each of those is worth less, so that sizes spread."""

    def __init__(self) -> None:
        self._count: Counter[int] = Counter()
        self._total = 0

    def of(self, args: tuple[Any, ...]) -> float:
        parts = parts_of(args)
        self._count[parts] += 1
        self._total += 1
        fair = self._total / len(self._count)
        return parts * min(1.0, fair / self._count[parts])


def parts_of(value: Any) -> int:
    """Of how many parts a value is made, itself included.

    >>> parts_of([1, (2, 3)])
    5
    """
    count = 0
    pending = [value]
    while pending and count < MOST_PARTS:
        part = pending.pop()
        count += 1
        kind = type(part)
        if kind is int or kind is str or part is None:
            continue
        if isinstance(part, list | tuple | set | frozenset):
            pending.extend(part)
        elif isinstance(part, dict):
            pending.extend(part.values())
        elif hasattr(part, "__dict__") and not isinstance(part, type):
            pending.extend(vars(part).values())
    return count
