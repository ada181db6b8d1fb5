"""Objects of several classes, undecided until their class is looked at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from everycase.choices.trace import Trace
from everycase.narrow.lazy.constructors import LazyConstructor
from everycase.narrow.lazy.objects import dict_of, make_undecided, set_class
from everycase.narrow.plan import Context, Decided, Path, Plan, wrapped
from everycase.narrow.trail import Alternative, Place, affordable, by_price
from everycase.sizes.least import least


class ObjectPlan(Plan):
    """An instance of a known constructor: only its parts have to be decided."""

    def __init__(self, constructor: LazyConstructor) -> None:
        self.constructor = constructor
        self.least = least(constructor.build)
        self.label = constructor.layout.cls

    @cached_property
    def constructors(self) -> dict[type, LazyConstructor]:  # type: ignore[override]
        return {self.constructor.face: self.constructor}

    def fresh(self, container: Any, key: Any) -> Any:
        constructor = self.constructor
        made = constructor.face()
        if constructor.fill is not None:
            constructor.fill(dict_of(made))
        return made

    def choices(self, container: Any, key: Any, decided: Decided) -> Trace[Any] | None:
        return self.constructor.choices(container[key], decided)


class OnlyOptionPlan(ObjectPlan):
    """The only option of a union that has values."""

    def __init__(self, context: Context, path: Path, leaf: Any) -> None:
        constructor = context.constructor(leaf)
        assert constructor is not None
        super().__init__(constructor)
        self.path = path

    def choices(self, container: Any, key: Any, decided: Decided) -> Trace[Any] | None:
        return wrapped(self.path, super().choices(container, key, decided))


#: An undecided object and its ``__dict__``, which is fetched once.
Hole = tuple[Any, dict[str, Any]]


class Becoming(Alternative):
    """An undecided object becomes an instance of this class, of the type ``kind``, and ``fill`` puts
    undecided parts into its fields. This is the one alternative that does not do this itself: it is by far
    the most frequent, so it is inlined where it happens, in :class:`UnionPlan` and in the engine.

    While its class is being looked at, it becomes a face, even if it will be a real instance in the end:
    ``isinstance`` returns False for an object that was not an instance of ``cls`` at the start of the call
    and whose type is ``cls`` afterwards.
    """

    __slots__ = ("constructor", "ends", "face", "fill", "kind", "path", "undecided")

    def __init__(
        self, path: Path, constructor: LazyConstructor, extra: int, undecided: type, kind: type
    ) -> None:
        self.path = path
        self.constructor = constructor
        self.extra = extra
        self.label = constructor.layout.cls
        self.ends = not constructor.layout.names
        self.fill = constructor.fill
        self.undecided = undecided
        self.face = constructor.face
        self.kind = kind

    def release(self, target: Hole) -> None:
        hole, own = target
        own.clear()
        set_class(hole, self.undecided)


class UnionPlan(Plan):
    """An instance of one of several classes: an object that becomes one of them.

    ``alone`` means that there is nothing else at its place, so that no real value can be taken for one of
    them.
    """

    def __init__(
        self, context: Context, options: list[tuple[Path, Any]], place: Place, *, alone: bool = True
    ) -> None:
        self.context = context
        self.alone = alone
        self.options = options
        self.least = min(least(build) for _, build in options)
        self.place = place
        #: see :func:`affordable`; empty until a decision is made
        self._table: list[Sequence[Alternative]] = []
        self._within: Callable[[int], Sequence[Alternative]] | None = None
        constructors = [
            constructor for _, build in options if (constructor := context.constructor(build)) is not None
        ]
        classes = [constructor.layout.cls for constructor in constructors]
        special = set().union(*[constructor.special for constructor in constructors])
        state = context.state
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
        context.rebuild[self.undecided] = rebuild
        self.rebuild: dict[type, Callable[[Any], Any]] = {self.undecided: rebuild}
        self.constructors: dict[type, LazyConstructor] = {}

    def _compile(self) -> Callable[[int], Sequence[Alternative]]:
        alternatives = []
        constructors = [self.context.constructor(build) for _, build in self.options]
        classes = [constructor.layout.cls for constructor in constructors if constructor is not None]
        for (path, build), constructor in zip(self.options, constructors):
            assert constructor is not None
            is_known = self.alone and classes.count(constructor.layout.cls) == 1
            kind = constructor.kind if is_known else constructor.face
            extra = int(least(build) - self.least)
            alternatives.append(Becoming(path, constructor, extra, self.undecided, kind))
            self.rebuild[kind] = self.rebuild[constructor.face] = constructor.rebuild
            self.constructors[kind] = self.constructors[constructor.face] = constructor
        alternatives.sort(key=by_price)
        self._table[:], self._within = affordable(alternatives)
        return self._within

    def fresh(self, container: Any, key: Any) -> Any:
        return self.undecided()

    def choices(self, container: Any, key: Any, decided: Decided) -> Trace[Any] | None:
        hole = container[key]
        chosen: Becoming = decided[id(hole)]
        return wrapped(chosen.path, chosen.constructor.choices(hole, decided))
