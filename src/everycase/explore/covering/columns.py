"""The columns of the covering array of a generator: one column per choice that can be forced.

Bounded numbers and generators of few values become columns of all their values (the array splits large ones
into digits). Tuples, classes and lists of a fixed size have the columns of their parts. Generators with too
many values are reduced to a few classes: numbers to their boundaries and magnitudes, collections to their
sizes, types to their outermost constructors. The rest of a class is drawn at random each time. So are values
that depend on other choices (of a large flatmap, a composite or the test itself): they form one class,
"anything".
"""

from __future__ import annotations

import random as stdlib_random
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any, NamedTuple

from everycase.choices.time_limit import look
from everycase.choices.trace import Trace
from everycase.enumeration.counting import space_of
from everycase.enumeration.decode import record_at
from everycase.errors import NotCountable
from everycase.explore.numbered import Counting
from everycase.gen.base import Gen
from everycase.gen.graph import resolved
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

Path = tuple[int, ...]
Force = Callable[[int, stdlib_random.Random], Trace[Any]]

FEW_VALUES = 1000
"""Generators other than numbers are combined value by value up to this many values."""

MOST_SIZES = 4
"""Sizes that a collection is covered with: the smallest ones, then one class for all larger ones."""

MOST_ELEMENTS = 8
"""Collections of one fixed size, up to this one, have a column for every element instead."""

MAGNITUDES = (2, 10, 100, 2**15, 2**31, 2**63)
"""The magnitudes at which the classes of unbounded integers end."""


class Above(NamedTuple):
    """What a node must know to have columns: the deferred generators that it is inside of, and what counts values."""

    deferred: tuple[Gen[Any], ...]
    counting: Counting


@dataclass(frozen=True)
class Column:
    """A choice at a place in the trace, the number of its levels, and the partial trace that forces one of them.

    ``exact``: a level is one value, not a class of values. A column of a single class is not worth combining;
    it marks choices that are left to the dice.
    """

    path: tuple[int, ...]
    levels: int
    force: Force
    exact: bool = True

    def kept(self, forced: Trace[Any], made: Trace[Any]) -> bool:
        """Whether a finished trace still has the choices that were forced (a filter may have redrawn them)."""
        node = made.at(self.path)
        return node is not None and agrees(forced, node)


def columns_of(gen: Gen[Any], path: Path = (), above: Above | None = None) -> Iterator[Column]:
    """The columns of a generator, in the order of its trace."""
    above = above or Above((), Counting())
    look()  # there may be hundreds of thousands
    yield from COLUMNS[type(gen)](gen, path, above)


def _columns_of_defer(gen: Defer[Any], path: Path, above: Above) -> Iterable[Column]:
    if gen in above.deferred:
        return [_anything(path)]
    return columns_of(gen.target, path, Above((*above.deferred, gen), above.counting))


def _columns_of_parts(gen: Build[Any], path: Path, above: Above) -> Iterable[Column]:
    return chain.from_iterable(columns_of(part, (*path, i), above) for i, part in enumerate(gen.parts))


def _columns_of_source(gen: Map[Any] | Filter[Any], path: Path, above: Above) -> Iterable[Column]:
    return columns_of(gen.source, (*path, 0), above)


def _columns_of_list(gen: List[Any], path: Path, above: Above) -> Iterable[Column]:
    if not _has_one_size(gen):
        return _all_values(gen, path, above) or [_sizes(gen, path)]
    return chain.from_iterable(columns_of(gen.element, (*path, i), above) for i in range(gen.min_size))


def _columns_of_union(gen: Union[Any], path: Path, above: Above) -> Iterable[Column]:
    options = len(gen.options)
    return _all_values(gen, path, above) or [
        Column(path, options, lambda level, _: Trace(level), exact=False)
    ]


def _columns_of_filter(gen: Filter[Any], path: Path, above: Above) -> Iterable[Column]:
    return _all_values(gen, path, above) or _columns_of_source(gen, path, above)


def _columns_of_bind(gen: Bind[Any], path: Path, above: Above) -> Iterable[Column]:
    return _all_values(gen, path, above) or [
        *columns_of(gen.source, (*path, 0), above),
        _anything((*path, 1)),
    ]


def _columns_of_draws(gen: Gen[Any], path: Path, above: Above) -> Iterable[Column]:
    return _all_values(gen, path, above) or [_anything(path)]


def place_of(gen: Gen[Any], path: tuple[int, ...]) -> str:
    """The position inside a value as it is written after the value's name: ``.x``, ``[2].name``, or nothing
    for all of it."""
    text = ""
    for step in path:
        gen = resolved(gen)
        if isinstance(gen, Build):
            text += f".{gen.fields[step]}" if gen.fields else f"[{step}]"
            gen = gen.parts[step]
        elif isinstance(gen, List):
            text += f"[{step}]"
            gen = gen.element
        elif isinstance(gen, Map | Filter | Bind):
            gen = gen.source
    return text


def _all_values(gen: Gen[Any], path: tuple[int, ...], above: Above) -> list[Column]:
    """A column of all values, by number, if there are few. If user code is so slow that it takes long to find out, there
    are not."""
    space = None
    with above.counting.ending_soon(), suppress(NotCountable):
        space = space_of(gen, effort=5 * FEW_VALUES)  # counting takes no more work than testing would
    if space is None or not 0 < space.count <= FEW_VALUES:
        return []
    return [Column(path, int(space.count), lambda level, _: record_at(space, level))]


def _anything(path: tuple[int, ...]) -> Column:
    return Column(path, 1, lambda _level, _dice: Trace(), exact=False)


def assemble(parts: Sequence[tuple[tuple[int, ...], Trace[Any]]]) -> Trace[Any] | None:
    """One partial trace with the given traces at their paths and holes everywhere else."""
    if not parts:
        return None
    if len(parts) == 1 and not parts[0][0]:
        return parts[0][1]
    below: dict[int, list[tuple[tuple[int, ...], Trace[Any]]]] = {}
    for path, trace in parts:
        below.setdefault(path[0], []).append((path[1:], trace))
    return Trace(None, [assemble(below.get(i, [])) for i in range(max(below) + 1)])


def _integers(gen: Int, path: tuple[int, ...]) -> Column:
    if gen.lo is not None and gen.hi is not None:
        low = gen.lo
        return Column(path, gen.hi - low + 1, lambda level, _: Trace(low + level))
    classes = _integer_classes(gen.lo, gen.hi)
    return Column(path, len(classes), lambda level, dice: Trace(dice.randint(*classes[level])), exact=False)


def _integer_classes(lo: int | None, hi: int | None) -> list[tuple[int, int]]:
    """Each bound and its neighbor, zero, one, minus one, and ranges of growing magnitude on both sides.

    >>> _integer_classes(0, None)[:4]
    [(0, 0), (1, 1), (2, 9), (10, 99)]
    """
    start = lo if lo is not None else hi if hi is not None else 0
    directions = [1] if lo is not None else [-1] if hi is not None else [1, -1]
    classes = [(start, start)]
    for sign in directions:
        classes.append((start + sign, start + sign))
        for near, far in pairwise(MAGNITUDES):
            ends = (start + sign * near, start + sign * (far - 1))
            classes.append((min(ends), max(ends)))
    return classes


def _floats(gen: Float, path: tuple[int, ...]) -> Column:
    candidates = dict.fromkeys(
        map(repr, (0.0, -0.0, 1.0, -1.0, 0.5, 1e-300, 1e9, -1e9, gen.lo, gen.hi, *gen.infinities))
    )
    values = [value for text in candidates for value in [float(text)] if gen.fits(value)]
    if gen.nan:
        values.append(float("nan"))
    # The last class is "any number": a hole.
    return Column(
        path,
        len(values) + 1,
        lambda level, _: Trace(values[level] if level < len(values) else None),
        exact=False,
    )


def _has_one_size(gen: List[Any]) -> bool:
    return gen.min_size == gen.max_size and gen.min_size <= MOST_ELEMENTS and gen.unique_by is None


def _sizes(gen: List[Any], path: tuple[int, ...]) -> Column:
    smallest, largest = gen.min_size, gen.max_size
    count = MOST_SIZES if largest is None else min(MOST_SIZES, largest - smallest + 1)

    def force(level: int, dice: stdlib_random.Random) -> Trace[Any]:
        size = smallest + level
        if level == MOST_SIZES - 1:  # the class of all larger sizes
            size = dice.randint(size, size + 12 if largest is None else max(size, min(largest, size + 12)))
        return Trace(None, [None] * size)

    return Column(path, count, force, exact=False)


def agrees(forced: Trace[Any], made: Trace[Any]) -> bool:
    """Whether everything that was forced is there; equal choices may still be of different types, such as 1
    and 1.0."""
    if forced.choice is not None:
        same = forced.choice == made.choice or (forced.choice != forced.choice and made.choice != made.choice)
        if not same or type(forced.choice) is not type(made.choice):
            return False
    if not forced.children:
        return True
    return len(forced.children) == len(made.children) and all(
        wanted is None or (found is not None and agrees(wanted, found))
        for wanted, found in zip(forced.children, made.children)
    )


#: The columns of each kind. A generator of few values is one column of all of them.
COLUMNS: dict[type[Any], Callable[[Any, Path, Above], Iterable[Column]]] = total(
    "columns",
    {
        Const: lambda gen, path, above: (),
        Int: lambda gen, path, above: [_integers(gen, path)],
        Float: lambda gen, path, above: [_floats(gen, path)],
        Union: _columns_of_union,
        Build: _columns_of_parts,
        List: _columns_of_list,
        Map: _columns_of_source,
        Filter: _columns_of_filter,
        Bind: _columns_of_bind,
        Defer: _columns_of_defer,
        **dict.fromkeys((Composite, Live), _columns_of_draws),
    },
)
