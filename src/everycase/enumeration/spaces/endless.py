"""Infinite spaces other than sizes: fair unions, fair products, and dependence on infinitely many values.

Fair means that no part has to wait for another one to end: unions take turns, products widen in all
directions at the same pace.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice, product, repeat, starmap
from itertools import count as counting
from operator import itemgetter
from threading import RLock
from typing import Any

from everycase.choices.time_limit import watched
from everycase.choices.trace import Trace
from everycase.enumeration.spaces.base import LIST_LIMIT, Bulk, Ended, Part, Ranking, SizeOf, Space
from everycase.enumeration.spaces.finite import OUTER_LIMIT
from everycase.enumeration.spaces.products import maker, tails
from everycase.errors import GeneratorError, NoSuchValue
from everycase.gen.base import Gen
from everycase.gen.kinds import Bind, Build, Union

#: After this many outer values in a row without any inner value it is assumed that none will follow.
EMPTY_OUTERS = 10_000
#: After this many outer values, and twice as many, and so on, it is checked whether an index can be reached
#: at all.
FIRST_LOOK = 2**12
#: Maximum number of outer values whose inner values are kept.
MOST_INNERS = 2**14


class Interleaved(Space):
    """A union with infinite parts: the finite ones first, then one value of each infinite one in turn."""

    __slots__ = ("endless", "ends", "finite", "node", "numbers", "starts")

    def __init__(self, parts: Sequence[Space], node: Union[Any]) -> None:
        self.node = node
        self.count = math.inf
        self.at = self._at
        self.finite = [(k, part) for k, part in enumerate(parts) if part.count and part.count < math.inf]
        self.endless = [(k, part) for k, part in enumerate(parts) if part.count == math.inf]
        self.ends = []
        self.starts = []
        total = 0
        for _, part in self.finite:
            self.starts.append(total)
            total += part.count
            self.ends.append(total)

    def find(self, i: int) -> tuple[int, Space, int]:
        """The option, its space, and the index there."""
        k = bisect_right(self.ends, i)
        if k < len(self.ends):
            return *self.finite[k], i - self.starts[k]
        turn, k = divmod(i - (self.ends[-1] if self.ends else 0), len(self.endless))
        return *self.endless[k], turn

    def _at(self, i: int) -> Any:
        _, part, i = self.find(i)
        return part.at(i)

    def split(self, i: int) -> Sequence[Part]:
        return (self.find(i)[1:],)

    def value(self, i: int, parts: list[Any]) -> Any:
        return parts[0]

    def record(self, i: int, parts: list[Trace[Any]]) -> Trace[Any]:
        return Trace(self.find(i)[0], (parts[0],), self.node, parts[0].value)

    def rank(self, trace: Trace[Any], size: SizeOf) -> Ranking:
        below = trace.children[0]
        assert below is not None
        for (option, part), start in zip(self.finite, self.starts):
            if option == trace.choice:
                return start + (yield part, below)
        for turn, (option, part) in enumerate(self.endless):
            if option == trace.choice:
                total = self.ends[-1] if self.ends else 0
                return total + (yield part, below) * len(self.endless) + turn
        raise NoSuchValue(f"option {trace.choice} has no values")

    def values(self, bulk: Bulk, start: int = 0) -> Iterable[Any]:
        if start:
            return super().values(bulk, start)
        finite = chain.from_iterable(part.values(bulk) for _, part in self.finite)
        turns = zip(*[part.values(bulk) for _, part in self.endless])
        return chain(finite, chain.from_iterable(turns))


def root(number: int, k: int) -> int:
    """The integer part of the k-th root, exactly, for arbitrarily large numbers."""
    if number < 2 or k == 1:
        return number
    if k == 2:
        return math.isqrt(number)
    guess = 1 << -(-number.bit_length() // k)
    while True:
        better = ((k - 1) * guess + number // guess ** (k - 1)) // k
        if better >= guess:
            return guess
        guess = better


def unpair(number: int, k: int) -> list[int]:
    """The ``number``-th tuple of k naturals, in cubes: first all below 1, then all below 2, ...

    >>> [unpair(n, 2) for n in range(9)]
    [[0, 0], [1, 0], [1, 1], [0, 1], [2, 0], [2, 1], [2, 2], [0, 2], [1, 2]]
    """
    if k == 0:
        return []
    m = root(number, k)
    number -= m**k
    # The first part that reaches m: those before it are below m, those after it at most m.
    for first in range(k):
        inside = m**first * (m + 1) ** (k - 1 - first)
        if number < inside:
            break
        number -= inside
    digits = [0] * k
    for place in range(k - 1, -1, -1):
        if place == first:
            digits[place] = m
        else:
            number, digits[place] = divmod(number, m if place < first else m + 1)
    return digits


def pair(digits: Sequence[int]) -> int:
    """The inverse of :func:`unpair`.

    >>> [pair(unpair(n, 3)) for n in range(6)]
    [0, 1, 2, 3, 4, 5]
    """
    k = len(digits)
    if k == 0:
        return 0
    m = max(digits)
    first = digits.index(m) if isinstance(digits, list) else list(digits).index(m)
    number = 0
    for place, digit in enumerate(digits):
        if place != first:
            number = number * (m if place < first else m + 1) + digit
    before: int = m**k + sum(m**j * (m + 1) ** (k - 1 - j) for j in range(first))
    return before + number


class Paired(Space):
    """A constructor with infinite parts. The finite parts change fastest, in natural order (the last one
    first); the infinite ones go through :func:`unpair`, so the n-th value reaches about equally far into each
    of them."""

    __slots__ = ("endless", "finite", "node", "parts", "radix")

    def __init__(self, node: Build[Any], parts: Sequence[Space]) -> None:
        self.node = node
        self.parts = list(parts)
        self.count = math.inf
        self.at = self._at
        self.endless = [k for k, part in enumerate(parts) if part.count == math.inf]
        self.finite = [k for k, part in enumerate(parts) if part.count < math.inf]
        self.radix = math.prod(parts[k].count for k in self.finite)

    def digits(self, i: int) -> list[int]:
        digits = [0] * len(self.parts)
        number, i = divmod(i, self.radix)
        for k in reversed(self.finite):
            i, digits[k] = divmod(i, self.parts[k].count)
        for k, digit in zip(self.endless, unpair(number, len(self.endless))):
            digits[k] = digit
        return digits

    def _at(self, i: int) -> Any:
        return self.node.construct([part.at(digit) for part, digit in watched(self.split(i))])

    def split(self, i: int) -> Sequence[Part]:
        return list(zip(self.parts, self.digits(i)))

    def value(self, i: int, parts: list[Any]) -> Any:
        return self.node.construct(parts)

    def record(self, i: int, parts: list[Trace[Any]]) -> Trace[Any]:
        return Trace(None, parts, self.node, self.node.construct([part.value for part in parts]))

    def rank(self, trace: Trace[Any], size: SizeOf) -> Ranking:
        digits = []
        for part, child in zip(self.parts, trace.children):
            assert child is not None
            digits.append((yield part, child))
        number = pair([digits[k] for k in self.endless])
        for k in self.finite:
            number = number * self.parts[k].count + digits[k]
        return number

    # In bulk they widen like cubes: whenever the parts reach one value further, the values that are new are a few plain
    # products.

    def values(self, bulk: Bulk, start: int = 0) -> Iterable[Any]:
        too_large = any(self.parts[k].count > LIST_LIMIT for k in self.finite)
        too_far = start and len(self.endless) > 1 and max(self.digits(start)) > LIST_LIMIT
        if too_large or too_far or not all(part.may_share(bulk) for part in self.parts):
            return super().values(bulk, start)
        combinations: Iterable[Any] = chain.from_iterable(self._combinations(bulk, start))
        # The finite parts change fastest, wherever they are.
        order = [*self.endless, *self.finite]
        if order != sorted(order):
            combinations = map(itemgetter(*map(order.index, range(len(order)))), combinations)
        node = self.node
        return combinations if node.constructs is tuple else starmap(maker(node), combinations)

    def _combinations(self, bulk: Bulk, start: int) -> Iterator[Iterable[Any]]:
        finite = [bulk.listed(self.parts[k], False) for k in self.finite]
        if len(self.endless) == 1:
            yield from self._in_one_direction(bulk, finite, start)
            return
        streams = [iter(self.parts[k].values(bulk)) for k in self.endless]
        cube = len(streams)
        digits = unpair(start // self.radix, cube)
        side = max(digits)
        face = digits.index(side)
        # The values so far of each infinite part, and the newest one of each.
        reached = [list(islice(stream, side)) for stream in streams]
        begun: list[int] | None = None
        if start:
            digits[face] = 0
            begun = digits + [number for k, number in enumerate(self.digits(start)) if k in self.finite]
        while True:
            newest = [list(islice(stream, 1)) for stream in streams]
            wider = [[*values, *value] for values, value in zip(reached, newest)]
            while face < cube:
                columns = [*reached[:face], newest[face], *wider[face + 1 :], *finite]
                if begun is None:
                    yield product(*columns)
                else:
                    yield from starmap(product, tails(columns, begun))
                    begun = None
                face += 1
            face = 0
            reached = wider

    def _in_one_direction(self, bulk: Bulk, finite: list[list[Any]], start: int) -> Iterator[Iterable[Any]]:
        """A single infinite part: nothing needs to be kept."""
        number, start = divmod(start, self.radix)
        stream = bulk.after(self.parts[self.endless[0]], number)
        if self.radix == 1:
            yield zip(stream, *[repeat(values[0]) for values in finite])
            return
        for value in stream:
            combinations = product([value], *finite)
            yield islice(combinations, start, None) if start else combinations
            start = 0

    def components(self) -> list[Space]:
        return self.parts

    def _is_shared(self) -> bool:
        return self.node.share and all(part.is_shared for part in self.parts)


class Unfolding(Space):
    """Values that depend on infinitely many outer ones, or infinitely many on one.

    In rounds, with one more outer value in each: all of its inner values at once if they are finitely many,
    otherwise its first one; then one more value of every infinite one from earlier rounds.
    """

    __slots__ = ("_inners", "_lock", "endless", "inner_of", "limit", "node", "rounds", "source")

    def __init__(
        self, node: Bind[Any], source: Space, inner_of: Callable[[Any], tuple[Gen[Any], Space]]
    ) -> None:
        self.node = node
        self.source = source
        self.inner_of = inner_of
        self.count = math.inf
        self.at = self._at
        #: after which outer value no more are added; from that round on all rounds are the same
        self.limit = source.count
        #: the outer values with infinitely many inner ones, in order. It only grows, so rounds need not copy
        #: it.
        self.endless: list[int] = []
        #: for each round: where it starts, how many values it adds, and how many endless ones were there before
        self.rounds: list[tuple[int, int, int]] = []
        # The space of an outer value is made again if it was not used recently.
        self._inners: dict[int, tuple[Gen[Any], Space]] = {}
        self._lock = RLock()

    def inner(self, outer: int) -> tuple[Gen[Any], Space]:
        """The generator and the space of an outer value."""
        known = self._inners.get(outer)
        if known is None:
            known = self.inner_of(self.source.at(outer))
            with self._lock:
                if len(self._inners) >= MOST_INNERS:
                    self._inners.clear()
                self._inners[outer] = known
        return known

    def _grow(self, number: int) -> None:
        """Make round ``number``, the one after the last, unless another thread did."""
        with self._lock:
            if number == len(self.rounds):
                self._next_round(number)

    def _next_round(self, number: int) -> None:
        if number >= OUTER_LIMIT and self.limit > OUTER_LIMIT:
            raise self._too_far()
        start = self.end()
        before = len(self.endless)
        new = 0
        if number < self.limit:
            count = self.inner(number)[1].count
            new = 1 if count == math.inf else count
            if count == math.inf:
                self.endless.append(number)
        elif not before:
            raise Ended("there are no more values")
        self.rounds.append((start, new, before))

    def end(self) -> int:
        """How many values the rounds so far have."""
        if not self.rounds:
            return 0
        start, new, before = self.rounds[-1]
        return start + new + before

    def _too_far(self) -> GeneratorError:
        return GeneratorError(
            f"{self.node!r} would have to go through more than {OUTER_LIMIT:,} outer values to get there (it went through "
            f"{len(self.rounds):,}), because each has to be tried to know how many inner values it has. Use "
            "a smaller index."
        )

    def _check_far(self, i: int) -> None:
        """Reject an index early that will not be reached, unless the values become much more frequent.

        After R outer values out of M that may be tried there will be (M / R) ** d times as many values as now, if
        their number grows like the d-th power: d is 1 for finitely many inner values each, 2 for infinitely many.
        """
        made = len(self.rounds)
        if made >= FIRST_LOOK and made & (made - 1) == 0 and self.limit > OUTER_LIMIT:
            reachable = max(1, self.end()) * (OUTER_LIMIT // made) ** 6
            if i > reachable:
                raise self._too_far()

    def find(self, i: int) -> tuple[int, int]:
        """The outer index and the inner one."""
        barren = 0
        while True:
            if len(self.rounds) > self.limit:
                start, _, before = self.rounds[int(self.limit)]
                if i < start:
                    break
                turn, k = divmod(i - start, before)
                return self.endless[k], int(self.limit) + turn - self.endless[k]
            if self.rounds:
                start, new, before = self.rounds[-1]
                if i < start + new + before:
                    break
                barren = 0 if new + before else barren + 1
                if barren > EMPTY_OUTERS:
                    raise GeneratorError(
                        f"{self.node!r} has no value for any of {EMPTY_OUTERS} outer values in a row"
                    )
                self._check_far(i)
            self._grow(len(self.rounds))
        number = bisect_right(self.rounds, i, key=lambda entry: entry[0]) - 1
        # Rounds without values start at the same index as the next one.
        start, new, _ = self.rounds[number]
        i -= start
        if i < new:
            return number, i
        outer = self.endless[i - new]
        return outer, number - outer

    def _at(self, i: int) -> Any:
        outer, inner = self.find(i)
        return self.inner(outer)[1].at(inner)

    def split(self, i: int) -> Sequence[Part]:
        outer, inner = self.find(i)
        return (self.source, outer), (self.inner(outer)[1], inner)

    def value(self, i: int, parts: list[Any]) -> Any:
        return parts[1]

    def record(self, i: int, parts: list[Trace[Any]]) -> Trace[Any]:
        outer, inner = parts
        memory = (outer, self.inner(self.find(i)[0])[0])
        return Trace(None, (outer, inner), self.node, inner.value, memory=memory)

    def rank(self, trace: Trace[Any], size: SizeOf) -> Ranking:
        outer, inner = trace.children
        assert outer is not None and inner is not None
        number = yield self.source, outer
        space = self.inner(number)[1]
        place = yield space, inner
        in_turn = space.count == math.inf and place > 0
        turn = number + place if in_turn else number
        if turn >= OUTER_LIMIT and self.limit > OUTER_LIMIT:
            raise self._too_far()
        while len(self.rounds) <= min(turn, self.limit):
            self._grow(len(self.rounds))
        if not in_turn:
            return self.rounds[number][0] + place
        # The last round, after which no more are added, stands for all that follow.
        last = min(turn, len(self.rounds) - 1)
        start, new, before = self.rounds[last]
        return start + (turn - last) * before + new + bisect_left(self.endless, number)

    def indices(self, start: int = 0) -> Iterator[int]:
        """Only trying tells whether it ends."""
        for i in counting(start):
            try:
                self.find(i)
            except Ended:
                return
            yield i
