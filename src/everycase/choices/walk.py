"""A walk through all choices of any generator, also where nothing can be counted in advance.

The generator is made again and again with its choices increased like the digits of an odometer, the last one first,
each starting at its simplest value. Infinite choices and recursion are bounded by a price, so that every value is
reached: a choice costs 1, and one among infinitely many (or more than 2**16) also costs the bits of its number. All
values of a low price come first, then those of the next higher ones, each exactly once. The walk ends when nothing
was left out because of its price.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from everycase.choices.by_number import Odometer
from everycase.choices.trace import Trace
from everycase.errors import Discarded, GeneratorError
from everycase.gen.base import Gen
from everycase.sizes.numbers import SMALL_RANGE

T = TypeVar("T")

#: This many rejected attempts in a row end the walk with an error: a filter may never pass.
MOST_MISSES = 100_000
#: This many attempts above the price, and most of a round, make the next round come early.
MOST_CUTS = 1000
#: Somebody looks at the clock once in so many attempts that came to nothing.
BEAT = 64


class _TooDear(Exception):
    """This combination of choices has a higher price than the round allows."""


#: Said of a generator that is walked and does not keep to its choices.
NOT_DECIDED = "a generator offered other choices than before in the same place: it depends on something besides what it draws"


def walk_choices(
    gen: Gen[T],
    odometer: Priced | None = None,
    doubts: list[str] | None = None,
    beat: Callable[[], None] | None = None,
) -> Iterator[Trace[T]]:
    """The traces of all values, simplest first, each exactly once; lazily, and without end if there is none.

    A generator that depends on something besides its choices cannot be walked: if that shows, a sentence that says so
    is added to ``doubts``. ``beat`` is called now and then while nothing is found, and may raise to end the walk.

    >>> from everycase import gen
    >>> [trace.value for trace in walk_choices(gen.lists(gen.booleans(), max_size=1))]
    [[], [False], [True]]
    """
    odometer = odometer or Priced()
    price = 4
    # Of each round: its price, and where it was broken off (None if it was finished).
    past: list[tuple[int, list[int] | None]] = []
    misses = 0
    while True:
        odometer.start(price)
        cuts = found = 0
        while True:
            if beat is not None and (cuts + misses) % BEAT == BEAT - 1:
                beat()
            try:
                trace = odometer.trace(gen)
            except _TooDear:
                cuts += 1
            except Discarded:
                misses += 1
                if misses > MOST_MISSES:
                    raise GeneratorError(
                        f"{gen!r} made no value in {MOST_MISSES:,} combinations of choices in a row: its filters or "
                        "assumptions hardly ever pass. Build valid values instead of filtering."
                    ) from None
            else:
                misses = 0
                if not odometer.is_known(past):
                    found += 1
                    yield trace
            if doubts is not None and odometer.contradicted and NOT_DECIDED not in doubts:
                doubts.append(NOT_DECIDED)
            if not odometer.advance():
                past.append((price, None))
                if not odometer.left_out:
                    return
                break
            if cuts > MOST_CUTS and cuts > 8 * found:
                past.append((price, odometer.numbers()))
                break
        price += max(1, price // 2)


class Priced(Odometer):
    """An odometer that leaves out combinations above a price."""

    __slots__ = ("left_out", "limit", "paid", "spent")

    def __init__(self) -> None:
        super().__init__()
        self.limit = 0
        self.spent = 0
        #: for each digit, the price of those before it
        self.paid: list[int] = []
        #: something was not made because of its price
        self.left_out = False

    def start(self, limit: int) -> None:
        self.digits = []
        self.paid = []
        self.limit = limit
        self.left_out = False

    def numbers(self) -> list[int]:
        return [number for number, _ in self.digits]

    def is_known(self, past: list[tuple[int, list[int] | None]]) -> bool:
        """Whether an earlier round came to this combination."""
        return any(self.spent <= price and (end is None or self.numbers() < end) for price, end in past)

    def advance(self) -> bool:
        """The next combination; False if there is none within the price."""
        digits = self.digits
        while digits:
            number, radix = digits.pop()
            number += 1
            if number < radix:
                if self.paid[len(digits)] + _price(number, radix) <= self.limit:
                    digits.append((number, radix))
                    return True
                self.left_out = True
        return False

    def choose(self, radix: float) -> int:
        if self.place == len(self.digits):
            if radix and self.spent + 1 > self.limit:
                self.left_out = True
                raise _TooDear
            self.paid[self.place :] = [self.spent]
        number = super().choose(radix)
        self.spent += _price(number, radix)
        return number

    def trace(self, gen: Gen[Any]) -> Trace[Any]:
        self.spent = 0
        return super().trace(gen)


def _price(number: int, radix: float) -> int:
    return 1 + number.bit_length() if radix > SMALL_RANGE else 1
