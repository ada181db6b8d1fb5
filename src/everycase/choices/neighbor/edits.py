"""Neighbours of a value: its own choices with a few of them changed.

The neighbourhood is constructed from the generator. A value is a tree of choices, so a neighbour is the same
tree with a few edits, enacted: choices that still fit are kept, and only the others are redrawn. Because
edits are made by position in the tree, they also work through ``map``, ``filter``, ``flatmap`` and
``composite``.

What an edit may do depends on the kind of the node it hits:

=========  ===================================================================================================
Int        another value of a small range; else a small step, a step scaled by temperature, or a fresh number
Float      the same, and a change of magnitude
Union      another option; in a recursion also hoist a part, graft another one, or grow around the present one
List       insert, delete, duplicate, swap, or move a slice: as many ways to grow as to shrink
Map        like its source; the values of ``permutations`` are swapped, reversed or moved instead
Bind       mostly inside the dependent part, rarely (one in twenty) inside the outer part, or a counted edit
Composite  inside one of its draws, or a counted edit: one more or less turn, and the number that counts the
turns =========
===================================================================================================

Temperature is between 0 and 1. It scales the number of edits and the length of steps. At 0 nothing is edited: the
trace is enacted as it is, which keeps the valid parts and redraws only the others.
"""

from __future__ import annotations

import math
import random as stdlib_random
from bisect import bisect_right
from contextvars import ContextVar
from typing import Any, TypeVar

from everycase.choices.assumptions import making_values
from everycase.choices.dice import FILTER_TRIES, Random, draw_size
from everycase.choices.draw_budget import BUDGET
from everycase.choices.enact import enact
from everycase.choices.enact_flat import frozen
from everycase.choices.invert import trace_of
from everycase.choices.neighbor.loops import rows_of
from everycase.choices.neighbor.moves import moved
from everycase.choices.neighbor.rules import (
    EXCHANGING,
    OWN_PLACES,
    PLAIN,
    RULES,
    Manner,
    Step,
    is_measured,
    whole_places,
)
from everycase.choices.sample import tries_of
from everycase.choices.trace import Opaque, Trace
from everycase.errors import Discarded, EverycaseError, InvalidArgument, NoSuchValue, NotInvertible
from everycase.gen.annotate import FRESH, HandWritten
from everycase.gen.base import Gen
from everycase.gen.facts import facts
from everycase.gen.kinds import Bind, Build, Const, Filter, Float, Int, List, Map
from everycase.gen.sharing import own_input
from everycase.gen.validate import require_real, require_seed

T = TypeVar("T")
Node = Trace[Any]
Path = tuple[int, ...]

#: How often an edit of a flatmap goes to the part that the other depends on, at temperature 1.
OUTER_SHARE = 0.05

#: How often an edit of a flatmap whose outer part counts the inner ones is a counted one.
COUNTED_SHARE = 1 / 3

#: The kinds that have nothing to choose and may have a single part.
_TRUNK = frozenset({Build, Filter, Map})

#: The kinds whose values have as many places as their parts have, and those at the same paths.
_STEADY = frozenset({Build, Const, Filter, Float, Int, Map})

#: The places of a part are cached if there are no more than this.
MOST_SPOTS = 16

#: How many other edits of a cold neighbour are tried if a filter rejects it, before a part of it is redrawn.
OTHER_EDITS = 50

#: A value with more places than this does not grow any further.
MOST_PLACES = 2000


def neighbor(trace: Trace[T], temperature: float, random: Random, manner: Manner = PLAIN) -> Trace[T]:
    """A neighbour of a recorded value. Raises Discarded when a filter cannot be satisfied."""
    assert trace.gen is not None
    for _ in range(OTHER_EDITS if temperature < 1 else 0):
        BUDGET.repairs = False
        wanted = manner.move
        try:
            return enact(trace.gen, edited(trace, temperature, random, manner), random, draw_size(random))
        except Discarded:
            manner.move = wanted
        finally:
            BUDGET.repairs = True
    return enact(trace.gen, edited(trace, temperature, random, manner), random, draw_size(random))


def edited(trace: Node, temperature: float, random: Random, manner: Manner = PLAIN) -> Node | None:
    """The partial trace that a neighbour is enacted from."""
    if temperature <= 0:
        return trace
    root = trace
    # Nodes that all edits pass through are copied once.
    trunk: list[Gen[Any]] = []
    gen: Any = trace.gen
    while type(gen) in _TRUNK and len(trace.children) == 1 and gen.remark is None and not whole_places(gen):
        trunk.append(gen)
        trace = trace.children[0]  # type: ignore[assignment]
        gen = trace.gen
    count = places(trace)
    fresh = trace._fresh
    edits = 1
    if not manner.long:
        # Geometric, so that a single edit is always the most likely.
        more = 1 - 1 / (1 + (manner.reach - 1) * temperature)
        while edits < count and random() < more:
            edits += 1
    if not count and not fresh:
        return root
    if count:
        step = Step(root, temperature, random, count < MOST_PLACES, manner)
        if manner.move:
            above = (0,) * len(trunk)
            whole = moved(root, step, lambda: above + _choose(trace, count, random))
            if whole is not None:
                return without_fresh(whole) if fresh else whole
            manner.move = ""  # there is nothing that it applies to
        if manner.long:
            paths = [_choose_list(trace, count, random)]
        else:
            paths = _choose_some(trace, count, edits, random, OUTER_SHARE * math.sqrt(temperature))
            if temperature < 1:
                paths = [_nearer(trace, path, step) for path in paths]
            # From the end to the beginning and the deeper ones first, so that no edit moves the place of another.
            paths.sort(reverse=True)
        trace = _edit(trace, paths, step)
    partial = without_fresh(trace) if fresh else trace
    while trunk:
        partial = Trace(None, (partial,), trunk.pop(), None, None)
    return partial


def _choose_some(trace: Node, count: int, edits: int, random: Random, outer_share: float) -> list[Path]:
    """The paths to some of the ``count`` places to edit, each equally likely."""
    spots = trace._sums
    if type(spots) is not tuple or not spots:
        return [_choose(trace, count, random, outer_share) for _ in range(edits)]
    # Most values are such a list. This does what ``_choose`` does, but faster.
    each, length = len(spots), len(trace.children)
    own = count - each * length
    paths: list[Path] = []
    for _ in range(edits):
        chosen = int(random() * count) - own
        paths.append((chosen // each,) + spots[chosen % each] if chosen >= 0 else ())
    return paths


def _choose(trace: Node, count: int, random: Random, outer_share: float = OUTER_SHARE) -> Path:
    """The path to one of the ``count`` places to edit, each equally likely."""
    chosen = int(random() * count)
    path: list[int] = []  # a value may be nested deep, and a tuple would be copied at each step
    node: Any = trace
    while True:
        sums = node._sums
        if type(sums) is tuple:
            break
        if sums is None:
            inside = _step_into_bind(node, random, outer_share)
            if inside is None:
                return tuple(path)
            path.append(inside)
            node = node.children[inside]
            chosen = int(random() * places(node))
            continue
        chosen -= node._places - sums[-1]
        if chosen < 0:
            return tuple(path)
        i = bisect_right(sums, chosen)
        if i:
            chosen -= sums[i - 1]
        path.append(i)
        node = node.children[i]
    if sums:
        each = len(sums)
        chosen -= node._places - each * len(node.children)
        if chosen >= 0:
            spot: Path = (chosen // each, *sums[chosen % each])
            return (*path, *spot) if path else spot
    return tuple(path)


def _nearer(trace: Node, path: Path, step: Step) -> Path:
    """The colder, the more often a number is edited instead of exchanging it with another one of its list, or
    choosing another option."""
    node: Any = trace.at(path)
    if node is None or not node.children or type(node.gen) not in EXCHANGING or not is_measured(node):
        return path
    if step.random() < step.temperature:
        return path
    inside = int(step.random() * len(node.children))
    child = node.children[inside]
    count = places(child)
    if not count:
        return path  # nothing can be edited below, such as in an empty list that cannot grow
    below = _choose(child, count, step.random, OUTER_SHARE * math.sqrt(step.temperature))
    return _nearer(trace, (*path, inside, *below), step)


def _choose_list(trace: Node, count: int, random: Random) -> Path:
    """The path to a list, if some tries hit one, else to any place."""
    for _ in range(8):
        path = _choose(trace, count, random)
        node = trace.at(path)
        if node is not None and type(node.gen) is List:
            break
    return path


def _edit(root: Node, paths: list[Path], step: Step) -> Node:
    """Edit the nodes at some paths, each by the rule for its kind.

    The nodes on these paths are copied. A copy is not clean, and nodes that are not clean belong only to this
    step, so they are not copied again for the edits that follow.
    """
    for path in paths:
        siblings: Any = None
        place = 0
        node: Any = root
        for i in path:
            if node.clean:
                node = Trace(node.choice, list(node.children), node.gen, None, None, node.memory)
                if siblings is None:
                    root = node
                else:
                    siblings[place] = node
            siblings, place = node.children, i
            node = siblings[i]
            if node is None:
                break  # another edit made it a hole
        if node is None or node.gen is None:
            continue  # all of it is a hole
        gen = node.gen
        if gen.remark is None:
            new = RULES[type(gen)](node, step)
        elif path in step.by_hand:
            continue
        else:
            step.by_hand += (path,)
            new = _by_hand(node, gen, step)
        if siblings is not None:
            siblings[place] = new
        else:
            root = new if new is not None else Trace()
    return root


def _step_into_bind(node: Node, random: Random, outer_share: float) -> int | None:
    """Which part of a flatmap to edit; None for both at once."""
    outer, inner = node.children
    r = random()
    if r < COUNTED_SHARE and rows_of(node):
        return None
    if outer is None or not places(outer):
        return 1
    if inner is None or not places(inner):
        return 0
    return 0 if random() < outer_share else 1


def places(trace: Node) -> int:
    """The number of places that an edit can hit at and below a node; cached, because traces share most of
    their parts.

    ``_sums`` says how to find the part with a place. It is a list of the cumulative numbers of places of the
    children; for lists whose elements have the same places, a tuple of the paths to these; and None for a
    flatmap, where the number of places of a part does not matter.
    """
    if trace._places >= 0:
        return trace._places
    unknown = [trace]
    for node in unknown:  # the list grows during the loop
        gen: Any = node.gen
        if type(gen) is List and spots_of(gen.element):
            continue
        for child in node.children:
            if child is not None and child._places < 0:
                unknown.append(child)
    for node in reversed(unknown):
        gen = node.gen
        sums: Any = (spots_of(gen.element) or ()) if type(gen) is List else ()
        count, fresh = 0, False
        if sums:
            count = len(sums) * len(node.children)
        elif node.children:
            sums = []
            for child in node.children:
                if child is not None:
                    count += child._places
                    if child._fresh:
                        fresh = True
                sums.append(count)
        if (whole := whole_places(gen)) and gen.remark is None:
            # Edits of the whole, as likely as edits of its digits would be.
            node._places, node._sums, node._fresh = whole, (), False
        elif gen is None or gen.remark is None:
            own = OWN_PLACES.get(type(gen))
            node._places = count if own is None else count + own(node)
            node._sums = sums if type(gen) is not Bind else None
            node._fresh = fresh
        else:
            # All of it is one edit, or none.
            node._places = 0 if gen.remark == FRESH else max(1, count)
            node._sums = ()
            node._fresh = gen.remark == FRESH
    return trace._places


def spots_of(gen: Gen[Any] | None) -> tuple[Path, ...] | None:
    """The paths to the places of a value, if all values of the generator have the same and these are few."""
    if gen is None:
        return None
    known = gen._facts or facts(gen)
    spots: Any = known.spots
    if spots is False:
        spots = known.spots = _spots_of(gen)
    return spots  # type: ignore[no-any-return]


def _spots_of(gen: Gen[Any]) -> tuple[Path, ...] | None:
    if gen.remark is not None or gen.has_defer or type(gen) not in _STEADY:
        return None
    if whole := whole_places(gen):
        return ((),) * whole if whole <= MOST_SPOTS else None
    own = OWN_PLACES.get(type(gen))
    found: list[Path] = [()] * (own(Trace(None, (), gen)) if own is not None else 0)
    for i, part in enumerate(gen.children):
        below = spots_of(part)
        if below is None or len(found) + len(below) > MOST_SPOTS:
            return None
        found += [(i, *path) for path in below]
    return tuple(found)


# --- annotations about the neighbourhood ----------------------------------------------------------------

#: The dice of the step that a hand-written rule is part of, so that neighbours that it makes roll the same
#: ones.
_dice: ContextVar[Random | None] = ContextVar("everycase_neighbor_dice", default=None)


def without_fresh(trace: Node) -> Node | None:
    """A trace with holes in place of all parts that are always redrawn; None if that is all of it."""
    if trace.gen is not None and trace.gen.remark == FRESH:
        return None
    if isinstance(trace.memory, Opaque):
        return trace  # there are no choices to make it again
    children: list[Node | None] = []
    for child in trace.children:
        # Edited nodes are not marked yet, nor are elements without anything to mark.
        if child is not None and (child._fresh if child._places >= 0 else spots_of(child.gen) is None):
            child = without_fresh(child)
        children.append(child)
    return trace.draft(children)


def _by_hand(node: Node, gen: Gen[Any], step: Step) -> Node:
    """Call a hand-written rule, and find the choices behind its result."""
    rule: HandWritten = gen.remark
    if not (node.clean and (facts(gen).shareable or frozen(node))):
        node = enact(gen, node, step.random)  # the test may have changed the value in place
    token = _dice.set(step.random)
    try:
        result = rule.function(node.value, step.temperature)
    except EverycaseError:
        raise
    except Exception as problem:
        raise InvalidArgument(
            f"the hand-written neighbourhood of {gen!r} raised {type(problem).__name__}: {problem}"
        ) from problem
    finally:
        _dice.reset(token)
    if isinstance(result, Gen):
        result = enact(result, None, step.random, draw_size(step.random)).value
    try:
        return trace_of(gen, result)
    except NotInvertible:
        return Trace.opaque(gen, result)
    except NoSuchValue:
        if rule.anything:
            return Trace.opaque(gen, result)
        raise InvalidArgument(
            f"the hand-written neighbourhood of {gen!r} returned {result!r}, which the generator does not make; "
            "return one of its values, or use gen.targeted(first=, next=), which allows others"
        ) from None


def neighbor_of(gen: Gen[Any], value: Any, temperature: float, seed: int | None) -> Any:
    """Implements ``gen.neighbor(value, temperature, seed)``."""
    require_real("temperature", temperature)
    if not 0 <= temperature <= 1:
        raise InvalidArgument(f"temperature={temperature} must be between 0 and 1")
    require_seed(seed)
    random = _dice.get() if seed is None else None
    if random is None:
        random = stdlib_random.Random(seed).random
    if isinstance(value, Trace):
        with making_values(), own_input(gen):
            start = enact(gen, value, random, draw_size(random))
        return _neighbor_made(gen, start, temperature, random)
    try:
        start = trace_of(gen, value)
    except NotInvertible as problem:
        raise NotInvertible(f"{problem}; give neighbor a trace instead of a value") from None
    return _neighbor_made(gen, start, temperature, random).value


def _neighbor_made(gen: Gen[T], start: Trace[T], temperature: float, random: Random) -> Trace[T]:
    """The first neighbour that no filter discards; the value itself if there seems to be none."""
    misses = 0
    while misses < FILTER_TRIES:
        try:
            with making_values(), own_input(gen):
                return neighbor(start, temperature, random)
        except (Discarded, RecursionError) as problem:
            misses += tries_of(problem)
    return start
