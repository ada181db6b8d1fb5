"""One level of any value as Python source: what is written before its parts, the parts, and what is written after.

A shape never looks below its own level, so values of any depth, and values that contain themselves, are safe to take
apart; :mod:`everycase.run.source_text.printer` puts the levels together.
"""

from __future__ import annotations

import inspect
import math
import re
import types
from collections.abc import Callable, Iterable, Sequence
from enum import Enum, Flag
from functools import reduce
from keyword import iskeyword
from operator import or_
from typing import Any, NamedTuple

from everycase.gen.drawing import Data, DrawnFunction
from everycase.gen.randomness import DrawnRandom
from everycase.gen.records import NO_DEFAULT, Record, RecordField, RecordKind, record_of
from everycase.run.source_text.names import SourceNames, lambda_source, readable_repr

MAX_TEXT = 100_000  # maximum number of characters of a text; a longer text is cut, and a comment says so


class Shape(NamedTuple):
    """``opening``, the parts with commas between them, ``closing``. Without parts it is one piece of text."""

    opening: str
    parts: Sequence[tuple[str, Any]] = ()  # the text before a part (such as "name="), and the part
    closing: str = ""
    comment: str = ""
    unordered: bool = False  # a set: its parts are sorted in an order that does not depend on hashes
    lone_comma: bool = False  # a tuple: one part alone is followed by a comma


class Pair(NamedTuple):
    """A key and its value in a dict."""

    key: Any
    value: Any


def call_shape(name: str, arguments: Iterable[tuple[str, Any]]) -> Shape:
    return Shape(f"{name}(", [(f"{key}=" if key else "", value) for key, value in arguments], ")")


def as_printed(value: Any) -> Shape:
    try:
        text = str.__str__(repr(value))
    except Exception as error:
        return Shape(f"<{type(value).__qualname__} object whose repr raised {type(error).__name__}>")
    # An address means nothing to a reader and differs from run to run.
    text = re.sub(r" at 0x[0-9A-Fa-f]{6,}", "", text)
    return Shape(text[:MAX_TEXT], comment=_cut(text[:MAX_TEXT], text, "characters of its repr"))


def _cut(shown: str | bytes, whole: str | bytes, unit: str) -> str:
    return "" if len(shown) == len(whole) else f"the first {len(shown):,} of {len(whole):,} {unit}"


def shape(value: Any, names: SourceNames) -> Shape:
    """The outermost level of a value. It does not raise, whatever a user's class does."""
    if type(value) is Shape:
        return value  # written already
    try:
        return _shape(value, names)
    except Exception:
        return as_printed(value)


def _shape(value: Any, names: SourceNames) -> Shape:
    cls = type(value)
    exact = EXACT.get(f"{cls.__module__}.{cls.__qualname__}")
    if exact is not None:
        return exact(value, names)
    if isinstance(value, Enum):
        return _enum(value, names)
    if isinstance(value, type):
        return Shape(names.of(value))
    record = record_of(cls)
    if record is not None:
        return _record(value, record, names)
    if isinstance(value, BaseException) and _prints_like(cls, BaseException):
        return call_shape(names.of(cls), [("", arg) for arg in value.args])
    if isinstance(value, DrawnRandom):
        return call_shape(f"{names.of(cls)}.of", [("", drawn) for drawn in value.drawn])
    if isinstance(value, Data):
        plain = [("", drawn) for _, drawn in value.drawn]
        return call_shape(f"{names.of(cls)}.of", value.as_arguments() or plain)
    if isinstance(value, DrawnFunction):
        results = [("", result) for _, _, result in value.calls]
        options = [("like", value.like)] + ([("pure", True)] if value.pure else [])
        return call_shape(f"{names.of(cls)}.of", [*results, *options])
    for base, convert in BASES.items():
        if isinstance(value, base) and _prints_like(cls, base):
            # A subclass that prints like its base would be read back as the base.
            inner = _shape(convert(value), names)
            if not inner.parts and inner.closing:
                return Shape(f"{names.of(cls)}()")
            return inner._replace(opening=f"{names.of(cls)}({inner.opening}", closing=inner.closing + ")")
    return _object(value, names)


def _prints_like(cls: Any, base: Any) -> bool:
    return cls.__repr__ is base.__repr__


def _enum(value: Enum, names: SourceNames) -> Shape:
    cls = type(value)
    if cls is re.RegexFlag:
        owner = names.module("re")
    else:
        owner = names.of(cls)
    if cls.__members__.get(value.name) is value:
        return Shape(_member(owner, value.name))
    if isinstance(value, Flag):
        single = list(value)
        if single and reduce(or_, single) == value:
            return Shape(" | ".join(_member(owner, member.name or "") for member in single))
    return Shape(f"{names.of(cls)}(", [("", value.value)], ")")


def _member(owner: str, name: str) -> str:
    return f"{owner}.{name}" if name.isidentifier() and not iskeyword(name) else f"{owner}[{name!r}]"


def _record(value: Any, record: Record, names: SourceNames) -> Shape:
    cls = type(value)
    if record.kind is RecordKind.named_tuple:
        return call_shape(names.of(cls), zip(record.attributes, value))
    if record.kind is RecordKind.attrs:
        kept = record.parameters.items()
        return call_shape(names.of(cls), [(name, getattr(value, attribute)) for name, attribute in kept])
    accepted = inspect.signature(cls).parameters
    arguments = {}
    for field in record.fields:
        held = getattr(value, field.attribute, None)
        # Like its repr, the call shows fields that equal the default, unless the field is kept out of the
        # repr.
        if field.parameter is not None and (field.in_repr or not _is_default(held, field)):
            arguments[field.parameter] = held
    needed = {name for name, parameter in accepted.items() if parameter.default is parameter.empty}
    if needed <= arguments.keys() <= accepted.keys():
        return call_shape(names.of(cls), arguments.items())
    # Its __init__ is written by hand, or takes something that it does not store.
    again = _constructor_arguments(value)
    if again is not None:
        return call_shape(names.of(cls), again)
    return as_printed(value)._replace(comment="its constructor takes different arguments")


def _is_default(held: Any, field: RecordField) -> bool:
    if field.factory is not None:
        return bool(held == field.factory())
    return field.default is not NO_DEFAULT and bool(held == field.default)


def _object(value: Any, names: SourceNames) -> Shape:
    cls = type(value)
    if not _prints_like(cls, object):
        text = readable_repr(repr(value), cls, names)
        if text is not None and len(text) <= MAX_TEXT:
            return Shape(text)
    arguments = _constructor_arguments(value)
    return as_printed(value) if arguments is None else call_shape(names.of(cls), arguments)


def _constructor_arguments(value: Any) -> list[tuple[str, Any]] | None:
    """The arguments that would make the value again, if all are stored as attributes of the same name."""
    arguments = []
    for name, parameter in inspect.signature(type(value)).parameters.items():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD) or not hasattr(value, name):
            return None
        arguments.append(("" if parameter.kind is parameter.POSITIONAL_ONLY else name, getattr(value, name)))
    return arguments if arguments or _is_bare(value) else None


def _is_bare(value: Any) -> bool:
    """Whether an object whose class takes no arguments holds nothing, so that a new one is equivalent."""
    slots = [name for cls in type(value).__mro__ for name in getattr(cls, "__slots__", ())]
    return type(value) is object or (hasattr(value, "__dict__") and not vars(value) and not slots)


# --- numbers, texts, containers ---------------------------------------------------------------------------


def _printed(value: Any, names: SourceNames) -> Shape:
    return Shape(repr(value))


def _int(value: int, names: SourceNames) -> Shape:
    try:
        return Shape(repr(value))
    except ValueError:  # Python refuses to write (and to read) very long decimals, but not hexadecimals
        return Shape(hex(value))


def _float(value: float, names: SourceNames) -> Shape:
    return Shape(repr(value) if math.isfinite(value) else f'float("{value!r}")')


def _complex(value: complex, names: SourceNames) -> Shape:
    # The literal of a complex number is a sum, which loses the sign of a zero and cannot name nan and inf.
    zeros = [part for part in (value.real, value.imag) if part == 0]
    signs_survive = value.real != 0 or math.copysign(1, value.imag) > 0
    if (
        math.isfinite(value.real)
        and math.isfinite(value.imag)
        and signs_survive
        and not any(math.copysign(1, zero) < 0 for zero in zeros)
    ):
        return Shape(repr(value))
    return Shape("complex(", [("", value.real), ("", value.imag)], ")")


def _str(value: str, names: SourceNames) -> Shape:
    cut = value[: names.longest_text or MAX_TEXT]
    # Double quotes where that needs no escape: a text with a single quote in it makes repr choose them.
    text = repr(cut) if '"' in cut else '"' + repr("'" + cut)[2:]
    return Shape(text, comment=_cut(cut, value, "characters"))


def _bytes(value: bytes, names: SourceNames) -> Shape:
    cut = value[: names.longest_text or MAX_TEXT]
    text = repr(cut) if b'"' in cut else 'b"' + repr(b"'" + cut)[3:]
    return Shape(text, comment=_cut(cut, value, "bytes"))


def _bytearray(value: bytearray, names: SourceNames) -> Shape:
    inner = _bytes(bytes(value), names)
    return inner._replace(opening=f"bytearray({inner.opening})")


def _plain(items: Iterable[Any]) -> list[tuple[str, Any]]:
    return [("", item) for item in items]


def _list(value: list[Any], names: SourceNames) -> Shape:
    return Shape("[", _plain(value), "]")


def _tuple(value: tuple[Any, ...], names: SourceNames) -> Shape:
    return Shape("(", _plain(value), ")", lone_comma=True)


def _set(value: set[Any], names: SourceNames) -> Shape:
    return Shape("{", _plain(value), "}", unordered=True) if value else Shape("set()")


def _frozenset(value: frozenset[Any], names: SourceNames) -> Shape:
    return Shape("frozenset({", _plain(value), "})", unordered=True) if value else Shape("frozenset()")


def _pairs(value: Any) -> list[tuple[str, Any]]:
    return [("", Pair(key, item)) for key, item in value.items()]


def _dict(value: dict[Any, Any], names: SourceNames) -> Shape:
    return Shape("{", _pairs(value), "}")


def _mapping(module: str, name: str) -> Callable[[Any, SourceNames], Shape]:
    def made(value: Any, names: SourceNames) -> Shape:
        known = names.member(module, name)
        return Shape(known + "({", _pairs(value), "})") if value else Shape(known + "()")

    return made


def _defaultdict(value: Any, names: SourceNames) -> Shape:
    return call_shape(
        names.member("collections", "defaultdict"), [("", value.default_factory), ("", dict(value))]
    )


def _deque(value: Any, names: SourceNames) -> Shape:
    closing = "])" if value.maxlen is None else f"], maxlen={value.maxlen})"
    return Shape(names.member("collections", "deque") + "([", _plain(value), closing)


def _proxy(value: Any, names: SourceNames) -> Shape:
    return call_shape(f"{names.module('types')}.MappingProxyType", [("", dict(value))])


def _range(value: range, names: SourceNames) -> Shape:
    ends = [value.start, value.stop] + ([value.step] if value.step != 1 else [])
    return Shape("range(", _plain(ends), ")")


def _slice(value: slice, names: SourceNames) -> Shape:
    return Shape("slice(", _plain([value.start, value.stop, value.step]), ")")


def _array(value: Any, names: SourceNames) -> Shape:
    name = names.member("array", "array")
    return Shape(f'{name}("{value.typecode}", [', _plain(value), "])")


# --- values of the standard library -----------------------------------------------------------------------


def _from_text(
    module: str, name: str, text: Callable[[Any], str] = str
) -> Callable[[Any, SourceNames], Shape]:
    def made(value: Any, names: SourceNames) -> Shape:
        return Shape(f"{names.member(module, name)}({_str(text(value), names).opening})")

    return made


def _fraction(value: Any, names: SourceNames) -> Shape:
    return call_shape(names.member("fractions", "Fraction"), [("", value.numerator), ("", value.denominator)])


def _date(value: Any, names: SourceNames) -> Shape:
    names.module("datetime")
    return Shape(repr(value))


def _time(value: Any, names: SourceNames) -> Shape:
    """Times and datetimes: a time zone may be any object, so it is a part of its own."""
    name = f"{names.module('datetime')}.{type(value).__name__}"
    day = [value.year, value.month, value.day] if name.endswith("datetime") else []
    clock = [value.hour, value.minute, value.second, value.microsecond]
    while len(clock) > 2 and not clock[-1]:
        clock.pop()
    parts = [("", number) for number in day + clock]
    if value.fold:
        parts.append(("fold=", value.fold))
    if value.tzinfo is not None:
        parts.append(("tzinfo=", value.tzinfo))
    return Shape(name + "(", parts, ")")


def _zone(value: Any, names: SourceNames) -> Shape:
    if value.key is None:
        return as_printed(value)
    return Shape(f'{names.member("zoneinfo", "ZoneInfo")}("{value.key}")')


def _pattern(value: re.Pattern[Any], names: SourceNames) -> Shape:
    default = re.UNICODE if isinstance(value.pattern, str) else 0
    flags = re.RegexFlag(value.flags & ~default)
    return call_shape(
        f"{names.module('re')}.compile", [("", value.pattern)] + ([("", flags)] if flags else [])
    )


def _namespace(value: Any, names: SourceNames) -> Shape:
    return call_shape(f"{names.module('types')}.SimpleNamespace", vars(value).items())


def _module(value: Any, names: SourceNames) -> Shape:
    return Shape(names.module(value.__name__))


# --- functions --------------------------------------------------------------------------------------------


def _function(value: Any, names: SourceNames) -> Shape:
    if value.__name__ != "<lambda>":
        return Shape(names.of(value))
    source = lambda_source(value)
    if source is not None:
        return Shape(source)
    parameters = str(inspect.signature(value))[1:-1]
    return Shape(
        f"lambda {parameters}: ..." if parameters else "lambda: ...", comment="its source is not available"
    )


def _method(value: Any, names: SourceNames) -> Shape:
    owner = getattr(value, "__self__", None)
    if owner is None or isinstance(owner, types.ModuleType):
        return Shape(names.of(value))
    if isinstance(owner, type):
        return Shape(f"{names.of(owner)}.{value.__name__}")
    return Shape("getattr(", [("", owner), ("", value.__name__)], ")")


def _partial(value: Any, names: SourceNames) -> Shape:
    parts = [
        ("", value.func),
        *_plain(value.args),
        *((f"{name}=", arg) for name, arg in value.keywords.items()),
    ]
    return Shape(f"{names.member('functools', 'partial')}(", parts, ")")


# By name, so that nothing is imported just to find out that a value is not one of these.
EXACT: dict[str, Callable[[Any, SourceNames], Shape]] = {
    "builtins.NoneType": _printed,
    "builtins.ellipsis": lambda value, names: Shape("..."),
    "builtins.NotImplementedType": _printed,
    "builtins.bool": _printed,
    "builtins.int": _int,
    "builtins.float": _float,
    "builtins.complex": _complex,
    "builtins.str": _str,
    "builtins.bytes": _bytes,
    "builtins.bytearray": _bytearray,
    "builtins.list": _list,
    "builtins.tuple": _tuple,
    "builtins.set": _set,
    "builtins.frozenset": _frozenset,
    "builtins.dict": _dict,
    "builtins.range": _range,
    "builtins.slice": _slice,
    "builtins.mappingproxy": _proxy,
    "builtins.module": _module,
    "builtins.function": _function,
    "builtins.builtin_function_or_method": _method,
    "builtins.method": _method,
    "array.array": _array,
    "collections.Counter": _mapping("collections", "Counter"),
    "collections.OrderedDict": _mapping("collections", "OrderedDict"),
    "collections.defaultdict": _defaultdict,
    "collections.deque": _deque,
    "datetime.date": _date,
    "datetime.timedelta": _date,
    "datetime.timezone": _date,
    "datetime.datetime": _time,
    "datetime.time": _time,
    "decimal.Decimal": _from_text("decimal", "Decimal"),
    "fractions.Fraction": _fraction,
    "functools.partial": _partial,
    "pathlib.PosixPath": _from_text("pathlib", "Path"),
    "pathlib.WindowsPath": _from_text("pathlib", "Path", lambda path: str(path.as_posix())),
    "pathlib._local.PosixPath": _from_text("pathlib", "Path"),
    "pathlib._local.WindowsPath": _from_text("pathlib", "Path", lambda path: str(path.as_posix())),
    "pathlib.PurePosixPath": _from_text("pathlib", "PurePosixPath"),
    "pathlib.PureWindowsPath": _from_text("pathlib", "PureWindowsPath"),
    "pathlib._local.PurePosixPath": _from_text("pathlib", "PurePosixPath"),
    "pathlib._local.PureWindowsPath": _from_text("pathlib", "PureWindowsPath"),
    "re.Pattern": _pattern,
    "types.SimpleNamespace": _namespace,
    "uuid.UUID": _from_text("uuid", "UUID"),
    "zoneinfo.ZoneInfo": _zone,
}

# Subclasses of these are shown as a call on what they hold.
BASES: dict[type[Any], Callable[[Any], Any]] = {
    int: int.__int__,
    float: float.__float__,
    str: str.__str__,
    bytes: lambda value: bytes(memoryview(value)),
    list: list,
    tuple: tuple,
    set: set,
    frozenset: frozenset,
    dict: dict,
}
