"""Explorers decide what to test next and learn from each outcome. One file per explorer; ``base`` is the protocol."""

from typing import TYPE_CHECKING, Any

from everycase.explore.anneal import Anneal
from everycase.explore.auto import Auto
from everycase.explore.base import Case, Explorer, Outcome, Space
from everycase.explore.covering import Covering
from everycase.explore.exhaustive import Exhaustive
from everycase.explore.random import Random
from everycase.explore.search import Climb

if TYPE_CHECKING:
    from everycase.explore.narrow import Narrow
    from everycase.explore.patterns import Patterns

__all__ = [
    "Anneal",
    "Auto",
    "Case",
    "Climb",
    "Covering",
    "Exhaustive",
    "Explorer",
    "Narrow",
    "Outcome",
    "Patterns",
    "Random",
    "Space",
]


def __getattr__(name: str) -> Any:
    # Imported by who uses it: a run that does not prune should not pay for the room behind it.
    if name == "Narrow":
        from everycase.explore.narrow import Narrow

        return Narrow
    if name == "Patterns":
        from everycase.explore.patterns import Patterns

        return Patterns
    raise AttributeError(f"module 'everycase.explore' has no attribute {name!r}")
