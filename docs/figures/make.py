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
from everycase.report import charts, diagrams
from everycase.report.html import Safe, tag

HERE = Path(__file__).parent

STYLE = """
svg { background: #ffffff; font: 13px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
text { fill: #1d2330; } .tick { fill: #565f70; font-size: 12px; } .mono { font: 12px ui-monospace, Menlo, monospace; }
.grid { stroke: #dedbd2; } .axis { stroke: #565f70; } .bar { fill: #0072b2; }
"""
COLORS = {"--mark-1": "#0072b2", "--mark-2": "#d55e00", "--bad": "#b3261e", "--soft": "#565f70"}


def save(name: str, figure: Safe) -> None:
    """The picture in a figure, as a file that stands alone."""
    found = re.search(r"<svg.*?</svg>", figure, re.DOTALL)
    assert found is not None
    text = found[0].replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1)
    text = text.replace(">", f"><style>{STYLE}</style>", 1)
    for variable, color in COLORS.items():
        text = text.replace(f"var({variable})", color)
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


def main() -> None:
    options: dict[str, Any] = {"seed": 1, "database": None}
    node = gen.integers(0, 29)
    links = gen.lists(gen.tuples(node, node))
    climb = check(stays_shallow, links, explore=Climb(), max_examples=5000, **options)
    points = [(float(number), utility) for number, _, utility in climb.trajectory]
    save("targeted", charts.line("hops", points, "tests", "best hops so far", steps=True))

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
