"""Numbers, times and shares as people write them."""

from __future__ import annotations

from collections.abc import Sequence


def number(value: float) -> str:
    """A number as people write it.

    >>> number(1234567), number(0.25), number(3.0), number(1.5e-7)
    ('1,234,567', '0.25', '3', '1.5e-07')
    """
    if float(value).is_integer() and abs(value) < 1e15:
        return f"{int(value):,}"
    return f"{value:,.4g}" if 1e-3 <= abs(value) < 1e6 else f"{value:.3g}"


def duration(seconds: float) -> str:
    """A time as people write it.

    >>> duration(0.0000021), duration(0.004), duration(2.5), duration(4000)
    ('2.1 µs', '4 ms', '2.5 s', '1 h 6 min')
    """
    if seconds < 1e-3:
        return f"{seconds * 1e6:.3g} µs"
    if seconds < 1:
        return f"{seconds * 1e3:.3g} ms"
    if seconds < 120:
        return f"{seconds:.3g} s"
    minutes = int(seconds // 60)
    return f"{minutes // 60} h {minutes % 60} min" if minutes >= 60 else f"{minutes} min"


def percent(share: float) -> str:
    """A share as people write it.

    >>> percent(0.05), percent(0.0625), percent(0.00004), percent(0.99999)
    ('5 %', '6.2 %', '0.004 %', '99.999 %')
    """
    if 0 < share < 0.001 or 0.999 < share < 1:
        return f"{float(f'{100 * share:.6f}'):g} %" if share > 0.5 else f"{100 * share:.1g} %"
    return f"{100 * share:.1f}".removesuffix(".0") + " %"


def others_failed(numbers: Sequence[int]) -> str:
    """How many other values failed, given the number for each part.

    >>> others_failed([50]), others_failed([50, 50]), others_failed([1, 50])
    ('50 other values failed too', '50 other values for each failed too', 'at least 1 other value for each failed too')
    """
    few = min(numbers)
    least = "at least " if few != max(numbers) else ""
    values = "other value" if few == 1 else "other values"
    return f"{least}{few:,} {values}{' for each' if len(numbers) > 1 else ''} failed too"
