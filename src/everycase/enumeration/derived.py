"""Spaces made of another one: a function of its values, those that pass a filter, and values that depend on it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import Any

from everycase.choices.trace import Trace
from everycase.enumeration.spaces import One, Part, Product, Ranking, SizeOf, Space
from everycase.errors import NoSuchValue
from everycase.gen.base import Gen
from everycase.gen.dependent import ChainStep
from everycase.gen.kinds import Bind, Filter, Map


class Mapped(Space):
    """A function of every value."""

    __slots__ = ("f", "node", "source")

    def __init__(self, node: Map[Any], source: Space) -> None:
        self.node = node
        self.f = f = node.f
        self.source = source
        self.count = source.count
        self.at = apply(f, source)

    def split(self, i: int) -> Sequence[Part]:
        return ((self.source, i),)

    def value(self, i: int, parts: list[Any]) -> Any:
        return self.f(parts[0])

    def record(self, i: int, parts: list[Trace[Any]]) -> Trace[Any]:
        return Trace(None, (parts[0],), self.node, self.f(parts[0].value))

    def rank(self, trace: Trace[Any], size: SizeOf) -> Ranking:
        below = trace.children[0]
        assert below is not None
        return (yield self.source, below)


class Chosen(Space):
    """The values of a small space that satisfy a predicate: their numbers there are kept."""

    __slots__ = ("node", "positions", "source")

    def __init__(self, node: Filter[Any], source: Space, positions: list[int]) -> None:
        self.node = node
        self.source = source
        self.positions = positions
        self.count = len(positions)
        inner = source.at
        self.at = lambda i: inner(positions[i])

    def split(self, i: int) -> Sequence[Part]:
        return ((self.source, self.positions[i]),)

    def value(self, i: int, parts: list[Any]) -> Any:
        return parts[0]

    def record(self, i: int, parts: list[Trace[Any]]) -> Trace[Any]:
        return Trace(None, (parts[0],), self.node, parts[0].value)

    def rank(self, trace: Trace[Any], size: SizeOf) -> Ranking:
        below = trace.children[0]
        assert below is not None
        place = yield self.source, below
        k = bisect_right(self.positions, place) - 1
        if k < 0 or self.positions[k] != place:
            raise NoSuchValue("the predicate rejects this value")
        return k


#: The generator that belongs to an outer value, and its space.
Inner = tuple[Gen[Any], Space]


class Dependent(Space):
    """Values that depend on an outer one, a finite number of them for each: one outer value after the other.

    ``alternatives`` are the numbers of the outer values, with how many values belong to each, and with these unless
    they are easily made again: a family counts more members than anybody will ever look at.
    """

    __slots__ = ("ends", "inner_of", "inners", "node", "outers", "source")

    def __init__(
        self,
        node: Bind[Any],
        source: Space,
        alternatives: Sequence[tuple[int, int, Inner | None]],
        inner_of: Callable[[Any], Inner],
    ) -> None:
        self.node = node
        self.source = source
        self.inner_of = inner_of
        self.outers = [outer for outer, count, _ in alternatives if count]
        self.inners = [inner for _, count, inner in alternatives if count]
        self.ends = list(accumulate(count for _, count, _ in alternatives if count))
        self.count = self.ends[-1] if self.ends else 0
        self.at = apply(None, self)

    def inner(self, k: int) -> Inner:
        """The generator and the space of the k-th outer value that has any values."""
        known = self.inners[k]
        if known is None:
            known = self.inners[k] = self.inner_of(self.source.at(self.outers[k]))
        return known

    def spaces(self) -> Iterator[Space]:
        """All of them, in order."""
        return (self.inner(k)[1] for k in range(len(self.inners)))

    def split(self, i: int) -> Sequence[Part]:
        k = bisect_right(self.ends, i)
        return (self.source, self.outers[k]), (self.inner(k)[1], i - self.ends[k - 1] if k else i)

    def value(self, i: int, parts: list[Any]) -> Any:
        return parts[1]

    def record(self, i: int, parts: list[Trace[Any]]) -> Trace[Any]:
        outer, inner = parts
        memory = (outer, self.inner(bisect_right(self.ends, i))[0])
        return Trace(None, (outer, inner), self.node, inner.value, memory=memory)

    def rank(self, trace: Trace[Any], size: SizeOf) -> Ranking:
        outer, inner = trace.children
        assert outer is not None and inner is not None
        number = yield self.source, outer
        k = bisect_left(self.outers, number)
        if k == len(self.outers) or self.outers[k] != number:
            raise NoSuchValue("no value belongs to this outer one")
        inside = yield self.inner(k)[1], inner
        return (self.ends[k - 1] if k else 0) + inside


def apply(f: Callable[[Any], Any] | None, space: Space) -> Callable[[int], Any]:
    """``at`` of a function of a space (or of the space alone), in one step for the pairs that ``chain`` makes."""
    if not isinstance(space, Dependent):
        assert f is not None
        inner = space.at
        return lambda i: f(inner(i))
    ends = space.ends
    # For each outer value, once it is asked for: what decodes its values. Of pairs that is the second part; the
    # first is the same in all of them.
    ats: list[Callable[[int], Any] | None] = [None] * len(ends)
    constants: list[Any] = ats.copy()

    def find(k: int) -> Callable[[int], Any]:
        found = space.inner(k)[1]
        if in_pairs:
            assert isinstance(found, Product) and isinstance(found.parts[0], One)
            constants[k] = found.parts[0].constant
            found = found.parts[1]
        ats[k] = found.at  # after the constant: another thread may be reading
        return found.at

    in_pairs = isinstance(space.node.f, ChainStep)
    if not in_pairs:

        def plain_at(i: int) -> Any:
            k = bisect_right(ends, i)
            return (ats[k] or find(k))(i - ends[k - 1] if k else i)

        return plain_at if f is None else lambda i: f(plain_at(i))
    if f is None:

        def pair_at(i: int) -> Any:
            k = bisect_right(ends, i)
            at = ats[k] or find(k)
            return (constants[k], at(i - ends[k - 1] if k else i))

        return pair_at

    def at(i: int) -> Any:
        k = bisect_right(ends, i)
        at = ats[k] or find(k)
        return f((constants[k], at(i - ends[k - 1] if k else i)))

    return at
