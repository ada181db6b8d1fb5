"""``walk``: all choices of any generator, one after the other, also if nothing can be counted in advance.

A generator that can be counted is walked by index. Any other (a composite, a filter, a flatmap over too many
values) is walked choice by choice, where every part that can be counted is one digit: the generator is run
again and again with its choices increased like the digits of an odometer, the last one first, each starting
at its simplest value.

Infinite choices and recursion are bounded by a price, so that every value is reached: a choice costs 1, and
one among infinitely many (or more than 2**16) also costs the bits of its index. All values of a low price
come first, then those of the next higher ones, each exactly once. The walk ends when nothing was left out
because of its price.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from everycase.choices.by_number import Odometer
from everycase.choices.time_limit import look
from everycase.choices.trace import Trace
from everycase.enumeration.counting import space_of
from everycase.enumeration.decode import record_at
from everycase.enumeration.spaces.base import Space
from everycase.errors import Discarded, GeneratorError, NotCountable
from everycase.gen.base import Gen
from everycase.gen.kinds import List, Live
from everycase.gen.validate import as_gen
from everycase.sizes.numbers import SMALL_RANGE

T = TypeVar("T")

#: This many rejected attempts in a row end the walk with an error: a filter may never pass.
MOST_MISSES = 100_000
#: This many attempts above the price, and most of a round, make the next round come early.
MOST_CUTS = 1000
#: The clock is checked once in this many failed attempts.
BEAT = 64


def walk(
    gen: Gen[T], doubts: list[str] | None = None, beat: Callable[[], None] | None = None
) -> Iterator[Trace[T]]:
    """The traces of all values, simplest first, each exactly once; lazily, and endless if there is no end.

    >>> from everycase import gen
    >>> @gen.composite
    ... def pairs(draw):
    ...     n = draw(gen.integers(0, 2))
    ...     return n, draw(gen.integers(0, n))
    >>> [trace.value for trace in walk(pairs())]
    [(0, 0), (1, 0), (1, 1), (2, 0), (2, 1), (2, 2)]

    Raises :class:`NotCountable` for ``data()`` and the like, whose choices are made by the test. A generator
    that depends on something besides its choices cannot be walked: if that shows, a sentence about it is
    added to ``doubts``. ``beat`` is called now and then while nothing is found, and may raise to end the
    walk.
    """
    gen = as_gen("the argument of walk", gen)
    try:
        space = space_of(gen)
    except NotCountable:
        return walk_choices(gen, _SpaceOdometer(), doubts, beat)
    return _by_number(space)


def _by_number(space: Space) -> Iterator[Trace[Any]]:
    i = 0
    while i < space.count:
        yield record_at(space, i)
        i += 1


class _TooDear(Exception):
    """This combination of choices has a higher price than the round allows."""


#: The message about a generator that is walked and does not depend only on its choices.
NOT_DECIDED = "a generator offered other choices than before in the same place: it depends on something besides what it draws"


def walk_choices(
    gen: Gen[T],
    odometer: Priced | None = None,
    doubts: list[str] | None = None,
    beat: Callable[[], None] | None = None,
) -> Iterator[Trace[T]]:
    """The traces of all values, simplest first, each exactly once; lazily, and endless if there is no end.

    A generator that depends on something besides its choices cannot be walked: if that shows, a sentence
    about it is added to ``doubts``. ``beat`` is called now and then while nothing is found, and may raise to
    end the walk.

    >>> from everycase import gen
    >>> [trace.value for trace in walk_choices(gen.lists(gen.booleans(), max_size=1))]
    [[], [False], [True]]
    """
    odometer = odometer or Priced()
    price = 4
    # For each round: its price, and where it was broken off (None if it was finished).
    past: list[tuple[int, list[int] | None]] = []
    misses = 0
    while True:
        odometer.start(price)
        cuts = found = 0
        while True:
            look()  # one combination may have thousands of choices
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
                past.append((price, odometer.chosen()))
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

    def chosen(self) -> list[int]:
        return [number for number, _ in self.digits]

    def is_known(self, past: list[tuple[int, list[int] | None]]) -> bool:
        """Whether an earlier round reached this combination."""
        return any(self.spent <= price and (end is None or self.chosen() < end) for price, end in past)

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


class _SpaceOdometer(Priced):
    """An odometer that treats parts that can be counted as a single digit."""

    __slots__ = ("_spaces",)

    def __init__(self) -> None:
        super().__init__()
        self._spaces: dict[int, tuple[Gen[Any], Space | None]] = {}

    def make(self, gen: Gen[Any]) -> Trace[Any]:
        space = self._space(gen)
        if space is None:
            return super().make(gen)
        return record_at(space, 0 if space.count == 1 else self.choose(space.count))

    def _space(self, gen: Gen[Any]) -> Space | None:
        """The space of a generator, or None if it cannot be counted."""
        known = self._spaces.get(id(gen))
        if known is None or known[0] is not gen:
            try:
                known = (gen, space_of(gen))
            except NotCountable:
                if isinstance(gen, Live):
                    raise
                known = (gen, None)
            if len(self._spaces) > 10_000:
                self._spaces.clear()  # a composite that keeps making new generators
            self._spaces[id(gen)] = known
        return known[1]

    def elements(self, gen: List[Any]) -> list[Trace[Any]]:
        """Distinct elements that can be counted are chosen among those not taken yet; others that repeat a
        key are rejected."""
        if gen.unique_by is None:
            return super().elements(gen)
        keys = gen.unique_by if isinstance(gen.unique_by, tuple) else (gen.unique_by,)
        space = self._space(gen.element)
        available = math.inf if space is None else space.count
        longest = available if gen.max_size is None else min(gen.max_size, available)
        length = gen.min_size + self.choose(max(0, longest - gen.min_size + 1))
        elements: list[Trace[Any]] = []
        seen: list[set[Any]] = [set() for _ in keys]
        taken: list[int] = []
        for _ in range(length):
            if space is None:
                element = self.make(gen.element)
            else:
                number = self.choose(available - len(taken))
                for other in sorted(taken):
                    number += other <= number
                taken.append(number)
                element = record_at(space, number)
            look()
            for key, names in zip(keys, seen):
                name = key(element.value)
                if name in names:
                    raise Discarded("an element is repeated")
                names.add(name)
            elements.append(element)
        return elements
