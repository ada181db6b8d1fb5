"""What may go wrong while values are made in bulk: they are nested too deeply, or user code fails."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import chain, compress, count, islice
from typing import TYPE_CHECKING, Any

from everycase.enumeration.bulk.sharing import is_shared
from everycase.enumeration.decode import value_at
from everycase.enumeration.spaces.finite import Ended, Space

if TYPE_CHECKING:
    from everycase.enumeration.bulk.values import Bulk


#: Maximum number of shared values to count.
FEW_SHARED = 2**12


def guarded(bulk: Bulk, space: Space, start: int) -> Iterable[Any]:
    """The values of a space in bulk; one by one if they are nested too deeply for that, or some cannot be
    made."""
    try:
        stream = iter(bulk.after(space, start))
        # All lists are made for the first value, so this is where it would fail. (Making blocks of values in
        # advance would catch more, but take twice the time, because values that are kept trigger the garbage
        # collector.)
        begun = chain(list(islice(stream, 1)), stream)
        if is_shared(space) and space.count > FEW_SHARED:
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


def stopped() -> Exception:
    return RuntimeError("a function that makes values raised StopIteration")


def by_number(space: Space, start: int, stop: float) -> Iterator[Any]:
    """The values from an index on, each made separately."""
    # A generator and not a map, which would end at a StopIteration of user code.
    for i in count(start) if stop == math.inf else range(start, int(stop)):
        try:
            value = value_at(space, i)
        except Ended:
            return
        yield value
