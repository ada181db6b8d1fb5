"""The sixth set of :mod:`preconditions`: predicates, structures and bugs that nothing was tuned on.

They were written before their results were seen, and run once, at the end, with seed 1 for the structures and 3 for the bugs.
That run stopped at "Roman", which was taken apart wrongly; after the repair: the same values as filtering on 12 of 12, no gain on 1
(Roman), a tenth of seven or more constructors on 3 of 3, and 10 of 10 bugs found. Run them with ``--sixth``.
"""

# People also write zip(xs, xs[1:]) and nest their conditions:
# ruff: noqa: RUF007

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, NotRequired, TypedDict

from precondition_sets.predicates import Row
from precondition_sets.structures import Structure

from everycase import gen

bit = gen.integers(0, 1)
few = gen.integers(0, 3)
digit = gen.integers(0, 9)


# --- predicates ----------------------------------------------------------------------------------------------


def is_roman(text: str) -> bool:
    values = {"I": 1, "V": 5, "X": 10, "L": 50}
    if not text:
        return False
    for c in "IX":
        if c * 4 in text:
            return False
    if text.count("V") > 1 or text.count("L") > 1:
        return False
    numbers = [values[c] for c in text]
    largest = numbers[-1]
    for small, large in zip(reversed(numbers[:-1]), reversed(numbers)):
        if small < large and small * 5 != large and small * 10 != large:
            return False
        if small < largest and small >= large:
            return False
        largest = max(largest, small)
    return True


def is_reachable_board(rows: list[list[str]]) -> bool:
    if len(rows) != 2 or any(len(row) != 2 for row in rows):
        return False
    cells = [cell for row in rows for cell in row]
    crosses, noughts = cells.count("x"), cells.count("o")
    return crosses - noughts in (0, 1) and sorted(cells) != cells


class Opening(TypedDict):
    opens: int
    closes: int
    breaks: NotRequired[list[tuple[int, int]]]


def is_opening(day: Any) -> bool:
    if not day["opens"] < day["closes"]:
        return False
    last = day["opens"]
    for start, end in day.get("breaks", []):
        if start <= last or end <= start:
            return False
        last = end
    return last < day["closes"] or "breaks" not in day


class Range(NamedTuple):
    low: tuple[int, int]
    high: tuple[int, int]
    without: list[tuple[int, int]]


def is_range(r: Range) -> bool:
    inside = all(r.low <= version < r.high for version in r.without)
    return r.low < r.high and inside and len(set(r.without)) == len(r.without)


def is_knockout(games: list[tuple[int, int]]) -> bool:
    if not games:
        return False
    out: set[int] = set()
    for winner, loser in games:
        if winner == loser or winner in out or loser in out:
            return False
        out.add(loser)
    players = {p for game in games for p in game}
    return len(players - out) == 1


def is_sheet(rows: list[list[int]]) -> bool:
    if len(rows) < 2:
        return False
    header, *body = rows
    return len(set(header)) == len(header) > 0 and all(len(row) == len(header) for row in body)


def is_queue_log(events: list[tuple[str, int]]) -> bool:
    waiting: list[int] = []
    for kind, item in events:
        if kind == "put":
            if item in waiting:
                return False
            waiting.append(item)
        elif not waiting or waiting.pop(0) != item:
            return False
    return not waiting and len(events) > 1


@dataclass
class Menu:
    key: int
    entries: list[Menu]


def keys_of(menu: Menu) -> list[int]:
    return [menu.key, *(key for entry in menu.entries for key in keys_of(entry))]


def is_menu(menu: Menu) -> bool:
    keys = keys_of(menu)
    return len(keys) == len(set(keys)) and all(len(entry.entries) != 1 for entry in menu.entries)


class Gradient:
    def __init__(self, stops: list[tuple[int, int]], loops: bool) -> None:
        self.stops = stops
        self.loops = loops

    def is_valid(self) -> bool:
        if len(self.stops) < 2:
            return False
        places = [place for place, _ in self.stops]
        if places != sorted(places) or len(set(places)) < len(places):
            return False
        return self.stops[0][1] == self.stops[-1][1] if self.loops else places[0] == 0


def is_page(t: tuple[int, int, int]) -> bool:
    total, per_page, page = t
    return per_page > 0 and page >= 1 and (page - 1) * per_page < total and total % per_page != 0


def is_hex_colour(text: str) -> bool:
    return text.startswith("#") and len(text) == 4 and all(c in "0a" for c in text[1:].lower())


def is_seating(seats: list[int]) -> bool:
    if sorted(seats) != list(range(len(seats))):
        return False
    return all(abs(a - b) != 1 for a, b in zip(seats, seats[1:])) and len(seats) > 0


menus = gen.deferred(lambda: gen.builds(Menu, few, gen.lists(menus, max_size=2)))
versions = gen.tuples(few, few)
openings = gen.fixed_dictionaries(
    {"opens": digit, "closes": digit},
    optional={"breaks": gen.lists(gen.tuples(digit, digit), max_size=1)},
)

PREDICATES = [
    Row("Roman", "text", gen.text("IVXL", max_size=5), is_roman, 6),
    Row(
        "board",
        "list",
        gen.lists(gen.lists(gen.sampled_from(["", "x", "o"]), max_size=2), max_size=2),
        is_reachable_board,
        8,
    ),
    Row("opening hours", "TypedDict", openings, is_opening, 5),
    Row(
        "version range",
        "NamedTuple",
        gen.builds(Range, versions, versions, gen.lists(versions, max_size=1)),
        is_range,
        6,
    ),
    Row("knockout", "list", gen.lists(gen.tuples(few, few), max_size=3), is_knockout, 9),
    Row("sheet", "list", gen.lists(gen.lists(few, max_size=2), max_size=3), is_sheet, 10),
    Row(
        "queue log",
        "list",
        gen.lists(gen.tuples(gen.sampled_from(["put", "take"]), bit), max_size=4),
        is_queue_log,
        11,
    ),
    Row("menu", "dataclass", menus, is_menu, 8),
    Row(
        "gradient",
        "plain class",
        gen.builds(Gradient, gen.lists(gen.tuples(few, few), max_size=3), gen.booleans()),
        lambda g: g.is_valid(),
        9,
    ),
    Row(
        "page",
        "tuple",
        gen.tuples(gen.integers(0, 40), gen.integers(0, 12), gen.integers(0, 12)),
        is_page,
        4,
    ),
    Row("colour", "text", gen.text("#0aAg", max_size=5), is_hex_colour, 6),
    Row("seating", "list", gen.lists(gen.integers(0, 5), max_size=5), is_seating, 7),
]


# --- leftist heaps ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Heap:
    rank: int
    key: int
    left: Heap | None
    right: Heap | None


def rank_of(h: Heap | None) -> int:
    return h.rank if h is not None else 0


def keys_in(h: Heap | None) -> list[int]:
    return [] if h is None else [h.key, *keys_in(h.left), *keys_in(h.right)]


def is_leftist(h: Heap | None) -> bool:
    if h is None:
        return True
    if not (is_leftist(h.left) and is_leftist(h.right)):
        return False
    if any(child is not None and child.key < h.key for child in (h.left, h.right)):
        return False
    return rank_of(h.left) >= rank_of(h.right) and h.rank == rank_of(h.right) + 1


def made(key: int, one: Heap | None, two: Heap | None, bug: str) -> Heap:
    if rank_of(one) < rank_of(two) and bug != "never swaps":
        one, two = two, one
    rank = rank_of(one) + 1 if bug == "rank of the left" and rank_of(one) > 1 else rank_of(two) + 1
    return Heap(rank, key, one, two)


def merge(one: Heap | None, two: Heap | None, bug: str, depth: int = 0) -> Heap | None:
    if one is None or two is None:
        return one if two is None else two
    if two.key < one.key and not (bug == "third level in any order" and depth == 2):
        one, two = two, one
    if bug == "forgets below the first" and depth == 1:
        return made(one.key, one.left, two, bug)
    return made(one.key, one.left, merge(one.right, two, bug, depth + 1), bug)


def heaps_work(h: Heap | None, bug: str) -> bool:
    found = []
    rest = h
    while rest is not None:
        found.append(rest.key)
        rest = merge(rest.left, rest.right, bug)
        if not is_leftist(rest):
            return False
    return found == sorted(keys_in(h))


heaps = gen.deferred(lambda: gen.none() | gen.builds(Heap, gen.integers(1, 3), digit, heaps, heaps))


# --- circuits: gates that read earlier ones ----------------------------------------------------------------------


class Gate(NamedTuple):
    kind: str
    one: int
    two: int


def is_circuit(gates: list[Gate]) -> bool:
    """Every gate reads earlier ones, every gate but the last is read, and an inverter reads only one."""
    read: set[int] = set()
    for i, gate in enumerate(gates):
        if gate.kind == "input":
            if gate.one != 0 or gate.two != 0:
                return False
            continue
        if gate.one >= i or gate.two >= i:
            return False
        if gate.kind == "not" and gate.one != gate.two:
            return False
        read |= {gate.one, gate.two}
    return len(gates) > 0 and read == set(range(len(gates) - 1))


def run(gates: list[Gate], inputs: int) -> bool:
    values: list[bool] = []
    for gate in gates:
        if gate.kind == "input":
            values.append(bool(inputs & 1))
            inputs >>= 1
        elif gate.kind == "not":
            values.append(not values[gate.one])
        else:
            values.append(values[gate.one] and values[gate.two])
    return values[-1]


def simplified(gates: list[Gate], bug: str) -> list[Gate]:
    """Double inverters and an "and" of the same gate twice are passed by; gates that nothing reads stay."""
    to: list[int] = []
    result: list[Gate] = []
    for gate in gates:
        one, two = (to[gate.one], to[gate.two]) if gate.kind != "input" else (0, 0)
        if gate.kind == "not" and result[one].kind == "not":
            to.append(one if bug == "one inverter too few" and len(result) > 3 else result[one].one)
        elif gate.kind == "and" and (one == two or (bug == "neighbours are the same" and two == one + 2)):
            to.append(one)
        else:
            to.append(len(result))
            if bug == "reads the old number" and len(result) != len(to) - 1 and gate.kind == "and":
                two = min(gate.two, len(result) - 1)
            result.append(Gate(gate.kind, one, two))
    return [*result, Gate("and", to[-1], to[-1])]


def circuits_work(gates: list[Gate], bug: str) -> bool:
    simple = simplified(gates, bug)
    return all(run(gates, inputs) == run(simple, inputs) for inputs in range(16))


gates = gen.builds(Gate, gen.sampled_from(["input", "not", "and"]), gen.integers(0, 6), gen.integers(0, 6))
circuits = gen.lists(gates)


# --- ropes: trees of text that know their weights -----------------------------------------------------------------


@dataclass(frozen=True)
class Part:
    text: str


@dataclass(frozen=True)
class Both:
    weight: int
    left: Part | Both
    right: Part | Both


def rope_text(r: Part | Both) -> str:
    return r.text if isinstance(r, Part) else rope_text(r.left) + rope_text(r.right)


def is_rope(r: Part | Both, root: bool = True) -> bool:
    if isinstance(r, Part):
        return root or r.text != ""
    if not (is_rope(r.left, False) and is_rope(r.right, False)):
        return False
    return r.weight == len(rope_text(r.left))


def char_at(r: Part | Both, place: int, bug: str, depth: int = 0) -> str:
    if isinstance(r, Part):
        return r.text[place]
    if place < r.weight or (bug == "wrong at the border" and place == r.weight and depth == 2):
        return char_at(r.left, min(place, r.weight - 1), bug, depth + 1)
    less = r.weight
    if bug == "takes off one weight only" and depth > 1 and isinstance(r.left, Both):
        less = r.left.weight
    return char_at(r.right, place - less, bug, depth + 1)


def sliced(r: Part | Both, start: int, end: int, bug: str) -> str:
    if isinstance(r, Part):
        return r.text[start:end]
    if end <= r.weight:
        return sliced(r.left, start, end, bug)
    if start >= r.weight:
        if bug == "keeps the end" and isinstance(r.left, Both) and isinstance(r.right, Both):
            return sliced(r.right, start - r.weight, end, bug)
        return sliced(r.right, start - r.weight, end - r.weight, bug)
    return sliced(r.left, start, r.weight, bug) + sliced(r.right, 0, end - r.weight, bug)


def ropes_work(r: Part | Both, bug: str) -> bool:
    text = rope_text(r)
    for place, char in enumerate(text):
        try:
            if char_at(r, place, bug) != char:
                return False
        except IndexError:
            return False
    places = range(len(text) + 1)
    return all(sliced(r, start, end, bug) == text[start:end] for start in places for end in places[start:])


ropes = gen.deferred(
    lambda: gen.builds(Part, gen.text("abc", max_size=3)) | gen.builds(Both, gen.integers(0, 8), ropes, ropes)
)


STRUCTURES = [
    Structure(
        "leftist heaps",
        heaps,
        is_leftist,
        heaps_work,
        ("never swaps", "rank of the left", "third level in any order", "forgets below the first"),
    ),
    Structure(
        "circuits",
        circuits,
        is_circuit,
        circuits_work,
        ("one inverter too few", "neighbours are the same", "reads the old number"),
    ),
    Structure(
        "ropes",
        ropes,
        is_rope,
        ropes_work,
        ("wrong at the border", "takes off one weight only", "keeps the end"),
    ),
]
