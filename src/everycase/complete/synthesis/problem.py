"""The constants of one repair, and its counters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from everycase.complete.clock import Clock
from everycase.complete.examination import Examination
from everycase.complete.frontend.program import Generator
from everycase.complete.proof.smt import Queries
from everycase.complete.search.worlds import Level, levels
from everycase.complete.synthesis.bottom_up import TermCount
from everycase.complete.synthesis.components import Kit
from everycase.complete.synthesis.spelling import Spelling
from everycase.errors import MissingExtra


@dataclass
class RepairProblem:
    """One repair: its generator, its means, its bounds."""

    model: Generator
    kit: Kit
    names: Spelling
    max_cost: int
    max_seconds: float
    clock: Clock
    """When the search must end."""
    smt_out: Queries | None
    statistics: TermCount = field(default_factory=TermCount)
    queries: int = 0
    hit: str | None = None
    """The bound that ended the search, as people write it."""
    refuted: int = 0
    unsafe: int = 0
    strict: bool = True
    """Is a patch rejected if it makes invalid values? (The simplest strategy is known to.)"""
    infer: Callable[[Any], Mapping[str, Any]] | None = None
    """Gives annotations where there are none."""

    def late(self) -> bool:
        """Is the time up? Then that is why the search ended."""
        if self.clock.left() >= 0:
            return False
        self.hit = f"--max-seconds {self.max_seconds:g}"
        return True

    @property
    def file(self) -> str:
        return Path(self.model.source.file).name

    def level(self, number: int) -> Level:
        """A world of this generator."""
        exam = Examination(self.model, 1.0, False)
        return next(level for level in levels(self.model, exam.evaluator) if level.number == number)

    @cached_property
    def flawed_line(self) -> int | None:
        """The line of a ``return`` that makes something invalid even if all calls keep their promises.

        Such a line may never be reached before the repair, if the calls that it needs make nothing at all.
        Its values afterwards are not the patch's fault.
        """
        exam = Examination(self.model, self.max_seconds, True, self.smt_out)
        exam.have_prover(self.level(1).world)
        assert exam.prover is not None
        for path in self.model.paths:
            if path.result is not None:
                try:
                    if exam.prover.unsound_case(self.model, path) is not None:
                        return getattr(path.node, "lineno", None)
                except MissingExtra:
                    return None
        return None
