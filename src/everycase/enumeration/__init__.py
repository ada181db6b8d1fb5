"""A generator as a sequence: counting its values, finding one by its number, walking all of them.

A generator of counting kinds becomes a *space* (``count``), which decodes numbers to values and traces (``decode``),
goes through all of them in bulk, and numbers the values it is given (``ranking``).
"""

from __future__ import annotations

from everycase.enumeration import loose, rules, tier_rules  # noqa: F401 (they enter themselves in ``count``)
from everycase.enumeration.ranking import trace_of
from everycase.enumeration.sequence import (
    cardinality,
    contains,
    first_duplicate,
    fits,
    index,
    item,
    iterate,
    length,
    trace_at,
)
from everycase.enumeration.walk import walk

__all__ = [
    "cardinality",
    "contains",
    "first_duplicate",
    "fits",
    "index",
    "item",
    "iterate",
    "length",
    "trace_at",
    "trace_of",
    "walk",
]
