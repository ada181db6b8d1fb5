"""Spaces made from another one: a function of its values, those that pass a filter, and values that depend on
it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import accumulate, chain, islice, repeat, starmap
from typing import Any

from everycase.choices.time_limit import looking
from everycase.choices.trace import Trace
from everycase.enumeration.combinatorics import CombinatorialFamily
from everycase.enumeration.spaces.base import LIST_LIMIT, Bulk, Part, Ranking, Recipe, SizeOf, Space
from everycase.enumeration.spaces.finite import One
from everycase.enumeration.spaces.products import Product
from everycase.errors import NoSuchValue
from everycase.gen.base import Gen
from everycase.gen.dependent import ChainStep
from everycase.gen.kinds import Bind, Filter, Map

_IMMUTABLE = frozenset([bool, int, float, complex, str, bytes, type(None), type(...)])

#: Functions that read a list once and do not keep it: a tuple works as well.
_READERS: frozenset[Any] = frozenset(["".join, bytes, tuple, frozenset])


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

    def values(self, bulk: Bulk, start: int = 0) -> Iterable[Any]:
        f, source = self.f, self.source
        # (By size, a number alone has a window of them.)
        if isinstance(f, CombinatorialFamily) and not start and self.count == f.count:
            return f.values()
        of_parts = getattr(f, "__dict__", {}).get("_of_parts")  # (a mock has every attribute)
        if of_parts is not None:
            return starmap(of_parts, source.values(bulk, start))
        known = source.rows(bulk, start) if _is_reader(f) else None
        return map(f, source.values(bulk, start) if known is None else known)

    def recipes(self, bulk: Bulk) -> Iterable[Any]:
        f = self.f if self.node.share else looking(self.f)
        if self.source.may_share(bulk):
            return map(partial, repeat(f), bulk.stream(self.source))
        return map(partial, repeat(_apply), repeat(f), self.source.recipes(bulk))

    def components(self) -> list[Space]:
        return [self.source]

    def _is_shared(self) -> bool:
        return self.node.share

    def may_share(self, bulk: Bulk) -> bool:
        if self.is_shared:
            return True
        if 0 < self.count <= LIST_LIMIT and type(self.at(0)) in _IMMUTABLE:
            return all(type(value) in _IMMUTABLE for value in bulk.listed(self, False))
        return False


def _is_reader(f: Callable[[Any], Any]) -> bool:
    try:
        return f in _READERS
    except TypeError:  # a callable object that cannot be hashed
        return False


def _apply(f: Callable[[Any], Any], recipe: Recipe) -> Any:
    return f(recipe())


class Chosen(Space):
    """The values of a small space that satisfy a predicate: their indices there are kept."""

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

    def values(self, bulk: Bulk, start: int = 0) -> Iterable[Any]:
        return map(self.source.at, islice(self.positions, start, None) if start else self.positions)

    def components(self) -> list[Space]:
        return [self.source]

    def _is_shared(self) -> bool:
        return self.source.is_shared


#: The generator that belongs to an outer value, and its space.
Inner = tuple[Gen[Any], Space]


class Dependent(Space):
    """Values that depend on an outer one, finitely many for each: one outer value after the other.

    ``alternatives`` are the indices of the outer values, with the number of values for each, and the values
    unless they are easily made again: a family counts more members than anybody will ever look at.
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
            raise NoSuchValue("there is no value for this outer value")
        inside = yield self.inner(k)[1], inner
        return (self.ends[k - 1] if k else 0) + inside

    def values(self, bulk: Bulk, start: int = 0) -> Iterable[Any]:
        if start:
            return bulk.in_turn(lambda k: self.inner(k)[1], self.ends, start)
        if isinstance(self.node.f, ChainStep):
            return chain.from_iterable(_pairs(bulk, inner) for inner in self.spaces())
        return chain.from_iterable(inner.values(bulk) for inner in self.spaces())

    def recipes(self, bulk: Bulk) -> Iterable[Any]:
        return chain.from_iterable(inner.recipes(bulk) for inner in self.spaces())

    def components(self) -> list[Space]:
        return list(self.spaces())

    def _is_shared(self) -> bool:
        return all(inner.is_shared for inner in self.spaces())


def _pairs(bulk: Bulk, space: Space) -> Iterable[Any]:
    """Pairs of one outer value and every inner one, which stream by: lists of them would serve this place only."""
    outer, inner = space.components()
    return zip(repeat(outer.at(0)), bulk.stream(inner))


def apply(f: Callable[[Any], Any] | None, space: Space) -> Callable[[int], Any]:
    """``at`` of a function of a space (or of the space alone), in one step for the pairs that ``chain`` makes."""
    if not isinstance(space, Dependent):
        assert f is not None
        inner = space.at
        return lambda i: f(inner(i))
    if isinstance(space.node.f, ChainStep):
        return _pairs_at(f, space)
    ends = space.ends
    ats: list[Callable[[int], Any] | None] = [None] * len(ends)

    def find(k: int) -> Callable[[int], Any]:
        found = ats[k] = space.inner(k)[1].at
        return found

    def at(i: int) -> Any:
        k = bisect_right(ends, i)
        return (ats[k] or find(k))(i - ends[k - 1] if k else i)

    return at if f is None else lambda i: f(at(i))


#: How to decode the pairs of one outer value: its first index, the outer value, and the decoder of the inner
#: one. Inner values that are pairs themselves (of two families, for example) have a second decoder and its
#: radix; otherwise that is 0.
Pairs = tuple[int, Any, Callable[[int], Any], Callable[[int], Any], int]


def _pairs_at(f: Callable[[Any], Any] | None, space: Dependent) -> Callable[[int], Any]:
    """Pairs of the outer value and an inner one, made in one step: this is called for every node of a
    family."""
    ends = space.ends
    known: list[Pairs | None] = [None] * len(ends)

    def find(k: int) -> Pairs:
        pair = space.inner(k)[1]
        assert isinstance(pair, Product) and isinstance(pair.parts[0], One)
        constant, inner = pair.parts[0].constant, pair.parts[1]
        start = ends[k - 1] if k else 0
        found: Pairs = (start, constant, inner.at, inner.at, 0)
        if isinstance(inner, Product) and inner.is_pair and not inner.block:
            one, other = inner.parts
            found = (start, constant, one.at, other.at, other.count)
        known[k] = found
        return found

    # Defaults and not a closure, as in ``products``.
    def at(i: int, ends: Any = ends, known: Any = known, f: Any = f or _itself) -> Any:
        k = bisect_right(ends, i)
        start, constant, first, last, radix = known[k] or find(k)
        i -= start
        if radix:
            return f((constant, (first(i // radix), last(i % radix))))
        return f((constant, first(i)))

    return at


def _itself(value: Any) -> Any:
    return value
