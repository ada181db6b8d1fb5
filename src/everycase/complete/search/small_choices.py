"""The choices of one run of the user's generator: few for each draw, counted up like an odometer or random.

A generator of everycase is built by the one builder by number (:mod:`everycase.choices.by_number`). Only the
numbers are chosen here: if there are too many values to try them all, some that are likely to matter.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from everycase.choices.by_number import Odometer
from everycase.choices.trace import Trace
from everycase.errors import Discarded
from everycase.gen.base import Gen
from everycase.gen.kinds import Float, Int, List, Map, Union
from everycase.gen.unicode import Alphabet

SMALL = 12  # a range of integers up to this size is tried completely, by default
LONGEST = 2  # elements more than the least number, in lists without a bound
MOST = 70  # choices in one run
FLOATS = (0.0, 1.0, -1.0, 0.5, 2.0, math.inf, -math.inf, math.nan)


class CutOff(Exception):
    """A run that needs more choices than its round allows."""


@dataclass(frozen=True)
class Pools:
    """The values that are tried if there are too many to try them all."""

    integers: tuple[int, ...] = (0, 1, -1, 2)
    texts: tuple[str, ...] = ("", "a", "b")
    whole: int = SMALL
    """A range of integers up to this size is tried completely."""

    def numbers(self, low: int | None, high: int | None) -> tuple[Sequence[int], bool]:
        """Integers between the bounds, and whether these are all of them."""
        if low is not None and high is not None and high - low < self.whole:
            return range(low, high + 1), True
        ends = [n for b, s in ((low, 1), (high, -1)) if b is not None for n in (b, b + s, b + 2 * s)]
        fitting = dict.fromkeys(
            n
            for n in (*self.integers, *ends, *(ord(c) for t in self.texts for c in t))
            if (low is None or n >= low) and (high is None or n <= high)
        )
        return list(fitting), False


class Choices(Odometer):
    """The choices of one run; random if ``rng`` is given."""

    __slots__ = ("limit", "partial", "pools", "rng")

    def __init__(self, pools: Pools, limit: int = MOST, rng: random.Random | None = None) -> None:
        super().__init__()
        self.pools, self.limit, self.rng = pools, limit, rng
        self.partial = False  # was something offered only in part?

    def choose(self, radix: float) -> int:
        if radix == 1:
            return 0
        if radix > 0 and self.place == len(self.digits):
            if self.place >= self.limit:
                raise CutOff
            self.digits.append((self.rng.randrange(int(radix)) if self.rng else 0, radix))
        return super().choose(radix)

    def among(self, values: Sequence[Any], whole: bool = False) -> Any:
        """One of the values; ``whole`` says that there are no others."""
        self.partial = self.partial or not whole
        return values[self.choose(len(values))]

    def integer(self, low: int | None, high: int | None) -> int:
        """An integer between the bounds."""
        values, whole = self.pools.numbers(low, high)
        return int(self.among(values, whole))

    def length(self, least: int, most: float) -> int:
        """The number of elements of a list."""
        top = int(min(most, least + LONGEST))
        self.partial = self.partial or top < most
        return least + self.choose(top - least + 1)

    def make(self, gen: Gen[Any]) -> Trace[Any]:
        alphabet = getattr(gen.inverse, "__self__", None) if isinstance(gen, Map) else None
        if isinstance(alphabet, Alphabet) and alphabet.count > self.pools.whole:
            assert isinstance(gen, Map) and isinstance(gen.source, Int)
            number = self.among(self._characters(alphabet))
            return Trace(None, (Trace(number, (), gen.source, number),), gen, gen.f(number))
        return super().make(gen)

    def _characters(self, alphabet: Alphabet) -> list[int]:
        """The numbers of the characters to try: the ends of the alphabet, and those of the texts."""
        wanted = [c for c in "".join(self.pools.texts) if alphabet.holds(c)]
        return [*dict.fromkeys([0, 1, alphabet.count - 1, *map(alphabet.number, wanted)])]

    def number(self, gen: Int | Float) -> Trace[Any]:
        if isinstance(gen, Int):
            value: Any = self.integer(gen.lo, gen.hi)
        else:
            value = self.among([f for f in (*FLOATS, gen.lo, gen.hi) if gen.fits(f)])
        return Trace(value, (), gen, value)

    def option(self, gen: Union[Any]) -> int:
        return self.choose(len(gen.options))

    def elements(self, gen: List[Any]) -> list[Trace[Any]]:
        most = math.inf if gen.max_size is None else gen.max_size
        made = [self.make(gen.element) for _ in range(self.length(gen.min_size, most))]
        keys = gen.unique_by if isinstance(gen.unique_by, tuple) else (gen.unique_by,)
        for key in keys:
            if key is not None and len({key(item.value) for item in made}) < len(made):
                raise Discarded("an element is repeated")
        return made
