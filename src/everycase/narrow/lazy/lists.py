"""Lists whose length and elements are decided as far as somebody looks.

Whether there is one more element is decided when the end of what is known is reached: iterating stops to decide it,
``xs[2]`` decides it three times at most, and only ``len`` (or an index from the end) needs the whole length.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from operator import index as as_index
from typing import Any

from everycase.narrow.lazy.objects import ordering
from everycase.narrow.trail import Alternative, Decisions


class Pending:
    """Stands in a list for an element that is decided when it is read: None, a number to pick, an opaque part."""

    __slots__ = ("plan",)

    def __init__(self, plan: Any) -> None:
        self.plan = plan


class Known:
    """The elements known so far, and whether they are all."""

    __slots__ = ("closed", "items", "plan")

    def __init__(self, plan: Any) -> None:
        self.plan = plan
        self.items: list[Any] = []
        self.closed = plan.max_size == 0
        for _ in range(plan.min_size):
            self.grow()

    def grow(self) -> None:
        items = self.items
        items.append(self.plan.element.fresh(items, len(items)))
        self.closed = len(items) == self.plan.max_size


class Spine:
    """The target of one decision about a length: the list, and how many elements were known before."""

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
        del target.known.items[target.count :]
        target.known.closed = True

    def release(self, target: Spine) -> None:
        del target.known.items[target.count :]
        target.known.closed = False


class More(End):
    """One more element. ``room`` is for how many there is room: so many lengths begin with this choice."""

    __slots__ = ("weight",)

    weight: float

    def __init__(self, extra: int, room: int) -> None:
        self.label = "more"
        self.extra = extra
        self.weight = room

    def place(self, target: Spine) -> None:
        del target.known.items[target.count :]
        target.known.grow()


def make_list_type(state: Decisions, rebuild: Callable[[Any], Any]) -> type:
    """The class of partly decided lists in one search."""

    def longer(known: Known, length: int) -> bool:
        """Decide whether there are at least ``length`` elements."""
        items = known.items
        while len(items) < length and not known.closed:
            plan = known.plan
            state.push(Spine(known), plan.alternatives(len(items), state.slack), plan.place)
        return len(items) >= length

    def whole(known: Known) -> list[Any]:
        while not known.closed:
            longer(known, len(known.items) + 1)
        return known.items

    def item(known: Known, place: int) -> Any:
        found = known.items[place]
        if type(found) is Pending:
            return found.plan.settle(known.items, place, found)
        return found

    class LazyList(Sequence):  # type: ignore[type-arg]
        """A list, or what follows its first ``skip`` elements."""

        __slots__ = ("_known", "_skip")
        __class__ = list  # type: ignore[assignment]

        def __init__(self, known: Known, skip: int = 0) -> None:
            self._known = known
            self._skip = skip

        def __len__(self) -> int:
            return max(0, len(whole(self._known)) - self._skip)

        def __bool__(self) -> bool:
            return longer(self._known, self._skip + 1)

        def __iter__(self) -> Iterator[Any]:
            known, place = self._known, self._skip
            items = known.items
            while place < len(items) or longer(known, place + 1):
                yield item(known, place)
                place += 1

        def __getitem__(self, index: Any) -> Any:
            known, skip = self._known, self._skip
            if isinstance(index, slice):
                if index.stop is None and index.step is None and (index.start or 0) >= 0:
                    return LazyList(known, skip + (index.start or 0))
                numbers = range(*index.indices(len(self)))
                return [item(known, skip + i) for i in numbers]
            place = as_index(index)
            if place < 0:
                place += len(self)
                if place < 0:
                    raise IndexError("list index out of range")
            if not longer(known, skip + place + 1):
                raise IndexError("list index out of range")
            return item(known, skip + place)

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
            return deepcopy(rebuild(self), memo)

        def __reduce_ex__(self, protocol: Any) -> Any:
            return list, (rebuild(self),)

    for name in ("append", "extend", "insert", "pop", "remove", "clear", "sort", "reverse"):
        setattr(LazyList, name, refusing(state, f"it calls {name} on a list"))
    for name in ("__setitem__", "__delitem__", "__iadd__", "__imul__"):
        setattr(LazyList, name, refusing(state, "it changes a list"))
    for name in ("__lt__", "__le__", "__gt__", "__ge__"):
        setattr(LazyList, name, ordering(name, list))
    LazyList.whole = staticmethod(whole)  # type: ignore[attr-defined]
    LazyList.item = staticmethod(item)  # type: ignore[attr-defined]
    return LazyList


def refusing(state: Decisions, what: str) -> Callable[..., Any]:
    """A method that would change a partial value, and says so instead."""

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        state.refuse(what)

    return method
