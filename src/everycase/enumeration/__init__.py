"""A generator as a sequence: counting its values, finding one by its index, walking all of them.

A generator that can be counted becomes a *space* (``counting``), which decodes indices to values and traces
(``decode``), iterates over all of them in bulk, and finds the index of a given value (``rank``).
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
