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
from collections.abc import Callable, Collection
from collections.abc import Set as AbstractSet
from contextlib import suppress
from types import FunctionType, MethodType
from typing import Any

from everycase.run.context import current_or_none
from everycase.run.goal_reader import Sense, copied, is_read

#: After this number of comparisons without a number the original test is run.
GIVE_UP = 50

#: How much work goals may be for each test on average (a comparison of numbers is 1, about a microsecond), and how much
#: within one test. Of tests with more comparisons some are run as they are.
WORK_PER_TEST, MOST_WORK = 500, 10_000

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

#: The comparisons of sets that say that one contains the other, and in which order these stand.
_SUBSET = {"LtE": 1, "Lt": 1, "GtE": -1, "Gt": -1}

#: The condition that must hold if an assertion says ``not``.
_OPPOSITE = {"Lt": "GtE", "LtE": "Gt", "Gt": "LtE", "GtE": "Lt", "Eq": "NotEq", "NotEq": "Eq"}

#: The place of a comparison among the conditions that must all fail, as a part of the range from 0 to 1.
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
        return (self._copy if self._hook.has_time() else self.test)(*args, **kwargs)


class Hook:
    """What the copies call: it compares as the assertion does, and records how far that was from failing."""

    def __init__(self) -> None:
        self.calls = self.numbers = 0
        #: the tests so far, the work of all of them and at the beginning of this one
        self._tests = self._work = self._begun = 0
        self._helpers: dict[tuple[FunctionType, Sense], FunctionType | None] = {}

    @property
    def useless(self) -> bool:
        return not self.numbers and self.calls >= GIVE_UP

    def has_time(self) -> bool:
        """Whether there is time to measure another test."""
        self._tests += 1
        self._begun = self._work
        return self._work <= WORK_PER_TEST * (10 + self._tests)

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
        self._work += 1 + _work(kind, left, right)
        if self._work - self._begun > MOST_WORK:
            return
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
            elif (kind == "NotIn") != opposite and (apart := _missing(left, right)) is not None:
                self._note(label, -apart, part)
            return
        if opposite:
            if kind in _SUBSET and (apart := _lacking(*((left, right)[:: _SUBSET[kind]]))) is not None:
                self._note(label, -apart, part)
                return
            kind = _OPPOSITE[kind]
        off = _difference(left, right)
        beyond = None if off is not None else _beyond_approx(left, right)
        if beyond is not None:
            if kind in ("Eq", "NotEq"):
                self._note(label, beyond if kind == "Eq" else -beyond, part)
            return
        if off is not None:
            self._note(label, _NEARNESS[kind](off), part)
        elif kind == "NotEq" and (apart := _distance(left, right)) is not None:
            self._note(label, -apart, part)

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


def with_goals(test: Callable[..., Any]) -> Callable[..., Any]:
    """A test that :func:`~everycase.run.goal_reader.may_have_goals`, with goals read from its assertions."""
    if isinstance(test, MethodType):
        return MethodType(with_goals(test.__func__), test.__self__)
    return Goals(test)  # type: ignore[arg-type]


# --- how far apart two values are -----------------------------------------------------------------------

#: Where other types come from whose values can be subtracted without any effect on something else.
_MEASURED = frozenset({"datetime", "fractions", "decimal", "numpy"})

#: Types with nothing inside that could be compared.
_PLAIN = (int, float, bool, str, bytes, type(None))

#: Containers with more parts than this are not compared, and sequences with more pairs of parts only position by position.
MOST_PARTS, MOST_PAIRS = 200, 1000


def _squeezed(nearness: float) -> float:
    """A nearness below 0 as a number from -1 to 0, which still tells large ones apart.

    >>> [round(_squeezed(x), 2) for x in (-(10**15), -1000, -1, 0, 5)]
    [-0.97, -0.87, -0.41, -0.0, -0.0]
    """
    far = math.log1p(max(0.0, -nearness))
    return -far / (1 + far)


def _work(kind: str, left: Any, right: Any) -> int:
    """How much more work it may be to compare two values than two numbers."""
    one, other = (len(value) if type(value) in _CONTAINERS else 0 for value in (left, right))
    if kind in ("In", "NotIn"):
        return other * (1 + one * one)
    return one + other + min(one * other, MOST_PAIRS) // 2


# --- numbers --------------------------------------------------------------------------------------------


def _difference(left: Any, right: Any) -> float | None:
    """By how much the left side is larger; None if these are not numbers, dates or times."""
    if type(left) in (int, float) and type(right) in (int, float):
        with suppress(OverflowError):
            return float(left - right)
        return None
    if not (_is_measured(left) and _is_measured(right)):
        return None
    with suppress(TypeError, ValueError, ArithmeticError):
        apart = _subtractable(left) - _subtractable(right)
        seconds = getattr(apart, "total_seconds", None)
        return float(apart if seconds is None else seconds())
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


def _subtractable(value: Any) -> Any:
    """A number that can be subtracted without effects: those of numpy may warn, and decimals set flags."""
    match type(value).__module__:
        case "decimal":
            return float(value)
        case "numpy":
            return value.item()
        case _:
            return value


# --- containers -----------------------------------------------------------------------------------------


class _Unknown(Exception):
    """Two values that are not compared."""


def _distance(left: Any, right: Any) -> float | None:
    """How far two values are from being equal; None if these are not numbers or containers of such.

    >>> _distance((3, 4), (5, 9)), _distance("abc", "axc"), _distance({1, 2}, {2, 3}), _distance([1], object())
    (7.0, 1.0, 2.0, None)
    """
    with suppress(_Unknown, RecursionError):
        return _apart(left, right)
    return None


def _missing(part: Any, whole: Any) -> float | None:
    """How far a container is from having something in it; None if these are not compared.

    >>> _missing(3, [10, 7, 99]), _missing("abc", "xxabx"), _missing(1, object())
    (4.0, 1.0, None)
    """
    kind = type(whole)
    if kind in (str, bytes):
        return _missing_text(part, whole) if type(part) is kind else None
    if kind not in (list, tuple, set, frozenset, dict) or not 0 < len(whole) <= MOST_PARTS:
        return None
    known = [apart for other in whole if (apart := _distance(part, other)) is not None]
    return min(known, default=None)


def _lacking(part: Any, whole: Any) -> float | None:
    """How many elements of a set another one lacks; None if these are no sets."""
    with suppress(_Unknown):
        return float(len(_plain_set(part) - _plain_set(whole)))
    return None


def _apart(left: Any, right: Any) -> float:
    kind = type(left)
    if type(right) is kind and kind in _CONTAINERS:
        if len(left) + len(right) > MOST_PARTS:
            raise _Unknown
        return float(_CONTAINERS[kind](left, right))
    off = _difference(left, right)
    if off is not None:
        return abs(off)
    if kind in _PLAIN and type(right) in _PLAIN:
        return float(left != right)
    raise _Unknown


def _squeezed_apart(left: Any, right: Any) -> float:
    """How far two parts are apart, from 0 to 1."""
    if type(left) is int and type(right) is int:
        if left == right:
            return 0.0
        far = math.log(1 + abs(left - right))  # also of numbers too large for floats
        return far / (1 + far)
    return -_squeezed(-_apart(left, right))


def _tuples(left: tuple[Any, ...], right: tuple[Any, ...]) -> float:
    """As points: their parts usually mean different things, so none is inserted or left out."""
    if len(left) != len(right):
        raise _Unknown
    return float(sum(_apart(one, other) for one, other in zip(left, right)))


def _edits(left: Any, right: Any) -> float:
    """The edit distance; an element that is replaced by a similar one counts less."""
    text = type(left) is str
    if len(left) * len(right) > MOST_PAIRS:
        pairs = zip(left, right)
        changed = sum(float(a != b) if text else _squeezed_apart(a, b) for a, b in pairs)
        return changed + abs(len(left) - len(right))
    row = [float(i) for i in range(len(right) + 1)]
    for place, one in enumerate(left, 1):
        diagonal, row[0] = row[0], float(place)
        for i, other in enumerate(right, 1):
            apart = float(one != other) if text else _squeezed_apart(one, other)
            diagonal, row[i] = row[i], min(row[i] + 1, row[i - 1] + 1, diagonal + apart)
    return row[-1]


def _plain_set(value: Any) -> AbstractSet[Any]:
    if type(value) not in (set, frozenset) or len(value) > MOST_PARTS or not _all_plain(value):
        raise _Unknown
    return value  # type: ignore[no-any-return]


def _sets(left: Any, right: Any) -> float:
    return float(len(_plain_set(left) ^ _plain_set(right)))


def _dictionaries(left: dict[Any, Any], right: dict[Any, Any]) -> float:
    if not (_all_plain(left) and _all_plain(right)):
        raise _Unknown
    total = float(len(left.keys() ^ right.keys()))
    return total + sum(_squeezed_apart(left[key], right[key]) for key in left.keys() & right.keys())


def _all_plain(values: Collection[Any]) -> bool:
    return all(type(value) in _PLAIN for value in values)


def _missing_text(part: Any, whole: Any) -> float | None:
    """The fewest characters to change, or to append, so that it contains the other."""
    if len(part) + len(whole) > MOST_PARTS:
        return None
    best = len(part)
    for start in range(len(whole)):
        shared = sum(one == other for one, other in zip(part, whole[start : start + len(part)]))
        best = min(best, len(part) - shared)
    return float(best)


_CONTAINERS: dict[type[Any], Any] = {
    tuple: _tuples,
    **dict.fromkeys((list, str, bytes), _edits),
    **dict.fromkeys((set, frozenset), _sets),
    dict: _dictionaries,
}
