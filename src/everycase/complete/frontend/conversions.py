"""One value at several types: as a condition, as a member of a union, as a number; and when two are equal."""

from __future__ import annotations

import abc
import ast
import enum
from typing import Any

from everycase.complete.frontend.scope import Scope, short
from everycase.complete.language import expressions as x
from everycase.complete.language.classes import own_method
from everycase.complete.language.expressions import FALSE, TRUE, Expr
from everycase.complete.language.list_functions import elements_of
from everycase.complete.language.types import BOOL, INT, TEXT, Constructor, DataType, Type, Types, UnknownType
from everycase.complete.language.values import from_python
from everycase.complete.language.wrapped import is_wrapped, items_of, truth_of


class Conversions:
    """How the values of one function fit where they are used."""

    def __init__(self, types: Types, scope: Scope) -> None:
        self.types, self.scope = types, scope

    def embed(self, value: Any, expected: Type | None, node: ast.AST) -> Expr:
        """A global constant."""
        if isinstance(value, enum.Enum):
            try:
                kind = self.types.resolve(type(value), {})
            except UnknownType as error:
                self.scope.fail(node, str(error))
            made = kind.by_class(value) if isinstance(kind, DataType) else None
            return x.con(made) if made else self.scope.fail(node)
        for scalar, kind in ((bool, BOOL), (int, INT), (str, TEXT)):
            if type(value) is scalar:
                if isinstance(value, str):
                    self.check_text(value, node)
                    if self.types.open_text and not isinstance(expected, DataType):
                        return x.literal(from_python(self.types.text, value), self.types.text)
                    if self.types.open_text and expected is self.types.text:
                        return x.literal(from_python(self.types.text, value), self.types.text)
                return x.const(value, kind)
        self.scope.fail(node, f"the global {short(node)} of type {type(value).__name__}")

    def check_text(self, value: str, node: ast.AST) -> None:
        """No generator of text makes surrogates, so a str does not contain them."""
        if any(0xD800 <= ord(c) <= 0xDFFF for c in value):
            self.scope.fail(node, f"the string {value!r} with a surrogate, which text() never makes")

    def truth_of(self, value: Expr, node: ast.AST) -> Expr:
        """The truth value of a value, as Python's ``bool`` gives it."""
        if value.type is BOOL:
            return value
        if value.type is INT:
            return x.not_(x.eq(value, x.integer(0)))
        if value.type is TEXT:
            return x.not_(x.eq(value, x.const("", TEXT)))
        if isinstance(value.type, DataType):
            if value.type.is_list:
                return x.is_con(value.type.constructors[1], value)
            if is_wrapped(value.type):
                return truth_of(value)
            return x.or_(
                *(
                    x.and_(x.is_con(c, value), self._truth_of_one(c, value, node))
                    for c in value.type.constructors
                )
            )
        self.scope.fail(node, f"a value of type {value.type} used as a condition")

    def _truth_of_one(self, c: Constructor, value: Expr, node: ast.AST) -> Expr:
        """The truth of a value that this constructor has made."""
        if c.kind == "wrap":
            return self.truth_of(x.field(c, 0, value), node)
        if c.kind in ("none", "literal", "enum"):
            return x.const(bool(c.native), BOOL)
        if c.kind == "tuple":
            return x.const(bool(c.fields), BOOL)
        if c.kind == "class" and not any(own_method(c.native, m) for m in ("__bool__", "__len__")):
            return TRUE
        self.scope.fail(node, f"a value of type {value.type} used as a condition")

    def same(self, a: Expr, b: Expr, node: ast.AST) -> Expr:
        """``a == b`` for two values of one type, if equal means "made of equal parts" there."""
        own = a.type.own_equality if isinstance(a.type, DataType) else None
        if isinstance(a.type, DataType) and any(
            c.kind == "float" for part in a.type.parts for c in part.constructors
        ):
            self.scope.fail(
                node, f"== on values of {a.type} with floats inside, since NaN is not equal to itself"
            )
        if own is not None:
            self.scope.fail(node, f"== on values of {own}, which has its own meaning of it")
        return x.eq(a, b)

    def singleton(self, e: Expr, value: Any, node: ast.AST) -> Expr:
        """``e is None``, ``e is True``."""
        if value is None:
            none = e.type.of_kind("none") if isinstance(e.type, DataType) else None
            return x.is_con(none, e) if none else FALSE
        return x.eq(e, x.const(value, BOOL)) if e.type is BOOL else self.scope.fail(node)

    def is_instance(self, subject: Expr, cls: Any, node: ast.AST) -> tuple[Expr, list[Constructor]]:
        """The test, and the constructors that pass it."""
        if not isinstance(cls, type) or not _plain_instance_check(cls):
            self.scope.fail(
                node, f"isinstance with {getattr(cls, '__name__', cls)}, which has its own meaning of it"
            )
        if is_wrapped(subject.type):
            native = subject.type.constructors[-1].native  # type: ignore[attr-defined]
            return (TRUE if issubclass(native, cls) else FALSE), []
        if not isinstance(subject.type, DataType):
            scalar = int if subject.type is INT else bool if subject.type is BOOL else str
            return (TRUE if issubclass(scalar, cls) else FALSE), []
        found = [c for c in subject.type.constructors if _belongs(c, cls)]
        return x.or_(*(x.is_con(c, subject) for c in found)), found

    def coerce(self, e: Expr, kind: Type, node: ast.AST) -> Expr:
        """The same value at a wider type: a ``Node`` where a ``Leaf | Node`` is wanted."""
        if e.type is kind:
            return e
        if kind is TEXT and e.type is self.types.text and (written := text_of(e)) is not None:
            return x.const(written, TEXT)
        if kind is self.types.text and e.type is TEXT and e.op == "const":
            return x.literal(from_python(kind, e.data), kind)
        if isinstance(kind, DataType):
            if e.op == "const":
                fixed = [c for c in kind.constructors if c.kind == "literal"]
                found = [c for c in fixed if type(c.native) is type(e.data) and c.native == e.data]
                plain_too = any(c.kind == "wrap" and c.fields[0][1] is e.type for c in kind.constructors)
                if fixed and not found and not plain_too:
                    self.scope.fail(node, f"{e.data!r} where {kind} is wanted")
                if found:
                    return x.con(found[0])
            if e.op == "ite":
                return x.ite(
                    e.args[0], self.coerce(e.args[1], kind, node), self.coerce(e.args[2], kind, node)
                )
            if isinstance(e.type, DataType) and e.type.constructors[0].kind in _WIDENED:
                made = self._widened(e, e.type, kind, node)
                if made is not None:
                    return made
            for c in kind.constructors:
                if c.kind == "wrap" and c.fields[0][1] is e.type:
                    return x.con(c, e)
            if (whole := self._with_keys(e, kind, node)) is not None:
                return whole
        if isinstance(e.type, DataType):
            for c in e.type.constructors:
                if c.kind == "wrap" and c.fields[0][1] is kind:  # `int | None` where `int` is wanted
                    return x.field(c, 0, e)
            plain = _plain_values(e.type, kind)
            if plain is not None:  # Literal[1, 2] where `int` is wanted
                made_plain = plain[-1]
                for c, value in zip(reversed(e.type.constructors[:-1]), reversed(plain[:-1])):
                    made_plain = x.ite(x.is_con(c, e), value, made_plain)
                return made_plain
        self.scope.fail(node, f"a value of type {e.type} where {kind} is wanted")

    def _with_keys(self, e: Expr, kind: DataType, node: ast.AST) -> Expr | None:
        """A dictionary whose items are written out where one with exactly these keys is wanted."""
        made = kind.constructors[0]
        if made.kind != "keys" or not isinstance(e.type, DataType) or e.type.constructors[0].kind != "dict":
            return None
        known = elements_of(items_of(e))
        if known is None:
            return None
        pair = items_of(e).type.element.constructors[0]  # type: ignore[attr-defined]
        parts = {}
        for item in known:
            key = x.field(pair, 0, item)
            if key.op != "const":
                return None
            parts[key.data] = x.field(pair, 1, item)
        if {*parts} != {name for name, _ in made.fields}:
            return None
        return x.con(made, *(self.coerce(parts[n], t, node) for n, t in made.fields))

    def _widened(self, e: Expr, old: DataType, kind: DataType, node: ast.AST) -> Expr | None:
        matches = [(c, _same(kind, c)) for c in old.constructors]
        # `Tree | None` where `Tree` is expected is fine: Python code does that after a test for None. For
        # None this looks into a field, so it counts as undefined.
        narrowed = [(c, d) for c, d in matches if d is not None or c.kind != "none"]
        narrowed.sort(key=lambda pair: bool(pair[0].fields))
        if not narrowed or any(d is None for _, d in narrowed):
            return None
        if len(narrowed) < len(matches) and not narrowed[-1][0].fields:
            return None
        result: Expr | None = None
        for c, d in reversed(narrowed):
            assert d is not None
            parts = [self.coerce(x.field(c, i, e), t, node) for i, (_, t) in enumerate(d.fields)]
            made = x.con(d, *parts)
            result = made if result is None else x.ite(x.is_con(c, e), made, result)
        return result


def text_of(e: Expr) -> str | None:
    """A string whose characters are all known; None for any other expression."""
    known = elements_of(items_of(e))
    if known is None or any(code.op != "const" for code in known):
        return None
    return "".join(chr(code.data) for code in known)


_WIDENED = ("class", "enum", "literal", "none")


def _same(kind: DataType, c: Constructor) -> Constructor | None:
    if c.kind == "literal":
        return next((d for d in kind.constructors if d.kind == c.kind and d.name == c.name), None)
    return next((d for d in kind.constructors if d.kind == c.kind and d.native is c.native), None)


def _plain_values(kind: DataType, wanted: Type) -> list[Expr] | None:
    """The values of a Literal as numbers, booleans or strings, if all have the expected type."""
    scalar = {INT: int, BOOL: bool, TEXT: str}.get(wanted)  # type: ignore[call-overload]
    if any(c.kind != "literal" or type(c.native) is not scalar for c in kind.constructors):
        return None
    return [x.const(c.native, wanted) for c in kind.constructors]


def _belongs(c: Constructor, cls: Any) -> bool:
    if c.kind == "wrap":
        inside = c.fields[0][1]
        if isinstance(inside, DataType):
            return (cls is list and inside.is_list) or (cls is tuple and inside.as_tuple is not None)
        return {int: (INT, BOOL), bool: (BOOL,), str: (TEXT,)}.get(cls, ()).__contains__(inside)
    if c.kind == "class":
        return isinstance(cls, type) and issubclass(c.native, cls)
    return c.kind in ("enum", "literal") and isinstance(cls, type) and isinstance(c.native, cls)


def _plain_instance_check(cls: type) -> bool:
    """Is ``isinstance`` about the classes that a value's class inherits from?"""
    if getattr(cls, "_is_protocol", False):
        return False
    return type(cls).__instancecheck__ in (type.__instancecheck__, abc.ABCMeta.__instancecheck__)
