"""Floating point numbers: which floats a range contains, and the simplest of them."""

from __future__ import annotations

import math
import struct
from typing import Any, Literal

from everycase.errors import InvalidArgument
from everycase.gen.base import Gen
from everycase.gen.intern import interned
from everycase.gen.kinds import Const, Float
from everycase.gen.show import described
from everycase.gen.validate import require_bool, require_real

_FORMATS = {16: ("<e", "<H"), 32: ("<f", "<I"), 64: ("<d", "<Q")}
_LARGEST = {16: 65504.0, 32: (2 - 2.0**-23) * 2.0**127, 64: (2 - 2.0**-52) * 2.0**1023}
_SMALLEST_NORMAL = {16: 2.0**-14, 32: 2.0**-126, 64: 2.0**-1022}


def floats(
    min_value: float | None = None,
    max_value: float | None = None,
    *,
    allow_nan: bool | None = None,
    allow_infinity: bool | None = None,
    allow_subnormal: bool | None = None,
    width: Literal[16, 32, 64] = 64,
    exclude_min: bool = False,
    exclude_max: bool = False,
) -> Gen[float]:
    """Floats, from ``min_value`` to ``max_value`` if given; without any bound also nan and the infinities.

    By default nan is allowed if there is no bound, an infinity if there is no bound on its side, and
    subnormals if the range contains them. ``width`` asks for values that are exact in that many bits.
    ``exclude_min`` and ``exclude_max`` exclude that end of the range.

    0.0 is the simplest, then whole numbers, then short fractions. Random values include the ends of the
    range, -0.0, tiny and huge magnitudes, and short decimals more often than by pure chance.

    >>> all(0 <= x <= 1 for x in floats(0, 1).sample(100, seed=0))
    True
    >>> floats(0, exclude_min=True, allow_infinity=False)
    floats(0, allow_infinity=False, exclude_min=True)
    """
    return _floats(
        min_value,
        max_value,
        allow_nan,
        allow_infinity,
        allow_subnormal,
        width,
        exclude_min,
        exclude_max,
        # Only to distinguish -0.0 from 0.0, which are equal.
        (repr(min_value) == "-0.0", repr(max_value) == "-0.0"),
    )


@interned
def _floats(
    min_value: Any,
    max_value: Any,
    allow_nan: bool | None,
    allow_infinity: bool | None,
    allow_subnormal: bool | None,
    width: int,
    exclude_min: bool,
    exclude_max: bool,
    negative_zeros: tuple[bool, bool],
) -> Gen[float]:
    for name, flag in (("exclude_min", exclude_min), ("exclude_max", exclude_max)):
        require_bool(name, flag)
    for name, option in (
        ("allow_nan", allow_nan),
        ("allow_infinity", allow_infinity),
        ("allow_subnormal", allow_subnormal),
    ):
        if option is not None:
            require_bool(name, option)
    if type(width) is not int or width not in _FORMATS:
        raise InvalidArgument(f"width={width!r} must be 16, 32 or 64")
    if allow_nan and (min_value is not None or max_value is not None):
        raise InvalidArgument(
            "allow_nan=True contradicts min_value and max_value, because nan is not between them; "
            "write gen.floats(...) | gen.just(math.nan)"
        )
    least = _bound("min_value", min_value, width, exclude_min, -math.inf)
    most = _bound("max_value", max_value, width, exclude_max, math.inf)
    if exclude_min:
        least = _excluded("min_value", min_value, least, math.inf, width)
    if exclude_max:
        most = -_excluded("max_value", max_value, -most, math.inf, width)

    if allow_infinity and least > -math.inf and most < math.inf:
        raise InvalidArgument(
            "allow_infinity=True contradicts min_value and max_value, because infinity is not between them; "
            "leave out one of the bounds"
        )
    if _is_after(least, most):
        raise _empty(min_value, max_value, width, exclude_min, exclude_max, allow_infinity)
    infinities = (
        () if allow_infinity is False else tuple(x for x in (math.inf, -math.inf) if x in (least, most))
    )
    largest = _LARGEST[width]
    if least == math.inf or most == -math.inf:
        _subnormals_allowed(allow_subnormal, least, most, width)
        if allow_infinity is False:
            raise _empty(min_value, max_value, width, exclude_min, exclude_max, allow_infinity)
        node: Gen[float] = Const(least if least == math.inf else most)
    else:
        lo, hi = max(least, -largest), min(most, largest)
        subnormal = _subnormals_allowed(allow_subnormal, lo, hi, width)
        if not subnormal:
            lo, hi = _without_subnormals(lo, hi, width)
            if _is_after(lo, hi):
                raise _empty(min_value, max_value, width, exclude_min, exclude_max, allow_infinity)
        nan = allow_nan if allow_nan is not None else min_value is None and max_value is None
        node = make_float(lo, hi, nan=nan, infinities=infinities, subnormal=subnormal, width=width)
    bounds = [min_value, max_value] if max_value is not None else [min_value] * (min_value is not None)
    return described(
        node,
        "floats",
        *bounds,
        allow_nan=allow_nan,
        allow_infinity=allow_infinity,
        allow_subnormal=allow_subnormal,
        width=width if width != 64 else None,
        exclude_min=exclude_min or None,
        exclude_max=exclude_max or None,
    )


def make_float(
    lo: float,
    hi: float,
    *,
    nan: bool = False,
    infinities: tuple[float, ...] = (),
    subnormal: bool = True,
    width: int = 64,
) -> Float:
    """A Float node with its edge values. The bounds are finite, in order, and exact in ``width`` bits."""
    node = Float(lo, hi, nan=nan, infinities=infinities, subnormal=subnormal, width=width, edges=())
    node.edges = _edges(node)
    return node


def fits(node: Float, value: float) -> bool:
    """Whether a float is one that the node can make."""
    if value != value:
        return node.nan
    if value in (math.inf, -math.inf):
        return value in node.infinities
    if _is_after(node.lo, value) or _is_after(value, node.hi):
        return False
    if not node.subnormal and 0 < abs(value) < _SMALLEST_NORMAL[node.width]:
        return False
    return node.width == 64 or narrow(value, node.width) == value


def narrow(value: float, width: int) -> float:
    """The nearest float of ``width`` bits.

    >>> narrow(0.1, 32)
    0.10000000149011612
    """
    if width == 64:
        return value
    code = _FORMATS[width][0]
    try:
        result: float = struct.unpack(code, struct.pack(code, value))[0]
    except OverflowError:
        result = math.copysign(math.inf, value)
    return result


def smallest_normal(width: int) -> float:
    """The smallest positive float of ``width`` bits that has full precision; those below it are subnormal."""
    return _SMALLEST_NORMAL[width]


def next_up(value: float, width: int = 64) -> float:
    """The smallest float of ``width`` bits that is greater than this one; 0.0 is greater than -0.0.

    >>> next_up(1.0), next_up(1.0, 16)
    (1.0000000000000002, 1.0009765625)
    """
    code, integer = _FORMATS[width]
    bits: int = struct.unpack(integer, struct.pack(code, value))[0]
    sign = 1 << width - 1
    if bits == sign:
        return 0.0
    bits = bits - 1 if bits & sign else bits + 1
    result: float = struct.unpack(code, struct.pack(integer, bits))[0]
    return result


def simplest_float(lo: float, hi: float, width: int = 64) -> float:
    """The first float of a range in the order of :func:`everycase.choices.floats.float_order`.

    >>> simplest_float(-3.0, 8.0), simplest_float(2.5, 8.0), simplest_float(0.3, 0.9), simplest_float(0.31, 0.32)
    (0.0, 3.0, 0.5, 0.31)
    """
    if hi < 0 or (hi == 0 and math.copysign(1, hi) < 0):
        return -simplest_float(-hi, -lo, width)
    if lo <= 0:
        return 0.0
    if lo == math.floor(lo):
        return lo
    whole = math.ceil(lo)
    if whole <= hi:
        return float(whole)
    # No whole number in the range, so at most nine decimals are the first to have so few places.
    from fractions import Fraction

    if width == 64:
        for places in range(1, 1100):
            first = math.floor(Fraction(lo) * 10**places)
            last = math.ceil(Fraction(hi) * 10**places)
            if last - first < 30:
                # One decimal more on each side: a bound may be the float nearest to it.
                found = [float(f"{k}e-{places}") for k in range(first, last + 1)]
                found = [x for x in found if lo <= x <= hi]
                if found:
                    return min(found, key=lambda x: (x.as_integer_ratio()[1] > 2**places, x))
    # Floats of few bits are short in binary: there is one that has fewer places than all others.
    for places in range(1, 1100):
        numerator = math.ceil(Fraction(lo) * 2**places)
        if Fraction(numerator, 2**places) <= hi:
            return float(Fraction(numerator, 2**places))
    raise AssertionError((lo, hi))


def _edges(node: Float) -> tuple[float, ...]:
    """The floats of a range worth trying more often, the simplest one first."""
    lo, hi, width = node.lo, node.hi, node.width
    tiny, largest, normal = next_up(0.0, width), _LARGEST[width], _SMALLEST_NORMAL[width]
    epsilon = next_up(1.0, width) - 1.0
    candidates = [lo, hi, lo, hi, next_up(lo, width), -next_up(-hi, width)]
    candidates += [0.0, -0.0, 1.0, -1.0, 0.0, -0.0, 0.5, -0.5, 1.5, 0.1, 1 / 3, 2 / 3, 1e-5, -1e-5, 10.0]
    for power in (11, 24, 31, 53, 63):
        candidates += [2.0**power, 2.0**power + 1, -(2.0**power)]
    candidates += [largest, -largest, tiny, -tiny, normal, -normal, normal - tiny, epsilon, 1 + epsilon]
    candidates += [1 - epsilon / 2, 1e16, 1e22, 1e100, math.sqrt(largest), 1e-100]
    simplest = simplest_float(lo, hi, width)
    if not node.subnormal and 0 < abs(simplest) < normal:
        simplest = math.copysign(normal, simplest)
    edges = [simplest]
    edges += [x for x in (narrow(candidate, width) for candidate in candidates) if fits(node, x)]
    edges += node.infinities * 2
    if node.nan:
        edges += [math.nan] * 4
    return tuple(edges)


def _is_after(a: float, b: float) -> bool:
    """``a > b``, with 0.0 after -0.0."""
    return a > b or (a == b == 0.0 and math.copysign(1, a) > math.copysign(1, b))


def _bound(name: str, value: Any, width: int, exclude: bool, absent: float) -> float:
    if value is None:
        if exclude:
            raise InvalidArgument(
                f"exclude_{name[:3]}=True needs {name}, but none was given; "
                "allow_infinity=False leaves out the infinities"
            )
        return absent
    require_real(name, value)
    try:
        exact = narrow(float(value), width)
    except OverflowError:
        exact = math.inf
    if exact != exact:
        raise InvalidArgument(f"{name} must be a number, not nan")
    if exact != value:
        raise InvalidArgument(
            f"{name}={value!r} is not a float of {width} bits; the nearest one is {name}={exact!r}"
        )
    return exact


def _excluded(name: str, given: Any, bound: float, infinity: float, width: int) -> float:
    """The first float after a lower bound; zeros of either sign are left out together."""
    if bound == infinity:
        raise InvalidArgument(
            f"exclude_{name[:3]}=True with {name}={given!r} leaves no value; choose another bound"
        )
    return next_up(0.0 if bound == 0.0 else bound, width)


def _subnormals_allowed(allow: bool | None, lo: float, hi: float, width: int) -> bool:
    normal = _SMALLEST_NORMAL[width]
    possible = lo < normal and hi > -normal
    if allow and not possible:
        raise InvalidArgument(
            f"allow_subnormal=True, but no value from {lo!r} to {hi!r} is subnormal at width={width}; "
            "leave allow_subnormal out"
        )
    return possible if allow is None else allow


def _without_subnormals(lo: float, hi: float, width: int) -> tuple[float, float]:
    """The bounds moved to the nearest floats inside that are zero or normal."""
    normal = _SMALLEST_NORMAL[width]
    if 0 < lo < normal:
        lo = normal
    elif -normal < lo < 0:
        lo = -0.0
    if -normal < hi < 0:
        hi = -normal
    elif 0 < hi < normal:
        hi = 0.0
    return lo, hi


def _empty(
    min_value: Any,
    max_value: Any,
    width: int,
    exclude_min: bool,
    exclude_max: bool,
    allow_infinity: bool | None,
) -> InvalidArgument:
    options = [f"min_value={min_value!r}", f"max_value={max_value!r}", f"width={width}"]
    options += ["exclude_min=True"] * exclude_min + ["exclude_max=True"] * exclude_max
    options += ["allow_infinity=False"] * (allow_infinity is False)
    return InvalidArgument(
        f"there is no float with {', '.join(options)}; widen the range between min_value and max_value"
    )
