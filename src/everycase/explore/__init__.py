"""Explorers decide what to test next and learn from each outcome. One file per explorer; ``base`` is the protocol."""

from everycase.explore.auto import Auto
from everycase.explore.base import Case, Explorer, Outcome, Space
from everycase.explore.covering import Covering
from everycase.explore.exhaustive import Exhaustive
from everycase.explore.random import Random

__all__ = ["Auto", "Case", "Covering", "Exhaustive", "Explorer", "Outcome", "Random", "Space"]
