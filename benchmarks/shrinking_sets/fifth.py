"""A fifth set of problems for the shrinking benchmark. Some moves were developed on it, so it is not held out."""

from __future__ import annotations

import itertools
import math
from typing import Any

from shrinking_sets.problems import Problem


def _queues(g: Any) -> Any:
    """Pushes of numbers and pops, for a queue of bounded capacity."""
    return g.lists(g.one_of(g.just("pop"), g.integers(0, 100)), max_size=20)


def _room_is_exceeded(steps: list[Any]) -> bool:
    inside: list[int] = []
    for step in steps:
        if step != "pop":
            inside.append(step)
        elif inside:
            inside.pop(0)
        if sum(inside) > 150:
            return True
    return False


def _wallets(g: Any) -> Any:
    return g.lists(g.sampled_from([1, 2, 5, 10, 20, 50]), max_size=15)


def _change_is_greedy(coins: list[int]) -> bool:
    return sum(coins) % 7 == 3 and len(set(coins)) > 2


def _is_prime(n: int) -> bool:
    return n > 1 and all(n % d for d in range(2, math.isqrt(n) + 1))


def _trees(g: Any) -> Any:
    return g.recursive(g.integers(0, 50), lambda t: g.tuples(t, t), max_leaves=10)


def _tree_sum(tree: Any) -> int:
    return tree if isinstance(tree, int) else _tree_sum(tree[0]) + _tree_sum(tree[1])


def _tree_depth(tree: Any) -> int:
    return 0 if isinstance(tree, int) else 1 + max(map(_tree_depth, tree))


def _codes(g: Any) -> Any:
    def made(draw: Any) -> tuple[str, int]:
        word = draw(g.text("abcd", min_size=1, max_size=12))
        return word, draw(g.integers(0, len(word) - 1))

    return g.composite(made)()


def _hash(word: str) -> int:
    value = 7
    for letter in word:
        value = (value * 31 + ord(letter)) % 64
    return value


FIFTH = (
    Problem("bits set", lambda g: g.integers(0, 10**9), lambda n: n.bit_count() > 4, (31,)),
    Problem("prime above 100", lambda g: g.integers(0, 10**5), lambda n: n > 100 and _is_prime(n), (101,)),
    Problem("ends in 7", lambda g: g.integers(0, 10**6), lambda n: n > 50 and n % 10 == 7, (57,)),
    Problem("palindrome number", lambda g: g.integers(10, 10**4), lambda n: str(n) == str(n)[::-1], (11,)),
    Problem(
        "remainders",
        lambda g: g.integers(0, 10**5),
        lambda n: n % 7 == 3 and n % 5 == 1,
        (31,),
    ),
    Problem(
        "product of two",
        lambda g: g.tuples(g.integers(0, 1000), g.integers(0, 1000)),
        lambda p: p[0] * p[1] >= 100,
        ((1, 100),),
    ),
    Problem(
        "squares",
        lambda g: g.tuples(g.integers(0, 100), g.integers(0, 100)),
        lambda p: p[0] > 0 and p[1] > 0 and math.isqrt(p[0] ** 2 + p[1] ** 2) ** 2 == p[0] ** 2 + p[1] ** 2,
        ((3, 4),),
    ),
    Problem(
        "common divisor",
        lambda g: g.tuples(g.integers(1, 1000), g.integers(1, 1000)),
        lambda p: math.gcd(*p) > 5,
        ((6, 6),),
    ),
    Problem("queue", _queues, _room_is_exceeded, ([51, 100],)),
    Problem("coins", _wallets, _change_is_greedy, ([1, 10, 20],)),
    Problem(
        "tree sum",
        _trees,
        lambda t: _tree_depth(t) > 1 and _tree_sum(t) > 60,
        ((0, (11, 50)),),
    ),
    Problem("colliding word", lambda g: g.text("abcdefgh", max_size=8), lambda w: _hash(w) == 20, ("aga",)),
    Problem("position in word", _codes, lambda c: c[0][c[1]] == "c" and c[1] > 2, (("aaac", 3),)),
    Problem(
        "alternating",
        lambda g: g.lists(g.integers(-100, 100)),
        lambda xs: (
            len(xs) > 3 and all((a < b) == (i % 2 == 0) for i, (a, b) in enumerate(itertools.pairwise(xs)))
        ),
        ([0, 1, 0, 1],),
    ),
    Problem(
        "sum of squares",
        lambda g: g.lists(g.integers(0, 30), max_size=6),
        lambda xs: sum(x * x for x in xs) == 50 and len(xs) > 1,
        ([1, 7],),
    ),
    Problem(
        "xor",
        lambda g: g.tuples(g.integers(0, 255), g.integers(0, 255)),
        lambda p: (p[0] ^ p[1]) & 0x50 == 0x50,
        ((0, 80),),
    ),
    Problem(
        "digits and letter",
        lambda g: g.text("abc0123456789", max_size=10),
        lambda w: any(c.isdigit() and int(c) > 4 for c in w) and any(c.isalpha() for c in w),
        ("a5", "5a"),
    ),
    Problem(
        "dictionary of lists",
        lambda g: g.dictionaries(g.sampled_from("abcd"), g.lists(g.integers(0, 20), max_size=5), max_size=4),
        lambda d: len({sum(v) for v in d.values()}) > 2 and max(map(sum, d.values())) > 12,
        ({"a": [], "b": [1], "c": [13]},),
    ),
    Problem(
        "average and spread",
        lambda g: g.lists(g.integers(0, 100), min_size=2, max_size=8),
        lambda xs: max(xs) - min(xs) > 30 and sum(xs) / len(xs) > 40,
        ([0, 81],),
    ),
    Problem(
        "nested options",
        lambda g: g.lists(g.one_of(g.none(), g.booleans(), g.integers(-9, 9)), max_size=9),
        lambda xs: len({type(x) for x in xs}) == 3 and xs[-1] is None,
        ([False, 0, None],),
    ),
)
