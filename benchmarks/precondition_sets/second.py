"""The second set of :mod:`preconditions`: predicates, structures and bugs that nothing was tuned on.

They were written before the default was tuned on the first set. Run them once, at the end, with ``--held-out``.
"""

from __future__ import annotations

import datetime
import itertools
import string
from collections import defaultdict
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple, TypedDict

from precondition_sets.predicates import Row
from precondition_sets.structures import Structure

from everycase import gen

few = gen.integers(0, 3)
small = gen.integers(0, 9)


# --- predicates ---------------------------------------------------------------------------------------------


@dataclass
class Booking:
    room: int
    first: int
    nights: int


def bookings_do_not_overlap(bookings: list[Booking]) -> bool:
    for one, other in itertools.combinations(bookings, 2):
        overlap = one.first < other.first + other.nights and other.first < one.first + one.nights
        if one.room == other.room and overlap:
            return False
    return all(booking.nights > 0 for booking in bookings) and len(bookings) > 1


class Vector:
    def __init__(self, x: int, y: int) -> None:
        self.x = x
        self.y = y

    def dot(self, other: Vector) -> int:
        return self.x * other.x + self.y * other.y


def are_orthogonal(pair: tuple[Vector, Vector]) -> bool:
    one, other = pair
    return one.dot(other) == 0 and (one.x, one.y) != (0, 0) != (other.x, other.y)


class Line(TypedDict):
    sku: str
    count: int
    price: int


def invoice_is_small(lines: list[Line]) -> bool:
    total = 0
    for line in lines:
        if line["count"] == 0:
            return False
        total += line["count"] * line["price"]
    return 0 < total <= 10


def is_permutation(numbers: list[int]) -> bool:
    return sorted(numbers) == list(range(len(numbers)))


def is_staircase(rows: list[list[int]]) -> bool:
    return len(rows) >= 2 and all(len(b) == len(a) + 1 for a, b in itertools.pairwise(rows))


def is_version(text: str) -> bool:
    parts = text.split(".")
    return len(parts) == 2 and all(part.isdigit() and (part == "0" or part[0] != "0") for part in parts)


def is_camel(text: str) -> bool:
    return bool(text) and text[0].islower() and text.isalpha() and sum(c.isupper() for c in text) == 1


@dataclass(frozen=True)
class Employee:
    name: str
    reports: list[Employee] = field(default_factory=list)


def span_is_limited(boss: Employee) -> bool:
    return len(boss.reports) in (0, 2) and all(span_is_limited(one) for one in boss.reports)


def depth(boss: Employee) -> int:
    return 1 + max((depth(one) for one in boss.reports), default=0)


def is_team(boss: Employee) -> bool:
    return span_is_limited(boss) and depth(boss) >= 2


def is_prefix_free(words: list[str]) -> bool:
    return len(words) > 1 and not any(
        a.startswith(b) for i, a in enumerate(words) for j, b in enumerate(words) if i != j
    )


def quorum(votes: dict[str, bool]) -> bool:
    return len(votes) >= 2 and sum(votes.values()) * 2 > len(votes)


def routes_return(routes: dict[int, int]) -> bool:
    return bool(routes) and all(routes.get(routes.get(place, -1), -1) == place for place in routes)


def is_bipartite(edges: list[tuple[int, int]]) -> bool:
    around = defaultdict(set)
    for a, b in edges:
        around[a].add(b)
        around[b].add(a)
    colours: dict[int, int] = {}
    for start in list(around):
        pending = [(start, colours.get(start, 0))]
        while pending:
            place, colour = pending.pop()
            if place in colours:
                if colours[place] != colour:
                    return False
                continue
            colours[place] = colour
            pending.extend((other, 1 - colour) for other in around[place])
    return len(edges) >= 2


class Rational(NamedTuple):
    top: int
    bottom: int


def is_reduced(number: Rational) -> bool:
    return number.bottom > 1 and Fraction(number.top, number.bottom).denominator == number.bottom


def is_pythagorean(sides: tuple[int, int, int]) -> bool:
    a, b, c = sides
    return 0 < a < b < c and a * a + b * b == c * c


def is_magic(numbers: list[int]) -> bool:
    return len(numbers) == 4 and numbers[0] + numbers[1] == numbers[2] + numbers[3] == 9


def within_a_week(days: tuple[datetime.date, datetime.date]) -> bool:
    first, last = days
    return datetime.timedelta(0) < last - first <= datetime.timedelta(days=7)


def is_schedule(events: list[tuple[int, str]]) -> bool:
    opened = set()
    before = -1
    for time, what in events:
        if time < before:
            return False
        before = time
        if what == "open":
            if opened:
                return False
            opened.add(time)
        elif not opened:
            return False
        else:
            opened.clear()
    return not opened and bool(events)


def window_is_stable(numbers: list[int]) -> bool:
    return len(numbers) >= 3 and all(
        max(numbers[i : i + 3]) - min(numbers[i : i + 3]) <= 1 for i in range(len(numbers) - 2)
    )


def is_gray(codes: list[int]) -> bool:
    return len(codes) >= 2 and all(bin(a ^ b).count("1") == 1 for a, b in itertools.pairwise(codes))


class Gauge:
    def __init__(self, low: int, high: int, reading: int) -> None:
        if low > high:
            raise ValueError("low must not exceed high")
        self.low = low
        self.high = high
        self.reading = reading


def gauge_is_in_range(gauge: Gauge) -> bool:
    return gauge.low <= gauge.reading <= gauge.high and gauge.high - gauge.low >= 3


def covers_all(chosen: tuple[frozenset[int], frozenset[int]]) -> bool:
    one, other = chosen
    return one | other == {0, 1, 2, 3} and len(one & other) <= 1


def is_hex_colour(text: str) -> bool:
    return text.startswith("#") and len(text) == 4 and set(text[1:]) <= set(string.hexdigits)


def is_weekly(steps: tuple[int, int]) -> bool:
    return steps[1] - steps[0] == 7 * 24


PREDICATES: list[Row] = [
    Row("bookings", "dataclass", gen.lists(gen.builds(Booking, few, few, few)), bookings_do_not_overlap, 4),
    Row(
        "orthogonal",
        "plain class",
        gen.tuples(*[gen.builds(Vector, gen.integers(-3, 3), gen.integers(-3, 3))] * 2),
        are_orthogonal,
        3,
    ),
    Row(
        "invoice",
        "TypedDict",
        gen.lists(gen.fixed_dictionaries({"sku": gen.sampled_from("ab"), "count": few, "price": small})),
        invoice_is_small,
        4,
    ),
    Row("permutation", "list", gen.lists(small), is_permutation, 5),
    Row("staircase", "list", gen.lists(gen.lists(few)), is_staircase, 7),
    Row("version", "text", gen.text("01.x", max_size=6), is_version, 6),
    Row("camel case", "text", gen.text("abC-", max_size=6), is_camel, 6),
    Row("team", "dataclass", gen.from_type(Employee), is_team, 6),
    Row("prefix free", "text", gen.lists(gen.text("ab", max_size=3)), is_prefix_free, 6),
    Row("quorum", "dict", gen.dictionaries(gen.sampled_from("abcd"), gen.booleans()), quorum, 9),
    Row("routes return", "dict", gen.dictionaries(few, few), routes_return, 9),
    Row("bipartite", "graph", gen.lists(gen.tuples(few, few)), is_bipartite, 8),
    Row(
        "reduced", "NamedTuple", gen.builds(Rational, gen.integers(0, 40), gen.integers(1, 40)), is_reduced, 2
    ),
    Row("Pythagorean", "numbers", gen.tuples(*[gen.integers(1, 40)] * 3), is_pythagorean, 1),
    Row("magic", "list", gen.lists(small), is_magic, 4),
    Row(
        "within a week",
        "dates",
        gen.tuples(*[gen.dates(datetime.date(2024, 2, 1), datetime.date(2024, 5, 31))] * 2),
        within_a_week,
        1,
    ),
    Row("schedule", "list", gen.lists(gen.tuples(few, gen.sampled_from(["open", "close"]))), is_schedule, 8),
    Row("stable window", "list", gen.lists(small), window_is_stable, 5),
    Row("Gray code", "list", gen.lists(gen.integers(0, 7)), is_gray, 5),
    Row(
        "gauge",
        "plain class",
        gen.builds(Gauge, small, gen.integers(9, 19), gen.integers(0, 19)),
        gauge_is_in_range,
        3,
    ),
    Row("two covers", "set", gen.tuples(*[gen.frozensets(few)] * 2), covers_all, 9),
    Row("hex colour", "text", gen.text("#a1g", max_size=5), is_hex_colour, 5),
    Row("weekly", "numbers", gen.tuples(*[gen.integers(0, 10**6)] * 2), is_weekly, 9),
]


# --- treaps -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Treap:
    left: Treap | None
    key: int
    rank: int
    right: Treap | None


def keys_of(tree: Treap | None) -> list[int]:
    return [] if tree is None else [*keys_of(tree.left), tree.key, *keys_of(tree.right)]


def is_heap_by_rank(tree: Treap | None) -> bool:
    if tree is None:
        return True
    children = [child for child in (tree.left, tree.right) if child is not None]
    return all(child.rank <= tree.rank and is_heap_by_rank(child) for child in children)


def is_treap(tree: Treap | None) -> bool:
    keys = keys_of(tree)
    return keys == sorted(set(keys)) and is_heap_by_rank(tree)


def treap_insert(tree: Treap | None, key: int, rank: int, mistake: str) -> Treap:
    if tree is None:
        return Treap(None, key, rank, None)
    if key == tree.key:
        return tree
    if key < tree.key:
        left = treap_insert(tree.left, key, rank, mistake)
        if left.rank > tree.rank and mistake != "no right rotation":
            inner = left.left if mistake == "right rotation moves the wrong child" else left.right
            outer = None if mistake == "right rotation drops a child" else left.left
            return Treap(outer, left.key, left.rank, Treap(inner, tree.key, tree.rank, tree.right))
        return Treap(left, tree.key, tree.rank, tree.right)
    right = treap_insert(tree.right, key, rank, mistake)
    if right.rank > tree.rank and mistake != "no left rotation":
        inner = None if mistake == "left rotation drops the inner child" else right.left
        return Treap(Treap(tree.left, tree.key, tree.rank, inner), right.key, right.rank, right.right)
    return Treap(tree.left, tree.key, tree.rank, right)


def treap_insert_works(tree: Treap | None, mistake: str) -> bool:
    before = keys_of(tree)
    for key in range(10):
        for rank in (0, 3, 9):
            made = treap_insert(tree, key, rank, mistake)
            if keys_of(made) != sorted({*before, key}) or not is_treap(made):
                return False
    return True


# --- 2-3 trees ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class End:
    pass


@dataclass(frozen=True)
class Two:
    left: End | Two | Three
    key: int
    right: End | Two | Three


@dataclass(frozen=True)
class Three:
    left: End | Two | Three
    low: int
    middle: End | Two | Three
    high: int
    right: End | Two | Three


def elements_of(tree: Any) -> list[int]:
    match tree:
        case Two(left, key, right):
            return [*elements_of(left), key, *elements_of(right)]
        case Three(left, low, middle, high, right):
            return [*elements_of(left), low, *elements_of(middle), high, *elements_of(right)]
    return []


def height_of(tree: Any) -> int:
    """The height of all leaves; -1 if they differ."""
    match tree:
        case Two(left, _, right):
            below = {height_of(left), height_of(right)}
        case Three(left, _, middle, _, right):
            below = {height_of(left), height_of(middle), height_of(right)}
        case _:
            return 0
    return 1 + below.pop() if len(below) == 1 and -1 not in below else -1


def is_two_three(tree: Any) -> bool:
    elements = elements_of(tree)
    return all(a < b for a, b in itertools.pairwise(elements)) and height_of(tree) >= 0


def put(tree: Any, key: int, mistake: str) -> Any:
    """The tree with the key, or a triple (left, key, right) if it has grown."""
    match tree:
        case End():
            return End(), key, End()
        case Two(left, own, right):
            if key == own:
                return tree
            if key < own:
                made = put(left, key, mistake)
                return Three(*made, own, right) if isinstance(made, tuple) else Two(made, own, right)
            made = put(right, key, mistake)
            if isinstance(made, tuple):
                a, up, b = made
                if mistake == "right growth swapped":
                    a, b = b, a
                return Three(left, own, a, up, b)
            return Two(left, own, made)
        case Three(left, low, middle, high, right):
            if key in (low, high):
                return tree
            if key < low:
                made = put(left, key, mistake)
                if not isinstance(made, tuple):
                    return Three(made, low, middle, high, right)
                if mistake == "left split loses the middle":
                    return Two(*made), low, Two(End(), high, right)
                return Two(*made), low, Two(middle, high, right)
            if key < high:
                made = put(middle, key, mistake)
                if not isinstance(made, tuple):
                    return Three(left, low, made, high, right)
                a, up, b = made
                if mistake == "middle split promotes low":
                    return Two(left, up, a), low, Two(b, high, right)
                return Two(left, low, a), up, Two(b, high, right)
            made = put(right, key, mistake)
            if not isinstance(made, tuple):
                return Three(left, low, middle, high, made)
            if mistake == "right split promotes the new key":
                a, up, b = made
                return Three(left, low, middle, high, a), up, b
            return Two(left, low, middle), high, Two(*made)
    raise AssertionError(tree)


def put_works(tree: Any, mistake: str) -> bool:
    before = elements_of(tree)
    for key in range(12):
        made = put(tree, key, mistake)
        if isinstance(made, tuple):
            made = (
                Three(made[0], made[1], End(), 99, made[2])
                if mistake == "root grows by three"
                else Two(*made)
            )
        if elements_of(made) != sorted({*before, key}) or not is_two_three(made):
            return False
    return True


# --- programs of a stack machine ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Push:
    value: int


@dataclass(frozen=True)
class Add:
    pass


@dataclass(frozen=True)
class Subtract:
    pass


@dataclass(frozen=True)
class Swap:
    pass


@dataclass(frozen=True)
class Copy:
    pass


@dataclass(frozen=True)
class Drop:
    pass


Program = list[Any]


def is_program(program: Program) -> bool:
    """Whether the program never pops from an empty stack and leaves one number."""
    height = 0
    for one in program:
        match one:
            case Push():
                height += 1
            case Copy():
                if height < 1:
                    return False
                height += 1
            case Drop():
                if height < 1:
                    return False
                height -= 1
            case _:
                if height < 2:
                    return False
                height -= 0 if isinstance(one, Swap) else 1
    return height == 1


def run(program: Program) -> list[int]:
    stack: list[int] = []
    for one in program:
        match one:
            case Push(value):
                stack.append(value)
            case Add():
                stack.append(stack.pop() + stack.pop())
            case Subtract():
                last = stack.pop()
                stack.append(stack.pop() - last)
            case Swap():
                stack[-1], stack[-2] = stack[-2], stack[-1]
            case Copy():
                stack.append(stack[-1])
            case Drop():
                stack.pop()
    return stack


def optimised(program: Program, mistake: str) -> Program:
    made: Program = []
    for one in program:
        made.append(one)
        match made:
            case [*rest, Swap(), Swap()]:
                made = rest
            case [*rest, Swap(), Add()]:
                made = [*rest, Add()]
            case [*rest, Swap(), Subtract()] if mistake == "subtraction commutes":
                made = [*rest, Subtract()]
            case [*rest, Copy(), Drop()]:
                made = rest[:-1] if mistake == "copy and drop take one more" and len(rest) > 3 else rest
            case [*rest, Push(a), Push(b), Subtract()]:
                made = [*rest, Push(b - a if mistake == "difference reversed" and rest else a - b)]
            case [*rest, Push(a), Push(b), Swap()]:
                made = [*rest, Push(b), Push(a)]
            case [*rest, Copy(), Subtract()]:
                made = (
                    [*rest, Drop(), Push(0)]
                    if mistake != "copy and subtract forget the drop"
                    else [*rest, Push(0)]
                )
            case [*rest, Push(), Drop()]:
                made = (
                    [*rest, Drop()] if mistake == "push and drop keep the drop" and len(rest) >= 2 else rest
                )
    return made


def optimising_works(program: Program, mistake: str) -> bool:
    try:
        return run(optimised(program, mistake)) == run(program)
    except IndexError:
        return False


# --- sets of intervals --------------------------------------------------------------------------------------


class Span(NamedTuple):
    first: int
    last: int


def are_apart(spans: list[Span]) -> bool:
    """Whether the spans are sorted, none is empty, and none touches the next."""
    return all(span.first <= span.last for span in spans) and all(
        a.last + 1 < b.first for a, b in itertools.pairwise(spans)
    )


def merged(spans: list[Span], new: Span, mistake: str) -> list[Span]:
    before, after, first, last = [], [], new.first, new.last
    for number, span in enumerate(spans):
        if span.last < first - (mistake != "touching on the left stays apart"):
            before.append(span)
        elif span.first > last + (mistake != "touching on the right stays apart"):
            after.append(span)
        else:
            first = min(first, span.first)
            if mistake == "the last end wins" and number:
                last = span.last
            else:
                last = max(last, span.last)
            if mistake == "only two are merged" and number >= 2 and len(before) < number - 1:
                after.append(span)
    if mistake == "those before are reversed" and len(before) > 1:
        before.reverse()
    return [*before, Span(first, last), *after]


def merging_works(spans: list[Span], mistake: str) -> bool:
    covered = {n for span in spans for n in range(span.first, span.last + 1)}
    for first in range(0, 30, 3):
        for length in (0, 1, 5, 12):
            new = Span(first, first + length)
            made = merged(spans, new, mistake)
            wanted = covered | set(range(new.first, new.last + 1))
            if not are_apart(made) or {n for s in made for n in range(s.first, s.last + 1)} != wanted:
                return False
    return True


treaps = gen.deferred(lambda: gen.none() | gen.builds(Treap, treaps, small, small, treaps))
two_threes = gen.deferred(
    lambda: (
        gen.builds(End)
        | gen.builds(Two, two_threes, gen.integers(0, 11), two_threes)
        | gen.builds(Three, two_threes, gen.integers(0, 11), two_threes, gen.integers(0, 11), two_threes)
    )
)
instructions = gen.builds(Push, gen.integers(-5, 5)) | gen.one_of(
    *[gen.builds(one) for one in (Add, Subtract, Swap, Copy, Drop)]
)

STRUCTURES = [
    Structure(
        "treaps",
        treaps,
        is_treap,
        treap_insert_works,
        (
            *("no right rotation", "right rotation moves the wrong child", "right rotation drops a child"),
            *("no left rotation", "left rotation drops the inner child"),
        ),
    ),
    Structure(
        "2-3 trees",
        two_threes,
        is_two_three,
        put_works,
        (
            *("right growth swapped", "left split loses the middle", "middle split promotes low"),
            *("right split promotes the new key", "root grows by three"),
        ),
    ),
    Structure(
        "stack programs",
        gen.lists(instructions),
        is_program,
        optimising_works,
        (
            *("subtraction commutes", "copy and drop take one more", "difference reversed"),
            *("copy and subtract forget the drop", "push and drop keep the drop"),
        ),
    ),
    Structure(
        "interval sets",
        gen.lists(gen.builds(Span, gen.integers(0, 30), gen.integers(0, 30))),
        are_apart,
        merging_works,
        (
            *("touching on the left stays apart", "touching on the right stays apart", "the last end wins"),
            *("only two are merged", "those before are reversed"),
        ),
    ),
]
