"""The second verdict: does a generator make only valid values?

A violation is searched in small worlds, among the values that the real generator makes when it is run, and by
the solver. It counts only if the real generator was seen to make the value and the user's own predicate
rejected it.
"""

from __future__ import annotations

import contextlib
import itertools

from everycase.complete.clock import Clock, TimeIsUp
from everycase.complete.examination import Examination
from everycase.complete.language.evaluate import Evaluator
from everycase.complete.language.types import Value
from everycase.complete.search.differential import Differential
from everycase.complete.search.promise import Case, native_case, natively_valid
from everycase.complete.search.worlds import Level, levels
from everycase.complete.verdict import Verdict, shown_case
from everycase.errors import MissingExtra

#: The share of the remaining time for searching small worlds.
SHARE = 0.3
#: The share of the remaining time for running the generator and confirming what was found.
RUN_SHARE = 0.5


class Soundness:
    """The search for an invalid value that one generator makes, and for a proof that there is none."""

    def __init__(self, exam: Examination, verdict: Verdict) -> None:
        self.exam, self.verdict = exam, verdict
        self.generator = exam.generator
        self.suspect: Case | None = None

    def look(self) -> None:
        """Search small worlds for a value that the translation makes and the predicate rejects."""
        with contextlib.suppress(TimeIsUp), self.generator.program.limited(SHARE):
            self.suspect = self.exam.unsound()
            self.verdict.validated = True

    def decide(self) -> None:
        """Give the verdict, after the translation was compared with the generator itself."""
        with self.generator.program.limited(RUN_SHARE) as clock:
            bad = self._suspected(clock) or self._seen(clock)
        if bad is None and self.exam.prove and self.suspect is None:
            try:
                self.verdict.sound = self._proved()
            except MissingExtra:  # without a solver: the other notes say so
                return
            if not self.verdict.sound:
                with self.generator.program.limited(RUN_SHARE) as clock:
                    bad = self._solved(clock)
        if bad is not None:
            self.verdict.unsound = native_case(self.generator, bad)
        elif self.suspect is not None:
            shown = shown_case(*native_case(self.generator, self.suspect))
            self.verdict.notes.append(
                f"it may make {shown}, which is not valid; running it did not confirm this"
            )

    def _proved(self) -> bool:
        assert self.exam.last is not None
        self.exam.have_prover(self.exam.last.level.world)
        return self.exam.facts().get(self.generator) == self.generator.covers

    # --- what running shows -----------------------------------------------------------------------------

    def _suspected(self, clock: Clock) -> Case | None:
        case = self.suspect
        return case if case is not None and self._made(case, clock) else None

    def _seen(self, clock: Clock) -> Case | None:
        """An invalid value among those that come up when the generator is run with small and with large
        numbers."""
        level = self._level
        if level is None:
            return None
        for case in Differential(self.generator, level, clock).seen():
            if not natively_valid(self.generator, case, made=True):
                return case
        return None

    def _made(self, case: Case, clock: Clock, numbers: tuple[Value, ...] = ()) -> bool:
        """Does the real generator make this value?"""
        level = self._level
        return level is not None and Differential(self.generator, level, clock).makes(
            case[:-1], case[-1], numbers
        )

    @property
    def _level(self) -> Level | None:
        """The widest small world that has allowed arguments."""
        found = [
            lv for lv in itertools.islice(levels(self.generator, self.exam.evaluator), 2) if lv.arguments
        ]
        return found[-1] if found else None

    # --- what the solver says ---------------------------------------------------------------------------

    def _solved(self, clock: Clock) -> Case | None:
        """A violation that the solver proposes (it may need large numbers), confirmed by running."""
        prover = self.exam.prover
        assert prover is not None
        for path in self.generator.paths:
            if path.result is None:
                continue
            found = prover.unsound_case(self.generator, path)
            if found is None:
                continue
            args, drawn = found
            values = [value for _, value in drawn]
            wanted = (*self.generator.params, *(d.variable for d in path.draws))
            try:
                made = Evaluator().compile(wanted, path.result)(*args, *values)
            except (IndexError, TypeError, RecursionError):
                continue  # user code that has no answer here
            case = (*args, made)
            if not natively_valid(self.generator, case) and self._made(case, clock, tuple(values)):
                return case
        return None
