"""Put missing combinations into rows: the vertical half of the search, and the repair step of everything else.

A combination goes into a row that agrees with it wherever the row is decided, preferably one that already
holds most of it, and only then into a new row. Which rows agree is asked thousands of times, so it is kept
as bit sets in Python integers: for each column and level one integer whose bit r says "row r has this level"
(or "has it or is undecided"). A question is then a handful of ANDs over machine words, about a microsecond
for thousands of rows, with no compiled code of ours.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from everycase.arrays.feasibility import Feasibility
from everycase.arrays.problem import ANY, Rows, Target, blank_rows

FIRST_STOCK = 24
"""Blank rows are kept in stock, as rows that agree with everything: this many at first, then as many as are
used."""

MAX_REFUSALS = 40
"""How many agreeing rows may turn out invalid before a new row is opened instead."""


class Placer:
    """Rows with undecided positions, growing and filling up as combinations are placed into them."""

    def __init__(self, rows: Rows, levels: Sequence[int], feasibility: Feasibility) -> None:
        self.levels = levels
        self.columns = len(levels)
        self.feasibility = feasibility
        self._rows: list[list[int]] = rows.tolist()
        self._used = len(self._rows)
        self._array = rows.copy()
        self._changed: set[int] = set()
        self._exact: dict[int, list[int]] = {}
        self._agree: dict[int, list[int]] = {}
        self._stock(FIRST_STOCK)

    def rows(self) -> Rows:
        """The rows as they are now, new ones at the end."""
        if self._used > len(self._array):
            more = blank_rows(self._used - len(self._array), self.columns)
            self._array = np.concatenate([self._array, more])
        for index in self._changed:
            self._array[index] = self._rows[index]
        self._changed.clear()
        return self._array

    def decide(self, column: int, levels: Rows) -> None:
        """The rows have these levels in a column that nothing was placed into yet."""
        for row, level in zip(self._rows, levels.tolist()):
            row[column] = level
        self._exact.pop(column, None)

    def place_each(self, combinations: Rows) -> None:
        """Cover combinations that are given as half-decided rows."""
        for row in combinations:
            target = np.flatnonzero(row != ANY)
            self.place(tuple(target.tolist()), row[target].tolist())

    def place(self, target: Target, values: Sequence[int]) -> bool:
        """Cover the combination unless some row of ours already does; False if no valid row can hold it."""
        exact = [self._column(c)[v] for c, v in zip(target, values)]
        held = exact[0]
        for bits in exact:
            held &= bits
        if held:
            return True
        agree = -1
        for column, value in zip(target, values):
            agree &= self._agree[column][value]
        if agree >> self._used == 0:
            fresh = len(self._rows)
            self._stock(max(FIRST_STOCK, self._used))
            agree |= ((1 << len(self._rows) - fresh) - 1) << fresh
        # by_overlap[i]: rows that agree and already hold at least i parts of the combination
        by_overlap = [agree]
        for bits in exact:
            top = by_overlap[-1] & bits
            for i in range(len(by_overlap) - 1, 0, -1):
                by_overlap[i] |= by_overlap[i - 1] & bits
            if top:
                by_overlap.append(top)
        if self.feasibility.free:
            best = by_overlap[-1]
            self._write(best & -best, target, values)
            return True
        return self._place_validly(by_overlap, target, values)

    def _place_validly(self, by_overlap: list[int], target: Target, values: Sequence[int]) -> bool:
        """The same when rows that agree may still be ruled out; the first blank row has the last word."""
        refused = 0
        tried = 0
        for overlapping in reversed(by_overlap):
            candidates = overlapping & ~tried
            while candidates:
                lowest = candidates & -candidates
                candidates ^= lowest
                index = lowest.bit_length() - 1
                if index < self._used and refused > MAX_REFUSALS:
                    candidates = candidates >> self._used << self._used
                    continue
                row = self._rows[index].copy()
                for column, value in zip(target, values):
                    row[column] = value
                if self.feasibility.possible_with(row, target):
                    self._write(lowest, target, values)
                    return True
                refused += 1
                if index >= self._used:
                    return False  # not even an empty row can hold it
            tried |= overlapping
        return False

    def _write(self, bit: int, target: Target, values: Sequence[int]) -> None:
        index = bit.bit_length() - 1
        if index >= self._used:
            self._used = index + 1
        row = self._rows[index]
        self._changed.add(index)
        for column, value in zip(target, values):
            if row[column] == ANY:
                row[column] = value
                self._exact[column][value] |= bit
                agree = self._agree[column]
                for other in range(len(agree)):
                    if other != value:
                        agree[other] &= ~bit

    def _column(self, column: int) -> list[int]:
        """Bit sets of a column, made when it is first asked for."""
        exact = self._exact.get(column)
        if exact is None:
            levels = np.fromiter((row[column] for row in self._rows), np.int32, len(self._rows))
            exact = [_bits(levels == level) for level in range(self.levels[column])]
            undecided = _bits(levels == ANY)
            self._exact[column] = exact
            self._agree[column] = [bits | undecided for bits in exact]
        return exact

    def _stock(self, count: int) -> None:
        bits = ((1 << count) - 1) << len(self._rows)
        for agree in self._agree.values():
            for level in range(len(agree)):
                agree[level] |= bits
        self._rows.extend([ANY] * self.columns for _ in range(count))


def place_all(
    rows: Rows,
    levels: Sequence[int],
    feasibility: Feasibility,
    combinations: Iterable[tuple[Target, Sequence[int]]],
) -> Rows:
    """Cover every combination by filling and adding rows; those that no valid row can hold are passed over.

    Fully decided rows take no part; callers pass only combinations that none of those cover.
    The given rows keep their places.
    """
    undecided = (rows == ANY).any(axis=1)
    placer = Placer(rows[undecided], levels, feasibility)
    for target, values in combinations:
        placer.place(target, values)
    placed = placer.rows()
    count = int(undecided.sum())
    filled = rows.copy()
    filled[undecided] = placed[:count]
    return np.concatenate([filled, placed[count:]])


def _bits(mask: NDArray[np.bool_]) -> int:
    return int.from_bytes(np.packbits(mask, bitorder="little").tobytes(), "little")


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
        # weight 0 waits longer than any other, one that is not allowed waits forever.
        waiting = random.standard_exponential((len(undecided), levels)) / np.maximum(weights, 1e-30)
        allowed = feasibility.allowed(rows[undecided], column)
        if allowed is not None:
            waiting[~allowed] = np.inf
        rows[undecided, column] = waiting.argmin(axis=1)
    return rows
