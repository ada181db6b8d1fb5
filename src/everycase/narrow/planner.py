"""Reading generators for one search: which plan belongs to which part."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from everycase.gen.base import Gen
from everycase.gen.graph import nodes, resolved
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
from everycase.narrow.lazy.constructors import LazyConstructor
from everycase.narrow.lazy.dicts import (
    FixedDict,
    FixedDictPlan,
    KeyedDict,
    KeyedDictPlan,
    fixed_keys,
    is_keyed,
)
from everycase.narrow.lazy.distinct import (
    DistinctPlan,
    LazyFrozenset,
    LazySet,
    SetPlan,
    is_set,
    real_collection,
)
from everycase.narrow.lazy.intervals import Cell, decided
from everycase.narrow.lazy.ints import LazyInt, LinearInt
from everycase.narrow.lazy.layout import layout_of
from everycase.narrow.lazy.lists import LazyList, Pending, Spine
from everycase.narrow.lazy.objects import Lazy, fields_of
from everycase.narrow.lazy.slots import ChoicePlan, Slot, Subplan, Value, is_pick, picks
from everycase.narrow.lazy.text import LazyText, TextPlan, is_text, real_text
from everycase.narrow.lazy.unions import Becoming, ObjectPlan, OnlyOptionPlan, UnionPlan
from everycase.narrow.lazy.whole import Digit, WholePart
from everycase.narrow.plan import ConstantPlan, Context, Decided, IntPlan, ListPlan, Path, Plan, WholePlan
from everycase.narrow.trail import Alternative, Decisions, Place, by_price
from everycase.sizes.least import least


def leaves(gen: Gen[Any], path: Path = ()) -> list[tuple[Path, Gen[Any]]]:
    """The options of a union, including those of unions inside it, with the choices that lead to them."""
    gen = resolved(gen)
    if not isinstance(gen, Union):
        return [(path, gen)] if least(gen) < math.inf else []
    return [leaf for i, option in enumerate(gen.options) for leaf in leaves(option, (*path, (gen, i)))]


class Planner(Context):
    """Reads generators for one search: makes the plans and the lazy types that share its trail."""

    def __init__(self, state: Decisions) -> None:
        super().__init__(state)
        self.constructors: dict[int, LazyConstructor | None] = {}
        self.read: list[Gen[Any]] = []  # so that the ids above stay unique
        self.rebuild[LazyInt] = decided
        self.rebuild[LinearInt] = LinearInt._decided
        self.rebuild[LazyList] = self._real_list
        self.rebuild[LazyText] = real_text
        for made in (FixedDict, KeyedDict, LazySet, LazyFrozenset):
            self.rebuild[made] = real_collection
        self.rebuild[Pending] = _not_a_value

    def _real_list(self, lazy: Any) -> list[Any]:
        known = lazy._known
        item, real = known.item, self.real
        return [real(item(i), known.plan.element) for i in range(lazy._skip, len(known.whole()))]

    def decide(self, values: Iterable[Any]) -> None:
        """Decide everything undecided in some values, however deeply it is nested."""
        seen: set[int] = set()
        # In the order in which real values are made: the search continues from the last decision.
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
        """The parts of something whose class is decided, each decided that far when it is requested."""
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
        """The plan for one part, at one place."""
        gen = resolved(gen)
        self.read.append(gen)
        return PLANS[type(gen)](self, gen, place)

    def list_plan(self, gen: List[Any], place: Place) -> Plan:
        return ListPlan(self, gen, place) if gen.unique_by is None else DistinctPlan(self, gen, place)

    def object_plan(self, gen: Build[Any], place: Place) -> Plan:
        constructor = self.constructor(gen)
        return ObjectPlan(constructor) if constructor is not None else WholePlan(self, gen, place)

    def map_plan(self, gen: Map[Any], place: Place) -> Plan:
        if is_pick(gen):
            return ChoicePlan(self, [*picks(gen)], place, 0)
        if is_text(gen):
            return TextPlan(self, gen, place)
        if is_set(gen):
            return SetPlan(self, gen, place)
        if is_keyed(gen):
            return KeyedDictPlan(self, gen, place)
        if fixed_keys(gen) is not None:
            assert isinstance(gen.source, Build)
            constructor = self.constructor(gen.source)
            if constructor is not None:
                return FixedDictPlan(self, gen, constructor)
        return WholePlan(self, gen, place)

    def union_plan(self, gen: Union[Any], place: Place) -> Plan:
        options = [(path, leaf, self._changes_class(leaf)) for path, leaf in leaves(gen)]
        objects = [(path, leaf) for path, leaf, changes in options if changes]
        if options and len(objects) == len(options):
            return UnionPlan(self, objects, place) if len(objects) > 1 else OnlyOptionPlan(self, *objects[0])
        base = least(gen)
        if base == math.inf:
            base = 0
        alternatives: list[Alternative] = []
        grouped = False
        for path, leaf, changes in options:
            if changes and len(objects) > 1:
                if not grouped:
                    grouped = True
                    group = UnionPlan(self, objects, place, alone=False)
                    alternatives.append(Subplan(self, (), group, int(group.least - base), place))
            elif isinstance(leaf, Const):
                alternatives.append(Value(path, leaf, leaf.value, 0 - int(base)))
            elif isinstance(leaf, Map) and is_pick(leaf):
                alternatives.extend(picks(leaf, path, int(base)))
            else:
                extra = int(least(leaf) - base)
                alternatives.append(Subplan(self, path, PLANS[type(leaf)](self, leaf, place), extra, place))
        alternatives.sort(key=by_price)
        return ChoicePlan(self, alternatives, place, int(base))

    def _changes_class(self, leaf: Gen[Any]) -> bool:
        """Whether an undecided object can become this. Tuples cannot: sequence patterns check the type."""
        constructor = self.constructor(leaf) if isinstance(leaf, Build) else None
        return constructor is not None and not issubclass(constructor.layout.cls, tuple)

    def constructor(self, build: Build[Any]) -> LazyConstructor | None:
        """How instances of a constructor are half decided; None if they cannot be."""
        if id(build) not in self.constructors:
            layout = layout_of(build)
            self.constructors[id(build)] = None if layout is None else LazyConstructor(self, build, layout)
            self.read.append(build)
        return self.constructors[id(build)]

    def kept(self, arguments: list[Any], trail: list[list[Any]]) -> str | None:
        """What the predicate has stored, in words: something in a part of the value, or a part of an earlier
        value."""
        seen = {id(arguments)}
        # Other objects of such classes are real ones, in which other code may have stored something.
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
                    return f"it stores something in a {value.__class__.__name__}, as {name}"
                seen.add(id(value))
                seen.add(id(own))
                pending.extend(own.values())
        if all(id(_holder(entry[0])) in seen for entry in trail):
            return None
        return "it looks at parts of values from earlier calls, which it (or a function it calls) has stored"


#: Which parts stand half decided: a part without a plan of its own is made whole.
PLANS: dict[type[Any], Callable[[Planner, Any, Place], Plan]] = total(
    "plans of half-decided parts",
    {
        Const: lambda planner, gen, place: ConstantPlan(gen),
        Int: IntPlan,
        Float: WholePlan,
        Union: Planner.union_plan,
        Build: Planner.object_plan,
        List: Planner.list_plan,
        Map: Planner.map_plan,
        Filter: WholePlan,
        Bind: WholePlan,
        Defer: WholePlan,
        Composite: WholePlan,
        Live: WholePlan,
    },
)


def has_own_plan(gen: Map[Any]) -> bool:
    """Whether values of a function stand half decided by a plan of their own: picks, text, sets, dictionaries."""
    return is_pick(gen) or is_text(gen) or is_set(gen) or is_keyed(gen) or fixed_keys(gen) is not None


def classes_in(gens: Iterable[Gen[Any]]) -> list[type]:
    """The classes that generators make instances of."""
    makes = (gen.make for gen in nodes_of(gens) if isinstance(gen, Build))
    return list(dict.fromkeys(make for make in makes if isinstance(make, type)))


def is_label(label: Any, gens: Iterable[Gen[Any]]) -> bool:
    """Whether an alternative of some decision has this label: a class, a constant, one of a few values, a
    number."""
    return any(LABELLED[type(gen)](gen, label) for gen in nodes_of(gens))


def _not_labelled(gen: Gen[Any], label: Any) -> bool:
    return False


#: Whether an alternative of a decision about a part has a label.
LABELLED: dict[type[Any], Callable[[Any, Any], bool]] = total(
    "labels of alternatives",
    {
        Build: lambda gen, label: gen.make is label,
        Const: lambda gen, label: bool(gen.value == label),
        Map: lambda gen, label: is_pick(gen) and any(value.label == label for value in picks(gen)),
        Int: lambda gen, label: isinstance(label, int),
        **dict.fromkeys((Float, Union, List, Filter, Bind, Defer, Composite, Live), _not_labelled),
    },
)


def draws_while_testing(gens: Iterable[Gen[Any]]) -> bool:
    """Whether there is a ``data()`` among the generators: its values are not known before the test has
    run."""
    return any(isinstance(gen, Live) for gen in nodes_of(gens))


def nodes_of(gens: Iterable[Gen[Any]]) -> Iterator[Gen[Any]]:
    """The generators and all their parts, each once."""
    return (node for gen in gens for node in nodes(gen))


def _holder(target: Any) -> Any:
    """The object, list or container that a decision is about."""
    if type(target) is Digit:
        target = target.part
    elif type(target) is Spine:
        return target.known
    elif isinstance(target, Cell):
        return target._container
    return target.container if isinstance(target, Slot | WholePart) else target[0]


def _not_a_value(pending: Any) -> Any:
    raise AssertionError("an element that is not decided was taken for a value")


def decided_by(trail: list[list[Any]]) -> Decided:
    """The decisions on the trail, by place."""
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
