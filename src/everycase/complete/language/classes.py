"""The structure of classes: dataclasses, named tuples and attrs classes, read in the same way."""

from __future__ import annotations

import ast
import enum
import functools
import inspect
import sys
import textwrap
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from everycase.gen.records import (
    NO_DEFAULT,
    Record,
    RecordField,
    RecordKind,
    is_generated,
    model_of,
    record_of,
)


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


def _record(cls: Any) -> Record | None:
    """The fields that a class declares. A model of pydantic stores its arguments as they are, if they have the right
    types and nothing was written to change them."""
    record = record_of(cls)
    if record is None and isinstance(cls, type):
        model = model_of(cls)
        if model is not None and model.generated_init:
            plain = all(isinstance(f.parameter, str) for f in model.fields)
            fields = tuple(f._replace(keyword_only=True) for f in model.fields)
            return model._replace(fields=fields) if plain else None
    return record


def is_record(cls: Any) -> bool:
    """A class whose values are their fields."""
    record = _record(cls)
    if record is None:
        return _by_hand(cls) is not None
    if record.kind is RecordKind.attrs:
        return "__attrs_attrs__" in vars(cls)
    return record.kind in (RecordKind.dataclass, RecordKind.model) or is_tuple_of_fields(cls)


def is_attrs(cls: Any) -> bool:
    """Was the class made by attrs?"""
    record = record_of(cls)
    return record is not None and record.kind is RecordKind.attrs


_NEW: tuple[Any, ...] = (list, dict, set, tuple, frozenset)


def parts_of_class(cls: Any) -> list[ClassField]:
    """The fields that are given when a value is made, in order."""
    return [
        ClassField(
            f.attribute,
            f.parameter,
            f.annotation,
            not f.keyword_only,
            f.factory() if f.factory is not None and f.factory in _NEW else f.default,
        )
        for f in _fields(cls)
        if f.parameter is not None
    ]


def _fields(cls: Any) -> tuple[RecordField, ...]:
    record = _record(cls)
    return record.fields if record is not None else _by_hand(cls) or ()


def made_by_hand(cls: Any) -> bool:
    """Does the class have an ``__init__`` that assigns all its parameters, and may do more?"""
    return record_of(cls) is None and _by_hand(cls) is not None


@functools.lru_cache(maxsize=64)
def _by_hand(cls: Any) -> tuple[RecordField, ...] | None:
    """The fields of a class whose ``__init__`` assigns each of its parameters, ``self._name = name``, and changes none
    of them; None for any other."""
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
    assigned = [pair for s in node.body if (pair := _assigned(s, itself.name)) is not None]
    attributes = {name: attribute for attribute, name in assigned if name in {p.name for p in spots}}
    if not spots or set(attributes) != {p.name for p in spots} or changes_more(node, itself.name):
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


def changes_more(node: ast.FunctionDef, itself: str) -> bool:
    """Does a method change anything but attributes of its own object, each of them once and at its top level?"""
    parameters = {a.arg for a in ast.walk(node.args) if isinstance(a, ast.arg)}
    simple: list[str] = []
    targets = [t for s in node.body for t in _targets(s)]
    for target in targets:
        match target:
            case ast.Attribute(value=ast.Name(id=owner), attr=name) if owner == itself:
                simple.append(name)
    for n in ast.walk(node):
        stored = isinstance(getattr(n, "ctx", None), ast.Store | ast.Del)
        if isinstance(n, ast.Name) and stored and n.id in parameters:
            return True
        if isinstance(n, ast.Attribute | ast.Subscript) and stored and n not in targets:
            return True
        if isinstance(n, ast.Subscript) and stored:
            return True
    return len(set(simple)) != len(simple)


def _targets(node: ast.stmt) -> list[ast.expr]:
    match node:
        case ast.Assign(targets=[target]) | ast.AnnAssign(target=target, value=ast.expr()):
            return [target]
    return []


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
            if base in (object, tuple) or base.__module__ in ("typing", "abc", "enum", "pydantic.main"):
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


def is_frozen(cls: Any) -> bool:
    """Can no field be assigned again: a named tuple, or a dataclass with ``frozen=True``?"""
    parameters = vars(cls).get("__dataclass_params__")
    return is_tuple_of_fields(cls) or (parameters is not None and parameters.frozen)


_OWN_WAYS = (
    "__attrs_pre_init__", "__init__", "__new__", "__getattribute__", "__getattr__", "__setattr__",
)  # fmt: skip
_OWN_WAYS_OF_TUPLES = ("__getitem__", "__iter__", "__len__", "__contains__")


#: Methods that run when a value is made, and may be understood.
AFTER = ("__post_init__", "__attrs_post_init__")


def unlike_its_fields(cls: type) -> str | None:
    """What makes a class more than its fields, apart from what happens when a value is made: a method, a metaclass, or
    a descriptor in place of a field."""
    ways: tuple[str, ...] = (*_OWN_WAYS, *(_OWN_WAYS_OF_TUPLES if is_tuple_of_fields(cls) else ()))
    for method in ways:
        if own_method(cls, method) and not (method == "__init__" and made_by_hand(cls)):
            return method
    for f in _fields(cls):
        unusual = f.converter is not None and not _keeps(f.converter, f.annotation)
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


def _keeps(converter: Any, annotation: Any) -> bool:
    """Does a converter leave the values of the annotated type as they are?"""
    if converter in (int, str, bool, float, bytes):
        return annotation in (converter, converter.__name__)
    if converter in (list, tuple, set, frozenset, dict):
        return str(annotation).startswith(f"{converter.__name__}[")
    return False


#: What a validator demands: text such as ``value >= bound`` with the objects that its names stand for, or a function
#: ``validator(instance, attribute, value)``.
Condition = tuple[str, dict[str, Any]] | Callable[..., Any]


def conditions_of_class(cls: Any) -> Iterator[tuple[str, Condition]]:
    """The attribute and the demand of each validator."""
    record = _record(cls)
    if record is not None and record.kind is RecordKind.model:
        for name, field in cls.model_fields.items():
            yield from ((name, condition) for note in field.metadata for condition in _limits(note))
        return
    for f in _fields(cls):
        if f.validator is not None and f.parameter is not None:
            for condition in _demands(f.validator):
                yield f.attribute, condition


def _limits(note: Any) -> list[Condition]:
    """What ``Field(ge=0)`` and the like demand, as pydantic keeps it."""
    if isinstance(note, str):
        return []
    match type(note).__name__:
        case "Ge" | "Gt" | "Le" | "Lt" as name:
            sign = {"Ge": ">=", "Gt": ">", "Le": "<=", "Lt": "<"}[name]
            return [(f"value {sign} bound", {"bound": getattr(note, name.lower())})]
        case "MultipleOf" if type(note.multiple_of) is int:
            return [(f"value % {note.multiple_of} == 0", {})]
        case "MinLen":
            return [("len(value) >= bound", {"bound": note.min_length})]
        case "MaxLen":
            return [("len(value) <= bound", {"bound": note.max_length})]
    return [note]


def _demands(validator: Any) -> list[Condition]:
    """What a validator of attrs demands, if it is one of the usual ones."""
    name = type(validator).__name__ if _of_attrs(type(validator).__call__) else ""
    match name:
        case "_AndValidator":
            return [c for inside in validator._validators for c in _demands(inside)]
        case "_NumberValidator" if validator.compare_op in ("<", "<=", ">", ">="):
            return [(f"value {validator.compare_op} bound", {"bound": validator.bound})]
        case "_InstanceOfValidator":
            return [("isinstance(value, kind)", {"kind": validator.type})]
        case "_InValidator":
            return [("value in options", {"options": validator.options})]
        case "_MinLengthValidator":
            return [("len(value) >= bound", {"bound": validator.min_length})]
        case "_MaxLengthValidator":
            return [("len(value) <= bound", {"bound": validator.max_length})]
        case "_OptionalValidator":
            inside = _demands(validator.validator)
            if len(inside) == 1 and isinstance(inside[0], tuple):
                text, names = inside[0]
                return [(f"value is None or {text}", names)]
    return [validator]


class _Pair(NamedTuple):
    first: int


_TUPLE_GETTER: Any = type(vars(_Pair)["first"])


def compares_strangely(native: Any) -> bool:
    """Does ``==`` mean something other than "of the same class and made of equal parts"?"""
    if isinstance(native, enum.Enum):
        return own_method(type(native), "__eq__") and not isinstance(native, int | str)
    if is_tuple_of_fields(native):
        return own_method(native, "__eq__")
    if (record := _record(native)) is not None and record.kind is RecordKind.model:
        return own_method(native, "__eq__")
    home: Any = next((base for base in native.__mro__ if "__eq__" in vars(base)), object)
    if home is object or own_method(native, "__eq__"):
        return True
    compared = [f.attribute for f in _fields(home) if f.in_eq]  # the parts that == compares
    return compared != [f.attribute for f in _fields(native)]
