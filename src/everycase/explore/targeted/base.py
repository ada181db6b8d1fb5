"""A base: a value that a search may move from, and how the first one is made."""

from __future__ import annotations

import math
from typing import Any

from everycase.choices.dice import size_for_length
from everycase.choices.trace import Trace
from everycase.explore.protocol import Case, Outcome, Space
from everycase.gen.facts import facts
from everycase.gen.kinds import List

#: Maximum length of lists in a fresh value of a search, and its size budget if there is a recursion: large
#: enough to have something to change, small enough to change it. Random testing prefers shorter lists.
START_LENGTH = START_SIZE = 48

#: The weight of the last gain in the running mean.
RECENTLY = 0.3


class Base:
    """A value that the search may move from, and its utilities."""

    __slots__ = ("trace", "utilities", "valid")

    def __init__(self, trace: Trace[Any], outcome: Outcome) -> None:
        self.trace = trace
        self.utilities = outcome.utilities
        #: whether the test ran to its end; neighbours of a discarded value are often discarded, too
        self.valid = outcome.status != "discarded"


def better(one: Base, other: Base) -> bool:
    """Whether there is a label in which it is better."""
    return any(worth > other.utilities.get(label, -math.inf) for label, worth in one.utilities.items())


def fresh_case(space: Space) -> Case:
    """A value to begin with."""
    how = "start of a search"
    if facts(space.gen).recursive:
        return space.enact(None, size=START_SIZE, how=how)
    case = space.enact(None, size=size_for_length(START_LENGTH), how=how)
    if case.trace is not None and _has_too_long_a_list(case.trace):
        # A list is sometimes as long as its budget, which is large here.
        case = space.enact(None, size=START_SIZE, how=how)
    return case


def _has_too_long_a_list(trace: Trace[Any]) -> bool:
    pending: list[Any] = [trace]
    while pending:
        node = pending.pop()
        below = node.children
        if below:
            gen = node.gen
            if type(gen) is List and gen.max_size is None and len(below) > gen.min_size + START_LENGTH:
                return True
            pending += below
    return False


class Gains:
    """How much a kind of step has gained recently, per test."""

    def __init__(self) -> None:
        self.rate = 0.0

    def learn(self, gain: float, tests: int) -> None:
        if tests and math.isfinite(gain):
            self.rate += RECENTLY * (gain / tests - self.rate)
