"""Shrinking to fewer steps where that takes larger arguments: the minimum is known by counting."""

from __future__ import annotations

import pytest

from everycase import check, gen
from everycase.run.failures import steps_in
from everycase.stateful import Bundle, RuleBasedStateMachine, consumes, precondition, rule


class Money(RuleBasedStateMachine):
    """Eight deposits of 50, and one audit."""

    def __init__(self):
        super().__init__()
        self.amount = 0

    @rule(x=gen.integers(1, 50))
    def deposit(self, x):
        self.amount += x

    @rule(x=gen.integers(1, 50))
    def withdraw(self, x):
        self.amount = max(0, self.amount - x)

    @rule()
    def audit(self):
        assert self.amount < 400


class Tanks(RuleBasedStateMachine):
    """45 litres take five steps of 9, twice."""

    def __init__(self):
        super().__init__()
        self.first = self.second = 0

    @rule(x=gen.integers(1, 9))
    def fill(self, x):
        self.first = min(60, self.first + x)

    @rule(x=gen.integers(1, 9))
    def pour(self, x):
        moved = min(self.first, x)
        self.first -= moved
        self.second += moved
        assert self.second < 45

    @rule()
    def empty(self):
        self.first = 0


class Bills(RuleBasedStateMachine):
    """Sixty days are nine waits of a week or less, and two bills."""

    def __init__(self):
        super().__init__()
        self.day = self.bills = 0

    @rule(days=gen.integers(1, 7))
    def wait(self, days):
        self.day += days

    @precondition(lambda self: self.day >= 30)
    @rule()
    def bill(self):
        self.day -= 30
        self.bills += 1
        assert self.bills < 2


class Blocks(RuleBasedStateMachine):
    """Fifty are seven blocks of 8, or nearly."""

    blocks = Bundle("blocks")

    def __init__(self):
        super().__init__()
        self.used = 0

    @rule(target=blocks, size=gen.sampled_from([1, 2, 4, 8]))
    def allocate(self, size):
        self.used += size
        assert self.used < 50
        return size

    @rule(size=consumes(blocks))
    def free(self, size):
        self.used -= size


class Editor(RuleBasedStateMachine):
    """Thirty letters are five words, and one save."""

    def __init__(self):
        super().__init__()
        self.text = ""

    @rule(word=gen.text("ab", max_size=6))
    def write(self, word):
        self.text += word

    @rule(count=gen.integers(0, 3))
    def delete(self, count):
        self.text = self.text[: len(self.text) - count]

    @rule()
    def save(self):
        assert len(self.text) < 30


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("machine", "fewest"), [(Money, 9), (Tanks, 10), (Bills, 11), (Blocks, 7), (Editor, 6)]
)
def test_fewer_steps_with_larger_arguments_are_found(machine, fewest, seed):
    report = check(machine, seed=seed, database=None)
    assert report.status == "failed"
    assert steps_in(report.failures[0].trace) == fewest
