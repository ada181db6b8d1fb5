"""Every combination of some parts: one by one, and in bulk from any index on."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import accumulate, chain, islice, product, repeat, starmap
from operator import mul
from typing import Any

from everycase.choices.time_limit import watched
from everycase.choices.trace import Trace
from everycase.enumeration.spaces.base import BLOCK, LIST_LIMIT, Bulk, Part, Ranking, SizeOf, Space
from everycase.enumeration.spaces.finite import One
from everycase.gen.kinds import Build, List

#: Constructors of up to this many parts have a call of their own.
MOST_WRITTEN_OUT = 20


class Product(Space):
    """Every combination of the parts, put together by a constructor (``node`` is a Build or a List).

    The largest part is the most significant, in blocks of 1024; inside a block the order is the natural one,
    the last part changing fastest. So the big part of a big product is streamed once, and only the small ones
    are kept.
    """

    __slots__ = ("block", "largest", "node", "parts", "radices")

    def __init__(self, node: Build[Any] | List[Any], parts: Sequence[Space]) -> None:
        self.node = node
        self.parts = list(parts)
        self.radices = [part.count for part in parts]
        self.largest = largest = max(range(len(parts)), key=self.radices.__getitem__, default=0)
        # The counts may have millions of bits. Dividing them, or multiplying one part at a time, is quadratic.
        if parts and self.parts.count(parts[0]) == len(parts):
            others = self.radices[0] ** (len(parts) - 1)
        else:
            others = math.prod(self.radices[:largest] + self.radices[largest + 1 :])
        self.count = others * self.radices[largest] if parts else 1
        # How many values one whole block holds; 0 when the largest part needs no blocks.
        self.block = others * BLOCK if parts and self.count and self.radices[largest] > BLOCK else 0
        self.at = combine(self)

    @property
    def is_pair(self) -> bool:
        """Whether the values are plain tuples of two."""
        return isinstance(self.node, Build) and self.node.constructs is tuple and len(self.parts) == 2

    def digits(self, i: int) -> list[int]:
        """The index of each part's value."""
        radices = self.radices
        offset = 0
        if self.block:
            number, i = divmod(i, self.block)
            offset = number * BLOCK
            radices = radices.copy()
            radices[self.largest] = min(BLOCK, radices[self.largest] - offset)
        digits = [0] * len(radices)
        for k in range(len(radices) - 1, 0, -1):
            radix = radices[k]
            if radix > 1:
                i, digits[k] = divmod(i, radix)
        if digits:
            digits[0] = i
            if offset:
                digits[self.largest] += offset
        return digits

    def number(self, digits: list[int]) -> int:
        """The inverse of ``digits``."""
        radices, first = self.radices, 0
        if self.block:
            blocks, inside = divmod(digits[self.largest], BLOCK)
            first = blocks * self.block
            radices = radices.copy()
            radices[self.largest] = min(BLOCK, radices[self.largest] - blocks * BLOCK)
            digits = digits.copy()
            digits[self.largest] = inside
        number = 0
        for digit, radix in zip(digits, radices):
            number = number * radix + digit
        return first + number

    def split(self, i: int) -> Sequence[Part]:
        return list(zip(self.parts, self.digits(i)))

    def value(self, i: int, parts: list[Any]) -> Any:
        return self.node.construct(parts) if isinstance(self.node, Build) else parts

    def record(self, i: int, parts: list[Trace[Any]]) -> Trace[Any]:
        return Trace(None, parts, self.node, self.value(i, [part.value for part in parts]))

    def rank(self, trace: Trace[Any], size: SizeOf) -> Ranking:
        digits = []
        for part, child in zip(self.parts, trace.children):
            assert child is not None
            digits.append((yield part, child))
        return self.number(digits)

    def values(self, bulk: Bulk, start: int = 0) -> Iterable[Any]:
        node = self.node
        if not start and not self.block and self.is_shared and not node.names:  # type: ignore[union-attr]
            # Most products of a structure are like this: small, and all of it may be shared.
            combinations = product(*[bulk.known(part) for part in self.parts])
            return combinations if node.constructs is tuple else starmap(node.make, combinations)  # type: ignore[union-attr]
        found = Combinations(bulk, self).values(start)
        return map(list, found) if isinstance(node, List) else found

    def rows(self, bulk: Bulk, start: int) -> Iterable[tuple[Any, ...]] | None:
        return Combinations(bulk, self).values(start) if isinstance(self.node, List) else None

    def recipes(self, bulk: Bulk) -> Iterable[Any]:
        rows = self.rows(bulk, 0)
        if rows is not None and all(part.may_share(bulk) for part in self.parts):
            return map(partial, repeat(list), rows)
        return Combinations(bulk, self, recipes=True).values()

    def components(self) -> list[Space]:
        return self.parts

    def _is_shared(self) -> bool:
        return isinstance(self.node, Build) and self.node.share and all(part.is_shared for part in self.parts)


# Decoding an index calls one of the functions below for each of its nodes. Their variables are defaults and
# not a closure: that is a quarter faster, because every variable of a closure is a separate object in memory.


def combine(space: Product) -> Callable[[int], Any]:
    """``at`` of a product: a call that is spelled out, if possible; otherwise by ``digits``."""
    node, parts = space.node, space.parts
    if not isinstance(node, Build) or node.names or not 0 < len(parts) <= MOST_WRITTEN_OUT:
        return _combine_any(space)
    fixed = "".join(["c" if isinstance(part, One) else "v" for part in parts])
    given = [part.constant if isinstance(part, One) else part.at for part in parts]
    if space.block:
        return _combine_blocks(space, fixed, given) if fixed.count("v") == 2 else _combine_any(space)
    after = accumulate([part.count for part in reversed(parts)], mul, initial=1)
    steps = list(after)[-2::-1]
    return compiled_product(fixed, node.constructs is tuple)(node.make, *given, *steps, *space.radices)


@lru_cache(maxsize=512)
def compiled_product(fixed: str, is_tuple: bool) -> Callable[..., Callable[[int], Any]]:
    """A function that takes a constructor, its parts (constants and functions of an index), the number of
    combinations of the parts after each one and its own number of values, and makes ``at`` of it.

    >>> compiled_product("vcv", True)(tuple, "abc".__getitem__, "-", "xyz".__getitem__, 3, 3, 1, 3, 1, 3)(5)
    ('b', '-', 'z')
    """
    moving = [k for k, kind in enumerate(fixed) if kind == "v"]
    parts, used = [f"p{k}" for k in range(len(fixed))], []
    for k in moving:
        digit = "i"
        if k != moving[-1]:
            digit += f" // s{k}"
            used.append(f"s{k}")
        if k != moving[0]:
            digit += f" % r{k}"
            used.append(f"r{k}")
        parts[k] = f"p{k}({digit})"
    own = ["make"] * (not is_tuple) + [f"p{k}" for k in range(len(fixed))] + used
    defaults = ", ".join([f"{name}={name}" for name in own])
    made = f"({', '.join(parts)},)" if is_tuple else f"make({', '.join(parts)})"
    every = [f"{letter}{k}" for letter in "psr" for k in range(len(fixed))]
    function: Callable[..., Callable[[int], Any]] = eval(
        f"lambda make, {', '.join(every)}: lambda i, {defaults}: {made}"
    )
    return function


def _combine_blocks(space: Product, fixed: str, given: list[Any]) -> Callable[[int], Any]:
    """The same for products in blocks, of two parts beside constants."""
    at, later = [k for k, kind in enumerate(fixed) if kind == "v"]
    first, last, radix, block = given[at], given[later], space.radices[later], space.block
    make = space.node.make  # type: ignore[union-attr]
    before, between, behind = given[:at], given[at + 1 : later], given[later + 1 :]

    if space.largest == at:

        def first_in_blocks(
            i: int, first: Any = first, last: Any = last, radix: Any = radix, block: Any = block
        ) -> Any:
            number, i = divmod(i, block)
            return make(*before, first(number * BLOCK + i // radix), *between, last(i % radix), *behind)

        return first_in_blocks

    def last_in_blocks(
        i: int, first: Any = first, last: Any = last, radix: Any = radix, block: Any = block
    ) -> Any:
        number, i = divmod(i, block)
        offset = number * BLOCK
        width = radix - offset
        if width > BLOCK:
            width = BLOCK
        return make(*before, first(i // width), *between, last(offset + i % width), *behind)

    return last_in_blocks


def _combine_any(space: Product) -> Callable[[int], Any]:
    digits, value = space.digits, space.value
    ats = [part.at for part in space.parts]
    return lambda i: value(i, [at(digit) for at, digit in watched(zip(ats, digits(i)))])


class Combinations:
    """The values of one product in one iteration, or (with ``recipes``) functions that make new ones.

    The rows of a list come as tuples: some users that ask for lists only look at them.
    """

    def __init__(self, bulk: Bulk, space: Product, *, recipes: bool = False) -> None:
        self.bulk = bulk
        self.space = space
        node = space.node
        #: which parts must be made new each time, from recipes
        self.mask = tuple([not part.may_share(bulk) for part in watched(space.parts)])
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
