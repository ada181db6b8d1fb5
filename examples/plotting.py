"""The pictures of the papers as SVG files, without any library: utility over tests, every test as a dot, and a box plot.

Each has a title, axes with round numbers and units, and a legend beside the plot. The legend says how many tests a second
each search made, because a neighbourhood that needs fewer tests may take longer for each.
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from everycase import HealthCheck, Phase, check
from everycase.explore import Explorer
from everycase.gen import Gen
from everycase.pages.charts import ticks

WIDTH, HEIGHT = 860, 456
#: the edges of the plot
LEFT, RIGHT, TOP, BOTTOM = 70, 650, 46, 380
COLOURS = ("#777777", "#d55e00", "#0072b2", "#009e73", "#cc79a7")


@dataclass
class Curves:
    """One curve a run, and how many tests a second the runs made."""

    runs: list[list[float]]
    speed: float


def best_so_far(
    test: Callable[..., Any], inputs: Gen[Any], explorer: Explorer, *, seeds: Iterable[int], tests: int
) -> Curves:
    """For each seed the best utility after every test, from the report's trajectory."""
    curves = []
    started = time.process_time()
    for seed in seeds:
        report = _explored(test, inputs, explorer, seed, tests)
        curve: list[float] = []
        for number, _, utility in report.trajectory:
            curve += [curve[-1] if curve else utility] * (number - 1 - len(curve)) + [utility]
        curves.append(curve[:tests] + [curve[-1]] * (tests - len(curve)))
    return Curves(curves, tests * len(curves) / (time.process_time() - started))


def every_utility(
    test: Callable[..., Any], inputs: Gen[Any], explorer: Explorer, *, seeds: Iterable[int], tests: int
) -> list[tuple[int, float]]:
    """The number and the utility of every test of the median run, up to its failure; from ``report.utilities``."""
    runs = [_explored(test, inputs, explorer, seed, tests, observe=True) for seed in seeds]
    runs.sort(key=lambda report: report.failed_at or tests + 1)
    report = runs[len(runs) // 2]
    last = report.failed_at or tests
    return [(number, next(iter(found.values()))) for number, found in report.utilities if number <= last]


def _explored(
    test: Callable[..., Any], inputs: Gen[Any], explorer: Explorer, seed: int, tests: int, **options: Any
) -> Any:
    return check(
        test,
        inputs,
        explore=explorer,
        max_examples=tests,
        seed=seed,
        database=None,
        phases=[Phase.explore],
        suppress_health_check=list(HealthCheck),
        **options,
    )


# --- the pictures ---------------------------------------------------------------------------------------


def draw_curves(file: str, title: str, unit: str, groups: dict[str, Curves]) -> None:
    """For each group a band from the worst to the best run with the median run in it. ``unit`` is what is measured."""
    every = [utility for group in groups.values() for curve in group.runs for utility in curve]
    longest = max(len(curve) for group in groups.values() for curve in group.runs)
    axes = Axes(ticks(0, longest), ticks(min(0.0, *every), max(every)))
    body = axes.drawn("tests", unit)
    for group, colour in zip(groups.values(), COLOURS):
        curves = group.runs
        at = sorted({*range(0, len(curves[0]), max(1, len(curves[0]) // 200)), len(curves[0]) - 1})
        columns = {i: sorted(curve[i] for curve in curves) for i in at}
        band = [axes.point(i + 1, columns[i][-1]) for i in at]
        band += [axes.point(i + 1, columns[i][0]) for i in reversed(at)]
        middle = [axes.point(i + 1, statistics.median(columns[i])) for i in at]
        body.append(f'<polygon points="{" ".join(band)}" fill="{colour}" opacity="0.25"/>')
        body.append(f'<polyline points="{" ".join(middle)}" fill="none" stroke="{colour}" stroke-width="2"/>')
    runs = len(next(iter(groups.values())).runs)
    legend = [(name, f"{_round(group.speed)} tests/s") for name, group in groups.items()]
    notes = ["line: the median run", "band: worst to best run", f"of {runs} runs each"]
    _write(file, title, body + _legend(legend, notes))


def draw_dots(
    file: str, title: str, unit: str, groups: dict[str, list[tuple[int, float]]], limit: float
) -> None:
    """A dot for every test, and a line at the limit that makes a test fail."""
    every = [point for points in groups.values() for point in points]
    values = [utility for _, utility in every]
    axes = Axes(ticks(0, max(number for number, _ in every)), ticks(min(0.0, *values), max(limit, *values)))
    body = axes.drawn("number of the test", unit)
    y = axes.y(limit)
    body.append(
        f'<line x1="{LEFT}" x2="{RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#b3261e" stroke-dasharray="5 4"/>'
    )
    for points, colour in zip(groups.values(), COLOURS):
        # One path of lines without length: an element for each dot would make a large file.
        dots = "".join(f"M{axes.x(number):.1f} {axes.y(utility):.1f}h0" for number, utility in points)
        how = f'stroke="{colour}" stroke-width="3" stroke-linecap="round" stroke-opacity="0.7"'
        body.append(f'<path d="{dots}" fill="none" {how}/>')
    legend = []
    for name, points in groups.items():
        last, reached = points[-1]
        legend.append((name, f"fails at test {last:,}" if reached >= limit else f"passes {last:,} tests"))
    notes = ["dot: a test", "dashed: from here on a test fails", "each the median of several runs"]
    _write(file, title, body + _legend(legend, notes))


def draw_boxes(file: str, title: str, unit: str, groups: dict[str, list[float | None]]) -> None:
    """For each group a box from the first to the third quartile, its median, whiskers to the extremes, and a dot a run.

    None is a run that did not get there. Such runs are in no box; how many did get there is written below each. The
    axis is logarithmic, since hand-written neighbourhoods differ by orders of magnitude.
    """
    every = [value for values in groups.values() for value in values if value is not None] or [1.0]
    lowest, highest = math.floor(math.log10(min(every))), math.ceil(math.log10(max(every)))
    axes = Axes([], [float(power) for power in range(lowest, max(highest, lowest + 1) + 1)])
    body = axes.drawn("", unit, label=lambda power: f"{10**power:,.0f}" if power >= 0 else f"{10**power:g}")
    step = (RIGHT - LEFT) / len(groups)
    for number, (name, values) in enumerate(groups.items()):
        x = LEFT + step * (number + 0.5)
        there = sorted(value for value in values if value is not None)
        if there:
            body += _box(x, step, there, lambda value: axes.y(math.log10(value)))
        words = [*name.split("\n"), f"{len(there)} of {len(values)}"]
        body += [_text(x, BOTTOM + 13 + 11 * line, word, size=9) for line, word in enumerate(words)]
    notes = ["box: the middle half of the runs", "red: the median run", "whiskers: best and worst run"]
    notes += ["dot: a run", "below: lines of code, tests/s,", "and how many runs got there"]
    _write(file, title, body + _legend([], notes))


def _box(x: float, step: float, values: list[float], y: Callable[[float], float]) -> list[str]:
    low, middle, high = statistics.quantiles(values, n=4) if len(values) > 1 else values * 3
    low, high = max(low, values[0]), min(high, values[-1])  # with few runs the quartiles are extrapolated
    return [
        f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{y(values[0]):.1f}" y2="{y(values[-1]):.1f}" stroke="#555"/>',
        f'<rect x="{x - step / 4:.1f}" y="{y(high):.1f}" width="{step / 2:.1f}" '
        f'height="{max(0.5, y(low) - y(high)):.1f}" fill="#9ecae1" stroke="#333"/>',
        f'<line x1="{x - step / 4:.1f}" x2="{x + step / 4:.1f}" y1="{y(middle):.1f}" y2="{y(middle):.1f}" '
        'stroke="#b30000" stroke-width="2"/>',
        *(
            f'<circle cx="{x + step / 3:.1f}" cy="{y(value):.1f}" r="1.5" fill="#333" opacity="0.6"/>'
            for value in values
        ),
    ]


# --- drawing --------------------------------------------------------------------------------------------


class Axes:
    """Two axes that end at their first and last tick."""

    def __init__(self, across: Sequence[float], up: Sequence[float]) -> None:
        self.across, self.up = across, up

    def x(self, value: float) -> float:
        return LEFT + (RIGHT - LEFT) * (value - self.across[0]) / (self.across[-1] - self.across[0])

    def y(self, value: float) -> float:
        return BOTTOM - (BOTTOM - TOP) * (value - self.up[0]) / (self.up[-1] - self.up[0])

    def point(self, x: float, y: float) -> str:
        return f"{self.x(x):.1f},{self.y(y):.1f}"

    def drawn(self, across: str, up: str, label: Callable[[float], str] = lambda x: f"{x:,g}") -> list[str]:
        """The axes, their ticks, and what they measure."""
        body = [f'<line x1="{LEFT}" x2="{LEFT}" y1="{TOP}" y2="{BOTTOM}" stroke="black"/>']
        for value in self.up:
            y = self.y(value)
            body.append(f'<line x1="{LEFT}" x2="{RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
            body.append(_text(LEFT - 6, y + 4, label(value), anchor="end"))
        for value in self.across:
            x = self.x(value)
            body.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{BOTTOM}" y2="{BOTTOM + 5}" stroke="black"/>')
            body.append(_text(x, BOTTOM + 18, label(value)))
        if across:
            body.append(_text((LEFT + RIGHT) / 2, BOTTOM + 40, across))
        middle = (TOP + BOTTOM) / 2
        turned = _text(0, 0, up).replace(
            "<text ", f'<text transform="translate(18 {middle:.0f}) rotate(-90)" '
        )
        return [*body, turned]


def _legend(entries: list[tuple[str, str]], notes: list[str]) -> list[str]:
    """Names with their colours and a remark each, and what the marks mean: to the right of the plot."""
    drawn = []
    x, y = RIGHT + 24, TOP + 12
    for (name, remark), colour in zip(entries, COLOURS):
        drawn.append(f'<rect x="{x}" y="{y - 10}" width="12" height="12" fill="{colour}"/>')
        drawn += [_text(x + 18, y, name, anchor="start"), _text(x + 18, y + 15, remark, "#555", "start", 11)]
        y += 40
    for note in notes:
        drawn.append(_text(x, y, note, "#555", "start", 11))
        y += 15
    return drawn


def _round(number: float) -> str:
    """Two digits; more would only be noise."""
    scale = 10 ** max(0, math.floor(math.log10(max(1.0, number))) - 1)
    return f"{round(number / scale) * scale:,}"


def _text(
    x: float, y: float, words: str, colour: str = "black", anchor: str = "middle", size: int = 12
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}" text-anchor="{anchor}" font-family="sans-serif" '
        f'font-size="{size}">{words.replace("&", "&amp;").replace("<", "&lt;")}</text>'
    )


def _write(file: str, title: str, body: list[str]) -> None:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">'
    heading = _text(LEFT, 26, title, anchor="start", size=15)
    paper = '<rect width="100%" height="100%" fill="white"/>'
    escaped = title.replace("&", "&amp;").replace("<", "&lt;")
    lines = [head, f"<title>{escaped}</title>", paper, heading, *body, "</svg>"]
    Path(file).write_text("\n".join(lines) + "\n", encoding="utf-8")
