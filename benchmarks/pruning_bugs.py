"""How soon the searches reach a term that reveals a planted bug in System F.

A search does not know which bug it is looking for: with a given seed it goes through the same terms for all of them. So
one run serves all bugs. Every term is tested once on the correct language. This test also records which places with a
planted bug it passed, and only those bugs are then tried on the term, with the clock stopped. The charged time is that
of a run with one bug: the search and one test per term (slightly more, because the places are recorded). ``--alone``
runs one bug at a time.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from measuring import table
from pruning_chart import bar_chart, text_chart

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))

from systemf_language import reduces_alike, terms, well_typed_early, well_typed_plain

from everycase import HealthCheck, Phase, check
from everycase.explore import Explorer, Narrow, Patterns

PAPER = ("shallow", "deep", "dense")
#: As in the paper, the searches for comparison go up to size 13. The default goes up to 16.
BOUND = 13
SEARCHES: dict[str, Callable[[], Explorer]] = {
    "depth": lambda: Narrow(max_size=BOUND, order="depth"),
    "smallest": lambda: Narrow(max_size=BOUND, order="smallest"),
    "shallow": lambda: Patterns.preset("shallow", max_size=BOUND, order="depth"),
    "deep": lambda: Patterns.preset("deep", max_size=BOUND, order="depth"),
    "dense": lambda: Patterns.preset("dense", max_size=BOUND, order="depth"),
    "race": lambda: Patterns(race=list(PAPER), max_size=BOUND, order="depth"),
    "random": lambda: Narrow(max_size=16, order="random"),
    "selected": lambda: Narrow(max_size=16, order="selected"),
    "scattered": lambda: Narrow(max_size=16, order="scattered"),
    "default": lambda: Narrow(),
}
#: deterministic searches, which need only one run
WITHOUT_DICE = {"depth", "smallest"}

Times = dict[str, float | None]


class Enough(BaseException):
    """Ends a run."""


class Places:
    """Stands in for the name of a bug: equals none of them, and records which names it was compared with."""

    def __init__(self) -> None:
        self.seen: set[str] = set()

    def __eq__(self, name: object) -> bool:
        self.seen.add(str(name))
        return False

    __hash__ = None  # type: ignore[assignment]


def times_to_failure(
    bugs: Sequence[str], explorer: Explorer, *, seed: int, limit: float, predicate: Any = well_typed_early
) -> Times:
    """CPU seconds until a term reveals each bug; None if the limit came first."""
    times: Times = dict.fromkeys(bugs)
    left = set(bugs)
    clock = time.process_time
    places: Any = Places()
    started = clock()  # moved forward by the time that is not charged

    def agrees(e: Any) -> None:
        nonlocal started
        places.seen.clear()
        reduces_alike(e, places)
        now = clock()
        if now - started > limit:
            raise Enough
        for bug in left & places.seen:
            if not reduces_alike(e, bug):  # type: ignore[arg-type]
                times[bug] = now - started
                left.discard(bug)
                print(f"seed {seed}: {bug} after {now - started:.1f} s", file=sys.stderr, flush=True)
        if not left:
            raise Enough
        started += clock() - now

    _run(agrees, explorer, seed, limit, predicate)
    return times


def time_to_failure(bug: Any, explorer: Explorer, *, seed: int, limit: float) -> float | None:
    """CPU seconds until a term reveals one bug, in a run of its own."""
    seconds: float | None = None
    started = time.process_time()

    def agrees(e: Any) -> None:
        nonlocal seconds
        alike = reduces_alike(e, bug)
        now = time.process_time() - started
        if now > limit:
            raise Enough
        if not alike:
            seconds = now
            raise Enough

    _run(agrees, explorer, seed, limit, well_typed_early)
    return seconds


def _run(test: Callable[[Any], None], explorer: Explorer, seed: int, limit: float, predicate: Any) -> None:
    with suppress(Enough):
        check(
            test,
            terms.filter(predicate),
            explore=explorer,
            max_examples=10**9,
            max_seconds=limit * 20,
            seed=seed,
            database=None,
            phases=[Phase.explore],
            suppress_health_check=list(HealthCheck),
        )


def mutants(
    chosen: list[str], searches: list[str], seeds: range, limit: float, chart: str | None, *, alone: bool
) -> None:
    """Time to failure of each bug with each search: the median over the seeds, the slowest, and how many seeds found
    it.
    """
    bars: dict[str, Times] = {}
    rows: list[list[object]] = [[bug] for bug in chosen]
    for name in searches:
        runs: list[Times] = []
        for seed in seeds[:1] if name in WITHOUT_DICE else seeds:
            if alone:
                runs.append(
                    {one: time_to_failure(one, SEARCHES[name](), seed=seed, limit=limit) for one in chosen}
                )
            else:
                runs.append(times_to_failure(chosen, SEARCHES[name](), seed=seed, limit=limit))
            print(f"{name}, seed {seed}: done", file=sys.stderr, flush=True)
        bars[name] = {}
        for row, bug in zip(rows, chosen):
            times = [run[bug] for run in runs]
            middle, found = middle_of(times, limit)
            slowest = None if None in times else max(one for one in times if one is not None)
            bars[name][bug] = middle
            row += [in_words(middle, limit), in_words(slowest, limit), f"{found}/{len(runs)}"]
    header = ["bug"]
    for name in searches:
        header += [name, "slowest", "found"]
    print(table(header, rows))
    print("\nCPU seconds until the bug is found, on a logarithmic scale\n")
    print(text_chart(bars, limit))
    if chart:
        Path(chart).write_text(bar_chart(bars, limit), encoding="utf-8")
        print(f"bar chart: {chart}")


def in_words(seconds: float | None, limit: float) -> str:
    """CPU seconds as text; None is beyond the limit."""
    return f"> {limit:.0f}" if seconds is None else f"{seconds:.1f}"


def middle_of(times: Sequence[float | None], limit: float) -> tuple[float | None, int]:
    """The median (None if it is beyond the limit), and how many are within the limit."""
    found = [seconds for seconds in times if seconds is not None]
    if len(found) * 2 <= len(times):
        return None, len(found)
    return statistics.median([limit if seconds is None else seconds for seconds in times]), len(found)


def ingredients(chosen: list[str], seeds: range, limit: float) -> None:
    """The default with one ingredient removed at a time."""
    from everycase.explore.narrow import turns as shares
    from everycase.narrow import orders as selection

    def without(module: Any, **values: Any) -> Callable[[int], Times]:
        def run(seed: int) -> Times:
            kept = {name: getattr(module, name) for name in values}
            try:
                for name, value in values.items():
                    setattr(module, name, value)
                return times_to_failure(chosen, Narrow(), seed=seed, limit=limit)
            finally:
                for name, value in kept.items():
                    setattr(module, name, value)

        return run

    cases: dict[str, Callable[[int], Times]] = {
        "the default": without(shares),
        "a checker that rejects later": lambda seed: times_to_failure(
            chosen, Narrow(), seed=seed, limit=limit, predicate=well_typed_plain
        ),
        "no smallest first": without(shares, SMALLEST_SHARE=0.001),
        "no selected": without(shares, SELECTED_SHARE=0.001),
        "no scattered": without(shares, SCATTERED_SHARE=0.001),
        "all constructors": without(
            selection, KEEP=1.0, MANY_PARTS=99, ONE_WITHOUT_PARTS=0.0, ONE_SCATTERED=0.0
        ),
        "as many without parts": without(selection, WITHOUT_PARTS=1.0),
    }
    rows = []
    for name, run in cases.items():
        runs = [run(seed) for seed in seeds]
        row: list[object] = [name]
        for bug in chosen:
            middle, found = middle_of([times[bug] for times in runs], limit)
            row.append(f"{in_words(middle, limit)} ({found})")
        rows.append(row)
        print(" | ".join(map(str, row)), file=sys.stderr, flush=True)
    print(f"CPU seconds, median of {len(seeds)} seeds (how many found the bug)\n")
    print(table(["search", *chosen], rows))


def vary(chosen: list[str], seed: int, limit: float) -> None:
    """Vary the size, budget, strength and fineness of patterns, one at a time."""
    usual = {"fineness": 3, "strength": 7, "budget": 100_000, "max_size": 13}
    variations: dict[str, list[int]] = {
        "max_size": [11, 13, 15],
        "budget": [10_000, 100_000, 1_000_000],
        "strength": [2, 7, 12],
        "fineness": [1, 3, 5],
    }
    rows = []
    known: dict[tuple[Any, ...], Times] = {}
    for option, values in variations.items():
        for value in values:
            options: dict[str, Any] = {**usual, option: value}
            key = tuple(options.values())
            if key not in known:
                explorer = Patterns(order="depth", **options)
                known[key] = times_to_failure(chosen, explorer, seed=seed, limit=limit)
            row: list[object] = [option, value]
            times = [known[key][one] for one in chosen]
            row.append(f"{sum(seconds is not None for seconds in times)}/{len(chosen)}")
            row += [in_words(seconds, limit) for seconds in times]
            rows.append(row)
            print(" ".join(map(str, row)), file=sys.stderr, flush=True)
    print(table(["option", "value", "found", *chosen], rows))
