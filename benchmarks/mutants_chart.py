"""The survival curve in plain Python: the share of mutants still alive over CPU time, on a log scale."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from pruning_chart import COLOURS

LEFT, TOP, WIDTH, HEIGHT = 60, 30, 620, 300
SHORTEST = 1e-5


def alive(times: Sequence[float], total: int, seconds: float) -> float:
    """The share of mutants that were not killed within ``seconds``.

    >>> alive([0.1, 0.2], 4, 0.15)
    0.75
    """
    return 1 - sum(time <= seconds for time in times) / total


def chart(times: Mapping[str, Sequence[float]], total: int, longest: float) -> str:
    """Draw an SVG with one line per tool, from all mutants on the left to the survivors on the right."""

    def across(seconds: float) -> float:
        return LEFT + WIDTH * math.log10(max(seconds, SHORTEST) / SHORTEST) / math.log10(longest / SHORTEST)

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 40}" height="{TOP + HEIGHT + 50}" '
        'font-family="sans-serif" font-size="11">',
        '<rect width="100%" height="100%" fill="white"/>',
    ]
    for percent in range(0, 101, 20):
        y = TOP + HEIGHT * (1 - percent / 100)
        lines.append(f'<line x1="{LEFT}" y1="{y:.1f}" x2="{LEFT + WIDTH}" y2="{y:.1f}" stroke="#ddd"/>')
        lines.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{percent} %</text>')
    tick = SHORTEST
    while tick <= longest:
        x = across(tick)
        lines.append(f'<line x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{TOP + HEIGHT}" stroke="#ddd"/>')
        lines.append(f'<text x="{x:.1f}" y="{TOP + HEIGHT + 16}" text-anchor="middle">{tick:g} s</text>')
        tick *= 10
    for number, (tool, kills) in enumerate(times.items()):
        points = [f"{LEFT},{TOP}"]
        left = 1.0
        for kill in sorted(kills):
            points.append(f"{across(kill):.1f},{TOP + HEIGHT * (1 - max(left, 0)):.1f}")
            left -= 1 / total
            points.append(f"{across(kill):.1f},{TOP + HEIGHT * (1 - max(left, 0)):.1f}")
        points.append(f"{LEFT + WIDTH},{TOP + HEIGHT * (1 - max(left, 0)):.1f}")
        colour = COLOURS[number]
        lines.append(
            f'<polyline points="{" ".join(points)}" fill="none" stroke="{colour}" stroke-width="2"/>'
        )
        x = LEFT + 10 + 120 * number
        lines.append(f'<rect x="{x}" y="10" width="10" height="10" fill="{colour}"/>')
        lines.append(f'<text x="{x + 14}" y="19">{tool}</text>')
    lines.append(
        f'<text x="{LEFT + WIDTH / 2}" y="{TOP + HEIGHT + 38}" text-anchor="middle">'
        "mutants still alive over CPU seconds</text></svg>"
    )
    return "\n".join(lines) + "\n"
