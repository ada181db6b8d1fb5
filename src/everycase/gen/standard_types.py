"""The generators of the types that Python brings along: built-in ones, containers, and those of the standard library."""

from __future__ import annotations

import collections
import collections.abc
import inspect
import types
import typing
from collections.abc import Callable
from typing import Any

from everycase.gen.base import Gen
from everycase.gen.collections import dictionaries, frozensets, in_stable_order, lists, sets, tuples
from everycase.gen.composition import one_of
from everycase.gen.drawing import functions
from everycase.gen.facts import facts
from everycase.gen.floating import floats
from everycase.gen.kinds import Build, Map
from everycase.gen.scalars import booleans, integers, just, none, sampled_from
from everycase.gen.show import described
from everycase.gen.strings import binary, text


def hashable() -> Gen[Any]:
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


SIMPLE: dict[Any, Callable[[], Gen[Any]]] = {
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
    collections.abc.Hashable: hashable,
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


def from_stdlib(tp: Any) -> Gen[Any] | None:
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


def of_any_length(elements: Gen[Any]) -> Gen[Any]:
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


CONTAINERS: dict[Any, Callable[..., Gen[Any]]] = {
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
MAPPINGS = {
    dict,
    collections.OrderedDict,
    collections.defaultdict,
    collections.abc.Mapping,
    collections.abc.MutableMapping,
    collections.abc.ItemsView,
    collections.ChainMap,
    collections.UserDict,
}
WITH_HASHED = MAPPINGS | {
    collections.abc.KeysView,
    set,
    frozenset,
    collections.Counter,
    collections.abc.Set,
    collections.abc.MutableSet,
}
