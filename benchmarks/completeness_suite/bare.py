"""Sketches that are just a hole: the promise alone says what the generator should make."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from everycase import covers, gen


def ascending(v: list[int]) -> bool:
    return all(a <= b for a, b in pairwise(v))


@covers(lambda v, n: len(v) == n and ascending(v), requires=lambda n: n >= 0)
@gen.composite
def sorted_lists(draw, n: int) -> list[int]: ...


def sorted_from(v: list[int], low: int) -> bool:
    return not v or (low <= v[0] and sorted_from(v[1:], v[0]))


@covers(lambda v, n, low: len(v) <= n and sorted_from(v, low), requires=lambda n: n >= 0, decreases="n")
@gen.composite
def sorted_lists_from(draw, n: int, low: int) -> list[int]: ...


@covers(lambda v: ascending(v))
@gen.composite
def sorted_any(draw) -> list[int]: ...


@dataclass(frozen=True)
class Leaf:
    pass


@dataclass(frozen=True)
class Node:
    value: int
    left: Tree
    right: Tree


Tree = Leaf | Node


def depth(t: Tree) -> int:
    match t:
        case Leaf():
            return 0
        case Node(_, l, r):
            return 1 + (depth(l) if depth(l) > depth(r) else depth(r))


def is_search_tree(t: Tree, low: int, high: int) -> bool:
    match t:
        case Leaf():
            return True
        case Node(x, l, r):
            return low < x < high and is_search_tree(l, low, x) and is_search_tree(r, x, high)


@covers(
    lambda v, d, low, high: depth(v) <= d and is_search_tree(v, low, high),
    requires=lambda d, low, high: d >= 0,
    decreases="d",
)
@gen.composite
def search_trees(draw, d: int, low: int, high: int) -> Tree: ...


def is_heap(t: Tree, low: int) -> bool:
    match t:
        case Leaf():
            return True
        case Node(x, l, r):
            return low <= x and is_heap(l, x) and is_heap(r, x)


@covers(lambda v, d, low: depth(v) <= d and is_heap(v, low), requires=lambda d, low: d >= 0, decreases="d")
@gen.composite
def heaps(draw, d: int, low: int) -> Tree: ...


@covers(lambda v: v[0] <= v[1])
@gen.composite
def intervals(draw) -> tuple[int, int]: ...


@dataclass(frozen=True)
class Span:
    start: int
    end: int


@covers(lambda v, first, last: first <= v.start < v.end <= last, requires=lambda first, last: first < last)
@gen.composite
def spans(draw, first: int, last: int) -> Span: ...


@dataclass(frozen=True)
class Date:
    year: int
    month: int
    day: int


def days_in(year: int, month: int) -> int:
    if month == 2:
        leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
        return 29 if leap else 28
    return 30 if month in (4, 6, 9, 11) else 31


@covers(lambda v: 1 <= v.month <= 12 and 1 <= v.day <= days_in(v.year, v.month))
@gen.composite
def dates(draw) -> Date: ...


def balanced(v: list[int], open_: int) -> bool:
    if not v:
        return open_ == 0
    if v[0] == 1:
        return balanced(v[1:], open_ + 1)
    return v[0] == -1 and open_ > 0 and balanced(v[1:], open_ - 1)


@covers(
    lambda v, n, open_: len(v) == n and balanced(v, open_),
    requires=lambda n, open_: n >= 0 and open_ >= 0,
    decreases="n",
)
@gen.composite
def brackets(draw, n: int, open_: int) -> list[int]: ...


@dataclass(frozen=True)
class Slot:
    start: int
    end: int


def in_order(slots: list[Slot], opens: int) -> bool:
    return not slots or (opens <= slots[0].start < slots[0].end and in_order(slots[1:], slots[0].end))


@covers(lambda v, n, opens: len(v) <= n and in_order(v, opens), requires=lambda n: n >= 0, decreases="n")
@gen.composite
def calendars(draw, n: int, opens: int) -> list[Slot]: ...


@dataclass(frozen=True)
class E:
    pass


@dataclass(frozen=True)
class T:
    red: bool
    left: RB
    value: int
    right: RB


RB = E | T


def no_red_red(t: RB, parent_red: bool) -> bool:
    match t:
        case E():
            return True
        case T(red, l, _, r):
            return not (red and parent_red) and no_red_red(l, red) and no_red_red(r, red)


def black_height(t: RB, h: int) -> bool:
    match t:
        case E():
            return h == 0
        case T(red, l, _, r):
            return black_height(l, h if red else h - 1) and black_height(r, h if red else h - 1)


@covers(
    lambda v, h, parent_red: no_red_red(v, parent_red) and black_height(v, h),
    requires=lambda h: h >= 0,
    decreases=lambda h, parent_red: 2 * h + (0 if parent_red else 1),
)
@gen.composite
def red_black(draw, h: int, parent_red: bool) -> RB: ...


def all_even(v: list[int]) -> bool:
    return not v or (v[0] % 2 == 0 and all_even(v[1:]))


@covers(lambda v, n: len(v) == n and all_even(v), requires=lambda n: n >= 0)
@gen.composite
def evens(draw, n: int) -> list[int]: ...


@covers(
    lambda v, n, k: len(v) == n and all(0 <= x < k for x in v),
    requires=lambda n, k: n >= 0 and k >= 1,
    decreases="n",
)
@gen.composite
def digits(draw, n: int, k: int) -> list[int]: ...


@covers(lambda v: len(v) <= 4 and all(1 <= x <= 6 for x in v))
@gen.composite
def dice(draw) -> list[int]: ...


class Suit(enum.Enum):
    HEARTS = 1
    SPADES = 2


class Card(NamedTuple):
    suit: Suit
    rank: int


@covers(lambda v: 1 <= v.rank <= 13 and (v.suit is Suit.HEARTS or v.rank >= 7))
@gen.composite
def cards(draw) -> Card: ...


@covers(lambda v: v is None or 0 <= v <= 9)
@gen.composite
def maybe_digit(draw) -> int | None: ...


@dataclass(frozen=True)
class Money:
    amount: int
    currency: str


@covers(lambda v: v.amount >= 0 and v.currency in ("EUR", "USD"))
@gen.composite
def money(draw) -> Money: ...


@covers(lambda v: v[0] < v[1] < v[2])
@gen.composite
def triples(draw) -> tuple[int, int, int]: ...


@covers(lambda v: 0 <= v <= 100 and v % 7 == 3)
@gen.composite
def sevenths(draw) -> int: ...


@dataclass(frozen=True)
class Num:
    n: int


@dataclass(frozen=True)
class Add:
    a: Ex
    b: Ex


@dataclass(frozen=True)
class Neg:
    a: Ex


Ex = Num | Add | Neg


def height(e: Ex) -> int:
    match e:
        case Num(_):
            return 0
        case Add(a, b):
            return 1 + max(height(a), height(b))
        case Neg(a):
            return 1 + height(a)


def no_double_neg(e: Ex, below: bool) -> bool:
    match e:
        case Num(_):
            return True
        case Add(a, b):
            return no_double_neg(a, False) and no_double_neg(b, False)
        case Neg(a):
            return not below and no_double_neg(a, True)


@covers(
    lambda v, h, below: height(v) <= h and no_double_neg(v, below), requires=lambda h: h >= 0, decreases="h"
)
@gen.composite
def expressions(draw, h: int, below: bool) -> Ex: ...


def size(t: Tree) -> int:
    match t:
        case Leaf():
            return 0
        case Node(_, l, r):
            return 1 + size(l) + size(r)


@covers(lambda v, n: size(v) == n, requires=lambda n: n >= 0)
@gen.composite
def sized_trees(draw, n: int) -> Tree: ...


def complete(t: Tree, d: int) -> bool:
    match t:
        case Leaf():
            return d == 0
        case Node(_, l, r):
            return d > 0 and complete(l, d - 1) and complete(r, d - 1)


@covers(lambda v, d: complete(v, d), requires=lambda d: d >= 0)
@gen.composite
def complete_trees(draw, d: int) -> Tree: ...


def unique(v: list[int]) -> bool:
    return not v or (v[0] not in v[1:] and unique(v[1:]))


@covers(lambda v, n: len(v) == n and unique(v), requires=lambda n: n >= 0)
@gen.composite
def uniques(draw, n: int) -> list[int]: ...
@covers(lambda v, n: len(v) <= n and ascending(v), requires=lambda n: n >= 0)
@gen.composite
def sorted_up_to(draw, n: int) -> list[int]: ...


ASKED = [
    "sorted_lists",
    "sorted_lists_from",
    "sorted_any",
    "search_trees",
    "heaps",
    "intervals",
    "spans",
    "dates",
    "brackets",
    "calendars",
    "red_black",
]
OTHERS = [
    "evens",
    "digits",
    "dice",
    "cards",
    "maybe_digit",
    "money",
    "triples",
    "sevenths",
    "expressions",
    "sized_trees",
    "complete_trees",
    "uniques",
    "sorted_up_to",
]
