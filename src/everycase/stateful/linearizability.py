"""Is there a sequential order of some calls that explains their results?"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, NamedTuple


class CallResult(NamedTuple):
    """The result of a call: a value, or an exception."""

    value: Any
    raised: bool = False
    #: whether it was cut short, so that it may or may not have had its effect
    is_open: bool = False

    def __str__(self) -> str:
        from everycase.run.source_text.printer import code

        return f"raises {type(self.value).__name__}" if self.raised else code(self.value)


def result_of(call: Callable[[], Any]) -> CallResult:
    """Make a call, and keep its result."""
    try:
        return CallResult(call())
    except Exception as error:
        return CallResult(error, raised=True)


#: The next call, by the number of its branch; ``~branch`` leaves out one that was cut short.
Move = int
Order = tuple[Move, ...]
#: Makes the calls of an order on a fresh machine and then those after: each result, and the state after it.
InOrder = Callable[[Order], Generator[tuple[CallResult, Any], None, None]]


def explained(
    results: Sequence[Sequence[CallResult]],
    after: Sequence[CallResult],
    first: Sequence[int],
    in_order: InOrder,
) -> bool:
    """Whether some order of the calls, which keeps the order of each branch, gives the same results.

    ``in_order`` ends early if an invariant is broken. ``first`` is the order to try first. The state is that
    of the declared model; None if there is none.
    """
    search = _OrderSearch(results, after, in_order, remembers=True)
    if search.fits(tuple(first)) or search.any(()):
        return True
    # Equal states of a declared model were assumed to continue in the same way. Nothing is called wrong for
    # that reason alone.
    return search.pruned and _OrderSearch(results, after, in_order, remembers=False).any(())


class _OrderSearch:
    """The search of J. M. Wing and C. Gong ("Testing and verifying concurrent objects", 1993), with a memo on
    the state and the calls made so far (G. Lowe, "Testing for linearizability", 2017)."""

    def __init__(
        self,
        results: Sequence[Sequence[CallResult]],
        after: Sequence[CallResult],
        in_order: InOrder,
        *,
        remembers: bool,
    ) -> None:
        self.results = results
        self.after = after
        self.in_order = in_order
        self.remembers = remembers
        #: beginnings of orders that do not fit
        self.refuted: set[Order] = set()
        #: the states that beginnings led to
        self.states: dict[Order, Any] = {}
        #: states, with the number of calls made in each branch, from which nothing fits
        self.dead: set[tuple[Any, tuple[int, ...]]] = set()
        #: the length of the last order that was enough to refute it
        self.cut = 0
        #: whether an order was left out because of its state
        self.pruned = False

    def any(self, beginning: Order) -> bool:
        """Whether some order with this beginning explains the results."""
        if beginning in self.refuted:
            self.cut = len(beginning)
            return False
        moves = self._moves(beginning)
        if not moves:
            return self.fits(beginning)
        for move in moves:
            if self.any((*beginning, move)):
                return True
            if self.cut <= len(beginning):
                return False  # whatever comes next
        if beginning in self.states:
            self.dead.add((self.states[beginning], self._done(beginning)))
        return False

    def fits(self, order: Order) -> bool:
        """Whether this order explains the results."""
        self.cut = len(order)
        wanted = self._wanted(order)
        made = self.in_order(order)
        count = 0
        try:
            for found, state in made:
                if count == len(wanted):
                    return False
                length, target = wanted[count]
                count += 1
                if not target.is_open and not same(found, target):
                    return self._refute(order[:length])
                if state is not None and self.remembers and length < len(order):
                    beginning = order[:length]
                    if (state, self._done(beginning)) in self.dead:
                        self.pruned = True
                        return self._refute(beginning)
                    self.states[beginning] = state
        finally:
            made.close()
        return count == len(wanted)

    def _refute(self, beginning: Order) -> bool:
        self.refuted.add(beginning)
        self.cut = len(beginning)
        return False

    def _moves(self, beginning: Order) -> list[Move]:
        moves = []
        for branch, done in enumerate(self._done(beginning)):
            if done < len(self.results[branch]):
                moves.append(branch)
                if self.results[branch][done].is_open:
                    moves.append(~branch)
        return moves

    def _done(self, beginning: Order) -> tuple[int, ...]:
        done = [0] * len(self.results)
        for move in beginning:
            done[max(move, ~move)] += 1
        return tuple(done)

    def _wanted(self, order: Order) -> list[tuple[int, CallResult]]:
        """The results of the calls that are made, each with the length of the order up to it."""
        wanted = []
        done = [0] * len(self.results)
        for length, move in enumerate(order, 1):
            branch = max(move, ~move)
            if move >= 0:
                wanted.append((length, self.results[branch][done[branch]]))
            done[branch] += 1
        return [*wanted, *[(len(order), result) for result in self.after]]


def same(one: CallResult, other: CallResult) -> bool:
    """Whether two results are the same; exceptions are compared by type."""
    if one.raised or other.raised:
        return one.raised and other.raised and type(one.value) is type(other.value)
    return alike(one.value, other.value)


def alike(one: Any, other: Any, depth: int = 20) -> bool:
    """Whether two values are equal, as far as this is known: objects without ``__eq__`` are not compared.

    >>> alike([1, object()], [1, object()]), alike([1], [2])
    (True, False)
    """
    if one is other:
        return True
    kind: Any = type(one)
    another: Any = type(other)
    if kind.__eq__ is object.__eq__ and another.__eq__ is object.__eq__:
        return True
    if kind is not another:
        return bool(one == other)
    if kind in (list, tuple) and depth:
        return len(one) == len(other) and all(alike(a, b, depth - 1) for a, b in zip(one, other))
    if isinstance(one, Mapping) and depth and kind is dict:
        return one.keys() == other.keys() and all(alike(one[key], other[key], depth - 1) for key in one)
    return bool(one == other) or (one != one and other != other)
