"""Decide the positions that no combination needs: by weight, at random, and always validly."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from everycase.arrays.feasibility import Feasibility
from everycase.arrays.problem import ANY, Rows


def fill(
    rows: Rows,
    feasibility: Feasibility,
    preferences: Sequence[Sequence[float] | None],
    random: np.random.RandomState,
) -> Rows:
    """A copy without ANY. A level of weight 0 is used only where the rules leave no other."""
    rows = rows.copy()
    for column, levels in enumerate(feasibility.levels):
        undecided = np.flatnonzero(rows[:, column] == ANY)
        if not len(undecided):
            continue
        wanted = preferences[column]
        weights = np.ones(levels) if wanted is None else np.array(wanted, dtype=float)
        # Weighted choice without a loop: the level with the least exponential waiting time wins, and one of
        # weight 0 waits longer than any other, one that is not allowed for ever.
        waiting = random.standard_exponential((len(undecided), levels)) / np.maximum(weights, 1e-30)
        allowed = feasibility.allowed(rows[undecided], column)
        if allowed is not None:
            waiting[~allowed] = np.inf
        rows[undecided, column] = waiting.argmin(axis=1)
    return rows
