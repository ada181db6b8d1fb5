"""How fast random values are generated, compared with hand-written code and with Hypothesis.

    python benchmarks/generation.py

For each structure, the first table shows CPU microseconds per value for our sampler, for hand-written ``randint`` code,
for the same code tuned to ``int(random() * n)``, and for Hypothesis. Hypothesis has no cheaper public way to make
values than a ``@given`` run on a test that does nothing, so the time of such a run is divided by the number of
examples. Each cell runs in its own process. The mean sizes are printed in the order of the columns.

The second table measures whole runs: ``check`` on a test that does nothing, compared with a ``@given`` run of
Hypothesis and with a bare loop around ``int(random() * 1000)``, per test and per element of the values.
"""

from __future__ import annotations

import random
import string
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import hypothesis
from cells import in_a_child
from hypothesis import strategies as st
from measuring import cpu_seconds, microseconds_per_call, table, versions

from everycase import check, gen
from everycase.choices.sample import sampler

RNG = random.Random(1)
randint, uniform = RNG.randint, RNG.random

#: The size budget of our sampler; the hand-written recursions split it in the same way.
SIZE = 8

#: With this, Hypothesis' trees are on average as large as ours (the means are printed).
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
    """The structure of our recursive generator, hand-written with randint."""
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


def size_of(value: Any) -> int:
    """The size of a value: the constructors of a tree, the elements of a collection, otherwise one."""
    if isinstance(value, Leaf | Node):
        return constructors(value)
    return len(value) if isinstance(value, list | str) else 1


def hypothesis_run(strategy: Any, examples: int, seen: list[Any] | None = None) -> None:
    """Run Hypothesis on a test that does nothing, or that only keeps its input."""

    @hypothesis.settings(
        max_examples=examples,
        database=None,
        deadline=None,
        suppress_health_check=list(hypothesis.HealthCheck),
        phases=[hypothesis.Phase.generate],
    )
    @hypothesis.given(strategy)
    def run(value: Any) -> None:
        if seen is not None:
            seen.append(value)

    run()


def mean_size(values: list[Any]) -> float:
    return sum(map(size_of, values)) / len(values)


def peer_cell(strategy: Any, examples: int) -> list[float]:
    """CPU microseconds per test of Hypothesis after a warm-up, and the mean size of its values."""
    seen: list[Any] = []
    hypothesis_run(strategy, examples, seen)
    return [cpu_seconds(lambda: hypothesis_run(strategy, examples)) / len(seen) * 1e6, mean_size(seen)]


def own_cell(make: Callable[[], Any]) -> list[float]:
    """CPU microseconds per value, and the mean size."""
    return [microseconds_per_call(make), mean_size([make() for _ in range(2000)])]


def values_table(examples: int) -> None:
    """Generating values: our sampler, by hand, by hand and tuned, Hypothesis. Each cell runs in its own process."""
    rows = []
    for name, ours, hand, tuned, strategy in ROWS:
        roll = sampler(ours)
        cells = [
            in_a_child(lambda roll=roll: own_cell(lambda: roll(uniform, SIZE)), 60),  # type: ignore[misc]
            in_a_child(lambda hand=hand: own_cell(hand), 60),  # type: ignore[misc]
            in_a_child(lambda tuned=tuned: own_cell(tuned), 60),  # type: ignore[misc]
            in_a_child(lambda strategy=strategy: peer_cell(strategy, examples), 120),  # type: ignore[misc]
        ]
        mine, by_hand, by_tuned, peer = (cell[0] for cell in cells)
        sizes = " / ".join(f"{cell[1]:.1f}" for cell in cells)
        rows.append(
            (name, mine, by_hand, by_tuned, peer, mine / by_hand, mine / by_tuned, peer / mine, sizes)
        )
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
    print(table((*header, "mean sizes"), rows))


def own_loop(node: gen.Gen[Any], tests: int) -> list[float]:
    """CPU microseconds per test of a whole run after a warm-up, and the mean size of its values."""
    seen: list[Any] = []
    check(seen.append, node, max_examples=2000, database=None, seed=1)
    work = cpu_seconds(lambda: check(lambda value: None, node, max_examples=tests, database=None, seed=1))
    return [work / tests * 1e6, mean_size(seen)]


def bare_loop(tests: int) -> list[float]:
    """CPU microseconds per iteration of a loop around ``int(random() * 1000)``."""

    def loop() -> None:
        for _ in range(tests):
            int(uniform() * 1000)

    loop()
    return [cpu_seconds(loop) / tests * 1e6, 1.0]


def loops_table(examples: int) -> None:
    """Whole runs on a test that does nothing, per test and per element."""
    bare = in_a_child(lambda: bare_loop(200_000), 60)[0]
    rows = []
    for name, node, strategy in (
        ("integer", gen.integers(0, 10**6), st.integers(0, 10**6)),
        ("list of unbounded integers", gen.lists(gen.integers()), st.lists(st.integers())),
        (
            "the same, all of length 8",
            gen.lists(gen.integers(), min_size=8, max_size=8),
            st.lists(st.integers(), min_size=8, max_size=8),
        ),
        ("text", gen.text(), st.text()),
    ):
        mine, size = in_a_child(lambda node=node: own_loop(node, 50_000), 60)  # type: ignore[misc]
        peer, other = in_a_child(lambda strategy=strategy: peer_cell(strategy, examples), 120)  # type: ignore[misc]
        rows.append(
            (
                name,
                mine,
                peer,
                mine / bare,
                peer / mine,
                peer / other / (mine / size),
                f"{size:.1f} / {other:.1f}",
            )
        )
    header = (
        "us a test",
        "everycase",
        "Hypothesis",
        "/ bare loop",
        "Hypothesis /",
        "per element",
        "mean sizes",
    )
    print(table(header, rows))
    print(f"bare loop around int(random() * 1000): {bare:.3f} us per iteration")


def builds_line() -> None:
    """The cost of calling ``builds`` inside a composite."""

    def peers() -> list[float]:
        own = microseconds_per_call(lambda: gen.builds(Node, INT, INT, INT))
        other = microseconds_per_call(lambda: st.builds(Node, st.none(), st.none(), st.none()))
        return [own, other]

    own, other = in_a_child(peers, 60)
    print(f"a call of builds: {own:.2f} us; Hypothesis: {other:.2f} us")


def main(examples: int = 500) -> None:
    print(versions("hypothesis"))
    values_table(examples)
    print()
    loops_table(examples)
    builds_line()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 500)
