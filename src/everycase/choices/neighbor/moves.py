"""Moves that rearrange or combine, beside the edits that change one place: they do in one step what would
take many lucky edits.

===========  ==============================================================================================
order        swap, reverse or move a slice of a list or of a permutation; the elements stay the same
runs         fill a slice with one element, insert a run of equal ones, copy a slice over another, cut one out
cross        a part of another value of the search in the place of the same part
difference   several numbers at once, along the difference of two other values of the search
===========  ==============================================================================================

Each takes the trace and a :class:`~everycase.choices.neighbor.rules.Step` and returns the partial trace to
enact, or None if it does not apply to the value. The search learns which of them pay off.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from everycase.choices.dice import Random
from everycase.choices.neighbor.rules import (
    LONGEST,
    SMALL_RANGE,
    Step,
    is_permutation,
    of_width,
    permuted,
    rearrange,
)
from everycase.choices.trace import Trace, repeatable
from everycase.gen.kinds import Float, Int, List, Union

Node = Trace[Any]
Path = tuple[int, ...]

#: The path to a random place of the value that is moved.
Choose = Callable[[], Path]

#: How often a place is looked for before a move is given up.
TRIES = 6

#: The most numbers that are moved at once.
MOST_NUMBERS = 64


def moved(root: Node, step: Step, choose: Choose) -> Node | None:
    """The move that the manner of the step names; None if it does not apply."""
    return MOVES[step.manner.move](root, step, choose)


def _find(root: Node, choose: Choose, wanted: Callable[[Node], bool]) -> tuple[Path, Node] | None:
    """Some wanted node, at or above a random place; the innermost of those on the way there."""
    for _ in range(TRIES):
        path = choose()
        node: Any = root
        found: tuple[Path, Node] | None = None
        for depth in range(len(path) + 1):
            if node is None or node.gen is None or node.gen.remark is not None:
                break
            if wanted(node):
                found = path[:depth], node
            if depth < len(path):
                node = node.children[path[depth]] if path[depth] < len(node.children) else None
        if found is not None:
            return found
    return None


# --- order ----------------------------------------------------------------------------------------------


def _has_order(node: Node) -> bool:
    return (node.is_list and len(node.children) > 1) or is_permutation(node.gen)


def _order(root: Node, step: Step, choose: Choose) -> Node | None:
    found = _find(root, choose, _has_order)
    if found is None:
        return None
    path, node = found
    if node.is_list:
        children = list(node.children)
        rearrange(children, step)
        return root.replace(path, node.with_children(children))
    return root.replace(path, permuted(node, step))


# --- runs -----------------------------------------------------------------------------------------------


def _may_repeat(node: Node) -> bool:
    gen = node.gen
    return type(gen) is List and gen.unique_by is None and len(node.children) > 1


def _runs(root: Node, step: Step, choose: Choose) -> Node | None:
    found = _find(root, choose, _may_repeat)
    if found is None:
        return None
    path, node = found
    gen: Any = node.gen
    random = step.random
    children = list(node.children)
    count = len(children)
    length = max(1, int(count ** random()))
    start = int(random() * (count - length + 1))
    r = random()
    if r < 0.4 or (gen.min_size == gen.max_size and r < 0.6):
        # Fill: with the element before it, or with any.
        source = start - 1 if start and random() < 0.5 else int(random() * count)
        children[start : start + length] = repeatable([children[source]]) * length
    elif r < 0.6:
        room = (LONGEST if gen.max_size is None else gen.max_size) - count
        length = min(length, room) if step.may_grow else 0
        if length < 1:
            return None
        place = int(random() * (count + 1))
        source = max(0, place - 1) if random() < 0.5 else int(random() * count)
        children[place:place] = repeatable([children[source]]) * length
    elif r < 0.8 or count - length < gen.min_size:
        goal = int(random() * (count - length + 1))
        children[goal : goal + length] = repeatable(children[start : start + length])
    else:
        del children[start : start + length]
    return root.replace(path, node.with_children(children))


# --- other values of the search -------------------------------------------------------------------------


def _other(step: Step) -> Node | None:
    others = step.manner.others
    return others[int(step.random() * len(others))] if others else None


def _cross(root: Node, step: Step, choose: Choose) -> Node | None:
    """Crossover: a slice of a list, or a subtree, from the same position in another value."""
    other = _other(step)
    if other is None:
        return None
    random = step.random
    for _ in range(TRIES):
        path = choose()
        path = path[: int(random() * (len(path) + 1))]
        here, there = root.at(path), other.at(path)
        if here is None or there is None or here.gen is None or type(here.gen) is not type(there.gen):
            continue
        if here.gen.remark is not None:
            continue
        if here.is_list:
            children = _spliced(here, there, random)
            if children is not None:
                return root.replace(path, here.with_children(children))
        elif isinstance(here.gen, Union) and here.gen.has_defer:
            donors = [node for _, node in other.walk() if node.gen is here.gen]
            if donors:
                return root.replace(path, donors[int(random() * len(donors))])
        elif path and here is not there and not here.same_choices(there):
            return root.replace(path, there)
    return None


def _spliced(here: Node, there: Node, random: Random) -> list[Node | None] | None:
    """Two cuts at the same positions of both; the part between them comes from the other."""
    mine, theirs = list(here.children), list(there.children)
    most = max(len(mine), len(theirs))
    if most < 2:
        return None
    one, two = int(random() * (most + 1)), int(random() * (most + 1))
    low, high = min(one, two), max(one, two)
    if low == high:
        return None
    return mine[:low] + repeatable(theirs[low:high]) + mine[high:]


def is_wide(node: Node) -> bool:
    """Whether distances between the values of a number are meaningful."""
    gen: Any = node.gen
    if type(gen) is Int:
        return gen.lo is None or gen.hi is None or gen.hi - gen.lo >= SMALL_RANGE
    return type(gen) is Float and isinstance(node.choice, float) and abs(node.choice) < float("inf")


def _difference(root: Node, step: Step, choose: Choose) -> Node | None:
    """Differential evolution: the difference of two good values is a direction, and a length, to move in."""
    one, two = _other(step), _other(step)
    if one is None or two is None or one is two:
        return None
    share = 0.2 + 1.2 * step.random()
    goals: list[tuple[Path, Any]] = []
    for path, node in root.walk():
        if node.gen is None or not is_wide(node):
            continue
        there, back = one.at(path), two.at(path)
        if there is None or back is None or not (is_wide(there) and is_wide(back)):
            continue
        change: Any = share * (there.choice - back.choice)  # type: ignore[operator]
        if change:
            goals.append((path, shifted(node, change)))
            if len(goals) == MOST_NUMBERS:
                break
    if len(goals) < 2:
        return None
    for path, node in goals:
        root = root.replace(path, node)
    return root


def shifted(node: Node, change: float) -> Node:
    """A number moved by this much, but not out of its range."""
    gen: Any = node.gen
    if type(gen) is Int:
        goal = node.choice + (round(change) or (1 if change > 0 else -1))  # type: ignore[operator]
    else:
        goal = of_width(gen, node.choice + change)  # type: ignore[operator]
    if gen.lo is not None:
        goal = max(goal, gen.lo)
    if gen.hi is not None:
        goal = min(goal, gen.hi)
    return node.with_choice(goal)


MOVES: dict[str, Callable[[Node, Step, Choose], Node | None]] = {
    "order": _order,
    "runs": _runs,
    "cross": _cross,
    "difference": _difference,
}
