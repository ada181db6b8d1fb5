"""Machines with awkward arguments or branches: the printed program runs, and the statements about it are true."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from everycase import assume, check, classify, errors, event, gen, maximize, note, tabulate, target
from everycase.explore import Exhaustive
from everycase.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    multiple,
    parallel,
    rule,
)


class Bank(RuleBasedStateMachine):
    accounts = Bundle("accounts")

    @initialize(target=accounts)
    def opened(self) -> Any:
        self.balance = {"a": 9, "b": 9}
        return multiple("a", "b")

    @rule(source=accounts, to=accounts)
    def move(self, source: str, to: str) -> None:
        taken = self.balance[source] - 1
        self.balance[source] = taken
        self.balance[to] = self.balance[to] + 1

    @invariant()
    def nothing_is_lost(self) -> None:
        assert sum(self.balance.values()) == 18


def test_a_thread_may_be_given_one_thing_twice_and_the_invariant_that_fails_is_told() -> None:
    report = check(parallel(Bank), seed=0, database=None)
    assert report.status == "failed" and len(report.failures) == 1
    assert isinstance(report.error, AssertionError)
    lines = str(report.counterexample[0]).splitlines()
    assert lines[0] == "state = Bank()"
    assert lines[-1] == "state.nothing_is_lost()"


class Doubled(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.n = 1

    @rule()
    async def double(self) -> None:
        await asyncio.sleep(0)
        self.n *= 2


class DoubledInvariant(Doubled):
    @invariant()
    async def small(self) -> None:
        assert self.n < 4


class DoubledTeardown(Doubled):
    async def teardown(self) -> None:
        assert self.n < 4


@pytest.mark.parametrize("machine", [DoubledInvariant, DoubledTeardown])
def test_an_asynchronous_program_runs_as_it_is(machine: type) -> None:
    program = str(check(machine, seed=0, database=None).counterexample[0])
    assert program.startswith("state = Doubled")
    with pytest.raises(AssertionError):
        exec(program, {machine.__name__: machine})


class Talkative(RuleBasedStateMachine):
    """Its rules use every kind of message that a test can report."""

    kept = Bundle("kept")

    def __init__(self) -> None:
        super().__init__()
        self.total = 0

    @rule(k=gen.integers(0, 100), target=kept)
    def add(self, k: int) -> int:
        assume(k % 2 == 0)
        note(f"adds {k}")
        event("added")
        classify("large", k > 10)
        tabulate("parity", k % 2)
        maximize(k, "k")
        target(float(k), label="target")
        self.total += k
        return k

    @rule(k=kept)
    def use(self, k: int) -> None:
        assume(k >= 4)
        assert self.total < 7


def test_the_program_of_rules_that_assume_can_be_pasted() -> None:
    program = str(check(Talkative, seed=0, database=None).counterexample[0])
    with pytest.raises(AssertionError):
        exec(program, {"Talkative": Talkative})


def test_a_rule_that_is_called_directly_may_assume() -> None:
    assert Talkative().add(k=2) == 2
    with pytest.raises(errors.UnsatisfiedAssumption):
        Talkative().add(k=1)
    with pytest.raises(errors.OutsideRun):
        assume(True)


class Distinct(RuleBasedStateMachine):
    """assume rejects most of its steps, and the bug needs fourteen accepted ones."""

    def __init__(self) -> None:
        super().__init__()
        self.members: set[int] = set()

    @rule(k=gen.integers(0, 20))
    def add(self, k: int) -> None:
        assume(k not in self.members)
        self.members.add(k)
        assert len(self.members) < 14

    @rule(k=gen.integers(0, 20))
    def remove(self, k: int) -> None:
        assume(k in self.members)
        self.members.remove(k)


class DistinctDrawn(Distinct):
    @rule(data=gen.data())
    def draw(self, data: Any) -> None:
        self.add(data.draw(gen.integers(0, 20)))


@pytest.mark.parametrize("machine", [Distinct, DistinctDrawn])
@pytest.mark.parametrize("seed", range(3))
def test_a_step_that_assume_rejects_does_not_end_the_run(machine: type, seed: int) -> None:
    report = check(machine, seed=seed, database=None)
    assert report.status == "failed"
    assert len(report.counterexample[0]) == 14


def test_a_run_whose_steps_were_rejected_is_replayed_as_it_was() -> None:
    first, second = (check(Distinct, seed=5, database=None) for _ in range(2))
    assert str(first) == str(second)


class Sets(RuleBasedStateMachine):
    """Sets, lists and unions of values from bundles that are empty at first."""

    ones, twos = Bundle("ones"), Bundle("twos")

    @rule(target=ones)
    def one(self) -> int:
        return 1

    @rule(target=twos)
    def two(self) -> int:
        return 2

    @rule(some=gen.lists(ones | twos, min_size=1, max_size=2))
    def some_of_them(self, some: list[int]) -> None:
        assert some

    @rule(some=gen.sets(ones))
    def different_ones(self, some: set[int]) -> None:
        assert some <= {1}

    @rule(some=gen.tuples(gen.lists(twos), ones))
    def both(self, some: tuple[list[int], int]) -> None:
        pass


class FewSets(Sets):
    @rule(some=gen.tuples(gen.sets(Sets.twos), Sets.ones))
    def both(self, some: tuple[set[int], int]) -> None:
        pass


def test_every_sequence_of_a_machine_whose_arguments_are_made_of_empty_bundles() -> None:
    report = check(FewSets, explore=Exhaustive(max_size=2), database=None)
    assert report.status == "passed", report
    # one, two, different_ones(set()); then 7 after one, 5 after two, 3 after the last
    assert report.exhaustive and report.covered == "every sequence of at most 2 steps: 19 sequences"


def test_lists_without_end_of_a_bundle_withhold_the_word() -> None:
    report = check(Sets, explore=Exhaustive(max_size=3), database=None)
    assert report.status == "passed", report
    assert not report.exhaustive and "only the 8 simplest values of some of both" in report.covered


class Jugs(RuleBasedStateMachine):
    """The shortest failing sequence has steps that a longer one lacks."""

    capacity = (3, 5)

    def __init__(self) -> None:
        super().__init__()
        self.water = [0, 0]

    @rule(jug=gen.integers(0, 1))
    def fill(self, jug: int) -> None:
        self.water[jug] = self.capacity[jug]

    @rule(jug=gen.integers(0, 1))
    def empty(self, jug: int) -> None:
        self.water[jug] = 0

    @rule(jug=gen.integers(0, 1))
    def pour(self, jug: int) -> None:
        amount = min(self.water[jug], self.capacity[1 - jug] - self.water[1 - jug])
        self.water[jug] -= amount
        self.water[1 - jug] += amount

    @invariant()
    def unsolved(self) -> None:
        assert self.water[1] != 4


@pytest.mark.slow
def test_the_shortest_sequence_is_found_also_if_it_is_another_one() -> None:
    shortest = check(Jugs, explore=Exhaustive(max_size=7), database=None, seed=0)
    assert len(shortest.counterexample[0]) == 6
    found = [check(Jugs, seed=seed, database=None, max_examples=3000) for seed in range(12)]
    assert [len(report.counterexample[0]) for report in found] == [6] * 12


class Odd(RuleBasedStateMachine):
    first, second, third = Bundle("a b"), Bundle("a-b"), Bundle("1")

    @rule(targets=(first, second, third))
    def make(self) -> list[int]:
        return []

    @rule(a=first, b=second, c=third, dice=gen.lists(gen.randoms(), min_size=2, max_size=2))
    def use(self, a: list[int], b: list[int], c: list[int], dice: list[Any]) -> None:
        assert not a is b is c or dice.pop().random() + dice.pop().random() < 1


def test_odd_names_and_late_draws_are_written_so_that_the_program_runs() -> None:
    program = check(Odd, seed=0, database=None).counterexample[0]
    assert str(program).splitlines()[1] == "a_b_0 = a_b__0 = _1_0 = state.make()"
    with pytest.raises(AssertionError):
        exec("\n".join([*program.imports, str(program)]), {"Odd": Odd})


class Filtered(RuleBasedStateMachine):
    @rule(n=gen.integers(0, 9).filter(lambda n: n % 2 == 0))
    def even(self, n: int) -> None:
        assert n % 2 == 0

    @rule(n=gen.integers(0, 9).filter(lambda n: n % 3 == 0))
    def third(self, n: int) -> None:
        assert n % 3 == 0


def test_arguments_that_only_print_alike_do_not_share_values() -> None:
    assert check(Filtered, seed=0, max_examples=100, database=None).status == "passed"
