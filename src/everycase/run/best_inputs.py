"""The best inputs of a run: kept as choices during the run, made again at its end, and remembered for the
next run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from everycase.choices.enact import replay
from everycase.choices.time_limit import OutOfTime
from everycase.choices.trace import Trace
from everycase.explore.protocol import Case, Outcome
from everycase.explore.targeted.front import Front
from everycase.gen.base import Gen
from everycase.run.context import Scope, resumed
from everycase.run.outcome import is_failure
from everycase.run.report import Report
from everycase.run.store import FailureMemory, Store

#: Maximum number of best inputs to remember, and maximum length of a blob.
MOST, LONGEST = 16, 20_000


class BestInputs:
    """For each label the input that reached the best utility, and the inputs that no other beats in every label."""

    def __init__(self) -> None:
        self._cases: dict[str, Case] = {}
        self._front: Front[Case] = Front()
        self._labels: set[str] = set()

    def see(self, case: Case, outcome: Outcome, improved: list[str]) -> None:
        """A test reported utilities, and these labels improved."""
        for label in improved:
            self._cases[label] = case
        self._labels.update(outcome.utilities)
        # With one label the front is the best input, which is known already.
        kept = bool(improved)
        if len(self._labels) > 1 or improved:
            kept = self._front.add(case, outcome.utilities) or kept
        if kept:
            # Pruning knows the choices of a case only until it continues. Later they would have to be found
            # from its arguments, which the test may have changed.
            with suppress(Exception, OutOfTime):
                _ = case.trace

    @property
    def cases(self) -> dict[str, Case]:
        """By label, the case that reached the best utility."""
        return self._cases

    def conclude(self, gen: Gen[Any], signs: dict[str, int], report: Report) -> None:
        """Put the inputs into the report, with the utilities as the test gave them."""
        # Each is made for itself: a test may change its arguments, and ``data()`` makes its draws only once.
        report.best_input = {label: _made_again(gen, case) for label, case in self._cases.items()}
        report.front = [
            (
                {label: signs[label] * worth for label, worth in member.utilities.items()},
                _made_again(gen, member.item),
            )
            for member in sorted(self._front, key=lambda member: member.worth, reverse=True)
        ]

    def blobs(self) -> list[str]:
        """The best input of each label and other inputs that none beats, as blobs; those that cannot be
        stored are left out."""
        found: dict[str, None] = {}
        for case in [*self._cases.values(), *[member.item for member in self._front]]:
            if len(found) == MOST:
                break
            with suppress(Exception, OutOfTime):
                blob = case.trace.to_blob() if case.trace is not None else ""
                if blob and len(blob) <= LONGEST:
                    found[blob] = None
        return list(found)


class BestMemory:
    """The best inputs of earlier runs of one property, in the store beside its failures."""

    def __init__(self, store: Store, key: str, digest: Callable[[], str]) -> None:
        self._memory = FailureMemory(store, f"{key} best", digest)
        self._found: list[str] = []

    def cases(self, gen: Gen[Any]) -> Iterator[Case]:
        """The inputs for the property as it is now; if there are none, those of earlier versions that still
        fit."""
        own, others = self._memory.fetch()
        self._found = own
        for blob in (own or others)[:MOST]:
            with suppress(Exception):
                trace = replay(gen, Trace.from_blob(blob, LONGEST))
                yield Case(trace.value, trace, "the best of an earlier run")

    def keep(self, best: BestInputs) -> None:
        """Remember the best inputs of this run, which also tried those remembered so far."""
        blobs = best.blobs()
        if not blobs:
            return
        for blob in self._found:
            if blob not in blobs:
                self._memory.delete(blob)
        for blob in blobs:
            if blob not in self._found:
                self._memory.save(blob)


def _made_again(gen: Gen[Any], case: Case) -> tuple[Any, ...]:
    """The arguments as they were made, because the test may have changed those that it got."""
    try:
        trace = case.trace
        if trace is not None:
            made: tuple[Any, ...] = replay(gen, trace).value
            for value in made:
                if hasattr(value, "narrate"):  # the steps of a machine are known only after they were taken
                    _take_steps(value)
            return made
    except (Exception, OutOfTime):
        pass  # if they cannot be made again, or not in time, they are shown as the test left them
    return case.args or ()


def _take_steps(program: Any) -> None:
    """Run a program once more, so that it can be printed. Its reports are ignored."""
    program.narrate()
    with resumed(Scope()):
        try:
            program.run()
        except BaseException as problem:
            if not is_failure(problem):
                raise
