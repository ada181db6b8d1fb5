"""Dictionaries whose values are decided when they are looked at.

Those with given keys are made from a tuple of their values, which can be half decided (see
:mod:`everycase.narrow.lazy.unions`); this module presents that tuple as a dictionary. Whether an optional key
is present is decided when it is asked for. Other dictionaries have keys that are made one after the other,
like the elements of a set (see :mod:`everycase.narrow.lazy.distinct`), with half-decided values beside them.
"""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, Mapping, ValuesView
from copy import deepcopy
from typing import Any

from everycase.choices.trace import Trace
from everycase.gen.collections import ABSENT, first, itself
from everycase.gen.kinds import Build, List, Map
from everycase.narrow.lazy.constructors import LazyConstructor
from everycase.narrow.lazy.distinct import DistinctKnown, DistinctPlan, ElementPlan, real_collection
from everycase.narrow.lazy.lists import Pending, refusing
from everycase.narrow.lazy.objects import dict_of
from everycase.narrow.plan import Context, Decided, Plan
from everycase.narrow.trail import Decisions, Place
from everycase.sizes.least import least


def fixed_keys(gen: Map[Any]) -> tuple[Any, ...] | None:
    """The keys of the dictionaries that a generator makes, if they are fixed; None for other functions."""
    keys: tuple[Any, ...] | None = getattr(gen.f, "fixed_keys", None)
    return keys if keys is not None and isinstance(gen.source, Build) else None


class FixedDictPlan(Plan):
    """A dictionary with given keys."""

    def __init__(self, context: Context, gen: Map[Any], constructor: LazyConstructor) -> None:
        self.gen = gen
        self.constructor = constructor
        self.least = least(gen)
        self.context, self.state = context, context.state
        keys = fixed_keys(gen)
        assert keys is not None
        self.names = {key: f"_{i}" for i, key in enumerate(keys)}

    def fresh(self, container: Any, key: Any) -> Any:
        face = self.constructor.face()
        if self.constructor.fill is not None:
            self.constructor.fill(dict_of(face))
        return FixedDict(face, self)

    def real(self, lazy: Any) -> Any:
        """The dictionary; undecided parts are decided."""
        return self.gen.f(self.constructor.rebuild(lazy._face))

    def choices(self, container: Any, key: Any, decided: Decided) -> Trace[Any] | None:
        return Trace(None, (self.constructor.choices(container[key]._face, decided),), self.gen, clean=False)


def is_keyed(gen: Map[Any]) -> bool:
    """Whether a generator makes dictionaries of items with distinct keys."""
    source = gen.source
    return (
        gen.f is dict
        and isinstance(source, List)
        and source.unique_by is first
        and isinstance(source.element, Build)
        and source.element.constructs is tuple
        and len(source.element.parts) == 2
    )


class Entries(DistinctKnown):
    """The keys known so far, each with its value."""

    __slots__ = ("values",)

    def __init__(self, plan: Any) -> None:
        self.values: list[Any] = []
        super().__init__(plan)

    def grow(self) -> None:
        super().grow()
        self.values.append(self.plan.value.fresh(self.values, len(self.values)))

    def cut(self, length: int) -> None:
        super().cut(length)
        del self.values[length:]

    def value(self, place: int) -> Any:
        """The value of a key; it is decided now if it waits for that."""
        found = self.values[place]
        if type(found) is Pending:
            return found.plan.decide(self.values, place, found)
        return found


class KeyedDictPlan(DistinctPlan):
    """A dictionary whose keys are generated."""

    def __init__(self, context: Context, gen: Map[Any], place: Place) -> None:
        items = gen.source
        assert isinstance(items, List) and isinstance(items.element, Build)
        super().__init__(context, items, place)
        self.made = gen
        self.pair = items.element
        key, _ = self.pair.parts
        self.keys = List(key, 0, None, itself, unordered=items.unordered)
        self.bound(key)
        self._value_place = context.place(place, "value")
        self._value: Plan | None = None

    def make_element(self, place: Place) -> Plan:
        return ElementPlan(self.context, self.pair.parts[0], place)

    @property
    def value(self) -> Plan:
        found = self._value
        if found is None:
            found = self._value = self.context.plan(self.pair.parts[1], self._value_place)
        return found

    def fresh(self, container: Any, key: Any) -> Any:
        return KeyedDict(Entries(self))

    def real(self, lazy: Any) -> Any:
        """The dictionary; undecided parts are decided."""
        known, real = lazy._known, self.context.real
        return {
            known.item(place): real(known.value(place), self.value) for place in range(len(known.whole()))
        }

    def choices(self, container: Any, key: Any, decided: Decided) -> Trace[Any] | None:
        known = container[key]._known
        pairs = []
        for place in range(len(known.items)):
            parts = decided.parts([(self.element, known.items, place), (self.value, known.values, place)])
            pairs.append(Trace(None, parts, self.pair, clean=False))
        return Trace(None, (Trace(None, pairs, self.gen, clean=False),), self.made, clean=False)


class LazyDict(Mapping[Any, Any]):
    """What both kinds have in common."""

    __slots__ = ()
    __class__ = dict  # type: ignore[assignment]
    _plan: Any

    @property
    def _state(self) -> Decisions:
        return self._plan.state  # type: ignore[no-any-return]

    def get(self, key: Any, default: Any = None) -> Any:
        return self[key] if key in self else default  # noqa: SIM401 (this is what it is)

    def __reversed__(self) -> Iterator[Any]:
        return iter(list(self)[::-1])

    def __bool__(self) -> bool:
        return any(True for _ in self)

    def __eq__(self, other: Any) -> Any:
        if other is self:
            return True
        if not isinstance(other, dict):
            return NotImplemented
        return len(self) == len(other) and all(key in other and self[key] == other[key] for key in self)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(real_collection(self))

    def __or__(self, other: Any) -> Any:
        return real_collection(self) | other

    def __ror__(self, other: Any) -> Any:
        return other | real_collection(self)

    def copy(self) -> Any:
        return real_collection(self)

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> Any:
        return deepcopy(real_collection(self), memo)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return real_collection(self).__reduce_ex__(protocol)


for name in ("clear", "pop", "popitem", "setdefault", "update"):
    setattr(LazyDict, name, refusing(f"it calls {name} on a dictionary"))
for name in ("__setitem__", "__delitem__", "__ior__"):
    setattr(LazyDict, name, refusing("it changes a dictionary"))


class FixedDict(LazyDict):
    """A dictionary with given keys."""

    __slots__ = ("_face", "_plan")

    def __init__(self, face: Any, plan: FixedDictPlan) -> None:
        self._face = face
        self._plan = plan

    def __getitem__(self, key: Any) -> Any:
        name = self._plan.names.get(key)
        found = ABSENT if name is None else getattr(self._face, name)
        if found is ABSENT:
            raise KeyError(key)
        return found

    def __contains__(self, key: Any) -> bool:
        name = self._plan.names.get(key)
        return name is not None and getattr(self._face, name) is not ABSENT

    def __iter__(self) -> Iterator[Any]:
        for key, name in self._plan.names.items():
            if getattr(self._face, name) is not ABSENT:
                yield key

    def __len__(self) -> int:
        return sum(1 for _ in self)


class KeyedDict(LazyDict):
    """A dictionary whose keys are made one after the other."""

    __slots__ = ("_known",)

    def __init__(self, known: Entries) -> None:
        self._known = known

    @property
    def _plan(self) -> Any:
        return self._known.plan

    def _find(self, key: Any) -> int | None:
        if type(key).__hash__ is None:
            hash(key)  # raises
        for place, one in enumerate(self):
            if one is key or one == key:
                return place
        return None

    def __getitem__(self, key: Any) -> Any:
        place = self._find(key)
        if place is None:
            raise KeyError(key)
        return self._known.value(place)

    def __contains__(self, key: Any) -> bool:
        return self._find(key) is not None

    def __iter__(self) -> Iterator[Any]:
        known, place = self._known, 0
        while known.longer(place + 1):
            yield known.item(place)
            place += 1

    def __len__(self) -> int:
        return len(self._known.whole())

    def __bool__(self) -> bool:
        return self._known.longer(1)

    def values(self) -> ValuesView[Any]:
        return DictValues(self)

    def items(self) -> ItemsView[Any, Any]:
        return DictItems(self)


class DictValues(ValuesView[Any]):
    """The values, without looking at their keys."""

    __slots__ = ()
    _mapping: KeyedDict

    def __iter__(self) -> Iterator[Any]:
        known, place = self._mapping._known, 0
        while known.longer(place + 1):
            yield known.value(place)
            place += 1


class DictItems(ItemsView[Any, Any]):
    """The items, without looking each value up by its key."""

    __slots__ = ()
    _mapping: KeyedDict

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        known = self._mapping._known
        for place, key in enumerate(self._mapping):
            yield key, known.value(place)
