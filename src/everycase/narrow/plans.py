"""A generator read as places that are decided when looked at: one plan for each part.

Some places can hold something undecided: an object that changes its class, an interval, a list without an end. Others
(None, a boolean, a member of an enum, whatever is opaque) are compared by identity or are read by C code, so they are
decided the moment they are read from the object, list or arguments that contain them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from everycase.choices.trace import Trace
from everycase.enumeration.leaves import is_small
from everycase.gen.base import Gen
from everycase.gen.facts import facts
from everycase.gen.kinds import Build, Const, Defer, Int, List, Map, Union
from everycase.narrow.costs import least
from everycase.narrow.decisions import Alternative, Dead, Decisions, Place
from everycase.narrow.lazy import dict_of, make_face, make_undecided, set_class
from everycase.narrow.numbers import Cell, Range, make_number_type
from everycase.narrow.opaque import Digit, Part
from everycase.narrow.sequences import End, Known, More, Pending, Spine, make_list_type
from everycase.narrow.shapes import Layout, layout_of

#: What was decided: by the id of an undecided object, or by the id of a container and the place in it.
Decided = dict[Any, Any]
#: The unions around an option, each with the number of the choice.
Path = tuple[tuple[Gen[Any], int], ...]

_ABSENT = object()


def wrapped(path: Path, leaf: Trace[Any] | None) -> Trace[Any]:
    """The choices of nested unions around a leaf."""
    result = leaf
    for union, choice in reversed(path):
        result = Trace(choice, (result,), union, clean=False)
    return result if result is not None else Trace()


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
        self.kept: list[Gen[Any]] = []  # so that the ids above stay theirs
        #: a part was met that is made anew for every value, since a test might change it
        self.holds_mutable = False
        self.places: list[Place] = []
        self.number_type, self.make_number = make_number_type(state)
        force = self.make_number.force  # type: ignore[attr-defined]
        self.rebuild[self.number_type] = lambda view: force(view.cell) + view.shift
        self.list_type: Any = make_list_type(state, self.real)
        self.rebuild[self.list_type] = self._real_list
        self.rebuild[Pending] = _not_a_value

    def real(self, value: Any) -> Any:
        """The real value of something lazy; whatever is undecided in it is decided."""
        rebuild = self.rebuild.get(type(value))
        return value if rebuild is None else rebuild(value)

    def _real_list(self, lazy: Any) -> list[Any]:
        known = lazy._known
        self.list_type.whole(known)
        item, real = self.list_type.item, self.real
        return [real(item(known, i)) for i in range(lazy._skip, len(known.items))]

    def plan(self, gen: Gen[Any], place: Place) -> Plan:
        """What is to be decided for one part, at one place."""
        while isinstance(gen, Defer):
            gen = gen.target
        self.kept.append(gen)
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
            case Build():
                shape = self.shape(gen)
                if shape is not None:
                    return One(shape)
            case Map() if is_pick(gen):
                return Choice(self, [*picks(self, gen, (), 0)], place, 0)
        return Opaque(self, gen, place)

    def _union(self, gen: Union[Any], place: Place) -> Plan:
        options = [(path, leaf, self._changes_class(leaf)) for path, leaf in leaves(gen)]
        objects = [(path, leaf) for path, leaf, changes in options if changes]
        if options and len(objects) == len(options):
            return Objects(self, objects, place) if len(objects) > 1 else _Chosen(self, *objects[0])
        base = least(gen)
        if base == math.inf:
            base = 0
        alternatives: list[Alternative] = []
        grouped = False
        for path, leaf, changes in options:
            if changes and len(objects) > 1:
                if not grouped:
                    grouped = True
                    group = Objects(self, objects, place)
                    alternatives.append(Sub(self, (), group, int(group.least - base), place))
            elif isinstance(leaf, Const):
                alternatives.append(Value(path, leaf, leaf.value, 0 - int(base)))
            elif isinstance(leaf, Map) and is_pick(leaf):
                alternatives.extend(picks(self, leaf, path, int(base)))
            else:
                extra = int(least(leaf) - base)
                alternatives.append(Sub(self, path, self._leaf(leaf, place), extra, place))
        alternatives.sort(key=_extra)
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
            self.kept.append(build)
        return self.shapes[id(build)]

    def classes(self) -> list[type]:
        """The classes whose instances may stand half decided, as far as they were met."""
        return [shape.layout.cls for shape in self.shapes.values() if shape is not None]

    def reaches(self, arguments: list[Any], trail: list[list[Any]]) -> bool:
        """Whether all decisions are about parts of the present value."""
        seen = {id(arguments)}
        pending = list(arguments)
        while pending:
            value = pending.pop()
            if type(value) is self.list_type:
                seen |= {id(value._known), id(value._known.items)}
                pending.extend(value._known.items)
            elif type(value) in self.rebuild and type(value) not in (self.number_type, Pending):
                own = dict_of(value)
                seen |= {id(value), id(own)}
                pending.extend(own.values())
        return all(id(_holder(entry[0])) in seen for entry in trail)

    def place(self, owner: Any, name: str) -> Place:
        made = Place(owner, name)
        self.places.append(made)
        return made


def _holder(target: Any) -> Any:
    """The object, list or container that a decision is about."""
    if type(target) is Digit:
        target = target.part
    elif type(target) is Spine:
        return target.known
    return target.container if type(target) in (Slot, Cell, Part) else target


def _extra(alternative: Alternative) -> int:
    return alternative.extra


def _not_a_value(pending: Any) -> Any:
    raise AssertionError("an element that is not decided was taken for a value")


# --- plans ----------------------------------------------------------------------------------------------


class Plan:
    """One part at one place. ``waits`` says that it is decided when it is read from its container."""

    least: float = 0
    waits = False

    def fresh(self, container: Any, key: Any) -> Any:
        """What stands in the container while nobody has looked."""
        return Pending(self)

    def settle(self, container: Any, key: Any, empty: Any = None) -> Any:
        """Decide a part that waits. ``empty`` goes back into the container when that is undone."""
        raise NotImplementedError

    def choices(self, container: Any, key: Any, decided: Decided) -> Trace[Any] | None:
        """The choices that made this part, as a trace for ``enact``."""
        raise NotImplementedError


class Fixed(Plan):
    """A constant."""

    def __init__(self, gen: Const[Any]) -> None:
        self.gen = gen
        self.value = gen.value

    def fresh(self, container: Any, key: Any) -> Any:
        return self.value

    def choices(self, container: Any, key: Any, decided: Decided) -> Trace[Any] | None:
        return Trace(None, (), self.gen, clean=False)


class Number(Plan):
    """An integer, an interval until it is decided."""

    def __init__(self, reader: Reader, gen: Int, place: Place) -> None:
        self.make = reader.make_number
        self.gen = gen
        self.range = Range(gen, place)

    def fresh(self, container: Any, key: Any) -> Any:
        return self.make(self.range, container, key)

    def choices(self, container: Any, key: Any, decided: Decided) -> Trace[Any] | None:
        return Trace(container[key], (), self.gen, clean=False)


class ListOf(Plan):
    """A list whose length and elements are decided one by one."""

    def __init__(self, reader: Reader, gen: List[Any], place: Place) -> None:
        self.least = least(gen)
        self.min_size = gen.min_size
        self.max_size = gen.max_size if least(gen.element) < math.inf else gen.min_size
        self.type = reader.list_type
        self.element_price = 1 + least(gen.element)
        self.place = reader.place(place, "length")
        inner = reader.place(place, "element")
        self.gen = gen
        self._reader, self._inner = reader, inner
        self._element: Plan | None = None
        self.end_only = (End(),)
        if self.element_price < math.inf:
            self.alternatives: Sequence[Alternative] = (End(), More(int(self.element_price)))

    @property
    def element(self) -> Plan:
        found = self._element
        if found is None:
            found = self._element = self._reader.plan(self.gen.element, self._inner)
        return found

    def fresh(self, container: Any, key: Any) -> Any:
        return self.type(Known(self))

    def choices(self, container: Any, key: Any, decided: Decided) -> Trace[Any] | None:
        items = container[key]._known.items
        parts = [self.element.choices(items, i, decided) for i in range(len(items))]
        return Trace(None, parts, self.gen, clean=False)


class Opaque(Plan):
    """A part that is made whole."""

    waits = True

    def __init__(self, reader: Reader, gen: Gen[Any], place: Place) -> None:
        self.least = least(gen)
        self.gen = gen
        self.place = place
        self.state = reader.state
        if not facts(gen).shareable:
            reader.holds_mutable = True

    def settle(self, container: Any, key: Any, empty: Any = None) -> Any:
        return Part(self.gen, container, key, empty, self.place, self.state).make()

    def choices(self, container: Any, key: Any, decided: Decided) -> Trace[Any] | None:
        part = decided.get((id(container), key))
        if part is None:
            # There was nothing to choose, so it can be made again.
            part = Part(self.gen, {}, key, None, self.place, self.state)
            part.make()
        return part.trace


class Slot:
    """The target of a decision about what stands in a container."""

    __slots__ = ("container", "empty", "key")

    def __init__(self, container: Any, key: Any, empty: Any) -> None:
        self.container = container
        self.key = key
        self.empty = empty


class InSlot(Alternative):
    """What may stand in a slot."""

    __slots__ = ("path",)

    path: Path

    def release(self, target: Slot) -> None:
        if target.empty is None:
            target.container.pop(target.key, None)
        else:
            target.container[target.key] = target.empty

    def choices(self, container: Any, key: Any, decided: Decided) -> Trace[Any] | None:
        raise NotImplementedError


class Value(InSlot):
    """A real value; ``number`` is the choice behind a pick."""

    __slots__ = ("gen", "number")

    def __init__(self, path: Path, gen: Any, value: Any, extra: int, number: int | None = None) -> None:
        self.path = path
        self.gen = gen
        self.label = value
        self.extra = extra
        self.number = number

    def place(self, target: Slot) -> None:
        target.container[target.key] = self.label

    def choices(self, container: Any, key: Any, decided: Decided) -> Trace[Any] | None:
        below = () if self.number is None else (Trace(self.number, (), self.gen.source, clean=False),)
        return wrapped(self.path, Trace(None, below, self.gen, clean=False))


class Sub(InSlot):
    """Something that is decided further: an object, an interval, a list, or an opaque part."""

    __slots__ = ("plan", "site", "state")

    def __init__(self, reader: Reader, path: Path, plan: Plan, extra: int, place: Place) -> None:
        self.path = path
        self.plan = plan
        self.extra = extra
        self.state = reader.state
        self.site = place
        self.label = plan.label if isinstance(plan, One) else type(plan).__name__

    def place(self, target: Slot) -> None:
        container, key = target.container, target.key
        if isinstance(self.plan, Opaque):
            Part(self.plan.gen, container, key, target.empty, self.site, self.state).make_again()
        else:
            container[key] = self.plan.fresh(container, key)

    def choices(self, container: Any, key: Any, decided: Decided) -> Trace[Any] | None:
        return wrapped(self.path, self.plan.choices(container, key, decided))


class Choice(Plan):
    """One of several things of different nature: decided when it is read."""

    waits = True

    def __init__(self, reader: Reader, alternatives: list[Alternative], place: Place, base: int) -> None:
        self.least = base
        self.state = reader.state
        self.place = place
        self.alternatives = alternatives
        self.within = affordable(alternatives)

    def settle(self, container: Any, key: Any, empty: Any = None) -> Any:
        state = self.state
        state.push(Slot(container, key, empty), self.within(state.slack), self.place)
        if state.dead:
            raise Dead
        return container[key]

    def choices(self, container: Any, key: Any, decided: Decided) -> Trace[Any] | None:
        found: InSlot = decided[id(container), key, "slot"]
        return found.choices(container, key, decided)


def affordable(alternatives: Sequence[Alternative]) -> Callable[[int], Sequence[Alternative]]:
    """The alternatives that a slack allows; they are in the order of what they cost."""
    dearest = max((alternative.extra for alternative in alternatives), default=0)
    table = [
        tuple(alternative for alternative in alternatives if alternative.extra <= slack)
        for slack in range(min(dearest, 64) + 1)
    ]
    last = len(table) - 1

    def within(slack: int) -> Sequence[Alternative]:
        if slack <= last:
            return table[slack]
        if dearest <= last:
            return table[last]
        return [alternative for alternative in alternatives if alternative.extra <= slack]

    return within


def is_pick(gen: Map[Any]) -> bool:
    """Whether this is one of a few given values: ``sampled_from``, ``booleans``, an enum."""
    source = gen.source
    return (
        isinstance(source, Int)
        and gen.share
        and is_small(source)
        and source.hi is not None
        and source.lo is not None
        and source.hi - source.lo < 256
    )


def picks(reader: Reader, gen: Map[Any], path: Path, base: int) -> list[Value]:
    source = gen.source
    assert isinstance(source, Int) and source.lo is not None and source.hi is not None
    return [Value(path, gen, gen.f(i), -base, i) for i in range(source.lo, source.hi + 1)]


# --- objects --------------------------------------------------------------------------------------------


class Shape:
    """The half-decided instances of one constructor. The face is made when it is first needed."""

    def __init__(self, reader: Reader, build: Build[Any], layout: Layout) -> None:
        self.reader = reader
        self.build = build
        self.layout = layout
        self._face: type | None = None
        self.plans: list[Plan] = []
        self.fill: Callable[[dict[str, Any]], None] = _nothing

    @property
    def face(self) -> type:
        if self._face is None:
            self._compile()
        assert self._face is not None
        return self._face

    def _compile(self) -> None:
        reader, layout, build = self.reader, self.layout, self.build
        cls = layout.cls
        owner: Any = "" if cls is tuple else cls
        plans = [
            reader.plan(part, reader.place(owner, f"[{name[1:]}]" if cls is tuple else name))
            for name, part in zip(layout.names, build.parts)
        ]
        waiting = {name: Reading(name, plan) for name, plan in zip(layout.names, plans) if plan.waits}
        self.plans = plans
        self.fill = _filler(layout, plans)
        rebuild = _rebuilder(self) or self.rebuild
        self._face = make_face(cls, layout.names, waiting, reader.state, rebuild)
        reader.rebuild[self._face] = rebuild

    def rebuild(self, face: Any) -> Any:
        """The real object."""
        values = []
        own, real = dict_of(face), self.reader.rebuild
        for name, plan in zip(self.layout.names, self.plans):
            value = own.get(name, _ABSENT)
            if value is _ABSENT:
                value = plan.settle(own, name)
            make = real.get(type(value))
            values.append(value if make is None else make(value))
        build = self.build
        return build.construct(values) if build.names else build.make(*values)

    def choices(self, face: Any, decided: Decided) -> Trace[Any]:
        own = dict_of(face)
        parts = [plan.choices(own, name, decided) for name, plan in zip(self.layout.names, self.plans)]
        return Trace(None, parts, self.build, clean=False)


class Reading:
    """The field of a face that is decided when it is read; what is decided stands in the ``__dict__``, before this."""

    __slots__ = ("name", "plan")

    def __init__(self, name: str, plan: Plan) -> None:
        self.name = name
        self.plan = plan

    def __get__(self, face: Any, owner: Any = None) -> Any:
        return self if face is None else self.plan.settle(dict_of(face), self.name)


def _nothing(own: dict[str, Any]) -> None:
    """Nothing to put into the ``__dict__``."""


def _filler(layout: Layout, plans: list[Plan]) -> Callable[[dict[str, Any]], None]:
    """The function that puts undecided parts into the ``__dict__`` of a face. Few objects are spelled out: this is
    where a search spends much of its time."""
    fields = [(name, plan) for name, plan in zip(layout.names, plans) if not plan.waits]
    if not fields and not layout.defaults:
        return _nothing
    if not layout.defaults and all(isinstance(plan, Objects) for _, plan in fields):
        kinds: list[Any] = [(name, plan.undecided) for name, plan in fields]  # type: ignore[attr-defined]
        if len(kinds) == 1:
            ((only, one),) = kinds

            def fill_one(own: dict[str, Any]) -> None:
                own[only] = one()

            return fill_one
        if len(kinds) == 2:
            (first, a), (second, b) = kinds

            def fill_two(own: dict[str, Any]) -> None:
                own[first] = a()
                own[second] = b()

            return fill_two

    def fill(own: dict[str, Any]) -> None:
        for name, plan in fields:
            own[name] = plan.fresh(own, name)
        for name, default in layout.defaults:
            own[name] = default()

    return fill


def _rebuilder(shape: Shape) -> Callable[[Any], Any] | None:
    """A faster :meth:`Shape.rebuild` for constructors with few parts; every value found is made by it."""
    names, make, real = shape.layout.names, shape.build.make, shape.reader.rebuild
    if shape.build.names or any(plan.waits for plan in shape.plans) or len(names) > 2:
        return None
    if not names:
        return lambda face: make()
    if len(names) == 1:
        (only,) = names

        def rebuild_one(face: Any) -> Any:
            part = dict_of(face)[only]
            inner = real.get(type(part))
            return make(part if inner is None else inner(part))

        return rebuild_one
    first, second = names

    def rebuild_two(face: Any) -> Any:
        own = dict_of(face)
        a, b = own[first], own[second]
        inner, other = real.get(type(a)), real.get(type(b))
        return make(a if inner is None else inner(a), b if other is None else other(b))

    return rebuild_two


class One(Plan):
    """An instance of a known constructor: nothing to decide but its parts."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.least = least(shape.build)
        self.label = shape.layout.cls

    def fresh(self, container: Any, key: Any) -> Any:
        shape = self.shape
        made = shape.face()
        shape.fill(dict_of(made))
        return made

    def choices(self, container: Any, key: Any, decided: Decided) -> Trace[Any] | None:
        return self.shape.choices(container[key], decided)


class _Chosen(One):
    """The only option of a union that has values."""

    def __init__(self, reader: Reader, path: Path, leaf: Any) -> None:
        shape = reader.shape(leaf)
        assert shape is not None
        super().__init__(shape)
        self.path = path

    def choices(self, container: Any, key: Any, decided: Decided) -> Trace[Any] | None:
        return wrapped(self.path, super().choices(container, key, decided))


class Becoming(Alternative):
    """An undecided object becomes an instance of this class."""

    __slots__ = ("path", "place", "release", "shape")

    place: Any
    release: Any

    def __init__(self, path: Path, shape: Shape, extra: int, undecided: type) -> None:
        self.path = path
        self.shape = shape
        self.extra = extra
        self.label = shape.layout.cls
        face, fill = shape.face, shape.fill
        get_dict, become = dict_of, set_class

        def place(target: Any) -> None:
            own = get_dict(target)
            own.clear()
            fill(own)
            become(target, face)

        def place_leaf(target: Any) -> None:
            get_dict(target).clear()
            become(target, face)

        def release(target: Any) -> None:
            get_dict(target).clear()
            become(target, undecided)

        self.place = place_leaf if fill is _nothing else place
        self.release = release


class Objects(Plan):
    """An instance of one of several classes: an object that becomes one of them."""

    def __init__(self, reader: Reader, options: list[tuple[Path, Any]], place: Place) -> None:
        self.reader = reader
        self.options = options
        self.least = min(least(build) for _, build in options)
        self.place = place
        self._within: Callable[[int], Sequence[Alternative]] | None = None
        shapes = [reader.shape(build) for _, build in options]
        classes = [shape.layout.cls for shape in shapes if shape is not None]
        state = reader.state
        trail = state.trail

        def decide(hole: Any) -> Any:
            within = self._within or self._compile()
            slack = state.slack
            alternatives = within(slack)
            if state.arrange is not None and len(alternatives) > 1:
                alternatives = state.arrange(place, alternatives)
            first = alternatives[0]
            trail.append([hole, alternatives, 0, slack, place])
            state.slack = slack - first.extra
            first.place(hole)
            return first.label

        def rebuild(hole: Any) -> Any:
            decide(hole)
            return reader.rebuild[type(hole)](hole)

        self.undecided = make_undecided(f"undecided {place}", classes, decide, state, rebuild)
        reader.rebuild[self.undecided] = rebuild

    def _compile(self) -> Callable[[int], Sequence[Alternative]]:
        alternatives = []
        for path, build in self.options:
            shape = self.reader.shape(build)
            assert shape is not None
            alternatives.append(Becoming(path, shape, int(least(build) - self.least), self.undecided))
        alternatives.sort(key=_extra)
        self._within = affordable(alternatives)
        return self._within

    def fresh(self, container: Any, key: Any) -> Any:
        return self.undecided()

    def choices(self, container: Any, key: Any, decided: Decided) -> Trace[Any] | None:
        hole = container[key]
        chosen: Becoming = decided[id(hole)]
        return wrapped(chosen.path, chosen.shape.choices(hole, decided))


def decided_by(trail: list[list[Any]]) -> Decided:
    """What the trail says about each place."""
    found: Decided = {}
    for target, alternatives, number, _, _ in trail:
        if type(target) is Slot:
            found[id(target.container), target.key, "slot"] = alternatives[number]
        elif type(target) is Digit:
            part = target.part
            found[id(part.container), part.key] = part
        elif isinstance(alternatives[number], Becoming):
            found[id(target)] = alternatives[number]
    return found
