"""Values of the user's program and of this package: conversions, and the meaning of "smallest"."""

from __future__ import annotations

import math
from typing import Any

from everycase.complete.language.types import BOOL, INT, TEXT, Constructor, DataType, Type, Value
from everycase.complete.language.wrapped import KINDS, NUMBERS, counts, inside_of, size_of_number, unwrapped


def to_python(kind: Type, value: Value) -> Any:
    """The native value: a dataclass instance, a list, ..."""
    if not isinstance(kind, DataType):
        return value
    if kind.is_list:
        items = []
        while value[0] == 1:
            items.append(to_python(kind.element, value[1]))
            value = value[2]
        return items
    constructor = kind.constructors[value[0]]
    parts = [to_python(t, part) for (_, t), part in zip(constructor.fields, value[1:])]
    if constructor.kind in KINDS:
        return unwrapped(constructor, parts[0])
    match constructor.kind:
        case "keys":
            return {name: part for (name, _), part in zip(constructor.fields, parts)}
        case "class":
            return constructor.native(**dict(zip(constructor.parameters, parts)))
        case "tuple":
            return tuple(parts)
        case "wrap":
            return parts[0]
        case _:
            return constructor.native


def from_python(kind: Type, value: Any) -> Value:
    """The inverse of :func:`to_python`; ValueError if the value is not of the type."""
    if kind is INT or kind is BOOL or kind is TEXT:
        wanted = {"int": int, "bool": bool, "str": str}[kind.name]
        if type(value) is wanted:
            return value
        raise ValueError(f"{value!r} is not of type {kind}")
    assert isinstance(kind, DataType)
    if kind.is_list and isinstance(value, list):
        made: Value = (0,)
        for item in reversed(value):
            made = (1, from_python(kind.element, item), made)
        return made
    if c_wrapped := next((c for c in kind.constructors if c.kind in KINDS), None):
        if c_wrapped.kind == "float" and type(value) is float and math.isnan(value):
            return (0,)
        try:
            inside = inside_of(c_wrapped, value)
        except TypeError as error:  # elements that cannot be compared
            raise ValueError(str(error)) from None
        return (c_wrapped.index, from_python(c_wrapped.fields[0][1], inside))
    for c in kind.constructors:
        if c.kind == "keys" and type(value) is dict and set(value) == {name for name, _ in c.fields}:
            return (c.index, *(from_python(t, value[name]) for name, t in c.fields))
        if c.kind == "class" and type(value) is c.native:
            return (c.index, *(from_python(t, _part(value, name)) for name, t in c.fields))
        if (c.kind == "enum" and value is c.native) or (c.kind == "none" and value is None):
            return (c.index,)
        if c.kind == "literal" and type(value) is type(c.native) and value == c.native:
            return (c.index,)
        if c.kind == "tuple" and type(value) is tuple and len(value) == len(c.fields):
            return (c.index, *(from_python(t, part) for (_, t), part in zip(c.fields, value)))
        if c.kind == "wrap":
            try:
                return (c.index, from_python(c.fields[0][1], value))
            except ValueError:
                continue
    raise ValueError(f"{value!r} is not of type {kind}")


def _part(value: Any, name: str) -> Any:
    try:
        return getattr(value, name)
    except AttributeError as error:
        raise ValueError(str(error)) from None


def valid_parts(kind: Type, value: Value) -> bool:
    """Do all numbers and lists inside a value stand for something, and is there an object with these parts?"""
    if not isinstance(kind, DataType):
        return True
    c = kind.constructors[value[0]]
    if c.kind in KINDS and not counts(c, value[1:]):
        return False
    if not all(valid_parts(t, part) for (_, t), part in zip(c.fields, value[1:])):
        return False
    return c.making is None or completed(c, value[1 : 1 + len(c.given_fields)]) == value


def completed(c: Constructor, given: tuple[Value, ...]) -> Value | None:
    """A value of a class, given the parts that are arguments; None if Python makes none of them."""
    parts = [to_python(t, part) for (_, t), part in zip(c.given_fields, given)]
    try:
        return from_python(c.owner, c.native(**dict(zip(c.parameters, parts))))
    except Exception:  # the user's own checks
        return None


def size_of(kind: Type, value: Value) -> int:
    """Constructors that hold something, plus the magnitude of the integers: the size for "smallest"."""
    if not isinstance(kind, DataType):
        return abs(value) if kind is INT else (len(value) if kind is TEXT else int(value))
    constructor = kind.constructors[value[0]]
    if constructor.kind in NUMBERS:
        return size_of_number(constructor, value[1])
    return bool(constructor.fields) + sum(size_of(t, p) for (_, t), p in zip(constructor.fields, value[1:]))
