"""Targeted search: tests to the first failure on the case studies, compared with random testing, the papers and Hypothesis.

    python benchmarks/targeted.py                             every table, 30 seeds, at most 10 minutes of CPU per table
    python benchmarks/targeted.py longest_path mac --seeds 100 --seconds 3600

Tables: longest_path, scale, noninterference, naive, by_execution, routing, mac, spells, deceptive, ablation, integers,
overhead, suite (34 problems by every strategy). Discarded tests are counted, and a run that hits the cap counts with the
cap. Times are CPU times. "paper" is the figure that the papers report (tests, or milliseconds times tests per second),
and the figure of the current PropEr if it was measured.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))

import longest_path
import mac_duty_cycle
import noninterference
import routing_trees
import spells
import targeted_hypothesis as peer
import targeted_strategies as strategies
from comparing import best_after
from measuring import table, versions
from papers_rules import PapersRules
from targeted_rows import FIRST_SEED, Limits, Row, ours, poisson_interval, show, show_grid
from targeted_suite_table import suite_table

from everycase import Phase, check, maximize, minimize
from everycase.choices.dice import draw_size
from everycase.choices.sample import sampler
from everycase.explore import Anneal, Auto, Climb, Explorer, Random


def longest_path_table(limits: Limits) -> None:
    test, fixed, by_hand = longest_path.stays_shallow, longest_path.fixed_graph, longest_path.by_hand
    cap, shapes = 100_000, longest_path.SHAPES
    rows = [
        ours(f"constructed, climbing: {name}", test, shape, Climb(), cap) for name, shape in shapes.items()
    ]
    rows += [
        ours("constructed, default (Auto)", test, fixed, Auto(), cap),
        ours("constructed, annealing", test, fixed, Anneal(), cap, "4,060; PropEr 3,068"),
        ours("hand-written, annealing", test, by_hand, Anneal(schedule="linear"), cap, "1,548; PropEr 1,406"),
        ours("hand-written, climbing", test, by_hand, Climb(), cap, "17,666"),
        # The papers choose vertices from a list. As integers they move by a twentieth of the range, which is worse.
        ours(
            "papers' rules: 42 vertices by oneof",
            test,
            longest_path.papers_graph,
            PapersRules(),
            cap,
            "4,060",
        ),
        ours(
            "papers' rules as PropEr has them (no scaling)",
            test,
            longest_path.papers_graph,
            PapersRules(scaled=False),
            cap,
            "PropEr 3,068",
        ),
        ours("papers' rules: hand-written", test, by_hand, PapersRules(), cap, "1,548; PropEr 1,406"),
        ours("papers' rules: 42 vertices as integers", test, fixed, PapersRules(), cap),
        *(
            ours(f"papers' rules: {name}", test, shapes[name], PapersRules(), 5_000, said, 3)
            for name, said in (("graph", ""), ("graph_no_caching", "random"), ("graph_no_matching", "random"))
        ),
        ours("random", test, fixed, Random(), cap, "never", 2),
        peer.searched("Hypothesis target()", peer.graphs, peer.shallow, 5_000),
    ]
    show(rows, limits)


def scale_table(limits: Limits) -> None:
    """The same problem with the utility multiplied, and with the utility squeezed into a bounded range."""

    def scaled(how: Callable[[int], float]) -> Callable[[Any], None]:
        def test(network: Any) -> None:
            hops = longest_path.longest_distance(*network)
            maximize(how(hops))
            assert hops < longest_path.HOPS

        return test

    scales: dict[str, Callable[[int], float]] = {
        "x": lambda x: x,
        "0.001 x": lambda x: 0.001 * x,
        "1000 x": lambda x: 1000 * x,
        "-1/x": lambda x: -1 / (x + 1),
    }
    rows = [
        ours(f"{type(search).__name__}, {name}", scaled(how), longest_path.fixed_graph, search, 20_000)
        for search in (Climb(), Anneal())
        for name, how in scales.items()
    ]
    show(rows, limits, columns=6)


# --- noninterference ------------------------------------------------------------------------------------

#: The papers' figures for lists of instructions: at random and with the constructed neighbourhood.
RANDOM_PAPER = dict(zip(noninterference.BUGS, ("54,984", "3,212", "73,596", "161,122", "3,233", "3,189")))
PAPER = dict(zip(noninterference.BUGS, ("1,270", "7", "1,160", "9,560", "10", "9")))
#: the slowest one is last
BUGS = ("ADD", "PUSH", "LOAD", "STORE B", "STORE C", "STORE A")


def random_rates(inputs: Any, seconds: float) -> tuple[int, dict[str, int]]:
    """How many random programs were tried within this many seconds, and how many of them reveal each bug.

    Each program is run on all six machines, so one draw serves all of them.
    """
    import random as stdlib_random

    dice = stdlib_random.Random(FIRST_SEED).random
    roll, tried, hits = sampler(inputs), 0, dict.fromkeys(BUGS, 0)
    end = time.process_time() + seconds
    while time.process_time() < end:
        for _ in range(200):
            program = roll(dice, draw_size(dice))
            for bug in BUGS:
                runs = noninterference.run(program, bug)
                hits[bug] += runs.halted and not noninterference.look_the_same(runs.one, runs.other)
        tried += 200
    return tried, hits


def utilities(bug: str) -> tuple[Callable[[Any], None], Callable[[Any], None]]:
    """The property with the papers' utility (the number of steps), and with ours, which also counts secrets on their
    way.
    """
    return (
        noninterference.keeps_secrets(bug, noninterference.runs_long),
        noninterference.keeps_secrets(bug, noninterference.spreads_secrets),
    )


def show_random(name: str, inputs: Any, seconds: float) -> None:
    tried, hits = random_rates(inputs, seconds)
    rows = []
    for bug in BUGS:
        low, high = poisson_interval(hits[bug])
        mean = f"{tried / hits[bug]:,.0f}" if hits[bug] else "-"
        upto = f"{tried / low:,.0f}" if low else "none"
        rows.append([bug, tried, hits[bug], mean, f"{tried / high:,.0f}", upto, RANDOM_PAPER[bug]])
    print(f"{name} at random")
    print(
        table(["bug", "programs", "that reveal it", "mean tests", "95% from", "to", "paper (Sequence)"], rows)
    )


STEPS = "steps (the papers' utility)"
SECRETS = "steps and secrets (ours)"

#: Printed above the tables, so that readers do not confuse the two utilities.
UTILITIES = """
The same machines and programs, searched by two utilities. Compare within one of them.
- steps: the number of instructions that both runs execute, as in the papers. It knows nothing about secrets.
- steps and secrets: ours. It compares the two runs: cells and stack entries whose values differ, and what a Store would
  write after each step. So it looks at what the property asserts, one instruction ahead, and is much better informed.
"papers" are milliseconds times tests a second, from Table III (2018), on the papers' own generator and machine."""


def noninterference_table(limits: Limits) -> None:
    """Lists of instructions: the table of section V.C of the 2018 paper."""
    if limits.wants("Weighted, random"):
        show_random("Weighted", noninterference.weighted, limits.seconds / 4)
    by_hand = {
        "ADD": "2,040",
        "PUSH": "28",
        "LOAD": "2,540",
        "STORE A": "19,600",
        "STORE B": "41",
        "STORE C": "34",
    }
    constructed, listed, cap = noninterference.weighted, noninterference.targeted_list, 20_000
    cells: list[tuple[str, str, Row]] = []
    for bug in BUGS:
        steps, secrets = utilities(bug)

        def cell(column: str, test: Any, inputs: Any, explorer: Explorer, bug: str = bug) -> None:
            cells.append((bug, column, ours(f"{bug}: {column}", test, inputs, explorer, cap)))

        cell("steps: by hand, papers' search", steps, listed, PapersRules())
        cell("steps: by hand, Climb", steps, listed, Climb())
        cell("steps: papers' rules", steps, constructed, PapersRules())
        cell("steps: constructed, Climb", steps, constructed, Climb())
        column = "steps: Hypothesis, at most 2,000"
        judge = peer.keeps_secrets(bug)
        cells.append((bug, column, peer.searched(f"{bug}: {column}", peer.programs, judge, 2_000, seeds=3)))
        cell("secrets: by hand, Climb", secrets, listed, Climb())
        cell("secrets: constructed, Climb", secrets, constructed, Climb())
    said = {bug: [by_hand[bug], PAPER[bug]] for bug in BUGS}
    said[""] = ["papers: by hand", "papers: constructed"]
    print(UTILITIES)
    show_grid("bug", cells, limits.part(3 / 4), said)


def naive_table(limits: Limits) -> None:
    """A generator about as weak as the papers' own, so that the gain can be compared with theirs."""
    if limits.wants("Naive, random"):
        show_random("Naive", noninterference.naive, limits.seconds / 4)
    inputs, cap = noninterference.naive, 200_000
    cells: list[tuple[str, str, Row]] = []
    for bug in BUGS:
        for name, test in zip((STEPS, SECRETS), utilities(bug)):
            cells.append((bug, name, ours(f"{bug}: Naive, {name}", test, inputs, Climb(), cap)))
    print(UTILITIES)
    show_grid("bug", cells, limits.part(3 / 4), {"": ["papers"], **{bug: [PAPER[bug]] for bug in BUGS}})


def by_execution_table(limits: Limits) -> None:
    """Programs made by execution. The papers print only times: in ms, 2017, Table 1.

    "as the paper" begins with no instruction, adds one that neither crashes nor halts, tests every program on the way, and
    starts over at fifty steps. "to the end" is our own neighbourhood: keep a part of a program and extend it to fifty steps.
    """
    paper = {
        "ADD": ["313 ms", "68 ms"],
        "PUSH": ["9.8 ms", "0.8 ms"],
        "LOAD": ["988 ms", "136 ms"],
        "STORE A": ["4,668 ms", "264 ms"],
        "STORE B": ["8.2 ms", "1.3 ms"],
        "STORE C": ["10 ms", "0.8 ms"],
    }
    cells: list[tuple[str, str, Row]] = []
    for bug in BUGS:
        steps, secrets = utilities(bug)
        one_more, to_the_end = (
            noninterference.targeted_one_more(bug),
            noninterference.targeted_by_execution(bug),
        )

        def cell(column: str, test: Any, inputs: Any, explorer: Explorer, bug: str = bug) -> None:
            cells.append((bug, column, ours(f"{bug}: ByExec, {column}", test, inputs, explorer, 20_000)))

        cell("random", steps, noninterference.by_execution(bug), Random())
        cell("steps: as the paper, papers' search", steps, one_more, PapersRules())
        cell("steps: as the paper, Climb", steps, one_more, Climb(fresh=False))
        cell("steps: to the end, Climb", steps, to_the_end, Climb())
        cell("secrets: to the end, Climb", secrets, to_the_end, Climb())
    print(UTILITIES)
    show_grid("bug", cells, limits, {"": ["paper: random", "paper: targeted"], **paper})


# --- networks and spells --------------------------------------------------------------------------------


def either_way(tree: routing_trees.Tree) -> None:
    """Random testing needs only one run for both directions."""
    cost = routing_trees.cost(tree)
    maximize(cost, "worst")
    minimize(cost, "best")


def routing_table(limits: Limits) -> None:
    """The best cost after a fixed number of tests, over all runs: the worst targeted run should beat the best random
    run.
    """
    weighted, attached = routing_trees.weighted, routing_trees.attached()
    by_hand = attached.with_neighbor(routing_trees.exchange)
    switched = routing_trees.weighted_by_hand
    # The first five use one generator, as in section V.B of the 2018 paper.
    searches: list[tuple[str, Any, Explorer]] = [
        ("weighted, constructed", weighted, Climb()),
        ("weighted, hand-written", switched, Climb()),
        ("weighted, hand-written, annealing", switched, Anneal()),
        ("weighted, papers' rules", weighted, PapersRules()),
        ("weighted, hand-written, papers' search", switched, PapersRules()),
        ("attached, constructed", attached, Climb()),
        ("attached, hand-written", by_hand, Climb()),
    ]
    # Each line: the problem, the search, the number of tests, and a function that makes a run from a seed.
    lines: list[tuple[tuple[str, ...], str, int, Callable[[int], tuple[float, ...]]]] = []
    for goal, sign in ((routing_trees.looks_for_the_worst, 1), (routing_trees.looks_for_the_best, -1)):
        name = "worst" if sign > 0 else "best"
        for search, inputs, explorer in searches:
            lines.append(((name,), search, 1000, _searched(goal, inputs, explorer)))
        judge = peer.routing_cost(sign)
        lines.append(
            (
                (name,),
                "weighted, Hypothesis",
                500,
                lambda seed, s=sign, j=judge: (s * peer.run(peer.weights, j, 500, seed)[2],),
            )
        )
    for search, inputs in (("weighted, random", weighted), ("attached, random", attached)):
        lines.append((("worst", "best"), search, 10_000, _at_random(inputs)))

    lines = [line for line in lines if limits.wants(line[1])]
    rows: list[list[Any]] = []
    end = time.process_time() + limits.seconds
    for place, (goals, search, tests, run) in enumerate(lines):
        until = time.process_time() + (end - time.process_time()) / (len(lines) - place)
        found: list[tuple[float, ...]] = []
        started = time.process_time()
        for seed in range(FIRST_SEED, FIRST_SEED + limits.seeds):
            if len(found) >= 2 and time.process_time() > until:
                break
            found.append(run(seed))
        speed = tests * len(found) / (time.process_time() - started)
        runs = f"{len(found)}" + (f" of {limits.seeds}" if len(found) < limits.seeds else "")
        for name, costs in zip(goals, zip(*found)):
            ordered = sorted(costs, reverse=name == "best")
            rows.append([name, search, tests, runs, ordered[0], statistics.median(costs), ordered[-1], speed])
            print(*rows[-1], sep=", ", file=sys.stderr, flush=True)
    rows.sort(key=lambda row: row[0] == "best")
    print(table(["tree", "search", "tests", "runs", "worst run", "median", "best run", "tests/s"], rows))


def _searched(
    goal: Callable[[Any], None], inputs: Any, explorer: Explorer
) -> Callable[[int], tuple[float, ...]]:
    return lambda seed: tuple(best_after(goal, inputs, explorer, seeds=[seed], tests=1000))


def _at_random(inputs: Any) -> Callable[[int], tuple[float, ...]]:
    def run(seed: int) -> tuple[float, ...]:
        report = check(
            either_way,
            inputs,
            explore=Random(),
            max_examples=10_000,
            seed=seed,
            database=None,
            phases=[Phase.explore],
        )
        return report.best["worst"], report.best["best"]

    return run


def mac_table(limits: Limits) -> None:
    test, inputs, cap = mac_duty_cycle.sleeps_enough, mac_duty_cycle.networks, 10_000
    by_hand = inputs.with_neighbor(mac_duty_cycle.graph_next)
    small = inputs.with_neighbor(mac_duty_cycle.small_steps)
    rows = [
        ours("constructed, climbing", test, inputs, Climb(), cap),
        ours("constructed, annealing", test, inputs, Anneal(), cap),
        ours("hand-written, climbing", test, by_hand, Climb(), cap),
        ours("hand-written, annealing", test, by_hand, Anneal(), cap, "about 200"),
        ours("hand-written in small steps, climbing", test, small, Climb(), cap),
        ours("hand-written in small steps, annealing", test, small, Anneal(), cap),
        ours("random", test, inputs, Random(), cap, "1,188"),
        ours("papers' rules", test, inputs, PapersRules(), 2_000),
        peer.searched("Hypothesis target()", peer.networks, peer.sleeps_enough, 2_000, seeds=10),
    ]
    show(rows, limits)


def spells_table(limits: Limits) -> None:
    test, inputs, cap = spells.is_balanced, spells.some_spells, 10_000
    rows = [
        ours("constructed", test, inputs, Climb(), cap),
        ours("random", test, inputs, Random(), cap, "never", 3),
        *(ours(rule.__name__, test, inputs.with_neighbor(rule), Climb(), cap) for rule in spells.BY_HAND),
        ours("papers' rules", test, inputs, PapersRules(), cap, "", 10),
        peer.searched("Hypothesis target()", peer.some_spells, peer.is_balanced, 5_000, seeds=10),
    ]
    show(rows, limits)


TABLES: dict[str, Callable[[Limits], None]] = {
    "longest_path": longest_path_table,
    "scale": scale_table,
    "noninterference": noninterference_table,
    "naive": naive_table,
    "by_execution": by_execution_table,
    "routing": routing_table,
    "mac": mac_table,
    "spells": spells_table,
    "deceptive": strategies.deceptive_table,
    "ablation": strategies.ablation_table,
    "integers": strategies.integers_table,
    "overhead": strategies.overhead_table,
    "suite": suite_table,
}


def main() -> None:
    arguments = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    arguments.add_argument(
        "tables", nargs="*", metavar="TABLE", help=f"choose from {', '.join(TABLES)} (default: all)"
    )
    arguments.add_argument("--seeds", type=int, default=30, help="maximum number of runs per row")
    arguments.add_argument("--seconds", type=float, default=600, help="maximum CPU seconds per table")
    arguments.add_argument(
        "--only", default="", metavar="WORD", help="only rows whose name contains this word"
    )
    chosen = arguments.parse_args()
    for name in chosen.tables:
        if name not in TABLES:
            arguments.error(f"there is no table {name}; choose from {', '.join(TABLES)}")
    print(versions("hypothesis"))
    for name in chosen.tables or TABLES:
        print(f"\n== {name}, {chosen.seeds} seeds from {FIRST_SEED:,}", flush=True)
        started = time.process_time()
        TABLES[name](Limits(chosen.seeds, chosen.seconds, chosen.only))
        print(f"({time.process_time() - started:,.0f} s)", flush=True)


if __name__ == "__main__":
    main()
