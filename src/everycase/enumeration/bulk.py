"""All values of a space in order, fast: the loops run inside :mod:`itertools`, not here.

What a value is made of is made once and put into many values, where that does no harm: the parts of frozen
dataclasses, tuples, enums, numbers and text, and of classes built with ``share=True``. Everything else could be changed
by the test that gets it, so it is made anew for every value, from a *recipe*: a function without arguments.

Memory is bounded. A product goes through its largest part in blocks; only parts of up to 2**16 values are kept as
lists, and all lists of one iteration together hold at most 2**19 values, the oldest giving way.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from itertools import chain, combinations, count, islice, permutations, product, repeat, starmap
from typing import Any

from everycase.enumeration.decode import value_at
from everycase.enumeration.derived import Chosen, Dependent, Mapped
from everycase.enumeration.distinct import Distinct, Groups, Items
from everycase.enumeration.endless import Interleaved, Paired, Unfolding
from everycase.enumeration.leaves import IntOrder
from everycase.enumeration.numbered import Renumbered
from everycase.enumeration.spaces import BLOCK, Leaves, One, Product, Space, Sum
from everycase.enumeration.tiers import Rows, Splits, Tiered
from everycase.gen.kinds import Build, Int

#: Parts of up to this many values are kept as lists.
LIST_LIMIT = 2**16
#: All lists of one iteration hold at most this many values together.
LISTS_LIMIT = 2**19

_IMMUTABLE = frozenset([bool, int, float, complex, str, bytes, type(None), type(...)])

Recipe = Callable[[], Any]


def values(space: Space) -> Iterator[Any]:
    """All values in order."""
    bulk = Bulk(space)
    match space:
        case Renumbered():
            return values(space.space)
        case Tiered():
            tiers = (space.tier(space.node, size) for size in count())
            return chain.from_iterable(_guarded(bulk, tier) for tier in tiers)
        case Sum():
            return chain.from_iterable(_guarded(bulk, part) for part in space.parts)
        case _:
            return iter(_guarded(bulk, space))


def _guarded(bulk: Bulk, space: Space) -> Iterable[Any]:
    """The values of a space in bulk; one by one if they are nested too deep for that."""
    try:
        stream = iter(bulk.fresh(space))
        # Whatever is kept in lists is made for the first value, so this is where it would fail. (Making blocks of
        # values in advance would catch more, and cost twice the time: values that are kept wake the collector.)
        return chain(list(islice(stream, 1)), stream)
    except RecursionError:
        return map(value_at, repeat(space), count() if space.count == math.inf else range(space.count))


class Bulk:
    """One iteration, with the lists it keeps."""

    def __init__(self, whole: Space) -> None:
        self._lists: dict[tuple[int, bool], list[Any]] = {}
        self._held = 0
        self._shareable: dict[int, bool] = {}
        self._passing = _passing_parts(whole)

    # --- what may be shared ----------------------------------------------------------------------------

    def shareable(self, space: Space) -> bool:
        """Whether a value of this space may be a part of many."""
        known = self._shareable.get(id(space))
        if known is None:
            known = self._shareable[id(space)] = self._is_shareable(space)
        return known

    def _is_shareable(self, space: Space) -> bool:
        match space:
            case One() | Leaves():
                return True
            case Product() | Rows() | Paired():
                return (
                    isinstance(space.node, Build)
                    and space.node.share
                    and all(map(self.shareable, _parts(space)))
                )
            case Splits():
                return space.node.share and all(map(self.shareable, space.alternatives()))
            case Mapped() | Renumbered():
                return space.node.share
            case Sum() | Dependent() | Chosen():
                return all(map(self.shareable, _parts(space)))
            case _:
                return False

    # --- values ----------------------------------------------------------------------------------------

    def fresh(self, space: Space) -> Iterable[Any]:
        """All values in order; whatever of them a test could change occurs in no other value."""
        rule = _RULES.get(type(space))
        if rule is not None:
            return rule(self, space)
        return map(space.at, count() if space.count == math.inf else range(space.count))

    def _one(self, space: One) -> Iterable[Any]:
        return (space.constant,)

    def _sum(self, space: Sum) -> Iterable[Any]:
        parts = space.parts
        return self.fresh(parts[0]) if len(parts) == 1 else chain.from_iterable(map(self.stream, parts))

    def _splits(self, space: Splits) -> Iterable[Any]:
        return chain.from_iterable(map(self.fresh, space.alternatives()))

    def _dependent(self, space: Dependent) -> Iterable[Any]:
        return chain.from_iterable(map(self.fresh, space.spaces()))

    def _mapped(self, space: Mapped) -> Iterable[Any]:
        return map(space.f, self.fresh(space.source))

    def _chosen(self, space: Chosen) -> Iterable[Any]:
        return map(space.source.at, space.positions)

    def _renumbered(self, space: Renumbered) -> Iterable[Any]:
        return self.fresh(space.space)

    def _tiered(self, space: Tiered) -> Iterable[Any]:
        return chain.from_iterable(self.fresh(space.tier(space.node, size)) for size in count())

    def _interleaved(self, space: Interleaved) -> Iterable[Any]:
        finite = chain.from_iterable(self.fresh(part) for _, part in space.finite)
        turns = zip(*[self.fresh(part) for _, part in space.endless])
        return chain(finite, chain.from_iterable(turns))

    def _unfolding(self, space: Unfolding) -> Iterable[Any]:
        return map(space.at, _while_any(space))

    def _distinct(self, space: Distinct) -> Iterable[Any]:
        pool, k = space.pool, space.length
        parts = [pool.keys, pool.values] if isinstance(pool, Items) else [pool.element]
        if isinstance(pool, Groups) or not all(p.count <= LIST_LIMIT and self._may_share(p) for p in parts):
            return map(space.at, range(space.count))
        selections: Iterable[Any] = combinations(self.listed(parts[0], False), k)
        if isinstance(pool, Items):
            values = self.listed(parts[1], False)
            # A pair of a key and a value for every combination of values.
            selections = chain.from_iterable(
                map(zip, repeat(keys), product(values, repeat=k)) for keys in selections
            )
            if space.orders > 1:
                selections = map(tuple, selections)
        if space.orders > 1:
            selections = chain.from_iterable(map(permutations, selections))
        return map(list, selections)

    # --- products --------------------------------------------------------------------------------------

    def _product(self, space: Product) -> Iterable[Any]:
        node = space.node
        if not space.block and isinstance(node, Build) and not node.names and self.shareable(space):
            # Most products of a structure are like this: small, and all of it may be shared.
            combinations_of = product(*[self.listed(part, False) for part in space.parts])
            return combinations_of if node.constructs is tuple else starmap(node.make, combinations_of)
        as_tuple = node.make if isinstance(node, Build) and node.constructs is tuple else None
        return self._combined(space, lambda make, parts: _combine(make, parts, is_tuple=make is as_tuple))

    def _combined(self, space: Product, combine: Callable[[Any, list[Any]], Iterable[Any]]) -> Iterable[Any]:
        """Every combination of the parts: ``combine`` makes an iterator from lists of the parts' values."""
        mask = tuple(not self._may_share(part) for part in space.parts)
        make = _assembler(mask, _maker(space)) if any(mask) else _maker(space)
        moving = [k for k, part in enumerate(space.parts) if part.count > 1]
        if len(moving) <= 1:
            # One part alone needs no blocks: it streams by.
            columns: list[Any] = [
                self._items(part, mask[k]) if k in moving else list(self._items(part, mask[k]))
                for k, part in enumerate(space.parts)
            ]
            return combine(make, columns)
        if all(part.count <= LIST_LIMIT for k, part in enumerate(space.parts) if k != space.largest):
            lists = [
                [] if k == space.largest and space.block else self.listed(part, mask[k])
                for k, part in enumerate(space.parts)
            ]
            if not space.block:
                return combine(make, lists)
            return chain.from_iterable(self._blocks(space, mask, make, lists, combine))
        return chain.from_iterable(self._large(space, mask, make, combine))

    def _may_share(self, part: Space) -> bool:
        if self.shareable(part):
            return True
        if isinstance(part, Mapped) and 0 < part.count <= LIST_LIMIT and type(part.at(0)) in _IMMUTABLE:
            # A function of the user's: what it makes is seen when it is made.
            return all(type(value) in _IMMUTABLE for value in self.listed(part, False))
        return False

    def _blocks(
        self, space: Product, mask: tuple[bool, ...], make: Any, lists: list[Any], combine: Any
    ) -> Iterator[Iterable[Any]]:
        largest = space.largest
        stream = iter(self._items(space.parts[largest], mask[largest]))
        while block := list(islice(stream, BLOCK)):
            yield combine(make, [*lists[:largest], block, *lists[largest + 1 :]])

    def _large(
        self, space: Product, mask: tuple[bool, ...], make: Any, combine: Any
    ) -> Iterator[Iterable[Any]]:
        """Also parts other than the largest are too large for a list: they stream by in every block."""
        largest, parts = space.largest, space.parts
        stream = iter(self._items(parts[largest], mask[largest]))
        last_large = max(k for k, part in enumerate(parts) if k != largest and part.count > LIST_LIMIT)

        def columns(k: int, chosen: list[Any], block: list[Any]) -> Iterator[Iterable[Any]]:
            items = block if k == largest else self._items(parts[k], mask[k])
            if k < last_large:
                for item in items:
                    yield from columns(k + 1, [*chosen, [item]], block)
                return
            rest = [
                block if j == largest else self.listed(parts[j], mask[j]) for j in range(k + 1, len(parts))
            ]
            pieces = iter(items)
            while piece := list(islice(pieces, BLOCK)):
                yield combine(make, [*chosen, piece, *rest])

        while block := list(islice(stream, BLOCK)):
            yield from columns(0, [], block)

    def _items(self, space: Space, unshared: bool) -> Iterable[Any]:
        """The values of a part, or recipes for them."""
        if space.count <= LIST_LIMIT and id(space) not in self._passing:
            return self.listed(space, unshared)
        return self.recipes(space) if unshared else self.fresh(space)

    def stream(self, space: Space) -> Iterable[Any]:
        """The values of a space, from a list if there is one already."""
        known = self._lists.get((id(space), False))
        return known if known is not None and self.shareable(space) else self.fresh(space)

    def listed(self, space: Space, unshared: bool) -> list[Any]:
        """The values of a small part, or recipes for them, as a list that is kept for the next time."""
        key = (id(space), unshared)
        known = self._lists.get(key)
        if known is None:
            known = list(self.recipes(space) if unshared else self.fresh(space))
            self._held += len(known)
            while self._held > LISTS_LIMIT and self._lists:
                oldest = next(iter(self._lists))
                self._held -= len(self._lists.pop(oldest))
            self._lists[key] = known
        return known

    # --- recipes ---------------------------------------------------------------------------------------

    def recipes(self, space: Space) -> Iterable[Recipe]:
        """For each value a function that makes it anew."""
        match space:
            case Product():
                return self._combined(
                    space, lambda make, parts: _combine(partial(partial, make), parts, is_tuple=False)
                )
            case Sum():
                return chain.from_iterable(map(self.recipes, space.parts))
            case Splits():
                return chain.from_iterable(map(self.recipes, space.alternatives()))
            case Dependent():
                return chain.from_iterable(map(self.recipes, space.spaces()))
            case Mapped():
                return map(partial, repeat(_apply), repeat(space.f), self.recipes(space.source))
            case Renumbered():
                return self.recipes(space.space)
            case _ if space.count == math.inf:
                return map(partial, repeat(space.at), count())
            case _:
                return map(partial, repeat(space.at), range(space.count))


def _passing_parts(whole: Space) -> set[int]:
    """The ids of parts that are a good piece of the whole and occur in few places: they are made again in each.

    To make a value and let go of it is several times cheaper than to keep it, since the garbage collector looks at
    what is kept again and again.
    """
    least = max(BLOCK, whole.count // 32) if whole.count < math.inf else LIST_LIMIT
    places: dict[int, int] = {}
    pending = [whole]
    while pending:
        for part in _parts(pending.pop()):
            if least < part.count:
                seen = places[id(part)] = places.get(id(part), 0) + 1
                if seen == 1:
                    pending.append(part)
    return {part for part, count in places.items() if count <= 3}


def _parts(space: Any) -> list[Space]:
    match space:
        case Mapped():
            return [space.source]
        case Renumbered():
            return [space.space]
        case Splits():
            return list(space.alternatives())
        case Chosen():
            return [space.source]
        case Dependent():
            return list(space.spaces())
        case Rows():
            return [part for tiers in space.tiers for part in tiers.spaces[: space.room + 1] if part.count]
        case Sum() | Product() | Paired():
            return list(space.parts)
        case _:
            return []


def _maker(space: Product) -> Callable[..., Any]:
    node = space.node
    if not isinstance(node, Build):
        return _as_list
    if not node.names:
        return node.make
    build = node.construct
    return lambda *parts: build(list(parts))


def _as_list(*parts: Any) -> list[Any]:
    return list(parts)


def _apply(f: Callable[[Any], Any], recipe: Recipe) -> Any:
    return f(recipe())


def _combine(make: Callable[..., Any], parts: list[Any], *, is_tuple: bool) -> Iterable[Any]:
    """``make`` of every combination, in natural order."""
    single = [isinstance(part, list) and len(part) == 1 for part in parts]
    if is_tuple:
        if sum(single) == len(parts) - 1:
            return zip(*[repeat(part[0]) if one else part for part, one in zip(parts, single)])
        return product(*parts)
    if parts and sum(single) == len(parts) - 1:
        return starmap(make, zip(*[repeat(part[0]) if one else part for part, one in zip(parts, single)]))
    return starmap(make, product(*parts))


def _assembler(mask: tuple[bool, ...], make: Callable[..., Any]) -> Callable[..., Any]:
    """``make`` of parts, some of which (by ``mask``) are recipes."""
    return partial(_assemble(mask), make)


@lru_cache(maxsize=256)
def _assemble(mask: tuple[bool, ...]) -> Callable[..., Any]:
    # A call that is written out is three times as fast as one that goes through a list of parts.
    names = [f"p{i}" for i in range(len(mask))]
    calls = [f"{name}()" if unshared else name for name, unshared in zip(names, mask)]
    function: Callable[..., Any] = eval(f"lambda make, {', '.join(names)}: make({', '.join(calls)})")
    return function


def _leaves(space: Leaves) -> Iterable[Any]:
    node = space.node
    if isinstance(node, Int):
        order = IntOrder(node)
        low, high = order.start + space.start, order.start - 1 - space.start
        if not order.down:
            return range(low, low + space.count) if space.count < math.inf else count(low)
        if not order.up:
            return range(high, high - space.count, -1) if space.count < math.inf else count(high, -1)
        if order.both == math.inf and space.start % 2 == 0:
            half = space.start // 2
            turns = chain.from_iterable(zip(count(order.start + half), count(order.start - 1 - half, -1)))
            return turns if space.count == math.inf else islice(turns, space.count)
    numbers = count(space.start) if space.count == math.inf else range(space.start, space.start + space.count)
    return map(space.number, numbers)


def _while_any(space: Unfolding) -> Iterator[int]:
    """The numbers of a space of which only trying tells whether it ends."""
    for i in count():
        try:
            space.find(i)
        except IndexError:
            return
        yield i


_RULES: dict[type[Space], Callable[[Bulk, Any], Iterable[Any]]] = {
    One: Bulk._one,
    Leaves: lambda bulk, space: _leaves(space),
    Sum: Bulk._sum,
    Splits: Bulk._splits,
    Dependent: Bulk._dependent,
    Product: Bulk._product,
    Mapped: Bulk._mapped,
    Chosen: Bulk._chosen,
    Distinct: Bulk._distinct,
    Renumbered: Bulk._renumbered,
    Tiered: Bulk._tiered,
    Interleaved: Bulk._interleaved,
    Unfolding: Bulk._unfolding,
}
