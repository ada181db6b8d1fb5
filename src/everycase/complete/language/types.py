"""Python's annotations as algebraic datatypes.

Everything that is not an ``int``, a ``bool`` or a ``str`` becomes a sum of constructors: dataclasses and
named tuples, unions of them, enums, literals, ``None``, tuples, and lists (nil and cons). Values inside this
package are plain hashable tuples ``(constructor number, field, ...)``, so that sets of them are fast and a
list can be part of a set.
"""

from __future__ import annotations

import datetime
import enum
import inspect
import math
import sys
import types as python_types
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from everycase.complete.language.annotations import AnyOf, KnownFields, LiteralValue
from everycase.complete.language.classes import (
    compares_strangely,
    is_record,
    is_tuple_of_fields,
    parts_of_class,
    unlike_its_fields,
)

Value: TypeAlias = Any  # int, bool, str, or (constructor number, field, ...)


class Type:
    """A type of the small language; compared by identity."""

    name: str

    def __repr__(self) -> str:
        return self.name


class Scalar(Type):
    """Integers, booleans, or strings (which are opaque: only equality is known of them)."""

    def __init__(self, name: str) -> None:
        self.name = name


INT, BOOL, TEXT = Scalar("int"), Scalar("bool"), Scalar("str")


class Dependence(Protocol):
    """How the parts of a value depend on each other (:class:`everycase.complete.frontend.construction.Making`,
    whose expressions need these types)."""

    @property
    def is_plain(self) -> bool: ...
    @property
    def computed(self) -> tuple[tuple[str, Any], ...]: ...
    def parts(self, given: Sequence[Any]) -> list[Any]: ...
    def condition(self, parts: Sequence[Any]) -> Any: ...


class Constructor:
    """One alternative of a datatype. ``kind`` says how the native Python value looks:
    class, enum, literal, none, nil, cons, tuple, or wrap (a scalar or list that is a member of a union)."""

    __slots__ = ("_fields", "_making", "_reads", "index", "kind", "name", "native", "owner")

    def __init__(
        self,
        owner: DataType,
        index: int,
        name: str,
        kind: str,
        native: Any,
        fields: Callable[[], tuple[tuple[str, Type], ...]],
        reads: Callable[[Constructor], Dependence] | None = None,
    ) -> None:
        self.owner, self.index, self.name, self.kind, self.native = owner, index, name, kind, native
        self._fields: Any = fields
        self._reads = reads
        self._making: Dependence | None = None

    @property
    def given_fields(self) -> tuple[tuple[str, Type], ...]:
        """Names and types of the parts that are arguments; resolved late because datatypes refer to themselves."""
        if callable(self._fields):
            self._fields = self._fields()
        return self._fields  # type: ignore[no-any-return]

    @property
    def fields(self) -> tuple[tuple[str, Type], ...]:
        """Names and types of all parts."""
        making = self.making
        computed = making.computed if making is not None else ()
        return (*self.given_fields, *((name, e.type) for name, e in computed))

    @property
    def making(self) -> Dependence | None:
        """How the parts depend on each other; None if they do not."""
        if self._reads is not None:
            reads, self._reads = self._reads, None
            try:
                found = reads(self)
            except UnknownType:
                self._reads = reads
                raise
            self._making = None if found.is_plain else found
        return self._making

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the arguments, in the order of the fields that they fill in."""
        if self.kind != "class":
            return tuple(name for name, _ in self.fields)
        return tuple(
            part.parameter for part in parts_of_class(self.native)
        )  # not for those that are computed

    @property
    def positional(self) -> tuple[str, ...]:
        """The names of the arguments that may be given without their names, in order."""
        if self.kind != "class":
            return self.parameters
        return tuple(part.parameter for part in parts_of_class(self.native) if part.positional)

    @property
    def is_tuple(self) -> bool:
        """Can it be unpacked, and indexed?"""
        return self.kind == "tuple" or (self.kind == "class" and is_tuple_of_fields(self.native))

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
        """This datatype and all datatypes of the parts of its values."""
        found = [self]
        for kind in found:
            for c in kind.constructors:
                found += [t for _, t in c.fields if isinstance(t, DataType) and t not in found]
        return found

    @property
    def own_equality(self) -> str | None:
        """The name of a class inside whose ``==`` does not mean "made of equal parts"."""
        for kind in self.parts:
            for c in kind.constructors:
                if c.kind in ("class", "enum") and compares_strangely(c.native):
                    return c.name
            inside = [c for c in kind.constructors if c.is_tuple or (c.kind == "wrap" and _is_tuple_type(c))]
            if len(inside) > 1:  # named tuples of different classes are equal if their parts are
                return inside[0].name
            for scalar in (int, str):  # members of an IntEnum equal numbers, and members of other IntEnums
                alike = {
                    type(c.native)
                    for c in kind.constructors
                    if c.kind == "enum" and isinstance(c.native, scalar)
                }
                if len(alike) + any(_is_plain(c, scalar) for c in kind.constructors) > 1 and alike:
                    return min(cls.__name__ for cls in alike)
        return None

    @property
    def as_tuple(self) -> Constructor | None:
        """The one constructor that can be unpacked."""
        found = [c for c in self.constructors if c.is_tuple]
        return found[0] if len(found) == 1 else None

    @property
    def endless(self) -> DataType | None:
        """A datatype inside whose values would have to contain values of itself, so that there are none."""
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
    """An annotation that is not supported here; carries a description of it."""


_STAMPS = (datetime.date, datetime.datetime, datetime.time, datetime.timedelta)


class Types:
    """Resolves annotations; the same annotation always gives the same object."""

    def __init__(self, strict: bool = True, open_text: bool = False) -> None:
        self._strict = strict  # reject classes whose values are not just their fields
        self.open_text = (
            open_text  # strings as lists of characters, instead of values of which only the length is known
        )
        self._known: dict[Any, Type] = {}
        self._learned: dict[type, KnownFields] = {}
        self.reads_making: Callable[[Constructor], Dependence] | None = None

    def resolve(self, annotation: Any, scope: Mapping[str, Any]) -> Type:
        """The type that an annotation (an object or a string) stands for."""
        made = self._resolve(annotation, scope, {})
        if isinstance(made, DataType):
            _ = made.parts  # looks at all fields, so that unknown ones are reported now
        return made

    def _resolve(self, annotation: Any, scope: Mapping[str, Any], bound: Mapping[Any, Type]) -> Type:
        annotation = self._evaluate(annotation, scope)
        if isinstance(annotation, Type):
            return annotation
        simple = {int: INT, bool: BOOL, str: TEXT}.get(annotation) if isinstance(annotation, type) else None
        if simple is TEXT and self.open_text:
            return self.text
        if simple is not None:
            return simple
        if isinstance(annotation, typing.TypeVar):
            if annotation in bound:
                return bound[annotation]
            raise UnknownType(f"the unbound type variable {annotation}")
        origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
        if origin is typing.Annotated:
            if all(isinstance(note, str) for note in annotation.__metadata__):  # for people
                return self._resolve(arguments[0], scope, bound)
            raise UnknownType(f"the annotation {annotation}")  # not every value of the type
        if isinstance(annotation, typing.NewType):
            return self._resolve(annotation.__supertype__, scope, bound)
        if isinstance(annotation, AnyOf):
            return self._union(list(annotation.members), scope, bound)
        if origin is typing.Literal or isinstance(annotation, LiteralValue | KnownFields):
            return self._union([annotation], scope, bound)
        if origin in (typing.Union, python_types.UnionType) or annotation in (None, type(None)):
            members = arguments or (None,)
            return self._union([self._evaluate(m, scope) for m in members], scope, bound)
        if origin is list or annotation is list:
            if not arguments:
                raise UnknownType("a list without an element type; write list[int]")
            return self.list_of(self._resolve(arguments[0], scope, bound))
        if annotation in (set, frozenset, dict, tuple):
            raise UnknownType(f"the type {annotation.__name__}, without the types of its contents")
        if origin in (set, frozenset, dict) or annotation in _STAMPS:
            inside = [self._resolve(a, scope, bound) for a in arguments]
            if inside and inside[0] is self._known.get("text"):
                inside[0] = TEXT  # the elements of a set and the keys of a dictionary are compared as a whole
            return self._wrapped(annotation, origin, inside)
        if annotation is float:
            return self.float
        if annotation is bytes:
            return self.bytes
        if origin is tuple:
            if len(arguments) == 2 and arguments[1] is Ellipsis:
                return self._wrapped(annotation, tuple, [self._resolve(arguments[0], scope, bound)])
            return self.tuple_of(tuple(self._resolve(a, scope, bound) for a in arguments))
        if isinstance(annotation, type) and typing.is_typeddict(annotation):
            return self._typed_dict(annotation)
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

    @property
    def float(self) -> DataType:
        """Floats: NaN, or a place in the order of all others."""
        if "float" not in self._known:
            made = self._known["float"] = DataType("float")
            made.constructors = [
                Constructor(made, 0, "nan", "nan", math.nan, tuple),
                Constructor(made, 1, "number", "float", float, lambda: (("rank", INT),)),
            ]
        return self._known["float"]  # type: ignore[return-value]

    @property
    def text(self) -> DataType:
        """Strings as lists of the numbers of their characters."""
        if "text" not in self._known:
            made = self._known["text"] = DataType("str")
            inside = self.list_of(INT)
            made.constructors = [Constructor(made, 0, "text", "text", str, lambda: (("items", inside),))]
        return self._known["text"]  # type: ignore[return-value]

    @property
    def bytes(self) -> DataType:
        """Bytes as lists of small numbers."""
        if "bytes" not in self._known:
            made = self._known["bytes"] = DataType("bytes")
            inside = self.list_of(INT)
            made.constructors = [Constructor(made, 0, "bytes", "bytes", bytes, lambda: (("items", inside),))]
        return self._known["bytes"]  # type: ignore[return-value]

    def stamp(self, cls: type) -> DataType:
        """Dates, moments, times of a day and durations."""
        return self._wrapped(cls, None, [])

    def wrapped_list(self, native: type, element: Type) -> DataType:
        """Sets, frozen sets, dictionaries (of pairs) and tuples of any length."""
        key = ("wrapped", native, id(element))
        if key not in self._known:
            inside = self.list_of(element)
            made = self._known[key] = DataType(f"{native.__name__}[{element.name}]")
            kind = "sequence" if native is tuple else "dict" if native is dict else "set"
            made.constructors = [
                Constructor(made, 0, native.__name__, kind, native, lambda: (("items", inside),))
            ]
        return self._known[key]  # type: ignore[return-value]

    def option_of(self, inside: Type) -> DataType:
        """The result of a lookup: nothing, or a value."""
        key = ("option", id(inside))
        if key not in self._known:
            made = self._known[key] = DataType(f"{inside.name} or nothing")
            made.constructors = [
                Constructor(made, 0, "nothing", "none", None, tuple),
                Constructor(made, 1, "something", "wrap", None, lambda: (("value", inside),)),
            ]
        return self._known[key]  # type: ignore[return-value]

    def _wrapped(self, annotation: Any, origin: Any, arguments: list[Type]) -> DataType:
        if annotation in _STAMPS:
            key = ("stamp", annotation)
            if key not in self._known:
                made = self._known[key] = DataType(annotation.__name__)
                fields = (("ticks", INT),)
                made.constructors = [
                    Constructor(made, 0, annotation.__name__, "stamp", annotation, lambda: fields)
                ]
            return self._known[key]  # type: ignore[return-value]
        if origin is tuple:
            return self.wrapped_list(tuple, arguments[0])
        if not arguments or arguments[0] not in (INT, TEXT):
            raise UnknownType(f"the annotation {annotation}, whose elements are neither numbers nor strings")
        element = self.tuple_of(tuple(arguments)) if origin is dict else arguments[0]
        return self.wrapped_list(origin, element)

    def tuple_of(self, parts: tuple[Type, ...]) -> DataType:
        """Tuples: one constructor."""
        key = ("tuple", *map(id, parts))
        if key not in self._known:
            made = self._known[key] = DataType(f"tuple[{', '.join(p.name for p in parts)}]")
            fields = tuple((f"item{i}", part) for i, part in enumerate(parts))
            made.constructors = [Constructor(made, 0, "tuple", "tuple", None, lambda: fields)]
        return self._known[key]  # type: ignore[return-value]

    def _typed_dict(self, cls: Any) -> DataType:
        """A dictionary with known keys, all of which are present."""
        key = ("typed dict", cls)
        if cls.__optional_keys__:
            raise UnknownType(f"the TypedDict {cls.__name__}, some of whose keys may be left out")
        if key not in self._known:
            made = self._known[key] = DataType(cls.__name__)
            home = vars(sys.modules.get(cls.__module__, python_types.ModuleType("none")))

            def fields() -> tuple[tuple[str, Type], ...]:
                return tuple(
                    (name, self._resolve(kind, home, {})) for name, kind in cls.__annotations__.items()
                )

            made.constructors = [Constructor(made, 0, cls.__name__, "keys", dict, fields)]
        return self._known[key]  # type: ignore[return-value]

    def _union(self, members: list[Any], scope: Mapping[str, Any], bound: Mapping[Any, Type]) -> Type:
        flat: list[Any] = []
        for member in members:
            flat += [m for m in self._alternatives(member) if m not in flat]
        if len(flat) == 1 and flat[0] in (int, bool, str):
            return self._resolve(flat[0], scope, bound)
        plain = [m.cls if isinstance(m, LiteralValue) else m for m in flat]
        if sum(m in plain for m in (int, bool, float)) > 1 and float in plain:
            raise UnknownType("a union of float and another kind of number, some of whose values are equal")
        if {set, frozenset} <= {typing.get_origin(m) for m in flat}:
            raise UnknownType("a union of set and frozenset, some of whose values are equal")
        if int in plain and bool in plain:
            raise UnknownType("a union of int and bool, whose values True and 1 are equal")
        for m in flat:
            if isinstance(m, LiteralValue) and m.cls in flat:
                raise UnknownType(f"a union of Literal[{m.value!r}] and {m.cls.__name__}, which contains it")
        binding = tuple(sorted((str(k), id(t)) for k, t in bound.items()))
        key = ("union", frozenset(map(_identity, flat)), binding)
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
        if isinstance(member, type):
            member = self._learned.get(member, member)
        if member is None or member is type(None):
            yield None
            return
        if isinstance(member, KnownFields):
            self._learned.setdefault(member.cls, member)
            yield member
            return
        origin = typing.get_origin(member)
        if origin in (typing.Union, python_types.UnionType):
            for part in typing.get_args(member):
                yield from self._alternatives(part)
            return
        if origin is typing.Literal:
            for value in typing.get_args(member):
                if value is not None and type(value) not in (int, bool, str):
                    raise UnknownType(f"the annotation {member}")
                yield None if value is None else LiteralValue(type(value), value)
            return
        cls = origin or member
        if (
            isinstance(cls, type)
            and cls not in (int, bool, str, float, bytes, list, tuple, set, frozenset, dict, *_STAMPS)
            and not issubclass(cls, enum.Enum)
        ):
            if cls.__module__ in ("builtins", "datetime", "decimal"):
                raise UnknownType(f"the type {member if origin else cls.__name__}")
            below: list[Any] = _subclasses(cls)
            if is_record(cls) and not (inspect.isabstract(cls) and below):
                yield member
            for sub in below:
                arguments = typing.get_args(member)
                yield from self._alternatives(sub[arguments] if arguments and _generic(sub) else sub)
            if not is_record(cls) and not below:
                if cls.__module__ == "builtins":
                    raise UnknownType(f"the type {cls.__name__}")
                raise UnknownType(
                    f"the class {cls.__name__}, which is no dataclass, named tuple or attrs class, and does more in __init__ than to assign its parameters"
                )
            return
        yield member

    def _add(self, made: DataType, member: Any, scope: Mapping[str, Any], bound: Mapping[Any, Type]) -> None:
        index = len(made.constructors)
        cls = member.cls if isinstance(member, KnownFields) else typing.get_origin(member) or member
        if member is None:
            made.constructors.append(Constructor(made, index, "None", "none", None, tuple))
        elif isinstance(member, LiteralValue):
            made.constructors.append(
                Constructor(made, index, repr(member.value), "literal", member.value, tuple)
            )
        elif isinstance(cls, type) and issubclass(cls, enum.Enum):
            if issubclass(cls, enum.Flag):
                raise UnknownType(f"the Flag {cls.__name__}, whose members can be combined")
            if not len(cls):
                raise UnknownType(f"the class {cls.__name__}, which has no members of its own")
            for item in cls:
                place = len(made.constructors)
                made.constructors.append(
                    Constructor(made, place, f"{cls.__name__}.{item.name}", "enum", item, tuple)
                )
        elif is_record(cls):
            strange = unlike_its_fields(cls) if self._strict else None
            if strange is not None:
                raise UnknownType(f"the class {cls.__name__}, which has its own {strange}")
            inner = dict(bound)
            parameters = getattr(cls, "__parameters__", ())
            for variable, argument in zip(parameters, typing.get_args(member)):
                inner[variable] = self._resolve(argument, scope, bound)
            home = {**vars(sys.modules.get(cls.__module__, python_types.ModuleType("none"))), **scope}

            hints = dict(member.fields) if isinstance(member, KnownFields) else {}

            def fields() -> tuple[tuple[str, Type], ...]:
                written = [(p.name, hints.get(p.name, p.annotation)) for p in parts_of_class(cls)]
                for name, kind in written:
                    if kind is None and name not in hints:
                        raise UnknownType(f"the class {cls.__name__}, whose field {name} has no annotation")
                return tuple((name, self._resolve(kind, home, inner)) for name, kind in written)

            made.constructors.append(
                Constructor(made, index, cls.__name__, "class", cls, fields, self.reads_making)
            )
        else:
            inside = self._resolve(member, scope, bound)
            made.constructors.append(
                Constructor(made, index, inside.name, "wrap", None, lambda: (("value", inside),))
            )


def _subclasses(cls: type) -> list[Any]:
    """The direct subclasses; a dataclass with slots leaves an earlier class of the same name behind."""
    below: list[Any] = type.__subclasses__(cls)
    return list({(sub.__module__, sub.__qualname__): sub for sub in below}.values())


def _identity(member: Any) -> Any:
    """What tells the members of a union apart. (A TypedDict inside another annotation has a name that means nothing.)"""
    if isinstance(member, KnownFields):
        return (member.cls, tuple((name, _identity(kind)) for name, kind in member.fields))
    inside = typing.get_args(member)
    if isinstance(member, type) and not inside:
        return id(member)
    return (repr(typing.get_origin(member)), *map(_identity, inside)) if inside else repr(member)


def _generic(cls: type) -> bool:
    return bool(getattr(cls, "__parameters__", ()))


def _name_of(member: Any) -> str:
    if isinstance(member, LiteralValue):
        return repr(member.value)
    if isinstance(member, KnownFields):
        return member.cls.__name__
    return "None" if member is None else getattr(member, "__name__", str(member))


def _is_plain(c: Constructor, scalar: type) -> bool:
    """Does this constructor hold a number (or a string) directly?"""
    if c.kind == "wrap":
        return c.fields[0][1] in ((INT, BOOL) if scalar is int else (TEXT,))
    return c.kind == "literal" and isinstance(c.native, scalar)


def _is_tuple_type(c: Constructor) -> bool:
    inside = c.fields[0][1]
    return isinstance(inside, DataType) and inside.as_tuple is not None
