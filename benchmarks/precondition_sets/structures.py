"""Structures with an invariant, defined by types, with predicates in their natural form, which rejects late.

Each operation takes the name of a planted bug; with "" it is correct. Only larger valid structures reveal the bugs. They
were written before anything was tuned.
"""

from __future__ import annotations

import enum
import itertools
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from everycase import gen


class Structure(NamedTuple):
    """Inputs defined by a type, their precondition, the operation under test, and its planted bugs."""

    name: str
    inputs: Any
    is_valid: Callable[[Any], Any]
    #: whether the operation, with this bug planted, works on a valid input
    works: Callable[[Any, str], bool]
    mistakes: tuple[str, ...]


# --- red-black trees ----------------------------------------------------------------------------------------


class Colour(enum.Enum):
    RED = "red"
    BLACK = "black"


@dataclass(frozen=True)
class Tree:
    colour: Colour
    left: Tree | None
    key: int
    right: Tree | None


RED, BLACK = Colour.RED, Colour.BLACK


def in_order(tree: Any) -> list[int]:
    return [] if tree is None else [*in_order(tree.left), tree.key, *in_order(tree.right)]


def is_ordered(tree: Any) -> bool:
    keys = in_order(tree)
    return all(a < b for a, b in itertools.pairwise(keys))


def no_red_red(tree: Tree | None) -> bool:
    if tree is None:
        return True
    if tree.colour is RED:
        for child in (tree.left, tree.right):
            if child is not None and child.colour is RED:
                return False
    return no_red_red(tree.left) and no_red_red(tree.right)


def black_height(tree: Tree | None) -> int | None:
    if tree is None:
        return 1
    left, right = black_height(tree.left), black_height(tree.right)
    if left is None or right is None or left != right:
        return None
    return left + (tree.colour is BLACK)


def is_red_black(tree: Tree | None) -> bool:
    return (
        (tree is None or tree.colour is BLACK)
        and no_red_red(tree)
        and is_ordered(tree)
        and black_height(tree) is not None
    )


def insert_red_black(tree: Tree | None, key: int, mistake: str) -> Tree:
    inserted = _insert(tree, key, mistake)
    return inserted if mistake == "root stays red" else replace(inserted, colour=BLACK)


def _insert(tree: Tree | None, key: int, mistake: str) -> Tree:
    if tree is None:
        return Tree(BLACK if mistake == "new node black" else RED, None, key, None)
    if key < tree.key:
        made = Tree(tree.colour, _insert(tree.left, key, mistake), tree.key, tree.right)
    elif key > tree.key:
        made = Tree(tree.colour, tree.left, tree.key, _insert(tree.right, key, mistake))
    else:
        return tree
    return made if mistake == "no balancing" else _balance(made, mistake)


def _is_red(tree: Tree | None) -> bool:
    return tree is not None and tree.colour is RED


def _balance(tree: Tree, mistake: str) -> Tree:
    if tree.colour is not BLACK:
        return tree
    left, right = tree.left, tree.right
    if mistake != "no left left" and left and _is_red(left) and left.left and _is_red(left.left):
        low = left.left if mistake == "left left not recoloured" else replace(left.left, colour=BLACK)
        between = left.left.right if mistake == "left left wrong child" else left.right
        return Tree(RED, low, left.key, Tree(BLACK, between, tree.key, right))
    if mistake != "no left right" and left and _is_red(left) and left.right and _is_red(left.right):
        middle = left.right
        inner = (
            (middle.right, middle.left) if mistake == "left right swapped" else (middle.left, middle.right)
        )
        return Tree(
            RED,
            Tree(BLACK, left.left, left.key, inner[0]),
            middle.key,
            Tree(RED if mistake == "left right red" else BLACK, inner[1], tree.key, right),
        )
    if mistake != "no right left" and right and _is_red(right) and right.left and _is_red(right.left):
        middle = right.left
        inner = (
            (middle.right, middle.left) if mistake == "right left swapped" else (middle.left, middle.right)
        )
        return Tree(
            BLACK if mistake == "right left black" else RED,
            Tree(BLACK, left, tree.key, inner[0]),
            middle.key,
            Tree(BLACK, inner[1], right.key, right.right),
        )
    if mistake != "no right right" and right and _is_red(right) and right.right and _is_red(right.right):
        outer = right if mistake == "right right not recoloured" else replace(right.right, colour=BLACK)
        return Tree(RED, Tree(BLACK, left, tree.key, right.left), right.key, outer)
    return tree


def insert_keeps_red_black(tree: Tree | None, mistake: str) -> bool:
    for key in range(10):
        made = insert_red_black(tree, key, mistake)
        if not is_red_black(made) or in_order(made) != sorted({*in_order(tree), key}):
            return False
    return True


keys = gen.integers(0, 9)
red_black = gen.deferred(
    lambda: gen.none() | gen.builds(Tree, gen.sampled_from(Colour), red_black, keys, red_black)
)

# --- search trees -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Node:
    left: Node | None
    key: int
    right: Node | None


def delete(tree: Node | None, key: int, mistake: str) -> Node | None:
    if tree is None:
        return None
    if key < tree.key:
        return Node(delete(tree.left, key, mistake), tree.key, tree.right)
    if key > tree.key:
        return Node(tree.left, tree.key, delete(tree.right, key, mistake))
    if tree.left is None:
        return None if mistake == "drops right" and tree.right and tree.right.left else tree.right
    if tree.right is None:
        return tree.left.left if mistake == "skips a left" else tree.left
    return _delete_inner(tree, tree.left, tree.right, mistake)


def _delete_inner(tree: Node, left: Node, right: Node, mistake: str) -> Node | None:
    successor = right
    while successor.left is not None:
        successor = successor.left
    if mistake == "successor is the right child":
        return Node(left, right.key, right.right)
    if mistake == "successor stays":
        return Node(left, successor.key, right)
    if mistake == "right of successor lost" and successor.right is not None:
        right = delete(Node(None, successor.key, None), successor.key, "") or right
        return Node(left, successor.key, _without_least(right, lose=True))
    if mistake == "predecessor one too low":
        before = left
        while before.right is not None and before.right.right is not None:
            before = before.right
        return Node(delete(left, before.key, ""), before.key, right)
    if mistake == "grafts left under right":
        return Node(left.left, left.key, right)
    return Node(left, successor.key, delete(right, successor.key, mistake))


def _without_least(tree: Node, lose: bool) -> Node | None:
    if tree.left is None:
        return None if lose else tree.right
    return Node(_without_least(tree.left, lose), tree.key, tree.right)


def delete_keeps_order(tree: Node | None, mistake: str) -> bool:
    for key in range(10):
        made = delete(tree, key, mistake)
        if in_order(made) != [k for k in in_order(tree) if k != key]:
            return False
    return True


search_trees = gen.deferred(lambda: gen.none() | gen.builds(Node, search_trees, keys, search_trees))

# --- AVL trees ----------------------------------------------------------------------------------------------


def height(tree: Node | None) -> int:
    return 0 if tree is None else 1 + max(height(tree.left), height(tree.right))


def is_balanced(tree: Node | None) -> bool:
    if tree is None:
        return True
    return (
        is_balanced(tree.left)
        and is_balanced(tree.right)
        and abs(height(tree.left) - height(tree.right)) <= 1
    )


def is_avl(tree: Node | None) -> bool:
    return is_ordered(tree) and is_balanced(tree)


def insert_avl(tree: Node | None, key: int, mistake: str) -> Node:
    if tree is None:
        return Node(None, key, None)
    if key == tree.key:
        return tree
    if key < tree.key:
        return _rotated(Node(insert_avl(tree.left, key, mistake), tree.key, tree.right), mistake)
    return _rotated(Node(tree.left, tree.key, insert_avl(tree.right, key, mistake)), mistake)


def _rotated(tree: Node, mistake: str) -> Node:
    left, right = tree.left, tree.right
    lean = height(left) - height(right)
    if lean > 1 and left is not None:
        if height(left.left) < height(left.right) and left.right and mistake != "no double left":
            middle = left.right
            low = middle.right if mistake == "double left wrong child" else middle.left
            return Node(Node(left.left, left.key, low), middle.key, Node(middle.right, tree.key, right))
        if mistake == "no single left":
            return tree
        between = None if mistake == "single left drops" else left.right
        return Node(left.left, left.key, Node(between, tree.key, right))
    if lean < (-2 if mistake == "leans too far" else -1) and right is not None:
        if height(right.right) < height(right.left) and right.left and mistake != "no double right":
            middle = right.left
            high = None if mistake == "double right drops" else middle.right
            return Node(Node(left, tree.key, middle.left), middle.key, Node(high, right.key, right.right))
        between = right.right if mistake == "single right wrong child" else right.left
        return Node(Node(left, tree.key, between), right.key, right.right)
    return tree


def insert_keeps_avl(tree: Node | None, mistake: str) -> bool:
    for key in range(10):
        made = insert_avl(tree, key, mistake)
        if not is_avl(made) or in_order(made) != sorted({*in_order(tree), key}):
            return False
    return True


# --- leftist heaps ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Heap:
    rank: int
    key: int
    left: Heap | None
    right: Heap | None


def rank(heap: Heap | None) -> int:
    return 0 if heap is None else heap.rank


def is_leftist(heap: Heap | None) -> bool:
    if heap is None:
        return True
    return (
        is_leftist(heap.left)
        and is_leftist(heap.right)
        and rank(heap.left) >= rank(heap.right)
        and heap.rank == rank(heap.right) + 1
        and all(child is None or heap.key <= child.key for child in (heap.left, heap.right))
    )


def merge(a: Heap | None, b: Heap | None, mistake: str) -> Heap | None:
    if a is None or b is None:
        return a or b
    if a.key > b.key and mistake != "no order":
        a, b = b, a
    rest = merge(a.right, b, mistake)
    left, right = a.left, rest
    if rank(left) < rank(right) and mistake != "no swap":
        left, right = right, left
    if mistake == "rank of the left":
        return Heap(rank(left) + 1, a.key, left, right)
    if mistake == "rank not changed":
        return Heap(a.rank, a.key, left, right)
    if mistake == "drops deep" and rank(right) > 1:
        right = None
        return Heap(1, a.key, left, right)
    return Heap(rank(right) + 1, a.key, left, right)


def pop_keeps_heap(heap: Heap | None, mistake: str) -> bool:
    if heap is None:
        return True
    made = merge(heap.left, heap.right, mistake)
    keys = sorted(_keys_of(heap))
    return is_leftist(made) and sorted(_keys_of(made)) == keys[1:]


def _keys_of(heap: Heap | None) -> list[int]:
    return [] if heap is None else [heap.key, *_keys_of(heap.left), *_keys_of(heap.right)]


heaps = gen.deferred(lambda: gen.none() | gen.builds(Heap, gen.integers(1, 4), keys, heaps, heaps))

# --- lambda terms -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Base:
    pass


@dataclass(frozen=True)
class Arrow:
    argument: Base | Arrow
    result: Base | Arrow


@dataclass(frozen=True)
class Var:
    index: int


@dataclass(frozen=True)
class Lam:
    type: Base | Arrow
    body: Var | Lam | App


@dataclass(frozen=True)
class App:
    function: Var | Lam | App
    argument: Var | Lam | App


def type_of(term: Any, context: tuple[Any, ...] = ()) -> Any:
    match term:
        case Var(index):
            return context[index] if index < len(context) else None
        case Lam(argument, body):
            result = type_of(body, (argument, *context))
            return None if result is None else Arrow(argument, result)
        case App(function, argument):
            of_function, of_argument = type_of(function, context), type_of(argument, context)
            if isinstance(of_function, Arrow) and of_function.argument == of_argument:
                return of_function.result
    return None


def is_typed(term: Any) -> bool:
    return type_of(term) is not None


def shift(term: Any, by: int, cutoff: int, mistake: str) -> Any:
    match term:
        case Var(index):
            limit = cutoff + 1 if mistake == "shift bound" else cutoff
            return Var(index + by) if index >= limit else term
        case Lam(kind, body):
            inner = cutoff if mistake == "shift cutoff" else cutoff + 1
            return Lam(kind, shift(body, by, inner, mistake))
        case App(function, argument):
            argument = argument if mistake == "shift only functions" else shift(argument, by, cutoff, mistake)
            return App(shift(function, by, cutoff, mistake), argument)


def substitute(term: Any, place: int, value: Any, mistake: str) -> Any:
    match term:
        case Var(index):
            return value if index == place else term
        case Lam(kind, body):
            moved = value if mistake == "no shift" else shift(value, 1, 0, mistake)
            inner = place if mistake == "same place" else place + 1
            return Lam(kind, substitute(body, inner, moved, mistake))
        case App(function, argument):
            argument = (
                argument if mistake == "only functions" else substitute(argument, place, value, mistake)
            )
            return App(substitute(function, place, value, mistake), argument)


def step(term: Any, mistake: str) -> Any:
    match term:
        case App(Lam(_, body), argument):
            moved = argument if mistake == "argument not shifted" else shift(argument, 1, 0, mistake)
            result = substitute(body, 0, moved, mistake)
            return result if mistake == "not shifted back" else shift(result, -1, 0, mistake)
        case App(function, argument):
            made = step(function, mistake)
            if made is not None:
                return App(made, argument)
            made = step(argument, mistake)
            return None if made is None else App(function, made)
        case Lam(kind, body):
            made = step(body, mistake)
            return None if made is None else Lam(kind, made)
    return None


def steps_keep_type(term: Any, mistake: str) -> bool:
    kind = type_of(term)
    for _ in range(8):
        made = step(term, mistake)
        if made is None:
            return True
        if type_of(made) != kind or made != step(term, ""):
            return False
        term = made
    return True


types = gen.deferred(lambda: gen.builds(Base) | gen.builds(Arrow, types, types))
terms = gen.deferred(
    lambda: (
        gen.builds(Var, gen.integers(0, 3)) | gen.builds(Lam, types, terms) | gen.builds(App, terms, terms)
    )
)

# --- sorted maps, calendars, documents, ledgers, positions ---------------------------------------------------


@dataclass
class Entry:
    key: int
    value: int


def is_sorted_map(entries: list[Entry]) -> bool:
    keys = [entry.key for entry in entries]
    return keys == sorted(keys) and len(set(keys)) == len(keys)


def look_up(entries: list[Entry], key: int, mistake: str) -> int | None:
    low, high = 0, len(entries)
    if mistake == "misses the last" and high > 4:
        high -= 1
    while low < high:
        middle = (low + high) // 2
        if entries[middle].key == key:
            return entries[middle].value
        if entries[middle].key < key:
            low = middle + (2 if mistake == "low jumps" else 1)
        else:
            high = middle - 1 if mistake == "high jumps" else middle
    return None


def finds_entries(entries: list[Entry], mistake: str) -> bool:
    if mistake.startswith("merge"):
        half = len(entries) // 2
        odd, even = entries[::2], entries[1::2]
        merged = merge_maps(odd, even, mistake)
        return [e.key for e in merged] == [e.key for e in entries] and half >= 0
    return all(look_up(entries, entry.key, mistake) == entry.value for entry in entries)


def merge_maps(a: list[Entry], b: list[Entry], mistake: str) -> list[Entry]:
    made: list[Entry] = []
    i = j = 0
    while i < len(a) and j < len(b):
        if a[i].key < b[j].key:
            made.append(a[i])
            i += 1
        else:
            made.append(b[j])
            j += 1
    if mistake == "merge drops the tail" and len(a) > 3:
        return made
    return [*made, *a[i:], *(b[j + 1 :] if mistake == "merge skips" and len(b) > 3 else b[j:])]


@dataclass
class Meeting:
    start: int
    end: int
    room: int


def is_calendar(meetings: list[Meeting]) -> bool:
    return all(m.start < m.end for m in meetings) and all(
        a.room != b.room or a.end <= b.start or b.end <= a.start
        for a, b in itertools.combinations(meetings, 2)
    )


def free_slots(meetings: list[Meeting], room: int, mistake: str) -> list[tuple[int, int]]:
    own = [m for m in meetings if m.room == room]
    if mistake != "not sorted":
        own.sort(key=lambda m: m.start)
    if mistake == "forgets the fourth":
        own = own[:3]
    slots, now = [], 0
    for m in own:
        if m.start > now + (1 if mistake == "short gaps" and len(own) > 2 else 0):
            slots.append((now, m.start))
        now = m.start if mistake == "from the start" and len(own) > 2 else m.end
    if now < 12 and not (mistake == "no last slot" and len(own) > 2):
        slots.append((now, 12))
    return slots


def slots_are_free(meetings: list[Meeting], mistake: str) -> bool:
    for room in range(3):
        taken = {hour for m in meetings if m.room == room for hour in range(m.start, m.end)}
        free = {hour for a, b in free_slots(meetings, room, mistake) for hour in range(a, b)}
        if free != set(range(12)) - taken:
            return False
    return True


@dataclass
class Element:
    tag: str
    closing: str
    children: list[Element]


def is_well_formed(element: Element) -> bool:
    return (
        element.tag == element.closing
        and all(is_well_formed(child) for child in element.children)
        and len({child.tag for child in element.children}) == len(element.children)
    )


def render(element: Element, depth: int, mistake: str) -> list[str]:
    children = element.children
    if mistake == "reversed from three" and len(children) > 2:
        children = children[::-1]
    inner = [line for child in children for line in render(child, depth + 1, mistake)]
    if mistake == "not below three" and depth > 2:
        inner = []
    if mistake == "two only" and depth == 1:
        inner = [line for child in children[:2] for line in render(child, depth + 1, mistake)]
    closing = element.tag
    if mistake == "closes with the child" and depth > 0 and children and children[-1].children:
        closing = children[-1].tag
    return [f"<{element.tag}>", *inner, f"</{closing}>"]


def parse(lines: list[str]) -> Element | None:
    stack: list[Element] = [Element("", "", [])]
    for line in lines:
        if line.startswith("</"):
            if len(stack) < 2 or stack[-1].tag != line[2:-1]:
                return None
            done = stack.pop()
            stack[-1].children.append(done)
        else:
            stack.append(Element(line[1:-1], line[1:-1], []))
    return stack[0].children[0] if len(stack) == 1 else None


def parses_back(element: Element, mistake: str) -> bool:
    return parse(render(element, 0, mistake)) == element


@dataclass
class Posting:
    account: str
    amount: int


@dataclass
class Transaction:
    postings: list[Posting]


def is_balanced_ledger(ledger: list[Transaction]) -> bool:
    return all(
        sum(posting.amount for posting in t.postings) == 0
        and len(t.postings) >= 2
        and all(posting.amount != 0 for posting in t.postings)
        for t in ledger
    )


def balances(ledger: list[Transaction], mistake: str) -> dict[str, int]:
    totals: dict[str, int] = {}
    for number, t in enumerate(ledger):
        postings = t.postings
        if mistake == "first two only":
            postings = postings[:2]
        if mistake == "ignores the third" and number == 2:
            continue
        for posting in postings:
            before = totals.get(posting.account, 0)
            if mistake == "overwrites when three" and len(postings) > 2:
                before = 0
            totals[posting.account] = before + posting.amount
    if mistake == "drops closed" and len(totals) > 2:
        totals = {account: total for account, total in totals.items() if total > 0}
    return totals


def adds_to_zero(ledger: list[Transaction], mistake: str) -> bool:
    return sum(balances(ledger, mistake).values()) == 0


class Piece(NamedTuple):
    kind: str
    row: int
    column: int


def attacks(a: Piece, b: Piece) -> bool:
    down, across = abs(a.row - b.row), abs(a.column - b.column)
    if a.kind == "rook":
        return down == 0 or across == 0
    if a.kind == "bishop":
        return down == across
    return {down, across} == {1, 2}


def is_peaceful(pieces: list[Piece]) -> bool:
    squares = [(piece.row, piece.column) for piece in pieces]
    return len(set(squares)) == len(squares) and not any(
        attacks(a, b) for a in pieces for b in pieces if a is not b
    )


def free_squares(pieces: list[Piece], mistake: str) -> set[tuple[int, int]]:
    counted = pieces[:3] if mistake == "first three" else pieces
    free = set()
    for row, column in itertools.product(range(6), repeat=2):
        spot = Piece("rook", row, column)
        for piece in counted:
            hit = attacks(piece, spot)
            if mistake == "knights among others" and len(pieces) > 3 and piece.kind == "knight":
                hit = False
            if mistake == "bishops among others" and len(pieces) > 3 and piece.kind == "bishop":
                hit = down_only(piece, spot)
            if hit or (piece.row, piece.column) == (row, column):
                break
        else:
            free.add((row, column))
    return free


def down_only(a: Piece, b: Piece) -> bool:
    return b.row - a.row == b.column - a.column


def squares_are_free(pieces: list[Piece], mistake: str) -> bool:
    return free_squares(pieces, mistake) == free_squares(pieces, "")


elements = gen.deferred(
    lambda: gen.builds(Element, gen.sampled_from("abc"), gen.sampled_from("abc"), gen.lists(elements))
)
board = gen.integers(0, 5)

STRUCTURES = [
    Structure(
        "red-black trees",
        red_black,
        is_red_black,
        insert_keeps_red_black,
        (
            *("root stays red", "new node black", "no balancing", "no left left", "left left not recoloured"),
            *("left left wrong child", "no left right", "left right swapped", "left right red"),
            *("no right left", "right left swapped", "right left black", "no right right"),
            "right right not recoloured",
        ),
    ),
    Structure(
        "search trees",
        search_trees,
        is_ordered,
        delete_keeps_order,
        (
            *("drops right", "skips a left", "successor is the right child", "successor stays"),
            *("right of successor lost", "predecessor one too low", "grafts left under right"),
        ),
    ),
    Structure(
        "AVL trees",
        search_trees,
        is_avl,
        insert_keeps_avl,
        (
            *("no double left", "double left wrong child", "no single left", "single left drops"),
            *("leans too far", "no double right", "double right drops", "single right wrong child"),
        ),
    ),
    Structure(
        "leftist heaps",
        heaps,
        is_leftist,
        pop_keeps_heap,
        ("no order", "no swap", "rank of the left", "rank not changed", "drops deep"),
    ),
    Structure(
        "typed lambda terms",
        terms,
        is_typed,
        steps_keep_type,
        (
            *("shift bound", "shift cutoff", "shift only functions", "no shift", "same place"),
            *("only functions", "argument not shifted", "not shifted back"),
        ),
    ),
    Structure(
        "sorted maps",
        gen.lists(gen.builds(Entry, gen.integers(0, 50), gen.integers(0, 9))),
        is_sorted_map,
        finds_entries,
        ("misses the last", "low jumps", "high jumps", "merge drops the tail", "merge skips"),
    ),
    Structure(
        "calendars",
        gen.lists(gen.builds(Meeting, gen.integers(0, 12), gen.integers(0, 12), gen.integers(0, 2))),
        is_calendar,
        slots_are_free,
        ("not sorted", "forgets the fourth", "short gaps", "from the start", "no last slot"),
    ),
    Structure(
        "documents",
        elements,
        is_well_formed,
        parses_back,
        ("reversed from three", "not below three", "two only", "closes with the child"),
    ),
    Structure(
        "ledgers",
        gen.lists(
            gen.builds(
                Transaction,
                gen.lists(gen.builds(Posting, gen.sampled_from("abcd"), gen.integers(-20, 20))),
            )
        ),
        is_balanced_ledger,
        adds_to_zero,
        ("first two only", "overwrites when three", "drops closed"),
    ),
    Structure(
        "positions",
        gen.lists(gen.builds(Piece, gen.sampled_from(["rook", "bishop", "knight"]), board, board)),
        is_peaceful,
        squares_are_free,
        ("first three", "knights among others", "bishops among others"),
    ),
]
