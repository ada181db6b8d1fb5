"""Which valid values do generators miss, and can they be repaired? Our results next to the paper's table.

    python benchmarks/completeness.py [PART...] [--full]

Parts from the paper: table, references, stlc, strategies, figure14. further: generators that are in no paper. bare:
generators from a promise alone. real, second, third, fourth, fifth, sixth, seventh, eighth, ninth, tenth, eleventh, twelfth,
thirteenth, fourteenth, fifteenth, classes, classes_second, repairs, tasks, more: generators as people write them. inventory:
one tiny generator for each construct. suites: the test suites of other projects, with --suites=FOLDER,FOLDER.

The paper's figures (Cobb, 2025) were measured by its authors on a 2020 M1 notebook; ours are CPU seconds on this
machine. Every repaired generator is also run: its values must be valid.
"""

from __future__ import annotations

import random
import statistics
import sys
from collections.abc import Callable
from typing import Any

from completeness_suite import bare, variants
from completeness_suite.figure14 import red_black_times
from completeness_suite.figures import alive, families_of, is_valid, repair_strategies, scale_of, with_room
from completeness_suite.further import FURTHER
from completeness_suite.inventory.programs import main as inventory
from completeness_suite.real.run import (
    classes,
    classes_second,
    eighth,
    eleventh,
    fifteenth,
    fifth,
    fourteenth,
    fourth,
    more_tasks,
    ninth,
    real,
    repairs,
    second,
    seventh,
    sixth,
    tasks,
    tenth,
    third,
    thirteenth,
    twelfth,
)
from completeness_suite.suites import suites
from completeness_suite.variants import GENERATORS, ROWS, STLC_ROWS, Row
from measuring import table

from everycase.complete import Repair, gaps, repair
from everycase.errors import GeneratorError

SAMPLES = 300


def arguments_for(family: str, rng: random.Random, top: int = 4) -> tuple[Any, ...]:
    """Random allowed arguments of a family, with sizes up to ``top``."""
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


def invalid_values(result: Repair, row: Row) -> int:
    """How many of several hundred values of the repaired generator are invalid (rejections do not count)."""
    generator, rng, wrong = alive(result, row.family), random.Random(7), 0
    for i in range(30):
        arguments = arguments_for(row.family, rng, 3)
        try:
            values = generator(*arguments).sample(SAMPLES // 30, seed=i)
        except GeneratorError:  # it rejects too often (so does the reference for sorted lists)
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
        paper = ["-" if p is None else str(p) for p in row.paper]
        ours = [
            result.holes, result.size, result.queries, result.terms,
            f"{result.abduction_seconds:.2f}", f"{result.synthesis_seconds:.2f}", f"{result.seconds:.2f}",
        ]  # fmt: skip
        word = "proved" if result.proved else result.status
        cells = [f"{a} / {b}" for a, b in zip(paper, ours)]
        likely = [f"{x.new / x.samples:.0%}, {x.seen / x.samples:.0%}" for x in result.likelihoods[-1:]]
        faster = f"{row.paper[6] / result.seconds:.0f}x" if row.paper[6] else "-"
        lines.append([row.title, *cells, faster, word, str(wrong), *(likely or ["?"])])
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
        "result",
        "invalid",
        "new, rarest",
    ]
    print(table(head, lines))
    print(
        "new, rarest: for the arguments with the most missing values, the share of 400 random values that could not be made "
        "before, and the share of the rarest missing shape; ? if the generator rejects too often to say"
    )
    totals = [row.paper[6] for row in ROWS if row.paper[6] is not None]
    print("-: not legible in our copy of the paper")
    print(
        f"{proved} of {len(ROWS)} repaired and proved; in total {sum(seconds):.1f} s (paper {sum(totals):,.0f} s for the "
        f"{len(totals)} rows whose total is legible), median {statistics.median(seconds):.2f} s, slowest {max(seconds):.2f} s"
    )


def references() -> None:
    """The complete generators must be proved complete, and the incomplete ones refuted."""
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
    print(table(["", "paper s", "ours s", "limit s", "terms", "status"], lines))


def further() -> None:
    """Generators that are in no paper: complete, broken, repaired."""
    text, lines = variants.source("further"), []
    for name, label in FURTHER.items():
        whole = gaps(variants.load(text, f"whole_{name}")[name])
        broken = variants.load(variants.without(text, label), f"broken_{name}")[name]
        verdict = gaps(broken)
        result = repair(broken, max_seconds=120)
        note = "" if result.proved else "; ".join(result.notes)[:90]
        lines.append([
            name, whole.status, f"{whole.seconds:.2f}", verdict.status, f"{verdict.seconds:.2f}",
            result.status, f"{result.seconds:.2f}", note,
        ])  # fmt: skip
    print(table(["generator", "complete", "s", "broken", "s", "repair", "s", "notes"], lines))


def strategies() -> None:
    """Figures 11 to 13. ``--full --seconds=3000`` runs as much as the paper does and takes more than an hour."""
    with_room(lambda: repair_strategies(scale_of(sys.argv), families_of(sys.argv)))


def figure_14() -> None:
    """The times for red-black trees. ``--full`` uses the paper's numbers and its limit of five minutes."""
    with_room(lambda: red_black_times(scale_of(sys.argv)))


def from_promises() -> None:
    """Whole generators made from their promises alone."""
    lines = []
    for name in [*bare.ASKED, *bare.OTHERS]:
        result = repair(getattr(bare, name), max_seconds=30)
        lines.append([name, result.status, result.verdict.soundness, f"{result.seconds:.2f}"])
    print(table(["promise", "complete", "only valid values", "s"], lines))


PARTS: dict[str, Callable[[], None]] = {
    "references": references, "table": table_one, "stlc": stlc, "further": further,
    "strategies": strategies, "figure14": figure_14, "bare": from_promises, "real": real, "second": second,
    "third": third, "fourth": fourth, "fifth": fifth, "sixth": sixth, "seventh": seventh, "eighth": eighth, "ninth": ninth, "tenth": tenth, "eleventh": eleventh,
    "twelfth": twelfth, "thirteenth": thirteenth, "fourteenth": fourteenth, "fifteenth": fifteenth, "classes": classes, "classes_second": classes_second, "repairs": repairs,
    "tasks": tasks, "more": more_tasks, "inventory": inventory,
}  # fmt: skip


if __name__ == "__main__":
    known = {**PARTS, "suites": suites}
    asked = [a for a in sys.argv[1:] if not a.startswith("--")]
    if "--help" in sys.argv or not set(asked) <= set(known):
        print(__doc__)
        sys.exit(0 if "--help" in sys.argv else 2)
    for part in asked or list(PARTS):
        known[part]()
