"""The model reduced to numbers: columns with their numbers of levels, and the sets of columns that must be
covered.

Everything that searches, constructs, verifies or measures works on this form: a row is a vector of level
numbers, ``-1`` (:data:`ANY`) marks a position whose value does not matter, and a *target* is a set of
columns all of whose combinations must occur. Strength t over all columns, higher strengths over some
groups, overlapping groups: they are all just lists of targets.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.int32]
Columns = NDArray[np.int64]
Ranks = NDArray[np.signedinteger[Any]]
Target = tuple[int, ...]

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and how much there is."""

ANY = -1
"""The level of a position that may still take any value."""

CHUNK = 4_000_000
"""How many (row, target) cells are ranked at once: enough to hide NumPy's overhead, little enough memory."""


def blank_rows(count: int, columns: int) -> Rows:
    """Rows in which nothing is decided yet."""
    return np.full((count, columns), ANY, dtype=np.int32)


def column_sets(columns: int, size: int) -> Columns:
    """All sets of this many of the first columns, one per line, in order.

    >>> column_sets(3, 2).tolist()
    [[0, 1], [0, 2], [1, 2]]
    """
    flat = chain.from_iterable(combinations(range(columns), size))
    return np.fromiter(flat, np.int64, math.comb(columns, size) * size).reshape(-1, size)


@dataclass(frozen=True, eq=False)
class Problem:
    """Levels of each column, and the targets (none inside another): one matrix for each size of target.

    A large model has hundreds of thousands of targets, so they are lines of matrices and never Python objects.

    >>> problem = Problem.of((2, 3, 2), [((0, 1, 2), 2)])
    >>> list(problem.targets)
    [(0, 1), (0, 2), (1, 2)]
    >>> problem.tuples, problem.lower_bound
    (16, 6)
    """

    levels: tuple[int, ...]
    matrices: tuple[Columns, ...]

    @classmethod
    def of(cls, levels: Sequence[int], groups: Iterable[tuple[Sequence[int], int]]) -> Problem:
        """Targets from groups ``(columns, strength)``; a strength above the group's size means all of it."""
        wanted = []
        for columns, strength in groups:
            unique = np.array(sorted(set(columns)), dtype=np.int64)
            if len(unique):
                wanted.append(unique[column_sets(len(unique), min(strength, len(unique)))])
        return cls(tuple(levels), maximal(wanted))

    @property
    def columns(self) -> int:
        return len(self.levels)

    @property
    def target_count(self) -> int:
        return sum(map(len, self.matrices))

    @property
    def targets(self) -> Iterator[Target]:
        """The targets one by one, in the order of their numbers."""
        return (tuple(line) for matrix in self.matrices for line in matrix.tolist())

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """How many combinations each target has."""
        levels = np.array(self.levels, dtype=np.int64)
        found = [levels[matrix].prod(axis=1) for matrix in self.matrices]
        return np.concatenate([np.zeros(0, dtype=np.int64), *found])

    @cached_property
    def offsets(self) -> NDArray[np.int64]:
        """Where each target's combinations start in one flat numbering of all of them."""
        return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(self.sizes)])

    @property
    def tuples(self) -> int:
        """The number of combinations to cover, over all targets."""
        return int(self.offsets[-1])

    @property
    def lower_bound(self) -> int:
        """No array is smaller than the largest target, since one row covers one combination of it."""
        return int(self.sizes.max()) if len(self.sizes) else 1

    def with_levels(self, levels: tuple[int, ...]) -> Problem:
        """The same targets over columns with other numbers of levels."""
        return Problem(levels, self.matrices)

    def reorder(self, order: Sequence[int]) -> Problem:
        """The same problem with column ``order[i]`` in position ``i``."""
        position = np.empty(len(order), dtype=np.int64)
        position[list(order)] = np.arange(len(order))
        matrices = tuple(_sorted_lines(np.sort(position[matrix], axis=1)) for matrix in self.matrices)
        return Problem(tuple(self.levels[c] for c in order), matrices)

    def decode(self, flat: int) -> tuple[Target, tuple[int, ...]]:
        """The target and the levels that a flat tuple number stands for."""
        which = int(np.searchsorted(self.offsets, flat, side="right")) - 1
        target = self.target(which)
        rest, levels = flat - int(self.offsets[which]), []
        for column in reversed(target):
            rest, level = divmod(rest, self.levels[column])
            levels.append(level)
        return target, tuple(reversed(levels))

    def target(self, number: int) -> Target:
        for matrix in self.matrices:
            if number < len(matrix):
                return tuple(matrix[number].tolist())
            number -= len(matrix)
        raise IndexError(number)

    def partial_rows(self, flat: NDArray[np.int64]) -> Rows:
        """One row for each flat tuple number, decided only where the combination is."""
        rows = blank_rows(len(flat), self.columns)
        which = np.searchsorted(self.offsets, flat, side="right") - 1
        rest = flat - self.offsets[which]
        levels = np.array(self.levels, dtype=np.int64)
        for numbers, columns in self.by_size:
            lines = np.flatnonzero((which >= numbers.start) & (which < numbers.stop))
            left, sets = rest[lines], columns[which[lines] - numbers.start]
            for place in range(columns.shape[1] - 1, -1, -1):
                left, rows[lines, sets[:, place]] = np.divmod(left, levels[sets[:, place]])
        return rows

    def ranks(self, rows: Rows) -> Iterator[tuple[range, Ranks]]:
        """Flat tuple numbers of every row and target, in chunks ``(target numbers, ranks[target, row])``.

        A row that leaves a column of a target undecided gets :attr:`tuples`, one past the last number.
        """
        step = max(1, CHUNK // max(1, len(rows)))
        for numbers, columns in self.by_size:
            for start in range(0, len(columns), step):
                part = columns[start : start + step]
                own = range(numbers.start + start, numbers.start + start + len(part))
                offsets = self.offsets[own.start : own.stop]
                yield own, rank_columns(rows, part, self.levels, offsets, self.tuples)

    def covered(self, rows: Rows) -> NDArray[np.bool_]:
        """Which combinations the rows cover, over the flat numbering."""
        seen = np.zeros(self.tuples + 1, dtype=np.bool_)
        for _, ranked in self.ranks(rows):
            seen[ranked.ravel()] = True
        return seen[:-1]

    def counts(self, rows: Rows) -> NDArray[np.int64]:
        """How many rows cover each combination; one more entry at the end for undecided ones."""
        total = np.zeros(self.tuples + 1, dtype=np.int64)
        for _, ranked in self.ranks(rows):
            total += np.bincount(ranked.ravel(), minlength=self.tuples + 1)
        return total

    @cached_property
    def by_size(self) -> list[tuple[range, Columns]]:
        """Targets of equal size together: their numbers, and their columns as a matrix."""
        found, first = [], 0
        for matrix in self.matrices:
            found.append((range(first, first + len(matrix)), matrix))
            first += len(matrix)
        return found


def rank_columns(
    rows: Rows,
    columns: NDArray[np.int64],
    levels: Sequence[int],
    offsets: NDArray[np.int64],
    undecided: int,
) -> Ranks:
    """Mixed-radix numbers of the given column sets (one per line of ``columns``) in every row.

    The result has a line per column set and a column per row; ``undecided`` where a position is ANY.
    """
    by_column = np.ascontiguousarray(rows.T)
    # Half the memory, and with it half the time, as long as the numbers fit.
    kind: type[np.int32] | type[np.int64] = np.int32 if undecided < 2**31 else np.int64
    radix: Ranks = np.array(levels, dtype=kind)
    ranked: Ranks = np.zeros((len(columns), len(rows)), dtype=kind)
    open_cells = bool((rows < 0).any())
    holes = np.zeros(ranked.shape, dtype=np.bool_) if open_cells else None
    for position in range(columns.shape[1]):
        column = columns[:, position]
        values = by_column[column]
        ranked *= radix[column][:, None]
        ranked += values
        if holes is not None:
            holes |= values < 0
    ranked += offsets[:, None].astype(kind)
    if holes is not None:
        ranked[holes] = undecided
    return ranked


def maximal(wanted: Iterable[Columns]) -> tuple[Columns, ...]:
    """Targets without repetitions and without those inside larger ones: covering the larger one covers them.

    (Also under constraints: a combination that some valid row holds is part of a larger one it holds.)

    >>> [matrix.tolist() for matrix in maximal([np.array([[0, 1], [1, 2]]), np.array([[0, 1, 3]])])]
    [[[1, 2]], [[0, 1, 3]]]
    """
    by_size: dict[int, list[Columns]] = {}
    for matrix in wanted:
        by_size.setdefault(matrix.shape[1], []).append(matrix)
    kept = []
    for size in sorted(by_size):
        found = _sorted_lines(by_size[size][0] if len(by_size[size]) == 1 else np.concatenate(by_size[size]))
        shadow = {
            part
            for larger, matrices in by_size.items()
            if larger > size
            for matrix in matrices
            for line in matrix.tolist()
            for part in combinations(line, size)
        }
        if shadow:
            found = found[[tuple(line) not in shadow for line in found.tolist()]]
        if len(found):
            kept.append(found)
    return tuple(kept)


def _sorted_lines(matrix: Columns) -> Columns:
    """The different lines of a matrix in order."""
    ordered = matrix[np.lexsort(matrix.T[::-1])]
    different = np.ones(len(ordered), dtype=np.bool_)
    different[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    return ordered if different.all() else ordered[different]
