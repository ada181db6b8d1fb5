"""Descriptions of inputs. Every function here returns a :class:`Gen`, an immutable description of values.

Names follow Hypothesis wherever the meaning is the same.
"""

from everycase.gen.base import Gen
from everycase.gen.building import builds
from everycase.gen.collections import (
    dictionaries,
    fixed_dictionaries,
    frozensets,
    lists,
    permutations,
    sets,
    tuples,
)
from everycase.gen.composition import deferred, frequency, one_of, recursive
from everycase.gen.dependent import dependent, from_iterable
from everycase.gen.drawing import Draw, composite, data, functions
from everycase.gen.floating import floats
from everycase.gen.numeric import decimals, fractions, uuids
from everycase.gen.scalars import booleans, enums, integers, just, none, nothing, sampled_from
from everycase.gen.strings import binary, characters, text
from everycase.gen.timing import dates, datetimes, timedeltas, times
from everycase.gen.types import from_type, register_type

__all__ = [
    "Draw",
    "Gen",
    "binary",
    "booleans",
    "builds",
    "characters",
    "composite",
    "data",
    "dates",
    "datetimes",
    "decimals",
    "deferred",
    "dependent",
    "dictionaries",
    "enums",
    "fixed_dictionaries",
    "floats",
    "fractions",
    "frequency",
    "from_iterable",
    "from_type",
    "frozensets",
    "functions",
    "integers",
    "just",
    "lists",
    "none",
    "nothing",
    "one_of",
    "permutations",
    "recursive",
    "register_type",
    "sampled_from",
    "sets",
    "text",
    "timedeltas",
    "times",
    "tuples",
    "uuids",
]
