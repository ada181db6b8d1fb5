"""Targeted search: tests to the first failure on the case studies, next to random testing, the papers and Hypothesis.

    python benchmarks/targeted.py                    every table, 30 seeds (about half an hour)
    python benchmarks/targeted.py longest_path 100   one table, with so many seeds

Tables: longest_path, scale, noninterference, naive, routing, mac, spells, deceptive, ablation, integers, overhead. Discarded tests
are counted; runs that hit the cap count with the cap. Times are CPU times.
"""

from __future__ import annotations

import math
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))

import contextlib

import hypothesis
import longest_path
import mac_duty_cycle
import noninterference
import papers_rules as papers
import routing_trees
import spells
from comparing import best_after, tests_to_failure
from hypothesis import strategies as st
from measuring import cpu_seconds, table, versions

import everycase.choices.neighbor as neighbourhood
import everycase.choices.rules as rules
import everycase.explore.pace as pacing
import everycase.explore.search as searching
from everycase import check, gen, maximize
from everycase.explore import Anneal, Climb, Explorer, Random
from everycase.explore.base import Space

HEADER = [
    "search",
    "found",
    "mean",
    "+-95%",
    "median",
    "max",
    "ms, mean",
    "ms, geometric",
    "tests/s",
    "paper",
]


#: The seeds of all runs begin here. Nothing was tuned on them.
FIRST_SEED = 100_000


def row(name: str, runs: Callable[[int], int | None], seeds: int, cap: int, paper: str = "") -> list[Any]:
    """One line: ``runs(seed)`` makes one run and returns the number of the failing test."""
    needed, spent = [], []
    found = 0
    for seed in range(FIRST_SEED, FIRST_SEED + seeds):
        started = time.process_time()
        number = runs(seed)
        spent.append(time.process_time() - started)
        found += number is not None
        needed.append(cap if number is None else number)
    spread = 1.96 * statistics.stdev(needed) / math.sqrt(seeds) if seeds > 1 else 0.0
    milliseconds = [1000 * seconds for seconds in spent]
    done = [
        name,
        f"{found}/{seeds}",
        statistics.mean(needed),
        spread,
        statistics.median(needed),
        max(needed),
        statistics.mean(milliseconds),
        statistics.geometric_mean([max(ms, 0.01) for ms in milliseconds]),
        sum(needed) / sum(spent),
        paper,
    ]
    print(", ".join(map(str, done[:6])), file=sys.stderr, flush=True)  # some tables take long
    return done


def ours(test: Callable[..., Any], inputs: Any, explorer: Explorer, cap: int) -> Callable[[int], int | None]:
    return lambda seed: tests_to_failure(test, inputs, explorer, seeds=[seed], cap=cap)[0]


# --- longest path ---------------------------------------------------------------------------------------


def with_hypothesis(cap: int, stop: bool = True) -> Callable[[int], int | None]:
    """The same problem for Hypothesis: the search phase on, shrinking off. ``stop`` says whether it may fail."""
    ends = st.integers(1, longest_path.VERTICES)
    edges = st.lists(st.tuples(ends, ends).filter(lambda pair: pair[0] < pair[1]))

    def run(seed: int) -> int | None:
        calls, first = 0, None

        @hypothesis.seed(seed)
        @hypothesis.settings(
            max_examples=cap,
            database=None,
            deadline=None,
            phases=[hypothesis.Phase.generate, hypothesis.Phase.target],
            suppress_health_check=list(hypothesis.HealthCheck),
        )
        @hypothesis.given(edges)
        def shallow(some: list[tuple[int, int]]) -> None:
            nonlocal calls, first
            calls += 1
            hops = longest_path.longest_distance(longest_path.VERTICES, set(some))
            hypothesis.target(float(hops))
            if stop and hops >= longest_path.HOPS:
                first = first or calls
                raise AssertionError

        with contextlib.suppress(AssertionError):
            shallow()
        return first if stop else calls

    return run


def papers_graph(cap: int) -> Callable[[int], int | None]:
    def run(seed: int) -> int | None:
        vertex = papers.Whole(1, longest_path.VERTICES)
        edge = papers.Such(papers.Row((vertex, vertex)), lambda pair: pair[0] < pair[1])
        graph = papers.Let(papers.Several(edge), lambda edges: sorted(set(edges)))
        return papers.annealed(
            graph,
            lambda edges: longest_path.longest_distance(longest_path.VERTICES, edges),
            longest_path.HOPS,
            cap,
            seed,
        )

    return run


def longest_path_table(seeds: int) -> None:
    test, cap = longest_path.stays_shallow, 100_000
    rows = [
        row(f"constructed, climbing: {name}", ours(test, shape, Climb(), cap), seeds, cap)
        for name, shape in longest_path.SHAPES.items()
    ]
    fixed, few = longest_path.fixed_graph, min(seeds, 30)
    rows += [
        row("constructed, default (Auto)", ours(test, fixed, longest_path_default(), cap), seeds, cap),
        row("constructed, annealing", ours(test, fixed, Anneal(), cap), few, cap, "4,060; PropEr now 3,068"),
        row(
            "hand-written, annealing",
            ours(test, longest_path.by_hand, Anneal(), cap),
            few,
            cap,
            "1,548; now 1,406",
        ),
        row("hand-written, climbing", ours(test, longest_path.by_hand, Climb(), cap), few, cap, "17,666"),
        row("the papers' rules, annealing", papers_graph(20_000), min(seeds, 10), 20_000, "4,060"),
        row("Hypothesis target()", with_hypothesis(5_000), min(seeds, 10), 5_000, "2,120 (three runs)"),
        row("random", ours(test, fixed, Random(), 20_000), 1, 20_000, "never"),
    ]
    print(table(HEADER, rows))


def longest_path_default() -> Explorer:
    from everycase.explore import Auto

    return Auto()


def scale_table(seeds: int) -> None:
    """The same problem with the utility multiplied, and squeezed into a bounded range."""

    def scaled(how: Callable[[int], float]) -> Callable[[Any], None]:
        def test(network: Any) -> None:
            hops = longest_path.longest_distance(*network)
            maximize(how(hops))
            assert hops < longest_path.HOPS

        return test

    rows = []
    for search in (Climb(), Anneal()):
        for name, how in {
            "x": lambda x: x,
            "0.001 x": lambda x: 0.001 * x,
            "1000 x": lambda x: 1000 * x,
            "-1/x": lambda x: -1 / (x + 1),
        }.items():
            runs = ours(scaled(how), longest_path.fixed_graph, search, 20_000)
            rows.append(row(f"{type(search).__name__}, {name}", runs, seeds, 20_000))
    print(table(HEADER[:6], [line[:6] for line in rows]))


# --- the other case studies -----------------------------------------------------------------------------


def noninterference_table(seeds: int) -> None:
    paper = dict(zip(noninterference.BUGS, ("1,270", "7", "1,160", "9,560", "10", "9")))
    rows = []
    for bug in ("ADD", "PUSH", "LOAD", "STORE B", "STORE C", "STORE A"):  # the slowest one last
        test = noninterference.keeps_secrets(bug)
        for name, inputs, explorer, cap in [
            ("Weighted, random", noninterference.weighted, Random(), 20_000),
            ("Weighted, constructed", noninterference.weighted, Climb(), 200_000),
            ("ByExec, random", noninterference.by_execution(bug), Random(), 20_000),
            ("ByExec, targeted", noninterference.targeted_by_execution(bug), Climb(), 20_000),
        ]:
            said = paper[bug] if "constructed" in name else ""
            rows.append(row(f"{bug}: {name}", ours(test, inputs, explorer, cap), seeds, cap, said))
    print(table(HEADER, rows))


def naive_table(seeds: int) -> None:
    """The generator that is about as weak as the papers' own, so that the gain can be compared with theirs."""
    paper, rows = {"ADD": ("54,984", "1,270"), "PUSH": ("3,212", "7"), "STORE C": ("3,189", "9")}, []
    for bug, (at_random, constructed) in paper.items():
        test, inputs = noninterference.keeps_secrets(bug), noninterference.naive
        rows.append(
            row(f"{bug}: Naive, random", ours(test, inputs, Random(), 50_000), seeds, 50_000, at_random)
        )
        search = ours(test, inputs, Climb(), 200_000)
        rows.append(row(f"{bug}: Naive, constructed", search, seeds, 200_000, constructed))
    print(table(HEADER, rows))


def routing_table(seeds: int) -> None:
    rows = []
    for goal in (routing_trees.looks_for_the_worst, routing_trees.looks_for_the_best):
        for name, inputs, explorer, tests in [
            ("weighted, random", routing_trees.weighted, Random(), 10_000),
            ("attached, random", routing_trees.attached(), Random(), 10_000),
            ("weighted, constructed", routing_trees.weighted, Climb(), 1000),
            ("attached, constructed", routing_trees.attached(), Climb(), 1000),
            (
                "attached, hand-written",
                routing_trees.attached().with_neighbor(routing_trees.exchange),
                Climb(),
                1000,
            ),
        ]:
            found = sorted(
                best_after(goal, inputs, explorer, seeds=range(FIRST_SEED, FIRST_SEED + seeds), tests=tests)
            )
            rows.append([goal.__name__, name, tests, found[0], statistics.median(found), found[-1]])
            print(", ".join(map(str, rows[-1])), file=sys.stderr, flush=True)
    print(table(["goal", "search", "tests", "lowest run", "median", "highest run"], rows))


def mac_table(seeds: int) -> None:
    test, cap = mac_duty_cycle.sleeps_enough, 10_000
    by_hand = mac_duty_cycle.networks.with_neighbor(mac_duty_cycle.graph_next)
    rows = [
        row("random", ours(test, mac_duty_cycle.networks, Random(), cap), seeds, cap, "1,188"),
        row("hand-written, annealing", ours(test, by_hand, Anneal(), cap), seeds, cap, "about 200"),
        row("hand-written, climbing", ours(test, by_hand, Climb(), cap), seeds, cap),
        row("constructed, annealing", ours(test, mac_duty_cycle.networks, Anneal(), cap), seeds, cap),
        row("constructed, climbing", ours(test, mac_duty_cycle.networks, Climb(), cap), seeds, cap),
    ]
    print(table(HEADER, rows))


def spells_table(seeds: int) -> None:
    cap = 10_000
    rows = [
        row(
            "random", ours(spells.is_balanced, spells.some_spells, Random(), cap), min(3, seeds), cap, "never"
        )
    ]
    for rule in spells.BY_HAND:
        inputs = spells.some_spells.with_neighbor(rule)
        rows.append(row(rule.__name__, ours(spells.is_balanced, inputs, Climb(), 3000), min(10, seeds), 3000))
    rows.append(row("constructed", ours(spells.is_balanced, spells.some_spells, Climb(), cap), seeds, cap))
    print(table(HEADER, rows))


# --- problems that mislead ------------------------------------------------------------------------------


def two_peaks(point: tuple[int, int]) -> None:
    """A wide hill of height 50, and far from it a steep one of height 100."""
    x, y = point
    height = max(50 - math.hypot(x - 800, y - 800) / 20, 100 - math.hypot(x - 150, y - 150))
    maximize(height)
    assert height < 97


def plateau(bits: list[bool]) -> None:
    """The royal road of Mitchell, Forrest and Holland: eight blocks of eight bits, only whole blocks are rewarded.

    Hill climbing that accepts ties is known to need 6,549 tests on average if it flips one bit a test.
    """
    whole = sum(all(bits[i : i + 8]) for i in range(0, 64, 8))
    maximize(whole)
    assert whole < 8


WALLS = {(6, y) for y in range(-4, 5)} | {(x, 4) for x in range(2, 7)} | {(x, -4) for x in range(2, 7)}


def maze(moves: list[int]) -> None:
    """The goal is to the east, and the straight way there ends in a pocket."""
    x = y = 0
    for move in moves:
        dx, dy = ((1, 0), (0, 1), (-1, 0), (0, -1))[move]
        if (x + dx, y + dy) not in WALLS and abs(x + dx) <= 12 and abs(y + dy) <= 12:
            x, y = x + dx, y + dy
    maximize(-abs(x - 10) - abs(y))
    assert (x, y) != (10, 0)


PROBLEMS: dict[str, tuple[Callable[[Any], None], Any]] = {
    "two peaks": (two_peaks, gen.tuples(gen.integers(0, 1000), gen.integers(0, 1000))),
    "plateau": (plateau, gen.lists(gen.booleans(), min_size=64, max_size=64)),
    "maze": (maze, gen.lists(gen.integers(0, 3), max_size=60)),
}


def deceptive_table(seeds: int) -> None:
    cap = 20_000
    rows = []
    for problem, (test, inputs) in PROBLEMS.items():
        for name, explorer in {
            "default (Climb)": Climb(),
            "without restarts": Climb(restart=10**9),
            "without ties": Climb(ties=False),
            "Anneal adaptive": Anneal(),
            "Anneal linear": Anneal(schedule="linear"),
            "Anneal fast": Anneal(schedule="fast"),
            "Anneal very fast": Anneal(schedule="very_fast"),
            "Anneal reheat": Anneal(schedule="reheat"),
        }.items():
            rows.append(row(f"{problem}: {name}", ours(test, inputs, explorer, cap), seeds, cap)[:6])
    print(table(HEADER[:6], rows))


def ablation_table(seeds: int) -> None:
    """The default with one part switched off at a time, on three problems."""
    problems = {
        "longest path": (longest_path.stays_shallow, longest_path.fixed_graph, 5_000),
        "spells": (spells.is_balanced, spells.some_spells, 10_000),
        "two peaks": (*PROBLEMS["two peaks"], 5_000),
        "three integers": (near_constants, THREE_INTEGERS, 5_000),
    }
    insert_only = dict(rules.RULES)

    def unbalanced(node: Any, step: Any) -> Any:
        for _ in range(3):
            edited = rules._list(node, step)
            if edited is None or len(edited.children) >= len(node.children):
                break
        return edited

    insert_only[gen.lists(gen.none()).__class__] = unbalanced
    variants: dict[str, tuple[Explorer, Any, dict[str, Any]]] = {
        "default": (Climb(), neighbourhood, {}),
        "one edit": (Climb(), pacing, {"LEAST_REACH": 1.0, "MOST_REACH": 1.0}),
        "two edits on average": (Climb(), pacing, {"LEAST_REACH": 2.0, "MOST_REACH": 2.0}),
        "many edits": (Climb(), pacing, {"LEAST_REACH": 8.0, "MOST_REACH": 8.0}),
        "no long steps": (Climb(), pacing, {"LONG": 0.0, "LEAST_LONG": 0.0}),
        "no ties": (Climb(ties=False), neighbourhood, {}),
        "no restarts": (Climb(restart=10**9), neighbourhood, {}),
        "no line search": (Climb(line_search=False), neighbourhood, {}),
        "no balance": (Climb(), neighbourhood, {"RULES": insert_only}),
        "balance not learned": (Climb(), pacing, {"LEARNING": 0.0}),
    }
    rows = []
    for problem, (test, inputs, cap) in problems.items():
        for name, (explorer, module, changes) in variants.items():
            before = {key: getattr(module, key) for key in changes}
            for key, value in changes.items():
                setattr(module, key, value)
            rows.append(row(f"{problem}: {name}", ours(test, inputs, explorer, cap), seeds, cap)[:6])
            for key, value in before.items():
                setattr(module, key, value)
    print(table(HEADER[:6], rows))


# --- smooth numbers -------------------------------------------------------------------------------------


HIDDEN, LIMIT = (123_456, -654_321, 314_159), 10**6
THREE_INTEGERS = gen.tuples(*[gen.integers(-LIMIT, LIMIT)] * 3)


def off(values: tuple[int, ...]) -> int:
    return sum((value - goal) ** 2 for value, goal in zip(values, HIDDEN))


def near_constants(values: tuple[int, int, int]) -> None:
    maximize(-off(values))
    assert off(values) > 100


def integers_table(seeds: int) -> None:
    """Three integers near hidden constants, by the sum of the squares of their distances."""
    cap = 5_000
    number = st.integers(-LIMIT, LIMIT)

    def peer(seed: int) -> int | None:
        calls, first = 0, None

        @hypothesis.seed(seed)
        @hypothesis.settings(
            max_examples=cap,
            database=None,
            deadline=None,
            phases=[hypothesis.Phase.generate, hypothesis.Phase.target],
            suppress_health_check=list(hypothesis.HealthCheck),
        )
        @hypothesis.given(st.tuples(number, number, number))
        def near(values: tuple[int, int, int]) -> None:
            nonlocal calls, first
            calls += 1
            hypothesis.target(-float(off(values)))
            if off(values) <= 100:
                first = first or calls
                raise AssertionError

        with contextlib.suppress(AssertionError):
            near()
        return first

    rows = [
        row("ours", ours(near_constants, THREE_INTEGERS, Climb(), cap), seeds, cap),
        row("Hypothesis target(), from max_examples=5000", peer, min(seeds, 10), cap),
    ]
    print(table(HEADER[:6], [line[:6] for line in rows]))


# --- overhead -------------------------------------------------------------------------------------------


def overhead_table(seeds: int) -> None:
    """Tests a second on the longest path, as many for each: the search, a bare loop around the same moves, a peer.

    The machine may be busy, so each round times all three, and the medians of the ratios count.
    """
    tests, rounds = 500, 7

    def measured(network: Any) -> None:
        maximize(longest_path.longest_distance(*network))

    def search(seed: int) -> None:
        check(
            measured, longest_path.fixed_graph, explore=Climb(), max_examples=tests, seed=seed, database=None
        )

    def bare(seed: int) -> None:
        space = Space(longest_path.fixed_graph, seed, tests)
        trace = space.enact(None, size=searching.START_SIZE).trace
        worth = -1
        for _ in range(tests):
            near = space.neighbor(trace, 1.0)
            reached = longest_path.longest_distance(*near.args)
            if reached >= worth:
                trace, worth = near.trace, reached

    calls = 0

    def peer(seed: int) -> None:
        nonlocal calls
        calls += with_hypothesis(tests, stop=False)(seed) or tests

    rates: dict[str, list[float]] = {name: [] for name in ("everycase", "bare loop", "Hypothesis target()")}
    for seed in range(FIRST_SEED, FIRST_SEED + rounds):
        first = cpu_seconds(lambda: search(seed))
        rates["bare loop"].append(tests / cpu_seconds(lambda: bare(seed)))
        calls = 0
        spent = cpu_seconds(lambda: peer(seed))
        rates["Hypothesis target()"].append(calls / spent)
        rates["everycase"].append(2 * tests / (first + cpu_seconds(lambda: search(seed))))
    rows = []
    for name, found in rates.items():
        ratios = [a / b for a, b in zip(rates["everycase"], found)]
        rows.append([name, statistics.median(found), f"{statistics.median(ratios):.1f}x"])
    print(table(["what", "tests/s, median", "everycase is"], rows))


TABLES: dict[str, Callable[[int], None]] = {
    "longest_path": longest_path_table,
    "scale": scale_table,
    "noninterference": noninterference_table,
    "naive": naive_table,
    "routing": routing_table,
    "mac": mac_table,
    "spells": spells_table,
    "deceptive": deceptive_table,
    "ablation": ablation_table,
    "integers": integers_table,
    "overhead": overhead_table,
}


def main() -> None:
    print(versions("hypothesis"))
    chosen = [name for name in sys.argv[1:] if name in TABLES] or list(TABLES)
    seeds = next((int(word) for word in sys.argv[1:] if word.isdigit()), 30)
    for name in chosen:
        print(f"\n== {name}, {seeds} seeds")
        TABLES[name](seeds)


if __name__ == "__main__":
    main()
