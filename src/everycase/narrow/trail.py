"""The decisions so far, in order, and backtracking.

There is one partial value. Looking at an undecided place of it decides the place: the first alternative is
taken at once, while the predicate is running, and the choice goes on the trail. When the predicate has
answered, the last choice takes its next alternative, or is undone if it has none left. So the trail is an
odometer whose digits are made by the predicate.

``slack`` is the unused part of the size bound. Every undecided place has the price of its cheapest completion
reserved, so an alternative costs only what it needs beyond that (its ``extra``), and everything affordable
can be completed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any


class Dead(BaseException):
    """The decisions so far cannot be completed: a filter or a uniqueness rule inside the generator rejects
    them.

    Not an ``Exception``, so that it passes through a predicate that catches those.
    """


class Again(BaseException):
    """A place was decided in the middle of something that cannot continue; the predicate has to be run
    again."""


class Place:
    """Where a decision is taken: a field of a class, an element of a list, an argument."""

    __slots__ = ("looks", "name", "owner")

    def __init__(self, owner: Any, name: str) -> None:
        #: the class that has the field, or a description of something that is not a field
        self.owner = owner
        self.name = name
        #: how often a decision here was seen in the sampled evaluations
        self.looks = 0

    def __str__(self) -> str:
        owner = self.owner.__name__ if isinstance(self.owner, type) else str(self.owner)
        return f"{owner}.{self.name}" if owner else self.name

    def __repr__(self) -> str:
        return f"<Place {self}>"


class Alternative:
    """One way to decide a place. ``label`` is the class, the value or a description; ``extra`` is its cost.

    ``place`` applies the alternative to the target, and ``release`` makes it undecided again.
    """

    __slots__ = ("extra", "label")

    extra: int
    label: Any
    #: how likely it is to come first in a random order, compared with others; it makes lists as often long as
    #: short
    weight: float = 1.0
    #: the target has no undecided part then
    ends: bool = False

    def place(self, target: Any) -> None:
        raise NotImplementedError

    def release(self, target: Any) -> None:
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<{self.label}: +{self.extra}>"


class Many(Sequence[Alternative]):
    """More alternatives than should be made at once: each is made when its turn comes."""

    def __init__(self, total: int) -> None:
        self.total = total

    def at(self, number: int) -> Alternative:
        raise NotImplementedError

    def __len__(self) -> int:
        return min(self.total, sys.maxsize)  # len() cannot return more, and nobody reaches their ends

    def __getitem__(self, number: Any) -> Any:
        if isinstance(number, slice):
            return [self.at(i) for i in range(*number.indices(self.total))]
        if not 0 <= number < self.total:
            raise IndexError(number)
        return self.at(number)


#: The affordable alternatives are computed in advance for this many small slacks.
SMALL = 64


def affordable(
    alternatives: Sequence[Alternative],
) -> tuple[list[Sequence[Alternative]], Callable[[int], Sequence[Alternative]]]:
    """The alternatives that a slack allows, as a table for small slacks and a function for any. They are
    ordered by cost."""
    dearest = max((alternative.extra for alternative in alternatives), default=0)
    table: list[Sequence[Alternative]] = []
    for slack in range(SMALL + 1):
        # If nothing more becomes affordable it is the same object, by which orders recognise it.
        if slack <= dearest:
            table.append(tuple(alternative for alternative in alternatives if alternative.extra <= slack))
        else:
            table.append(table[-1])

    def within(slack: int) -> Sequence[Alternative]:
        if slack <= SMALL:
            return table[slack]
        if dearest <= SMALL:
            return table[SMALL]
        return [alternative for alternative in alternatives if alternative.extra <= slack]

    return table, within


def by_price(alternative: Alternative) -> int:
    """The sort key of alternatives: the cheapest first, those of one price in the order of their
    declaration."""
    return alternative.extra


#: Puts the alternatives of a place into the order in which they are tried.
Arrange = Callable[[Place, Sequence[Alternative]], Sequence[Alternative]]


class Decisions:
    """The trail of one search. An entry is ``[target, alternatives, number taken, slack before, place]``."""

    __slots__ = (
        "again",
        "arrange",
        "bound",
        "contradicted",
        "cut",
        "dead",
        "making",
        "numbers",
        "refused",
        "slack",
        "target",
        "trail",
    )

    def __init__(self) -> None:
        self.trail: list[list[Any]] = []
        self.slack = 0
        self.bound = 0
        self.arrange: Arrange | None = None
        #: the target of the decision whose alternatives are being arranged, if that is known
        self.target: Any = None
        #: how many undecided numbers were made
        self.numbers = 0
        #: a part was given up that may have values: it is nested too deeply, or takes too many choices
        self.cut = False
        #: the same choices before a place led to other choices in that place than they had
        self.contradicted = False
        self.forget_signals()

    def forget_signals(self) -> None:
        #: see :class:`Dead`; also set where it would not be caught
        self.dead = False
        #: a place was decided in the middle of something that cannot continue; the predicate has to be run
        #: again
        self.again = False
        #: how many parts are being made whole, one inside the other
        self.making = 0
        #: what was tried but cannot be done with a partial value, in words
        self.refused: str | None = None

    def push(self, target: Any, alternatives: Sequence[Alternative], place: Place) -> None:
        """Decide a place: take its first alternative. There must be one, and all must be affordable."""
        if self.arrange is not None and len(alternatives) > 1:
            self.target = target
            alternatives = self.arrange(place, alternatives)
        first = alternatives[0]
        slack = self.slack
        self.trail.append([target, alternatives, 0, slack, place])
        self.slack = slack - first.extra
        first.place(target)

    def undo(self, length: int) -> None:
        """Release every decision after the first ``length``."""
        trail = self.trail
        while len(trail) > length:
            target, alternatives, _, self.slack, _ = trail[-1]
            alternatives[0].release(target)
            trail.pop()

    def refuse(self, what: str) -> None:
        """Record that a predicate did something that cannot be done with a partial value, and stop it."""
        self.refused = what
        self.again = True
        raise Again
