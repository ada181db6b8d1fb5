"""What the examples of targeted search share: run a property many times with different seeds, and show a table."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable
from typing import Any

from everycase import HealthCheck, Phase, check
from everycase.explore import Explorer
from everycase.gen import Gen


class Found(BaseException):
    """Ends a run at its first failure; later tests do not matter here."""


class Spent(BaseException):
    """Ends a run at its maximum number of tests."""


def tests_to_failure(
    test: Callable[..., Any], inputs: Gen[Any], explorer: Explorer, *, seeds: Iterable[int], cap: int
) -> list[int | None]:
    """For each seed the number of the first failing test, counting discarded ones; None if no test failed."""
    found: list[int | None] = []
    for seed in seeds:
        calls = 0

        def counted(value: Any) -> None:
            nonlocal calls
            if calls == cap:
                raise Spent
            calls += 1
            try:
                test(value)
            except AssertionError:
                raise Found from None

        options = {"suppress_health_check": list(HealthCheck), "phases": [Phase.explore], "database": None}
        try:
            check(counted, inputs, explore=explorer, max_examples=cap, seed=seed, **options)
            found.append(None)
        except Spent:
            found.append(None)
        except Found:
            found.append(calls)
    return found


def best_after(
    test: Callable[..., Any], inputs: Gen[Any], explorer: Explorer, *, seeds: Iterable[int], tests: int
) -> list[float]:
    """For each seed the best utility after a given number of tests."""
    results = []
    for seed in seeds:
        report = check(
            test,
            inputs,
            explore=explorer,
            max_examples=tests,
            seed=seed,
            database=None,
            phases=[Phase.explore],
        )
        results.append(next(iter(report.best.values())))
    return results


def summary(found: list[int | None], cap: int) -> str:
    """How many runs found it, and mean and median of the tests they needed; the others count with the cap."""
    needed = [cap if number is None else number for number in found]
    hits = sum(number is not None for number in found)
    return f"{hits}/{len(found)} found, mean {statistics.mean(needed):,.0f}, median {statistics.median(needed):,.0f}"
