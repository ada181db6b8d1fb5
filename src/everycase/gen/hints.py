"""Reading type hints: resolving names, and replacing type variables by type arguments."""

from __future__ import annotations

import inspect
import sys
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import InitVar
from typing import Annotated, Any, TypeVar, get_args, get_origin

from everycase.errors import InvalidArgument
from everycase.gen.records import record_of


def hints_of(
    target: Callable[..., Any],
    known: Mapping[str, Any] | None = None,
    arguments: Mapping[Any, Any] | None = None,
) -> dict[str, Any]:
    """The type hints of a callable's parameters by name; ``known`` are names that may not be in its module.

    ``arguments`` gives the values of a class's type variables.
    """
    arguments = arguments or {}
    if not isinstance(target, type):
        function = inspect.unwrap(getattr(target, "__func__", target))
        if not hasattr(function, "__annotations__"):
            function = getattr(type(target), "__call__", target)  # noqa: B004
        return _resolved(function, known)
    if typing_of_fields(target):
        return field_hints(target, arguments, known)
    found: dict[str, Any] = {}
    written = "__init__" if target.__init__ is not object.__init__ else "__new__"  # type: ignore[misc]
    constructor = getattr(target, written)
    if constructor is not object.__new__ and hasattr(constructor, "__annotations__"):
        defining = next((base for base in target.__mro__ if written in vars(base)), target)
        meaning = _base_arguments(target, arguments).get(defining, {})
        for name, hint in _resolved(constructor, {**(known or {}), target.__name__: target}).items():
            found[name] = _with_self(substituted(hint, meaning), target, arguments)
    found.pop("return", None)
    return found


def typing_of_fields(cls: type) -> bool:
    """Whether the annotations in a class body describe the parameters of its constructor."""
    record = record_of(cls)
    return record.generated_init if record is not None else is_typed_dict(cls)


def is_typed_dict(cls: Any) -> bool:
    """Whether a class is a TypedDict, be it of ``typing`` or of ``typing_extensions``."""
    return typing.is_typeddict(cls) or (
        isinstance(cls, type) and issubclass(cls, dict) and hasattr(cls, "__required_keys__")
    )


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
    if is_typed_dict(cls):
        hints = _resolved(cls, {**(known or {}), cls.__name__: cls})
        found.update({name: substituted(hint, arguments) for name, hint in hints.items()})
    return {name: _with_self(hint, cls, arguments) for name, hint in found.items()}


def _with_self(hint: Any, cls: Any, arguments: Mapping[Any, Any]) -> Any:
    """A hint in which ``Self`` is replaced by the class."""
    if hint is typing.Self:
        own = getattr(cls, "__parameters__", ()) if arguments else ()
        return cls[tuple(arguments.get(parameter, parameter) for parameter in own)] if own else cls
    origin, parts = get_origin(hint), get_args(hint)
    if origin is None or origin is typing.Literal:
        return hint
    if origin is Annotated:
        return Annotated[_with_self(parts[0], cls, arguments), *parts[1:]]
    changed = tuple(
        [_with_self(each, cls, arguments) for each in part]
        if isinstance(part, list)
        else _with_self(part, cls, arguments)
        for part in parts
    )
    if changed == parts:
        return hint
    if origin is types.UnionType:
        origin = typing.Union
    return origin[changed if len(changed) > 1 else changed[0]]


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
        if (origin in _WRAPPERS or _is_read_only(origin)) and get_args(hint):
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


_WRAPPERS: tuple[Any, ...] = (typing.Final, typing.ClassVar, typing.Required, typing.NotRequired)


def _is_read_only(origin: Any) -> bool:
    """Whether this is ``ReadOnly``, of ``typing`` (since Python 3.13) or of ``typing_extensions``."""
    return origin is not None and any(
        origin is getattr(sys.modules.get(name), "ReadOnly", None) for name in ("typing", "typing_extensions")
    )
