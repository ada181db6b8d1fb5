"""Pruning against filtering, Hypothesis, and itself: how fast valid values are found, and how soon mistakes.

    python benchmarks/pruning.py                          everything, with a limit of 60 CPU seconds for each search
    python benchmarks/pruning.py --only counts,structures
    python benchmarks/pruning.py --only mutants --mutants LiftVar,LiftTApp --limit 250 --seeds 5 --chart mutants.svg

Parts: counts, speed, structures, hypothesis, mutants, vary.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from measuring import cpu_seconds, table, versions
from pruning_structures import STRUCTURES

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))

from systemf_language import (
    QUICK,
    SLOW,
    reduces_alike,
    terms,
    well_typed,
    well_typed_plain,
)

from everycase import HealthCheck, Phase, check
from everycase.explore import Explorer, Narrow, Patterns
from everycase.narrow import Narrowing

#: well-typed closed terms up to size 1, 2, ..., 9
COUNTS = [3, 6, 17, 68, 217, 811, 3108, 12036, 46766]


def counts() -> None:
    """The numbers of well-typed terms, and the same sets as filtering gives."""
    rows = []
    for size, wanted in enumerate(COUNTS, 1):
        search = Narrowing([terms.filter(well_typed_plain)])
        found: list[Any] = []
        seconds = cpu_seconds(lambda: found.extend(one.value for one in search.search(size)))
        same = "-"
        if size <= 7:
            same = "yes" if set(found) == set(filter(well_typed, terms.up_to_size(size))) else "NO"
        figures = search.statistics
        rows.append([size, len(found), wanted, same, figures.evaluations, figures.per_value, seconds])
    header = ["size", "found", "known", "as filtering", "evaluations", "per value", "CPU s"]
    print(table(header, rows))


def speed() -> None:
    """Evaluations a second on half-decided terms, and of the filter on whole ones, in turns, up to the same size."""
    from pruning_checkers import well_typed_late, well_typed_plain_late

    checkers = [
        ("isinstance, rejects early", well_typed_plain),
        ("match, rejects early", well_typed),
        ("isinstance, rejects late", well_typed_plain_late),
        ("match, rejects late", well_typed_late),
    ]
    rows = []
    for name, predicate in checkers:
        for size, rounds in ((7, 5), (8, 2)):
            lazy, plain = [], []
            for _ in range(rounds):
                search = Narrowing([terms.filter(predicate)])
                seconds = cpu_seconds(lambda: sum(1 for _ in search.search(size)))
                lazy.append(search.statistics.evaluations / seconds)
                whole = terms.up_to_size(size)
                seconds = cpu_seconds(lambda: sum(map(predicate, whole)))
                plain.append(len(whole) / seconds)
            rows.append([name, size, search.statistics.evaluations, max(lazy), max(plain)])
            rows[-1].append(max(lazy) / max(plain))
    header = ["checker", "size", "evaluations", "pruning, evaluations/s", "filter, values/s", "ratio"]
    print(table(header, rows))


def structures(limit: float) -> None:
    """Pruning and filtering at the largest size where filtering ends within the limit."""
    rows = []
    for name, make, predicate, sizes in STRUCTURES:
        best: list[Any] | None = None
        for size in sizes:
            inputs = make(size)
            filtered: list[Any] = []
            before = time.process_time()
            for value in inputs.up_to_size(size):
                if predicate(value):
                    filtered.append(value)
                if time.process_time() - before > limit:
                    break
            else:
                filtering = time.process_time() - before
                found: list[Any] = []
                pruning = cpu_seconds(
                    lambda: found.extend(
                        one.value for one in Narrowing([inputs.filter(predicate)]).search(size)
                    )
                )
                same = sorted(map(repr, found)) == sorted(map(repr, filtered))
                best = [
                    name,
                    size,
                    len(found),
                    "yes" if same else "NO",
                    filtering,
                    pruning,
                    filtering / pruning,
                ]
                continue
            break
        if best is not None:
            rows.append(best)
        largest = sizes[-1]
        inputs = make(largest)
        search = Narrowing([inputs.filter(predicate)])
        seconds = cpu_seconds(lambda: sum(1 for _ in search.search(largest)))
        rows.append([name, largest, search.statistics.accepted, "-", "-", seconds, "-"])
    print(table(["structure", "size", "valid", "same", "filter s", "pruning s", "ratio"], rows))


def hypothesis_rates(limit: float) -> None:
    """Valid inputs a second on the same precondition: Hypothesis' filter, and Narrow."""
    from pruning_peers import PEERS

    rows = []
    for name, ours, theirs in PEERS:
        inputs, size = ours()
        passed = 0

        def test(value: Any) -> None:
            nonlocal passed
            passed += 1

        seconds = cpu_seconds(
            lambda: check(
                test,
                inputs,
                explore=Narrow(max_size=size),
                max_examples=10**9,
                max_seconds=limit,
                phases=[Phase.explore],
                database=None,
                suppress_health_check=list(HealthCheck),
            )
        )
        rate = passed / seconds
        valid, spent = theirs(limit)
        peer = valid / spent
        ratio: object = rate / peer if valid else f"> {rate * spent:,.0f}"
        rows.append([name, rate, peer, valid, ratio])
    print(table(["valid inputs", "Narrow /s", "Hypothesis /s", "Hypothesis found", "ratio"], rows))


# --- mistakes in System F -------------------------------------------------------------------------------

PAPER = {"shallow": (50, 1, 1), "deep": (75, 5, 5), "dense": (10, 3, 7)}
SEARCHES: dict[str, Callable[[int], Explorer]] = {
    "depth": lambda size: Narrow(max_size=size, order="depth"),
    "smallest": lambda size: Narrow(max_size=size, order="smallest"),
    "random": lambda size: Narrow(max_size=size, order="random"),
    "shallow": lambda size: Patterns.preset("shallow", max_size=size, order="depth"),
    "deep": lambda size: Patterns.preset("deep", max_size=size, order="depth"),
    "dense": lambda size: Patterns.preset("dense", max_size=size, order="depth"),
    "race": lambda size: Patterns(race=list(PAPER), max_size=size, order="depth"),
    "selected": lambda size: Narrow(max_size=size, order="selected"),
    "automatic": lambda size: Narrow(),  # its random part goes up to size 16
}
#: searches that roll no dice need one run
WITHOUT_DICE = {"depth", "smallest"}


class Found(BaseException):
    """Ends a run at its first failure."""


def time_to_failure(
    mutant: Any, explorer: Explorer, *, seed: int, limit: float, predicate: Any
) -> float | None:
    """CPU seconds until a term shows the mistake; None if the limit came first."""

    def agrees(e: Any) -> None:
        if not reduces_alike(e, mutant):
            raise Found
        if time.process_time() > deadline:
            raise KeyboardInterrupt

    started = time.process_time()
    deadline = started + limit
    try:
        check(
            agrees,
            terms.filter(predicate),
            explore=explorer,
            max_examples=10**9,
            max_seconds=limit * 20,
            seed=seed,
            database=None,
            phases=[Phase.explore],
            suppress_health_check=list(HealthCheck),
        )
    except Found:
        return time.process_time() - started
    except KeyboardInterrupt:
        return None
    return None


def mutants(
    chosen: list[str], searches: list[str], size: int, seeds: int, limit: float, chart: str | None
) -> None:
    """Time to failure of each mistake with each search: median over the seeds, and how many found it."""
    bars: dict[str, dict[str, float | None]] = {name: {} for name in searches}
    rows = []
    for mutant in chosen:
        row: list[object] = [mutant]
        for name in searches:
            runs = range(1 if name in WITHOUT_DICE else seeds)
            bound = min(size, 13) if name in ("depth", *PAPER, "race") else size
            times = [
                time_to_failure(
                    mutant, SEARCHES[name](bound), seed=seed, limit=limit, predicate=well_typed_plain
                )
                for seed in runs
            ]
            found = [seconds for seconds in times if seconds is not None]
            middle = statistics.median([limit if seconds is None else seconds for seconds in times])
            bars[name][mutant] = middle if len(found) * 2 > len(times) else None
            row += [
                f"{middle:.1f}" if len(found) * 2 > len(times) else f"> {limit:.0f}",
                f"{len(found)}/{len(times)}",
            ]
        rows.append(row)
        print(" ".join(map(str, row)), file=sys.stderr, flush=True)
    header = ["mistake"]
    for name in searches:
        header += [name, "found"]
    print(table(header, rows))
    if chart:
        from pruning_chart import bar_chart

        Path(chart).write_text(bar_chart(bars, limit), encoding="utf-8")
        print(f"bar chart: {chart}")


def vary(chosen: list[str], limit: float) -> None:
    """Size, budget, strength and fineness of patterns, one at a time."""
    usual = {"fineness": 3, "strength": 7, "budget": 100_000, "max_size": 13}
    variations: dict[str, list[int]] = {
        "max_size": [12, 13, 14],
        "budget": [10_000, 100_000, 1_000_000],
        "strength": [2, 7, 12],
        "fineness": [1, 3, 5],
    }
    rows = []
    for option, values in variations.items():
        for value in values:
            options: dict[str, Any] = {**usual, option: value}
            row: list[object] = [option, value]
            for mutant in chosen:
                seconds = time_to_failure(
                    mutant,
                    Patterns(order="depth", **options),
                    seed=0,
                    limit=limit,
                    predicate=well_typed_plain,
                )
                row.append(f"> {limit:.0f}" if seconds is None else f"{seconds:.1f}")
            rows.append(row)
            print(" ".join(map(str, row)), file=sys.stderr, flush=True)
    print(table(["option", "value", *chosen], rows))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parts = ["counts", "speed", "structures", "hypothesis", "mutants", "vary"]
    parser.add_argument("--only", default=",".join(parts), help="parts, separated by commas")
    parser.add_argument("--limit", type=float, default=60, help="CPU seconds for each search")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--size", type=int, default=16, help="largest size of terms in the automatic search")
    parser.add_argument("--mutants", default=",".join(QUICK + SLOW))
    parser.add_argument("--searches", default="depth,race,automatic", help=f"of {', '.join(SEARCHES)}")
    parser.add_argument("--chart", help="where to write the bar chart of the mistakes (SVG)")
    given = parser.parse_args()
    print(versions("hypothesis"))
    chosen = given.mutants.split(",")
    work: dict[str, Callable[[], None]] = {
        "counts": counts,
        "speed": speed,
        "structures": lambda: structures(given.limit),
        "hypothesis": lambda: hypothesis_rates(min(given.limit, 20)),
        "mutants": lambda: mutants(
            chosen, given.searches.split(","), given.size, given.seeds, given.limit, given.chart
        ),
        "vary": lambda: vary([one for one in chosen if one in SLOW][:3] or chosen[:3], given.limit),
    }
    for part in given.only.split(","):
        if part not in work:
            parser.error(f"there is no part {part!r}; choose from {', '.join(parts)}")
        print(f"\n{part}\n")
        work[part]()


if __name__ == "__main__":
    main()
