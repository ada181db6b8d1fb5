"""Machines as properties, for ``check``, pytest, unittest and the command line."""

from __future__ import annotations

import inspect
import unittest
from collections.abc import Callable
from typing import Any

from everycase.errors import HealthCheckFailed, InvalidArgument, InvalidDefinition
from everycase.explore.exhaustive import Exhaustive
from everycase.gen.base import Gen
from everycase.run.property import MACHINE_TEST, Property, Spec
from everycase.run.report import Report
from everycase.run.settings import HealthCheck, Resolved, settings
from everycase.stateful.definition import Definition
from everycase.stateful.machine_plan import MachinePlan, PlannedRule
from everycase.stateful.program import MachineProgram, MachineSteps

#: A precondition that was false this many times, and never true, is reported as an error.
ASKED = 1000


class MachineTest:
    """The test function of a machine: it takes a program and runs it. It has the name of the machine."""

    def __init__(self, machine: type, suffix: str = "") -> None:
        self.machine = machine
        self.__name__ = machine.__name__ + suffix
        self.__qualname__ = machine.__qualname__ + suffix
        self.__module__ = machine.__module__
        self.__doc__ = machine.__doc__
        # The place of the machine, because failures are remembered near its file.
        rules = [value for value in vars(machine).values() if inspect.isfunction(value)]
        if rules:
            self.__code__ = rules[0].__code__
            self.__globals__ = rules[0].__globals__

    def __call__(self, steps: MachineProgram) -> None:
        __tracebackhide__ = True
        steps.run()


class MachineProperty(Property):
    """The property that a machine never fails."""

    is_made_to_run = True

    def __init__(
        self,
        machine: type,
        factory: Callable[[], Any] | None = None,
        spec: Spec | None = None,
        plan: MachinePlan | None = None,
    ) -> None:
        self.machine = machine
        self.factory = factory or machine
        self.definition = Definition(machine)
        self.plan = plan or self.planned(50)
        super().__init__(self.test(), {"steps": self.source()}, spec=spec)

    def test(self) -> Callable[..., Any]:
        return MachineTest(self.machine)

    def source(self) -> Gen[Any]:
        return MachineSteps(self.plan).gen

    def planned(self, limit: int) -> MachinePlan:
        return MachinePlan(self.factory, self.definition, limit)

    def begin(self, options: Resolved) -> Property:
        """The property for one run, which owns what is learned in it."""
        plan = self.planned(options.stateful_step_count)
        return type(self)(self.machine, self.factory, self.spec, plan)

    def finish(self, report: Report, options: Resolved) -> None:
        """Report what the machine did, and raise for what it could not do."""
        plan = self.plan
        ran = {rule.name: plan.ran[rule.number] for rule in plan.options}
        report.figures = {
            **report.figures,
            "machine_runs": plan.runs,
            "machine_steps": sum(plan.ran),
            "rules": ran,
            "refused": {
                rule.name: plan.refused[rule.number] for rule in plan.options if plan.refused[rule.number]
            },
        }
        if not report.failures:
            self._complain(report, options)

    def _complain(self, report: Report, options: Resolved) -> None:
        plan = self.plan
        if not any(plan.ran[rule.number] for rule in plan.rules) and any(
            _asked(plan, rule) for rule in plan.rules
        ):
            report.exhaustive = False
            report.problem = InvalidDefinition(
                f"no rule of {plan.name} could ever run: {'; '.join(_why(plan, rule) for rule in plan.rules)}"
            )
            return
        if plan.stuck:
            report.warnings.append(
                f"{plan.stuck:,} of {plan.runs:,} runs of {plan.name} ended early, in a state where no rule can run"
            )
        for name, returned in plan.returned.items():
            words = f"the invariant {name} returned {returned}, which is ignored: an invariant must raise if it does not hold"
            if HealthCheck.return_value in options.suppress_health_check:
                report.warnings.append(words)
            else:
                report.problem = HealthCheckFailed(
                    f"{words}. Write assert, or suppress this with settings(suppress_health_check=[HealthCheck.return_value])"
                )
        for rule in plan.rules:
            asked = _asked(plan, rule)
            if plan.ran[rule.number] or not asked:
                continue
            words = f"the rule {rule.name!r} never ran: {_why(plan, rule)}"
            # Short sequences are what Exhaustive(max_size=...) was asked for.
            all_of = options.explore
            is_bounded = isinstance(all_of, Exhaustive) and all_of.max_size is not None
            relaxed = is_bounded or HealthCheck.never_ran in options.suppress_health_check
            if asked >= ASKED and not relaxed:
                report.problem = HealthCheckFailed(
                    f"{words}, so this run did not test it. {_advice(plan, rule)}, or suppress this with "
                    "settings(suppress_health_check=[HealthCheck.never_ran])"
                )
            else:
                report.warnings.append(words)


def _asked(plan: MachinePlan, rule: PlannedRule) -> int:
    """How often a rule could not run."""
    number = rule.number
    return plan.refused[number] + plan.empty[number] + plan.barren[number] + plan.rejected[number]


def _why(plan: MachinePlan, rule: PlannedRule) -> str:
    refused, empty, barren = plan.refused[rule.number], plan.empty[rule.number], plan.barren[rule.number]
    reasons = []
    if refused:
        reasons.append(f"the precondition of {rule.name} was false all {refused:,} times it was checked")
    if empty:
        reasons.append(
            f"there was nothing in the bundle {_needed(rule)} that {rule.name} needs, {empty:,} times"
        )
    if barren:
        reasons.append(f"no arguments were found for {rule.name}, {barren:,} times")
    if rejected := plan.rejected[rule.number]:
        reasons.append(f"assume rejected every call of {rule.name} ({rejected:,})")
    return " and ".join(reasons) or f"{rule.name} was never tried"


def _needed(rule: PlannedRule) -> str:
    return " or ".join(map(repr, rule.needs))


def _advice(plan: MachinePlan, rule: PlannedRule) -> str:
    if plan.refused[rule.number]:
        return "Correct the precondition"
    if plan.empty[rule.number]:
        return f"Let a rule put something into {_needed(rule)}"
    if plan.barren[rule.number]:
        return "Correct the generators of its arguments"
    return "State with @precondition when it can run, or generate arguments that assume accepts"


def machine_of(factory: Any) -> tuple[type, Callable[[], Any]]:
    """The class behind anything that makes machines when it is called: the class itself, or a function."""
    from everycase.stateful.machine import RuleBasedStateMachine

    if isinstance(factory, type):
        if not issubclass(factory, RuleBasedStateMachine):
            raise InvalidArgument(f"{factory.__name__} is not a RuleBasedStateMachine")
        return factory, factory
    if not callable(factory):
        raise InvalidArgument(
            f"a state machine must be a class, or a function that makes one, not {factory!r}"
        )
    made = factory()
    if not isinstance(made, RuleBasedStateMachine):
        raise InvalidArgument(f"{factory!r} must return a RuleBasedStateMachine, but it returned {made!r}")
    made.teardown()
    return type(made), factory


#: Machines have their own checks; those of inputs do not apply.
RELAXED = settings(deadline=None, suppress_health_check=list(HealthCheck))


def as_test(decorated: settings, chosen: settings) -> settings:
    """The settings of a machine that is run as a test: those chosen for it, on top of its decorators.

    A rule that never ran does not fail a test, as in Hypothesis.
    """
    layers = (RELAXED, decorated) if chosen is RELAXED else (decorated, chosen)
    suppressed = settings.combine(*layers).resolve().suppress_health_check
    return settings.combine(*layers, settings(suppress_health_check=[*suppressed, HealthCheck.never_ran]))


def run_state_machine_as_test(state_machine_factory: Any, *, settings: settings | None = None) -> None:
    """Run a machine: return if it never fails, else raise, with the shortest failing program as a note.

    ``state_machine_factory`` is a class, or a function that returns a new machine.
    """
    __tracebackhide__ = True
    from everycase.run.runner import run_or_raise
    from everycase.run.settings import settings as kind

    if settings is None:
        settings = getattr(getattr(state_machine_factory, "TestCase", None), "settings", RELAXED)
    if not isinstance(settings, kind):
        raise InvalidArgument(f"settings must be a settings(...) object, not {settings!r}")
    machine, factory = machine_of(state_machine_factory)
    spec = spec_for(machine)
    spec.settings = as_test(spec.settings, settings)
    run_or_raise(MachineProperty(machine, factory, spec), {})


def spec_for(machine: type) -> Spec:
    """The data of decorators (``settings``, ``seed``, ``reproduce``) of a machine class."""
    from everycase.run.property import SPEC

    found = vars(machine).get(SPEC)
    made = Spec()
    if isinstance(found, Spec):
        made.settings, made.blobs = found.settings, list(found.blobs)
    return made


class Runnable:
    """A property of a machine under another name: for ``check``, to be called, and for unittest and
    pytest."""

    def __init__(
        self, machine: type, factory: Callable[[], Any], branches: int, word: str, spec: Spec
    ) -> None:
        self.machine = machine
        self.factory = factory
        self.branches = branches
        self.spec = spec
        self.__name__ = f"{machine.__name__}.{word}"
        self.__qualname__ = f"{machine.__qualname__}.{word}"
        self.__module__ = machine.__module__
        self.TestCase = test_case(machine, self._run, self.__name__)

    def make(self, factory: Callable[[], Any], spec: Spec) -> Property:
        """The property."""
        raise NotImplementedError

    def __everycase_make_property__(self) -> Property:
        spec = Spec()
        chosen = getattr(self.TestCase, "settings", RELAXED)
        spec.settings = (
            self.spec.settings if chosen is RELAXED else settings.combine(self.spec.settings, chosen)
        )
        spec.blobs = list(self.spec.blobs)
        return self.make(self.factory, spec)

    def __call__(self) -> None:
        """Run it: return if it holds, else raise."""
        __tracebackhide__ = True
        self._run(RELAXED)

    def _run(self, chosen: settings) -> None:
        __tracebackhide__ = True
        from everycase.run.runner import run_or_raise

        spec = Spec()
        spec.settings = as_test(self.spec.settings, chosen)
        spec.blobs = list(self.spec.blobs)
        run_or_raise(self.make(self.factory, spec), {})

    def __repr__(self) -> str:
        return f"<{self.__name__}>"


def test_case(machine: type, run: Callable[[settings], None], name: str) -> type[unittest.TestCase]:
    """A unittest class with one test. Its ``settings`` can be set."""

    class StateMachineTestCase(unittest.TestCase):
        settings = RELAXED

        def runTest(self) -> None:  # noqa: N802 (unittest's name)
            __tracebackhide__ = True
            run(self.settings)

    setattr(StateMachineTestCase.runTest, MACHINE_TEST, True)
    StateMachineTestCase.__name__ = f"{name}.TestCase"
    StateMachineTestCase.__qualname__ = f"{machine.__qualname__}.TestCase"
    StateMachineTestCase.__module__ = machine.__module__
    return StateMachineTestCase


test_case.__test__ = False  # type: ignore[attr-defined]  # its name begins like that of a test
