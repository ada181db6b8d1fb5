"""Ten further search problems, written before their author had read the search or the other problems.

They are run once on finished code, and the results are reported unchanged. Nothing was tuned on them.

    python benchmarks/targeted_held_out.py third            # all problems, all searches
    python benchmarks/targeted_held_out.py third --witness  # only check the witnesses
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

from targeted_sets.first import Problem, main
from targeted_sets.second import Scripted

from everycase import gen, maximize, minimize

# Paying with the largest coin first is bad if two coins have similar values.


def greedy_change(coins: list[int], amount: int) -> None:
    coins = [1, *coins]
    fewest = [0]
    for value in range(1, amount + 1):
        fewest.append(1 + min(fewest[value - coin] for coin in coins if coin <= value))
    left, paid = amount, 0
    for coin in sorted(coins, reverse=True):
        paid, left = paid + left // coin, left % coin
    maximize(paid - fewest[amount])
    assert paid - fewest[amount] < 40


# Union-find without ranks and path compression can grow a tree that is a chain.


def union_find(unions: list[tuple[int, int]]) -> None:
    parent = list(range(16))

    def path(x: int) -> list[int]:
        nodes = [x]
        while parent[nodes[-1]] != nodes[-1]:
            nodes.append(parent[nodes[-1]])
        return nodes

    for a, b in unions:
        parent[path(a)[-1]] = path(b)[-1]
    height = max(len(path(x)) - 1 for x in range(16))
    maximize(height)
    assert height < 12


# A square-free word: no block of letters occurs twice in a row (Thue: over three letters there are infinite ones).


def square_free(word: str) -> None:
    good = 0
    for end in range(1, len(word) + 1):
        if any(word[end - 2 * n : end - n] == word[end - n : end] for n in range(1, end // 2 + 1)):
            break
        good = end
    maximize(good)
    assert good < 30


# A string of 36 bits has 32 windows of five bits; in a de Bruijn sequence they are all different.


def windows(bits: list[bool]) -> None:
    different = len({tuple(bits[i : i + 5]) for i in range(32)})
    maximize(different)
    assert different < 30


# Marks on a ruler whose distances are all different.


def golomb(marks: list[int]) -> None:
    distances = len({abs(a - b) for a, b in combinations(marks, 2)})
    maximize(distances)
    assert distances < 21


# Three numbers whose first three power sums are those of 1, 2 and 3.


def power_sums(x: float, y: float, z: float) -> None:
    off = abs(x + y + z - 6) + abs(x * x + y * y + z * z - 14) + abs(x**3 + y**3 + z**3 - 36)
    minimize(off)
    assert off >= 0.05


# A graph that is built to be three-colourable.

COLORS = {i: i % 3 for i in range(24)}
EDGES = [
    (i, j)
    for i, j in combinations(range(24), 2)
    if COLORS[i] != COLORS[j] and (7 * i * i + 3 * j * j + i * j) % 5 < 2
]


def coloring(colors: dict[int, int]) -> None:
    conflicts = sum(colors[i] == colors[j] for i, j in EDGES)
    minimize(conflicts)
    assert conflicts > 0


# The Strahler number of a binary tree is n if it contains a complete tree of 2**(n-1) leaves.


def _strahler(tree: Any) -> int:
    if tree is None:
        return 1
    left, right = _strahler(tree[0]), _strahler(tree[1])
    return left + 1 if left == right else max(left, right)


def strahler(tree: Any) -> None:
    number = _strahler(tree)
    maximize(number)
    assert number < 6


def _complete(depth: int) -> Any:
    return None if depth == 0 else (_complete(depth - 1), _complete(depth - 1))


TREES: Any = gen.deferred(lambda: gen.none() | gen.tuples(TREES, TREES))


# Two goals that compete for the positions of a word.


def vowels(word: str) -> None:
    count = sum(letter in "aeiou" for letter in word)
    longest = run = 0
    for letter in word:
        run = 0 if letter in "aeiou" else run + 1
        longest = max(longest, run)
    maximize(count, label="vowels")
    maximize(longest, label="consonants in a row")
    assert count < 14 or longest < 9


# A knight's walk whose moves are drawn inside the test; moves that leave the board are skipped.

STEPS = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]


def knight(data: Any) -> None:
    at, seen = (0, 0), {(0, 0)}
    for _ in range(data.draw(gen.integers(0, 60))):
        dx, dy = STEPS[data.draw(gen.integers(0, 7))]
        to = (at[0] + dx, at[1] + dy)
        if 0 <= to[0] < 6 and 0 <= to[1] < 6:
            at = to
            seen.add(to)
    maximize(len(seen))
    assert len(seen) < 28


def _thue(length: int) -> str:
    """A square-free word: a fixed point of a -> abc, b -> ac, c -> b."""
    word = "a"
    while len(word) < length:
        word = "".join({"a": "abc", "b": "ac", "c": "b"}[letter] for letter in word)
    return word[:length]


def _warnsdorff() -> list[int]:
    """A knight's walk over the board: always move to the square with the fewest onward moves."""
    at, seen, moves = (0, 0), {(0, 0)}, []

    def ways(square: tuple[int, int]) -> list[tuple[int, tuple[int, int]]]:
        squares = [(i, (square[0] + dx, square[1] + dy)) for i, (dx, dy) in enumerate(STEPS)]
        return [(i, s) for i, s in squares if min(s) >= 0 and max(s) < 6 and s not in seen]

    while ways(at):
        move, at = min(ways(at), key=lambda way: len(ways(way[1])))
        seen.add(at)
        moves.append(move)
    return moves


_SIDE = gen.floats(-100, 100)
_ELEMENT = gen.integers(0, 15)
_WALK = _warnsdorff()
RULER = [0, 1, 4, 10, 18, 23, 25]

PROBLEMS = [
    Problem(
        "greedy change",
        (gen.lists(gen.integers(2, 60), max_size=4), gen.integers(1, 120)),
        greedy_change,
        ([59, 60], 118),
    ),
    Problem(
        "union-find",
        (gen.lists(gen.tuples(_ELEMENT, _ELEMENT), max_size=40),),
        union_find,
        ([(i, i + 1) for i in range(15)],),
    ),
    Problem("square-free", (gen.text("abc", max_size=50),), square_free, (_thue(30),)),
    Problem(
        "windows",
        (gen.lists(gen.booleans(), min_size=36, max_size=36),),
        windows,
        ([digit == "1" for digit in "000001000110010100111010110111110000"],),
    ),
    Problem(
        "Golomb ruler",
        (gen.lists(gen.integers(0, 30), min_size=7, max_size=7, unique=True),),
        golomb,
        (RULER,),
    ),
    Problem("power sums", (_SIDE, _SIDE, _SIDE), power_sums, (1.0, 2.0, 3.0)),
    Problem(
        "coloring", (gen.fixed_dictionaries({i: gen.integers(0, 2) for i in range(24)}),), coloring, (COLORS,)
    ),
    Problem("Strahler number", (TREES,), strahler, (_complete(5),)),
    Problem("vowels", (gen.text("abcdefghij", max_size=24),), vowels, ("a" * 14 + "b" * 9,)),
    Problem("knight", (gen.data(),), knight, (Scripted([len(_WALK), *_WALK]),)),
]


def run() -> None:
    main(PROBLEMS)
