"""``explain``: which parts of a strategy are read by their structure, and which are driven by Hypothesis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from everycase.bridges.hypothesis.opaque import drive
from everycase.bridges.hypothesis.reading import from_strategy
from everycase.gen.base import Gen
from everycase.gen.graph import nodes
from everycase.gen.kinds import Bind, Composite


@dataclass(frozen=True)
class Explanation:
    """How a strategy was read: ``opaque`` are the parts that Hypothesis draws itself, choice by choice."""

    generator: Gen[Any]
    opaque: tuple[str, ...]
    #: functions that make or draw further parts while values are made, which are read then
    later: tuple[str, ...]

    @property
    def structural(self) -> bool:
        """Whether every part that can be seen was read by its structure."""
        return not self.opaque

    def __str__(self) -> str:
        lines = [f"read as {self.generator!r}"]
        if self.opaque:
            lines.append("driven by Hypothesis, choice by choice: " + ", ".join(self.opaque))
        if self.later:
            lines.append("decided while values are made, and read then: " + ", ".join(self.later))
        return "\n".join(lines)


def explain(strategy: Any) -> Explanation:
    """How a strategy is read.

    >>> import hypothesis.strategies as st
    >>> print(explain(st.lists(st.integers(0, 9))))
    read as lists(integers(0, 9))
    """
    generator = from_strategy(strategy)
    opaque: dict[str, None] = {}
    later: dict[str, None] = {}
    for node in nodes(generator):
        if isinstance(node, Composite) and node.function is drive:
            opaque[repr(node.args[0])] = None
        elif isinstance(node, Composite | Bind) and not _is_ours(node):
            later[repr(node)] = None
    return Explanation(generator, tuple(opaque), tuple(later))


def _is_ours(node: Any) -> bool:
    """Whether a function that draws is one of everycase: what it draws is known."""
    function = node.function if isinstance(node, Composite) else node.f
    return str(getattr(function, "__module__", "")).startswith("everycase.gen")
