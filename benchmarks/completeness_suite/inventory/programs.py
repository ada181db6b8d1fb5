"""The programs of the inventory, and how each is judged.

    PYTHONPATH=benchmarks python benchmarks/completeness_suite/inventory/programs.py [GROUP] [--hypothesis] [--verbose]

An expression gets a promise that lists what it can be, found by making all values; beside it, any number is drawn, so that
the values cannot simply be counted. The twin of a program promises one more value, which it never makes.
"""

from __future__ import annotations

import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from completeness_suite.inventory.expressions import GROUPS
from completeness_suite.inventory.statements import STATEMENTS
from completeness_suite.inventory.strategies import STRATEGIES
from completeness_suite.real.run import generator_of, load, word
from everycase.complete import gaps
from everycase.enumeration.walk import walk

HEADER = """
import collections, dataclasses, datetime, decimal, enum, fractions, functools, itertools, json, math, operator
import pathlib, re, statistics, string, uuid
from dataclasses import dataclass
from types import SimpleNamespace
from typing import NamedTuple
from {library} import assume, reject, {module}
from everycase import covers

class Kind(enum.Enum):
    A = 1
    B = 2

class Level(enum.IntEnum):
    LOW = 0
    HIGH = 1

@dataclass
class Point:
    x: int
    y: int = 0
    LIMIT = 5

    @property
    def size(self) -> int:
        return self.x + self.y

    def moved(self, by: int) -> "Point":
        return Point(self.x + by, self.y)

    @staticmethod
    def origin() -> "Point":
        return Point(0, 0)

    @classmethod
    def make(cls, x: int) -> "Point":
        return cls(x, 1)

class Pair(NamedTuple):
    a: int
    b: int

@dataclass(frozen=True)
class Typed:
    name: str
    count: int

NAMES = ("a", "b")
TABLE = {{"k": 1, "m": 2}}
LIMIT = 3
LAST = datetime.date(2024, 12, 31)
small = {name}.integers(0, 3)

def helper(a, c=1):
    return a + c

def drawing(draw, top):
    return draw({name}.integers(0, top))

def plain(top=3):
    return {name}.integers(0, top)

def optional(inner):
    return {name}.none() | inner

@{name}.composite
def pair(draw, low=0) -> tuple[int, int]:
    return draw({name}.integers(low, 1)), draw({name}.integers(low, 1))

"""
NAMES = {
    "n": "gen.integers(-2, 2)", "m": "gen.integers(0, 3)", "b": "gen.booleans()",
    "xs": "gen.lists(gen.integers(0, 1), max_size=2)", "s": "gen.sampled_from(['', 'a', 'b', 'ab'])",
    "d": "gen.dictionaries(gen.sampled_from('ab'), gen.integers(0, 1))", "t": "gen.tuples(gen.integers(0, 1), gen.booleans())",
    "st": "gen.sets(gen.integers(0, 2), max_size=2)", "e": "gen.sampled_from(Kind)",
    "day": "gen.dates(datetime.date(2024, 2, 28), datetime.date(2024, 3, 1))",
    "p": "gen.builds(Point, gen.integers(0, 1), gen.integers(0, 1))",
}  # fmt: skip
SECONDS = 10.0
MOST = 5_000


@dataclass
class Tiny:
    """One program: a group, the construct, the body, and the promise if it is written by hand."""

    group: str
    construct: str
    body: str
    promise: str | None = None

    def text(self, promise: str, form: str) -> str:
        """The module in one of the two forms."""
        inside = "\n".join("    " + line for line in self.body.splitlines())
        whole = f"@covers(lambda v: {promise})\n@gen.composite\ndef made_here(draw):\n{inside}\n"
        if form == "everycase":
            return HEADER.format(library="everycase", module="gen", name="gen") + whole
        header = HEADER.format(library="hypothesis", module="strategies as st_", name="st_")
        return header + whole.replace("gen.", "st_.")


def programs() -> Iterator[Tiny]:
    """All of them."""
    for group, lines in GROUPS.items():
        for line in filter(None, lines.splitlines()):
            yield Tiny(group, line, _with_draws(f"made = {line}"))
    for body in filter(None, STATEMENTS.strip().split("\n\n")):
        yield Tiny("statements", body.replace("\n", " | "), _with_draws(body))
    for strategy, promise in STRATEGIES.items():
        yield Tiny("strategies", strategy, f"return draw({strategy})", promise)


def _with_draws(body: str) -> str:
    import ast

    used = {n.id for n in ast.walk(ast.parse(body)) if isinstance(n, ast.Name)}
    first = [f"{name} = draw({NAMES[name]})" for name in NAMES if name in used]
    return "\n".join([*first, "extra = draw(gen.integers())", body, "return made, extra"])


def values_of(tiny: Tiny, folder: Path) -> dict[str, Any]:
    """What the program makes beside the number, by repr."""
    text = tiny.text("True", "everycase").replace("gen.integers())", "gen.just(0))")
    names = load(text, "values", folder)
    found: dict[str, Any] = {}
    for number, trace in enumerate(walk(generator_of(names)())):
        assert number < MOST, tiny
        found[_written(trace.value[0])] = trace.value[0]
    return found


def _written(value: Any) -> str:
    """A value as Python source."""
    if type(value) in (list, tuple, set) and value:
        inside = ", ".join(map(_written, value)) + ("," if type(value) is tuple else "")
        return {list: "[{}]", tuple: "({})", set: "{{{}}}"}[type(value)].format(inside)
    if type(value) is dict:
        return "{" + ", ".join(f"{_written(k)}: {_written(x)}" for k, x in value.items()) + "}"
    text = repr(value)
    if text.startswith("<Kind."):
        return f"Kind.{value.name}"
    if text.startswith(("Decimal", "Fraction", "UUID")):
        return {"D": "decimal.", "F": "fractions.", "U": "uuid."}[text[0]] + text
    return "pathlib." + text if text.startswith("PurePosix") else text


def one_more(values: dict[str, Any]) -> str | None:
    """A value of the same type that is not among them."""
    for value in values.values():
        if type(value) is bool:
            return None
        if type(value) in (int, float):
            return repr(value + 1000)
        if type(value) is str:
            return repr(value + "zz")
        if type(value) is list and value and type(value[0]) is int:
            return repr([*value, 777])
        if type(value) is list and value and type(value[0]) is str:
            return repr([*value, "zz"])
        if type(value) is tuple and value and type(value[0]) is int:
            return _written((value[0] + 1000, *value[1:]))
        if type(value) is set and value and all(type(x) is int for x in value):
            return repr(value | {777})
        if type(value) is dict and value and all(type(x) is int for x in value.values()):
            return repr({k: x + 1000 for k, x in value.items()})
    return None


def judge(tiny: Tiny, folder: Path, form: str = "everycase") -> tuple[str, str, Any, float]:
    """The words about the program and its twin, the verdict, and the time."""
    twin_said = "-"
    if tiny.promise is None:
        values = values_of(tiny, folder)
        more = one_more(values)
        promise = f"v[0] in ({', '.join(values)},)"
        if more is not None and more not in values:
            twin = f"v[0] in ({', '.join([*values, more])},)"
            found = _verdict(tiny.text(twin, form), folder)
            twin_said = word(found) if not isinstance(found, Exception) else f"error: {found!r}"
            if twin_said == "proved":
                twin_said = "WRONG proved"
    else:
        promise = tiny.promise
    started = time.process_time()
    verdict = _verdict(tiny.text(promise, form), folder)
    spent = time.process_time() - started
    if isinstance(verdict, Exception):
        return f"error: {verdict!r}"[:150], twin_said, None, spent
    said = word(verdict)
    return ("WRONG " + said if said.startswith("missing") else said), twin_said, verdict, spent


def _verdict(text: str, folder: Path) -> Any:
    try:
        return gaps(generator_of(load(text, "program", folder)), max_seconds=SECONDS)
    except Exception as error:
        return error


def main(only: str = "", form: str = "everycase", verbose: bool = True) -> Counter[str]:
    """Print what is not proved, and the counts by group."""
    warnings.simplefilter("ignore")
    counts: Counter[str] = Counter()
    twins: Counter[str] = Counter()
    groups: dict[str, Counter[str]] = {}
    whole = 0.0
    with tempfile.TemporaryDirectory() as place:
        for tiny in programs():
            if only and only not in (tiny.group, tiny.construct):
                continue
            try:
                said, twin, verdict, spent = judge(tiny, Path(place), form)
            except Exception as error:
                said, twin, verdict, spent = f"PROGRAM {error!r}"[:100], "-", None, 0.0
            whole += spent
            counts[said.split(":")[0]] += 1
            twins[twin.split(":")[0]] += 1
            groups.setdefault(tiny.group, Counter())[said.split(":")[0].split(" ")[0]] += 1
            if verbose and (said != "proved" or twin.startswith(("WRONG", "error", "bounds", "nothing"))):
                why = "" if verdict is None else (verdict.unsupported or "; ".join(verdict.notes))
                why = (why or "").rpartition("line ")[2]
                slow = f" {spent:.1f} s" if spent > 1 else ""
                print(
                    f"{tiny.group:10} {said:14} twin {twin:14} {tiny.construct[:90]}  # {why[:130]}{slow}",
                    flush=True,
                )
    for group, of in groups.items():
        print(f"{group:18}", dict(of))
    print(f"{sum(counts.values())} programs: {dict(counts)}; twins: {dict(twins)}; {whole:.0f} s")
    return counts


if __name__ == "__main__":
    plain = [a for a in sys.argv[1:] if not a.startswith("--")]
    main(plain[0] if plain else "", "hypothesis" if "--hypothesis" in sys.argv else "everycase")
