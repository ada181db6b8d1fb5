"""Small values of types that the language of proofs does not know: floats, bytes, dates, sets, dictionaries."""

from __future__ import annotations

import datetime
import itertools
import types
import typing
from collections.abc import Hashable
from typing import Any

from everycase.complete.language.types import UnknownType

MOST = 40  # values of one type

_SIMPLE: dict[Any, list[Any]] = {
    int: [0, 1, -1, 2],
    bool: [False, True],
    str: ["", "a", "b"],
    float: [0.0, 1.0, -1.0, 0.5],
    bytes: [b"", b"\0", b"\1"],
    datetime.date: [datetime.date(2000, 1, 1), datetime.date.min, datetime.date.max],
    datetime.datetime: [datetime.datetime(2000, 1, 1), datetime.datetime.min, datetime.datetime.max],
    type(None): [None],
    None: [None],
}


def native_values(annotation: Any) -> list[Any]:
    """A few small values of an annotated type.

    >>> native_values(set[bool])
    [set(), {False}, {True}, {False, True}]
    >>> native_values(dict[bool, None])
    [{}, {False: None}, {True: None}]
    """
    if isinstance(annotation, Hashable) and annotation in _SIMPLE:
        return list(_SIMPLE[annotation])
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in (typing.Union, types.UnionType):
        return [v for a in arguments for v in native_values(a)][:MOST]
    if origin in (set, frozenset, list) and len(arguments) == 1:
        items = native_values(arguments[0])[:4]
        chosen = (c for n in range(3) for c in itertools.combinations(items, n))
        return [origin(c) for c in itertools.islice(chosen, MOST)]
    if origin is tuple and Ellipsis not in arguments:
        pools = [native_values(a)[:4] for a in arguments]
        return list(itertools.islice(itertools.product(*pools), MOST))
    if origin is dict:
        keys, values = (native_values(a)[:4] for a in arguments)
        return [{}, *({k: v} for k in keys for v in values)][:MOST]
    raise UnknownType(f"the annotation {annotation}")


def native_key(value: Any) -> Hashable:
    """What values are told apart by: 1, 1.0 and True differ, and the order of a set does not matter.

    >>> native_key({1, 2}) == native_key({2, 1}), native_key(1) == native_key(True)
    (True, False)
    """
    if isinstance(value, set | frozenset):
        return (type(value).__name__, frozenset(map(native_key, value)))
    if isinstance(value, dict):
        return ("dict", frozenset((native_key(k), native_key(v)) for k, v in value.items()))
    if isinstance(value, list | tuple):
        return (type(value).__name__, *map(native_key, value))
    return (type(value).__name__, repr(value))
