"""The paper's figure 14: the time to make 1,000 and 10,000 red-black trees in three ways."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterator
from typing import Any

from measuring import table

from completeness_suite import variants
from completeness_suite.figures import Scale, alive
from completeness_suite.variants import ROWS
from everycase import gen
from everycase.choices import dice
from everycase.choices.assumptions import making_values
from everycase.choices.sample import sampler
from everycase.complete import repair

HEIGHTS = range(1, 7)
HOPE = 10  # a cell that made less than a tenth of its share after a tenth of the limit will not make it
SETTING_UP = 2.0  # CPU seconds before anything is called hopeless


def red_black_times(scale: Scale) -> None:
    """Print the seconds for these numbers of valid red-black trees, by black height."""
    suite = variants.load(variants.source("red_black_tree"), "red_black_tree_timed")
    row = next(r for r in ROWS if r.title == "red black tree sketch")
    repaired = alive(repair(variants.variant(row)), row.family)
    leaf, node = suite["RLeaf"], suite["RNode"]
    below = gen.deferred(lambda: anything)
    parts = (gen.booleans(), below, gen.integers(0, 1000), below)
    anything: Any = gen.one_of(gen.just(leaf()), gen.builds(node, *parts))
    ways: dict[str, Callable[[int], Iterator[Any]]] = {
        "repaired": lambda h: _from_generator(repaired, h),
        "Narrow": lambda h: _narrowed(anything, leaf, h),
        "filter": lambda h: _filtered(anything, suite["valid"], h),
    }
    counts = scale.trees
    print(
        f"Figure 14: CPU seconds for {' and '.join(f'{n:,}' for n in counts)} red-black trees by black height, at most "
        f"{scale.patience:g} s per cell"
    )
    lines, chart = [], []
    for way, make in ways.items():
        cells = []
        hopeless = False  # a way that is too slow for one height is not tried for the next
        for h in HEIGHTS:
            if hopeless:
                cells.append("not tried")
                continue
            times, made, spent = _seconds(make(h), counts, scale.patience)
            hopeless = times[0] is None
            said = [_said(t, made, spent, scale.patience) for t in times]
            cells.append(" / ".join(said))
            chart.append([way, h, _log_bar(times[-1], scale.patience), said[-1]])
        lines.append([way, *cells])
        print(table(["black height", *map(str, HEIGHTS)], lines[-1:]), flush=True)
    print(table(["", "height", f"seconds for {counts[-1]:,}, log scale", ""], chart), flush=True)


def _said(seconds: float | None, made: int, spent: float, limit: float) -> str:
    """The time, or how far the cell came. A cell that was hopelessly behind stopped before the limit."""
    if seconds is not None:
        return f"{seconds:.2f}"
    return f"> {limit:g} ({made:,} made)" if spent > limit else f"given up at {spent:.0f} s ({made:,} made)"


def _log_bar(seconds: float | None, limit: float, width: int = 40, least: float = 0.01) -> str:
    """A bar on a log scale. A bar for an unfinished cell extends beyond the others."""
    if seconds is None:
        return "#" * width + ">"
    return "#" * max(1, round(width * math.log(max(seconds, least) / least) / math.log(limit / least)))


def _seconds(
    trees: Iterator[Any], counts: tuple[int, ...], limit: float
) -> tuple[list[float | None], int, float]:
    """The time at which each count was reached, the final count, and its time.

    A cell ends early if it is far behind after a tenth of the limit, even for the smallest count.
    """
    started = time.process_time()
    found: list[float | None] = []
    made, spent = 0, 0.0
    for tree in trees:
        spent = time.process_time() - started
        if tree is not None:
            made += 1
            if made in counts:
                found.append(spent)
        if made == counts[-1] or spent > limit:
            break
        wanted = counts[len(found)] * spent / limit
        if spent > max(limit / HOPE, SETTING_UP) and made < wanted / HOPE:
            break
    return found + [None] * (len(counts) - len(found)), made, spent


def _from_generator(generator: Any, h: int) -> Iterator[Any]:
    rng = random.Random(5)
    roll = sampler(generator(2 * h + 1, False, h))
    while True:
        with making_values():
            yield roll(rng.random, dice.draw_size(rng.random))


def _filtered(anything: Any, valid: Callable[..., bool], h: int) -> Iterator[Any]:
    """Random trees; None for each invalid one."""
    rng = random.Random(5)
    roll = sampler(anything)
    while True:
        tree = roll(rng.random, dice.draw_size(rng.random))
        yield tree if valid(tree, False, h) else None


def _narrowed(anything: Any, leaf: type, h: int) -> Iterator[Any]:
    """Random trees, decided only where the predicate looks; restarted again and again, as in Narrow's random order."""
    from everycase.narrow import Narrowing, Shuffled

    def valid(t: Any, height: int, below_red: bool) -> bool:
        """All conditions in one walk: a separate walk over the whole tree for one condition would decide too much."""
        if isinstance(t, leaf):
            return height == 0
        if t.red:
            return not below_red and valid(t.left, height, True) and valid(t.right, height, True)
        return height > 0 and valid(t.left, height - 1, False) and valid(t.right, height - 1, False)

    rng, lazy = random.Random(5), Narrowing([anything])
    while True:
        order, found = Shuffled(rng.random), 0
        for step in lazy.steps(8 * 4**h, lambda t: valid(t, h, False), arrange=order.arrange):
            yield None if step is None else step.value
            found += step is not None
            if found == 200:
                break
