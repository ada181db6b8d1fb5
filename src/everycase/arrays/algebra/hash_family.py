"""Covering perfect hash families: large uniform arrays of any strength from a few points in a finite space.

A point u of GF(q)^t stands for the column of all its inner products u . x, and t columns show every
combination exactly when their points are independent. A family gives every column one point in each of a few
blocks so that any t columns are independent in some block; the blocks below each other then cover
everything. Points that start with 1 make the constant rows common to all blocks:
n blocks have n (q^t - q) + q rows.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from everycase.arrays.algebra.constructions import arc, evaluate
from everycase.arrays.algebra.finite_field import Elements, field
from everycase.arrays.problem import Rows
from everycase.choices.time_limit import look

MAX_SUBSETS = 200_000
"""The local search looks at every t-subset of the columns; models with more of them are left to others."""


def family_rows(order: int, strength: int, blocks: int) -> int:
    """How many rows an array from that many blocks has."""
    each: int = order**strength - order
    return blocks * each + order


def array_from_family(
    order: int, strength: int, columns: int, blocks: int, random: np.random.RandomState, steps: int
) -> tuple[Rows, int]:
    """An array, and how many t-sets of columns it leaves uncovered (0 when the search succeeded)."""
    over = field(order)
    search = _FamilySearch(order, strength, columns, blocks, random)
    left = search.improve(steps)
    parts = [evaluate(over, points) for points in search.points]
    return np.concatenate([parts[0]] + [part[order:] for part in parts[1:]]), left


class _FamilySearch:
    """Min-conflicts: move one point of a dependent set to where the fewest sets stay dependent everywhere."""

    def __init__(
        self, order: int, strength: int, columns: int, blocks: int, random: np.random.RandomState
    ) -> None:
        self.field = field(order)
        self.random = random
        self.strength = strength
        # every point that starts with 1
        rest = self.field.all_vectors(strength - 1)
        self.candidates: Elements = np.concatenate([np.ones((len(rest), 1), dtype=np.int64), rest], axis=1)
        self.points: Elements = self.candidates[
            random.randint(0, len(self.candidates), size=(blocks, columns))
        ]
        good = arc(self.field, strength)[:order]  # any t of these are independent: a good start for block 0
        self.points[0, : min(columns, order)] = good[:columns]
        self.subsets = np.array(list(combinations(range(columns), strength)), dtype=np.int64)
        self.dependent = self._dependent_in(slice(None), self.subsets)

    def improve(self, steps: int) -> int:
        for _ in range(steps):
            look()
            bad = np.flatnonzero(self.dependent.all(axis=0))
            if not len(bad):
                return 0
            chosen = self.subsets[bad[self.random.randint(len(bad))]]
            column = int(chosen[self.random.randint(self.strength)])
            self._move(int(self.random.randint(len(self.points))), column)
        return int(self.dependent.all(axis=0).sum())

    def _move(self, block: int, column: int) -> None:
        touching = np.flatnonzero((self.subsets == column).any(axis=1))
        subsets = self.subsets[touching]
        elsewhere = np.delete(self.dependent[:, touching], block, axis=0).all(axis=0)
        others = subsets[subsets != column].reshape(len(subsets), self.strength - 1)
        normals = self.field.normals(self.points[block][others])
        stays = self.field.dot(self.candidates[:, None, :], normals[None, elsewhere]) == 0
        costs = stays.sum(axis=1)
        best = np.flatnonzero(costs == costs.min())
        self.points[block, column] = self.candidates[best[self.random.randint(len(best))]]
        self.dependent[block, touching] = self._dependent_in(slice(block, block + 1), subsets)[0]

    def _dependent_in(self, blocks: slice, subsets: NDArray[np.int64]) -> NDArray[np.bool_]:
        dependent: NDArray[np.bool_] = self.field.determinant(self.points[blocks][:, subsets]) == 0
        return dependent
