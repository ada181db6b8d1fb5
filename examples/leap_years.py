"""Leap years: few enough inputs to test them all, so passing is a proof.

Run it with ``python examples/leap_years.py``.
"""

from __future__ import annotations

import calendar

from everycase import check, gen
from everycase.explore import Exhaustive


def is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def is_leap_without_centuries(year: int) -> bool:
    """With a bug: 1900 was not a leap year."""
    return year % 4 == 0


def agrees_with_the_standard_library(year: int) -> None:
    assert is_leap(year) == calendar.isleap(year)


def the_shorter_rule_agrees_too(year: int) -> None:
    assert is_leap_without_centuries(year) == calendar.isleap(year)


if __name__ == "__main__":
    years = gen.integers(1, 4000)
    print(
        check(agrees_with_the_standard_library, years, explore=Exhaustive(), max_examples=4000, database=None)
    )
    print(check(the_shorter_rule_agrees_too, years, explore=Exhaustive(), max_examples=4000, database=None))
