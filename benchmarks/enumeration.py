"""Enumerating structures: compared with hand-written Python for the same structures and with the paper's figures.

    python benchmarks/enumeration.py [--quick] [--limit SECONDS]
        [--only built,definitions,bulk,access,hypothesis,memory,table]

All times are CPU times. "Hand-written" is the best plain loop we know for the same values (memoised lists and
comprehensions). "By filter" makes all values of the plain type and keeps those that satisfy the predicate; the paper's
Korat and CLP work in a comparable way. Every cell of the table runs in its own interpreter for at most ``--limit``
seconds (60 by default; a third of that for "by filter"). After the first size that exceeds the limit, larger sizes of
that structure are skipped for that method. The paper's seconds come from another machine, and its heaps are incomplete
(see the notes).
"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, islice, product  # noqa: F401 (the memory test uses islice)
from math import comb
from typing import Any

import hand_structures as hand
from cells import in_a_new_interpreter
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
    """Binary search trees of a user-defined class, with keys from low to high."""
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
    """Binary search trees as the paper writes them (its figure 3)."""
    if size == 0:
        return gen.none()
    left = paper_trees.inmap(lambda ls, m: (ls, range(keys.start, m)))
    right = paper_trees.inmap(lambda ls, m: (size - ls - 1, range(m + 1, keys.stop)))
    roots = gen.from_iterable(range(size)) * gen.from_iterable(keys)
    return roots.chain(left * right).map(lambda pair: Node(pair[1][0], pair[0][1], pair[1][1]), share=True)


# --- the tables -------------------------------------------------------------------------------------------

#: name: our values, the hand-written loop, the limit of the ratio
STRUCTURES: dict[str, tuple[Callable[[int], Any], Callable[[int], int] | None, float | None]] = {
    "search trees": (lambda n: search_trees(1, n), hand.search_trees, 1.6),
    "heaps": (structures.heaps, hand.heaps, 1.6),
    "red-black trees": (structures.red_black_trees, hand.red_black, None),
    "sorted lists": (lambda n: structures.sorted_lists(n, pruned=True), hand.sorted_lists, 1.6),
    "DAGs": (structures.dags, hand.dags, 2.0),
    "class hierarchies": (structures.class_hierarchies, hand.classes, None),
    "B-trees": (structures.b_trees, None, None),
}

#: The largest size of each structure in the paper (B-trees are not in its table).
LARGEST = {
    "search trees": 15,
    "heaps": 11,
    "red-black trees": 15,
    "sorted lists": 15,
    "DAGs": 8,
    "class hierarchies": 4,
    "B-trees": 15,
}

#: How many there are of each size, from the literature or by another program; all heaps, and SciFe's sorted lists.
COUNTS: dict[str, list[int]] = {
    "search trees": [comb(2 * n, n) // (n + 1) for n in range(1, 16)],
    "heaps": [2, 6, 30, 140, 994, 7056, 73644, 581097, 6749886, 72073573],
    "red-black trees": [2, 2, 3, 8, 14, 20, 35, 64, 122, 260, 586, 1296, 2708, 5400, 10468],
    "sorted lists": [3 * comb(2 * n, n - 1) // (n + 2) for n in range(1, 16)],
    "DAGs": [2 ** (n * (n - 1) // 2) for n in range(1, 9)],
    "class hierarchies": [18, 471, 18306, 1095702],
    "B-trees": [1, 1, 2, 2, 4, 5, 9, 15, 28, 45, 73, 116, 199, 345, 601],
}


def table_3(limit: int) -> None:
    """All structures of every size: ours, by hand, by filter, and the paper's figures for the three tools."""
    for name, (_, by_hand, ratio_limit) in STRUCTURES.items():
        ways = {
            "ours": limit,
            "by hand": 0 if by_hand is None else limit,
            "by filter": max(1, limit // 3),
        }
        rows = []
        for n in range(1, LARGEST[name] + (not QUICK)):
            seconds: dict[str, float] = {}
            counts = set(COUNTS[name][n - 1 : n])
            shown = {}
            for way, most in ways.items():
                done = cell(f"one_way({way!r}, {name!r}, {n})", most) if most else None
                shown[way] = f"> {most}" if most else "-"
                if done is None:
                    ways[way] = 0  # a larger size will not finish either
                else:
                    seconds[way], count = done
                    shown[way] = f"{seconds[way]:.3f}"
                    counts.add(count)
            assert len(counts) <= 1, f"{counts} {name} of size {n}"
            comparable = {"ours", "by hand"} <= seconds.keys() and seconds["by hand"] > 0.02
            ratio = f"{seconds['ours'] / seconds['by hand']:.2f}" if comparable else "-"
            figures = [figure(name, tool, n) for tool in ("SciFe", "CLP", "Korat")]
            rows.append((n, *(counts or "?"), *_cells(shown, ratio), *figures))
        asked = f" (ratio to the hand-written loop at most {ratio_limit:g})" if ratio_limit else ""
        print(f"{name}{asked}")
        header = ("size", "count", "ours s", "by hand s", "ratio", "by filter s", "SciFe", "CLP", "Korat")
        print(table(header, rows), "\n", flush=True)


def cell(call: str, limit: int) -> Any:
    """Measure a cell in its own interpreter; None if it exceeds the limit in CPU seconds."""
    return in_a_new_interpreter("enumeration", call, limit)


def one_way(way: str, name: str, n: int) -> tuple[float, int]:
    """CPU seconds to make all structures of a size, and their number."""
    ours, by_hand, _ = STRUCTURES[name]
    ways: dict[str, Callable[[int], int] | None] = {
        "ours": lambda n: exhaust(ours(n)),
        "by hand": by_hand,
        "by filter": lambda n: by_filter(name, n),
    }
    work = ways[way]
    assert work is not None
    started = time.process_time()
    count = work(n)
    return time.process_time() - started, count


def _cells(shown: dict[str, str], ratio: str) -> tuple[str, ...]:
    return shown["ours"], shown["by hand"], ratio, shown["by filter"]


def by_filter(name: str, n: int) -> int:
    """Make all values of the plain type, keep those that satisfy the predicate, and return their number."""
    plain, predicate = PLAIN[name]
    accept = predicate(n)
    return sum(1 for value in plain(n) if accept(value))


def access() -> None:
    rows = []
    for name, (_, limit) in accessed().items():
        built, best = cell(f"one_by_one(accessed()[{name!r}][0])", 300)
        rows.append((name, f"{best:.1f}", limit, f"{built:.3f}"))
    print(table(("random access", "us", "limit", "s to build"), rows), "\n", flush=True)


def accessed() -> dict[str, tuple[Callable[[], Any], str]]:
    """The generators that are indexed, and the maximum microseconds per access."""
    return {
        "search trees 15, by keys": (lambda: search_trees(1, 15), "20"),
        "search trees 15, as the paper writes them": (lambda: paper_trees(15, range(1, 16)), "20"),
        "search trees 15, ready-made": (lambda: structures.search_trees(15), "20"),
        "search trees 30, as the paper writes them": (lambda: paper_trees(30, range(1, 31)), "50"),
        "search trees 30, by keys": (lambda: search_trees(1, 30), "50"),
        "search trees 30, ready-made": (lambda: structures.search_trees(30), "50"),
        "search trees 100, ready-made": (lambda: structures.search_trees(100), "250"),
        "red-black trees 100": (lambda: structures.red_black_trees(100), "-"),
        "red-black trees 1000": (lambda: structures.red_black_trees(1000), "-"),
        "pairs of trees, number 10**300": (_large, "-"),
    }


def one_by_one(make: Callable[[], Any]) -> tuple[float, float]:
    """Seconds to build, and microseconds to get a value by its index: the best of nine rounds of 500 random indices."""
    rng = random.Random(1)
    built = time.process_time()
    source = make()
    count = source.cardinality
    first = source[0]
    built = time.process_time() - built
    del first
    top = 10**300 if count == float("inf") else count
    numbers = [rng.randrange(top) for _ in range(500)]
    best = min(cpu_seconds(lambda: deque(map(source.__getitem__, numbers), 0)) for _ in range(9))
    return built, best / len(numbers) * 1e6


def _large() -> Any:
    trees: gen.Gen[Any] = gen.deferred(lambda: gen.none() | gen.tuples(trees, trees))
    return gen.tuples(trees, gen.integers())


def against_indexing() -> None:
    """The cost of a value in bulk and by its index.

    A walk starts by building the parts that many values share, so the first walk costs more than later ones. With few
    values this is most of the cost.
    """
    rows = []
    for name in walked():
        count, first, again, index = cell(f"bulk_and_index(walked()[{name!r}]())", 300)
        times = (f"{index / again:.0f}", f"{index / first:.0f}")
        rows.append((name, f"{count:,}", f"{index:.2f}", f"{again:.3f}", f"{first:.3f}", *times, "20"))
    header = ("bulk against indexing", "values", "us by index", "us in bulk", "us first", "times", "first")
    print(table((*header, "at least"), rows), "\n", flush=True)


def walked() -> dict[str, Callable[[], Any]]:
    """Search trees of every size, and one generator of each kind, including the ready-made structures."""
    digit, many = gen.integers(0, 9), gen.integers(0, 999)
    kinds: dict[str, Callable[[], Any]] = {}
    for n in range(6, 15 + (not QUICK)):
        kinds[f"search trees {n} as tuples"] = lambda n=n: structures.search_trees(n)
        kinds[f"search trees {n} of a class"] = lambda n=n: search_trees(1, n)
    return kinds | {
        "pairs of integers": lambda: gen.tuples(many, many),
        "lists of up to 6 digits": lambda: gen.lists(digit, max_size=6),
        "texts of up to 5 letters": lambda: gen.text("abcdefghijkl", max_size=5),
        "sets of numbers below 18": lambda: gen.sets(gen.integers(0, 17)),
        "unique lists": lambda: gen.lists(gen.integers(0, 12), unique=True, max_size=5),
        "a function of pairs": lambda: gen.tuples(many, many).map(lambda pair: pair[0] * 1000 + pair[1]),
        "flatmap": lambda: gen.integers(0, 300).flatmap(lambda n: gen.integers(0, n)),
        "dates": gen.dates,
        "lists of integers up to size 12": lambda: gen.lists(gen.integers()).up_to_size(12),
        "texts up to size 14": lambda: gen.text("ab").up_to_size(14),
        "triples of integers up to size 14": lambda: gen.tuples(*[gen.integers()] * 3).up_to_size(14),
        "endless triples, the first 200,000": lambda: gen.tuples(*[gen.integers()] * 3)[:200_000],
        "trees with three branches, size 7": lambda: wide.of_size(7),
        "trees made new for every test, size 10": lambda: mutable_trees.of_size(10),
        "red-black trees 15": lambda: structures.red_black_trees(15),
        "AVL trees 18": lambda: structures.avl_trees(18),
        "B-trees 20": lambda: structures.b_trees(20),
        "heap arrays 8": lambda: structures.heap_arrays(8),
        "sorted lists 12": lambda: structures.sorted_lists(12),
        "DAGs 6": lambda: structures.dags(6),
        "class hierarchies 4": lambda: structures.class_hierarchies(4, 2),
        "balanced parentheses 11": lambda: structures.balanced_parentheses(11),
        "set partitions 10": lambda: structures.set_partitions("abcdefghij"),
        "permutations 9": lambda: structures.permutations(range(9)),
        "combinations 6 of 20": lambda: structures.combinations(range(20), 6),
    }


wide: gen.Gen[Any] = gen.deferred(lambda: gen.none() | gen.tuples(wide, wide, wide))
mutable_trees: gen.Gen[Any] = gen.deferred(
    lambda: gen.none() | gen.builds(Node, mutable_trees, gen.just(0), mutable_trees)
)


def bulk_and_index(source: Any) -> tuple[int, float, float, float]:
    """Microseconds per value in bulk, for the first and for later walks, and by index; each the best of several rounds.

    The rounds alternate, because the speed of the machine varies.
    """
    count = len(source)
    first = cpu_seconds(lambda: deque(source, 0))
    walks = max(1, 50_000 // count)
    numbers = range(0, count, max(1, count // 5000))
    again, index = [], []
    for _ in range(6):
        again += [cpu_seconds(lambda: deque(source, 0)) for _ in range(walks)]
        index += [cpu_seconds(lambda: deque(map(source.__getitem__, numbers), 0)) for _ in range(2)]
    return count, first / count * 1e6, min(again) / count * 1e6, min(index) / len(numbers) * 1e6


def memory() -> None:
    """Peak memory, each measured in its own process so that nothing else counts."""
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
        print(f"{name}: {done.stdout.strip()} MB peak resident memory (limit 100)")
    print()


@dataclass
class Point:
    x: Any
    y: Any


def total(a: int, b: int, c: int) -> int:
    return a * b + c


def dictionaries_by_hand() -> Iterator[dict[str, int]]:
    for length in range(5):
        for keys in combinations("abcdefgh", length):
            for values in product(range(5), repeat=length):
                yield dict(zip(keys, values))


def built() -> None:
    """Generators that people commonly build: all values, against a plain loop that makes the same values. Each runs in
    its own interpreter.
    """
    rows = []
    for name in BUILT:
        made, loop = (cell(f"best_of_three(BUILT[{name!r}][{way}])", 120) for way in (0, 1))
        assert made is not None and loop is not None
        rows.append((name, f"{made / 1e6:.4f}", f"{loop / 1e6:.4f}", f"{made / loop:.2f}", "1.6"))
    print(table(("all values of", "ours s", "by hand s", "ratio", "limit"), rows), "\n", flush=True)


def best_of_three(make: Callable[[], Iterable[Any]]) -> int:
    """Microseconds to iterate over all values."""
    return int(min(cpu_seconds(lambda: deque(make(), 0)) for _ in range(3)) * 1e6)


DIGITS, HUNDRED = range(10), range(100)
_digit, _hundred = gen.integers(0, 9), gen.integers(0, 99)
BUILT: dict[str, tuple[Callable[[], Iterable[Any]], Callable[[], Iterable[Any]]]] = {
    "a function of three numbers": (
        lambda: gen.builds(total, _hundred, _hundred, _digit),
        lambda: (total(a, b, c) for a in HUNDRED for b in HUNDRED for c in DIGITS),
    ),
    "a dataclass": (
        lambda: gen.builds(Point, x=_hundred, y=gen.integers(0, 999)),
        lambda: (Point(x, y) for x in HUNDRED for y in range(1000)),
    ),
    "lists of five digits": (
        lambda: gen.lists(_digit, min_size=5, max_size=5),
        lambda: ([*row] for row in product(DIGITS, repeat=5)),
    ),
    "lists in a dataclass": (
        lambda: gen.builds(Point, _digit, gen.lists(_digit, max_size=4)),
        lambda: (Point(x, [*row]) for x in DIGITS for n in range(5) for row in product(DIGITS, repeat=n)),
    ),
    "dataclasses in a dataclass": (
        lambda: gen.builds(Point, gen.builds(Point, _digit, _digit), gen.builds(Point, _digit, _hundred)),
        lambda: (
            Point(Point(a, b), Point(c, d)) for a in DIGITS for b in DIGITS for c in DIGITS for d in HUNDRED
        ),
    ),
    "dictionaries": (
        lambda: gen.dictionaries(gen.sampled_from("abcdefgh"), gen.integers(0, 4), max_size=4),
        dictionaries_by_hand,
    ),
    "dictionaries with fixed keys": (
        lambda: gen.fixed_dictionaries({"a": _hundred, "b": _hundred, "c": _digit}),
        lambda: ({"a": a, "b": b, "c": c} for a in HUNDRED for b in HUNDRED for c in DIGITS),
    ),
    "text": (
        lambda: gen.text("abcdefghijkl", max_size=5),
        lambda: ("".join(row) for n in range(6) for row in product("abcdefghijkl", repeat=n)),
    ),
    "text in a dataclass": (
        lambda: gen.builds(Point, gen.text("ab", max_size=8), _hundred),
        lambda: (
            Point("".join(row), y) for n in range(9) for row in product("ab", repeat=n) for y in HUNDRED
        ),
    ),
}


def definitions() -> None:
    """Definitions and the first access to a far value, each in its own interpreter."""
    rows = [
        ("gen.builds, us", f"{cell('define_builds()', 60):.2f}", "3"),
        (
            "2-3 trees with 19 keys, defined and counted, s",
            f"{cell('define_two_three_trees()', 60):.2f}",
            "-",
        ),
        ("trees[10**2000], s", f"{cell('far_tree()', 60):.2f}", "1"),
        (
            "search trees 14 as the paper writes them, against builds",
            f"{cell('paper_form()', 60):.2f}",
            "2",
        ),
    ]
    print(table(("definitions", "value", "limit"), rows), "\n", flush=True)


def define_builds() -> float:
    parts = gen.none(), gen.integers(0, 3)
    return (
        min(
            cpu_seconds(lambda: deque((gen.builds(Point, *parts) for _ in range(20_000)), 0))
            for _ in range(3)
        )
        * 50
    )


def define_two_three_trees() -> float:
    return cpu_seconds(
        lambda: gen.one_of([two_three_trees(1, 19, height) for height in range(1, 6)]).cardinality
    )


@gen.dependent
def two_three_trees(low: int, high: int, height: int) -> gen.Gen[Any]:
    if height == 0:
        return gen.none() if low > high else gen.nothing()
    options: list[gen.Gen[Any]] = []
    for key in range(low, high + 1):
        left = two_three_trees(low, key - 1, height - 1)
        options.append(gen.tuples(left, gen.just(key), two_three_trees(key + 1, high, height - 1)))
        for other in range(key + 1, high + 1):
            middle, right = (
                two_three_trees(key + 1, other - 1, height - 1),
                two_three_trees(other + 1, high, height - 1),
            )
            options.append(gen.tuples(left, gen.just(key), middle, gen.just(other), right))
    return gen.one_of(options) if options else gen.nothing()


def far_tree() -> float:
    trees: gen.Gen[Any] = gen.deferred(lambda: gen.none() | gen.tuples(trees, trees))
    return cpu_seconds(lambda: trees[10**2000])


def paper_form() -> float:
    plain, paper = search_trees(1, 14), paper_trees(14, range(1, 15))
    assert plain.cardinality == paper.cardinality
    return cpu_seconds(lambda: exhaust(paper)) / cpu_seconds(lambda: exhaust(plain))


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
        f"(max_examples={budget:,}): {theirs / ours:.0f} times as fast (goal: at least 50)\n"
    )


PARTS: dict[str, Callable[[int], None]] = {
    "built": lambda limit: built(),
    "definitions": lambda limit: definitions(),
    "bulk": lambda limit: against_indexing(),
    "access": lambda limit: access(),
    "hypothesis": lambda limit: against_hypothesis(),
    "memory": lambda limit: memory(),
    "table": table_3,
}


def option(name: str, default: str) -> str:
    return sys.argv[sys.argv.index(name) + 1] if name in sys.argv else default


def main() -> None:
    print(versions("hypothesis"), "\n")
    limit = int(option("--limit", "60"))
    wanted = option("--only", ",".join(PARTS)).split(",")
    for name in wanted:
        PARTS[name](limit)
    if "table" in wanted:
        print(
            "Notes: heaps are all heaps in the shape of an array (SciFe's pruning loses some: 52,253,237 of\n"
            "72,073,573 at 10; Korat counts those of up to 10 nodes, 111,511,015). Sorted lists are SciFe's pruned\n"
            f"ones; all of them would be {comb(29, 15):,} at 15. t/o: 200 s."
        )


if __name__ == "__main__":
    main()
