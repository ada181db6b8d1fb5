"""Completeness: which valid inputs can a generator never make, and how to repair it.

``@covers`` states what a generator promises. ``gaps`` reads its source, looks for a valid value that no draws
lead to, and otherwise tries to prove that there is none; ``repair`` writes the missing branches.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from everycase.complete.specification import PredicateFailed, Unsupported, covers
from everycase.complete.verdict import Verdict

if TYPE_CHECKING:
    from everycase.complete.check import gaps
    from everycase.complete.synthesis.cegis import repair
    from everycase.complete.synthesis.result import Repair

__all__ = ["PredicateFailed", "Repair", "Unsupported", "Verdict", "covers", "gaps", "repair"]

#: imported on first use, because code that only uses ``@covers`` should not pay for the rest
_HOMES = {"gaps": "check", "repair": "synthesis.cegis", "Repair": "synthesis.result"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
