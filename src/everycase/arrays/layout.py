"""From a model to columns of numbers and back: one column a parameter, or several digits for a large one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from everycase.arrays.feasibility import Feasibility, Rule
from everycase.arrays.model import Model
from everycase.arrays.problem import ANY, Problem, Rows
from everycase.errors import ContradictoryConstraints, InvalidArgument

MAX_ROWS = 2_000_000
MAX_TARGETS = 2_000_000


@dataclass(frozen=True)
class Split:
    """How the level numbers of one large parameter are written: ``digits`` digits in base ``base``.

    A *scaled* split reads the digits as a fraction of the range, for ranges far too large to use every value:
    then no combination of digits is out of range. Otherwise digits above the range are ruled out.
    """

    size: int
    base: int
    digits: int
    every_value: bool = True

    @property
    def scaled(self) -> bool:
        return not self.every_value and self.base**self.digits > MAX_ROWS

    def encode(self, level: int) -> list[int]:
        """Digits of a level, most significant first.

        >>> Split(1001, 4, 5).encode(1000), Split(1001, 4, 5).decode([3, 3, 2, 2, 0])
        ([3, 3, 2, 2, 0], 1000)
        """
        number = -(-level * self.base**self.digits // self.size) if self.scaled else level
        found = []
        for _ in range(self.digits):
            number, digit = divmod(number, self.base)
            found.append(digit)
        return found[::-1]

    def decode(self, digits: Sequence[int]) -> int:
        number = 0
        for digit in digits:
            number = number * self.base + int(digit)
        return number * self.size // self.base**self.digits if self.scaled else number

    def table(self) -> NDArray[np.int64]:
        """The level of every combination of digits, ``size`` or more where it is out of range."""
        numbers = np.arange(self.base**self.digits, dtype=np.int64)
        return numbers.reshape((self.base,) * self.digits)


class Layout:
    """The columns of a model, their targets and their rules, ready to be searched."""

    def __init__(self, model: Model, strength: int, splits: dict[int, Split] | None = None) -> None:
        self.model = model
        self.strength = check_strength(strength, len(model.names))
        self.splits = splits or {}
        self.columns_of: list[tuple[int, ...]] = []
        levels: list[int] = []
        for parameter, size in enumerate(model.levels):
            split = self.splits.get(parameter)
            width, each = (split.digits, split.base) if split else (1, size)
            self.columns_of.append(tuple(range(len(levels), len(levels) + width)))
            levels += [each] * width
        self.levels = tuple(levels)

    @cached_property
    def problem(self) -> Problem:
        """What has to be covered: the overall strength, the groups of the model, every value of a split one."""
        groups: list[tuple[tuple[int, ...], int]] = [(tuple(range(len(self.levels))), self.strength)]
        for parameters, strength in self.model.groups:
            columns = tuple(c for p in parameters for c in self.columns_of[p])
            groups.append((columns, strength))
        for parameter, split in self.splits.items():
            if split.every_value:
                groups.append((self.columns_of[parameter], split.digits))
        self._refuse_giants(groups)
        return Problem.of(self.levels, groups)

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """The model's rules over columns, and the upper bounds of split parameters."""
        rules = [self._over_columns(rule) for rule in self.model.rules]
        for parameter, split in self.splits.items():
            if not split.scaled and split.base**split.digits > split.size:
                name = f"upper bound of {self.model.names[parameter]}"
                beyond = split.table() >= split.size
                rules.append(Rule(self.columns_of[parameter], beyond, name, built_in=True))
        return tuple(rules)

    @cached_property
    def feasibility(self) -> Feasibility:
        """What the rules allow; an error with the conflicting constraints if they allow no row at all."""
        feasibility = Feasibility(self.levels, self.rules)
        conflict = feasibility.conflict()
        if conflict:
            raise ContradictoryConstraints(conflict)
        return feasibility

    @cached_property
    def valid_levels(self) -> tuple[int, ...]:
        """The levels of each column without the invalid values (split parameters have none)."""
        levels = list(self.levels)
        for parameter, domain in enumerate(self.model.domains):
            if parameter not in self.splits:
                levels[self.columns_of[parameter][0]] = domain.valid
        return tuple(levels)

    @cached_property
    def valid_problem(self) -> Problem:
        """What rows without any invalid value have to cover: an invalid value hides what it is combined with."""
        return self.problem.with_levels(self.valid_levels)

    @cached_property
    def valid_feasibility(self) -> Feasibility:
        """What the rules allow in rows without any invalid value."""
        if self.valid_levels == self.levels:
            return self.feasibility
        rules = []
        for rule in self.rules:
            inside = rule.forbidden[tuple(slice(0, self.valid_levels[c]) for c in rule.columns)]
            if inside.any():
                rules.append(replace(rule, forbidden=inside))
        feasibility = Feasibility(self.valid_levels, rules)
        conflict = feasibility.conflict()
        if conflict:
            raise ContradictoryConstraints(conflict)
        return feasibility

    def without_invalid(self, rows: Rows) -> NDArray[np.bool_]:
        """Which rows (or combinations) hold no invalid value."""
        clean: NDArray[np.bool_] = np.all(rows < np.array(self.valid_levels), axis=1)
        return clean

    def uncovered(self, rows: Rows) -> NDArray[np.int64]:
        """Combinations that the rows leave out; a row with an invalid value counts only for that value."""
        if self.valid_levels == self.levels:
            return np.flatnonzero(~self.problem.covered(rows))
        by_any = self.problem.covered(rows)
        left = np.flatnonzero(~self.problem.covered(rows[self.without_invalid(rows)]))
        needs_valid_row = self.without_invalid(self.problem.partial_rows(left))
        return left[needs_valid_row | ~by_any[left]]

    def possible(self, flat: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which combinations some valid row can hold, in chunks that fit in memory."""
        answers = np.ones(len(flat), dtype=np.bool_)
        if self.feasibility.free:
            return answers
        for start in range(0, len(flat), 100_000):
            part = self.problem.partial_rows(flat[start : start + 100_000])
            within = self.feasibility.possible_each(part)
            if self.valid_levels != self.levels:
                clean = self.without_invalid(part)
                within[clean] = self.valid_feasibility.possible_each(part[clean])
            answers[start : start + 100_000] = within
        return answers

    @cached_property
    def preferences(self) -> list[tuple[float, ...] | None]:
        """Weights of the levels of each column, for positions where any value will do."""
        found: list[tuple[float, ...] | None] = []
        for parameter, domain in enumerate(self.model.domains):
            weights = self.model.preferences[parameter]
            if parameter in self.splits:
                found += [None] * len(self.columns_of[parameter])
            elif domain.valid < domain.size:
                valid = weights or (1.0,) * domain.size
                found.append(valid[: domain.valid] + (0.0,) * (domain.size - domain.valid))
            else:
                found.append(weights)
        return found

    def encode(self, levels: Sequence[Sequence[int]]) -> Rows:
        """Rows of columns from rows of parameter levels."""
        rows = np.full((len(levels), len(self.levels)), ANY, dtype=np.int32)
        for r, line in enumerate(levels):
            for parameter, level in enumerate(line):
                if level != ANY:
                    split = self.splits.get(parameter)
                    rows[r, list(self.columns_of[parameter])] = split.encode(level) if split else level
        return rows

    def decode(self, rows: Rows) -> list[list[int]]:
        """Parameter levels of complete rows (plain integers: a range may be larger than a machine word)."""
        columns: list[list[int]] = []
        for parameter, where in enumerate(self.columns_of):
            split = self.splits.get(parameter)
            part = rows[:, list(where)]
            columns.append([split.decode(line) for line in part.tolist()] if split else part[:, 0].tolist())
        return [list(line) for line in zip(*columns)]

    def describe_tuple(self, flat: int) -> dict[str, Any]:
        """A combination in the words of the model; digits of split parameters are named ``name[i]``."""
        target, levels = self.problem.decode(flat)
        return {self.column_name(c): self.column_value(c, level) for c, level in zip(target, levels)}

    def column_name(self, column: int) -> str:
        parameter, digit = self._owner[column]
        name = self.model.names[parameter]
        return f"{name}[{digit}]" if parameter in self.splits else name

    def column_value(self, column: int, level: int) -> Any:
        parameter, _ = self._owner[column]
        return level if parameter in self.splits else self.model.domains[parameter].at(level)

    def by_constraints(self, infeasible: NDArray[np.int64]) -> NDArray[np.int64]:
        """Those infeasible combinations that the user's constraints exclude."""
        built_in = Feasibility(self.levels, [rule for rule in self.rules if rule.built_in])
        if built_in.free or not len(infeasible):
            return infeasible
        return infeasible[built_in.possible_each(self.problem.partial_rows(infeasible))]

    def broken_rules(self, row: Rows) -> list[str]:
        """Names of the rules that an impossible row breaks, or a description if no single rule is broken."""
        decided = [rule for rule in self.rules if all(row[c] != ANY for c in rule.columns)]
        broken = [rule.name for rule in decided if rule.broken_by(row[None])[0]]
        return broken or ["no completion of this row meets all constraints"]

    @cached_property
    def _owner(self) -> dict[int, tuple[int, int]]:
        return {c: (p, i) for p, columns in enumerate(self.columns_of) for i, c in enumerate(columns)}

    def _over_columns(self, rule: Rule) -> Rule:
        """The same rule when some of its parameters are written in digits."""
        forbidden = rule.forbidden
        columns: list[int] = []
        for parameter in rule.columns:
            axis = len(columns)
            columns += self.columns_of[parameter]
            split = self.splits.get(parameter)
            if split is None:
                continue
            if split.base**split.digits > MAX_ROWS:
                raise InvalidArgument(
                    f"{rule.name} reads {self.model.names[parameter]!r}, which is split into digits of a range too "
                    "large to tabulate; give that parameter fewer values, or test the condition in the property"
                )
            out_of_range = np.minimum(split.table(), split.size - 1)
            forbidden = np.take(forbidden, out_of_range, axis=axis)
        return replace(rule, columns=tuple(columns), forbidden=forbidden)

    def _refuse_giants(self, groups: list[tuple[tuple[int, ...], int]]) -> None:
        for columns, strength in groups:
            strength = min(strength, len(columns))
            count = math.comb(len(columns), strength)
            if count > MAX_TARGETS:
                raise InvalidArgument(
                    f"strength {strength} over {len(columns)} columns has {count:,} column sets, more than "
                    f"{MAX_TARGETS:,}; lower the strength, or raise it only for the groups that need it (strengths=)"
                )
            largest = sorted((self.levels[c] for c in columns), reverse=True)[:strength]
            needed = math.prod(largest)
            if needed > MAX_ROWS:
                raise InvalidArgument(
                    f"strength {strength} needs at least {needed:,} rows; lower the strength, give the large "
                    "parameters fewer values, or split them into digits with radix='auto'"
                )


def check_strength(strength: Any, parameters: int) -> int:
    if parameters == 1 and strength == 2:
        return 1  # the pairs of one parameter are its values
    if not isinstance(strength, int) or isinstance(strength, bool) or not 1 <= strength <= parameters:
        raise InvalidArgument(
            f"strength is {strength!r}; write a number from 1 to {parameters}, the number of parameters"
        )
    return strength
