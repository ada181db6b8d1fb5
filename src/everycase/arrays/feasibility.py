"""Can a half-decided row still become a valid one? The one question that constrained search asks.

Rules (forbidden combinations of a few columns) tie columns together; columns that no rule connects cannot
influence each other, so the question splits into connected groups. A small group is *closed* once: one
Boolean table over "this level or undecided" for each of its columns, filled by propagating with NumPy, after
which thousands of rows are answered by one gather. A larger group is given to a SAT solver (MiniSat through
python-sat: unit propagation and learned clauses, answers under assumptions in about 5 microseconds, and
unsatisfiable cores), whose answers are remembered.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from everycase.arrays.problem import ANY, Rows
from everycase.errors import missing_extra

CLOSED_TABLE_LIMIT = 200_000
"""Largest closed table, in entries; beyond it a SAT solver is both faster and smaller."""


@dataclass(frozen=True)
class Rule:
    """Forbidden combinations of some columns: ``forbidden[levels of the columns]`` is True.

    What only ``built_in`` rules exclude is no combination to speak of: two invalid values, digits beyond a range.
    """

    columns: tuple[int, ...]
    forbidden: NDArray[np.bool_]
    name: str
    built_in: bool = False

    def broken_by(self, rows: Rows) -> NDArray[np.bool_]:
        """Which of these complete rows hold a forbidden combination."""
        broken: NDArray[np.bool_] = self.forbidden[tuple(rows[:, c] for c in self.columns)]
        return broken


class Group(Protocol):
    """Columns that rules connect, and the answers about them."""

    columns: tuple[int, ...]

    def possible(self, levels: Sequence[int]) -> bool: ...

    def possible_each(self, levels: Rows) -> NDArray[np.bool_]: ...


class ClosedGroup:
    """All answers in one table. The last entry of each axis is for undecided columns: ANY is -1, which indexes it."""

    def __init__(self, columns: tuple[int, ...], levels: Sequence[int], rules: Sequence[Rule]) -> None:
        self.columns = columns
        allowed = np.ones([levels[c] for c in columns], dtype=np.bool_)
        for rule in rules:
            axes = [columns.index(c) for c in rule.columns]
            by_axis = np.argsort(axes)
            shape = [1] * len(columns)
            for axis in axes:
                shape[axis] = levels[columns[axis]]
            allowed &= ~rule.forbidden.transpose(by_axis).reshape(shape)
        for axis in range(len(columns)):
            allowed = np.concatenate([allowed, allowed.any(axis=axis, keepdims=True)], axis=axis)
        self._allowed = allowed

    def possible(self, levels: Sequence[int]) -> bool:
        return bool(self._allowed[tuple(levels)])

    def possible_each(self, levels: Rows) -> NDArray[np.bool_]:
        answers: NDArray[np.bool_] = self._allowed[tuple(levels.T)]
        return answers


class SolvedGroup:
    """Answers by a SAT solver, one variable per (column, level).

    Only "at least one level per column" is encoded. Rules only ever forbid, so a model that makes two levels
    of a column true stays a model when one of them is taken away: "at most one" would cost clauses and never
    change an answer.
    """

    def __init__(self, columns: tuple[int, ...], levels: Sequence[int], rules: Sequence[Rule]) -> None:
        self.columns = columns
        self._first = [0] * len(columns)
        count = 0
        for i, column in enumerate(columns):
            self._first[i] = count + 1
            count += levels[column]
        self._solver = new_solver()
        place = {column: i for i, column in enumerate(columns)}
        for i, column in enumerate(columns):
            self._solver.add_clause([self._first[i] + level for level in range(levels[column])])
        touched = [np.zeros(levels[c], dtype=np.bool_) for c in columns]
        for rule in rules:
            for clause in forbidding_clauses(rule):
                self._solver.add_clause([-(self._first[place[c]] + level) for c, level in clause])
                for c, level in clause:
                    touched[place[c]][level] = True
        # A level that no rule mentions can never hurt: all of a column's such levels share one answer, and a
        # column decided to one of them is as good as gone. Mapping them to "undecided" saves most questions;
        # an undecided column with such a level is satisfiable by it, so the two ask the same.
        self._asks = [np.append(t, False) for t in touched]
        self._known: dict[bytes, bool] = {}

    def possible(self, levels: Sequence[int]) -> bool:
        asked = np.array(
            [level if asks[level] else ANY for level, asks in zip(levels, self._asks)], dtype=np.int32
        )
        return self._answer(asked)

    def possible_each(self, levels: Rows) -> NDArray[np.bool_]:
        asked = levels.copy()
        for i, asks in enumerate(self._asks):
            asked[~asks[levels[:, i]], i] = ANY
        return np.array([self._answer(row) for row in asked], dtype=np.bool_)

    def _answer(self, asked: Rows) -> bool:
        key = asked.tobytes()
        known = self._known.get(key)
        if known is None:
            literals = [first + level for first, level in zip(self._first, asked.tolist()) if level != ANY]
            known = self._known[key] = bool(self._solver.solve(assumptions=literals))
        return known


class Feasibility:
    """What the rules allow, for any half-decided row over all columns."""

    def __init__(self, levels: Sequence[int], rules: Sequence[Rule]) -> None:
        self.levels = tuple(levels)
        self.rules = tuple(rules)
        self.groups: list[Group] = []
        self._group_of: dict[int, Group] = {}
        for columns in connected(rule.columns for rule in rules):
            inside = [rule for rule in rules if rule.columns[0] in columns]
            entries = math.prod(levels[c] + 1 for c in columns)
            kind = ClosedGroup if entries <= CLOSED_TABLE_LIMIT else SolvedGroup
            group: Group = kind(columns, levels, inside)
            self.groups.append(group)
            for column in columns:
                self._group_of[column] = group

    @property
    def free(self) -> bool:
        """True when there are no rules at all."""
        return not self.groups

    def reorder(self, order: Sequence[int]) -> Feasibility:
        """The same rules when column ``order[i]`` moves to position ``i``."""
        position = {column: i for i, column in enumerate(order)}
        rules = [replace(rule, columns=tuple(position[c] for c in rule.columns)) for rule in self.rules]
        return Feasibility([self.levels[c] for c in order], rules)

    def possible(self, row: Sequence[int]) -> bool:
        """Whether some valid row agrees with this one wherever it is decided."""
        return all(group.possible([row[c] for c in group.columns]) for group in self.groups)

    def possible_with(self, row: Sequence[int], columns: Iterable[int]) -> bool:
        """The same, when only ``columns`` changed since the row was last known to be possible."""
        asked: list[Group] = []
        for column in columns:
            group = self._group_of.get(column)
            if group is not None and group not in asked:
                asked.append(group)
                if not group.possible([row[c] for c in group.columns]):
                    return False
        return True

    def possible_each(self, rows: Rows) -> NDArray[np.bool_]:
        answers = np.ones(len(rows), dtype=np.bool_)
        # A group of which nothing is decided has a valid row, or there would be none at all.
        decided = np.flatnonzero((rows != ANY).any(axis=0)).tolist() if len(self.groups) > 1 else ()
        asked = dict.fromkeys(self._group_of[c] for c in decided if c in self._group_of)
        for group in asked if decided else self.groups:
            answers &= group.possible_each(rows[:, list(group.columns)])
        return answers

    def allowed(self, rows: Rows, column: int) -> NDArray[np.bool_] | None:
        """For each row and each level of ``column``, may it be set? None when no rule reads the column."""
        group = self._group_of.get(column)
        if group is None:
            return None
        levels = self.levels[column]
        answers = np.empty((len(rows), levels), dtype=np.bool_)
        part = rows[:, list(group.columns)].copy()
        axis = group.columns.index(column)
        for level in range(levels):
            part[:, axis] = level
            answers[:, level] = group.possible_each(part)
        return answers

    def conflict(self, row: Sequence[int] | None = None) -> list[str]:
        """Names of rules that cannot hold together, none of which can be spared; empty when they all can.

        With a half-decided row: that cannot hold together with what the row has decided.
        """
        if self.possible([ANY] * len(self.levels) if row is None else row):
            return []
        solver = new_solver()
        first = [1 + sum(self.levels[:column]) for column in range(len(self.levels))]
        for start, levels in zip(first, self.levels):
            solver.add_clause(list(range(start, start + levels)))
        for start, level in zip(first, row or ()):
            if level != ANY:
                solver.add_clause([start + level])
        # Each rule is in force only while its own variable is assumed, so one solver tries any set of them.
        switches = {1 + sum(self.levels) + i: rule for i, rule in enumerate(self.rules)}
        for switch, rule in switches.items():
            for clause in forbidding_clauses(rule):
                solver.add_clause([-switch] + [-(first[c] + level) for c, level in clause])
        solver.solve(assumptions=list(switches))
        core = sorted(solver.get_core())
        for switch in tuple(core):
            fewer = [other for other in core if other != switch]
            if not solver.solve(assumptions=fewer):
                core = fewer
        return list(dict.fromkeys(switches[switch].name for switch in core))


def connected(scopes: Iterable[Sequence[int]]) -> list[tuple[int, ...]]:
    """Merge sets of columns that share a column.

    >>> connected([(0, 1), (2, 3), (1, 4)])
    [(0, 1, 4), (2, 3)]
    """
    groups: list[set[int]] = []
    for scope in scopes:
        merged = set(scope)
        apart = []
        for group in groups:
            if group & merged:
                merged |= group
            else:
                apart.append(group)
        groups = [*apart, merged]
    return sorted(tuple(sorted(group)) for group in groups if group)


def forbidding_clauses(rule: Rule) -> list[list[tuple[int, int]]]:
    """The rule's forbidden combinations as few short clauses.

    Where every level of a column is forbidden next to the same combination of the others, one clause without
    that column says it.
    """
    clauses: list[list[tuple[int, int]]] = []
    _clauses_below(rule.columns, rule.forbidden, [], clauses)
    return clauses


def _clauses_below(
    columns: tuple[int, ...],
    forbidden: NDArray[np.bool_],
    prefix: list[tuple[int, int]],
    clauses: list[list[tuple[int, int]]],
) -> None:
    if forbidden.all():
        clauses.append(prefix)
        return
    if not forbidden.any():
        return
    for axis in range(len(columns)):
        # A column whose level makes no difference is left out altogether.
        if (forbidden == forbidden.take([0], axis=axis)).all():
            rest = columns[:axis] + columns[axis + 1 :]
            _clauses_below(rest, np.asarray(forbidden.take(0, axis=axis)), prefix, clauses)
            return
    for level in range(forbidden.shape[0]):
        _clauses_below(columns[1:], forbidden[level], [*prefix, (columns[0], level)], clauses)


def new_solver() -> Any:
    """An empty SAT solver, or the one line that says which extra is missing."""
    try:
        from pysat.solvers import Minisat22
    except ImportError as error:
        raise missing_extra("arrays", "solving constraints over many columns") from error
    return Minisat22()
