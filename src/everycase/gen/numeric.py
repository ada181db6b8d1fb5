"""Decimals, fractions and UUIDs. Their modules are imported by the first call."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from everycase.errors import InvalidArgument
from everycase.gen.base import Gen
from everycase.gen.collections import tuples
from everycase.gen.kinds import Bind, Const, Filter, Int, Map, Union
from everycase.gen.scalars import integers
from everycase.gen.show import described
from everycase.gen.validate import require_bool, require_count, require_int, require_ordered, require_real

if TYPE_CHECKING:
    from decimal import Decimal
    from fractions import Fraction
    from uuid import UUID

#: Maximum of ``places``: numbers with more digits take long to compute with.
MOST_GIVEN_PLACES = 100_000
#: Maximum number of decimal places, unless a bound has more.
_MOST_PLACES = 12


def decimals(
    min_value: Decimal | float | str | None = None,
    max_value: Decimal | float | str | None = None,
    *,
    allow_nan: bool | None = None,
    allow_infinity: bool | None = None,
    places: int | None = None,
) -> Gen[Decimal]:
    """Decimals, from ``min_value`` to ``max_value`` if given, with exactly ``places`` decimal places if
    given.

    By default nan is allowed if there is no bound, and an infinity if there is no bound on its side. Without
    ``places`` there are up to twelve decimal places, or as many as a bound has. Zero is the simplest, then
    whole numbers.

    >>> from decimal import Decimal
    >>> prices = decimals("0.01", "9.99", places=2)
    >>> all(Decimal("0.01") <= price <= Decimal("9.99") for price in prices.sample(50, seed=0))
    True
    """
    low, high = _decimal_bound("min_value", min_value), _decimal_bound("max_value", max_value)
    require_ordered("min_value", low, "max_value", high)
    if places is not None:
        require_count("places", places)
        if places > MOST_GIVEN_PLACES:
            raise InvalidArgument(f"places={places} must be at most {MOST_GIVEN_PLACES:,}")
    for name, flag in (("allow_nan", allow_nan), ("allow_infinity", allow_infinity)):
        if flag is not None:
            require_bool(name, flag)
    if allow_nan and (low is not None or high is not None):
        raise InvalidArgument(
            "allow_nan=True contradicts min_value and max_value, because nan is not between them"
        )
    if allow_infinity and low is not None and high is not None:
        raise InvalidArgument(
            "allow_infinity=True contradicts min_value and max_value; leave out one of them"
        )
    node: Gen[Decimal] = _finite_decimals(low, high, places)
    special: list[Gen[Decimal]] = []
    if places is None:
        from decimal import Decimal

        if allow_infinity is not False:
            special += [_as_long_as_a_number(Decimal("Infinity"))] * (high is None)
            special += [_as_long_as_a_number(Decimal("-Infinity"))] * (low is None)
        if allow_nan or (allow_nan is None and low is None and high is None):
            special.append(_as_long_as_a_number(Decimal("NaN")))
    if special:
        node = Union((node, *special), (30.0, *(1.0 for _ in special)))
    return described(
        node,
        "decimals",
        min_value=min_value,
        max_value=max_value,
        allow_nan=allow_nan,
        allow_infinity=allow_infinity,
        places=places,
    )


def _as_long_as_a_number(value: Decimal) -> Gen[Decimal]:
    """A constant with two unused choices: numbers make two, and fewer choices would count as simpler."""
    idle = tuples(Int(0, 0, 0), Int(0, 0, 0))
    return Map(idle, lambda _: value, lambda same: _idle(value, same), share=True)


def _idle(value: Decimal, same: Decimal) -> tuple[int, int]:
    if repr(same) != repr(value):
        raise LookupError(same)
    return (0, 0)


def _finite_decimals(low: Decimal | None, high: Decimal | None, places: int | None) -> Gen[Decimal]:
    from decimal import Decimal

    def with_places(n: int) -> Gen[Decimal]:
        least, most = _scaled_bounds(low, high, 10**n)
        return Map(
            integers(least, most),
            # Exact, whatever the precision of the current context is, and however many digits there are.
            lambda units: Decimal((units < 0, Decimal(units).as_tuple().digits, -n)),
            lambda value: int(_exact(value) * 10**n),
            share=True,
        )

    def exists(n: int) -> bool:
        least, most = _scaled_bounds(low, high, 10**n)
        return least is None or most is None or least <= most

    if places is not None:
        if not exists(places):
            raise InvalidArgument(
                f"there is no decimal with places={places} from min_value={low} to max_value={high}; "
                "allow more places or widen the range"
            )
        return with_places(places)
    longest = max(_MOST_PLACES, *(-int(b.as_tuple().exponent) for b in (low, high) if b is not None), 0)
    shortest = next(n for n in range(longest + 1) if exists(n))
    return Bind(integers(shortest, longest), with_places)


def _scaled_bounds(low: Any, high: Any, scale: int) -> tuple[int | None, int | None]:
    """The least and the greatest integer n for which ``n / scale`` is between two bounds."""
    least = None if low is None else math.ceil(_exact(low) * scale)
    most = None if high is None else math.floor(_exact(high) * scale)
    return least, most


def _exact(value: Any) -> Fraction:
    from fractions import Fraction

    return Fraction(value)


def _decimal_bound(name: str, value: Any) -> Decimal | None:
    from decimal import Decimal, InvalidOperation

    if value is None:
        return None
    if not isinstance(value, str):
        require_real(name, value)
    try:
        bound = Decimal(repr(value) if isinstance(value, float) else value)
    except (InvalidOperation, TypeError, ValueError):
        raise InvalidArgument(f"{name}={value!r} is not a decimal number; write {name}='1.50'") from None
    if not bound.is_finite():
        raise InvalidArgument(f"{name}={value!r} must be finite; leave it out for no bound")
    return bound


def fractions(
    min_value: Fraction | float | str | None = None,
    max_value: Fraction | float | str | None = None,
    *,
    max_denominator: int | None = None,
) -> Gen[Fraction]:
    """Fractions, from ``min_value`` to ``max_value`` if given. Zero is the simplest, then whole numbers.

    >>> from fractions import Fraction
    >>> all(0 <= x <= 1 and x.denominator < 9 for x in fractions(0, 1, max_denominator=8).sample(50, seed=0))
    True
    """
    from fractions import Fraction

    low, high = _fraction_bound("min_value", min_value), _fraction_bound("max_value", max_value)
    require_ordered("min_value", low, "max_value", high)
    if max_denominator is not None:
        require_int("max_denominator", max_denominator)
        if max_denominator < 1:
            raise InvalidArgument(f"max_denominator={max_denominator} must be at least 1")
        for name, bound in (("min_value", low), ("max_value", high)):
            if bound is not None and bound.denominator > max_denominator:
                raise InvalidArgument(
                    f"{name}={bound} has a denominator greater than max_denominator={max_denominator}; "
                    f"the nearest valid fraction is {bound.limit_denominator(max_denominator)}"
                )

    def over(denominator: int) -> Gen[Fraction]:
        least, most = _scaled_bounds(low, high, denominator)
        return Map(
            integers(least, most),
            lambda numerator: Fraction(numerator, denominator),
            lambda value: int(value * denominator),
            share=True,
        )

    node: Gen[Fraction]
    if low is not None and low == high:
        node = Const(low)  # not once for each multiple of its denominator
    else:
        node = Bind(_denominators(low, high, max_denominator), over)
    return described(
        node, "fractions", min_value=min_value, max_value=max_value, max_denominator=max_denominator
    )


def _denominators(low: Fraction | None, high: Fraction | None, most: int | None) -> Gen[int]:
    """The denominators for which there is a fraction between two bounds."""
    if low is None or high is None or high - low >= 1:
        return integers(1, most)
    step = low.denominator
    if most is None:
        # For a multiple of a bound's own denominator there is at least the bound itself.
        return Map(integers(1, None), lambda n: n * step, lambda n: n // step, share=True)
    if (high - low) * most >= 4:
        return Filter(integers(1, most), lambda n: math.ceil(_exact(low) * n) <= math.floor(_exact(high) * n))
    multiples = [
        Map(Int(1, most // bound.denominator, 1), bound.denominator.__mul__, share=True)
        for bound in (low, high)
    ]
    return Union(tuple(multiples))


def _fraction_bound(name: str, value: Any) -> Fraction | None:
    from fractions import Fraction

    if value is None:
        return None
    if not isinstance(value, str):
        require_real(name, value)
    try:
        return Fraction(value)
    except (ValueError, OverflowError, ZeroDivisionError):
        raise InvalidArgument(f"{name}={value!r} is not a finite fraction; write {name}='1/3'") from None


def uuids(*, version: int | None = None, allow_nil: bool = False) -> Gen[UUID]:
    """UUIDs, of one version (1 to 5) if given. The nil UUID is included only with ``allow_nil``.

    >>> {u.version for u in uuids(version=4).sample(50, seed=0)}
    {4}
    """
    from uuid import UUID

    require_bool("allow_nil", allow_nil)
    if version is None:
        least = 0 if allow_nil else 1
        node = Map(Int(least, 2**128 - 1, least), lambda n: UUID(int=n), lambda u: u.int, share=True)
        return described(node, "uuids", allow_nil=allow_nil or None)
    if version not in (1, 2, 3, 4, 5) or type(version) is not int:
        raise InvalidArgument(f"version={version!r} must be a number from 1 to 5, or None for any")
    if allow_nil:
        raise InvalidArgument(
            "allow_nil=True contradicts version, because the nil UUID has no version; give only one"
        )

    def make(n: int) -> UUID:
        # 48 free bits, the version, 12 free bits, the variant, 62 free bits.
        return UUID(
            int=n >> 74 << 80 | version << 76 | (n >> 62 & 0xFFF) << 64 | 0b10 << 62 | n & (1 << 62) - 1
        )

    def bits(u: UUID) -> int:
        return u.int >> 80 << 74 | (u.int >> 64 & 0xFFF) << 62 | u.int & (1 << 62) - 1

    return described(Map(Int(0, 2**122 - 1, 0), make, bits, share=True), "uuids", version=version)
