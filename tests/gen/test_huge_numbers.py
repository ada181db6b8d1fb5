"""Numbers of more digits than Python converts to text."""

from __future__ import annotations

from decimal import Decimal

import pytest

from everycase import check, find, gen
from everycase.explore import Narrow

HUGE = 10**5000


@pytest.mark.parametrize("places", [None, 2])
def test_decimals_may_have_any_number_of_digits(places):
    made = gen.decimals(Decimal(HUGE), places=places, allow_infinity=False, allow_nan=False)
    assert all(value >= HUGE for value in made.sample(10, seed=0))
    report = check(lambda value: value < HUGE, made, database=None, seed=0, max_examples=10)
    assert report.status == "failed" and "1" + 100 * "0" in str(report)


def test_fractions_may_have_any_number_of_digits():
    assert find(gen.fractions(HUGE), lambda value: True, explore=Narrow()) >= HUGE
