"""Enumerating structures: against hand-written Python for the same structures, and against the paper's figures.

    python benchmarks/enumeration.py [--quick]

Everything is CPU time of this process. Hand-written means the best plain loop we know for the same values (memoised
lists and comprehensions). "By filter" makes all values of the plain type and keeps those that satisfy the predicate,
which is where the paper's Korat and CLP stand; it is measured up to the size that ends within a few seconds.
The paper's seconds are SciFe's, on another machine; its heap counts differ from the true ones (see the notes).
"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable
from itertools import islice, product  # noqa: F401 (the memory test uses islice)
from math import comb
from typing import Any

from measuring import cpu_seconds, table, versions
from plain_structures import PLAIN

from everycase import check, gen
from everycase.enumeration import structures
from everycase.explore import Exhaustive

QUICK = "--quick" in sys.argv


class Node:
    """A user's class: slots, and an ordinary constructor."""

    __slots__ = ("key", "left", "right")

    def __init__(self, left: Any, key: int, right: Any) -> None:
        self.left = left
        self.key = key
        self.right = right


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


def exhaust(values: Iterable[Any]) -> int:
    """How many there are; nothing is kept."""
    counter = 0
    for _ in values:
        counter += 1
    return counter


# --- hand-written -----------------------------------------------------------------------------------------


def hand_search_trees(n: int) -> int:
    memo: dict[tuple[int, int], list[Any]] = {}

    def trees(low: int, high: int) -> list[Any]:
        known = memo.get((low, high))
        if known is None:
            known = (
                [None]
                if low > high
                else [
                    Node(left, key, right)
                    for key in range(low, high + 1)
                    for left in trees(low, key - 1)
                    for right in trees(key + 1, high)
                ]
            )
            memo[low, high] = known
        return known

    counter = 0
    for key in range(1, n + 1):
        rights = trees(key + 1, n)
        for left in trees(1, key - 1):
            for right in rights:
                Node(left, key, right)
                counter += 1
    return counter


def hand_red_black(n: int) -> int:
    memo: dict[tuple[int, int, int, bool], list[Any]] = {}

    def trees(low: int, high: int, height: int, red_allowed: bool) -> list[Any]:
        key = (low, high, height, red_allowed)
        known = memo.get(key)
        if known is not None:
            return known
        known = []
        if low > high:
            known = [None] if height == 0 else []
        elif high - low + 1 < 4 ** (height + 1):
            for root in range(low, high + 1):
                if height:
                    known += [
                        ("black", left, root, right)
                        for left in trees(low, root - 1, height - 1, True)
                        for right in trees(root + 1, high, height - 1, True)
                    ]
                if red_allowed:
                    known += [
                        ("red", left, root, right)
                        for left in trees(low, root - 1, height, False)
                        for right in trees(root + 1, high, height, False)
                    ]
        memo[key] = known
        return known

    return sum(len(trees(1, n, height, True)) for height in range(n.bit_length() + 1))


def hand_sorted_lists(n: int) -> int:
    memo: dict[tuple[int, int], list[Any]] = {}

    def lists(length: int, most: int) -> list[Any]:
        known = memo.get((length, most))
        if known is None:
            known = (
                [()]
                if length == 0
                else [
                    (first,) + rest
                    for first in range(max(1, length - 1), most + 1)
                    for rest in lists(length - 1, first)
                ]
            )
            memo[length, most] = known
        return known

    def top(length: int, most: int) -> Iterable[Any]:
        """The last levels are not kept: there are too many."""
        if length <= n - 3:
            return lists(length, most)
        return ((first,) + rest for first in range(length - 1, most + 1) for rest in top(length - 1, first))

    return exhaust(top(n, n))


def hand_heaps(n: int) -> int:
    memo: dict[tuple[int, int], list[Any]] = {}

    def heaps(nodes: int, most: int) -> list[Any]:
        known = memo.get((nodes, most))
        if known is None:
            if nodes == 0:
                known = [None]
            else:
                left, right = structures._halves(nodes)
                known = [
                    (key, a, b)
                    for key in range(most + 1)
                    for a in heaps(left, key)
                    for b in heaps(right, key)
                ]
            memo[nodes, most] = known
        return known

    left, right = structures._halves(n)
    counter = 0
    for key in range(n + 1):
        rights = heaps(right, key)
        for a in heaps(left, key):
            for b in rights:
                heap = (key, a, b)  # noqa: F841
                counter += 1
    return counter


def hand_dags(n: int) -> int:
    subsets = [
        [tuple(i for i in range(node) if mask >> i & 1) for mask in range(2**node)] for node in range(n)
    ]
    return exhaust(product(*subsets))


def hand_classes(n: int) -> int:
    """The best hand-written loop here is the recursion itself, over tuples."""

    def go(left: int, before: tuple[Any, ...]) -> Iterable[Any]:
        if left == 0:
            yield ()
            return
        for one, closed, is_class in options(before):
            for rest in go(left - 1, (*before, (is_class, closed))):
                yield (one, *rest)

    def options(before: tuple[Any, ...]) -> list[Any]:
        found = memo.get(before)
        if found is None:
            found = memo[before] = []
            interfaces = [i for i, (is_class, _) in enumerate(before) if not is_class]
            classes = [i for i, (is_class, _) in enumerate(before) if is_class]
            for is_class in (False, True):
                for extends in [None, *classes] if is_class else [None]:
                    for implements in structures._choices(interfaces):
                        parents = implements if extends is None else (extends, *implements)
                        sealed = {m for parent in parents for m in before[parent][1]}
                        for overrides in structures._choices([m for m in range(2) if m not in sealed]):
                            for seals in structures._choices(overrides):
                                one = (is_class, extends, implements, overrides, seals)
                                found.append((one, tuple(sorted({*sealed, *seals})), is_class))
        return found

    memo: dict[Any, list[Any]] = {}
    return exhaust(go(n, ()))


# --- the tables -------------------------------------------------------------------------------------------

#: name: our values, hand-written values, limit of the ratio, SciFe's seconds in the paper by size
STRUCTURES: dict[str, tuple[Callable[[int], Any], Callable[[int], int], float, dict[int, float]]] = {
    "search trees": (
        lambda n: search_trees(1, n),
        hand_search_trees,
        1.6,
        {10: 0.01, 11: 0.03, 12: 0.06, 13: 0.21, 14: 0.82, 15: 2.57},
    ),
    "red-black trees": (
        structures.red_black_trees,
        hand_red_black,
        9.9,
        {8: 0.03, 10: 0.08, 12: 0.24, 14: 0.52, 15: 0.8},
    ),
    "heaps": (structures.heaps, hand_heaps, 1.6, {7: 0.01, 8: 0.06, 9: 0.52, 10: 5.86}),
    "sorted lists": (
        lambda n: structures.sorted_lists(n, pruned=True),
        hand_sorted_lists,
        1.6,
        {12: 0.1, 13: 0.36, 14: 1.39, 15: 5.51},
    ),
    "DAGs": (structures.dags, hand_dags, 2.0, {6: 0.01, 7: 0.91}),
    "class hierarchies": (structures.class_hierarchies, hand_classes, 1.6, {3: 0.01, 4: 0.34}),
    "B-trees": (structures.b_trees, lambda n: 0, 9.9, {}),
}

SIZES = {
    "search trees": [10, 13, 14, 15],
    "red-black trees": [10, 12, 15],
    "heaps": [8, 9, 10],
    "sorted lists": [12, 13, 14, 15],
    "DAGs": [6, 7],
    "class hierarchies": [3, 4],
    "B-trees": [10, 15],
}


def bulk() -> None:
    rows = []
    for name, sizes in SIZES.items():
        ours, hand, limit, paper = STRUCTURES[name]
        for n in sizes[:-1] if QUICK else sizes:
            source = ours(n)
            count = 0

            def run(source: Any = source) -> None:
                nonlocal count
                count = exhaust(source)

            seconds = cpu_seconds(run)
            hand_seconds = cpu_seconds(lambda hand=hand, n=n: hand(n)) if name != "B-trees" else 0.0
            ratio = f"{seconds / hand_seconds:.2f}" if hand_seconds > 0.001 else "-"
            shown = f"{paper[n]:g}" if n in paper else "-"
            rows.append((name, n, count, f"{seconds:.3f}", f"{hand_seconds:.3f}", ratio, f"{limit:g}", shown))
    header = ("all of size", "n", "count", "ours s", "by hand s", "ratio", "limit", "paper s")
    print(table(header, rows), "\n")


def by_filter() -> None:
    rows = []
    for name, (plain, predicate, sizes) in PLAIN.items():
        for n in sizes:
            everything, accept = plain(n), predicate(n)
            tried = kept = 0

            def run(everything: Any = everything, accept: Any = accept) -> None:
                nonlocal tried, kept
                for value in everything:
                    tried += 1
                    kept += bool(accept(value))

            seconds = cpu_seconds(run)
            ours = cpu_seconds(lambda name=name, n=n: exhaust(STRUCTURES[name][0](n)))
            rows.append((name, n, tried, kept, f"{seconds:.3f}", f"{ours:.4f}"))
    print(table(("by filter", "n", "tried", "valid", "by filter s", "ours s"), rows), "\n")


def access() -> None:
    rows = []
    rng = random.Random(1)
    sources: list[tuple[str, Callable[[], Any], str]] = [
        ("search trees 15, by keys", lambda: search_trees(1, 15), "20"),
        ("search trees 15, as the paper writes them", lambda: paper_trees(15, range(1, 16)), "20"),
        ("search trees 15, ready-made", lambda: structures.search_trees(15), "20"),
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
    source = search_trees(1, 14)
    count = len(source)
    iterating = cpu_seconds(lambda: exhaust(source)) / count
    numbers = range(0, count, count // 5000)
    indexing = cpu_seconds(lambda: deque(map(source.__getitem__, numbers), 0)) / len(numbers)
    print(
        f"search trees 14: {iterating * 1e6:.2f} us a value in bulk, {indexing * 1e6:.1f} by index: "
        f"{indexing / iterating:.0f} times cheaper (at least 20)\n"
    )


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
    by_filter()
    bulk()
    print(
        "Notes: heaps are the true ones in the shape of an array (SciFe's pruning loses some: 52,253,237 of\n"
        "72,073,573 at 10). Sorted lists are SciFe's pruned ones; all of them would be "
        f"{comb(29, 15):,} at 15."
    )


if __name__ == "__main__":
    main()
