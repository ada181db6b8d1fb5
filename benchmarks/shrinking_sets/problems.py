"""The problems on which shrinkers are measured.

``CHALLENGE`` is the public shrinking challenge. ``FURTHER`` has problems of other kinds, which showed what was missing
while the shrinker was written. ``HELD_OUT`` was written after the shrinker was finished, and nothing was changed for it.

everycase's generators have the same names as Hypothesis' strategies, so one description serves both libraries:
``inputs`` takes the module (``everycase.gen`` or ``hypothesis.strategies``) and uses only names that both have.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Problem:
    """``fails`` returns True for a counterexample, and None for an input excluded by the property's precondition."""

    name: str
    inputs: Callable[[Any], Any]
    fails: Callable[[Any], bool | None]
    minima: tuple[Any, ...]


# --- bound5 ---------------------------------------------------------------------------------------------


def _wrapped_sum(numbers: list[int]) -> int:
    """The sum in 16-bit machine arithmetic."""
    return (sum(numbers) + 2**15) % 2**16 - 2**15


def _bound5_inputs(g: Any) -> Any:
    small_lists = g.lists(g.integers(-(2**15), 2**15 - 1), max_size=1).filter(
        lambda numbers: sum(numbers) < 256
    )
    return g.tuples(small_lists, small_lists, small_lists, small_lists, small_lists)


def _bound5(lists: tuple[list[int], ...]) -> bool | None:
    return _wrapped_sum([n for numbers in lists for n in numbers]) >= 5 * 256


def _two_places(first: Any, second: Any, empty: Any, width: int) -> tuple[Any, ...]:
    """All tuples of ``width`` with the two values in two positions, in either order."""
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
    # The bug: only the smallest element is removed properly; the rest is read in the order of the tree.
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


# --- further -------------------------------------------------------------------------------------------


def _double_late_letter(word: str) -> bool:
    return any(word.count(letter) == 2 for letter in word if letter > "m")


def _matrices(g: Any) -> Any:
    return g.tuples(g.integers(1, 6), g.integers(1, 6)).flatmap(
        lambda size: g.lists(
            g.lists(g.integers(0, 9), min_size=size[0], max_size=size[0]), min_size=size[1], max_size=size[1]
        )
    )


def _programs(g: Any) -> Any:
    """Programs for a stack machine: some iterations of the loop draw once, others twice."""

    @g.composite
    def programs(draw: Any) -> list[tuple[Any, ...]]:
        program: list[tuple[Any, ...]] = []
        for _ in range(draw(g.integers(0, 20))):
            name = draw(g.sampled_from(["pop", "add", "push"]))
            program.append((name, draw(g.integers(0, 100))) if name == "push" else (name,))
        return program

    return programs()


def _overflows(program: list[tuple[Any, ...]]) -> bool:
    stack: list[int] = []
    for name, *arguments in program:
        if name == "push":
            stack += arguments
        elif name == "pop":
            stack = stack[:-1]
        elif len(stack) > 1:
            stack[-2:] = [stack[-2] + stack[-1]]
            if stack[-1] > 100:
                return True
    return False


def _swaps_with_last(count: int) -> tuple[list[int], ...]:
    """All permutations of ``range(count)`` that swap the last number with another one."""
    found = []
    for i in range(count - 1):
        numbers = list(range(count))
        numbers[i], numbers[-1] = numbers[-1], numbers[i]
        found.append(numbers)
    return tuple(found)


def _statements(g: Any) -> Any:
    expression: Any = g.deferred(
        lambda: g.one_of(
            g.integers(0, 9),
            g.tuples(g.just("neg"), expression),
            g.tuples(g.just("let"), statement, expression),
        )
    )
    statement: Any = g.deferred(
        lambda: g.one_of(
            g.just("skip"), g.tuples(g.just("set"), expression), g.tuples(g.just("seq"), statement, statement)
        )
    )
    return expression


def _sets_a_negation(term: Any, inside: bool = False) -> bool:
    if not isinstance(term, tuple):
        return False
    if inside and term[0] == "neg":
        return True
    return any(_sets_a_negation(part, inside or term[0] == "set") for part in term[1:])


def _nested_documents(g: Any) -> Any:
    document: Any = g.deferred(
        lambda: g.one_of(
            g.none(),
            g.booleans(),
            g.lists(document, max_size=4),
            g.dictionaries(g.text("ab"), document, max_size=4),
        )
    )
    return document


def _list_in_dictionary_in_list(document: Any, above: tuple[type, ...] = ()) -> bool:
    if isinstance(document, list):
        if above[-2:] == (list, dict):
            return True
        return any(_list_in_dictionary_in_list(part, (*above, list)) for part in document)
    if isinstance(document, dict):
        return any(_list_in_dictionary_in_list(part, (*above, dict)) for part in document.values())
    return False


def _long_bound5_inputs(g: Any) -> Any:
    numbers = g.lists(g.integers(-(2**15), 2**15 - 1), max_size=10)
    return g.tuples(numbers, numbers, numbers, numbers, numbers)


def _long_bound5(lists: tuple[list[int], ...]) -> bool | None:
    return _bound5(lists) if all(_wrapped_sum(numbers) < 256 for numbers in lists) else None


FURTHER = (
    Problem(
        "doubled late letter", lambda g: g.text("abcdefghijklmnopqrstuvwxyz"), _double_late_letter, ("nn",)
    ),
    Problem(
        "dictionary sum",
        lambda g: g.dictionaries(g.text("abc"), g.integers()),
        lambda d: len(d) > 1 and sum(d.values()) > 100,
        ({"": 0, "a": 101},),
    ),
    Problem(
        "matrix column",
        _matrices,
        lambda rows: any(sum(column) > 10 for column in zip(*rows)),
        ([[2], [9]],),
    ),
    Problem("stack machine", _programs, _overflows, ([("push", 1), ("push", 100), ("add",)],)),
    Problem(
        "permutation", lambda g: g.permutations(list(range(6))), lambda p: p[-1] != 5, _swaps_with_last(6)
    ),
    Problem(
        "float square",
        lambda g: g.floats(allow_nan=False, allow_infinity=False),
        lambda x: x * x > 2 and x != int(x),
        (1.5,),
    ),
    Problem(
        "set sum",
        lambda g: g.sets(g.integers(0, 100)),
        lambda numbers: len(numbers) > 2 and sum(numbers) > 50,
        ({0, 1, 50},),
    ),
    Problem("mutual recursion", _statements, _sets_a_negation, (("let", ("set", ("neg", 0)), 0),)),
    Problem("nested document", _nested_documents, _list_in_dictionary_in_list, ([{"": []}],)),
    Problem(
        "words of one length",
        lambda g: g.lists(g.text("xyz")),
        lambda words: any(a != b and len(a) == len(b) > 1 for a in words for b in words),
        (["xx", "xy"],),
    ),
    Problem("bound5, longer lists", _long_bound5_inputs, _long_bound5, _two_places([-1], [-32768], [], 5)),
)


# --- held out -------------------------------------------------------------------------------------------


def _intervals(g: Any) -> Any:
    @g.composite
    def intervals(draw: Any) -> tuple[int, int]:
        low = draw(g.integers(0, 1000))
        return low, draw(g.integers(low, 1000))

    return g.lists(intervals())


def _overlap(intervals: list[tuple[int, int]]) -> bool:
    return any(a < d and c < b for i, (a, b) in enumerate(intervals) for c, d in intervals[i + 1 :])


def _loops(g: Any) -> Any:
    @g.composite
    def loops(draw: Any) -> list[tuple[int, str]]:
        items = []
        while draw(g.integers(0, 4)):
            items.append((draw(g.integers(0, 9)), draw(g.text("ab", max_size=3))))
        return items

    return loops()


def _trees(g: Any) -> Any:
    tree: Any = g.deferred(lambda: g.one_of(g.none(), g.tuples(g.integers(0, 9), tree, tree)))
    return tree


def _heaviest_path(tree: Any) -> int:
    return 0 if tree is None else tree[0] + max(_heaviest_path(tree[1]), _heaviest_path(tree[2]))


HELD_OUT = (
    Problem(
        "common element",
        lambda g: g.tuples(g.lists(g.integers(0, 100)), g.lists(g.integers(0, 100))),
        lambda pair: min(map(len, pair)) > 1 and bool(set(pair[0]) & set(pair[1])),
        (([0, 0], [0, 0]),),
    ),
    Problem("overlapping intervals", _intervals, _overlap, ([(0, 1), (0, 1)],)),
    Problem(
        "over budget",
        lambda g: g.integers(1, 20).flatmap(
            lambda n: g.tuples(g.just(n), g.lists(g.integers(0, n), max_size=n))
        ),
        lambda case: sum(case[1]) > 2 * case[0],
        ((3, [1, 3, 3]),),
    ),
    Problem(
        "last of the month",
        lambda g: g.dates(),
        lambda date: date.day == 31 and date.year >= 2000,
        (datetime.date(2000, 1, 31),),
    ),
    Problem(
        "loop until false",
        _loops,
        lambda items: sum(number > 5 and text != "" for number, text in items) > 1,
        ([(6, "a"), (6, "a")],),
    ),
    Problem(
        "heavy path", _trees, lambda tree: _heaviest_path(tree) > 20, ((3, None, (9, None, (9, None, None))),)
    ),
    Problem(
        "mixed list",
        lambda g: g.lists(g.one_of(g.integers(), g.text("ab"), g.booleans())),
        lambda items: {str, bool} <= {type(item) for item in items},
        (["", False], [False, ""]),
    ),
)
