"""``walk``: all choices of any generator, one after the other, also where nothing can be counted in advance.

A generator that counts is walked by number. Any other (a composite, a filter, a flatmap over too many values) is made
again and again with its choices increased like the digits of an odometer, the last one first, each starting at its
simplest value. What counts inside of it (every ``draw`` of a composite, say) is one digit.

Infinite choices and recursion are bounded by a price, so that every value is reached: a choice costs 1, and one among
infinitely many (or more than 2**16) also costs the bits of its number. All values of a low price come first, then
those of the next higher ones, each exactly once. The walk ends when nothing was left out because of its price.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, TypeVar

from everycase.choices.ambient import making_values
from everycase.choices.trace import Trace
from everycase.enumeration.count import space_of
from everycase.enumeration.decode import record_at
from everycase.enumeration.leaves import SMALL_RANGE
from everycase.enumeration.spaces import Space
from everycase.errors import Discarded, GeneratorError, NotCountable
from everycase.gen.base import Gen
from everycase.gen.kinds import Bind, Build, Composite, Defer, Filter, List, Live, Map, Union
from everycase.gen.validate import not_a_gen

T = TypeVar("T")

#: So many rejected attempts in a row end the walk with an error: a filter may never pass.
MOST_MISSES = 100_000
#: So many attempts that became too dear, most of a round, make the next round come early.
MOST_CUTS = 1000


class _TooDear(Exception):
    """This combination of choices has a higher price than the round allows."""


def walk(gen: Gen[T]) -> Iterator[Trace[T]]:
    """The traces of all values, simplest first, each exactly once; lazily, and without end if there is none.

    >>> from everycase import gen
    >>> @gen.composite
    ... def pairs(draw):
    ...     n = draw(gen.integers(0, 2))
    ...     return n, draw(gen.integers(0, n))
    >>> [trace.value for trace in walk(pairs())]
    [(0, 0), (1, 0), (1, 1), (2, 0), (2, 1), (2, 2)]

    Raises :class:`NotCountable` for ``data()`` and the like, whose choices are made by the test.
    """
    try:
        space = space_of(gen)
    except NotCountable:
        return _rounds(gen)
    return _by_number(space)


def _by_number(space: Space) -> Iterator[Trace[Any]]:
    i = 0
    while i < space.count:
        yield record_at(space, i)
        i += 1


def _rounds(gen: Gen[T]) -> Iterator[Trace[T]]:
    odometer = _Odometer()
    price = 4
    # Of each round: its price, and where it was broken off (None if it was finished).
    past: list[tuple[int, list[int] | None]] = []
    misses = 0
    while True:
        odometer.start(price)
        cuts = found = 0
        while True:
            try:
                trace = odometer.make(gen)
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
            if not odometer.advance():
                past.append((price, None))
                if not odometer.left_out:
                    return
                break
            if cuts > MOST_CUTS and cuts > 8 * found:
                past.append((price, odometer.numbers()))
                break
        price += max(1, price // 2)


class _Odometer:
    """The choices of the current attempt: for each its number, out of how many, and the price of those before."""

    def __init__(self) -> None:
        self.digits: list[tuple[int, float, int]] = []
        self.place = 0
        self.limit = 0
        self.spent = 0
        #: something was not made because of its price
        self.left_out = False
        self._spaces: dict[int, tuple[Gen[Any], Space | None]] = {}

    def start(self, limit: int) -> None:
        self.digits = []
        self.limit = limit
        self.left_out = False

    def numbers(self) -> list[int]:
        return [number for number, _, _ in self.digits]

    def is_known(self, past: list[tuple[int, list[int] | None]]) -> bool:
        """Whether an earlier round came to this combination."""
        return any(self.spent <= price and (end is None or self.numbers() < end) for price, end in past)

    def advance(self) -> bool:
        """The next combination; False if there is none within the price."""
        digits = self.digits
        while digits:
            number, radix, before = digits.pop()
            number += 1
            if number < radix:
                if before + _price(number, radix) <= self.limit:
                    digits.append((number, radix, before))
                    return True
                self.left_out = True
        return False

    def choose(self, radix: float) -> int:
        """The number of this choice in the current combination."""
        if not radix:
            raise Discarded("nothing to choose from")
        place = self.place
        if place == len(self.digits):
            if self.spent + 1 > self.limit:
                self.left_out = True
                raise _TooDear
            self.digits.append((0, radix, self.spent))
        number, _, _ = self.digits[place]
        self.place = place + 1
        self.spent += _price(number, radix)
        return number

    def make(self, gen: Gen[Any]) -> Trace[Any]:
        """The trace that the current combination makes; what comes after its last digit starts at the simplest."""
        self.place = 0
        self.spent = 0
        try:
            with making_values():
                return self._make(gen)
        finally:
            del self.digits[self.place :]  # another combination may have needed more

    def _make(self, gen: Gen[Any]) -> Trace[Any]:
        space = self._space(gen)
        if space is not None:
            if space.count == 1:
                return record_at(space, 0)
            return record_at(space, self.choose(space.count))
        match gen:
            case Composite():
                return self._composite(gen)
            case Map():
                source = self._make(gen.source)
                return Trace(None, (source,), gen, gen.f(source.value))
            case Filter():
                source = self._make(gen.source)
                if not gen.predicate(source.value):
                    raise Discarded("rejected by a filter")
                return Trace(None, (source,), gen, source.value)
            case Union():
                option = self.choose(len(gen.options))
                below = self._make(gen.options[option])
                return Trace(option, (below,), gen, below.value)
            case Build():
                parts = [self._make(part) for part in gen.parts]
                return Trace(None, parts, gen, gen.construct([part.value for part in parts]))
            case List():
                return self._list(gen)
            case Bind():
                outer = self._make(gen.source)
                inner_gen = gen.inner(outer.value)
                inner = self._make(inner_gen)
                return Trace(None, (outer, inner), gen, inner.value, memory=(outer, inner_gen))
            case Defer():
                return self._make(gen.target)
            case _:
                space_of(gen)  # says why not
                raise AssertionError(gen)

    def _space(self, gen: Gen[Any]) -> Space | None:
        """The space of a generator, or None if it does not count."""
        known = self._spaces.get(id(gen))
        if known is None or known[0] is not gen:
            try:
                known = (gen, space_of(gen))
            except NotCountable:
                if isinstance(gen, Live):
                    raise
                known = (gen, None)
            if len(self._spaces) > 10_000:
                self._spaces.clear()  # a composite that makes new generators all the time
            self._spaces[id(gen)] = known
        return known[1]

    def _composite(self, gen: Composite[Any]) -> Trace[Any]:
        drawn: list[Any] = []

        def draw(source: Gen[Any], label: str | None = None) -> Any:
            if not isinstance(source, Gen):
                raise not_a_gen(source, "draw")
            place = len(drawn)
            drawn.append(None)  # keeps the place when a draw happens inside a draw
            drawn[place] = trace = self._make(source)
            return trace.value

        return Trace(None, drawn, gen, gen.function(draw, *gen.args, **gen.kwargs))

    def _list(self, gen: List[Any]) -> Trace[Any]:
        if gen.unique_by is not None:
            return self._unique_list(gen, gen.unique_by)
        longest = math.inf if gen.max_size is None else gen.max_size
        length = gen.min_size + self.choose(longest - gen.min_size + 1)
        elements = [self._make(gen.element) for _ in range(length)]
        return Trace(None, elements, gen, [element.value for element in elements])

    def _unique_list(self, gen: List[Any], unique_by: Any) -> Trace[Any]:
        """Elements that count are chosen among those not taken yet; others that repeat a key are rejected."""
        keys = unique_by if isinstance(unique_by, tuple) else (unique_by,)
        space = self._space(gen.element)
        available = math.inf if space is None else space.count
        longest = available if gen.max_size is None else min(gen.max_size, available)
        length = gen.min_size + self.choose(max(0, longest - gen.min_size + 1))
        elements: list[Trace[Any]] = []
        seen: list[set[Any]] = [set() for _ in keys]
        taken: list[int] = []
        for _ in range(length):
            if space is None:
                element = self._make(gen.element)
            else:
                number = self.choose(available - len(taken))
                for other in sorted(taken):
                    number += other <= number
                taken.append(number)
                element = record_at(space, number)
            for key, names in zip(keys, seen):
                name = key(element.value)
                if name in names:
                    raise Discarded("an element is repeated")
                names.add(name)
            elements.append(element)
        return Trace(None, elements, gen, [element.value for element in elements])


def _price(number: int, radix: float) -> int:
    return 1 + number.bit_length() if radix > SMALL_RANGE else 1
