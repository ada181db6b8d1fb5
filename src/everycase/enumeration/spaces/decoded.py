"""Generators that pick an index and decode it, as spaces: the index of a value is the one it is decoded
from."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from everycase.choices.trace import Trace
from everycase.enumeration.decode import value_at
from everycase.enumeration.spaces.base import Bulk, Ranking, SizeOf, Space
from everycase.gen.dependent import Stream
from everycase.gen.kinds import List, Map


class ValueByNumber:
    """The function from an index to a value of a space; a Map with this function is walked in bulk like the
    space itself."""

    __slots__ = ("space",)

    def __init__(self, space: Space) -> None:
        self.space = space

    def __call__(self, i: int) -> Any:
        return value_at(self.space, i)


class SpaceByNumber(Space):
    """The values of a space, each of which is made by choosing its index."""

    __slots__ = ("node", "space")

    def __init__(self, node: Map[Any], space: Space) -> None:
        self.node = node
        self.space = space
        self.count = space.count
        self.at = space.at

    def value(self, i: int, parts: list[Any]) -> Any:
        return value_at(self.space, i)

    def record(self, i: int, parts: list[Trace[Any]]) -> Trace[Any]:
        return Trace(None, (Trace(i, (), self.node.source, i),), self.node, value_at(self.space, i))

    def rank(self, trace: Trace[Any], size: SizeOf) -> Ranking:
        number = trace.children[0]
        assert number is not None
        choice: Any = number.choice
        return int(choice)
        yield

    def values(self, bulk: Bulk, start: int = 0) -> Iterable[Any]:
        return self.space.values(bulk, start)

    def recipes(self, bulk: Bulk) -> Iterable[Any]:
        return self.space.recipes(bulk)

    @property
    def underlying(self) -> Space:
        return self.space.underlying

    def components(self) -> list[Space]:
        return [self.space]

    def _is_shared(self) -> bool:
        return self.node.share


class Streamed(Space):
    """The values of an endless iterator. Its choice is a list, of which only the length matters."""

    __slots__ = ("node", "stream")

    def __init__(self, node: Map[Any], stream: Stream) -> None:
        self.node = node
        self.stream = stream
        self.count = math.inf
        self.at = stream.__getitem__

    def value(self, i: int, parts: list[Any]) -> Any:
        return self.stream[i]

    def record(self, i: int, parts: list[Trace[Any]]) -> Trace[Any]:
        source = self.node.source
        assert isinstance(source, List)
        step: Trace[Any] = Trace(None, (), source.element, None)
        return Trace(None, (Trace(None, [step] * i, source, [None] * i),), self.node, self.stream[i])

    def rank(self, trace: Trace[Any], size: SizeOf) -> Ranking:
        length = trace.children[0]
        assert length is not None
        return len(length.children)
        yield
