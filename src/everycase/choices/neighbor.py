"""Neighbours of a value: its own choices with a few of them changed.

The neighbourhood is constructed from the generator. A value is a tree of choices, so a neighbour is the same tree with
a handful of edits, enacted: what still fits stays as it is, what no longer fits is redrawn alone. Because edits are
made by position in the tree, they work through ``map``, ``filter``, ``flatmap`` and ``composite`` alike.

What an edit may do depends on the kind of the node it hits:

=========  ===================================================================================================
Int        a small step, a step scaled by temperature, or a fresh number
Float      the same, and a change of magnitude
Union      another option; in a recursion also hoist a part, graft another one, or grow around the present one
List       insert, delete, duplicate, swap, or move a slice: as many ways to grow as to shrink
Bind       mostly inside what depends, seldom (one in twenty) inside what it depends on
Composite  inside one of its draws, or a counted edit: one turn more or less, and the number that counts the turns
=========  ===================================================================================================

Temperature is between 0 and 1. It scales the number of edits and the length of steps. At 0 nothing is edited: the
trace is enacted as it is, which keeps what is valid and redraws only what is not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from everycase.choices.dice import FULL_SIZE, Random, below
from everycase.choices.enact import enact
from everycase.choices.trace import Trace
from everycase.gen.facts import facts
from everycase.gen.kinds import Bind, Build, Composite, Const, Float, Int, List, Live, Union

T = TypeVar("T")
Node = Trace[Any]
Rule = Callable[[Node, Random, float], "Node | None"]

#: The most edits that one step makes, at temperature 1. How many it makes is geometric: half the steps make one.
MOST_EDITS = 8

#: How often an edit of a flatmap goes to the part that the other depends on.
OUTER_SHARE = 0.05


def neighbor(trace: Trace[T], temperature: float, random: Random, size: int = FULL_SIZE) -> Trace[T]:
    """A neighbour of a recorded value. Raises Discarded when a filter cannot be satisfied."""
    assert trace.gen is not None
    return enact(trace.gen, edited(trace, temperature, random), random, size)


def edited(trace: Node, temperature: float, random: Random) -> Node:
    """The partial trace that a neighbour is enacted from."""
    if temperature <= 0:
        return trace
    most = 1 + int((MOST_EDITS - 1) * temperature)
    edits = 1
    while edits < most and random() < 0.5:
        edits += 1
    for _ in range(edits):
        trace = _edit_one(trace, temperature, random)
    return trace


def _edit_one(trace: Node, temperature: float, random: Random) -> Node:
    """Edit one place, each equally likely."""
    count = places(trace)
    if count == 0:
        return trace
    chosen = int(random() * count)
    path: list[int] = []
    node = trace
    while True:
        own = _own_places(node)
        if chosen < own:
            break
        chosen -= own
        if type(node.gen) is Bind:
            step = _step_into_bind(node, random)
            node = node.children[step]  # type: ignore[assignment]
            path.append(step)
            chosen = int(random() * places(node))
            continue
        for i, child in enumerate(node.children):
            if child is None:
                continue
            count = child._places if child._places >= 0 else places(child)
            if chosen < count:
                path.append(i)
                node = child
                break
            chosen -= count
    return trace.replace(path, RULES[type(node.gen)](node, random, temperature))


def _step_into_bind(node: Node, random: Random) -> int:
    outer, inner = node.children
    if outer is None or not places(outer):
        return 1
    if inner is None or not places(inner):
        return 0
    return 0 if random() < OUTER_SHARE else 1


# --- places ---------------------------------------------------------------------------------------------


def places(trace: Node) -> int:
    """How many places an edit can hit at and below a node; remembered, as traces share most of their parts."""
    if trace._places >= 0:
        return trace._places
    pending = [trace]
    while pending:
        node = pending[-1]
        missing = [child for child in node.children if child is not None and child._places < 0]
        if missing:
            pending.extend(missing)
            continue
        pending.pop()
        count = sum(child._places for child in node.children if child is not None)
        node._places = count + _own_places(node)
    return trace._places


def _own_places(node: Node) -> int:
    gen = node.gen
    match gen:
        case Int():
            return 1 if gen.lo is None or gen.lo != gen.hi else 0
        case Float() | Union():
            return 1
        case List():
            if gen.min_size == gen.max_size:
                return 1 if len(node.children) > 1 else 0
            return len(node.children) + 1
        case Composite() | Live():
            return 1 + len(node.children) // 4 if node.children else 0
        case _:
            return 0


# --- rules ----------------------------------------------------------------------------------------------


def _int(node: Node, random: Random, temperature: float) -> Node | None:
    gen, value = node.gen, node.choice
    assert isinstance(gen, Int) and isinstance(value, int)
    r = random()
    if r < 0.5:
        return None
    if r < 0.75:
        step = 1
        while random() < 0.5:
            step += 1
    elif gen.lo is not None and gen.hi is not None:
        step = 1 + below(1 + int((gen.hi - gen.lo) * temperature) // 10, random)
    else:
        step = 1 + below(2 + abs(value - gen.towards), random)
    moved = value + step if random() < 0.5 else value - step
    if gen.lo is not None:
        moved = max(gen.lo, moved)
    if gen.hi is not None:
        moved = min(gen.hi, moved)
    return node.with_choice(moved)


def _float(node: Node, random: Random, temperature: float) -> Node | None:
    gen, value = node.gen, node.choice
    assert isinstance(gen, Float) and isinstance(value, float)
    r = random()
    if r < 0.5 or value != value or value in gen.infinities:
        return None
    sign = 1 if random() < 0.5 else -1
    span = min(gen.hi - gen.lo, abs(value) + 1)
    if r < 0.75:
        moved = value + sign * random() * span * 0.1 * temperature
    else:
        moved = value + sign * span * 10 ** (-12 * random())
    return node.with_choice(min(max(moved, gen.lo), gen.hi))


def _union(node: Node, random: Random, temperature: float) -> Node | None:
    gen = node.gen
    assert isinstance(gen, Union)
    if gen.has_defer and facts(gen).loop is not None:
        return _recursive_union(node, random)
    # Another option than the present one, drawn afresh.
    other = int(random() * (len(gen.options) - 1)) if len(gen.options) > 1 else 0
    return (
        Trace(other + (other >= (node.choice or 0)), (None,), gen, clean=False)
        if len(gen.options) > 1
        else None
    )


def _recursive_union(node: Node, random: Random) -> Node | None:
    """Replace a part, or make the value one step smaller or larger around what there is."""
    r = random()
    if r < 0.3:
        return None
    if r < 0.65:
        inner = [part for path, part in node.walk() if path and part.gen is node.gen]
        return inner[int(random() * len(inner))] if inner else None
    # Grow: some option that recurses, with the present value as one of its parts.
    gen = node.gen
    assert isinstance(gen, Union)
    ways = [
        (number, place)
        for number, option in enumerate(gen.options)
        if isinstance(option, Build)
        for place, part in enumerate(option.parts)
        if part.has_defer and _leads_to(part, gen)
    ]
    if not ways:
        return None
    number, place = ways[int(random() * len(ways))]
    parts: list[Node | None] = [None] * len(gen.options[number].parts)  # type: ignore[attr-defined]
    parts[place] = node
    return Trace(number, (Trace(None, parts),), gen, clean=False)


def _leads_to(part: Any, gen: Any) -> bool:
    while hasattr(part, "target"):
        part = part.target
    return part is gen


def _list(node: Node, random: Random, temperature: float) -> Node | None:
    gen = node.gen
    assert isinstance(gen, List)
    children = list(node.children)
    count = len(children)
    r = random()
    if gen.min_size == gen.max_size:
        r = 0.8 + r / 5  # a list of fixed length can only be rearranged
    if r < 0.4:
        if count <= gen.min_size:
            return node
        del children[int(random() * count)]
    elif r < 0.8:
        if gen.max_size is not None and count >= gen.max_size:
            return node
        copy = r >= 0.7 and count > 0
        new = children[int(random() * count)] if copy else None
        children.insert(int(random() * (count + 1)), new)
    elif count < 2:
        return node
    elif r < 0.9:
        i, j = int(random() * count), int(random() * count)
        children[i], children[j] = children[j], children[i]
    else:
        start = int(random() * count)
        stop = start + 1 + int(random() * (count - start))
        piece = children[start:stop]
        del children[start:stop]
        to = int(random() * (len(children) + 1))
        children[to:to] = piece
    return node.with_children(children)


def _draws(node: Node, random: Random, temperature: float) -> Node | None:
    """A counted edit: one turn of a loop more or less, together with the number that says how many there are."""
    count = len(node.children)
    counters = [
        (i, child)
        for i, child in enumerate(node.children)
        if child is not None and type(child.gen) is Int and 0 < (child.choice or 0) <= count - i - 1
    ]
    if not counters:
        return node
    place, counter = counters[int(random() * len(counters))]
    turns = counter.choice
    assert isinstance(turns, int) and isinstance(counter.gen, Int)
    length = (count - place - 1) // turns
    first = count - length * turns
    at = first + int(random() * turns) * length
    children = list(node.children)
    if random() < 0.5:
        if not counter.gen.fits(turns - 1):
            return node
        del children[at : at + length]
        children[place] = counter.with_choice(turns - 1)
    else:
        if not counter.gen.fits(turns + 1):
            return node
        children[at:at] = [None] * length
        children[place] = counter.with_choice(turns + 1)
    return node.with_children(children)


RULES: dict[type[Any], Rule] = {
    Int: _int,
    Float: _float,
    Union: _union,
    List: _list,
    Composite: _draws,
    Live: _draws,
    Const: lambda node, random, temperature: node,
}
