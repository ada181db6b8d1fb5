"""Tables about the search itself: strategies on misleading problems, ablation, smooth numbers, overhead."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import longest_path
import spells
import targeted_hypothesis as peer
from hypothesis import strategies as st
from measuring import cpu_seconds, table
from targeted_problems import DECEPTIVE, LIMIT, THREE_INTEGERS, near_constants, off
from targeted_rows import FIRST_SEED, Limits, Row, ours, show

import everycase.choices.neighbor.edits as neighbourhood
import everycase.choices.neighbor.rules as rules
import everycase.explore.targeted.step_size as pacing
from everycase import check, maximize
from everycase.explore import Anneal, Auto, Climb, Explorer, Random
from everycase.explore.protocol import Space
from everycase.explore.targeted.base import fresh_case
from everycase.gen.kinds import List

STRATEGIES: dict[str, Explorer] = {
    "default (Climb)": Climb(),
    "default (Auto)": Auto(),
    "without restarts": Climb(restart=10**9),
    "without ties": Climb(ties=False),
    "Anneal adaptive": Anneal(),
    "Anneal linear": Anneal(schedule="linear"),
    "Anneal fast": Anneal(schedule="fast"),
    "Anneal very fast": Anneal(schedule="very_fast"),
    "Anneal reheat": Anneal(schedule="reheat"),
    "random": Random(),
}


def deceptive_table(limits: Limits) -> None:
    """Problems that mislead a search, with all strategies."""
    rows = [
        ours(
            f"{problem}: {name}",
            test,
            inputs,
            explorer,
            20_000,
            times=1 if problem == "plateau" or name == "random" else 10,
        )
        for problem, (test, inputs) in DECEPTIVE.items()
        for name, explorer in STRATEGIES.items()
    ]
    show(rows, limits, columns=6)


# --- the default with one part switched off at a time ---------------------------------------------------


@contextmanager
def changed(module: Any, **changes: Any) -> Iterator[None]:
    """Temporarily change constants of a module. A constant that the module does not have is an error."""
    before = {name: getattr(module, name) for name in changes}
    for name, value in changes.items():
        setattr(module, name, value)
    try:
        yield
    finally:
        for name, value in before.items():
            setattr(module, name, value)


def _unbalanced(node: Any, step: Any) -> Any:
    """An edit of a list that seldom makes it shorter."""
    for _ in range(3):
        edited = rules.RULES[List](node, step)
        if edited is None or len(edited.children) >= len(node.children):
            break
    return edited


VARIANTS: dict[str, tuple[Explorer, Any]] = {
    "default": (Climb(), nullcontext),
    "one edit": (Climb(), lambda: changed(pacing, LEAST_REACH=1.0, MOST_REACH=1.0)),
    "two edits on average": (Climb(), lambda: changed(pacing, LEAST_REACH=2.0, MOST_REACH=2.0)),
    "eight edits on average": (Climb(), lambda: changed(pacing, LEAST_REACH=8.0, MOST_REACH=8.0)),
    "no long steps": (Climb(), lambda: changed(pacing, LONG=0.0, LEAST_LONG=0.0)),
    "no ties": (Climb(ties=False), nullcontext),
    "no restarts": (Climb(restart=10**9), nullcontext),
    "no line search": (Climb(line_search=False), nullcontext),
    "no fresh values": (Climb(fresh=False), nullcontext),
    "no balance": (Climb(), lambda: changed(neighbourhood, RULES={**rules.RULES, List: _unbalanced})),
    "balance not learned": (Climb(), lambda: changed(pacing, LEARNING=0.0)),
}


def ablation_table(limits: Limits) -> None:
    problems = {
        "longest path": (longest_path.stays_shallow, longest_path.fixed_graph, 5_000),
        "spells": (spells.is_balanced, spells.some_spells, 10_000),
        "two peaks": (*DECEPTIVE["two peaks"], 5_000),
        "plateau": (*DECEPTIVE["plateau"], 20_000),
        "three integers": (near_constants, THREE_INTEGERS, 5_000),
    }

    def variant(name: str, row: Row, surroundings: Any) -> Row:
        def run(seed: int) -> int | None:
            with surroundings():
                return row.run(seed)

        return Row(name, run, row.cap)

    rows = [
        variant(f"{problem}: {name}", ours(name, test, inputs, explorer, cap), surroundings)
        for problem, (test, inputs, cap) in problems.items()
        for name, (explorer, surroundings) in VARIANTS.items()
    ]
    show(rows, limits, columns=6)


# --- smooth numbers -------------------------------------------------------------------------------------


def integers_table(limits: Limits) -> None:
    """Three integers near hidden constants; the utility is the sum of their squared distances."""
    cap, number = 5_000, st.integers(-LIMIT, LIMIT)
    three = st.tuples(number, number, number)
    rows = [
        ours("ours", near_constants, THREE_INTEGERS, Climb(), cap),
        peer.searched(
            f"Hypothesis target(), max_examples={cap:,}",
            three,
            lambda values: (-off(values), off(values) <= 100),
            cap,
        ),
        peer.searched(
            "Hypothesis target(), max_examples=1,000",
            three,
            lambda values: (-off(values), off(values) <= 100),
            1_000,
        ),
    ]
    show(rows, limits, columns=10)


# --- overhead -------------------------------------------------------------------------------------------


def overhead_table(limits: Limits) -> None:
    """Tests per second on the longest path, with equally many tests: the search, a bare loop around the same moves, a peer.

    The machine may be busy, so each round times all three, and the medians of the ratios count.
    """
    tests, rounds = 500, max(3, min(limits.seeds, 15))

    def measured(network: Any) -> None:
        maximize(longest_path.longest_distance(*network))

    def search(seed: int) -> None:
        check(
            measured, longest_path.fixed_graph, explore=Climb(), max_examples=tests, seed=seed, database=None
        )

    def bare(seed: int) -> None:
        space = Space(longest_path.fixed_graph, seed, tests)
        trace = fresh_case(space).trace
        worth = -1
        for _ in range(tests):
            near = space.neighbor(trace, 1.0)
            reached = longest_path.longest_distance(*near.args)
            if reached >= worth:
                trace, worth = near.trace, reached

    def never_fails(edges: Any) -> peer.Judged:
        return peer.shallow(edges)[0], False

    rates: dict[str, list[float]] = {name: [] for name in ("everycase", "bare loop", "Hypothesis target()")}
    begun = 0.0
    for seed in range(FIRST_SEED, FIRST_SEED + rounds):
        if begun > limits.seconds:
            break
        first = cpu_seconds(lambda: search(seed))
        loop = cpu_seconds(lambda: bare(seed))
        calls: list[int] = []  # Hypothesis itself decides how many tests it makes
        theirs = cpu_seconds(lambda: calls.append(peer.run(peer.graphs, never_fails, tests, seed)[0]))
        second = cpu_seconds(lambda: search(seed))
        begun += first + loop + theirs + second
        rates["bare loop"].append(tests / loop)
        rates["Hypothesis target()"].append(calls[0] / theirs)
        rates["everycase"].append(2 * tests / (first + second))
    rows = []
    for name, found in rates.items():
        ratios = [a / b for a, b in zip(rates["everycase"], found)]
        rows.append([name, statistics.median(found), f"{statistics.median(ratios):.1f}x"])
    print(table(["loop", "tests/s, median", "everycase / this"], rows))
