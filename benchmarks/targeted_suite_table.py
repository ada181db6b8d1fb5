"""The table of the suite: every problem with every strategy, compared with random testing and Hypothesis.

Hypothesis reads the constants of the module that it tests. ``visible`` is Hypothesis as it is. ``hidden`` is Hypothesis
without those constants, as if the important number did not occur in the source.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import hypothesis
from comparing import Found, Spent
from hypothesis import strategies as st
from hypothesis.internal.conjecture import providers
from measuring import table
from targeted_rows import FIRST_SEED, Limits
from targeted_suite import PROBLEMS, Problem

from everycase import HealthCheck, Phase, check, gen, maximize
from everycase.explore import Anneal, Auto, Climb, Explorer, Random

CAP = 20_000
HYPOTHESIS_CAP = 2_000
HYPOTHESIS_SEEDS = 3

STRATEGIES: dict[str, Explorer] = {
    "default": Auto(),
    "Climb": Climb(),
    "Anneal": Anneal(),
    "linear": Anneal("linear"),
    "fast": Anneal("fast"),
    "very fast": Anneal("very_fast"),
    "reheat": Anneal("reheat"),
    "Random": Random(),
}


def tests_needed(problem: Problem, explorer: Explorer, seed: int, cap: int = CAP) -> int | None:
    """The number of the first test that solves the problem, counting discarded tests."""
    calls = 0

    def test(value: Any) -> None:
        nonlocal calls
        if calls == cap:
            raise Spent
        calls += 1
        utilities, found = problem.judge(value, gen) if problem.draws else problem.judge(value)  # type: ignore[call-arg]
        for label, utility in utilities.items():
            maximize(utility, label)
        if found:
            raise Found

    options = {"suppress_health_check": list(HealthCheck), "phases": [Phase.explore], "database": None}
    try:
        check(test, problem.inputs(gen), explore=explorer, max_examples=cap, seed=seed, **options)
    except Spent:
        return None
    except Found:
        return calls
    return None


@contextmanager
def without_constants() -> Iterator[None]:
    """Hypothesis without the constants that it reads from the source of local modules."""
    known = providers._get_local_constants
    empty: Any = providers.Constants()
    providers._get_local_constants = lambda: empty
    providers.CONSTANTS_CACHE.cache.clear()  # the choices of earlier runs, and of these ones below
    try:
        yield
    finally:
        providers._get_local_constants = known
        providers.CONSTANTS_CACHE.cache.clear()


def hypothesis_needed(problem: Problem, seed: int, cap: int = HYPOTHESIS_CAP) -> int | None:
    calls, first = 0, None

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=cap,
        database=None,
        deadline=None,
        report_multiple_bugs=False,
        phases=[hypothesis.Phase.generate, hypothesis.Phase.target],
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    @hypothesis.given(problem.inputs(st))
    def test(value: Any) -> None:
        nonlocal calls, first
        utilities, found = problem.judge(value, st) if problem.draws else problem.judge(value)  # type: ignore[call-arg]
        if calls == cap:
            raise Spent  # not before it has drawn its data: Hypothesis takes a test that draws less for flaky
        calls += 1
        for label, utility in utilities.items():
            hypothesis.target(float(utility), label=label)
        if found:
            first = calls
            raise Found

    with suppress(Found, Spent, hypothesis.errors.Unsatisfiable):
        test()
    return first


Runs = Callable[[int], "int | None"]


def _cell(run: Runs, seeds: range, cap: int, until: float) -> tuple[str, int, float]:
    """The text of a cell, how many runs succeeded, and the mean; runs without success count with the cap."""
    needed: list[int | None] = []
    for seed in seeds:
        if len(needed) >= 2 and time.process_time() > until:
            break
        needed.append(run(seed))
    found = sum(number is not None for number in needed)
    mean = statistics.mean([cap if number is None else number for number in needed])
    share = f"{found}" if len(needed) == len(seeds) else f"{found} of {len(needed)}"
    return f"{share}/{mean:,.0f}", found, mean


def suite_table(limits: Limits, problems: list[Problem] = PROBLEMS, peers: bool = True) -> None:
    """Every cell shows the number of successful runs and the mean number of tests."""
    seeds = range(FIRST_SEED, FIRST_SEED + min(10, limits.seeds))
    chosen = [problem for problem in problems if limits.only in problem.name]
    end = time.process_time() + limits.seconds
    rows: list[list[str]] = []
    found_all = near = 0
    for place, problem in enumerate(chosen):
        until = time.process_time() + (end - time.process_time()) / (len(chosen) - place)
        row = [problem.name]
        means: dict[str, float] = {}
        for name, explorer in STRATEGIES.items():
            shown, found, mean = _cell(
                lambda seed, p=problem, e=explorer: tests_needed(p, e, seed), seeds, CAP, until
            )
            row.append(shown)
            means[name] = mean
            if name == "default":
                found_all += found == len(seeds)
        best = min(mean for name, mean in means.items() if name != "default")
        near += means["default"] <= 1.3 * best
        row.append(f"{means['default'] / best:.2f}x")
        if peers:
            fewer = seeds[:HYPOTHESIS_SEEDS]
            row.append(
                _cell(lambda seed, p=problem: hypothesis_needed(p, seed), fewer, HYPOTHESIS_CAP, until)[0]
            )
            with without_constants():
                row.append(
                    _cell(lambda seed, p=problem: hypothesis_needed(p, seed), fewer, HYPOTHESIS_CAP, until)[0]
                )
        rows.append(row)
        print(*row, sep=", ", file=sys.stderr, flush=True)
    header = ["problem", *STRATEGIES, "default/best"]
    print(table(header + (["Hypothesis visible", "hidden"] if peers else []), rows))
    print(
        f"default found in all {len(seeds)} seeds: {found_all} of {len(chosen)}; within 1.3x of the best: {near}; "
        f"cap {CAP:,} (Hypothesis: {HYPOTHESIS_CAP:,}, {HYPOTHESIS_SEEDS} seeds)"
    )
