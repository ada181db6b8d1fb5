"""Sub-models: parameters that are combined among themselves first, and then act as one parameter.

Hardware is expensive and software is cheap: ``{cpu, ram, disk} @ 2`` makes a few machines in which every pair
occurs, and the rest of the model is combined with whole machines. This is the meaning of sub-models in PICT.
A group in ``strengths`` is different: it asks for more combinations of its parameters, and does not make
configurations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from everycase.arrays.array import CoveringArray, why_infeasible
from everycase.arrays.constraints import Constraint
from everycase.arrays.layout import Layout
from everycase.arrays.model import Model
from everycase.arrays.placing import fill, place_all
from everycase.arrays.problem import ANY, blank_rows

MAX_ROUNDS = 10
"""How often configurations are added for combinations that those so far do not allow; each round leaves fewer."""

#: Makes the rows of a model that has no sub-models: ``(model, strength, must_include) -> array``.
Build = Callable[[Model, int, list[dict[str, Any]]], CoveringArray]


class SubmodelArray(CoveringArray):
    """The rows of a model with sub-models. The combinations it counts are those of whole configurations."""

    def __init__(self, model: Model, outer: CoveringArray, inner: Mapping[str, CoveringArray]) -> None:
        super().__init__(
            outer._layout,
            outer.levels,
            outer._verdict,
            f"sub-models, then {outer.how}",
            outer.seed,
            outer.kept,
        )
        self.model = model
        self.outer = outer
        self.inner = dict(inner)

    def tuples(self) -> list[tuple[Any, ...]]:
        return [tuple(row.values()) for row in self]

    def rows_with(self, combination: Mapping[str, Any]) -> list[int]:
        wanted = self._flat(combination)
        self.model.levels_of(wanted or {}, "combination")
        if wanted is None:
            return []
        return [
            number for number, row in enumerate(self) if all(row[name] == wanted[name] for name in wanted)
        ]

    def why_infeasible(self, combination: Mapping[str, Any]) -> list[str]:
        wanted = self._flat(combination)
        if wanted is None:
            return ["a parameter that two sub-models share has one value in a row"]
        return why_infeasible(self.model, wanted) or self._no_configuration(combination)

    def _flat(self, combination: Mapping[str, Any]) -> dict[str, Any] | None:
        return _consistent(combination, {name: array.model.names for name, array in self.inner.items()})

    def _no_configuration(self, combination: Mapping[str, Any]) -> list[str]:
        """The sub-models have no configurations that would make the combination possible, although the model allows it."""
        return [] if self.rows_with(combination) else ["the configurations of the sub-models"]

    def invalid_in(self, row: int) -> str | None:
        values = self[row]
        for domain in self.model.domains:
            if domain.is_invalid(domain.level(values[domain.name])):
                return domain.name
        return None

    def describe(self) -> str:
        """One line that says exactly what was covered."""
        parts = []
        for name, array in self.inner.items():
            used = len({whole[name] for whole in self.outer})
            what = f"all {array.strength}-way combinations of {', '.join(array.model.names)}"
            if used < len(
                array
            ):  # it shares a parameter with another sub-model, which has no such configuration
                what = f"{what}, as far as the other sub-models allow"
            parts.append(f"{used:,} configurations with {what}")
        others = len(self.outer.model.names) - len(self.inner)
        what = f"{len(self.inner)} sub-model{'s' * (len(self.inner) > 1)}"
        what += f" and {others} parameter{'s' * (others > 1)}" if others else ""
        parts.append(f"all {self.outer.strength}-way combinations of {what}")
        return f"{'; '.join(parts)}: {len(self):,} rows"

    def _row(self, levels: Sequence[int]) -> dict[str, Any]:
        whole = dict(zip(self.outer.model.names, self.outer.model.values(levels)))
        found = _flattened(whole, {name: array.model.names for name, array in self.inner.items()})
        return {name: found[name] for name in self.model.names}


def combine_submodels(
    model: Model, strength: int, given: Iterable[Mapping[str, Any]], build: Build
) -> SubmodelArray:
    """Configurations of each sub-model, then rows that combine whole configurations with the other parameters."""
    rows = [dict(row) for row in given]
    for _ in range(MAX_ROUNDS):
        found = _combined(model, strength, rows, build)
        more = _left_out(model, found)
        if not more:
            break
        rows += more
    return found


def _combined(model: Model, strength: int, rows: list[dict[str, Any]], build: Build) -> SubmodelArray:
    inner: dict[str, CoveringArray] = {}
    for columns, order in model.submodels:
        names = tuple(model.names[column] for column in columns)
        part = _part(model, names)
        known = [{n: row[n] for n in names if n in row} for row in rows]
        inner[_name(names)] = build(
            part, min(strength, len(names)) if order is None else order, [row for row in known if row]
        )
    outer = _outer(model, inner)
    wanted = [_whole(row, inner) for row in rows]
    return SubmodelArray(model, build(outer, min(strength, len(outer.names)), wanted), inner)


def _left_out(model: Model, found: SubmodelArray) -> list[dict[str, Any]]:
    """Rows with combinations that the model allows, but that no combination of the configurations contains.

    Constraints between sub-models may leave a configuration without a partner.
    """
    members = {name: array.model.names for name, array in found.inner.items()}
    combinations = [values for one in found.infeasible if (values := _consistent(one, members)) is not None]
    for name, array in found.inner.items():
        used = {whole[name] for whole in found.outer}
        combinations += [row for row in array if tuple(row.values()) not in used]
    if not combinations:
        return []
    layout = Layout(model, 1)
    wanted = layout.encode([model.levels_of(values) for values in combinations])
    wanted = wanted[layout.feasibility.possible_each(wanted)]
    clean = layout.without_invalid(wanted)
    random = np.random.RandomState(0)
    rows: list[dict[str, Any]] = []
    for part, feasibility in (
        (wanted[clean], layout.valid_feasibility),
        (wanted[~clean], layout.feasibility),
    ):
        placed = place_all(
            blank_rows(0, len(model.names)),
            feasibility.levels,
            feasibility,
            ((tuple(np.flatnonzero(row != ANY).tolist()), row[row != ANY].tolist()) for row in part),
        )
        filled = fill(placed, feasibility, [None] * len(model.names), random)
        rows += [dict(zip(model.names, model.values(line))) for line in filled.tolist()]
    return rows


def _consistent(row: Mapping[str, Any], members: Mapping[str, tuple[str, ...]]) -> dict[str, Any] | None:
    """The values of a combination of configurations; None if two of them differ in a common parameter."""
    values: dict[str, Any] = {}
    for name, value in row.items():
        for each, own in zip(members[name], value) if name in members else [(name, value)]:
            if values.setdefault(each, own) != own:
                return None
    return values


def _part(model: Model, names: tuple[str, ...]) -> Model:
    """The parameters of a sub-model, with the constraints that read no others, and those that others impose."""
    domains = [model.domains[model.names.index(name)] for name in names]
    reads = [set(rule.used(model.names)) for rule in model.constraints]
    rules = [rule for rule, read in zip(model.constraints, reads) if read <= set(names)]
    if any(read & set(names) and not read <= set(names) for read in reads):
        rules.append(_extensible(model, names))
    return Model(
        {domain.name: [domain.at(level) for level in range(domain.valid)] for domain in domains},
        rules,
        invalid={domain.name: [domain.at(n) for n in range(domain.valid, domain.size)] for domain in domains},
        weights={domain.name: weights for domain in domains if (weights := _weights(model, domain.name))},
    )


def _extensible(model: Model, names: tuple[str, ...]) -> Constraint:
    """A configuration that no whole row can contain is left out."""
    feasibility = Layout(model, 1).feasibility
    columns = [model.names.index(name) for name in names]

    def fits(**row: Any) -> bool:
        levels = [ANY] * len(model.names)
        for column, name in zip(columns, names):
            levels[column] = model.domains[column].level(row[name])
        return bool(feasibility.possible(levels))

    return Constraint(fits, names, "what the rest of the model allows", judges_invalid=True)


def _weights(model: Model, name: str) -> list[float] | None:
    found = model.preferences[model.names.index(name)]
    return None if found is None else list(found)


def _outer(model: Model, inner: Mapping[str, CoveringArray]) -> Model:
    """The model whose parameters are whole configurations and the parameters of no sub-model."""
    members = {name: array.model.names for name, array in inner.items()}
    inside = {name for names in members.values() for name in names}
    parameters: dict[str, Any] = {}
    invalid: dict[str, list[Any]] = {}
    for name, array in inner.items():
        configurations = {tuple(row.values()): array.invalid_in(i) for i, row in enumerate(array)}
        parameters[name] = [each for each, wrong in configurations.items() if wrong is None]
        invalid[name] = [each for each, wrong in configurations.items() if wrong is not None]
    for domain in model.domains:
        if domain.name not in inside:
            parameters[domain.name] = [domain.at(level) for level in range(domain.valid)]
            invalid[domain.name] = [domain.at(level) for level in range(domain.valid, domain.size)]
    rules = [_lifted(rule, model, members) for rule in model.constraints]
    for (one, first), (other, second) in combinations(members.items(), 2):
        if set(first) & set(second):
            rules.append(_agreeing(one, first, other, second))
    weights = {name: found for name in parameters if name in model.names and (found := _weights(model, name))}
    return Model(parameters, [rule for rule in rules if rule is not None], invalid=invalid, weights=weights)


def _lifted(rule: Constraint, model: Model, members: Mapping[str, tuple[str, ...]]) -> Constraint | None:
    """A constraint on parameters as one on configurations; None for one that each configuration meets already."""
    reads = rule.used(model.names)
    if any(set(reads) <= set(names) for names in members.values()):
        return None
    places = dict.fromkeys(
        next((whole for whole, names in members.items() if name in names), name) for name in reads
    )

    def holds(**row: Any) -> bool:
        values = _flattened(row, members)
        return bool(rule.predicate(**{name: values[name] for name in reads}))

    return Constraint(holds, tuple(places), rule.name, judges_invalid=rule.judges_invalid)


def _agreeing(one: str, first: tuple[str, ...], other: str, second: tuple[str, ...]) -> Constraint:
    """Two sub-models with a parameter in common have one value for it."""
    common = [name for name in first if name in second]

    def agree(**row: Any) -> bool:
        a, b = dict(zip(first, row[one])), dict(zip(second, row[other]))
        return all(a[name] == b[name] for name in common)

    return Constraint(agree, (one, other), f"one value for {', '.join(common)}", judges_invalid=True)


def _whole(row: Mapping[str, Any], inner: Mapping[str, CoveringArray]) -> dict[str, Any]:
    """A given row as one of configurations; what it leaves open stays open."""
    inside = {name for array in inner.values() for name in array.model.names}
    found: dict[str, Any] = {name: value for name, value in row.items() if name not in inside}
    for whole, array in inner.items():
        known = {name: row[name] for name in array.model.names if name in row}
        if known:
            fitting = (each for each in array if all(each[name] == value for name, value in known.items()))
            found[whole] = tuple(next(fitting).values())
    return found


def _flattened(row: Mapping[str, Any], members: Mapping[str, tuple[str, ...]]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, value in row.items():
        values.update(zip(members[name], value) if name in members else [(name, value)])
    return values


def _name(names: tuple[str, ...]) -> str:
    return "{" + ", ".join(names) + "}"
