"""A seventh set of twelve search problems, written before anything was measured on them.

In half of them the test reports nothing and only asserts: the default has to read the goal from the assertion. The other
strategies and Hypothesis are told the same number with ``maximize`` and ``target()``.

    python benchmarks/targeted_held_out.py seventh             # all strategies, Random, and Hypothesis
    python benchmarks/targeted_held_out.py seventh --witness   # only check that each problem has an answer
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import combinations
from typing import Any

from targeted_sets.sixth import main, told
from targeted_suite import Judged, Problem

# --- the test reports --------------------------------------------------------------------------------------

# Two words with the same letters that are as many edits apart as they have letters: two goals that conflict.


def edits(one: str, other: str) -> int:
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        diagonal, row[0] = row[0], i
        for j, b in enumerate(other, 1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (a != b))
    return row[-1]


def anagrams(pair: tuple[str, str]) -> Judged:
    one, other = pair
    odd = sum(abs(one.count(letter) - other.count(letter)) for letter in "abcdef")
    far = edits(one, other)
    return {"same letters": -odd, "far apart": far}, odd == 0 and far >= 14


# A balanced tree (AVL) that rotates at nearly every insertion.


class _Tree:
    def __init__(self) -> None:
        self.rotations = 0

    def insert(self, node: Any, key: int) -> Any:
        if node is None:
            return (None, key, None, 1)
        left, here, right, _ = node
        if key < here:
            left = self.insert(left, key)
        else:
            right = self.insert(right, key)
        return self.balanced(left, here, right)

    def balanced(self, left: Any, key: int, right: Any) -> Any:
        lean = _height(left) - _height(right)
        if lean > 1:
            if _height(left[0]) < _height(left[2]):
                left = self.turned(left, True)
            return self.turned(_node(left, key, right), False)
        if lean < -1:
            if _height(right[2]) < _height(right[0]):
                right = self.turned(right, False)
            return self.turned(_node(left, key, right), True)
        return _node(left, key, right)

    def turned(self, node: Any, to_the_left: bool) -> Any:
        self.rotations += 1
        left, key, right, _ = node
        if to_the_left:
            return _node(_node(left, key, right[0]), right[1], right[2])
        return _node(left[0], left[1], _node(left[2], key, right))


def _height(node: Any) -> int:
    return node[3] if node else 0


def _node(left: Any, key: int, right: Any) -> Any:
    return (left, key, right, 1 + max(_height(left), _height(right)))


def rotations(order: list[int]) -> Judged:
    tree, root = _Tree(), None
    for key in order:
        root = tree.insert(root, key)
    return {"": tree.rotations}, tree.rotations >= 24


# Text that LZ78 cuts into nearly as many phrases as there can be.


def phrases(source: str) -> Judged:
    known: set[str] = set()
    phrase, count = "", 0
    for letter in source:
        phrase += letter
        if phrase not in known:
            known.add(phrase)
            phrase, count = "", count + 1
    return {"": count}, count >= 35


# Six blocks of six switches; a block counts only when it is complete.


def royal_road(switches: list[bool]) -> Judged:
    complete = sum(all(switches[i : i + 6]) for i in range(0, 36, 6))
    return {"": complete}, complete == 6


# Rastrigin's function in three dimensions: a valley with about ten thousand others in it.


def rastrigin(point: tuple[float, ...]) -> Judged:
    value = sum((x - 1.3) ** 2 - 10 * math.cos(2 * math.pi * (x - 1.3)) + 10 for x in point)
    return {"": -value}, value <= 0.5


# A ruler with eight marks of length at most 44 that measures each distance in one way only.


def ruler(marks: set[int]) -> Judged:
    apart = [abs(a - b) for a, b in combinations(marks, 2)]
    return {"": len(set(apart)) - len(apart)}, len(set(apart)) == len(apart)


# --- the test only asserts ---------------------------------------------------------------------------------

# Meetings: choosing the shortest one first takes fewer than are possible.


def _disjoint(chosen: list[tuple[int, int]], one: tuple[int, int]) -> bool:
    return all(one[1] <= start or stop <= one[0] for start, stop in chosen)


def too_few(meetings: list[tuple[int, int]]) -> int:
    spans = [(start, start + length) for start, length in meetings]
    greedy: list[tuple[int, int]] = []
    for span in sorted(spans, key=lambda s: (s[1] - s[0], s)):
        if _disjoint(greedy, span):
            greedy.append(span)
    best, free = 0, -1
    for start, stop in sorted(spans, key=lambda s: s[1]):
        if start >= free:
            best, free = best + 1, stop
    return best - len(greedy)


def shortest_first(meetings: list[tuple[int, int]]) -> None:
    assert too_few(meetings) <= 3, "the shortest first is a bad rule"


# Parcels go into the last box or a new one: far more boxes than the volume needs.


def wasted(parcels: list[float]) -> int:
    boxes, room = 0, 0.0
    for parcel in parcels:
        if parcel > room:
            boxes, room = boxes + 1, 1.0
        room -= parcel
    return boxes - math.ceil(sum(parcels))


def next_fit(parcels: list[float]) -> None:
    limit = 12
    enough = wasted(parcels) < limit
    assert enough


# An account whose interest is rounded at each deposit: an error of some cents.


def _deposits(g: Any) -> Any:
    @g.composite
    def deposits(draw: Any) -> tuple[int, list[int]]:
        rate = draw(g.integers(1, 500))
        amounts = [draw(g.integers(1, 10_000))]
        while len(amounts) < 20 and draw(g.booleans()):
            amounts.append(draw(g.integers(1, 10_000)))
        return rate, amounts

    return deposits()


def drift(account: tuple[int, list[int]]) -> float:
    rate, amounts = account
    exact, rounded = 0.0, 0
    for amount in amounts:
        exact = exact + amount * (1 + rate / 10_000)
        rounded = rounded + amount + amount * rate // 10_000
    return exact - rounded


def hardly_drifts(account: tuple[int, list[int]]) -> None:
    if not drift(account) < 14:
        raise ValueError("cents are missing")


# A walk that the test draws, each step bounded by the one before it, to one particular place.


def off_course(data: Any, g: Any) -> int:
    x, y, step = 0, 0, 400
    for _ in range(data.draw(g.integers(0, 12))):
        dx, dy = data.draw(g.integers(-step, step)), data.draw(g.integers(-step, step))
        x, y, step = x + dx, y + dy, max(1, abs(dx) + abs(dy))
    return abs(x - 1234) + abs(y + 777)


def never_there(data: Any) -> None:
    from everycase import gen

    assert (left := off_course(data, gen)) > 0, f"{left} steps left"


# Digits with a check digit (Luhn) that are also a multiple of 97 and have a large sum.


def misfit(digits: str) -> int:
    luhn = sum(sum(divmod(int(d) * (1 + place % 2), 10)) for place, d in enumerate(digits[::-1]))
    return luhn % 10 + int(digits) % 97 + abs(sum(map(int, digits)) - 120)


def no_such_number(digits: str) -> None:
    assert misfit(digits) > 0 or len(digits) != 18


# A queue of tasks with priorities and one lock: the most urgent task waits for long although it could run.


def inversion(tasks: list[tuple[int, int, int, bool]]) -> int:
    """The longest time that a task of the highest priority is kept waiting by tasks of the middle one."""
    left = [[arrival, priority, length, locks] for arrival, priority, length, locks in tasks]
    holder, waited = None, dict.fromkeys(range(len(left)), 0)
    for now in range(60):
        ready = [i for i, task in enumerate(left) if task[0] <= now and task[2]]
        runnable = [i for i in ready if not left[i][3] or holder in (None, i)]
        if not runnable:
            continue
        runs = max(runnable, key=lambda i: (left[i][1], -i))
        if left[runs][3]:
            holder = runs
        left[runs][2] -= 1
        if not left[runs][2] and holder == runs:
            holder = None
        for i in ready:
            if i not in runnable and left[i][1] == 2 and left[runs][1] == 1:
                waited[i] += 1
    return max(waited.values(), default=0)


def urgent_tasks_run(tasks: list[tuple[int, int, int, bool]]) -> None:
    longest = inversion(tasks)
    assert longest in range(30)


PROBLEMS = [
    Problem("anagrams", lambda g: g.tuples(*[g.text("abcdef", max_size=20)] * 2), anagrams),
    Problem("rotations", lambda g: g.permutations(list(range(30))), rotations),
    Problem("phrases", lambda g: g.text("abcdefgh", min_size=64, max_size=64), phrases),
    Problem("royal road", lambda g: g.lists(g.booleans(), min_size=36, max_size=36), royal_road),
    Problem("Rastrigin", lambda g: g.tuples(*[g.floats(-5.0, 5.0)] * 3), rastrigin),
    Problem("ruler", lambda g: g.sets(g.integers(0, 44), min_size=8, max_size=8), ruler),
    Problem(
        "shortest first*",
        lambda g: g.lists(g.tuples(g.integers(0, 40), g.integers(1, 12)), max_size=24),
        told(too_few, lambda reached: reached >= 4),
    ),
    Problem(
        "next fit*",
        lambda g: g.lists(g.floats(0.0, 1.0), max_size=30),
        told(wasted, lambda reached: reached >= 12),
    ),
    Problem("drift*", _deposits, told(drift, lambda reached: reached >= 14)),
    Problem(
        "walk*",
        lambda g: g.data(),
        told(lambda data, g: -off_course(data, g), lambda reached: reached == 0),
        draws=True,
    ),
    Problem(
        "check digits*",
        lambda g: g.text("0123456789", min_size=18, max_size=18),
        told(lambda digits: -misfit(digits), lambda reached: reached == 0),
    ),
    Problem(
        "inversion*",
        lambda g: g.lists(
            g.tuples(g.integers(0, 20), g.integers(0, 2), g.integers(1, 10), g.booleans()), max_size=10
        ),
        told(inversion, lambda reached: reached >= 30),
    ),
]

ASSERTIONS: dict[str, Callable[[Any], None]] = {
    "shortest first*": shortest_first,
    "next fit*": next_fit,
    "drift*": hardly_drifts,
    "walk*": never_there,
    "check digits*": no_such_number,
    "inversion*": urgent_tasks_run,
}


def witnesses() -> None:
    """An answer to each problem, where one is known without a search, and what the problem says about it."""
    answers: dict[str, Any] = {
        "anagrams": ("abcdef" * 3, "fedcba" * 3),
        "royal road": [True] * 36,
        "Rastrigin": (1.3, 1.3, 1.3),
        "ruler": {0, 1, 4, 9, 15, 22, 32, 34},
        "next fit*": [0.01, 1.0] * 13,
        "inversion*": [(0, 0, 2, True), (1, 2, 1, True), *[(1, 1, 10, False)] * 4],
        "drift*": (1, [9999] * 20),
        "shortest first*": [
            (start + off, size) for start in (0, 12, 24, 36) for off, size in ((0, 5), (4, 2), (5, 5))
        ],
    }
    for problem in PROBLEMS:
        if problem.name in answers:
            print(f"{problem.name:26}", problem.judge(answers[problem.name]))


def run() -> None:
    main(PROBLEMS, ASSERTIONS, witnesses)
