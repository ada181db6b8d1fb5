"""Strategies whose structure is not known: Hypothesis runs them, and asks us for each of its choices.

Hypothesis makes every value from five kinds of choices (an integer, a boolean, a float, a string, bytes). A
provider that answers each of them with a draw from the generator with the same constraints turns any strategy
into a function that draws, a ``composite``. So its values are recorded, replayed, searched and shrunk like
any others.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from everycase.bridges.hypothesis.private import (
    PrimitiveProvider,
    StopTest,
    Strategy,
    UnsatisfiedAssumption,
    draw_with,
)
from everycase.errors import Discarded
from everycase.gen import unicode
from everycase.gen.base import Gen
from everycase.gen.composition import frequency, one_of
from everycase.gen.floating import make_float
from everycase.gen.kinds import Composite, Int
from everycase.gen.scalars import booleans, just
from everycase.gen.show import described
from everycase.gen.strings import binary, from_alphabet, text

#: Hypothesis represents "no limit" by a number about this large.
_NO_LIMIT = 10**9


def opaque(strategy: Strategy) -> Gen[Any]:
    """The generator of a strategy that Hypothesis runs itself."""
    return described(Composite(drive, (strategy,), {}), "from_strategy", strategy)


def drive(draw: Callable[..., Any], strategy: Strategy) -> Any:
    """One value of a strategy, each choice of which is a draw."""
    try:
        return draw_with(Draws(draw), strategy)
    except (StopTest, UnsatisfiedAssumption):
        raise Discarded(f"{strategy!r} gave up") from None


class Draws(PrimitiveProvider):
    """Answers the choices of Hypothesis by draws."""

    def __init__(self, draw: Callable[..., Any]) -> None:
        super().__init__(None)
        self._draw = draw

    def draw_boolean(self, p: float = 0.5) -> bool:
        return bool(self._draw(_boolean(p)))

    def draw_integer(
        self,
        min_value: int | None = None,
        max_value: int | None = None,
        *,
        weights: dict[int, float] | None = None,
        shrink_towards: int = 0,
    ) -> int:
        shares = None if weights is None else tuple(weights.items())
        return int(self._draw(_integer(min_value, max_value, shares, shrink_towards)))

    def draw_float(
        self,
        *,
        min_value: float = -math.inf,
        max_value: float = math.inf,
        allow_nan: bool = True,
        smallest_nonzero_magnitude: float,
    ) -> float:
        # Compared by their text, because -0.0 equals 0.0.
        return float(
            self._draw(float_choice(repr(min_value), repr(max_value), allow_nan, smallest_nonzero_magnitude))
        )

    def draw_string(self, intervals: Any, *, min_size: int = 0, max_size: int = _NO_LIMIT) -> str:
        ranges = tuple((start, stop + 1) for start, stop in intervals.intervals)
        return str(self._draw(_string(ranges, min_size, max_size)))

    def draw_bytes(self, min_size: int = 0, max_size: int = _NO_LIMIT) -> bytes:
        return bytes(self._draw(_bytes(min_size, max_size)))


@lru_cache(maxsize=1024)
def _boolean(p: float) -> Gen[bool]:
    if p <= 0 or p >= 1:
        return just(p >= 1)
    return booleans() if p == 0.5 else frequency((1 - p, just(False)), (p, just(True)))


@lru_cache(maxsize=1024)
def _integer(
    low: int | None, high: int | None, shares: tuple[tuple[int, float], ...] | None, towards: int
) -> Gen[int]:
    if low is not None:
        towards = max(low, towards)
    if high is not None:
        towards = min(high, towards)
    from everycase.gen.scalars import edges

    whole: Gen[int] = Int(low, high, towards, edges(low, high, towards))
    if shares is None:
        return whole
    named = sum(share for _, share in shares)
    options = [(share, just(value)) for value, share in shares if share > 0]
    return frequency((max(1 - named, 1e-3), whole), *options)


@lru_cache(maxsize=1024)
def float_choice(low: str, high: str, nan: bool, smallest: float) -> Gen[float]:
    """The floats of a range; the bounds as text, because 0.0 and -0.0 are different bounds."""
    least, most = float(low), float(high)
    infinities = tuple(x for x in (math.inf, -math.inf) if x in (least, most))
    largest = 1.7976931348623157e308
    lo, hi = max(least, -largest), min(most, largest)
    if lo > hi:
        return just(least)  # only an infinity
    whole: Gen[float] = make_float(lo, hi, nan=nan, infinities=infinities)
    if smallest <= 5e-324:
        return whole
    fine = one_of(whole, just(0.0)) if lo <= 0 <= hi else whole
    return fine.filter(lambda x: x != x or x == 0 or abs(x) >= smallest)


@lru_cache(maxsize=256)
def _string(ranges: unicode.Ranges, min_size: int, max_size: int) -> Gen[str]:
    longest = None if max_size >= _NO_LIMIT else max_size
    if not ranges:
        return text("", max_size=0)
    return text(from_alphabet(unicode.Alphabet(ranges)), min_size=min_size, max_size=longest)


@lru_cache(maxsize=256)
def _bytes(min_size: int, max_size: int) -> Gen[bytes]:
    return binary(min_size=min_size, max_size=None if max_size >= _NO_LIMIT else max_size)
