"""The fourth set of :mod:`preconditions`: predicates that nothing was tuned on.

They were written before their results were seen. Run them once, at the end, with ``--fourth``.
"""

from __future__ import annotations

import datetime
import itertools
import string
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypedDict

from precondition_sets.predicates import Row

from everycase import gen

few = gen.integers(0, 3)
small = gen.integers(0, 9)


@dataclass
class Booking:
    room: int
    start: int
    end: int


def no_double_booking(bookings: list[Booking]) -> bool:
    by_room: dict[int, list[Booking]] = defaultdict(list)
    for booking in bookings:
        if booking.start >= booking.end:
            return False
        by_room[booking.room].append(booking)
    for some in by_room.values():
        some.sort(key=lambda one: one.start)
        if any(a.end > b.start for a, b in itertools.pairwise(some)):
            return False
    return len(bookings) > 1


@dataclass
class Tank:
    capacity: int
    level: int
    free: int = field(init=False)

    def __post_init__(self) -> None:
        self.free = self.capacity - self.level


def can_pour(tanks: tuple[Tank, Tank]) -> bool:
    source, target = tanks
    return source.free >= 0 and target.free >= source.level > 4


class Vote:
    def __init__(self, voter: int, choices: list[int]) -> None:
        self.voter = voter
        self.choices = choices


def is_ballot(votes: list[Vote]) -> bool:
    if len({vote.voter for vote in votes}) != len(votes):
        return False
    return all(vote.choices and len(set(vote.choices)) == len(vote.choices) for vote in votes)


class Person(TypedDict):
    age: int
    married: bool
    children: list[int]


def is_parent(person: Person) -> bool:
    return (
        person["age"] >= 8
        and bool(person["children"])
        and all(age < person["age"] - 5 for age in person["children"])
    )


def has_majority(xs: list[int]) -> bool:
    return len(xs) > 2 and any(xs.count(x) * 2 > len(xs) for x in set(xs))


def is_prefix_sum_positive(xs: list[int]) -> bool:
    total = 0
    for x in xs:
        total += x - 4
        if total < 0:
            return False
    return len(xs) > 2


def is_mountain(xs: list[int]) -> bool:
    if len(xs) < 3:
        return False
    peak = xs.index(max(xs))
    return (
        0 < peak < len(xs) - 1
        and xs[: peak + 1] == sorted(set(xs[: peak + 1]))
        and (xs[peak:] == sorted(set(xs[peak:]), reverse=True))
    )


def is_run_length(pairs: list[tuple[int, int]]) -> bool:
    return (
        all(n > 0 for _, n in pairs)
        and all(a != b for (a, _), (b, _) in itertools.pairwise(pairs))
        and len(pairs) > 1
    )


def is_identifier(text: str) -> bool:
    return len(text) > 2 and text[0] in string.ascii_lowercase and all(c.isalnum() or c == "_" for c in text)


def is_key_value(text: str) -> bool:
    key, found, value = text.partition("=")
    return bool(found) and bool(key) and bool(value) and "=" not in value


def is_indented(text: str) -> bool:
    return text.startswith("  ") and not text.endswith(" ") and len(text) > 3


def is_rgb(color: dict[str, int]) -> bool:
    return color["r"] > color["g"] + color["b"] and color["g"] == color["b"]


def is_inverse(mapping: dict[int, int]) -> bool:
    return len(mapping) > 1 and all(mapping.get(value) == key for key, value in mapping.items())


def is_stock(stock: dict[str, int]) -> bool:
    return "a" in stock and sum(stock.values()) == 5


def is_dag(edges: list[tuple[int, int]]) -> bool:
    return len(edges) > 1 and all(a < b for a, b in edges) and len(set(edges)) == len(edges)


def is_path(edges: list[tuple[int, int]]) -> bool:
    return (
        len(edges) > 1
        and all(a[1] == b[0] for a, b in itertools.pairwise(edges))
        and all(a != b for a, b in edges)
    )


def is_weekend_trip(days: tuple[datetime.date, datetime.date]) -> bool:
    first, last = days
    return first.weekday() == 5 and last - first == datetime.timedelta(days=1)


def is_school_year(days: tuple[datetime.date, datetime.date]) -> bool:
    return days[0].month == 9 and days[0].day == 1 and days[1] > days[0]


class Move(NamedTuple):
    x: int
    y: int


def returns_home(moves: list[Move]) -> bool:
    return len(moves) > 1 and sum(m.x - 1 for m in moves) == 0 and sum(m.y - 1 for m in moves) == 0


def is_knight_tour(moves: list[Move]) -> bool:
    return len(moves) > 1 and all(
        {abs(a.x - b.x), abs(a.y - b.y)} == {1, 2} for a, b in itertools.pairwise(moves)
    )


def is_closed_family(sets: tuple[frozenset[int], frozenset[int]]) -> bool:
    return len(sets[0] & sets[1]) == 1 and len(sets[0]) > 1 and not sets[1] <= sets[0]


def is_settings(data: dict[str, Any]) -> bool:
    return (
        data["retries"] > 0
        and data["timeout"] >= 2 * data["retries"]
        and len(data["hosts"]) == len(set(data["hosts"])) > 0
    )


def is_latin(rows: list[list[int]]) -> bool:
    n = len(rows)
    return (
        n > 1
        and all(sorted(row) == list(range(n)) for row in rows)
        and all(sorted(column) == list(range(n)) for column in zip(*rows))
    )


def is_progression(t: tuple[int, int, int]) -> bool:
    a, b, c = t
    return b - a == c - b != 0 and a % 3 == 1


bookings = gen.lists(gen.builds(Booking, gen.integers(0, 1), few, few), max_size=3)
tanks = gen.builds(Tank, small, small)
votes = gen.lists(gen.builds(Vote, gen.integers(0, 2), gen.lists(gen.integers(0, 2), max_size=3)), max_size=3)
people = gen.fixed_dictionaries(
    {"age": gen.integers(0, 15), "married": gen.booleans(), "children": gen.lists(small, max_size=2)}
)
days = gen.dates(datetime.date(2024, 1, 1), datetime.date(2024, 12, 31))
moves = gen.lists(gen.builds(Move, few, few), max_size=3)

PREDICATES = [
    Row("no double booking", "dataclass", bookings, no_double_booking, 9),
    Row("tanks", "dataclass", gen.tuples(tanks, tanks), can_pour, 8),
    Row("ballot", "plain class", votes, is_ballot, 8),
    Row("parent", "TypedDict", people, is_parent, 8),
    Row("majority", "list", gen.lists(few, max_size=6), has_majority, 7),
    Row("prefix sums", "list", gen.lists(small, max_size=4), is_prefix_sum_positive, 6),
    Row("mountain", "list", gen.lists(small, max_size=4), is_mountain, 6),
    Row("run lengths", "list", gen.lists(gen.tuples(few, few), max_size=3), is_run_length, 9),
    Row("identifier", "text", gen.text("aB1_ ", max_size=5), is_identifier, 6),
    Row("key and value", "text", gen.text("ab=", max_size=6), is_key_value, 7),
    Row("indented", "text", gen.text("a ", max_size=9), is_indented, 10),
    Row("color", "dict", gen.fixed_dictionaries({"r": small, "g": small, "b": small}), is_rgb, 8),
    Row("inverse", "dict", gen.dictionaries(few, few, max_size=4), is_inverse, 9),
    Row(
        "stock",
        "dict",
        gen.dictionaries(gen.sampled_from("abc"), gen.integers(0, 5), max_size=3),
        is_stock,
        8,
    ),
    Row("order of edges", "graph", gen.lists(gen.tuples(few, few), max_size=3), is_dag, 9),
    Row("path", "graph", gen.lists(gen.tuples(few, few), max_size=3), is_path, 9),
    Row("weekend trip", "date", gen.tuples(days, days), is_weekend_trip, 3),
    Row("school year", "date", gen.tuples(days, days), is_school_year, 3),
    Row("returns home", "tuple", moves, returns_home, 9),
    Row("knight's tour", "tuple", moves, is_knight_tour, 9),
    Row("two sets", "set", gen.tuples(gen.frozensets(few), gen.frozensets(few)), is_closed_family, 12),
    Row(
        "settings",
        "JSON",
        gen.fixed_dictionaries(
            {"retries": few, "timeout": small, "hosts": gen.lists(gen.sampled_from("ab"), max_size=3)}
        ),
        is_settings,
        9,
    ),
    Row(
        "Latin square", "list", gen.lists(gen.lists(gen.integers(0, 2), max_size=3), max_size=3), is_latin, 10
    ),
    Row("progression", "tuple", gen.tuples(*[gen.integers(0, 20)] * 3), is_progression, 4),
]
