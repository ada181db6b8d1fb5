"""The report: the result of a run, as an object. Text, JSON and HTML are renderings of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from os import PathLike
from pathlib import Path
from typing import Any

from everycase.choices.shrink.shrinker import ShrinkEnd
from everycase.choices.trace import Trace
from everycase.explore.findings import Stop
from everycase.gen.validate import require_instance
from everycase.run.labels import Label


class ReportStatus(StrEnum):
    """The verdict of a run. Each equals its name as a string."""

    passed = "passed"
    failed = "failed"
    #: it failed, and did not fail again on the same input
    flaky = "flaky"
    #: too little was tested for a verdict
    gave_up = "gave_up"

    __repr__ = str.__repr__


class FailureSource(StrEnum):
    """Where a failing input came from."""

    explored = "explored"
    remembered = "remembered"
    example = "example"
    blob = "blob"
    #: making an input failed, so there is no input
    generator = "generator"
    #: a worker of the executor saw it, and this process did not
    worker = "worker"

    __repr__ = str.__repr__


class NotShrunk(StrEnum):
    """Why a failing input was not shrunk."""

    by_hand = "by_hand"
    blob = "blob"
    phase_off = "phase_off"
    flaky = "flaky"
    not_made_again = "not_made_again"
    too_deep = "too_deep"
    opaque = "opaque"
    alarm = "alarm"
    no_time = "no_time"
    interrupted_early = "interrupted_early"

    __repr__ = str.__repr__


@dataclass
class Condition:
    """One condition of a property, as a report shows it."""

    #: the condition as it is written, or the name of the predicate
    text: str
    #: "where", "filter", "assume", "guard" (an ``if`` that returns) or "helper" (an ``assume`` in a function it calls)
    kind: str
    #: file and line, as far as they are known
    found_at: str = ""
    #: how it was used, in words
    used: str = ""
    #: how often it was evaluated, including half-decided inputs
    evaluations: int = 0
    #: how many of the sampled inputs it was evaluated on satisfied it
    asked: int = 0
    passed: int = 0

    @property
    def share(self) -> float | None:
        """The share of the sampled inputs that satisfied it; None if it was evaluated on none."""
        return self.passed / self.asked if self.asked else None


@dataclass(frozen=True)
class Idle:
    """A part of a counterexample that does not matter: other values in its place failed the same way."""

    #: the part, as an expression: ``xs``, ``xs[0]``, ``point.x``
    part: str
    others: int


@dataclass
class Failure:
    """One distinct failure, with the smallest input found for it."""

    error: BaseException
    #: the arguments by name, freshly made (whatever the test did to the ones it got)
    arguments: dict[str, Any]
    #: number of the test that showed it first, before shrinking
    failed_at: int
    #: what distinguishes failures: the type of the exception and the place in the user's code
    origin: tuple[str, str, int]
    trace: Trace[Any] | None = None
    blob: str | None = None
    notes: tuple[str, ...] = ()
    #: what the test reported with ``maximize`` and ``minimize`` on this input
    utilities: dict[str, float] = field(default_factory=dict)
    shrink_calls: int = 0
    #: why shrinking ended, or why it did not happen
    shrink_reason: ShrinkEnd | NotShrunk | None = None
    flaky: bool = False
    source: FailureSource = FailureSource.explored
    #: the number that the failing value (before shrinking) has in an exhaustive run: ``Exhaustive(start=index)``
    index: int | None = None
    #: the parts of the input that do not matter
    idle: list[Idle] = field(default_factory=list)
    #: the input before shrinking, as text that may be cut
    original: str = ""
    #: for every step of shrinking that made it simpler: the number of the call, and how long the input is, printed
    shrink_trail: list[tuple[int, int]] = field(default_factory=list)

    @property
    def counterexample(self) -> tuple[Any, ...]:
        return tuple(self.arguments.values())


@dataclass
class Report:
    """The result of a run.

    >>> from everycase import check, gen
    >>> report = check(lambda n: n < 7, gen.integers(0, 20), seed=1)
    >>> report.status, report.counterexample
    ('failed', (7,))
    """

    name: str
    status: ReportStatus
    seed: int
    explorer: str
    #: valid tests run
    examples: int = 0
    #: tests that did not count, because of ``assume``, a precondition or a filter
    discarded: int = 0
    #: how many of them were nested too deeply to be made
    too_deep: int = 0
    #: how many of them were given up because the generator did not stop drawing
    endless: int = 0
    #: whether every possible input was tested
    exhaustive: bool = False
    #: whether it is certain that there is no input at all, so nothing could be tested
    empty: bool = False
    #: each distinct failure, the first found first
    failures: list[Failure] = field(default_factory=list)
    #: why there is no verdict: a :class:`~everycase.errors.GaveUp` or a health check
    problem: BaseException | None = None
    #: best utility by label, as the test gave it
    best: dict[str, float] = field(default_factory=dict)
    #: (number of the input, label, utility) for every improvement; discarded inputs are counted
    trajectory: list[tuple[int, str, float]] = field(default_factory=list)
    #: by label, the arguments of the test that reached the best utility
    best_input: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    #: (utilities, arguments) of the tests that no other one beats in every label, or that are the best of the only label
    front: list[tuple[dict[str, float], tuple[Any, ...]]] = field(default_factory=list)
    #: (number of the input, utilities) for every test that reported any, with ``observe=True``
    utilities: list[tuple[int, dict[str, float]]] = field(default_factory=list)
    #: what a systematic explorer has covered, in words
    covered: str = ""
    #: the counts of an explorer that searches for valid inputs: evaluations, values found, where it looked,
    #: ...
    figures: dict[str, Any] = field(default_factory=dict)
    #: the preconditions of the test and how they were used
    conditions: list[Condition] = field(default_factory=list)
    #: warnings about this run, such as a search that had to be done in another way
    warnings: list[str] = field(default_factory=list)
    #: why the tests mean less than their number suggests, in words; empty if there is no such reason
    caveat: str = ""
    #: why a run that was to test everything has not, in words; empty if nothing is known of that
    doubt: str = ""
    #: how many of the tests were explicit examples or remembered failures
    given: int = 0
    seconds: float = 0.0
    #: why exploring ended
    stop: Stop | None = None
    #: how many valid tests had each event
    events: Counter[str] = field(default_factory=Counter)
    #: how many tests had each number of choices (with ``statistics=True``)
    sizes: Counter[int] = field(default_factory=Counter)
    #: by label of ``classify``: how often it held, and the verdict on a demand
    labels: dict[str, Label] = field(default_factory=dict)
    #: by name of ``tabulate``: how often each value came up
    tables: dict[str, Counter[str]] = field(default_factory=dict)
    #: with ``observe`` or ``statistics``: sizes, depths, distinct inputs, slow ones and more, as plain data
    tally: dict[str, Any] = field(default_factory=dict)
    #: the names of the generated arguments
    arguments: list[str] = field(default_factory=list)
    #: the arguments that were not generated, by name: fixtures and parameters
    fixed: dict[str, Any] = field(default_factory=dict)
    #: the settings ``print_blob`` and ``verbosity``, which say how much of this is shown
    shows_blob: bool = True
    quiet: bool = False
    #: how much of a failure is shown: 0 what helps most, 1 more (``pytest -v``), 2 long inputs whole (``pytest -vv``)
    detail: int = 0
    #: whether it is a test of another library, whose decorators are not ours
    adopted: bool = False
    #: whether the default explorer was used
    by_default: bool = False

    @property
    def stopped(self) -> str:
        """Why exploring ended, in words."""
        from everycase.run.render import stop_text

        return stop_text(self)

    @property
    def first(self) -> Failure | None:
        return self.failures[0] if self.failures else None

    @property
    def counterexample(self) -> tuple[Any, ...] | None:
        """The smallest failing arguments, always a tuple; None if nothing failed."""
        return self.first.counterexample if self.first else None

    @property
    def error(self) -> BaseException | None:
        """The exception of the first failure, or why there is no verdict."""
        return self.first.error if self.first else self.problem

    @property
    def failed_at(self) -> int | None:
        """Number of the first failing test, before shrinking; discarded inputs are not counted."""
        return self.first.failed_at if self.first else None

    @property
    def best_at(self) -> dict[str, int]:
        """For each label the number of the input that reached the best utility; discarded inputs are counted."""
        return {label: number for number, label, _ in self.trajectory}

    @property
    def trace(self) -> Trace[Any] | None:
        """The choices that make the counterexample."""
        return self.first.trace if self.first else None

    @property
    def blob(self) -> str | None:
        """The counterexample as a string for :func:`everycase.reproduce`."""
        return self.first.blob if self.first else None

    def __str__(self) -> str:
        from everycase.run.render import summary

        return summary(self)

    def __repr__(self) -> str:
        return f"<Report {self.name}: {self.status} after {self.examples} tests>"

    def to_json(self) -> dict[str, Any]:
        """Plain data, for tools: what strict JSON can hold."""
        from everycase.run.as_data import data_of

        return data_of(self)

    def to_html(self, path: str | PathLike[str]) -> None:
        """Write the report as an HTML page, in one self-contained file."""
        from everycase.pages.runs import report_page

        require_instance("path", path, (str, PathLike), "the path of a file")
        Path(path).write_text(report_page([self.to_json()], self.name.rsplit(".", 1)[-1]), encoding="utf-8")

    def _repr_html_(self) -> str:
        """The representation in a notebook."""
        from everycase.pages.runs import run_fragment

        return run_fragment(self.to_json())
