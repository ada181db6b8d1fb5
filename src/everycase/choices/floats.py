"""How floats are rolled, and which of two is simpler."""

from __future__ import annotations

import math
from collections.abc import Callable

from everycase.choices.dice import Random, Roll
from everycase.gen.floating import fits, narrow, next_up, smallest_normal
from everycase.gen.kinds import Float


def float_order(value: float) -> tuple[float, ...]:
    """A sort key: of two floats the one with the smaller key is simpler.

    Whole numbers come first, by magnitude, a positive one before its negation; then fractions, by the number
    of decimal places (those that are exact in binary, such as 0.5, before the others); then whole numbers too
    large to be exact; then the infinities; and nan.

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
    """The number of digits after the point when a finite float is written as short as possible, without
    exponent.

    >>> decimal_places(2.0), decimal_places(0.25), decimal_places(1e-7)
    (0, 2, 7)
    """
    from decimal import Decimal  # only shrinking needs it

    exponent = Decimal(repr(value)).normalize().as_tuple().exponent
    assert isinstance(exponent, int)
    return max(0, -exponent)


#: How often an edge value is drawn.
EDGE_SHARE = 0.2

#: The usual magnitudes in programs; beyond them only the exponents are spread, not the values.
USUAL = 1e6


def float_dice(node: Float) -> Roll:
    """Rolls a value of a float node.

    A fifth are edge values, a fifth are short decimals, a fifth are spread over the orders of magnitude, and
    the rest is uniform over the range, or over the usual part of a range that is too wide for that.
    """
    edges = node.edges
    edge_scale = len(edges) / EDGE_SHARE * (1 - 2**-51)
    short = _short_dice(node)
    scaled = _scaled_dice(node)
    lo, hi = node.lo, node.hi
    if hi - lo > 1e9:
        lo, hi = max(lo, -USUAL), min(hi, USUAL)
    uniform = lo <= hi
    span = hi - lo
    fit = _fitting(node)

    def roll(random: Random, size: int) -> float:
        r = random()
        if r >= 0.6 and uniform:
            value = lo + span * ((r - 0.6) * 2.5)
            if value > hi:
                value = hi
        elif r < EDGE_SHARE:
            return edges[int(r * edge_scale)]
        elif r < 0.4:
            value = short(random)
        else:
            value = scaled(random)
        return value if fit is None else fit(value)

    return roll


def _short_dice(node: Float) -> Callable[[Random], float]:
    """Rolls a number of at most two decimal places, of a moderate magnitude if there are any in the range."""
    lo, hi = max(node.lo, -1000.0), min(node.hi, 1000.0)
    if lo > hi:
        lo, hi = node.lo, min(node.hi, node.lo + 2.0**53)
        if node.hi < 0:
            lo, hi = max(node.lo, node.hi - 2.0**53), node.hi
    choices = []
    for scale in (1, 1, 10, 100):
        if max(-lo, hi) * scale == math.inf:
            continue  # there are no decimal places up there
        first, last = math.ceil(lo * scale), math.floor(hi * scale)
        if first <= last:
            choices.append((scale, first, last - first + 1))
    if not choices:
        simplest = node.edges[0]
        return lambda random: simplest
    count = len(choices)

    def short(random: Random) -> float:
        scale, first, width = choices[int(random() * count)]
        value = (first + int(random() * width)) / scale
        # Rounding may have moved it past a bound.
        return value if lo <= value <= hi else lo

    return short


def _scaled_dice(node: Float) -> Callable[[Random], float]:
    """Rolls a number whose order of magnitude is spread evenly; three quarters are within 2**64 of one."""
    lo, hi = node.lo, node.hi
    signs = [sign for sign, largest in ((1.0, hi), (-1.0, -lo)) if largest > 0]
    sides = []
    for sign in signs:
        smallest, largest = (lo, hi) if sign > 0 else (-hi, -lo)
        low = math.frexp(max(smallest, next_up(0.0, node.width)))[1] - 1
        high = math.frexp(largest)[1] - 1
        sides.append((sign, low, high, max(low, -64), min(high, 64)))
    if not sides:
        return lambda random: node.edges[0]

    def scaled(random: Random) -> float:
        sign, low, high, usual_low, usual_high = sides[int(random() * len(sides))]
        r = random()
        if r < 0.75 and usual_low <= usual_high:
            exponent = usual_low + int(r / 0.75 * (usual_high - usual_low + 1))
        else:
            exponent = low + int(r * (high - low + 1))
        value = sign * math.ldexp(1 + random(), exponent)
        return lo if value < lo else hi if value > hi else value

    return scaled


def _fitting(node: Float) -> Callable[[float], float] | None:
    """Turns a number within the bounds into one of the node's: the width, no subnormals, the sign of zero."""
    width, subnormal = node.width, node.subnormal
    normal = smallest_normal(width)
    zero = 0.0 if fits(node, 0.0) else -0.0
    if width == 64 and not (node.lo <= 0 <= node.hi):
        return None

    def fit(value: float) -> float:
        if width != 64:
            value = narrow(value, width)
        if not subnormal and -normal < value < normal:
            value = zero
        return value or zero

    return fit
