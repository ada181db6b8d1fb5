"""``pytest --everycase-gaps``: after the run, reports what the generators of its properties can never
make."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from everycase.complete.frontend.source import innermost, is_composite
from everycase.complete.specification import specification_of
from everycase.complete.suite import Row, ask, summary
from everycase.errors import EverycaseError
from everycase.gen.graph import nodes
from everycase.gen.kinds import Composite
from everycase.run.property import PROPERTY

SECONDS = 5.0  # for each generator


class GapsReport:
    """Collects the composites that the properties draw from, and reports what they miss."""

    def __init__(self) -> None:
        self.used: dict[Any, Any] = {}

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        for item in session.items:
            function = getattr(item, "function", None)
            for source in (*_of_property(function), *_of_hypothesis(function)):
                for node in nodes(source):
                    if isinstance(node, Composite):
                        self._note(node.function)

    def _note(self, function: Any) -> None:
        """The decorated function that this one is inside of, by its name in its module."""
        home = sys.modules.get(getattr(function, "__module__", None) or "")
        found: Any = getattr(home, getattr(function, "__name__", ""), None)
        if callable(found) and (is_composite(found) or specification_of(found) is not None):
            self.used[innermost(found)] = found

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        rows: list[Row] = []
        for function, generator in self.used.items():
            module = sys.modules.get(function.__module__)
            if module is not None:
                place = {"file": function.__code__.co_filename, "line": function.__code__.co_firstlineno}
                rows.append({**ask(module, generator, SECONDS, True), "name": function.__name__, **place})
        terminalreporter.section("everycase gaps")
        text = summary(rows) if rows else "no composite was drawn from"
        for line in text.splitlines():
            terminalreporter.write_line(line)


def _of_property(function: Any) -> list[Any]:
    """The generators of a property of everycase."""
    return list(getattr(getattr(function, PROPERTY, None), "gens", {}).values())


def _of_hypothesis(function: Any) -> list[Any]:
    """The strategies of a test of Hypothesis, as generators; those that cannot be translated are left out."""
    given = getattr(getattr(function, "hypothesis", None), "_given_kwargs", {})
    found = []
    for strategy in given.values():
        from everycase.bridges.hypothesis import from_strategy

        try:
            found.append(from_strategy(strategy))
        except EverycaseError:
            continue
    return found
