"""An eighth set of ten problems, written before anything was measured on them and before their author had read the search.

In half of them the test reports nothing and only asserts: the default has to read the goal from the assertion. The other
strategies and Hypothesis are told the same number with ``maximize`` and ``target()``.

    python benchmarks/targeted_held_out.py eighth             # all strategies, Random, and Hypothesis
    python benchmarks/targeted_held_out.py eighth --witness   # only check that each problem has an answer
"""

from __future__ import annotations

import heapq
import math
from collections import Counter, deque
from collections.abc import Callable
from itertools import product
from typing import Any

from targeted_sets.sixth import main, told
from targeted_suite import Judged, Problem

# --- the test reports --------------------------------------------------------------------------------------

# A number below ten million from which Collatz' sequence takes long to reach 1.


def collatz(n: int) -> Judged:
    steps = 0
    while n > 1:
        n = 3 * n + 1 if n % 2 else n // 2
        steps += 1
    return {"": steps}, steps >= 460


# A word in which every five bits occur (de Bruijn).


def windows(word: str) -> Judged:
    seen = len({word[i : i + 5] for i in range(len(word) - 4)})
    return {"": seen}, seen == 32


# Twelve frequencies for which a Huffman code needs eleven bits for the rarest letter.


def huffman(frequencies: list[int]) -> Judged:
    heap = [(f, i, 0) for i, f in enumerate(frequencies)]
    heapq.heapify(heap)
    for i in range(len(frequencies), 2 * len(frequencies) - 1):
        (a, _, high), (b, _, low) = heapq.heappop(heap), heapq.heappop(heap)
        heapq.heappush(heap, (a + b, i, 1 + max(high, low)))
    return {"": heap[0][2]}, heap[0][2] >= 11


# Sixteen queens of whom none attacks another.


def queens(rows: list[int]) -> Judged:
    falling = Counter(row - column for column, row in enumerate(rows))
    rising = Counter(row + column for column, row in enumerate(rows))
    attacks = sum(n - 1 for n in (*falling.values(), *rising.values()))
    return {"": -attacks}, attacks == 0


# Brackets of three kinds, balanced, with all three kinds open eight deep: two goals.


def brackets(word: str) -> Judged:
    opened: list[str] = []
    wrong, depth = 0, 0
    for char in word:
        if char in "([{":
            opened.append(char)
            if len(set(opened)) == 3:
                depth = max(depth, len(opened))
        elif opened and opened[-1] + char in ("()", "[]", "{}"):
            opened.pop()
        else:
            wrong += 1
    wrong += len(opened)
    return {"wrong": -wrong, "depth": depth}, not wrong and depth >= 8


# --- the test only asserts ---------------------------------------------------------------------------------

# A network with two sides that can be painted with two colours, for which taking the first free colour needs six.


def colours(edges: list[tuple[int, int]]) -> int:
    chosen: dict[int, int] = {}
    for vertex in range(14):
        taken = {
            chosen.get(2 * a if vertex % 2 else 2 * b + 1)
            for a, b in edges
            if vertex == (2 * b + 1 if vertex % 2 else 2 * a)
        }
        chosen[vertex] = next(colour for colour in range(14) if colour not in taken)
    return 1 + max(chosen.values())


def few_colours(edges: list[tuple[int, int]]) -> None:
    used = colours(edges)
    assert used < 6, f"{used} colours"


# Bytes with one particular checksum (Fletcher).


def fletcher(content: bytes) -> int:
    low = high = 0
    for byte in content:
        low = (low + byte) % 255
        high = (high + low) % 255
    return 256 * high + low


def never_this_sum(content: bytes) -> None:
    assert fletcher(content) != 0xBEEF


# The variance as the textbook has it (mean of the squares less the square of the mean) is below zero.


def variance(values: list[float]) -> float:
    return sum(x * x for x in values) / len(values) - (sum(values) / len(values)) ** 2


def has_no_negative_variance(values: list[float]) -> None:
    if len(set(values)) > 2:
        assert variance(values) >= 0


def told_variance(values: list[float]) -> float:
    return -variance(values) if len(set(values)) > 2 else -1e18


# A directed network whose shortest cycle is long.


def shortest_cycle(network: dict[int, set[int]]) -> int:
    lengths = []
    for start in network:
        far, todo = {start: 0}, deque([start])
        while todo:
            here = todo.popleft()
            for there in network.get(here, ()):
                if there == start:
                    lengths.append(far[here] + 1)
                    todo.clear()
                    break
                if there not in far:
                    far[there] = far[here] + 1
                    todo.append(there)
    return min(lengths, default=0)


def cycles_are_short(network: dict[int, set[int]]) -> None:
    assert shortest_cycle(network) <= 7


# A fraction, found by halving (Stern and Brocot), that is very near to pi: 355/113 or one as good.


def fraction(data: Any, g: Any) -> float:
    (a, b), (c, d) = (0, 1), (1, 0)
    for _ in range(60):
        turn = data.draw(g.sampled_from(["stop", "left", "right", "left", "right"]))
        if turn == "stop":
            break
        if turn == "left":
            c, d = a + c, b + d
        else:
            a, b = a + c, b + d
    return abs((a + c) / (b + d) - math.pi)


def never_near_pi(data: Any) -> None:
    from everycase import gen

    off = fraction(data, gen)
    assert not off < 3e-6


PROBLEMS = [
    Problem("Collatz", lambda g: g.integers(1, 10**7), collatz),
    Problem("windows", lambda g: g.text("01", min_size=36, max_size=36), windows),
    Problem("Huffman", lambda g: g.lists(g.integers(1, 1000), min_size=12, max_size=12), huffman),
    Problem("queens", lambda g: g.permutations(list(range(16))), queens),
    Problem("brackets", lambda g: g.text("()[]{}", max_size=40), brackets),
    Problem(
        "colours*",
        lambda g: g.lists(g.tuples(g.integers(0, 6), g.integers(0, 6)), max_size=40),
        told(colours, lambda reached: reached >= 6),
    ),
    Problem(
        "checksum*",
        lambda g: g.binary(max_size=12),
        told(lambda content: -abs(fletcher(content) - 0xBEEF), lambda reached: reached == 0),
    ),
    Problem(
        "variance*",
        lambda g: g.lists(g.floats(0.0, 1e8), min_size=3, max_size=6),
        told(told_variance, lambda reached: reached > 0),
    ),
    Problem(
        "shortest cycle*",
        lambda g: g.dictionaries(g.integers(0, 9), g.sets(g.integers(0, 9), max_size=4), max_size=10),
        told(shortest_cycle, lambda reached: reached >= 8),
    ),
    Problem(
        "near pi*",
        lambda g: g.data(),
        told(lambda data, g: -fraction(data, g), lambda reached: -reached < 3e-6),
        draws=True,
    ),
]

ASSERTIONS: dict[str, Callable[[Any], None]] = {
    "colours*": few_colours,
    "checksum*": never_this_sum,
    "variance*": has_no_negative_variance,
    "shortest cycle*": cycles_are_short,
    "near pi*": never_near_pi,
}


def witnesses() -> None:
    """An answer to each problem, where one is known without a search, and what the problem says about it."""
    known = "0000"
    while len(known) < 36:  # the greedy rule: a 1 wherever that makes a new window
        known += "1" if known[-4:] + "1" not in known else "0"
    fibonacci = [1, 1]
    while len(fibonacci) < 12:
        fibonacci.append(sum(fibonacci[-2:]))
    ring = {i: {(i + 1) % 9} for i in range(9)}
    answers: dict[str, Any] = {
        "Collatz": 8_400_511,
        "windows": known,
        "Huffman": fibonacci,
        "queens": [1, 3, 5, 7, 9, 11, 13, 15, 0, 2, 4, 6, 8, 10, 12, 14],
        "brackets": "([{([{([" + "])}])}])",
        "colours*": [(a, b) for a in range(7) for b in range(7) if a != b],
        "checksum*": next(
            bytes((a, b, c))
            for a, b, c in product(range(256), repeat=3)
            if fletcher(bytes((a, b, c))) == 0xBEEF
        ),
        "variance*": [70_329_669.0, 70_329_669.25, 70_329_669.5],
        "shortest cycle*": ring,
    }
    for problem in PROBLEMS:
        if problem.name in answers:
            print(f"{problem.name:26}", problem.judge(answers[problem.name]))


def run() -> None:
    main(PROBLEMS, ASSERTIONS, witnesses)
