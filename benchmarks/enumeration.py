"""Enumerating structures: against hand-written Python for the same structures, and against the paper's figures.

    python benchmarks/enumeration.py [--quick]

Everything is CPU time of this process. Hand-written means the best plain loop we know for the same values (memoised
lists and comprehensions). "By filter" makes all values of the plain type and keeps those that satisfy the predicate,
which is where the paper's Korat and CLP stand; it is measured as long as a size takes a few seconds.
The paper's seconds are from another machine, and its heaps are not all there are (see the notes).
"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable
from itertools import islice  # noqa: F401 (the memory test uses it)
from math import comb
from typing import Any

import hand_structures as hand
from hand_structures import Node, exhaust
from measuring import cpu_seconds, table, versions
from plain_structures import PLAIN
from scife_table import figure

from everycase import check, gen
from everycase.enumeration import structures
from everycase.explore import Exhaustive

QUICK = "--quick" in sys.argv


@gen.dependent
def search_trees(low: int, high: int) -> gen.Gen[Any]:
    """Binary search trees of a user's class, with the keys from low to high."""
    if low > high:
        return gen.none()
    return gen.one_of(
        [
            gen.builds(
                Node, search_trees(low, key - 1), gen.just(key), search_trees(key + 1, high), share=True
            )
            for key in range(low, high + 1)
        ]
    )


@gen.dependent
def paper_trees(size: int, keys: range) -> gen.Gen[Any]:
    """The same as the paper writes them (its figure 3)."""
    if size == 0:
        return gen.none()
    left = paper_trees.inmap(lambda ls, m: (ls, range(keys.start, m)))
    right = paper_trees.inmap(lambda ls, m: (size - ls - 1, range(m + 1, keys.stop)))
    roots = gen.from_iterable(range(size)) * gen.from_iterable(keys)
    return roots.chain(left * right).map(lambda pair: Node(pair[1][0], pair[0][1], pair[1][1]))


# --- the tables -------------------------------------------------------------------------------------------

#: name: our values, the hand-written loop, the limit of their ratio
STRUCTURES: dict[str, tuple[Callable[[int], Any], Callable[[int], int] | None, float | None]] = {
    "search trees": (lambda n: search_trees(1, n), hand.search_trees, 1.6),
    "heaps": (structures.heaps, hand.heaps, 1.6),
    "red-black trees": (structures.red_black_trees, hand.red_black, None),
    "sorted lists": (lambda n: structures.sorted_lists(n, pruned=True), hand.sorted_lists, 1.6),
    "DAGs": (structures.dags, hand.dags, 2.0),
    "class hierarchies": (structures.class_hierarchies, hand.classes, None),
    "B-trees": (structures.b_trees, None, None),
}

#: The largest size of each that ends within a minute.
LARGEST = {
    "search trees": 15,
    "heaps": 10,
    "red-black trees": 15,
    "sorted lists": 15,
    "DAGs": 8,
    "class hierarchies": 4,
    "B-trees": 15,
}

#: What there is of each size, from the literature or by another program; the true heaps, and SciFe's sorted lists.
COUNTS: dict[str, list[int]] = {
    "search trees": [comb(2 * n, n) // (n + 1) for n in range(1, 16)],
    "heaps": [2, 6, 30, 140, 994, 7056, 73644, 581097, 6749886, 72073573],
    "red-black trees": [2, 2, 3, 8, 14, 20, 35, 64, 122, 260, 586, 1296, 2708, 5400, 10468],
    "sorted lists": [3 * comb(2 * n, n - 1) // (n + 2) for n in range(1, 16)],
    "DAGs": [2 ** (n * (n - 1) // 2) for n in range(1, 9)],
    "class hierarchies": [18, 471, 18306, 1095702],
    "B-trees": [1, 1, 2, 2, 4, 5, 9, 15, 28, 45, 73, 116, 199, 345, 601],
}

#: A structure is no longer made by filter after a size that took so many seconds.
PATIENCE = 3.0


def table_3() -> None:
    """All structures of every size, by hand, by filter, and the paper's figures for the three tools."""
    for name, (ours, by_hand, limit) in STRUCTURES.items():
        rows = []
        patient = True
        for n in range(1, LARGEST[name] + (not QUICK)):
            seconds, count = timed(lambda n=n, ours=ours: exhaust(ours(n)))
            assert count == COUNTS[name][n - 1], f"{count} {name} of size {n}"
            hand_seconds = timed(lambda n=n, by_hand=by_hand: by_hand(n))[0] if by_hand else 0.0
            ratio = f"{seconds / hand_seconds:.2f}" if hand_seconds > 0.02 else "-"
            filtered = "-"
            if patient:
                filter_seconds, kept = timed(lambda n=n, name=name: by_filter(name, n))
                assert kept == count, f"{kept} {name} of size {n} by filter"
                filtered = f"{filter_seconds:.3f}"
                patient = filter_seconds < PATIENCE
            figures = [figure(name, tool, n) for tool in ("SciFe", "CLP", "Korat")]
            rows.append(
                (
                    n,
                    count,
                    f"{seconds:.3f}",
                    f"{hand_seconds:.3f}" if by_hand else "-",
                    ratio,
                    filtered,
                    *figures,
                )
            )
        asked = f" (ratio to the hand-written loop at most {limit:g})" if limit else ""
        print(f"{name}{asked}")
        header = ("size", "count", "ours s", "by hand s", "ratio", "by filter s", "SciFe", "CLP", "Korat")
        print(table(header, rows), "\n", flush=True)


def timed(work: Callable[[], int]) -> tuple[float, int]:
    """CPU seconds, and what came out."""
    results: list[int] = []
    seconds = cpu_seconds(lambda: results.append(work()))
    return seconds, results[0]


def by_filter(name: str, n: int) -> int:
    """Make all values of the plain type and keep those that satisfy the predicate: how many there are."""
    plain, predicate = PLAIN[name]
    accept = predicate(n)
    return sum(1 for value in plain(n) if accept(value))


def access() -> None:
    rows = []
    rng = random.Random(1)
    sources: list[tuple[str, Callable[[], Any], str]] = [
        ("search trees 15, by keys", lambda: search_trees(1, 15), "20"),
        ("search trees 15, as the paper writes them", lambda: paper_trees(15, range(1, 16)), "20"),
        ("search trees 15, ready-made", lambda: structures.search_trees(15), "20"),
        ("search trees 30, as the paper writes them", lambda: paper_trees(30, range(1, 31)), "50"),
        ("search trees 30, by keys", lambda: search_trees(1, 30), "50"),
        ("search trees 30, ready-made", lambda: structures.search_trees(30), "50"),
        ("search trees 100, ready-made", lambda: structures.search_trees(100), "250"),
        ("red-black trees 100", lambda: structures.red_black_trees(100), "-"),
        ("red-black trees 1000", lambda: structures.red_black_trees(1000), "-"),
        ("pairs of trees, number 10**300", _large, "-"),
    ]
    for name, make, limit in sources:
        built = time.process_time()
        source = make()
        count = source.cardinality
        first = source[0]
        built = time.process_time() - built
        del first
        top = 10**300 if count == float("inf") else count
        numbers = [rng.randrange(top) for _ in range(500)]
        for number in numbers[:50]:
            source[number]
        best = min(
            cpu_seconds(lambda s=source, ns=numbers: deque(map(s.__getitem__, ns), 0)) for _ in range(9)
        )
        rows.append((name, f"{best / len(numbers) * 1e6:.1f}", limit, f"{built:.3f}"))
    print(table(("random access", "us", "limit", "s to build"), rows), "\n")


def _large() -> Any:
    trees: gen.Gen[Any] = gen.deferred(lambda: gen.none() | gen.tuples(trees, trees))
    return gen.tuples(trees, gen.integers())


def against_indexing() -> None:
    """What a value costs in bulk and by its number: trees as tuples, and of a user's class."""
    rows = []
    for name, make in (("as tuples", structures.search_trees), ("of a class", lambda n: search_trees(1, n))):
        for n in range(10, 14 + (not QUICK)):
            source = make(n)
            count = len(source)
            repeats = max(1, 500_000 // count)
            iterating = min(cpu_seconds(lambda s=source: deque(s, 0)) for _ in range(repeats)) / count
            numbers = range(0, count, count // 5000)
            indexing = min(
                cpu_seconds(lambda s=source, ns=numbers: deque(map(s.__getitem__, ns), 0)) for _ in range(5)
            ) / len(numbers)
            rows.append(
                (
                    f"search trees {n} {name}",
                    f"{iterating * 1e6:.2f}",
                    f"{indexing * 1e6:.1f}",
                    f"{indexing / iterating:.0f}",
                    "20",
                )
            )
    print(table(("bulk against indexing", "us in bulk", "us by index", "times", "at least"), rows), "\n")


def memory() -> None:
    """In processes of their own, so that nothing else counts."""
    cases = {
        "search trees 15, all 9,694,845": "exhaust(search_trees(1, 15))",
        "10**8 triples of a large product": (
            "exhaust(islice(gen.tuples(*[gen.integers(0, 999_999)] * 3), 10**8))"
        ),
    }
    for name, work in cases.items():
        if QUICK and "10**8" in name:
            continue
        code = (
            f"import sys; sys.path[:0] = {sys.path!r}; from enumeration import *; {work}; "
            "print(int(open('/proc/self/status').read().split('VmHWM:')[1].split()[0]) // 1024)"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        print(f"{name}: {done.stdout.strip()} MB resident at most (limit 100)")
    print()


def against_hypothesis() -> None:
    import hypothesis
    from hypothesis import strategies as st

    def nothing(pair: Any) -> None:
        seen.add(pair)

    seen: set[Any] = set()
    ours = cpu_seconds(
        lambda: check(
            nothing,
            gen.tuples(gen.integers(0, 99), gen.integers(0, 99)),
            explore=Exhaustive(),
            max_examples=20_000,
        )
    )
    found = len(seen)
    seen.clear()
    budget = 3000 if QUICK else 20_000
    test = hypothesis.settings(
        max_examples=budget, database=None, deadline=None, suppress_health_check=list(hypothesis.HealthCheck)
    )(hypothesis.given(st.tuples(st.integers(0, 99), st.integers(0, 99)))(nothing))
    theirs = cpu_seconds(test)
    print(
        f"10,000 pairs: ours {found:,} in {ours:.3f} s; Hypothesis {len(seen):,} in {theirs:.1f} s "
        f"(max_examples={budget:,}): {theirs / ours:.0f} times (at least 50)\n"
    )


def main() -> None:
    print(versions("hypothesis"), "\n")
    # Speed of single values first: the hand-written loops leave a large and torn heap behind.
    against_indexing()
    access()
    against_hypothesis()
    memory()
    table_3()
    print(
        "Notes: heaps are the true ones in the shape of an array (SciFe's pruning loses some: 52,253,237 of\n"
        "72,073,573 at 10; Korat counts those of up to 10 nodes, 111,511,015). Sorted lists are SciFe's pruned\n"
        f"ones; all of them would be {comb(29, 15):,} at 15. Heaps of 11 do not end within a minute here. t/o: 200 s."
    )


if __name__ == "__main__":
    main()
