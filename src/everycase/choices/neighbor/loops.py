"""Counted edits: one turn of a loop more or less, together with the number that counts the turns.

Some values cannot be made longer or shorter by changing a number alone: a composite that draws a number and
then loops that often, or a flatmap whose outer number decides how many parts the inner generator has. The
turns after the change would move into each other's places. So a turn is inserted or deleted in place, and the
number is changed with it.

A **row** is a run of children that repeat with a period: the same generator comes back after a fixed number
of draws. A row is counted by any nearby integer whose value is its number of turns. A loop that no number
counts (``while draw(booleans())``) is also a row: deleting whole turns keeps everything else in its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from operator import eq
from typing import Any, NamedTuple

from everycase.choices.dice import Random
from everycase.choices.trace import Trace, repeatable
from everycase.gen.kinds import Bind, Build, Composite, Filter, Int, List, Live, Map

Node = Trace[Any]
Path = tuple[int, ...]

#: Maximum number of draws per turn.
LONGEST_TURN = 8

#: Number of first draws of a composite among which a counter is looked for.
COUNTERS = 16

#: Maximum depth of an integer below a draw or an outer part to be found as a counter.
DEPTH = 3


class Row(NamedTuple):
    """Children ``start`` to ``start + turns * length`` of the node at ``path``, and the integer that counts them."""

    path: Path
    start: int
    length: int
    turns: int
    counter: Path | None


def counted_edit(node: Node, random: Random, may_grow: bool, growth: float = 0.5) -> Node:
    """Insert, repeat or delete a turn of a loop that shows in the draws below a composite or a flatmap."""
    rows = rows_of(node)
    if not rows:
        return node
    row = rows[int(random() * len(rows))]
    grows = random() < growth
    if grows and not may_grow:
        return node
    if row.counter is not None:
        counter = node.at(row.counter)
        assert counter is not None and isinstance(counter.gen, Int) and isinstance(counter.choice, int)
        moved = counter.choice + (1 if grows else -1)
        if not counter.gen.fits(moved):
            return node
        node = node.replace(row.counter, counter.with_choice(moved))
    owner = node.at(row.path)
    assert owner is not None
    children = list(owner.children)
    at = row.start + int(random() * (row.turns + grows)) * row.length
    if not grows:
        del children[at : at + row.length]
    elif random() < 0.75 or not row.turns:
        children[at:at] = [None] * row.length
    else:
        source = row.start + int(random() * row.turns) * row.length
        children[at:at] = repeatable(children[source : source + row.length])
    edited = owner.with_children(children)
    return node.replace(row.path, edited) if row.path else edited


def rows_of(node: Node) -> list[Row]:
    """The loops that can be seen at a composite or a flatmap."""
    if isinstance(node.gen, Bind):
        return _rows_of_bind(node)
    found: list[Row] = []
    children = node.children
    kinds = _kinds(children)
    most = 0
    # Any small number counts something by accident. A number that counts all the draws after it, if these are
    # most of the draws, is likely to be the right one; otherwise a loop that nothing counts is equally
    # likely.
    for i, child in enumerate(children[:COUNTERS]):
        if child is None:
            continue
        for below, number in _integers(child, DEPTH):
            row = _row(kinds, i + 1, number, most)
            if row is not None:
                found.append(Row((), row[0], row[1], number, (i, *below)))
                most = max(most, row[1] * number)
    longest = [row for row in found if row.length * row.turns == most]
    exact = [row for row in longest if _is_exact(row, children)]
    return exact or longest + _free_rows(kinds)


def _is_exact(row: Row, children: Any) -> bool:
    if row.counter is None or row.turns < 2:
        return False
    covered, draws, place = row.length * row.turns, len(children), row.counter[0]
    if row.start != place + 1 or row.start + covered != draws or 2 * covered <= draws:
        return False
    # A draw of the loop itself is not a counter.
    return not _same(children[place].gen, children[place + row.length].gen)


def _same(one: Any, other: Any) -> bool:
    return one is other or (
        isinstance(one, Map | Filter) and type(one) is type(other) and one.source is other.source
    )


def _rows_of_bind(node: Node) -> list[Row]:
    outer, inner = node.children
    found: list[Row] = []
    if outer is None or inner is None:
        return found
    for below, number in _integers(outer, DEPTH):
        path: Path = (1,)
        owner: Node | None = inner
        while owner is not None:
            row = None
            match owner.gen:
                case Build() if len(owner.children) == number:
                    row = (0, 1)
                case List() if owner.gen.min_size == owner.gen.max_size == number:
                    row = (0, 1)
                case Composite() | Live():
                    row = _row(_kinds(owner.children), 0, number)
            if row is not None:
                found.append(Row(path, *row, number, (0, *below)))
            # Continue through nodes with one part, or with one part that depends on another.
            if isinstance(owner.gen, Map | Filter | Bind) and owner.children:
                path = (*path, len(owner.children) - 1)
                owner = owner.children[-1]
            else:
                break
    return found


def _integers(node: Node, depth: int) -> list[tuple[Path, int]]:
    """The small integers that were drawn at or not far below a node, with their paths."""
    if type(node.gen) is Int:
        return [((), node.choice)] if isinstance(node.choice, int) and 0 <= node.choice < 10**6 else []
    if depth == 0 or len(node.children) > 4:
        return []
    return [
        ((i, *below), number)
        for i, child in enumerate(node.children)
        if child is not None
        for below, number in _integers(child, depth - 1)
    ]


def _kinds(children: Sequence[Node | None]) -> str:
    """One character per draw, the same for draws that may belong to one loop; a hole differs from everything
    else.
    """
    gens: list[object] = [place if child is None else child.gen for place, child in enumerate(children)]
    kinds: dict[object, str] = {}
    names: dict[object, str] = {}
    for gen in dict.fromkeys(gens):
        # Generators that depend on what was drawn before differ, but stay of a kind.
        kind = gen if isinstance(gen, List | Build | int) else type(gen)
        names[gen] = kinds.setdefault(kind, chr(len(kinds)))
    return "".join([names[gen] for gen in gens])


def _row(kinds: str, first: int, turns: int, least: int = 0) -> tuple[int, int] | None:
    """Where ``turns`` turns begin at or after child ``first``, and how many draws one of them has.

    Turns that have fewer draws than ``least`` altogether need not be found.
    """
    left = len(kinds) - first
    if turns > left:
        return None
    if turns == 0:
        return (first, 1) if left == 0 else None
    if turns == 1:
        return (first, left) if left <= LONGEST_TURN else None
    for length in range(min(LONGEST_TURN, left // turns), 0, -1):
        if length * turns < least:
            break
        same, others = _again(kinds, length), length * (turns - 1)
        start = first
        last = min(first + LONGEST_TURN, left - length * turns + first)
        while start <= last:
            differs = same.find(b"\0", start, start + others)
            if differs < 0:
                return start, length
            start = differs + 1
    return None


@lru_cache(maxsize=256)
def _again(kinds: str, length: int) -> bytes:
    """For each draw, 1 if the draw ``length`` places later is of the same kind, else 0."""
    return bytes(map(eq, kinds, kinds[length:]))


def _free_rows(kinds: str) -> list[Row]:
    """The longest run that repeats, if any."""
    best: Row | None = None
    for length in range(1, LONGEST_TURN + 1):
        start = 0
        for run in _again(kinds, length).split(b"\0"):
            turns = len(run) // length + 1
            if turns > 1 and (best is None or turns * length > best.turns * best.length):
                best = Row((), start, length, turns, None)
            start += len(run) + 1
    return [best] if best is not None else []
