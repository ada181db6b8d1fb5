"""Examines a patch: finds out what is wrong with it, so that the next attempt can do better."""

from __future__ import annotations

import ast
import time
from dataclasses import dataclass

from everycase.complete.clock import Clock
from everycase.complete.examination import Examination
from everycase.complete.frontend.program import Generator
from everycase.complete.language.types import DataType
from everycase.complete.search.promise import Case, size_of_case
from everycase.complete.search.survey import EVALUATIONS
from everycase.complete.search.worlds import level_of_big_arguments, levels
from everycase.complete.synthesis.patch import Change, apply, reread
from everycase.complete.synthesis.places import Promised
from everycase.complete.synthesis.problem import Task


@dataclass
class PatchTrial:
    """A patch under examination: read back from its text, surveyed, and if that shows nothing, proved."""

    task: Task
    patched: Generator
    exam: Examination
    proved: bool = False
    still_missing: bool = False

    @staticmethod
    def of(task: Task, changes: list[Change], text: str) -> PatchTrial:
        new = apply(text, changes, task.model, task.names)
        seconds = max(0.0, task.deadline - time.monotonic())
        program = task.model.program.twin(Clock(seconds))
        patched = program.replace(task.model.native, reread(task.model.source, new))
        return PatchTrial(task, patched, Examination(patched, seconds, True, task.smt_out))

    def lessons(self, promised: Promised) -> tuple[list[Case], list[Case]]:
        """What the next attempt must do better: cases that are still missing, arguments that were not safe."""
        missing = self._missing()
        self.still_missing = bool(missing)
        unsafe = [] if missing else self._unsafe(promised)
        self.task.queries += self.exam.solver.queries if self.exam.solver else 0
        return missing, unsafe

    def sound(self) -> bool:
        """Is it proved that only valid values are made?"""
        assert self.exam.prover is not None
        members = self.patched.family()
        if not all(self.exam.prover.calls_allowed(g) for g in members):
            return False
        return self.exam.prover.facts(members)[self.patched] == self.patched.covers

    def _missing(self) -> list[Case]:
        for level in levels(self.patched, self.exam.evaluator):
            self.exam.last = self.exam.survey(level)
            if self.exam.last.unreached:
                return self._telling(self.exam.last.unreached)
            if level.number == 3:
                break
        proof = self.exam.proof()
        self.proved = proof.verdict == "proved"
        if proof.verdict == "unknown":
            last = level_of_big_arguments(self.patched, self.exam.evaluator)
            if last is not None:
                return self._telling(self.exam.survey(last, 2 * EVALUATIONS).unreached)
        return [proof.case] if proof.verdict == "refuted" else []

    def _telling(self, cases: list[Case]) -> list[Case]:
        """A few small cases; one per argument list is more informative than many with the same."""
        found = sorted(cases, key=lambda c: size_of_case(self.patched, c))
        different = {c[:-1]: c for c in reversed(found)}
        return list(dict.fromkeys([*found[:2], *list(reversed(different.values()))[:3]]))

    def _unsafe(self, promised: Promised) -> list[Case]:
        """Arguments for which a new path makes something invalid; the values drawn join the universe."""
        assert self.exam.prover is not None
        found: list[Case] = []
        old = {ast.unparse(p.node) for p in self.task.model.paths}
        for path in self.patched.paths:
            if path.result is not None and ast.unparse(path.node) not in old:
                bad = self.exam.prover.unsound_case(self.patched, path)
                if bad is not None:
                    found.append(bad[0])
                    # the patch was read again and has its own types; the search continues with those of the
                    # model
                    own = {kind.name: kind for kind in self.task.kit.types()}
                    for kind, value in bad[1]:
                        if isinstance(kind, DataType) and kind.name in own:
                            promised.add(own[kind.name], value)
        if not found:
            case = self.exam.unsound()
            if case is not None and not self._was_unsound():
                found.append(case[:-1])
                promised.add(self.task.model.result, case[-1])
        return found

    def _was_unsound(self) -> bool:
        """Did the generator make invalid values before? Then this is not the patch's fault."""
        before = Examination(self.task.model, 5.0, False)
        before.last = self.exam.last
        return before.unsound() is not None or self.task.flawed_line is not None
