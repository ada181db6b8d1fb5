"""``--everycase-gaps``: checks the composites that collected properties draw from, and reports their gaps in a section."""

from __future__ import annotations

from types import SimpleNamespace

import hypothesis
from hypothesis import strategies as st

from everycase import covers, gen, given
from everycase.bridges.pytest_gaps import GapsReport


@covers(lambda v: 0 <= v <= 3)
@gen.composite
def three(draw) -> int:
    return draw(gen.integers(0, 2))


@given(gen.lists(three()))
def some_property(xs):
    pass


class Terminal:
    def __init__(self):
        self.lines = []

    def section(self, title):
        self.lines.append(title)

    def write_line(self, line):
        self.lines.append(line)


def test_what_was_drawn_from_is_asked_about():
    report, terminal = GapsReport(), Terminal()
    items = [SimpleNamespace(function=some_property), SimpleNamespace(function=print)]
    report.pytest_collection_finish(SimpleNamespace(items=items))
    report.pytest_terminal_summary(terminal)
    assert terminal.lines[0] == "everycase gaps"
    assert terminal.lines[1].split("  ")[-2:] == ["every valid value", "only valid values"]
    assert terminal.lines[2].split()[1:] == ["three", "missing", "proved", "never", "made:", "3"]


@covers(lambda v: 0 <= v <= 3)
@st.composite
def three_of_hypothesis(draw):
    return draw(st.integers(0, 2))


@hypothesis.given(st.lists(three_of_hypothesis()))
def some_test_of_hypothesis(xs):
    pass


def test_tests_of_hypothesis_are_looked_at_too():
    report, terminal = GapsReport(), Terminal()
    items = [SimpleNamespace(function=some_test_of_hypothesis)]
    report.pytest_collection_finish(SimpleNamespace(items=items))
    report.pytest_terminal_summary(terminal)
    assert terminal.lines[2].split()[1:3] == ["three_of_hypothesis", "missing"]


def test_nothing_drawn_from_is_said():
    terminal = Terminal()
    GapsReport().pytest_terminal_summary(terminal)
    assert terminal.lines == ["everycase gaps", "no composite was drawn from"]
