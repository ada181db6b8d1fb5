"""The runner: takes cases from an explorer, runs the test on them, and shrinks and reports failures."""

from __future__ import annotations

import functools
import hashlib
import math
import os
import sys
import time
from collections.abc import Callable, Collection, Mapping, MutableMapping
from contextlib import nullcontext, suppress
from copy import deepcopy
from typing import Any

from everycase.choices.enact import REFUSALS, replay
from everycase.choices.time_limit import OutOfTime, look, until
from everycase.choices.trace import Trace
from everycase.errors import (
    CannotReproduce,
    Discarded,
    DoesNotFit,
    EverycaseError,
    GeneratorError,
    HealthCheckFailed,
    InvalidArgument,
    LabelTooRare,
)
from everycase.explore import Auto, Random
from everycase.explore.exhaustive import Exhaustive
from everycase.explore.protocol import Case, Explorer, Outcome, Space, Status, Stop, Stopped
from everycase.explore.sequences import steps_of
from everycase.explore.targeted.search import TargetedSearch
from everycase.explore.valid import Guards
from everycase.gen.instance import tested_on
from everycase.gen.outside import constants_of, functions_of, outside_of
from everycase.gen.sharing import forget_shared
from everycase.run.best_inputs import BestMemory
from everycase.run.bookkeeping import Bookkeeping
from everycase.run.budget import RunBudget
from everycase.run.changes import StateRead
from everycase.run.condition_reader import conditions_in
from everycase.run.conditions import Conditions
from everycase.run.context import enter, leave, nested
from everycase.run.failures import Failures
from everycase.run.frames import trim
from everycase.run.health import verdict_on_discards
from everycase.run.host import CaseFixtures, current_conduct, current_host
from everycase.run.labels import GROWTH, Labels
from everycase.run.leases import part_of
from everycase.run.loop import Loop, Progress
from everycase.run.observing.observer import EXPLICIT, observer_of
from everycase.run.outcome import TestCall
from everycase.run.property import Property
from everycase.run.rare_labels import candidates
from everycase.run.repeatability import (
    OTHER_ASSUMPTION,
    OTHER_VALUE,
    REPEATS,
    SECONDS,
    Claim,
    doubt,
    doubt_steps,
    functions_of_results,
    functions_of_steps,
)
from everycase.run.report import FailureSource, Report, ReportStatus
from everycase.run.settings import Phase, Resolved, Verbosity, settings
from everycase.run.source_text.printer import call
from everycase.run.store import FailureMemory, Store, open_store
from everycase.run.timetable import CHECKED, EXPLORED, REMEMBERED, SHOWN, Timetable

#: Said of lines where other processes run tests.
ELSEWHERE = "with executor=, observability lines are written only for the tests that this process runs itself"

#: Time limit for making remembered inputs again, in seconds; maximum number of inputs to try from other
#: versions of the test; and maximum size (in bytes) of the record of one.
REUSE_SECONDS = 0.3
MOST_OTHERS = 10
MOST_REUSED = 200_000


def run_or_raise(
    prop: Property, given: MutableMapping[str, Any], call: Callable[..., Any] | None = None
) -> None:
    """Run a decorated test: return if it passes, raise the error for the user if it does not.

    ``given`` are the arguments that are not generated, by name. ``call`` runs the test once, on the generated
    arguments; it is made from ``given`` if left out.
    """
    __tracebackhide__ = True
    from everycase.run.raising import conclude

    host = current_host()
    around = host.case_fixtures(prop, given)
    with tested_on(given["self"]) if "self" in given else nullcontext():
        report = _run_within(prop, given, call, around)
    report.fixed = {name: value for name, value in given.items() if name != "self"}
    host.learn(prop, report)
    conclude(report, prop.function)


def _run_within(
    prop: Property,
    given: MutableMapping[str, Any],
    call: Callable[..., Any] | None,
    around: CaseFixtures | None,
) -> Report:
    """Run a decorated test with its per-case fixtures."""
    __tracebackhide__ = True
    try:
        if around is None:
            report = run(prop, call or prop.caller(given), prop.spec.settings, given=given)
        else:
            call = around.around(call or prop.caller(given, renewed=True))
            try:
                report = run(
                    prop,
                    call,
                    prop.spec.settings,
                    prepare=around.prepare,
                    given=given,
                    renewed=around.renewed,
                )
            finally:
                around.leave()
    except EverycaseError as problem:
        raise trim(problem)  # noqa: B904 (it is the same one)
    return report


def run(
    prop: Property,
    call: Callable[..., Any],
    chosen: settings | None = None,
    progress: Progress | None = None,
    prepare: Callable[[], None] | None = None,
    given: Mapping[str, Any] | None = None,
    renewed: Collection[str] | None = None,
) -> Report:
    """Run a property. ``call`` runs the test once, on the generated arguments; ``prepare`` comes before each call,
    outside of its deadline, and an exception that it raises ends the run. ``given`` are the arguments that are not
    generated, which tell whose failures these are; those in ``renewed`` may be others for each call (all of
    them, if there is a ``prepare`` and it is not said which)."""
    options = (chosen or settings()).resolve()
    if progress is None and not nested():
        progress = current_host().progress(prop, options.max_seconds, options.demanded)
    conduct = None if nested() else current_conduct()
    if conduct is not None:
        return conduct(prop, call, options, prepare, given)
    return run_resolved(Runner(prop, call, options, progress, prepare, given, renewed))


def run_resolved(runner: Runner) -> Report:
    """The run of a runner, within its scope."""
    token = enter(runner.test.scope)
    try:
        return runner.run()
    finally:
        runner.observer.close()
        forget_shared()
        leave(token)


def _space(prop: Property, seed: int, options: Resolved, timetable: Timetable) -> Space:
    """The space of a property, or an error if its generators cannot be read."""
    try:
        with until(timetable.end(EXPLORED)):
            return Space(
                prop.gen,
                seed,
                options.planned,
                record=options.statistics,
                limited=options.limited,
                size=options.size,
                preconditions=prop.checks(),
            )
    except OutOfTime:
        raise GeneratorError(
            f"the generators of {prop.name} refer to so many others that max_seconds={timetable.limit:g} was reached "
            "before all of them were known: their definition may have no end. Let a parameter decrease to a "
            "base case, or choose it with flatmap."
        ) from None
    except RecursionError:
        raise GeneratorError(
            f"the generators of {prop.name} are nested too deeply: one inside the other, beyond Python's "
            "recursion limit. "
            "Write the nesting as a recursion, with gen.deferred or gen.recursive"
        ) from None


class Runner:
    """One run: owns all of its state."""

    def __init__(
        self,
        prop: Property,
        call: Callable[..., Any],
        options: Resolved,
        progress: Progress | None = None,
        prepare: Callable[[], None] | None = None,
        given: Mapping[str, Any] | None = None,
        renewed: Collection[str] | None = None,
    ) -> None:
        self.timetable = Timetable(options.max_seconds)
        self.prop = prop = prop.begin(options)
        self.options = options
        #: the arguments that are not generated, and which of them may be others for each call
        self.given = given or {}
        self.renewed = set(self.given) if renewed is None and prepare is not None else renewed or ()
        self.progress = progress
        # A run inside another run's test must do the same whenever that test is repeated.
        inside = nested()
        self.explorer = options.explore or Auto()
        seed = _seed(prop, options, inside)
        #: whether a run with these settings should come out the same every time
        self.repeatable = options.seed is not None or options.derandomize or inside
        self.report = Report(
            prop.name,
            ReportStatus.passed,
            seed,
            repr(self.explorer),
            shows_blob=options.print_blob and not prop.adopted,
            adopted=prop.adopted,
            quiet=options.verbosity is Verbosity.quiet,
            detail=max(current_host().detail, options.verbosity.value - Verbosity.normal.value),
            by_default=isinstance(self.explorer, Auto),
            arguments=list(prop.gens),
        )
        self.space = _space(prop, seed, options, self.timetable)
        signs: dict[str, int] = {}
        self.observer = observer_of(prop, options, signs, current_host().directory)
        self.test = TestCall(
            prop,
            call,
            self.report.warnings,
            deadline=options.deadline,
            prepare=prepare,
            observer=self.observer,
        )
        self.test.scope.signs = signs
        store, key = _store(prop, options, inside), current_host().key(prop, given or {})
        self.memory = FailureMemory(store, key, lambda: prop.digest)
        #: the best inputs of earlier runs; a run that should come out the same every time ignores them
        self.best_memory: BestMemory | None = None
        if self.explorer.goes_on and not self.repeatable and Phase.reuse in options.phases:
            self.best_memory = BestMemory(store, key, lambda: prop.digest)
        self.failures = Failures(self.test, options, self.report, self.memory, progress)
        self.labels = Labels(self.test.scope.demands)
        self.book = Bookkeeping(
            self.report, self.failures, list(prop.gens), signs, self.labels, bool(options.observe)
        )
        if options.goals and Phase.target in options.phases:
            self.space.use_goals = self._use_goals
        #: how many tests came before exploring: explicit examples and remembered failures
        self._before_exploring = 0
        #: a sample of the inputs that the test discarded
        self._discarded: list[Case] = []
        self._state: StateRead | None = None  # what the generators read from outside, as it was at first

    def run(self) -> Report:
        report, phases = self.report, self.options.phases
        try:
            if self.prop.spec.blobs:
                self._reproduce()
            else:
                if Phase.explicit in phases:
                    self._explicit()
                if Phase.reuse in phases and not self.failures and report.stop is None:
                    self._reuse()
                report.given = report.examples + report.discarded
                if Phase.explore in phases and not self.failures and report.stop is None:
                    if report.given and self.timetable.over(EXPLORED):
                        report.stop = self._out_of_time()
                    else:
                        self._explore()
        except HealthCheckFailed as problem:
            report.problem = problem
        except KeyboardInterrupt:
            if not self.failures:
                raise
            self.failures.interrupted = True
            report.stop = Stop(Stopped.interrupted)
        try:
            with until(self.timetable.end(CHECKED)):
                self.book.best.conclude(self.prop.gen, self.test.scope.signs, report)
                if self.best_memory is not None:
                    self.best_memory.keep(self.book.best)
            self._conclude()
        except KeyboardInterrupt:
            if not self.failures:
                raise
            self.failures.interrupted = True
            self._conclude()  # once more, for the remaining failures, without shrinking
        if (report.exhaustive or report.covered) and self.failures and self._state is not None:
            changed = self._state.changed()  # while failures were run again
            if changed is not None:
                self._withhold(f"{changed}, which changed during the run")
        self.prop.finish(report, self.options)
        if report.problem is not None and not report.failures:
            report.status = ReportStatus.gave_up
        self._conclude_labels()
        report.seconds = time.perf_counter() - self.timetable.started
        self.observer.finish(report)
        return report

    def _conclude_labels(self) -> None:
        """Report how often labels came up; a demand that is not met fails a run that would otherwise pass."""
        report = self.report
        tests = report.examples - self._before_exploring
        if self.options.executor is not None and self.options.observe:
            report.warnings.append(ELSEWHERE)
        report.labels = self.labels.concluded(tests, exhaustive=report.exhaustive)
        report.tables = self.labels.tables
        missed = [label for label in report.labels.values() if label.missed]
        if missed and report.status is ReportStatus.passed:
            report.status = ReportStatus.failed
            report.problem = LabelTooRare("; ".join(f"{label.label!r}: {label.words}" for label in missed))

    def _use_goals(self, on: bool) -> None:
        self.test.scope.wants_goals = on

    # --- phases -----------------------------------------------------------------------------------------

    def _explicit(self) -> None:
        names = list(self.prop.gens)
        self.failures.source = FailureSource.example
        self.observer.enter(None, EXPLICIT)
        for number, each in enumerate(self.prop.spec.examples):
            if self.timetable.over(EXPLORED):
                self.report.caveat = (
                    f"only {number:,} of {len(self.prop.spec.examples):,} explicit examples were run"
                )
                self.report.stop = self._out_of_time()
                return
            case = Case(_explicit_arguments(names, each.args, each.kwargs), None)
            assert case.args is not None
            # The test gets a copy, so that the values of the decorator are shown (and given next time).
            self.book.count(case, each.as_expected(self.test.execute(_copied(case.args))))
            if self.failures:
                self.report.stop = Stop(Stopped.example_failed)
                return

    def _reuse(self) -> None:
        """Run the remembered failures. One that passes now is forgotten. One that does not fit (from another
        branch, for example) or comes from another version of this test is kept until there are too many."""
        self.failures.source = FailureSource.remembered
        self.observer.enter("reuse", "remembered from an earlier run")
        own, others = self.memory.fetch()
        end, last = time.perf_counter() + REUSE_SECONDS, self.timetable.end(REMEMBERED)
        for number, blob in enumerate([*own, *others[:MOST_OTHERS]]):
            if time.perf_counter() > min(end, last):
                break
            try:
                with until(last):
                    trace = replay(self.prop.gen, Trace.from_blob(blob, MOST_REUSED))
            except OutOfTime:
                break
            except REFUSALS:
                continue
            started = time.perf_counter()
            case = Case(trace.value, trace)
            outcome = self.test.execute(trace.value)
            self.book.count(case, outcome)
            if outcome.status is Status.passed and number < len(own):
                self.memory.delete(blob)
            end += time.perf_counter() - started  # the time of the test itself does not count
        if not self.failures and self.best_memory is not None:
            for case in self.best_memory.cases(self.prop.gen):
                assert case.args is not None
                outcome = self.test.execute(case.args)
                self.book.count(case, outcome)
                self.space.remembered.append((case, outcome))
        if self.failures:
            self.report.stop = Stop(Stopped.remembered_failed)

    def _reproduce(self) -> None:
        self.failures.source = FailureSource.blob
        self.observer.enter(None, "given by a blob")
        for blob in self.prop.spec.blobs:
            try:
                trace = replay(self.prop.gen, Trace.from_blob(blob))
            except (DoesNotFit, Discarded):
                raise CannotReproduce(
                    "the blob no longer fits the generators of this test; they have changed since it was "
                    "printed"
                ) from None
            self.book.count(Case(trace.value, trace), self.test.execute(trace.value))
        self.report.stop = Stop(Stopped.blob_only)
        if not self.failures:
            raise CannotReproduce(
                "the input of the blob no longer fails; remove @reproduce(...), which keeps the test from "
                "trying other inputs"
            )

    def _explore(self) -> None:
        self.failures.source = FailureSource.explored
        self.observer.enter("generate")
        self.labels.begin()
        self._before_exploring, self.test.rejected = self.report.examples, 0
        self._state = self._state_read()
        report, space, findings = self.report, self.space, self.space.findings
        conditions = functools.cache(
            lambda: Conditions(self.prop, conditions_in(self.prop, self.given, self.renewed))
        )
        space.read_leading = lambda: conditions().guards()
        self.failures.read_validity = lambda: (
            Guards(space).hold if self.prop.guarded and space.guards else None
        )
        is_part = part_of(self.explorer) is not None
        budget = RunBudget(self.options, self.explorer, self.timetable, repeatable=self.repeatable)
        if not is_part:  # a part goes by what the whole has found out
            space.counting.soon, space.counting.last = budget.planning
        try:
            kept = self._loop(self.explorer, budget)
        except DoesNotFit:
            kept = []
            report.problem = GeneratorError(f"{OTHER_VALUE}, so this explorer cannot be used")
        # What labels say of the whole run is not for a part of it to find out.
        if not is_part:
            kept = self._count_labels() or kept
        self._use_goals(False)  # failures are examined by the test as it was written
        self.failures.passing = kept[0] if kept else None
        report.too_deep, report.endless = space.too_deep, space.endless
        report.exhaustive = findings.exhausted and _is_complete(report.stop)
        if findings.covered is not None:
            report.covered = findings.covered()
        self._qualify(kept)
        # If there was nothing to test, "all" would be a strange word.
        if report.examples + report.discarded == report.given:
            report.empty, report.exhaustive = report.exhaustive, False
        if findings.figures is not None:
            report.figures = findings.figures()
        if findings.valid is not None and report.exhaustive:
            report.figures["valid_inputs"] = findings.valid()
        report.warnings += findings.warnings
        report.conditions = conditions().concluded(space, report.figures)
        if not report.exhaustive and not is_part:
            with suppress(OutOfTime), until(self.timetable.end(CHECKED)):
                self._look_for_labels()

    def _count_labels(self) -> list[Case]:
        """If random tests did not decide how often a label comes up, and there are few enough values, test
        all of them."""
        report, labels = self.report, self.labels
        undecided = labels.wants_more() or (labels.drawn and not all(labels.hits.values()))
        if not undecided or self.failures or report.problem or self.options.max_seconds or self.space.steps:
            return []
        if not self.space.fits(GROWTH * self.options.planned):
            return []
        # The inputs tested so far come again.
        report.examples, report.discarded, self.test.rejected = self._before_exploring, 0, 0
        report.events.clear()
        labels.begin()
        budget = RunBudget(self.options, Exhaustive(), self.timetable, repeatable=True)
        budget.target, budget.counted = sys.maxsize, False  # to the end
        return self._loop(Exhaustive(), budget)

    def _look_for_labels(self) -> None:
        """Search for inputs with a label that never came up."""
        for label in [label for label, hits in self.labels.hits.items() if not hits]:
            if self.failures or self.space.steps is not None:
                return
            for case in candidates(self.prop, label, self.report.seed):
                assert case.args is not None
                shown = call(
                    self.report.name.rsplit(".", 1)[-1], dict(zip(self.prop.gens, case.args)), parts=30
                )
                look()
                outcome = self.test.execute(case.args)
                if outcome.status is Status.failed:
                    self.book.count(case, outcome)
                if outcome.labels.get(label) and outcome.status is not Status.discarded:
                    self.labels.found[label] = shown
                    break

    def _loop(self, explorer: Explorer, budget: RunBudget) -> list[Case]:
        """Explore until the budget is used up or nothing is left; returns a sample of the cases."""
        if self.options.executor is not None:
            from everycase.run.parallel import Spread

            explorer = Spread(explorer, self.prop, self.options, self.failures, self.labels, budget)
        loop = Loop(
            explorer, self.space, self.test, self.book, self.options, budget, self.progress, self._state
        )
        loop.run()
        self._discarded = loop.kept_discards
        return loop.kept

    def _time_to_doubt(self) -> float:
        """How many seconds to look for reasons to withhold a claim. What a default run says in passing, that it covered
        all values up to a size, may not take longer than the run."""
        most = min(SECONDS, self.timetable.left(CHECKED))
        if self.report.exhaustive or not isinstance(self.explorer, Auto):
            return most
        return min(most, max(0.02, 0.5 * (time.perf_counter() - self.timetable.started)))

    def _qualify(self, kept: list[Case]) -> None:
        """Do not claim "exhaustive" if there is any doubt, and say what else the number of tests does not
        show."""
        report, space, findings = self.report, self.space, self.space.findings
        if report.exhaustive or report.covered:
            reason = (
                findings.doubts[0]
                if findings.doubts
                else self._doubt_steps()
                if steps_of(space) is not None
                else doubt(
                    space.gen,
                    space.preconditions,
                    kept,
                    self.prop.guarded,
                    self.options.max_seconds,
                    self._claim(),
                    self._time_to_doubt(),
                    None if self._state is None else self._state.changed(),
                    space.leading_read,
                )
            )
            if reason is None and report.exhaustive and self._assumes_otherwise():
                reason = OTHER_ASSUMPTION
            if reason is not None:
                self._withhold(reason)
                return
        if report.exhaustive:
            return
        if self.explorer.wants_all:
            report.doubt = report.covered
            report.caveat = f"not exhaustive ({report.doubt})" if report.doubt else "not exhaustive"
        elif findings.caveat is not None:
            report.caveat = findings.caveat()

    def _withhold(self, reason: str) -> None:
        """Do not claim "exhaustive"."""
        report = self.report
        report.exhaustive, report.covered, report.doubt = False, "", reason
        report.caveat = f"not exhaustive ({reason})"

    def _doubt_steps(self) -> str | None:
        """A reason to doubt that every sequence of steps was taken."""
        again = self.space.findings.again
        steps = steps_of(self.space)
        discarded = self.report.discarded > self.report.given
        deciding = any(functions_of_steps(steps)) or any(functions_of_results(steps))
        if again is None or not (discarded or deciding):
            return None  # nothing decides which steps there are

        def execute(case: Case) -> Outcome:
            assert case.args is not None
            outcome = self.test.execute(case.args)
            if outcome.status is Status.failed:
                self.book.count(case, outcome)
            return outcome

        changed = None if self._state is None else self._state.changed()
        seconds = min(SECONDS, 0.1 * (self.options.max_seconds or math.inf), self.timetable.left(CHECKED))
        return doubt_steps(steps, again, execute, changed, seconds)

    def _state_read(self) -> StateRead | None:
        """What the generators and preconditions read from outside, if the explorer may claim that it tested
        everything."""
        if type(self.explorer) is Random or isinstance(self.explorer, TargetedSearch):
            return None
        checks = [check for check, _ in self.space.preconditions]
        functions = [*checks, *functions_of(self.space.gen)]
        if isinstance(self.explorer, Exhaustive) and steps_of(self.space) is not None:
            functions += functions_of_steps(steps_of(self.space))
        constants = constants_of(self.space.gen)
        return StateRead(functions, constants) if functions or constants else None

    def _claim(self) -> Claim | None:
        """What is said of all inputs, if anything is."""
        part = part_of(self.explorer)
        if part is not None:  # the last part has tested only its own
            return None if part.total is None else Claim(0, part.total)
        report, size = self.report, self.space.findings.complete_to()
        tests = report.examples - self._before_exploring
        # What a precondition rejected has to be rejected again.
        discarded = report.discarded - (report.given - self._before_exploring) - self.test.rejected
        if not self.prop.guarded and self.space.preconditions:
            # A search for an input that satisfies them: if it found none, there is none.
            tests = discarded = 0
            if self.failures:
                return None
        if self.space.leading_read:
            # Inputs that do not satisfy these may have been tested too, by way of a test that returned early.
            tests, discarded = 0, tests + discarded
        if report.exhaustive:
            return Claim(tests, discarded)
        return None if size is None else Claim(tests, discarded, size)

    def _assumes_otherwise(self) -> bool:
        """Whether the test does not discard an input that it discarded before, or may not: it reads a clock,
        for example. It may fail on it."""
        if self.options.executor is not None or steps_of(self.space) is not None:
            return False
        otherwise = bool(self._discarded) and outside_of([self.prop.function]) is not None
        seconds = min(SECONDS, 0.1 * (self.options.max_seconds or math.inf), self.timetable.left(CHECKED))
        end = time.perf_counter() + seconds
        # All of them once, because they may fail, and few of them several times.
        often = max(1, REPEATS // max(1, len(self._discarded)))
        for number, case in enumerate(self._discarded * often):
            if time.perf_counter() > end or (otherwise and number >= len(self._discarded)):
                break
            try:
                if case.trace is None:
                    continue
                again = Case(replay(self.prop.gen, case.trace).value, case.trace)
            except REFUSALS:
                continue
            assert again.args is not None
            outcome = self.test.execute(again.args)
            if outcome.status is not Status.discarded:
                self.book.count(again, outcome)
                otherwise = True
        return otherwise

    def _out_of_time(self) -> Stop:
        return Stop(Stopped.max_seconds, {"limit": self.options.max_seconds})

    def _conclude(self) -> None:
        report = self.report
        self.failures.confirm_and_shrink(self.timetable.end_of_shrinking(), self.timetable.end(SHOWN))
        if report.failures:
            flaky = all(failure.flaky for failure in report.failures)
            report.status = ReportStatus.flaky if flaky else ReportStatus.failed
            return
        if report.problem is None:
            report.problem = verdict_on_discards(report, self.options)
        if report.problem is not None or not report.examples:
            report.status = ReportStatus.gave_up


def _is_complete(stop: Stop | None) -> bool:
    return stop is not None and stop.reason is Stopped.nothing_left


def _seed(prop: Property, options: Resolved, inside: bool) -> int:
    if options.seed is not None:
        return options.seed
    if options.derandomize or inside:
        return int.from_bytes(hashlib.sha256(prop.name.encode()).digest()[:4])
    return int.from_bytes(os.urandom(4))


def _store(prop: Property, options: Resolved, inside: bool) -> Store:
    """The store for the failures of this property; none if no later run could recognise the property."""
    if inside or "<lambda>" in prop.name:
        return open_store(None if options.database is ... else options.database)
    code = getattr(prop.function, "__code__", None)
    near = None if code is None else code.co_filename
    return open_store(options.database, near=near, root=current_host().directory)


def _explicit_arguments(names: list[str], args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
    if len(args) + len(kwargs) != len(names) or not set(kwargs) <= set(names):
        raise InvalidArgument(
            f"@example gives {len(args) + len(kwargs)} values, but the generated arguments are ({', '.join(names)})"
        )
    free = [name for name in names if name not in kwargs]
    values = {**dict(zip(free, args)), **kwargs}
    return tuple(values[name] for name in names)


def _copied(args: tuple[Any, ...]) -> tuple[Any, ...]:
    """A copy of the arguments of an explicit example, if they can be copied."""
    try:
        return deepcopy(args)
    except Exception:
        return args
