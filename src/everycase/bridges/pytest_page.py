"""``pytest --everycase-report=FILE.html``: one page about all properties of a run.

Each test report carries the results of its properties as plain data, also from the workers of pytest-xdist.
The main process writes the page.

PYTEST_DONT_REWRITE (there are no asserts here to be rewritten)
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

#: The results of the properties of an item, as data.
RUNS = pytest.StashKey[list[dict[str, Any]]]()


class PageReport:
    """Collects the results of properties, and writes the page at the end."""

    def __init__(self, file: str) -> None:
        self.file = Path(file)
        self.runs: list[dict[str, Any]] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.runs += getattr(report, "everycase_runs", [])

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if hasattr(terminalreporter.config, "workerinput"):
            return
        from everycase.report.page import report_page

        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            self.file.write_text(report_page(self.runs, "What the tests did"), encoding="utf-8")
        except OSError as problem:
            terminalreporter.write_line(
                f"everycase: {self.file} could not be written: {problem.strerror}", red=True
            )
            return
        count = "1 property" if len(self.runs) == 1 else f"{len(self.runs):,} properties"
        terminalreporter.write_line(f"everycase: a page about {count} is in {self.file}")
