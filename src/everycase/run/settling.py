"""Settling a failure: confirm it by running it again, make it small, keep it, and have it ready to be shown."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from everycase.choices.enact import replay
from everycase.choices.shrink import shrink
from everycase.choices.trace import Trace
from everycase.errors import Discarded, DoesNotFit, Flaky
from everycase.explore.base import Case, Outcome
from everycase.gen.drawing import Data
from everycase.gen.kinds import Live
from everycase.run.frames import origin, trim
from everycase.run.host import current_host
from everycase.run.render import error_text
from everycase.run.report import Failure
from everycase.run.settings import Phase

if TYPE_CHECKING:
    from everycase.run.runner import Runner

#: What tells failures apart: the type of the exception, and file and line in the user's code.
Origin = tuple[str, str, int]

#: Said of a failure whose input came from a hand-written neighbourhood.
OPAQUE_REASON = (
    "not shrunk, as a hand-written neighbourhood made it and its choices are not known "
    "(give map an inverse=, or builds a class)"
)

#: How long one failure is shrunk at most; with ``max_seconds`` as long as exploring may take.
SHRINK_SECONDS = 60.0


class Found:
    """A failure as it was first seen."""

    __slots__ = ("case", "number", "outcome", "source")

    def __init__(self, case: Case, outcome: Outcome, number: int, source: str) -> None:
        self.case = case
        self.outcome = outcome
        self.number = number
        self.source = source


class Settling:
    """The failures of one run."""

    def __init__(self, run: Runner) -> None:
        self.run = run
        #: the outcome of the last test that was run to confirm or to shrink
        self._last: Outcome | None = None

    def settle(self, key: Origin, found: Found, *, shrinking: bool) -> Failure:
        """Confirm a failure by running it again, make it small, and keep it for the next run."""
        names = list(self.run.prop.gens)
        error = found.outcome.error
        assert error is not None and found.case.args is not None
        failure = Failure(
            error=trim(error),
            arguments=dict(zip(names, found.case.args)),
            failed_at=found.number,
            origin=key,
            notes=found.outcome.notes,
            utilities=self._as_said(found.outcome.utilities),
            source=found.source,
            index=found.case.index,
        )
        try:
            trace = found.case.trace
            again = None if trace is None else self._fails_again(trace, key)
        except RecursionError:
            failure.shrink_reason = "nested too deeply to be recorded, so not shrunk"
            return failure
        except Exception:
            trace = again = self._last = None  # the generator did something else than the first time
            return self._flaky(failure)
        if trace is None:
            failure.shrink_reason = "given by hand, so not shrunk"
            return failure
        if again is None:
            return self._flaky(failure)
        trace = again
        blob = self._remember(trace, None)
        if found.source == "blob":
            failure.shrink_reason = "given by a blob, so not shrunk"
        elif shrinking and Phase.shrink in self.run.options.phases:
            severe = self._severity(found.outcome)
            result = shrink(
                trace,
                lambda candidate: self._still_fails(candidate, key) and severe(self._last),
                max_seconds=self.run.options.max_seconds or SHRINK_SECONDS,
            )
            failure.shrink_calls, failure.shrink_reason = result.calls, result.reason
            trace = result.trace
        else:
            failure.shrink_reason = "interrupted" if not shrinking else "the shrink phase is off"
        current_host().before_shown()
        final = self._fails_again(trace, key)
        if final is None:
            return self._flaky(failure)
        failure.trace = final
        failure.blob = self._remember(final, blob)
        if failure.blob is None and final.is_opaque:
            failure.shrink_reason = OPAQUE_REASON
        assert self._last is not None and self._last.error is not None
        failure.error = trim(self._last.error)
        failure.notes, failure.utilities = self._last.notes, self._as_said(self._last.utilities)
        # The test may have changed its arguments in place; what is shown must be what it was given.
        fresh = replay(self.run.prop.gen, final)
        failure.notes += tuple(draw_again(final, fresh))
        failure.arguments = dict(zip(names, fresh.value))
        return failure

    def _remember(self, trace: Trace[Any], known: str | None) -> str | None:
        """Keep a failure for the next run, instead of a larger one; its blob, or None if it has no choices to keep
        or they are nested too deep."""
        if trace.is_opaque:
            return None
        try:
            blob = trace.to_blob()
        except RecursionError:
            return known
        if blob != known:
            self.run.store.save(self.run.key, blob)
            if known is not None:
                self.run.store.delete(self.run.key, known)
        return blob

    def _as_said(self, utilities: dict[str, float]) -> dict[str, float]:
        """Utilities as the test gave them; within a search larger is always better."""
        return {label: self.run.scope.signs[label] * worth for label, worth in utilities.items()}

    def _severity(self, outcome: Outcome) -> Callable[[Outcome | None], bool]:
        """With ``keep_utility``: whether a simpler failure is still as bad as it has to be."""
        keep = self.run.options.keep_utility
        if keep is False:
            return lambda simpler: True
        floor = outcome.utilities
        if keep is not True:
            signs = self.run.scope.signs
            bounds = keep if isinstance(keep, Mapping) else dict.fromkeys(floor, keep)
            self._warn_of_labels(set(bounds) - set(signs), signs)
            floor = {
                label: min(worth, signs[label] * float(bounds[label]))
                for label, worth in floor.items()
                if label in bounds
            }
        return lambda simpler: (
            simpler is not None
            and all(simpler.utilities.get(label, -math.inf) >= worth for label, worth in floor.items())
        )

    def _warn_of_labels(self, unknown: set[str], known: Iterable[str]) -> None:
        """Say that a bound belongs to no label, which is a slip of the pen."""
        for label in sorted(unknown):
            warning = f"keep_utility has a bound for {label!r}, but the test reports only {', '.join(known) or 'nothing'}"
            if warning not in self.run.report.warnings:
                self.run.report.warnings.append(warning)

    def _flaky(self, failure: Failure) -> Failure:
        """Say that a failure did not come again, and what came instead."""
        again = self._last
        if again is not None and again.error is not None:
            then = f"failed with {error_text(again.error)}"
        else:
            then = "passed" if again is not None else "could not be given the same input"
        flaky = Flaky(
            f"the test failed with {error_text(failure.error)}, and {then} when it was run again on the same input. "
            "It depends on something else than its arguments: global state, time, hash order, or a generator that "
            "does not only depend on what it draws"
        )
        flaky.__cause__ = failure.error
        failure.flaky, failure.error = True, flaky
        failure.shrink_reason = failure.shrink_reason or "flaky, so not shrunk"
        return failure

    def _fails_again(self, trace: Trace[Any], key: Origin) -> Trace[Any] | None:
        """Run a recorded failure once more; its trace if it fails the same way."""
        try:
            whole = replay(self.run.prop.gen, trace)
            return whole if self._still_fails(whole, key) else None
        except (DoesNotFit, Discarded):
            return None

    def _still_fails(self, trace: Trace[Any], key: Origin) -> bool:
        self._last = outcome = self.run.execute(trace.value)
        if outcome.status != "failed" or outcome.error is None:
            return False
        other = origin(outcome.error)
        if other != key and other not in self.run.found:
            self.run.found[other] = Found(
                Case(trace.value, trace), outcome, self.run.report.examples, "explored"
            )
        return other == key


def draw_again(used: Trace[Any], fresh: Trace[Any]) -> Iterator[str]:
    """Repeat what a test drew while it ran on fresh objects, which are then as they were drawn; says the labels."""
    for path, node in used.walk():
        again = fresh.at(path)
        if type(node.gen) is Live and again is not None:
            again.value.draw_again(node.value, [child.gen for child in node.children if child is not None])
            if isinstance(again.value, Data):
                yield from (f"{label} = {value!r}" for label, value in again.value.drawn if label is not None)
