"""Covering arrays: few rows that contain every combination of any t parameters, under constraints.

They can be used without any property, for configurations, test tables and CI matrices; the explorer
``Covering`` runs properties on such rows. Start with :class:`Model` and :func:`covering_array`; use
:func:`coverage` to measure the tests you already have.
"""

from __future__ import annotations

from everycase.errors import missing_extra

try:
    import numpy as _numpy
except ImportError as error:
    raise missing_extra("arrays", "everycase.arrays") from error

from everycase.arrays.array import CoveringArray, why_infeasible
from everycase.arrays.constraints import Constraint, constraint, forbid, implies
from everycase.arrays.generate import covering_array, infeasible
from everycase.arrays.measure import Coverage, coverage
from everycase.arrays.model import Model
from everycase.arrays.radix import Radix
from everycase.arrays.sequences import SequenceCoveringArray, orders_in, sequence_covering_array

del _numpy

__all__ = [
    "Constraint",
    "Coverage",
    "CoveringArray",
    "Model",
    "Radix",
    "SequenceCoveringArray",
    "constraint",
    "coverage",
    "covering_array",
    "forbid",
    "implies",
    "infeasible",
    "orders_in",
    "sequence_covering_array",
    "why_infeasible",
]
