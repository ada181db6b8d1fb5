"""Pruning compared with filtering, with Hypothesis and with its own variants: how fast valid values and bugs are found.

    python benchmarks/pruning.py                          everything, with a limit of 60 CPU seconds for each search
    python benchmarks/pruning.py --only counts,structures
    python benchmarks/pruning.py --only mutants --mutants LiftVar,LiftTApp --searches default --limit 250
    python benchmarks/pruning.py --only mutants --seeds 1 --chart mutants.svg

Parts: counts, speed, structures, hypothesis, mutants, ingredients, vary.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from measuring import cpu_seconds, table, versions
from pruning_bugs import PAPER, SEARCHES, ingredients, mutants, vary
from pruning_naive import terms_up_to_size
from pruning_structures import STRUCTURES

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))

from systemf_language import (
    QUICK,
    SLOW,
    terms,
    well_typed,
    well_typed_plain,
)

from everycase import HealthCheck, Phase, check
from everycase.explore import Narrow
from everycase.narrow import Narrowing

#: well-typed closed terms up to size 1, 2, ..., 9
COUNTS = [3, 6, 17, 68, 217, 811, 3108, 12036, 46766]


def counts() -> None:
    """Count the well-typed terms, and check that filtering gives the same sets."""
    rows = []
    for size, wanted in enumerate(COUNTS, 1):
        search = Narrowing([terms.filter(well_typed_plain)])
        found: list[Any] = []
        seconds = cpu_seconds(lambda: found.extend(one.value for one in search.search(size)))
        same = "-"
        if size <= 7:
            same = "yes" if set(found) == set(filter(well_typed, terms.up_to_size(size))) else "NO"
        figures = search.statistics
        rows.append([size, len(found), wanted, same, figures.evaluations, figures.per_value, seconds])
    header = ["size", "found", "known", "same as filtering", "evaluations", "per value", "CPU s"]
    print(table(header, rows))


def speed() -> None:
    """Evaluations per second on half-decided terms, and on whole terms by filters, in alternation, up to the same size.

    There are two filters. The naive one makes every term with plain Python generators. The other takes the values of this
    library's own enumeration, which come in bulk. A filter does little work on most terms, because they are rejected near
    the root. The search never makes those terms, so each of its evaluations looks at more of a term. "bound" is the rate
    if half-decided terms cost nothing: the checker alone, on whole terms that complete the search's half-decided ones.

    "evaluations" are those on half-decided terms. "runs" are all runs of the checker, which is also what is counted for the
    filters: every term that is found is checked again as a real one, and a sample of the answers is checked.

    Rates are the best of all rounds. Ratios are the median of the ratios of each round. A round runs the searches directly
    after each other, so other load on the machine mostly slows down both.
    """
    from pruning_checkers import well_typed_late, well_typed_plain_late

    checkers = [
        ("isinstance, shapes last (as in the papers)", well_typed_plain_late),
        ("match, shapes last (as in the papers)", well_typed_late),
        ("isinstance, rejects early", well_typed_plain),
        ("match, rejects early", well_typed),
    ]
    rows = []
    for name, predicate in checkers:
        for size, rounds in ((7, 15), (8, 7)):
            lazy, naive, bulk = [], [], []
            for _ in range(rounds):
                search = Narrowing([terms.filter(predicate)])
                seconds = cpu_seconds(lambda: sum(1 for _ in search.search(size)))
                lazy.append(search.statistics.evaluations / seconds)
                whole = terms.up_to_size(size)
                seconds = cpu_seconds(lambda: sum(map(predicate, terms_up_to_size(size))))
                naive.append(len(whole) / seconds)
                seconds = cpu_seconds(lambda: sum(map(predicate, whole)))
                bulk.append(len(whole) / seconds)
            evaluations, runs = search.statistics.evaluations, runs_of(predicate, size)
            more = runs / evaluations
            ratio = statistics.median(one / other for one, other in zip(lazy, naive))
            rates = [max(lazy), max(lazy) * more, max(naive), ratio, ratio * more, max(bulk)]
            rows.append([name, size, evaluations, runs, *rates, checker_alone(predicate, size, rounds)])
    header = ["checker", "size", "evaluations", "runs", "evaluations/s", "runs/s", "naive filter, runs/s"]
    header += ["evaluations/naive", "runs/naive", "filter in bulk, runs/s", "bound"]
    print(table(header, rows))


def runs_of(predicate: Callable[[Any], bool], size: int) -> int:
    """How often a search runs its predicate. (In a separate run, because counting takes time.)"""
    runs = 0

    def counted(e: Any) -> bool:
        nonlocal runs
        runs += 1
        return predicate(e)

    sum(1 for _ in Narrowing([terms.filter(counted)]).search(size))
    return runs


def checker_alone(predicate: Callable[[Any], bool], size: int, rounds: int) -> float:
    """Runs of the checker per second on whole terms that complete the half-decided terms of the search."""
    asked: list[Any] = []
    search = Narrowing([terms.filter(lambda e: asked_about(e))])

    def asked_about(e: Any) -> bool:
        answer = predicate(e)
        state = search.state
        length, slack = len(state.trail), state.slack
        asked.append(search.arguments.decide_all()[0])
        state.undo(length)
        state.slack = slack
        return answer

    sum(1 for _ in search.search(size))
    return max(len(asked) / cpu_seconds(lambda: sum(map(predicate, asked))) for _ in range(rounds))


def structures(limit: float) -> None:
    """Pruning and filtering at the largest size at which filtering finishes within the limit."""
    rows = []
    for name, make, predicate, sizes in STRUCTURES:
        best: list[Any] | None = None
        for size in sizes:
            inputs = make(size)
            filtered: list[Any] = []
            before = time.process_time()
            for value in inputs.up_to_size(size):
                if predicate(value):
                    filtered.append(value)
                if time.process_time() - before > limit:
                    break
            else:
                filtering = time.process_time() - before
                found: list[Any] = []
                pruning = cpu_seconds(
                    lambda: found.extend(
                        one.value for one in Narrowing([inputs.filter(predicate)]).search(size)
                    )
                )
                same = sorted(map(repr, found)) == sorted(map(repr, filtered))
                best = [
                    name,
                    size,
                    len(found),
                    "yes" if same else "NO",
                    filtering,
                    pruning,
                    filtering / pruning,
                ]
                continue
            break
        if best is not None:
            rows.append(best)
        largest = sizes[-1]
        inputs = make(largest)
        search = Narrowing([inputs.filter(predicate)])
        seconds = cpu_seconds(lambda: sum(1 for _ in search.search(largest)))
        rows.append([name, largest, search.statistics.accepted, "-", "-", seconds, "-"])
    print(table(["structure", "size", "valid", "same", "filter s", "pruning s", "ratio"], rows))


def hypothesis_rates(limit: float) -> None:
    """Valid inputs per second for the same precondition: Hypothesis' filter, and Narrow."""
    from pruning_peers import PEERS

    rows = []
    for name, ours, theirs in PEERS:
        inputs, size = ours()
        passed = 0

        def test(value: Any) -> None:
            nonlocal passed
            passed += 1

        seconds = cpu_seconds(
            lambda: check(
                test,
                inputs,
                explore=Narrow(max_size=size),
                max_examples=10**9,
                max_seconds=limit,
                phases=[Phase.explore],
                database=None,
                suppress_health_check=list(HealthCheck),
            )
        )
        rate = passed / seconds
        valid, spent = theirs(limit)
        peer = valid / spent
        ratio: object = rate / peer if valid else f"> {rate * spent:,.0f}"
        rows.append([name, rate, peer, valid, ratio])
    print(table(["valid inputs", "Narrow /s", "Hypothesis /s", "Hypothesis found", "ratio"], rows))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parts = ["counts", "speed", "structures", "hypothesis", "mutants", "ingredients", "vary"]
    parser.add_argument("--only", default=",".join(parts), help="parts, separated by commas")
    parser.add_argument("--limit", type=float, default=60, help="CPU seconds for each search")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--alone", action="store_true", help="a separate run for each bug")
    parser.add_argument("--mutants", default=",".join(QUICK + SLOW))
    parser.add_argument(
        "--searches",
        default=",".join(["depth", *PAPER, "default"]),
        help=f"choose from {', '.join(SEARCHES)}",
    )
    parser.add_argument("--chart", help="file for the bar chart of the bugs (SVG)")
    given = parser.parse_args()
    print(versions("hypothesis"))
    chosen = given.mutants.split(",")
    seeds = range(given.seed, given.seed + given.seeds)
    work: dict[str, Callable[[], None]] = {
        "counts": counts,
        "speed": speed,
        "structures": lambda: structures(given.limit),
        "hypothesis": lambda: hypothesis_rates(min(given.limit, 20)),
        "mutants": lambda: mutants(
            chosen, given.searches.split(","), seeds, given.limit, given.chart, alone=given.alone
        ),
        "ingredients": lambda: ingredients(
            [one for one in chosen if one in SLOW] or chosen, seeds, given.limit
        ),
        "vary": lambda: vary(chosen, given.seed, given.limit),
    }
    for part in given.only.split(","):
        if part not in work:
            parser.error(f"there is no part {part!r}; choose from {', '.join(parts)}")
        print(f"\n{part}\n")
        work[part]()


if __name__ == "__main__":
    main()
