"""Complex numbers, by their magnitude."""

from __future__ import annotations

import math
from typing import Any, Literal

from everycase.errors import InvalidArgument
from everycase.gen.base import Gen
from everycase.gen.collections import tuples
from everycase.gen.composition import one_of
from everycase.gen.floating import floats, narrow, next_up
from everycase.gen.kinds import Bind, Filter, Map
from everycase.gen.scalars import just
from everycase.gen.show import described
from everycase.gen.validate import require_bool, require_real

#: The width of the two floats for a width in bits of the whole number.
_WIDTHS: dict[int, Literal[16, 32, 64]] = {32: 16, 64: 32, 128: 64}


def complex_numbers(
    *,
    min_magnitude: float = 0,
    max_magnitude: float | None = None,
    allow_infinity: bool | None = None,
    allow_nan: bool | None = None,
    allow_subnormal: bool = True,
    width: Literal[32, 64, 128] = 128,
) -> Gen[complex]:
    """Complex numbers whose magnitude lies between two bounds, both included; without an upper bound also
    those with infinite or nan parts. 0j is the simplest.

    ``width`` is the width of the whole number: each of its two parts has half as many bits.

    >>> all(abs(z) <= 1 for z in complex_numbers(max_magnitude=1).sample(50, seed=0))
    True
    """
    low, high = _magnitude("min_magnitude", min_magnitude), max_magnitude
    if max_magnitude is not None:
        high = _magnitude("max_magnitude", max_magnitude)
        if low > high:
            raise InvalidArgument(
                f"min_magnitude={min_magnitude!r} is greater than max_magnitude={max_magnitude!r}; swap them"
            )
    if high == math.inf:
        high = None
    require_bool("allow_subnormal", allow_subnormal)
    for name, flag in (("allow_infinity", allow_infinity), ("allow_nan", allow_nan)):
        if flag is not None:
            require_bool(name, flag)
            if flag and high is not None:
                raise InvalidArgument(
                    f"{name}=True contradicts max_magnitude={max_magnitude!r}; leave out one of them"
                )
    if not isinstance(width, int) or isinstance(width, bool) or width not in _WIDTHS:
        raise InvalidArgument(f"width={width!r} must be 32, 64 or 128")
    part: dict[str, Any] = {"width": _WIDTHS[width], "allow_subnormal": allow_subnormal and None}
    node = _parts(low, high, part, allow_infinity is not False and high is None, allow_nan is not False)
    return described(
        node,
        "complex_numbers",
        min_magnitude=min_magnitude or None,
        max_magnitude=max_magnitude,
        allow_infinity=allow_infinity,
        allow_nan=allow_nan,
        allow_subnormal=None if allow_subnormal else False,
        width=None if width == 128 else width,
    )


def _parts(low: float, high: float | None, part: dict[str, Any], infinity: bool, nan: bool) -> Gen[complex]:
    def made(pairs: Gen[tuple[float, float]]) -> Gen[complex]:
        return Map(pairs, lambda pair: complex(*pair), lambda z: (z.real, z.imag), share=True)

    if high is None:
        both = floats(allow_infinity=infinity, allow_nan=nan, **part)
        whole = made(tuples(both, both))
        # abs() of a number with an infinite part is infinite, also when the other part is nan.
        return whole if low == 0 else Filter(whole, lambda z: _size(z) >= low or z != z)
    limit = high

    def with_real(real: float) -> Gen[tuple[float, float]]:
        most = _leg(limit, real)
        least = _leg(low, real) if abs(real) < low else 0.0
        options = (
            [_between(least, most, part), _between(-most, -least, part)]
            if least
            else [_between(-most, most, part)]
        )
        return tuples(just(real), one_of(options))

    pairs = Bind(_between(-limit, limit, part), with_real)
    # The bounds of the second part are rounded, so the magnitude is checked again.
    return Filter(made(pairs), lambda z: low <= _size(z) <= limit)


def _between(low: float, high: float, part: dict[str, Any]) -> Gen[float]:
    """The floats of this width between two numbers that need not be such floats themselves."""
    least, most = -_at_most(-low, part["width"]), _at_most(high, part["width"])
    try:
        return floats(least, most, **part)
    except InvalidArgument:
        return just(0.0)  # the range is so narrow that it contains none; the magnitude is checked in the end


def _at_most(bound: float, width: int) -> float:
    nearest = narrow(bound, width)
    return nearest if nearest <= bound else -next_up(-nearest, width)


def _leg(hypotenuse: float, other: float) -> float:
    """The other leg of a right triangle; the product of sum and difference loses less precision than
    squares."""
    return math.sqrt(max(0.0, hypotenuse - abs(other))) * math.sqrt(hypotenuse + abs(other))


def _size(z: complex) -> float:
    try:
        return abs(z)
    except OverflowError:
        return math.inf


def _magnitude(name: str, value: Any) -> float:
    require_real(name, value)
    number = float(value)
    if not number >= 0:
        raise InvalidArgument(f"{name}={value!r} must not be negative, because it is a magnitude")
    return number
