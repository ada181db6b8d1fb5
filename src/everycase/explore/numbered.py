"""The values of a space that is not too large, by number."""

from __future__ import annotations

import math
import random as stdlib_random
from collections.abc import Iterator
from typing import Any

from everycase.enumeration import fits
from everycase.enumeration.counting import space_of
from everycase.enumeration.decode import record_at, value_at
from everycase.explore.case import Case
from everycase.gen.base import Gen

#: Spaces of at most this many values are numbered when rolling makes nothing new.
NUMBERED = 1 << 32


def shuffled(gen: Gen[Any], seed: int) -> Iterator[Case]:
    """All values of a space that is not too large, each once, in a random order."""
    if not fits(gen, NUMBERED):
        return
    counted = space_of(gen)
    total = int(counted.count)
    random = stdlib_random.Random(f"everycase numbers {seed}").random
    step = 1 + int(random() * (total - 1)) if total > 1 else 1
    while math.gcd(step, total) != 1:
        step += 1
    place = int(random() * total)
    for _ in range(total):
        place = (place + step) % total
        yield _case_at(counted, place)


def _case_at(counted: Any, place: int) -> Case:
    case = Case(value_at(counted, place), lambda: record_at(counted, place))
    case.index = place
    return case
