"""The fifth set of :mod:`preconditions`: predicates that nothing was tuned on.

They were written before their results were seen. The second half (``HELD``) was run once, at the end: the same values as
filtering on 17 of 17, no gain on 3 (semver, config, round price), more than three times as slow as filtering on one (sorted
unique; it was mended afterwards). Run them with ``--fifth``.
"""

# People also write zip(xs, xs[1:]) and nest their conditions:
# ruff: noqa: RUF007, SIM102

from __future__ import annotations

import datetime
import ipaddress
import itertools
import json
import math
from collections import Counter, deque
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import reduce
from typing import Any, NamedTuple, TypedDict

from precondition_sets.predicates import Row

from everycase import gen

bit = gen.integers(0, 1)
few = gen.integers(0, 3)
digit = gen.integers(0, 9)


# --- checksums, text -----------------------------------------------------------------------------------------


def is_isbn(digits: list[int]) -> bool:
    if len(digits) != 4:
        return False
    return sum((len(digits) - i) * d for i, d in enumerate(digits)) % 11 == 0


def is_luhn(text: str) -> bool:
    if not text or not text.isdigit():
        return False
    total = 0
    for i, c in enumerate(reversed(text)):
        d = int(c)
        if i % 2:
            d = d * 2 - 9 if d > 4 else d * 2
        total += d
    return total % 10 == 0


def is_iban(text: str) -> bool:
    if len(text) < 4 or not text[:2].isalpha() or not text[2:].isdigit():
        return False
    moved = text[2:] + text[:2]
    number = "".join(str(ord(c) - 55) if c.isalpha() else c for c in moved)
    return int(number) % 97 == 1


def is_mail(text: str) -> bool:
    name, at, host = text.partition("@")
    if not name or not at or "@" in host:
        return False
    labels = host.split(".")
    return len(labels) >= 2 and all(labels)


def is_semver(text: str) -> bool:
    parts = text.split(".")
    return len(parts) == 3 and all(p.isdecimal() and (p == "0" or p[0] != "0") for p in parts)


def is_nested(text: str) -> bool:
    closing = {")": "(", "]": "["}
    stack = []
    for c in text:
        if c in closing.values():
            stack.append(c)
        elif not stack or stack.pop() != closing[c]:
            return False
    return not stack and len(text) > 2


def is_relative_path(text: str) -> bool:
    if not text or text.startswith("/") or text.endswith("/"):
        return False
    depth = 0
    for part in text.split("/"):
        if part == "":
            return False
        depth += -1 if part == ".." else 0 if part == "." else 1
        if depth < 0:
            return False
    return depth > 0


# --- dataclasses, plain classes -----------------------------------------------------------------------------


@dataclass
class Transfer:
    source: str
    target: str
    cents: int


def never_overdrawn(transfers: list[Transfer]) -> bool:
    balance = {"a": 3, "b": 0, "c": 0}
    for t in transfers:
        if t.source == t.target or t.cents <= 0:
            return False
        balance[t.source] -= t.cents
        balance[t.target] += t.cents
        if balance[t.source] < 0:
            return False
    return len(transfers) >= 2


@dataclass(frozen=True, order=True)
class Span:
    first: int
    last: int

    @property
    def length(self) -> int:
        return self.last - self.first

    def meets(self, other: Span) -> bool:
        return self.first < other.last and other.first < self.last


def spans_are_disjoint(spans: list[Span]) -> bool:
    if any(s.length <= 0 for s in spans):
        return False
    return len(spans) >= 2 and not any(a.meets(b) for a, b in itertools.combinations(spans, 2))


class Cache:
    def __init__(self, capacity: int, entries: list[tuple[int, int]]) -> None:
        self.capacity = capacity
        self.entries = entries

    def __repr__(self) -> str:
        return f"Cache({self.capacity}, {self.entries})"

    def keys(self) -> list[int]:
        return [k for k, _ in self.entries]


def cache_is_consistent(cache: Cache) -> bool:
    keys = cache.keys()
    return (
        cache.capacity > 0 and len(keys) <= cache.capacity and len(keys) == len(set(keys)) and len(keys) > 1
    )


@dataclass
class History:
    done: list[int]
    undone: list[int]
    limit: int


def history_is_valid(h: History) -> bool:
    everything = h.done + h.undone
    if len(everything) > h.limit:
        return False
    return everything == sorted(set(everything)) and bool(h.undone)


@dataclass
class TrieNode:
    children: dict[str, TrieNode] = field(default_factory=dict)
    terminal: bool = False


def trie_has_no_dead_ends(node: TrieNode) -> bool:
    if not node.children:
        return node.terminal
    return all(trie_has_no_dead_ends(child) for child in node.children.values())


class Lesson(NamedTuple):
    teacher: str
    room: int
    slot: int


def is_timetable(lessons: list[Lesson]) -> bool:
    busy = Counter((one.teacher, one.slot) for one in lessons)
    full = Counter((one.room, one.slot) for one in lessons)
    return len(lessons) >= 2 and max(busy.values()) == 1 and max(full.values()) == 1


# --- dicts, graphs, JSON -------------------------------------------------------------------------------------


def is_topologically_sortable(graph: dict[int, set[int]]) -> bool:
    degree = dict.fromkeys(graph, 0)
    for n in graph:
        for m in graph[n]:
            if m not in degree:
                return False
            degree[m] += 1
    ready = deque(n for n, d in degree.items() if d == 0)
    done = 0
    while ready:
        n = ready.popleft()
        done += 1
        for m in graph[n]:
            degree[m] -= 1
            if degree[m] == 0:
                ready.append(m)
    return done == len(graph) > 1


def is_connected(edges: list[tuple[int, int]]) -> bool:
    if not edges:
        return False
    neighbours: dict[int, set[int]] = {}
    for a, b in edges:
        if a == b:
            return False
        neighbours.setdefault(a, set()).add(b)
        neighbours.setdefault(b, set()).add(a)
    seen, pending = set(), [0]
    while pending:
        n = pending.pop()
        if n in seen:
            continue
        seen.add(n)
        pending.extend(neighbours.get(n, ()))
    return seen == {0, 1, 2}


class Product(TypedDict):
    name: str
    price: int
    discount: int
    tags: list[str]


def product_is_valid(product: Product) -> bool:
    if not product["name"]:
        return False
    if product["discount"] > product["price"]:
        return False
    return "sale" in product["tags"] if product["discount"] else "sale" not in product["tags"]


def document_is_valid(document: Any) -> bool:
    if not isinstance(document, dict):
        return False
    if set(document) != {"type", "items"}:
        return False
    return (
        document["type"] == 1
        and isinstance(document["items"], list)
        and all(isinstance(i, int) and not isinstance(i, bool) for i in document["items"])
    )


def roundtrips(config: dict[str, Any]) -> bool:
    return json.loads(json.dumps(config)) == config and config["low"] < config["high"]


# --- numbers, matrices, geometry -----------------------------------------------------------------------------


def is_derangement(xs: list[int]) -> bool:
    return len(xs) > 1 and sorted(xs) == list(range(len(xs))) and all(x != i for i, x in enumerate(xs))


def is_sudoku_row(row: list[int]) -> bool:
    filled = [x for x in row if x != 0]
    return len(row) == 4 and len(filled) == len(set(filled)) and len(filled) >= 2


def is_symmetric(m: list[list[int]]) -> bool:
    n = len(m)
    return (
        n == 2 and all(len(r) == n for r in m) and all(m[i][j] == m[j][i] for i in range(n) for j in range(i))
    )


def is_stochastic(row: list[int]) -> bool:
    return len(row) >= 2 and sum(row) == 10 and min(row) > 0


def is_heap(xs: list[int]) -> bool:
    return len(xs) >= 3 and all(xs[(i - 1) // 2] <= xs[i] for i in range(1, len(xs)))


def is_convex(points: list[tuple[int, int]]) -> bool:
    if len(points) != 3:
        return False
    turns = []
    n = len(points)
    for i in range(n):
        (ax, ay), (bx, by), (cx, cy) = points[i], points[(i + 1) % n], points[(i + 2) % n]
        turns.append((bx - ax) * (cy - by) - (by - ay) * (cx - bx))
    return all(t > 0 for t in turns)


def is_sorted_unique(xs: list[int]) -> bool:
    return len(xs) > 2 and xs == sorted(set(xs))


def is_split(bill: tuple[int, list[int]]) -> bool:
    total, shares = bill
    return len(shares) >= 2 and sum(shares) == total and max(shares) - min(shares) <= 1


def is_egyptian(denominators: list[int]) -> bool:
    if any(d == 0 for d in denominators):
        return False
    return sum((Fraction(1, d) for d in denominators), Fraction(0)) == 1


def price_is_round(parts: tuple[int, int, int]) -> bool:
    net, percent, tip = parts
    gross = Decimal(net) * (100 + percent) / 100 + tip
    return gross == gross.to_integral_value() and gross > net and percent % 5 == 0


def is_address_range(r: tuple[int, int]) -> bool:
    low, high = ipaddress.IPv4Address(r[0]), ipaddress.IPv4Address(r[1])
    return low < high and int(high) - int(low) == 3 and int(low) % 4 == 0


def works_days(shifts: list[datetime.date]) -> bool:
    if len(shifts) < 2 or any(d.weekday() >= 5 for d in shifts):
        return False
    return all((b - a).days in (1, 3) for a, b in zip(shifts, shifts[1:]))


def is_gcd_chain(xs: list[int]) -> bool:
    return (
        len(xs) >= 2
        and reduce(math.gcd, xs) == 1
        and all(math.gcd(a, b) > 1 for a, b in itertools.pairwise(xs))
    )


def is_huffman(lengths: list[int]) -> bool:
    return len(lengths) > 1 and all(x > 0 for x in lengths) and sum(2 ** (4 - x) for x in lengths) == 16


def moves_are_undone(moves: list[tuple[str, int]]) -> bool:
    stack: list[int] = []
    for kind, n in moves:
        if kind == "do":
            stack.append(n)
        elif kind == "undo":
            if not stack or stack.pop() != n:
                return False
    return not stack and len(moves) >= 2


transfers = gen.lists(gen.builds(Transfer, gen.sampled_from("abc"), gen.sampled_from("abc"), few), max_size=3)
spans = gen.lists(gen.builds(Span, few, few), max_size=3)
caches = gen.builds(Cache, few, gen.lists(gen.tuples(few, bit), max_size=3))
histories = gen.builds(History, gen.lists(few, max_size=3), gen.lists(few, max_size=3), gen.integers(0, 4))
tries = gen.deferred(
    lambda: gen.builds(TrieNode, gen.dictionaries(gen.sampled_from("ab"), tries, max_size=2), gen.booleans())
)
lessons = gen.lists(gen.builds(Lesson, gen.sampled_from("xy"), bit, few), max_size=3)
graphs = gen.dictionaries(gen.integers(0, 2), gen.sets(gen.integers(0, 2)), max_size=3)
edges = gen.lists(gen.tuples(gen.integers(0, 2), gen.integers(0, 2)), max_size=3)
products = gen.fixed_dictionaries(
    {
        "name": gen.text("ab", max_size=2),
        "price": digit,
        "discount": digit,
        "tags": gen.lists(gen.sampled_from(["new", "sale"]), max_size=2),
    }
)
documents = gen.recursive(
    gen.none() | gen.booleans() | few,
    lambda inner: (
        gen.lists(inner, max_size=2)
        | gen.dictionaries(gen.sampled_from(["type", "items"]), inner, max_size=2)
    ),
)
configs = gen.fixed_dictionaries({"low": digit, "high": digit, "name": gen.text("ab", max_size=1)})
dates = gen.dates(datetime.date(2024, 1, 1), datetime.date(2024, 3, 31))
matrices = gen.lists(gen.lists(few, max_size=2), max_size=2)

OPEN = [
    Row("ISBN", "list", gen.lists(digit, max_size=4), is_isbn, 5),
    Row("Luhn", "text", gen.text("0123456789", max_size=4), is_luhn, 5),
    Row("e-mail", "text", gen.text("a@.", max_size=6), is_mail, 7),
    Row("brackets", "text", gen.text("()[]", max_size=6), is_nested, 7),
    Row("transfers", "dataclass", transfers, never_overdrawn, 8),
    Row("disjoint spans", "dataclass", spans, spans_are_disjoint, 9),
    Row("cache", "plain class", caches, cache_is_consistent, 10),
    Row("trie", "dataclass", tries, trie_has_no_dead_ends, 8),
    Row("sortable graph", "graph", graphs, is_topologically_sortable, 10),
    Row("product", "TypedDict", products, product_is_valid, 7),
    Row("derangement", "list", gen.lists(few, max_size=4), is_derangement, 6),
    Row("symmetric matrix", "list", matrices, is_symmetric, 8),
    Row("heap", "list", gen.lists(digit, max_size=4), is_heap, 6),
    Row("polygon", "list", gen.lists(gen.tuples(few, few), max_size=3), is_convex, 9),
    Row("fair split", "tuple", gen.tuples(digit, gen.lists(digit, max_size=3)), is_split, 7),
    Row("work days", "date", gen.lists(dates, max_size=2), works_days, 4),
]

HELD = [
    Row("IBAN", "text", gen.text("AB019", max_size=5), is_iban, 6),
    Row("semver", "text", gen.text("01.", max_size=7), is_semver, 8),
    Row("relative path", "text", gen.text("a./", max_size=6), is_relative_path, 7),
    Row("undo history", "dataclass", histories, history_is_valid, 10),
    Row("timetable", "NamedTuple", lessons, is_timetable, 9),
    Row("connected", "graph", edges, is_connected, 9),
    Row("document", "JSON", documents, document_is_valid, 6),
    Row("config", "JSON", configs, roundtrips, 6),
    Row("sudoku row", "list", gen.lists(few, max_size=4), is_sudoku_row, 6),
    Row("stochastic", "list", gen.lists(digit, max_size=4), is_stochastic, 6),
    Row("sorted unique", "list", gen.lists(digit, max_size=4), is_sorted_unique, 6),
    Row("Egyptian", "list", gen.lists(digit, max_size=4), is_egyptian, 6),
    Row("round price", "tuple", gen.tuples(gen.integers(0, 30), gen.integers(0, 30), few), price_is_round, 5),
    Row("address range", "tuple", gen.tuples(gen.integers(0, 80), gen.integers(0, 80)), is_address_range, 4),
    Row("gcd chain", "list", gen.lists(gen.integers(1, 9), max_size=4), is_gcd_chain, 6),
    Row("Huffman", "list", gen.lists(gen.integers(0, 4), max_size=5), is_huffman, 7),
    Row(
        "undone moves",
        "tuple",
        gen.lists(gen.tuples(gen.sampled_from(["do", "undo"]), bit), max_size=4),
        moves_are_undone,
        11,
    ),
]
