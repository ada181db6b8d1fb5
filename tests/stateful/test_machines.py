"""The interface of hypothesis.stateful: rules, bundles, preconditions, invariants, TestCase, the program of a failure."""

from __future__ import annotations

import unittest

import pytest

from everycase import check, gen, maximize, note, reproduce, settings
from everycase.errors import DeadlineExceeded
from everycase.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    multiple,
    precondition,
    rule,
    run_state_machine_as_test,
    runner,
)

QUIET = settings(database=None, seed=0)


def program(machine, **options):
    """The lines of the failing program of a machine."""
    report = check(machine, **{"seed": 0, "database": None, **options})
    assert report.status == "failed", report
    return str(report.counterexample[0]).splitlines()


class Accounts(RuleBasedStateMachine):
    accounts = Bundle("accounts")

    @rule(target=accounts, name=gen.text())
    def create(self, name):
        return [name]

    @rule(account=accounts, name=gen.text())
    def rename(self, account, name):
        account.append(name)
        assert len(account) < 3


def test_a_failure_is_the_shortest_program_and_refers_to_what_was_returned():
    assert program(Accounts) == [
        "state = Accounts()",
        'accounts_0 = state.create(name="")',
        'state.rename(account=accounts_0, name="")',
        'state.rename(account=accounts_0, name="")',
    ]


@pytest.mark.parametrize("seed", range(5))
def test_a_program_can_be_pasted_and_fails(seed):
    report = check(Accounts, seed=seed, database=None)
    with pytest.raises(AssertionError):
        exec(str(report.counterexample[0]), {"Accounts": Accounts})
    with pytest.raises(AssertionError):
        report.counterexample[0].run()


def test_a_blob_is_run_again_by_itself():
    report = check(Accounts, seed=0, database=None)

    @reproduce(report.blob)
    class Again(Accounts):
        pass

    again = check(Again, database=None)
    assert again.status == "failed" and again.examples == 1
    assert str(again.counterexample[0]).splitlines()[1:] == str(report.counterexample[0]).splitlines()[1:]


def test_a_failure_is_remembered(tmp_path):
    first = check(Accounts, seed=0, database=tmp_path)
    second = check(Accounts, seed=1, database=tmp_path)
    assert second.failures[0].source == "remembered" and second.examples == 1
    assert str(second.counterexample[0]) == str(first.counterexample[0])


def test_the_same_seed_makes_the_same_run():
    def steps(seed):
        seen = []

        class Recording(RuleBasedStateMachine):
            @rule(n=gen.integers())
            def number(self, n):
                seen.append(n)

            @rule(t=gen.text())
            def text(self, t):
                seen.append(t)

        check(Recording, seed=seed, max_examples=5, database=None)
        return seen

    assert steps(1) == steps(1) != steps(2)
    assert len(steps(1)) == 5 * 50


def test_recording_takes_the_same_steps_as_sampling():
    """The recording of a sampled run matches the run: replaying it without shrinking reaches the failing step again."""
    from everycase import Phase

    class Thousand(RuleBasedStateMachine):
        things = Bundle("things")

        def __init__(self):
            super().__init__()
            self.log = []

        @initialize(target=things, n=gen.integers())
        def first(self, n):
            return n

        @rule(target=things, n=gen.integers(), old=things)
        def add(self, n, old):
            self.log.append(("add", n, old))
            return n

        @rule(target=things, n=gen.integers(), gone=consumes(things))
        def swap(self, n, gone):
            self.log.append(("swap", n, gone))
            assert len(self.log) < 20 or n < 100, self.log
            return n

        @precondition(lambda self: len(self.log) % 3 == 1)
        @rule(ns=gen.lists(gen.integers(), max_size=3))
        def many(self, ns):
            self.log.append(("many", ns))

    report = check(
        Thousand, seed=3, database=None, phases=(Phase.explore,), verbosity=settings().resolve().verbosity
    )
    assert report.status == "failed"  # not flaky: the recorded run fails as the sampled one did


def test_step_count_is_the_length_of_a_run():
    lengths = []

    class Counting(RuleBasedStateMachine):
        def __init__(self):
            super().__init__()
            self.steps = 0

        @rule()
        def step(self):
            self.steps += 1

        def teardown(self):
            lengths.append(self.steps)

    check(Counting, stateful_step_count=7, max_examples=20, database=None)
    assert set(lengths) == {7}
    lengths.clear()
    check(Counting, max_examples=20, database=None)
    assert set(lengths) == {50}


def test_initializers_run_once_first_and_in_any_order():
    orders = set()

    class Starting(RuleBasedStateMachine):
        log = ()

        @initialize()
        def one(self):
            self.log += ("one",)

        @initialize(n=gen.integers())
        def two(self, n):
            self.log += ("two",)

        @invariant()
        def only_later(self):
            assert len(self.log) >= 2

        @invariant(check_during_init=True)
        def always(self):
            orders.add(self.log[:2])

        @rule()
        def step(self):
            self.log += ("step",)
            assert set(self.log[:2]) == {"one", "two"} and set(self.log[2:]) == {"step"}

    assert check(Starting, max_examples=30, seed=0, database=None).status == "passed"
    assert orders == {(), ("one",), ("two",), ("one", "two"), ("two", "one")}


def test_preconditions_are_never_violated_also_not_while_shrinking():
    class Guarded(RuleBasedStateMachine):
        def __init__(self):
            super().__init__()
            self.open = False
            self.used = 0

        @precondition(lambda self: not self.open)
        @rule()
        def unlock(self):
            assert not self.open, "violated"
            self.open = True

        @precondition(lambda self: self.open)
        @precondition(lambda self: self.used < 10)
        @rule(n=gen.integers())
        def use(self, n):
            if not self.open:
                raise RuntimeError("violated")
            self.used += 1
            if self.used == 3 and n >= 5:
                raise ValueError("planted")

        @precondition(lambda self: self.open)
        @rule()
        def lock(self):
            if not self.open:
                raise RuntimeError("violated")
            self.open = False

    for seed in range(5):
        report = check(Guarded, seed=seed, database=None)
        assert [type(failure.error) for failure in report.failures] == [ValueError]
        assert str(report.counterexample[0]).splitlines() == [
            "state = Guarded()",
            "state.unlock()",
            "state.use(n=0)",
            "state.use(n=0)",
            "state.use(n=5)",
        ]


def test_a_failing_invariant_is_the_last_line():
    class Limited(RuleBasedStateMachine):
        n = 0

        @rule()
        def up(self):
            self.n += 1

        @invariant()
        def small(self):
            assert self.n < 2

    assert program(Limited) == ["state = Limited()", "state.up()", "state.up()", "state.small()"]


def test_teardown_is_called_always_and_its_failure_is_told():
    torn = []

    class Leaking(RuleBasedStateMachine):
        n = 0

        @rule()
        def up(self):
            self.n += 1

        def teardown(self):
            torn.append(self.n)
            assert self.n < 2

    assert program(Leaking) == ["state = Leaking()", "state.up()", "state.up()", "state.teardown()"]
    assert len(torn) > 3


def test_several_results_and_targets():
    class Several(RuleBasedStateMachine):
        a, b = Bundle("a"), Bundle("b")

        @rule(targets=(a, b))
        def both(self):
            return object()

        @rule(target=a)
        def two(self):
            return multiple(object(), object())

        @rule(target=b)
        def none(self):
            return multiple()

        @rule(x=a, y=b, z=consumes(a))
        def use(self, x, y, z):
            assert x is not y or z is x

    lines = program(Several)
    assert lines[0] == "state = Several()" and lines[-1].startswith("state.use(x=a_")
    assert "a_0 = b_0 = state.both()" in lines


def test_what_is_consumed_is_gone_and_filters_take_nothing_else():
    class Consuming(RuleBasedStateMachine):
        things = Bundle("things")

        def __init__(self):
            super().__init__()
            self.there = []

        @rule(target=things, n=gen.integers(0, 9))
        def make(self, n):
            self.there.append(n)
            return n

        @rule(n=consumes(things).filter(lambda n: n % 2 == 0))
        def take(self, n):
            assert n % 2 == 0
            self.there.remove(n)

        @rule(ns=gen.lists(consumes(things), max_size=3))
        def take_some(self, ns):
            for n in ns:
                self.there.remove(n)

        @rule(n=things.map(lambda n: n + 100), pair=gen.tuples(things, things | gen.none()))
        def look(self, n, pair):
            assert n - 100 in self.there
            assert pair[0] in self.there and (pair[1] is None or pair[1] in self.there)

    report = check(Consuming, seed=0, max_examples=300, database=None)
    assert report.status == "passed", report


def test_data_and_runner_in_rules():
    class Drawing(RuleBasedStateMachine):
        def __init__(self):
            super().__init__()
            self.items = [10]

        @rule(x=runner().flatmap(lambda self: gen.sampled_from(self.items)))
        def known(self, x):
            assert x in self.items

        @rule(data=gen.data())
        def add(self, data):
            n = data.draw(gen.integers(0, 100))
            self.items.append(n)
            assert n < 50

    lines = program(Drawing)
    assert lines == ["state = Drawing()", "state.add(data=Data.of(50))"]
    report = check(Drawing, seed=0, database=None)
    with pytest.raises(AssertionError):
        exec("\n".join([*report.counterexample[0].imports, *lines]), {"Drawing": Drawing})


@pytest.mark.slow
def test_assume_and_note_and_utilities_in_rules():
    from everycase import assume

    class Talking(RuleBasedStateMachine):
        n = 0

        @rule(k=gen.integers(0, 3))
        def up(self, k):
            assume(k != 2)
            self.n += k
            maximize(self.n)
            note(f"n is {self.n}")
            assert self.n < 100

    report = check(Talking, seed=0, database=None, max_examples=3000, stateful_step_count=40)
    assert report.status == "failed"
    assert report.failures[0].notes[-1] == "n is 102" or report.failures[0].notes[-1].startswith("n is 10")


def test_two_failures_of_one_machine_are_both_reported():
    class Two(RuleBasedStateMachine):
        @rule(n=gen.integers(0, 1000))
        def one(self, n):
            if n > 500:
                raise ValueError

        @rule(n=gen.integers(0, 1000))
        def other(self, n):
            if n > 500:
                raise KeyError

    report = check(Two, seed=0, database=None, max_examples=100)
    assert {type(failure.error) for failure in report.failures} == {ValueError, KeyError}


class Passing(RuleBasedStateMachine):
    @rule(n=gen.integers())
    def fine(self, n):
        pass


def test_test_case_runs_under_unittest_with_its_settings():
    runs = []

    class Counted(Passing):
        def teardown(self):
            runs.append(1)

    Counted.TestCase.settings = settings(max_examples=13, stateful_step_count=2, database=None)
    result = unittest.TestResult()
    Counted.TestCase().run(result)
    assert result.wasSuccessful() and len(runs) == 13
    assert Counted.TestCase is Counted.TestCase and Counted.TestCase is not Passing.TestCase
    runs.clear()
    assert check(Counted).examples == 13


def test_settings_decorate_a_machine():
    @settings(max_examples=9, database=None)
    class Decorated(Passing):
        pass

    assert check(Decorated).examples == 9
    assert check(Passing, max_examples=4, database=None).examples == 4


def test_settings_above_a_machine_win_over_what_machines_have_by_default():
    import time

    @settings(deadline=1, max_examples=3, database=None)
    class Slow(RuleBasedStateMachine):
        @rule()
        def step(self):
            time.sleep(0.002)

    with pytest.raises(DeadlineExceeded):
        run_state_machine_as_test(Slow)


def test_run_as_test_raises_with_the_program_as_a_note_and_takes_factories():
    with pytest.raises(AssertionError) as caught:
        run_state_machine_as_test(Accounts, settings=QUIET)
    assert any("state = Accounts()" in line for line in caught.value.__notes__)

    class Sized(RuleBasedStateMachine):
        def __init__(self, size):
            super().__init__()
            self.size = size

        @rule()
        def step(self):
            assert self.size == 5

    run_state_machine_as_test(lambda: Sized(5), settings=QUIET)
    with pytest.raises(AssertionError):
        run_state_machine_as_test(lambda: Sized(6), settings=QUIET)


def test_rules_are_inherited_and_overridden():
    class Parent(RuleBasedStateMachine):
        @rule()
        def fails(self):
            raise AssertionError

    class Child(Parent):
        @rule()
        def fails(self):
            pass

    class Other(Parent):
        def fails(self):
            pass

        @rule()
        def fine(self):
            pass

    assert check(Parent, database=None).status == "failed"
    assert check(Child, database=None).status == "passed"
    assert check(Other, database=None).status == "passed"


def test_asynchronous_rules_are_awaited():
    import asyncio

    class Waiting(RuleBasedStateMachine):
        def __init__(self):
            super().__init__()
            self.n = 0

        @initialize()
        async def start(self):
            self.event = asyncio.Event()

        @rule(k=gen.integers(0, 5))
        async def add(self, k):
            await asyncio.sleep(0)
            self.n += k
            assert self.n < 12

        @invariant()
        async def not_set(self):
            assert not self.event.is_set()

        async def teardown(self):
            self.event.set()

    assert program(Waiting) == [
        "state = Waiting()",
        "import asyncio",
        "run = asyncio.Runner().run",
        "run(state.start())",
        "run(state.add(k=2))",
        "run(state.add(k=5))",
        "run(state.add(k=5))",
    ]
