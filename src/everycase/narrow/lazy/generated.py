"""Functions that are written out for each constructor, as dataclasses write ``__init__``.

A search puts undecided parts into objects, and makes real objects of them, many thousand times a second. A loop over the
fields would take longer than everything that it does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

from everycase.narrow.plan import Fixed, Number, Plan

if TYPE_CHECKING:
    from everycase.narrow.lazy.unions import Shape


class Text:
    """The lines of a function, and the objects that it refers to."""

    def __init__(self, head: str) -> None:
        self.lines = [f"def {head}:"]
        self.names: dict[str, Any] = {}

    def name(self, thing: Any) -> str:
        """A name for an object."""
        name = f"known{len(self.names)}"
        self.names[name] = thing
        return name

    def line(self, text: str) -> None:
        self.lines.append(f"    {text}")

    def function(self) -> Any:
        # A copy of the code for each function: the interpreter notes in it which objects it has met.
        return FunctionType(_compiled("\n".join(self.lines)).replace(), self.names)


@lru_cache(maxsize=1024)
def _compiled(text: str) -> CodeType:
    """The text depends on the names and kinds of fields only, and a run may search in many ways at once."""
    module = compile(text, "<everycase.narrow>", "exec")
    return next(const for const in module.co_consts if isinstance(const, CodeType))


def write_fill(shape: Shape) -> Callable[[dict[str, Any]], None] | None:
    """Puts undecided parts into the ``__dict__`` of an object; None if there are none."""
    text = Text("fill(own)")
    for key, plan in zip(shape.layout.names, shape.plans):
        if not plan.waits:
            text.line(f"own[{key!r}] = {_fresh(key, plan, text)}")
    for key, default in shape.layout.defaults:
        text.line(f"own[{key!r}] = {text.name(default)}()")
    return text.function() if len(text.lines) > 1 else None


def _fresh(key: str, plan: Plan, text: Text) -> str:
    if plan.undecided is not None:
        return f"{text.name(plan.undecided)}()"
    if isinstance(plan, Number):
        return f"{text.name(plan.make)}({text.name(plan.range)}, own, {key!r})"
    return f"{text.name(plan.fresh)}(own, {key!r})"


def write_rebuild(shape: Shape, *, keep: bool = True) -> Callable[[Any], Any]:
    """Makes the real object of a half-decided one; what is undecided in it is decided. It may be one that was kept."""
    build, made = shape.build, shape.made
    text = Text("rebuild(face)")
    if not build.parts and made is not None:
        text.line(f"return {text.name(build.make())}")
        return text.function()  # type: ignore[no-any-return]
    parts = [f"part{i}" for i in range(len(build.parts))]
    reader = shape.reader
    find = text.name(reader.rebuild.get)
    for part, key, plan in zip(parts, shape.layout.names, shape.plans):
        text.line(f"{part} = face.{key}")  # reading it decides it, if it waits for that
        if isinstance(plan, Number):
            text.line(f"if type({part}) is not int: {part} = {text.name(reader.real)}({part})")
        elif plan.undecided is not None:
            text.line(f"{part} = {text.name(plan.rebuild)}[type({part})]({part})")
        elif not isinstance(plan, Fixed):
            text.line(f"make = {find}(type({part}))")
            text.line(f"if make is not None: {part} = make({part})")
    call = f"{text.name(build.make)}({', '.join(_arguments(parts, build.names))})"
    if made is None or not keep:
        text.line(f"return {call}")
    else:
        text.line(f"key = ({', '.join(f'id({part})' for part in parts)})")
        text.line(f"known = {text.name(made.get)}(key)")
        text.line(f"return {text.name(shape.keep)}(key, {call}) if known is None else known")
    return text.function()  # type: ignore[no-any-return]


def _arguments(parts: Sequence[str], names: Sequence[str]) -> list[str]:
    positional = len(parts) - len(names)
    return [*parts[:positional], *[f"{name}={part}" for name, part in zip(names, parts[positional:])]]
