"""Small values of types that the language of proofs does not have, and keys to compare values by."""

from __future__ import annotations

import itertools
import re
import types
import typing
from collections.abc import Hashable, Sequence
from typing import Any

from everycase.complete.clock import Clock
from everycase.complete.language.types import UnknownType
from everycase.complete.search.running import explore
from everycase.complete.search.small_choices import Pools
from everycase.errors import EverycaseError
from everycase.gen.types import from_type

MOST = 60  # values of one type
RUNS = 600  # to see some values of a type
DEPTH = 4  # maximum nesting of objects that are compared

_PLAIN = (int, bool, str, type(None), None)


def native_values(annotation: Any, pools: Pools | None = None) -> list[Any]:
    """A few small values of an annotated type, with the numbers and strings of the pools first.

    >>> native_values(set[bool])
    [set(), {False}, {True}, {False, True}]
    >>> native_values(dict[bool, None])
    [{}, {False: None}, {True: None}, {False: None, True: None}]
    """
    return list(_values(annotation, pools or Pools())[:MOST])


def _values(annotation: Any, pools: Pools) -> Sequence[Any]:
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if annotation in _PLAIN:
        simple = {int: pools.integers, bool: (False, True), str: tuple(dict.fromkeys(["", *pools.texts]))}
        return list(simple.get(annotation, (None,)))
    if origin in (typing.Union, types.UnionType):
        return [v for a in arguments for v in _values(a, pools)[: MOST // len(arguments)]]
    if origin in (set, frozenset) and len(arguments) == 1:
        items = _values(arguments[0], pools)[:10]
        return [origin(c) for n in range(4) for c in itertools.combinations(items, n)][:MOST]
    if origin is list and len(arguments) == 1:
        items = _values(arguments[0], pools)[:6]
        return [list(c) for n in range(3) for c in itertools.product(items, repeat=n)]
    if origin is tuple and len(arguments) == 2 and arguments[1] is Ellipsis:
        return [tuple(v) for v in _values(list[arguments[0]], pools)]  # type: ignore[valid-type]
    if origin is tuple and arguments:
        pools_of = [_values(a, pools)[:8] for a in arguments]
        return list(itertools.islice(itertools.product(*pools_of), MOST))
    if origin is dict and len(arguments) == 2:
        keys, values = (_values(a, pools)[:5] for a in arguments)
        chosen = [c for n in range(3) for c in itertools.combinations(keys, n)]
        made = [dict(zip(c, vs)) for c in chosen for vs in itertools.product(values, repeat=len(c))]
        return made
    return _seen(annotation, pools)


def _seen(annotation: Any, pools: Pools) -> list[Any]:
    """What ``from_type`` makes, run choice by choice."""
    try:
        described = from_type(annotation)
        runs = explore(described, native_key, pools, most=RUNS, clock=Clock(0.5))
    except (EverycaseError, TypeError) as error:
        raise UnknownType(f"the annotation {annotation} ({error})") from None
    if runs.unknown is not None or runs.unsteady is not None or not runs.values:
        raise UnknownType(f"the annotation {annotation}")
    return list(runs.values.values())


_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def native_key(value: Any, depth: int = DEPTH) -> Hashable:
    """The key by which values are compared: 1, 1.0 and True differ, and the order of a set does not matter.

    >>> native_key({1, 2}) == native_key({2, 1}), native_key(1) == native_key(True)
    (True, False)
    """
    if isinstance(value, set | frozenset):
        return (type(value).__name__, frozenset(native_key(v, depth) for v in value))
    if isinstance(value, dict):
        return ("dict", frozenset((native_key(k, depth), native_key(v, depth)) for k, v in value.items()))
    if isinstance(value, list | tuple):
        return (type(value).__name__, *(native_key(v, depth) for v in value))
    if getattr(type(value), "__repr__", None) is object.__repr__:
        inside = getattr(value, "__dict__", {}) if depth else {}
        return (type(value).__name__, *((k, native_key(v, depth - 1)) for k, v in inside.items()))
    return (type(value).__name__, _ADDRESS.sub("", repr(value)))


def coarse_key(value: Any) -> Hashable:
    """The same without looking into objects, which may differ from run to run: only their classes count.

    >>> coarse_key([object(), 1]) == coarse_key([object(), 1]) != coarse_key([object(), 2])
    True
    """
    if isinstance(value, set | frozenset | list | tuple):
        return (type(value).__name__, *map(coarse_key, value))
    if isinstance(value, dict):
        return ("dict", *((coarse_key(k), coarse_key(v)) for k, v in value.items()))
    plain = value is None or type(value) in (int, bool, str, bytes, float)
    return (type(value).__name__, repr(value)) if plain else (type(value).__name__,)
