"""One value, and spaces one after the other."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, chain
from typing import Any

from everycase.choices.trace import Trace
from everycase.enumeration.spaces.base import Bulk, Part, Ranking, SizeOf, Space
from everycase.errors import NoSuchValue
from everycase.gen.kinds import Const, Union

#: A filter, or a pool of distinct elements, is checked value by value up to this many.
SCAN_LIMIT = 2**16
#: Maximum number of outer values of a flatmap to visit, to count the inner ones or to reach one.
OUTER_LIMIT = 2**18
#: A count with more bits than this is not worth computing.
COUNT_BITS = 2**22
#: Maximum number of positions in the lists of all lengths together, each of which takes memory.
MOST_PLACES = 2**24


class One(Space):
    """The single value of a constant."""

    __slots__ = ("constant", "node")

    def __init__(self, node: Const[Any]) -> None:
        self.count = 1
        self.node = node
        self.constant = constant = node.value
        self.at = lambda i: constant

    def value(self, i: int, parts: list[Any]) -> Any:
        return self.constant

    def record(self, i: int, parts: list[Trace[Any]]) -> Trace[Any]:
        return Trace(None, (), self.node, self.constant)

    def rank(self, trace: Trace[Any], size: SizeOf) -> Ranking:
        return 0
        yield

    def values(self, bulk: Bulk, start: int = 0) -> Iterable[Any]:
        return (self.constant,)

    def _is_shared(self) -> bool:
        return True


class Sum(Space):
    """One after the other. ``options`` are the numbers of the parts in a union; without a ``node`` (the parts
    are sizes or lengths of one generator) the choice is not part of the trace."""

    __slots__ = ("ends", "node", "options", "parts", "starts", "which")

    def __init__(
        self,
        parts: Sequence[Space],
        node: Union[Any] | None = None,
        which: Callable[[Trace[Any], SizeOf], Any] | None = None,
        keys: Sequence[Any] | None = None,
    ) -> None:
        kept = [(k, part) for k, part in enumerate(parts) if part.count]
        self.parts = [part for _, part in kept]
        self.options = [keys[k] if keys is not None else k for k, _ in kept]
        self.ends = list(accumulate(part.count for part in self.parts))
        self.starts = [0, *self.ends[:-1]]
        self.count = self.ends[-1] if self.ends else 0
        self.node = node
        self.which = which
        self.at = in_turn(self.parts, self.ends, self.starts)

    def split(self, i: int) -> Sequence[Part]:
        k = bisect_right(self.ends, i)
        return ((self.parts[k], i - self.starts[k]),)

    def value(self, i: int, parts: list[Any]) -> Any:
        return parts[0]

    def record(self, i: int, parts: list[Trace[Any]]) -> Trace[Any]:
        if self.node is None:
            return parts[0]
        return Trace(self.options[bisect_right(self.ends, i)], (parts[0],), self.node, parts[0].value)

    def rank(self, trace: Trace[Any], size: SizeOf) -> Ranking:
        key = trace.choice if self.which is None else self.which(trace, size)
        try:
            k = self.options.index(key)
        except ValueError:
            raise NoSuchValue("the value belongs to no part that has values") from None
        below = trace if self.node is None else trace.children[0]
        assert below is not None
        inside = yield self.parts[k], below
        return int(self.starts[k]) + inside

    def values(self, bulk: Bulk, start: int = 0) -> Iterable[Any]:
        if start:
            return bulk.in_turn(self.parts.__getitem__, self.ends, start)
        parts = self.parts
        return parts[0].values(bulk) if len(parts) == 1 else chain.from_iterable(map(bulk.stream, parts))

    def recipes(self, bulk: Bulk) -> Iterable[Any]:
        return chain.from_iterable(part.recipes(bulk) for part in self.parts)

    def in_pieces(self, start: int) -> tuple[Iterable[Space], int]:
        k = bisect_right(self.ends, start)
        rest = self.parts[k:]
        return rest, start - self.starts[k] if rest else 0

    def components(self) -> list[Space]:
        return self.parts

    def _is_shared(self) -> bool:
        return all(part.is_shared for part in self.parts)


def in_turn(parts: Sequence[Space], ends: list[int], starts: list[int]) -> Callable[[int], Any]:
    """``at`` of spaces one after the other."""
    ats = [part.at for part in parts]
    if len(ats) == 1:
        return ats[0]

    # What is needed comes as defaults, as in ``spaces.products``.
    def at(i: int, ends: Any = ends, starts: Any = starts, ats: Any = ats) -> Any:
        k = bisect_right(ends, i)
        return ats[k](i - starts[k])

    return at


EMPTY: Space = Sum(())
