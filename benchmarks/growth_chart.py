"""Rows and CPU seconds by the number of columns, drawn as SVG: two panels with logarithmic axes and round ticks."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

Measured = Mapping[str, Mapping[tuple[int, int], tuple[int, float]]]

COLOURS = {"everycase": "#4878a8", "PICT": "#d98032"}
DASHES = {2: "", 3: ' stroke-dasharray="5 3"'}
PANEL, HEIGHT, LEFT, TOP, BETWEEN = 300, 240, 60, 50, 80
COLUMNS = (10, 20, 50, 100, 200, 500, 1000)


def growth_chart(measured: Measured) -> str:
    """Draw {tool: {(strength, columns): (rows, seconds)}}. Solid lines are strength 2, dashed lines strength 3."""
    width = LEFT + 2 * PANEL + BETWEEN + 30
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{TOP + HEIGHT + 50}" '
        'font-family="sans-serif" font-size="11">',
        '<rect width="100%" height="100%" fill="white"/>',
    ]
    x = LEFT
    for tool in measured:
        for strength, dash in DASHES.items():
            colour = COLOURS[tool]
            lines.append(
                f'<line x1="{x}" y1="14" x2="{x + 24}" y2="14" stroke="{colour}" stroke-width="2"{dash}/>'
            )
            lines.append(f'<text x="{x + 29}" y="18">{tool}, strength {strength}</text>')
            x += 150
    panels = (("rows", 0, (5, 10, 20, 50, 100)), ("CPU seconds", 1, (0.001, 0.01, 0.1, 1, 10, 100)))
    for number, (title, part, ticks) in enumerate(panels):
        left = LEFT + number * (PANEL + BETWEEN)
        lines += _panel(measured, title, part, ticks, left)
    lines.append("</svg>")
    return "\n".join(lines) + "\n"


def _panel(measured: Measured, title: str, part: int, ticks: Sequence[float], left: int) -> list[str]:
    values = [cell[part] for cells in measured.values() for cell in cells.values()]
    low = max((tick for tick in ticks if tick <= min(values)), default=ticks[0])
    high = min((tick for tick in ticks if tick >= max(values)), default=ticks[-1])

    def across(columns: float) -> float:
        return left + PANEL * math.log10(columns / COLUMNS[0]) / math.log10(COLUMNS[-1] / COLUMNS[0])

    def down(value: float) -> float:
        share = math.log10(max(value, low) / low) / math.log10(high / low)
        return TOP + HEIGHT * (1 - share)

    bottom = TOP + HEIGHT
    lines = [f'<text x="{left}" y="{TOP - 10}" font-weight="bold">{title}</text>']
    for tick in ticks:
        if low <= tick <= high:
            y = down(tick)
            lines.append(f'<line x1="{left}" y1="{y:.1f}" x2="{left + PANEL}" y2="{y:.1f}" stroke="#ddd"/>')
            lines.append(f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{tick:g}</text>')
    for columns in COLUMNS:
        x = across(columns)
        lines.append(f'<line x1="{x:.1f}" y1="{bottom}" x2="{x:.1f}" y2="{bottom + 4}" stroke="#888"/>')
        lines.append(f'<text x="{x:.1f}" y="{bottom + 17}" text-anchor="middle">{columns:,}</text>')
    lines.append(f'<text x="{left + PANEL / 2}" y="{bottom + 36}" text-anchor="middle">columns</text>')
    for tool, cells in measured.items():
        for strength, dash in DASHES.items():
            points = [
                (across(k), down(cell[part])) for (t, k), cell in sorted(cells.items()) if t == strength
            ]
            line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
            style = f'fill="none" stroke="{COLOURS[tool]}" stroke-width="2"{dash}'
            lines.append(f'<polyline points="{line}" {style}/>')
    return lines
