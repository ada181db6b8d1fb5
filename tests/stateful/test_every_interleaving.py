"""Exhaustive on machines with threads and tasks: every interleaving within the bounds, each once, reported as such."""

from __future__ import annotations

import asyncio
import threading
from itertools import combinations

import pytest

from everycase import check, gen, reproduce
from everycase.errors import InvalidArgument
from everycase.explore import Exhaustive, Orders
from everycase.stateful import RuleBasedStateMachine, initialize, interleaved, parallel, precondition, rule
from everycase.stateful.yield_points import yield_points


def exhaust(test, k, **options):
    return check(test, explore=Exhaustive(max_size=k), database=None, **options)


class Counter(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        self.n = 0

    @rule()
    def increment(self):
        before = self.n
        self.n = before + 1
        return before


class Locked(Counter):
    def __init__(self):
        super().__init__()
        self.lock = threading.Lock()

    @rule()
    def increment(self):
        with self.lock:
            return super().increment()


def test_a_lost_update_is_found_shrunk_and_found_again():
    report = exhaust(parallel(Counter), 2)
    assert report.status == "failed" and not report.exhaustive
    program = report.counterexample[0]
    assert len(program) == 2
    race = parallel(reproduce(report.blob)(type("Counter", (Counter,), {})))
    assert check(race, database=None).status == "failed"


def test_a_right_one_passes_and_the_words_name_the_bounds():
    report = exhaust(parallel(Locked), 2)
    assert report.status == "passed" and report.exhaustive
    # None; one before, in either thread or after; two of those four places, or one of them twice.
    assert report.covered == (
        "every interleaving with at most 2 preemptions, for every sequence of at most 2 steps: "
        f"{report.examples:,} interleavings of {1 + 4 + 10} sequences"
    )


def test_what_is_cut_short_is_not_called_exhaustive():
    report = exhaust(parallel(Locked), 3, max_examples=300)
    assert report.status == "passed" and not report.exhaustive
    assert "every interleaving with at most 2 preemptions, for every sequence of at most 1 step: 5" in str(
        report
    )


class Alone(RuleBasedStateMachine):
    @rule()
    def step(self):
        pass


def _interleavings(points, preemptions):
    """The number of interleavings of two threads with these numbers of yield points, by simulation."""

    def count(running, places, left, first):
        other = 1 - running
        if places[running] == points:  # ended
            if places[other] == points:
                return 1
            if places[other] < 0:
                return count(other, _moved(places, other), left, False)
            return go_on(other, places, left)
        total = go_on(running, places, left)
        if places[other] < points and (left or first):
            rest = left if first else left - 1
            if places[other] < 0:
                total += count(other, _moved(places, other), rest, False)
            else:
                total += go_on(other, places, rest)
        return total

    def go_on(running, places, left):
        """The thread leaves the yield point that it stands at."""
        return count(running, _moved(places, running), left, False)

    return count(0, (0, -1), preemptions, True)


def _moved(places, thread):
    return tuple(place + (i == thread) for i, place in enumerate(places))


def test_each_interleaving_is_tried_once():
    reached = []
    machine = Alone()
    with yield_points(lambda: reached.append(1)):
        Alone.step(machine)
    assert reached
    report = exhaust(parallel(Alone), 2)
    # Of the fifteen sequences only one has a step in each thread.
    assert report.examples == 14 + _interleavings(len(reached), 2)


@pytest.mark.slow
def test_all_orders_of_what_two_threads_do_are_seen():
    seen = set()

    class Logging(RuleBasedStateMachine):
        def __init__(self):
            super().__init__()
            self.log = []

        @rule()
        def step(self):
            self.log.append(threading.current_thread().name[-1] + "a")
            self.log.append(threading.current_thread().name[-1] + "b")

        def teardown(self):
            seen.add(tuple(self.log))

    assert exhaust(parallel(Logging), 2).exhaustive
    both = {each for each in seen if {"1a", "2a"} <= set(each)}
    places = combinations(range(4), 2)
    expected = set()
    for first in places:
        order = ["1" if i in first else "2" for i in range(4)]
        expected.add(tuple(t + ("a" if order[:i].count(t) == 0 else "b") for i, t in enumerate(order)))
    assert both == expected


def test_all_orders_of_what_two_tasks_do_are_seen():
    seen = set()

    class Logging(RuleBasedStateMachine):
        def __init__(self):
            super().__init__()
            self.log = []

        @rule(name=gen.sampled_from("xy"))
        async def step(self, name):
            self.log.append(name + "a")
            await asyncio.sleep(0)
            self.log.append(name + "b")

        def teardown(self):
            seen.add(tuple(self.log))

    report = exhaust(interleaved(Logging), 2)
    assert report.exhaustive
    assert report.covered.startswith("every interleaving, for every sequence of at most 2 steps: ")
    both = {each for each in seen if set(each) == {"xa", "xb", "ya", "yb"}}
    assert len(both) == 6


def test_an_asynchronous_lost_update_is_found_and_a_lock_mends_it():
    class Async(RuleBasedStateMachine):
        def __init__(self):
            super().__init__()
            self.n = 0

        @initialize()
        async def start(self):
            self.lock = asyncio.Lock()

        @rule()
        async def increment(self):
            before = self.n
            await asyncio.sleep(1)
            self.n = before + 1
            return before

    class AsyncLocked(Async):
        @rule()
        async def increment(self):
            async with self.lock:
                return await super().increment()

    assert exhaust(interleaved(Async), 2).status == "failed"
    report = exhaust(interleaved(AsyncLocked), 3)
    assert report.status == "passed" and report.exhaustive


def test_preconditions_are_asked_before_the_threads_begin():
    class Gated(RuleBasedStateMachine):
        is_open = False

        @rule()
        def open(self):
            self.is_open = True

        @precondition(lambda self: self.is_open)
        @rule()
        def enter(self):
            assert self.is_open

    report = exhaust(parallel(Gated), 2)
    assert report.status == "passed" and report.exhaustive
    # None; open at four places; two opens in ten ways; open before enter at four places.
    assert "of 19 sequences" in report.covered


def test_draws_during_a_step_and_orders_are_refused_by_name():
    class Drawing(RuleBasedStateMachine):
        @rule(data=gen.data())
        def step(self, data):
            data.draw(gen.booleans())

    with pytest.raises(InvalidArgument, match=r"the rule step of Drawing draws data while it runs"):
        exhaust(parallel(Drawing), 2)
    with pytest.raises(InvalidArgument, match="one after the other"):
        check(parallel(Counter), explore=Orders(strength=1), database=None)


class Permit(RuleBasedStateMachine):
    """A call that is cancelled does not return its permit."""

    def __init__(self):
        super().__init__()
        self.free = 1

    @rule()
    async def use(self):
        if not self.free:
            return "busy"
        self.free -= 1
        await self.work()
        self.free += 1
        return "done"

    async def work(self):
        await asyncio.sleep(1)


class GivenBack(Permit):
    @rule()
    async def use(self):
        async with self.lock:
            await self.work()

    def __init__(self):
        super().__init__()
        self.lock = asyncio.Lock()


class LongWork(GivenBack):
    async def work(self):
        for _ in range(8):
            await asyncio.sleep(0)


@pytest.mark.parametrize("faults", ["cancel", "timeout"])
def test_every_fault_at_every_wait(faults):
    report = exhaust(interleaved(Permit, faults=faults), 2)
    assert report.status == "failed" and len(report.counterexample[0].steps) == 2

    @reproduce(report.blob)
    class Again(Permit):
        pass

    again = check(interleaved(Again, faults=faults), database=None)
    assert again.status == "failed" and again.examples == 1


def test_the_words_say_which_faults_were_tried():
    few = check(interleaved(GivenBack, faults="cancel"), explore=Exhaustive(max_size=2), database=None)
    assert few.status == "passed" and few.exhaustive
    assert few.covered.startswith("every interleaving with at most 2 faults, for every sequence of at most 2")
    timed = check(interleaved(GivenBack, faults="timeout"), explore=Exhaustive(max_size=1), database=None)
    assert timed.status == "passed" and not timed.exhaustive
    assert timed.covered.endswith("; with timeouts of 0, 1, 15 seconds only")
    late = check(interleaved(LongWork, faults="cancel"), explore=Exhaustive(max_size=1), database=None)
    assert not late.exhaustive
    assert late.covered.endswith("; with no call cancelled after it has waited 6 times")


def test_faults_multiply_interleavings_by_the_waits_of_a_call_alone():
    counts = []
    for steps in (1, 2):
        report = check(
            interleaved(GivenBack, faults="cancel"), explore=Exhaustive(max_size=steps), database=None
        )
        counts.append(report.examples)
    # One step waits once: it goes on or is cancelled. No step, and one in each of four places, two of which are tasks.
    assert counts[0] == 1 + 2 + 2 * 2
    assert counts[1] < 150
