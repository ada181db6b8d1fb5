"""An order without a count: filters over more values than can be tried, wherever they occur, and generators
with too many values to compute the count.

Such a filter is treated as endless. So a union takes turns with it, and a product or a list iterates over it
fairly, beside its other parts. If it does end, or seems to, that is an error that says so, because it could
not be known before.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from everycase.choices.trace import Trace
from everycase.enumeration.count_rules import SEQUENCE, dependent, passing
from everycase.enumeration.counting import Steps, tier_of, uncounted_space_of
from everycase.enumeration.spaces.base import Bulk, Ended, Part, Ranking, SizeOf, Space
from everycase.enumeration.spaces.finite import SCAN_LIMIT
from everycase.enumeration.spaces.sieve import Passing, Whole
from everycase.enumeration.spaces.sized import Tiered
from everycase.errors import GeneratorError, NotCountable
from everycase.gen.kinds import Bind, Filter, List
from everycase.gen.reading import total


class Sieve(Space):
    """The values of a filter over many, as a part of something else: found by trying, on demand."""

    __slots__ = ("node", "scan", "source")

    def __init__(self, node: Filter[Any], source: Space) -> None:
        self.node = node
        self.source = source
        self.scan = Passing(node, Whole(source))
        self.count = math.inf
        self.at = lambda i: source.at(self.place(i))

    def place(self, i: int) -> int:
        """The index of value ``i`` before filtering."""
        try:
            return self.scan.place(i)
        except Ended:
            raise self.ended() from None

    def ended(self) -> GeneratorError:
        return GeneratorError(
            f"{self.node!r} has no more values. This was not known until all were tried, but it is part of a generator "
            "that needs to know. Make a list of its values: gen.sampled_from([...])."
        )

    def values(self, bulk: Bulk, start: int = 0) -> Iterable[Any]:
        return super().values(bulk, start) if start else self._tried()

    def _tried(self) -> Iterator[Any]:
        yield from self.scan.values()
        raise self.ended()

    def split(self, i: int) -> Sequence[Part]:
        return ((self.source, self.place(i)),)

    def value(self, i: int, parts: list[Any]) -> Any:
        return parts[0]

    def record(self, i: int, parts: list[Trace[Any]]) -> Trace[Any]:
        return Trace(None, (parts[0],), self.node, parts[0].value)

    def rank(self, trace: Trace[Any], size: SizeOf) -> Ranking:
        below = trace.children[0]
        assert below is not None
        return self.scan.number_of((yield self.source, below))


def _filter(gen: Filter[Any]) -> Steps:
    source = yield gen.source, None
    if source.count <= SCAN_LIMIT:
        return (yield from passing(gen, source))
    return Sieve(gen, source)


def _bind(gen: Bind[Any]) -> Steps:
    return (yield from dependent(gen, uncounted_space_of))


def _list(gen: List[Any]) -> Steps:
    try:
        return (yield from SEQUENCE[List](gen))
    except NotCountable:
        # There are so many lists that their number has millions of digits. They go by size, like endless
        # ones.
        yield gen, 0
        return Tiered(gen, tier_of)


UNCOUNTED: dict[type[Any], Callable[[Any], Steps]] = total(
    "values in order without a count", {**SEQUENCE, Filter: _filter, Bind: _bind, List: _list}
)
