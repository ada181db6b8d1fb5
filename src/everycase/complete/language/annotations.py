"""Annotations: what they mean, whether they say enough, and those that Python has no words for.

A class may leave open what its fields hold: ``attr.ib()``, ``namedtuple("Point", "x y")``, ``body: Any``. What
was inferred for its fields is written as :class:`KnownFields`.
"""

from __future__ import annotations

import enum
import sys
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from everycase.complete.language.classes import is_record, parts_of_class


@dataclass(frozen=True)
class LiteralValue:
    """One value of a ``Literal``."""

    cls: type
    value: int | bool | str


class _Joinable:
    """Inferred annotations can be joined with ``|``, like those of Python."""

    def __or__(self, other: Any) -> AnyOf:
        return AnyOf((*_members(self), *_members(other)))

    def __ror__(self, other: Any) -> AnyOf:
        return AnyOf((*_members(other), *_members(self)))


@dataclass(frozen=True, repr=False)
class AnyOf(_Joinable):
    """A union in which there is a class with inferred fields."""

    members: tuple[Any, ...]

    def __repr__(self) -> str:
        return " | ".join(map(shown_annotation, self.members))


@dataclass(frozen=True, repr=False)
class KnownFields(_Joinable):
    """A class with the annotations of its fields, inferred from its instances."""

    cls: type
    fields: tuple[tuple[str, Any], ...]

    def __repr__(self) -> str:
        inside = ", ".join(f"{name}: {shown_annotation(kind)}" for name, kind in self.fields)
        return f"{self.cls.__name__}({inside})"


def _members(annotation: Any) -> tuple[Any, ...]:
    return annotation.members if isinstance(annotation, AnyOf) else (annotation,)


def shown_annotation(kind: Any) -> str:
    """An inferred annotation as people read it."""
    if typing.is_typeddict(kind):
        return f"{{{', '.join(f'{n!r}: {shown_annotation(k)}' for n, k in kind.__annotations__.items())}}}"
    return kind.__name__ if isinstance(kind, type) and not hasattr(kind, "__args__") else str(kind)


class NotKnownHere(Exception):
    """A name in an annotation that does not exist when the program runs."""


def evaluated(annotation: Any, scope: Mapping[str, Any]) -> Any:
    """The object that an annotation stands for; strings are looked up."""
    seen = 0
    while isinstance(annotation, str | typing.ForwardRef) and seen < 5:
        seen += 1
        text = annotation.__forward_arg__ if isinstance(annotation, typing.ForwardRef) else annotation
        try:
            annotation = eval(text, dict(scope))
        except Exception as error:
            raise NotKnownHere(f"the annotation {text!r} ({error})") from None
    return annotation


def made_by(annotation: Any) -> Any:
    """What a strategy makes: people write ``-> SearchStrategy[int]`` above the function that returns the int."""
    cls = typing.get_origin(annotation)
    if isinstance(cls, type) and any(c.__name__ in ("SearchStrategy", "Gen") for c in cls.__mro__):
        home = cls.__module__.partition(".")[0]
        return typing.get_args(annotation)[0] if home in ("hypothesis", "everycase") else annotation
    return annotation


_STANDARD = ("datetime", "decimal", "fractions", "uuid", "pathlib", "ipaddress", "zoneinfo", "collections")


def is_data(annotation: Any) -> bool:
    """Is this a type whose values are known from its name: not a class of functions, of classes, or of someone else's
    objects?

    >>> is_data(list[int]), is_data(tuple[int, type])
    (True, False)
    """
    if isinstance(annotation, KnownFields):
        return all(is_data(kind) for _, kind in annotation.fields)
    inside = annotation.members if isinstance(annotation, AnyOf) else typing.get_args(annotation)
    if inside:
        return all(a is Ellipsis or is_data(a) for a in inside)
    if annotation is None or typing.is_typeddict(annotation) or is_record(annotation):
        return True
    if not isinstance(annotation, type) or issubclass(annotation, type):
        return False
    plain = (int, bool, str, float, complex, bytes, list, tuple, dict, set, frozenset, type(None), range)
    return annotation in plain or issubclass(annotation, enum.Enum) or annotation.__module__ in _STANDARD


_OPEN: tuple[Any, ...] = (typing.Any, object, list, dict, tuple, set, frozenset)


def says_too_little(annotation: Any, scope: Mapping[str, Any] | None = None) -> bool:
    """Does an annotation leave open what is inside: ``dict``, ``list[Any]``, ``Sequence[int]``, a class whose fields
    have no types?

    >>> says_too_little(list[typing.Any]), says_too_little(list[int]), says_too_little(tuple[()])
    (True, False, False)
    """
    return _vague(annotation, scope or {}, ())


def _vague(annotation: Any, scope: Mapping[str, Any], around: tuple[Any, ...]) -> bool:
    """``around`` are the classes and names of types that this annotation is inside of."""
    if isinstance(annotation, typing.ForwardRef):
        annotation = annotation.__forward_arg__
    if annotation in around:
        return False
    if isinstance(annotation, str):
        around = (*around, annotation)
    try:
        meant = evaluated(annotation, scope)
    except NotKnownHere:
        return True
    meant = getattr(meant, "__value__", meant) if not isinstance(meant, type) else meant
    if isinstance(meant, typing.TypeVar) or any(meant is kind for kind in _OPEN):
        return True
    origin, inside = typing.get_origin(meant), typing.get_args(meant)
    cls = origin or meant
    if isinstance(cls, type) and cls.__module__ == "collections.abc":
        return cls.__name__ != "Callable"
    if origin in (typing.Literal, typing.Annotated):
        return False
    if origin in _OPEN and not inside and meant != tuple[()]:  # typing.List
        return True
    if origin is not None and any(_vague(a, scope, around) for a in inside if a is not Ellipsis):
        return True
    return isinstance(cls, type) and cls not in around and has_open_fields(cls, around, bool(inside))


def has_open_fields(cls: type, around: tuple[Any, ...] = (), bound: bool = False) -> bool:
    """Is there a field of a record without a type that says enough? ``bound`` means that its type variables have
    a meaning."""
    if not is_record(cls):
        return False
    home = vars(sys.modules.get(cls.__module__, types.ModuleType("none")))
    for part in parts_of_class(cls):
        if part.annotation is None:
            return True
        with_names = {**home, **vars(cls)}
        try:
            meant = evaluated(part.annotation, with_names)
        except NotKnownHere:
            continue  # a class inside a function: what it sees is not known here
        variables = (typing.get_args(meant) or (meant,)) if bound else ()
        if bound and any(isinstance(v, typing.TypeVar) for v in variables):
            continue
        if _vague(meant, with_names, (*around, cls)):
            return True
    return False
