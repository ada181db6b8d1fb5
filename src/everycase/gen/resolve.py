"""From a type to its generator: one rule for each form that types have."""

from __future__ import annotations

import collections
import collections.abc
import inspect
import types
import typing
from abc import ABC
from collections.abc import Callable, Hashable
from enum import Enum
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin

from everycase.errors import InvalidArgument
from everycase.gen.base import Gen
from everycase.gen.building import construction, signature_of
from everycase.gen.collections import (
    fixed_dictionaries,
    tuples,
)
from everycase.gen.composition import one_of
from everycase.gen.drawing import functions
from everycase.gen.floating import floats
from everycase.gen.hints import (
    field_hints,
    hints_of,
    is_not_required,
    is_typed_dict,
    stripped,
    type_arguments,
    typing_of_fields,
)
from everycase.gen.kinds import Defer, List, Map
from everycase.gen.records import record_of
from everycase.gen.scalars import enums, integers, none, sampled_from
from everycase.gen.show import described
from everycase.gen.standard_types import (
    CONTAINERS,
    MAPPINGS,
    SIMPLE,
    WITH_HASHED,
    from_stdlib,
    hashable,
    of_any_length,
)
from everycase.gen.strings import binary, text
from everycase.gen.types import Registry


class Resolver:
    """Makes the generator of one type and of the types it refers to, each once, so that they may be recursive."""

    def __init__(self, registry: Registry) -> None:
        self.registry = registry
        self.made: dict[Any, Gen[Any]] = {}
        self.unfinished: set[Any] = set()
        self.names: dict[str, Any] = {}

    def resolve(self, tp: Any) -> Gen[Any]:
        told = self.registry.told(tp)
        if told is not None:
            return told
        tp = stripped(tp)
        try:
            hash(tp)
        except TypeError:
            return self.describe(tp)
        if tp in self.made:
            return self.made[tp]
        if tp in self.unfinished:
            return described(Defer(lambda: self.made[tp]), "from_type", tp)
        self.unfinished.add(tp)
        if isinstance(tp, type):
            self.names[tp.__name__] = tp
        node = self.describe(tp)
        self.made[tp] = node
        return node

    def describe(self, tp: Any) -> Gen[Any]:
        """The generator of a type that is not currently being made."""
        if isinstance(tp, str | typing.ForwardRef):
            raise InvalidArgument(f"tp={tp!r} is only a name; give from_type the type itself")
        origin, arguments = get_origin(tp), get_args(tp)
        if origin is Annotated:
            return constrained(lambda: self.resolve(arguments[0]), arguments[0], arguments[1:])
        if origin is Literal:
            return sampled_from(_literals(tp))
        if origin in (typing.Union, types.UnionType):
            return self.union(arguments)
        if isinstance(tp, TypeVar):
            return self.variable(tp)
        if isinstance(tp, typing.NewType):
            return self.resolve(tp.__supertype__)
        if hasattr(tp, "__value__"):  # ``type Name = ...``
            return self.resolve(tp.__value__)
        if hasattr(origin, "__value__"):
            parameters = dict(zip(origin.__type_params__, arguments))
            return self.resolve(origin.__value__[tuple(parameters.values())])
        base = origin if origin is not None else tp
        if not isinstance(base, Hashable):
            raise InvalidArgument(f"tp={tp!r} is not a type; write a type such as int or list[int]")
        if base in SIMPLE:
            return SIMPLE[base]()
        lazily = from_stdlib(base)
        if lazily is not None:
            return lazily
        if base in (collections.abc.Callable, typing.Callable):
            return self.function(arguments)
        if base is tuple:
            return self.row(arguments, tp)
        if base is type:
            return self.subclass(arguments)
        if base in CONTAINERS:
            return self.container(base, arguments)
        if is_typed_dict(base):
            return self.typed_dict(tp, base)
        if isinstance(base, type):
            return self.instance(tp, base)
        raise InvalidArgument(
            f"from_type does not know how to make {tp!r}; give it a type, or use a generator instead"
        )

    # --- special forms ----------------------------------------------------------------------------------

    def union(self, options: tuple[Any, ...]) -> Gen[Any]:
        ordered = sorted(options, key=lambda option: option is not types.NoneType)  # None is the simplest
        return one_of(*[self.resolve(option) for option in ordered])

    def variable(self, tp: TypeVar) -> Gen[Any]:
        if tp.__constraints__:
            return self.union(tp.__constraints__)
        return self.resolve(tp.__bound__ if tp.__bound__ is not None else object)

    def function(self, arguments: tuple[Any, ...]) -> Gen[Any]:
        if not arguments:
            return functions(like=lambda *args, **kwargs: None, returns=none())
        parameters, returned = arguments[0], arguments[-1]
        result = self.resolve(returned)
        if not isinstance(parameters, list):
            return functions(like=lambda *args, **kwargs: None, returns=result)
        names = [
            inspect.Parameter(f"a{i}", inspect.Parameter.POSITIONAL_ONLY) for i, _ in enumerate(parameters)
        ]

        def function(*args: Any) -> Any:
            return args

        function.__signature__ = inspect.Signature(names)  # type: ignore[attr-defined]
        return functions(like=function, returns=result)

    def row(self, arguments: tuple[Any, ...], tp: Any) -> Gen[Any]:
        if len(arguments) == 2 and arguments[1] is ...:
            return of_any_length(self.resolve(arguments[0]))
        if tp is tuple or repr(tp) == "typing.Tuple":
            return of_any_length(self.resolve(object))
        before, repeated, after = _segments(arguments)
        if repeated is None:
            return tuples(*[self.resolve(argument) for argument in before])
        first, last = len(before), len(after)
        parts = tuples(
            *[self.resolve(argument) for argument in before],
            of_any_length(self.resolve(repeated)),
            *[self.resolve(argument) for argument in after],
        )

        def joined(row: tuple[Any, ...]) -> tuple[Any, ...]:
            return (*row[:first], *row[first], *row[first + 1 :])

        def parted(row: tuple[Any, ...]) -> tuple[Any, ...]:
            end = len(row) - last
            return (*row[:first], row[first:end], *row[end:])

        return parts.map(joined, inverse=parted)

    def subclass(self, arguments: tuple[Any, ...]) -> Gen[Any]:
        if not arguments or not isinstance(arguments[0], type):
            return sampled_from([int, str, float, bool, list, dict])
        return sampled_from([arguments[0], *_subclasses(arguments[0])])

    def container(self, base: Any, arguments: tuple[Any, ...]) -> Gen[Any]:
        make = CONTAINERS[base]
        wanted = 2 if base in MAPPINGS else 1
        parts = [self.resolve(argument) for argument in arguments[:wanted]]
        while len(parts) < wanted:
            parts.append(hashable() if base in WITH_HASHED and not parts else self.resolve(object))
        return make(*parts)

    # --- classes ----------------------------------------------------------------------------------------

    def typed_dict(self, tp: Any, cls: Any) -> Gen[Any]:
        hints = field_hints(cls, type_arguments(tp), self.names)
        required: dict[str, Gen[Any]] = {}
        optional: dict[str, Gen[Any]] = {}
        for name, hint in hints.items():
            absent = is_not_required(hint)
            if absent is None:
                absent = name in cls.__optional_keys__
            (optional if absent else required)[name] = self.resolve(hint)
        return fixed_dictionaries(required, optional=optional or None)

    def instance(self, tp: Any, cls: type) -> Gen[Any]:
        if issubclass(cls, Enum):
            return enums(cls)
        if _is_abstract(cls):
            return self.any_subclass(tp, cls)
        signature = signature_of(cls)
        if signature is None or cls.__module__ == "builtins":
            raise _unknown(cls, "the parameters of its constructor cannot be read")
        hints = self.parameter_hints(tp, cls)
        positional: dict[str, Gen[Any]] = {}
        keywords: dict[str, Gen[Any]] = {}
        in_order = True
        for name, parameter in signature.parameters.items():
            if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
                continue
            required = parameter.default is parameter.empty
            if name not in hints:
                if required:
                    raise _unknown(cls, f"its parameter {name} has no type hint", name)
                in_order = False
                continue
            part = self.parameter(hints[name], cls, name, required)
            if part is None:
                in_order = False
            elif in_order and parameter.kind is not parameter.KEYWORD_ONLY:
                positional[name] = part
            else:
                keywords[name] = part
        return described(construction(cls, positional, keywords), "from_type", tp)

    def parameter(self, hint: Any, cls: type, name: str, required: bool) -> Gen[Any] | None:
        try:
            return self.resolve(hint)
        except InvalidArgument as problem:
            if not required:
                return None  # the default is a value, too
            raise InvalidArgument(f"{cls.__name__}.{name}: {problem}") from None

    def parameter_hints(self, tp: Any, cls: type) -> dict[str, Any]:
        """The hints of a constructor's parameters, by the names of the parameters."""
        if not typing_of_fields(cls):
            return hints_of(cls, self.names, type_arguments(tp))
        hints = field_hints(cls, type_arguments(tp), self.names)
        record = record_of(cls)
        for parameter, attribute in record.parameters.items() if record is not None else ():
            if attribute in hints:
                hints[parameter] = hints[attribute]
        return hints

    def any_subclass(self, tp: Any, cls: type) -> Gen[Any]:
        found = [*_subclasses(cls), *self.registry.told_subclasses(cls)]
        concrete = [sub for sub in dict.fromkeys(found) if not _is_abstract(sub)]
        if not concrete:
            raise _unknown(cls, f"{cls.__name__} is abstract and has no known subclass")
        return described(one_of(*[self.resolve(sub) for sub in concrete]), "from_type", tp)


def _segments(arguments: tuple[Any, ...]) -> tuple[list[Any], Any, list[Any]]:
    """The elements of a tuple type before, in and after the part of any length; tuples within it that are marked by
    ``*`` (or ``Unpack``) are taken apart."""
    before: list[Any] = []
    repeated: Any = None
    after: list[Any] = []
    for argument in arguments:
        inner: Any = None
        if get_origin(argument) is typing.Unpack:
            (inner,) = get_args(argument)
        elif getattr(argument, "__unpacked__", False):
            inner = argument
        if inner is None:
            (before if repeated is None else after).append(argument)
            continue
        parts: Any = get_args(inner)
        middle: Any = None
        rest: list[Any] = []
        if get_origin(inner) is not tuple:  # a TypeVarTuple that stands for nothing in particular
            parts, middle = (), object
        elif len(parts) == 2 and parts[1] is ...:
            parts, middle = (), parts[0]
        else:
            parts, middle, rest = _segments(parts)
        (before if repeated is None else after).extend(parts)
        if middle is not None:
            if repeated is not None:
                raise InvalidArgument(
                    f"a tuple type can have only one part of any length, not two: {arguments!r}"
                )
            repeated = middle
        after.extend(rest)
    return before, repeated, after


def _unknown(cls: type, why: str, parameter: str | None = None) -> InvalidArgument:
    remedy = f"gen.register_type({cls.__name__}, gen.builds({cls.__name__}, {parameter or 'name'}=...))"
    hint = f"add a type hint to {parameter}, or " if parameter else ""
    return InvalidArgument(
        f"from_type cannot make a {cls.__name__}: {why}. To fix this, {hint}write {remedy}"
    )


def _is_abstract(cls: type) -> bool:
    return inspect.isabstract(cls) or ABC in cls.__bases__ or bool(getattr(cls, "_is_protocol", False))


def _subclasses(cls: type) -> list[type]:
    """All subclasses, in order of definition."""
    found: dict[type, None] = {}
    pending: list[type] = list(type.__subclasses__(cls))
    while pending:
        sub = pending.pop(0)
        if sub not in found:
            found[sub] = None
            pending.extend(type.__subclasses__(sub))
    return list(found)


def _literals(tp: Any) -> list[Any]:
    values: list[Any] = []
    for argument in get_args(tp):
        values.extend(_literals(argument) if get_origin(argument) is Literal else [argument])
    return values


def constrained(plain: Callable[[], Gen[Any]], tp: Any, metadata: tuple[Any, ...]) -> Gen[Any]:
    """The values of ``tp`` (whose generator ``plain()`` makes) that satisfy the conditions in
    ``Annotated``."""
    for note in metadata:
        if isinstance(note, Gen):
            return note
    low, high = _Bound(), _Bound()
    least, most = 0, None
    predicates = []
    for note in _unpacked(metadata):
        for name, bound, sign, opened in (
            ("ge", low, 1, False),
            ("gt", low, 1, True),
            ("le", high, -1, False),
            ("lt", high, -1, True),
        ):
            value = getattr(note, name, None)
            if value is not None:
                bound.tighten(value, sign, opened)
        min_length = getattr(note, "min_length", None)
        if min_length:
            least = max(least, min_length)
        max_length = getattr(note, "max_length", None)
        if max_length is not None:
            most = max_length if most is None else min(most, max_length)
        multiple = getattr(note, "multiple_of", None)
        if multiple is not None:
            predicates.append(_is_multiple(multiple))
        func = getattr(note, "func", None)
        if callable(func):
            predicates.append(func)
    node = _bounded(plain, tp, low, high)
    if least or most is not None:
        node = _sized(node, tp, least, most)
    for predicate in predicates:
        node = node.filter(predicate)
    return node


class _Bound:
    """A bound, inclusive or exclusive; None if there is none."""

    def __init__(self) -> None:
        self.value: Any = None
        self.opened = False

    def tighten(self, value: Any, sign: int, opened: bool) -> None:
        if self.value is None or (value > self.value if sign > 0 else value < self.value):
            self.value, self.opened = value, opened
        elif value == self.value:
            self.opened = self.opened or opened

    def allows(self, value: Any, sign: int) -> bool:
        if self.value is None:
            return True
        if value == self.value:
            return not self.opened
        return bool(value > self.value if sign > 0 else value < self.value)


def _unpacked(metadata: tuple[Any, ...]) -> list[Any]:
    """Conditions that contain several others, such as Interval and Len, taken apart if possible."""
    notes: list[Any] = []
    for note in metadata:
        known = ("ge", "gt", "le", "lt", "min_length", "max_length")
        if (
            not isinstance(note, type)
            and isinstance(note, collections.abc.Iterable)
            and not isinstance(note, str)
        ):
            if any(hasattr(note, name) for name in known):
                notes.append(note)
            else:
                notes.extend(note)
        else:
            notes.append(note)
    return notes


def _bounded(plain: Callable[[], Gen[Any]], tp: Any, low: _Bound, high: _Bound) -> Gen[Any]:
    if low.value is None and high.value is None:
        return plain()
    if tp is int:
        import math

        least = most = None
        if low.value is not None:
            least = math.floor(low.value) + 1 if low.opened else math.ceil(low.value)
        if high.value is not None:
            most = math.ceil(high.value) - 1 if high.opened else math.floor(high.value)
        return integers(least, most)
    if tp is float:
        return floats(low.value, high.value, exclude_min=low.opened, exclude_max=high.opened)
    name = f"{getattr(tp, '__module__', '')}.{getattr(tp, '__qualname__', '')}"
    ranged = _RANGED.get(name)
    node: Gen[Any] = plain()
    if ranged is not None:
        import everycase.gen

        make: Callable[..., Gen[Any]] = getattr(everycase.gen, ranged)
        node = make(low.value, high.value)
        if not low.opened and not high.opened:
            return node
    return node.filter(lambda value: low.allows(value, 1) and high.allows(value, -1))


_RANGED = {
    "datetime.date": "dates",
    "datetime.time": "times",
    "datetime.datetime": "datetimes",
    "datetime.timedelta": "timedeltas",
    "decimal.Decimal": "decimals",
    "fractions.Fraction": "fractions",
}


def _sized(node: Gen[Any], tp: Any, least: int, most: int | None) -> Gen[Any]:
    """The values of a collection type with a length between two bounds."""
    if tp is str:
        return text(min_size=least, max_size=most)
    if tp is bytes:
        return binary(min_size=least, max_size=most)
    if isinstance(node, List):
        return List(node.element, least, most, node.unique_by, unordered=node.unordered)
    if isinstance(node, Map) and isinstance(node.source, List):
        inner = node.source
        sized = List(inner.element, least, most, inner.unique_by, unordered=inner.unordered)
        return Map(sized, node.f, node.inverse, share=node.share)
    return node.filter(lambda value: least <= len(value) and (most is None or len(value) <= most))


def _is_multiple(step: Any) -> Callable[[Any], bool]:
    return lambda value: value % step == 0
