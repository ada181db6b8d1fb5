"""One level of any value as Python source: what is written before its parts, the parts, and what is written after."""

from __future__ import annotations

import dataclasses
import inspect
import re
from enum import Enum, Flag
from functools import reduce
from keyword import iskeyword
from operator import or_
from typing import Any

from everycase.gen.drawing import Data, DrawnFunction
from everycase.gen.randomness import DrawnRandom
from everycase.run.source_text.literals import BASES, EXACT, MAX_TEXT, Shape, as_printed, call_shape
from everycase.run.source_text.names import Names, readable_repr


def shape(value: Any, names: Names) -> Shape:
    """The outermost level of a value. Whatever a user's class does, this does not raise."""
    if type(value) is Shape:
        return value  # written already
    try:
        return _shape(value, names)
    except Exception:
        return as_printed(value)


def _shape(value: Any, names: Names) -> Shape:
    cls = type(value)
    exact = EXACT.get(f"{cls.__module__}.{cls.__qualname__}")
    if exact is not None:
        return exact(value, names)
    if isinstance(value, Enum):
        return _enum(value, names)
    if isinstance(value, type):
        return Shape(names.of(value))
    if isinstance(value, tuple) and hasattr(cls, "_fields"):
        return call_shape(names.of(cls), zip(cls._fields, value))
    if dataclasses.is_dataclass(cls):
        return _dataclass(value, names)
    if hasattr(cls, "__attrs_attrs__"):
        fields = [field for field in cls.__attrs_attrs__ if field.init]
        return call_shape(names.of(cls), [(field.alias, getattr(value, field.name)) for field in fields])
    if isinstance(value, BaseException) and _prints_like(cls, BaseException):
        return call_shape(names.of(cls), [("", arg) for arg in value.args])
    if isinstance(value, DrawnRandom):
        return call_shape(f"{names.of(cls)}.of", [("", drawn) for drawn in value.drawn])
    if isinstance(value, Data):
        plain = [("", drawn) for _, drawn in value.drawn]
        return call_shape(f"{names.of(cls)}.of", value.as_arguments() or plain)
    if isinstance(value, DrawnFunction):
        results = [("", result) for _, _, result in value.calls]
        options = [("like", value.like)] + ([("pure", True)] if value.pure else [])
        return call_shape(f"{names.of(cls)}.of", [*results, *options])
    for base, convert in BASES.items():
        if isinstance(value, base) and _prints_like(cls, base):
            # A subclass that prints like its base would come back as the base.
            inner = _shape(convert(value), names)
            if not inner.parts and inner.closing:
                return Shape(f"{names.of(cls)}()")
            return inner._replace(opening=f"{names.of(cls)}({inner.opening}", closing=inner.closing + ")")
    return _object(value, names)


def _prints_like(cls: Any, base: Any) -> bool:
    return cls.__repr__ is base.__repr__


def _enum(value: Enum, names: Names) -> Shape:
    cls = type(value)
    if cls is re.RegexFlag:
        owner = names.module("re")
    else:
        owner = names.of(cls)
    if cls.__members__.get(value.name) is value:
        return Shape(_member(owner, value.name))
    if isinstance(value, Flag):
        single = list(value)
        if single and reduce(or_, single) == value:
            return Shape(" | ".join(_member(owner, member.name or "") for member in single))
    return Shape(f"{names.of(cls)}(", [("", value.value)], ")")


def _member(owner: str, name: str) -> str:
    return f"{owner}.{name}" if name.isidentifier() and not iskeyword(name) else f"{owner}[{name!r}]"


def _dataclass(value: Any, names: Names) -> Shape:
    cls = type(value)
    accepted = inspect.signature(cls).parameters
    arguments = {}
    for field in dataclasses.fields(cls):
        held = getattr(value, field.name, None)
        # Like its repr, the call shows what equals the default, unless the field is kept out of the repr.
        if field.init and (field.repr or not _is_default(held, field)):
            arguments[field.name] = held
    needed = {name for name, parameter in accepted.items() if parameter.default is parameter.empty}
    if needed <= arguments.keys() <= accepted.keys():
        return call_shape(names.of(cls), arguments.items())
    # Its __init__ is written by hand, or takes something that it does not keep.
    again = _constructor_arguments(value)
    if again is not None:
        return call_shape(names.of(cls), again)
    return as_printed(value)._replace(comment="its constructor takes other arguments")


def _is_default(held: Any, field: dataclasses.Field[Any]) -> bool:
    if field.default_factory is not dataclasses.MISSING:
        return bool(held == field.default_factory())
    return field.default is not dataclasses.MISSING and bool(held == field.default)


def _object(value: Any, names: Names) -> Shape:
    cls = type(value)
    if not _prints_like(cls, object):
        text = readable_repr(repr(value), cls, names)
        if text is not None and len(text) <= MAX_TEXT:
            return Shape(text)
    arguments = _constructor_arguments(value)
    return as_printed(value) if arguments is None else call_shape(names.of(cls), arguments)


def _constructor_arguments(value: Any) -> list[tuple[str, Any]] | None:
    """The arguments that would make the value again, if all are kept as attributes of the same name."""
    arguments = []
    for name, parameter in inspect.signature(type(value)).parameters.items():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD) or not hasattr(value, name):
            return None
        arguments.append(("" if parameter.kind is parameter.POSITIONAL_ONLY else name, getattr(value, name)))
    return arguments if arguments or _is_bare(value) else None


def _is_bare(value: Any) -> bool:
    """Whether an object whose class takes no arguments holds nothing, so that a new one is as good."""
    slots = [name for cls in type(value).__mro__ for name in getattr(cls, "__slots__", ())]
    return type(value) is object or (hasattr(value, "__dict__") and not vars(value) and not slots)
