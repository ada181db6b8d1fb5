"""Rows of the tables of targeted search: many runs with different seeds, and the number of tests they needed.

A run counts its tests up to the first failure, including discarded ones. A run that hits the cap counts with the cap. The
rows of a table share its CPU seconds: a quick row leaves its unused time to the next. A row that runs out of time says
how many of the seeds it ran. Every row has at least two runs.
"""

from __future__ import annotations

import math
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from comparing import tests_to_failure
from measuring import table

from everycase.explore import Explorer

#: The seeds of all runs begin here. Nothing was tuned on them.
FIRST_SEED = 200_000

HEADER = [
    "search",
    "found",
    "mean",
    "+-95%",
    "median",
    "max",
    "ms, mean",
    "ms, geom.",
    "ms, sd",
    "tests/s",
    "paper",
]

#: One run: from a seed to the number of the failing test, or None.
Run = Callable[[int], int | None]


@dataclass
class Row:
    """One line of a table, before it is measured."""

    name: str
    run: Run
    cap: int
    paper: str = ""
    #: fewer seeds than the table, for slow rows that matter little
    seeds: int | None = None
    #: factor for the number of seeds, for quick rows that vary more than they differ from the rows next to them
    times: int = 1


def ours(
    name: str,
    test: Callable[..., Any],
    inputs: Any,
    explorer: Explorer,
    cap: int,
    paper: str = "",
    seeds: int | None = None,
    times: int = 1,
) -> Row:
    """A row for one of our explorers."""
    return Row(
        name,
        lambda seed: tests_to_failure(test, inputs, explorer, seeds=[seed], cap=cap)[0],
        cap,
        paper,
        seeds,
        times,
    )


@dataclass
class Limits:
    """How much of a table is measured: the runs per row, the CPU seconds, and a word that selects rows."""

    seeds: int = 30
    seconds: float = 600
    only: str = ""

    def part(self, share: float) -> Limits:
        return replace(self, seconds=share * self.seconds)

    def wants(self, name: str) -> bool:
        return self.only in name


def measured(rows: Sequence[Row], limits: Limits) -> list[list[Any]]:
    """The lines of a table, each measured within its share of the seconds."""
    lines = []
    rows = [row for row in rows if limits.wants(row.name)]
    end = time.process_time() + limits.seconds
    for place, row in enumerate(rows):
        share = (end - time.process_time()) / (len(rows) - place)
        lines.append(_line(row, min(limits.seeds, row.seeds or limits.seeds) * row.times, share))
        print(
            *lines[-1][:6], sep=", ", file=sys.stderr, flush=True
        )  # show progress, because some tables take long
    return lines


def show_grid(
    corner: str, cells: Sequence[tuple[str, str, Row]], limits: Limits, said: dict[str, list[str]]
) -> None:
    """Measure (row, column, run) and print one line per row: found/runs, mean tests, and milliseconds per run.

    ``said`` has further cells for each row, such as the figures of a paper.
    """
    lines = measured([cell for _, _, cell in cells], limits)
    shown = {line[0]: f"{line[1]} {line[2]:,.0f} ({line[6]:,.0f} ms)" for line in lines}
    columns = list(dict.fromkeys(column for _, column, _ in cells))
    named = {(row, column): cell.name for row, column, cell in cells}
    rows = [
        [row, *(shown.get(named.get((row, column), ""), "-") for column in columns), *said.get(row, [])]
        for row in dict.fromkeys(row for row, _, _ in cells)
    ]
    print(table([corner, *columns, *said.get("", [])], rows))


def show(rows: Sequence[Row], limits: Limits, columns: int = len(HEADER)) -> None:
    """Measure the rows and print the table."""
    if any(limits.wants(row.name) for row in rows):
        print(table(HEADER[:columns], [line[:columns] for line in measured(rows, limits)]))


def _line(row: Row, seeds: int, seconds: float) -> list[Any]:
    needed: list[int] = []
    milliseconds: list[float] = []
    found = 0
    begun = time.process_time()
    for seed in range(FIRST_SEED, FIRST_SEED + seeds):
        if len(needed) >= 2 and time.process_time() - begun > seconds:
            break
        started = time.process_time()
        number = row.run(seed)
        milliseconds.append(1000 * (time.process_time() - started))
        found += number is not None
        needed.append(row.cap if number is None else number)
    runs = len(needed)
    spread = 1.96 * statistics.stdev(needed) / math.sqrt(runs) if runs > 1 else 0.0
    return [
        row.name,
        f"{found}/{runs}" + (f" of {seeds}" if runs < seeds else ""),
        statistics.mean(needed),
        spread,
        statistics.median(needed),
        max(needed),
        statistics.mean(milliseconds),
        statistics.geometric_mean([max(ms, 0.01) for ms in milliseconds]),
        statistics.stdev(milliseconds) if runs > 1 else 0.0,
        1000 * sum(needed) / sum(milliseconds),
        row.paper,
    ]


def poisson_interval(events: int) -> tuple[float, float]:
    """The 95 % interval of a mean, given the number of counted events (Wilson and Hilferty's approximation)."""
    low = 0.0 if not events else events * (1 - 1 / (9 * events) - 1.96 / (3 * math.sqrt(events))) ** 3
    more = events + 1
    return low, more * (1 - 1 / (9 * more) + 1.96 / (3 * math.sqrt(more))) ** 3
