"""From generators to spaces: counting, with one rule per kind of node.

Each rule is a coroutine that yields a request for the space of a part and is sent it; the loop in :func:`_count`
keeps the stack, so that families a thousand parameters deep are counted without recursion. Results are kept on the
generator's node and are published whole.

A generator has two kinds of space: its sequence (all of its values), and one for each size. A recursive generator's
sequence is its sizes, one after the other.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator
from functools import partial
from typing import Any

from everycase.enumeration.endless import Interleaved, Paired, Unfolding
from everycase.enumeration.leaves import float_space, float_tier, int_space, int_tier, is_small
from everycase.enumeration.numbered import Numbered, Renumbered, Streamed
from everycase.enumeration.spaces import (
    EMPTY,
    Chosen,
    Dependent,
    Mapped,
    One,
    Product,
    SizeOf,
    Space,
    Sum,
)
from everycase.enumeration.tiers import ListTable, ListTier, Rows, Splits, Tiered, Tiers, ways_table
from everycase.errors import GeneratorError, NotCountable
from everycase.gen.base import Gen
from everycase.gen.dependent import Stream
from everycase.gen.facts import check_grounded, children, cycles, facts
from everycase.gen.kinds import (
    Bind,
    Build,
    Composite,
    Const,
    Defer,
    Filter,
    Float,
    Int,
    List,
    Live,
    Map,
    Union,
)

#: A filter, or the outer part of a flatmap, is gone through value by value up to this many.
SCAN_LIMIT = 2**16
#: Which of more values than this pass a filter is found by pruning, where that is possible.
PRUNE_FROM = 256
#: A count of more bits than this is not worth working out.
COUNT_BITS = 2**22
#: Definitions nested deeper than this without reaching an end are taken to have none.
DEPTH_LIMIT = 30_000

#: A request: the sequence of a generator (size None), or its sizes up to one.
Request = tuple[Gen[Any], int | None]
Steps = Generator[Request, Any, Any]


def space_of(gen: Gen[Any], effort: float = math.inf) -> Space:
    """All values of a generator as a space. Raises :class:`NotCountable` where there is no counting them.

    ``effort`` bounds the number of parts that may be looked at: nested flatmaps have as many as they have values.
    """
    known: Space | None = gen._space
    return known if known is not None else _count((gen, None), effort)


def tier_of(gen: Gen[Any], size: int) -> Space:
    """The values of exactly this size."""
    return tiers_of(gen, size).spaces[size]


def tiers_of(gen: Gen[Any], size: int) -> Tiers:
    known: Tiers | None = gen._tiers
    if known is not None and len(known.spaces) > size:
        return known
    result: Tiers = _count((gen, size))
    return result


def _count(request: Request, effort: float = math.inf) -> Any:
    """Run the rules. What is in progress is known, so that a definition that needs itself is found out."""
    stack: list[tuple[Request, Steps]] = []
    working: dict[int, int] = {}  # sequences in progress: id of the generator to its place on the stack
    sizing: set[int] = set()  # the same for sizes
    result: Any
    while True:
        gen, size = request
        result = gen._space if size is None else _known_tiers(gen, size)
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
                effort -= 1
                if effort < 0:
                    raise NotCountable(
                        f"{stack[0][0][0]!r} has too many parts to be counted just to see how many"
                    )
                if size is None:
                    working[id(gen)] = len(stack)
                else:
                    sizing.add(id(gen))
                stack.append((request, _rule(gen, size)))
        while stack:
            (gen, size), steps = stack[-1]
            try:
                request = steps.send(result)
            except StopIteration as finished:
                stack.pop()
                result = finished.value
                if size is None:
                    working.pop(id(gen), None)
                    gen._space = result
                else:
                    sizing.discard(id(gen))
                continue
            break
        else:
            return result


def _known_tiers(gen: Gen[Any], size: int) -> Tiers | None:
    tiers: Tiers | None = gen._tiers
    return tiers if tiers is not None and len(tiers.spaces) > size else None


def _ill_founded(gen: Gen[Any]) -> GeneratorError:
    return GeneratorError(
        f"{gen!r} cannot be counted: its definition comes back to itself (or goes on for ever) without passing "
        "through a constructor, so there are infinitely many values of one size. Wrap the recursive part in "
        "gen.builds, gen.tuples or gen.lists, or let a parameter decrease."
    )


def _rule(gen: Gen[Any], size: int | None) -> Steps:
    return SEQUENCE[type(gen)](gen) if size is None else _tiers(gen, size)


def _goes_round(gen: Gen[Any], round_trip: list[Gen[Any]]) -> bool:
    """What to do about a recursion: everything on it goes by size, whoever is asked first.

    False if the recursion is only apparent, since it passes through something that has no values.
    """
    loop = facts(gen).loop
    if loop is None:
        # It passes through a flatmap, and all that is known of it is the way round that was just taken.
        members = round_trip
    else:
        check_grounded(gen)
        if not _is_endless(gen):
            return False
        members = [node for node in _reachable(gen) if facts(node).loop == loop]
    for member in members:
        if member._space is None:
            member._space = Tiered(member, tier_of)
    tier_of(gen, 0)  # mistakes in the recursion show when it is first counted
    return True


def _reachable(gen: Gen[Any]) -> list[Gen[Any]]:
    found: dict[int, Gen[Any]] = {}
    pending = [gen]
    while pending:
        node = pending.pop()
        if id(node) not in found:
            found[id(node)] = node
            pending.extend(children(node))
    return list(found.values())


def _is_endless(gen: Gen[Any]) -> bool:
    """Whether a recursion can really go round: a cycle none of whose constructors has a part without values."""
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
        edges.append([child for child in children(node) if not _is_empty(child)])
        if (isinstance(node, Build) and _is_empty(node)) or (isinstance(node, List) and node.max_size == 0):
            edges[-1] = []
        pending.extend(edges[-1])
    loops, _ = cycles([[place[id(child)] for child in below] for below in edges])
    return any(loop is not None for loop in loops)


def _is_empty(node: Gen[Any]) -> bool:
    return facts(node).height == math.inf


# --- sequences ------------------------------------------------------------------------------------------


def _const(gen: Const[Any]) -> Steps:
    return One(gen)
    yield


def _int(gen: Int) -> Steps:
    return int_space(gen)
    yield


def _float(gen: Float) -> Steps:
    return float_space(gen)
    yield


def _union(gen: Union[Any]) -> Steps:
    parts = []
    for option in gen.options:
        parts.append((yield option, None))
    if any(part.count == math.inf for part in parts):
        return Interleaved(parts, gen)
    return Sum(parts, gen)


def _build(gen: Build[Any]) -> Steps:
    parts = []
    for part in gen.parts:
        space = part._space or (yield part, None)
        if not space.count:
            return EMPTY
        parts.append(space)
    if any(part.count == math.inf for part in parts):
        return Paired(gen, parts)
    return Product(gen, parts)


def _list(gen: List[Any]) -> Steps:
    if gen.unique_by is not None:
        raise NotCountable(
            f"{gen!r} cannot be counted: its elements must be distinct, so they are not independent"
        )
    element = (yield gen.element, None) if gen.max_size != 0 else EMPTY
    if not element.count:
        return Product(gen, ()) if gen.min_size == 0 else EMPTY
    if element.count == math.inf or gen.max_size is None:
        yield gen, 0
        return Tiered(gen, tier_of)
    if gen.max_size * math.log2(element.count + 1) > COUNT_BITS:
        raise NotCountable(f"{gen!r} has too many values to be worth counting; lower max_size")
    lengths = range(gen.min_size, gen.max_size + 1)
    return Sum([Product(gen, (element,) * n) for n in lengths], which=_length, keys=lengths)


def _length(trace: Any, size: SizeOf) -> int:
    return len(trace.children)


def _map(gen: Map[Any]) -> Steps:
    if isinstance(gen.f, Numbered):
        return Renumbered(gen, gen.f.space)
    if isinstance(gen.f, Stream):
        return Streamed(gen, gen.f)
    return Mapped(gen, (yield gen.source, None))


def _filter(gen: Filter[Any]) -> Steps:
    return _scan(gen, (yield gen.source, None))


def _scan(gen: Filter[Any], source: Space) -> Space:
    """The numbers of the values that pass, by trying all of them."""
    if source.count > SCAN_LIMIT:
        raise NotCountable(
            f"{gen!r} cannot be counted: it filters more than {SCAN_LIMIT} values, and which of them pass is known "
            "only by trying. Build valid values, or iterate over it, which tries them one by one."
        )
    predicate = gen.predicate
    return Chosen(gen, source, [i for i in range(source.count) if predicate(source.at(i))])


def _bind(gen: Bind[Any]) -> Steps:
    source = yield gen.source, None
    alternatives: list[tuple[int, Any, tuple[Gen[Any], Space] | None]] = []
    if source.count <= SCAN_LIMIT:
        for i in range(source.count):
            inner = gen.inner(source.at(i))
            count = _ready_count(inner)
            if count is None:
                space = yield inner, None
                alternatives.append((i, space.count, (inner, space)))
            elif count:
                alternatives.append((i, count, None))
        if all(count < math.inf for _, count, _ in alternatives):
            return Dependent(gen, source, alternatives, lambda outer: _with_space(gen.inner(outer)))
    elif source.count < math.inf:
        raise NotCountable(
            f"{gen!r} cannot be counted: its inner generator depends on one of more than {SCAN_LIMIT} outer values"
        )
    return Unfolding(gen, source, lambda outer: _with_space(gen.inner(outer)))


def _ready_count(gen: Gen[Any]) -> Any:
    """How many values a generator has, if that takes no more than a look at parts that are counted already.

    Most of what a family refers to has been counted before, or is empty because of one part that is.
    """
    if gen._space is not None:
        return gen._space.count
    if isinstance(gen, Const):
        return 1
    if not isinstance(gen, Build):
        return None
    count: Any = 1
    for part in gen.parts:
        below = _ready_count(part)
        if below == 0:
            return 0
        count = None if count is None or below is None else count * below
    return count


def _with_space(gen: Gen[Any]) -> tuple[Gen[Any], Space]:
    return gen, space_of(gen)


def _defer(gen: Defer[Any]) -> Steps:
    return (yield gen.target, None)


def _not_countable(gen: Gen[Any]) -> Steps:
    what = {Composite: "a composite's choices are known only by running it", Live: "the test itself draws"}
    why = what.get(type(gen), "it does not count its values")
    raise NotCountable(
        f"{gen!r} cannot be counted: {why}. Use flatmap or gen.dependent to describe the values, or "
        "everycase.enumeration.walk to go through all choices."
    )
    yield


SEQUENCE: dict[type[Any], Callable[[Any], Steps]] = {
    Const: _const,
    Int: _int,
    Float: _float,
    Union: _union,
    Build: _build,
    List: _list,
    Map: _map,
    Filter: _filter,
    Bind: _bind,
    Defer: _defer,
    Composite: _not_countable,
    Live: _not_countable,
}


# --- sizes ----------------------------------------------------------------------------------------------


def _tiers(gen: Gen[Any], size: int) -> Steps:
    """The sizes that are not known yet, in order, each published as soon as it is known: the next one of a
    recursive generator needs those before it."""
    if gen._tiers is None:
        gen._tiers = Tiers()
    tiers: Tiers = gen._tiers
    rule = TIER[type(gen)]
    while len(tiers.spaces) <= size:
        n = len(tiers.spaces)
        space = yield from rule(gen, n)
        if n == len(tiers.spaces):
            tiers.add(space)
    return tiers


def _const_tier(gen: Const[Any], n: int) -> Steps:
    return One(gen) if n == 0 else EMPTY
    yield


def _int_tier(gen: Int, n: int) -> Steps:
    return int_tier(gen, n)
    yield


def _float_tier(gen: Float, n: int) -> Steps:
    return float_tier(gen, n)
    yield


def _union_tier(gen: Union[Any], n: int) -> Steps:
    parts = []
    for option in gen.options:
        parts.append((yield option, n).spaces[n])
    return Sum(parts, gen)


def has_sizes(gen: Gen[Any]) -> bool:
    """Whether the values of a generator may differ in size (False where all of them cost nothing)."""
    pending = [gen]
    while pending:
        node = pending.pop()
        if isinstance(node, Union | Map | Filter):
            pending.extend(children(node))
        elif not (isinstance(node, Const) or (isinstance(node, Int) and is_small(node))):
            return True
    return False


def _build_tier(gen: Build[Any], n: int) -> Steps:
    if n == 0:
        return EMPTY
    room = n - 1
    fixed: list[Space | None] = []
    sized: list[tuple[int, Tiers]] = []
    every: list[Tiers] = []
    for place, part in enumerate(gen.parts):
        tiers = yield part, room
        every.append(tiers)
        if has_sizes(part):
            fixed.append(None)
            sized.append((place, tiers))
        else:
            fixed.append(tiers.spaces[0])
    if any(space is not None and not space.count for space in fixed):
        return EMPTY
    match sized:
        case []:
            return Product(gen, fixed) if room == 0 else EMPTY  # type: ignore[arg-type]
        case [(place, tiers)]:
            fixed[place] = tiers.spaces[room]
            return Product(gen, fixed) if fixed[place].count else EMPTY  # type: ignore[arg-type, union-attr]
        case [(first, left), (second, right)]:
            return Splits(gen, fixed, (first, second), (left, right), room)
        case _:
            if gen._tiers.table is None:
                gen._tiers.table = ways_table(every)
            return Rows(gen, every, gen._tiers.table, room)


def _list_tier(gen: List[Any], n: int) -> Steps:
    if gen.unique_by is not None:
        raise NotCountable(
            f"{gen!r} cannot be counted: its elements must be distinct, so they are not independent"
        )
    if n == 0:
        return Product(gen, ()) if gen.min_size == 0 else EMPTY
    if gen.max_size == 0:
        return EMPTY
    element = yield gen.element, n - 1
    if gen._tiers.table is None:
        gen._tiers.table = ListTable(gen, element)
    return ListTier(gen._tiers.table, n)


def _map_tier(gen: Map[Any], n: int) -> Steps:
    source = (yield gen.source, n).spaces[n]
    return Mapped(gen, source) if source.count else EMPTY


def _filter_tier(gen: Filter[Any], n: int) -> Steps:
    source = (yield gen.source, n).spaces[n]
    if source.count > PRUNE_FROM:
        # The one place where this room uses another technique: imported when it is needed.
        from everycase.narrow.numbering import passing_numbers

        numbers = passing_numbers(gen, source, n, SCAN_LIMIT)
        if numbers is not None:
            return Chosen(gen, source, numbers)
    return _scan(gen, source)


def _bind_tier(gen: Bind[Any], n: int) -> Steps:
    parts = []
    for outer_size in range(n + 1):
        source = (yield gen.source, outer_size).spaces[outer_size]
        if source.count > SCAN_LIMIT:
            raise NotCountable(
                f"{gen!r} cannot be counted: its inner generator depends on one of more than {SCAN_LIMIT} outer "
                "values"
            )
        alternatives = []
        room = n - outer_size
        for i in range(source.count):
            inner = gen.inner(source.at(i))
            space = (yield inner, room).spaces[room]
            alternatives.append((i, space.count, (inner, space)))
        parts.append(Dependent(gen, source, alternatives, partial(_with_tier, gen, room)))
    return Sum(parts, which=_outer_size)


def _with_tier(gen: Bind[Any], size: int, outer: Any) -> tuple[Gen[Any], Space]:
    inner = gen.inner(outer)
    return inner, tier_of(inner, size)


def _outer_size(trace: Any, size: SizeOf) -> int:
    return size(trace.children[0])


def _defer_tier(gen: Defer[Any], n: int) -> Steps:
    return (yield gen.target, n).spaces[n]


def _no_tier(gen: Gen[Any], n: int) -> Steps:
    return (yield from _not_countable(gen))


TIER: dict[type[Any], Callable[[Any, int], Steps]] = {
    Const: _const_tier,
    Int: _int_tier,
    Float: _float_tier,
    Union: _union_tier,
    Build: _build_tier,
    List: _list_tier,
    Map: _map_tier,
    Filter: _filter_tier,
    Bind: _bind_tier,
    Defer: _defer_tier,
    Composite: _no_tier,
    Live: _no_tier,
}
