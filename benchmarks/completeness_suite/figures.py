"""The paper's figures 11 to 13: repair strategies compared by running the repaired generators.

The sizes are the paper's: list sizes from 0 to 10,000 skewed towards small ones (half of them up to 10), and tree heights
from 0 to 12 (a red-black tree of black height h is up to 2h high). A value that is not made because a draw was rejected
counts as invalid. Most of the time goes into long lists and big trees, at some microseconds per element, and a list of
10,000 different elements compares 50 million pairs. So every cell has a limit, and says how far it came.
"""

from __future__ import annotations

import ast
import random
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from measuring import table

from completeness_suite import variants
from completeness_suite.variants import ROWS
from everycase import gen
from everycase.choices import dice
from everycase.choices.assumptions import making_values
from everycase.choices.sample import sampler
from everycase.complete import Repair, repair
from everycase.complete.frontend.program import Generator
from everycase.complete.frontend.reader import new_program
from everycase.complete.language.values import from_python
from everycase.complete.search.concrete import Reality
from everycase.complete.search.worlds import World
from everycase.complete.specification import specification_of
from everycase.errors import EverycaseError

LISTS = ("sized_list", "even_list", "sorted_list", "duplicate_list", "unique_list")
TREES = ("red_black_tree", "search_tree", "sized_tree", "complete_tree")


@dataclass(frozen=True)
class Scale:
    """The number of values, and the maximum CPU seconds per cell."""

    values: int
    seconds: float
    trees: tuple[int, ...]
    """How many red-black trees figure 14 asks for."""
    patience: float
    """CPU seconds that a cell of figure 14 may take."""


SMALL = Scale(200, 10, (100, 1_000), 10)
FULL = Scale(20_000, 20, (1_000, 10_000), 300)


def scale_of(options: list[str]) -> Scale:
    """``--full``, ``--values=N`` and ``--seconds=N`` (per cell)."""
    scale = FULL if "--full" in options else SMALL
    for option in options:
        name, _, value = option.partition("=")
        if name == "--values":
            scale = replace(scale, values=int(value))
        elif name == "--seconds":
            scale = replace(scale, seconds=float(value))
    return scale


def with_room(work: Callable[[], None]) -> None:
    """Run with a stack large enough to make and check lists of 10,000 elements recursively."""
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


def same_height(tree: Any) -> int | None:
    """The height of a tree whose leaves are all at the same depth, else None; in one walk."""
    if not hasattr(tree, "left"):
        return 0
    left = same_height(tree.left)
    return None if left is None or same_height(tree.right) != left else left + 1


#: the predicates again, without recursion or in one walk; every run checks that they agree on small values
QUICK: dict[str, Callable[..., bool]] = {
    "sized_list": lambda v, s: len(v) <= s,
    "even_list": lambda v, s: 0 < len(v) <= s + 1 and all(n % 2 == 0 for n in v),
    "sorted_list": lambda v, s, x: len(v) == s and all(a <= b for a, b in zip([x, *v], v)),
    "duplicate_list": lambda v, s, x: len(v) == s and all(n == x for n in v),
    "unique_list": lambda v, s: len(v) == s == len(set(v)),
    "complete_tree": lambda v, s: same_height(v) == s,
}


def is_valid(generator: Any, value: Any, given: tuple[Any, ...]) -> bool:
    """Call the predicate of the specification."""
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
    if len(value) <= 20 if family in LISTS else given[0] <= 6:
        assert quick(value, *given) == is_valid(generator, value, given), (family, value, given)
    return quick(value, *given)


# --- making values -------------------------------------------------------------------------------------------

REJECTED: Any = object()


def attempts(
    make: Callable[..., Any], family: str, scale: Scale, patience: int = 1
) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """(arguments, value) for each attempt; the value is REJECTED if the generator gave up."""
    rng, until = random.Random(11), time.process_time() + scale.seconds * patience
    for _ in range(scale.values):
        given = arguments(family, rng)
        try:
            with making_values():
                value = sampler(make(*given))(rng.random, dice.draw_size(rng.random))
        except EverycaseError:
            value = REJECTED
        yield given, value
        if time.process_time() > until:
            return


@dataclass
class Count:
    """A cell: how many of the values made are good; ``asked`` is how many should have been made."""

    asked: int
    good: int = 0
    made: int = 0

    def __str__(self) -> str:
        share = self.good / self.made if self.made else 0.0
        said = f"{self.good:,}" if self.made == self.asked else f"{self.good:,} of {self.made:,}"
        return f"{bar(share)} {said}"


def bar(share: float, width: int = 10) -> str:
    """A share as a bar; a share above zero always shows."""
    full = min(width, max(round(share * width), int(share > 0)))
    return "#" * full + "." * (width - full)


def valid_among(make: Callable[..., Any], family: str, reference: Any, scale: Scale) -> Count:
    """The number of valid values."""
    count = Count(scale.values)
    for given, value in attempts(make, family, scale):
        count.made += 1
        count.good += value is not REJECTED and judge(family, reference, value, given)
    return count


def alive(result: Repair, family: str) -> Any:
    """The repaired generator, loaded from its text."""
    return variants.load(result.new, f"{family}_repaired_{id(result)}")[result.name]


# --- figures 11, 12 and 13 -----------------------------------------------------------------------------------


@dataclass
class Family:
    """One family of benchmarks; generators with the same body are run once."""

    name: str
    scale: Scale
    counts: dict[str, Count] = field(default_factory=dict)
    outside: dict[str, Count] = field(default_factory=dict)

    def lines(self) -> list[list[str]]:
        """One line of the table for each row."""
        rows = [row for row in ROWS if row.family == self.name]
        ours = repair(variants.variant(rows[-1]))  # from the sketch, as in the paper
        safe = {row: repair(variants.variant(row), strategy="safe") for row in rows}
        self._run_ours(ours, list(safe.values()))
        reference = variants.reference(self.name)
        kind = reference.__wrapped__.__annotations__["return"]
        anything = gen.from_type(eval(kind, reference.__wrapped__.__globals__))
        default = valid_among(lambda *_: anything, self.name, reference, self.scale)
        lines = []
        for row in rows:
            complete = repair(variants.variant(row), strategy="complete")
            word = {"proved": "complete", "missing": "incomplete"}.get(safe[row].verdict.status, "unknown")
            cells = [default, self._count(ours), self._count(complete), self._count(safe[row])]
            lines.append([row.title, *map(str, cells), word, str(self.outside[_body(safe[row])])])
        return lines

    def _count(self, result: Repair) -> Count:
        # each value is checked by its own text's predicate, because another text has different classes
        body = _body(result)
        if body not in self.counts:
            generator = alive(result, self.name)
            self.counts[body] = valid_among(generator, self.name, generator, self.scale)
        return self.counts[body]

    def _run_ours(self, ours: Repair, safe: list[Repair]) -> None:
        """Count our valid values, and the ones among them that each safe generator certainly cannot make."""
        generator = alive(ours, self.name)
        kind = new_program().generator(generator).result
        total = self.counts[_body(ours)] = Count(self.scale.values)
        models: dict[str, tuple[Generator, Reality]] = {}
        for result in safe:
            self.outside[_body(result)] = Count(self.scale.values)
            if result.verdict.status != "proved":
                world = World((0, 1), ("a", "b"), 100)
                models[_body(result)] = (new_program().generator(alive(result, self.name)), Reality(world))
        for given, value in attempts(generator, self.name, self.scale, 1 + len(models)):
            total.made += 1
            valid = value is not REJECTED and judge(self.name, generator, value, given)
            total.good += valid
            # every text is loaded with its own classes; values inside the checker do not depend on classes
            inside = from_python(kind, value) if valid and models else None
            for body, count in self.outside.items():
                count.made += 1
                if valid and body in models:
                    model, reality = models[body]
                    count.good += reality.certainly_not(model, *given, inside)
                    reality.forget()


def _body(result: Repair) -> str:
    """The generator without comments and layout."""
    tree = ast.parse(result.new)
    found = next(n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == result.name)
    return ast.dump(found)


def families_of(options: list[str]) -> tuple[str, ...]:
    """``--families=unique_list,search_tree``; default: all."""
    wanted = [option.partition("=")[2].split(",") for option in options if option.startswith("--families=")]
    return tuple(wanted[-1]) if wanted else LISTS + TREES


def repair_strategies(scale: Scale, families: tuple[str, ...] = LISTS + TREES) -> None:
    """The valid values of each strategy, and the valid values of our repair that the safe one can never make."""
    titles = ["", "default generator", "our repair", "completeness-focused", "safety-focused", "safety-focused verdict",
              "ours outside safe"]  # fmt: skip
    print(
        f"Figures 11, 12 and 13: valid values among {scale.values:,} from each generator, at most {scale.seconds:g} CPU s "
        "a cell; the last column: values of our repair that the safety-focused one can never make"
    )
    for family in families:
        started = time.process_time()
        print(table(titles, Family(family, scale).lines()))
        print(f"({time.process_time() - started:.0f} CPU s)", flush=True)
