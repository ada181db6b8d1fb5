"""Generators, distributions and covering arrays as a notebook shows them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from everycase.errors import EverycaseError
from everycase.report import charts
from everycase.report.charts import number
from everycase.report.html import Safe, fragment, joined, page, table, tag
from everycase.report.plain import shown
from everycase.run.labels import percent

if TYPE_CHECKING:
    from everycase.choices.distribution import Distribution
    from everycase.gen.base import Gen

#: How many values of a generator, and rows of an array, are shown.
SAMPLES, ROWS = 10, 200
#: A longer value is cut to this number of characters.
LONGEST = 200


def gen_html(gen: Gen[Any]) -> str:
    """A generator: its call, how many values it has, and some of them."""
    parts: list[object] = [tag("p", tag("code", shown(gen)[:2_000]))]
    try:
        count = gen.cardinality
        parts.append(
            tag(
                "p",
                "infinitely many values" if count == math.inf else f"{number(count)} values",
                class_="soft",
            )
        )
    except (EverycaseError, OverflowError, RecursionError):
        pass  # not every generator can be counted
    try:
        rows: list[list[object]] = [
            [f"{place + 1}", tag("code", _cut(shown(value)))]
            for place, value in enumerate(gen.sample(SAMPLES, seed=0))
        ]
        parts.append(table(["number", "value"], rows, f"{len(rows)} random values"))
    except Exception as problem:
        parts.append(tag("p", f"no value could be made: {problem}", class_="bad"))
    return fragment(joined(*parts))


def distribution_html(found: Distribution) -> str:
    """A summary of a sample of a generator's values."""
    return fragment(_distribution(found))


def distribution_page(found: Distribution) -> str:
    """The same as an HTML page."""
    section = tag("section", _distribution(found), class_="property")
    return page(found.gen, "", section)


def _distribution(found: Distribution) -> Safe:
    figures = [
        charts.histogram(
            f"{title.capitalize()}: mean {sum(counts.elements()) / counts.total():.1f}, at most {max(counts):,}",
            counts,
            title,
            "values",
        )
        for title, counts in found.histograms()
    ]
    if found.frequent:
        rows: list[tuple[str, float]] = [(text, times) for text, times in found.frequent]
        figures.append(charts.bars("Most frequent", rows, "values", found.count))
    edges = f"{percent(found.edges / found.numbers)} of {found.numbers:,} numbers" if found.numbers else ""
    return joined(
        tag("h2", "Values"),
        tag(
            "p", f"{found.count:,} values, {percent(found.distinct / max(1, found.count))} of them different."
        ),
        tag("p", f"Edge cases: {edges}.") if edges else None,
        tag("div", *figures, class_="charts") if figures else None,
        tag("h3", "Examples"),
        tag("ul", *[tag("li", tag("code", text)) for text in found.examples], class_="plain"),
    )


def array_html(array: Any) -> str:
    """A covering array: what it covers, and its rows."""
    names = list(array.model.names)
    rows: list[list[object]] = [
        [f"{place + 1}", *[tag("code", _cut(shown(value))) for value in line]]
        for place, line in enumerate(_first(array.tuples()))
    ]
    more = len(array) - len(rows)
    return fragment(
        joined(
            tag("p", array.describe()),
            table(["row", *names], rows, f"{len(array):,} rows"),
            tag("p", f"and {more:,} more rows", class_="soft") if more > 0 else None,
        )
    )


def _first(rows: Sequence[Any]) -> Sequence[Any]:
    return rows[:ROWS]


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
