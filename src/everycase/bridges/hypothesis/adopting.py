"""``pytest --everycase-adopt``: the unchanged ``hypothesis.given`` tests of a suite, run by our explorers.

A test under ``hypothesis.given`` is replaced, while it is collected, by one of our properties: the decorated
function, its strategies read as generators, its settings and explicit examples. Hypothesis' ``assume``,
``event``, ``target`` and ``note`` work in our run. A test that cannot be adopted is left to Hypothesis, and
the summary says so.
"""

from __future__ import annotations

import functools
import inspect
import unittest
from collections.abc import Callable
from typing import Any

import pytest

from everycase.bridges.hypothesis import private
from everycase.bridges.hypothesis.private import GivenTest, Said, UnsatisfiedAssumption
from everycase.bridges.hypothesis.reading import from_strategy
from everycase.errors import Discarded, EverycaseError
from everycase.gen.base import Gen
from everycase.run.context import event, maximize, note
from everycase.run.hypothesis_names import seeded
from everycase.run.property import PROPERTY, ExplicitExample, Property, Spec, wrap
from everycase.run.settings import HealthCheck, Phase, Verbosity, settings

#: Attributes of a test that belong to Hypothesis; others, such as marks of pytest, go with the test.
_THEIRS = ("hypothesis", "is_hypothesis", "_hypothesis", "__wrapped__", "__signature__")


class NotAdopted(Exception):
    """A test that is left to Hypothesis; the message says why."""


def adopt(function: Any) -> Callable[..., Any]:
    """The test under ``hypothesis.given`` as a test of ours.

    >>> import hypothesis, hypothesis.strategies as st
    >>> @hypothesis.given(st.integers(0, 5))
    ... def test_small(n):
    ...     hypothesis.assume(n)
    ...     assert n < 6
    >>> from everycase import check
    >>> check(adopt(test_small)).exhaustive
    True
    """
    test = private.given_test(function)
    if test is None:
        raise NotAdopted("its strategies cannot be seen (a state machine, for example)")
    if test.reproduces:
        raise NotAdopted("@reproduce_failure is for Hypothesis")
    gens = {name: _generator(test, name, strategy) for name, strategy in test.strategies.items()}
    inner = _listening(test.inner)
    spec = Spec()
    spec.settings = _settings(test)
    spec.examples = [_example(each) for each in test.examples]
    ordered = [name for name in inspect.signature(test.inner).parameters if name in gens]
    prop = Property(inner, {name: gens[name] for name in [*ordered, *gens]}, (), spec)
    prop.adopted = True
    ours = wrap(inner, prop)
    for name, value in vars(function).items():
        if not name.startswith(_THEIRS):
            setattr(ours, name, value)
    ours.__name__, ours.__qualname__ = function.__name__, function.__qualname__
    return ours


def _generator(test: GivenTest, name: str, strategy: Any) -> Gen[Any]:
    if strategy is ...:
        hints = inspect.get_annotations(inspect.unwrap(test.inner), eval_str=True)
        strategy = private.st.from_type(hints[name])
    try:
        # Validated now, while Hypothesis can still report what is wrong with it.
        strategy.validate()
        return from_strategy(strategy)
    except private.hypothesis.errors.HypothesisException as problem:
        raise NotAdopted(f"Hypothesis refuses a strategy: {problem}") from None
    except EverycaseError as problem:
        raise NotAdopted(str(problem)) from None


def _listening(inner: Callable[..., Any]) -> Callable[..., Any]:
    """The function under ``given``, whose calls of Hypothesis functions are passed on to our run."""

    def pass_on(said: Said) -> None:
        for text in said.notes:
            note(text)
        for label, payload in said.events.items():
            event(label, payload)
        for label, utility in said.targets.items():
            maximize(utility, label)

    if inspect.iscoroutinefunction(inner):

        @functools.wraps(inner, updated=())
        async def waiting(*args: Any, **kwargs: Any) -> Any:
            said = Said()
            try:
                with said.listening():
                    return await inner(*args, **kwargs)
            except UnsatisfiedAssumption as problem:
                raise Discarded(str(problem)) from None
            finally:
                pass_on(said)

        return waiting

    idle: list[Said] = []  # making one takes longer than most test cases

    @functools.wraps(inner, updated=())  # attributes that Hypothesis set on the function stay there
    def test(*args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True
        said = idle.pop() if idle else Said()
        try:
            with said.listening():
                return inner(*args, **kwargs)
        except UnsatisfiedAssumption as problem:
            raise Discarded(str(problem)) from None
        finally:
            pass_on(said)
            idle.append(said)

    return test


def _settings(test: GivenTest) -> settings:
    """The settings of a Hypothesis test, as far as they have a meaning here."""
    theirs = test.settings
    names = {check.name for check in HealthCheck} | set(HealthCheck.__members__)
    phases = [Phase[phase.name] for phase in theirs.phases if phase.name in Phase.__members__]
    given: dict[str, Any] = {
        "max_examples": theirs.max_examples,
        "derandomize": theirs.derandomize,
        "print_blob": theirs.print_blob,
        "report_multiple_bugs": theirs.report_multiple_bugs,
        "suppress_health_check": [
            HealthCheck[check.name] for check in theirs.suppress_health_check if check.name in names
        ],
        "phases": phases,
        "verbosity": Verbosity[theirs.verbosity.name],
    }
    if theirs.deadline != private.hypothesis.settings.get_profile("default").deadline:
        given["deadline"] = theirs.deadline  # set by the test or the suite, not the default of Hypothesis
    if theirs.database is None:
        given["database"] = None
    if test.seed is not None:
        given["seed"] = seeded(test.seed)
    return settings(**given)


def _example(theirs: Any) -> ExplicitExample:
    ours = ExplicitExample(tuple(theirs.args), dict(theirs.kwargs))
    ours.expected, ours.reason = theirs.raises, theirs.reason or ""
    return ours


# --- in pytest ---------------------------------------------------------------------------------------------------


class Adoption:
    """The hooks of ``--everycase-adopt``."""

    def __init__(self) -> None:
        #: by test: why it was left to Hypothesis
        self.left: dict[str, str] = {}
        #: the tests that everycase has run; one with subtests has several reports
        self.adopted: set[str] = set()

    @pytest.hookimpl(tryfirst=True)
    def pytest_pycollect_makeitem(self, collector: Any, name: str, obj: Any) -> Any:
        if isinstance(obj, type) and issubclass(obj, unittest.TestCase):
            # Its tests are not offered one by one.
            for each, value in inspect.getmembers(obj):
                ours = self._adopted(value, obj) if each.startswith("test") else None
                if ours is not None:
                    setattr(obj, each, ours)
            return None
        # Helpers under given stay as they are: a test may call them, or look at what Hypothesis put on them.
        ours = self._adopted(obj, collector.obj) if collector.istestfunction(obj, name) else None
        if ours is None:
            return None
        # pytest looks it up again by its name, for each test case that gets a new instance of its class.
        setattr(collector.obj, name, ours)
        return collector.ihook.pytest_pycollect_makeitem(collector=collector, name=name, obj=ours)

    def _adopted(self, function: Any, owner: Any) -> Callable[..., Any] | None:
        if not getattr(function, "is_hypothesis_test", False) or hasattr(function, PROPERTY):
            return None
        try:
            if private.has_executor(owner):
                raise NotAdopted("its class defines how test cases are run (execute_example, setup_example)")
            ours = adopt(function)
        except Exception as problem:
            function.everycase_left = str(problem)
            return None
        ours.everycase_adopted = True  # type: ignore[attr-defined]
        return ours

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: Any) -> Any:
        __tracebackhide__ = True
        if not getattr(getattr(item, "obj", None), "everycase_adopted", False):
            return (yield)
        # Functions below the strategies may call note, event and assume too, while an input is being made.
        with private.allowing_assume():
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: Any, call: Any) -> Any:
        report = yield
        if call.when == "call":
            function = getattr(item, "obj", None)
            # Plain data in attributes of the report is transferred from the workers of pytest-xdist.
            report.everycase_adopted = getattr(function, "everycase_adopted", False)
            report.everycase_left = getattr(function, "everycase_left", None)
        return report

    def pytest_runtest_logreport(self, report: Any) -> None:
        if getattr(report, "everycase_adopted", False):
            self.adopted.add(report.nodeid)
        left = getattr(report, "everycase_left", None)
        if left is not None:
            self.left[report.nodeid] = left

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        terminalreporter.section("everycase adopted")
        terminalreporter.write_line(
            f"{len(self.adopted)} test{'s' * (len(self.adopted) != 1)} under hypothesis.given {'was' if len(self.adopted) == 1 else 'were'} "
            f"run by everycase, {len(self.left)} by Hypothesis as before"
        )
        for test, why in self.left.items():
            terminalreporter.write_line(f"  {test}: {why}")
