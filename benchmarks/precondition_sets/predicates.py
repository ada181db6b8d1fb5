"""The predicates for :mod:`preconditions`: ordinary ones, as people write them at the top of their tests.

They were written before anything was tuned, and were not chosen to suit pruning. :data:`HELD_OUT` is a second set that
is run only to see whether improvements on the first set also help others.
"""

from __future__ import annotations

import dataclasses
import datetime
import enum
import itertools
import json
import re
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypedDict

from everycase import gen


class Row(NamedTuple):
    """A predicate with its inputs. Up to ``size``, all values are compared with those of filtering."""

    name: str
    kind: str
    inputs: Any
    predicate: Callable[[Any], Any]
    size: int


# --- classes ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Node:
    key: int
    left: Node | None
    right: Node | None


@dataclass
class Task:
    name: str
    hours: int
    after: list[int]


@dataclass
class Interval:
    start: int
    end: int

    def __post_init__(self) -> None:
        if self.start > self.end:
            raise ValueError("an interval cannot end before it starts")


class Account:
    def __init__(self, owner: str, balance: int, limit: int) -> None:
        self.owner = owner
        self.balance = balance
        self.limit = limit

    def is_covered(self) -> bool:
        return self.balance + self.limit >= 0


class Stack:
    def __init__(self, items: list[int], capacity: int) -> None:
        self.items = items
        self.capacity = capacity


class Colour(enum.Enum):
    RED = "red"
    BLACK = "black"


@dataclass(frozen=True)
class Coloured:
    colour: Colour
    key: int
    left: Coloured | None
    right: Coloured | None


@dataclass(frozen=True)
class Money:
    amount: int
    currency: str


@dataclass
class Order:
    items: list[Money]
    total: int


class Point(NamedTuple):
    x: int
    y: int


class User(TypedDict):
    name: str
    age: int
    admin: bool


class Span(TypedDict):
    first: int
    last: int


small = gen.integers(0, 9)
digit = gen.integers(0, 3)
word = gen.text("ab.@-", max_size=5)
trees = gen.deferred(lambda: gen.none() | gen.builds(Node, digit, trees, trees))
coloured = gen.deferred(
    lambda: gen.none() | gen.builds(Coloured, gen.sampled_from(Colour), digit, coloured, coloured)
)


def nodes_in_order(tree: Node | None) -> list[int]:
    if tree is None:
        return []
    return [*nodes_in_order(tree.left), tree.key, *nodes_in_order(tree.right)]


def is_search_tree(tree: Node | None) -> bool:
    keys = nodes_in_order(tree)
    return all(a < b for a, b in itertools.pairwise(keys))


def is_search_tree_by_bounds(tree: Node | None, low: int = -1, high: int = 10) -> bool:
    if tree is None:
        return True
    if not low < tree.key < high:
        return False
    return is_search_tree_by_bounds(tree.left, low, tree.key) and is_search_tree_by_bounds(
        tree.right, tree.key, high
    )


def height(tree: Any) -> int:
    return 0 if tree is None else 1 + max(height(tree.left), height(tree.right))


def is_balanced(tree: Node | None) -> bool:
    if tree is None:
        return True
    if abs(height(tree.left) - height(tree.right)) > 1:
        return False
    return is_balanced(tree.left) and is_balanced(tree.right)


def is_heap(tree: Node | None) -> bool:
    if tree is None:
        return True
    for child in (tree.left, tree.right):
        if child is not None and child.key < tree.key:
            return False
    return is_heap(tree.left) and is_heap(tree.right)


def is_avl(tree: Node | None) -> bool:
    return is_search_tree(tree) and is_balanced(tree)


def no_red_red(tree: Coloured | None) -> bool:
    if tree is None:
        return True
    if tree.colour is Colour.RED:
        for child in (tree.left, tree.right):
            if child is not None and child.colour is Colour.RED:
                return False
    return no_red_red(tree.left) and no_red_red(tree.right)


def black_height(tree: Coloured | None) -> int | None:
    if tree is None:
        return 0
    left, right = black_height(tree.left), black_height(tree.right)
    if left is None or left != right:
        return None
    return left + (tree.colour is Colour.BLACK)


def keys_in_order(tree: Coloured | None) -> list[int]:
    if tree is None:
        return []
    return [*keys_in_order(tree.left), tree.key, *keys_in_order(tree.right)]


def is_red_black(tree: Coloured | None) -> bool:
    keys = keys_in_order(tree)
    return (
        (tree is None or tree.colour is Colour.BLACK)
        and no_red_red(tree)
        and all(a < b for a, b in zip(keys, keys[1:]))  # noqa: RUF007
        and black_height(tree) is not None
    )


# --- lists --------------------------------------------------------------------------------------------------


def is_sorted(xs: list[int]) -> bool:
    return xs == sorted(xs)


def is_strictly_increasing(xs: list[int]) -> bool:
    return len(xs) >= 2 and all(a < b for a, b in zip(xs, xs[1:]))  # noqa: RUF007


def all_different(xs: list[int]) -> bool:
    return len(set(xs)) == len(xs) and len(xs) > 1


def different_by_counting(xs: list[int]) -> bool:
    return bool(xs) and max(Counter(xs).values()) == 1


def sums_to_ten(xs: list[int]) -> bool:
    return sum(xs) == 10


def starts_and_ends_alike(xs: list[int]) -> bool:
    return len(xs) >= 2 and xs[0] == xs[-1]


def is_palindrome(xs: list[int]) -> bool:
    return len(xs) > 1 and xs == xs[::-1]


def has_each_once(xs: list[int]) -> bool:
    return sorted(xs) == list(range(len(xs)))


def is_zigzag(xs: list[int]) -> bool:
    return len(xs) > 2 and all((b - a) * (c - b) < 0 for a, b, c in zip(xs, xs[1:], xs[2:]))


def contains_seven_twice(xs: list[int]) -> bool:
    return xs.count(7) == 2


def smallest_is_even(xs: list[int]) -> bool:
    return len(xs) > 1 and min(xs) % 2 == 0 and max(xs) - min(xs) > 3


def zero_sum_pairs(xs: list[tuple[int, int]]) -> bool:
    return len(xs) > 0 and all(a + b == 0 for a, b in xs)


def matrix_is_square(rows: list[list[int]]) -> bool:
    return bool(rows) and all(len(row) == len(rows) for row in rows)


def rows_are_equally_long(rows: list[list[int]]) -> bool:
    return len(rows) > 1 and len({len(row) for row in rows}) == 1


def is_magic(rows: list[list[int]]) -> bool:
    return (
        len(rows) == 2
        and all(len(row) == 2 for row in rows)
        and sum(rows[0]) == sum(rows[1]) == rows[0][0] + rows[1][0]
    )


def balanced_brackets(marks: list[bool]) -> bool:
    depth = 0
    for opens in marks:
        depth += 1 if opens else -1
        if depth < 0:
            return False
    return depth == 0


def no_overlap(spans: list[tuple[int, int]]) -> bool:
    return all(a < b for a, b in spans) and all(
        a[1] <= b[0] for a, b in itertools.pairwise(sorted(spans, key=lambda span: span[0]))
    )


def queens_do_not_attack(columns: list[int]) -> bool:
    return all(
        columns[i] != columns[j] and abs(columns[i] - columns[j]) != j - i
        for i in range(len(columns))
        for j in range(i + 1, len(columns))
    ) and len(columns) in (4, 5)


# --- numbers ------------------------------------------------------------------------------------------------


def is_triangle(sides: tuple[int, int, int]) -> bool:
    a, b, c = sides
    return a + b > c and b + c > a and a + c > b


def is_pythagorean(sides: tuple[int, int, int]) -> bool:
    a, b, c = sides
    return 0 < a <= b < c and a * a + b * b == c * c


def differ_by_twelve(pair: tuple[int, int]) -> bool:
    return pair[0] - pair[1] == 12


def far_apart(pair: tuple[int, int]) -> bool:
    return abs(pair[0] - pair[1]) > 90


def adds_up(numbers: tuple[int, int, int]) -> bool:
    a, b, c = numbers
    return a + b == c


def is_range(pair: tuple[int, int]) -> bool:
    low, high = pair
    return low < high and -low < 3 and high - low <= 10


def in_order(numbers: tuple[int, int, int, int]) -> bool:
    a, b, c, d = numbers
    return a < b < c < d


def double_of(pair: tuple[int, int]) -> bool:
    return 2 * pair[0] == pair[1]


# --- dictionaries and text ----------------------------------------------------------------------------------


def is_adult_admin(user: User) -> bool:
    return user["admin"] and user["age"] >= 8 and user["name"] != ""


def span_is_proper(span: Span) -> bool:
    return span["first"] < span["last"]


def config_is_consistent(config: dict[str, Any]) -> bool:
    if config["tls"]:
        return bool(config["port"] == 7 and config["workers"] > 2)
    return bool(config["port"] == 8 and config["workers"] < 2)


def optional_keys_agree(config: dict[str, Any]) -> bool:
    return ("low" in config) == ("high" in config) and config.get("low", 0) <= config.get("high", 9)


def graph_is_symmetric(graph: dict[int, list[int]]) -> bool:
    return len(graph) > 1 and all(a in graph.get(b, []) for a in graph for b in graph[a])


def graph_is_acyclic(graph: dict[int, list[int]]) -> bool:
    done: set[int] = set()

    def visit(node: int, path: tuple[int, ...]) -> bool:
        if node in path:
            return False
        if node in done:
            return True
        done.add(node)
        return all(visit(other, (*path, node)) for other in graph.get(node, []))

    return len(graph) > 1 and all(visit(node, ()) for node in sorted(graph))


def shares_add_up(shares: dict[str, int]) -> bool:
    return sum(shares.values()) == 10


def is_injective(mapping: dict[int, int]) -> bool:
    return len(mapping) > 1 and len(set(mapping.values())) == len(mapping)


def is_email(text: str) -> bool:
    return re.fullmatch(r"[ab]+@[ab]+\.[ab]+", text) is not None


def has_one_at(text: str) -> bool:
    return text.count("@") == 1 and not text.startswith("@")


def is_identifier(text: str) -> bool:
    return text.isidentifier() and len(text) > 1


def is_dashed(text: str) -> bool:
    return len(text) > 2 and text[0] == "a" and text[-1] == "b" and "-" in text


def is_text_palindrome(text: str) -> bool:
    return len(text) >= 2 and all(a == b for a, b in zip(text, reversed(text)))


def has_matching_brackets(text: str) -> bool:
    depth = 0
    for c in text:
        depth += {"(": 1, ")": -1}.get(c, 0)
        if depth < 0:
            return False
    return depth == 0 and len(text) > 1


def json_has_id(document: Any) -> bool:
    return isinstance(document, dict) and "id" in document and isinstance(document["id"], int)


def json_is_flat(document: Any) -> bool:
    if not isinstance(document, list):
        return False
    return len(document) > 1 and all(not isinstance(part, list | dict) for part in document)


# --- objects ------------------------------------------------------------------------------------------------


def account_is_fine(account: Account) -> bool:
    return account.is_covered() and account.limit > 0 and account.owner != ""


def stack_fits(stack: Stack) -> bool:
    return 0 < len(stack.items) <= stack.capacity and stack.items[-1] == stack.capacity


def order_adds_up(order: Order) -> bool:
    if not order.items:
        return False
    currency = order.items[0].currency
    return all(item.currency == currency for item in order.items) and order.total == sum(
        item.amount for item in order.items
    )


def plan_is_valid(tasks: list[Task]) -> bool:
    names = [task.name for task in tasks]
    if len(set(names)) != len(names):
        return False
    return len(tasks) > 1 and all(0 <= i < place for place, task in enumerate(tasks) for i in task.after)


def hours_fit(tasks: list[Task]) -> bool:
    return len(tasks) == 2 and sum(task.hours for task in tasks) == 8 and all(task.hours for task in tasks)


def intervals_are_disjoint(intervals: list[Interval]) -> bool:
    return len(intervals) > 1 and all(a.end - 3 <= b.start for a, b in itertools.pairwise(intervals))


def interval_is_long(interval: Interval) -> bool:
    return interval.end - interval.start >= 7


def points_are_in_line(points: list[Point]) -> bool:
    if len(points) != 3:
        return False
    a, b, c = points
    return a != b and (b.x - a.x) * (c.y - a.y) == (b.y - a.y) * (c.x - a.x)


def as_dict_is_small(order: Order) -> bool:
    return len(json.dumps(dataclasses.asdict(order))) > 40 and order.total > 5


def is_weekday_in_march(day: datetime.date) -> bool:
    return day.month == 3 and day.weekday() < 5


def dates_in_order(days: tuple[datetime.date, datetime.date]) -> bool:
    return days[0] < days[1] and days[0].day == days[1].day


def set_is_closed(numbers: set[int]) -> bool:
    return len(numbers) > 1 and all((a + b) % 10 in numbers for a in numbers for b in numbers)


def disjoint(pair: tuple[frozenset[int], frozenset[int]]) -> bool:
    return bool(pair[0]) and bool(pair[1]) and not pair[0] & pair[1]


def queue_is_fair(moves: list[int]) -> bool:
    waiting: deque[int] = deque()
    for move in moves:
        if move:
            waiting.append(move)
        elif not waiting:
            return False
        else:
            waiting.popleft()
    return not waiting and len(moves) > 0


documents = gen.recursive(
    gen.none() | gen.booleans() | digit,
    lambda inner: gen.lists(inner, max_size=3) | gen.dictionaries(gen.sampled_from(["id", "x"]), inner),
)
pairs = gen.tuples(small, small)

FIRST: list[Row] = [
    Row("sorted list", "list", gen.lists(small), is_sorted, 4),
    Row("strictly increasing", "list", gen.lists(small), is_strictly_increasing, 4),
    Row("different by set", "list", gen.lists(small), all_different, 4),
    Row("different by Counter", "list", gen.lists(digit), different_by_counting, 5),
    Row("sums to ten", "list", gen.lists(small), sums_to_ten, 4),
    Row("starts as it ends", "list", gen.lists(small), starts_and_ends_alike, 4),
    Row("palindrome", "list", gen.lists(small), is_palindrome, 4),
    Row("permutation", "list", gen.lists(small), has_each_once, 4),
    Row("zigzag", "list", gen.lists(small), is_zigzag, 4),
    Row("two sevens", "list", gen.lists(small), contains_seven_twice, 4),
    Row("smallest is even", "list", gen.lists(small), smallest_is_even, 4),
    Row(
        "zero sum pairs",
        "list",
        gen.lists(gen.tuples(gen.integers(-5, 5), gen.integers(-5, 5))),
        zero_sum_pairs,
        4,
    ),
    Row("square matrix", "list", gen.lists(gen.lists(digit)), matrix_is_square, 6),
    Row("equal rows", "list", gen.lists(gen.lists(digit)), rows_are_equally_long, 5),
    Row("magic square", "list", gen.lists(gen.lists(digit)), is_magic, 6),
    Row("brackets by booleans", "list", gen.lists(gen.booleans()), balanced_brackets, 12),
    Row("spans without overlap", "list", gen.lists(pairs), no_overlap, 4),
    Row("queens", "list", gen.lists(gen.integers(0, 4)), queens_do_not_attack, 5),
    Row("first in, first out", "list", gen.lists(digit), queue_is_fair, 6),
    Row("triangle", "numbers", gen.tuples(small, small, small), is_triangle, 1),
    Row("Pythagorean", "numbers", gen.tuples(*[gen.integers(1, 30)] * 3), is_pythagorean, 1),
    Row("differ by twelve", "numbers", gen.tuples(*[gen.integers(0, 100)] * 2), differ_by_twelve, 1),
    Row("far apart", "numbers", gen.tuples(*[gen.integers(0, 100)] * 2), far_apart, 1),
    Row("adds up", "numbers", gen.tuples(*[gen.integers(0, 30)] * 3), adds_up, 1),
    Row("a proper range", "numbers", gen.tuples(*[gen.integers(-60, 60)] * 2), is_range, 1),
    Row("four in order", "numbers", gen.tuples(*[gen.integers(0, 12)] * 4), in_order, 1),
    Row("double", "numbers", gen.tuples(*[gen.integers(0, 200)] * 2), double_of, 1),
    Row(
        "adult administrator",
        "dict",
        gen.fixed_dictionaries({"name": gen.text("ab", max_size=3), "age": small, "admin": gen.booleans()}),
        is_adult_admin,
        6,
    ),
    Row(
        "proper span", "TypedDict", gen.fixed_dictionaries({"first": small, "last": small}), span_is_proper, 2
    ),
    Row(
        "TypedDict by type",
        "TypedDict",
        gen.tuples(gen.from_type(Span).filter(lambda s: 0 <= s["first"] < 10 and 0 <= s["last"] < 10)),
        lambda t: t[0]["first"] == t[0]["last"],
        9,
    ),
    Row(
        "consistent configuration",
        "dict",
        gen.fixed_dictionaries(
            {"tls": gen.booleans(), "port": small, "workers": small, "debug": gen.booleans()}
        ),
        config_is_consistent,
        3,
    ),
    Row(
        "optional keys agree",
        "dict",
        gen.fixed_dictionaries({"name": small}, optional={"low": small, "high": small}),
        optional_keys_agree,
        3,
    ),
    Row("symmetric graph", "dict", gen.dictionaries(digit, gen.lists(digit)), graph_is_symmetric, 8),
    Row("acyclic graph", "dict", gen.dictionaries(digit, gen.lists(digit)), graph_is_acyclic, 7),
    Row("shares add up", "dict", gen.dictionaries(gen.sampled_from("abc"), small), shares_add_up, 9),
    Row("injective", "dict", gen.dictionaries(digit, small), is_injective, 9),
    Row("e-mail", "text", word, is_email, 6),
    Row("one at sign", "text", word, has_one_at, 5),
    Row("identifier", "text", gen.text("a_1 -", max_size=5), is_identifier, 5),
    Row("dashed", "text", word, is_dashed, 5),
    Row("palindromic text", "text", gen.text("abcd", max_size=6), is_text_palindrome, 6),
    Row("bracket text", "text", gen.text("()x", max_size=8), has_matching_brackets, 8),
    Row("document with id", "JSON", documents, json_has_id, 6),
    Row("flat document", "JSON", documents, json_is_flat, 6),
    Row(
        "account",
        "plain class",
        gen.builds(Account, gen.text("ab", max_size=2), gen.integers(-50, 50), gen.integers(0, 20)),
        account_is_fine,
        3,
    ),
    Row("full stack", "plain class", gen.builds(Stack, gen.lists(small), small), stack_fits, 5),
    Row(
        "order adds up",
        "dataclass",
        gen.builds(
            Order, gen.lists(gen.builds(Money, small, gen.sampled_from(["EUR", "USD"]))), gen.integers(0, 30)
        ),
        order_adds_up,
        5,
    ),
    Row(
        "order as a dict",
        "dataclass",
        gen.builds(Order, gen.lists(gen.builds(Money, digit, gen.sampled_from(["EUR", "USD"]))), small),
        as_dict_is_small,
        5,
    ),
    Row(
        "plan",
        "dataclass",
        gen.lists(
            gen.builds(Task, gen.sampled_from("ab"), gen.integers(0, 2), gen.lists(gen.integers(-1, 2)))
        ),
        plan_is_valid,
        6,
    ),
    Row(
        "hours of a plan",
        "dataclass",
        gen.lists(gen.builds(Task, gen.sampled_from("ab"), small, gen.lists(digit))),
        hours_fit,
        4,
    ),
    Row(
        "disjoint intervals",
        "__post_init__",
        gen.lists(gen.builds(Interval, gen.integers(0, 3), gen.integers(3, 5))),
        intervals_are_disjoint,
        6,
    ),
    Row(
        "long interval",
        "__post_init__",
        gen.builds(Interval, gen.integers(0, 20), gen.integers(20, 40)),
        interval_is_long,
        2,
    ),
    Row("points in line", "NamedTuple", gen.lists(gen.builds(Point, digit, digit)), points_are_in_line, 6),
    Row(
        "weekday in March",
        "dates",
        gen.dates(datetime.date(2020, 1, 1), datetime.date(2022, 12, 31)),
        is_weekday_in_march,
        1,
    ),
    Row(
        "dates in order",
        "dates",
        gen.tuples(*[gen.dates(datetime.date(2020, 1, 1), datetime.date(2020, 6, 30))] * 2),
        dates_in_order,
        1,
    ),
    Row("closed set", "set", gen.sets(small), set_is_closed, 8),
    Row("disjoint sets", "set", gen.tuples(gen.frozensets(digit), gen.frozensets(digit)), disjoint, 9),
    Row("search tree by list", "tree", trees, is_search_tree, 5),
    Row("search tree by bounds", "tree", trees, is_search_tree_by_bounds, 5),
    Row("balanced tree", "tree", trees, is_balanced, 5),
    Row("heap", "tree", trees, is_heap, 5),
    Row("AVL tree", "tree", trees, is_avl, 5),
    Row("red-black tree", "tree", coloured, is_red_black, 4),
    Row(
        "mapped numbers",
        "map",
        gen.tuples(*[gen.integers(0, 50).map(lambda n: 2 * n, inverse=lambda n: n // 2)] * 2),
        differ_by_twelve,
        1,
    ),
]


# --- the second set -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Leaf:
    value: int


@dataclass(frozen=True)
class Fork:
    parts: tuple[Any, ...] | list[Any]


class Room:
    __slots__ = ("beds", "guests")

    def __init__(self, beds: int, guests: list[str]) -> None:
        self.beds = beds
        self.guests = guests


class Trip:
    def __init__(self, stops: list[int], fare: int = 0) -> None:
        self.stops = list(stops)
        self.fare = fare


forks = gen.deferred(lambda: gen.builds(Leaf, digit) | gen.builds(Fork, gen.lists(forks, max_size=2)))


def fork_sum(tree: Leaf | Fork) -> int:
    match tree:
        case Leaf(value):
            return value
        case Fork(parts):
            return sum(fork_sum(part) for part in parts)


def beds_suffice(room: Room) -> bool:
    return 1 < len(room.guests) <= room.beds and len(set(room.guests)) == len(room.guests)


def trip_goes_on(trip: Trip) -> bool:
    return len(trip.stops) > 1 and all(a < b for a, b in zip(trip.stops, trip.stops[1:])) and trip.fare > 0


def run_lengths(xs: list[int]) -> bool:
    return [len(list(group)) for _, group in itertools.groupby(xs)] == [1, 2]


def is_majority(votes: list[int]) -> bool:
    return len(votes) > 2 and Counter(votes).most_common(1)[0][1] * 2 > len(votes)


def is_subset_sum(pair: tuple[list[int], int]) -> bool:
    numbers, total = pair
    return bool(numbers) and any(
        sum(some) == total for n in range(2, len(numbers) + 1) for some in itertools.combinations(numbers, n)
    )


def time_is_valid(parts: dict[str, int]) -> bool:
    return parts["hour"] < 24 and parts["minute"] < 60 and (parts["hour"], parts["minute"]) >= (20, 30)


def is_csv_row(text: str) -> bool:
    cells = text.split(",")
    return len(cells) == 3 and all(cell.strip() for cell in cells)


def ledger_balances(entries: list[tuple[str, int]]) -> bool:
    return len(entries) >= 2 and sum(amount for _, amount in entries) == 0 and all(a for _, a in entries)


def is_latin(rows: list[list[int]]) -> bool:
    n = len(rows)
    return (
        n == 2
        and all(sorted(row) == list(range(n)) for row in rows)
        and all(len({row[i] for row in rows}) == n for i in range(n))
    )


def is_unit_step(numbers: tuple[int, int, int]) -> bool:
    a, b, c = numbers
    return b - a == c - b == 7


def tags_are_clean(tags: frozenset[str]) -> bool:
    return len(tags) >= 2 and all(tag == tag.lower() for tag in tags)


HELD_OUT: list[Row] = [
    Row("fork with a sum", "tree", forks, lambda tree: fork_sum(tree) == 5, 7),
    Row("room", "plain class", gen.builds(Room, digit, gen.lists(gen.sampled_from("abc"))), beds_suffice, 4),
    Row("trip", "plain class", gen.builds(Trip, gen.lists(small), digit), trip_goes_on, 4),
    Row("run lengths", "list", gen.lists(small), run_lengths, 3),
    Row("majority", "list", gen.lists(digit), is_majority, 5),
    Row(
        "subset sum", "list", gen.tuples(gen.lists(small, max_size=3), gen.integers(0, 20)), is_subset_sum, 4
    ),
    Row(
        "time of day",
        "dict",
        gen.fixed_dictionaries({"hour": gen.integers(0, 30), "minute": gen.integers(0, 99)}),
        time_is_valid,
        2,
    ),
    Row("row of a table", "text", gen.text("a, ", max_size=6), is_csv_row, 6),
    Row(
        "ledger",
        "list",
        gen.lists(gen.tuples(gen.sampled_from(["cash", "bank"]), gen.integers(-6, 6))),
        ledger_balances,
        5,
    ),
    Row("Latin square", "list", gen.lists(gen.lists(digit)), is_latin, 6),
    Row("equal steps", "numbers", gen.tuples(*[gen.integers(0, 40)] * 3), is_unit_step, 1),
    Row("clean tags", "set", gen.frozensets(gen.text("aB", max_size=2)), tags_are_clean, 7),
    Row(
        "wide difference", "numbers", gen.tuples(*[gen.integers(0, 2**17)] * 2), lambda t: t[0] - t[1] == 3, 6
    ),
]
