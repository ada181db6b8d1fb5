"""``builds``: values made by calling a class or a function on generated arguments."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from types import EllipsisType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from weakref import WeakKeyDictionary

from everycase.errors import InvalidArgument
from everycase.gen.base import Gen
from everycase.gen.kinds import Build
from everycase.gen.records import NO_DEFAULT, RecordKind, record_of
from everycase.gen.show import described
from everycase.gen.validate import as_gen, require_callable

if TYPE_CHECKING:
    from inspect import Signature

T = TypeVar("T")

_SCALARS = (bool, int, float, complex, str, bytes)
_IMMUTABLE = (*_SCALARS, tuple, frozenset)


def builds(
    target: Callable[..., T],
    /,
    *parts: Gen[Any],
    share: bool | Gen[Any] | EllipsisType | None = None,
    **named: Gen[Any] | EllipsisType,
) -> Gen[T]:
    """What ``target`` returns for arguments from the given generators.

    Required parameters that are not given are made from their type hints; ``name=...`` (a literal ellipsis)
    does the same for a parameter with a default.

    When values are made in bulk, instances of immutable classes (frozen dataclasses, NamedTuples, enums) may
    be the same object in several values. ``share=True`` allows this for another class, ``share=False``
    forbids it. (If the class has a parameter of that name, pass a generator for it as usual.)

    >>> from dataclasses import dataclass
    >>> from everycase.gen import integers, just
    >>> @dataclass
    ... class Point:
    ...     x: int
    ...     y: int = 0
    >>> all(p.x <= 9 and p.y == 0 for p in builds(Point, integers(0, 9)).sample(50, seed=0))
    True
    >>> builds(Point, x=just(1), y=just(2)).example()
    Point(x=1, y=2)
    """
    require_callable("target", target, "gen.builds(Point, gen.integers(), gen.integers())")
    for part in parts:
        if not isinstance(part, Gen):
            parts = tuple([as_gen(f"argument {i + 1} of builds", each) for i, each in enumerate(parts)])
            break
    shareable: bool | None = None
    if isinstance(share, bool):
        shareable = share
    elif share is not None:
        named = {**named, "share": share}
    if named:
        named = {name: part if part is ... else as_gen(name, part) for name, part in named.items()}
    plan = _plan(target, len(parts), named)
    given: list[Any] = [
        parts[which] if type(which) is int else named[which] if type(which) is str else which.inferred(target)
        for which in plan.parts
    ]
    node = Build(
        target,
        tuple(given),
        plan.names,
        constructs=target if plan.invertible else None,  # type: ignore[arg-type]  # only classes have attributes
        fields=plan.fields,
        share=plan.share if shareable is None else shareable,
    )
    options = {} if shareable is None else {"share": shareable}
    return described(node, "builds", target, *parts, **options, **named)


class _Inferred(NamedTuple):
    """A parameter whose generator is made from its type hint each time, because types can be registered
    later."""

    name: str

    def inferred(self, target: Callable[..., Any]) -> Gen[Any]:
        return _inferred(target, getattr(target, "__name__", repr(target)), self.name)


class _Plan(NamedTuple):
    """How a callable is called with a number of arguments and some keywords; its signature is read once."""

    #: for each part of the node: the position of the argument, the keyword, or that it is inferred
    parts: tuple[Any, ...]
    names: tuple[str, ...]
    invertible: bool
    fields: tuple[str, ...]
    share: bool


#: By callable, held weakly: the plans for all the ways in which it was called.
_plans: WeakKeyDictionary[Any, dict[Any, _Plan]] = WeakKeyDictionary()


def _plan(target: Callable[..., Any], count: int, named: dict[str, Any]) -> _Plan:
    way = (count, *((name, part is ...) for name, part in named.items())) if named else count
    try:
        known = _plans.get(target)
        if known is None:
            known = _plans.setdefault(target, {})
    except TypeError:
        known = {}  # not hashable, or nothing can refer to it weakly
    plan = known.get(way)
    if plan is None:
        places = {name: ... if part is ... else name for name, part in named.items()}
        positional, keywords = _arguments(target, tuple(range(count)), places)
        given = [*positional, *keywords]
        fields = _fields(target, given)
        plan = _Plan(
            (*positional.values(), *keywords.values()),
            tuple(keywords),
            fields is not None,
            fields or (),
            is_immutable(target) and not _adds_its_own(target, given),
        )
        known[way] = plan
    return plan


def construction(
    target: Callable[..., T], positional: dict[str, Gen[Any]], keywords: dict[str, Gen[Any]]
) -> Build[T]:
    """The Build node that calls ``target`` on parts named by its parameters (extra ones as ``*0``, ``*1``, ...)."""
    given = [*positional, *keywords]
    fields = _fields(target, given)
    return Build(
        target,
        (*positional.values(), *keywords.values()),
        tuple(keywords),
        constructs=None if fields is None else target,  # type: ignore[arg-type]  # only classes have attributes
        fields=fields or (),
        share=is_immutable(target) and not _adds_its_own(target, given),
    )


def _fields(target: object, given: list[str]) -> tuple[str, ...] | None:
    """The attributes that hold these arguments; None if an instance cannot be taken apart into them."""
    attributes = parameter_attributes(target)
    if attributes is None or set(given) != set(attributes):
        return None
    return tuple(attributes[name] for name in given)


def _arguments(
    target: Callable[..., Any], parts: tuple[int, ...], named: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The parts by parameter: those to pass by position, in order, and those to pass by keyword. Each is
    identified by its position or name."""
    shown = getattr(target, "__name__", repr(target))
    signature = signature_of(target)
    if signature is None:
        unknown = [name for name, part in named.items() if part is ...]
        if unknown:
            raise InvalidArgument(
                f"{unknown[0]}: {shown} does not say which parameters it has; give a generator"
            )
        return {f"*{i}": part for i, part in enumerate(parts)}, dict(named)
    try:
        bound = signature.bind_partial(*parts, **named)
    except TypeError as problem:
        raise InvalidArgument(
            f"the arguments given to builds do not fit target={shown}{signature}: {problem}"
        ) from None
    positional: dict[str, Any] = {}
    keywords: dict[str, Any] = {}
    in_order = True
    for name, parameter in signature.parameters.items():
        if parameter.kind is parameter.VAR_POSITIONAL:
            positional.update({f"*{i}": part for i, part in enumerate(bound.arguments.get(name, ()))})
        elif parameter.kind is parameter.VAR_KEYWORD:
            keywords.update(bound.arguments.get(name, {}))
        else:
            part = bound.arguments.get(name)
            if part is ... or (part is None and parameter.default is parameter.empty):
                part = _Inferred(name)
            if part is None:
                in_order = False
            elif in_order and parameter.kind is not parameter.KEYWORD_ONLY:
                positional[name] = part
            else:
                keywords[name] = part
    return positional, keywords


def _inferred(target: Callable[..., Any], shown: str, name: str) -> Gen[Any]:
    from everycase.gen.hints import hints_of
    from everycase.gen.types import from_type

    hints = hints_of(target)
    if name not in hints:
        raise InvalidArgument(
            f"builds needs a generator for the parameter {name} of {shown}, which has no type hint; "
            f"write gen.builds({shown}, {name}=...) with a generator"
        )
    return from_type(hints[name])


def signature_of(target: Callable[..., Any]) -> Signature | None:
    """The parameters of a callable, or None for a builtin whose signature is unknown."""
    from inspect import signature

    try:
        return signature(target)
    except (TypeError, ValueError):
        return None


def parameter_attributes(target: object) -> dict[str, str] | None:
    """For a class whose instances store each constructor argument in an attribute: parameter -> attribute."""
    record = record_of(target)
    if record is None:
        return None
    if record.kind is RecordKind.dataclass:
        if "__init__" in vars(target) and not record.generated_init:
            return None
        signature = signature_of(record.cls)
        # An InitVar is a parameter without an attribute.
        if signature is None or set(signature.parameters) != set(record.parameters):
            return None
    return record.parameters


def _adds_its_own(target: Any, given: list[str]) -> bool:
    """Whether a frozen class fills fields with objects that it creates: with a list, for example, which a
    test may change."""
    if _sets_attributes(target):
        return True
    record = record_of(target)
    if record is None:
        return False
    if any(field.converter is not None and field.converter not in _IMMUTABLE for field in record.fields):
        return True
    left = [field for field in record.fields if field.parameter is None or field.parameter not in given]
    if record.kind is RecordKind.attrs:
        return any(field.factory is not None or field.parameter is None for field in left)
    return record.kind is RecordKind.dataclass and any(field.default is NO_DEFAULT for field in left)


def _sets_attributes(target: type) -> bool:
    """Whether hand-written initialization code bypasses the frozen class, as far as the code shows."""
    names = ["__post_init__", "__attrs_post_init__"]
    record = record_of(target)
    if record is not None and not record.generated_init:
        names.append("__init__")
    for cls in target.__mro__:
        for name in names:
            code = getattr(vars(cls).get(name), "__code__", None)
            if code is not None and not {"__setattr__", "__dict__", "vars"}.isdisjoint(code.co_names):
                return True
    return False


def is_immutable(target: object) -> bool:
    """Whether the results of calling ``target`` are immutable, as far as their class tells."""
    if not isinstance(target, type):
        return False
    record = record_of(target)
    return record.frozen if record is not None else issubclass(target, Enum) or target in _SCALARS
