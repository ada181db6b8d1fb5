"""The order of simplicity among floats."""

from __future__ import annotations

import math
import random
import struct

from everycase.choices.floats import float_order


def test_readable_floats_come_first() -> None:
    ladder = [0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 100.0, 2.0**52, 0.5, -0.5, 1.5, 0.1, 0.2, 0.25, 0.125, 0.3333]
    ladder += [0.1 + 0.2, 2.0**53, 1e300, -1e300, math.inf, -math.inf, math.nan]
    shuffled = ladder[7:] + ladder[:7]
    assert [repr(x) for x in sorted(shuffled, key=float_order)] == [repr(x) for x in ladder]


def test_different_floats_have_different_keys() -> None:
    bits = random.Random(0).getrandbits
    values = {struct.unpack("<d", bits(64).to_bytes(8, "little"))[0] for _ in range(20_000)}
    values |= {n / 8 for n in range(-500, 500)} | {n / 10 for n in range(-500, 500)}
    finite = [x for x in values if x == x]
    assert len({float_order(x) for x in finite}) == len(finite)
