"""IPOG: grow an array one column at a time, in width and then in height.

To add a column, every row is given the level that covers most combinations not yet covered (horizontal
growth: a row is scored by counting bits, or by one gather and one matrix product); what remains is placed into undecided positions
or new rows (vertical growth, :mod:`everycase.arrays.placing`). A list of targets of any sizes says what has
to be covered, so mixed strength costs nothing extra; rows to start from may be given, so extending a test
suite is the same search.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from everycase.arrays.feasibility import Feasibility
from everycase.arrays.placing import Placer
from everycase.arrays.problem import ANY, Columns, Problem, Progress, Rows, Target, blank_rows


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
class IpogResult:
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
) -> IpogResult:
    """Cover every target of the problem, in the order of its columns. Undecided positions stay ANY."""
    levels = problem.levels
    rows = blank_rows(0, problem.columns) if start is None else start.copy()
    placer: Placer | None = None
    work = 0
    for column, others in enumerate(_stages(problem)):
        if progress is not None:
            progress("columns", column, len(levels))
        if not others:
            continue
        count = sum(map(len, others))
        if len(rows) == 0 and count == 1 and feasibility.free:
            rows = _full_product(problem, (*others[0][0].tolist(), column))
            continue
        stage = _Stage(levels, others, column, rows)
        work += len(rows) * (20 + count) // 20
        stage.grow_width(rows, feasibility, random, style)
        lines, last = stage.missing()
        if len(lines):
            if placer is None:
                placer = Placer(rows, levels, feasibility)
            else:
                placer.decide(column, rows[:, column])
            combinations = stage.others.partial_rows(lines)
            combinations[:, column] = last
            # Combinations that no valid row can hold are never to be placed.
            if not feasibility.free:
                combinations = combinations[feasibility.possible_each(combinations)]
            work += len(combinations) // 4
            if style.shuffled:
                combinations = combinations[random.permutation(len(combinations))]
            placer.place_each(combinations)
            rows = placer.rows()
        elif placer is not None:
            placer.decide(column, rows[:, column])
    return IpogResult(rows, work)


def _stages(problem: Problem) -> list[list[Columns]]:
    """For each column, the sets of earlier columns that it must be combined with, one matrix for each size."""
    stages: list[list[Columns]] = [[] for _ in problem.levels]
    for matrix in problem.matrices:
        last = matrix[:, -1]
        order = np.argsort(last, kind="stable")
        ends = np.searchsorted(last[order], np.arange(problem.columns + 1))
        for column, (begin, end) in enumerate(pairwise(ends.tolist())):
            if end > begin:
                stages[column].append(matrix[order[begin:end], :-1])
    return stages


class _Stage:
    """What adding one column has to cover: every combination of the other columns with every level of this one."""

    def __init__(self, levels: Sequence[int], others: list[Columns], column: int, rows: Rows) -> None:
        self.column = column
        self.levels = levels[column]
        # The earlier columns alone are a problem of their own, and its combinations are the lines of the table.
        self.others = Problem(tuple(levels), tuple(others))
        self.index = np.empty((len(rows), self.others.target_count), dtype=np.int64)
        for numbers, ranked in self.others.ranks(rows):
            self.index[:, numbers.start : numbers.stop] = ranked.T
        # A set of bits costs a little for each line there is, a table a little more for each line of the row.
        sparse = self.others.tuples > 40 * (self.others.target_count + 60)
        kind = _FloatTable if sparse else _BitTable
        self.table: _Table = kind(self.index, self.others.tuples, self.levels)

    def grow_width(
        self, rows: Rows, feasibility: Feasibility, random: np.random.RandomState, style: Style
    ) -> None:
        """Give every row undecided in the new column the level that covers most, if any covers anything."""
        column = self.column
        decided = np.flatnonzero(rows[:, column] != ANY)
        for r in decided.tolist():
            self.table.cover(r, int(rows[r, column]))
        growing = np.flatnonzero(rows[:, column] == ANY) if len(decided) else np.arange(len(rows))
        if not len(growing):
            return
        # Whole numbers are what counts; fractions below one only break ties.
        ties = random.random_sample((len(growing), self.levels)) * (0.9e-4 if style.even else 0.9)
        allowed = feasibility.allowed(rows[growing], column)
        if allowed is not None:
            ties[~allowed] = -np.inf
        per_use = 0.9 / (len(growing) + 1) if style.even else 0.0
        rows[growing, column] = self.table.grow(growing.tolist(), ties, per_use)

    def missing(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The combinations left: their lines, and the level of this column that goes with each."""
        return self.table.missing()


class _Table(Protocol):
    """Which combinations are still to be covered, by line and level of the new column."""

    def __init__(self, index: NDArray[np.int64], lines: int, levels: int) -> None: ...

    def cover(self, row: int, level: int) -> None: ...

    def grow(self, growing: list[int], ties: NDArray[np.float64], per_use: float) -> list[int]:
        """A level for each of these rows, one after the other; ``per_use`` is taken off for each earlier use."""
        ...

    def missing(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]: ...


class _BitTable:
    """Lines as bits of Python integers: a row is scored by one AND and one count for each level."""

    def __init__(self, index: NDArray[np.int64], lines: int, levels: int) -> None:
        self.lines = lines
        held = np.zeros((len(index), lines + 1), dtype=np.bool_)
        # Rows that leave one of the other columns undecided point one past the last line.
        np.put_along_axis(held, index, True, axis=1)
        packed = np.packbits(held[:, :lines], axis=1, bitorder="little")
        self.rows = [int.from_bytes(line.tobytes(), "little") for line in packed]
        self.open = [(1 << lines) - 1] * levels

    def cover(self, row: int, level: int) -> None:
        self.open[level] &= ~self.rows[row]

    def grow(self, growing: list[int], ties: NDArray[np.float64], per_use: float) -> list[int]:
        left, rows = self.open, self.rows
        levels = range(len(left))
        used = [0.0] * len(left)
        chosen = []
        for r, tie in zip(growing, ties.tolist()):
            row = rows[r]
            gains = [(row & bits).bit_count() for bits in left]
            scores = [gain + extra - use for gain, extra, use in zip(gains, tie, used)]
            best = max(levels, key=scores.__getitem__)
            if gains[best] and scores[best] > -math.inf:
                chosen.append(best)
                left[best] &= ~row
                used[best] += per_use
            else:
                chosen.append(ANY)
        return chosen

    def missing(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        size = -(-self.lines // 8)
        packed = [np.frombuffer(bits.to_bytes(size, "little"), np.uint8) for bits in self.open]
        table = np.unpackbits(np.array(packed), axis=1, count=self.lines, bitorder="little")
        lines, levels = np.nonzero(table.T)
        return lines.astype(np.int64), levels.astype(np.int64)


class _FloatTable:
    """A table of numbers, for columns with many levels, where a row meets only few of the lines."""

    def __init__(self, index: NDArray[np.int64], lines: int, levels: int) -> None:
        # One further line, always zero, for rows that leave one of the other columns undecided.
        self.open = np.ones((lines + 1, levels), dtype=np.float32)
        self.open[lines] = 0
        self.index = index
        self.lines = lines

    def cover(self, row: int, level: int) -> None:
        self.open[self.index[row], level] = 0

    def grow(self, growing: list[int], ties: NDArray[np.float64], per_use: float) -> list[int]:
        left = self.open
        ones = np.ones(self.index.shape[1], dtype=np.float32)
        used = np.zeros(left.shape[1])
        chosen = []
        for r, tie in zip(growing, ties):
            line = self.index[r]
            gains = ones @ left.take(line, axis=0)
            scores = gains + tie - used
            best = int(scores.argmax())
            if gains[best] > 0 and scores[best] > -math.inf:
                chosen.append(best)
                left[line, best] = 0
                used[best] += per_use
            else:
                chosen.append(ANY)
        return chosen

    def missing(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        lines, levels = np.nonzero(self.open[: self.lines])
        return lines.astype(np.int64), levels.astype(np.int64)


def _full_product(problem: Problem, target: Target) -> Rows:
    rows = blank_rows(int(np.prod([problem.levels[c] for c in target])), problem.columns)
    rows[:, list(target)] = list(product(*(range(problem.levels[c]) for c in target)))
    return rows
