"""Random testing and shrinking: merging intervals."""

from __future__ import annotations

from everycase import Phase, check, gen
from everycase.cli.demos import Scene, source
from everycase.run.render import verdict
from everycase.run.source_text.printer import call

Interval = tuple[int, int]


def merge(intervals: list[Interval]) -> list[Interval]:
    """Join intervals that overlap. The bug: one that lies inside another makes the other one shorter."""
    merged: list[Interval] = []
    for start, end in sorted(intervals):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    return merged


def covers_the_same_points(intervals: list[Interval]) -> None:
    def points(some: list[Interval]) -> set[int]:
        return {p for start, end in some for p in range(start, end + 1)}

    assert points(merge(intervals)) == points(intervals)


def demo() -> Scene:
    numbers = gen.integers(0, 1000)
    intervals = gen.lists(gen.tuples(numbers, numbers).map(lambda pair: (min(pair), max(pair))))
    report = check(covers_the_same_points, intervals, seed=2, database=None)
    raw = check(
        covers_the_same_points,
        intervals,
        seed=2,
        database=None,
        phases=[phase for phase in Phase if phase is not Phase.shrink],
    )
    first = raw.failures[0].arguments["intervals"]
    failure = report.failures[0]
    return Scene(
        technique="Random testing, and shrinking",
        story="A function that merges intervals loses points when one interval lies inside another. Random lists of "
        "intervals show it, and shrinking leaves two intervals.",
        code=source(merge, covers_the_same_points),
        outcome=f"{verdict(report)}\nfirst seen with {len(first)} intervals, shrunk to\n"
        + call("merge", failure.arguments),
        facts=[
            ("failing test", f"{report.failed_at:,}"),
            ("intervals before shrinking", f"{len(first):,}"),
            ("after", f"{len(failure.arguments['intervals'])}"),
            ("calls while shrinking", f"{failure.shrink_calls:,}"),
        ],
        works=report.status == "failed" and len(failure.arguments["intervals"]) == 2,
    )
