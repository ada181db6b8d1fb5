"""The half-decided instances of one constructor: undecided parts in their fields, and the real objects made
from them.

A search puts undecided parts into objects, and makes real objects of them, many thousand times a second. A
loop over the fields would take longer than the work itself, so these functions are generated for each
constructor, as dataclasses generate ``__init__``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from everycase.choices.trace import Trace
from everycase.gen.facts import facts
from everycase.gen.kinds import Build
from everycase.narrow.lazy.generated import FunctionText
from everycase.narrow.lazy.ints import make_int
from everycase.narrow.lazy.layout import FieldLayout
from everycase.narrow.lazy.objects import becomes_itself, dict_of, fields_of, make_face, special_methods
from everycase.narrow.plan import ConstantPlan, Context, Decided, IntPlan, Plan

#: Maximum number of real objects of one constructor that are kept for the next values.
MOST_MADE = 1000


class LazyConstructor:
    """The half-decided instances of one constructor. The face is made on demand."""

    def __init__(self, context: Context, build: Build[Any], layout: FieldLayout) -> None:
        self.context = context
        self.build = build
        self.layout = layout
        #: the real objects made so far, by the ids of their parts (which they keep alive); None if a test
        #: might change them, so that each value needs its own
        self.made: dict[Any, Any] | None = {} if facts(build).shareable else None

    @cached_property
    def plans(self) -> list[Plan]:
        context, layout = self.context, self.layout
        owner: Any = "" if layout.cls is tuple else layout.cls
        return [
            context.plan(part, context.place(owner, name if owner else f"[{name[1:]}]"))
            for name, part in zip(layout.names, self.build.parts)
        ]

    @cached_property
    def fill(self) -> Callable[[dict[str, Any]], None] | None:
        """Puts undecided parts into the fields."""
        return write_fill(self)

    @cached_property
    def face(self) -> type:
        """The class of the stand-ins for half-decided instances in general."""
        names, state = self.layout.names, self.context.state
        waiting: dict[str, Any] = {
            name: FieldOnRead(name, plan) for name, plan in zip(names, self.plans) if plan.waits
        }
        waiting |= {name: property(compute) for name, compute in self.layout.computed.items()}
        face = make_face(self.layout.cls, names, waiting, state, self.rebuild)
        self.context.rebuild[face] = self.rebuild
        self.context.know(face, self.layout.attributes)
        return face

    @cached_property
    def kind(self) -> type:
        """The class of half-decided instances if nothing else is possible at their place: the real class if
        possible."""
        cls, names = self.layout.cls, self.layout.names
        waits = self.layout.computed or any(plan.waits for plan in self.plans)
        if waits or not becomes_itself(cls, names):
            return self.face
        self.context.know(cls, self.layout.attributes)
        return cls

    @cached_property
    def special(self) -> set[str]:
        return special_methods(self.layout.cls)

    @cached_property
    def rebuild(self) -> Callable[[Any], Any]:
        """Makes the real object; undecided parts are decided."""
        return write_rebuild(self)

    @cached_property
    def rebuild_whole(self) -> Callable[[Any], Any]:
        """Makes a real object that is not part of another, so it is not requested again."""
        return write_rebuild(self, keep=False)

    def keep(self, key: Any, made: Any) -> Any:
        """Keep a real object, so that the same parts make the same object next time."""
        assert self.made is not None
        if len(self.made) >= MOST_MADE:
            self.made.clear()
        self.made[key] = made
        return made

    def choices(self, face: Any, decided: Decided) -> Trace[Any]:
        own = fields_of(face)
        parts = decided.parts((plan, own, name) for name, plan in zip(self.layout.names, self.plans))
        return Trace(None, parts, self.build, clean=False)


class FieldOnRead:
    """A field of a face that is decided when it is read; decided fields are in the ``__dict__``, which takes
    precedence."""

    __slots__ = ("name", "plan")

    def __init__(self, name: str, plan: Plan) -> None:
        self.name = name
        self.plan = plan

    def __get__(self, face: Any, owner: Any = None) -> Any:
        return self if face is None else self.plan.decide(dict_of(face), self.name)


def write_fill(constructor: LazyConstructor) -> Callable[[dict[str, Any]], None] | None:
    """Puts undecided parts into the ``__dict__`` of an object; None if there are none."""
    text = FunctionText("fill(own)")
    for key, plan in zip(constructor.layout.names, constructor.plans):
        if not plan.waits:
            text.line(f"own[{key!r}] = {_fresh(key, plan, text)}")
    for key, default in constructor.layout.defaults:
        text.line(f"own[{key!r}] = {text.name(default)}()")
    return text.function() if len(text.lines) > 1 else None


def _fresh(key: str, plan: Plan, text: FunctionText) -> str:
    if plan.undecided is not None:
        return f"{text.name(plan.undecided)}()"
    if isinstance(plan, IntPlan):
        return f"{text.name(make_int)}({text.name(plan.range)}, own, {key!r})"
    return f"{text.name(plan.fresh)}(own, {key!r})"


def write_rebuild(constructor: LazyConstructor, *, keep: bool = True) -> Callable[[Any], Any]:
    """Makes the real object of a half-decided one, or returns a kept one; undecided parts are decided."""
    build, made = constructor.build, constructor.made
    text = FunctionText("rebuild(face)")
    if not build.parts and made is not None:
        text.line(f"return {text.name(build.make())}")
        return text.function()  # type: ignore[no-any-return]
    parts = [f"part{i}" for i in range(len(build.parts))]
    context = constructor.context
    find = text.name(context.rebuild.get)
    for part, key, plan in zip(parts, constructor.layout.names, constructor.plans):
        text.line(f"{part} = face.{key}")  # reading it decides it, if it waits for that
        if isinstance(plan, IntPlan):
            text.line(f"if type({part}) is not int: {part} = {text.name(context.real)}({part})")
        elif plan.undecided is not None:
            text.line(f"{part} = {text.name(plan.rebuild)}[type({part})]({part})")
        elif not isinstance(plan, ConstantPlan):
            text.line(f"make = {find}(type({part}))")
            text.line(f"if make is not None: {part} = make({part})")
    call = f"{text.name(build.make)}({', '.join(_arguments(parts, build.names))})"
    if made is None or not keep:
        text.line(f"return {call}")
    else:
        text.line(f"key = ({', '.join(f'id({part})' for part in parts)})")
        text.line(f"known = {text.name(made.get)}(key)")
        text.line(f"return {text.name(constructor.keep)}(key, {call}) if known is None else known")
    return text.function()  # type: ignore[no-any-return]


def _arguments(parts: Sequence[str], names: Sequence[str]) -> list[str]:
    positional = len(parts) - len(names)
    return [*parts[:positional], *[f"{name}={part}" for name, part in zip(names, parts[positional:])]]
