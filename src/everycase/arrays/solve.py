"""The strategy: algebra if it applies, several searches, and post-optimisation of the best.

All budgets are counted in work done, never in seconds, so that the same seed gives the same array on a fast
and on a slow machine.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from everycase.arrays.algebra.groups import from_groups
from everycase.arrays.algebra.starters import starters_for
from everycase.arrays.algebra.uniform import (
    constructions,
    leading_columns,
    near_optimal_construction,
    optimal_construction,
    strength_if_uniform,
)
from everycase.arrays.effort import QUICK, Effort
from everycase.arrays.feasibility import Feasibility
from everycase.arrays.ipog import STYLES, ipog
from everycase.arrays.placing import fill, place_all
from everycase.arrays.post_optimise import MAX_CELLS, shrink
from everycase.arrays.problem import ANY, Problem, Progress, Rows
from everycase.arrays.tabu import fewer_rows
from everycase.choices.time_limit import look

SEARCH_BUDGET = 60_000
"""Work (row visits) after which no further search is begun: about a tenth of a second."""

SHRINK_BUDGET = 9_000_000
"""Cells visited by post-optimisation: about a third of a second; every array gets at least a few rounds."""

SHRUNK_ROWS = 20_000
"""Larger algebraic arrays near the bound are not post-optimised: a minute would save one row in a hundred."""

SMALL_CELLS = 60_000
"""Up to this many (row, target) cells two arrays are post-optimised instead of one: the smaller need not end so."""


@dataclass(frozen=True, eq=False)
class Solution:
    """Rows (positions that may be anything are ANY) and where they come from."""

    rows: Rows
    how: str
    work: int = 0


def solve(
    problem: Problem,
    feasibility: Feasibility,
    random: np.random.RandomState,
    start: Rows | None = None,
    effort: Effort = QUICK,
    progress: Progress | None = None,
) -> Solution:
    """Few rows that cover everything coverable. Rows to start from are completed but never removed."""
    if start is None and feasibility.free:
        known = optimal_construction(problem)
        if known is not None:
            return Solution(_renamed(known.rows, problem, random), known.how)
        near = near_optimal_construction(problem)
        if near is not None:
            found = Solution(_renamed(near.rows, problem, random), near.how)
            if len(found.rows) > SHRUNK_ROWS:
                return found
            return _shrunk(problem, feasibility, random, found, effort, 0, progress)
    protected = 0 if start is None else len(start)
    order = growing_order(problem)
    look()
    inner = problem.reorder(order)
    look()
    inner_feasibility = _reordered(feasibility, order)
    inner_start = None if start is None else start[:, order]
    # One search shows what algebra has to beat; if algebra wins, further searches would not.
    first = _search(inner, inner_feasibility, random, inner_start, False, progress)
    best = first
    if feasibility.free and start is None and len(best.rows) > problem.lower_bound:
        best = _improve_by_algebra(inner, inner_feasibility, random, best, effort)
    finalists = [best]
    if (
        best is first
        and len(best.rows) > problem.lower_bound
        and effort.attempts
        and first.work < 4 * SEARCH_BUDGET
    ):
        again = _search(inner, inner_feasibility, random, inner_start, True, progress, skip=1)
        finalists = sorted([first, again], key=lambda solution: len(solution.rows))
        if len(finalists[0].rows) * problem.target_count > SMALL_CELLS:
            finalists.pop()
    shrunk = [
        _shrunk(inner, inner_feasibility, random, finalist, effort, protected, progress)
        for finalist in finalists
    ]
    best = min(shrunk, key=lambda solution: len(solution.rows))
    if effort.seconds and len(best.rows) > problem.lower_bound and not _is_shipped(problem, len(best.rows)):
        best = _improve_by_search(inner, inner_feasibility, random, best, first, effort, protected)
    rows = np.empty_like(best.rows)
    rows[:, order] = best.rows
    if start is None and feasibility.free:
        rows = _renamed(rows, problem, random)
    return Solution(rows, best.how)


def _is_shipped(problem: Problem, rows: int) -> bool:
    """Whether a long search has already been made for exactly this array, and its result is at hand."""
    strength = strength_if_uniform(problem)
    if strength is None or min(problem.levels) < max(problem.levels):
        return False
    shipped = starters_for(problem.levels[0], problem.columns, strength)
    return shipped is not None and shipped.width == problem.columns and rows <= shipped.size


def _shrunk(
    problem: Problem,
    feasibility: Feasibility,
    random: np.random.RandomState,
    found: Solution,
    effort: Effort,
    protected: int,
    progress: Progress | None,
) -> Solution:
    rounds = _rounds(problem, len(found.rows), effort)
    rows = shrink(problem, feasibility, found.rows, random, rounds, protected, progress)
    return Solution(rows, found.how + (", post-optimised" if len(rows) < len(found.rows) else ""))


def growing_order(problem: Problem) -> list[int]:
    """Columns in the order in which they join: members of the largest targets first, then by levels."""
    heaviest = np.zeros(problem.columns, dtype=np.int64)
    for numbers, columns in problem.by_size:
        sizes = problem.sizes[numbers.start : numbers.stop]
        for place in range(columns.shape[1]):
            np.maximum.at(heaviest, columns[:, place], sizes)
    weight = heaviest.tolist()
    return sorted(range(problem.columns), key=lambda c: (-weight[c], -problem.levels[c], c))


def complete(problem: Problem, feasibility: Feasibility, rows: Rows) -> Rows:
    """Add what the rows still miss, where some valid row can hold it."""
    missing = np.flatnonzero(~problem.covered(rows))
    if not feasibility.free:
        missing = missing[feasibility.possible_each(problem.partial_rows(missing))]
    return place_all(rows, problem.levels, feasibility, (problem.decode(int(m)) for m in missing))


def _search(
    problem: Problem,
    feasibility: Feasibility,
    random: np.random.RandomState,
    start: Rows | None,
    several: bool,
    progress: Progress | None,
    skip: int = 0,
) -> Solution:
    """The best of several searches in different styles, beginning with number ``skip``; or one search alone."""
    best: Rows | None = None
    spent = 0
    for style in STYLES[skip:]:
        leading = start
        if style.algebra and start is None and feasibility.free:
            leading = leading_columns(problem)
        attempt = ipog(problem, feasibility, random, style, leading, progress)
        if best is None or len(attempt.rows) < len(best):
            best = attempt.rows
        spent += attempt.work
        if not several or len(best) <= problem.lower_bound or spent + attempt.work > SEARCH_BUDGET:
            break
    assert best is not None
    return Solution(best, "IPOG search", spent)


def _improve_by_algebra(
    problem: Problem, feasibility: Feasibility, random: np.random.RandomState, best: Solution, effort: Effort
) -> Solution:
    def search_part(part: Problem) -> Rows:
        free = Feasibility(part.levels, ())
        if effort.seconds and part.columns < problem.columns:
            return solve(part, free, random, None, effort.share(0.1)).rows
        found = _search(part, free, random, None, True, None)
        return shrink(part, free, found.rows, random, _rounds(part, len(found.rows), effort))

    for made in constructions(problem, random, search_part, round(1.1 * len(best.rows)), effort.seconds > 0):
        rows = complete(problem, feasibility, made.rows)
        if len(rows) <= len(best.rows):
            best = Solution(rows, made.how)
    return best


def _improve_by_search(
    problem: Problem,
    feasibility: Feasibility,
    random: np.random.RandomState,
    best: Solution,
    other: Solution,
    effort: Effort,
    protected: int,
) -> Solution:
    """Spend the budget: arrays from groups where the model is uniform, then tabu search from two arrays."""
    seconds = effort.seconds
    strength = strength_if_uniform(problem)
    uniform = strength is not None and min(problem.levels) == max(problem.levels)
    if uniform and feasibility.free and not protected:
        assert strength is not None
        seconds /= 2
        found = from_groups(
            problem.levels[0], problem.columns, strength, len(best.rows), random, seconds, effort.seconds >= 2
        )
        if found is not None:
            best = Solution(*found)
    # Algebraic arrays are often stuck, searched ones are larger but can be improved: both are begun with.
    for start in dict.fromkeys([best, other]):
        seconds /= 2
        rows = fill(start.rows, feasibility, [None] * problem.columns, random)
        rows = fewer_rows(problem, feasibility, rows, random, seconds, protected)
        if len(rows) < len(best.rows):
            best = Solution(rows, start.how.removesuffix(", post-optimised") + ", tabu search")
    rows = fill(best.rows, feasibility, [None] * problem.columns, random)
    rows = fewer_rows(problem, feasibility, rows, random, seconds, protected)
    return Solution(rows, best.how) if len(rows) < len(best.rows) else best


def _renamed(rows: Rows, problem: Problem, random: np.random.RandomState) -> Rows:
    """The same array with the levels of each column renamed at random.

    Algebraic arrays and IPOG both tie the order of levels in one column to that in others (sums, diagonals).
    Coverage does not mind, but programs compare values, and an array in which one value grows with another
    tests less than it could.
    """
    renamed = rows.copy()
    for column, levels in enumerate(problem.levels):
        names = np.append(random.permutation(levels), ANY)  # ANY is -1 and stays itself
        renamed[:, column] = names[rows[:, column]]
    return renamed


def _rounds(problem: Problem, rows: int, effort: Effort) -> int:
    if not effort.attempts or rows * problem.target_count > MAX_CELLS:
        return 0
    # The last few rows above the lower bound are worth more time.
    patience = 3 if rows - problem.lower_bound <= 3 else 1
    a_round = rows * (problem.target_count * problem.columns // 12 + 400)
    return patience * min(40, max(4, SHRINK_BUDGET // a_round))


def _reordered(feasibility: Feasibility, order: list[int]) -> Feasibility:
    if feasibility.free:
        return Feasibility([feasibility.levels[c] for c in order], ())
    return feasibility.reorder(order)
