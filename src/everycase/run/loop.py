"""The main loop of a run: take cases from the explorer, run the test on them, record the outcomes.

Everything in it costs time in every test, so it does little. If most tests pass and report nothing, cases
come in batches, which are run with nothing between two tests.
"""

from __future__ import annotations

import functools
import math
import sys
import time
from collections.abc import Callable, Generator
from contextlib import suppress
from typing import Any

from everycase.choices.enact import REFUSALS
from everycase.choices.time_limit import LIMIT, OutOfTime, until
from everycase.errors import Discarded, EverycaseError, InvalidArgument
from everycase.explore.case import RANDOM
from everycase.explore.protocol import (
    DISCARDED,
    PASSED,
    SEARCHING,
    Batch,
    Case,
    Explorer,
    Outcome,
    Space,
    Status,
    Stop,
    Stopped,
)
from everycase.explore.sequences import steps_of
from everycase.run.bookkeeping import Bookkeeping
from everycase.run.budget import RunBudget
from everycase.run.changes import StateRead
from everycase.run.frames import from_alarm, is_raised_by
from everycase.run.health import WATCHED, Health
from everycase.run.labels import GROWTH
from everycase.run.outcome import TestCall, check_result, is_failure
from everycase.run.render import error_text
from everycase.run.repeatability import fingerprint
from everycase.run.settings import Phase, Resolved, Verbosity
from everycase.run.timetable import CHECKED

#: Called after each test, or batch of quick ones, with the report as it stands; also with ``shrinking=True``.
Progress = Callable[..., None]

#: Maximum number of discarded cases for each requested valid one.
DISCARDS_PER_EXAMPLE = 10

#: A sample of the passing cases is kept: all of the first ones, and then fewer and fewer.
KEPT_DENSELY = 8

#: The same for discarded cases. Each of them may be one that should have been tested.
DISCARDS_KEPT_DENSELY = 128
#: After the first failure, at most this many discards for each further test, unless it took more to find that one.
DISCARDS_AFTER_FAILURE = 100

#: After this many inputs that are nested too deeply, all of them the first ones, the run gives up.
MOST_TOO_DEEP = 100

#: The same for inputs that never stop drawing, each of which takes its time.
MOST_ENDLESS = 4

#: Maximum number of cases in a batch. Each has to be kept until it is tested.
BATCH = 128

#: In a batch of quick tests the clock is checked after this many tests.
CLOCK_EVERY = 8

#: Tests that take longer than this (seconds) are slow: the clock is checked after each of them.
SLOW = 0.001


class Loop:
    """One exploration by a run: cases of ``explorer`` go to ``test``, their outcomes to ``book``."""

    def __init__(
        self,
        explorer: Explorer,
        space: Space,
        test: TestCall,
        book: Bookkeeping,
        options: Resolved,
        budget: RunBudget,
        progress: Progress | None = None,
        state: StateRead | None = None,
    ) -> None:
        self.explorer = explorer
        self.state = state
        self.space = space
        self.test = test
        self.book = book
        self.report = book.report
        self.labels = book.labels
        self.observer = test.observer
        self.options = options
        self.progress = progress
        self.budget = budget
        self.discards = DISCARDS_PER_EXAMPLE * options.max_examples
        self.health: Health | None = Health(options, space)
        #: a sample of the cases, to check whether they come out the same again
        self.kept: list[Case] = []
        self._keep_at = 0
        #: the same for those that the test discarded
        self.kept_discards: list[Case] = []
        self._keep_discard_at = 0
        self._last_discard: float = math.inf
        self._batch: Batch | None = None
        self._place = 0
        #: whether no observer wants to see each test
        self._in_bulk = (
            options.deadline is None
            and options.verbosity.value < Verbosity.verbose.value
            and not options.statistics
            and test.prepare is None
        )
        #: an explorer that was chosen explicitly always does its job; the default one follows the phases
        self._guided = options.explore is not None or Phase.target in options.phases
        self._started = time.perf_counter()

    @functools.cached_property
    def _looks(self) -> bool:
        """Whether to look at every kept case for what changes: a default run of many values only says in passing up to
        which size it tested all of them, and that may not make it slower. (First asked when there is a case, so
        the explorer has counted the values.)"""
        if self.state is None:
            return False
        try:
            return self.options.explore is not None or self.space.fits(self.space.budget)
        except OutOfTime:  # the run ends here
            return False

    @functools.cached_property
    def _keeps_given(self) -> bool:
        return self._looks and steps_of(self.space) is None

    def _search(self) -> Generator[Case, Outcome, None]:
        search = self.explorer.explore(self.space)
        if not isinstance(search, Generator):
            raise InvalidArgument(
                f"explore of {self.report.explorer} must be a generator function, which yields cases; "
                f"it returned {search!r}"
            )
        return search

    def run(self) -> None:
        """Until the budget is used up or there is nothing left."""
        budget = self.budget
        if budget.end is not None:
            self.space.end, self.space.last = budget.end, budget.timetable.end(CHECKED)
        try:
            with until(self.space.end):
                self._run()
        except OutOfTime:  # between two tests, which are counted
            self.report.stop = budget.out_of_time()

    def _run(self) -> None:
        report, budget = self.report, self.budget
        self.search = self._search()
        outcome: Any = None
        report.stop = budget.used_up()
        while report.examples < budget.target or self._goes_on_for_labels():
            if self._batch is not None:
                case, outcome = self._next_of_batch(self._batch)
            else:
                proposed = self._ask(outcome)
                if proposed is None:
                    break
                case = proposed
                if case is SEARCHING:
                    outcome = None
                    if self._out_of_time():
                        break
                    continue
                if isinstance(case, Batch):
                    self._batch, self._place = case, 0
                    continue
                if case.args is None:
                    self.observer.not_made()
                    outcome = DISCARDED
                else:
                    if report.examples >= self._keep_at and self._keeps_given:
                        case.given = fingerprint(case.args)
                    try:
                        outcome = self.test.execute(case.args)
                    except OutOfTime:  # while the test drew
                        report.stop = budget.out_of_time()
                        break
            if not self._book(case, outcome) or (budget.timed and self._out_of_time()):
                break
        else:
            # The budget may have ended with the very last value.
            if self._batch is None:
                self.space.batches = 0  # one case is enough to know
                try:
                    self.search.send(outcome)
                except StopIteration:
                    report.stop = Stop(Stopped.nothing_left)
                except (*REFUSALS, OutOfTime):
                    pass  # an exception while making an input that will not be tested is not a failure
        self.search.close()

    def _ask(self, outcome: Any) -> Case | None:
        """The next case of the explorer; None if there is none."""
        report, space, health = self.report, self.space, self.health
        # CPU time of this thread, because it depends least on what else the machine does.
        idle = time.thread_time() if health is not None else 0.0
        begun = time.perf_counter() if self.observer.active else 0.0
        if self._in_bulk and health is None:
            space.batches = min(BATCH, self.budget.target - report.examples)
        try:
            case = self.search.send(outcome)
        except StopIteration:
            report.stop = space.findings.stop or Stop(Stopped.nothing_left)
            return None
        except OutOfTime:
            report.stop = self.budget.out_of_time()
            return None
        except REFUSALS as problem:
            self._refused(problem)
            return None
        if outcome is None and not self.book.failures:  # a plan may have raised the budget
            self.budget.plan(space.budget)
            report.stop = self.budget.used_up()
        if not isinstance(case, Case):
            raise InvalidArgument(f"the explorer {report.explorer} must yield cases, not {case!r}")
        if self.observer.active and case is not SEARCHING:
            self.observer.proposed(case, time.perf_counter() - begun)
        if health is not None and case is not SEARCHING:
            health.watch(case, time.thread_time() - idle, report.examples)
            if report.examples + report.discarded >= WATCHED:
                self.health = None
        return case

    def _refused(self, problem: BaseException) -> None:
        """No next case: a generator or an explorer is used wrongly, or raised something."""
        wrong = issubclass(type(problem), EverycaseError)
        if not wrong and is_raised_by(problem, self.explorer):
            told = InvalidArgument(f"the explorer {self.report.explorer} raised {error_text(problem)}")
            told.__cause__ = problem
            problem, wrong = told, True
        if wrong and not self.book.failures:
            raise problem
        self.report.stop = Stop(Stopped.generator_raised)
        if wrong:
            self.report.warnings.append(f"no further failures were looked for: {problem}")
        else:
            self.book.failures.see_generator(problem)

    def _next_of_batch(self, batch: Batch) -> tuple[Case, Outcome]:
        """Run a batch up to the first test that does not simply pass, or to its end: that case, and its outcome.

        The rest of the batch is dropped when a test reports a utility, because the explorer may want to go
        elsewhere.
        """
        first = self._place
        limit = min(len(batch.values), first + self.budget.target - self.report.examples)
        outcome = self._run_some(batch, limit)
        if outcome is None:
            # All passed. The last of them is recorded by the caller.
            self._place -= 1
            outcome = PASSED
        self.report.examples += self._place - first
        self.labels.drawn += self._place - first
        case = batch.last = batch.case(self._place)
        batch.done += self._place - first + (outcome.status is not Status.discarded)
        self._place += 1
        if outcome.utilities:
            # Such tests report something each time, so most of every further batch would be wasted.
            self._batch, self._in_bulk, self.space.batches = None, False, 0
        elif self._place >= len(batch.values):
            self._batch = None
        return case, outcome

    def _run_some(self, batch: Batch, limit: int) -> Outcome | None:
        """Run tests one after another while they pass and report nothing; the outcome of the first that does
        otherwise."""
        test, budget = self.test, self.budget
        scope, call, prop, labels = test.scope, test.call, test.prop, self.labels
        if scope.touched:
            test.drop_early_reports()
        place = self._place
        tests = self.report.examples
        watched = budget.timed or self.progress is not None
        step = limit if not watched else 1 if self._slow() else CLOCK_EVERY
        end, outside = LIMIT.end, LIMIT.outside
        LIMIT.end, LIMIT.outside = math.inf, end  # as in TestCall.execute
        try:
            while place < limit:
                for args in batch.values[place : min(limit, place + step)]:
                    if args is None:
                        self.observer.not_made()
                        return DISCARDED
                    result = call(*args)
                    if result is not None and result is not True:
                        check_result(result, prop)
                    if scope.touched:
                        if self.observer.active or not scope.only_labelled:
                            return test.outcome(Status.passed)
                        # A test that reports only labels is no reason to leave the batch.
                        labels.book(scope.labels, scope.rows, drawn=True)
                        scope.forget_labels()
                    place += 1
                if self.progress is not None:
                    self._show(tests + place - self._place)
                if budget.timed and budget.over(time.perf_counter(), tests + place - self._place):
                    return None
        except Discarded:
            return test.outcome(Status.discarded)
        except OutOfTime:  # while an input was printed; the tests before it have passed
            if place == self._place:
                raise
            return None
        except BaseException as problem:
            if not is_failure(problem):
                raise
            return test.outcome(Status.failed, problem)
        finally:
            self._place = place
            LIMIT.end, LIMIT.outside = end, outside
        return None

    def _show(self, tests: int) -> None:
        """Show the progress in the middle of a batch, which is counted at its end. (It is not ended here: which inputs come
        next may depend on that, but not on the clock.)"""
        before, self.report.examples = self.report.examples, tests
        if self.progress is not None:
            self.progress(self.report)
        self.report.examples = before

    def _slow(self) -> bool:
        return time.perf_counter() - self._started > SLOW * (self.report.examples + 1)

    def _book(self, case: Case, outcome: Outcome) -> bool:
        """Record one test; False if the run ends with it."""
        report, options = self.report, self.options
        if options.statistics:
            with suppress(OutOfTime):  # the time may be up before the input is recorded
                if case.trace is not None:
                    report.sizes[case.trace.count_choices()] += 1
        if report.examples >= self._keep_at and outcome.status is Status.passed:
            self.kept.append(case)
            if self._looks and self.state is not None:
                self.state.look()
                with suppress(*REFUSALS, OutOfTime):
                    _ = case.trace  # later, some explorers no longer know it
            self._keep_at = report.examples + 1 + report.examples // KEPT_DENSELY
        if case.how == RANDOM and outcome.status is not Status.discarded:
            self.labels.drawn += 1
        if outcome is PASSED:
            report.examples += 1
        else:
            self.book.count(case, outcome)
            if outcome.status is Status.discarded and report.discarded >= self._keep_discard_at and case.args:
                self.kept_discards.append(case)
                self._keep_discard_at = report.discarded + 1 + report.discarded // DISCARDS_KEPT_DENSELY
            if outcome.utilities and not self._guided:
                outcome.utilities = {}
            if report.discarded > self._last_discard:
                return False
            # Discarded inputs still guide a search, which may need many of them.
            if report.discarded >= (10 * self.discards if report.best else self.discards):
                report.stop = Stop(Stopped.discards)
                return False
            if (
                outcome.status is Status.failed
                and len(self.book.failures.seen) == 1
                and report.failed_at is None
                and self.explorer.stops_at_failure
            ):
                # Look a little further for other failures, but no longer than it took to find this one.
                further = max(10, min(report.examples, 200)) if options.report_multiple_bugs else 0
                self.budget.target = min(self.budget.target, report.examples + further)
                self._last_discard = report.discarded + max(
                    DISCARDS_AFTER_FAILURE * further, report.discarded
                )
                report.stop = Stop(Stopped.failure)
                LIMIT.end = min(LIMIT.end, self.budget.look_no_further())  # until the end of this loop
            if outcome.error is not None and from_alarm(outcome.error):
                report.stop = Stop(Stopped.alarm)
                return False
            if not report.examples and self.space.too_deep >= report.discarded >= MOST_TOO_DEEP:
                report.stop = Stop(Stopped.too_deep)
                return False
            if not report.examples and self.space.endless >= report.discarded >= MOST_ENDLESS:
                report.stop = Stop(Stopped.endless)
                return False
        if options.verbosity.value >= Verbosity.verbose.value:
            print(f"{self.test.prop.name}: {outcome.status}: {case.args!r}", file=sys.stderr)
        if self.progress is not None:
            self.progress(report)
        return True

    def _goes_on_for_labels(self) -> bool:
        """Whether the budget grows because it is not yet clear whether a demanded label comes up often
        enough."""
        if not self.labels.wants_more() or self.book.failures or self.report.failures:
            return False
        if self.options.max_seconds is None and self.space.fits(GROWTH * self.options.planned):
            return False  # all values are tested, so the share is known exactly
        if not self.budget.grow(self.report.examples):
            return False
        self.report.stop = self.budget.used_up()
        return True

    def _out_of_time(self) -> bool:
        reason = self.budget.over(time.perf_counter(), self.report.examples)
        if reason is None:
            return False
        if reason.reason is Stopped.usual_seconds and self.labels.wants_more() and not self.book.failures:
            return not self.budget.take_longer()
        self.report.stop = reason
        return True
