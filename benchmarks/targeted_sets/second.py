"""Ten further search problems, of other kinds than those of `targeted_suite.py` and `first.py`.

They are run once, on finished code. Each has a witness: an input that fails the property, so each problem can be solved.

    python benchmarks/targeted_held_out.py second            # all problems, all searches
    python benchmarks/targeted_held_out.py second --witness  # only check the witnesses
"""

from __future__ import annotations

import heapq
import math
from bisect import bisect_left
from datetime import datetime, timedelta
from itertools import cycle, product
from typing import Any

from targeted_sets.first import Problem, main

from everycase import gen, maximize, minimize

# Erdős and Szekeres: every permutation of 25 numbers has a monotone subsequence of five. Here none of six is allowed.


def _longest_rising(values: list[int]) -> int:
    ends: list[int] = []
    for value in values:
        place = bisect_left(ends, value)
        ends[place : place + 1] = [value]
    return len(ends)


def monotone(values: list[int]) -> None:
    rising, falling = _longest_rising(values), _longest_rising([-value for value in values])
    minimize(rising + falling)
    assert max(rising, falling) > 5


# A magic square of order three. Eight of the 362,880 permutations are one.


def magic_square(cells: list[int]) -> None:
    rows = [cells[i : i + 3] for i in (0, 3, 6)]
    lines = [*rows, *zip(*rows), cells[0::4], cells[2:7:2]]
    off = sum(abs(sum(line) - 15) for line in lines)
    minimize(off)
    assert off


# The game of life on a 6 x 6 torus: random patterns repeat or die out after 12 generations, 1 in 1,000 after 60.


def life(cells: list[bool]) -> None:
    alive = frozenset(divmod(place, 6) for place, cell in enumerate(cells) if cell)
    around = [(a, b) for a, b in product((-1, 0, 1), repeat=2) if (a, b) != (0, 0)]
    seen: set[frozenset[tuple[int, int]]] = set()
    while alive and alive not in seen:
        seen.add(alive)
        counts = {
            (x, y): sum(((x + a) % 6, (y + b) % 6) in alive for a, b in around)
            for x, y in product(range(6), repeat=2)
        }
        alive = frozenset(
            cell for cell, count in counts.items() if count == 3 or (count == 2 and cell in alive)
        )
    maximize(len(seen))
    assert len(seen) < 75


# Greedy colouring of a crown graph needs two colours or, in the worst order, as many as there are pairs.


def crown(order: list[int]) -> None:
    colour: dict[int, int] = {}
    for vertex in order:
        used = {colour[other] for other in colour if other // 8 != vertex // 8 and other % 8 != vertex % 8}
        colour[vertex] = next(number for number in range(16) if number not in used)
    colours = max(colour.values()) + 1
    maximize(colours)
    assert colours < 8


# A rate limiter: too many requests within one minute of a day.

DAY = datetime(2026, 3, 1)


def burst(requests: list[datetime]) -> None:
    times = sorted(requests)
    most = max(sum(timedelta() <= other - time < timedelta(minutes=1) for other in times) for time in times)
    maximize(most)
    assert most < 10


# Adding floats one by one loses values that cancel out.


def lossy_sum(numbers: list[float]) -> None:
    exact, added = math.fsum(numbers), 0.0
    for number in numbers:
        added += number  # sum() corrects itself since Python 3.12
    error = abs(added - exact) / abs(exact) if exact else 0.0
    maximize(math.log10(error + 1e-18))
    assert error < 1e-7


# A sorting network for five wires with at most ten comparators (nine would do), checked by the 0-1 principle.


def sorting_network(comparators: list[tuple[int, int]]) -> None:
    wires = [(min(pair), max(pair)) for pair in comparators if pair[0] != pair[1]]
    right = 0
    for bits in product((0, 1), repeat=5):
        values = list(bits)
        for low, high in wires:
            if values[low] > values[high]:
                values[low], values[high] = values[high], values[low]
        right += values == sorted(values)
    maximize(right, "sorted")
    minimize(len(wires), "comparators")
    assert right < 32 or len(wires) > 10


# Lights out: a press toggles a light and its neighbours. The board was made by seven presses.


def _pressed(board: int, place: int) -> int:
    x, y = divmod(place, 4)
    for a, b in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)):
        if 0 <= x + a < 4 and 0 <= y + b < 4:
            board ^= 1 << (4 * (x + a) + y + b)
    return board


PRESSES = [1, 3, 4, 6, 11, 12, 14]


def lights_out(presses: list[int]) -> None:
    board = 0
    for place in PRESSES + presses:
        board = _pressed(board, place)
    minimize(board.bit_count())
    assert board


# The rarer a letter, the longer its code: Huffman's tree is deepest for Fibonacci numbers.


def huffman(counts: dict[str, int]) -> None:
    heap = [(count, place, 0) for place, count in enumerate(counts.values())]
    heapq.heapify(heap)
    number = len(heap)
    while len(heap) > 1:
        (a, _, one), (b, _, other) = heapq.heappop(heap), heapq.heappop(heap)
        heapq.heappush(heap, (a + b, number, 1 + max(one, other)))
        number += 1
    depth = heap[0][2] if heap else 0
    maximize(depth)
    assert depth < 13


# A lock whose keys depend on its state: a wrong key leads back to the beginning.

KEYS = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3]


def lock(data: Any) -> None:
    state = best = 0
    for _ in range(40):
        if data.draw(gen.integers(0, 15)) == 0:
            break
        key = data.draw(gen.integers(0, 9 if state % 2 else 6))
        state = state + 1 if key == KEYS[state] else 0
        best = max(best, state)
        if state == len(KEYS):
            break
    maximize(best)
    assert best < len(KEYS)


class Scripted:
    """A ``data`` object for a witness: it draws the given values."""

    def __init__(self, values: list[Any]) -> None:
        self.values = cycle(values)  # it is run again to confirm that it fails

    def draw(self, _: Any) -> Any:
        return next(self.values)


FIBONACCI = [1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377]
WIRES = [(0, 1), (3, 4), (2, 4), (2, 3), (1, 4), (0, 3), (0, 2), (1, 3), (1, 2)]
_WIRE = gen.integers(0, 4)

PROBLEMS = [
    Problem(
        "monotone",
        (gen.permutations(list(range(25))),),
        monotone,
        ([5 * block + 4 - place for place in range(5) for block in range(5)],),
    ),
    Problem(
        "magic square", (gen.permutations(list(range(1, 10))),), magic_square, ([2, 7, 6, 9, 5, 1, 4, 3, 8],)
    ),
    Problem(
        "life",
        (gen.lists(gen.booleans(), min_size=36, max_size=36),),
        life,
        ([digit == "1" for digit in "010101100000010011000010011101100010"],),
    ),
    Problem(
        "crown",
        (gen.permutations(list(range(16))),),
        crown,
        ([vertex for pair in range(8) for vertex in (pair, pair + 8)],),
    ),
    Problem(
        "burst",
        (gen.lists(gen.datetimes(DAY, DAY + timedelta(days=1)), min_size=30, max_size=30),),
        burst,
        ([DAY] * 30,),
    ),
    Problem(
        "lossy sum",
        (gen.lists(gen.floats(-1e6, 1e6), min_size=10, max_size=10),),
        lossy_sum,
        ([1e6, 1e-5, -1e6] + [0.0] * 7,),
    ),
    Problem(
        "sorting network", (gen.lists(gen.tuples(_WIRE, _WIRE), max_size=30),), sorting_network, (WIRES,)
    ),
    Problem("lights out", (gen.lists(gen.integers(0, 15), max_size=20),), lights_out, (PRESSES,)),
    Problem(
        "Huffman",
        (gen.dictionaries(gen.sampled_from("abcdefghijklmnop"), gen.integers(1, 1000), max_size=16),),
        huffman,
        (dict(zip("abcdefghijklmnop", FIBONACCI)),),
    ),
    Problem("lock", (gen.data(),), lock, (Scripted([x for key in KEYS for x in (1, key)]),)),
]


def run() -> None:
    main(PROBLEMS)
