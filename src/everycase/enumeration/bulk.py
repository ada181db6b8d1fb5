"""All values of a space in order, fast, even if something goes wrong.

How each kind of space iterates over its values in bulk is one of its methods
(:mod:`everycase.enumeration.spaces.base`). Here are the cases around that: values that are nested too deeply,
user code that fails, and beginning in the middle. The lists of the last few small spaces are kept for the
next time, because loops are nested and runs come in pieces.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, compress, count, islice
from typing import Any

from everycase.enumeration.decode import value_at
from everycase.enumeration.spaces.base import Bulk, Ended, Space, stopped

#: The lists of spaces of up to this many values are kept, up to a total, for the last few walks.
KEPT_LIMIT = 2**16
MOST_KEPT = 4
#: A space of up to this many values becomes a list from its second walk on, if its values may be shared.
WHOLE_LIMIT = 2**12
#: How many values are made by index before bulk begins in the middle of a sequence.
FEW = 256
#: Maximum number of shared values to count.
FEW_SHARED = 2**12


def values(space: Space, start: int = 0) -> Iterator[Any]:
    """All values in order, from an index on."""
    return chain.from_iterable(_begun(space, start)) if start else _values(space, 0)


def _begun(space: Space, start: int) -> Iterator[Iterable[Any]]:
    # A walk that begins in the middle often needs few values, and then the lists are not worth making.
    few = min(start + FEW, space.count)
    yield by_number(space, start, few)
    yield _values(space, few)


def _values(space: Space, start: int) -> Iterator[Any]:
    space = space.underlying
    if not start and (whole := _whole(space)) is not None:
        return iter(whole)
    pieces = space.in_pieces(start)
    if pieces is None:
        return iter(guarded(_bulk_of(space), space, start))
    return chain.from_iterable(_each_guarded(_bulk_of(space), *pieces))


def _whole(space: Space) -> list[Any] | None:
    """All values of a small space that was walked before."""
    if space.count > WHOLE_LIMIT or (bulk := _kept(space)).is_new:
        return None
    try:
        return bulk.listed(space, False) if space.is_shared and bulk.may_stay(space) else None
    except Exception:  # nested too deeply, or user code fails: the values before that come first
        return None


def _bulk_of(space: Space) -> Bulk:
    if space.count > KEPT_LIMIT:
        return Bulk(space)
    bulk = _kept(space)
    if not bulk.is_new:
        bulk.passing = set()  # streamed parts are worth keeping from now on
    bulk.is_new = False
    return bulk


@lru_cache(maxsize=MOST_KEPT)
def _kept(space: Space) -> Bulk:
    return Bulk(space, KEPT_LIMIT)


def _each_guarded(bulk: Bulk, spaces: Iterable[Space], start: int) -> Iterator[Iterable[Any]]:
    for space in spaces:
        yield guarded(bulk, space, start)
        start = 0


def guarded(bulk: Bulk, space: Space, start: int) -> Iterable[Any]:
    """The values of a space in bulk; one by one if they are nested too deeply for that, or some cannot be
    made."""
    try:
        stream = iter(bulk.after(space, start))
        # All lists are made for the first value, so this is where it would fail. (Making blocks of values in
        # advance would catch more, but take twice the time, because values that are kept trigger the garbage
        # collector.)
        begun = chain(list(islice(stream, 1)), stream)
        if space.is_shared and space.count > FEW_SHARED:
            return begun  # hardly any user code is involved, and counting costs as much as such a value
    except Exception:  # also from user code: the values before the failing one come first
        return by_number(space, start, space.count)
    following = count(start + 1)
    return chain(compress(begun, following), _end(space, following))


def _end(space: Space, following: Iterator[int]) -> Iterator[Any]:
    require_end(space, next(following) - 1)
    yield from ()


def require_end(space: Space, number: int) -> None:
    """Raise if there is a value with this index, although a walk ended there.

    If user code raises StopIteration, itertools assumes that there are no more values.
    """
    if number < space.count:
        try:
            value_at(space, number)
        except Ended:
            return
        except StopIteration as stop:
            raise stopped() from stop
        raise stopped()


def by_number(space: Space, start: int, stop: float) -> Iterator[Any]:
    """The values from an index on, each made separately."""
    # A generator and not a map, which would end at a StopIteration of user code.
    for i in count(start) if stop == math.inf else range(start, int(stop)):
        try:
            value = value_at(space, i)
        except Ended:
            return
        yield value
