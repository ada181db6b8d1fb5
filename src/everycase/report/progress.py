"""One line on a terminal that shows the progress of a long run. It needs rich (the extra ``cli``), imported
when the line appears."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, TextIO

from everycase.run.report import Report

if TYPE_CHECKING:
    from rich.progress import Progress

#: Seconds between two updates, so that a test costs no more than a check of the clock.
EVERY = 0.1


class ProgressLine:
    """A line that is drawn at most ten times a second during the run, and erased at its end.

    It is drawn by the run itself, not by a thread: a process with threads must not be forked, and tests do
    that.
    """

    def __init__(
        self,
        file: TextIO,
        seconds: float | None,
        tests: int | None,
        *,
        name: str = "",
        after: float = 0.0,
        drawing: Callable[[], AbstractContextManager[object]] = nullcontext,
        begin: str = "",
        end: str = "",
    ) -> None:
        """The bar is full when the run has taken this many seconds or made this many tests (None: unknown).

        The line appears ``after`` a number of seconds, if ``file`` is a terminal. It is drawn inside
        ``drawing()``, where the terminal is accessible. ``begin`` is written before it appears, ``end`` when
        it is gone."""
        self._file = file
        self._name = name
        self._drawing, self._begin, self._end = drawing, begin, end
        self._seconds, self._most = seconds, tests
        self._started = time.perf_counter()
        self._next = self._started + after
        self._bar: Progress | None = None
        self._task: Any = None

    def __call__(self, report: Report, shrinking: bool = False) -> None:
        """Called by the run after every test or batch of tests."""
        now = time.perf_counter()
        if now < self._next:
            return
        with self._drawing():
            if self._bar is None and not self._start():
                self._next = math.inf
                return
            assert self._bar is not None
            of = f" of {self._most:,}" if self._most is not None else ""
            seconds = max(now - self._started, 1e-9)
            self._bar.update(
                self._task,
                completed=seconds if self._seconds is not None else report.examples,
                tests=f"{report.examples:,}{of} tests",
                rate="shrinking a failure" if shrinking else f"{report.examples / seconds:,.0f}/s",
                discarded=f"{report.discarded:,} discarded" if report.discarded else "",
                best=", ".join(
                    f"best {label or 'utility'} {value:g}" for label, value in report.best.items()
                ),
            )
            self._bar.refresh()
        self._next = now + EVERY

    def _start(self) -> bool:
        """Show the line; False if it cannot be shown."""
        try:
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
        except ImportError:
            return False
        console = Console(file=self._file)
        if not console.is_terminal or console.is_dumb_terminal:
            return False
        total = self._seconds if self._seconds is not None else self._most
        self._bar = Progress(
            *([TextColumn("{task.description}", markup=False)] if self._name else []),
            *([BarColumn(bar_width=24)] if total is not None else []),
            TextColumn("{task.fields[tests]}", markup=False),
            TextColumn("{task.fields[rate]}", markup=False),
            TextColumn("{task.fields[discarded]}", style="yellow", markup=False),
            TextColumn("{task.fields[best]}", style="green", markup=False),
            TimeElapsedColumn(),
            console=console,
            transient=True,
            auto_refresh=False,
        )
        self._task = self._bar.add_task(self._name, total=total, tests="", rate="", discarded="", best="")
        self._file.write(self._begin)
        self._bar.start()
        return True

    def __enter__(self) -> ProgressLine:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Erase the line."""
        bar, self._bar, self._next = self._bar, None, math.inf
        if bar is not None:
            with self._drawing():
                bar.stop()
                self._file.write(self._end)
                self._file.flush()
