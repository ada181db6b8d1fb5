"""Machines with user mistakes: the error says what is wrong, where, and what to write instead."""

from __future__ import annotations

import random

import pytest

from everycase import assume, check, gen, reject, reproduce, settings, strategies
from everycase.choices.time_limit import OutOfTime
from everycase.errors import HealthCheckFailed, InvalidArgument, InvalidDefinition
from everycase.explore import Exhaustive, Orders, Random
from everycase.run.failures import Failures
from everycase.run.settings import HealthCheck
from everycase.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    multiple,
    parallel,
    precondition,
    rule,
    run_state_machine_as_test,
)


class Passing(RuleBasedStateMachine):
    @rule()
    def step(self):
        pass


def test_a_machine_without_rules():
    class Nothing(RuleBasedStateMachine):
        pass

    with pytest.raises(InvalidDefinition, match="has no rules"):
        check(Nothing)


def test_a_bundle_that_no_rule_fills():
    class Unfilled(RuleBasedStateMachine):
        things = Bundle("things")

        @rule(xs=gen.lists(things))
        def use(self, xs):
            pass

    with pytest.raises(InvalidDefinition, match="'things', which no rule fills"):
        check(Unfilled)


def test_a_bundle_that_stays_empty_is_named():
    class Empty(RuleBasedStateMachine):
        things = Bundle("things")

        @rule(target=things)
        def make(self):
            return multiple()

        @rule(x=things)
        def use(self, x):
            pass

    report = check(Empty, database=None)
    assert report.status == "gave_up" and "nothing in the bundle 'things' that use needs" in str(report.error)


def test_a_precondition_that_never_holds_is_named_with_counts():
    class Never(RuleBasedStateMachine):
        @rule()
        def fine(self):
            pass

        @precondition(lambda self: False)
        @rule()
        def hopeless(self):
            pass

    report = check(Never, database=None)
    assert report.status == "gave_up"
    assert "precondition of hopeless was false all" in str(report.error)
    relaxed = check(Never, database=None, suppress_health_check=[HealthCheck.never_ran])
    assert relaxed.status == "passed" and "hopeless" in relaxed.warnings[0]
    # As in Hypothesis: it has no such check, and runs machines without health checks unless settings are given.
    run_state_machine_as_test(Never)
    run_state_machine_as_test(Never, settings=settings(max_examples=30))


def test_a_rule_beyond_the_size_asked_for_does_not_take_the_verdict_away():
    class Late(RuleBasedStateMachine):
        n = 0

        @rule(k=gen.integers(0, 9))
        def add(self, k):
            self.n += 1

        @precondition(lambda self: self.n > 3)
        @rule()
        def use(self):
            pass

    report = check(Late, explore=Exhaustive(max_size=3), database=None)
    assert report.status == "passed" and report.exhaustive
    assert "the rule 'use' never ran" in report.warnings[0]


def test_a_machine_that_cannot_begin():
    class Stuck(RuleBasedStateMachine):
        @precondition(lambda self: False)
        @rule()
        def step(self):
            pass

    report = check(Stuck, database=None)
    assert report.status == "gave_up" and "no rule of Stuck could ever run" in str(report.error)


def test_states_without_a_way_on_end_a_run_and_are_counted():
    class Ending(RuleBasedStateMachine):
        n = 0

        @precondition(lambda self: self.n < 5)
        @rule()
        def step(self):
            self.n += 1

    report = check(Ending, database=None, max_examples=10)
    assert report.status == "passed" and "10 of 10 runs of Ending ended early" in report.warnings[0]


def test_names_that_clash():
    class Clashing(RuleBasedStateMachine):
        @rule()
        def check_invariants(self):
            pass

    class Shadowed(RuleBasedStateMachine):
        def __init__(self):
            super().__init__()
            self.step = 1

        @rule()
        def step(self):
            pass

    with pytest.raises(InvalidDefinition, match="clashes with the attribute"):
        check(Clashing)
    report = check(Shadowed, database=None)
    assert isinstance(report.error, InvalidDefinition) and "self.step" in str(report.error)


def test_results_that_no_bundle_can_hold():
    class Homeless(RuleBasedStateMachine):
        @rule()
        def step(self):
            return multiple(1, 2)

    report = check(Homeless, database=None)
    assert isinstance(report.error, InvalidDefinition) and "has no target" in str(report.error)


@pytest.mark.parametrize(
    "define, words",
    [
        (lambda: rule(n=5), "n in rule"),
        (lambda: rule(lambda self: None), "write @rule"),
        (lambda: invariant(lambda self: None), "write @invariant"),
        (lambda: rule(gen.integers()), "arguments by name"),
        (lambda: rule(target=gen.integers()), "a target is a Bundle"),
        (lambda: rule(target=Bundle("a"), targets=(Bundle("b"),)), "cannot be combined"),
        (lambda: rule(target=consumes(Bundle("a"))), "makes no sense as a target"),
        (lambda: rule(targets=Bundle("a")), "tuple of bundles"),
        (lambda: consumes(gen.integers()), "consumes takes a bundle"),
        (lambda: Bundle(3), "name of a bundle"),
        (lambda: rule(x=gen.integers())(lambda self: None), "has no parameter 'x'"),
        (lambda: rule()(lambda self, x: None), "takes x"),
        (lambda: rule()(rule()(lambda self: None)), "once"),
        (lambda: initialize()(precondition(lambda self: True)(lambda self: None)), "always runs"),
        (lambda: invariant()(rule()(lambda self: None)), "two methods"),
        (lambda: check(Passing, gen.integers()), "a state machine"),
        (lambda: run_state_machine_as_test(int), "not a RuleBasedStateMachine"),
        (lambda: settings(stateful_step_count=0), "at least 1"),
    ],
)
def test_wrong_definitions_are_named(define, words):
    with pytest.raises(InvalidArgument, match=words):
        define()


def test_a_precondition_alone_is_refused():
    class Alone(RuleBasedStateMachine):
        @rule()
        def step(self):
            pass

        @precondition(lambda self: True)
        def lost(self):
            pass

    with pytest.raises(InvalidDefinition, match="neither a rule nor an invariant"):
        check(Alone)


@pytest.mark.parametrize("share", [0.02, 0.05, 0.2, 0.5])
def test_a_rule_that_fails_now_and_then_is_flaky(share):
    dice = random.Random(0)

    class Chance(RuleBasedStateMachine):
        @rule(k=gen.integers(0, 5))
        def step(self, k):
            assert dice.random() > share

        @rule()
        def other(self):
            pass

    for seed in range(10):
        report = check(Chance, seed=seed, database=None)
        assert report.status == "flaky", (share, seed)


def test_steps_that_assume_rejects_are_not_tested():
    class Rejected(RuleBasedStateMachine):
        @rule(k=gen.integers(0, 3))
        def one(self, k):
            assume(False)

        @rule()
        def other(self):
            reject()

    for explore in (Random(), Exhaustive(max_size=3), Orders(strength=2)):
        report = check(Rejected, explore=explore, database=None)
        assert report.status == "gave_up" and not report.exhaustive
        assert "no rule of Rejected could ever run: assume rejected every call of one" in str(report.error)

    class Partly(Rejected):
        @rule()
        def fine(self):
            pass

    report = check(Partly, explore=Exhaustive(max_size=2), database=None)
    assert report.status == "passed"
    assert "the rule 'one' never ran: assume rejected every call of one (8)" in report.warnings


def test_a_flaky_machine_is_called_flaky():
    calls = []

    class Flaky(RuleBasedStateMachine):
        @rule()
        def step(self):
            calls.append(1)
            assert len(calls) != 30

    report = check(Flaky, database=None)
    assert report.status == "flaky"
    assert "Steps when repeated:\n    state = Flaky()\n    state.step()" in str(report)


def test_steps_that_were_not_written_down_are_not_left_out_silently(monkeypatch):
    class Slow(RuleBasedStateMachine):
        @rule()
        def step(self):
            raise ValueError

    monkeypatch.setattr(Failures, "_fails_again", out_of_time)
    assert "# its steps were not written down" in str(check(Slow, database=None))


def out_of_time(*_):
    raise OutOfTime


@pytest.mark.slow
def test_an_argument_without_values_is_named():
    class Barren(RuleBasedStateMachine):
        @rule()
        def fine(self):
            pass

        @rule(x=gen.integers().filter(lambda n: False))
        def hopeless(self, x):
            pass

    report = check(Barren, database=None)
    assert report.status == "gave_up"
    assert "no arguments were found for hopeless" in str(report.error)


def test_the_advice_fits_the_reason():
    class Empty(RuleBasedStateMachine):
        things = Bundle("things")

        @rule(target=things)
        def make(self):
            return multiple()

        @rule(x=things)
        def use(self, x):
            pass

    words = str(check(Empty, database=None).error)
    assert "precondition" not in words and "Let a rule put something into 'things'" in words


@pytest.mark.parametrize(
    "explore, steps_before",
    [(Random(), 0), (Random(), 2), (Exhaustive(max_size=3), 0), (Exhaustive(max_size=3), 2), (Orders(), 0)],
)
def test_a_precondition_that_raises_is_a_failure_that_comes_again(explore, steps_before):
    class Wrong(RuleBasedStateMachine):
        n = 0

        @rule()
        def add(self):
            self.n += 1

        @precondition(lambda self: self.n < steps_before or self.missing)
        @rule()
        def use(self):
            pass

    report = check(Wrong, seed=0, database=None, explore=explore)
    assert report.status == "failed" and isinstance(report.error, AttributeError)
    program = report.counterexample[0]
    assert str(program).splitlines() == [
        "state = Wrong()",
        *["state.add()"] * steps_before,
        "conditions_hold(state.use)",
    ]
    with pytest.raises(AttributeError, match="missing"):
        exec("\n".join([*program.imports, str(program)]), {"Wrong": Wrong})
    again = check(reproduce(report.blob)(Wrong), database=None)
    assert again.status == "failed" and isinstance(again.error, AttributeError)


def test_a_precondition_that_raises_is_a_failure_among_threads():
    class Wrong(RuleBasedStateMachine):
        @precondition(lambda self: self.missing)
        @rule()
        def use(self):
            pass

    report = check(parallel(Wrong), seed=0, database=None)
    assert report.status == "failed" and isinstance(report.error, AttributeError)


def test_a_parallel_machine_that_cannot_begin():
    class Stuck(RuleBasedStateMachine):
        @precondition(lambda self: False)
        @rule()
        def step(self):
            pass

    report = check(parallel(Stuck), database=None, max_examples=20)
    assert report.status == "gave_up" and "no rule of Stuck could ever run" in str(report.error)


def test_settings_as_an_attribute_would_do_nothing():
    class Inside(RuleBasedStateMachine):
        settings = settings(max_examples=3)

        @rule()
        def step(self):
            pass

    with pytest.raises(InvalidDefinition, match=r"Inside.TestCase.settings"):
        check(Inside)
    with pytest.raises(InvalidDefinition, match=r"Inside.TestCase.settings"):
        run_state_machine_as_test(Inside)


def test_what_an_invariant_returns_is_not_looked_at():
    class Forgot(RuleBasedStateMachine):
        @rule()
        def step(self):
            pass

        @invariant()
        def holds(self):
            return False

    report = check(Forgot, database=None, max_examples=5)
    assert report.status == "gave_up" and isinstance(report.error, HealthCheckFailed)
    assert "the invariant holds returned False" in str(report.error) and "assert" in str(report.error)
    relaxed = check(Forgot, database=None, max_examples=5, suppress_health_check=[HealthCheck.return_value])
    assert relaxed.status == "passed"
    run_state_machine_as_test(Forgot)


def _generates(self):
    yield 1


async def _generates_asynchronously(self):
    yield 1


async def _asynchronous(self):
    return 1


@pytest.mark.parametrize("function", [_generates, _generates_asynchronously])
def test_a_rule_that_yields_is_refused(function):
    with pytest.raises(InvalidDefinition, match="yields"):
        rule()(function)
    with pytest.raises(InvalidDefinition, match="yields"):
        invariant()(function)


def test_a_positional_argument_is_refused():
    def step(self, x, /):
        pass

    with pytest.raises(InvalidDefinition, match="by name"):
        rule(x=gen.integers())(step)


@pytest.mark.parametrize("kind", [staticmethod, classmethod])
def test_a_rule_that_is_no_method_is_refused(kind):
    class Static(RuleBasedStateMachine):
        @rule()
        def step(self):
            pass

        other = kind(rule()(lambda self: None))

    with pytest.raises(InvalidDefinition, match=f"Static.other is under @{kind.__name__}"):
        check(Static)


def test_a_coroutine_that_nobody_awaits_is_refused():
    class Forgetful(RuleBasedStateMachine):
        things = Bundle("things")
        begin = _asynchronous

        @rule(target=things)
        def make(self):
            return self.begin()

        @rule(x=things)
        def use(self, x):
            pass

    report = check(Forgetful, database=None)
    assert isinstance(report.error, InvalidDefinition) and "async def" in str(report.error)


def test_several_results_within_several_are_refused():
    class Nested(RuleBasedStateMachine):
        things = Bundle("things")

        @rule(target=things)
        def make(self):
            return multiple(1, multiple(2, 3))

    report = check(Nested, database=None)
    assert isinstance(report.error, InvalidDefinition) and "multiple" in str(report.error)


def test_a_bundle_can_hold_generators_and_none():
    class Holding(RuleBasedStateMachine):
        things = Bundle("things")

        @rule(target=things, x=strategies.sampled_from([None, gen.integers()]))
        def make(self, x):
            return x

        @rule(x=things)
        def use(self, x):
            assert x is None or x is not None

    assert check(Holding, database=None, max_examples=20).status == "passed"
