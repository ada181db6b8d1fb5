"""Ten more search problems, written before their author had read the search.

They are run once on finished code, with the default search and with Hypothesis' ``target()``. The results are reported
unchanged.

    python benchmarks/targeted_held_out.py fourth            # the default, compared with Hypothesis
    python benchmarks/targeted_held_out.py fourth --witness  # only check that each problem has an answer
"""

from __future__ import annotations

import argparse
from datetime import date
from itertools import permutations
from typing import Any

from targeted_suite import Judged, Problem, one
from targeted_suite_table import HYPOTHESIS_CAP, hypothesis_needed, tests_needed, without_constants

from everycase.explore import Auto

# Rectangles of at most 20 by 20 in a field of 200 by 200: how many of them share a point?


def _rectangles(g: Any) -> Any:
    return g.lists(
        g.tuples(g.integers(0, 180), g.integers(0, 180), g.integers(1, 20), g.integers(1, 20)), max_size=14
    )


def depth(rectangles: list[tuple[int, int, int, int]]) -> Judged:
    most = 0
    for x, _, _, _ in rectangles:
        for _, y, _, _ in rectangles:
            most = max(most, sum(a <= x < a + w and b <= y < b + h for a, b, w, h in rectangles))
    return one(most, most >= 8)


# A line of quoted fields, in which a quote is escaped by doubling it.


def quoted(line: str) -> Judged:
    fields = 0
    place = 0
    while place < len(line) and line[place] == '"':
        place += 1
        doubled = 0
        while place < len(line):
            if line[place] != '"':
                place += 1
            elif line[place : place + 2] == '""':
                place, doubled = place + 2, doubled + 1
            else:
                break
        if place == len(line):
            break
        fields += doubled > 0
        place += 1
        if line[place : place + 1] != ",":
            break
        place += 1
    return one(fields, fields >= 4)


# Three Fridays the thirteenth, at most a year apart.


def fridays(days: tuple[date, date, date]) -> Judged:
    right = sum((day.weekday() == 4) + (day.day == 13) for day in days)
    apart = (max(days) - min(days)).days
    near = right - min(apart, 36_500) / 36_500
    return one(near, right == 6 and 0 < apart <= 366 and len(set(days)) == 3)


# The largest determinant of a three by three matrix of digits.


def determinant(cells: list[int]) -> Judged:
    a, b, c, d, e, f, g, h, i = cells
    value = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    return one(value, value >= 1458)


# Beale's function, rotated by a third of a right angle: a flat valley with a corner.


def beale(x: float, y: float) -> float:
    return (1.5 - x + x * y) ** 2 + (2.25 - x + x * y**2) ** 2 + (2.625 - x + x * y**3) ** 2


def turned(point: tuple[float, float]) -> Judged:
    u, v = point
    value = beale(0.8660254 * u - 0.5 * v, 0.5 * u + 0.8660254 * v)
    return one(-value, value < 1e-5)


# Seven machines at seven places: the flow between each pair times the distance between their places.

FLOW = [[(3 * i + 5 * j + i * j) % 11 for j in range(7)] for i in range(7)]
PLACES = [(0, 0), (5, 1), (2, 7), (9, 4), (6, 9), (1, 3), (8, 8)]


def _carried(order: tuple[int, ...]) -> int:
    return sum(
        FLOW[i][j]
        * (abs(PLACES[order[i]][0] - PLACES[order[j]][0]) + abs(PLACES[order[i]][1] - PLACES[order[j]][1]))
        for i in range(7)
        for j in range(7)
    )


LEAST = min(map(_carried, permutations(range(7))))


def assignment(order: list[int]) -> Judged:
    return one(-_carried(tuple(order)), _carried(tuple(order)) == LEAST)


# A stack machine that pushes digits, adds, multiplies and duplicates: reach 1997.


def _programs(g: Any) -> Any:
    @g.composite
    def programs(draw: Any) -> Any:
        height, program = 0, []
        for _ in range(draw(g.integers(1, 14))):
            options = ["push"] + (["dup"] if height else []) + (["add", "mul"] if height > 1 else [])
            step = draw(g.sampled_from(options))
            program.append((step, draw(g.integers(0, 9)) if step == "push" else None))
            height += {"push": 1, "dup": 1, "add": -1, "mul": -1}[step]
        return program

    return programs()


def machine(program: list[tuple[str, int | None]]) -> Judged:
    stack: list[int] = []
    for step, number in program:
        if step == "push":
            stack.append(number or 0)
        elif step == "dup":
            stack.append(stack[-1])
        else:
            right, left = stack.pop(), stack.pop()
            stack.append(left + right if step == "add" else left * right)
    return one(-abs(stack[-1] - 1997), stack[-1] == 1997)


# Shares of ten stocks: high return at low risk, and the two conflict.

RETURN = [3, 9, 4, 12, 7, 15, 2, 8, 11, 5]
RISK = [1, 8, 2, 14, 5, 20, 1, 6, 11, 3]


def portfolio(shares: list[int]) -> Judged:
    gained = sum(r * s for r, s in zip(RETURN, shares))
    risk = sum(r * s * s for r, s in zip(RISK, shares))
    return {"return": gained, "safe": -risk}, gained >= 118 and risk <= 165


# A Fibonacci tree: the two subtrees of every node differ in height by exactly one.


def _trees(g: Any) -> Any:
    return g.recursive(g.just(None), lambda part: g.tuples(part, part))


def _measure(tree: Any) -> tuple[int, int, int]:
    """The height, the number of nodes whose subtrees differ by one, and the number of other nodes."""
    if tree is None:
        return 0, 0, 0
    if tree == (None, None):  # a node above two leaves cannot lean
        return 1, 0, 0
    (left, right_l, wrong_l), (right, right_r, wrong_r) = _measure(tree[0]), _measure(tree[1])
    lean = abs(left - right) == 1
    return 1 + max(left, right), right_l + right_r + lean, wrong_l + wrong_r + (not lean)


def leaning(tree: Any) -> Judged:
    height, right, wrong = _measure(tree)
    return one(right - 2 * wrong, height >= 6 and not wrong)


# A password checker that says how many letters are in the right place, weighted towards the front.

SECRET = "open-sesame-42"


def password(text: str) -> Judged:
    right = 0
    for given, wanted in zip(text, SECRET):
        if given != wanted:
            break
        right += 1
    return one(right - abs(len(text) - len(SECRET)) / 100, text == SECRET)


_ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789-"

PROBLEMS = [
    Problem("rectangles", _rectangles, depth),
    Problem("quoted fields", lambda g: g.text('ab", ', max_size=40), quoted),
    Problem("Fridays", lambda g: g.tuples(*(g.dates(date(1900, 1, 1), date(2099, 12, 31)),) * 3), fridays),
    Problem("determinant", lambda g: g.lists(g.integers(0, 9), min_size=9, max_size=9), determinant),
    Problem("Beale, turned", lambda g: g.tuples(*(g.floats(-4.5, 4.5),) * 2), turned),
    Problem("assignment", lambda g: g.permutations(list(range(7))), assignment),
    Problem("stack machine", _programs, machine),
    Problem("portfolio", lambda g: g.lists(g.integers(0, 9), min_size=10, max_size=10), portfolio),
    Problem("leaning tree", _trees, leaning),
    Problem("password", lambda g: g.text(_ALPHABET, max_size=30), password),
]


def _leaning(height: int) -> Any:
    return None if height <= 0 else (_leaning(height - 1), _leaning(height - 2))


#: One answer for each problem that has no obvious one.
WITNESSES: dict[str, Any] = {
    "rectangles": [(0, 0, 1, 1)] * 8,
    "quoted fields": '"""","""","""",""""',
    "Fridays": (date(2009, 2, 13), date(2009, 3, 13), date(2009, 11, 13)),
    "determinant": [9, 9, 0, 0, 9, 9, 9, 0, 9],
    "Beale, turned": (3 * 0.8660254 + 0.25, -1.5 + 0.5 * 0.8660254),
    "assignment": list(min(permutations(range(7)), key=_carried)),
    "stack machine": [
        *(("push", 4), ("push", 7), ("mul", None), ("push", 3), ("add", None)),
        *(("push", 8), ("mul", None), ("push", 1), ("add", None)),
        *(("push", 8), ("mul", None), ("push", 5), ("add", None)),
    ],
    "portfolio": [3, 2, 3, 1, 2, 1, 2, 2, 1, 2],
    "leaning tree": _leaning(6),
    "password": SECRET,
}


def main(problems: list[Problem] = PROBLEMS, witnesses: dict[str, Any] = WITNESSES) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--witness", action="store_true", help="check that each witness is an answer")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--only", default="", help="only problems whose name contains this text")
    arguments = parser.parse_args()
    for problem in problems:
        if arguments.only not in problem.name:
            continue
        if arguments.witness:
            if problem.name in witnesses:
                print(f"{problem.name:16}", problem.judge(witnesses[problem.name]))
            continue
        ours = [tests_needed(problem, Auto(), seed) for seed in range(arguments.seeds)]
        visible = [hypothesis_needed(problem, seed) for seed in range(3)]
        with without_constants():
            hidden = [hypothesis_needed(problem, seed) for seed in range(3)]
        cells = [_cell(ours), _cell(visible), _cell(hidden)]
        print(f"{problem.name:16}" + "".join(f"{cell:>16}" for cell in cells), flush=True)
    if not arguments.witness:
        print(
            f"default, Hypothesis, Hypothesis without constants (at most {HYPOTHESIS_CAP:,} tests, 3 seeds)"
        )


def _cell(needed: list[int | None]) -> str:
    """How many seeds found it, and the mean number of tests of those seeds."""
    found = [tests for tests in needed if tests is not None]
    return f"{len(found)}/{len(needed)}" + (f" {sum(found) / len(found):,.0f}" if found else "")


def run() -> None:
    main()
