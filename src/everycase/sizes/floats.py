"""The order of floats: the index of each float.

Zeros first, then whole numbers by magnitude, then halves, quarters, eighths, ..., then the whole numbers that are too
large to be exact, the infinities, and nan; a positive number comes before its negation. Every finite float is an integer
of few bits times a power of two, so each of these classes is an arithmetic progression, and numbers are found by
counting, not by searching.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate

from everycase.errors import NoSuchValue
from everycase.gen.kinds import Float

#: by width: the bits of a mantissa, the exponent of the smallest normal number, and of the largest one
_FORMATS = {64: (53, -1022, 1023), 32: (24, -126, 127), 16: (11, -14, 15)}


class FloatOrder:
    """The floats of a node, numbered."""

    __slots__ = ("_classes", "_ends", "_places", "_special", "count")

    def __init__(self, node: Float) -> None:
        bits, least, greatest = _FORMATS[node.width]
        #: classes by the power of two: 0 for the exact whole numbers, -1 for halves, 1 for the first inexact ones
        self._classes: list[_Class] = []
        self._places: dict[int, int] = {}
        zeros = [zero for zero in (0.0, -0.0) if node.fits(zero)]
        smallest = Fraction(2) ** least if not node.subnormal else Fraction(0)
        powers = [0, *range(-1, least - bits, -1), *range(1, greatest - bits + 2)]
        for power in powers:
            members = _members(node, power, bits, smallest)
            if members.count:
                self._places[power] = len(self._classes)
                self._classes.append(members)
        self._special: list[float] = [*zeros]
        self._ends = [len(zeros), *accumulate((c.count for c in self._classes), initial=len(zeros))][1:]
        self._special += [*node.infinities, *([math.nan] if node.nan else [])]
        self.count = self._ends[-1] + len(self._special) - len(zeros)

    @property
    def _zeros(self) -> int:
        return self._ends[0]

    def value(self, i: int) -> float:
        if i < self._zeros:
            return self._special[i]
        k = bisect_right(self._ends, i) - 1
        if k == len(self._classes):
            return self._special[self._zeros + i - self._ends[-1]]
        return self._classes[k].value(i - self._ends[k])

    def index(self, value: float) -> int:
        if value == 0 or not math.isfinite(value):
            place = [repr(x) for x in self._special].index(repr(value))
            return place if place < self._zeros else self._ends[-1] + place - self._zeros
        numerator, denominator = value.as_integer_ratio()
        power = 1 - denominator.bit_length()
        place_of_class = self._places.get(power)
        if power == 0 and (place_of_class is None or not self._classes[place_of_class].holds(numerator)):
            # A whole number that is too large to be exact: its numerator has all the bits there are.
            for power, place in self._places.items():
                if power > 0 and numerator % 2**power == 0 and self._classes[place].holds(numerator >> power):
                    return self._ends[place] + self._classes[place].index(numerator >> power)
        if place_of_class is None:
            raise NoSuchValue(f"{value!r} is not in the range")
        return self._ends[place_of_class] + self._classes[place_of_class].index(numerator)


@lru_cache(maxsize=64)  # hundreds of classes, of which leaves, sizes and ranks all need the same
def float_order(node: Float) -> FloatOrder:
    """The order of a node's floats."""
    return FloatOrder(node)


class _Class:
    """Numerators of one power of two: ``up`` positive ones from ``first`` on, ``down`` negative ones from ``-last``
    on, taken in turns; in steps of 1 or 2."""

    __slots__ = ("count", "down", "first", "last", "power", "step", "up")

    def __init__(self, power: int, step: int, positive: range, negative: range) -> None:
        self.power = power
        self.step = step
        self.first, self.up = positive.start, max(0, -((positive.start - positive.stop) // step))
        self.last, self.down = negative.start, max(0, -((negative.start - negative.stop) // step))
        self.count = self.up + self.down

    def value(self, i: int) -> float:
        both = min(self.up, self.down)
        if i < 2 * both:
            is_negative, i = bool(i & 1), i >> 1
        else:
            is_negative, i = self.down > self.up, i - both
        numerator = -(self.last + i * self.step) if is_negative else self.first + i * self.step
        return math.ldexp(numerator, self.power)

    def holds(self, numerator: int) -> bool:
        start, count = (self.first, self.up) if numerator > 0 else (self.last, self.down)
        return start <= abs(numerator) <= start + (count - 1) * self.step

    def index(self, numerator: int) -> int:
        start, other = (self.first, self.down) if numerator > 0 else (self.last, self.up)
        i = (abs(numerator) - start) // self.step
        return i + min(i, other) + (numerator < 0 and i < other)


def _members(node: Float, power: int, bits: int, smallest: Fraction) -> _Class:
    """The numerators n for which n * 2**power is in the range, and is not in a simpler class."""
    limit = 1 << bits  # numerators are below this; the whole numbers include it
    unit = Fraction(2) ** power
    if power == 0:
        step, least, most = 1, 1, limit
    elif power < 0:
        step, least, most = 2, 1, limit - 1
    else:
        step, least, most = 1, limit // 2, limit - 1
        if power == 1:
            least += 1  # 2**bits itself is among the whole numbers
    least = max(least, math.ceil(smallest / unit))

    def side(low: float, high: float) -> range:
        start = max(least, math.ceil(Fraction(low) / unit))
        stop = min(most, math.floor(Fraction(high) / unit))
        if step == 2 and start % 2 == 0:
            start += 1
        return range(start, stop + 1)

    return _Class(power, step, side(node.lo, node.hi), side(-node.hi, -node.lo))
