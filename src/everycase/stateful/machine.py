"""The base class of state machines."""

from __future__ import annotations

import unittest
from collections.abc import Callable
from typing import Any, ClassVar

from everycase.run.property import Property
from everycase.run.settings import settings
from everycase.stateful.testing import (
    RELAXED,
    MachineProperty,
    run_state_machine_as_test,
    spec_for,
    test_case,
)


class _TestCase:
    """``Machine.TestCase``: created on demand, one for each class."""

    def __get__(self, machine: Any, kind: type) -> type[unittest.TestCase]:
        found: type[unittest.TestCase] | None = vars(kind).get("_test_case")
        if found is None:

            def run(chosen: settings) -> None:
                __tracebackhide__ = True
                run_state_machine_as_test(kind, settings=chosen)

            found = test_case(kind, run, kind.__name__)
            kind._test_case = found  # type: ignore[attr-defined]
        return found


class RuleBasedStateMachine:
    """A system under test and its operations: methods under :func:`rule` are steps, in any order.

    A test makes a new machine, takes some steps and calls :meth:`teardown`. It fails if a rule or an invariant raises.
    ``check(Machine)``, ``Machine.TestCase`` for pytest and unittest, and ``everycase run FILE::Machine`` run it.

    >>> from everycase import check, gen
    >>> from everycase.stateful import invariant, rule
    >>> class Light(RuleBasedStateMachine):
    ...     on = False
    ...     @rule()
    ...     def switch(self):
    ...         self.on = not self.on
    ...     @invariant()
    ...     def is_on_or_off(self):
    ...         assert self.on in (True, False)
    >>> check(Light, max_examples=20).status
    'passed'
    """

    _is_machine_base: ClassVar[bool] = True

    def teardown(self) -> None:
        """Called after the last step of a run, also if it failed. Does nothing unless overridden."""

    def check_invariants(self) -> None:
        """Call every invariant of this machine."""
        from everycase.stateful.definition import Definition

        for invariant in Definition(type(self)).invariants:
            if all(holds(self) for holds in invariant.preconditions):
                invariant.function(self)

    @classmethod
    def against(cls, *systems: Callable[[], Any]) -> type[RuleBasedStateMachine]:
        """A machine that takes each step with several implementations and compares the results of the rules.

        The machine gets a factory of the system under test as the argument of ``__init__``, or has the system
        as ``self.system``.

        >>> from everycase import check, gen
        >>> from everycase.stateful import rule
        >>> class Numbers(RuleBasedStateMachine):
        ...     system = None
        ...     @rule(n=gen.integers(0, 9))
        ...     def add(self, n):
        ...         return self.system.append(n)
        ...     @rule()
        ...     def size(self):
        ...         return len(self.system)
        >>> class Short(list):
        ...     def __len__(self):
        ...         return min(2, super().__len__())
        >>> print(check(Numbers.against(list, Short), seed=0, database=None).error)
        size returned 3 with list, and 2 with Short
        """
        from everycase.stateful.against import against

        return against(cls, systems)

    TestCase = _TestCase()

    @classmethod
    def __everycase_make_property__(cls) -> Property:
        """The property for ``check`` and the command line."""
        spec = spec_for(cls)
        test = vars(cls).get("_test_case")
        if test is not None and test.settings is not RELAXED:
            spec.settings = settings.combine(spec.settings, test.settings)
        return MachineProperty(cls, cls, spec)

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"
