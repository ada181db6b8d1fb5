"""How patches are written: the names in the user's file, and expressions as Python."""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType
from typing import Any

from everycase.complete.frontend.program import Generator
from everycase.complete.language import expressions as x
from everycase.complete.language.expressions import BOOL, INT, TEXT, Expr
from everycase.complete.language.linear import Linear, not_negative
from everycase.complete.language.types import Constructor, Type
from everycase.errors import InvalidArgument

PRINTED = {
    "var", "const", "add", "sub", "mul", "div", "mod", "lt", "le", "eq", "not", "and", "or", "ite", "field", "is", "con",
}  # fmt: skip


class NotSpellable(Exception):
    """An expression that cannot be written as Python of the user's file."""


@dataclass(frozen=True)
class Spelling:
    """How the user's file spells things: ``draw``, the module or functions of generators, classes."""

    draw: str
    prefix: str  # "gen." or "st." or ""
    types: dict[Type, str]
    scope: dict[str, Any]

    def library(self, name: str) -> str:
        """``gen.integers``, or however the file refers to it."""
        if self.prefix or name in self.scope:
            return f"{self.prefix}{name}"
        for spot, value in self.scope.items():
            home = getattr(value, "__name__", "") if isinstance(value, ModuleType) else ""
            if home in ("everycase.gen", "hypothesis.strategies"):
                return f"{spot}.{name}"
        raise InvalidArgument(f"the patch needs {name}, which the file does not import")

    def spelling(self, thing: Any) -> str | None:
        """The name of a class or function of the user, directly or through a module; None if there is none."""
        for spot, value in self.scope.items():
            if value is thing:
                return spot
        name = getattr(thing, "__name__", None)
        for spot, value in self.scope.items():
            if isinstance(value, ModuleType) and name and getattr(value, name, None) is thing:
                return f"{spot}.{name}"
        return None

    def integers(self, *bounds: str) -> str:
        return f"{self.library('integers')}({', '.join(bounds)})"

    def any(self, kind: Type) -> str:
        """A draw of any value of a type."""
        plain = {INT: "integers", BOOL: "booleans", TEXT: "text"}.get(kind)  # type: ignore[call-overload]
        if plain is not None:
            return f"{self.draw}({self.library(plain)}())"
        return f"{self.draw}({self.library('from_type')}({self.types.get(kind, kind.name)}))"


def constructor_text(c: Constructor, parts: list[str], names: Spelling) -> str:
    match c.kind:
        case "nil":
            return "[]"
        case "cons":
            rest = parts[1]
            if rest == "[]":
                return f"[{parts[0]}]"
            return f"[{parts[0]}, {rest[1:]}" if rest.startswith("[") else f"[{parts[0]}, *{rest}]"
        case "tuple":
            return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"
        case "wrap":
            return parts[0]
        case "none":
            return "None"
        case "literal":
            return c.name
        case "enum":
            return f"{names.spelling(type(c.native)) or type(c.native).__name__}.{c.native.name}"
        case _:
            given = [
                part if name in c.positional else f"{name}={part}" for (name, _), part in zip(c.fields, parts)
            ]
            return f"{names.spelling(c.native) or c.name}({', '.join(given)})"


# --- expressions --------------------------------------------------------------------------------------


def python_text(e: Expr, generator: Generator, names: Spelling) -> str:
    """An expression as Python, with the user's functions if they mean the same."""
    for s in x.subterms(e):
        if s.op not in PRINTED and (s.op != "call" or _called(s, names) is None):
            raise NotSpellable
    return _spelled(_tidy(e), generator, names)


def _called(e: Expr, names: Spelling) -> str | None:
    """How a function is written; empty for ``in``."""
    if e.data.native is not None:
        return names.spelling(e.data.native)
    return {"member": "", "len": "len", "sum": "sum"}.get(e.data.name)


def _tidy(e: Expr) -> Expr:
    """Sums and negations as people write them."""
    if e.op == "not" and e.args[0].op in ("and", "or"):
        return (x.or_ if e.args[0].op == "and" else x.and_)(*(_tidy(x.not_(a)) for a in e.args[0].args))
    if e.type is INT and e.op in ("add", "sub", "mul"):
        return Linear.of(e).expression()
    return e


def _spelled(e: Expr, generator: Generator, names: Spelling) -> str:
    for function in generator.program.library.functions.values():
        native = function.native
        if native is None or function.recursive or function.body is None or e.op != "ite":
            continue
        binding: dict[Expr, Expr] = {}
        called = names.spelling(native)
        if not called or not _instance(function.body, e, set(function.params), binding):
            continue
        if all(p in binding for p in function.params):
            given = [_spelled(binding[p], generator, names) for p in function.params]
            return f"{called}({', '.join(given)})"
    if e.op == "con" and e.data.kind in ("class", "cons", "tuple", "wrap"):
        return _constructed(e, generator, names)
    if e.op == "con" and e.data.kind == "enum":
        return f"{names.spelling(type(e.data.native)) or type(e.data.native).__name__}.{e.data.native.name}"
    if e.op in ("and", "or"):
        inner = {_spelled(_tidy(a), generator, names): a for a in e.args}
        return f" {e.op} ".join(f"({t})" if a.op in ("and", "or", "ite") else t for t, a in inner.items())
    if e.op == "call":
        given = [_spelled(_tidy(a), generator, names) for a in e.args]
        called = _called(e, names)
        return f"{called}({', '.join(given)})" if called else f"{given[1]} in {given[0]}"
    if e.op == "not" and e.args[0].op == "call" and _called(e.args[0], names) == "":
        return _spelled(e.args[0], generator, names).replace(" in ", " not in ", 1)
    if e.op == "not" and e.args[0].op in ("var", "field", "call"):
        return f"not {_spelled(e.args[0], generator, names)}"
    return _compared(e) if e.op in ("le", "lt") else x.show(e)


def _compared(e: Expr) -> str:
    """``n >= 1`` rather than ``0 <= n - 1``."""
    form = not_negative(e)
    if form is None or not form.terms:
        return x.show(e)
    right = Linear({t: k for t, k in form.terms.items() if k > 0}, 0)
    left = Linear({t: -k for t, k in form.terms.items() if k < 0}, 0)
    if not left.terms:
        return f"{x.show(right.expression())} >= {-form.constant}"
    if not right.terms:
        return f"{x.show(left.expression())} <= {form.constant}"
    if form.constant >= 0:
        return f"{x.show(left.expression())} <= {x.show(x.add(right.expression(), x.integer(form.constant)))}"
    return f"{x.show(x.add(left.expression(), x.integer(-form.constant - 1)))} < {x.show(right.expression())}"


def _constructed(e: Expr, generator: Generator, names: Spelling) -> str:
    parts = [_spelled(_tidy(a), generator, names) for a in e.args]
    if e.data.kind != "class":
        return x.show_constructor(e, parts)
    given = [
        part if name in e.data.positional else f"{name}={part}"
        for (name, _), part in zip(e.data.fields, parts)
    ]
    return f"{names.spelling(e.data.native) or e.data.name}({', '.join(given)})"


def _instance(pattern: Expr, e: Expr, params: set[Expr], binding: dict[Expr, Expr]) -> bool:
    if pattern in params:
        return binding.setdefault(pattern, e) == e
    if pattern.op != e.op or pattern.data != e.data or len(pattern.args) != len(e.args):
        return False
    return all(_instance(a, b, params, binding) for a, b in zip(pattern.args, e.args))
