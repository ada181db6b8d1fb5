"""Bar charts in plain Python: the time to failure of each bug, one bar per search, on a log scale."""

from __future__ import annotations

import math
from collections.abc import Mapping
from html import escape

COLOURS = ["#4878a8", "#d98032", "#5a9e5a", "#9a6bb5", "#b5524e", "#777777"]
BAR, GAP, LEFT, WIDTH, TOP = 9, 8, 150, 620, 40
SHORTEST = 0.01
#: length of the longest bar in a text chart, in characters
TEXT_WIDTH = 40

Bars = Mapping[str, Mapping[str, float | None]]


def text_chart(bars: Bars, limit: float) -> str:
    """The bars as text. A bar cut off by the limit ends in ``>``.

    >>> print(text_chart({"depth": {"LiftVar": None}, "default": {"LiftVar": 1.0}}, 100))
    LiftVar  depth    ######################################## > 100
             default  ####################                     1.00
    """
    bugs = list(next(iter(bars.values())))
    wide, high = max(map(len, bugs)), max(map(len, bars))
    lines = []
    for bug in bugs:
        for number, (search, times) in enumerate(bars.items()):
            seconds = times[bug]
            share = _share(limit if seconds is None else seconds, limit)
            bar = "#" * max(1, round(TEXT_WIDTH * share))
            said = f"> {limit:g}" if seconds is None else f"{seconds:.2f}"
            named = "" if number else bug
            lines.append(f"{named:{wide}}  {search:{high}}  {bar:{TEXT_WIDTH}} {said}")
    return "\n".join(lines)


def _share(seconds: float, limit: float) -> float:
    """The length of a bar, as a share of the longest."""
    return math.log10(max(seconds, SHORTEST) / SHORTEST) / math.log10(limit / SHORTEST)


def bar_chart(bars: Bars, limit: float) -> str:
    """Draw {search: {bug: CPU seconds}} as SVG. None means that the limit was reached (a full-length bar without
    filling).
    """
    searches = list(bars)
    bugs = list(next(iter(bars.values())))
    group = BAR * len(searches) + GAP
    height = TOP + group * len(bugs) + 30

    def across(seconds: float) -> float:
        return WIDTH * _share(seconds, limit)

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 70}" height="{height}" '
        'font-family="sans-serif" font-size="11">',
        '<rect width="100%" height="100%" fill="white"/>',
    ]
    for number, search in enumerate(searches):
        x = LEFT + 110 * number
        lines.append(f'<rect x="{x}" y="12" width="10" height="10" fill="{COLOURS[number % len(COLOURS)]}"/>')
        lines.append(f'<text x="{x + 14}" y="21">{escape(search)}</text>')
    tick = SHORTEST
    while tick <= limit:
        x = LEFT + across(tick)
        lines.append(f'<line x1="{x:.1f}" y1="{TOP - 6}" x2="{x:.1f}" y2="{height - 24}" stroke="#ddd"/>')
        lines.append(f'<text x="{x:.1f}" y="{height - 10}" text-anchor="middle">{tick:g} s</text>')
        tick *= 10
    for row, bug in enumerate(bugs):
        y = TOP + row * group
        lines.append(f'<text x="{LEFT - 6}" y="{y + group / 2:.1f}" text-anchor="end">{escape(bug)}</text>')
        for number, search in enumerate(searches):
            seconds = bars[search].get(bug)
            colour = COLOURS[number % len(COLOURS)]
            top = y + number * BAR
            length = max(1.0, across(limit if seconds is None else seconds))
            style = f'fill="none" stroke="{colour}"' if seconds is None else f'fill="{colour}"'
            said = f"&gt; {limit:g}" if seconds is None else f"{seconds:.2f}"
            lines.append(f'<rect x="{LEFT}" y="{top}" width="{length:.1f}" height="{BAR - 1}" {style}/>')
            lines.append(f'<text x="{LEFT + length + 4:.1f}" y="{top + BAR - 1}" font-size="9">{said}</text>')
    lines.append("</svg>")
    return "\n".join(lines) + "\n"
