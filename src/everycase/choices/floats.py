"""How floats roll, and which of two is simpler."""

from __future__ import annotations

import math

from everycase.choices.dice import Random, Roll
from everycase.gen.kinds import Float


def float_order(value: float) -> tuple[float, ...]:
    """A sort key: of two floats the one with the smaller key is simpler.

    Whole numbers come first, by magnitude, a positive one before its negation; then fractions, by the number of
    decimal places they are written with (those that are exact in binary, such as 0.5, before the others); then whole numbers too large to be exact; then
    the infinities; and nan.

    >>> sorted([math.nan, 1e300, 0.25, 0.1, 0.5, -1.0, 3.0, 1.0, -math.inf, math.inf, -0.0, 0.0], key=float_order)
    [0.0, -0.0, 1.0, -1.0, 3.0, 0.5, 0.1, 0.25, 1e+300, inf, -inf, nan]
    """
    if value != value:
        return (4,)
    size = abs(value)
    negative = math.copysign(1.0, value) < 0
    if size == math.inf:
        return (3, negative)
    if size >= 2**53:
        return (2, size, negative)
    if size == int(size):
        return (0, size, negative)
    places = decimal_places(size)
    exact = size.as_integer_ratio()[1] <= 2**places
    return (1, places, not exact, size, negative)


def decimal_places(value: float) -> int:
    """How many digits follow the point when a finite float is written as short as possible, without exponent.

    >>> decimal_places(2.0), decimal_places(0.25), decimal_places(1e-7)
    (0, 2, 7)
    """
    from decimal import Decimal  # only shrinking asks

    exponent = Decimal(repr(value)).normalize().as_tuple().exponent
    assert isinstance(exponent, int)
    return max(0, -exponent)


def float_dice(node: Float) -> Roll:
    lo, hi = max(node.lo, -1e6), min(node.hi, 1e6)

    def roll(random: Random, size: int) -> float:
        return lo + random() * (hi - lo)

    return roll
