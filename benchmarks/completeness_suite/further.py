"""Generators that are in no paper. Each has one labelled line (``# avl``) that is removed for the broken version."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from itertools import pairwise

from completeness_suite.rejecting import assume
from completeness_suite.trees import Leaf, Node, Tree, depth
from everycase import covers, gen

# --- AVL shapes: the heights of siblings differ by at most one -----------------------------------------------


def is_avl(t: Tree) -> bool:
    match t:
        case Leaf():
            return True
        case Node(_, left, right):
            near = -1 <= depth(left) - depth(right) <= 1
            return near and is_avl(left) and is_avl(right)


@covers(lambda v, h: depth(v) == h and is_avl(v), requires=lambda h: h >= 0)
@gen.composite
def avl_trees(draw, h: int) -> Tree:
    if h == 0:
        return Leaf()
    if h > 1 and draw(gen.booleans()):
        if draw(gen.booleans()):
            return Node(draw(gen.integers()), draw(avl_trees(h - 1)), draw(avl_trees(h - 2)))
        return Node(draw(gen.integers()), draw(avl_trees(h - 2)), draw(avl_trees(h - 1)))  # avl
    return Node(draw(gen.integers()), draw(avl_trees(h - 1)), draw(avl_trees(h - 1)))


# --- leftist heaps: no key below the parent's, the right spine is never longer than the left one -------------


def spine(t: Tree) -> int:
    match t:
        case Leaf():
            return 0
        case Node(_, _, right):
            return 1 + spine(right)


def is_leftist(t: Tree, least: int) -> bool:
    match t:
        case Leaf():
            return True
        case Node(x, left, right):
            return least <= x and spine(right) <= spine(left) and is_leftist(left, x) and is_leftist(right, x)


@covers(lambda v, d, least: depth(v) <= d and is_leftist(v, least), requires=lambda d: d >= 0, decreases="d")
@gen.composite
def leftist_heaps(draw, d: int, least: int) -> Tree:
    if d == 0 or draw(gen.booleans()):
        return Leaf()
    x = draw(gen.integers(least, None))
    left = draw(leftist_heaps(d - 1, x))
    right = draw(leftist_heaps(d - 1, x))
    if spine(right) <= spine(left):
        return Node(x, left, right)  # leftist
    return Node(x, right, left)


# --- balanced brackets: exactly n of them close k that are open ----------------------------------------------


def closes(items: list[bool], k: int) -> bool:
    if not items:
        return k == 0
    return closes(items[1:], k + 1) if items[0] else k > 0 and closes(items[1:], k - 1)


@covers(lambda v, n, k: len(v) == n and closes(v, k), requires=lambda n, k: n >= 0 and k >= 0)
@gen.composite
def brackets(draw, n: int, k: int) -> list[bool]:
    if n == 0:
        assume(k == 0)
        return []
    if k == 0 or draw(gen.booleans()):
        return [True, *draw(brackets(n - 1, k + 1))]
    else:
        return [False, *draw(brackets(n - 1, k - 1))]  # brackets


# --- one interval within bounds ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Interval:
    start: int
    end: int


@covers(lambda v, low, high: low <= v.start < v.end <= high, requires=lambda low, high: low < high)
@gen.composite
def intervals(draw, low: int, high: int) -> Interval:
    start = draw(gen.integers(low, high - 1))
    return Interval(start, draw(gen.integers(start + 1, high)))  # interval


# --- sorted lists of intervals that do not touch -------------------------------------------------------------


def disjoint(items: list[Interval], low: int) -> bool:
    return not items or (low <= items[0].start < items[0].end and disjoint(items[1:], items[0].end + 1))


@covers(lambda v, n, low: len(v) <= n and disjoint(v, low), requires=lambda n: n >= 0, decreases="n")
@gen.composite
def schedules(draw, n: int, low: int) -> list[Interval]:
    if n == 0:
        return []
    if draw(gen.booleans()):
        return []  # schedule
    start = draw(gen.integers(low, None))
    end = draw(gen.integers(start + 1, None))
    return [Interval(start, end), *draw(schedules(n - 1, end + 1))]


# --- matrices: rows of equal length --------------------------------------------------------------------------


@covers(lambda v, width: len(v) == width, requires=lambda width: width >= 0)
@gen.composite
def rows(draw, width: int) -> list[int]:
    if width == 0:
        return []
    return [draw(gen.integers()), *draw(rows(width - 1))]


def widths_are(m: list[list[int]], width: int) -> bool:
    return all(len(row) == width for row in m)


@covers(
    lambda v, height, width: len(v) == height and widths_are(v, width),
    requires=lambda height, width: height >= 0 and width >= 0,
)
@gen.composite
def matrices(draw, height: int, width: int) -> list[list[int]]:
    if height == 0:
        return []
    return [draw(rows(width)), *draw(matrices(height - 1, width))]  # matrix


# --- expressions with a type ---------------------------------------------------------------------------------


class Kind(Enum):
    NUMBER = 1
    TRUTH = 2


@dataclass(frozen=True)
class Number:
    value: int


@dataclass(frozen=True)
class Truth:
    value: bool


@dataclass(frozen=True)
class Less:
    left: Expression
    right: Expression


@dataclass(frozen=True)
class Choose:
    condition: Expression
    yes: Expression
    no: Expression


Expression = Number | Truth | Less | Choose


def has_kind(e: Expression, kind: Kind) -> bool:
    match e:
        case Number():
            return kind == Kind.NUMBER
        case Truth():
            return kind == Kind.TRUTH
        case Less(left, right):
            return kind == Kind.TRUTH and has_kind(left, Kind.NUMBER) and has_kind(right, Kind.NUMBER)
        case Choose(condition, yes, no):
            return has_kind(condition, Kind.TRUTH) and has_kind(yes, kind) and has_kind(no, kind)


def height(e: Expression) -> int:
    match e:
        case Less(left, right):
            return 1 + max(height(left), height(right))
        case Choose(condition, yes, no):
            return 1 + max(height(condition), max(height(yes), height(no)))
        case _:
            return 0


@covers(lambda v, d, kind: height(v) <= d and has_kind(v, kind), requires=lambda d: d >= 0)
@gen.composite
def expressions(draw, d: int, kind: Kind) -> Expression:
    if d > 0 and draw(gen.booleans()):
        if kind == Kind.TRUTH and draw(gen.booleans()):
            return Less(
                draw(expressions(d - 1, Kind.NUMBER)), draw(expressions(d - 1, Kind.NUMBER))
            )  # expression
        return Choose(
            draw(expressions(d - 1, Kind.TRUTH)),
            draw(expressions(d - 1, kind)),
            draw(expressions(d - 1, kind)),
        )
    if kind == Kind.NUMBER:
        return Number(draw(gen.integers()))
    return Truth(draw(gen.booleans()))


# --- calendar dates ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Date:
    year: int
    month: int
    day: int


def is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def days_in(year: int, month: int) -> int:
    if month == 2:
        return 29 if is_leap(year) else 28
    return 30 if month in (4, 6, 9, 11) else 31


@covers(lambda v: 1 <= v.year <= 9999 and 1 <= v.month <= 12 and 1 <= v.day <= days_in(v.year, v.month))
@gen.composite
def dates(draw) -> Date:
    year = draw(gen.integers(1, 9999))
    month = draw(gen.integers(1, 12))
    if month == 2 and is_leap(year):
        return Date(year, month, draw(gen.integers(1, 29)))  # date
    return Date(year, month, draw(gen.integers(1, days_in(year, month))))


# --- JSON-like values: two generators that call each other ---------------------------------------------------


@dataclass(frozen=True)
class Null:
    pass


@dataclass(frozen=True)
class Num:
    value: int


@dataclass(frozen=True)
class Str:
    value: str


@dataclass(frozen=True)
class Arr:
    items: Items


@dataclass(frozen=True)
class Empty:
    pass


@dataclass(frozen=True)
class Item:
    first: Json
    rest: Items


Json = Null | Num | Str | Arr
Items = Empty | Item


def fits(v: Json, d: int, w: int) -> bool:
    match v:
        case Arr(items):
            return d > 0 and items_fit(items, d - 1, w, w)
        case _:
            return True


def items_fit(items: Items, d: int, w: int, n: int) -> bool:
    match items:
        case Empty():
            return True
        case Item(first, rest):
            return n > 0 and fits(first, d, w) and items_fit(rest, d, w, n - 1)


@covers(lambda v, d, w: fits(v, d, w), requires=lambda d, w: d >= 0 and w >= 0, decreases=lambda d, w: (d, 0))
@gen.composite
def json_values(draw, d: int, w: int) -> Json:
    if d > 0 and draw(gen.booleans()):
        return Arr(draw(json_arrays(d - 1, w, w)))  # json
    if draw(gen.booleans()):
        return Null()
    return Num(draw(gen.integers())) if draw(gen.booleans()) else Str(draw(gen.text()))


@covers(
    lambda v, d, w, n: items_fit(v, d, w, n),
    requires=lambda d, w, n: d >= 0 and w >= 0 and n >= 0,
    decreases=lambda d, w, n: (d, n + 1),
)
@gen.composite
def json_arrays(draw, d: int, w: int, n: int) -> Items:
    if n == 0 or draw(gen.booleans()):
        return Empty()
    return Item(draw(json_values(d, w)), draw(json_arrays(d, w, n - 1)))


# --- tries of bounded height ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Trie:
    ends: bool
    zero: Trie | None
    one: Trie | None


def trie_height(t: Trie | None) -> int:
    return 0 if t is None else 1 + max(trie_height(t.zero), trie_height(t.one))


@covers(lambda v, h: trie_height(v) <= h, requires=lambda h: h >= 0)
@gen.composite
def tries(draw, h: int) -> Trie | None:
    if h == 0:
        return None
    if draw(gen.booleans()):
        return None  # trie
    return Trie(draw(gen.booleans()), draw(tries(h - 1)), draw(tries(h - 1)))


# --- strictly increasing lists within bounds -----------------------------------------------------------------


def increasing(items: list[int], low: int, high: int) -> bool:
    return not items or (low <= items[0] < high and increasing(items[1:], items[0] + 1, high))


@covers(lambda v, low, high: increasing(v, low, high), decreases=lambda low, high: max(high - low, 0))
@gen.composite
def increasing_lists(draw, low: int, high: int) -> list[int]:
    if low < high and draw(gen.booleans()):
        x = draw(gen.integers(low, high - 1))
        return [x, *draw(increasing_lists(x + 1, high))]  # increasing
    return []


# --- run-length encoding: counts are positive, neighbours differ ---------------------------------------------


def encoded(items: list[tuple[int, int]]) -> bool:
    return all(count > 0 for _, count in items) and all(a[0] != b[0] for a, b in pairwise(items))


@covers(lambda v, n: len(v) == n and encoded(v), requires=lambda n: n >= 0)
@gen.composite
def run_lengths(draw, n: int) -> list[tuple[int, int]]:
    if n == 0:
        return []
    rest = draw(run_lengths(n - 1))
    x = draw(gen.integers())
    if rest and rest[0][0] == x:
        assume(False)
    return [(x, draw(gen.integers(1, None))), *rest]  # runs


# --- a server configuration: TLS decides the ports -----------------------------------------------------------


@dataclass(frozen=True)
class Server:
    host: str
    port: int
    tls: bool
    workers: int | None


def sensible(s: Server) -> bool:
    port = s.port == 443 or 1024 <= s.port <= 65535 if s.tls else s.port == 80 or 1024 <= s.port <= 65535
    return port and (s.workers is None or 1 <= s.workers <= 64)


@covers(lambda v: sensible(v))
@gen.composite
def servers(draw) -> Server:
    tls = draw(gen.booleans())
    workers = draw(gen.integers(1, 64)) if draw(gen.booleans()) else None
    if draw(gen.booleans()):
        return Server(draw(gen.text()), 443 if tls else 80, tls, workers)  # server
    return Server(draw(gen.text()), draw(gen.integers(1024, 65535)), tls, workers)


#: generator, and the label of the line that the broken version lacks
FURTHER = {
    "avl_trees": "avl",
    "leftist_heaps": "leftist",
    "brackets": "brackets",
    "intervals": "interval",
    "schedules": "schedule",
    "matrices": "matrix",
    "expressions": "expression",
    "dates": "date",
    "json_values": "json",
    "tries": "trie",
    "increasing_lists": "increasing",
    "run_lengths": "runs",
    "servers": "server",
}
