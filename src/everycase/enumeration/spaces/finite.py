"""Finite and infinite **spaces**: what a generator becomes once it is counted.

A space is one node of an immutable expression graph: so many values, each with a number. The graph has no cycles
(a recursive generator is unrolled size by size), and it is read in several ways that are written once per class:

=========  ====================================================================================
``at``     the value with a number, fast and recursive
``split``  which parts, with which numbers, that value is made of (with ``value`` and ``record``
           the same decoding without recursion, to a value or to a trace: see ``decode``)
``rank``   the number that a trace has
bulk       all values in order, see :mod:`everycase.enumeration.bulk.values`
=========  ====================================================================================

The order of every class here is frozen: numbers end up in bug reports.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Generator, Iterable, Sequence
from functools import lru_cache
from itertools import accumulate
from itertools import count as counting
from operator import mul
from typing import Any

from everycase.choices.trace import Trace
from everycase.errors import NoSuchValue
from everycase.gen.base import Gen
from everycase.gen.kinds import Build, Const, List, Union

#: A product goes through its largest part in blocks of this many values. Frozen: numbers depend on it.
BLOCK = 1024
#: A filter, or what must be distinct, is gone through value by value up to this many.
SCAN_LIMIT = 2**16
#: So many outer values of a flatmap are gone through to count the inner ones, or to reach one.
OUTER_LIMIT = 2**18
#: A count of more bits than this is not worth working out.
COUNT_BITS = 2**22
#: The lists of all lengths together have at most so many places, each of which takes memory.
MOST_PLACES = 2**24
#: Constructors of up to so many parts have a call of their own.
MOST_WRITTEN_OUT = 20

Part = tuple["Space", int]
#: A rank in the making: asks for the number of a trace in another space, and is sent it.
Ranking = Generator[tuple["Space", Trace[Any]], int, int]
SizeOf = Callable[[Trace[Any]], int]


class Ended(IndexError):
    """There are no more values, as trying has shown: not an IndexError that a user's function raised."""


class Space:
    """So many values, each with a number from 0 on. ``count`` is ``math.inf`` where there is no end.

    ``at`` is a function, made for the space at hand when it is built (``decode`` does the same without recursion).
    """

    __slots__ = ("at", "count", "shared")

    at: Callable[[int], Any]
    count: Any
    #: whether one value may be a part of many; see :mod:`everycase.enumeration.bulk.sharing`, which fills it in
    shared: bool

    def split(self, i: int) -> Sequence[Part]:
        """The parts that value ``i`` is made of."""
        return ()

    def value(self, i: int, parts: list[Any]) -> Any:
        """Value ``i`` from the values of its parts."""
        raise NotImplementedError

    def record(self, i: int, parts: list[Trace[Any]]) -> Trace[Any]:
        """The trace of value ``i`` from the traces of its parts."""
        raise NotImplementedError

    def rank(self, trace: Trace[Any], size: SizeOf) -> Ranking:
        """The number of the value that a whole trace makes; ``size`` knows the size of each of its nodes."""
        raise NotImplementedError

    def values(self) -> Iterable[Any]:
        """All values in order, one by one; :mod:`everycase.enumeration.bulk.values` is faster for most spaces."""
        return map(self.at, counting() if self.count == math.inf else range(self.count))


class One(Space):
    """The single value of a constant."""

    __slots__ = ("constant", "node")

    def __init__(self, node: Const[Any]) -> None:
        self.count = 1
        self.node = node
        self.constant = constant = node.value
        self.at = lambda i: constant

    def value(self, i: int, parts: list[Any]) -> Any:
        return self.constant

    def record(self, i: int, parts: list[Trace[Any]]) -> Trace[Any]:
        return Trace(None, (), self.node, self.constant)

    def rank(self, trace: Trace[Any], size: SizeOf) -> Ranking:
        return 0
        yield


class Leaves(Space):
    """A window of the values of an integer or a float, which are numbered by arithmetic alone."""

    __slots__ = ("node", "number", "position", "start")

    def __init__(
        self,
        node: Gen[Any],
        count: Any,
        number: Callable[[int], Any],
        position: Callable[[Any], int],
        start: int = 0,
    ) -> None:
        self.count = count
        self.node = node
        self.number = number
        self.position = position
        self.start = start
        self.at = (lambda i: number(start + i)) if start else number

    def value(self, i: int, parts: list[Any]) -> Any:
        return self.number(self.start + i)

    def record(self, i: int, parts: list[Trace[Any]]) -> Trace[Any]:
        value = self.number(self.start + i)
        return Trace(value, (), self.node, value)

    def rank(self, trace: Trace[Any], size: SizeOf) -> Ranking:
        return self.position(trace.choice) - self.start
        yield


class Sum(Space):
    """One after the other. ``options`` are the numbers that the parts have in a union; without a ``node`` (the
    parts are sizes or lengths of one generator) the choice leaves nothing in the trace."""

    __slots__ = ("ends", "node", "options", "parts", "starts", "which")

    def __init__(
        self,
        parts: Sequence[Space],
        node: Union[Any] | None = None,
        which: Callable[[Trace[Any], SizeOf], Any] | None = None,
        keys: Sequence[Any] | None = None,
    ) -> None:
        kept = [(k, part) for k, part in enumerate(parts) if part.count]
        self.parts = [part for _, part in kept]
        self.options = [keys[k] if keys is not None else k for k, _ in kept]
        self.ends = list(accumulate(part.count for part in self.parts))
        self.starts = [0, *self.ends[:-1]]
        self.count = self.ends[-1] if self.ends else 0
        self.node = node
        self.which = which
        self.at = in_turn(self.parts, self.ends, self.starts)

    def split(self, i: int) -> Sequence[Part]:
        k = bisect_right(self.ends, i)
        return ((self.parts[k], i - self.starts[k]),)

    def value(self, i: int, parts: list[Any]) -> Any:
        return parts[0]

    def record(self, i: int, parts: list[Trace[Any]]) -> Trace[Any]:
        if self.node is None:
            return parts[0]
        return Trace(self.options[bisect_right(self.ends, i)], (parts[0],), self.node, parts[0].value)

    def rank(self, trace: Trace[Any], size: SizeOf) -> Ranking:
        key = trace.choice if self.which is None else self.which(trace, size)
        try:
            k = self.options.index(key)
        except ValueError:
            raise NoSuchValue("the value belongs to no part that has values") from None
        below = trace if self.node is None else trace.children[0]
        assert below is not None
        inside = yield self.parts[k], below
        return int(self.starts[k]) + inside


class Product(Space):
    """Every combination of the parts, put together by a constructor (``node`` is a Build or a List).

    The largest part is the most significant, in blocks of 1024; inside a block the order is the natural one, the
    last part changing fastest. So the big part of a big product streams by once, and only the small ones are kept.
    """

    __slots__ = ("block", "largest", "node", "parts", "radices")

    def __init__(self, node: Build[Any] | List[Any], parts: Sequence[Space]) -> None:
        self.node = node
        self.parts = list(parts)
        self.radices = [part.count for part in parts]
        self.count = math.prod(self.radices)
        self.largest = max(range(len(parts)), key=self.radices.__getitem__, default=0)
        # How many values one whole block holds; 0 when the largest part needs no blocks.
        self.block = 0
        if parts and self.count and self.radices[self.largest] > BLOCK:
            self.block = self.count // self.radices[self.largest] * BLOCK
        self.at = combine(self)

    @property
    def is_pair(self) -> bool:
        """Whether the values are plain tuples of two."""
        return isinstance(self.node, Build) and self.node.constructs is tuple and len(self.parts) == 2

    def digits(self, i: int) -> list[int]:
        """The number of each part's value."""
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


# A value calls one of the functions below for each of its nodes. What they need comes as defaults and not from the
# function around them: that is a quarter quicker, since every variable of a closure is an object of its own, somewhere
# in memory.


def in_turn(parts: Sequence[Space], ends: list[int], starts: list[int]) -> Callable[[int], Any]:
    """``at`` of spaces one after the other."""
    ats = [part.at for part in parts]
    if len(ats) == 1:
        return ats[0]

    def at(i: int, ends: Any = ends, starts: Any = starts, ats: Any = ats) -> Any:
        k = bisect_right(ends, i)
        return ats[k](i - starts[k])

    return at


def combine(space: Product) -> Callable[[int], Any]:
    """``at`` of a product: a call that is written out, where that is possible; the rest goes by ``digits``."""
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
    """A function that takes a constructor, its parts (constants and functions of a number), how many combinations the
    parts after each one have and how many values it has itself, and makes ``at`` of it.

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
    return lambda i: value(i, [at(digit) for at, digit in zip(ats, digits(i))])


EMPTY: Space = Sum(())
