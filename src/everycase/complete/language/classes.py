"""The structure of classes: dataclasses, named tuples and attrs classes, read in the same way."""

from __future__ import annotations

import ast
import enum
import functools
import inspect
import sys
import textwrap
import types
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from everycase.gen.records import NO_DEFAULT, RecordField, RecordKind, is_generated, record_of


@dataclass(frozen=True)
class ClassField:
    """A field: the attribute, its annotation (None if there is none), and how it can be passed."""

    name: str
    parameter: str
    annotation: Any
    positional: bool
    default: Any
    """A value, or ``NO_DEFAULT`` if there is none or it is computed each time (an empty list is known)."""


def is_tuple_of_fields(cls: Any) -> bool:
    """Made by ``NamedTuple`` or ``namedtuple`` with some fields (one without any is false as a condition)."""
    record = record_of(cls)
    return record is not None and record.kind is RecordKind.named_tuple and bool(record.fields)


def is_record(cls: Any) -> bool:
    """A class whose values are their fields."""
    record = record_of(cls)
    if record is None:
        return _by_hand(cls) is not None
    if record.kind is RecordKind.attrs:
        return "__attrs_attrs__" in vars(cls)
    return record.kind is RecordKind.dataclass or is_tuple_of_fields(cls)


def is_attrs(cls: Any) -> bool:
    """Was the class made by attrs?"""
    record = record_of(cls)
    return record is not None and record.kind is RecordKind.attrs


def parts_of_class(cls: Any) -> list[ClassField]:
    """The fields that are given when a value is made, in order."""
    return [
        ClassField(
            f.attribute, f.parameter, f.annotation, not f.keyword_only, [] if f.factory is list else f.default
        )
        for f in _fields(cls)
        if f.parameter is not None
    ]


def _fields(cls: Any) -> tuple[RecordField, ...]:
    record = record_of(cls)
    return record.fields if record is not None else _by_hand(cls) or ()


@functools.lru_cache(maxsize=64)
def _by_hand(cls: Any) -> tuple[RecordField, ...] | None:
    """The fields of a class whose ``__init__`` only assigns its parameters: ``self._name = name``; None for any other."""
    init = vars(cls).get("__init__") if type(cls) is type and cls.__bases__ == (object,) else None
    if not isinstance(init, types.FunctionType) or init.__closure__:
        return None
    try:
        (node,) = ast.parse(textwrap.dedent(inspect.getsource(init))).body
    except (OSError, TypeError, SyntaxError, ValueError):
        return None
    if not isinstance(node, ast.FunctionDef) or node.decorator_list or node.args.vararg or node.args.kwarg:
        return None
    itself, *spots = inspect.signature(init).parameters.values()
    assigned = [_assigned(s, itself.name) for s in node.body if not _is_docstring(s)]
    attributes = {pair[1]: pair[0] for pair in assigned if pair is not None}
    if None in assigned or not assigned or len(attributes) != len(assigned):
        return None
    if set(attributes) != {p.name for p in spots} or len(set(attributes.values())) != len(assigned):
        return None
    if any(p.kind is p.POSITIONAL_ONLY for p in spots):
        return None
    annotations = {**init.__annotations__}
    if any(isinstance(p.default, list | dict | set) for p in spots):  # all instances share it
        return None
    return tuple(
        RecordField(
            attributes[p.name], p.name, annotations.get(p.name),
            NO_DEFAULT if p.default is p.empty else p.default,
            keyword_only=p.kind is p.KEYWORD_ONLY,
        )
        for p in spots
    )  # fmt: skip


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _assigned(node: ast.stmt, itself: str) -> tuple[str, str] | None:
    """The attribute and the name, if the statement is ``self.attribute = name``."""
    target: ast.expr | None = None
    match node:
        case ast.Assign(targets=[target], value=ast.Name(id=name)):
            pass
        case ast.AnnAssign(target=target, value=ast.Name(id=name)):
            pass
        case _:
            return None
    match target:
        case ast.Attribute(value=ast.Name(id=owner), attr=attr) if owner == itself:
            return attr, name
    return None


def own_method(cls: type, name: str) -> bool:
    """Did a person write this method, or change it (dataclasses and named tuples generate some)?"""
    for base in cls.__mro__:
        if name in vars(base):
            if base in (object, tuple) or base.__module__ in ("typing", "abc", "enum"):
                return False
            method = vars(base)[name]
            plain = getattr(method, "__func__", method)
            return not is_generated(plain) and not _of_attrs(plain)
    return False


def _of_attrs(function: Any) -> bool:
    """Does a function come from attrs? It gives some of them the module of the class."""
    file = getattr(getattr(function, "__code__", None), "co_filename", "")
    home = getattr(sys.modules.get("attr"), "__file__", None)
    return home is not None and Path(file).is_relative_to(Path(home).parent)


def compares_as_number(cls: Any) -> bool:
    """Are ``<`` and the like of this kind of int those of int itself?"""
    return all(getattr(cls, name) is getattr(int, name) for name in ("__lt__", "__le__", "__gt__", "__ge__"))


def is_ordered(cls: Any) -> bool:
    """Does ``<`` compare the fields in turn: a named tuple, or a dataclass with ``order=True``?"""
    if any(own_method(cls, name) for name in ("__lt__", "__le__", "__gt__", "__ge__")):
        return False
    if is_tuple_of_fields(cls):
        return not any("__lt__" in vars(base) for base in cls.__mro__ if base not in (tuple, object))
    parameters = vars(cls).get("__dataclass_params__")
    all_compared = all(f.in_eq for f in _fields(cls))
    return parameters is not None and parameters.order and all_compared


_OWN_WAYS = (
    "__post_init__", "__attrs_post_init__", "__attrs_pre_init__", "__init__", "__new__", "__getattribute__", "__getattr__", "__setattr__",
)  # fmt: skip
_OWN_WAYS_OF_TUPLES = ("__getitem__", "__iter__", "__len__", "__contains__")


def unlike_its_fields(cls: type) -> str | None:
    """What makes a class more than its fields: a method, a metaclass, or a descriptor in place of a field."""
    ways: tuple[str, ...] = (*_OWN_WAYS, *(_OWN_WAYS_OF_TUPLES if is_tuple_of_fields(cls) else ()))
    for method in ways:
        if own_method(cls, method) and not (method == "__init__" and _by_hand(cls) is not None):
            return method
    for f in _fields(cls):
        unusual = f.converter is not None or f.validator is not None
        if unusual or (f.parameter is None and is_attrs(cls)):
            return f"way to set {f.attribute}"
    for meta in type.mro(type(cls)):
        if "__call__" in vars(meta) and meta is not type:
            return f"metaclass {type(cls).__name__}"
    for part in parts_of_class(cls):
        found = inspect.getattr_static(cls, part.name, None)
        own_kind = (types.MemberDescriptorType, _TUPLE_GETTER)
        if hasattr(type(found), "__get__") and not isinstance(found, own_kind):
            return f"way to look up {part.name!s}"
    return None


class _Pair(NamedTuple):
    first: int


_TUPLE_GETTER: Any = type(vars(_Pair)["first"])


def compares_strangely(native: Any) -> bool:
    """Does ``==`` mean something other than "of the same class and made of equal parts"?"""
    if isinstance(native, enum.Enum):
        return own_method(type(native), "__eq__") and not isinstance(native, int | str)
    if is_tuple_of_fields(native):
        return own_method(native, "__eq__")
    home: Any = next((base for base in native.__mro__ if "__eq__" in vars(base)), object)
    if home is object or own_method(native, "__eq__"):
        return True
    compared = [f.attribute for f in _fields(home) if f.in_eq]  # the parts that == compares
    return compared != [f.attribute for f in _fields(native)]
