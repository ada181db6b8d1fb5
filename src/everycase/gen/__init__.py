"""Descriptions of inputs. Every function here returns a :class:`Gen`, an immutable description of values.

Names follow Hypothesis wherever the meaning is the same.
"""

from everycase.gen.base import Gen
from everycase.gen.collections import lists, tuples
from everycase.gen.composition import builds, composite, deferred, one_of
from everycase.gen.floating import floats
from everycase.gen.scalars import booleans, enums, integers, just, none, nothing, sampled_from

__all__ = [
    "Gen",
    "booleans",
    "builds",
    "composite",
    "deferred",
    "enums",
    "floats",
    "integers",
    "just",
    "lists",
    "none",
    "nothing",
    "one_of",
    "sampled_from",
    "tuples",
]
