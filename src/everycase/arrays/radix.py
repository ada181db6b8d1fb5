"""Radix coverage: combine parameters with hundreds or thousands of values, digit by digit.

A large parameter is written in the smallest base that needs at most six digits; the digits of one parameter
interact fully, so that every one of its values occurs, while everything else interacts at the overall
strength. An array of the full strength would have at least the product of the two largest ranges as rows;
this one has about as many as the largest range has values.

Two ways lead there. *digits* searches over the digits as over any other columns. *permutations* starts from the
observation that every value must occur anyway: one random order of all values per parameter, side by side,
covers nearly all combinations of digits by itself, and only the rest is searched for. It is faster, exactly as
complete, and its rows look random, where searched digits give values that go up and down together.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from everycase.arrays.feasibility import Feasibility
from everycase.arrays.layout import Layout, Split
from everycase.arrays.model import Model
from everycase.arrays.problem import ANY, Problem, Rows
from everycase.errors import InvalidArgument

MOST_DIGITS = 6
EVERY_VALUE_UP_TO = 20_000
SCALED_BASE = 10

REPAIR_ROUNDS = 600
"""How often the invalid rows of a permutation start try to swap a value with valid ones before they are dropped."""


@dataclass(frozen=True)
class Radix:
    """How large parameters are split.

    ``base`` is "auto" (the smallest with at most six digits) or a number. ``above``: parameters with more values
    than this are split. ``every_value``: whether each value must occur ("auto": up to 20,000 values).
    ``method``: "permutations", "digits", or "auto" (permutations where every value must occur).
    ``boundaries``: True to mix in the combinations of first, second, middle, last but one and last values of the
    split parameters; or a mapping from names to the values to use. ``parameters``: the only ones to split, if given.
    """

    base: int | Literal["auto"] = "auto"
    above: int = 10
    every_value: bool | Literal["auto"] = "auto"
    method: Literal["auto", "permutations", "digits"] = "auto"
    boundaries: bool | Mapping[str, Any] = False
    parameters: Sequence[str] | None = None

    def __post_init__(self) -> None:
        if self.base != "auto" and (not isinstance(self.base, int) or self.base < 2):
            raise InvalidArgument(f"radix base is {self.base!r}; write 'auto' or a number from 2")
        if self.every_value not in (True, False, "auto"):
            raise InvalidArgument(f"radix every_value is {self.every_value!r}; write True, False or 'auto'")
        if self.method not in ("auto", "permutations", "digits"):
            raise InvalidArgument(
                f"radix method is {self.method!r}; write 'auto', 'permutations' or 'digits'"
            )
        if not isinstance(self.above, int) or self.above < 2:
            raise InvalidArgument(f"radix above is {self.above!r}; write a number of values from 2")
        if isinstance(self.boundaries, Mapping):
            for name, values in self.boundaries.items():
                if isinstance(values, str) or not isinstance(values, Iterable) or not list(values):
                    raise InvalidArgument(
                        f"radix boundaries[{name!r}] is {values!r}; write a list of at least one value"
                    )
        elif not isinstance(self.boundaries, bool):
            raise InvalidArgument(
                f"radix boundaries is {self.boundaries!r}; write True, or a mapping from names to values"
            )
        if isinstance(self.parameters, str):
            raise InvalidArgument(f"radix parameters is {self.parameters!r}; write [{self.parameters!r}]")

    @property
    def permutes(self) -> bool:
        return self.method != "digits"


def smallest_base(size: int) -> tuple[int, int]:
    """The smallest base in which ``size`` values need at most six digits, and how many they need.

    >>> smallest_base(1001), smallest_base(101), smallest_base(10**6)
    ((4, 5), (3, 5), (10, 6))
    """
    base = 2
    while base**MOST_DIGITS < size:
        base += 1
    return base, digits_needed(size, base)


def digits_needed(size: int, base: int) -> int:
    digits = 1
    while base**digits < size:
        digits += 1
    return digits


def read_radix(given: Any, model: Model) -> tuple[Radix, dict[int, Split]]:
    """The ``radix=`` argument as a configuration and the splits it asks for."""
    chosen: dict[int, int | Literal["auto"]] = {}
    config = Radix()
    if given is None:
        return config, {}
    if isinstance(given, Mapping):
        for name, base in given.items():
            if base is not None:
                chosen[model.position(name)] = Radix(base=base).base
    else:
        if isinstance(given, Radix):
            config = given
        elif given == "auto" or (isinstance(given, int) and not isinstance(given, bool)):
            config = Radix(base=given)
        else:
            raise InvalidArgument(
                f"radix is {given!r}; write None, 'auto', a base, Radix(...), or a mapping from parameter to base"
            )
        named = None if config.parameters is None else set(config.parameters)
        for name in config.parameters or ():
            model.position(name)
        for parameter, domain in enumerate(model.domains):
            wanted = named is None or domain.name in named
            if wanted and domain.size > config.above:
                chosen[parameter] = config.base
    for parameter in chosen:
        domain = model.domains[parameter]
        if model.preferences[parameter] is not None:
            raise InvalidArgument(
                f"parameter {domain.name!r} has weights and would be split into digits, which cannot have weights; "
                "drop its weights, or name the parameters to split: Radix(parameters=[...])"
            )
        if domain.valid < domain.size:
            raise InvalidArgument(
                f"parameter {domain.name!r} has invalid values and would be split into digits, which cannot hold "
                "them; give it a short list of values, or name the parameters to split: Radix(parameters=[...])"
            )
    return config, {p: _split(model.domains[p].size, base, config) for p, base in chosen.items()}


def _split(size: int, base: int | Literal["auto"], config: Radix) -> Split:
    every = size <= EVERY_VALUE_UP_TO if config.every_value == "auto" else config.every_value
    if base == "auto":
        base, digits = smallest_base(size)
        if not every and base > SCALED_BASE:
            base, digits = SCALED_BASE, digits_needed(size, SCALED_BASE)
    else:
        digits = digits_needed(size, base)
    return Split(size, base, digits, every)


def permutation_start(layout: Layout, random: np.random.RandomState) -> Rows:
    """Every value of every parameter, in independent random orders side by side; only valid rows."""
    whole = {p: split for p, split in layout.splits.items() if split.every_value}
    digit_sets = {layout.columns_of[p] for p in whole}
    problem = layout.valid_problem
    sizes = zip(problem.targets, problem.sizes.tolist())
    others = [size for target, size in sizes if target not in digit_sets]
    count = max([*others, *(split.size for split in whole.values())])
    columns = []
    for parameter, domain in enumerate(layout.model.domains):
        split = layout.splits.get(parameter)
        if split is not None and not split.every_value:
            digits = [_shuffled(split.base, count, random) for _ in range(split.digits)]
            columns.append(np.stack(digits, axis=1))
            continue
        levels = _shuffled(domain.valid, count, random)
        if split is None:
            columns.append(levels[:, None])
        else:
            powers = split.base ** np.arange(split.digits - 1, -1, -1)
            columns.append(levels[:, None] // powers % split.base)
    rows: Rows = np.concatenate(columns, axis=1).astype(np.int32)
    return _only_valid(rows, layout, random)


def _shuffled(size: int, count: int, random: np.random.RandomState) -> np.ndarray[Any, np.dtype[np.int64]]:
    """``count`` numbers below ``size``, each about equally often, in random order."""
    rounds = [random.permutation(size) for _ in range(-(-count // size))]
    numbers = np.concatenate(rounds)[:count].astype(np.int64)
    random.shuffle(numbers)
    return numbers


def _only_valid(rows: Rows, layout: Layout, random: np.random.RandomState) -> Rows:
    """Let invalid rows swap a value with random valid ones wherever that makes both valid; drop the rest."""
    feasibility = layout.valid_feasibility
    if feasibility.free:
        return rows
    valid = _valid(feasibility, rows)
    for round_number in range(REPAIR_ROUNDS):
        broken = np.flatnonzero(~valid)
        if not len(broken):
            break
        partners = random.permutation(np.flatnonzero(valid))[: len(broken)]
        broken = broken[: len(partners)]
        columns = layout.columns_of[round_number % len(layout.columns_of)]
        part = slice(columns[0], columns[-1] + 1)
        left, right = rows[broken], rows[partners]
        left[:, part], right[:, part] = rows[partners, part], rows[broken, part]
        better = _valid(feasibility, left) & _valid(feasibility, right)
        rows[broken[better]] = left[better]
        rows[partners[better]] = right[better]
        valid[broken[better]] = True
    kept: Rows = rows[valid]
    return kept


def _valid(feasibility: Feasibility, rows: Rows) -> np.ndarray[Any, np.dtype[np.bool_]]:
    valid = np.ones(len(rows), dtype=np.bool_)
    for rule in feasibility.rules:
        valid &= ~rule.broken_by(rows)
    return valid


def boundary_levels(model: Model, layout: Layout, config: Radix) -> dict[int, list[int]]:
    """For each split parameter, the levels at its edges (or those of the values the user named)."""
    if not config.boundaries:
        return {}
    if isinstance(config.boundaries, Mapping):
        found = {}
        for name, values in config.boundaries.items():
            p = model.position(name)
            found[p] = list(dict.fromkeys(map(model.domains[p].level, values)))
        return found
    return {
        p: sorted({0, 1, split.size // 2, split.size - 2, split.size - 1})
        for p, split in layout.splits.items()
    }


def boundary_problem(layout: Layout, edges: Mapping[int, list[int]]) -> tuple[Problem, Feasibility]:
    """Combine only boundary levels of some parameters with all values of the unsplit ones.

    Any other split parameter is left open: it has one level, which the rules forbid only if they forbid all.
    """
    levels = [len(edges[p]) if p in edges else size for p, size in enumerate(layout.model.levels)]
    is_open = [p in layout.splits and p not in edges for p in range(len(levels))]
    levels = [1 if is_open[p] else count for p, count in enumerate(levels)]
    rules = []
    for rule in layout.model.rules:
        forbidden = rule.forbidden
        for axis, p in enumerate(rule.columns):
            if is_open[p]:
                forbidden = np.asarray(forbidden.all(axis=axis, keepdims=True))
            elif p in edges:
                forbidden = forbidden.take(edges[p], axis=axis)
        rules.append(replace(rule, forbidden=forbidden))
    groups = [(tuple(range(len(levels))), layout.strength)]
    return Problem.of(levels, groups), Feasibility(levels, rules)


def boundary_rows(layout: Layout, edges: Mapping[int, list[int]], rows: Rows) -> Rows:
    """Rows of the boundary problem in the columns of the layout."""

    def level(p: int, number: int) -> int:
        if number != ANY and p in edges:
            return edges[p][number]
        return ANY if p in layout.splits else number

    return layout.encode([[level(p, number) for p, number in enumerate(line)] for line in rows.tolist()])
