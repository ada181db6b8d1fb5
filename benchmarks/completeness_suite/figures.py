"""The paper's figures 11 to 14: repair strategies compared by running what they repaired.

Sizes are the paper's: list sizes from 0 to 10,000 skewed towards small ones (half of them up to 10), heights of trees
from 0 to 12 (a red-black tree of black height h is up to 2h high). A value that is not made because a draw was
rejected counts as not valid. Cells that reach the limit say how far they came.
"""

from __future__ import annotations

import random
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from measuring import table

from completeness_suite import variants
from completeness_suite.variants import ROWS, Row
from everycase import gen
from everycase.choices import dice
from everycase.choices.ambient import making_values
from everycase.choices.sampler import sampler
from everycase.complete import Repair, repair
from everycase.complete.concrete import Reality
from everycase.complete.program import Program
from everycase.complete.specification import specification_of
from everycase.complete.types import from_python
from everycase.complete.universe import World
from everycase.errors import EverycaseError

LISTS = ("sized_list", "even_list", "sorted_list", "duplicate_list", "unique_list")
TREES = ("red_black_tree", "search_tree", "sized_tree", "complete_tree")


@dataclass(frozen=True)
class Scale:
    """How many values, and how many CPU seconds a cell may take."""

    values: int
    seconds: float
    trees: tuple[int, ...]
    """How many red-black trees figure 14 asks for."""


SMALL = Scale(200, 10, (100, 1_000))
FULL = Scale(20_000, 300, (1_000, 10_000))


def scale_of(options: list[str]) -> Scale:
    """``--full``, ``--values=N`` and ``--seconds=N``."""
    scale = FULL if "--full" in options else SMALL
    for option in options:
        name, _, value = option.partition("=")
        if name == "--values":
            scale = replace(scale, values=int(value))
        elif name == "--seconds":
            scale = replace(scale, seconds=float(value))
    return scale


def with_room(work: Callable[[], None]) -> None:
    """Run with a stack that lists of 10,000 elements fit on when they are made and checked recursively."""
    sys.setrecursionlimit(1_000_000)
    threading.stack_size(1024 * 1024 * 1024)
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()


# --- arguments and validity ----------------------------------------------------------------------------------


def list_size(rng: random.Random) -> int:
    """From 0 to 10,000, skewed: half of them up to 10, a quarter up to 100, a fifth up to 1,000."""
    share = rng.random()
    return rng.randint(0, 10 if share < 0.5 else 100 if share < 0.75 else 1_000 if share < 0.95 else 10_000)


def arguments(family: str, rng: random.Random) -> tuple[Any, ...]:
    if family in LISTS:
        size = list_size(rng)
        return (size, rng.randint(-5, 5)) if family in ("sorted_list", "duplicate_list") else (size,)
    if family == "red_black_tree":
        black, color = rng.randint(0, 6), rng.random() < 0.5
        return (2 * black if color else 2 * black + 1, color, black)
    if family == "search_tree":
        low = rng.randint(-1_000, 1_000)
        return (rng.randint(0, 12), low, low + rng.randint(1, 10_000))
    return (rng.randint(0, 12),)


#: the predicates of lists once more, without recursion: they agree on short lists, which every run checks
QUICK: dict[str, Callable[..., bool]] = {
    "sized_list": lambda v, s: len(v) <= s,
    "even_list": lambda v, s: 0 < len(v) <= s + 1 and all(n % 2 == 0 for n in v),
    "sorted_list": lambda v, s, x: len(v) == s and all(a <= b for a, b in zip([x, *v], v)),
    "duplicate_list": lambda v, s, x: len(v) == s and all(n == x for n in v),
    "unique_list": lambda v, s: len(v) == s == len(set(v)),
}


def is_valid(generator: Any, value: Any, given: tuple[Any, ...]) -> bool:
    """Ask the predicate of the specification."""
    specification = specification_of(generator)
    assert specification is not None
    code = generator.__wrapped__.__code__
    by_name = dict(zip(code.co_varnames[1 : code.co_argcount], given))
    asked = specification.predicate.__code__
    names = asked.co_varnames[1 : asked.co_argcount]
    return bool(specification.predicate(value, *(by_name[n] for n in names)))


def judge(family: str, generator: Any, value: Any, given: tuple[Any, ...]) -> bool:
    quick = QUICK.get(family)
    if quick is None:
        return is_valid(generator, value, given)
    if len(value) <= 20:
        assert quick(value, *given) == is_valid(generator, value, given), (family, value, given)
    return quick(value, *given)


# --- making values -------------------------------------------------------------------------------------------


def attempts(make: Callable[..., Any], family: str, scale: Scale) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """(arguments, value) for each attempt; the value is ``attempts`` itself if the generator gave up."""
    rng, until = random.Random(11), time.process_time() + scale.seconds
    for _ in range(scale.values):
        given = arguments(family, rng)
        try:
            with making_values():
                yield given, sampler(make(*given))(rng.random, dice.draw_size(rng.random))
        except EverycaseError:
            yield given, attempts
        if time.process_time() > until:
            return


def valid_among(make: Callable[..., Any], family: str, reference: Any, scale: Scale) -> str:
    """How many values are valid, and of how many if the limit was reached."""
    good = made = 0
    for given, value in attempts(make, family, scale):
        made += 1
        good += value is not attempts and judge(family, reference, value, given)
    return f"{good:,}" if made == scale.values else f"{good:,} of {made:,}"


def alive(result: Repair, family: str) -> Any:
    """The repaired generator, loaded from its text."""
    return variants.load(result.new, f"{family}_repaired_{id(result)}")[result.name]


# --- figures 11, 12 and 13 -----------------------------------------------------------------------------------


def repair_strategies(scale: Scale, families: tuple[str, ...] = LISTS + TREES) -> None:
    """Valid values of each strategy, and the valid values of our repair that the safe one can never make."""
    titles = ["valid values", "default generator", "our repair", "completeness-focused", "safety-focused",
              "safe one is", "ours outside safe"]  # fmt: skip
    print(f"Figures 11, 12 and 13: {scale.values:,} values each, at most {scale.seconds:.0f} CPU s a cell")
    for family in families:
        lines = []
        reference = variants.reference(family)
        rows = [row for row in ROWS if row.family == family]
        ours = alive(repair(variants.variant(rows[-1])), family)  # from the sketch, as in the paper
        kind = reference.__wrapped__.__annotations__["return"]
        anything = gen.from_type(eval(kind, reference.__wrapped__.__globals__))
        once = [
            valid_among(lambda *_, g=anything: g, family, reference, scale),
            valid_among(ours, family, ours, scale),
        ]
        for row in rows:
            # each is judged by its own text's predicate: the classes of another text are other classes
            complete = alive(repair(variants.variant(row), strategy="complete"), family)
            safe = repair(variants.variant(row), strategy="safe")
            alive_safe = alive(safe, family)
            lines.append([
                row.title, *once, valid_among(complete, family, complete, scale),
                valid_among(alive_safe, family, alive_safe, scale),
                {"proved": "complete", "missing": "incomplete"}.get(safe.verdict.status, "unknown"),
                outside(ours, safe, row, scale),
            ])  # fmt: skip
        print(table(titles, lines), flush=True)


def outside(ours: Any, safe: Repair, row: Row, scale: Scale) -> str:
    """How many valid values of our repair the safe one can certainly not make; none if that is complete."""
    if safe.verdict.status == "proved":
        return "0"
    # every text is loaded with classes of its own; values inside the checker do not know classes
    model, kind = Program().generator(alive(safe, row.family)), Program().generator(ours).result
    reality = Reality(World((0, 1), ("a", "b"), 100))
    found = made = 0
    for given, value in attempts(ours, row.family, scale):
        made += 1
        if value is not attempts and judge(row.family, ours, value, given):
            found += reality.certainly_not(model, *given, from_python(kind, value))
            reality.forget()
    return f"{found:,}" if made == scale.values else f"{found:,} of {made:,}"


# --- figure 14 -----------------------------------------------------------------------------------------------


def red_black_times(scale: Scale) -> None:
    """Seconds for so many valid red-black trees of a black height, by three ways to get them."""
    suite = variants.load(variants.source("red_black_tree"), "red_black_tree_timed")
    row = next(r for r in ROWS if r.title == "red black tree sketch")
    repaired = alive(repair(variants.variant(row)), row.family)
    leaf, node = suite["RLeaf"], suite["RNode"]
    parts = (
        gen.booleans(),
        gen.deferred(lambda: anything),
        gen.integers(0, 1000),
        gen.deferred(lambda: anything),
    )
    anything: Any = gen.one_of(gen.just(leaf()), gen.builds(node, *parts))
    counts = scale.trees
    ways: dict[str, Callable[[int], Iterator[Any]]] = {
        "repaired": lambda h: _from_generator(repaired, h),
        "Narrow": lambda h: _narrowed(anything, leaf, h),
        "filter": lambda h: _filtered(anything, suite["valid"], h),
    }
    print(
        f"Figure 14: CPU seconds for {' and '.join(f'{n:,}' for n in counts)} red-black trees by black height"
    )
    for way, make in ways.items():
        hopeless = False  # what is too slow for one height is not tried for the next
        line = []
        for h in range(1, 7):
            times = [None] * len(counts) if hopeless else _seconds(make(h), counts, scale.seconds)
            hopeless = times[0] is None
            line.append(" / ".join(f"> {scale.seconds:.0f}" if t is None else f"{t:.2f}" for t in times))
        print(table(["black height", *map(str, range(1, 7))], [[way, *line]]), flush=True)


def _seconds(trees: Iterator[Any], counts: tuple[int, ...], limit: float) -> list[float | None]:
    started = time.process_time()
    found: list[float | None] = []
    made = 0
    for tree in trees:
        if tree is not None:
            made += 1
            if made in counts:
                found.append(time.process_time() - started)
        if made == counts[-1] or time.process_time() - started > limit:
            break
    return found + [None] * (len(counts) - len(found))


def _from_generator(generator: Any, h: int) -> Iterator[Any]:
    rng = random.Random(5)
    roll = sampler(generator(2 * h + 1, False, h))
    while True:
        with making_values():
            yield roll(rng.random, dice.draw_size(rng.random))


def _filtered(anything: Any, valid: Callable[..., bool], h: int) -> Iterator[Any]:
    """Random trees; None for each that is not valid."""
    rng = random.Random(5)
    roll = sampler(anything)
    while True:
        tree = roll(rng.random, dice.draw_size(rng.random))
        yield tree if valid(tree, False, h) else None


def _narrowed(anything: Any, leaf: type, h: int) -> Iterator[Any]:
    """Random trees, decided only where the predicate looks; started again and again, as Narrow's random order does."""
    from everycase.narrow import Narrowing, Shuffled

    def valid(t: Any, height: int, below_red: bool) -> bool:
        """All conditions in one walk: what looks at the whole tree for one of them decides too much."""
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
