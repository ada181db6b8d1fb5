"""The problems that shrinkers are measured on: the public shrinking challenge, and some that nothing is tuned on.

The names of everycase's generators are those of Hypothesis, so one description serves both libraries: ``inputs`` is
given the module (``everycase.gen`` or ``hypothesis.strategies``) and uses only what both have.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Problem:
    """``fails`` says True for a counterexample and None for an input that the property's precondition excludes."""

    name: str
    inputs: Callable[[Any], Any]
    fails: Callable[[Any], bool | None]
    minima: tuple[Any, ...]


# --- bound5 ---------------------------------------------------------------------------------------------


def _wrapped_sum(numbers: list[int]) -> int:
    """The sum as 16-bit machine arithmetic would have it."""
    return (sum(numbers) + 2**15) % 2**16 - 2**15


def _bound5_inputs(g: Any) -> Any:
    small_lists = g.lists(g.integers(-(2**15), 2**15 - 1), max_size=10)
    return g.tuples(small_lists, small_lists, small_lists, small_lists, small_lists)


def _bound5(lists: tuple[list[int], ...]) -> bool | None:
    if not all(_wrapped_sum(numbers) < 256 for numbers in lists):
        return None
    return _wrapped_sum([n for numbers in lists for n in numbers]) >= 5 * 256


def _two_places(first: Any, second: Any, empty: Any, width: int) -> tuple[Any, ...]:
    """All tuples of ``width`` with the two values in two places, in either order."""
    found = []
    for i in range(width):
        for j in range(width):
            if i != j:
                cells = [empty] * width
                cells[i], cells[j] = first, second
                found.append(tuple(cells))
    return tuple(found)


# --- calculator -----------------------------------------------------------------------------------------


def _expressions(g: Any) -> Any:
    expression: Any = g.deferred(
        lambda: g.one_of(
            g.integers(),
            g.tuples(g.just("+"), expression, expression),
            g.tuples(g.just("/"), expression, expression),
        )
    )
    return expression


def _divides_by_literal_zero(e: Any) -> bool:
    if isinstance(e, int):
        return False
    return (e[0] == "/" and e[2] == 0) or _divides_by_literal_zero(e[1]) or _divides_by_literal_zero(e[2])


def _evaluate(e: Any) -> int:
    if isinstance(e, int):
        return e
    left, right = _evaluate(e[1]), _evaluate(e[2])
    return left + right if e[0] == "+" else left // right


def _calculator(e: Any) -> bool | None:
    if _divides_by_literal_zero(e):
        return None
    try:
        _evaluate(e)
    except ZeroDivisionError:
        return True
    return False


# --- difference -----------------------------------------------------------------------------------------


def _two_numbers(g: Any) -> Any:
    return g.tuples(g.integers(1, 1000), g.integers(1, 1000))


# --- coupling, deletion ---------------------------------------------------------------------------------


def _coupling(numbers: list[int]) -> bool | None:
    if any(n >= len(numbers) for n in numbers):
        return None
    return any(i != j and numbers[j] == i for i, j in enumerate(numbers))


def _deletion(case: tuple[list[int], int]) -> bool | None:
    numbers, place = case
    if place >= len(numbers):
        return None
    rest = list(numbers)
    rest.remove(numbers[place])
    return numbers[place] in rest


# --- binary heap ----------------------------------------------------------------------------------------


def _heaps(g: Any) -> Any:
    @g.composite
    def heap_above(draw: Any, bound: int | None, size: int) -> Any:
        if draw(g.integers(1, 8)) == 1 or size <= 0:
            return None
        head = draw(g.integers(min_value=bound))
        return head, draw(heap_above(head, size // 2)), draw(heap_above(head, size // 2))

    @g.composite
    def heap(draw: Any) -> Any:
        return draw(heap_above(None, draw(g.integers(0, 20))))

    return heap()


def _elements(heap: Any) -> list[int]:
    found, pending = [], [heap]
    while pending:
        node = pending.pop()
        if node is not None:
            found.append(node[0])
            pending += node[1:]
    return found


def _joined(a: Any, b: Any) -> Any:
    if a is None or b is None:
        return a or b
    low, high = (a, b) if a[0] <= b[0] else (b, a)
    return low[0], _joined(low[2], high), low[1]


def _binheap(heap: Any) -> bool:
    # The mistake: only the smallest element is taken off properly, the rest is read in the order of the tree.
    listed = [heap[0], *_elements(_joined(heap[1], heap[2]))] if heap is not None else []
    return listed != sorted(listed)


CHALLENGE = (
    Problem("bound5", _bound5_inputs, _bound5, _two_places([-1], [-32768], [], 5)),
    Problem(
        "large union list",
        lambda g: g.lists(g.lists(g.integers())),
        lambda lists: len({n for numbers in lists for n in numbers}) > 4,
        ([[0, 1, -1, 2, -2]], [[0, 1, 2, 3, 4]]),
    ),
    Problem("reverse", lambda g: g.lists(g.integers()), lambda numbers: numbers != numbers[::-1], ([0, 1],)),
    Problem("calculator", _expressions, _calculator, (("/", 0, ("+", 0, 0)),)),
    Problem(
        "length list",
        lambda g: g.integers(1, 100).flatmap(lambda n: g.lists(g.integers(0, 1000), min_size=n, max_size=n)),
        lambda numbers: max(numbers) >= 900,
        ([900],),
    ),
    Problem("difference not zero", _two_numbers, lambda p: p[0] >= 10 and p[0] == p[1], ((10, 10),)),
    Problem(
        "difference not small", _two_numbers, lambda p: p[0] >= 10 and 1 <= abs(p[0] - p[1]) <= 4, ((10, 6),)
    ),
    Problem("difference not one", _two_numbers, lambda p: p[0] >= 10 and abs(p[0] - p[1]) == 1, ((10, 9),)),
    Problem("coupling", lambda g: g.lists(g.integers(0, 10)), _coupling, ([1, 0],)),
    Problem(
        "deletion", lambda g: g.tuples(g.lists(g.integers()), g.integers(0, 10)), _deletion, (([0, 0], 0),)
    ),
    Problem(
        "distinct",
        lambda g: g.lists(g.integers()),
        lambda numbers: len(set(numbers)) >= 3,
        ([0, 1, -1], [0, 1, 2]),
    ),
    Problem(
        "nested lists",
        lambda g: g.lists(g.lists(g.integers())),
        lambda lists: sum(map(len, lists)) > 10,
        ([[0] * 11],),
    ),
    Problem("binheap", _heaps, _binheap, ((0, None, (0, (0, None, None), (1, None, None))),)),
)
