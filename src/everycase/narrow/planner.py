"""Reading generators for one search: which plan belongs to which part."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from everycase.gen.base import Gen
from everycase.gen.graph import nodes
from everycase.gen.kinds import Build, Const, Defer, Int, List, Live, Map, Union
from everycase.narrow.lazy.dicts import DictOf, FixedDict, KeyedDict, KeyedOf, fixed_keys, is_keyed
from everycase.narrow.lazy.distinct import (
    DistinctOf,
    LazyFrozenset,
    LazySet,
    SetOf,
    is_set,
    real_collection,
)
from everycase.narrow.lazy.ints import Cell, Range, make_number_types
from everycase.narrow.lazy.layout import Layout, layout_of
from everycase.narrow.lazy.lists import LazyList, Pending, Spine
from everycase.narrow.lazy.objects import Lazy, fields_of
from everycase.narrow.lazy.slots import Choice, Slot, Sub, Value, is_pick, picks
from everycase.narrow.lazy.text import LazyText, TextOf, is_text, real_text
from everycase.narrow.lazy.unions import Becoming, Objects, One, OnlyOption, Shape
from everycase.narrow.lazy.whole import Digit, Part
from everycase.narrow.plan import Decided, Fixed, ListOf, Number, Opaque, Path, Plan
from everycase.narrow.trail import Alternative, Decisions, Place, by_price
from everycase.sizes.least import least


def leaves(gen: Gen[Any], path: Path = ()) -> list[tuple[Path, Gen[Any]]]:
    """The options of a union, those of unions inside it included, with the choices that lead to them."""
    while isinstance(gen, Defer):
        gen = gen.target
    if not isinstance(gen, Union):
        return [(path, gen)] if least(gen) < math.inf else []
    return [leaf for i, option in enumerate(gen.options) for leaf in leaves(option, (*path, (gen, i)))]


class Reader:
    """Reads generators for one search: makes the plans and the lazy types that share its trail."""

    def __init__(self, state: Decisions) -> None:
        self.state = state
        #: makes the real value of each lazy type
        self.rebuild: dict[type, Callable[[Any], Any]] = {}
        self.shapes: dict[int, Shape | None] = {}
        #: the types of what is half decided, and the fields that instances have
        self.fields: dict[type, dict[str, None]] = {}
        self.read: list[Gen[Any]] = []  # so that the ids above stay theirs
        #: a part was met that is made anew for every value, since a test might change it
        self.holds_mutable = False
        self.places: list[Place] = []
        #: what integers are decided from
        self.ranges: list[Range] = []
        self.wide = False
        numbers, self.make_number, decide_number = make_number_types(state)
        self.rebuild.update(dict.fromkeys(numbers, decide_number))
        self.rebuild[LazyList] = self._real_list
        self.rebuild[LazyText] = real_text
        for made in (FixedDict, KeyedDict, LazySet, LazyFrozenset):
            self.rebuild[made] = real_collection
        self.rebuild[Pending] = _not_a_value

    def widen(self, wide: bool) -> None:
        """Whether large numbers cost nothing, in the searches that begin after this."""
        self.wide = wide
        for one in self.ranges:
            one.widen(wide)

    def know(self, face: type, layout: Layout) -> None:
        """There are half-decided instances of this type."""
        names = [*layout.names, *[name for name, _ in layout.defaults]]
        self.fields.setdefault(face, {}).update(dict.fromkeys(names))

    def real(self, value: Any, plan: Plan | None = None) -> Any:
        """The real value of something lazy; whatever is undecided in it is decided. The plan of its place is needed
        for objects, which may be known by their place only."""
        kind = type(value)
        rebuild = (plan.rebuild.get(kind) if plan is not None else None) or self.rebuild.get(kind)
        return value if rebuild is None else rebuild(value)

    def _real_list(self, lazy: Any) -> list[Any]:
        known = lazy._known
        item, real = known.item, self.real
        return [real(item(i), known.plan.element) for i in range(lazy._skip, len(known.whole()))]

    def decide(self, values: Iterable[Any]) -> None:
        """Decide whatever is undecided in some values, however deep it is nested."""
        seen: set[int] = set()
        # In the order in which real values are made: the search goes on from the last decision.
        stack = [iter(values)]
        while stack:
            for value in stack[-1]:
                value.__class__  # noqa: B018 (an undecided object becomes one of its class by this)
                if id(value) not in seen:
                    seen.add(id(value))
                    stack.append(self._parts(value))
                    break
            else:
                stack.pop()

    def _parts(self, value: Any) -> Iterator[Any]:
        """The parts of something whose class is decided, each decided as far as that when it is asked for."""
        kind = type(value)
        if kind is LazyList:
            value._known.whole()
            yield from value
        elif kind is LazyText:
            str(value)
        elif kind is FixedDict:
            yield value._face
        elif kind is KeyedDict:
            value._known.whole()
            yield from value.values()
        elif kind in self.fields:
            for name in self.fields[kind]:
                yield getattr(value, name)
        else:
            self.real(value)

    def plan(self, gen: Gen[Any], place: Place) -> Plan:
        """What is to be decided for one part, at one place."""
        while isinstance(gen, Defer):
            gen = gen.target
        self.read.append(gen)
        if isinstance(gen, Union):
            return self._union(gen, place)
        return self._leaf(gen, place)

    def _leaf(self, gen: Gen[Any], place: Place) -> Plan:
        match gen:
            case Const():
                return Fixed(gen)
            case Int():
                return Number(self, gen, place)
            case List() if gen.unique_by is None:
                return ListOf(self, gen, place)
            case List():
                return DistinctOf(self, gen, place)
            case Build():
                shape = self.shape(gen)
                if shape is not None:
                    return One(shape)
            case Map() if is_pick(gen):
                return Choice(self, [*picks(gen)], place, 0)
            case Map() if is_text(gen):
                return TextOf(self, gen, place)
            case Map() if is_set(gen):
                return SetOf(self, gen, place)
            case Map() if is_keyed(gen):
                return KeyedOf(self, gen, place)
            case Map() if fixed_keys(gen) is not None:
                assert isinstance(gen.source, Build)
                shape = self.shape(gen.source)
                if shape is not None:
                    return DictOf(self, gen, shape)
        return Opaque(self, gen, place)

    def _union(self, gen: Union[Any], place: Place) -> Plan:
        options = [(path, leaf, self._changes_class(leaf)) for path, leaf in leaves(gen)]
        objects = [(path, leaf) for path, leaf, changes in options if changes]
        if options and len(objects) == len(options):
            return Objects(self, objects, place) if len(objects) > 1 else OnlyOption(self, *objects[0])
        base = least(gen)
        if base == math.inf:
            base = 0
        alternatives: list[Alternative] = []
        grouped = False
        for path, leaf, changes in options:
            if changes and len(objects) > 1:
                if not grouped:
                    grouped = True
                    group = Objects(self, objects, place, alone=False)
                    alternatives.append(Sub(self, (), group, int(group.least - base), place))
            elif isinstance(leaf, Const):
                alternatives.append(Value(path, leaf, leaf.value, 0 - int(base)))
            elif isinstance(leaf, Map) and is_pick(leaf):
                alternatives.extend(picks(leaf, path, int(base)))
            else:
                extra = int(least(leaf) - base)
                alternatives.append(Sub(self, path, self._leaf(leaf, place), extra, place))
        alternatives.sort(key=by_price)
        return Choice(self, alternatives, place, int(base))

    def _changes_class(self, leaf: Gen[Any]) -> bool:
        """Whether an undecided object can become this. Tuples cannot: sequence patterns ask the type."""
        shape = self.shape(leaf) if isinstance(leaf, Build) else None
        return shape is not None and not issubclass(shape.layout.cls, tuple)

    def shape(self, build: Build[Any]) -> Shape | None:
        """How instances of a constructor stand half decided; None if they cannot."""
        if id(build) not in self.shapes:
            layout = layout_of(build)
            self.shapes[id(build)] = None if layout is None else Shape(self, build, layout)
            self.read.append(build)
        return self.shapes[id(build)]

    def kept(self, arguments: list[Any], trail: list[list[Any]]) -> str | None:
        """What the predicate has kept, in words: something in a part of the value, or a part of an earlier value."""
        seen = {id(arguments)}
        # The other objects of such classes are real ones, in which somebody else may have kept something.
        became = {id(entry[0][0]) for entry in trail if type(entry[0]) is tuple}
        pending = list(arguments)
        while pending:
            value = pending.pop()
            if type(value) is LazyText:
                value = value._list
            if type(value) in (LazyList, LazySet, LazyFrozenset, KeyedDict):
                known = value._known
                seen |= {id(known), id(known.items)}
                pending.extend(known.items)
                if type(value) is KeyedDict:
                    seen.add(id(known.values))
                    pending.extend(known.values)
            elif type(value) is FixedDict:
                pending.append(value._face)
            elif (
                type(value) in self.fields
                and id(value) not in seen
                and (id(value) in became or issubclass(type(value), Lazy))
            ):
                own, names = fields_of(value), self.fields[type(value)].keys()
                if not own.keys() <= names:
                    name = min(own.keys() - names)
                    return f"it keeps something in a {value.__class__.__name__}, as {name}"
                seen.add(id(value))
                seen.add(id(own))
                pending.extend(own.values())
        if all(id(_holder(entry[0])) in seen for entry in trail):
            return None
        return "it looks at parts of values from earlier calls, which it (or something it calls) keeps"

    def place(self, owner: Any, name: str) -> Place:
        made = Place(owner, name)
        self.places.append(made)
        return made


def classes_in(gens: Iterable[Gen[Any]]) -> list[type]:
    """The classes that generators make instances of."""
    makes = (gen.make for gen in nodes_of(gens) if isinstance(gen, Build))
    return list(dict.fromkeys(make for make in makes if isinstance(make, type)))


def is_label(label: Any, gens: Iterable[Gen[Any]]) -> bool:
    """Whether an alternative of some decision can be called so: a class, a constant, one of a few values, a number."""
    for gen in nodes_of(gens):
        match gen:
            case Build() if gen.make is label:
                return True
            case Const() if gen.value == label:
                return True
            case Map() if is_pick(gen) and any(value.label == label for value in picks(gen)):
                return True
            case Int() if isinstance(label, int):
                return True
    return False


def draws_while_testing(gens: Iterable[Gen[Any]]) -> bool:
    """Whether there is a ``data()`` among the generators: its values are not known before the test has run."""
    return any(isinstance(gen, Live) for gen in nodes_of(gens))


def nodes_of(gens: Iterable[Gen[Any]]) -> Iterator[Gen[Any]]:
    """The generators and all that they are made of, each once."""
    return (node for gen in gens for node in nodes(gen))


def _holder(target: Any) -> Any:
    """The object, list or container that a decision is about."""
    if type(target) is Digit:
        target = target.part
    elif type(target) is Spine:
        return target.known
    elif isinstance(target, Cell):
        return target._container
    return target.container if isinstance(target, Slot | Part) else target[0]


def _not_a_value(pending: Any) -> Any:
    raise AssertionError("an element that is not decided was taken for a value")


def decided_by(trail: list[list[Any]]) -> Decided:
    """What the trail says about each place."""
    found = Decided()
    for target, alternatives, number, _, _ in trail:
        if type(target) is Slot:
            found[id(target.container), target.key, "slot"] = alternatives[number]
        elif type(target) is Digit:
            part = target.part
            found[id(part.container), part.key] = part
        elif isinstance(alternatives[number], Becoming):
            found[id(target[0])] = alternatives[number]
    return found
