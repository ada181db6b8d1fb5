"""Post-optimisation: take rows out of a finished array and mend what that uncovers.

Most positions of a covering array are not needed: every combination they take part in occurs elsewhere too.
Such positions are made undecided again, the rows that are needed least are taken out, and the combinations
that only they held are placed into the freedom of the others. The array never loses coverage, and is
replaced only by one that is not larger; moves that keep its size still shake it for the next round.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from everycase.arrays.feasibility import Feasibility
from everycase.arrays.placing import place_all
from everycase.arrays.problem import ANY, Problem, Progress, Rows

MAX_CELLS = 12_000_000
"""Arrays with more (row, target) cells than this are left as they are: a round would take many seconds."""

PATIENCE = 10
"""Rounds in a row without a row less after which the array is taken to be as small as this gets it
(four times as many when the lower bound is in sight)."""


def shrink(
    problem: Problem,
    feasibility: Feasibility,
    rows: Rows,
    random: np.random.RandomState,
    rounds: int,
    protected: int = 0,
    progress: Progress | None = None,
) -> Rows:
    """At most ``rounds`` rounds of taking out and mending; the first ``protected`` rows stay untouched."""
    best = rows
    if len(rows) * problem.target_count > MAX_CELLS:
        return best
    current = rows
    idle = 0
    for round_number in range(rounds):
        if progress is not None:
            progress("post-optimising", round_number, rounds)
        near = len(best) - problem.lower_bound <= 3
        if idle >= PATIENCE * (4 if near else 1) or len(best) <= max(problem.lower_bound, protected):
            break
        state = _Needs(problem, current, protected)
        state.relax(random)
        victims = state.least_needed(_victims(len(current), round_number), random)
        if not len(victims):
            break
        missing = state.take_out(victims)
        random.shuffle(missing)
        kept = np.delete(state.rows, victims, axis=0)
        current = place_all(kept, problem.levels, feasibility, (problem.decode(int(m)) for m in missing))
        idle = 0 if len(current) < len(best) else idle + 1
        if len(current) <= len(best):
            best = current
        else:
            current = best
    return best


def relax(problem: Problem, rows: Rows, random: np.random.RandomState, protected: int = 0) -> Rows:
    """The same array with every position undecided that its coverage does not need."""
    if len(rows) * problem.target_count > MAX_CELLS:
        return rows
    state = _Needs(problem, rows, protected)
    state.relax(random)
    return state.rows


def _victims(rows: int, round_number: int) -> int:
    """How many rows to take out at once: one in a small array, and changing from round to round in a large one."""
    return max(1, rows // (25, 50, 100, 12)[round_number % 4])


class _Needs:
    """Which positions of which rows are needed, kept up to date while positions are freed."""

    def __init__(self, problem: Problem, rows: Rows, protected: int) -> None:
        self.problem = problem
        self.rows = rows.copy()
        self.protected = protected
        self.ranked = np.empty((len(rows), problem.target_count), dtype=np.int32)
        for numbers, ranked in problem.ranks(rows):
            self.ranked[:, numbers.start : numbers.stop] = ranked.T
        self.counts = np.bincount(self.ranked.ravel(), minlength=problem.tuples + 1)
        self.counts[problem.tuples] = 2  # undecided: never unique

    def relax(self, random: np.random.RandomState) -> None:
        """Free every position that no uniquely covered combination needs, row after row in random order."""
        undecided = self.problem.tuples
        for r in (random.permutation(len(self.rows) - self.protected) + self.protected).tolist():
            row, line = self.rows[r], self.ranked[r]
            unique = self.counts[line] == 1
            free = row != ANY
            for numbers, columns in self.problem.by_size:
                free[columns[unique[numbers.start : numbers.stop]]] = False
            if not free.any():
                continue
            for numbers, columns in self.problem.by_size:
                own = line[numbers.start : numbers.stop]
                gone = free[columns[:, 0]]
                for place in range(1, columns.shape[1]):
                    gone |= free[columns[:, place]]
                gone &= own != undecided
                self.counts[own[gone]] -= 1
                own[gone] = undecided
            row[free] = ANY

    def least_needed(self, count: int, random: np.random.RandomState) -> NDArray[np.int64]:
        """Rows that hold the fewest combinations of their own, ties at random."""
        own = (self.counts[self.ranked] == 1).sum(axis=1) + random.random_sample(len(self.rows))
        own[: self.protected] = np.inf
        order: NDArray[np.int64] = np.argsort(own)[: min(count, len(own) - self.protected)]
        return order

    def take_out(self, victims: NDArray[np.int64]) -> NDArray[np.int64]:
        """The combinations that no other row covers."""
        held = self.ranked[victims].ravel()
        np.subtract.at(self.counts, held, 1)
        held = np.unique(held)
        missing: NDArray[np.int64] = held[(self.counts[held] == 0) & (held != self.problem.tuples)]
        return missing
