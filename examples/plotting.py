"""The two pictures of the papers, as SVG files without any library: utility over tests, and a box plot."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from everycase import HealthCheck, Phase, check
from everycase.explore import Explorer
from everycase.gen import Gen

WIDTH, HEIGHT, LEFT, BOTTOM = 760, 440, 70, 70
COLOURS = ("#888888", "#d95f02", "#1b9e77", "#7570b3", "#e7298a")


def best_so_far(
    test: Callable[..., Any], inputs: Gen[Any], explorer: Explorer, *, seeds: Iterable[int], tests: int
) -> list[list[float]]:
    """For each seed the best utility after every test, from the report's trajectory."""
    curves = []
    for seed in seeds:
        report = check(
            test,
            inputs,
            explore=explorer,
            max_examples=tests,
            seed=seed,
            database=None,
            phases=[Phase.explore],
            suppress_health_check=list(HealthCheck),
        )
        curve: list[float] = []
        for number, _, utility in report.trajectory:
            curve += [curve[-1] if curve else utility] * (number - 1 - len(curve)) + [utility]
        curves.append(curve[:tests] + [curve[-1]] * (tests - len(curve)))
    return curves


def draw_curves(file: str, title: str, groups: dict[str, list[list[float]]]) -> None:
    """For each group a band from the worst to the best run with the median run in it."""
    every = [utility for curves in groups.values() for curve in curves for utility in curve]
    lowest, highest = min(every), max(every)
    longest = max(len(curve) for curves in groups.values() for curve in curves)

    def x(test: float) -> float:
        return LEFT + (WIDTH - LEFT - 20) * test / max(1, longest - 1)

    def point(test: int, utility: float) -> str:
        return f"{x(test):.1f},{_height((utility - lowest) / (highest - lowest or 1)):.1f}"

    body = _grid([(share, lowest + share * (highest - lowest)) for share in (0, 0.25, 0.5, 0.75, 1)])
    for share in (0, 0.25, 0.5, 0.75, 1):
        body.append(_text(x(share * (longest - 1)), HEIGHT - BOTTOM + 16, f"{share * longest:,.0f}"))
    body.append(
        _text(WIDTH / 2, HEIGHT - 8, "tests; a band from the worst to the best run, a line for the median")
    )
    for (name, curves), colour in zip(groups.items(), COLOURS):
        at = sorted({*range(0, len(curves[0]), max(1, len(curves[0]) // 200)), len(curves[0]) - 1})
        columns = {i: sorted(curve[i] for curve in curves) for i in at}
        band = [point(i, columns[i][-1]) for i in at] + [point(i, columns[i][0]) for i in reversed(at)]
        middle = [point(i, statistics.median(columns[i])) for i in at]
        body.append(f'<polygon points="{" ".join(band)}" fill="{colour}" opacity="0.25"/>')
        body.append(f'<polyline points="{" ".join(middle)}" fill="none" stroke="{colour}" stroke-width="2"/>')
        body.append(_text(LEFT + 10, 52 + 16 * list(groups).index(name), name, colour, "start"))
    _write(file, title, body)


def draw_boxes(file: str, title: str, groups: dict[str, list[float | None]]) -> None:
    """For each group a box from the first to the third quartile, its median, whiskers to the extremes, and a dot a run.

    None is a run that did not get there. Such runs are in no box; how many did get there is written below each. The
    axis is logarithmic, for hand-written neighbourhoods differ by orders of magnitude.
    """
    every = [value for values in groups.values() for value in values if value is not None] or [1.0]
    lowest, highest = math.floor(math.log10(min(every))), math.ceil(math.log10(max(every)))
    highest = max(highest, lowest + 1)
    step = (WIDTH - LEFT - 20) / len(groups)

    def y(value: float) -> float:
        return _height((math.log10(value) - lowest) / (highest - lowest))

    body = _grid([((power - lowest) / (highest - lowest), 10**power) for power in range(lowest, highest + 1)])
    for number, (name, values) in enumerate(groups.items()):
        x = LEFT + step * (number + 0.5)
        there = sorted(value for value in values if value is not None)
        if there:
            body += _box(x, step, there, y)
        words = [*name.split("\n"), f"{len(there)} of {len(values)}"]
        for line, word in enumerate(words):
            body.append(_text(x, HEIGHT - BOTTOM + 13 + 11 * line, word, size=9))
    _write(file, title, body)


def _box(x: float, step: float, values: list[float], y: Callable[[float], float]) -> list[str]:
    low, middle, high = statistics.quantiles(values, n=4) if len(values) > 1 else values * 3
    low, high = max(low, values[0]), min(high, values[-1])  # of few runs they are extrapolated
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


def _height(share: float) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - 40) * share


def _grid(lines: list[tuple[float, float]]) -> list[str]:
    """The vertical axis, with a line for each (share of the height, number)."""
    drawn = [f'<line x1="{LEFT}" x2="{LEFT}" y1="40" y2="{HEIGHT - BOTTOM}" stroke="black"/>']
    for share, number in lines:
        y = _height(share)
        drawn.append(f'<line x1="{LEFT}" x2="{WIDTH - 20}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
        drawn.append(_text(LEFT - 6, y + 4, f"{number:,.0f}" if number >= 1 else f"{number:g}", anchor="end"))
    return drawn


def _text(
    x: float, y: float, words: str, colour: str = "black", anchor: str = "middle", size: int = 12
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}" text-anchor="{anchor}" font-family="sans-serif" '
        f'font-size="{size}">{words.replace("&", "&amp;").replace("<", "&lt;")}</text>'
    )


def _write(file: str, title: str, body: list[str]) -> None:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">'
    Path(file).write_text(
        "\n".join(
            [head, '<rect width="100%" height="100%" fill="white"/>', _text(WIDTH / 2, 24, title), *body]
        )
        + "\n</svg>\n",
        encoding="utf-8",
    )
