"""Bugs in System F: three ways to search the well-typed terms, side by side.

The property says that a language with a bug reduces every well-typed term like the correct language. Hardly any random term is well typed, so all three searches prune. They differ in the order in which they visit the remaining terms:

- depth first up to a size, as LazySearch does,
- constructor patterns: the paper's three configurations in a race,
- the default of ``Narrow``: all terms from the smallest on, alternating with terms of only some constructors, both from the smallest on and in random orders.

    python examples/systemf.py                          (a glance: bugs that show in small terms)
    python examples/systemf.py 60 LiftVar SubstNoLift   (CPU seconds for each search, and which bugs)

``benchmarks/pruning.py`` repeats it with many seeds and draws the bars.
"""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from typing import Any

from systemf_language import FURTHER, QUICK, SLOW, reduces_alike, show, terms, well_typed_early

from everycase import HealthCheck, Phase, check
from everycase.explore import Explorer, Narrow, Patterns

SEARCHES: dict[str, Explorer] = {
    "depth first": Narrow(max_size=13, order="depth"),
    "patterns": Patterns(race=["shallow", "deep", "dense"], max_size=13, order="depth"),
    "default": Narrow(),
}


class Enough(BaseException):
    """Ends a run: the bug was seen, or the time is over."""


def search(mutant: Any, explorer: Explorer, seconds: float) -> tuple[int, float, Any]:
    """Terms tested, CPU seconds taken, and the first term that shows the bug (None if the time was too
    short)."""
    tested = 0
    witness = None
    started = time.process_time()

    def reduces_as_without(e: Any) -> None:
        nonlocal tested, witness
        tested += 1
        if not reduces_alike(e, mutant):
            witness = e
            raise Enough
        if time.process_time() - started > seconds:
            raise Enough

    options: dict[str, Any] = {"database": None, "phases": [Phase.explore], "seed": 0}
    options["suppress_health_check"] = list(HealthCheck)
    with suppress(Enough):
        check(
            reduces_as_without,
            terms.filter(well_typed_early),
            explore=explorer,
            max_examples=10**9,
            **options,
        )
    return tested, time.process_time() - started, witness


def main(seconds: float, mutants: list[str]) -> None:
    for mutant in mutants:
        print(mutant)
        for name, explorer in SEARCHES.items():
            tested, taken, witness = search(mutant, explorer, seconds)
            said = "not found" if witness is None else show(witness)
            print(f"  {name:12} {tested:>9,} terms {taken:7.2f} s  {said}")


if __name__ == "__main__":
    given = sys.argv[1:]
    unknown = [name for name in given[1:] if name not in (*QUICK, *SLOW, *FURTHER)]
    if unknown:
        sys.exit(f"no such bug: {', '.join(unknown)}; there are {', '.join((*QUICK, *SLOW, *FURTHER))}")
    main(float(given[0]) if given else 3.0, given[1:] or list(QUICK[:2]))
