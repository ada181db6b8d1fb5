"""Explorers decide what to test next and learn from each outcome. One file per explorer; ``protocol`` is what they share."""

from everycase.explore.auto import Auto
from everycase.explore.covering.explorer import Covering
from everycase.explore.exhaustive import Exhaustive
from everycase.explore.narrow.explorer import Narrow
from everycase.explore.narrow.patterns import Patterns
from everycase.explore.orders import Orders
from everycase.explore.protocol import Case, Explorer, Outcome, Space
from everycase.explore.random import Random
from everycase.explore.targeted.anneal import Anneal
from everycase.explore.targeted.climb import Climb

__all__ = [
    "Anneal",
    "Auto",
    "Case",
    "Climb",
    "Covering",
    "Exhaustive",
    "Explorer",
    "Narrow",
    "Orders",
    "Outcome",
    "Patterns",
    "Random",
    "Space",
]
