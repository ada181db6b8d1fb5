"""All values of a space in order, fast: the loops run inside :mod:`itertools`, not here.

Parts are made once and used in many values if that is harmless: the parts of frozen dataclasses, tuples,
enums, numbers and text, and of classes built with ``share=True``. The test could change everything else, so
it is made new for every value, from a *recipe*: a function without arguments.

Memory is bounded. A product iterates over its largest part in blocks; only parts of up to 2**16 values are
kept as lists, and all lists of one iteration together hold at most 2**19 values; the oldest are dropped. The
lists of the last few small spaces are kept for the next time, because loops are nested and runs come in
pieces.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from itertools import chain, combinations, count, islice, permutations, product, repeat, starmap
from threading import Lock
from typing import Any

from everycase.enumeration.bulk.guard import by_number, guarded, stopped
from everycase.enumeration.bulk.infinite import widening
from everycase.enumeration.bulk.products import Combinations, as_list, maker
from everycase.enumeration.bulk.rows import Tail, Tails, rows, small_tail
from everycase.enumeration.bulk.sharing import LIST_LIMIT, is_shared, parts_of, passing_parts
from everycase.enumeration.combinatorics import CombinatorialFamily
from everycase.enumeration.spaces.decoded import SpaceByNumber
from everycase.enumeration.spaces.dependent import Chosen, Dependent, Mapped
from everycase.enumeration.spaces.distinct import Distinct, Groups, Items
from everycase.enumeration.spaces.endless import Interleaved, Paired, Unfolding
from everycase.enumeration.spaces.finite import Ended, Leaves, One, Product, Space, Sum
from everycase.enumeration.spaces.leaves import leaf_values
from everycase.enumeration.spaces.sized import Rows, Splits, Tiered
from everycase.enumeration.spaces.sized_lists import ListTier
from everycase.gen.kinds import Build, List

#: Maximum number of values in all lists of one iteration.
LISTS_LIMIT = 2**19

#: The lists of spaces of up to this many values are kept, up to a total, for the last few walks.
KEPT_LIMIT = 2**16
MOST_KEPT = 4
#: A space of up to this many values becomes a list from its second walk on, if its values may be shared.
WHOLE_LIMIT = 2**12
#: How many values are made by index before bulk begins in the middle of a sequence.
FEW = 256

_IMMUTABLE = frozenset([bool, int, float, complex, str, bytes, type(None), type(...)])

#: Functions that read a list once and do not keep it: a tuple works as well.
_READERS: frozenset[Any] = frozenset(["".join, bytes, tuple, frozenset])

Recipe = Callable[[], Any]


def values(space: Space, start: int = 0) -> Iterator[Any]:
    """All values in order, from an index on."""
    return chain.from_iterable(_begun(space, start)) if start else _values(space, 0)


def _begun(space: Space, start: int) -> Iterator[Iterable[Any]]:
    # A walk that begins in the middle often needs few values, and then the lists are not worth making.
    few = min(start + FEW, space.count)
    yield by_number(space, start, few)
    yield _values(space, few)


def _values(space: Space, start: int) -> Iterator[Any]:
    match space:
        case SpaceByNumber():
            return _values(space.space, start)
        case _ if not start and (whole := _whole(space)) is not None:
            return iter(whole)
        case Tiered():
            size, start = space.place(start)
            tiers = (space.tier(space.node, later) for later in count(size))
            return chain.from_iterable(_each_guarded(_bulk_of(space), tiers, start))
        case Sum():
            k = bisect_right(space.ends, start)
            rest = space.parts[k:]
            start -= space.starts[k] if rest else start
            return chain.from_iterable(_each_guarded(_bulk_of(space), rest, start))
        case _:
            return iter(guarded(_bulk_of(space), space, start))


def _whole(space: Space) -> list[Any] | None:
    """All values of a small space that was walked before."""
    if space.count > WHOLE_LIMIT or (bulk := _kept(space)).is_new:
        return None
    try:
        return bulk.listed(space, False) if is_shared(space) and bulk.may_stay(space) else None
    except Exception:  # nested too deeply, or user code fails: the values before that come first
        return None


def _bulk_of(space: Space) -> Bulk:
    if space.count > KEPT_LIMIT:
        return Bulk(space)
    bulk = _kept(space)
    if not bulk.is_new:
        bulk.passing = set()  # streamed parts are worth keeping from now on
    bulk.is_new = False
    return bulk


@lru_cache(maxsize=MOST_KEPT)
def _kept(space: Space) -> Bulk:
    return Bulk(space, KEPT_LIMIT)


def _each_guarded(bulk: Bulk, spaces: Iterable[Space], start: int) -> Iterator[Iterable[Any]]:
    for space in spaces:
        yield guarded(bulk, space, start)
        start = 0


def _numbers(space: Space, start: int = 0) -> Iterable[int]:
    return count(start) if space.count == math.inf else range(start, space.count)


class Bulk:
    """One iteration, or several of a small space, with the lists it keeps."""

    def __init__(self, whole: Space, limit: int = LISTS_LIMIT) -> None:
        # The values of parts, and recipes for them.
        self._lists: dict[Space, list[Any]] = {}
        self._recipes: dict[Space, list[Any]] = {}
        self._held = 0
        self._limit = limit
        self._tails = Tails()
        self._lock = Lock()
        self.passing = passing_parts(whole)
        self.is_new = True

    # --- values ----------------------------------------------------------------------------------------

    def fresh(self, space: Space) -> Iterable[Any]:
        """All values in order; anything in them that a test could change occurs in no other value."""
        rule = RULES.get(type(space))
        if rule is not None:
            return rule(self, space)
        return space.values()

    def _one(self, space: One) -> Iterable[Any]:
        return (space.constant,)

    def _sum(self, space: Sum) -> Iterable[Any]:
        parts = space.parts
        return self.fresh(parts[0]) if len(parts) == 1 else chain.from_iterable(map(self.stream, parts))

    def _splits(self, space: Splits) -> Iterable[Any]:
        return chain.from_iterable(map(self.fresh, space.alternatives()))

    def _dependent(self, space: Dependent) -> Iterable[Any]:
        return chain.from_iterable(map(self.fresh, space.spaces()))

    def _mapped(self, space: Mapped, start: int = 0) -> Iterable[Any]:
        source = space.source
        # (By size, a number alone has a window of them.)
        if isinstance(space.f, CombinatorialFamily) and not start and space.count == space.f.count:
            return space.f.values()
        known = self._rows_of_lists(source, start) if _is_reader(space.f) else None
        return map(space.f, self.after(source, start) if known is None else known)

    def _chosen(self, space: Chosen) -> Iterable[Any]:
        return map(space.source.at, space.positions)

    def _renumbered(self, space: SpaceByNumber) -> Iterable[Any]:
        return self.fresh(space.space)

    def _tiered(self, space: Tiered) -> Iterable[Any]:
        return chain.from_iterable(self.fresh(space.tier(space.node, size)) for size in count())

    def _interleaved(self, space: Interleaved) -> Iterable[Any]:
        finite = chain.from_iterable(self.fresh(part) for _, part in space.finite)
        turns = zip(*[self.fresh(part) for _, part in space.endless])
        return chain(finite, chain.from_iterable(turns))

    def _unfolding(self, space: Unfolding) -> Iterable[Any]:
        return map(space.at, _while_any(space))

    def _distinct(self, space: Distinct) -> Iterable[Any]:
        pool, k = space.pool, space.length
        parts = [pool.keys, pool.values] if isinstance(pool, Items) else [pool.element]
        if isinstance(pool, Groups) or not all(p.count <= LIST_LIMIT and self.may_share(p) for p in parts):
            return map(space.at, range(space.count))
        selections: Iterable[Any] = combinations(self.listed(parts[0], False), k)
        if isinstance(pool, Items):
            values = self.listed(parts[1], False)
            # A pair of a key and a value for every combination of values.
            selections = chain.from_iterable(
                map(zip, repeat(keys), product(values, repeat=k)) for keys in selections
            )
            if space.orders > 1:
                selections = map(tuple, selections)
        if space.orders > 1:
            selections = chain.from_iterable(map(permutations, selections))
        return map(list, selections)

    # --- products --------------------------------------------------------------------------------------

    def _product(self, space: Product) -> Iterable[Any]:
        node = space.node
        if not space.block and is_shared(space) and not node.names:  # type: ignore[union-attr]
            # Most products of a structure are like this: small, and all of it may be shared.
            known = self._lists.get
            combinations_of = product(*[known(part) or self.listed(part, False) for part in space.parts])
            return combinations_of if node.constructs is tuple else starmap(node.make, combinations_of)  # type: ignore[union-attr]
        return self._combinations(space)

    def _combinations(self, space: Product, start: int = 0) -> Iterable[Any]:
        combinations_of = Combinations(self, space).values(start)
        return map(list, combinations_of) if isinstance(space.node, List) else combinations_of

    # --- rows of sized parts -----------------------------------------------------------------------------

    def _rows(self, space: Rows | ListTier, start: int = 0) -> Iterable[Any]:
        node = space.node
        if not self._shares_parts(space):
            return map(_anew(node), rows(self, self._tails.of(space), True, start))
        found = rows(self, self._tails.of(space), False, start)
        if isinstance(node, Build):
            return found if node.constructs is tuple else starmap(maker(node), found)
        return map(list, found)

    def _shares_parts(self, space: Space) -> bool:
        return all(map(self.may_share, parts_of(space)))

    def _tail(self, tail: Tail) -> Iterable[Any]:
        return small_tail(self, tail, False)

    def _rows_of_lists(self, space: Space, start: int) -> Iterable[Any] | None:
        """The lists of a space as tuples; None if it has others."""
        match space:
            case ListTier() if self._shares_parts(space):
                return rows(self, self._tails.of(space), False, start)
            case Product() if isinstance(space.node, List):
                return Combinations(self, space).values(start)
            case _:
                return None

    def may_share(self, part: Space) -> bool:
        """Whether a part may occur in many values. The results of user code are checked when they are
        made."""
        if is_shared(part):
            return True
        if isinstance(part, Mapped) and 0 < part.count <= LIST_LIMIT and type(part.at(0)) in _IMMUTABLE:
            return all(type(value) in _IMMUTABLE for value in self.listed(part, False))
        return False

    def items(self, space: Space, unshared: bool, start: int = 0) -> Iterable[Any]:
        """The values of a part, or recipes for them, from an index on."""
        if space.count <= LIST_LIMIT and space not in self.passing:
            known = self.listed(space, unshared)
            return known[start:] if start else known
        if not unshared:
            return self.after(space, start)
        return map(partial, repeat(space.at), _numbers(space, start)) if start else self.recipes(space)

    def stream(self, space: Space) -> Iterable[Any]:
        """The values of a space, from a list if there is one already."""
        known = self._lists.get(space)
        return known if known is not None and is_shared(space) else self.fresh(space)

    def may_stay(self, space: Space) -> bool:
        """Whether the values of a space are small enough to keep all of them, judging by the last one."""
        return space in self._lists or space.count * _weight([space.at(space.count - 1)]) <= self._limit

    def listed(self, space: Space, unshared: bool) -> list[Any]:
        """The values of a small part, or recipes for them, as a list that is kept for the next time."""
        lists = self._recipes if unshared else self._lists
        known = lists.get(space)
        if known is None:
            known = list(self.recipes(space) if unshared else self.fresh(space))
            if len(known) != space.count:
                raise stopped()
            with self._lock:
                if space in lists:  # another thread was faster
                    return lists[space]
                self._held += _weight(known)
                while self._held > self._limit and (oldest := self._lists or self._recipes):
                    self._held -= _weight(oldest.pop(next(iter(oldest))))
                lists[space] = known
        return known

    # --- from a number on --------------------------------------------------------------------------------

    def after(self, space: Space, start: int) -> Iterable[Any]:
        """The values from index ``start`` on, as cheap as all of them."""
        if not start:
            return self.fresh(space)
        if start >= space.count:
            return ()
        match space:
            case Sum():
                return self._in_turn(space.parts.__getitem__, space.ends, start)
            case Splits():
                return self._in_turn(space.product, space.ends(), start)
            case Dependent():
                return self._in_turn(lambda k: space.inner(k)[1], space.ends, start)
            case Product():
                return self._combinations(space, start)
            case Rows() | ListTier():
                return self._rows(space, start)
            case Paired():
                return widening(self, space, start)
            case Mapped():
                return self._mapped(space, start)
            case SpaceByNumber():
                return self.after(space.space, start)
            case Chosen():
                return map(space.source.at, islice(space.positions, start, None))
            case Leaves():
                left = space.count - start
                return leaf_values(
                    Leaves(space.node, left, space.number, space.position, space.start + start)
                )
            case Tiered():
                size, start = space.place(start)
                tiers = (space.tier(space.node, later) for later in count(size + 1))
                first = self.after(space.tier(space.node, size), start)
                return chain(first, chain.from_iterable(map(self.fresh, tiers)))
            case Unfolding():
                return map(space.at, _while_any(space, start))
            case _:
                return map(space.at, _numbers(space, start))

    def _in_turn(self, part: Callable[[int], Space], ends: list[int], start: int) -> Iterable[Any]:
        """The values of parts one after the other, which end at these numbers."""
        k = bisect_right(ends, start)
        first = self.after(part(k), start - (ends[k - 1] if k else 0))
        # Parts without values end where the one before does.
        rest = (part(j) for j in range(k + 1, len(ends)) if ends[j] > ends[j - 1])
        return chain(first, chain.from_iterable(map(self.stream, rest)))

    # --- recipes ---------------------------------------------------------------------------------------

    def recipes(self, space: Space) -> Iterable[Any]:
        """For each value a function that makes a new one (for each row of a tail a tuple of them)."""
        match space:
            case Product():
                return Combinations(self, space, recipes=True).values()
            case Rows() | ListTier():
                node, tail = space.node, self._tails.of(space)
                if not self._shares_parts(space):
                    return map(partial, repeat(_anew(node)), rows(self, tail, True))
                make = maker(node) if isinstance(node, Build) else as_list
                return starmap(partial, map((make,).__add__, rows(self, tail, False)))
            case Tail():
                return small_tail(self, space, True)
            case Sum():
                return chain.from_iterable(map(self.recipes, space.parts))
            case Splits():
                return chain.from_iterable(map(self.recipes, space.alternatives()))
            case Dependent():
                return chain.from_iterable(map(self.recipes, space.spaces()))
            case Mapped():
                return map(partial, repeat(_apply), repeat(space.f), self.recipes(space.source))
            case SpaceByNumber():
                return self.recipes(space.space)
            case _:
                return map(partial, repeat(space.at), _numbers(space))


def _weight(kept: list[Any]) -> int:
    """The weight of a list in values. A long row takes as much memory as several, and so does a long text."""
    first: Any = kept[0] if kept else None
    if type(first) is tuple:
        return len(kept) * (1 + len(first) // 8)
    return len(kept) * (1 + len(first) // 64) if type(first) in (str, bytes) else len(kept)


def _anew(node: Build[Any] | List[Any]) -> Callable[[Iterable[Recipe]], Any]:
    """A function that makes a value from the recipes of its parts."""
    if isinstance(node, List):
        return lambda row: [recipe() for recipe in row]
    make = maker(node)
    return lambda row: make(*[recipe() for recipe in row])


def _is_reader(f: Callable[[Any], Any]) -> bool:
    try:
        return f in _READERS
    except TypeError:  # a callable object that cannot be hashed
        return False


def _apply(f: Callable[[Any], Any], recipe: Recipe) -> Any:
    return f(recipe())


def _while_any(space: Unfolding, start: int = 0) -> Iterator[int]:
    """The indices of a space that may turn out to end."""
    for i in count(start):
        try:
            space.find(i)
        except Ended:
            return
        yield i


#: How to iterate over the values of each kind of space; other spaces go by index.
RULES: dict[type[Space], Callable[[Bulk, Any], Iterable[Any]]] = {
    One: Bulk._one,
    Leaves: lambda bulk, space: leaf_values(space),
    Sum: Bulk._sum,
    Splits: Bulk._splits,
    Dependent: Bulk._dependent,
    Product: Bulk._product,
    Rows: Bulk._rows,
    ListTier: Bulk._rows,
    Tail: Bulk._tail,
    Paired: widening,
    Mapped: Bulk._mapped,
    Chosen: Bulk._chosen,
    Distinct: Bulk._distinct,
    SpaceByNumber: Bulk._renumbered,
    Tiered: Bulk._tiered,
    Interleaved: Bulk._interleaved,
    Unfolding: Bulk._unfolding,
}
