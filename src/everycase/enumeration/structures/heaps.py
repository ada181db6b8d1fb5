"""Heaps in the shape of an array."""

from __future__ import annotations

from typing import Any

from everycase import gen
from everycase.gen.base import Gen
from everycase.gen.kinds import Map
from everycase.gen.validate import require_count


@gen.dependent
def _heap(nodes: int, most: int) -> Gen[Any]:
    if nodes == 0:
        return gen.none()
    left, right = halves(nodes)
    return gen.one_of(
        [gen.tuples(gen.just(key), _heap(left, key), _heap(right, key)) for key in range(most + 1)]
    )


def halves(nodes: int) -> tuple[int, int]:
    """How many nodes of a heap in an array are below the root on either side."""
    if nodes == 1:
        return 0, 0
    full = (1 << (nodes.bit_length() - 1)) - 1  # nodes above the last row
    last = nodes - full
    half = (full + 1) // 2
    left = (full - 1) // 2 + min(last, half)
    return left, nodes - 1 - left


def heaps(n: int, most: int | None = None) -> Gen[Any]:
    """Max-heaps ``(key, left, right)`` of n nodes in the shape of an array, with keys from 0 to ``most`` (n)."""
    require_count("n", n)
    if most is not None:
        require_count("most", most)
    return _heap(n, n if most is None else most)


def heap_arrays(n: int, most: int | None = None) -> Gen[Any]:
    """The same heaps as the arrays (tuples) that they are stored in: ``a[i] >= a[2i + 1], a[2i + 2]``."""
    return Map(heaps(n, most), _as_array, _from_array, share=True)


def _as_array(heap: Any) -> tuple[int, ...]:
    row, keys = [heap], []
    while row:
        keys += [node[0] for node in row if node is not None]
        row = [child for node in row if node is not None for child in node[1:]]
    return tuple(keys)


def _from_array(keys: tuple[int, ...], root: int = 0) -> Any:
    if root >= len(keys):
        return None
    return keys[root], _from_array(keys, 2 * root + 1), _from_array(keys, 2 * root + 2)
