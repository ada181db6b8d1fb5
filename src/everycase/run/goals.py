"""Goals for free: how far a test's own assertion is from failing.

``assert cost(x) < 21`` says what a failure is, and ``cost(x) - 21`` says how near an input comes to it. So if
a test does not call ``maximize`` or ``minimize``, its assertions are read: for those that compare two
numbers, the distance to the failing side is a utility. For this, the source of the test is compiled once
more (:mod:`everycase.run.goal_reader`), with each such comparison replaced by a call that compares the same
two values, evaluated once as before, and records their distance. Functions of the same file and methods that
the test calls are treated in the same way. Only exploring runs these copies; a failure is confirmed, shrunk
and shown by the test as it was written.

Tests whose source cannot be read, lambdas, and tests that set their own goals are left alone.
``settings(goals=False)`` switches it off.
"""

from __future__ import annotations

import functools
import math
import operator
import sys
from collections.abc import Callable
from contextlib import suppress
from types import FunctionType, MethodType
from typing import Any

from everycase.run.context import current_or_none
from everycase.run.goal_reader import Sense, copied, is_read

#: After this number of comparisons without a number the original test is run.
GIVE_UP = 50

_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "Lt": operator.lt,
    "LtE": operator.le,
    "Gt": operator.gt,
    "GtE": operator.ge,
    "Eq": operator.eq,
    "NotEq": operator.ne,
}

#: How near the comparison is to failing, by the difference of its sides: larger is nearer.
_NEARNESS: dict[str, Callable[[float], float]] = {
    "Lt": lambda difference: difference,
    "LtE": lambda difference: difference,
    "Gt": operator.neg,
    "GtE": operator.neg,
    "Eq": abs,
    "NotEq": lambda difference: -abs(difference),
}

#: The condition that must hold if an assertion says ``not``.
_OPPOSITE = {"Lt": "GtE", "LtE": "Gt", "Gt": "LtE", "GtE": "Lt", "Eq": "NotEq", "NotEq": "Eq"}

#: Where other types come from whose values can be subtracted without any effect on something else.
_MEASURED = frozenset({"datetime", "fractions", "decimal", "numpy"})

#: Where among the conditions that must all fail a comparison stands: a part of the range from 0 to 1.
Part = tuple[float, float]


class Goals:
    """A test and its copy that records distances. Called like the test.

    The copy is made when it is first needed: most tests that fail do so before, and reading the source takes
    longer than a hundred small tests.
    """

    def __init__(self, test: FunctionType) -> None:
        functools.update_wrapper(self, test)
        self.test = test
        self._copy: FunctionType | None = None
        self._hook: Hook | None = Hook()

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:  # the test may have a parameter called self
        __tracebackhide__ = True
        if self._hook is None:
            return self.test(*args, **kwargs)
        scope = current_or_none()
        if scope is None or not scope.wants_goals:
            return self.test(*args, **kwargs)
        if self._copy is None:
            self._copy = copied(self.test, self._hook)
        if self._copy is None or self._hook.useless:
            self._hook = None  # there is nothing to record
            return self.test(*args, **kwargs)
        return self._copy(*args, **kwargs)


class Hook:
    """What the copies call: it compares as the assertion does, and records how far that was from failing."""

    def __init__(self) -> None:
        self.calls = self.numbers = 0
        self._helpers: dict[tuple[FunctionType, Sense], FunctionType | None] = {}

    @property
    def useless(self) -> bool:
        return not self.numbers and self.calls >= GIVE_UP

    # --- functions that a test calls --------------------------------------------------------------------

    def helper(self, called: Any, sense: Sense = None) -> Any:
        """The function that a test calls, or its copy that records distances."""
        if type(called) is MethodType:
            copy = self._copy_of(called.__func__, sense)
            return called if copy is None else MethodType(copy, called.__self__)
        return (self._copy_of(called, sense) or called) if type(called) is FunctionType else called

    def _copy_of(self, function: Any, sense: Sense) -> FunctionType | None:
        if type(function) is not FunctionType:
            return None
        known = function, sense
        if known not in self._helpers:
            self._helpers[known] = None  # also for a function that calls itself, while it is being read
            if is_read(function) and function.__module__ != "unittest.case":
                self._helpers[known] = copied(function, self, own=False, sense=sense)
        return self._helpers[known]

    # --- comparisons ------------------------------------------------------------------------------------

    def compare(
        self, label: str, kind: str, left: Any, right: Any, opposite: bool = False, part: Part | None = None
    ) -> Any:
        __tracebackhide__ = True
        self._near(label, kind, left, right, opposite, part)
        if kind == "In":
            return left in right
        if kind == "NotIn":
            return left not in right
        return _COMPARE[kind](left, right)

    def close(
        self, label: str, opposite: bool, part: Part | None, function: Any, /, *args: Any, **options: Any
    ) -> Any:
        """``math.isclose``, or another function of that name."""
        __tracebackhide__ = True
        self.calls += 1
        if function is math.isclose and len(args) == 2 and all(type(x) in (int, float) for x in args):
            left, right = args
            with suppress(OverflowError, TypeError):
                wide = options.get("rel_tol", 1e-9) * max(abs(left), abs(right))
                beyond = abs(left - right) - max(wide, options.get("abs_tol", 0.0))
                self._note(label, -beyond if opposite else beyond, part)
        return function(*args, **options)

    def checked(self, label: str, kind: str, method: Any) -> Any:
        """A method of unittest, such as ``assertLess``."""
        unittest = sys.modules.get("unittest")
        if unittest is None or not isinstance(getattr(method, "__self__", None), unittest.TestCase):
            return method

        def call(*args: Any, **options: Any) -> Any:
            __tracebackhide__ = True
            if len(args) >= 2:
                self._near(label, kind, args[0], args[1])
            return method(*args, **options)

        return call

    def _near(
        self,
        label: str,
        kind: str,
        left: Any,
        right: Any,
        opposite: bool = False,
        part: Part | None = None,
    ) -> None:
        """Record how near a comparison is to failing, if it compares numbers."""
        self.calls += 1
        if kind in ("In", "NotIn"):
            if type(left) is int and type(right) is range and right.step == 1 and right:
                below, above = right.start - left, left - right.stop + 1
                if (kind == "NotIn") != opposite:
                    self._note(label, -max(below, above, 0), part)
                elif part is not None:
                    self._note(label, max(below, above), part)
                else:
                    self._note(f"{label} (below)", below)  # a range has two sides to leave it by
                    self._note(f"{label} (above)", above)
            return
        if opposite:
            kind = _OPPOSITE[kind]
        beyond = _beyond_approx(left, right)
        if beyond is not None:
            if kind in ("Eq", "NotEq"):
                self._note(label, beyond if kind == "Eq" else -beyond, part)
            return
        difference = _difference(left, right)
        if difference is not None:
            self._note(label, _NEARNESS[kind](difference), part)

    def _note(self, label: str, nearness: float, part: Part | None = None) -> None:
        scope = current_or_none()
        if scope is None:
            return
        with suppress(OverflowError):
            nearness = float(nearness)
            if not math.isfinite(nearness):
                return
            if part is not None:
                low, width = part
                nearness = low + width * (1 + _squeezed(nearness))
            self.numbers += 1
            scope.touched = True
            known = scope.guessed.get(label)
            scope.guessed[label] = nearness if known is None else max(known, nearness)


def _squeezed(nearness: float) -> float:
    """A nearness below 0 as a number from -1 to 0, which still tells large ones apart.

    >>> [round(_squeezed(x), 2) for x in (-(10**15), -1000, -1, 0, 5)]
    [-0.97, -0.87, -0.41, -0.0, -0.0]
    """
    far = math.log1p(max(0.0, -nearness))
    return -far / (1 + far)


def _difference(left: Any, right: Any) -> float | None:
    """By how much the left side is larger; None if these are not numbers, dates or times."""
    if type(left) in (int, float) and type(right) in (int, float):
        with suppress(OverflowError):
            return float(left - right)
        return None
    if not (_is_measured(left) and _is_measured(right)):
        return None
    with suppress(TypeError, ValueError, ArithmeticError):
        difference = _plain(left) - _plain(right)
        seconds = getattr(difference, "total_seconds", None)
        return float(difference if seconds is None else seconds())
    return None


def _beyond_approx(left: Any, right: Any) -> float | None:
    """How far a number is outside of what ``pytest.approx`` allows; None if it is not that."""
    for one, other in ((right, left), (left, right)):
        if type(one).__name__ == "ApproxScalar" and type(other) in (int, float):
            with suppress(Exception):
                return float(abs(other - one.expected) - one.tolerance)
    return None


def _is_measured(value: Any) -> bool:
    kind = type(value)
    return kind in (int, float) or (kind.__module__ in _MEASURED and getattr(value, "shape", ()) == ())


def _plain(value: Any) -> Any:
    """A number that can be subtracted without effects: those of numpy may warn, and decimals set flags."""
    match type(value).__module__:
        case "decimal":
            return float(value)
        case "numpy":
            return value.item()
        case _:
            return value


def with_goals(test: Callable[..., Any]) -> Callable[..., Any]:
    """A test that :func:`~everycase.run.goal_reader.may_have_goals`, with goals read from its assertions."""
    if isinstance(test, MethodType):
        return MethodType(with_goals(test.__func__), test.__self__)
    return Goals(test)  # type: ignore[arg-type]
