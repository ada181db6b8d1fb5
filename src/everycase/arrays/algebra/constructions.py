"""Algebraic constructions: no search, and fewer rows than any search finds, if the numbers of levels are
suitable.

All of these are for columns with the same number of levels. Columns with fewer levels use the array of the
next suitable number, whose surplus levels become "undecided" (fusion), and post-optimisation removes the rows
that this frees.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from everycase.arrays.algebra.finite_field import Elements, Field, field
from everycase.arrays.problem import ANY, Rows


def orthogonal_array(order: int, strength: int, columns: int) -> Rows | None:
    """Bush's construction: polynomials of degree below t, evaluated at every point and at infinity.

    Exactly ``order ** strength`` rows, up to ``order + 1`` columns (one more for strength 3 and even order),
    every combination of any t columns exactly once.

    >>> orthogonal_array(3, 2, 4).tolist()[:4]
    [[0, 0, 0, 0], [1, 1, 1, 0], [2, 2, 2, 0], [0, 1, 2, 1]]
    """
    points = arc(field(order), strength)
    if columns > len(points):
        return None
    return evaluate(field(order), points[:columns])


def zero_sum(levels: Sequence[int], strength: int) -> Rows:
    """The full product of the first t columns, and their sum as one column more, for any numbers of levels.

    With t-1 of the columns fixed the sum still runs through as many consecutive numbers as the last one has
    levels, so through every remainder, provided no later column has more levels than an earlier one.

    >>> zero_sum([3, 3, 2], 2).tolist()
    [[0, 0, 0], [0, 1, 1], [0, 2, 0], [1, 0, 1], [1, 1, 0], [1, 2, 1], [2, 0, 0], [2, 1, 1], [2, 2, 0]]
    """
    grid = np.indices(list(levels[:strength]), dtype=np.int32).reshape(strength, -1).T
    if len(levels) <= strength:
        return grid
    last = grid.sum(axis=1, dtype=np.int32) % levels[strength]
    return np.concatenate([grid, last[:, None]], axis=1).astype(np.int32)


def arc(over: Field, strength: int) -> Elements:
    """Points of which any ``strength`` are independent: (1, a, a^2, ...) for all a, and those at infinity.

    The first ``order`` of them start with 1, so that constant vectors give constant rows.
    """
    curve = np.ones((over.order, strength), dtype=np.int64)
    elements = np.arange(over.order)
    for power in range(1, strength):
        curve[:, power] = over.times[curve[:, power - 1], elements]
    infinity = np.zeros((1, strength), dtype=np.int64)
    infinity[0, -1] = 1
    points = np.concatenate([curve, infinity])
    if strength == 3 and over.order % 2 == 0:
        nucleus = np.array([[0, 1, 0]], dtype=np.int64)
        points = np.concatenate([points, nucleus])
    return points


def evaluate(over: Field, points: Elements) -> Rows:
    """One row for every vector x, one column for every point u: the entry is u . x. Constant rows come first."""
    vectors = over.all_vectors(points.shape[1])[:, ::-1]
    rows: Rows = over.dot(vectors[:, None, :], points[None]).astype(np.int32)
    return rows


def kleitman_spencer(columns: int) -> Rows:
    """The smallest binary array of strength 2 for that many columns (Kleitman and Spencer, Katona).

    Columns are different sets of the same size, all without row 0 (so 00 occurs), and so large that any two
    meet (so 11 occurs); being different and of one size gives 01 and 10.

    >>> kleitman_spencer(100).shape, kleitman_spencer(126).shape, kleitman_spencer(127).shape
    ((10, 100), (10, 126), (11, 127))
    """
    count = 4
    while math.comb(count - 1, (count + 1) // 2) < columns:
        count += 1
    rows: Rows = np.zeros((count, columns), dtype=np.int32)
    for column, members in zip(range(columns), combinations(range(1, count), (count + 1) // 2)):
        rows[list(members), column] = 1
    return rows


def multiply_columns(array: Rows, order: int, columns: int) -> Rows:
    """Strength 2: ``order`` times the columns for ``order**2 - order`` more rows (the product with OA lines).

    Copies of different columns meet in the first block. Copies of one column agree there, so the second block,
    lines with different slopes without the constant rows, only has to make them differ.

    >>> multiply_columns(orthogonal_array(3, 2, 4), 3, 12).shape
    (15, 12)
    """
    lines = evaluate(field(order), arc(field(order), 2)[:order])[order:]
    first = np.repeat(array, order, axis=1)
    second = np.tile(lines, (1, array.shape[1]))
    return np.concatenate([first, second])[:, :columns]


def double_columns(strong: Rows, weak: Rows, levels: int, columns: int) -> Rows:
    """Strength 3 (Roux; Chateauneuf and Kreher): twice the columns from arrays of strengths 3 and 2.

    A column and its copy agree in the first block, and differ by each constant once in the others.

    >>> double_columns(orthogonal_array(4, 3, 5), orthogonal_array(4, 2, 5), 4, 10).shape
    (112, 10)
    """
    blocks = [np.concatenate([strong, strong], axis=1)]
    for shift in range(1, levels):
        moved = np.where(weak == ANY, ANY, (weak + shift) % levels).astype(np.int32)
        blocks.append(np.concatenate([weak, moved], axis=1))
    return np.concatenate(blocks)[:, :columns]


def fuse(array: Rows, levels: tuple[int, ...]) -> Rows:
    """Use an array for columns that have fewer levels: surplus levels become undecided.

    Levels are renamed first so that one row is all surplus wherever there is a surplus: that row goes at once,
    and the positions freed in the others let post-optimisation drop more.

    >>> fuse(orthogonal_array(11, 2, 10), (10,) * 10).shape
    (120, 10)
    """
    if not len(array):
        return array
    surplus = array.max(axis=0) >= np.array(levels)
    renamed = array.copy()
    for column in np.flatnonzero(surplus).tolist():
        top = int(array[:, column].max())
        first = int(array[0, column])
        renamed[array[:, column] == first, column] = top
        renamed[array[:, column] == top, column] = first
    renamed[renamed >= np.array(levels)] = ANY
    useful: Rows = renamed[(renamed != ANY).any(axis=1)]
    return useful
