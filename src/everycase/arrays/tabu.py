"""Tabu search for fewer rows: take a row out, then change single cells until nothing is missing again.

Every step picks a missing combination at random and considers all rows that contain all of it except one
cell. Of these changes the one that leaves the fewest combinations missing is made, even if it makes matters
worse; a cell that was changed recently must wait. This is Nurmela's neighbourhood. Budgets are counted in
work, so that a seed gives the same rows on every machine; a second of budget is about a second of one core.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from everycase.arrays.feasibility import Feasibility
from everycase.arrays.problem import ANY, Problem, Rows

STEP_SECONDS, CELL_SECONDS = 45e-6, 1.2e-8
"""What a step costs, and what each combination costs that it looks at, on an ordinary machine."""

MAX_TABU_CELLS = 4_000_000
"""Arrays with more (row, target) cells than this are left as they are: a step would take milliseconds."""

LONGEST_WAIT = 10
"""A changed cell waits for a random number of steps, at most this many."""


def fewer_rows(
    problem: Problem,
    feasibility: Feasibility,
    rows: Rows,
    random: np.random.RandomState,
    seconds: float,
    protected: int = 0,
) -> Rows:
    """An array of the same coverage with as few rows as the budget finds; the first ``protected`` rows stay.

    ``rows`` must be complete: no position may be undecided.
    """
    best = rows
    if len(rows) * problem.target_count > MAX_TABU_CELLS or (rows == ANY).any():
        return best
    budget = _Budget(seconds)
    classes = Classes.single(problem, feasibility)
    while len(best) > max(problem.lower_bound, protected) and budget.left > 0:
        state = _State(problem, feasibility, best, random, protected, classes)
        state.take_out_one()
        if not state.solve(budget):
            break
        best = state.rows
    return best


class _Budget:
    """Work that is left, in seconds of an ordinary machine."""

    def __init__(self, seconds: float) -> None:
        self.left = seconds


@dataclass(frozen=True)
class Classes:
    """Combinations that count as one: covering any combination of a class covers all of it.

    ``of`` has the class of every combination by its flat number, and one more for the target that pads; ``wanted``
    says which classes have to be covered.
    """

    of: NDArray[np.int64]
    wanted: NDArray[np.bool_]

    @classmethod
    def single(cls, problem: Problem, feasibility: Feasibility) -> Classes:
        """Every combination by itself; those that no valid row can hold are not wanted."""
        wanted = np.ones(problem.tuples + 1, dtype=np.bool_)
        if not feasibility.free:
            wanted[:-1] = feasibility.possible_each(problem.partial_rows(np.arange(problem.tuples)))
        wanted[-1] = False
        return cls(np.arange(problem.tuples + 1), wanted)


def search_rows(
    problem: Problem, classes: Classes, count: int, random: np.random.RandomState, seconds: float
) -> Rows | None:
    """This many rows that cover every class, from random ones; None if the budget ends before."""
    if count * problem.target_count > MAX_TABU_CELLS:
        return None
    start = np.stack([random.randint(0, levels, count) for levels in problem.levels], axis=1)
    free = Feasibility(problem.levels, ())
    state = _State(problem, free, start.astype(np.int32), random, 0, classes)
    return state.rows if state.solve(_Budget(seconds)) else None


class _State:
    """A nearly complete array, how often each of its combinations occurs, and which cells must wait."""

    def __init__(
        self,
        problem: Problem,
        feasibility: Feasibility,
        rows: Rows,
        random: np.random.RandomState,
        protected: int,
        classes: Classes,
    ) -> None:
        self.problem, self.feasibility, self.random, self.protected = problem, feasibility, random, protected
        self.rows = rows
        self.of = classes.of
        self.wanted = classes.wanted
        self.sets, self.weights = _sets_of_columns(problem)
        self.members = np.argsort(self.of, kind="stable")
        self.begins = np.searchsorted(self.of[self.members], np.arange(len(self.wanted) + 1))
        self._count()

    def _count(self) -> None:
        problem = self.problem
        # One further target that no change touches: columns of fewer targets than others are padded with it.
        self.ranked = np.full((len(self.rows), problem.target_count + 1), problem.tuples, dtype=np.int64)
        for numbers, ranked in problem.ranks(self.rows):
            self.ranked[:, numbers.start : numbers.stop] = ranked.T
        self.counts = np.bincount(self.of[self.ranked].ravel(), minlength=len(self.wanted))
        # What need not be covered is never missing, and never the last of its kind.
        self.counts[~self.wanted] += 2 * self.ranked.size + 2
        self.waits = np.zeros(self.rows.shape, dtype=np.int64)

    def take_out_one(self) -> None:
        """Remove the row that holds the fewest combinations of its own, ties at random."""
        own = (self.counts[self.of[self.ranked]] == 1).sum(axis=1) + self.random.random_sample(len(self.rows))
        own[: self.protected] = np.inf
        self.rows = np.delete(self.rows, int(np.argmin(own)), axis=0)
        self._count()

    def solve(self, budget: _Budget) -> bool:
        """Whether nothing is missing any more when the budget ends."""
        missing = np.flatnonzero(self.counts == 0)
        fewest, step = len(missing), 0
        while len(missing) and budget.left > 0:
            step += 1
            columns, values = self.problem.decode(
                self._member(int(missing[self.random.randint(len(missing))]))
            )
            lines, places = self._candidates(np.array(columns), np.array(values))
            budget.left -= STEP_SECONDS + CELL_SECONDS * self.sets.shape[1] * len(lines)
            chosen = self._best(lines, places, columns, values, step, fewest - len(missing))
            if chosen is None:
                self._force(columns, values, step)
            else:
                self._change(int(lines[chosen]), columns[places[chosen]], values[places[chosen]], step)
            missing = np.flatnonzero(self.counts == 0)
            fewest = min(fewest, len(missing))
        return not len(missing)

    def _member(self, number: int) -> int:
        """A random combination of a class."""
        begin, end = self.begins[number], self.begins[number + 1]
        return int(self.members[begin if end - begin == 1 else begin + self.random.randint(end - begin)])

    def _candidates(
        self, columns: NDArray[np.int64], values: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Rows that lack exactly one cell of a combination, and which."""
        differs = self.rows[:, columns] != values
        differs[: self.protected] = True
        lines = np.flatnonzero(differs.sum(axis=1) == 1)
        if self.protected and len(columns) == 1:
            lines = lines[lines >= self.protected]
        return lines, differs[lines].argmax(axis=1)

    def _best(
        self,
        lines: NDArray[np.int64],
        places: NDArray[np.int64],
        columns: tuple[int, ...],
        values: tuple[int, ...],
        step: int,
        aspired: int,
    ) -> int | None:
        """The number of the candidate to take; None if every one is invalid or has to wait."""
        if not len(lines):
            return None
        where, levels = np.array(columns)[places], np.array(values)[places]
        before = self.ranked[lines[:, None], self.sets[where]]
        after = before + (levels - self.rows[lines, where])[:, None] * self.weights[where]
        # (With classes a change may stay within one; then this is too pessimistic, which does no harm.)
        worse = (self.counts[self.of[before]] == 1).sum(axis=1) - (self.counts[self.of[after]] == 0).sum(
            axis=1
        )
        score = worse + self.random.random_sample(len(lines))
        # A change that leaves fewer missing than ever need not wait.
        score[(self.waits[lines, where] > step) & (worse >= aspired)] = np.inf
        if not self.feasibility.free:
            changed = self.rows[lines]
            changed[np.arange(len(lines)), where] = levels
            score[~self.feasibility.possible_each(changed)] = np.inf
        best = int(score.argmin())
        return best if score[best] < np.inf else None

    def _force(self, columns: tuple[int, ...], values: tuple[int, ...], step: int) -> None:
        """Write the combination into a random row that can take it."""
        for line in (self.random.permutation(len(self.rows) - self.protected) + self.protected).tolist():
            changed = self.rows[line].copy()
            changed[list(columns)] = values
            if self.feasibility.free or self.feasibility.possible_each(changed[None])[0]:
                for column, value in zip(columns, values):
                    self._change(line, column, value, step)
                return

    def _change(self, line: int, column: int, value: int, step: int) -> None:
        sets = self.sets[column]
        before = self.ranked[line, sets]
        after = before + (value - int(self.rows[line, column])) * self.weights[column]
        # (Not "-=": several targets may have the same class.)
        np.subtract.at(self.counts, self.of[before], 1)
        np.add.at(self.counts, self.of[after], 1)
        self.ranked[line, sets] = after
        self.rows[line, column] = value
        self.waits[line, column] = step + 1 + self.random.randint(LONGEST_WAIT)


def _sets_of_columns(problem: Problem) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each column the targets it is in, and by how much its level counts in their ranks; padded alike."""
    sets: list[list[int]] = [[] for _ in problem.levels]
    weights: list[list[int]] = [[] for _ in problem.levels]
    for numbers, columns in problem.by_size:
        for number, target in zip(numbers, columns.tolist()):
            weight = 1
            for column in reversed(target):
                sets[column].append(number)
                weights[column].append(weight)
                weight *= problem.levels[column]
    width = max(map(len, sets))
    padding = problem.target_count
    return (
        np.array([own + [padding] * (width - len(own)) for own in sets], dtype=np.int64),
        np.array([own + [0] * (width - len(own)) for own in weights], dtype=np.int64),
    )
