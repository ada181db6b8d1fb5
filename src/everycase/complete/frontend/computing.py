"""Which functions and methods of Python only compute: the same result for the same arguments, nothing changed, and an end."""

from __future__ import annotations

import ast
import base64
import binascii
import calendar
import collections
import datetime
import decimal
import enum
import fractions
import functools
import itertools
import json
import math
import operator
import re
import statistics
import textwrap
import types
import urllib.parse
import uuid
from typing import Any

BUILTINS: tuple[Any, ...] = (
    abs, all, any, ascii, bin, bool, bytes, chr, complex, dict, divmod, enumerate, filter, float, format, frozenset, hex,
    int, isinstance, iter, len, list, map, max, min, next, oct, ord, pow, range, repr, reversed, round, set, slice,
    sorted, str, sum, tuple, zip,
)  # fmt: skip
_LIBRARY: dict[Any, str] = {
    math: "ceil comb cos degrees dist exp fabs factorial floor fmod fsum gcd hypot isclose isfinite isinf isnan isqrt lcm "
    "log log10 log2 modf perm pow prod radians sin sqrt tan trunc",
    itertools: "accumulate chain combinations combinations_with_replacement compress dropwhile filterfalse groupby islice "
    "pairwise permutations product starmap takewhile zip_longest",
    operator: "abs add and_ attrgetter concat contains countOf eq floordiv ge getitem gt index indexOf inv itemgetter le "
    "lt mod mul ne neg not_ or_ pos sub truediv truth xor",
    functools: "partial reduce",
    statistics: "mean median median_high median_low mode",
    collections: "ChainMap Counter OrderedDict deque",
    datetime: "date datetime time timedelta timezone",
    calendar: "isleap leapdays monthrange weekday",
    decimal: "Decimal", fractions: "Fraction", uuid: "UUID",
    re: "escape findall fullmatch match search split sub",
    json: "dumps loads", textwrap: "dedent indent shorten wrap",
    urllib.parse: "parse_qs quote quote_plus unquote urlencode urljoin urlsplit urlunsplit",
    base64: "b64decode b64encode", binascii: "hexlify unhexlify",
}  # fmt: skip
_FUNCTIONS = [*BUILTINS, *(getattr(m, n) for m, names in _LIBRARY.items() for n in names.split())]
_OF_CLASSES = (
    itertools.chain.from_iterable, dict.fromkeys, datetime.date.fromordinal, datetime.date.fromisoformat,
    datetime.datetime.fromisoformat, datetime.datetime.combine, datetime.time.fromisoformat, datetime.datetime.strptime,
    int.from_bytes, bytes.fromhex, str.maketrans, datetime.date.fromisocalendar,
)  # fmt: skip
#: Methods that change nothing, of all types of Python's own.
METHODS = frozenset(
    [
        "capitalize",
        "casefold",
        "center",
        "count",
        "decode",
        "encode",
        "endswith",
        "expandtabs",
        "find",
        "format",
        "hex",
        "index",
        "isalnum",
        "isalpha",
        "isascii",
        "isdecimal",
        "isdigit",
        "isidentifier",
        "islower",
        "isnumeric",
        "isspace",
        "istitle",
        "isupper",
        "join",
        "ljust",
        "lower",
        "lstrip",
        "partition",
        "removeprefix",
        "removesuffix",
        "replace",
        "rfind",
        "rindex",
        "rjust",
        "rpartition",
        "rsplit",
        "rstrip",
        "split",
        "splitlines",
        "startswith",
        "strip",
        "swapcase",
        "title",
        "translate",
        "upper",
        "zfill",
        "copy",
        "get",
        "items",
        "keys",
        "values",
        "difference",
        "intersection",
        "isdisjoint",
        "issubset",
        "issuperset",
        "symmetric_difference",
        "union",
        "most_common",
        "bit_length",
        "bit_count",
        "conjugate",
        "to_bytes",
        "is_integer",
        "as_integer_ratio",
        "date",
        "time",
        "weekday",
        "isoweekday",
        "isocalendar",
        "isoformat",
        "toordinal",
        "strftime",
        "timetuple",
        "total_seconds",
        "quantize",
        "elements",
        "group",
        "groups",
    ]
)
#: What may be done with a set or a dictionary without looking at the order of its elements. Sets have another order in each
#: process; of a dictionary that was drawn, the order is not known.
_WITHOUT_ORDER: tuple[Any, ...] = (
    all,
    any,
    bool,
    dict,
    frozenset,
    int,
    len,
    max,
    min,
    range,
    set,
    sorted,
    sum,
)
_OF_SETS = (
    "copy", "difference", "intersection", "isdisjoint", "issubset", "issuperset", "symmetric_difference", "union", "get",
    "keys", "values", "items",
)  # fmt: skip
_ATTRIBUTES = (
    "year", "month", "day", "hour", "minute", "second", "microsecond", "days", "seconds", "microseconds", "real", "imag",
    "numerator", "denominator", "value", "name",
)  # fmt: skip
_SYNTAX = (
    ast.Constant, ast.Name, ast.Attribute, ast.expr_context, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.Subscript, ast.Slice,
    ast.UnaryOp, ast.unaryop, ast.BinOp, ast.operator, ast.Compare, ast.cmpop, ast.BoolOp, ast.boolop, ast.ListComp,
    ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.comprehension, ast.Call, ast.keyword, ast.IfExp, ast.Starred,
    ast.JoinedStr, ast.FormattedValue, ast.Lambda, ast.arguments, ast.arg,
)  # fmt: skip
_GROWING = (ast.Pow, ast.LShift, ast.Mult, ast.Call)
LARGE = 10_000


def only_computes(function: Any) -> bool:
    """Is this a function of Python's own that changes nothing and always ends?"""
    try:
        return any(function is one for one in _FUNCTIONS) or any(function == one for one in _OF_CLASSES)
    except Exception:  # of the user's class, with its own ==
        return False


def is_plain(value: Any) -> bool:
    """Is a constant made of values of Python's own, which stay as they are while an expression is computed?"""
    if type(value) in (list, tuple, set, frozenset):
        return all(map(is_plain, value))
    if type(value) is dict:
        return all(is_plain(k) and is_plain(v) for k, v in value.items())
    if isinstance(value, type):
        return issubclass(value, enum.Enum) and not _is_unusual(value)
    return (
        value is None
        or type(value) in (int, bool, str, bytes, float, complex, range, datetime.timezone)
        or type(value) in (datetime.date, datetime.datetime, datetime.time, datetime.timedelta)
        or (isinstance(value, enum.Enum) and not _is_unusual(type(value)))
        or type(value) in (decimal.Decimal, fractions.Fraction, uuid.UUID)
    )


def _is_unusual(cls: type[enum.Enum]) -> bool:
    """Does an enum define more than its members?"""
    own = [v for c in cls.__mro__ if c.__module__ not in ("enum", "builtins") for v in vars(c).values()]
    plain = [v for v in own if getattr(v, "__module__", "") != "enum"]
    return issubclass(cls, enum.Flag) or any(
        isinstance(v, types.FunctionType | property | classmethod | staticmethod) for v in plain
    )


def can_compute(node: ast.expr, constants: dict[str, Any], values: dict[str, str]) -> bool:
    """Is the expression made only of what computes? ``constants`` are the names from outside, ``values`` the kinds of those
    of the generator."""
    own = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    own |= {n.arg for n in ast.walk(node) if isinstance(n, ast.arg)}
    if own & {*constants, *values}:  # one name for two things
        return False
    numbers = [n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and type(n.value) is int]
    if any(abs(k) > LARGE for k in numbers) and any(isinstance(n, _GROWING) for n in ast.walk(node)):
        return False
    called = {id(n.func) for n in ast.walk(node) if isinstance(n, ast.Call)}
    for n in ast.walk(node):
        if not isinstance(n, _SYNTAX) or (isinstance(n, ast.comprehension) and n.is_async):
            return False
        match n:
            case ast.Name(ctx=ast.Load(), id=name) if name not in own and name not in values:
                if name not in constants or not _is_known(constants[name]):
                    return False
            case ast.Attribute(attr=attr):
                found = _found(n, constants)
                if found is _NOTHING:
                    if attr not in (METHODS if id(n) in called else _ATTRIBUTES):
                        return False
                elif not _is_known(found):
                    return False
            case ast.Call(func=ast.Name(id=name)) if name in own or name in values:
                return False
            case ast.Call(func=func) if not isinstance(func, ast.Name | ast.Attribute | ast.Lambda):
                return False
    return not _sees_an_order(node, constants, values)


_NOTHING = object()


def _found(node: ast.expr, constants: dict[str, Any]) -> Any:
    """What a dotted name from outside leads to; nothing if it begins with something else."""
    if isinstance(node, ast.Name):
        return constants.get(node.id, _NOTHING)
    if isinstance(node, ast.Attribute) and (owner := _found(node.value, constants)) is not _NOTHING:
        return getattr(owner, node.attr, _NOTHING)
    return _NOTHING


def _is_known(value: Any) -> bool:
    if isinstance(value, types.ModuleType) or only_computes(value):
        return True
    if isinstance(value, types.BuiltinMethodType | types.MethodDescriptorType):
        owner = getattr(value, "__self__", None) or getattr(value, "__objclass__", None)
        plain = (
            is_plain(owner) if not isinstance(owner, type) else owner in (str, list, dict, tuple, int, bytes)
        )
        return plain and value.__name__ in METHODS
    return is_plain(value)


def _sees_an_order(node: ast.expr, constants: dict[str, Any], values: dict[str, str]) -> bool:
    """Might the result depend on the order of a set of strings?"""
    sets = any(isinstance(n, ast.Set | ast.SetComp) for n in ast.walk(node)) or "unordered" in values.values()
    loads = [n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)]
    known = [constants[n] for n in loads if n in constants]
    sets = sets or any(v is set or v is frozenset or isinstance(v, set | frozenset) for v in known)
    if not sets:
        return False
    for n in ast.walk(node):
        match n:
            case ast.Call(func=func, args=[ast.Call(func=ast.Name() as inner)]) if _found(
                inner, constants
            ) is sorted and any(_found(func, constants) is one for one in (list, tuple)):
                pass
            case ast.Call(func=func, keywords=named):
                found = _found(func, constants)
                method = isinstance(func, ast.Attribute) and func.attr in _OF_SETS
                plain = method if found is _NOTHING else any(found is one for one in _WITHOUT_ORDER)
                if not plain or any(k.arg != "default" and k.arg != "reverse" for k in named):
                    return True
            case ast.DictComp(
                key=ast.Name(id=key),
                generators=[
                    ast.comprehension(
                        target=ast.Tuple(elts=[ast.Name(id=same), _]),
                        iter=ast.Call(func=ast.Attribute(attr="items")),
                    )
                ],
            ) if key == same:
                pass  # one item for each key, in any order
            case ast.ListComp() | ast.DictComp() | ast.Starred() | ast.JoinedStr() | ast.Lambda():
                return True
    return False
