"""What an explorer proposes and learns: cases, batches of them, and outcomes."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any

from everycase.choices.trace import Trace


class Status(StrEnum):
    """The outcome of one test case. Each equals its name as a string."""

    passed = "passed"
    failed = "failed"
    #: the input was not valid, so the test means nothing
    discarded = "discarded"

    __repr__ = str.__repr__


class Outcome:
    """The :class:`Status` of one test case, and what the test reported.

    ``utilities`` maps the labels of ``maximize`` and ``minimize`` to numbers, where larger is better.
    ``guessed`` means that the test reported none, and they are the distances of its assertions from failing.
    """

    __slots__ = (
        "error",
        "events",
        "guessed",
        "labels",
        "notes",
        "reset_requested",
        "rows",
        "status",
        "utilities",
    )

    def __init__(
        self,
        status: Status,
        error: BaseException | None = None,
        utilities: dict[str, float] | None = None,
        events: tuple[str, ...] = (),
        notes: tuple[str, ...] = (),
        reset_requested: bool = False,
        guessed: bool = False,
    ) -> None:
        self.status = status
        self.guessed = guessed
        self.error = error
        self.utilities = utilities or {}
        self.events = events
        self.notes = notes
        self.reset_requested = reset_requested
        #: by label of ``classify``, whether it held; and what ``tabulate`` adds to its tables
        self.labels: dict[str, bool] = {}
        self.rows: list[tuple[str, str]] = []

    def __repr__(self) -> str:
        return f"<Outcome {self.status}>"


PASSED = Outcome(Status.passed)
DISCARDED = Outcome(Status.discarded)


class Case:
    """A proposed test case: a tuple of arguments, and on demand the trace that makes them.

    ``args`` is None if the generator discarded its own attempt; such a case is not run but counted.
    """

    __slots__ = ("_trace", "args", "given", "how", "index")

    def __init__(self, args: Any, trace: Trace[Any] | Callable[[], Trace[Any]] | None, how: str = "") -> None:
        self.args: tuple[Any, ...] | None = args
        self._trace = trace
        #: how it was made, in words, as far as it is known
        self.how = how
        #: the index of the value, if values are taken by index
        self.index: int | None = None
        #: the arguments as they were before the test, which may change them; for a few cases of a run
        self.given: tuple[object, ...] | None = None

    @property
    def trace(self) -> Trace[Any] | None:
        """The choices behind the arguments; None if they were not made by the generator."""
        trace = self._trace
        if callable(trace):
            trace = self._trace = trace()
        return trace

    def __repr__(self) -> str:
        return f"<Case {self.args!r}>"


#: The description of a case that was drawn at random.
RANDOM = "random"

#: Proposed by an explorer that is still searching for its next case, so that a run can end in the meantime.
SEARCHING = Case(None, None)


class Batch(Case):
    """Many sampled cases at once, which share the fixed costs.

    ``values`` are the arguments of the cases, None for one that could not be made. The explorer is sent the
    outcome of the last case that was run, :attr:`last`: the whole batch is run only if all tests pass and
    report nothing.
    """

    __slots__ = ("_case", "done", "last", "values")

    def __init__(self, values: list[tuple[Any, ...] | None], case: Callable[[int], Case]) -> None:
        super().__init__(values[0] if values else None, None)
        self.values = values
        self._case = case
        self.last: Case = self
        #: how many of them were tested so far and not discarded
        self.done = 0
        self.how = RANDOM

    def case(self, number: int) -> Case:
        """One of the cases."""
        case = self._case(number)
        case.how = case.how or RANDOM
        return case


def last_of(case: Case) -> Case:
    """The case that an outcome belongs to."""
    return case.last if isinstance(case, Batch) else case
