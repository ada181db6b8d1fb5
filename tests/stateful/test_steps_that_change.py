"""Machines whose steps depend on more than the steps before them: not every sequence was taken."""

from __future__ import annotations

import itertools
import random

import pytest

from everycase import assume, check, gen
from everycase.explore import Exhaustive
from everycase.stateful import Bundle, RuleBasedStateMachine, multiple, precondition, rule


def swapped(ask):
    """The same number of rules apply as before, but different ones."""

    class Swapped(RuleBasedStateMachine):
        def __init__(self):
            super().__init__()
            self.on = ask()

        @precondition(lambda self: self.on)
        @rule()
        def stop(self):
            pass

        @precondition(lambda self: not self.on)
        @rule()
        def start(self):
            pass

    return Swapped


def mapped(ask):
    class Mapped(RuleBasedStateMachine):
        @rule(n=gen.integers(0, 1).map(lambda n: n + 10 * ask()))
        def add(self, n):
            pass

    return Mapped


def composed(ask):
    @gen.composite
    def some(draw):
        return draw(gen.integers(0, 1 + ask()))

    class Composed(RuleBasedStateMachine):
        @rule(n=some())
        def add(self, n):
            pass

    return Composed


def drawn(ask):
    class Drawn(RuleBasedStateMachine):
        @rule(data=gen.data())
        def add(self, data):
            data.draw(gen.integers(0, 1) if ask() else gen.integers(5, 6))

    return Drawn


def assumed(ask):
    class Assumed(RuleBasedStateMachine):
        @rule(n=gen.integers(0, 1))
        def add(self, n):
            assume(not n or ask())

    return Assumed


def kept(ask):
    """How many things there are depends on more than the steps."""

    class Kept(RuleBasedStateMachine):
        things = Bundle("things")

        @rule(target=things)
        def add(self):
            return multiple() if ask() else 1

        @rule(thing=things)
        def use(self, thing):
            pass

    return Kept


def by_counter():
    turns = itertools.count(1)
    return lambda: next(turns) % 7 == 0


def by_list():
    calls = []
    return lambda: calls.append(1) or len(calls) > 9


def by_global_random():
    return lambda: random.random() < 0.5


@pytest.mark.parametrize("make", [swapped, mapped, composed, drawn, assumed, kept])
@pytest.mark.parametrize("source", [by_counter, by_list, by_global_random])
def test_not_every_sequence_was_taken(make, source):
    report = check(make(source()), explore=Exhaustive(max_size=3), database=None, seed=0)
    assert report.status == "passed" and not report.exhaustive and not report.covered
    assert "not exhaustive (" in str(report)


def rarely():
    return lambda: random.random() < 1e-9


@pytest.mark.parametrize("make", [swapped, assumed, kept])
def test_rules_that_toss_a_coin_are_known_by_their_code(make):
    report = check(make(rarely()), explore=Exhaustive(max_size=2), database=None, seed=0)
    assert report.status == "passed" and not report.exhaustive and "uses random.random" in report.doubt


def test_an_argument_that_cannot_be_made_again_is_not_the_fault_of_the_test():
    dice = random.Random(5)
    machine = composed(lambda: dice.random() < 0.5)
    report = check(machine, explore=Exhaustive(), max_examples=300, database=None, seed=0)
    assert not report.failures and not report.exhaustive


def test_results_of_rules_are_no_reason_for_doubt():
    class Results(RuleBasedStateMachine):
        @precondition(lambda self: True)
        @rule()
        def ask(self):
            self.answer = random.random()

    report = check(Results, explore=Exhaustive(max_size=2), database=None)
    assert report.exhaustive and report.examples == 3
