"""Floating point numbers: which ones a range holds."""

from __future__ import annotations

import math

from everycase.gen.base import Gen
from everycase.gen.kinds import Float


def floats(min_value: float | None = None, max_value: float | None = None) -> Gen[float]:
    return Float(
        -1.7976931348623157e308 if min_value is None else float(min_value),
        1.7976931348623157e308 if max_value is None else float(max_value),
        nan=False,
        infinities=(),
        subnormal=True,
        width=64,
        edges=(),
    )


def fits(node: Float, value: float) -> bool:
    if math.isnan(value):
        return node.nan
    if math.isinf(value):
        return value in node.infinities
    return node.lo <= value <= node.hi
