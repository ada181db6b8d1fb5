"""Which floats are generated: the same ones as by Hypothesis with the same options."""

from __future__ import annotations

import itertools
import math
import random

import hypothesis.strategies as st
import pytest
from hypothesis.errors import InvalidArgument as HypothesisInvalidArgument

from everycase import gen
from everycase.choices.dice import simplest
from everycase.choices.floats import float_order
from everycase.choices.sample import sampler
from everycase.errors import InvalidArgument
from everycase.gen.floating import fits, narrow, next_up, simplest_float
from everycase.gen.kinds import Float

BOUNDS = [None, -math.inf, math.inf, 0.0, -0.0, 1.0, -1.0, 5e-324, 2.0**-15, -0.25, 65504.0, 1e300, 0.1]
FLAGS = [(False, False, None), (True, False, True), (False, True, False), (True, True, None)]


def accepted_by_hypothesis(low: float | None, high: float | None, options: dict[str, object]) -> bool:
    try:
        st.floats(low, high, **options).validate()  # type: ignore[arg-type]
    except (HypothesisInvalidArgument, OverflowError):
        return False
    return True


@pytest.mark.parametrize("width", [16, 32, 64])
@pytest.mark.parametrize("subnormal", [None, True, False])
def test_options_mean_what_they_mean_in_hypothesis(width: int, subnormal: bool | None) -> None:
    for low, high, (no_min, no_max, infinity) in itertools.product(BOUNDS, BOUNDS, FLAGS):
        options = {
            "width": width,
            "allow_subnormal": subnormal,
            "exclude_min": no_min,
            "exclude_max": no_max,
            "allow_infinity": infinity,
        }
        # A range of nothing but subnormals without subnormals is empty; only we say so.
        empty = (
            subnormal is False
            and low is not None
            and low == high
            and 0 < low < {16: 2**-14}.get(width, 1e-37)
        )
        expected = accepted_by_hypothesis(low, high, options) and not empty
        try:
            node = gen.floats(low, high, **options)  # type: ignore[arg-type]
        except InvalidArgument:
            assert not expected, (low, high, options)
            continue
        assert expected, (low, high, options)
        if not isinstance(node, Float):
            continue
        roll, dice = sampler(node), random.Random(0).random
        first = roll(simplest, 0)
        for value in [first, *node.edges, *(roll(dice, 10) for _ in range(20))]:
            assert fits(node, value)
            assert float_order(first) <= float_order(value)
            if low is not None and not math.isnan(value):
                assert value > low if no_min else value >= low
            if high is not None and not math.isnan(value):
                assert value < high if no_max else value <= high


def test_defaults_allow_what_the_bounds_leave_open() -> None:
    def kinds(node: gen.Gen[float]) -> set[str]:
        found = set()
        for x in node.sample(3000, seed=0):
            found.add("nan" if math.isnan(x) else repr(x) if math.isinf(x) or x == 0 else "number")
        return found

    assert kinds(gen.floats()) == {"nan", "inf", "-inf", "0.0", "-0.0", "number"}
    assert kinds(gen.floats(0)) == {"inf", "0.0", "number"}
    assert kinds(gen.floats(-0.0)) == {"inf", "0.0", "-0.0", "number"}
    assert kinds(gen.floats(max_value=-1)) == {"-inf", "number"}
    assert kinds(gen.floats(-1, 1)) == {"0.0", "-0.0", "number"}
    assert kinds(gen.floats(allow_nan=False, allow_infinity=False)) == {"0.0", "-0.0", "number"}


def test_zeros_of_both_signs_are_told_apart_by_the_bounds() -> None:
    assert {repr(x) for x in gen.floats(0.0, 0.0).sample(50, seed=0)} == {"0.0"}
    assert {repr(x) for x in gen.floats(-0.0, -0.0).sample(50, seed=0)} == {"-0.0"}
    assert {repr(x) for x in gen.floats(-0.0, 0.0).sample(50, seed=0)} == {"0.0", "-0.0"}
    assert {repr(x) for x in gen.floats(0.0, 5e-324).sample(50, seed=0)} == {"0.0", "5e-324"}


@pytest.mark.parametrize("width", [16, 32, 64])
def test_next_up_agrees_with_the_standard_library(width: int) -> None:
    for value in [0.0, 1.0, -1.0, 0.25, -0.25, 100.0, 65504.0, -65504.0]:
        above = next_up(value, width)
        assert above > value
        assert narrow(above, width) == above
        assert not value < narrow((value + above) / 2, width) < above
        if width == 64:
            assert above == math.nextafter(value, math.inf)
    assert repr(next_up(-0.0, width)) == "0.0"


def test_the_simplest_float_of_a_range_is_the_first_in_order() -> None:
    """Brute force: no float with up to four decimals in the range comes before it."""
    dice = random.Random(1)
    for _ in range(300):
        low = dice.randrange(-30000, 30000) / 10 ** dice.randrange(5)
        high = low + dice.random() ** 4 * 3
        candidates = {low, high} | {
            n / 10000 for n in range(math.ceil(low * 10000), math.floor(high * 10000), 20)
        }
        candidates |= {n / 8 for n in range(math.ceil(low * 8), math.floor(high * 8) + 1)}
        candidates |= {n / 10 for n in range(math.ceil(low * 10), math.floor(high * 10) + 1)}
        best = simplest_float(low, high)
        assert low <= best <= high
        assert float_order(best) <= min(float_order(x) for x in candidates if low <= x <= high)


@pytest.mark.parametrize("low", [1e308, -1.7976931348623157e308, 1.7976931348623157e308])
def test_ranges_near_the_largest_float_are_sampled(low: float) -> None:
    for node in (
        gen.floats(low, allow_infinity=False),
        gen.floats(low, abs(low)),
        gen.floats(-abs(low), max(-low, low)),
    ):
        assert all(isinstance(x, float) and math.isfinite(x) for x in node.sample(60, seed=0)), node
    assert min(gen.floats(low, allow_infinity=False).sample(60, seed=0)) >= low
