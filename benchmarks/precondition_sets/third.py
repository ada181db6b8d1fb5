"""The third set of :mod:`preconditions`: predicates, structures and bugs that nothing was tuned on.

They were written before the changes that they measure. Run them once, at the end, with ``--third``.
"""

from __future__ import annotations

import datetime
import itertools
import re
from collections import Counter
from dataclasses import dataclass
from typing import Any, NamedTuple, TypedDict

from precondition_sets.predicates import Row
from precondition_sets.structures import Structure

from everycase import gen

few = gen.integers(0, 3)
small = gen.integers(0, 9)


# --- predicates ---------------------------------------------------------------------------------------------


@dataclass
class Shift:
    worker: int
    start: int
    hours: int


def is_roster(shifts: list[Shift]) -> bool:
    if len({shift.worker for shift in shifts}) < 2:
        return False
    hours: Counter[int] = Counter()
    for shift in shifts:
        hours[shift.worker] += shift.hours
    return max(hours.values()) <= 4 and all(shift.hours for shift in shifts)


class Money:
    def __init__(self, units: int, cents: int, currency: str) -> None:
        self.units = units
        self.cents = cents
        self.currency = currency

    @property
    def total(self) -> int:
        return 100 * self.units + self.cents


def change_is_exact(paid: tuple[Money, Money]) -> bool:
    given, price = paid
    return given.currency == price.currency and given.total - price.total == 250


class Recipe(TypedDict):
    name: str
    grams: list[int]
    servings: int


def recipe_is_plausible(recipe: Recipe) -> bool:
    if not recipe["name"].strip():
        return False
    return recipe["servings"] > 0 and sum(recipe["grams"]) >= 3 * recipe["servings"]


def is_partition(parts: list[int]) -> bool:
    return sum(parts) == 7 and all(part > 0 for part in parts) and parts == sorted(parts, reverse=True)


def is_unimodal(xs: list[int]) -> bool:
    if len(xs) < 3:
        return False
    peak = xs.index(max(xs))
    return 0 < peak < len(xs) - 1 and xs[:peak] == sorted(xs[:peak]) and xs[peak:] == sorted(xs[peak:])[::-1]


def is_licence_plate(text: str) -> bool:
    left, dash, right = text.partition("-")
    return bool(dash) and left.isalpha() and left.isupper() and right.isdigit() and len(right) <= 2


def is_clock(text: str) -> bool:
    if len(text) != 5 or text[2] != ":":
        return False
    hours, minutes = text[:2], text[3:]
    return hours.isdigit() and minutes.isdigit() and int(hours) < 24 and int(minutes) < 60


def is_snake_case(text: str) -> bool:
    return re.fullmatch(r"[a-z]+(_[a-z]+)*", text) is not None and "_" in text


@dataclass(frozen=True)
class File:
    name: str
    size: int


@dataclass(frozen=True)
class Folder:
    entries: tuple[File | Folder, ...]


def total_size(entry: Any) -> int:
    return entry.size if isinstance(entry, File) else sum(total_size(one) for one in entry.entries)


def depth(entry: Any) -> int:
    return 0 if isinstance(entry, File) else 1 + max(map(depth, entry.entries), default=0)


def fits_on_disk(folder: Any) -> bool:
    return isinstance(folder, Folder) and total_size(folder) <= 2 and depth(folder) >= 2


entries: Any = gen.deferred(
    lambda: (
        gen.builds(File, gen.sampled_from(["a", "b"]), gen.integers(0, 3))
        | gen.builds(Folder, gen.lists(entries).map(tuple))
    )
)


def votes_are_decisive(votes: dict[str, int]) -> bool:
    return len(votes) >= 2 and max(votes.values()) > sum(votes.values()) / 2 and min(votes.values()) > 0


def is_involution(mapping: dict[int, int]) -> bool:
    return all(mapping.get(value) == key for key, value in mapping.items()) and len(mapping) > 1


def is_dominating(edges: frozenset[tuple[int, int]]) -> bool:
    reached = {0} | {b for a, b in edges if a == 0}
    return all(node in reached for node in range(3)) and all(a != b for a, b in edges)


class Rectangle(NamedTuple):
    left: int
    top: int
    right: int
    bottom: int


def is_proper(r: Rectangle) -> bool:
    return r.left < r.right and r.top < r.bottom and (r.right - r.left) * (r.bottom - r.top) == 12


def overlap(pair: tuple[Rectangle, Rectangle]) -> bool:
    one, other = pair
    width = min(one.right, other.right) - max(one.left, other.left)
    height = min(one.bottom, other.bottom) - max(one.top, other.top)
    return width > 0 and height > 0


def is_leap_day(day: datetime.date) -> bool:
    return day.month == 2 and day.day == 29


@dataclass
class Loan:
    principal: int
    rate: int
    years: int

    def __post_init__(self) -> None:
        if self.years <= 0:
            raise ValueError("a loan runs for at least a year")


def is_affordable(loan: Loan) -> bool:
    return loan.principal > 0 and loan.principal * loan.rate * loan.years // 100 == 3


def is_sparse(vector: list[int]) -> bool:
    return len(vector) >= 4 and vector.count(0) * 2 > len(vector) and vector[0] != 0 != vector[-1]


def is_wave(xs: list[int]) -> bool:
    return len(xs) > 2 and all(
        (a < b) == (i % 2 == 0) and a != b for i, (a, b) in enumerate(itertools.pairwise(xs))
    )


def covers_the_hours(spans: list[tuple[int, int]]) -> bool:
    hours: set[int] = set()
    for start, end in spans:
        if start >= end:
            return False
        hours.update(range(start, end))
    return hours == set(range(3))


def checksum_holds(digits: list[int]) -> bool:
    return len(digits) > 1 and sum(digits[:-1]) % 10 == digits[-1]


def adds_to_a_thousand(numbers: tuple[int, int]) -> bool:
    a, b = numbers
    return a + b == 1000 and a > b


def is_next_page(numbers: tuple[int, int, int]) -> bool:
    page, size, offset = numbers
    return offset == page * size and size in (10, 20, 50)


def is_balanced_expression(tokens: list[str]) -> bool:
    height = 0
    for token in tokens:
        height += 1 if token == "1" else -1
        if height < 1:
            return False
    return height == 1


def all_rows_named(table: list[dict[str, int]]) -> bool:
    return len(table) > 1 and len({row["id"] for row in table}) == len(table) and table[0]["id"] == 0


money = gen.builds(Money, gen.integers(0, 20), gen.sampled_from([0, 50]), gen.sampled_from(["EUR", "USD"]))
rectangles = gen.builds(Rectangle, *[gen.integers(0, 12)] * 4)
recipes = gen.fixed_dictionaries(
    {"name": gen.text(" a", max_size=2), "grams": gen.lists(few), "servings": few}
)

PREDICATES = [
    Row("roster", "dataclass", gen.lists(gen.builds(Shift, few, few, few)), is_roster, 5),
    Row("exact change", "plain class", gen.tuples(money, money), change_is_exact, 3),
    Row("recipe", "TypedDict", recipes, recipe_is_plausible, 6),
    Row("partition of seven", "list", gen.lists(small), is_partition, 5),
    Row("unimodal", "list", gen.lists(small), is_unimodal, 4),
    Row("licence plate", "text", gen.text("Ab1-", max_size=6), is_licence_plate, 6),
    Row("clock", "text", gen.text("0127:", max_size=6), is_clock, 6),
    Row("snake case", "text", gen.text("aB_", max_size=7), is_snake_case, 7),
    Row("files", "tree", entries, fits_on_disk, 6),
    Row("votes", "dict", gen.dictionaries(gen.sampled_from("abc"), small), votes_are_decisive, 9),
    Row("involution", "dict", gen.dictionaries(few, few), is_involution, 9),
    Row("dominating", "set", gen.frozensets(gen.tuples(*[gen.integers(0, 2)] * 2)), is_dominating, 9),
    Row("rectangle", "NamedTuple", rectangles, is_proper, 1),
    Row("overlap", "NamedTuple", gen.tuples(*[gen.builds(Rectangle, *[few] * 4)] * 2), overlap, 3),
    Row(
        "leap day", "date", gen.dates(datetime.date(2023, 1, 1), datetime.date(2025, 12, 31)), is_leap_day, 3
    ),
    Row(
        "loan",
        "dataclass",
        gen.builds(Loan, gen.integers(0, 60), small, gen.integers(1, 9)),
        is_affordable,
        1,
    ),
    Row("sparse vector", "list", gen.lists(few), is_sparse, 6),
    Row("wave", "list", gen.lists(small), is_wave, 4),
    Row("covered hours", "list", gen.lists(gen.tuples(few, few)), covers_the_hours, 7),
    Row("checksum", "list", gen.lists(small), checksum_holds, 4),
    Row("adds to a thousand", "numbers", gen.tuples(*[gen.integers(0, 999)] * 2), adds_to_a_thousand, 1),
    Row(
        "next page", "numbers", gen.tuples(small, gen.integers(0, 60), gen.integers(0, 200)), is_next_page, 1
    ),
    Row("postfix", "list", gen.lists(gen.sampled_from(["1", "+"])), is_balanced_expression, 12),
    Row("named rows", "dict", gen.lists(gen.fixed_dictionaries({"id": small, "n": few})), all_rows_named, 5),
]


# --- leftist heaps --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Heap:
    rank: int
    key: int
    left: Heap | None
    right: Heap | None


def rank(heap: Heap | None) -> int:
    return 0 if heap is None else heap.rank


def keys_of(heap: Heap | None) -> list[int]:
    return [] if heap is None else [heap.key, *keys_of(heap.left), *keys_of(heap.right)]


def is_leftist(heap: Heap | None) -> bool:
    if heap is None:
        return True
    return (
        is_leftist(heap.left)
        and is_leftist(heap.right)
        and heap.rank == rank(heap.right) + 1
        and rank(heap.left) >= rank(heap.right)
        and all(heap.key <= key for key in keys_of(heap)[1:])
    )


def join(key: int, one: Heap | None, other: Heap | None, bug: str) -> Heap:
    if bug == "never swaps" or (bug == "swaps too late" and rank(other) == rank(one) + 1):
        return Heap(rank(other) + 1, key, one, other)
    if rank(one) >= rank(other):
        return Heap(rank(one if bug == "rank of the left" else other) + 1, key, one, other)
    return Heap(rank(one) + 1, key, other, one)


def merge(one: Heap | None, other: Heap | None, bug: str) -> Heap | None:
    if one is None or other is None:
        return other if one is None else one
    if one.key <= other.key or (bug == "compares with the grandchild" and one.left and one.left.left):
        return join(one.key, one.left, merge(one.right, other, bug), bug)
    if bug == "loses the right child" and other.right is not None and rank(other.left) > 1:
        return join(other.key, other.left, merge(one, None, bug), bug)
    return join(other.key, other.left, merge(one, other.right, bug), bug)


def popping_works(heap: Heap | None, bug: str) -> bool:
    if heap is None:
        return True
    rest = merge(heap.left, heap.right, bug)
    return is_leftist(rest) and sorted(keys_of(rest)) == sorted(keys_of(heap))[1:]


heaps: Any = gen.deferred(
    lambda: gen.none() | gen.builds(Heap, gen.integers(0, 4), gen.integers(0, 20), heaps, heaps)
)


# --- rope of text --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Piece:
    text: str


@dataclass(frozen=True)
class Rope:
    weight: int
    left: Piece | Rope
    right: Piece | Rope


def flat(rope: Any) -> str:
    return rope.text if isinstance(rope, Piece) else flat(rope.left) + flat(rope.right)


def is_rope(rope: Any) -> bool:
    if isinstance(rope, Piece):
        return len(rope.text) > 0
    return is_rope(rope.left) and is_rope(rope.right) and rope.weight == len(flat(rope.left))


def dropped(rope: Any, count: int, bug: str) -> Any:
    """The rope without its first characters; None if nothing is left."""
    if count <= 0:
        return rope
    if isinstance(rope, Piece):
        return Piece(rope.text[count:]) if count < len(rope.text) else None
    if count >= rope.weight:
        inner = isinstance(rope.right, Rope) and isinstance(rope.right.left, Rope)
        weight = rope.weight + 1 if bug == "one too many on the right" and inner else rope.weight
        return dropped(rope.right, count - weight, bug)
    left = dropped(rope.left, count, bug)
    if left is None:
        return rope.right
    if bug == "keeps the weight":
        return Rope(rope.weight, left, rope.right)
    if bug == "weight of the left child" and isinstance(left, Rope):
        return Rope(left.weight, left, rope.right)
    if bug == "turned around" and isinstance(left, Rope) and isinstance(rope.right, Rope):
        return Rope(len(flat(rope.right)), rope.right, left)
    return Rope(len(flat(left)), left, rope.right)


def dropping_works(rope: Any, bug: str) -> bool:
    text = flat(rope)
    for count in range(len(text)):
        left = dropped(rope, count, bug)
        if left is None or not is_rope(left) or flat(left) != text[count:]:
            return False
    return True


ropes: Any = gen.deferred(
    lambda: gen.builds(Piece, gen.text("ab", max_size=3)) | gen.builds(Rope, small, ropes, ropes)
)

STRUCTURES = [
    Structure(
        "leftist heaps",
        heaps,
        is_leftist,
        popping_works,
        (
            *("never swaps", "swaps too late", "rank of the left"),
            *("compares with the grandchild", "loses the right child"),
        ),
    ),
    Structure(
        "ropes",
        ropes,
        is_rope,
        dropping_works,
        (
            *("one too many on the right", "keeps the weight"),
            *("weight of the left child", "turned around"),
        ),
    ),
]
