"""Neighbours of a value: its own choices with a few of them changed.

The neighbourhood is constructed from the generator. A value is a tree of choices, so a neighbour is the same tree with
a handful of edits, enacted: what still fits stays as it is, what no longer fits is redrawn alone. Because edits are
made by position in the tree, they work through ``map``, ``filter``, ``flatmap`` and ``composite`` alike.

What an edit may do depends on the kind of the node it hits:

=========  ===================================================================================================
Int        another value of a small range; else a small step, a step scaled by temperature, or a fresh number
Float      the same, and a change of magnitude
Union      another option; in a recursion also hoist a part, graft another one, or grow around the present one
List       insert, delete, duplicate, swap, or move a slice: as many ways to grow as to shrink
Bind       mostly inside what depends, seldom (one in twenty) inside what it depends on, or a counted edit
Composite  inside one of its draws, or a counted edit: one turn more or less, and the number that counts the turns
=========  ===================================================================================================

Temperature is between 0 and 1. It scales the number of edits and the length of steps. At 0 nothing is edited: the
trace is enacted as it is, which keeps what is valid and redraws only what is not.
"""

from __future__ import annotations

from typing import Any, TypeVar

from everycase.choices.counted import rows_of
from everycase.choices.dice import Random, draw_size
from everycase.choices.rules import RULES, Step, own_places
from everycase.choices.enact import enact
from everycase.choices.trace import Trace
from everycase.gen.kinds import Bind

T = TypeVar("T")
Node = Trace[Any]

#: The most edits that most steps make, at temperature 1. How many is geometric: half of them make one.
MOST_EDITS = 8

#: How often an edit of a flatmap goes to the part that the other depends on.
OUTER_SHARE = 0.05

#: How often an edit of a flatmap whose outer part counts the inner ones is a counted one.
COUNTED_SHARE = 1 / 3

#: How often a step may make any number of edits, up to an eighth of all places: a long jump now and then.
JUMPS = 0.2

#: A value with more places than this does not grow any further.
MOST_PLACES = 2000


def neighbor(trace: Trace[T], temperature: float, random: Random) -> Trace[T]:
    """A neighbour of a recorded value. Raises Discarded when a filter cannot be satisfied."""
    assert trace.gen is not None
    return enact(trace.gen, edited(trace, temperature, random), random, draw_size(random))


def edited(trace: Node, temperature: float, random: Random) -> Node:
    """The partial trace that a neighbour is enacted from."""
    if temperature <= 0:
        return trace
    most = 1 + int((MOST_EDITS - 1) * temperature)
    edits = 1
    if random() < JUMPS * temperature:
        edits = int((2 + places(trace) / 8) ** random())
    else:
        while edits < most and random() < 0.5:
            edits += 1
    step = Step(trace, temperature, random, places(trace) < MOST_PLACES)
    for _ in range(edits):
        trace = _edit_one(trace, step)
    return trace


def _edit_one(trace: Node, step: Step) -> Node:
    """Edit one place, each equally likely."""
    count = places(trace)
    if count == 0:
        return trace
    chosen = int(step.random() * count)
    path: list[int] = []
    node = trace
    while True:
        if type(node.gen) is Bind:
            inside = _step_into_bind(node, step.random)
            if inside is None:
                break
            path.append(inside)
            node = node.children[inside]  # type: ignore[assignment]
            chosen = int(step.random() * places(node))
            continue
        own = own_places(node)
        if chosen < own:
            break
        chosen -= own
        for i, child in enumerate(node.children):
            if child is None:
                continue
            count = child._places if child._places >= 0 else places(child)
            if chosen < count:
                path.append(i)
                node = child
                break
            chosen -= count
    return trace.replace(path, RULES[type(node.gen)](node, step))


def _step_into_bind(node: Node, random: Random) -> int | None:
    """Which part of a flatmap to edit; None for both at once."""
    outer, inner = node.children
    r = random()
    if r < COUNTED_SHARE and rows_of(node):
        return None
    if outer is None or not places(outer):
        return 1
    if inner is None or not places(inner):
        return 0
    return 0 if random() < OUTER_SHARE else 1


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
        node._places = count + own_places(node)
    return trace._places
