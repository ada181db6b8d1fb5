"""How floats roll, and which of two is simpler."""

from __future__ import annotations

from everycase.choices.dice import Random, Roll
from everycase.gen.kinds import Float


def float_dice(node: Float) -> Roll:
    lo, hi = max(node.lo, -1e6), min(node.hi, 1e6)

    def roll(random: Random, size: int) -> float:
        return lo + random() * (hi - lo)

    return roll
