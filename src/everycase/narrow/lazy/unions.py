"""Objects of several classes, undecided until somebody asks which, and their fields."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from everycase.choices.trace import Trace
from everycase.gen.facts import facts
from everycase.gen.kinds import Build
from everycase.narrow.lazy.generated import write_fill, write_rebuild
from everycase.narrow.lazy.layout import Layout
from everycase.narrow.lazy.objects import (
    becomes_itself,
    dict_of,
    fields_of,
    make_face,
    make_undecided,
    set_class,
    special_methods,
)
from everycase.narrow.plan import Decided, Path, Plan, wrapped
from everycase.narrow.trail import Alternative, Place, affordable, by_price
from everycase.sizes.least import least

if TYPE_CHECKING:
    from everycase.narrow.planner import Reader

#: So many real objects of one constructor are kept for the values that come next.
MOST_MADE = 1000


class Shape:
    """The half-decided instances of one constructor. The face is made when it is first needed."""

    def __init__(self, reader: Reader, build: Build[Any], layout: Layout) -> None:
        self.reader = reader
        self.build = build
        self.layout = layout
        #: the real objects made so far, by the ids of their parts (which they keep alive); None if a test might change
        #: them, so that each value needs its own
        self.made: dict[Any, Any] | None = {} if facts(build).shareable else None

    @cached_property
    def plans(self) -> list[Plan]:
        reader, layout = self.reader, self.layout
        owner: Any = "" if layout.cls is tuple else layout.cls
        return [
            reader.plan(part, reader.place(owner, name if owner else f"[{name[1:]}]"))
            for name, part in zip(layout.names, self.build.parts)
        ]

    @cached_property
    def fill(self) -> Callable[[dict[str, Any]], None] | None:
        """Puts undecided parts into the fields."""
        return write_fill(self)

    @cached_property
    def face(self) -> type:
        """The class of what stands for half-decided instances everywhere."""
        names, state = self.layout.names, self.reader.state
        waiting = {name: Reading(name, plan) for name, plan in zip(names, self.plans) if plan.waits}
        face = make_face(self.layout.cls, names, waiting, state, self.rebuild)
        self.reader.rebuild[face] = self.rebuild
        self.reader.know(face, self.layout)
        return face

    @cached_property
    def kind(self) -> type:
        """The class of half-decided instances where nothing else can stand: the real one, if that can be."""
        cls, names = self.layout.cls, self.layout.names
        if any(plan.waits for plan in self.plans) or not becomes_itself(cls, names):
            return self.face
        self.reader.know(cls, self.layout)
        return cls

    @cached_property
    def special(self) -> set[str]:
        return special_methods(self.layout.cls)

    @cached_property
    def rebuild(self) -> Callable[[Any], Any]:
        """Makes the real object; what is undecided in it is decided."""
        return write_rebuild(self)

    @cached_property
    def rebuild_whole(self) -> Callable[[Any], Any]:
        """Makes a real object that is part of no other, so that nobody asks for it again."""
        return write_rebuild(self, keep=False)

    def keep(self, key: Any, made: Any) -> Any:
        """Remember a real object, so that the same parts make the same object next time."""
        assert self.made is not None
        if len(self.made) >= MOST_MADE:
            self.made.clear()
        self.made[key] = made
        return made

    def choices(self, face: Any, decided: Decided) -> Trace[Any]:
        own = fields_of(face)
        parts = decided.parts((plan, own, name) for name, plan in zip(self.layout.names, self.plans))
        return Trace(None, parts, self.build, clean=False)


class Reading:
    """The field of a face that is decided when it is read; what is decided stands in the ``__dict__``, before this."""

    __slots__ = ("name", "plan")

    def __init__(self, name: str, plan: Plan) -> None:
        self.name = name
        self.plan = plan

    def __get__(self, face: Any, owner: Any = None) -> Any:
        return self if face is None else self.plan.settle(dict_of(face), self.name)


class One(Plan):
    """An instance of a known constructor: nothing to decide but its parts."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.least = least(shape.build)
        self.label = shape.layout.cls

    @cached_property
    def shapes(self) -> dict[type, Shape]:  # type: ignore[override]
        return {self.shape.face: self.shape}

    def fresh(self, container: Any, key: Any) -> Any:
        shape = self.shape
        made = shape.face()
        if shape.fill is not None:
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
    """An undecided object becomes an instance of this class, of the type ``kind``, and ``fill`` puts undecided parts into
    its fields. This is the one alternative that does not do that by itself: it happens most of all, so it is written out
    where it happens, in :class:`Objects` and in the engine.

    While somebody looks at its class it becomes a face, also where it is to be an instance of the very class in the end:
    ``isinstance`` takes an object for none of ``cls`` if it was none when it began and its type is ``cls`` afterwards.
    """

    __slots__ = ("ends", "face", "fill", "kind", "path", "shape", "undecided")

    def __init__(self, path: Path, shape: Shape, extra: int, undecided: type, kind: type) -> None:
        self.path = path
        self.shape = shape
        self.extra = extra
        self.label = shape.layout.cls
        self.ends = not shape.layout.names
        self.fill = shape.fill
        self.undecided = undecided
        self.face = shape.face
        self.kind = kind

    def release(self, target: Hole) -> None:
        hole, own = target
        own.clear()
        set_class(hole, self.undecided)


class Objects(Plan):
    """An instance of one of several classes: an object that becomes one of them.

    ``alone`` says that there is nothing else at its place, so that no real value can be taken for one of them.
    """

    def __init__(
        self, reader: Reader, options: list[tuple[Path, Any]], place: Place, *, alone: bool = True
    ) -> None:
        self.reader = reader
        self.alone = alone
        self.options = options
        self.least = min(least(build) for _, build in options)
        self.place = place
        #: see :func:`affordable`; empty until a decision is taken
        self._table: list[Sequence[Alternative]] = []
        self._within: Callable[[int], Sequence[Alternative]] | None = None
        shapes = [shape for _, build in options if (shape := reader.shape(build)) is not None]
        classes = [shape.layout.cls for shape in shapes]
        special = set().union(*[shape.special for shape in shapes])
        state = reader.state
        trail, table = state.trail, self._table

        def decide(hole: Any) -> Any:
            slack = state.slack
            try:
                alternatives = table[slack]
            except IndexError:
                alternatives = (self._within or self._compile())(slack)
            if state.arrange is not None and len(alternatives) > 1:
                state.target = None
                alternatives = state.arrange(place, alternatives)
            first: Any = alternatives[0]
            own = dict_of(hole)
            trail.append([(hole, own), alternatives, 0, slack, place])
            state.slack = slack - first.extra
            # It is empty, but a dict that was cleared is read faster: it shares no keys with others.
            own.clear()
            set_class(hole, first.face)
            fill = first.fill
            if fill is not None:
                fill(own)
            return first.label

        def rebuild(hole: Any) -> Any:
            decide(hole)
            return self.rebuild[type(hole)](hole)

        self.undecided: type = make_undecided(f"undecided {place}", classes, special, decide, state, rebuild)
        reader.rebuild[self.undecided] = rebuild
        self.rebuild: dict[type, Callable[[Any], Any]] = {self.undecided: rebuild}
        self.shapes: dict[type, Shape] = {}

    def _compile(self) -> Callable[[int], Sequence[Alternative]]:
        alternatives = []
        shapes = [self.reader.shape(build) for _, build in self.options]
        classes = [shape.layout.cls for shape in shapes if shape is not None]
        for (path, build), shape in zip(self.options, shapes):
            assert shape is not None
            is_known = self.alone and classes.count(shape.layout.cls) == 1
            kind = shape.kind if is_known else shape.face
            extra = int(least(build) - self.least)
            alternatives.append(Becoming(path, shape, extra, self.undecided, kind))
            self.rebuild[kind] = self.rebuild[shape.face] = shape.rebuild
            self.shapes[kind] = self.shapes[shape.face] = shape
        alternatives.sort(key=by_price)
        self._table[:], self._within = affordable(alternatives)
        return self._within

    def fresh(self, container: Any, key: Any) -> Any:
        return self.undecided()

    def choices(self, container: Any, key: Any, decided: Decided) -> Trace[Any] | None:
        hole = container[key]
        chosen: Becoming = decided[id(hole)]
        return wrapped(chosen.path, chosen.shape.choices(hole, decided))
