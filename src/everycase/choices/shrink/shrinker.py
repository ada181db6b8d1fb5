"""Shrinking: from a failing trace to the simplest failing trace that can be reached by editing it.

A shrink is an edit of the recorded choices, enacted with dice that always show the simplest side. So every
candidate is the complete trace of a valid value, for any generator. The order that shrinking descends
(:func:`order`) compares the choices written one after the other, parents before children:

1. Fewer steps of a state machine are simpler; then fewer choices. A number counts one, an option of a union one, a list one and its elements.
2. Of two equally long ones the first difference decides: the shorter list, the earlier option, the number that is
   nearer to the generator's simplest value (above it rather than below), the float that is simpler by
   :func:`~everycase.choices.floats.float_order`.

Hence ``[0, 1]`` is simpler than ``[1, 0]`` and than ``[0, -1]``, and ``[1000]`` is simpler than ``[0, 0]``.

A candidate is tested only if it is strictly simpler than the best so far, and never twice. The moves
themselves are in :mod:`everycase.choices.shrink.shapes`; they are repeated until none of them makes the trace
simpler.
"""

from __future__ import annotations

import marshal
import math
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from itertools import cycle
from typing import Any

from everycase.choices.dice import Random, simplest
from everycase.choices.enact import REFUSALS, enact
from everycase.choices.floats import float_order
from everycase.choices.time_limit import OutOfTime, look, until
from everycase.choices.trace import Trace
from everycase.errors import Discarded, InvalidArgument
from everycase.gen.base import Gen
from everycase.gen.kinds import Float, Int, List, Live

Order = tuple[int, tuple[Any, ...]]

#: A step of a sequence counts as much as more choices than a step ever has.
STEP = 10**9

#: Maximum number of values whose validity is asked for without running the test.
MOST_JUDGED = 20_000

#: Traces with more choices are not examined for :attr:`Shrinker.gaps`.
MOST_WATCHED = 64


class ShrinkEnd(StrEnum):
    """Why shrinking ended."""

    #: no move makes the trace simpler
    minimal = "minimal"
    #: a budget was used up first
    calls = "calls"
    time = "time"
    #: a KeyboardInterrupt in the property
    interrupted = "interrupted"

    __repr__ = str.__repr__


@dataclass(frozen=True)
class Shrunk:
    """The outcome of shrinking."""

    trace: Trace[Any]
    calls: int
    reason: ShrinkEnd


def order(trace: Trace[Any]) -> Order:
    """A sort key: of two traces of one generator the one with the smaller key is simpler.

    >>> from everycase import gen
    >>> from everycase.choices.enact import simplest_trace
    >>> order(simplest_trace(gen.tuples(gen.integers(5, 9), gen.lists(gen.booleans()))))
    (2, (0, 0))
    """
    return _order(trace)[0]


def _order(trace: Trace[Any]) -> tuple[Order, bool]:
    """The order of a trace, and whether the test itself draws some of it."""
    flat: list[Any] = []
    live = False
    steps = 0
    pending: list[Trace[Any] | None] = [trace]
    while pending:
        node = pending.pop()
        if node is None:  # a hole is not decided yet: it counts as the least it can become
            continue
        choice = node.choice
        kind = type(node.gen)
        if choice is None:
            if kind is List:
                flat.append(len(node.children))
                look()
            elif kind is Live:
                live = True
                if node.gen.steps is not None:  # type: ignore[union-attr]
                    steps += len(node.children)
        elif kind is Int:
            flat.append(int_order(node.gen, choice))  # type: ignore[arg-type]
        elif kind is Float:
            flat.append(float_order(choice))
        else:
            flat.append(choice)
        if node.children:
            pending.extend(reversed(node.children))
    return (STEP * steps + len(flat), tuple(flat)), live


def int_order(gen: Int, value: int) -> int:
    """The distance of a number from the simplest one of its generator; of two at the same distance the
    greater is simpler."""
    distance = value - gen.towards
    return 2 * distance if distance >= 0 else 1 - 2 * distance


def shrink(
    trace: Trace[Any],
    still_fails: Callable[[Trace[Any]], bool | None],
    *,
    known: Iterable[Trace[Any]] = (),
    is_valid: Callable[[Trace[Any]], bool] | None = None,
    max_calls: int = 5000,
    max_seconds: float | None = 60.0,
    clock: Callable[[], float] | None = None,
) -> Shrunk:
    """The simplest trace found for which ``still_fails`` says True, starting from one for which it does.

    None means that the value does not satisfy a precondition, so that it neither fails nor passes. ``known``
    are traces that are known not to fail, so they are not tried again. ``is_valid`` says whether a value satisfies the
    preconditions without running the test, so that invalid values cost no calls.

    >>> from everycase import gen
    >>> numbers = gen.lists(gen.integers(0, 1000), max_size=20)
    >>> start = next(t for t in (numbers.record(seed) for seed in range(100)) if sum(t.value) > 500)
    >>> shrink(start, lambda t: sum(t.value) > 500).trace.value
    [501]
    """
    end = time.perf_counter() + max_seconds if max_seconds is not None and clock is None else math.inf
    shrinker = None
    try:
        with until(end):
            shrinker = Shrinker(trace, still_fails, max_calls, max_seconds, clock or time.perf_counter)
            shrinker.know(known)
            if is_valid is not None and is_valid(trace):
                shrinker.is_valid = is_valid
            _make_simple(shrinker)
        reason = ShrinkEnd.minimal
    except _OutOfBudget as spent:
        reason = spent.reason
    except OutOfTime:
        reason = ShrinkEnd.time
    except KeyboardInterrupt:
        reason = ShrinkEnd.interrupted
    return Shrunk(shrinker.best, shrinker.calls, reason) if shrinker else Shrunk(trace, 0, reason)


def _make_simple(shrinker: Shrinker) -> None:
    """Run the passes one after another, until none of them finds anything simpler."""
    from everycase.choices.shrink.shapes import PASSES

    unchanged = 0  # how many passes in a row found nothing
    sparse = False
    for improve in cycle(PASSES):
        before = shrinker.best
        improve(shrinker)
        unchanged = unchanged + 1 if shrinker.best is before else 0
        if shrinker.sparse and not sparse:
            # The moves for preconditions, which had nothing to do so far, get a turn.
            sparse, unchanged = True, 0
        if unchanged == len(PASSES):
            if shrinker.patience == math.inf:
                return
            shrinker.patience, unchanged = math.inf, 0


class _OutOfBudget(Exception):
    """Ends shrinking from within; says which budget is used up."""

    def __init__(self, reason: ShrinkEnd) -> None:
        self.reason = reason


class Shrinker:
    """The best trace so far, and the one way to improve it: :meth:`try_edit`."""

    def __init__(
        self,
        trace: Trace[Any],
        still_fails: Callable[[Trace[Any]], bool | None],
        max_calls: int,
        max_seconds: float | None,
        clock: Callable[[], float],
    ) -> None:
        if trace.gen is None:
            raise InvalidArgument(
                "trace must have been enacted; replay a stored trace first with gen.replay(trace)"
            )
        self.gen: Gen[Any] = trace.gen
        self.best = trace
        self.calls = 0
        self.improved_at = 0  # the number of calls when the best trace was found
        #: the number of failures in a row after which a pass leaves the rest for later
        self.patience: float = 2
        #: sequences of this many steps were redrawn in vain (see :mod:`everycase.choices.shrink.steps`)
        self.redrawn = 0
        #: sequences of this many steps were given larger arguments in vain
        self.raised = 0
        #: all sequences of fewer steps than this were tried
        self.searched = 0
        #: a cache of :func:`everycase.choices.shrink.moves.best_numbers`
        self.known_numbers: tuple[Trace[Any] | None, list[Any]] = (None, [])
        #: a cache of :func:`everycase.choices.shrink.moves.best_spans`
        self.known_spans: tuple[Trace[Any] | None, dict[tuple[int, ...], tuple[int, int]]] = (None, {})
        #: whether the last attempt did not satisfy a precondition (assume, where, a filter), or any ever did not
        self.invalid = False
        self.sparse = False
        #: whether a value satisfies the preconditions, if that is known without running the test
        self.is_valid: Callable[[Trace[Any]], bool] | None = None
        #: a filter rejected the last invalid candidate, which costs no calls either
        self.free = False
        self._judged = 0
        #: by position among the choices: the farthest number that passed while nothing else differed. If a
        #: nearer one fails, the passing numbers have gaps, and it may be worth trying them one by one
        self.gaps: dict[int, Any] = {}
        #: the initial distances of the numbers of the trace from the simplest: a number that is still there
        #: was never lowered
        self.first_distances = frozenset(each // 2 for each in order(trace)[1] if isinstance(each, int))
        #: the calls and seconds that went into trying values one by one
        self.smaller_calls = 0
        self.smaller_seconds = 0.0
        self._order = order(trace)
        #: the hashes of what was tested, and whether it was invalid: the orders of large values would take
        #: too much memory
        self._seen = {_name(self._order): False}
        self._still_fails = still_fails
        self._max_calls = max_calls
        self.clock = clock
        self._end = None if max_seconds is None else clock() + max_seconds

    def know(self, passing: Iterable[Trace[Any]]) -> None:
        """These traces do not fail. (What a test itself drew is known only after it has run again.)"""
        for rank, live in map(_order, passing):
            if not live:
                self._seen[_name(rank)] = False

    @property
    def length(self) -> int:
        """The number of choices in the best trace."""
        return self._order[0]

    @property
    def choices(self) -> tuple[Any, ...]:
        """The choices of the best trace, one after the other, in the form in which they are compared."""
        return self._order[1]

    def is_idle(self, choices: tuple[Any, ...]) -> bool:
        """Whether a trace of these choices was tested before, or is not simpler than the best."""
        steps = STEP * (self._order[0] // STEP)
        rank = (steps + len(choices), choices)
        return not _less(rank, self._order) or _name(rank) in self._seen

    def fails(self, edited: Trace[Any]) -> bool | None:
        """Whether an edited trace fails, whether it is simpler or not, and whether it was tested before or not; None if it
        makes no valid value."""
        try:
            candidate = enact(self.gen, edited, simplest)
        except REFUSALS:
            return None
        self.calls += 1
        return self._still_fails(candidate)

    def check_clock(self) -> None:
        """End the shrink if its time is over."""
        if self._end is not None and self.clock() > self._end:
            raise _OutOfBudget(ShrinkEnd.time)

    def spend(self) -> None:
        """End the shrink if its time is over, or if there are no calls left for another :meth:`fails`."""
        self.check_clock()
        if self.calls >= self._max_calls:
            raise _OutOfBudget(ShrinkEnd.calls)

    def try_edit(self, edited: Trace[Any], dice: Random = simplest) -> bool:
        """Enact an edited trace; keep it and return True if it is simpler than the best so far and fails as
        well.

        With ``dice`` other than the simplest, one edit may be tried several times.
        """
        self.check_clock()
        self.invalid = False
        try:
            candidate = enact(self.gen, edited, dice)
        except REFUSALS as problem:
            self.invalid = isinstance(problem, Discarded)
            self.sparse = self.sparse or self.invalid
            self._judged += self.invalid
            self.free = self.invalid and self._judged < MOST_JUDGED
            return False  # discarded by a filter, or rejected by a constructor or a composite: not a value
        rank, live = _order(candidate)
        if live:
            # The draws of a test are known only after it has run; until then the edited choices are used.
            rank = order(edited)
        name = _name(rank)
        if name in self._seen and dice is simplest:
            self.invalid = self._seen[name]
            return False
        if not _less(rank, self._order):
            return False
        if self.is_valid is not None and not self._judged_valid(candidate):
            self.invalid = self.sparse = self._seen[name] = True
            return False
        if self.calls >= self._max_calls:
            raise _OutOfBudget(ShrinkEnd.calls)
        self.calls += 1
        fails = self._still_fails(candidate)
        if not fails:
            self.invalid = fails is None
            self.free = self.free and not self.invalid
            self.sparse = self.sparse or self.invalid
            self._seen[name] = self.invalid
            place = _only_difference(rank, self._order)
            if fails is False and place is not None and (rank[1][place] - self._order[1][place]) % 2 == 0:
                # (Even and odd ones are on the two sides of the simplest number.)
                self.gaps[place] = max(self.gaps.get(place, rank[1][place]), rank[1][place])
            return False
        self._seen[name] = False
        if live:
            rank = order(candidate)
            if not _less(rank, self._order):
                return False
            self._seen[_name(rank)] = False
        if self.gaps:
            place = _only_difference(rank, self._order)
            self.gaps = {place: self.gaps[place]} if place in self.gaps else {}
        self.best, self._order, self.improved_at = candidate, rank, self.calls
        return True

    def _judged_valid(self, candidate: Trace[Any]) -> bool:
        """Whether a value satisfies the preconditions. After many of them only the test says so, within its calls."""
        assert self.is_valid is not None
        self._judged += 1
        valid = self.is_valid(candidate)
        if self._judged >= MOST_JUDGED:
            self.is_valid = None
        return valid


def _only_difference(one: Order, other: Order) -> int | None:
    """The position of the one integer in which two orders differ, if that is the only difference."""
    if one[0] != other[0] or one[0] > MOST_WATCHED:
        return None
    places = [i for i, (a, b) in enumerate(zip(one[1], other[1])) if a != b]
    return places[0] if len(places) == 1 and isinstance(one[1][places[0]], int) else None


def comparable(trace: Trace[Any]) -> Order:
    """The order of a trace, for sorting it among others of its family: one may have a float where another has
    none."""
    return sortable(order(trace)[1])


def sortable(choices: tuple[Any, ...]) -> Order:
    """The same for the choices of a part."""
    return len(choices), tuple([each if isinstance(each, tuple) else (each,) for each in choices])


def _name(rank: Order) -> int:
    """A practically unique number for an order. (Hashes of integers are their values modulo 2**61 - 1, so a
    large and a small one easily collide; hashes of bytes do not.)"""
    return hash(marshal.dumps(rank, 2))


def _less(a: Order, b: Order) -> bool:
    try:
        return a < b
    except TypeError:  # a float against an integer, which a composite drew after equal choices
        return False
