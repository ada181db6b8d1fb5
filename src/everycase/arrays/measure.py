"""coverage: how much of a model existing tests cover, and what they miss."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from everycase.arrays.layout import Layout
from everycase.arrays.model import Model
from everycase.arrays.problem import Rows


class Coverage:
    """What some rows cover of all valid combinations of ``strength`` parameters.

    ``covered`` and ``feasible`` count combinations; ``invalid`` lists the rows that break a constraint, with the
    names of the constraints (such rows do not count).
    """

    def __init__(
        self,
        layout: Layout,
        unseen: NDArray[np.int64],
        missing: NDArray[np.int64],
        invalid: list[tuple[int, list[str]]],
        rows: int,
    ) -> None:
        self.strength = layout.strength
        self.rows = rows
        self.covered = layout.problem.tuples - len(unseen)
        self.feasible = self.covered + len(missing)
        self.infeasible = len(layout.by_constraints(np.setdiff1d(unseen, missing, assume_unique=True)))
        self.invalid = invalid
        self._layout = layout
        self._unseen = unseen
        self._missing = missing

    def __repr__(self) -> str:
        return f"<{self.describe()}>"

    @property
    def fraction(self) -> float:
        """Between 0 and 1; 1 means a covering array."""
        return self.covered / self.feasible if self.feasible else 1.0

    @property
    def complete(self) -> bool:
        return not len(self._missing)

    @property
    def missing_count(self) -> int:
        return len(self._missing)

    def missing(self) -> Iterator[dict[str, Any]]:
        """The combinations that no row covers, one after the other."""
        return (self._layout.describe_tuple(int(flat)) for flat in self._missing)

    def by_group(self) -> dict[tuple[str, ...], float]:
        """For each set of parameters the fraction of its valid combinations that is covered, worst first."""
        problem = self._layout.problem
        missing, unseen = (
            np.bincount(
                np.searchsorted(problem.offsets, flat, side="right") - 1, minlength=problem.target_count
            )
            for flat in (self._missing, self._unseen)
        )
        feasible = problem.sizes - unseen + missing
        groups = {
            tuple(self._layout.column_name(c) for c in target): int(size - gone) / int(size) if size else 1.0
            for target, gone, size in zip(problem.targets, missing, feasible)
        }
        return dict(sorted(groups.items(), key=lambda item: item[1]))

    def describe(self) -> str:
        return (
            f"{self.rows:,} {'row covers' if self.rows == 1 else 'rows cover'} {self.covered:,} of {self.feasible:,} {self.strength}-way combinations "
            f"({100 * self.fraction:.1f} %)"
        )


def coverage(
    rows: Iterable[Any], model: Model | Mapping[str, Any], strength: int = 2, *, text: bool = False
) -> Coverage:
    """Measure the t-way coverage of rows (mappings, which may leave parameters open, or tuples).

    With ``text`` the values are strings as read from a file, and matched by how values print.

    >>> measured = coverage([(0, 0), (1, 1)], {"a": [0, 1], "b": [0, 1]})
    >>> measured
    <2 rows cover 2 of 4 2-way combinations (50.0 %)>
    >>> list(measured.missing())
    [{'a': 0, 'b': 1}, {'a': 1, 'b': 0}]
    """
    model = model if isinstance(model, Model) else Model(model)
    layout = Layout(model, strength)
    lines = model.levels_of_rows(rows, "rows", text)
    matrix: Rows = np.array(lines, dtype=np.int32).reshape(len(lines), len(model.names))
    valid = layout.feasibility.possible_each(matrix)
    invalid = [(int(i), layout.broken_rules(matrix[i])) for i in np.flatnonzero(~valid)]
    unseen = layout.uncovered(matrix[valid])
    return Coverage(layout, unseen, unseen[layout.possible(unseen)], invalid, len(lines))
