"""Testing every value."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Generator, Iterator
from itertools import count, islice
from typing import Any

from everycase.choices.trace import Trace, sizes
from everycase.enumeration.big_numbers import as_literal, in_words
from everycase.enumeration.bulk import require_end, values
from everycase.enumeration.counting import space_of, tier_of
from everycase.enumeration.decode import record_at, value_at
from everycase.enumeration.slices import BULK_STEP
from everycase.enumeration.spaces.base import Ended
from everycase.enumeration.spaces.base import Space as Counted
from everycase.enumeration.spaces.finite import Sum
from everycase.enumeration.walk import walk
from everycase.errors import Discarded, InvalidArgument, NotCountable
from everycase.explore.protocol import SEARCHING, Case, Explorer, Outcome, Space
from everycase.explore.sequences import Sequences, steps_of
from everycase.gen.base import Gen
from everycase.gen.validate import require_bool, require_count, require_int

#: A walk goes by price, not by size: after this many values in a row that are too large, it is assumed to
#: have no others.
MOST_LARGE = 10_000
#: After this many of them the run can end.
BEAT = 64


class Exhaustive(Explorer):
    """Every value, smallest first, until there is none left or the budget ends.

    Generators that can be counted are walked by index; the choices of others (composites, filters) are walked
    one by one. ``max_size`` leaves out values of a greater size; for a state machine, sequences of more
    steps. ``start`` resumes at an index, and ``stride=k`` tests only every k-th value from there, so that k
    runs (or machines) can share the work. ``shuffled=True`` takes the values in a random order without
    repetition, for a finite space that does not fit the budget. A failure reports the index of its value.

    >>> from everycase import check, gen
    >>> report = check(lambda xs: len(xs) < 9, gen.lists(gen.booleans()), explore=Exhaustive(max_size=4))
    >>> report.status, report.exhaustive, report.covered
    ('passed', False, 'all 31 values up to size 4')
    """

    wants_all = True

    def __init__(
        self, *, max_size: int | None = None, start: int = 0, stride: int = 1, shuffled: bool = False
    ) -> None:
        if max_size is not None:
            require_count("max_size", max_size)
        require_count("start", start)
        require_int("stride", stride)
        if stride < 1:
            raise InvalidArgument(
                f"stride={in_words(stride)} must be at least 1; stride=k tests every k-th value"
            )
        require_bool("shuffled", shuffled)
        self.max_size = max_size
        self.start = start
        self.stride = stride
        self.shuffled = shuffled

    def __repr__(self) -> str:
        given = {
            "max_size": self.max_size,
            "start": self.start,
            "stride": self.stride,
            "shuffled": self.shuffled,
        }
        usual = {"max_size": None, "start": 0, "stride": 1, "shuffled": False}
        shown = [f"{name}={_shown(value)}" for name, value in given.items() if value != usual[name]]
        return f"Exhaustive({', '.join(shown)})"

    def explore(self, space: Space) -> Generator[Case, Outcome, None]:
        if steps_of(space) is not None:
            self._refuse_numbers()
            yield from Sequences(space, self.max_size).cases()
            return
        plan = self.plan(space)
        yield from self._walk(space) if plan is None else plan.cases(space, 0)

    def plan(self, space: Space) -> EnumerationPlan | None:
        """Which values to take by index; None if the generator cannot be counted."""
        gen = space.gen
        try:
            if self.max_size is not None:
                # The arguments are a tuple, which has a size of its own.
                counted: Counted = Sum([tier_of(gen, size) for size in range(self.max_size + 2)], which=_size)
                return EnumerationPlan(self, counted, space, is_whole=counted.count == _count_of(gen))
            return EnumerationPlan(self, space_of(gen), space, is_whole=True)
        except NotCountable:
            return None

    def _refuse_numbers(self) -> None:
        if self.start or self.stride > 1 or self.shuffled:
            raise InvalidArgument(
                "start, stride and shuffled need values with an index, and sequences of steps have none; use "
                "Exhaustive(max_size=k)"
            )

    def _walk(self, space: Space) -> Generator[Case, Outcome, None]:
        done = 0
        small = _Small(self.max_size)
        size = "" if self.max_size is None else f" up to size {self.max_size}"
        space.findings.covered = lambda: f"{done:,} combinations of choices{size}"
        # islice cannot count further than this, and no run gets that far.
        start, stride = min(self.start, sys.maxsize), min(self.stride, sys.maxsize)
        number = 0
        for trace in small.only(walk(space.gen, space.findings.doubts, space.check_clock)):
            if trace is None:
                yield SEARCHING
                continue
            if number >= start and (number - start) % stride == 0:
                yield Case(trace.value, trace, "exhaustive, choice by choice")
                done += 1
            number += 1
        space.findings.exhausted = self.start == 0 and self.stride == 1 and not small.left_out


class _Small:
    """The values of a walk that are not too large."""

    def __init__(self, max_size: int | None) -> None:
        self.max_size = max_size
        self.left_out = False

    def only(self, traces: Iterator[Trace[Any]]) -> Iterator[Trace[Any] | None]:
        """The small values, and None now and then while larger ones are skipped."""
        if self.max_size is None:
            yield from traces
            return
        row = 0
        for trace in traces:
            if sizes(trace)[id(trace)] <= self.max_size + 1:
                row = 0
                yield trace
                continue
            self.left_out = True
            row += 1
            if row >= MOST_LARGE:
                return
            if row % BEAT == 0:
                yield None


def _count_of(gen: Gen[Any]) -> float:
    """How many values there are in total; -1 if that is unknown."""
    try:
        total: float = space_of(gen).count
        return total
    except NotCountable:
        return -1


def _shown(value: Any) -> str:
    return as_literal(value) if type(value) is int else repr(value)


def _size(trace: Any, size: Any) -> int:
    return int(size(trace))


class EnumerationPlan:
    """The indices of the values to test, in order: position 0, 1, 2, ... of the plan."""

    def __init__(self, explorer: Exhaustive, counted: Counted, space: Space, *, is_whole: bool) -> None:
        self.is_whole = is_whole and explorer.start == 0 and explorer.stride == 1
        self.explorer = explorer
        self.counted = counted
        start, stride = explorer.start, explorer.stride
        total = counted.count
        self.total = total
        #: how many values are planned
        self.count = math.inf if total == math.inf else max(0, -(-(total - start) // stride))
        self.number: Callable[[int], int] = lambda place: start + place * stride
        #: infinite spaces are enumerated in order
        self.shuffled = explorer.shuffled and total != math.inf
        if self.shuffled and total > 1:
            order = permutation(total, space.random.getrandbits(64))
            self.number = lambda place: order(start + place * stride)

    def cases(self, space: Space, place: int) -> Generator[Case, Outcome, None]:
        """The cases from a place on."""
        done = place
        space.findings.covered = lambda: self.covered(done)
        space.findings.complete_to = lambda: self.explorer.max_size if done == self.total else None
        rest: Iterator[Case] = iter(())
        try:
            for number, args in self._values(place):
                yield self._case(number, args)
                done += 1
            if done < self.count:
                require_end(self.counted, self.number(done))
        except Discarded:  # an assumption in user code that makes values
            rest = self._one_by_one(done)
        for case in rest:
            yield case
            done += 1
        space.findings.exhausted = self.is_whole

    def _values(self, place: int) -> Iterator[tuple[int, Any]]:
        explorer, counted = self.explorer, self.counted
        stride = explorer.stride
        if not self.shuffled and stride < BULK_STEP:
            first = explorer.start + place * stride
            return zip(count(first, stride), islice(values(counted, first), 0, None, stride))
        return ((number, value_at(counted, number)) for number in self._numbers(place))

    def _one_by_one(self, place: int) -> Iterator[Case]:
        """Each value by its index; those that are discarded while they are made count as cases."""
        for number in self._numbers(place):
            try:
                yield self._case(number, value_at(self.counted, number))
            except Discarded:
                yield Case(None, None)
            except Ended:
                return

    def _numbers(self, place: int) -> Iterator[int]:
        places = count(place) if self.count == math.inf else range(place, int(self.count))
        return map(self.number, places)

    def _case(self, number: int, args: Any) -> Case:
        case = Case(args, lambda: record_at(self.counted, number))
        case.index = number
        return case

    def covered(self, done: int) -> str:
        """A description of the first ``done`` positions."""
        explorer = self.explorer
        size = "" if explorer.max_size is None else f" up to size {explorer.max_size}"
        whole = "infinitely many" if self.total == math.inf else in_words(self.total)
        if done == self.total:
            return f"all {whole} values{size}"
        if self.shuffled:
            return f"{done:,} of {whole} values{size}, chosen at random without repetition"
        start = in_words(explorer.start)
        if explorer.stride > 1:
            return f"{done:,} of {whole} values{size}: one in {in_words(explorer.stride)}, from number {start} on"
        if explorer.start:
            return f"{done:,} of {whole} values{size}, from number {start} on"
        return f"the first {done:,} of {whole} values{size}"


def permutation(total: int, key: int) -> Callable[[int], int]:
    """A random order of the numbers below ``total``, computed without storing anything, however many there
    are.

    >>> sorted(map(permutation(10, 7), range(10)))
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    """
    # A Feistel network permutes the numbers of an even number of bits; numbers outside the range are permuted
    # again.
    half = max(1, -(-(total - 1).bit_length() // 2))
    mask = (1 << half) - 1
    keys = [key * 6364136223846793005 + 1442695040888963407 * turn for turn in (1, 2, 3, 4)]

    def scramble(number: int) -> int:
        left, right = number >> half, number & mask
        for turn in keys:
            mixed = (right + turn) * 0x9E3779B97F4A7C15
            mixed ^= mixed >> 29
            mixed *= 0xBF58476D1CE4E5B9
            left, right = right, left ^ ((mixed ^ mixed >> 32) & mask)
        return left << half | right

    def order(place: int) -> int:
        number = scramble(place)
        while number >= total:
            number = scramble(number)
        return number

    return order
