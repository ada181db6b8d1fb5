"""Generators as a notebook shows them."""

from __future__ import annotations

import math
from typing import Any

from everycase.errors import EverycaseError
from everycase.gen.base import Gen
from everycase.gen.plain import shortened, shown
from everycase.pages.figures import number
from everycase.pages.html import fragment, joined, table, tag

#: How many values are shown.
SAMPLES = 10


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
            [f"{place + 1}", tag("code", shortened(value))]
            for place, value in enumerate(gen.sample(SAMPLES, seed=0))
        ]
        parts.append(table(["number", "value"], rows, f"{len(rows)} random values"))
    except Exception as problem:
        parts.append(tag("p", f"no value could be made: {problem}", class_="bad"))
    return fragment(joined(*parts))
