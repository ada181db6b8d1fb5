"""Is there an order of some calls, one after the other, that explains what they returned?"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple


class CallResult(NamedTuple):
    """What a call did: it returned a value, or raised an exception."""

    value: Any
    raised: bool = False
    #: whether it was cut short, so that it may have had its effect or not
    is_open: bool = False

    def __str__(self) -> str:
        from everycase.run.source_text.printer import code

        return f"raises {type(self.value).__name__}" if self.raised else code(self.value)


def attempt(call: Callable[[], Any]) -> CallResult:
    """Make a call, and keep what it does."""
    try:
        return CallResult(call())
    except Exception as error:
        return CallResult(error, raised=True)


def explained(
    results: Sequence[Sequence[CallResult]],
    after: Sequence[CallResult],
    first: Sequence[int],
    in_order: Callable[[Sequence[int]], Generator[CallResult, None, None]],
) -> bool:
    """Whether some order of the calls, which keeps the order of each branch, gives the same results.

    ``in_order`` makes the calls of the given branches one after the other on a fresh machine, and then those after; it ends
    early if an invariant is broken. ``first`` is the order to try first. What does not fit is not tried again with another
    continuation (J. M. Wing and C. Gong, "Testing and verifying concurrent objects", 1993).
    """
    if any(result.is_open for branch in results for result in branch):
        return _explained_with_open(results, after, first, in_order)
    refuted: set[tuple[int, ...]] = set()
    for order in _with_first(tuple(first), merges([len(branch) for branch in results])):
        if any(order[:length] in refuted for length in range(1, len(order) + 1)):
            continue
        wanted = [*_in_order(order, results), *after]
        fits = 0
        made = in_order(order)
        for found in made:
            if fits == len(wanted) or not same(found, wanted[fits]):
                break
            fits += 1
        else:
            if fits == len(wanted):
                return True
        made.close()
        if fits < len(order):
            refuted.add(order[: fits + 1])
    return False


def _explained_with_open(
    results: Sequence[Sequence[CallResult]],
    after: Sequence[CallResult],
    first: Sequence[int],
    in_order: Callable[[Sequence[int]], Generator[CallResult, None, None]],
) -> bool:
    """A call that was cut short is left out, or made at any time; what it returns then does not matter.

    A branch by its negative number minus one says that its next call is left out.
    """
    for order in _with_first(tuple(first), merges([len(branch) for branch in results])):
        places = [0] * len(results)
        cut: list[int] = []
        for i, branch in enumerate(order):
            if results[branch][places[branch]].is_open:
                cut.append(i)
            places[branch] += 1
        for left_out in product((False, True), repeat=len(cut)):
            gone = {i for i, out in zip(cut, left_out) if out}
            signed = [~branch if i in gone else branch for i, branch in enumerate(order)]
            wanted = [result for i, result in enumerate(_in_order(order, results)) if i not in gone] + list(
                after
            )
            made = list(in_order(signed))
            if len(made) == len(wanted) and all(
                target.is_open or same(found, target) for found, target in zip(made, wanted)
            ):
                return True
    return False


def _in_order(order: Sequence[int], results: Sequence[Sequence[CallResult]]) -> Iterator[CallResult]:
    places = [0] * len(results)
    for branch in order:
        yield results[branch][places[branch]]
        places[branch] += 1


def _with_first(first: tuple[int, ...], others: Iterator[tuple[int, ...]]) -> Iterator[tuple[int, ...]]:
    yield first
    for order in others:
        if order != first:
            yield order


def merges(counts: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """All orders of the members of some branches that keep the order of each branch.

    >>> list(merges([2, 1]))
    [(0, 0, 1), (0, 1, 0), (1, 0, 0)]
    """
    if not any(counts):
        yield ()
        return
    for branch, count in enumerate(counts):
        if count:
            rest = [each - (i == branch) for i, each in enumerate(counts)]
            for order in merges(rest):
                yield (branch, *order)


def same(one: CallResult, other: CallResult) -> bool:
    """Whether two results are the same; exceptions are, if they are of one type."""
    if one.raised or other.raised:
        return one.raised and other.raised and type(one.value) is type(other.value)
    return alike(one.value, other.value)


def alike(one: Any, other: Any, depth: int = 20) -> bool:
    """Whether two values are equal, as far as they say what they are: objects without ``__eq__`` do not.

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
