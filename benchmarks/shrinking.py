"""How small shrunk counterexamples are, and how many property calls shrinking takes, compared with Hypothesis.

    python benchmarks/shrinking.py [--seeds 50]

For every problem and every seed both libraries search for a counterexample at random and shrink it. The table shows how
often the result was the known minimum, and the mean number of property calls between the first failure and the end of
shrinking. The first failure itself is not counted. Neither is the final replay in which Hypothesis prints its report (it
tells the test that the call is final). The replay with which Hypothesis starts to shrink is counted. Both libraries know
before they shrink that the simplest value passes, because each tests it first. Both stop when they know nothing better
to try. Only calls are compared, because they do not depend on the machine.

The moves of everycase were chosen with the first two groups of problems in view. The next two groups were written after
that, but the order in which pairs of numbers are tried was changed later with them in view. The moves for failing values
with gaps between them were made with the fifth group and one problem of the fourth (digits that sum to ten) in view.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence
from typing import Any

import hypothesis
from hypothesis import HealthCheck, Phase, Verbosity, strategies
from hypothesis.control import current_build_context
from shrinking_sets.eighth import EIGHTH
from shrinking_sets.fifth import FIFTH
from shrinking_sets.fourth import FOURTH
from shrinking_sets.problems import CHALLENGE, FURTHER, HELD_OUT, Problem
from shrinking_sets.second import SECOND
from shrinking_sets.seventh import SEVENTH
from shrinking_sets.sixth import SIXTH
from shrinking_sets.third import THIRD

import everycase
from everycase import gen
from everycase.choices.dice import draw_size
from everycase.choices.enact import enact, simplest_trace
from everycase.choices.shrink.shrinker import shrink
from everycase.choices.trace import Trace
from everycase.errors import Discarded


def first_failure(inputs: gen.Gen[Any], problem: Problem, seed: int) -> Trace[Any]:
    """Random testing: after the simplest value, which passes, draw values from one seed until one is a counterexample."""
    dice = random.Random(seed).random
    while True:
        try:
            trace = enact(inputs, None, dice, draw_size(dice))
        except Discarded:
            continue
        if problem.fails(trace.value):
            return trace


def with_everycase(problem: Problem, seed: int) -> tuple[Any, int]:
    """The shrunk counterexample and the number of calls."""
    trace = first_failure(problem.inputs(gen), problem, seed)
    simplest = simplest_trace(problem.inputs(gen))
    known = [] if problem.fails(simplest.value) else [simplest]
    shrunk = shrink(trace, lambda candidate: problem.fails(candidate.value), known=known, max_seconds=None)
    return shrunk.trace.value, shrunk.calls


def with_hypothesis(problem: Problem, seed: int) -> tuple[Any, int]:
    found: list[Any] = []
    calls = 0

    @hypothesis.seed(seed)
    @hypothesis.settings(
        database=None,
        deadline=None,
        max_examples=10**6,
        phases=[Phase.generate, Phase.shrink],
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
    )
    @hypothesis.given(problem.inputs(strategies))
    def test(value: Any) -> None:
        nonlocal calls
        final = current_build_context().is_final
        if found and not final:
            calls += 1
        verdict = problem.fails(value)
        hypothesis.assume(verdict is not None)
        if verdict:
            if final or not found:
                found.append(value)
            raise AssertionError

    try:
        test()
    except AssertionError:
        return found[-1], calls
    raise RuntimeError(f"Hypothesis found no counterexample to {problem.name} with seed {seed}")


def measure(problem: Problem, seeds: Sequence[int]) -> tuple[int, float, int, float]:
    ours = [with_everycase(problem, seed) for seed in seeds]
    theirs = [with_hypothesis(problem, seed) for seed in seeds]

    def summary(results: list[tuple[Any, int]]) -> tuple[int, float]:
        reached = sum(value in problem.minima for value, _ in results)
        return reached, sum(calls for _, calls in results) / len(results)

    return *summary(ours), *summary(theirs)


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description="Shrinking: everycase against Hypothesis.")
    parser.add_argument("--seeds", type=int, default=50, help="number of seeds (default 50)")
    parser.add_argument("--only", default="", help="only problems whose name contains this text")
    parser.add_argument("--group", default="", help="only groups whose title contains this text")
    options = parser.parse_args(arguments)
    seeds = range(options.seeds)

    print(
        f"everycase {everycase.__version__}, Hypothesis {hypothesis.__version__}, Python {sys.version.split()[0]}"
    )
    print(f"{options.seeds} seeds; minimum: how often it was reached; calls: mean number of property calls\n")
    print(f"{'':28} {'everycase':>18} {'Hypothesis':>20} {'calls':>8}")
    print(f"{'problem':28} {'minimum':>9} {'calls':>8} {'minimum':>11} {'calls':>8} {'ratio':>8}")
    groups = (
        ("public challenge", CHALLENGE),
        ("further", FURTHER),
        ("held out", HELD_OUT),
        ("second held out", SECOND),
        ("third held out", THIRD),
        ("fourth held out", FOURTH),
        ("fifth, tuned on", FIFTH),
        ("sixth held out", SIXTH),
        ("seventh, tuned on", SEVENTH),
        ("eighth", EIGHTH),
    )
    for title, problems in groups:
        print(f"--- {title}")
        for problem in problems:
            if options.only in problem.name and options.group in title:
                print_row(problem, seeds)


def print_row(problem: Problem, seeds: Sequence[int]) -> None:
    reached, calls, their_reached, their_calls = measure(problem, seeds)
    print(
        f"{problem.name:28} {reached:>9} {calls:>8.1f} {their_reached:>11} {their_calls:>8.1f} "
        f"{calls / their_calls:>8.2f}",
        flush=True,
    )


if __name__ == "__main__":
    main(sys.argv[1:])
