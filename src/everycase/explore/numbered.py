"""The values of a space that is not too large, by number."""

from __future__ import annotations

import math
import random as stdlib_random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from everycase.choices.time_limit import OutOfTime, look, planning
from everycase.enumeration import fits
from everycase.enumeration.counting import space_of
from everycase.enumeration.decode import record_at, value_at
from everycase.explore.case import Case
from everycase.gen.base import Gen

#: Spaces of at most this many values are numbered when rolling makes nothing new.
NUMBERED = 1 << 32


class Counting:
    """Finds out whether a run could test all values, and does not take long for it."""

    def __init__(self) -> None:
        #: how many seconds that may take if user code is slow, and in any case
        self.soon = self.last = math.inf
        #: whether it took too long (workers on the same run are told)
        self.given_up = False

    def fits(self, gen: Gen[Any], budget: int) -> bool:
        """Whether a generator has at most this many values. If user code is so slow that it takes long to find out,
        there are more."""
        if self.given_up and gen._space is None:
            return False
        with self.ending_soon():
            return fits(gen, budget)
        self.given_up = True
        return False

    @contextmanager
    def ending_soon(self) -> Iterator[None]:
        """The work inside is cut short if user code is slow, and then all later such work."""
        now = time.perf_counter()
        try:
            with planning(now + self.soon, now + self.last):
                yield
        except OutOfTime:
            look()  # the time of the whole run may be up
            self.soon = 0.0


def shuffled(gen: Gen[Any], seed: int, counting: Counting) -> Iterator[Case]:
    """All values of a space that is not too large, each once, in a random order."""
    if not counting.fits(gen, NUMBERED):
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
