"""Whether the elements of a list of distinct elements differ, which is needed to count such lists.

Few values are compared one by one. For many, or infinitely many, the generator has to show it: numbers
differ, and so do tuples and dataclasses of different parts, and the results of ``map`` if it has an
``inverse``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from everycase.choices.dice import novelty
from everycase.choices.time_limit import look, watched
from everycase.enumeration.counting import Steps, space_of
from everycase.enumeration.spaces.base import Space
from everycase.enumeration.spaces.distinct import Groups, Items, Pool, item_of
from everycase.enumeration.spaces.finite import EMPTY, SCAN_LIMIT
from everycase.errors import NotCountable
from everycase.gen.base import Gen
from everycase.gen.collections import itself
from everycase.gen.dependent import Stream
from everycase.gen.facts import facts
from everycase.gen.graph import has_kind
from everycase.gen.kinds import (
    Bind,
    Build,
    Composite,
    Const,
    Defer,
    Filter,
    Float,
    Int,
    List,
    Live,
    Map,
    Union,
)
from everycase.gen.reading import total
from everycase.gen.records import RecordKind, record_of

#: A table with more entries than this is not worth making, if elements share keys unevenly.
MOST_ENTRIES = 10**6


def pool_of(gen: List[Any]) -> Steps:
    """The pool from which distinct elements are selected; None if there are infinitely many, all
    different."""
    item = item_of(gen)
    if item is not None:
        keys: Space = yield item.parts[0], None
        if differ(item.parts[0], keys):
            values: Space = yield item.parts[1], None
            if not (keys.count and values.count):
                return Pool(EMPTY)
            return Items(keys, values) if max(keys.count, values.count) < math.inf else None
    element: Space = yield gen.element, None
    # Making the first value of a recursion may need the sizes of this list itself; and a recursion through a
    # flatmap is not known beforehand.
    loops = facts(gen).loop is not None or (element.count == math.inf and has_kind(gen.element, Bind))
    if element.count and not loops:
        novelty(gen)(element.at(0), set())  # raises an error that explains what cannot be hashed
    if gen.unique_by is itself and differ(gen.element, element):
        return Pool(element) if element.count < math.inf else None
    if element.count > SCAN_LIMIT:
        hint = "Give map an inverse=, use fewer than 2**16 elements, or bound their size."
        if _has_odd_floats(gen.element):
            hint = (
                "Among floats 0.0 and -0.0 are equal, and nan is not equal to itself: leave them out, as "
                "floats(min_value=0, allow_nan=False) does."
            )
        raise NotCountable(
            f"{gen!r} cannot be counted: its elements must be distinct, and the only way to know which are is "
            f"to make all of them. {hint}"
        )
    yield int(element.count)
    return _grouped(gen, element)


def _grouped(gen: List[Any], element: Space) -> Pool:
    """Elements that have the same key exclude each other."""
    keys = gen.unique_by if isinstance(gen.unique_by, tuple) else (gen.unique_by,)
    values = [element.at(i) for i in watched(range(element.count))]
    groups: list[list[int]] = []
    for key in keys:
        assert key is not None
        is_new = novelty(List(gen.element, 0, None, key))  # explains keys that cannot be hashed
        seen: set[Any] = set()
        by_key: dict[Any, list[int]] = {}
        for i, value in enumerate(watched(values)):
            is_new(value, seen)
            look()  # a key may take as long as a test
            by_key.setdefault(key(value), []).append(i)
        groups = list(by_key.values())
        if len(groups) < len(values) and len(keys) > 1:
            raise NotCountable(
                f"{gen!r} cannot be counted: elements that differ in one key may share another"
            )
    if len(groups) == len(values):
        return Pool(element)
    longest = len(groups) if gen.max_size is None else min(gen.max_size, len(groups))
    if longest * len(groups) > MOST_ENTRIES:
        raise NotCountable(f"{gen!r} has too many values to be worth counting; lower max_size")
    return Groups(element, groups, longest)


def differ(gen: Gen[Any], space: Space) -> bool:
    """Whether all values of a generator are different from each other."""
    if space.count > SCAN_LIMIT or isinstance(gen, Int):
        return shows_difference(gen)
    try:
        return bool(len({space.at(i) for i in watched(range(space.count))}) == space.count)
    except TypeError:
        return False  # cannot be hashed: the code that needs it will report that


def shows_difference(gen: Gen[Any]) -> bool:
    """Whether a generator shows that its values differ."""
    return _shows(gen, set())


def _shows(gen: Gen[Any], above: set[int]) -> bool:
    """The same below some nodes. Recursive values differ if their parts do."""
    if id(gen) in above:
        return True
    above = {*above, id(gen)}
    return SHOWS[type(gen)](gen, above)


def _union_shows(gen: Union[Any], above: set[int]) -> bool:
    kinds = [KIND[type(option)](option) for option in gen.options]
    distinct = None not in kinds and len(set(kinds)) == len(kinds)
    return distinct and all(_shows(option, above) for option in gen.options)


#: Whether a generator shows that its values differ, below some nodes.
SHOWS: dict[type[Any], Callable[[Any, set[int]], bool]] = total(
    "values that differ",
    {
        **dict.fromkeys((Const, Int), lambda gen, above: True),
        Float: lambda gen, above: not _is_odd(gen),
        Union: _union_shows,
        Build: lambda gen, above: _tells_parts_apart(gen) and all(_shows(part, above) for part in gen.parts),
        Map: lambda gen, above: gen.inverse is not None and _is_one_to_one(gen) and _shows(gen.source, above),
        **dict.fromkeys((List, Filter, Defer), lambda gen, above: _shows(gen.children[0], above)),
        **dict.fromkeys((Bind, Composite, Live), lambda gen, above: False),
    },
)


def _is_odd(gen: Float) -> bool:
    """Whether there are floats that are equal to each other, or not equal to themselves."""
    return gen.nan or (gen.fits(0.0) and gen.fits(-0.0))


def _has_odd_floats(gen: Gen[Any]) -> bool:
    return any(isinstance(part, Float) and _is_odd(part) for part in (gen, *gen.children))


def _is_one_to_one(gen: Map[Any]) -> bool:
    """A function of few values may have an inverse that finds the first of several (``sampled_from([1,
    1])``)."""
    if isinstance(gen.f, Stream):
        return False  # an iterator may repeat earlier values
    if not (isinstance(gen.source, Int) and gen.source.lo is not None and gen.source.hi is not None):
        return True
    return gen.source.hi - gen.source.lo >= SCAN_LIMIT or differ(gen, space_of(gen))


def _tells_parts_apart(gen: Build[Any]) -> bool:
    """Whether values made of different parts are different."""
    made = gen.constructs
    if made is None:
        return False
    if issubclass(made, tuple):
        return bool(made.__eq__ is tuple.__eq__)
    record = record_of(made)
    if record is not None and record.kind is RecordKind.dataclass:
        return all(field.in_eq for field in record.fields)
    return bool(made.__eq__ is object.__eq__)


def _kind_of_const(gen: Const[Any]) -> Any:
    return "number" if isinstance(gen.value, int | float | complex) else type(gen.value)


def _kind_of_build(gen: Build[Any]) -> Any:
    made = gen.constructs
    return tuple if made is not None and issubclass(made, tuple) else made


def _kind_of_defer(gen: Defer[Any]) -> Any:
    return None if isinstance(gen.target, Defer) else KIND[type(gen.target)](gen.target)


#: A mark that values of different generators share if they can be equal; None if nothing is known.
KIND: dict[type[Any], Callable[[Any], Any]] = total(
    "kinds of values",
    {
        **dict.fromkeys((Int, Float), lambda gen: "number"),
        Const: _kind_of_const,
        Build: _kind_of_build,
        Defer: _kind_of_defer,
        **dict.fromkeys((Union, List, Map, Filter, Bind, Composite, Live), lambda gen: None),
    },
)
