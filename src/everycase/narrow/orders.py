"""In which order the alternatives of a decision are tried.

Without an order a search goes depth first, the cheapest alternative first. An :class:`Order` is asked at every decision,
and told of every value that was found, so that it can learn.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from everycase.choices.dice import below
from everycase.errors import InvalidArgument
from everycase.narrow.lazy.ints import Values
from everycase.narrow.trail import Alternative, Many, Place

if TYPE_CHECKING:
    from everycase.narrow.search import Found

#: How far from the end numbers are on average, where they lean to one.
LEAN = 2
#: More alternatives than this (the values of an integer) are not weighed, only taken from a random place on.
MOST_WEIGHED = 64


class Order:
    """Decides what is tried first. Subclass it and write :meth:`arrange`; :meth:`learn` is optional."""

    #: something was left out, so that a search that has come to its end has not found everything
    leaves_out = False

    def arrange(self, place: Place, alternatives: Sequence[Alternative]) -> Sequence[Alternative]:
        """The alternatives of one decision (all of them affordable) in the order in which to try them.

        ``place.owner`` is the class whose field is decided and ``place.name`` the field; an alternative's ``label`` is
        the class that an object becomes, or the value. To leave some out means not to search there.
        """
        return alternatives

    def learn(self, found: Found) -> None:
        """A value was found."""


class Checked(Order):
    """An order that somebody has written: whether it can be followed, and whether it leaves something out."""

    def __init__(self, order: Order) -> None:
        self.order = order
        self.learn = order.learn  # type: ignore[method-assign]

    def arrange(self, place: Place, alternatives: Sequence[Alternative]) -> Sequence[Alternative]:
        chosen = self.order.arrange(place, alternatives)
        if not isinstance(chosen, Sequence) or not chosen:
            raise InvalidArgument(
                f"{type(self.order).__name__}.arrange must return a list of at least one of the alternatives that it "
                f"gets, not {chosen!r} (at {place})"
            )
        if len(chosen) < len(alternatives):
            self.leaves_out = True
        return chosen


class Shuffled(Order):
    """A random order. ``weights`` says how likely the alternatives of some labels (classes, values) are to come
    first, compared with 1 for all others."""

    def __init__(self, random: Callable[[], float], weights: Mapping[Any, float] | None = None) -> None:
        self.random = random
        if weights is not None and not isinstance(weights, Mapping):
            raise InvalidArgument(
                f"weights must say how much each class counts, as in {{Node: 4, Leaf: 1}}, not {weights!r}"
            )
        self.weights: dict[Any, float] = dict(weights or {})
        for label, weight in self.weights.items():
            if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 < weight < math.inf:
                raise InvalidArgument(
                    f"weights[{label!r}] must be a positive number, not {weight!r}; leave a class out of the generator "
                    "instead of giving it weight 0"
                )

    def weight(self, place: Place, alternative: Alternative) -> float:
        """How likely an alternative is to come first."""
        try:
            return self.weights.get(alternative.label, alternative.weight)
        except TypeError:  # a value that cannot be hashed
            return alternative.weight

    def arrange(self, place: Place, alternatives: Sequence[Alternative]) -> Sequence[Alternative]:
        if len(alternatives) > MOST_WEIGHED:
            return Permuted(alternatives, self.random)
        random, weight = self.random, self.weight
        # The one whose clock strikes first comes first; clocks run as fast as the weights say.
        keyed = [
            (math.log(1.0 - random()) / weight(place, one), i, one) for i, one in enumerate(alternatives)
        ]
        keyed.sort(reverse=True)
        return [one for _, _, one in keyed]


class Leaning(Shuffled):
    """A random order in which numbers are near the beginning of what they may be, or near its end.

    Where each number must be greater (or less) than the one before, numbers from anywhere soon leave no room for others.
    """

    def __init__(
        self, random: Callable[[], float], weights: Mapping[Any, float] | None, *, to_end: bool
    ) -> None:
        super().__init__(random, weights)
        self.to_end = to_end

    def arrange(self, place: Place, alternatives: Sequence[Alternative]) -> Sequence[Alternative]:
        if not isinstance(alternatives, Values):
            return super().arrange(place, alternatives)
        step = min(alternatives.total - 1, int(-math.log(1.0 - self.random()) * LEAN))
        return FromOneEnd(alternatives, step, to_end=self.to_end)


class FromOneEnd(Many):
    """All of many alternatives, the first of them so many steps from one end."""

    def __init__(self, source: Many, step: int, *, to_end: bool) -> None:
        super().__init__(source.total)
        self.source = source
        self.step = step
        self.to_end = to_end

    def at(self, number: int) -> Alternative:
        place = (self.step + number) % self.total
        return self.source.at(self.total - 1 - place if self.to_end else place)


class Permuted(Many):
    """All of many alternatives in another order, without making them."""

    def __init__(self, source: Sequence[Alternative], random: Callable[[], float]) -> None:
        # Python's len knows no longer ones than sys.maxsize.
        super().__init__(source.total if isinstance(source, Many) else len(source))
        self.source = source
        self.step = 1 + below(self.total - 1, random)
        while math.gcd(self.step, self.total) != 1:
            self.step = self.step % (self.total - 1) + 1
        self.start = below(self.total, random)

    def at(self, number: int) -> Alternative:
        return self.source[(self.start + number * self.step) % self.total]


def luby(turn: int) -> int:
    """1, 1, 2, 1, 1, 2, 4, 1, ...: how patient to be in each turn when nobody knows how long a turn should take.

    >>> [luby(turn) for turn in range(1, 16)]
    [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]
    """
    while turn + 1 & turn:
        turn -= (1 << turn.bit_length() - 1) - 1
    return turn + 1 >> 1
