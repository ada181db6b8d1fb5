"""Objects of several classes, undecided until somebody asks which, and their fields."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from everycase.choices.trace import Trace
from everycase.gen.facts import facts
from everycase.gen.kinds import Build
from everycase.narrow.costs import least
from everycase.narrow.decisions import Alternative, Place, affordable, by_price
from everycase.narrow.lazy import dict_of, make_face, make_undecided, set_class
from everycase.narrow.plans import Decided, Path, Plan, wrapped
from everycase.narrow.shapes import Layout
from everycase.narrow.written import write_fill, write_place, write_rebuild

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
        self.fill: Callable[[dict[str, Any]], None] | None = None

    @property
    def face(self) -> type:
        if self._face is None:
            self._compile()
        assert self._face is not None
        return self._face

    def _compile(self) -> None:
        reader, layout = self.reader, self.layout
        cls = layout.cls
        owner: Any = "" if cls is tuple else cls
        plans = [
            reader.plan(part, reader.place(owner, f"[{name[1:]}]" if cls is tuple else name))
            for name, part in zip(layout.names, self.build.parts)
        ]
        waiting = {name: Reading(name, plan) for name, plan in zip(layout.names, plans) if plan.waits}
        self.plans = plans
        self.fill = write_fill(self)
        rebuild = write_rebuild(self)
        self._face = make_face(cls, layout.names, waiting, reader.state, rebuild)
        reader.rebuild[self._face] = rebuild
        reader.faces[self._face] = self

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


class One(Plan):
    """An instance of a known constructor: nothing to decide but its parts."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.least = least(shape.build)
        self.label = shape.layout.cls

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
    """An undecided object becomes an instance of this class."""

    __slots__ = ("ends", "path", "place", "release", "shape")

    place: Any
    release: Any

    def __init__(self, path: Path, shape: Shape, extra: int, undecided: type) -> None:
        self.path = path
        self.shape = shape
        self.extra = extra
        self.label = shape.layout.cls
        self.ends = not shape.layout.names
        become = set_class

        def release(target: Hole) -> None:
            hole, own = target
            own.clear()
            become(hole, undecided)

        self.place = write_place(shape, shape.face, become)
        self.release = release


class Objects(Plan):
    """An instance of one of several classes: an object that becomes one of them."""

    def __init__(self, reader: Reader, options: list[tuple[Path, Any]], place: Place) -> None:
        self.reader = reader
        self.options = options
        self.least = min(least(build) for _, build in options)
        self.place = place
        #: see :func:`affordable`; empty until a decision is taken
        self._table: list[Sequence[Alternative]] = []
        self._within: Callable[[int], Sequence[Alternative]] | None = None
        shapes = [reader.shape(build) for _, build in options]
        classes = [shape.layout.cls for shape in shapes if shape is not None]
        state = reader.state
        trail, table = state.trail, self._table

        def decide(hole: Any) -> Any:
            slack = state.slack
            try:
                alternatives = table[slack]
            except IndexError:
                alternatives = (self._within or self._compile())(slack)
            if state.arrange is not None and len(alternatives) > 1:
                alternatives = state.arrange(place, alternatives)
            first = alternatives[0]
            target = hole, dict_of(hole)
            trail.append([target, alternatives, 0, slack, place])
            state.slack = slack - first.extra
            put = first.place
            put(target)
            return first.label

        def rebuild(hole: Any) -> Any:
            decide(hole)
            return reader.rebuild[type(hole)](hole)

        self.undecided: type = make_undecided(f"undecided {place}", classes, decide, state, rebuild)
        reader.rebuild[self.undecided] = rebuild

    def _compile(self) -> Callable[[int], Sequence[Alternative]]:
        alternatives = []
        for path, build in self.options:
            shape = self.reader.shape(build)
            assert shape is not None
            alternatives.append(Becoming(path, shape, int(least(build) - self.least), self.undecided))
        alternatives.sort(key=by_price)
        self._table[:], self._within = affordable(alternatives)
        return self._within

    def fresh(self, container: Any, key: Any) -> Any:
        return self.undecided()

    def choices(self, container: Any, key: Any, decided: Decided) -> Trace[Any] | None:
        hole = container[key]
        chosen: Becoming = decided[id(hole)]
        return wrapped(chosen.path, chosen.shape.choices(hole, decided))
