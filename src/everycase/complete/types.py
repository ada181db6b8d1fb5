"""Python's annotations as algebraic datatypes.

Everything that is not an ``int``, a ``bool`` or a ``str`` becomes a sum of constructors: dataclasses, unions
of them, enums, ``None``, tuples, and lists (nil and cons). Values inside this room are plain hashable tuples
``(constructor number, field, ...)``, so that sets of them are fast and a list can be part of a set.
"""

from __future__ import annotations

import dataclasses
import enum
import inspect
import sys
import types as python_types
import typing
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

Value: TypeAlias = Any  # int, bool, str, or (constructor number, field, ...)


class Type:
    """A type of the little language; compared by identity."""

    name: str

    def __repr__(self) -> str:
        return self.name


class Scalar(Type):
    """Integers, booleans, or strings (which are opaque: only equality is known of them)."""

    def __init__(self, name: str) -> None:
        self.name = name


INT, BOOL, TEXT = Scalar("int"), Scalar("bool"), Scalar("str")


class Constructor:
    """One alternative of a datatype. ``kind`` says how the native Python value looks:
    class, enum, none, nil, cons, tuple, or wrap (a scalar or list that is a member of a union)."""

    __slots__ = ("_fields", "index", "kind", "name", "native", "owner")

    def __init__(
        self,
        owner: DataType,
        index: int,
        name: str,
        kind: str,
        native: Any,
        fields: Callable[[], tuple[tuple[str, Type], ...]],
    ) -> None:
        self.owner, self.index, self.name, self.kind, self.native = owner, index, name, kind, native
        self._fields: Any = fields

    @property
    def fields(self) -> tuple[tuple[str, Type], ...]:
        """Names and types; resolved late because datatypes refer to themselves."""
        if callable(self._fields):
            self._fields = self._fields()
        return self._fields  # type: ignore[no-any-return]

    @property
    def positional(self) -> tuple[str, ...]:
        """The names of the arguments that may be given without their names, in order."""
        if self.kind != "class":
            return tuple(name for name, _ in self.fields)
        return tuple(f.name for f in dataclasses.fields(self.native) if f.init and not f.kw_only)

    def __repr__(self) -> str:
        return f"{self.owner.name}.{self.name}"


class DataType(Type):
    """A sum of constructors."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.constructors: list[Constructor] = []
        self.by_inheritance = False
        """Do some of the constructors belong to it as subclasses of a class that has values itself?"""

    @property
    def parts(self) -> list[DataType]:
        """This datatype and all that its values are made of."""
        found = [self]
        for kind in found:
            for c in kind.constructors:
                found += [t for _, t in c.fields if isinstance(t, DataType) and t not in found]
        return found

    @property
    def own_equality(self) -> str | None:
        """The name of a class inside whose ``==`` is not "made of equal parts"."""
        for kind in self.parts:
            for c in kind.constructors:
                if c.kind in ("class", "enum") and _compares_strangely(c.native):
                    return c.name
        return None

    @property
    def endless(self) -> DataType | None:
        """A datatype inside whose values would have to contain values of it, so that there are none."""
        finite: list[Type] = []
        grown = True
        while grown:
            grown = False
            for kind in self.parts:
                if kind not in finite and any(
                    all(not isinstance(t, DataType) or t in finite for _, t in c.fields)
                    for c in kind.constructors
                ):
                    finite.append(kind)
                    grown = True
        return next((kind for kind in self.parts if kind not in finite), None)

    @property
    def is_list(self) -> bool:
        return len(self.constructors) == 2 and self.constructors[1].kind == "cons"

    @property
    def is_enumeration(self) -> bool:
        return all(not c.fields for c in self.constructors)

    @property
    def element(self) -> Type:
        return self.constructors[1].fields[0][1]

    def by_class(self, native: Any) -> Constructor | None:
        return next(
            (c for c in self.constructors if c.kind in ("class", "enum") and c.native is native), None
        )

    def of_kind(self, kind: str) -> Constructor | None:
        return next((c for c in self.constructors if c.kind == kind), None)


class UnknownType(Exception):
    """An annotation that has no meaning here; carries a description of it."""


class Types:
    """Resolves annotations; the same annotation always gives the same object."""

    def __init__(self, strict: bool = True) -> None:
        self._strict = strict  # refuse classes whose values are not just their fields
        self._known: dict[Any, Type] = {}

    def resolve(self, annotation: Any, scope: Mapping[str, Any]) -> Type:
        """The type that an annotation (an object or a string) stands for."""
        made = self._resolve(annotation, scope, {})
        if isinstance(made, DataType):
            _ = made.parts  # looks at all fields, so that what is unknown is said now
        return made

    def _resolve(self, annotation: Any, scope: Mapping[str, Any], bound: Mapping[Any, Type]) -> Type:
        annotation = self._evaluate(annotation, scope)
        if isinstance(annotation, Type):
            return annotation
        simple = {int: INT, bool: BOOL, str: TEXT}.get(annotation) if isinstance(annotation, type) else None
        if simple is not None:
            return simple
        if isinstance(annotation, typing.TypeVar):
            if annotation in bound:
                return bound[annotation]
            raise UnknownType(f"the unbound type variable {annotation}")
        origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
        if origin in (typing.Annotated, typing.Literal):  # not every value of the type
            raise UnknownType(f"the annotation {annotation}")
        if origin in (typing.Union, python_types.UnionType) or annotation in (None, type(None)):
            members = arguments or (None,)
            return self._union([self._evaluate(m, scope) for m in members], scope, bound)
        if origin is list or annotation is list:
            if not arguments:
                raise UnknownType("a list without an element type; write list[int]")
            return self.list_of(self._resolve(arguments[0], scope, bound))
        if origin is tuple:
            if len(arguments) == 2 and arguments[1] is Ellipsis:
                raise UnknownType(f"the annotation {annotation}; use a list")
            return self.tuple_of(tuple(self._resolve(a, scope, bound) for a in arguments))
        if isinstance(annotation, type) or isinstance(origin, type):
            return self._union([annotation], scope, bound)
        raise UnknownType(f"the annotation {annotation}")

    def _evaluate(self, annotation: Any, scope: Mapping[str, Any]) -> Any:
        if isinstance(annotation, typing.ForwardRef):
            annotation = annotation.__forward_arg__
        if isinstance(annotation, str):
            try:
                return self._evaluate(eval(annotation, dict(scope)), scope)
            except Exception as error:
                raise UnknownType(f"the annotation {annotation!r} ({error})") from None
        value = getattr(annotation, "__value__", None)  # `type X = ...` of Python 3.12
        return (
            self._evaluate(value, scope)
            if value is not None and not isinstance(annotation, type)
            else annotation
        )

    def list_of(self, element: Type) -> DataType:
        """Lists of one type: nil and cons."""
        key = ("list", id(element))
        if key not in self._known:
            made = self._known[key] = DataType(f"list[{element.name}]")
            made.constructors = [
                Constructor(made, 0, "nil", "nil", None, tuple),
                Constructor(made, 1, "cons", "cons", None, lambda: (("head", element), ("tail", made))),
            ]
        return self._known[key]  # type: ignore[return-value]

    def tuple_of(self, parts: tuple[Type, ...]) -> DataType:
        """Tuples: one constructor."""
        key = ("tuple", *map(id, parts))
        if key not in self._known:
            made = self._known[key] = DataType(f"tuple[{', '.join(p.name for p in parts)}]")
            fields = tuple((f"item{i}", part) for i, part in enumerate(parts))
            made.constructors = [Constructor(made, 0, "tuple", "tuple", None, lambda: fields)]
        return self._known[key]  # type: ignore[return-value]

    def _union(self, members: list[Any], scope: Mapping[str, Any], bound: Mapping[Any, Type]) -> Type:
        flat: list[Any] = []
        for member in members:
            flat += [m for m in self._alternatives(member) if m not in flat]
        if len(flat) == 1 and flat[0] in (int, bool, str):
            return self._resolve(flat[0], scope, bound)
        if int in flat and bool in flat:
            raise UnknownType("a union of int and bool, whose values True and 1 are equal")
        binding = tuple(sorted((str(k), id(t)) for k, t in bound.items()))
        key = ("union", frozenset(id(m) if isinstance(m, type) else repr(m) for m in flat), binding)
        if key in self._known:
            return self._known[key]
        names = [_name_of(m) for m in flat]
        made = self._known[key] = DataType(" | ".join(names))
        for member in flat:
            self._add(made, member, scope, bound)
        classes = [c.native for c in made.constructors if c.kind == "class"]
        named = [typing.get_origin(m) or m for m in members]
        made.by_inheritance = any(
            c not in named and any(b in named for b in c.__mro__ if b in classes) for c in classes
        )
        return made

    def _alternatives(self, member: Any) -> Iterator[Any]:
        if member is None or member is type(None):
            yield None
            return
        origin = typing.get_origin(member)
        if origin in (typing.Union, python_types.UnionType):
            for part in typing.get_args(member):
                yield from self._alternatives(part)
            return
        cls = origin or member
        if (
            isinstance(cls, type)
            and cls not in (int, bool, str, list, tuple)
            and not issubclass(cls, enum.Enum)
        ):
            below: list[Any] = _subclasses(cls)
            if dataclasses.is_dataclass(cls) and not (inspect.isabstract(cls) and below):
                yield member
            for sub in below:
                arguments = typing.get_args(member)
                yield from self._alternatives(sub[arguments] if arguments and _generic(sub) else sub)
            if not dataclasses.is_dataclass(cls) and not below:
                raise UnknownType(f"the class {cls.__name__}, which is not a dataclass")
            return
        yield member

    def _add(self, made: DataType, member: Any, scope: Mapping[str, Any], bound: Mapping[Any, Type]) -> None:
        index = len(made.constructors)
        cls = typing.get_origin(member) or member
        if member is None:
            made.constructors.append(Constructor(made, index, "None", "none", None, tuple))
        elif isinstance(cls, type) and issubclass(cls, enum.Enum):
            for item in cls:
                place = len(made.constructors)
                made.constructors.append(
                    Constructor(made, place, f"{cls.__name__}.{item.name}", "enum", item, tuple)
                )
        elif isinstance(cls, type) and dataclasses.is_dataclass(cls):
            for method in ("__post_init__", "__init__", "__new__", "__getattribute__", "__getattr__"):
                if self._strict and own_method(cls, method):
                    raise UnknownType(f"the class {cls.__name__}, which has its own {method}")
            inner = dict(bound)
            parameters = getattr(cls, "__parameters__", ())
            for variable, argument in zip(parameters, typing.get_args(member)):
                inner[variable] = self._resolve(argument, scope, bound)
            home = {**vars(sys.modules.get(cls.__module__, python_types.ModuleType("none"))), **scope}

            def fields() -> tuple[tuple[str, Type], ...]:
                return tuple(
                    (f.name, self._resolve(f.type, home, inner)) for f in dataclasses.fields(cls) if f.init
                )

            made.constructors.append(Constructor(made, index, cls.__name__, "class", cls, fields))
        else:
            inside = self._resolve(member, scope, bound)
            made.constructors.append(
                Constructor(made, index, inside.name, "wrap", None, lambda: (("value", inside),))
            )


def own_method(cls: type, name: str) -> bool:
    """Did a person write this method, or change it (dataclasses write some themselves)?"""
    for base in cls.__mro__:
        if name in vars(base):
            if base is object or base.__module__ in ("typing", "abc", "enum"):
                return False
            code = getattr(vars(base)[name], "__code__", None)
            return code is None or code.co_filename != "<string>"
    return False


def _compares_strangely(native: Any) -> bool:
    if isinstance(native, enum.Enum):
        return own_method(type(native), "__eq__") and not isinstance(native, int | str)
    written = any("__eq__" in vars(base) for base in native.__mro__ if base is not object)
    hidden = any(not f.compare for f in dataclasses.fields(native))
    return not written or hidden or own_method(native, "__eq__")


def _subclasses(cls: type) -> list[Any]:
    """The direct subclasses; a dataclass with slots leaves an earlier class of the same name behind."""
    below: list[Any] = type.__subclasses__(cls)
    return list({(sub.__module__, sub.__qualname__): sub for sub in below}.values())


def _generic(cls: type) -> bool:
    return bool(getattr(cls, "__parameters__", ()))


def _name_of(member: Any) -> str:
    return "None" if member is None else getattr(member, "__name__", str(member))


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
    match constructor.kind:
        case "class":
            return constructor.native(**{name: part for (name, _), part in zip(constructor.fields, parts)})
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
    for c in kind.constructors:
        if c.kind == "class" and type(value) is c.native:
            return (c.index, *(from_python(t, getattr(value, name)) for name, t in c.fields))
        if (c.kind == "enum" and value is c.native) or (c.kind == "none" and value is None):
            return (c.index,)
        if c.kind == "tuple" and isinstance(value, tuple) and len(value) == len(c.fields):
            return (c.index, *(from_python(t, part) for (_, t), part in zip(c.fields, value)))
        if c.kind == "wrap":
            try:
                return (c.index, from_python(c.fields[0][1], value))
            except ValueError:
                continue
    raise ValueError(f"{value!r} is not of type {kind}")


def size_of(kind: Type, value: Value) -> int:
    """Constructors that hold something, plus the magnitude of the integers: what "smallest" means here."""
    if not isinstance(kind, DataType):
        return abs(value) if kind is INT else (len(value) if kind is TEXT else int(value))
    constructor = kind.constructors[value[0]]
    return bool(constructor.fields) + sum(size_of(t, p) for (_, t), p in zip(constructor.fields, value[1:]))
