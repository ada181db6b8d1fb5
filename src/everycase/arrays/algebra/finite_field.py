"""Finite fields as addition and multiplication tables: the algebra behind orthogonal arrays."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

Elements = NDArray[np.int64]

MAX_ORDER = 1024
"""Tables of this order take 25 MB; arrays of strength 2 above it would have more than a million rows."""


def prime_power(number: int) -> tuple[int, int] | None:
    """``(p, m)`` with ``number == p ** m`` and p prime, or None.

    >>> prime_power(8), prime_power(6), prime_power(11)
    ((2, 3), None, (11, 1))
    """
    if number < 2:
        return None
    prime = next((d for d in range(2, int(number**0.5) + 1) if number % d == 0), number)
    exponent = 0
    while number % prime == 0:
        number //= prime
        exponent += 1
    return (prime, exponent) if number == 1 else None


def next_prime_power(number: int) -> int | None:
    """The smallest prime power that is at least ``number``, if a table for it is affordable."""
    return next((q for q in range(max(2, number), MAX_ORDER + 1) if prime_power(q)), None)


class Field:
    """GF(q); elements are 0..q-1, read as digits of polynomials over GF(p), 0 and 1 being themselves.

    >>> nine = Field(9)
    >>> all(sorted(nine.times[x]) == list(range(9)) for x in range(1, 9))
    True
    """

    def __init__(self, order: int) -> None:
        factors = prime_power(order)
        if factors is None:
            raise ValueError(f"there is no field with {order} elements")
        self.order = order
        prime, exponent = factors
        digits = np.array([[x // prime**i % prime for i in range(exponent)] for x in range(order)])
        weights = prime ** np.arange(exponent)
        self.plus: Elements = ((digits[:, None] + digits[None]) % prime) @ weights
        self.minus: Elements = ((digits[:, None] - digits[None]) % prime) @ weights
        if exponent == 1:
            numbers = np.arange(order)
            self.times: Elements = numbers[:, None] * numbers[None] % prime
        else:
            self.times = _times_by_powers(order, prime, exponent, digits, weights)

    def dot(self, left: Elements, right: Elements) -> Elements:
        """Inner products along the last axis, which broadcasts like a product."""
        products = self.times[left, right]
        total = products[..., 0]
        for i in range(1, products.shape[-1]):
            total = self.plus[total, products[..., i]]
        return total

    def determinant(self, matrices: Elements) -> Elements:
        """Determinants of a stack of square matrices."""
        return self._minors(matrices)[tuple(range(matrices.shape[-1]))]

    def normals(self, vectors: Elements) -> Elements:
        """The vector orthogonal to t-1 vectors of length t (stacked); zero if they are dependent."""
        columns = range(vectors.shape[-1])
        minors = self._minors(vectors)
        parts = []
        for column in columns:
            minor = minors[tuple(c for c in columns if c != column)]
            parts.append(minor if column % 2 == 0 else self.minus[np.zeros_like(minor), minor])
        return np.stack(parts, axis=-1)

    def _minors(self, rows: Elements) -> dict[tuple[int, ...], Elements]:
        """The determinants of all the rows with each choice of as many columns, by cofactors.

        From the last row upwards, so that each choice of columns is expanded once: t 2^t products instead of t factorial.
        """
        count, length = rows.shape[-2:]
        minors: dict[tuple[int, ...], Elements] = {(): np.ones(rows.shape[:-2], dtype=np.int64)}
        for size in range(1, count + 1):
            entries = rows[..., count - size, :]
            larger: dict[tuple[int, ...], Elements] = {}
            for columns in combinations(range(length), size):
                total: Elements = np.zeros(rows.shape[:-2], dtype=np.int64)
                for place, column in enumerate(columns):
                    term = self.times[entries[..., column], minors[columns[:place] + columns[place + 1 :]]]
                    total = self.plus[total, term] if place % 2 == 0 else self.minus[total, term]
                larger[columns] = total
            minors = larger
        return minors

    def all_vectors(self, length: int) -> Elements:
        """Every vector of that length, one a line; the last coordinate changes fastest."""
        grid = np.indices([self.order] * length, dtype=np.int64)
        return grid.reshape(length, -1).T


@lru_cache(maxsize=32)
def field(order: int) -> Field:
    """A field, with its tables computed once."""
    return Field(order)


def _times_by_powers(order: int, prime: int, exponent: int, digits: Elements, weights: Elements) -> Elements:
    """Multiplication from the powers of a primitive element, for the first polynomial that has one."""
    for tail in range(1, order):
        # x ** exponent is replaced by minus the tail of the (monic) modulus
        replacement = -digits[tail] % prime
        element = np.zeros(exponent, dtype=np.int64)
        element[0] = 1
        powers = []
        for _ in range(order - 1):
            powers.append(int(element @ weights))
            carry = element[-1]
            element = np.concatenate([np.zeros(1, dtype=np.int64), element[:-1]])
            element = (element + carry * replacement) % prime
        if len(set(powers)) == order - 1:
            logarithm = np.zeros(order, dtype=np.int64)
            logarithm[powers] = np.arange(order - 1)
            power = np.array(powers)
            table: Elements = power[(logarithm[:, None] + logarithm[None]) % (order - 1)]
            table[0, :] = 0
            table[:, 0] = 0
            return table
    raise AssertionError(f"every field has a primitive polynomial, none found for {order}")
