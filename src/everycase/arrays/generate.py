"""covering_array: from a model to verified rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from everycase.arrays.array import CoveringArray, verify
from everycase.arrays.effort import Effort
from everycase.arrays.layout import Layout
from everycase.arrays.model import Model
from everycase.arrays.placing import fill, place_all
from everycase.arrays.post_optimise import relax
from everycase.arrays.problem import ANY, Progress, Rows, blank_rows
from everycase.arrays.radix import (
    Radix,
    boundary_levels,
    boundary_problem,
    boundary_rows,
    permutation_start,
    read_radix,
)
from everycase.arrays.solve import Solution, complete, solve
from everycase.arrays.submodels import combine_submodels
from everycase.errors import InvalidArgument

MANY_MISSING = 20
"""If more combinations than this per row of a radix start are missing, they are searched for; fewer are
simply placed."""


def covering_array(
    model: Model | Mapping[str, Any],
    strength: int = 2,
    *,
    seed: int = 0,
    must_include: Iterable[Any] = (),
    extend: Iterable[Any] = (),
    radix: Any = None,
    effort: float | str = "quick",
    progress: Progress | None = None,
) -> CoveringArray:
    """Few rows in which every valid combination of any ``strength`` parameters occurs.

    ``must_include``: rows that have to be in the array; mappings may leave parameters open, and they are
    completed. ``extend``: rows you already have; they come first, and only what they miss is added.
    ``radix``: None, "auto", a base, a :class:`Radix`, or a mapping from names to bases, to split parameters
    with many values into digits. ``effort``: "quick", "good" (some seconds), "best" (up to a minute), or a
    number of seconds to spend on fewer rows; 0 takes the first array found. ``seed`` is the random seed: the
    same call gives the same rows on every machine.

    >>> rows = covering_array({"os": ["linux", "mac"], "arch": ["x86", "arm"], "debug": bool}, strength=2)
    >>> len(rows)
    4
    """
    model = model if isinstance(model, Model) else Model(model)
    if model.submodels:
        if radix is not None:
            raise InvalidArgument("radix and sub-models cannot be combined; leave out one of them")
        known = [*_as_rows(model, extend, "extend"), *_as_rows(model, must_include, "must_include")]

        def build(part: Model, order: int, rows: list[dict[str, Any]]) -> CoveringArray:
            return covering_array(part, order, seed=seed, must_include=rows, effort=effort, progress=progress)

        return combine_submodels(model, strength, known, build)
    config, splits = read_radix(radix, model)
    layout = Layout(model, strength, splits)
    if not isinstance(seed, int) or isinstance(seed, bool) or seed < 0:
        raise InvalidArgument(f"seed is {seed!r}; write a whole number from 0")
    level = Effort.of(effort)
    # The legacy generator's stream is frozen for all future NumPy versions; the new one's is not.
    random = np.random.RandomState(seed % 2**32)
    given = _given_rows(layout, extend, must_include)
    start = np.concatenate([given, _boundaries(layout, config, random)])
    solution = _solve(layout, config, random, start, level, progress)
    rows = fill(solution.rows, layout.feasibility, layout.preferences, random)
    verdict = verify(layout, rows)
    return CoveringArray(layout, layout.decode(rows), verdict, solution.how, seed, len(given))


def _as_rows(model: Model, rows: Iterable[Any], argument: str) -> list[dict[str, Any]]:
    """Given rows as mappings; positions that are left open are left out."""
    return [
        {d.name: d.at(level) for d, level in zip(model.domains, levels) if level >= 0}
        for levels in model.levels_of_rows(rows, argument)
    ]


def infeasible(model: Model | Mapping[str, Any], strength: int = 2) -> list[dict[str, Any]]:
    """The combinations of ``strength`` parameters that no valid row can contain, without building an array.

    >>> infeasible(Model({"a": [1, 2], "b": [1, 2]}, [lambda a, b: a + b < 4]))
    [{'a': 2, 'b': 2}]
    """
    layout = Layout(model if isinstance(model, Model) else Model(model), strength)
    every = np.arange(layout.problem.tuples)
    excluded = layout.by_constraints(every[~layout.possible(every)])
    return [layout.describe_tuple(flat) for flat in excluded.tolist()]


def _solve(
    layout: Layout,
    config: Radix,
    random: np.random.RandomState,
    start: Rows,
    effort: Effort,
    progress: Progress | None,
) -> Solution:
    """First everything valid in rows without invalid values, then each invalid value in rows of its own."""
    if layout.valid_levels == layout.levels:
        return _solve_valid(layout, config, random, start, effort, progress)
    clean = layout.without_invalid(start)
    # A given row may have open positions that only an invalid value can fill.
    clean[clean] = layout.valid_feasibility.possible_each(start[clean])
    valid = _solve_valid(layout, config, random, start[clean], effort, progress)
    # Positions left open are closed with valid values now: an invalid one would hide the row's combinations.
    preferences = [
        None if weights is None else weights[:levels]
        for weights, levels in zip(layout.preferences, layout.valid_levels)
    ]
    rows = fill(valid.rows, layout.valid_feasibility, preferences, random)
    count = int(clean.sum())
    before = start.copy()
    before[clean] = rows[:count]
    protected = np.concatenate([before, rows[count:]])
    both = solve(layout.problem, layout.feasibility, random, protected, effort, progress)
    return Solution(_needed(layout, both.rows, len(protected)), f"{valid.how}, then invalid values")


def _needed(layout: Layout, rows: Rows, protected: int) -> Rows:
    """Without the later rows that only hold combinations of valid values, which do not count beside an invalid one."""
    ranked = np.concatenate([ranked for _, ranked in layout.problem.ranks(rows[protected:])]).T.astype(
        np.int64
    )
    flat, inverse = np.unique(ranked, return_inverse=True)
    wanted = np.zeros(len(flat), dtype=np.bool_)
    decided = flat < layout.problem.tuples
    wanted[decided] = ~layout.without_invalid(layout.problem.partial_rows(flat[decided]))
    lines = inverse.reshape(ranked.shape)
    times = np.bincount(lines.ravel(), minlength=len(flat))
    times += np.isin(flat, np.flatnonzero(layout.problem.covered(rows[:protected])))
    kept = np.ones(len(rows), dtype=np.bool_)
    for number in range(len(lines) - 1, -1, -1):
        own = lines[number][wanted[lines[number]]]
        if (times[own] > 1).all():
            kept[protected + number] = False
            times[own] -= 1
    return rows[kept]


def _solve_valid(
    layout: Layout,
    config: Radix,
    random: np.random.RandomState,
    start: Rows,
    effort: Effort,
    progress: Progress | None,
) -> Solution:
    problem, feasibility = layout.valid_problem, layout.valid_feasibility
    if config.permutes and any(split.every_value for split in layout.splits.values()):
        start = np.concatenate([start, permutation_start(layout, random)])
        if (~problem.covered(start)).sum() <= MANY_MISSING * len(start):
            return Solution(complete(problem, feasibility, start), "permutations of the large ranges")
        # At higher strengths the permutations are only the beginning, and the rest is worth a search.
        solution = solve(problem, feasibility, random, start, effort, progress)
        return Solution(solution.rows, "permutations of the large ranges, then " + solution.how)
    solution = solve(problem, feasibility, random, start if len(start) else None, effort, progress)
    if any(weights is not None for weights in layout.model.preferences):
        # Weights speak where any value will do, so find every such position first.
        return Solution(relax(problem, solution.rows, random, len(start)), solution.how)
    return solution


def _given_rows(layout: Layout, extend: Iterable[Any], must_include: Iterable[Any]) -> Rows:
    kept = layout.model.levels_of_rows(extend, "extend")
    # A suite keeps its repeated rows; of rows that have to be there, one of each is enough.
    wanted = dict.fromkeys(map(tuple, layout.model.levels_of_rows(must_include, "must_include")))
    present = set(map(tuple, kept))
    rows = layout.encode([*kept, *(line for line in wanted if line not in present)])
    if len(rows):
        possible = layout.feasibility.possible_each(rows)
        if not possible.all():
            first = int(np.flatnonzero(~possible)[0])
            why = "; ".join(layout.broken_rules(rows[first]))
            raise InvalidArgument(
                f"given row {first + 1} of extend and must_include is not allowed by the constraints ({why}); "
                "leave it out, or weaken them (coverage(rows, model).invalid lists all such rows)"
            )
    return rows


def _boundaries(layout: Layout, config: Radix, random: np.random.RandomState) -> Rows:
    """Rows that combine the boundaries of split parameters, other large ones left open."""
    edges = boundary_levels(layout.model, layout, config)
    nothing = blank_rows(0, len(layout.levels))
    if not edges:
        return nothing
    problem, feasibility = boundary_problem(layout, edges)
    if not feasibility.possible([ANY] * problem.columns):
        return nothing
    solution = solve(problem, feasibility, random)
    found = boundary_rows(layout, edges, solution.rows)
    # Rules that read the open parameters may still reject some rows; combinations that only those contained
    # are placed again.
    possible = layout.feasibility.possible_each(found)
    if possible.all():
        return found
    missing = np.flatnonzero(~problem.covered(solution.rows[possible]))
    left = boundary_rows(layout, edges, problem.partial_rows(missing))
    left = left[(left != ANY).any(axis=1)]  # combinations of open parameters alone ask for nothing
    combinations = ((tuple(np.flatnonzero(row != ANY).tolist()), row[row != ANY].tolist()) for row in left)
    return place_all(found[possible], layout.levels, layout.feasibility, combinations)
