"""An independent checker for covering arrays: plain Python on values, sharing no code with the library.

Rows are dicts, groups are names with a strength, and conditions are functions of a whole row. Validity is checked by
calling the conditions, and completeness by collecting value combinations in sets. A combination that is missing must
be shown to be impossible by a backtracking search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations, product
from typing import Any

Condition = tuple[tuple[str, ...], Callable[..., bool]]


def names_of(function: Callable[..., Any]) -> tuple[str, ...]:
    return function.__code__.co_varnames[: function.__code__.co_argcount]


def conditions(*functions: Callable[..., bool]) -> list[Condition]:
    return [(names_of(function), function) for function in functions]


def not_together(combination: Mapping[str, Any]) -> Condition:
    names = tuple(combination)
    return names, lambda *values: any(value != combination[name] for name, value in zip(names, values))


def check(
    rows: Iterable[Mapping[str, Any]],
    parameters: Mapping[str, Sequence[Any]],
    strength: int,
    rules: Sequence[Condition] = (),
    groups: Mapping[tuple[str, ...], int] | None = None,
) -> int:
    """Assert that the rows are valid and complete; return the number of impossible combinations."""
    rows = list(rows)
    known = {name: set(values) for name, values in parameters.items()}
    for row in rows:
        assert list(row) == list(parameters)
        for name, value in row.items():
            assert value in known[name]
        for reads, holds in rules:
            assert holds(*(row[name] for name in reads)), f"{row} breaks a rule on {reads}"
    columns = {name: [row[name] for row in rows] for name in parameters}
    solver = Backtracking(parameters, rules)
    impossible = 0
    wanted = [(tuple(parameters), strength), *(groups or {}).items()]
    for names, group_strength in wanted:
        for chosen in combinations(names, min(group_strength, len(names))):
            seen = set(zip(*(columns[name] for name in chosen)))
            full = 1
            for name in chosen:
                full *= len(parameters[name])
            if len(seen) == full:
                continue
            for values in product(*(parameters[name] for name in chosen)):
                if values not in seen:
                    assert not solver.completes(dict(zip(chosen, values))), f"{chosen} = {values} is missing"
                    impossible += 1
    return impossible


class Backtracking:
    """Depth-first search for a valid row: values are tried in order, and rules are checked as soon as possible."""

    def __init__(self, parameters: Mapping[str, Sequence[Any]], rules: Sequence[Condition]) -> None:
        self.parameters = parameters
        self.rules = rules
        read = {name for names, _ in rules for name in names}
        self.order = [name for name in parameters if name in read]

    def completes(self, row: dict[str, Any]) -> bool:
        if not all(self._fine(row, name) for name in row):
            return False
        # Names that no chain of rules connects with the row cannot matter, and would only multiply the work.
        near = set(row)
        grown = True
        while grown:
            grown = False
            for reads, _ in self.rules:
                if near & set(reads) and not near.issuperset(reads):
                    near.update(reads)
                    grown = True
        return self._search(row, [name for name in self.order if name in near and name not in row])

    def _search(self, row: dict[str, Any], open_names: list[str]) -> bool:
        if not open_names:
            return True
        # the most constrained name first
        options = {}
        for name in open_names:
            options[name] = [v for v in self.parameters[name] if self._fine({**row, name: v}, name)]
            if not options[name]:
                return False
        name = min(open_names, key=lambda n: len(options[n]))
        rest = [n for n in open_names if n != name]
        return any(self._search({**row, name: value}, rest) for value in options[name])

    def _fine(self, row: Mapping[str, Any], name: str) -> bool:
        for reads, holds in self.rules:
            if name in reads and all(n in row for n in reads) and not holds(*(row[n] for n in reads)):
                return False
        return True
