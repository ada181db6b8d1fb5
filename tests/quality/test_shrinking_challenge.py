"""The problems of the benchmark, from a few seeds each: the known minimum is reached with few calls.

The bounds are 25 % above the mean of Hypothesis 6.170 over 50 seeds (``benchmarks/shrinking.py``). A change in how
values are drawn does not break the test, but a shrinker that wastes calls does.
"""

from __future__ import annotations

import importlib.util
import random
import sys
from pathlib import Path
from typing import Any

import pytest

from everycase import gen
from everycase.choices.dice import draw_size
from everycase.choices.enact import enact
from everycase.choices.shrink.shrinker import shrink
from everycase.choices.trace import Trace
from everycase.errors import Discarded


def _load_problems() -> Any:
    path = Path(__file__).parents[2] / "benchmarks" / "shrinking_sets" / "problems.py"
    spec = importlib.util.spec_from_file_location("shrinking_problems", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


problems = _load_problems()

SEEDS = range(10)

HYPOTHESIS_CALLS = {
    "bound5": 132.3,
    "large union list": 180.1,
    "reverse": 9.1,
    "calculator": 54.7,
    "length list": 86.8,
    "difference not zero": 23.0,
    "difference not small": 37.3,
    "difference not one": 34.5,
    "coupling": 37.3,
    "deletion": 7.1,
    "distinct": 34.2,
    "nested lists": 124.6,
    "binheap": 129.2,
}


def shrunk(problem: Any, seed: int) -> tuple[Any, int]:
    inputs = problem.inputs(gen)
    dice = random.Random(seed).random
    while True:
        try:
            trace = enact(inputs, None, dice, draw_size(dice))
        except Discarded:
            continue
        if problem.fails(trace.value):
            break

    def still_fails(candidate: Trace[Any]) -> bool:
        return bool(problem.fails(candidate.value))

    result = shrink(trace, still_fails, max_seconds=None)
    assert result.reason == "minimal"
    return result.trace.value, result.calls


@pytest.mark.parametrize("problem", problems.CHALLENGE, ids=lambda problem: problem.name)
def test_challenge_reaches_the_one_minimum_with_few_calls(problem: Any) -> None:
    results = [shrunk(problem, seed) for seed in SEEDS]
    for value, _ in results:
        assert value in problem.minima
        assert value == results[0][0], "the result depends on where shrinking started"
    assert sum(calls for _, calls in results) / len(SEEDS) <= 1.25 * HYPOTHESIS_CALLS[problem.name]


@pytest.mark.parametrize(
    "problem",
    # In a longer list two numbers can overflow as one does, and no single edit leads from those two to the one.
    [problem for problem in problems.FURTHER if problem.name != "bound5, longer lists"],
    ids=lambda problem: problem.name,
)
def test_further_problems_reach_the_minimum(problem: Any) -> None:
    for seed in SEEDS:
        assert shrunk(problem, seed)[0] in problem.minima
