"""The composites of whole test suites: how many are read in full, run choice by choice, or not checked at all.

    python benchmarks/completeness.py suites --suites=FOLDER,FOLDER [--verbose]

The suites belong to other projects, so none is included here. Give folders with checked-out repositories whose tests can
be imported.
"""

from __future__ import annotations

import contextlib
import io
import multiprocessing
import re
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from measuring import table

from everycase.cli.gaps import ask_all

SECONDS = 4.0


def state_of(row: dict[str, Any]) -> str:
    """How a generator was checked."""
    if row["status"] == "error":
        return "file not imported" if row["name"] is None else "error"
    if row["status"] == "only run":  # nothing was promised that could be compared
        return "only run"
    if not row.get("checked", True) or row["status"] == "not checked":
        return "not checked"
    return "run" if row.get("unsupported") else "read"


def reason_of(row: dict[str, Any]) -> str:
    """Why it was not read, without the location and the names."""
    text = row.get("unsupported") or (row.get("notes") or [""])[0]
    text = re.sub(r"^.*line \d+, ", "", text)
    return re.sub(r"[:(,].*", "", text)[:60]


def rows_of(folder: str) -> list[dict[str, Any]]:
    """The verdicts on one suite."""
    with contextlib.redirect_stdout(io.StringIO()):
        return list(ask_all([Path(folder)], SECONDS, True, False))


def suites() -> None:
    """Print one line per suite, and the most frequent reasons.

    Each suite gets a process of its own: the tests of most projects are a package named ``tests``.
    """
    folders = [a.split("=", 1)[1] for a in sys.argv if a.startswith("--suites=")]
    lines, reasons, totals = [], Counter[str](), Counter[str]()
    apart = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), max_tasks_per_child=1)
    for folder in [f for given in folders for f in given.split(",")]:
        rows = apart.submit(rows_of, folder).result()
        if "--verbose" in sys.argv:
            print(*(row.get("text") or f"{row['file']}: {row['notes']}" for row in rows), sep="\n")
        counts = Counter(state_of(row) for row in rows)
        totals += counts
        reasons.update(reason_of(row) for row in rows if state_of(row) in ("run", "only run", "not checked"))
        composites = sum(n for state, n in counts.items() if state != "file not imported")
        states = ("read", "run", "only run", "not checked", "error", "file not imported")
        lines.append([folder, str(composites), *(str(counts[s]) for s in states)])
    print(
        table(
            [
                "suite",
                "composites",
                "read in full",
                "run",
                "only run",
                "not checked",
                "error",
                "files not imported",
            ],
            lines,
        )
    )
    apart.shutdown()
    print(dict(totals))
    for reason, number in reasons.most_common(25):
        print(f"{number:4} {reason}")
