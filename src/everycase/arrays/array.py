"""CoveringArray: the rows, and methods to inspect and export them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from everycase.arrays.layout import Layout
from everycase.arrays.model import Model
from everycase.arrays.problem import ANY, Rows
from everycase.errors import EverycaseError
from everycase.gen.validate import require_instance

Row = dict[str, Any]

#: Maximum number of rows that a notebook shows.
SHOWN_ROWS = 200


class CoveringArray(Sequence[Row]):
    """A sequence of rows, each a dict from parameter names to values; verified before it was made.

    ``how`` says where the rows come from, ``kept`` how many of them were given (``must_include``, ``extend``).
    """

    def __init__(
        self,
        layout: Layout,
        levels: Sequence[Sequence[int]],
        verdict: Verdict,
        how: str,
        seed: int,
        kept: int,
    ) -> None:
        self.model: Model = layout.model
        self.strength = layout.strength
        self.how = how
        self.seed = seed
        self.kept = kept
        self.levels = [tuple(line) for line in levels]
        self._layout = layout
        self._verdict = verdict

    def __len__(self) -> int:
        return len(self.levels)

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> list[Row]: ...
    def __getitem__(self, index: int | slice) -> Row | list[Row]:
        if isinstance(index, slice):
            return [self._row(line) for line in self.levels[index]]
        return self._row(self.levels[index])

    def __iter__(self) -> Iterator[Row]:
        return (self._row(line) for line in self.levels)

    def __repr__(self) -> str:
        return f"<{self.describe()}>"

    def _repr_html_(self) -> str:
        """The representation in a notebook."""
        from everycase.gen.plain import shortened
        from everycase.pages.html import fragment, joined, table, tag

        rows: list[list[object]] = [
            [f"{place + 1}", *[tag("code", shortened(value)) for value in line]]
            for place, line in enumerate(self.tuples()[:SHOWN_ROWS])
        ]
        more = len(self) - len(rows)
        return fragment(
            joined(
                tag("p", self.describe()),
                table(["row", *self.model.names], rows, f"{len(self):,} rows"),
                tag("p", f"and {more:,} more rows", class_="soft") if more > 0 else None,
            )
        )

    def tuples(self) -> list[tuple[Any, ...]]:
        """The rows as tuples in the order of the parameters."""
        return [self.model.values(line) for line in self.levels]

    @property
    def added(self) -> list[Row]:
        """The rows beyond the ones that were given."""
        return self[self.kept :]

    @property
    def combinations(self) -> int:
        """How many combinations the array covers."""
        return self._verdict.combinations - len(self._verdict.infeasible)

    @property
    def infeasible(self) -> list[dict[str, Any]]:
        """The combinations for which the constraints leave no valid row."""
        return [self._layout.describe_tuple(flat) for flat in self._excluded]

    @property
    def split_names(self) -> list[str]:
        """The parameters that were split into digits."""
        return [self.model.names[p] for p in self._layout.splits]

    def covered_by(self, rows: Sequence[int]) -> int:
        """How many combinations these rows (by number) cover, of :attr:`combinations`; for runs that stop early."""
        chosen = self._layout.encode([self.levels[i] for i in rows])
        return self._verdict.combinations - len(self._layout.uncovered(chosen))

    def first_in(self, row: int) -> list[dict[str, Any]]:
        """The combinations that this row covers and no row before it does.

        >>> from everycase.arrays import covering_array
        >>> rows = covering_array({"a": [1, 2], "b": [1, 2], "c": [1, 2]}, must_include=[(1, 1, 1), (1, 1, 2)])
        >>> rows.first_in(1)
        [{'a': 1, 'c': 2}, {'b': 1, 'c': 2}]
        """
        first, _ = self._explained
        return self._described(first[row])

    def only_in(self, row: int) -> list[dict[str, Any]]:
        """The combinations that no other row covers: why this row is needed. A row without any is
        redundant."""
        _, only = self._explained
        return self._described(only[row])

    def rows_with(self, combination: Mapping[str, Any]) -> list[int]:
        """The numbers of the rows that contain a combination of any parameters.

        >>> from everycase.arrays import covering_array
        >>> len(covering_array({"a": [1, 2], "b": [1, 2]}).rows_with({"a": 1}))
        2
        """
        digits = self._digits(combination)
        wanted = self.model.levels_of(combination, "combination") if digits is None else digits
        lines = self.levels if digits is None else self._layout.encode(self.levels).tolist()
        return [
            number
            for number, line in enumerate(lines)
            if all(level in (ANY, own) for level, own in zip(wanted, line))
        ]

    def why_infeasible(self, combination: Mapping[str, Any]) -> list[str]:
        """A minimal set of constraints that rule a combination out; empty if they allow it.

        >>> from everycase.arrays import Model, constraint, covering_array
        >>> rule = constraint("no safari on linux")(lambda os, browser: (os, browser) != ("linux", "safari"))
        >>> rows = covering_array(Model({"os": ["linux", "mac"], "browser": ["firefox", "safari"]}, [rule]))
        >>> rows.why_infeasible({"os": "linux", "browser": "safari"})
        ['no safari on linux']
        """
        digits = self._digits(combination)
        return (
            why_infeasible(self.model, combination)
            if digits is None
            else self._layout.feasibility.conflict(digits)
        )

    def _digits(self, combination: Mapping[str, Any]) -> list[int] | None:
        """Levels of the columns for a combination that names digits, as :meth:`first_in` does; None if it does not."""
        columns = {self._layout.column_name(column): column for column in range(len(self._layout.levels))}
        if all(name in self.model.names for name in combination) or not columns.keys() >= combination.keys():
            return None
        row = [ANY] * len(columns)
        for name, value in combination.items():
            whole = self.model.names.index(name) if name in self.model.names else None
            row[columns[name]] = value if whole is None else self.model.domains[whole].level(value)
        return row

    @cached_property
    def _explained(self) -> tuple[list[list[int]], list[list[int]]]:
        """For each row the numbers of the combinations that it covers first, and of those it alone covers."""
        layout = self._layout
        rows = layout.encode(self.levels)
        clean = layout.without_invalid(rows)
        valid = layout.valid_levels != layout.levels
        times: dict[int, int] = {}
        held: list[list[int]] = []
        for number in range(len(rows)):
            own = np.concatenate(
                [ranked[:, 0] for _, ranked in layout.problem.ranks(rows[number : number + 1])]
            )
            if valid and not clean[number]:
                # A row with an invalid value counts only for that value.
                own = own[~layout.without_invalid(layout.problem.partial_rows(own.astype(np.int64)))]
            held.append(own.tolist())
            for flat in held[-1]:
                times[flat] = times.get(flat, 0) + 1
        seen: set[int] = set()
        first = []
        for numbers in held:
            first.append([flat for flat in numbers if flat not in seen])
            seen.update(numbers)
        return first, [[flat for flat in numbers if times[flat] == 1] for numbers in held]

    def _described(self, numbers: list[int]) -> list[dict[str, Any]]:
        return [self._layout.describe_tuple(flat) for flat in numbers]

    def invalid_in(self, row: int) -> str | None:
        """The parameter that has an invalid value in that row, if there is one."""
        for domain, level in zip(self.model.domains, self.levels[row]):
            if domain.is_invalid(level):
                return domain.name
        return None

    def describe(self) -> str:
        """One line that says exactly what was covered.

        >>> from everycase.arrays import covering_array
        >>> covering_array({"a": [1, 2, 3], "b": bool}, strength=2).describe()
        'all 2-way combinations of 2 parameters: 6 rows'
        """
        split = self.split_names
        parts = [f"all {self.strength}-way combinations of {len(self.model.names)} parameters"]
        if split:
            whole = [self.model.names[p] for p, s in self._layout.splits.items() if s.every_value]
            parts.append(
                f"{', '.join(split)} by digits" + (", every value of each" if whole == split else "")
            )
        for columns, strength in self.model.groups:
            names = ", ".join(self.model.names[c] for c in columns)
            parts.append(f"{min(strength, len(columns))}-way of {names}")
        infeasible = len(self._excluded)
        if infeasible:
            parts.append(f"{infeasible:,} combinations are infeasible")
        rejected = sum(self.invalid_in(row) is not None for row in range(len(self)))
        with_invalid = f", {rejected:,} of them with one invalid value" if rejected else ""
        return f"{'; '.join(parts)}: {len(self):,} rows{with_invalid}"

    @cached_property
    def _excluded(self) -> list[int]:
        found: list[int] = self._layout.by_constraints(self._verdict.infeasible).tolist()
        return found

    def _row(self, levels: Sequence[int]) -> Row:
        return dict(zip(self.model.names, self.model.values(levels)))


def why_infeasible(model: Model, combination: Mapping[str, Any]) -> list[str]:
    """A minimal set of constraints of a model that rule a combination out; empty if they allow it."""
    require_instance("model", model, Model, "a Model")
    layout = Layout(model, 1)
    rows = layout.encode([model.levels_of(combination, "combination")])
    # Constraints need not judge invalid values, but valid ones have to meet in a row without any.
    clean = bool(layout.without_invalid(rows)[0])
    return (layout.valid_feasibility if clean else layout.feasibility).conflict(rows[0].tolist())


@dataclass(frozen=True)
class Verdict:
    """The result: flat numbers of combinations that no valid row can contain; all others are covered."""

    combinations: int
    infeasible: NDArray[np.int64]


def verify(layout: Layout, rows: Rows) -> Verdict:
    """Check the array against the rule tables and the targets; raises if it falls short of its promise."""
    levels = np.array(layout.levels)
    if len(rows) and ((rows < 0).any() or (rows >= levels).any()):
        raise EverycaseError(
            "internal error: a row of the covering array is incomplete; please report this with the model"
        )
    for rule in layout.rules:
        if rule.broken_by(rows).any():
            raise EverycaseError(
                f"internal error: a row of the covering array breaks {rule.name}; please report this with the model"
            )
    missing = layout.uncovered(rows)
    if layout.possible(missing).any():
        raise EverycaseError(
            "internal error: the array misses a combination that it could cover; please report this with the model"
        )
    return Verdict(layout.problem.tuples, missing)
