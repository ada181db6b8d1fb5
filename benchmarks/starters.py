"""Search for the starters of small covering arrays, and print the table of ``everycase.arrays.algebra.starters``.

    python benchmarks/starters.py [--only 3^20] [--seconds 60] [--seed 1]

Each line of ``SEARCHES`` names a group to try: the cycles that rotate columns and symbols, and the symbols whose constant
rows are added. The groups that work were found by trying many. The search itself is in ``starters.cpp`` and needs a C++
compiler (``$CXX`` or c++). The arrays are checked here against the definition, using nothing but sets.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import tempfile
import time
from itertools import combinations, product
from pathlib import Path

import numpy as np

from everycase.arrays.algebra.starters import Starters
from everycase.arrays.problem import Problem

#: strength, cycles of the columns, cycles of the symbols, constant rows, number of starters
SEARCHES: list[tuple[int, tuple[int, ...], tuple[int, ...], tuple[int, ...], int]] = [
    (2, (5,), (2, 1), (2,), 1),
    (2, (3, 3, 1), (3,), (), 4),
    (2, (3, 3, 3), (1, 1, 1), (2,), 4),
    (2, (5, 5, 5, 5), (1, 1, 1), (), 3),
    (2, (6,), (3, 1), (3,), 3),
    (2, (7,), (1, 1, 1, 1), (), 3),
    (2, (3, 3, 3), (1, 1, 1, 1), (3,), 7),
    (2, (7,), (4, 1), (4,), 1),
    (2, (9, 1), (3, 1, 1), (), 4),
    (3, (11,), (1, 1), (1,), 1),
    (3, (16,), (1, 1), (1,), 1),
    (3, (5, 1), (3,), (0, 1, 2), 2),
    (3, (7, 1), (3, 1), (0, 1, 2, 3), 4),
    (4, (5, 1), (1, 1), (1,), 4),
    (4, (11, 1), (2,), (0, 1), 1),
    (4, (2, 2, 2), (3,), (0, 1, 2), 18),
    (5, (7,), (2,), (), 3),
]


def search(program: Path, wanted: Starters, count: int, seed: int, seconds: float) -> Starters | None:
    """The entry with its rows; None if none are found in time."""
    problem = Problem.of((wanted.levels,) * wanted.width, [(range(wanted.width), wanted.strength)])
    classes = wanted.group.classes(problem, wanted.strength)
    numbers = np.where(classes.wanted, np.cumsum(classes.wanted) - 1, -1)[classes.of[:-1]]
    arguments = [wanted.levels, wanted.width, wanted.strength, count, seed, seconds]
    result = subprocess.run(
        [program, *map(str, arguments)],
        input=" ".join(map(str, numbers.tolist())),
        capture_output=True,
        text=True,
        check=False,
    )
    if result.returncode:
        return None
    found = tuple(result.stdout.split())
    return Starters(wanted.strength, wanted.columns, wanted.symbols, wanted.constants, found)


def check(starters: Starters) -> None:
    rows = starters.array().tolist()
    for chosen in combinations(range(starters.width), starters.strength):
        seen = {tuple(row[column] for column in chosen) for row in rows}
        assert seen == set(product(range(starters.levels), repeat=starters.strength))


def main() -> None:
    parser = argparse.ArgumentParser(description="Starters of small covering arrays")
    parser.add_argument("--only", default="", help="only arrays whose name contains this text, such as 3^20")
    parser.add_argument("--seconds", type=float, default=60, help="CPU seconds for each array")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "starters"
        compiler = os.environ.get("CXX", "c++")
        source = Path(__file__).with_suffix(".cpp")
        subprocess.run([compiler, "-std=c++17", "-O3", source, "-o", program], check=True)
        for strength, columns, symbols, constants, count in SEARCHES:
            wanted = Starters(strength, columns, symbols, constants, ())
            name = f"{wanted.levels}^{wanted.width}, strength {strength}"
            if options.only not in name:
                continue
            before = time.monotonic()
            found = search(program, wanted, count, options.seed, options.seconds)
            spent = f"{time.monotonic() - before:.1f} s"
            if found is None:
                print(f"# {name}: none in {spent}", flush=True)
                continue
            check(found)
            print(f"# {name}: {len(found.array())} rows, {spent}")
            print(f"Starters({strength}, {columns}, {symbols}, {constants}, {found.rows}),", flush=True)


if __name__ == "__main__":
    main()
