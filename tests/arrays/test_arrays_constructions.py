"""Finite fields and the arrays constructed by algebra."""

from __future__ import annotations

from itertools import permutations
from math import comb

import numpy as np
import pytest
from arrays_checker import check

from everycase.arrays import covering_array
from everycase.arrays.algebra.constructions import (
    double_columns,
    fuse,
    kleitman_spencer,
    multiply_columns,
    orthogonal_array,
    zero_sum,
)
from everycase.arrays.algebra.finite_field import Field, prime_power
from everycase.arrays.algebra.hash_family import array_from_family, family_rows


def judge(rows, levels, strength):
    names = [f"c{i}" for i in range(len(levels))]
    parameters = {name: list(range(n)) for name, n in zip(names, levels)}
    check([dict(zip(names, row)) for row in rows.tolist()], parameters, strength)


@pytest.mark.parametrize("order", [2, 3, 4, 5, 9])
@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_determinants_are_sums_over_permutations(order, size):
    field = Field(order)
    matrices = np.random.RandomState(order * size).randint(0, order, size=(20, size, size))
    for matrix, found in zip(matrices, field.determinant(matrices)):
        total = 0
        for places in permutations(range(size)):
            term = 1
            for row, column in enumerate(places):
                term = field.times[term, matrix[row, column]]
            swaps = sum(a > b for i, a in enumerate(places) for b in places[i + 1 :])
            total = field.minus[total, term] if swaps % 2 else field.plus[total, term]
        assert found == total


@pytest.mark.parametrize("order", [2, 3, 4, 7])
@pytest.mark.parametrize("length", [2, 3, 5])
def test_normals_are_orthogonal_and_zero_for_dependent_vectors(order, length):
    field = Field(order)
    vectors = np.random.RandomState(order + length).randint(0, order, size=(50, length - 1, length))
    vectors[0, -1] = vectors[0, 0] if length > 2 else 0
    normals = field.normals(vectors)
    assert not normals[0].any()
    assert normals.any()
    assert not field.dot(vectors, normals[:, None, :]).any()


@pytest.mark.parametrize("order", [2, 3, 4, 5, 7, 8, 9, 11, 16, 25, 27])
def test_field_laws(order):
    field = Field(order)
    elements = range(order)
    for a in elements:
        assert field.plus[a, 0] == a
        assert field.times[a, 1] == a
        assert field.times[a, 0] == 0
        assert sorted(field.plus[a]) == list(elements)
        assert field.plus[field.minus[0, a], a] == 0
        if a:
            assert sorted(field.times[a]) == list(elements)
    triples = np.random.RandomState(0).randint(0, order, size=(200, 3))
    for a, b, c in triples.tolist():
        assert field.times[a, field.plus[b, c]] == field.plus[field.times[a, b], field.times[a, c]]
        assert field.times[a, field.times[b, c]] == field.times[field.times[a, b], c]


def test_there_are_no_fields_of_other_orders():
    assert [n for n in range(2, 33) if prime_power(n) is None] == [
        6,
        10,
        12,
        14,
        15,
        18,
        20,
        21,
        22,
        24,
        26,
        28,
        30,
    ]
    with pytest.raises(ValueError, match="no field with 6"):
        Field(6)


@pytest.mark.parametrize(
    ("order", "strength", "columns"),
    [(2, 2, 3), (3, 2, 4), (4, 2, 5), (9, 2, 10), (4, 3, 6), (5, 3, 6), (5, 4, 6), (7, 3, 8)],
)
def test_orthogonal_arrays_hold_every_combination_exactly_once(order, strength, columns):
    rows = orthogonal_array(order, strength, columns)
    assert rows.shape == (order**strength, columns)
    judge(rows, [order] * columns, strength)
    assert orthogonal_array(order, strength, columns + 2) is None


@pytest.mark.parametrize("columns", [2, 3, 4, 10, 35, 100])
def test_kleitman_spencer_is_as_small_as_can_be(columns):
    rows = kleitman_spencer(columns)
    judge(rows, [2] * columns, 2)
    fewer = len(rows) - 1
    assert len(rows) == 4 or comb(fewer - 1, (fewer + 1) // 2) < columns


def test_products_and_doublings():
    judge(multiply_columns(orthogonal_array(3, 2, 4), 3, 12), [3] * 12, 2)
    judge(multiply_columns(orthogonal_array(4, 2, 5), 4, 19), [4] * 19, 2)
    judge(
        double_columns(orthogonal_array(4, 3, 6), orthogonal_array(4, 2, 5)[:, [0, 1, 2, 3, 4, 0]], 4, 10)[
            :, :5
        ],
        [4] * 5,
        3,
    )
    judge(double_columns(orthogonal_array(4, 3, 5), orthogonal_array(4, 2, 5), 4, 10), [4] * 10, 3)


@pytest.mark.parametrize(
    ("levels", "strength"), [([6, 6, 6], 2), ([5, 4, 3], 2), ([4, 4, 3, 2], 3), ([3, 2], 2)]
)
def test_zero_sums_work_for_any_numbers_of_levels(levels, strength):
    judge(zero_sum(levels, strength), levels, strength)


def test_fusion_frees_rows():
    rows = fuse(orthogonal_array(11, 2, 10), (10,) * 10)
    assert len(rows) == 120
    assert (rows == -1).sum() == 100


@pytest.mark.parametrize(
    ("order", "strength", "columns", "blocks"), [(3, 2, 9, 2), (4, 3, 20, 3), (5, 4, 10, 2)]
)
def test_hash_families_cover_when_nothing_is_left(order, strength, columns, blocks):
    rows, left = array_from_family(order, strength, columns, blocks, np.random.RandomState(1), 300)
    assert left == 0
    assert len(rows) == family_rows(order, strength, blocks)
    judge(rows, [order] * columns, strength)


@pytest.mark.slow
def test_large_arrays_near_the_bound_are_algebraic():
    parameters = {**{f"p{i}": range(150) for i in range(4)}, "q": range(3), "r": range(7)}
    rows = covering_array(parameters, 2)
    assert rows.how == "orthogonal array of 151 levels, fused"
    assert 150**2 <= len(rows) < 151**2
    check(rows, parameters, 2)


def test_the_origin_of_an_array_is_told():
    assert covering_array({f"p{i}": list(range(5)) for i in range(6)}).how == "orthogonal array"
    assert covering_array({f"p{i}": [0, 1] for i in range(60)}).how == "Kleitman-Spencer"
    assert "fused" in covering_array({f"p{i}": list(range(6)) for i in range(7)}).how
