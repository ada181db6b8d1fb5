"""Sorted lists, words of parentheses, set partitions, permutations and combinations."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, TypeVar

from everycase import gen
from everycase.enumeration.combinatorics import (
    Arrangements,
    Combinations,
    CombinatorialFamily,
    NumberedPartitions,
    Partitions,
)
from everycase.enumeration.structures.making import built, put_first, ready
from everycase.gen.base import Gen
from everycase.gen.kinds import Int, Map
from everycase.gen.validate import as_sequence, require_count

T = TypeVar("T")


@gen.dependent
def _sorted_list(length: int, most: int, pruned: bool) -> Gen[Any]:
    if length == 0:
        return gen.just(())
    least = length - 1 if pruned else 1
    return gen.one_of(
        [
            put_first(first, _sorted_list(length - 1, first, pruned))
            for first in range(max(least, 1), most + 1)
        ]
        or [gen.nothing()]
    )


@gen.dependent
def _long_sorted_list(length: int, most: int, pruned: bool) -> Gen[Any]:
    """The same with few options for each member: those that begin with 8 to 15, for example, are shared by
    many of them."""
    if length == 0:
        return gen.just(())
    options = []
    low = max(length - 1 if pruned else 1, 1)
    while low <= most:
        values = low & -low  # the largest power of two that divides it
        while low + values - 1 > most:
            values //= 2
        options.append(_beginning(length, low, values, pruned))
        low += values
    return gen.one_of(options or [gen.nothing()])


@gen.dependent
def _beginning(length: int, low: int, values: int, pruned: bool) -> Gen[Any]:
    """Those that begin with one of this many values."""
    if values == 1:
        return put_first(low, _long_sorted_list(length - 1, low, pruned))
    half = values // 2
    return _beginning(length, low, half, pruned) | _beginning(length, low + half, half, pruned)


#: Sorted lists of up to this many positions and values are described by their first values, which is faster
#: to walk.
MOST_FIRST = 40


def sorted_lists(length: int, most: int | None = None, *, pruned: bool = False) -> Gen[Any]:
    """Non-increasing tuples of values from 1 to ``most`` (``length``), repetitions allowed.

    ``pruned`` leaves out those in which fewer values than positions are left at some point, as in SciFe's
    benchmark.
    """
    require_count("length", length)
    if most is not None:
        require_count("most", most)
    most_of_all = length if most is None else most
    described = _sorted_list if max(length, most_of_all) <= MOST_FIRST else _long_sorted_list
    made = described(length, most_of_all, pruned)
    return ready(made, "sorted_lists", length, most=most, pruned=pruned or None)


@gen.dependent
def _parentheses(pairs: int) -> Gen[str]:
    if pairs == 0:
        return gen.just("")
    return gen.one_of(
        [
            built(
                _enclose,
                _parentheses(inside),
                _parentheses(pairs - 1 - inside),
                inverse=partial(_opened, 2 * inside + 1),
            )
            for inside in range(pairs)
        ]
    )


def _enclose(inside: str, after: str) -> str:
    return f"({inside}){after}"


def _opened(closing: int, word: str) -> tuple[str, str]:
    """What is inside the first pair, whose closing parenthesis is at a position, and what comes after it."""
    depth = 0
    for place, letter in enumerate(word):
        depth += 1 if letter == "(" else -1
        if depth == 0:
            if place != closing:
                break
            return word[1:place], word[place + 1 :]
    raise LookupError(word)


def balanced_parentheses(pairs: int) -> Gen[str]:
    """Words of this many pairs of matching parentheses. There are Catalan(pairs).

    >>> list(balanced_parentheses(2))
    ['()()', '(())']
    """
    require_count("pairs", pairs)
    return ready(_parentheses(pairs), "balanced_parentheses", pairs)


#: Partitions of up to this many items are chosen block by block.
MOST_WORDS = 30


@gen.dependent
def _growth(left: int, blocks: int) -> Gen[Any]:
    """Restricted growth strings: each element goes to a block that exists, or opens the next one."""
    if left == 0:
        return gen.just(())
    return gen.one_of(
        [put_first(block, _growth(left - 1, max(blocks, block + 1))) for block in range(blocks + 1)]
    )


def set_partitions(items: Sequence[T]) -> Gen[tuple[tuple[T, ...], ...]]:
    """Ways to put items into blocks. There are Bell(len(items)).

    >>> list(set_partitions("ab"))
    [(('a', 'b'),), (('a',), ('b',))]
    """
    members = as_sequence("items", items)
    return ready(_partitions(members), "set_partitions", members)


def _partitions(members: tuple[T, ...]) -> Gen[Any]:
    # Both ways index the partitions in the same order. Choosing block by block makes better neighbours; for
    # many items there are too many choices to describe.
    if len(members) > MOST_WORDS:
        return _generator(NumberedPartitions(members))
    partitions = Partitions(members)
    return Map(_growth(len(members), 0), partitions, partitions.argument, share=True)


def permutations(items: Sequence[T]) -> Gen[tuple[T, ...]]:
    """All orders of different items, in lexicographic order of their positions.

    >>> permutations("abc")[3]
    ('b', 'c', 'a')
    """
    members = as_sequence("items", items)
    return ready(_generator(Arrangements(members)), "permutations", members)


def combinations(items: Sequence[T], size: int) -> Gen[tuple[T, ...]]:
    """All selections of ``size`` items in their order, in lexicographic order of their positions.

    >>> list(combinations("abc", 2))
    [('a', 'b'), ('a', 'c'), ('b', 'c')]
    """
    members = as_sequence("items", items)
    require_count("size", size)
    if size > len(members):
        return gen.nothing()
    return ready(_generator(Combinations(members, size)), "combinations", members, size)


def _generator(family: CombinatorialFamily) -> Gen[Any]:
    return Map(Int(0, family.count - 1, 0), family, family.argument, share=True)
