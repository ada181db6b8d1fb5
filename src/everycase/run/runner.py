"""The runner: takes cases from an explorer, runs the test on them, and makes what fails small and reportable."""

from __future__ import annotations

import functools
import hashlib
import os
import time
from collections.abc import Callable, Mapping, MutableMapping
from contextlib import nullcontext, suppress
from copy import deepcopy
from typing import Any

from everycase.choices.enact import replay
from everycase.choices.trace import Trace
from everycase.errors import (
    CannotReproduce,
    Discarded,
    DoesNotFit,
    EverycaseError,
    Flaky,
    GeneratorError,
    HealthCheckFailed,
    InvalidArgument,
)
from everycase.explore import Auto, Case, Outcome, Space
from everycase.explore.protocol import DISCARDED, PASSED
from everycase.gen.predicate_errors import BEGINNING
from everycase.gen.sharing import forget_shared
from everycase.gen.surrounding import tested_on
from everycase.run.best import BestInputs
from everycase.run.conditions import Conditions
from everycase.run.context import Scope, enter, leave, nested
from everycase.run.failures import MOST_FOUND, Found, Settling
from everycase.run.fixtures import Surroundings, surroundings_of
from everycase.run.frames import origin, trim
from everycase.run.health import verdict_on_discards
from everycase.run.host import current_host
from everycase.run.loop import NOTHING_LEFT, Loop
from everycase.run.outcome import check_deadline, check_result, is_discard, is_failure
from everycase.run.property import Property
from everycase.run.repeatability import OTHER_VALUE, doubt
from everycase.run.report import Failure, Report
from everycase.run.settings import Phase, Resolved, Verbosity, settings
from everycase.run.store import Store, open_store

#: How long making remembered inputs again may take in all, in seconds; how many are tried that other versions of the test
#: left; and how large (in bytes) the record of one may be.
REUSE_SECONDS = 0.3
MOST_OTHERS = 10
MOST_REUSED = 200_000

#: How many distinct failures are confirmed and shrunk, and how long that takes at most in all, in seconds.
MOST_SETTLED = 10
SETTLE_SECONDS = 60.0
#: The share of ``max_seconds`` that settling gets when exploring has used all of it up.
SETTLE_SHARE = 0.4

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
    with tested_on(given["self"]) if "self" in given else nullcontext():
        report = _run_within(prop, given, call, around)
    report.fixed = {name: value for name, value in given.items() if name != "self"}
    host.learn(prop, report)
    conclude(report, prop.function)


def _run_within(
    prop: Property,
    given: MutableMapping[str, Any],
    call: Callable[..., Any] | None,
    around: Surroundings | None,
) -> Report:
    """Run a decorated test in its surroundings."""
    __tracebackhide__ = True
    try:
        if around is None:
            report = run(prop, call or prop.caller(given), prop.spec.settings, given=given)
        else:
            call = around.around(call or prop.caller(given, renewed=True))
            try:
                report = run(prop, call, prop.spec.settings, prepare=around.prepare, given=given)
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
) -> Report:
    """Run a property. ``call`` runs the test once, on the generated arguments; ``prepare`` comes before each call,
    outside of its deadline, and an exception that it raises ends the run. ``given`` are the arguments that are not
    generated, which tell whose failures these are."""
    options = (chosen or settings()).resolve()
    runner = Runner(prop, call, options, progress, prepare, given)
    token = enter(runner.scope)
    try:
        return runner.run()
    finally:
        forget_shared()
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
        given: Mapping[str, Any] | None = None,
    ) -> None:
        self.prop = prop = prop.begin(options)
        self.call = call
        self.options = options
        self.progress = progress
        self.prepare = prepare
        self.key = current_host().key(prop, given or {})
        # A run inside another run's test must do the same whenever that test is repeated.
        inside = nested()
        self.scope = Scope()
        self.explorer = options.explore or Auto()
        seed = _seed(prop, options, inside)
        #: whether a run with these settings is to come out the same every time
        self.repeatable = options.seed is not None or options.derandomize or inside
        self.report = Report(
            prop.name,
            "passed",
            seed,
            repr(self.explorer),
            shows_blob=options.print_blob,
            quiet=options.verbosity is Verbosity.quiet,
        )
        try:
            self.space = Space(
                prop.gen,
                seed,
                options.planned,
                record=options.statistics,
                limited=options.limited,
                preconditions=prop.checks(),
            )
        except RecursionError:
            raise GeneratorError(
                f"the generators of {prop.name} are nested too deeply to be used: one inside the other, further than Python "
                "calls functions. Write the nesting as a recursion, with gen.deferred or gen.recursive"
            ) from None
        self.store = _store(prop, options, inside)
        if options.goals and Phase.target in options.phases:
            self.space.use_goals = self._use_goals
        self.best = BestInputs()
        self.found: dict[tuple[str, str, int], Found] = {}
        self.started = time.perf_counter()
        #: whether somebody wants the run to end
        self.interrupted = False
        #: the place and words of a failure that a worker saw, and why the run must not go on after the workers
        self.seen_elsewhere: tuple[int, str] | None = None
        self.stop_at_once: str | None = None
        #: where the cases of the present phase come from
        self.source = "explored"

    def run(self) -> Report:
        started = self.started = time.perf_counter()
        report, phases = self.report, self.options.phases
        try:
            if self.prop.spec.blobs:
                self._reproduce()
            else:
                if Phase.explicit in phases:
                    self._explicit()
                if Phase.reuse in phases and not self.found:
                    self._reuse()
                report.given = report.examples + report.discarded
                if Phase.explore in phases and not self.found:
                    self._explore()
        except HealthCheckFailed as problem:
            report.problem = problem
        except KeyboardInterrupt:
            if not self.found:
                raise
            self.interrupted = True
            report.stopped = "the run was interrupted"
        self.best.conclude(self.prop.gen, self.scope.signs, report)
        try:
            self._conclude()
        except KeyboardInterrupt:
            if not self.found:
                raise
            self.interrupted = True
            self._conclude()  # once more, for what is left, and without shrinking
        self.prop.finish(report, self.options)
        if report.problem is not None and not report.failures:
            report.status = "gave_up"
        report.seconds = time.perf_counter() - started
        return report

    # --- one test ---------------------------------------------------------------------------------------

    def execute(self, args: tuple[Any, ...]) -> Outcome:
        """Run the test once."""
        scope = self.scope
        if scope.touched:
            self.spoken_too_early()
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
            if is_discard(problem):
                status = "discarded"
            else:
                status, error = "failed", problem
        return self.outcome(status, error)

    def outcome(self, status: str, error: BaseException | None = None) -> Outcome:
        """What became of a test, with all that it said."""
        scope = self.scope
        if not scope.touched:
            if status == "passed":
                return PASSED
            if status == "discarded":
                return DISCARDED
        guessed = bool(scope.guessed) and not scope.utilities
        outcome = Outcome(
            status,
            error,
            scope.guessed if guessed else scope.utilities,  # the scope takes new ones for the next test
            tuple(scope.events) if scope.events else (),
            tuple(scope.notes) if scope.notes else (),
            scope.reset_requested,
            guessed,
        )
        scope.clear()
        return outcome

    def spoken_too_early(self) -> None:
        """What was said between two tests belongs to neither."""
        if self.scope.utilities and TOO_EARLY not in self.report.warnings:
            self.report.warnings.append(TOO_EARLY)
        self.scope.clear()

    def count(self, case: Case, outcome: Outcome) -> None:
        """Book one test case."""
        report = self.report
        if outcome.status == "discarded":
            report.discarded += 1
        else:
            report.examples += 1
        if outcome.utilities and not outcome.guessed:
            self._measure(case, outcome)
        if outcome.events and outcome.status != "discarded":
            report.events.update(outcome.events)
        if outcome.status == "failed" and outcome.error is not None:
            self._check_arguments(case)
            key = origin(outcome.error)
            if key not in self.found and len(self.found) < MOST_FOUND:
                self.found[key] = Found(case, outcome, report.examples, self.source)
                self.keep(case)

    def _use_goals(self, on: bool) -> None:
        self.scope.wants_goals = on

    def _measure(self, case: Case, outcome: Outcome) -> None:
        """Book what a test reported with ``maximize`` and ``minimize``."""
        report, signs = self.report, self.scope.signs
        number, improved = report.examples + report.discarded, []
        for label, utility in outcome.utilities.items():
            sign = signs[label]
            best = report.best.get(label)
            if best is None or utility > sign * best:
                report.best[label] = sign * utility
                report.trajectory.append((number, label, sign * utility))
                improved.append(label)
        self.best.see(case, outcome, improved)
        if self.options.observe:
            said = {label: signs[label] * utility for label, utility in outcome.utilities.items()}
            report.utilities.append((number, said))

    def _check_arguments(self, case: Case) -> None:
        """A case that an explorer made wrongly fails every test: looked at only then, so that others pay nothing."""
        names, args = list(self.prop.gens), case.args
        if not isinstance(args, tuple) or len(args) != len(names):
            raise InvalidArgument(
                f"the explorer {self.explorer!r} must give a case a tuple of {len(names)} arguments "
                f"({', '.join(names)}), and it gave {args!r}"
            )

    def keep(self, case: Case) -> None:
        """Remember a failure the moment it is seen: whatever happens from here on, the next run begins with it."""
        with suppress(
            Exception
        ):  # a value that cannot be recorded cannot be kept; it is reported all the same
            if case.trace is not None and not case.trace.is_opaque:
                self.remember(case.trace.to_blob())

    def remember(self, blob: str) -> None:
        """Keep a failure for the next run, with a digest of what it is a failure of."""
        with suppress(Exception):  # a store of the user's own may raise, and must not decide how a test ends
            self.store.save(self.key, f"{self.prop.digest} {blob}")

    def forget(self, blob: str, digest: str | None = None) -> None:
        with suppress(Exception):
            self.store.delete(self.key, f"{digest or self.prop.digest} {blob}")

    # --- phases -----------------------------------------------------------------------------------------

    def _explicit(self) -> None:
        names = list(self.prop.gens)
        self.source = "example"
        for each in self.prop.spec.examples:
            case = Case(_explicit_arguments(names, each.args, each.kwargs), None)
            assert case.args is not None
            # The test gets a copy, so that what is shown (and given next time) is what the decorator says.
            self.count(case, each.judged(self.execute(_copied(case.args))))
            if self.found:
                self.report.stopped = "an explicit example failed"
                return

    def _reuse(self) -> None:
        """Run what failed before. One that passes now is forgotten; one that does not fit (of another branch, say), or that
        another version of this test left, is kept until there are too many."""
        self.source = "remembered"
        try:
            kept = [text for text in self.store.fetch(self.key) if isinstance(text, str)]
        except Exception:  # a store of the user's own
            return
        own = [text for text in kept if text.partition(" ")[0] == self.prop.digest]
        others = [text for text in kept if text not in set(own)]
        end = time.perf_counter() + REUSE_SECONDS
        for text in [*own, *others[:MOST_OTHERS]]:
            digest, _, blob = text.rpartition(" ")
            if time.perf_counter() > end:
                break
            try:
                trace = replay(self.prop.gen, Trace.from_blob(blob, MOST_REUSED))
            except Exception:
                continue
            started = time.perf_counter()
            case = Case(trace.value, trace)
            outcome = self.execute(trace.value)
            self.count(case, outcome)
            if outcome.status == "passed" and digest == self.prop.digest:
                self.forget(blob, digest)
            end += time.perf_counter() - started  # what the test takes does not count
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
            self.count(Case(trace.value, trace), self.execute(trace.value))
        self.report.stopped = "only the given blob was run"
        if not self.found:
            raise CannotReproduce(
                "the input of the blob does not fail any more; remove @reproduce(...), which keeps the test from "
                "trying anything else"
            )

    def _explore(self) -> None:
        self.source = "explored"
        report, space = self.report, self.space
        conditions = functools.cache(lambda: Conditions(self.prop))
        space.read_leading = lambda: conditions().guards()
        loop = Loop(self)
        try:
            loop.run()
        except DoesNotFit:
            report.problem = GeneratorError(f"{OTHER_VALUE}, so that this explorer cannot be used for it")
        self._use_goals(False)  # what was found is looked at by the test as it was written
        report.too_deep, report.endless = space.too_deep, space.endless
        report.exhaustive = space.exhausted and report.stopped == NOTHING_LEFT
        if space.covered is not None:
            report.covered = space.covered()
        self._qualify(loop.kept)
        if space.figures is not None:
            report.figures = space.figures()
        report.warnings += space.warnings
        report.conditions = conditions().concluded(space, report.figures)

    def _qualify(self, kept: list[Case]) -> None:
        """Withhold the word "exhaustive" on any doubt, and say what else the number of tests does not tell."""
        report, space = self.report, self.space
        if report.exhaustive or report.covered:
            reason = (
                space.doubts[0]
                if space.doubts
                else doubt(space.gen, space.preconditions, kept, self.prop.guarded, self.options.max_seconds)
                if space.steps is None  # whether the same steps lead to the same was seen on the way
                else None
            )
            if reason is not None:
                report.exhaustive, report.covered = False, ""
                report.caveat = f"not exhaustive ({reason})"
                return
        if report.exhaustive:
            return
        if self.explorer.wants_all:
            report.caveat = f"not exhaustive ({report.covered})" if report.covered else "not exhaustive"
        elif space.caveat is not None:
            report.caveat = space.caveat()

    def generator_failed(self, problem: Exception) -> None:
        """A generator raised while it made an input: a failure like any other, but without an input to show."""
        self.report.stopped = "the generator raised an exception"
        notes: list[str] = []
        with suppress(Exception):
            notes += [note for note in problem.__notes__ if str(note).startswith(BEGINNING)]
            problem.__notes__ = [note for note in problem.__notes__ if note not in notes]
        self.report.failures.append(
            Failure(
                error=trim(problem),
                arguments={},
                notes=tuple(notes),
                failed_at=self.report.examples + 1,
                origin=origin(problem),
                source="generator",
            )
        )

    # --- failures ---------------------------------------------------------------------------------------

    def _flaky_elsewhere(self, place: int, words: str) -> Failure:
        """A failure that a worker saw and this process did not."""
        self.report.exhaustive = False
        return Failure(
            error=Flaky(
                f"a worker of the executor failed at place {place:,} with {words}, and the same input passed here. The test "
                "depends on something besides its arguments: global state, time, or the process that it runs in"
            ),
            arguments={},
            failed_at=self.report.given + place + 1,
            origin=("everycase.errors.Flaky", "", 0),
            source="worker",
            flaky=True,
            shrink_reason="flaky, so not shrunk",
        )

    def _settle_seconds(self) -> float:
        """How long confirming and shrinking may take in all: with ``max_seconds``, what exploring has left of it, and a
        share of it at least."""
        limit = self.options.max_seconds
        if limit is None:
            return SETTLE_SECONDS
        return max(limit - (time.perf_counter() - self.started), SETTLE_SHARE * limit)

    def _conclude(self) -> None:
        report = self.report
        settling = Settling(self, self._settle_seconds())
        most = MOST_SETTLED if self.options.report_multiple_bugs else 1
        known = {each.origin for each in report.failures}
        pending = [key for key in self.found if key not in known]
        while pending and len(report.failures) < most:
            key = pending.pop(0)
            failure = settling.settle(key, self.found[key])
            report.failures.append(failure)
            # Shrinking one failure may run into others.
            settled = {each.origin for each in report.failures}
            pending = [other for other in self.found if other not in settled]
        if pending and self.options.report_multiple_bugs:
            report.warnings.append(
                f"{len(pending)} more distinct failures were seen; only the first {most} were looked into"
            )
        if self.seen_elsewhere is not None and not report.failures:
            report.failures.append(self._flaky_elsewhere(*self.seen_elsewhere))
        if report.failures:
            report.status = "flaky" if all(failure.flaky for failure in report.failures) else "failed"
            return
        if report.problem is None:
            report.problem = verdict_on_discards(report, self.options)
        if report.problem is not None or not report.examples:
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
