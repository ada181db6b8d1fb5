"""What an explorer reports besides its cases: how far it got, and why it ended."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from everycase.explore.case import Case, Outcome


class Stopped(StrEnum):
    """Why exploring ended. ``run/render.py`` has the texts, which may use the details of a :class:`Stop`."""

    nothing_left = "nothing_left"
    budget = "budget"
    max_seconds = "max_seconds"
    usual_seconds = "usual_seconds"
    interrupted = "interrupted"
    failure = "failure"
    example_failed = "example_failed"
    remembered_failed = "remembered_failed"
    blob_only = "blob_only"
    generator_raised = "generator_raised"
    alarm = "alarm"
    discards = "discards"
    too_deep = "too_deep"
    endless = "endless"
    worker_died = "worker_died"
    no_examples = "no_examples"
    # searches for valid inputs
    evaluations = "evaluations"
    only_repeats = "only_repeats"
    no_others = "no_others"
    empty_sizes = "empty_sizes"
    left_out = "left_out"
    empty_patterns = "empty_patterns"


@dataclass(frozen=True)
class Stop:
    """Why exploring ended, with the numbers and names that belong to the reason."""

    reason: Stopped
    details: Mapping[str, Any] = field(default_factory=dict)


class Findings:
    """What an explorer tells the run. It fills in what it knows; each field has a default that claims
    nothing."""

    __slots__ = (
        "again",
        "caveat",
        "complete_to",
        "covered",
        "doubts",
        "exhausted",
        "figures",
        "stop",
        "tallies",
        "valid",
        "warnings",
    )

    def __init__(self) -> None:
        #: every possible value was tested
        self.exhausted = False
        #: the size up to which every value was tested, if there is one
        self.complete_to: Callable[[], int | None] = lambda: None
        #: what has been covered, in words
        self.covered: Callable[[], str] | None = None
        #: how many inputs are valid, if not just those were proposed
        self.valid: Callable[[], int] | None = None
        #: figures of a search for valid inputs, for tools
        self.figures: Callable[[], dict[str, Any]] | None = None
        #: why the explorer returned although there may be more to test
        self.stop: Stop | None = None
        #: warnings for the user about this run
        self.warnings: list[str] = []
        #: why the tests mean less than their number suggests, in words
        self.caveat: Callable[[], str] | None = None
        #: a sample of the cases once more, for ever; it ends if one does not come out the same
        self.again: Callable[[], Generator[Case, Outcome, None]] | None = None
        #: reasons to doubt that inputs depend only on their choices, in words
        self.doubts: list[str] = []
        #: on how many sampled inputs a condition (known by its id) was evaluated, and how many of them
        #: satisfied it
        self.tallies: dict[int, list[int]] = {}

    def stopped(self, reason: Stopped, **details: Any) -> None:
        """Record why the explorer returns although there may be more to test."""
        self.stop = Stop(reason, details)
