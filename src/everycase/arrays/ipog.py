"""IPOG: grow an array one column at a time, in width and then in height.

To add a column, every row is given the level that covers most combinations not yet covered (horizontal
growth: one gather, one matrix product and one argmax a row); what remains is placed into undecided positions
or new rows (vertical growth, :mod:`everycase.arrays.placing`). A list of targets of any sizes says what has
to be covered, so mixed strength costs nothing extra; rows to start from may be given, so extending a test
suite is the same search.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from everycase.arrays.feasibility import Feasibility
from everycase.arrays.placing import place_all
from everycase.arrays.problem import (
    ANY,
    Problem,
    Progress,
    Rows,
    Target,
    blank_rows,
    partial_rows,
    rank_columns,
)


@dataclass(frozen=True)
class Style:
    """The free choices of one attempt; different ones win on different models, so attempts vary them."""

    even: bool = False
    """Break ties towards the level used least so far, instead of at random."""
    shuffled: bool = False
    """Place leftover combinations in random order, instead of set by set."""
    algebra: bool = False
    """Start from an orthogonal array of the first columns where there is one, instead of from nothing."""


STYLES = (
    Style(algebra=True),
    Style(even=True),
    Style(),
    Style(even=True, shuffled=True, algebra=True),
    Style(shuffled=True),
    Style(even=True, algebra=True),
)


@dataclass
class Attempt:
    """One array, and how much work it took (in row visits)."""

    rows: Rows
    work: int = 0


def ipog(
    problem: Problem,
    feasibility: Feasibility,
    random: np.random.RandomState,
    style: Style = STYLES[0],
    start: Rows | None = None,
    progress: Progress | None = None,
) -> Attempt:
    """Cover every target of the problem, in the order of its columns. Undecided positions stay ANY."""
    levels = problem.levels
    rows = blank_rows(0, problem.columns) if start is None else start.copy()
    attempt = Attempt(rows)
    stages: list[list[Target]] = [[] for _ in levels]
    for target in problem.targets:
        stages[target[-1]].append(target[:-1])
    for column, others in enumerate(stages):
        if progress is not None:
            progress("columns", column, len(levels))
        if not others:
            continue
        if len(rows) == 0 and len(others) == 1 and feasibility.free:
            rows = _full_product(problem, (*others[0], column))
            continue
        stage = _Stage(levels, others, column, rows)
        attempt.work += len(rows) * (20 + len(others)) // 20
        stage.mark_decided(rows)
        _grow_width(stage, rows, feasibility, random, style)
        missing = stage.missing()
        if not feasibility.free:
            missing = stage.only_possible(missing, feasibility)
        attempt.work += len(missing[0]) // 4
        if len(missing[0]):
            rows = place_all(rows, levels, feasibility, stage.decode(missing, random, style))
    attempt.rows = rows
    return attempt


class _Stage:
    """What adding one column has to cover: a table [combination of other columns, level of this one]."""

    def __init__(self, levels: Sequence[int], others: list[Target], column: int, rows: Rows) -> None:
        self.levels = levels
        self.others = others
        self.column = column
        sizes = [1] * len(others)
        for i, other in enumerate(others):
            for c in other:
                sizes[i] *= levels[c]
        self.offsets = np.concatenate(
            [np.zeros(1, dtype=np.int64), np.cumsum(np.array(sizes, dtype=np.int64))]
        )
        self.total = int(self.offsets[-1])
        # One further line, always zero, for rows that leave one of the other columns undecided.
        self.open = np.ones((self.total + 1, levels[column]), dtype=np.float32)
        self.open[self.total] = 0
        kind = np.int32 if self.total < 2**31 else np.int64
        self.index = np.empty((len(rows), len(others)), dtype=kind)
        by_size: dict[int, list[int]] = {}
        for i, other in enumerate(others):
            by_size.setdefault(len(other), []).append(i)
        for size, numbers in sorted(by_size.items()):
            columns = np.array([others[i] for i in numbers], dtype=np.int64).reshape(len(numbers), size)
            ranked = rank_columns(rows, columns, levels, self.offsets[numbers], self.total)
            self.index[:, numbers] = ranked.T

    def mark_decided(self, rows: Rows) -> None:
        """Rows that came with a level for this column cover what they cover."""
        decided = np.flatnonzero(rows[:, self.column] != ANY)
        if len(decided):
            self.open[self.index[decided], rows[decided, self.column][:, None]] = 0
            self.open[self.total] = 0

    def missing(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        lines, levels = np.nonzero(self.open[: self.total])
        return lines.astype(np.int64), levels.astype(np.int64)

    def only_possible(
        self, missing: tuple[NDArray[np.int64], NDArray[np.int64]], feasibility: Feasibility
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Without the combinations that no valid row can hold; those are never to be placed."""
        lines, last = missing
        rows = partial_rows(lines, self.levels, self.others, self.offsets)
        rows[:, self.column] = last
        possible = feasibility.possible_each(rows)
        return lines[possible], last[possible]

    def decode(
        self,
        missing: tuple[NDArray[np.int64], NDArray[np.int64]],
        random: np.random.RandomState,
        style: Style,
    ) -> Iterator[tuple[Target, tuple[int, ...]]]:
        """The missing combinations, spelled out, in the order in which they are to be placed."""
        lines, last = missing
        if style.shuffled:
            shuffle = random.permutation(len(lines))
            lines, last = lines[shuffle], last[shuffle]
        which = np.searchsorted(self.offsets, lines, side="right") - 1
        rank = lines - self.offsets[which]
        for set_number, rest, level in zip(which.tolist(), rank.tolist(), last.tolist()):
            other = self.others[set_number]
            values = [level]
            for column in reversed(other):
                rest, value = divmod(rest, self.levels[column])
                values.append(value)
            yield (*other, self.column), tuple(reversed(values))


def _grow_width(
    stage: _Stage, rows: Rows, feasibility: Feasibility, random: np.random.RandomState, style: Style
) -> None:
    """Give every row that is undecided in the new column the level that covers most, if any covers anything."""
    column = stage.column
    growing = np.flatnonzero(rows[:, column] == ANY)
    if not len(growing):
        return
    levels = stage.levels[column]
    allowed = feasibility.allowed(rows[growing], column)
    # Whole numbers are what counts; fractions below one only break ties.
    jitter = (random.random_sample((len(growing), levels)) * 0.9).astype(np.float32)
    if allowed is not None:
        jitter[~allowed] = -np.inf
    if style.even:
        jitter *= np.float32(1e-4)
    per_use = np.float32(0.9 / (len(growing) + 1))
    open_table = stage.open
    ones = np.ones(stage.index.shape[1], dtype=np.float32)
    chosen = np.full(len(growing), ANY, dtype=np.int32)
    even = style.even
    used = np.zeros(levels, dtype=np.float32)
    for i, line in enumerate(stage.index[growing]):
        gains = ones @ open_table.take(line, axis=0)
        scores = gains + jitter[i]
        if even:
            scores -= used
        best = int(scores.argmax())
        if gains[best] > 0:
            chosen[i] = best
            open_table[line, best] = 0
            used[best] += per_use
    rows[growing, column] = chosen


def _full_product(problem: Problem, target: Target) -> Rows:
    rows = blank_rows(int(np.prod([problem.levels[c] for c in target])), problem.columns)
    rows[:, list(target)] = list(product(*(range(problem.levels[c]) for c in target)))
    return rows
