"""Objects of several classes, undecided until somebody asks which, and their fields."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from everycase.choices.trace import Trace
from everycase.gen.facts import facts
from everycase.gen.kinds import Build
from everycase.narrow.costs import least
from everycase.narrow.decisions import Alternative, Place, affordable, by_price
from everycase.narrow.lazy import dict_of, make_face, make_undecided, set_class
from everycase.narrow.plans import Decided, Fixed, Path, Plan, wrapped
from everycase.narrow.shapes import Layout

if TYPE_CHECKING:
    from everycase.narrow.reader import Reader

#: So many real objects of one constructor are kept for the values that come next.
MOST_MADE = 1000


class Shape:
    """The half-decided instances of one constructor. The face is made when it is first needed."""

    def __init__(self, reader: Reader, build: Build[Any], layout: Layout) -> None:
        self.reader = reader
        self.build = build
        self.layout = layout
        self._face: type | None = None
        self.plans: list[Plan] = []
        #: the real objects made so far, by the ids of their parts (which they keep alive); None if a test might change
        #: them, so that each value needs its own
        self.made: dict[Any, Any] | None = {} if facts(build).shareable else None
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
        rebuild = _rebuilder(self)
        self._face = make_face(cls, layout.names, waiting, reader.state, rebuild)
        reader.rebuild[self._face] = rebuild

    def keep(self, key: Any, made: Any) -> Any:
        """Remember a real object, so that the same parts make the same object next time."""
        assert self.made is not None
        if len(self.made) >= MOST_MADE:
            self.made.clear()
        self.made[key] = made
        return made

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


def _rebuilder(shape: Shape) -> Callable[[Any], Any]:
    """The function that makes the real object of a face; what is undecided in it is decided.

    Every value that is found is made by these functions, so they are written out for each constructor, as dataclasses
    do it with ``__init__``.
    """
    build, made = shape.build, shape.made
    if not shape.layout.names:
        if made is None:
            return lambda face: build.make()
        only = build.make()
        return lambda face: only
    positional = len(build.parts) - len(build.names)
    lines, given = ["def rebuild(face):"], []
    for i, (name, plan) in enumerate(zip(shape.layout.names, shape.plans)):
        # A field that waits is decided by reading it.
        lines.append(f"    part{i} = face.{name}")
        if not isinstance(plan, Fixed):
            lines.append(f"    make = real(type(part{i}))")
            lines.append(f"    if make is not None: part{i} = make(part{i})")
        given.append(f"part{i}" if i < positional else f"{build.names[i - positional]}=part{i}")
    ids = ", ".join(f"id(part{i})" for i in range(len(given)))
    call = f"construct({', '.join(given)})"
    if made is None:
        lines.append(f"    return {call}")
    else:
        lines.append(f"    key = ({ids})")
        lines.append("    known = made(key)")
        lines.append(f"    return keep(key, {call}) if known is None else known")
    names: dict[str, Any] = {"real": shape.reader.rebuild.get, "construct": build.make, "keep": shape.keep}
    if made is not None:
        names["made"] = made.get
    exec("\n".join(lines), names)
    return names["rebuild"]  # type: ignore[no-any-return]


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


class OnlyOption(One):
    """The only option of a union that has values."""

    def __init__(self, reader: Reader, path: Path, leaf: Any) -> None:
        shape = reader.shape(leaf)
        assert shape is not None
        super().__init__(shape)
        self.path = path

    def choices(self, container: Any, key: Any, decided: Decided) -> Trace[Any] | None:
        return wrapped(self.path, super().choices(container, key, decided))


#: An undecided object and its ``__dict__``, which is asked for once.
Hole = tuple[Any, dict[str, Any]]


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
        face, fill, become = shape.face, shape.fill, set_class

        def place(target: Hole) -> None:
            hole, own = target
            own.clear()
            fill(own)
            become(hole, face)

        def place_leaf(target: Hole) -> None:
            hole, own = target
            own.clear()
            become(hole, face)

        def release(target: Hole) -> None:
            hole, own = target
            own.clear()
            become(hole, undecided)

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
            target = hole, dict_of(hole)
            trail.append([target, alternatives, 0, slack, place])
            state.slack = slack - first.extra
            first.place(target)
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
        alternatives.sort(key=by_price)
        self._within = affordable(alternatives)
        return self._within

    def fresh(self, container: Any, key: Any) -> Any:
        return self.undecided()

    def choices(self, container: Any, key: Any, decided: Decided) -> Trace[Any] | None:
        hole = container[key]
        chosen: Becoming = decided[id(hole)]
        return wrapped(chosen.path, chosen.shape.choices(hole, decided))
