"""The last look before an array is handed out: complete, valid, and nothing coverable left out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from everycase.arrays.layout import Layout
from everycase.arrays.problem import Rows
from everycase.errors import EverycaseError


@dataclass(frozen=True)
class Verdict:
    """What was found: flat numbers of combinations that no valid row can hold; all others are covered."""

    combinations: int
    infeasible: NDArray[np.int64]


def verify(layout: Layout, rows: Rows) -> Verdict:
    """Check the array against the rule tables and the targets; raises if it falls short of its promise."""
    levels = np.array(layout.levels)
    if len(rows) and ((rows < 0).any() or (rows >= levels).any()):
        raise EverycaseError(
            "internal error: a row of the covering array is incomplete; please report the model"
        )
    for rule in layout.rules:
        if rule.broken_by(rows).any():
            raise EverycaseError(
                f"internal error: a row of the covering array breaks {rule.name}; please report it"
            )
    missing = layout.uncovered(rows)
    if layout.possible(missing).any():
        raise EverycaseError(
            "internal error: the array misses a combination that it could cover; please report the model"
        )
    return Verdict(layout.problem.tuples, missing)
