"""From generators to spaces: counting, with one rule per kind of node.

Each rule (see ``count_rules`` and ``size_rules``) is a coroutine that yields a request for the space of a
part and is sent it; the loop in :func:`_count` keeps the stack, so families a thousand parameters deep are
counted without recursion. Results are kept on the generator's node and are published when complete.

A generator has two kinds of space: its sequence (all of its values), and one for each size. The sequence of a
recursive generator is its sizes, one after the other.

If a filter has more values than can be tried, or a flatmap more outer ones, there is no count. There is still
an order, in which such parts are treated as endless: the *uncounted* space (see
:mod:`everycase.enumeration.count_rules`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator
from functools import cache
from typing import Any, NamedTuple

from everycase.choices.time_limit import look
from everycase.enumeration.spaces.base import Space
from everycase.enumeration.spaces.finite import EMPTY
from everycase.enumeration.spaces.sized import Tiered, Tiers
from everycase.errors import GeneratorError, NotCountable
from everycase.gen.base import Gen
from everycase.gen.facts import check_grounded, cycles, facts
from everycase.gen.graph import nodes
from everycase.gen.kinds import Build, List

#: Definitions nested deeper than this without reaching an end are assumed to be endless.
DEPTH_LIMIT = 30_000

#: A request: the sequence of a generator (size None), or its sizes up to one.
Request = tuple[Gen[Any], int | None]
#: A rule may also yield a number, the cost of its next work.
Steps = Generator[Request | int, Any, Any]


class Rules(NamedTuple):
    """The rules of counting, one for each kind of node."""

    #: all values in order
    sequence: dict[type[Any], Callable[[Any], Steps]]
    #: the same if nothing has to be counted
    uncounted: dict[type[Any], Callable[[Any], Steps]]
    #: the values of one size
    sized: dict[type[Any], Callable[[Any, int], Steps]]


@cache
def rules() -> Rules:
    """The tables are in the modules of their rules, which need the functions below, so they are imported on
    first use."""
    from everycase.enumeration.count_rules import SEQUENCE, UNCOUNTED
    from everycase.enumeration.size_rules import SIZED

    return Rules(SEQUENCE, UNCOUNTED, SIZED)


def space_of(gen: Gen[Any], effort: float = math.inf) -> Space:
    """All values of a generator as a space. Raises :class:`NotCountable` if they cannot be counted.

    ``effort`` bounds the number of parts to examine: nested flatmaps have as many as they have values.
    """
    known: Space | None = gen._space
    return known if known is not None else _count((gen, None), effort)


def uncounted_space_of(gen: Gen[Any]) -> Space:
    """All values of a generator in an order, counted or not. Raises :class:`NotCountable` for composites."""
    known: Space | None = gen._space or gen._uncounted
    return known if known is not None else _count((gen, None), uncounted=True)


def tier_of(gen: Gen[Any], size: int) -> Space:
    """The values of exactly this size."""
    return tiers_of(gen, size).spaces[size]


def tiers_of(gen: Gen[Any], size: int) -> Tiers:
    known: Tiers | None = gen._tiers
    if known is not None and len(known.spaces) > size:
        return known
    result: Tiers = _count((gen, size))
    return result


def _count(request: Request, effort: float = math.inf, *, uncounted: bool = False) -> Any:
    """Run the rules. The requests in progress are known, so that a definition that needs itself is
    detected."""
    stack: list[tuple[Request, Steps]] = []
    working: dict[int, int] = {}  # sequences in progress: id of the generator to its place on the stack
    sizing: set[int] = set()  # the same for sizes
    result: Any
    while True:
        look()
        gen, size = request
        result = (
            _known_tiers(gen, size)
            if size is not None
            else gen._space or (gen._uncounted if uncounted else None)
        )
        if result is None:
            if size is None and id(gen) in working:
                round_trip = stack[working[id(gen)] :]
                if not _goes_round(gen, [member for (member, _), _ in round_trip]):
                    result = EMPTY
                else:
                    del stack[working[id(gen)] :]
                    for (member, _), steps in round_trip:
                        steps.close()
                        del working[id(member)]
                    result = gen._space
            else:
                if len(stack) >= DEPTH_LIMIT or (size is not None and id(gen) in sizing):
                    raise _ill_founded(stack[0][0][0])
                effort = _spent(effort, 1, stack)
                if size is None:
                    working[id(gen)] = len(stack)
                else:
                    sizing.add(id(gen))
                if size is None:
                    steps = (rules().uncounted if uncounted else rules().sequence)[type(gen)](gen)
                else:
                    steps = _tiers(gen, size)
                stack.append((request, steps))
        while stack:
            (gen, size), steps = stack[-1]
            try:
                step = steps.send(result)
                while isinstance(step, int):
                    effort = _spent(effort, step, stack)
                    step = steps.send(None)
                request = step
            except StopIteration as finished:
                stack.pop()
                result = finished.value
                if size is None:
                    working.pop(id(gen), None)
                    if uncounted:
                        gen._uncounted = result
                    else:
                        gen._space = result
                else:
                    sizing.discard(id(gen))
                continue
            break
        else:
            return result


def _spent(effort: float, cost: int, stack: list[tuple[Request, Steps]]) -> float:
    if effort < cost:
        raise NotCountable(f"{stack[0][0][0]!r} has too many parts to be counted just to see how many")
    return effort - cost


def _known_tiers(gen: Gen[Any], size: int) -> Tiers | None:
    tiers: Tiers | None = gen._tiers
    return tiers if tiers is not None and len(tiers.spaces) > size else None


def _ill_founded(gen: Gen[Any]) -> GeneratorError:
    return GeneratorError(
        f"{gen!r} cannot be counted: its definition refers to itself (or never ends) without passing "
        "through a constructor, so there are infinitely many values of one size. Wrap the recursive part in "
        "gen.builds, gen.tuples or gen.lists, or let a parameter decrease."
    )


def _goes_round(gen: Gen[Any], round_trip: list[Gen[Any]]) -> bool:
    """What to do about a recursion: everything in it goes by size, whichever part was requested first.

    False if the recursion is only apparent, because it passes through something that has no values.
    """
    loop = facts(gen).loop
    if loop is None:
        # It passes through a flatmap, and only the path that was just taken is known.
        members = round_trip
    else:
        check_grounded(gen)
        if not _is_endless(gen):
            return False
        members = [node for node in list(nodes(gen)) if facts(node).loop == loop]
    for member in members:
        if member._space is None:
            member._space = Tiered(member, tier_of)
    tier_of(gen, 0)  # errors in the recursion show when it is first counted
    return True


def _is_endless(gen: Gen[Any]) -> bool:
    """Whether a recursion is real: a cycle in which no constructor has a part without values."""
    nodes: list[Gen[Any]] = []
    place: dict[int, int] = {}
    pending = [gen]
    edges: list[list[Gen[Any]]] = []
    while pending:
        node = pending.pop()
        if id(node) in place:
            continue
        place[id(node)] = len(nodes)
        nodes.append(node)
        edges.append([child for child in node.children if not _is_empty(child)])
        if (isinstance(node, Build) and _is_empty(node)) or (isinstance(node, List) and node.max_size == 0):
            edges[-1] = []
        pending.extend(edges[-1])
    loops, _ = cycles([[place[id(child)] for child in below] for below in edges])
    return any(loop is not None for loop in loops)


def _is_empty(node: Gen[Any]) -> bool:
    return facts(node).height == math.inf


def _tiers(gen: Gen[Any], size: int) -> Steps:
    """The sizes that are not known yet, in order, each published as soon as it is known: the next size of a
    recursive generator needs those before it."""
    if gen._tiers is None:
        gen._tiers = Tiers()
    tiers: Tiers = gen._tiers
    rule = rules().sized[type(gen)]
    while len(tiers.spaces) <= size:
        n = len(tiers.spaces)
        space = yield from rule(gen, n)
        if n == len(tiers.spaces):
            tiers.add(space)
    return tiers
