"""How many dice random inputs take: what sampling costs, in a measure that is the same on every machine."""

from __future__ import annotations

from collections.abc import Callable

#: Dice are counted in the first rounds, and then in one round of this many. Counting each would slow sampling down.
COUNTED_FIRST = 4
COUNTED_LATER = 8


class DiceCount:
    """The number of dice rolled so far; for rounds in which they were not counted it is estimated by the others.

    >>> count = DiceCount()
    >>> random = count.begin(lambda: 0.5)
    >>> random() + random()
    1.0
    >>> count.end(rolls=1)
    >>> count.total
    2.0
    """

    def __init__(self) -> None:
        self.total = 0.0
        self._rounds = 0
        #: the dice, and the rolls of whole inputs, of the rounds in which dice were counted
        self._dice = self._rolls = 0
        self._now: int | None = None

    def begin(self, random: Callable[[], float]) -> Callable[[], float]:
        """A round begins: the dice to use in it."""
        self._rounds += 1
        if self._rounds > COUNTED_FIRST and self._rounds % COUNTED_LATER:
            self._now = None
            return random
        self._now = 0

        def counted() -> float:
            self._now += 1  # type: ignore[operator]
            return random()

        return counted

    def end(self, rolls: int) -> None:
        """A round of this many rolls of whole inputs has ended."""
        if self._now is None:
            self.total += rolls * self._dice / max(1, self._rolls)
        else:
            self.total += self._now
            self._dice += self._now
            self._rolls += rolls
