"""Records: classes that declare their fields. Dataclasses, attrs classes, NamedTuples and pydantic models are read in
the same way.

Use :func:`record_of` to find out about a class: which attribute holds which argument of the constructor, the
default of an argument, whether instances can be changed. The libraries themselves are not imported: a class
made by one of them carries the information.
"""

from __future__ import annotations

import contextlib
import functools
import sys
from collections.abc import Callable, Iterator
from enum import Enum
from types import MemberDescriptorType
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary


class RecordKind(Enum):
    """What made the class."""

    dataclass = "dataclass"
    attrs = "attrs"
    named_tuple = "NamedTuple"
    model = "pydantic"


#: Marks a field without a default.
NO_DEFAULT: Any = object()


class RecordField(NamedTuple):
    """A field of a record."""

    #: the attribute of the instances
    attribute: str
    #: the parameter of the constructor; None if the class fills it in itself
    parameter: str | None
    #: as written in the class body: it may be a string
    annotation: Any = None
    default: Any = NO_DEFAULT
    #: makes the default of one instance
    factory: Callable[..., Any] | None = None
    #: attrs: the factory takes the instance
    factory_takes_self: bool = False
    keyword_only: bool = False
    in_repr: bool = True
    in_eq: bool = True
    #: attrs: a function that is applied to the argument
    converter: Any = None
    #: attrs: a function that may reject the argument
    validator: Any = None

    @property
    def has_default(self) -> bool:
        return self.default is not NO_DEFAULT or self.factory is not None


class Record(NamedTuple):
    """The structure of a class."""

    cls: type
    kind: RecordKind
    fields: tuple[RecordField, ...]
    #: instances cannot be changed in place, as far as the class can prevent it
    frozen: bool
    #: the constructor was generated from the fields, not written by hand (a pydantic model: it runs no user code and stores
    #: its arguments if they have the right type)
    generated_init: bool

    @property
    def attributes(self) -> tuple[str, ...]:
        """The attributes of all fields, in order."""
        return tuple(field.attribute for field in self.fields)

    @property
    def parameters(self) -> dict[str, str]:
        """For each parameter of a generated constructor, the attribute that keeps the argument."""
        return {field.parameter: field.attribute for field in self.fields if field.parameter is not None}


_known: WeakKeyDictionary[type, Record | None] = WeakKeyDictionary()


def record_of(cls: Any) -> Record | None:
    """The fields of a dataclass, an attrs class or a NamedTuple; None for any other class or object.

    >>> class Point(NamedTuple):
    ...     x: int
    ...     y: int = 0
    >>> record = record_of(Point)
    >>> record.attributes, record.frozen, record.fields[1].default
    (('x', 'y'), True, 0)
    >>> record_of(int) is None
    True
    """
    if not isinstance(cls, type):
        return None
    try:
        return _known[cls]
    except KeyError:
        record = _known[cls] = _read(cls)
        return record
    except TypeError:  # a metaclass whose classes cannot be hashed
        return _read(cls)


def is_named_tuple(cls: object) -> bool:
    """Whether a class was made by NamedTuple or namedtuple, or inherits from one that was."""
    return isinstance(cls, type) and issubclass(cls, tuple) and hasattr(cls, "_fields")


def is_generated(function: Any) -> bool:
    """Whether dataclasses or attrs have written a function."""
    name: str = getattr(getattr(function, "__code__", None), "co_filename", "")
    return name == "<string>" or name.startswith("<attrs generated")


def _read(cls: Any) -> Record | None:
    if isinstance(getattr(cls, "__dataclass_fields__", None), dict):
        return _dataclass(cls)
    if isinstance(getattr(cls, "__attrs_attrs__", None), tuple):
        return _attrs(cls)
    if is_named_tuple(cls):
        return _named_tuple(cls)
    return None


def _dataclass(cls: Any) -> Record:
    from dataclasses import MISSING, fields

    found = tuple(
        RecordField(
            field.name,
            field.name if field.init else None,
            field.type,
            NO_DEFAULT if field.default is MISSING else field.default,
            None if field.default_factory is MISSING else field.default_factory,
            keyword_only=field.kw_only is True,
            in_repr=field.repr,
            in_eq=field.compare,
        )
        for field in fields(cls)
    )
    parameters = cls.__dataclass_params__
    return Record(cls, RecordKind.dataclass, found, bool(parameters.frozen), bool(parameters.init))


def _attrs(cls: Any) -> Record:
    nothing = getattr(sys.modules.get("attr"), "NOTHING", NO_DEFAULT)
    found = []
    for field in cls.__attrs_attrs__:
        factory = getattr(field.default, "factory", None)
        found.append(
            RecordField(
                field.name,
                field.alias if field.init else None,
                field.type,
                NO_DEFAULT if factory is not None or field.default is nothing else field.default,
                factory,
                bool(getattr(field.default, "takes_self", False)),
                field.kw_only,
                bool(field.repr),
                bool(field.eq),
                field.converter,
                field.validator,
            )
        )
    frozen = getattr(cls.__setattr__, "__name__", "") == "_frozen_setattrs"
    return Record(cls, RecordKind.attrs, tuple(found), frozen, True)


def _named_tuple(cls: Any) -> Record:
    annotations: dict[str, Any] = next(
        (vars(base).get("__annotations__", {}) for base in cls.__mro__ if "_fields" in vars(base)), {}
    )
    defaults = getattr(cls, "_field_defaults", {})
    found = (
        RecordField(name, name, annotations.get(name), defaults.get(name, NO_DEFAULT)) for name in cls._fields
    )
    return Record(cls, RecordKind.named_tuple, tuple(found), True, True)


#: Methods that a model inherits unless they are written by hand.
_MODEL_METHODS = ("__init__", "__new__", "__setattr__", "__getattr__", "__getattribute__", "model_post_init")
_MODEL_VALIDATORS = ("validators", "field_validators", "root_validators", "model_validators")
#: Options of a model with which it may store something different from its argument.
_CHANGING_OPTIONS = ("str_strip_whitespace", "str_to_lower", "str_to_upper", "use_enum_values")


def model_of(cls: type) -> Record | None:
    """The fields of a pydantic model (version 2 or later); None for any other class.

    :func:`record_of` does not read models, because their constructors convert their arguments.
    """
    pydantic = sys.modules.get("pydantic")
    if pydantic is None or not issubclass(cls, getattr(pydantic, "BaseModel", ())):
        return None
    model: Any = cls
    fields = getattr(model, "__pydantic_fields__", None) or getattr(model, "model_fields", None) or {}
    found = (
        RecordField(
            name,
            field.validation_alias or field.alias or name,
            field.annotation,
            NO_DEFAULT if field.is_required() or field.default_factory is not None else field.default,
            field.default_factory,
        )
        for name, field in fields.items()
    )
    return Record(
        cls,
        RecordKind.model,
        tuple(found),
        bool(getattr(model, "model_config", {}).get("frozen")),
        bool(fields) and _is_plain_model(model, pydantic),
    )


def _is_plain_model(model: Any, pydantic: Any) -> bool:
    decorators = getattr(model, "__pydantic_decorators__", None)
    if decorators is None or issubclass(model, pydantic.RootModel) or model.__private_attributes__:
        return False
    options = model.model_config
    return (
        all(getattr(model, name) is getattr(pydantic.BaseModel, name) for name in _MODEL_METHODS)
        and not any(getattr(decorators, name) for name in _MODEL_VALIDATORS)
        and options.get("extra") != "allow"
        and not any(options.get(name) for name in _CHANGING_OPTIONS)
    )


#: Modules whose values are equal in all respects if their texts are: dates with their time zones, decimals with their zeros.
EXACTLY_PRINTED = frozenset(
    {"datetime", "zoneinfo", "decimal", "uuid", "ipaddress", "pathlib", "pathlib._local"}
)


class _Plain:
    """The layout of objects with attributes."""


class _Slots:
    __slots__ = ()


class _Referable:
    __slots__ = ("__weakref__",)


class _Open:
    __slots__ = ("__dict__",)


#: The size of an object by whether it has a dictionary of attributes, and whether weak references to it may exist.
_SIZES = {
    (bool(cls.__dictoffset__), bool(cls.__weakrefoffset__)): cls.__basicsize__
    for cls in (_Plain, _Slots, _Referable, _Open)
}


def has_only_attributes(cls: type) -> bool:
    """Whether attributes and slots are all that an object of a class is made of: there is no state in a base written in C.

    >>> has_only_attributes(RecordField), has_only_attributes(type("Point", (), {}))
    (False, True)
    """
    slots = len(_slots_of(cls))
    least = _SIZES[bool(cls.__dictoffset__), bool(cls.__weakrefoffset__)]
    return not cls.__itemsize__ and cls.__basicsize__ == least + slots * tuple.__itemsize__


@functools.lru_cache(maxsize=1024)
def _slots_of(cls: Any) -> tuple[tuple[str, MemberDescriptorType], ...]:
    return tuple(
        (name, member)
        for base in cls.__mro__
        for name, member in vars(base).items()
        if isinstance(member, MemberDescriptorType)
    )


def attributes_of(value: Any) -> Iterator[tuple[str, Any]]:
    """The attributes of an object, in their order, and its slots, read without running its code.

    >>> from fractions import Fraction
    >>> list(attributes_of(Fraction(1, 3)))
    [('_denominator', 3), ('_numerator', 1)]
    """
    cls = type(value)
    if cls.__dictoffset__:
        yield from object.__getattribute__(value, "__dict__").items()
    for name, member in _slots_of(cls):  # type: ignore[arg-type]  # a class can be hashed
        with contextlib.suppress(AttributeError):
            yield name, member.__get__(value, cls)
