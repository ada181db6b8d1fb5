"""What stays the same while one generator is repaired, and what is counted on the way."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path

from everycase.complete.check import Examination
from everycase.complete.components import Kit
from everycase.complete.program import Generator
from everycase.complete.smt import Queries
from everycase.complete.synthesis import Statistics
from everycase.complete.terms import Names
from everycase.complete.universe import Level, levels


@dataclass
class Task:
    """One repair: its generator, its means, its bounds."""

    model: Generator
    kit: Kit
    names: Names
    max_cost: int
    max_seconds: float
    deadline: float
    smt_out: Queries | None
    statistics: Statistics = field(default_factory=Statistics)
    queries: int = 0
    hit: str | None = None
    """The bound that ended the search, as people write it."""
    refuted: int = 0
    unsafe: int = 0

    def late(self) -> bool:
        """Is the time over? Then that is why the search ended."""
        if time.monotonic() <= self.deadline:
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
