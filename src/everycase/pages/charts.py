"""Charts as inline SVG: titles, units, round ticks, and every number as text beside the picture."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from everycase.pages.figures import number, percent
from everycase.pages.html import Safe, cut, details, joined, table, tag

#: The measures of a chart, in units that are about a pixel.
WIDTH, HEIGHT = 420, 210
LEFT, RIGHT, TOP, BOTTOM = 66, 24, 10, 40

#: Maximum number of bars; if there are more different numbers, neighbours share a bar.
MOST_BARS = 30

#: A longer label is cut to this number of characters.
LONGEST_LABEL = 200

#: Maximum width of a bar of a histogram.
WIDEST_BAR = 48

#: Maximum number of rows in the table below a chart.
MOST_ROWS = 60


def ticks(low: float, high: float, count: int = 5) -> list[float]:
    """Round numbers that span a range.

    >>> ticks(0, 97)
    [0, 20, 40, 60, 80, 100]
    """
    if high <= low:
        high = low + 1
    raw = (high - low) / count
    scale = 10.0 ** math.floor(math.log10(raw))
    step = next(s * scale for s in (1, 2, 5, 10) if s * scale >= raw * 0.999)
    first = math.floor(low / step + 1e-9)
    last = math.ceil(high / step - 1e-9)
    return [_rounded(i * step) for i in range(first, last + 1)]


def _rounded(value: float) -> float:
    near = round(value, 12)
    return int(near) if float(near).is_integer() else near


def bars(title: str, rows: Sequence[tuple[str, float]], unit: str = "", of: float | None = None) -> Safe:
    """Horizontal bars, each with its number."""
    most = max((amount for _, amount in rows), default=0) or 1
    items: list[Safe] = []
    for label, amount in rows:
        shown = number(amount) if of is None else f"{number(amount)} ({percent(amount / of)})"
        width = f"width:{100 * amount / most:.2f}%"
        items.append(tag("dt", cut(label, LONGEST_LABEL)))
        items.append(tag("dd", tag("span", tag("i", style=width), aria_hidden="true"), tag("b", shown)))
    return _figure(title, unit, tag("dl", *items, class_="bars"))


def histogram(title: str, counts: Mapping[int, int], unit: str, each: str = "tests") -> Safe:
    """How often each number came up, or each range of numbers if there are many different ones."""
    bins = binned(counts)
    most = max((count for *_, count in bins), default=1)
    scale = ticks(0, most, 4)
    plot = _Plot((0, len(bins)), (0, scale[-1]))
    parts = [plot.y_axis(scale), plot.label_y(each)]
    slot = (WIDTH - LEFT - RIGHT) / max(1, len(bins))
    step = max(1, math.ceil(len(bins) / 8))
    for place, (low, high, count) in enumerate(bins):
        name = number(low) if low == high else f"{number(low)} to {number(high)}"
        top = plot.y(count)
        width = min(slot * 0.84, WIDEST_BAR)
        parts.append(
            tag(
                "rect",
                tag("title", f"{name}: {number(count)} {each}"),
                x=f"{LEFT + slot * (place + 0.5) - width / 2:.1f}",
                y=f"{top:.1f}",
                width=f"{width:.1f}",
                height=f"{HEIGHT - BOTTOM - top:.1f}",
                class_="bar",
            )
        )
        if place % step == 0:
            parts.append(
                tag(
                    "text",
                    _short(low),
                    x=f"{LEFT + slot * (place + 0.5):.1f}",
                    y=HEIGHT - BOTTOM + 16,
                    text_anchor="middle",
                    class_="tick",
                )
            )
    parts += [plot.x_line(), plot.label_x(unit)]
    rows = [
        [number(low) if low == high else f"{number(low)} to {number(high)}", number(n)]
        for low, high, n in bins
    ]
    summary = f"{title}: {len(counts)} different values, the most frequent with {number(most)} {each}"
    return _figure(title, unit, _svg(summary, parts), _numbers([unit, each], rows, title))


def binned(counts: Mapping[int, int]) -> list[tuple[int, int, int]]:
    """Ranges of numbers, each with its count. Few numbers have a range each; many share ranges, which grow
    with the numbers if these differ a lot.

    >>> binned({0: 3, 2: 1})
    [(0, 0, 3), (1, 1, 0), (2, 2, 1)]
    """
    if not counts:
        return []
    low, high = min(counts), max(counts)
    if high - low < MOST_BARS:
        return [(n, n, counts.get(n, 0)) for n in range(low, high + 1)]
    total, below, most = sum(counts.values()), 0, high
    for value in sorted(counts):  # nine of ten are at most this
        below += counts[value]
        if below * 10 >= total * 9:
            most = value
            break
    if most * 4 >= high or low < 0:
        width = int(
            next(t for t in (s * 10**e for e in range(16) for s in (1, 2, 5)) if (high - low) / t < MOST_BARS)
        )
        edges = [low - low % width + i * width for i in range((high - low) // width + 3)]
    else:
        edges, edge = [low], float(low)
        while edges[-1] <= high:
            edge = max(edges[-1] + 1, edges[-1] * (1 + 3 * math.log(max(2, high)) / MOST_BARS))
            edges.append(math.ceil(edge))
    found = [0] * (len(edges) - 1)
    place = 0
    for value in sorted(counts):
        while place + 1 < len(found) and value >= edges[place + 1]:
            place += 1
        found[place] += counts[value]
    ranges = [(edges[i], edges[i + 1] - 1, count) for i, count in enumerate(found)]
    while len(ranges) > 1 and not ranges[-1][2]:
        ranges.pop()
    return ranges


def line(
    title: str, points: Sequence[tuple[float, float]], x: str, y: str, *, steps: bool = False, note: str = ""
) -> Safe:
    """A curve. With ``steps``, each value holds until the next one."""
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    across, up = ticks(min(0, *xs), max(xs)), ticks(min(0, *ys), max(ys), 4)
    # The curve ends at the right edge; a round number beyond it would leave a gap that reads as data.
    end = max(xs) if max(xs) > across[0] else across[-1]
    across = [tick for tick in across if tick <= end]
    plot = _Plot((across[0], end), (up[0], up[-1]))
    path = ""
    for place, (a, b) in enumerate(points):
        if not place:
            path = f"M{plot.x(a):.1f} {plot.y(b):.1f}"
        elif steps:
            path += f"H{plot.x(a):.1f}V{plot.y(b):.1f}"
        else:
            path += f"L{plot.x(a):.1f} {plot.y(b):.1f}"
    curve = tag("path", d=path, fill="none", stroke="var(--mark-1)", stroke_width="2")
    dots = [
        tag("circle", cx=f"{plot.x(a):.1f}", cy=f"{plot.y(b):.1f}", r="3", fill="var(--mark-1)")
        for a, b in points
    ]
    parts = [plot.y_axis(up), plot.x_axis(across), curve, *(dots if len(points) <= 40 else ())]
    parts += [plot.label_x(x), plot.label_y(y)]
    rows = [[number(a), number(b)] for a, b in _some(points)]
    summary = f"{title}: from {number(ys[0])} to {number(ys[-1])} {y}"
    return _figure(title, note, _svg(summary, parts), _numbers([x, y], rows, title))


def scatter(
    title: str,
    points: Sequence[tuple[float, float]],
    front: Sequence[tuple[float, float]],
    x: str,
    y: str,
    goals: int = 2,
) -> Safe:
    """Two of ``goals`` utilities against each other: every test, and those that no other beats."""
    every = [*points, *front]
    across = ticks(min(p[0] for p in every), max(p[0] for p in every))
    up = ticks(min(p[1] for p in every), max(p[1] for p in every), 4)
    plot = _Plot((across[0], across[-1]), (up[0], up[-1]))
    shown = list(dict.fromkeys((round(plot.x(a)), round(plot.y(b))) for a, b in points))[:3000]
    dots = Safe("".join(f'<circle cx="{a}" cy="{b}" r="2"/>' for a, b in shown))
    parts = [
        plot.y_axis(up),
        plot.x_axis(across),
        tag("g", dots, fill="var(--soft)", opacity="0.55"),
        *[
            tag("circle", cx=f"{plot.x(a):.1f}", cy=f"{plot.y(b):.1f}", r="4.5", fill="var(--mark-2)")
            for a, b in front
        ],
        plot.label_x(x),
        plot.label_y(y),
    ]
    best = "beaten by no other test" + (f" in all {goals} goals" if goals > 2 else "")
    legend = _legend([("var(--mark-2)", best), ("var(--soft)", "other tests")][: 2 if points else 1])
    rows = [[number(a), number(b)] for a, b in _some(front)]
    summary = f"{title}: {len(front)} tests that no other test beats"
    return _figure(title, "", _svg(summary, parts), legend, _numbers([x, y], rows, f"{title}: the front"))


def matrix(title: str, names: Sequence[str], cells: Mapping[tuple[int, int], tuple[int, int, int]]) -> Safe:
    """Pairs of parameters: for each, how many combinations are covered, possible, and impossible."""
    head = ["parameter", *names[1:]]
    rows: list[list[object]] = []
    for i, name in enumerate(names[:-1]):
        row: list[object] = [name]
        for j in range(1, len(names)):
            row.append(_cell(cells.get((i, j))) if j > i else "")
        rows.append(row)
    legend = _legend(
        [
            ("var(--good-soft)", "all covered"),
            ("var(--open-soft)", "some covered"),
            ("var(--bad-soft)", "none covered"),
        ]
    )
    return _figure(title, "", table(head, rows, "covered of possible combinations"), legend)


def _cell(cell: tuple[int, int, int] | None) -> Safe:
    if cell is None:
        return Safe("")
    covered, possible, infeasible = cell
    kind = "good" if covered >= possible else "open" if covered else "bad"
    more = f" ({infeasible:,} infeasible)" if infeasible else ""
    return tag("span", f"{covered:,} of {possible:,}{more}", class_=f"badge {kind}")


def _legend(entries: list[tuple[str, str]]) -> Safe:
    items = [tag("li", tag("i", style=f"background:{color}"), text) for color, text in entries]
    return tag("ul", *items, class_="legend")


def _numbers(head: list[str], rows: list[list[object]] | list[list[str]], caption: str) -> Safe:
    shown: list[list[object]] = [list(row) for row in rows[:MOST_ROWS]]
    left = len(rows) - len(shown)
    more = tag("p", f"and {left:,} more", class_="soft") if left else None
    return details("the numbers", table(head, shown, caption), more)


def _some(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    step = max(1, math.ceil(len(points) / (MOST_ROWS - 1)))
    return list(dict.fromkeys([*points[::step], points[-1]])) if points else []


def _figure(title: str, unit: str, *children: object) -> Safe:
    caption = tag("figcaption", title, tag("span", f" ({unit})") if unit not in ("", title) else None)
    return tag("figure", caption, *children)


def _svg(summary: str, parts: Sequence[object]) -> Safe:
    return tag("svg", *parts, viewBox=f"0 0 {WIDTH} {HEIGHT}", role="img", aria_label=summary)


def _short(value: float) -> str:
    if abs(value) >= 1e12:
        return f"{value:.3g}"
    for limit, letter in ((1e9, "G"), (1e6, "M"), (1e4, "k")):
        if abs(value) >= limit:
            return f"{value / (1e3 if letter == 'k' else limit):.3g}{letter}"
    return number(value)


class _Plot:
    """From numbers to places in a chart."""

    def __init__(self, xs: tuple[float, float], ys: tuple[float, float]) -> None:
        self.xs, self.ys = xs, ys

    def x(self, value: float) -> float:
        low, high = self.xs
        return LEFT + (value - low) / ((high - low) or 1) * (WIDTH - LEFT - RIGHT)

    def y(self, value: float) -> float:
        low, high = self.ys
        return HEIGHT - BOTTOM - (value - low) / ((high - low) or 1) * (HEIGHT - TOP - BOTTOM)

    def y_axis(self, scale: Sequence[float]) -> Safe:
        return joined(
            *[
                joined(
                    tag(
                        "line",
                        x1=LEFT,
                        x2=WIDTH - RIGHT,
                        y1=f"{self.y(t):.1f}",
                        y2=f"{self.y(t):.1f}",
                        class_="grid",
                    ),
                    tag(
                        "text",
                        _short(t),
                        x=LEFT - 6,
                        y=f"{self.y(t) + 4:.1f}",
                        text_anchor="end",
                        class_="tick",
                    ),
                )
                for t in scale
            ]
        )

    def x_axis(self, scale: Sequence[float]) -> Safe:
        return joined(
            self.x_line(),
            *[
                tag(
                    "text",
                    _short(t),
                    x=f"{self.x(t):.1f}",
                    y=HEIGHT - BOTTOM + 16,
                    text_anchor="middle",
                    class_="tick",
                )
                for t in scale
            ],
        )

    def x_line(self) -> Safe:
        return tag("line", x1=LEFT, x2=WIDTH - RIGHT, y1=HEIGHT - BOTTOM, y2=HEIGHT - BOTTOM, class_="axis")

    def label_x(self, text: str) -> Safe:
        return tag(
            "text", text, x=(LEFT + WIDTH - RIGHT) / 2, y=HEIGHT - 5, text_anchor="middle", class_="tick"
        )

    def label_y(self, text: str) -> Safe:
        place = f"rotate(-90) translate({-(HEIGHT - BOTTOM + TOP) / 2:.0f} 12)"
        return tag("text", text, transform=place, text_anchor="middle", class_="tick")
