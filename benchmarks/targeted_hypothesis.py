"""The problems of targeted search for Hypothesis: the same inputs as strategies, and the same utility for ``target``."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import hypothesis
import longest_path
import mac_duty_cycle
import noninterference
import routing_trees
import spells
from comparing import Spent
from hypothesis import strategies as st
from targeted_rows import Row

#: One test: the utility, and whether it failed; None if the input is discarded.
Judged = tuple[float, bool | None]


def searched(
    name: str,
    strategy: st.SearchStrategy[Any],
    judge: Callable[[Any], Judged],
    cap: int,
    *,
    seeds: int | None = None,
) -> Row:
    """A row for Hypothesis: its phases generate and target, without shrinking."""
    return Row(name, lambda seed: run(strategy, judge, cap, seed)[1], cap, seeds=seeds)


def run(
    strategy: st.SearchStrategy[Any], judge: Callable[[Any], Judged], cap: int, seed: int
) -> tuple[int, int | None, float]:
    """The number of calls, the number of the first failing call, and the largest utility."""
    calls, first, best = 0, None, -float("inf")

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=cap,
        database=None,
        deadline=None,
        report_multiple_bugs=False,
        phases=[hypothesis.Phase.generate, hypothesis.Phase.target],
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    @hypothesis.given(strategy)
    def test(value: Any) -> None:
        nonlocal calls, first, best
        if first is not None:
            raise AssertionError  # Hypothesis runs a failing example once more
        if calls == cap:
            raise Spent
        calls += 1
        utility, failed = judge(value)
        best = max(best, utility)
        hypothesis.target(float(utility))
        if failed is None:
            hypothesis.reject()
        if failed:
            first = calls
            raise AssertionError

    with contextlib.suppress(AssertionError, Spent, hypothesis.errors.Unsatisfiable):
        test()
    return calls, first, best


# --- the problems ---------------------------------------------------------------------------------------


def edges(low: int, high: int, **options: Any) -> st.SearchStrategy[Any]:
    end = st.integers(low, high)
    return st.lists(st.tuples(end, end), **options)


graphs = st.lists(
    st.tuples(st.integers(1, longest_path.VERTICES), st.integers(1, longest_path.VERTICES)).filter(
        lambda pair: pair[0] < pair[1]
    )
)


def shallow(some: list[tuple[int, int]]) -> Judged:
    hops = longest_path.longest_distance(longest_path.VERTICES, set(some))
    return hops, hops >= longest_path.HOPS


networks = st.integers(2, mac_duty_cycle.NODES).flatmap(
    lambda n: st.tuples(st.just(n), edges(0, n - 1, max_size=150))
)


def sleeps_enough(network: Any) -> Judged:
    share = mac_duty_cycle.duty_cycle(network)
    return share, share >= mac_duty_cycle.ALLOWED


some_spells = st.lists(st.integers(0, len(spells.SPELLS) - 1))


def is_balanced(chosen: list[int]) -> Judged:
    total = sum(spells.cast(chosen))
    return total, total >= spells.LIMIT


small = st.integers(-10, 10)
instructions = st.sampled_from(
    # Weights by repetition, as Hypothesis has no others: Push 10, Halt 2, the others 1 each (400, 70 and 40 here).
    ["Push"] * 10 + ["Halt"] * 2 + ["Noop", "Add", "Pop", "Store", "Load"]
).flatmap(
    lambda name: (
        st.tuples(small, st.booleans(), small).map(
            lambda drawn: noninterference.Instruction(
                "Push", noninterference.Atom(drawn[0], drawn[1]), drawn[2]
            )
        )
        if name == "Push"
        else st.just(noninterference.Instruction(name))
    )
)
programs = st.tuples(
    st.integers(0, 99).flatmap(lambda size: st.integers(0, size)),
    st.lists(instructions, min_size=20, max_size=50),
).map(lambda drawn: noninterference.Program(*drawn))


def keeps_secrets(bug: str) -> Callable[[Any], Judged]:
    def judge(program: noninterference.Program) -> Judged:
        runs = noninterference.run(program, bug)
        if not runs.halted:
            return runs.steps, None
        return runs.steps, not noninterference.look_the_same(runs.one, runs.other)

    return judge


weights = st.lists(st.integers(0, 9999), min_size=len(routing_trees.LINKS), max_size=len(routing_trees.LINKS))


def routing_cost(sign: int) -> Callable[[Any], Judged]:
    return lambda drawn: (sign * routing_trees.cost(routing_trees.spanning_tree(drawn)), False)
