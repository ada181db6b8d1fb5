"""Labels and observability: false alarms, sample sizes compared with QuickCheck's rule, and the cost of calls and lines.

    python benchmarks/labels.py [--runs N]

False alarms are too rare for a plain simulation, so they are estimated by importance sampling: labels are drawn with a
share below the demanded one, and each alarm is weighted by how much less likely its draws are at the boundary. The cost
of observing is compared with Hypothesis. The numbers in brackets are limits.
"""

from __future__ import annotations

import argparse
import math
import random
import tempfile
import time
import timeit
from collections.abc import Callable
from statistics import NormalDist, mean
from typing import Any

from everycase import check, gen
from everycase.explore import Random
from everycase.run.context import Scope, enter
from everycase.run.labels import LOOK, classify
from everycase.run.shares import BETS, ODDS, ShareTest

SHARES = (0.01, 0.05, 0.2, 0.5)
PARTS = (0.5, 0.2, 0.1)
#: the maximum number of tests that the budget grows to
MOST = 20_000


def ours(share: float, true: float, dice: random.Random, most: int = 10**7) -> tuple[int, int, bool | None]:
    """Tests and hits when the share is decided, with checks at the same points as in a run."""
    test, tests, hits = ShareTest(share), 0, 0
    while tests < most:
        step = min(1 + tests // LOOK, most - tests)
        hits += _binomial(step, true, dice)
        tests += step
        verdict = test.verdict(tests, hits)
        if verdict is not None:
            return tests, hits, verdict
    return tests, hits, None


def _binomial(n: int, p: float, dice: random.Random) -> int:
    if n * p * (1 - p) > 100:
        return min(n, max(0, round(dice.gauss(n * p, math.sqrt(n * p * (1 - p))))))
    return sum(dice.random() < p for _ in range(n))


def quickcheck(share: float, true: float, dice: random.Random) -> int:
    """Number of tests that QuickCheck's ``checkCoverage`` makes: Wilson's interval at a certainty of 10**9, at 100,
    200, 400, ...
    """
    z = -NormalDist().inv_cdf(1e-9 / 2)
    tests, hits = 100, _binomial(100, true, dice)
    while True:
        p = hits / tests
        high = (p + z * z / (2 * tests) + z * math.sqrt(p * (1 - p) / tests + z * z / (4 * tests**2))) / (
            1 + z * z / tests
        )
        if high < share:
            return tests
        hits += _binomial(tests, true, dice)
        tests *= 2


def false_alarm(share: float, runs: int, dice: random.Random) -> float:
    """The probability of "too rare" within the largest budget if the true share equals the demanded one."""
    odds = share / (1 - share)
    weights = []
    for number in range(runs):
        bet = odds * BETS[number % len(BETS)]
        drawn = bet / (1 + bet)
        tests, hits, verdict = ours(share, drawn, dice, MOST)
        if verdict is False:
            # The draws came from the average of all bets, so the likelihood in their weights must, too.
            logs = []
            for other in BETS:
                q = odds * other / (1 + odds * other)
                logs.append(hits * math.log(q / share) + (tests - hits) * math.log((1 - q) / (1 - share)))
            top = max(logs)
            weights.append(math.exp(-(top + math.log(mean(math.exp(one - top) for one in logs)))))
    return sum(weights) / runs


def statistics(runs: int) -> None:
    dice = random.Random(1)
    print(
        f"{'share':>6} {'false alarms':>14} [{1 / ODDS:g}]   tests at 1/2, 1/5, 1/10 of the share: ours / QuickCheck (ratio) [1.3]"
    )
    for share in SHARES:
        rows = []
        for part in PARTS:
            mine = mean(ours(share, share * part, dice)[0] for _ in range(runs))
            theirs = mean(quickcheck(share, share * part, dice) for _ in range(runs))
            rows.append(f"{mine:,.0f} / {theirs:,.0f} ({mine / theirs:.2f})")
        print(f"{share:6.2f} {false_alarm(share, 4 * runs, dice):14.2g}         {'   '.join(rows)}")


def calls() -> None:
    scope = Scope()
    enter(scope)

    def again() -> None:
        for _ in range(1000):
            classify("a label", True, at_least=0.1)

    print(f"classify: {min(timeit.repeat(again, number=50, repeat=5)) / 50_000 * 1e6:.2f} us per call [.3]")
    scope.clear()


def observing(tests: int = 3000) -> None:
    import hypothesis
    from hypothesis import strategies as st
    from hypothesis.internal import observability

    def total(xs: list[int]) -> None:
        assert sum(xs) == sum(reversed(xs))

    def seconds(run: Callable[[], Any]) -> float:
        begun = time.process_time()
        run()
        return time.process_time() - begun

    with tempfile.TemporaryDirectory() as folder:
        ints = gen.lists(gen.integers())

        def run(observe: bool | str) -> float:
            options: dict[str, Any] = {
                "max_examples": tests,
                "seed": 1,
                "database": None,
                "explore": Random(),
            }
            return min(seconds(lambda: check(total, ints, observe=observe, **options)) for _ in range(3))

        plain, observed = run(False), run(folder)
    seen: list[Any] = []
    theirs = hypothesis.settings(max_examples=300, database=None, deadline=None)(
        hypothesis.given(st.lists(st.integers()))(total)
    )
    with observability.with_observability_callback(seen.append):
        other = seconds(theirs) / 300 * tests
    each = 1e6 / tests
    print(
        f"observed {observed * each:.1f} us per test, unobserved {plain * each:.1f}: {observed / plain:.2f}x [3]; "
        f"observed Hypothesis {other * each:,.0f} us"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=300)
    given = parser.parse_args()
    statistics(given.runs)
    calls()
    observing()
