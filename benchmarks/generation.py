"""How fast random values are made, against hand-written code and against Hypothesis.

    python benchmarks/generation.py

For each structure: CPU microseconds a value of our sampler, of hand-written ``randint`` code, of the same code tuned
to ``int(random() * n)``, and of Hypothesis (a ``@given`` run on a test that does nothing, divided by the number of
examples: it has no cheaper public way to make values). The same structure and the same mean size in all columns.
The last row is the whole loop: ``check`` on a trivial property against a ``@given`` run of Hypothesis.
"""

from __future__ import annotations

import random
import string
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import hypothesis
from hypothesis import strategies as st
from measuring import cpu_seconds, microseconds_per_call, table, versions

from everycase import check, gen
from everycase.choices.sampler import sampler

RNG = random.Random(1)
randint, uniform = RNG.randint, RNG.random

#: The size budget that our sampler gets, and that the hand-written recursions share out in the same way.
SIZE = 8

#: Makes Hypothesis' trees as large on average as ours (the means are printed).
HYPOTHESIS_LEAVES = 60

LETTERS = string.ascii_letters + string.digits


@dataclass
class Leaf:
    pass


@dataclass
class Node:
    label: int
    left: Any
    right: Any


def hand_tree(size: int) -> Any:
    """The structure of our recursive generator, written by hand with randint."""
    if size <= 0 or randint(0, size) == 0:
        return Leaf()
    left = randint(0, size - 1)
    return Node(randint(0, 100), hand_tree(left), hand_tree(size - 1 - left))


def tuned_tree(size: int, uniform: Callable[[], float] = uniform) -> Any:
    if size <= 0 or uniform() * (size + 1) < 1:
        return Leaf()
    left = int(uniform() * size)
    return Node(int(uniform() * 101), tuned_tree(left), tuned_tree(size - 1 - left))


TREES: gen.Gen[Any] = gen.deferred(
    lambda: gen.builds(Leaf) | gen.builds(Node, gen.integers(0, 100), TREES, TREES)
)


@gen.composite
def pairs(draw: gen.Draw) -> tuple[int, int]:
    low = draw(gen.integers(0, 100))
    return low, draw(gen.integers(low, 100))


@st.composite
def hypothesis_pairs(draw: Any) -> tuple[int, int]:
    low = draw(st.integers(0, 100))
    return low, draw(st.integers(low, 100))


def hand_pair() -> tuple[int, int]:
    low = randint(0, 100)
    return low, randint(low, 100)


def tuned_pair() -> tuple[int, int]:
    low = int(uniform() * 101)
    return low, low + int(uniform() * (101 - low))


INT = gen.integers(0, 100)
HYPOTHESIS_TREES = st.recursive(
    st.builds(Leaf),
    lambda trees: st.builds(Node, st.integers(0, 100), trees, trees),
    max_leaves=HYPOTHESIS_LEAVES,
)

Row = tuple[str, gen.Gen[Any], Callable[[], Any], Callable[[], Any], Any]
ROWS: list[Row] = [
    (
        "integer",
        gen.integers(0, 10**6),
        lambda: randint(0, 10**6),
        lambda: int(uniform() * 1000001),
        st.integers(0, 10**6),
    ),
    (
        "list of 0..20 integers",
        gen.lists(INT, max_size=20),
        lambda: [randint(0, 100) for _ in range(randint(0, 20))],
        lambda: [int(uniform() * 101) for _ in range(int(uniform() * 21))],
        st.lists(st.integers(0, 100), max_size=20),
    ),
    (
        "text of 0..20 letters",
        gen.text(LETTERS, max_size=20),
        lambda: "".join([LETTERS[randint(0, 61)] for _ in range(randint(0, 20))]),
        lambda: "".join([LETTERS[int(uniform() * 62)] for _ in range(int(uniform() * 21))]),
        st.text(LETTERS, max_size=20),
    ),
    (
        "5-tuple of integers",
        gen.tuples(INT, INT, INT, INT, INT),
        lambda: (randint(0, 100), randint(0, 100), randint(0, 100), randint(0, 100), randint(0, 100)),
        lambda: (
            int(uniform() * 101),
            int(uniform() * 101),
            int(uniform() * 101),
            int(uniform() * 101),
            int(uniform() * 101),
        ),
        st.tuples(*[st.integers(0, 100)] * 5),
    ),
    (
        "recursive dataclass tree",
        TREES,
        lambda: hand_tree(SIZE),
        lambda: tuned_tree(SIZE),
        HYPOTHESIS_TREES,
    ),
    (
        "flatmap",
        INT.flatmap(lambda low: gen.tuples(gen.just(low), gen.integers(low, 100))),
        hand_pair,
        tuned_pair,
        st.integers(0, 100).flatmap(lambda low: st.tuples(st.just(low), st.integers(low, 100))),
    ),
    ("composite", pairs(), hand_pair, tuned_pair, hypothesis_pairs()),
]


def constructors(tree: Any) -> int:
    return 1 if isinstance(tree, Leaf) else 1 + constructors(tree.left) + constructors(tree.right)


def hypothesis_run(strategy: Any, examples: int) -> list[Any]:
    """Runs Hypothesis on a test that only keeps what it is given."""
    seen: list[Any] = []

    @hypothesis.settings(
        max_examples=examples,
        database=None,
        deadline=None,
        suppress_health_check=list(hypothesis.HealthCheck),
        phases=[hypothesis.Phase.generate],
    )
    @hypothesis.given(strategy)
    def run(value: Any) -> None:
        seen.append(value)

    run()
    return seen


def main(examples: int = 500) -> None:
    print(versions("hypothesis"))
    rows = []
    for name, ours, hand, tuned, strategy in ROWS:
        roll = sampler(ours)
        mine = microseconds_per_call(lambda: roll(uniform, SIZE))
        by_hand = microseconds_per_call(hand)
        by_tuned = microseconds_per_call(tuned)
        seen: list[Any] = []
        peer = cpu_seconds(lambda: seen.extend(hypothesis_run(strategy, examples))) / max(1, len(seen)) * 1e6
        rows.append((name, mine, by_hand, by_tuned, peer, mine / by_hand, mine / by_tuned, peer / mine))
    header = (
        "us a value",
        "everycase",
        "randint",
        "tuned",
        "Hypothesis",
        "/ randint",
        "/ tuned",
        "Hypothesis /",
    )
    print(table(header, rows))

    sizes = {
        "everycase": [constructors(sampler(TREES)(uniform, SIZE)) for _ in range(2000)],
        "by hand": [constructors(hand_tree(SIZE)) for _ in range(2000)],
        "Hypothesis": [constructors(tree) for tree in hypothesis_run(HYPOTHESIS_TREES, examples)],
    }
    means = ", ".join(f"{name} {sum(counts) / len(counts):.1f}" for name, counts in sizes.items())
    print(f"mean number of constructors in a tree: {means}")

    loop = cpu_seconds(
        lambda: check(lambda n: None, gen.integers(0, 10**6), max_examples=100_000, database=None, seed=1)
    )
    peer_loop = cpu_seconds(lambda: hypothesis_run(st.integers(0, 10**6), 2000))
    ours_us, peer_us = loop / 100_000 * 1e6, peer_loop / 2000 * 1e6
    print(
        f"whole loop, trivial property: {ours_us:.2f} us against {peer_us:.0f} us a test: {peer_us / ours_us:.0f} times"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 500)
