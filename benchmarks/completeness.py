"""Which valid values do generators miss, and can they be repaired? The paper's table beside ours.

    python benchmarks/completeness.py [table | references | stlc | further | figures]

The paper's figures (Cobb, 2025) were measured by its authors on a 2020 M1 notebook; ours are CPU seconds of this
machine. Every repaired generator is also run: its values must be valid.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

from completeness_suite import variants
from completeness_suite.further import FURTHER
from completeness_suite.variants import GENERATORS, ROWS, STLC_ROWS, Row
from measuring import table

from everycase.complete import Repair, gaps, repair
from everycase.complete.specification import specification_of
from everycase.errors import GeneratorError

SAMPLES = 300


def arguments_for(family: str, rng: random.Random, top: int = 4) -> tuple[Any, ...]:
    """Random allowed arguments of a family, sizes up to ``top``."""
    size = rng.randint(0, top)
    if family == "red_black_tree":
        color = rng.random() < 0.5
        return (2 * size if color else 2 * size + 1, color, size)
    if family == "search_tree":
        low = rng.randint(-20, 20)
        return (size, low, low + rng.randint(1, 30))
    if family in ("sorted_list", "duplicate_list"):
        return (size, rng.randint(-5, 5))
    return (size,)


def named(generator: Any, arguments: tuple[Any, ...]) -> dict[str, Any]:
    code = generator.__wrapped__.__code__
    return dict(zip(code.co_varnames[1 : code.co_argcount], arguments))


def is_valid(generator: Any, value: Any, arguments: tuple[Any, ...]) -> bool:
    """Ask the predicate of the specification."""
    specification = specification_of(generator)
    assert specification is not None
    given = named(generator, arguments)
    code = specification.predicate.__code__
    names = code.co_varnames[1 : code.co_argcount]
    return bool(specification.predicate(value, *(given[n] for n in names)))


def alive(result: Repair, family: str) -> Any:
    """The repaired generator, loaded from its text."""
    return variants.load(result.new, f"{family}_repaired_{id(result)}")[result.name]


def invalid_values(result: Repair, row: Row) -> int:
    """How many of some hundred values of the repaired generator are not valid (rejections do not count)."""
    generator, rng, wrong = alive(result, row.family), random.Random(7), 0
    for i in range(30):
        arguments = arguments_for(row.family, rng, 3)
        try:
            values = generator(*arguments).sample(SAMPLES // 30, seed=i)
        except GeneratorError:  # it rejects too often (the sorted list's reference does too)
            continue
        wrong += sum(not is_valid(generator, value, arguments) for value in values)
    return wrong


def table_one() -> None:
    """All 44 rows of Table 1."""
    lines, seconds, proved = [], [], 0
    for row in ROWS:
        result = repair(variants.variant(row), max_seconds=60)
        wrong = invalid_values(result, row) if result.proved else "?"
        proved += result.proved
        seconds.append(result.seconds)
        paper = ["?" if p is None else str(p) for p in row.paper]
        ours = [
            result.holes, result.size, result.queries, result.terms,
            f"{result.abduction_seconds:.2f}", f"{result.synthesis_seconds:.2f}", f"{result.seconds:.2f}",
        ]  # fmt: skip
        word = "proved" if result.proved else result.status
        cells = [f"{a} / {b}" for a, b in zip(paper, ours)]
        lines.append([row.title, *cells, f"{row.paper[6] / result.seconds:.0f}x", word, str(wrong)])
    head = [
        "paper / ours",
        "holes",
        "size",
        "queries",
        "terms",
        "abduction s",
        "synthesis s",
        "total s",
        "faster",
        "",
        "invalid",
    ]
    print(table(head, lines))
    print(
        f"{proved} of {len(ROWS)} repaired and proved; together {sum(seconds):.1f} s (paper "
        f"{sum(r.paper[6] for r in ROWS):.0f} s), median {statistics.median(seconds):.2f} s, slowest {max(seconds):.2f} s"
    )


def references() -> None:
    """The complete generators must be proved, the incomplete ones refuted."""
    lines = []
    for family in GENERATORS:
        verdict = gaps(variants.reference(family))
        lines.append(
            [
                family,
                verdict.status,
                f"{verdict.seconds:.2f}",
                "yes" if verdict.sound else str(verdict.unsound)[:60],
            ]
        )
    print(table(["reference", "verdict", "s", "sound"], lines))
    found = [(row, gaps(variants.variant(row))) for row in [*ROWS, *STLC_ROWS]]
    refuted = sum(verdict.status == "missing" for _, verdict in found)
    times = [verdict.seconds for _, verdict in found]
    print(
        f"{refuted} of {len(found)} incomplete variants refuted; median {statistics.median(times):.3f} s, slowest {max(times):.2f} s"
    )


def stlc() -> None:
    """The case study."""
    lines = []
    for row, limit in zip(STLC_ROWS, (60, 300, 60)):
        result = repair(variants.variant(row), max_seconds=limit)
        lines.append(
            [
                row.title,
                f"{row.paper[6]}",
                f"{result.seconds:.1f}",
                str(limit),
                str(result.terms),
                result.status,
            ]
        )
    print(table(["", "paper s", "ours s", "limit s", "terms", ""], lines))


def further() -> None:
    """Generators that no paper has: complete, broken, repaired."""
    text, lines = variants.source("further"), []
    for name, label in FURTHER.items():
        whole = gaps(variants.load(text, f"whole_{name}")[name])
        broken = variants.load(variants.without(text, label), f"broken_{name}")[name]
        verdict = gaps(broken)
        result = repair(broken, max_seconds=30)
        note = "" if result.proved else "; ".join(result.notes)[:90]
        lines.append([
            name, whole.status, f"{whole.seconds:.2f}", verdict.status, f"{verdict.seconds:.2f}",
            result.status, f"{result.seconds:.2f}", note,
        ])  # fmt: skip
    print(table(["generator", "complete", "s", "broken", "s", "repair", "s", ""], lines))


# --- the paper's figures 11 to 14 --------------------------------------------------------------------------

LISTS = ("sized_list", "even_list", "sorted_list", "duplicate_list", "unique_list")
TREES = ("red_black_tree", "search_tree", "sized_tree", "complete_tree")


def size_for(family: str, rng: random.Random) -> int:
    """List sizes are skewed towards small ones (0..10000 in the paper; we stop at 30), heights are 0..6."""
    return min(30, int(rng.paretovariate(1.0)) - 1) if family in LISTS else rng.randint(0, 6)


def share_valid(generator: Any, family: str, count: int = 400) -> float:
    """Share of valid values among those that the generator makes (a rejection is a failure)."""
    rng, good = random.Random(11), 0
    for i in range(count):
        arguments = arguments_for(family, rng, 0)
        size = size_for(family, rng)
        if family == "red_black_tree":
            arguments = (2 * size if arguments[1] else 2 * size + 1, arguments[1], size)
        else:
            arguments = (size, *arguments[1:])
        try:
            value = generator(*arguments).sample(1, seed=i)[0]
        except Exception:
            continue
        good += is_valid(generator, value, arguments)
    return good / count


def figures() -> None:
    """Figures 11 to 13, smaller than in the paper: valid shares of each strategy, and what the safe one misses."""
    lines = []
    for row in ROWS:
        if row.variant not in ("1", "sketch"):
            continue
        cells = []
        for strategy in ("balanced", "complete", "safe"):
            result = repair(variants.variant(row), strategy=strategy, max_seconds=30)
            share = share_valid(alive(result, row.family), row.family)
            cells.append(
                f"{share:.0%} {'complete' if result.verdict.status == 'proved' else 'incomplete' if result.verdict.status == 'missing' else '?'}"
            )
        lines.append([row.title, *cells])
    print(table(["valid values", "our repair", "default generator in holes", "smallest safe term"], lines))
    print("Figure 14 (red-black trees by black height), CPU seconds for 1,000 trees")
    row = next(r for r in ROWS if r.title == "red black tree sketch")
    generator = alive(repair(variants.variant(row)), row.family)
    times = []
    for h in range(1, 6):
        started = time.process_time()
        for i in range(10):
            generator(2 * h + 1, False, h).sample(100, seed=i)
        times.append([str(h), f"{time.process_time() - started:.2f}"])
    print(table(["black height", "repaired generator"], times))


PARTS: dict[str, Callable[[], None]] = {
    "references": references, "table": table_one, "stlc": stlc, "further": further, "figures": figures,
}  # fmt: skip


if __name__ == "__main__":
    for part in sys.argv[1:] or PARTS:
        PARTS[part]()
