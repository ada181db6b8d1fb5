"""A summary of what a generator makes: sizes, depths, frequent values, edge cases and examples from a sample
of its values."""

from __future__ import annotations

import random as stdlib_random
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from everycase.choices.assumptions import making_values
from everycase.choices.dice import FILTER_TRIES, draw_size
from everycase.choices.enact import enact
from everycase.choices.trace import Trace
from everycase.errors import Discarded, GeneratorError
from everycase.gen.base import Gen
from everycase.gen.facts import check_grounded
from everycase.gen.kinds import Float, Int, List, Map, Union
from everycase.gen.sharing import own_input
from everycase.gen.unicode import Alphabet
from everycase.gen.validate import require_count, require_seed

if TYPE_CHECKING:
    from everycase.pages.html import Safe

#: Maximum number of bars of a histogram, width of the longest bar, and maximum length of a value that is
#: shown.
BARS, WIDTH, SHOWN = 10, 40, 70

#: How many frequent values and examples are shown.
FREQUENT, EXAMPLES = 6, 8


@dataclass
class Distribution:
    """The summary of a sample of the values of a generator. ``str`` is the text for a terminal."""

    #: the generator, as it prints
    gen: str
    #: how many values were made, and how many of them are different as they print
    count: int
    distinct: int
    #: how many values have each length; empty if they have none
    lengths: Counter[int] = field(default_factory=Counter)
    #: how many values were made from each number of choices
    choices: Counter[int] = field(default_factory=Counter)
    #: how many values have each depth: collections and options inside each other
    depths: Counter[int] = field(default_factory=Counter)
    #: how many numbers were drawn, except those behind characters and bytes, and how many of them are edge
    #: cases: bounds, powers of two, infinities, ...
    numbers: int = 0
    edges: int = 0
    #: values as they print, with their number
    frequent: list[tuple[str, int]] = field(default_factory=list)
    examples: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        lines = [
            f"{self.gen}: {self.count:,} values, {self._share(self.distinct, self.count)} of them different"
        ]
        for title, counts in self.histograms():
            lines += ["", f"{title}: mean {_mean(counts):.1f}, at most {max(counts):,}"]
            lines += [f"  {name:>9}  {bar:{WIDTH}} {share}" for name, bar, share in _bars(counts)]
        if self.numbers:
            lines += ["", f"edge cases: {self._share(self.edges, self.numbers)} of {self.numbers:,} numbers"]
        if self.frequent:
            lines += ["", "most frequent:"]
            lines += [f"  {self._share(times, self.count):>6}  {text}" for text, times in self.frequent]
        lines += ["", "examples:", *[f"  {text}" for text in self.examples]]
        return "\n".join(lines)

    def histograms(self) -> list[tuple[str, Counter[int]]]:
        """The counts for the values, without those that are the same for all of them."""
        every = [("length", self.lengths), ("choices", self.choices), ("depth", self.depths)]
        return [(title, counts) for title, counts in every if len(counts) > 1]

    def to_json(self) -> dict[str, Any]:
        """Plain data, for tools."""
        return {
            "gen": self.gen,
            "count": self.count,
            "distinct": self.distinct,
            **{title: dict(sorted(counts.items())) for title, counts in self.histograms()},
            "numbers": self.numbers,
            "edges": self.edges,
            "frequent": [{"value": text, "times": times} for text, times in self.frequent],
            "examples": self.examples,
        }

    def to_html(self) -> str:
        """The same summary as an HTML page."""
        from everycase.pages.html import page, tag

        return page(self.gen, "", tag("section", _section(self), class_="property"))

    def _repr_html_(self) -> str:
        from everycase.pages.html import fragment

        return fragment(_section(self))

    @staticmethod
    def _share(part: int, whole: int) -> str:
        return f"{part / whole:.1%}" if whole else "none"


def _section(found: Distribution) -> Safe:
    """The summary as HTML."""
    from everycase.pages import charts
    from everycase.pages.figures import percent
    from everycase.pages.html import joined, tag

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


def distribution(gen: Gen[Any], n: int, seed: int | None) -> Distribution:
    """A summary of ``n`` values from one seed."""
    require_count("n", n)
    require_seed(seed)
    check_grounded(gen)
    traces = _traces(gen, n, stdlib_random.Random(seed).random)
    shown = [_shown(trace.value) for trace in traces]
    times = Counter(shown)
    found = Distribution(repr(gen), len(traces), len(times))
    for trace in traces:
        _add(found, trace)
    found.frequent = [(_cut(text), count) for text, count in times.most_common(FREQUENT) if count > 1]
    by_size = sorted(dict(zip(shown, traces)).items(), key=lambda pair: pair[1].count_choices())
    found.examples = [_cut(text) for text, _ in _spread(by_size, EXAMPLES)]
    return found


def _traces(gen: Gen[Any], n: int, random: Any) -> list[Trace[Any]]:
    traces: list[Trace[Any]] = []
    misses = 0
    while len(traces) < n:
        try:
            with making_values(), own_input(gen):
                traces.append(enact(gen, None, random, draw_size(random)))
            misses = 0
        except (Discarded, RecursionError):
            misses += 1
            if misses == FILTER_TRIES:
                raise GeneratorError(
                    f"{gen!r} made no value in {FILTER_TRIES} tries: its filters almost never pass"
                ) from None
    return traces


def _add(found: Distribution, trace: Trace[Any]) -> None:
    """Count the features of one value."""
    with suppress(TypeError):  # it may have no length
        found.lengths[len(trace.value)] += 1
    found.choices[trace.count_choices()] += 1
    deepest = 0
    pending: list[tuple[Trace[Any], int]] = [(trace, 0)]
    while pending:
        node, depth = pending.pop()
        gen = node.gen
        depth += isinstance(gen, List | Union)
        deepest = max(deepest, depth)
        if isinstance(gen, Map) and (
            gen.f is bytes or isinstance(getattr(gen.f, "__self__", None), Alphabet)
        ):
            continue  # characters and bytes are numbers below, but not to the user
        if isinstance(gen, Int | Float) and gen.edges:
            found.numbers += 1
            found.edges += node.choice in gen.edges or node.choice != node.choice
        pending += [(child, depth) for child in node.children if child is not None]
    found.depths[deepest] += 1


def _shown(value: Any) -> str:
    try:
        return repr(value)
    except Exception as problem:
        return f"<{type(value).__name__} whose repr raised {type(problem).__name__}>"


def _cut(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 4]} ..."


def _spread(items: Sequence[Any], count: int) -> Iterable[Any]:
    """This number of items, from the first to the last."""
    if len(items) <= count:
        return items
    return [items[i * (len(items) - 1) // (count - 1)] for i in range(count)]


def _mean(counts: Counter[int]) -> float:
    return sum(number * times for number, times in counts.items()) / counts.total()


def _bars(counts: Counter[int]) -> list[tuple[str, str, str]]:
    """The bars of a histogram: the range of each, the bar, and its share. Wide ranges are cut by powers of
    two."""
    groups: dict[tuple[int, int], int] = {}
    wide = max(counts) >= BARS
    for number, times in sorted(counts.items()):
        low = high = number
        if wide and number:
            low = 1 << number.bit_length() - 1
            high = 2 * low - 1
        groups[low, high] = groups.get((low, high), 0) + times
    most, total = max(groups.values()), counts.total()
    return [
        (
            f"{low:,}" if low == high else f"{low:,}-{high:,}",
            "#" * max(1, round(WIDTH * times / most)),
            f"{times / total:.1%}",
        )
        for (low, high), times in groups.items()
    ]
