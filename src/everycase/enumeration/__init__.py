"""A generator as a sequence: counting its values, finding one by its number, walking all of them.

A generator of counting kinds becomes a *space* (``counting``), which decodes numbers to values and traces (``decode``),
goes through all of them in bulk, and numbers the values it is given (``rank``).
"""

from __future__ import annotations

from everycase.choices.invert import trace_of
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
