"""parallel: races are found, replayed and shrunk; locked code passes; the same seed gives the same interleaving."""

from __future__ import annotations

import os
import threading
import time
import unittest

import pytest

from everycase import Phase, check, gen, reproduce
from everycase.errors import InvalidArgument, InvalidDefinition, NotLinearizable
from everycase.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    parallel,
    precondition,
    rule,
    schedule,
    yield_point,
)
from everycase.stateful.linearizability import CallResult, alike, explained


class Counter(RuleBasedStateMachine):
    """Reading and writing are two lines."""

    def __init__(self):
        super().__init__()
        self.n = 0

    @rule()
    def increment(self):
        before = self.n
        self.n = before + 1

    @rule()
    def read(self):
        return self.n


class Locked(Counter):
    def __init__(self):
        super().__init__()
        self.lock = threading.Lock()

    @rule()
    def increment(self):
        with self.lock:
            before = self.n
            self.n = before + 1


class OneLine(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        self.n = 0

    @rule()
    def increment(self):
        self.n += 1
        return self.n


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("machine", [Counter, OneLine])
def test_a_lost_update_is_found_soon_and_is_at_most_three_steps(machine, seed):
    report = check(parallel(machine), seed=seed, database=None, max_examples=200)
    assert report.status == "failed" and isinstance(report.error, NotLinearizable)
    program = report.counterexample[0]
    assert len(program.steps) <= 3 and str(program).startswith(f"state = {machine.__name__}()")
    assert (
        "thread 1" in str(report) and "thread 2" in str(report) and "no order of these calls" in str(report)
    )


def test_a_failure_is_run_again_by_its_blob_and_by_hand():
    report = check(parallel(Counter), seed=1, database=None)

    @reproduce(report.blob)
    class Counted(Counter):
        pass

    again = check(parallel(Counted), database=None)
    assert again.status == "failed" and again.examples == 1
    program, schedule = report.counterexample
    with pytest.raises(NotLinearizable):
        program.run(schedule)


@pytest.mark.parametrize("threads", [2, 3])
def test_what_is_locked_passes(threads):
    report = check(parallel(Locked, threads=threads), seed=0, database=None, max_examples=200)
    assert report.status == "passed", report


def test_the_same_seed_gives_the_same_interleaving():
    def interleavings(seed):
        log = []

        class Logged(RuleBasedStateMachine):
            @rule(n=gen.integers(0, 9))
            def say(self, n):
                log.append((n, "begins", threading.current_thread().name[-1]))
                log.append((n, "goes on"))
                log.append((n, "ends"))

        check(parallel(Logged), seed=seed, database=None, max_examples=20)
        return log

    assert interleavings(5) == interleavings(5) != interleavings(6)


def test_threads_do_interleave_within_a_rule():
    seen = set()

    class Overlapping(RuleBasedStateMachine):
        inside = 0

        @rule()
        def step(self):
            self.inside += 1
            seen.add(self.inside)
            self.inside -= 1

    check(parallel(Overlapping), seed=0, database=None, max_examples=100)
    assert 2 in seen


def test_a_check_and_an_act_are_two_things():
    class Seats(RuleBasedStateMachine):
        def __init__(self):
            super().__init__()
            self.left = 1

        @rule()
        def book(self):
            if self.left:
                self.left -= 1
                return True
            return False

        @rule()
        def cancel(self):
            self.left = 1

    report = check(parallel(Seats), seed=0, database=None)
    assert report.status == "failed" and len(report.counterexample[0].steps) == 2


def test_exceptions_are_results_and_preconditions_hold_before():
    class Stack(RuleBasedStateMachine):
        def __init__(self):
            super().__init__()
            self.items = []

        @rule(n=gen.integers(0, 3))
        def push(self, n):
            self.items.append(n)

        @precondition(lambda self: self.items)
        @rule()
        def pop(self):
            return self.items.pop()  # may raise if another thread was faster: in some order it does

    report = check(parallel(Stack), seed=0, database=None, max_examples=300)
    assert report.status == "passed", report


def test_bundles_and_initializers():
    class Boxes(RuleBasedStateMachine):
        boxes = Bundle("boxes")

        @initialize(target=boxes)
        def first(self):
            return [0]

        @rule(target=boxes)
        def make(self):
            return [0]

        @rule(box=boxes)
        def add(self, box):
            n = box[0]
            box[0] = n + 1
            return n

        @rule(box=consumes(boxes))
        def drop(self, box):
            return box[0]

    report = check(parallel(Boxes), seed=0, database=None)
    assert report.status == "failed"
    lines = str(report.counterexample[0]).splitlines()
    assert lines[:2] == ["state = Boxes()", "boxes_0 = state.first()"]
    assert sum("state.add(box=boxes_0)" in line for line in lines) == 2


def test_an_invariant_holds_after_the_threads_have_joined():
    class Two(RuleBasedStateMachine):
        a = b = 0

        @rule()
        def both(self):
            self.a += 1
            self.b = self.a

        @invariant()
        def are_equal(self):
            assert self.a == self.b

    report = check(parallel(Two), seed=0, database=None)
    assert report.status == "failed"


def test_blocking_and_deadlock():
    class Philosophers(RuleBasedStateMachine):
        def __init__(self):
            super().__init__()
            self.left, self.right = threading.Lock(), threading.Lock()

        @rule()
        def one(self):
            with self.left, self.right:
                pass

        @rule()
        def other(self):
            with self.right, self.left:
                pass

    report = check(parallel(Philosophers), seed=0, database=None, max_examples=300)
    assert report.status == "failed" and "deadlock" in str(report.error)


def test_results_that_differ_by_themselves_are_not_called_a_race():
    from itertools import count

    numbers = count()

    class Numbering(RuleBasedStateMachine):
        @rule()
        def next(self):
            return next(numbers)

    report = check(parallel(Numbering), seed=0, database=None)
    assert isinstance(report.error, InvalidDefinition) or report.status == "flaky"
    assert "cannot be judged" in str(report)


def test_own_yield_points():
    class Quiet(RuleBasedStateMachine):
        @rule()
        def step(self):
            yield_point()

    yield_point()  # does nothing here
    assert check(parallel(Quiet), seed=0, database=None, max_examples=20).status == "passed"


def test_it_is_a_test_case_and_can_be_called():
    result = unittest.TestResult()
    parallel(Counter).TestCase().run(result)
    assert len(result.failures) + len(result.errors) == 1
    with pytest.raises(NotLinearizable):
        parallel(Counter)()


@pytest.mark.parametrize("threads", [0, 1, 5, "two"])
def test_numbers_of_threads(threads):
    with pytest.raises(InvalidArgument):
        parallel(Counter, threads=threads)


def test_mistakes():
    class Later(RuleBasedStateMachine):
        @rule()
        async def step(self):
            pass

    with pytest.raises(InvalidArgument, match="not a RuleBasedStateMachine"):
        parallel(int)
    with pytest.raises(InvalidDefinition, match="interleaved"):
        check(parallel(Later))


# --- the search for an order ----------------------------------------------------------------------------


def brute_force(results, after, calls):
    """All permutations of the calls that keep the order within each lane, without pruning."""
    from itertools import permutations

    every = [(lane, i) for lane, found in enumerate(results) for i in range(len(found))]
    for order in permutations(every):
        if any(
            order.index((lane, i)) > order.index((lane, i + 1)) for lane, i in every if (lane, i + 1) in every
        ):
            continue
        made = calls([lane for lane, _ in order])
        if made == [*[results[lane][i].value for lane, i in order], *[result.value for result in after]]:
            return True
    return False


def register(order, operations):
    """A register with read, write and compare-and-set."""
    value, places, made = 0, [0] * len(operations), []
    for lane in order:
        kind, argument = operations[lane][places[lane]]
        places[lane] += 1
        if kind == "read":
            made.append(value)
        elif kind == "write":
            value = argument
            made.append(None)
        else:
            made.append(value == argument)
            value = argument + 1 if value == argument else value
    return [*made, value]


@pytest.mark.parametrize("seed", range(60))
def test_orders_are_explained_just_when_brute_force_says_so(seed):
    import random

    rng = random.Random(seed)
    operations = [
        [(rng.choice(["read", "write", "cas"]), rng.randrange(3)) for _ in range(rng.randint(1, 3))]
        for _ in range(2)
    ]
    order = [lane for lane, found in enumerate(operations) for _ in found]
    rng.shuffle(order)
    made = register(order, operations)
    results = [[], []]
    for lane, value in zip(order, made):
        results[lane].append(CallResult(value))
    after = [CallResult(made[-1])]
    if rng.random() < 0.7:  # a result that may be impossible
        lane = rng.randrange(2)
        place = rng.randrange(len(results[lane]))
        if operations[lane][place][0] == "read":
            results[lane][place] = CallResult(rng.randrange(4))
        after = [CallResult(rng.randrange(4))] if rng.random() < 0.5 else after

    def in_order(lanes):
        for value in register(lanes, operations):
            yield CallResult(value), None

    first = [lane for lane, found in enumerate(operations) for _ in found]
    expected = brute_force(results, after, lambda lanes: register(lanes, operations))
    assert explained(results, after, first, in_order) == expected


@pytest.mark.parametrize("seed", range(30))
def test_a_declared_state_saves_orders_and_changes_no_answer(seed):
    import random

    rng = random.Random(seed)
    operations = [
        [(rng.choice(["read", "write", "cas"]), rng.randrange(2)) for _ in range(4)] for _ in range(2)
    ]
    order = [0, 1] * 4
    rng.shuffle(order)
    results = [[], []]
    for branch, value in zip(order, register(order, operations)):
        results[branch].append(CallResult(value))
    after = [CallResult(9 if seed % 2 else register(order, operations)[-1])]

    def counting(with_state, wrong=False):
        runs = []

        def in_order(branches):
            runs.append(branches)
            made = register(branches, operations)
            states = [register(branches[:i], operations)[-1] for i in range(1, len(branches) + 1)]
            for value, state in zip(made, [*states, None]):
                yield CallResult(value), ("wrong" if wrong else state) if with_state else None

        answer = explained(results, after, [0] * 4 + [1] * 4, in_order)
        return answer, len(runs)

    plain, many = counting(False)
    assert plain == (seed % 2 == 0)
    answer, few = counting(True)
    assert answer == plain
    assert few <= many or not plain  # an order that the states refute is checked again without them
    assert counting(True, wrong=True)[0] == plain


def test_orders_that_lead_to_the_same_state_are_not_gone_through_again():
    """Ten indistinguishable writes, followed by an impossible result."""
    results = [[CallResult(None)] * 5, [CallResult(None)] * 5]

    def runs_with(state):
        runs = []

        def in_order(branches):
            runs.append(branches)
            for i, _ in enumerate(branches):
                yield CallResult(None), state(i)
            yield CallResult("possible"), None

        assert not explained(results, [CallResult("impossible")], [0] * 5 + [1] * 5, in_order)
        return len(runs)

    every = runs_with(lambda i: None)
    assert every == 252
    assert runs_with(lambda i: i % 2) - every < every / 5  # all orders are checked once more to be certain


def test_what_is_alike():
    class Silent:
        pass

    assert alike(Silent(), Silent()) and alike(float("nan"), float("nan")) and alike({"a": (1,)}, {"a": (1,)})
    assert not alike({"a": 1}, {"a": 2}) and not alike([1], (1,)) and not alike(1, 2)


def test_a_deadlock_shows_the_calls_that_never_return():
    class Crossed(RuleBasedStateMachine):
        def __init__(self):
            super().__init__()
            self.a, self.b = threading.Lock(), threading.Lock()

        @rule()
        def forward(self):
            with self.a, self.b:
                pass

        @rule()
        def backward(self):
            with self.b, self.a:
                pass

    report = check(parallel(Crossed), seed=0, database=None)
    text = str(report.counterexample[0])
    assert "deadlock" in str(report.error)
    assert "state.forward() -> never returns" in text and "state.backward() -> never returns" in text


def test_a_call_that_waits_for_ever_alone_is_told_and_does_not_hang():
    class Waiting(RuleBasedStateMachine):
        def __init__(self):
            super().__init__()
            self.event = threading.Event()

        @rule()
        def wait(self):
            self.event.wait()

        @rule()
        def set(self):
            self.event.set()

    report = check(parallel(Waiting), seed=0, database=None)
    assert report.status == "failed" and "waits forever" in str(report.error)


def test_calls_that_take_long_are_no_deadlock(monkeypatch):
    monkeypatch.setattr(schedule, "SILENCE", 0.002)
    monkeypatch.setattr(schedule, "PATIENCE", 10**6)  # however busy the machine is
    naps = []

    class Slow(RuleBasedStateMachine):
        @rule()
        def nap(self):
            naps.append(time.sleep(0.02))

    report = check(parallel(Slow), seed=0, database=None, max_examples=3)
    assert naps and report.status == "passed"


def test_waiting_for_something_unknown_is_not_called_a_deadlock(monkeypatch):
    monkeypatch.setattr(schedule, "SILENCE", 0.001)
    monkeypatch.setattr(schedule, "PATIENCE", 5)
    end, other_end = os.pipe()

    class Waiting(RuleBasedStateMachine):
        @rule()
        def wait(self):
            if schedule.current_schedule() and isinstance(schedule.current_schedule()[0], schedule.Schedule):
                os.read(end, 1)

    before = set(threading.enumerate())
    report = check(parallel(Waiting), seed=0, database=None, phases=[Phase.explore])
    os.close(other_end)
    for thread in set(threading.enumerate()) - before:
        thread.join()
    os.close(end)
    assert "(a deadlock), or for something outside of the test" in str(report.error)


def test_user_code_that_runs_while_the_schedule_decides_goes_on():
    """Python may collect garbage anywhere, and then calls ``__del__``, which has yield points."""

    class Collecting(list):
        def __iter__(self):
            collected.append(1)
            return super().__iter__()

    collected = []

    def work():
        plan._states = Collecting(plan._states)
        plan.unblock()

    plan = schedule.Schedule(schedule.Switches([(0, at, 1) for at in range(9)]))
    plan.run([work, lambda: None])
    assert collected


def test_semaphores_are_waited_for_without_a_clock():
    class Semaphored(RuleBasedStateMachine):
        def __init__(self):
            super().__init__()
            self.semaphore = threading.Semaphore(1)
            self.n = 0

        @rule()
        def increment(self):
            with self.semaphore:
                self.n += 1
                return self.n

    assert check(parallel(Semaphored), seed=0, database=None, max_examples=100).status == "passed"
