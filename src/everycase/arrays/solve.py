"""The strategy: algebra where it applies, several searches, the best of them post-optimised.

All budgets are counted in work done, never in seconds, so that the same seed gives the same array on a fast
and on a slow machine.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from everycase.arrays.algebra.uniform import (
    constructions,
    leading_columns,
    near_optimal_construction,
    optimal_construction,
)
from everycase.arrays.feasibility import Feasibility
from everycase.arrays.ipog import STYLES, ipog
from everycase.arrays.placing import place_all
from everycase.arrays.post_optimise import MAX_CELLS, shrink
from everycase.arrays.problem import ANY, Problem, Progress, Rows

SEARCH_BUDGET = 60_000
"""Work (row visits) after which no further search is begun: about a tenth of a second."""

SHRINK_BUDGET = 9_000_000
"""Cells visited by post-optimisation: about a third of a second; every array gets a few rounds all the same."""

SHRUNK_ROWS = 20_000
"""Larger algebraic arrays near the bound are not post-optimised: a minute would save one row in a hundred."""

SMALL_CELLS = 60_000
"""Up to this many (row, target) cells two arrays are post-optimised instead of one: the smaller need not end so."""


@dataclass(frozen=True)
class Solution:
    """Rows (positions that may be anything are ANY) and a word on where they come from."""

    rows: Rows
    how: str
    work: int = 0


def solve(
    problem: Problem,
    feasibility: Feasibility,
    random: np.random.RandomState,
    start: Rows | None = None,
    effort: float = 1,
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
    inner = problem.reorder(order)
    inner_feasibility = _reordered(feasibility, order)
    inner_start = None if start is None else start[:, order]
    # One search shows what algebra has to beat; where algebra wins, further searches would not.
    first = _search(inner, inner_feasibility, random, inner_start, 0, progress)
    best = first
    if feasibility.free and start is None and len(best.rows) > problem.lower_bound:
        best = _improve_by_algebra(inner, inner_feasibility, random, best, effort)
    finalists = [best]
    if best is first and len(best.rows) > problem.lower_bound and first.work < 4 * SEARCH_BUDGET * effort:
        again = _search(inner, inner_feasibility, random, inner_start, effort, progress, skip=1)
        finalists = sorted([first, again], key=lambda solution: len(solution.rows))
        if len(finalists[0].rows) * problem.target_count > SMALL_CELLS:
            finalists.pop()
    shrunk = [
        _shrunk(inner, inner_feasibility, random, finalist, effort, protected, progress)
        for finalist in finalists
    ]
    best = min(shrunk, key=lambda solution: len(solution.rows))
    rows = np.empty_like(best.rows)
    rows[:, order] = best.rows
    if start is None and feasibility.free:
        rows = _renamed(rows, problem, random)
    return Solution(rows, best.how)


def _shrunk(
    problem: Problem,
    feasibility: Feasibility,
    random: np.random.RandomState,
    found: Solution,
    effort: float,
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
    effort: float,
    progress: Progress | None,
    skip: int = 0,
) -> Solution:
    """The best of several searches in different styles, beginning with number ``skip``; one if effort is 0."""
    best: Rows | None = None
    spent = 0
    attempts = max(1, round(len(STYLES) * max(1.0, effort)) - skip) if effort else 1
    for number in range(skip, skip + attempts):
        style = STYLES[number % len(STYLES)]
        leading = start
        if style.algebra and start is None and feasibility.free:
            leading = leading_columns(problem)
        attempt = ipog(problem, feasibility, random, style, leading, progress)
        if best is None or len(attempt.rows) < len(best):
            best = attempt.rows
        spent += attempt.work
        if len(best) <= problem.lower_bound or spent + attempt.work > SEARCH_BUDGET * effort:
            break
    assert best is not None
    return Solution(best, "IPOG search", spent)


def _improve_by_algebra(
    problem: Problem, feasibility: Feasibility, random: np.random.RandomState, best: Solution, effort: float
) -> Solution:
    def search_part(part: Problem) -> Rows:
        free = Feasibility(part.levels, ())
        found = _search(part, free, random, None, effort, None)
        return shrink(part, free, found.rows, random, _rounds(part, len(found.rows), effort))

    for made in constructions(problem, random, search_part, at_most=round(1.1 * len(best.rows))):
        rows = complete(problem, feasibility, made.rows)
        if len(rows) <= len(best.rows):
            best = Solution(rows, made.how)
    return best


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


def _rounds(problem: Problem, rows: int, effort: float) -> int:
    if effort <= 0 or rows * problem.target_count > MAX_CELLS:
        return 0
    if rows - problem.lower_bound <= 3:
        effort *= 3  # the last few rows above the lower bound are worth the time
    a_round = rows * (problem.target_count * problem.columns // 12 + 400)
    return math.ceil(effort * min(40, max(4, SHRINK_BUDGET // a_round)))


def _reordered(feasibility: Feasibility, order: list[int]) -> Feasibility:
    if feasibility.free:
        return Feasibility([feasibility.levels[c] for c in order], ())
    return feasibility.reorder(order)
