"""Completeness: which valid inputs can a generator never make, and how to repair it.

A generator says with ``@covers`` what it promises. ``gaps`` reads its source, looks for a valid value that no
draws lead to, and else proves that there is none; ``repair`` writes the missing branches.
"""

from __future__ import annotations

from everycase.complete.check import gaps
from everycase.complete.repairing import Repair, repair
from everycase.complete.specification import PredicateFailed, Unsupported, covers
from everycase.complete.verdict import Verdict

__all__ = ["PredicateFailed", "Repair", "Unsupported", "Verdict", "covers", "gaps", "repair"]
