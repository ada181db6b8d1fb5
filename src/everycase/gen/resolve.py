"""From a type to its generator: one rule for each form that types have."""

from __future__ import annotations

import collections
import collections.abc
import inspect
import types
import typing
from abc import ABC
from collections.abc import Callable
from enum import Enum
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin

from everycase.errors import InvalidArgument
from everycase.gen.base import Gen
from everycase.gen.building import construction, signature_of
from everycase.gen.collections import (
    dictionaries,
    fixed_dictionaries,
    frozensets,
    in_stable_order,
    lists,
    sets,
    tuples,
)
from everycase.gen.composition import one_of
from everycase.gen.constrained import constrained
from everycase.gen.drawing import functions
from everycase.gen.facts import facts
from everycase.gen.floating import floats
from everycase.gen.hints import (
    field_hints,
    hints_of,
    is_not_required,
    stripped,
    type_arguments,
    typing_of_fields,
)
from everycase.gen.kinds import Build, Defer, Map
from everycase.gen.records import record_of
from everycase.gen.scalars import booleans, enums, integers, just, none, sampled_from
from everycase.gen.show import described
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
        if base in _SIMPLE:
            return _SIMPLE[base]()
        lazily = _from_stdlib(base)
        if lazily is not None:
            return lazily
        if base in (collections.abc.Callable, typing.Callable):
            return self.function(arguments)
        if base is tuple:
            return self.row(arguments, tp)
        if base is type:
            return self.subclass(arguments)
        if base in _CONTAINERS:
            return self.container(base, arguments)
        if typing.is_typeddict(base):
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
            return _of_any_length(self.resolve(arguments[0]))
        if tp is tuple or repr(tp) == "typing.Tuple":
            return _of_any_length(self.resolve(object))
        return tuples(*[self.resolve(argument) for argument in arguments])

    def subclass(self, arguments: tuple[Any, ...]) -> Gen[Any]:
        if not arguments or not isinstance(arguments[0], type):
            return sampled_from([int, str, float, bool, list, dict])
        return sampled_from([arguments[0], *_subclasses(arguments[0])])

    def container(self, base: Any, arguments: tuple[Any, ...]) -> Gen[Any]:
        make = _CONTAINERS[base]
        wanted = 2 if base in _MAPPINGS else 1
        parts = [self.resolve(argument) for argument in arguments[:wanted]]
        while len(parts) < wanted:
            parts.append(_hashable() if base in _WITH_HASHED and not parts else self.resolve(object))
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
            return hints_of(cls, self.names)
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


# --- built-in types -------------------------------------------------------------------------------------


def _hashable() -> Gen[Any]:
    return one_of(none(), booleans(), integers(), text())


def _anything() -> Gen[Any]:
    return one_of(none(), booleans(), integers(), floats(allow_nan=False), text(), lists(integers()))


def _complex() -> Gen[complex]:
    node = Build(complex, (floats(), floats()), constructs=complex, fields=("real", "imag"), share=True)
    return described(node, "from_type", complex)


def _ranges() -> Gen[range]:
    steps = one_of(integers(min_value=1), integers(max_value=-1))
    node = Map(
        tuples(integers(), integers(), steps),
        lambda parts: range(*parts),
        lambda r: (r.start, r.stop, r.step),
        share=True,
    )
    return described(node, "from_type", range)


def _slices() -> Gen[slice]:
    bound = one_of(none(), integers())
    steps = one_of(none(), integers(min_value=1), integers(max_value=-1))
    node = Map(
        tuples(bound, bound, steps),
        lambda parts: slice(*parts),
        lambda s: (s.start, s.stop, s.step),
        share=True,
    )
    return described(node, "from_type", slice)


_SIMPLE: dict[Any, Callable[[], Gen[Any]]] = {
    None: none,
    types.NoneType: none,
    bool: booleans,
    int: integers,
    float: floats,
    str: text,
    bytes: binary,
    complex: _complex,
    object: _anything,
    Any: _anything,
    collections.abc.Hashable: _hashable,
    typing.LiteralString: text,
    bytearray: lambda: Map(binary(), bytearray, bytes),
    memoryview: lambda: Map(binary(), memoryview, bytes),
    range: lambda: _ranges(),
    slice: lambda: _slices(),
    types.FunctionType: lambda: functions(like=lambda *args, **kwargs: None, returns=none()),
    typing.SupportsInt: lambda: _number(),
    typing.SupportsFloat: lambda: _number(),
    typing.SupportsAbs: lambda: _number(),
    typing.SupportsRound: lambda: _number(),
    typing.SupportsComplex: lambda: _complex(),
    typing.SupportsIndex: integers,
    typing.SupportsBytes: binary,
    types.EllipsisType: lambda: just(...),
    type(NotImplemented): lambda: just(NotImplemented),
}

#: Types of modules that are imported only by those who use them.
_STANDARD: dict[tuple[str, str], Callable[[type], Gen[Any]]] = {
    ("datetime", "date"): lambda _: _public("dates"),
    ("datetime", "time"): lambda _: _public("times"),
    ("datetime", "datetime"): lambda _: _public("datetimes"),
    ("datetime", "timedelta"): lambda _: _public("timedeltas"),
    ("datetime", "timezone"): lambda cls: _offsets(cls),
    ("datetime", "tzinfo"): lambda _: _public("timezones"),
    ("zoneinfo", "ZoneInfo"): lambda _: _public("timezones"),
    ("decimal", "Decimal"): lambda _: _public("decimals"),
    ("fractions", "Fraction"): lambda _: _public("fractions"),
    ("uuid", "UUID"): lambda _: _public("uuids"),
    ("ipaddress", "IPv4Address"): lambda _: _public("ip_addresses", v=4),
    ("ipaddress", "IPv6Address"): lambda _: _public("ip_addresses", v=6),
    ("ipaddress", "IPv4Network"): lambda cls: _networks(cls, 4),
    ("ipaddress", "IPv6Network"): lambda cls: _networks(cls, 6),
    ("ipaddress", "IPv4Interface"): lambda cls: _interfaces(cls, 4),
    ("ipaddress", "IPv6Interface"): lambda cls: _interfaces(cls, 6),
    **{
        (module, name): lambda cls: _paths(cls)
        for module in ("pathlib", "pathlib._local")
        for name in ("PurePath", "PurePosixPath", "PureWindowsPath", "Path", "PosixPath", "WindowsPath")
    },
    ("os", "PathLike"): lambda _: _paths(_pure_path()),
    ("re", "Pattern"): lambda _: text(alphabet="ab.*+?|^$()").map(_compiled),
    ("re", "Match"): lambda _: text(min_size=1).map(_matched),
    ("io", "StringIO"): lambda cls: text().map(cls),
    ("io", "BytesIO"): lambda cls: binary().map(cls),
    ("_io", "StringIO"): lambda cls: text().map(cls),
    ("_io", "BytesIO"): lambda cls: binary().map(cls),
    ("typing", "IO"): lambda _: one_of(_text_files(), _binary_files()),
    ("typing", "TextIO"): lambda _: _text_files(),
    ("typing", "BinaryIO"): lambda _: _binary_files(),
    ("collections", "UserString"): lambda cls: Map(text(), cls, str),
}


def _from_stdlib(tp: Any) -> Gen[Any] | None:
    """The generator of a type of the standard library, if it is one that is known here."""
    rule = _STANDARD.get((getattr(tp, "__module__", ""), getattr(tp, "__qualname__", "")))
    if rule is not None:
        return rule(tp)
    if getattr(tp, "__module__", "") == "numbers":
        return {"Integral": integers, "Number": _number, "Complex": _complex}.get(tp.__name__, _number)()
    if isinstance(tp, type) and issubclass(tp, BaseException) and not inspect.isfunction(tp.__init__):
        return _exceptions(tp)
    return None


def _exceptions(cls: type[BaseException]) -> Gen[Any] | None:
    """Exceptions that take a message, and groups of them; None if the constructor wants something else."""
    if issubclass(cls, BaseExceptionGroup):
        node = Map(
            tuples(text(), lists(text().map(Exception), min_size=1)),
            lambda parts: cls(*parts),
        )
        return described(node, "from_type", cls)
    try:
        cls("")
    except TypeError:
        return None
    return described(text().map(cls), "from_type", cls)


def _public(name: str, **arguments: Any) -> Gen[Any]:
    import everycase.gen

    made: Gen[Any] = getattr(everycase.gen, name)(**arguments)
    return made


def _offsets(cls: Any) -> Gen[Any]:
    """Fixed offsets from UTC in whole minutes, up to a day."""
    from datetime import timedelta

    return described(
        Map(
            integers(-1439, 1439),
            lambda minutes: cls(timedelta(minutes=minutes)),
            lambda zone: zone.utcoffset(None) // timedelta(minutes=1),
            share=True,
        ),
        "from_type",
        cls,
    )


def _networks(cls: Any, version: int) -> Gen[Any]:
    bits = 32 if version == 4 else 128
    return described(
        Map(
            tuples(_public("ip_addresses", v=version), integers(0, bits)),
            lambda parts: cls(parts, strict=False),
            lambda network: (network.network_address, network.prefixlen),
            share=True,
        ),
        "from_type",
        cls,
    )


def _interfaces(cls: Any, version: int) -> Gen[Any]:
    bits = 32 if version == 4 else 128
    return described(
        Map(
            tuples(_public("ip_addresses", v=version), integers(0, bits)),
            cls,
            lambda interface: (interface.ip, interface.network.prefixlen),
            share=True,
        ),
        "from_type",
        cls,
    )


def _paths(cls: Any) -> Gen[Any]:
    """Relative and absolute paths of names that a file may have on any system."""
    letters = _public("characters", exclude_characters='/\\\0:*?"<>|', exclude_categories=("Cs", "Cc"))
    names = text(letters, min_size=1)
    return described(
        Map(
            tuples(sampled_from(["", "/"]), lists(names)),
            lambda parts: cls(*([parts[0]] if parts[0] else []), *parts[1]),
            lambda path: ("/" if path.root else "", [part for part in path.parts if part != path.anchor]),
        ),
        "from_type",
        cls,
    )


def _pure_path() -> type:
    from pathlib import PurePath

    return PurePath


def _compiled(pattern: str) -> Any:
    import re

    try:
        return re.compile(pattern)
    except re.error:
        return re.compile(re.escape(pattern))


def _matched(string: str) -> Any:
    import re

    return re.match(".", string, re.DOTALL)


def _text_files() -> Gen[Any]:
    import io

    return text().map(io.StringIO)


def _binary_files() -> Gen[Any]:
    import io

    return binary().map(io.BytesIO)


def _number() -> Gen[Any]:
    return one_of(integers(), floats())


def _of_any_length(elements: Gen[Any]) -> Gen[Any]:
    # Tuples of immutable elements may be shared; within a recursion that is not known yet.
    share = not elements.has_defer and facts(elements).shareable
    return Map(lists(elements), tuple, list, share=share)


def _deques(elements: Gen[Any]) -> Gen[Any]:
    return Map(lists(elements), collections.deque, list)


def _iterators(elements: Gen[Any]) -> Gen[Any]:
    return Map(lists(elements), iter)


def _generators(elements: Gen[Any]) -> Gen[Any]:
    return Map(lists(elements), lambda values: (value for value in values))


def _keys(keys: Gen[Any]) -> Gen[Any]:
    return Map(lists(keys, unique=True), lambda keys: dict.fromkeys(keys).keys(), list)


def _values(elements: Gen[Any]) -> Gen[Any]:
    return Map(lists(elements), lambda values: dict(enumerate(values)).values(), list)


def _items(keys: Gen[Any], values: Gen[Any]) -> Gen[Any]:
    return Map(dictionaries(keys, values), dict.items, dict)


def _chained(keys: Gen[Any], values: Gen[Any]) -> Gen[Any]:
    maps = lists(dictionaries(keys, values), min_size=1)
    return Map(maps, lambda maps: collections.ChainMap(*maps), lambda chain: chain.maps)


def _user_dicts(keys: Gen[Any], values: Gen[Any]) -> Gen[Any]:
    return Map(dictionaries(keys, values), collections.UserDict, dict)


def _user_lists(elements: Gen[Any]) -> Gen[Any]:
    return Map(lists(elements), collections.UserList, list)


def _ordered(keys: Gen[Any], values: Gen[Any]) -> Gen[Any]:
    return Map(dictionaries(keys, values), collections.OrderedDict, dict)


def _defaulting(keys: Gen[Any], values: Gen[Any]) -> Gen[Any]:
    return Map(dictionaries(keys, values), lambda items: collections.defaultdict(None, items), dict)


def _counters(elements: Gen[Any]) -> Gen[Any]:
    return Map(lists(elements), collections.Counter, lambda counter: in_stable_order(counter.elements()))


_CONTAINERS: dict[Any, Callable[..., Gen[Any]]] = {
    list: lists,
    set: sets,
    frozenset: frozensets,
    dict: dictionaries,
    collections.deque: _deques,
    collections.OrderedDict: _ordered,
    collections.defaultdict: _defaulting,
    collections.Counter: _counters,
    collections.abc.Sequence: lists,
    collections.abc.MutableSequence: lists,
    collections.abc.Iterable: lists,
    collections.abc.Collection: lists,
    collections.abc.Container: lists,
    collections.abc.Reversible: lists,
    collections.abc.Sized: lists,
    collections.abc.Iterator: _iterators,
    collections.abc.Generator: _generators,
    collections.abc.KeysView: _keys,
    collections.abc.ValuesView: _values,
    collections.abc.ItemsView: _items,
    collections.ChainMap: _chained,
    collections.UserDict: _user_dicts,
    collections.UserList: _user_lists,
    collections.abc.Set: frozensets,
    collections.abc.MutableSet: sets,
    collections.abc.Mapping: dictionaries,
    collections.abc.MutableMapping: dictionaries,
}
_MAPPINGS = {
    dict,
    collections.OrderedDict,
    collections.defaultdict,
    collections.abc.Mapping,
    collections.abc.MutableMapping,
    collections.abc.ItemsView,
    collections.ChainMap,
    collections.UserDict,
}
_WITH_HASHED = _MAPPINGS | {
    collections.abc.KeysView,
    set,
    frozenset,
    collections.Counter,
    collections.abc.Set,
    collections.abc.MutableSet,
}
