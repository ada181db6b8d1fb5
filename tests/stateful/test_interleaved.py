"""interleaved: asyncio with virtual time, tasks in a chosen order, and faults."""

from __future__ import annotations

import asyncio
import contextlib
import time

import pytest

from everycase import check, gen, reproduce
from everycase.errors import InvalidArgument, NotLinearizable
from everycase.stateful import Bundle, RuleBasedStateMachine, initialize, interleaved, invariant, rule
from everycase.stateful.virtual_loop import VirtualLoop


class Counter(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        self.n = 0

    @rule()
    async def increment(self):
        before = self.n
        await asyncio.sleep(0)
        self.n = before + 1

    @rule()
    async def read(self):
        return self.n


class Locked(Counter):
    @initialize()
    async def start(self):
        self.lock = asyncio.Lock()

    @rule()
    async def increment(self):
        async with self.lock:
            before = self.n
            await asyncio.sleep(3600)
            self.n = before + 1


@pytest.mark.parametrize("seed", range(3))
def test_a_lost_update_is_found_and_made_small(seed):
    report = check(interleaved(Counter), seed=seed, database=None, max_examples=200)
    assert report.status == "failed" and isinstance(report.error, NotLinearizable)
    program = report.counterexample[0]
    assert len(program.steps) <= 3 and str(program).startswith("state = Counter()")
    assert "task 1" in str(report) and "await state.increment()" in str(report)


@pytest.mark.parametrize("tasks", [2, 3])
def test_what_is_locked_passes_and_hours_take_no_time(tasks):
    started = time.perf_counter()
    report = check(interleaved(Locked, tasks=tasks), seed=0, database=None, max_examples=100)
    assert report.status == "passed", report
    assert time.perf_counter() - started < 3600


def test_a_failure_comes_again_by_its_blob():
    report = check(interleaved(Counter), seed=1, database=None)

    @reproduce(report.blob)
    class Again(Counter):
        pass

    again = check(interleaved(Again), database=None)
    assert again.status == "failed" and again.examples == 1


def test_the_same_seed_gives_the_same_interleaving():
    def log_of(seed):
        log = []

        class Logged(RuleBasedStateMachine):
            @rule(n=gen.integers(0, 9))
            async def say(self, n):
                log.append((n, "begins"))
                await asyncio.sleep(n)
                log.append((n, "goes on", asyncio.get_running_loop().time()))
                await asyncio.sleep(0)
                log.append((n, "ends"))

        check(interleaved(Logged), seed=seed, database=None, max_examples=15)
        return log

    assert log_of(3) == log_of(3) != log_of(4)


def test_timers_of_one_moment_fire_in_any_order():
    orders = set()

    class Alarms(RuleBasedStateMachine):
        def __init__(self):
            super().__init__()
            self.fired = []

        @rule()
        async def ring(self):
            name = len(self.fired)
            tasks = [asyncio.ensure_future(self.wait(name, i)) for i in range(2)]
            await asyncio.gather(*tasks)

        async def wait(self, name, i):
            await asyncio.sleep(5)
            self.fired.append((name, i))

        def teardown(self):
            orders.add(tuple(i for _, i in self.fired[:2]))

    check(interleaved(Alarms), seed=0, database=None, max_examples=100)
    assert {(0, 1), (1, 0)} <= orders


class Transfer(RuleBasedStateMachine):
    """Correct, unless a call is cancelled between its two halves."""

    def __init__(self):
        super().__init__()
        self.a, self.b = 10, 0

    @rule()
    async def move(self):
        self.a -= 1
        await asyncio.sleep(1)
        self.b += 1

    @invariant()
    def nothing_is_lost(self):
        assert self.a + self.b == 10


class Careful(Transfer):
    @rule()
    async def move(self):
        await asyncio.sleep(1)
        self.a -= 1
        self.b += 1


@pytest.mark.parametrize("faults", [("cancel",), ("timeout",), ("cancel", "timeout"), "cancel"])
def test_faults_break_what_is_done_in_two_halves(faults):
    assert check(interleaved(Transfer), seed=0, database=None, max_examples=100).status == "passed"
    report = check(interleaved(Transfer, faults=faults), seed=0, database=None, max_examples=300)
    assert report.status == "failed" and len(report.counterexample[0].steps) == 1
    assert (
        check(interleaved(Careful, faults=faults), seed=0, database=None, max_examples=150).status == "passed"
    )


@pytest.mark.slow
def test_a_call_that_was_cut_short_may_have_had_its_effect_or_not():
    class Register(RuleBasedStateMachine):
        n = 0

        @rule(n=gen.integers(0, 3))
        async def write(self, n):
            await asyncio.sleep(1)
            self.n = n
            await asyncio.sleep(1)

        @rule()
        async def read(self):
            return self.n

    report = check(
        interleaved(Register, faults=("cancel", "timeout")), seed=0, database=None, max_examples=200
    )
    assert report.status == "passed", report


def test_bundles_and_plain_rules():
    class Boxes(RuleBasedStateMachine):
        boxes = Bundle("boxes")

        @rule(target=boxes)
        def make(self):
            return [0]

        @rule(box=boxes)
        async def add(self, box):
            n = box[0]
            await asyncio.sleep(0)
            box[0] = n + 1
            return n

    report = check(interleaved(Boxes), seed=0, database=None)
    assert report.status == "failed"
    assert sum("state.add(box=boxes_0)" in line for line in str(report.counterexample[0]).splitlines()) == 2


def test_waiting_for_ever_is_a_failure():
    class Forgotten(RuleBasedStateMachine):
        @rule()
        async def wait(self):
            await asyncio.Event().wait()

    report = check(interleaved(Forgotten), seed=0, database=None, max_examples=20)
    assert report.status == "failed" and "deadlock" in str(report.error)


def test_the_world_outside_is_refused_by_name():
    class Outside(RuleBasedStateMachine):
        @rule()
        async def connect(self):
            with contextlib.suppress(OSError):
                await asyncio.open_connection("localhost", 9)

    class Threads(RuleBasedStateMachine):
        @rule()
        async def work(self):
            await asyncio.to_thread(print)

    for machine, words in ((Outside, "a real socket"), (Threads, "a thread")):
        report = check(interleaved(machine), seed=0, database=None, max_examples=20)
        assert report.status == "failed" and words in str(report.error)


def test_the_virtual_loop():
    loop = VirtualLoop()

    async def wait():
        before = loop.time()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(50):
                await asyncio.sleep(1000)
        return loop.time() - before

    assert loop.run(wait()) == 50
    loop.close()


def test_mistakes():
    with pytest.raises(InvalidArgument, match="there is no fault 'crash'"):
        interleaved(Counter, faults=("crash",))
    with pytest.raises(InvalidArgument, match="must be 2, 3 or 4"):
        interleaved(Counter, tasks=1)
