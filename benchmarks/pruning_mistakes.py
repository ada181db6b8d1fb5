"""How soon the searches come to a term that shows a mistake in System F.

A search does not know which mistake is looked for: with one seed it goes through the same terms for all of them. So one
run serves all mistakes. Every term is tested once, on the language without a mistake, and this test also tells which
places with a mistake it came to; only those mistakes are then tried on the term, with the clock stopped. What is charged
is what a run with that one mistake takes: the search, and one test for each term (a little more, since the places are
noted). ``--alone`` runs one mistake at a time.
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
#: The comparators go up to size 13, as in the paper. The default goes up to 16.
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
#: searches that roll no dice need one run
WITHOUT_DICE = {"depth", "smallest"}

Times = dict[str, float | None]


class Enough(BaseException):
    """Ends a run."""


class Places:
    """Stands for the name of a mistake: it is none of them, and notes which of them it was compared with."""

    def __init__(self) -> None:
        self.seen: set[str] = set()

    def __eq__(self, name: object) -> bool:
        self.seen.add(str(name))
        return False

    __hash__ = None  # type: ignore[assignment]


def times_to_failure(
    mistakes: Sequence[str], explorer: Explorer, *, seed: int, limit: float, predicate: Any = well_typed_early
) -> Times:
    """CPU seconds until a term shows each mistake; None if the limit came first."""
    times: Times = dict.fromkeys(mistakes)
    left = set(mistakes)
    clock = time.process_time
    places: Any = Places()
    started = clock()  # is moved on by what is not charged

    def agrees(e: Any) -> None:
        nonlocal started
        places.seen.clear()
        reduces_alike(e, places)
        now = clock()
        if now - started > limit:
            raise Enough
        for mistake in left & places.seen:
            if not reduces_alike(e, mistake):  # type: ignore[arg-type]
                times[mistake] = now - started
                left.discard(mistake)
                print(f"seed {seed}: {mistake} after {now - started:.1f} s", file=sys.stderr, flush=True)
        if not left:
            raise Enough
        started += clock() - now

    _run(agrees, explorer, seed, limit, predicate)
    return times


def time_to_failure(mistake: Any, explorer: Explorer, *, seed: int, limit: float) -> float | None:
    """The same for one mistake, in a run of its own."""
    seconds: float | None = None
    started = time.process_time()

    def agrees(e: Any) -> None:
        nonlocal seconds
        alike = reduces_alike(e, mistake)
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
    """Time to failure of each mistake with each search: median over the seeds, the slowest, and how many found it."""
    bars: dict[str, Times] = {}
    rows: list[list[object]] = [[mistake] for mistake in chosen]
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
        for row, mistake in zip(rows, chosen):
            times = [run[mistake] for run in runs]
            middle, found = middle_of(times, limit)
            slowest = None if None in times else max(one for one in times if one is not None)
            bars[name][mistake] = middle
            row += [in_words(middle, limit), in_words(slowest, limit), f"{found}/{len(runs)}"]
    header = ["mistake"]
    for name in searches:
        header += [name, "slowest", "found"]
    print(table(header, rows))
    print("\nCPU s until it shows, on a logarithmic scale\n")
    print(text_chart(bars, limit))
    if chart:
        Path(chart).write_text(bar_chart(bars, limit), encoding="utf-8")
        print(f"bar chart: {chart}")


def in_words(seconds: float | None, limit: float) -> str:
    """CPU seconds; None is beyond the limit."""
    return f"> {limit:.0f}" if seconds is None else f"{seconds:.1f}"


def middle_of(times: Sequence[float | None], limit: float) -> tuple[float | None, int]:
    """The median (None if it is beyond the limit), and how many are within."""
    found = [seconds for seconds in times if seconds is not None]
    if len(found) * 2 <= len(times):
        return None, len(found)
    return statistics.median([limit if seconds is None else seconds for seconds in times]), len(found)


def ingredients(chosen: list[str], seeds: range, limit: float) -> None:
    """The default with one thing taken away at a time."""
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
        for mistake in chosen:
            middle, found = middle_of([times[mistake] for times in runs], limit)
            row.append(f"{in_words(middle, limit)} ({found})")
        rows.append(row)
        print(" | ".join(map(str, row)), file=sys.stderr, flush=True)
    print(f"CPU s, median of {len(seeds)} (how many found it)\n")
    print(table(["search", *chosen], rows))


def vary(chosen: list[str], seed: int, limit: float) -> None:
    """Size, budget, strength and fineness of patterns, one at a time."""
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
