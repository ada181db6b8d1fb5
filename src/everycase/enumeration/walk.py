"""``walk``: all choices of any generator, one after the other, also where nothing can be counted in advance.

A generator that counts is walked by number. Any other (a composite, a filter, a flatmap over too many values) is walked
choice by choice (see :mod:`everycase.choices.walk`), where everything that counts inside of it is one digit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from everycase.choices.trace import Trace
from everycase.choices.walk import Priced, walk_choices
from everycase.enumeration.counting import space_of
from everycase.enumeration.decode import record_at
from everycase.enumeration.spaces.finite import Space
from everycase.errors import Discarded, NotCountable
from everycase.gen.base import Gen
from everycase.gen.kinds import List, Live
from everycase.gen.validate import as_gen

T = TypeVar("T")


def walk(
    gen: Gen[T], doubts: list[str] | None = None, beat: Callable[[], None] | None = None
) -> Iterator[Trace[T]]:
    """The traces of all values, simplest first, each exactly once; lazily, and without end if there is none.

    >>> from everycase import gen
    >>> @gen.composite
    ... def pairs(draw):
    ...     n = draw(gen.integers(0, 2))
    ...     return n, draw(gen.integers(0, n))
    >>> [trace.value for trace in walk(pairs())]
    [(0, 0), (1, 0), (1, 1), (2, 0), (2, 1), (2, 2)]

    Raises :class:`NotCountable` for ``data()`` and the like, whose choices are made by the test. A generator that depends
    on something besides its choices cannot be walked: if that shows, a sentence that says so is added to ``doubts``.
    ``beat`` is called now and then while nothing is found, and may raise to end the walk.
    """
    gen = as_gen("the argument of walk", gen)
    try:
        space = space_of(gen)
    except NotCountable:
        return walk_choices(gen, _Counted(), doubts, beat)
    return _by_number(space)


def _by_number(space: Space) -> Iterator[Trace[Any]]:
    i = 0
    while i < space.count:
        yield record_at(space, i)
        i += 1


class _Counted(Priced):
    """An odometer that takes what counts as a single digit."""

    __slots__ = ("_spaces",)

    def __init__(self) -> None:
        super().__init__()
        self._spaces: dict[int, tuple[Gen[Any], Space | None]] = {}

    def make(self, gen: Gen[Any]) -> Trace[Any]:
        space = self._space(gen)
        if space is None:
            return super().make(gen)
        return record_at(space, 0 if space.count == 1 else self.choose(space.count))

    def _space(self, gen: Gen[Any]) -> Space | None:
        """The space of a generator, or None if it does not count."""
        known = self._spaces.get(id(gen))
        if known is None or known[0] is not gen:
            try:
                known = (gen, space_of(gen))
            except NotCountable:
                if isinstance(gen, Live):
                    raise
                known = (gen, None)
            if len(self._spaces) > 10_000:
                self._spaces.clear()  # a composite that makes new generators all the time
            self._spaces[id(gen)] = known
        return known[1]

    def elements(self, gen: List[Any]) -> list[Trace[Any]]:
        """Distinct elements that count are chosen among those not taken yet; others that repeat a key are rejected."""
        if gen.unique_by is None:
            return super().elements(gen)
        keys = gen.unique_by if isinstance(gen.unique_by, tuple) else (gen.unique_by,)
        space = self._space(gen.element)
        available = math.inf if space is None else space.count
        longest = available if gen.max_size is None else min(gen.max_size, available)
        length = gen.min_size + self.choose(max(0, longest - gen.min_size + 1))
        elements: list[Trace[Any]] = []
        seen: list[set[Any]] = [set() for _ in keys]
        taken: list[int] = []
        for _ in range(length):
            if space is None:
                element = self.make(gen.element)
            else:
                number = self.choose(available - len(taken))
                for other in sorted(taken):
                    number += other <= number
                taken.append(number)
                element = record_at(space, number)
            for key, names in zip(keys, seen):
                name = key(element.value)
                if name in names:
                    raise Discarded("an element is repeated")
                names.add(name)
            elements.append(element)
        return elements
