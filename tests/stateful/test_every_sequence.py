"""Exhaustive(max_size=k) on machines: every sequence of at most k steps, or every reachable state of the model."""

from __future__ import annotations

from itertools import product

import pytest

from everycase import assume, check, gen
from everycase.errors import InvalidArgument
from everycase.explore import Exhaustive
from everycase.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    multiple,
    precondition,
    rule,
)


def exhaust(machine, k, **options):
    return check(machine, explore=Exhaustive(max_size=k), database=None, **options)


def logging(log):
    class Logged(RuleBasedStateMachine):
        def __init__(self):
            super().__init__()
            self.steps = ()

        @rule(n=gen.integers(0, 2))
        def add(self, n):
            self.steps += (("add", n),)

        @rule(b=gen.booleans(), c=gen.booleans())
        def put(self, b, c):
            self.steps += (("put", b, c),)

        @rule()
        def clear(self):
            self.steps += (("clear",),)

        def teardown(self):
            log.append(self.steps)

    return Logged


@pytest.mark.parametrize("k", [0, 1, 2, 3])
def test_every_sequence_is_taken_exactly_once(k):
    log = []
    report = exhaust(logging(log), k)
    steps = [("add", n) for n in range(3)] + [("put", b, c) for b in (0, 1) for c in (0, 1)] + [("clear",)]
    expected = [sequence for length in range(k + 1) for sequence in product(steps, repeat=length)]
    assert sorted(log, key=repr) == sorted(
        [
            tuple(("put", bool(step[1]), bool(step[2])) if step[0] == "put" else step for step in sequence)
            for sequence in expected
        ],
        key=repr,
    )
    assert report.exhaustive and report.examples == len(expected)
    assert f"every sequence of at most {k} step" in report.covered
    assert f"{len(expected):,} sequence" in str(report) and "exhaustive" in str(report)


def test_preconditions_prune_and_bundles_count():
    """Compared with a recursion that knows the rules: a stack of at most two, and things that are used or removed."""

    def count(steps, things, height):
        if steps == 0:
            return 1
        total = 1
        if height < 2:
            total += count(steps - 1, things + 1, height + 1)
        total += things * count(steps - 1, things, height)  # use
        total += things * count(steps - 1, things - 1, height - 1) if things else 0  # take
        return total

    class Stack(RuleBasedStateMachine):
        things = Bundle("things")

        def __init__(self):
            super().__init__()
            self.there = []

        @precondition(lambda self: len(self.there) < 2)
        @rule(target=things)
        def push(self):
            self.there.append(object())
            return self.there[-1]

        @rule(thing=things)
        def use(self, thing):
            assert thing in self.there

        @rule(thing=consumes(things))
        def take(self, thing):
            self.there.remove(thing)

    for k in range(6):
        report = exhaust(Stack, k)
        assert report.exhaustive and report.examples == count(k, 0, 0)


def test_the_shortest_failure_is_found_first():
    class Order(RuleBasedStateMachine):
        log = ""

        @rule(c=gen.sampled_from("abc"))
        def say(self, c):
            self.log += c
            assert not self.log.endswith("cab")

        @rule()
        def pause(self):
            self.log += " "

    report = exhaust(Order, 5)
    assert str(report.counterexample[0]).splitlines()[1:] == [
        'state.say(c="c")',
        'state.say(c="a")',
        'state.say(c="b")',
    ]
    assert exhaust(Order, 2).exhaustive


def test_initializers_and_what_they_are_given_are_not_counted_as_steps():
    seen = set()

    class Starting(RuleBasedStateMachine):
        @initialize(n=gen.integers(0, 3))
        def start(self, n):
            self.n = n

        @initialize()
        def other(self):
            pass

        @rule(b=gen.booleans())
        def step(self, b):
            seen.add((self.n, b))

    report = exhaust(Starting, 1)
    # two orders of the initializers, four values, no step or one of two
    assert report.exhaustive and report.examples == 2 * 4 * (1 + 2)
    assert len(seen) == 8


def test_arguments_that_are_too_many_are_said_and_withhold_the_word():
    class Wide(RuleBasedStateMachine):
        @rule(n=gen.integers())
        def step(self, n):
            pass

    report = exhaust(Wide, 2)
    assert report.status == "passed" and not report.exhaustive
    assert "only the 8 simplest values of n of step" in str(report) and "every sequence" in str(report)


def test_draws_in_rules_are_gone_through():
    seen = set()

    class Drawing(RuleBasedStateMachine):
        @rule(data=gen.data(), b=gen.booleans())
        def step(self, data, b):
            n = data.draw(gen.integers(0, 2))
            seen.add((b, n, data.draw(gen.booleans()) if n == 1 else None))

    report = exhaust(Drawing, 1)
    assert report.exhaustive and len(seen) == 8 and report.examples == 9


def test_a_failure_by_number_is_shrunk_and_told():
    class Drawing(RuleBasedStateMachine):
        things = Bundle("things")

        @rule(target=things, n=gen.integers(0, 3))
        def make(self, n):
            return n

        @rule(xs=gen.lists(consumes(things), min_size=2, max_size=2))
        def use(self, xs):
            assert sum(xs) < 3

    report = exhaust(Drawing, 3)
    lines = str(report.counterexample[0]).splitlines()
    assert len(lines) == 4 and report.status == "failed" and lines[-1].startswith("state.use(xs=[")


def test_discarded_steps_are_not_sequences():
    class Picky(RuleBasedStateMachine):
        @rule(n=gen.integers(0, 3))
        def step(self, n):
            assume(n % 2)

    report = exhaust(Picky, 2)
    assert report.status == "passed" and "7 sequences" in report.covered


class Clock(RuleBasedStateMachine):
    """A clock of twelve hours; `model` is declared by an attribute."""

    def __init__(self):
        super().__init__()
        self.model = {"hour": 0}

    @rule(n=gen.integers(1, 5))
    def turn(self, n):
        self.model["hour"] = (self.model["hour"] + n) % 12


def reachable(start, successors, k):
    """Breadth-first search: the states, and the number of steps taken from them."""
    seen, level, steps = {start}, {start}, 1
    for _ in range(k):
        following = set()
        for state in level:
            for successor in successors(state):
                steps += 1
                if successor not in seen:
                    seen.add(successor)
                    following.add(successor)
        level = following
    return seen, steps


@pytest.mark.parametrize("k", [1, 2, 3, 8])
def test_states_of_a_declared_model_are_counted(k):
    states, steps = reachable(0, lambda hour: [(hour + n) % 12 for n in range(1, 6)], k)
    report = exhaust(Clock, k)
    assert report.exhaustive and f"all {len(states):,} reachable states" in report.covered
    assert report.examples == steps
    assert "continues from a state of the model that was seen before" in str(report)


def test_a_model_method_and_objects_in_it():
    class Point:
        def __init__(self, x):
            self.x = x

    class Moving(RuleBasedStateMachine):
        def __init__(self):
            super().__init__()
            self.points = [Point(0), Point(0)]
            self.noise = 0

        def __model__(self):
            return self.points

        @rule(i=gen.integers(0, 1))
        def move(self, i):
            self.noise += 1
            self.points[i].x = min(2, self.points[i].x + 1)

        @invariant()
        def bounded(self):
            assert all(point.x <= 2 for point in self.points)

    report = exhaust(Moving, 10)
    assert report.exhaustive and "all 9 reachable states" in report.covered


def test_a_machine_that_is_not_decided_by_its_steps_is_not_exhaustive():
    calls = []

    class Moody(RuleBasedStateMachine):
        @precondition(lambda self: len(calls) % 7 != 3)
        @rule()
        def one(self):
            calls.append(1)

        @rule()
        def two(self):
            calls.append(1)

    report = exhaust(Moody, 4)
    assert (
        not report.exhaustive
        and "not exhaustive (after the same steps the machine offered different" in str(report)
    )


def test_a_budget_ends_it_and_it_says_how_far_it_came():
    report = check(logging([]), explore=Exhaustive(max_size=9), max_examples=100, database=None)
    assert not report.exhaustive and report.examples == 100
    assert "every sequence of at most 2 steps: 73 sequences, and 27 longer ones" in report.covered


def test_all_sequences_there_are():
    class Ending(RuleBasedStateMachine):
        n = 0

        @precondition(lambda self: self.n < 3)
        @rule(b=gen.booleans())
        def step(self, b):
            self.n += 1

    report = check(Ending, explore=Exhaustive(), database=None)
    assert report.exhaustive and "every sequence there is, of at most 3 steps: 15 sequences" in report.covered


def test_numbers_are_refused():
    with pytest.raises(InvalidArgument, match="sequences of steps have none"):
        check(Clock, explore=Exhaustive(start=3), database=None)


def test_multiple_results_are_gone_through():
    class Several(RuleBasedStateMachine):
        things = Bundle("things")

        @rule(target=things)
        def make(self):
            return multiple(1, 2)

        @rule(x=things, y=things)
        def use(self, x, y):
            assert (x, y) != (2, 1)

    report = exhaust(Several, 2)
    assert str(report.counterexample[0]).splitlines()[1:] == [
        "things_0, things_1 = state.make()",
        "state.use(x=things_1, y=things_0)",
    ]
