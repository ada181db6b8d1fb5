"""The failures of a run: seen, confirmed by running them again, shrunk, remembered, and ready to be shown."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from everycase.choices.enact import REFUSALS, replay
from everycase.choices.shrink.shrinker import ShrinkEnd, Shrunk, shrink
from everycase.choices.time_limit import OutOfTime, until
from everycase.choices.trace import Trace
from everycase.errors import CannotReproduce, DoesNotFit, Flaky
from everycase.explore.protocol import Case, Outcome, Status
from everycase.gen.drawing import Data
from everycase.gen.kinds import Live
from everycase.gen.predicate_errors import PredicateNote
from everycase.run.explain import idle_parts
from everycase.run.frames import deeper, from_alarm, origin, trim
from everycase.run.host import current_host
from everycase.run.observing.observer import MINIMAL
from everycase.run.outcome import TestCall
from everycase.run.render import error_text, shortened
from everycase.run.repeatability import differ
from everycase.run.report import Failure, FailureSource, NotShrunk, Report
from everycase.run.settings import Phase, Resolved
from everycase.run.store import FailureMemory

#: Maximum number of shrinking steps to record.
MOST_TRAIL = 200

#: What distinguishes failures: the type of the exception, and file and line in the user's code.
Origin = tuple[str, str, int]

#: Maximum number of distinct failures that a run distinguishes, and that it confirms and shrinks.
MOST_SEEN = 50
MOST_CONFIRMED = 10

#: How often an input that failed only once is made again.
REMADE = 16

#: How often, and for how many seconds at most, the steps of a state machine are repeated before it is said to
#: fail.
REPEATS = 10
REPEAT_SECONDS = 0.5


class SeenFailure(NamedTuple):
    """A failure as it was first seen."""

    case: Case
    outcome: Outcome
    number: int
    source: FailureSource


class Failures:
    """The failures of one run."""

    def __init__(
        self,
        test: TestCall,
        options: Resolved,
        report: Report,
        memory: FailureMemory,
        progress: Callable[..., None] | None = None,
    ) -> None:
        self.test = test
        self.progress = progress
        self.options = options
        self.report = report
        self.memory = memory
        self.seen: dict[Origin, SeenFailure] = {}
        #: the place of a failure that only a worker of the executor saw, and the failure in words
        self.elsewhere: tuple[int, str] | None = None
        #: the first input that passed, usually the simplest one
        self.passing: Case | None = None
        #: set by the run: whether arguments satisfy the preconditions that can be evaluated without the test; None if
        #: there are none
        self.read_validity: Callable[[], Callable[[tuple[Any, ...]], bool] | None] = lambda: None
        #: where the cases of the current phase come from
        self.source = FailureSource.explored
        #: whether the user, or an alarm, wants the run to end
        self.interrupted = False
        self._clock = time.perf_counter
        self._end = self._last_end = math.inf
        #: the outcome of the last test that was run to confirm or to shrink, and the last failure that was repeated
        self._last: Outcome | None = None
        #: the last input that failed as it should, with its outcome
        self._failed: tuple[Trace[Any], Outcome] | None = None
        self._repeated: Trace[Any] | None = None
        #: how the failure that is being shrunk became smaller, and the calls that took
        self._trail: list[tuple[int, int]] = []
        self._calls = 0
        #: the trace whose blob was asked for last, and the blob
        self._written: tuple[Trace[Any], str | None] | None = None

    def __bool__(self) -> bool:
        return bool(self.seen)

    # --- seeing -----------------------------------------------------------------------------------------

    def see(self, case: Case, outcome: Outcome) -> None:
        """Keep a failure, unless one of this origin is known."""
        assert outcome.error is not None
        self._see(origin(outcome.error), case, outcome, self.source)

    def _see(self, key: Origin, case: Case, outcome: Outcome, source: FailureSource) -> None:
        if key in self.seen or len(self.seen) >= MOST_SEEN:
            return
        self.seen[key] = SeenFailure(case, outcome, self.report.examples, source)
        # Remembered as soon as it is seen: whatever happens from here on, the next run starts with it.
        with suppress(*REFUSALS, OutOfTime):  # a value that cannot be recorded is reported anyway
            blob = None if case.trace is None else self._blob(case.trace)
            if blob is not None:
                self.memory.save(blob)

    def see_generator(self, problem: BaseException) -> None:
        """A generator raised while it made an input: a failure like any other, but without an input to
        show."""
        notes: list[str] = []
        with suppress(Exception):
            notes += [note for note in problem.__notes__ if isinstance(note, PredicateNote)]
            problem.__notes__ = [note for note in problem.__notes__ if note not in notes]
        self.report.failures.append(
            Failure(
                error=trim(problem),
                arguments={},
                notes=tuple(notes),
                failed_at=self.report.examples + 1,
                origin=origin(problem),
                source=FailureSource.generator,
            )
        )

    # --- confirming and shrinking ----------------------------------------------------------------------------

    def confirm_and_shrink(self, end: float, last: float = math.inf) -> None:
        """Confirm and shrink the failures that are not in the report yet, until ``end`` by the clock. In a run with a time
        limit everything ends at ``last``."""
        report = self.report
        self._end, self._last_end = end, last
        several = self.options.report_multiple_bugs
        most = MOST_CONFIRMED if several else 1
        while pending := self._pending():  # shrinking one failure may find others
            if len(report.failures) >= most:
                if several:
                    report.warnings.append(
                        f"{len(pending)} more distinct failures were seen; only the first {most} were looked into"
                    )
                break
            report.failures.append(self._confirm_one(pending[0], self.seen[pending[0]]))
        # First what has an input to show.
        report.failures.sort(key=lambda failure: failure.source is FailureSource.generator)
        if self.elsewhere is not None and not report.failures:
            report.failures.append(self._flaky_elsewhere(*self.elsewhere))

    def _pending(self) -> list[Origin]:
        reported = {failure.origin for failure in self.report.failures}
        return [key for key in self.seen if key not in reported]

    def _confirm_one(self, key: Origin, seen: SeenFailure) -> Failure:
        """Confirm a failure by running it again, shrink it, and keep it for the next run. If an alarm or the
        user interrupts this, the failure is reported as far as it is known."""
        failure = self._as_seen(key, seen)
        if from_alarm(failure.error):
            self.interrupted = True
            failure.shrink_reason = NotShrunk.alarm
            return failure
        if self._clock() > self._end and (self.interrupted or self._last_end < math.inf):
            return self._too_late(failure, seen)
        try:
            return self._confirmed_and_shrunk(key, seen, failure)
        except KeyboardInterrupt:
            self.interrupted = True
            if (
                failure.trace is None
            ):  # the input is still the one that was seen first, whatever it was shrunk to
                failure = self._as_seen(key, seen)
            failure.shrink_reason = failure.shrink_reason or NotShrunk.interrupted_early
            return failure

    def _too_late(self, failure: Failure, seen: SeenFailure) -> Failure:
        """There is no time to run it again. Its choices are still reported, if they are known or quickly found out."""
        failure.shrink_reason = NotShrunk.no_time
        with suppress(*REFUSALS, OutOfTime), until(self._last_end):
            if seen.case.trace is not None:
                failure.trace, failure.blob = seen.case.trace, self._blob(seen.case.trace)
        return failure

    def _as_seen(self, key: Origin, seen: SeenFailure) -> Failure:
        names = list(self.test.prop.gens)
        error = seen.outcome.error
        assert error is not None and seen.case.args is not None
        return Failure(
            error=trim(error),
            arguments=dict(zip(names, seen.case.args)),
            failed_at=seen.number,
            origin=key,
            notes=seen.outcome.notes,
            utilities={} if seen.outcome.guessed else self._as_said(seen.outcome.utilities),
            source=seen.source,
            index=seen.case.index,
        )

    def _confirmed_and_shrunk(self, key: Origin, seen: SeenFailure, failure: Failure) -> Failure:
        names = list(self.test.prop.gens)
        shrinking = not self.interrupted
        self.test.observer.enter("shrink", "during shrink phase")
        began = self._clock()
        try:
            with until(self._end):
                trace = seen.case.trace
                again = None if trace is None else self._fails_again(trace, key)
        except OutOfTime:
            return self._too_late(failure, seen)
        except RecursionError:
            failure.shrink_reason = NotShrunk.too_deep
            return failure
        except REFUSALS as problem:
            return self._not_made_again(failure, problem)
        if trace is None:
            failure.shrink_reason = NotShrunk.by_hand
            return failure
        if again is None:
            return self._not_the_same_again(failure, trace)
        trace = again
        assert self._last is not None
        self._failed = trace, self._last
        # Afterwards the input is made twice more, to run it and to show it.
        took = self._clock() - began
        end = min(self._end, self._last_end - 2 * took)
        blob = self._remember(trace, None)
        if seen.source is FailureSource.blob:
            failure.shrink_reason = NotShrunk.blob
        elif shrinking and Phase.shrink in self.options.phases:
            severe = self._severity(seen.outcome)
            self._trail, self._calls = [], 0
            with suppress(OutOfTime), until(end):  # printing may take long, too
                failure.original = shortened(trace.value, names)
                self._trail = failure.shrink_trail = [(0, len(failure.original))]
            left = end - self._clock()
            with deeper(seen.outcome.error):
                result = (
                    shrink(
                        trace,
                        lambda candidate: self._simpler_fails(candidate, key, severe),
                        known=self._passing(),
                        is_valid=self._validity(),
                        max_seconds=left,
                    )
                    if left > 0
                    else Shrunk(trace, 0, ShrinkEnd.time)
                )
            self.interrupted |= result.reason is ShrinkEnd.interrupted
            failure.shrink_calls, failure.shrink_reason = result.calls, result.reason
            trace = result.trace
            if result.reason is ShrinkEnd.minimal and Phase.explain in self.options.phases:
                # Before the last run of the failing input, so that its output and side effects come last.
                self._explain(failure, trace, key, end)
        else:
            failure.shrink_reason = NotShrunk.phase_off if shrinking else ShrinkEnd.interrupted
        current_host().before_shown()
        if self.test.observer.active:
            self.test.observer.enter(None, MINIMAL, self._remember(trace, blob))
        try:
            final = self._fails_finally(trace, key, took)
        except REFUSALS as problem:
            return self._not_made_again(failure, problem)
        if final is None:
            return self._not_the_same_again(failure, trace)
        failure.trace = final
        failure.blob = self._remember(final, blob)
        if failure.blob is None and final.is_small and final.is_opaque:
            failure.shrink_reason = NotShrunk.opaque
        assert self._last is not None and self._last.error is not None
        failure.error = trim(self._last.error)
        failure.notes = self._last.notes
        failure.utilities = {} if self._last.guessed else self._as_said(self._last.utilities)
        self._make_arguments(failure, final)
        return failure

    def _explain(self, failure: Failure, trace: Trace[Any], key: Origin, end: float) -> None:
        self.test.observer.enter("explain", "during explain phase")
        names = list(self.test.prop.gens)
        try:
            with suppress(OutOfTime), until(end):
                failure.idle = idle_parts(
                    trace, names, lambda other: self._fails_too(other, key), self.report.seed
                )
        except KeyboardInterrupt:  # what it was shrunk to is still shown
            self.interrupted = True

    def _make_arguments(self, failure: Failure, final: Trace[Any]) -> None:
        """Make the arguments again: the test may have changed them in place, and the report must show the
        original ones."""
        scope = self.test.scope
        scope.clear()
        fresh = final
        with suppress(OutOfTime), until(self._last_end):
            fresh = replay(self.test.prop.gen, final)
        # A composite may have added notes about the input.
        failure.notes = (*scope.notes, *failure.notes, *draw_again(final, fresh))
        scope.clear()
        failure.arguments = dict(zip(self.test.prop.gens, fresh.value))

    def _validity(self) -> Callable[[Trace[Any]], bool] | None:
        """Whether a trace satisfies the preconditions, for shrinking."""
        holds = self.read_validity()
        return None if holds is None else lambda trace: holds(trace.value)

    def _passing(self) -> list[Trace[Any]]:
        """Inputs that need not be tried again, because they passed."""
        try:
            trace = None if self.passing is None else self.passing.trace
        except REFUSALS:  # user code makes it again
            trace = None
        return [] if trace is None else [trace]

    def _remember(self, trace: Trace[Any], known: str | None) -> str | None:
        """Keep a failure for the next run instead of a larger one. Returns its blob, or None if there are no
        choices to keep or they are nested too deeply."""
        blob = self._blob(trace)
        if blob is None:
            return None if trace.is_small and trace.is_opaque else known
        if blob != known:
            self.memory.save(blob)
            if known is not None:
                self.memory.delete(known)
        return blob

    def _blob(self, trace: Trace[Any]) -> str | None:
        """The blob of a trace; None if its choices are unknown, too many or nested too deeply. Cached,
        because one failure needs it more than once and a large one takes long."""
        if self._written is None or self._written[0] is not trace:
            blob = None
            with suppress(RecursionError, CannotReproduce):
                if trace.is_small and not trace.is_opaque:
                    blob = trace.to_blob()
            self._written = trace, blob
        return self._written[1]

    def _as_said(self, utilities: dict[str, float]) -> dict[str, float]:
        """Utilities as the test gave them; within a search larger is always better."""
        return {label: self.test.scope.signs[label] * worth for label, worth in utilities.items()}

    def _severity(self, outcome: Outcome) -> Callable[[Outcome | None], bool]:
        """With ``keep_utility``: whether a simpler failure is still as bad as it has to be."""
        keep = self.options.keep_utility
        if keep is False:
            return lambda simpler: True
        floor = {} if outcome.guessed else outcome.utilities
        if keep is not True:
            signs = self.test.scope.signs
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
        """Warn that a bound does not belong to any label, which is probably a typo."""
        for label in sorted(unknown):
            labels = ", ".join(one or "a number without a label" for one in known) or "nothing"
            warning = f"keep_utility has a bound for {label!r}, but the test reports only {labels}"
            if warning not in self.report.warnings:
                self.report.warnings.append(warning)

    def _not_the_same_again(self, failure: Failure, trace: Trace[Any]) -> Failure:
        """Find out why a failure did not occur again: a generator that does not make the same input, or the
        test."""
        with suppress(OutOfTime), until(min(self._clock() + REPEAT_SECONDS, self._last_end)):
            try:
                made = [replay(self.test.prop.gen, trace).value for _ in range(REMADE)]
            except REFUSALS as problem:
                return self._not_made_again(failure, problem)
            if any(differ(made[0], other) for other in made[1:]):
                return self._not_made_again(failure, DoesNotFit("they made a different one"))
        return self._flaky(failure)

    def _flaky(self, failure: Failure) -> Failure:
        """Report that a failure did not occur again, and what happened instead."""
        again = self._last
        if again is not None and again.error is not None and origin(again.error) == failure.origin:
            then = "failed in the same way at another step"
        elif again is not None and again.error is not None:
            then = f"failed with {error_text(again.error)}"
        else:
            then = "passed"
        flaky = Flaky(
            f"the test failed with {error_text(failure.error)}, and {then} when it was run again on the same input. "
            "It depends on something besides its arguments: global state, time, hash order, or a generator that "
            "depends on more than its draws"
        )
        flaky.__cause__ = failure.error
        failure.flaky, failure.error = True, flaky
        if self._repeated is not None and steps_in(self._repeated):
            # The steps of a machine are written down only when they are repeated.
            failure.arguments = dict(zip(self.test.prop.gens, self._repeated.value))
        failure.shrink_reason = failure.shrink_reason or NotShrunk.flaky
        return failure

    def _not_made_again(self, failure: Failure, problem: BaseException) -> Failure:
        """Its choices did not make the input again. This does not mean that the test is flaky: it did fail on
        the input."""
        failure.shrink_reason = NotShrunk.not_made_again
        warning = (
            f"the input that failed could not be made again from its recorded choices ({error_text(problem)}), so it is "
            "shown as it was tested. A generator depends on something besides its draws (global state, time, "
            "random, hash order); if none does, this is a bug in everycase"
        )
        if warning not in self.report.warnings:
            self.report.warnings.append(warning)
        return failure

    def _flaky_elsewhere(self, place: int, words: str) -> Failure:
        """A failure that a worker saw and this process did not."""
        self.report.exhaustive = False
        return Failure(
            error=Flaky(
                f"a worker of the executor failed at place {place:,} with {words}, but the same input passed "
                "here. The test "
                "depends on something besides its arguments: global state, time, or the process it runs in"
            ),
            arguments={},
            failed_at=self.report.given + place + 1,
            origin=("everycase.errors.Flaky", "", 0),
            source=FailureSource.worker,
            flaky=True,
            shrink_reason=NotShrunk.flaky,
        )

    def _fails_again(self, trace: Trace[Any], key: Origin) -> Trace[Any] | None:
        """Run a recorded failure once more; its trace if it fails the same way, for a state machine at the same step. Raises
        if it cannot be made again."""
        whole = self._repeated = replay(self.test.prop.gen, trace)
        return whole if self._still_fails(whole, key) and steps_in(whole) == steps_in(trace) else None

    def _fails_finally(self, trace: Trace[Any], key: Origin, took: float) -> Trace[Any] | None:
        """Run a failure again, so that its output and side effects come last. If that takes more time than there is, what is
        known of its last run has to do."""
        assert self._failed is not None
        if self._clock() + took <= self._last_end or self._failed[0] is not trace:
            with suppress(OutOfTime), until(self._last_end):
                return self._fails_always(trace, key)
        final, self._last = self._failed
        return final

    def _fails_always(self, trace: Trace[Any], key: Origin) -> Trace[Any] | None:
        """The same for steps that are taken several times: a machine that fails now and then may fail every
        time by luck."""
        began = self._clock()
        final = self._fails_again(trace, key)
        end = min(began + REPEAT_SECONDS, self._last_end - (self._clock() - began))
        for _ in range(REPEATS if steps_in(trace) else 0):
            if final is None or self._clock() > end:
                break
            final = self._fails_again(trace, key)
        return final

    def _simpler_fails(
        self, trace: Trace[Any], key: Origin, severe: Callable[[Outcome | None], bool]
    ) -> bool | None:
        """Whether a simpler input fails as well; None if it does not satisfy a precondition of the test."""
        self._calls += 1
        if self._still_fails(trace, key):
            enough = severe(self._last)
            if enough and self._last is not None:
                self._failed = trace, self._last
            if enough and len(self._trail) < MOST_TRAIL:
                with suppress(OutOfTime):
                    self._trail.append((self._calls, len(shortened(trace.value, list(self.test.prop.gens)))))
            return enough
        return None if self._last is not None and self._last.status is Status.discarded else False

    def _fails_too(self, trace: Trace[Any], key: Origin) -> bool | None:
        """Whether another input fails the same way; None if the test discards it."""
        fails = self._still_fails(trace, key)
        return None if self._last is not None and self._last.status is Status.discarded else fails

    def _still_fails(self, trace: Trace[Any], key: Origin) -> bool:
        if self.progress is not None:
            self.progress(self.report, shrinking=True)
        self._last = outcome = self.test.execute(trace.value)
        if outcome.status is not Status.failed or outcome.error is None:
            return False
        other = origin(outcome.error)
        if from_alarm(outcome.error):
            raise KeyboardInterrupt  # stop here
        if other != key:
            self._see(other, Case(trace.value, trace), outcome, FailureSource.explored)
        return other == key


def steps_in(trace: Trace[Any]) -> int:
    """The number of steps of a state machine; 0 if there is none."""
    return sum(
        len(node.children)
        for node in trace.nodes()
        if isinstance(node.gen, Live) and node.gen.steps is not None
    )


def draw_again(used: Trace[Any], fresh: Trace[Any]) -> Iterator[str]:
    """Repeat what a test drew while it ran, with fresh objects as they were drawn; reports the labels."""
    if not any(type(node.gen) is Live for node in used.nodes()):
        return
    for path, node in used.walk():
        again = fresh.at(path)
        if type(node.gen) is Live and again is not None:
            again.value.draw_again(node.value, [child.gen for child in node.children if child is not None])
            if isinstance(again.value, Data):
                yield from again.value.labelled()
