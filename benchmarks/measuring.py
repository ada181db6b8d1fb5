"""Helpers shared by all benchmarks: CPU time of a piece of code, versions of the peers, plain tables.

Every figure is the CPU time of this process (``time.process_time``). Every comparison is a ratio of two figures from the
same run, because machines differ and are noisy.
"""

from __future__ import annotations

import importlib.metadata
import platform
import time
from collections.abc import Callable, Sequence


def cpu_seconds(work: Callable[[], object]) -> float:
    """CPU seconds of one call."""
    started = time.process_time()
    work()
    return time.process_time() - started


def microseconds_per_call(work: Callable[[], object], *, seconds: float = 0.3, rounds: int = 5) -> float:
    """CPU microseconds per call of ``work``: the best of several rounds, because noise only ever adds time."""
    calls = 1
    while cpu_seconds(lambda: _repeat(work, calls)) < seconds / rounds / 4:
        calls *= 2
    return min(cpu_seconds(lambda: _repeat(work, calls)) for _ in range(rounds)) / calls * 1e6


def _repeat(work: Callable[[], object], calls: int) -> None:
    for _ in range(calls):
        work()


def versions(*packages: str) -> str:
    """One line: Python, everycase and the peers with their versions."""
    found = [f"Python {platform.python_version()}"]
    for package in ("everycase", *packages):
        try:
            found.append(f"{package} {importlib.metadata.version(package)}")
        except importlib.metadata.PackageNotFoundError:
            found.append(f"{package} not installed")
    return ", ".join(found)


def table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A plain text table with numbers aligned to the right."""
    cells = [[_cell(cell) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in [list(header), *cells]) for i in range(len(header))]
    lines = ["  ".join(title.ljust(width) for title, width in zip(header, widths))]
    lines.append("  ".join("-" * width for width in widths))
    for row, source in zip(cells, rows):
        lines.append(
            "  ".join(
                cell.rjust(width) if isinstance(value, int | float) else cell.ljust(width)
                for cell, width, value in zip(row, widths, source)
            )
        )
    return "\n".join(line.rstrip() for line in lines)


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:,.2f}" if abs(value) < 100 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) else str(value)
