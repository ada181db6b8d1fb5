"""Lists of distinct elements, and sets: the number of elements is decided one by one, each element is made
whole.

An element must differ from those before it, so they are made in order, however late one is looked at. A set
does not depend on the order of its elements, so they come in the order of their choices and each set comes
once. Iterating over a half-decided set follows that order, which need not be the order of the real set: a
predicate whose answer depends on the order of a set depends on more than its argument.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence, Set
from copy import deepcopy
from typing import Any

from everycase.choices.dice import novelty
from everycase.choices.time_limit import look
from everycase.choices.trace import Trace
from everycase.gen.base import Gen
from everycase.gen.facts import facts
from everycase.gen.graph import beneath
from everycase.gen.kinds import (
    Bind,
    Build,
    Composite,
    Const,
    Defer,
    Filter,
    Float,
    Int,
    List,
    Live,
    Map,
    Union,
)
from everycase.gen.reading import total
from everycase.narrow.lazy.lists import Known, LazyList, refusing
from everycase.narrow.lazy.whole import WholePart
from everycase.narrow.plan import Context, Decided, ListPlan, Plan, WholePlan
from everycase.narrow.trail import Dead, Decisions, Many, Place


class Elements(list[Any]):
    """Elements that differ, with the parts that made them."""

    __slots__ = ("is_new", "parts", "single", "unordered")

    def __init__(self, gen: List[Any]) -> None:
        super().__init__()
        self.is_new = novelty(gen)
        self.unordered = gen.unordered
        #: an element is decided by one choice
        self.single = _is_single(gen.element)
        self.parts: dict[int, WholePart] = {}


class DistinctKnown(Known):
    """The distinct elements known so far, and whether these are all."""

    __slots__ = ()

    def begin(self) -> list[Any]:
        return Elements(self.plan.keys)


class DistinctPart(WholePart):
    """An element that must differ from those before it."""

    __slots__ = ()

    container: Elements

    def decide(self) -> Any:
        value = super().decide()
        if not self._fits(value):
            if not self.digits:
                # It took no decision, so undoing decisions would leave it in its place.
                self.forget()
            self.state.dead = True
            raise Dead
        self.container.parts[self.key] = self
        return value

    def choose(self, alternatives: Sequence[Any], radix: float = 0) -> int:
        if self.at == 0 and not self.digits and self.container.unordered:
            alternatives = self._in_order(alternatives)
        return super().choose(alternatives, radix)

    def _in_order(self, alternatives: Sequence[Any]) -> Sequence[Any]:
        """The alternatives, without those that come before the previous element, or leave too few for the
        next ones."""
        elements, place = self.container, self.key
        before = elements.parts[place - 1].digits if place else []
        start = before[0].number + elements.single if before else 0
        if not elements.single:
            return [one for one in alternatives if one.number >= start] if start else alternatives
        if isinstance(alternatives, Many):
            stop = alternatives.total - (len(elements) - 1 - place)
            return Between(alternatives, start, max(start, stop))
        # The choices are numbered from 0, and there is no other choice.
        stop = 1 + max((one.number for one in alternatives), default=0) - (len(elements) - 1 - place)
        return [one for one in alternatives if start <= one.number < stop]

    def _fits(self, value: Any) -> bool:
        elements = self.container
        seen: set[Any] = set()
        for earlier in elements[: self.key]:
            look()
            elements.is_new(earlier, seen)
        if not elements.is_new(value, seen):
            return False
        if not elements.unordered or not self.key:
            return True
        before = elements.parts[self.key - 1]
        return [digit.number for digit in self.digits] >= [digit.number for digit in before.digits]


class Between(Many):
    """A range of many alternatives."""

    def __init__(self, source: Many, start: int, stop: int) -> None:
        super().__init__(stop - start)
        self.source = source
        self.start = start

    def __bool__(self) -> bool:
        return self.total > 0

    def at(self, number: int) -> Any:
        return self.source.at(self.start + number)


def _is_single(gen: Gen[Any]) -> bool:
    """Whether a value is decided by one choice."""
    gen = beneath(gen, Map)
    if isinstance(gen, Union):
        return all(isinstance(option, Const) for option in gen.options)
    return isinstance(gen, Int) and gen.lo != gen.hi


class ElementPlan(WholePlan):
    """An element that is made whole, after those before it."""

    def decide(self, container: Elements, key: int, empty: Any = None) -> Any:
        for place in range(key):
            if container[place] is empty:
                self._made(container, place, empty)
        return self._made(container, key, empty)

    def _made(self, container: Elements, place: int, empty: Any) -> Any:
        return DistinctPart(self.gen, container, place, empty, self.place, self.state).decide()


def at_most(gen: Gen[Any]) -> float:
    """A number of values that a generator does not exceed; ``math.inf`` if none is easily found."""
    return math.inf if facts(gen).recursive else _at_most(gen)


def _at_most(gen: Gen[Any]) -> float:
    return AT_MOST[type(gen)](gen)


def _of_source(gen: Gen[Any]) -> float:
    return _at_most(gen.children[0])


def _not_known(gen: Gen[Any]) -> float:
    return math.inf


AT_MOST: dict[type[Any], Callable[[Any], float]] = total(
    "upper bounds of the number of values",
    {
        Const: lambda gen: 1,
        Int: lambda gen: math.inf if gen.lo is None or gen.hi is None else gen.hi - gen.lo + 1,
        Union: lambda gen: sum(map(_at_most, gen.options)),
        Build: lambda gen: math.prod(map(_at_most, gen.parts)),
        **dict.fromkeys((Map, Filter, Defer), _of_source),
        **dict.fromkeys((Float, List, Bind, Composite, Live), _not_known),
    },
)


class DistinctPlan(ListPlan):
    """A list of distinct elements."""

    def __init__(self, context: Context, gen: List[Any], place: Place) -> None:
        super().__init__(context, gen, place)
        #: the function that says which elements differ
        self.keys = gen
        self.bound(gen.element)

    def bound(self, gen: Gen[Any]) -> None:
        """There are no more elements than different values of this generator."""
        most = at_most(gen)
        if most < (math.inf if self.max_size is None else self.max_size):
            self.max_size = max(self.min_size, int(most))

    def make_element(self, place: Place) -> Plan:
        return ElementPlan(self.context, self.gen.element, place)

    def fresh(self, container: Any, key: Any) -> Any:
        return LazyList(DistinctKnown(self))


def is_set(gen: Map[Any]) -> bool:
    """Whether a generator makes sets of distinct elements."""
    source = gen.source
    return gen.f in (set, frozenset) and isinstance(source, List) and source.unique_by is not None


class SetPlan(DistinctPlan):
    """A set, or a frozenset."""

    def __init__(self, context: Context, gen: Map[Any], place: Place) -> None:
        assert isinstance(gen.source, List)
        super().__init__(context, gen.source, place)
        self.made = gen
        self.type = LazySet if gen.f is set else LazyFrozenset

    def fresh(self, container: Any, key: Any) -> Any:
        return self.type(DistinctKnown(self))

    def real(self, lazy: Any) -> Any:
        """The set; undecided parts are decided."""
        return self.made.f(lazy)

    def choices(self, container: Any, key: Any, decided: Decided) -> Trace[Any] | None:
        return Trace(None, (super().choices(container, key, decided),), self.made, clean=False)


def real_collection(lazy: Any) -> Any:
    """The real value of a lazy set or dictionary."""
    return lazy._plan.real(lazy)


class LazyFrozenset(Set[Any]):
    """A frozenset whose elements are decided as far as they are looked at."""

    __slots__ = ("_known",)
    __class__ = frozenset  # type: ignore[assignment]

    def __init__(self, known: DistinctKnown) -> None:
        self._known = known

    @property
    def _plan(self) -> Any:
        return self._known.plan

    @property
    def _state(self) -> Decisions:
        return self._known.plan.state  # type: ignore[no-any-return]

    def __len__(self) -> int:
        return len(self._known.whole())

    def __bool__(self) -> bool:
        return self._known.longer(1)

    def __iter__(self) -> Iterator[Any]:
        known, place = self._known, 0
        while known.longer(place + 1):
            yield known.item(place)
            place += 1

    def __contains__(self, value: Any) -> bool:
        if type(value).__hash__ is None:
            return value in real_collection(self)  # raises
        return any(one is value or one == value for one in self)

    def __le__(self, other: Any) -> Any:
        return all(one in other for one in self) if isinstance(other, Set) else NotImplemented

    def __ge__(self, other: Any) -> Any:
        return all(one in self for one in other) if isinstance(other, Set) else NotImplemented

    def __lt__(self, other: Any) -> Any:
        return self <= other and len(self) < len(other) if isinstance(other, Set) else NotImplemented

    def __gt__(self, other: Any) -> Any:
        return self >= other and len(self) > len(other) if isinstance(other, Set) else NotImplemented

    def __eq__(self, other: Any) -> Any:
        if other is self:
            return True
        return self <= other and len(self) == len(other) if isinstance(other, Set) else NotImplemented

    def __hash__(self) -> int:
        return hash(real_collection(self))

    def isdisjoint(self, other: Any) -> bool:
        return not any(one in self for one in other)

    def issubset(self, other: Any) -> bool:
        among = other if isinstance(other, Set) else set(other)
        return all(one in among for one in self)

    def issuperset(self, other: Any) -> bool:
        return all(one in self for one in other)

    def __repr__(self) -> str:
        return repr(real_collection(self))

    def copy(self) -> Any:
        return real_collection(self)

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> Any:
        return deepcopy(real_collection(self), memo)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return real_collection(self).__reduce_ex__(protocol)

    def __or__(self, other: Any) -> Any:
        return real_collection(self) | other

    def __ror__(self, other: Any) -> Any:
        return other | real_collection(self)

    def __and__(self, other: Any) -> Any:
        return real_collection(self) & other

    def __rand__(self, other: Any) -> Any:
        return other & real_collection(self)

    def __sub__(self, other: Any) -> Any:
        return real_collection(self) - other

    def __rsub__(self, other: Any) -> Any:
        return other - real_collection(self)

    def __xor__(self, other: Any) -> Any:
        return real_collection(self) ^ other

    def __rxor__(self, other: Any) -> Any:
        return other ^ real_collection(self)

    def union(self, *others: Any) -> Any:
        return real_collection(self).union(*others)

    def intersection(self, *others: Any) -> Any:
        return real_collection(self).intersection(*others)

    def difference(self, *others: Any) -> Any:
        return real_collection(self).difference(*others)

    def symmetric_difference(self, other: Any) -> Any:
        return real_collection(self).symmetric_difference(other)


class LazySet(LazyFrozenset):
    """A set whose elements are decided as far as they are looked at."""

    __slots__ = ()
    __class__ = set  # type: ignore[assignment]
    __hash__ = None  # type: ignore[assignment]


for name in ("add", "clear", "discard", "pop", "remove", "update", "difference_update"):
    setattr(LazySet, name, refusing(f"it calls {name} on a set"))
for name in ("intersection_update", "symmetric_difference_update"):
    setattr(LazySet, name, refusing(f"it calls {name} on a set"))
for name in ("__ior__", "__iand__", "__isub__", "__ixor__"):
    setattr(LazySet, name, refusing("it changes a set"))
