"""The runner: takes cases from an explorer, runs the test on them, and makes what fails small and reportable."""

from __future__ import annotations

import hashlib
import os
import sys
import time
from collections.abc import Callable, Generator, MutableMapping
from contextlib import suppress
from copy import deepcopy
from typing import Any

from everycase.choices.enact import replay
from everycase.choices.trace import Trace
from everycase.errors import (
    CannotReproduce,
    Discarded,
    DoesNotFit,
    EverycaseError,
    HealthCheckFailed,
    InvalidArgument,
)
from everycase.explore import Auto, Case, Outcome, Space
from everycase.explore.base import DISCARDED, PASSED, SEARCHING
from everycase.run.context import Scope, enter, leave, nested
from everycase.run.frames import origin, trim
from everycase.run.health import WATCHED, Health, verdict_on_discards
from everycase.run.host import current_host
from everycase.run.judging import check_deadline, check_result, is_failure
from everycase.run.property import Property
from everycase.run.report import Failure, Report
from everycase.run.settings import Phase, Resolved, Verbosity, settings
from everycase.run.settling import Found, Settling
from everycase.run.store import Store, open_store
from everycase.run.surroundings import surroundings_of

#: How many discarded cases a run tolerates for each valid one it was asked for.
DISCARDS_PER_EXAMPLE = 10

#: Said of a utility that no test reported.
TOO_EARLY = (
    "maximize or minimize was called between two tests (in a generator, a filter, or a thread that outlived its test), "
    "where it has no effect; call it in the test"
)

#: Called after each test with the report as it stands, for progress displays.
Progress = Callable[[Report], None]


def run_or_raise(
    prop: Property, given: MutableMapping[str, Any], call: Callable[..., Any] | None = None
) -> None:
    """Run a decorated test: return if it passes, raise what a person should see if it does not.

    ``given`` are the arguments that are not generated, by name. ``call`` runs the test once, on the generated
    arguments; it is made from ``given`` if left out.
    """
    __tracebackhide__ = True
    from everycase.run.render import conclude

    host = current_host()
    around = surroundings_of(prop, given)
    try:
        if around is None:
            report = run(prop, call or prop.caller(given), prop.spec.settings)
        else:
            call = around.around(call or prop.caller(given, renewed=True))
            try:
                report = run(prop, call, prop.spec.settings, prepare=around.prepare)
            finally:
                around.leave()
    except EverycaseError as problem:
        raise trim(problem)  # noqa: B904 (it is the same one)
    report.fixed = {name: value for name, value in given.items() if name != "self"}
    host.learn(prop, report)
    conclude(report, prop.function)


def run(
    prop: Property,
    call: Callable[..., Any],
    chosen: settings | None = None,
    progress: Progress | None = None,
    prepare: Callable[[], None] | None = None,
) -> Report:
    """Run a property. ``call`` runs the test once, on the generated arguments; ``prepare`` comes before each call,
    outside of its deadline, and an exception that it raises ends the run."""
    options = (chosen or settings()).resolve()
    runner = Runner(prop, call, options, progress, prepare)
    token = enter(runner.scope)
    try:
        return runner.run()
    finally:
        leave(token)


class Runner:
    """One run: owns all of its state."""

    def __init__(
        self,
        prop: Property,
        call: Callable[..., Any],
        options: Resolved,
        progress: Progress | None = None,
        prepare: Callable[[], None] | None = None,
    ) -> None:
        self.prop = prop
        self.call = call
        self.options = options
        self.progress = progress
        self.prepare = prepare
        self.key = current_host().key(prop)
        # A run inside another run's test must do the same whenever that test is repeated.
        inside = nested()
        self.scope = Scope()
        self.explorer = options.explore or Auto()
        seed = _seed(prop, options, inside)
        self.report = Report(
            prop.name,
            "passed",
            seed,
            repr(self.explorer),
            shows_blob=options.print_blob,
            quiet=options.verbosity is Verbosity.quiet,
        )
        self.space = Space(
            prop.gen,
            seed,
            options.max_examples,
            record=options.statistics,
            limited=options.limited,
            preconditions=prop.checks(),
        )
        self.store = _store(prop, options, inside)
        self.found: dict[tuple[str, str, int], Found] = {}
        #: where the cases of the present phase come from
        self.source = "explored"

    def run(self) -> Report:
        started = time.perf_counter()
        report, phases = self.report, self.options.phases
        try:
            if self.prop.spec.blobs:
                self._reproduce()
            else:
                if Phase.explicit in phases:
                    self._explicit()
                if Phase.reuse in phases and not self.found:
                    self._reuse()
                if Phase.explore in phases and not self.found:
                    self._explore()
        except HealthCheckFailed as problem:
            report.problem = problem
        self._conclude()
        report.seconds = time.perf_counter() - started
        return report

    # --- one test ---------------------------------------------------------------------------------------

    def execute(self, args: tuple[Any, ...]) -> Outcome:
        """Run the test once."""
        scope = self.scope
        if scope.touched:
            self._spoken_too_early()
        if self.prepare is not None:
            self.prepare()
        deadline = self.options.deadline
        started = time.perf_counter() if deadline is not None else 0.0
        status, error = "passed", None
        try:
            result = self.call(*args)
            if deadline is not None:
                check_deadline(started, deadline)
            if result is not None and result is not True:
                check_result(result, self.prop)
        except Discarded:
            status = "discarded"
        except BaseException as problem:
            if not is_failure(problem):
                raise
            status, error = "failed", problem
        if not scope.touched:
            if status == "passed":
                return PASSED
            if status == "discarded":
                return DISCARDED
        outcome = Outcome(
            status,
            error,
            scope.utilities,  # the scope takes new ones for the next test
            tuple(scope.events) if scope.events else (),
            tuple(scope.notes) if scope.notes else (),
            scope.reset_requested,
        )
        scope.clear()
        return outcome

    def _spoken_too_early(self) -> None:
        """What was said between two tests belongs to neither."""
        if self.scope.utilities and TOO_EARLY not in self.report.warnings:
            self.report.warnings.append(TOO_EARLY)
        self.scope.clear()

    def _count(self, case: Case, outcome: Outcome) -> None:
        """Book one test case."""
        report = self.report
        if outcome.status == "discarded":
            report.discarded += 1
        else:
            report.examples += 1
        if outcome.utilities:
            for label, utility in outcome.utilities.items():
                sign = self.scope.signs[label]
                best = report.best.get(label)
                if best is None or utility > sign * best:
                    report.best[label] = sign * utility
                    report.trajectory.append((report.examples + report.discarded, label, sign * utility))
        if outcome.events and outcome.status != "discarded":
            report.events.update(outcome.events)
        if outcome.status == "failed" and outcome.error is not None:
            self._check_arguments(case)
            key = origin(outcome.error)
            if key not in self.found:
                self.found[key] = Found(case, outcome, report.examples, self.source)
                self._keep(case)

    def _check_arguments(self, case: Case) -> None:
        """A case that an explorer made wrongly fails every test: looked at only then, so that others pay nothing."""
        names, args = list(self.prop.gens), case.args
        if not isinstance(args, tuple) or len(args) != len(names):
            raise InvalidArgument(
                f"the explorer {self.explorer!r} must give a case a tuple of {len(names)} arguments "
                f"({', '.join(names)}), and it gave {args!r}"
            )

    def _keep(self, case: Case) -> None:
        """Remember a failure the moment it is seen: whatever happens from here on, the next run begins with it."""
        with suppress(
            Exception
        ):  # a value that cannot be recorded cannot be kept; it is reported all the same
            if case.trace is not None:
                self.store.save(self.key, case.trace.to_blob())

    # --- phases -----------------------------------------------------------------------------------------

    def _explicit(self) -> None:
        names = list(self.prop.gens)
        self.source = "example"
        for args, kwargs in self.prop.spec.examples:
            case = Case(_explicit_arguments(names, args, kwargs), None)
            assert case.args is not None
            # The test gets a copy, so that what is shown (and given next time) is what the decorator says.
            self._count(case, self.execute(_copied(case.args)))
            if self.found:
                self.report.stopped = "an explicit example failed"
                return

    def _reuse(self) -> None:
        self.source = "remembered"
        for blob in self.store.fetch(self.key):
            try:
                trace = replay(self.prop.gen, Trace.from_blob(blob))
            except Exception:
                self.store.delete(self.key, blob)  # the generator has changed since
                continue
            case = Case(trace.value, trace)
            outcome = self.execute(trace.value)
            self._count(case, outcome)
            if outcome.status != "failed":
                self.store.delete(self.key, blob)
        if self.found:
            self.report.stopped = "a failure remembered from an earlier run failed again"

    def _reproduce(self) -> None:
        self.source = "blob"
        for blob in self.prop.spec.blobs:
            try:
                trace = replay(self.prop.gen, Trace.from_blob(blob))
            except (DoesNotFit, Discarded):
                raise CannotReproduce(
                    "the blob does not fit the generators of this test any more; they have changed since it was "
                    "printed"
                ) from None
            self._count(Case(trace.value, trace), self.execute(trace.value))
        self.report.stopped = "only the given blob was run"
        if not self.found:
            raise CannotReproduce(
                "the input of the blob does not fail any more; remove @reproduce(...), which keeps the test from "
                "trying anything else"
            )

    def _explore(self) -> None:
        """The main loop. Everything in it costs every test, so it does little."""
        self.source = "explored"
        report, options = self.report, self.options
        verbose, statistics = options.verbosity is Verbosity.verbose, options.statistics
        # CPU time tells how slow the making of inputs is, however many processes share the machine.
        clock, work = time.perf_counter, time.process_time
        end = None if options.max_seconds is None else clock() + options.max_seconds
        target = options.max_examples
        discards = DISCARDS_PER_EXAMPLE * options.max_examples
        health: Health | None = Health(options)
        explorer = self.explorer
        if options.executor is not None:
            from everycase.run.shards import explore_in_pieces

            explorer = explore_in_pieces(self)
        search = explorer.explore(self.space)
        if not isinstance(search, Generator):
            raise InvalidArgument(
                f"explore of {self.explorer!r} must be a generator function, which yields cases; it returned {search!r}"
            )
        execute, count, progress = self.execute, self._count, self.progress
        outcome: Any = None
        report.stopped = f"the budget of {target:,} tests was used up"
        while report.examples < target:
            started = clock() if end is not None else 0.0
            idle = work() if health is not None else 0.0
            try:
                case = search.send(outcome)
            except StopIteration:
                report.stopped = self.space.stopped or "there was nothing left to test"
                break
            except EverycaseError:
                raise  # a generator or an explorer that is used wrongly
            except Exception as problem:
                self._generator_failed(problem)
                break
            if outcome is None and not self.found:  # an explorer with a plan may have raised its budget
                target = self.space.budget
                report.stopped = f"the budget of {target:,} tests was used up"
            if not isinstance(case, Case):
                raise InvalidArgument(f"the explorer {self.explorer!r} must yield cases, not {case!r}")
            if case is SEARCHING:
                outcome = None
                if end is not None and started > end:
                    report.stopped = f"max_seconds={options.max_seconds:g} was reached"
                    break
                continue
            if health is not None:
                health.watch(case, work() - idle, report.examples)
                if report.examples + report.discarded >= WATCHED:
                    health = None
            args = case.args
            outcome = DISCARDED if args is None else execute(args)
            if statistics and case.trace is not None:
                report.sizes[case.trace.count_choices()] += 1
            if outcome is PASSED:
                report.examples += 1
            else:
                count(case, outcome)
                # What is discarded still guides a search, which may need many of them.
                if report.discarded >= (10 * discards if report.best else discards):
                    report.stopped = f"{report.discarded:,} inputs were discarded"
                    break
                if outcome.status == "failed" and len(self.found) == 1 and report.failed_at is None:
                    # Look a little further for other failures, but no longer than it took to find this one.
                    target = min(target, report.examples + max(10, min(report.examples, 200)))
                    report.stopped = "a failure was found"
            if verbose:
                print(f"{self.prop.name}: {outcome.status}: {args!r}", file=sys.stderr)
            if progress is not None:
                progress(report)
            if end is not None and started > end:
                report.stopped = f"max_seconds={options.max_seconds:g} was reached"
                break
        else:
            # The budget may have ended with the very last value.
            try:
                search.send(outcome)
            except StopIteration:
                report.stopped = "there was nothing left to test"
        search.close()
        report.too_deep = self.space.too_deep
        report.exhaustive = self.space.exhausted and report.stopped == "there was nothing left to test"
        if self.space.covered is not None:
            report.covered = self.space.covered()
        if self.space.figures is not None:
            report.figures = self.space.figures()
        report.warnings += self.space.warnings

    def _generator_failed(self, problem: Exception) -> None:
        """A generator raised while it made an input: a failure like any other, but without an input to show."""
        self.report.stopped = "the generator raised an exception"
        self.report.failures.append(
            Failure(
                error=trim(problem),
                arguments={},
                failed_at=self.report.examples + 1,
                origin=origin(problem),
                source="generator",
            )
        )

    # --- failures ---------------------------------------------------------------------------------------

    def _conclude(self) -> None:
        report = self.report
        settling = Settling(self)
        pending = list(self.found)
        done: set[tuple[str, str, int]] = set()
        interrupted = False
        while pending:
            key = pending.pop(0)
            done.add(key)
            failure = settling.settle(key, self.found[key], shrinking=not interrupted)
            interrupted = interrupted or failure.shrink_reason == "interrupted"
            report.failures.append(failure)
            # Shrinking one failure may run into others.
            pending += [other for other in self.found if other not in done and other not in pending]
        if report.failures:
            report.status = "flaky" if all(failure.flaky for failure in report.failures) else "failed"
            return
        if report.problem is None:
            report.problem = verdict_on_discards(report, self.options)
        if report.problem is not None:
            report.status = "gave_up"


def _seed(prop: Property, options: Resolved, inside: bool) -> int:
    if options.seed is not None:
        return options.seed
    if options.derandomize or inside:
        return int.from_bytes(hashlib.sha256(prop.name.encode()).digest()[:4])
    return int.from_bytes(os.urandom(4))


def _store(prop: Property, options: Resolved, inside: bool) -> Store:
    """Where this property's failures are kept: nowhere if no later run could know that it is the same one."""
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
    """A copy of the arguments of an explicit example, where they can be copied."""
    try:
        return deepcopy(args)
    except Exception:
        return args
