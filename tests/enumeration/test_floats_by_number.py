"""Floats by index: each float exactly once, simple ones first."""

from __future__ import annotations

import math
import random
import struct
from itertools import islice

import pytest

from everycase import gen
from everycase.enumeration import trace_at

RANGES = [
    {},
    {"min_value": -2.0, "max_value": 3.5},
    {"min_value": 0.5},
    {"max_value": -0.25, "allow_infinity": False},
    {"min_value": 0.0},
    {"max_value": -0.0},
    {"allow_subnormal": False},
    {"min_value": -1.0, "max_value": 1.0, "allow_subnormal": False},
    {"min_value": 4.0, "max_value": 40000.0},
]


@pytest.mark.parametrize("options", RANGES, ids=str)
def test_all_floats_of_sixteen_bits_each_once(options):
    source = gen.floats(width=16, **options)
    patterns = [struct.unpack("<e", struct.pack("<H", bits))[0] for bits in range(2**16)]
    expected = {repr(value) for value in patterns if source.fits(value)}
    found = [repr(value) for value in source]
    assert len(found) == len(set(found)) == source.cardinality
    assert set(found) == expected


@pytest.mark.parametrize("width", [32, 64])
@pytest.mark.parametrize("options", RANGES, ids=str)
def test_index_is_the_inverse(width, options):
    source = gen.floats(width=width, **options)
    rng = random.Random(5)
    count = source.cardinality
    for i in [*range(40), *(rng.randrange(count) for _ in range(200)), count - 1]:
        value = source[i]
        assert source.fits(value)
        assert source.index(value) == i
        assert trace_at(source, i).choice is not None


def test_counts_and_order():
    assert gen.floats().cardinality == 2 * 2047 * 2**52 + 2 + 1, "finite ones, infinities, and one nan"
    assert [repr(x) for x in islice(gen.floats(), 6)] == ["0.0", "-0.0", "1.0", "-1.0", "2.0", "-2.0"]
    assert math.isnan(gen.floats()[-1])
    assert list(islice(gen.floats(0.25, 0.75), 3)) == [0.5, 0.25, 0.75]


def test_floats_inside_of_structures():
    pairs = gen.lists(gen.floats())
    assert pairs.cardinality == math.inf
    assert pairs.index(pairs[12345]) == 12345
    assert [gen.floats().of_size(n).cardinality for n in range(4)] == [1, 1, 2, 4]
