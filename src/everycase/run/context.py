"""What a test can call while it runs: ``assume``, ``note``, ``event``, ``maximize`` and related functions.

They find their run through a context variable. A run sets it once and reads the scope after each test, so a
test that calls none of them costs nothing. Nested runs have their own scopes.
"""

from __future__ import annotations

import math
import numbers
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar, Token
from decimal import Decimal
from types import FrameType
from typing import Any

from everycase.choices.assumptions import are_values_made
from everycase.errors import FailedAssumption, InvalidArgument, OutsideRun


class Scope:
    """What one test has reported so far. ``touched`` tells the run whether there is anything to read."""

    __slots__ = (
        "demands",
        "events",
        "guessed",
        "labelled",
        "labels",
        "notes",
        "reset_requested",
        "rows",
        "signs",
        "touched",
        "utilities",
        "wants_goals",
    )

    def __init__(self) -> None:
        #: 1 for the labels of ``maximize``, -1 for those of ``minimize``; the same in all tests of a run
        self.signs: dict[str, int] = {}
        #: the shares that ``classify`` demands, by label; the same in all tests of a run
        self.demands: dict[str, float] = {}
        #: which labels hold in this test, and the rows that it adds to tables
        self.labels: dict[str, bool] = {}
        self.rows: list[tuple[str, str]] = []
        self.labelled = False
        #: whether the distances of the test's own assertions are wanted, and the distances
        self.wants_goals = False
        self.guessed: dict[str, float] = {}
        self.notes: list[str] = []
        self.events: dict[str, None] = {}
        self.clear()

    def clear(self) -> None:
        self.touched = False
        self.reset_requested = False
        self.utilities: dict[str, float] = {}
        if self.guessed:
            self.guessed = {}
        if self.notes:
            self.notes = []
        if self.events:
            self.events = {}
        if self.labelled:
            self.labels, self.rows = {}, []
            self.labelled = False

    def forget_labels(self) -> None:
        """The same, after a test that reported only labels."""
        self.labels.clear()
        self.rows.clear()
        self.touched = self.labelled = False

    @property
    def only_labelled(self) -> bool:
        """Whether the test reported only labels."""
        return self.labelled and not (
            self.utilities or self.guessed or self.notes or self.events or self.reset_requested
        )


_current: ContextVar[Scope | None] = ContextVar("everycase_scope", default=None)

#: The scope of the running test, or None. For calls that are made in every test.
current_scope = _current.get


def enter(scope: Scope) -> Token[Scope | None]:
    """Make ``scope`` the current one; :func:`leave` undoes it."""
    return _current.set(scope)


def leave(token: Token[Scope | None]) -> None:
    _current.reset(token)


@contextmanager
def resumed(scope: Scope) -> Iterator[None]:
    """Make ``scope`` the current one in another context too: a thread, or a task of an event loop."""
    token = enter(scope)
    try:
        yield
    finally:
        leave(token)


def nested() -> bool:
    """Whether a property is running already."""
    return _current.get() is not None


def current_or_none() -> Scope | None:
    """The scope of the running test, if there is one."""
    return _current.get()


def current(caller: str) -> Scope:
    """The scope of the running test; an error that names the caller if there is none.

    A composite may report something too, and its values are also made outside of a run: nobody hears it then.
    """
    scope = _current.get()
    if scope is None:
        if are_values_made() or _in_machine():
            return Scope()
        raise OutsideRun(
            f"{caller} was called while no property was running. Call it from a test under @given or from a function "
            "given to check(); in a thread that the test starts, run the thread's function with "
            "contextvars.copy_context().run(...)"
        )
    return scope


def _in_machine() -> bool:
    """Whether this was called from a method of a state machine. Its rules can be called directly, as the
    program of a counterexample does; their reports are then ignored."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_argcount:
            first = frame.f_locals.get(frame.f_code.co_varnames[0])
            if getattr(type(first), "_is_machine_base", False):
                return True
        frame = frame.f_back
    return False


def assume(condition: object) -> bool:
    """Discard the current test case unless the condition holds: it then counts neither as passed nor as failed.

    >>> from everycase import check, gen
    >>> def halves(n):
    ...     _ = assume(n % 2 == 0)
    ...     assert n // 2 * 2 == n
    >>> check(halves, gen.integers(0, 9)).discarded
    5
    """
    if not are_values_made():
        current("assume")
    if not condition:
        raise FailedAssumption("assume")
    return True


def reject() -> Any:
    """Discard the current test case."""
    if not are_values_made():
        current("reject")
    raise FailedAssumption("reject")


def note(value: object) -> None:
    """Add a line to the report of the current test case; it is shown if this case is the one reported."""
    scope = current("note")
    scope.touched = True
    scope.notes.append(value if isinstance(value, str) else repr(value))


def event(label: object, payload: object = "") -> None:
    """Count, in the statistics, how many test cases had this event (once per test case). Values that are no
    strings are written as such."""
    scope = current("event")
    scope.touched = True
    name, text = str(label), str(payload)
    scope.events[f"{name}: {text}" if text else name] = None


def maximize(utility: float, label: str = "") -> None:
    """Tell the search how good this test case is: it looks for inputs that make the number larger.

    Several labels are several goals. If it is called twice for one label in one test, the larger number
    counts.
    """
    _say_utility("maximize", utility, label, 1)


def minimize(utility: float, label: str = "") -> None:
    """Tell the search how good this test case is: it looks for inputs that make the number smaller.

    Several labels are several goals. If it is called twice for one label in one test, the smaller number
    counts.
    """
    _say_utility("minimize", utility, label, -1)


def reset_search() -> None:
    """Tell the search to start again from a fresh input after this test case."""
    scope = current("reset_search")
    scope.touched = True
    scope.reset_requested = True


def _say_utility(caller: str, utility: object, label: object, sign: int) -> None:
    scope = _current.get() or current(caller)
    if not isinstance(label, str):
        raise InvalidArgument(f"the label given to {caller} must be a string, not {label!r}")
    # The exact types come first, because this is called in every test.
    if type(utility) not in (float, int) and (
        isinstance(utility, bool) or not isinstance(utility, numbers.Real | Decimal)
    ):
        raise InvalidArgument(
            f"{caller} takes a number, not {utility!r} ({type(utility).__name__}); for example {caller}(len(queue))"
        )
    try:
        number = sign * float(utility)  # type: ignore[arg-type]
    except OverflowError:
        raise InvalidArgument(
            f"{caller} was given a number that is too large for a float; give its logarithm or its bit_length()"
        ) from None
    except ValueError:
        number = math.nan  # a Decimal that raises
    if not math.isfinite(number):
        raise InvalidArgument(
            f"{caller} takes a finite number, not {utility}; a search cannot compare it. "
            "Leave the call out for inputs that have no measure"
        )
    if scope.signs.setdefault(label, sign) != sign:
        raise InvalidArgument(
            f"the label {label!r} is both maximized and minimized; give each goal its own label"
        )
    scope.touched = True
    known = scope.utilities.get(label)
    scope.utilities[label] = number if known is None else max(known, number)
