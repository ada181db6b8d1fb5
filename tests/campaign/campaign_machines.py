"""Properties on covering arrays and state machines. Workers import them by name."""

from __future__ import annotations

import os

from everycase import gen, given, settings
from everycase.explore import Covering, Exhaustive, Orders
from everycase.stateful import RuleBasedStateMachine, rule

FAST = settings(database=None)


@settings(FAST, explore=Covering(strength=2))
@given(*[gen.integers(0, 5) for _ in range(5)])
def covers(a, b, c, d, e):
    assert not (a == 3 and c == 4)


class Counter(RuleBasedStateMachine):
    """A counter that fails after three increments in a row."""

    def __init__(self):
        super().__init__()
        self.ups = 0

    @rule()
    def up(self):
        self.ups += 1
        assert self.ups < 4

    @rule()
    def down(self):
        self.ups = 0


class Wandering(Counter):
    pass


class Ordered(Counter):
    pass


settings(FAST, explore=Exhaustive(max_size=5))(Counter)
settings(FAST, max_examples=300)(Wandering)
settings(FAST, explore=Orders(strength=2))(Ordered)


@settings(FAST, max_examples=100)
class Fuse(RuleBasedStateMachine):
    """Its process dies."""

    lit = 0

    @rule()
    def light(self):
        self.lit += 1

    @rule()
    def wait(self):
        if self.lit >= 3:
            os._exit(5)

    @rule(n=gen.integers())
    def idle(self, n):
        pass
