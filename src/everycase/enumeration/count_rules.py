"""The rule of each kind of node for the sequence of all its values (see :mod:`everycase.enumeration.counting`)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from everycase.choices.assumptions import making_values
from everycase.choices.time_limit import look, watched
from everycase.enumeration.bulk import values
from everycase.enumeration.counting import Steps, space_of, tier_of, uncounted_space_of
from everycase.enumeration.distinctness import pool_of
from everycase.enumeration.spaces.base import SizeOf, Space
from everycase.enumeration.spaces.decoded import SpaceByNumber, Streamed, ValueByNumber
from everycase.enumeration.spaces.dependent import Chosen, Dependent, Mapped
from everycase.enumeration.spaces.distinct import by_length
from everycase.enumeration.spaces.endless import Interleaved, Paired, Unfolding
from everycase.enumeration.spaces.finite import (
    COUNT_BITS,
    EMPTY,
    MOST_PLACES,
    OUTER_LIMIT,
    SCAN_LIMIT,
    One,
    Sum,
)
from everycase.enumeration.spaces.leaves import float_space, int_space
from everycase.enumeration.spaces.products import Product
from everycase.enumeration.spaces.sieve import Sieve
from everycase.enumeration.spaces.sized import Tiered
from everycase.errors import Discarded, NotCountable
from everycase.gen.base import Gen
from everycase.gen.dependent import ChainStep, Stream
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
from everycase.gen.predicate_errors import naming
from everycase.gen.reading import total


def _const(gen: Const[Any]) -> Steps:
    return One(gen)
    yield


def _int(gen: Int) -> Steps:
    return int_space(gen)
    yield


def _float(gen: Float) -> Steps:
    return float_space(gen)
    yield


def _union(gen: Union[Any]) -> Steps:
    parts = []
    for option in gen.options:
        parts.append((yield option, None))
    if any(part.count == math.inf for part in parts):
        return Interleaved(parts, gen)
    return Sum(parts, gen)


def _build(gen: Build[Any]) -> Steps:
    parts = []
    for part in gen.parts:
        space = part._space or (yield part, None)
        if not space.count:
            return EMPTY
        parts.append(space)
    if any(part.count == math.inf for part in parts):
        return Paired(gen, parts)
    if sum(_bits(1, part.count) for part in parts) > COUNT_BITS:
        raise NotCountable(f"{gen!r} has too many values to be worth counting; use fewer or smaller parts")
    return Product(gen, parts)


def _list(gen: List[Any]) -> Steps:
    if gen.unique_by is not None:
        return (yield from _unique_list(gen))
    element = (yield gen.element, None) if gen.max_size != 0 else EMPTY
    if not element.count:
        return Product(gen, ()) if gen.min_size == 0 else EMPTY
    if element.count == math.inf or gen.max_size is None:
        yield gen, 0
        return Tiered(gen, tier_of)
    lengths = range(gen.min_size, gen.max_size + 1)
    bits = _bits(gen.max_size, element.count)
    parts = (gen.min_size + gen.max_size) * len(lengths) // 2
    if bits > COUNT_BITS or bits * len(lengths) > 64 * COUNT_BITS or parts > MOST_PLACES:
        raise NotCountable(f"{gen!r} has too many or too long values to be worth counting; lower max_size")
    # Lists of a single value may be few and long, and are cheap to count.
    yield parts if element.count > 1 else parts // 64
    products = []
    for n in lengths:
        look()
        products.append(Product(gen, (element,) * n))
    return Sum(products, which=_length, keys=lengths)


def _bits(places: int, choices: float) -> float:
    """The number of bits to write down that many choices. It may be too large for a float."""
    return places * math.log2(choices) if places < 2**64 else math.inf


def _unique_list(gen: List[Any]) -> Steps:
    if gen.max_size == 0:
        return Product(gen, ())
    pool = yield from pool_of(gen)
    if pool is None:
        yield gen, 0
        return Tiered(gen, tier_of)
    longest = pool.places if gen.max_size is None else min(gen.max_size, pool.places)
    if not longest:
        return Product(gen, ()) if gen.min_size == 0 else EMPTY
    if longest < gen.min_size:
        return EMPTY
    bits = _bits(longest, pool.places * pool.width + 1)
    if gen.unordered:
        bits = min(bits, _bits(pool.places, pool.width + 1))
    if bits > COUNT_BITS or bits * (longest - gen.min_size + 1) > 64 * COUNT_BITS:
        raise NotCountable(f"{gen!r} has too many or too long values to be worth counting; lower max_size")
    yield longest
    lengths = range(gen.min_size, longest + 1)
    return Sum(list(by_length(gen, pool, longest)), which=_length, keys=lengths)


def _length(trace: Any, size: SizeOf) -> int:
    return len(trace.children)


def _map(gen: Map[Any]) -> Steps:
    if isinstance(gen.f, ValueByNumber):
        return SpaceByNumber(gen, gen.f.space)
    if isinstance(gen.f, Stream):
        return Streamed(gen, gen.f)
    return Mapped(gen, (yield gen.source, None))


def _filter(gen: Filter[Any]) -> Steps:
    source = yield gen.source, None
    return (yield from passing(gen, source))


def passing(gen: Filter[Any], source: Space) -> Steps:
    """The indices of the values that pass, found by trying all of them."""
    if source.count > SCAN_LIMIT:
        raise NotCountable(
            f"{gen!r} cannot be counted: it filters more than {SCAN_LIMIT:,} values, and the only way to "
            "know which pass is "
            "to try them. Build valid values instead, or iterate, which tries them one by one."
        )
    yield int(source.count)
    with making_values():
        every = values(source)
        return Chosen(gen, source, [i for i, value in enumerate(watched(every)) if _passes(gen, value)])


def _passes(gen: Filter[Any], value: Any) -> bool:
    try:
        return bool(gen.predicate(value))
    except Discarded:  # an assumption in the predicate
        return False
    except Exception as problem:
        raise naming(problem, gen.predicate, value)  # noqa: B904 (it is the same one)


def _bind(gen: Bind[Any]) -> Steps:
    return (yield from dependent(gen, space_of))


def dependent(gen: Bind[Any], spaces: Callable[[Gen[Any]], Space]) -> Steps:
    """The values of a flatmap; ``spaces`` makes those of an inner generator again when they are needed."""
    source = yield gen.source, None
    alternatives: list[tuple[int, Any, tuple[Gen[Any], Space] | None]] = []
    if source.count <= OUTER_LIMIT:
        yield int(source.count)
        for i in range(source.count):
            look()
            outer = source.at(i)
            # Most members of a family have been counted before, or are empty because of one empty part.
            if isinstance(gen.f, ChainStep):
                inner = None
                count = _ready_count(gen.f.parts(outer))
            else:
                inner = gen.inner(outer)
                count = _ready_count([inner])
            if count is None:
                inner = inner or gen.inner(outer)
                space = yield inner, None
                # If there are many, only the first are kept; the others are made again on demand.
                count = space.count
                alternatives.append((i, count, (inner, space) if i < SCAN_LIMIT else None))
            elif count:
                alternatives.append((i, count, None))
            if count == math.inf:
                break  # all of them take turns, and the others are counted in their turn
        else:
            return Dependent(gen, source, alternatives, lambda outer: _with_space(gen.inner(outer), spaces))
    elif source.count < math.inf and spaces is space_of:
        raise NotCountable(
            f"{gen!r} cannot be counted: its inner generator depends on one of more than {OUTER_LIMIT:,} outer values, "
            "and each has to be tried to know how many values it has. Its values have an order: take them by their "
            "index, or iterate."
        )
    return Unfolding(gen, source, lambda outer: _with_space(gen.inner(outer), spaces))


def _ready_count(parts: Sequence[Gen[Any]]) -> Any:
    """The number of combinations of parts, if it follows from what is already counted."""
    count: Any = 1
    for part in parts:
        if not isinstance(part, Gen):
            return None  # asking for the values will report what is wrong
        below = part._space
        if below is not None:
            ready = below.count
        else:
            ready = (
                _ready_count(part.parts)
                if isinstance(part, Build)
                else 1
                if isinstance(part, Const)
                else None
            )
        if ready == 0:
            return 0
        count = None if count is None or ready is None else count * ready
    return count


def _with_space(gen: Gen[Any], spaces: Callable[[Gen[Any]], Space]) -> tuple[Gen[Any], Space]:
    return gen, spaces(gen)


def _defer(gen: Defer[Any]) -> Steps:
    return (yield gen.target, None)


def not_countable(gen: Gen[Any]) -> Steps:
    what = {Composite: "a composite's choices are known only by running it", Live: "the test itself draws"}
    why = what.get(type(gen), "it does not count its values")
    raise NotCountable(
        f"{gen!r} cannot be counted: {why}. Use flatmap or gen.dependent to describe the values, or "
        "everycase.enumeration.walk to go through all choices."
    )
    yield


SEQUENCE: dict[type[Any], Callable[[Any], Steps]] = total(
    "all values in order",
    {
        Const: _const,
        Int: _int,
        Float: _float,
        Union: _union,
        Build: _build,
        List: _list,
        Map: _map,
        Filter: _filter,
        Bind: _bind,
        Defer: _defer,
        Composite: not_countable,
        Live: not_countable,
    },
)


# --- an order without a count ----------------------------------------------------------------------
#
# An order without a count: filters over more values than can be tried, wherever they occur, and generators
# with too many values to compute the count.
#
# Such a filter is treated as endless. So a union takes turns with it, and a product or a list iterates over it
# fairly, beside its other parts. If it does end, or seems to, that is an error that says so, because it could
# not be known before.


def _uncounted_filter(gen: Filter[Any]) -> Steps:
    source = yield gen.source, None
    if source.count <= SCAN_LIMIT:
        return (yield from passing(gen, source))
    return Sieve(gen, source)


def _uncounted_bind(gen: Bind[Any]) -> Steps:
    return (yield from dependent(gen, uncounted_space_of))


def _uncounted_list(gen: List[Any]) -> Steps:
    try:
        return (yield from SEQUENCE[List](gen))
    except NotCountable:
        # There are so many lists that their number has millions of digits. They go by size, like endless
        # ones.
        yield gen, 0
        return Tiered(gen, tier_of)


UNCOUNTED: dict[type[Any], Callable[[Any], Steps]] = total(
    "values in order without a count",
    {**SEQUENCE, Filter: _uncounted_filter, Bind: _uncounted_bind, List: _uncounted_list},
)
