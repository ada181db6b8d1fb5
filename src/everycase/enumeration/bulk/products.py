"""Every combination of the parts of a product in bulk, from any index on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from itertools import chain, islice, product, repeat, starmap
from typing import TYPE_CHECKING, Any

from everycase.enumeration.bulk.sharing import LIST_LIMIT
from everycase.enumeration.spaces.finite import BLOCK, Product
from everycase.gen.kinds import Build

if TYPE_CHECKING:
    from everycase.enumeration.bulk.values import Bulk


class Combinations:
    """The values of one product in one iteration, or (with ``recipes``) functions that make new ones.

    The rows of a list come as tuples: some users that ask for lists only look at them.
    """

    def __init__(self, bulk: Bulk, space: Product, *, recipes: bool = False) -> None:
        self.bulk = bulk
        self.space = space
        node = space.node
        #: which parts must be made new each time, from recipes
        self.mask = tuple([not bulk.may_share(part) for part in space.parts])
        make = maker(node) if isinstance(node, Build) else as_list if recipes else _as_row
        is_row = make is _as_row or (isinstance(node, Build) and node.constructs is tuple)
        if any(self.mask):
            make, is_row = partial(_assemble(self.mask), make), False
        #: makes a value of its parts; None if the combination is the value
        self.make: Callable[..., Any] | None = partial(partial, make) if recipes else None if is_row else make

    def values(self, start: int = 0) -> Iterable[Any]:
        """From an index on."""
        bulk, parts, largest, mask = self.bulk, self.space.parts, self.space.largest, self.mask
        digits = self.space.digits(start) if start else None
        moving = [k for k, part in enumerate(parts) if part.count > 1]
        if len(moving) <= 1:
            # A single part needs no blocks: it is streamed.
            return self._combine(
                [
                    bulk.items(part, mask[k], digits[k] if digits else 0)
                    if k in moving
                    else list(bulk.items(part, mask[k]))
                    for k, part in enumerate(parts)
                ]
            )
        if any(part.count > LIST_LIMIT for k, part in enumerate(parts) if k != largest):
            return chain.from_iterable(self._large(digits))
        lists = [
            [] if k == largest and self.space.block else bulk.listed(part, mask[k])
            for k, part in enumerate(parts)
        ]
        if self.space.block:
            return chain.from_iterable(self._blocks(lists, digits))
        return self._combine(lists) if digits is None else self._from(lists, digits)

    def _from(self, lists: list[list[Any]], digits: list[int]) -> Iterator[Any]:
        return chain.from_iterable(map(self._combine, tails(lists, digits)))

    def _blocks(self, lists: list[Any], digits: list[int] | None) -> Iterator[Iterable[Any]]:
        """The largest part is streamed in blocks; the others are lists."""
        largest = self.space.largest
        for block, inside in self._stream(digits):
            columns = [*lists[:largest], block, *lists[largest + 1 :]]
            yield self._combine(columns) if inside is None else self._from(columns, inside)

    def _stream(self, digits: list[int] | None) -> Iterator[tuple[list[Any], list[int] | None]]:
        """The blocks of the largest part; the first one with the digits to begin at."""
        largest = self.space.largest
        start = 0
        if digits is not None:
            inside = digits[largest] % BLOCK
            start = digits[largest] - inside
            digits = [*digits[:largest], inside, *digits[largest + 1 :]]
        stream = iter(self.bulk.items(self.space.parts[largest], self.mask[largest], start))
        while block := list(islice(stream, BLOCK)):
            yield block, digits
            digits = None

    def _large(self, digits: list[int] | None) -> Iterator[Iterable[Any]]:
        """Parts other than the largest are also too large for a list: they are streamed in every block."""
        bulk, parts, largest, mask = self.bulk, self.space.parts, self.space.largest, self.mask
        last_large = max(k for k, part in enumerate(parts) if k != largest and part.count > LIST_LIMIT)

        def columns(
            k: int, chosen: list[Any], block: list[Any], digits: list[int] | None
        ) -> Iterator[Iterable[Any]]:
            start = 0 if digits is None else digits[k]
            items: Iterable[Any] = block[start:] if k == largest else bulk.items(parts[k], mask[k], start)
            if k < last_large:
                for item in items:
                    yield from columns(k + 1, [*chosen, [item]], block, digits)
                    digits = None
                return
            rest = [
                block if j == largest else bulk.listed(parts[j], mask[j]) for j in range(k + 1, len(parts))
            ]
            pieces = iter(items)
            if digits is not None:
                begun = [*chosen, list(islice(pieces, 1))]
                for tail in tails(rest, digits[k + 1 :]):
                    yield self._combine([*begun, *tail])
            while piece := list(islice(pieces, BLOCK)):
                yield self._combine([*chosen, piece, *rest])

        for block, inside in self._stream(digits):
            yield from columns(0, [], block, inside)

    def _combine(self, parts: list[Any]) -> Iterable[Any]:
        """Every combination of these values of the parts, in natural order."""
        single = [isinstance(part, list) and len(part) == 1 for part in parts]
        combinations: Iterable[Any]
        if parts and sum(single) == len(parts) - 1:
            combinations = zip(*[repeat(part[0]) if one else part for part, one in zip(parts, single)])
        else:
            combinations = product(*parts)
        return combinations if self.make is None else starmap(self.make, combinations)


def tails(lists: list[list[Any]], digits: list[int]) -> Iterator[list[list[Any]]]:
    """Lists whose combinations, one after the other, are those from the combination with these digits on.

    >>> [["".join(c) for c in product(*lists)] for lists in tails(["abc", "xyz"], [1, 1])]
    [['by'], ['bz'], ['cx', 'cy', 'cz']]
    """
    fixed = [values[digit : digit + 1] for values, digit in zip(lists, digits)]
    yield fixed
    for k in range(len(lists) - 1, -1, -1):
        if rest := lists[k][digits[k] + 1 :]:
            yield [*fixed[:k], rest, *lists[k + 1 :]]


def maker(node: Build[Any]) -> Callable[..., Any]:
    """A function that makes a value of its parts."""
    if not node.names:
        return node.make
    build = node.construct
    return lambda *parts: build(list(parts))


def as_list(*parts: Any) -> list[Any]:
    return list(parts)


def _as_row(*parts: Any) -> tuple[Any, ...]:
    return parts


@lru_cache(maxsize=256)
def _assemble(mask: tuple[bool, ...]) -> Callable[..., Any]:
    """A function of ``make`` and its parts, some of which (by ``mask``) are recipes."""
    # A call that is spelled out is three times as fast as one with a list of parts.
    names = [f"p{i}" for i in range(len(mask))]
    calls = [f"{name}()" if unshared else name for name, unshared in zip(names, mask)]
    function: Callable[..., Any] = eval(f"lambda make, {', '.join(names)}: make({', '.join(calls)})")
    return function
