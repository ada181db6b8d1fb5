"""A fifth set of ten search problems, written before their author had read the search or the suite.

It is run once on finished code, with the default search and with Hypothesis' ``target()``. The results are reported
unchanged.

    python benchmarks/targeted_held_out.py fifth            # the default, compared with Hypothesis
    python benchmarks/targeted_held_out.py fifth --witness  # only check that each problem has an answer
"""

from __future__ import annotations

import math
import random
from itertools import combinations
from typing import Any

from targeted_sets.fourth import main
from targeted_suite import Judged, Problem, one

# A long palindrome of five different letters.


def palindrome(text: str) -> Judged:
    best, longest, letters = 0, 0, 0
    for middle in range(2 * len(text)):
        left, right = (middle + 1) // 2, middle // 2 + 1
        while left > 0 and right < len(text) and text[left - 1] == text[right]:
            left, right = left - 1, right + 1
        different = len(set(text[left:right]))
        if right - left + min(different, 5) > best:
            best, longest, letters = right - left + min(different, 5), right - left, different
    return one(best, longest >= 15 and letters >= 5)


# A disk that serves the nearest request first makes distant requests wait.


def starvation(requests: list[tuple[int, int]]) -> Judged:
    waiting, head, now, longest = sorted(requests), 50, 0, 0
    passed = [0] * len(waiting)
    left = list(range(len(waiting)))
    while left:
        here = [i for i in left if waiting[i][0] <= now]
        if not here:
            now += 1
            continue
        served = min(here, key=lambda i: abs(waiting[i][1] - head))
        left.remove(served)
        longest = max(longest, passed[served])
        for i in here:
            passed[i] += 1
        head, now = waiting[served][1], now + 1
    return one(longest, longest >= 12)


# A circle through six points.

CIRCLE = [
    (13.7 + 27.5 * math.cos(angle), -41.2 + 27.5 * math.sin(angle)) for angle in (0.1, 0.9, 2, 3.3, 4, 6)
]


def circle(guess: tuple[float, float, float]) -> Judged:
    x, y, radius = guess
    error = sum(abs(math.hypot(x - a, y - b) - radius) for a, b in CIRCLE)
    return one(-error, error < 1e-3)


# The numbers from 1 to 9 as a magic square.

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def magic(cells: list[int]) -> Judged:
    wrong = sum(abs(sum(cells[i] for i in line) - 15) for line in LINES)
    return one(-wrong, wrong == 0)


# Packages that are installed in rounds: a package can be installed once its dependencies are.


def rounds(packages: dict[int, list[int]]) -> Judged:
    missing, count = dict(packages), 0
    while ready := [name for name, needs in missing.items() if not any(need in missing for need in needs)]:
        count += 1
        for name in ready:
            del missing[name]
    return one(count, count >= 12)


# An editor with undo and redo: ten steps to redo, five to undo.


def _sessions(g: Any) -> Any:
    @g.composite
    def sessions(draw: Any) -> Any:
        undo, redo, steps = 0, 0, []
        for _ in range(draw(g.integers(0, 40))):
            step = draw(
                g.sampled_from(["type", "cut", *["undo"] * (undo > 0), *["redo"] * (redo > 0), "save"])
            )
            if step in ("type", "cut"):
                undo, redo = undo + 1, 0
            elif step == "save":
                undo = redo = 0
            else:
                by = 1 if step == "redo" else -1
                undo, redo = undo + by, redo - by
            steps.append((step, draw(g.characters(codec="ascii")) if step == "type" else None))
        return steps

    return sessions()


def editor(steps: list[tuple[str, str | None]]) -> Judged:
    undo = redo = 0
    for step, _ in steps:
        if step in ("type", "cut"):
            undo, redo = undo + 1, 0
        elif step == "save":
            undo = redo = 0
        else:
            by = 1 if step == "redo" else -1
            undo, redo = undo + by, redo - by
    return one(min(redo, 10) + min(undo, 5), redo >= 10 and undo >= 5)


# A few sets that cover everything: five are enough, and nineteen others distract.


def _sets() -> list[frozenset[int]]:
    dice = random.Random(5)
    everything = list(range(40))
    dice.shuffle(everything)
    parts = [frozenset(everything[i : i + 8]) for i in range(0, 40, 8)]
    parts += [frozenset(dice.sample(everything, 7)) for _ in range(19)]
    dice.shuffle(parts)
    return parts


SETS = _sets()


def cover(taken: list[bool]) -> Judged:
    chosen = [part for part, take in zip(SETS, taken) if take]
    covered = len(frozenset().union(*chosen))
    return {"covered": covered, "few": -len(chosen)}, covered == 40 and len(chosen) <= 5


# The time at which the three hands of a clock point in the most different directions.


def hands(milliseconds: int) -> Judged:
    seconds = milliseconds / 1000
    angles = [seconds / 43_200 % 1, seconds / 3_600 % 1, seconds / 60 % 1]
    apart = [abs(a - b) for a, b in combinations(angles, 2)]
    least = min(min(gap, 1 - gap) for gap in apart) * 360
    return one(least, least >= 119.7)


# A path on a grid that does not cross itself and takes a detour to its goal.


def detour(data: Any, g: Any) -> Judged:
    x = y = 0
    visited = {(0, 0)}
    for steps in range(40):  # noqa: B007 - read after the loop
        step = data.draw(g.sampled_from("NESW."))
        if step == ".":
            break
        x, y = x + (step == "E") - (step == "W"), y + (step == "N") - (step == "S")
        if (x, y) in visited:
            return one(-40, False)
        visited.add((x, y))
    else:
        steps = 40
    away = abs(x - 6) + abs(y - 6)
    return one(min(steps, 20) - 2 * away, away == 0 and steps >= 20)


# Records in bytes: a length, that many bytes, and the last four bits of their sum.


def records(raw: bytes) -> Judged:
    good, place = 0, 0
    while place < len(raw) and raw[place] >= 2 and place + raw[place] < len(raw):
        *payload, last = raw[place + 1 : place + 1 + raw[place]]
        if sum(payload) % 16 != last:
            break
        good, place = good + 1, place + 1 + raw[place]
    return one(good, good >= 6)


PROBLEMS = [
    Problem("palindrome", lambda g: g.text("abcdefgh", max_size=40), palindrome),
    Problem(
        "starvation",
        lambda g: g.lists(g.tuples(g.integers(0, 15), g.integers(0, 99)), max_size=16),
        starvation,
    ),
    Problem("circle", lambda g: g.tuples(g.floats(-100, 100), g.floats(-100, 100), g.floats(0, 100)), circle),
    Problem("magic square", lambda g: g.permutations(list(range(1, 10))), magic),
    Problem(
        "installation",
        lambda g: g.dictionaries(g.integers(0, 19), g.lists(g.integers(0, 19), max_size=3), max_size=20),
        rounds,
    ),
    Problem("editor", _sessions, editor),
    Problem("set cover", lambda g: g.lists(g.booleans(), min_size=24, max_size=24), cover),
    Problem("hands", lambda g: g.integers(0, 43_199_999), hands),
    Problem("detour", lambda g: g.data(), detour, draws=True),
    Problem("records", lambda g: g.binary(max_size=40), records),
]


#: One answer for each problem; "detour" draws its own input.
WITNESSES: dict[str, Any] = {
    "palindrome": "abcdeabcbaedcba",
    "starvation": [(0, 0), *((t, 50) for t in range(14))],
    "circle": (13.7, -41.2, 27.5),
    "magic square": [2, 7, 6, 9, 5, 1, 4, 3, 8],
    "installation": {i: [i - 1] for i in range(1, 14)},
    "editor": [("type", "a")] * 15 + [("undo", None)] * 10,
    "set cover": [len(part) == 8 for part in SETS],
    "hands": max(range(0, 43_200_000, 250), key=lambda t: hands(t)[0][""]),
    "records": bytes([2, 1, 1]) * 6,
}


def run() -> None:
    main(PROBLEMS, WITNESSES)
