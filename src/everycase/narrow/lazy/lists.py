"""Lists whose length and elements are decided as far as they are looked at.

Whether there is another element is decided when the end of the known part is reached: an iteration stops to
decide it, ``xs[2]`` decides it at most three times, and only ``len`` (or an index from the end) needs the
whole length.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from operator import index as as_index
from typing import Any

from everycase.choices.time_limit import watched
from everycase.narrow.lazy.objects import ordering
from everycase.narrow.trail import Alternative, Decisions


class Pending:
    """Marks an element of a list that is decided when it is read: None, a number to pick, an opaque part."""

    __slots__ = ("plan",)

    def __init__(self, plan: Any) -> None:
        self.plan = plan


class Known:
    """The elements known so far, and whether these are all."""

    __slots__ = ("closed", "items", "plan")

    def __init__(self, plan: Any) -> None:
        self.plan = plan
        self.items: list[Any] = self.begin()
        self.closed = plan.max_size == 0
        for _ in watched(range(plan.min_size)):
            self.grow()

    def begin(self) -> list[Any]:
        """The container of the elements."""
        return []

    def grow(self) -> None:
        items = self.items
        items.append(self.plan.element.fresh(items, len(items)))
        self.closed = len(items) == self.plan.max_size

    def cut(self, length: int) -> None:
        """Forget everything after this many elements."""
        del self.items[length:]

    def longer(self, length: int) -> bool:
        """Decide whether there are at least ``length`` elements."""
        items = self.items
        while len(items) < length and not self.closed:
            plan = self.plan
            state = plan.state
            state.push(Spine(self), plan.alternatives(len(items), state.slack), plan.place)
        return len(items) >= length

    def whole(self) -> list[Any]:
        """Decide how many elements there are."""
        while not self.closed:
            self.longer(len(self.items) + 1)
        return self.items

    def item(self, place: int) -> Any:
        """An element; it is decided now if it waits for that."""
        found = self.items[place]
        if type(found) is Pending:
            return found.plan.decide(self.items, place, found)
        return found


class Spine:
    """The target of one decision about a length: the list, and the number of elements known before."""

    __slots__ = ("count", "known")

    def __init__(self, known: Known) -> None:
        self.known = known
        self.count = len(known.items)


class End(Alternative):
    """No more elements."""

    __slots__ = ()

    def __init__(self) -> None:
        self.label = "end"
        self.extra = 0

    def place(self, target: Spine) -> None:
        target.known.cut(target.count)
        target.known.closed = True

    def release(self, target: Spine) -> None:
        target.known.cut(target.count)
        target.known.closed = False


class More(End):
    """One more element. ``room`` is the number of elements that there is room for, so that many lengths begin
    with this choice."""

    __slots__ = ("weight",)

    weight: float

    def __init__(self, extra: int, room: int) -> None:
        self.label = "more"
        self.extra = extra
        self.weight = room

    def place(self, target: Spine) -> None:
        target.known.cut(target.count)
        target.known.grow()


def refusing(what: str) -> Callable[..., Any]:
    """A method that would change a partial value, and reports that instead."""

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        self._state.refuse(what)

    return method


class LazyList(Sequence):  # type: ignore[type-arg]
    """A list, or the part after its first ``skip`` elements."""

    __slots__ = ("_known", "_skip")
    __class__ = list  # type: ignore[assignment]

    def __init__(self, known: Known, skip: int = 0) -> None:
        self._known = known
        self._skip = skip

    @property
    def _state(self) -> Decisions:
        return self._known.plan.state  # type: ignore[no-any-return]

    def __len__(self) -> int:
        return max(0, len(self._known.whole()) - self._skip)

    def __bool__(self) -> bool:
        return self._known.longer(self._skip + 1)

    def __iter__(self) -> Iterator[Any]:
        known, place = self._known, self._skip
        items = known.items
        while place < len(items) or known.longer(place + 1):
            yield known.item(place)
            place += 1

    def __getitem__(self, index: Any) -> Any:
        known, skip = self._known, self._skip
        if isinstance(index, slice):
            if index.stop is None and index.step is None and (index.start or 0) >= 0:
                return LazyList(known, skip + (index.start or 0))
            numbers = range(*index.indices(len(self)))
            return [known.item(skip + i) for i in numbers]
        place = as_index(index)
        if place < 0:
            place += len(self)
            if place < 0:
                raise IndexError("list index out of range")
        if not known.longer(skip + place + 1):
            raise IndexError("list index out of range")
        return known.item(skip + place)

    def __eq__(self, other: Any) -> Any:
        if other is self:
            return True
        if not isinstance(other, list):
            return NotImplemented
        mine, theirs = iter(self), iter(other)
        end = object()
        while True:
            a, b = next(mine, end), next(theirs, end)
            if a is end or b is end:
                return a is b
            if not (a is b or a == b):
                return False

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(list(self))

    def __add__(self, other: Any) -> Any:
        return list(self) + list(other) if isinstance(other, list) else NotImplemented

    def __radd__(self, other: Any) -> Any:
        return list(other) + list(self) if isinstance(other, list) else NotImplemented

    def __mul__(self, count: Any) -> Any:
        return list(self) * count

    __rmul__ = __mul__

    def copy(self) -> list[Any]:
        return list(self)

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> Any:
        return deepcopy(self._known.plan.context.real(self), memo)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return list, (self._known.plan.context.real(self),)


for name in ("append", "extend", "insert", "pop", "remove", "clear", "sort", "reverse"):
    setattr(LazyList, name, refusing(f"it calls {name} on a list"))
for name in ("__setitem__", "__delitem__", "__iadd__", "__imul__"):
    setattr(LazyList, name, refusing("it changes a list"))
for name in ("__lt__", "__le__", "__gt__", "__ge__"):
    setattr(LazyList, name, ordering(name, list))
