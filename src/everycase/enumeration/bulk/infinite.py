"""Products with infinite parts in bulk, in the order of :func:`everycase.enumeration.spaces.endless.unpair`.

They widen like cubes: whenever the parts reach one value further, the new values are a few plain products.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, count, islice, product, repeat, starmap
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from everycase.enumeration.bulk.products import maker, tails
from everycase.enumeration.bulk.sharing import LIST_LIMIT
from everycase.enumeration.spaces.endless import Paired, unpair

if TYPE_CHECKING:
    from everycase.enumeration.bulk.values import Bulk


def widening(bulk: Bulk, space: Paired, start: int = 0) -> Iterable[Any]:
    """All values of a product with infinite parts, from an index on."""
    too_large = any(space.parts[k].count > LIST_LIMIT for k in space.finite)
    too_far = start and len(space.endless) > 1 and max(space.digits(start)) > LIST_LIMIT
    if too_large or too_far or not all(map(bulk.may_share, space.parts)):
        return map(space.at, count(start))
    combinations: Iterable[Any] = chain.from_iterable(_combinations(bulk, space, start))
    # The finite parts change fastest, wherever they are.
    order = [*space.endless, *space.finite]
    if order != sorted(order):
        combinations = map(itemgetter(*map(order.index, range(len(order)))), combinations)
    node = space.node
    return combinations if node.constructs is tuple else starmap(maker(node), combinations)


def _combinations(bulk: Bulk, space: Paired, start: int) -> Iterator[Iterable[Any]]:
    finite = [bulk.listed(space.parts[k], False) for k in space.finite]
    if len(space.endless) == 1:
        yield from _in_one_direction(bulk, space, finite, start)
        return
    streams = [iter(bulk.fresh(space.parts[k])) for k in space.endless]
    cube = len(streams)
    digits = unpair(start // space.radix, cube)
    side = max(digits)
    face = digits.index(side)
    # The values so far of each infinite part, and the newest one of each.
    reached = [list(islice(stream, side)) for stream in streams]
    begun: list[int] | None = None
    if start:
        digits[face] = 0
        begun = digits + [number for k, number in enumerate(space.digits(start)) if k in space.finite]
    while True:
        newest = [list(islice(stream, 1)) for stream in streams]
        wider = [[*values, *value] for values, value in zip(reached, newest)]
        while face < cube:
            columns = [*reached[:face], newest[face], *wider[face + 1 :], *finite]
            if begun is None:
                yield product(*columns)
            else:
                yield from starmap(product, tails(columns, begun))
                begun = None
            face += 1
        face = 0
        reached = wider


def _in_one_direction(
    bulk: Bulk, space: Paired, finite: list[list[Any]], start: int
) -> Iterator[Iterable[Any]]:
    """A single infinite part: nothing needs to be kept."""
    number, start = divmod(start, space.radix)
    stream = bulk.after(space.parts[space.endless[0]], number)
    if space.radix == 1:
        yield zip(stream, *[repeat(values[0]) for values in finite])
        return
    for value in stream:
        combinations = product([value], *finite)
        yield islice(combinations, start, None) if start else combinations
        start = 0
