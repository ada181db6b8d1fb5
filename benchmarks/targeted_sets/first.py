"""Ten search problems from textbooks that nothing was tuned on.

Their author wrote them before reading the code of the search and its own suite (`targeted_suite.py`). They are run once,
on finished code. Each has a witness: an input that fails the property, so each problem can be solved.

    python benchmarks/targeted_held_out.py first            # all problems, all searches
    python benchmarks/targeted_held_out.py first --witness  # only check the witnesses
"""

from __future__ import annotations

import argparse
import random
import statistics
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from everycase import Phase, check, gen, maximize, minimize
from everycase.explore import Anneal, Auto, Climb, Random


@dataclass(frozen=True)
class Problem:
    name: str
    gens: tuple[Any, ...]
    test: Callable[..., None]
    witness: tuple[Any, ...]
    """An input that fails, for the reader and for `--witness`."""


# Euclid's algorithm is slowest on neighbouring Fibonacci numbers (Lamé). Random pairs take about 12 steps.


def euclid(a: int, b: int) -> None:
    steps = 0
    while b:
        a, b = b, a % b
        steps += 1
    maximize(steps)
    assert steps < 24


# A naive string search makes len(text) * len(pattern) comparisons in the worst case.


def naive_matching(text: str, pattern: str) -> None:
    compared = 0
    for start in range(len(text) - len(pattern) + 1):
        for offset, letter in enumerate(pattern):
            compared += 1
            if text[start + offset] != letter:
                break
    maximize(compared)
    assert compared < 400


# Sixteen queens, one per row and column, so only diagonals count. One permutation in 1.4 million is a solution.


def queens(columns: list[int]) -> None:
    rising = len(columns) - len({row + column for row, column in enumerate(columns)})
    falling = len(columns) - len({row - column for row, column in enumerate(columns)})
    minimize(rising + falling)
    assert rising + falling > 0


# Split numbers into two halves with equal sums.

_dice = random.Random(1969)
HEAP = [_dice.randrange(1, 20_000) for _ in range(23)]
HEAP.append(sum(HEAP[:12]) - sum(HEAP[12:]))
if HEAP[-1] < 0:
    HEAP[-1] = -HEAP[-1]
_SIDES = [True] * 12 + [False] * 12
if sum(HEAP[:12]) > sum(HEAP[12:23]) + HEAP[23]:
    _SIDES[-1] = True


def partition(sides: list[bool]) -> None:
    left = sum(number for number, side in zip(HEAP, sides, strict=True) if side)
    minimize(abs(sum(HEAP) - 2 * left))
    assert 2 * left != sum(HEAP)


# Bellman-Ford relaxes all edges in the given order until nothing changes. The worst case is n - 1 passes, for a path
# whose edges are listed from its end.


def bellman_ford(edges: list[tuple[int, int, int]]) -> None:
    distance = {0: 0}
    passes = 0
    changed = True
    while changed and passes < 20:
        changed = False
        for source, target, length in edges:
            if source in distance and distance[source] + length < distance.get(target, 10**9):
                distance[target] = distance[source] + length
                changed = True
        passes += changed
    maximize(passes)
    assert passes < 10


# Belady's anomaly: first in, first out can have more page faults with four frames than with three.


def faults(pages: list[int], frames: int) -> int:
    held: list[int] = []
    count = 0
    for page in pages:
        if page not in held:
            count += 1
            held.append(page)
            if len(held) > frames:
                held.pop(0)
    return count


BELADY = [int(page) for page in "221246216325143256411231643132354262635516143541142465212"]


def belady(pages: list[int]) -> None:
    worse = faults(pages, 4) - faults(pages, 3)
    maximize(worse)
    assert worse < 8


# A soft landing: thirty bursts of thrust against gravity, from 100 m up; touch the ground slowly and near the end.


def landing(thrusts: list[float]) -> None:
    height, speed = 100.0, 0.0
    for thrust in thrusts:
        speed += (thrust * 4.0 - 1.62) * 1.0
        height += speed
    off = abs(height) + 5 * abs(speed)
    minimize(off)
    assert off > 0.5


# Stigler's diet, small: enough of two nutrients for little money. The two labels conflict.

FOODS = [(9, 4, 5), (14, 2, 6), (3, 11, 5), (6, 6, 5), (1, 15, 8), (20, 1, 11), (7, 9, 7), (2, 2, 1)]
"""Protein, iron, price."""


def diet(servings: list[int]) -> None:
    protein = sum(count * food[0] for count, food in zip(servings, FOODS, strict=True))
    iron = sum(count * food[1] for count, food in zip(servings, FOODS, strict=True))
    price = sum(count * food[2] for count, food in zip(servings, FOODS, strict=True))
    minimize(price, label="price")
    maximize(min(protein, 100) + min(iron, 100), label="food")
    assert not (protein >= 100 and iron >= 100 and price <= 76)


# The digits game: an expression of digits whose value is exactly 1,729.

EXPRESSIONS = gen.recursive(
    gen.integers(1, 9),
    lambda inner: gen.tuples(gen.sampled_from("+-*"), inner, inner),
    max_leaves=12,
)


def worth(expression: Any) -> int:
    if isinstance(expression, int):
        return expression
    sign, left, right = expression
    a, b = worth(left), worth(right)
    return a + b if sign == "+" else a - b if sign == "-" else a * b


def digits_game(expression: Any) -> None:
    value = worth(expression)
    minimize(abs(value - 1729))
    assert value != 1729


# Union by size keeps trees of 32 elements at depth 5 or less. Depth 5 needs trees of equal size joined in equal rounds.


def union_by_size(pairs: list[tuple[int, int]]) -> None:
    parent = list(range(32))
    size = [1] * 32

    def root(element: int) -> tuple[int, int]:
        depth = 0
        while parent[element] != element:
            element = parent[element]
            depth += 1
        return element, depth

    for a, b in pairs:
        (a, _), (b, _) = root(a), root(b)
        if a != b:
            if size[a] < size[b]:
                a, b = b, a
            parent[b] = a
            size[a] += size[b]
    deepest = max(root(element)[1] for element in range(32))
    maximize(deepest)
    assert deepest < 5


def _rounds() -> list[tuple[int, int]]:
    return [(start, start + width) for width in (1, 2, 4, 8, 16) for start in range(0, 32, 2 * width)]


NODES = gen.integers(0, 10)
PROBLEMS = [
    Problem("Euclid", (gen.integers(1, 10**6), gen.integers(1, 10**6)), euclid, (832040, 514229)),
    Problem(
        "naive matching",
        (gen.text("ab", max_size=60), gen.text("ab", min_size=1, max_size=12)),
        naive_matching,
        ("a" * 60, "a" * 11 + "b"),
    ),
    Problem(
        "16 queens",
        (gen.permutations(list(range(16))),),
        queens,
        ([8, 10, 0, 14, 11, 4, 1, 7, 13, 15, 3, 12, 6, 9, 2, 5],),
    ),
    Problem("equal heaps", (gen.lists(gen.booleans(), min_size=24, max_size=24),), partition, (_SIDES,)),
    Problem(
        "Bellman-Ford",
        (gen.lists(gen.tuples(NODES, NODES, gen.integers(1, 20)), max_size=40),),
        bellman_ford,
        ([(node, node + 1, 1) for node in range(9, -1, -1)],),
    ),
    Problem("Belady", (gen.lists(gen.integers(1, 6), max_size=60),), belady, (BELADY,)),
    Problem(
        "soft landing",
        (gen.lists(gen.floats(0, 1), min_size=30, max_size=30),),
        landing,
        ([(1.62 - 4 / 9) / 4] * 15 + [(1.62 + 4 / 9) / 4] * 15,),
    ),
    Problem(
        "diet",
        (gen.lists(gen.integers(0, 20), min_size=len(FOODS), max_size=len(FOODS)),),
        diet,
        ([0, 5, 8, 0, 0, 0, 0, 3],),
    ),
    Problem(
        "digits game",
        (EXPRESSIONS,),
        digits_game,
        (("+", ("*", ("*", 9, 8), ("*", 8, 3)), 1),),
    ),
    Problem(
        "union by size",
        (gen.lists(gen.tuples(gen.integers(0, 31), gen.integers(0, 31)), max_size=60),),
        union_by_size,
        (_rounds(),),
    ),
]


SEARCHES: dict[str, Callable[[], Any]] = {"default": Auto, "climb": Climb, "anneal": Anneal, "random": Random}
CAP = 20_000


def fails(problem: Problem) -> bool:
    """Check that the witness fails the property, without a search."""
    report = check(lambda _: problem.test(*problem.witness), gen.just(None), max_examples=1, database=None)
    return report.status == "failed" and isinstance(report.error, AssertionError)


def row(problem: Problem, search: Callable[[], Any], seeds: int) -> str:
    """How many seeds found the failure, and the mean number of tests of those seeds."""
    found = []
    for seed in range(seeds):
        report = check(
            problem.test,
            *problem.gens,
            explore=search(),
            max_examples=CAP,
            seed=seed,
            database=None,
            phases=[Phase.explore],
        )
        if report.failed_at is not None:
            found.append(report.failed_at)
    return f"{len(found)}/{seeds} {statistics.mean(found):,.0f}" if found else f"0/{seeds}"


def main(problems: list[Problem] = PROBLEMS) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--witness", action="store_true", help="only check that each witness fails")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--only", default="", help="only problems whose name contains this text")
    parser.add_argument("--searches", default=",".join(SEARCHES))
    arguments = parser.parse_args()
    if arguments.witness:
        for problem in problems:
            print(f"{problem.name:16} {'fails' if fails(problem) else 'PASSES'}")
        return
    names = arguments.searches.split(",")
    print(f"{'problem':16}" + "".join(f"{name:>16}" for name in names))
    for problem in problems:
        if arguments.only in problem.name:
            cells = [row(problem, SEARCHES[name], arguments.seeds) for name in names]
            print(f"{problem.name:16}" + "".join(f"{cell:>16}" for cell in cells), flush=True)


def run() -> None:
    main()
