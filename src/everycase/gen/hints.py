"""Reading type hints: resolving names, and replacing type variables by type arguments."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Mapping
from dataclasses import InitVar
from typing import Annotated, Any, TypeVar, get_args, get_origin

from everycase.errors import InvalidArgument
from everycase.gen.records import record_of


def hints_of(target: Callable[..., Any], known: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The type hints of a callable's parameters by name; ``known`` are names that may not be in its module."""
    if not isinstance(target, type):
        function = inspect.unwrap(getattr(target, "__func__", target))
        if not hasattr(function, "__annotations__"):
            function = getattr(type(target), "__call__", target)  # noqa: B004
        return _resolved(function, known)
    if typing_of_fields(target):
        return field_hints(target, {}, known)
    found: dict[str, Any] = {}
    constructor = target.__init__ if target.__init__ is not object.__init__ else target.__new__  # type: ignore[misc]
    if constructor is not object.__new__ and hasattr(constructor, "__annotations__"):
        for name, hint in _resolved(constructor, {**(known or {}), target.__name__: target}).items():
            found.setdefault(name, hint)
    found.pop("return", None)
    return found


def typing_of_fields(cls: type) -> bool:
    """Whether the annotations in a class body describe the parameters of its constructor."""
    record = record_of(cls)
    return record.generated_init if record is not None else typing.is_typeddict(cls)


def field_hints(
    cls: type, arguments: Mapping[Any, Any], known: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The hints in the bodies of a class and its bases, with type variables replaced.

    ``arguments`` gives the values of the class's own type variables; those of a base are read from the list
    of bases, as in ``class Ages(Pair[str, int])``.
    """
    meaning = _base_arguments(cls, arguments)
    found: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        own = inspect.get_annotations(base)
        if not own:
            continue
        hints = _resolved(base, {**(known or {}), cls.__name__: cls, base.__name__: base})
        for name in own:
            if name in hints:
                found[name] = substituted(hints[name], meaning.get(base, {}))
    if typing.is_typeddict(cls):
        hints = _resolved(cls, {**(known or {}), cls.__name__: cls})
        found.update({name: substituted(hint, arguments) for name, hint in hints.items()})
    return found


def substituted(hint: Any, arguments: Mapping[Any, Any]) -> Any:
    """A hint with its type variables replaced.

    >>> T = TypeVar("T")
    >>> substituted(dict[str, list[T]], {T: int})
    dict[str, list[int]]
    """
    if not arguments:
        return hint
    if isinstance(hint, TypeVar):
        return arguments.get(hint, hint)
    parameters = getattr(hint, "__parameters__", ())
    if isinstance(hint, type) and get_origin(hint) is None:
        return hint  # a class by itself; its parameters are free
    if parameters and any(parameter in arguments for parameter in parameters):
        return hint[tuple(arguments.get(parameter, parameter) for parameter in parameters)]
    return hint


def type_arguments(hint: Any) -> dict[Any, Any]:
    """The values of the type variables of a generic class in ``hint``.

    >>> T = TypeVar("T")
    >>> class Box(typing.Generic[T]): ...
    >>> type_arguments(Box[int]) == {T: int}
    True
    """
    origin = get_origin(hint)
    parameters = getattr(origin, "__parameters__", ()) or getattr(origin, "__type_params__", ())
    return dict(zip(parameters, get_args(hint)))


def _base_arguments(cls: type, arguments: Mapping[Any, Any]) -> dict[type, Mapping[Any, Any]]:
    meaning: dict[type, Mapping[Any, Any]] = {cls: arguments}
    pending = [cls]
    while pending:
        current = pending.pop()
        for base in current.__dict__.get("__orig_bases__", current.__bases__):
            origin = get_origin(base) or base
            if not isinstance(origin, type) or origin in meaning or origin is typing.Generic:
                continue
            own = type_arguments(base)
            meaning[origin] = {
                variable: substituted(argument, meaning[current]) for variable, argument in own.items()
            }
            pending.append(origin)
    return meaning


def _resolved(target: Any, known: Mapping[str, Any] | None) -> dict[str, Any]:
    try:
        return typing.get_type_hints(target, localns=dict(known or {}), include_extras=True)
    except NameError as problem:
        shown = getattr(target, "__qualname__", repr(target))
        raise InvalidArgument(
            f"a type hint of {shown} names something that cannot be found: {problem}. Define it at the top level "
            f"of the module, or tell everycase with gen.register_type({shown}, ...)"
        ) from None


def stripped(hint: Any) -> Any:
    """A hint without wrappers that say nothing about its values: Final, Required, InitVar, ..."""
    while True:
        origin = get_origin(hint)
        if origin in _WRAPPERS and get_args(hint):
            hint = get_args(hint)[0]
        elif isinstance(hint, InitVar):
            hint = hint.type
        else:
            return hint


def is_not_required(hint: Any) -> bool | None:
    """For a TypedDict's key: True if it may be absent, False if it is required, None if its class decides."""
    while get_origin(hint) is Annotated:
        hint = get_args(hint)[0]
    origin = get_origin(hint)
    return True if origin is typing.NotRequired else False if origin is typing.Required else None


_WRAPPERS: tuple[Any, ...] = tuple(
    wrapper
    for wrapper in (
        typing.Final,
        typing.ClassVar,
        typing.Required,
        typing.NotRequired,
        getattr(typing, "ReadOnly", None),
    )
    if wrapper is not None
)
