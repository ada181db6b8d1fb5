"""Problems for targeted search that no strategy was tuned on: they were written first and measured afterwards.

A problem is written once for everycase and for Hypothesis: ``inputs`` takes the module of the generators (everycase's
``gen`` or Hypothesis' ``strategies``, which have the same names). ``judge`` returns the utilities of an input (larger is
better), and whether the input solves the problem.
"""

from __future__ import annotations

import math
import random as stdlib_random
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

#: The utilities of an input by label (larger is better), and whether it is a solution.
Judged = tuple[dict[str, float], bool]


@dataclass(frozen=True)
class Problem:
    """The inputs to search, their utilities, and when to stop."""

    name: str
    inputs: Callable[[Any], Any]
    judge: Callable[[Any], Judged]
    #: whether the input is ``data()``, from which the test itself draws; ``judge`` then also takes the generators
    draws: bool = False


PROBLEMS: list[Problem] = []


def problem(name: str, inputs: Callable[[Any], Any], *, draws: bool = False) -> Callable[[Any], Any]:
    """Add a judge to the suite."""

    def decorate(judge: Callable[..., Judged]) -> Callable[..., Judged]:
        PROBLEMS.append(Problem(name, inputs, judge, draws))
        return judge

    return decorate


def one(utility: float, found: bool) -> Judged:
    return {"": float(utility)}, found


# --- worst cases of sorting, hashing, parsing, matching -------------------------------------------------


@problem("quicksort: comparisons", lambda g: g.lists(g.integers(0, 99), min_size=20, max_size=20))
def quicksort(values: list[int]) -> Judged:
    """The pivot is the middle element."""
    comparisons, pending = 0, [values]
    while pending:
        part = pending.pop()
        if len(part) > 1:
            pivot = part[len(part) // 2]
            comparisons += len(part) - 1
            pending += [[x for x in part if x < pivot], [x for x in part if x > pivot]]
    return one(comparisons, comparisons >= 160)


@problem("median of three: comparisons", lambda g: g.permutations(list(range(18))))
def median_of_three(values: list[int]) -> Judged:
    comparisons, pending = 0, [values]
    while pending:
        part = pending.pop()
        if len(part) > 2:
            pivot = sorted((part[0], part[len(part) // 2], part[-1]))[1]
            comparisons += len(part) - 1
            pending += [[x for x in part if x < pivot], [x for x in part if x > pivot]]
    return one(comparisons, comparisons >= 74)


@problem("hash table: longest chain", lambda g: g.sets(g.integers(0, 9999), max_size=30))
def chains(keys: set[int]) -> Judged:
    """Multiplicative hashing into 64 buckets."""
    buckets = Counter((key * 40503 % 65536) >> 10 for key in keys)
    longest = max(buckets.values(), default=0)
    return one(longest, longest >= 9)


@problem("search tree: height", lambda g: g.lists(g.integers(0, 1000), min_size=15, max_size=15, unique=True))
def height(keys: list[int]) -> Judged:
    """An unbalanced binary search tree degenerates to a list for sorted keys."""
    left: dict[int, int] = {}
    right: dict[int, int] = {}
    deepest = 1
    for key in keys[1:]:
        node, depth = keys[0], 2
        while True:
            side = left if key < node else right
            if node not in side:
                side[node] = key
                break
            node = side[node]
            depth += 1
        deepest = max(deepest, depth)
    return one(deepest, deepest >= 14)


@problem("brackets: nesting", lambda g: g.text("()[]{}ab", max_size=60))
def nesting(source: str) -> Judged:
    """The nesting depth of a parser that reads well-formed text to its end; text that is not well-formed counts less."""
    stack: list[str] = []
    deepest = 0
    for place, char in enumerate(source):
        if char in "([{":
            stack.append(char)
            deepest = max(deepest, len(stack))
        elif char in ")]}" and (not stack or "([{".index(stack.pop()) != ")]}".index(char)):
            return one(min(deepest, place / 10) - len(source), False)
    return one(deepest - 2 * len(stack), deepest >= 10 and not stack)


@problem("regex: steps of backtracking", lambda g: g.text("abc", max_size=24))
def backtracking(subject: str) -> Judged:
    """A backtracking matcher for (a|ab|aba)*c, anchored at the beginning; the number of steps of a failing match."""
    steps, pending = 0, [0]
    while pending and steps < 5000:
        place = pending.pop()
        steps += 1
        if subject[place : place + 1] == "c" and place + 1 == len(subject):
            break
        pending += [place + len(word) for word in ("a", "ab", "aba") if subject.startswith(word, place)]
    return one(steps, steps >= 400)


@problem("words: edit distance", lambda g: g.text("abcdefghijklmnopqrstuvwxyz", max_size=20))
def edit_distance(word: str) -> Judged:
    goal = "kaleidoscopic"
    row = list(range(len(goal) + 1))
    for i, char in enumerate(word, 1):
        diagonal, row[0] = row[0], i
        for j, other in enumerate(goal, 1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (char != other))
    return one(-row[-1], row[-1] == 0)


@problem("text: sum of squared runs", lambda g: g.text("abcd", min_size=10, max_size=50))
def squared_runs(text: str) -> Judged:
    total, run = 0, 0
    for one_char, other in pairwise(text + "!"):
        run += 1
        if one_char != other:
            total += run * run
            run = 0
    total -= 20 * abs(text.count("a") - text.count("b"))
    return one(total, total >= 700)


@problem("message: length and checksum", lambda g: g.binary(max_size=40))
def message(data: bytes) -> Judged:
    """A parser that gets further the more of the frame is right: magic bytes, length of the body, checksum."""
    got = 0
    for byte, expected in zip(data, b"\x7fEC\x01"):
        if byte != expected:
            return one(got, False)
        got += 1
    if len(data) < 7:
        return one(got + len(data) / 100, False)
    body = data[6:]
    off = abs(data[4] - len(body))
    if off:
        return one(got + 1 - off / 256, False)
    wrong = abs(sum(body) % 256 - data[5])
    return one(got + 2 - wrong / 256, wrong == 0 and len(body) >= 5)


# --- packing, schedules, caches -------------------------------------------------------------------------


@problem("bin packing: first fit wastes", lambda g: g.lists(g.integers(1, 100), max_size=30))
def first_fit(sizes: list[int]) -> Judged:
    bins: list[int] = []
    for size in sizes:
        for i, used in enumerate(bins):
            if used + size <= 100:
                bins[i] += size
                break
        else:
            bins.append(size)
    wasted = len(bins) - sum(sizes) / 100
    return one(wasted, wasted >= 9)


@problem("list scheduling: bad order", lambda g: g.lists(g.integers(1, 40), min_size=4, max_size=16))
def list_scheduling(jobs: list[int]) -> Judged:
    """Greedy scheduling on four machines against the lower bound: at most 7/4 as long."""
    machines = [0] * 4
    for job in jobs:
        machines[machines.index(min(machines))] += job
    bound = max(sum(jobs) / 4, max(jobs))
    return one(max(machines) / bound, max(machines) / bound >= 1.68)


@problem("flow shop of 10 jobs", lambda g: g.permutations(list(range(10))))
def flow_shop(order: list[int]) -> Judged:
    """The makespan on four machines; about one order in 5,000 is this good."""
    dice = stdlib_random.Random(7)
    times = [[dice.randrange(1, 30) for _ in range(4)] for _ in range(10)]
    free = [0] * 4
    for job in order:
        free[0] += times[job][0]
        for m in (1, 2, 3):
            free[m] = max(free[m], free[m - 1]) + times[job][m]
    return one(-free[3], free[3] <= 146)


@problem("cache: Belady's anomaly", lambda g: g.lists(g.integers(0, 6), max_size=40))
def belady(requests: list[int]) -> Judged:
    """First in, first out: a larger cache that misses more often."""

    def misses(room: int) -> int:
        cache: OrderedDict[int, None] = OrderedDict()
        count = 0
        for page in requests:
            if page not in cache:
                count += 1
                if len(cache) == room:
                    cache.popitem(last=False)
                cache[page] = None
        return count

    worse = misses(4) - misses(3)
    return one(worse, worse >= 3)


# --- graphs ---------------------------------------------------------------------------------------------


def _farthest(count: int, edges: list[tuple[int, int]], start: int = 0) -> int:
    near: dict[int, set[int]] = {v: set() for v in range(count)}
    for a, b in edges:
        near[a].add(b)
        near[b].add(a)
    distance, queue = {start: 0}, deque([start])
    while queue:
        v = queue.popleft()
        for w in near[v]:
            if w not in distance:
                distance[w] = distance[v] + 1
                queue.append(w)
    return max(distance.values())


@problem(
    "graph by flatmap: eccentricity",
    lambda g: g.integers(2, 24).flatmap(
        lambda n: g.tuples(
            g.just(n), g.lists(g.tuples(g.integers(0, n - 1), g.integers(0, n - 1)), max_size=60)
        )
    ),
)
def eccentricity(graph: tuple[int, list[tuple[int, int]]]) -> Judged:
    far = _farthest(*graph)
    return one(far, far >= 14)


def _tasks(g: Any) -> Any:
    @g.composite
    def tasks(draw: Any) -> Any:
        durations: list[int] = []
        needs: list[list[int]] = []
        for i in range(draw(g.integers(1, 16))):
            durations.append(draw(g.integers(1, 20)))
            needs.append(draw(g.lists(g.integers(0, i - 1), max_size=2)) if i else [])
        return durations, needs

    return tasks()


@problem("composite: critical path", _tasks)
def critical_path(project: tuple[list[int], list[list[int]]]) -> Judged:
    durations, needs = project
    ends: list[int] = []
    for duration, before in zip(durations, needs):
        ends.append(duration + max((ends[i] for i in before), default=0))
    return one(max(ends), max(ends) >= 240)


def _transfers(g: Any) -> Any:
    @g.composite
    def transfers(draw: Any) -> Any:
        accounts = draw(g.integers(2, 8))
        moves = []
        for _ in range(draw(g.integers(0, 20))):
            moves.append(
                (
                    draw(g.integers(0, accounts - 1)),
                    draw(g.integers(0, accounts - 1)),
                    draw(g.integers(1, 100)),
                )
            )
        return accounts, moves

    return transfers()


@problem("composite: all the money in one account", _transfers)
def transfers(history: tuple[int, list[tuple[int, int, int]]]) -> Judged:
    accounts, moves = history
    held = [100] * accounts
    for source, goal, amount in moves:
        if amount <= held[source]:
            held[source] -= amount
            held[goal] += amount
    return one(max(held), max(held) >= 650)


@problem("data(): a walk to a place", lambda g: g.data(), draws=True)
def walk(data: Any, g: Any) -> Judged:
    x = y = 0
    for _ in range(40):
        if not data.draw(g.booleans() if (x + y) % 5 else g.just(True)):
            break
        direction = data.draw(g.sampled_from("NESW" if x < 8 else "NSW"))
        x += (direction == "E") - (direction == "W")
        y += (direction == "N") - (direction == "S")
    off = abs(x - 7) + abs(y + 11)
    return one(-off, off == 0)


# --- trees ----------------------------------------------------------------------------------------------


def _json(g: Any) -> Any:
    leaves = g.one_of(g.none(), g.booleans(), g.integers(0, 9))
    return g.recursive(
        leaves,
        lambda part: g.lists(part, max_size=3) | g.dictionaries(g.sampled_from("abc"), part, max_size=3),
    )


@problem("JSON: deep and small, two labels", _json)
def deep_and_small(document: Any) -> Judged:
    def measure(value: Any) -> tuple[int, int]:
        parts = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
        below = [measure(part) for part in parts]
        return 1 + max((d for d, _ in below), default=0), 1 + sum(n for _, n in below)

    depth, size = measure(document)
    return {"depth": depth, "small": -size}, depth >= 10 and size <= 12


def _expressions(g: Any) -> Any:
    return g.recursive(
        g.integers(0, 9),
        lambda part: g.one_of(
            g.tuples(g.just("neg"), part),
            g.tuples(g.just("add"), part, part),
            g.tuples(g.just("mul"), part, part),
        ),
    )


@problem("expression: value for its size", _expressions)
def valuable(expression: Any) -> Judged:
    def value(e: Any) -> tuple[int, int]:
        if isinstance(e, int):
            return e, 1
        parts = [value(part) for part in e[1:]]
        size = 1 + sum(n for _, n in parts)
        match e[0]:
            case "neg":
                return -parts[0][0], size
            case "add":
                return parts[0][0] + parts[1][0], size
            case _:
                return parts[0][0] * parts[1][0], size

    reached, size = value(expression)
    worth = math.log2(max(1, reached)) - 2.5 * max(0, size - 15)
    return one(worth, worth >= 22)


@problem("expression: chain of negations", _expressions)
def negations(expression: Any) -> Judged:
    longest, pending = 0, [(expression, 0)]
    while pending:
        e, run = pending.pop()
        longest = max(longest, run)
        if not isinstance(e, int):
            pending += [(part, run + 1 if e[0] == "neg" else 0) for part in e[1:]]
    return one(longest, longest >= 12)


# --- numbers --------------------------------------------------------------------------------------------


def _coordinate(g: Any, bound: float) -> Any:
    return g.floats(-bound, bound)


@problem("Rosenbrock", lambda g: g.tuples(_coordinate(g, 5.0), _coordinate(g, 5.0)))
def rosenbrock(point: tuple[float, float]) -> Judged:
    x, y = point
    height = (1.7 - x) ** 2 + 100 * (y - x * x) ** 2
    return one(-height, height < 1e-3)


@problem("coupled equations in floats", lambda g: g.tuples(*[_coordinate(g, 1000.0)] * 3))
def coupled(point: tuple[float, float, float]) -> Judged:
    a, b, c = point
    off = abs(a + b + c - 151.9) + abs(a - 2 * b + 17.3) + abs(b + 3 * c - 211.4)
    return one(-off, off < 0.01)


@problem("ellipsoid askew", lambda g: g.lists(_coordinate(g, 100.0), min_size=5, max_size=5))
def ellipsoid(point: list[float]) -> Judged:
    height = sum(
        4.0**i * (x + y - 13.7 * (i + 1)) ** 2 for i, (x, y) in enumerate(pairwise([*point, point[0]]))
    )
    return one(-height, height < 0.05)


@problem("Diophantine", lambda g: g.tuples(*[g.integers(0, 10**6)] * 4))
def diophantine(values: tuple[int, int, int, int]) -> Judged:
    a, b, c, d = values
    off = abs(a * b - c * d - 135_791_113)
    return one(-off, off < 1000 and min(values) > 1000)


@problem("three dates in order", lambda g: g.tuples(g.dates(), g.dates(), g.dates()))
def dates(days: Any) -> Judged:
    """Exactly 1,000 days apart, and then 777."""
    one_day, two, three = (day.toordinal() for day in days)
    off = abs(two - one_day - 1000) + abs(three - two - 777)
    return one(-off, off == 0)


# --- sets, dictionaries, permutations, several goals ----------------------------------------------------


@problem(
    "dictionary: an inventory",
    lambda g: g.dictionaries(g.sampled_from("abcdefghijkl"), g.integers(0, 50), max_size=12),
)
def inventory(counts: dict[str, int]) -> Judged:
    """High value, within the allowed weight."""
    worth = {name: 3 + 7 * i % 11 for i, name in enumerate("abcdefghijkl")}
    weight = {name: 1 + 5 * i % 7 for i, name in enumerate("abcdefghijkl")}
    total = sum(worth[name] * count for name, count in counts.items())
    heavy = sum(weight[name] * count for name, count in counts.items())
    reached = total - 20 * max(0, heavy - 300)
    return one(reached, reached >= 1600)


def _subsets() -> list[frozenset[int]]:
    dice = stdlib_random.Random(11)
    return [frozenset(dice.sample(range(60), dice.randrange(6, 14))) for _ in range(40)]


SUBSETS = _subsets()


@problem("set cover", lambda g: g.sets(g.integers(0, 39)))
def set_cover(chosen: set[int]) -> Judged:
    covered = len(frozenset().union(*[SUBSETS[i] for i in chosen]))
    worth = covered - 60 - len(chosen) * 0.7
    return one(worth, covered == 60 and len(chosen) <= 10)


@problem("tour of 12 cities", lambda g: g.permutations(list(range(12))))
def tour(order: list[int]) -> Judged:
    """Cities on a circle, numbered at random: the shortest tour is known."""
    numbers = list(range(12))
    stdlib_random.Random(3).shuffle(numbers)
    at = [(math.cos(math.pi * n / 6), math.sin(math.pi * n / 6)) for n in numbers]
    length = sum(math.dist(at[a], at[b]) for a, b in pairwise([*order, order[0]]))
    return one(-length, length < 24 * math.sin(math.pi / 12) + 1e-6)


@problem("ten queens", lambda g: g.permutations(list(range(10))))
def queens(rows: list[int]) -> Judged:
    pairs = [(i, j) for i in range(10) for j in range(i)]
    attacks = sum(abs(rows[i] - rows[j]) == i - j for i, j in pairs)
    return one(-attacks, attacks == 0)


@problem(
    "unique list: a round trip", lambda g: g.lists(g.integers(0, 19), min_size=8, max_size=12, unique=True)
)
def round_trip(stops: list[int]) -> Judged:
    """A sequence of stops in which consecutive stops are far apart."""
    travelled = sum(abs(a - b) for a, b in pairwise([*stops, stops[0]]))
    return one(travelled, travelled >= 156)


ITEMS = [(7 + 13 * i % 29, 5 + 11 * i % 31) for i in range(30)]


@problem("knapsack, two labels", lambda g: g.lists(g.booleans(), min_size=30, max_size=30))
def knapsack(taken: list[bool]) -> Judged:
    value = sum(v for (v, _), t in zip(ITEMS, taken) if t)
    weight = sum(w for (_, w), t in zip(ITEMS, taken) if t)
    return {"value": value, "light": -weight}, value >= 335 and weight <= 200


# --- deceptive ------------------------------------------------------------------------------------------


@problem("five traps of four bits", lambda g: g.lists(g.booleans(), min_size=20, max_size=20))
def traps(bits: list[bool]) -> Judged:
    """Each block is best when all bits are set; otherwise, fewer set bits are better."""
    blocks = [sum(bits[i : i + 4]) for i in range(0, 20, 4)]
    worth = sum(4 if count == 4 else 3 - count for count in blocks)
    return one(worth, worth == 20)


@problem("hierarchical if and only if", lambda g: g.lists(g.booleans(), min_size=16, max_size=16))
def hierarchy(bits: list[bool]) -> Judged:
    worth, level, size = len(bits), [int(bit) for bit in bits], 1
    while len(level) > 1:
        size *= 2
        level = [a if a == b and a >= 0 else -1 for a, b in zip(level[::2], level[1::2])]
        worth += size * sum(part >= 0 for part in level)
    return one(worth, worth == 80)


@problem("narrow peak", lambda g: g.tuples(g.integers(0, 10_000), g.integers(0, 10_000)))
def narrow_peak(point: tuple[int, int]) -> Judged:
    """A wide hill, and a narrow one that is twice as high."""
    x, y = point
    reached = max(50 - math.dist(point, (7000, 7000)) / 200, 100 - math.dist(point, (2000, 1500)) / 10)
    return one(reached, reached >= 95 and x < y + 10_000)
