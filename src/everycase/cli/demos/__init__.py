"""The demos: one function per technique. Each finds something and describes it as a :class:`Scene`.

A technique adds its demo as a module here and a line in ``DEMOS``. A scene is data; ``everycase demo`` shows it on the
terminal and as a page.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module

#: name of the demo: "module:function" below this package
DEMOS = {
    "random": "merging:demo",
    "types": "expressions:demo",
    "composite": "calendar_entries:demo",
    "exhaustive": "sorting_network:demo",
    "combination": "configurations:demo",
    "pruning": "free_time:demo",
    "targeted": "shallow_network:demo",
    "stateful": "undo:demo",
    "completeness": "missing_values:demo",
    "replay": "remembered:demo",
    "explorer": "own_explorer:demo",
    "speed": "speed:demo",
}


@dataclass
class Scene:
    """What one demo shows."""

    technique: str
    #: the story: what is tested and what is wrong with it, in a sentence or two
    story: str
    #: the lines that matter, as Python
    code: str
    #: the result, as text
    outcome: str
    #: figures worth a glance: (name, value)
    facts: list[tuple[str, str]] = field(default_factory=list)
    #: bars to compare, in one unit: (name, number), and the unit
    bars: list[tuple[str, float]] = field(default_factory=list)
    unit: str = ""
    #: whether the demo showed what it should
    works: bool = True


def load_demo(name: str) -> Callable[[], Scene]:
    """The function behind a name in ``DEMOS``."""
    module, _, function = DEMOS[name].partition(":")
    found: Callable[[], Scene] = getattr(import_module(f"{__name__}.{module}"), function)
    return found


def source(*functions: object) -> str:
    """The source of functions or classes for the reader: without docstrings and internal details."""
    parts = []
    for function in functions:
        # A composite is an object that wraps its function.
        text = textwrap.dedent(inspect.getsource(getattr(function, "function", function)))  # type: ignore[arg-type]
        parts.append(_without_docstring(text))
    return "\n\n\n".join(parts)


def _without_docstring(text: str) -> str:
    node = ast.parse(text).body[0]
    if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node, clean=False) is not None:
        first = node.body[0]
        lines = text.splitlines()
        end = first.end_lineno or first.lineno
        while end < len(lines) and not lines[end].strip():
            end += 1
        del lines[first.lineno - 1 : end]
        text = "\n".join(lines)
    return text.strip("\n")
