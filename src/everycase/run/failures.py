"""Settling a failure: confirm it by running it again, make it small, keep it, and have it ready to be shown."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from everycase.choices.enact import replay
from everycase.choices.shrink.shrinker import shrink
from everycase.choices.trace import Trace
from everycase.errors import CannotReproduce, Flaky
from everycase.explore.protocol import Case, Outcome
from everycase.gen.drawing import Data
from everycase.gen.kinds import Live
from everycase.run.explain import idle_parts
from everycase.run.frames import from_alarm, origin, trim
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

#: How many distinct failures a run keeps apart.
MOST_FOUND = 50


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

    def __init__(self, run: Runner, seconds: float) -> None:
        self.run = run
        self._clock = time.perf_counter
        self._end = self._clock() + seconds
        #: the outcome of the last test that was run to confirm or to shrink
        self._last: Outcome | None = None

    def settle(self, key: Origin, found: Found) -> Failure:
        """Confirm a failure by running it again, make it small, and keep it for the next run. One that an alarm or the user
        interrupts is reported as far as it is known."""
        failure = self._as_found(key, found)
        if from_alarm(failure.error):
            self.run.interrupted = True
            failure.shrink_reason = "interrupted by an alarm, so not run again"
            return failure
        if self.run.interrupted and self._clock() > self._end:
            failure.shrink_reason = "not run again, as there was no time left"
            return failure
        try:
            return self._settled(key, found, failure)
        except KeyboardInterrupt:
            self.run.interrupted = True
            failure.shrink_reason = failure.shrink_reason or "interrupted before it was run again"
            return failure

    def _as_found(self, key: Origin, found: Found) -> Failure:
        names = list(self.run.prop.gens)
        error = found.outcome.error
        assert error is not None and found.case.args is not None
        return Failure(
            error=trim(error),
            arguments=dict(zip(names, found.case.args)),
            failed_at=found.number,
            origin=key,
            notes=found.outcome.notes,
            utilities={} if found.outcome.guessed else self._as_said(found.outcome.utilities),
            source=found.source,
            index=found.case.index,
        )

    def _settled(self, key: Origin, found: Found, failure: Failure) -> Failure:
        names = list(self.run.prop.gens)
        shrinking = not self.run.interrupted
        try:
            trace = found.case.trace
            again = None if trace is None else self._fails_again(trace, key)
        except RecursionError:
            failure.shrink_reason = "nested too deeply to be recorded, so not shrunk"
            return failure
        except Exception as problem:
            return self._not_made_again(failure, problem)
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
                lambda candidate: self._judged(candidate, key, severe),
                max_seconds=max(0.0, self._end - self._clock()),
            )
            self.run.interrupted |= result.reason == "interrupted"
            failure.shrink_calls, failure.shrink_reason = result.calls, result.reason
            trace = result.trace
            if result.reason == "minimal" and Phase.explain in self.run.options.phases:
                # Before the last run of the failing input, so that what it prints and leaves behind is seen last.
                failure.idle = idle_parts(
                    trace, names, lambda other: self._fails_too(other, key), self.run.report.seed
                )
        else:
            failure.shrink_reason = "interrupted" if not shrinking else "the shrink phase is off"
        current_host().before_shown()
        try:
            final = self._fails_again(trace, key)
        except Exception as problem:
            return self._not_made_again(failure, problem)
        if final is None:
            return self._flaky(failure)
        failure.trace = final
        failure.blob = self._remember(final, blob)
        if failure.blob is None and final.is_opaque:
            failure.shrink_reason = OPAQUE_REASON
        assert self._last is not None and self._last.error is not None
        failure.error = trim(self._last.error)
        failure.notes = self._last.notes
        failure.utilities = {} if self._last.guessed else self._as_said(self._last.utilities)
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
        except (RecursionError, CannotReproduce):
            return known
        if blob != known:
            self.run.remember(blob)
            if known is not None:
                self.run.forget(known)
        return blob

    def _as_said(self, utilities: dict[str, float]) -> dict[str, float]:
        """Utilities as the test gave them; within a search larger is always better."""
        return {label: self.run.scope.signs[label] * worth for label, worth in utilities.items()}

    def _severity(self, outcome: Outcome) -> Callable[[Outcome | None], bool]:
        """With ``keep_utility``: whether a simpler failure is still as bad as it has to be."""
        keep = self.run.options.keep_utility
        if keep is False:
            return lambda simpler: True
        floor = {} if outcome.guessed else outcome.utilities
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
            then = "passed"
        flaky = Flaky(
            f"the test failed with {error_text(failure.error)}, and {then} when it was run again on the same input. "
            "It depends on something else than its arguments: global state, time, hash order, or a generator that "
            "does not only depend on what it draws"
        )
        flaky.__cause__ = failure.error
        failure.flaky, failure.error = True, flaky
        failure.shrink_reason = failure.shrink_reason or "flaky, so not shrunk"
        return failure

    def _not_made_again(self, failure: Failure, problem: Exception) -> Failure:
        """Its choices did not make the input again. That is no word about the test, which did fail on it."""
        failure.shrink_reason = "not shrunk, as its input could not be made again from its choices"
        warning = (
            f"the input that failed could not be made again from its recorded choices ({error_text(problem)}), so it is "
            "shown as it was tested. A generator depends on something else than what it draws (global state, time, "
            "random, hash order); if none does, this is an error of everycase"
        )
        if warning not in self.run.report.warnings:
            self.run.report.warnings.append(warning)
        return failure

    def _fails_again(self, trace: Trace[Any], key: Origin) -> Trace[Any] | None:
        """Run a recorded failure once more; its trace if it fails the same way. Raises if it cannot be made again."""
        whole = replay(self.run.prop.gen, trace)
        return whole if self._still_fails(whole, key) else None

    def _judged(
        self, trace: Trace[Any], key: Origin, severe: Callable[[Outcome | None], bool]
    ) -> bool | None:
        """Whether a simpler input fails as well; None if it does not satisfy a precondition of the test."""
        if self._still_fails(trace, key):
            return severe(self._last)
        return None if self._last is not None and self._last.status == "discarded" else False

    def _fails_too(self, trace: Trace[Any], key: Origin) -> bool | None:
        """Whether another input fails the same way; None if the test discards it."""
        fails = self._still_fails(trace, key)
        return None if self._last is not None and self._last.status == "discarded" else fails

    def _still_fails(self, trace: Trace[Any], key: Origin) -> bool:
        self._last = outcome = self.run.execute(trace.value)
        if outcome.status != "failed" or outcome.error is None:
            return False
        other = origin(outcome.error)
        if from_alarm(outcome.error):
            raise KeyboardInterrupt  # no more of this
        if other != key and other not in self.run.found and len(self.run.found) < MOST_FOUND:
            case = Case(trace.value, trace)
            self.run.found[other] = Found(case, outcome, self.run.report.examples, "explored")
            self.run.keep(case)
        return other == key


def draw_again(used: Trace[Any], fresh: Trace[Any]) -> Iterator[str]:
    """Repeat what a test drew while it ran on fresh objects, which are then as they were drawn; says the labels."""
    for path, node in used.walk():
        again = fresh.at(path)
        if type(node.gen) is Live and again is not None:
            again.value.draw_again(node.value, [child.gen for child in node.children if child is not None])
            if isinstance(again.value, Data):
                yield from (f"{label} = {value!r}" for label, value in again.value.drawn if label is not None)
