"""Candidate patches: small programs made of draws, constructors, calls and names in scope.

A term can be turned into steps of a path (to be proved) and into Python source (to be written).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from everycase.complete.frontend.program import DrawStep, Generator, Step
from everycase.complete.language import expressions as x
from everycase.complete.language.expressions import Expr
from everycase.complete.language.types import Constructor, Type
from everycase.complete.synthesis.spelling import Spelling, constructor_text


@dataclass(frozen=True, eq=False)
class Component:
    """A building block of terms.

    ``kind`` is local, constant, constructor, operation, any (draw any value of a type), range (draw an integer
    between two) or call (draw from a covered generator).
    """

    kind: str
    name: str
    result: Type
    params: tuple[Type, ...]
    price: int
    expression: Expr | None = None
    constructor: Constructor | None = None
    build: Callable[..., Expr] | None = None
    text: str = ""
    generator: Generator | None = None


@dataclass(frozen=True, eq=False)
class Term:
    """A component applied to terms. ``draws`` says whether it is random."""

    component: Component
    args: tuple[Term, ...]
    cost: int
    draws: bool = field(init=False)

    def __post_init__(self) -> None:
        own = self.component.kind in ("any", "range", "call")
        object.__setattr__(self, "draws", own or any(a.draws for a in self.args))

    @property
    def type(self) -> Type:
        return self.component.result

    @property
    def size(self) -> int:
        """Nodes of the syntax tree."""
        return 1 + sum(a.size for a in self.args)

    def uses(self, component: Component) -> bool:
        return self.component is component or any(a.uses(component) for a in self.args)

    def recursive(self, generator: Generator) -> bool:
        """Does it draw from a generator that leads back to this one?"""
        callee = self.component.generator
        own = callee is not None and (callee.native is generator.native or callee.reaches(generator))
        return own or any(a.recursive(generator) for a in self.args)

    def steps(self, fresh: Iterator[int]) -> tuple[tuple[Step, ...], Expr]:
        """The draws that the term makes, and its value in terms of them."""
        steps: list[Step] = []
        values: list[Expr] = []
        for arg in self.args:
            more, value = arg.steps(fresh)
            steps += more
            values.append(value)
        c = self.component
        if c.kind in ("local", "constant"):
            assert c.expression is not None
            return tuple(steps), c.expression
        if c.kind == "constructor":
            assert c.constructor is not None
            return tuple(steps), x.con(c.constructor, *values)
        if c.kind == "operation":
            assert c.build is not None
            return tuple(steps), c.build(*values)
        variable = x.var(f"new'{next(fresh)}", c.result)
        if c.kind == "range":
            steps.append(DrawStep(variable, values[0], values[1] if len(values) == 2 else None))
        elif c.kind == "call":
            steps.append(DrawStep(variable, generator=c.generator, args=tuple(values)))
        else:
            steps.append(DrawStep(variable))
        return tuple(steps), variable

    def source(self, names: Spelling) -> str:
        """The term as a person would write it."""
        c = self.component
        parts = [a.source(names) for a in self.args]
        match c.kind:
            case "local" | "constant":
                return c.name
            case "constructor":
                assert c.constructor is not None
                return constructor_text(c.constructor, parts, names)
            case "operation":
                return _operation_text(c.text, self.args, parts)
            case "any":
                return names.any(c.result)
            case "range":
                return f"{names.draw}({names.integers(*parts, *(['None'] if len(parts) == 1 else []))})"
            case _:
                assert c.generator is not None
                called = names.spelling(c.generator.native) or c.name
                return f"{names.draw}({called}({', '.join(parts)}))"


_LOOSE = ("+", "-", "*", "//", "%")


def _operation_text(template: str, args: tuple[Term, ...], parts: list[str]) -> str:
    if template.endswith(")"):  # a function call needs no parentheses inside
        return template.format(*parts)
    shown = []
    for arg, part in zip(args, parts):
        needs_brackets = arg.component.kind == "operation" and not arg.component.text.endswith(")")
        tight = "*" in template or (template.startswith("{} - {}") and arg is not args[0])
        shown.append(f"({part})" if needs_brackets and tight else part)
    text = template.format(*shown)
    return _fold(text)


def _fold(text: str) -> str:
    """``n - 1 - 1`` reads better as ``n - 2``."""
    head, _, last = text.rpartition(" - ")
    before, _, previous = head.rpartition(" - ")
    if last.isdigit() and previous.isdigit() and before:
        return f"{before} - {int(previous) + int(last)}"
    return text
