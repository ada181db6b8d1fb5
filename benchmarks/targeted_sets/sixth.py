"""A sixth set of twelve search problems, written before their author had read the search, but after the suite.

In half of them the test reports nothing and only asserts: the default has to read the goal from the assertion. The other
strategies and Hypothesis are told the same number with ``maximize`` and ``target()``. The first six were run while the search
was worked on; the last six are run once on finished code, and the results are reported unchanged.

    python benchmarks/targeted_held_out.py sixth --half 2     # all strategies, Random, and Hypothesis
    python benchmarks/targeted_held_out.py sixth --witness    # only check that each problem has an answer
"""

from __future__ import annotations

import argparse
from collections import deque
from collections.abc import Callable
from itertools import product
from typing import Any

from targeted_suite import Judged, Problem, one
from targeted_suite_table import (
    HYPOTHESIS_CAP,
    STRATEGIES,
    hypothesis_needed,
    tests_needed,
    without_constants,
)

from everycase import HealthCheck, Phase, check, gen

CAP = 20_000

# --- first half ------------------------------------------------------------------------------------------

# A parser that tries `term + expression` first and, when there is no plus, parses the term a second time.


def reparsing(source: str) -> Judged:
    steps = 0

    def expression(at: int) -> int | None:
        nonlocal steps
        steps += 1
        if steps > 5000:
            return None
        after = term(at)
        if after is not None and source[after : after + 1] == "+":
            rest = expression(after + 1)
            if rest is not None:
                return rest
        return term(at)

    def term(at: int) -> int | None:
        if source[at : at + 1] == "n":
            return at + 1
        if source[at : at + 1] == "(":
            inner = expression(at + 1)
            if inner is not None and source[inner : inner + 1] == ")":
                return inner + 1
        return None

    expression(0)
    return one(steps, steps >= 2000)


# Open addressing in a table of 61 places: the steps it takes to insert all keys of a dictionary.


def probes(stock: dict[str, int]) -> int:
    table: dict[int, str] = {}
    steps = 0
    for key in stock:
        at = 5381
        for char in key:
            at = at * 33 + ord(char)
        at %= 61
        while at in table:
            at = (at + 1) % 61
            steps += 1
        table[at] = key
    return steps


def few_probes(stock: dict[str, int]) -> None:
    assert probes(stock) < 90


# Return against risk: a list of amounts, good in both respects at once.

FUNDS = [(3, 1), (5, 4), (8, 9), (2, 0), (7, 6), (9, 13), (4, 3), (6, 8)]


def savings(amounts: list[int]) -> Judged:
    gain = sum(amount * worth for amount, (worth, _) in zip(amounts, FUNDS))
    risk = sum(amount * amount * danger for amount, (_, danger) in zip(amounts, FUNDS)) + 40 * sum(amounts)
    return {"gain": gain, "safe": -risk}, gain >= 1000 and risk <= 26_000


# One machine, 14 jobs with due dates: an order whose weighted lateness is as bad as nearly none.

JOBS = [(3 + 7 * i % 11, 10 + 17 * i % 53, 1 + 5 * i % 7) for i in range(14)]


def lateness(order: list[int]) -> int:
    now = late = 0
    for i in order:
        time, due, weight = JOBS[i]
        now += time
        late += weight * max(0, now - due)
    return late


def acceptable(order: list[int]) -> None:
    late = lateness(order)
    assert late >= 420, f"only {late} late"


# Requests for which "least recently used" misses far more often than is necessary.


def thrash(requests: list[int]) -> Judged:
    recent: list[int] = []
    missed = 0
    for page in requests:
        if page in recent:
            recent.remove(page)
        else:
            missed += 1
            del recent[: len(recent) - 3]
        recent.append(page)
    kept: set[int] = set()
    needed = 0
    for i, page in enumerate(requests):
        if page not in kept:
            needed += 1
            if len(kept) == 4:
                later = requests[i + 1 :]
                kept.remove(max(kept, key=lambda p: later.index(p) if p in later else 99))
            kept.add(page)
    return one(missed - needed, missed - needed >= 34)


# Himmelblau's function, shifted, with four minima that are nearly zero.


def himmelblau(point: tuple[float, float]) -> float:
    x, y = point[0] - 31.4, point[1] + 27.2
    return (x * x + y - 11) ** 2 + (x + y * y - 7) ** 2


def never_flat(point: tuple[float, float]) -> None:
    height = himmelblau(point)
    assert not height <= 1e-4


# --- second half -----------------------------------------------------------------------------------------

# Backtracking for (x+x+)+y: the number of ways tried before it gives up.


def catastrophe(subject: str) -> Judged:
    steps = 0
    pending = [(0, 0)]
    while pending and steps < 3000:
        at, state = pending.pop()
        steps += 1
        char = subject[at : at + 1]
        if state == 2 and char == "y":
            break
        if char == "x":
            pending += [(at + 1, after) for after in ((0, 1), (1, 2), (2, 1))[state] if after or state == 0]
    return one(steps, steps >= 2500)


# The longest shortest path between the first and the last vertex of a directed graph.


def apart(network: tuple[int, list[tuple[int, int]]]) -> int:
    count, arrows = network
    distance, queue = {0: 0}, deque([0])
    while queue:
        at = queue.popleft()
        for a, b in arrows:
            if a == at and b not in distance:
                distance[b] = distance[at] + 1
                queue.append(b)
    return distance.get(count - 1, 0)


def reached_soon(network: tuple[int, list[tuple[int, int]]]) -> None:
    hops = apart(network)
    assert 0 <= hops < 13


# Two words: a comparison that never goes back finds many more differences than there are.


def careless(pair: tuple[str, str]) -> Judged:
    a, b = pair
    row = list(range(len(b) + 1))
    for i, char in enumerate(a, 1):
        diagonal, row[0] = row[0], i
        for j, other in enumerate(b, 1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (char != other))
    simple = sum(x != y for x, y in zip(a, b)) + abs(len(a) - len(b))
    return one(simple - row[-1], simple - row[-1] >= 13)


# Jobs with several tasks on three machines, started greedily: far from the lower bound.


def _shop(g: Any) -> Any:
    @g.composite
    def shop(draw: Any) -> Any:
        jobs = []
        for _ in range(draw(g.integers(1, 7))):
            steps = draw(g.integers(1, 4))
            jobs.append([(draw(g.integers(0, 2)), draw(g.integers(1, 30))) for _ in range(steps)])
        return jobs

    return shop()


def _greedy(jobs: list[list[tuple[int, int]]]) -> tuple[int, int]:
    free, ready, position = [0, 0, 0], [0] * len(jobs), [0] * len(jobs)
    while any(position[j] < len(job) for j, job in enumerate(jobs)):
        open_jobs = [j for j, job in enumerate(jobs) if position[j] < len(job)]
        j = min(open_jobs, key=lambda j: (max(ready[j], free[jobs[j][position[j]][0]]), j))
        machine, time = jobs[j][position[j]]
        ready[j] = free[machine] = max(ready[j], free[machine]) + time
        position[j] += 1
    loads = [sum(t for job in jobs for machine, t in job if machine == m) for m in range(3)]
    return max(ready), max(*loads, *(sum(t for _, t in job) for job in jobs))


def nearly_best(jobs: list[list[tuple[int, int]]]) -> None:
    for taken, bound in [_greedy(jobs)]:
        assert taken <= 2.3 * bound


def waste(jobs: list[list[tuple[int, int]]]) -> float:
    taken, bound = _greedy(jobs)
    return taken - 2.3 * bound


# A tree whose one side is far deeper than its other side; small balanced trees look better at first.


def _trees(g: Any) -> Any:
    return g.recursive(g.none(), lambda part: g.tuples(part, part))


def lopsided(tree: Any) -> Judged:
    def depth(t: Any) -> int:
        return 0 if t is None else 1 + max(map(depth, t))

    if tree is None:
        return one(0, False)
    left, right = map(depth, tree)
    worth = 3 - abs(left - right) if abs(left - right) <= 3 else abs(left - right) - 3
    return one(worth, worth >= 12)


# Two sets that the test draws: they hardly ever have much in common.


def common(data: Any, g: Any) -> int:
    one_set = data.draw(g.sets(g.integers(0, 300), max_size=14))
    other = data.draw(g.sets(g.integers(0, 300), max_size=14))
    return len(one_set & other)


def mostly_different(data: Any) -> None:
    one_set = data.draw(gen.sets(gen.integers(0, 300), max_size=14))
    other = data.draw(gen.sets(gen.integers(0, 300), max_size=14))
    assert len(one_set & other) not in range(9, 15)


# --- the table -------------------------------------------------------------------------------------------


def told(measure: Callable[..., float], found: Callable[[float], bool]) -> Callable[..., Judged]:
    """The judge of a problem that only asserts: it reports the number that the assertion compares."""

    def judge(*value: Any) -> Judged:
        reached = measure(*value)
        return one(reached, found(reached))

    return judge


PROBLEMS = [
    Problem("parser that parses twice", lambda g: g.text("n+()", max_size=24), reparsing),
    Problem(
        "probes*",
        lambda g: g.dictionaries(g.text("abcdef", max_size=4), g.integers(0, 9), max_size=20),
        told(probes, lambda reached: reached >= 90),
    ),
    Problem("gain and risk", lambda g: g.lists(g.integers(0, 100), min_size=8, max_size=8), savings),
    Problem(
        "lateness*",
        lambda g: g.permutations(list(range(14))),
        told(lambda order: -lateness(order), lambda reached: -reached < 420),
    ),
    Problem("cache thrash", lambda g: g.lists(g.integers(0, 5), max_size=50), thrash),
    Problem(
        "Himmelblau*",
        lambda g: g.tuples(g.floats(-1e3, 1e3), g.floats(-1e3, 1e3)),
        told(lambda point: -himmelblau(point), lambda reached: -reached <= 1e-4),
    ),
    Problem("regex", lambda g: g.text("xyz", max_size=24), catastrophe),
    Problem(
        "far apart*",
        lambda g: g.integers(2, 24).flatmap(
            lambda n: g.tuples(
                g.just(n), g.lists(g.tuples(g.integers(0, n - 1), g.integers(0, n - 1)), max_size=60)
            )
        ),
        told(apart, lambda reached: reached >= 13),
    ),
    Problem("careless comparison", lambda g: g.tuples(*[g.text("abcd", max_size=24)] * 2), careless),
    Problem("greedy job shop*", _shop, told(waste, lambda reached: reached > 0)),
    Problem("lopsided tree", _trees, lopsided),
    Problem("common*", lambda g: g.data(), told(common, lambda reached: 9 <= reached < 15), draws=True),
]

ASSERTIONS: dict[str, Callable[[Any], None]] = {
    "probes*": few_probes,
    "lateness*": acceptable,
    "Himmelblau*": never_flat,
    "far apart*": reached_soon,
    "greedy job shop*": nearly_best,
    "common*": mostly_different,
}


def asserted(test: Callable[[Any], None], problem: Problem, seed: int) -> int | None:
    """The number of tests of a default run that has nothing but the assertion."""
    report = check(
        test,
        problem.inputs(gen),
        max_examples=CAP,
        seed=seed,
        database=None,
        phases=[Phase.explore, Phase.target],
        suppress_health_check=list(HealthCheck),
    )
    return report.failed_at if report.status == "failed" else None


def witnesses() -> None:
    """An answer to each problem, found by reasoning or by a search of its own, and what the problem says about it."""
    by_place: dict[int, list[str]] = {}
    for size in range(1, 5):
        for letters in product("abcdef", repeat=size):
            at = 5381
            for char in letters:
                at = at * 33 + ord(char)
            by_place.setdefault(at % 61, []).append("".join(letters))
    alike = max(by_place.values(), key=len)[:20]
    chain: Any = None
    for _ in range(16):
        chain = (chain, None)
    answers: dict[str, Any] = {
        "parser that parses twice": "(" * 11 + "n" + ")" * 11,
        "probes*": dict.fromkeys(alike, 0),
        "gain and risk": [44, 22, 17, 100, 22, 13, 22, 14],
        "cache thrash": [0, 1, 2, 3, 4] * 10,
        "Himmelblau*": (34.4, -25.2),
        "regex": "x" * 14,
        "far apart*": (24, [(i, i + 1) for i in range(13)] + [(13, 23)]),
        "careless comparison": ("abcd" * 4, "bcd" + "abcd" * 3),
        "lopsided tree": (chain, None),
    }
    for problem in PROBLEMS:
        if problem.name in answers:
            print(f"{problem.name:26}", problem.judge(answers[problem.name]))


def _cell(needed: list[int | None]) -> str:
    """How many seeds found it, and the mean number of tests of those seeds."""
    found = [tests for tests in needed if tests is not None]
    return f"{len(found)}/{len(needed)}" + (f" {sum(found) / len(found):,.0f}" if found else "")


def main(
    problems: list[Problem], assertions: dict[str, Callable[[Any], None]], show_witnesses: Callable[[], None]
) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--witness", action="store_true", help="check that each problem has an answer")
    parser.add_argument("--half", type=int, default=0, help="1 or 2: only that half of the problems")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--default", action="store_true", help="only the default")
    parser.add_argument("--only", default="", help="only problems whose name contains this text")
    arguments = parser.parse_args()
    chosen = {0: problems, 1: problems[:6], 2: problems[6:]}[arguments.half]
    if arguments.witness:
        show_witnesses()
        return
    names = ["asserted", *STRATEGIES, "visible", "hidden"]
    print(f"{'problem':26}" + "".join(f"{name:>15}" for name in (names[:2] if arguments.default else names)))
    for problem in chosen:
        if arguments.only not in problem.name:
            continue
        seeds = range(arguments.seeds)
        test = assertions.get(problem.name)
        cells = [_cell([asserted(test, problem, s) for s in seeds]) if test else ""]
        strategies = {"default": STRATEGIES["default"]} if arguments.default else STRATEGIES
        cells += [_cell([tests_needed(problem, e, s, CAP) for s in seeds]) for e in strategies.values()]
        if not arguments.default:
            cells.append(_cell([hypothesis_needed(problem, s, HYPOTHESIS_CAP) for s in range(3)]))
            with without_constants():
                cells.append(_cell([hypothesis_needed(problem, s, HYPOTHESIS_CAP) for s in range(3)]))
        print(f"{problem.name:26}" + "".join(f"{cell:>15}" for cell in cells), flush=True)
    print(
        f"* only an assertion for the first column; at most {CAP:,} tests, Hypothesis {HYPOTHESIS_CAP:,} (3 seeds)"
    )


def run() -> None:
    main(PROBLEMS, ASSERTIONS, witnesses)
