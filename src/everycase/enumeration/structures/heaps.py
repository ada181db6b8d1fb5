"""Heaps in the shape of an array."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from operator import add, itemgetter
from typing import Any

from everycase import gen
from everycase.enumeration.structures.making import built, put_first, ready
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
    """The number of nodes below the root on either side of a heap in an array."""
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
    return ready(_heap(n, n if most is None else most), "heaps", n, most=most)


def heap_arrays(n: int, most: int | None = None) -> Gen[Any]:
    """The same heaps as the arrays (tuples) that they are stored in: ``a[i] >= a[2i + 1], a[2i + 2]``."""
    require_count("n", n)
    if most is not None:
        require_count("most", most)
    return ready(_heap_array(n, n if most is None else most), "heap_arrays", n, most=most)


@gen.dependent
def _heap_array(nodes: int, most: int) -> Gen[Any]:
    if nodes == 0:
        return gen.just(())
    if nodes == 1:
        return gen.one_of([gen.just((key,)) for key in range(most + 1)])
    left, right = halves(nodes)
    in_order, by_side = _orders(nodes)
    # Only functions written in C run for each value: two tuples become one, whose items are permuted.
    return gen.one_of(
        [
            Map(
                built(
                    add,
                    put_first(key, _heap_array(left, key)),
                    _heap_array(right, key),
                    inverse=partial(_parted, 1 + left),
                ),
                in_order,
                by_side,
                share=True,
            )
            for key in range(most + 1)
        ]
    )


def _parted(place: int, items: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return items[:place], items[place:]


@lru_cache(maxsize=256)
def _orders(nodes: int) -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    """From the root, its left and its right side to the array of a heap of two nodes or more, and back."""
    by_side = [0, *_below(1, nodes), *_below(2, nodes)]
    in_order = sorted(range(nodes), key=by_side.__getitem__)
    return itemgetter(*in_order), itemgetter(*by_side)


def _below(root: int, nodes: int) -> list[int]:
    """The places of a subtree in the array, row by row."""
    found, row = [], range(root, root + 1)
    while row.start < nodes:
        found += [place for place in row if place < nodes]
        row = range(2 * row.start + 1, 2 * row.stop + 1)
    return found
