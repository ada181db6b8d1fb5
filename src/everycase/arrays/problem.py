"""The model reduced to numbers: columns with so many levels, and the sets of columns that must be covered.

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
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.int32]
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


def partial_rows(
    flat: NDArray[np.int64], levels: Sequence[int], targets: Sequence[Target], offsets: NDArray[np.int64]
) -> Rows:
    """One row for each number in the flat numbering of all combinations of all targets."""
    rows = blank_rows(len(flat), len(levels))
    which = np.searchsorted(offsets, flat, side="right") - 1
    rest = flat - offsets[which]
    for number in np.unique(which).tolist():
        lines = np.flatnonzero(which == number)
        left = rest[lines]
        for column in reversed(targets[number]):
            left, rows[lines, column] = np.divmod(left, levels[column])
    return rows


@dataclass(frozen=True)
class Problem:
    """Levels of each column, and the targets (each sorted, none inside another).

    >>> problem = Problem.of((2, 3, 2), [((0, 1, 2), 2)])
    >>> problem.targets
    ((0, 1), (0, 2), (1, 2))
    >>> problem.tuples, problem.lower_bound
    (16, 6)
    """

    levels: tuple[int, ...]
    targets: tuple[Target, ...]

    @classmethod
    def of(cls, levels: Sequence[int], groups: Iterable[tuple[Sequence[int], int]]) -> Problem:
        """Targets from groups ``(columns, strength)``; a strength above the group's size means all of it."""
        wanted: dict[Target, None] = {}
        for columns, strength in groups:
            unique = sorted(set(columns))
            for target in combinations(unique, min(strength, len(unique))):
                wanted[target] = None
        return cls(tuple(levels), maximal(wanted))

    @property
    def columns(self) -> int:
        return len(self.levels)

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """How many combinations each target has."""
        return np.array([math.prod(self.levels[c] for c in t) for t in self.targets], dtype=np.int64)

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

    def reorder(self, order: Sequence[int]) -> Problem:
        """The same problem with column ``order[i]`` in position ``i``."""
        position = {column: i for i, column in enumerate(order)}
        targets = sorted(tuple(sorted(position[c] for c in target)) for target in self.targets)
        return Problem(tuple(self.levels[c] for c in order), tuple(targets))

    def decode(self, flat: int) -> tuple[Target, tuple[int, ...]]:
        """The target and the levels that a flat tuple number stands for."""
        which = int(np.searchsorted(self.offsets, flat, side="right")) - 1
        target = self.targets[which]
        rest, levels = flat - int(self.offsets[which]), []
        for column in reversed(target):
            rest, level = divmod(rest, self.levels[column])
            levels.append(level)
        return target, tuple(reversed(levels))

    def partial_rows(self, flat: NDArray[np.int64]) -> Rows:
        """One row for each flat tuple number, decided only where the combination is."""
        return partial_rows(flat, self.levels, self.targets, self.offsets)

    def ranks(self, rows: Rows) -> Iterator[tuple[NDArray[np.int64], Ranks]]:
        """Flat tuple numbers of every row and target, in chunks ``(target numbers, ranks[target, row])``.

        A row that leaves a column of a target undecided gets :attr:`tuples`, one past the last number.
        """
        for numbers, columns in self.by_size:
            step = max(1, CHUNK // max(1, len(rows)))
            for start in range(0, len(numbers), step):
                part = slice(start, start + step)
                ranked = rank_columns(
                    rows, columns[part], self.levels, self.offsets[numbers[part]], self.tuples
                )
                yield numbers[part], ranked

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
    def by_size(self) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """Targets of equal size together: their numbers, and their columns as a matrix."""
        sizes: dict[int, list[int]] = {}
        for number, target in enumerate(self.targets):
            sizes.setdefault(len(target), []).append(number)
        return [
            (
                np.array(numbers, dtype=np.int64),
                np.array([self.targets[n] for n in numbers], dtype=np.int64).reshape(len(numbers), size),
            )
            for size, numbers in sorted(sizes.items())
        ]


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


def maximal(targets: Iterable[Target]) -> tuple[Target, ...]:
    """Drop targets inside larger ones: covering the larger one covers them.

    (Also under constraints: a combination that some valid row holds is part of a larger one it holds.)

    >>> maximal([(0, 1), (1, 2), (0, 1, 3)])
    ((0, 1, 3), (1, 2))
    """
    by_size: dict[int, set[Target]] = {}
    for target in targets:
        if target:
            by_size.setdefault(len(target), set()).add(target)
    sizes = sorted(by_size)
    kept: list[Target] = []
    for i, size in enumerate(sizes):
        shadow: set[Target] = set()
        for larger in sizes[i + 1 :]:
            for target in by_size[larger]:
                shadow.update(combinations(target, size))
        kept.extend(target for target in by_size[size] if target not in shadow)
    return tuple(sorted(kept))
