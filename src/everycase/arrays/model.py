"""Model: named parameters, what may not be combined, and how strongly groups of them interact."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from everycase.arrays.constraints import Constraint, Predicate, as_constraints
from everycase.arrays.domain import Domain
from everycase.arrays.feasibility import Rule
from everycase.choices.time_limit import watched
from everycase.errors import InvalidArgument

AT_MOST_ONE_INVALID = "at most one invalid value"
"""Name of the built-in rule, for conflicts and for rows that break it."""


class Model:
    """What to combine.

    ``parameters`` maps names to values (a sequence, ``bool``, an Enum class, or a finite generator).
    ``constraints`` are functions whose parameter names are columns, ``forbid(...)``, ``implies(...)``, or
    mappings to forbid. ``strengths`` maps groups of names to their own strength, also above or overlapping;
    a strength above the group's size means every combination of the group. ``invalid`` maps names to further
    values that must be rejected: a row contains at most one of them. ``weights`` say which values to prefer
    if any will do, as a mapping from value to weight or a list in the order of the values. ``submodels`` maps
    groups of names to an order: the group is combined to that order first, and its configurations are then
    treated as one parameter.

    >>> model = Model(
    ...     {"os": ["linux", "mac", "windows"], "browser": ["firefox", "safari"], "dark": bool},
    ...     constraints=[lambda os, browser: browser != "safari" or os == "mac"],
    ... )
    >>> model
    Model(os: 3, browser: 2, dark: 2; 1 constraint)
    """

    def __init__(
        self,
        parameters: Mapping[str, Any],
        constraints: Iterable[Constraint | Predicate | Mapping[str, Any]] | None = None,
        strengths: Mapping[tuple[str, ...], int] | None = None,
        invalid: Mapping[str, Iterable[Any]] | None = None,
        weights: Mapping[str, Mapping[Any, float] | Sequence[float]] | None = None,
        submodels: Mapping[tuple[str, ...], int | None] | None = None,
    ) -> None:
        if not isinstance(parameters, Mapping) or not parameters:
            raise InvalidArgument(
                "parameters must be a mapping from names to values, for example {'os': ['linux', 'mac']}"
            )
        for name in parameters:
            if not isinstance(name, str):
                raise InvalidArgument(f"parameter names are strings, not {name!r}")
        self.names: tuple[str, ...] = tuple(parameters)
        self._positions = {name: position for position, name in enumerate(self.names)}
        invalid = self._known(invalid or {}, "invalid")
        # There may be hundreds of thousands of them.
        self.domains = tuple(
            Domain(name, parameters[name], invalid.get(name, ())) for name in watched(self.names)
        )
        self.constraints = as_constraints(() if constraints is None else constraints)
        for constraint in self.constraints:
            constraint.columns(self.names)
        if not isinstance(strengths, Mapping | None):
            raise InvalidArgument(
                f"strengths is {strengths!r}; write a mapping from groups to strengths, {{('os', 'fs'): 3}}"
            )
        self.groups = tuple(self._group(names, strength) for names, strength in (strengths or {}).items())
        self.submodels = self._submodels(submodels or {})
        self._weights = self._known(weights or {}, "weights")
        self.preferences = tuple(self._preference(domain) for domain in self.domains)

    def __repr__(self) -> str:
        sizes = ", ".join(f"{d.name}: {d.size}" for d in self.domains)
        count = len(self.constraints)
        return f"Model({sizes}" + (f"; {count} constraint{'s' * (count > 1)})" if count else ")")

    def excluding(self, combinations: Iterable[Mapping[str, Any]]) -> Model:
        """The same model without rows that contain any of these combinations.

        >>> Model({"a": [1, 2], "b": [1, 2]}).excluding([{"a": 1, "b": 2}])
        Model(a: 2, b: 2; 1 constraint)
        """
        other = copy(self)
        other.__dict__.pop("rules", None)  # those that were worked out are of this model
        further = as_constraints(list(combinations))
        for constraint in further:
            constraint.columns(self.names)
        other.constraints = (*self.constraints, *further)
        return other

    @property
    def levels(self) -> tuple[int, ...]:
        """How many values each parameter has, invalid ones included."""
        return tuple(domain.size for domain in self.domains)

    @property
    def cardinality(self) -> int:
        """How many rows there are in full, constraints aside."""
        return math.prod(self.levels)

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """The constraints as tables over columns, and the rule of one invalid value where there are any."""
        rules = []
        given_names = [constraint.name for constraint in self.constraints]
        for i, constraint in enumerate(self.constraints):
            columns = constraint.columns(self.names)
            # Two lambdas on one line have the same name; errors must tell them apart.
            name = (
                constraint.name
                if given_names.count(constraint.name) == 1
                else f"constraints[{i}], {constraint.name}"
            )
            rules.append(Rule(columns, constraint.table([self.domains[c] for c in columns]), name))
        with_invalid = [c for c, domain in enumerate(self.domains) if domain.valid < domain.size]
        for first, second in combinations(with_invalid, 2):
            forbidden = np.zeros((self.domains[first].size, self.domains[second].size), dtype=np.bool_)
            forbidden[self.domains[first].valid :, self.domains[second].valid :] = True
            rules.append(Rule((first, second), forbidden, AT_MOST_ONE_INVALID, built_in=True))
        return tuple(rules)

    def position(self, name: str) -> int:
        if name not in self._positions:
            raise InvalidArgument(
                f"{name!r} is not a parameter of the model; its parameters are {', '.join(self.names)}"
            )
        return self._positions[name]

    def values(self, levels: Sequence[int]) -> tuple[Any, ...]:
        """The row that level numbers stand for."""
        return tuple(domain.at(level) for domain, level in zip(self.domains, levels))

    def levels_of(self, row: Any, what: str = "row", text: bool = False) -> list[int]:
        """Level numbers of a row given as a mapping (names may be missing: -1) or as a sequence of all values."""
        if isinstance(row, Mapping):
            for name in row:
                if name not in self.names:
                    raise InvalidArgument(
                        f"{what} has {name!r}, which is not a parameter of the model; its parameters are "
                        f"{', '.join(self.names)}"
                    )
            given = [(c, row[name]) for c, name in enumerate(self.names) if name in row]
        elif isinstance(row, Sequence) and not isinstance(row, str):
            if len(row) != len(self.names):
                raise InvalidArgument(
                    f"{what} has {len(row)} values, but the model has {len(self.names)} parameters; "
                    "give all of them in order, or a mapping with some of them"
                )
            given = list(enumerate(row))
        else:
            raise InvalidArgument(
                f"{what} is {row!r}; write a mapping from names to values, or a tuple of all values"
            )
        levels = [-1] * len(self.names)
        for column, value in given:
            domain = self.domains[column]
            try:
                levels[column] = domain.level_of_text(value) if text else domain.level(value)
            except InvalidArgument as error:
                raise InvalidArgument(f"{what}: {error}") from None
        return levels

    def levels_of_rows(self, rows: Any, argument: str, text: bool = False) -> list[list[int]]:
        """Level numbers of an argument that is a list of rows."""
        if isinstance(rows, Mapping | str) or not isinstance(rows, Iterable):
            raise InvalidArgument(f"{argument} is {rows!r}; write a list of rows, [{{...}}, ...]")
        return [self.levels_of(row, f"{argument}[{i}]", text) for i, row in enumerate(rows)]

    def _known(self, mapping: Mapping[str, Any], argument: str) -> Mapping[str, Any]:
        if not isinstance(mapping, Mapping):
            raise InvalidArgument(f"{argument} is {mapping!r}; write a mapping from names of parameters")
        for name in mapping:
            if name not in self.names:
                raise InvalidArgument(
                    f"{argument} names {name!r}, which is not a parameter; the parameters are {', '.join(self.names)}"
                )
        return mapping

    def _group(
        self, names: Sequence[str], strength: int, argument: str = "strengths"
    ) -> tuple[tuple[int, ...], int]:
        if isinstance(names, str):
            names = (names,)
        if not names or len(set(names)) < len(names):
            raise InvalidArgument(f"group {names!r} of {argument} must name one or more different parameters")
        columns = tuple(self.position(name) for name in names)
        if not isinstance(strength, int) or isinstance(strength, bool) or strength < 1:
            raise InvalidArgument(
                f"the strength of group {tuple(names)!r} is {strength!r}; write a number from 1"
            )
        return columns, strength

    def _submodels(
        self, given: Mapping[tuple[str, ...], int | None]
    ) -> tuple[tuple[tuple[int, ...], int | None], ...]:
        """Columns and order of each sub-model; None stands for the strength that the whole model is combined with."""
        if not isinstance(given, Mapping):
            raise InvalidArgument(
                f"submodels is {given!r}; write a mapping from groups to orders, {{('cpu', 'ram'): 2}}"
            )
        found = []
        for names, order in given.items():
            columns, _ = self._group(names, 1 if order is None else order, "submodels")
            if order is not None and order > len(columns):
                raise InvalidArgument(
                    f"the order of sub-model {names!r} is {order}, but it has only {len(columns)} parameters"
                )
            found.append((columns, order))
        return tuple(found)

    def _preference(self, domain: Domain) -> tuple[float, ...] | None:
        given = self._weights.get(domain.name)
        if given is None:
            return None
        weights = [1.0] * domain.size
        if not isinstance(given, Mapping | Sequence) or isinstance(given, str):
            raise InvalidArgument(
                f"weights[{domain.name!r}] is {given!r}; write a mapping from value to weight, or a list"
            )
        if isinstance(given, Mapping):
            for value, weight in given.items():
                weights[domain.level(value)] = weight
        elif len(given) in (domain.valid, domain.size):
            weights[: len(given)] = list(given)
        else:
            raise InvalidArgument(
                f"weights[{domain.name!r}] has {len(given)} numbers for {domain.valid} values; give one for each"
            )
        if any(not isinstance(w, (int, float)) or not math.isfinite(w) or w < 0 for w in weights):
            raise InvalidArgument(f"weights[{domain.name!r}] must be finite numbers from 0, not {weights!r}")
        return tuple(weights)
