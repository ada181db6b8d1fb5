"""A fourth set of problems for the shrinking benchmark, with shapes that the others lack. Only "digits that sum to ten"
was ever used for tuning.
"""

from __future__ import annotations

import datetime
import itertools
from typing import Any

from shrinking_sets.problems import Problem


def _accounts(g: Any) -> Any:
    """A starting balance and transfers, as records."""
    transfer = g.fixed_dictionaries({"amount": g.integers(-500, 500), "fee": g.integers(0, 10)})
    return g.tuples(g.integers(0, 1000), g.lists(transfer, max_size=20))


def _is_overdrawn(account: tuple[int, list[dict[str, int]]]) -> bool:
    balance, transfers = account
    for each in transfers:
        balance += each["amount"] - each["fee"]
        if balance < -100:
            return True
    return False


def _paths(g: Any) -> Any:
    return g.lists(g.text("ab/.", min_size=1, max_size=6), max_size=8).map("/".join)


def _leaves_the_root(path: str) -> bool:
    depth = 0
    for part in path.split("/"):
        depth += (part not in ("", ".", "..")) - (part == "..")
        if depth < 0:
            return True
    return False


def _grids(g: Any) -> Any:
    def made(draw: Any) -> list[list[bool]]:
        width = draw(g.integers(1, 6))
        return draw(g.lists(g.lists(g.booleans(), min_size=width, max_size=width), min_size=1, max_size=6))

    return g.composite(made)()


def _has_a_square(grid: list[list[bool]]) -> bool:
    return any(
        grid[r][c] and grid[r][c + 1] and grid[r + 1][c] and grid[r + 1][c + 1]
        for r in range(len(grid) - 1)
        for c in range(len(grid[0]) - 1)
    )


def _schedules(g: Any) -> Any:
    """A number of machines and jobs for them, each with a deadline after its start."""

    def made(draw: Any) -> tuple[int, list[tuple[int, int, int]]]:
        machines = draw(g.integers(1, 4))
        jobs = []
        for _ in range(draw(g.integers(0, 8))):
            start = draw(g.integers(0, 50))
            jobs.append((draw(g.integers(0, machines - 1)), start, draw(g.integers(start, 60))))
        return machines, jobs

    return g.composite(made)()


def _clashes(schedule: tuple[int, list[tuple[int, int, int]]]) -> bool:
    _, jobs = schedule
    return any(
        a[0] == b[0] and max(a[1], b[1]) < min(a[2], b[2]) for i, a in enumerate(jobs) for b in jobs[:i]
    )


def _stacks_too_high(word: str) -> bool:
    depth = 0
    for letter in word:
        depth += 1 if letter == "(" else -1
        if depth < 0:
            return False
        if depth == 4:
            return True
    return False


FOURTH = (
    Problem(
        "overdrawn account",
        _accounts,
        _is_overdrawn,
        ((0, [{"amount": -91, "fee": 10}]),),
    ),
    Problem("leaves the root", _paths, _leaves_the_root, ("..",)),
    Problem(
        "filled square",
        _grids,
        _has_a_square,
        ([[True, True], [True, True]],),
    ),
    Problem("clashing jobs", _schedules, _clashes, ((1, [(0, 0, 1), (0, 0, 1)]),)),
    Problem("deep brackets", lambda g: g.text("()", max_size=40), _stacks_too_high, ("((((",)),
    Problem(
        "mean of floats",
        lambda g: g.lists(g.floats(0, 1000), min_size=1, max_size=10),
        lambda xs: sum(xs) / len(xs) > 100,
        ([101.0],),
    ),
    Problem(
        "digits that sum to ten",
        lambda g: g.integers(0, 10**6),
        lambda n: sum(map(int, str(n))) >= 10,
        (19,),
    ),
    Problem(
        "leap day",
        lambda g: g.dates(),
        lambda d: d.month == 2 and d.day == 29,
        (datetime.date(2000, 2, 29),),
    ),
    Problem(
        "late key",
        lambda g: g.dictionaries(g.text("abc", max_size=4), g.integers(-50, 50), max_size=10),
        lambda d: any(key > "b" and value < -10 for key, value in d.items()),
        ({"ba": -11}, {"c": -11}),
    ),
    Problem(
        "three different",
        lambda g: g.lists(g.sampled_from(["north", "south", "east", "west"])),
        lambda xs: len(set(xs)) > 2,
        (["north", "south", "east"],),
    ),
    Problem(
        "gap of five",
        lambda g: g.lists(g.integers(0, 200), unique=True).map(sorted),
        lambda xs: any(b - a == 5 for a, b in itertools.pairwise(xs)),
        ([0, 5],),
    ),
    Problem(
        "either long or large",
        lambda g: g.one_of(g.lists(g.integers()), g.integers()),
        lambda v: len(v) > 4 if isinstance(v, list) else v > 10**4,
        ([0, 0, 0, 0, 0], 10001),
    ),
    Problem(
        "same twice, apart",
        lambda g: g.lists(g.integers(0, 1000)),
        lambda xs: any(x in xs[i + 2 :] for i, x in enumerate(xs) if x > 9),
        ([10, 0, 10],),
    ),
    Problem(
        "precondition in the middle",
        lambda g: g.tuples(g.integers(0, 10**4), g.lists(g.integers(0, 100))),
        lambda t: None if t[0] % 7 else t[0] > 500 and len(t[1]) > 1,
        ((504, [0, 0]),),
    ),
)
