"""The rule of each kind of node for its values of one size (see :mod:`everycase.enumeration.counting`)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from math import factorial, prod
from typing import Any

from everycase.enumeration.count_rules import not_countable, passing
from everycase.enumeration.counting import Steps, tier_of
from everycase.enumeration.distinctness import pool_of, shows_difference
from everycase.enumeration.series import NoEquation, Quotient, Series, solve
from everycase.enumeration.spaces.base import SizeOf, Space
from everycase.enumeration.spaces.dependent import Chosen, Dependent, Mapped
from everycase.enumeration.spaces.distinct import (
    Distinct,
    DistinctTable,
    DistinctTier,
    Groups,
    Items,
    item_of,
)
from everycase.enumeration.spaces.finite import EMPTY, SCAN_LIMIT, One, Sum
from everycase.enumeration.spaces.leaves import float_tier, int_tier
from everycase.enumeration.spaces.products import Product
from everycase.enumeration.spaces.rows import ListTable, ListTier, Rows, ways_table
from everycase.enumeration.spaces.sized import Splits, Tiers
from everycase.errors import NotCountable
from everycase.gen.base import Gen
from everycase.gen.collections import itself
from everycase.gen.facts import facts
from everycase.gen.graph import nodes
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
from everycase.gen.reading import total
from everycase.sizes.numbers import is_small

#: Sizes from which on it is worthwhile to look for a recurrence.
RECURRENCE_FROM = 64
#: Larger definitions hardly ever have a short equation.
MOST_NODES = 200
#: Says that there is no recurrence.
NO_SERIES: Any = object()
#: If there are more values than this, pruning finds out which pass a filter, if that is possible.
PRUNE_FROM = 1024


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
    """Whether the values of a generator may differ in size (False if all of them cost nothing)."""
    pending = [gen]
    while pending:
        node = pending.pop()
        if isinstance(node, Union | Map | Filter):
            pending.extend(node.children)
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
            return Splits(gen, fixed, (first, second), (left, right), room, _by_recurrence(gen, n))
        case _:
            if gen._tiers.table is None:
                gen._tiers.table = ways_table(every)
            return Rows(gen, every, gen._tiers.table, room)


def _by_recurrence(gen: Build[Any] | List[Any], n: int) -> int | None:
    """How many values there are of a large size, if a recurrence says so."""
    if n < RECURRENCE_FROM:
        return None
    if gen._tiers.series is None:
        gen._tiers.series = series_of(gen, gen._tiers.counts) or NO_SERIES
    return None if gen._tiers.series is NO_SERIES else gen._tiers.series[n]


def _list_tier(gen: List[Any], n: int) -> Steps:
    if n == 0:
        return Product(gen, ()) if gen.min_size == 0 else EMPTY
    if gen.max_size == 0:
        return EMPTY
    if gen.unique_by is not None:
        return (yield from _unique_list_tier(gen, n))
    element = yield gen.element, n - 1
    if gen._tiers.table is None:
        gen._tiers.table = ListTable(gen, element)
    return ListTier(gen._tiers.table, n, _by_recurrence(gen, n))


def _unique_list_tier(gen: List[Any], n: int) -> Steps:
    if gen._tiers.table is None:
        gen._tiers.table = yield from _distinct_table(gen, n)
    table = gen._tiers.table
    if isinstance(table, DistinctTable):
        for part in (gen.element,) if table.item is None else table.item.parts:
            yield part, n - 1
        return DistinctTier(table, n)
    # All elements have the same size, so the size determines the length.
    pool, own = table
    length, rest = divmod(n, own + 1)
    longest = pool.places if gen.max_size is None else min(gen.max_size, pool.places)
    if rest or not gen.min_size <= length <= longest:
        return EMPTY
    return Distinct(gen, pool, length, pool.ways(length), 1 if gen.unordered else factorial(length))


def _distinct_table(gen: List[Any], n: int) -> Steps:
    """What the sizes of a list of distinct elements have in common."""
    item = item_of(gen)
    if item is not None and not shows_difference(item.parts[0]):
        pool = yield from pool_of(gen)
        item = item if isinstance(pool, Items) else None
    elif item is None and not (gen.unique_by is itself and shows_difference(gen.element)):
        pool = yield from pool_of(gen)
    else:
        pool = None
    if isinstance(pool, Groups):
        own = 0
        while not (tiers := (yield gen.element, own)).counts[own]:
            own += 1
        if tiers.counts[own] == pool.element.count:
            return pool, own
        raise NotCountable(
            f"{gen!r} cannot be counted by size: some of its elements have the same key, and they differ in size"
        )
    if item is None:
        return DistinctTable(gen, (yield gen.element, n - 1), None)
    keys, values = item.parts
    return DistinctTable(gen, (yield keys, n - 1), (yield values, n - 1))


def _map_tier(gen: Map[Any], n: int) -> Steps:
    source = (yield gen.source, n).spaces[n]
    return Mapped(gen, source) if source.count else EMPTY


def _filter_tier(gen: Filter[Any], n: int) -> Steps:
    source = (yield gen.source, n).spaces[n]
    if source.count > PRUNE_FROM:
        # The one place where this package uses another technique; it is imported on demand.
        from everycase.enumeration.pruned import passing_indices

        # Filters below this one are part of the same search, which indexes the values below all of them.
        below, layers = source, []
        while isinstance(below, Chosen):
            layers.append(below.positions)
            below = below.source
        indices = passing_indices(gen, below, n, SCAN_LIMIT)
        if indices is not None:
            for positions in reversed(layers):
                indices = [bisect_left(positions, index) for index in indices]
            return Chosen(gen, source, indices)
    return (yield from passing(gen, source))


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
    return (yield from not_countable(gen))


SIZED: dict[type[Any], Callable[[Any, int], Steps]] = total(
    "the values of one size",
    {
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
    },
)


# --- equations for a whole recursion (see :mod:`everycase.enumeration.series`) ---------------------------------

X = Quotient([[0, 1]])
Read = Callable[[Gen[Any]], Quotient]


def _sum_equation(gen: Union[Any], read: Read) -> Quotient:
    return sum(map(read, gen.options), Quotient([[]]))


def _product_equation(gen: Build[Any], read: Read) -> Quotient:
    return prod(map(read, gen.parts), start=X)


def _list_equation(gen: List[Any], read: Read) -> Quotient:
    if gen.min_size or gen.max_size is not None or gen.unique_by is not None:
        raise NoEquation
    return (X * read(gen.element)).repeated()


def _int_equation(gen: Int, read: Read) -> Quotient:
    if gen.lo is None or gen.hi is None:
        sides = int(int_tier(gen, 0).count)  # each of them doubles from size to size
        return Quotient([[sides, -sides]], [[1, -2]])
    return _finite_equation(gen, int_tier)


def _finite_equation(gen: Any, tier: Callable[[Any, int], Space]) -> Quotient:
    numbers: list[int] = []
    while number := int(tier(gen, len(numbers)).count):
        numbers.append(number)
    return Quotient([numbers])


def _no_equation(gen: Gen[Any], read: Read) -> Quotient:
    raise NoEquation


EQUATIONS: dict[type[Any], Callable[[Any, Read], Quotient]] = total(
    "the numbers of values as a series",
    {
        Const: lambda gen, read: Quotient([[1]]),
        Int: _int_equation,
        Float: lambda gen, read: _finite_equation(gen, float_tier),
        Union: _sum_equation,
        Build: _product_equation,
        List: _list_equation,
        Map: lambda gen, read: read(gen.source),
        Defer: lambda gen, read: read(gen.target),
        Filter: _no_equation,
        Bind: _no_equation,
        Composite: _no_equation,
        Live: _no_equation,
    },
)


class _Cut:
    """The generators of a recursion as quotients of polynomials in x and T, the generator at which it is cut."""

    def __init__(self, at: Gen[Any]) -> None:
        self.at = at
        self.known: dict[int, Quotient] = {id(at): Quotient([[], [1]])}
        self.open: set[int] = set()

    def read(self, gen: Gen[Any]) -> Quotient:
        known = self.known.get(id(gen))
        if known is None:
            if id(gen) in self.open:
                raise NoEquation  # another recursion, or a way round that does not pass through the cut
            self.open.add(id(gen))
            known = self.known[id(gen)] = self.definition(gen)
        return known

    def definition(self, gen: Gen[Any]) -> Quotient:
        return EQUATIONS[type(gen)](gen, self.read)


def series_of(gen: Gen[Any], counts: Sequence[int]) -> Series | None:
    """The numbers of values of a generator on a recursion, if that has an equation of degree two at most.

    ``counts`` are the first numbers, counted by sums. The results here have to agree with them.
    """
    loop = facts(gen).loop
    members = list(islice(nodes(gen), MOST_NODES + 1))
    if loop is None or len(members) > MOST_NODES:
        return None
    for member in members:
        if facts(member).loop == loop and member._tiers is not None:
            cut = _Cut(member)
            try:
                series = solve(cut.definition(member), member._tiers.counts[0], cut.read(gen))
                if [series[size] for size in range(len(counts))] == list(counts):
                    return series
            except NoEquation:
                continue
    return None
