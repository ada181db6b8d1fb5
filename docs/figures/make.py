"""The pictures of the documentation, made by the runs that they show: ``python docs/figures/make.py``.

Each is an SVG with a background of its own, so that it reads in light and dark, and a page of a report as an example.
"""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

from everycase import assume, check, classify, gen, maximize, tabulate
from everycase.arrays import covering_array
from everycase.cli.demos.shallow_network import stays_shallow
from everycase.cli.demos.undo import Editor
from everycase.explore import Climb, Narrow
from everycase.pages import charts
from everycase.pages.html import Safe, tag
from everycase.report import diagrams

HERE = Path(__file__).parent

STYLE = """
svg { background: #ffffff; font: 13px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
text { fill: #1d2330; } .tick { fill: #565f70; font-size: 12px; } .mono { font: 12px ui-monospace, Menlo, monospace; }
.grid { stroke: #dedbd2; } .axis { stroke: #565f70; } .bar { fill: #0072b2; }
"""
COLORS = {"--mark-1": "#0072b2", "--mark-2": "#d55e00", "--bad": "#b3261e", "--soft": "#565f70"}


def save(name: str, figure: Safe, title: str = "") -> None:
    """The picture in a figure, as a file that stands alone; a title is written above it."""
    found = re.search(r"<svg.*?</svg>", figure, re.DOTALL)
    assert found is not None
    text = found[0].replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1)
    text = text.replace(">", f"><style>{STYLE}</style>", 1)
    for variable, color in COLORS.items():
        text = text.replace(f"var({variable})", color)
    if title:
        wide, high = map(int, re.findall(r'viewBox="0 0 (\d+) (\d+)"', text)[0])
        text = text.replace(f'"0 0 {wide} {high}"', f'"0 -26 {wide} {high + 26}"', 1)
        text = text.replace("</svg>", tag("text", title, x=wide / 2, y=-8, text_anchor="middle") + "</svg>")
    (HERE / f"{name}.svg").write_text(text + "\n", encoding="utf-8")


def columns(title: str, rows: list[tuple[str, int]], unit: str) -> Safe:
    """A few numbers beside each other, each with a name and its figure."""
    most = max(number for _, number in rows)
    slot = 400 / len(rows)
    parts: list[object] = []
    for place, (name, number) in enumerate(rows):
        height = max(1.5, 130 * number / most)
        middle = 10 + slot * (place + 0.5)
        parts += [
            tag("rect", x=middle - slot / 3, y=165 - height, width=slot * 2 / 3, height=height, class_="bar"),
            tag("text", f"{number:,}", x=middle, y=158 - height, text_anchor="middle"),
            tag("text", name, x=middle, y=184, text_anchor="middle", class_="tick"),
        ]
    parts.append(tag("text", unit, x=210, y=203, text_anchor="middle", class_="tick"))
    return tag("svg", *parts, viewBox="0 0 420 210", role="img", aria_label=title)


def grid(rows: list[tuple[Any, ...]], names: list[str]) -> Safe:
    """A covering array, a colour for each value of a column."""
    shades = ("#0072b2", "#e69f00", "#009e73", "#cc79a7")
    parts: list[object] = [
        tag("text", name, x=70 + 85 * column, y=18, text_anchor="middle", class_="tick")
        for column, name in enumerate(names)
    ]
    levels = [sorted({row[column] for row in rows}, key=str) for column in range(len(names))]
    for number, row in enumerate(rows):
        for column, value in enumerate(row):
            shade = shades[levels[column].index(value) % len(shades)]
            x, y = 30 + 85 * column, 26 + 22 * number
            parts.append(tag("rect", x=x, y=y, width=80, height=19, rx=3, fill=shade, opacity="0.28"))
            parts.append(tag("text", value, x=x + 40, y=y + 14, text_anchor="middle", class_="tick"))
    title = f"{len(rows)} rows that hold every pair of values"
    return tag(
        "svg",
        *parts,
        viewBox=f"0 0 {40 + 85 * len(names)} {34 + 22 * len(rows)}",
        role="img",
        aria_label=title,
    )


def spans(rows: list[tuple[str, list[tuple[int, int]], str]]) -> Safe:
    """Intervals on a line of numbers, a row for each group: its name, its intervals and their colour."""
    last = max(end for _, intervals, _ in rows for _, end in intervals)
    unit = 300 / (last + 1)
    parts: list[object] = []
    y = 14
    for name, intervals, color in rows:
        parts.append(tag("text", name, x=96, y=y + 14, text_anchor="end"))
        for start, end in intervals:
            width = unit * (end - start + 1) - 6
            parts.append(tag("rect", x=113 + unit * start, y=y, width=width, height=20, rx=4, fill=color))
            label = f"({start}, {end})"
            middle = 113 + unit * start + width / 2
            parts.append(
                tag(
                    "text", label, x=middle, y=y + 14, text_anchor="middle", style="fill: #fff", class_="mono"
                )
            )
            y += 26
        y += 8
    parts += [
        tag("text", point, x=110 + unit * (point + 0.5), y=y + 8, text_anchor="middle", class_="tick")
        for point in range(last + 1)
    ]
    return tag(
        "svg", *parts, viewBox=f"0 0 420 {y + 18}", role="img", aria_label="The input and what came out"
    )


def squares(marks: dict[tuple[int, int], str], across: str, up: str, legend: dict[str, str]) -> Safe:
    """Pairs of numbers as coloured squares, with a legend below."""
    wide, high = max(x for x, _ in marks) + 1, max(y for _, y in marks) + 1
    side = 15
    bottom = 12 + side * high
    parts: list[object] = [
        tag("rect", x=45 + side * x, y=bottom - side * (y + 1), width=side - 2, height=side - 2, fill=color)
        for (x, y), color in sorted(marks.items())
    ]
    for x in range(0, wide, 4):
        parts.append(tag("text", x, x=52 + side * x, y=bottom + 14, text_anchor="middle", class_="tick"))
    for y in range(0, high, 4):
        parts.append(tag("text", y, x=38, y=bottom - side * y - 3, text_anchor="end", class_="tick"))
    parts.append(
        tag("text", across, x=45 + side * wide / 2, y=bottom + 32, text_anchor="middle", class_="tick")
    )
    middle = bottom - side * high / 2
    turn = f"rotate(-90 14 {middle})"
    parts.append(tag("text", up, x=14, y=middle, text_anchor="middle", transform=turn, class_="tick"))
    for row, (name, color) in enumerate(legend.items()):
        x, y = 65 + side * wide, 30 + 24 * row
        parts.append(tag("rect", x=x, y=y, width=13, height=13, fill=color))
        parts.append(tag("text", name, x=x + 20, y=y + 11))
    title = f"{up} over {across}: {', '.join(legend)}"
    return tag("svg", *parts, viewBox=f"0 0 {220 + side * wide} {bottom + 42}", role="img", aria_label=title)


def merge(intervals: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The bug of the tutorial."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(intervals):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    return merged


def points_of(some: list[tuple[int, int]]) -> set[int]:
    return {point for start, end in some for point in range(start, end + 1)}


@gen.composite
def slot(draw: Any) -> tuple[int, int]:
    """The first booking of a day, as the page on completeness makes it."""
    start = draw(gen.integers(0, 8))
    return start, draw(gen.integers(start + 1, start + 8))


def main() -> None:
    options: dict[str, Any] = {"seed": 1, "database": None}
    node = gen.integers(0, 29)
    links = gen.lists(gen.tuples(node, node))
    climb = check(stays_shallow, links, explore=Climb(), max_examples=5000, **options)
    points = [(float(number), utility) for number, _, utility in climb.trajectory]
    chart = charts.line("hops", points, "tests", "best hops so far", steps=True)
    save("targeted", chart, "A climb towards a node far from the sink")

    trees: Any = gen.deferred(lambda: gen.none() | gen.tuples(trees, trees))
    counts = {size: trees.of_size(size).cardinality for size in range(1, 14)}
    save("enumeration", charts.histogram("trees by size", counts, "size of a binary tree", "trees"))

    failing = check(lambda xs: sum(xs) < 1000, gen.lists(gen.integers(0, 500)), **options)
    trail = [(float(calls), float(size)) for calls, size in failing.failures[0].shrink_trail]
    save("shrinking", charts.line("shrinking", trail, "calls of the test", "characters", steps=True))

    program = check(Editor, **options).counterexample
    assert program is not None
    steps = [f"{name}({', '.join(f'{k}={v}' for k, v in given.items())})" for name, given in program[0].steps]
    save("stateful", diagrams.sequence("Editor", steps, True))

    numbers = gen.integers(0, 1000)
    intervals = gen.tuples(numbers, numbers).map(lambda pair: (min(pair), max(pair)))
    found = check(lambda some: points_of(merge(some)) == points_of(some), gen.lists(intervals), **options)
    assert found.counterexample is not None
    (some,) = found.counterexample
    save("tutorial", spans([("input", some, "#0072b2"), ("merged", merge(some), "#b3261e")]))

    made = set(slot().sample(20_000, seed=1))
    assert made == {(start, end) for start in range(9) for end in range(start + 1, start + 9)}
    valid = {(start, end) for start in range(14) for end in range(start + 1, 20)}
    marks = {each: "#0072b2" if each in made else "#d55e00" for each in valid}
    legend = {"made": "#0072b2", "never made": "#d55e00"}
    save("completeness", squares(marks, "start of a slot", "its end", legend))

    model = {"os": ["linux", "mac", "win"], "browser": ["firefox", "chrome", "safari"], "dark": ["on", "off"]}
    save("combination", grid(covering_array(model, strength=2).tuples(), list(model)))

    ascending = gen.lists(gen.integers(0, 9)).filter(lambda xs: all(a <= b for a, b in pairwise(xs)))
    pruned = check(lambda xs: True, ascending, explore=Narrow(max_size=5), max_examples=10_000, **options)
    figures = pruned.figures
    rows = [
        ("values there are", int(figures["values_up_to_size"])),
        ("evaluations", int(figures["evaluations"])),
        ("valid ones, all found", pruned.examples),
    ]
    save("pruning", columns("sorted lists of five digits", rows, "sorted lists of at most five digits"))

    def merging_keeps_elements(xs: list[int], ys: list[int]) -> None:
        assume(xs or ys)
        classify("one is empty", not xs or not ys)
        tabulate("length", len(xs) + len(ys))
        maximize(len(xs), "longest")
        assert sorted(xs + ys) == sorted([*xs, *set(ys)])

    few = gen.lists(gen.integers())
    check(merging_keeps_elements, few, few, statistics=True, **options).to_html(HERE / "report.html")


if __name__ == "__main__":
    main()
