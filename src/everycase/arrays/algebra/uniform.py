"""Pick and combine constructions for columns with equal (or nearly equal) numbers of levels.

Products and doublings build on smaller arrays, which are themselves the best of algebra and search: the two
are mixed at every level, not tried one after the other.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from everycase.arrays.algebra.constructions import (
    double_columns,
    fuse,
    kleitman_spencer,
    multiply_columns,
    orthogonal_array,
    zero_sum,
)
from everycase.arrays.algebra.finite_field import next_prime_power
from everycase.arrays.algebra.hash_family import MAX_SUBSETS, array_from_family, family_rows
from everycase.arrays.algebra.starters import starters_for
from everycase.arrays.problem import ANY, Problem, Rows, blank_rows
from everycase.choices.time_limit import look

FAMILY_STEPS = 150
"""Moves of the hash-family search; it nearly always succeeds within a few dozen or never."""

SEARCHED_COLUMNS = 24
"""Ingredients of a product with at most this many columns are also searched for."""

LARGE, NEAR = 2500, 1.1
"""From this many rows on, an array with at most this many times the minimum is good enough."""

Search = Callable[[Problem], Rows]


@dataclass(frozen=True)
class Constructed:
    """An array for the problem, perhaps a few combinations short, and how it was made."""

    rows: Rows
    how: str


def strength_if_uniform(problem: Problem) -> int | None:
    """t if the targets are exactly all t-sets of the columns."""
    if len(problem.matrices) != 1:
        return None
    strength = problem.matrices[0].shape[1]
    return strength if problem.target_count == math.comb(problem.columns, strength) else None


def optimal_construction(problem: Problem) -> Constructed | None:
    """An array with the fewest possible rows, if algebra knows one."""
    strength = strength_if_uniform(problem)
    levels, columns = problem.levels, problem.columns
    if strength == 1:
        rows = np.arange(max(levels), dtype=np.int32)[:, None] % np.array(levels, dtype=np.int32)[None]
        return Constructed(rows.astype(np.int32), "each value in turn")
    if strength == columns <= 32:  # as many axes as every NumPy can have
        return Constructed(zero_sum(levels, strength), "every combination of all parameters")
    if strength == 2 and columns > 3 and max(levels) == min(levels) == 2:
        return Constructed(kleitman_spencer(columns), "Kleitman-Spencer")
    if strength is not None and min(levels) == max(levels) == next_prime_power(max(levels)):
        algebraic = orthogonal_array(max(levels), strength, columns)
        if algebraic is not None:
            return Constructed(algebraic, "orthogonal array")
    return None


def near_optimal_construction(problem: Problem) -> Constructed | None:
    """A large orthogonal array, fused, that is so close to the bound that a search is not worth its time."""
    strength = strength_if_uniform(problem)
    order = next_prime_power(max(problem.levels))
    bound = problem.lower_bound
    if strength is None or strength < 2 or order is None or bound < LARGE or order**strength > NEAR * bound:
        return None
    algebraic = orthogonal_array(order, strength, problem.columns)
    if algebraic is None:
        return None
    return Constructed(fuse(algebraic, problem.levels), f"orthogonal array of {order} levels, fused")


def leading_columns(problem: Problem) -> Rows | None:
    """An array with as few rows as possible for the first columns of the problem, the others left undecided.

    The search can start from it. Columns must come in order of falling levels, which is how it takes them.
    """
    strength = strength_if_uniform(problem)
    levels = problem.levels
    if strength is None or strength < 2 or list(levels) != sorted(levels, reverse=True):
        return None
    first: Rows | None = None
    if levels[0] == levels[strength - 1] == next_prime_power(levels[0]):
        width = min(problem.columns, levels[0] + 1)
        first = orthogonal_array(levels[0], strength, width)
        if first is not None:
            first = np.where(first < np.array(levels[:width]), first, ANY).astype(np.int32)
    if first is None:
        first = zero_sum(levels[: strength + 1], strength)
    rows = blank_rows(len(first), problem.columns)
    rows[:, : first.shape[1]] = first
    return rows


def constructions(
    problem: Problem, random: np.random.RandomState, search: Search, at_most: int, thorough: bool = False
) -> Iterator[Constructed]:
    """Arrays for an unconstrained problem that promise about ``at_most`` rows or fewer.

    ``thorough`` also searches for the ingredients of doublings, instead of taking those from algebra.
    """
    strength = strength_if_uniform(problem)
    levels, columns = problem.levels, problem.columns
    order = next_prime_power(max(levels))
    shipped = None if strength is None else starters_for(max(levels), columns, strength)
    if shipped is not None:
        yield Constructed(fuse(shipped.array()[:, :columns], levels), f"starters, {shipped.group.name}")
        if shipped.width == columns and min(levels) == max(levels):
            return
    if strength is None or strength < 2 or order is None or order**strength > 2 * at_most:
        return
    algebraic = orthogonal_array(order, strength, columns)
    if algebraic is not None:
        yield Constructed(fuse(algebraic, levels), f"orthogonal array of {order} levels, fused")
        return
    builder = _Builder(order, random, search, thorough)
    if strength == 2:
        yield Constructed(fuse(builder.pairs(columns), levels), "product of orthogonal arrays and search")
    if strength == 3:
        yield Constructed(fuse(builder.triples(columns), levels), "doubling of orthogonal arrays and search")
    yield from builder.families(strength, columns, levels, at_most)


class _Builder:
    """Recursive constructions over one field."""

    def __init__(self, order: int, random: np.random.RandomState, search: Search, thorough: bool) -> None:
        self.order = order
        self.random = random
        self.search = search
        self.thorough = thorough

    def pairs(self, columns: int) -> Rows:
        """Strength 2: orthogonal if it fits, else the smaller of a product and (for few columns) a search."""
        whole = orthogonal_array(self.order, 2, columns)
        if whole is not None:
            return whole
        shipped = starters_for(self.order, columns, 2)
        if shipped is not None:
            return shipped.array()[:, :columns]
        product = multiply_columns(self.pairs(-(-columns // self.order)), self.order, columns)
        if columns > SEARCHED_COLUMNS:
            return product
        return min(product, self._searched(2, columns), key=len)

    def triples(self, columns: int) -> Rows:
        """Strength 3: orthogonal if it fits, else doubled from half the columns."""
        whole = orthogonal_array(self.order, 3, columns)
        if whole is not None:
            return whole
        shipped = starters_for(self.order, columns, 3)
        if shipped is not None:
            return shipped.array()[:, :columns]
        half = -(-columns // 2)
        if self.thorough and half <= SEARCHED_COLUMNS:
            return double_columns(self._searched(3, half), self._searched(2, half), self.order, columns)
        return double_columns(self.triples(half), self.pairs(half), self.order, columns)

    def families(
        self, strength: int, columns: int, levels: tuple[int, ...], at_most: int
    ) -> Iterator[Constructed]:
        """Covering perfect hash families with more and more blocks, until one leaves nothing uncovered."""
        subsets = math.comb(columns, strength)
        if subsets > MAX_SUBSETS or self.order ** (strength - 1) * subsets > 20_000_000:
            return
        for blocks in range(2, 6):
            look()
            if family_rows(self.order, strength, blocks) > at_most:
                return
            rows, left = array_from_family(self.order, strength, columns, blocks, self.random, FAMILY_STEPS)
            if left * self.order <= len(rows):
                yield Constructed(fuse(rows, levels), f"covering perfect hash family of {blocks} blocks")
            if not left:
                return

    def _searched(self, strength: int, columns: int) -> Rows:
        return self.search(Problem.of((self.order,) * columns, [(range(columns), strength)]))
