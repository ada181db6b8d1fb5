"""How one place is decided: the plans of constants, integers, lists and opaque parts.

Some places can hold something undecided: an object that changes its class, an interval, a list without an
end. Others (None, a boolean, a member of an enum, anything opaque) are compared by identity or are read by C
code, so they are decided as soon as they are read from the object, list or arguments that contain them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from everycase.choices.trace import Trace
from everycase.gen.base import Gen
from everycase.gen.facts import facts
from everycase.gen.kinds import Build, Const, Int, List
from everycase.narrow.lazy.intervals import IntRange
from everycase.narrow.lazy.ints import make_int
from everycase.narrow.lazy.lists import End, Known, LazyList, More, Pending
from everycase.narrow.lazy.whole import WholePart
from everycase.narrow.trail import Alternative, Decisions, Place
from everycase.sizes.least import least

#: A list with room for more elements than this is treated as having room for this many when its length is
#: decided.
MOST_ROOM = 64
#: The unions around an option, each with the number of the choice.
Path = tuple[tuple[Gen[Any], int], ...]


def wrapped(path: Path, leaf: Trace[Any] | None) -> Trace[Any]:
    """The choices of nested unions around a leaf."""
    result = leaf
    for union, choice in reversed(path):
        result = Trace(choice, (result,), union, clean=False)
    return result if result is not None else Trace()


#: A part: its plan, and its place.
Located = tuple["Plan", Any, Any]


class Decided(dict[Any, Any]):
    """The decisions: by the id of an undecided object, or by the id of a container and the place in it.

    The choices of parts are worked out one after the other, not recursively: values may be nested deeper than
    Python's recursion limit.
    """

    def __init__(self) -> None:
        self._pending: list[tuple[list[Trace[Any] | None], list[Located]]] = []

    def parts(self, asked: Iterable[Located]) -> list[Trace[Any] | None]:
        """The choices of some parts: a list that is filled by :meth:`finish`."""
        parts: list[Trace[Any] | None] = []
        self._pending.append((parts, list(asked)))
        return parts

    def finish(self) -> None:
        while self._pending:
            parts, asked = self._pending.pop()
            parts.extend([plan.choices(container, key, self) for plan, container, key in asked])


class Plan:
    """One part at one place. ``waits`` means that it is decided when it is read from its container."""

    least: float = 0
    waits = False
    #: the class of the stand-ins for this part before it is looked at, if that is all it takes
    undecided: type | None = None
    #: makes the real values of that class and of those that it can become
    rebuild: Mapping[type, Callable[[Any], Any]] = {}
    #: the constructors of those that it can become
    constructors: Mapping[type, Any] = {}

    def fresh(self, container: Any, key: Any) -> Any:
        """The content of the container before the part is looked at."""
        return Pending(self)

    def decide(self, container: Any, key: Any, empty: Any = None) -> Any:
        """Decide a part that waits. ``empty`` goes back into the container when this is undone."""
        raise NotImplementedError

    def choices(self, container: Any, key: Any, decided: Decided) -> Trace[Any] | None:
        """The choices that made this part, as a trace for ``enact``."""
        raise NotImplementedError


class Context:
    """The plans of one search share this: the trail, the lazy types and the places. See
    :class:`~everycase.narrow.planner.Planner`."""

    def __init__(self, state: Decisions) -> None:
        self.state = state
        #: makes the real value of each lazy type
        self.rebuild: dict[type, Callable[[Any], Any]] = {}
        #: the types of what is half decided, and the fields that instances have
        self.fields: dict[type, dict[str, None]] = {}
        #: there is a part that must be made again for every value, because a test might change it
        self.holds_mutable = False
        self.places: list[Place] = []
        #: the ranges of the integers
        self.ranges: list[IntRange] = []
        self.wide = False

    def plan(self, gen: Gen[Any], place: Place) -> Plan:
        """The plan for one part, at one place."""
        raise NotImplementedError

    def constructor(self, build: Build[Any]) -> Any:
        """How instances of a constructor are half decided (a
        :class:`~everycase.narrow.lazy.constructors.LazyConstructor`); None if they cannot be."""
        raise NotImplementedError

    def place(self, owner: Any, name: str) -> Place:
        made = Place(owner, name)
        self.places.append(made)
        return made

    def widen(self, wide: bool) -> None:
        """Whether large numbers cost nothing, in the searches that begin after this."""
        self.wide = wide
        for one in self.ranges:
            one.widen(wide)

    @property
    def has_large_numbers(self) -> bool:
        """Whether there are numbers that cost something, so that others can be had by :meth:`widen`."""
        return any(not one.is_small for one in self.ranges)

    def know(self, face: type, names: Iterable[str]) -> None:
        """Register a type of half-decided instances, with these fields."""
        self.fields.setdefault(face, {}).update(dict.fromkeys(names))

    def real(self, value: Any, plan: Plan | None = None) -> Any:
        """The real value of something lazy; everything undecided in it is decided. The plan of its place is
        needed for objects, which may be known only by their place."""
        kind = type(value)
        rebuild = (plan.rebuild.get(kind) if plan is not None else None) or self.rebuild.get(kind)
        return value if rebuild is None else rebuild(value)


class ConstantPlan(Plan):
    """A constant."""

    def __init__(self, gen: Const[Any]) -> None:
        self.gen = gen
        self.value = gen.value

    def fresh(self, container: Any, key: Any) -> Any:
        return self.value

    def choices(self, container: Any, key: Any, decided: Decided) -> Trace[Any] | None:
        return Trace(None, (), self.gen, clean=False)


class IntPlan(Plan):
    """An integer, an interval until it is decided."""

    def __init__(self, context: Context, gen: Int, place: Place) -> None:
        self.gen = gen
        self.range = IntRange(gen, place, context.state)
        self.range.widen(context.wide)
        context.ranges.append(self.range)

    def fresh(self, container: Any, key: Any) -> Any:
        return make_int(self.range, container, key)

    def choices(self, container: Any, key: Any, decided: Decided) -> Trace[Any] | None:
        return Trace(container[key], (), self.gen, clean=False)


class ListPlan(Plan):
    """A list whose length and elements are decided one by one."""

    def __init__(self, context: Context, gen: List[Any], place: Place) -> None:
        self.least = least(gen)
        self.min_size = gen.min_size
        self.max_size = gen.max_size if least(gen.element) < math.inf else gen.min_size
        self.element_price = 1 + least(gen.element)
        self.place = context.place(place, "length")
        inner = context.place(place, "element")
        self.gen = gen
        self.context, self._inner = context, inner
        self.state = context.state
        self._element: Plan | None = None
        #: the end, and one more element, by the number of elements there is room for
        self._ends: list[Sequence[Alternative]] = [(End(),)]

    def alternatives(self, length: int, slack: int) -> Sequence[Alternative]:
        """The alternatives after this many elements."""
        price, ends = int(self.element_price), self._ends
        most = MOST_ROOM if self.max_size is None else min(MOST_ROOM, self.max_size - length)
        room = min(slack // price, most)
        while len(ends) <= room:
            ends.append((End(), More(price, len(ends))))
        return ends[room]

    @property
    def element(self) -> Plan:
        found = self._element
        if found is None:
            found = self._element = self.make_element(self._inner)
        return found

    def make_element(self, place: Place) -> Plan:
        return self.context.plan(self.gen.element, place)

    def fresh(self, container: Any, key: Any) -> Any:
        return LazyList(Known(self))

    def choices(self, container: Any, key: Any, decided: Decided) -> Trace[Any] | None:
        items = container[key]._known.items
        parts = decided.parts((self.element, items, i) for i in range(len(items)))
        return Trace(None, parts, self.gen, clean=False)


class WholePlan(Plan):
    """A part that is made whole."""

    waits = True

    def __init__(self, context: Context, gen: Gen[Any], place: Place) -> None:
        self.least = least(gen)
        self.gen = gen
        self.place = place
        self.state = context.state
        if not facts(gen).shareable:
            context.holds_mutable = True

    def decide(self, container: Any, key: Any, empty: Any = None) -> Any:
        return WholePart(self.gen, container, key, empty, self.place, self.state).decide()

    def choices(self, container: Any, key: Any, decided: Decided) -> Trace[Any] | None:
        part = decided.get((id(container), key))
        if part is None:
            # There was nothing to choose, so it can be made again.
            part = WholePart(self.gen, {}, key, None, self.place, self.state)
            part.decide()
        return part.trace
