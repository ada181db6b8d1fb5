"""Covering arrays: rows and CPU seconds, compared with the tools on PyPI and the published row counts of PICT and jenny.

    python benchmarks/arrays.py [--limit 20] [--only TEXT] [--classical | --growth docs/figures/growth.svg]

Every cell runs in its own process with a CPU limit, so no tool benefits from what another has loaded. Imports are not
counted (the last lines show ours). A cell that takes less than half a second is run three times, and the best time is
shown; this applies to every tool. "!" marks rows that are not a covering array: they break a constraint or miss
combinations that a valid row can hold. The check here uses nothing but sets. The row counts of PICT and jenny were
measured once and are constants. If ``$PICT`` (or ``pict`` on the path) is a PICT that can be run, it is measured next
to ours and checked like the others. "-" means that the tool cannot express the model, ">" that it ran out of time.
The columns "goal" hold our own goals: "MISSED" marks a goal that is missed, and "behind" marks a model for which a
peer with a complete array has fewer rows or needs less time.

``--classical`` measures 40 uniform arrays at ``effort="best"`` against the best known sizes (Colbourn's tables as of
November 2024), each within 60 CPU seconds. It takes about half an hour.

``--growth`` draws rows and CPU seconds for 10 to 1,000 columns of two levels at strength 2, and for up to 160 columns
at strength 3.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from math import prod
from pathlib import Path
from random import Random
from typing import Any

from growth_chart import growth_chart
from measuring import table, versions

TCAS = (10, 10, 4, 3, 3, 2, 2, 2, 2, 2, 2, 2)
PEERS = ("allpairspy", "covertable", "testflows")


@dataclass(frozen=True)
class Case:
    """A model with numbered levels, a strength, the forms that other tools need, and our goals."""

    name: str
    levels: tuple[int, ...]
    strength: int
    rows_goal: int | None = None
    seconds_goal: float | None = None
    pict: str = ""
    jenny: str = ""
    forbidden: tuple[dict[int, int], ...] = ()
    group: tuple[int, ...] = ()
    radix: bool = False
    effort: str = "quick"
    peers: tuple[str, ...] = field(default=PEERS)


def constraint_model() -> tuple[dict[int, int], ...]:
    data = json.loads((Path(__file__).parent.parent / "tests/arrays/constraint-model.json").read_text())
    return tuple({item["parameter"]: item["value"] for item in line} for line in data["forbidden"])


def sixty_parameters() -> tuple[tuple[int, ...], tuple[dict[int, int], ...]]:
    dice = Random(2023)
    levels = tuple(dice.randint(2, 6) for _ in range(60))
    forbidden = []
    for _ in range(100):
        columns = dice.sample(range(60), dice.randint(2, 4))
        forbidden.append({column: dice.randrange(levels[column]) for column in columns})
    return levels, tuple(forbidden)


#: levels, columns, strength, and the fewest rows known
CLASSICAL = [
    *[
        (2, 10, 2, 6),
        (2, 100, 2, 10),
        (3, 4, 2, 9),
        (3, 5, 2, 11),
        (3, 7, 2, 12),
        (3, 9, 2, 13),
        (3, 10, 2, 14),
    ],
    *[
        (3, 13, 2, 15),
        (3, 20, 2, 15),
        (3, 40, 2, 18),
        (4, 5, 2, 16),
        (4, 6, 2, 19),
        (4, 7, 2, 21),
        (4, 9, 2, 22),
    ],
    *[
        (4, 12, 2, 24),
        (5, 6, 2, 25),
        (5, 7, 2, 29),
        (5, 10, 2, 36),
        (6, 4, 2, 37),
        (6, 8, 2, 42),
        (7, 8, 2, 49),
    ],
    *[(10, 10, 2, 115), (2, 5, 3, 10), (2, 11, 3, 12), (2, 12, 3, 15), (2, 16, 3, 17), (2, 20, 3, 18)],
    *[
        (3, 4, 3, 27),
        (3, 6, 3, 33),
        (3, 8, 3, 42),
        (4, 6, 3, 64),
        (4, 8, 3, 88),
        (5, 6, 3, 125),
        (5, 10, 3, 185),
    ],
    *[(6, 6, 3, 258), (2, 6, 4, 21), (2, 12, 4, 24), (3, 5, 4, 81), (3, 6, 4, 111), (2, 7, 5, 42)],
]


def product_line(
    levels: list[tuple[int, int]], forbidden: list[tuple[int, int]], seed: int
) -> tuple[tuple[int, ...], tuple[dict[int, int], ...]]:
    """A model shaped like a configurable program: many columns of two levels and a few small constraints."""
    dice = Random(seed)
    every = tuple(count for count, columns in levels for _ in range(columns))
    lines = []
    for size, times in forbidden:
        for _ in range(times):
            lines.append({c: dice.randrange(every[c]) for c in dice.sample(range(len(every)), size)})
    return every, tuple(lines)


def large_cases() -> list[Case]:
    """Models shaped like product lines, and models with many columns. PICT's rows were counted once."""
    apache = product_line([(2, 158), (3, 8), (4, 4), (5, 1), (6, 1)], [(2, 3), (3, 1), (4, 2), (5, 1)], 7)
    compiler = product_line([(2, 189), (3, 10)], [(2, 37), (3, 3)], 9)
    mixed = product_line([(2, 178), (3, 5), (4, 3)], [(2, 50)], 16)
    none: tuple[str, ...] = ()
    return [
        Case("172 par., 7 forbidden", apache[0], 2, 39, None, "39", "", apache[1], peers=none),
        Case("199 par., 40 forbidden", compiler[0], 2, 26, None, "26", "", compiler[1], peers=none),
        Case("186 par., 50 forbidden", mixed[0], 2, 33, None, "33", "", mixed[1], peers=none),
        Case("2^500", (2,) * 500, 2, 20, None, "20", peers=none),
        Case("2^1000", (2,) * 1000, 2, 22, None, "22", peers=none),
        Case("3^200", (3,) * 200, 2, 37, None, "37", peers=none),
        Case("2^160", (2,) * 160, 3, 55, None, "55", peers=none),
    ]


def classical_cases() -> list[Case]:
    none: tuple[str, ...] = ()
    return [
        Case(f"{levels}^{columns}", (levels,) * columns, strength, best, 60, effort="best", peers=none)
        for levels, columns, strength, best in CLASSICAL
    ]


def growth_cases() -> list[Case]:
    """A growing number of two-level columns under a few constraints, as in a configurable program."""
    found = []
    for strength, widths in ((2, (10, 20, 50, 100, 200, 500, 1000)), (3, (10, 20, 40, 80, 160))):
        for width in widths:
            levels, lines = product_line([(2, width)], [(2, width // 10)], width)
            name = f"{width} columns"
            found.append(Case(name, levels, strength, forbidden=lines, peers=()))
    return found


def cases(table: str = "tools") -> list[Case]:
    if table == "classical":
        return classical_cases()
    if table == "growth":
        return growth_cases()
    sixty, hundred = sixty_parameters()
    pairs = ("allpairspy", "covertable")
    large = (1001,) * 6 + (2, 2, 2, 4, 3, 3)
    return [
        Case("TCAS", TCAS, 2, 100, None, "100", "108"),
        Case("TCAS", TCAS, 3, 400, None, "401", "411"),
        Case("TCAS", TCAS, 4, 1330, 1, "1370", "1525"),
        Case("TCAS", TCAS, 5, 4230, 4, "4262", "4671"),
        Case("TCAS", TCAS, 6, None, 30, "> 90 s", "> 80 s"),
        Case("10^10", (10,) * 10, 2, 120, None, "166", "158"),
        Case("2^100", (2,) * 100, 2, 10, None, "16", "16"),
        Case("3^50", (3,) * 50, 2, 27, None, "27", "28"),
        Case("4^20", (4,) * 20, 3, 205, 1, "223", "205"),
        Case("5^10", (5,) * 10, 4, 1710, None, "1811", "1710"),
        Case("4^12, 26 forbidden", (4,) * 12, 2, 35, 0.5, "35", "32", constraint_model(), peers=pairs),
        Case("4^12, 26 forbidden", (4,) * 12, 3, 185, 2, "185", "169", constraint_model(), peers=pairs),
        Case("60 par., 100 forbidden", sixty, 2, None, 10, "", "", hundred, peers=pairs),
        Case(
            "3^15 + 3 on six", (3,) * 15, 2, 48, None, "141", "", group=tuple(range(6)), peers=("covertable",)
        ),
        Case("radix 6 x 0..1000", large, 2, 1010, 1, radix=True, peers=()),
        Case("radix 6 x 0..1000", large, 3, 1010, 5, radix=True, peers=()),
        *large_cases(),
    ]


# --- one cell, in its own process -----------------------------------------------------------------------


def everycase(case: Case) -> Callable[[], list[Sequence[int]]]:
    from everycase.arrays import Model, covering_array, forbid

    names = [f"p{i}" for i in range(len(case.levels))]
    forbidden = [forbid(**{names[c]: v for c, v in line.items()}) for line in case.forbidden]
    groups = {tuple(names[c] for c in case.group): 3} if case.group else None
    values = {name: range(n) for name, n in zip(names, case.levels)}

    def work() -> list[Sequence[int]]:
        model = Model(values, forbidden, groups)
        radix = "auto" if case.radix else None
        rows = covering_array(model, case.strength, radix=radix, effort=case.effort)
        return list(rows.tuples())

    return work


def allpairspy(case: Case) -> Callable[[], list[Sequence[int]]]:
    from allpairspy import AllPairs

    def fine(row: Sequence[int]) -> bool:
        return not any(all(c < len(row) and row[c] == v for c, v in line.items()) for line in case.forbidden)

    values = [list(range(n)) for n in case.levels]
    filtering = {"filter_func": fine} if case.forbidden else {}
    return lambda: [list(row) for row in AllPairs(values, n=case.strength, **filtering)]


def covertable(case: Case) -> Callable[[], list[Sequence[int]]]:
    from covertable import make

    options: dict[str, Any] = {"strength": case.strength}
    if case.forbidden:
        options["constraints"] = [
            {
                "operator": "or",
                "conditions": [{"operator": "ne", "left": f"p{c}", "value": v} for c, v in line.items()],
            }
            for line in case.forbidden
        ]
    if case.group:
        options["sub_models"] = [{"fields": [f"p{c}" for c in case.group], "strength": 3}]
    values = {f"p{i}": list(range(n)) for i, n in enumerate(case.levels)}
    return lambda: [[row[name] for name in values] for row in make(values, **options)]


def testflows(case: Case) -> Callable[[], list[Sequence[int]]]:
    from testflows.combinatorics import CoveringArray

    values = {i: list(range(n)) for i, n in enumerate(case.levels)}
    return lambda: [
        [row[i] for i in range(len(values))] for row in CoveringArray(values, strength=case.strength)
    ]


def pict(case: Case) -> Callable[[], list[Sequence[int]]]:
    """Run PICT itself, one process per call. Its CPU seconds are those of the child processes."""
    lines = [f"p{i}: {', '.join(map(str, range(n)))}" for i, n in enumerate(case.levels)]
    if case.group:
        lines.append(f"{{ {', '.join(f'p{c}' for c in case.group)} }} @ 3")
    lines += [" OR ".join(f"[p{c}] <> {v}" for c, v in line.items()) + ";" for line in case.forbidden]

    def work() -> list[Sequence[int]]:
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write("\n".join(lines) + "\n")
            file.flush()
            command = [pict_program() or "pict", file.name, f"/o:{case.strength}"]
            output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        return [[int(cell) for cell in line.split("\t")] for line in output.strip().split("\n")[1:]]

    return work


def pict_program() -> str | None:
    return os.environ.get("PICT") or shutil.which("pict")


TOOLS = {
    "everycase": everycase,
    "allpairspy": allpairspy,
    "covertable": covertable,
    "testflows": testflows,
    "PICT": pict,
}


def cpu_time() -> float:
    """CPU seconds of this process and of its children that have ended."""
    try:
        import resource
    except ImportError:
        return time.process_time()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + used.ru_utime + used.ru_stime


def run_cell(tool: str, case: Case) -> dict[str, Any]:
    work = TOOLS[tool](case)
    best: float | None = None
    for _ in range(3):
        before = cpu_time()
        rows = work()
        seconds = cpu_time() - before
        best = seconds if best is None else min(best, seconds)
        if seconds > 0.5:
            break
    return {"rows": len(rows), "seconds": best, "wrong": wrong_with(case, rows)}


def wrong_with(case: Case, rows: Sequence[Sequence[int]]) -> str:
    """Why the rows are not the requested array; empty if they are."""
    for row in rows:
        if any(all(row[c] == v for c, v in line.items()) for line in case.forbidden):
            return "invalid row"
    columns = [[row[c] for row in rows] for c in range(len(case.levels))]
    if case.radix:  # the tests check the digits; this only checks that every value occurs
        return (
            "" if all(len(set(column)) == n for column, n in zip(columns, case.levels)) else "value missing"
        )
    missing = 0
    for chosen in wanted(case):
        seen = set(zip(*(columns[c] for c in chosen)))
        if len(seen) < prod(case.levels[c] for c in chosen):
            for values in product(*(range(case.levels[c]) for c in chosen)):
                missing += values not in seen and possible(case, dict(zip(chosen, values)))
    return f"{missing} missing" if missing else ""


def wanted(case: Case) -> Iterator[tuple[int, ...]]:
    yield from combinations(range(len(case.levels)), case.strength)
    if case.group:
        yield from combinations(case.group, 3)


def possible(case: Case, row: dict[int, int]) -> bool:
    """Whether some valid row holds these values. Depth first; the next level comes from an unfinished clause."""
    for line in case.forbidden:
        if all(row.get(c) == v for c, v in line.items()):
            return False
    for line in case.forbidden:
        open_columns = [c for c in line if c not in row]
        if len(open_columns) == 1 and all(row[c] == v for c, v in line.items() if c in row):
            column = open_columns[0]
            return any(possible(case, {**row, column: v}) for v in range(case.levels[column]))
    touched = [c for line in case.forbidden for c in line if c not in row]
    if not touched:
        return True
    return any(possible(case, {**row, touched[0]: v}) for v in range(case.levels[touched[0]]))


# --- the table ------------------------------------------------------------------------------------------


def measure(tool: str, number: int, limit: float, table: str) -> dict[str, Any] | None:
    """Measure a cell in its own process. None if it exceeds the limit (in CPU seconds, plus some for the check)."""
    command = [sys.executable, __file__, "--cell", tool, table, str(number), "--limit", str(limit)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        return None
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def limited(seconds: float) -> None:
    """Let the system end this process after this many CPU seconds, on systems that can."""
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 1))


def shown(cell: dict[str, Any] | None, limit: float) -> tuple[str, str]:
    if cell is None:
        return f"> {limit:g} s", ""
    return f"{cell['rows']}{'!' if cell['wrong'] else ''}", f"{cell['seconds']:.3f}"


def line_of(number: int, case: Case, limit: float, table: str) -> list[object]:
    ours = measure("everycase", number, 120, table)
    if ours is None:
        raise SystemExit(f"everycase failed on {case.name}, strength {case.strength}")
    verdict = []
    if ours["wrong"]:
        verdict.append(f"WRONG: {ours['wrong']}")
    if case.rows_goal is not None and ours["rows"] > case.rows_goal:
        verdict.append("rows MISSED")
    if case.seconds_goal is not None and ours["seconds"] > case.seconds_goal:
        verdict.append("time MISSED")
    cells: list[object] = []
    for peer in PEERS:
        if peer not in case.peers:
            cells += ["-", ""]
            continue
        cell = measure(peer, number, limit, table)
        cells += shown(cell, limit)
        if cell is not None and not cell["wrong"]:
            if cell["rows"] < ours["rows"]:
                verdict.append(f"behind {peer} in rows")
            if cell["seconds"] < ours["seconds"]:
                verdict.append(f"behind {peer} in time")
    rival = [case.pict, ""]
    if pict_program() and not case.radix and table != "classical":
        cell = measure("PICT", number, limit, table)
        rival = list(shown(cell, limit))
        if cell is not None and cell["seconds"] * 3 < ours["seconds"]:
            verdict.append(f"{ours['seconds'] / max(cell['seconds'], 1e-3):.0f}x PICT's time")
    for tool, rows in (("PICT", rival[0]), ("jenny", case.jenny)):
        if rows.isdigit() and int(rows) < ours["rows"]:
            verdict.append(f"behind {tool} in rows")
    goal = "" if case.rows_goal is None else str(case.rows_goal)
    within = "" if case.seconds_goal is None else f"{case.seconds_goal:g}"
    start: list[object] = [case.name, case.strength, ours["rows"], goal, f"{ours['seconds']:.3f}", within]
    return [*start, *cells, *rival, case.jenny, ", ".join(verdict) or "best"]


def draw_growth(path: Path, limit: float) -> None:
    """Measure the growth, print it, and draw it."""
    tools = ["everycase", *(["PICT"] if pict_program() else [])]
    measured: dict[str, dict[tuple[int, int], tuple[int, float]]] = {tool: {} for tool in tools}
    lines: list[list[object]] = []
    for number, case in enumerate(growth_cases()):
        line: list[object] = [case.strength, len(case.levels), len(case.forbidden)]
        for tool in tools:
            cell = measure(tool, number, limit, "growth")
            line += shown(cell, limit)
            if cell is not None and not cell["wrong"]:
                measured[tool][case.strength, len(case.levels)] = cell["rows"], cell["seconds"]
        lines.append(line)
    head = ["t", "columns", "forbidden pairs"]
    for tool in tools:
        head += [tool, "CPU s"]
    print(table(head, lines))
    path.write_text(growth_chart(measured))


def mutants_on_radix_rows() -> str:
    """CPU seconds to test all versions of TCAS on the rows of the radix array."""
    sys.path.insert(0, str(Path(__file__).parent.parent / "examples"))
    import tcas

    from everycase.arrays import covering_array

    rows = covering_array(tcas.RANGE, 2, radix="auto").tuples()
    before = time.process_time()
    found = tcas.killed(rows)
    return f"TCAS, {len(tcas.FAULTS)} faulty versions on {len(rows):,} radix rows: {len(found)} found, {time.process_time() - before:.2f} s (goal 10)"


def main() -> None:
    parser = argparse.ArgumentParser(description="Covering arrays against other tools")
    parser.add_argument("--limit", type=float, default=20, help="CPU seconds for a peer's cell")
    parser.add_argument("--only", default="", help="only models whose name contains this text")
    parser.add_argument(
        "--classical", action="store_true", help="40 uniform arrays against the best known sizes"
    )
    parser.add_argument("--growth", metavar="FILE.svg", help="rows and seconds by the number of columns")
    parser.add_argument("--cell", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.cell:
        tool, kind, number = options.cell
        limited(options.limit if tool != "everycase" else 600)
        print(json.dumps(run_cell(tool, cases(kind)[int(number)])))
        return
    if options.growth:
        draw_growth(Path(options.growth), options.limit)
        return
    kind = "classical" if options.classical else "tools"
    print(versions("numpy", "python-sat", "allpairspy", "covertable", "testflows.combinatorics"))
    lines = [
        line_of(number, case, options.limit, kind)
        for number, case in enumerate(cases(kind))
        if options.only.lower() in case.name.lower()
    ]
    head = ["model", "t", "rows", "goal", "CPU s", "goal"]
    for peer in PEERS:
        head += [peer, "CPU s"]
    print(table([*head, "PICT", "CPU s", "jenny", "verdict"], lines))
    print()
    print(mutants_on_radix_rows())
    importing = (
        "import time; t = time.process_time(); import everycase.arrays; print(time.process_time() - t)"
    )
    result = subprocess.run([sys.executable, "-c", importing], capture_output=True, text=True, check=True)
    print(
        f"import everycase.arrays, with NumPy: {float(result.stdout):.2f} s (not included in the figures above)"
    )


if __name__ == "__main__":
    main()
