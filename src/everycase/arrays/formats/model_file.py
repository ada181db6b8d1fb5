"""The content of a model file: a model, and how its rows are made and shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from everycase.arrays.array import CoveringArray
from everycase.arrays.domain import Domain
from everycase.arrays.layout import Layout
from everycase.arrays.model import Model
from everycase.arrays.problem import ANY


@dataclass(frozen=True)
class ModelFile:
    """A model and the options that its file gives for building an array from it."""

    model: Model
    strength: int = 2
    radix: Any = None
    include: list[Any] = field(default_factory=list)
    #: by parameter and value: the names by which it is shown in turn
    aliases: Mapping[str, Mapping[Any, list[str]]] = field(default_factory=dict)
    #: what is put before an invalid value where it is shown
    invalid_prefix: str = ""
    #: whether a cell of earlier rows may be spelled in other case than the value
    ignores_case: bool = False

    def shown(self, array: CoveringArray) -> list[tuple[Any, ...]]:
        """The rows as they are printed. Values with several names take turns."""
        if not self.aliases and not self.invalid_prefix:
            return array.tuples()
        turns: dict[tuple[str, Any], int] = {}
        return [tuple(self._cells(row, turns)) for row in array]

    def seeds(self, rows: list[dict[str, str]]) -> tuple[list[dict[str, Any]], list[str]]:
        """Rows of an earlier output as far as they fit the model, and what was left out, as PICT does it.

        Columns that are not parameters and values that are not theirs are left out; a row that breaks a
        constraint is left out completely.
        """
        names = {name.lower(): name for name in self.model.names}
        unknown = [name for name in (rows[0] if rows else {}) if name.lower() not in names]
        said = [f"column {name!r} is not a parameter of the model" for name in unknown]
        feasibility = Layout(self.model, 1).feasibility
        found = []
        for number, row in enumerate(rows, start=1):
            levels = [ANY] * len(names)
            for name, cell in row.items():
                if name.lower() in names and cell.strip():
                    column = self.model.names.index(names[name.lower()])
                    level = self._level(self.model.domains[column], cell.strip())
                    if level is None:
                        said.append(f"row {number}: {cell!r} is not a value of {name!r}")
                    else:
                        levels[column] = level
            if not feasibility.possible(levels):
                said.append(f"row {number} breaks a constraint")
            elif any(level != ANY for level in levels):
                domains = self.model.domains
                found.append({d.name: d.at(level) for d, level in zip(domains, levels) if level != ANY})
        return found, said

    def _level(self, domain: Domain, cell: str) -> int | None:
        """The value that a cell shows, by any of its names."""
        bare = cell.removeprefix(self.invalid_prefix).strip()
        for value, aliases in self.aliases.get(domain.name, {}).items():
            if bare in aliases:
                return domain.level(value)
        for text in (cell, bare):
            if domain.has_text(text):
                return domain.level_of_text(text)
        if not self.ignores_case:
            return None
        for value in domain.values():
            names = self.aliases.get(domain.name, {}).get(value, [str(value)])
            if bare.upper() in map(str.upper, names):
                return domain.level(value)
        return None

    def excluding(self, combinations: list[dict[str, Any]]) -> ModelFile:
        """The same without rows that hold any of these combinations."""
        return replace(self, model=self.model.excluding(combinations))

    def _cells(self, row: Mapping[str, Any], turns: dict[tuple[str, Any], int]) -> Iterator[Any]:
        for domain in self.model.domains:
            value = row[domain.name]
            shown: Any = value
            names = self.aliases.get(domain.name, {}).get(value)
            if names is not None:
                turn = turns.get((domain.name, value), 0)
                turns[domain.name, value] = turn + 1
                shown = names[turn % len(names)]
            if self.invalid_prefix and domain.is_invalid(domain.level(value)):
                shown = f"{self.invalid_prefix}{shown}"
            yield shown
