"""Descriptions of inputs. Every function here returns a :class:`Gen`, an immutable description of values.

Names follow Hypothesis wherever the meaning is the same.
"""

from everycase.gen.annotate import targeted
from everycase.gen.base import Gen
from everycase.gen.building import builds
from everycase.gen.collections import (
    dictionaries,
    fixed_dictionaries,
    frozensets,
    iterables,
    lists,
    permutations,
    sets,
    slices,
    tuples,
)
from everycase.gen.complex_numbers import complex_numbers
from everycase.gen.composition import deferred, frequency, one_of, recursive
from everycase.gen.dates_and_times import dates, datetimes, timedeltas, times, timezone_keys, timezones
from everycase.gen.dependent import dependent, from_iterable
from everycase.gen.drawing import Draw, composite, data, functions
from everycase.gen.floating import floats
from everycase.gen.internet import domains, emails, ip_addresses, urls
from everycase.gen.numeric import decimals, fractions, uuids
from everycase.gen.randomness import random_module, randoms
from everycase.gen.regex import from_regex
from everycase.gen.scalars import booleans, enums, integers, just, none, nothing, sampled_from
from everycase.gen.sharing import shared
from everycase.gen.strings import binary, characters, text
from everycase.gen.types import from_type, register_type

__all__ = [
    "Draw",
    "Gen",
    "binary",
    "booleans",
    "builds",
    "characters",
    "complex_numbers",
    "composite",
    "data",
    "dates",
    "datetimes",
    "decimals",
    "deferred",
    "dependent",
    "dictionaries",
    "domains",
    "emails",
    "enums",
    "fixed_dictionaries",
    "floats",
    "fractions",
    "frequency",
    "from_iterable",
    "from_regex",
    "from_type",
    "frozensets",
    "functions",
    "integers",
    "ip_addresses",
    "iterables",
    "just",
    "lists",
    "none",
    "nothing",
    "one_of",
    "permutations",
    "random_module",
    "randoms",
    "recursive",
    "register_type",
    "sampled_from",
    "sets",
    "shared",
    "slices",
    "targeted",
    "text",
    "timedeltas",
    "times",
    "timezone_keys",
    "timezones",
    "tuples",
    "urls",
    "uuids",
]
